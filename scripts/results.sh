#!/usr/bin/env bash
# Runs the published tables or the leaderboard and writes docs/RESULTS.md or docs/LEADERBOARD.md. Runs that are already
# in the store are not repeated, so the script can be stopped and started again.
#   scripts/results.sh build/soloist tables|board [STORE]
# Tables that take hours run on a share of their instances; SCALE=0.1 makes the leaderboard on a share, too. DATA names
# folders with level sets and boards that are in no package. PIECES names a folder with files of JSON lines that
# scripts/pieces.sh wrote on another machine: they are merged into the store, and the pages are written from what is
# there. Runs that took hours may stand in data/runs/TABLE.jsonl; they are taken from there. MACHINE describes that machine, such as "16 cores, x86_64, Linux".
set -euo pipefail
program=${1:?usage: results.sh PROGRAM tables|board [STORE]} what=${2:?tables or board} store=${3:-build/lab.db}
data=(${DATA:+--data "$DATA"}) machine=(${MACHINE:+--machine "$MACHINE"})
names=()

[ -z "${PIECES:-}" ] || "$program" lab merge "$PIECES"/*.jsonl --store "$store"

reproduce() { # table, scale
    local known=data/runs/$1.jsonl
    names+=("$1")
    [ -z "${PIECES:-}" ] || return 0
    [ -e "$known" ] && known=(--known "$known") || known=()
    "$program" lab reproduce "$1" --scale "${2:-1}" --store "$store" "${data[@]}" "${known[@]}" --quiet > /dev/null
}

case $what in
tables)
    for table in T2 T3 T4 T4-2 T5 T6 T7 T8 T9 T10 T11 T17 T18 T19; do
        reproduce "$table"
    done
    reproduce T1
    reproduce T12
    reproduce T12-2 0.016
    reproduce T12-3
    reproduce T12-4
    reproduce T13
    reproduce T14-4 0.5
    reproduce T15-3
    reproduce T15-4
    reproduce T15-5
    reproduce T21
    reproduce T22
    if nvidia-smi > /dev/null 2>&1; then # without a graphics card these take weeks
        reproduce T13-2
        reproduce T14-2
        reproduce T15-2
        reproduce T16
        reproduce T20
        reproduce T22-2
    fi
    reproduce graded
    reproduce graded-mcts
    reproduce cycles
    reproduce budgets
    reproduce parallel
    reproduce parallel-2
    reproduce sokoban
    reproduce ablation
    mapfile -t names < <(printf '%s\n' "${names[@]}" | sort -V)
    "$program" lab book docs/RESULTS.md "${names[@]}" --store "$store" "${machine[@]}" --title "Published tables, run again" \
        --foreword "\`soloist lab reproduce ID\` makes the tables of the chapter ID; the experiment files are in data/experiments. Times were measured on the machine that the chapter names. Numbers of nodes and iterations are the same on every machine, unless a search has several threads or ends at a time limit. *agrees* means that the published interval and ours overlap, and that the half width of our 95 % interval is at most 5 % of our value. *not enough runs* means that the two intervals overlap, but ours is wider. *too small a run to tell* stands in place of *agrees* if we did less than a quarter of the published work. If the intervals do not overlap, the column *why* gives the cause, as far as we know it. The best games of all runs on SameGame's standard positions are stored with their moves in data/samegame-standard20.games, and MEASURED.md compares each score with the best published one. [MEASURED.md](MEASURED.md) also has all other measurements."
    ;;
board)
    for table in board-sokoban board-samegame board-paths; do
        reproduce "$table" "${SCALE:-1}"
    done
    "$program" lab book docs/LEADERBOARD.md "${names[@]}" --store "$store" "${machine[@]}" --title Leaderboard \
        --foreword "\`make leaderboard\` runs the methods on all sets and writes this page."
    ;;
*)
    echo "results.sh: expected tables or board" >&2
    exit 2
    ;;
esac
