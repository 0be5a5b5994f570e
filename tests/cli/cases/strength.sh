# What searches find in fixed instances, and with how many states: no change goes unseen. A wanted one is put into
# tests/golden/ by  SOLOIST_GOLDEN=write tests/cli/run.sh PROGRAM test_strength_{graded,xsokoban,samegame,tiles,pancake}.

# "method file id status nodes expanded cost-or-score" of each instance; Sokoban's lines end with nodes and pushes.
outcomes() { # method, file, ids, nodes and iterations
    "$program" solve "$2" --only "$3" -m "$1" --nodes "$4" --iterations "$4" --time 0 --threads 1 --jobs 1 --seed 1 --first --json 2> /dev/null > lines
    case $2 in
    *.sok | *.xsb) sed -E "s/^\{\"id\":([0-9]+),.*\"status\":\"([a-z]+)\".*\"pushes\":([0-9]+|null),.*\"nodes\":([0-9]+),.*/$1 $(basename "$2") \1 \2 \4 \3/" lines ;;
    *) sed -E "s/^\{\"id\":([0-9]+),.*\"status\":\"([a-z]+)\".*\"cost\":([0-9]+|null),\"score\":(-?[0-9]+|null),.*\"nodes\":([0-9]+),\"expanded\":([0-9]+|null),.*/$1 $(basename "$2") \1 \2 \5 \6 \3 \4/" lines ;;
    esac
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

of_samegame() {
    for method in random greedy beam bnb bestfirst mcts uct spmcts ucb1tuned nmcs nmcts nrpa auto; do
        outcomes $method "$data/samegame.txt" 1-6 5000
    done
}

of_tiles() {
    for method in astar idastar bfs mm nbs bae dbbs greedy beam bimcts mcts nrpa auto; do
        outcomes $method "$data/tiles.txt" 1-6 30000
    done
}

of_pancake() {
    for method in astar idastar bfs mm nbs bae dbbs greedy beam bimcts mcts nrpa auto; do
        outcomes $method "$data/pancakes.txt" 1-6 30000
    done
}

compare_golden() { # file, which lines of it
    local golden_file=$source_dir/tests/golden/$1
    if [ "${SOLOIST_GOLDEN-}" = write ]; then
        grep -v "$2" "$golden_file" 2> /dev/null | cat - found > others
        cp others "$golden_file"
    fi
    grep "$2" "$golden_file" > golden
    expect_same golden found
}

test_strength_graded() {
    of_our_own > found
    compare_golden sokoban.txt graded500
}

test_strength_xsokoban() {
    [ -r "$shared/levels/xsokoban.xsb" ] || { skip "needs shared: levels/xsokoban.xsb"; return; }
    of_xsokoban > found
    compare_golden sokoban.txt xsokoban
}

test_strength_samegame() {
    of_samegame > found
    compare_golden samegame.txt ''
}

test_strength_tiles() {
    of_tiles > found
    compare_golden tiles.txt ''
}

test_strength_pancake() {
    of_pancake > found
    compare_golden pancake.txt ''
}
