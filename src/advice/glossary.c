/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is the glossary. One entry a number or idea that administrators meet under many names. */
#include "advice/glossary.h"

#include "base/util.h"

const struct term glossary[] = {
	{ "lpar", "LPAR, logical partition",
	  "A virtual machine of PowerVM (or of PR/SM on IBM Z). Linux in it runs on virtual "
	  "processors that the hypervisor dispatches on physical cores." },
	{ "entitlement", "Entitlement (EC, entitled capacity)",
	  "Processor capacity, in cores, that the hypervisor guarantees in each dispatch wheel. A "
	  "capped partition never gets more; an uncapped one may. Shown as lpar.entitlement." },
	{ "virtual-processor", "Virtual processor (VP)",
	  "What the partition sees as a core, with up to eight threads. The hypervisor dispatches "
	  "a virtual processor as a whole. Their number is the ceiling of what the partition can "
	  "use; the entitlement is the floor." },
	{ "capped", "Capped and uncapped",
	  "A capped partition stops at its entitlement; what its virtual processors want beyond "
	  "it becomes steal. An uncapped one takes unused capacity of the pool in proportion to "
	  "its weight." },
	{ "weight", "Uncapped weight",
	  "0 to 255. Shares unused capacity of the pool among the uncapped partitions that want "
	  "it. 128 is the default; 0 makes an uncapped partition behave as a capped one." },
	{ "pool", "Shared processor pool",
	  "The physical cores that partitions with shared processors run on. More virtual "
	  "processors than it has cores can never run together." },
	{ "dedicated", "Dedicated processors",
	  "Each virtual processor is a physical core of its own. It is never preempted, steal is 0 "
	  "by construction, and the kernel knows the real caches." },
	{ "donating", "Donating partition",
	  "A dedicated partition that lends idle cores to the shared pool. Taking one back adds to "
	  "the latency of a wakeup." },
	{ "dispatch", "Dispatch",
	  "The hypervisor puts a virtual processor on a physical core. The yield count moves once "
	  "at each dispatch and once at each yield, so dispatches are half of its change." },
	{ "dispatch-wheel", "Dispatch wheel",
	  "The period, usually 10 ms, in which every virtual processor gets its share of the "
	  "entitlement. A virtual processor that used its share early waits for the next turn." },
	{ "preemption", "Preemption of a virtual processor",
	  "The hypervisor takes the core away from a virtual processor that has work. Its tasks, "
	  "and the locks they hold, stand still until the next dispatch." },
	{ "lock-holder-preemption", "Lock holder preemption",
	  "A preempted virtual processor holds a lock for which others spin or wait. It shows as "
	  "RCU stalls, soft lockups and much system time while steal is high." },
	{ "steal", "Steal",
	  "Time in which a CPU was ready to run and the hypervisor did not run it: waiting for a "
	  "physical core (contention), or held back because cap or entitlement was used up. Judge "
	  "it against the time wanted (busy + stolen), not against all time." },
	{ "processor-consumption", "Processor consumption (physc, entc)",
	  "physc is the physical processor time that the partition used over an interval, in cores: "
	  "the change of PURR over that of the timebase. entc is the same as a percentage of the "
	  "entitlement; above 100 % the partition lives on unused capacity of others, which nobody "
	  "guarantees." },
	{ "yield", "Yield",
	  "A virtual processor gives its core up: by cede, by confer, or because it is preempted. "
	  "The yield count in the lppaca is odd while it is not dispatched." },
	{ "cede", "Cede (H_CEDE)",
	  "An idle thread gives its cycles to the hypervisor until an interrupt or a prod wakes "
	  "it. It is the idle state CEDE, \"Shared Cede\" where processors are shared." },
	{ "snooze", "Snooze",
	  "The idle state in which a thread polls at low priority for up to about 100 us before it "
	  "cedes. A wakeup from it needs no interrupt." },
	{ "confer", "Confer (H_CONFER)",
	  "A thread that waits for a lock gives its cycles to the preempted holder of the lock." },
	{ "dispersion", "Dispersion",
	  "A dispatch on another physical processor than last time. Caches are then cold. Shown as "
	  "a share of dispatches." },
	{ "home-node", "Home node",
	  "The part of the machine where the hypervisor wants to run a virtual processor. With the "
	  "dispatch statistics on, the share of dispatches at home tells how often it could." },
	{ "affinity-score", "Affinity score",
	  "0 to 100: how close the partition's cores and memory are placed. Only comparable on one "
	  "machine; DPO (optmem) on the HMC improves it." },
	{ "vpa", "VPA, lppaca",
	  "The page that the hypervisor and a virtual processor share. It has the yield count, the "
	  "dispersions and the wait times from which steal is computed." },
	{ "purr", "PURR and SPURR",
	  "Per-thread counters of physical processor time, in timebase ticks; the sum over a core "
	  "is the time that it was dispatched. SPURR is scaled with the frequency." },
	{ "run-queue", "Run queue",
	  "The tasks that wait for one CPU in Linux. A task on the queue of a preempted virtual "
	  "processor waits for the hypervisor although other CPUs are idle." },
	{ "wakeup-latency", "Wakeup latency",
	  "The time from the wakeup of a task to its first instruction: finding a CPU, the "
	  "interrupt, leaving the idle state, the hypervisor's dispatch, the run queue. bench wake "
	  "measures it and says which part was slow." },
	{ "cpu-capacity", "Capacity of a CPU",
	  "How much a CPU can do in the scheduler's eyes. Steal and interrupts lower it if the "
	  "feature NONTASK_CAPACITY is on." },
	{ "big-core", "Big core",
	  "An SMT8 core that is two halves of four threads with caches of their own (POWER9 and "
	  "later in SMT8 machines). Linux schedules by halves; the hypervisor dispatches the whole." },
	{ "hmc", "HMC",
	  "The console that manages the machine: entitlement, virtual processors, weight, pools, "
	  "migration are set there, or by DLPAR while the partition runs." },
	{ "dlpar", "DLPAR",
	  "Changing processors, entitlement or memory of a running partition from the HMC." },
	{ "lpm", "LPM, live partition mobility",
	  "Migration of a running partition to another machine. Counters can go back, watchdogs "
	  "can fire, and CPU to node maps can be stale afterwards." },
	{ "evidence-class", "Evidence classes",
	  "A measured on Power; B measured on another architecture; V required by a workload's "
	  "vendor; C reasoning from code and documentation; N none found." },
};
const size_t glossary_count = ARRAY_SIZE(glossary);
