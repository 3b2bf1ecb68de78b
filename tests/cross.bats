#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The program built for ppc64le says of every synthetic machine, byte for byte, what the native one
# says. LPARTUNE_PPC64LE is that program (make CROSS=powerpc64le-linux-gnu- SYSROOT=…),
# PPC64LE_SYSROOT its libraries; LPARTUNE_LAB has both once the lab is prepared.

load helpers

setup() {
	cd "$BATS_TEST_DIRNAME/.." || return 1
	: "${LPARTUNE_PPC64LE:=build-powerpc64le-linux-gnu/lpartune}"
	: "${PPC64LE_SYSROOT:=${LPARTUNE_LAB:-build-lab}/sysroot}"
	[ -x "$LPARTUNE_PPC64LE" ] || skip "no program for ppc64le"
	command -v qemu-ppc64le-static >/dev/null || skip "no qemu-ppc64le-static"
}

# The two runs are not at the same second.
document() {
	jq 'del(.time)'
}

@test "the program for ppc64le gives the same bytes" {
	count=0
	for tree in examples/* tests/fixtures/*/; do
		cmp <("$LPARTUNE" inspect --all --root "$tree") \
			<(qemu-ppc64le-static -L "$PPC64LE_SYSROOT" "$LPARTUNE_PPC64LE" \
				inspect --all --root "$tree") || fail "$tree: text differs"
		cmp <("$LPARTUNE" inspect --json --root "$tree" | document) \
			<(qemu-ppc64le-static -L "$PPC64LE_SYSROOT" "$LPARTUNE_PPC64LE" \
				inspect --json --root "$tree" | document) || fail "$tree: JSON differs"
		count=$((count + 1))
	done
	[ "$count" -ge 15 ]
}
