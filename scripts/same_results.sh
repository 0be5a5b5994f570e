#!/usr/bin/env bash
# Checks that two programs search identically: same_results.sh OLD NEW [FOLDER_WITH_LEVELS]
# Every level of XSokoban, Microban I and III and Boxoban, and the twenty standard SameGame positions, are solved by
# both with one thread, one job, a node limit and a seed, which is exactly repeatable; status, cost, score, nodes and
# expanded must be equal on every line. FOLDER has levels/ and samegame/ as in ../shared.
set -u
[ $# -ge 2 ] || { echo "usage: same_results.sh OLD NEW [FOLDER]" >&2; exit 2; }
old=$(readlink -f "$1") new=$(readlink -f "$2")
cd "$(dirname "$0")/.."
folder=${3:-../shared}
[ -d "$folder/levels" ] || { echo "no levels in $folder: name the folder" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

results() { # program, file, words...
    local program=$1 file=$2
    shift 2
    "$program" solve "$file" --json --time 0 --threads 1 --jobs 1 --seed 1 --memory 2G "$@" 2> /dev/null |
        sed -E 's/^\{"id":([0-9]+),.*"status":"([a-z]+)".*"cost":([^,]*),"score":([^,]*),.*"nodes":([0-9]+),"expanded":([^,]*),.*/\1 \2 \3 \4 \5 \6/'
}

lines=0 different=0
compare() { # name, file, words...
    local name=$1
    shift
    [ -r "$1" ] || { echo "$name: $1 does not exist"; different=$((different + 1)); return; }
    results "$old" "$@" > "$work/old" &
    results "$new" "$@" > "$work/new"
    wait
    local differ
    differ=$(diff "$work/old" "$work/new" | grep -c '^[<>]')
    lines=$((lines + $(wc -l < "$work/new"))) different=$((different + differ))
    printf '%-28s %5d lines, %d differ\n' "$name" "$(wc -l < "$work/new")" "$differ"
    diff "$work/old" "$work/new" | head -n 4
}

compare 'XSokoban, auto' "$folder/levels/xsokoban.xsb" --nodes 20000
compare 'XSokoban, fess' "$folder/levels/xsokoban.xsb" -m fess --nodes 5000
compare 'Microban I, auto' "$folder/levels/microban1.xsb" --nodes 20000
compare 'Microban I, astar' "$folder/levels/microban1.xsb" -m astar --nodes 20000
compare 'Microban III, auto' "$folder/levels/microban3.xsb" --nodes 20000
compare 'Boxoban medium, auto' "$folder/levels/boxoban_medium_valid_000.xsb" --nodes 5000
compare 'Boxoban unfiltered, auto' "$folder/levels/boxoban_unfiltered_test_000.xsb" --nodes 5000
compare 'SameGame 20, auto' "$folder/samegame/standard20.txt" --nodes 300000
compare 'SameGame 20, mcts' "$folder/samegame/standard20.txt" -m mcts --nodes 20000 --iterations 20000
compare 'SameGame 20, spmcts' "$folder/samegame/standard20.txt" -m spmcts --nodes 20000 --iterations 20000
compare 'Korf 100, idastar' "$folder/tiles/korf100.txt" -m idastar --nodes 2000000
echo "$lines lines, $different differ"
[ $different -eq 0 ]
