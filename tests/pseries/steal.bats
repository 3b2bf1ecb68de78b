#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Steal of a known size: the hypervisor writes waiting times into the lppacas of a busy guest; the
# kernel's own accounting and lpartune must find just that.
load lab

readonly tick_ticks=5120000 # of the timebase, in one of /proc/stat's 10 ms

setup_file() {
	cat >"$BATS_FILE_TMPDIR/steps" <<'S'
write at=100ms cpus=0-3 dispatch=35ms every=50ms times=40
write at=110ms cpus=1,3 entitlement=5ms dispersions=1 every=50ms times=40
write at=1s cpus=2 dispatch=333ms
S
	boot guest --steps "$BATS_FILE_TMPDIR/steps" <<'G'
vpa() {
	for cpu in 0 1 2 3; do
		dd if=/sys/kernel/debug/powerpc/vpa/cpu-$cpu bs=640 count=1 2>/dev/null >/out/vpa-$1-$cpu
	done
	cat /proc/stat >/out/stat-$1
}
for cpu in 0 1 2 3; do
	taskset $((1 << cpu)) sh -c 'while :; do :; done' &
done
rows() { wc -l </out/sample.jsonl; }
lpartune sample --json --per-cpu 0.5 >/out/sample.jsonl 2>/out/sample.err &
sampler=$!
until [ "$(rows)" -ge 1 ]; do sleep 0.1; done
vpa before
steps start
steps wait
sleep 1
vpa after
seen=$(rows)
until [ "$(rows)" -ge $((seen + 2)) ]; do sleep 0.1; done
kill -TERM $sampler
wait $sampler; echo $? >/out/sample.rc
lpartune inspect --json >/out/inspect.json
G
}

# counter WHEN CPU OFFSET BYTES: a big-endian counter of an lppaca.
counter() {
	echo $((16#$(od -A n -t x1 -j "$(($3))" -N "$4" "$(brought "guest/vpa-$1-$2")" | tr -d ' \n')))
}

delta() {
	echo $(($(counter after "$@") - $(counter before "$@")))
}

# stat_steal WHEN CPU: in USER_HZ ticks.
stat_steal() {
	awk -v cpu="cpu$2" '$1 == cpu { print $9 }' "$(brought "guest/stat-$1")"
}

total() {
	jq -s "map(select(.event == \"total\" and .cpu == $1))[0].$2" \
		"$(brought guest/hypervisor.jsonl)"
}

@test "the report's writes sum up to its totals" {
	local sums
	sums=$(jq -sc 'map(select(.event == "write")) | group_by(.cpu) |
		map([(map(.dispatch_ticks) | add), (map(.entitlement_ticks) | add)])' \
		"$(brought guest/hypervisor.jsonl)")
	[ "$sums" = '[[716800000,0],[716800000,102400000],[887296000,0],[716800000,102400000]]' ] ||
		fail "$sums"
}

@test "the guest's lppacas hold what was written, to the timebase tick" {
	local cpu
	for cpu in 0 1 2 3; do
		[ "$(delta $cpu 0x158 8)" -eq "$(total $cpu dispatch_ticks)" ]
		[ "$(delta $cpu 0x160 8)" -eq "$(total $cpu entitlement_ticks)" ]
		[ "$(delta $cpu 0x104 4)" -eq "$(total $cpu dispersions)" ]
	done
}

@test "the kernel's own /proc/stat agrees within one tick for each CPU" {
	local cpu written seen off
	for cpu in 0 1 2 3; do
		seen=$(($(stat_steal after $cpu) - $(stat_steal before $cpu)))
		written=$(($(total $cpu dispatch_ticks) + $(total $cpu entitlement_ticks)))
		[ "$MODE" = shared ] || written=0 # a dedicated partition's kernel does not look
		off=$((seen * tick_ticks - written))
		[ ${off#-} -le $tick_ticks ] || fail "cpu$cpu: $written ticks written, $seen seen"
	done
}

# sampled FILTER: summed over all intervals.
sampled() {
	jq -s "map($1) | add" "$(brought guest/sample.jsonl)"
}

@test "sample ends as one that was interrupted, and silent" {
	[ "$(cat "$(brought guest/sample.rc)" "$(brought guest/sample.err)")" = 130 ]
}

@test "sample's intervals sum up to what was written, by cause and CPU, to the timebase tick" {
	local cpu name
	for name in dispatch entitlement; do
		for cpu in 0 1 2 3; do
			[ "$(sampled ".cpus[$cpu].${name}_wait_tb")" -eq "$(total $cpu ${name}_ticks)" ]
		done
		[ "$(sampled ".system.${name}_wait_tb")" -eq \
			"$(jq -s "map(select(.event == \"total\").${name}_ticks) | add" \
				"$(brought guest/hypervisor.jsonl)")" ]
	done
}

@test "sample's percentages are those ticks in the interval's, for all CPUs" {
	local wrong
	wrong=$(jq -c '.system as $s | (100 * ($s.dispatch_wait_tb + $s.entitlement_wait_tb) /
			($s.interval_tb * .cpus_online) - $s.steal_pct) as $off |
		($s.steal_dispatch_wait_pct + $s.steal_entitlement_wait_pct - $s.steal_pct) as $split |
		select(($off | fabs) > 5e-6 or ($split | fabs) > 5e-6)' "$(brought guest/sample.jsonl)")
	[ -z "$wrong" ] || fail "$wrong"
}

@test "sample's columns of /proc/stat close to 100" {
	local wrong
	wrong=$(jq -c '.system | (.user_pct + .sys_pct + .iowait_pct + .idle_pct + .irq_pct + .softirq_pct +
		.stat_steal_pct) as $sum | select(($sum - 100 | fabs) > 5e-6)' "$(brought guest/sample.jsonl)")
	[ -z "$wrong" ] || fail "$wrong"
}

# On a dedicated partition no kernel accounts steal, so there is nothing to judge.
@test "inspect judges the kernel's accounting" {
	expect_fact guest/inspect.json steal.source '"vpa"'
	expect_fact guest/inspect.json steal.kernel_accounting \
		"$([ "$MODE" = shared ] && echo '"sound"' || echo '"unknown"')"
	expect_value guest/inspect.json '.facts["steal.since_boot"].value > 0' true
}
