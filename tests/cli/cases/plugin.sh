# A domain from a shared object.

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
