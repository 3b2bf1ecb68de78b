#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# apply, verify and revert on the kernel's own files: features, knobs, idle states, SMT, huge pages,
# sysctls; what other writers do in between; CPUs that go and come; lockdown.
load lab

setup_file() {
	boot guest --cpus 4 --threads 4 <<'G'
idle=$(cat /sys/devices/system/cpu/cpu0/cpuidle/state1/name)
show() {
	cat /sys/kernel/debug/sched/features /sys/kernel/debug/sched/migration_cost_ns
	cat /proc/sys/kernel/numa_balancing /proc/sys/vm/dirty_ratio /proc/sys/vm/dirty_bytes
	cat /sys/kernel/mm/transparent_hugepage/enabled
	cat /sys/devices/system/cpu/cpu?/cpuidle/state?/disable /sys/devices/system/cpu/online
	find /etc /var/lib -type f 2>/dev/null | grep -v lpartune/history | sort
}
cat >/tmp/plan.json <<'P'
{"settings":[{"tunable":"feature:NONTASK_CAPACITY","to":"off"},{"tunable":"feature:WA_BIAS","to":"off"},
{"tunable":"sched:migration_cost_ns","to":"700000"},{"tunable":"sysctl:vm.dirty_bytes","to":"100000000"},
{"tunable":"sysctl:vm.swappiness","to":"10"},{"tunable":"thp:enabled","to":"never"},
{"tunable":"cpuidle:CEDE","to":"off"},{"tunable":"cpuidle:snooze","to":"off"}]}
P
echo '{"settings":[{"tunable":"smt","to":"2"}]}' >/tmp/smt.json
mkdir -p /etc /var/lib /run
show >/out/before
lpartune apply --plan /tmp/plan.json --json >/out/apply.json 2>/out/apply.err; echo $? >/out/apply.rc
show >/out/applied
lpartune apply --plan /tmp/plan.json --json >/out/again.json
lpartune verify --json >/out/verify.json; echo $? >/out/verify.rc
echo madvise >/sys/kernel/mm/transparent_hugepage/enabled
lpartune verify --json >/out/drift.json; echo $? >/out/drift.rc
lpartune revert --all --json >/out/left.json 2>/dev/null; echo $? >/out/left.rc
lpartune revert --all --force --json >/out/revert.json 2>/out/revert.err; echo $? >/out/revert.rc
show >/out/after
echo '{"settings":[{"tunable":"sched:base_slice_ns","to":"4000000"}]}' >/tmp/slice.json
cat /sys/kernel/debug/sched/base_slice_ns /sys/kernel/debug/sched/min_granularity_ns >/out/slice.before 2>/dev/null
lpartune apply --plan /tmp/slice.json >/dev/null
echo 0 >/sys/devices/system/cpu/cpu3/online
lpartune verify --json >/out/slice.offline.json
echo 1 >/sys/devices/system/cpu/cpu3/online
lpartune apply --online --json >/out/slice.online.json; echo $? >/out/slice.rc
lpartune verify --json >/out/slice.verify.json
lpartune revert --all >/out/slice.revert 2>&1
cat /sys/kernel/debug/sched/base_slice_ns /sys/kernel/debug/sched/min_granularity_ns >/out/slice.after 2>/dev/null
cat >/tmp/pair.json <<'P'
{"settings":[{"tunable":"sysctl:vm.dirty_ratio","to":"15"}]}
P
lpartune apply --plan /tmp/plan.json >/dev/null; lpartune apply --plan /tmp/pair.json --json >/out/pair.json
lpartune verify --json >/out/pair.verify.json
lpartune revert --all >/out/pair.revert 2>&1; echo $? >/out/pair.rc
show >/out/pair.after
lpartune apply --plan /tmp/smt.json >/dev/null; lpartune apply --plan /tmp/plan.json >/dev/null
echo 0 >/sys/devices/system/cpu/cpu1/online
lpartune revert --all --json >/out/offline.json 2>/dev/null; echo $? >/out/offline.rc
echo 1 >/sys/devices/system/cpu/cpu1/online
lpartune revert --all >/out/offline.revert 2>&1; echo $? >/out/offline-revert.rc
show >/out/offline.after
lpartune apply --plan /tmp/smt.json --json >/out/smt.json 2>/out/smt.err; echo $? >/out/smt.rc
cat /sys/devices/system/cpu/online >/out/smt.online
lpartune apply --plan /tmp/plan.json >/dev/null
lpartune revert smt >/out/smt-revert 2>&1; echo $? >/out/smt-revert.rc
cat /sys/devices/system/cpu/online >/out/smt-reverted.online
lpartune verify --json >/out/online.json
lpartune apply --boot --json >/out/boot.json; lpartune verify --json >/out/online-after.json
lpartune revert --all >/out/last 2>&1; echo $? >/out/last.rc
show >/out/end
lpartune verify --history --json >/out/history.json
G
	boot locked --cpus 4 --append lockdown=integrity <<'G'
echo '{"settings":[{"tunable":"feature:NONTASK_CAPACITY","to":"off"},{"tunable":"sysctl:vm.swappiness","to":"10"}]}' >/tmp/plan.json
mkdir -p /etc /var/lib /run
lpartune apply --plan /tmp/plan.json --json >/out/apply.json 2>/out/apply.err; echo $? >/out/apply.rc
cat /proc/sys/vm/swappiness >/out/swappiness
G
}

rc() { [ "$(cat "$(brought "guest/$1.rc")")" -eq "$2" ] || fail "$1: $(cat "$(brought "guest/$1.rc")"): $(cat "$BATS_FILE_TMPDIR/guest/$1.err")"; }

@test "every value is written and read back" {
	rc apply 0
	expect_value guest/apply.json '[.settings[].status] | unique' '["changed"]'
	grep -q NO_NONTASK_CAPACITY "$(brought guest/applied)"
	grep -qx 700000 "$(brought guest/applied)"
	grep -Fq '[never]' "$(brought guest/applied)"
	expect_value guest/again.json .outcome '"nothing"'
	rc verify 0
	expect_value guest/verify.json .different 0
}

@test "another writer's value is drift, is left, and is taken only by force" {
	rc drift 3
	expect_value guest/drift.json '[.settings[] | select(.status != "ok") | [.tunable, .status]]' \
		'[["thp:enabled","drift"]]'
	rc left 3
	rc revert 0
}

@test "everything is as before" {
	diff "$(brought guest/before)" "$(brought guest/after)"
	rc last 0
	diff "$(brought guest/before)" "$(brought guest/end)"
}

@test "threads go offline and come back, with or without smt/control" {
	rc smt 0
	[ "$(cat "$(brought guest/smt.online)")" = 0-1 ]
	rc smt-revert 0
	[ "$(cat "$(brought guest/smt-reverted.online)")" = 0-3 ]
}

@test "CPUs that came online later are pending until the next apply at boot" {
	expect_value guest/online.json '[.settings[] | select(.tunable | startswith("cpuidle")) | .status] | unique' \
		'["pending-online"]' '["ok"]'
	expect_value guest/online-after.json .different 0
}

@test "lockdown: locked, not absent, and the rest is done" {
	expect_value locked/apply.json '[.settings[] | [.tunable, .status]]' \
		'[["feature:NONTASK_CAPACITY","locked"],["sysctl:vm.swappiness","changed"]]'
	[ "$(cat "$(brought locked/swappiness)")" = 10 ]
}

@test "what the kernel computes anew with the number of CPUs is set again by --online" {
	rc slice 0
	expect_value guest/slice.offline.json '[.settings[].status]' '["drift"]'
	expect_value guest/slice.online.json '[.settings[].status]' '["changed"]'
	expect_value guest/slice.verify.json .different 0
	diff "$(brought guest/slice.before)" "$(brought guest/slice.after)"
}

@test "pairs: both originals come back after two applies" {
	expect_value guest/pair.json '[.settings[].status]' '["changed"]'
	expect_value guest/pair.verify.json .different 0
	rc pair 0
	diff "$(brought guest/before)" "$(brought guest/pair.after)"
}

@test "a CPU that is offline at revert keeps its original until it is back" {
	rc offline-revert 0
	diff "$(brought guest/before)" "$(brought guest/offline.after)"
}
