# Ctrl-C and kill: what is known is told, files are whole.

test_interrupt_tells_what_it_has() {
    write_endless > file
    "$program" solve file --method bfs --time 60 --memory 8G --jobs 1 --json > out 2> err &
    local process=$!
    last="soloist solve, then SIGINT"
    wait_lines out 1
    kill -INT $process
    wait_end $process
    expect_rc 1
    expect_json
    expect_lines 2
    expect_field status '"solved"'
    expect_field status '"unsolved"' 2
    expect_field stopped '"cancel"' 2
}

test_interrupt_by_terminate() {
    write_endless > file
    "$program" solve file --method bfs --time 60 --memory 8G --jobs 1 > out 2> err &
    local process=$!
    last="soloist solve, then SIGTERM"
    wait_lines out 2
    kill -TERM $process
    wait_end $process
    expect_rc 1
    expect_out '^2 .* unsolved +interrupted '
    expect_out '^1 solved, 1 unsolved of 2'
    expect_out '^interrupted'
    run show file --only 2 --film --svg --method bfs --time 0.05
    expect_rc 1
    expect_err 'show: unsolved after [0-9.]+ s: stopped by time$'
}

# A closed terminal ends the program as SIGTERM does, and the file of --out is whole; nohup protects against it.
test_interrupt_by_hangup() {
    write_endless > file
    "$program" solve file --method bfs --time 60 --memory 8G --jobs 1 --out solutions > out 2> err &
    local process=$!
    last="soloist solve, then SIGHUP"
    wait_lines out 2
    kill -HUP $process
    wait_end $process
    expect_rc 1
    expect_out '^interrupted'
    [ -s solutions ] || fault "the solution is not in the file"
    : > out # otherwise the lines of the first run would be waited for
    (trap '' HUP; exec "$program" solve file --method bfs --time 60 --memory 8G --jobs 1 > out 2> err) &
    process=$!
    last="soloist solve with SIGHUP ignored, then SIGHUP"
    wait_lines out 2
    kill -HUP $process
    sleep 0.3
    kill -0 $process 2> /dev/null || fault "it ended"
    kill -INT $process
    wait_end $process
    expect_rc 1
}

test_interrupt_keeps_the_best_game() {
    "$program" solve "$data/samegame.txt" --only 4-5 --time 60 --jobs 2 --threads 1 --json > out 2> err &
    local process=$!
    last="soloist solve, then SIGINT"
    wait_working $process 100
    kill -INT $process
    wait_end $process
    expect_rc 0
    expect_json
    expect_lines 2
    expect_field status '"solved"'
    expect_field stopped '"cancel"'
}

test_interrupt_leaves_the_rest() {
    { write_endless; write_endless; } > file
    "$program" solve file --method bfs --time 60 --memory 8G --jobs 1 > out 2> err &
    local process=$!
    last="soloist solve, then SIGINT"
    wait_lines out 2
    kill -INT $process
    wait_end $process
    expect_rc 1
    expect_out 'interrupted: 2 not tried'
}

test_interrupt_twice_kills() {
    write_endless > file
    "$program" solve file --method bfs --time 60 --memory 8G --jobs 1 --json > out 2> err &
    local process=$!
    last="soloist solve, then SIGINT twice"
    wait_lines out 1
    kill -INT $process
    kill -INT $process 2> /dev/null
    wait_end $process
    [ $rc -eq 130 ] || [ $rc -eq 1 ] || fault "exit status $rc, expected 130 or 1"
    expect_field status '"solved"'
}

# A stopped process gets both signals together when it goes on, so it cannot end in between. Which of the two comes
# first is the system's choice.
test_interrupt_by_two_kinds_kills() {
    [ -r /proc/self/stat ] || { skip "needs /proc"; return; }
    write_endless > file
    "$program" solve file --method bfs --time 60 --memory 8G --jobs 1 --json > out 2> err &
    local process=$!
    last="soloist solve, then SIGINT and SIGTERM"
    wait_lines out 1
    kill -STOP $process
    wait_stopped $process
    kill -INT $process
    kill -TERM $process
    kill -CONT $process
    wait_end $process 2> /dev/null
    [ $rc -eq 143 ] || [ $rc -eq 130 ] || fault "exit status $rc, expected 143 or 130"
    expect_lines 1
}

test_interrupt_out_file() {
    write_endless > file
    "$program" solve file --method bfs --time 60 --memory 8G --jobs 1 --json --out solutions > out 2> err &
    local process=$!
    last="soloist solve --out, then SIGINT"
    wait_lines out 1
    kill -INT $process
    wait_end $process
    expect_rc 1
    grep -qF '[3,4,3]' solutions || fault "the solution found is not in the file"
    expect_equal "$(ls solutions*)" solutions
}

test_interrupt_out_without_solution_keeps_the_old_file() {
    write_endless | tail -n 1 > file
    echo precious > solutions
    "$program" solve file --method bfs --time 60 --memory 8G --jobs 1 --out solutions > out 2> err &
    local process=$!
    last="soloist solve --out, then SIGINT"
    wait_working $process 20
    kill -INT $process
    wait_end $process
    expect_rc 1
    expect_equal "$(cat solutions)" precious
    expect_equal "$(ls solutions*)" solutions
}

# Instances may take minutes to make: an experiment that is interrupted then has stored nothing, and has not failed.
test_interrupt_ends_the_planning() {
    need_lab || return
    printf 'generate pancake n=60 count=1000000 seed=1 as stacks\nmethod uct iterations=10\n' > g.lab
    local options process
    for options in '--store g.db' '--store g.jsonl' --dry-run; do
        # shellcheck disable=SC2086
        "$program" lab run g.lab $options > out 2> err &
        process=$!
        last="soloist lab run g.lab $options, then SIGINT"
        wait_working $process 20
        kill -INT $process
        wait_end $process
        expect_rc 1
        expect_silence out
        expect_equal "$(cat err)" 'soloist: g: interrupted while its runs were planned'
    done
    [ ! -e g.db-journal ] || fault "a journal was left"
}

test_interrupt_out_killed() {
    write_endless > file
    echo precious > solutions
    "$program" solve file --method bfs --time 60 --memory 8G --jobs 1 --json --out solutions > out 2> err &
    local process=$!
    last="soloist solve --out, then SIGKILL"
    wait_lines out 1
    kill -KILL $process
    wait_end $process 2> /dev/null
    expect_equal "$(cat solutions)" precious
    grep -qF '[3,4,3]' solutions.*.part || fault "the solution found is lost"
}
