#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Every command's document has the shape that its schema tells, on every machine that is here.

load helpers

setup() {
	cd "$BATS_TEST_DIRNAME/.." || return 1
	# shellcheck disable=SC2206 # trees without blanks
	trees=(/ examples/* tests/fixtures/*/)
}

# fits SCHEMA ARGUMENT...: what the command prints is of that shape
fits() {
	local schema=schema/$1.json wrong
	shift
	wrong=$("$LPARTUNE" "$@" --json | "$BUILD/tool/schema_check" "$schema") ||
		fail "$* is not as in $schema: $wrong"
}

commands() {
	"$LPARTUNE" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]\+\) .*/\1/p'
}

@test "every command that prints JSON has a schema, and every schema a title" {
	for command in $(commands); do
		! "$LPARTUNE" "$command" --help | grep -q -- --json || [ -f "schema/$command.json" ] ||
			fail "no schema/$command.json"
	done
	for schema in schema/*.json; do
		grep -q '"title"' "$schema" || fail "$schema says not what it is"
	done
}

@test "inspect" {
	for tree in "${trees[@]}"; do
		fits inspect inspect --root "$tree"
		fits inspect inspect --all --root "$tree"
	done
	[ "${#trees[@]}" -ge 15 ]
}

@test "inspect, of nothing and of a denied machine" {
	mkdir "$BATS_TEST_TMPDIR/empty"
	fits inspect inspect --all --root "$BATS_TEST_TMPDIR/empty"
	"$LPARTUNE" inspect --json | jq '.facts["lpar.id"] = 1' >"$BATS_TEST_TMPDIR/wrong"
	run "$BUILD/tool/schema_check" schema/inspect.json <"$BATS_TEST_TMPDIR/wrong"
	[ "$status" -ne 0 ] || fail "a bare number passes for a fact"
}

@test "every fact of the table is in the schema, and no other" {
	diff <("$LPARTUNE" inspect --json | jq -r '.facts | keys[]') \
		<(jq -r '.properties.facts.properties | keys[]' schema/inspect.json)
	diff <(jq -r '.properties.facts.properties | keys[]' schema/inspect.json) \
		<(jq -r '.properties.facts.required | sort[]' schema/inspect.json)
}

@test "recommend" {
	for tree in "${trees[@]}"; do
		fits recommend recommend --root "$tree"
		fits recommend recommend --all --workload sap-hana --root "$tree"
	done
}

@test "sample since boot" {
	for tree in "${trees[@]}"; do
		fits sample sample --since-boot --per-cpu --per-core --per-node --root "$tree"
	done
}

@test "apply, verify and revert, with nothing done" {
	for tree in examples/* tests/fixtures/*/; do
		fits apply apply --dry-run --root "$tree"
		fits verify verify --root "$tree"
		fits revert revert --root "$tree"
	done
}

@test "explain: the list and an entry of each kind" {
	fits explain explain
	while read -r id; do
		fits explain explain "$id" --root examples/synthetic-power10-shared
	done < <("$LPARTUNE" explain --json | jq -r '.entries | group_by(.kind)[] | .[0].id')
}

@test "capture" {
	fits capture capture "$BATS_TEST_TMPDIR/live" --instants 2 --interval 0.05
	fits capture capture "$BATS_TEST_TMPDIR/tree" --root examples/synthetic-power10-shared
}

@test "bench, a dry run and the list" {
	fits bench bench --dry-run
	fits bench bench --list
}
