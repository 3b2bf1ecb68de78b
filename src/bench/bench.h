/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run of benchmarks: cells (a benchmark at a distance, an idle length, a load), measured in
 * blocks, round after round, so that every cell samples the whole run. A block is the unit of all
 * statistics: wakes within one depend on each other, blocks hardly do.
 */
#ifndef LPARTUNE_BENCH_BENCH_H
#define LPARTUNE_BENCH_BENCH_H

#include "bench/host/attribution.h"
#include "bench/host/counters.h"
#include "bench/host/environment.h"
#include "bench/host/memory.h"
#include "bench/host/own_cost.h"
#include "bench/host/placement.h"
#include "bench/judgement/histogram.h"
#include "bench/judgement/statistics.h"
#include "bench/judgement/tally.h"
#include "bench/workload/channel.h"
#include "bench/workload/stop.h"

/* Raised when a benchmark changes what it measures: results of different definitions are never
 * compared. */
#define BENCH_DEFINITION 1

#define BENCH_BLOCK_NS (400 * NS_PER_MS)
#define BENCH_LEAD_NS (50 * NS_PER_MS)
#define BENCH_DURATION_NS (28 * NS_PER_S)
#define BENCH_PAIRS_MAX 8

struct benchmark;

/* What is measured; a cell is equal to another if all members are. */
struct cell {
	const struct benchmark *benchmark;
	enum distance distance;
	enum primitive primitive;
	uint64_t idle_ns;
	unsigned int load_pct;
	unsigned int
		size; /* workers, groups, copies or threads; 0: the benchmark has no such thing */
	unsigned int kind; /* one of the benchmark's kinds */
};

struct bench_config {
	uint64_t duration_ns; /* planned, of the whole run with its warm-up */
	uint64_t block_ns, lead_ns;
	unsigned int rounds; /* 0: as many as the duration has room for */
	unsigned int pairs;  /* at once; 0: half of the cores, at most BENCH_PAIRS_MAX */
	bool periodic;	     /* arrivals; else Poisson */
	bool processes;	     /* messaging: children instead of threads */
	bool attribution;
	int fifo;
	uint64_t seed;
};

struct cell_list {
	struct cell *cell;
	size_t count;
};
/* A cell that is in the list already is not added again. */
int cell_list_add(struct cell_list *list, const struct cell *cell); /* -ENOMEM */
void cell_list_done(struct cell_list *list);

/* One measured block of a cell. */
struct block {
	uint64_t start_ns, duration_ns; /* start: since the run began */
	uint64_t planned, done;		/* operations */
	uint64_t unissued;		/* of the planned: still due when the block was over */
	uint64_t warmup;		/* done before recording began */
	struct distribution wake, response;
	uint64_t classes[CLASS_COUNT];
	double slow[CLASS_COUNT]; /* shares of the slowest 1 % */
	bool has_classes;
	struct environment environment;
	double counter_per_s[COUNTERS_MAX], counter_running[COUNTERS_MAX]; /* NAN: not known */
};

/* One cell's whole result. */
struct measurement {
	struct cell cell;
	struct cpu_pair *pairs; /* where it ran; NULL: the benchmark places threads itself */
	unsigned int pair_count;
	struct block *blocks;
	unsigned int block_count;
	struct distribution issue; /* time of the wake call itself */
	struct distribution late;  /* the waker's own lateness after its timed sleep */
	struct distribution batch; /* fanout: from the first stamp of a batch */
	struct distribution
		*position; /* fanout: wake latency of each position, cell.size of them */
	struct class_table *classes;
	uint64_t chosen[DISTANCE_COUNT]; /* free placement: where wakes went */
	double gap_sum, gap_squares;	 /* of the intervals between wakes, in ns */
	uint64_t gaps;
	uint64_t switches,
		switch_operations; /* context switches of the threads, and in how many operations */
	int error;		   /* why it could not be measured, or 0 */
};

/* What every block needs; made once for a run. */
struct session {
	const struct bench_config *config;
	const struct layout *layout;
	const struct attribution *attribution; /* NULL: not wanted */
	const struct counters *counters;       /* NULL: none */
	bool zero_steal_is_unknown;	       /* nobody is known to count it */
	struct root *root;
	struct stop *stop;
	struct random random;
	uint64_t began_ns;
};

struct team;

/*
 * Plays a block with a team: gathers, starts, reads the environment at the edges, disbands. -EINTR:
 * stopped early; -ETIME: a thread is stuck and the memory of the team must not be freed; -errno.
 */
int session_play(struct session *session, struct team *team, struct block *block);
void own_memory_free(void *memory, size_t size);

struct benchmark {
	const char *name;
	const char *id;		  /* among all ids of lpartune: "bench-wake" */
	const char *summary;	  /* one line */
	const char *about;	  /* what it does, what it tells, what it does not */
	const char *operation;	  /* what one sample is: "wake", "round trip" … */
	const char *const *kinds; /* NULL: none */
	/* Adds the default cells of this machine to the list; -ENOMEM. */
	int (*cells)(const struct session *session, struct cell_list *list);
	/* Measures one block: records into `block`, and into what `m` keeps for the whole cell.
	 * -errno; -ETIME: a thread did not come back, the run must end; -EINTR: stopped. */
	int (*run)(struct session *session, struct measurement *m, struct block *block);
};

/* A whole run. */
struct bench {
	struct bench_config config;
	struct session session;
	struct measurement *measurement;
	unsigned int count;
	unsigned int rounds, rounds_done;
	bool is_by_rounds; /* else as many of them as the duration has room for */
	int map_cpu[16];   /* of --map; see map.h */
	unsigned int map_cpu_count;
	uint64_t warmup_ns;
	uint64_t longest_block_ns; /* so far, with its threads made and joined */
	uint64_t took_ns;
	struct own_cost own_cost;
	struct tally tally;  /* over all blocks */
	bool is_interrupted; /* stopped by a signal: what is there is valid, but not all */
	bool is_stuck;	     /* a thread did not come back; nothing may be freed */
};

/*
 * Plans a run: places the pairs of each cell and counts the rounds. The session's members other
 * than config, random and began_ns are the caller's and must outlive the run. A cell whose distance
 * this machine does not have keeps error = -ENODEV. -errno.
 */
int bench_plan(const struct bench_config *config, const struct session *session,
	       const struct cell_list *cells, struct bench *ret);

/* Called between blocks. */
typedef void (*bench_progress_fn)(void *arg, uint64_t elapsed_ns, uint64_t planned_ns);

/* Runs what was planned. Errors of a cell stay with the cell. */
void bench_run(struct bench *bench, bench_progress_fn progress, void *arg);

/* The parts of a run by rounds, for those who play rounds of their own: beginning, warming up, and a
 * round, which gives each cell one more block. False: the run is over (is_stuck, is_interrupted), or
 * nothing of it can be measured. */
void bench_begin(struct bench *bench);
bool bench_warm_up(struct bench *bench);
bool bench_play_round(struct bench *bench, bench_progress_fn progress, void *arg);

/* How long one block takes, with what comes before and after it. */
uint64_t bench_block_cost_ns(const struct bench_config *config);

/* How long a run will take by plan: more than the wanted duration if that has no room for the warm-up and
 * a block of each cell. */
uint64_t bench_planned_ns(const struct bench *bench);

/* How many blocks a cell can get. */
unsigned int bench_blocks_most(const struct bench *bench);

void bench_done(struct bench *bench);

#endif
