# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A tree that stands for a machine, for tests that change it; and a way to see every difference.

# put PATH [LINE...]: writes a file of $tree, each argument a line.
put() {
	mkdir -p "$tree/$(dirname "$1")"
	if [ $# -gt 1 ]; then printf '%s\n' "${@:2}" >"$tree/$1"; else : >"$tree/$1"; fi
}

# make_tree DIR: a POWER10 partition with every kind of tunable.
make_tree() {
	tree=$1
	put proc/sys/kernel/osrelease 6.12.9
	put proc/sys/kernel/random/boot_id 5d2f9c1e-0000-4000-8000-000000000001
	put proc/sys/kernel/numa_balancing 1
	put proc/sys/vm/swappiness 60
	put proc/sys/vm/dirty_ratio 0
	put proc/sys/vm/dirty_bytes 1000000
	printf '4096\t131072\t6291456\n' >"$tree/proc/sys/vm/x"
	put proc/sys/net/ipv4/tcp_rmem
	mv "$tree/proc/sys/vm/x" "$tree/proc/sys/net/ipv4/tcp_rmem"
	put proc/cmdline 'BOOT_IMAGE=/vmlinux root=UUID=x ro quiet'
	put sys/kernel/debug/sched/features 'GENTLE NONTASK_CAPACITY NO_NEXT_BUDDY TTWU_QUEUE '
	put sys/kernel/debug/sched/base_slice_ns 2800000
	put sys/kernel/debug/sched/preempt 'none (voluntary) full '
	put sys/kernel/mm/transparent_hugepage/enabled 'always [madvise] never'
	put sys/kernel/mm/transparent_hugepage/khugepaged/defrag 1
	put sys/devices/virtual/workqueue/cpumask ff
	put sys/devices/system/cpu/smt/control on
	put sys/devices/system/cpu/online 0-3
	put sys/devices/system/cpu/present 0-3
	local cpu
	for cpu in 0 1 2 3; do
		put "sys/devices/system/cpu/cpu$cpu/online" 1
		put "sys/devices/system/cpu/cpu$cpu/topology/thread_siblings_list" 0-3
		put "sys/devices/system/cpu/cpu$cpu/cpuidle/state0/name" snooze
		put "sys/devices/system/cpu/cpu$cpu/cpuidle/state0/disable" 0
		put "sys/devices/system/cpu/cpu$cpu/cpuidle/state1/name" 'Shared Cede'
		put "sys/devices/system/cpu/cpu$cpu/cpuidle/state1/disable" 0
	done
	put etc/sysctl.d/50-site.conf 'vm.swappiness = 60'
	put etc/os-release ID=fedora
	put etc/default/grub 'GRUB_CMDLINE_LINUX="quiet"' GRUB_ENABLE_BLSCFG=true
	put boot/loader/entries/m-6.12.9.conf 'title Linux' 'options root=UUID=x ro quiet'
	put boot/loader/entries/m-0-rescue.conf 'title Rescue' 'options root=UUID=x ro'
	mkdir -p "$tree/var/lib" "$tree/run"
}

# snapshot DIR: every file with type, mode, owner, links, target, bytes, ACL and attributes.
snapshot() {
	(
		cd "$1" || exit 1
		find . -printf '%p %y %m %U:%G %n %l\n' | sort
		find . -type f -print0 | sort -z | xargs -0 sha256sum
		getfattr -R -P -h -d -m - --absolute-names .
	)
}

# times DIR PATH...: when these files were last modified.
times() {
	(cd "$1" && stat -c '%n %y' "${@:2}")
}

# plan FILE 'TUNABLE=VALUE'...
plan() {
	local file=$1 one
	shift
	for one in "$@"; do
		jq -n --arg t "${one%%=*}" --arg v "${one#*=}" '{tunable: $t, to: $v}'
	done | jq -s '{settings: .}' >"$file"
}

# One setting of each kind and grammar.
all_kinds() {
	plan "$1" sysctl:kernel.numa_balancing=0 sysctl:vm.dirty_ratio=10 \
		'sysctl:net.ipv4.tcp_rmem=8192 131072 6291456' feature:NONTASK_CAPACITY=off \
		feature:NEXT_BUDDY=on sched:base_slice_ns=3000000 sched:preempt=full \
		thp:enabled=never thp:khugepaged_defrag=off workqueue:cpumask=0-3 cpuidle:CEDE=off \
		smt=2 module:steal_governor.interval_ms=500 module:steal_governor=loaded \
		cmdline:no-steal-acc=present
}
