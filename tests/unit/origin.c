/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who set a value and who wins at the next boot: sysctl.d precedence, parameters, other tuners. */
#include "machine/tunable/origin.h"

#include "machine/source/sysctl_conf.h"
#include "tree.h"
#include "unit.h"

static struct root *root;

static bool path_is(const char *key, const char *wanted)
{
	_cleanup_free_ char *path = sysctl_path(span_of(key));

	return wanted ? path && streq(path, wanted) : !path;
}

/* The winner's place and value, as "where=value". */
static bool winner_is(const char *id, const char *wanted)
{
	_cleanup_origin_claims_ struct origin_claims claims = { 0 };
	const struct origin_claim *winner;
	char got[256] = "";

	if (origin_find(root, tunable_find(id), &claims) < 0)
		return false;
	winner = origin_winner(&claims);
	if (winner)
		snprintf(got, sizeof(got), "%s=%s", winner->where,
			 winner->value ? winner->value : "?");
	if (streq(got, wanted))
		return true;
	printf("# %s: <%s>, not <%s>\n", id, got, wanted);
	return false;
}

static bool set_by(const char *id, const char *value, enum origin wanted)
{
	_cleanup_origin_claims_ struct origin_claims claims = { 0 };

	return origin_find(root, tunable_find(id), &claims) == 0 &&
	       origin_of(&claims, tunable_find(id), value, NULL) == wanted;
}

#define NUMA "sysctl:kernel.numa_balancing"
#define SWAP "sysctl:vm.swappiness"

static void test_sysctl_d(void)
{
	CHECK(winner_is(NUMA, ""));
	CHECK(set_by(NUMA, "1", ORIGIN_UNKNOWN));
	CHECK(set_by(SWAP, "60", ORIGIN_DEFAULT));
	tree_file("usr/lib/sysctl.d/50-default.conf", "# comment\n\nkernel.numa_balancing = 1\n");
	CHECK(winner_is(NUMA, "/usr/lib/sysctl.d/50-default.conf:3=1"));
	tree_file("etc/sysctl.d/99-z.conf", "kernel/numa_balancing=0\nkernel.numa_balancing=2\n");
	CHECK(winner_is(NUMA, "/etc/sysctl.d/99-z.conf:2=2"));
	/* the same name in a higher directory masks, whatever it says */
	tree_file("run/sysctl.d/50-default.conf", "");
	tree_file("etc/sysctl.d/50-default.conf", "vm.swappiness=10\n");
	CHECK(winner_is(SWAP, "/etc/sysctl.d/50-default.conf:1=10"));
	/* an explicit key beats a later pattern; "-key" exempts */
	tree_file("etc/sysctl.d/99-zz.conf", "vm.swap*=1\n");
	CHECK(winner_is(SWAP, "/etc/sysctl.d/50-default.conf:1=10"));
	tree_drop("etc/sysctl.d/50-default.conf");
	CHECK(winner_is(SWAP, "/etc/sysctl.d/99-zz.conf:1=1"));
	tree_file("etc/sysctl.d/98.conf", "-vm.swappiness\n");
	CHECK(winner_is(SWAP, ""));
	tree_file("etc/sysctl.d/98.conf", "-vm.swappiness = 7\n");
	CHECK(winner_is(SWAP, "/etc/sysctl.d/98.conf:1=7"));
	tree_file("etc/sysctl.d/notes.txt", "vm.swappiness = 8\n");
	CHECK(winner_is(SWAP, "/etc/sysctl.d/98.conf:1=7"));
}

/* systemd reads sysctl.conf only through 99-sysctl.conf; procps always, and last. */
static void test_sysctl_conf(void)
{
	tree_file("etc/sysctl.conf", "vm.swappiness = 5\n");
	CHECK(winner_is(SWAP, "/etc/sysctl.d/98.conf:1=7"));
	CHECK(set_by(SWAP, "5", ORIGIN_SYSCTL_CONF));
	tree_file("etc/sysctl.d/99-sysctl.conf", "vm.swappiness = 5\n");
	CHECK(winner_is(SWAP, "/etc/sysctl.d/99-sysctl.conf:1=5"));
}

static void test_tuned(void)
{
	tree_file("etc/tuned/active_profile", "sap-hana\n");
	tree_file("usr/lib/tuned/sap-hana/tuned.conf",
		  "[main]\ninclude=latency\n[sysctl]\nkernel.numa_balancing = 0\n");
	tree_file(
		"usr/lib/tuned/latency/tuned.conf",
		"[sysctl]\nkernel.sched_autogroup_enabled=0\n[vm]\ntransparent_hugepages=never\n");
	CHECK(winner_is("sysctl:kernel.sched_autogroup_enabled", ""));
	tree_file("etc/systemd/system/multi-user.target.wants/tuned.service", "");
	CHECK(winner_is("sysctl:kernel.sched_autogroup_enabled", "profile sap-hana=0"));
	CHECK(winner_is("thp:enabled", "profile sap-hana=never"));
	/* tuned applies /etc and /run once more on top of its profile */
	CHECK(winner_is(NUMA, "/etc/sysctl.d/99-z.conf:2=2"));
	tree_drop("etc/sysctl.d/99-z.conf");
	CHECK(winner_is(NUMA, "profile sap-hana=0"));
}

static void test_others(void)
{
	tree_file("proc/cmdline", "ro numa_balancing=disable transparent_hugepage=madvise\n");
	CHECK(set_by("thp:enabled", "madvise", ORIGIN_BOOT_PARAMETER));
	CHECK(set_by("cmdline:powersave", "off", ORIGIN_BOOT_PARAMETER));
	tree_file("run/saptune/parameter/vm.swappiness",
		  "{\"AllNotes\":[{\"NoteID\":\"start\",\"Value\":\"60\"},"
		  "{\"NoteID\":\"1\",\"Value\":\"3\"}]}");
	CHECK(winner_is(SWAP, "note 1=3"));
	tree_file("var/lib/powerpc-utils/smt.state", "SMT_VALUE=4\n");
	CHECK(winner_is("smt", ""));
	tree_file("etc/systemd/system/sysinit.target.wants/smtstate.service", "");
	CHECK(winner_is("smt", "smtstate.service (/var/lib/powerpc-utils/smt.state)=4"));
	CHECK(set_by("smt", "4", ORIGIN_SMTSTATE));
}

int main(void)
{
	CHECK(path_is("net.ipv4.conf.eth0/100.x", "net/ipv4/conf/eth0.100/x"));
	CHECK(path_is("net/ipv4/conf/eth0.100/x", "net/ipv4/conf/eth0.100/x"));
	CHECK(path_is("kernel..x", NULL) && path_is("../x", NULL) && path_is("", NULL));
	tree_new();
	root = tree_root();
	test_sysctl_d();
	test_sysctl_conf();
	test_tuned();
	test_others();
	root_close(root);
	return unit_done();
}
