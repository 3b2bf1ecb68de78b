#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The command line: what every command owes, whatever it does.

load helpers

example=$BATS_TEST_DIRNAME/../examples/synthetic-power10-shared

setup() {
	work=$BATS_TEST_TMPDIR
}

commands() {
	"$LPARTUNE" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]\+\) .*/\1/p'
}

# Those that print at once and change nothing, each with all that it needs.
quick() {
	printf '%s\n' "inspect --root $example" "inspect --all --root $example" \
		"inspect --json --root $example" "recommend --root $example" \
		"recommend --json --root $example" "explain --root $example steal" \
		"explain --json --root $example" "sample --since-boot --root $example" \
		"sample --since-boot --json --root $example" \
		"sample --since-boot --csv --root $example" "bench --list" \
		"bench --dry-run" "verify --root $example" "revert --root $example" \
		"apply --dry-run --root $example nontask-capacity" \
		"--help" "--version" "inspect --help" "bench --usage"
}

# refused MESSAGE ARGUMENT...: a usage error that says so on stderr, and nothing else
refused() {
	local message=$1
	shift
	expect_status 2 "$LPARTUNE" "$@"
	[ -z "$output" ] || fail "stdout of '$*': $output"
	expect_match "$message" "$stderr"
	expect_match '^(lpartune|Usage:)' "$stderr"
}

@test "without a command it tells how to use it, on stderr, with 2" {
	refused 'Usage: lpartune'
}

@test "--help goes to stdout with 0, also that of each command" {
	expect_status 0 "$LPARTUNE" --help
	expect_match '^Usage: lpartune ' "$output"
	[ -z "$stderr" ]
	for command in $(commands); do
		for option in --help --usage; do
			expect_status 0 "$LPARTUNE" "$command" "$option"
			expect_match "^Usage: lpartune $command " "$output"
			[ -z "$stderr" ]
		done
	done
}

@test "help fits 80 columns" {
	wide=$("$LPARTUNE" --help | awk 'length > 80')
	[ -z "$wide" ] || fail "$wide"
	for command in $(commands); do
		wide=$("$LPARTUNE" "$command" --help | awk 'length > 80 || / $/')
		[ -z "$wide" ] || fail "$wide"
	done
	# a summary is one line
	[ "$("$LPARTUNE" --help | sed -n '/^Commands:/,/^$/p' | grep -cv '^  ')" -eq 2 ] ||
		fail 'a summary takes more than a line'
}

@test "--version tells the version, with and without a command" {
	expect_status 0 "$LPARTUNE" --version
	expect_match '^lpartune [0-9]+\.[0-9]+\.[0-9]+$' "$output"
	version=$output
	expect_status 0 "$LPARTUNE" inspect -V
	[ "$output" = "$version" ]
}

@test "an unknown command is refused, with the one that was meant" {
	refused "unknown command 'inspekt': did you mean 'inspect'\?" inspekt
	refused "unknown command 'rec': did you mean 'recommend'\?" rec
	refused "unknown command 'vrify': did you mean 'verify'\?" vrify
	refused "unknown command 'xyzzy'$" xyzzy
	refused "unknown command ''$" ''
	refused "unknown command '$(printf 'x%.0s' {1..200})'" "$(printf 'x%.0s' {1..200})"
}

@test "every command refuses an unknown option" {
	for command in $(commands); do
		refused "^lpartune $command: (unrecognized|invalid) option" "$command" --no-such-option
		refused "^lpartune $command: invalid option" "$command" -%
	done
}

@test "every option that takes a value refuses to be without one" {
	count=0
	for command in $(commands); do
		for option in $("$LPARTUNE" "$command" --help | sed -nE 's/^  (-., |    )(--[a-z-]+)=.*/\2/p'); do
			refused "option '$option' requires an argument" "$command" "$option"
			count=$((count + 1))
		done
	done
	[ "$count" -ge 20 ]
}

@test "every option that takes none refuses a value" {
	count=0
	for command in $(commands); do
		for option in $("$LPARTUNE" "$command" --help | sed -nE 's/^  (-., |    )(--[a-z-]+) .*/\2/p'); do
			refused "option '$option' doesn't allow an argument" "$command" "$option=1"
			count=$((count + 1))
		done
	done
	[ "$count" -ge 20 ]
}

@test "values that cannot be are refused" {
	refused "'0x'" sample 0x
	refused "'-1'" sample -- -1
	refused "'nan'" sample nan
	refused "'0'" sample 1 0
	refused "'1.5'" sample 1 1.5
	refused "unexpected argument '3'" sample 1 2 3
	refused "'x'" sample --top x
	refused "'x'" sample --slow-interval x
	refused "unexpected argument 'x'" inspect x
	refused "'y' is too many" explain steal y
	refused "no-such-thing" recommend --workload no-such-thing
	refused "no-such-id" recommend --only no-such-id
	refused "no-such-id" recommend --ignore no-such-id
	refused "no-such-bench" bench no-such-bench
	refused "--duration 'x'" bench --duration x
	refused "--duration '1h' is no time above 0 in ns, us, ms, s or m" bench --duration 1h
	refused "--pairs '-1'" bench --pairs=-1
	refused "'x'" bench --cells x
	refused "--primitive 'x'" bench --primitive x
	refused "--instants '1'" capture "$work/c" --instants 1
	refused "DIR" capture
	refused "--interval 'nan'" capture "$work/c" --interval nan
	for option in --dry-run --all --force --json --wait=1 sysctl:vm.swappiness; do
		refused "--repair goes with nothing but --root" revert --repair "$option"
	done
	expect_status 2 "$LPARTUNE" explain no-such-id
	[ -z "$output" ]
}

@test "a root that is not there, or is no directory, is an error that names it" {
	count=0
	: >"$work/file"
	for command in $(commands); do
		"$LPARTUNE" "$command" --help | grep -q -- --root= || continue
		arguments=()
		case $command in
		capture) arguments=("$work/capture") ;;
		sample) arguments=(--since-boot) ;;
		explain) arguments=(steal) ;;
		bench) arguments=(--dry-run) ;;
		apply) arguments=(--dry-run nontask-capacity) ;;
		esac
		for root in "$work/missing" "$work/file"; do
			expect_status 1 "$LPARTUNE" "$command" --root "$root" "${arguments[@]}"
			[ -z "$output" ] || fail "$command: $output"
			expect_match "^lpartune: .*'$root'.*: (No such file or|Not a) directory" "$stderr"
			count=$((count + 1))
		done
	done
	[ "$count" -ge 12 ]
}

@test "an empty root is a machine of which nothing is known" {
	mkdir "$work/empty"
	expect_status 0 "$LPARTUNE" inspect --json --root "$work/empty"
	expect_json '.facts["lpar.entitlement"] | .value, .reason' $'null\n"missing"'
	expect_json '[.facts[] | .value | select(. == 0)] | length' 0
}

@test "a full disk is an error for every command" {
	count=0
	while read -r arguments; do
		read -ra words <<<"$arguments"
		run bash -c '"$@" >/dev/full' - "$LPARTUNE" "${words[@]}"
		[ "$status" -eq 1 ] || fail "$arguments: status $status, not 1: $output"
		expect_match '^lpartune: cannot write to standard output: No space left on device$' "$output"
		count=$((count + 1))
	done < <(quick)
	[ "$count" -ge 12 ]
}

@test "a reader that goes away is no reason to speak" {
	while read -r arguments; do
		read -ra words <<<"$arguments"
		run bash -c '("$@" 2>&1 1>&3) 3> >(:)' - "$LPARTUNE" "${words[@]}"
		[ -z "$output" ] || fail "$arguments: $output"
	done < <(quick)
}

@test "text and JSON end with a line, and JSON is one document" {
	while read -r arguments; do
		read -ra words <<<"$arguments"
		"$LPARTUNE" "${words[@]}" >"$work/out"
		[ -s "$work/out" ] || fail "$arguments: no output"
		[ "$(tail -c 1 "$work/out" | od -An -tx1 | tr -d ' ')" = 0a ]
		[[ $arguments != *--json* ]] || [ "$(jq -s length "$work/out")" -eq 1 ]
	done < <(quick)
}

@test "documents begin with the same header" {
	while read -r arguments; do
		[[ $arguments == *--json* ]] || continue
		read -ra words <<<"$arguments"
		expect_status 0 "$LPARTUNE" "${words[@]}"
		expect_json '[to_entries[:6][].key]' \
			'["lpartune","command","format","time","boot_id","root"]'
		expect_json .command "\"${words[0]}\""
	done < <(quick)
}

@test "without a terminal there are no colours" {
	while read -r arguments; do
		read -ra words <<<"$arguments"
		! "$LPARTUNE" "${words[@]}" | grep -q $'\033' || fail "$arguments"
	done < <(quick)
}

@test "a name that is spelled nearly right is suggested, wherever one is named" {
	expect_status 2 "$LPARTUNE" explain swapiness
	expect_match "did you mean 'sysctl:vm.swappiness'" "$stderr"
	expect_status 2 "$LPARTUNE" apply --root / nontask-capacty
	expect_match "did you mean 'nontask-capacity'" "$stderr"
	expect_status 2 "$LPARTUNE" recommend --only smtt
	expect_match "did you mean 'smt'" "$stderr"
	expect_status 2 "$LPARTUNE" recommend --ignore thp:enabeld
	expect_match "did you mean 'thp:enabled'" "$stderr"
	expect_status 2 "$LPARTUNE" recommend --workload sap-hanna
	expect_match "did you mean 'sap-hana'" "$stderr"
	expect_status 2 "$LPARTUNE" apply --workload througput
	expect_match "did you mean 'throughput'" "$stderr"
	echo '{"settings":[{"tunable":"thp:enabld","to":"never"}]}' >"$BATS_TEST_TMPDIR/plan"
	expect_status 1 "$LPARTUNE" apply --plan "$BATS_TEST_TMPDIR/plan" --root "$BATS_TEST_TMPDIR"
	expect_match "did you mean 'thp:enabled'" "$stderr"
	expect_status 2 "$LPARTUNE" explain qqqqqqqqqq
	expect_match "lists everything" "$stderr"
}
