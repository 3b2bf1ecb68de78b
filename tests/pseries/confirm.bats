#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A boot parameter from apply --confirm to confirm, over a real boot: sessions of two boots, on the
# side that the running kernel's command line tells. grubby is a stand-in; no verdict is expected of one
# session on each side.
load lab

setup_file() {
	local tree=$BATS_FILE_TMPDIR/tree
	mkdir -p "$tree"/etc/default "$tree/boot/loader/entries" "$tree/bin"
	echo 'ID="rhel"' >"$tree/etc/os-release"
	printf '%s\n' 'GRUB_CMDLINE_LINUX="crashkernel=512M"' 'GRUB_ENABLE_BLSCFG=true' >"$tree/etc/default/grub"
	printf '%s\n' 'title Linux' 'linux /vmlinuz' 'options root=/dev/sda2 ro crashkernel=512M' \
		>"$tree/boot/loader/entries/m-6.12.0.conf"
	cat >"$tree/bin/grubby" <<'STAND_IN'
#!/bin/sh
# stand-in: grubby --update-kernel=ALL --args=K=V
[ "$1" = --update-kernel=ALL ] || exit 1
case $2 in --args=*) ;; *) exit 1 ;; esac
sed -i "s/^options .*/& ${2#--args=}/" /boot/loader/entries/*.conf
sed -i "s/^GRUB_CMDLINE_LINUX=\"\(.*\)\"/GRUB_CMDLINE_LINUX=\"\1 ${2#--args=}\"/" /etc/default/grub
STAND_IN
	chmod +x "$tree/bin/grubby"
	boot before --tree "$tree" <<'G'
mkdir -p /var/lib /run
echo '{"settings":[{"tunable":"cmdline:no-steal-acc","to":"present"}]}' >/tmp/plan.json
lpartune apply --plan /tmp/plan.json --confirm --json >/out/apply.json 2>/out/apply.err; echo $? >/out/apply.rc
lpartune verify --json >/out/verify.json
mkdir -p /out/tree/var/lib && cp -r /etc /boot /out/tree/ && cp -r /var/lib/lpartune /out/tree/var/lib/
G
	mkdir -p "$BATS_FILE_TMPDIR/before/tree"
	boot after --tree "$BATS_FILE_TMPDIR/before/tree" --append no-steal-acc <<'G'
mkdir -p /var/lib /run
lpartune verify --json >/out/booted.json
lpartune confirm --json >/out/confirm.json 2>/out/confirm.err; echo $? >/out/confirm.rc
lpartune verify --json >/out/verify.json
G
}

@test "the first boot: configured, a session measured, and waiting" {
	[ "$(cat "$(brought before/apply.rc)")" -eq 0 ] || fail "$(cat "$(brought before/apply.err)")"
	expect_value before/apply.json '.settings[0].status' '"pending-reboot"'
	grep -q no-steal-acc "$(brought before/tree/boot/loader/entries/m-6.12.0.conf)"
	expect_value before/tree/var/lib/lpartune/confirm.json '[.sessions[].side]' '["before"]'
}

@test "the second boot: in force, and its session is one after" {
	[ "$(cat "$(brought after/confirm.rc)")" -eq 0 ] || fail "$(cat "$(brought after/confirm.err)")"
	expect_value after/booted.json '.settings[0].status' '"ok"'
	expect_value after/confirm.json '[.side, .sessions.before, .sessions.after]' '["after",1,1]'
	expect_value after/confirm.json '[.verdict, .reason, .warning]' \
		'["undecided","too few sessions","sequential: not protected from drift"]'
	expect_value after/confirm.json '.comparison.results | length > 1' true
	expect_value after/verify.json '.settings[0].confirmed' \
		'"undecided (1 session before, 1 after: too few sessions; sequential: not protected from drift)"'
}
