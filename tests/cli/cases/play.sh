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
    run play "$data/first.xsb" --solution rRR --method astar --out saved.sok
    expect_rc 0
    expect_out '^Corridor: 3 of 3, end'
    expect_err 'play: warning: --method has no effect: the solution is given$'
    expect_err 'play: warning: --out has no effect: a film saves no games$'
    run play "$data/first.xsb" --solution rRL
    expect_rc 1
    expect_err 'the solution is wrong: move [0-9]+: '
    # Games are not saved in a device or a pipe.
    run play "$data/first.xsb" --out /dev/null
    expect_rc 2
    expect_err '^soloist: play: --out /dev/null: it must be a regular file$'
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

# press SIGN KEYS...: waits until each sign is on the screen, then types the keys that follow it.
press() {
    while [ $# -gt 1 ]; do
        wait_text out "$1"
        printf "$2"
        shift 2
    done
}

# play_in SIZE COMMAND SIGN KEYS...: a game in a terminal of ROWSxCOLUMNS without colours, played by these keys.
play_in() {
    local size=$1 command=$2
    shift 2
    rm -f out
    press "$@" | in_terminal "stty rows ${size%x*} cols ${size#*x}; export NO_COLOR=1; $command; echo status \$?"
}

write_corridor() { printf '#######\n#@ $ .#\n#######\nTitle: Corridor\n'; }

test_play_game() {
    need_terminal
    [ -z "$skip_reason" ] || return
    write_corridor > level.xsb
    last="soloist play: walk, push, undo, redo, restart, hint, save"
    play_in 24x80 "$program play level.xsb" \
        'Corridor: 0 moves, 0 pushes' 'l' '1 move, 0 pushes' '\033[C' '2 moves, 1 push' 'u?' 'hint: .*Enter plays it' '\n' \
        '██    \(\)\[\]··██' 'r' '██\(\)  \[\]  ··██' 'yyl' 'solved! s saves' 's' 'solution is saved in level.played.sok' 'q'
    expect_out '→→'
    expect_out '1 Corridor: finished, saved:'
    expect_out 'status 0'
    run check level.xsb level.played.sok
    expect_rc 0
    expect_out '2 pushes'
}

test_play_saves_everything() {
    need_terminal
    [ -z "$skip_reason" ] || return
    write_corridor > level.xsb
    last="soloist play: an unfinished game is saved when asked, and continued"
    play_in 24x80 "$program play level.xsb" \
        'Corridor: 0 moves' 'l' '1 move, ' 'q' 'not saved: s saves and quits' 's'
    expect_out 'moves so far are saved in level.played.sok'
    grep -q '^Snapshot: r$' level.played.sok || fault "no snapshot: $(cat level.played.sok)"
    last="soloist play: the saved game goes on to the end"
    play_in 24x80 "$program play level.xsb" \
        'c continues it' 'c' '1 move, ' 'll' 'solved!' 's' 'solution is saved' 'q'
    expect_out 'status 0'
    grep -q '^Snapshot: r$' level.played.sok || fault "the snapshot is gone"
    run check level.xsb level.played.sok
    expect_rc 0
    cp level.played.sok before
    last="soloist play: a folder that cannot be written"
    play_in 24x80 "$program play level.xsb --out nowhere/x.sok" \
        'Corridor: 0 moves' 'ls' 'not saved: nowhere/x.sok' 'qq'
    expect_out '1 Corridor: unfinished, not saved:'
    expect_same before level.played.sok
}

test_play_levels() {
    need_terminal
    [ -z "$skip_reason" ] || return
    last="soloist play: next, previous, each level keeps its game"
    play_in 24x80 "$program play $data/first.xsb --out saved.sok" \
        '1 of 12 Corridor: 0 moves' 'p' 'this is the first one' 'l' 'Corridor: 1 move,' 'n' '2 of 12 Around the corner: 0 moves' \
        'p' 'Corridor: 1 move, 0 pushes' 'qq'
    expect_out 'status 0'
    [ ! -e saved.sok ] || fault "saved although nobody asked"
    last="soloist play --only"
    play_in 24x80 "$program play $data/first.xsb --only 11" \
        '11 of 12 Two rooms: 0 moves' 'n' '12 of 12 Small warehouse' 'n' 'this is the last one' 'q'
    expect_out 'status 0'
}

test_play_warns_of_dead_boxes() {
    need_terminal
    [ -z "$skip_reason" ] || return
    printf '########\n#    . #\n# @$   #\n#      #\n########\n' > level.xsb
    last="soloist play: a box in a corner"
    play_in 24x80 "$program play level.xsb --ascii --out s" \
        '0 moves' 'kljj' 'lost .dead square' 'u' '3 moves' 'qq'
    expect_out '# +X  '
    expect_out 'status 0'
}

test_play_other_games() {
    need_terminal
    [ -z "$skip_reason" ] || return
    printf '112\n122\n121\n' > board.txt
    last="soloist play: SameGame"
    play_in 24x80 "$program play board.txt" \
        'score 0 after 0 moves; this group: 4 blocks, \+4 points' ' j' 'score 4 after 1 move; this group: 4 blocks' ' uy' \
        'the game is over' 's' 'saved in board.played.txt' 'q'
    expect_out '1<1\*2 '
    run check board.txt board.played.txt
    expect_rc 0
    printf '1 2 0 3 4 5 6 7 8\n' > tiles.txt
    last="soloist play: tiles"
    play_in 24x80 "$program play tiles.txt --out s" \
        '0 moves' '\033[C' '1 move' '?' 'hint: slide tile 1 right; Enter' '\n' 'solved!' 'qq'
    expect_out '│ 1 │   │ 2 │'
    expect_out '│>1<│'
    expect_out 'status 0'
    printf '2 1 4 3\n' > stack.txt
    last="soloist play: pancakes"
    play_in 24x80 "$program play stack.txt" \
        '0 moves' 'jj ' '1 move' '?' 'hint: flip' '\n' '2 moves' 's' 'saved in stack.played.txt' 'sq'
    expect_out '  3<'
    expect_out '1: unfinished, saved:'
    expect_equal "$(grep -c '^; unfinished 1 \[4,[0-9]\]$' stack.played.txt)" 1 # also if it is saved twice
    build_plugin
    [ -z "$skip_reason" ] || return
    last="soloist play: a plugin's moves are a list"
    play_in 24x80 "$program play boards --plugin ./lights_out.so --out s" \
        '0 moves' 'j ' '1 move' 'u' 'press' 'qq'
    expect_out '^> '
    expect_out 'status 0'
}

# A level of 60 x 30 squares, on small screens.
test_play_small_screens() {
    need_terminal
    [ -z "$skip_reason" ] || return
    awk 'BEGIN {
        for (y = 0; y < 30; y++) {
            row = sprintf("#%58s#", "")
            if (y == 0 || y == 29) gsub(/ /, "#", row)
            if (y == 15) row = substr(row, 1, 50) "@ $ ." substr(row, 56)
            print row
        }
    }' > level.xsb
    last="soloist play: a board larger than the screen"
    play_in 12x40 "$program play level.xsb --out s" \
        '0 moves' 'l' '1 move,' 'qq'
    expect_out '\(\)\[\]  ··'
    tr '\r' '\n' < out | sed 's/\x1b\[[0-9;?]*[A-Za-z]//g' > plain
    [ "$(LC_ALL=C.UTF-8 wc -L < plain)" -le 40 ] || fault "a line is wider than the screen"
    last="soloist play: no room at all"
    play_in 4x30 "$program play level.xsb" \
        'too small' 'q'
    expect_out 'status 0'
    last="soloist play: the C locale"
    play_in 24x80 "LC_ALL=C $program play $data/first.xsb" '0 moves' 'q'
    expect_out '#@ \$ \.#'
    ! LC_ALL=C grep -q '[^ -~[:cntrl:]]' out || fault "other characters than ASCII in the C locale"
}

test_play_suspended() {
    need_terminal
    [ -z "$skip_reason" ] || return
    write_corridor > level.xsb
    last="soloist play: Ctrl-Z and fg"
    play_in 24x80 "bash -c 'set -m; $program play level.xsb --out s; stty -a | grep -o .icanon; echo stopped; fg; echo went on'" \
        '0 moves' 'l' '1 move,' '\032' 'stopped' 'l' '2 moves, 1 push' 'qq'
    expect_equal "$(grep -oa '\[?1049h' out | wc -l)" 2
    expect_equal "$(grep -oa '\[?1049l' out | wc -l)" 2
    expect_out '^ icanon'
    expect_out 'went on'
}

test_play_terminated() {
    need_terminal
    [ -z "$skip_reason" ] || return
    write_corridor > level.xsb
    last="soloist play, then SIGTERM"
    rm -f out
    (
        press '0 moves' 'l' '1 move,' ''
        wait_file pid
        kill -TERM "$(cat pid)"
        wait_text out '[^-]icanon'
    ) | in_terminal "sh -c 'echo \$\$ > pid; exec $program play level.xsb'; echo status \$?; stty -a"
    expect_out 'status 143'
    expect_out '[^-]icanon'
    expect_out 'moves so far are saved in level.played.sok'
    grep -q '^Snapshot: r$' level.played.sok || fault "not saved: $(cat level.played.sok)"
}

# Ctrl-C ends the game and saves it, also while a film is shown or a hint is looked for.
test_play_interrupted_saves() {
    need_terminal
    [ -z "$skip_reason" ] || return
    write_corridor > level.xsb
    last="soloist play: Ctrl-C in a film"
    play_in 24x80 "trap : INT; $program play level.xsb --delay 5" '0 moves' 'l' '1 move,' 'f' 'Corridor: 0 of 3' '\003'
    expect_out 'moves so far are saved in level.played.sok'
    expect_out 'status 130'
    write_endless > stacks.txt
    last="soloist play: Ctrl-C while a hint is looked for"
    play_in 24x80 "trap : INT; $program play stacks.txt --only 2 --method bfs --time 0" \
        '0 moves' 'j ' '1 move' '?' 'looking for a hint' '\003'
    expect_out 'moves so far are saved in stacks.played.txt'
    expect_out 'status 130'
}

test_play_own_solution_first() {
    write_corridor > level.xsb
    printf 'Solution: rlrRR\n' >> level.xsb
    run play level.xsb --seed 2
    expect_rc 0
    expect_out '^Corridor: 5 of 5, end'
    expect_err 'play: warning: --seed has no effect: the file has a solution$'
    printf 'Solution: rR\n' > wrong
    write_corridor | cat - wrong > level.xsb
    run play level.xsb --film
    expect_rc 0
    expect_out '^Corridor: 3 of 3, end'
    need_terminal
    [ -z "$skip_reason" ] || return
    last="soloist play: the film and back to the game"
    play_in 24x80 "$program play level.xsb --delay 0.01 --out s" '0 moves' 'f' 'Corridor: 3 of 3, end' 'ql' '1 move,' 'qq'
    expect_out '1 Corridor: unfinished, not saved:'
    expect_out 'status 0'
}

# Games are added only to a file of such games.
test_play_out_of_another_kind() {
    need_terminal
    [ -z "$skip_reason" ] || return
    write_corridor > level.xsb
    cp "$data/tiles.txt" tiles.txt
    for words in 'level.xsb --out tiles.txt' 'tiles.txt --out level.xsb' 'tiles.txt --out tiles.txt'; do
        rm -f out
        last="soloist play $words in a terminal"
        in_terminal "$program play $words; echo status \$?" < /dev/null
        expect_out 'this file is not one of solutions of (sokoban|tiles), so'
        expect_out 'status 2'
    done
    expect_same "$data/tiles.txt" tiles.txt
}

test_play_impossible() {
    printf '####\n#@ #\n#$.#\n####\n' > level.xsb
    run play level.xsb --film
    expect_rc 1
    expect_err '^soloist: play: no film: it is proved that there is no solution$'
    run show level.xsb --film --svg
    expect_rc 1
    expect_err '^soloist: show: no film: it is proved that there is no solution$'
}

test_play_only_one_number() {
    run play "$data/first.xsb" --only 1-3
    expect_rc 2
    expect_err 'play: --only 1-3: expected the number of the instance to begin with$'
}

test_play_single_block() {
    need_terminal
    [ -z "$skip_reason" ] || return
    printf '12\n11\n' > board.txt
    last="soloist play in a terminal, keys l space q"
    play_in 24x80 "$program play board.txt" 'space removes' 'l ' 'this is not a legal move' 'q'
    expect_out 'this is not a legal move'
    expect_out 'status 0'
}
