# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Small trees of partitions for the tests of advice.

put() { # FILE TEXT...: a line each
	mkdir -p "${1%/*}"
	printf '%s\n' "${@:2}" >"$1"
}

# cpu_tree DIR COUNT RELEASE: what every tree has.
cpu_tree() {
	local last=$(($2 - 1)) f
	for f in possible present online; do
		put "$1/sys/devices/system/cpu/$f" "0-$last"
	done
	put "$1/proc/sys/kernel/osrelease" "$3"
	put "$1/proc/cmdline" "root=/dev/sda2 quiet"
	put "$1/proc/uptime" "11900.00 80000.00"
}

# power_cpuinfo DIR COUNT MODEL MACHINE
power_cpuinfo() {
	local i
	{
		for ((i = 0; i < $2; i++)); do
			printf 'processor\t: %d\ncpu\t\t: %s (architected), altivec supported\n' "$i" "$3"
			printf 'clock\t\t: 3000.000000MHz\nrevision\t: 2.0 (pvr 0080 0200)\n\n'
		done
		printf 'timebase\t: 512000000\nplatform\t: pSeries\nmodel\t\t: %s\nmachine\t\t: CHRP %s\n' \
			"$4" "$4"
	} >"$1/proc/cpuinfo"
}

# proc_stat DIR COUNT STEAL: CPUs that were busy for 1500 of some 11900 seconds each.
proc_stat() {
	local i
	{
		printf 'cpu  %d 0 %d %d 0 0 0 %d 0 0\n' $(($2 * 125000)) $(($2 * 25000)) \
			$(($2 * 1000000)) $(($2 * $3))
		for ((i = 0; i < $2; i++)); do
			printf 'cpu%d 125000 0 25000 1000000 0 0 0 %d 0 0\n' "$i" "$3"
		done
	} >"$1/proc/stat"
}

# shared_lpar DIR [RELEASE]: 8 VPs on 2.0 cores of entitlement, a fifth of the time wanted stolen.
shared_lpar() {
	cpu_tree "$1" 8 "${2:-6.12.0-55.el10.ppc64le}"
	power_cpuinfo "$1" 8 POWER10 IBM,9080-HEX
	proc_stat "$1" 8 40000
	put "$1/proc/powerpc/lparcfg" "lparcfg 1.9" "serial_number=IBM,020000000" \
		"system_type=IBM,9080-HEX" "partition_id=3" "DisWheRotPer=5120000" \
		"partition_entitled_capacity=200" "DesEntCap=200" "pool=0" "pool_capacity=1600" \
		"pool_num_procs=16" "capacity_weight=128" "capped=0" "partition_active_processors=8" \
		"partition_potential_processors=16" "shared_processor_mode=1"
	put "$1/sys/kernel/debug/sched/features" "PLACE_LAG NONTASK_CAPACITY TTWU_QUEUE WA_IDLE"
}

# dedicated_lpar DIR RELEASE
dedicated_lpar() {
	cpu_tree "$1" 8 "$2"
	power_cpuinfo "$1" 8 POWER9 IBM,9009-42A
	proc_stat "$1" 8 0
	put "$1/proc/powerpc/lparcfg" "lparcfg 1.9" "serial_number=IBM,020000000" \
		"system_type=IBM,9009-42A" "partition_id=4" "partition_entitled_capacity=800" \
		"DesEntCap=800" "capped=1" "DedDonMode=0" "partition_active_processors=8" \
		"partition_potential_processors=8" "shared_processor_mode=0"
}

# tcg_guest DIR: emulated, with numbers that would be alarming if they meant anything.
tcg_guest() {
	cpu_tree "$1" 8 6.12.0
	power_cpuinfo "$1" 8 POWER10 "IBM pSeries (emulated by qemu)"
	proc_stat "$1" 8 40000
	mkdir -p "$1/proc/device-tree"
	printf 'qemu,pseries\0' >"$1/proc/device-tree/compatible"
	printf 'IBM pSeries (emulated by qemu)\0' >"$1/proc/device-tree/model"
	put "$1/proc/cmdline" "powersave=off nohlt isolcpus=1"
	put "$1/proc/sys/kernel/softlockup_panic" 1
	put "$1/sys/kernel/debug/sched/features" "NONTASK_CAPACITY WA_IDLE"
}
