/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file holds the wake probe to its promises with a worker that is held off: by a signal handler
 * that sleeps, and that can pretend (in a false lppaca) that it was the hypervisor. No latency of
 * this machine is judged, only what was put in.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

#include "bench/bench.h"
#include "bench/workload/benchmarks.h"
#include "machine/source/lppaca.h"
#include "machine/source/topology.h"
#include "tree.h"
#include "unit.h"

#define TIMEBASE_HZ 512000000
#define CROWD 4			 /* workers of fanout */
#define HOLD_NS (25 * NS_PER_MS) /* well above what other work on the machine costs a wake */

static struct {
	int vpa_fd; /* -1: do not pretend */
	uint64_t hold_ns;
	volatile sig_atomic_t holds;
} hold;

static void put_be64(uint8_t *p, uint64_t v)
{
	for (int i = 7; i >= 0; i--, v >>= 8)
		p[i] = (uint8_t)v;
}

/* Runs in the worker: off for a while, then the hypervisor's account of it. */
static void on_hold(int signal)
{
	struct timespec t = clock_timespec(hold.hold_ns);
	static uint64_t waited;
	uint8_t raw[8];

	(void)signal;
	nanosleep(&t, NULL);
	if (hold.vpa_fd >= 0) {
		waited += hold.hold_ns * (TIMEBASE_HZ / 1000000) / 1000;
		put_be64(raw, waited);
		if (pwrite(hold.vpa_fd, raw, sizeof(raw), 0x158) != (ssize_t)sizeof(raw))
			_exit(3);
	}
	hold.holds++;
}

/* The thread that the probe calls "worker", or -1. */
static pid_t find_worker(void)
{
	DIR *d = opendir("/proc/self/task");
	pid_t found = -1;

	for (struct dirent *e; d && (e = readdir(d));) {
		char path[300], name[32] = "";
		FILE *f;

		snprintf(path, sizeof(path), "/proc/self/task/%s/comm", e->d_name);
		f = fopen(path, "r");
		if (f && fgets(name, sizeof(name), f) && streq(name, "worker\n"))
			found = (pid_t)strtol(e->d_name, NULL, 10);
		if (f)
			fclose(f);
	}
	if (d)
		closedir(d);
	return found;
}

struct holder {
	unsigned int bursts;
	uint64_t first_ns, every_ns;
};

static void *hold_worker(void *arg)
{
	const struct holder *h = arg;
	struct timespec first = clock_timespec(h->first_ns), every = clock_timespec(h->every_ns);

	nanosleep(&first, NULL);
	for (unsigned int i = 0; i < h->bursts; i++) {
		pid_t worker = find_worker();

		if (worker > 0)
			syscall(SYS_tgkill, getpid(), worker, SIGUSR1);
		nanosleep(&every, NULL);
	}
	return NULL;
}

struct fixture {
	struct root *root, *tree;
	struct topology topology;
	struct layout layout;
	struct attribution attribution;
	struct stop stop;
};

static int make_vpa(int cpu)
{
	const uint8_t raw[LPPACA_SIZE] = { 0xd3, 0x97, 0xd7, 0x81, 0x04, 0x00 };
	char path[200], full[300];

	snprintf(path, sizeof(path), LPPACA_PATH, (unsigned int)cpu);
	tree_bytes(path, raw, sizeof(raw));
	snprintf(full, sizeof(full), "%s/%s", tree_dir, path);
	return open(full, O_WRONLY | O_CLOEXEC);
}

static bool fixture_make(struct fixture *f)
{
	*f = (struct fixture) { 0 };
	tree_new();
	if (root_open("/", &f->root) < 0 || topology_read(f->root, 0, &f->topology) < 0 ||
	    layout_make(f->root, &f->topology, NULL, &f->layout) < 0)
		return false;
	idset_for_each (cpu, &f->layout.allowed) {
		int fd = make_vpa(cpu);

		if (cpu == idset_next(&f->layout.allowed, 0))
			hold.vpa_fd = fd;
		else
			close(fd);
	}
	return root_open(tree_dir, &f->tree) == 0 &&
	       attribution_open(f->tree, &f->layout, TIMEBASE_HZ, &f->attribution) == 0;
}

static void fixture_done(struct fixture *f)
{
	attribution_close(&f->attribution);
	layout_done(&f->layout);
	topology_done(&f->topology);
	root_close(f->tree);
	root_close(f->root);
}

/* One block of `same` with a worker that is held; the bench is the caller's. */
static void run_held(struct fixture *f, const struct benchmark *benchmark,
		     const struct holder *holder, uint64_t idle_ns, uint64_t block_ns,
		     struct bench *bench)
{
	const struct bench_config config = {
		.block_ns = block_ns, .lead_ns = BENCH_LEAD_NS, .rounds = 1, .pairs = 1, .seed = 1
	};
	const struct session session = { .layout = &f->layout,
					 .attribution = &f->attribution,
					 .root = f->root,
					 .stop = &f->stop };
	const struct cell cell = {
		.benchmark = benchmark,
		.size = benchmark == &benchmark_fanout ? CROWD : 0,
		.distance = DISTANCE_SAME,
		/* A futex would tell that the handler ended the sleep before the wake did. */
		.primitive = PRIMITIVE_EVENTFD,
		.idle_ns = idle_ns
	};
	struct cell_list cells = { 0 };
	struct measurement *m;
	pthread_t thread;

	if (cell_list_add(&cells, &cell) < 0 || bench_plan(&config, &session, &cells, bench) < 0)
		return;
	m = &bench->measurement[0];
	bench->session.config = &bench->config;
	pthread_create(&thread, NULL, hold_worker, (void *)holder);
	if (benchmark->run(&bench->session, m, &m->blocks[0]) == 0)
		m->block_count = 1;
	pthread_join(thread, NULL);
	cell_list_done(&cells);
}

/* One run with holds: were they told from other waits? */
static bool tells_holds(struct fixture *f)
{
	const struct holder holder = { .bursts = 25,
				       .first_ns = 150 * NS_PER_MS,
				       .every_ns = 60 * NS_PER_MS };
	struct bench bench;
	const struct block *block;
	uint64_t holds, found, others;
	bool told;

	hold.hold_ns = HOLD_NS;
	hold.holds = 0;
	run_held(f, &benchmark_wake, &holder, 500 * NS_PER_US, 1700 * NS_PER_MS, &bench);
	block = &bench.measurement[0].blocks[0];
	holds = (uint64_t)hold.holds;
	found = block->classes[CLASS_HYPERVISOR];
	others = block->wake.count - holds;
	/* A wake is due every 0.5 ms: every hold of 25 ms delays one. */
	told = holds >= 15 && block->wake.count > 100 && found >= holds * 9 / 10 &&
	       found <= holds + others * 5 / 100;
	printf("# %lu holds, %lu found, %lu wakes\n", (unsigned long)holds, (unsigned long)found,
	       (unsigned long)block->wake.count);
	bench_done(&bench);
	return told;
}

/* Two holds can fall into one wake while others keep the CPUs busy: three runs, one must tell. */
static void check_hypervisor(struct fixture *f)
{
	CHECK(f->attribution.has_vpa);
	CHECK(tells_holds(f) || tells_holds(f) || tells_holds(f));
}

/* Every arrival during the stall shows it: about 20 of 200 were due, half of them for 50 ms and
 * more. The others do not: they are few enough for a machine that is busy with other things. */
static bool shows_stall(const struct block *block)
{
	uint64_t median, p95;

	CHECK(block->planned == block->done + block->unissued);
	return block->response.max >= 75 * NS_PER_MS &&
	       distribution_quantile(&block->response, 0.95, &p95) && p95 >= 10 * NS_PER_MS &&
	       distribution_quantile(&block->response, 0.5, &median) && median < 50 * NS_PER_MS;
}

/* Others that keep the CPUs busy delay the rest too: three runs, one must tell. */
static void check_stall(struct fixture *f)
{
	const struct holder holder = { .bursts = 1, .first_ns = 200 * NS_PER_MS, .every_ns = 1 };
	int vpa_fd = hold.vpa_fd;
	bool is_shown = false;

	hold.vpa_fd = -1;
	hold.hold_ns = 100 * NS_PER_MS;
	for (unsigned int i = 0; i < 3 && !is_shown; i++) {
		struct bench bench;

		run_held(f, &benchmark_wake, &holder, 5 * NS_PER_MS, 1000 * NS_PER_MS, &bench);
		is_shown = shows_stall(&bench.measurement[0].blocks[0]);
		bench_done(&bench);
	}
	hold.vpa_fd = vpa_fd;
	CHECK(is_shown);
}

/* A worker that is held over the end of the block: what was planned stays planned, what could not be
 * issued is told, and the wake that found it held is a sample with all of its delay. */
static void check_held_over_end(struct fixture *f, const struct benchmark *benchmark,
				unsigned int crowd)
{
	const struct holder holder = { .bursts = 1, .first_ns = 250 * NS_PER_MS, .every_ns = 1 };
	int vpa_fd = hold.vpa_fd;
	struct bench bench;
	const struct block *block;

	hold.vpa_fd = -1;
	hold.hold_ns = 700 * NS_PER_MS;
	run_held(f, benchmark, &holder, NS_PER_MS, 400 * NS_PER_MS, &bench);
	block = &bench.measurement[0].blocks[0];
	/* 400 on average. */
	CHECK(block->planned > 300 * crowd && block->planned < 500 * crowd);
	CHECK(block->done < 300 * crowd);
	CHECK(block->planned == block->done + block->unissued);
	CHECK(block->wake.max >= 300 * NS_PER_MS && block->response.max >= 300 * NS_PER_MS);
	bench_done(&bench);
	hold.vpa_fd = vpa_fd;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_hold, .sa_flags = SA_RESTART };
	struct fixture f;

	sigaction(SIGUSR1, &action, NULL);
	if (!CHECK(fixture_make(&f)))
		return unit_done();
	stop_begin(&f.stop);
	check_hypervisor(&f);
	check_stall(&f);
	check_held_over_end(&f, &benchmark_wake, 1);
	check_held_over_end(&f, &benchmark_fanout, CROWD);
	stop_end(&f.stop);
	fixture_done(&f);
	return unit_done();
}
