# soloist solve: results, limits, exit status.

test_solve_table() {
    run solve "$data/first.xsb" --time 60
    expect_rc 0
    expect_out '^.*first\.xsb: sokoban, 12 instances$'
    expect_out '^ 1  Corridor  +solved  +2 pushes +3 moves +[0-9.]+ s +[0-9]+ nodes'
    expect_out '^12 solved of 12 in '
    expect_silence err
    refute_out $'\033'
}

test_solve_json() {
    run solve "$data/first.xsb:1-9" --time 60 --json
    expect_rc 0
    expect_lines 9
    expect_json
    expect_field id 1
    expect_field name '"Corridor"'
    expect_field domain '"sokoban"'
    expect_field status '"solved"'
    expect_field solution '"rRR"'
    expect_field pushes 2
    expect_field moves 3
    expect_field cost 2
    expect_field score null
}

test_solve_one_shows_its_solution() {
    run solve "$data/first.xsb" --only 1
    expect_rc 0
    expect_out '^rRR$'
}

test_solve_quiet() {
    run solve "$data/first.xsb" --only 1-3 --quiet
    expect_rc 0
    expect_silence out
    expect_silence err
}

test_solve_only_keeps_ids() {
    run solve "$data/first.xsb" --only 2,4-5 --json
    expect_rc 0
    expect_lines 3
    expect_field id 2
    expect_field id 4 2
    expect_field id 5 3
    run solve "$data/first.xsb:2,4-5" --json
    expect_lines 3
    expect_field id 5 3
    run solve "$data/first.xsb" --only 11- --json
    expect_lines 2
    run solve "$data/first.xsb" --only 40
    expect_rc 2
    expect_err 'selects none of its 12 instances$'
    printf '#####\n#@$.#\n#####\n' > one.xsb
    run solve one.xsb:2
    expect_rc 2
    expect_err 'selects none of its 1 instance$'
}

test_solve_samegame() {
    run solve "$data/samegame.txt" --only 1,3 --nodes 2000 --json
    expect_rc 0
    expect_json
    expect_field status '"solved"'
    expect_field cost null
    expect_field pushes null
    grep -qE '"solution":\[\[[0-9]+,[0-9]+\]' out || fault "a solution is a list of cells"
    grep -qE '"score":-?[0-9]+' out || fault "a score is a number"
}

test_solve_tiles() {
    run solve "$data/tiles.txt" --method bfs --only 1-3 --json
    expect_rc 0
    expect_json
    expect_field solution '""'
    expect_field moves 0
    grep -qE '"domain":"tiles".*"solution":"[LURD]+"' out || fault "a solution is a path of the blank"
}

test_solve_pancakes() {
    run solve "$data/pancakes.txt" --method bfs --only 1 --json
    expect_rc 0
    expect_json
    expect_field solution '[3,4,3]'
    expect_field moves 3
    expect_field cost 3
    expect_field optimal true
}

test_solve_already_solved() {
    printf '1 2 3\n' > file
    run solve file --json
    expect_rc 0
    expect_field status '"solved"'
    expect_field solution '[]'
    expect_field moves 0
    printf '#####\n#@* #\n#####\n' > file
    run solve file --json
    expect_rc 0
    expect_field solution '""'
}

test_solve_impossible_is_answered() {
    printf '######\n#@.$ #\n######\n' > file
    run solve file --json
    expect_rc 0
    expect_json
    expect_field status '"impossible"'
    expect_field solution null
    run solve file
    expect_out 'impossible'
}

test_solve_node_limit() {
    run solve "$data/first.xsb" --only 12 --method bfs --nodes 100 --json --jobs 1 --threads 1
    expect_rc 1
    expect_json
    expect_field status '"unsolved"'
    expect_field stopped '"nodes"'
    [ "$(field nodes)" -le 100 ] || fault "more nodes than allowed"
    run solve "$data/first.xsb" --only 12 --method bfs --nodes 100
    expect_rc 1
    expect_out '1 ended by the node limit of 100: try --nodes 1000'
}

test_solve_time_limit() {
    write_endless > file
    run solve file --method bfs --only 2 --time 0.2 --memory 2G
    expect_rc 1
    expect_out '1 ended by the time limit of 0\.200 s: try --time 2'
}

test_solve_memory_limit() {
    write_endless > file
    run solve file --method bfs --only 2 --memory 4M --json --time 60
    expect_rc 1
    expect_field stopped '"memory"'
    run solve file --method bfs --only 2 --memory 4M --time 60
    expect_out 'ended by the memory limit of 4 MB'
}

test_solve_repeatable() {
    run solve "$data/samegame.txt" --only 1-4 --nodes 3000 --seed 7 --threads 1 --jobs 1 --time 0 --json
    expect_rc 0
    sed 's/"time_s":[^,]*//' out > first
    run solve "$data/samegame.txt" --only 1-4 --nodes 3000 --seed 7 --threads 1 --jobs 1 --time 0 --json
    sed 's/"time_s":[^,]*//' out > second
    expect_same first second
    run solve "$data/samegame.txt" --only 4 --nodes 3000 --seed 7 --threads 1 --jobs 1 --time 0 --json
    expect_equal "$(field solution)" "$(sed -n 4p first | sed 's/.*"solution":\(\[.*\]\),"pushes.*/\1/')"
}

# Threads that share one search: the costs and proofs of one thread, and how evenly they worked.
test_solve_by_threads() {
    for method in idastar:slice=1 idastar:slice=1,dual; do
        for threads in 1 3; do
            run solve "$data/pancakes.txt" --only 1-3 --method $method --threads $threads --jobs 1 --json
            expect_rc 0
            expect_json
            expect_silence err
            grep -oE '"(cost|optimal)":[^,]*' out > of$threads
        done
        expect_same of1 of3
        expect_field workers 3
    done
    run solve "$data/pancakes.txt" --only 1 --method idastar --threads 1 --json
    expect_field workers null
    expect_field least_share null
}

test_solve_order_whatever_the_jobs() {
    run solve "$data/first.xsb:1-9" "$data/pancakes.txt:1-5" --method bfs --jobs 1 --threads 1 --time 0 --json
    expect_rc 0
    sed 's/"time_s":[^,]*//' out > first
    run solve "$data/first.xsb:1-9" "$data/pancakes.txt:1-5" --method bfs --jobs 5 --threads 1 --time 0 --json
    expect_rc 0
    expect_json
    sed 's/"time_s":[^,]*//' out > second
    expect_same first second
}

test_solve_optimal_needs_costs() {
    run solve "$data/samegame.txt" --optimal pushes
    expect_rc 2
    expect_err '--optimal pushes: it asks for the least cost, but the aim of samegame is the highest score'
}

# What is proved is what the options ask for, and shortening keeps it.
test_solve_optimal_stays() {
    run solve "$data/first.xsb:11" -d sokoban-moves --optimal pushes
    expect_rc 2
    expect_err '^soloist: --optimal pushes: the cost of sokoban-moves is the number of moves: use --domain sokoban$'
    run solve "$data/first.xsb:11" -d sokoban-moves --optimal moves --json
    expect_field moves 46
    expect_field optimal_for '"moves"'
    run solve "$data/first.xsb:11" -d sokoban:optimal=moves --polish 1 --json
    expect_rc 0
    expect_field moves 46
    expect_field optimal true
    field optimal_for | grep -qE '^"moves(-pushes)?"$' || fault "the proof is about $(field optimal_for)"
    run solve "$data/first.xsb:11" -d sokoban-moves --polish 1 --json
    expect_field moves 46
}

# A missing proof is blamed on the limit that ended the search.
test_solve_unproved_names_the_limit() {
    run solve "$data/first.xsb:11" --optimal pushes-moves --nodes 2000 --time 0
    expect_rc 1
    expect_out '^1 solved without the proof that --optimal pushes-moves asks for: try a larger --nodes$'
}

test_solve_optimal() {
    run solve "$data/first.xsb" --only 3 --optimal pushes --json --time 60
    expect_rc 0
    expect_field optimal true
    expect_equal "$(field cost)" "$(field pushes)"
    local pushes moves
    pushes=$(field pushes) moves=$(field moves)
    run solve "$data/first.xsb" --only 3 --optimal moves --json --time 60
    expect_rc 0
    expect_field optimal true
    expect_equal "$(field cost)" "$(field moves)"
    [ "$(field moves)" -le "$moves" ] || fault "more moves than when pushes were counted"
    [ "$(field pushes)" -ge "$pushes" ] || fault "fewer pushes than the least"
}

# Without deadlock rules the same least cost is found, after more work; a lost level is proved lost by search alone.
test_solve_without_deadlock_rules() {
    run solve "$data/first.xsb" --only 3 --method astar --json --time 60 -d sokoban
    expect_rc 0
    local pushes expanded
    pushes=$(field pushes) expanded=$(field expanded)
    run solve "$data/first.xsb" --only 3 --method astar --json --time 60 -d sokoban:rules=none,bound=matching-manhattan
    expect_rc 0
    expect_field optimal true
    expect_equal "$(field pushes)" "$pushes"
    [ "$(field expanded)" -gt "$expanded" ] || fault "no more states were expanded without rules"
    printf '######\n#@  $#\n#.$. #\n#    #\n######\n' > lost.xsb
    run solve lost.xsb --method astar --json
    expect_field status '"impossible"'
    expect_field nodes 0
    local domain
    for domain in sokoban sokoban-moves; do
        run solve lost.xsb --method astar --json -d $domain:rules=none,bound=remaining
        expect_field status '"impossible"'
        [ "$(field nodes)" -gt 0 ] || fault "$domain: a rule called the level lost"
    done
}

test_solve_method_that_does_not_fit() {
    run solve "$data/tictactoe.txt" --method astar --json
    expect_rc 2
    expect_silence out
    expect_err '^[^:]*tictactoe.txt: astar needs a domain for one player; tictactoe has two$'
    expect_equal "$(wc -l < err | tr -d ' ')" 1
}

# Known before anything is solved: one sentence, and not a line of other levels or files.
test_solve_options_that_do_not_fit() {
    while IFS='|' read -r domain method sentence; do
        run solve "$data/pancakes.txt" --domain "$domain" --method "$method" --nodes 100 --iterations 100
        expect_rc 2
        expect_silence out
        expect_err ": $sentence"
        expect_equal "$(wc -l < err | tr -d ' ')" 1
    done << END
pancake:gap=1|idastar:dual|dual: pancake has no search from both ends under these options
pancake|random:policy=5|pancake has no play-out policy 5: the last is 0
pancake|idastar:relevance=3|relevance: pancake has no relevance cuts
pancake|beam:score=values|beam needs a domain that shows its states to networks; pancake does not
pancake|mcts:reward=boxes|pancake has no reward boxes; it has r0, negative-bound
pancake|nrpa:rule=7|nrpa:rule=7: the domain has no such rule; its last rule is 0
END
    for method in bae dbbs; do
        run solve "$data/first.xsb" --domain sokoban:penalties=sound --method $method --nodes 100
        expect_rc 2
        expect_silence out
        expect_err "^[^:]*first.xsb: $method needs consistent bounds; those of sokoban are not: use mm or nbs$"
        expect_equal "$(wc -l < err | tr -d ' ')" 1
    done
    run solve "$data/pancakes.txt" "$data/samegame.txt" --method astar
    expect_rc 2
    expect_silence out
    expect_err 'samegame.txt: astar needs a domain that minimises cost; samegame maximises a score'
}

# Where it is a matter of the instance, the others are solved.
test_solve_method_that_fits_some_instances() {
    printf '2222\n1111\n\n12345\n12345\n' > boards
    run solve boards --domain samegame --method nrpa:rule=7 --iterations 50 --json
    expect_rc 2
    expect_lines 2
    expect_field status '"invalid"' 1
    expect_field status '"solved"' 2
}

test_solve_feature_space_without_dimensions() {
    local all
    run solve "$data/first.xsb" --only 1 -m fess:cells=nobody --nodes 2000
    expect_rc 2
    expect_err "sokoban has no feature nobody; it has packed, "
    all=$(sed -n 's/.*; it has //p' err | sed 's/, /+/g')
    for cells in none "all-$all"; do
        run solve "$data/first.xsb" --only 1 -m "fess:cells=$cells" --nodes 2000
        expect_rc 2
        expect_err ": the feature space needs a dimension"
    done
    run solve "$data/first.xsb" --only 1 -m "fess:cells=all-${all#*+}" --nodes 2000
    expect_rc 0
}

test_solve_without_members_of_the_mix() {
    run solve "$data/first.xsb" --only 1 -m auto:without=nobody --nodes 2000
    expect_rc 2
    expect_err "without: the mix for sokoban has no member nobody; its members are astar, bhpa, "
    local all
    all=$(sed -n 's/.*its members are //p' err | sed 's/, /+/g')
    for left_out in astar fess-2 "${all#*+}" 2048 none; do # the number of before stands for fess-2
        run solve "$data/first.xsb" --only 1 -m auto:without=$left_out --nodes 2000 --json
        expect_rc 0
        expect_field status '"solved"'
    done
    run solve "$data/first.xsb" --only 1 -m "auto:without=$all" --nodes 2000
    expect_rc 2
    expect_err "without: the mix for sokoban needs at least one member; its members are astar, "
    # Every domain's mix has members with names.
    echo '1 4 2 3 0 5 6 7 8' > board
    run solve board -m auto:without=idastar --nodes 2000 --json
    expect_rc 0
    expect_field method '"beam"'
}

test_solve_shared_microban() {
    [ -d "$shared" ] || { skip "needs shared: levels/microban1.xsb"; return; }
    run solve "$shared/levels/microban1.xsb" --only 1-4 --json --time 60
    expect_rc 0
    expect_json
    expect_lines 4
    cp out solutions.json
    run check "$shared/levels/microban1.xsb" solutions.json --only 1-4
    expect_rc 0
}

# Several threads prove the same cost as one, and say how evenly they worked.
test_solve_exact_threads() {
    local method threads
    for method in astar bfs; do
        run solve "$data/tiles.txt" --only 4-5 --method $method --threads 1 --jobs 1 --json
        expect_rc 0
        grep -o '"status":"[a-z]*"\|"cost":[0-9]*\|"optimal":[a-z]*' out > one
        for threads in 2 4; do
            run solve "$data/tiles.txt" --only 4-5 --method $method --threads $threads --jobs 1 --json
            expect_rc 0
            expect_silence err
            expect_out '"workers":'$threads
            expect_equal "$(grep -o '"status":"[a-z]*"\|"cost":[0-9]*\|"optimal":[a-z]*' out)" "$(cat one)"
        done
    done
}

# The objective is an option of the domain, which is joined to the others.
test_solve_optimal_with_empty_options() {
    local options
    for options in sokoban: sokoban:pairs=off,; do
        run solve "$data/first.xsb" --only 1 --domain $options --optimal pushes
        expect_rc 0
    done
    local long
    long=sokoban:$(printf 'pairs=off,%.0s' {1..200})rules=none
    run solve "$data/first.xsb" --only 1 --domain "$long" --optimal pushes
    expect_rc 0
}
