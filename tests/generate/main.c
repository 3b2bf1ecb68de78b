// SPDX-License-Identifier: GPL-2.0-or-later
/* This file writes a synthetic machine into a directory: generate DIR key=value... */
#include <err.h>

#include "writers.h"

int main(int argc, char **argv)
{
	struct options options;
	struct machine machine;
	struct tree tree;

	if (argc < 2)
		errx(2, "usage: generate DIR [key=value]...");
	options_read(&options, argv + 2);
	machine_init(&machine, &options);
	tree_open(&tree, argv[1], options.is_denied);
	write_cpus(&tree, &machine);
	write_nodes(&tree, &machine);
	write_device_tree(&tree, &machine);
	write_cpuinfo(&tree, &machine);
	write_lparcfg(&tree, &machine);
	write_lppacas(&tree, &machine);
	write_dispatch_stats(&tree, &machine);
	write_stat(&tree, &machine);
	write_schedstat(&tree, &machine);
	write_interrupts(&tree, &machine);
	write_system(&tree, &machine);
	write_scheduler(&tree, &machine);
	write_log(&tree, &machine);
	tree_close(&tree);
	machine_done(&machine);
	return 0;
}
