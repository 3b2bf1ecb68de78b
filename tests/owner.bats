#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Boot parameters that somebody changed after apply: verify tells what the files say now, revert leaves
# them and names the file, and --force says what it overrides.
# shellcheck disable=SC2016,SC2154 # loader files have variables of their own; run sets stderr
load helpers
load tree
load loaders

setup() {
	loaders_setup
	dropin=etc/default/grub.d/zz-lpartune.cfg
	new=$id-5.14.0-427.el9.ppc64le old=$id-5.14.0-362.el9.ppc64le
}

edit() { sed -i "$1" "$tree/$2"; }

# verified STATUS JQ-FILTER VALUE
verified() {
	expect_status "$1" "$LPARTUNE" verify --root "$tree" --json
	expect_json "$2" "$3"
}

# left WORDS: the setting stays, its detail says these words, and the status is 3, time after time.
left() {
	local round
	for round in first second; do
		expect_status 3 "$LPARTUNE" revert --all --root "$tree" --json
		expect_json '.settings[0].status' '"drift"'
		[[ $(jq -r '.settings[0].detail' <<<"$output") == *"$1"* ]] || fail "$round: not told: $1: $output"
		expect_match 'somebody else' "$stderr"
	done
}

@test "Debian: another value in our drop-in is drift, before and after update-grub" {
	debian
	begin
	apply_plan 0 cmdline:powersave=off
	verified 0 '[.files[] | [.path, .status]]' "[[\"/$dropin\",\"ok\"]]"
	edit s/powersave=off/powersave=on/ "$dropin"
	verified 3 '.settings[0] | [.status, .detail]' "[\"drift\",\"/$dropin:2 sets it to on\"]"
	expect_json '[.files[] | [.path, .status]]' "[[\"/$dropin\",\"edited\"]]"
	edit 's/console=hvc0$/& powersave=off/' boot/grub/grub.cfg
	verified 3 '.settings[0] | [.status, .detail]' \
		"[\"conflict\",\"the entries have it, but /$dropin:2 sets it to on: gone when update-grub runs\"]"
	put proc/cmdline 'BOOT_IMAGE=/vmlinuz root=UUID=x ro powersave=off'
	edit 's/ powersave=off$//' boot/grub/grub.cfg
	verified 3 '.settings[0] | [.status, .detail]' \
		"[\"conflict\",\"in force, but /$dropin:2 sets it to on: gone at the next boot\"]"
}

@test "Debian: an edited drop-in stays, and --force says that it goes over it" {
	debian
	begin
	apply_plan 0 cmdline:powersave=off
	edit s/powersave=off/powersave=on/ "$dropin"
	cp "$tree/$dropin" "$work/edited"
	left "'/$dropin' was edited since lpartune wrote it"
	cmp "$work/edited" "$tree/$dropin"
	expect_status 3 "$LPARTUNE" revert --all --root "$tree"
	[[ $output != *'Nothing to revert'* ]] || fail "there is something: $output"
	expect_status 0 "$LPARTUNE" revert --all --force --root "$tree" --json
	expect_match "overrides what somebody else wrote to '/$dropin'" "$(jq -r '.notes[]' <<<"$output")"
	same_as_before
}

@test "Debian: our drop-in is gone, or a later file says something else, or nothing" {
	debian
	apply_plan 0 cmdline:smt-enabled=4
	put etc/default/grub.d/zzz.cfg 'GRUB_CMDLINE_LINUX_DEFAULT="$GRUB_CMDLINE_LINUX_DEFAULT smt-enabled=2"'
	verified 3 '.settings[0] | [.status, .detail]' '["drift","/etc/default/grub.d/zzz.cfg:1 sets it to 2"]'
	put etc/default/grub.d/zzz.cfg '# smt-enabled=2' 'GRUB_TIMEOUT=1 # smt-enabled=2' \
		'GRUB_CMDLINE_LINUX="smt-enabled=2"' 'GRUB_CMDLINE_LINUX_DEFAULT="$GRUB_CMDLINE_LINUX_DEFAULT xsmt-enabled=2"'
	verified 0 '.settings[0].detail' '"update-grub has not been run since"'
	put etc/default/grub.d/zzz.cfg 'GRUB_CMDLINE_LINUX_DEFAULT="quiet"'
	verified 3 '.settings[0].status' '"drift"'
	put etc/default/grub.d/zzz.cfg 'GRUB_CMDLINE_LINUX_DEFAULT+=" quiet"'
	verified 0 '.settings[0].status' '"pending-reboot"'
	rm "$tree/$dropin"
	verified 3 '[.settings[0].status, (.files[] | [.path, .status])]' "[\"drift\",[\"/$dropin\",\"deleted\"]]"
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
}

@test "Debian: what the administrator's own files say decides whether it is applied already" {
	debian
	edit 's/console=hvc0$/& smt-enabled=4/' boot/grub/grub.cfg
	put etc/default/grub.d/60-site.cfg '# smt-enabled=4' 'GRUB_CMDLINE_LINUX_DEFAULT="smt-enabled=2"'
	apply_plan 0 cmdline:smt-enabled=4
	grep -q 'smt-enabled=4"$' "$tree/$dropin"
}

@test "RHEL: another value in one entry stays and its file is named; the other entries are reverted" {
	rhel9
	begin
	apply_plan 0 cmdline:smt-enabled=4
	edit s/smt-enabled=4/smt-enabled=2/ "boot/loader/entries/$new.conf"
	verified 3 '.settings[0] | [.status, .detail]' \
		"[\"drift\",\"/boot/loader/entries/$new.conf sets it to 2\"]"
	left "'/boot/loader/entries/$new.conf' says smt-enabled=2"
	[[ $(options "$new") == *' smt-enabled=2' ]]
	[[ $(options "$old") != *smt-enabled* ]]
	run ! grep -r smt-enabled "$tree/etc"
	expect_status 0 "$LPARTUNE" revert --all --force --root "$tree" --json
	expect_match "overrides smt-enabled=2 in '/boot/loader/entries/$new.conf'" \
		"$(jq -r '.settings[0].detail' <<<"$output")"
	same_as_before
}

@test "RHEL: what had another value before us, and was changed or taken out by somebody" {
	rhel9
	bls "$new" 'root=/dev/sda2 smt-enabled=8 ro'
	bls "$old" 'root=/dev/sda2 powersave=off ro'
	begin
	apply_plan 0 cmdline:smt-enabled=4 cmdline:powersave=absent
	edit 's/ smt-enabled=4//' "boot/loader/entries/$new.conf"
	edit 's/^options .*/& powersave=on/' "boot/loader/entries/$old.conf"
	expect_status 3 "$LPARTUNE" revert --all --root "$tree" --json
	expect_json '[.settings[] | [.tunable, .status]] | sort' \
		'[["cmdline:powersave","drift"],["cmdline:smt-enabled","drift"]]'
	expect_match "'/boot/loader/entries/$new.conf' no longer has it" "$(jq -r '.settings[].detail' <<<"$output")"
	expect_match "'/boot/loader/entries/$old.conf' says powersave=on" "$(jq -r '.settings[].detail' <<<"$output")"
	expect_status 0 "$LPARTUNE" revert --all --force --root "$tree"
	same_as_before
}

@test "RHEL: ours was taken out by hand, or twice in a line: revert ends it without complaint" {
	rhel9
	begin
	apply_plan 0 cmdline:smt-enabled=4
	edit 's/ smt-enabled=4//' "boot/loader/entries/$new.conf"
	edit 's/smt-enabled=4/& debug &/' "boot/loader/entries/$old.conf"
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	[[ $(options "$old") == *'xpowersave=off debug' ]]
	edit 's/ debug//' "boot/loader/entries/$old.conf"
	diff <(grep -Ev ' [0-9]{9,}\.[0-9]+$' "$work/before") <(snapshot "$tree") # the editor's times stay
}

@test "RHEL: another value behind ours: ours goes, the other stays" {
	rhel9
	begin
	apply_plan 0 cmdline:smt-enabled=4
	edit 's/smt-enabled=4/& smt-enabled=2/' "boot/loader/entries/$new.conf"
	left "'/boot/loader/entries/$new.conf' says smt-enabled=2"
	[[ $(options "$new") == *'$tuned_params smt-enabled=2' ]]
	expect_status 0 "$LPARTUNE" revert --all --force --root "$tree"
	same_as_before
	# a value before ours loses, and stays
	apply_plan 0 cmdline:smt-enabled=4
	edit 's/smt-enabled=4/smt-enabled=2 &/' "boot/loader/entries/$new.conf"
	verified 0 '.settings[0].status' '"pending-reboot"'
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	[[ $(options "$new") == *'$tuned_params smt-enabled=2' ]]
	# the same as ours may have been there before: only the last one is in question
	bls "$new" 'root=/dev/sda2 smt-enabled=4 smt-enabled=8 ro'
	begin
	apply_plan 0 cmdline:smt-enabled=4
	edit 's/ smt-enabled=4 ro/ smt-enabled=2 ro/' "boot/loader/entries/$new.conf"
	left "says smt-enabled=2"
	[ "$(options "$new")" = 'root=/dev/sda2 smt-enabled=4 smt-enabled=2 ro' ]
	expect_status 0 "$LPARTUNE" revert --all --force --root "$tree"
	same_as_before
}

@test "RHEL, SLES: what others wrote between two applies, or two reverts, stays" {
	local loader file
	for loader in rhel9 rhel8 sles; do
		for file in "boot/loader/entries/$new.conf" etc/default/grub etc/kernel/cmdline; do
			[ "$loader" != sles ] || file=etc/default/grub
			"$loader"
			apply_plan 0 cmdline:smt-enabled=4
			edit '1s/^/# mine\n/' "$file"
			[ "$file" != etc/kernel/cmdline ] || edit 1d "$file"
			edit 's/^\(options .*\|root=.*\)$/& debug/; s/^\(GRUB_CMDLINE_LINUX.*\)"$/\1 debug"/' "$file"
			apply_plan 0 cmdline:no-steal-acc=present
			expect_status 0 "$LPARTUNE" revert cmdline:smt-enabled --root "$tree"
			expect_status 0 "$LPARTUNE" revert --all --root "$tree"
			grep -qw debug "$tree/$file" || fail "lost in $file: $(cat "$tree/$file")"
			run ! grep -rE 'smt-enabled|no-steal-acc' "$tree/etc" "$tree/boot"
			rm -r "${tree:?}"/{etc,boot}
		done
	done
}

@test "line ends of DOS, before apply and after it" {
	local loader file
	for loader in rhel9 sles; do
		"$loader"
		for file in etc/default/grub etc/kernel/cmdline "boot/loader/entries/$new.conf"; do
			[ ! -e "$tree/$file" ] || edit 's/$/\r/' "$file"
		done
		begin
		apply_plan 0 cmdline:smt-enabled=4
		verified 0 '.settings[0].status' '"pending-reboot"'
		expect_status 0 "$LPARTUNE" revert --all --root "$tree"
		same_as_before
		rm -r "${tree:?}"/{etc,boot}
	done
	debian
	apply_plan 0 cmdline:smt-enabled=4
	edit 's/$/\r/' "$dropin"
	verified 3 '[.settings[0].status, .files[0].status]' '["pending-reboot","edited"]'
	left 'was edited'
}

@test "bytes that are no text, by somebody else, keep nothing from being told" {
	rhel9
	put proc/sys/vm/swappiness 60
	begin
	apply_plan 0 cmdline:smt-enabled=4 sysctl:vm.swappiness=10
	edit 's/smt-enabled=4/smt-enabled=\xff\x1b/' "boot/loader/entries/$new.conf"
	printf 'vm.swappiness = \377\033[31m\n' >>"$tree/etc/sysctl.d/85-lpartune.conf"
	verified 3 '[.settings[].status] | unique' '["drift"]'
	expect_json '.files[0].status' '"edited"'
	expect_status 3 "$LPARTUNE" revert --all --root "$tree" --json
	expect_match 'says smt-enabled=\?\?' "$(jq -r '.settings[].detail' <<<"$output")"
	expect_status 0 "$LPARTUNE" revert --all --force --root "$tree" --json
	expect_json '[.files[].diff | test("swappiness = \\?\\?.31m")] | any' true
	put proc/sys/vm/swappiness 60
	[ ! -e "$tree/etc/sysctl.d/85-lpartune.conf" ]
	bls "$new" $'root=/dev/sda2 x=\377'
	refused 1 "'/boot/loader/entries/$new.conf': its name or its command line is not UTF-8" cmdline:smt-enabled=4
}

@test "SLES: /etc/default/grub is gone: that is no pending reboot" {
	sles
	apply_plan 0 cmdline:smt-enabled=4
	mv "$tree/etc/default/grub" "$work/grub"
	verified 3 '.settings[0] | [.status, .detail]' \
		'["drift","no boot entry has it, and the boot loader is not one that lpartune knows"]'
	mv "$work/grub" "$tree/etc/default/grub"
	verified 0 '.settings[0].status' '"pending-reboot"'
}

@test "RHEL: another value in /etc/default/grub or /etc/kernel/cmdline only" {
	local file
	for file in etc/default/grub etc/kernel/cmdline; do
		rhel9
		begin
		apply_plan 0 cmdline:smt-enabled=4
		edit s/smt-enabled=4/smt_enabled=off/ "$file"
		verified 3 '.settings[0] | [.status, .detail]' \
			"[\"conflict\",\"the entries have it, but /$file sets it to off: a new kernel comes with that\"]"
		left "'/$file' says smt_enabled=off"
		grep -q smt_enabled=off "$tree/$file"
		run ! grep -r smt-enabled "$tree/boot"
		expect_status 0 "$LPARTUNE" revert --all --force --root "$tree"
		same_as_before
	done
}

@test "RHEL: what is left can be applied and reverted again, and other parameters go their way" {
	rhel9
	begin
	apply_plan 0 cmdline:smt-enabled=4 cmdline:no-steal-acc=present
	edit s/smt-enabled=4/smt-enabled=2/ "boot/loader/entries/$new.conf"
	expect_status 3 "$LPARTUNE" revert --all --root "$tree" --json
	expect_json '[.settings[] | [.tunable, .status]] | sort' \
		'[["cmdline:no-steal-acc","reverted"],["cmdline:smt-enabled","drift"]]'
	run ! grep -r no-steal-acc "$tree/boot" "$tree/etc"
	apply_plan 0 cmdline:smt-enabled=4
	[ "$(entries smt-enabled=4)" -eq 2 ]
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	same_as_before
}

@test "SLES: another value in /etc/default/grub stays, is told, and --force takes it back" {
	sles
	begin
	apply_plan 0 cmdline:smt-enabled=4
	edit s/smt-enabled=4/smt-enabled=2/ etc/default/grub
	verified 3 '.settings[0] | [.status, .detail]' '["drift","/etc/default/grub sets it to 2"]'
	left "'/etc/default/grub' says smt-enabled=2"
	expect_status 0 "$LPARTUNE" revert --all --force --root "$tree"
	same_as_before
}

@test "SLES: a file that cannot be edited any more is named" {
	local way
	for way in "s/DEFAULT=\"\(.*\)\"/DEFAULT='\1'/" 's/^GRUB_CMDLINE_LINUX_DEFAULT/export &/' '$a GRUB_CMDLINE_LINUX_DEFAULT="x"'; do
		sles
		begin
		apply_plan 0 cmdline:smt-enabled=4
		edit "$way" etc/default/grub
		cp "$tree/etc/default/grub" "$work/edited"
		left "'/etc/default/grub'"
		cmp "$work/edited" "$tree/etc/default/grub"
		sed -i '/smt-enabled/d' "$tree/etc/default/grub"
		expect_status 0 "$LPARTUNE" revert --all --root "$tree"
		rm -r "${tree:?}/etc"
	done
}

@test "SLES, RHEL: what others wrote after a kill stays, and ours is gone" {
	local loader file=etc/default/grub
	for loader in sles rhel9; do
		"$loader"
		plan "$work/plan.json" cmdline:smt-enabled=4 cmdline:no-steal-acc=present
		# killed when the file is written and the books are not
		(strace -f -o /dev/null -e inject=renameat:signal=KILL:when="$([ "$loader" = sles ] && echo 3 || echo 6)" \
			"$LPARTUNE" apply --root "$tree" --plan "$work/plan.json" || true) &>/dev/null
		[ -e "$tree/var/lib/lpartune/journal.json" ]
		[ ! -e "$tree/var/lib/lpartune/state.json" ]
		grep -q 'smt-enabled=4 no-steal-acc' "$tree/$file"
		edit 's/console=hvc0/& debug/' "$file"
		expect_status 0 "$LPARTUNE" revert --all --root "$tree"
		expect_match "'/$file' was changed by somebody else since" "$stderr"
		grep -q 'console=hvc0 debug"' "$tree/$file" || fail "$(cat "$tree/$file")"
		run ! grep -rE 'smt-enabled|no-steal-acc' "$tree/etc" "$tree/boot"
		rm -r "${tree:?}"/{etc,boot}
	done
}
