#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# make install and uninstall: readable for all, whole in any place, and nothing else is touched.

load helpers

# The source in a folder with a space, as somebody with a tight umask has it, and the program as it
# is: what is built is not built again.
setup_file() {
	export top=${BATS_TEST_DIRNAME%/tests} source="$BATS_FILE_TMPDIR/the source"
	mkdir "$source"
	(cd "$top" && cp -pR Makefile README.md completions docs examples make man packaging schema src \
		"$source/")
	chmod -R go= "$source"
	BUILD=${BUILD:-$top/build}
	export BUILD
}

made() { # target [setting...]
	(umask 077 && make -s -C "$source" -o all BUILD="$BUILD" "$@") >"$BATS_TEST_TMPDIR/log" 2>&1 ||
		fail "$(cat "$BATS_TEST_TMPDIR/log")"
}

@test "it builds in a folder with a space in its name" {
	(cd "$source" && make -s BUILD=here here/base/idset.o)
	run ! grep -aF "$source" "$source/here/base/idset.o"
}

@test "what is installed belongs to everybody to read, whatever the umask" {
	made install DESTDIR="$BATS_TEST_TMPDIR/root"
	run find "$BATS_TEST_TMPDIR/root" ! -type l ! -perm 755 ! \( -type f -perm 644 \)
	[ -z "$output" ] || fail "$(head -n 5 <<<"$output")"
	run find "$BATS_TEST_TMPDIR/root" -type f -perm 755 -printf '%f\n'
	[ "$(sort <<<"$output")" = $'lpartune\nlpartune.fact' ] || fail "$output"
	[ "$(find "$BATS_TEST_TMPDIR/root" -type f | wc -l)" -gt 3000 ]
}

@test "a place with a space in its name takes all of it, and gives it back" {
	local dest="$BATS_TEST_TMPDIR/a root" lines
	made install DESTDIR="$dest" PREFIX=/opt/tools
	[ -x "$dest/opt/tools/sbin/lpartune" ]
	[ ! -e "$BATS_TEST_TMPDIR/a" ]
	lines=$(find "$dest" -type f | wc -l)
	[ "$lines" -gt 3000 ]
	mkdir -p "$BATS_TEST_TMPDIR/a"
	made uninstall DESTDIR="$dest" PREFIX=/opt/tools
	[ -d "$BATS_TEST_TMPDIR/a" ]
	run find "$dest" ! -type d
	[ -z "$output" ] || fail "$output"
}

@test "uninstall takes away what it brought, and no more, also from folders of others" {
	local dest="$BATS_TEST_TMPDIR/root" share="$BATS_TEST_TMPDIR/root/usr/share"
	mkdir -p "$share/doc/other" "$share/schema"
	echo theirs >"$share/doc/other/README"
	echo theirs >"$share/schema/other.json"
	echo theirs >"$share/doc/other.md"
	(cd "$dest" && find . | sort) >"$BATS_TEST_TMPDIR/before"
	made install DESTDIR="$dest" DATADIR=/usr/share DOCDIR=/usr/share/doc
	[ -e "$share/schema/inspect.json" ]
	made uninstall DESTDIR="$dest" DATADIR=/usr/share DOCDIR=/usr/share/doc
	diff "$BATS_TEST_TMPDIR/before" <(cd "$dest" && find . \( -type f -o -path './usr/share/doc/*' -o \
		-path './usr/share/schema' -o -path ./usr -o -path ./usr/share -o -path ./usr/share/doc -o \
		-path . \) | sort)
}

@test "no folder of its own is left by uninstall" {
	made install DESTDIR="$BATS_TEST_TMPDIR/root"
	made uninstall DESTDIR="$BATS_TEST_TMPDIR/root"
	run find "$BATS_TEST_TMPDIR/root" -name '*lpartune*'
	[ -z "$output" ] || fail "$output"
}

@test "units and pages name the places of this installation" {
	local root="$BATS_TEST_TMPDIR/root"
	made install DESTDIR="$root" PREFIX=/opt/tools DOCDIR=/opt/docs/lpartune
	run grep -rnE '/usr/(sbin/lpartune|share/lpartune|share/doc/lpartune)' "$root/opt/tools/share/man" \
		"$root/opt/tools/lib" "$root/opt/docs/lpartune/examples"
	[ -z "$output" ] || fail "$output"
	grep -q '^\.It Pa /opt/tools/share/lpartune/schema' "$root/opt/tools/share/man/man8/lpartune.8"
	grep -q '^\.It Pa /opt/docs/lpartune/examples/' "$root/opt/tools/share/man/man8/lpartune.8"
	mandoc -T lint -W warning "$root"/opt/tools/share/man/man*/*
}
