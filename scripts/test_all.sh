#!/usr/bin/env bash
# What is too long for the test command, for a night: the test command itself, its tests with a clock that is too fast,
# every allocation and every call for a file that can fail in every case, a thousand kills and as many power cuts, a
# hundred thousand verdicts against exhaustive search, a wheel that is compiled from the source archive, some minutes of
# fuzzing per reader, and Debian packages, built twice and tried on a fresh system. To add a step, add a line to the
# list. Ends with the numbers of steps passed and failed.
set -u
cd "$(dirname "$0")/.."
passed=0 failed=0

step() { # name, command...
    local name=$1
    shift
    echo "== $name"
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name"
    fi
}

# All tests with the checks of pointer arithmetic, which the test command leaves out because they are slow to compile.
check_pointers() {
    cmake --preset asan -B build/pointers -DSOLOIST_TESTS=ON -DSOLOIST_CHECK_POINTERS=ON > build/pointers.log 2>&1 &&
        cmake --build build/pointers -j "$(nproc)" >> build/pointers.log 2>&1 &&
        ctest --test-dir build/pointers -j "$(nproc)" --timeout 1200 --output-on-failure
}

step "the test command" make test
step "checks of pointer arithmetic" check_pointers
step "no memory, under the address sanitizer" build/asan/tests/test_failing_allocations 2
step "no memory, under the thread sanitizer" build/tsan/tests/test_failing_allocations 1
step "limits on memory, under the address sanitizer" build/asan/tests/test_memory_limits 2
step "limits on memory, under the thread sanitizer" build/tsan/tests/test_memory_limits 4
step "tests as on a machine that is 20 times slower" bash tests/fault/slow_machine.sh build
step "every allocation that fails" bash tests/fault/sweep.sh build/soloist build/tests/libfail_alloc.so --full
step "memory that runs out for good" bash tests/fault/sweep.sh build/soloist build/tests/libfail_alloc.so --for-good
step "every call for a file that fails" bash tests/fault/sweep.sh build/soloist files --full
step "1,000 kills" make storm
step "1,000 power cuts" make power-cuts
step "100,000 verdicts against exhaustive search" make duel
step "ranks over a slow, lossy network" bash tests/ranks/far.sh build/soloist
step "a wheel compiled from the source archive" bash tests/python/archive.sh
step "fuzzing" make fuzz
step "the tools for packages" sh scripts/deps.sh package
step "packages, built twice" bash scripts/package.sh --twice
step "packages on a fresh system" bash scripts/try_packages.sh dist

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
