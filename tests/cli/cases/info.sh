# soloist info.

test_info_overview() {
    run info
    expect_rc 0
    local word
    for word in sokoban samegame tiles pancake tictactoe auto bfs cpu CUDA MPI SQLite libmicrohttpd; do
        expect_out "^  $word "
    done
}

test_info_answers_one_question() {
    run info sokoban uct
    expect_rc 2
    expect_err '^soloist: info: one topic at a time, got 2$'
    run info uct --space "$data/first.xsb"
    expect_rc 2
    run info duplicates "$data/first.xsb" --check plugin.so
    expect_rc 2
    run info --space "$data/first.xsb" --check plugin.so
    expect_rc 2
}

test_info_domain_and_method() {
    run info sokoban
    expect_rc 0
    expect_out '^    bound '
    expect_out 'generate NAME key=value'
    run info auto
    expect_rc 0
    expect_out '^auto: '
    # A method's own values are its defaults, and they follow what the domain aims at.
    run info spmcts
    expect_out '^    rule .*; default sp\]$'
    expect_out '^    c .*; default 0.1\]$'
    expect_out '^    c=2,d=32,normalise=none,cycles=avoid,'
    run info schokoban
    expect_out '^    states .*; default one-node\]$'
    expect_out '^    c .*; default 5\]$'
    run info schokoban-tuned
    expect_out '^    c .*; default 0.5\]$'
    run info marocchi-spmcts
    expect_out '^    c .*; default 4.31\]$'
    run info seify-mcts
    expect_out '^    rule .*; default puct\]$'
    run info train
    expect_rc 0
    expect_equal "$(head -n 1 out | cut -d: -f1)" train
    expect_out '^    optimiser .*; default adam\]$'
    grep -A 1 -x 'defaults that differ for --way actor-critic' out | grep -q 'optimiser=rmsprop ' ||
        fault "the defaults of --way actor-critic are missing"
    grep -A 1 -x 'defaults that differ for --way expert-iteration' out | grep -q 'rate=0.001 ' ||
        fault "the defaults of --way expert-iteration are missing"
    grep -A 1 -x 'defaults that differ for --way generations' out | grep -q 'rate=0.0005 ' ||
        fault "the defaults of --way generations are missing"
    run info sokobna
    expect_rc 2
    expect_err 'did you mean sokoban\?'
    run info a b
    expect_rc 2
}

test_info_levels() {
    run info levels
    expect_rc 0
    expect_out '^  first +sokoban +12 '
    run info levels --json
    expect_out '^\{"name":"first","domain":"sokoban","instances":12,'
}

test_info_space() {
    run info --space "$data/first.xsb"
    expect_rc 0
    expect_out '^ +1  Corridor +5 +[0-9]+ +1 '
    run info --space "$data/first.xsb:1" --json
    expect_out '^\{"id":1,"name":"Corridor","tiles":5,"locking_tiles":[0-9]+,"boxes":1,"space":"[0-9]+"\}$'
    run info --space nowhere
    expect_rc 2
}

# The published table of this set begins so.
test_info_space_published() {
    [ -d "$shared" ] || { skip "needs shared: levels/microban3.xsb"; return; }
    run info --space "$shared/levels/microban3.xsb:1" --json
    expect_rc 0
    expect_out '"id":1,.*"tiles":20,"locking_tiles":6,"boxes":3,"space":"6188"'
}

test_info_network() {
    run info "$data/networks/samegame-paper-policy-15.net"
    expect_rc 0
    expect_out '^ +1  conv +3x3/1\+2 +64x17x17 +elu +3520$'
    expect_out '^ +14  linear +225x1x1 +2433825  policy$'
    expect_out '^2814945 parameters, 0\.200 GFLOP'
    run info "$data/networks/samegame-paper-policy-value-7.net" --json
    expect_out '^\{"parameters":389042,.*"kind":"pool","shape":\[64,1,1\],"parameters":0'
    echo 'input 3x3' > broken.net
    run info broken.net
    expect_rc 2
    expect_err 'broken\.net:1:7: expected planes x height x width'
    printf 'nothing' > broken.safetensors
    run info broken.safetensors
    expect_rc 2
    expect_err 'broken\.safetensors: the file has 7 bytes: too few'
    run info absent.net
    expect_rc 2
    expect_err 'absent\.net cannot be read'
}

test_info_opens_every_plugin() {
    run info duplicates "$data/first.xsb" --plugin ./nosuch.so
    expect_rc 2
    expect_err 'nosuch.so'
    run help --words nosuch
    expect_rc 2
    expect_err '^soloist: help: --words: no command or list nosuch$'
}
