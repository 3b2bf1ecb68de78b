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
	awk '{ odd = $4 - ($3 - ($2 == "-" ? $3 : $2))
		if ($3 - $1 < 10240000 || $2 != "-" && $2 < $1 || odd < -2 || odd > 2) print }' \
		"$BATS_FILE_TMPDIR/bursts" >"$BATS_FILE_TMPDIR/odd"
	[ ! -s "$BATS_FILE_TMPDIR/odd" ] || fail "$(cat "$BATS_FILE_TMPDIR/odd")"
	# On a busy host the guest's thread may itself be late, so that nothing waits in some bursts.
	[ "$(grep -cv -- '-' "$BATS_FILE_TMPDIR/bursts")" -ge 10 ]
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

# A burst that ended within a millisecond of a reading may be in it or not: the clocks differ a bit.
@test "at each reading the lppaca held the bursts that had ended, and no more" {
	with_bursts '{ seen += $4; least = most = 0
		for (i = 1; i <= n; i++) {
			if (end[i] + ms < $3) least += held[i]
			if (end[i] - ms < $3) most += held[i]
		}
		if (seen < least || seen > most) print least, seen, most, "at", $0 }
		END { if (!seen) print "nothing was seen" }'
}
