# soloist train and soloist eval, on boards of 5x5.

write_net() {
    printf '%s\n' 'input 6x5x5' 'conv 8 3x3 pad 1 elu' 'mark body' 'linear 25' 'policy' 'from body' 'linear 1' 'value' \
        > small.net
}

# Words of a run that is over in a moment.
train_small="--board 5x5 --generate colours=3 --network small.net --seed 2 --threads 2 batch=16 boards=4 \
    solve_iterations=20 self_play=false row_steps=10 save_steps=10"

test_train_and_eval() {
    write_net
    run train samegame $train_small --out a.safetensors solve_games=10 steps=40
    expect_rc 0
    expect_out '^a.safetensors: 10 games, 40 steps in .* on '
    expect_err 'step 40, greedy .*, loss'
    expect_equal "$(wc -l < a.safetensors.run/curve.jsonl)" 4
    expect_equal "$(wc -l < a.safetensors.run/games.txt)" 10
    grep -q '"greedy_mean":' a.safetensors.run/curve.jsonl || fault "the curve lacks the policy's score"
    head -c 2000 a.safetensors | grep -q 'soloist.card.*continuous' || fault "the file does not say how it was trained"
    run info a.safetensors
    expect_rc 0
    expect_out '^  way +continuous$'
    expect_out '^  games +10$'
    run info a.safetensors --json
    expect_out '"trained":".*continuous'
    run eval a.safetensors --boards 4 --generate colours=3 --format csv
    expect_rc 0
    expect_out '^the policy alone,,4,'
    run eval a.safetensors --boards 2 --generate colours=3 --time 0.05,0.1 --method mcts --method policy-mcts
    expect_rc 0
    expect_lines 6
    # From its own weights, and from the games alone.
    run train samegame $train_small --network a.safetensors --out b.safetensors --method none \
        --games a.safetensors.run/games.txt steps=10
    expect_rc 0
    expect_out '10 games, 10 steps'
    run train samegame $train_small --out c.safetensors --way generations generations=2 runs=4 simulations=5 epochs=1
    expect_rc 0
    expect_out '8 games'
}

test_train_goes_on_after_a_kill() {
    write_net
    "$program" train samegame $train_small --out a.safetensors solve_games=20 steps=1000000 > out 2> err &
    local process=$!
    last="soloist train, then SIGKILL"
    wait_lines a.safetensors.run/curve.jsonl 8
    kill -9 $process
    wait $process 2> /dev/null
    local rows
    rows=$(wc -l < a.safetensors.run/curve.jsonl)
    run train samegame $train_small --out a.safetensors --resume a.safetensors.run solve_games=20 \
        steps=$((rows * 10 + 50))
    expect_rc 0
    expect_equal "$(wc -l < a.safetensors.run/curve.jsonl)" $((rows + 5))
    run info a.safetensors
    expect_rc 0
}

# Whenever it is killed, the words are enough to go on with: right at the start, while the first games are made, between
# checkpoints. Nothing but the folder is needed, wherever the program is called from.
test_train_goes_on_without_its_words() {
    write_net
    local sign process
    for sign in words.json games.txt counters.state curve.jsonl; do
        rm -rf a.* elsewhere
        "$program" train samegame $train_small --out a.safetensors solve_games=20 reuse=0 steps=1000000 > out 2> err &
        process=$!
        last="soloist train, then SIGKILL at $sign"
        wait_file a.safetensors.run/$sign
        kill -9 $process
        wait $process 2> /dev/null
        mv small.net gone.net
        mkdir elsewhere
        cd elsewhere || return
        run train --resume ../a.safetensors.run steps=400
        mv out err ..
        cd .. || return
        mv gone.net small.net
        expect_rc 0
        expect_out "a.safetensors: .* 400 steps"
        run info a.safetensors
        expect_out '^  boards  .*width=5,height=5,colours=3'
        expect_out '^  seed +2$'
        expect_equal "$(tail -n 1 a.safetensors.run/curve.jsonl | grep -o '"steps":[0-9]*')" '"steps":400'
        ls a.safetensors.run | grep -E '\.[0-9]+$' && fault "unfinished files are left"
        # At its end there is nothing to do, and the card still says how good it is.
        cp a.safetensors before
        run train --resume a.safetensors.run
        expect_rc 0
        run eval a.safetensors --card --back-end cpu
        expect_rc 0
        expect_out 'which agrees'
        cmp -s <(tail -c 400 before) <(tail -c 400 a.safetensors) || fault "the weights have changed"
    done
}

test_train_goes_on_from_trained_weights() {
    write_net
    run train samegame $train_small --out first.safetensors solve_games=10 steps=20
    run train samegame $train_small --network first.safetensors --out a.safetensors --way generations generations=1 runs=4 \
        simulations=5 epochs=1 from_scratch=false
    expect_rc 0
    rm first.safetensors
    run train --resume a.safetensors.run/ generations=2
    expect_rc 0
    expect_out '8 games'
    run info a.safetensors
    expect_out '^  way +generations$'
    expect_out '^  generations +2$'
}

# A network for boards of any size learns on small boards first, then on larger ones.
test_train_on_boards_that_grow() {
    run train samegame --board 4x4 -n "$data/networks/samegame-any.net" --way generations generations=1 runs=8 simulations=10 \
        boards=4 batch=8 --threads 1 --out small.safetensors
    expect_rc 0
    run train samegame --board 6x5 -n small.safetensors --way generations generations=1 runs=8 simulations=10 boards=4 \
        batch=8 --threads 1 --out larger.safetensors
    expect_rc 0
    run eval larger.safetensors --board 7x7 --boards 2
    expect_rc 0
}

# Words beside --resume hold from then on, but those that the checkpoint is made of cannot change.
test_train_resume_takes_other_words() {
    write_net
    run train samegame $train_small --out a.safetensors solve_games=10 steps=20
    expect_rc 0
    local words
    for words in "--board 6x6" "--generate colours=4" "--seed 3" "--way generations" "--games a.safetensors" \
        "--network $data/networks/samegame-tower-7.net" "--folder b"; do
        run train --resume a.safetensors.run $words steps=30
        expect_rc 2
        expect_err "$(cut -d ' ' -f 1 <<< "$words")"
    done
    run train pancake --resume a.safetensors.run steps=30
    expect_rc 2
    expect_err 'domain pancake: the run in a.safetensors.run has samegame, which cannot be changed'
    run info a.safetensors
    expect_out '^  steps +20$'
    run train samegame --resume a.safetensors.run $train_small steps=30 --out b.safetensors --method none
    expect_rc 0
    expect_out '^b.safetensors: 10 games, 30 steps'
    run train --resume a.safetensors.run steps=40
    expect_rc 0
    expect_out 'b.safetensors: 10 games, 40 steps'
    run info b.safetensors
    expect_out '^  method +null$'
    # The network of another run is not the run's own.
    run train --resume a.safetensors.run steps=50 --out a.safetensors
    expect_rc 2
    expect_err 'a.safetensors exists already: choose another --out, or rename the old one with --force'
    # A folder that was renamed takes its network's name along.
    mv a.safetensors.run c.safetensors.run
    run train --resume c.safetensors.run steps=50
    expect_rc 0
    expect_out '^c.safetensors: 10 games, 50 steps'
    mv c.safetensors.run d
    run train --resume d steps=60
    expect_rc 2
    expect_err '--out'
}

# Options under the names that they had before: typed, kept in a folder, and in a store.
test_train_takes_former_names() {
    write_net
    run train samegame $train_small --out a.safetensors solve_games=10 steps=20 orders=2 lead=0 reuse=0
    expect_rc 0
    expect_equal "$(grep -oE '"(reorderings|orders|dagger|lead)=[0-9]+' a.safetensors.run/words.json | tr '\n' ' ')" \
        '"reorderings=2 "dagger=0 '
    # The folder of an older version: its words still hold, and the new name replaces the old one.
    sed -i 's/"reorderings=/"orders=/; s/"dagger=/"lead=/' a.safetensors.run/words.json
    run train --resume a.safetensors.run steps=30 reorderings=3
    expect_rc 0
    expect_out 'a.safetensors: 10 games, 30 steps'
    expect_equal "$(grep -oE '"(reorderings|orders|dagger|lead)=[0-9]+' a.safetensors.run/words.json | tr '\n' ' ')" \
        '"dagger=0 "reorderings=3 '
    run train --resume a.safetensors.run steps=40 orders=4
    expect_rc 0
    expect_equal "$(grep -oE '"(reorderings|orders)=[0-9]+' a.safetensors.run/words.json)" '"reorderings=4'
    run info a.safetensors
    expect_out '^  steps +40$'
    run eval a.safetensors --card --back-end cpu
    expect_rc 0
    run train samegame $train_small --out c.safetensors play=draw trace=2
    expect_rc 2
    expect_err 'gae_lambda=2: expected a value from 0 to 1'
    need_lab || return
    run train samegame $train_small --out d.safetensors solve_games=10 steps=20 orders=2 --store lab.db
    expect_rc 0
    run train samegame $train_small --out d.safetensors solve_games=10 steps=20 reorderings=2 --store lab.db --force
    expect_rc 0
    run lab show d --sql 'SELECT count(*) FROM run' --format csv
    expect_out '^1$'
}

# Folders of before had a checkpoint and no words: these are given again.
test_train_resume_of_a_folder_without_words() {
    write_net
    run train samegame $train_small --out a.safetensors solve_games=10 steps=20
    rm a.safetensors.run/words.json a.safetensors.run/start.net
    run train --resume a.safetensors.run steps=30
    expect_rc 2
    expect_err 'a.safetensors.run has no record of its arguments: give DOMAIN, --out FILE and all others again'
    run train samegame $train_small --out a.safetensors --resume a.safetensors.run solve_games=10 steps=30
    expect_rc 0
    expect_out '10 games, 30 steps'
    run train --resume a.safetensors.run steps=40
    expect_rc 0
    expect_out '10 games, 40 steps'
    echo '{' > a.safetensors.run/words.json
    run train --resume a.safetensors.run steps=50
    expect_rc 2
    expect_err 'words.json is damaged'
}

test_train_replaces_nothing() {
    write_net
    run train samegame $train_small --out a.safetensors solve_games=10 steps=20
    expect_rc 0
    cp a.safetensors one
    run train samegame $train_small --out a.safetensors solve_games=10 steps=10
    expect_rc 2
    expect_err '^soloist: train: a.safetensors holds a network already: choose another --out, continue it with --resume a.safetensors.run, or rename the old one with --force$'
    expect_same one a.safetensors
    rm a.safetensors
    run train samegame $train_small --out a.safetensors solve_games=10 steps=10
    expect_rc 2
    expect_err 'a.safetensors.run holds a run already'
    mv one a.safetensors
    run train samegame $train_small --out a.safetensors solve_games=10 steps=10 --force
    expect_rc 0
    expect_err '^a.safetensors was renamed to a.1.safetensors$'
    expect_err '^a.safetensors.run was renamed to a.1.safetensors.run$'
    cp a.safetensors two
    run train samegame $train_small --out a.safetensors solve_games=10 steps=30 --force
    expect_rc 0
    expect_same two a.2.safetensors
    run info a.1.safetensors
    expect_out '^  steps +20$'
    # What was put aside can be gone on from, and does not touch the new one.
    cp a.safetensors three
    run train --resume a.1.safetensors.run steps=40
    expect_rc 0
    expect_out '^a.1.safetensors: 10 games, 40 steps'
    expect_same three a.safetensors
    # A start that comes to nothing changes nothing.
    run train samegame $train_small --board 6x6 --out a.safetensors --force
    expect_rc 2
    expect_err 'the network reads 6x5x5'
    expect_same three a.safetensors
    expect_equal "$(ls -d a.* | tr '\n' ' ')" "a.1.safetensors a.1.safetensors.run a.2.safetensors a.2.safetensors.run a.safetensors a.safetensors.run "
    run train samegame $train_small --board 6x6 --out b.safetensors
    expect_rc 2
    [ ! -e b.safetensors.run ] || fault "a folder is left of a run that did not begin"
    run train samegame $train_small --out nowhere/b.safetensors
    expect_rc 2
    expect_err 'nowhere/b\.safetensors cannot be written: there is no folder nowhere'
}

test_train_one_process_a_folder() {
    write_net
    "$program" train samegame $train_small --out a.safetensors > first 2> first.err &
    local process=$!
    wait_lines a.safetensors.run/curve.jsonl 1
    run train --resume a.safetensors.run
    expect_rc 2
    expect_err 'another process is training in a.safetensors.run'
    run train samegame $train_small --out a.safetensors --force
    expect_rc 2
    expect_err 'another process is training in a.safetensors.run'
    kill -INT $process
    wait_end $process
    expect_rc 0
}

test_train_ends_when_told() {
    write_net
    "$program" train samegame $train_small --out a.safetensors > out 2> err &
    local process=$!
    last="soloist train, then SIGINT"
    wait_lines a.safetensors.run/curve.jsonl 2
    kill -INT $process
    wait_end $process
    expect_rc 0
    run info a.safetensors
    expect_rc 0
    run eval a.safetensors --boards 2 --generate colours=3
    expect_rc 0
}

test_train_refuses() {
    write_net
    run train
    expect_rc 2
    expect_err 'which DOMAIN'
    run train samegame
    expect_rc 2
    expect_err '--out'
    run train samegame --out a.net
    expect_rc 2
    expect_err 'must end in .safetensors'
    run train pancake --out a.safetensors
    expect_rc 2
    expect_err 'pancake does not show its states to networks'
    mkdir folder.safetensors
    run train samegame $train_small --out folder.safetensors --force
    expect_rc 2
    expect_err 'folder.safetensors is not a file'
    run train samegame --out a.safetensors --board 5
    expect_rc 2
    expect_err 'expected a size'
    run train samegame --out a.safetensors --board 9x8
    expect_rc 2
    expect_err '--network'
    run train samegame --out a.safetensors --board 6x6 --network small.net steps=1
    expect_rc 2
    expect_err 'the network reads 6x5x5'
    run train samegame --out a.safetensors --board 5x5 --network small.net stepz=1
    expect_rc 2
    expect_err 'steps'
    run train samegame --out a.safetensors --board 5x5 --network small.net --resume nowhere steps=1
    expect_rc 2
    expect_err 'nowhere: no such folder'
    [ ! -e nowhere ] || fault "a folder is made of a wrong --resume"
    run train pancake --out a.safetensors --network small.net
    expect_rc 2
    run eval small.net
    expect_rc 2
    run eval
    expect_rc 2
    run info train
    expect_rc 0
    expect_out 'learning rate'
}

# The card's figure is of boards that can be made again, and one that is not true is found out.
test_train_card_can_be_checked() {
    write_net
    run train samegame $train_small --out a.safetensors boards=64 solve_games=20 steps=40
    expect_rc 0
    run eval a.safetensors --card --back-end cpu
    expect_rc 0
    expect_out '^the card says .* on 64 boards; measured on 64 of them: .*, which agrees \(0\.00 off'
    run eval a.safetensors --card --boards 8
    expect_rc 0
    expect_out 'on 8 of them: .*, which agrees'
    LC_ALL=C sed -E 's/(greedy_mean\\":-?)[0-9]/\19/' a.safetensors > false.safetensors
    run eval false.safetensors --card
    expect_rc 1
    expect_out 'which does not agree'
    # A score that lies within the interval, but that these boards do not give.
    LC_ALL=C sed -E 's/(greedy_mean\\":-?[0-9]*)[0-4]\./\18./; t; s/(greedy_mean\\":-?[0-9]*)[5-9]\./\11./' \
        a.safetensors > near.safetensors
    run eval near.safetensors --card --back-end cpu
    expect_rc 1
    expect_out "which does not agree \\([4-8]\\.[0-9]+ off, 0\\.01 allowed for rounding on the card\\)"
    # The card and the table give the same interval.
    run eval a.safetensors --card --format csv
    local interval
    interval=$(grep '^the policy alone' out | cut -d, -f5)
    run info a.safetensors
    expect_equal "$(grep -oE 'greedy_interval +[0-9.]+' out | grep -oE '[0-9.]+$' | cut -c1-4)" "$(cut -c1-4 <<< "$interval")"
    LC_ALL=C sed 's/greedy_mean/greedy_moan/' a.safetensors > none.safetensors
    run eval none.safetensors --card
    expect_rc 2
    expect_err 'no card'
}

test_train_into_a_store() {
    need_lab || return
    write_net
    run train samegame $train_small --out a.safetensors solve_games=10 steps=40 --store lab.db
    expect_rc 0
    run lab list
    expect_out '^a +1 of 1 runs done +Training of a$'
    run lab show a --sql 'SELECT steps, value, validation_policy_loss > 0 AS lost FROM curves ORDER BY row' --format csv
    expect_lines 5
    expect_out '^40,.*,1$'
    # The same words again take its place in the store; other words come beside it.
    run train samegame $train_small --out a.safetensors solve_games=10 steps=40 --store lab.db --force
    expect_rc 0
    run train samegame $train_small --out b.safetensors solve_games=10 steps=20 --store lab.db
    run lab list
    expect_lines 2
    run lab report a
    expect_rc 0
    expect_out '^The last rows'
    expect_out ' validation_policy_loss +validation_value_loss '
    command -v gnuplot > /dev/null || return
    run lab plot a --curves --x steps --out a.svg
    expect_rc 0
    grep -q 'Training of a' a.svg || fault "no title in the picture"
}

# Trainings from other weights, or from files of other content, are other runs.
test_train_store_tells_origins_apart() {
    need_lab || return
    write_net
    local words="--board 5x5 --generate colours=3 --seed 2 --threads 2 batch=16 boards=4 row_steps=10"
    run train samegame $train_small --out a.safetensors solve_games=10 steps=10
    run train samegame $train_small --out b.safetensors solve_games=10 steps=20
    cp a.safetensors.run/games.txt 'the {games} a.txt'
    local weights
    for weights in a b a; do
        run train samegame $words --network $weights.safetensors --method none --games 'the {games} a.txt' steps=10 \
            --out 'the "last" {one}.safetensors' --force --store lab.db
        expect_rc 0
    done
    run lab show --sql 'SELECT count(*) FROM run' --format csv
    expect_out '^2$'
    head -n 5 b.safetensors.run/games.txt >> 'the {games} a.txt'
    run train samegame $words --network a.safetensors --method none --games 'the {games} a.txt' steps=10 \
        --out 'the "last" {one}.safetensors' --force --store lab.db
    run lab show --sql 'SELECT count(*) FROM run' --format csv
    expect_out '^3$'
    run lab list
    expect_out '^the _last_ _one_ +1 of 1 runs done +Training of the _last_ _one_$'
}

# Domains with costs.

write_goal_net() {
    printf '%s\n' 'input 4x?x?' 'conv 8 3x3 pad 1 elu' 'mark body' 'at 4' 'linear 4' 'policy' 'from body' 'pool' \
        'linear 1' 'value' > goal.net
}

# One thread, and all games before the first step: every run computes the same.
train_goal="--generate width=5,height=5,boxes=1,total_positions=200 --method astar --network goal.net --seed 2 --threads 1 \
    batch=16 boards=8 solve_time=0 solve_games=40 learning_starts=1000000 reuse=0 row_steps=10 save_steps=10"

test_train_on_costs() {
    write_goal_net
    run train sokoban-moves:rules=none $train_goal --out a.safetensors steps=40
    expect_rc 0
    expect_out '^a.safetensors: 40 games, 40 steps in .* on .*; policy solves [0-9.]+ % \([0-9.]+ to [0-9.]+\),? '
    expect_err 'policy solves [0-9.]+ % .*, loss .*, 40 games'
    grep -q '"solve_rate":' a.safetensors.run/curve.jsonl || fault "the curve lacks the solve rate"
    head -c 3000 a.safetensors | grep -q 'soloist.step_value": *"0.01"' || fault "the file does not say what a move costs"
    run eval a.safetensors --card
    expect_rc 0
    expect_out '^method +seconds +boards +solved_% +low_% +high_% +cost +evaluations +expanded$'
    expect_out '8 boards; measured on 8 of them: .*, which agrees \(0\.00 off'
    "$program" generate sokoban width=5 height=5 boxes=1 total_positions=200 --count 20 --seed 9 > levels.xsb
    run eval a.safetensors --levels levels.xsb --boards 10 --time 5 --method astar --format csv
    expect_rc 0
    expect_out '^the policy alone,,10,'
    expect_out '^astar,5,10,100,72\.2[0-9]*,100,'
    # From a file of levels, and from the games of the first run.
    run train sokoban-moves $train_goal --levels levels.xsb --out b.safetensors steps=10 validation=2
    expect_rc 0
    run info b.safetensors
    expect_out '^  levels +\["levels.xsb"\]$'
    run train sokoban-moves $train_goal --method none --games a.safetensors.run/games.txt --out c.safetensors steps=10
    expect_rc 0
    expect_out '40 games, 10 steps'
}

# A method that needs a network is guided by the one in training. (No network for tiles comes with the program.)
test_train_without_a_teacher() {
    write_goal_net
    printf '%s\n' 'input 9x3x3' 'linear 32 relu' 'mark body' 'linear 4' 'policy' 'from body' 'linear 1' 'value' > tiles.net
    local method way
    for method in levints:batch=4 phs; do
        for way in "dagger=0.5 dagger_steps=5 refresh_s=0.01" "--way expert-iteration puzzles=8 iteration_batches=8"; do
            rm -rf a.safetensors*
            run train tiles --board 3x3 --generate walk=6 --network tiles.net --method $method $way solve_iterations=200 \
                solve_time=0 parallel_games=4 batch=16 boards=8 --threads 2 --out a.safetensors steps=40
            expect_rc 0
            expect_out '^a.safetensors: [1-9][0-9]* games, 40 steps in .*; policy solves '
        done
    done
    run train sokoban-moves $train_goal --method levints --teacher sokoban --out b.safetensors steps=1
    expect_rc 2
    expect_err 'levints is guided by the network in training, which plays sokoban-moves: --teacher cannot name another domain'
}

# A walk of two moves often ends where it began: the first board of this seed is solved already.
test_train_on_solved_boards() {
    printf '%s\n' 'input 9x3x3' 'linear 32 relu' 'mark body' 'linear 4' 'policy' 'from body' 'linear 1' 'value' > tiles.net
    run train tiles --board 3x3 --generate walk=2 --network tiles.net --method astar --seed 1 --threads 1 batch=16 boards=8 \
        solve_games=40 solve_time=0 learning_starts=1000000 reuse=0 --out a.safetensors steps=5
    expect_rc 0
    expect_out '^a.safetensors: 40 games, 5 steps'
}

# Tables that instances share are made once, even if a game has less time than making them takes.
test_train_makes_tables_first() {
    write_goal_net
    XDG_CACHE_HOME=$PWD/cache run train sokoban-moves $train_goal --teacher sokoban:deadlock_tables=true solve_time=0.001 \
        --out a.safetensors steps=1
    expect_rc 0
    [ -s cache/soloist/sokoban-deadlocks.table ] || fault "there are no tables"
}

test_train_on_costs_is_the_same_after_a_kill() {
    write_goal_net
    local steps="steps=1000 row_steps=100 save_steps=100"
    run train sokoban-moves $train_goal --out whole.safetensors $steps
    expect_rc 0
    "$program" train sokoban-moves $train_goal --out a.safetensors $steps > out 2> err &
    local process=$!
    last="soloist train, then SIGKILL"
    wait_lines a.safetensors.run/curve.jsonl 3
    kill -9 $process 2> /dev/null
    wait $process 2> /dev/null
    run train --resume a.safetensors.run
    expect_rc 0
    cmp -s whole.safetensors.run/kept.state a.safetensors.run/kept.state || fault "the weights differ after a kill"
    printf x | dd of=a.safetensors.run/trainer.state bs=1 seek=100 conv=notrunc 2> /dev/null
    run train --resume a.safetensors.run
    expect_rc 2
    expect_err 'the checkpoint in .*a.safetensors.run cannot be read'
}

test_train_on_costs_refuses() {
    write_goal_net
    write_net
    run train sokoban-moves $train_goal --network small.net --out a.safetensors steps=1
    expect_rc 2
    expect_err 'the network reads 6x5x5'
    run train sokoban-moves $train_goal --out a.safetensors steps=1 self_play=true
    expect_rc 2
    expect_err 'costs instead of scores'
    run train sokoban-moves $train_goal --out a.safetensors steps=1 --levels nowhere.xsb
    expect_rc 2
    expect_err 'nowhere.xsb cannot be read'
    printf '#####\n#@$.#\n#####\n' > good.xsb
    printf '; a\n#####\n#@?.#\n#####\n' > bad.xsb
    run train sokoban-moves $train_goal --out a.safetensors steps=1 --levels good.xsb --levels bad.xsb
    expect_rc 2
    expect_err '^soloist: train: bad.xsb:3: unknown character'
    run train sokoban-moves $train_goal --out a.safetensors steps=1 --teacher no-such-domain
    expect_rc 2
    [ ! -e a.safetensors ] || fault "a refused training left a network"
}

write_tiles_net() {
    printf '%s\n' 'input 9x3x3' 'conv 8 3x3 pad 1 elu' 'mark body' 'linear 4' 'policy' 'from body' 'linear 1' 'value' \
        > tiles.net
}
train_tiles="tiles --board 3x3 --network tiles.net --threads 2 --method astar"

# A policy that has learned next to nothing moves to and fro, so that this step limit takes hours.
test_train_interrupted_in_the_last_measurement() {
    write_tiles_net
    "$program" train $train_tiles steps=5 step_limit=1000000 --out a.safetensors > out 2> err &
    local process=$!
    last="soloist train, then SIGINT"
    wait_file a.safetensors.run/counters.state
    kill -INT $process
    wait_end $process
    expect_rc 0
    expect_out '^a.safetensors: .* 5 steps in [0-9.]* s on [a-z]*$'
    run info a.safetensors
    expect_rc 0
    grep -q 'solve_rate\|greedy_' out && fault "the card has a score that was not measured"
}

# Arguments that are refused do not stay with the run.
test_train_resume_forgets_what_was_refused() {
    write_tiles_net
    run train $train_tiles steps=5 step_limit=20 boards=4 --out a.safetensors
    expect_rc 0
    run train --resume a.safetensors.run reward=nothing steps=6
    expect_rc 2
    expect_err 'tiles has no reward named nothing'
    run train --resume a.safetensors.run steps=7
    expect_rc 0
    expect_out ' 7 steps '
}

test_train_on_a_full_disk() {
    write_tiles_net
    # Large batches, so that enough games are made even if the other thread is much faster than this one.
    (ulimit -f 8; "$program" train $train_tiles --time 1000 steps=200 batch=1024 step_limit=20 --out a.safetensors \
        > out 2> err)
    rc=$?
    last="soloist train with files of at most 8 KiB"
    expect_rc 2
    expect_err 'the checkpoint in a.safetensors.run cannot be written: training.samples: File too large'
    expect_err 'a.safetensors.run/games.txt cannot be written: .*: games are missing in it'
    expect_out '^a.safetensors: '
    [ -s a.safetensors ] || fault "the network is lost"
    [ -s a.safetensors.run/curve.jsonl ] || fault "the run's folder is lost"
    run train --resume a.safetensors.run --time 0 steps=5
    expect_rc 0
    expect_err '^a.safetensors.run holds no checkpoint: the training starts again$'
}

test_train_refuses_an_empty_out() {
    run train tiles --board 3x3 --out ''
    expect_rc 2
    expect_err 'where should the network go'
}

test_train_refuses_what_could_not_be_learned() {
    write_tiles_net
    run train $train_tiles --method none --out a.safetensors
    expect_rc 2
    expect_err 'there are no games to learn from'
    run train $train_tiles play=backward --out a.safetensors
    expect_rc 2
    expect_err 'play has an effect only in self-play: add self_play=true'
    run train $train_tiles --curriculum stages=2,walk=1..4 --out a.safetensors
    expect_rc 2
    expect_err '.*--curriculum needs --way expert-iteration or --way actor-critic'
    expect_equal "$(ls -d a.* 2> /dev/null)" ''
}

test_eval_says_what_has_no_effect() {
    write_tiles_net
    run train $train_tiles steps=5 step_limit=20 boards=4 --search c=2 --teacher tiles --out a.safetensors
    expect_rc 0
    expect_err 'search.*there is no self-play by search'
    run eval a.safetensors --boards 2 --exhaustive
    expect_rc 0
    expect_err 'exhaustive.*it is for --dead-states'
    run eval a.safetensors --card --board 4x4
    expect_err 'board.*--card has its own boards'
    run eval a.safetensors --no-greedy
    expect_rc 2
    expect_err 'leaves nothing to measure'
}

# The network is written before the last measurement, and a second signal ends the program at once.
test_train_interrupted_twice() {
    write_tiles_net
    "$program" train $train_tiles step_limit=1000000 save_steps=5 --time 1000 --out a.safetensors > out 2> err &
    local process=$!
    last="soloist train, then SIGINT twice"
    wait_file a.safetensors.run/counters.state
    kill -INT $process
    local tries=0
    until grep -q written err || [ $((tries += 1)) -gt 2000 ]; do
        sleep 0.01
    done
    kill -INT $process
    wait_end $process
    expect_rc 130
    expect_err '^a.safetensors is written; the last measurement follows, and another Ctrl-C leaves it out$'
    run info a.safetensors
    expect_rc 0
    grep -q 'solve_rate\|greedy_' out && fault "the card has a score that was not measured"
    run train --resume a.safetensors.run --time 0 steps=1 step_limit=20
    expect_rc 0
}

# Nothing is said to begin if the arguments are refused.
test_train_refuses_before_it_begins() {
    write_tiles_net
    printf '%s\n' 'input 9x3x3' 'linear 1' 'value' > value.net
    local words
    for words in "--network value.net --way actor-critic" "--network value.net --way expert-iteration" \
        "--network value.net self_play=true play=backward" "--games nowhere.txt" "--games ."; do
        run train $train_tiles $words steps=5 --out a.safetensors
        expect_rc 2
        grep -q '^training' err && fault "train begins, then refuses $words"
    done
    expect_equal "$(ls -d a.* 2> /dev/null)" ''
}

test_train_says_what_has_no_effect() {
    write_tiles_net
    run train $train_tiles steps=5 step_limit=20 boards=4 clip_range=0.1,value_scale=3 generations=2 levels_share=0.5 \
        pairs=2 --out a.safetensors
    expect_rc 0
    expect_err 'train: warning: clip_range has no effect: it is for self_play=true with play=ppo$'
    expect_err 'train: warning: value_scale has no effect: it is for domains that maximise a score$'
    expect_err 'train: warning: generations has no effect: it is for --way generations$'
    expect_err 'train: warning: levels_share has no effect: there are no --levels$'
    expect_equal "$(grep -c warning err)" 4
    run train $train_tiles steps=5 step_limit=20 boards=4 self_play=true play=ppo clip_range=0.1 entropy=0.02 \
        --method none --out b.safetensors
    expect_rc 0
    grep -q warning err && fault "an option that has an effect is said to have none"
    run eval a.safetensors --card --seed 3
    expect_err 'seed.*--card has its own boards, and nothing else is random'
}

test_train_refuses_a_capacity_below_the_batch() {
    write_tiles_net
    run train $train_tiles steps=5 capacity=63 --out a.safetensors
    expect_rc 2
    expect_err 'capacity=63 is less than batch=64: learning would never begin$'
    run train $train_tiles steps=5 learning_starts=100 capacity=99 --out a.safetensors
    expect_rc 2
    expect_err 'capacity=99 is less than learning_starts=100'
    run train $train_tiles steps=5 self_play=true play=ppo drawn_capacity=10 --out a.safetensors
    expect_rc 2
    expect_err 'drawn_capacity=10 is less than batch=64'
}

# If no more games will come, learning does not wait for them.
test_train_ends_when_the_positions_are_used_up() {
    write_tiles_net
    run train $train_tiles steps=100000 step_limit=20 boards=4 solve_games=3 --out a.safetensors
    expect_rc 0
    expect_err 'there are no more games, and the network has learned from each position 10 times on average: the '
    expect_out '^a.safetensors: 3 games, [0-9]* steps'
    run train $train_tiles steps=100 step_limit=20 boards=4 --method none --games tiles.net --out b.safetensors
    expect_rc 2
    expect_err 'there are no positions to learn from: .*no line of the files of --games is a game on these boards$'
}

test_train_diverges() {
    write_tiles_net
    run train $train_tiles steps=200 step_limit=20 boards=4 optimiser=sgd rate=10 warm_up=0 --out a.safetensors
    expect_rc 2
    expect_err 'the weights are no longer finite after [0-9]* steps: a lower learning rate \(rate=...\) may help$'
    [ ! -e a.safetensors ] || fault "a network that no command reads was written"
    run train $train_tiles steps=1 --teacher sokoban --out b.safetensors
    expect_rc 2
    expect_err 'solves in the domain sokoban, which cannot read an instance of tiles: '
    grep -q '^training' err && fault "train begins, then refuses its teacher"
}

# The generator has no options, so it has no size either; play-outs have no rules to choose from.
test_train_a_score_without_a_size() {
    command -v "${CC:-cc}" > /dev/null || { skip "needs a C compiler"; return; }
    "${CC:-cc}" -shared -fPIC -I "$source_dir/include" "$source_dir/tests/plugin/climb.c" -o climb.so 2> err ||
        fault "the plugin does not compile"
    printf '%s\n' 'input 2x1x25' 'linear 8 relu' 'mark body' 'linear 2' 'policy' 'from body' 'linear 1' 'value' > climb.net
    run info --check ./climb.so
    expect_rc 0
    local small='--network climb.net --plugin ./climb.so --threads 1 batch=16 boards=4 solve_iterations=20 solve_games=10 learning_starts=100'
    run train climb $small --out climb.safetensors self_play=false steps=10
    expect_rc 0
    expect_out '^climb.safetensors: 10 games, 10 steps'
    run eval climb.safetensors --plugin ./climb.so --boards 4 --format csv
    expect_rc 0
    expect_out '^the policy alone,,4,'
    run eval climb.safetensors --plugin ./climb.so --card
    expect_rc 0
    run train climb $small --board 5x5 --out sized.safetensors steps=10
    expect_rc 2
    expect_err 'train: --board: climb has no generator with the options width and height'
    run eval climb.safetensors --plugin ./climb.so --board 5x5
    expect_rc 2
    expect_err 'eval: --board: climb has no generator with the options width and height'
}

# With one thread, as many training steps as given, and learning only after the last game: a checkpoint during the games
# holds whole puzzles, so a run that is stopped there ends with the weights of a run that is not.
test_train_imitation_stopped_among_its_games() {
    printf '%s\n' 'input 9x3x3' 'linear 8 relu' 'mark body' 'linear 4' 'policy' 'from body' 'linear 1' 'value' > tiles.net
    local words='tiles --board 3x3 --network tiles.net --method astar --threads 1 --seed 3 solve_games=400 batch=32
        learning_starts=1000000 reuse=0 dagger=0 steps=20 boards=4 solve_time=0' sign process
    run train $words --out whole.safetensors
    expect_rc 0
    expect_out '^whole.safetensors: 400 games, 20 steps'
    for sign in KILL KILL KILL INT; do
        rm -rf a.*
        "$program" train $words save_s=0.02 --out a.safetensors > out 2> err &
        process=$!
        last="soloist train, then SIG$sign"
        wait_file a.safetensors.run/counters.state
        kill -$sign $process 2> /dev/null
        wait $process 2> /dev/null
        run train --resume a.safetensors.run
        expect_rc 0
        expect_out 'a.safetensors: 400 games, 20 steps'
        expect_same whole.safetensors.run/weights.safetensors a.safetensors.run/weights.safetensors
    done
}

# A board whose search was interrupted is no unsolved board.
test_eval_interrupted_counts_what_ended() {
    [ -e "$data/networks/sokoban-policy-value.safetensors" ] || { skip "needs the network for Sokoban"; return; }
    local i process boards
    for i in {1..99}; do
        printf '%s\n' '############' '#          #' '# $ $ $ $  #' '#          #' '#  $ $ $ $ #' '#     @    #' '#........  #' \
            '############' ''
    done > levels.xsb
    "$program" eval "$data/networks/sokoban-policy-value.safetensors" --levels levels.xsb --no-greedy --time 0.2 \
        --method bfs --jobs 1 --format csv > out 2> err &
    process=$!
    last="soloist eval, then SIGINT"
    wait_working $process 60
    kill -INT $process
    wait_end $process
    expect_rc 1
    expect_err '^soloist: eval: interrupted: [0-9]+ of 99 searches ended, and only these count$'
    boards=$(sed -n 's/.*interrupted: \([0-9]*\) of.*/\1/p' err)
    expect_out "^bfs,0.2,$boards,"
}

test_eval_takes_no_more_methods_than_it_measures() {
    run eval "$data/networks/samegame-policy-7.safetensors" --time 1 $(printf -- '--method mcts %.0s' {1..17})
    expect_rc 2
    expect_err '^soloist: eval: --method: at most 16 searches are measured at once$'
    run eval "$data/networks/samegame-policy-7.safetensors" --time inf
    expect_rc 2
    expect_err '^soloist: eval: --time inf: expected seconds'
}

# A generator that draws the sizes: the card is about the boards of one size.
test_eval_card_of_several_sizes() {
    run train sokoban-moves --network "$data/networks/sokoban-moves-first.net" --method astar --threads 1 --seed 2 \
        --generate width=5,height=5,boxes=1,most_width=7,most_height=6,total_positions=200 --out a.safetensors \
        --back-end cpu solve_games=20 steps=20 batch=8 boards=40 learning_starts=10 self_play=false step_limit=30
    expect_rc 0
    run eval a.safetensors --card --back-end cpu
    expect_rc 0
    expect_out 'on 40 boards; measured on 40 of them: .*, which agrees '
}
