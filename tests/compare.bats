#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# lpartune compare on synthetic results: verdicts, refusals, doubts.

# jq has variables of its own.
# shellcheck disable=SC2016
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# result FILE [SCALE [SEED [BLOCKS [JQ]]]]: a saved result of two cells around 40 us.
result() {
	jq -n --argjson scale "${2:-1}" --argjson seed "${3:-1}" --argjson blocks "${4:-12}" '
		def noise($i): (($i * 7919 + $seed * 104729) * 31 % 1009) / 1009 - 0.5;
		def histogram($level): [[0.8, 100], [0.9, 300], [1, 500], [1.1, 300], [1.3, 80], [2, 16], [4, 4]]
			| map([(.[0] * $level | floor), .[1]]);
		def figures($level): histogram($level) as $h | {histogram: $h, count: ([$h[][1]] | add),
			min: $h[0][0], max: $h[-1][0], sum: ([$h[] | .[0] * .[1]] | add)};
		def block($i): (40000 * $scale * (1 + 0.02 * noise($i))) as $level
			| figures($level) + {response: figures($level * 1.5), start_ns: ($i * 1000000000),
				duration_ns: 400000000, planned: 1300, done: 1300, warmup: 0, unissued: 0,
				classes: null, environment: {steal_pct: 0, foreign_cpu_pct: 1}};
		{lpartune: "0.1.0", command: "bench", format: 1, time: "2026-01-01T00:00:00Z",
		boot_id: null, root: "/", definition: 1, config: {block_ns: 400000000}, placement: {cpus: "0-1"},
		facts: {"kernel.release": {value: "6.1", unit: null, source: "x"}, uptime: {value: $seed}},
		results: [{name: "wake", cell: {distance: "core", idle_ns: 200000, load: 0, primitive: "futex"},
			planned_per_s: 3250, saturated: false, blocks: [range($blocks) | block(.)]}]}' |
		jq "${5:-.}" >"$1"
}

fits_schema() {
	wrong=$("$BUILD/tool/schema_check" "$BATS_TEST_DIRNAME/../schema/$1.json" <<<"$output") ||
		fail "$wrong"
}

@test "the same data give no difference" {
	result a.json 1 1
	result b.json 1 1
	expect_status 0 "$LPARTUNE" compare --check --json a.json b.json
	expect_json '.verdict == "better" or .verdict == "worse"' 'false'
	expect_json '[.results[].effects[] | select(.quantile == "50") | .verdict] | unique' '["no change"]'
}

@test "a file against itself: said, and no difference" {
	result a.json
	expect_status 0 "$LPARTUNE" compare --check --json a.json a.json
	expect_json '.notes[0]' '"BEFORE and AFTER are the same data"'
}

@test "a pattern that nothing matches is an error, a name that looks like one is a name" {
	result 'a[1]*.json'
	expect_status 1 "$LPARTUNE" compare 'b*.json' 'a[1]*.json'
	expect_match "'b\*.json': No such file" "$stderr"
	expect_status 0 "$LPARTUNE" compare --json 'a[1]*.json' 'a[1]*.json'
	expect_json '.before' '["a[1]*.json"]'
}

@test "other samples of the same machine give no difference" {
	for seed in 2 3 4 5 6; do
		result a.json 1 "$seed"
		result b.json 1 $((seed + 50))
		expect_status 0 "$LPARTUNE" compare --check --json a.json b.json
	done
}

@test "a slower side is worse, found at its size, and --check says 3" {
	result a.json 1 1
	result b.json 1.1 2
	expect_status 3 "$LPARTUNE" compare --check --json a.json b.json
	expect_json '.verdict' '"worse"'
	expect_json '.results[0].effects[] | select(.metric == "wake" and .quantile == "50") | [.verdict, .low_pct < 10, .high_pct > 10]' \
		'["worse",true,true]'
	expect_status 0 "$LPARTUNE" compare --json a.json b.json
	expect_status 0 "$LPARTUNE" compare --check --json b.json a.json
	expect_json '.verdict' '"better"'
}

@test "a difference below what was asked for is none" {
	result a.json 1 1
	result b.json 1.1 2
	expect_status 0 "$LPARTUNE" compare --check --within 30 --json a.json b.json
	expect_json '.results[0].effects[] | select(.metric == "wake" and .quantile == "50") | .verdict' '"no change"'
}

@test "few blocks give no verdict and say how many they would need" {
	result a.json 1 1 4
	result b.json 1.5 2 4
	expect_status 0 "$LPARTUNE" compare --check --json a.json b.json
	expect_json '[.results[].effects[].verdict] | unique' '["undecided"]'
}

@test "a cell with hardly a block on a side is a row that says so" {
	result a.json
	for blocks in 0 1 2; do
		result b.json 1.5 2 12 ".results += [.results[0] | .cell.distance = \"free\" | .blocks = .blocks[:$blocks]]"
		jq '.results += [.results[0] | .cell.distance = "free"]' a.json >c.json
		expect_status 0 "$LPARTUNE" compare --json c.json b.json
		expect_json '[.results[] | select(.cell.distance == "free") | .effects[] | [.verdict, .reason]] | unique' \
			'[["undecided","too few blocks"]]'
		fits_schema compare
		expect_status 0 "$LPARTUNE" compare c.json b.json
		expect_match 'free 200us +p50 .* undecided +few' "$output"
		! grep -Eqi '\bnan\b|\binf\b' <<<"$output" || fail "$output"
	done
	jq '.results[].blocks = []' a.json >empty.json
	expect_status 1 "$LPARTUNE" compare empty.json a.json
	expect_match 'nothing was measured on both sides' "$stderr"
}

@test "measured in turns: paired by round" {
	for i in 1 2 3 4 5 6 7 8; do
		result "a$i.json" 1 "$i" 2 ".time = \"2026-01-01T00:0$i:00Z\""
		result "b$i.json" 1.08 "$i" 2 ".time = \"2026-01-01T00:0$i:30Z\""
	done
	expect_status 3 "$LPARTUNE" compare --check --json 'a*.json' 'b*.json'
	expect_json '.paired' 'true'
	expect_json '.verdict' '"worse"'
	expect_json '.results[0].effects[0].rounds' '8'
	expect_json '[.notes[] | select(test("one after the other"))]' '[]'
}

# rounds N A B: N rounds in turns; the jq programs change the sides of round $i.
rounds() {
	local n=$1 i
	for ((i = 10; i < 10 + n; i++)); do
		result "a$i.json" 1 "$i" 2 ".time = \"2026-01-01T00:$i:00Z\" | ($i - 10) as \$i | $2"
		result "b$i.json" 1 "$i" 2 ".time = \"2026-01-01T00:$i:30Z\" | ($i - 10) as \$i | $3"
	done
	expect_status 0 "$LPARTUNE" compare --json 'a*.json' 'b*.json'
	fits_schema compare
}

@test "a round that one side did not measure is left out, of the mean and the count of rounds too" {
	local rate='.results[0].planned_per_s = null | .results[0].blocks[].done = 1000'
	rounds 8 "$rate | if \$i == 3 then .results[0].blocks = [] else . end" "$rate"
	expect_json '.results[0].effects[] | select(.metric == "rate") | [.before, .after, .ratio, .rounds]' '[2500,2500,1,7]'
	expect_json '[.results[0].effects[].rounds] | unique' '[7]'
	rounds 6 "$rate | if \$i == 3 then .results[0].blocks = [] else . end" "$rate"
	rm -f a1[67].json b1[67].json
	expect_status 0 "$LPARTUNE" compare --json 'a*.json' 'b*.json'
	expect_json '[.results[0].effects[] | [.verdict, .reason, .rounds]] | unique' '[["undecided","too few blocks",5]]'
}

@test "rounds in which nothing was done are not left out as if they had not been" {
	local rate='.results[0].planned_per_s = null | .results[0].blocks[].done = 1000'
	rounds 12 "$rate" "$rate | if \$i < 5 then .results[0].blocks[].done = 0 else . end"
	expect_json '.results[0].effects[] | select(.metric == "rate") | [.ratio, .verdict, .reason]' \
		'[null,"undecided","a rate of 0 has no ratio"]'
	expect_status 0 "$LPARTUNE" compare 'a*.json' 'b*.json'
	expect_match 'rate .* undecided +zero' "$output"
}

@test "counts that are 0 in some rounds have no change in percent but their own" {
	local counter='.results[0].blocks[].counters'
	rounds 12 "$counter = {migrations: (if \$i < 6 then 0 else 2 end)}" "$counter = {migrations: 2}"
	expect_json '.results[0].counters[0] | [.before, .after, .change_pct, .low_pct]' '[1,2,null,null]'
	rounds 12 "$counter = {migrations: (if \$i < 6 then 0 else 2 end)}" "$counter = {migrations: (if \$i < 6 then 0 else 4 end)}"
	expect_json '.results[0].counters[0] | [.before, .after, .change_pct]' '[1,2,100]'
	rounds 12 "$counter = {migrations: 2}" "if \$i == 0 then . else $counter = {migrations: 4} end"
	expect_json '.results[0].counters[0] | [.before, .after]' '[2,4]'
}

@test "sequential sides are said to be unprotected" {
	result a.json
	result b.json
	expect_status 0 "$LPARTUNE" compare a.json b.json
	expect_match 'one after the other' "$output"
	expect_match 'measure in turns' "$output"
}

@test "drift within a side forbids a verdict" {
	result a.json 1 1 60 'def step($f): .histogram |= map(.[0] = (.[0] * $f | floor))
			| .min = .histogram[0][0] | .max = .histogram[-1][0];
		.results[0].blocks |= [to_entries[] | (if .key < 30 then 1 else 1.3 end) as $f | .value
			| step($f) | .response |= step($f)]'
	result b.json 1.45 2 60
	expect_status 0 "$LPARTUNE" compare --json a.json b.json
	expect_json '[.results[].effects[] | select(.reason == "drift within a side is as large") | .verdict] | unique' \
		'["undecided"]'
}

@test "different definitions are refused" {
	result a.json
	result b.json 1 1 12 '.definition = 2'
	expect_status 1 "$LPARTUNE" compare a.json b.json
	expect_match 'different definitions' "$stderr"
	cp b.json a2.json
	expect_status 1 "$LPARTUNE" compare 'a*.json' a.json
	expect_match 'definition' "$stderr"
}

@test "what differs in the machines comes first, what it has been doing does not" {
	result a.json
	result b.json 1 2 12 '.facts["kernel.release"].value = "6.8"'
	expect_status 0 "$LPARTUNE" compare --json a.json b.json
	expect_json '[.facts_differ[].key]' '["kernel.release"]'
	expect_status 0 "$LPARTUNE" compare a.json b.json
	expect_match 'kernel.release +"6.1" +"6.8"' "$output"
}

@test "what differs among the runs of a side is told" {
	result a1.json
	result a2.json 1 3 12 '.facts["kernel.release"].value = "6.8" | .config.block_ns = 5'
	result b.json 1 2
	expect_status 0 "$LPARTUNE" compare --json 'a*.json' b.json
	expect_json '.facts_differ' '[]'
	expect_json '[.notes[] | select(test("^the runs of"))]' \
		'["the runs of BEFORE differ among themselves in kernel.release, block_ns"]'
	expect_status 0 "$LPARTUNE" compare --json b.json 'a*.json'
	expect_json '[.notes[] | select(test("^the runs of"))]' \
		'["the runs of AFTER differ among themselves in kernel.release, block_ns"]'
}

@test "cells that only one side has are named" {
	result a.json
	result b.json 1 1 12 '.results[0].cell.idle_ns = 5000'
	expect_status 1 "$LPARTUNE" compare a.json b.json
	expect_match 'nothing was measured on both sides' "$stderr"
	jq '.results += [.results[0] | .cell.distance = "free"]' a.json >c.json
	expect_status 0 "$LPARTUNE" compare --json a.json c.json
	expect_json '[.only_after[].cell.distance]' '["free"]'
}

@test "damaged input gives an error with the name of the file" {
	result good.json
	echo '{"command": "bench"}' >a.json
	echo 'no json' >b.json
	: >c.json
	result d.json 1 1 12 '.results[0].blocks[0].histogram[0][1] = -5'
	result e.json 1 1 12 '.results[0].blocks[0].count = 7'
	result f.json 1 1 12 '.results[0].blocks[0].histogram |= reverse'
	result g.json 1 1 12 '.results[0].blocks[0].histogram[2] = ["x"]'
	result h.json 1 1 12 '.results = {}'
	result i.json 1 1 12 '.results[0].blocks[3].duration_ns = -5'
	result j.json 1 1 12 '.results[0].blocks[3].done = "x"'
	result k.json 1 1 12 '.results[0].blocks[3] = null'
	result l.json 1 1 12 '.definition = "1"'
	result m.json 1 1 12 '[.]'
	# Counts that would add up to nothing.
	result n.json 1 1 12 '.results[0].blocks[0] |= (.count = 0 | .histogram = [[5, "2^63"], [6, "2^63"]])'
	sed -i 's/"2^63"/9223372036854775807/' n.json
	# Extremes that lie where no sample does.
	result s.json 1 1 12 '.results[0].blocks[0].max = 32001'
	result t.json 1 1 12 '.results[0].blocks[0].response.min = 5'
	head -c 1000 good.json >o.json
	echo '{"jobs": [{"jobname": "fio"}], "command": "fio"}' >p.json
	sed 's/1300/NaN/' good.json >q.json
	head -c 10000 /dev/urandom >r.json
	for bad in a b c d e f g h i j k l m n o p q r s t; do
		expect_status 1 "$LPARTUNE" compare good.json "$bad.json"
		expect_match "'$bad.json'" "$stderr"
	done
	expect_status 1 "$LPARTUNE" compare missing.json good.json
	expect_match "'missing.json': No such file" "$stderr"
	expect_status 1 "$LPARTUNE" compare . good.json
}

@test "usage errors" {
	for bad in "" "one" "one two three" "a b --within x" "a b --within -1"; do
		# shellcheck disable=SC2086
		expect_status 2 "$LPARTUNE" compare $bad
	done
}

@test "a real run against itself, under a hostile name" {
	name=$'r "es\\ult\n\xff.json'
	"$LPARTUNE" bench --rounds 6 --block 20ms --cells same/500us --save "$name" >/dev/null
	expect_status 0 "$LPARTUNE" compare --check --json "$name" "$name"
	expect_json '.before | length' '1'
	expect_json '[.results[].effects[] | select(.ratio != 1)]' '[]'
}

@test "counts are compared without a verdict" {
	result a.json 1 1 12 '.results[0].blocks |= [to_entries[] | .value.counters = {cycles: (1000 + .key)} | .value]'
	result b.json 1 2 12 '.results[0].blocks |= [to_entries[] | .value.counters = {cycles: (1500 + .key)} | .value]'
	expect_status 0 "$LPARTUNE" compare --check --json a.json b.json
	expect_json '.results[0].counters[0] | [.name, .low_pct < 50, .high_pct > 49]' '["cycles",true,true]'
	expect_status 0 "$LPARTUNE" compare a.json b.json
	expect_match 'cycles' "$output"
}

@test "documents fit their schemas" {
	result a.json
	result b.json 1.1 2
	expect_status 0 "$LPARTUNE" compare --json a.json b.json
	fits_schema compare
	expect_status 0 "$LPARTUNE" compare --json a.json a.json
	fits_schema compare
}

@test "the plot is one file that needs nothing else" {
	result a.json 1 1 12 '.results[0].cell.kind = "<&>"'
	result b.json 1.1 2 12 '.results[0].cell.kind = "<&>"'
	expect_status 0 "$LPARTUNE" compare a.json b.json --plot plot.svg
	expect_match '^<svg xmlns="http://www.w3.org/2000/svg"' "$(cat plot.svg)"
	expect_match '&lt;&amp;&gt;' "$(cat plot.svg)"
	[ "$(grep -c '<polyline' plot.svg)" -eq 2 ] || fail "not two curves"
	! grep -Eq 'href|url\(|<script|nan|inf' plot.svg || fail "it needs something else, or is broken"
	[ "$(grep -o '<[a-z]*' plot.svg | grep -c '<text')" -eq "$(grep -c '</text>' plot.svg)" ]
	expect_status 1 "$LPARTUNE" compare a.json b.json --plot no/such/plot.svg
}
