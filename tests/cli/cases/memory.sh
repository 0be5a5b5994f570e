# The memory limit: the whole process stays within it, and says so when that ended a search.

# Runs the program and follows the peak of its resident size, in kB, into $peak.
run_and_watch() {
    "$program" "$@" > out 2> err &
    local process=$! now
    last="soloist $*"
    peak=0
    while now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' /proc/$process/status 2> /dev/null) && [ -n "$now" ]; do
        peak=$now
        sleep 0.02
    done
    wait $process
    rc=$?
}

test_memory_is_kept_by_the_process() {
    [ -r /proc/self/status ] || { skip "needs /proc"; return; }
    ! grep -qaE '__(a|t)san_init' "$program" || { skip "needs a build without sanitizers"; return; }
    "$program" generate pancake n=100 --count 2 > file
    for method in bfs "astar:weight=0"; do
        run_and_watch solve file --domain pancake:gap=60 --method "$method" --memory 256M --time 0 --jobs 2 --json
        expect_rc 1
        expect_field stopped '"memory"'
        expect_field stopped '"memory"' 2
        [ "$peak" -gt 120000 ] || fault "a peak of $peak kB is less than the search held"
        [ "$peak" -le $((256 * 1024 * 105 / 100)) ] || fault "a peak of $peak kB is more than 5 % over 256 MB"
    done
}

# Less memory than there are jobs is still a limit, and a small limit is not shown as 0 MB.
test_memory_limit_of_one_byte() {
    run solve "$data/first.xsb:1-2" --jobs 2 --memory 1
    expect_rc 1
    expect_out '^2 ended by the memory limit of 1 B \(1 B per job\)'
    run solve "$data/first.xsb:1" --memory 10K
    expect_rc 1
    expect_out 'memory limit of 10 KB'
}
