# Expert iteration and actor-critic training on Sokoban boards of 5x5 with one box.

write_actor() {
    printf '%s\n' 'input 4x5x5' 'conv 8 3x3 pad 1 relu' 'linear 16 relu' 'mark body' 'linear 4' 'policy' 'from body' \
        'linear 1' 'value' > actor.net
}

iterate_small="sokoban-moves:rules=none --board 5x5 --generate boxes=1 --network actor.net --seed 2 --threads 2 boards=2 \
    step_limit=30 --curriculum stages=3,max_action_depth=4..12,total_positions=20..200:log"
expert="--way expert-iteration puzzles=10 iteration_batches=4 batch=16 --search per_move=16,delay=4"
critic="--way actor-critic actors=8 iteration_moves=400"

test_train_by_expert_iteration() {
    write_actor
    run train $iterate_small $expert --out a.safetensors iterations=12
    expect_rc 0
    expect_out '^a.safetensors: 120 games, 48 steps in '
    expect_err 'iteration 12, stage [23] \(.* % solved\)'
    expect_equal "$(wc -l < a.safetensors.run/curve.jsonl)" 12
    grep -q '"stage":1,"iteration_solve_rate":' a.safetensors.run/curve.jsonl || fault "the curve lacks stage and solve rate"
    run info a.safetensors
    expect_out '^  way +expert-iteration$'
    run generate sokoban width=5 height=5 boxes=1 --count 6
    cp out levels.xsb
    run solve levels.xsb -d sokoban-moves --network a.safetensors -m exit-mcts --json
    expect_rc 0
    expect_out '"status":"solved".*"evaluations":[1-9]'
    for method in pv-mcts policy-mcts; do
        run solve levels.xsb -d sokoban-moves --network a.safetensors -m $method --iterations 5000 --json
        expect_out '"status":"solved".*"optimal":(true|false)'
    done
    # A method may be the expert.
    run train $iterate_small $expert --out b.safetensors iterations=2 --method astar
    expect_rc 0
    expect_err 'iteration 2, stage 1 \(100.0 % solved\)'
}

test_train_by_actor_critic() {
    write_actor
    run train $iterate_small $critic --out a.safetensors iterations=3
    expect_rc 0
    expect_err 'iteration 3, stage 1 \(.* % solved\)'
    run info a.safetensors
    expect_out '^  way +actor-critic$'
    run eval a.safetensors --boards 4 --generate boxes=1 --board 5x5
    expect_rc 0
    # Tiles have rewards, but none for learners: 1 at the end and -0.01 per move.
    printf '%s\n' 'input 9x3x3' 'linear 16 relu' 'mark body' 'linear 4' 'policy' 'from body' 'linear 1' 'value' > tiles.net
    run train tiles --board 3x3 --generate walk=3 --network tiles.net --threads 2 boards=2 step_limit=10 $critic \
        --out b.safetensors iterations=2
    expect_rc 0
    expect_err 'iteration 2, stage 1 \([1-9].* % solved\)'
}

# The steps of an iteration that is not finished count too.
test_train_counts_steps_of_a_short_run() {
    write_actor
    run train $iterate_small --way actor-critic actors=8 iteration_moves=1000000 steps=5 --out a.safetensors
    expect_rc 0
    expect_out '^a.safetensors: [0-9]+ games?, 5 steps in '
}

# Self-play without search, in a domain with costs.
test_train_by_ppo_with_costs() {
    write_actor
    local play
    for play in ppo lookahead; do
        run train sokoban-moves:rules=none --board 5x5 --generate boxes=1,max_action_depth=6,total_positions=50 \
            --network actor.net --threads 2 boards=2 step_limit=20 --method none self_play=true play=$play batch=32 steps=20 \
            parallel_games=8 drawn_capacity=1000 --out $play.safetensors
        expect_rc 0
        expect_out '20 steps in'
    done
}

# States from walks backwards.
test_train_by_walking_back() {
    printf '%s\n' 'input 9x3x3' 'linear 32 relu' 'mark body' 'linear 4' 'policy' 'from body' 'linear 1' 'value' > tiles.net
    local words="--board 3x3 --network tiles.net --threads 2 boards=4 --method none self_play=true play=backward"
    run train tiles $words walk_length=5 batch=64 steps=60 parallel_games=8 --out a.safetensors --generate walk=3
    expect_rc 0
    expect_out '60 steps in'
    expect_err 'step 60, policy solves'
    printf '%s\n' 'input 4x5x5' 'linear 32 relu' 'mark body' 'linear 4' 'policy' 'from body' 'linear 1' 'value' > a.net
    run train sokoban-moves --board 5x5 --generate boxes=1 --network a.net --method none self_play=true play=backward \
        steps=1 --out b.safetensors
    expect_rc 0
}

# Killed at any step and resumed, a run comes to the same weights to the last bit.
test_train_iterations_go_on_after_a_kill() {
    write_actor
    local way process
    for way in "$expert" "$critic"; do
        rm -rf a.safetensors* b.safetensors*
        run train $iterate_small $way --out a.safetensors iterations=60 save_steps=15
        expect_rc 0
        "$program" train $iterate_small $way --out b.safetensors iterations=60 save_steps=15 > out 2> err &
        process=$!
        last="soloist train $way, then SIGKILL"
        wait_lines b.safetensors.run/curve.jsonl 5
        kill -9 $process
        wait $process 2> /dev/null
        [ ! -e b.safetensors ] || fault "the run ended before it was killed"
        run train --resume b.safetensors.run
        expect_rc 0
        expect_equal "$(wc -l < b.safetensors.run/curve.jsonl)" 60
        cmp a.safetensors.run/kept.state b.safetensors.run/kept.state || fault "the weights differ after a kill ($way)"
    done
}

# Ctrl-C and --time end a run with a network that can be used, and the run can go on.
test_train_iterations_stop_and_go_on() {
    write_actor
    local way process
    for way in "$expert" "$critic"; do
        rm -rf a.safetensors*
        "$program" train $iterate_small $way --out a.safetensors > out 2> err &
        process=$!
        last="soloist train $way, then SIGINT"
        wait_lines a.safetensors.run/curve.jsonl 2
        kill -INT $process
        wait_end $process
        expect_rc 0
        run info a.safetensors
        expect_rc 0
        run train --resume a.safetensors.run --time 0.01
        expect_rc 0
    done
}

test_train_iterations_say_what_is_wrong() {
    write_actor
    run train $iterate_small $critic --out a.safetensors iterations=1
    expect_rc 0
    run train --resume a.safetensors.run iterations=2 actors=9
    expect_rc 2
    expect_err 'actors.state is damaged or belongs to other options'
    printf 'x' | dd of=a.safetensors.run/trainer.state bs=1 seek=100 conv=notrunc 2> /dev/null
    run train --resume a.safetensors.run iterations=2
    expect_rc 2
    expect_err '^soloist: train: the checkpoint in .* cannot be read'
    run train $iterate_small $expert --out b.safetensors --curriculum harder
    expect_rc 2
    expect_err 'neither OPTION=FIRST..LAST nor a published curriculum \(ge\)'
    run train $iterate_small $expert --out b.safetensors --curriculum stages=2,depth=1..2
    expect_rc 2
    expect_err 'depth'
    run train $iterate_small $expert --out b.safetensors --board 6x6 iterations=1
    expect_rc 2
    expect_err '5x5'
    run train $iterate_small --way expert-iteration --out b.safetensors --search simulations=3
    expect_rc 2
    expect_err 'simulations'
    [ -e b.safetensors ] && fault "a network was written"
    return 0
}

# The lab trains with a teacher and with a curriculum, keeps stages and solve rates, and asks the networks for values of
# dead positions; through JSON lines the result is the same.
test_lab_iterations() {
    need_lab || return
    write_actor
    cat > e.lab << 'END'
share 0.01
train sokoban-moves:rules=none --board 5x5 --generate boxes=1 --network actor.net --way expert-iteration --search per_move=16,delay=4
    --curriculum stages=3,max_action_depth=4..12,total_positions=20..200:log puzzles=10 iteration_batches=4 batch=16
    iterations=12 boards=2 step_limit=30 as expert
train sokoban-moves:rules=none --board 5x5 --generate boxes=1 --network actor.net --method astar:ties=random
    --teacher sokoban:bound=matching-manhattan,deadlock_tables=true steps=4 batch=8 solve_games=4 dagger=0
    learning_starts=100000 reuse=0 boards=2 as pupil
generate sokoban width=5 height=5 boxes=1 count=4 seed=3 domain=sokoban-moves:rules=none as boards
budget time=none
method exit-mcts:per_move=16,delay=1 trained=expert as search
method dead-by-rules:rules=none,deadlock_tables=true trained=expert as rules
method dead-by-search trained=expert as pairs
measure solved SELECT 100.0 * (value IS NOT NULL) FROM runs WHERE label = ?1
row solved solved search = 100
END
    run lab run e.lab --store e.db --jobs 1
    expect_rc 0
    expect_out '^e: 14 of 14 runs done, [0-9]* solved, 2 trained, in e.db$'
    run lab report e --store e.db
    refute_out agrees
    run lab show e --store e.db --format csv --sql "SELECT count(*), min(stage), max(stage) > 1, max(iteration_solve_rate) <= 1
        FROM curves WHERE label = 'expert' AND iteration_solve_rate >= 0"
    expect_out '^12,1,1,1$'
    run lab show e --store e.db --format csv --sql "SELECT count(stage), count(*) > 0 FROM curves WHERE label = 'pupil'"
    expect_out '^0,1$'
    run lab show e --store e.db --format csv --sql "SELECT count(*) FROM runs WHERE label = 'search' AND evaluations > 0"
    expect_out '^4$'
    run lab show e --store e.db --format csv --sql "SELECT label, status, count(*), count(signature), count(solved) FROM runs
        WHERE label IN ('rules', 'pairs') GROUP BY label"
    expect_out '^rules,measured,4,0,0$'
    run lab show e --store e.db --format csv --sql "SELECT curves.label, row, sum(curves.value = runs.value), count(*) FROM curves JOIN runs
        ON runs.id = curves.run WHERE curves.label IN ('rules', 'pairs') GROUP BY 1, 2"
    expect_out '^rules,0,4,4$'
    run lab repeat 14 --store e.db
    expect_rc 2
    expect_err 'only searches can be repeated'
    run lab run e.lab --store e.jsonl --jobs 1
    expect_rc 0
    run lab merge e.jsonl --store f.db
    expect_rc 0
    local store sql="SELECT label, status, value, row, v, stage, rate FROM (SELECT id, label, status, value FROM runs) LEFT JOIN
        (SELECT run AS id, row, value AS v, stage, iteration_solve_rate AS rate FROM curves) USING(id) ORDER BY label, value, row, v"
    for store in e f; do
        run lab show e --store $store.db --format csv --sql "$sql"
        cp out $store.csv
    done
    cmp e.csv f.csv || fault "JSON lines and the store differ"
    sed 's/deadlock_tables=true trained/deadlock_tablez=true trained/' e.lab > g.lab
    run lab run g.lab --store g.db
    expect_rc 2
    expect_err 'g.lab:[0-9]*:8: .*deadlock_tablez'
    sed 's/--teacher sokoban:/--teacher sokobann:/' e.lab > g.lab
    run lab run g.lab --store g.db
    expect_rc 2
    expect_err 'g.lab:.*no domain sokobann'
}
