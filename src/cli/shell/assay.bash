# SPDX-License-Identifier: Apache-2.0
# bash: what the words of an assay command line may become. The program knows: it is asked.

# The word $1 without quotes and backslashes, in REPLY; in QUOTE the quote that is left open.
_assay_unquote() {
    local text=$1 i c
    REPLY='' QUOTE=''
    for ((i = 0; i < ${#text}; i++)); do
        c=${text:i:1}
        if [[ $c == \\ && $QUOTE != \' ]]; then
            ((i++))
            REPLY+=${text:i:1}
        elif [[ $c == "$QUOTE" ]]; then
            QUOTE=
        elif [[ ! $QUOTE && $c == [\"\'] ]]; then
            QUOTE=$c
        else
            REPLY+=$c
        fi
    done
}

# The words up to the cursor and behind it, as the shell would pass them. bash takes words apart at
# "=" and ":", too: what has no blank before it belongs together again.
_assay_words() {
    local i rest=$COMP_LINE piece joined
    words=() raw=() index=0
    for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
        piece=${COMP_WORDS[i]}
        joined=$rest
        rest=${rest#"${rest%%[![:space:]]*}"}
        if ((i > 0)) && [[ $rest == "$joined" && ( $piece == *[=:] || ${COMP_WORDS[i - 1]} == *[=:] ) ]]; then
            raw[${#raw[@]} - 1]+=$piece
        else
            raw+=("$piece")
        fi
        ((i != COMP_CWORD)) || index=$((${#raw[@]} - 1))
        rest=${rest#"$piece"}
    done
    for piece in "${raw[@]}"; do
        _assay_unquote "$piece"
        words+=("$REPLY")
    done
}

_assay() {
    local words raw index how=words line word quoted head cur REPLY QUOTE
    COMPREPLY=()
    _assay_words
    _assay_unquote "${raw[index]}"
    cur=$REPLY
    # What readline does not replace: up to the last "=" or ":", unless that is quoted.
    head=
    if [[ ! $QUOTE && $cur == *[=:]* && ${raw[index]} == *[=:]* ]]; then
        head=${cur%"${cur##*[=:]}"}
    fi
    local answer=()
    mapfile -t answer < <("${words[0]/#~\//$HOME/}" __complete $((index - 1)) "${words[@]:1}" 2>/dev/null)
    how=${answer[0]-}
    if [[ $how == command\ * ]]; then
        if declare -F _command_offset >/dev/null; then
            _command_offset $((${how#command } + 1))
        elif ((${how#command } + 1 == index)); then
            mapfile -t COMPREPLY < <(compgen -c -- "$cur")
        else
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        fi
        return
    fi
    # Names of files are quoted by readline, which does not know how to quote others.
    [[ $how != paths || $head ]] || compopt -o filenames
    local apart=
    for line in "${answer[@]:1}"; do
        word=${line%%$'\t'*}
        [[ $word == "$cur"* ]] || apart=yes
        word=${word#"$head"}
        if [[ $how == words && ! $QUOTE || $head ]]; then
            printf -v quoted %q "$word"
            quoted=${quoted//\\,/,}
            # shellcheck disable=SC2088 # it is the shell's to expand
            [[ $word != '~/'* ]] || quoted="~/${quoted#\\~/}"
            word=$quoted
        fi
        COMPREPLY+=("$word")
    done
    if ((${#COMPREPLY[@]} == 1)); then
        [[ ${COMPREPLY[0]} != *[=:,/] ]] || compopt -o nospace
    elif [[ $apart ]]; then
        # They do not begin as the word does: they are shown, and the word stays.
        COMPREPLY+=(' ')
    fi
}

complete -F _assay assay
