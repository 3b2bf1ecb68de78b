#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The other LPARs: a real s390x kernel. Under QEMU it says dedicated LPAR and KVM guest at once, and
# its /proc/stat counts absurd times: nothing of that may be believed blindly.
load lab

setup_file() {
	boot guest <<'G'
lpartune inspect --json >/out/inspect.json 2>/out/inspect.err; echo $? >/out/inspect.rc
lpartune inspect >/out/inspect.txt 2>&1
lpartune sample --json --per-cpu 0.5 4 >/out/sample.jsonl 2>/out/sample.err; echo $? >/out/sample.rc
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

@test "sample ends well; what it shows is a share of the time, or has a reason" {
	local wrong
	[ "$(cat "$(brought guest/sample.rc)" "$(brought guest/sample.err)")" = 0 ] ||
		fail "$(cat "$BATS_FILE_TMPDIR/guest/sample.err")"
	[ "$(wc -l <"$(brought guest/sample.jsonl)")" -eq 4 ]
	wrong=$(jq -c '(. as $row | .system + {absent: $row.absent}), .cpus[] | . as $set | to_entries[] |
		select((.key | endswith("_pct")) and (if .value == null then $set.absent[.key] == null
			else .value < 0 or .value > 100.000001 end))' "$(brought guest/sample.jsonl)")
	[ -z "$wrong" ] || fail "$wrong"
}
