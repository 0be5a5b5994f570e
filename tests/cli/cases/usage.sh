# Commands, options, help.

test_usage_without_words() {
    run
    expect_rc 2
    expect_err 'usage: soloist COMMAND'
}

test_usage_version() {
    run --version
    expect_rc 0
    expect_out '^soloist [0-9]+\.[0-9]+\.[0-9]+$'
}

test_usage_help() {
    run --help
    expect_rc 0
    local command
    for command in solve play show generate check optimize hint explain serve bench info new-domain help; do
        expect_out "^  $command  "
    done
}

test_usage_every_command_has_help() {
    local command
    for command in solve play show generate check optimize hint explain serve bench info new-domain help; do
        run "$command" --help
        expect_rc 0
        expect_out "^usage: soloist $command"
        expect_out '^  -h, --help'
        expect_silence err
        mv out by_option
        run help "$command"
        expect_same out by_option
    done
}

# Every command, and every verb of a command, one per line.
all_commands() {
    "$program" help --words
    "$program" lab --help | sed -n 's/^  \([a-z]*\) .*/lab \1/p'
}

# The option table behind the help is the one behind the manual pages and the completions: each option is in all of them.
test_usage_pages_have_every_option() {
    local shell name option options=0
    for shell in bash zsh fish; do
        "$program" help --completion $shell > completion.$shell || fault "no completion for $shell"
    done
    while read -r name; do
        "$program" help --man "${name%% *}" > page
        # shellcheck disable=SC2086
        run help $name
        expect_rc 0
        for option in $(grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' out | sed 's/.*--//'); do
            options=$((options + 1))
            grep -qF "\\-\\-${option//-/\\-}\\fR" page || fault "the page of $name lacks --$option"
            grep -F "\"$name:-\"*" completion.bash | grep -qE -- "[ ']--$option\b" ||
                fault "bash does not complete $name --$option"
            sed -n "/^    '$name')/,/;;$/p" completion.zsh | grep -qE -- "--$option\b" ||
                fault "zsh does not complete $name --$option"
            grep -F "'__soloist_is $name'" completion.fish | grep -qE -- "-l $option\b" ||
                fault "fish does not complete $name --$option"
        done
    done < <(all_commands)
    [ $options -gt 100 ] || fault "only $options options were found"
}

# The shells and man themselves take what is written, where they are installed.
test_usage_pages_are_well_formed() {
    local shell name
    for shell in bash zsh fish; do
        run help --completion $shell
        expect_rc 0
        ! command -v $shell > /dev/null || $shell -n out 2> err || fault "$shell refuses its completion"
    done
    for name in soloist $("$program" help --words); do
        run help --man "$name"
        expect_rc 0
        expect_out '^\.TH SOLOIST'
        ! command -v groff > /dev/null || [ -z "$(groff -man -Tutf8 -ww -wbreak out 2>&1 > /dev/null)" ] ||
            fault "groff complains of the page of $name"
    done
    run help --man nothing
    expect_rc 2
    run help --man info nothing
    expect_rc 2
    expect_err 'nothing: No such file'
}

test_usage_completion_words() {
    run help --words solve
    expect_rc 0
    expect_out '^--threads N'
    run help --words methods
    expect_out '^auto$'
    run help --words domains
    expect_out '^sokoban$'
}

test_usage_completion_script() {
    (
        PATH=$(dirname "$program"):$PATH
        . <("$program" help --completion bash)
        complete_words() {
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            _soloist
            echo "${COMPREPLY[*]}"
        }
        complete_words "$program" solve --optimal m
        complete_words "$program" sol
        complete_words "$program" solve --thr
        complete_words "$program" lab run --sto
        complete_words "$program" lab repr
        complete_words "$program" help la
        complete_words "$program" help lab repr
        complete_words "$program" generate panc
        complete_words "$program" play --method idas
    ) > out 2> err
    expect_equal "$(tr '\n' ' ' < out)" "moves moves-pushes solve --threads --store reproduce lab reproduce pancake idastar "
}

test_usage_info_help_is_complete() {
    run info --help
    local topic
    for topic in DOMAIN METHOD NETWORK levels train duplicates --space --check --json; do
        expect_out "^ +$topic "
    done
}

# An option that changes nothing is said once, and the exit status stays.
test_usage_options_without_effect() {
    run solve --method bhpa --seed 3 --threads 2 --iterations 9 "$data/first.xsb:1"
    expect_rc 0
    expect_err 'solve: warning: --seed has no effect: bhpa makes no random choices'
    expect_err 'warning: --threads has no effect: bhpa searches with one thread'
    expect_err 'warning: --iterations has no effect: bhpa does not work in iterations'
    expect_equal "$(wc -l < err)" 3
    run solve --method astar:ties=random --seed 3 --threads 1 "$data/first.xsb:1-3"
    expect_rc 0
    expect_silence err
    run solve --seed 3 --threads 2 "$data/first.xsb:1"
    expect_silence err
    for method in auto phs; do
        run solve --network "$data/networks/sokoban-policy-value.safetensors" --method $method "$data/first.xsb:1"
        expect_rc 0
        if [ $method = auto ]; then expect_err 'warning: --network has no effect: no search asked it'; else expect_silence err; fi
    done
    run "$data/pancakes.txt" --only 1 --first
    expect_rc 0
    expect_err 'warning: --first has no effect: only Sokoban solutions are shortened'
    run solve "$data/tiles.txt" --only 1 --optimal pushes
    expect_rc 0
    expect_err 'warning: --optimal pushes: this objective is for Sokoban only; here the least cost is proved'
    run solve "$data/tiles.txt" --only 1 --optimal moves
    expect_silence err
    run solve --polish 1 --reuse --table --json "$data/pancakes.txt:1"
    expect_rc 0
    expect_err 'warning: --polish has no effect'
    expect_err 'warning: --reuse has no effect'
    expect_err 'warning: --table has no effect'
    run info --json
    expect_rc 0
    expect_err 'info: warning: --json has no effect'
    run info levels --json
    expect_silence err
    run explain "$data/first.xsb:1" --quick --time 3 --nodes 9
    expect_err 'explain: warning: --time has no effect: --quick does not search'
    expect_err 'warning: --nodes has no effect: --quick does not search'
    run explain "$data/first.xsb:1" --time 3
    expect_silence err
    run show "$data/first.xsb:1" --delay 9 --time 3 --scale 9
    expect_rc 0
    expect_err 'show: warning: --delay has no effect: only a film has steps'
    expect_err 'warning: --time has no effect: only --film needs a solution'
    expect_err 'warning: --scale has no effect'
    run show "$data/first.xsb:1" --solution rRR --delay 1 --seed 2 -o film.svg
    expect_rc 0
    expect_err 'warning: --seed has no effect: the solution is given'
    expect_equal "$(wc -l < err)" 1
}

test_usage_unknown_command() {
    run sovle x
    expect_rc 2
    expect_err 'no command sovle: did you mean solve\?'
    run nofile.xsb
    expect_rc 2
    expect_err 'nofile.xsb: no command or file of that name'
    run "$data/first.xsb:5-3"
    expect_rc 2
    expect_err 'first.xsb:5-3: no such file; expected numbers from 1 and ranges after the colon'
    run --time 2 "$data/first.xsb"
    expect_rc 2
    expect_err '^soloist: --time: a command or a FILE comes first'
    run help chekc
    expect_rc 2
    expect_err 'did you mean check\?'
}

test_usage_completion_offers_files() {
    local verb
    run help --completion bash
    for verb in merge book; do
        expect_out "\"lab $verb:\"\*\) .*files=-f"
    done
    expect_out '"train --back-end"\) words=.auto cpu cuda.'
    expect_out '"eval --back-end"\) words=.auto cpu cuda.'
}

test_usage_unknown_option() {
    run solve --tiem 3 "$data/first.xsb"
    expect_rc 2
    expect_err 'unknown option --tiem: did you mean --time\?'
    expect_silence out
    run check --any_case a b
    expect_rc 2
    expect_err 'did you mean --any-case\?'
    run solve --xyzzyplugh
    expect_rc 2
    expect_err 'unknown option --xyzzyplugh'
    run solve "$data/first.xsb" --method uct:zz=3
    expect_rc 2
    expect_err "unknown option 'zz'; known: [a-z_, ]* and [0-9]+ others$"
}

test_usage_bad_values() {
    local words
    for words in '--time soon' '--time -1' '--nodes 1.5' '--nodes many' '--memory 12X' '--threads 0' '--jobs two' \
        '--optimal steps' '--seed -3' '--only 0' '--only 5-2' '--only a' '--only 1,,2' '--method bsf' '--method bfs:no=1' \
        '--domain sokobann' '--domain sokoban:bound=none' '--plugin nowhere.so' '--json=yes' '--time'; do
        run solve "$data/first.xsb" $words
        expect_rc 2
        expect_err '^soloist: '
        expect_silence out
    done
    run solve "$data/first.xsb" --method bsf
    expect_err 'did you mean bfs\?'
    run solve "$data/first.xsb" --domain sokobann
    expect_err 'did you mean sokoban\?'
}

test_usage_examples_are_accepted() {
    run serve --time 0.5
    expect_rc 2
    expect_err '--time 0.5: expected seconds from 1 to 1000000, e.g. 10, 2m, 1h$'
    run play "$data/first.xsb" --delay 2m
    expect_rc 2
    expect_err '--delay 2m: expected seconds from 0.001 to 60, e.g. 10, 0.5$'
    run serve --memory 500K
    expect_rc 2
    expect_err '--memory 500K: expected a size of at least 16 MB, e.g. 500M, 2G$'
}

test_usage_value_forms() {
    run solve "$data/first.xsb" --only=1 --nodes=1e3 --memory=64M -t 5s -j1 --json
    expect_rc 0
    expect_lines 1
    run solve --only 2 -q -- "$data/first.xsb"
    expect_rc 0
    expect_silence out
}

test_usage_no_file() {
    local command
    for command in solve play show generate check; do
        run "$command"
        expect_rc 2
        expect_err "^soloist: $command: "
    done
}

test_usage_full_disk() {
    [ -w /dev/full ] || { skip "needs /dev/full"; return; }
    "$program" info > /dev/full 2> err
    rc=$? last="soloist info > /dev/full"
    : > out
    expect_rc 2
    expect_err 'could not be written'
}
