#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The systemd units: sound, sandboxed, and able to write what they are for.
load helpers
load tree
load live

units="$BATS_TEST_DIRNAME/../packaging/systemd"
examples="$BATS_TEST_DIRNAME/../packaging/examples"

setup() {
	work=$BATS_TEST_TMPDIR
	command -v systemd-analyze >/dev/null || skip "no systemd-analyze"
}

@test "systemd-analyze verify finds nothing" {
	local unit
	for unit in "$units"/*.service "$units"/*.timer "$examples"/*.service "$examples"/*.timer; do
		sed 's|^ExecStart=/usr/sbin/lpartune|ExecStart=/bin/true|' "$unit" >"$work/${unit##*/}"
	done
	run systemd-analyze verify --man=no "$work"/*.service "$work"/*.timer
	[ "$status" -eq 0 ] || fail "$output"
	[ -z "$output" ] || fail "$output"
}

@test "the exposure of every service is at most 2.0" {
	local unit
	for unit in "$units"/*.service "$examples"/*.service; do
		run systemd-analyze security --offline=true --threshold=20 "$unit"
		[ "$status" -eq 0 ] || fail "${unit##*/}: ${lines[-1]}"
	done
}

@test "no unit reverts anything, and each names a command line that the program takes" {
	run ! grep -E '^ExecStop|revert$' "$units"/*.service
	local line
	while read -r line; do
		# shellcheck disable=SC2086
		run "$LPARTUNE" ${line#*lpartune} --root "$work/none"
		[ "$status" -ne 2 ] || fail "$line: $output"
	done < <(sed -n 's/^ExecStart=//p' "$units"/*.service)
}

@test "CPUs that come online wind one timer up, without limit, and only what is per CPU is set" {
	local rule=$units/90-lpartune.rules unit
	unit=$(sed -nE 's/.*--no-block restart ([a-z-]+\.timer)".*/\1/p' "$rule")
	[ -e "$units/$unit" ] && [ -e "$units/${unit%.timer}.service" ] || fail "no unit '$unit'"
	grep -q 'ACTION=="online|offline"' "$rule" # add would fire for every CPU at boot
	grep -qx StartLimitIntervalSec=0 "$units/$unit" "$units/${unit%.timer}.service"
	grep -q 'apply --online' "$units/${unit%.timer}.service"
	run ! grep -q Requisite "$units/${unit%.timer}.service"
}

@test "with the unit's capabilities and a read-only system every kind of value is written" {
	tree=$work/tree
	make_tree "$tree"
	live_prepare
	all_kinds "$tree/plan.json"
	expect_status 0 live lpartune apply --plan /plan.json
	# what a reboot does: the values of this boot are gone, the files are not
	cp -a "$tree" "$work/rebooted"
	make_tree "$tree"
	cp -a "$work/rebooted/"{boot,etc} "$tree/"
	put proc/cmdline "root=UUID=x ro quiet no-steal-acc"
	rm -rf "$tree/run/lpartune"
	put proc/sys/kernel/random/boot_id 5d2f9c1e-0000-4000-8000-000000000002
	mkdir -p "$tree/run/lpartune"
	caps=$(sed -n 's/^CapabilityBoundingSet=CAP_/+/p' "$units/lpartune.service" | tr '[:upper:]' '[:lower:]')
	# shellcheck disable=SC2016
	expect_status 0 live unshare -m --propagation unchanged sh -c '
		for dir in etc boot var; do
			mount --bind "/$dir" "/$dir" && mount -o remount,bind,ro "/$dir" || exit 99
		done
		mount --bind /var/lib/lpartune /var/lib/lpartune || exit 99
		mount -o remount,bind,rw /var/lib/lpartune || exit 99
		exec setpriv --bounding-set "-all,$1" --inh-caps -all --no-new-privs \
			lpartune apply --boot --wait 30 --json' sh "$caps"
	expect_json '[.settings[] | select(.status != "changed") | .tunable]' '[]'
	expect_json '.settings | length' 12
	expect_status 0 live lpartune verify --json
	expect_json .different 0
}
