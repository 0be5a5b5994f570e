/* How a search is run: one tree for the whole game, or a number of simulations before each move; restarts; and threads
 * that share one tree or have their own trees. Only the run's own thread checks the clock and reports lines. */
#include "search/policy/policy.h"

#include "base/team.h"
#include "search/move_budget.h"

#include <stdlib.h>
#include <string.h>

enum { least_in_flight = 16, alone_at_once = 32, most_per_move = 1000000000 };

/* What the threads of a run share. */
struct policy_team {
    struct search_run *run;
    const struct policy_options *options;
    struct squad *squads;
    int squad_count;
    uint64_t limit; /* limit on simulations; 0: none */
    _Atomic uint64_t begun;
    _Atomic uint64_t nodes_left; /* if nodes are limited: how many may still be added */
    _Atomic bool done, failed;
    pthread_mutex_t lock; /* guards the error */
};

/* One tree with the simulations of each thread that grows it. */
struct squad {
    struct policy_team *team;
    struct policy_tree tree;
    struct policy_in_flight *in_flight;
    int count, number;
    bool main;   /* the first thread of this squad is the run's own thread */
    bool proved; /* all lines of the game are known */
    bool has_kept;
    struct search_line kept; /* the best line of the games before the present one; guarded by the tree's lock */
    double first;            /* the first move of a game gets this many times per_move and move_time */
    uint64_t limit;          /* limit on simulations before the next move; 0: none */
    struct search_move_clock clock;
    _Atomic uint64_t begun;
};

/* ---- when to stop ---- */

/* Reports the best line and the counts of all trees to the run. Only the run's own thread calls it. */
static void hand_on(struct policy_team *team) {
    for (int i = 0; i < team->squad_count; i++) {
        struct policy_tree *tree = &team->squads[i].tree;
        const struct search_line *kept = &team->squads[i].kept;
        pthread_mutex_lock(&tree->lock);
        if (team->squads[i].has_kept)
            search_record(team->run, kept->moves, kept->count, kept->value);
        if (tree->has_best)
            search_record(team->run, tree->best.moves, tree->best.count, tree->best.value);
        if (tree->left_out)
            search_fits(team->run, SOLOIST_DEAD);
        budget_count_nodes(team->run->budget, tree->nodes);
        atomic_fetch_add_explicit(&team->run->budget->playouts, tree->playouts, memory_order_relaxed);
        tree->nodes = tree->playouts = 0;
        pthread_mutex_unlock(&tree->lock);
    }
    bool solved = team->run->found && team->run->domain->aim == SOLOIST_LEAST_COST;
    if (team->run->optimal || solved)
        atomic_store(&team->done, true);
}

static bool is_done(const struct policy_team *team) {
    return atomic_load_explicit(&team->done, memory_order_relaxed) ||
           atomic_load_explicit(&team->run->budget->stop, memory_order_relaxed) >= 0;
}

/* Whether no node may be added. A simulation in flight may still give one back. */
static bool has_no_node(const struct policy_team *team) {
    return team->run->budget->limits.nodes && !atomic_load(&team->nodes_left);
}

/* Claims more simulations for a thread if it needs them; returns how many it may begin, including those claimed before.
 */
static int64_t claim_more(struct squad *squad, const struct policy_in_flight *in_flight, int64_t claimed) {
    struct policy_team *team = squad->team;
    int64_t wanted = squad->tree.asks ? in_flight->count : alone_at_once;
    if (claimed >= wanted)
        return claimed;
    uint64_t got = search_claim(&squad->begun, squad->limit, (uint64_t)(wanted - claimed));
    uint64_t granted = search_claim(&team->begun, team->limit, got);
    search_claim_back(&squad->begun, squad->limit, got - granted);
    return claimed + (int64_t)granted;
}

static void claim_back(struct squad *squad, int64_t claimed) {
    search_claim_back(&squad->begun, squad->limit, (uint64_t)claimed);
    search_claim_back(&squad->team->begun, squad->team->limit, (uint64_t)claimed);
}

static void fail(struct policy_team *team, const soloist_error *error) {
    pthread_mutex_lock(&team->lock);
    if (!atomic_load(&team->failed))
        *team->run->error = *error;
    atomic_store(&team->failed, true);
    atomic_store(&team->done, true);
    pthread_mutex_unlock(&team->lock);
}

/* ---- one thread ---- */

static void work(struct squad *squad, struct policy_in_flight *in_flight, bool main) {
    struct policy_team *team = squad->team;
    struct search_run *run = team->run;
    soloist_error error = {0};
    int64_t claimed = 0;
    while (!is_done(team) && !search_move_is_over(&squad->clock)) {
        bool waits = false;
        if (main) {
            hand_on(team);
            if (search_spent(run))
                break;
        } else {
            budget_wait(run->budget);
        }
        claimed = claim_more(squad, in_flight, claimed);
        int done = policy_in_flight_round(in_flight, &squad->tree, &claimed, run->evaluator, &waits, &error);
        if (done < 0)
            fail(team, &error);
        else
            atomic_fetch_add_explicit(&run->budget->iterations, (uint64_t)done, memory_order_relaxed);
        if (done > 0)
            search_move_worked(&squad->clock);
        if (in_flight == squad->in_flight)
            search_move_look(&squad->clock, run->budget);
        atomic_fetch_add_explicit(&run->budget->evaluations, in_flight->asked, memory_order_relaxed);
        /* The run's own thread goes on if no node is left, because another thread may give one back. */
        if (waits && (!claimed || policy_tree_is_over(&squad->tree) || (!main && has_no_node(team))))
            break;
        if (!waits)
            continue;
        policy_tree_wait(&squad->tree);
        if (main && budget_look(run->budget, &run->progress)) /* nothing was counted, but time has passed */
            break;
    }
    claim_back(squad, claimed + policy_in_flight_clear(in_flight, &squad->tree));
}

static void work_in_squad(void *argument, int number) {
    struct squad *squad = argument;
    work(squad, &squad->in_flight[number], squad->main && !number);
}

/* Grows the tree until its simulations are used up or the search is over. */
static void search_tree(struct squad *squad) {
    atomic_store(&squad->begun, 0);
    team_run(squad->count, work_in_squad, squad);
}

/* Grows the tree for the next move of the game. */
static void search_move(struct squad *squad) {
    const struct policy_options *options = squad->team->options;
    size_t move = squad->tree.game.count;
    squad->limit =
        search_move_iterations((uint64_t)(squad->first * (double)options->per_move), options->move_decay, move);
    search_move_begin(&squad->clock, squad->team->run->budget, squad->first * options->move_time,
                      search_move_share(options->move_decay, move));
    search_tree(squad);
}

/* ---- games ---- */

/* If all lines from the game's first move are known, the best of them is optimal. */
static void note_proof(struct squad *squad) {
    struct policy_tree *tree = &squad->tree;
    squad->proved |= !tree->costs && tree->has_best && !tree->game.count && policy_tree_is_closed(tree);
}

static void play_game(struct squad *squad) {
    struct policy_tree *tree = &squad->tree;
    int32_t score;
    bool ended;
    while (!(ended = policy_tree_ended(tree, &score)) && !policy_tree_is_spent(tree)) {
        search_move(squad);
        note_proof(squad);
        soloist_move move = policy_tree_choose(tree);
        if (squad->proved || is_done(squad->team) || tree->full || move == SOLOIST_NO_MOVE ||
            !policy_tree_advance(tree, move))
            return;
    }
    pthread_mutex_lock(&tree->lock);
    if (ended)
        policy_tree_record(tree, NULL, 0, score);
    pthread_mutex_unlock(&tree->lock);
}

/* If no simulation has reached the end of a game, makes a line from the moves that look best so far. */
static void end_somehow(struct squad *squad) {
    struct policy_tree *tree = &squad->tree;
    pthread_mutex_lock(&tree->lock);
    if (!tree->has_best)
        policy_tree_complete(tree, &squad->in_flight[0].simulations[0]);
    pthread_mutex_unlock(&tree->lock);
}

static uint64_t seed_of(const struct squad *squad, int64_t game) {
    soloist_rng rng;
    soloist_rng_seed(&rng, squad->team->run->seed, (uint64_t)game * SOLOIST_MOST_THREADS + (uint64_t)squad->number);
    return soloist_rng_next(&rng);
}

/* Before a new game: keeps the best line of the last one, and counts its nodes and play-outs, because the run's own
 * thread may not have read them yet. Called with the tree's lock. False: memory is full. */
static bool keep_game(struct squad *squad) {
    struct policy_tree *tree = &squad->tree;
    const struct search_run *run = squad->team->run;
    budget_count_nodes(run->budget, tree->nodes);
    atomic_fetch_add_explicit(&run->budget->playouts, tree->playouts, memory_order_relaxed);
    tree->nodes = tree->playouts = 0;
    if (!tree->has_best || (squad->has_kept && !search_better(run, tree->best.value, squad->kept.value)))
        return true;
    if (!search_line_reserve(&squad->kept, tree->best.count, &run->budget->memory))
        return false;
    if (tree->best.count)
        memcpy(squad->kept.moves, tree->best.moves, tree->best.count * sizeof *tree->best.moves);
    squad->kept.count = tree->best.count;
    squad->kept.value = tree->best.value;
    return squad->has_kept = true;
}

/* The lock is needed because another thread may be reporting the tree's results. */
static bool begin_anew(struct squad *squad, int64_t game) {
    struct policy_tree *tree = &squad->tree;
    pthread_mutex_lock(&tree->lock);
    bool begun = keep_game(squad) && policy_tree_restart(tree, squad->team->run->instance, seed_of(squad, game));
    pthread_mutex_unlock(&tree->lock);
    return begun;
}

/* If nothing is random, the next game would be the same, and in a domain that minimises cost it often ends without a
 * solution: therefore it has twice as many simulations per move. */
static void widen(struct squad *squad) {
    const struct policy_options *options = squad->team->options;
    bool random = squad->tree.played_out || options->noise > 0 || options->gumbel;
    bool same = squad->tree.costs ? policy_by_move(options) && !options->gumbel : !random;
    if (same && policy_by_move(options) && squad->first * (double)options->per_move < most_per_move &&
        squad->first < most_per_move)
        squad->first *= 2;
    if (same && !policy_by_move(options) && squad->limit < most_per_move)
        squad->limit *= 2;
}

static void play_games(struct squad *squad) {
    struct policy_team *team = squad->team;
    const struct policy_options *options = team->options;
    bool again = policy_by_move(options) || options->per_tree;
    for (int64_t game = 0; !is_done(team) && (!options->games || game < options->games); game++) {
        if (game && !begin_anew(squad, game))
            break;
        if (game)
            widen(squad);
        if (policy_by_move(options))
            play_game(squad);
        else
            search_tree(squad);
        note_proof(squad);
        end_somehow(squad);
        if (squad->main)
            hand_on(team);
        bool spent = (team->limit && atomic_load(&team->begun) >= team->limit) || has_no_node(team);
        if (!again || spent || squad->tree.full || squad->proved)
            break;
    }
}

static void play_in_team(void *squads, int number) { play_games((struct squad *)squads + number); }

/* Looks at the limits when the first squad is done: the threads of the others do not. */
static void watch_others(void *squads) {
    struct policy_team *team = ((struct squad *)squads)->team;
    hand_on(team);
    budget_look(team->run->budget, &team->run->progress);
}

/* ---- the run ---- */

static soloist_code refuse(const struct search_run *run, const char *why) {
    soloist_fail(run->error, 0, 0, "%s: %s", run->method, why);
    return SOLOIST_UNSUPPORTED;
}

static bool check_network(struct search_run *run, const struct policy_options *options) {
    bool guided = options->rollout == POLICY_ROLLOUT_GUIDED && options->value_share < 1;
    return search_check_network(run, guided, policy_is_valued(options));
}

bool policy_suits(const struct search_run *run) {
    const struct policy_options *options = run->options;
    if (options->gumbel && !options->per_move)
        return refuse(run, "gumbel needs a number of simulations per move: per_move=..."), false;
    if (options->gumbel && (options->move_time > 0 || options->move_decay < 1))
        return refuse(run, "gumbel needs the same number of simulations before each move: move_time=0, move_decay=1"),
               false;
    if (run->shape.most_moves >= (1 << POLICY_CHUNK_BITS) - 1)
        return refuse(run, "a state of the domain has too many moves"), false;
    return true;
}

/* The number of simulations that one thread has in flight. By default it is at most one batch, and less if there are
 * few simulations per move, because simulations in flight do not know each other's results. */
static int in_flight_wanted(const struct policy_team *team, int threads) {
    const struct policy_options *options = team->options;
    int64_t wanted = options->in_flight, few = options->per_move / 8;
    if (!wanted) {
        wanted = 4 * threads > least_in_flight ? 4 * threads : least_in_flight;
        wanted = team->run->evaluator->batch < wanted ? team->run->evaluator->batch : wanted;
        wanted = options->per_move && few < wanted ? few : wanted;
    }
    return wanted > threads ? (int)(wanted / threads) : 1;
}

static bool squad_open(struct squad *squad, struct policy_team *team, int number, int threads) {
    struct search_run *run = team->run;
    *squad = (struct squad){.team = team, .number = number, .main = !number};
    squad->limit = (uint64_t)team->options->per_tree;
    squad->first = 1;
    bool good = policy_tree_open(&squad->tree, run->domain, run->instance, team->options, run->evaluator,
                                 &run->budget->memory, seed_of(squad, 0));
    squad->tree.stop = &run->budget->token;
    squad->tree.nodes_left = run->budget->limits.nodes ? &team->nodes_left : NULL;
    squad->in_flight = memory_take(&run->budget->memory, (size_t)threads * sizeof *squad->in_flight);
    if (!squad->in_flight)
        return false;
    for (squad->count = 0; good && squad->count < threads; squad->count++)
        good = policy_in_flight_open(&squad->in_flight[squad->count], in_flight_wanted(team, threads),
                                     &run->budget->memory);
    return good;
}

static void squad_close(struct squad *squad, int threads) {
    struct memory *memory = &squad->team->run->budget->memory;
    for (int i = 0; i < squad->count; i++)
        policy_in_flight_close(&squad->in_flight[i]);
    memory_give(memory, squad->in_flight, (size_t)threads * sizeof *squad->in_flight);
    policy_tree_close(&squad->tree);
    free(squad->kept.moves);
}

/* Runs squads that share only the network; the first is on this thread. */
static void play_apart(struct policy_team *team) {
    team_run_watched(team->squad_count, play_in_team, watch_others, team->squads);
    hand_on(team);
    search_spent(team->run);
    for (int i = 0; i < team->squad_count; i++)
        team->run->optimal |= team->squads[i].proved;
}

static void paint(const void *subject, struct search_picture *picture) {
    const struct policy_team *team = subject;
    policy_paint(team->run, &team->squads[0].tree, picture);
}

static soloist_code run_team(struct policy_team *team, int threads) {
    bool good = true, full = false;
    for (int i = 0; i < team->squad_count; i++)
        good = squad_open(&team->squads[i], team, i, threads) && good;
    search_show(team->run, paint, team);
    if (good)
        play_apart(team);
    search_hide(team->run);
    for (int i = 0; i < team->squad_count; i++) {
        full |= team->squads[i].tree.full;
        squad_close(&team->squads[i], threads);
    }
    if (!good || full)
        search_full(team->run);
    return atomic_load(&team->failed) ? SOLOIST_INTERNAL : SOLOIST_OK;
}

soloist_code policy_run(struct search_run *run) {
    const struct policy_options *options = run->options;
    struct memory *memory = &run->budget->memory;
    if (!check_network(run, options))
        return SOLOIST_UNSUPPORTED;
    bool apart = options->parallel == POLICY_ROOT_PARALLEL;
    struct policy_team team = {.run = run, .options = options, .squad_count = apart ? run->threads : 1};
    team.limit = run->budget->limits.iterations;
    if (team.limit)
        team.limit -= atomic_load(&run->budget->iterations);
    uint64_t nodes = atomic_load(&run->budget->nodes), most = run->budget->limits.nodes;
    atomic_store(&team.nodes_left, most > nodes ? most - nodes : 0);
    team.squads = memory_take(memory, (size_t)team.squad_count * sizeof *team.squads);
    if (!team.squads)
        return search_full(run);
    pthread_mutex_init(&team.lock, NULL);
    run->has_iterations = true;
    run->has_playouts = options->lines || policy_is_played_out(options);
    soloist_code code = run_team(&team, apart ? 1 : run->threads);
    pthread_mutex_destroy(&team.lock);
    memory_give(memory, team.squads, (size_t)team.squad_count * sizeof *team.squads);
    return code;
}
