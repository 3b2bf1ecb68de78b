#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Boot parameters where files differ from each other: each gets back what it had and nothing else;
# what cannot be done right is an error that names the file and the way out. B numbers are defects of
# other tools of the same kind.
# shellcheck disable=SC2016 # loader files have variables of their own
load helpers
load tree
load loaders

setup() {
	loaders_setup
	new=$id-5.14.0-427.el9.ppc64le
	old=$id-5.14.0-362.el9.ppc64le
}

entry() { printf '%s/boot/loader/entries/%s.conf' "$tree" "$1"; }

edit() { # SED FILE: as somebody else, whose file has a new time
	sed -i "$1" "$tree/$2"
}

@test "B67: an entry that had the parameter keeps it, the others lose it again" {
	rhel9
	bls "$old" 'root=/dev/sda2 no-steal-acc ro'
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	[ "$(entries no-steal-acc)" -eq 2 ]
	[ "$(options "$old")" = 'root=/dev/sda2 no-steal-acc ro' ]
	revert_all
}

@test "B67: the same after another setting, and after somebody has edited every file" {
	rhel9
	bls "$old" 'root=/dev/sda2 no-steal-acc ro'
	begin
	apply_plan 0 cmdline:no-steal-acc=present cmdline:smt-enabled=4
	expect_status 0 "$LPARTUNE" revert --root "$tree" cmdline:no-steal-acc
	[ "$(options "$old")" = 'root=/dev/sda2 no-steal-acc ro smt-enabled=4' ]
	[ "$(entries no-steal-acc)" -eq 1 ]
	edit 's/^options .*/& debug/' "boot/loader/entries/$old.conf"
	edit 's/^options .*/& debug/' "boot/loader/entries/$new.conf"
	edit 's/"$/ debug"/' etc/default/grub
	expect_status 0 "$LPARTUNE" revert --root "$tree" --all
	[ "$(options "$old")" = 'root=/dev/sda2 no-steal-acc ro debug' ]
	[[ "$(options "$new")" = *'$tuned_params debug' ]]
	edit 's/ debug$//' "boot/loader/entries/$old.conf"
	edit 's/ debug$//' "boot/loader/entries/$new.conf"
	edit 's/ debug"$/"/' etc/default/grub
	diff <(grep -v '^\S* [0-9.]*$' "$work/before") <(snapshot "$tree")
}

@test "only a file for new kernels lacks it: that one gets it, and goes back" {
	local lacks
	for lacks in etc/default/grub etc/kernel/cmdline; do
		rhel9
		sed -i 's/^options .*/& no-steal-acc/' "$(entry "$new")" "$(entry "$old")"
		sed -i 's/hvc0"/hvc0 no-steal-acc"/' "$tree/etc/default/grub"
		sed -i 's/$/ no-steal-acc/' "$tree/etc/kernel/cmdline"
		sed -i 's/ no-steal-acc//' "$tree/$lacks"
		begin
		apply_plan 0 cmdline:no-steal-acc=present
		expect_json '[.files[].path]' "[\"/$lacks\"]"
		grep -q no-steal-acc "$tree/$lacks"
		revert_all
	done
}

@test "an absent parameter comes back only where it was, each at its place" {
	rhel9
	bls "$new" 'powersave=off root=/dev/sda2  powersave=off   ro'
	bls "$old" 'root=/dev/sda2 ro'
	edit 's/console=tty0/powersave=off &/' etc/default/grub
	begin
	apply_plan 0 cmdline:powersave=absent cmdline:nohlt=present
	[ "$(options "$new")" = 'root=/dev/sda2    ro nohlt' ]
	run ! grep -r powersave "$tree/boot" "$tree/etc"
	expect_status 0 "$LPARTUNE" revert --root "$tree" cmdline:powersave
	[ "$(options "$new")" = 'powersave=off root=/dev/sda2  powersave=off   ro nohlt' ]
	[ "$(options "$old")" = 'root=/dev/sda2 ro nohlt' ]
	revert_all
}

@test "B71 B73: other values and longer names are other parameters" {
	rhel9
	bls "$new" 'root=/dev/sda2 ro xno-steal-acc no-steal-accx no-steal-acc=1x smt-enabled=44 nosmt-enabled=4'
	begin
	apply_plan 0 cmdline:smt-enabled=4
	[ "$(options "$new")" = 'root=/dev/sda2 ro xno-steal-acc no-steal-accx no-steal-acc=1x smt-enabled=4 nosmt-enabled=4' ]
	[[ "$(options "$old")" = *'ro'*'smt-enabled=4' ]]
	revert_all
}

@test "B81 B83: repeated parameters keep their number and order" {
	rhel9
	bls "$new" 'console=tty0 crashkernel=2G,high crashkernel=256M,low console=hvc0 console=ttyS0,115200 hugepagesz=16M hugepages=4 hugepagesz=16G hugepages=1'
	begin
	apply_plan 0 cmdline:no-steal-acc=present cmdline:smt-enabled=4
	[ "$(options "$new")" = 'console=tty0 crashkernel=2G,high crashkernel=256M,low console=hvc0 console=ttyS0,115200 hugepagesz=16M hugepages=4 hugepagesz=16G hugepages=1 no-steal-acc smt-enabled=4' ]
	revert_all
}

@test "B72 B76: special characters of others survive in every file" {
	rhel9
	bls "$new" 'memmap=32g\$0x2 a=b;c&d e=%f,g/h|i dyndbg="file x.c +p; file y.c +p" init=/bin/sh -- no-steal-acc'
	printf '%s\n' 'GRUB_CMDLINE_LINUX="memmap=32g\\\$0x2 dyndbg=\"file x.c +p\" a;b\`c"  # why' >"$tree/etc/default/grub"
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	[ "$(options "$new")" = 'memmap=32g\$0x2 a=b;c&d e=%f,g/h|i dyndbg="file x.c +p; file y.c +p" init=/bin/sh no-steal-acc -- no-steal-acc' ]
	[ "$(cat "$tree/etc/default/grub")" = \
		'GRUB_CMDLINE_LINUX="memmap=32g\\\$0x2 dyndbg=\"file x.c +p\" a;b\`c no-steal-acc"  # why' ]
	revert_all
}

@test "a value in quotes is the same value, and comes back in its quotes" {
	rhel9
	bls "$new" 'root=/dev/sda2 smt-enabled="2" ro "dyndbg=file x.c +p"'
	bls "$old" 'root=/dev/sda2 smt-enabled="4" ro'
	begin
	apply_plan 0 cmdline:smt-enabled=4
	[ "$(options "$new")" = 'root=/dev/sda2 smt-enabled=4 ro "dyndbg=file x.c +p"' ]
	[ "$(options "$old")" = 'root=/dev/sda2 smt-enabled="4" ro' ]
	revert_all
}

@test "what cannot be edited is told with the file and the way out" {
	rhel9
	printf "%s\n" "GRUB_CMDLINE_LINUX='quiet'" >"$tree/etc/default/grub"
	refused 1 "'/etc/default/grub': the command line is not one assignment in double quotes" cmdline:no-steal-acc=present
	rhel9
	printf '%s\n' 'GRUB_CMDLINE_LINUX="a"' 'GRUB_CMDLINE_LINUX="b"' >"$tree/etc/default/grub"
	refused 1 "'/etc/default/grub': the command line is assigned more than once: leave one" cmdline:no-steal-acc=present
	rhel9
	put etc/kernel/cmdline '# comment' 'root=/dev/sda2 ro'
	refused 1 "'/etc/kernel/cmdline': it has comments" cmdline:no-steal-acc=present
}

@test "an entry with two lines of options, or none, is an error that says which" {
	rhel9
	echo 'options quiet' >>"$(entry "$old")"
	refused 1 "'/boot/loader/entries/$old.conf': it has more than one line 'options': join them" cmdline:no-steal-acc=present
	rhel9
	sed -i '/^options/d' "$(entry "$old")"
	refused 1 "'/boot/loader/entries/$old.conf': it has no line 'options': add one" cmdline:no-steal-acc=present
	sed -i 's/^grub_users.*/options/' "$(entry "$old")"
	refused 1 "it has no line 'options'" cmdline:no-steal-acc=present
	# The same in an entry that is not ours to edit does not matter; nor does one without a kernel.
	rhel9
	echo 'options quiet' >>"$(entry "$id-0-rescue")"
	put boot/loader/entries/chain.conf 'title Other' 'efi /other.efi'
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	revert_all
}

@test "B16 B82: no boot entry of an installed kernel, no file: nothing is written" {
	rhel9
	rm "$tree"/boot/loader/entries/*
	unsupported 'there is no boot entry of an installed kernel (is /boot mounted?): add' cmdline:no-steal-acc=present
	bls "$id-0-rescue" 'root=/dev/sda2 ro'
	unsupported 'there is no boot entry of an installed kernel' cmdline:no-steal-acc=present
	rm -r "${tree:?}/boot"
	unsupported 'there is no boot entry of an installed kernel' cmdline:no-steal-acc=present
}

@test "entries of a grub.cfg without BLS are not taken for grubby's" {
	rhel9
	rm -r "$tree/boot/loader"
	put boot/grub2/grub.cfg "menuentry 'Linux' {" $'\tlinux /vmlinuz root=/dev/sda2 ro' '}'
	unsupported "/boot/grub2/grub.cfg are no boot loader specification entries" cmdline:no-steal-acc=present
	# and entries that GRUB does not look at are not asked
	debian
	put boot/loader/entries/stale.conf 'title Stale' 'linux /vmlinuz' 'options ro no-steal-acc'
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	expect_json '.files[0].path' '"/etc/default/grub.d/zz-lpartune.cfg"'
	revert_all
}

@test "B63: boom, rescue and image mode entries stay; words in parameters make none of these" {
	rhel9
	bls "$id-1a2b3c4-5.14.0-427.el9.ppc64le" 'root=/dev/vg/snap ro'
	bls "$id-0-rescue-9" 'root=/dev/sda2 ro'
	bls image 'root=/dev/sda2 ro ostree=/ostree/boot.1/y'
	bls "$new" 'root=/dev/vg/snapshot ro rd.lvm.lv=vg/snapshot boom=1 path=/ostree/x rescue'
	bls "$id-6.1.0-rescue-fix" 'root=/dev/sda2 ro'
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	[ "$(options "$new")" = 'root=/dev/vg/snapshot ro rd.lvm.lv=vg/snapshot boom=1 path=/ostree/x rescue no-steal-acc' ]
	[ "$(options "$id-6.1.0-rescue-fix")" = 'root=/dev/sda2 ro no-steal-acc' ]
	[ "$(entries no-steal-acc)" -eq 3 ]
	expect_status 0 "$LPARTUNE" verify --root "$tree"
	revert_all
}

@test "RHEL 8: every entry follows grubenv, the rescue entry too; what stands beside it agrees" {
	rhel8 'smt-enabled=2 console=hvc0'
	bls "$id-0-rescue" '$kernelopts'
	bls "$old" '$kernelopts smt-enabled=8 debug'
	bls "$id-4.18.0-1.el8.ppc64le" 'root=/dev/sda2 ro ${kernelopts} $tuned_params'
	bls "$id-4.18.0-2.el8.ppc64le" 'root=/dev/sda2 ro smt-enabled=1'
	begin
	apply_plan 0 cmdline:smt-enabled=4 cmdline:no-steal-acc=present
	grep -q '^kernelopts=root=/dev/sda2 ro smt-enabled=4 console=hvc0 no-steal-acc *$' "$tree/boot/grub2/grubenv"
	[ "$(options "$id-0-rescue")" = '$kernelopts' ]
	[ "$(options "$new")" = '$kernelopts $tuned_params' ]
	[ "$(options "$old")" = '$kernelopts smt-enabled=4 debug' ]
	[ "$(options "$id-4.18.0-1.el8.ppc64le")" = 'root=/dev/sda2 ro ${kernelopts} $tuned_params' ]
	[ "$(options "$id-4.18.0-2.el8.ppc64le")" = 'root=/dev/sda2 ro smt-enabled=4 no-steal-acc' ]
	expect_status 0 "$LPARTUNE" verify --root "$tree" --json
	expect_json '.pending' 2
	revert_all
}

@test "RHEL 8: absent means beside \$kernelopts too, and each comes back" {
	rhel8 'powersave=off console=hvc0'
	bls "$old" '$kernelopts powersave=off debug'
	begin
	apply_plan 0 cmdline:powersave=absent
	run ! grep -r powersave "$tree/boot"
	revert_all
}

@test "RHEL 8: \$kernelopts without a value in grubenv, and tuned's variable against us" {
	rhel8
	grubenv saved_entry=x
	refused 1 'it says $kernelopts, and grubenv has none' cmdline:no-steal-acc=present
	rhel8
	grubenv 'kernelopts=root=/dev/sda2 ro' 'tuned_params=smt-enabled=2'
	refused 1 'a variable of grubenv (tuned_params?) would give the parameter another value' cmdline:smt-enabled=4
}

@test "B62 B67: the value is written out, and a second apply of it touches no file" {
	rhel8
	apply_plan 0 cmdline:no-steal-acc=present cmdline:smt-enabled=4
	run ! grep -r lpartune "$tree/boot"
	begin
	apply_plan 0 cmdline:no-steal-acc=present cmdline:smt-enabled=4
	expect_json .outcome '"nothing"'
	diff <(grep -v history "$work/before") <(whole_snapshot | grep -v history)
}

@test "another value, applied twice: the revert goes back to the first" {
	rhel9
	bls "$old" 'root=/dev/sda2 smt-enabled=2 ro'
	bls "$new" 'root=/dev/sda2 smt-enabled=8 ro'
	begin
	apply_plan 0 cmdline:smt-enabled=4
	apply_plan 0 cmdline:smt-enabled=8
	[ "$(options "$old")" = 'root=/dev/sda2 smt-enabled=8 ro' ]
	apply_plan 0 cmdline:smt-enabled=absent
	[ "$(entries 'smt-enabled=.*')" -eq 0 ]
	revert_all
	# a value that an entry had from the start is its own, also if ours came to be the same
	apply_plan 0 cmdline:smt-enabled=8
	apply_plan 0 cmdline:smt-enabled=4
	[ "$(options "$new")" = 'root=/dev/sda2 smt-enabled=4 ro' ]
	revert_all
}

@test "B60: a kernel that came in since has the parameter once, and loses it" {
	rhel9
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	put "boot/loader/entries/$id-5.15.0.conf" 'linux /vmlinuz-5.15.0' "options $(cat "$tree/etc/kernel/cmdline")"
	apply_plan 0 cmdline:no-steal-acc=present
	expect_json .outcome '"nothing"'
	put "boot/loader/entries/$id-5.16.0.conf" 'linux /vmlinuz-5.16.0' 'options root=/dev/sda2 ro'
	expect_status 3 "$LPARTUNE" verify --root "$tree" --json
	expect_json '.settings[0].detail | test("5.16.0.conf does not have it")' true
	apply_plan 0 cmdline:no-steal-acc=present
	[ "$(entries no-steal-acc)" -eq 4 ]
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	[ "$(options "$id-5.15.0")" = 'root=/dev/sda2 ro crashkernel=2G-4G:384M,4G-16G:512M' ]
	[ "$(options "$id-5.16.0")" = 'root=/dev/sda2 ro' ]
	rm "$(entry "$id-5.15.0")" "$(entry "$id-5.16.0")"
	same_as_before
}

@test "an entry that is gone is not brought back, and of one made anew nothing old is known" {
	rhel9
	apply_plan 0 cmdline:no-steal-acc=present
	rm "$(entry "$old")"
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	[ ! -e "$(entry "$old")" ]
	bls "$old" 'root=/dev/other ro'
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	revert_all
}

@test "Debian: a drop-in of ours is adopted when the records are lost" {
	debian
	begin
	apply_plan 0 cmdline:no-steal-acc=present cmdline:smt-enabled=4
	rm -r "$tree/var/lib/lpartune"
	expect_status 3 "$LPARTUNE" verify --root "$tree" --json
	expect_match 'record of what is applied is lost: cmdline:smt-enabled=4 was found in /etc/default/grub.d' \
		"$(jq -r '.notes[]' <<<"$output")"
	apply_plan 0 cmdline:transparent_hugepage=never
	grep -q '}no-steal-acc smt-enabled=4 transparent_hugepage=never"$' "$tree/etc/default/grub.d/zz-lpartune.cfg"
	expect_status 0 "$LPARTUNE" revert --root "$tree" cmdline:smt-enabled
	grep -q '}no-steal-acc transparent_hugepage=never"$' "$tree/etc/default/grub.d/zz-lpartune.cfg"
	rm -r "$tree/var/lib/lpartune"
	expect_status 0 "$LPARTUNE" revert --root "$tree" --all
	[ ! -e "$tree/etc/default/grub.d/zz-lpartune.cfg" ]
	rm -rf "$tree/var/lib/lpartune"
	diff <(grep -v '/etc/default/grub.d/zz' "$work/before") <(whole_snapshot)
}

@test "Debian: a file of our name that somebody else wrote or edited is left alone" {
	local text
	for text in 'GRUB_CMDLINE_LINUX_DEFAULT="mine"' \
		'# Written by lpartune; `lpartune revert` takes it back.
GRUB_CMDLINE_LINUX_DEFAULT="${GRUB_CMDLINE_LINUX_DEFAULT:+$GRUB_CMDLINE_LINUX_DEFAULT }no-steal-acc mine=1"'; do
		debian
		put etc/default/grub.d/zz-lpartune.cfg "$text"
		refused 1 'was edited since lpartune wrote it' cmdline:smt-enabled=4
		plan "$work/plan.json" cmdline:smt-enabled=4
		expect_status 0 "$LPARTUNE" apply --root "$tree" --plan "$work/plan.json" --force
		revert_all
	done
}

@test "Debian: what the first apply set, a later one may take out; what others set it may not" {
	debian
	begin
	apply_plan 0 cmdline:smt-enabled=4
	apply_plan 0 cmdline:smt-enabled=absent
	[ ! -e "$tree/etc/default/grub.d/zz-lpartune.cfg" ]
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	edit 's/console=hvc0/& powersave=off/' boot/grub/grub.cfg
	begin
	apply_plan 1 cmdline:powersave=absent
	expect_json '.settings[0].status' '"unsupported"'
	expect_json '.settings[0].detail | test("take .powersave. out")' true
	same_as_before
}

@test "Debian: entries have it and no file that they are made from: the drop-in is written" {
	debian
	edit 's/console=hvc0/& no-steal-acc/' boot/grub/grub.cfg
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	expect_json '.files[0].path' '"/etc/default/grub.d/zz-lpartune.cfg"'
	revert_all
	edit 's/console=hvc0/& no-steal-acc/' etc/default/grub.d/50-cloudimg-settings.cfg
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	expect_json .files '[]'
	revert_all
}

@test "B64 B66: submenus count, other systems' entries do not, a grub.cfg may be empty" {
	debian
	put boot/grub/grub.cfg '### BEGIN /etc/grub.d/10_linux ###' \
		"menuentry 'Debian' {" $'\tlinux /vmlinuz ro no-steal-acc' '}' \
		"submenu 'Advanced' {" "menuentry 'Debian, with Linux 6.1-snapshot' {" $'\tlinux /vmlinuz-6.1 ro' '}' \
		"menuentry 'Debian (Wiederherstellung)' \$menuentry_id_option 'gnulinux-6.1-recovery-1' {" $'\tlinux /vmlinuz-6.1 ro single' '}' '}' \
		'### END /etc/grub.d/10_linux ###' '### BEGIN /etc/grub.d/30_os-prober ###' \
		"menuentry 'Other (on /dev/sdb)' {" $'\tlinux /vmlinuz other' '}' '### END /etc/grub.d/30_os-prober ###'
	put etc/default/grub.d/70-site.cfg 'GRUB_CMDLINE_LINUX_DEFAULT="no-steal-acc"'
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	expect_json '.files[0].path' '"/etc/default/grub.d/zz-lpartune.cfg"'
	revert_all
	edit 's/6.1 ro$/& no-steal-acc/' boot/grub/grub.cfg
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	expect_json .files '[]'
	revert_all
	put boot/grub/grub.cfg
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	revert_all
	rm "$tree/boot/grub/grub.cfg"
	ln -s /nowhere/grub.cfg "$tree/boot/grub/grub.cfg"
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	revert_all
}

@test "SLES: entries have it and /etc/default/grub has not; the line for recovery is not ours" {
	sles
	edit 's/console=hvc0/& no-steal-acc/' boot/grub2/grub.cfg
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	expect_json '[.files[].path]' '["/etc/default/grub"]'
	revert_all
	sles
	edit 's/LINUX=""/LINUX="powersave=off"/' etc/default/grub
	edit 's/UUID=x/& powersave=off/' boot/grub2/grub.cfg
	refused 1 'the parameter stands in GRUB_CMDLINE_LINUX, which recovery entries use too' cmdline:powersave=absent
}

@test "SLES: an assignment that was missing is made, and goes again" {
	sles
	put etc/default/grub 'GRUB_TIMEOUT=5'
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	grep -qx 'GRUB_CMDLINE_LINUX_DEFAULT="no-steal-acc"' "$tree/etc/default/grub"
	revert_all
	put boot/grub2/grub.cfg "menuentry 'x' {" $'\tlinux /vmlinux powersave=off' '}'
	begin
	apply_plan 0 cmdline:powersave=absent
	expect_json .files '[]'
	revert_all
}

@test "RHEL: tuned's line in /etc/default/grub is passed over, a plain second one is edited" {
	rhel9
	echo 'GRUB_CMDLINE_LINUX_DEFAULT="${GRUB_CMDLINE_LINUX_DEFAULT:+$GRUB_CMDLINE_LINUX_DEFAULT }\$tuned_params"' >>"$tree/etc/default/grub"
	begin
	apply_plan 0 cmdline:smt-enabled=4
	grep -q 'hvc0 smt-enabled=4"$' "$tree/etc/default/grub"
	revert_all
	edit '$s/.*/GRUB_CMDLINE_LINUX_DEFAULT="smt-enabled=2 quiet"/' etc/default/grub
	begin
	apply_plan 0 cmdline:smt-enabled=4
	grep -qx 'GRUB_CMDLINE_LINUX_DEFAULT="smt-enabled=4 quiet"' "$tree/etc/default/grub"
	revert_all
}

@test "B78: modes, owners, links, hard links, ACLs and attributes stay in every file" {
	rhel8
	local file=boot/loader/entries/$old.conf
	bls "$old" 'root=/dev/sda2 ro'
	chmod 600 "$tree/$file"
	chown 12:34 "$tree/$file"
	setfacl -m u:daemon:r "$tree/$file"
	setfattr -n user.note -v kept "$tree/$file"
	ln "$tree/etc/kernel/cmdline" "$tree/etc/kernel/second"
	mv "$tree/etc/default/grub" "$tree/etc/grub.real"
	ln -s ../grub.real "$tree/etc/default/grub"
	mkdir "$tree/boot/env"
	mv "$tree/boot/grub2/grubenv" "$tree/boot/env/grubenv"
	ln -s /boot/env/grubenv "$tree/boot/grub2/grubenv"
	touch -d @1000000000.123456789 "$tree/$file" "$tree/boot/env/grubenv" "$tree/etc/grub.real" "$tree/etc/kernel/cmdline"
	begin
	apply_plan 0 cmdline:no-steal-acc=present
	diff <(cut -d' ' -f1-6 "$work/before" | grep -E '^\./(boot|etc)' | grep -v '[0-9]\.[0-9]*$') \
		<(snapshot "$tree" | cut -d' ' -f1-6 | grep -E '^\./(boot|etc)')
	[ "$(entries no-steal-acc)" -eq 1 ]
	grep -q no-steal-acc "$tree/etc/kernel/second"
	revert_all
}

@test "B65: several parameters are taken out at once" {
	rhel9
	bls "$new" 'root=/dev/sda2 nohlt idle=poll powersave=off ro'
	begin
	apply_plan 0 cmdline:powersave=absent cmdline:nohlt=absent cmdline:idle=absent
	[ "$(options "$new")" = 'root=/dev/sda2 ro' ]
	revert_all
}

@test "B18: an apply that is refused leaves what was applied as it was" {
	rhel9
	apply_plan 0 cmdline:no-steal-acc=present
	bls "$old" "root=/dev/sda2 $(printf '%01985d' 0 | tr 0 x) no-steal-acc"
	refused 1 "'/boot/loader/entries/$old.conf': the command line would be longer than the 2047 bytes" \
		cmdline:smt-enabled=4 cmdline:numa_balancing=disable
	expect_status 0 "$LPARTUNE" verify --root "$tree" --json
	expect_json '[.settings[].tunable]' '["cmdline:no-steal-acc"]'
}

@test "limits: what GRUB puts before the line counts; grubenv is named" {
	rhel9
	bls "$new" "root=/dev/sda2 $(printf '%01950d' 0 | tr 0 x)"
	apply_plan 0 cmdline:no-steal-acc=present
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	put proc/cmdline "BOOT_IMAGE=(ieee1275//vdevice/v-scsi@30000003/disk@8100000000000000,gpt2)/vmlinuz-5.14.0 root=/dev/sda2 ro"
	refused 1 'longer than the 2047 bytes' cmdline:no-steal-acc=present
	rhel8 "$(printf '%0930d' 0 | tr 0 x)"
	refused 1 "'/boot/grub2/grubenv': its block has 1024 bytes" cmdline:smt-enabled=4 cmdline:no-steal-acc=present
}

@test "GRUB's own tool reads the block that we wrote, and goes on with it" {
	rhel8
	apply_plan 0 cmdline:no-steal-acc=present
	run -0 grub-editenv "$tree/boot/grub2/grubenv" list
	[ "${lines[1]}" = 'kernelopts=root=/dev/sda2 ro console=hvc0 no-steal-acc ' ]
	grub-editenv "$tree/boot/grub2/grubenv" set next_entry=x
	expect_status 0 "$LPARTUNE" verify --root "$tree" --json
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	run -0 grub-editenv "$tree/boot/grub2/grubenv" list
	[ "$output" = $'saved_entry=x\nkernelopts=root=/dev/sda2 ro console=hvc0 \nnext_entry=x' ]
}

@test "B75: file and directory are on the disk before the next step" {
	rhel9
	plan "$work/plan.json" cmdline:no-steal-acc=present
	run -0 strace -y -e trace=fsync,renameat -o "$work/trace" "$LPARTUNE" apply --root "$tree" --plan "$work/plan.json"
	run -0 grep -A1 "renameat.*$new.conf" "$work/trace"
	[[ ${lines[1]} == fsync*entries* ]]
	run -0 grep -B1 "renameat.*$new.conf" "$work/trace"
	[[ ${lines[0]} == fsync*lpartune-new* ]]
}

@test "B74 B77: in a tree no program is started, and grub.cfg is not touched" {
	debian
	plan "$work/plan.json" cmdline:no-steal-acc=present
	edit "s/menuentry 'Debian'/menuentry 'Debian \"nested '\"'\"'quotes'\"'\"'\"'/" boot/grub/grub.cfg
	sha256sum "$tree/boot/grub/grub.cfg" >"$work/sum"
	local what
	for what in inspect recommend verify "apply --plan $work/plan.json" 'apply --yes' 'revert --all'; do
		# shellcheck disable=SC2086
		strace -f -e trace=execve,fork,vfork,clone,clone3 -o "$work/trace" "$LPARTUNE" $what --root "$tree" >/dev/null || true
		[ "$(grep -c exec "$work/trace")" -eq 1 ]
	done
	sha256sum -c "$work/sum"
}

@test "B82: dry-run tells every file and writes none" {
	rhel9
	plan "$work/plan.json" cmdline:no-steal-acc=present
	begin
	expect_status 0 "$LPARTUNE" apply --dry-run --root "$tree" --plan "$work/plan.json" --json
	expect_json '[.files[].path] | length' 4
	expect_json '[.files[].diff | test("\\+.*no-steal-acc")] | all' true
	same_as_before
}

@test "verify: why a parameter is not in force after a reboot" {
	rhel9
	apply_plan 0 cmdline:no-steal-acc=present
	grubenv "saved_entry=$id-0-rescue"
	expect_status 0 "$LPARTUNE" verify --root "$tree" --json
	expect_json '.settings[0].detail' "\"the next boot uses /boot/loader/entries/$id-0-rescue.conf, which does not get it\""
	grubenv "next_entry=$new" "saved_entry=$id-0-rescue"
	expect_status 0 "$LPARTUNE" verify --root "$tree" --json
	expect_json '.settings[0].detail' null
	put proc/sys/kernel/random/boot_id 5d2f9c1e-0000-4000-8000-000000000002
	while IFS='|' read -r cmdline why; do
		put proc/cmdline "$cmdline"
		expect_status 3 "$LPARTUNE" verify --root "$tree" --json
		expect_json '.settings[0].status' '"not-effective"'
		expect_match "$why" "$(jq -r '.settings[0].detail' <<<"$output")"
	done <<-END
		root=/dev/sda2 ro|kexec or from the network
		BOOT_IMAGE=(hd0)/vmlinuz-0-rescue root=/dev/sda2 ro|booted with the rescue entry of /boot/loader/entries/$id-0-rescue.conf
		BOOT_IMAGE=(hd0)/vmlinuz-ostree-1 root=/dev/sda2|another's entry
		BOOT_IMAGE=(hd0)/vmlinuz-9.9 root=/dev/sda2|no boot entry
		BOOT_IMAGE=(hd0)/vmlinuz-5.14.0-427.el9.ppc64le root=/dev/sda2 ro|edited in GRUB's menu
		BOOT_IMAGE=(hd0)/vmlinuz-5.14.0-427.el9.ppc64le root=/dev/sda2 $(printf '%02047d' 0)|cut off at 2048
	END
}

@test "verify: an entry, or a file for new kernels, that lacks it is named" {
	rhel9
	apply_plan 0 cmdline:no-steal-acc=present
	put proc/cmdline 'BOOT_IMAGE=/x root=/dev/sda2 no-steal-acc'
	edit 's/ no-steal-acc//' etc/kernel/cmdline
	expect_status 3 "$LPARTUNE" verify --root "$tree" --json
	expect_json '.settings[0] | [.status, .detail]' \
		'["conflict","the entries have it, but /etc/kernel/cmdline has not: a new kernel comes without it"]'
	edit 's/ no-steal-acc//' "boot/loader/entries/$old.conf"
	expect_status 3 "$LPARTUNE" verify --root "$tree" --json
	expect_json '.settings[0] | [.status, .detail]' \
		"[\"conflict\",\"in force, but /boot/loader/entries/$old.conf does not have it: gone at the next boot\"]"
	put proc/cmdline 'BOOT_IMAGE=/x root=/dev/sda2'
	expect_status 3 "$LPARTUNE" verify --root "$tree" --json
	expect_json '.settings[0] | [.status, .detail]' \
		"[\"drift\",\"/boot/loader/entries/$old.conf does not have it any more\"]"
	sles
	put proc/cmdline 'BOOT_IMAGE=/x root=/dev/sda2'
}
