# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What the lab's suites load. A suite boots once, in setup_file, and its tests judge what the guest
# brought back. KERNEL, MODE, IDENTITY and LPARCFG come from `run`, or are set by hand:
#   KERNEL=6.1 MODE=dedicated IDENTITY=powervm bats tests/pseries/facts.bats
bats_require_minimum_version 1.5.0

: "${KERNEL:=6.12}" "${MODE:=shared}" "${IDENTITY:=powervm}"
: "${LPARCFG:=$([[ $MODE = shared ]] && echo shared-uncapped || echo dedicated)}"
lab_dir=$BATS_TEST_DIRNAME
top=${lab_dir%/tests/pseries}
: "${LPARTUNE_LAB:=$top/build-lab}"
case $KERNEL in
*-s390x) : "${LPARTUNE_GUEST:=$top/build-s390x-linux-gnu/lpartune}" ;;
*) : "${LPARTUNE_GUEST:=$top/build-powerpc64le-linux-gnu/lpartune}" ;;
esac
export LPARTUNE_LAB

fail() {
	printf '%s\n' "$*" >&2
	return 1
}

# boot NAME [VM-OPTION...] <<SCRIPT: what the guest left in /out is in $BATS_FILE_TMPDIR/NAME.
boot() {
	local name=$1
	shift
	cat >"$BATS_FILE_TMPDIR/$name.sh"
	"$lab_dir/vm" --kernel "$KERNEL" --mode "$MODE" --identity "$IDENTITY" --lparcfg "$LPARCFG" \
		--time-limit 300 --put "$LPARTUNE_GUEST" --out "$BATS_FILE_TMPDIR/$name" "$@" \
		"$BATS_FILE_TMPDIR/$name.sh" \
		>"$BATS_FILE_TMPDIR/$name.stdout"
}

# brought FILE: its path, if the guest left it.
brought() {
	[[ -e $BATS_FILE_TMPDIR/$1 ]] || fail "the guest did not bring '$1' back"
	echo "$BATS_FILE_TMPDIR/$1"
}

# expect_value FILE FILTER VALUE...: what jq finds in the file is one of the values (JSON texts).
expect_value() {
	local file filter=$2 got wanted
	file=$(brought "$1")
	shift 2
	got=$(jq -cS "$filter" "$file") || fail "no JSON: $(cat "$file")"
	for wanted; do
		[[ $got != "$wanted" ]] || return 0
	done
	fail "$filter is $got, not $*"
}

# expect_fact FILE KEY VALUE...
expect_fact() {
	local file=$1 key=$2
	shift 2
	expect_value "$file" ".facts[\"$key\"].value" "$@"
}

# expect_absent FILE KEY REASON...: the fact has no value, and one of these reasons.
expect_absent() {
	local file=$1 key=$2
	shift 2
	expect_value "$file" ".facts[\"$key\"].value" null
	set -- "${@/#/\"}"
	expect_value "$file" ".facts[\"$key\"].reason" "${@/%/\"}"
}
