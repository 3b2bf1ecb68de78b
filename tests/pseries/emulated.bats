#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# `lpartune sample` on a guest that is what it is, emulated: nobody counts what its processors wait
# for, so nothing is said to be stolen, and no number of an LPAR is claimed.
load lab

setup_file() {
	boot guest <<'G'
lpartune sample --json 0.5 2 >/out/rows.jsonl
lpartune sample 0.2 2 >/out/text
G
}

@test "steal is absent, not 0, and not that of an LPAR" {
	jq -es 'length == 2 and (map(.system.steal_pct == null and
		.absent.steal_pct == "not-provided") | all)' "$(brought guest/rows.jsonl)"
	jq -es '.[-1].verdict.explained_by == "unknown"' "$(brought guest/rows.jsonl)"
	grep -q 'emulated' "$(brought guest/text)"
}

@test "what QEMU moves is not taken for dispatches" {
	jq -es 'map(.system | .dispatches_per_s == null and .preemptions_per_s == null) | all' \
		"$(brought guest/rows.jsonl)"
}

@test "what the kernel counts is there" {
	jq -es 'map(.system | .idle_pct >= 0 and .idle_entries_per_s >= 0 and
		.context_switches_per_s > 0) | all' "$(brought guest/rows.jsonl)"
	jq -es '.[-1].system.ipis_per_s >= 0' "$(brought guest/rows.jsonl)"
}
