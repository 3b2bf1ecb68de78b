#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Captures of real machines that stand beside the source tree: each that has an expected.json (frozen
# key → accepted values) reads as that says. One that is added is picked up by itself.

load helpers

# wrong EXPECTED: the keys of the document on standard input whose value is not accepted.
wrong() {
	jq -r --slurpfile expected "$1" '. as $document | $expected[0] | to_entries[]
		| $document.facts[.key] as $fact
		| (if $fact.value == null then $fact.reason else $fact.value end) as $got
		| select(any(.value[]; . == $got or (. == null and $fact.value == null)) | not)
		| "\(.key) is \($got | tojson), not one of \(.value | tojson)"'
}

@test "real captures read as they should" {
	[ -d "$SHARED/captures" ] || skip "no captures beside the source tree"
	count=0 failed=
	for expected in "$SHARED"/captures/*/expected.json; do
		dir=${expected%/expected.json}
		[ -f "$dir/root.tar.gz" ] || continue
		tree=$BATS_TEST_TMPDIR/${dir##*/}
		mkdir "$tree"
		tar -C "$tree" -xzf "$dir/root.tar.gz"
		[ -d "$tree/root" ] && tree=$tree/root
		expect_status 0 "$LPARTUNE" inspect --json --root "$tree"
		report=$(wrong "$expected" <<<"$output")
		[ -z "$report" ] || failed+="${dir##*/}: $report"$'\n'
		count=$((count + 1))
	done
	[ "$count" -gt 0 ]
	[ -z "$failed" ] || fail "$failed"
}

@test "a wrong value would be seen" {
	printf '{"hypervisor": ["xen"], "cpu.online": [4], "lpar.mode": ["not-applicable"]}' \
		>"$BATS_TEST_TMPDIR/expected.json"
	printf '{"facts": {"hypervisor": {"value": "kvm"}, "cpu.online": {"value": 4}, "lpar.mode": {"value": null, "reason": "not-applicable"}}}' \
		>"$BATS_TEST_TMPDIR/document.json"
	[ "$(wrong "$BATS_TEST_TMPDIR/expected.json" <"$BATS_TEST_TMPDIR/document.json")" = \
		'hypervisor is "kvm", not one of ["xen"]' ]
}
