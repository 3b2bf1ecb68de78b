# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What every suite loads: the program under test, and assertions that show what they saw.
bats_require_minimum_version 1.5.0

: "${BUILD:=$BATS_TEST_DIRNAME/../build}"
: "${LPARTUNE:=$BUILD/lpartune}"
: "${SHARED:=$BATS_TEST_DIRNAME/../../shared}"
export LPARTUNE

fail() {
	printf '%s\n' "$*" >&2
	return 1
}

# expect_status N COMMAND...: runs it; shows all of it if the status differs. Sets $output, $stderr.
expect_status() {
	local wanted=$1
	shift
	run --separate-stderr "$@"
	[ "$status" -eq "$wanted" ] ||
		fail "status $status, not $wanted: $*" $'\n'"stdout: $output"$'\n'"stderr: ${stderr:-}"
}

# expect_json FILTER VALUE: jq on $output.
expect_json() {
	local got
	got=$(jq -c "$1" <<<"$output") || fail "no JSON: $output"
	[ "$got" = "$2" ] || fail "$1 is $got, not $2"
}

# expect_match PATTERN TEXT
expect_match() {
	grep -Eq -- "$1" <<<"$2" || fail "no '$1' in: $2"
}

# The leak check of a sanitized build cannot work under ptrace.
strace() {
	ASAN_OPTIONS=detect_leaks=0 command strace "$@"
}
