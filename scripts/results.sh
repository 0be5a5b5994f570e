#!/usr/bin/env bash
# Runs the published tables or the leaderboard and writes docs/RESULTS.md or docs/LEADERBOARD.md. Runs that are already in
# the store are not repeated, so the script can be stopped and started again.
#   scripts/results.sh build/soloist tables|board [STORE]
# Tables that take hours run on a share of their instances; SCALE=0.1 sets another one for the leaderboard. DATA names
# folders with level sets and boards that are in no package.
set -euo pipefail
program=${1:?usage: results.sh PROGRAM tables|board [STORE]} what=${2:?tables or board} store=${3:-build/lab.db}
data=(${DATA:+--data "$DATA"})
names=()

reproduce() { # table, scale
    names+=("$1")
    "$program" lab reproduce "$1" --scale "${2:-1}" --store "$store" "${data[@]}" --quiet > /dev/null
}

case $what in
tables)
    for table in T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T17 T18; do
        reproduce "$table"
    done
    reproduce T1 0.1
    reproduce T12 0.004
    reproduce T13 0.1
    reproduce T15-3
    reproduce T16 0.5
    reproduce graded
    reproduce sokoban
    reproduce ablation
    mapfile -t names < <(printf '%s\n' "${names[@]}" | sort -V)
    "$program" lab book docs/RESULTS.md "${names[@]}" --store "$store" --title "Published tables, run again" \
        --foreword "Each table is \`soloist lab reproduce ID\`: the text of the experiment is in data/experiments. Times are of this machine; numbers of nodes and iterations repeat everywhere. *agrees*: the intervals, published and ours, overlap; *why*: what we know of the cause where they do not. The best games of all runs on SameGame's standard positions, 83,502 in all, are in data/samegame-standard20.games with their moves, and stand in MEASURED.md beside the published best of each. [MEASURED.md](MEASURED.md) has what was measured beyond these tables."
    ;;
board)
    for table in board-sokoban board-samegame board-paths; do
        reproduce "$table" "${SCALE:-0.1}"
    done
    "$program" lab book docs/LEADERBOARD.md "${names[@]}" --store "$store" --title Leaderboard \
        --foreword "All methods on all sets, by \`make leaderboard\`."
    ;;
*)
    echo "results.sh: expected tables or board" >&2
    exit 2
    ;;
esac
