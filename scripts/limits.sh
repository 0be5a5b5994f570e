#!/usr/bin/env bash
# Shows that limits hold: limits.sh PROGRAM [time|signal|memory|options]... (all without a word)
# Every method is run on the largest instances of every domain.
#   time    -t 1 ends within 5 % + 0.1 s, measured from outside
#   signal  the program ends within 0.2 s of the first SIGINT
#   memory  with --memory 64M, 256M and 1G the resident size stays within 5 % + 8 MiB, less that of `soloist --version`
#   options random options of every method: neither time nor memory is exceeded (tests/duel/overruns.c; OVERRUNS names
#           this program, and OPTION_RUNS how many runs there are: 3,000)
# Networks are computed by the processor: the driver of a graphics card takes half a gigabyte and half a second of its
# own. It measures time, so it is no test; run it on a machine that does nothing else. LIMITS_JOBS=N makes N runs at
# once, which needs more than N cores. The exit status says whether all held.
set -u
[ $# -ge 1 ] || { echo "usage: limits.sh PROGRAM [time|signal|memory|options]..." >&2; exit 2; }

now() { date +%s%N; }
suits() { ! grep -v 'has no effect' "$err" | grep -q 'needs a\|has no\|is for\|cannot'; }

# Prints one line: what, instance, method, value, limit, and "held" or "BROKEN".
report() { # WHAT VALUE LIMIT
    local verdict=held
    [ "$2" -le "$3" ] || verdict=BROKEN
    printf '%-11s %-14s %-14s %s of %s %s\n' "$1" "$(basename "$file")" "$method" "$2" "$3" $verdict
}

limit_time() {
    local start
    start=$(now)
    timeout -s KILL 20 "$program" solve "$file" -m "$method" $back_end -t 1 --jobs 1 --json > "$out" 2> "$err"
    local took=$((($(now) - start) / 1000000))
    suits && report time $took 1150
}

limit_signal() {
    "$program" solve "$file" -m "$method" $back_end -t 30 --jobs 1 --json > "$out" 2> "$err" &
    local child=$! start killer
    sleep 1
    start=$(now)
    kill -INT $child 2> /dev/null || return
    ( sleep 20; kill -KILL $child 2> /dev/null ) &
    killer=$!
    wait $child 2> /dev/null
    local took=$((($(now) - start) / 1000000))
    kill $killer 2> /dev/null
    suits && report signal $took 200
}

limit_memory() { # MEBIBYTES
    local resident
    resident=$(timeout -s KILL 60 /usr/bin/time -f %M "$program" solve "$file" -m "$method" $back_end -t 6 \
        --memory "$1M" --jobs 1 --json 2>&1 > "$out" | tee "$err" | tail -1)
    suits && report "memory$1" $((resident - base)) $(($1 * 1024 * 105 / 100 + 8192))
}

if [ "$1" = --one ]; then # PROGRAM WHAT BASE FOLDER FILE METHOD
    program=$2 what=$3 base=$4 file=$6 method=$7
    case $method in policy-mcts | pv-mcts) back_end="--back-end cpu" ;; *) back_end= ;; esac
    out=$(mktemp -p "$5") err=$(mktemp -p "$5")
    case $what in
    memory*) limit_memory "${what#memory}" ;;
    *) "limit_$what" ;;
    esac
    exit 0
fi

program=$(readlink -f "$1")
shift
[ $# -gt 0 ] || set -- time signal memory ${OVERRUNS:+options}
overruns=${OVERRUNS:+$(readlink -f "$OVERRUNS")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache

# A room of COLUMNS x ROWS with up to N boxes and as many goals in a loose pattern.
room() {
    awk -v w="$1" -v h="$2" -v n="$3" 'BEGIN {
        for (y = 0; y < h; y++) {
            row = ""
            for (x = 0; x < w; x++) {
                c = " "
                if (!x || !y || x == w - 1 || y == h - 1) c = "#"
                else if (x == 1 && y == 1) c = "@"
                else if (y % 2 == 0 && y < h - 2 && x < w - 2 && x % 3 == 2 && placed < n) { c = "$"; placed++ }
                else if (y % 2 == 0 && y < h - 2 && x < w - 1 && x % 3 == 0 && x > 2 && goals < placed) { c = "."; goals++ }
                row = row c
            }
            print row
        }
    }'
}
# A hall with a goal room that has one entrance, and one with long corridors, in which almost all squares are live.
hall() {
    awk 'BEGIN {
        for (y = 0; y < 64; y++) {
            row = ""
            for (x = 0; x < 64; x++) {
                c = y && x && y < 63 && x < 54 ? " " : "#"
                if (x == 2 && y == 2) c = "@"
                if (y % 4 == 0 && y > 3 && y < 33 && x % 6 == 4 && x < 50 && boxes < 60) { c = "$"; boxes++ }
                if (y > 26 && y < 36 && x > 54 && x < 62 && goals < 60) { c = "."; goals++ }
                if (y == 31 && x == 54) c = " "
                row = row c
            }
            print row
        }
    }'
}
corridors() {
    awk 'BEGIN {
        for (y = 0; y < 64; y++) {
            row = ""
            for (x = 0; x < 64; x++) {
                c = x && x < 63 && (y % 2 && y < 9 || y > 10 && y < 63) ? " " : "#"
                if (y % 2 == 0 && y < 10 && (x == 1 && y || x == 62 && y && y < 8)) c = " "
                if (y == 9) c = x == 1 || x == 2 ? " " : "#"
                if (y == 10) c = x == 2 ? " " : "#"
                if (y % 2 && y < 9 && (x == 20 || x == 40)) c = "$"
                if (y % 2 && y < 9 && (x == 24 || x == 44)) c = "."
                if (y == 36 && x == 30) c = "@"
                row = row c
            }
            print row
        }
    }'
}
board() { awk -v s="$1" 'BEGIN { srand(1); for (y = 0; y < s; y++) { r = ""; for (x = 0; x < s; x++) r = r int(1 + 5 * rand()); print r } }'; }

mkdir "$work/files"
cd "$work/files" || exit 2
room 64 64 512 > sokoban-512
room 40 40 120 > sokoban-120
hall > sokoban-hall
corridors > sokoban-corridors
board 15 > samegame-15
board 32 > samegame-32
echo "17 1 20 9 16 2 22 19 14 5 15 21 0 3 24 23 18 13 12 7 10 8 6 4 11" > tiles-24
"$program" generate tiles --count 1 --seed 3 > tiles-15
"$program" generate pancake n=128 --count 1 --seed 3 > pancake 2> /dev/null
cd - > /dev/null || exit 2
list=$("$program" info | sed -n '/^methods/,/^$/s/^  \([a-z0-9-]*\).*/\1/p')
base=$(/usr/bin/time -f %M "$program" --version 2>&1 > /dev/null | tail -1) # info may load a driver

for what; do
    [ "$what" != options ] || continue
    [ "$what" != memory ] || what="memory64 memory256 memory1024"
    for kind in $what; do
        for file in "$work"/files/*; do
            for method in $list; do
                echo "$program $kind $base $work $file $method"
            done
        done
    done
done | xargs -r -P "${LIMITS_JOBS:-1}" -L 1 bash "$0" --one > "$work/report"
grep BROKEN "$work/report"
echo "$(wc -l < "$work/report") runs, $(grep -c BROKEN "$work/report") beyond their limit"
status=0
grep -q BROKEN "$work/report" && status=1
case " $* " in *" options "*) "$overruns" "$work/files" "${OPTION_RUNS:-3000}" || status=1 ;; esac
exit $status
