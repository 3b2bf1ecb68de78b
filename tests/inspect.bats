#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2016 # dollars of awk, sed and jq
# What inspect concludes, and what it must not conclude, each from a machine changed in one point.

load helpers

setup() {
	tree=$BATS_TEST_TMPDIR/tree
}

# machine NAME: a copy of a synthetic machine that may be changed.
machine() {
	local from
	for from in "$BATS_TEST_DIRNAME/../examples/synthetic-$1" \
		"$BATS_TEST_DIRNAME/fixtures/synthetic-$1"; do
		if [ -d "$from" ]; then
			cp -r "$from" "$tree"
			chmod -R u+w "$tree"
			return
		fi
	done
	fail "no machine $1"
}

# bare LINE...: a tree with nothing but a cpuinfo.
bare() {
	mkdir -p "$tree/proc"
	printf '%s\n' "$@" >"$tree/proc/cpuinfo"
}

inspect() {
	expect_status 0 "$LPARTUNE" inspect --json --root "$tree"
}

# fact KEY JSON
fact() {
	expect_json ".facts[\"$1\"].value" "$2"
}

# absent KEY REASON
absent() {
	expect_json ".facts[\"$1\"].value" null
	expect_json ".facts[\"$1\"].reason" "\"$2\""
}

finding() { # ID
	jq -e --arg id "$1" '.findings | any(.id == $id)' <<<"$output" >/dev/null ||
		fail "no finding $1: $(jq -c '[.findings[].id]' <<<"$output")"
}

no_finding() { # ID
	jq -e --arg id "$1" '.findings | all(.id != $id)' <<<"$output" >/dev/null ||
		fail "finding $1 must not be"
}

lparcfg() { # SED-SCRIPT
	sed -i "$1" "$tree/proc/powerpc/lparcfg"
}

# ticks AWK: rewrites /proc/stat (some awks print large integers as 1.2e9 unless told).
ticks() {
	awk -v OFMT=%.0f -v CONVFMT=%.0f "$1" "$tree/proc/stat" >"$tree/stat"
	mv "$tree/stat" "$tree/proc/stat"
}

@test "the document has the frozen header and shape" {
	machine power10-shared
	inspect
	expect_json '[.lpartune, .command, .format, .root] | map(type)' \
		'["string","string","number","string"]'
	expect_json '.time | test("^[0-9-]{10}T[0-9:]{8}Z$")' true
	expect_json '[.facts[] | select(.value == null and (.reason | not))] | length' 0
	expect_json '[.facts[] | select(.value != null and (has("unit") and has("source") | not))] | length' 0
	expect_json '[.findings[] | select((has("id") and has("severity") and has("title")
		and has("evidence") and has("next")) | not)] | length' 0
}

@test "a KVM guest says shared_processor_mode=1 and is no shared LPAR" {
	machine kvm-pseries
	inspect
	fact hypervisor '"kvm"'
	fact lpar.mode '"not-applicable"'
	fact lppaca.shared true
	absent lpar.entitlement not-applicable
	absent lpar.virtual_processors_max not-applicable
}

@test "QEMU without a hypervisor node is emulation, and nothing is claimed of an LPAR" {
	machine qemu-tcg
	inspect
	fact hypervisor '"qemu-tcg"'
	fact lpar.mode '"not-applicable"'
	absent steal.since_boot not-provided
	expect_json '[.findings[] | select(.id | test("vps|steal|cap"))]' '[]'
}

@test "a donating partition says capped=1 and is not capped" {
	machine power9-donating
	inspect
	fact lpar.mode '"dedicated-donating"'
	fact lpar.donating true
	absent lpar.capped not-applicable
	absent lpar.pool_id not-applicable
}

@test "no lparcfg is not dedicated: cpuidle or the VPA tell the mode, else nothing does" {
	machine power10-no-lparcfg
	inspect
	expect_json '.facts["lpar.mode"].value | startswith("shared")' true
	rm -rf "$tree/sys/kernel/debug/powerpc" "$tree/proc/powerpc" "$tree/sys/devices/system/cpu/cpu0/cpuidle"
	inspect
	fact lpar.mode '"unknown"'
	absent lpar.entitlement missing
}

@test "sources that disagree on the mode are shown, not chosen from in silence" {
	machine power10-shared
	echo CEDE >"$tree/sys/devices/system/cpu/cpu0/cpuidle/state1/name"
	inspect
	fact lpar.mode '"shared-uncapped"'
	expect_json '.facts["lpar.shared"].conflict | test("CEDE")' true
	finding sources-disagree
}

@test "capped, and steal that the cap explains, is configuration" {
	machine power10-capped
	inspect
	fact lpar.mode '"shared-capped"'
	expect_json '.facts | .["steal.expected_at_full_load"].value ==
		(100 * (1 - .["lpar.entitlement"].value / .["lpar.virtual_processors"].value))' true
}

@test "the unit bug of kernels 6.1 to 6.7 is seen in the ratio of 0.512" {
	machine power10-shared
	# The same hypervisor counts, and /proc/stat as such a kernel writes it.
	ticks '$1 ~ /^cpu/ { $9 = int($9 * 0.512) } { print }'
	inspect
	fact steal.kernel_accounting '"unit-bug"'
	fact steal.source '"vpa"'
}

@test "a kernel that does not account steal is told so, and the VPA's steal stands" {
	machine power10-shared
	"$LPARTUNE" inspect --json --root "$tree" >"$BATS_TEST_TMPDIR/sound"
	ticks '$1 ~ /^cpu/ { $2 += $9; $9 = 0 } { print }'
	inspect
	fact steal.kernel_accounting '"none"'
	expect_json '.facts["steal.since_boot"].value' \
		"$(jq '.facts["steal.since_boot"].value' "$BATS_TEST_TMPDIR/sound")"
	# What the kernel took for busy was wanted all the same: the share of demand is as it was.
	expect_json '.facts["steal.since_boot_of_demand"].value - '"$(jq \
		'.facts["steal.since_boot_of_demand"].value' "$BATS_TEST_TMPDIR/sound")"' | fabs < 0.1' true
}

@test "a KVM guest whose kernel does not account the host's steal is told so too" {
	machine kvm-pseries
	ticks '$1 ~ /^cpu/ { $2 += $9; $9 = 0 } { print }'
	inspect
	fact steal.kernel_accounting '"none"'
	finding steal-not-accounted
	finding steal-on-guest
}

@test "without debugfs steal is the kernel's, and a bare 0 is no measurement" {
	machine power10-shared
	rm -r "$tree/sys/kernel/debug"
	inspect
	fact steal.source '"proc-stat"'
	fact steal.kernel_accounting '"unknown"'
	absent steal.dispatch_wait missing
	ticks '$1 ~ /^cpu/ { $2 += $9; $9 = 0 } { print }'
	inspect
	absent steal.since_boot no-data
}

@test "absurd ticks in /proc/stat make its numbers invalid, and nothing else" {
	machine power10-shared
	sed -i 's/^cpu  .*/cpu  1 0 1200000000000 5 0 0 0 1200000000000 0 0/' "$tree/proc/stat"
	inspect
	absent cpu.busy invalid
	absent steal.stat invalid
	fact steal.source '"vpa"'
	fact lpar.entitlement 2
}

@test "lparcfg: odd lines are passed over, suffixes are units, unknown keys are kept" {
	machine power10-shared
	lparcfg '1a this line has no equals sign\n=novalue\nfuture_key=a=b c\n'
	printf 'big_key=%s\n' "$(head -c 200000 /dev/zero | tr '\0' x)" >>"$tree/proc/powerpc/lparcfg"
	lparcfg 's/^backing_memory=.*//; $a backing_memory=8589934592 bytes'
	truncate -s -1 "$tree/proc/powerpc/lparcfg" # the last line without its newline
	expect_status 0 "$LPARTUNE" inspect --all --json --root "$tree"
	expect_json '.lparcfg.future_key' '{"value":"a=b c","unit":null,"known":false}'
	expect_json '.lparcfg.backing_memory.unit' '"bytes"'
	expect_json '.lparcfg.big_key.value | length' 200000
	fact lpar.entitlement 2
}

@test "lparcfg: a key that is missing, empty or no number is absent, never 0" {
	machine power10-shared
	lparcfg '/^partition_entitled_capacity=/d; s/^capacity_weight=.*/capacity_weight=/; s/^pool_num_procs=.*/pool_num_procs=ten/'
	inspect
	absent lpar.entitlement missing
	absent lpar.weight invalid
	absent lpar.pool_cores invalid
	absent lpar.entitlement_per_vp missing
	no_finding over-provisioned-vps
}

@test "lparcfg 1.6 tells the entitlement as a register" {
	machine power10-shared
	lparcfg '/^partition_entitled_capacity=/d; s/^lparcfg .*/lparcfg 1.6\nR4=0xc8/'
	inspect
	fact lpar.entitlement 2
}

@test "the desired entitlement is told apart from the current one" {
	machine power10-shared
	lparcfg 's/^DesEntCap=.*/DesEntCap=350/'
	inspect
	fact lpar.entitlement 2
	fact lpar.entitlement_desired 3.5
}

@test "the screen gives entitlement by the hundredth, as the HMC does" {
	machine power10-shared
	lparcfg 's/^partition_entitled_capacity=.*/partition_entitled_capacity=1235/
		s/^partition_active_processors=.*/partition_active_processors=64/'
	inspect
	fact lpar.entitlement 12.35
	expect_json '.findings[] | select(.id == "over-provisioned-vps") | .evidence | .[:42]' \
		'"64 virtual processors on 12.35 cores: 0.19"'
	expect_status 0 "$LPARTUNE" inspect --root "$tree"
	expect_match '^  Entitlement +12\.35 cores$' "$output"
	lparcfg 's/^partition_entitled_capacity=.*/partition_entitled_capacity=10275/'
	expect_status 0 "$LPARTUNE" inspect --root "$tree"
	expect_match '^  Entitlement +102\.75 cores$' "$output"
}

@test "whether idle cores are donated is no question on shared processors" {
	machine power10-shared
	inspect
	absent lpar.donating not-applicable
	lparcfg '/^shared_processor_mode=/d'
	rm -r "$tree/sys/kernel/debug/powerpc/vpa" "$tree/proc/powerpc/vcpudispatch_stats" \
		"$tree"/sys/devices/system/cpu/cpu*/cpuidle
	inspect
	absent lpar.donating missing
}

@test "a next step says what it is about: steps stand apart from their findings" {
	machine power10-shared
	sed -i 's/$/ idle=poll smt-snooze-delay=0 topology_updates=off cede_offline=on/' "$tree/proc/cmdline"
	echo 1 >"$tree/sys/devices/system/cpu/cpu0/cpuidle/state1/disable"
	echo 0 >"$tree/proc/sys/kernel/nmi_wd_lpm_factor"
	inspect
	expect_json '[.findings[] | select(.next | test("^(remove|set) it\\b|^lpartune recommend$")) | .id]' '[]'
	for id in cede-disabled obsolete-smt-snooze-delay obsolete-topology-updates \
		obsolete-cede-offline idle-poll-on-power lpm-watchdog; do
		expect_json "[.findings[] | select(.id == \"$id\") | .next
			| startswith(\"lpartune apply $id\")]" '[true]'
	done
}

@test "a partition that was renamed has its new name" {
	machine power10-shared
	lparcfg 's/^partition_name=.*/partition_name=new name=1/'
	inspect
	fact lpar.name '"new name=1"'
}

@test "mixed SMT: threads are counted core by core" {
	machine power10-mixed-smt
	inspect
	fact cpu.smt '"mixed"'
	expect_json '.facts["cpu.smt_cores"].value | length > 1' true
	expect_json '.facts | ([.["cpu.smt_cores"].value | to_entries[] | (.key | tonumber) * .value]
		| add) == .["cpu.online"].value' true
	finding mixed-smt
}

@test "sparse ids are counted as they are" {
	machine power10-holes
	inspect
	fact cpu.online 8
	fact cpu.cores 4
	fact cpu.smt '"2"'
}

@test "cpu0 and a whole core can be offline" {
	machine power10-shared
	local cpus=$tree/sys/devices/system/cpu cpu
	echo 1-55 >"$cpus/online"
	for cpu in 1 2 3 4 5 6 7; do
		echo 1-7 >"$cpus/cpu$cpu/topology/thread_siblings_list"
	done
	for cpu in 0 56 57 58 59 60 61 62 63; do
		echo 0 >"$cpus/cpu$cpu/online"
		rm -r "$cpus/cpu$cpu/topology" "$cpus/cpu$cpu/cpuidle"
	done
	inspect
	fact cpu.present 64
	fact cpu.online 55
	fact cpu.cores 7
	fact cpu.smt_cores '{"8":6,"7":1}'
	fact idle.states '"snooze, Shared Cede"'
}

@test "a CPU without an online file is online" {
	bare 'processor	: 0' 'cpu		: POWER9' 'timebase	: 512000000' 'platform	: pSeries' \
		'model		: IBM,9009-42A'
	rm "$tree/proc/cpuinfo"
	mkdir -p "$tree/sys/devices/system/cpu/cpu0" "$tree/sys/devices/system/cpu/cpu1"
	echo 0 >"$tree/sys/devices/system/cpu/cpu1/online"
	inspect
	fact cpu.present 2
	fact cpu.online 1
}

@test "siblings that name a CPU of another core are torn: cores are not told" {
	machine power10-shared
	echo 0-8 >"$tree/sys/devices/system/cpu/cpu0/topology/thread_siblings_list"
	inspect
	absent cpu.cores invalid
	fact cpu.online 64
}

@test "a node without CPU is found, and a node's list may be wider than what is present" {
	machine power9-cpuless-node
	inspect
	expect_json '.facts["numa.cpuless_nodes"].value >= 1' true
	# Its node 0 is a number only: neither CPU nor memory, as on many PowerVM partitions.
	fact numa.empty_nodes 1
	no_finding cpuless-nodes
	no_finding memoryless-nodes
	sed -i 's/MemTotal: .*/MemTotal: 4194304 kB/' "$tree/sys/devices/system/node/node0/meminfo"
	inspect
	finding cpuless-nodes
}

@test "a node whose memory nobody tells is neither empty nor full" {
	machine power9-cpuless-node
	rm "$tree"/sys/devices/system/node/node0/meminfo
	inspect
	expect_json '.facts["numa.cpuless_nodes"].value >= 1' true
	absent numa.empty_nodes missing
	absent numa.memoryless_nodes missing
	no_finding cpuless-nodes
	no_finding memoryless-nodes
	echo garbage >"$tree"/sys/devices/system/node/node0/meminfo
	inspect
	absent numa.empty_nodes invalid
}

@test "a node's CPUs are known by their links where its list is missing" {
	local cpu node range
	machine power10-shared
	inspect
	fact numa.nodes 2
	for node in 0 1; do
		for range in $(tr , ' ' <"$tree/sys/devices/system/node/node$node/cpulist"); do
			for cpu in $(seq "${range%-*}" "${range#*-}"); do
				mkdir "$tree/sys/devices/system/node/node$node/cpu$cpu"
			done
		done
		rm -f "$tree/sys/devices/system/node/node$node"/cpu{list,map}
	done
	inspect
	fact numa.nodes 2
	fact numa.cpuless_nodes 0
	rm -r "$tree"/sys/devices/system/node/node1/cpu*
	inspect
	absent numa.nodes missing
}

@test "threads online are not the threads that a core has" {
	machine power10-shared
	rm "$tree/sys/firmware/devicetree/base/cpus"/*/ibm,ppc-interrupt-server#s
	inspect
	fact cpu.threads_per_core 8
	seq -s, 0 8 63 >"$tree/sys/devices/system/cpu/online"
	inspect
	fact cpu.smt '"1"'
	absent cpu.threads_per_core missing
}

@test "bare metal has no partition, no steal and no advice for one" {
	machine powernv
	inspect
	fact hypervisor '"none"'
	fact platform '"powernv"'
	absent steal.since_boot not-applicable
}

@test "x86: a tree tells its hypervisor by Xen, DMI or PCI, or says that it does not know" {
	local flags='flags		: fpu lm hypervisor'
	bare 'processor	: 0' "$flags"
	inspect
	fact hypervisor '"unknown"'
	fact arch '"x86_64"'
	mkdir -p "$tree/sys/class/dmi/id"
	local row
	for row in sys_vendor:VMware,\ Inc.:vmware product_name:VirtualBox:virtualbox \
		product_name:KVM:kvm sys_vendor:QEMU:kvm-or-tcg sys_vendor:Xen:xen; do
		rm -f "$tree"/sys/class/dmi/id/*
		cut -d: -f2 <<<"$row" >"$tree/sys/class/dmi/id/${row%%:*}"
		inspect
		fact hypervisor "\"${row##*:}\""
	done
	echo QEMU >"$tree/sys/class/dmi/id/sys_vendor"
	mkdir -p "$tree/sys/devices/system/clocksource/clocksource0"
	echo "tsc kvm-clock hpet" \
		>"$tree/sys/devices/system/clocksource/clocksource0/available_clocksource"
	inspect
	fact hypervisor '"kvm"'
	rm -r "$tree/sys/devices"
	rm -r "$tree/sys/class"
	mkdir -p "$tree/proc/bus/pci"
	printf '0010\t58530001\t1c\t0\n' >"$tree/proc/bus/pci/devices"
	inspect
	fact hypervisor '"xen"'
}

@test "x86: Microsoft's DMI words mean Hyper-V only together" {
	bare 'processor	: 0' 'flags		: fpu lm hypervisor'
	mkdir -p "$tree/sys/class/dmi/id"
	echo "Microsoft Corporation" >"$tree/sys/class/dmi/id/sys_vendor"
	echo "Virtual Machine" >"$tree/sys/class/dmi/id/product_name"
	inspect
	fact hypervisor '"hyperv"'
	absent steal.since_boot missing
}

@test "s390x: PR/SM, z/VM and KVM by /proc/sysinfo" {
	bare 'vendor_id       : IBM/S390' 'processor 0: version = 00,  identification = 279F25,  machine = 2817'
	printf 'LPAR Number:          7\nLPAR Characteristics: Dedicated\nLPAR Name:            PROD\nLPAR CPUs Configured: 4\n' \
		>"$tree/proc/sysinfo"
	inspect
	fact hypervisor '"prsm"'
	fact lpar.mode '"dedicated"'
	fact lpar.id 7
	fact lpar.name '"PROD"'
	sed -i 's/Dedicated/Shared Limited/' "$tree/proc/sysinfo"
	inspect
	fact lpar.mode '"shared-capped"'
	echo 'VM00 Control Program: z/VM    7.3.0' >>"$tree/proc/sysinfo"
	inspect
	fact hypervisor '"zvm"'
	fact lpar.mode '"not-applicable"'
	sed -i 's/z.VM.*/KVM\/Linux/' "$tree/proc/sysinfo"
	inspect
	fact hypervisor '"kvm"'
}

@test "a sosreport's links and files are read where it keeps them" {
	machine power10-shared
	mkdir -p "$tree/sos_commands/kernel"
	mv "$tree/dev/kmsg" "$tree/sos_commands/kernel/dmesg"
	rm -rf "$tree/proc/ppc64" "$tree/proc/device-tree"
	ln -s powerpc "$tree/proc/ppc64"
	ln -s ../sys/firmware/devicetree/base "$tree/proc/device-tree"
	inspect
	fact hypervisor '"powervm"'
	fact log.soft_lockups 0
	fact lpar.entitlement 2
}

@test "a sosreport holds 64 CPU directories at most: cores come from the numbers then" {
	machine power10-shared
	find "$tree/sys/devices/system/cpu" -maxdepth 1 -name 'cpu[3-9][0-9]' -exec rm -r {} +
	inspect
	fact cpu.online 64
	fact cpu.cores 8
	expect_json '.facts["cpu.cores"].source | test("numbers")' true
}

@test "a supportconfig's raw copies are enough for the partition" {
	machine power10-shared
	mkdir -p "$BATS_TEST_TMPDIR/scc/ppc64"
	cp "$tree/proc/powerpc/lparcfg" "$BATS_TEST_TMPDIR/scc/ppc64/"
	cp -r "$tree/sys/firmware/devicetree/base" "$BATS_TEST_TMPDIR/scc/ppc64/device-tree"
	tree=$BATS_TEST_TMPDIR/scc
	inspect
	fact hypervisor '"powervm"'
	fact lpar.entitlement 2
	expect_json '.facts["lpar.mode"].value' '"shared-uncapped"'
}

@test "lockdown is told apart from absence" {
	machine power10-shared
	mkdir -p "$tree/sys/kernel/security"
	echo 'none [integrity] confidentiality' >"$tree/sys/kernel/security/lockdown"
	inspect
	fact kernel.lockdown '"integrity"'
}

@test "the screen fits 80 columns and has no colour in a pipe" {
	local name
	for name in "$BATS_TEST_DIRNAME"/../examples/synthetic-*; do
		expect_status 0 "$LPARTUNE" inspect --root "$name"
		[ "$(awk '{ if (length > w) w = length } END { print w }' <<<"$output")" -le 80 ] ||
			fail "too wide: $output"
		! grep -q $'\033' <<<"$output" || fail "escape codes in a pipe"
	done
}

@test "links that leave the tree, loops and FIFOs are no trouble" {
	machine power10-shared
	rm -rf "$tree/proc/stat" "$tree/proc/cmdline" "$tree/proc/uptime" "$tree/etc/os-release" \
		"$tree/usr/lib/os-release"
	ln -s /proc/stat "$tree/proc/stat" # in the tree this is a loop, not this machine's file
	ln -s ../../../../../../etc/hostname "$tree/proc/cmdline"
	ln -s /etc/os-release "$tree/etc/os-release"
	mkfifo "$tree/proc/uptime"
	expect_status 0 timeout 20 "$LPARTUNE" inspect --json --root "$tree"
	absent cpu.busy invalid
	absent kernel.cmdline missing
	absent uptime invalid
	absent distro.id invalid
}

@test "after threads went offline, steal is still a share of the same time" {
	machine power10-shared
	expect_status 0 "$LPARTUNE" inspect --json --root "$tree"
	local before
	before=$(jq '.facts["steal.since_boot"].value' <<<"$output")
	echo 0,8,16,24,32,40,48,56 >"$tree/sys/devices/system/cpu/online"
	sed -i -E '/^cpu[0-9]/{/^cpu(0|8|16|24|32|40|48|56) /!d}' "$tree/proc/stat"
	inspect
	expect_json '.facts | .["steal.since_boot_of_demand"].value >= .["steal.since_boot"].value' true
	fact steal.kernel_accounting '"sound"'
	expect_json '.facts["steal.stat"].value < 60' true
	[ -n "$before" ]
}

@test "an lppaca that cannot be read makes the sums absent, not smaller" {
	machine power10-shared
	truncate -s 100 "$tree/sys/kernel/debug/powerpc/vpa/cpu-9"
	inspect
	absent steal.dispatch_wait invalid
	fact steal.source '"proc-stat"'
	fact lpar.mode '"shared-uncapped"'
}

@test "more waiting than time is no steal" {
	machine power10-shared
	printf '\377%.0s' {1..16} |
		dd of="$tree/sys/kernel/debug/powerpc/vpa/cpu-9" bs=1 seek=344 conv=notrunc status=none
	inspect
	absent steal.dispatch_wait invalid
	fact steal.source '"proc-stat"'
}

@test "yield counts that went round are not taken for few dispatches" {
	machine power10-shared
	local f
	for f in "$tree"/sys/kernel/debug/powerpc/vpa/cpu-*; do
		printf '\0\0\0\2' | dd of="$f" bs=1 seek=256 conv=notrunc status=none
	done
	inspect
	absent dispatch.count invalid
	absent dispatch.dispersion invalid
}

@test "numbers of lparcfg beyond sense are invalid" {
	machine power10-shared
	lparcfg 's/^DisWheRotPer=.*/DisWheRotPer=18446744073709551615/; s/^capacity_weight=.*/capacity_weight=99999/
		s/^partition_affinity_score=.*/partition_affinity_score=4000/
		s/^partition_active_processors=.*/partition_active_processors=0/'
	inspect
	absent lpar.dispatch_wheel invalid
	absent lpar.weight invalid
	absent lpar.affinity_score invalid
	absent lpar.virtual_processors invalid
	absent lpar.entitlement_per_vp missing
}

@test "RCU stalls are counted in the words of old and new kernels" {
	machine power10-shared
	printf '3,9001,1,-;%s\n' 'INFO: rcu_sched self-detected stall on CPU' \
		'rcu: INFO: rcu_sched detected stalls on CPUs/tasks:' >>"$tree/dev/kmsg"
	inspect
	fact log.rcu_stalls 2
}

@test "the steal of a cap and the steal of neighbours are told apart" {
	machine power10-capped
	inspect
	finding steal-explained-by-cap
	# The same sum, but all of it waiting for a core.
	local f
	for f in "$tree"/sys/kernel/debug/powerpc/vpa/cpu-*; do
		dd if="$f" of="$f.wait" bs=1 skip=352 count=8 status=none
		dd if="$f.wait" of="$f" bs=1 seek=344 conv=notrunc status=none
		head -c 8 /dev/zero | dd of="$f" bs=1 seek=352 conv=notrunc status=none
		rm "$f.wait"
	done
	inspect
	no_finding steal-explained-by-cap
	finding steal-contention-under-cap
}

@test "steal below the cap is told without the hypervisor's counters, too" {
	machine power10-shared
	lparcfg 's/^capped=0/capped=1/; s/^partition_entitled_capacity=.*/partition_entitled_capacity=560/'
	inspect
	no_finding steal-within-cap
	finding steal-contention-under-cap
	rm -r "$tree/sys/kernel/debug/powerpc"
	inspect
	finding steal-within-cap
	no_finding steal-contention-under-cap
}

@test "a POWER10 in POWER9 mode takes firmware's latency of CEDE, and rightly" {
	machine power9-dedicated
	echo 3 | tee "$tree"/sys/devices/system/cpu/cpu*/cpuidle/state1/latency >/dev/null
	echo 5.14.0-70.el9.ppc64le >"$tree/proc/sys/kernel/osrelease"
	inspect
	finding cede-latency-too-small
	echo 6.4.0-150600.23-default >"$tree/proc/sys/kernel/osrelease"
	inspect
	no_finding cede-latency-too-small
}

@test "a manifest that is a FIFO, a directory or a link is no manifest" {
	machine power10-shared
	mkfifo "$tree/manifest.json"
	expect_status 0 timeout 20 "$LPARTUNE" inspect --json --root "$tree"
	fact lpar.entitlement 2
	rm "$tree/manifest.json"
	mkdir "$tree/manifest.json"
	inspect
	fact lpar.entitlement 2
}

@test "DMI of makers that also sell bare metal proves a guest only with the flag" {
	bare 'processor	: 0' 'flags		: fpu lm'
	mkdir -p "$tree/sys/class/dmi/id"
	echo "Amazon EC2" >"$tree/sys/class/dmi/id/sys_vendor"
	echo "c5.metal" >"$tree/sys/class/dmi/id/product_name"
	inspect
	fact hypervisor '"none"'
	sed -i 's/lm/lm hypervisor/' "$tree/proc/cpuinfo"
	inspect
	fact hypervisor '"kvm"'
}

@test "an empty tree is told to be empty, not healthy" {
	mkdir "$tree"
	expect_status 0 "$LPARTUNE" inspect --root "$tree"
	expect_match "nothing could be read" "$output"
}

@test "a tree with a name that is no UTF-8 gives a document" {
	machine power10-shared
	mv "$tree" "$tree"$'\xff'
	tree=$tree$'\xff'
	inspect
	fact lpar.entitlement 2
}
