#!/bin/sh
# cli/completions.sh bash|zsh|fish: what a shell completes for gp5, made of what `gp5 --help` and each command's --help
# say (GP5: the command to ask). An option is a line that begins with two blanks and a dash; words behind its = are its
# values, capitals a file or something else.
set -eu
gp5=${GP5:-build/gp5}

# COMMAND <tab> what it does
commands() {
    "$gp5" --help | sed -n 's/^  \([a-z][a-z]*\)  *\(.*\)/\1	\2/p'
}

# COMMAND <tab> OPTION <tab> = or nothing <tab> VALUES, or file, or nothing <tab> what it does
options() {
    commands | while IFS='	' read -r command _; do
        "$gp5" "$command" --help | awk -v command="$command" '
            # The usage has the words of some.
            /^(usage:|   )/ {
                count = split($0, one, /[][ ]+/)
                for (i = 1; i <= count; i++)
                    if (one[i] ~ /^--[a-z-]+=[a-z0-9]+(\|[a-z0-9]+)+$/) {
                        name = value = one[i]; sub(/=.*/, "", name); sub(/^[^=]*=/, "", value); gsub(/\|/, " ", value)
                        usage[name] = value
                    }
            }
            /^  -/ {
                text = $0; sub(/^  /, "", text)
                at = match(text, /  +/)
                does = at ? substr(text, at + RLENGTH) : ""
                count = split(at ? substr(text, 1, at - 1) : text, one, /( \| )|(, )/)
                for (i = 1; i <= count; i++) {
                    name = one[i]; sub(/[=[ ].*/, "", name)
                    value = one[i]; if (!sub(/^[^=]*=/, "", value)) value = ""; sub(/\]$/, "", value)
                    words = value ~ /^[a-z0-9-]+(\|[a-z0-9-]+)+$/ ? value : value ~ /^(FILE|LIST|DIR)/ ? "file" : ""
                    gsub(/\|/, " ", words)
                    if (!words && name in usage)
                        words = usage[name]
                    if (name ~ /^-/ && !seen[name]++)
                        printf "%s\t%s\t%s\t%s\t%s\n", command, name, value != "" ? "=" : "", words, does
                }
            }
            END { printf "%s\t--help\t\t\twhat it takes\n", command }'
    done
}

bash_completion() {
    printf '# bash: completes gp5. Made by cli/completions.sh.\n_gp5() {\n    local word=${COMP_WORDS[COMP_CWORD]}'
    printf ' command=${COMP_WORDS[1]} option words=\n'
    printf '    if [ "$COMP_CWORD" = 1 ]; then\n'
    printf '        COMPREPLY=($(compgen -W "%s help --help --version" -- "$word"))\n' \
        "$(commands | cut -f 1 | tr '\n' ' ' | sed 's/ $//')"
    printf '        return\n    fi\n'
    printf '    # An = stands in a word of its own.\n'
    printf '    option=${COMP_WORDS[COMP_CWORD - 1]}\n'
    printf '    [ "$word" != = ] || { option==; word=; }\n'
    printf '    [ "$option" != = ] || option=${COMP_WORDS[COMP_CWORD - (${#word} ? 2 : 1)]}\n'
    printf '    case ${COMP_WORDS[COMP_CWORD]},${COMP_WORDS[COMP_CWORD - 1]} in =,* | *,=)\n'
    printf '        case $command$option in\n'
    options | awk -F '\t' '$3 && $4 && $4 != "file" { printf "        %s%s) words=\"%s\" ;;\n", $1, $2, $4 }'
    printf '        *) COMPREPLY=($(compgen -f -- "$word")); return ;;\n        esac\n'
    printf '        COMPREPLY=($(compgen -W "$words" -- "$word"))\n        return ;;\n    esac\n'
    printf '    case $command in\n'
    options | awk -F '\t' '
        { all[$1] = all[$1] " " $2 $3 }
        END { for (c in all) printf "    %s) words=\"%s\" ;;\n", c, substr(all[c], 2) }' | sort
    printf '    help) COMPREPLY=($(compgen -W "%s" -- "$word")); return ;;\n    esac\n' \
        "$(commands | cut -f 1 | tr '\n' ' ' | sed 's/ $//')"
    printf '    case $word in\n    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;\n'
    printf '    *) COMPREPLY=($(compgen -f -- "$word")) ;;\n    esac\n'
    printf '    case ${COMPREPLY-} in *=) compopt -o nospace ;; esac\n}\ncomplete -o filenames -F _gp5 gp5\n'
}

zsh_completion() {
    printf '#compdef gp5\n# zsh: completes gp5. Made by cli/completions.sh.\n'
    printf 'local -a gp5_commands\ngp5_commands=(\n'
    commands | awk -F '\t' -v q="'" '
        { gsub(q, "’", $2); gsub(/:/, "\\:", $2); printf "    %s%s:%s%s\n", q, $1, $2, q }'
    printf ')\nif (( CURRENT == 2 )); then\n    _describe command gp5_commands\n    return\nfi\n'
    printf 'local command=$words[2]\nshift words\n(( CURRENT-- ))\ncase $command in\n'
    options | awk -F '\t' -v q="'" '
        $1 != last {
            if (last)
                print "        " q "*:file:_files" q "\n    ;;"
            last = $1
            printf "%s)\n    _arguments -S \\\n", $1
        }
        {
            gsub(q, "’", $5); gsub(/\[/, "(", $5); gsub(/\]/, ")", $5); gsub(/:/, "\\:", $5)
            action = !$3 ? "" : $4 == "file" ? ":file:_files" : $4 ? ":value:(" $4 ")" : ":value:"
            printf "        %s%s%s[%s]%s%s \\\n", q, $2, $3, $5, action, q
        }
        END { print "        " q "*:file:_files" q "\n    ;;" }'
    printf 'help)\n    _describe command gp5_commands\n    ;;\nesac\n'
}

fish_completion() {
    printf '# fish: completes gp5. Made by cli/completions.sh.\n'
    commands | awk -F '\t' -v q="'" '{
        gsub(q, "’", $2)
        printf "complete -c gp5 -n __fish_use_subcommand -f -a %s -d %s%s%s\n", $1, q, $2, q
    }'
    options | awk -F '\t' -v q="'" '{
        gsub(q, "’", $5)
        long = substr($2, 1, 2) == "--"
        printf "complete -c gp5 -n %s__fish_seen_subcommand_from %s%s", q, $1, q
        printf " -%s %s", long ? "l" : "s", substr($2, long ? 3 : 2)
        if ($3) printf $4 && $4 != "file" ? " -x -a %s%s%s" : " -r%.0s%.0s%.0s", q, $4, q
        printf " -d %s%s%s\n", q, $5, q
    }'
}

case ${1-} in
bash | zsh | fish) "$1"_completion ;;
*) echo "usage: cli/completions.sh bash|zsh|fish" >&2; exit 2 ;;
esac
