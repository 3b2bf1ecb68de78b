#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The boot loaders' own tools: Debian's real grub-mkconfig in a tree of its own; grubby and
# update-bootloader by stand-ins that do to the files what the real ones do (argument level).
# shellcheck disable=SC2016 # stand-ins have variables of their own
load helpers
load tree
load live

setup() {
	work=$BATS_TEST_TMPDIR
	tree=$work/tree
	put proc/cmdline 'root=/dev/sda2 ro quiet'
	put proc/sys/kernel/random/boot_id 5d2f9c1e-0000-4000-8000-000000000001
	put proc/sys/kernel/osrelease 6.12.9
	live_prepare
	plan "$tree/plan.json" cmdline:no-steal-acc=present
	plan "$tree/second.json" cmdline:smt-enabled=4
}

debian() {
	put etc/os-release 'ID=debian'
	put etc/default/grub 'GRUB_DISTRIBUTOR=Debian' 'GRUB_CMDLINE_LINUX_DEFAULT="quiet"' \
		'GRUB_CMDLINE_LINUX="console=tty0 console=hvc0"'
	mkdir -p "$tree/etc/default/grub.d"
	cp -a /etc/grub.d "$tree/etc/"
	put boot/vmlinuz-6.12.9 kernel
	put boot/initrd.img-6.12.9 initrd
	mkdir -p "$tree/boot/grub"
	stand_in over.grub-probe <<'STAND_IN'
#!/bin/sh
# stand-in: this tree has no devices
case "$*" in *target=device*) echo /dev/sda2 ;; *target=fs_uuid*) echo 1111-2222 ;; *target=fs*) echo ext2 ;;
*target=partmap*) echo gpt ;; *) echo ext2 ;; esac
STAND_IN
	live update-grub 2>"$work/errors" || fail "$(cat "$work/errors")"
	grep -q 'vmlinuz-6.12.9 .*quiet' "$tree/boot/grub/grub.cfg" || fail "no entry in grub.cfg"
	chmod 600 "$tree/boot/grub/grub.cfg"
}

bls() {
	put "boot/loader/entries/$1.conf" "title Linux ($1)" 'linux /vmlinuz' "options $2"
}

rhel() {
	put etc/os-release 'ID="rhel"'
	put etc/default/grub 'GRUB_CMDLINE_LINUX="crashkernel=512M"' 'GRUB_ENABLE_BLSCFG=true'
	bls m-5.14.0 'root=/dev/sda2 ro crashkernel=512M'
	bls m-5.15.0 'root=/dev/sda2 ro crashkernel=512M smt-enabled=2'
	bls m-0-rescue 'root=/dev/sda2 ro'
	stand_in grubby <<'STAND_IN'
#!/bin/bash
# stand-in: grubby --update-kernel=ALL --args=K=V | --remove-args=K=V, rescue entry included
[ "$1" = --update-kernel=ALL ] || exit 1
for file in /boot/loader/entries/*.conf; do
	case $2 in
	--args=*) sed -i "s/^options .*/& ${2#--args=}/" "$file" ;;
	--remove-args=*) sed -i "/^options/s/ ${2#--remove-args=}\( \|\$\)/\1/" "$file" ;;
	*) exit 1 ;;
	esac
done
case $2 in
--args=*) sed -i "s/^GRUB_CMDLINE_LINUX=\"\(.*\)\"/GRUB_CMDLINE_LINUX=\"\1 ${2#--args=}\"/" /etc/default/grub ;;
--remove-args=*) sed -i "s/ ${2#--remove-args=}\( \|\"\)/\1/" /etc/default/grub ;;
esac
STAND_IN
}

sles() {
	put etc/os-release 'ID="sles"' 'ID_LIKE="suse"'
	put etc/default/grub 'GRUB_CMDLINE_LINUX_DEFAULT="quiet"'
	mkdir -p "$tree/boot/grub2"
	stand_in update-bootloader <<'STAND_IN'
#!/bin/sh
# stand-in: --refresh makes grub.cfg anew from /etc/default/grub
[ "$1" = --refresh ] || exit 1
. /etc/default/grub
printf "menuentry 'SLES' {\n\tlinux /boot/vmlinux root=UUID=x %s\n}\n" "$GRUB_CMDLINE_LINUX_DEFAULT" >/boot/grub2/grub.cfg
STAND_IN
	live update-bootloader --refresh
}

begin() { live_snapshot >"$work/before"; }

same_as_before() {
	diff "$work/before" <(live_snapshot) || fail "the tree differs"
}

apply_plan() { # STATUS PLAN
	expect_status "$1" live lpartune apply --plan "/$2" --json
}

round_trip() {
	begin
	apply_plan 0 plan.json
	expect_status 0 live lpartune verify --json
	expect_json '.settings[0].status' '"pending-reboot"'
	live_snapshot >"$work/applied"
	apply_plan 0 plan.json
	expect_json .outcome '"nothing"'
	diff "$work/applied" <(live_snapshot)
	apply_plan 0 second.json
	expect_status 0 live lpartune revert cmdline:smt-enabled
	expect_status 0 live lpartune revert --all
	same_as_before
}

@test "Debian's grub-mkconfig: the token is in every normal entry and in no recovery entry" {
	debian
	begin
	apply_plan 0 plan.json
	[ "$(grep -cE '^\s+linux.*no-steal-acc' "$tree/boot/grub/grub.cfg")" -ge 1 ]
	run ! grep -E 'linux.*single.*no-steal-acc|no-steal-acc.*no-steal-acc' "$tree/boot/grub/grub.cfg"
	[ "$(stat -c %a "$tree/boot/grub/grub.cfg")" = 600 ]
	expect_status 0 live lpartune revert --all
	same_as_before
}

@test "Debian: applied, verified, applied again, a second one reverted, all reverted" {
	debian
	round_trip
}

@test "Debian: revert after a kernel came in makes grub.cfg anew without the token" {
	debian
	apply_plan 0 plan.json
	put boot/vmlinuz-6.13.0 kernel
	live update-grub 2>/dev/null
	expect_status 0 live lpartune revert --all
	grep -q 'vmlinuz-6.13.0' "$tree/boot/grub/grub.cfg"
	run ! grep -r no-steal-acc "$tree/boot" "$tree/etc"
}

@test "Debian: a change that was waiting for update-grub is not let in along with ours" {
	debian
	sed -i 's/quiet/quiet debug/' "$tree/etc/default/grub"
	begin
	apply_plan 4 plan.json
	same_as_before
}

@test "grubby: rescue entry untouched, another value replaced and brought back" {
	rhel
	round_trip
	begin
	apply_plan 0 second.json
	grep -qx 'options root=/dev/sda2 ro crashkernel=512M smt-enabled=4' "$tree/boot/loader/entries/m-5.15.0.conf"
	grep -qx 'options root=/dev/sda2 ro' "$tree/boot/loader/entries/m-0-rescue.conf"
	expect_status 0 live lpartune revert --all
	same_as_before
}

@test "update-bootloader: applied and reverted" {
	sles
	round_trip
}

@test "a tool that fails, lies or damages its files: everything is as before" {
	local tool
	for tool in 'exit 1' 'exit 0' 'echo >/boot/loader/entries/m-5.14.0.conf; exit 1' \
		'sed -i "s/root=[^ ]*//" /boot/loader/entries/*.conf' \
		'sed -i "s/^options.*/& no-steal-acc no-steal-acc/" /boot/loader/entries/*.conf' \
		'rm /boot/loader/entries/m-5.15.0.conf' 'kill -9 $$'; do
		rhel
		printf '#!/bin/sh\n%s\n' "$tool" | stand_in grubby
		begin
		apply_plan 4 plan.json
		same_as_before
		expect_status 0 live lpartune verify
	done
}

@test "killed while the tool runs: revert brings everything back" {
	rhel
	mv "$tree/stand-ins/grubby" "$tree/stand-ins/real-grubby"
	printf '#!/bin/sh\n/usr/local/sbin/real-grubby "$@"\nkill -9 $PPID\nsleep 5\n' | stand_in grubby
	begin
	run live lpartune apply --plan /plan.json
	[ "$status" -ne 0 ]
	grep -q no-steal-acc "$tree/boot/loader/entries/m-5.14.0.conf"
	expect_status 0 live lpartune revert --all
	same_as_before
}

@test "the history has a line for every step, and reverts are in it too" {
	rhel
	put sys/kernel/mm/transparent_hugepage/enabled 'always [madvise] never'
	plan "$tree/plan.json" thp:enabled=never
	apply_plan 0 plan.json
	expect_status 0 live lpartune revert --all
	expect_status 0 live lpartune verify --history --json
	expect_json '[.history[] | [.action, .tunable, .from, .to, .outcome]]' \
		'[["apply","thp:enabled","madvise","never","done"],["revert","thp:enabled","never","madvise","done"]]'
}
