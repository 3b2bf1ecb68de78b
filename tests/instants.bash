# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# shellcheck disable=SC2154 # output, of `run`
# Captures of a few files for `sample --replay`: a tree, and instants whose counters move as told.

# new_capture DIR: an LPAR with one timebase, no counters yet.
new_capture() {
	capture=$1
	mkdir -p "$capture/root/proc/powerpc" "$capture/root/sys/devices/system/cpu" "$capture/instants"
	printf '{"lpartune": "0.1.0", "instants": []}\n' >"$capture/manifest.json"
	printf 'processor\t: 0\ncpu\t\t: POWER10\n\ntimebase\t: 512000000\nplatform\t: pSeries\nmodel\t\t: IBM,9080-HEX\nmachine\t\t: CHRP IBM,9080-HEX\n' \
		>"$capture/root/proc/cpuinfo"
	instants=0
}

# instant [TIME_NS]: begins the next one; $here is its tree.
instant() {
	here=$capture/instants/$(printf %03d "$instants")
	instants=$((instants + 1))
	mkdir -p "$here/proc/powerpc"
	jq --argjson entry "{${1:+\"time_ns\": $1}}" '.instants += [$entry]' "$capture/manifest.json" \
		>"$capture/manifest.new"
	mv "$capture/manifest.new" "$capture/manifest.json"
}

# put PATH: the file of this instant comes from standard input.
put() {
	mkdir -p "$here/$(dirname "$1")"
	cat >"$here/$1"
}

# lparcfg KEY=VALUE...: of this instant.
lparcfg() {
	{
		echo "lparcfg 1.9"
		printf '%s\n' "$@"
	} | put proc/powerpc/lparcfg
}

# stat LINE...: /proc/stat of this instant.
stat_lines() {
	printf '%s\n' "$@" | put proc/stat
}

be() { # BYTES NUMBER: big-endian
	local hex i
	hex=$(printf "%0$(($1 * 2))x" "$2")
	for ((i = 0; i < ${#hex}; i += 2)); do printf '%b' "\\x${hex:i:2}"; done
}

zeros() {
	head -c "$1" /dev/zero
}

# lppaca CPU YIELDS DISPERSIONS DISPATCH_WAIT ENTITLEMENT_WAIT [IDLE]: of this instant.
lppaca() {
	{
		be 4 0xd397d781
		be 2 0x400
		be 4 2 # the shared bit
		zeros $((0xfe - 0x0a))
		be 1 "${6:-0}"
		be 1 0
		be 4 "$2"
		be 4 "$3"
		zeros $((0x158 - 0x108))
		be 8 "$4"
		be 8 "$5"
		zeros $((640 - 0x168))
	} | put "sys/kernel/debug/powerpc/vpa/cpu-$1"
}

# replay OPTION...: runs it; $output is the JSON lines.
replay() {
	expect_status 0 "$LPARTUNE" sample --replay "$capture" --json "$@"
}

# expect_number NAME VALUE [TOLERANCE] [FILTER]: a number of the (first) row's system.
expect_number() {
	local got
	got=$(jq -s "${4:-.[0].system}.$1" <<<"$output")
	awk -v got="$got" -v want="$2" -v tolerance="${3:-0.005}" 'BEGIN {
		off = got - want
		exit !(got != "null" && off <= tolerance && -off <= tolerance)
	}' || fail "$1 is $got, not $2: $output"
}

# expect_absent NAME REASON [FILTER]: null, and why.
expect_absent() {
	local got
	got=$(jq -sc "${3:-.[0]} | [(.system // .).$1, .absent.$1]" <<<"$output")
	[ "$got" = "[null,\"$2\"]" ] || fail "$1 is $got, not absent as $2: $output"
}
