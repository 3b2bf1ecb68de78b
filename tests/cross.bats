#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The program built for ppc64le says of every synthetic machine, byte for byte, what the native one
# says. LPARTUNE_PPC64LE is that program (make CROSS=powerpc64le-linux-gnu- SYSROOT=…),
# PPC64LE_SYSROOT its libraries; the prepared lab (LPARTUNE_LAB) has them.

load helpers

setup() {
	cd "$BATS_TEST_DIRNAME/.." || return 1
	: "${LPARTUNE_PPC64LE:=build-powerpc64le-linux-gnu/lpartune}"
	: "${PPC64LE_SYSROOT:=${LPARTUNE_LAB:-build-lab}/sysroot}"
	[ -x "$LPARTUNE_PPC64LE" ] || skip "no program for ppc64le"
	libraries=$PPC64LE_SYSROOT/lib/powerpc64le-linux-gnu
	[ -e "$libraries/ld64.so.2" ] || skip "no libraries for ppc64le in '$PPC64LE_SYSROOT'"
	command -v qemu-ppc64le-static >/dev/null || skip "no qemu-ppc64le-static"
}

# The loader is named because the sysroot's own link to it is absolute.
foreign() {
	qemu-ppc64le-static "$libraries/ld64.so.2" \
		--library-path "$libraries:$PPC64LE_SYSROOT/usr/lib/powerpc64le-linux-gnu" \
		"$LPARTUNE_PPC64LE" "$@"
}

# same ARGUMENT...: both print the same, but for the second at which they ran.
same() {
	"$LPARTUNE" "$@" | sed -E 's/"time": "[^"]*"//' >"$BATS_TEST_TMPDIR/native"
	foreign "$@" | sed -E 's/"time": "[^"]*"//' >"$BATS_TEST_TMPDIR/foreign"
	[ -s "$BATS_TEST_TMPDIR/native" ] || fail "no output: $*"
	cmp "$BATS_TEST_TMPDIR/native" "$BATS_TEST_TMPDIR/foreign" || fail "differs: $*"
}

@test "the program for ppc64le gives the same bytes" {
	count=0
	for tree in examples/* tests/fixtures/*/; do
		same inspect --root "$tree"
		same inspect --all --root "$tree"
		same inspect --json --root "$tree"
		same recommend --json --root "$tree"
		count=$((count + 1))
	done
	[ "$count" -ge 15 ]
}
