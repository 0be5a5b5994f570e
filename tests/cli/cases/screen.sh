# What belongs to a screen and what to a pipe. What every command shows is in tests/screen.

# The second of two levels is done long before the first: its row comes at once, and the progress line counts it.
test_screen_counts_what_is_done() {
    need_terminal
    [ -z "$skip_reason" ] || return
    write_endless | tac > file
    TERM=xterm script -qec "\"$program\" solve file --method bfs --time 0 --memory 8G --jobs 2" /dev/null > out 2> err < /dev/null &
    local process=$!
    last="soloist solve in a terminal, then SIGINT"
    wait_text out '1/2 done, 1 solved'
    wait_text out '^2 .*solved'
    expect_out '1/2 done, 1 solved'
    expect_out '^2 .*solved'
    refute_out '^1 .*solved'
    kill -INT $(cat /proc/$process/task/$process/children) 2> err
    wait_end $process
}

# In a pipe rows come in order, in plain lines.
test_screen_pipes_are_plain() {
    run solve "$data/first.xsb" --jobs 2
    expect_rc 0
    expect_equal "$(sed -n 's/^ *\([0-9]*\)  [A-Z].*/\1/p' out | tr '\n' ' ')" "1 2 3 4 5 6 7 8 9 10 11 12 "
    ! grep -q $'[\r\033]' out err || fault "there are control characters"
    expect_out 'Around the corner  .* nodes  optimal'
    write_net
    run train samegame $train_small --out a.safetensors solve_games=4 steps=10
    expect_rc 0
    ! grep -q $'[\r\033]' out err || fault "there are control characters"
    sed -n 1p err | grep -q '^training a network described by small.net, [0-9]* parameters, on 2 threads; Ctrl-C stops and saves$' ||
        fault "training does not begin with a line"
    expect_err '^[0-9]+ s, .*step 10, greedy [0-9]+ \+- [0-9]+, loss [0-9.]+'
}

# What was not measured is not shown as 0, and a card has rounded numbers.
test_screen_numbers_of_training() {
    write_net
    # No game is set aside for validation: there is no validation loss.
    run train samegame $train_small --out a.safetensors solve_games=2 steps=10 validation=1000
    expect_rc 0
    ! grep -qE 'validation|/s evaluated| 0 games' err || fault "something is shown that was not measured"
    grep -q '"validation_policy_loss":null' a.safetensors.run/curve.jsonl || fault "the curve has a loss that was not measured"
    run info a.safetensors
    expect_out '^  seconds +[0-9]+\.[0-9]$'
    expect_out '^  greedy_mean +[0-9]+\.[0-9][0-9]$'
    refute_out 'validation'
    run info a.safetensors --json
    refute_out 'null'
}

# A network for the default boards is there, small enough for a processor.
test_screen_default_network() {
    local size
    for size in 7 10 15; do
        run info "$data/networks/samegame-first-$size.net"
        expect_rc 0
        expect_out '^[0-9]{5} parameters'
    done
    run train samegame --board 7x7 --out a.safetensors --threads 2 boards=2 solve_iterations=5 solve_games=4 steps=1 batch=4 self_play=false
    expect_rc 0
    expect_err '^training .*samegame-first-7.net'
}
