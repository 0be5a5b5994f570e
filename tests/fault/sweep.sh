#!/usr/bin/env bash
# What the program does when memory runs out or the disk fails:
#   sweep.sh PROGRAM SHIM|files|short:SHIM [--full] [--for-good] [CASE...]
# SHIM is the built fail_alloc.c. The command of each case is run again and again, and each time another of its
# allocations fails: the `first` ones, then every k-th, `most` in all; with --full every one. With --for-good all later
# allocations fail as well. With the word `files`, each time another of its calls of open, write, fsync or rename for a
# file in its folder fails (by strace). With short:SHIM, where SHIM is the built short_writes.c, the command runs once,
# and each of its writes is short: then nothing may differ. What may come of a failure:
#   - the exit status and the whole output of the command when nothing fails;
#   - its exit status or 1, where each line that differs, or the complaint, says that memory ran out or which file failed;
#   - status 2, one sentence on standard error, and only whole lines on standard output.
# And what the command leaves behind must be fit for use: settle_CASE says what that means.
#
# To add a case: prepare_CASE writes its files into the current folder and sets the array `words`. Where they are
# wanted, settle_CASE looks at what is left (in the same folder, without failures) and says with `wrong` what is not as
# it should be, and mask_CASE replaces what differs from run to run (times, by default).
set -u
export LC_ALL=C
[ $# -ge 2 ] || { echo "usage: sweep.sh PROGRAM SHIM|files [--full] [--for-good] [CASE...]" >&2; exit 2; }
program=$(readlink -f "$1")
shim=$2 short=
case $shim in
    files) ;;
    short:*) shim=$(readlink -f "${shim#short:}") short=yes ;;
    *) shim=$(readlink -f "$shim") ;;
esac
shift 2
[ -x "$program" ] && { [ "$shim" = files ] || [ -e "$shim" ]; } || { echo "sweep.sh: $program or $shim is not there" >&2; exit 2; }
if [ "$shim" = files ] && ! strace -o /dev/null true 2> /dev/null; then
    echo "SKIP needs strace: failures of files"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
first=30 most=60
after=
[ "${1-}" != --full ] || { most=0; shift; }
[ "${1-}" != --for-good ] || { after=+; shift; }
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
export SOLOIST_DATA=$source_dir/data
unset SOLOIST_LEVELS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ---- the cases ----

write_experiment() {
    cat > e.lab << END
title Stacks
generate pancake n=6 count=2 seed=1 as stacks
method uct:simulate=random,length=12 iterations=50 as random
method astar nodes=1000 as A*
seeds 1-2
END
}

list_runs() {
    "$program" lab show --format csv --sql "SELECT label, source, number, seed, status, stopped, value, nodes, signature
        FROM runs ORDER BY label, source, number, seed" 2>&1
}

prepare_lab_run() {
    write_experiment
    "$program" lab run e.lab --jobs 1 --quiet || return
    list_runs > runs
    rm lab.db
    words=(lab run e.lab --jobs 1)
}

# The same command completes it.
settle_lab_run() {
    "$program" lab run e.lab --jobs 1 > more 2>&1 || wrong "afterwards: $(tail -n 1 more)"
    list_runs | cmp -s - runs || wrong "other runs are stored: $(list_runs | diff - runs | head -n 2)"
}

# A training goes on from its checkpoint.
prepare_lab_train() {
    write_net
    echo "train samegame ${training[*]} steps=10 orders=2 as lesson" > e.lab
    words=(lab run e.lab --jobs 1)
}
settle_lab_train() {
    "$program" lab run e.lab --jobs 1 > more 2>&1 || wrong "afterwards: $(tail -n 1 more)"
    grep -q '1 of 1 runs done, 1 trained' more || wrong "afterwards: $(head -n 1 more)"
}

prepare_lab_list() {
    write_experiment
    "$program" lab run e.lab --jobs 1 --quiet || return
    "$program" lab run e.lab --jobs 1 --quiet --scale 0.5 --store other.db || return
    words=(lab list)
}

settle_lab_list() { cmp -s lab.db ../start/lab.db || wrong "the store has changed"; }

# The same into a file of JSON lines, which is then complete and can be merged.
list_lines() { grep -o '^{"run":{[^}]*},"result":{"status":"[a-z]*"' a.jsonl | sort; }
prepare_lab_lines() {
    write_experiment
    "$program" lab run e.lab --jobs 1 --quiet --store a.jsonl || return
    list_lines > runs
    rm a.jsonl
    words=(lab run e.lab --jobs 1 --store a.jsonl)
}
settle_lab_lines() {
    "$program" lab run e.lab --jobs 1 --store a.jsonl > more 2>&1 || wrong "afterwards: $(tail -n 1 more)"
    list_lines | cmp -s - runs || wrong "other runs are recorded: $(list_lines | diff - runs | head -n 2)"
}

prepare_lab_merge() {
    write_experiment
    "$program" lab run e.lab --jobs 1 --quiet --store a.jsonl || return
    "$program" lab merge a.jsonl > /dev/null || return
    list_runs > runs
    rm lab.db
    words=(lab merge a.jsonl)
}
settle_lab_merge() {
    "$program" lab merge a.jsonl > more 2>&1 || wrong "afterwards: $(tail -n 1 more)"
    list_runs | cmp -s - runs || wrong "other runs are stored: $(list_runs | diff - runs | head -n 2)"
}

levels=first.xsb

write_levels() { head -n 42 "$SOLOIST_DATA/first.xsb" > $levels; }

exact=(--method astar --nodes 20000 --memory 64M --jobs 1 --threads 1)

prepare_solve_json() {
    write_levels
    words=(solve $levels --json "${exact[@]}")
}

# When one member of the mix has no memory, another may find another solution, but what is called optimal is.
prepare_solve_auto() {
    write_levels
    words=(solve $levels --json --nodes 2000 --memory 64M --jobs 1 --threads 2)
}
mask_solve_auto() { sed -E 's/"stopped":"goal","solution":"[^"]*".*//'; }
settle_solve_auto() {
    grep '"optimal":true' out | sed -E 's/^\{"id":([0-9]+),.*"cost":([0-9]+),.*/\1 \2/' > proved
    "$program" solve $levels --json "${exact[@]}" | sed -E 's/^\{"id":([0-9]+),.*"cost":([0-9]+),.*/\1 \2/' > least
    ! grep -qvxF -f least proved || wrong "not optimal: $(grep -vxF -f least proved | head -n 1)"
}

# A tree search whose line finds no room stops by memory; it does not call what it had found unsolved.
prepare_solve_tree() {
    printf '6 1 5 2 4 3\n3 1 2 5 4 6\n' > stacks.txt
    words=(solve stacks.txt --domain pancake --json --method uct:simulate=random,length=12 --iterations 50 --memory 64M
        --jobs 1 --threads 1)
}

# Threads that share a tree: when one of them has no memory, all end; a solution is never called optimal if it is not.
prepare_solve_threads() {
    printf '6 1 5 2 4 3 9 7 8\n3 1 7 5 2 4 6\n' > stacks.txt
    words=(solve stacks.txt --domain pancake --json --method idastar:slice=1 --memory 64M --jobs 1 --threads 3)
}
mask_solve_threads() { sed -E 's/"stopped":"goal","solution":.*("cost":[0-9]+).*("optimal":[a-z]+).*/\1 \2/'; }

prepare_solve_text() {
    write_levels
    words=(solve $levels --quiet --nodes 2000 --memory 64M --jobs 1 --threads 1 --out solved.sok)
}

settle_solve_text() {
    [ ! -e solved.sok ] || "$program" check $levels solved.sok > more 2>&1 || grep -q '0 rejected' more ||
        wrong "solved.sok: $(tail -n 1 more)"
    left_behind
}

left_behind() { [ -z "$(find . -name '*.part' -o -name '.soloist*')" ] || wrong "left behind: $(find . -name '*.part' -o -name '.soloist*')"; }

prepare_resume() {
    write_levels
    "$program" solve $levels --only 1-3 --resume done.jsonl --quiet "${exact[@]}" || return
    words=(solve $levels --json --resume done.jsonl "${exact[@]}")
}

# Every line that was told is stored, the old ones are there, and the same command completes it.
settle_resume() {
    local told=0
    [ ! -s out ] || told=$(grep -c '"id"' out)
    [ "$(head -n 3 done.jsonl)" = "$(cat ../start/done.jsonl)" ] || wrong "the old lines have changed"
    [ "$(wc -l < done.jsonl)" -ge "$told" ] || wrong "$told told, $(wc -l < done.jsonl) stored"
    "$program" solve $levels --resume done.jsonl "${exact[@]}" > more 2>&1 ||
        wrong "afterwards: $(tail -n 1 more)"
}

solve_levels() {
    write_levels
    "$program" solve $levels --quiet --out solved.sok "${exact[@]}"
}

# The referee rejects nothing for want of memory.
prepare_check() {
    solve_levels || return
    words=(check $levels solved.sok --json)
}

prepare_check_lines() {
    "$program" generate pancake n=6 --count 3 > stacks
    "$program" solve stacks --quiet --json --method astar > solved.json || return
    words=(check stacks solved.json)
}

prepare_optimize() {
    solve_levels || return
    words=(optimize $levels solved.sok --json --only 1-3 --nodes 500 --time 0 --memory 64M --jobs 1 --out shorter.sok)
}
# Shortened less is no fault, made longer or called something else is.
mask_optimize() { sed -E 's/"status":"(shorter|same)".*//'; }
settle_optimize() {
    [ ! -e shorter.sok ] || "$program" check $levels shorter.sok --only 1-3 > more 2>&1 || grep -q ' 0 rejected' more ||
        wrong "shorter.sok: $(tail -n 1 more)"
    left_behind
}

# Dead by a rule, dead by a search only, solvable, solved.
write_positions() {
    printf '%s\n' '#####' '#@  #' '# $ #' '#$. #' '#  .#' '#####' '' '#######' '#@ $  #' '#  .  #' '#######' '' \
        '#####' '#@*##' '#####' '' '######' '#@ $.#' '######' > positions
}

prepare_explain_quick() {
    write_positions
    words=(explain positions --quick --json)
}

# Of the boxes that a search found dead more may be named; the verdict stays, or is that memory ran out.
prepare_explain() {
    write_positions
    words=(explain positions --time 0 --nodes 2000)
}
mask_explain() { sed -E 's/^X:.*//; s/[$*X]/B/g'; }

prepare_hint() {
    write_positions
    words=(hint positions --method astar --time 0 --nodes 2000)
}

# The board is drawn only where there is something to show on it.
mask_hint() { sed "/to the end/d; /^ *#/d"; }

prepare_new_domain() { words=(new-domain row); }

prepare_generate() { words=(generate sokoban width=6 height=6 boxes=2 --count 2); }

prepare_generate_graded() {
    words=(generate sokoban width=6 height=6 boxes=1 --least-cost 2 --most-effort 500 --count 2 --time 0 --out made.sok)
}
settle_generate_graded() {
    [ ! -e made.sok ] || "$program" check made.sok made.sok > more 2>&1 || wrong "made.sok: $(tail -n 1 more)"
    left_behind
}

prepare_bench_environments() { words=(bench --scale 0 --golden --only sokoban.environments); }

prepare_info_levels() { words=(info levels); }
prepare_info_duplicates() {
    write_levels
    words=(info duplicates $levels $levels)
}
prepare_info_space() {
    write_levels
    words=(info --space $levels)
}
prepare_info_network() { words=(info "$SOLOIST_DATA/networks/samegame-policy-7.safetensors"); }

prepare_play() {
    solve_levels || return
    words=(play $levels --only 2 --solutions solved.sok --all)
}

prepare_show() {
    solve_levels || return
    words=(show $levels --only 2 --solutions solved.sok --svg --out film.svg)
}
settle_show() {
    [ ! -e film.svg ] || grep -q '^</svg>$' film.svg || wrong "half a picture"
}

prepare_show_png() { words=(show $levels --only 1-2 --png --out levels.png); }

write_net() {
    printf '%s\n' 'input 6x5x5' 'conv 4 3x3 pad 1 elu' 'mark body' 'linear 25' 'policy' 'from body' 'linear 1' 'value' \
        > small.net
}

training=(--board 5x5 --generate colours=3 --network small.net --back-end cpu --threads 1 batch=16 boards=2
    solve_iterations=10 solve_games=4 self_play=false row_steps=5 save_steps=5)

# The run goes on afterwards, wherever it was; one that was there before is untouched.
prepare_train() {
    write_net
    "$program" train samegame "${training[@]}" --out a.safetensors steps=5 > /dev/null 2>&1 || return
    words=(train samegame "${training[@]}" --out b.safetensors steps=10)
}
mask_train() { sed -E 's/[0-9.]+/0/g'; } # a game less is no fault

# The other ways of training; what they leave behind can go on.
iterating=(sokoban-moves:rules=none --board 5x5 --generate boxes=1,max_action_depth=6,total_positions=50 --network actor.net
    --back-end cpu --threads 1 boards=1 step_limit=10 --curriculum stages=2,max_action_depth=4..6)
write_actor() {
    printf '%s\n' 'input 4x5x5' 'linear 8 relu' 'mark body' 'linear 4' 'policy' 'from body' 'linear 1' 'value' > actor.net
}
prepare_expert_iteration() {
    write_actor
    words=(train "${iterating[@]}" --way expert-iteration --search per_move=6,delay=2 puzzles=3 iterations=2
        iteration_batches=2 batch=4 --out b.safetensors)
}
mask_expert_iteration() { mask_train; }
prepare_actor_critic() {
    write_actor
    words=(train "${iterating[@]}" --way actor-critic actors=2 iteration_moves=20 iterations=2 --out b.safetensors)
}
mask_actor_critic() { mask_train; }
settle_train() {
    local run=b.safetensors.run
    [ ! -e $run/words.json ] || "$program" train --resume $run > more 2>&1 || wrong "afterwards: $(tail -n 1 more)"
    [ -e $run/words.json ] || "$program" train samegame "${training[@]}" --out b.safetensors steps=10 > more 2>&1 ||
        wrong "anew: $(tail -n 1 more)"
}

prepare_train_force() {
    prepare_train
    words=(train samegame "${training[@]}" --out a.safetensors steps=10 --force)
}
mask_train_force() { mask_train; }
settle_train_force() {
    cmp -s a.safetensors ../start/a.safetensors || cmp -s a.1.safetensors ../start/a.safetensors || wrong "the network is lost"
    diff -r a.safetensors.run ../start/a.safetensors.run > /dev/null 2>&1 ||
        diff -r a.1.safetensors.run ../start/a.safetensors.run > /dev/null 2>&1 || wrong "the run is lost"
}

# Imitation in a domain with costs, with levels from a file, dead positions and DAgger.
costs=(--levels levels.xsb --network goal.net --method astar --back-end cpu --threads 1 batch=16 boards=2 solve_games=4
    learning_starts=1000 reuse=0 dead=1 dead_states=20 dagger_steps=0 step_limit=5 parallel_games=2 row_steps=5 save_steps=5
    validation=2 steps=10)
prepare_train_costs() {
    printf '%s\n' 'input 4x?x?' 'conv 4 3x3 pad 1 elu' 'mark body' 'at 4' 'linear 4' 'policy' 'from body' 'pool' 'linear 1' \
        'value' > goal.net
    "$program" generate sokoban width=5 height=5 boxes=1 total_positions=50 --count 8 > levels.xsb
    words=(train sokoban-moves "${costs[@]}" --out b.safetensors)
}
mask_train_costs() { mask_train; }
settle_train_costs() {
    local run=b.safetensors.run
    [ ! -e $run/words.json ] || "$program" train --resume $run > more 2>&1 || wrong "afterwards: $(tail -n 1 more)"
}

prepare_eval() {
    write_net
    "$program" train samegame "${training[@]}" --out a.safetensors steps=5 > /dev/null 2>&1 || return
    words=(eval a.safetensors --generate colours=3 --boards 2 --back-end cpu)
}

# Sprites, and a network of any size for levels of several sizes.
prepare_exit_mcts() {
    printf '%s\n' 'input 4x?x?' 'conv 4 3x3 pad 1 relu' 'mark body' 'at 4' 'linear 4' policy 'from body' 'pool' 'linear 1' value > any.net
    printf '%s\n' '#####' '#@$.#' '#####' > one.xsb
    words=(solve one.xsb -d sokoban-moves -m exit-mcts:per_move=8 --network any.net --back-end cpu --jobs 1 --threads 1 --iterations 50 --json)
}

prepare_network_sizes() {
    printf '%s\n' 'input 4x?x?' 'colour a 1 0 0' 'sprites 2' 'picture 1000 aa aa' 'conv 4 2x2 stride 2 relu' 'at 4' \
        'linear 4' policy > any.net
    printf '%s\n' '#####' '#@$.#' '#####' '' '######' '#@ $.#' '######' > two.xsb
    words=(solve two.xsb -d sokoban-moves -m policy:steps=3 --network any.net --back-end cpu --jobs 1 --threads 1 --json)
}

prepare_network() {
    prepare_eval
    "$program" generate samegame width=5 height=5 colours=3 --count 1 > board
    words=(solve board -m policy-mcts --network a.safetensors --back-end cpu --iterations 20 --time 0 --jobs 1 --threads 1 --json)
}

# A network for Sokoban that has learned nothing.
write_push_net() {
    printf '%s\n' 'input 4x?x?' 'conv 4 3x3 pad 1 relu' 'mark body' 'conv 4 1x1' policy 'from body' pool 'linear 1' value \
        > push.net
}

guided=(--network push.net --back-end cpu --nodes 2000 --time 0 --jobs 1 --threads 1 --first --json)
prepare_guided() {
    write_levels
    write_push_net
    words=(solve $levels --only 1-2 -m phs:batch=4 "${guided[@]}")
}
prepare_guided_bound() {
    write_levels
    write_push_net
    words=(solve $levels --only 1-2 -m astar:bound=both,batch=4 "${guided[@]}")
}

prepare_eval_dead() {
    write_push_net
    words=(eval push.net --domain sokoban --dead-states 2 --exhaustive --generate width=6,height=6,boxes=2 --jobs 1 --back-end cpu)
}

prepare_write_back() {
    write_levels
    chmod 600 $levels
    words=(solve $levels --write-back --quiet --nodes 2000 --memory 64M --jobs 1 --threads 1)
}

# The file is the old one, or has solutions that hold.
settle_write_back() {
    [ "$(stat -c %a $levels)" = 600 ] || wrong "its mode is $(stat -c %a $levels)"
    left_behind
    cmp -s $levels ../start/$levels && return
    "$program" check $levels $levels > more 2>&1
    grep -q ' 0 rejected' more || wrong "$(tail -n 1 more)"
}

# ---- the sweep ----

mask() { sed -E 's/"time_s":[0-9.e+-]+/"time_s":0/g'; }
masked() { if declare -F "mask_$name" > /dev/null; then "mask_$name"; else mask; fi < "$1"; }
wrong() { complaint+=${complaint:+; }$*; }
says_memory='"stopped":"memory"|stopped: memory|out of memory|"error":"no memory'
says_file='No space left on device|Input/output error|cannot be (read|written|opened)'

# Lines that differ from what they should be say that memory ran out, and none is missing.
excused() {
    [ "$(masked out | wc -l)" -eq "$(wc -l < ../reference)" ] &&
        ! masked out | diff - ../reference | grep '^<' | grep -qvE "$says_memory|$says_file"
}
# Neither the progress of training nor news is a complaint.
complaints() { grep -vE '^training .*; Ctrl-C stops and saves$|^[0-9]+ s, .*, step [0-9]+, |^[^:]* was renamed (back )?to [^:]*$' err; }
# One sentence. With --for-good, a warning that there is no memory may stand before the reason for the end.
one_complaint() {
    complaints | grep -qE ': *$' && return 1
    [ "$(complaints | wc -l)" -eq 1 ] ||
        { [ -n "$after" ] && complaints | grep -q . && ! complaints | grep -qvE 'no memory|out of memory|Cannot allocate memory'; }
}
whole_lines() { [ ! -s out ] || [ -z "$(tail -c 1 out)" ]; }

judge() { # exit status
    if [ "$1" -ge 128 ] || [ "$1" -eq 124 ]; then
        crashed=$((crashed + 1))
        wrong "ended by signal $(($1 - 128))"
    elif [ "$1" -eq "$reference_rc" ] && masked out | cmp -s - ../reference; then
        :
    elif { [ "$1" -eq 1 ] || [ "$1" -eq "$reference_rc" ]; } && { excused || complaints | grep -qE "no memory|$says_file"; }; then
        :
    elif [ "$shim" = files ] && [ "$1" -eq 2 ] && complaints | grep -q . && ! complaints | grep -qvE "$says_file" && whole_lines; then
        : # two threads may meet their calls of the same number
    elif [ "$1" -ne 2 ] || ! one_complaint || ! whole_lines; then
        wrong "status $1; $(complaints | wc -l) complaints: $(complaints | head -n 1); $(wc -l < out) lines: $(tail -n 1 out)"
    fi
}

with() { timeout 60 env LD_PRELOAD="$shim" "$1" "$program" "${words[@]}" > out 2> err; } # the shim's setting
tracing() { timeout 60 strace -f -o "$work/trace" "$@" "$program" "${words[@]}" > out 2> err; } # strace's options

# The calls in the trace that concern the case's folder, as CALL:NUMBER; calls are numbered for each thread, as strace does.
list_calls() {
    awk -v folder="$work/try" '{
        call = $2
        sub(/\(.*/, "", call)
        number[$1, call]++
        path = $0
        if (call == "openat")
            here = path ~ "\"" folder || path ~ /AT_FDCWD[^,]*, "[^\/]/
        else if (call == "rename")
            here = 1
        else
            here = path ~ "^[0-9]+ +" call "\\([0-9]+<" folder
        if (here && !seen[call, number[$1, call]]++)
            print call ":" number[$1, call]
    }' "$work/trace"
}
calls=openat,write,pwrite64,fsync,fdatasync,rename

# One call fails, as on a full or broken disk.
failing() { # CALL:NUMBER
    local call=${1%:*} error=EIO
    case $call in write | pwrite64 | openat) error=ENOSPC ;; esac
    tracing -e trace="$call" -e inject="$call:error=$error:when=${1#*:}"
}

try() { # number of the allocation that fails, or CALL:NUMBER
    rm -rf "$work/try"
    cp -r "$work/start" "$work/try"
    cd "$work/try" || exit 2
    complaint=
    # The shell tells of signals there.
    if [ "$shim" = files ]; then failing "$1"; else with SOLOIST_FAIL_ALLOC="$1$after"; fi 2> /dev/null
    judge $?
    ! declare -F "settle_$name" > /dev/null || "settle_$name"
    tried=$((tried + 1))
    [ -n "$complaint" ] || return
    bad=$((bad + 1))
    [ $bad -gt 10 ] || echo "  $name, ${kind%s} $1: $complaint"
}

# One run in which all writes are short.
write_shortly() {
    local kind=runs rc
    timeout 60 "$program" "${words[@]}" > out 2> err
    reference_rc=$?
    masked out > ../reference
    rm -rf "$work/try"
    cp -r "$work/start" "$work/try"
    cd "$work/try" || exit 2
    complaint=
    with SHORT=yes
    rc=$?
    [ $rc -eq "$reference_rc" ] && masked out | cmp -s - ../reference || wrong "status $rc; $(tail -n 1 err) $(tail -n 1 out)"
    ! declare -F "settle_$name" > /dev/null || "settle_$name"
    echo "$name: short writes${complaint:+: $complaint}"
    [ -z "$complaint" ]
}

sweep() {
    local count step=1 i
    rm -rf "$work/start" "$work/try"
    mkdir "$work/start"
    cd "$work/start" || exit 2
    "prepare_$name" || { echo "  $name: could not be prepared"; return 1; }
    cp -r "$work/start" "$work/try"
    cd "$work/try" || exit 2
    [ -z "$short" ] || { write_shortly; return; }
    local places=()
    if [ "$shim" = files ]; then
        kind=calls
        tracing -y -e trace=$calls
        reference_rc=$?
        mapfile -t places < <(list_calls)
        count=${#places[@]}
    else
        kind=allocations
        with SOLOIST_COUNT_ALLOC="$work/count"
        reference_rc=$?
        count=$(cat "$work/count")
    fi
    masked out > ../reference
    [ "${count:-0}" -gt 0 ] || { echo "  $name: no $kind were seen"; return 1; }
    [ $most -eq 0 ] || [ "$count" -le $most ] || step=$(((count - first + most - first - 1) / (most - first)))
    tried=0 bad=0 crashed=0
    for ((i = 1; i <= count; i += i < first ? 1 : step)); do
        try "${places[i - 1]-$i}"
    done
    echo "$name: $count $kind, $tried tried: $crashed crashed, $((bad - crashed)) false"
    [ $bad -eq 0 ]
}

cases=("$@")
[ ${#cases[@]} -gt 0 ] || mapfile -t cases < <(declare -F | sed -n 's/^declare -f prepare_\(.*\)/\1/p')
passed=0 failed=0 skipped=0
"$program" lab list --store nowhere 2>&1 | grep -q 'no SQLite' && no_lab=1
for name in "${cases[@]}"; do
    if [[ $name == lab_* && ${no_lab-} ]]; then
        echo "SKIP needs SQLite ($name)"
        skipped=$((skipped + 1))
    elif sweep; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name"
    fi
done
cd /
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
