#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# --help, the man pages and the completions of three shells say the same. Options are compared as
# sorted lists of "--name" (a flag) and "--name=" (takes a value).

load helpers

setup() {
	cd "$BATS_TEST_DIRNAME/.." || return 1
}

everywhere='--help --usage --version'

commands() {
	"$LPARTUNE" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]\+\) .*/\1/p'
}

without_everywhere() {
	grep -vxF -f <(tr ' ' '\n' <<<"$everywhere") | sort -u
}

help_options() { # command
	"$LPARTUNE" "$1" --help |
		sed -nE 's/^  (-., |    )(--[a-z-]+=?).*/\2/p' | without_everywhere
}

help_letters() { # command: "-a --all"
	"$LPARTUNE" "$1" --help | sed -nE 's/^  (-[A-Za-z]), (--[a-z-]+).*/\1 \2/p' |
		grep -v -- '-V --version' | sort
}

man_options() { # command
	sed -n 's/^\.It Fl/Fl/p' "man/lpartune-$1.8" | tr ',' '\n' |
		sed -nE 's/ *Fl -([a-z-]+) Ar.*/--\1=/p; t; s/ *Fl -([a-z-]+).*/--\1/p' | without_everywhere
}

man_letters() {
	sed -nE 's/^\.It Fl ([A-Za-z]) , Fl -([a-z-]+).*/-\1 --\2/p' "man/lpartune-$1.8" | sort
}

bash_options() {
	bash -c '. completions/lpartune.bash && _lpartune_options "$1"' - "$1" |
		tr -s '[:space:]' '\n' | without_everywhere
}

# The lines of a command in the zsh file: its own, and those of $reading where it uses them.
zsh_lines() {
	local own
	own=$(sed -n "/^\t$1)\$/,/;;/p" completions/_lpartune)
	# shellcheck disable=SC2016 # a word of that file
	[[ $own != *'$reading'* ]] || sed -n '/^reading=/,/^)/p' completions/_lpartune
	printf '%s\n' "$own"
}

zsh_options() {
	zsh_lines "$1" | grep -oE -- "--[a-z-]+=?(\}')?\[" | tr -d "}'[" | without_everywhere
}

zsh_letters() {
	zsh_lines "$1" | sed -nE 's/.*\{(-[A-Za-z])\+?,(--[a-z-]+).*/\1 \2/p' | sort
}

# The lines of a command in the fish file: a condition counts for the lines below it.
fish_lines() {
	awk -v command="$1" '
		/^set -l is / { ours = index($0 " ", " " command " ") || index($0, " " command "\047") }
		/^complete .* -n \$is / && ours' completions/lpartune.fish
}

fish_options() {
	fish_lines "$1" | sed -nE '/ -l /{/ -(x|r|xa|rF|ra) /s/.* -l ([a-z-]+) .*/--\1=/p
		/ -(x|r|xa|rF|ra) /!s/.* -l ([a-z-]+) .*/--\1/p}' | without_everywhere
}

fish_letters() {
	fish_lines "$1" | sed -nE 's/.* -s (.) -l ([a-z-]+) .*/-\1 --\2/p' | sort
}

# Both lists of every command, or what differs.
same_for_all() { # function function
	local command count=0
	for command in $(commands); do
		diff -u --label "$1 $command" --label "$2 $command" <("$1" "$command") <("$2" "$command") ||
			return 1
		[ -z "$("$1" "$command")" ] || count=$((count + 1))
	done
	[ "$count" -ge 2 ] || fail "$1 finds options in $count commands"
}

@test "every command has a man page, and every page a command" {
	pages=$(printf '%s\n' man/lpartune-*.8 | sed 's/.*lpartune-\(.*\)\.8/\1/' | sort)
	diff <(commands | sort) <(printf '%s\n' "$pages")
	[ "$(commands | wc -l)" -ge 5 ]
}

@test "every command is in lpartune(8), with the page to see" {
	for command in $(commands); do
		grep -qx ".It Cm $command" man/lpartune.8 || fail "no '.It Cm $command'"
		grep -qE "^\.Xr lpartune-$command 8" man/lpartune.8 || fail "no '.Xr lpartune-$command 8'"
	done
	diff <(commands | sort) <(sed -n 's/^\.It Cm \([a-z]*\)$/\1/p' man/lpartune.8 | sort)
}

@test "every command is in README.md" {
	for command in $(commands); do
		grep -q "lpartune $command" README.md || fail "no 'lpartune $command'"
	done
}

@test "the options that every command has are in lpartune(8)" {
	for option in $everywhere; do
		"$LPARTUNE" --help | grep -q -- " $option "
		grep -qE -- "^\.It.* Fl -${option#--}\$" man/lpartune.8 || fail "no $option"
		for command in $(commands); do
			"$LPARTUNE" "$command" --help | grep -q -- " $option "
		done
		grep -q -- "$option\b" completions/lpartune.bash
		grep -q -- "${option}[}[]" completions/_lpartune
		grep -q -- "-l ${option#--} " completions/lpartune.fish
	done
}

@test "man pages have the options of --help" {
	same_for_all help_options man_options
}

@test "man pages have the letters of --help" {
	same_for_all help_letters man_letters
}

@test "every command prints its document with -J" {
	for command in $(commands); do
		help_letters "$command" | grep -qx -- '-J --json' || fail "$command has no -J"
	done
}

@test "a synopsis that does not speak of options in general has all of them" {
	local synopsis option count=0
	for command in $(commands); do
		synopsis=$(sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/p' "man/lpartune-$command.8")
		! grep -qE 'Ar options?\b' <<<"$synopsis" || continue
		for option in $(help_options "$command"); do
			option=${option#--}
			grep -qE "Fl -${option%=}( |\$)" <<<"$synopsis" || fail "$command: no --$option"
			count=$((count + 1))
		done
	done
	[ "$count" -gt 30 ]
}

@test "no shell is offered an option twice" {
	local command
	for command in $(commands); do
		run -0 uniq -d <(zsh_lines "$command" | grep -oE -- "--[a-z-]+=?(\}')?\[" | sort)
		[ -z "$output" ] || fail "zsh, $command: $output"
		run -0 uniq -d <(fish_lines "$command" | grep -oE -- '-l [a-z-]+' | sort)
		[ -z "$output" ] || fail "fish, $command: $output"
		run -0 uniq -d <(bash -c '. completions/lpartune.bash && _lpartune_options "$1"' - "$command" |
			tr -s '[:space:]' '\n' | sort)
		[ -z "$output" ] || fail "bash, $command: $output"
	done
}

@test "bash completes the commands and options of --help" {
	same_for_all help_options bash_options
	got=$(bash -c ". completions/lpartune.bash && echo \$_lpartune_commands" | tr ' ' '\n')
	diff <(commands | sort) <(sort <<<"$got")
}

@test "zsh completes the commands and options of --help" {
	same_for_all help_options zsh_options
	same_for_all help_letters zsh_letters
	diff <(commands | sort) \
		<(sed -n "/^commands=/,/^)/s/^\t'\([a-z]*\):.*/\1/p" completions/_lpartune | sort)
}

@test "fish completes the commands and options of --help" {
	same_for_all help_options fish_options
	same_for_all help_letters fish_letters
	diff <(commands | sort) \
		<(sed -nE "s/.* -n .none -a ([a-z]+) .*/\1/p" completions/lpartune.fish | sort)
}

# completed LINE: what bash offers at the end of it
completed() {
	# shellcheck disable=SC2016 # expanded by the inner shell
	PATH=$BUILD:$PATH bash -c '. completions/lpartune.bash
		COMP_LINE=$1 COMP_POINT=${#1}
		_lpartune
		printf "%s\n" "${COMPREPLY[@]}"' - "$1" | sort
}

@test "bash completes words where they stand" {
	[ "$(completed 'lpartune ins')" = inspect ]
	[ "$(completed 'lpartune inspect --al')" = --all ]
	[ "$(completed 'lpartune recommend --workload sap')" = sap-hana ]
	[ "$(completed 'lpartune recommend --workload=d')" = db2 ]
	[ "$(completed 'lpartune recommend -w thr')" = throughput ]
	[ "$(completed 'lpartune explain over-prov')" = over-provisioned-vps ]
	[ "$(completed 'lpartune explain feature:NONT')" = NONTASK_CAPACITY ]
	[ "$(completed 'lpartune bench wak')" = wake ]
	[ "$(completed 'lpartune inspect --root example')" = examples ]
	[ "$(completed 'lpartune nonsense --')" = "$(tr ' ' '\n' <<<"$everywhere")" ]
	[ -z "$(completed 'lpartune explain no-such-id')" ]
	[ "$(completed 'lpartune explain lpar.entitlement_per_vp_')" = lpar.entitlement_per_vp_min ]
	[ "$(completed 'lpartune apply dispatch-stats')" = dispatch-stats-left-on ]
	[ "$(completed 'lpartune trial sysctl:vm.swap')" = vm.swappiness ]
	# a fact cannot be changed, nor a rule be a value
	for line in 'apply lpar.' 'recommend --only lpar.' 'revert lpar.' 'trial dispatch-stats'; do
		[ -z "$(completed "lpartune $line")" ] || fail "$line"
	done
}

@test "zsh takes its completion" {
	command -v zsh >/dev/null || skip 'no zsh'
	zsh -n completions/_lpartune
}

@test "fish takes its completion, and completes" {
	command -v fish >/dev/null || skip 'no fish'
	got=$(PATH=$BUILD:$PATH HOME=$BATS_TEST_TMPDIR fish -c "source completions/lpartune.fish
		complete -C 'lpartune '; complete -C 'lpartune inspect --a'
		complete -C 'lpartune explain over-prov'; complete -C 'lpartune recommend -w s'
		complete -C 'lpartune trial thp:en'; complete -C 'lpartune apply lpar.'")
	expect_match '^inspect' "$got"
	expect_match '^--all' "$got"
	expect_match '^over-provisioned-vps' "$got"
	expect_match '^sap-hana' "$got"
	expect_match '^thp:enabled' "$got"
	[[ $got != *lpar.* ]] || fail "a fact is offered to apply: $got"
}

@test "every command's page has all that a page has" {
	local page section
	for page in man/lpartune*.8; do
		for section in NAME SYNOPSIS DESCRIPTION OPTIONS ENVIRONMENT FILES 'EXIT STATUS' EXAMPLES \
			'SEE ALSO'; do
			grep -qx "\.Sh $section" "$page" || fail "$page has no $section"
		done
		[ "$page" = man/lpartune.8 ] || grep -qx '\.Sh OUTPUT' "$page" || fail "$page has no OUTPUT"
	done
}

@test "every benchmark is in its page, and no two things have one id" {
	local name ids
	for name in $("$LPARTUNE" bench --list --json | jq -r '.benchmarks[].name'); do
		sed -n '/^\.Sh BENCHMARKS/,/^\.Sh OPTIONS/p' man/lpartune-bench.8 |
			grep -qE "^\.It( Cm)? $name\$" || fail "lpartune-bench(8) has no $name"
	done
	ids=$("$LPARTUNE" explain --json | jq -r '.entries[].id' | sort)
	[ "$(wc -l <<<"$ids")" -gt 300 ]
	[ -z "$(uniq -d <<<"$ids")" ] || fail "twice: $(uniq -d <<<"$ids")"
}

@test "every status that a setting can have is in the page of its command" {
	local command word count=0
	for command in recommend apply verify revert; do
		while read -r word; do
			grep -E '^\.(It )?Li |^\.It ' "man/lpartune-$command.8" | grep -qw -- "$word" ||
				fail "lpartune-$command(8) has no $word"
			count=$((count + 1))
		done < <(jq -r '.. | objects | .status? | objects | .enum | arrays | .[]' "schema/$command.json")
	done
	[ "$count" -gt 30 ]
}

@test "mandoc finds nothing to say of the pages" {
	run mandoc -T lint -W warning man/*.[578]
	[ "$status" -eq 0 ] || fail "$output"
	[ -z "$output" ] || fail "$output"
}

@test "pages fit a terminal of 80 columns, but for links that cannot be cut" {
	local page
	for page in man/*.[578]; do
		mandoc -T ascii -O width=80 "$page" | sed 's,.\x08,,g' >"$BATS_TEST_TMPDIR/page"
		[ "$(wc -l <"$BATS_TEST_TMPDIR/page")" -gt 20 ]
		run awk 'length > 80 && !/https?:/' "$BATS_TEST_TMPDIR/page"
		[ -z "$output" ] || fail "$page: $output"
	done
}

@test "pages refer only to pages that are there" {
	count=0
	while read -r page; do
		[ -f "man/$page" ] || fail "no man/$page"
		count=$((count + 1))
	done < <(sed -n 's/^\.Xr \(lpartune[a-z.-]*\) \([578]\).*/\1.\2/p' man/*.[578] | sort -u)
	[ "$count" -ge 5 ]
}

# shown PAGE: its commands ("    $ …") with what they print.
shown() {
	awk '/^    \$ /{ on = 1 } /^[^ ]/{ on = 0 } on && (/^    / || !/./)' "$1" |
		sed 's/^    //' | sed '/^$/d'
}

# rerun PAGE: the same with what they print now.
rerun() {
	local line
	shown "$1" | sed -n 's/^\$ //p' | while read -r line; do
		printf '$ %s\n' "$line"
		bash -c "$line" 2>&1
	done | sed '/^$/d'
}

# refill PAGE: the page with what its commands print now.
refill() {
	local line shown=
	while IFS= read -r line; do
		case $line in
		"    \$ "*)
			printf '%s\n' "$line"
			bash -c "${line#*\$ }" 2>&1 </dev/null | sed 's/^/    /; s/ *$//'
			shown=1
			;;
		"    "* | "") [ -n "$shown" ] || printf '%s\n' "$line" ;;
		*)
			[ -z "$shown" ] || echo
			shown=
			printf '%s\n' "$line"
			;;
		esac
	done <"$1"
}

# UPDATE=1 writes it anew.
@test "README and the tour show what the commands print" {
	cp -r examples "$BATS_TEST_TMPDIR"
	ln -s "$BUILD" "$BATS_TEST_TMPDIR/build"
	for page in "$PWD/README.md" "$PWD/docs/tour.md"; do
		cd "$BATS_TEST_TMPDIR"
		if [ -n "${UPDATE:-}" ]; then
			refill "$page" >new
			cat new >"$page"
			rm -rf new lpar07*
		fi
		[ "$(shown "$page" | wc -l)" -gt 20 ]
		diff -u <(shown "$page") <(rerun "$page")
	done
}
