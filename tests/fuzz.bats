#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Every reader takes its seeds, whole and damaged, without a fuzzer at hand.

load helpers

setup_file() {
	export SEEDS="$BATS_FILE_TMPDIR/seeds"
	BUILD=$BUILD "$BATS_TEST_DIRNAME/fuzz/seeds" "$SEEDS"
}

@test "every target has seeds, and every seed a target" {
	seeds=$(find "$SEEDS" -mindepth 1 -maxdepth 1 ! -name tree -printf '%f\n' | sort)
	targets=$(grep -ohE '\{ "[a-z]+",' "$BATS_TEST_DIRNAME"/fuzz/*.c | tr -cd 'a-z\n' | sort)
	[ -n "$targets" ]
	[ "$seeds" = "$targets" ] || fail "seeds: $seeds" $'\n'"targets: $targets"
}

@test "all seeds are read, whole and damaged" {
	count=0
	for dir in "$SEEDS"/*; do
		target=${dir##*/}
		[ "$target" = tree ] && continue
		FUZZ_TREE=$SEEDS/tree "$BUILD/replay" "$target" "$dir"/* ||
			fail "$target: status $?"
		count=$((count + 1))
	done
	[ "$count" -ge 27 ]
}
