#!/usr/bin/env bash
# Checks the dependency rules: which floor may include which, that no headers include each other in a circle, who may
# print and exit, that general code names no game, how long a file may be. Comments do not count. Also checks that no
# file has marks of a merge conflict.
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

# What general code may say all the same: FILE or FOLDER:word.
allowed='
src/engine/level_sets.c:sokoban names of published collections of levels
src/lab/bench.c:. the parts of the benchmark are puzzles of the built-in domains
src/net:tiles the word for blocks of a matrix in fast convolutions
'

# Every file of the folders as FILE:LINE:TEXT, without comments.
code() {
    find "$@" -type f \( -name '*.[ch]' -o -name '*.cu' \) -exec awk '
        FNR == 1 { inside = 0 }
        {
            rest = $0; text = ""
            while (rest != "") {
                if (inside) {
                    end = index(rest, "*/")
                    if (!end) break
                    rest = substr(rest, end + 2); inside = 0
                } else if (match(rest, /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047|\/\*|\/\//)) {
                    found = substr(rest, RSTART, RLENGTH)
                    text = text substr(rest, 1, RSTART - 1)
                    rest = substr(rest, RSTART + RLENGTH)
                    if (found == "//") break
                    if (found == "/*") { inside = 1; text = text " " } else text = text found
                } else { text = text rest; break }
            }
            if (text != "") print FILENAME ":" FNR ":" text
        }' {} +
}

declare -A may=(
    [base]="base"
    [domain]="base domain"
    [search]="base domain search"
    [engine]="base domain search engine"
    [net]="base net"
    [mpi]="base mpi"
    [learn]="base domain search engine net learn"
    [lab]="base domain search engine net learn lab"
    [serve]="base domain search engine net learn lab serve"
    [cli]="base domain search engine net learn lab serve cli"
)
for folder in src/*/; do
    floor=$(basename "$folder")
    [ -n "${may[$floor]:-}" ] || { complain "src/$floor is not one of the floors (docs/HACKING.md)"; continue; }
    while IFS=: read -r file line text; do
        header=$(sed -n 's/.*#include "\([^"]*\)".*/\1/p' <<< "$text")
        case "$header" in soloist.h | soloist_*.h) continue ;; esac
        other=${header%%/*}
        case " ${may[$floor]} " in
        *" $other "*) ;;
        *) complain "$file:$line: $floor must not include \"$header\"" ;;
        esac
    done < <(code "$folder" | grep '#include "')
    # Headers of one floor that include each other: tsort names the files of a circle.
    while IFS= read -r file; do
        complain "$file: headers that include each other in a circle"
    done < <(code "$folder" | sed -n "s|^src/\([^:]*\.h\):[0-9]*: *#include \"\($floor/.*\)\".*|\1 \2|p" | tsort 2>&1 > /dev/null |
        sed -n 's/^tsort: \([^ ]*\.h\)$/\1/p')
    [ "$floor" = cli ] && continue
    while IFS= read -r hit; do
        complain "$hit: only src/cli prints and exits"
    done < <(code "$folder" | grep -E '[^a-z_](printf|fprintf|puts|putchar|perror|exit|abort)\(' | cut -c1-140)
done
# A game's name in general code, as identifier or text.
games='sokoban|samegame|(^|[^a-z])tiles|pancake|tictactoe'
while IFS= read -r hit; do
    text=${hit#*:*:}
    while read -r where _; do
        [ -n "$where" ] && [[ "$hit" == "${where%%:*}"[:/]* ]] && text=$(sed "s/${where##*:}//gI" <<< "$text")
    done <<< "$allowed"
    grep -qiE "$games" <<< "$text" && complain "$hit: only src/domain, src/search/special and src/cli name a game"
done < <(code src/engine src/learn src/net src/lab src/search | grep -v '^src/search/special/' |
    grep -iE "^[^:]*:[0-9]+:.*($games)" | cut -c1-140)
# A program that embeds the library must not need SQLite.
while IFS= read -r hit; do
    complain "$hit: only src/lab/results knows SQLite"
done < <(grep -rn '#include <sqlite3' src --include='*.[ch]' | grep -v '^src/lab/results/' | cut -c1-140)
# MPI is a module of its own, so that the program runs without it.
while IFS= read -r hit; do
    complain "$hit: only src/mpi knows MPI"
done < <(grep -rn '#include <mpi\.h' src --include='*.[ch]' | grep -v '^src/mpi/' | cut -c1-140)
# An unchecked SQLite return code loses results silently, so all statements go through query.h.
while IFS= read -r hit; do
    complain "$hit: only query.c calls SQLite's statements"
done < <(grep -rnE 'sqlite3_(prepare|step|reset|finalize|bind|column)[a-z0-9_]*\(' src --include='*.c' |
    grep -v '^src/lab/results/query\.c:' | cut -c1-140)
while read -r lines file; do
    [ "$file" != total ] && [ "$lines" -gt 800 ] && complain "$file has $lines lines: probably two things"
done < <(find include src -name '*.[ch]' -print0 | xargs -0 wc -l)
# A merge that was not finished.
while IFS= read -r hit; do
    complain "$hit: a mark of a merge conflict"
done < <(git grep -nIE '^(<<<<<<<|>>>>>>>) ' 2> /dev/null | cut -c1-140)
bash scripts/map.sh || bad=1
exit $bad
