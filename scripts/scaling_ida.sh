#!/usr/bin/env bash
# How IDA* scales over threads, for a machine with 16 cores: scripts/scaling_ida.sh PROGRAM OUT_FOLDER [THREADS]
# Solves the same random 15-puzzles with 1, 2, 4, ... THREADS threads and prints for each number of threads: the sum of
# the times and of the nodes, nodes per second, how many times faster than one thread, and the least and the most work
# that a thread did (1: the mean). Costs must agree. Writes OUT_FOLDER/ida.txt and the lines of JSON next to it.
# About 4 minutes on 16 cores. SEED and COUNT choose the puzzles.
set -eu
program=$(readlink -f "${1:?usage: scaling_ida.sh PROGRAM OUT_FOLDER [THREADS]}")
mkdir -p "${2:?which folder for the results?}"
out=$(readlink -f "$2") most=${3:-$(nproc)}
"$program" generate tiles --seed "${SEED:-1}" --count "${COUNT:-12}" > "$out/ida_puzzles.txt" 2> /dev/null
exec > >(tee "$out/ida.txt") 2>&1
echo "IDA*, $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg), $("$program" --version)"

field() { grep -oE "\"$1\":[^,}]*" "$2" | cut -d: -f2; }
sum() { field "$1" "$2" | awk '{ sum += $1 } END { printf "%.3f", sum }'; }

for ((threads = 1; threads <= most; threads *= 2)); do
    lines=$out/ida_$threads.json
    "$program" solve "$out/ida_puzzles.txt" --domain tiles --method idastar --jobs 1 --threads $threads --time 120 --json \
        --quiet > "$lines" || true
    cmp -s <(field cost "$lines") <(field cost "$out/ida_1.json") || echo "$threads threads: other costs, or a time limit"
    awk -v threads=$threads -v time="$(sum time_s "$lines")" -v nodes="$(sum nodes "$lines")" \
        -v alone="$(sum time_s "$out/ida_1.json")" -v least="$(field least_share "$lines" | sort -g | head -n 1)" \
        -v most="$(field most_share "$lines" | sort -g | tail -n 1)" 'BEGIN {
        printf "%d threads: %.2f s, %.0f nodes, %.1f million per second, %.2f times one thread, work %s to %s\n",
            threads, time, nodes, nodes / time / 1e6, alone / time, least, most }'
done
