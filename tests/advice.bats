#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# recommend and explain: what they say of which machine, and what they never say.
# `run --separate-stderr` sets it, in helpers.
# shellcheck disable=SC2154
load helpers
load advice
load live

setup() {
	tree=$BATS_TEST_TMPDIR/tree
}

fits() { # SCHEMA: $output is such a document
	local wrong
	wrong=$("$BUILD/tool/schema_check" "$BATS_TEST_DIRNAME/../schema/$1.json" <<<"$output") ||
		fail "$wrong"
}

recommend() { # OPTION...: the document about $tree in $output
	expect_status 0 "$LPARTUNE" recommend --json --root "$tree" "$@"
	fits recommend
}

@test "a shared partition with steal: sizing first, then NONTASK_CAPACITY with its limits" {
	shared_lpar "$tree"
	recommend
	expect_json '[.recommendations[:2][].id]' '["over-provisioned-vps","nontask-capacity"]'
	expect_json '.recommendations[1] | [.evidence_class, .risk, .planned, .status]' \
		'["A","low",true,"change"]'
	expect_json '.recommendations[1].settings[0] | [.tunable, .now, .want, .set_by]' \
		'["feature:NONTASK_CAPACITY","on","off","kernel default"]'
	expect_match 'lost 1 to 3 %' "$(jq -r '.recommendations[1].caution' <<<"$output")"
	expect_status 0 "$LPARTUNE" recommend --root "$tree"
	expect_match '^WHAT +NOW +WANT +STATUS' "${lines[0]}"
	expect_match '^over-provisioned-vps ' "${lines[1]}"
	expect_match '^feature:NONTASK_CAPACITY +on +off +change +A +low' "${lines[2]}"
}

@test "no line of text is cut inside a word or wider than the terminal" {
	shared_lpar "$tree"
	expect_status 0 "$LPARTUNE" recommend --root "$tree" --all
	run awk 'length($0) > 80' <<<"$output"
	[ -z "$output" ] || fail "too wide: $output"
}

@test "a dedicated partition on kernel 5.3: update it" {
	dedicated_lpar "$tree" 5.3.0
	recommend
	expect_json '.recommendations[0] | [.id, .status, .evidence_class, .settings]' \
		'["dedicated-wakeup-defect","change","A",[]]'
	expect_match '5.3.0 is older' "$(jq -r '.recommendations[0].evidence' <<<"$output")"
	expect_status 3 "$LPARTUNE" recommend --check --root "$tree"
}

@test "a distribution's kernel: what cannot be known is said, and symbols decide" {
	dedicated_lpar "$tree" 5.3.18-57-default
	recommend
	expect_match 'whether SUSE has it is not known' \
		"$(jq -r '.recommendations[0].evidence' <<<"$output")"
	put "$tree/boot/System.map-5.3.18-57-default" "c000000000f00000 D system_state" \
		"c000000000f00100 d shared_processor"
	recommend
	expect_json '[.recommendations[].id | select(. == "dedicated-wakeup-defect")]' '[]'
	expect_status 0 "$LPARTUNE" explain dedicated-never-preempted --root "$tree" --json
	expect_json '[.sections[] | select(.name == "Here").text]' \
		'["yes (by symbol): its symbol is in the kernel'"'"'s symbols"]'
}

@test "what a new kernel mends takes effect with its boot" {
	shared_lpar "$tree" 6.1.50
	expect_status 0 "$LPARTUNE" explain steal-under-reported
	expect_match '^ *Takes effect +next-boot$' "$output"
	dedicated_lpar "$tree" 4.14.0-115.el7a.ppc64le
	expect_status 0 "$LPARTUNE" explain skips-preempted-cpus --root "$tree"
	expect_match 'whether RHEL 7 has it is' "$output"
}

@test "kernels whose scheduler asks for no preempted CPUs need no better answer" {
	local kernel
	for kernel in 2.6.32-754.el6.ppc64 3.10.0-1160.el7.ppc64le 4.4.0 4.17.0; do
		shared_lpar "$tree" "$kernel"
		power_cpuinfo "$tree" 8 POWER8 IBM,8286-42A
		recommend
		expect_json '[.recommendations[].id | select(startswith("kernel-"))]' '[]'
	done
	shared_lpar "$tree" 4.18.0-80.el8.ppc64le
	recommend
	expect_json '[.recommendations[].id | select(startswith("kernel-"))]' '["kernel-corewise-preemption"]'
	shared_lpar "$tree" 5.14.0
	power_cpuinfo "$tree" 8 POWER8 IBM,8286-42A
	recommend
	expect_json '[.recommendations[].id | select(startswith("kernel-"))]' \
		'["kernel-idle-aware-preemption"]'
}

@test "a healthy partition: nothing to change, exit 0" {
	dedicated_lpar "$tree" 6.12.0
	expect_status 0 "$LPARTUNE" recommend --check --root "$tree"
	[ "$output" = "Nothing to change." ] || fail "$output"
}

@test "an emulated guest gets no advice that presumes a hypervisor" {
	tcg_guest "$tree"
	for workload in none sap-hana db2 latency throughput; do
		recommend --workload $workload
		expect_json '.hypervisor' '"qemu-tcg"'
		expect_json '[.recommendations[].id | select(startswith("sap-hana") | not)]' '[]'
	done
}

@test "lockdown: locked, and the boot parameter in its place" {
	shared_lpar "$tree"
	rm "$tree/sys/kernel/debug/sched/features"
	put "$tree/sys/kernel/security/lockdown" "none [integrity] confidentiality"
	recommend
	expect_json '[.recommendations[] | select(.id == "nontask-capacity").settings[0] | .status, .now]' \
		'["locked",null]'
	expect_json '[.recommendations[] | select(.id == "no-steal-acc-under-lockdown").status]' \
		'["consider"]'
}

@test "harmful settings on shared processors are to be undone" {
	shared_lpar "$tree"
	put "$tree/proc/cmdline" "root=/dev/sda2 powersave=off smt-snooze-delay=0"
	recommend
	expect_json '.recommendations[] | select(.id == "never-cedes") | [.status, .planned, .settings[0].now, .settings[0].want]' \
		'["change",false,"off","absent"]'
	expect_json '[.recommendations[] | select(.id == "obsolete-smt-snooze-delay") | .status, .settings[0].now]' \
		'["consider","0"]'
}

@test "where sources disagree on the mode, CEDE stays on" {
	local state=sys/devices/system/cpu/cpu0/cpuidle/state
	dedicated_lpar "$tree" 6.12.0
	put "$tree/${state}0/name" snooze
	put "$tree/${state}1/name" CEDE
	put "$tree/${state}1/disable" 0
	recommend --workload latency
	expect_json '[.recommendations[].id]' '["dedicated-without-cede"]'
	put "$tree/${state}1/name" "Shared Cede"
	recommend --workload latency
	expect_json '[.recommendations[].id]' '[]'
}

@test "a workload's values, and somebody else who sets another: a conflict with its place" {
	shared_lpar "$tree"
	put "$tree/proc/sys/kernel/numa_balancing" 1
	recommend
	expect_json '[.recommendations[].id | select(startswith("sap-hana"))]' '[]'
	recommend --workload sap-hana
	expect_json '[.recommendations[] | select(.id == "sap-hana-numa-balancing") | .status, .evidence_class]' \
		'["change","V"]'
	put "$tree/etc/sysctl.d/90-numa.conf" "# site" "kernel.numa_balancing = 1"
	recommend --workload sap-hana
	expect_json '[.recommendations[] | select(.id == "sap-hana-numa-balancing").settings[0] | .status, .set_by]' \
		'["conflict","sysctl.d /etc/sysctl.d/90-numa.conf:2"]'
}

@test "vendors that disagree are shown, not flipped" {
	shared_lpar "$tree"
	put "$tree/etc/os-release" 'ID="rhel"' 'PRETTY_NAME="Red Hat Enterprise Linux 9.4 (Plow)"'
	put "$tree/sys/kernel/mm/transparent_hugepage/enabled" "[always] madvise never"
	recommend --workload sap-hana
	expect_json '[.recommendations[] | select(.id == "sap-hana-thp-on-rhel") | .settings]' '[[]]'
	expect_json '[.recommendations[].settings[].tunable | select(startswith("thp:"))]' '[]'
}

@test "a plan goes into a pipe too" {
	shared_lpar "$tree"
	run bash -c '"$LPARTUNE" recommend --root "$1" --plan /dev/fd/3 3>&1 >/dev/null | jq .settings' - "$tree"
	expect_json length 1
}

@test "a plan has the default plan, or what was named" {
	shared_lpar "$tree"
	put "$tree/proc/cmdline" "powersave=off"
	expect_status 0 "$LPARTUNE" recommend --root "$tree" --plan "$BATS_TEST_TMPDIR/plan"
	output=$(<"$BATS_TEST_TMPDIR/plan")
	fits plan
	expect_json '[.settings[] | [.tunable, .from, .to, .scope, .rule]]' \
		'[["feature:NONTASK_CAPACITY","on","off","now","nontask-capacity"]]'
	run script -qec "'$LPARTUNE' recommend --root '$tree' --plan '$BATS_TEST_TMPDIR/plan' >'$BATS_TEST_TMPDIR/out'" \
		/dev/null
	expect_match "1 setting in '.*plan'; not in it unless named \(--only\): never-cedes" "$output"
	expect_status 0 "$LPARTUNE" recommend --root "$tree" --only never-cedes --plan "$BATS_TEST_TMPDIR/plan"
	output=$(<"$BATS_TEST_TMPDIR/plan")
	expect_json '[.settings[] | [.tunable, .to, .scope]]' '[["cmdline:powersave","absent","next-boot"]]'
	expect_status 0 "$LPARTUNE" recommend --root "$tree" --ignore feature:NONTASK_CAPACITY \
		--plan "$BATS_TEST_TMPDIR/plan"
	output=$(<"$BATS_TEST_TMPDIR/plan")
	expect_json '.settings' '[]'
	expect_status 1 "$LPARTUNE" recommend --root "$tree" --plan "$BATS_TEST_TMPDIR/none/plan"
	expect_match "cannot write '.*none/plan': No such file" "$stderr"
}

@test "what has been applied and waits for a reboot is pending" {
	local rule=no-steal-acc-under-lockdown
	shared_lpar "$tree"
	put "$tree/sys/kernel/security/lockdown" "none [integrity] confidentiality"
	put "$tree/etc/os-release" "ID=debian" 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"'
	put "$tree/etc/default/grub" 'GRUB_CMDLINE_LINUX_DEFAULT="quiet"'
	mkdir -p "$tree/etc/default/grub.d"
	recommend --only $rule
	expect_json '.recommendations[0].status' '"consider"'
	expect_status 0 "$LPARTUNE" apply $rule --root "$tree"
	recommend --only $rule
	expect_json '.recommendations[0] | [.status, .settings[0].status, .settings[0].now]' \
		'["pending-reboot","pending-reboot","absent"]'
	recommend
	expect_json '.summary["pending-reboot"]' 1
}

@test "lpartune.conf: a workload and what to ignore, unless it is named" {
	shared_lpar "$tree"
	put "$tree/proc/sys/kernel/numa_balancing" 1
	put "$tree/etc/lpartune/lpartune.conf" "workload = sap-hana" "ignore = nontask-capacity"
	recommend
	expect_json '.workload' '"sap-hana"'
	expect_json '[.recommendations[].id | select(. == "nontask-capacity")]' '[]'
	expect_json '[.recommendations[].id | select(. == "sap-hana-numa-balancing")]' '["sap-hana-numa-balancing"]'
	recommend --only nontask-capacity
	expect_json '[.recommendations[].id]' '["nontask-capacity"]'
	put "$tree/etc/lpartune/lpartune.conf" "workload = oracle"
	recommend
	expect_json '.workload' '"none"'
	expect_match "warning: etc/lpartune/lpartune.conf: unknown workload 'oracle'" "$stderr"
}

@test "--only and --ignore show what they say" {
	shared_lpar "$tree"
	recommend --only nontask-capacity,never-cedes
	expect_json '[.recommendations[].id]' '["nontask-capacity"]'
	recommend --ignore over-provisioned-vps
	expect_json '.recommendations[0].id' '"nontask-capacity"'
}

@test "--all tells why the others say nothing, and popular advice as what it is" {
	shared_lpar "$tree"
	recommend --all
	expect_json '[.considered[] | select(.id == "dedicated-wakeup-defect").reason]' \
		'["needs: lpar.mode is dedicated or dedicated-donating"]'
	expect_json '[.popular[].id | select(. == "popular-weight")]' '["popular-weight"]'
	expect_json '[.recommendations[].evidence_class | select(. == "N")]' '[]'
}

@test "bad arguments are usage errors" {
	expect_status 2 "$LPARTUNE" recommend --workload oracle
	expect_match "unknown workload 'oracle'; lpartune explain lists them" "$stderr"
	expect_status 2 "$LPARTUNE" recommend --only nonsense
	expect_match "'nonsense' is neither a rule nor a tunable" "$stderr"
	expect_status 2 "$LPARTUNE" recommend extra
	expect_status 1 "$LPARTUNE" recommend --root "$BATS_TEST_TMPDIR/missing"
	expect_status 2 "$LPARTUNE" explain nonsense
	expect_status 2 "$LPARTUNE" explain stea
	expect_match "nothing is called 'stea'; there is: .*steal" "$stderr"
	expect_status 2 "$LPARTUNE" explain steal cede
}

@test "an empty tree: nothing is known, nothing is recommended" {
	mkdir -p "$tree"
	recommend --all
	expect_json '.recommendations' '[]'
	for command in recommend 'apply --dry-run'; do
		# shellcheck disable=SC2086 # a command and its option
		expect_status 0 "$LPARTUNE" $command --root "$tree"
		expect_match "nothing could be read: '.*' is no root of a machine's files" "$stderr"
	done
}

# Every tree that somebody captured: a valid document, and never two wishes for one tunable.
contradictions() {
	jq -c '[.recommendations[].settings[] | {tunable, want}] | unique | group_by(.tunable)
		| map(select(length > 1))' <<<"$output"
}

@test "all captures: a plan without a contradiction, for every workload" {
	[ -d "$SHARED/captures" ] || skip "no captures here"
	local archive root count=0
	for archive in "$SHARED"/captures/*/root.tar.gz; do
		root=$BATS_TEST_TMPDIR/$count
		mkdir "$root"
		tar -xzf "$archive" -C "$root"
		tree=$root
		[ -d "$root/root" ] && tree=$root/root
		for workload in none sap-hana db2 latency throughput; do
			recommend --workload $workload
			[ "$(contradictions)" = '[]' ] || fail "$archive: $(contradictions)"
		done
		rm -rf "$root"
		count=$((count + 1))
	done
	[ "$count" -gt 10 ] || fail "only $count captures"
}

@test "explain lists everything, and explains everything it lists" {
	shared_lpar "$tree"
	expect_status 0 "$LPARTUNE" explain --json
	fits explain
	local ids id
	ids=$(jq -r '.entries[].id' <<<"$output")
	[ "$(wc -l <<<"$ids")" -gt 200 ] || fail "$ids"
	while read -r id; do
		expect_status 0 "$LPARTUNE" explain "$id" --json --root "$tree"
		fits explain
		expect_json '.sections | length > 0' true
	done <<<"$ids"
	expect_status 0 "$LPARTUNE" explain
	expect_match '^Kernel behaviours$' "$output"
}

@test "explain tells how things stand here" {
	shared_lpar "$tree"
	expect_status 0 "$LPARTUNE" explain feature:NONTASK_CAPACITY --root "$tree"
	expect_match 'Here +on \(sys/kernel/debug/sched/features\)' "$output"
	expect_match 'nontask-capacity wants off' "$output"
	expect_status 0 "$LPARTUNE" explain sched:wakeup_granularity_ns --root "$tree"
	expect_match 'Here +obsolete: removed in 6.6' "$output"
	expect_status 0 "$LPARTUNE" explain lpar.entitlement --root "$tree"
	expect_match 'Here +2.00 cores \(proc/powerpc/lparcfg' "$output"
	expect_status 0 "$LPARTUNE" explain nontask-capacity --root "$tree"
	expect_match 'Here +holds: steal is 21.1 %' "$output"
	expect_match 'https://lore.kernel.org/' "$output"
}

@test "lpartune-rules(7) is made of the table of today" {
	run diff "$BATS_TEST_DIRNAME/../man/lpartune-rules.7" <("$BUILD/tool/rules_man")
	[ "$status" -eq 0 ] || fail "run 'make man': $output"
}

# nothing WORDS ID...: apply changes nothing, and says why.
nothing() {
	expect_status 0 "$LPARTUNE" apply --root "$tree" "${@:2}" --json
	expect_json .outcome '"nothing"'
	[[ $(jq -r '.notes[]' <<<"$output") == *"$1"* ]] || fail "not told: $1: $output"
}

@test "apply of a rule or a tunable that asks for nothing says why" {
	shared_lpar "$tree"
	mkdir -p "$tree/var/lib"
	nothing 'power10-wake-affine does not hold on this machine' power10-wake-affine
	nothing 'over-provisioned-vps: advice that no setting carries out' over-provisioned-vps
	nothing 'sap-hana-ksm: only for a machine of that kind: --workload sap-hana' sap-hana-ksm
	nothing 'sysctl:vm.swappiness: no rule that holds on this machine' sysctl:vm.swappiness
	expect_status 0 "$LPARTUNE" apply --root "$tree" nontask-capacity --json
	expect_json '[.outcome, .notes]' '["done",[]]'
	nothing 'nontask-capacity: it is so already' nontask-capacity
	nothing 'feature:NONTASK_CAPACITY: it is so already' feature:NONTASK_CAPACITY
	expect_status 0 "$LPARTUNE" apply --root "$tree" power10-wake-affine
	expect_match 'does not hold' "$output"
}

@test "bench: where nobody is known to count steal, 0 is unknown" {
	cd "$BATS_TEST_TMPDIR" || return
	tree=$PWD/emulated
	tcg_guest "$tree"
	live_prepare
	expect_status 0 live lpartune bench --json --rounds 1 --block 30ms --cells same --events none
	expect_json '[.results[0] | .steal_pct, .blocks[].environment.steal_pct] | unique' '[null]'
	expect_json '.counters | [.steal_pct, .absent.steal_pct]' '[null,"not-provided"]'
	tree=$PWD/shared # where steal was counted since boot
	shared_lpar "$tree"
	live_prepare
	expect_status 0 live lpartune bench --json --rounds 1 --block 30ms --cells same --events none
	expect_json '[.results[0].steal_pct, .results[0].blocks[0].environment.steal_source]' '[0,"proc-stat"]'
}
