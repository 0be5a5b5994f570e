# soloist optimize, solve --polish, solve --write-back.

# A level with two solutions of its own: a roundabout one and a better one.
write_roundabout() {
    cat << 'END'
; a collection of ours
Collection: Roundabout

######
#    #
#@$ .#
######
Title: Detour
Author: nobody
Comment:
walks about
first
Comment-End:
Solution
urrrllldRR
END
}

test_optimize_shortens() {
    write_roundabout > file.sok
    run optimize file.sok
    expect_rc 0
    expect_out 'shorter +2 -> 2 pushes +10 -> 2 moves .* optimal'
    expect_out '^  moves +10 -> +2  -8$'
    expect_out '^  player lines +5 -> +1 '
    expect_out '^RR$'
    expect_silence err
    run optimize file.sok --json --aim moves
    expect_rc 0
    expect_lines 1
    expect_field status '"shorter"'
    expect_field solution '"RR"'
    expect_field optimal true
    cp out better
    run check file.sok better
    expect_rc 0
}

# Several at a time come out in order, and as one by one.
test_optimize_jobs() {
    run solve "$data/graded500.sok" --only 1-12 --out found.sok --quiet --nodes 20000 --time 0
    expect_rc 0
    "$program" optimize found.sok --json --nodes 20000 --time 0 | sed 's/"time_s":[^,]*,//' > one
    "$program" optimize found.sok --json --nodes 20000 --time 0 --jobs 3 | sed 's/"time_s":[^,]*,//' > three
    [ "$(wc -l < one)" = 12 ] || fault "12 solutions, not $(wc -l < one)"
    expect_same one three
    run optimize found.sok --jobs 0
    expect_rc 2
}

test_optimize_standard_input() {
    write_roundabout > file.sok
    "$program" optimize - --json < file.sok > out
    expect_field solution '"RR"'
}

test_optimize_what_the_solver_found() {
    run solve "$data/first.xsb" --method greedy --json
    cp out found
    run optimize "$data/first.xsb" found --json --time 60
    expect_rc 0
    expect_lines 12
    cp out better
    run check "$data/first.xsb" better
    expect_rc 0
    expect_out '^12 ok'
    # What is proved shortest by the exact search is what comes out.
    run solve "$data/first.xsb" --optimal pushes --json
    local id
    for id in 3 7 10 12; do
        local most
        most=$(field pushes $id)
        sed -n "${id}p" better | grep -q "\"after\":{\"moves\":[0-9]*,\"pushes\":$most," ||
            fault "level $id: not the least pushes, $most"
    done
}

test_optimize_every_aim() {
    write_roundabout > file.sok
    local aim
    for aim in pushes-moves moves-pushes pushes moves; do
        run optimize file.sok --aim $aim --json
        expect_rc 0
        refute_out '"status":"rejected"'
    done
    run optimize file.sok --aim beauty
    expect_rc 2
}

# A line shows the counts that were asked for, the help names all of them, and it is said how to keep the result.
test_optimize_says_what_it_did() {
    write_roundabout > file.sok
    printf '\n#####\n#@$.#\n#####\nSolution: R\n' >> file.sok
    run optimize file.sok --aim box-lines-moves-sessions
    expect_rc 0
    expect_out 'shorter +1 -> 1 box lines +1 -> 1 pushing sessions +2 -> 2 pushes +10 -> 2 moves'
    expect_out '^the shorter solutions were not kept: --out FILE writes them, --write-back puts'
    run optimize file.sok --out better.sok
    refute_out 'box lines +1 .* pushes'
    refute_out 'not kept'
    run optimize better.sok
    refute_out 'not kept'
    run optimize --help
    expect_out '\|box-changes\|sessions$'
    run optimize "$data/samegame.txt"
    expect_rc 2
    expect_err 'samegame.txt has no Sokoban level'
}

test_optimize_lost_case() {
    printf '######\n#    #\n#@$ .#\n######\n' > file
    echo URRRLLLDRR > lost
    run optimize file lost
    expect_rc 1
    expect_out 'rejected +right except for upper and lower case: --any-case'
    run optimize file lost --any-case
    expect_rc 0
    expect_out '10 -> 2 moves'
}

test_optimize_bad_input() {
    printf '#####\n#@$.#\n#####\n\n#####\n#@$ #\n#####\n' > file
    printf 'R\nR\n' > solutions
    run optimize file solutions
    expect_rc 2
    expect_out '2 .* invalid +line 6, column 3: more boxes than goals'
    run optimize file
    expect_rc 2
    expect_out 'missing +no solution to start from'
    run optimize
    expect_rc 2
    expect_err 'expected FILE'
    run optimize nowhere.sok
    expect_rc 2
}

test_solve_polish() {
    run solve "$data/first.xsb" --only 7 --method greedy --json
    local before
    before=$(field moves)
    run solve "$data/first.xsb" --only 7 --method greedy --polish 30 --json
    expect_rc 0
    expect_json
    expect_field optimal true
    [ "$(field moves)" -lt "$before" ] || fault "not shorter"
    expect_out '"method":"greedy\+polish"'
    run solve "$data/pancakes.txt" --only 1 --polish 1 --json
    expect_rc 0
}

# ---- write-back ----

test_write_back_keeps_the_file() {
    write_roundabout > file.sok
    printf '\n5#|#@$.#|5#\nTitle: Packed\n' >> file.sok
    cp file.sok before
    run solve file.sok --write-back
    expect_rc 0
    # Only lines were added.
    expect_equal "$(diff before file.sok | grep -c '^<')" 0
    expect_equal "$(grep -c '^Solution' file.sok)" 3
    grep -q '^5#|#@\$.#|5#$' file.sok || fault "the packed board is not as it was"
    grep -q '^Collection: Roundabout$' file.sok || fault "the head is lost"
    run check file.sok file.sok
    expect_rc 0
    # What is there is as good as anything: nothing is added again.
    cp file.sok before
    run solve file.sok --write-back
    expect_same before file.sok
    run optimize file.sok --write-back
    expect_rc 0
    expect_same before file.sok
}

# A level that is solved at the start needs no solution, so that none is added, neither once nor again.
test_write_back_adds_no_empty_solution() {
    printf '#####\n#@ *#\n#####\n\n#####\n#@$.#\n#####\n' > file.sok
    run solve file.sok --write-back
    expect_rc 0
    expect_equal "$(grep -c '^Solution' file.sok)" 1
    cp file.sok before
    run solve file.sok --write-back
    expect_same before file.sok
}

# A solution that is better under the aim alone is written too: three box changes instead of five, but more moves.
test_write_back_under_any_aim() {
    run solve "$data/first.xsb" --only 5 --optimal pushes-moves --out least.sok
    cp least.sok file.sok
    run optimize file.sok --aim box-changes --write-back
    expect_rc 0
    expect_out '^wrote 1 solution to file.sok$'
    expect_equal "$(grep -c '^Solution' file.sok)" 2
    run check file.sok
    expect_rc 0
    # The same solution is not written twice, even if the optimizer begins with another one.
    cp file.sok before
    run optimize file.sok least.sok --aim box-changes --write-back
    expect_out '^no new solution: file.sok was not changed$'
    expect_same before file.sok
}

test_write_back_to_another_file() {
    write_roundabout > file.sok
    cp file.sok before
    run solve file.sok --write-back --out new.sok
    expect_rc 0
    expect_same before file.sok
    grep -q '^Title: Detour$' new.sok || fault "the title is lost"
    expect_equal "$(grep -c '^Solution' new.sok)" 2
    run optimize file.sok --write-back --out - --quiet
    expect_rc 0
    expect_out '^Solution: RR$'
    expect_out '^urrrllldRR$'
}

test_write_back_refuses() {
    run solve first --write-back
    expect_rc 2
    expect_err 'not a file: name one with --out'
    run solve "$data/pancakes.txt" --write-back
    expect_rc 2
    expect_err 'not a file of Sokoban levels'
    cp "$data/first.xsb" a.xsb
    cp "$data/first.xsb" b.xsb
    run solve a.xsb b.xsb --write-back --out c.sok
    expect_rc 2
}

# A file with solutions is replaced only by one with more of them.
test_write_back_replaces_nothing_without_a_solution() {
    cp "$data/first.xsb" a.xsb
    run solve a.xsb --write-back --out a.sok --quiet
    cp a.sok before
    echo nonsense > bad
    run solve a.xsb --write-back --out a.sok --resume bad
    expect_rc 2
    expect_same before a.sok
    run solve a.xsb --only 1 --nodes 1 --method bfs --first --write-back --out a.sok
    expect_out '^no new solution: a.sok was not changed$'
    expect_same before a.sok
    run solve a.xsb --only 1 --nodes 1 --method bfs --first --write-back --out copy.sok
    expect_out '^no new solution: copy.sok is a copy of a.xsb$'
    expect_same a.xsb copy.sok
}

# The objective says which counts matter: two solutions of this level differ in their box lines alone.
test_write_back_under_the_objective() {
    [ -e "$shared/levels/microban1.xsb" ] || { skip "needs shared: microban1.xsb"; return; }
    run solve "$shared/levels/microban1.xsb" --only 43 --optimal pushes-moves --out a.sok
    expect_rc 0
    run solve a.sok --optimal pushes-moves --write-back
    expect_out '^no new solution: a.sok was not changed$'
    run solve a.sok --optimal pushes-moves-box-lines --write-back
    expect_out '^wrote 1 solution to a.sok$'
    run solve a.sok --optimal pushes-moves-box-lines --write-back
    expect_out '^no new solution: a.sok was not changed$'
}

# A level and its solutions, one Solution line for each word.
write_small_level() {
    printf '######\n#@   #\n# $. #\n#    #\n######\nTitle: B\n'
    [ $# = 0 ] || printf 'Solution: %s\n' "$@"
}

# A line that has a colon is not a continuation of the moves above it, however many moves follow the colon.
test_write_back_above_a_long_solution() {
    local detour
    detour=$(printf 'rl%.0s' {1..140})dR
    write_small_level "$detour" > file.sok
    run solve file.sok --write-back
    expect_rc 0
    run check file.sok
    expect_rc 0
    expect_out '^2 ok, 0 rejected'
    cp file.sok before
    run solve file.sok --write-back
    expect_rc 0
    cmp -s file.sok before || fault "the second --write-back has changed the file"
    for header in Snapshot Savegame 'Best solution' 'Solution/Optimizer'; do
        { write_small_level dR; echo "$header: $detour"; } > more.sok
        run check more.sok
        expect_rc 0
    done
}

# Of equal levels, the one that has the solution is shortened.
test_optimize_equal_levels() {
    { write_small_level; echo; write_small_level rldR; } > file.sok
    run check file.sok
    expect_out '^ *2 .* ok '
    run optimize file.sok
    expect_rc 1
    expect_out '^ *1 .* missing '
    expect_out '^ *2 .* shorter '
    run optimize file.sok --only 2
    expect_rc 0
}

# Solutions that were not shortened are not lost.
test_optimize_keeps_its_source() {
    run solve "$data/first.xsb" --out all.sok --quiet
    cp all.sok before
    run optimize "$data/first.xsb" all.sok --only 3 --out all.sok
    expect_rc 2
    expect_err '^soloist: --out: all.sok holds the solutions to start from: choose another name$'
    run optimize "$data/first.xsb" all.sok --only 3 --write-back --out ./all.sok
    expect_rc 2
    expect_same before all.sok
    run solve "$data/samegame.txt" --nodes 2000 --out games --quiet
    cp games before
    run solve "$data/samegame.txt" --only 2 --nodes 2000 --method nrpa --games games --out games
    expect_rc 2
    expect_err '^soloist: --games and --out with the same file exclude each other$'
    expect_same before games
}

test_optimize_cannot_write() {
    [ -e /dev/full ] || { skip "needs /dev/full"; return; }
    run solve "$data/first.xsb" --out all.sok --quiet
    run optimize all.sok --out /dev/full
    expect_rc 2
    expect_err 'No space left on device'
}

# A share of the memory is never 0, which would be no limit.
test_optimize_shares_little_memory() {
    run solve "$data/first.xsb" --only 5-6 --out all.sok --quiet
    run optimize all.sok --memory 1 --jobs 2 --json
    expect_equal "$(grep -c '"stopped":"memory"' out)" 2
}

test_optimize_takes_the_best_solution() {
    write_small_level dL rlrldR rldR > file.sok
    run optimize file.sok --json
    expect_rc 0
    expect_out '"before":\{"moves":4,'
    write_small_level rlrldR rldR > file.sok
    run optimize file.sok --json --nodes 1
    expect_out '"before":\{"moves":4,'
}

test_optimize_level_solved_at_the_start() {
    printf '####\n#@*#\n####\n' > done.xsb
    run solve done.xsb --save
    expect_rc 0
    run check done.sok
    expect_rc 0
    expect_out '^   1  +ok +needs no solution: solved at the start$'
    run optimize done.sok
    expect_rc 0
    expect_out '0 -> 0 moves'
}
