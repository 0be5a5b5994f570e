#!/usr/bin/env bash
# What it costs a search to be watched: watch_cost.sh [BUILD_FOLDER [SECONDS_PER_METHOD]]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build} seconds=${2:-3}
program=$(mktemp)
trap 'rm -f "$program"' EXIT
cc -O2 -Iinclude scripts/watch_cost.c "$build/libsoloist.a" -lm -lpthread -ldl -o "$program"
"$program" "$seconds"
