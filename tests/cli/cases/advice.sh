# soloist hint, soloist explain, soloist info duplicates.

write_frozen() { printf '########\n#  ... #\n# $$ $ #\n# $$  @#\n#  ..  #\n########\n'; }

test_hint() {
    printf '#######\n#@ $ .#\n#######\n' > file
    run hint file
    expect_rc 0
    expect_out '^push the box at column 4, row 2 right: rR$'
    expect_out '^2 pushes and 3 moves to the end, no solution has fewer pushes$'
    run hint file --json
    expect_rc 0
    expect_out '"push":\{"column":4,"row":2,"direction":"right"\},"letters":"rR","pushes_left":2,"moves_left":3'
    "$program" hint - < file > again
    run hint file
    expect_same out again
}

# The proof is about what the search minimised, and a game of two players is not proved by its score alone.
test_hint_says_what_is_proved() {
    run hint "$data/first.xsb:11" -d sokoban:optimal=moves --time 1000
    expect_rc 0
    expect_out ' and 46 moves to the end, no solution has fewer moves$'
    run hint "$data/first.xsb:11" -d sokoban-moves --time 1000
    expect_out ' and 46 moves to the end, no solution has fewer moves$'
    run hint "$data/first.xsb:11" -d sokoban-moves --json --time 1000
    expect_field optimal true
    expect_field optimal_for '"moves"'
    run hint "$data/first.xsb:11" -m astar
    expect_out '^13 pushes and [0-9]+ moves to the end, no solution has fewer pushes$'
    run hint "$data/tictactoe.txt:1"
    expect_rc 0
    expect_out '^score at the end 0 if both players play perfectly$'
    printf '#####\n#@$.#\n#####\n' > file
    run hint file
    expect_out '^1 push and 1 move to the end, no solution has fewer pushes$'
    run explain file
    expect_out '^not dead: it can be solved with 1 push$'
}

# The advice names the limit that ended the search.
test_advice_names_the_limit() {
    printf '##########\n#        #\n# $$ @ . #\n#  $   . #\n#     .  #\n##########\n' > hard
    run hint hard --method astar --nodes 1
    expect_rc 1
    expect_out '^no hint: nothing found and nothing proved; try --nodes 10$'
    run explain hard --nodes 1
    expect_rc 1
    expect_out '^not known to be dead: try --nodes 10$'
    write_endless | tail -n 1 > file
    run hint file --method bfs --nodes 1000
    expect_rc 1
    expect_out '^nothing found and nothing proved; try --nodes 10000$'
    "$program" hint file --method bfs --time 60 > out 2> err &
    local process=$!
    last="soloist hint, then SIGINT"
    wait_working $process 20
    kill -INT $process
    wait_end $process
    expect_rc 1
    expect_out '^nothing found and nothing proved; interrupted$'
}

# After an interrupt the positions that are left have no answer.
test_advice_interrupted_says_what_is_left() {
    local i process
    for i in 1 2 3; do write_endless | tail -n 1; done > file
    "$program" hint file --method bfs --time 60 > out 2> err &
    process=$!
    last="soloist hint, then SIGINT"
    wait_working $process 20
    kill -INT $process
    wait_end $process
    expect_rc 1
    expect_err '^soloist: interrupted: 2 not tried$'
}

# Several files: every answer names its file.
test_hint_names_the_file() {
    head -n 8 "$data/first.xsb" > a.xsb
    cp a.xsb b.xsb
    run hint a.xsb b.xsb
    expect_rc 0
    expect_out '^a.xsb: 1  '
    expect_out '^b.xsb: 1  '
    run hint "$data/first.xsb" --only 1-2
    expect_out '^2  '
    refute_out 'first.xsb'
}

test_hint_solved_dead_and_unknown() {
    printf '#####\n#@* #\n#####\n' > solved
    run hint solved
    expect_rc 0
    expect_out '^solved$'
    write_frozen > dead
    run hint dead --json
    expect_rc 0
    expect_field status '"dead"'
    expect_field reason '"freeze"'
    printf '##########\n#        #\n# $$ @ . #\n#  $   . #\n#     .  #\n##########\n' > hard
    run hint hard --method astar --nodes 1
    expect_rc 1
    expect_out '^no hint: '
}

test_explain_draws_the_boxes() {
    write_frozen > dead
    run explain dead
    expect_rc 0
    expect_out '^# XX \$ #$'
    expect_out '^dead \(freeze\): '
    expect_out '^X: \(3,3\) \(4,3\) \(3,4\) \(4,4\)$'
    run explain dead --json --quick
    expect_rc 0
    expect_out '"status":"dead","reason":"freeze","boxes":\[\[3,3\],\[4,3\],\[3,4\],\[4,4\]\]'
}

test_explain_says_what_it_does_not_know() {
    run explain "$data/first.xsb" --quick
    expect_rc 1
    expect_out '^not known to be dead by the quick rules$'
    run explain "$data/first.xsb" --only 1-3
    expect_rc 0
    expect_out '^not dead: it can be solved with 2 pushes$'
}

test_advice_in_other_domains() {
    run hint "$data/tiles.txt" --only 2
    expect_rc 0
    expect_out '^slide tile [0-9]+ up$'
    expect_out '^cost to the goal 4, and no solution costs less$'
    # The tile slides right into the blank, whose direction in a solution is L.
    printf '1 0 2 3 4 5 6 7 8\n' > near
    run hint near --json
    expect_field move '"slide tile 1 right"'
    expect_field line '"L"'
    printf '112\n331\n221\n' > board
    run hint board -m bnb
    expect_rc 0
    expect_out '^group at column [1-3], row [1-3] from the bottom: \[[0-2],[0-2]\]$'
    printf '212\n121\n233\n' > board
    run hint board
    expect_out '^group at column 2, row 1 from the bottom: \[1,0\]$'
    run hint "$data/pancakes.txt" --only 1 --json
    expect_rc 0
    expect_field status '"hint"'
    expect_field move '"flip 3"'
    printf '0 2 1 3 4 5 6 7 8\n' > odd
    run explain odd
    expect_rc 0
    expect_out '^dead .impossible.: '
    printf "12\n21\n" > over.txt
    run explain over.txt --domain samegame
    expect_rc 0
    expect_out "^the game is over$"
    run explain "$data/samegame.txt" --only 1 --nodes 1000
    expect_rc 0
    expect_out 'a game is known that scores'
    run hint odd -d sokoban
    expect_rc 2
}

test_advice_bad_input() {
    printf '#####\n#@$x#\n#####\n' > file
    local command
    for command in hint explain; do
        run $command file
        expect_rc 2
        expect_err '^file:2:4: unknown character'
        expect_silence out
        (cat file; printf '\n#####\n#@$.#\n#####\n') > two
        run $command two --json
        expect_rc 2
        expect_lines 2
        expect_out '^\{"id":1,"file":"two","name":"","status":"invalid","error":"unknown character .*","line":2,"column":4\}$'
        expect_out '^\{"id":2,'
        run $command
        expect_rc 2
        expect_err 'which FILE'
    done
}

test_info_duplicates() {
    printf '#####\n#@$.#\n#####\n; turned\n###\n#.#\n#$#\n#@#\n###\n; other\n######\n#@ $.#\n######\n' > one
    printf '######\n#.$ @#\n######\n' > two
    run info duplicates one two
    expect_rc 0
    expect_out '^one 1 '
    expect_out '^  = one 2 '
    expect_out '^one 3 '
    expect_out '^  = two 1 '
    expect_out '^4 levels, 2 different, 2 groups of equal ones$'
    run info duplicates one --json
    expect_rc 0
    expect_lines 1
    expect_out '^\{"group":1,"levels":\[\{"file":"one","id":1,'
    run info duplicates two
    expect_out '^1 level, 1 different, 0 groups of equal ones$'
    run info duplicates
    expect_rc 2
}

test_solve_reuse() {
    printf '######\n#@   #\n# $ .#\n######\n; turned\n####\n# .#\n#  #\n# $#\n#@ #\n####\n; other\n######\n#@ $.#\n######\n' > file
    printf '; mirrored\n\n######\n#  @ #\n#. $ #\n######\n' > more
    run solve file more --reuse --json --jobs 1 --threads 1
    expect_rc 0
    expect_lines 4
    expect_json
    expect_field method '"astar"'
    expect_field method '"astar"' 3
    expect_field pushes 2 4
    expect_field method '"same as 1 of file"' 4
    cp out answers
    run check file answers
    expect_rc 0
    run check more answers
    expect_rc 0
    run solve file more --json
    refute_out 'same as'
}

# The same game with the player elsewhere has the same least pushes, but another walk.
test_solve_reuse_counts_moves() {
    printf '; left\n##########\n#@   $.  #\n#.$      #\n##########\n' > file
    printf '; right\n##########\n#    $.@ #\n#.$      #\n##########\n' >> file
    printf '; left, mirrored\n##########\n#  .$   @#\n#      $.#\n##########\n' >> file
    run solve file --optimal moves --json
    grep -oE '"moves":[0-9]+|"optimal":[a-z]+' out > right
    run solve file --optimal moves --reuse --json --jobs 1
    grep -oE '"moves":[0-9]+|"optimal":[a-z]+' out > found
    expect_same right found
    refute_out 'same as 1 of file.*right'
    expect_field method '"same as 1 of file"' 3
    run solve file --optimal pushes --reuse --json --jobs 1
    expect_field method '"same as 1 of file"' 2
    expect_field optimal true 2
}

# One level with the player on different squares of his region: a proof about moves holds for one square only.
test_solve_reuse_keeps_only_valid_proofs() {
    local top='#########\n#   #   #\n# $   $ #\n#   #   #\n## #.# ##\n' bottom='#  $ $  #\n#       #\n#########\n'
    printf "; goal\n$top#  .+.  #\n$bottom" > file
    printf "; corner\n#########\n#@  #   #${top:20}#  ...  #\n$bottom" >> file
    printf "; opposite\n#########\n#   #  @#${top:20}#  ...  #\n$bottom" >> file
    run solve file --optimal pushes-moves --json --jobs 1
    expect_lines 3
    grep -oE '"moves":[0-9]+|"optimal":[a-z]+|"optimal_for":"[a-z-]+"' out > right
    run solve file --optimal pushes-moves --reuse --json --jobs 1
    grep -oE '"moves":[0-9]+|"optimal":[a-z]+|"optimal_for":"[a-z-]+"' out > found
    expect_same right found
    expect_field method '"same as 2 of file"' 3
    run solve file --reuse --polish 2 --json --jobs 1
    expect_field optimal_for '"pushes-moves"'
    expect_field method '"same as 1 of file"' 2
    expect_field optimal true 2
    expect_field optimal_for '"pushes"' 2
}
