#!/usr/bin/env bash
# Kills commands again and again with SIGKILL, and checks that no result that had been reported is lost:
#   scripts/storm.sh PROGRAM [KILLS [CASE...]]
# KILLS (1000 by default) are shared out among the cases. A command is killed at a random moment, what it left is looked
# at (survey_CASE), and the same command is started again, until it ends by itself; then its result must be that of a
# command that nobody killed (conclude_CASE), and the case begins anew. SEED=N repeats the random moments, not what the
# program had done by then. CUT=LIBRARY: power cuts instead of kills, after which what was written but not
# synchronised is lost in part or whole (tests/fault/power_cut.c); the case `resume` is then left out. Ends with the
# numbers of cases passed and failed.
set -u
export LC_ALL=C
program=$(readlink -f "${1:?usage: storm.sh PROGRAM [KILLS [CASE...]]}")
kills=${2:-1000}
shift $(($# < 2 ? $# : 2))
export SOLOIST_DATA=${SOLOIST_DATA:-$(cd "$(dirname "$0")/.." && pwd)/data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
RANDOM=${SEED:-1}

lost() { losses=$((losses + 1)); [ $losses -gt 10 ] || echo "  $name, kill $done_kills: $*"; }

# ---- the cases: begin_CASE prepares the folder and sets `words` ----

write_experiment() {
    printf '%s\n' 'title Stacks' 'generate pancake n=7 count=6 seed=1 as stacks' \
        'method uct:simulate=random,length=12 iterations=300 as random' 'method astar nodes=3000 as A*' 'seeds 1-4' > e.lab
}
list_runs() {
    "$program" lab show --format csv --sql "SELECT label, source, number, seed, status, value, nodes, signature FROM runs
        WHERE status IS NOT NULL ORDER BY label, source, number, seed" 2> problem
}
begin_lab() {
    write_experiment
    words=(lab run e.lab --jobs 2 --quiet)
    stored=0
}
survey_lab() {
    local now
    [ -e lab.db ] || return
    list_runs > now.csv || { grep -q 'holds no experiment yet' problem || lost "the store: $(head -n 1 problem)"; return; }
    now=$(wc -l < now.csv)
    [ "$now" -ge "$stored" ] || lost "$stored runs were stored, now $now"
    stored=$now
}
conclude_lab() { list_runs > result; }

begin_lines() {
    write_experiment
    words=(lab run e.lab --jobs 2 --quiet --store a.jsonl)
    stored=0
}
survey_lines() {
    local now=0
    [ ! -e a.jsonl ] || now=$(grep -ac '^{"run":.*}$' a.jsonl)
    [ "$now" -ge "$stored" ] || lost "$stored runs were written, now $now"
    stored=$now
}
conclude_lines() {
    rm -f lab.db
    "$program" lab merge a.jsonl > merged 2>&1
    list_runs > result
    rm -f lab.db
}

# Every line that was printed is in the file.
make_levels() { "$program" generate sokoban boxes=3 --count "$1" --seed 1 > levels.sok; }
exact=(--method astar --nodes 20000 --memory 64M --jobs 2 --threads 1)
masked() { sed -E 's/,?"(time_s|peak_mb)":[0-9.e+-]+//g'; }
begin_resume() {
    make_levels 60
    words=(solve levels.sok --first --json --resume done.jsonl "${exact[@]}")
}
survey_resume() {
    [ ! -e done.jsonl ] && [ ! -s out ] && return
    grep -o '"id":[0-9]*,.*"solution":"[^"]*"' out | sed -E 's/^"id":([0-9]+).*("solution":"[^"]*")$/\1 \2/' > told
    sed -E 's/.*"id":([0-9]+),.*("solution":"[^"]*").*/\1 \2/' done.jsonl > kept
    ! grep -qvxFf kept told || lost "told but not kept: $(grep -vxFf kept told | head -n 1)"
}
conclude_resume() { masked < out > result; }

# The file is whole at every moment, and the solutions in it hold.
begin_write_back() {
    make_levels 40
    words=(solve levels.sok --write-back --quiet --first "${exact[@]}")
}
survey_write_back() {
    "$program" check levels.sok levels.sok > checked 2>&1
    grep -q ' 0 rejected' checked || lost "$(tail -n 1 checked)"
}
conclude_write_back() { cp levels.sok result; }

# A training goes on from its last checkpoint, and ends with the very same weights.
begin_train() {
    printf '%s\n' 'input 4x?x?' 'conv 8 3x3 pad 1 elu' 'mark body' 'at 4' 'linear 4' 'policy' 'from body' 'pool' 'linear 1' \
        'value' > small.net
    fresh=(train sokoban-moves --generate width=5,height=5,boxes=1,total_positions=200 --method astar --network small.net
        --back-end cpu --threads 1 batch=16 boards=8 solve_time=0 solve_games=40 learning_starts=1000000 reuse=0 row_steps=20
        save_steps=10 steps=600 --out a.safetensors)
    words=("${fresh[@]}")
}
survey_train() {
    words=("${fresh[@]}" --force)
    [ ! -e a.safetensors.run/words.json ] || words=(train --resume a.safetensors.run)
}
conclude_train() { sha256sum < a.safetensors.run/kept.state > result; }

# A server whose client lets it solve levels: what the client was told has ended is known to every later server. The
# server is killed, not the client, which sees that and ends with the status of a killed command.
make_client() {
    cat > client << 'END'
program=$1
trap '' PIPE # a server that is killed while it is asked
rm -f address
"$program" serve --keep kept.jsonl --jobs 2 --threads 1 > address 2> err &
server=$!
echo $server > server
until grep -q / address; do
    kill -0 $server 2> /dev/null || exit 137
    sleep 0.02
done
read -r url < address
port=${url##*:} port=${port%/}
ask() { # method, path, content
    { exec 3<> "/dev/tcp/127.0.0.1/$port"; } 2> /dev/null || return 1
    printf '%s %s HTTP/1.0\r\nHost: 127.0.0.1:%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s' \
        "$1" "$2" "$port" ${#3} "$3" >&3 2> /dev/null
    answer=$(cat <&3 2> /dev/null)
    exec 3>&-
    [ -n "$answer" ]
}
solution() { sed -n 's/.*"state":"ended".*"solution":"\([^"]*\)".*/\1/p' <<< "$answer"; }
touch told
while read -r number id known; do
    ask GET "/api/jobs/$id" '' || exit 137
    [ "$(solution)" = "$known" ] || echo "$number $id" >> forgotten
done < told
number=$(wc -l < told)
for level in level.*; do
    [ "${level#level.}" -gt "$number" ] || continue
    number=$((number + 1))
    ask POST /api/jobs "{\"kind\":\"solve\",\"method\":\"astar\",\"nodes\":20000,\"text\":\"$(cat "$level")\"}" || exit 137
    id=$(sed -n 's/.*"id":"\([0-9a-f]*\)".*/\1/p' <<< "$answer")
    ask GET "/api/jobs/$id/events" '' && ask GET "/api/jobs/$id" '' || exit 137
    found=$(solution)
    [ -n "$found" ] || exit 137
    echo "$number $id $found" >> told
done
kill -INT $server && wait $server
END
}
begin_serve() {
    local number=0 line text=
    make_client
    # Each level as one line, with its ends of lines as JSON writes them.
    "$program" generate sokoban boxes=2 --count 12 --seed 1 | grep -v '^;' | while IFS= read -r line; do
        if [ -n "$line" ]; then
            text=$text$line'\n'
        elif [ -n "$text" ]; then
            number=$((number + 1))
            printf '%s' "$text" > "level.$(printf %02d $number)"
            text=
        fi
    done
    words=(client "$program")
    runner=bash
}
survey_serve() {
    [ ! -s forgotten ] || lost "told but forgotten: $(head -n 1 forgotten)"
    rm -f forgotten
}
conclude_serve() {
    survey_serve
    cut -d' ' -f1,3 told > result
}

# ---- the storm ----

# The milliseconds that the command takes when nobody kills it.
measure() {
    local from
    from=$(date +%s%N)
    "$runner" "${words[@]}" > out 2> err || [ $? -eq 1 ] || { echo "  $name: $(tail -n 1 err)"; return 1; }
    took=$((($(date +%s%N) - from) / 1000000 + 1))
    if [ -n "${CUT-}" ]; then # the number of calls at which the power can be cut
        fresh_folder
        LD_PRELOAD=$CUT SOLOIST_CUT_FOLDER=$PWD SOLOIST_CUT_RESULT=$work/calls SOLOIST_CUT_AT=0 "$runner" "${words[@]}" > out 2> err
        read -r calls < "$work/calls"
    fi
    "conclude_$name" && mv result "$work/$name.right"
}

fresh_folder() {
    rm -rf "$work/$name"
    mkdir "$work/$name"
    cd "$work/$name" || exit 2
    runner=$program
    "begin_$name"
}

# After a power cut the folder is as the disk has it, but the files that this script itself reads are kept.
cut_power() {
    rm -rf "$work/after"
    mkdir "$work/after"
    LD_PRELOAD=$CUT SOLOIST_CUT_FOLDER=$PWD SOLOIST_CUT_RESULT=$work/after SOLOIST_CUT_SEED=$RANDOM \
        SOLOIST_CUT_AT=$((1 + (RANDOM * 32768 + RANDOM) % calls)) "$runner" "${words[@]}" > out 2> err &
    { wait $!; } 2> /dev/null
    local status=$?
    [ $status -eq 137 ] || return 0
    if [ -z "$(ls -A "$work/after")" ]; then # a client that gave up because its server ended
        kill -KILL "$(cat server 2> /dev/null)" 2> /dev/null
        return 1
    fi
    for file in out err told forgotten; do
        [ ! -e "$file" ] || cp "$file" "$work/after/"
    done
    find "$work/$name" -mindepth 1 -delete
    cp -a "$work/after/." "$work/$name/"
    return 1
}

# True if the command ended by itself.
strike() {
    [ -z "${CUT-}" ] || { cut_power; return; }
    local pause=$((RANDOM * took / 32768)) process
    rm -f server
    "$runner" "${words[@]}" > out 2> err &
    process=$!
    sleep "$(printf '%d.%03d' $((pause / 1000)) $((pause % 1000)))"
    if [ "$runner" != "$program" ]; then
        while [ ! -s server ] && kill -0 $process 2> /dev/null; do sleep 0.02; done
        kill -0 $process 2> /dev/null && kill -KILL "$(cat server)" 2> /dev/null
    else
        kill -KILL $process 2> /dev/null
    fi
    { wait $process; } 2> /dev/null
    [ $? -ne 137 ]
}

storm() {
    local wished=$1 rounds=0
    done_kills=0 losses=0
    fresh_folder
    measure || return 1
    fresh_folder
    while [ $done_kills -lt "$wished" ]; do
        if strike; then
            "conclude_$name"
            cmp -s result "$work/$name.right" || lost "another result than without kills: $(tail -n 1 err)"
            rounds=$((rounds + 1))
            fresh_folder
        else
            done_kills=$((done_kills + 1))
            "survey_$name"
        fi
    done
    "$runner" "${words[@]}" > out 2> err
    "conclude_$name"
    cmp -s result "$work/$name.right" || lost "another result than without kills: $(tail -n 1 err)"
    echo "$name: $done_kills kills, $((rounds + 1)) times to the end, $losses losses"
    [ $losses -eq 0 ]
}

cases=("$@")
[ ${#cases[@]} -gt 0 ] || mapfile -t cases < <(declare -F | sed -n 's/^declare -f begin_\(.*\)/\1/p')
[ -z "${CUT-}" ] || { CUT=$(readlink -f "$CUT"); mapfile -t cases < <(printf '%s\n' "${cases[@]}" | grep -vx resume); }
passed=0 failed=0
for name in "${cases[@]}"; do
    if storm $(((kills + ${#cases[@]} - 1) / ${#cases[@]})); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name"
    fi
done
cd /
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
