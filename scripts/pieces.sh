#!/usr/bin/env bash
# Runs experiments in pieces, on a machine that may have no SQLite and may be had for minutes only.
#   scripts/pieces.sh PROGRAM FOLDER EXPERIMENT=SECONDS...
# Each experiment, such as board-sokoban=240, runs for that long and is recorded in FOLDER/EXPERIMENT.jsonl; the same
# command continues it. All cores are used; JOBS=8 takes fewer. DATA names folders with level sets. SCALE=0.2 takes
# a fifth of the instances; a later call with a larger share keeps what was run. Afterwards `scripts/results.sh
# build/soloist board` with PIECES=FOLDER takes the files into the store.
set -euo pipefail
program=${1:?usage: pieces.sh PROGRAM FOLDER EXPERIMENT=SECONDS...} folder=${2:?a folder}
shift 2
mkdir -p "$folder"
data=(${DATA:+--data "$DATA"})
jobs=(${JOBS:+--jobs "$JOBS"} ${SCALE:+--scale "$SCALE"})
for piece in "$@"; do
    name=${piece%%=*} seconds=${piece#*=}
    status=0
    # An interrupt ends the runs in progress, which are made again another time; a kill follows if that takes too long.
    # --foreground: one interrupt only, because a second one ends the program before it has said how far it came.
    timeout --foreground -s INT -k 10 "$seconds" "$program" lab run "$name.lab" --store "$folder/$name.jsonl" "${data[@]}" "${jobs[@]}" || status=$?
    [ $status -le 1 ] || [ $status -eq 124 ] || { echo "pieces.sh: $name: exit status $status" >&2; exit $status; }
done
