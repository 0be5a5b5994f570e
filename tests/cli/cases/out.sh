# soloist solve --out.

test_out_replaces_a_file() {
    echo old > solved.sok
    run solve "$data/first.xsb" --only 1 --out solved.sok
    expect_rc 0
    grep -q '^Solution: rRR$' solved.sok || fault "the solution is not in the file"
    expect_equal "$(ls solved*)" solved.sok
}

# A file that may not grow is named, and nothing of it is left.
test_out_beyond_the_limit_on_file_sizes() {
    # Thread sanitizer keeps its own data in files.
    ! grep -qa __tsan_init "$program" || { skip "needs a build without thread sanitizer"; return; }
    echo old > big.txt
    (
        ulimit -f 8
        "$program" generate tiles --count 2000 --out big.txt > out 2> err
        echo $? > status
    )
    last="soloist generate, with small files"
    rc=$(cat status)
    expect_rc 2
    expect_err '^soloist: big\.txt: File too large$'
    expect_equal "$(ls big*)" big.txt
    expect_equal "$(cat big.txt)" old
}

# What was written is said at the end, and a file is not emptied for want of a solution.
test_out_says_what_was_written() {
    printf '#####\n#@$ #\n#  .#\n#####\n' > dead.xsb
    cp "$data/first.xsb" first.xsb
    echo old > d.sok
    run solve dead.xsb -o d.sok
    expect_out '^no solution: d.sok was not written$'
    expect_equal "$(cat d.sok)" old
    run solve dead.xsb --save
    expect_out '^no solution: nothing was written$'
    run solve first.xsb --only 1-3 -o d.sok
    expect_out '^wrote 3 solutions to d.sok \(replaced\)$'
    run solve first.xsb --only 1 -o d.sok --lurd
    expect_err '^wrote 1 solution to d.sok \(replaced\)$'
    run solve first.xsb "$data/first.xsb" --only 1-2 -o d.sok --json
    expect_silence err
    cp first.xsb second.xsb
    run solve first.xsb second.xsb dead.xsb --only 1 --save
    expect_out '^wrote 1 solution to first.sok$'
    expect_out '^wrote 1 solution to second.sok$'
    [ ! -e dead.sok ] || fault "dead.sok was written"
    run optimize first.sok -o better.sok
    expect_out '^wrote 1 solution to better.sok$'
    run solve first.xsb --only 2-3 --write-back
    expect_out '^wrote 2 solutions to first.xsb$'
    run solve first.xsb --only 2-3 --write-back
    expect_out '^no new solution: first.xsb was not changed$'
    run solve first.xsb --only 2-3 --write-back --quiet
    expect_silence out
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

test_out_name_with_a_line_end() {
    local name=$'two\nlines.xsb'
    cp "$data/first.xsb" "$name"
    run solve "$name" --only 1 --save
    expect_rc 0
    expect_out '^two\\x0alines.xsb: sokoban, 12 instances$'
    expect_out '^wrote 1 solution to two\\x0alines.sok$'
    expect_equal "$(head -n 1 $'two\nlines.sok' | cut -d: -f2)" ' two\x0alines.xsb'
}

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

# A file that is read is never replaced by a part of itself, and two names never lead to one file.
test_out_loses_nothing() {
    cp "$data/first.xsb" w.xsb
    cp "$data/first.xsb" w.txt
    ln -s w.xsb link.xsb
    for out in w.xsb ./w.xsb link.xsb; do
        run solve w.xsb:1 --out "$out"
        expect_rc 2
        expect_err "^soloist: --out: $out is the input: choose another name\$"
    done
    run solve w.xsb:1 -o s.sok
    run optimize s.sok -o s.sok
    expect_rc 2
    expect_err '^soloist: --out: s.sok is the input'
    run solve w.xsb:1 link.xsb:2 --write-back
    expect_rc 2
    expect_err '^soloist: --write-back: link.xsb is named twice: name one file once'
    for other in w.xsb:2 w.txt:2; do
        run solve w.xsb:1 "$other" --save
        expect_rc 2
        expect_err '^soloist: --save: the solutions of w.xsb and w.(xsb|txt) would both go to w.sok'
    done
    for other in r.jsonl ./r.jsonl; do
        run solve w.xsb:1 --resume r.jsonl --out "$other"
        expect_rc 2
        expect_err '^soloist: --resume and --out with the same file exclude each other$'
    done
    expect_same w.xsb "$data/first.xsb"
    run solve w.xsb:1,2 --write-back
    expect_out '^wrote 2 solutions to w.xsb$'
}

# The solutions of --save would replace the lines of --resume.
test_save_and_resume_in_one_file() {
    cp "$data/first.xsb" f.xsb
    run solve f.xsb --only 1-3 --save --resume f.sok
    expect_rc 2
    expect_err '^soloist: --save: the solutions of f.xsb would go to f.sok, the file of --resume: name another one$'
    [ ! -e f.sok ] || fault "f.sok was written"
    run solve f.xsb --only 1-3 --save --resume lines
    expect_rc 0
    expect_equal "$(grep -c '^Solution' f.sok)" 3
    expect_equal "$(wc -l < lines)" 3
}
