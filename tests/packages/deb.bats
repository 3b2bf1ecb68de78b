#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The Debian package in a clean Debian: its tests are one story, in this order.
load packages

setup_file() {
	clean_system
	export root
	mkdir "$root/packages"
	cp "$first/lpartune_$version"-*_amd64.deb "$first/lpartune-examples_$version"-*_all.deb \
		"$root/packages/"
	older
	: >"$root/systemctl.log"
}

# An older build: the same files under a lower version.
older() {
	dpkg-deb -R "$root/packages/lpartune_$version"-*_amd64.deb "$BATS_FILE_TMPDIR/older"
	sed -i 's/^Version: .*/Version: 0.0.9-1/' "$BATS_FILE_TMPDIR/older/DEBIAN/control"
	dpkg-deb -b "$BATS_FILE_TMPDIR/older" "$root/packages/older.deb" >/dev/null
}

install_packages() { # file...
	inside apt-get -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends install "$@" >"$BATS_TEST_TMPDIR/log" 2>&1 ||
		fail "$(cat "$BATS_TEST_TMPDIR/log")"
}

@test "an older build installs in a clean system, with what it needs and no more" {
	inside dpkg-query -W -f '${Package}\n' | sort >"$BATS_TEST_TMPDIR/before"
	install_packages /packages/older.deb
	inside dpkg-query -W -f '${Package}\n' | sort | comm -13 "$BATS_TEST_TMPDIR/before" - |
		diff - <(printf '%s\n' libjansson4 libpfm4 lpartune)
	run -0 inside lpartune --version
	expect_left_alone
}

@test "nothing is enabled, and nothing was written but the package's files" {
	[ -z "$(find "$root/etc/systemd" -name '*lpartune*')" ]
	[ ! -e "$root/var/lib/lpartune" ]
	[ ! -e "$root/etc/lpartune" ]
	[ -z "$(inside dpkg-query -W -f '${Conffiles}' lpartune)" ]
}

@test "it tells of this system to a user and to root" {
	run -0 --separate-stderr as_user lpartune inspect --json
	jq -e '.facts["kernel.release"].value == "6.12.9"' <<<"$output"
	run -0 inside lpartune inspect
	run -0 as_user lpartune recommend
	run -1 as_user lpartune apply nontask-capacity
}

@test "values are applied, and boot is to apply them" {
	apply_two
	mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
	ln -s /lib/systemd/system/lpartune.service "$root/etc/systemd/system/multi-user.target.wants/"
}

@test "an upgrade changes no value, no record and no unit" {
	values >"$BATS_FILE_TMPDIR/values"
	install_packages /packages/lpartune_"$version"-1_amd64.deb
	[ "$(inside dpkg-query -W -f '${Version}' lpartune)" = "$version-1" ]
	diff "$BATS_FILE_TMPDIR/values" <(values)
	[ -L "$root/etc/systemd/system/multi-user.target.wants/lpartune.service" ]
	grep -q 'daemon-reload$' "$root/systemctl.log"
	expect_left_alone
	run -0 inside lpartune verify
}

@test "the package's own tests pass" {
	install_packages jq /packages/lpartune-examples_"$version"-1_all.deb
	cp "$top/packaging/debian/tests/examples" "$root/packages/"
	run -0 inside sh /packages/examples
	diff "$BATS_FILE_TMPDIR/values" <(values)
}

@test "the local fact of Ansible is one JSON document" {
	run -0 --separate-stderr inside sh /usr/share/doc/lpartune/examples/lpartune.fact
	jq -e '.inspect.command == "inspect" and .recommend.command == "recommend"' <<<"$output"
}

@test "removal takes back what was applied, and keeps the history" {
	run -0 inside apt-get -qq -y -o Dpkg::Use-Pty=0 remove lpartune
	diff "$BATS_FILE_TMPDIR/machine" <(machine)
	[ -e "$root/var/lib/lpartune/history" ]
	grep -q '^stop .*lpartune.service' "$root/systemctl.log"
}

@test "a purge leaves nothing behind" {
	mkdir -p "$root/etc/lpartune"
	cp "$top/packaging/examples/lpartune.conf" "$root/etc/lpartune/"
	inside apt-get -qq -y purge lpartune lpartune-examples >"$BATS_TEST_TMPDIR/log" 2>&1 ||
		fail "$(cat "$BATS_TEST_TMPDIR/log")"
	run find "$root" -path "$root/packages" -prune -o -path "$root/var/lib/apt" -prune -o \
		-path "$root/var/log" -prune -o -name '*lpartune*' -print
	[ -z "$output" ] || fail "$output"
}

@test "a purge keeps the originals of what could not be taken back, and says so" {
	install_packages /packages/lpartune_"$version"-1_amd64.deb
	apply_two
	cp "$root/var/lib/lpartune/originals.json" "$BATS_TEST_TMPDIR/originals"
	echo damaged >"$root/var/lib/lpartune/state.json"
	run -0 inside apt-get -qq -y -o Dpkg::Use-Pty=0 purge lpartune
	[[ $output = *'NOT taken back'* && $output = *'its originals stay in /var/lib/lpartune'* ]]
	cmp "$BATS_TEST_TMPDIR/originals" "$root/var/lib/lpartune/originals.json"
}
