#!/usr/bin/env bash
# Checks the dependency rules: which floor may include which, who may print and exit, how long a file may be.
# With --objects ARCHIVE...: checks that no object of the libraries holds mutable global data.
set -u
cd "$(dirname "$0")/.."
bad=0
complain() { echo "law: $*"; bad=1; }

if [ "${1:-}" = --objects ]; then
    # Constant tables with pointers are in .data.rel.ro: the loader writes them once.
    changing=$(objdump -t "${@:2}" | awk '$NF !~ /^\./ && ($0 ~ / O \.bss/ || $0 ~ / O \.data\t/ || $0 ~ / O \.data\./ && $0 !~ /\.data\.rel\.ro/)' |
        grep -v __gcov || true)
    [ -n "$changing" ] && complain "global data that can change:" && echo "$changing"
    exit $bad
fi

declare -A may=(
    [base]="base"
    [domain]="base domain"
    [search]="base domain search"
    [engine]="base domain search engine"
    [net]="base net"
    [learn]="base domain search engine net learn"
    [lab]="base domain search engine net learn lab"
    [serve]="base domain search engine net learn lab serve"
    [cli]="base domain search engine net learn lab serve cli"
)
for folder in src/*/; do
    floor=$(basename "$folder")
    [ -n "${may[$floor]:-}" ] || { complain "src/$floor is not a floor of the house"; continue; }
    while IFS=: read -r file line text; do
        header=$(sed -n 's/.*#include "\([^"]*\)".*/\1/p' <<< "$text")
        case "$header" in soloist.h | soloist_*.h) continue ;; esac
        other=${header%%/*}
        case " ${may[$floor]} " in
        *" $other "*) ;;
        *) complain "$file:$line: $floor must not include \"$header\"" ;;
        esac
    done < <(grep -rn '#include "' "$folder" --include='*.[ch]' --include='*.cu')
    [ "$floor" = cli ] && continue
    while IFS= read -r hit; do
        complain "$hit: only src/cli prints and exits"
    done < <(grep -rnE '(^|[^a-z_])(printf|fprintf|puts|putchar|perror|exit|abort)\(' "$folder" --include='*.c' --include='*.h' |
        grep -vE ':[0-9]+: *(\*|/\*)' | cut -c1-140)
done
# A program that embeds the library must not need SQLite.
while IFS= read -r hit; do
    complain "$hit: only src/lab/results knows SQLite"
done < <(grep -rn '#include <sqlite3' src --include='*.[ch]' | grep -v '^src/lab/results/' | cut -c1-140)
# An unchecked SQLite return code loses results silently, so all statements go through query.h.
while IFS= read -r hit; do
    complain "$hit: only query.c calls SQLite's statements"
done < <(grep -rnE 'sqlite3_(prepare|step|reset|finalize|bind|column)[a-z0-9_]*\(' src --include='*.c' |
    grep -v '^src/lab/results/query\.c:' | cut -c1-140)
while read -r lines file; do
    [ "$file" != total ] && [ "$lines" -gt 800 ] && complain "$file has $lines lines: probably two things"
done < <(find include src -name '*.[ch]' -print0 | xargs -0 wc -l)
bash scripts/map.sh || bad=1
exit $bad
