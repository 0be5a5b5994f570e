#!/usr/bin/env bash
# Fuzzes every reader, starting from its corpus, until it has had RUNS inputs or SECONDS have passed.
#   fuzz.sh [SECONDS [RUNS [READER...]]]      300 seconds and a million inputs if nothing is said; READER: json, store, ...
#   fuzz.sh --minimise [READER...]
# Per reader it prints the number of inputs and after how many of them the last new branch of code was reached.
# Findings go to build/fuzz/findings, and inputs that reach new branches to build/fuzz/grown. With --minimise, nothing
# is fuzzed: each corpus becomes a small set of inputs that reaches all branches that the corpus and the new inputs
# reach.
set -eu
cd "$(dirname "$0")/.."
if [ "${1:-}" = --minimise ]; then
    seconds=0
    shift
else
    seconds=${1:-300} runs=${2:-1000000}
    shift $(($# < 2 ? $# : 2))
fi
targets=all
[ $# -eq 0 ] || targets=$(printf 'fuzz_%s ' "$@")
cmake --preset fuzz > /dev/null
cmake --build build/fuzz -j "$(nproc)" --target $targets > /dev/null
mkdir -p build/fuzz/findings
# Stacks of allocations cost a quarter of the time; a finding is reported with them if its input is run alone.
export ASAN_OPTIONS=${ASAN_OPTIONS:-malloc_context_size=1}

# The longest input in bytes: enough for several of everything that the reader knows, but no more, for speed.
longest() {
    case $1 in
    plugin) echo 50 ;;
    tictactoe) echo 256 ;;
    options) echo 512 ;;
    games | pancake | samegame | sokoban | solutions | tiles) echo 1024 ;;
    request) echo 640 ;;
    experiment | json | network) echo 2048 ;;
    store) echo 16384 ;;
    *) echo 4096 ;;
    esac
}

# Where the words stand that the reader compares its input with: a fuzzer seldom guesses a whole word.
sources() {
    case $1 in
    experiment) echo src/base src/lab src/learn ;;
    games) echo src/domain ;;
    lines | store) echo src/lab ;;
    request) echo src/serve src/domain ;;
    resume | solutions) echo src/cli/input src/cli/solve src/search src/domain ;;
    esac
}

# Where the reader itself stands, if it calls much else: new branches there are also counted apart.
own() {
    case $1 in
    request) echo 'src/(serve|base)/' ;;
    esac
}

# The constant strings of these sources, as they are and as names of JSON members, in libFuzzer's notation.
dictionary() {
    echo "# of $*"
    [ $# -eq 0 ] || grep -rohE '"[][A-Za-z0-9_:=/.+-]{2,24}"' "$@" | sort -u | sed -E 'p; s/"(.*)"/"\\"\1\\":"/'
}

minimise() {
    local small=build/fuzz/small
    rm -rf $small && mkdir $small
    "$program" -set_cover_merge=1 -use_counters=0 -max_len="$(longest "$1")" -rss_limit_mb=2048 \
        $small "tests/fuzz/corpus/$1" "$grown" > "$log" 2>&1
    rm -rf "tests/fuzz/corpus/$1" && mv $small "tests/fuzz/corpus/$1"
    echo "$1: $(ls "tests/fuzz/corpus/$1" | wc -l) inputs"
}

[ $# -gt 0 ] || set -- $(ls tests/fuzz/corpus)
status=0
for reader; do
    program=build/fuzz/tests/fuzz_$reader grown=build/fuzz/grown/$reader log=build/fuzz/fuzz_$reader.log
    [ -x "$program" ] || { echo "$reader: not in this build"; continue; }
    mkdir -p "$grown"
    if [ "$seconds" = 0 ]; then
        minimise "$reader"
        continue
    fi
    dictionary $(sources "$reader") > "$grown.words"
    # Where an input reaches thousands of branches, the entropic schedule takes half of the time.
    case $reader in plugin | resume | solutions) entropic=0 ;; *) entropic=1 ;; esac
    if "$program" -max_total_time="$seconds" -runs="$runs" -max_len="$(longest "$reader")" -entropic=$entropic \
        -rss_limit_mb=2048 -print_final_stats=1 -print_pcs="$([ -n "$(own "$reader")" ] && echo 1 || echo 0)" \
        -dict="$grown.words" \
        -artifact_prefix="build/fuzz/findings/$reader-" "$grown" "tests/fuzz/corpus/$reader" > "$log" 2>&1; then
        # "#1234 NEW cov: 567 ...": cov is the number of branches reached so far. Lines "NEW_PC: ... in FUNCTION FILE"
        # before it name the new ones.
        awk -v reader="$reader" -v own="$(own "$reader")" '
            /NEW_PC:/ { if (own && $0 ~ own) ours = 1 }
            /^#[0-9]+.* cov: / { n = substr($1, 2) + 0; c = 0 + substr($0, index($0, "cov: ") + 5)
                if (c > most) { most = c; last = n }
                if (ours) { ours = 0; last_own = n } }
            /^stat::number_of_executed_units/ { all = $2 }
            END { printf "%s: no finding in %d inputs, %d branches, the last new one after %d inputs", reader, all, most, last
                  if (own) printf ", and in %s after %d", own, last_own
                  print "" }' "$log"
    else
        echo "$reader: FINDING, see $log"
        status=1
    fi
done
exit $status
