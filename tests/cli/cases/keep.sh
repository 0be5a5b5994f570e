# Solutions that are kept, shortened and counted: solve --lurd, --save, -o -, --first, --polish, --optimal.

test_keep_says_how() {
    run solve "$data/first.xsb" --only 1-3
    expect_rc 0
    expect_out '^the solutions were not kept: --lurd prints them, --save or --out FILE writes them$'
    run solve "$data/first.xsb" --only 1-3 --out found.sok
    refute_out 'not kept'
    run solve "$data/first.xsb" --only 1
    refute_out 'not kept'
    expect_out '^rRR$'
    expect_out '^box lines 1, box changes 1, pushing sessions 1, player lines 1$'
}

test_keep_lurd() {
    printf '#####\n#@$.#\n#####\nTitle: One\n\n####\n#@ #\n#$.#\n####\n\n######\n#@ $.#\n######\nTitle: A\tB\n' > file.xsb
    run solve file.xsb --lurd
    expect_rc 0
    expect_lines 3
    expect_equal "$(cat out)" "$(printf 'One\t1 push 1 move\tR\n2\timpossible\t-\nA?B\t1 push 2 moves\trR')"
    expect_err '^2 solved, 1 impossible of 3 '
    cp out lines
    # The referee reads these lines.
    run check file.xsb lines
    expect_rc 1
    expect_out '^2 ok, 0 rejected, 1 missing'
    printf '11\n22\n' > board.txt
    run solve board.txt --lurd --quiet
    expect_equal "$(cat out)" "$(printf '1\tscore 1000 2 moves\t[[0,0],[0,0]]')"
    expect_silence err
    run solve file.xsb --lurd --json
    expect_rc 2
    expect_err '^soloist: --json and --lurd exclude each other$'
}

test_keep_on_standard_output() {
    run solve "$data/first.xsb" --only 1-2 -o -
    expect_rc 0
    cp out found.sok
    expect_err '^2 solved of 2 in '
    expect_err ' Corridor +solved +2 pushes'
    run check "$data/first.xsb" found.sok --only 1-2
    expect_rc 0
    # Nothing else is there: every line is the header, or belongs to a board, a title or a solution.
    expect_equal "$(grep -cvE '^(Collection: .*|[# @$.*+]*|Title: .*|Solution: [a-zA-Z]+)?$' found.sok)" 0
    run solve "$data/first.xsb" --json -o -
    expect_rc 2
    expect_err 'exclude each other'
}

test_keep_save() {
    cp "$data/first.xsb" levels.xsb
    cp "$data/pancakes.txt" stacks.txt
    run solve levels.xsb stacks.txt --save --quiet
    expect_rc 0
    [ -e levels.sok ] || fault "no levels.sok"
    [ -e stacks.solutions.txt ] || fault "no stacks.solutions.txt"
    run check levels.xsb levels.sok
    expect_rc 0
    run check stacks.txt stacks.solutions.txt
    expect_rc 0
    # Nothing is overwritten, and nothing is solved before that is said.
    cp levels.sok before
    run solve levels.xsb --save
    expect_rc 2
    expect_err '^soloist: --save: levels.sok is already there and is not overwritten'
    expect_silence out
    expect_same before levels.sok
    run solve levels.sok --save --quiet
    expect_rc 0
    run check levels.sok levels.solutions.sok
    expect_rc 0
    run solve first --save
    expect_rc 2
    expect_err 'not a file: name one with --out'
    run solve levels.xsb --save --out other.sok
    expect_rc 2
}

# Two inputs never lead to one file, whatever their names look like.
test_keep_save_in_one_file() {
    cp "$data/first.xsb" a.xsb
    cp "$data/first.xsb" a.txt
    mkdir sub
    for other in ./a.xsb sub/../a.xsb; do
        run solve a.xsb:1 "$other:2" --save
        expect_rc 2
        expect_err 'would both go to .*a.sok: name one file once, with all numbers'
    done
    run solve a.xsb:1 a.txt:2 --save
    expect_rc 2
    expect_err 'would both go to a.sok: solve them one after the other, with --out FILE$'
    [ ! -e a.sok ] || fault "a.sok was written"
}

# The header does not become the title of a level.
test_keep_save_level_without_title() {
    printf '######\n#@ $.#\n######\n' > odd.xsb
    run solve odd.xsb --save
    expect_rc 0
    run check odd.sok --json
    expect_field name '""'
}

# The numbers of the search stay those of the search; shortening has its own, and keeps to as many states.
test_keep_shorter_by_default() {
    local words=("$data/first.xsb" --only 7 --method greedy --threads 1 --json) nodes moves
    run solve "${words[@]}" --first
    expect_json
    expect_field polish_nodes 0
    expect_field method '"greedy"'
    nodes=$(field nodes) moves=$(field moves)
    run solve "${words[@]}"
    expect_json
    expect_field nodes "$nodes"
    expect_field method '"greedy+polish"'
    [ "$(field moves)" -lt "$moves" ] || fault "not shorter"
    [ "$(field polish_nodes)" -le "$nodes" ] || fault "more states than the search"
    [ "$(field polish_nodes)" -gt 0 ] || fault "no states"
    cp out once
    run solve "${words[@]}"
    expect_equal "$(field solution)" "$(cp out again && cp once out && field solution)"
    # What is proved optimal for the objective is left as it is.
    run solve "$data/first.xsb" --only 7 --method astar --json
    expect_field optimal true
    expect_field optimal_for '"pushes"'
    expect_field polish_nodes 0
    run solve "$data/first.xsb" --first --polish 1
    expect_rc 2
    expect_err '^soloist: --first and --polish exclude each other$'
    run solve "$data/pancakes.txt" --only 1 --json
    expect_field polish_nodes 0
}

test_keep_counts_and_hash() {
    printf '######\n#    #\n#@$ .#\n######\n' > file.xsb
    printf '######\n#. $@#\n#    #\n######\n' > turned.xsb
    printf '######\n#    #\n#@$. #\n######\n' > other.xsb
    run solve file.xsb turned.xsb other.xsb --json
    expect_json
    expect_field box_lines 1
    expect_field box_changes 1
    expect_field pushing_sessions 1
    expect_field player_lines 1
    expect_field blocks_left null
    expect_field cleared null
    expect_equal "$(field hash 1)" "$(field hash 2)"
    [ "$(field hash 1)" != "$(field hash 3)" ] || fault "another level has the same hash"
    # The hash is the instance's alone.
    local hash
    hash=$(field hash 1)
    run solve file.xsb --optimal moves --json
    expect_field hash "$hash"
}

test_keep_objectives() {
    local name
    run solve "$data/first.xsb" --only 7 --optimal pushes
    expect_out ' optimal pushes$'
    run solve "$data/first.xsb" --only 7 --optimal moves
    expect_out ' optimal moves$'
    run solve "$data/first.xsb" --only 7 --optimal pushes --json
    local pushes
    pushes=$(field pushes)
    run solve "$data/first.xsb" --only 7 --optimal moves --json
    local moves
    moves=$(field moves)
    for name in pushes-moves moves-pushes pushes,moves,box-lines moves-pushes-box-changes-sessions; do
        run solve "$data/first.xsb" --only 7 --optimal $name --json
        expect_rc 0
        expect_json
        expect_field optimal true
        expect_field optimal_for "\"${name//,/-}\""
        case $name in
        pushes*) expect_field pushes "$pushes" ;;
        *) expect_field moves "$moves" ;;
        esac
    done
    run solve "$data/first.xsb" --only 7 --optimal any --json
    expect_rc 0
    for name in beauty pushes- pushes-pushes box-lines; do
        run solve "$data/first.xsb" --optimal $name
        expect_rc 2
        expect_err '^soloist: --optimal '
    done
}

test_keep_proofs_are_refused() {
    local method
    for method in greedy mcts fess auto astar:weight=2 idastar:weight=150; do
        run solve "$data/first.xsb" --only 1 --optimal pushes --method $method
        expect_rc 2
        expect_err "^soloist: --optimal: $method does not prove that a solution is optimal"
        expect_silence out
    done
    for method in astar bfs idastar; do
        run solve "$data/first.xsb" --only 1 --optimal pushes --method $method
        expect_rc 0
    done
    run solve "$data/first.xsb" --only 1 --optimal pushes --domain sokoban:tunnels=out
    expect_rc 2
    expect_err '^soloist: --optimal: with these options of sokoban nothing can be proved'
}

# A stored proof of one count is no proof of two.
test_keep_resumed_proofs() {
    local words=("$data/first.xsb" --only 7 --json --resume done.jsonl)
    run solve "${words[@]}" --optimal pushes
    expect_field optimal_for '"pushes"'
    run solve "${words[@]}" --optimal pushes-moves
    expect_field optimal_for '"pushes-moves"'
    cp out before
    run solve "${words[@]}" --optimal pushes-moves
    expect_same before out
    expect_err '^1 taken over from done.jsonl'
}

test_keep_aims() {
    run solve "$data/first.xsb" --method greedy --first --out found.sok --quiet
    local aim
    for aim in box-lines box-changes sessions pushes-moves-box-lines-box-changes-sessions lines,pushes; do
        run optimize found.sok --aim $aim --json --nodes 20000 --time 0
        expect_rc 0
        expect_lines 12
        cp out better
        run check "$data/first.xsb" better
        expect_rc 0
    done
    run optimize found.sok --only 1 --aim box-lines-moves
    expect_out ' optimal box-lines-moves$'
}

# ---- check ----

test_check_inside() {
    printf '######\n#    #\n#@$ .#\n######\nTitle: Two\nSolution\nurrrllldRR\nSolution\nRRR\n' > file.sok
    run check file.sok
    expect_rc 1
    expect_out '^ +1  Two +ok +2 pushes +10 moves$'
    expect_out '^ +1  Two +rejected +solution 2: move 3: '
    expect_out '^1 ok, 1 rejected, 0 missing, 0 invalid$'
    run check file.sok --json
    expect_lines 2
    expect_field number 2 2
    printf '######\n#    #\n#@$ .#\n######\nSolution\nrr\n' > file.sok
    run check file.sok
    expect_rc 1
    expect_out '^1 rejected only because of upper and lower case: try --any-case$'
    run check file.sok --any-case
    expect_rc 0
    run check "$data/pancakes.txt"
    expect_rc 2
    expect_err 'a file of pancake has no solutions in it'
}

# ---- SameGame ----

test_keep_samegame_files() {
    printf '1 2 2\n1 1 2\n' > a.txt
    printf '1,2,2\n1,1,2\n' > b.txt
    printf '[[1,2,2],[1,1,2]]\n' > c.txt
    printf 'rrssrr\nssrrss\nrrssrr\n' > d.txt
    run solve a.txt b.txt c.txt --json
    expect_rc 0
    expect_json
    expect_lines 3
    local line
    for line in 1 2 3; do
        expect_field domain '"samegame"' $line
        expect_field score 1002 $line
        expect_field blocks_left 0 $line
        expect_field cleared true $line
        expect_field hash "$(field hash 1)" $line
    done
    run solve a.txt
    expect_out ' optimal score, cleared$'
    run solve d.txt --json
    expect_field domain '"samegame"'
    printf '11\n23\n' > left.txt
    run solve left.txt
    expect_out ' optimal score, [0-9]+ blocks? left$'
    run solve left.txt --json
    expect_field cleared false
    cp out left.json
    run check left.txt left.json
    expect_out ' moves?, [0-9]+ blocks? left$'
    run hint --help
    expect_out 'Works in every domain: sokoban, samegame, tiles, pancake, tictactoe'
    run explain --help
    expect_out 'Works in every domain that has a goal to reach, such as sokoban, tiles and pancake'
}

# ---- words ----

test_words_exit_status_of_impossible() {
    printf '####\n#@ #\n#$.#\n####\n' > file.xsb
    run solve file.xsb
    expect_rc 0
    expect_out ' impossible +proved'
    run solve --help
    expect_out 'Exit status: 0 every instance solved or proved impossible'
}

test_words_told_once() {
    printf '#####\n#@$ #\n#####\n' > file.xsb
    "$program" solve file.xsb > both 2>&1
    expect_equal "$(grep -c 'more boxes than goals' both)" 1
    run solve file.xsb
    expect_rc 2
    expect_out 'more boxes than goals'
    expect_err 'more boxes than goals'
}

test_words_plain() {
    : > empty.xsb
    run solve empty.xsb
    expect_rc 2
    expect_err '^empty.xsb:1:1: the file is empty$'
    run solve "$data/first.xsb" --out nowhere/found.sok
    expect_rc 2
    expect_err '^soloist: nowhere/found.sok cannot be written: there is no folder nowhere$'
    expect_silence out
    run solve "$data/first.xsb" --out .
    expect_rc 2
    expect_err 'cannot be written: it is a folder$'
}

test_words_file_alone() {
    run "$data/first.xsb" --only 1 --json
    expect_rc 0
    expect_json
    run "$data/first.xsb:1-2"
    expect_rc 0
    expect_out '^2 solved of 2 '
    run first:1
    expect_rc 0
    run nowhere.xsb
    expect_rc 2
    expect_err '^soloist: nowhere.xsb: no command or file of that name'
}

# A wrong character in place of the wall at either end of a row is reported where it is, and the level keeps its title.
test_keep_wrong_wall_is_reported() {
    printf '######\n#@$ .#\n######\nTitle: A\n\n######\n#@$ .x\n######\nTitle: B\n' > right.xsb
    run solve --json right.xsb
    expect_rc 2
    expect_lines 2
    expect_field name '"A"' 1
    expect_field line 7 2
    expect_field column 6 2
    printf '######\nX@$ .#\n#    #\n######\n' > left.xsb
    run solve left.xsb
    expect_rc 2
    expect_err "left.xsb:2:1: unknown character 'X'"
}

# A solution without the proof that was asked for is not a full answer.
test_keep_missing_proof_is_told() {
    run solve --optimal pushes-moves --first "$data/first.xsb:11"
    expect_rc 1
    expect_out '^1 solved without the proof that --optimal pushes-moves asks for'
    run solve --optimal pushes-moves "$data/first.xsb:11"
    expect_rc 0
    expect_out 'optimal pushes-moves'
}

test_keep_optimal_contradicts_domain() {
    run solve "$data/first.xsb" --only 1 -d sokoban:optimal=moves --optimal pushes
    expect_rc 2
    expect_err '^soloist: --optimal pushes contradicts --domain sokoban:optimal=moves: give only one of them$'
    run solve "$data/first.xsb" --only 1 -d sokoban:optimal=moves --optimal moves
    expect_rc 0
    run solve "$data/first.xsb" --only 1 --optimal some
    expect_rc 2
    expect_err 'or only the word any$'
}
