#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# `lpartune sample` against a hypervisor that steals 0, 5, 25 and 60 % of four CPUs, and keeps a log of
# each write with the guest's timebase: what a row shows must be just what was written within it.
load lab

setup_file() {
	cat >"$BATS_FILE_TMPDIR/steps" <<'S'
write at=0ms cpus=1 dispatch=1ms every=20ms times=550
write at=3ms cpus=2 dispatch=4ms entitlement=1ms dispersions=1 every=20ms times=550
write at=6ms cpus=3 entitlement=12ms every=20ms times=550
S
	boot guest --steps "$BATS_FILE_TMPDIR/steps" <<'G'
lpartune sample --per-cpu --json 1 20 >/out/rows.jsonl 2>/out/rows.err &
sampler=$!
sleep 1.5
steps start
steps wait
sleep 1.5
kill -TERM $sampler
wait $sampler
echo $? >/out/status
lpartune sample 0.2 2 >/out/text
state() {
	cat /proc/sys/kernel/sched_schedstats /proc/powerpc/vcpudispatch_stats 2>/dev/null | head -n 2
}
state >/out/before
lpartune sample --dispatch --json 5 1 >/out/dispatch.jsonl 2>/out/dispatch.err &
sampler=$!
sleep 3
cat /proc/sys/kernel/sched_schedstats >/out/during
kill -TERM $sampler
wait $sampler
state >/out/after
G
}

# What was written to a CPU (ticks of its kind, or dispersions) while TB was between two values, and
# how much of it so close to a bound that it may belong to the neighbour: "sum doubtful".
written() { # CPU KIND FROM TO
	jq -r "select(.event == \"write\" and .cpu == $1) | [.tb, .$2] | @tsv" \
		"$(brought guest/hypervisor.jsonl)" |
		awk -v from="$3" -v to="$4" -v near=1536000 '{
			if ($1 >= from + near && $1 < to - near) sum += $2
			else if ($1 >= from - near && $1 < to + near) doubtful += $2
		} END { printf "%.0f %.0f\n", sum, doubtful }'
}

# Rows that a number of each CPU is in: "from to value".
row_values() { # CPU NAME
	jq -r ".timebase as \$t | .cpus[] | select(.cpu == $1) | [\$t.from, \$t.to, .$2] | @tsv" \
		"$(brought guest/rows.jsonl)"
}

@test "each row has the ticks that were written within it" {
	local cpu name kind from to value sum doubtful rows=0
	for cpu in 0 1 2 3; do
		for name in dispatch_wait_tb:dispatch_ticks entitlement_wait_tb:entitlement_ticks; do
			kind=${name#*:}
			while read -r from to value; do
				read -r sum doubtful < <(written $cpu "$kind" "$from" "$to")
				[[ $value -ge $sum && $value -le $((sum + doubtful)) ]] ||
					fail "cpu$cpu $name: $value, written $sum and perhaps $doubtful"
				rows=$((rows + 1))
			done < <(row_values $cpu "${name%:*}")
		done
	done
	[ $rows -ge 80 ]
}

@test "all rows together have every tick that was written, and no other" {
	local cpu name seen total
	for cpu in 0 1 2 3; do
		for name in dispatch_wait_tb:dispatch_ticks entitlement_wait_tb:entitlement_ticks; do
			seen=$(row_values $cpu "${name%:*}" | awk '{ sum += $3 } END { printf "%.0f", sum }')
			total=$(jq -s "map(select(.event == \"write\" and .cpu == $cpu).${name#*:}) |
				add // 0" "$(brought guest/hypervisor.jsonl)")
			[ "$seen" -eq "$total" ] || fail "cpu$cpu $name: $seen seen, $total written"
		done
	done
}

@test "0, 5, 25 and 60 % within half a point, split by cause" {
	local cpu dispatch entitlement log
	log=$(brought guest/hypervisor.jsonl)
	for cpu in 0:0:0 1:5:0 2:20:5 3:0:60; do
		IFS=: read -r cpu dispatch entitlement <<<"$cpu"
		jq -es --argjson cpu "$cpu" --argjson d "$dispatch" --argjson e "$entitlement" \
			--argjson from "$(jq -s 'map(select(.event == "write").tb) | min' "$log")" \
			--argjson to "$(jq -s 'map(select(.event == "write").tb) | max' "$log")" '
			map(select(.timebase.from > $from and .timebase.to < $to)) |
			(map(.system.interval_tb) | add) as $ticks |
			(map(.cpus[] | select(.cpu == $cpu)) |
				[(map(.dispatch_wait_tb) | add), (map(.entitlement_wait_tb) | add)]) as [$x, $y] |
			(100 * $x / $ticks - $d | fabs) < 0.5 and (100 * $y / $ticks - $e | fabs) < 0.5 and
				length >= 8' "$(brought guest/rows.jsonl)" || fail "cpu$cpu"
	done
}

@test "dispersions as written" {
	local seen
	seen=$(jq -s 'map(.interval_ns as $t | .cpus[] | select(.cpu == 2).dispersions_per_s * $t / 1e9) |
		add | round' "$(brought guest/rows.jsonl)")
	[ "$seen" -eq 550 ] || fail "$seen"
}

@test "the kernel's own steal stands beside it" {
	local most
	most=$(jq -s 'map(.cpus[] | select(.cpu == 3).stat_steal_pct) | max' "$(brought guest/rows.jsonl)")
	if [ "$MODE" = shared ]; then
		awk -v most="$most" 'BEGIN { exit !(most > 40) }' || fail "$most"
	else
		awk -v most="$most" 'BEGIN { exit !(most == 0) }' || fail "$most"
	fi
}

@test "the verdict: what stands out, and why" {
	jq -es '.[-1] | .interrupted and (.verdict.standouts[0].cpu == 3) and
		(.verdict.explained_by == "configuration")' "$(brought guest/rows.jsonl)" ||
		fail "$(tail -n 1 "$BATS_FILE_TMPDIR/guest/rows.jsonl")"
	[ "$(<"$(brought guest/status)")" -eq 130 ]
	grep -q '^ steal   cont   held ' "$(brought guest/text)"
}

@test "statistics are on while sampling and back after a signal" {
	[ "$(<"$(brought guest/during)")" = 1 ] || fail "$(cat "$BATS_FILE_TMPDIR/guest/dispatch.err")"
	cmp "$(brought guest/before)" "$(brought guest/after)"
	head -n 1 "$(brought guest/after)" | grep -qx 0
	jq -es '.[0].system.smt_pulls_per_s >= 0 and .[0].interrupted' "$(brought guest/dispatch.jsonl)" ||
		fail "$(cat "$BATS_FILE_TMPDIR/guest/dispatch.jsonl")"
	# QEMU dispatches nobody: the shares are not defined, and are not 0
	jq -es '.[0].system.home_pct == null' "$(brought guest/dispatch.jsonl)"
}
