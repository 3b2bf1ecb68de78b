#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Each file of a machine in turn is damaged: inspect ends well, its JSON is valid, and no number that
# the healthy machine has becomes 0.

load helpers

setup_file() {
	export HEALTHY="$BATS_FILE_TMPDIR/healthy" BAD="$BATS_FILE_TMPDIR/bad"
	"$BUILD/generate" "$HEALTHY" cores=1 threads=2 steal-dispatch=50 steal-entitlement=20 \
		dispatch-stats=yes schedstats=yes interrupts=2 affinity-score=70 big-cores=yes \
		caches=3 log=rcu-stall,soft-lockup
	"$LPARTUNE" inspect --json --root "$HEALTHY" >"$BATS_FILE_TMPDIR/healthy.json"
	head -c 1048576 /dev/zero | tr '\0' 7 >"$BATS_FILE_TMPDIR/long"
	for byte in {0..255}; do
		printf '%b' "\\x$(printf %02x $((byte * 37 % 256)))"
	done >"$BATS_FILE_TMPDIR/garbage"
}

setup() {
	results=$BATS_TEST_TMPDIR/results
	mkdir "$results"
	rm -rf "$BAD"
	cp -a "$HEALTHY" "$BAD"
}

# damage_each WAY: every file of the machine, one at a time, through the function WAY FILE.
damage_each() {
	local way=$1 path n=0
	while read -r path; do
		rm "$BAD/$path"
		"$way" "$path"
		"$LPARTUNE" inspect --json --root "$BAD" >"$results/${path//\//:}" 2>"$results.err" ||
			fail "$way of $path: status $?: $(<"$results.err")"
		rm -rf "${BAD:?}/$path"
		cp -a "$HEALTHY/$path" "$BAD/$path"
		n=$((n + 1))
	done < <(cd "$HEALTHY" && find . -type f -printf '%P\n')
	[ "$n" -gt 100 ] || fail "only $n files"
	check_results "$way"
}

# No fact is 0 where the healthy machine has a number; nothing but JSON was printed. A log that was
# cut short, or whose words are no more, is still a log: what it lacks was not logged.
check_results() {
	local report known=""
	case $1 in truncated | not_utf8) known="^dev:kmsg:log" ;; esac
	report=$(cd "$results" && find . -type f -printf '%P\0' | xargs -0 jq -r \
		--arg known_zero "$known" --slurpfile healthy "$BATS_FILE_TMPDIR/healthy.json" '. as $document
		| $healthy[0].facts | to_entries[]
		| select((.value.value | type) == "number" and .value.value != 0)
		| select($document.facts[.key].value == 0)
		| select($known_zero == "" or (input_filename + ":" + .key | test($known_zero) | not))
		| "\(input_filename): \(.key) became 0"' 2>&1) || fail "no JSON: $report"
	[ -z "$report" ] || fail "$report"
}

truncated() {
	head -c $(($(stat -c %s "$HEALTHY/$1") / 2)) "$HEALTHY/$1" >"$BAD/$1"
}
empty() {
	: >"$BAD/$1"
}
garbage() {
	cp "$BATS_FILE_TMPDIR/garbage" "$BAD/$1"
}
directory() {
	mkdir "$BAD/$1"
}
long_line() {
	cp "$BATS_FILE_TMPDIR/long" "$BAD/$1"
}
not_utf8() {
	{
		printf '\377\376'
		tr 'aeiou' '\300\301\365\200\277' <"$HEALTHY/$1"
	} >"$BAD/$1"
}
missing() {
	:
}

@test "a file cut in half" {
	damage_each truncated
}

@test "an empty file" {
	damage_each empty
}

@test "a file of garbage" {
	damage_each garbage
}

@test "a directory in place of a file" {
	damage_each directory
}

@test "one line of a mebibyte" {
	damage_each long_line
}

@test "values that are not UTF-8" {
	damage_each not_utf8
}

@test "a missing file" {
	damage_each missing
}

@test "names that are not UTF-8" {
	local dir name=$'\377\300'
	while read -r dir; do
		mkdir "$BAD/$dir/cpu$name" "$BAD/$dir/node$name" "$BAD/$dir/$name"
		: >"$BAD/$dir/cpu$name/online"
	done < <(cd "$HEALTHY" && find sys proc -type d)
	expect_status 0 "$LPARTUNE" inspect --json --root "$BAD"
	jq -e . <<<"$output" >/dev/null
	[ "$(jq -c '.facts | map_values(.value)' <<<"$output")" = \
		"$(jq -c '.facts | map_values(.value)' "$BATS_FILE_TMPDIR/healthy.json")" ]
}

@test "an empty tree" {
	mkdir "$BATS_TEST_TMPDIR/empty"
	expect_status 0 "$LPARTUNE" inspect --json --root "$BATS_TEST_TMPDIR/empty"
	run jq -r '.facts | to_entries[] | select(.value.value == 0) | .key' <<<"$output"
	[ -z "$output" ] || fail "0 for unknown: $output"
}

@test "a key of lparcfg that stands there twice with different values" {
	local lparcfg=$BAD/proc/powerpc/lparcfg
	echo "partition_entitled_capacity=300" >>"$lparcfg"
	expect_status 0 "$LPARTUNE" inspect --json --root "$BAD"
	expect_json '.facts["lpar.entitlement"] | .value, .reason' $'null\n"invalid"'
	cp "$HEALTHY/proc/powerpc/lparcfg" "$lparcfg"
	grep '^partition_entitled_capacity=' "$HEALTHY/proc/powerpc/lparcfg" >>"$lparcfg"
	expect_status 0 "$LPARTUNE" inspect --json --root "$BAD"
	expect_json '.facts["lpar.entitlement"].reason' null
}

@test "a capture whose manifest recorded no word" {
	mkdir "$BATS_TEST_TMPDIR/capture"
	mv "$BAD" "$BATS_TEST_TMPDIR/capture/root"
	for recorded in '"PowerVM <b>"' '""' 7 '"x\u0000y"' "\"$(head -c 33 /dev/zero | tr '\0' a)\""; do
		printf '{"lpartune":"0","format":1,"recorded":{"uname":%s,"cpuid":%s}}' \
			"$recorded" "$recorded" >"$BATS_TEST_TMPDIR/capture/manifest.json"
		expect_status 0 "$LPARTUNE" inspect --json --root "$BATS_TEST_TMPDIR/capture/root"
		expect_json '.facts.arch | .value, .source == "uname(2)"' $'"ppc64le"\nfalse'
	done
}
