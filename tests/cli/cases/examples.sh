# The puzzles in examples/, of which the engine knows nothing.

build_example() {
    command -v "${CC:-cc}" > /dev/null || { skip "needs a C compiler"; return 1; }
    "${CC:-cc}" -shared -fPIC -O1 -Wall -Wextra -Werror -I "$source_dir/include" "$source_dir/examples/$1.c" -o "$1.so" 2> err ||
        fault "examples/$1.c does not compile"
}

# Every file of games is replayed by the referee: the score is in the comment before each game.
test_examples_morpion_games() {
    build_example morpion || return
    local games="$source_dir/examples/games"
    run check --plugin ./morpion.so "$games/morpion.txt" "$games/morpion.solutions" --json
    expect_rc 0
    expect_equal "$(grep -o '"score":[0-9]*' out | cut -d: -f2)" "$(sed -n 's/^; \([0-9]*\) moves.*/\1/p' "$games/morpion.solutions")"
    # A game that draws its last line twice is none.
    sed 's/\( [^ ]*\)$/\1\1/' "$games/morpion.solutions" > twice
    run check --plugin ./morpion.so "$games/morpion.txt" twice
    expect_rc 1
    expect_out 'the new point is there already'
}

test_examples_morpion() {
    build_example morpion || return
    run info --check ./morpion.so
    expect_rc 0
    run generate morpion variant=5T moves=12 --seed 4 --plugin ./morpion.so
    expect_rc 0
    expect_out '^; [0-9]+ moves can be played$'
    cp out position
    printf '5D\n' >> position
    run solve position --plugin ./morpion.so --method nrpa:level=2,n=40,race=false,playouts=1,bias=0 --iterations 1600 --time 0 --threads 1 --json
    expect_rc 0
    expect_lines 2
    [ "$(field score 2)" -ge 50 ] || fault "a score of $(field score 2) in 5D"
    cp out games
    run check position games --plugin ./morpion.so
    expect_rc 0
    run solve position --plugin ./morpion.so --only 2 --iterations 300 --time 0 --threads 1
    expect_rc 0
}

# Three searches, one of them without a bound, agree on the least cost.
test_examples_rush_hour() {
    build_example rush_hour || return
    run info --check ./rush_hour.so
    expect_rc 0
    run generate rush-hour cars=8 least=7 walls=1 --count 4 --plugin ./rush_hour.so
    expect_rc 0
    cp out boards
    sed -n 's/^; \([0-9]*\) slides.*/"cost":\1/p' boards > known
    expect_equal "$(wc -l < known)" 4
    local count method
    for count in slides cells; do
        for method in bfs astar idastar; do
            [ $count$method != cellsbfs ] || method=astar:weight=0
            run solve boards -d rush-hour:count=$count --plugin ./rush_hour.so --method $method --json
            expect_rc 0
            expect_field optimal true 4
            cp out "$count.json"
            grep -o '"cost":[0-9]*' out > got
            [ $count = slides ] || [ $method != astar:weight=0 ] || cp got known
            expect_same known got
        done
        run check boards "$count.json" -d rush-hour:count=$count --plugin ./rush_hour.so
        expect_rc 0
    done
    # A board that is full of other cars has no room for car A.
    echo BBCCDDEEFFGGHHIIJJKKLLMMNNOOPPQQRRSS > full
    run solve full -d rush-hour --plugin ./rush_hour.so
    expect_rc 2
    expect_err 'full:1:35: no room is left for car A'
    echo 'ooooooooooooAAxooooooooooooooooooooo' > closed
    run solve closed --plugin ./rush_hour.so --json
    expect_rc 0
    expect_field status '"impossible"'
}

test_examples_cube2() {
    build_example cube2 || return
    run info --check ./cube2.so
    expect_rc 0
    run generate cube2 --count 5 --plugin ./cube2.so
    cp out cubes
    printf '2x2x2: R U2 F\n2x2x2: D L2\n2x2x2: U D\n' >> cubes
    run solve cubes --plugin ./cube2.so --json --threads 1
    expect_rc 0
    expect_lines 8
    local i
    for i in 1 2 3 4 5 6 7 8; do
        expect_field optimal true $i
    done
    expect_field cost 3 6
    expect_field cost 2 7
    expect_field cost 1 8
    grep -o '"cost":[0-9]*' out > known
    cp out solved.json
    run check cubes solved.json --plugin ./cube2.so
    expect_rc 0
    # Without the table, which does not fit into the memory, the bound is weaker, and the cost the same.
    run solve cubes --only 6-8 --plugin ./cube2.so --method idastar:table=none --memory 2M --json
    expect_rc 0
    grep -o '"cost":[0-9]*' out > got
    expect_equal "$(cat got)" "$(tail -n 3 known)"
    printf '%s\n' "D' R R'" 'R' > wrong
    run check cubes wrong --only 7 --plugin ./cube2.so
    expect_rc 1
}

test_examples_cube3() {
    build_example cube3 || return
    run info --check ./cube3.so
    expect_rc 0
    run generate cube3 --count 4 --seed 3 --plugin ./cube3.so
    cp out cubes
    printf "3x3x3: R U2 F\n3x3x3:\n" >> cubes
    run solve cubes --plugin ./cube3.so --time 0 --nodes 200M --jobs 1 --threads 1 --json
    expect_rc 0
    expect_lines 6
    local i
    for i in 1 2 3 4; do
        [ "$(field cost $i)" -le 24 ] || fault "cube $i takes $(field cost $i) turns"
        expect_field optimal false $i
    done
    expect_field cost 0 6
    cp out solved.json
    run check cubes solved.json --plugin ./cube3.so
    expect_rc 0
    # Half turns, and turns of U and D, need only the second phase, whose shortest solution is found first.
    printf '3x3x3: %s\n' U "U'" D "D'" U2 R2 F2 D2 L2 B2 > cubes
    run solve cubes --plugin ./cube3.so --time 0 --nodes 200M --jobs 1 --threads 1 --json
    expect_rc 0
    expect_lines 10
    for i in 1 2 3 4 5 6 7 8 9 10; do
        expect_field cost 1 $i
    done
}
