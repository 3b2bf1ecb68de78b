#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A capture must answer as the machine did: the same facts, the same reasons, the same advice.

load helpers

setup() {
	examples=$BATS_TEST_DIRNAME/../examples
	fixtures=$BATS_TEST_DIRNAME/fixtures
}

teardown() {
	[ -z "${open:-}" ] || rm -rf "$open"
}

facts() { # DIR
	"$LPARTUNE" inspect --root "$1" --json | jq -S '.facts'
}

advice() { # DIR: for each workload
	local workload
	for workload in none latency throughput sap-hana db2; do
		"$LPARTUNE" recommend --all --workload "$workload" --root "$1" --json |
			jq -S 'del(.time, .root, .lpartune)'
	done
}

values() { # DIR: the present value of each tunable
	local tunable
	for tunable in $("$LPARTUNE" explain --json | jq -r '.entries[] | select(.kind == "tunable") | .id'); do
		"$LPARTUNE" explain "$tunable" --root "$1"
	done
}

@test "a capture of each synthetic machine gives the same facts and the same advice" {
	local machine n=0
	for machine in "$examples"/synthetic-* "$fixtures"/synthetic-*; do
		[ -d "$machine" ] || continue
		"$LPARTUNE" capture --keep-names --root "$machine" "$BATS_TEST_TMPDIR/$n" >/dev/null
		diff <(facts "$machine") <(facts "$BATS_TEST_TMPDIR/$n") ||
			fail "facts of $machine differ"
		diff <(advice "$machine") <(advice "$BATS_TEST_TMPDIR/$n") ||
			fail "advice for $machine differs"
		n=$((n + 1))
	done
	[ "$n" -ge 2 ]
}

@test "a capture has the value of each tunable, also of those that no rule wants changed today" {
	"$LPARTUNE" capture --keep-names --root "$examples/synthetic-power9-dedicated" \
		"$BATS_TEST_TMPDIR/capture" >/dev/null
	values "$examples/synthetic-power9-dedicated" >"$BATS_TEST_TMPDIR/live"
	[ "$(grep -c '^  Here' "$BATS_TEST_TMPDIR/live")" -ge 50 ]
	diff "$BATS_TEST_TMPDIR/live" <(values "$BATS_TEST_TMPDIR/capture")
}

@test "a capture of this machine gives the same facts but for what moves" {
	local moving='del(.uptime, ."cpu.busy", ."memory.total") |
		with_entries(select(.key | test("^(steal|interrupts|dispatch|log)\\.") | not))'
	"$LPARTUNE" capture --keep-names "$BATS_TEST_TMPDIR/live" >/dev/null
	diff <("$LPARTUNE" inspect --json | jq -S ".facts | $moving") \
		<("$LPARTUNE" inspect --json --root "$BATS_TEST_TMPDIR/live" | jq -S ".facts | $moving")
}

@test "what a user may not read is recorded, and gives the same reasons" {
	[ "$(id -u)" -eq 0 ] || skip "needs root, to become somebody else"
	# The folder of the run is for its owner alone: this one is for everybody.
	open=$(mktemp -d)
	local tree=$open/tree
	local as_nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	cp -r "$examples/synthetic-power10-shared" "$tree"
	cp "$LPARTUNE" "$open/lpartune"
	chmod 755 "$open"
	chmod 700 "$tree/sys/kernel/debug"
	chmod 600 "$tree/proc/powerpc/vcpudispatch_stats"
	mkdir -m 777 "$open/out"
	"${as_nobody[@]}" "$open/lpartune" capture --keep-names --root "$tree" "$open/out" >/dev/null
	diff <("${as_nobody[@]}" "$open/lpartune" inspect --json --root "$tree" | jq -S .facts) \
		<(facts "$open/out")
	[ "$(facts "$open/out" | jq -r '."sched.features".reason')" = denied ]
	# The file was seen, though not read: it proves shared processors.
	jq -e '.errors["proc/powerpc/vcpudispatch_stats"] == "EACCES"' "$open/out/manifest.json"
	[ "$(facts "$open/out" | jq '."lpar.shared".value')" = true ]
}

@test "names and serial numbers stay at home unless they are asked for" {
	local tree=$BATS_TEST_TMPDIR/tree
	cp -r "$examples/synthetic-power10-shared" "$tree"
	chmod -R u+w "$tree"
	sed -i 's/^serial_number=.*/serial_number=IBM,78ABCDE/; s/^partition_name=.*/partition_name=payroll9/' \
		"$tree/proc/powerpc/lparcfg"
	"$LPARTUNE" capture --root "$tree" "$BATS_TEST_TMPDIR/out" >/dev/null
	run grep -rE 'payroll9|78ABCDE' "$BATS_TEST_TMPDIR/out"
	[ "$status" -eq 1 ] || fail "$output"
	[ "$(facts "$BATS_TEST_TMPDIR/out" | jq -r '."lpar.name".value')" = lpar01 ]
	"$LPARTUNE" capture --keep-names --root "$tree" "$BATS_TEST_TMPDIR/kept" >/dev/null
	[ "$(facts "$BATS_TEST_TMPDIR/kept" | jq -r '."lpar.name".value')" = payroll9 ]
}

@test "of the kernel log only the lines that are looked at are kept" {
	local tree=$BATS_TEST_TMPDIR/tree
	cp -r "$examples/synthetic-power10-shared" "$tree"
	chmod -R u+w "$tree"
	printf '6,1,1,-;secret of somebody\n4,2,2,-;watchdog: BUG: soft lockup - CPU#1 stuck\n' \
		>>"$tree/dev/kmsg"
	"$LPARTUNE" capture --root "$tree" "$BATS_TEST_TMPDIR/out" >/dev/null
	run grep -r 'secret of somebody' "$BATS_TEST_TMPDIR/out"
	[ "$status" -eq 1 ]
	[ "$(facts "$BATS_TEST_TMPDIR/out" | jq '."log.soft_lockups".value')" -ge 1 ]
}

@test "instants can be replayed" {
	expect_status 0 "$LPARTUNE" capture -n 2 -i 0.2 "$BATS_TEST_TMPDIR/out"
	expect_status 0 "$LPARTUNE" sample --replay "$BATS_TEST_TMPDIR/out" --json
	[ "$(jq -s length <<<"$output")" -ge 1 ]
	jq -se '.[0].interval_ns > 150000000 and .[0].interval_ns < 5000000000' <<<"$output"
}

@test "a directory that is not empty is refused, and nothing in it is touched" {
	mkdir "$BATS_TEST_TMPDIR/full"
	echo mine >"$BATS_TEST_TMPDIR/full/file"
	expect_status 1 "$LPARTUNE" capture "$BATS_TEST_TMPDIR/full"
	expect_match "not empty" "$stderr"
	[ "$(ls "$BATS_TEST_TMPDIR/full")" = file ]
}

@test "a full disk is an error and leaves no manifest" {
	[ "$(id -u)" -eq 0 ] || skip "needs root, to mount a small file system"
	mkdir "$BATS_TEST_TMPDIR/small"
	mount -t tmpfs -o size=64k tmpfs "$BATS_TEST_TMPDIR/small" || skip "cannot mount here"
	expect_status 1 "$LPARTUNE" capture --root "$examples/synthetic-power10-shared" \
		"$BATS_TEST_TMPDIR/small/c"
	local said=$stderr
	run test -e "$BATS_TEST_TMPDIR/small/c/manifest.json"
	umount "$BATS_TEST_TMPDIR/small"
	[ "$status" -eq 1 ]
	expect_match "No space left" "$said"
}

@test "a tree cannot make capture write outside of its folder" {
	local tree=$BATS_TEST_TMPDIR/tree victim=$BATS_TEST_TMPDIR/victim
	cp -r "$examples/synthetic-power10-shared" "$tree"
	chmod -R u+w "$tree"
	echo ORIGINAL >"$victim"
	mkdir -p "$tree/boot/config-x" "$tree$BATS_TEST_TMPDIR"
	echo CONFIG_LPARCFG=y >"$tree$victim"
	printf 'x/../../../../../../../../../../..%s\n' "$victim" >"$tree/proc/sys/kernel/osrelease"
	"$LPARTUNE" capture --root "$tree" "$BATS_TEST_TMPDIR/out" >/dev/null || true
	[ "$(cat "$victim")" = ORIGINAL ]
}

@test "names of every level of z/VM stay at home" {
	local tree=$BATS_TEST_TMPDIR/tree
	cp -r "$fixtures/synthetic-s390x-shared" "$tree"
	chmod -R u+w "$tree"
	printf 'VM00 Name:            SECRET00\nVM01 Name:            SECRET01\n' >>"$tree/proc/sysinfo"
	"$LPARTUNE" capture --root "$tree" "$BATS_TEST_TMPDIR/out" >/dev/null
	run grep -r SECRET "$BATS_TEST_TMPDIR/out"
	[ "$status" -eq 1 ]
}
