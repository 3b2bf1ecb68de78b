# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of lpartune for fish: an option a line, the common ones once.

function __lpartune_ids
	lpartune explain --json 2>/dev/null | string replace -rf '^ *"id": "(.*)",$' '$1'
end

function __lpartune_benchmarks
	lpartune bench --list --json 2>/dev/null | string replace -rf '^ *"name": "(.*)",$' '$1'
end

function __lpartune_command -d "is the command one of these?"
	set -l words (commandline -opc)
	set -q words[2]; and contains -- $words[2] $argv
end

complete -c lpartune -f
complete -c lpartune -s '?' -l help -d 'Print help'
complete -c lpartune -l usage -d 'Print a short usage message'
complete -c lpartune -s V -l version -d 'Print the version'

set -l commands 'inspect sample recommend explain apply verify revert bench compare capture'
set -l none "not __lpartune_command $commands"
complete -c lpartune -n $none -a inspect -d 'What this partition is, how it is doing, what is wrong'
complete -c lpartune -n $none -a sample -d 'Steal, dispatches and consumption at intervals'
complete -c lpartune -n $none -a recommend -d 'What to change here, on what evidence, at what risk'
complete -c lpartune -n $none -a explain -d 'A rule, a tunable, a fact, a behaviour or a term'
complete -c lpartune -n $none -a apply -d 'Make changes that can be taken back'
complete -c lpartune -n $none -a verify -d 'Whether every applied value is still in force'
complete -c lpartune -n $none -a revert -d 'Bring back what was there before apply'
complete -c lpartune -n $none -a bench -d 'Measure wakeup latency and say why wakes were slow'
complete -c lpartune -n $none -a compare -d 'Saved results: better, worse, no change or undecided'
complete -c lpartune -n $none -a capture -d 'Copy the files that lpartune reads, for --root elsewhere'

set -l is '__lpartune_command inspect sample recommend explain apply verify revert bench capture'
complete -c lpartune -n $is -s J -l json -d 'Print the document as JSON'
complete -c lpartune -n $is -s R -l root -xa '(__fish_complete_directories)' -d 'Read the tree or capture in DIR'

set -l is '__lpartune_command inspect'
complete -c lpartune -n $is -s a -l all -d 'Every fact with its source'

set -l is '__lpartune_command sample'
complete -c lpartune -n $is -l counters -d 'Count migrations by perf events'
complete -c lpartune -n $is -l csv -d 'Comma-separated values'
complete -c lpartune -n $is -l dispatch -d 'Switch the statistics on while sampling'
complete -c lpartune -n $is -l live -d 'Redraw in place'
complete -c lpartune -n $is -l openmetrics -d 'One interval as an OpenMetrics exposition'
complete -c lpartune -n $is -l per-core -d 'Also a row for each core'
complete -c lpartune -n $is -l per-cpu -d 'Also a row for each CPU'
complete -c lpartune -n $is -l per-node -d 'Also a row for each NUMA node'
complete -c lpartune -n $is -l replay -xa '(__fish_complete_directories)' -d 'Take the instants of a capture'
complete -c lpartune -n $is -l since-boot -d 'One row: the means since boot'
complete -c lpartune -n $is -l slow-interval -x -d 'Read what disturbs only so often (seconds)'
complete -c lpartune -n $is -l textfile -rF -d 'Write the exposition to a file'
complete -c lpartune -n $is -s t -l timestamp -d 'Begin each row with the time'
complete -c lpartune -n $is -l top -x -d 'Rows of the CPUs with the most steal'

set -l is '__lpartune_command recommend'
complete -c lpartune -n $is -s a -l all -d 'Also what does not apply here'
complete -c lpartune -n $is -s c -l check -d 'Exit with 3 if something is to be changed'
complete -c lpartune -n $is -l ignore -xa '(__lpartune_ids)' -d 'All but these'
complete -c lpartune -n $is -l only -xa '(__lpartune_ids)' -d 'Only these'
complete -c lpartune -n $is -l plan -rF -d 'Save the settings to change'
complete -c lpartune -n $is -s w -l workload -xa 'none sap-hana db2 latency throughput' -d 'What the partition is for'

complete -c lpartune -n '__lpartune_command explain apply revert' -a '(__lpartune_ids)'

set -l is '__lpartune_command apply'
complete -c lpartune -n $is -l boot -d 'What is applied at each boot'
complete -c lpartune -n $is -l online -d 'Give CPUs that came online what was applied to all'
complete -c lpartune -n $is -s n -l dry-run -d 'Show what would be written'
complete -c lpartune -n $is -l force -d 'Also over an edited file of ours'
complete -c lpartune -n $is -l plan -rF -d 'Apply the settings of a plan'
complete -c lpartune -n $is -l wait -x -d 'Wait so long for another lpartune (seconds)'
complete -c lpartune -n $is -s w -l workload -xa 'none sap-hana db2 latency throughput' -d 'What the partition is for'
complete -c lpartune -n $is -s y -l yes -d 'Do not ask'

set -l is '__lpartune_command verify'
complete -c lpartune -n $is -l history -d 'Every change that was ever made'
complete -c lpartune -n $is -l strict -d 'A pending reboot counts too'

set -l is '__lpartune_command revert'
complete -c lpartune -n $is -s a -l all -d 'Everything that was applied'
complete -c lpartune -n $is -s n -l dry-run -d 'Show what would be written'
complete -c lpartune -n $is -l force -d 'Also what somebody else has changed since'
complete -c lpartune -n $is -l removal -d 'Revert all, for the removal of the package'
complete -c lpartune -n $is -l repair -d 'Set damaged records aside'
complete -c lpartune -n $is -l wait -x -d 'Wait so long for another lpartune (seconds)'

set -l is '__lpartune_command bench'
complete -c lpartune -n $is -a '(__lpartune_benchmarks)'
complete -c lpartune -n $is -l block -x -d 'Length of a block'
complete -c lpartune -n $is -l cells -x -d 'Measure these cells'
complete -c lpartune -n $is -l cpus -x -d 'Use only these CPUs'
complete -c lpartune -n $is -l dry-run -d 'Show what would be measured'
complete -c lpartune -n $is -s d -l duration -x -d 'Plan the whole run for this time'
complete -c lpartune -n $is -l events -x -d 'Count these perf events'
complete -c lpartune -n $is -l events -x -d 'Count these hardware events'
complete -c lpartune -n $is -l fifo -x -d 'Run as SCHED_FIFO'
complete -c lpartune -n $is -l label -x -d 'Keep a text in the document'
complete -c lpartune -n $is -l list -d 'Describe the benchmarks'
complete -c lpartune -n $is -l load -x -d 'Keep the CPUs of the workers busy'
complete -c lpartune -n $is -l map -d 'Draw a map of wakes between CPUs'
complete -c lpartune -n $is -l map -d 'A map of wakes between CPUs'
complete -c lpartune -n $is -l no-attribution -d 'Do not read why wakes were slow'
complete -c lpartune -n $is -l pairs -x -d 'Run so many pairs at once'
complete -c lpartune -n $is -l periodic -d 'Wake at even intervals'
complete -c lpartune -n $is -l primitive -xa 'futex eventfd pipe' -d 'Wake by'
complete -c lpartune -n $is -l processes -d 'Let messaging run processes'
complete -c lpartune -n $is -l rounds -x -d 'Measure so many blocks of each cell'
complete -c lpartune -n $is -l save -rF -d 'Also write the document to a file'
complete -c lpartune -n $is -l schbench -d 'Print fanout in the layout of schbench'
complete -c lpartune -n $is -l schbench -d 'Print as schbench does'
complete -c lpartune -n $is -l seed -x -d 'Seed of the arrival times'
complete -c lpartune -n $is -l size -x -d 'Workers, groups or copies'

set -l is '__lpartune_command compare'
complete -c lpartune -n $is -F
complete -c lpartune -n $is -l check -d 'Exit with 3 if anything got worse'
complete -c lpartune -n $is -l json -d 'Print the document as JSON'
complete -c lpartune -n $is -l plot -rF -d 'Draw the distributions (SVG)'
complete -c lpartune -n $is -l within -x -d 'Take so small a change for none (percent)'

set -l is '__lpartune_command capture'
complete -c lpartune -n $is -a '(__fish_complete_directories)'
complete -c lpartune -n $is -s i -l interval -x -d 'Time between two instants (seconds)'
complete -c lpartune -n $is -s k -l keep-names -d 'Keep names and serial numbers'
complete -c lpartune -n $is -s n -l instants -x -d 'Also take the counters so many times'
