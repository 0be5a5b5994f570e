#!/usr/bin/env bash
# Shows that limits hold: limits.sh PROGRAM [time|signal|memory]... (all three without a word)
# Every method is run on the largest instances of every domain.
#   time    -t 1 ends within 5 % + 0.1 s, measured from outside
#   signal  the program ends within 0.2 s of the first SIGINT
#   memory  with --memory 64M, 256M and 1G the resident size stays within 5 % + 8 MiB, less that of `soloist --version`
# It measures time, so it is no test; run it on a machine that does nothing else. The exit status says whether all held.
set -u
[ $# -ge 1 ] || { echo "usage: limits.sh PROGRAM [time|signal|memory]..." >&2; exit 2; }
program=$(readlink -f "$1")
shift
[ $# -gt 0 ] || set -- time signal memory
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
broken=0 runs=0

# A room of COLUMNS x ROWS with boxes and goals in a loose pattern.
room() {
    awk -v w="$1" -v h="$2" -v n="$3" 'BEGIN {
        for (y = 0; y < h; y++) {
            row = ""
            for (x = 0; x < w; x++) {
                c = " "
                if (!x || !y || x == w - 1 || y == h - 1) c = "#"
                else if (x == 1 && y == 1) c = "@"
                else if (y % 2 == 0 && y < h - 2 && x < w - 3 && x % 4 == 2 && placed < n) { c = "$"; placed++ }
                else if (y % 2 == 0 && y < h - 2 && x < w - 1 && x % 4 == 0 && x > 2 && goals < n && goals < placed) {
                    c = "."; goals++
                }
                row = row c
            }
            print row
        }
    }'
}
board() { awk -v s="$1" 'BEGIN { srand(1); for (y = 0; y < s; y++) { r = ""; for (x = 0; x < s; x++) r = r int(1 + 5 * rand()); print r } }'; }

room 64 64 512 > "$work/sokoban-512"
room 40 40 120 > "$work/sokoban-120"
board 15 > "$work/samegame-15"
board 32 > "$work/samegame-32"
echo "17 1 20 9 16 2 22 19 14 5 15 21 0 3 24 23 18 13 12 7 10 8 6 4 11" > "$work/tiles-24"
"$program" generate tiles --count 1 --seed 3 > "$work/tiles-15"
"$program" generate pancake n=128 --count 1 --seed 3 > "$work/pancake" 2> /dev/null
list=$("$program" info | sed -n '/^methods/,/^$/s/^  \([a-z0-9-]*\).*/\1/p')
base=$(/usr/bin/time -f %M "$program" --version 2>&1 > /dev/null | tail -1) # info may load a driver

now() { date +%s%N; }
report() { # WORDS... VALUE LIMIT
    runs=$((runs + 1))
    local limit=${*: -1} value=${*: -2:1}
    if [ "$value" -gt "$limit" ]; then
        broken=$((broken + 1))
        printf 'BROKEN %-10s %-14s %-12s %s > %s\n' "$1" "$2" "$3" "$value" "$limit"
    fi
}

suits() { ! grep -q 'needs a\|has no\|is for\|cannot' "$work/err"; }

for what; do
    for file in "$work"/sokoban-* "$work"/samegame-* "$work"/tiles-* "$work"/pancake; do
        instance=$(basename "$file")
        for method in $list; do
            case $what in
            time)
                start=$(now)
                timeout -s KILL 20 "$program" solve "$file" -m "$method" -t 1 --jobs 1 --first --json > "$work/out" 2> "$work/err"
                took=$((($(now) - start) / 1000000))
                suits && report time "$instance" "$method" $took 1150
                ;;
            signal)
                "$program" solve "$file" -m "$method" -t 30 --jobs 1 --first --json > "$work/out" 2> "$work/err" &
                child=$!
                sleep 1
                start=$(now)
                kill -INT $child 2> /dev/null || { wait $child; continue; }
                ( sleep 20; kill -KILL $child 2> /dev/null ) &
                killer=$!
                wait $child 2> /dev/null
                took=$((($(now) - start) / 1000000))
                kill $killer 2> /dev/null
                report signal "$instance" "$method" $took 200
                ;;
            memory)
                for limit in 64 256 1024; do
                    resident=$(timeout -s KILL 60 /usr/bin/time -f %M "$program" solve "$file" -m "$method" -t 8 --first \
                        --memory ${limit}M --jobs 1 --json 2>&1 > "$work/out" | tee "$work/err" | tail -1)
                    suits && report "memory$limit" "$instance" "$method" $((resident - base)) \
                        $((limit * 1024 * 105 / 100 + 8192))
                done
                ;;
            esac
        done
    done
done
echo "$runs runs, $broken beyond their limit"
[ $broken -eq 0 ]
