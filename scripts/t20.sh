#!/usr/bin/env bash
# T20 (Ge 2018, Figures 3.8, 4.1 and 4.2): trains the four agents of the document, measures each in the tree search of
# expert iteration with 2 to 1,024 evaluations per move on 1,000 default puzzles, and prints the tables. This is the full
# length, which needs a graphics card: 64 jobs share one network there, so that its batches are large. `soloist lab
# reproduce T20` trains and measures the same agents in one go, and compares them with the published numbers.
#
#   t20.sh FOLDER [train|measure|report ...]
#
# Without a verb it does all three. Training continues where it was stopped: run it again as often as needed. In the
# environment: PROGRAM (build/soloist), SECONDS_EACH (time limit of each training, all sittings together), BATCHES
# (training steps per iteration of expert iteration, 10000), ITERATIONS (650), MOVES (actor-critic, 160e6), PUZZLES
# (1000), EVALUATIONS ("2 4 ... 1024"), JOBS (64), THREADS (one per core), NETWORK and START (descriptions; the document's
# by default), AGENTS (those that are trained and measured: imitation actor-critic deterministic stochastic, and ours, the
# installed network, which is only measured).
set -u
cd "$(dirname "$0")/.." || exit 2
program=${PROGRAM:-build/soloist}
folder=${1:?usage: t20.sh FOLDER [train|measure|report ...]}
shift
batches=${BATCHES:-10000} iterations=${ITERATIONS:-650} moves=${MOVES:-160e6} puzzles=${PUZZLES:-1000} jobs=${JOBS:-64}
evaluations=${EVALUATIONS:-2 4 8 16 32 64 128 256 512 1024}
network=${NETWORK:-data/networks/sokoban-imitation.net} start=${START:-data/networks/sokoban-actor-critic.net}
domain=sokoban-moves:rules=none teacher=sokoban:bound=matching-manhattan,deadlock_tables=true rate=1e-3
agents=${AGENTS:-imitation actor-critic deterministic stochastic ours} threads=${THREADS:-$(nproc)}
mkdir -p "$folder" || exit 2

# train NAME WORDS...: begins or continues one training.
train() {
    local name=$1 out=$folder/$1.safetensors limit=()
    shift
    case " $agents " in *" $name "*) ;; *) return 0 ;; esac
    [ -z "${SECONDS_EACH-}" ] || limit=(--time "$SECONDS_EACH")
    echo "== $name"
    if [ -d "$out.run" ]; then
        "$program" train --resume "$out.run" --threads "$threads" "${limit[@]}" 2>> "$folder/$name.log"
    else
        "$program" train "$domain" --board 10x10 --out "$out" --threads "$threads" "${limit[@]}" "$@" 2> "$folder/$name.log"
    fi
}

# The stop of the two bootstrapping agents is the document's: 650 iterations, or 1.5 million moves in the last stage.
train_all() {
    train imitation -n "$network" --method astar:ties=random --teacher "$teacher" seeds=10 pairs=5 dead=0.1 \
        solve_games=10000 validation=5 learning_starts=100000000 reuse=0 dagger=0 steps=20000 batch=128 \
        rate="$rate" l2=1e-5 warm_up=0 ema_decay=0 boards=1000
    train actor-critic -n "$start" --way actor-critic --curriculum ge total_moves="$moves"
    train deterministic -n "$network" --way expert-iteration --curriculum ge iterations="$iterations" \
        iteration_batches="$batches"
    train stochastic -n "$network" --way expert-iteration --curriculum ge iterations="$iterations" \
        iteration_batches="$batches" --search final=drawn
}

# The document's searches: no delay below 64 evaluations, values of the actor-critic agent from -1..1 to 0..1, moves of
# the stochastic agent drawn by their visits.
measure_all() {
    local agent n words file
    [ -s "$folder/puzzles.xsb" ] || "$program" generate sokoban --count "$puzzles" --seed 20 > "$folder/puzzles.xsb"
    for agent in $agents; do
        file=$folder/$agent.safetensors
        [ "$agent" != ours ] || file=data/networks/sokoban-moves-policy-value.safetensors
        [ -e "$file" ] || continue
        for n in $evaluations; do
            words=per_move=$n,delay=$((n < 64 ? 1 : 8))
            [ "$agent" != actor-critic ] || words=$words,signed_values=true
            [ "$agent" != stochastic ] || words=$words,final=drawn
            [ -s "$folder/$agent.$n.jsonl" ] ||
                { "$program" solve "$folder/puzzles.xsb" -d "$domain" --network "$file" --time 3600 \
                    -m "exit-mcts:$words" --jobs "$jobs" --json > "$folder/$agent.part"
                  [ $? -gt 1 ] || mv "$folder/$agent.part" "$folder/$agent.$n.jsonl"; }
        done
    done
}

# number KEY: the values of a key in lines of JSON.
number() { sed -n "s/.*\"$1\":\([-0-9.e+]*\).*/\1/p"; }

# Solve rates with Wilson's interval of 95 %.
report_searches() {
    local agent n
    echo "| evaluations per move | ${agents// / | } |"
    echo "|---|$(for agent in $agents; do printf -- '---|'; done)"
    for n in $evaluations; do
        printf '| %s |' "$n"
        for agent in $agents; do
            [ -s "$folder/$agent.$n.jsonl" ] || { printf ' - |'; continue; }
            awk '{ all++; solved += /"status":"solved"/ } END { z = 1.96; p = solved / all; d = 1 + z * z / all
                m = (p + z * z / (2 * all)) / d; w = z * sqrt(p * (1 - p) / all + z * z / (4 * all * all)) / d
                printf " %.1f %% (%.1f to %.1f) |", 100 * p, 100 * (m - w), 100 * (m + w) }' "$folder/$agent.$n.jsonl"
        done
        echo
    done
}

# How the solve rate changes when the stage does, and from the first to the last iteration of a stage.
report_curve() {
    local curve=$folder/$1.safetensors.run/curve.jsonl
    [ -s "$curve" ] || return 0
    paste <(number stage < "$curve") <(number iteration_solve_rate < "$curve") <(number games < "$curve") \
        <(number positions < "$curve") | awk -v name="$1" -v rises="$2" -v within="$3" '
        $1 != stage && NR > 1 { changes++; change += $2 - last; if (rows > 1) { stages++; grown += last - first } }
        $1 != stage { first = $2; rows = 0; if ($1 == 100) { games = $3; positions = $4 } }
        { stage = $1; last = $2; rows++ }
        END { printf "| %s | %d | %d | %.1f %% | %+.4f (%s) | %+.4f (%s) | %s | %s |\n", name, NR, stage, 100 * last,
            changes ? change / changes : 0, rises, stages ? grown / stages : 0, within, games ? games : "-",
            positions ? positions : "-" }'
}

report() {
    echo "Learning progress (Figure 4.1; published numbers in brackets)"
    echo
    echo "| agent | iterations | stage | solve rate | at a promotion | within a stage | puzzles to stage 100 | positions to stage 100 |"
    echo "|---|---|---|---|---|---|---|---|"
    report_curve deterministic -0.0026 +0.0035
    report_curve stochastic -0.019 +0.018
    report_curve actor-critic "falls" "rises"
    echo
    echo "Solve rate on $puzzles default puzzles (Figure 4.2)"
    echo
    report_searches
}

for verb in "${@:-train measure report}"; do
    for word in $verb; do
        case $word in
        train) train_all ;;
        measure) measure_all ;;
        report) report ;;
        *) echo "t20: no verb $word: train, measure or report" >&2; exit 2 ;;
        esac
    done
done
