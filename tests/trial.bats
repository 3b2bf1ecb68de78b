#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# lpartune trial: what it refuses, what it says of itself, and that whatever ends it, everything is put
# back. No test here asserts on a latency; where a verdict is expected, its cause is put in.
# shellcheck disable=SC2154 # $tree, $output: bats and tree.bash

load helpers
load tree
load live

# One value of each kind that can be tried, and what is written for it.
changes=(sysctl:vm.stat_interval=10 feature:NONTASK_CAPACITY=off cpuidle:CEDE=off thp:enabled=never
	sched:migration_cost_ns=100000)
brief=(--block 30ms --settle 10ms --cells same/200us --events none)

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	make_tree "$BATS_TEST_TMPDIR/tree"
	put proc/sys/vm/stat_interval 1
	put sys/kernel/debug/sched/migration_cost_ns 500000
	live_prepare
	live_snapshot >before
}

teardown() {
	[ -z "${burner-}" ] || kill "$burner" 2>/dev/null || true
}

is_original() {
	live_snapshot | diff before - || fail "not everything is as before"
	[ ! -e "$tree/run/lpartune/temporary.json" ] || fail "the record of the change is still there"
}

# start ARGUMENT...: a long trial in the background. Sets $trial.
start() {
	live lpartune trial "${changes[@]}" "${brief[@]}" --cpus 0 --rounds 500 "$@" >out 2>err &
	trial=$!
	for ((i = 0; i < 200; i++)); do
		[ ! -e "$tree/run/lpartune/temporary.json" ] || return 0
		sleep 0.05
	done
	fail "the trial did not begin: $(cat err)"
}

value() {
	cat "$tree/proc/sys/vm/stat_interval"
}

# The same, and the warm-up is over: the values are changed for the second time.
start_rounds() {
	start "$@"
	for ((i = 0; i < 1000; i++)); do
		[ "$(value)" = 10 ] || break
		sleep 0.01
	done
	for ((i = 0; i < 1000; i++)); do
		[ "$(value)" != 10 ] || return 0
		sleep 0.01
	done
	fail "no round began: $(cat err)"
}

# signal NAME: to the trial, not to the shell around it.
signal() {
	kill -s "$1" "$(pgrep -P "$trial" || echo "$trial")"
}

# A program that takes CPU 0 while a value is 1: what makes one arm of a trial slower for sure.
burn() {
	# shellcheck disable=SC2016
	nice -n -10 taskset -c 0 bash -c 'while :; do
		read -r value <"$1" && [ "$value" = 1 ] && continue
		sleep 0.01
	done' burner "$tree/proc/sys/vm/stat_interval" &
	burner=$!
}

@test "what cannot be tried is a usage error that says why" {
	refuse() { # PATTERN ARGUMENT...
		expect_status 2 "$LPARTUNE" trial "${@:2}"
		expect_match "$1" "$stderr"
	}
	refuse 'KEY=VALUE is needed'
	refuse "'sysctl:vm.swappiness' is no KEY=VALUE" sysctl:vm.swappiness
	refuse "'no:such' is no tunable" no:such=1
	refuse "'300' is no value of sysctl:vm.swappiness" sysctl:vm.swappiness=300
	refuse 'named twice' thp:enabled=never thp:enabled=always
	refuse 'exclude one another' sysctl:vm.dirty_bytes=100000000 sysctl:vm.dirty_ratio=11
	refuse 'next boot: lpartune apply --confirm' cmdline:no-steal-acc=present
	refuse 'next load of its module' module:steal_governor=loaded
	refuse 'changes nothing' --self-test thp:enabled=never
	refuse 'do not go together' --self-test --apply-if-better
	for metrics in p98 p99,p50,p90 p99,p99 '' 'p50,' ',p50'; do
		refuse 'metric|is not one or two' --self-test --metric "$metrics"
	done
	refuse "--order 'ab' is neither abba nor random" --self-test --order ab
	refuse "--rounds '0' is no number from 1 to 1000" --self-test --rounds 0
	refuse 'no time above 0' --self-test --max-time 0
	refuse "--within '-1' is no percentage" --self-test --within -1
	refuse "unknown benchmark 'x'" --self-test --bench x
}

@test "values that are as wanted already, or that cannot be, are told" {
	expect_status 1 live lpartune trial sysctl:vm.stat_interval=1 "${brief[@]}"
	expect_match 'nothing to try' "$stderr"
	expect_status 1 live lpartune trial feature:WA_IDLE=off "${brief[@]}"
	expect_match 'cannot set feature:WA_IDLE: this machine has no such tunable' "$stderr"
	expect_status 1 "$LPARTUNE" trial --self-test --save no/such/file
	expect_match "cannot write 'no/such/file'" "$stderr"
	is_original
}

@test "a trial measures both sides alike, puts everything back, and fits its schema" {
	expect_status 0 live lpartune trial "${changes[@]}" "${brief[@]}" --rounds 7 --no-early-end --json
	is_original
	"$BUILD/tool/schema_check" "$BATS_TEST_DIRNAME/../schema/trial.json" <<<"$output"
	expect_json '[.put_back, .ended, .rounds_done, .applied]' '[true,"complete",7,null]'
	expect_json '[.changes[] | [.tunable, .from, .to]][0]' '["sysctl:vm.stat_interval","1","10"]'
	expect_json '[.changes[].from]' '["1","on","on","madvise","500000"]'
	expect_json '[.rounds[].first]' '["a","b","a","b","a","b","a"]'
	expect_json '[.rounds[].a | length] | unique' '[1]'
	expect_json '[.rounds[] | (.a + .b)[] | .operations_per_s >= 0] | unique' '[true]'
	expect_json '[.cells[0] | .a, .b | .count > 0]' '[true,true]'
	# All samples of the rounds are in the distributions.
	expect_json '.cells[0] | [.a, .b] | map((.histogram | map(.[1]) | add) == .count) | unique' '[true]'
	expect_json '[.metrics[] | .quantile]' '["99","50"]'
}

@test "what can be neither set nor put back is told, and its record kept" {
	[ "$(id -u)" -eq 0 ] || skip "only root may"
	was=$(cat /proc/sys/vm/stat_interval)
	cat >script <<-END
		mount -t tmpfs none /run || exit 99
		trap 'echo $was >/proc/sys/vm/stat_interval' EXIT
		# The first write of vm.stat_interval is done; what follows fails.
		ASAN_OPTIONS=detect_leaks=0 strace -f -o /dev/null -P /proc/sys/vm/stat_interval -P /proc/sys/vm/dirty_bytes \
			-e inject=write,pwrite64:error=EIO:when=2+ \
			"$LPARTUNE" trial sysctl:vm.stat_interval=$((was + 1)) sysctl:vm.dirty_bytes=100000000 \
			${brief[*]} --rounds 1
		echo "status \$?, \$(cat /proc/sys/vm/stat_interval), \$(ls /run/lpartune/temporary.json)"
		"$LPARTUNE" revert --all
		echo "then \$(cat /proc/sys/vm/stat_interval)"
	END
	expect_status 0 unshare -m bash script
	expect_match 'cannot set sysctl:vm.dirty_bytes to .*, and not everything could be put back' "$stderr"
	expect_match "^status 5, $((was + 1)), /run/lpartune/temporary.json" "$output"
	expect_match 'interrupted change was undone first' "$stderr"
	expect_match "^then $was" "$output"
}

@test "fewer than 6 rounds give no verdict" {
	expect_status 0 live lpartune trial thp:enabled=never "${brief[@]}" --rounds 5 --json
	expect_json '[.verdict, .reason]' '["undecided","fewer than 6 rounds"]'
	is_original
}

@test "too few samples give no figure, with steal or without, and the verdict says so" {
	expect_status 0 live lpartune trial thp:enabled=never "${brief[@]}" --metric p99.9 --rounds 6 --json
	expect_json '[.metrics[0] | .low_pct, .steal_free.low_pct, .reason]' \
		'[null,null,"too few samples above the quantile"]'
	expect_json '[.cells[].effects[] | select(.low_pct == null and .steal_free.low_pct != null)]' '[]'
	expect_status 0 live lpartune trial thp:enabled=never "${brief[@]}" --metric p99.9 --rounds 6
	expect_match '^undecided: p99.9 over all cells: too few samples above the quantile' "$output"
	expect_status 0 live lpartune trial thp:enabled=never "${brief[@]}" --metric rate --rounds 6
	expect_match '^undecided: rate over all cells: no cell that was measured has this figure' "$output"
}

@test "a message that nobody reads does not end a trial before everything is put back" {
	{
		sleep 0.2
		live lpartune trial "${changes[@]}" "${brief[@]}" --block 400ms --max-time 500ms >out
	} 2>&1 | true
	is_original
}

@test "the progress of a trial stays on one line of a narrow terminal" {
	script -qec "stty cols 40; $LPARTUNE trial --self-test --rounds 7 ${brief[*]}" /dev/null >screen
	# What is written between two returns, but for the table at the end.
	tr '\r' '\n' <screen | sed -n 's/^.\[K\(round .*\)/\1/p' >lines
	grep -q '^round 7 of 7, .*: p' lines || fail "no progress: $(cat -v screen)"
	[ "$(wc -L <lines)" -le 39 ] || fail "too wide: $(cat lines)"
}

@test "the order can be drawn, and the same seed draws it again" {
	for i in 1 2; do
		live lpartune trial thp:enabled=never "${brief[@]}" --rounds 12 --order random --seed 5 --json |
			jq -c '[.rounds[].first]' >"order$i"
	done
	cmp order1 order2
	grep -q '"a","a"\|"b","b"' order1
}

@test "a trial with a time limit begins no round that would end after it" {
	expect_status 0 live lpartune trial thp:enabled=never "${brief[@]}" --block 400ms --max-time 6s --rounds 400 --json
	expect_json '[.ended, .took_ns < 7.5e9, .rounds_done > 0]' '["time",true,true]'
	expect_status 0 live lpartune trial thp:enabled=never "${brief[@]}" --max-time 2s --json
	expect_json '.config.rounds > 2' true
	# None at all would end in time; or too few for a verdict.
	expect_status 1 live lpartune trial thp:enabled=never "${brief[@]}" --block 400ms --max-time 500ms
	expect_match 'no round would end within --max-time: one takes about 0.9 s' "$stderr"
	expect_status 0 live lpartune trial thp:enabled=never "${brief[@]}" --block 400ms --max-time 3s --json
	expect_match 'only about 3 rounds .* below 6 there is no verdict: these take about [56] s' "$stderr"
	expect_json '.took_ns < 3.5e9' true
	is_original
}

@test "what makes things worse or better is found; better is applied if asked, and only then" {
	burn
	how=("${brief[@]}" --cpus 0 --cells same --bench pipe --metric rate --rounds 8 --block 50ms)
	expect_status 0 live lpartune trial sysctl:vm.stat_interval=10 "${how[@]}" --json
	expect_json '[.verdict, .decided_by, .applied]' '["better","rate",null]'
	is_original
	expect_status 0 live lpartune trial sysctl:vm.stat_interval=10 "${how[@]}" --apply-if-better --json
	expect_json '[.verdict, .applied]' '["better","done"]'
	[ "$(value)" = 10 ]
	grep -q '^vm.stat_interval = 10' "$tree/etc/sysctl.d/85-lpartune.conf"
	expect_status 0 live lpartune verify --json
	expect_json '.settings[0].confirmed | test("^better .trial of 8 rounds: rate [+]")' true
	expect_status 0 live lpartune revert --all
	# What cannot be kept is said, in the document too.
	mkdir "$tree/etc/sysctl.d/85-lpartune.conf"
	expect_status 4 live lpartune trial sysctl:vm.stat_interval=10 "${how[@]}" --apply-if-better
	expect_match 'the change could not be applied: everything was put back' "$output"
	[ "$(value)" = 1 ]
	rmdir "$tree/etc/sysctl.d/85-lpartune.conf"
	expect_status 0 live lpartune trial sysctl:vm.stat_interval=10 "${how[@]}" --apply-if-better
	expect_match 'the change was applied: lpartune verify' "$output"
	# The way back is worse, and is not applied.
	expect_status 3 live lpartune trial sysctl:vm.stat_interval=1 "${how[@]}" --apply-if-better --check --json
	expect_json '[.verdict, .got_worse, .applied]' '["worse",true,null]'
	[ "$(value)" = 10 ]
	live lpartune revert --all
	kill "$burner"
	rm -rf "$tree/etc/sysctl.d/85-lpartune.conf"
	[ "$(value)" = 1 ]
}

@test "a clear effect ends a trial at its one look, unless that is not wanted" {
	burn
	how=("${brief[@]}" --cpus 0 --cells same --bench pipe --metric rate --rounds 16 --block 50ms)
	expect_status 0 live lpartune trial sysctl:vm.stat_interval=10 "${how[@]}" --json
	expect_json '[.verdict, .ended, .rounds_done]' '["better","early",12]'
	expect_status 0 live lpartune trial sysctl:vm.stat_interval=10 "${how[@]}" --no-early-end --json
	expect_json '[.verdict, .ended, .rounds_done]' '["better","complete",16]'
}

@test "Ctrl-C, SIGTERM and SIGHUP put everything back, and the part has no verdict" {
	for name in INT TERM HUP; do
		start --json
		sleep 0.7
		signal "$name"
		status=0
		wait "$trial" || status=$?
		[ "$status" -eq 130 ] || fail "$name: status $status: $(cat err)"
		output=$(cat out)
		expect_json '[.ended, .verdict, .put_back]' '["interrupted","undecided",true]'
		is_original
	done
}

@test "killed at 20 random points, the next start or revert finishes the way back" {
	changed=0
	for ((run = 0; run < 20; run++)); do
		start_rounds
		sleep "0.$((RANDOM % 5))$((RANDOM % 10))"
		signal KILL
		wait "$trial" || true
		live_snapshot | cmp -s before - || changed=$((changed + 1))
		if ((run % 2)); then
			live lpartune revert --all >/dev/null
		else
			live lpartune trial thp:enabled=always "${brief[@]}" --rounds 1 >/dev/null
		fi
		is_original
	done
	[ "$changed" -gt 0 ] || fail "never killed while changed: is this test blind?"
	echo "# 20 kills, $changed while the values were changed" >&3
}

@test "after a kill the same trial again finds what was there before it" {
	start_rounds --block 2s
	for ((i = 0; i < 1000; i++)); do
		[ "$(value)" != 10 ] || break
		sleep 0.01
	done
	signal KILL
	wait "$trial" || true
	[ "$(value)" = 10 ] || fail "killed too late: is this test blind?"
	expect_status 0 live lpartune trial "${changes[@]}" "${brief[@]}" --rounds 1 --json
	expect_match 'interrupted change was undone first' "$stderr"
	expect_json '[.changes[].from]' '["1","on","on","madvise","500000"]'
	is_original
}

@test "after a kill apply sees the machine as it was before it" {
	tree=$BATS_TEST_TMPDIR/lpar
	cp -a "$BATS_TEST_DIRNAME/fixtures/synthetic-power10-capped" "$tree"
	live_prepare
	enabled=$tree/sys/kernel/mm/transparent_hugepage/enabled
	for ((run = 0; run < 20; run++)); do
		live lpartune trial thp:enabled=madvise --cpus 0-1 --cells same --block 2s --events none &
		trial=$!
		for ((i = 0; i < 1000; i++)); do
			! grep -qF '[madvise]' "$enabled" || break
			sleep 0.01
		done
		signal KILL
		wait "$trial" || true
		! grep -qF '[madvise]' "$enabled" || break
		live lpartune revert --all
	done
	grep -qF '[madvise]' "$enabled" || fail "killed too late: is this test blind?"
	expect_status 0 live lpartune apply --workload sap-hana thp:enabled --json
	expect_json '[.outcome, .recovered, .settings[0].from, .settings[0].to]' '["done",1,"always","madvise"]'
	grep -qF '[madvise]' "$enabled"
	expect_status 0 live lpartune revert --all
	grep -qF '[always]' "$enabled"
}

@test "while a trial runs nobody else changes the machine" {
	start
	expect_status 6 live lpartune trial thp:enabled=always "${brief[@]}" --rounds 1
	expect_match 'another lpartune' "$stderr"
	expect_status 6 live lpartune apply thp:enabled
	signal TERM
	wait "$trial" || true
	is_original
}

@test "a value that somebody else changes is left alone, and ends the trial" {
	start_rounds --json
	echo 7 >"$tree/proc/sys/vm/stat_interval"
	status=0
	wait "$trial" || status=$?
	[ "$status" -eq 1 ] || fail "status $status: $(cat err)"
	expect_match 'somebody else changed' "$(cat err)"
	[ "$(value)" = 7 ]
	output=$(cat out)
	expect_json '[.ended, .verdict, .put_back]' '["switch","undecided",false]'
	echo 1 >"$tree/proc/sys/vm/stat_interval"
	is_original
}

@test "a self-test changes nothing, needs no right, and tells what it would find" {
	expect_status 0 setpriv --reuid 65534 --clear-groups "$tree/stand-ins/lpartune" trial --self-test \
		"${brief[@]}" --rounds 7 --json
	"$BUILD/tool/schema_check" "$BATS_TEST_DIRNAME/../schema/trial.json" <<<"$output"
	expect_json '[.changes, .self_test.recorded_rounds, (.self_test.drawn | map(.rounds))]' '[[],7,[7,14]]'
	expect_json '[.self_test.drawn[].false_alarms.trials] | unique' '[1000]'
	expect_json '[.self_test.drawn[] | (.delayed_all, .delayed_some) | keys] | unique' '[["p50","p99"]]'
	is_original
}

@test "a trial draws itself, and its text names change, verdict and state" {
	expect_status 0 live lpartune trial thp:enabled=never "${brief[@]}" --rounds 6 --plot /tmp/t.svg --save /tmp/t.json
	expect_match '^thp:enabled: madvise as found, never changed' "$output"
	expect_match 'everything was put back' "$output"
	expect_match '6 of 6 rounds \(ABBA\)' "$output"
	text=$(tr -s ' \n' ' ' <<<"$output")
	expect_match 'lpartune [0-9.]+, 2[0-9-]+T[0-9:]+Z(, [a-z]+ .*)?, boot 5d2f9c1e-0000-4000-8000-000000000001' "$text"
	grep -q '</svg>' "$tree/tmp/t.svg"
	grep -q 'thp:enabled=never' "$tree/tmp/t.svg"
	"$BUILD/tool/schema_check" "$BATS_TEST_DIRNAME/../schema/trial.json" <"$tree/tmp/t.json"
}

@test "on this machine a real value is switched and put back" {
	[ "$(id -u)" -eq 0 ] || skip "only root may"
	was=$(cat /proc/sys/vm/stat_interval)
	# A lock and a record of its own.
	# shellcheck disable=SC2016
	expect_status 0 unshare -m sh -c 'mount -t tmpfs none /run && exec "$@"' sh \
		"$LPARTUNE" trial "sysctl:vm.stat_interval=$((was + 1))" --rounds 6 --block 30ms --settle 20ms --json
	expect_json '[.put_back, .rounds_done]' '[true,6]'
	[ "$(cat /proc/sys/vm/stat_interval)" = "$was" ]
}
