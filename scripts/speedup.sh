#!/usr/bin/env bash
# The speed-up of bi-directional over uni-directional Monte-Carlo tree search, measured as in Spoerer 2021
# (Tables 2 and 3): play-outs of `bimcts:direction=down` divided by those of `bimcts`, if both solutions are optimal.
#   scripts/speedup.sh build/soloist tiles 500 [OPTIONS]      8-puzzles by 25 random moves, by solution length
#   scripts/speedup.sh build/soloist 7 100 [OPTIONS]          stacks of 7 by 7 random flips, of length 6
# OPTIONS are further options of bimcts, such as log_visits=parent,log_factor=2. SEED (default 1) selects the instances;
# 8-puzzles with solutions longer than MOST (default 13) are left out, since they take most of the time.
set -euo pipefail
program=${1:?usage: speedup.sh PROGRAM tiles|N COUNT [OPTIONS]} kind=${2:?tiles or a number of pancakes} count=${3:?}
more=${4:+,$4} seed=${SEED:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "$kind" = tiles ]; then
    domain=tiles:goal=blank-last length=25 least=3 most=${MOST:-13}
    "$program" generate tiles width=3,height=3,walk=25,goal=blank-last --count "$count" --seed "$seed" >"$work/made"
else
    domain=pancake length=$kind least=6 most=6
    "$program" generate pancake "n=$kind,flips=$kind" --count "$count" --seed "$seed" >"$work/made"
fi

# For each line of `solve --json`: the cost (or -) and the number of play-outs; the last iteration has none.
outcome() {
    awk '
        function field(name,    at) {
            at = index($0, "\"" name "\":")
            return at ? substr($0, at + length(name) + 3) + 0 : 0
        }
        { print /"status":"solved"/ ? field("cost") : "-", field("playouts") }'
}

# Equal instances are frequent, so each run gets its own seed to keep the samples independent.
sample() {
    local number=0
    while read -r instance; do
        number=$((number + 1))
        echo "$instance" >"$work/one"
        "$program" solve "$work/one" --domain "$domain" --method "$1" --iterations "$2" --time 0 --jobs 1 --threads 1 --first \
            --seed $((seed * 100000 + number)) --json || true
    done <"$work/instances" | outcome
}

grep -v '^;' "$work/made" >"$work/all"
"$program" solve "$work/all" --domain "$domain" --method astar --time 0 --jobs 1 --first --json | outcome |
    paste -d' ' - "$work/all" | awk -v least="$least" -v most="$most" '$1 >= least && $1 <= most' >"$work/chosen"
cut -d' ' -f3- "$work/chosen" >"$work/instances"
sample "bimcts:length=$length$more" 200000 >"$work/both"
sample "bimcts:direction=down,length=$length$more" 2000000 >"$work/down"
cut -d' ' -f1 "$work/chosen" | paste -d' ' - "$work/both" "$work/down" | awk -v kind="$kind" -v least="$least" -v most="$most" '
    BEGIN {
        split("2.43 1.85 2.19 3.75 9.93 25.68", table)
        for (i = 1; i <= 6; i++)
            published[2 * i + 1] = table[i]
        split("21.13 43.91 65.75 112.35", table)
        if (kind != "tiles")
            published[6] = table[kind - 5]
        print "length  speed-up  stdev  samples  2s/sqrt(n)  dropped  published"
    }
    $2 != $1 || $4 != $1 { dropped[$1]++; next }
    { x = $5 / $3; n[$1]++; sum[$1] += x; squares[$1] += x * x }
    END {
        for (d = least; d <= most; d++) {
            if (n[d] < 2)
                continue
            mean = sum[d] / n[d]
            s = sqrt((squares[d] - n[d] * mean * mean) / (n[d] - 1))
            printf "%6d %9.2f %6.2f %8d %11.2f %8d %10s\n", d, mean, s, n[d], 2 * s / sqrt(n[d]), dropped[d], published[d]
        }
    }'
