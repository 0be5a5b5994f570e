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
    for command in solve play generate check optimize hint explain bench info help; do
        expect_out "^  $command  "
    done
}

test_usage_every_command_has_help() {
    local command
    for command in solve play generate check optimize hint explain bench info help; do
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

# The option table behind the help is the one behind the completion.
test_usage_completion_words() {
    run help --words solve
    expect_rc 0
    local option
    for option in domain method time nodes iterations memory threads seed optimal only jobs out json quiet plugin help; do
        expect_out "^--$option "
    done
    run help --words methods
    expect_out '^auto$'
    run help --words domains
    expect_out '^sokoban$'
}

test_usage_completion_script() {
    (
        PATH=$(dirname "$program"):$PATH
        . "$source_dir/completions/soloist.bash"
        COMP_WORDS=("$program" solve --optimal m) COMP_CWORD=3
        _soloist
        echo "${COMPREPLY[*]}"
        COMP_WORDS=("$program" so) COMP_CWORD=1
        _soloist
        echo "${COMPREPLY[*]}"
        COMP_WORDS=("$program" solve --thr) COMP_CWORD=2
        _soloist
        echo "${COMPREPLY[*]}"
    ) > out 2> err
    expect_equal "$(tr '\n' ' ' < out)" "moves moves-pushes solve --threads "
}

test_usage_unknown_command() {
    run sovle x
    expect_rc 2
    expect_err 'no command sovle: did you mean solve\?'
    run help chekc
    expect_rc 2
    expect_err 'did you mean check\?'
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
    for command in solve play generate check; do
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
