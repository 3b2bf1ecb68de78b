#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The rpm in a root of its own, by Debian's rpm: its tests are one story, in this order. The root is a
# Debian, whose packages no rpm knows: what the rpm requires is checked by name, not by rpm.
load packages

setup_file() {
	clean_system
	export root
	chroot "$root" apt-get -qq -y -o Dpkg::Use-Pty=0 install libjansson4 libpfm4 \
		>"$BATS_FILE_TMPDIR/log" 2>&1 </dev/null
	mkdir -p "$root/var/lib/rpm"
	: >"$root/systemctl.log"
}

# rpm in that root. Its data base is where this machine's rpm has it.
rpm_in_root() {
	rpm --root "$root" --nodeps --force-debian "$@" >"$BATS_TEST_TMPDIR/log" 2>&1 ||
		fail "$(cat "$BATS_TEST_TMPDIR/log")"
	[ ! -s "$BATS_TEST_TMPDIR/log" ] || fail "$(cat "$BATS_TEST_TMPDIR/log")"
}

@test "an older build installs, and asks for the presets of the system" {
	rpm_in_root -i "$PACKAGES_WORK/older/lpartune-0.0.9-1.x86_64.rpm"
	run -0 inside lpartune --version
	[ "$output" = 'lpartune 0.0.9' ]
	grep -q '^--no-reload preset lpartune.service' "$root/systemctl.log"
	grep -qx 'disable lpartune.service' "$root/usr/lib/systemd/system-preset/85-lpartune.preset"
	sed -i '/^--no-reload preset /d' "$root/systemctl.log"
	expect_left_alone
	[ ! -e "$root/var/lib/lpartune" ]
}

@test "it tells of this system to a user and to root" {
	run -0 --separate-stderr as_user lpartune inspect --json
	jq -e '.facts["kernel.release"].value == "6.12.9"' <<<"$output"
	run -0 inside lpartune inspect
}

@test "values are applied" {
	apply_two
}

@test "an upgrade changes no value, no record and no unit" {
	values >"$BATS_FILE_TMPDIR/values"
	rpm_in_root -U "$first/lpartune-$version-1.x86_64.rpm"
	run -0 inside lpartune --version
	[ "$output" = "lpartune $version" ]
	diff "$BATS_FILE_TMPDIR/values" <(values)
	expect_left_alone
	run -0 inside lpartune verify
}

@test "the examples install beside it, and it reads them" {
	rpm_in_root -i "$first/lpartune-examples-$version-1.noarch.rpm"
	run -0 inside lpartune inspect --root /usr/share/lpartune/examples/synthetic-power10-shared
	[[ $output = *shared-uncapped* ]]
}

@test "no file is other than it was packaged" {
	run rpm --root "$root" --verify --nodeps lpartune lpartune-examples
	[ -z "$output" ] || fail "$output"
}

@test "removal takes back what was applied, and leaves no file of the package" {
	rpm --root "$root" --nodeps --force-debian -e lpartune lpartune-examples
	diff "$BATS_FILE_TMPDIR/machine" <(machine)
	[ -e "$root/var/lib/lpartune/history" ]
	grep -q '^--no-reload disable --now lpartune.service' "$root/systemctl.log"
	run find "$root/usr" "$root/etc" -name '*lpartune*'
	[ -z "$output" ] || fail "$output"
}
