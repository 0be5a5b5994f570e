#!/usr/bin/env bash
# How A* and bfs scale with threads: scaling.sh OUT_FOLDER [PROGRAM]
# Random 15-puzzles are drawn by seed and solved by A* with all threads; four on which it expands ten to forty million
# states are then solved with 1, 2, 4, 8 and 16 threads (as far as there are cores). OUT_FOLDER/threads-N.jsonl gets
# the lines of `solve --json`; OUT_FOLDER/summary.txt the speed and the number of expanded states relative to one
# thread. It measures time, so it is no test: run it on a machine that does nothing else. On 16 cores it takes less than
# eight minutes. The exit status says whether every run gave the same cost and proof.
set -u
[ $# -ge 1 ] || { echo "usage: scaling.sh OUT_FOLDER [PROGRAM]" >&2; exit 2; }
here=$(cd "$(dirname "$0")/.." && pwd)
out=$1 program=${2:-$here/build/soloist}
least=${SCALING_LEAST:-10000000} most=${SCALING_MOST:-40000000} wanted=${SCALING_INSTANCES:-4}
cores=$(nproc)
mkdir -p "$out" || exit 2
rm -f "$out"/threads-*.jsonl "$out/summary.txt"

field() { sed -n 's/.*"'"$1"'":\([^,}]*\).*/\1/p'; }
solve() { # FILE ID THREADS SECONDS
    timeout -s KILL 120 "$program" solve "$1" --only "$2" --method astar --threads "$3" --jobs 1 --time "$4" --json
}

"$program" generate tiles -c 40 -s 7 > "$out/tiles.txt" || exit 2
chosen=()
for ((id = 1; id <= 40 && ${#chosen[@]} < wanted; id++)); do
    expanded=$(solve "$out/tiles.txt" $id "$cores" 8 | grep '"optimal":true' | field expanded)
    [ -z "$expanded" ] || [ "$expanded" -lt "$least" ] || [ "$expanded" -gt "$most" ] || chosen+=($id)
done
[ ${#chosen[@]} -gt 0 ] || { echo "scaling.sh: no instance of the wanted size" >&2; exit 2; }

for threads in 1 2 4 8 16; do
    [ $threads -le "$cores" ] || break
    for id in "${chosen[@]}"; do
        solve "$out/tiles.txt" "$id" $threads 100 >> "$out/threads-$threads.jsonl"
    done
done

# One line per number of threads: sums over all instances.
sums() { awk -v n="$1" '{ t += $1; e += $2; v = v " " $3 "/" $4 } END { print n, t, e, v }'; }
for threads in 1 2 4 8 16; do
    file=$out/threads-$threads.jsonl
    [ -f "$file" ] || continue
    paste -d' ' <(field time_s < "$file") <(field expanded < "$file") <(field cost < "$file") <(field optimal < "$file") |
        sums $threads
done | awk 'NR == 1 { t = $2; e = $3; verdict = $0; sub(/^[^ ]* [^ ]* [^ ]* /, "", verdict) }
    { answer = $0; sub(/^[^ ]* [^ ]* [^ ]* /, "", answer); if (answer != verdict) wrong = 1
      printf "%2d threads %8.2f s %12.0f expanded  %5.2f times as fast, %.3f times the states%s\n", $1, $2, $3, t / $2,
             $3 / e, answer == verdict ? "" : "  OTHER ANSWER" }
    END { exit wrong }' | tee "$out/summary.txt"
exit "${PIPESTATUS[1]}"
