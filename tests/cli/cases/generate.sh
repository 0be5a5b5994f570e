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
