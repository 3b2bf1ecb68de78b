#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The benchmark's reasons for slow wakes against a hypervisor that is known: it holds the worker's
# virtual processor off in bursts, in the second of two runs.
load lab

setup_file() {
	echo 'hold cpus=4 length=20ms every=107ms times=80' >"$BATS_FILE_TMPDIR/steps"
	boot guest --cpus 8 --steps "$BATS_FILE_TMPDIR/steps" <<'G'
run() {
	lpartune bench wake --cells core/2ms --cpus 0,4 --duration 5s --json >/out/$1.json 2>/out/$1.err
	echo $? >/out/$1.rc
}
run quiet
steps start
run held
steps wait
G
}

# in_blocks RUN FILTER: summed over the blocks of the run.
in_blocks() {
	jq "[.results[].blocks[].$2] | add" "$(brought "guest/$1.json")"
}

@test "both runs end well and measure the same pair" {
	local run
	for run in quiet held; do
		[ "$(cat "$(brought guest/$run.rc)" "$(brought guest/$run.err)")" = 0 ] ||
			fail "$(cat "$BATS_FILE_TMPDIR/guest/$run.err")"
		expect_value guest/$run.json '.results | map(.pairs)' '[[[0,4]]]'
		[ "$(in_blocks $run count)" -gt 200 ]
	done
}

@test "nobody blames the hypervisor while it does nothing" {
	[ "$(in_blocks quiet classes.hypervisor)" -eq 0 ]
	expect_value guest/quiet.json '.results[0].steal_pct' 0
}

# One worker sleeps at most once in a burst, so there are not more such wakes than bursts; on a busy
# host there are fewer, for it delays wakes by more than the bursts do.
@test "wakes that were held are the hypervisor's" {
	local blamed bursts
	blamed=$(in_blocks held classes.hypervisor)
	bursts=$(jq -s 'map(select(.event == "burst" and .dispatch_ticks > 0)) | length' \
		"$(brought guest/hypervisor.jsonl)")
	[ "$blamed" -ge 5 ] || fail "only $blamed wakes of $bursts bursts"
	[ "$blamed" -le "$bursts" ] || fail "$blamed wakes, but $bursts bursts"
	expect_value guest/held.json '.results[0].slow_classes.hypervisor > 0' true
	expect_value guest/held.json '.results[0].max > 15000000' true
	expect_value guest/held.json '.results[0].steal_pct > 0' true
}
