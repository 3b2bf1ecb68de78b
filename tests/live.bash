# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Runs lpartune as on a running machine whose root is a tree: in a mount namespace of its own, with
# the programs of this machine and, in front of them, stand-ins from $tree/stand-ins.

live_prepare() {
	local dir
	mkdir -p "$tree"/{usr,dev,tmp,proc,run,boot,etc,var/lib,stand-ins}
	for dir in bin sbin lib lib32 lib64 libx32; do
		[ ! -e "/$dir" ] || [ -e "$tree/$dir" ] || ln -s "usr/$dir" "$tree/$dir"
	done
	cp "$LPARTUNE" "$tree/stand-ins/lpartune"
	# A sanitized program takes its options from here, and without a real /proc cannot look for leaks.
	mkdir -p "$tree/proc/self"
	printf 'ASAN_OPTIONS=detect_leaks=0\0' >"$tree/proc/self/environ"
}

# live COMMAND...: in the tree. Stand-ins are found in /usr/local/sbin; over.NAME covers
# /usr/sbin/NAME; with usr-is-read-only there /usr is so.
live() {
	# shellcheck disable=SC2016
	unshare -m bash -c '
		tree=$1; shift
		mount --bind /usr "$tree/usr" && mount --bind /dev "$tree/dev" || exit 99
		mount --bind "$tree/stand-ins" "$tree/usr/local/sbin" || exit 99
		for over in "$tree"/stand-ins/over.*; do
			[ -e "$over" ] || continue
			mount --bind "$over" "$tree/usr/sbin/${over##*/over.}" || exit 99
		done
		[ ! -e "$tree/stand-ins/usr-is-read-only" ] || mount -o remount,bind,ro "$tree/usr" || exit 99
		exec chroot "$tree" /usr/bin/env PATH=/usr/local/sbin:/usr/sbin:/usr/bin "$@"
	' live "$tree" "$@"
}

# stand_in NAME: a program from stdin.
stand_in() {
	cat >"$tree/stand-ins/$1"
	chmod +x "$tree/stand-ins/$1"
}

# What must be the same before and after: not the programs, nor our own log of changes.
live_snapshot() {
	(
		cd "$tree" || exit 1
		find boot etc proc sys -printf '%p %y %m %U:%G %n %l\n' 2>/dev/null | sort
		find boot etc proc sys -type f -print0 2>/dev/null | sort -z | xargs -0 sha256sum
	)
}
