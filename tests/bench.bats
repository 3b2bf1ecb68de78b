#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# lpartune bench: what a run says of itself, what it refuses, and that it always ends. No test here
# asserts on a latency.

# jq has variables of its own.
# shellcheck disable=SC2016
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

quick() { # a short run; further arguments are bench's
	"$LPARTUNE" bench --duration 1s --block 40ms --rounds 1 "$@"
}

# The runtime of the thread sanitizer writes a file in TMPDIR, if it can, before main begins.
limited() { # KIB: the size that no file may pass; further arguments are lpartune's
	(ulimit -f "$1" && shift && TMPDIR=/proc exec "$LPARTUNE" "$@")
}

# A tree with these CPUs online, each "cpu:core:node".
make_tree() {
	local place cpu core node online=""
	mkdir -p tree/sys/devices/system/cpu tree/proc
	for place in "$@"; do
		IFS=: read -r cpu core node <<<"$place"
		online+=${online:+,}$cpu
		mkdir -p "tree/sys/devices/system/cpu/cpu$cpu/topology" \
			"tree/sys/devices/system/node/node$node/"
		echo "$core" >"tree/sys/devices/system/cpu/cpu$cpu/topology/core_id"
		echo 0 >"tree/sys/devices/system/cpu/cpu$cpu/topology/physical_package_id"
	done
	for file in online present possible; do
		echo "$online" >"tree/sys/devices/system/cpu/$file"
	done
	for place in "$@"; do
		IFS=: read -r cpu core node <<<"$place"
		members "1" "$core" "$@" >"tree/sys/devices/system/cpu/cpu$cpu/topology/thread_siblings_list"
		members "2" "$node" "$@" >"tree/sys/devices/system/node/node$node/cpulist"
		echo "$node" >>nodes
	done
	sort -nu nodes | paste -sd, >tree/sys/devices/system/node/online
	cp tree/sys/devices/system/node/online tree/sys/devices/system/node/has_cpu
	rm nodes
}

# members FIELD ID PLACE...: the CPUs whose core (1) or node (2) is ID.
members() {
	local field=$1 id=$2 place parts list=""
	shift 2
	for place in "$@"; do
		IFS=: read -r -a parts <<<"$place"
		[ "${parts[$field]}" = "$id" ] && list+=${list:+,}${parts[0]}
	done
	echo "$list"
}

pairs_of() { # DISTANCE: the pairs of its first cell
	jq -c --arg d "$1" '[.results[] | select(.cell.distance == $d)][0].pairs' <<<"$output"
}

@test "a run is one JSON document with all its parts" {
	expect_status 0 quick --json
	expect_json '.command' '"bench"'
	expect_json '.definition' '1'
	expect_json '.interrupted' 'false'
	expect_json '[.results[] | select(.error == null) | .blocks | length] | unique' '[1]'
	expect_json '[.results[].blocks[] | .count == ([.histogram[][1]] | add // 0)] | all' 'true'
	expect_json '[.results[].blocks[] | .response.count == .done] | all' 'true'
	expect_json '[.results[].blocks[] | (.histogram | map(.[0])) as $v | $v == ($v | sort)] | all' true
	expect_json '[.results[] | select(.count > 0) | .percentiles["99.9"] <= .max and .percentiles["50"] >= .min] | all' true
	expect_json '.facts["kernel.release"].value' "\"$(uname -r)\""
}

@test "every arrival is a sample and none is made at shutdown" {
	expect_status 0 quick --json --cells same/1ms
	expect_json '.results[0] | [.blocks[] | .planned == .done + .unissued and .done > 0] | all' 'true'
}

@test "each option shows in the configuration" {
	expect_status 0 quick --json --cells same/3ms/25%,free --pairs 1 --periodic --seed 42 \
		--primitive pipe --no-attribution --label here --load 10
	expect_json '.config.arrivals' '"periodic"'
	expect_json '.config.block_ns' '40000000'
	expect_json '.config.rounds' '1'
	expect_json '.config.pairs' '1'
	expect_json '.config.seed' '42'
	expect_json '.config.attribution' 'false'
	expect_json '.attribution' 'null'
	expect_json '.label' '"here"'
	expect_json '.results[0].cell | [.distance, .idle_ns, .load, .primitive]' \
		'["same",3000000,25,"pipe"]'
	expect_json '.results[1].cell | [.distance, .load]' '["free",10]'
	expect_json '.arguments | index("--seed") != null' 'true'
}

@test "periodic arrivals are even, others are not" {
	expect_status 0 "$LPARTUNE" bench --json --rounds 1 --block 300ms --cells same/2ms --seed 7
	expect_json '.results[0].arrival_cv > 0.5' 'true'
}

@test "eventfd and pipe wake as well" {
	for primitive in eventfd pipe; do
		expect_status 0 quick --json --cells same/1ms --primitive "$primitive"
		expect_json '.results[0].count > 0' 'true'
	done
}

@test "garbage is refused" {
	for bad in "--duration abc" "--duration -1" "--duration 0" "--duration 1e99" "--duration nan" \
		"--rounds 0" "--rounds 1x" "--rounds 4294967297" "--block 1h" "--pairs 0" \
		"--load 101" "--load -5" "--fifo 100" "--primitive smoke" "--cells up" \
		"--cells same/" "--cells same/0" "--cells same/1ms/10/1" "--cells ," "--cpus x" \
		"--cpus 5-2" "--seed 1.5" "--events ," "--block 1us" "--duration 43201m" \
		"nonsense" "--bogus"; do
		# shellcheck disable=SC2086
		expect_status 2 "$LPARTUNE" bench $bad
		[ -n "$stderr" ] || fail "no message for $bad"
	done
}

@test "a duration that has no room for every cell is refused, with the way out" {
	expect_status 2 "$LPARTUNE" bench --duration 2s --cells same,free,same/1ms
	expect_match '3 cells take 2.* s, not 2 s: give more --duration' "$stderr"
	expect_status 2 "$LPARTUNE" bench --map --duration 100ms
	expect_status 0 "$LPARTUNE" bench --duration 2s --block 100ms --cells same/1ms,free/1ms
}

# Within a second, also where a round would leave more of the plan unused; messaging's many threads
# take time of their own.
@test "a run ends when it was planned to" {
	for arguments in "wake --cells same/1ms,free/1ms" "messaging --size 2" "wake --cells free/1ms --block 900ms"; do
		start=$(date +%s%N)
		# shellcheck disable=SC2086
		expect_status 0 "$LPARTUNE" bench --json --duration 4s $arguments
		took=$((($(date +%s%N) - start) / 1000000))
		[ $took -ge 3000 ] && [ $took -le 5000 ] || fail "$arguments: $took ms"
		expect_json '[.results[] | .blocks | length > 0] | all' 'true'
		expect_json '.planned_ns' '4000000000'
	done
}

@test "long times are kept as they are" {
	# A benchmark of old took 2148 s for no time at all, and 4296 s for two.
	for time in 2148 4296 86400; do
		expect_status 0 "$LPARTUNE" bench --json --dry-run --duration "${time}s"
		expect_json '.config.duration_ns' "${time}000000000"
		expect_json '.planned_ns' "${time}000000000"
	done
}

@test "a CPU that is not there is refused with a message" {
	expect_status 1 quick --cpus 9999
	expect_match "none of the CPUs of --cpus can be used" "$stderr"
}

@test "help and list say what can be done" {
	expect_status 0 "$LPARTUNE" bench --help
	expect_match 'DISTANCE' "$output"
	expect_status 0 "$LPARTUNE" bench --list
	expect_match '^wake: ' "$output"
	expect_status 0 "$LPARTUNE" bench --list --json
	expect_json '.benchmarks[0].name' '"wake"'
}

@test "--save writes what --json prints" {
	expect_status 0 quick --json --cells same/1ms --save result.json
	[ "$(jq -c .results <<<"$output")" = "$(jq -c .results result.json)" ] || fail "they differ"
}

@test "--save to a place that cannot be written fails before the run" {
	start=$(date +%s%N)
	expect_status 1 "$LPARTUNE" bench --duration 60s --save no/such/dir/file
	expect_match "cannot write 'no/such/dir/file'" "$stderr"
	[ $((($(date +%s%N) - start) / 1000000)) -lt 5000 ] || fail "it ran first"
}

@test "--save keeps the old file when the run is killed" {
	echo old >result.json
	"$LPARTUNE" bench --duration 20s --save result.json >/dev/null 3>&- &
	sleep 1
	kill -KILL $!
	wait $! || true
	[ "$(cat result.json)" = old ] || fail "the old result is gone"
	[ "$(find . -type f | wc -l)" -eq 1 ] || fail "left behind: $(ls -A)"
}

@test "hostile names and labels stay valid JSON" {
	name=$'we\\ird "\n\t\xff\xfe name.json'
	expect_status 0 quick --json --cells same/1ms --label $'a"b\\c\n\x01\xff' --save "$name"
	jq -e .label <<<"$output" >/dev/null || fail "bad JSON"
	jq -e '.results[0].count > 0' "$name" >/dev/null || fail "bad file"
}

@test "Ctrl-C gives a valid part and status 130" {
	for signal in INT TERM; do
		"$LPARTUNE" bench --json --duration 30s --cells same/1ms,free/1ms >out 3>&- &
		sleep 2
		kill -$signal $!
		rc=0
		wait $! || rc=$?
		[ "$rc" -eq 130 ] || fail "status $rc after $signal"
		output=$(cat out)
		expect_json '.interrupted' 'true'
		expect_json '[.results[].blocks[] | .count == ([.histogram[][1]] | add // 0)] | all' 'true'
	done
}

@test "Ctrl-C during a very long idle time ends the run at once" {
	"$LPARTUNE" bench --json --duration 600s --block 300s --cells same/200s >out 3>&- &
	sleep 2
	kill -INT $!
	rc=0
	wait $! || rc=$?
	[ "$rc" -eq 130 ] || fail "status $rc"
}

@test "a run on one CPU works and says what it could not measure" {
	cpu=$(grep -o '^[0-9]*' /sys/devices/system/cpu/online)
	expect_status 0 taskset -c "$cpu" "$LPARTUNE" bench --json --rounds 1 --block 40ms \
		--cells same/1ms,core/1ms,free/1ms
	expect_json '.placement.cpu_count' '1'
	expect_json '[.results[] | .error == null]' '[true,false,true]'
	expect_json '.results[1].blocks | length' '0'
	expect_json '.results[1].percentiles["99"]' 'null'
}

@test "pinned threads are on their CPUs, free ones are not pinned" {
	expect_status 0 quick --json --dry-run --cells same/1ms,free/1ms
	expect_json '.results[0].pairs[0] | .[0] == .[1]' 'true'
	expect_json '.results[1].pairs[0]' 'null'
}

@test "pairs on a partition with SMT off (sparse ids)" {
	make_tree 0:0:0 8:8:0 16:16:0 24:24:1 32:32:1 40:40:1
	expect_status 0 "$LPARTUNE" bench --json --dry-run --root tree --pairs 2 \
		--cells same,smt,core,node,free
	[ "$(pairs_of same)" = '[[0,0],[8,8]]' ] || fail "$(pairs_of same)"
	[ "$(pairs_of smt)" = '[]' ] || fail "$(pairs_of smt)"
	[ "$(pairs_of core)" = '[[0,8],[24,32]]' ] || fail "$(pairs_of core)"
	[ "$(pairs_of node)" = '[[0,24],[8,32]]' ] || fail "$(pairs_of node)"
	[ "$(pairs_of free)" = '[null,null]' ] || fail "$(pairs_of free)"
	expect_json '.results[1].error' '"this machine has no such distance"'
}

@test "siblings are found in cores of several threads" {
	make_tree 0:0:0 1:0:0 2:2:0 3:2:0
	expect_status 0 "$LPARTUNE" bench --json --dry-run --root tree --pairs 2 --cells smt,core
	[ "$(pairs_of smt)" = '[[0,1],[2,3]]' ] || fail "$(pairs_of smt)"
	[ "$(pairs_of core)" = '[[0,2]]' ] || fail "$(pairs_of core)"
}

@test "more than 1024 CPUs with holes" {
	places=()
	for ((i = 0; i < 1920; i += 96)); do
		places+=("$i:$i:$((i / 960))")
	done
	make_tree "${places[@]}"
	expect_status 0 "$LPARTUNE" bench --json --dry-run --root tree --pairs 8 --cells node
	expect_json '.placement.cpu_count' '20'
	expect_json '.results[0].pairs | length' '8'
	expect_json '.results[0].pairs[0]' '[0,960]'
	expect_status 0 "$LPARTUNE" bench --json --dry-run --root tree --cpus 1056,1824 --cells core
	expect_json '.results[0].pairs' '[[1056,1824]]'
}

@test "another machine's tree cannot be measured" {
	make_tree 0:0:0
	expect_status 2 "$LPARTUNE" bench --root tree
	expect_match 'only the running machine' "$stderr"
}

@test "short runs never hang" {
	for round in {1..10}; do
		expect_status 0 timeout 20 "$LPARTUNE" bench --seed "$round" --rounds 1 --block 1ms \
			--cells same/20us,core/20us,free/20us
	done
}

@test "each benchmark measures something and says what" {
	for name in wake pipe messaging fanout lock throughput timer; do
		expect_status 0 quick --json "$name"
		expect_json '[.results[].name] | unique' "[\"$name\"]"
		expect_json '[.results[] | select(.error == null) | .count > 0 and .achieved_per_s > 0] | any' 'true'
		expect_json '[.results[].blocks[] | .count == ([.histogram[][1]] | add // 0)] | all' 'true'
		expect_status 0 "$LPARTUNE" bench --rounds 1 --block 20ms "$name"
		expect_match "^$name" "$output"
	done
}

@test "without the right to it, what is missing is named" {
	cp "$LPARTUNE" ./lpartune && chmod 755 . lpartune
	expect_status 1 setpriv --reuid=65534 --clear-groups ./lpartune bench --fifo 9 --cells same --rounds 1 --block 20ms
	expect_match 'not measured: SCHED_FIFO takes CAP_SYS_NICE' "$output"
	expect_status 0 setpriv --reuid=65534 --clear-groups ./lpartune bench --cells same --rounds 1 --block 20ms
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 0 ]; then
		expect_match 'context-switches \(denied\)' "$output"
		expect_match 'CAP_PERFMON' "$output"
	fi
}

@test "several benchmarks in one run, each cell once" {
	expect_status 0 quick --json --dry-run pipe timer --primitive eventfd
	expect_json '[.results[].name] | unique' '["pipe","timer"]'
	expect_json '.results | length == (unique_by([.name, .cell]) | length)' 'true'
}

@test "cells that are asked for come in each kind, and in the size that is asked for" {
	expect_status 0 "$LPARTUNE" bench lock messaging --json --dry-run --cells same --size 3
	expect_json '[.results[] | [.name, .cell.kind, .cell.size]]' \
		'[["lock","write",3],["lock","mmap",3],["lock","mutex",3],["lock","spin",3],["messaging","socket",3],["messaging","pipe",3]]'
	expect_status 0 "$LPARTUNE" bench --json --dry-run --cells same,free
	expect_json '.results | length' '2'
}

@test "a ping-pong on one CPU switches twice for each round trip" {
	expect_status 0 "$LPARTUNE" bench pipe --json --rounds 2 --block 100ms --cells same
	expect_json '.results[0].switches_per_operation | . > 1.8 and . < 2.6' 'true'
}

@test "fanout has a latency for each position, and schbench's layout" {
	expect_status 0 quick --json fanout --size 5
	expect_json '.results[0].positions | length' '5'
	expect_json '.results[0].cell.size' '5'
	expect_json '.results[0].batch_percentiles["50"] > 0' 'true'
	expect_status 0 "$LPARTUNE" bench --schbench --size 4 --rounds 1 --block 100ms
	expect_match '^Latency percentiles \(usec\)$' "$output"
	for line in '50.0000th: ' '75.0000th: ' '90.0000th: ' '95.0000th: ' '\*99.0000th: ' \
		'99.5000th: ' '99.9000th: ' 'min=[0-9]+, max=[0-9]+'; do
		expect_match "^	$line" "$output"
	done
}

@test "an operation that fails is no operation: the cell has an error, not a rate" {
	LD_PRELOAD=$BUILD/preload/nomap.so ASAN_OPTIONS=verify_asan_link_order=0 \
		expect_status 1 "$LPARTUNE" bench --json --rounds 2 --block 30ms throughput
	expect_json '[.results[] | [.error, .count, (.blocks | length)]] | unique' '[["Cannot allocate memory",0,0]]'
	LD_PRELOAD=$BUILD/preload/nomap.so ASAN_OPTIONS=verify_asan_link_order=0 \
		expect_status 0 "$LPARTUNE" bench --json --rounds 2 --block 30ms lock
	expect_json '[.results[] | select(.cell.kind == "mmap") | [.error, .count]] | unique' '[["Cannot allocate memory",0]]'
	expect_json '[.results[] | select(.cell.kind != "mmap") | .error == null and .count > 0] | all' 'true'
	expect_status 0 limited 0 bench --json --rounds 2 --block 30ms lock
	expect_json '[.results[] | select(.cell.kind == "write") | [.error, .count]] | unique' '[["File too large",0]]'
}

@test "a result beyond the limit of file sizes is a failure that is told" {
	echo old >result.json
	expect_status 1 limited 1 bench --rounds 1 --block 30ms --cells same/1ms --save result.json
	expect_match "cannot write 'result.json': File too large" "$stderr"
	[ "$(cat result.json)" = old ] || fail "the old result is gone"
	[ "$(find . -name '*result*' | wc -l)" -eq 1 ] || fail "left behind: $(ls -A)"
}

@test "the cost of attribution is told of wakes, which have one, and of nothing else" {
	expect_status 0 quick --json wake pipe lock --cells same/500us
	expect_json '[.results[] | select(.name == "wake") | .own_cost.attribution_pct_of_cpu > 0] | all' 'true'
	expect_json '[.results[] | select(.name != "wake") | .own_cost.attribution_pct_of_cpu] | unique' '[null]'
}

@test "rates are scaled to the first of their kind" {
	expect_status 0 "$LPARTUNE" bench --json --rounds 1 --block 150ms lock
	expect_json '[.results | group_by(.cell.kind)[] | sort_by(.cell.size)[0].scaled | select(. != null)] | unique' '[1]'
}

@test "messaging by processes leaves no child behind, whatever ends it" {
	for signal in INT KILL; do
		"$LPARTUNE" bench messaging --processes --size 2 --duration 30s >/dev/null 2>&1 3>&- &
		parent=$!
		for _ in {1..100}; do
			children=$(pgrep -P "$parent" | wc -l)
			[ "$children" -ge 80 ] && break
			sleep 0.05
		done
		[ "$children" -ge 80 ] || fail "only $children children"
		mapfile -t pids < <(pgrep -P "$parent")
		kill -"$signal" "$parent"
		wait "$parent" || true
		sleep 1
		for pid in "${pids[@]}"; do
			! grep -Eqs '^State:\s+[^Z]' "/proc/$pid/status" ||
				fail "child $pid outlived its parent ($signal)"
		done
	done
}

@test "events that cannot be counted are listed with the reason" {
	expect_status 0 quick --json --cells same --events no-such-event,context-switches
	expect_json '.results[0].counters["no-such-event"]' '{"per_s":null,"reason":"missing"}'
	expect_json '.results[0].counters["context-switches"] | has("per_s")' 'true'
	expect_status 0 quick --json --cells same --events none
	expect_json '.results[0].counters' '{}'
	expect_status 1 quick --events context-switches,,cycles
}

@test "what was not counted has a reason, what was is a number" {
	expect_status 0 quick --json --cells same
	expect_json '.counters | [to_entries[] | select(.key != "absent" and .value == null) | .key] - (.absent | keys)' '[]'
	expect_json '.counters.context_switches_per_s > 0' 'true'
}

fits_schema() {
	wrong=$("$BUILD/tool/schema_check" "$BATS_TEST_DIRNAME/../schema/$1.json" <<<"$output") ||
		fail "$wrong"
}

@test "documents fit their schema" {
	expect_status 0 quick --json wake fanout lock --cells same,core/1ms,node
	fits_schema bench
	expect_status 0 "$LPARTUNE" bench --json --dry-run
	fits_schema bench
	expect_status 0 quick --json --no-attribution --cells free
	fits_schema bench
}

@test "a map has the median of each two CPUs" {
	expect_status 0 "$LPARTUNE" bench --map --json --block 50ms
	fits_schema bench
	expect_json '(.map.cpus | length) as $n | [.map.p50_ns | length, (.[] | length)] | unique == [$n]' 'true'
	expect_json '[.map as $m | range($m.cpus | length) | $m.p50_ns[.][.] != null] | all' 'true'
	expect_status 0 "$LPARTUNE" bench --map --block 20ms
	expect_match 'us, p50' "$output"
}

@test "a run in which nobody woke is no result" {
	expect_status 1 "$LPARTUNE" bench --cells same/1ns --rounds 1 --block 50ms
	expect_match 'nothing could be measured' "$stderr"
}

@test "a link to nothing is not replaced by the saved result" {
	ln -s nowhere/file "$BATS_TEST_TMPDIR/link"
	expect_status 1 "$LPARTUNE" bench --cells same --rounds 1 --block 50ms --save "$BATS_TEST_TMPDIR/link"
	expect_match "cannot write '.*link': No such file" "$stderr"
	[ -L "$BATS_TEST_TMPDIR/link" ]
}
