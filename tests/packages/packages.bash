# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
# What the suites of the packages load: where the packages are, and a clean system to install in.
bats_require_minimum_version 1.5.0
top=${BATS_TEST_DIRNAME%/tests/packages}
: "${LPARTUNE:=$top/build/lpartune}"
: "${PACKAGES_WORK:=$top/build/check-packages}"
first=$PACKAGES_WORK/first
load ../helpers
load ../tree

version=$(sed -n 's/^VERSION := //p' "$top/Makefile")

# clean_system: the minimum of a Debian in $root, standing for a partition: its /proc and /sys are
# the files of a tree, so that nothing here can reach this machine's.
clean_system() {
	root=$BATS_FILE_TMPDIR/root
	rm -rf "$root"
	"$top/tests/packages/chroot" base "$root"
	# As if it ran systemd: a systemctl that tells what it was asked for.
	mkdir -p "$root/run/systemd/system"
	printf '#!/bin/sh\necho "$*" >>/systemctl.log\n' >"$root/usr/bin/systemctl"
	chmod +x "$root/usr/bin/systemctl"
	make_tree "$BATS_FILE_TMPDIR/tree"
	cp -R "$BATS_FILE_TMPDIR/tree/proc" "$BATS_FILE_TMPDIR/tree/sys" "$root/"
}

# inside COMMAND...: in that system, as root; as_user: as nobody.
inside() {
	chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C \
		"$@" </dev/null
}

as_user() {
	chroot --userspec=nobody:nogroup "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@" </dev/null
}

# apply_two: two values, as an administrator would give them.
apply_two() {
	machine >"$BATS_FILE_TMPDIR/machine"
	plan "$root/plan.json" feature:NONTASK_CAPACITY=off sysctl:kernel.numa_balancing=0
	run -0 inside lpartune apply --plan /plan.json
	grep -qw NO_NONTASK_CAPACITY "$root/sys/kernel/debug/sched/features"
	[ -e "$root/etc/sysctl.d/85-lpartune.conf" ]
}

# The files that stand for the machine, and those of its configuration.
machine() {
	(cd "$root" && find proc sys etc/sysctl.d etc/default boot -type f -print0 2>/dev/null | sort -z |
		xargs -0 sha256sum)
}

# The values that the system runs with, and what lpartune knows of them.
values() {
	(cd "$root" && find proc sys etc/sysctl.d var/lib/lpartune run/lpartune -type f -print0 |
		sort -z | xargs -0 sha256sum)
}

# Asked of systemd since the last time: nothing that starts, stops or enables a unit.
expect_left_alone() {
	! grep -Ev '^(--system )?daemon-reload$' "$root/systemctl.log" >&2 ||
		fail 'a unit was started, stopped or enabled'
	: >"$root/systemctl.log"
}
