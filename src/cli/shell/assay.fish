# SPDX-License-Identifier: Apache-2.0
# fish: what the words of an assay command line may become. The program knows: it is asked.

function __assay_complete
    set -l before (commandline -opc)
    set -l word (commandline -ct | string unescape; or commandline -ct)
    set -l program $before[1]
    set -e before[1]
    # What is behind the cursor may name the file.
    set -l all (commandline -op)
    set -l behind $all[(math (count $before) + 3)..-1]
    set -l answer ($program __complete (count $before) $before "$word" $behind 2>/dev/null)
    set -l how $answer[1]
    if string match -q 'command *' -- "$how"
        set -l from (math (string replace 'command ' '' -- $how) + 1)
        set -l line (string escape -- $before[$from..-1])
        complete -C (string join ' ' -- $line (commandline -ct))
        return
    end
    printf '%s\n' $answer[2..-1]
end

complete -c assay -f -k -a '(__assay_complete)'
