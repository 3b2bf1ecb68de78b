#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What is applied at boot and when CPUs come online: what was approved and still suits the machine;
# and what the removal of the package leaves behind.
# shellcheck disable=SC2154 # run sets stderr
load helpers
load tree

setup() {
	work=$BATS_TEST_TMPDIR
	tree=$work/tree
}

# lpar: a shared partition on which the default plan has one setting.
lpar() {
	cp -a "$BATS_TEST_DIRNAME/fixtures/synthetic-power10-capped" "$tree"
	features=sys/kernel/debug/sched/features
	cp "$tree/$features" "$work/features"
}

reboot() {
	put proc/sys/kernel/random/boot_id 5d2f9c1e-0000-4000-8000-00000000000"${1:-2}"
	cp "$work/features" "$tree/$features"
}

dedicate() {
	sed -i 's/^shared_processor_mode=1/shared_processor_mode=0/' "$tree/proc/powerpc/lparcfg"
}

# The checksum of a record: FNV-1a, 64 bits, of its bytes.
fnv() {
	local hash=$((0xcbf29ce484222325)) byte
	for byte in $(od -An -v -tu1); do hash=$(((hash ^ byte) * 0x100000001b3)); done
	printf '%016x' "$hash"
}

state() { jq -c "$1" "$tree/var/lib/lpartune/state.json"; }

@test "the state remembers for which mode and workload it was approved" {
	lpar
	expect_status 0 "$LPARTUNE" apply --yes --workload throughput --root "$tree"
	[ "$(state '[.mode, .workload]')" = '["shared-capped","throughput"]' ] || fail "$(state .)"
	expect_status 0 "$LPARTUNE" recommend --workload none --plan "$work/plan.json" --root "$tree"
	jq '.settings = [{tunable: "feature:NEXT_BUDDY", to: "on"}]' "$work/plan.json" >"$work/two.json"
	expect_status 0 "$LPARTUNE" apply --plan "$work/two.json" --root "$tree"
	[ "$(state .workload)" = '"none"' ]
}

@test "listed: what was approved is applied again, what is new is only told" {
	lpar
	plan "$work/one.json" feature:NEXT_BUDDY=on
	expect_status 0 "$LPARTUNE" apply --plan "$work/one.json" --root "$tree"
	reboot
	expect_status 0 "$LPARTUNE" apply --boot --root "$tree" --json
	expect_json '[.settings[] | [.tunable, .status, .rule]] | sort' \
		'[["feature:NEXT_BUDDY","changed",null],["feature:NONTASK_CAPACITY","new","nontask-capacity"]]'
	grep -qw NONTASK_CAPACITY "$tree/$features"
	expect_status 0 "$LPARTUNE" verify --root "$tree" --json
	expect_json '.settings | length' 1
}

@test "listed, and nothing was approved: nothing is done and everything is told" {
	lpar
	snapshot "$tree" >"$work/before"
	expect_status 0 "$LPARTUNE" apply --boot --root "$tree" --json
	expect_json '[.outcome, .settings[0].status]' '["nothing","new"]'
	diff "$work/before" <(snapshot "$tree")
}

@test "auto: what is new is applied, at each boot anew, and no file is written" {
	lpar
	put etc/lpartune/lpartune.conf 'apply = auto'
	snapshot "$tree" >"$work/before"
	expect_status 0 "$LPARTUNE" apply --boot --root "$tree" --json
	expect_json '[.settings[] | [.tunable, .status]]' '[["feature:NONTASK_CAPACITY","changed"]]'
	[ "$(state '[.settings[].by_boot]')" = '[true]' ]
	[ "$(jq -c '.files' <<<"$output")" = '[]' ]
	expect_status 0 "$LPARTUNE" verify --root "$tree"
	reboot
	expect_status 0 "$LPARTUNE" apply --boot --root "$tree" --json
	expect_json '.settings[0].status' '"changed"'
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	grep -qw NONTASK_CAPACITY "$tree/$features"
	[ ! -e "$tree/var/lib/lpartune" ]
}

@test "auto: what lpartune.conf ignores is neither applied nor told" {
	lpar
	put etc/lpartune/lpartune.conf 'apply = auto' 'ignore = nontask-capacity'
	expect_status 0 "$LPARTUNE" apply --boot --root "$tree" --json
	expect_json '[.outcome, (.settings | length)]' '["nothing",0]'
}

@test "auto: a sysctl is set at each boot, and in our file once somebody applies it" {
	make_tree "$tree"
	plan "$work/one.json" sysctl:vm.swappiness=10
	expect_status 0 "$LPARTUNE" apply --plan "$work/one.json" --root "$tree"
	jq 'del(.checksum) | .settings[0].by_boot = true' "$tree/var/lib/lpartune/state.json" >"$work/s"
	jq -cjS . "$work/s" >"$work/plain"
	jq -c --arg sum "$(fnv <"$work/plain")" '.checksum = $sum' "$work/s" >"$tree/var/lib/lpartune/state.json"
	rm "$tree/etc/sysctl.d/85-lpartune.conf" "$tree/var/lib/lpartune/originals.json"
	expect_status 0 "$LPARTUNE" verify --root "$tree"
	expect_status 0 "$LPARTUNE" apply --plan "$work/one.json" --root "$tree"
	grep -q 'vm.swappiness = 10' "$tree/etc/sysctl.d/85-lpartune.conf"
	[ "$(state '[.settings[].by_boot]')" = '[null]' ]
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	[ ! -e "$tree/etc/sysctl.d/85-lpartune.conf" ]
}

@test "a changed mode is told, and what does not suit it is left out" {
	lpar
	plan "$work/one.json" feature:NEXT_BUDDY=on
	expect_status 0 "$LPARTUNE" apply --yes --root "$tree"
	expect_status 0 "$LPARTUNE" apply --plan "$work/one.json" --root "$tree"
	dedicate
	# nobody has rebooted: it is in force, and should not be
	expect_status 0 "$LPARTUNE" verify --root "$tree" --json
	expect_match 'in force, but its rule does not hold' "$(jq -r '.settings[0].detail' <<<"$output")"
	reboot
	expect_status 0 "$LPARTUNE" apply --boot --root "$tree" --json
	expect_json '[.settings[] | [.tunable, .status]] | sort' \
		'[["feature:NEXT_BUDDY","changed"],["feature:NONTASK_CAPACITY","not-applicable"]]'
	expect_match 'approved for lpar.mode shared-capped; it is dedicated' "$(jq -r '.notes[]' <<<"$output")"
	grep -qw NONTASK_CAPACITY "$tree/$features"
	expect_status 0 "$LPARTUNE" verify --root "$tree" --json
	expect_json '[.in_force, .skipped, .different]' '[1,1,0]'
	expect_match 'approved for lpar.mode' "$(jq -r '.notes[]' <<<"$output")"
	expect_status 3 "$LPARTUNE" verify --strict --root "$tree"
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
}

@test "stale records of another boot do not keep the machine from being tuned" {
	lpar
	expect_status 0 "$LPARTUNE" apply --yes --root "$tree"
	reboot
	expect_status 0 "$LPARTUNE" apply --boot --root "$tree" --json
	expect_json '[.outcome, .settings[0].status]' '["done","changed"]'
	reboot 3
	expect_status 0 "$LPARTUNE" apply --boot --root "$tree" --json
	expect_json '.settings[0].status' '"changed"'
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	cmp "$work/features" "$tree/$features"
}

@test "CPUs that come online get what is per CPU; nothing else is touched" {
	make_tree "$tree"
	mv "$tree/sys/devices/system/cpu/cpu3/cpuidle" "$work/idle"
	plan "$work/one.json" cpuidle:CEDE=off thp:enabled=never smt=2 sched:base_slice_ns=3000000
	expect_status 0 "$LPARTUNE" apply --plan "$work/one.json" --root "$tree"
	# the administrator raises SMT and changes a value by hand; the kernel computes the slice anew
	put sys/devices/system/cpu/smt/control 4
	mv "$work/idle" "$tree/sys/devices/system/cpu/cpu3/cpuidle"
	echo '[always] madvise never' >"$tree/sys/kernel/mm/transparent_hugepage/enabled"
	put sys/kernel/debug/sched/base_slice_ns 2800000
	expect_status 3 "$LPARTUNE" verify --root "$tree" --json
	expect_json '[.settings[] | [.tunable, .status]] | sort' \
		'[["cpuidle:CEDE","pending-online"],["sched:base_slice_ns","drift"],["smt","drift"],["thp:enabled","drift"]]'
	expect_status 0 "$LPARTUNE" apply --online --wait 1 --root "$tree" --json
	expect_json '[.settings[] | [.tunable, .status]] | sort' \
		'[["cpuidle:CEDE","changed"],["sched:base_slice_ns","changed"]]'
	[ "$(cat "$tree/sys/devices/system/cpu/cpu3/cpuidle/state1/disable")" = 1 ]
	[ "$(cat "$tree/sys/devices/system/cpu/smt/control")" = 4 ]
	grep -Fq '[always]' "$tree/sys/kernel/mm/transparent_hugepage/enabled"
	expect_status 2 "$LPARTUNE" apply --online --boot --root "$tree"
	expect_status 0 "$LPARTUNE" revert --all --force --root "$tree"
	[ "$(cat "$tree/sys/devices/system/cpu/cpu3/cpuidle/state1/disable")" = 0 ]
	[ "$(cat "$tree/sys/kernel/debug/sched/base_slice_ns")" = 2800000 ]
}

@test "removal takes everything back" {
	make_tree "$tree"
	snapshot "$tree" >"$work/before"
	all_kinds "$work/plan.json"
	expect_status 0 "$LPARTUNE" apply --plan "$work/plan.json" --root "$tree"
	expect_status 0 "$LPARTUNE" revert --removal --root "$tree"
	diff "$work/before" <(snapshot "$tree")
	expect_status 0 "$LPARTUNE" revert --removal --root "$tree"
	[ -z "$stderr" ] || fail "$stderr"
}

@test "removal says loudly which boot parameters and files stay, and how to take them out" {
	make_tree "$tree"
	plan "$work/plan.json" cmdline:no-steal-acc=present sysctl:vm.swappiness=10 thp:enabled=never
	expect_status 0 "$LPARTUNE" apply --plan "$work/plan.json" --root "$tree"
	echo '# mine' >>"$tree/etc/sysctl.d/85-lpartune.conf"
	echo '[always] madvise never' >"$tree/sys/kernel/mm/transparent_hugepage/enabled"
	expect_status 3 "$LPARTUNE" revert --removal --root "$tree"
	expect_match "85-lpartune.conf' was edited" "$output"
	expect_match 'thp:enabled +always +madvise +drift' "$output"
	expect_match "lpartune revert --all' after installing it again" "$stderr"
	rm -r "${tree:?}/var"
	make_tree "$tree"
	expect_status 0 "$LPARTUNE" apply --plan "$work/plan.json" --root "$tree"
	echo damaged >"$tree/var/lib/lpartune/state.json"
	expect_status 1 "$LPARTUNE" revert --removal --root "$tree"
	expect_match 'NOT taken back' "$stderr"
	expect_match 'no-steal-acc' "$(cat "$tree/boot/loader/entries/m-6.12.9.conf")"
}

@test "kernel lockdown: recommend and apply call a feature locked, although it can be read" {
	lpar
	put sys/kernel/security/lockdown 'none [integrity] confidentiality'
	expect_status 0 "$LPARTUNE" recommend --root "$tree" --json
	expect_json '[.recommendations[] | select(.id == "nontask-capacity") | .status] | unique' '["locked"]'
	expect_status 1 "$LPARTUNE" apply --root "$tree" nontask-capacity --json
	grep -qw NONTASK_CAPACITY "$tree/$features"
}

@test "what cannot be used in lpartune.conf is told, also at boot" {
	lpar
	put etc/lpartune/lpartune.conf 'aply = auto'
	expect_status 0 "$LPARTUNE" apply --boot --root "$tree" --json
	expect_match "cannot use 'aply = auto'; did you mean 'apply'" "$(jq -r '.notes[]' <<<"$output")"
	put etc/lpartune/lpartune.conf 'ignore = nontask-capacty'
	expect_status 0 "$LPARTUNE" apply --dry-run --root "$tree"
	expect_match "did you mean 'nontask-capacity'" "$stderr"
}
