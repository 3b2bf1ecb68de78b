#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The lab itself: whatever goes wrong in a guest or around it ends soon, is red and says why.
# shellcheck disable=SC2154 # lab_dir: set by lab.bash; stderr: by run
load lab

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# guest STATUS MESSAGE [VM-OPTION...] <<SCRIPT: the run must end so.
guest() {
	local status=$1 message=$2
	shift 2
	cat >script
	run --separate-stderr "-$status" "$lab_dir/vm" --kernel "$KERNEL" "$@" script
	grep -Fq -- "$message" <<<"$stderr" || fail "no '$message' in: $stderr"
}

saw_console() {
	grep -Fq "vm: the console ended with:" <<<"$stderr" || fail "no console tail: $stderr"
	grep -Fq "$1" <<<"$stderr" || fail "no '$1' in: $stderr"
}

@test "a script's output, status and files come back" {
	echo 'data' >given
	guest 3 '' --put given:/lab/given --out out <<-'G'
		echo hello
		cp /lab/given /out/taken
		dd if=/dev/urandom of=/out/big bs=1k count=300 2>/dev/null
		sha256sum </out/big >/out/big.sum
		exit 3
	G
	[ "$output" = hello ]
	[ "$(cat out/taken)" = data ]
	[ "$(sha256sum <out/big)" = "$(cat out/big.sum)" ]
}

@test "a panic is red, with the console's tail" {
	guest 125 'the guest panicked' <<-'G'
		echo c >/proc/sysrq-trigger
	G
	saw_console 'sysrq triggered crash'
}

@test "a hang ends at the time limit, with the console's tail" {
	guest 124 'time limit of 30 s reached' --time-limit 30 <<-'G'
		echo still here >&2
		sleep 1000
	G
	saw_console 'still here'
}

@test "a flooded console is red" {
	guest 125 'the guest floods its console' <<-'G'
		yes flood >/dev/console
	G
	saw_console flood
}

@test "a guest that ends without its results is red" {
	guest 125 'without a whole result' <<-'G'
		poweroff -f
	G
}

@test "no process outlives vm, even when it is killed; no file, when it ends itself" {
	local vm
	echo 'sleep 1000' >script
	mkdir tmp
	TMPDIR=$PWD/tmp "$lab_dir/vm" --kernel "$KERNEL" script 3>&- &
	vm=$!
	sleep 5
	pgrep -f "$PWD/tmp/.*/initrd" >qemu
	kill -KILL "$vm"
	sleep 1
	# Ended, perhaps not yet reaped by whoever inherits it.
	[[ $(ps -o stat= -p "$(cat qemu)") =~ ^Z?$ ]] || fail 'QEMU runs on'
	TMPDIR=$PWD/tmp2 && mkdir "$TMPDIR" && export TMPDIR
	guest 124 'time limit' --time-limit 3 <<<'sleep 1000'
	[ -z "$(ls "$TMPDIR")" ]
}

@test "what is missing is named" {
	guest 2 "cannot read 'nowhere'" --put nowhere <<<''
	guest 2 "cannot read 'nosteps'" --steps nosteps <<<''
	guest 2 "cannot read './vmlinux'" --kernel ./vmlinux <<<''
	LPARTUNE_LAB=$PWD/none guest 127 'the lab is not prepared' <<<''
	run --separate-stderr -2 "$lab_dir/vm" noscript
	[ "$stderr" = "vm: cannot read 'noscript'" ]
}

@test "no QEMU: the message says what brings it" {
	local tool
	mkdir bin
	for tool in bash dirname cat; do
		ln -s "$(command -v $tool)" bin/
	done
	echo true >script
	run --separate-stderr -127 env PATH="$PWD/bin" "$lab_dir/vm" script
	grep -q "qemu-system-ppc64 is not installed; .*prepare --install' brings it" <<<"$stderr"
}

@test "wrong options are refused" {
	guest 2 "unknown option '--nonsense'" --nonsense 1 <<<''
	guest 2 "unknown mode 'fast'" --mode fast <<<''
	guest 2 "unknown identity 'mars'" --identity mars <<<''
	guest 2 '6 CPUs are not whole cores of 4 threads' --cpus 6 <<<''
}

@test "a wrong step is refused with its line" {
	printf '%s\n' '# fine' 'write cpus=0 dispatch=1ms' 'write cpus=0 dispatch=soon' >steps
	guest 125 "'steps', line 3:" --steps steps <<<'steps start'
	printf '%s\n' 'write cpus=9 dispatch=1ms' >steps
	guest 125 'a step names a CPU that the guest lacks' --steps steps <<<'steps start'
}

@test "a guest that never starts its steps is red" {
	echo 'write cpus=0 dispatch=1ms' >steps
	guest 125 'the guest never started a part of the script' --steps steps <<<'true'
}

@test "a guest that ends in the middle of its steps is red" {
	echo 'write at=60s cpus=0 dispatch=1ms' >steps
	guest 125 'the guest ended before its script' --steps steps <<<'steps start'
}

@test "a cached file that is not the listed one is refused" {
	mkdir cache
	echo other | xz >cache/vmlinux-6.1.xz
	LPARTUNE_LAB=$PWD/fresh LPARTUNE_LAB_CACHE=$PWD/cache run --separate-stderr -1 \
		"$lab_dir/prepare"
	grep -q "vmlinux-6.1.xz' does not match tests/pseries/SHA256SUMS" <<<"$stderr"
}
