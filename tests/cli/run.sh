#!/usr/bin/env bash
# Tests of the command line from outside: run.sh PATH_TO_SOLOIST [K/N | cases/FILE.sh | CASE...]; K/N: every Nth case
# from the Kth on; cases/FILE.sh: all cases of that file
# Every function test_* of cases/*.sh is one case. It calls the program with `run`, says what must hold with the
# `expect_*` words of lib.sh, and fails if any of them does not. Nothing here measures time.
set -u
export LC_ALL=C
[ $# -ge 1 ] || { echo "usage: run.sh PATH_TO_SOLOIST [K/N | CASE...]" >&2; exit 2; }
program=$(readlink -f "$1")
shift
[ -x "$program" ] || { echo "run.sh: $program is not a program" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
source_dir=$(cd "$here/../.." && pwd)
shared=${SOLOIST_SHARED:-$source_dir/../shared}
data=$source_dir/data
export SOLOIST_DATA=$data
unset SOLOIST_LEVELS NO_COLOR
work=$(mktemp -d)
trap '[ $BASHPID != $$ ] || rm -rf "$work"' EXIT

. "$here/lib.sh"
for file in "$here"/cases/*.sh; do
    . "$file"
done

# A function with the name of an earlier one would replace it.
twice=$(sed -nE 's/^([a-z0-9_]+)\(\).*/\1/p' "$here"/lib.sh "$here"/cases/*.sh | sort | uniq -d)
[ -z "$twice" ] || { echo "run.sh: defined twice:" $twice >&2; exit 2; }

passed=0 failed=0 skipped=0
cases=("$@") part=1/1
[[ ${1-} != [0-9]*/[0-9]* ]] || { part=$1 cases=(); }
[ ${#cases[@]} -gt 0 ] || mapfile -t cases < <(declare -F | sed -n 's/^declare -f \(test_.*\)/\1/p' \
    | awk -v part="${part%/*}" -v parts="${part#*/}" 'NR % parts == part % parts')
[[ ${1-} != cases/*.sh ]] || mapfile -t cases < <(sed -n 's/^\(test_[a-z0-9_]*\)().*/\1/p' "$here/$1")
for name in "${cases[@]}"; do
    declare -F "$name" > /dev/null || { echo "run.sh: no case is called $name" >&2; exit 2; }
    faults=0 skip_reason=
    rm -rf "${work:?}/case"
    mkdir "$work/case"
    cd "$work/case" || exit 2
    "$name"
    if [ -n "$skip_reason" ]; then
        skipped=$((skipped + 1))
        echo "SKIP $skip_reason ($name)"
    elif [ $faults -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name"
    fi
done
cd /
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
