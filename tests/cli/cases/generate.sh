# soloist generate.

test_generate_same_seed_same_instances() {
    local domain
    for domain in sokoban samegame tiles pancake; do
        run generate $domain --count 2 --seed 5
        expect_rc 0
        cp out first
        run generate $domain --count 2 --seed 5
        expect_same out first
        run generate $domain --count 2 --seed 6
        ! cmp -s out first || fault "$domain: another seed, the same instances"
        run generate $domain --count 1 --seed 5
        head -c "$(wc -c < out)" first > beginning
        expect_same out beginning
    done
}

test_generate_reads_back() {
    local domain
    for domain in sokoban samegame tiles pancake; do
        run generate $domain --count 3 --seed 2 --out made
        expect_rc 0
        expect_silence out
        run solve made --nodes 10 --json
        expect_json
        expect_lines 3
        expect_field domain "\"$domain\""
        refute_out '"invalid"'
    done
}

test_generate_options() {
    run generate pancake n=7 flips=3 --count 2
    expect_rc 0
    expect_equal "$(grep -v '^;' out | head -n 1 | wc -w | tr -d ' ')" 7
    run generate pancake n=0
    expect_rc 2
    run generate pancake m=7
    expect_rc 2
    expect_err "unknown option 'm'"
    run generate sokoban boxs=3
    expect_rc 2
    expect_err "unknown option 'boxs': did you mean boxes\? known: .*boxes"
    run generate pancakes
    expect_rc 2
    expect_err 'did you mean pancake\?'
    run generate pancake --out no/such/folder
    expect_rc 2
}

test_generate_within_bands() {
    run generate sokoban width=8 height=8 boxes=4 total_positions=3000 --count 6 --least-cost 5 --most-cost 40 \
        --least-effort 5 --most-effort 60 --graded --time 0 --out made.sok
    expect_rc 0
    expect_silence out
    head -n 1 made.sok | grep -q '^; soloist generate sokoban width=8 .*--graded --count 6 --seed 1 --time 0$' ||
        fault "no command in the head"
    run check made.sok made.sok
    expect_rc 0
    expect_out '^6 ok'
    # The efforts rise, and are what A* counts; the pushes are the least.
    run solve made.sok --method astar --json
    expect_rc 0
    expect_lines 6
    expect_json
    expect_equal "$(grep -o '"expanded":[0-9]*' out | cut -d: -f2)" "$(sed -n 's/.*effort \([0-9]*\)$/\1/p' made.sok)"
    expect_equal "$(grep -o '"expanded":[0-9]*' out | cut -d: -f2)" \
        "$(grep -o '"expanded":[0-9]*' out | cut -d: -f2 | sort -n)"
    expect_equal "$(grep -o '"pushes":[0-9]*' out | cut -d: -f2)" "$(sed -n 's/.*: \([0-9]*\) pushes.*/\1/p' made.sok)"
    run info duplicates made.sok
    expect_out ' 0 groups'
    # The same levels by the other spelling and for every number of threads; their order is that of the file.
    cp made.sok before
    run generate sokoban width=8 height=8 boxes=4 total_positions=3000 --count 6 --least cost=5 --most cost=40 \
        --least effort=5 --most effort=60 --graded --time 0 --jobs 3 --out made.sok
    expect_same before made.sok
}

# Any measure can be a band; each is reported in a comment and in JSON.
test_generate_measures() {
    run generate sokoban width=7 height=7 boxes=2 total_positions=500 --count 3 --least pushes=6 --most moves=60 \
        --least box-changes=2 --most dead-ends=60 --time 0 --json --jobs 2
    expect_rc 0
    expect_lines 3
    local field
    for field in cost effort pushes moves box_lines box_changes pushing_sessions player_lines branching dead_ends symmetry; do
        expect_equal "$(grep -c "\"$field\":[0-9]" out)" 3
    done
    [ "$(grep -o '"pushes":[0-9]*' out | cut -d: -f2 | sort -n | head -n 1)" -ge 6 ] || fault "too few pushes"
    [ "$(grep -o '"moves":[0-9]*' out | cut -d: -f2 | sort -n | tail -n 1)" -le 60 ] || fault "too many moves"
    [ "$(grep -o '"box_changes":[0-9]*' out | cut -d: -f2 | sort -n | head -n 1)" -ge 2 ] || fault "too few changes"
    run generate sokoban width=7 height=7 boxes=2 total_positions=500 --count 2 --measure --time 0 --out as-drawn.sok
    expect_rc 0
    grep -qE '^; [0-9]+ box lines?, .* branching [0-9.]+, dead ends [0-9.]+%, symmetry [0-9]$' as-drawn.sok ||
        fault "no measures in the comment"
    run generate sokoban width=7 height=7 boxes=1 total_positions=200 --count 4 --measure --time 0 --out one-box.sok
    expect_rc 0
    ! grep -E '(^; |, )1 [a-z]+ [a-z]+s(,|$)' one-box.sok || fault "a plural of one"
    grep -qE ', 1 pushing session, ' one-box.sok || fault "no level with one pushing session"
    run check as-drawn.sok as-drawn.sok
    expect_out '^2 ok'
    run show as-drawn.sok
    expect_out '^1 1: [0-9]+ pushes, '
    run generate pancake n=6 --measure --count 2 --json
    expect_lines 2
    expect_out '"branching":5,"dead_ends":0,'
    refute_out 'box_lines'
    run generate pancake n=6 --measure
    expect_out '^; 1: cost [0-9]+, [0-9]+ moves, effort'
    refute_out 'pushes'
    # A sorted stack is easy, not too hard.
    run generate pancake n=1 --measure --time 0
    expect_rc 0
    expect_out '^; 1: cost 0, 0 moves, effort'
    run generate pancake n=6 --count 2 --json
    expect_lines 2
    expect_out '"domain":"pancake","board":"'
    run generate sokoban --least box-lins=3
    expect_rc 2
    expect_err 'did you mean box-lines\?'
    run generate sokoban --most effort
    expect_rc 2
    expect_err 'expected MEASURE=NUMBER; the measures are cost, effort, pushes'
    run generate sokoban:boxes=3
    expect_rc 2
    expect_err 'give the options as separate words: generate sokoban boxes=3'
    run generate pancake --least box-lines=3
    expect_rc 2
    expect_err 'pancake has no measure box-lines'
}

# --unchanged keeps levels as the generator draws them: they are among those without bands.
test_generate_unchanged() {
    run generate sokoban width=7 height=7 boxes=2 total_positions=500 --count 40 --out drawn.sok
    run generate sokoban width=7 height=7 boxes=2 total_positions=500 --count 3 --least effort=8 --unchanged --time 0 \
        --out kept.sok
    expect_rc 0
    run check kept.sok kept.sok
    expect_out '^3 ok'
    cat kept.sok drawn.sok > both.sok
    run info duplicates both.sok
    expect_out '^43 levels, (40|39|38|37|36) different'
}

test_generate_nothing_fits() {
    run generate sokoban width=5 height=5 boxes=1 total_positions=100 --least-cost 500 --time 0.2 --out none.sok
    expect_rc 2
    expect_err 'the time is up: kept 0 of 1 wanted from [0-9]+ candidates'
    expect_err '(none of [0-9]+ candidates? fitted|no candidate examined); try wider bands'
    [ ! -e none.sok ] || fault "none.sok was written"
    run generate samegame --least-cost 5
    expect_rc 2
    expect_err 'cannot be proved'
    run generate sokoban --least-cost 9 --most-cost 3
    expect_rc 2
    expect_err 'the upper limit is below the lower one'
    run generate sokoban --least symmetry=9
    expect_rc 2
    expect_err 'symmetry: the lower limit must be at most 8'
    run generate sokoban --least dead-ends=101
    expect_rc 2
    expect_err 'dead-ends: the lower limit must be at most 100'
    run generate sokoban --most effort=0
    expect_rc 2
    expect_err 'effort: the upper limit must be at least 1'
}

# An upper limit of 0 is a limit.
test_generate_most_zero() {
    run generate pancake n=4 --most cost=0 --time 0
    expect_rc 0
    expect_out '^; soloist generate pancake n=4 --most cost=0 --count 1'
    expect_out '^1 2 3 4$'
    cp out before
    run generate pancake n=4 --most-cost 0 --time 0
    expect_same out before
    run generate pancake n=4 --least cost=1 --most cost=0
    expect_rc 2
    expect_err 'the upper limit is below the lower one'
}

test_generate_draws_sizes() {
    run generate sokoban boxes=5 most_boxes=3
    expect_rc 2
    expect_err 'most_boxes must not be less than'
    run generate sokoban width=6 most_width=9 height=6 most_height=9 boxes=1 most_boxes=3 total_positions=200 --count 12
    expect_rc 0
    cp out made
    run info --space made --json
    expect_lines 12
    [ "$(grep -o '"boxes":[0-9]*' out | sort -u | wc -l)" -ge 2 ] || fault "always as many boxes"
    ! grep -qE '"boxes":([4-9]|0)' out || fault "more boxes than asked for"
}

# The set that the generator made: data/graded500.sok.
test_generate_graded_set() {
    run check graded500 graded500
    expect_rc 0
    expect_out '^500 ok'
    run info duplicates graded500
    expect_out '^500 levels, 500 different'
    run solve graded500:1-100 --optimal pushes --json
    expect_rc 0
    expect_equal "$(grep -o '"pushes":[0-9]*' out | cut -d: -f2)" \
        "$(sed -n 's/^; [0-9]*: \([0-9]*\) pushes.*/\1/p' "$data/graded500.sok" | head -n 100)"
}

# A board made for the other goal of the tiles says how to solve it; without that option, the reason names it.
test_generate_tiles_of_the_other_goal() {
    run generate tiles goal=blank-last walk=20 --count 2 --out made
    expect_rc 0
    grep -q 'to be solved with -d tiles:goal=blank-last$' made || fault "no option in the comment"
    run solve made
    expect_out 'odd permutation of the goal 0 1 2 \.\.\., .* can be reached: -d tiles:goal=blank-last'
    run solve made -d tiles:goal=blank-last
    expect_out '^2 solved of 2'
    # They are measured with the same goal.
    run generate tiles goal=blank-last walk=10 --measure --time 0
    expect_rc 0
    expect_out '^; to be solved with -d tiles:goal=blank-last$'
    expect_out '^; 1: cost [0-9]+,'
    # A board that neither goal admits.
    echo '1 0 2 3 4 5 6 8 7' > neither
    run solve neither
    expect_out 'odd permutation of the goal 0 1 2 \.\.\., and moves keep the parity$'
}

# The last letter of a solution is a push; in JSON the solution is a member of its own, and no board ends in a newline.
test_generate_solution() {
    run generate sokoban solution=true width=6 height=6 boxes=1 total_positions=200 --count 5 --json
    expect_rc 0
    expect_equal "$(grep -cE '"board":"[^"]*#","solution":"[lurdLURD]*[LURD]"' out)" 5
    run generate sokoban width=6 height=6 boxes=1 total_positions=200 --count 2 --measure --time 0 --json
    expect_equal "$(grep -cE '"board":"[^"]*#","solution":"[lurdLURD]*[LURD]"' out)" 2
}

# Instances that are left out are counted.
test_generate_left_out() {
    run generate pancake n=2 --count 2 --seed 1 --measure --time 0
    expect_rc 0
    expect_err 'generate: left out: [0-9]+ candidates that A\* did not solve within 1000000 states, [1-9][0-9]* duplicates'
}

test_generate_warns() {
    run generate pancake n=5 --unchanged --time 3 --jobs 1 --out made
    expect_rc 0
    expect_err 'warning: --unchanged has no effect: instances are measured only with'
    expect_err 'warning: --time has no effect'
    expect_err 'warning: --jobs has no effect'
    ! grep -q replaced err || fault "nothing was replaced"
    run generate pancake n=5 --out made
    expect_rc 0
    expect_err 'generate: made was replaced'
}

test_generate_interrupted() {
    "$program" generate sokoban width=6 height=6 boxes=1 total_positions=200 --count 1000000 2> err > out &
    local process=$!
    last="soloist generate, then SIGINT"
    wait_lines out 1
    kill -INT $process
    wait_end $process
    expect_rc 1
    expect_err 'generate: interrupted: made [0-9]+ of 1000000'
}

test_generate_between_whole_numbers() {
    local domain
    for domain in "tiles width=3 height=3" "sokoban width=6 height=6 boxes=1"; do
        run generate $domain --graded --least effort=10.2 --most effort=10.7 --count 3
        expect_rc 2
        expect_err '^soloist: generate: effort: no whole number lies between the limits$'
    done
    run generate tiles width=3 height=3 --graded --least effort=10.2 --most effort=11.7 --count 1 --time 0
    expect_rc 0
    expect_out 'effort 11$'
    run generate tiles --least effort=2000000
    expect_rc 2
    expect_err 'the lower limit is above 1000000, the upper limit if none is given: set an upper limit too$'
}

# Some of the sizes that are drawn are too small for the boxes.
test_generate_passes_over_impossible_sizes() {
    run generate sokoban boxes=2 width=4 most_width=9 height=4 most_height=9 total_positions=200 --count 20
    expect_rc 0
    expect_equal "$(grep -c '[@+]' out)" 20
    cp out twenty
    run generate sokoban boxes=2 width=4 most_width=9 height=4 most_height=9 total_positions=200 --count 5
    expect_same out <(head -n "$(wc -l < out)" twenty)
    run generate sokoban boxes=20 width=4 height=4 --count 3
    expect_rc 2
    expect_err '20 boxes off their goals need 41 free cells'
}
