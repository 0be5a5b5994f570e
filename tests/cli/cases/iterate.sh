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
