#!/usr/bin/env bash
# How the program scales over ranks, for a machine with 16 cores:
#   scripts/scaling_ranks.sh PROGRAM OUT_FOLDER lab|nrpa|search [RANKS]
# lab: a lab of 1,000 short runs of equal length on 1 and on RANKS ranks. nrpa: the 20 standard SameGame positions by
# NRPA in equal time, by RANKS ranks of one thread and by RANKS threads; needs SAMEGAME, the file of positions. search:
# A* and IDA* on 15-puzzles, on 1 to RANKS ranks. Each part takes less than 9 minutes on 16 cores and writes its numbers
# to OUT_FOLDER/ranks_PART.txt. MPIRUN: the launcher and its options.
set -eu
program=$(readlink -f "${1:?usage: scaling_ranks.sh PROGRAM OUT_FOLDER lab|nrpa|search [RANKS]}")
out=$(readlink -f "${2:?which folder for the results?}") part=${3:?lab, nrpa or search?} ranks=${4:-$(nproc)}
launcher=${MPIRUN:-mpirun -q --allow-run-as-root --oversubscribe --bind-to none}
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p "$out"
exec > >(tee "$out/ranks_$part.txt") 2>&1
echo "$part on $ranks ranks, $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg), $("$program" --version)"

now() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.2f", b - a }'; }
field() { grep -oE "\"$1\":[^,}]*" | cut -d: -f2; }
total() { awk '{ sum += $1 } END { printf "%.0f\n", sum }'; }

lab() {
    cat > short.lab << END
title Short runs
generate samegame count=500 seed=1
method uct
budget iterations=${ITERATIONS:-25000}
seeds 1-2
END
    printf 'generate pancake n=5 count=1 seed=1\nmethod astar\nbudget nodes=1000\n' > none.lab
    local started
    for count in 1 "$ranks"; do
        started=$(now)
        $launcher -n "$count" "$program" lab run none.lab --jobs 1 --store none$count.jsonl > /dev/null
        echo "$count ranks, one run: $(since "$started") s, which is the time to start"
        started=$(now)
        $launcher -n "$count" "$program" lab run short.lab --jobs 1 --store short$count.jsonl
        echo "$count ranks, 1,000 runs: $(since "$started") s"
    done
}

nrpa() {
    local positions=${SAMEGAME:?set SAMEGAME to the file of the 20 positions} seconds=${SECONDS_EACH:-12}
    $launcher -n "$ranks" "$program" solve "$positions" --across --threads 1 --method nrpa --time "$seconds" --json > far.json
    "$program" solve "$positions" --jobs 1 --threads "$ranks" --method nrpa --time "$seconds" --json > near.json
    for way in far near; do
        echo "$way: sum $(field score < $way.json | total), play-outs $(field playouts < $way.json | total)"
    done
    echo "far: $ranks ranks of one thread; near: $ranks threads; $seconds s per position"
}

# Instances 1, 3 and 12 of Korf (1985), in our order of squares.
search() {
    printf '%s\n' "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3" "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15" \
        "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15" > korf
    for method in idastar astar; do
        for ((count = 1; count <= ranks; count *= 4)); do
            $launcher -n "$count" "$program" solve korf --domain tiles --method $method --across --threads 1 --time 120 --json > one.json 2> one.err
            while read -r line; do
                echo "$method, $count ranks: cost $(field cost <<< "$line"), optimal $(field optimal <<< "$line"), $(field time_s <<< "$line") s," \
                    "$(field nodes <<< "$line") nodes, $(field expanded <<< "$line") expanded, $(field peak_mb <<< "$line") MB"
            done < one.json
        done
    done
}

case $part in
lab | nrpa | search) $part ;;
*) echo "scaling_ranks.sh: expected lab, nrpa or search, not '$part'" >&2 && exit 2 ;;
esac
