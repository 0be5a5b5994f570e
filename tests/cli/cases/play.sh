# soloist play: frames where there is no terminal, a film where there is one.

test_play_frames() {
    run play "$data/first.xsb" --only 1
    expect_rc 0
    expect_out '^Corridor: 0 of 3, next '
    expect_out '^Corridor: 3 of 3, end'
    expect_out '^#@ \$ \.#$'
    expect_out '^#   @\*#$'
    refute_out $'\033'
}

test_play_all_frames() {
    run play "$data/first.xsb" --only 3 --all --time 60
    expect_rc 0
    local steps
    steps=$(sed -n 's/^Side door: 0 of \([0-9]*\).*/\1/p' out)
    expect_equal "$(grep -c '^Side door: ' out)" $((steps + 1))
}

test_play_given_solution() {
    run play "$data/first.xsb" --solution rRR
    expect_rc 0
    expect_out '^Corridor: 3 of 3, end'
    run play "$data/first.xsb" --solution rRL
    expect_rc 1
    expect_err 'wrong at'
    run solve "$data/first.xsb" --only 2 --json
    cp out solved.json
    run play "$data/first.xsb" --only 2 --solutions solved.json
    expect_rc 0
    expect_out '^Around the corner: 0 of '
    run play "$data/first.xsb" --only 1 --solutions solved.json
    expect_rc 1
}

test_play_other_domains() {
    run play "$data/pancakes.txt" --only 1 --solution '[3,4,3]' --all
    expect_rc 0
    expect_out '^  4 =======$'
    run play "$data/samegame.txt" --only 1 --time 1
    expect_rc 0
    expect_out '^four by four: 0 of '
    run play "$data/tiles.txt" --only 2 --method bfs
    expect_rc 0
    expect_out '^\+---\+---\+---\+$'
}

test_play_unsolved() {
    write_endless > file
    run play file --only 2 --method bfs --time 0.1
    expect_rc 1
    expect_err 'unsolved'
    printf '#####\n#@$ #\n#####\n' > file
    run play file
    expect_rc 2
    expect_err '^file:'
}

test_play_film() {
    need_terminal
    [ -z "$skip_reason" ] || return
    last="soloist play in a terminal, keys n n p + space q"
    (wait_text out 'Corridor: '; printf 'nnp'; wait_text out 'Corridor: 2 of 3'; printf '+ q') |
        in_terminal "$program play $data/first.xsb --only 1 --solution rRR --delay 60; echo status \$?; stty -a"
    rc=$?
    expect_rc 0
    expect_out $'\033\\[\\?1049h'
    expect_out $'\033\\[\\?1049l'
    expect_out 'Corridor: 2 of 3'
    expect_out 'status 0'
    expect_out '[^-]icanon'
    expect_out '██'
}

test_play_once() {
    need_terminal
    [ -z "$skip_reason" ] || return
    last="soloist play --once in a terminal"
    wait_text out 'Corridor: 3 of 3, end' | in_terminal "NO_COLOR=1 $program play $data/first.xsb --only 1 --solution rRR --delay 0.01 --once --ascii"
    rc=$?
    expect_rc 0
    expect_out 'Corridor: 3 of 3, end'
    expect_out '#   @\*#'
}

test_play_interrupted_restores_the_terminal() {
    need_terminal
    [ -z "$skip_reason" ] || return
    last="soloist play in a terminal, Ctrl-C"
    (wait_text out 'Corridor: '; printf '\003'; wait_text out '[^-]icanon') |
        in_terminal "trap : INT; $program play $data/first.xsb --only 1 --solution rRR --delay 60; stty -a"
    expect_out $'\033\\[\\?1049h'
    expect_out $'\033\\[\\?1049l'
    expect_out '[^-]icanon'
}

test_play_colours() {
    need_terminal
    [ -z "$skip_reason" ] || return
    last="soloist solve in a terminal"
    in_terminal "$program solve $data/first.xsb --only 1-2" < /dev/null
    expect_out $'\033\\[32msolved'
    in_terminal "NO_COLOR=1 $program solve $data/first.xsb --only 1-2" < /dev/null
    refute_out $'\033\\[32m'
    expect_out 'solved'
}
