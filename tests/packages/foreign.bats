#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The packages for ppc64el and ppc64le run: under qemu-user, and in a guest with a kernel of its own.
load packages

setup_file() {
	export LPARTUNE_LAB=${LPARTUNE_LAB:-$top/build-lab}
	dpkg-deb -x "$first"/lpartune_*_ppc64el.deb "$BATS_FILE_TMPDIR/deb"
	mkdir -p "$BATS_FILE_TMPDIR/rpm"
	(cd "$BATS_FILE_TMPDIR/rpm" && rpm2cpio "$first/lpartune-$version-1.ppc64le.rpm" |
		cpio -idm --quiet)
}

# foreign PROGRAM ARGUMENT...: with the libraries of the lab; its own link to the loader is absolute.
foreign() {
	local libraries=$LPARTUNE_LAB/sysroot/lib/powerpc64le-linux-gnu
	qemu-ppc64le-static "$libraries/ld64.so.2" \
		--library-path "$libraries:$LPARTUNE_LAB/sysroot/usr/lib/powerpc64le-linux-gnu" "$@"
}

@test "under qemu-user both print what the native program prints" {
	local kind example
	for kind in deb rpm; do
		for example in "$top"/examples/*; do
			"$LPARTUNE" inspect --root "$example" >"$BATS_TEST_TMPDIR/native"
			foreign "$BATS_FILE_TMPDIR/$kind/usr/sbin/lpartune" inspect --root "$example" |
				diff "$BATS_TEST_TMPDIR/native" -
		done
	done
}

@test "in a guest the package inspects, applies, verifies and reverts" {
	mkdir -p "$BATS_FILE_TMPDIR/tree/usr"
	cp -R "$BATS_FILE_TMPDIR/deb/usr/sbin" "$BATS_FILE_TMPDIR/tree/usr/"
	cat >"$BATS_TEST_TMPDIR/look" <<-'G'
		lpartune=/usr/sbin/lpartune
		$lpartune inspect --json >/out/inspect.json || exit
		cat /proc/sys/vm/swappiness >/out/before
		echo '{"settings": [{"tunable": "sysctl:vm.swappiness", "to": "10"}]}' >/plan.json
		$lpartune apply --plan /plan.json && cat /proc/sys/vm/swappiness >/out/applied || exit
		$lpartune verify && $lpartune revert --all && cat /proc/sys/vm/swappiness >/out/after
	G
	run -0 "$top/tests/pseries/vm" --identity powervm --tree "$BATS_FILE_TMPDIR/tree" \
		--time-limit 300 --out "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/look"
	run -0 jq -r '.facts | .arch.value, .["lpar.mode"].value' "$BATS_TEST_TMPDIR/out/inspect.json"
	[ "$output" = $'ppc64le\nshared-uncapped' ]
	[ "$(cat "$BATS_TEST_TMPDIR/out/applied")" = 10 ]
	cmp "$BATS_TEST_TMPDIR/out/before" "$BATS_TEST_TMPDIR/out/after"
}
