# Several ranks, started by mpirun on this machine: the same results as in one process, and only rank 0 prints.

# The thread sanitizer's build has no module for MPI: it would report what MPI's library does.
need_ranks() {
    if ! command -v mpirun > /dev/null; then
        skip "needs Open MPI (openmpi-bin)"
    elif [ ! -e "$(dirname "$program")/libsoloist_mpi.so" ]; then
        skip "needs a build with MPI (libopenmpi-dev)"
    fi
    [ -z "$skip_reason" ]
}

# MPI's library keeps memory until the end, which is not for the leak checker of this program.
ranks_options() {
    export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_plm_rsh_agent=
    export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
    [ "$(id -u)" != 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
}

# run_ranks N ARGS...: like run, on N ranks.
run_ranks() {
    local count=$1
    shift
    (ranks_options && mpirun -q -n "$count" "$program" "$@") > out 2> err
    rc=$?
    last="mpirun -n $count soloist $*"
}

# Lines of JSON without what differs from run to run.
steady() { sed -E 's/"(time_s|peak_mb|polish_s)":[^,]*,//g' "$1"; }

test_ranks_solve_like_one_process() {
    need_ranks || return
    run solve "$data/first.xsb" "$data/tiles.txt" "$data/pancakes.txt" --json --threads 1 --nodes 20000 --time 0
    steady out > alone
    for ranks in 2 4; do
        run_ranks $ranks solve "$data/first.xsb" "$data/tiles.txt" "$data/pancakes.txt" --json --threads 1 --nodes 20000 --time 0
        expect_rc 0
        expect_json
        expect_silence err
        steady out > together
        expect_same alone together
    done
}

test_ranks_over_tcp() {
    need_ranks || return
    run solve "$data/first.xsb" --json --threads 1 --nodes 20000 --time 0
    steady out > alone
    (ranks_options && mpirun -q -n 3 --mca btl tcp,self --mca btl_tcp_if_include lo "$program" solve "$data/first.xsb" \
        --json --threads 1 --nodes 20000 --time 0) > out 2> err
    rc=$?
    last="mpirun over TCP"
    expect_rc 0
    steady out > together
    expect_same alone together
}

# Rank 0 alone reads standard input. Invalid instances and the exit status are those of one process.
test_ranks_read_standard_input() {
    need_ranks || return
    printf '2 1 4 3\n1 1 2\n3 1 2\n' > file
    run solve - --domain pancake --json < file
    steady out > alone
    run_ranks 3 solve - --domain pancake --json --threads 1 < file
    expect_rc 2
    expect_json
    steady out > together
    expect_same alone together
}

test_ranks_write_the_same_files() {
    need_ranks || return
    run solve "$data/first.xsb" --out alone.sok --threads 1 --nodes 20000 --time 0 --quiet
    run_ranks 2 solve "$data/first.xsb" --out together.sok --threads 1 --nodes 20000 --time 0 --quiet
    expect_rc 0
    expect_silence out
    expect_same alone.sok together.sok
    run_ranks 2 solve "$data/first.xsb" --resume kept.jsonl --threads 1 --nodes 20000 --time 0 --quiet
    expect_rc 0
    run_ranks 3 solve "$data/first.xsb" --resume kept.jsonl --threads 1 --nodes 20000 --time 0
    expect_rc 0
    expect_out '^12 taken over'
}

# Every rank begins with the given games.
test_ranks_begin_with_the_games() {
    need_ranks || return
    local few="--method nrpa:stages_least=0,refined_least=100,level=2,playouts=2 --time 0 --threads 1"
    run solve "$data/samegame.txt" $few --iterations 3000 --json
    sed 's/.*"solution":\(\[\[.*\]\]\),"pushes".*/\1/' out > games
    run solve "$data/samegame.txt" $few --iterations 40 --games games --json
    expect_rc 0
    steady out > alone
    for ranks in 2 4; do
        run_ranks $ranks solve "$data/samegame.txt" $few --iterations 40 --games games --json
        expect_rc 0
        expect_json
        steady out > together
        expect_same alone together
    done
    # Together on one board, they lose nothing either.
    run solve "$data/samegame.txt" --only 5 $few --iterations 3000 --json
    local best=$(field score)
    run_ranks 2 solve "$data/samegame.txt" --across $few --iterations 40 --games games --json
    expect_rc 0
    [ "$(field score 5)" -ge "$best" ] || fault "$(field score 5) points, but the game to begin with has $best"
}

# Every rank leaves games for the next sitting, and begins that with those of the sitting before.
test_ranks_go_on_with_the_pool() {
    need_ranks || return
    local few="--method nrpa:stages_least=0,refined_least=100,level=2,playouts=2 --time 0 --threads 1"
    run solve "$data/samegame.txt" $few --iterations 3000 --resume alone.jsonl --quiet
    run_ranks 3 solve "$data/samegame.txt" $few --iterations 3000 --resume together.jsonl --quiet
    run solve "$data/samegame.txt" $few --iterations 40 --resume alone.jsonl --quiet
    run_ranks 3 solve "$data/samegame.txt" $few --iterations 40 --resume together.jsonl --quiet
    expect_rc 0
    expect_equal "$(grep -c '"pool":' together.jsonl)" "$(grep -c '"pool":' alone.jsonl)"
    for file in alone together; do
        sed -E 's/"memory":[0-9]+,//' $file.jsonl > lines
        steady lines | sort > $file
    done
    expect_same alone together
}

test_ranks_complain_once() {
    need_ranks || return
    run_ranks 3 solve --no-such-option
    expect_rc 2
    expect_equal "$(grep -c 'unknown option' err)" 1
    run_ranks 3 solve no-such-file
    expect_rc 2
    expect_equal "$(grep -c 'no such file' err)" 1
    run_ranks 3 solve "$data/tiles.txt" --method fess
    expect_rc 2
    expect_equal "$(grep -c fess err)" 1
    run_ranks 2 info tiles
    expect_rc 0
    expect_equal "$(grep -c '^options' out)" 1
    expect_err 'info runs on rank 0 alone; the others are not used'
}

# A program without the module says so; one process still works.
test_ranks_without_the_module() {
    mkdir bin
    cp "$program" bin/soloist
    OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=4 bin/soloist solve "$data/tiles.txt" > out 2> err
    rc=$?
    last="soloist without libsoloist_mpi.so as one of four ranks"
    expect_rc 2
    expect_err '^soloist: 4 ranks were started, but this build has no MPI: '
    OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 bin/soloist solve "$data/tiles.txt" --quiet > out 2> err
    rc=$?
    last="soloist without libsoloist_mpi.so as the only rank"
    expect_rc 0
    expect_silence err
}

write_ranks_lab() { # iterations
    cat > ranks.lab << END
title On several ranks
generate pancake n=9 count=40 seed=1 as stacks
method uct:simulate=random,length=12 as random
method astar nodes=100000 as A*
budget iterations=$1
seeds 1-2
END
}

test_ranks_lab_like_one_process() {
    need_ranks || return
    write_ranks_lab 300
    run lab run ranks.lab --store alone.jsonl
    for ranks in 2 4; do
        run_ranks $ranks lab run ranks.lab --store together$ranks.jsonl
        expect_rc 0
        expect_out '^ranks: 160 of 160 runs done'
        expect_equal "$(grep -c '^ranks: ' out)" 1
        expect_out "^$ranks ranks with [0-9]+ cores; each rank did [0-9]+ to [0-9]+ % of a rank"
        diff <(lab_lines alone.jsonl) <(lab_lines together$ranks.jsonl) > differ || fault "other runs: $(head -n 2 differ)"
    done
    run_ranks 2 lab run ranks.lab --store together2.jsonl
    expect_rc 0
    expect_out '^ranks: 160 of 160 runs done'
    run_ranks 2 lab run ranks.lab --dry-run
    expect_rc 0
    expect_out '^they take .* of 2 ranks: '
}

# The runs in a file of JSON lines, without times and dates, sorted.
lab_lines() {
    grep '^{"run":' "$1" | sed -E 's/"(time_s|cpu_s|peak_bytes|finished|seal)":("[^"]*"|[^,}]*),?//g' | sort
}

# The process of rank $2 below the mpirun with process id $1.
rank_process() {
    local process tries=0
    while [ $tries -lt 200 ] && [ -e "/proc/$1" ]; do
        for process in $(pgrep -P "$1"); do
            if grep -qz "^OMPI_COMM_WORLD_RANK=$2\$" "/proc/$process/environ" 2> /dev/null; then
                echo "$process"
                return
            fi
        done
        tries=$((tries + 1))
        sleep 0.05
    done
}

# A rank dies in the middle: mpirun ends the others, what was finished is there, and the same command does the rest.
test_ranks_lab_survives_a_killed_rank() {
    need_ranks || return
    write_ranks_lab 20000
    run lab run ranks.lab --store alone.jsonl
    (ranks_options && exec mpirun -q -n 3 "$program" lab run ranks.lab --store together.jsonl) > out 2> err &
    local process=$! tries=0
    until [ "$(grep -c '^{"run":' together.jsonl 2> /dev/null)" -ge 5 ] 2> /dev/null || [ $tries -ge 1200 ]; do
        sleep 0.02
        tries=$((tries + 1))
    done
    kill -KILL "$(rank_process $process 2)"
    wait_end $process
    last="mpirun soloist lab run, rank 2 killed"
    [ "$rc" -ne 0 ] || fault "exit status 0 although a rank was killed"
    lab_lines together.jsonl > before
    [ "$(wc -l < before)" -lt 160 ] || fault "the rank was killed too late to test anything"
    run_ranks 2 lab run ranks.lab --store together.jsonl
    expect_rc 0
    expect_out '^ranks: 160 of 160 runs done'
    diff <(lab_lines alone.jsonl) <(lab_lines together.jsonl) > differ || fault "other runs: $(head -n 2 differ)"
    [ -z "$(comm -23 before <(lab_lines together.jsonl))" ] || fault "a run from before the kill is gone"
}

# Ctrl-C reaches mpirun, which tells all ranks; a signal to a single rank stops all of them as well.
test_ranks_stop_by_a_signal() {
    need_ranks || return
    { write_endless; write_endless; } > file
    for rank in mpirun 0 1; do
        (ranks_options && exec mpirun -q -n 2 "$program" solve file --method bfs --time 60 --memory 8G --jobs 1 --json) \
            > out 2> err &
        local process=$!
        last="mpirun soloist solve, then a signal to $rank"
        wait_lines out 1
        local target=$process
        [ $rank = mpirun ] || target=$(rank_process $process $rank)
        wait_working "$(rank_process $process 1)" 1
        kill -INT "$target"
        wait_end $process
        expect_rc 1
        expect_json
        expect_field status '"solved"'
        expect_field stopped '"cancel"' 2
    done
}

write_wall() { printf '%*s' "$1" '' | tr ' ' '#'; }

# A level that takes no time, $1 squares wide, and one for which breadth-first search takes for ever.
write_quick_level() {
    local wall
    wall=$(write_wall $(($1 + 4)))
    printf '%s\n#@%*s.#\n%s\n\n' "$wall" "$1" '$' "$wall"
}
write_hall() {
    local wall row
    wall=$(write_wall $(($1 + 2)))
    printf '%s\n#@%*s#\n' "$wall" $(($1 - 1)) ''
    for row in 1 2 3 4 5; do
        printf '#%*s#\n#  $ $%*s#\n' "$1" '' $(($1 - 5)) '. .  '
    done
    printf '#%*s#\n%s\n\n' "$1" '' "$wall"
}

# A rank has a level in its queue when Ctrl-C comes: neither that level nor another one that is the same has an answer.
test_ranks_stop_with_equal_levels() {
    need_ranks || return
    local width
    for width in $(seq 60); do
        write_quick_level "$width"
    done > file
    for width in 12 13 14 15 16 17; do
        write_hall $width
        write_hall $width
    done >> file
    (ranks_options && exec mpirun -q -n 2 "$program" solve file --method bfs --reuse --time 60 --memory 8G --jobs 1) \
        > out 2> err &
    local process=$!
    last="mpirun soloist solve --reuse, then a signal"
    wait_text out '^60 '
    wait_working "$(rank_process $process 1)" 100
    kill -INT $process
    wait_end $process
    # What the ranks were working on is unsolved, and so is its copy.
    expect_out '^60 solved, [24] unsolved of 72 '
    # After a signal, mpirun itself may warn of a pipe that it has closed.
    grep -v '^\[warn\] Epoll ' err > complaint
    expect_silence complaint
}

# All ranks on one instance: the same proof as in one process, a game of one's own rank or another's, and limits hold.
test_ranks_across_one_instance() {
    need_ranks || return
    echo "5 4 1 3 6 9 14 13 7 8 2 0 12 15 11 10" > file
    run solve file --domain tiles --method idastar --json
    local cost=$(field cost)
    run_ranks 3 solve file --domain tiles --method idastar --json
    expect_rc 0
    expect_json
    expect_silence err
    expect_field cost "$cost"
    expect_field optimal true
    run_ranks 3 solve "$data/samegame.txt" --only 4 --method nrpa --iterations 301 --time 0 --json
    expect_rc 0
    expect_json
    expect_field stopped '"iterations"'
    expect_field iterations 301
    run_ranks 2 solve "$data/first.xsb" --method spmcts --across --json --time 20
    expect_rc 0
    expect_lines 12
    expect_json
    cp out solved.json
    run check "$data/first.xsb" solved.json
    expect_rc 0
}

# More threads than cores: the cores are those of the machine.
test_ranks_count_their_cores() {
    need_ranks || return
    local threads
    for threads in 1 3; do
        run_ranks 2 solve "$data/samegame.txt" --only 1 --method nrpa --iterations 30 --time 0 --threads $threads
        expect_rc 0
        sed -n 's/^\(2 ranks with [0-9]* cores\);.*/\1/p' out > cores$threads
    done
    [ -s cores1 ] || fault "no line about the ranks"
    expect_same cores1 cores3
}

test_ranks_across_is_refused() {
    need_ranks || return
    run_ranks 2 solve "$data/tiles.txt" --method greedy --across
    expect_rc 2
    expect_err '^soloist: --across: greedy cannot search on several ranks together'
    run_ranks 2 solve "$data/tiles.txt" --only 2 --method greedy --quiet
    expect_rc 0
    expect_err 'warning: greedy solves an instance on one rank; the others have nothing to do'
    run solve "$data/tiles.txt" --across --quiet
    expect_rc 0
    expect_err 'warning: --across has no effect: there is only one rank'
}

# An instance that does not fit into the memory of one rank is solved and proved optimal with that of four.
test_ranks_add_their_memory() {
    need_ranks || return
    echo "9 1 2 11 5 3 7 15 12 8 0 6 4 13 10 14" > file
    run solve file --domain tiles --method astar --threads 1 --memory 4M --time 0 --json
    expect_rc 1
    expect_field stopped '"memory"'
    run_ranks 4 solve file --domain tiles --method astar --threads 1 --memory 4M --time 0 --json
    expect_rc 0
    expect_json
    expect_field cost 36
    expect_field optimal true
    expect_field stopped '"goal"'
}
