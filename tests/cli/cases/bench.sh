# soloist bench. One pass a part: how fast is not asked here.

test_bench_golden_round_trip() {
    run bench --scale 0 --only pancake --golden
    expect_rc 0
    cp out golden
    grep -qE '^pancake\.[a-z]+ [0-9]+ [0-9a-f]+$' golden || fault "no line part count signature"
    run bench --scale 0 --only pancake --check golden
    expect_rc 0
    expect_out '^total +[0-9]+'
}

test_bench_difference() {
    run bench --scale 0 --only pancake --golden
    sed 's/ \([0-9]*\) / 1\1 /' out > golden
    run bench --scale 0 --only pancake --check golden
    expect_rc 1
    expect_err 'expected'
    echo '# nothing' > golden
    run bench --scale 0 --only pancake --check golden
    expect_rc 1
    expect_err 'golden has no line for the part pancake'
    run bench --scale 0 --only pancake --golden
    { cat out; echo 'pancake.nothing 1 2'; } > golden
    run bench --scale 0 --only pancake --check golden
    expect_rc 1
    expect_err 'pancake\.nothing'
    run bench --scale 0 --only pancake --check nowhere
    expect_rc 2
}

test_bench_json() {
    run bench --scale 0 --only pancake.expand --json
    expect_rc 0
    expect_lines 1
    expect_out '^\{"part":"pancake\.expand","count":[0-9]+,"signature":"[^"]+","time_s":[0-9.e-]+,"per_s":[0-9.e+]+\}$'
}

test_bench_list() {
    run bench --list
    expect_rc 0
    expect_out '^pancake\.expand$'
    run bench --list --only pancake.expand
    expect_lines 1
    expect_out '^pancake\.expand$'
    run bench --only pancaek.expand
    expect_rc 2
    expect_err 'did you mean pancake\.expand'
    run bench word
    expect_rc 2
}
