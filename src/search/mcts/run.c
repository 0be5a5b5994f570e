/* How a search is run (S7, S15): one tree for the whole game, or a number of iterations before each move; restarts; and
 * how threads share the work. Only the run's own thread checks the clock and reports lines. */
#include "search/mcts/mcts.h"

#include "base/hash.h"
#include "base/team.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { at_once = 32, most_per_tree = 1000000000 };

/* One tree with the workers that grow it. */
struct squad {
    struct mcts mcts;
    struct mcts_worker *workers;
    int count;
    bool main; /* worker 0 works on the run's own thread */
};

/* ---- when to stop ------------------------------------------------------------------------------------ */

/* Makes a line of another rank the team's best, unless this rank has found a better one meanwhile. */
static void adopt(void *user, const struct together_line *line) {
    struct mcts *mcts = user;
    struct mcts_team *team = mcts->team;
    pthread_mutex_lock(&team->lock);
    if ((!atomic_load(&team->has_best) || search_better(mcts->run, line->value, atomic_load(&team->best_value))) &&
        search_line_reserve(&team->best, line->count, &mcts->run->budget->memory)) {
        if (line->count)
            memcpy(team->best.moves, line->moves, line->count * sizeof *line->moves);
        team->best.count = line->count;
        team->best.value = line->value;
        atomic_store(&team->best_value, line->value);
        atomic_store(&team->has_best, true);
        atomic_store(&team->has_news, true);
    }
    pthread_mutex_unlock(&team->lock);
}

static void hand_on(struct mcts *mcts) {
    struct mcts_team *team = mcts->team;
    struct together_line line;
    while (together_hear(&team->together, &line))
        adopt(mcts, &line);
    if (!atomic_load_explicit(&team->has_news, memory_order_relaxed))
        return;
    pthread_mutex_lock(&team->lock);
    atomic_store(&team->has_news, false);
    search_record(mcts->run, team->best.moves, team->best.count, team->best.value);
    together_tell(&team->together, &team->best, mcts->goal ? -(int64_t)team->best.value : team->best.value);
    pthread_mutex_unlock(&team->lock);
    if (mcts->run->optimal)
        atomic_store(&team->done, true);
}

static bool is_done(const struct mcts *mcts) {
    struct mcts_team *team = mcts->team;
    if (mcts->goal && !mcts->options->improve && atomic_load_explicit(&team->has_best, memory_order_relaxed))
        return true;
    return atomic_load_explicit(&team->done, memory_order_relaxed) ||
           atomic_load_explicit(&mcts->run->budget->stop, memory_order_relaxed) >= 0;
}

/* Whether nothing is left to try below the root, or memory is full. */
static bool is_tree_done(const struct mcts *mcts) {
    return atomic_load_explicit(&mcts->full, memory_order_relaxed) ||
           mcts_is_closed(mcts_at(&mcts->tree, mcts->tree.root));
}

/* Several threads claim and report many iterations at once, so that they seldom write to the same memory. */
static bool may_begin(struct mcts_worker *worker) {
    struct mcts *mcts = worker->mcts;
    struct mcts_team *team = mcts->team;
    if (!worker->tickets) {
        uint64_t got = search_claim(&mcts->begun, mcts->limit, mcts->tree.shared ? at_once : 1);
        worker->tickets = search_claim(&team->begun, team->limit, got);
        search_claim_back(&mcts->begun, mcts->limit, got - worker->tickets);
    }
    return worker->tickets && worker->tickets--;
}

/* Other threads, or the next tree, may use the iterations that this one has claimed and not begun. */
static void give_back(struct mcts_worker *worker) {
    struct mcts *mcts = worker->mcts;
    search_claim_back(&mcts->begun, mcts->limit, worker->tickets);
    search_claim_back(&mcts->team->begun, mcts->team->limit, worker->tickets);
    worker->tickets = 0;
}

static void tell(struct mcts_worker *worker) {
    struct budget *budget = worker->mcts->run->budget;
    const struct mcts_counters *counters = &worker->counters;
    atomic_fetch_add_explicit(&budget->iterations, counters->iterations, memory_order_relaxed);
    atomic_fetch_add_explicit(&budget->playouts, counters->playouts, memory_order_relaxed);
    budget_count_nodes(budget, counters->nodes);
    worker->counters = (struct mcts_counters){.eliminated = counters->eliminated,
                                              .skipped = counters->skipped,
                                              .moved = counters->moved,
                                              .depth = counters->depth};
}

/* Checking the sums of a whole tree takes long, so it is done after each of the first 200 iterations and then only when
 * their number is a power of two. */
static inline bool is_time_to_check(const struct mcts *mcts) {
    uint64_t done = atomic_load_explicit(&mcts->run->budget->iterations, memory_order_relaxed);
    return mcts->tree.own_offset && !mcts->two_players && (done < 200 || (done & (done - 1)) == 0);
}

static void work(struct mcts_worker *worker, bool main) {
    struct mcts *mcts = worker->mcts;
    while (!is_done(mcts) && !is_tree_done(mcts) && !search_move_is_over(&mcts->clock)) {
        if (main) {
            hand_on(mcts);
            if (search_spent(mcts->run))
                break;
        } else {
            budget_wait(mcts->run->budget);
        }
        if (!may_begin(worker))
            break;
        mcts_iterate(worker);
        if (++worker->counters.iterations >= (mcts->tree.shared ? at_once : 1))
            tell(worker);
        assert(!is_time_to_check(mcts) || mcts_tree_adds_up(&mcts->tree));
        search_move_worked(&mcts->clock);
        if (worker == mcts->leaf.leader)
            search_move_look(&mcts->clock, mcts->run->budget);
    }
    give_back(worker);
    mcts_copy_flush(worker);
    tell(worker);
}

static void work_beside(void *squad, int number) {
    struct mcts_worker *worker = &((struct squad *)squad)->workers[number];
    if (worker->mcts->options->parallel == MCTS_LEAF_PARALLEL) {
        mcts_leaf_help(worker);
        tell(worker);
    } else {
        work(worker, false);
    }
}

/* Grows the tree until its iterations are used up or the search is over. */
static void search_tree(struct squad *squad) {
    struct team team;
    struct mcts_leaf *leaf = &squad->mcts.leaf;
    atomic_store(&squad->mcts.begun, 0);
    atomic_store(&leaf->job, 0);
    int size = team_start(&team, squad->count, work_beside, squad);
    if (leaf->helpers)
        leaf->helpers = size - 1;
    work(&squad->workers[0], squad->main);
    atomic_store(&leaf->job, MCTS_LEAF_OVER);
    team_join(&team);
    if (squad->main)
        hand_on(&squad->mcts);
}

/* ---- games ------------------------------------------------------------------------------------------- */

static bool reset_tree(struct squad *squad) {
    for (int i = 0; i < squad->count; i++)
        squad->workers[i].supply = (struct mcts_supply){0, 0};
    return mcts_tree_reset(&squad->mcts.tree);
}

static bool begin_game(struct squad *squad) {
    struct mcts *mcts = &squad->mcts;
    const struct search_run *run = mcts->run;
    run->domain->life->root(run->instance, mcts->root_state);
    mcts->root_value = 0;
    mcts->game.count = 0;
    atomic_store(&mcts->has_game_best, false);
    atomic_store(&mcts->full, false);
    if (!reset_tree(squad))
        return false;
    return mcts->options->states != MCTS_STATES_ONE_NODE || mcts_one_node_root(&squad->workers[0]);
}

/* The next move of the game: the next move of the best line, or the move of the child that mcts_final chooses.
 * SOLOIST_NO_MOVE: there is none. */
static soloist_move choose_move(struct squad *squad) {
    struct mcts *mcts = &squad->mcts;
    bool line = mcts->options->final == MCTS_FINAL_LINE && !mcts->two_players;
    if (line && atomic_load(&mcts->has_game_best) && mcts->game_best.count > mcts->game.count)
        return mcts->game_best.moves[mcts->game.count];
    uint32_t child = mcts_final(&squad->workers[0]);
    return child == POOL_NONE ? SOLOIST_NO_MOVE : mcts_at(&mcts->tree, child)->move;
}

/* Grows the tree for the next move of the game. */
static void grow_for_move(struct squad *squad) {
    struct mcts *mcts = &squad->mcts;
    const struct mcts_options *options = mcts->options;
    size_t move = mcts->game.count;
    mcts->limit = search_move_iterations((uint64_t)options->per_move, options->move_decay, move);
    search_move_begin(&mcts->clock, mcts->run->budget, options->move_time,
                      search_move_share(options->move_decay, move));
    search_tree(squad);
}

static bool is_spent(const struct mcts_team *team) { return team->limit && atomic_load(&team->begun) >= team->limit; }

/* Grows the tree and chooses the next move. The first iterations of a new tree may visit no child of the root; if no
 * more were planned, some are added. SOLOIST_NO_MOVE: there is none. */
static soloist_move search_move(struct squad *squad) {
    struct mcts *mcts = &squad->mcts;
    grow_for_move(squad);
    soloist_move move = choose_move(squad);
    for (int64_t i = 0; move == SOLOIST_NO_MOVE && i <= mcts->options->expand_visits; i++) {
        if (is_done(mcts) || is_tree_done(mcts) || is_spent(mcts->team))
            break;
        mcts->limit = 1;
        search_tree(squad);
        move = choose_move(squad);
    }
    return move;
}

static bool run_out(struct mcts *mcts) {
    atomic_store(&mcts->full, true);
    return false;
}

/* False: memory is full. */
static bool make_move(struct squad *squad, soloist_move move) {
    struct mcts *mcts = &squad->mcts;
    const struct search_run *run = mcts->run;
    uint32_t child = mcts_tree_child(&mcts->tree, mcts->tree.root, move);
    if (!search_line_reserve(&mcts->game, mcts->game.count + 1, &run->budget->memory))
        return run_out(mcts);
    mcts->game.moves[mcts->game.count++] = move;
    int32_t step = run->domain->core->apply(run->instance, mcts->root_state, move, NULL);
    mcts->root_value = search_sum(mcts->root_value, step);
    if (mcts->options->keep && child != POOL_NONE)
        mcts_tree_advance(&mcts->tree, child);
    else if (!reset_tree(squad))
        return run_out(mcts);
    return true;
}

/* If play has ended, records the moves played as a line; for two players this line is the answer. */
static bool end_game(struct squad *squad) {
    struct mcts *mcts = &squad->mcts;
    const struct search_run *run = mcts->run;
    struct mcts_worker *worker = &squad->workers[0];
    int32_t last = 0;
    if (!run->domain->core->ended(run->instance, mcts->root_state, &last))
        return false;
    worker->line_length = 0;
    worker->value = search_sum(mcts->root_value, last);
    mcts_record(worker);
    return true;
}

static void play_game(struct squad *squad) {
    struct mcts *mcts = &squad->mcts;
    bool more = true;
    while (more && !end_game(squad)) {
        soloist_move move = search_move(squad);
        more = move != SOLOIST_NO_MOVE && !is_done(mcts) && !atomic_load(&mcts->full) && make_move(squad, move);
    }
}

/* If nothing else in a search is random, each game and each tree tries the moves of its nodes in another order. */
static uint64_t order_of(const struct mcts *mcts, uint64_t number) {
    uint64_t order = mcts->run->seed * 0x9e3779b97f4a7c15u;
    bool random = mcts_plays_out(mcts->simulate) || mcts->options->ties == MCTS_TIES_RANDOM;
    return random || !number ? order : hash_mix(order ^ hash_mix(number));
}

static void seed_game(struct squad *squad, int64_t game) {
    uint64_t number = (uint64_t)game * SOLOIST_MOST_THREADS + (uint64_t)squad->workers[0].number;
    squad->mcts.order = order_of(&squad->mcts, number);
    for (int i = 0; game && i < squad->count; i++)
        soloist_rng_seed(&squad->workers[i].rng, squad->mcts.run->seed,
                         (uint64_t)game * SOLOIST_MOST_THREADS + (uint64_t)squad->workers[i].number);
}

/* Sets the number of iterations and the path weight of the next of several trees. */
static void turn_to_tree(struct mcts *mcts, int first, int64_t game) {
    const struct mcts_options *options = mcts->options;
    if (!options->per_tree || mcts_by_move(options))
        return;
    if (game && mcts->limit) {
        double next = __builtin_ceil((double)mcts->limit * options->tree_growth);
        mcts->limit = next <= most_per_tree ? (uint64_t)next : 0;
    }
    mcts->path_weight = mcts_path_weight_of(options, (int)((first + game) % 2));
}

/* Plays one game after the other, each with different random numbers. */
static void play_games(struct squad *squad) {
    struct mcts *mcts = &squad->mcts;
    const struct mcts_options *options = mcts->options;
    bool again = mcts_by_move(options) || options->per_tree;
    for (int64_t game = 0; !is_done(mcts) && (!options->games || game < options->games); game++) {
        seed_game(squad, game);
        turn_to_tree(mcts, squad->workers[0].number, game);
        if (!begin_game(squad))
            run_out(mcts);
        else if (mcts_by_move(options))
            play_game(squad);
        else
            search_tree(squad);
        bool spent = is_spent(mcts->team);
        bool tried = !mcts_by_move(options) && is_tree_done(mcts); /* nothing is left to try, or memory is full */
        if (!again || spent || tried || atomic_load(&mcts->full) || mcts->two_players)
            break;
    }
    if (squad->main)
        hand_on(mcts);
}

/* Runs one of several squads, which share only the best line. The first squad runs on the run's own thread. */
static void play_apart(void *squads, int number) { play_games((struct squad *)squads + number); }

/* Looks at the limits when the first squad is done: the threads of the others do not. */
static void watch_others(void *squads) {
    struct mcts *mcts = &((struct squad *)squads)->mcts;
    hand_on(mcts);
    budget_look(mcts->run->budget, &mcts->run->progress);
}

/* ---- several trees, one game (merge) ------------------------------------------------------------------ */

struct league {
    struct squad *squads;
    struct mcts *trees[SOLOIST_MOST_THREADS];
    int count;
};

static void search_apart(void *squads, int number) { grow_for_move((struct squad *)squads + number); }

/* The tree whose best line in this game is the best of all; NULL: there is no line that goes on. */
static struct mcts *find_best_line(const struct league *league) {
    struct mcts *best = NULL;
    for (int i = 0; i < league->count; i++) {
        struct mcts *mcts = league->trees[i];
        if (atomic_load(&mcts->has_game_best) && mcts->game_best.count > mcts->game.count &&
            (!best || search_better(mcts->run, mcts->game_best_value, best->game_best_value)))
            best = mcts;
    }
    return best;
}

static soloist_move choose_merged(const struct league *league) {
    struct mcts *first = league->trees[0];
    struct mcts *line = first->options->final == MCTS_FINAL_LINE ? find_best_line(league) : NULL;
    return line ? line->game_best.moves[line->game.count] : mcts_merged_final(league->trees, league->count);
}

/* A move of the game on all trees. The first iterations of new trees may visit no child of their roots. */
static soloist_move search_merged(const struct league *league) {
    struct mcts *first = league->trees[0];
    team_run_watched(league->count, search_apart, watch_others, league->squads);
    soloist_move move = choose_merged(league);
    for (int64_t i = 0; move == SOLOIST_NO_MOVE && i <= first->options->expand_visits; i++) {
        if (is_done(first) || is_tree_done(first) || is_spent(first->team))
            break;
        first->limit = 1;
        search_tree(&league->squads[0]);
        move = choose_merged(league);
    }
    return move;
}

/* Makes the move in all trees. A tree whose best line begins with other moves has no best line any more. */
static bool make_merged(const struct league *league, soloist_move move) {
    bool good = true;
    for (int i = 0; good && i < league->count; i++) {
        struct mcts *mcts = league->trees[i];
        size_t at = mcts->game.count;
        if (atomic_load(&mcts->has_game_best) && (mcts->game_best.count <= at || mcts->game_best.moves[at] != move))
            atomic_store(&mcts->has_game_best, false);
        good = !atomic_load(&mcts->full) && make_move(&league->squads[i], move);
    }
    return good;
}

static bool begin_merged(const struct league *league, int64_t game) {
    bool good = true;
    for (int i = 0; good && i < league->count; i++) {
        seed_game(&league->squads[i], game);
        good = begin_game(&league->squads[i]);
    }
    return good;
}

static void play_merged(struct squad *squads, int count) {
    struct league league = {.squads = squads, .count = count};
    struct mcts *first = &squads[0].mcts;
    bool more = true;
    for (int i = 0; i < count; i++)
        league.trees[i] = &squads[i].mcts;
    for (int64_t game = 0; more && !is_done(first) && (!first->options->games || game < first->options->games);
         game++) {
        bool on = begin_merged(&league, game);
        atomic_store(&first->full, !on);
        while (on && !end_game(&squads[0])) {
            soloist_move move = search_merged(&league);
            on = move != SOLOIST_NO_MOVE && !is_done(first) && make_merged(&league, move);
        }
        more = !is_spent(first->team);
        for (int i = 0; i < count; i++)
            more = more && !atomic_load(&league.trees[i]->full);
    }
}

/* ---- settings ---------------------------------------------------------------------------------------- */

static bool refuse(const struct search_run *run, const char *why) {
    return soloist_fail(run->error, 0, 0, "%s: %s", run->method, why);
}

/* The index of a name in a list such as "a|b|c"; if it is not there, the number of names. */
static int place_in(const char *names, const char *name) {
    int place = 0;
    for (; names; place++) {
        size_t size = strcspn(names, "|");
        if (strlen(name) == size && !memcmp(names, name, size))
            return place;
        names = names[size] ? names + size + 1 : NULL;
    }
    return place;
}

static enum mcts_simulate simulation(const struct mcts_options *options) {
    return (enum mcts_simulate)place_in(MCTS_SIMULATIONS, options->simulate);
}

bool mcts_is_learned(const struct mcts_options *options) {
    return place_in(MCTS_REWARDS, options->reward) == MCTS_REWARD_NETWORK;
}

static bool settle_reward(const struct search_run *run, const struct mcts_options *options, int *reward) {
    enum mcts_reward kind = (enum mcts_reward)place_in(MCTS_REWARDS, options->reward);
    *reward = -1;
    if (kind == MCTS_REWARD_SOLVED && run->domain->aim == SOLOIST_MOST_SCORE)
        return refuse(run, "reward=solved needs a domain that minimises cost");
    if (kind == MCTS_REWARD_NETWORK && run->domain->aim == SOLOIST_MOST_SCORE)
        return refuse(run, "reward=network needs a domain that minimises cost; try pv-mcts");
    if (kind != MCTS_REWARD_NAMED)
        return true;
    *reward = search_find_name(run, "reward", options->reward, run->domain->reward ? run->domain->reward->names : NULL);
    return *reward >= 0;
}

/* Chooses among the domain's own play-outs. The domain's own play-outs do not avoid cycles, and may prune moves. */
static bool settle_policy(const struct search_run *run, const struct mcts_options *options, int *policy) {
    const soloist_sample *sample = run->domain->sample;
    enum mcts_simulate simulate = simulation(options);
    int kinds = sample ? search_playout_kinds(sample) : 0;
    *policy = -1;
    if (simulate == MCTS_SIMULATE_NAMED) {
        *policy = search_find_name(run, "play-out", options->simulate, sample ? sample->policies : NULL);
        return *policy >= 0;
    }
    /* The domain's own play-outs may leave out moves. With prune=false, play-outs have the moves of the tree. */
    bool same = options->prune || run->domain->aim == SOLOIST_MOST_SCORE || run->domain->players == 2;
    if (simulate == MCTS_SIMULATE_AUTO && kinds > 1)
        *policy = kinds - 1;
    else if (simulate <= MCTS_SIMULATE_AUTO && sample && options->cycles == MCTS_CYCLES_KEPT && same)
        *policy = 0;
    return true;
}

static bool wants_more(const struct mcts_options *options) {
    return options->rule == MCTS_SP || options->rule == MCTS_UCB1_TUNED || options->best_bonus > 0 ||
           options->best_share > 0 || options->normalise == MCTS_SPACE_LOCAL ||
           options->unvisited == MCTS_UNVISITED_INHERIT;
}

/* Whether each node must know which of its moves were tried. This is needed with a pool, whose nodes are recycled, and
 * with cycles=stop, which leaves a move that closes a cycle untried, as in Marocchi and Crippa 2017, Table 5.7. */
static bool wants_tried(const struct search_run *run, const struct mcts_options *options) {
    bool stops = options->cycles == MCTS_CYCLES_STOP && options->expand == MCTS_EXPAND_ONE;
    return options->pool || (stops && run->shape.most_moves <= 128);
}

static bool check_options(const struct search_run *run, const struct mcts_options *options) {
    bool goal = run->domain->aim == SOLOIST_LEAST_COST;
    bool one_node = options->states == MCTS_STATES_ONE_NODE;
    if (run->domain->players == 2 && !mcts_by_move(options))
        return refuse(run, "games for two players need iterations or time per move: per_move=... or move_time=...");
    if (run->domain->players == 2 && options->eliminate)
        return refuse(
            run,
            "eliminate works for one player only: with two, a fully explored node is still needed to choose a move");
    if (one_node && (options->expand != MCTS_EXPAND_ALL || mcts_by_move(options) || !options->prune || options->pool))
        return refuse(run,
                      "states=one-node needs expand=all and prune=true, and excludes per_move, move_time and pool");
    if (one_node && !goal)
        return refuse(run, "states=one-node needs a domain that minimises cost");
    if (options->pool && (options->expand != MCTS_EXPAND_ONE || run->shape.most_moves > 128))
        return refuse(run, "pool needs expand=one and a domain with at most 128 moves per state");
    if (options->parallel == MCTS_LEAF_PARALLEL && run->threads > 1 && (options->pool || one_node))
        return refuse(run, "parallel=leaf excludes pool and states=one-node");
    if (options->parallel == MCTS_LEAF_PARALLEL && run->threads > 1 &&
        (options->cycles != MCTS_CYCLES_KEPT || !mcts_plays_out(simulation(options))))
        return refuse(run, "parallel=leaf needs play-outs and cycles=kept");
    if (options->parallel == MCTS_LEAF_PARALLEL && run->threads > 1 && options->rollouts > 1)
        return refuse(run, "parallel=leaf needs rollouts=1: every thread makes one play-out from the same leaf");
    if (options->insert && (options->rollouts > 1 || simulation(options) == MCTS_SIMULATE_BREADTH ||
                            (options->parallel == MCTS_LEAF_PARALLEL && run->threads > 1)))
        return refuse(run, "insert needs one play-out per leaf: rollouts=1, no simulate=bfs, no parallel=leaf");
    if (run->domain->players == 2 && simulation(options) == MCTS_SIMULATE_BREADTH)
        return refuse(run, "simulate=bfs works for one player only");
    if (options->pool == 1)
        return refuse(run, "a pool of one node has no room for a child");
    if (simulation(options) == MCTS_SIMULATE_IDA_STAR && (!goal || !run->domain->bound))
        return refuse(run, "simulate=eps-ida needs a domain that minimises cost and has a bound");
    if (run->shape.most_moves >= MCTS_UNTRIED_BUSY)
        return refuse(run, "a state of the domain has too many moves");
    return true;
}

bool mcts_suits(const struct search_run *run) {
    int reward, policy;
    return check_options(run, run->options) && settle_reward(run, run->options, &reward) &&
           settle_policy(run, run->options, &policy);
}

static bool settle(struct search_run *run, struct mcts_team *team, struct mcts *mcts, int number) {
    const struct mcts_options *options = run->options;
    *mcts = (struct mcts){.run = run, .team = team, .options = options};
    mcts->simulate = simulation(options);
    mcts->solved = place_in(MCTS_REWARDS, options->reward) == MCTS_REWARD_SOLVED;
    mcts->learned = mcts_is_learned(options);
    mcts->path_weight = mcts_path_weight_of(options, number);
    mcts->goal = run->domain->aim == SOLOIST_LEAST_COST;
    mcts->two_players = run->domain->players == 2;
    mcts->listed = !mcts->goal || !options->prune || mcts->two_players;
    mcts->plain = !options->normalise && !options->rave && !(options->best_bonus > 0) && !(options->best_share > 0);
    mcts->fetched = options->states == MCTS_STATES_ONE_NODE && options->cycles == MCTS_CYCLES_KEPT;
    mcts->valued = options->valued == MCTS_VALUED_CHILDREN && options->states == MCTS_STATES_ONE_NODE &&
                   mcts->simulate == MCTS_SIMULATE_NONE &&
                   place_in(MCTS_REWARDS, options->reward) == MCTS_REWARD_AUTO && run->domain->bound &&
                   !options->rave && !wants_more(options);
    mcts->length = (int)(options->length ? options->length : run->shape.most_steps ? run->shape.most_steps : 1000);
    double scale = mcts->goal ? 1 << 20 : 1 << 8;
    while (mcts->goal && run->proof_known && scale > 1 && run->proof * scale > 4294967296.0)
        scale /= 2; /* large costs leave less room for fractions */
    mcts_settle_units(mcts, scale);
    mcts->dead_value = run->proof_known && mcts->goal ? -4.0 * run->proof : -1000;
    atomic_init(&mcts->most, -__builtin_inf());
    atomic_init(&mcts->least, __builtin_inf());
    return settle_reward(run, options, &mcts->reward) && settle_policy(run, options, &mcts->policy);
}

/* ---- opening and closing ----------------------------------------------------------------------------- */

#ifdef SOLOIST_CHECKS
static const bool checks = true;
#else
static const bool checks = false;
#endif

static bool squad_open(struct squad *squad, int threads, int first) {
    struct mcts *mcts = &squad->mcts;
    const struct mcts_options *options = mcts->options;
    struct memory *memory = &mcts->run->budget->memory;
    struct mcts_records records = {wants_more(options), options->rave > 0, wants_tried(mcts->run, options),
                                   options->states == MCTS_STATES_ONE_NODE, checks && threads == 1};
    bool leaf = threads > 1 && options->parallel == MCTS_LEAF_PARALLEL;
    squad->workers = memory_take(memory, (size_t)threads * sizeof *squad->workers);
    mcts->root_state = memory_take(memory, mcts->run->shape.state_size);
    bool good =
        squad->workers && mcts->root_state && mcts_tree_open(&mcts->tree, memory, records, threads > 1 && !leaf);
    mcts->leaf.leader = squad->workers;
    mcts->leaf.helpers = leaf ? threads - 1 : 0;
    pthread_mutex_init(&mcts->leaf.lock, NULL);
    mcts->tree.limit = (uint32_t)options->pool;
    mcts->limit = (uint64_t)options->per_tree;
    if (good && records.depth)
        good = table_open(&mcts->states, memory, search_packed_size(mcts->run), sizeof(uint32_t));
    for (; good && squad->count < threads; squad->count++)
        good = mcts_worker_open(&squad->workers[squad->count], mcts, first + squad->count);
    return good;
}

/* Adds to the run's counts those of the worker for which the budget has no field. */
static void add_counters(struct search_run *run, const struct mcts_counters *counters) {
    run->eliminated += counters->eliminated;
    run->skipped += counters->skipped;
    run->moved += counters->moved;
    if (run->tree_depth < counters->depth)
        run->tree_depth = counters->depth;
}

static void squad_close(struct squad *squad, int threads) {
    struct mcts *mcts = &squad->mcts;
    struct memory *memory = &mcts->run->budget->memory;
    for (int i = 0; i < squad->count; i++) {
        add_counters(mcts->run, &squad->workers[i].counters);
        mcts_worker_close(&squad->workers[i]);
    }
    if (mcts->options->states == MCTS_STATES_ONE_NODE && mcts->states.slots)
        table_close(&mcts->states);
    mcts_tree_close(&mcts->tree);
    pthread_mutex_destroy(&mcts->leaf.lock);
    memory_give(memory, mcts->root_state, mcts->run->shape.state_size);
    memory_give(memory, squad->workers, (size_t)threads * sizeof *squad->workers);
    free(mcts->game.moves);
    free(mcts->game_best.moves);
}

static bool run_squads(struct squad *squads, int count, int threads) {
    bool good = true;
    for (int i = 0; i < count; i++)
        good = good && squad_open(&squads[i], threads, i * threads);
    const struct mcts_options *options = squads[0].mcts.options;
    if (good)
        search_show(squads[0].mcts.run, mcts_paint, squads[0].workers);
    if (good && options->merge && mcts_by_move(options) && count > 1)
        play_merged(squads, count);
    else if (good)
        team_run_watched(count, play_apart, watch_others, squads);
    if (good)
        hand_on(&squads[0].mcts);
    if (good && !is_done(&squads[0].mcts))
        search_spent(squads[0].mcts.run); /* with improve=true a solution is no end, but the last iteration is */
    search_hide(squads[0].mcts.run);
    for (int i = 0; i < count; i++) {
        good = good && !atomic_load(&squads[i].mcts.full);
        squad_close(&squads[i], threads);
    }
    return good;
}

soloist_code mcts_run(struct search_run *run) {
    const struct mcts_options *options = run->options;
    struct memory *memory = &run->budget->memory;
    if (mcts_is_learned(options) && !search_check_network(run, false, true))
        return SOLOIST_UNSUPPORTED;
    bool apart =
        options->parallel == MCTS_ROOT_PARALLEL || options->states == MCTS_STATES_ONE_NODE || wants_tried(run, options);
    /* With two players only one game is played: the best of several games would be the one in which the second player
     * played worst. */
    int squads = apart && run->domain->players == 1 ? run->threads : 1, each = apart ? 1 : run->threads;
    struct mcts_team team = {.limit = run->budget->limits.iterations};
    struct squad *block = memory_take(memory, (size_t)squads * sizeof *block);
    if (!block || !together_open(&team.together, run)) {
        memory_give(memory, block, (size_t)squads * sizeof *block);
        return search_full(run);
    }
    if (team.limit)
        team.limit -= atomic_load(&run->budget->iterations);
    pthread_mutex_init(&team.lock, NULL);
    run->has_iterations = run->has_tree = true;
    run->has_playouts = mcts_plays_out(simulation(options));
    bool good = true;
    for (int i = 0; i < squads && good; i++) {
        good = settle(run, &team, &block[i].mcts, i);
        block[i].main = i == 0;
    }
    /* The same holds for ranks: only rank 0 plays. */
    bool plays = run->domain->players == 1 || !run->peers || !run->peers->rank;
    if (good && plays && !run_squads(block, squads, each))
        search_full(run);
    together_close(&team.together, adopt, &block->mcts);
    hand_on(&block->mcts);
    free(team.best.moves);
    pthread_mutex_destroy(&team.lock);
    memory_give(memory, block, (size_t)squads * sizeof *block);
    if (atomic_load(&team.failed)) {
        *run->error = team.error;
        return SOLOIST_INTERNAL;
    }
    return good ? SOLOIST_OK : SOLOIST_UNSUPPORTED;
}
