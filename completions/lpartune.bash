# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Completion of lpartune for bash. A command is a row of _lpartune_options; an option that takes a
# value ends with "=". tests/docs.bats compares the rows with --help.

_lpartune_commands='inspect sample recommend explain apply verify revert bench compare trial confirm capture'

_lpartune_options() { # command
	local common='--help --usage --version' reading='--json --root='
	case $1 in
	inspect) echo "--all $reading $common" ;;
	sample) echo "--counters --csv --dispatch --live --openmetrics --per-core --per-cpu --per-node --replay=
		--since-boot --slow-interval= --textfile= --timestamp --top= $reading $common" ;;
	recommend) echo "--all --check --ignore= --only= --plan= --workload= $reading $common" ;;
	explain) echo "$reading $common" ;;
	apply) echo "--boot --confirm --dry-run --force --online --plan= --wait= --workload= --yes $reading $common" ;;
	verify) echo "--history --strict $reading $common" ;;
	revert) echo "--all --dry-run --force --removal --repair --wait= $reading $common" ;;
	bench) echo "--block= --cells= --cpus= --dry-run --duration= --events= --fifo= --label= --list
		--load= --map --no-attribution --pairs= --periodic --primitive= --processes --rounds=
		--save= --schbench --seed= --size= $reading $common" ;;
	compare) echo "--check --json --plot= --within= $common" ;;
	trial) echo "--apply-if-better --bench= --block= --cells= --check --cpus= --events= --fifo= --json
		--load= --max-time= --metric= --no-attribution --no-early-end --order= --pairs= --periodic
		--plot= --primitive= --processes --rounds= --save= --seed= --self-test --settle= --size=
		--wait= --within= $common" ;;
	confirm) echo "--block= --cells= --check --cpus= --events= --fifo= --load= --no-attribution --pairs=
		--periodic --primitive= --processes --seed= --session= --size= --wait= --within=
		$reading $common" ;;
	capture) echo "--instants= --interval= --keep-names $reading $common" ;;
	*) echo "$common" ;;
	esac
}

# The ids of some kinds that `lpartune explain` knows, and the names that `lpartune bench` knows.
_lpartune_ids() { # program, pattern of kinds
	"$1" explain --json 2>/dev/null |
		sed -nE '/^ *"id":/{N;s/^ *"id": "(.*)",\n *"kind": "('"$2"')",?$/\1/p;}'
}

_lpartune_benchmarks() { # program
	"$1" bench --list --json 2>/dev/null | sed -n 's/^ *"name": "\(.*\)",$/\1/p'
}

_lpartune_files() { # -f or -d, word
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}

# Readline has its own idea of a word: it also ends at "=" and ":", so these parts of a reply go.
_lpartune_words() { # word, choices
	local cut=${1%"${1##*[=:]}"}
	mapfile -t COMPREPLY < <(compgen -W "$2" -- "$1")
	[[ $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("${COMPREPLY[@]#"$cut"}")
	[[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
	return 0
}

_lpartune_value() { # program, command, option, word: completes the value of an option
	case $2:$3 in
	*:--root | *:-R | *:--replay) _lpartune_files -d "$4" ;;
	*:--plan | *:--session | *:--save | *:--plot | *:--textfile) _lpartune_files -f "$4" ;;
	*:--workload | *:-w) _lpartune_words "$4" 'none sap-hana db2 latency throughput' ;;
	*:--only | *:--ignore) _lpartune_words "$4" "$(_lpartune_ids "$1" 'rule|tunable')" ;;
	trial:--bench) _lpartune_words "$4" "$(_lpartune_benchmarks "$1")" ;;
	*:--order) _lpartune_words "$4" 'abba random' ;;
	*:--metric) _lpartune_words "$4" 'p50 p90 p99 p99.9 response-p99 rate' ;;
	*:--primitive) _lpartune_words "$4" 'futex eventfd pipe' ;;
	*) COMPREPLY=() ;;
	esac
}

_lpartune() {
	local line=${COMP_LINE:0:COMP_POINT} words command option word
	COMPREPLY=()
	read -ra words <<<"$line"
	word=${line##*[[:space:]]}
	option=${words[${#words[@]} - (${#word} > 0 ? 2 : 1)]}
	command=${words[1]-}
	if [[ ${#words[@]} -lt 2 || $command == "$word" ]]; then
		_lpartune_words "$word" "$_lpartune_commands $(_lpartune_options '')"
		return
	fi
	if [[ $word == --*=* ]]; then
		_lpartune_value "${words[0]}" "$command" "${word%%=*}" "${word#*=}"
	elif [[ " $(_lpartune_options "$command") " == *[[:space:]]"$option="[[:space:]]* ||
		$option == -[Rw] ]]; then
		_lpartune_value "${words[0]}" "$command" "$option" "$word"
	elif [[ $word == -* ]]; then
		_lpartune_words "$word" "$(_lpartune_options "$command")"
	else
		case $command in
		explain) _lpartune_words "$word" "$(_lpartune_ids "${words[0]}" '.*')" ;;
		apply) _lpartune_words "$word" "$(_lpartune_ids "${words[0]}" 'rule|tunable')" ;;
		revert | trial) _lpartune_words "$word" "$(_lpartune_ids "${words[0]}" tunable)" ;;
		bench) _lpartune_words "$word" "$(_lpartune_benchmarks "${words[0]}")" ;;
		compare) _lpartune_files -f "$word" ;;
		capture) _lpartune_files -d "$word" ;;
		esac
	fi
}

complete -F _lpartune lpartune
