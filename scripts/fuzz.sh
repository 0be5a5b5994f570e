#!/usr/bin/env bash
# Fuzzes every reader for the given number of seconds, starting from its corpus; findings go to build/fuzz/findings.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-300}
cmake --preset fuzz > /dev/null
cmake --build build/fuzz -j "$(nproc)" > /dev/null
mkdir -p build/fuzz/findings
status=0
for program in build/fuzz/tests/fuzz_*; do
    [ -x "$program" ] && [ -f "$program" ] || continue
    name=$(basename "$program")
    mkdir -p "build/fuzz/grown/$name"
    if "$program" -max_total_time="$seconds" -max_len=8192 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="build/fuzz/findings/$name-" "build/fuzz/grown/$name" "tests/fuzz/corpus/${name#fuzz_}" \
        > "build/fuzz/$name.log" 2>&1; then
        echo "$name: no finding in $seconds s, $(sed -n 's/stat::number_of_executed_units: *//p' "build/fuzz/$name.log") inputs"
    else
        echo "$name: FINDING, see build/fuzz/$name.log"
        status=1
    fi
done
exit $status
