#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The rights and the directions of HACKING.md, checked on the object files and the sources.

load helpers

setup() {
	cd "$BATS_TEST_DIRNAME/.." || return 1
	mapfile -t sources < <(find src -name '*.c' | sort)
}

# "OBJECT SYMBOL" for everything that an object file of ours takes from elsewhere. What the compiler
# puts in place of a function (__open64_2, __printf_chk) counts as that function.
setup_file() {
	export WANTS="$BATS_FILE_TMPDIR/wants"
	# by the sources: an older build may have left objects of files that moved
	(cd "$BATS_TEST_DIRNAME/../src" && find . -name "*.c" -printf "$BUILD/%P\n") |
		sed "s/c\$/o/" | xargs -d "\n" nm -A -u | sed -E "s!^$BUILD/([^:]*): *[Uwv] !\1 !; s/@.*//
			s/ __(isoc99_|isoc23_)?/ /; s/_chk\$//; s/_2\$//; s/64\$//" >"$WANTS"
}

# only HOLDERS SYMBOLS: no other object wants one of these (both are patterns), and some holder does.
only() {
	local all others
	all=$(grep -E " ($2)\$" "$WANTS") || fail "nobody wants $2: is this test blind?"
	others=$(grep -vE "^($1)\.o " <<<"$all") || return 0
	fail "beyond its right:"$'\n'"$others"
}

# nobody SYMBOLS
nobody() {
	local all
	all=$(<"$WANTS")
	grep -q ' free$' <<<"$all" || fail "nobody wants free: is this test blind?"
	all=$(grep -E " ($1)\$" <<<"$all") || return 0
	fail "not to be used:"$'\n'"$all"
}

@test "only the opener and the stores open files" {
	# change/boot/tool: /dev/null, for its children
	only 'machine/(root|resolve)|base/store(_tree)?|change/(write|boot/tool)' \
		'open|openat|openat2|creat|fopen|freopen|fopencookie|opendir|scandir|scandirat|glob|ftw|nftw|fts_open'
	# change/boot/snapshot: whether /usr is read-only
	only 'machine/(root|resolve)|base/store(_tree)?|change/(write|boot/snapshot)' \
		'stat|lstat|fstatat|statx|access|faccessat|readlink|readlinkat|realpath'
}

@test "only the stores and the writer change the file system" {
	# Records that are gone are removed and damaged ones set aside where they were opened.
	only 'base/store(_tree)?|change/(write|record/(recover|workspace))' \
		'mkdir|mkdirat|rename|renameat|renameat2|unlink|unlinkat|remove|rmdir|link|linkat|symlink|symlinkat|mknod|mknodat|truncate|ftruncate|chmod|fchmod|fchmodat|chown|lchown|fchown|fchownat|f?setxattr|f?removexattr|utimensat|futimens|mkstemp|mkostemp|mkdtemp|tmpfile'
}

@test "only output prints" {
	only 'output/[a-z_]*' \
		'stdout|stderr|printf|vprintf|puts|putchar|perror|dprintf|vdprintf|warnx?|errx?|error|psignal'
}

@test "only the writers write to files" {
	# the benchmarks wake by pipe and eventfd; a terminal is given back when a signal kills
	only 'base/store(_tree)?|change/write|bench/[a-z_/]*|output/sample_live' 'write|pwrite|writev|pwritev|sendfile|splice'
}

@test "nobody exits but main, by its return" {
	nobody 'exit|_Exit|quick_exit|abort'
	# in their children; main, at the exit that argp makes
	only 'bench/workload/team|change/boot/tool|main' _exit
}

@test "only bench has threads, affinity and perf events" {
	only 'bench/[a-z_/]*' \
		'pthread_create|thrd_create|sched_set[a-z]*|pthread_setaffinity_np|perf_.*|pfm_.*|numa_.*|mbind|set_mempolicy|setpriority'
}

@test "only benchmarks and the tools of boot loaders are processes" {
	only 'bench/workload/team|change/boot/tool' 'fork|vfork|clone|exec[a-z]*|posix_spawnp?'
}

@test "only base/privilege handles capabilities" {
	only 'base/privilege' 'cap_[a-z_]*'
}

@test "system calls without a wrapper are made where they belong" {
	only 'machine/resolve|change/write|bench/[a-z_/]*' 'syscall'
}

@test "nobody wants what is unsafe or runs a shell" {
	nobody 'system|popen|strn?cpy|strn?cat|stpcpy|v?sprintf|gets|ato(i|l|ll|f)|strtok|rand|srand|random|alloca|tmpnam|tempnam|mktemp|gmtime|localtime|ctime|asctime'
}

# includes ROOM ALLOWED: the rooms, or groups of a room, that its files include are these.
includes() {
	local all others
	all=$(grep -rnE '^#include "[a-z]+/' --include='*.[ch]' "src/$1") || fail "$1: is this test blind?"
	others=$(grep -vE "#include \"($2)/" <<<"$all") || return 0
	fail "$1 includes beyond $2:"$'\n'"$others"
}

@test "includes go down only" {
	includes base base
	includes machine 'machine|base'
	includes output 'output|machine|base'
	includes advice 'advice|machine|base'
	includes change 'change|machine|base'
	includes bench 'bench|machine|base'
	includes cmd 'cmd|advice|bench|change|output|machine|base'
	[ "$(find src -mindepth 1 -maxdepth 1 -type d | wc -l)" -eq 7 ]
}

@test "in the room of the machine: facts, samples and tunables rest on the sources alone" {
	local group
	for group in source fact sample tunable; do
		others=$(grep -rnE '^#include "machine/[a-z]+/' "src/machine/$group" |
			grep -vE "\"machine/(source|$group)/") || continue
		fail "machine/$group includes beyond source:"$'\n'"$others"
	done
	[ "$(find src/machine -mindepth 1 -type d | wc -l)" -eq 4 ]
}

@test "what is public is used by another file, or by a test" {
	local symbol count=0
	printf '%s\n' "${sources[@]}" | sed "s!^src/!$BUILD/!; s/c\$/o/" |
		xargs -d '\n' nm -u | sort -u >"$BATS_TEST_TMPDIR/wanted"
	# argp takes the program's version by its name
	while read -r symbol; do
		count=$((count + 1))
		grep -q " $symbol\$" "$BATS_TEST_TMPDIR/wanted" || grep -rqw -- "$symbol" tests/unit tests/fuzz ||
			fail "$symbol is used by its own file at most: make it static, or remove it"
	done < <(printf '%s\n' "${sources[@]}" | sed "s!^src/!$BUILD/!; s/c\$/o/" |
		xargs -d '\n' nm --defined-only -g | sed -n 's/^[0-9a-f]* [TDRB] //p' |
		grep -vxE 'main|argp_program_version|__.*') # __: a sanitizer's
	[ "$count" -gt 600 ] || fail "only $count symbols: is this test blind?"
}

@test "functions are short" {
	lengths=$(ctags -x --c-kinds=f --fields=+e --_xformat='%{end} %n %F:%n %N' "${sources[@]}" |
		awk '{ print $1 - $2 + 1, $3, $4 }' | sort -n)
	[ "$(wc -l <<<"$lengths")" -gt 500 ]
	long=$(awk '$1 > 60' <<<"$lengths")
	[ -z "$long" ] || fail "over 60 lines:"$'\n'"$long"
	read -r median p90 < <(awk '{ n[NR] = $1 }
		END { print n[int((NR + 1) / 2)], n[int(NR * 0.9 + 0.999)] }' <<<"$lengths")
	[ "$median" -le 15 ] && [ "$p90" -le 40 ] || fail "median $median, p90 $p90"
}

@test "files are short, but for tables" {
	long=$(wc -l "${sources[@]}" | awk '$2 != "total" && $1 > 600 { print $1, $2 }' |
		grep -vE ' src/advice/rules\.c$') || return 0
	fail "over 600 lines: $long"
}

@test "every file of ours says whose it is and what it is" {
	while read -r file; do
		head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' ||
			fail "$file has no SPDX line"
	done < <(find src tests make completions man -type f \( -name '*.[ch]' -o -name '*.ba[ts]*' \
		-o -name '*.mk' -o -path 'man/*' -o -path 'completions/*' \))
	for file in "${sources[@]}"; do
		head -n 10 "$file" | grep -q 'This file' || fail "$file does not say what it is"
	done
}
