# soloist solve --out.

test_out_replaces_a_file() {
    echo old > solved.sok
    run solve "$data/first.xsb" --only 1 --out solved.sok
    expect_rc 0
    grep -q '^Solution: rRR$' solved.sok || fault "the solution is not in the file"
    expect_equal "$(ls solved*)" solved.sok
}

test_out_cannot_be_written() {
    run solve "$data/first.xsb" --only 1 --out no/such/folder/file
    expect_rc 2
    expect_err 'no/such/folder'
}

test_out_to_standard_output() {
    run solve "$data/first.xsb" --only 1 --out - --quiet
    expect_rc 0
    expect_out '^Title: Corridor$'
}

test_out_reads_back_as_levels() {
    run solve "$data/first.xsb" --only 1-5 --out solved.sok --quiet
    run solve solved.sok --json
    expect_rc 0
    expect_lines 5
    expect_field name '"Corridor"'
    expect_field name '"Around the corner"' 2
}

# ---- how files are replaced ----

test_write_back_keeps_mode_and_link() {
    mkdir real
    head -n 12 "$data/first.xsb" > real/levels.xsb
    chmod 600 real/levels.xsb
    ln -s real/levels.xsb link.xsb
    run solve link.xsb --only 1 --write-back
    expect_rc 0
    [ -L link.xsb ] || fault "the link has become a file"
    expect_equal "$(stat -c %a real/levels.xsb)" 600
    grep -q '^Solution: rRR$' real/levels.xsb || fault "the solution is not in the file"
    expect_equal "$(ls -A real)" levels.xsb
    chmod 444 real/levels.xsb
    run solve link.xsb --only 1 --out link.xsb
    expect_equal "$(stat -c %a real/levels.xsb)" 444
}
