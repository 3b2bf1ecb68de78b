#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# `lparstat 1 5` and `lpartune sample 1 5` at the same time, in a guest that takes itself for a PowerVM
# partition, of which the hypervisor steals 25 %: 20 by contention, 5 by its cap.
load lab

setup_file() {
	[ -d "$LPARTUNE_LAB/incumbents" ] || fail "not prepared; run 'prepare --full'"
	cat >"$BATS_FILE_TMPDIR/steps" <<'S'
write at=0ms cpus=0-3 dispatch=8ms entitlement=2ms every=40ms times=300
S
	boot guest --tree "$LPARTUNE_LAB/incumbents" --steps "$BATS_FILE_TMPDIR/steps" <<'G'
steps start
sleep 1
lpartune sample 1 5 >/out/sample 2>&1 &
lparstat 1 5 >/out/lparstat 2>&1
wait $!
steps wait
G
}

@test "lparstat shows no steal" {
	grep -q '%user  *%sys  *%wait  *%idle' "$(brought guest/lparstat)"
	run ! grep -qi steal "$(brought guest/lparstat)"
	echo "# lparstat 1 5" >&3
	sed 's/^/# /' "$(brought guest/lparstat)" >&3
}

@test "sample shows all of it, by cause" {
	echo "# lpartune sample 1 5" >&3
	sed 's/^/# /' "$(brought guest/sample)" >&3
	[ "$(grep -Ec '^ *[0-9]' "$(brought guest/sample)")" -eq 5 ]
	awk '/^ *[0-9]/ { steal += $1; cont += $2; held += $3; rows++ }
		END { exit !(rows == 5 && steal / 5 > 24 && steal / 5 < 26 && cont / 5 > 19 &&
			cont / 5 < 21 && held / 5 > 4 && held / 5 < 6) }' "$(brought guest/sample)"
}
