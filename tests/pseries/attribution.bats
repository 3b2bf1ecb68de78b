#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The benchmark's reasons for slow wakes against a hypervisor that is known: it holds the virtual
# processors of four workers off in bursts, in the second of two runs. Each wake is judged: the guest
# runs lpartune with a witness (guest/witness.c), and the hypervisor logs its bursts in the same clock.
load lab

setup_file() {
	local witness=$top/build-powerpc64le-linux-gnu/witness
	echo 'hold cpus=1,3,5,7 length=20ms every=107ms times=320' >"$BATS_FILE_TMPDIR/steps"
	boot guest --cpus 8 --threads 1 --steps "$BATS_FILE_TMPDIR/steps" --put "$witness" <<'G'
run() {
	WITNESS=/out/$1.wakes witness bench wake --cells core/5ms --cpus 0-7 --pairs 4 --block 5s \
		--rounds "$2" --json >/out/$1.json 2>/out/$1.err
	echo $? >/out/$1.rc
}
run quiet 1
steps start
run held 6
steps wait
G
	jq -r 'select(.event == "burst") | [.cpu, .start_tb, .end_tb] | @tsv' \
		"$BATS_FILE_TMPDIR/guest/hypervisor.jsonl" >"$BATS_FILE_TMPDIR/bursts"
	judge >"$BATS_FILE_TMPDIR/judged"
	cat "$BATS_FILE_TMPDIR/judged" >&3
}

# Prints how many wakes overlapped a burst of their CPU, how many of them and of the others were
# called the hypervisor's, and how many others there were. The clocks agree to some 0.2 ms: a wake
# that is so close to a burst's edge is not judged.
judge() {
	awk -v edge=150000 '
		NR == FNR { i = ++bursts[$1]; start[$1, i] = $2; end[$1, i] = $3; next }
		{
			over = near = 0
			for (i = 1; i <= bursts[$1]; i++) {
				if ($2 < end[$1, i] - edge && $3 > start[$1, i] + edge)
					over = 1
				else if ($2 < end[$1, i] + edge && $3 > start[$1, i] - edge)
					near = 1
			}
			if (over) { overlapping++; found += $4 == "hypervisor" }
			else if (!near) { others++; blamed += $4 == "hypervisor" }
		}
		END { print overlapping + 0, found + 0, others + 0, blamed + 0 }' \
		"$BATS_FILE_TMPDIR/bursts" "$BATS_FILE_TMPDIR/guest/held.wakes"
}

# in_blocks RUN FILTER: summed over the blocks of the run.
in_blocks() {
	jq "[.results[].blocks[].$2] | add" "$(brought "guest/$1.json")"
}

@test "both runs end well and measure the same pairs" {
	local run
	for run in quiet held; do
		[ "$(cat "$(brought guest/$run.rc)" "$(brought guest/$run.err)")" = 0 ] ||
			fail "$(cat "$BATS_FILE_TMPDIR/guest/$run.err")"
		expect_value guest/$run.json '.results | map(.pairs)' '[[[0,1],[2,3],[4,5],[6,7]]]'
		[ "$(in_blocks $run count)" -gt 200 ]
	done
}

@test "nobody blames the hypervisor while it does nothing" {
	[ "$(in_blocks quiet classes.hypervisor)" -eq 0 ]
	expect_value guest/quiet.json '.results[0].steal_pct' 0
}

@test "of 500 wakes and more that overlap a burst, 90 % are the hypervisor's" {
	local overlapping found
	read -r overlapping found _ <"$(brought judged)"
	[ "$overlapping" -ge 500 ] || fail "only $overlapping wakes overlap a burst"
	[ $((100 * found)) -ge $((90 * overlapping)) ] || fail "$found of $overlapping were found"
}

@test "of the other wakes, at most 5 % are" {
	local others blamed
	read -r _ _ others blamed <"$(brought judged)"
	[ "$others" -ge 500 ] || fail "only $others other wakes"
	[ $((100 * blamed)) -le $((5 * others)) ] || fail "$blamed of $others were blamed"
}

@test "the document has what the witness saw" {
	local seen
	seen=$(grep -c ' hypervisor$' "$(brought guest/held.wakes)")
	[ "$(in_blocks held classes.hypervisor)" -le "$seen" ]
	[ "$(in_blocks held classes.hypervisor)" -ge $((seen * 8 / 10)) ] # not those of the warm-up
	expect_value guest/held.json '.results[0].slow_classes.hypervisor > 0' true
	expect_value guest/held.json '.results[0].max > 15000000' true
	expect_value guest/held.json '.results[0].steal_pct > 0' true
}
