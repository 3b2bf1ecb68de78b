#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What every reading command says of every synthetic machine, as text and as JSON, is what it said
# before: tests/golden/MACHINE.COMMAND.{txt,json}. UPDATE=1 writes them anew; read the difference.

load helpers

commands=(inspect recommend)

setup() {
	cd "$BATS_TEST_DIRNAME/.." || return 1
}

# is_there COMMAND: does this build have it?
is_there() {
	"$LPARTUNE" --help | grep -Eq "^  +$1 "
}

# The document without what differs from run to run.
# (A replayed machine is in a directory of the test's own.)
document() {
	jq -S 'del(.lpartune, .time) | if .root | startswith("/tmp") then del(.root) else . end'
}

# words MACHINE: what it is made of.
words() {
	sed -n "s,^[^ ]*/$1 ,,p" tests/fixtures/machines
}

# replay_of MACHINE: a capture of it at three instants ten seconds apart, in $capture.
replay_of() {
	local words n start=864000
	capture=$BATS_TEST_TMPDIR/$1
	read -ra words < <(words "$1")
	mkdir -p "$capture/instants"
	for n in 0 1 2; do
		"$BUILD/generate" "$capture/instants/00$n" "${words[@]}" denied=no \
			uptime=$((start + n * 10))
	done
	cp -a "$capture/instants/000" "$capture/root"
	jq -n '{lpartune: "0.1.0", instants: [range(3) | {time_ns: (1000000000000 + . * 10000000000)}]}' \
		>"$capture/manifest.json"
}

# check FILE: standard input is the file's content, or becomes it.
check() {
	if [ -n "${UPDATE:-}" ]; then
		cat >"tests/golden/$1"
	else
		diff -u "tests/golden/$1" - >&2
	fi
}

@test "every machine reads as it did" {
	failed=0 count=0
	for tree in examples/* tests/fixtures/*/; do
		tree=${tree%/}
		for command in "${commands[@]}"; do
			is_there "$command" || continue
			name=${tree##*/}.$command
			"$LPARTUNE" "$command" --root "$tree" | check "$name.txt" || failed=1
			"$LPARTUNE" "$command" --json --root "$tree" | document |
				check "$name.json" || failed=1
			count=$((count + 1))
		done
	done
	[ "$count" -ge 15 ]
	[ "$failed" -eq 0 ] || fail "differs: look, and if it is right run UPDATE=1 bats tests/golden.bats"
}

@test "every machine samples as it did, and as it is made" {
	failed=0 count=0
	for tree in examples/* tests/fixtures/*/; do
		machine=$(basename "$tree")
		replay_of "$machine"
		"$LPARTUNE" sample --replay "$capture" | check "$machine.sample.txt" || failed=1
		"$LPARTUNE" sample --replay "$capture" --json >"$capture/sample.json"
		document <"$capture/sample.json" | check "$machine.sample.json" || failed=1
		# its rates never change: every interval is like all the time since boot
		jq -se --argjson boot "$("$LPARTUNE" inspect --json --root "$capture")" '
			($boot.facts."steal.since_boot".value) as $steal
			| length == 2 and all(.[]; .system.steal_pct as $now
				| if $steal == null then ($now // 0) == 0
				  else ($now - $steal | fabs) < 0.3 end)' \
			"$capture/sample.json" >/dev/null || {
			echo "$machine: steal differs from that since boot" >&2
			failed=1
		}
		count=$((count + 1))
	done
	[ "$count" -ge 15 ]
	[ "$failed" -eq 0 ] || fail "differs: look, and if it is right run UPDATE=1 bats tests/golden.bats"
}

@test "no golden file is left of a machine or command that is gone" {
	for golden in tests/golden/*; do
		name=${golden##*/}
		machine=${name%%.*}
		command=$(cut -d. -f2 <<<"$name")
		[ -d "examples/$machine" ] || [ -d "tests/fixtures/$machine" ] || fail "$golden: no machine"
		[[ " ${commands[*]} sample " == *" $command "* ]] || fail "$golden: no command"
		is_there "$command" || fail "$golden: this build has no $command"
	done
}

@test "the golden documents hold no nan, no infinity, and no zero for unknown" {
	for golden in tests/golden/*.inspect.json; do
		run jq -r '.facts | to_entries[]
			| select((.value.value == null) != (.value | has("reason")))
			| .key' "$golden"
		[ "$status" -eq 0 ] && [ -z "$output" ] || fail "$golden: $output"
		run grep -Ein '\b-?(nan|inf(inity)?)\b' "$golden"
		[ "$status" -eq 1 ] || fail "$golden: $output"
	done
}
