#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What went wrong in other benchmarks, as public reports tell it: each is a test of ours. What is
# tested in depth elsewhere is named here.
#
#  1 schbench hangs at the end            here; unit/team; "short runs never hang" (bench)
#  2 warm-up zeroed while it is counted   here; help and manual agree (docs)
#  3 a rate mode that bursts              here; "every arrival is a sample" (bench)
#  4 counters of threads that are gone    "what was not counted has a reason" (bench)
#  6 an option sets another               here; "each option shows in the configuration" (bench)
#  7 one architecture only                cross, lab, s390x (make cross lab-full)
#  8 another definition, same name        "different definitions are refused" (compare); switches (bench)
#  9 children outlive a killed parent     here; "messaging by processes leaves no child" (bench)
# 10 more than 1024 CPUs, offline CPUs    here; "more than 1024 CPUs with holes" (bench)
# 12 a cpuset of few CPUs                 here
# 13 free threads that are really pinned  here
# 15 an output mode that never ends       here
# 17 broken JSON                          here; schema
# 18 crash when repeated                  here, under sanitizers too
# 19 counts of some CPUs skipped          unit/tally of CPUs: here
# 20 variance thrown away                 "undecided", "needs" (compare, trueeffect)
# 22 the result depends on who ran it     here

# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

short() { # a run of a block; further arguments are bench's
	timeout 30 "$LPARTUNE" bench --rounds 1 --block 20ms "$@"
}

# milliseconds COMMAND...: how long it took, in $took
milliseconds() {
	local start
	start=$(date +%s%N)
	"$@"
	took=$((($(date +%s%N) - start) / 1000000))
}

@test "1, 15: every mode ends, by itself and by a signal at any moment" {
	for mode in "" --json --schbench --map "--save x.json" "messaging --processes" "--load 100 --cells same" \
		"--primitive pipe --cells same,free" "--primitive eventfd fanout" "lock --size 2 --cells free"; do
		# shellcheck disable=SC2086
		expect_status 0 short $mode
	done
	for delay in 0 0.01 0.03 0.1 0.3 0.5 0.7 0.9 1.1; do
		# A shell's background jobs do not hear Ctrl-C unless they are told to.
		env --default-signal=INT "$LPARTUNE" bench --json --duration 60s \
			--cells same/20us,free/200us,core/5s >out 2>err 3>&- &
		until [ "$(cat "/proc/$!/comm")" = lpartune ]; do :; done # before that the signal is lost
		sleep "$delay"
		kill -INT $! || true
		milliseconds wait $! || true
		[ "$took" -lt 5000 ] || fail "it took $took ms to end after $delay s"
		[ ! -s out ] || jq -e .interrupted out >/dev/null || fail "after $delay s: $(head -c 300 out)"
	done
}

@test "1: nohup is heard" {
	(trap '' HUP && exec "$LPARTUNE" bench --json --duration 4s --cells same/1ms >out 3>&-) &
	sleep 1
	kill -HUP $!
	wait $! || fail "status $?"
	[ "$(jq .interrupted out)" = false ]
}

@test "2: the warm-up is counted apart, and never taken back from the samples" {
	expect_status 0 short --json --cells same/200us --block 200ms
	expect_json '.results[0].blocks[0].warmup > 0' true
	expect_json '.warmup_ns >= 500000000' true
	expect_json '.results[0].blocks[0] | .response.count == .done and .planned == .done + .unissued' true
	expect_json '.results[0].blocks[0].min > 0' true
}

@test "3: arrivals are spread over the block, at the planned rate" {
	expect_status 0 short --json --cells same/1ms --block 600ms --seed 5
	# 600 are due in 600 ms; a burst a second would be one gap of all.
	expect_json '.results[0] | .planned_per_s > 700 and .planned_per_s < 1300' true
	expect_json '.results[0].arrival_cv < 3' true
	expect_json '.results[0] | .response_percentiles["50"] < 500000000' true
}

@test "6: -n is not -s: no option changes another's value" {
	local base changed option
	expect_status 0 "$LPARTUNE" bench --json --dry-run --seed 1
	base=$(jq -c '.config' <<<"$output")
	while read -r option changed; do
		# shellcheck disable=SC2086
		expect_status 0 "$LPARTUNE" bench --json --dry-run --seed 1 $option
		[ "$(jq -c --argjson base "$base" '[.config | to_entries[] | select(.value != $base[.key]) | .key] | join(",")' <<<"$output")" = "\"$changed\"" ] ||
			fail "$option changed $(jq -c .config <<<"$output") from $base"
	done <<'O'
--duration=40s duration_ns,rounds
--block=300ms block_ns,rounds
--rounds=3 rounds
--pairs=7 pairs
--periodic arrivals
--processes processes
--no-attribution attribution
--fifo=9 fifo
--seed=2 seed
--label=x
--size=3
--load=0
--events=none
O
}

@test "9: nothing outlives a run that is killed" {
	"$LPARTUNE" bench --rounds 1 --block 60s messaging --processes --size 1 >/dev/null 2>&1 3>&- &
	parent=$!
	for _ in {1..200}; do
		mapfile -t children < <(pgrep -P "$parent")
		[ "${#children[@]}" -ge 40 ] && break
		sleep 0.05
	done
	[ "${#children[@]}" -ge 40 ] || fail "only ${#children[@]} children"
	kill -KILL "$parent"
	wait "$parent" || true
	for _ in {1..100}; do
		left=0
		for pid in "${children[@]}"; do
			grep -Eqs '^State:\s+[^Z]' "/proc/$pid/status" && left=$((left + 1))
		done
		[ "$left" -eq 0 ] && break
		sleep 0.05
	done
	[ "$left" -eq 0 ] || fail "$left children live on"
}

@test "10, 12: few CPUs, CPUs that are not there, CPUs beyond any set" {
	first=$(grep -o '^[0-9]*' /sys/devices/system/cpu/online)
	expect_status 0 taskset -c "$first" "$LPARTUNE" bench --json --rounds 1 --block 20ms
	expect_json '.placement.cpus' "\"$first\""
	expect_json '[.results[] | select(.error == null) | .cell.distance] | unique' '["free","same"]'
	expect_status 0 short --json --cpus "$first,4000" --cells same
	expect_json '.placement.cpus' "\"$first\""
	for bad in 2047 8191; do
		expect_status 1 short --cpus "$bad"
		expect_match 'none of the CPUs of --cpus' "$stderr"
	done
	expect_status 2 short --cpus 99999999999
}

@test "13: free threads are free, pinned ones are where it says" {
	"$LPARTUNE" bench --json --duration 20s --cells free/1ms,same/1ms --block 4s >/dev/null 3>&- &
	pid=$!
	all=$(awk '/^Cpus_allowed_list/ { print $2 }' /proc/self/status)
	for _ in {1..200}; do
		sleep 0.05
		for task in "/proc/$pid/task"/*; do
			[ "$(cat "$task/comm" 2>/dev/null)" = worker ] || continue
			# It may be gone by now.
			seen=$(awk '/^Cpus_allowed_list/ { print $2 }' "$task/status" 2>/dev/null) || continue
			break 2
		done
	done
	kill -INT $pid
	wait $pid || true
	[ "$seen" = "$all" ] || fail "a free worker may run on $seen, not $all"
}

@test "17: JSON is JSON, whatever the names, and nothing else is on stdout" {
	for mode in "wake" "pipe" "fanout --schbench" "--map" "lock --cells free"; do
		# shellcheck disable=SC2086
		short --json --label $'\x01"\\\xff\u2028' --save $'n"\\\n\xfe.json' $mode >out 2>err ||
			fail "$(cat err)"
		jq -se 'length == 1' out >/dev/null || fail "$mode: not one document"
		jq -se 'length == 1' $'n"\\\n\xfe.json' >/dev/null || fail "$mode: not one document in the file"
		[ ! -s err ] || fail "$(cat err)"
	done
}

@test "18: repeating a cell, an event or a benchmark does no harm" {
	expect_status 0 short --json --cells same,same,same/20us,same wake wake --events cycles,cycles
	expect_json '[.results[].cell] | length == (unique | length)' true
}

@test "19: what is counted on two halves of the CPUs is what is counted on all" {
	# The kernel's own counts, over the whole machine: all CPUs are in the sum.
	expect_status 0 short --json --cells same/1ms --block 300ms
	expect_json '.results[0].blocks[0].environment | .own_cpu_pct + .foreign_cpu_pct <= 110' true
	expect_json '.counters.context_switches_per_s >= .results[0].achieved_per_s' true
}

@test "22: the result tells all that another needs to run the same" {
	expect_status 0 short --json --cells same/1ms --seed 9
	expect_json '[.arguments, .config, .placement, .limits, .facts["kernel.release"].value, .facts["idle.states"],
		.facts["cpu.smt"], .results[0].pairs, .results[0].cell] | map(. != null) | all' true
	arguments=$(jq -r '.arguments | join(" ")' <<<"$output")
	first=$(jq -c '[.config, .placement, (.results[] | [.cell, .pairs])]' <<<"$output")
	# shellcheck disable=SC2086
	expect_status 0 "$LPARTUNE" bench $arguments
	[ "$(jq -c '[.config, .placement, (.results[] | [.cell, .pairs])]' <<<"$output")" = "$first" ] ||
		fail "$output"
}

@test "a result that cannot be stored is a failure, and leaves the old one" {
	expect_status 1 short --cells same --save /dev/full
	expect_match "cannot write '/dev/full': No space left" "$stderr"
	run bash -c "'$LPARTUNE' bench --json --rounds 1 --block 20ms --cells same >/dev/full"
	[ "$status" -eq 1 ] || fail "status $status"
	mkdir small
	echo old >keep.json
	# shellcheck disable=SC2016
	run --separate-stderr unshare -m bash -c 'mount -t tmpfs -o size=64k,nr_inodes=10 none small && cp keep.json small &&
		"$1" bench --rounds 30 --block 20ms --cells same/20us,free/20us --save small/keep.json >/dev/null
		rc=$?; cat small/keep.json; ls -A small | wc -l; exit $rc' - "$LPARTUNE"
	[ "$status" -eq 1 ] || fail "status $status: $output $stderr"
	expect_match "cannot write 'small/keep.json': No space left" "$stderr"
	[ "$output" = $'old\n1' ] || fail "$output"
}
