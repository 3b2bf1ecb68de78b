#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The other LPARs: a real s390x kernel. Under QEMU it says dedicated LPAR and KVM guest at once, and
# its /proc/stat counts absurd times: nothing of that may be believed blindly.
load lab

setup_file() {
	boot guest <<'G'
lpartune inspect --json >/out/inspect.json 2>/out/inspect.err; echo $? >/out/inspect.rc
lpartune inspect >/out/inspect.txt 2>&1
cat /proc/stat >/out/stat
cat /proc/sysinfo >/out/sysinfo
uname -r >/out/release
G
}

@test "the guest is what it is known to be" {
	grep -q 'LPAR Characteristics: Dedicated' "$(brought guest/sysinfo)"
	grep -q 'VM00 Control Program: KVM/Linux' "$(brought guest/sysinfo)"
	awk '$1 == "cpu" && $9 > 1e9 { found = 1 } END { exit !found }' "$(brought guest/stat)"
}

@test "inspect ends well and silent" {
	[ "$(cat "$(brought guest/inspect.rc)" "$(brought guest/inspect.err)")" = 0 ]
}

@test "architecture, platform, hypervisor, mode" {
	expect_fact guest/inspect.json arch '"s390x"'
	expect_fact guest/inspect.json platform '"s390"'
	expect_fact guest/inspect.json hypervisor '"kvm"'
	expect_fact guest/inspect.json lpar.mode '"not-applicable"'
}

@test "processors and kernel" {
	expect_fact guest/inspect.json cpu.online 4
	expect_fact guest/inspect.json kernel.release "\"$(cat "$(brought guest/release)")\""
}

@test "what is absent on s390x has a reason, and steal is never more than all of the time" {
	expect_fact guest/inspect.json lppaca.shared null
	expect_value guest/inspect.json '.facts["lppaca.shared"].reason | type' '"string"'
	expect_value guest/inspect.json '.facts["steal.since_boot"] | (.value == null or .value <= 100)' true
}
