#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel locked down for integrity, as with secure boot: the scheduler's features cannot be read,
# the lppacas can.
load lab

setup_file() {
	boot guest --append lockdown=integrity <<'G'
cat /sys/kernel/security/lockdown >/out/lockdown
cat /sys/kernel/debug/sched/features >/out/features 2>/dev/null; echo $? >/out/features.rc
lpartune inspect --json >/out/inspect.json 2>/out/inspect.err; echo $? >/out/inspect.rc
G
}

@test "the guest is locked down, its scheduler features too" {
	grep -Fq '[integrity]' "$(brought guest/lockdown)"
	[ "$(cat "$(brought guest/features.rc)")" -ne 0 ]
}

@test "inspect says so, and tells the rest as ever" {
	[ "$(cat "$(brought guest/inspect.rc)" "$(brought guest/inspect.err)")" = 0 ]
	expect_fact guest/inspect.json kernel.lockdown '"integrity"'
	expect_fact guest/inspect.json lppaca.shared true
	expect_fact guest/inspect.json cpu.online 4
}
