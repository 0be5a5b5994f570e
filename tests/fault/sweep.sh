#!/usr/bin/env bash
# What the program does when memory runs out: sweep.sh PROGRAM SHIM [--full] [CASE...]
# SHIM is the built fail_alloc.c. The command of each case is run again and again, and each time another of its
# allocations fails: the first 200, then every k-th, `most` in all; with --full every one. What may come of it:
#   - the exit status and the whole output of the command when nothing fails;
#   - status 1, where each line that differs says that memory ran out;
#   - status 2, one sentence on standard error, and only whole lines on standard output.
# And what the command leaves behind must be fit for use: settle_CASE says what that means.
#
# To add a case: prepare_CASE writes its files into the current folder and sets the array `words`. Where they are
# wanted, settle_CASE looks at what is left (in the same folder, without failures) and says with `wrong` what is not as
# it should be, and mask_CASE replaces what differs from run to run (times, by default).
set -u
export LC_ALL=C
[ $# -ge 2 ] || { echo "usage: sweep.sh PROGRAM SHIM [--full] [CASE...]" >&2; exit 2; }
program=$(readlink -f "$1")
shim=$(readlink -f "$2")
shift 2
[ -x "$program" ] && [ -e "$shim" ] || { echo "sweep.sh: $program or $shim is not there" >&2; exit 2; }
most=300
[ "${1-}" != --full ] || { most=0; shift; }
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
export SOLOIST_DATA=$source_dir/data
unset SOLOIST_LEVELS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ---- the cases ----

write_experiment() {
    cat > e.lab << END
title Stacks
generate pancake n=6 count=2 seed=1 as stacks
method uct:simulate=random,length=12 iterations=50 as random
method astar nodes=1000 as A*
seeds 1-2
END
}

list_runs() {
    "$program" lab show --format csv --sql "SELECT label, source, number, seed, status, stopped, value, nodes, signature
        FROM runs ORDER BY label, source, number, seed" 2>&1
}

prepare_lab_run() {
    write_experiment
    "$program" lab run e.lab --jobs 1 --quiet || return
    list_runs > runs
    rm lab.db
    words=(lab run e.lab --jobs 1)
}

# The same command completes it.
settle_lab_run() {
    "$program" lab run e.lab --jobs 1 > more 2>&1 || wrong "afterwards: $(tail -n 1 more)"
    list_runs | cmp -s - runs || wrong "other runs are stored: $(list_runs | diff - runs | head -n 2)"
}

prepare_lab_list() {
    write_experiment
    "$program" lab run e.lab --jobs 1 --quiet || return
    "$program" lab run e.lab --jobs 1 --quiet --scale 0.5 --store other.db || return
    words=(lab list)
}

settle_lab_list() { cmp -s lab.db ../start/lab.db || wrong "the store has changed"; }

# ---- the sweep ----

mask() { sed -E 's/"time_s":[0-9.e+-]+/"time_s":0/g'; }
masked() { if declare -F "mask_$name" > /dev/null; then "mask_$name"; else mask; fi < "$1"; }
wrong() { complaint+=${complaint:+; }$*; }
says_memory='"stopped":"memory"|stopped: memory|out of memory'

# Lines that differ from what they should be say that memory ran out, and none is missing.
excused() {
    [ "$(wc -l < out)" -eq "$(wc -l < ../reference)" ] &&
        ! masked out | diff - ../reference | grep '^<' | grep -qvE "$says_memory"
}
whole_lines() { [ ! -s out ] || [ -z "$(tail -c 1 out)" ]; }

judge() { # exit status
    if [ "$1" -ge 128 ] || [ "$1" -eq 124 ]; then
        crashed=$((crashed + 1))
        wrong "ended by signal $(($1 - 128))"
    elif [ "$1" -eq "$reference_rc" ] && masked out | cmp -s - ../reference; then
        :
    elif [ "$1" -eq 1 ] && excused; then
        :
    elif [ "$1" -ne 2 ] || [ "$(wc -l < err)" -ne 1 ] || ! whole_lines; then
        wrong "status $1; $(wc -l < err) complaints: $(head -n 1 err); $(wc -l < out) lines: $(tail -n 1 out)"
    fi
}

with() { timeout 60 env LD_PRELOAD="$shim" "$1" "$program" "${words[@]}" > out 2> err; } # the shim's setting

try() { # number of the allocation that fails
    rm -rf "$work/try"
    cp -r "$work/start" "$work/try"
    cd "$work/try" || exit 2
    complaint=
    { with SOLOIST_FAIL_ALLOC="$1"; } 2> /dev/null # the shell tells of signals there
    judge $?
    ! declare -F "settle_$name" > /dev/null || "settle_$name"
    tried=$((tried + 1))
    [ -n "$complaint" ] || return
    bad=$((bad + 1))
    [ $bad -gt 10 ] || echo "  $name, allocation $1: $complaint"
}

sweep() {
    local count step=1 i
    rm -rf "$work/start" "$work/try"
    mkdir "$work/start"
    cd "$work/start" || exit 2
    "prepare_$name" || { echo "  $name: could not be prepared"; return 1; }
    cp -r "$work/start" "$work/try"
    cd "$work/try" || exit 2
    with SOLOIST_COUNT_ALLOC="$work/count"
    reference_rc=$?
    masked out > ../reference
    count=$(cat "$work/count")
    [ "${count:-0}" -gt 0 ] || { echo "  $name: the shim counts nothing"; return 1; }
    [ $most -eq 0 ] || [ "$count" -le $most ] || step=$(((count - 200 + most - 201) / (most - 200)))
    tried=0 bad=0 crashed=0
    for ((i = 1; i <= count; i += i < 200 ? 1 : step)); do
        try $i
    done
    echo "$name: $count allocations, $tried tried: $crashed crashed, $((bad - crashed)) false"
    [ $bad -eq 0 ]
}

cases=("$@")
[ ${#cases[@]} -gt 0 ] || mapfile -t cases < <(declare -F | sed -n 's/^declare -f prepare_\(.*\)/\1/p')
passed=0 failed=0 skipped=0
"$program" lab list --store nowhere 2>&1 | grep -q 'no SQLite' && no_lab=1
for name in "${cases[@]}"; do
    if [[ $name == lab_* && ${no_lab-} ]]; then
        echo "SKIP needs SQLite ($name)"
        skipped=$((skipped + 1))
    elif sweep; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name"
    fi
done
cd /
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
