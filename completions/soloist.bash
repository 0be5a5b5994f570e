# Bash completion for soloist. Every word comes from the program itself (`soloist help --words ...`), so this file knows
# no option by name.

_soloist_values() {
    # Completes the value of option $1 of command $2; the option table names the kind of value.
    local option value
    while read -r option value; do
        [ "$option" = "$1" ] || continue
        case $value in
        FILE) compgen -f -- "$3" ;;
        D\[*) compgen -W "$("$4" help --words domains 2>/dev/null)" -- "$3" ;;
        NAME\[*) compgen -W "$("$4" help --words methods 2>/dev/null)" -- "$3" ;;
        *\|*) compgen -W "${value//|/ }" -- "$3" ;;
        esac
        return "$([ -n "$value" ]; echo $?)"
    done < <("$4" help --words "$2" 2>/dev/null)
    return 1
}

_soloist() {
    local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]} word=${COMP_WORDS[COMP_CWORD]} words
    local before=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" help --words 2>/dev/null) --help --version" -- "$word")
        return
    fi
    case $before in
    --*)
        if words=$(_soloist_values "$before" "$command" "$word" "$program"); then
            [ -n "$words" ] && mapfile -t COMPREPLY <<<"$words"
            return
        fi
        ;;
    esac
    case $command:$word in
    *:-*) words=$("$program" help --words "$command" 2>/dev/null | cut -d' ' -f1) ;;
    help:*) words=$("$program" help --words 2>/dev/null) ;;
    lab:*) words=$("$program" lab --help 2>/dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p') ;;
    generate:*) words=$("$program" help --words domains 2>/dev/null) ;;
    info:*) words="levels duplicates train $("$program" help --words domains 2>/dev/null) $("$program" help --words methods 2>/dev/null)" ;;
    *) words=$("$program" help --words sets 2>/dev/null) ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    case $command:$word in
    *:-* | help:* | info:* | generate:*) ;;
    *) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}

complete -o filenames -F _soloist soloist
