# A puzzle of one's own: the skeleton that new-domain writes.

test_new_domain_writes_a_folder() {
    run new-domain my-puzzle
    expect_rc 0
    expect_out '^next: cd my-puzzle && make test$'
    expect_equal "$(cd my-puzzle && echo *)" "Makefile README.md example.txt my_puzzle.c test_my_puzzle.c"
    ! grep -rl '@[A-Z]*@' my-puzzle > out || fault "a name is not filled in"
    expect_equal "$(wc -l < my-puzzle/README.md)" 10
    run new-domain my-puzzle
    expect_rc 2
    expect_silence out
    expect_err '^soloist: new-domain: my-puzzle exists already; nothing was written$'
    : > file
    run new-domain file
    expect_rc 2
    expect_err 'file exists already'
}

test_new_domain_refuses_names() {
    local name
    for name in My 9lives ../up 'a b' '' "$(printf 'a%.0s' {1..41})"; do
        run new-domain "$name"
        expect_rc 2
        expect_err 'a name begins with a letter'
    done
    run new-domain sokoban
    expect_rc 2
    expect_err '^soloist: new-domain: there is already a domain sokoban$'
    run new-domain
    expect_rc 2
    expect_err 'which NAME'
    run new-domain one two
    expect_rc 2
    run new-domain --quick
    expect_rc 2
    expect_equal "$(echo *)" "err out"
}

test_new_domain_says_that_it_needs_an_installation() {
    command -v make > /dev/null || { skip "needs make"; return; }
    run new-domain row
    last="make test, where nothing is installed"
    PKG_CONFIG_LIBDIR=$PWD/none PKG_CONFIG_PATH= make -C row test > out 2> err
    rc=$?
    expect_rc 2
    expect_err '^pkg-config does not find Soloist. In the folder of Soloist:$'
    expect_err '^    make install PREFIX=\$HOME/.local$'
    [ ! -e row/row.so ] || fault "something was built"
}

# A bound that calls states dead: expand leaves their children out only if bounds are wanted.
test_new_domain_may_have_dead_states() {
    command -v "${CC:-cc}" > /dev/null || { skip "needs a C compiler"; return; }
    run new-domain row
    sed 's|return (wrong + 1) / 2;|return row[0] == 3 \&\& puzzle->start.row[0] != 3 ? SOLOIST_DEAD : (wrong + 1) / 2;|;s/.admissible = yes/.admissible = no/;s/^static bool yes/static bool no(const soloist_instance *puzzle) { return !puzzle; }\n&/' row/row.c > dead.c
    grep -q 'SOLOIST_DEAD :' dead.c || fault "the skeleton's bound has changed: change this test"
    "${CC:-cc}" -shared -fPIC -Wall -Wextra -Werror -I "$source_dir/include" dead.c -o dead.so 2> err ||
        fault "the skeleton does not compile"
    run info --check ./dead.so row/example.txt
    expect_rc 0
    printf 'row: 2 1\0\n' > zero
    run solve --plugin ./dead.so zero --domain row
    expect_out 'expected each number'
}

# Without the installation: the plugin needs the headers alone.
test_new_domain_keeps_the_contract() {
    command -v "${CC:-cc}" > /dev/null || { skip "needs a C compiler"; return; }
    run new-domain row
    "${CC:-cc}" -shared -fPIC -Wall -Wextra -Werror -I "$source_dir/include" row/row.c -o row.so 2> err ||
        fault "the skeleton does not compile"
    run info --check ./row.so row/example.txt
    expect_rc 0
    expect_out '^row/example.txt 2: keeps the contract$'
    run info --check ./row.so
    expect_rc 0
    expect_out '^generated 10: keeps the contract$'
    run solve --plugin ./row.so row/example.txt --json
    expect_rc 0
    expect_field cost 8 2
    expect_field optimal true 2
    printf 'row: 2 2\nrow: 1 3\nrow:\nrow 1\nrow: 2 1\n' > broken
    run solve --plugin ./row.so --domain row broken --json
    expect_rc 2
    expect_err '^broken:1:8: expected each number'
    expect_err '^broken:2: expected all numbers from 1 to 2$'
    expect_err '^broken:3:5: expected numbers'
    expect_err '^broken:4:1: expected a line like row: 3 1 2$'
    expect_field status '"solved"' 5
}
