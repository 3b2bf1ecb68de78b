#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What verify must tell, and what revert and recovery do when something has changed in between: our
# own files, interrupted changes, values whose files vanish, pairs, spellings, lost records.
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

value_is() { # PATH LINE
	[ "$(cat "$work/tree/$1")" = "$2" ] || fail "$1 is $(cat "$work/tree/$1"), not $2"
}

reboot() {
	put proc/sys/kernel/random/boot_id 5d2f9c1e-0000-4000-8000-00000000000"${1:-2}"
}

# kill_apply N: kills apply of one.json at its Nth rename: the records of a change that was cut off.
kill_apply() {
	(command strace -f -o /dev/null -e "inject=renameat:signal=KILL:when=$1" "$LPARTUNE" apply \
		--root "$work/tree" --plan "$work/one.json" || true) &>/dev/null
	[ -e "$work/tree/var/lib/lpartune/journal.json" ] || fail "no journal was left"
}

# The checksum of a record: FNV-1a, 64 bits, of its bytes.
fnv() {
	local hash=$((0xcbf29ce484222325)) byte
	for byte in $(od -An -v -tu1); do hash=$(((hash ^ byte) * 0x100000001b3)); done
	printf '%016x' "$hash"
}

sysctld=etc/sysctl.d/85-lpartune.conf
thp=sys/kernel/mm/transparent_hugepage/enabled

@test "our own file: deleted, edited, added to, overridden further down" {
	apply_plan sysctl:kernel.numa_balancing=0 sysctl:vm.swappiness=10
	expect_status 0 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '[.files[] | [.path, .status]]' '[["/etc/sysctl.d/85-lpartune.conf","ok"]]'
	cp "$work/tree/$sysctld" "$work/kept"

	rm "$work/tree/$sysctld"
	expect_status 3 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '[.settings[].status]' '["drift","drift"]'
	expect_json '.files[0] | [.status, .detail]' '["deleted","it is gone: what it held is not set at the next boot"]'
	expect_json '.different' 3

	sed 's/^vm.swappiness = 10/vm.swappiness = 30/' "$work/kept" >"$work/tree/$sysctld"
	expect_status 3 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '[.settings[] | [.tunable, .status]]' \
		'[["sysctl:kernel.numa_balancing","ok"],["sysctl:vm.swappiness","drift"]]'
	expect_json '.settings[1].detail' "\"in force, but /$sysctld:4 says 'vm.swappiness = 30'\""
	expect_json '.files[0].status' '"edited"'

	{ cat "$work/kept"; echo 'kernel.numa_balancing=1'; } >"$work/tree/$sysctld"
	expect_status 3 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '.settings[0].detail' "\"in force, but /$sysctld:5 says 'kernel.numa_balancing=1'\""
	expect_json '.settings[1].status' '"ok"'

	{ cat "$work/kept"; echo '# my note'; } >"$work/tree/$sysctld"
	expect_status 3 "$LPARTUNE" verify --root "$work/tree"
	expect_match "/$sysctld: edited: line 5 is '# my note'" "$output"
	expect_match '2 applied, 2 in force' "$output"

	grep -v numa_balancing "$work/kept" >"$work/tree/$sysctld"
	expect_status 3 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '.settings[0].detail' "\"in force, but /$sysctld no longer has it: not at the next boot\""
	: >"$work/tree/$sysctld"
	expect_status 3 "$LPARTUNE" verify --root "$work/tree"
	cp "$work/kept" "$work/tree/$sysctld"
	expect_status 0 "$LPARTUNE" verify --root "$work/tree"
}

@test "our files for modules are checked too" {
	apply_plan module:steal_governor.interval_ms=500 module:steal_governor=loaded
	expect_status 0 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '[.files[].status]' '["ok","ok"]'
	sed -i 's/=500/=900/' "$work/tree/etc/modprobe.d/lpartune.conf"
	rm "$work/tree/etc/modules-load.d/lpartune.conf"
	expect_status 3 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '[.files[].status]' '["edited","deleted"]'
	expect_json '[.settings[].status]' '["drift","drift"]'
}

@test "an edited file of ours does not keep the values from coming back" {
	apply_plan sysctl:kernel.numa_balancing=0 thp:enabled=never
	echo 'vm.swappiness = 1' >>"$work/tree/$sysctld"
	expect_status 3 "$LPARTUNE" revert --all --root "$work/tree" --json
	expect_json .outcome '"done"'
	expect_match "'/$sysctld' was edited since" "$(jq -r '.notes[]' <<<"$output")"
	value_is proc/sys/kernel/numa_balancing 1
	value_is "$thp" 'always [madvise] never'
	grep -q swappiness "$work/tree/$sysctld"
	expect_status 3 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '.files[0].status' '"left"'
	expect_status 0 "$LPARTUNE" revert --all --force --root "$work/tree"
	same_as_before
}

@test "an interrupted change is told first, and finished by revert" {
	apply_plan sysctl:vm.swappiness=10
	plan "$work/one.json" thp:enabled=never feature:NEXT_BUDDY=on
	kill_apply 3
	value_is "$thp" 'always madvise [never]'
	expect_status 3 "$LPARTUNE" verify --root "$work/tree"
	expect_match 'was interrupted' "${lines[0]}"
	expect_status 3 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '.interrupted | [.steps, .running]' '[2,false]'
	expect_json .different 0
	expect_status 0 "$LPARTUNE" revert --root "$work/tree"
	expect_match 'was interrupted' "$stderr"
	expect_status 0 "$LPARTUNE" apply --dry-run --root "$work/tree" --plan "$work/one.json"
	expect_match 'was interrupted' "$stderr"
	value_is "$thp" 'always madvise [never]'
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "a journal that nobody can understand is told by verify too" {
	apply_plan sysctl:vm.swappiness=10
	echo '{' >"$work/tree/var/lib/lpartune/journal.json"
	expect_status 1 "$LPARTUNE" verify --root "$work/tree"
	expect_match "'journal.json' .* is damaged" "$stderr"
	expect_status 0 "$LPARTUNE" revert --repair --root "$work/tree"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
}

@test "recovery goes on where a value's file has vanished, and the records stay honest" {
	put sys/module/haltpoll/parameters/guest_halt_poll_ns 200000
	plan "$work/one.json" haltpoll:guest_halt_poll_ns=0 thp:enabled=never cpuidle:CEDE=off \
		sysctl:vm.swappiness=10 feature:NEXT_BUDDY=on
	kill_apply 9
	rm -r "$work/tree/sys/module/haltpoll"                  # the module was unloaded
	rm -r "$work/tree/sys/devices/system/cpu/cpu3"          # the CPU was taken away
	mv "$work/tree/sys/devices/system/cpu/cpu2/cpuidle" "$work/idle" # offline
	plan "$work/two.json" ksm:run=0
	expect_status 0 "$LPARTUNE" apply --root "$work/tree" --plan "$work/two.json"
	expect_match 'an interrupted change was undone first' "$stderr"
	expect_match "cpu2.*" "$stderr"
	[ ! -e "$work/tree/var/lib/lpartune/journal.json" ]
	value_is "$thp" 'always [madvise] never'
	value_is proc/sys/vm/swappiness 60
	value_is sys/devices/system/cpu/cpu1/cpuidle/state1/disable 0
	# what is only out of reach is not forgotten
	mv "$work/idle" "$work/tree/sys/devices/system/cpu/cpu2/cpuidle"
	value_is sys/devices/system/cpu/cpu2/cpuidle/state1/disable 1
	expect_status 3 "$LPARTUNE" verify --root "$work/tree" --json
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	value_is sys/devices/system/cpu/cpu2/cpuidle/state1/disable 0
	[ ! -e "$work/tree/var/lib/lpartune/state.json" ]
}

@test "recovery of another boot or kernel leaves values alone and restores files" {
	plan "$work/one.json" thp:enabled=never sysctl:kernel.numa_balancing=0 feature:NEXT_BUDDY=on
	kill_apply 5
	[ -e "$work/tree/$sysctld" ] || kill_apply 6
	reboot
	rm -r "$work/tree/sys/kernel/debug"
	echo '[always] madvise never' >"$work/tree/$thp"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	value_is "$thp" '[always] madvise never'
	[ ! -e "$work/tree/$sysctld" ]
	[ ! -e "$work/tree/var/lib/lpartune/journal.json" ]
}

@test "recovery that cannot write a value goes on, and keeps the value in the books" {
	plan "$work/one.json" thp:enabled=never feature:NEXT_BUDDY=on
	kill_apply 4
	# the second rename of the recovery is that of its first value
	run strace -f -o /dev/null -e inject=renameat:error=EPERM:when=1 "$LPARTUNE" apply \
		--root "$work/tree" --plan "$work/one.json"
	expect_match 'feature:NEXT_BUDDY .*cannot be brought back now: Operation not permitted' "$output"
	expect_status 0 "$LPARTUNE" verify --root "$work/tree"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "recovery that cannot write a file names it and keeps the journal" {
	plan "$work/one.json" sysctl:kernel.numa_balancing=0
	kill_apply 4
	[ -e "$work/tree/$sysctld" ]
	run strace -f -o /dev/null -e inject=unlinkat:error=EROFS:when=3 "$LPARTUNE" revert --all \
		--root "$work/tree"
	[ "$status" -eq 5 ] || fail "$status: $output"
	expect_match "'/$sysctld': Read-only file system" "$output"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "pairs: the original of both comes back, whatever was applied in between" {
	apply_plan sysctl:vm.dirty_ratio=10
	value_is proc/sys/vm/dirty_bytes 0
	apply_plan sysctl:vm.dirty_bytes=5000000
	value_is proc/sys/vm/dirty_ratio 0
	value_is proc/sys/vm/dirty_bytes 5000000
	expect_status 0 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '[.settings[] | [.tunable, .status]]' '[["sysctl:vm.dirty_bytes","ok"]]'
	grep -q 'vm.dirty_bytes = 5000000' "$work/tree/$sysctld"
	run ! grep -q 'dirty_ratio' "$work/tree/$sysctld"
	apply_plan sysctl:vm.dirty_ratio=20
	apply_plan sysctl:vm.dirty_ratio=30
	expect_status 0 "$LPARTUNE" verify --root "$work/tree"
	expect_status 0 "$LPARTUNE" revert sysctl:vm.dirty_ratio --root "$work/tree"
	same_as_before
	apply_plan sysctl:vm.dirty_bytes=5000000
	apply_plan sysctl:vm.dirty_ratio=20
	reboot
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	value_is proc/sys/vm/dirty_ratio 0
	value_is proc/sys/vm/dirty_bytes 1000000
}

@test "pairs the other way round" {
	put proc/sys/vm/dirty_ratio 20
	put proc/sys/vm/dirty_bytes 0
	put proc/sys/vm/dirty_background_ratio 10
	put proc/sys/vm/dirty_background_bytes 0
	snapshot "$work/tree" >"$work/before"
	apply_plan sysctl:vm.dirty_bytes=5000000 sysctl:vm.dirty_background_bytes=100000
	apply_plan sysctl:vm.dirty_ratio=5
	apply_plan sysctl:vm.dirty_bytes=6000000
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "pairs in one plan: a zero follows the other, two values are refused" {
	apply_plan sysctl:vm.dirty_bytes=0 sysctl:vm.dirty_ratio=10
	value_is proc/sys/vm/dirty_ratio 10
	value_is proc/sys/vm/dirty_bytes 0
	expect_status 0 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '.settings | length' 1
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
	plan "$work/one.json" sysctl:vm.dirty_ratio=10 thp:enabled=never sysctl:vm.dirty_bytes=4096000
	expect_status 1 "$LPARTUNE" apply --root "$work/tree" --plan "$work/one.json"
	expect_match 'vm.dirty_bytes.*vm.dirty_ratio' "$stderr"
	same_as_before
}

@test "pairs: somebody else's value on either side is theirs" {
	apply_plan sysctl:vm.dirty_ratio=10
	put proc/sys/vm/dirty_ratio 35
	expect_status 3 "$LPARTUNE" revert --all --root "$work/tree" --json
	expect_json '.settings[0].status' '"drift"'
	value_is proc/sys/vm/dirty_ratio 35
	value_is proc/sys/vm/dirty_bytes 0
	expect_status 0 "$LPARTUNE" revert --all --force --root "$work/tree"
	same_as_before
}

@test "an SMT level, a mask and a list come back as they were spelled, also after a reboot" {
	apply_plan smt=2 workqueue:cpumask=0-3 'sysctl:net.ipv4.tcp_rmem=8192 131072 6291456'
	reboot
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	value_is sys/devices/system/cpu/smt/control on
	value_is sys/devices/virtual/workqueue/cpumask ff
	value_is proc/sys/net/ipv4/tcp_rmem $'4096\t131072\t6291456'
	reboot 1
	same_as_before
}

@test "a mask is one value in all its forms" {
	local form
	for form in 0-3 0,1,2,3 0xf 0000000f 00000000,0000000f; do
		apply_plan "workqueue:cpumask=$form"
		value_is sys/devices/virtual/workqueue/cpumask 0000000f
		expect_status 0 "$LPARTUNE" verify --root "$work/tree"
		echo f >"$work/tree/sys/devices/virtual/workqueue/cpumask"
		expect_status 0 "$LPARTUNE" verify --root "$work/tree"
		apply_plan "workqueue:cpumask=$form"
		expect_json '.settings[0].status' '"ok"'
		expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
		same_as_before
	done
	plan "$work/one.json" workqueue:cpumask=0xg
	expect_status 1 "$LPARTUNE" apply --root "$work/tree" --plan "$work/one.json"
}

@test "an original that is out of reach is told, kept, and comes back later" {
	apply_plan feature:NEXT_BUDDY=on thp:enabled=never
	mv "$work/tree/sys/kernel/debug" "$work/debug"
	expect_status 3 "$LPARTUNE" revert --all --root "$work/tree" --json
	expect_json '[.settings[] | [.tunable, .status]]' '[["thp:enabled","reverted"],["feature:NEXT_BUDDY","absent"]]'
	expect_match 'original is kept' "$(jq -r '.settings[1].detail' <<<"$output")"
	mv "$work/debug" "$work/tree/sys/kernel/debug"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "a CPU that is offline at revert is told, kept, and comes back later" {
	apply_plan cpuidle:CEDE=off
	mv "$work/tree/sys/devices/system/cpu/cpu3/cpuidle" "$work/idle"
	expect_status 0 "$LPARTUNE" verify --root "$work/tree"
	expect_status 3 "$LPARTUNE" revert --all --root "$work/tree" --json
	expect_json '.settings[0].status' '"pending-online"'
	value_is sys/devices/system/cpu/cpu2/cpuidle/state1/disable 0
	mv "$work/idle" "$work/tree/sys/devices/system/cpu/cpu3/cpuidle"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "a CPU or module that is gone for good does not hold its record" {
	put sys/module/haltpoll/parameters/guest_halt_poll_ns 200000
	apply_plan cpuidle:CEDE=off haltpoll:guest_halt_poll_ns=0
	rm -r "$work/tree/sys/devices/system/cpu/cpu3" "$work/tree/sys/module/haltpoll"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree" --json
	value_is sys/devices/system/cpu/cpu2/cpuidle/state1/disable 0
	[ ! -e "$work/tree/var/lib/lpartune" ]
}

@test "after a reboot a knob that this kernel has not does not hold its record" {
	apply_plan feature:NEXT_BUDDY=on sysctl:vm.swappiness=10
	reboot
	rm -r "$work/tree/sys/kernel/debug"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree" --json
	expect_json '[.settings[] | [.tunable, .status]]' '[["sysctl:vm.swappiness","reverted"],["feature:NEXT_BUDDY","absent"]]'
	value_is proc/sys/vm/swappiness 60
	[ ! -e "$work/tree/var/lib/lpartune" ]
}

@test "after a reboot what nobody has applied again is told as that" {
	apply_plan cpuidle:CEDE=off feature:NEXT_BUDDY=on
	local cpu
	for cpu in 0 1 2 3; do put "sys/devices/system/cpu/cpu$cpu/cpuidle/state1/disable" 0; done
	put sys/kernel/debug/sched/features 'GENTLE NONTASK_CAPACITY NO_NEXT_BUDDY TTWU_QUEUE '
	reboot
	expect_status 3 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '[.settings[].status] | unique' '["drift"]'
	expect_json '[.settings[].detail] | unique' \
		"[\"not applied since the last boot: 'lpartune apply --boot' does it, or lpartune.service once it is enabled\"]"
}

@test "--repair makes the state anew from what the other records hold" {
	apply_plan thp:enabled=never smt=2 cpuidle:CEDE=off sysctl:vm.swappiness=10
	echo damaged >"$work/tree/var/lib/lpartune/state.json"
	expect_status 1 "$LPARTUNE" verify --root "$work/tree"
	expect_status 0 "$LPARTUNE" revert --repair --root "$work/tree"
	expect_status 0 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '[.settings[] | [.tunable, .to]] | sort' \
		'[["cpuidle:CEDE","off"],["smt","2"],["sysctl:vm.swappiness","10"],["thp:enabled","never"]]'
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	rm "$work/tree/var/lib/lpartune/state.json.damaged"
	rmdir "$work/tree/var/lib/lpartune"
	same_as_before
}

@test "--repair: a record of values or files that is lost leaves the rest" {
	apply_plan thp:enabled=never sysctl:vm.swappiness=10
	echo '{}' >"$work/tree/var/lib/lpartune/runtime.json"
	expect_status 1 "$LPARTUNE" revert --all --root "$work/tree"
	expect_status 0 "$LPARTUNE" revert --repair --root "$work/tree"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	value_is "$thp" 'always [madvise] never'
	value_is proc/sys/vm/swappiness 60
	[ ! -e "$work/tree/$sysctld" ]
	rm -r "$work/tree/var/lib/lpartune"
	apply_plan sysctl:vm.swappiness=10
	echo '{}' >"$work/tree/var/lib/lpartune/originals.json"
	expect_status 0 "$LPARTUNE" revert --repair --root "$work/tree"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	value_is proc/sys/vm/swappiness 60
	[ ! -e "$work/tree/$sysctld" ]
}

@test "--repair sets aside a record that is whole and makes no sense" {
	apply_plan thp:enabled=never
	jq -cjS 'del(.checksum) | .steps[0].tunable = "gone:tunable"' \
		"$work/tree/var/lib/lpartune/runtime.json" >"$work/plain"
	jq -c --arg sum "$(fnv <"$work/plain")" '.checksum = $sum' "$work/plain" \
		>"$work/tree/var/lib/lpartune/runtime.json"
	expect_status 1 "$LPARTUNE" revert --all --root "$work/tree"
	expect_status 0 "$LPARTUNE" revert --repair --root "$work/tree"
	expect_match '1 damaged record' "$stderr"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	value_is "$thp" 'always [madvise] never'
}

@test "SLES in a tree: what waits for the loader's tool is pending, not drift" {
	rm -r "$work/tree/boot/loader"
	put etc/os-release ID=sles
	put etc/sysconfig/bootloader 'LOADER_TYPE="grub2"'
	put etc/default/grub 'GRUB_CMDLINE_LINUX_DEFAULT="quiet"'
	put boot/grub2/grub.cfg "menuentry 'SLES' {" ' linux /vmlinux root=UUID=x quiet' '}'
	apply_plan cmdline:no-steal-acc=present
	expect_status 0 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '.settings[0] | [.status, .detail]' \
		'["pending-reboot","update-bootloader --refresh has not been run since"]'
	put etc/default/grub 'GRUB_CMDLINE_LINUX_DEFAULT="quiet"'
	expect_status 3 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '.settings[0].status' '"drift"'
}

@test "lockdown: a feature that can be read is locked all the same" {
	apply_plan feature:NEXT_BUDDY=on
	put sys/kernel/security/lockdown 'none [integrity] confidentiality'
	plan "$work/two.json" feature:NONTASK_CAPACITY=off feature:NEXT_BUDDY=on
	expect_status 0 "$LPARTUNE" apply --root "$work/tree" --plan "$work/two.json" --json
	expect_json '[.settings[].status]' '["locked","ok"]'
	expect_status 3 "$LPARTUNE" revert --all --root "$work/tree" --json
	expect_json '[.settings[].status]' '["locked"]'
	rm -r "$work/tree/sys/kernel/security"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "SMT and idle states in one revert: a CPU that stays offline keeps its original" {
	echo notimplemented >"$work/tree/sys/devices/system/cpu/smt/control"
	snapshot "$work/tree" >"$work/before"
	apply_plan cpuidle:CEDE=off smt=2
	mkdir "$work/away"
	for cpu in 1 2 3; do # 2 and 3 by our doing, 1 by somebody's
		mv "$work/tree/sys/devices/system/cpu/cpu$cpu/cpuidle" "$work/away/$cpu"
	done
	expect_status 3 "$LPARTUNE" revert --all --root "$work/tree" --json
	value_is sys/devices/system/cpu/cpu3/online 1
	value_is sys/devices/system/cpu/cpu0/cpuidle/state1/disable 0
	for cpu in 1 2 3; do
		mv "$work/away/$cpu" "$work/tree/sys/devices/system/cpu/cpu$cpu/cpuidle"
	done
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "values that a killed trial or sample has left are told" {
	apply_plan thp:enabled=never
	printf '{"boot_id":null,"format":1,"kind":"temporary","steps":[]}' >"$work/plain"
	jq -c --arg sum "$(fnv <"$work/plain")" '.checksum = $sum' "$work/plain" \
		>"$work/tree/var/lib/lpartune/temporary.json"
	expect_status 0 "$LPARTUNE" verify --root "$work/tree" --json
	expect_match 'trial or sample is running, or was killed' "$(jq -r '.notes[]' <<<"$output")"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	same_as_before
}

@test "CPUs that differ are told as that, and how they become equal" {
	rm "$work/tree/sys/devices/system/cpu/smt/control"
	put sys/devices/system/cpu/present 0-7
	put sys/devices/system/cpu/online 0-7
	local cpu
	for cpu in 4 5 6 7; do
		cp -a "$work/tree/sys/devices/system/cpu/cpu0" "$work/tree/sys/devices/system/cpu/cpu$cpu"
		put "sys/devices/system/cpu/cpu$cpu/topology/thread_siblings_list" 4-7
	done
	apply_plan smt=2 cpuidle:CEDE=off
	put sys/devices/system/cpu/cpu2/online 1
	put sys/devices/system/cpu/cpu5/cpuidle/state1/disable 0
	expect_status 3 "$LPARTUNE" verify --root "$work/tree" --json
	expect_json '[.settings[].from]' '["mixed","mixed"]'
	expect_match "cores run different numbers of threads: .*'lpartune apply --boot' makes them equal again" \
		"$(jq -r '.settings[] | select(.tunable == "smt") | .detail' <<<"$output")"
	expect_match "CPUs differ: .*'lpartune apply --boot' makes" \
		"$(jq -r '.settings[] | select(.tunable == "cpuidle:CEDE") | .detail' <<<"$output")"
	expect_status 0 "$LPARTUNE" apply --boot --root "$work/tree"
	expect_status 0 "$LPARTUNE" verify --root "$work/tree"
	expect_status 0 "$LPARTUNE" revert --all --root "$work/tree"
	# how CPUs differed before is not kept over a reboot: what stays is told
	put sys/devices/system/cpu/cpu2/online 0
	apply_plan smt=2
	reboot
	expect_status 3 "$LPARTUNE" revert --all --root "$work/tree" --json
	expect_json '.settings[0] | [.status, .detail]' \
		'["stuck","it stays 2: CPUs differed before apply, and after a reboot nobody knows how"]'
}
