#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# NUMA nodes as LPARs have them: numbers with gaps, and a node with memory but without CPUs.
load lab

setup_file() {
	boot guest --cpus 8 --node 0-3:512 --node :0 --node :256 --node 4-7:512 <<'G'
lpartune inspect --json >/out/inspect.json
cat /sys/devices/system/node/online /sys/devices/system/node/has_cpu >/out/nodes
G
}

@test "the guest has nodes 0, 2 and 3, CPUs in 0 and 3" {
	[ "$(tr '\n' ' ' <"$(brought guest/nodes)")" = '0,2-3 0,3 ' ] ||
		fail "$(cat "$BATS_FILE_TMPDIR/guest/nodes")"
}

@test "inspect counts the nodes that there are, and those without CPUs" {
	expect_fact guest/inspect.json numa.nodes 3
	expect_fact guest/inspect.json numa.cpuless_nodes 1
	expect_fact guest/inspect.json cpu.cores 2
}
