#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What went wrong in other tools that apply and revert settings, run-time half: each test is of the
# kind of a reported bug (tuned, saptune, sapconf, procps, systemd, smtstate). Boot loaders are in
# bootparam.bats and loader.bats; what is proved in other suites is named there.
# shellcheck disable=SC2154 # run sets stderr
load helpers
load tree

setup() {
	work=$BATS_TEST_TMPDIR
	make_tree "$work/tree"
	snapshot "$work/tree" >"$work/before"
}

same_as_before() {
	diff "$work/before" <(snapshot "$work/tree") || fail "the tree differs"
}

apply_plan() { # 'TUNABLE=VALUE'...
	plan "$work/one.json" "$@"
	expect_status 0 "$LPARTUNE" apply --root "$work/tree" --plan "$work/one.json" --json
}

thp=sys/kernel/mm/transparent_hugepage/enabled

@test "apply A, apply B, apply A: the first original, not our own value, comes back" {
	apply_plan sysctl:vm.swappiness=10 cpuidle:CEDE=off
	apply_plan sysctl:vm.swappiness=20 thp:enabled=never
	apply_plan sysctl:vm.swappiness=10 cpuidle:CEDE=on
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "a device that comes in while we apply does not overwrite an original" {
	mv "$work/tree/sys/devices/system/cpu/cpu3/cpuidle" "$work/idle"
	apply_plan cpuidle:CEDE=off
	mv "$work/idle" "$work/tree/sys/devices/system/cpu/cpu3/cpuidle"
	apply_plan cpuidle:CEDE=off
	apply_plan cpuidle:CEDE=off
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "revert twice, and after the records are gone: nothing to do, status 0" {
	apply_plan thp:enabled=never
	rm "$work/one.json" # the plan is not needed any more
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree" --json
	expect_json .outcome '"nothing"'
	same_as_before
}

@test "an original that could not be read is not replaced by a guessed default" {
	: >"$work/tree/proc/sys/vm/swappiness" # an empty file is no value
	plan "$work/one.json" sysctl:vm.swappiness=10
	expect_status 0 "$LPARTUNE" apply --root "$work/tree" --plan "$work/one.json" --json
	expect_json '.settings[0] | [.from, .status]' '[null,"absent"]'
	[ ! -s "$work/tree/proc/sys/vm/swappiness" ]
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	[ ! -s "$work/tree/proc/sys/vm/swappiness" ]
}

@test "an equal value is not even opened for writing" {
	apply_plan thp:enabled=never cpuidle:CEDE=off 'sysctl:net.ipv4.tcp_rmem=8192 131072 6291456'
	expect_status 0 strace -f -o "$work/trace" "$LPARTUNE" apply --root "$work/tree" \
		--plan "$work/one.json"
	run ! grep -E 'O_WRONLY|O_RDWR|renameat' "$work/trace"
	plan "$work/two.json" 'sysctl:net.ipv4.tcp_rmem=8192	131072   6291456'
	expect_status 0 strace -f -o "$work/trace" "$LPARTUNE" apply --root "$work/tree" \
		--plan "$work/two.json"
	run ! grep -E '(O_WRONLY|O_RDWR|renameat).*tcp_rmem' "$work/trace"
}

@test "a failed apply leaves the state as it was, and says so in its status" {
	apply_plan thp:enabled=never
	cp "$work/tree/var/lib/lpartune/state.json" "$work/state"
	plan "$work/two.json" feature:NEXT_BUDDY=on sysctl:vm.swappiness=10
	local error
	for error in EIO EROFS EPERM EBUSY EINVAL; do
		run strace -f -o /dev/null -e "inject=renameat:error=$error:when=3" "$LPARTUNE" apply \
			--root "$work/tree" --plan "$work/two.json"
		[ "$status" -eq 4 ] || fail "$error: $status: $output"
		diff <(jq -S 'del(.checksum, .time)' "$work/state") \
			<(jq -S 'del(.checksum, .time)' "$work/tree/var/lib/lpartune/state.json")
		expect_status 0 "$LPARTUNE" verify --root "$work/tree"
	done
}

@test "two at once: one does it, the other waits or is told, and nothing is lost" {
	local i pids=() ok=0 busy=0 rc
	for i in 1 2 3 4 5 6; do
		plan "$work/p$i.json" "sysctl:vm.swappiness=$((i * 10))" thp:enabled=never
		"$LPARTUNE" apply --root "$work/tree" --plan "$work/p$i.json" >/dev/null 2>&1 &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		rc=0
		wait "$i" || rc=$?
		case $rc in 0) ok=$((ok + 1)) ;; 6) busy=$((busy + 1)) ;; *) fail "status $rc" ;; esac
	done
	[ "$ok" -ge 1 ] && [ $((ok + busy)) -eq 6 ]
	for i in 1 2 3 4; do
		"$LPARTUNE" apply --wait 60 --root "$work/tree" --plan "$work/p$i.json" >/dev/null &
		pids+=($!)
	done
	expect_status 0 "$LPARTUNE" recommend --root "$work/tree" # a reader does not wait
	wait
	expect_status 0 "$LPARTUNE" verify --root "$work/tree"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "the winner of the next boot and all losers are named; nobody's file is touched" {
	printf 'vm.swappiness=30\n' >"$work/tree/etc/sysctl.d/99-a.conf"
	printf '\nvm/swappiness = 40\n' >"$work/tree/etc/sysctl.d/99-b.conf"
	snapshot "$work/tree" >"$work/before"
	apply_plan sysctl:vm.swappiness=10
	expect_status 3 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '.settings[0] | [.status, .detail]' '["conflict","sysctl.d /etc/sysctl.d/99-b.conf:2 sets it to 40 at the next boot, over /etc/sysctl.d/50-site.conf:1 (60), /etc/sysctl.d/85-lpartune.conf:3 (10), /etc/sysctl.d/99-a.conf:1 (30)"]'
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "a file masked in /etc, and one with exclusions and patterns, are no winners" {
	mkdir -p "$work/tree/usr/lib/sysctl.d"
	echo 'vm.swappiness=30' >"$work/tree/usr/lib/sysctl.d/99-v.conf"
	ln -s /dev/null "$work/tree/etc/sysctl.d/99-v.conf"
	printf -- '-vm.swappiness\nvm.* = 1\n' >"$work/tree/etc/sysctl.d/98-p.conf"
	apply_plan sysctl:vm.swappiness=10
	expect_status 0 "$LPARTUNE" verify --root "$work/tree"
}

@test "a value of any length is read whole" {
	local long
	long=$(printf 'ffffffff,%.0s' {1..1000})ffffffff
	printf '%s\n' "$long" >"$work/tree/sys/devices/virtual/workqueue/cpumask"
	snapshot "$work/tree" >"$work/before"
	apply_plan workqueue:cpumask=0-3
	expect_json '.settings[0].from' '"0-32031"'
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "absent, unreadable, empty and other values are four things" {
	rm "$work/tree/proc/sys/vm/swappiness" 2>/dev/null || true
	apply_plan sysctl:vm.dirty_ratio=10 thp:enabled=never feature:NEXT_BUDDY=on
	rm "$work/tree/$thp"
	: >"$work/tree/proc/sys/vm/dirty_ratio"
	put sys/kernel/debug/sched/features NO_NEXT_BUDDY
	expect_status 3 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '[.settings[] | [.tunable, .status]] | sort' \
		'[["feature:NEXT_BUDDY","drift"],["sysctl:vm.dirty_ratio","absent"],["thp:enabled","absent"]]'
}

@test "what this kernel does not have is listed and changes no exit status" {
	plan "$work/one.json" thp:enabled=never s390.x=1
	plan "$work/one.json" thp:enabled=never sysctl:s390.polarization=1 sched:latency_ns=1000000
	expect_status 0 "$LPARTUNE" apply --root "$work/tree" --plan "$work/one.json" --json
	expect_json '[.settings[].status]' '["changed","absent","obsolete"]'
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "output into a closed pipe is quiet, and leaves no file behind" {
	apply_plan thp:enabled=never
	run bash -c "'$LPARTUNE' verify --root '$work/tree' 2>&1 >/dev/full; '$LPARTUNE' explain 2>'$work/err' | head -n 1 >/dev/null; cat '$work/err'"
	run ! grep -i 'pipe' <<<"$output"
	[ -z "$(find "$work/tree" -name '*lpartune-*' -not -name '85-*')" ]
}
