#!/usr/bin/env bash
# Tests the law: law.sh FOLDER_OF_THE_CHECKOUT. A small tree that keeps every rule passes; a file that breaks one is
# refused, with the rule and its place.
set -u
checkout=$(readlink -f "${1:?usage: law.sh FOLDER_OF_THE_CHECKOUT}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir -p scripts docs include tests src/{base,domain,search,engine,net,learn,lab,cli}
mkdir -p src/lab/results src/search/special
cp "$checkout"/scripts/{law,map}.sh scripts
{
    for folder in src/base src/search src/engine src/net src/learn src/lab src/lab/results src/cli src/search/special; do
        # shellcheck disable=SC2016
        printf '### `%s/`\n\n- `good`: keeps the law\n- `other`: too\n' "$folder"
        printf '/* sokoban */\nint good;\n' > $folder/good.c
        printf '/* printf("exit(1)") in a\n * tiles comment */ // pancake\n#include "base/good.h"\n' > $folder/other.c
    done
    # shellcheck disable=SC2016
    printf '### `src/engine/`\n\n- `level_sets`: names\n\n### `scripts/`\n\n- `law`, `map`: the law\n'
} > docs/HACKING.md
echo 'char set[] = "xsokoban";' > src/engine/level_sets.c
failed=0
fault() { echo "FAILED: $*"; failed=1; }

said=$(bash scripts/law.sh) || fault "a tree that keeps the law is refused: $said"

# refused FILE CONTENT COMPLAINT: the content is added to a file of the tree.
refused() {
    local before=
    [ -e "$1" ] && cp "$1" "${before:=$work/before}"
    printf '%b' "$2" >> "$1"
    if said=$(bash scripts/law.sh); then
        fault "$1 with ${2:0:60} passes"
    elif ! grep -qF -- "$3" <<< "$said"; then
        fault "$1 with ${2:0:60}: '$said' lacks '$3'"
    fi
    if [ -n "$before" ]; then cp "$before" "$1"; else rm "$1"; fi
}

refused src/base/other.c '#include "engine/good.h"\n' 'base must not include "engine/good.h"'
refused src/search/other.c 'int f(void) { printf("x"); }\n' 'only src/cli prints and exits'
for name in sokoban samegame pancake tictactoe; do
    refused src/engine/other.c "int ${name}_moves;\n" "src/engine/other.c:4:int ${name}_moves;: only src/domain"
done
for place in learn net lab search; do
    refused src/$place/other.c 'char text[] = "SameGame";\n' "src/$place/other.c:4:char text[]"
done
refused src/lab/other.c 'extern int tiles_domain; /* sokoban */\n' 'src/lab/other.c:4:extern int tiles_domain;'
refused src/net/other.c 'int tiles, pancakes;\n' 'src/net/other.c:4:int tiles, pancakes;'
refused src/engine/level_sets.c 'char more[] = "tiles";\n' 'src/engine/level_sets.c:2:'
refused src/engine/other.c '#include "search/special/tiles/x.h"\n' 'src/engine/other.c:4:'
refused src/engine/other.c '#include <sqlite3.h>\n' 'only src/lab/results knows SQLite'
refused src/search/other.c '#include <mpi.h>\n' 'only src/mpi knows MPI'
refused src/lab/results/other.c 'int f(void) { return sqlite3_step(x); }\n' "only query.c calls SQLite's statements"
refused src/base/other.c "$(printf '\\n%.0s' {1..800})" 'lines: probably two things'
refused src/base/new.c 'int x;\n' 'src/base/new.c is not on the map'
mkdir src/attic
refused docs/HACKING.md '' 'src/attic is not one of the floors'
rmdir src/attic

# Headers in a circle.
echo '#include "search/other.h"' > src/search/good.h
echo '#include "search/good.h"' > src/search/other.h
said=$(bash scripts/law.sh) && fault "two headers that include each other pass"
grep -q 'search/good.h: headers that include each other in a circle' <<< "$said" || fault "the circle is not named: $said"
rm src/search/good.h
said=$(bash scripts/law.sh) || fault "headers without a circle are refused: $said"

# What is allowed: a game in its own room and in programs, and the words of the list.
echo 'int sokoban_moves;' >> src/search/special/other.c
echo 'int samegame;' >> src/cli/other.c
echo 'int tiles;' >> src/net/other.c
echo 'int quantiles, schokoban;' >> src/lab/other.c
said=$(bash scripts/law.sh) || fault "what is allowed is refused: $said"
[ $failed -eq 0 ] && echo "the law is kept"
exit $failed
