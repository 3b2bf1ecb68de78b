#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# SMT modes and CPUs that go and come: by smt/control where the kernel has it, and CPU by CPU.
load lab

setup_file() {
	echo 'write cpus=4 dispatch=2ms entitlement=1ms every=50ms times=80' >"$BATS_FILE_TMPDIR/steps"
	boot guest --cpus 8 --threads 4 --steps "$BATS_FILE_TMPDIR/steps" <<'G'
rows() { wc -l </out/sample.jsonl; }
lpartune sample --json --per-cpu 0.1 >/out/sample.jsonl 2>/out/sample.err &
sampler=$!
until [ "$(rows)" -ge 1 ]; do sleep 0.1; done
steps start
control=/sys/devices/system/cpu/smt/control
cpu() { echo $2 >/sys/devices/system/cpu/cpu$1/online; }
look() {
	lpartune inspect --json >/out/$1.json 2>>/out/errors
	cat /sys/devices/system/cpu/online >/out/$1.online
}
cat $control >/out/control
if [ "$(cat $control)" != notimplemented ]; then
	echo 2 >$control && look control-2
	echo off >$control && look control-1
	echo on >$control && look control-4
fi
cpu 1 0 && look 4+3
cpu 2 0 && cpu 3 0 && look 4+1
cpu 0 0 && look core-off
cpu 0 1 && cpu 1 1 && cpu 5 0 && cpu 3 1 && look 3+3
cpu 2 1 && cpu 5 1 && look back
steps wait
seen=$(rows)
until [ "$(rows)" -ge $((seen + 2)) ]; do sleep 0.1; done
kill -TERM $sampler
wait $sampler; echo $? >/out/sample.rc
G
}

# smt LOOK SMT CORES MODES
smt() {
	expect_fact "guest/$1.json" cpu.smt "\"$2\""
	expect_fact "guest/$1.json" cpu.cores "$3"
	expect_fact "guest/$1.json" cpu.smt_cores "$4"
	expect_fact "guest/$1.json" cpu.online "$(jq -n "$4 | to_entries | map((.key | tonumber) * .value) | add")"
	expect_fact "guest/$1.json" cpu.present 8
}

@test "smt/control is what the kernel should have" {
	[ "$(cat "$(brought guest/control)")" = "$([ "$KERNEL" = 6.1 ] && echo notimplemented || echo on)" ]
}

@test "SMT modes set by smt/control" {
	[ "$KERNEL" != 6.1 ] || return 0 # the test above holds that it has none
	smt control-2 2 2 '{"2":2}'
	smt control-1 1 2 '{"1":2}'
	smt control-4 4 2 '{"4":2}'
}

@test "cores with different numbers of threads are mixed" {
	smt 4+3 mixed 2 '{"3":1,"4":1}'
	smt 4+1 mixed 2 '{"1":1,"4":1}'
}

@test "a core that is wholly offline does not count, CPU 0 neither" {
	[ "$(cat "$(brought guest/core-off.online)")" = 4-7 ]
	smt core-off 4 1 '{"4":1}'
}

@test "an uneven but equal number of threads" {
	[ "$(cat "$(brought guest/3+3.online)")" = 0-1,3-4,6-7 ]
	smt 3+3 3 2 '{"3":2}'
}

@test "all back" {
	smt back 4 2 '{"4":2}'
	[ ! -s "$(brought guest/errors)" ] || fail "$(cat "$BATS_FILE_TMPDIR/guest/errors")"
}

@test "sample goes on while CPUs go and come" {
	[ "$(cat "$(brought guest/sample.rc)" "$(brought guest/sample.err)")" = 130 ] ||
		fail "$(cat "$BATS_FILE_TMPDIR"/guest/sample.{rc,err})"
	[ "$(wc -l <"$(brought guest/sample.jsonl)")" -ge 20 ]
	[ "$(jq -s 'map(.cpus_online) | unique | length > 2' "$(brought guest/sample.jsonl)")" = true ]
}

# PURR is not shared by the threads of a core under TCG, so its columns can pass 100.
# A column has six decimals, so the sum of seven of them can be 3.5e-6 off.
@test "sample never shows a percentage below 0 or above 100, or columns that do not close" {
	local wrong
	wrong=$(jq -c '(.system, .cpus[]) | select(
		([to_entries[] | select((.key | test("^(entc|s?purr|frequency)|(?<!_pct)$") | not)
			and .value != null and (.value < 0 or .value > 100.000001))] | length > 0) or
		(.user_pct != null and ((.user_pct + .sys_pct + .iowait_pct + .idle_pct + .irq_pct +
			.softirq_pct + .stat_steal_pct - 100 | fabs) > 5e-6)))' \
		"$(brought guest/sample.jsonl)")
	[ -z "$wrong" ] || fail "$wrong"
}

@test "what was stolen meanwhile from a CPU that stayed is right to the tick" {
	local name
	for name in dispatch entitlement; do
		[ "$(jq -s "map(.cpus[] | select(.cpu == 4).${name}_wait_tb) | add" \
			"$(brought guest/sample.jsonl)")" -eq \
			"$(jq -s "map(select(.event == \"total\" and .cpu == 4))[0].${name}_ticks" \
				"$(brought guest/hypervisor.jsonl)")" ]
	done
}
