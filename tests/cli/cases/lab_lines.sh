# soloist lab run into a file of JSON lines, which needs no SQLite. The same cases run in a program that was built
# without SQLite; its lines are then merged by another program, which STORE_PROGRAM names.

write_stacks() { # file, stacks, seeds
    cat > "$1" << END
title Stacks
generate pancake n=9 count=$2 seed=1 as stacks
method uct:simulate=random,length=12 iterations=500 as random
method astar time=none as A*
seeds 1-$3
END
}

# Merges with a program that has a store; skips where there is none.
merge_lines() {
    local with=${STORE_PROGRAM:-$program}
    "$with" lab list --store nowhere 2>&1 | grep -q 'no SQLite' && { skip "needs SQLite"; return 1; }
    "$with" lab merge "$@" > out 2> err
    rc=$?
    last="lab merge $*"
}

show_lines() { "${STORE_PROGRAM:-$program}" lab show --store "$1" --runs --format csv | cut -d, -f2-10,12 | sort; }

test_lines_run_and_resume() {
    write_stacks e.lab 5 2
    run lab run e.lab --jobs 2 --store a.jsonl
    expect_rc 0
    expect_out '^e: 20 of 20 runs done, 1[0-9] solved, in a.jsonl$'
    cp a.jsonl first
    run lab run e.lab --jobs 2 --store a.jsonl
    expect_rc 0
    expect_same a.jsonl first
    write_stacks e.lab 5 3
    run lab run e.lab --jobs 2 --store a.jsonl
    expect_out '^e: 30 of 30 runs done'
    head -c "$(wc -c < first)" a.jsonl > kept
    expect_same kept first
    expect_equal "$(grep -c '^{"run"' a.jsonl)" 30
}

# A torn last line is cut off and its run made again; no other line changes.
test_lines_torn() {
    write_stacks e.lab 3 1
    run lab run e.lab --jobs 1 --quiet --store a.jsonl
    expect_rc 0
    head -n -1 a.jsonl > whole
    for cut in 1 40 200; do
        { cat whole; tail -n 1 a.jsonl | head -c "$cut"; } > torn.jsonl
        run lab run e.lab --jobs 1 --store torn.jsonl
        expect_rc 0
        expect_out '^e: 6 of 6 runs done'
        head -n -1 torn.jsonl > kept
        expect_same kept whole
    done
}

test_lines_altered() {
    write_stacks e.lab 3 1
    run lab run e.lab --jobs 1 --quiet --store a.jsonl
    local line
    line=$(grep -n '^{"run"' a.jsonl | sed -n '2s/:.*//p')
    sed "${line}s/\"time_s\":/\"time_s\":9/" a.jsonl > bad.jsonl
    cp bad.jsonl before
    run lab run e.lab --jobs 1 --store bad.jsonl
    expect_rc 2
    expect_err "bad.jsonl:$line: this line was altered"
    expect_same bad.jsonl before
    sed "${line}d" bad.jsonl > good.jsonl
    run lab run e.lab --jobs 1 --store good.jsonl
    expect_rc 0
    expect_equal "$(grep -c '^{"run"' good.jsonl)" 6
    echo 'no lines' > text.jsonl
    run lab run e.lab --store text.jsonl
    expect_rc 2
    expect_err 'text.jsonl: not a file of JSON lines'
    merge_lines bad.jsonl --store b.db || return
    expect_rc 1
    expect_out '^bad.jsonl: 5 finished runs are new$'
}

# A line of the plan that is lost takes no run with it, and is reported.
test_lines_plan_altered() {
    write_stacks e.lab 3 1
    run lab run e.lab --jobs 1 --quiet --store a.jsonl
    local line
    line=$(grep -n '^{"plan"' a.jsonl | sed -n '2s/:.*//p')
    sed "${line}s/\"label\":\"/&x/" a.jsonl > bad.jsonl
    merge_lines bad.jsonl --store b.db || return
    expect_rc 1
    expect_out '^bad.jsonl is damaged: 6 finished runs could be read, 1 of its lines could not$'
    expect_out '^bad.jsonl: its plan lacks 1 run: `soloist lab run FILE --store b.db` completes it$'
    expect_out '^bad.jsonl: 6 finished runs are new$'
    local with=${STORE_PROGRAM:-$program}
    "$with" lab list --store b.db > out
    expect_out '^e +5 of 5 runs done'
    "$with" lab run e.lab --jobs 1 --store b.db > out 2> err
    expect_out '^e: 6 of 6 runs done'
    # A line of the plan was deleted.
    sed "${line}d" a.jsonl > bad.jsonl
    merge_lines bad.jsonl --store d.db
    expect_rc 1
    expect_out '^bad.jsonl: its plan lacks 1 run: `soloist lab run FILE --store d.db` completes it$'
    run lab run e.lab --jobs 1 --quiet --store bad.jsonl
    expect_rc 0
    merge_lines bad.jsonl --store f.db
    expect_rc 0
    # The line of an instance was deleted: the plan that is written again has it.
    sed 1d a.jsonl > bad.jsonl
    run lab run e.lab --jobs 1 --quiet --store bad.jsonl
    expect_rc 0
    merge_lines bad.jsonl --store g.db
    expect_rc 0
    expect_out '^bad.jsonl: 6 finished runs are new$'
    # A lost run is no loss of the plan.
    line=$(grep -n '^{"run"' a.jsonl | sed -n '2s/:.*//p')
    sed "${line}s/\"time_s\":/\"time_s\":9/" a.jsonl > bad.jsonl
    merge_lines bad.jsonl --store c.db
    expect_rc 1
    expect_out '^bad.jsonl is damaged: 5 finished runs could be read, 1 of its lines could not$'
    refute_out 'plan lacks'
}

# All methods run on an instance before the next one begins, whatever their numbers of threads.
test_lines_killed_can_be_compared() {
    printf 'generate pancake n=30 count=400 seed=1 as stacks
method uct:length=30 iterations=200 as one
method uct:length=30 iterations=200 threads=2 as two\n' > e.lab
    "$program" lab run e.lab --jobs 1 --store a.jsonl > out 2> err &
    local process=$! ones twos
    wait_text a.jsonl '^\{"run".*}$'
    kill -9 $process 2> /dev/null
    wait $process 2> /dev/null
    ones=$(grep -c '^{"run".*"threads":1,.*}$' a.jsonl)
    twos=$(grep -c '^{"run".*"threads":2,.*}$' a.jsonl)
    [ $((twos - ones)) -ge 0 ] && [ $((twos - ones)) -le 1 ] || fault "$ones runs with one thread, $twos with two"
}

# Killed again and again: what was written stays, nothing is written twice.
test_lines_killed() {
    write_stacks e.lab 40 4
    local i process before=0 now
    for i in 1 2 3 4 5; do
        "$program" lab run e.lab --jobs 1 --store a.jsonl > out 2> err &
        process=$!
        wait_lines a.jsonl $((371 + before + 5))
        kill -9 $process 2> /dev/null
        wait $process 2> /dev/null
        now=$(grep -c '^{"run"' a.jsonl)
        [ "$now" -lt 320 ] || break # the machine was quicker than the kills
        before=$now
        cp a.jsonl seen
    done
    run lab run e.lab --jobs 2 --store a.jsonl
    expect_rc 0
    expect_out '^e: 320 of 320 runs done'
    expect_equal "$(grep -o '^{"run":{[^}]*}' a.jsonl | sort -u | wc -l)" 320
    expect_equal "$(grep -c '^{"run"' a.jsonl)" 320
    [ ! -e seen ] || expect_equal "$(grep '^{"run".*}$' seen | sort | comm -23 - <(sort a.jsonl) | wc -l)" 0
}

# Two machines, one store: the lines of both, merged, are what one machine makes. Files may also be joined.
test_lines_merge() {
    write_stacks e.lab 6 2
    run lab run e.lab --jobs 2 --quiet --store a.jsonl
    expect_rc 0
    grep -v '^{"run"' a.jsonl > plan
    grep '^{"run"' a.jsonl > runs
    { cat plan; head -n 9 runs; } > one.jsonl
    { cat plan; tail -n +8 runs; } > two.jsonl
    merge_lines one.jsonl --store x.db || return
    expect_rc 0
    expect_out '^one.jsonl: 9 finished runs are new$'
    merge_lines two.jsonl --store x.db
    expect_rc 0
    expect_out '^two.jsonl: 15 finished runs are new$'
    cat one.jsonl two.jsonl > both.jsonl
    merge_lines both.jsonl --store y.db
    expect_out '^both.jsonl: 24 finished runs are new$'
    show_lines x.db > x
    show_lines y.db > y
    expect_equal "$(wc -l < x)" 25
    expect_same x y
    local with=${STORE_PROGRAM:-$program}
    "$with" lab run e.lab --jobs 1 --store x.db > out 2> err
    expect_out '^e: 24 of 24 runs done'
    "$with" lab run e.lab --jobs 1 --quiet --store z.db
    show_lines z.db > z
    expect_same x z
}

# A plan that changed replaces the earlier one, and its runs stay.
test_lines_new_plan() {
    write_stacks e.lab 4 1
    run lab run e.lab --jobs 1 --quiet --store a.jsonl
    sed -i 's/as random/as tree/; s/count=4/count=3/' e.lab
    run lab run e.lab --jobs 1 --store a.jsonl
    expect_out '^e: 6 of 6 runs done'
    expect_equal "$(grep -c '^{"run"' a.jsonl)" 8
    merge_lines a.jsonl --store x.db || return
    expect_out '^a.jsonl: 8 finished runs are new$'
    "${STORE_PROGRAM:-$program}" lab show --store x.db --sql 'SELECT label, count(*) AS n FROM runs GROUP BY label' --format csv > out
    expect_equal "$(tr '\n' ' ' < out)" 'label,n A*,3 tree,3 '
}

write_taught() { # a training and two searches with its network
    printf 'input 6x5x5\nconv 4 3x3 pad 1 elu\nlinear 25\npolicy\n' > n.net
    cat > e.lab << 'END'
generate samegame width=5 height=5 colours=5 count=2 seed=1 as boards
train samegame --board 5x5 --network n.net --way generations runs=4 steps=10 solve_games=3 as lesson
method policy-mcts trained=lesson iterations=50 as taught
END
}

test_lines_training() {
    write_taught
    run lab run e.lab --jobs 2 --store a.jsonl
    expect_rc 0
    expect_out '^e: 3 of 3 runs done, 2 solved, 1 trained, in a.jsonl$'
    merge_lines a.jsonl --store x.db || return
    expect_out '^a.jsonl: 3 finished runs are new$'
    "${STORE_PROGRAM:-$program}" lab show --store x.db --format csv \
        --sql "SELECT count(*) > 0 AS rows, (SELECT value FROM runs WHERE label = 'lesson') = max(iif(row = (SELECT max(row) FROM curves), value, NULL)) AS last FROM curves WHERE label = 'lesson'" > out
    expect_equal "$(tail -n 1 out)" 1,1
}

# Their reason may be gone, for example a full disk.
test_lines_failed_trainings_are_repeated() {
    write_taught
    local store stores=a.jsonl
    [ -n "${STORE_PROGRAM-}" ] || stores="a.jsonl a.db"
    for store in $stores; do
        : > $store.run # trainings keep their files in a folder of this name
        run lab run e.lab --store $store
        expect_rc 2
        expect_err '3 runs failed'
        rm $store.run
        run lab run e.lab --store $store
        expect_rc 0
        expect_out '^e: 3 of 3 runs done, 2 solved, 1 trained'
    done
}

test_lines_errors() {
    printf 'generate pancake\nmethod uct:cc=5 time=1\n' > e.lab
    run lab run e.lab --store a.jsonl
    expect_rc 2
    expect_err '^e\.lab:2:8: '
    printf '1 3 2\n1 x\n' > stacks.txt
    printf 'instances stacks.txt domain=pancake\nmethod astar nodes=100\n' > e.lab
    run lab run e.lab --store a.jsonl
    expect_rc 2
    expect_err '1 run failed, the first on stacks.txt:2: '
    run lab run e.lab --store missing/a.jsonl
    expect_rc 2
    expect_err 'missing/a.jsonl: '
    run lab run e.lab --store a.db
    if [ -n "${STORE_PROGRAM-}" ]; then
        expect_err 'name a file that ends in .jsonl'
    fi
}
