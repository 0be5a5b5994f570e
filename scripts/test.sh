#!/usr/bin/env bash
# The test command: checks the dependency rules, then makes three builds (gcc release, clang with address and
# undefined-behaviour sanitizers, gcc with the thread sanitizer) and runs all tests in the first two and those with
# threads in the third. Ends with the numbers passed, failed and skipped.
set -u
cd "$(dirname "$0")/.."
jobs=$(nproc 2> /dev/null || echo 2)
passed=0 failed=0 skipped=0
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
started=$(date +%s)

say() { printf '== %4ds  %s\n' $(($(date +%s) - started)) "$*"; }

# Adds up the verdicts in a log: cmocka's lines, and lines of the form "N passed, N failed[, N skipped]".
count() {
    local log=$1 tally
    tally=$(awk '
        /^\[       OK \]/ { p++ }
        /^\[  FAILED  \] [A-Za-z_]/ && !seen[$0]++ { f++ }
        /^\[  SKIPPED \] [A-Za-z_]/ && !seen[$0]++ { s++ }
        /^[0-9]+ passed, [0-9]+ failed/ { p += $1; f += $3; if ($6 == "skipped") s += $5 }
        END { print p + 0, f + 0, s + 0 }' "$log")
    read -r p f s <<< "$tally"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    printf '         %d passed, %d failed, %d skipped here\n' "$p" "$f" "$s"
    grep -h '^SKIP ' "$log" | sort | uniq -c | sed 's/^/         /'
}

one_step() { # name, command...
    local name=$1
    shift
    say "$name"
    if "$@" > "$logs/step" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        cat "$logs/step"
    fi
}

build_and_test() { # preset, more of CMake's variables...
    local preset=$1 folder=build/$1
    shift
    [ "$preset" = release ] && folder=build
    say "$preset: build"
    if ! { cmake --preset "$preset" -DSOLOIST_TESTS=ON -DSOLOIST_WERROR=ON "$@" && cmake --build "$folder" -j "$jobs"; } \
        > "$logs/build" 2>&1; then
        tail -n 40 "$logs/build"
        failed=$((failed + 1))
        return
    fi
    say "$preset: test"
    # One test more than there are cores: some wait most of the time, such as those in the browser.
    ctest --test-dir "$folder" -j $((jobs + 1)) --timeout 600 --output-on-failure > "$logs/ctest" 2>&1
    local status=$?
    cat "$folder"/Testing/Temporary/LastTest.log >> "$logs/all"
    if [ $status -ne 0 ]; then
        tail -n 120 "$logs/ctest"
        grep -E -A 12 'FAILED|differs|\*\*\*' "$logs/ctest" | tail -n 30 >> "$logs/faults"
    fi
    local before=$failed
    count "$folder"/Testing/Temporary/LastTest.log
    # A program that crashed has no FAILED line of its own.
    [ $status -ne 0 ] && [ "$failed" = "$before" ] && failed=$((failed + 1))
}

# On arm64 the search for leaks takes three seconds in every process, even in an empty one: it is left to x86-64.
leaks=1
[ "$(uname -m)" != aarch64 ] || { leaks=0; echo "leaks are not looked for on this machine (arm64)"; }
export UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=detect_leaks=$leaks TSAN_OPTIONS=halt_on_error=1
one_step "the rules of scripts/law.sh" bash scripts/law.sh
one_step "public headers as their ABI number says" bash scripts/abi.sh
rm -f build/threads.log
build_and_test release
one_step "nothing global and mutable in the library" bash scripts/law.sh --objects build/libsoloist.a build/libsoloist_lab.a \
    build/libsoloist_serve.a
build_and_test asan
build_and_test tsan -DSOLOIST_THREADS_LOG="$PWD/build/threads.log"

if [ -d ../shared ] && grep -q '^SKIP needs shared' "$logs/all"; then
    echo "tests that need ../shared were skipped although it exists"
    failed=$((failed + 1))
fi
say "done"
[ ! -s "$logs/faults" ] || { echo "what failed, again:" && tail -n 30 "$logs/faults"; }
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
