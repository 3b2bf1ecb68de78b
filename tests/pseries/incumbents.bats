#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Side by side with the tools of the field, from their own packages, in one guest at one time: where
# both can know a thing they must agree; where they are known to be wrong, that is held, too.
load lab

setup_file() {
	[ -d "$LPARTUNE_LAB/incumbents" ] || fail "not prepared; run 'prepare --full'"
	boot guest --cpus 8 --tree "$LPARTUNE_LAB/incumbents" <<'G'
look() {
	lpartune inspect --json >/out/$1.json
	for ask in smt cores-present cores-on threads-per-core; do
		echo "$ask: $(ppc64_cpu --$ask 2>&1)"
	done >/out/$1.ppc64_cpu
	LC_ALL=C lscpu >/out/$1.lscpu
	lparstat -i >/out/$1.lparstat 2>&1 || true
}
look all
echo 0 >/sys/devices/system/cpu/cpu1/online
look mixed
G
}

# said FILE NAME: the value after "NAME:" or "NAME=" in a tool's text.
said() {
	sed -n "s/^$2 *[:=] *//p" "$(brought "$1")"
}

@test "ppc64_cpu: cores, threads, SMT" {
	grep -q 'SMT=4' "$(brought guest/all.ppc64_cpu)"
	expect_fact guest/all.json cpu.smt '"4"'
	expect_fact guest/all.json cpu.threads_per_core \
		"$(said guest/all.ppc64_cpu 'threads-per-core: Threads per core')"
	expect_fact guest/all.json cpu.cores "$(said guest/all.ppc64_cpu 'cores-on: Number of cores online')"
	expect_fact guest/all.json cpu.cores \
		"$(said guest/all.ppc64_cpu 'cores-present: Number of cores present')"
}

@test "ppc64_cpu: mixed SMT" {
	grep -Eq 'SMT=3: 0' "$(brought guest/mixed.ppc64_cpu)" ||
		fail "$(cat "$BATS_FILE_TMPDIR/guest/mixed.ppc64_cpu")"
	expect_fact guest/mixed.json cpu.smt '"mixed"'
}

@test "lscpu: CPUs, threads, nodes" {
	expect_fact guest/all.json cpu.present "$(said guest/all.lscpu 'CPU(s)')"
	expect_fact guest/all.json cpu.threads_per_core "$(said guest/all.lscpu 'Thread(s) per core')"
	expect_fact guest/all.json numa.nodes "$(said guest/all.lscpu 'NUMA node(s)')"
	expect_fact guest/all.json cpu.model "\"$(said guest/all.lscpu 'Model name')\""
}

# lscpu takes every QEMU pseries guest for KVM.
@test "lscpu: hypervisor" {
	local vendor hypervisor
	case $IDENTITY in
	powervm) vendor=pHyp hypervisor=powervm ;;
	plain) vendor=KVM hypervisor=qemu-tcg ;;
	esac
	[ "$(said guest/all.lscpu 'Hypervisor vendor')" = "$vendor" ]
	expect_fact guest/all.json hypervisor "\"$hypervisor\""
}

@test "lparstat: the partition" {
	local mode
	if [ "$IDENTITY" = plain ]; then
		grep -q 'not supported' "$(brought guest/all.lparstat)"
		return
	fi
	mode=$(said guest/all.lparstat Type)-$(said guest/all.lparstat Mode)
	mode=${mode/#Dedicated-*/Dedicated}
	expect_fact guest/all.json lpar.mode "\"${mode,,}\""
	expect_fact guest/all.json lpar.name "\"$(said guest/all.lparstat 'Partition Name')\""
	expect_fact guest/all.json lpar.id "$(said guest/all.lparstat 'Partition Number')"
	expect_value guest/all.json '.facts["lpar.entitlement"].value * 100 | round' \
		"$(said guest/all.lparstat 'Entitled Capacity' | tr -d .)"
	expect_fact guest/all.json lpar.virtual_processors \
		"$(said guest/all.lparstat 'Online Virtual CPUs')"
	expect_fact guest/all.json lpar.virtual_processors_max \
		"$(said guest/all.lparstat 'Maximum Virtual CPUs')"
}
