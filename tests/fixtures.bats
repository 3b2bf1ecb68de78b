#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The synthetic machines are what the generator writes, byte for byte, and nothing else.

load helpers

setup() {
	cd "$BATS_TEST_DIRNAME/.." || return 1
}

# Without comments and blank lines.
machines() {
	grep -Ev '^(#|$)' tests/fixtures/machines
}

@test "every synthetic machine is written anew byte for byte" {
	BUILD=$BUILD tests/fixtures/write "$BATS_TEST_TMPDIR"
	count=0
	while read -r path _; do
		# git keeps no empty directories: a clone has none of those that the generator makes.
		cp -a "$path" "$BATS_TEST_TMPDIR/kept"
		find "$BATS_TEST_TMPDIR/kept" "$BATS_TEST_TMPDIR/$path" -type d -empty -delete
		diff -r --no-dereference "$BATS_TEST_TMPDIR/kept" "$BATS_TEST_TMPDIR/$path"
		rm -rf "$BATS_TEST_TMPDIR/kept"
		count=$((count + 1))
	done < <(machines)
	[ "$count" -ge 2 ]
}

@test "no machine is there that the list does not name" {
	listed=$(machines | cut -d' ' -f1 | sort)
	there=$(find examples tests/fixtures -mindepth 1 -maxdepth 1 -type d | sort)
	[ "$there" = "$listed" ] || fail "listed: $listed" $'\n'"there: $there"
	[ -n "$listed" ]
}

@test "a word that the generator does not know is refused" {
	run "$BUILD/generate" "$BATS_TEST_TMPDIR/tree" nonsense=1
	[ "$status" -eq 2 ]
	run "$BUILD/generate" "$BATS_TEST_TMPDIR/tree" cores=-1
	[ "$status" -eq 2 ]
}
