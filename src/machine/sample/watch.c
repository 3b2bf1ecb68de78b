/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file takes readings; it keeps files open and allocates only when CPUs come. */
#include "machine/sample/watch.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <time.h>

#include "machine/sample/identity.h"
#include "machine/source/lparcfg.h"

#define SPARE_FDS 32 /* for everything that is opened beside the kept files */

/* Kept open for a CPU; -1: not open. */
struct watch_files {
	int lppaca;
	int idle[IDLE_STATES_MAX];
};

void watch_init(struct watch *watch, struct root *root)
{
	struct rlimit limit;

	*watch = (struct watch) { .root = root, .stat_fd = -1 };
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
		watch->fds_left = limit.rlim_cur > 1U << 20 ? 1L << 20 : (long)limit.rlim_cur;
	watch->fds_left -= SPARE_FDS;
}

static void files_close(struct watch_files *files)
{
	cleanup_close(&files->lppaca);
	for (unsigned int i = 0; i < IDLE_STATES_MAX; i++)
		cleanup_close(&files->idle[i]);
}

void watch_done(struct watch *watch)
{
	for (unsigned int i = 0; i < watch->files_room; i++)
		files_close(&watch->files[i]);
	free(watch->files);
	free(watch->buf);
	cleanup_close(&watch->stat_fd);
	idle_states_done(&watch->idle);
	*watch = (struct watch) { .stat_fd = -1 };
}

static int files_reserve(struct watch *watch, unsigned int cpu)
{
	unsigned int room = watch->files_room ? watch->files_room : 64;
	struct watch_files *grown;

	if (cpu < watch->files_room)
		return 0;
	while (room <= cpu)
		room *= 2;
	grown = reallocarray(watch->files, room, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	memset(grown + watch->files_room, 0xff, (room - watch->files_room) * sizeof(*grown));
	watch->files = grown;
	watch->files_room = room;
	return 0;
}

/*
 * Reads a small file through a descriptor that is kept. A CPU that went and came has new files: a
 * descriptor that fails is opened anew. Without descriptors to spare the file is opened each time.
 */
__attribute__((format(printf, 5, 6))) static ssize_t read_kept(struct watch *watch, int *fd,
							       void *buf, size_t size,
							       const char *format, ...)
{
	char path[128];
	va_list args;
	ssize_t n;

	if (*fd >= 0) {
		n = pread(*fd, buf, size, 0);
		if (n >= 0)
			return n;
		close(*fd);
		*fd = -1;
		watch->fds_left++;
	}
	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	if (watch->fds_left <= 0)
		return root_read_into(watch->root, buf, size, "%s", path);
	*fd = root_open_fd(watch->root, "%s", path);
	if (*fd < 0) {
		n = *fd;
		*fd = -1;
		return n == -EMFILE ? root_read_into(watch->root, buf, size, "%s", path) : n;
	}
	watch->fds_left--;
	n = pread(*fd, buf, size, 0);
	return n < 0 ? -errno : n;
}

/* A counter that an instant does not hold: the first instant has it in the base, later ones lost
 * sight of it. */
static struct root *other_root(const struct watch *watch)
{
	return watch->is_first ? watch->base : NULL;
}

static int read_lppaca(struct watch *watch, unsigned int cpu, struct lppaca *ret)
{
	uint8_t buf[LPPACA_SIZE];
	ssize_t n;
	int r;

	if (!watch->base) {
		n = read_kept(watch, &watch->files[cpu].lppaca, buf, sizeof(buf), LPPACA_PATH, cpu);
		return n < 0 ? (int)n : lppaca_parse(buf, (size_t)n, ret);
	}
	r = lppaca_read(watch->root, cpu, ret);
	if (r == -ENOENT)
		r = other_root(watch) ? lppaca_read(watch->base, cpu, ret) : -ENODATA;
	return r;
}

static int read_kept_usage(struct watch *watch, unsigned int cpu, uint64_t *ret)
{
	uint64_t sum = 0, usage;
	char buf[32];

	for (unsigned int i = 0; i < watch->idle.count; i++) {
		ssize_t n;
		int r;

		if (watch->idle.state[i].polls)
			continue;
		n = read_kept(watch, &watch->files[cpu].idle[i], buf, sizeof(buf),
			      "sys/devices/system/cpu/cpu%u/cpuidle/state%u/usage", cpu, i);
		r = n < 0 ? (int)n : parse_u64((struct span) { buf, (size_t)n }, &usage);
		if (r < 0)
			return r;
		sum += usage;
	}
	*ret = sum;
	return 0;
}

static int read_idle(struct watch *watch, unsigned int cpu, uint64_t *ret)
{
	struct idle_use use;
	int r;

	if (!watch->base && !watch->idle.s390)
		return read_kept_usage(watch, cpu, ret);
	r = idle_entries_read(watch->root, &watch->idle, cpu, false, &use);
	if (r == -ENOENT && watch->base)
		r = other_root(watch)
			    ? idle_entries_read(watch->base, &watch->idle, cpu, false, &use)
			    : -ENODATA;
	if (r == 0)
		*ret = use.entries;
	return r;
}

/* The states of the first CPU that has some: names and their order are the same everywhere. */
static int find_idle_states(struct watch *watch, const struct reading *now)
{
	int r = -ENOENT;

	for (size_t i = 0; i < now->count && !watch->has_idle_states && i < 4; i++) {
		r = idle_states_read(watch->root, now->cpus[i].cpu, &watch->idle);
		if (r == -ENOENT && watch->base)
			r = idle_states_read(watch->base, now->cpus[i].cpu, &watch->idle);
		watch->has_idle_states = r == 0;
	}
	return watch->has_idle_states ? 0 : r;
}

/* Reads a whole file into the watch's buffer, which grows and stays. */
static ssize_t pread_all(struct watch *watch, int fd)
{
	size_t len = 0;
	ssize_t n;

	for (;;) {
		if (watch->buf_size - len < 4096) {
			size_t size = watch->buf_size ? watch->buf_size * 2 : 65536;
			char *grown = size > ROOT_FILE_MAX ? NULL : realloc(watch->buf, size);

			if (!grown)
				return -ENOMEM;
			watch->buf = grown;
			watch->buf_size = size;
		}
		n = pread(fd, watch->buf + len, watch->buf_size - len, (off_t)len);
		if (n < 0)
			return -errno;
		if (n == 0)
			return (ssize_t)len;
		len += (size_t)n;
	}
}

static int read_stat(struct watch *watch, struct cputimes *ret)
{
	ssize_t n;
	int r;

	if (watch->base) {
		r = cputimes_read(watch->root, ret);
		if (r == -ENOENT)
			r = other_root(watch) ? cputimes_read(watch->base, ret) : -ENODATA;
		return r;
	}
	if (watch->stat_fd < 0) {
		r = root_open_fd(watch->root, CPUTIME_PATH);
		if (r < 0)
			return r;
		watch->stat_fd = r;
	}
	n = pread_all(watch, watch->stat_fd);
	return n < 0 ? (int)n : cputimes_parse((struct span) { watch->buf, (size_t)n }, ret);
}

static int add_cpu(struct reading *now, unsigned int cpu, const struct cputime *time)
{
	if (now->count == now->room) {
		size_t room = now->room ? now->room * 2 : 64;
		struct reading_cpu *grown = reallocarray(now->cpus, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		now->cpus = grown;
		now->room = room;
	}
	now->cpus[now->count] = (struct reading_cpu) { .cpu = cpu };
	if (time)
		now->cpus[now->count].time = *time;
	now->count++;
	return 0;
}

static int read_online(struct watch *watch, struct idset *ret)
{
	_cleanup_free_ char *text = NULL;
	int r = root_read_string(watch->root, &text, "sys/devices/system/cpu/online");

	if (r == -ENOENT && watch->base)
		r = root_read_string(watch->base, &text, "sys/devices/system/cpu/online");
	return r < 0 ? r : idset_parse_list(text, ret);
}

/* /proc/stat has a line for each online CPU; without such lines sysfs tells which are online. */
static int list_cpus(struct watch *watch, struct reading *now)
{
	_cleanup_idset_ struct idset online = { 0 };
	int r = 0;

	now->count = 0;
	for (size_t i = 0; r == 0 && i < now->stat.count; i++) {
		const struct cputime_cpu *line = &now->stat.cpus[i];

		if (!now->count || now->cpus[now->count - 1].cpu < line->cpu)
			r = add_cpu(now, line->cpu, &line->time);
	}
	if (now->count || r < 0)
		return r;
	r = read_online(watch, &online);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	r = 0;
	idset_for_each (cpu, &online)
		if (r == 0)
			r = add_cpu(now, (unsigned int)cpu, NULL);
	return r;
}

static int read_lparcfg(struct watch *watch, struct root *root, struct reading *now)
{
	static const char *const keys[LPARCFG_COUNTERS] = {
		[LPARCFG_PURR] = "purr",
		[LPARCFG_TBR] = "tbr",
		[LPARCFG_POOL_IDLE] = "pool_idle_time",
		[LPARCFG_POOL_PROCS] = "pool_num_procs",
		[LPARCFG_ENTITLED] = "partition_entitled_capacity",
		[LPARCFG_ENTITLED_DESIRED] = "DesEntCap",
		[LPARCFG_DISPATCHES] = "dispatches",
		[LPARCFG_DISPERSIONS] = "dispatch_dispersions",
		[LPARCFG_VIRTUAL_PROCESSORS] = "partition_active_processors",
		[LPARCFG_POOL_IDLE_AT_BOOT] = "boot_pool_idle_time",
		[LPARCFG_POOL_CAPACITY] = "pool_capacity",
		[LPARCFG_SYSTEM_PROCS] = "system_active_processors",
		[LPARCFG_SHARED_PROCS] = "physical_procs_allocated_to_virtualization",
	};
	_cleanup_(lparcfg_cleanup) struct lparcfg lparcfg = { 0 };
	int r = lparcfg_read(root, &lparcfg);

	(void)watch;
	now->slow_machine = now->machine;
	if (r < 0)
		return r;
	now->slow_machine = identity_by_lparcfg(&lparcfg);
	if (!now->slow_machine)
		now->slow_machine = now->machine;
	for (unsigned int i = 0; i < LPARCFG_COUNTERS; i++)
		now->lparcfg_error[i] = -lparcfg_u64(&lparcfg, keys[i], &now->lparcfg[i]);
	return 0;
}

static int read_purr(struct watch *watch, struct root *root, struct reading *now)
{
	int error = 0;
	bool any = false;

	(void)watch;
	if (now->count > now->purr_room) {
		struct purr_cpu *grown = reallocarray(now->purr, now->count, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		now->purr = grown;
		now->purr_room = now->count;
	}
	for (now->purr_count = 0; now->purr_count < now->count; now->purr_count++) {
		struct purr_cpu *p = &now->purr[now->purr_count];

		*p = (struct purr_cpu) { .cpu = now->cpus[now->purr_count].cpu };
		for (unsigned int kind = 0; kind < PURR_KINDS; kind++) {
			p->error[kind] = -purr_read(root, p->cpu, (enum purr_kind)kind,
						    &p->ticks[kind]);
			any |= p->error[kind] == 0;
			error = p->error[kind] ? p->error[kind] : error;
		}
		if (!any)
			return error ? -error : -ENOENT; /* do not ask every CPU in vain */
	}
	return any ? 0 : -ENOENT;
}

static int read_interrupts(struct watch *watch, struct root *root, struct reading *now)
{
	(void)watch;
	return interrupts_read(root, &now->interrupts);
}

static bool same_core(unsigned int a, unsigned int b, void *arg)
{
	const struct core *core = topology_core_of(arg, (int)a);

	return core && idset_has(&core->threads, b);
}

static int read_schedstat(struct watch *watch, struct root *root, struct reading *now)
{
	bool known = watch->topology && watch->topology->core_count;

	return schedstat_read(root, known ? same_core : NULL, (void *)watch->topology,
			      &now->schedstat);
}

static int read_dispatch(struct watch *watch, struct root *root, struct reading *now)
{
	(void)watch;
	return dispatches_read(root, &now->dispatches);
}

static const struct {
	int (*read)(struct watch *watch, struct root *root, struct reading *now);
} slow_sources[SLOW_COUNT] = {
	[SLOW_LPARCFG] = { read_lparcfg },	 [SLOW_PURR] = { read_purr },
	[SLOW_INTERRUPTS] = { read_interrupts }, [SLOW_SCHEDSTAT] = { read_schedstat },
	[SLOW_DISPATCH] = { read_dispatch },
};

/* The running machine's clocks, as close together as can be. */
static struct instant read_clocks(const struct watch *watch)
{
	struct instant at = { .has_time = true };
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	at.time_ns = (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
	(void)watch;
#ifdef __powerpc64__
	if (root_is_live(watch->root)) {
		at.tb = __builtin_ppc_get_timebase();
		at.has_tb = true;
	}
#endif
	return at;
}

static void read_slow(struct watch *watch, bool slow, struct reading *now)
{
	for (unsigned int i = 0; i < SLOW_COUNT; i++) {
		int r;

		now->slow[i].taken = false;
		now->slow[i].error = 0;
		if (!slow)
			continue;
		now->slow[i].at = read_clocks(watch);
		r = slow_sources[i].read(watch, watch->root, now);
		if (r == -ENOENT && watch->base)
			r = other_root(watch) ? slow_sources[i].read(watch, watch->base, now)
					      : -ENODATA;
		now->slow[i].error = -r;
		now->slow[i].taken = r != -ENODATA;
	}
}

static int read_lppacas(struct watch *watch, struct reading *now)
{
	/* The first CPU without one means all without: debugfs is closed, or has none. */
	bool in_vain = !watch->wants_lppaca || (watch->lppaca_error && !watch->base);

	for (size_t i = 0; i < now->count; i++) {
		struct reading_cpu *c = &now->cpus[i];
		int r = files_reserve(watch, c->cpu);

		if (r < 0)
			return r;
		if (!in_vain)
			c->lppaca_error = -read_lppaca(watch, c->cpu, &c->lppaca);
		else
			c->lppaca_error = watch->wants_lppaca ? watch->lppaca_error : ENODATA;
		if (!watch->lppaca_seen && c->lppaca_error && !in_vain) {
			watch->lppaca_error = c->lppaca_error;
			in_vain = !watch->base && c->lppaca_error != EINVAL;
		}
		watch->lppaca_seen |= c->lppaca_error == 0;
		if (watch->lppaca_seen)
			watch->lppaca_error = 0;
	}
	return 0;
}

static void read_idles(struct watch *watch, struct reading *now)
{
	int error = watch->wants_idle ? -find_idle_states(watch, now) : ENODATA;

	for (size_t i = 0; i < now->count; i++)
		now->cpus[i].idle_error = error ? error
						: -read_idle(watch, now->cpus[i].cpu,
							     &now->cpus[i].idle_entries);
}

int watch_read(struct watch *watch, bool slow, struct reading *now)
{
	int r = read_stat(watch, &now->stat);

	now->stat_error = -r;
	if (r == -ENOMEM)
		return r;
	if (r < 0)
		now->stat.count = 0;
	r = list_cpus(watch, now);
	if (r < 0)
		return r;
	now->machine = watch->wants_lppaca ? identity_by_tree(watch->root) : 0;
	now->at = read_clocks(watch);
	r = read_lppacas(watch, now);
	if (r < 0)
		return r;
	read_idles(watch, now);
	read_slow(watch, slow, now);
	return 0;
}
