/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads CPUs, cores and nodes from sysfs and copes with sets that change meanwhile. */
#include "machine/source/topology.h"

#include <errno.h>
#include <time.h>

#include "machine/source/nodes.h"

#define CPU_DIR "sys/devices/system/cpu"
#define LIST_SIZE 32768 /* a list of 2048 alternating ids has about 10 kB */
#define TRIES 4

static int read_list(struct root *root, struct idset *ret, const char *path)
{
	_cleanup_free_ char *text = NULL;
	int r = root_read_string(root, &text, "%s", path);

	return r < 0 ? r : idset_parse_list(text, ret);
}

/* Ids of the cpuN directories: kernels before 2.6.29 and pruned trees have no lists. */
static int list_cpu_dirs(struct root *root, struct idset *ret)
{
	_cleanup_names_ struct names names = { 0 };
	_cleanup_idset_ struct idset set = { 0 };
	int r = root_list(root, &names, CPU_DIR);

	for (size_t i = 0; r >= 0 && i < names.count; i++) {
		uint64_t id;

		if (starts_with(names.name[i], "cpu") &&
		    parse_u64(span_of(names.name[i] + 3), &id) == 0 && id < IDSET_MAX)
			r = idset_add(&set, (unsigned int)id);
	}
	if (r < 0)
		return r;
	if (!idset_count(&set))
		return -ENOENT;
	idset_done(ret);
	*ret = set;
	set = (struct idset) { 0 };
	return 0;
}

/* A CPU without an `online` file cannot be taken offline: it is online. */
static bool cpu_is_online(struct root *root, int cpu)
{
	char c;

	return root_read_into(root, &c, 1, CPU_DIR "/cpu%d/online", cpu) != 1 || c != '0';
}

static int online_by_cpu(struct root *root, const struct idset *cpus, struct idset *ret)
{
	int r = 0;

	idset_for_each (cpu, cpus)
		if (r >= 0 && cpu_is_online(root, cpu))
			r = idset_add(ret, (unsigned int)cpu);
	return r;
}

struct processors {
	struct idset set;
	int error;
};

static int add_processor(struct span line, void *arg)
{
	struct processors *found = arg;
	struct span key, value;
	uint64_t id;

	if (span_split(line, ':', &key, &value) && span_is(key, "processor") &&
	    parse_u64(value, &id) == 0 && id < IDSET_MAX)
		return idset_add(&found->set, (unsigned int)id);
	/* s390x: "processor 0: version = …" */
	if (span_starts(line, "processor ") && memchr(line.text, '=', line.len) &&
	    parse_u64((struct span) { key.text + 10, key.len - 10 }, &id) == 0 && id < IDSET_MAX)
		return idset_add(&found->set, (unsigned int)id);
	return 0;
}

/* A bare /proc/cpuinfo lists the online CPUs. */
static int online_by_cpuinfo(struct root *root, struct idset *ret)
{
	_cleanup_idset_ struct idset set = { 0 };
	struct processors found = { 0 };
	int r = root_each_line(root, add_processor, &found, "proc/cpuinfo");

	set = found.set;
	if (r < 0)
		return r;
	if (!idset_count(&set))
		return -ENOENT;
	*ret = set;
	set = (struct idset) { 0 };
	return 0;
}

/* The online CPUs where there is no list of them: cpuinfo names just these; else each CPU's file. */
static int find_online(struct root *root, struct topology *t, const struct idset *dirs)
{
	int r;

	t->online_source = "proc/cpuinfo";
	r = online_by_cpuinfo(root, &t->online);
	if (r != -ENOENT || !idset_count(dirs))
		return r;
	t->online_source = CPU_DIR "/cpu*/online";
	return online_by_cpu(root, dirs, &t->online);
}

/* A pruned tree can lack directories of CPUs that are online: then nobody tells who is present. */
static void present_by_dirs(struct topology *t, struct idset *dirs)
{
	if (!idset_count(dirs) || idset_count_common(&t->online, dirs) < idset_count(&t->online)) {
		t->present_error = ENOENT;
		return;
	}
	t->present = *dirs;
	*dirs = (struct idset) { 0 };
	t->present_error = 0;
}

static void read_sets(struct root *root, struct topology *t)
{
	_cleanup_idset_ struct idset dirs = { 0 };
	int r = read_list(root, &t->present, CPU_DIR "/present");

	if (r >= 0 && !idset_count(&t->present))
		r = -EINVAL;
	t->present_error = r < 0 ? -r : 0;
	(void)read_list(root, &t->possible, CPU_DIR "/possible");
	t->online_source = CPU_DIR "/online";
	r = read_list(root, &t->online, CPU_DIR "/online");
	if (t->present_error || r < 0 || !idset_count(&t->online))
		(void)list_cpu_dirs(root, &dirs);
	if (r < 0 || !idset_count(&t->online))
		r = find_online(root, t, &dirs);
	t->online_error = r < 0 ? -r : 0;
	if (t->present_error)
		present_by_dirs(t, &dirs);
}

/* The siblings of a CPU by any of the names that kernels have used. */
static int read_siblings(struct root *root, int cpu, struct idset *ret)
{
	static const struct {
		const char *name;
		bool is_mask;
	} files[] = {
		{ "thread_siblings_list", false },
		{ "core_cpus_list", false },
		{ "thread_siblings", true },
		{ "core_cpus", true },
	};
	_cleanup_free_ char *text = malloc(LIST_SIZE);
	ssize_t n = -ENOENT;

	if (!text)
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_SIZE(files) && n == -ENOENT; i++) {
		n = root_read_into(root, text, LIST_SIZE - 1, CPU_DIR "/cpu%d/topology/%s", cpu,
				   files[i].name);
		if (n < 0)
			continue;
		text[n] = '\0';
		return files[i].is_mask ? idset_parse_mask(text, ret) : idset_parse_list(text, ret);
	}
	return (int)n;
}

static int read_package(struct root *root, int cpu)
{
	char text[24];
	int64_t id;
	ssize_t n = root_read_into(root, text, sizeof(text),
				   CPU_DIR "/cpu%d/topology/physical_package_id", cpu);

	if (n <= 0 || parse_i64((struct span) { text, (size_t)n }, &id) < 0 || id < 0 ||
	    id > INT32_MAX)
		return -1;
	return (int)id;
}

static void cores_done(struct topology *t)
{
	for (unsigned int i = 0; i < t->core_count; i++)
		idset_done(&t->cores[i].threads);
	free(t->cores);
	t->cores = NULL;
	t->core_count = 0;
}

/* Takes over `threads`. */
static int add_core(struct topology *t, struct idset *threads, int package)
{
	struct core *cores = t->cores;

	if ((t->core_count & (t->core_count - 1)) == 0) {
		unsigned int room = t->core_count ? t->core_count * 2 : 16;

		cores = reallocarray(t->cores, room, sizeof(*cores));
		if (!cores)
			return -ENOMEM;
		t->cores = cores;
	}
	cores[t->core_count++] = (struct core) {
		.threads = *threads,
		.first = idset_next(threads, 0),
		.package = package,
		.node = -1,
	};
	*threads = (struct idset) { 0 };
	return 0;
}

/* A set of siblings is sound if it has the CPU itself, only online CPUs, and none of another core. */
static bool siblings_are_sound(const struct idset *siblings, int cpu, const struct idset *left)
{
	return idset_has(siblings, (unsigned int)cpu) &&
	       idset_count_common(siblings, left) == idset_count(siblings);
}

static int intersect(const struct idset *a, const struct idset *b, struct idset *ret)
{
	int r = 0;

	idset_for_each (id, a)
		if (r >= 0 && idset_has(b, (unsigned int)id))
			r = idset_add(ret, (unsigned int)id);
	return r;
}

/* The core of the lowest CPU that is left; takes its threads off `left`. -EAGAIN if torn. */
static int read_core(struct root *root, struct topology *t, int cpu, struct idset *left)
{
	_cleanup_idset_ struct idset siblings = { 0 }, threads = { 0 };
	int r = read_siblings(root, cpu, &siblings);

	if (r < 0)
		return r;
	/* Some kernels keep offline threads in the set. */
	r = intersect(&siblings, &t->online, &threads);
	if (r < 0)
		return r;
	if (!siblings_are_sound(&threads, cpu, left))
		return -EAGAIN;
	idset_for_each (id, &threads)
		idset_del(left, (unsigned int)id);
	return add_core(t, &threads, read_package(root, cpu));
}

static int copy_set(const struct idset *from, struct idset *ret)
{
	return intersect(from, from, ret);
}

static int read_cores(struct root *root, struct topology *t)
{
	_cleanup_idset_ struct idset left = { 0 };
	int cpu, r = copy_set(&t->online, &left);

	while (r >= 0 && (cpu = idset_next(&left, 0)) >= 0)
		r = read_core(root, t, cpu, &left);
	return r;
}

/* On Power the threads of a core have consecutive numbers from a multiple of their count. */
static int derive_cores(struct topology *t, unsigned int threads_per_core)
{
	int r = 0;

	cores_done(t);
	for (int cpu = idset_next(&t->online, 0); r >= 0 && cpu >= 0;) {
		_cleanup_idset_ struct idset threads = { 0 };
		unsigned int end = ((unsigned int)cpu / threads_per_core + 1) * threads_per_core;

		for (; r >= 0 && cpu >= 0 && (unsigned int)cpu < end;
		     cpu = idset_next(&t->online, (unsigned int)cpu + 1))
			r = idset_add(&threads, (unsigned int)cpu);
		if (r >= 0)
			r = add_core(t, &threads, -1);
	}
	t->cores_are_derived = true;
	return r;
}

static unsigned int widest_core(const struct topology *t)
{
	unsigned int widest = 0;

	for (unsigned int i = 0; i < t->core_count; i++) {
		unsigned int n = idset_count(&t->cores[i].threads);

		widest = n > widest ? n : widest;
	}
	return widest;
}

static void assign_nodes(struct topology *t)
{
	for (unsigned int i = 0; i < t->core_count; i++)
		t->cores[i].node = topology_node_of(t, t->cores[i].first);
}

/* One attempt. -EAGAIN if CPUs came or went in its course. */
static int read_once(struct root *root, struct topology *t)
{
	_cleanup_idset_ struct idset after = { 0 };
	int r;

	read_sets(root, t);
	if (t->online_error)
		return t->online_error == ENOMEM ? -ENOMEM : 0;
	r = read_cores(root, t);
	if (r == -ENOMEM)
		return r;
	if (read_list(root, &after, CPU_DIR "/online") == 0 && !idset_equal(&after, &t->online))
		return -EAGAIN;
	if (r == -EAGAIN)
		return r;
	t->core_error = r < 0 ? -r : 0;
	return 0;
}

static void pause_for_hotplug(void)
{
	nanosleep(&(struct timespec) { .tv_nsec = 20 * 1000 * 1000 }, NULL);
}

int topology_read(struct root *root, unsigned int threads_per_core, struct topology *ret)
{
	_cleanup_(topology_cleanup) struct topology t = { 0 };
	int r = -EAGAIN;

	for (int i = 0; i < TRIES && r == -EAGAIN; i++) {
		if (i > 0 && root_is_live(root))
			pause_for_hotplug();
		topology_done(&t);
		r = read_once(root, &t);
	}
	if (r == -EAGAIN) {
		t.is_changing = true;
		t.core_error = EAGAIN;
	} else if (r < 0) {
		return r;
	}
	if (t.core_error && t.core_error != EAGAIN && threads_per_core && !t.online_error) {
		r = derive_cores(&t, threads_per_core);
		if (r < 0)
			return r;
		t.core_error = 0;
	}
	if (t.core_error)
		cores_done(&t);
	t.threads_per_core = threads_per_core ? threads_per_core : widest_core(&t);
	r = nodes_read(root, &t);
	if (r < 0)
		return r;
	assign_nodes(&t);
	*ret = t;
	t = (struct topology) { 0 };
	return 0;
}

void topology_done(struct topology *t)
{
	idset_done(&t->present);
	idset_done(&t->possible);
	idset_done(&t->online);
	cores_done(t);
	nodes_done(t);
	*t = (struct topology) { 0 };
}

const struct core *topology_core_of(const struct topology *t, int cpu)
{
	for (unsigned int i = 0; i < t->core_count; i++)
		if (cpu >= 0 && idset_has(&t->cores[i].threads, (unsigned int)cpu))
			return &t->cores[i];
	return NULL;
}

int topology_node_of(const struct topology *t, int cpu)
{
	for (unsigned int i = 0; i < t->node_count; i++)
		if (cpu >= 0 && idset_has(&t->nodes[i].cpus, (unsigned int)cpu))
			return t->nodes[i].id;
	return -1;
}

static bool is_level(struct root *root, int cpu, unsigned int index, unsigned int level)
{
	char text[8];
	uint64_t is;
	ssize_t n = root_read_into(root, text, sizeof(text), CPU_DIR "/cpu%d/cache/index%u/level",
				   cpu, index);

	return n > 0 && parse_u64((struct span) { text, (size_t)n }, &is) == 0 && is == level;
}

int topology_cache_siblings(struct root *root, int cpu, unsigned int level, struct idset *ret)
{
	for (unsigned int index = 0; index < 8; index++) {
		_cleanup_free_ char *text = NULL;
		int r;

		if (!is_level(root, cpu, index, level))
			continue;
		r = root_read_string(root, &text, CPU_DIR "/cpu%d/cache/index%u/shared_cpu_list",
				     cpu, index);
		if (r >= 0)
			return idset_parse_list(text, ret);
		r = root_read_string(root, &text, CPU_DIR "/cpu%d/cache/index%u/shared_cpu_map",
				     cpu, index);
		return r < 0 ? r : idset_parse_mask(text, ret);
	}
	return -ENOENT;
}
