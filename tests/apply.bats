#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# apply, verify and revert on trees: every kind of value, exact originals, ownership, failures.
# shellcheck disable=SC2154 # run sets stderr
load helpers
load tree

setup() {
	work=$BATS_TEST_TMPDIR
	make_tree "$work/tree"
	snapshot "$work/tree" >"$work/before"
	all_kinds "$work/plan.json"
}

same_as_before() {
	diff "$work/before" <(snapshot "$work/tree") || fail "the tree differs"
}

apply_plan() { # 'TUNABLE=VALUE'...
	plan "$work/one.json" "$@"
	expect_status 0 "$LPARTUNE" apply --root "$work/tree" --plan "$work/one.json" --json
}

value_is() { # PATH LINE
	[ "$(cat "$work/tree/$1")" = "$2" ] || fail "$1 is $(cat "$work/tree/$1"), not $2"
}

@test "every kind is applied, verified and reverted to the byte" {
	expect_status 0 "$LPARTUNE" apply --root "$work/tree" --plan "$work/plan.json" --json
	expect_json .outcome '"done"'
	expect_json '[.settings[] | select(.status != "changed") | .status] | unique' '["next-load","pending-reboot"]'
	value_is sys/kernel/debug/sched/features 'GENTLE NO_NONTASK_CAPACITY NEXT_BUDDY TTWU_QUEUE '
	value_is sys/kernel/debug/sched/preempt 'none voluntary (full) '
	value_is sys/kernel/mm/transparent_hugepage/enabled 'always madvise [never]'
	value_is sys/devices/virtual/workqueue/cpumask 0000000f
	value_is sys/devices/system/cpu/smt/control 2
	value_is sys/devices/system/cpu/cpu3/cpuidle/state1/disable 1
	value_is proc/sys/vm/dirty_bytes 0
	value_is proc/sys/net/ipv4/tcp_rmem $'8192\t131072\t6291456'
	grep -qx 'kernel.numa_balancing = 0' "$work/tree/etc/sysctl.d/85-lpartune.conf"
	grep -qx 'options steal_governor interval_ms=500' "$work/tree/etc/modprobe.d/lpartune.conf"
	grep -qx 'steal_governor' "$work/tree/etc/modules-load.d/lpartune.conf"
	expect_status 0 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '[.in_force, .pending, .different]' '[12,3,0]'
	expect_status 3 "$LPARTUNE" verify --strict --root "$work/tree"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "a second apply keeps the first original" {
	apply_plan thp:enabled=never
	apply_plan thp:enabled=always
	apply_plan thp:enabled=never sysctl:vm.swappiness=10
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

# too_many STATUS COMMAND...: refused, with the limit, and nothing is written.
too_many() {
	expect_status "$@"
	[[ $stderr == *'cannot set smt to 8: a core of this machine has 4 threads'* ]] || fail "$stderr"
	same_as_before
}

@test "more threads than a core has are refused, and nothing of the plan is done" {
	plan "$work/one.json" thp:enabled=never smt=8
	too_many 1 "$LPARTUNE" apply --root "$work/tree" --plan "$work/one.json"
	too_many 1 "$LPARTUNE" apply --dry-run --root "$work/tree" --plan "$work/one.json"
	rm "$work/tree/sys/devices/system/cpu/smt/control" # kernels without it: each CPU's own file
	snapshot "$work/tree" >"$work/before"
	too_many 1 "$LPARTUNE" apply --root "$work/tree" --plan "$work/one.json"
	put proc/device-tree/cpus/PowerPC,POWER9@0/device_type
	printf 'cpu\0' >"$work/tree/proc/device-tree/cpus/PowerPC,POWER9@0/device_type"
	head -c 32 /dev/zero >"$work/tree/proc/device-tree/cpus/PowerPC,POWER9@0/ibm,ppc-interrupt-server#s"
	apply_plan smt=8
}

@test "where threads are offline nobody knows how many there could be: the kernel decides" {
	put sys/devices/system/cpu/smt/control off
	put sys/devices/system/cpu/online 0
	put sys/devices/system/cpu/cpu0/topology/thread_siblings_list 0
	snapshot "$work/tree" >"$work/before"
	apply_plan smt=2
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "approved threads that a core has not here are left out at boot" {
	apply_plan smt=4 thp:enabled=never
	put proc/sys/kernel/random/boot_id 5d2f9c1e-0000-4000-8000-000000000002
	put sys/devices/system/cpu/smt/control on
	echo 'always [madvise] never' >"$work/tree/sys/kernel/mm/transparent_hugepage/enabled"
	for cpu in 0 1 2 3; do # moved to another machine: two threads to a core
		put "sys/devices/system/cpu/cpu$cpu/topology/thread_siblings_list" "$((cpu / 2 * 2))-$((cpu / 2 * 2 + 1))"
	done
	expect_status 0 "$LPARTUNE" apply --boot --root "$work/tree" --json
	expect_json '[.settings[] | select(.status != "new") | [.tunable, .status]] | sort' \
		'[["smt","not-applicable"],["thp:enabled","changed"]]'
	expect_json '.settings[] | select(.tunable == "smt") | .detail' '"a core of this machine has 2 threads"'
}

@test "equal values are not written and no file is touched" {
	local mtime
	mtime=$(times "$work/tree" proc/sys/vm/swappiness sys/devices/system/cpu/smt/control)
	apply_plan sysctl:vm.swappiness=60 smt=4
	expect_json '[.settings[].status]' '["ok","ok"]'
	expect_json '.files' '[]'
	[ "$mtime" = "$(times "$work/tree" proc/sys/vm/swappiness sys/devices/system/cpu/smt/control)" ]
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
	apply_plan thp:enabled=never
	apply_plan thp:enabled=never
	expect_json .outcome '"nothing"'
}

@test "files that are not part of the plan keep their times" {
	local files=(etc/sysctl.d/50-site.conf proc/cmdline sys/kernel/debug/sched/base_slice_ns) was
	was=$(times "$work/tree" "${files[@]}")
	apply_plan thp:enabled=never sysctl:kernel.numa_balancing=0
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	[ "$was" = "$(times "$work/tree" "${files[@]}")" ]
}

@test "revert of one id leaves the others in force" {
	expect_status 0 "$LPARTUNE" apply --root "$work/tree" --plan "$work/plan.json"
	expect_status 0 "$LPARTUNE" revert --root "$work/tree" feature:NONTASK_CAPACITY \
		sysctl:kernel.numa_balancing
	value_is sys/kernel/debug/sched/features 'GENTLE NONTASK_CAPACITY NEXT_BUDDY TTWU_QUEUE '
	value_is proc/sys/kernel/numa_balancing 1
	run ! grep numa_balancing "$work/tree/etc/sysctl.d/85-lpartune.conf"
	grep -q dirty_ratio "$work/tree/etc/sysctl.d/85-lpartune.conf"
	expect_status 0 "$LPARTUNE" verify --root "$work/tree"
	expect_status 1 "$LPARTUNE" revert --root "$work/tree" feature:NONTASK_CAPACITY
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "revert without arguments lists and changes nothing" {
	apply_plan thp:enabled=never
	snapshot "$work/tree" >"$work/applied"
	expect_status 0 "$LPARTUNE" revert --root "$work/tree" --json
	expect_json '.outcome' '"planned"'
	expect_json '[.settings[] | [.tunable, .from, .to]]' '[["thp:enabled","never","madvise"]]'
	diff "$work/applied" <(snapshot "$work/tree")
}

@test "a dry run writes nothing and shows everything" {
	expect_status 0 strace -f -o "$work/trace" "$LPARTUNE" apply --dry-run --root "$work/tree" \
		--plan "$work/plan.json"
	expect_match '\+kernel.numa_balancing = 0' "$output"
	expect_match 'feature:NONTASK_CAPACITY +on +off +change' "$output"
	same_as_before
	# nothing was opened for writing, made, renamed, removed or locked
	run ! grep -E 'O_WRONLY|O_RDWR|O_CREAT|^[0-9]+ +(rename|unlink|mkdir|chmod|fchmod|flock|link|symlink)' \
		"$work/trace"
	[ "$(grep -cE '^[0-9]+ +write\(' "$work/trace")" -eq "$(grep -cE '^[0-9]+ +write\(1,' "$work/trace")" ]
}

@test "what somebody else changed is drift: verify names it, revert leaves it, --force takes it" {
	apply_plan thp:enabled=never feature:NEXT_BUDDY=on
	echo '[always] madvise never' >"$work/tree/sys/kernel/mm/transparent_hugepage/enabled"
	expect_status 3 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '[.settings[] | [.tunable, .status]]' '[["thp:enabled","drift"],["feature:NEXT_BUDDY","ok"]]'
	expect_status 3 "$LPARTUNE" revert --all --root "$work/tree" --json
	expect_json '[.settings[] | .status] | sort' '["drift","reverted"]'
	value_is sys/kernel/mm/transparent_hugepage/enabled '[always] madvise never'
	value_is sys/kernel/debug/sched/features 'GENTLE NONTASK_CAPACITY NO_NEXT_BUDDY TTWU_QUEUE '
	expect_status 0 "$LPARTUNE" revert --all --force --root "$work/tree" --json
	expect_json '.settings[0].detail' '"overrides always, which somebody else set"'
	same_as_before
}

@test "an edited file of ours is left alone unless forced" {
	apply_plan sysctl:kernel.numa_balancing=0
	echo 'vm.swappiness = 1' >>"$work/tree/etc/sysctl.d/85-lpartune.conf"
	plan "$work/one.json" sysctl:vm.dirty_ratio=10
	expect_status 1 "$LPARTUNE" apply --root "$work/tree" --plan "$work/one.json"
	expect_match 'was edited since' "$stderr"
	expect_status 3 "$LPARTUNE" revert --all --root "$work/tree"
	value_is proc/sys/kernel/numa_balancing 1
	grep -q swappiness "$work/tree/etc/sysctl.d/85-lpartune.conf"
	expect_status 0 "$LPARTUNE" revert --all --force --root "$work/tree"
	same_as_before
}

@test "a file of our name that was there before comes back" {
	echo '# site' >"$work/tree/etc/sysctl.d/85-lpartune.conf"
	chmod 640 "$work/tree/etc/sysctl.d/85-lpartune.conf"
	setfacl -m u:65534:r "$work/tree/etc/sysctl.d/85-lpartune.conf"
	setfattr -n user.note -v kept "$work/tree/etc/sysctl.d/85-lpartune.conf"
	ln "$work/tree/etc/sysctl.d/85-lpartune.conf" "$work/tree/etc/second-name"
	snapshot "$work/tree" >"$work/before"
	apply_plan sysctl:kernel.numa_balancing=0
	grep -q numa_balancing "$work/tree/etc/second-name"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "a link is followed inside the tree, and never out of it" {
	mkdir -p "$work/tree/etc/real"
	mv "$work/tree/etc/sysctl.d" "$work/tree/etc/real/"
	ln -s /etc/real/sysctl.d "$work/tree/etc/sysctl.d"
	echo x >"$work/tree/etc/real/target"
	ln -s ../target "$work/tree/etc/real/sysctl.d/85-lpartune.conf"
	snapshot "$work/tree" >"$work/before"
	apply_plan sysctl:kernel.numa_balancing=0
	[ -L "$work/tree/etc/real/sysctl.d/85-lpartune.conf" ]
	grep -q numa_balancing "$work/tree/etc/real/target"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
	rm "$work/tree/etc/real/sysctl.d/85-lpartune.conf"
	echo outside >"$work/outside"
	ln -s ../../../../../../../../../../../../../../../../../../../../../"$work/outside" \
		"$work/tree/etc/real/sysctl.d/85-lpartune.conf"
	plan "$work/one.json" sysctl:kernel.numa_balancing=0
	run "$LPARTUNE" apply --root "$work/tree" --plan "$work/one.json"
	[ "$(cat "$work/outside")" = outside ]
}

@test "who wins at the next boot is named with file and line" {
	printf '# x\nkernel.numa_balancing = 1\n' >"$work/tree/etc/sysctl.d/99-vendor.conf"
	apply_plan sysctl:kernel.numa_balancing=0
	expect_json '.settings[0].detail' \
		'"sysctl.d /etc/sysctl.d/99-vendor.conf:2 sets it to 1 at the next boot"'
	expect_status 3 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '.settings[0].status' '"conflict"'
}

@test "absent, obsolete and locked-down settings are told apart and not attempted" {
	rm -r "$work/tree/sys/kernel/debug/sched"
	mkdir -p "$work/tree/sys/kernel/security"
	echo 'none [integrity] confidentiality' >"$work/tree/sys/kernel/security/lockdown"
	plan "$work/one.json" feature:NEXT_BUDDY=on sched:latency_ns=1000000 \
		sysctl:kernel.sched_child_runs_first=1 sysctl:vm.stat_interval=10 ksm:run=0
	expect_status 1 "$LPARTUNE" apply --root "$work/tree" --plan "$work/one.json" --json
	expect_json '[.settings[].status]' '["locked","obsolete","obsolete","absent","absent"]'
	expect_json .outcome '"nothing"'
	rm -r "$work/tree/sys/kernel/security"
	expect_status 0 "$LPARTUNE" apply --root "$work/tree" --plan "$work/one.json" --json
	expect_json '.settings[0].status' '"absent"'
}

@test "a plan with anything that is no row, or no value of it, is refused whole" {
	local bad
	for bad in sysctl:kernel.pid_max=1 thp:enabled=sometimes smt=forceoff cpuidle:CEDE=1 \
		'sysctl:vm.swappiness=1; reboot' smt=; do
		plan "$work/one.json" thp:enabled=never "$bad"
		expect_status 1 "$LPARTUNE" apply --root "$work/tree" --plan "$work/one.json"
		same_as_before
	done
	echo '{"settings":' >"$work/one.json"
	expect_status 1 "$LPARTUNE" apply --root "$work/tree" --plan "$work/one.json"
	expect_status 1 "$LPARTUNE" apply --root "$work/tree" --plan "$work/missing.json"
	expect_status 2 "$LPARTUNE" apply --root "$work/tree" --boot --plan "$work/one.json"
	expect_status 2 "$LPARTUNE" apply --root "$work/tree" no-such-rule
	same_as_before
}

@test "one writer at a time: the second exits with 6 or waits; readers never block" {
	plan "$work/one.json" thp:enabled=never
	exec 9<"$work/tree"
	flock 9
	expect_status 6 "$LPARTUNE" apply --root "$work/tree" --plan "$work/one.json" 9<&-
	expect_status 6 "$LPARTUNE" revert --all --root "$work/tree" 9<&-
	expect_status 0 "$LPARTUNE" verify --root "$work/tree" 9<&-
	expect_status 0 "$LPARTUNE" apply --dry-run --root "$work/tree" --plan "$work/one.json" 9<&-
	(sleep 1; exec 9<&-) &
	exec 9<&-
	expect_status 0 "$LPARTUNE" apply --wait 10 --root "$work/tree" --plan "$work/one.json"
	wait
}

@test "state of another boot: values are applied again, files are still ours" {
	apply_plan thp:enabled=never sysctl:kernel.numa_balancing=0
	echo 'always [madvise] never' >"$work/tree/sys/kernel/mm/transparent_hugepage/enabled"
	put proc/sys/kernel/random/boot_id 5d2f9c1e-0000-4000-8000-000000000002
	expect_status 3 "$LPARTUNE" verify --root "$work/tree"
	expect_status 0 "$LPARTUNE" apply --boot --root "$work/tree" --json
	expect_json '[.settings[].status]' '["changed","ok"]'
	expect_status 0 "$LPARTUNE" verify --root "$work/tree"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	put proc/sys/kernel/random/boot_id 5d2f9c1e-0000-4000-8000-000000000001
	same_as_before
}

@test "a value that outlived the boot is no original: SMT comes back as it was at first" {
	apply_plan smt=2
	# saved at shutdown and loaded at boot by somebody else
	put proc/sys/kernel/random/boot_id 5d2f9c1e-0000-4000-8000-000000000002
	expect_status 0 "$LPARTUNE" apply --boot --root "$work/tree" --json
	expect_json '[.settings[].status]' '["ok"]'
	expect_status 0 "$LPARTUNE" revert smt --root "$work/tree"
	value_is sys/devices/system/cpu/smt/control on
}

@test "damaged records are an error, change nothing, and can be set aside" {
	local damage
	apply_plan thp:enabled=never
	cp -a "$work/tree" "$work/saved"
	for damage in '' '{' '{"format":1}' 'garbage'; do
		printf '%s' "$damage" >"$work/tree/var/lib/lpartune/state.json"
		snapshot "$work/tree" >"$work/damaged"
		plan "$work/one.json" ksm:run=0 smt=1
		expect_status 1 "$LPARTUNE" apply --root "$work/tree" --plan "$work/one.json"
		expect_match "'state.json' .* is damaged" "$stderr"
		expect_status 1 "$LPARTUNE" revert --all --root "$work/tree"
		expect_status 1 "$LPARTUNE" verify --root "$work/tree"
		diff "$work/damaged" <(snapshot "$work/tree")
	done
	sed -i 's/"never"/"always"/' "$work/saved/var/lib/lpartune/state.json"
	expect_status 1 "$LPARTUNE" revert --all --root "$work/saved"
	expect_status 0 "$LPARTUNE" revert --repair --root "$work/tree"
	[ -e "$work/tree/var/lib/lpartune/state.json.damaged" ]
	expect_status 0 "$LPARTUNE" verify --root "$work/tree"
}

@test "threads are set one by one where smt/control does nothing" {
	echo notimplemented >"$work/tree/sys/devices/system/cpu/smt/control"
	snapshot "$work/tree" >"$work/before"
	apply_plan smt=2
	[ "$(cat "$work"/tree/sys/devices/system/cpu/cpu?/online | tr -d '\n')" = 1100 ]
	expect_status 0 "$LPARTUNE" verify --root "$work/tree"
	expect_status 0 "$LPARTUNE" revert smt --root "$work/tree"
	same_as_before
}

@test "a CPU that came online later is pending, and the next apply at boot takes it in" {
	rm -r "$work/tree/sys/devices/system/cpu/cpu3/cpuidle"
	apply_plan cpuidle:CEDE=off
	put sys/devices/system/cpu/cpu3/cpuidle/state1/name 'Shared Cede'
	put sys/devices/system/cpu/cpu3/cpuidle/state1/disable 0
	expect_status 3 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '.settings[0].status' '"pending-online"'
	expect_status 0 "$LPARTUNE" apply --boot --root "$work/tree"
	expect_status 0 "$LPARTUNE" verify --root "$work/tree"
}

@test "any single failing write leaves the tree as it was, or can be reverted" {
	local call error n count
	local -A seen=()
	strace -f -o "$work/trace" "$LPARTUNE" apply --root "$work/tree" --plan "$work/plan.json" >/dev/null
	"$LPARTUNE" revert --all --root "$work/tree" >/dev/null
	for call in write fsync renameat mkdirat fchmod; do
		count=$(grep -cE "^[0-9]+ +$call\(" "$work/trace") || true
		[ "$count" -gt 0 ] || fail "no $call in the trace"
		for ((n = 1; n <= count; n += call == "fsync" ? 2 : 1)); do
			for error in EIO ENOSPC EROFS EPERM EBUSY; do
				[ $(((n + ${#error}) % 5)) -eq 0 ] || [ "$n" -eq 1 ] || continue
				run strace -f -o /dev/null -e "inject=$call:error=$error:when=$n" \
					"$LPARTUNE" apply --root "$work/tree" --plan "$work/plan.json"
				seen[$status]=1
				case $status in
				4) diff "$work/before" <(snapshot "$work/tree") ||
					fail "$call $n $error: not as before" ;;
				0 | 1) ;;
				*) fail "$call $n $error: status $status: $output" ;;
				esac
				run "$LPARTUNE" revert --all --root "$work/tree"
				[ "$status" -eq 0 ] || fail "$call $n $error: revert: $output"
				diff "$work/before" <(snapshot "$work/tree") ||
					fail "$call $n $error: not as before after revert"
			done
		done
	done
	[ "${seen[4]:-}" ]
}

@test "killed at any system call, the next revert brings everything back (a sample)" {
	expect_status 0 "$BATS_TEST_DIRNAME/kill-walk" 23
	expect_match '^[0-9]+ kills, 0 failed$' "$output"
}

fits() { # SCHEMA: the JSON on stdin
	"$BUILD/tool/schema_check" "$BATS_TEST_DIRNAME/../schema/$1.json" || fail "not of schema $1"
}

@test "documents and records are of their schemas" {
	expect_status 0 "$LPARTUNE" apply --dry-run --root "$work/tree" --plan "$work/plan.json" --json
	fits apply <<<"$output"
	run strace -f -o /dev/null -e inject=renameat:signal=KILL:when=4 \
		"$LPARTUNE" apply --root "$work/tree" --plan "$work/plan.json"
	fits journal <"$work/tree/var/lib/lpartune/journal.json"
	expect_status 0 "$LPARTUNE" apply --root "$work/tree" --plan "$work/plan.json" --json
	fits apply <<<"$output"
	expect_match 'an interrupted change was undone first' "$stderr"
	fits state <"$work/tree/var/lib/lpartune/state.json"
	expect_status 0 "$LPARTUNE" verify --root "$work/tree" --json
	fits verify <<<"$output"
	expect_status 0 "$LPARTUNE" verify --history --root "$work/tree" --json
	fits verify <<<"$output"
	expect_status 0 "$LPARTUNE" verify --history --root "$work/tree"
	[ "$output" = 'No change is in the history.' ]
	expect_status 0 "$LPARTUNE" revert --root "$work/tree" --json
	fits revert <<<"$output"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree" --json
	fits revert <<<"$output"
}

@test "at boot a setting whose rule does not suit the machine any more is left out and told" {
	plan "$work/one.json" feature:NONTASK_CAPACITY=off thp:enabled=never
	jq '.settings[0].rule = "nontask-capacity"' "$work/one.json" >"$work/two.json"
	expect_status 0 "$LPARTUNE" apply --root "$work/tree" --plan "$work/two.json"
	put sys/kernel/debug/sched/features 'NONTASK_CAPACITY'
	echo 'always [madvise] never' >"$work/tree/sys/kernel/mm/transparent_hugepage/enabled"
	put proc/sys/kernel/random/boot_id 5d2f9c1e-0000-4000-8000-000000000002
	expect_status 0 "$LPARTUNE" apply --boot --root "$work/tree" --json
	expect_json '[.settings[] | [.tunable, .status]]' \
		'[["feature:NONTASK_CAPACITY","not-applicable"],["thp:enabled","changed"]]'
	expect_match 'its rule does not hold' "$(jq -r '.settings[0].detail' <<<"$output")"
}

@test "the default plan is carried out only with consent; ids are consent" {
	cp -a "$BATS_TEST_DIRNAME/fixtures/synthetic-power10-capped" "$work/lpar"
	snapshot "$work/lpar" >"$work/lpar-before"
	expect_status 0 "$LPARTUNE" apply --dry-run --root "$work/lpar" --json
	expect_json '[.settings[] | [.tunable, .to, .rule]]' \
		'[["feature:NONTASK_CAPACITY","off","nontask-capacity"]]'
	expect_status 2 "$LPARTUNE" apply --root "$work/lpar" </dev/null
	expect_match 'needs --yes' "$stderr"
	diff "$work/lpar-before" <(snapshot "$work/lpar")
	expect_status 0 "$LPARTUNE" apply --yes --root "$work/lpar" </dev/null
	expect_status 0 "$LPARTUNE" verify --root "$work/lpar"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/lpar"
	diff "$work/lpar-before" <(snapshot "$work/lpar")
	expect_status 0 "$LPARTUNE" apply --root "$work/lpar" nontask-capacity --json
	expect_json .outcome '"done"'
	expect_status 0 "$LPARTUNE" revert feature:NONTASK_CAPACITY --root "$work/lpar"
	diff "$work/lpar-before" <(snapshot "$work/lpar")
}

@test "a value that nothing brings back at boot is told, until the unit is enabled" {
	apply_plan feature:NEXT_BUDDY=on
	expect_json '.settings[0].detail' '"until the next boot only: lpartune.service is not enabled"'
	put etc/systemd/system/multi-user.target.wants/lpartune.service
	expect_status 0 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '.settings[0] | [.status, .detail]' '["ok",null]'
}

@test "lost records: what is there is adopted and nothing piles up" {
	apply_plan sysctl:kernel.numa_balancing=0 cmdline:no-steal-acc=present
	rm -rf "$work/tree/var/lib/lpartune"
	apply_plan sysctl:kernel.numa_balancing=0 cmdline:no-steal-acc=present
	expect_json .files '[]'
	[ "$(grep -o no-steal-acc "$work/tree/boot/loader/entries/m-6.12.9.conf" | wc -l)" -eq 1 ]
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	[ ! -e "$work/tree/etc/sysctl.d/85-lpartune.conf" ]
	grep -q no-steal-acc "$work/tree/boot/loader/entries/m-6.12.9.conf"
}

@test "a user without rights is told so, and can still look" {
	local open
	open=$(mktemp -d)
	apply_plan thp:enabled=never
	cp -a "$work/tree" "$work/plan.json" "$LPARTUNE" "$open"
	chmod -R go+rX "$open"

	run setpriv --reuid 65534 --clear-groups "$open/lpartune" apply --root "$open/tree" --plan "$open/plan.json"
	[ "$status" -eq 1 ] || fail "status $status: $output"
	expect_match 'run it as root' "$output"
	run setpriv --reuid 65534 --clear-groups "$open/lpartune" verify --root "$open/tree"
	[ "$status" -eq 0 ] || fail "status $status: $output"
	rm -rf "$open"
}
