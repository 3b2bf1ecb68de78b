#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A trial of the scheduler's capacity feature beside injected steal: it runs, reports what it finds, and
# puts the feature back, also when it is killed at random points. No verdict is expected: the latencies
# of an emulated processor are not those of a real one.
load lab

setup_file() {
	cat >"$BATS_FILE_TMPDIR/steps" <<'S'
write at=100ms cpus=0-3 dispatch=20ms every=200ms times=150
S
	boot guest --cpus 4 --steps "$BATS_FILE_TMPDIR/steps" <<'G'
mkdir -p /etc /var/lib /run
features=/sys/kernel/debug/sched/features
brief="--block 100ms --settle 50ms --cells same/2ms,free/2ms --events none"
cat $features >/out/before
steps start
lpartune trial feature:NONTASK_CAPACITY=off --rounds 7 $brief --json >/out/trial.json 2>/out/trial.err
echo $? >/out/trial.rc
cat $features >/out/after
changed=0 left=0 run=0
while [ $run -lt 20 ]; do
	lpartune trial feature:NONTASK_CAPACITY=off --rounds 500 $brief --block 30ms >/dev/null 2>&1 &
	trial=$!
	until [ -e /run/lpartune/temporary.json ]; do sleep 0.1; done
	usleep $(((RANDOM % 20) * 100000 + 500000))
	kill -KILL $trial
	wait $trial 2>/dev/null
	cmp -s $features /out/before || changed=$((changed + 1))
	if [ $((run % 2)) = 0 ]; then
		lpartune revert --all >/dev/null 2>&1
	else
		lpartune trial feature:TTWU_QUEUE=off --rounds 1 $brief >/dev/null 2>&1
	fi
	cmp -s $features /out/before && [ ! -e /run/lpartune/temporary.json ] || left=$((left + 1))
	run=$((run + 1))
done
echo "{\"kills\": $run, \"changed\": $changed, \"left\": $left}" >/out/kills.json
G
}

@test "a trial beside injected steal runs to its end and puts the feature back" {
	[ "$(cat "$(brought guest/trial.rc)")" -eq 0 ] || fail "$(cat "$(brought guest/trial.err)")"
	expect_value guest/trial.json '[.ended, .put_back, .rounds_done]' '["complete",true,7]' '["early",true,7]'
	diff "$(brought guest/before)" "$(brought guest/after)"
	grep -q ' NONTASK_CAPACITY' "$(brought guest/before)"
}

@test "it reports what it finds: a verdict or why there is none, and steal of both sides" {
	expect_value guest/trial.json '.verdict | IN("better", "worse", "mixed", "no change", "undecided")' true
	expect_value guest/trial.json '[.changes[] | [.tunable, .from, .to]]' \
		'[["feature:NONTASK_CAPACITY","on","off"]]'
	# 20 ms of every 200 ms on each CPU are injected while the steps last.
	expect_value guest/trial.json '.steal_pct | [.a, .b] | map(. != null) | unique' '[true]'
	expect_value guest/trial.json '.steal_pct | .a + .b > 1' true
}

@test "killed at 20 random points, the next start or revert puts the feature back" {
	expect_value guest/kills.json '[.kills, .left]' '[20,0]'
	expect_value guest/kills.json '.changed > 0' true
	echo "# 20 kills, $(jq .changed "$(brought guest/kills.json)") of them while the feature was changed" >&3
}
