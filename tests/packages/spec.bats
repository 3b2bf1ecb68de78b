#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The spec, as each distribution's rpm reads it: with the macros that say which one it is, and those
# of its systemd-rpm-macros, of which only the names matter here.
load packages

common='%_unitdir /usr/lib/systemd/system
%_udevrulesdir /usr/lib/udev/rules.d'
redhat="$common
%systemd_requires Requires(post): systemd
%systemd_post() scriptlet post %*
%systemd_preun() scriptlet preun %*
%systemd_postun() scriptlet postun %*
%systemd_postun_with_restart() scriptlet restart %*"
suse="$common
%systemd_ordering OrderWithRequires(post): systemd
%service_add_pre() scriptlet pre %*
%service_add_post() scriptlet post %*
%service_del_preun(fnr) scriptlet preun %{-n:without stopping }%*
%service_del_postun_without_restart() scriptlet postun %*
%service_del_postun(fnr) scriptlet restart %*"

# spec_of MACROS DEFINITION...: the spec as it comes out there.
spec_of() {
	local macros=$1 options=() one
	shift
	printf '%s\n' "$macros" >"$BATS_TEST_TMPDIR/macros"
	for one; do options+=(--define "$one"); done
	rpmspec -P "--macros=$(rpm --showrc | sed -n 's/^Macro path: //p'):$BATS_TEST_TMPDIR/macros" \
		"${options[@]}" "$top/packaging/rpm/lpartune.spec"
}

# expect_spec MACROS DEFINITION...
expect_spec() {
	run -0 --separate-stderr spec_of "$@"
	[ -z "$stderr" ] || fail "$stderr"
	! grep -n '%{\|%[a-z_]*_\(post\|pre\|preun\|postun\|add\|del\)' <<<"$output" >&2 ||
		fail 'a macro is not expanded'
	run ! grep -Eq 'scriptlet (restart|preun without stopping)' <<<"$output"
	for step in post preun postun; do
		grep -q "scriptlet $step .*lpartune.service" <<<"$(spec_of "$@")" || fail "no $step"
	done
	spec=$(spec_of "$@")
}

@test "RHEL 8, 9 and 10 take it" {
	local release
	for release in 8 9 10; do
		expect_spec "$redhat" "rhel $release" "dist .el$release"
		grep -qx "Release: *1.el$release" <<<"$spec"
		grep -Eq '^BuildRequires: *systemd(-rpm-macros)?$' <<<"$spec"
		run ! grep -q '^Group:' <<<"$spec"
	done
}

@test "Fedora takes it, with one folder for all programs" {
	expect_spec "$redhat" 'fedora 42' 'dist .fc42' '_sbindir /usr/bin'
	grep -qx '/usr/bin/lpartune' <<<"$spec"
	run ! grep -q '^Group:' <<<"$spec"
}

@test "SLES 15 and 16 and openSUSE take it" {
	local definitions
	for definitions in 'suse_version 1500|sle_version 150600|is_opensuse 0' \
		'suse_version 1600|is_opensuse 0' 'suse_version 1699|is_opensuse 1'; do
		IFS='|' read -ra definitions <<<"$definitions"
		expect_spec "$suse" "${definitions[@]}" '_defaultdocdir /usr/share/doc/packages'
		grep -q 'scriptlet pre .*lpartune.service' <<<"$spec"
		grep -q '^Group: ' <<<"$spec"
		grep -qx '%doc /usr/share/doc/packages/lpartune/tour.md' <<<"$spec"
	done
}

@test "without the tests there is no %check" {
	grep -q '^%check' <<<"$(spec_of "$redhat" 'rhel 9')"
	run ! grep -q '^%check' <<<"$(spec_of "$redhat" 'rhel 9' '_without_check 1')"
}
