#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Facts of a booted kernel, in each mode and identity: what `inspect` says against what this guest
# is known to be, because it was made so, and against what the guest's own tools say.
load lab

setup_file() {
	boot guest --cpus 8 --threads 4 <<'G'
set -x
lpartune inspect --json >/out/root.json 2>/out/root.err
echo $? >/out/root.rc
lpartune inspect --all >/out/root.txt 2>&1
su nobody -c 'lpartune inspect --json' >/out/user.json 2>/out/user.err
echo $? >/out/user.rc
uname -r >/out/release
cat /proc/cmdline >/out/cmdline
cat /sys/devices/system/cpu/cpu0/cpuidle/state1/name >/out/idle
dd if=/sys/kernel/debug/powerpc/vpa/cpu-0 bs=640 count=1 | od -A n -t u1 -j 9 -N 1 | tr -d ' ' >/out/lppaca-status
[ -e /proc/powerpc/vcpudispatch_stats ] && echo yes >/out/dispatch || echo no >/out/dispatch
G
}

@test "the guest is what was asked for" {
	run -0 cat "$(brought guest/idle)" "$(brought guest/dispatch)" "$(brought guest/lppaca-status)"
	case $MODE in
	shared) [ "${lines[*]}" = 'Shared Cede yes 2' ] ;;
	dedicated) [ "${lines[*]}" = 'CEDE no 0' ] ;;
	esac || fail "not $MODE: ${lines[*]}"
}

@test "inspect ends well and silent" {
	[ "$(cat "$(brought guest/root.rc)" "$(brought guest/root.err)")" = 0 ] ||
		fail "$(cat "$BATS_FILE_TMPDIR/guest/root.err")"
}

@test "inspect without privilege ends well and silent" {
	[ "$(cat "$(brought guest/user.rc)" "$(brought guest/user.err)")" = 0 ] ||
		fail "$(cat "$BATS_FILE_TMPDIR/guest/user.err")"
}

@test "architecture, platform, hypervisor" {
	local wanted='"qemu-tcg"' user
	[ "$IDENTITY" = plain ] || wanted='"powervm"'
	for user in root user; do
		expect_fact guest/$user.json arch '"ppc64le"'
		expect_fact guest/$user.json platform '"pseries"'
		expect_fact guest/$user.json hypervisor "$wanted"
	done
}

# Without lparcfg the mode is known (idle state's name, dispatch statistics), the capping is not.
@test "mode" {
	local wanted=$LPARCFG user
	[ "$LPARCFG" != none ] || wanted=$MODE
	[ "$IDENTITY" = powervm ] || wanted=not-applicable
	for user in root user; do
		expect_fact guest/$user.json lpar.mode "\"$wanted\""
	done
}

@test "name, id and model" {
	if [ "$IDENTITY" = powervm ]; then
		expect_fact guest/root.json lpar.name '"lab"'
		expect_fact guest/root.json lpar.id 7
		expect_fact guest/root.json lpar.model '"IBM,9080-HEX"'
	else
		expect_fact guest/root.json lpar.name null
		expect_fact guest/root.json lpar.id null
	fi
}

@test "entitlement, virtual processors, weight, pool" {
	local entitled=1 weight=128
	if [ "$IDENTITY" = plain ] || [ "$LPARCFG" = none ]; then
		expect_fact guest/root.json lpar.entitlement null
		expect_fact guest/root.json lpar.weight null
		return
	fi
	[ "$MODE" = shared ] || entitled=2
	[ "$LPARCFG" = shared-uncapped ] || weight=0
	expect_fact guest/root.json lpar.entitlement $entitled $entitled.0
	expect_fact guest/root.json lpar.virtual_processors 2
	[ "$MODE" = dedicated ] || {
		expect_fact guest/root.json lpar.dispatch_wheel 10000000
		expect_fact guest/root.json lpar.weight $weight
		expect_fact guest/root.json lpar.pool_id 0
	}
}

# lparcfg tells the bit to everyone; the kernels up to 6.12 have none.
@test "the lppaca's shared bit" {
	local shared
	shared=$([ "$MODE" = shared ] && echo true || echo false)
	expect_fact guest/root.json lppaca.shared "$shared"
	if [[ $IDENTITY = powervm && $LPARCFG != none || $IDENTITY = plain && $KERNEL = 7.2 ]]; then
		expect_fact guest/user.json lppaca.shared "$shared"
	else
		expect_absent guest/user.json lppaca.shared denied
	fi
}

@test "processors, threads, SMT" {
	local user
	for user in root user; do
		expect_fact guest/$user.json cpu.present 8
		expect_fact guest/$user.json cpu.online 8
		expect_fact guest/$user.json cpu.cores 2
		expect_fact guest/$user.json cpu.threads_per_core 4
		expect_fact guest/$user.json cpu.smt '"4"'
		expect_fact guest/$user.json cpu.smt_cores '{"4":2}'
		expect_fact guest/$user.json cpu.timebase 512000000
		expect_value guest/$user.json '.facts["cpu.model"].value | test("POWER10")' true
	done
}

@test "NUMA nodes" {
	expect_fact guest/root.json numa.nodes 1
	expect_fact guest/root.json numa.cpuless_nodes 0
}

@test "kernel release, command line, lockdown" {
	local user
	for user in root user; do
		expect_fact guest/$user.json kernel.release "\"$(cat "$(brought guest/release)")\""
		expect_fact guest/$user.json kernel.cmdline "\"$(cat "$(brought guest/cmdline)")\""
		expect_fact guest/$user.json kernel.lockdown '"none"'
	done
}

# Nothing was stolen yet. Counters that are all 0 may count nothing, so 0 is said only where nobody
# takes: of a dedicated partition.
@test "steal since boot" {
	expect_fact guest/root.json steal.kernel_accounting '"unknown"'
	if [ "$IDENTITY-$MODE" = powervm-dedicated ]; then
		expect_fact guest/root.json steal.since_boot 0 0.0
	else
		expect_absent guest/root.json steal.since_boot not-provided no-data
	fi
}

@test "the text says the same" {
	grep -q "$(cat "$(brought guest/release)")" "$(brought guest/root.txt)"
	grep -Eq "$([ "$IDENTITY" = powervm ] && echo '[Pp]ower[Vv][Mm]' || echo 'qemu-tcg|QEMU')" \
		"$(brought guest/root.txt)"
}
