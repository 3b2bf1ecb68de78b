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
	stand_in_grubby
}

# With $grubby_passes_over a version that does not know that file.
stand_in_grubby() {
	stand_in grubby <<STAND_IN
#!/bin/bash
passes_over=${grubby_passes_over:-none}
STAND_IN
	cat >>"$tree/stand-ins/grubby" <<'STAND_IN'
# stand-in: grubby --update-kernel=ALL --args=K=V | --remove-args=K=V does what grubby's BLS script of
# RHEL 8 to 10 does to the files: literal entries (the rescue entry too) and kernelopts, then the two
# sources; what begins or ends like the argument is not told from it when it looks whether to add.
[ "$1" = --update-kernel=ALL ] || exit 1
echo "grubby $2" >>/stand-ins/calls
edit() { # LINE: with the argument added or taken out
	local line=$1 arg=${2#*=} word kept=
	case $2 in
	--args=*)
		case $line in *"$arg"*) ;; *) line="$line $arg" ;; esac
		kept=$line ;;
	--remove-args=*)
		while IFS= read -r -d ' ' word; do [ "$word" = "$arg" ] || kept="$kept $word"; done <<<"$line "
		kept=${kept# } ;;
	*) exit 1 ;;
	esac
	printf '%s\n' "$kept"
}
put() { # FILE PATTERN NEW: by sed -i as there, into a new file
	[ "$1" = "$passes_over" ] || sed -i "s|$2.*|${3//[&|\\]/\\&}|" "$1"
}
for file in /boot/loader/entries/*.conf; do
	line=$(sed -n 's/^options //p' "$file")
	case $line in *'$kernelopts'*) ;; *) put "$file" '^options ' "options $(edit "$line" "$2")" ;; esac
done
if grep -q ^kernelopts= /boot/grub2/grubenv 2>/dev/null; then
	line=$(grub-editenv /boot/grub2/grubenv list | sed -n 's/^kernelopts=//p')
	grub-editenv /boot/grub2/grubenv set kernelopts="$(edit "$line" "$2")"
fi
line=$(sed -n 's/^GRUB_CMDLINE_LINUX="\(.*\)"$/\1/p' /etc/default/grub)
put /etc/default/grub '^GRUB_CMDLINE_LINUX=' "GRUB_CMDLINE_LINUX=\"$(edit "$line" "$2")\""
if [ -e /etc/kernel/cmdline ]; then
	put /etc/kernel/cmdline '^' "$(edit "$(cat /etc/kernel/cmdline)" "$2")"
fi
exit 0
STAND_IN
	chmod +x "$tree/stand-ins/grubby"
}

rhel8() { # kernelopts
	rhel
	mkdir -p "$tree/boot/grub2"
	grub-editenv "$tree/boot/grub2/grubenv" create
	grub-editenv "$tree/boot/grub2/grubenv" set "kernelopts=root=/dev/sda2 ro $1"
	bls m-4.18.0-1 '$kernelopts'
	bls m-4.18.0-2 '$kernelopts smt-enabled=8'
	bls m-0-rescue '$kernelopts'
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

# SLE Micro, transactional server: the root is read-only, grub.cfg comes anew in a snapshot. The
# stand-ins know as much of snapshots as the tools tell: which is next, and what is in it.
transactional() {
	sles
	touch "$tree/stand-ins/usr-is-read-only"
	put proc/self/mountinfo '29 1 0:27 /@/.snapshots/1/snapshot / ro,relatime - btrfs /dev/sda2 ro' \
		'30 29 0:27 /@/home /home rw - btrfs /dev/sda2 rw'
	put .snapshots/next 1
	transactional_tools
}

transactional_tools() {
	stand_in btrfs <<'STAND_IN'
#!/bin/sh
[ "$*" = 'subvolume get-default /' ] || exit 1
echo "ID 266 gen 31 top level 265 path @/.snapshots/$(cat /.snapshots/next)/snapshot"
STAND_IN
	stand_in transactional-update <<'STAND_IN'
#!/bin/sh
# stand-in: [--continue] grub.cfg | rollback N
echo "transactional-update $*" >>/stand-ins/calls
if [ "$1" = rollback ]; then
	echo "$2" >/.snapshots/next
	exit
fi
[ "$1" = --continue ] && shift
[ "$1" = grub.cfg ] || exit 1
new=$(($(ls -d /.snapshots/[0-9]* 2>/dev/null | wc -l) + 2))
mkdir -p /.snapshots/$new/snapshot/boot/grub2
[ -e /stand-ins/keeps-etc-of-pending ] || . /etc/default/grub
printf "menuentry 'SLES' {\n\tlinux /boot/vmlinux root=UUID=x %s\n}\n" "$GRUB_CMDLINE_LINUX_DEFAULT" >/.snapshots/$new/snapshot/boot/grub2/grub.cfg
echo $new >/.snapshots/next
STAND_IN
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

@test "Debian: a kernel that came in between two applies keeps its entry when all is reverted" {
	debian
	apply_plan 0 plan.json
	put boot/vmlinuz-6.13.0 kernel
	live update-grub 2>/dev/null
	apply_plan 0 second.json
	expect_status 0 live lpartune revert cmdline:smt-enabled
	expect_status 0 live lpartune revert --all
	grep -q 'vmlinuz-6.13.0' "$tree/boot/grub/grub.cfg"
	run ! grep -rE 'no-steal-acc|smt-enabled' "$tree/boot" "$tree/etc"
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

@test "grubby: entries that differ are done each, and each goes back to what it had" {
	rhel
	bls m-5.16.0 'root=/dev/sda2 no-steal-acc ro "dyndbg=file x.c +p"  smt-enabled=8 debug'
	put etc/kernel/cmdline 'root=/dev/sda2 ro'
	round_trip
	apply_plan 0 second.json
	grep -q '^grubby --remove-args=smt-enabled=2$' "$tree/stand-ins/calls"
	grep -q '^grubby --remove-args=smt-enabled=8$' "$tree/stand-ins/calls"
	expect_status 0 live lpartune revert --all
	same_as_before
}

@test "grubby: what others wrote between two applies stays" {
	rhel
	apply_plan 0 plan.json
	sed -i 's/^options .*/& debug/' "$tree/boot/loader/entries/m-5.14.0.conf"
	apply_plan 0 second.json
	expect_status 0 live lpartune revert --all
	grep -qx 'options root=/dev/sda2 ro crashkernel=512M debug' "$tree/boot/loader/entries/m-5.14.0.conf"
}

@test "grubby: RHEL 8: kernelopts, entries beside it and the rescue entry that follows it" {
	rhel8 'smt-enabled=2'
	round_trip
	apply_plan 0 second.json
	grep -qx 'options $kernelopts smt-enabled=4' "$tree/boot/loader/entries/m-4.18.0-2.conf"
	grep -qx 'options $kernelopts' "$tree/boot/loader/entries/m-0-rescue.conf"
	grep -q '^kernelopts=root=/dev/sda2 ro smt-enabled=4$' "$tree/boot/grub2/grubenv"
	expect_status 0 live lpartune revert --all
	same_as_before
}

@test "grubby: what it passes over is done by us, if it did the rest" {
	local over
	for over in /etc/kernel/cmdline /etc/default/grub /boot/loader/entries/m-5.15.0.conf; do
		rhel
		grubby_passes_over=$over stand_in_grubby
		put etc/kernel/cmdline 'root=/dev/sda2 ro'
		begin
		apply_plan 0 plan.json
		grep -q no-steal-acc "$tree$over"
		expect_status 0 live lpartune verify --json
		expect_json '.settings[0].status' '"pending-reboot"'
		expect_status 0 live lpartune revert --all
		same_as_before
	done
}

@test "B73: grubby: a longer name that it takes for ours" {
	rhel
	bls m-5.16.0 'root=/dev/sda2 ro xno-steal-acc'
	begin
	apply_plan 0 plan.json
	grep -qx 'options root=/dev/sda2 ro xno-steal-acc no-steal-acc' "$tree/boot/loader/entries/m-5.16.0.conf"
	expect_status 0 live lpartune revert --all
	same_as_before
}

@test "grubby: only a source lacks it: no tool is run; a dry run runs none either" {
	rhel
	sed -i 's/^options .*/& no-steal-acc/' "$tree"/boot/loader/entries/m-5*.conf
	begin
	expect_status 0 live lpartune apply --dry-run --plan /plan.json --json
	same_as_before
	apply_plan 0 plan.json
	expect_json '[.files[].path]' '["/etc/default/grub"]'
	[ ! -e "$tree/stand-ins/calls" ]
	expect_status 0 live lpartune revert --all
	same_as_before
	rhel
	begin
	expect_status 0 live lpartune apply --dry-run --plan /plan.json --json
	expect_json '[.files[] | select(.diff | test("no-steal-acc"))] | length' 3
	[ ! -e "$tree/stand-ins/calls" ]
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

# killed_in TOOL: the tool does its work, and lpartune is killed then.
killed_in() {
	local place=$tree/stand-ins/$1
	if [ -e "$place" ]; then
		mv "$place" "$tree/stand-ins/real-$1"
	else
		printf '#!/bin/sh\nexec /usr/sbin/%s "$@"\n' "$1" | stand_in "real-$1"
	fi
	printf '#!/bin/sh\n/usr/local/sbin/real-%s "$@"\nkill -9 $PPID\nsleep 5\n' "$1" | stand_in "$1"
	run live lpartune apply --plan /plan.json
	[ -e "$tree/var/lib/lpartune/journal.json" ]
	rm "$place"
	mv "$tree/stand-ins/real-$1" "$place"
}

@test "Debian: a kernel that came in after the kill keeps its entry, and ours is gone from all" {
	debian
	killed_in update-grub
	put boot/vmlinuz-6.13.0 kernel
	live update-grub 2>/dev/null
	grep -q '6.13.0.*no-steal-acc' "$tree/boot/grub/grub.cfg"
	expect_status 0 live lpartune revert --all
	grep -q 'vmlinuz-6.13.0' "$tree/boot/grub/grub.cfg"
	run ! grep -r no-steal-acc "$tree/boot" "$tree/etc"
}

@test "Debian: a kernel that came in after the kill, and no tool that makes its entry anew" {
	debian
	killed_in update-grub
	put boot/vmlinuz-6.13.0 kernel
	live update-grub 2>/dev/null
	printf '#!/bin/sh\nexit 1\n' | stand_in update-grub
	expect_status 3 live lpartune revert --all
	grep -q 'vmlinuz-6.13.0' "$tree/boot/grub/grub.cfg"
	expect_match "'/boot/grub/grub.cfg' has other kernels since the interrupted change.*run update-grub" "$stderr"
}

@test "grubby: what others wrote to an entry after the kill stays, and ours is gone" {
	rhel
	killed_in grubby
	sed -i 's/^options .*/& debug/' "$tree/boot/loader/entries/m-5.14.0.conf"
	expect_status 0 live lpartune revert --all
	grep -qx 'options root=/dev/sda2 ro crashkernel=512M debug' "$tree/boot/loader/entries/m-5.14.0.conf"
	run ! grep -r no-steal-acc "$tree/boot" "$tree/etc"
}

# removal deb|rpm: the script that runs before the package is removed.
removal() {
	local top=$BATS_TEST_DIRNAME/..
	if [ "$1" = deb ]; then
		cp "$top/packaging/debian/lpartune.prerm" "$tree/script"
		expect_status 0 live sh /script upgrade 1
		[ ! -e "$tree/stand-ins/calls" ] || run ! grep -q removal "$tree/stand-ins/calls"
		expect_status 0 live sh /script remove
	else # the body of the macro, as the shell gets it
		sed -n '/^%global take_back /,/[^\\]$/p' "$top/packaging/rpm/lpartune.spec" |
			sed 's/^%global take_back //; s/\\$//; s|%{_sbindir}/||' >"$tree/script"
		grep -q 'revert --removal' "$tree/script"
		expect_status 0 live sh -e /script 0
	fi
	rm "$tree/script"
}

@test "the package is removed after the first apply was killed: it is undone" {
	local kind
	for kind in deb rpm; do
		rhel
		mv "$tree/stand-ins/grubby" "$tree/stand-ins/real-grubby"
		printf '#!/bin/sh\n/usr/local/sbin/real-grubby "$@"\nkill -9 $PPID\nsleep 5\n' | stand_in grubby
		begin
		run live lpartune apply --plan /plan.json
		[ -e "$tree/var/lib/lpartune/journal.json" ]
		[ ! -e "$tree/var/lib/lpartune/state.json" ]
		removal "$kind"
		same_as_before
		[ ! -e "$tree/var/lib/lpartune/journal.json" ]
	done
}

@test "the package is removed: each record alone has it ask what there is to take back" {
	local kind record
	printf '#!/bin/sh\necho "$*" >>/stand-ins/calls\n' | stand_in lpartune
	for kind in deb rpm; do
		for record in var/lib/lpartune/{state,originals,journal}.json run/lpartune/{runtime,temporary}.json; do
			rm -rf "$tree"/{stand-ins/calls,var/lib/lpartune,run/lpartune}
			removal "$kind"
			[ ! -e "$tree/stand-ins/calls" ]
			put "$record"
			removal "$kind"
			[ "$(cat "$tree/stand-ins/calls")" = 'revert --removal' ] || fail "$kind $record"
		done
	done
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

@test "transactional-update: the snapshot of the next boot has it, and a revert makes another" {
	transactional
	begin
	apply_plan 0 plan.json
	grep -q 'quiet no-steal-acc$' "$tree/.snapshots/2/snapshot/boot/grub2/grub.cfg"
	run ! grep no-steal-acc "$tree/boot/grub2/grub.cfg"
	expect_status 0 live lpartune verify --json
	expect_json '.settings[0] | [.status, .detail]' \
		'["pending-reboot","it is in the snapshot of transactional-update that the next boot uses"]'
	apply_plan 0 second.json
	grep -q 'quiet no-steal-acc smt-enabled=4$' "$tree/.snapshots/3/snapshot/boot/grub2/grub.cfg"
	expect_status 0 live lpartune revert --all
	run ! grep -e no-steal -e smt-enabled "$tree/.snapshots/4/snapshot/boot/grub2/grub.cfg"
	[ "$(cat "$tree/.snapshots/next")" = 4 ]
	[ "$(cat "$tree/stand-ins/calls")" = 'transactional-update grub.cfg
transactional-update --continue grub.cfg
transactional-update --continue grub.cfg' ]
	same_as_before
}

# kill_behind NUMBER: transactional-update makes the snapshot, and lpartune is killed then.
kill_behind() {
	mv "$tree/stand-ins/transactional-update" "$tree/stand-ins/real-update"
	printf '#!/bin/sh\n/usr/local/sbin/real-update "$@"\nkill -9 $PPID\nsleep 5\n' | stand_in transactional-update
	run live lpartune apply --plan /plan.json
	[ "$(cat "$tree/.snapshots/next")" = "$1" ]
	grep -q no-steal-acc "$tree/.snapshots/$1/snapshot/boot/grub2/grub.cfg"
	mv "$tree/stand-ins/real-update" "$tree/stand-ins/transactional-update"
}

@test "transactional-update: killed behind it: what comes next makes a snapshot without the parameter" {
	local next
	for next in 'revert --all' 'apply --plan /nothing.json' 'revert --removal'; do
		rm -rf "$tree/.snapshots" "$tree/var/lib/lpartune"
		transactional
		plan "$tree/nothing.json" cmdline:powersave=absent
		begin
		kill_behind 2
		expect_status 3 live lpartune verify --json
		# shellcheck disable=SC2086
		expect_status 0 live lpartune $next
		expect_match 'snapshot 2, .*, is not booted: the next boot uses snapshot 3, without the change' "$stderr"
		[ "$(cat "$tree/.snapshots/next")" = 3 ]
		grep -q 'quiet$' "$tree/.snapshots/3/snapshot/boot/grub2/grub.cfg"
		[ "$(tail -n 1 "$tree/stand-ins/calls")" = 'transactional-update --continue grub.cfg' ]
		expect_status 0 live lpartune revert --all
		[ "$(cat "$tree/.snapshots/next")" = 3 ]
		rm "$tree/nothing.json"
		same_as_before
	done
}

@test "transactional-update: killed behind it, and what the next start cannot undo is told" {
	transactional
	begin
	kill_behind 2
	printf '#!/bin/sh\nexit 1\n' | stand_in transactional-update
	expect_status 3 live lpartune revert --all
	expect_match "the next boot may use a snapshot that has .*: 'transactional-update rollback 1'" "$stderr"
	same_as_before
	# booted into it since: it is the running one
	transactional
	rm -r "$tree/var/lib/lpartune"
	put .snapshots/next 1
	rm -r "$tree/.snapshots/2"
	kill_behind 2
	sed -i 's|snapshots/1/|snapshots/2/|' "$tree/proc/self/mountinfo"
	put proc/sys/kernel/random/boot_id 5d2f9c1e-0000-4000-8000-000000000002
	expect_status 0 live lpartune revert --all
	[ "$(tail -n 1 "$tree/stand-ins/calls")" = 'transactional-update grub.cfg' ]
	[ "$(cat "$tree/.snapshots/next")" = 3 ]
	run ! grep no-steal-acc "$tree/.snapshots/3/snapshot/boot/grub2/grub.cfg"
}

@test "transactional-update: killed before it made anything: no snapshot is made for nothing" {
	transactional
	begin
	printf '#!/bin/sh\nkill -9 $PPID\nsleep 5\n' >"$tree/stand-ins/transactional-update"
	run live lpartune apply --plan /plan.json
	[ -e "$tree/var/lib/lpartune/journal.json" ]
	transactional_tools
	expect_status 0 live lpartune revert --all
	[ ! -e "$tree/stand-ins/calls" ]
	same_as_before
	# nor for one that somebody else made since, with nothing of the change in it
	printf '#!/bin/sh\nkill -9 $PPID\nsleep 5\n' >"$tree/stand-ins/transactional-update"
	run live lpartune apply --plan /plan.json
	mkdir -p "$tree/.snapshots/2/snapshot/boot/grub2"
	cp "$tree/boot/grub2/grub.cfg" "$tree/.snapshots/2/snapshot/boot/grub2/"
	put .snapshots/next 2
	transactional_tools
	expect_status 0 live lpartune revert --all
	[ ! -e "$tree/stand-ins/calls" ]
	[ "$(cat "$tree/.snapshots/next")" = 2 ]
}

@test "transactional-update: a snapshot without the parameter is rolled back, and all is as before" {
	transactional
	touch "$tree/stand-ins/keeps-etc-of-pending"
	begin
	apply_plan 4 plan.json
	expect_match "'/boot/grub2/grub.cfg' is not as it must be after transactional-update" "$stderr"
	[ "$(cat "$tree/.snapshots/next")" = 1 ]
	same_as_before
	stand_in transactional-update </dev/null
	printf '#!/bin/sh\nexit 0\n' >"$tree/stand-ins/transactional-update"
	apply_plan 4 plan.json
	same_as_before
}

@test "Debian: another value in GRUB_CMDLINE_LINUX loses against ours, and wins again" {
	debian
	sed -i 's/console=tty0/smt-enabled=2 &/' "$tree/etc/default/grub"
	live update-grub 2>/dev/null
	begin
	apply_plan 0 second.json
	grep -q 'smt-enabled=2 .* smt-enabled=4$' "$tree/boot/grub/grub.cfg"
	expect_status 0 live lpartune verify --json
	expect_json '.settings[0].status' '"pending-reboot"'
	expect_status 0 live lpartune revert --all
	same_as_before
}

@test "B64: Debian: entries that do not come from the defaults are not asked" {
	debian
	printf '%s\n' '#!/bin/sh' 'exec tail -n +3 $0' "menuentry 'Other' {" '	linux /other ro' '}' >"$tree/etc/grub.d/40_custom"
	chmod +x "$tree/etc/grub.d/40_custom"
	live update-grub 2>/dev/null
	round_trip
}

@test "B15: Debian: with lost records ours is found again, and taken back" {
	debian
	begin
	apply_plan 0 plan.json
	rm -r "$tree/var/lib/lpartune"
	apply_plan 0 second.json
	grep -q 'quiet no-steal-acc smt-enabled=4$' "$tree/boot/grub/grub.cfg"
	rm -r "$tree/var/lib/lpartune"
	expect_status 0 live lpartune revert --all
	live_snapshot | grep -v grub.d | diff <(grep -v grub.d "$work/before") - || fail "the tree differs"
	[ ! -e "$tree/etc/default/grub.d/zz-lpartune.cfg" ]
}

@test "a tool that is not there is named, and all is as before" {
	debian
	touch "$tree/stand-ins/over.update-grub"
	begin
	apply_plan 4 plan.json
	expect_match 'update-grub: No such file or directory: everything is as before' "$stderr"
	same_as_before
}

@test "what the tool has started keeps the lock when we are killed, but not when we are done" {
	rhel
	mv "$tree/stand-ins/grubby" "$tree/stand-ins/real-grubby"
	printf '#!/bin/sh\nsleep 300 >/dev/null 2>&1 3>&- &\necho $! >/stand-ins/pid\nkill -9 $PPID\nsleep 5\n' | stand_in grubby
	begin
	run live lpartune apply --plan /plan.json
	expect_status 6 live lpartune revert --all
	kill "$(cat "$tree/stand-ins/pid")"
	expect_status 0 live lpartune revert --all --wait 20
	same_as_before
	printf '#!/bin/sh\nsleep 300 >/dev/null 2>&1 3>&- &\necho $! >/stand-ins/pid\nexec /usr/local/sbin/real-grubby "$@"\n' | stand_in grubby
	apply_plan 0 plan.json
	expect_status 0 live lpartune revert --all
	kill "$(cat "$tree/stand-ins/pid")"
	same_as_before
}
