#!/usr/bin/env bash
# slow_machine.sh BUILD [K]: the unit tests, the tests of the command line and the golden screens of a build folder, with
# a clock that runs K times too fast (20 if nothing is said). What fails depends on the machine's speed.
set -u
[ $# -ge 1 ] || { sed -n '2,3s/^# *//p' "$0"; exit 2; }
build=$(cd "$1" && pwd) here=$(cd "$(dirname "$0")/.." && pwd)
factor=${2:-20} failed=0
try() { # name, command...
    local name=$1
    shift
    SOLOIST_FAST_CLOCK=$factor LD_PRELOAD=$build/tests/libfast_clock.so "$@" || { failed=1 && echo "FAILED $name"; }
}
try "unit tests" ctest --test-dir "$build" -R '^test_' --output-on-failure
try "command line" bash "$here/cli/run.sh" "$build/soloist"
try screens bash "$here/screen/screens.sh" "$build/soloist" "$build/tests/screen"
exit $failed
