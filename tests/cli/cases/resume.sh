# soloist solve --resume and the table of files.

test_resume_goes_on() {
    run solve "$data/first.xsb:1-4" --resume done.jsonl --quiet
    expect_rc 0
    expect_equal "$(wc -l < done.jsonl)" 4
    # A run that was killed leaves a part of a line.
    printf '{"id":5,"file"' >> done.jsonl
    run solve "$data/first.xsb" --resume done.jsonl
    expect_rc 0
    expect_out '^12 solved of 12 '
    expect_out '^4 of them taken from an earlier run$'
    expect_equal "$(wc -l < done.jsonl)" 12
    expect_equal "$(grep -o '^{"id":[0-9]*' done.jsonl | cut -d: -f2 | tr '\n' ' ')" "1 2 3 4 5 6 7 8 9 10 11 12 "
    run check "$data/first.xsb" done.jsonl
    expect_rc 0
    cp done.jsonl before
    run solve "$data/first.xsb" --resume done.jsonl --json --out all.sok
    expect_rc 0
    expect_json
    expect_lines 12
    expect_same before done.jsonl
    expect_equal "$(grep -c '^Solution' all.sok)" 12
}

test_resume_tries_again_with_more() {
    run solve "$data/first.xsb" --only 12 --method astar --nodes 5 --resume done.jsonl
    expect_rc 1
    run solve "$data/first.xsb" --only 12 --method astar --nodes 5 --resume done.jsonl
    expect_rc 1
    expect_out '^1 of them taken from an earlier run$'
    run solve "$data/first.xsb" --only 12 --method astar --nodes 100000 --resume done.jsonl
    expect_rc 0
    expect_out '^1 solved of 1 '
    expect_equal "$(wc -l < done.jsonl)" 1
    # What is about other files stays.
    run solve "$data/pancakes.txt" --only 1 --resume done.jsonl
    expect_rc 0
    expect_equal "$(wc -l < done.jsonl)" 2
}

test_resume_after_kill() {
    write_endless > file
    "$program" solve file --method bfs --time 60 --memory 2G --jobs 2 --resume done.jsonl > out 2> err &
    local process=$!
    last="soloist solve --resume, then SIGKILL"
    wait_lines done.jsonl 1
    kill -KILL $process
    wait $process 2> /dev/null
    run solve file --method bfs --nodes 1000 --resume done.jsonl
    expect_rc 1
    expect_out '^1 solved, 1 unsolved of 2 '
    expect_out '^1 of them taken from an earlier run$'
    expect_equal "$(wc -l < done.jsonl)" 2
}

test_resume_believes_no_wrong_solution() {
    run solve "$data/first.xsb" --only 1 --resume done.jsonl
    sed -i 's/"solution":"rRR"/"solution":"rR"/' done.jsonl
    run solve "$data/first.xsb" --only 1 --resume done.jsonl
    expect_rc 0
    refute_out 'taken from an earlier run'
    grep -q '"solution":"rRR"' done.jsonl || fault "the right solution is not in the file"
}

# Every sitting plays with another seed, and the better game stays.
test_resume_keeps_the_better_game() {
    local best=0 score sitting
    for sitting in 1 2 3; do
        run solve "$data/samegame.txt" --only 5 --method random --iterations 20 --threads 1 --resume done.jsonl --json
        expect_rc 0
        expect_lines 1
        score=$(field score)
        [ "$score" -le "$best" ] || best=$score
        cp done.jsonl out
        expect_field score "$best"
        expect_field sitting $sitting
    done
    run check "$data/samegame.txt" done.jsonl --only 5
    expect_rc 0
}

test_resume_bad_file() {
    printf 'not json\n' > bad
    run solve "$data/first.xsb" --only 1 --resume bad --out none.sok
    expect_rc 2
    expect_err '^bad:1:1: '
    expect_equal "$(cat bad)" "not json"
    [ ! -e none.sok ] || fault "none.sok was written"
    run solve "$data/first.xsb" --only 1 --resume no/such/folder/file
    expect_rc 2
}

test_table_of_files() {
    run solve "$data/first.xsb:1-3" "$data/pancakes.txt:1-2"
    expect_rc 0
    expect_out '^file +told +solved +optimal +time +median +90 %$'
    expect_out 'first.xsb +3 +3 +3 '
    expect_out '^all +5 +5 +5 '
    run solve "$data/first.xsb:1-3"
    refute_out '^file '
    run solve "$data/first.xsb:1-3" --table
    expect_out 'first.xsb +3 +3 +3 '
}
