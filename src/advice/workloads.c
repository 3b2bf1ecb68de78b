/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is the table of workloads that an administrator can name. */
#include "advice/rules.h"

const struct workload workloads[] = {
	{ .id = "sap-hana",
	  .title = "SAP HANA",
	  .about =
		  "Adds what SAP's notes and the distributions' profiles for HANA require (evidence "
		  "V), each with the document named." },
	{ .id = "db2", .title = "IBM Db2", .about = "Adds what IBM measured for Db2 on Power." },
	{ .id = "latency",
	  .title = "Latency first",
	  .about = "Adds what shortens wakeups at the price of power, of idle capacity or of other "
		   "partitions." },
	{ .id = "throughput",
	  .title = "Throughput first",
	  .about = "Adds what gives idle capacity back sooner at the price of wakeup latency." },
	{ .id = "none",
	  .title = "No particular workload",
	  .about = "The default: only advice that holds for every use of the partition." },
};
const size_t workloads_count = ARRAY_SIZE(workloads);

const struct workload *workload_find(const char *id)
{
	for (size_t i = 0; i < workloads_count; i++)
		if (streq(workloads[i].id, id))
			return &workloads[i];
	return NULL;
}
