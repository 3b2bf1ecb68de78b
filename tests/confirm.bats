#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# lpartune apply --confirm and confirm: a boot parameter on a tree, from before the boot to the verdict
# that verify shows; and values that take effect at once, tried first.
# shellcheck disable=SC2154,SC2016 # $tree, $output; jq has variables of its own
load helpers
load tree
load live

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	make_tree "$BATS_TEST_TMPDIR/tree"
	plan plan.json cmdline:no-steal-acc=present
	snapshot tree >before
}

# session FILE TIME BOOT [SCALE [SEED [BLOCKS]]]: a saved result.
session() {
	jq -n --arg time "$2" --arg boot "$3" --argjson scale "${4:-1}" --argjson seed "${5:-1}" \
		--argjson blocks "${6:-12}" '
		def noise($i): (($i * 7919 + $seed * 104729) * 31 % 1009) / 1009 - 0.5;
		def histogram($level): [[0.8, 100], [0.9, 300], [1, 500], [1.1, 300], [1.3, 80], [2, 16], [4, 4]]
			| map([(.[0] * $level | floor), .[1]]);
		def figures($level): histogram($level) as $h | {histogram: $h, count: ([$h[][1]] | add),
			min: $h[0][0], max: $h[-1][0], sum: ([$h[] | .[0] * .[1]] | add)};
		def block($i): (40000 * $scale * (1 + 0.02 * noise($i))) as $level
			| figures($level) + {response: figures($level * 1.5), start_ns: ($i * 1000000000),
				duration_ns: 400000000, planned: 1300, done: 1300, warmup: 0, unissued: 0,
				classes: null, environment: {steal_pct: 0, foreign_cpu_pct: 1}};
		{lpartune: "0.1.0", command: "bench", format: 1, time: $time,
		boot_id: $boot, root: "/", definition: 1, config: {block_ns: 400000000}, placement: {cpus: "0-1"},
		facts: {"kernel.release": {value: "6.1", unit: null, source: "x"}},
		results: [{name: "wake", cell: {distance: "core", idle_ns: 200000, load: 0, primitive: "futex"},
			error: null, planned_per_s: 3250, saturated: false, blocks: [range($blocks) | block(.)]}]}' >"$1"
}

# add FILE-ARGUMENTS...: a session is measured (elsewhere) and added. Sets $output.
add() {
	session s.json "$@"
	expect_status 0 "$LPARTUNE" confirm --root tree --session s.json --json
	"$BUILD/tool/schema_check" "$BATS_TEST_DIRNAME/../schema/confirm.json" <<<"$output"
}

reboot() { # with the parameter
	echo 5d2f9c1e-0000-4000-8000-000000000002 >tree/proc/sys/kernel/random/boot_id
	echo 'BOOT_IMAGE=/vmlinux root=UUID=x ro quiet no-steal-acc' >tree/proc/cmdline
}

apply_it() {
	expect_status 0 "$LPARTUNE" apply --root tree --plan plan.json --confirm --json
	expect_json '[.settings[].status]' '["pending-reboot"]'
}

@test "a boot parameter: apply --confirm, sessions before, boot, sessions after, verdict, verify" {
	apply_it
	add 2026-01-01T10:00:00Z one 1 1
	expect_json '[.side, .verdict, .reason, .warning]' \
		'["before","undecided","too few sessions","sequential: not protected from drift"]'
	add 2026-01-01T11:00:00Z one 1 2
	add 2026-01-01T12:00:00Z one 1 3
	expect_json '[.sessions.before, .sessions.after, .agreement.before, .agreement.after]' '[3,0,true,null]'
	reboot
	add 2026-01-02T10:00:00Z two 0.9 4
	expect_json '[.side, .verdict]' '["after","undecided"]'
	add 2026-01-02T11:00:00Z two 0.9 5
	add 2026-01-02T12:00:00Z two 0.9 6
	expect_json '[.verdict, .reason, .agreement.before, .agreement.after]' '["better",null,true,true]'
	expect_json '.comparison.results[0].effects[] | select(.metric == "wake" and .quantile == "50") | .verdict' '"better"'
	expect_status 0 "$LPARTUNE" verify --root tree --json
	expect_json '.settings[0].confirmed' \
		'"better (3 sessions before, 3 after; sequential: not protected from drift)"'
	"$BUILD/tool/schema_check" "$BATS_TEST_DIRNAME/../schema/verify.json" <<<"$output"
	expect_status 0 "$LPARTUNE" verify --root tree
	expect_match 'measured: better' "$output"
	# Taken back, nothing of it is left.
	"$LPARTUNE" revert --root tree --all >/dev/null
	echo 5d2f9c1e-0000-4000-8000-000000000001 >tree/proc/sys/kernel/random/boot_id
	echo 'BOOT_IMAGE=/vmlinux root=UUID=x ro quiet' >tree/proc/cmdline
	snapshot tree | diff before -
}

@test "a slower machine after the boot is worse, and --check says 3" {
	apply_it
	for h in 10 11 12; do add "2026-01-01T$h:00:00Z" one 1 "$h"; done
	reboot
	for h in 10 11; do add "2026-01-02T$h:00:00Z" two 1.2 "$h"; done
	session s.json 2026-01-02T12:00:00Z two 1.2 7
	expect_status 3 "$LPARTUNE" confirm --root tree --session s.json --check
	expect_match '^worse \(sequential: not protected from drift\)' "$output"
}

@test "sessions of a side that differ among themselves forbid a verdict" {
	apply_it
	add 2026-01-01T10:00:00Z one 1 1
	add 2026-01-01T11:00:00Z one 1.3 2
	add 2026-01-01T12:00:00Z one 1 3
	reboot
	for h in 10 11 12; do add "2026-01-02T$h:00:00Z" two 0.5 "$h"; done
	expect_json '[.verdict, .reason]' '["undecided","the sessions before differ among themselves"]'
}

@test "sessions soon after each other are one, and too short ones do not count" {
	apply_it
	for m in 00 03 06 09; do add "2026-01-01T10:$m:00Z" one 1 "$m"; done
	expect_json .sessions.before 1
	add 2026-01-01T10:30:00Z one 1 5
	expect_json .sessions.before 2
	for boot in null '""' 5; do # of no boot that is told
		session s.json 2026-01-01T10:32:00Z one
		jq ".boot_id = $boot" s.json >unknown.json
		expect_status 0 "$LPARTUNE" confirm --root tree --session unknown.json --json
		expect_json .sessions.before 2
	done
	add 2026-01-01T12:00:00Z one 1 5 9
	reboot
	for h in 10 11 12; do add "2026-01-02T$h:00:00Z" two 0.5 "$h"; done
	expect_json '[.verdict, .reason]' '["undecided","too few blocks in a session"]'
}

@test "what cannot be confirmed is told" {
	session s.json 2026-01-01T10:00:00Z one
	expect_status 1 "$LPARTUNE" confirm --root tree --session s.json
	expect_match 'nothing waits to be confirmed' "$stderr"
	apply_it
	expect_status 2 "$LPARTUNE" confirm --root tree
	expect_match 'needs --session' "$stderr"
	echo '{}' >empty.json
	for bad in empty.json missing.json plan.json; do
		expect_status 1 "$LPARTUNE" confirm --root tree --session "$bad"
	done
	add 2026-01-01T10:00:00Z one
	jq '.definition = 99' s.json >other.json
	expect_status 1 "$LPARTUNE" confirm --root tree --session other.json
	expect_match 'definition differs' "$stderr"
	expect_status 2 "$LPARTUNE" apply --confirm
	expect_match '--confirm needs' "$stderr"
	expect_status 2 "$LPARTUNE" apply --confirm --dry-run thp:enabled
}

@test "a session that cannot be compared, or is there already, is not kept" {
	apply_it
	add 2026-01-01T10:00:00Z one
	kept() { jq -c '[.sessions[].file]' tree/var/lib/lpartune/confirm.json; }
	refuse() { # PATTERN FILTER: of the next session
		session good.json 2026-01-01T11:00:00Z one
		jq "$2" good.json >s.json
		expect_status 1 "$LPARTUNE" confirm --root tree --session s.json
		expect_match "$1" "$stderr"
		[ "$(kept)" = '["session-1.json"]' ] || fail "kept: $(kept)"
		[ ! -e tree/var/lib/lpartune/session-2.json ] || fail "its file was kept"
	}
	refuse 'definition differs' '.definition = 99'
	refuse 'no result of lpartune bench' 'del(.results)'
	refuse 'no result of lpartune bench' '.results[0].blocks[0].count = -1'
	refuse 'is kept already' '.time = "2026-01-01T10:00:00Z"'
	# In vain nothing was: the next good one counts.
	add 2026-01-01T11:00:00Z one
	expect_json .sessions.before 2
}

@test "sessions are taken in the order of their time, not of their coming" {
	apply_it
	for h in 12 10 11; do add "2026-01-01T$h:00:00Z" one 1 "$h"; done
	expect_json .sessions.before 3
}

@test "records of confirm that are damaged are named, and there is a way out" {
	apply_it
	for h in 10 11 12; do add "2026-01-01T$h:00:00Z" one 1 "$h"; done
	echo garbage >tree/var/lib/lpartune/session-2.json
	add 2026-01-01T13:00:00Z one 1 4
	expect_match "'/var/lib/lpartune/session-2.json' is damaged or gone: it does not count" "$stderr"
	expect_json .sessions.before 3
	echo garbage >tree/var/lib/lpartune/confirm.json
	expect_status 1 "$LPARTUNE" confirm --root tree --session s.json
	expect_match "record 'confirm.json' .*is damaged.*revert --repair" "$stderr"
	expect_status 0 "$LPARTUNE" verify --root tree --json
	expect_match "record 'confirm.json' is damaged.*revert --repair" "$(jq -r '.notes[]' <<<"$output")"
	expect_json '.settings[0].confirmed' null
	expect_status 0 "$LPARTUNE" revert --root tree --repair
	[ -e tree/var/lib/lpartune/confirm.json.damaged ]
	expect_status 1 "$LPARTUNE" confirm --root tree --session s.json
	expect_match 'nothing waits to be confirmed' "$stderr"
	"$LPARTUNE" apply --root tree --plan plan.json --confirm >/dev/null
	add 2026-01-01T14:00:00Z one
}

@test "the same change asked for again keeps its sessions, another one begins anew" {
	apply_it
	add 2026-01-01T10:00:00Z one
	"$LPARTUNE" apply --root tree --plan plan.json --confirm >/dev/null
	add 2026-01-01T11:00:00Z one
	expect_json .sessions.before 2
	plan other.json cmdline:no-steal-acc=present cmdline:preempt=full
	"$LPARTUNE" apply --root tree --plan other.json --confirm >/dev/null
	add 2026-01-01T12:00:00Z one
	expect_json '[.sessions.before, (.changes | length)]' '[1,2]'
	run "$LPARTUNE" verify --root tree --json
	expect_json '[.settings[].confirmed | test("2 parameters at once")]' '[true,true]'
	# One of two in force: on neither side.
	reboot
	expect_status 1 "$LPARTUNE" confirm --root tree --session s.json
	expect_match 'on neither' "$stderr"
}

@test "when one of two parameters is taken back the other goes on, with the sessions before it" {
	plan both.json cmdline:no-steal-acc=present cmdline:preempt=full
	both() { echo "BOOT_IMAGE=/vmlinux root=UUID=x ro quiet no-steal-acc $1" >tree/proc/cmdline; }
	"$LPARTUNE" apply --root tree --plan both.json --confirm >/dev/null
	for h in 10 11; do add "2026-01-01T$h:00:00Z" one 1 "$h"; done
	reboot
	both preempt=full
	add 2026-01-02T10:00:00Z two
	expect_json '[.side, .sessions.before, .sessions.after]' '["after",2,1]'
	echo 'BOOT_IMAGE=/vmlinux root=UUID=x ro quiet' >tree/proc/cmdline
	add 2026-01-03T10:00:00Z three
	expect_status 0 "$LPARTUNE" revert --root tree cmdline:preempt
	[ ! -e tree/var/lib/lpartune/session-3.json ]
	both
	add 2026-01-04T10:00:00Z four 0.9 3
	expect_json '[.side, .sessions.before, .sessions.after, [.changes[].tunable]]' \
		'["after",3,1,["cmdline:no-steal-acc"]]'
	"$LPARTUNE" revert --root tree --all >/dev/null
	[ ! -e tree/var/lib/lpartune/confirm.json ]
	[ "$(find tree/var -name 'session-*')" = "" ]
}

@test "a change of a value goes from the value in force, and a third value is on neither side" {
	now() { echo "BOOT_IMAGE=/vmlinux root=UUID=x ro quiet preempt=$1" >tree/proc/cmdline; }
	plan full.json cmdline:preempt=full
	plan voluntary.json cmdline:preempt=voluntary
	"$LPARTUNE" apply --root tree --plan full.json >/dev/null
	reboot
	now full
	"$LPARTUNE" apply --root tree --plan voluntary.json --confirm >/dev/null
	add 2026-01-01T10:00:00Z two
	expect_json '[.side, (.changes[] | [.from, .to])]' '["before",["full","voluntary"]]'
	now voluntary
	"$LPARTUNE" apply --root tree --plan voluntary.json --confirm >/dev/null
	add 2026-01-02T10:00:00Z three
	expect_json '[.side, .sessions.before, .sessions.after]' '["after",1,1]'
	confirmed() { "$LPARTUNE" verify --root tree --json | jq -r '.settings[0].confirmed'; }
	expect_match '^undecided .1 session before, 1 after' "$(confirmed)"
	# Of another value it says nothing.
	"$LPARTUNE" apply --root tree --plan full.json >/dev/null
	[ "$(confirmed)" = null ] || fail "confirmed: $(confirmed)"
	"$LPARTUNE" apply --root tree --plan voluntary.json >/dev/null
	now none
	session s.json 2026-01-03T10:00:00Z four
	expect_status 1 "$LPARTUNE" confirm --root tree --session s.json
	expect_match 'on neither' "$stderr"
}

@test "a parameter that was there already is no change to confirm" {
	reboot
	sed -i 's/ro quiet/ro quiet no-steal-acc/' tree/boot/loader/entries/*.conf
	sed -i 's/quiet/quiet no-steal-acc/' tree/etc/default/grub
	expect_status 0 "$LPARTUNE" apply --root tree --plan plan.json --confirm
	session s.json 2026-01-01T10:00:00Z one
	expect_status 1 "$LPARTUNE" confirm --root tree --session s.json
	expect_match 'nothing waits to be confirmed' "$stderr"
}

@test "on the running machine a session is measured, and counts for the boot that runs" {
	apply_it
	live_prepare
	expect_status 0 live lpartune confirm --block 30ms --cells same/200us --events none --json
	expect_json '[.side, .sessions.before, .boot_id]' '["before",1,"5d2f9c1e-0000-4000-8000-000000000001"]'
	# Who may not keep it does not measure for minutes first.
	expect_status 1 live timeout 10 setpriv --reuid 65534 --clear-groups lpartune confirm
	expect_match 'run it as root' "$stderr"
	session tree/tmp/s.json 2026-01-01T10:00:00Z elsewhere
	expect_status 1 live lpartune confirm --session /tmp/s.json
	expect_match 'not measured in this boot' "$stderr"
}

@test "values that take effect at once are tried first, and verify shows what came of it" {
	[ "$(id -u)" -eq 0 ] || skip "only root may"
	put proc/sys/vm/stat_interval 1
	live_prepare
	plan tree/tmp/plan.json sysctl:vm.stat_interval=10 thp:enabled=never
	expect_status 0 live lpartune apply --plan /tmp/plan.json --confirm --json
	expect_json '.settings[0].status' '"changed"'
	expect_match '^tried first: .*trial of' "$(jq -r '.notes[]' <<<"$output")"
	expect_status 0 live lpartune verify --json
	expect_json '[.settings[].confirmed | test("trial of [0-9]+ rounds, 2 values at once")]' '[true,true]'
	expect_status 0 live lpartune apply --plan /tmp/plan.json
}
