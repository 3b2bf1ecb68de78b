# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154,SC2034,SC2016
# Trees of each distribution as their boot loaders leave them, and what changes of them have in common.

loaders_setup() {
	work=$BATS_TEST_TMPDIR
	tree=$work/tree
	put proc/cmdline 'BOOT_IMAGE=/vmlinuz root=/dev/sda2 ro quiet'
	put proc/sys/kernel/random/boot_id 5d2f9c1e-0000-4000-8000-000000000001
	put proc/sys/kernel/osrelease 6.12.9
	mkdir -p "$tree/var/lib"
	id=0123456789abcdef0123456789abcdef
}

bls() { # NAME OPTIONS
	put "boot/loader/entries/$1.conf" "title Linux ($1)" "version ${1#"$id-"}" \
		"linux /vmlinuz-${1#"$id-"}" 'initrd /initramfs.img $tuned_initrd' \
		"options $2" 'grub_users $grub_users'
}

grubenv() { # LINE...: a block of 1024 bytes
	{
		printf '# GRUB Environment Block\n'
		printf '%s\n' "$@"
		printf '%1024s' '' | tr ' ' '#'
	} | head -c 1024 >"$work/block"
	put boot/grub2/grubenv
	cat "$work/block" >"$tree/boot/grub2/grubenv"
	chmod 600 "$tree/boot/grub2/grubenv"
}

rhel9() {
	put etc/os-release 'ID="rhel"' 'ID_LIKE="fedora"'
	put etc/default/grub 'GRUB_TIMEOUT=5' 'GRUB_CMDLINE_LINUX="crashkernel=2G-4G:384M,4G-16G:512M console=tty0 console=hvc0"' 'GRUB_ENABLE_BLSCFG=true'
	put etc/kernel/cmdline 'root=/dev/sda2 ro crashkernel=2G-4G:384M,4G-16G:512M'
	bls "$id-5.14.0-427.el9.ppc64le" 'root=/dev/sda2 ro console=tty0 console=hvc0 dyndbg="file x.c +p" $tuned_params'
	bls "$id-5.14.0-362.el9.ppc64le" 'root=/dev/sda2 ro console=tty0 console=hvc0 xpowersave=off'
	bls "$id-0-rescue" 'root=/dev/sda2 ro'
	bls ostree-1 'root=/dev/sda2 ostree=/ostree/boot.1/x'
	grubenv "saved_entry=$id"
}

rhel8() {
	rhel9
	bls "$id-5.14.0-427.el9.ppc64le" '$kernelopts $tuned_params'
	bls "$id-5.14.0-362.el9.ppc64le" '$kernelopts $tuned_params'
	grubenv saved_entry=x "kernelopts=root=/dev/sda2 ro ${1:-console=hvc0 }"
}

debian() { # more lines of /etc/default/grub
	put etc/os-release 'ID=debian'
	put etc/default/grub 'GRUB_CMDLINE_LINUX_DEFAULT="quiet"' 'GRUB_CMDLINE_LINUX=""'
	put etc/default/grub.d/50-cloudimg-settings.cfg 'GRUB_CMDLINE_LINUX_DEFAULT="console=hvc0"'
	put boot/grub/grub.cfg "menuentry 'Debian' {" $'\tlinux\t/vmlinuz root=UUID=x ro  console=hvc0' '}' \
		"submenu 'Advanced' {" "	menuentry 'Debian, recovery mode' {" \
		$'\t\tlinux\t/vmlinuz root=UUID=x ro single' $'\t}' '}'
	chmod 600 "$tree/boot/grub/grub.cfg"
}

sles() {
	put etc/os-release 'ID="sles"' 'ID_LIKE="suse"'
	put etc/sysconfig/bootloader 'LOADER_TYPE="grub2"'
	put etc/default/grub '# comment "GRUB_CMDLINE_LINUX_DEFAULT=x"' \
		'GRUB_CMDLINE_LINUX_DEFAULT="splash=silent  console=tty0 console=hvc0"' 'GRUB_CMDLINE_LINUX=""'
	put boot/grub2/grub.cfg "menuentry 'SLES' {" $'\tlinux\t/boot/vmlinux root=UUID=x splash=silent console=tty0 console=hvc0' '}'
}

# With the times of files: what a revert gives back has its old time too.
whole_snapshot() {
	snapshot "$tree"
	(cd "$tree" && find . -type f -printf '%p %T@\n' | sort)
}

begin() { whole_snapshot >"$work/before"; }

same_as_before() { diff "$work/before" <(whole_snapshot) || fail "the tree differs"; }

apply_plan() { # STATUS 'TUNABLE=VALUE'...
	local wanted=$1
	shift
	plan "$work/plan.json" "$@"
	expect_status "$wanted" "$LPARTUNE" apply --root "$tree" --plan "$work/plan.json" --json
}

revert_all() {
	expect_status 0 "$LPARTUNE" revert --all --root "$tree"
	same_as_before
}

options() { sed -n 's/^options //p' "$tree/boot/loader/entries/$1.conf"; }

entries() { # how many normal entries have this parameter as a whole word
	grep -lE "^options (.* )?$1( |\$)" "$tree"/boot/loader/entries/*.conf | wc -l
}

# refused STATUS WORDS TUNABLE=VALUE...: says these words, and nothing is written.
refused() {
	local status=$1 words=$2
	shift 2
	begin
	apply_plan "$status" "$@"
	# shellcheck disable=SC2154 # of bats
	[[ $stderr == *$words* ]] || fail "not told: $words: $stderr"
	same_as_before
}

# unsupported WORDS TUNABLE=VALUE: the setting's note says these words, and nothing is written.
unsupported() {
	begin
	apply_plan 1 "$2"
	expect_json '.settings[0].status' '"unsupported"'
	[[ "$(jq -r '.settings[0].detail' <<<"$output")" == *"$1"* ]] || fail "not told: $1: $output"
	same_as_before
}
