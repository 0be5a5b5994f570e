#!/usr/bin/env bash
# Line coverage of the tests per floor, measured with gcov only.
set -eu
cd "$(dirname "$0")/.."
cmake --preset coverage > /dev/null
cmake --build build/coverage -j "$(nproc)" > /dev/null
ctest --test-dir build/coverage -j "$(nproc)" > /dev/null || echo "some tests failed; coverage of what ran:"
cd build/coverage
find . -name '*.gcda' -path '*floor_*' -print0 | xargs -0 gcov -n 2> /dev/null |
    awk -F"'" '/^File/ { file = $2 } /^Lines executed/ && file ~ /\/src\// {
        split($0, part, /[:% ]+/); sub(/.*\/src\//, "", file); split(file, floor, "/")
        lines[floor[1]] += part[5]; hit[floor[1]] += part[5] * part[3] / 100; file = "" }
        END { for (f in lines) printf "%-8s %6.1f %% of %d lines\n", f, 100 * hit[f] / lines[f], lines[f] }' | sort
