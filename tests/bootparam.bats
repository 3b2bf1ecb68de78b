#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Boot parameters on the trees of each distribution: added, verified, reverted to the byte; foreign
# entries untouched; what cannot be edited is refused.
# shellcheck disable=SC2016,SC1091 # loader files have variables of their own
load helpers
load tree
load loaders

setup() { loaders_setup; }

@test "RHEL 9: entries, default and kernel/cmdline get the token; rescue and ostree do not" {
	rhel9 && begin
	apply_plan 0 cmdline:no-steal-acc=present cmdline:smt-enabled=4
	expect_json '[.settings[].status] | unique' '["pending-reboot"]'
	[ "$(options "$id-5.14.0-427.el9.ppc64le")" = \
		'root=/dev/sda2 ro console=tty0 console=hvc0 dyndbg="file x.c +p" $tuned_params no-steal-acc smt-enabled=4' ]
	[ "$(options "$id-0-rescue")" = 'root=/dev/sda2 ro' ]
	[ "$(options ostree-1)" = 'root=/dev/sda2 ostree=/ostree/boot.1/x' ]
	grep -q 'console=hvc0 no-steal-acc smt-enabled=4"$' "$tree/etc/default/grub"
	grep -q '512M no-steal-acc smt-enabled=4$' "$tree/etc/kernel/cmdline"
	expect_status 0 "$LPARTUNE" verify --root "$tree" --json
	expect_json '.pending' 2
	expect_status 3 "$LPARTUNE" verify --strict --root "$tree"
	revert_all
}

@test "RHEL 8: kernelopts in grubenv, whose size stays" {
	rhel8 && begin
	apply_plan 0 cmdline:no-steal-acc=present
	grep -q '^kernelopts=root=/dev/sda2 ro console=hvc0 no-steal-acc *$' "$tree/boot/grub2/grubenv"
	[ "$(stat -c '%s %a' "$tree/boot/grub2/grubenv")" = '1024 600' ]
	[ "$(options "$id-5.14.0-427.el9.ppc64le")" = '$kernelopts $tuned_params' ]
	expect_status 0 "$LPARTUNE" verify --root "$tree" --json
	expect_json '.settings[0].status' '"pending-reboot"'
	revert_all
}

@test "RHEL 8: what does not fit into grubenv is refused before anything is written" {
	rhel8 "$(printf '%0930d' 0 | tr 0 x)" && begin
	apply_plan 1 cmdline:smt-enabled=4 cmdline:no-steal-acc=present
	same_as_before
}

@test "a command line beyond 2047 bytes is refused" {
	rhel9
	bls "$id-5.14.0-427.el9.ppc64le" "root=/dev/sda2 $(printf '%02030d' 0 | tr 0 x)"
	begin
	apply_plan 1 cmdline:no-steal-acc=present
	same_as_before
}

@test "Debian: a drop-in that sorts last; the generated file is left to update-grub" {
	debian && begin
	apply_plan 0 cmdline:no-steal-acc=present cmdline:smt-enabled=4
	[ "$(. "$tree/etc/default/grub" && . "$tree/etc/default/grub.d/50-cloudimg-settings.cfg" &&
		. "$tree/etc/default/grub.d/zz-lpartune.cfg" && echo "$GRUB_CMDLINE_LINUX_DEFAULT")" = \
		'console=hvc0 no-steal-acc smt-enabled=4' ]
	expect_status 0 "$LPARTUNE" verify --root "$tree" --json
	expect_json '.settings[0].detail' '"update-grub has not been run since"'
	expect_status 0 "$LPARTUNE" revert --root "$tree" cmdline:smt-enabled
	grep -q 'no-steal-acc"$' "$tree/etc/default/grub.d/zz-lpartune.cfg"
	revert_all
}

@test "SLES: the one assignment is edited, nothing else" {
	sles && begin
	apply_plan 0 cmdline:no-steal-acc=present
	grep -qx 'GRUB_CMDLINE_LINUX_DEFAULT="splash=silent  console=tty0 console=hvc0 no-steal-acc"' \
		"$tree/etc/default/grub"
	grep -qx 'GRUB_CMDLINE_LINUX=""' "$tree/etc/default/grub"
	revert_all
}

@test "SLES: a linked /etc/default/grub stays a link" {
	sles
	mv "$tree/etc/default/grub" "$tree/etc/grub.real"
	ln -s ../grub.real "$tree/etc/default/grub"
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	[ -L "$tree/etc/default/grub" ]
	grep -q no-steal-acc "$tree/etc/grub.real"
	revert_all
}

@test "assignments that cannot be edited safely are refused" {
	local line
	for line in "GRUB_CMDLINE_LINUX_DEFAULT='single'" 'GRUB_CMDLINE_LINUX_DEFAULT="a $(b)"' \
		'GRUB_CMDLINE_LINUX_DEFAULT="memmap=32g\\$0x2"' 'export GRUB_CMDLINE_LINUX_DEFAULT="a"' \
		'GRUB_CMDLINE_LINUX_DEFAULT+="a"' 'GRUB_CMDLINE_LINUX_DEFAULT="a"; rm x' \
		$'GRUB_CMDLINE_LINUX_DEFAULT="a"\nGRUB_CMDLINE_LINUX_DEFAULT="b"'; do
		sles
		printf '%s\n' "$line" >"$tree/etc/default/grub"
		begin
		apply_plan 1 cmdline:no-steal-acc=present
		same_as_before
	done
}

@test "a parameter that the administrator had set is not ours: no file changes, revert keeps it" {
	rhel9
	local entry
	for entry in "$id-5.14.0-427.el9.ppc64le" "$id-5.14.0-362.el9.ppc64le"; do
		bls "$entry" 'root=/dev/sda2 no-steal-acc ro'
	done
	sed -i 's/hvc0"/hvc0 no-steal-acc"/' "$tree/etc/default/grub"
	sed -i 's/ro /ro no-steal-acc /' "$tree/etc/kernel/cmdline"
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	expect_json .files '[]'
	revert_all
}

@test "a parameter with another value is replaced in its place and comes back" {
	rhel9
	bls "$id-5.14.0-427.el9.ppc64le" 'root=/dev/sda2 smt-enabled=2 smt_enabled=off ro'
	begin
	apply_plan 0 cmdline:smt-enabled=4
	[ "$(options "$id-5.14.0-427.el9.ppc64le")" = 'root=/dev/sda2 smt-enabled=2 smt-enabled=4 ro' ]
	revert_all
}

@test "a harmful parameter is taken out of every line and comes back" {
	rhel9
	bls "$id-5.14.0-427.el9.ppc64le" 'root=/dev/sda2 powersave=off ro'
	begin
	apply_plan 0 cmdline:powersave=absent
	[ "$(options "$id-5.14.0-427.el9.ppc64le")" = 'root=/dev/sda2 ro' ]
	[ "$(options "$id-5.14.0-362.el9.ppc64le")" = 'root=/dev/sda2 ro console=tty0 console=hvc0 xpowersave=off' ]
	revert_all
	debian
	apply_plan 0 cmdline:powersave=absent
}

@test "revert after somebody else edited an entry takes out our token only" {
	rhel9
	apply_plan 0 cmdline:no-steal-acc=present
	sed -i 's/^options .*/& debug/' "$tree/boot/loader/entries/$id-5.14.0-427.el9.ppc64le.conf"
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	[ "$(options "$id-5.14.0-427.el9.ppc64le")" = \
		'root=/dev/sda2 ro console=tty0 console=hvc0 dyndbg="file x.c +p" $tuned_params debug' ]
}

@test "pending reboot, in force, and configured but not in force are told apart" {
	rhel9
	apply_plan 0 cmdline:no-steal-acc=present
	expect_status 0 "$LPARTUNE" verify --root "$tree" --json
	expect_json '.settings[0].status' '"pending-reboot"'
	put proc/sys/kernel/random/boot_id 5d2f9c1e-0000-4000-8000-000000000002
	expect_status 3 "$LPARTUNE" verify --root "$tree" --json
	expect_json '.settings[0].status' '"not-effective"'
	put proc/cmdline 'root=/dev/sda2 ro no-steal-acc'
	expect_status 0 "$LPARTUNE" verify --root "$tree" --json
	expect_json '.settings[0].status' '"ok"'
	sed -i 's/ no-steal-acc//' "$tree"/boot/loader/entries/*.conf
	expect_status 3 "$LPARTUNE" verify --root "$tree" --json
	expect_json '.settings[0].status' '"conflict"'
}

@test "an unknown loader, zipl, image mode: nothing is changed, and it is said what to do" {
	local way
	for way in 'rm etc/default/grub' 'touch etc/zipl.conf' 'mkdir -p run; touch run/ostree-booted' \
		'echo ID=gentoo >etc/os-release'; do
		rhel9
		(cd "$tree" && eval "$way")
		begin
		apply_plan 1 cmdline:no-steal-acc=present
		expect_json '.settings[0].status' '"unsupported"'
		expect_json '.settings[0].detail | test("add .no-steal-acc. to the kernel.s command line")' true
		same_as_before
		rm -rf "${tree:?}/etc" "$tree/run"
	done
}
