#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Hardware counters by libpfm4's names: the emulated POWER9 and POWER10 count cycles (at 1 GHz) and
# instructions rightly.
load lab

setup_file() {
	local cpu
	for cpu in power9 power10; do
		boot $cpu --cpu $cpu --cpus 4 <<'G'
# Debian's kernels begin with 3, where CAP_PERFMON is not enough: root must be able to count all the same.
cat /proc/sys/kernel/perf_event_paranoid >/out/paranoid
lpartune bench wake --cells smt/2ms --duration 2s --json \
	--events cycles,instructions,PM_RUN_INST_CMPL,PM_NO_SUCH_EVENT >/out/bench.json 2>/out/bench.err
echo $? >/out/bench.rc
G
	done
}

@test "the benchmark ends well with an event that there is not" {
	local cpu
	for cpu in power9 power10; do
		[ "$(cat "$(brought $cpu/bench.rc)" "$(brought $cpu/bench.err)")" = 0 ]
		expect_value $cpu/bench.json \
			'.results[0].counters.PM_NO_SUCH_EVENT | [.per_s, .reason]' '[null,"missing"]'
	done
}

@test "the strictest setting of Debian's kernels was in force" {
	local cpu
	for cpu in power9 power10; do
		[ "$(cat "$(brought $cpu/paranoid)")" = 3 ]
		expect_value $cpu/bench.json '.limits.perf_event_paranoid' 3
	done
}

@test "cycles are 10^9 a second on each of the four CPUs, within a tenth" {
	local cpu
	for cpu in power9 power10; do
		expect_value $cpu/bench.json \
			'.results[0].counters.cycles.per_s / 4e9 | . > 0.9 and . < 1.1' true
	done
}

@test "instructions by two names agree, as far as the emulation counts the same" {
	local cpu
	for cpu in power9 power10; do
		expect_value $cpu/bench.json '.results[0].counters | .instructions.per_s > 1e5 and
			(.PM_RUN_INST_CMPL.per_s / .instructions.per_s | . > 0.5 and . < 2)' true
	done
}
