#!/usr/bin/env bash
# Compares the speed of two programs on a machine shared with others: speed_pairs.sh OLD NEW [PAIRS [BENCH WORDS...]]
# Both run each part of `soloist bench` alternately, PAIRS times (default 10). Prints for each part the median ratio of
# new to old (above 1: the new one is faster), then the geometric mean of these and the parts below 0.97. A count or
# signature that differs is an error.
# With CORES="A B" the two run at the same moment, each on one of these cores, and exchange cores after each pair: what
# slows the whole machine then slows both. Two consecutive pairs give one ratio, their geometric mean.
set -u
[ $# -ge 2 ] || { echo "usage: speed_pairs.sh OLD NEW [PAIRS [BENCH WORDS...]]" >&2; exit 2; }
old=$1 new=$2 pairs=${3:-10}
shift $(($# < 3 ? $# : 3))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cores=(${CORES:-})
run() { # SIDE NUMBER [CORE]
    ${3:+taskset -c $3} "${!1}" bench --json "${words[@]}" | sed -E 's/.*"part":"([^"]*)","count":([0-9]+),"signature":"([0-9a-f]*)".*"per_s":([0-9.e+]+).*/\1 \2 \3 \4/' \
        > "$work/$1.$2" || exit 2
}
words=("$@")
for ((i = 0; i < pairs; i++)); do
    if [ ${#cores[@]} -ge 2 ]; then
        run old $i "${cores[$((i % 2))]}" &
        run new $i "${cores[$((1 - i % 2))]}" &
        wait
    else
        for side in $([ $((i % 2)) = 0 ] && echo old new || echo new old); do
            run $side $i
        done
    fi
    join <(sort "$work/old.$i") <(sort "$work/new.$i") >> "$work/all"
done
awk -v swapped="${#cores[@]}" '
    $2 != $5 || $3 != $6 { print "differs:", $1; bad = 1 }
    swapped && ++seen[$1] % 2 { first[$1] = $7 / $4; next }
    { n[$1]++; ratio[$1, n[$1]] = swapped ? sqrt($7 / $4 * first[$1]) : $7 / $4 }
    END {
        for (part in n) {
            for (i = 1; i <= n[part]; i++) v[i] = ratio[part, i]
            for (i = 2; i <= n[part]; i++) for (k = i; k > 1 && v[k] < v[k - 1]; k--) { x = v[k]; v[k] = v[k - 1]; v[k - 1] = x }
            m = n[part] % 2 ? v[(n[part] + 1) / 2] : (v[n[part] / 2] + v[n[part] / 2 + 1]) / 2
            printf "%-28s %.3f\n", part, m | "sort"
            sum += log(m); parts++
            if (m < 0.97) slow = slow " " part
        }
        close("sort")
        printf "%d parts, geometric mean %.3f%s\n", parts, exp(sum / parts), slow ? "; below 0.97:" slow : ""
        exit bad
    }' "$work/all"
