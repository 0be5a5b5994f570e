#!/usr/bin/env bash
# The mean of a number over lines of `solve --json` on standard input, with its 95 % interval:
#   soloist solve stacks.txt --method dbbs --jobs 1 --json | scripts/mean.sh expanded
set -euo pipefail
awk -v field="\"${1:?usage: mean.sh FIELD}\":" '
    !/"status":"solved"/ { unsolved++; next }
    !/"optimal":true/ { unproved++ }
    {
        at = index($0, field)
        x = at ? substr($0, at + length(field)) + 0 : 0
        n++
        sum += x
        squares += x * x
    }
    END {
        if (n < 2) { print "fewer than two solved instances"; exit 1 }
        mean = sum / n
        spread = sqrt((squares - n * mean * mean) / (n - 1))
        printf "%.1f +- %.1f over %d solved, %d unsolved, %d not proved optimal\n", mean, 1.96 * spread / sqrt(n), n,
            unsolved, unproved
    }'
