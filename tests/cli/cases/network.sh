# Networks given to searches: which is taken, and what is said of a wrong one.

net7=$data/networks/samegame-paper-policy-value-7.net

test_network_guides_a_search() {
    for method in policy-mcts policy-mcts:rollout=guided pv-mcts:per_move=20; do
        run solve "$data/samegame.txt" --only 3 -m $method --network "$net7" --iterations 60 --time 0 --threads 1 --json
        expect_rc 0
        expect_json
        expect_field status '"solved"'
        expect_field iterations 60
        cp out first
        run solve "$data/samegame.txt" --only 3 -m $method --network "$net7:seed=1" --back-end cpu --iterations 60 \
            --time 0 --threads 1 --json
        expect_equal "$(field score)" "$(cp first out && field score)"
    done
}

test_network_of_the_right_size_is_taken() {
    run solve "$data/samegame.txt" --only 3-4 -m policy-mcts --iterations 20 --json \
        --network "$data/networks/samegame-paper-policy-10.net" --network "$net7:batch=4"
    expect_rc 0
    expect_field status '"solved"' 1
    expect_field status '"solved"' 2
}

test_network_that_is_not_installed() {
    run solve "$data/samegame.txt" --only 2 -m policy-mcts --iterations 20
    expect_rc 2
    expect_err 'no network for samegame of size 5 is installed: give one with --network FILE'
}

test_network_that_does_not_fit() {
    run solve "$data/samegame.txt" --only 5 -m policy-mcts --network "$net7" --iterations 20
    expect_rc 2
    expect_err 'the instance has planes of 6x15x15, but the network reads 6x7x7'
}

# Also by methods that would not ask it: what was given is of no use there.
test_network_that_fits_no_instance() {
    for command in solve play; do
        run $command "$data/samegame.txt:5" -m mcts --network "$net7" --time 1
        expect_rc 2
        expect_err "^soloist: $command: --network: the instance has planes of 6x15x15, but the network reads 6x7x7"
        expect_silence out
    done
    run solve "$data/samegame.txt" --only 3 --network "$data/networks/sokoban-imitation.net"
    expect_rc 2
    expect_err 'the network reads 4x10x10'
    expect_silence out
}

test_network_for_another_domain() {
    write_net
    run train samegame $train_small --out a.safetensors solve_games=4 steps=10
    expect_rc 0
    sed 's/soloist.domain":"samegame"/soloist.domain":"lights-3"/' a.safetensors > other.safetensors
    run solve "$data/samegame.txt" --only 2 -m policy-mcts --network other.safetensors --iterations 20
    expect_rc 2
    expect_err 'other.safetensors: this network was trained for lights-3, not for samegame'
    expect_silence out
    run eval other.safetensors --domain samegame --generate colours=3 --boards 2
    expect_rc 2
    expect_err 'eval: other.safetensors: this network was trained for lights-3, not for samegame'
    run train samegame $train_small --network other.safetensors --out b.safetensors solve_games=4 steps=10
    expect_rc 2
    expect_err 'train: other.safetensors: this network was trained for lights-3, not for samegame'
    [ ! -e b.safetensors ] && [ ! -e b.safetensors.run ] || fault "it began nevertheless"
    run eval a.safetensors --domain pancake
    expect_rc 2
    expect_err 'pancake does not show its states to networks'
    run eval a.safetensors --board 7x7 --no-greedy --time 1 --method mcts
    expect_rc 2
    expect_err 'the instance has planes of 6x7x7, but the network reads 6x5x5'
    expect_silence out
    # One that does not say may be for any.
    sed 's/soloist.domain"/soloist.domaim"/' a.safetensors > silent.safetensors
    run eval silent.safetensors --generate colours=3 --boards 2
    expect_rc 0
}

test_network_that_cannot_be_read() {
    run solve "$data/samegame.txt" -m policy-mcts --network ./nowhere.safetensors
    expect_rc 2
    expect_err 'solve: --network: ./nowhere.safetensors'
    expect_silence out
    run solve "$data/samegame.txt" -m policy-mcts --network "$data/samegame.txt"
    expect_rc 2
    expect_err 'this is not a safetensors file'
    run solve "$data/samegame.txt" -m policy-mcts --network "$net7:batch=none"
    expect_rc 2
    expect_err 'batch=none'
    run solve "$data/samegame.txt" -m policy-mcts --network "$net7" --back-end abacus
    expect_rc 2
    expect_err 'expected one of auto.cpu.cuda'
}

test_network_without_values() {
    run solve "$data/samegame.txt" --only 3 -m pv-mcts --iterations 20 \
        --network "$data/networks/samegame-paper-policy-7.net"
    expect_rc 2
    expect_err 'the network gives no values'
}

test_network_is_not_for_every_domain() {
    run solve "$data/pancakes.txt" --only 1 -m policy-mcts
    expect_rc 2
    expect_err 'policy-mcts needs a domain that shows its states to networks; pancake does not'
}

test_network_is_found_among_the_data() {
    write_net
    run train samegame $train_small --out a.safetensors solve_games=4 steps=10
    expect_rc 0
    mkdir networks
    cp a.safetensors networks/samegame-policy-value-5.safetensors
    for method in policy-mcts pv-mcts beam:score=priors,widen=false beam:score=values,width=8,widen=false \
        nrpa:network_bias=1,bias_depth=4; do
        SOLOIST_DATA=. run solve "$data/samegame.txt" --only 2 -m $method --iterations 50 --json
        expect_rc 0
        expect_field status '"solved"'
    done
    SOLOIST_DATA=. run play "$data/samegame.txt" --only 2 -m policy-mcts --time 0.2
    expect_rc 0
    printf 'damaged' > networks/samegame-policy-5.safetensors
    SOLOIST_DATA=. run solve "$data/samegame.txt" --only 2 -m policy-mcts --iterations 50
    expect_rc 2
    expect_err 'samegame-policy-5.safetensors: '
}

# Few boards, for those of 15x15 take a while.
test_network_shipped_plays_as_its_card_says() {
    local file boards any=
    for file in "$data"/networks/*.safetensors; do
        [ -e "$file" ] || continue
        any=1 boards=16
        [[ $file != *-15.safetensors ]] || boards=3
        run eval "$file" --card --boards $boards --back-end cpu
        expect_rc 0
        expect_out 'which agrees'
    done
    [ -n "$any" ] || skip "needs data: networks/*.safetensors"
}

# A copy of the program beside a module that leaves a mark when it is loaded.
test_network_on_the_processor_loads_no_module() {
    command -v "${CC:-cc}" > /dev/null || { skip "needs a C compiler"; return; }
    write_net
    mkdir bin
    cp "$program" bin/soloist
    printf '#include <stdio.h>\n__attribute__((constructor)) static void mark(void) { fclose(fopen("loaded", "w")); }\n' \
        > module.c
    "${CC:-cc}" -shared -fPIC module.c -o bin/libsoloist_cuda.so 2> err || fault "the module does not compile"
    local program=$PWD/bin/soloist
    run train samegame $train_small --back-end cpu --out a.safetensors solve_games=4 steps=10
    expect_rc 0
    run eval a.safetensors --boards 2 --generate colours=3 --back-end cpu --time 0.05 --method policy-mcts
    expect_rc 0
    run solve "$data/samegame.txt" --only 3 -m policy-mcts --network "$net7" --back-end cpu --iterations 20
    expect_rc 0
    run play "$data/samegame.txt" --only 3 -m policy-mcts --network "$net7:back_end=cpu" --time 0.1
    expect_rc 0
    [ ! -e loaded ] || fault "--back-end cpu loads the graphics card's module"
    run solve "$data/samegame.txt" --only 3 -m policy-mcts --network "$net7" --back-end cuda --iterations 20
    expect_rc 2
    [ -e loaded ] || fault "the module of this test is not found where the program looks"
}

# A wrong description is named with its line and column, whoever reads it.
test_network_description_is_wrong() {
    printf '%s\n' 'input 9x3x3' 'linear 4 foo' 'policy' > wrong.net
    run solve "$data/tiles.txt" --only 2 --network wrong.net --method levints
    expect_rc 2
    expect_err 'line 2, column 10: wrong.net: expected .* not .foo'
    run info wrong.net
    expect_rc 2
    expect_err 'wrong.net:2:10: expected .* not .foo'
}

# A nested search of another name that is told to be nrpa is given the network, too.
test_network_for_any_nested_search() {
    printf '2112\n1112\n1212\n2121\n' > board.txt
    for method in nrpa nmcs nmcts; do
        run solve board.txt -m $method:search=nrpa,network_bias=1 --network "$data/networks/samegame-any.net" \
            --iterations 50 --json
        expect_rc 0
        [[ $(field evaluations) =~ ^[1-9] ]] || fault "$method: the network was not asked"
    done
}
