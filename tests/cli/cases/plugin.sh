# Domains and methods from shared objects.

build_plugin() {
    command -v "${CC:-cc}" > /dev/null || { skip "needs a C compiler"; return; }
    "${CC:-cc}" -shared -fPIC -I "$source_dir/include" "$source_dir/examples/lights_out.c" -o lights_out.so 2> err ||
        fault "the example does not compile"
    printf '3x2:010111\n3x3:111101111\n' > boards
}

test_plugin_solves() {
    build_plugin
    [ -z "$skip_reason" ] || return
    run solve --plugin ./lights_out.so boards --json
    expect_rc 0
    expect_json
    expect_lines 2
    cp out solved.json
    run check --plugin lights_out.so boards solved.json
    expect_rc 0
    run info --plugin ./lights_out.so
    expect_rc 0
    run generate lights-out --plugin ./lights_out.so --measure --count 1
    expect_rc 0
    expect_out '^; soloist generate lights-out .* --plugin ./lights_out.so$'
    run hint --plugin ./lights_out.so boards
    expect_rc 0
    expect_out 'press'
    run explain --plugin ./lights_out.so boards
    expect_rc 0
}

test_plugin_is_checked() {
    build_plugin
    [ -z "$skip_reason" ] || return
    run info --check ./lights_out.so boards
    expect_rc 0
    expect_out 'boards 1: keeps the contract'
    run info --check ./lights_out.so
    expect_rc 0
    expect_out 'generated 1: keeps the contract'
    # Without a generator it needs a file.
    sed '/\.generate = &generate/d' "$source_dir/examples/lights_out.c" > plain.c
    "${CC:-cc}" -shared -fPIC -I "$source_dir/include" plain.c -o plain.so 2> /dev/null
    run info --check ./plain.so
    expect_rc 2
    expect_err 'name a FILE'
    printf 'nothing\n' > broken
    run info --check ./lights_out.so broken
    expect_rc 1
    expect_err 'broken:1:'
    # A bound that is too high somewhere: random play notices it.
    sed 's/return bound_of(lights_of(state));/return 2 * bound_of(lights_of(state));/' "$source_dir/examples/lights_out.c" > wrong.c
    "${CC:-cc}" -shared -fPIC -I "$source_dir/include" wrong.c -o wrong.so
    run info --check ./wrong.so boards
    expect_rc 1
    expect_out 'lights-out.*bound'
    # An apply that does not look whether it has an undo record.
    sed '/^static int32_t apply/,/^}/s/(void)record;/*(volatile int *)record = *(volatile int *)record;/' \
        "$source_dir/examples/lights_out.c" > blind.c
    "${CC:-cc}" -shared -fPIC -I "$source_dir/include" blind.c -o blind.so
    run info --check ./blind.so boards
    expect_rc 1
    expect_err 'code crashed during the check. .*: apply uses its undo record, which may be NULL$'
}

# A reward, a play-out and a mix that only the plugin's table names.
test_plugin_with_names_of_its_own() {
    command -v "${CC:-cc}" > /dev/null || { skip "needs a C compiler"; return; }
    "${CC:-cc}" -shared -fPIC -I "$source_dir/include" "$source_dir/tests/plugin/ladder.c" -o ladder.so 2> err ||
        fault "the plugin does not compile"
    printf 'ladder 9\nladder 14\n' > ladders
    while read -r method expected; do
        run solve --plugin ./ladder.so ladders --method "$method" --nodes 5000 --threads 1 --json
        expect_rc 0
        expect_json
        expect_lines 2
        expect_field status '"solved"' 2
        expect_field method "\"$expected\"" 2
    done << END
auto mcts:reward=height,simulate=eager
auto:without=tree nrpa:level=1,n=20
mcts:reward=depth,simulate=eager mcts:simulate=eager,reward=depth
nrpa nrpa
random:policy=eager random:policy=eager
END
    run solve --plugin ./ladder.so ladders --method mcts:reward=width --nodes 5000
    expect_rc 2
    expect_err 'ladder has no reward width; it has height, depth'
    run info ladder --plugin ./ladder.so
    expect_rc 0
    expect_out 'rewards *height, depth'
}

test_plugin_of_another_abi() {
    build_plugin
    [ -z "$skip_reason" ] || return
    printf '#include "soloist.h"\nconst soloist_domain *soloist_plugin(void) { static const soloist_domain d = {999}; return &d; }\n' > old.c
    "${CC:-cc}" -shared -fPIC -I "$source_dir/include" old.c -o old.so
    run solve --plugin ./old.so boards
    expect_rc 2
    expect_err 'ABI 999'
    printf 'int nothing;\n' > none.c
    "${CC:-cc}" -shared -fPIC none.c -o none.so
    run solve --plugin ./none.so boards
    expect_rc 2
    expect_err 'soloist_plugin'
}

test_plugin_that_is_no_function() {
    build_plugin
    [ -z "$skip_reason" ] || return
    for kind in "int soloist_plugin = 1" "const int soloist_plugin[9] = {195}" "_Thread_local int soloist_plugin" \
        "const char *soloist_plugin = \"domain\""; do
        echo "$kind;" > data.c
        for layout in separate-code noseparate-code; do
            "${CC:-cc}" -shared -fPIC -Wl,-z,$layout data.c -o data.so 2> err || continue
            run solve --plugin ./data.so boards
            expect_rc 2
            expect_silence out
            expect_err '^soloist: --plugin ./data.so: its soloist_plugin is not a function; it must be one that returns a domain$'
        done
    done
}

# The example with one line changed: a bound that is too high where three lights are on.
test_plugin_whose_bound_is_wrong() {
    build_plugin
    [ -z "$skip_reason" ] || return
    sed 's|(__builtin_popcountll(lights) + 4) / 5|& + (__builtin_popcountll(lights) == 3)|' \
        "$source_dir/examples/lights_out.c" > wrong.c
    ! cmp -s wrong.c "$source_dir/examples/lights_out.c" || fault "the example's bound has changed: change this test"
    "${CC:-cc}" -shared -fPIC -I "$source_dir/include" wrong.c -o wrong.so
    echo 2x2:0111 > board
    for method in astar idastar auto; do
        run solve --plugin ./wrong.so board --method $method --json
        expect_rc 0
        expect_json
        expect_field status '"solved"'
        expect_field optimal false
        expect_err '^board:1: the bound of lights-out is wrong, so it proves nothing: at the start it is 2, but the true value is at most 1$'
        run solve --plugin ./lights_out.so board --method $method --json
        expect_rc 0
        expect_field optimal true
        expect_silence err
    done
}

# The example with one line changed by a sed script: change SCRIPT NAME makes NAME.so.
change() {
    sed "$1" "$source_dir/examples/lights_out.c" > "$2.c"
    ! cmp -s "$2.c" "$source_dir/examples/lights_out.c" || fault "the example has changed: change this test ($2)"
    "${CC:-cc}" -shared -fPIC -I "$source_dir/include" "$2.c" -o "$2.so" 2> err || fault "$2 does not compile"
}

# No false proof follows from a bound below 0, nor from one that is above 0 at a goal.
test_plugin_whose_bound_is_out_of_range() {
    build_plugin
    [ -z "$skip_reason" ] || return
    change 's|(__builtin_popcountll(lights) + 4) / 5|& - 5|' below
    change 's|(__builtin_popcountll(lights) + 4) / 5|& + 1|' above
    for method in astar idastar idastar:table=none auto; do
        run solve --plugin ./below.so boards --method $method --json
        expect_rc 0
        expect_field optimal true 2
        run solve --plugin ./above.so boards --method $method --json
        expect_rc 0
        expect_field status '"solved"' 2
        expect_field optimal false 2
    done
    run info --check ./below.so boards
    expect_rc 1
    expect_out 'a bound on the cost is at least 0'
}

# What makes no sense is refused before anything is searched.
test_plugin_whose_shape_is_wrong() {
    build_plugin
    [ -z "$skip_reason" ] || return
    local script status sentence
    while IFS='|' read -r script status sentence; do
        change "$script" wrong
        for method in astar idastar bfs; do
            run solve --plugin ./wrong.so boards --method $method --json
            expect_rc "$([ "$status" = invalid ] && echo 2 || echo 1)"
            expect_field status "\"$status\"" 2
            expect_out "$sentence"
        done
    done << 'END'
s/.state_size = sizeof(struct lights_state)/.state_size = 0/|invalid|the shape of lights-out is wrong: state_size is 0
s/.most_moves = 5/.most_moves = -1/|invalid|the shape of lights-out is wrong: most_moves or most_steps is negative
s/int listed = moves(board, state, list), count = 0;/return -1; &/|unsolved|expand of lights-out returned -1 as the number of children
END
}

test_plugin_check_names_places() {
    build_plugin
    [ -z "$skip_reason" ] || return
    run info --check ./lights_out.so boards:2
    expect_rc 0
    expect_lines 1
    expect_out '^boards 2: keeps the contract$'
    run info --check ./lights_out.so boards:3
    expect_rc 1
    expect_err 'boards: no such instance of lights-out'
    change 's/chunk->line, 1, "expected a board/chunk->line, 0, "expected a board/' nowhere
    printf 'nothing\n' > broken
    run info --check ./nowhere.so broken
    expect_rc 1
    expect_err '^broken:1: expected a board like'
    run solve --plugin ./nowhere.so broken --domain lights-out
    expect_out 'line 1: expected a board like'
    printf '3x2:010111\0\n' > zero
    run solve --plugin ./lights_out.so zero --domain lights-out
    expect_out 'expected the end of the line after 6 cells'
    change 's/print(&board, &state, sink);/return SOLOIST_BAD_INPUT;/' silent
    run generate lights-out --plugin ./silent.so
    expect_rc 2
    expect_err '^soloist: generate: the generator of lights-out failed without saying why$'
    change 's/? 95 : 0/? 1000 : 0/' sure
    run info --check ./sure.so boards
    expect_rc 1
    expect_out 'recognise returns 1000'
}

# A domain whose cost is not the number of moves: the cost is shown, and --optimal moves is not what is proved.
test_plugin_with_costs() {
    build_plugin
    [ -z "$skip_reason" ] || return
    change 's/    return 1;/    return 2;/;s/.step = 1,/.step = 2,/;s/.value = (int32_t)count,/.value = 2 * (int32_t)count,/' dear
    run solve --plugin ./dear.so boards --optimal moves
    expect_rc 0
    expect_out ' moves? +cost [0-9]+ .*optimal cost'
    expect_err '^soloist: solve: warning: --optimal moves: the cost of lights-out is not the number of moves; the least cost is proved$'
    # A solution whose cost is its number of moves need not have the fewest moves.
    run solve --plugin ./lights_out.so boards --optimal moves
    expect_rc 0
    expect_out 'optimal cost'
    expect_err '^soloist: solve: warning: --optimal moves: the cost of lights-out need not be the number of moves; the least cost is proved$'
    # The referee counts otherwise: a fault of the plugin, which its check finds.
    change 's/    return 1;/    return 2;/;s/.step = 1,/.step = 2,/' wrong
    run solve --plugin ./wrong.so boards
    expect_rc 1
    expect_out 'but the referee counts [0-9]+: check the plugin with `soloist info --check`$'
}

# ---- methods ----

build_method() {
    build_plugin
    [ -z "$skip_reason" ] || return 1
    "${CC:-cc}" -shared -fPIC -O2 -Wall -Wextra -Werror -I "$source_dir/include" "$source_dir/examples/a_star.c" -o a_star.so 2> err ||
        fault "the example of a method does not compile"
}

# What two runs of `solve --json` must have in common.
answers() { grep -oE '"(id|status|stopped|cost|optimal|nodes|expanded)":[^,]*' out; }

test_plugin_method_does_what_astar_does() {
    build_method || return
    local file options
    for file in "$data/first.xsb" "$data/tiles.txt" "$data/pancakes.txt" boards; do
        for options in "--nodes 20000" "--nodes 100"; do
            # shellcheck disable=SC2086
            run solve "$file" --plugin ./lights_out.so --method astar $options --threads 1 --json
            answers > expected
            # shellcheck disable=SC2086
            run solve "$file" --plugin ./lights_out.so --plugin ./a_star.so --method my-astar $options --threads 1 --json
            expect_json
            answers > got
            expect_same expected got
        done
    done
}

test_plugin_method_is_known_everywhere() {
    build_method || return
    run info --plugin ./a_star.so
    expect_rc 0
    expect_out '^  my-astar +the example of a plugin: A\*'
    run info my-astar --plugin ./a_star.so
    expect_rc 0
    expect_out '^    weight .*default 1\]$'
    run solve --help
    expect_out 'load a domain or a method from a shared object'
    run solve boards --plugin ./lights_out.so --plugin ./a_star.so --method my-astr
    expect_rc 2
    expect_err 'did you mean my-astar\?'
    run solve boards --plugin ./lights_out.so --plugin ./a_star.so --method my-astar:wieght=2
    expect_rc 2
    expect_err 'did you mean weight\?'
    run solve boards --plugin ./lights_out.so --method my-astar
    expect_rc 2
    expect_err 'no method my-astar: '
    run solve "$data/samegame.txt" --plugin ./a_star.so --method my-astar
    expect_rc 2
    expect_err 'my-astar needs a domain that minimises cost'
    run solve "$data/tiles.txt" --only 9 --plugin ./a_star.so --method my-astar:weight=0 --memory 100K --threads 1 --json
    expect_rc 1
    expect_field stopped '"memory"'
}

test_plugin_method_in_the_lab() {
    build_method || return
    run lab list --store nowhere
    ! grep -q 'no SQLite' err || { skip "needs SQLite"; return; }
    cat > e.lab << 'END'
title Stacks
generate pancake n=9 count=4 seed=1 as stacks
method my-astar:weight=2 nodes=5000 as mine
method astar:weight=2 nodes=5000 as built-in
END
    run lab run e.lab --jobs 1
    expect_rc 2
    expect_err "no method my-astar"
    run lab run e.lab --jobs 1 --plugin ./a_star.so
    expect_rc 0
    expect_out '8 of 8 runs done'
    run lab show --runs --format csv
    expect_rc 0
    grep ',mine,' out | cut -d, -f3-10,12 | sort > mine
    grep ',built-in,' out | cut -d, -f3-10,12 | sort > built-in
    expect_equal "$(wc -l < mine)" 4
    expect_same built-in mine
}

# One shared object may have both.
test_plugin_of_domain_and_method() {
    build_method || return
    "${CC:-cc}" -shared -fPIC -I "$source_dir/include" "$source_dir/examples/lights_out.c" "$source_dir/examples/a_star.c" -o both.so
    run solve boards --plugin ./both.so --method my-astar --json
    expect_rc 0
    expect_lines 2
    expect_field optimal true
    run solve boards --plugin ./both.so --plugin ./a_star.so
    expect_rc 2
    expect_err '^soloist: --plugin ./a_star.so: there is already a method my-astar$'
}

test_plugin_method_that_is_wrong() {
    build_method || return
    local table
    while IFS='|' read -r table sentence; do
        printf '#include "soloist_method.h"\nstatic soloist_code run(soloist_run *run) { (void)soloist_run_take(run, 9); return SOLOIST_OK; }\nconst soloist_method *soloist_plugin_method(void) { static const soloist_method m = {%s}; return &m; }\n' "$table" > wrong.c
        "${CC:-cc}" -shared -fPIC -I "$source_dir/include" wrong.c -o wrong.so 2> err || fault "$table does not compile"
        run solve boards --plugin ./lights_out.so --plugin ./wrong.so --method wrong
        expect_rc 2
        expect_err "$sentence"
    done << 'END'
999|built for ABI 999, this program has
SOLOIST_ABI|the method's table does not state its size
SOLOIST_ABI, sizeof m, "wrong", "-"|method wrong lacks the function run
SOLOIST_ABI, sizeof m, "Wrong", "-", 0, 0, 0, run|a method's name consists of
SOLOIST_ABI, sizeof m, "astar", "-", 0, 0, 0, run|there is already a method astar
END
    printf 'int soloist_plugin_method = 1;\n' > data.c
    "${CC:-cc}" -shared -fPIC data.c -o data.so
    run solve boards --plugin ./data.so
    expect_rc 2
    expect_err '^soloist: --plugin ./data.so: its soloist_plugin_method is not a function; it must be one that returns a method$'
    printf 'void *soloist_plugin_method(void) { return 0; }\n' > null.c
    "${CC:-cc}" -shared -fPIC null.c -o null.so
    run solve boards --plugin ./null.so
    expect_rc 2
    expect_err '^soloist: --plugin ./null.so: its soloist_plugin_method returns NULL$'
}

# Memory that a method keeps is noticed.
test_plugin_method_that_keeps_memory() {
    build_method || return
    printf '#include "soloist_method.h"\nstatic soloist_code run(soloist_run *run) { (void)soloist_run_take(run, 9); return SOLOIST_OK; }\nconst soloist_method *soloist_plugin_method(void) { static const soloist_method m = {SOLOIST_ABI, sizeof m, "keeps", "-", 0, 0, 0, run}; return &m; }\n' > keeps.c
    "${CC:-cc}" -shared -fPIC -I "$source_dir/include" keeps.c -o keeps.so
    run solve boards --plugin ./lights_out.so --plugin ./keeps.so --method keeps --json
    expect_field status '"unsolved"'
    expect_out 'keeps kept 9 bytes of memory that it must give back'
    run solve boards --plugin ./lights_out.so --plugin ./keeps.so --method keeps
    expect_rc 1
    expect_out '^2 with an error of the program or of a plugin, the first: keeps kept 9 bytes of memory that it must give back: check the plugin with `soloist info --check`$'
    refute_out 'replay'
}

# A run of a plugin's method can be repeated only with the plugin.
test_plugin_run_is_repeated() {
    need_lab || return
    build_method || return
    printf 'generate pancake n=7 count=2 seed=1\nmethod my-astar nodes=10000\n' > e.lab
    run lab run e.lab --plugin ./a_star.so
    expect_rc 0
    run lab repeat 1
    expect_rc 2
    expect_silence out
    expect_err '^soloist: run 1 cannot be repeated: no method my-astar: .*--plugin FILE loads'
    run lab repeat 1 --plugin ./a_star.so
    expect_rc 0
    expect_out 'the same result'
}
