#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What is in the packages: lint, hardening, symbols, and the same bytes from any place.
load packages

setup_file() {
	local package
	for package in "$first"/lpartune_*.deb; do
		dpkg-deb -x "$package" "$BATS_FILE_TMPDIR/${package##*_}"
	done
	for package in "$first"/lpartune-"$version"-*.{x86_64,ppc64le}.rpm; do
		mkdir -p "$BATS_FILE_TMPDIR/${package##*.1.}"
		(cd "$BATS_FILE_TMPDIR/${package##*.1.}" && rpm2cpio "$package" | cpio -idm --quiet)
	done
}

programs() {
	find "$BATS_FILE_TMPDIR" -path '*/sbin/lpartune' | grep .
}

@test "both kinds for both architectures are there, with their sources and the examples" {
	local name
	for name in lpartune_"$version"-1_{amd64,ppc64el}.deb lpartune-examples_"$version"-1_all.deb \
		lpartune_"$version"-1.dsc lpartune-"$version"-1.{x86_64,ppc64le,src}.rpm \
		lpartune-examples-"$version"-1.noarch.rpm; do
		[ -s "$first/$name" ] || fail "no $name"
	done
	[ "$(programs | wc -l)" -eq 4 ]
}

@test "one version is in the Makefile, the changelog and the spec" {
	[ "$(dpkg-parsechangelog -l "$top/packaging/debian/changelog" -S Version)" = "$version-1" ]
	grep -qx "Version: *$version" "$top/packaging/rpm/lpartune.spec"
	grep -q "^\* .* - $version-1$" "$top/packaging/rpm/lpartune.spec"
}

@test "every unit is named in the rules and in the spec" {
	local unit
	for unit in "$top"/packaging/systemd/*.{service,timer}; do
		grep -qw "${unit##*/}" "$top/packaging/debian/rules" || fail "no ${unit##*/} in rules"
		grep -q "^%global units .*${unit##*/}" "$top/packaging/rpm/lpartune.spec" ||
			fail "no ${unit##*/} in the spec"
	done
}

@test "built in another place, at another time, by another user they are the same bytes" {
	local package count=0
	for package in "$PACKAGES_WORK"/again/*.{deb,rpm,dsc,orig.tar.gz,debian.tar.xz}; do
		cmp "$package" "$first/${package##*/}"
		count=$((count + 1))
	done
	[ "$count" -ge 8 ]
}

@test "the source is the same from a clone of another user, and from a tarball in another git" {
	local work=$BATS_TEST_TMPDIR one
	git clone -q "$top" "$work/clone"
	chown -R nobody "$work/clone"
	"$work/clone/packaging/build" source '' "$work/one"
	one=$(echo "$work"/one/*.tar.gz)
	git init -q "$work/other"
	tar -C "$work/other" -xzf "$one"
	"$work/other/lpartune-$version/packaging/build" source '' "$work/two"
	cmp "$one" "$work/two/${one##*/}"
	diff <(tar -tzf "$one" | sed 's,^[^/]*/,,' | sort) \
		<(git -C "$top" ls-tree -r --name-only HEAD | sort)
}

@test "no place of the build is in a package" {
	local program
	while read -r program; do
		run ! grep -aE '/build/|/srv/another' "$program"
	done < <(programs)
}

@test "lintian finds no error and no warning" {
	run lintian --fail-on error,warning "$first"/lpartune_*.changes
	[ "$status" -eq 0 ] || fail "$output"
}

@test "rpmlint finds no error" {
	run rpmlint -c "$top/packaging/rpm/rpmlint.toml" "$first"/*.rpm
	grep -q ' 0 errors' <<<"$output" || fail "$(grep -v ': W: ' <<<"$output")"
}

@test "blhc finds every hardening flag in the logs of the build" {
	run blhc --all "$first/deb-amd64.log"
	[ "$status" -eq 0 ] || fail "$output"
	run blhc --all --arch ppc64el "$first/deb-ppc64el.log"
	[ "$status" -eq 0 ] || fail "$output"
}

@test "every program is position independent, bound at start, and stripped" {
	local program
	while read -r program; do
		readelf -hW "$program" | grep -q 'Type:.*DYN' || fail "$program is not PIE"
		readelf -dW "$program" | grep -q 'FLAGS_1.*NOW' || fail "$program binds lazily"
		readelf -lW "$program" | grep -q GNU_RELRO || fail "$program has no relro"
		run ! grep -q '\.symtab' <(readelf -SW "$program")
	done < <(programs)
}

@test "no program needs a symbol newer than GLIBC_2.34" {
	local program newest
	while read -r program; do
		newest=$(readelf -VW "$program" | grep -o 'GLIBC_2[.0-9]*' | sort -uV | tail -n 1)
		[ -n "$newest" ]
		[ "$(printf '%s\n' GLIBC_2.34 "$newest" | sort -V | tail -n 1)" = GLIBC_2.34 ] ||
			fail "$program needs $newest"
	done < <(programs)
}

# What `make install` brings, without the places that differ.
listed() { # folder
	(cd "$1" && find . -type f ! -path './usr/share/doc/*' ! -path './usr/share/lintian/*' \
		! -path './usr/share/licenses/*' | sed 's,^\./\(lib/\),./usr/\1,; s,\.gz$,,' | sort)
}

@test "all four packages have the same files: program, units, rule, preset, pages, completions, schemas" {
	local dir expected
	make -s -C "$top" install DESTDIR="$BATS_TEST_TMPDIR/all" >/dev/null 2>&1
	rm -r "$BATS_TEST_TMPDIR/all/usr/share/lpartune/examples"
	expected=$(listed "$BATS_TEST_TMPDIR/all")
	[ "$(wc -l <<<"$expected")" -gt 30 ]
	for dir in "$BATS_FILE_TMPDIR"/*.deb "$BATS_FILE_TMPDIR"/*.rpm; do
		diff <(echo "$expected") <(listed "$dir")
	done
}

@test "licence, changelog, tour and the examples for administrators are in the documentation" {
	local doc
	doc=$BATS_FILE_TMPDIR/amd64.deb/usr/share/doc/lpartune
	for name in copyright changelog.Debian.gz README.md.gz tour.md.gz examples/lpartune.fact \
		examples/lpartune.conf examples/lpartune-metrics.service examples/lpartune-metrics.timer; do
		[ -s "$doc/$name" ] || fail "no $name"
	done
	[ -x "$doc/examples/lpartune.fact" ]
	rpm -qp --changelog "$first/lpartune-$version-1.x86_64.rpm" | grep -q "$version-1"
	rpm -qp --licensefiles "$first/lpartune-$version-1.x86_64.rpm" | grep -q COPYING
}

@test "the examples are those of the source" {
	local dir
	dpkg-deb -x "$first"/lpartune-examples_*_all.deb "$BATS_TEST_TMPDIR/deb"
	mkdir "$BATS_TEST_TMPDIR/rpm"
	(cd "$BATS_TEST_TMPDIR/rpm" && rpm2cpio "$first"/lpartune-examples-*.rpm | cpio -idm --quiet)
	for dir in "$BATS_TEST_TMPDIR"/{deb,rpm}; do
		diff -r --no-dereference "$top/examples" "$dir/usr/share/lpartune/examples"
	done
}

@test "nothing belongs to two packages" {
	local one two
	one=$(dpkg-deb -c "$first"/lpartune_*_amd64.deb | awk '!/^d/ { print $6 }' | sort)
	two=$(dpkg-deb -c "$first"/lpartune-examples_*_all.deb | awk '!/^d/ { print $6 }' | sort)
	[ -z "$(comm -12 <(echo "$one") <(echo "$two"))" ]
}
