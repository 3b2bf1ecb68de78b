/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file lists what has no rule, and why: nothing that is asked for is forgotten in silence. */
#include "advice/rules.h"

const struct left_out left_out[] = {
	{ "PM QoS (/dev/cpu_dma_latency)",
	  "It is in force only while a program holds the file open, so it is no setting; "
	  "dedicated-without-cede has the same effect." },
	{ "kernel.sched_schedstats",
	  "A switch for diagnosis. Its cost is small and was not measured on Power." },
	{ "IRQ affinity and irqbalance",
	  "No measurement on shared partitions was found; irqbalance is left alone." },
	{ "KVM host halt polling (halt_poll_ns)",
	  "Only the host's administrator can set it. A guest sees it as steal (steal-on-guest)." },
	{ "Virtual CPU pinning on KVM hosts",
	  "Only the host's administrator can set it (steal-on-guest says so)." },
	{ "Partition affinity score",
	  "It is shown as a fact. No threshold is documented, and scores of different machines do "
	  "not compare." },
	{ "Home node maps that are stale after a migration",
	  "Kernels from 5.9 on read the map only when a CPU comes online, and nothing in the "
	  "partition tells that it is stale. memoryless-nodes finds the visible part." },
	{ "Odd NUMA distances in KVM guests of a partition",
	  "The distances are not read; IBM's note names the update for the one product concerned." },
	{ "Use beyond the entitlement",
	  "It is a rate, so sample shows it (entc_pct); since boot it cannot be told." },
	{ "Peak use and the number of virtual processors",
	  "Since boot only the average is known, and sizing by averages is wrong for peaks. sample "
	  "shows physc." },
	{ "Available pool processors since boot",
	  "The pool's idle time counts from the hypervisor's boot, so the number misleads; sample "
	  "takes it over an interval." },
	{ "Socket counts",
	  "Shared partitions cannot know them, and three generations of kernels showed wrong ones. "
	  "lpartune tells cores and nodes." },
	{ "Steal that counts the sibling thread (RHEL 5 and 6, SLES 10 and 11)",
	  "Those kernels are older than everything that lpartune reads." },
	{ "Advertised against real idle latency",
	  "It is measured by bench timer and bench wake, not judged by a rule." },
	{ "smt-snooze-delay at run time (ppc64_cpu)",
	  "The file is gone with the mechanism; obsolete-smt-snooze-delay covers the boot "
	  "parameter." },
	{ "x86 C-state arguments", "They belong to x86 firmware and are never advised on Power." },
	{ "sum of VPs against the pool",
	  "A partition sees only its own virtual processors (vps-beyond-pool)." },
	{ "Migration of a partition (LPM) as an event",
	  "It leaves no trace that is safe to read; run inspect again after one." },
};
const size_t left_out_count = ARRAY_SIZE(left_out);
