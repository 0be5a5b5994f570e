# soloist lab: stores that are damaged, of earlier versions, or hold results of what has changed since.

# Damages a file, the same way for the same number: some bytes are changed, a page is emptied, or its end is lost.
draw() { # below: the next number of a fixed sequence
    sequence=$(((sequence * 1103515245 + 12345) % 2147483648))
    drawn=$((sequence / 8 % $1))
}
damage() { # file, number
    local size i
    size=$(wc -c < "$1")
    sequence=$2
    draw 100
    case $(($2 % 3)) in
    0)
        for i in 1 2 3; do
            draw "$size"
            printf "\\x$(printf %02x $((drawn * 37 % 256)))" | dd of="$1" bs=1 seek="$drawn" conv=notrunc 2> /dev/null
        done
        ;;
    1)
        draw $((size / 4096))
        dd if=/dev/zero of="$1" bs=4096 count=1 seek="$drawn" conv=notrunc 2> /dev/null
        ;;
    2)
        draw "$size"
        truncate -s "$drawn" "$1"
        ;;
    esac
}

runs_of() { # store
    "$program" lab show --store "$1" --format csv --sql 'SELECT label, source, number, seed, status, stopped, value, nodes,
        solution, signature FROM runs ORDER BY label, source, number, seed' 2> /dev/null
}

# Whatever happened to a store: it is as good as new, or one sentence says what is wrong and how to go on.
expect_sentence() {
    expect_equal "$(wc -l < err)" 1
    expect_err '^soloist: d\.db: (.* (damaged|not a database|not a Soloist results store|later version)|holds no experiment yet)'
    expect_silence out
}

test_lab_damaged_stores() {
    need_lab || return
    write_experiment e.lab 12 3
    run lab run e.lab --jobs 1 --quiet
    expect_rc 0
    run lab list
    cp out list
    runs_of lab.db > runs
    local i whole=0 rescued=0
    for ((i = 1; i <= 60; i++)); do
        cp lab.db d.db
        damage d.db $i
        cp d.db kept.db
        run lab list --store d.db
        case $rc in
        0) expect_same out list ;;
        2) expect_sentence ;;
        *) fault "exit status $rc" ;;
        esac
        run lab run e.lab --jobs 1 --quiet --store d.db
        case $rc in
        0)
            whole=$((whole + 1))
            runs_of d.db | cmp -s - runs || fault "store $i: other runs after lab run"
            ;;
        2)
            expect_sentence
            cmp -s d.db kept.db || fault "store $i: a damaged store was written"
            ;;
        *) fault "exit status $rc" ;;
        esac
        # What is taken from it is true, and a further run completes it.
        rm -f new.db
        run lab merge kept.db --store new.db
        case $rc in
        0 | 1)
            expect_silence err
            rescued=$((rescued + $(sed -n 's/.*db: \([0-9]*\) finished runs\? \(is\|are\) new$/\1/p' out)))
            [ "$(comm -23 <(runs_of new.db | sort) <(sort runs) | wc -l)" -eq 0 ] || fault "store $i: runs that were not"
            run lab run e.lab --jobs 1 --quiet --store new.db
            expect_rc 0
            runs_of new.db | cmp -s - runs || fault "store $i: other runs after a rescue"
            ;;
        2) expect_equal "$(wc -l < err)" 1 ;;
        *) fault "exit status $rc" ;;
        esac
    done
    [ $whole -lt 20 ] || fault "$whole of 60 stores were taken for whole"
    [ $rescued -gt 1000 ] || fault "only $rescued runs were rescued"
}

test_lab_damaged_store_is_rescued() {
    need_lab || return
    write_experiment e.lab 40 5
    run lab run e.lab --jobs 2 --quiet
    expect_rc 0
    runs_of lab.db > runs
    # A signature in the middle of the file is changed.
    local at
    at=$(grep -abo "$(sed -n 200p runs | tail -c 17)" lab.db | head -n 1 | cut -d: -f1)
    printf 'x' | dd of=lab.db bs=1 seek="$at" conv=notrunc 2> /dev/null
    run lab show --runs
    expect_rc 2
    expect_err '^soloist: lab\.db: it is damaged: 1 rows of its table run were altered after they were written; `soloist lab merge'
    run lab merge lab.db --store new.db
    expect_rc 1
    expect_out '^lab\.db is damaged: 399 of its runs could be read, at least 1 could not$'
    refute_out 'its plan lacks'
    expect_out '^lab\.db: 399 finished runs are new$'
    run lab list --store new.db
    expect_out '^e +399 of 400 runs done'
    run lab run e.lab --jobs 2 --quiet --store new.db
    expect_rc 0
    runs_of new.db | cmp -s - runs || fault "other runs after the rescue"
    # Nothing can be read.
    head -c 8192 lab.db > cut.db
    run lab merge cut.db --store other.db
    expect_rc 2
    expect_err '^soloist: cut\.db is damaged, and none of its runs could be read$'
    [ ! -e other.db ] || fault "a store of nothing was left"
}

test_lab_store_of_no_version() {
    need_lab || return
    write_experiment e.lab 2 1
    run lab run e.lab --quiet
    printf '\xff\xff\xff\xfb' | dd of=lab.db bs=1 seek=60 conv=notrunc 2> /dev/null
    run lab list
    expect_rc 2
    expect_err '^soloist: lab\.db: it is damaged: its version is -5; '
    run lab merge lab.db --store new.db
    expect_rc 1
    expect_out '^lab\.db is damaged: 4 of its runs could be read; nothing shows whether there were more$'
    expect_out '4 finished runs are new'
}

# An edited level is run again, and the tables know only the new one; a comment or another order of lines changes nothing.
test_lab_edited_levels() {
    need_lab || return
    printf '; one\n#######\n#@ $ .#\n#######\n\n; two\n########\n#@ $  .#\n########\n' > levels.xsb
    printf 'instances levels.xsb\nmethod astar time=none\n' > e.lab
    run lab run e.lab
    expect_rc 0
    expect_out '^e: 2 of 2 runs done, 2 solved'
    run lab show --sql 'SELECT number, value FROM runs ORDER BY number' --format csv
    expect_equal "$(tr '\n' ' ' < out)" 'number,value 1,2 2,3 '
    sed -i 's/#@ $ \.#/#@  $.#/' levels.xsb
    run lab run e.lab
    expect_out '^e: 2 of 2 runs done, 2 solved'
    run lab show --sql 'SELECT number, value FROM runs ORDER BY number' --format csv
    expect_equal "$(tr '\n' ' ' < out)" 'number,value 1,1 2,3 '
    run lab show --sql 'SELECT count(*), (SELECT count(*) FROM main.run) FROM runs' --format csv
    expect_out '^2,3$'
    # As parsed it is the same level: blanks at the end of a line, another title.
    sed -i 's/^#@  $\.#$/&  /; s/; one/; a better title/' levels.xsb
    run lab run e.lab
    run lab show --sql 'SELECT count(*), (SELECT count(*) FROM main.run) FROM runs' --format csv
    expect_out '^2,3$'
    # Another objective, and other options of the domain, are other runs.
    sed -i 's/levels.xsb/levels.xsb domain=sokoban-moves/' e.lab
    run lab run e.lab
    run lab show --sql 'SELECT count(*), (SELECT count(*) FROM main.run) FROM runs' --format csv
    expect_out '^2,5$'
}
