#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2016 # programs for awk
# Late wakes of a known cause: the hypervisor holds a virtual processor off its host CPU while a
# thread in the guest wakes every 10 ms. The guest's wakes and the hypervisor's log of its bursts are
# two accounts of the same time, in the same clock.
load lab

setup_file() {
	echo 'hold at=500ms cpus=1 length=20ms every=103ms times=20' >"$BATS_FILE_TMPDIR/steps"
	boot guest --steps "$BATS_FILE_TMPDIR/steps" --put "$LPARTUNE_LAB/ticker" <<'G'
steps start
ticker 1 350 >/out/wakes
steps wait
G
	# start, ready (or "-"), end and waited ticks of each burst
	jq -r 'select(.event == "burst") | [.start_tb, .ready_tb // "-", .end_tb, .dispatch_ticks] | @tsv' \
		"$BATS_FILE_TMPDIR/guest/hypervisor.jsonl" >"$BATS_FILE_TMPDIR/bursts"
}

# with_bursts AWK-PROGRAM: run on the wakes (meant, woke, read, waited), with the bursts as start[] ready[]
# end[] held[] and their number n; ms is a millisecond's ticks. What it prints is wrong.
with_bursts() {
	local wrong
	wrong=$(awk -v ms=512000 'NR == FNR { n++; start[n] = $1; ready[n] = $2; end[n] = $3
		held[n] = $4; next } '"$1" "$(brought bursts)" "$(brought guest/wakes)")
	[ -z "$wrong" ] || fail "$wrong"
}

@test "twenty bursts of 20 ms, and the waits that were accounted lie within them" {
	[ "$(wc -l <"$(brought bursts)")" -eq 20 ]
	awk '{ odd = $4 - ($3 - $2)
		if ($3 - $1 < 10240000 || $2 == "-" || $2 < $1 || odd < -2 || odd > 2) print }' \
		"$BATS_FILE_TMPDIR/bursts" >"$BATS_FILE_TMPDIR/odd"
	[ ! -s "$BATS_FILE_TMPDIR/odd" ] || fail "$(cat "$BATS_FILE_TMPDIR/odd")"
}

@test "the guest saw all of the waiting in its lppaca, to the tick" {
	local seen held
	seen=$(awk '{ sum += $4 } END { printf "%.0f", sum }' "$(brought guest/wakes)")
	held=$(awk '{ sum += $4 } END { printf "%.0f", sum }' "$(brought bursts)")
	[ "$seen" -eq "$held" ] || fail "$held accounted, $seen seen"
}

@test "no wake that was meant within a burst came before its end" {
	with_bursts '{ for (i = 1; i <= n; i++)
		if ($1 > start[i] + ms && $1 < end[i] - ms && $2 < end[i] - ms) print i, $0 }'
}

@test "the first wake after each burst saw just that wait, and was late by as much if it was meant before" {
	with_bursts '{ for (i = 1; i <= n; i++) {
			if (first[i] || $3 < end[i] - ms) continue
			first[i] = 1
			if ($4 != held[i]) print "burst", i, held[i], "wake", $0
			if ($1 < ready[i] && $2 > start[i] && $2 - $1 + ms < $4) print "burst", i, "not late:", $0
		} }
		END { for (i = 1; i <= n; i++) if (!first[i]) print "burst", i, "woke nothing" }'
}

@test "no waiting is seen where there was no burst" {
	with_bursts '$4 { for (i = 1; i <= n; i++) if ($3 >= end[i] - ms && $3 < end[i] + 30 * ms) next
		print }'
}
