#!/usr/bin/env bash
# Golden screens: every command in a pseudo-terminal of 60, 80 and 200 columns, in UTF-8 and in the locale C.
#   screens.sh PROGRAM HELPER          compares with tests/golden/screens (HELPER is tests/screen/screen.c, built)
#   screens.sh PROGRAM HELPER --write  writes these files anew: look at the difference before it is committed
#   screens.sh PROGRAM HELPER --few    only 60 columns in UTF-8: for slow builds
# Times, rates, the version and what depends on the machine are replaced. The helper itself refuses lines that are too wide.
set -u
[ $# -ge 2 ] || { sed -n '2,6s/^# *//p' "$0"; exit 2; }
program=$(readlink -f "$1") helper=$(readlink -f "$2") mode=${3-}
here=$(cd "$(dirname "$0")" && pwd)
source_dir=$(cd "$here/../.." && pwd)
golden=$source_dir/tests/golden/screens
work=$(mktemp -d)
trap '[ $BASHPID != $$ ] || rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/got" "$work/at"
ln -s "$program" "$work/bin/soloist"
export PATH=$work/bin:$PATH XDG_CACHE_HOME=$work/cache SOLOIST_DATA=$source_dir/data
unset SOLOIST_LEVELS LANG LC_CTYPE NO_COLOR
cd "$work/at" || exit 2

faults=0 screens=0
fault() {
    faults=$((faults + 1))
    echo "$*" >&2
}

# ---- what differs from machine to machine ----

plain() {
    sed -E -e "s#$source_dir/#SOURCE/#g" -e 's/ *[0-9]+(\.[0-9]+)? s\b/ TIME/g' -e 's/ +[0-9.]+( [kMG])?\/s/ RATE/g' \
        -e 's/("time_s"|"peak_mb"):[0-9.e-]+/\1:9/g' -e 's/^Soloist [0-9]+\.[0-9]+\.[0-9]+/Soloist VERSION/'
}
digits() { plain | sed -E '/^--/!{ s/[0-9]+(\.[0-9]+)?/9/g; s/ +/ /g; }'; }
libraries() { plain | sed -E 's/^(  (CUDA|MPI|SQLite|libmicrohttpd|libpng) +)(yes|no ) /\1--- /; /^networks run on/,/^$/d'; }

# ---- one screen ----

# render COLUMNS LOCALE FILTER [-a] [-k KEYS] COMMAND...: into ./shown
render() {
    local columns=$1 locale=$2 filter=$3
    shift 3
    rm -rf files
    cp -r before files
    (cd files && "$helper" "$columns" "$locale" "$@" 2> ../wrong | $filter > ../shown)
    [ ! -s wrong ] || { fault "$* at $columns columns in $locale:"; cat wrong >&2; }
}

# screen NAME FILTER [-a] [-k KEYS] COMMAND...: shows it in all sizes and compares, or writes
screen() {
    local name=$1 columns locale
    shift
    screens=$((screens + 1))
    for columns in 60 80 200; do
        for locale in C.UTF-8 C; do
            [ "$mode" != --few ] || [ "$columns $locale" = "60 C.UTF-8" ] || continue
            render $columns $locale "$@"
            if [ $locale = C ] && cmp -s shown shown.utf8; then
                echo "== $columns columns, C: the same"
            else
                echo "== $columns columns, ${locale#C.}"
                cat shown
            fi
            cp shown shown.utf8
        done
    done > "$work/got/$name.txt"
    case $mode in
    --write) cp "$work/got/$name.txt" "$golden/$name.txt" ;;
    --few) diff <(sed '/^== 60 columns, C\b/,$d' "$golden/$name.txt") "$work/got/$name.txt" > difference ||
        { fault "$name differs (golden <, now >):"; head -n 20 difference >&2; } ;;
    *) diff "$golden/$name.txt" "$work/got/$name.txt" > difference ||
        { fault "$name differs (golden <, now >):"; head -n 20 difference >&2; } ;;
    esac
}

# ---- the files that the commands read ----

mkdir before
cp "$source_dir"/data/{first.xsb,pancakes.txt,samegame.txt,tictactoe.txt,tiles.txt} before
cat > before/dead.xsb << 'END'
#######
#$    #
# .@$.#
#######
END
cat > before/names.xsb << 'END'
Title: Größe und Länge, eine ziemlich lange Überschrift
#####
#@$.#
#####

Title: 倉庫番の長い名前のレベル、とても長い
######
#@ $.#
######

####
#@x#
####
END
printf 'rRR\n-\nrrRR\n' > before/solutions.txt
cat > before/solved.sok << 'END'
Title: The long way
########
#@     #
#  $  .#
########
Solution
drurlldrRRR
END
sed 's/16x7x7/16x5x5/; s/linear 64/linear 4/' "$source_dir/data/networks/samegame-first-7.net" > before/small.net
cat > before/small.lab << 'END'
title   Two methods on stacks of pancakes
generate pancake n=7 count=3 seed=1 as stacks
method  astar nodes=10000 as A*
method  uct:simulate=random,length=12 iterations=50 as "a tree search with play-outs at random"
END
# Long enough for progress lines, which must stay within the screen.
{ seq 1 2 39; seq 2 2 40; } | tr '\n' ' ' > before/long.txt
seq 40 -1 1 | tr '\n' ' ' | sed 's/^40 39 /39 40 /; s/^/\n/; s/$/\n/' >> before/long.txt

# One thread, and neither the time nor `auto`, whose parts take turns by the clock: the same screens on a busy machine.
one="--threads 1 --jobs 1 --time 1000"
has() { soloist help --words | grep -qx "$1"; }
has_lab() { soloist lab --help 2>&1 | grep -q '^  run '; }
has_lab || echo "SKIP needs a build with SQLite (the screens of lab)"

# ---- the screens ----

[ "$mode" != --write ] || { rm -rf "$golden"; mkdir -p "$golden"; }
# shellcheck disable=SC2086
{
    screen overview plain soloist --help
    for name in $(soloist help --words); do
        [ "$name" != lab ] || has_lab || continue
        screen "help-$name" plain soloist "$name" --help
    done
    screen solve plain soloist solve first.xsb --method astar $one
    screen solve-one plain soloist solve first.xsb:11 --method astar $one
    screen solve-several plain soloist solve first.xsb:1-2 pancakes.txt:1-3 tiles.txt:1 --method astar $one
    screen solve-names plain soloist solve names.xsb --method astar $one
    screen solve-limits plain soloist solve long.txt --method bfs --nodes 300k $one
    screen solve-warnings plain soloist solve first.xsb:1 --method astar --seed 2 --iterations 5 $one
    screen solve-json plain -a soloist solve pancakes.txt:1-2 --json --method astar $one
    screen play plain -k q soloist play first.xsb --only 3
    screen play-film plain -k q soloist play first.xsb --only 3 --film --method nbs --delay 60
    screen play-samegame plain -k q soloist play samegame.txt --only 1
    screen play-tiles plain -k q soloist play tiles.txt --only 2
    screen play-list plain -k q soloist play tictactoe.txt
    screen generate plain soloist generate pancake n=30 --count 3
    screen generate-bands plain soloist generate sokoban width=7 height=7 boxes=2 total_positions=500 --count 2 --least pushes=6 --time 0
    screen new-domain plain soloist new-domain my-puzzle
    screen check plain soloist check first.xsb solutions.txt
    screen optimize plain soloist optimize solved.sok
    screen hint plain soloist hint first.xsb:1-2
    screen explain plain soloist explain dead.xsb
    screen serve plain soloist serve --port 70000
    screen train digits soloist train samegame --board 5x5 --generate colours=3 --network small.net --out new.safetensors \
        --threads 2 --method nrpa steps=2 batch=16 boards=4 solve_iterations=20 solve_games=4 row_steps=1 self_play=false
    screen eval digits soloist eval "$source_dir/data/networks/samegame-policy-7.safetensors" --boards 4
    screen bench plain soloist bench --only pancake --scale 0
    ! has_lab || screen lab digits sh -c 'soloist lab run small.lab && soloist lab list && soloist lab show --by label --of solved,nodes'
    screen info libraries soloist info
    screen info-method plain soloist info astar
    screen info-domain plain soloist info tiles
    screen info-network plain soloist info small.net
    screen info-train plain soloist info train
    screen help plain soloist help
    screen wrong-command plain soloist sovle first.xsb
    screen wrong-option plain soloist solve --tiem 3 first.xsb
    screen wrong-file plain soloist solve nothing-of-this-name-is-here.xsb
    ! has show || screen show plain soloist show first.xsb:1
}

for name in $(soloist help --words); do
    [ "$name" != lab ] || has_lab || continue
    ls "$work/got" | grep -qE "^$name(-|\.txt$)" || fault "no screen shows what the command $name prints: add one above"
done
[ $faults -le $screens ] || faults=$screens
echo "$((screens - faults)) passed, $faults failed"
[ $faults -eq 0 ]
