#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A revert that cannot bring back everything: it does what it can, tells the rest, and its status is 3.
# shellcheck disable=SC2154 # run sets stderr, loaders_setup the others
load helpers
load tree
load loaders

setup() {
	loaders_setup
	put proc/sys/vm/swappiness 60
}

# The values of a tree are written for the kernel: their time does not count.
same_as_before() {
	diff <(grep -v '^./proc/sys/vm/swappiness [0-9]' "$work/before") \
		<(whole_snapshot | grep -v '^./proc/sys/vm/swappiness [0-9]') || fail "the tree differs"
}

dropin=etc/default/grub.d/zz-lpartune.cfg

# partial WORDS: the sysctl comes back, the boot parameter stays and its note says these words.
partial() {
	expect_status 3 "$LPARTUNE" revert --all --root "$tree" --json
	expect_json '[.settings[] | select(.tunable == "sysctl:vm.swappiness") | .status]' '["reverted"]'
	[[ $(jq -r '.settings[] | select(.tunable == "cmdline:powersave") | .detail' <<<"$output") == *"$1"* ]] ||
		fail "not told: $1: $output"
	[ "$(cat "$tree/proc/sys/vm/swappiness")" = 60 ]
	[ ! -e "$tree/etc/sysctl.d/85-lpartune.conf" ]
	expect_status 3 "$LPARTUNE" revert --all --root "$tree"
}

@test "an edited drop-in of the boot loader stays, and everything else comes back" {
	debian
	begin
	apply_plan 0 cmdline:powersave=off sysctl:vm.swappiness=10
	echo 'GRUB_CMDLINE_LINUX_DEFAULT="$GRUB_CMDLINE_LINUX_DEFAULT mine"' >>"$tree/$dropin"
	cp "$tree/$dropin" "$work/edited"
	expect_status 0 "$LPARTUNE" revert --root "$tree" --json # only lists
	expect_json '[.settings[].status]' '["revert","drift"]'
	partial "'/$dropin' was edited since lpartune wrote it"
	cmp "$work/edited" "$tree/$dropin"
	expect_status 0 "$LPARTUNE" revert --all --force --root "$tree"
	same_as_before
}

@test "boot parameters of a loader that is no longer there stay, and everything else comes back" {
	rhel9
	begin
	apply_plan 0 cmdline:powersave=off sysctl:vm.swappiness=10
	mv "$tree/etc/default/grub" "$work/grub"
	partial 'the boot loader is not one that lpartune knows'
	mv "$work/grub" "$tree/etc/default/grub"
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	same_as_before
}

# read_only STATUS COMMAND...: where /proc/sys is mounted read-only, as in a container.
read_only() {
	# shellcheck disable=SC2016
	expect_status "$1" unshare -m sh -c 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" &&
		exec "$@"' "$tree/proc/sys" "$LPARTUNE" "${@:2}" --root "$tree" --json
}

@test "a read-only /proc/sys: the values are not applicable, and nothing else fails with them" {
	put sys/kernel/mm/transparent_hugepage/enabled 'always [madvise] never'
	snapshot "$tree" >"$work/tree-before"
	plan "$work/plan.json" sysctl:vm.swappiness=10
	read_only 1 apply --plan "$work/plan.json"
	expect_json '[.outcome, .settings[0].status]' '["nothing","not-applicable"]'
	[[ $(jq -r '.settings[0].detail' <<<"$output") == *'mounted read-only'* ]]
	diff "$work/tree-before" <(snapshot "$tree")
	plan "$work/plan.json" sysctl:vm.swappiness=10 thp:enabled=never
	read_only 0 apply --plan "$work/plan.json"
	expect_json '[.settings[].status]' '["not-applicable","changed"]'
	[ ! -e "$tree/etc/sysctl.d/85-lpartune.conf" ]
	apply_plan 0 sysctl:vm.swappiness=10
	read_only 3 revert --all
	expect_json '[.settings[].status]' '["not-applicable","reverted"]'
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	diff "$work/tree-before" <(snapshot "$tree")
}

@test "what is no file among the boot entries is no boot entry" {
	rhel9
	mkdir "$tree/boot/loader/entries/a-directory.conf"
	mkfifo "$tree/boot/loader/entries/a-pipe.conf"
	ln -s nowhere.conf "$tree/boot/loader/entries/to-nothing.conf"
	ln -s to-itself.conf "$tree/boot/loader/entries/to-itself.conf"
	begin
	apply_plan 0 cmdline:powersave=off
	[ "$(grep -l powersave=off "$tree/boot/loader/entries/$id"-5*.conf | wc -l)" -eq 2 ]
	expect_status 0 "$LPARTUNE" verify --root "$tree" --json
	expect_json '.settings[0] | [.status, .detail]' '["pending-reboot",null]'
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	diff "$work/before" <(whole_snapshot)
}

@test "a record of what is applied that somebody removed is told, and made anew" {
	debian
	plan "$work/plan.json" sysctl:vm.swappiness=10
	expect_status 0 "$LPARTUNE" apply --root "$tree" --plan "$work/plan.json"
	rm "$tree/var/lib/lpartune/state.json"
	expect_status 3 "$LPARTUNE" verify --root "$tree" --json
	[[ $(jq -r '.notes[]' <<<"$output") == *'lost, the originals of this boot are not'* ]]
	expect_status 3 "$LPARTUNE" revert --all --root "$tree"
	expect_status 0 "$LPARTUNE" revert --repair --root "$tree"
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	[ "$(cat "$tree/proc/sys/vm/swappiness")" = 60 ]
	[ ! -e "$tree/etc/sysctl.d/85-lpartune.conf" ]
	expect_status 0 "$LPARTUNE" verify --root "$tree"
}

lost_is_told() { # WORDS
	[[ $(jq -r '.notes[]' <<<"$output") == *"$1"* ]] || fail "not told: $1: $output"
}

@test "B15: the record of what is applied is lost, the originals are not: boot parameters are known again" {
	local loader
	for loader in rhel9 rhel8 sles debian; do
		"$loader"
		begin
		apply_plan 0 cmdline:smt-enabled=4 cmdline:no-steal-acc=present
		rm "$tree/var/lib/lpartune/state.json"
		expect_status 3 "$LPARTUNE" verify --root "$tree" --json
		expect_json '[.settings[].status] | unique' '["pending-reboot"]'
		lost_is_told 'the record of what is applied is lost: cmdline:smt-enabled=4 was found'
		expect_status 0 "$LPARTUNE" revert cmdline:smt-enabled --root "$tree" --json
		lost_is_told 'the record of what is applied is lost'
		run ! grep -r smt-enabled "$tree/etc" "$tree/boot"
		rm "$tree/var/lib/lpartune/state.json"
		apply_plan 0 cmdline:no-steal-acc=present # adopted, not taken for the administrator's
		expect_status 0 "$LPARTUNE" verify --root "$tree"
		expect_status 0 "$LPARTUNE" revert --all --root "$tree"
		same_as_before
		rm -r "${tree:?}"/{etc,boot}
	done
}

@test "what was taken out of boot entries is known again too" {
	rhel9
	bls "$id-5.14.0-427.el9.ppc64le" 'root=/dev/sda2 powersave=off ro'
	begin
	apply_plan 0 cmdline:powersave=absent
	rm "$tree/var/lib/lpartune/state.json"
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	same_as_before
}

@test "the originals are lost: what is taken out is told, and what cannot be put back" {
	local loader
	for loader in rhel9 sles; do
		"$loader"
		sed -i 's/console=hvc0/& powersave=off/' "$tree/etc/default/grub" "$tree"/boot/*/grub.cfg \
			"$tree"/boot/loader/entries/*-5*.conf 2>/dev/null || true
		apply_plan 0 cmdline:smt-enabled=4 cmdline:powersave=absent
		rm "$tree/var/lib/lpartune/originals.json"
		expect_status 3 "$LPARTUNE" verify --root "$tree" --json
		lost_is_told 'the originals are lost'
		expect_status 3 "$LPARTUNE" revert --all --root "$tree" --json
		expect_json '[.settings[] | [.tunable, .status]] | sort' \
			'[["cmdline:powersave","stuck"],["cmdline:smt-enabled","reverted"]]'
		expect_match 'another value was there before nobody knows: the originals are lost' \
			"$(jq -r '.settings[].detail' <<<"$output")"
		run ! grep -r smt-enabled "$tree/etc" "$tree/boot"
		expect_status 0 "$LPARTUNE" revert --all --root "$tree"
		rm -r "${tree:?}"/{etc,boot}
	done
}

@test "all records are lost: revert and verify say what they cannot know" {
	local loader
	for loader in rhel9 sles; do
		"$loader"
		begin
		apply_plan 0 cmdline:smt-enabled=4
		rm -r "$tree/var/lib/lpartune"
		for command in verify 'revert --all' revert; do
			# shellcheck disable=SC2086
			expect_status 0 "$LPARTUNE" $command --root "$tree" --json
			lost_is_told 'no record says that lpartune set a boot parameter. There is smt-enabled=4 in'
		done
		# a history that ends with an apply proves that there was a record
		mkdir "$tree/var/lib/lpartune"
		echo '{"action":"apply","outcome":"done"}' >"$tree/var/lib/lpartune/history"
		expect_status 3 "$LPARTUNE" verify --root "$tree" --json
		expect_status 3 "$LPARTUNE" revert --all --root "$tree" --json
		lost_is_told 'There is smt-enabled=4 in'
		echo '{"action":"revert","outcome":"done"}' >>"$tree/var/lib/lpartune/history"
		expect_status 0 "$LPARTUNE" revert --all --root "$tree" --json
		expect_json .notes '[]'
		rm -r "${tree:?}"/{etc,boot,var/lib/lpartune}
	done
}
