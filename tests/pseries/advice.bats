#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Advice on a booted kernel with steal: nothing that presumes PowerVM where there is none, the advice
# for its mode where there is, and what was followed is then as it should be.
load lab

setup_file() {
	cat >"$BATS_FILE_TMPDIR/steps" <<'S'
write at=100ms cpus=0-7 dispatch=45ms every=50ms times=60
S
	boot guest --cpus 8 --threads 4 --steps "$BATS_FILE_TMPDIR/steps" <<'G'
for cpu in 0 1 2 3 4 5 6 7; do
	taskset $((1 << cpu)) sh -c 'while :; do :; done' &
done
steps start
steps wait
sleep 1
lpartune recommend --all --json >/out/all.json; echo $? >/out/all.rc
lpartune recommend --check >/out/check.txt; echo $? >/out/check.rc
for workload in sap-hana db2 latency throughput; do
	lpartune recommend --workload $workload --json >/out/$workload.json
done
lpartune explain steal-lowers-capacity --json >/out/behaviour.json
su nobody -c 'lpartune recommend --json' >/out/user.json
echo NO_NONTASK_CAPACITY >/sys/kernel/debug/sched/features
lpartune recommend --json >/out/followed.json
G
}

ids() {
	jq -c '[.recommendations[].id]' "$(brought "guest/$1.json")"
}

# status_of FILE RULE
status_of() {
	jq -r ".recommendations[] | select(.id == \"$2\").status" "$(brought "guest/$1.json")"
}

@test "recommend ends well" {
	[ "$(cat "$(brought guest/all.rc)")" = 0 ]
}

# Without PowerVM: nothing that presumes a hypervisor.
expect_plain() {
	local workload
	for workload in all db2 latency throughput; do
		[ "$(ids $workload)" = '[]' ] || fail "$workload: $(ids $workload)"
	done
	[ "$(cat "$(brought guest/check.txt)" "$(brought guest/check.rc)")" = "Nothing to change.
0" ] || fail "$(cat "$BATS_FILE_TMPDIR/guest/check.txt")"
}

# Sizing where it is known, and the scheduler's feature.
expect_shared() {
	[ "$(status_of all nontask-capacity)" = change ] || fail "$(ids all)"
	[ "$LPARCFG" = none ] || [ "$(ids all | jq -r '.[0]')" = over-provisioned-vps ] ||
		fail "$(ids all)"
	[ "$(cat "$(brought guest/check.rc)")" = 3 ]
	[ "$(status_of user nontask-capacity)" = denied ]
}

# Nothing that is for shared processors, steal or not.
expect_dedicated() {
	[ "$(ids all)" = '[]' ] || fail "$(ids all)"
	[ "$(status_of latency dedicated-without-cede)" = consider ] || fail "$(ids latency)"
}

@test "the advice is that for this machine" {
	case $IDENTITY:$MODE in
	plain:*) expect_plain ;;
	powervm:shared) expect_shared ;;
	powervm:dedicated) expect_dedicated ;;
	*) fail "no expectation for $IDENTITY:$MODE" ;;
	esac
}

@test "what was followed is as it should be" {
	local wanted=
	[ "$IDENTITY:$MODE" != powervm:shared ] || wanted=ok
	[ "$(status_of followed nontask-capacity)" = "$wanted" ]
}

@test "the behaviour is found in the running kernel" {
	run -0 jq -r '.sections[] | select(.name == "Here").text' "$(brought guest/behaviour.json)"
	[[ $output == "yes (by "* ]] || fail "$output"
}
