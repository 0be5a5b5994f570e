#!/bin/sh
# The demonstration of `make demo`: solves and checks a small set, then animates one solution.
set -eu
cd "$(dirname "$0")/.."
program=build/soloist
echo
echo "== soloist solve data/first.xsb"
$program solve data/first.xsb
echo
echo "== the same solutions, replayed by the referee"
solutions=$(mktemp)
trap 'rm -f "$solutions"' EXIT
$program solve data/first.xsb --json --quiet > "$solutions"
$program check data/first.xsb "$solutions" | tail -n 1
echo
echo "== soloist play data/first.xsb --only 5"
$program play data/first.xsb --only 5 --delay 0.06 --once
echo
echo "== to play, edit and solve in the browser: $program serve --open"
