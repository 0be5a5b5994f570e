# What Sokoban's searches solve of fixed levels, and with how many states: no change goes unseen. A wanted one is put
# into tests/golden/sokoban.txt by  SOLOIST_GOLDEN=write tests/cli/run.sh PROGRAM test_strength_{graded,xsokoban}.

# "method file id status nodes pushes" of each level.
outcomes() { # method, file, ids, nodes
    "$program" solve "$2" --only "$3" -m "$1" --nodes "$4" --time 0 --threads 1 --jobs 1 --json 2> /dev/null |
        sed -E "s/^\{\"id\":([0-9]+),.*\"status\":\"([a-z]+)\".*\"pushes\":([0-9]+|null),.*\"nodes\":([0-9]+),.*/$1 $(basename "$2") \1 \2 \4 \3/"
}

of_our_own() {
    for method in astar bhpa fess mcts auto; do
        outcomes $method "$data/graded500.sok" 50,150,250,350,450,500 20000
    done
}

of_xsokoban() {
    outcomes fess "$shared/levels/xsokoban.xsb" 1-3,5-7,10,17,43,53,78,81,82 20000
    outcomes auto "$shared/levels/xsokoban.xsb" 1-9,17,53,57,78,80-83 60000
}

compare_golden() { # which lines
    local golden_file=$source_dir/tests/golden/sokoban.txt
    if [ "${SOLOIST_GOLDEN-}" = write ]; then
        grep -v "$1" "$golden_file" | cat - found > others
        cp others "$golden_file"
    fi
    grep "$1" "$golden_file" > golden
    expect_same golden found
}

test_strength_graded() {
    of_our_own > found
    compare_golden graded500
}

test_strength_xsokoban() {
    [ -r "$shared/levels/xsokoban.xsb" ] || { skip "needs shared: levels/xsokoban.xsb"; return; }
    of_xsokoban > found
    compare_golden xsokoban
}
