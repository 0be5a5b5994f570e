# Searches that a network leads, with networks that have learned nothing: what they find, count and say.

# Networks for Sokoban on boards of any size.
write_push_net() {
    printf '%s\n' 'input 4x?x?' 'conv 8 3x3 pad 1 relu' 'mark body' 'conv 4 1x1' policy 'from body' pool 'linear 1' value \
        > push.net
}

test_guided_searches_solve_levels() {
    write_push_net
    for method in levints levints:batch=8 phs phs:star=false,batch=4 phs:lazy=true astar:bound=network \
        astar:bound=both,batch=8 greedy:bound=network bhpa:bound=network mm:bound=network beam:score=values \
        beam:score=priors schokoban:reward=network; do
        run solve "$data/first.xsb" --only 1-4 -m $method --network push.net --first --nodes 20000 --time 0 --threads 1 \
            --jobs 1 --json
        expect_rc 0
        expect_json
        for line in 1 2 3 4; do
            expect_field status '"solved"' $line
            [ "$(field evaluations $line)" != null ] || fault "$method: evaluations are not counted"
        done
    done
    run solve "$data/first.xsb" --only 1-4 -m astar --first --json
    expect_field evaluations null
    run solve "$data/first.xsb" --only 1 -m levints --network push.net --first
    expect_out '^the network was asked about 2\.0 states per instance$'
    # The mean says which instances it leaves out.
    { sed -n 4,8p "$data/first.xsb" && printf '; broken\n####\n#@?#\n####\n'; } > two.xsb
    run solve two.xsb -m levints --network push.net --first
    expect_out '^the network was asked about 2\.0 states per instance, counting only the 1 instance whose search could ask it$'
    run solve "$data/first.xsb" --only 1 -m astar --first
    refute_out 'the network was asked'
}

test_guided_bound_proves_nothing() {
    write_push_net
    for method in astar:bound=network astar:bound=both,weight=0.1 mm:bound=network; do
        run solve "$data/first.xsb" --only 1-4 -m $method --network push.net --first --nodes 20000 --time 0 --json
        expect_rc 0
        ! grep -q '"optimal":true' out || fault "$method claims that a solution is optimal"
    done
}

# The policy of this network goes where it likes; it ends by the step limit, and another run plays the same game.
test_guided_policy_ends_by_the_step_limit() {
    write_push_net
    run solve "$data/first.xsb" -m policy:steps=17 -d sokoban:rules=none --network push.net --first --json
    expect_json
    ! grep -oE '"evaluations":[0-9]+' out | grep -vqE ':([0-9]|1[0-7])$' || fault "more than 17 moves"
    grep -oE '"(solution|evaluations)":[^,]*' out > first
    run solve "$data/first.xsb" -m policy:steps=17 -d sokoban:rules=none --network push.net --first --json
    grep -oE '"(solution|evaluations)":[^,]*' out > second
    cmp first second || fault "another game"
    run solve "$data/first.xsb" --only 1 -m policy:temperature=1,games=200 --network push.net --first --json
    expect_rc 0
    expect_field status '"solved"'
}

test_guided_searches_say_what_they_need() {
    write_push_net
    run solve "$data/samegame.txt" --only 1 -m levints
    expect_rc 2
    expect_err 'levints needs a domain that minimises cost; samegame maximises a score'
    run solve "$data/pancakes.txt" --only 1 -m phs
    expect_rc 2
    expect_err 'phs needs a domain that shows its states to networks; pancake does not'
    run solve "$data/samegame.txt" --only 1 -m greedy:bound=network --network "$data/networks/samegame-first-7.net" --time 1
    expect_rc 2
    run solve "$data/first.xsb" --only 1 -m astar:bound=network -d sokoban-moves --network push.net
    expect_rc 2
    expect_err 'the instance has 4 actions'
}

test_guided_dead_states() {
    write_push_net
    run eval push.net --domain sokoban --dead-states 12 --seed 3
    expect_rc 0
    expect_out '^12 dead states; the value of '
    cp out first
    run eval push.net --domain sokoban --dead-states 12 --seed 3 --jobs 1
    cmp first out || fault "another number of jobs gives other positions"
    run eval push.net --domain sokoban --dead-states 6 --exhaustive --format json
    expect_rc 0
    expect_out '^{"dead_states":6,"labelled":"search",.*"live_histogram":\[[0-9,]*\],"area":[0-9.]*,"pairs_in_order":[0-9.]*}$'
    run eval push.net --dead-states 6
    expect_rc 2
    expect_err 'eval: push.net does not name its domain: give it with --domain'
    run eval push.net --dead-states 6 --domain samegame
    expect_rc 2
    expect_err 'dead-states needs a domain that minimises cost'
    run eval push.net --dead-states 6 --domain sokoban --time 3
    expect_err 'time.*plays no games'
}

# Games that end without a solution: each has twice as many simulations per move as the one before.
test_guided_games_that_widen() {
    local games=1 sum
    for sum in 12 36 84; do
        run solve "$data/first.xsb:12" --method pv-mcts:per_move=2,step_limit=6,games=$games --threads 1 --nodes 1000000 --json
        expect_rc 1
        expect_out "\"iterations\":$sum,"
        games=$((games + 1))
    done
}

test_guided_tables_of_the_lab() {
    need_lab || return
    run lab run "$data/experiments/T22.lab" --scale 0.0005
    expect_rc 0
    if [ -e "$data/networks/sokoban-policy-value.safetensors" ]; then
        run lab report T22
        expect_out '^states dead by rules, values below 0.1 \(%\): installed network for pushes .* 4 '
        expect_out '^area under the ROC curve: installed network for pushes '
    fi
    run lab reproduce --list
    expect_rc 0
    expect_out '^T20 '
    expect_out '^T21 '
    expect_out '^T22 '
}
