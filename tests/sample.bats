#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# `lpartune sample`: replays of counters that move as told, and the command's own behaviour.
# Helpers and `run` set output, stderr, capture and here.
# shellcheck disable=SC2154
load helpers
load instants

setup() {
	new_capture "$BATS_TEST_TMPDIR/capture"
}

@test "a shared partition: nothing of /proc/stat is left out, rates are rates" {
	instant 0
	lparcfg partition_entitled_capacity=10 DesEntCap=10 shared_processor_mode=1 capped=0 \
		pool_num_procs=10 pool_idle_time=99869576477984311 dispatches=469391613 \
		purr=4110325981916 tbr=5000000000000
	stat_lines 'cpu  1000 10 500 5000 100 50 50 4000 0 0'
	instant 2000000000
	lparcfg partition_entitled_capacity=10 DesEntCap=10 shared_processor_mode=1 capped=0 \
		pool_num_procs=10 pool_idle_time=99869580573984311 dispatches=469392013 \
		purr=4110837981916 tbr=5001024000000
	stat_lines 'cpu  1100 10 550 5500 110 55 55 4400 0 0'
	replay
	[ "$(wc -l <<<"$output")" -eq 1 ]
	expect_number user_pct 9.35
	expect_number sys_pct 4.67
	expect_number iowait_pct 0.93
	expect_number idle_pct 46.73
	expect_number irq_pct 0.47
	expect_number softirq_pct 0.47
	expect_number stat_steal_pct 37.38
	expect_number steal_pct 37.38
	expect_json .steal_source '"proc-stat"'
	expect_number physc 0.5 1e-9
	expect_number entc_pct 500 1e-9
	expect_number app 4 1e-9
	expect_number dispatches_per_s 100 1e-9
	expect_json .interval_ns 2000000000
	expect_absent steal_dispatch_wait_pct missing
}

@test "the clock of purr is tbr, not the wall" {
	instant 1000
	lparcfg partition_entitled_capacity=5 purr=100 tbr=100
	stat_lines 'cpu 1 1 1 1'
	instant 99000000000
	lparcfg partition_entitled_capacity=5 purr=7628900 tbr=512000100
	stat_lines 'cpu 2 2 2 2'
	replay
	expect_number physc 0.0149 0.00001
	expect_number entc_pct 29.80
}

@test "the entitlement is the current one; the desired one only where there is no other" {
	instant
	lparcfg DesEntCap=5 purr=100 tbr=100
	stat_lines 'cpu 1 1 1 1'
	instant
	lparcfg DesEntCap=5 purr=7628900 tbr=512000100
	stat_lines 'cpu 2 2 2 2'
	replay
	expect_number entc_pct 29.80
	instant
	lparcfg DesEntCap=5 partition_entitled_capacity=10 purr=15257700 tbr=1024000100
	replay
	expect_number entc_pct 14.90 0.005 '.[1].system'
}

@test "PURR that falls voids its interval only" {
	instant 0
	lparcfg partition_entitled_capacity=100 purr=600000000000 tbr=1000 pool_idle_time=5 pool_num_procs=4
	stat_lines 'cpu 1 1 1 1'
	instant 1000000000
	lparcfg partition_entitled_capacity=100 purr=100000000000 tbr=512001000 pool_idle_time=512000005 pool_num_procs=4
	stat_lines 'cpu 2 2 2 2'
	instant 2000000000
	lparcfg partition_entitled_capacity=100 purr=100512000000 tbr=1024001000 pool_idle_time=1024000005 pool_num_procs=4
	stat_lines 'cpu 3 3 3 3'
	replay
	expect_absent physc reset
	expect_absent entc_pct reset
	expect_number app 1
	expect_number user_pct 50
	expect_number physc 1 1e-9 '.[1].system'
}

@test "a pool that another machine counts, one that is not told, one without authority" {
	instant 0
	lparcfg purr=1 tbr=1000 pool_idle_time=900000000000 pool_num_procs=4
	instant 1000000000
	lparcfg purr=1 tbr=512001000 pool_idle_time=100000000000 pool_num_procs=4
	instant 2000000000
	lparcfg purr=1 tbr=1024001000 pool_idle_time=900000000000 pool_num_procs=4
	instant 3000000000
	lparcfg purr=1 tbr=1536001000
	instant 4000000000
	lparcfg purr=1 tbr=2048001000 pool_idle_time=0 pool_num_procs=4
	instant 5000000000
	lparcfg purr=1 tbr=2560001000 pool_idle_time=0 pool_num_procs=4
	replay
	expect_absent app reset '.[0]'
	expect_absent app invalid '.[1]'
	expect_absent app missing '.[2]'
	expect_absent app missing '.[3]'
	expect_absent app not-provided '.[4]'
	expect_number physc 0 1e-9 '.[4].system'
}

@test "nothing moves: no data, never nan" {
	for _ in 1 2; do
		instant 1000000000
		lparcfg partition_entitled_capacity=10 purr=5 tbr=1000 pool_idle_time=77 dispatches=3
		stat_lines 'cpu 1 2 3 4 5 6 7 8' 'cpu0 1 2 3 4 5 6 7 8' 'ctxt 5'
		lppaca 0 10 1 100 100
	done
	replay
	for name in physc entc_pct user_pct idle_pct stat_steal_pct steal_pct dispatches_per_s \
		app context_switches_per_s; do
		expect_absent $name no-data
	done
	[ "$(jq '[.. | numbers | select(isnan or isinfinite)] | length' <<<"$output")" -eq 0 ]
	expect_json .interval_ns null
}

@test "the clocks run, /proc/stat does not: no data there" {
	instant 0
	lparcfg purr=5 tbr=1000
	stat_lines 'cpu 1 2 3 4'
	instant 1000000000
	lparcfg purr=5 tbr=512001000
	stat_lines 'cpu 1 2 3 4'
	replay
	expect_absent user_pct no-data
	expect_number physc 0
}

@test "steal out of the lppacas, to the tick, by cause and per CPU" {
	instant 0
	lparcfg tbr=1000
	stat_lines 'cpu 0 0 0 0 0 0 0 0' 'cpu0 0 0 0 0 0 0 0 0' 'cpu8 0 0 0 0 0 0 0 0'
	lppaca 0 1000 10 5000000000 7
	lppaca 8 2001 20 18446744073709500000 9
	instant 1000000000
	lparcfg tbr=512001000
	stat_lines 'cpu 100 0 0 60 0 0 0 40' 'cpu0 60 0 0 0 0 0 0 40' 'cpu8 40 0 0 60 0 0 0 0'
	lppaca 0 1200 15 5204800001 7
	lppaca 8 2101 21 18446744073709500000 25600009
	replay --per-cpu
	expect_json .steal_source '"vpa"'
	expect_json .clock '"timebase"'
	expect_json .system.dispatch_wait_tb 204800001
	expect_json .system.entitlement_wait_tb 25600000
	expect_json .system.interval_tb 512000000
	expect_number steal_pct 22.5 0.0001
	expect_number steal_dispatch_wait_pct 20 0.0001
	expect_number steal_entitlement_wait_pct 2.5 0.0001
	expect_number stat_steal_pct 20
	expect_number dispatches_per_s 150 1e-9
	expect_number dispersions_per_s 6 1e-9
	expect_json '[.cpus[].cpu]' '[0,8]'
	expect_number steal_pct 40 0.0001 '.[0].cpus[0]'
	expect_number steal_entitlement_wait_pct 5 0.0001 '.[0].cpus[1]'
	expect_number dispatches_per_s 50 1e-9 '.[0].cpus[1]'
	expect_number stat_steal_pct 40 0.001 '.[0].cpus[0]'
}

@test "yield counts: odd and even, wrapped, set back" {
	instant 0
	stat_lines 'cpu 1 1 1 1' 'cpu0 1 1 1 1' 'cpu1 1 1 1 1' 'cpu2 1 1 1 1' 'cpu3 1 1 1 1'
	lppaca 0 4294967290 4294967295 0 0
	lppaca 1 11 0 0 0
	lppaca 2 4000000000 5 0 0
	lppaca 3 7 5 0 0
	instant 1000000000
	stat_lines 'cpu 9 9 9 9' 'cpu0 9 9 9 9' 'cpu1 9 9 9 9' 'cpu2 9 9 9 9' 'cpu3 9 9 9 9'
	lppaca 0 10 4 0 0
	lppaca 1 12 0 0 0
	lppaca 2 100 5 0 0
	lppaca 3 7 4 0 0
	replay --per-cpu
	expect_number dispatches_per_s 8 1e-9 '.[0].cpus[0]'
	expect_number dispersions_per_s 5 1e-9 '.[0].cpus[0]'
	expect_number dispatches_per_s 0.5 1e-9 '.[0].cpus[1]'
	expect_absent dispatches_per_s reset '.[0].cpus[2]'
	expect_number dispersions_per_s 0 1e-9 '.[0].cpus[2]'
	expect_number dispatches_per_s 0 1e-9 '.[0].cpus[3]'
	expect_absent dispersions_per_s reset '.[0].cpus[3]'
	expect_absent dispatches_per_s reset
	expect_absent dispersions_per_s reset
	expect_number steal_pct 0
}

@test "an lppaca that was registered anew voids its numbers, and theirs in the sum" {
	instant 0
	stat_lines 'cpu 1 1 1 1' 'cpu0 1 1 1 1' 'cpu1 1 1 1 1'
	lppaca 0 10 0 1000 1000
	lppaca 1 10 0 1000 1000
	instant 1000000000
	stat_lines 'cpu 9 9 9 9' 'cpu0 9 9 9 9' 'cpu1 9 9 9 9'
	lppaca 0 12 0 51201000 1000
	lppaca 1 12 0 5 5
	replay --per-cpu
	expect_number steal_pct 10 0.001 '.[0].cpus[0]'
	expect_absent steal_pct reset '.[0].cpus[1]'
	expect_absent dispatches_per_s reset '.[0].cpus[1]'
	expect_absent steal_pct reset
	expect_number user_pct 50
}

@test "a torn lppaca, one that is gone, an absurd one" {
	instant 0
	stat_lines 'cpu 1 1 1 1' 'cpu0 1 1 1 1' 'cpu1 1 1 1 1' 'cpu2 1 1 1 1' 'cpu3 1 1 1 1'
	for cpu in 0 1 2 3; do lppaca $cpu 10 0 1000 1000; done
	instant 1000000000
	stat_lines 'cpu 9 9 9 9' 'cpu0 9 9 9 9' 'cpu1 9 9 9 9' 'cpu2 9 9 9 9' 'cpu3 9 9 9 9'
	lppaca 0 12 0 1000 1000
	head -c 300 "$here/sys/kernel/debug/powerpc/vpa/cpu-0" | put sys/kernel/debug/powerpc/vpa/cpu-1
	lppaca 3 12 0 1152921504606846976 1000
	replay --per-cpu
	expect_number steal_pct 0 1e-9 '.[0].cpus[0]'
	expect_absent steal_pct invalid '.[0].cpus[1]'
	expect_absent steal_pct no-data '.[0].cpus[2]'
	expect_absent steal_pct invalid '.[0].cpus[3]'
	expect_number dispatches_per_s 1 1e-9 '.[0].cpus[3]'
	expect_number user_pct 50
}

@test "CPUs come and go: theirs are absent, the sums are of those that stayed" {
	instant 0
	stat_lines 'cpu 100 0 0 100' 'cpu0 50 0 0 50' 'cpu1 50 0 0 50'
	lppaca 0 10 0 0 0
	lppaca 1 10 0 0 0
	instant 1000000000
	stat_lines 'cpu 150 0 0 150' 'cpu0 100 0 0 100' 'cpu2 9 9 9 9'
	lppaca 0 12 0 256000000 0
	lppaca 2 5 0 999 0
	replay --per-cpu
	expect_json '[.cpus[].cpu]' '[0,1,2]'
	expect_json .cpus_online 2
	expect_number steal_pct 50
	expect_number user_pct 50
	expect_absent steal_pct offline '.[0].cpus[1]'
	expect_absent user_pct offline '.[0].cpus[1]'
	expect_absent steal_pct offline '.[0].cpus[2]'
}

@test "/proc/stat of every era, damaged lines, a step back, absurd values" {
	instant 0
	stat_lines 'cpu 10 0 10 100' 'cpu0 10 0 10 100'
	instant 1000000000
	stat_lines 'cpu 20 0 20 180' 'cpu0 20 0 20 oops'
	instant 2000000000
	stat_lines 'cpu 15 0 20 280'
	instant 3000000000
	stat_lines 'cpu 25 0 30 1200000000280'
	instant 4000000000
	stat_lines 'cpu 35 0 40 1200000000360 50'
	instant 5000000000
	stat_lines 'cpu 45 0 50 1200000000440 40'
	replay --per-cpu
	expect_number user_pct 10
	expect_number idle_pct 80
	expect_absent iowait_pct not-provided
	expect_absent stat_steal_pct not-provided
	expect_absent user_pct invalid '.[0].cpus[0]'
	expect_absent user_pct reset '.[1]'
	expect_absent user_pct invalid '.[2]'
	expect_number user_pct 10 0.01 '.[3].system'
	expect_absent iowait_pct reset '.[4]'
	expect_number user_pct 10 0.01 '.[4].system'
}

@test "preemptions: dispatches that no cede asked for" {
	for cpu in 0 4; do
		mkdir -p "$capture/root/sys/devices/system/cpu/cpu$cpu/cpuidle/state"{0,1}
		echo snooze >"$capture/root/sys/devices/system/cpu/cpu$cpu/cpuidle/state0/name"
		echo "Shared Cede" >"$capture/root/sys/devices/system/cpu/cpu$cpu/cpuidle/state1/name"
	done
	usage() { # CPU SNOOZES CEDES
		echo "$2" | put "sys/devices/system/cpu/cpu$1/cpuidle/state0/usage"
		echo "$3" | put "sys/devices/system/cpu/cpu$1/cpuidle/state1/usage"
	}
	instant 0
	stat_lines 'cpu 1 1 1 1' 'cpu0 1 1 1 1' 'cpu4 1 1 1 1'
	lppaca 0 0 0 0 0
	lppaca 4 0 0 0 0
	usage 0 5 5
	usage 4 7 7
	instant 2000000000
	stat_lines 'cpu 9 9 9 9' 'cpu0 9 9 9 9' 'cpu4 9 9 9 9'
	lppaca 0 400 0 0 0
	lppaca 4 20 0 0 0
	usage 0 5005 65
	usage 4 9 18
	replay --per-cpu
	expect_number idle_entries_per_s 30 1e-9 '.[0].cpus[0]'
	expect_number preemptions_per_s 70 1e-9 '.[0].cpus[0]'
	# a cede that returns at once is an entry, but no yield
	expect_number preemptions_per_s 0 1e-9 '.[0].cpus[1]'
	expect_number idle_entries_per_s 35.5 1e-9
	expect_number preemptions_per_s 69.5 1e-9
}

@test "interrupts: rows of IPIs, doorbells, wraps" {
	instant 0
	stat_lines 'cpu 1 1 1 1' 'cpu0 1 1 1 1' 'cpu8 1 1 1 1'
	put proc/interrupts <<-'I'
		           CPU0       CPU8
		 16: 4294967290         10  XIVE-IPI   0 Edge      IPI-0
		SPU: 2147483647          0   Spurious interrupts
		DBL:          5          0   Doorbell interrupts
	I
	instant 2000000000
	stat_lines 'cpu 9 9 9 9' 'cpu0 9 9 9 9' 'cpu8 9 9 9 9'
	put proc/interrupts <<-'I'
		           CPU0       CPU8
		 16:         10         30  XIVE-IPI   0 Edge      IPI-0
		SPU: 2147483650          0   Spurious interrupts
		DBL:         25          0   Doorbell interrupts
	I
	replay --per-cpu
	expect_number ipis_per_s 28 1e-9
	expect_number doorbells_per_s 10 1e-9
	expect_number ipis_per_s 18 1e-9 '.[0].cpus[0]'
	expect_json .intervals_ns.interrupts 2000000000
}

@test "where virtual processors were dispatched; none of them: shares are not defined" {
	instant 0
	stat_lines 'cpu 1 1 1 1' 'cpu0 1 1 1 1' 'cpu1 1 1 1 1'
	printf 'cpu0 100 60 30 10 0 90 10 0\ncpu1 7 7 0 0 0 7 0 0\n' | put proc/powerpc/vcpudispatch_stats
	instant 1000000000
	stat_lines 'cpu 9 9 9 9' 'cpu0 9 9 9 9' 'cpu1 9 9 9 9'
	printf 'cpu0 200 110 70 20 0 165 30 5\ncpu1 7 7 0 0 0 7 0 0\n' | put proc/powerpc/vcpudispatch_stats
	instant 2000000000
	stat_lines 'cpu 19 9 9 9' 'cpu0 9 9 9 9' 'cpu1 19 9 9 9'
	echo off | put proc/powerpc/vcpudispatch_stats
	replay --per-cpu
	expect_number home_pct 75
	expect_number home_adjacent_pct 20
	expect_number home_away_pct 5
	expect_number same_core_pct 50
	expect_absent home_pct no-data '.[0].cpus[1]'
	expect_absent home_pct not-sampled '.[1]'
}

# purr_files CPU PURR SPURR IDLE_PURR IDLE_SPURR
purr_files() {
	printf '%x\n' "$2" | put "sys/devices/system/cpu/cpu$1/purr"
	printf '%x\n' "$3" | put "sys/devices/system/cpu/cpu$1/spurr"
	printf '%x\n' "$4" | put "sys/devices/system/cpu/cpu$1/idle_purr"
	printf '%x\n' "$5" | put "sys/devices/system/cpu/cpu$1/idle_spurr"
}

# threads CORE...: cores of 8 threads in the tree
threads() {
	local core cpu
	for core in "$@"; do
		for ((cpu = core * 8; cpu < core * 8 + 8; cpu++)); do
			mkdir -p "$capture/root/sys/devices/system/cpu/cpu$cpu/topology"
			echo "$((core * 8))-$((core * 8 + 7))" \
				>"$capture/root/sys/devices/system/cpu/cpu$cpu/topology/thread_siblings_list"
		done
	done
}

@test "a dedicated core: busy, idle and away add up to all of it" {
	threads 0
	echo 0-7 | tee "$capture/root/sys/devices/system/cpu/"{present,online,possible} >/dev/null
	instant 0
	lparcfg capped=1 shared_processor_mode=0 purr=1000 tbr=1000
	for cpu in 0 1 2 3 4 5 6 7; do purr_files "$cpu" 0 0 0 0; done
	instant 2000000000
	lparcfg capped=1 shared_processor_mode=0 purr=512001000 tbr=1024001000
	for cpu in 0 1 2 3 4 5 6 7; do
		purr_files "$cpu" 64000000 64000000 16000000 16000000
	done
	replay
	expect_number purr_busy_pct 37.5 1e-6
	expect_number purr_idle_pct 12.5 1e-6
	expect_number purr_away_pct 50 1e-6
	expect_number spurr_busy_pct 37.5 1e-6
	expect_number frequency_pct 100 1e-6
}

@test "cores with gaps in their numbers are counted, not guessed" {
	threads 0 1 2 3 4 5 6 7 8 9 10 11 12 15 16 17 18
	echo 0-103,120-151 | tee "$capture/root/sys/devices/system/cpu/"{present,online,possible} >/dev/null
	instant 0
	lparcfg capped=1 shared_processor_mode=0 purr=0 tbr=0
	for cpu in {0..103} {120..151}; do purr_files "$cpu" 0 0 0 0; done
	instant 2000000000
	lparcfg capped=1 shared_processor_mode=0 purr=17408000000 tbr=1024000000
	for cpu in {0..103} {120..151}; do purr_files "$cpu" 128000000 128000000 0 0; done
	replay
	expect_number purr_busy_pct 100 1e-6
	expect_number purr_idle_pct 0 1e-6
	expect_number purr_away_pct 0 1e-6
	expect_number frequency_pct 100 1e-6
	expect_number spurr_busy_pct 100 1e-6
	expect_json .cpus_online 136
}

@test "lparcfg with lines of every kind" {
	long=$(printf 'x%.0s' {1..5000})
	instant 0
	lparcfg '' nonsense "long_key=$long" "$long" '=5' purr=0 tbr=0 partition_entitled_capacity=50
	instant 1000000000
	printf 'lparcfg 1.9\nno equals sign\n\npurr=256000000\npartition_entitled_capacity=50\ntbr=512000000' |
		put proc/powerpc/lparcfg
	replay
	expect_number physc 0.5
	expect_number entc_pct 100
}

@test "no lparcfg: absent, and the rest stands" {
	instant 0
	stat_lines 'cpu 1 1 1 1'
	instant 1000000000
	stat_lines 'cpu 2 2 2 2'
	replay
	expect_absent physc missing
	expect_absent entc_pct missing
	expect_number user_pct 50
}

@test "nothing can be read: an error" {
	mkdir "$BATS_TEST_TMPDIR/empty"
	expect_status 1 "$LPARTUNE" sample --root "$BATS_TEST_TMPDIR/empty" 0.01 1
	expect_match "cannot read 'proc/stat'" "$stderr"
	[ -z "$output" ]
	expect_status 1 "$LPARTUNE" sample --replay "$BATS_TEST_TMPDIR/empty"
	expect_status 1 "$LPARTUNE" sample --replay "$BATS_TEST_TMPDIR/none"
	expect_match "cannot" "$stderr"
}

@test "bad arguments are usage errors" {
	for arguments in "-- -1" "abc" "0" "1 0" "1 x" "1 2 3" "nan" "1e99" "--top 0" "--top x" \
		"--slow-interval -1" "--since-boot 1" "--replay x 1" "--replay x --root y"; do
		# shellcheck disable=SC2086
		expect_status 2 "$LPARTUNE" sample $arguments
	done
}

@test "rows as text" {
	instant 0
	stat_lines 'cpu 1 0 0 0 0 0 0 0' 'cpu0 1 0 0 0 0 0 0 0'
	lppaca 0 0 0 0 0
	instant 1000000000
	stat_lines 'cpu 51 0 0 25 0 0 0 25' 'cpu0 51 0 0 25 0 0 0 25'
	lppaca 0 100 0 128000000 0
	expect_status 0 "$LPARTUNE" sample --replay "$capture"
	expect_match '^ steal   cont   held  user   sys  idle    st ' "$output"
	expect_match '^ 25\.00  25\.00   0\.00  50\.0   0\.0  25\.0  25\.0 ' "$output"
	expect_match '^Stolen: min 25\.00, median 25\.00, max 25\.00 % ' "$output"
	expect_match 'contention' "$output"
	expect_match '^Next: lpartune ' "$output"
	expect_status 0 "$LPARTUNE" sample --replay "$capture" --per-cpu --timestamp
	expect_match '^time +steal' "$output"
	expect_match '^ +cpu0 +25\.00' "$output"
}

@test "the running machine: COUNT rows at even distances" {
	expect_status 0 "$LPARTUNE" sample 0.05 3 --json
	[ "$(wc -l <<<"$output")" -eq 3 ]
	[ "$(jq -s 'map(.interval_ns > 20000000 and .interval_ns < 2000000000) | all' <<<"$output")" = true ]
	expect_json .command '"sample"
"sample"
"sample"'
	[ "$(jq -s '.[2].verdict.intervals' <<<"$output")" -eq 3 ]
	[ "$(jq -s '.[0] | has("verdict")' <<<"$output")" = false ]
}

@test "a signal ends the run with a last row and the verdict" {
	"$LPARTUNE" sample 10 1 --json >"$BATS_TEST_TMPDIR/out" 3>&- &
	pid=$!
	sleep 0.7
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	[ "$status" -eq 130 ]
	output=$(<"$BATS_TEST_TMPDIR/out")
	[ "$(wc -l <<<"$output")" -eq 1 ]
	expect_json .interrupted true
	expect_json .verdict.intervals 1
}

@test "since boot is one row of means" {
	expect_status 0 "$LPARTUNE" sample --since-boot --json
	[ "$(wc -l <<<"$output")" -eq 1 ]
	expect_number idle_pct 50 50
}

# A capture of one interval with steal on one of two CPUs.
one_interval() {
	instant 0
	stat_lines 'cpu 1 0 0 0 0 0 0 0' 'cpu0 1 0 0 0 0 0 0 0' 'cpu8 1 0 0 0 0 0 0 0'
	lppaca 0 0 0 0 0
	lppaca 8 0 0 0 0
	instant 1000000000
	stat_lines 'cpu 51 0 0 25 0 0 0 25' 'cpu0 51 0 0 25 0 0 0 25' 'cpu8 51 0 0 25 0 0 0 25'
	lppaca 0 100 0 128000000 0
	lppaca 8 100 0 0 0
}

@test "CSV: the same fields in every line, empty ones with their reason" {
	one_interval
	expect_status 0 "$LPARTUNE" sample --replay "$capture" --csv --per-cpu
	[ "$(wc -l <<<"$output")" -eq 4 ]
	[ "$(awk -F, '{ print NF }' <<<"$output" | sort -u | wc -l)" -eq 1 ]
	expect_match '^time,interval_ns,scope,id,steal_pct,.*,absent$' "$(head -n 1 <<<"$output")"
	expect_match ',1000000000,system,,12\.5,12\.5,0,' "$output"
	expect_match ',1000000000,cpu,0,25,25,0,' "$output"
	expect_match ' physc=missing ' "$output"
}

@test "OpenMetrics: families with type, unit and help, no absent number, EOF last" {
	one_interval
	expect_status 0 "$LPARTUNE" sample --replay "$capture" --openmetrics --per-cpu
	[ "$(tail -n 1 <<<"$output")" = "# EOF" ]
	[ "$(grep -c '^# EOF$' <<<"$output")" -eq 1 ]
	expect_match '^lpartune_steal_percent 12\.5$' "$output"
	expect_match '^# UNIT lpartune_steal_percent percent$' "$output"
	expect_match '^lpartune_cpu_steal_percent\{cpu="8"\} 0$' "$output"
	expect_match '^lpartune_dispatches_per_second 100$' "$output"
	expect_match '^lpartune_dispatch_wait_timebase_ticks 128000000$' "$output"
	expect_match '^lpartune_absent\{column="physc",reason="missing"\} 1$' "$output"
	run ! grep -q '^lpartune_physc' <<<"$output"
	expect_status 0 "$LPARTUNE" sample --replay "$capture" --openmetrics --per-cpu
	# each family once, its samples behind its own TYPE
	[ -z "$(awk '$2 == "TYPE" { print $3 }' <<<"$output" | sort | uniq -d)" ]
	awk '$1 == "#" && $2 == "TYPE" { family = $3 }
		$1 !~ /^#/ { name = $1; sub(/\{.*/, "", name); sub(/_info$/, "", name)
			if (name != family) exit 1 }' <<<"$output"
}

@test "a text file is replaced whole at each interval" {
	one_interval
	file=$BATS_TEST_TMPDIR/lpartune.prom
	expect_status 0 "$LPARTUNE" sample --replay "$capture" --textfile "$file"
	[ -z "$output" ]
	[ "$(tail -n 1 "$file")" = "# EOF" ]
	[ "$(find "$BATS_TEST_TMPDIR" -name '*prom*' | wc -l)" -eq 1 ]
	expect_status 1 "$LPARTUNE" sample --replay "$capture" --textfile "$BATS_TEST_TMPDIR/none/file"
	expect_match "cannot write '.*/none/file': No such file or directory" "$stderr"
	expect_status 2 "$LPARTUNE" sample --openmetrics 1 2
	expect_status 2 "$LPARTUNE" sample --openmetrics --csv
	expect_status 2 "$LPARTUNE" sample --json --csv
}

@test "live: draws in place and leaves the terminal as it was" {
	expect_status 1 "$LPARTUNE" sample --live 0.1 1
	expect_match "cannot draw on stdout" "$stderr"
	script -qec "stty cols 60 rows 12; $LPARTUNE sample --live 0.1 3" /dev/null >"$BATS_TEST_TMPDIR/screen"
	output=$(<"$BATS_TEST_TMPDIR/screen")
	expect_match $'\033\\[\\?1049h.*' "$output"
	[ "$(grep -o $'\033\\[?1049[hl]' <<<"$output" | tail -n 1)" = $'\033[?1049l' ]
	[ "$(grep -o $'\033\\[?25[hl]' <<<"$output" | tail -n 1)" = $'\033[?25h' ]
	expect_match '^Stolen: ' "$output"
	# no line is wider than the screen
	[ "$(sed -E $'s/\033\\[[?0-9;]*[a-zA-Z]//g; s/\r//g' <<<"$output" | sed '/Verdict/,$d' |
		awk '{ if (length($0) > 60) n++ } END { print n + 0 }')" -eq 0 ]
}

@test "the worst CPUs come first" {
	one_interval
	replay --top 1
	expect_json '[.cpus[].cpu]' '[0]'
	expect_json '.verdict.standouts | map(.cpu)' '[0]'
}

# A tree with statistics that are off.
statistics_tree() {
	tree=$BATS_TEST_TMPDIR/tree
	mkdir -p "$tree/proc/powerpc" "$tree/proc/sys/kernel" "$tree/run"
	echo off >"$tree/proc/powerpc/vcpudispatch_stats"
	echo 0 >"$tree/proc/sys/kernel/sched_schedstats"
	printf 'cpu 1 1 1 1\ncpu0 1 1 1 1\n' >"$tree/proc/stat"
}

@test "dispatch statistics are on while sampling and back afterwards, also after a signal" {
	statistics_tree
	"$LPARTUNE" sample --root "$tree" --dispatch 5 1 --json >"$BATS_TEST_TMPDIR/out" 3>&- &
	pid=$!
	sleep 0.5
	[ "$(<"$tree/proc/sys/kernel/sched_schedstats")" = 1 ]
	[ "$(<"$tree/proc/powerpc/vcpudispatch_stats")" != off ]
	kill -INT $pid
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	[ "$status" -eq 130 ]
	[ "$(<"$tree/proc/sys/kernel/sched_schedstats")" = 0 ]
	expect_match '^(off|0)$' "$(<"$tree/proc/powerpc/vcpudispatch_stats")"
}

@test "a statistic that this kernel has not is told, the other one is used" {
	statistics_tree
	rm "$tree/proc/powerpc/vcpudispatch_stats"
	expect_status 0 "$LPARTUNE" sample --root "$tree" --dispatch 0.05 1 --json
	expect_match 'warning: cannot switch vCPU dispatch statistics on' "$stderr"
	[ "$(<"$tree/proc/sys/kernel/sched_schedstats")" = 0 ]
	expect_status 2 "$LPARTUNE" sample --dispatch --since-boot
}

@test "every document is of the schema" {
	one_interval
	instant 2000000000
	for option in --per-cpu --per-core --per-node "--top 1"; do
		# shellcheck disable=SC2086
		expect_status 0 "$LPARTUNE" sample --replay "$capture" --json $option
		while read -r line; do
			wrong=$("$BUILD/tool/schema_check" "$BATS_TEST_DIRNAME/../schema/sample.json" \
				<<<"$line") || fail "$wrong"
		done <<<"$output"
	done
}

@test "counters: migrations are counted, or it is said why not" {
	expect_status 0 "$LPARTUNE" sample --counters --json 0.1 2
	for row in 0 1; do
		got=$(jq -sc ".[$row] | [.system.migrations_per_s, .absent.migrations_per_s]" <<<"$output")
		expect_match '^\[([0-9.e+]+,null|null,"(denied|not-provided)")\]$' "$got"
	done
	expect_status 2 "$LPARTUNE" sample --counters --replay "$capture"
}

@test "a few open files are enough for many CPUs" {
	tree=$BATS_TEST_DIRNAME/../examples/synthetic-power10-shared
	expect_status 0 bash -c "ulimit -n 40; exec $LPARTUNE sample --root $tree --per-cpu --json 0.05 2"
	[ "$(jq -s '.[1].cpus | length' <<<"$output")" -eq "$(jq -s '.[1].cpus_online' <<<"$output")" ]
	# each was read: a copy does not move
	[ "$(jq -s '.[1].cpus | map(.absent.dispatch_wait_tb == "no-data") | all' <<<"$output")" = true ]
}

@test "every synthetic machine, since boot and at intervals" {
	for tree in "$BATS_TEST_DIRNAME"/../examples/synthetic-* "$BATS_TEST_DIRNAME"/fixtures/synthetic-*; do
		for arguments in "--since-boot" "0.01 1"; do
			# shellcheck disable=SC2086
			expect_status 0 "$LPARTUNE" sample --root "$tree" --per-core --json $arguments
			wrong=$("$BUILD/tool/schema_check" "$BATS_TEST_DIRNAME/../schema/sample.json" \
				<<<"$output") || fail "$tree: $wrong"
			[ "$(jq '[.. | numbers | select(. < 0)] | length' <<<"$output")" -eq 0 ]
		done
	done
}

@test "captures of other shapes: one instant, no root, no manifest, times in a list" {
	instant 5000000000
	stat_lines 'cpu 20 0 0 20'
	mkdir -p "$capture/root/proc"
	echo 'cpu 10 0 0 0' >"$capture/root/proc/stat"
	replay
	expect_number user_pct 33.33
	mv "$capture/root" "$capture/elsewhere"
	instant 6000000000
	stat_lines 'cpu 30 0 0 40'
	replay
	expect_number user_pct 33.33
	expect_json .interval_ns 1000000000
	echo '{"time_ns": [7, 2000000007]}' >"$capture/manifest.json"
	replay
	expect_json .interval_ns 2000000000
	rm "$capture/manifest.json"
	replay
	expect_number user_pct 33.33
	expect_json .interval_ns null
	echo '{"instants": ' >"$capture/manifest.json"
	expect_status 1 "$LPARTUNE" sample --replay "$capture"
	[ -n "$stderr" ]
}

@test "without a topology, cores are the virtual processors" {
	echo 0-7 | tee "$capture/root/sys/devices/system/cpu/"{present,online,possible} >/dev/null
	instant 0
	lparcfg capped=1 shared_processor_mode=0 partition_active_processors=1 purr=1000 tbr=1000
	for cpu in 0 1 2 3 4 5 6 7; do purr_files $cpu 0 0 0 0; done
	instant 2000000000
	lparcfg capped=1 shared_processor_mode=0 partition_active_processors=1 purr=512001000 tbr=1024001000
	for cpu in 0 1 2 3 4 5 6 7; do
		purr_files $cpu 64000000 64000000 16000000 16000000
	done
	replay
	expect_number purr_busy_pct 37.5 1e-6
	expect_number purr_away_pct 50 1e-6
}

@test "another machine: its counters are not compared, by what lparcfg or the device tree says" {
	instant 0
	lparcfg serial_number=IBM,0312345 system_type=IBM,9080-HEX purr=1000 tbr=1000 \
		partition_entitled_capacity=100 pool_idle_time=5000 pool_num_procs=8 dispatches=10
	stat_lines 'cpu 1 1 1 1' 'cpu0 1 1 1 1'
	lppaca 0 10 1 1000 1000
	for time in 1 2; do
		instant ${time}000000000
		lparcfg serial_number=IBM,0398765 system_type=IBM,9080-HEX \
			purr=$((time * 512000000)) tbr=$((time * 512000000 + 77777777777)) \
			partition_entitled_capacity=100 pool_idle_time=$((time * 512000000 + 5000)) \
			pool_num_procs=8 dispatches=99
		stat_lines "cpu $((time * 50)) 1 1 $((time * 50))" "cpu0 $((time * 50)) 1 1 $((time * 50))"
		lppaca 0 $((time * 100)) 2 $((time * 51200000)) 1000
	done
	replay --per-cpu
	for name in physc entc_pct app steal_pct steal_dispatch_wait_pct dispatches_per_s \
		dispersions_per_s dispatch_wait_tb; do
		expect_absent $name reset
	done
	expect_absent steal_pct reset '.[0].cpus[0]'
	expect_number user_pct 50 1
	expect_json '[.clock, .interval_ns]' '["wall",1000000000]
["timebase",1000000000]'
	expect_number steal_pct 10 1e-9 '.[1].system'
	expect_number physc 1 1e-9 '.[1].system'
	expect_number app 1 1e-9 '.[1].system'
}

@test "another machine, which only the device tree tells" {
	for time in 0 1 2; do
		instant ${time}000000000
		stat_lines "cpu $((time * 50)) 1 1 $((time * 50))" "cpu0 $((time * 50)) 1 1 $((time * 50))"
		lppaca 0 $((time * 100)) 2 $((time * 51200000)) 1000
		printf 'IBM,0%s\0' $((time ? 398765 : 312345)) | put proc/device-tree/system-id
		printf 'IBM,9080-HEX\0' | put proc/device-tree/model
	done
	replay
	expect_absent steal_pct reset
	expect_absent dispatches_per_s reset
	expect_number user_pct 50 1
	expect_number steal_pct 10 1e-9 '.[1].system'
}

@test "a wait that began before the interval: no share above 100, the ticks as counted" {
	instant 0
	stat_lines 'cpu 1 1 1 1' 'cpu0 1 1 1 1' 'cpu1 1 1 1 1'
	lppaca 0 10 0 0 0
	lppaca 1 10 0 0 0
	instant 1000000000
	stat_lines 'cpu 9 9 9 9' 'cpu0 9 9 9 9' 'cpu1 9 9 9 9'
	lppaca 0 12 0 384000000 384000000
	lppaca 1 12 0 0 0
	instant 2000000000
	stat_lines 'cpu 19 19 19 19' 'cpu0 19 19 19 19' 'cpu1 19 19 19 19'
	lppaca 0 14 0 1152000000 640000000
	lppaca 1 14 0 512000000 0
	instant 3000000000
	stat_lines 'cpu 29 29 29 29' 'cpu0 29 29 29 29' 'cpu1 29 29 29 29'
	lppaca 0 16 0 1152000000 640000000
	lppaca 1 16 0 512000000 0
	replay --per-cpu
	expect_number steal_pct 100 1e-9 '.[0].cpus[0]'
	expect_number steal_dispatch_wait_pct 50 1e-9 '.[0].cpus[0]'
	expect_number steal_entitlement_wait_pct 50 1e-9 '.[0].cpus[0]'
	expect_json '.cpus[0].dispatch_wait_tb' '384000000
768000000
0'
	expect_json '.cpus[0].steal_bounded' 'true
true
null'
	expect_json '.cpus[1].steal_bounded' 'null
null
null'
	expect_number steal_pct 75 1e-9
	expect_number steal_pct 100 1e-9 '.[1].system'
	expect_number steal_dispatch_wait_pct 83.333 0.001 '.[1].system'
	expect_json '.steal_bounded' 'null
true
null'
	# the mean is of all that was counted: 2304 of 3072 million ticks
	expect_number steal_pct.mean 75 1e-9 '.[2].verdict'
}

@test "a wait that no interval explains is absurd" {
	instant 0
	stat_lines 'cpu 1 1 1 1' 'cpu0 1 1 1 1' 'cpu1 1 1 1 1' 'cpu2 1 1 1 1'
	for cpu in 0 1 2; do lppaca $cpu 10 0 1000 1000; done
	instant 1000000000
	stat_lines 'cpu 9 9 9 9' 'cpu0 9 9 9 9' 'cpu1 9 9 9 9' 'cpu2 9 9 9 9'
	lppaca 0 12 0 1536000000 1000
	lppaca 1 12 0 1537000000 1000
	lppaca 2 12 0 1000000000 1000000000
	replay --per-cpu
	expect_number steal_pct 100 1e-9 '.[0].cpus[0]'
	expect_absent steal_dispatch_wait_pct invalid '.[0].cpus[1]'
	expect_number steal_entitlement_wait_pct 0 1e-9 '.[0].cpus[1]'
	expect_absent steal_dispatch_wait_pct invalid '.[0].cpus[2]'
	expect_absent steal_entitlement_wait_pct invalid '.[0].cpus[2]'
	expect_absent steal_pct invalid
	expect_number dispatches_per_s 1 1e-9 '.[0].cpus[2]'
}

@test "a tree in which nothing moves: no data, and what to ask instead" {
	tree=$BATS_TEST_DIRNAME/../examples/synthetic-power10-shared
	expect_status 0 "$LPARTUNE" sample --root "$tree" --json --per-cpu 0.02 2
	for name in steal_pct user_pct physc entc_pct app dispatches_per_s idle_entries_per_s \
		ipis_per_s context_switches_per_s dispatch_wait_tb purr_busy_pct; do
		[ "$(jq -s "map(.system.$name == null and .absent.$name != null) | all" <<<"$output")" = true ] ||
			fail "$name: $output"
	done
	[ "$(jq -s '[.[].system[] | numbers] | length' <<<"$output")" -eq 0 ] || fail "$output"
	[ "$(jq -s '[.[].cpus[] | del(.cpu)[] | numbers] | length' <<<"$output")" -eq 0 ]
	expect_absent steal_pct no-data
	expect_match '[-]-since-boot.*[-]-replay' "$output"
	expect_status 0 "$LPARTUNE" sample --root "$tree" 0.02 1
	expect_match 'copy' "$output"
}

@test "idle processors of the pool: bounded by what is known of it" {
	local n=0 pool
	for pool in pool_num_procs=4 system_active_processors=4 pool_capacity=400 \
		physical_procs_allocated_to_virtualization=4 ""; do
		new_capture "$BATS_TEST_TMPDIR/pool$n"
		instant 0
		lparcfg tbr=1000 pool_idle_time=5000 $pool
		instant 1000000000
		lparcfg tbr=512001000 pool_idle_time=1536005000 $pool
		instant 2000000000
		lparcfg tbr=1024001000 pool_idle_time=$((1536005000 + 512000000 * (${#pool} ? 5 : 2000))) $pool
		replay
		expect_number app 3 1e-9
		expect_absent app invalid '.[1]'
		n=$((n + 1))
	done
	# a refused H_PIC leaves anything in both of its registers (Linux 6.1)
	new_capture "$BATS_TEST_TMPDIR/refused"
	instant 0
	lparcfg tbr=1000 pool_idle_time=5000 pool_num_procs=4 system_active_processors=64
	instant 1000000000
	lparcfg tbr=512001000 pool_idle_time=13835058055282163712 pool_num_procs=13835058055282163712 \
		system_active_processors=64
	instant 2000000000
	lparcfg tbr=1024001000 pool_idle_time=0 pool_num_procs=0 system_active_processors=64
	instant 3000000000
	lparcfg tbr=1536001000 pool_idle_time=9000000 pool_num_procs=4 system_active_processors=64
	replay
	expect_absent app invalid
	expect_absent app not-provided '.[1]'
	expect_absent app not-provided '.[2]'
}

@test "since boot: idle processors of the pool only by the count at boot" {
	local tree=$BATS_TEST_TMPDIR/tree now
	mkdir -p "$tree/proc/powerpc"
	cp "$capture/root/proc/cpuinfo" "$tree/proc/"
	echo 'cpu 1 1 1 1' >"$tree/proc/stat"
	echo '100.00 50.00' >"$tree/proc/uptime"
	for now in "boot_pool_idle_time=1000:2" "boot_pool_idle_time=0:null" ":null"; do
		printf 'lparcfg 1.9\npool_num_procs=4\npool_idle_time=102400001000\ntbr=999999999999\n%s\n' \
			"${now%:*}" >"$tree/proc/powerpc/lparcfg"
		expect_status 0 "$LPARTUNE" sample --root "$tree" --since-boot --json
		[ "$(jq '.system.app | if . then round else . end' <<<"$output")" = "${now#*:}" ] || fail "$output"
	done
}

@test "the median of an even count lies between the middle two; equal CPUs all stand out" {
	instant 0
	stat_lines 'cpu 1 1 1 1' 'cpu0 1 1 1 1' 'cpu1 1 1 1 1' 'cpu2 1 1 1 1' 'cpu3 1 1 1 1'
	for cpu in 0 1 2 3; do lppaca $cpu 10 0 0 0; done
	wait_tb=0
	for time in 1 2 3 4; do
		instant ${time}000000000
		stat_lines "cpu ${time}0 1 1 1" "cpu0 ${time}0 1 1 1" "cpu1 ${time}0 1 1 1" \
			"cpu2 ${time}0 1 1 1" "cpu3 ${time}0 1 1 1"
		wait_tb=$((wait_tb + time * 51200000))
		lppaca 0 10 0 $wait_tb 0
		lppaca 1 10 0 $wait_tb 0
		lppaca 2 10 0 0 0
		lppaca 3 10 0 0 0
	done
	replay
	# 5, 10, 15, 20
	expect_number median 12.5 0.011 '.[3].verdict.steal_pct'
	expect_number min 5 1e-6 '.[3].verdict.steal_pct'
	expect_number max 20 1e-6 '.[3].verdict.steal_pct'
	expect_number mean 12.5 1e-6 '.[3].verdict.steal_pct'
	expect_json '(.verdict.standouts // []) | map(.cpu)' '[]
[]
[]
[0,1]'
}

@test "a machine that stood still goes on with whole intervals" {
	"$LPARTUNE" sample --json 0.1 8 >"$BATS_TEST_TMPDIR/out" 3>&- &
	pid=$!
	sleep 0.35
	kill -STOP $pid
	sleep 1
	kill -CONT $pid
	wait $pid
	output=$(<"$BATS_TEST_TMPDIR/out")
	[ "$(wc -l <<<"$output")" -eq 8 ]
	[ "$(jq -s 'map(select(.interval_ns < 50000000)) | length' <<<"$output")" -le 1 ] || fail "$output"
}

@test "entries into idle states are cedes only on pseries" {
	expect_status 0 "$LPARTUNE" sample --root "$BATS_TEST_DIRNAME/../examples/synthetic-power10-shared" \
		--since-boot
	expect_match 'cede/s' "$output"
	for machine in x86-kvm s390x-shared powernv; do
		expect_status 0 "$LPARTUNE" sample --since-boot \
			--root "$BATS_TEST_DIRNAME/fixtures/synthetic-$machine"
		expect_match ' idle/s' "$output"
		run ! grep -q cede <<<"$output"
	done
}

# on_terminal SCRIPT: runs it with its output in $screen; `shows PATTERN COUNT` waits for it there.
on_terminal() {
	screen=$BATS_TEST_TMPDIR/screen
	cat >"$BATS_TEST_TMPDIR/script" <<-S
		shows() {
			for _ in \$(seq \${3:-100}); do
				[ "\$(grep -ao "\$1" $screen | wc -l)" -lt "\$2" ] || return 0
				sleep 0.1
			done
			echo "never: \$*"
		}
		home=\$(printf '\\033\\\\[H') enter=\$(printf '\\033\\\\[?1049h') leave=\$(printf '\\033\\\\[?1049l')
		stty cols 70 rows 20
		$1
	S
	timeout 60 script -qefc "bash $BATS_TEST_TMPDIR/script" "$screen" >/dev/null </dev/null || true
	run ! grep -a never: "$screen"
}

# The terminal is as it was: the last word on its screen and its cursor.
expect_given_back() {
	[ "$(grep -ao $'\033\\[?1049[hl]' "$screen" | tail -n 1)" = $'\033[?1049l' ]
	[ "$(grep -ao $'\033\\[?25[hl]' "$screen" | tail -n 1)" = $'\033[?25h' ]
}

@test "live: another size is drawn at once" {
	on_terminal "
		$LPARTUNE sample --live 4 & pid=\$!
		shows \"\$home\" 1
		stty cols 33 rows 8
		shows \"\$home\" 2 20 # long before the next interval
		kill -TERM \$pid; wait \$pid"
	expect_given_back
	# what was drawn then fits: no more lines and columns than there are
	awk -v RS=$'\033\\[H' 'NR > 2 { sub(/\033\[J.*/, ""); print }' "$screen" |
		sed -E $'s/\033\\[[?0-9;]*[a-zA-Z]//g; s/\r//g' >"$BATS_TEST_TMPDIR/small"
	[ "$(awk 'length($0) > 33' "$BATS_TEST_TMPDIR/small" | wc -l)" -eq 0 ]
}

@test "live: Ctrl-Z gives the terminal back, going on takes it again" {
	on_terminal "
		$LPARTUNE sample --live 0.3 & pid=\$!
		shows \"\$home\" 1
		kill -TSTP \$pid
		shows \"\$leave\" 1
		kill -CONT \$pid
		shows \"\$enter\" 2
		kill -HUP \$pid; wait \$pid; echo status=\$?"
	expect_given_back
	grep -aq 'status=130' "$screen"
	[ "$(grep -ao $'\033\\[?1049h' "$screen" | wc -l)" -eq 2 ]
}

@test "live: every death gives the terminal back" {
	local signal
	for signal in TERM HUP USR1 ALRM ABRT SEGV; do
		on_terminal "
			ulimit -c 0
			$LPARTUNE sample --live 0.3 & pid=\$!
			shows \"\$home\" 1
			kill -$signal \$pid; wait \$pid; echo status=\$?"
		expect_given_back
		grep -Eaq 'status=1(30|3[0-9]|42)' "$screen" || fail "$signal: $(tail -n 1 "$screen")"
	done
}

@test "a dispatch trace log that another reader has is told, and sampling goes on" {
	local traced=(strace -f -e trace=renameat -o "$BATS_TEST_TMPDIR/trace") n
	statistics_tree
	# in a tree a value is written by putting a file in its place: the kernel refuses this one
	"${traced[@]}" "$LPARTUNE" sample --root "$tree" --dispatch 0.05 1 --json >/dev/null
	n=$(grep -n -m 1 '"vcpudispatch_stats")' "$BATS_TEST_TMPDIR/trace" | cut -d: -f1)
	expect_status 0 "${traced[@]}" -e inject=renameat:error=EBUSY:when="$n" \
		"$LPARTUNE" sample --root "$tree" --dispatch 0.05 1 --json
	grep -q '"vcpudispatch_stats".*EBUSY' "$BATS_TEST_TMPDIR/trace" || fail "not refused"
	expect_match 'warning: cannot switch vCPU dispatch statistics on: another reader' "$stderr"
	expect_absent home_pct not-sampled
	[ "$(<"$tree/proc/powerpc/vcpudispatch_stats")" = off ]
	[ "$(<"$tree/proc/sys/kernel/sched_schedstats")" = 0 ]
}

@test "numbers that are none, or too large for one, are absent alone" {
	instant 0
	lparcfg purr=99999999999999999999999 tbr=1000 pool_idle_time=-5 pool_num_procs=4 dispatches=x
	stat_lines 'cpu 10 0 10 10' 'cpu0 10 0 10 10' 'ctxt 18446744073709551615'
	instant 1000000000
	lparcfg purr=99999999999999999999999 tbr=512001000 pool_idle_time=-3 pool_num_procs=4 dispatches=x
	stat_lines 'cpu 20 0 20 20' 'cpu0 20 0 20 20' 'ctxt 5'
	instant 2000000000
	lparcfg purr=18446744073709551614 tbr=1024001000 pool_idle_time=18446744073709551000 pool_num_procs=4 \
		dispatches=18446744073709551615
	stat_lines 'cpu 30 0 30 30' 'cpu0 99999999999999999999999 0 20 20' 'ctxt 99999999999999999999999'
	instant 3000000000
	lparcfg purr=18446744073709551615 tbr=1536001000 pool_idle_time=18446744073709551600 pool_num_procs=4 \
		dispatches=18446744073709551615
	stat_lines 'cpu 40 0 40 40' 'cpu0 40 0 40 40' 'ctxt 18446744073709551615'
	replay --per-cpu
	expect_absent physc invalid
	expect_absent app invalid
	expect_absent dispatches_per_s invalid
	expect_absent context_switches_per_s reset
	expect_number user_pct 33.33
	expect_absent physc invalid '.[1]'
	expect_absent user_pct invalid '.[1].cpus[0]'
	expect_number user_pct 33.33 0.01 '.[1].system'
	expect_number physc 0 1e-6 '.[2].system'
	expect_number app 0.000001 1e-5 '.[2].system'
	expect_number dispatches_per_s 0 1e-9 '.[2].system'
}

@test "a CPU that went and came back within an interval" {
	instant 0
	stat_lines 'cpu 100 0 0 100' 'cpu0 50 0 0 50' 'cpu1 50 0 0 50'
	lppaca 0 10 0 0 0
	lppaca 1 11 0 700000000 5000
	instant 1000000000
	stat_lines 'cpu 150 0 0 150' 'cpu0 100 0 0 100' 'cpu1 60 0 0 60'
	lppaca 0 12 0 51200000 0
	lppaca 1 2 0 100 0
	instant 2000000000
	stat_lines 'cpu 250 0 0 250' 'cpu0 150 0 0 150' 'cpu1 110 0 0 110'
	lppaca 0 14 0 102400000 0
	lppaca 1 4 0 51200100 0
	replay --per-cpu
	expect_absent steal_pct reset '.[0].cpus[1]'
	expect_absent dispatches_per_s reset '.[0].cpus[1]'
	expect_number user_pct 50 0.01 '.[0].cpus[1]'
	expect_number steal_pct 10 1e-6 '.[0].cpus[0]'
	expect_absent steal_pct reset
	expect_number steal_pct 10 1e-6 '.[1].system'
}

@test "lparcfg's sums without the lppacas: a wrap of one 32-bit part, and a step back" {
	instant 0
	lparcfg tbr=1000 dispatches=8589934500 dispatch_dispersions=4294967290
	stat_lines 'cpu 1 1 1 1'
	instant 1000000000
	lparcfg tbr=512001000 dispatches=4294967404 dispatch_dispersions=4
	stat_lines 'cpu 9 9 9 9'
	instant 2000000000
	lparcfg tbr=1024001000 dispatches=2000000000 dispatch_dispersions=4
	stat_lines 'cpu 19 19 19 19'
	replay
	expect_number dispatches_per_s 100 1e-9
	expect_number dispersions_per_s 10 1e-9
	expect_absent dispatches_per_s reset '.[1]'
	expect_number dispersions_per_s 0 1e-9 '.[1].system'
}

@test "counts that no machine can reach are absent alone" {
	instant 0
	lparcfg tbr=0 purr=5 dispatches=7 dispatch_dispersions=5 pool_idle_time=5 pool_num_procs=4
	stat_lines 'cpu 1 1 1 1' 'ctxt 5'
	instant 1000000000
	lparcfg tbr=512000000 purr=1000000000000000000 dispatches=1000000000000000000 \
		dispatch_dispersions=1000000000000000 pool_idle_time=512000005 pool_num_procs=4
	stat_lines 'cpu 2 2 2 2' 'ctxt 1000000000000000000'
	replay
	for name in physc entc_pct dispatches_per_s dispersions_per_s context_switches_per_s; do
		expect_absent $name invalid
	done
	expect_number app 1 1e-9
	expect_number user_pct 50
}

@test "since boot: waits of centuries are absurd" {
	instant 0
	stat_lines 'cpu 1 1 1 1 1 1 1 1' 'cpu0 1 1 1 1 1 1 1 1'
	lppaca 0 1 1 0x7fffffffffffffff 1000
	cp -r "$here/." "$capture/root"
	echo '1000.5 20' >"$capture/root/proc/uptime"
	expect_status 0 "$LPARTUNE" sample --root "$capture/root" --since-boot --json
	expect_absent dispatch_wait_tb invalid
	expect_absent steal_pct invalid
	expect_number entitlement_wait_tb 1000
}

@test "the time of CPUs that went off counts in the system's, also since boot" {
	instant 0
	# 256 CPUs for an hour, of which four are left.
	stat_lines 'cpu 23040000 0 0 69120000 0 0 0 0' "$(printf 'cpu%d 90000 0 0 270000 0 0 0 0\n' {0..3})"
	cp -r "$here/." "$capture/root"
	echo '3600.5 3600' >"$capture/root/proc/uptime"
	expect_status 0 "$LPARTUNE" sample --root "$capture/root" --since-boot --json
	expect_number user_pct 25
	# 256 CPUs, of which all but two went within ten seconds.
	new_capture "$BATS_TEST_TMPDIR/less"
	instant 10000000000
	stat_lines 'cpu 0 0 0 10 0 0 0 0' "$(printf 'cpu%d 0 0 0 1 0 0 0 0\n' {0..255})"
	instant 20000000000
	stat_lines 'cpu 64000 0 0 192010 0 0 0 0' "$(printf 'cpu%d 250 0 0 751 0 0 0 0\n' {0..1})"
	replay
	expect_number user_pct 25
	# What no CPU can have spent is still none.
	stat_lines 'cpu 64000000 0 0 192000000 0 0 0 0' "$(printf 'cpu%d 250 0 0 751 0 0 0 0\n' {0..1})"
	replay
	expect_absent user_pct invalid
}

@test "a first lppaca that is torn does not void the run" {
	instant 0
	stat_lines 'cpu 1 1 1 1' 'cpu0 1 1 1 1'
	head -c 100 /dev/zero | put sys/kernel/debug/powerpc/vpa/cpu-0
	instant 1000000000
	stat_lines 'cpu 2 2 2 2' 'cpu0 2 2 2 2'
	lppaca 0 3 1 200 0
	instant 2000000000
	stat_lines 'cpu 3 3 3 3' 'cpu0 3 3 3 3'
	lppaca 0 5 1 51200200 0
	replay
	expect_absent steal_pct invalid
	expect_number steal_pct 10 1e-6 '.[1].system'
	[ "$(jq -r .steal_source <<<"$output" | sort -u)" = vpa ]
}

@test "more dispatches at home than dispatches; a row of interrupts that is cut off" {
	instant 0
	stat_lines 'cpu 1 1 1 1' 'cpu0 1 1 1 1' 'cpu1 1 1 1 1'
	printf 'cpu0 10 10 0 0 0 10 0 0\ncpu1 0 0 0 0 0 0 0 0\n' | put proc/powerpc/vcpudispatch_stats
	printf '  CPU0 CPU1\nDBL: 100 100 Doorbell interrupts\n' | put proc/interrupts
	instant 1000000000
	stat_lines 'cpu 2 2 2 2' 'cpu0 2 2 2 2' 'cpu1 2 2 2 2'
	printf 'cpu0 20 20 0 0 0 90 0 0\ncpu1 0 0 0 0 0 0 0 0\n' | put proc/powerpc/vcpudispatch_stats
	printf '  CPU0 CPU1\nDBL: 200 ' | put proc/interrupts
	replay
	expect_absent home_pct invalid
	expect_number same_core_pct 100
	expect_absent ipis_per_s invalid
}

@test "a timebase that went back is a reset, not missing data" {
	instant
	lparcfg tbr=1000000 purr=5
	stat_lines 'cpu 1 1 1 1' 'cpu0 1 1 1 1'
	lppaca 0 1 1 100 0
	instant
	lparcfg tbr=10 purr=10
	stat_lines 'cpu 2 2 2 2' 'cpu0 2 2 2 2'
	lppaca 0 3 1 200 0
	replay
	for name in steal_pct dispatches_per_s physc; do
		expect_absent $name reset
	done
	expect_number user_pct 50
}

@test "a KVM host that counts no waiting: not provided, not 0" {
	local tree=$capture/root/sys/firmware/devicetree/base
	mkdir -p "$tree/hypervisor"
	printf 'IBM pSeries (emulated by qemu)\0' >"$tree/model"
	printf 'qemu,pseries\0' >"$tree/compatible"
	printf 'linux,kvm\0' >"$tree/hypervisor/compatible"
	ln -s /sys/firmware/devicetree/base "$capture/root/proc/device-tree"
	printf 'timebase\t: 512000000\nplatform\t: pSeries\nmachine\t\t: CHRP IBM pSeries (emulated by qemu)\n' \
		>"$capture/root/proc/cpuinfo"
	instant 0
	stat_lines 'cpu 0 0 0 0 0 0 0 0' 'cpu0 0 0 0 0 0 0 0 0'
	lppaca 0 1 1 0 0
	instant 1000000000
	stat_lines 'cpu 60 0 0 20 0 0 0 20' 'cpu0 60 0 0 20 0 0 0 20'
	lppaca 0 3 1 0 0
	replay
	expect_number steal_pct 20
	expect_absent steal_dispatch_wait_pct not-provided
	expect_absent dispatch_wait_tb not-provided
}
