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
    cp made.sok before
    run generate sokoban width=8 height=8 boxes=4 total_positions=3000 --count 6 --least-cost 5 --most-cost 40 \
        --least-effort 5 --most-effort 60 --graded --time 0 --out made.sok
    expect_same before made.sok
}

test_generate_nothing_fits() {
    run generate sokoban width=5 height=5 boxes=1 total_positions=100 --least-cost 500 --time 0.2 --out none.sok
    expect_rc 2
    expect_err 'the time is up: kept 0 of 1 wanted from [0-9]+ candidates'
    [ ! -e none.sok ] || fault "none.sok was written"
    run generate samegame --least-cost 5
    expect_rc 2
    expect_err 'cannot be proved'
    run generate sokoban --least-cost 9 --most-cost 3
    expect_rc 2
    expect_err 'the upper limit is below the lower one'
}

test_generate_draws_sizes() {
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
