/* Plain random sampling: makes one play-out after the other from the root, and keeps the best line. It is the baseline
 * for every other sampling search. Play-out number i uses random numbers from stream i of the seed. */
#include "base/decimal.h"
#include "search/picture.h"

#include <string.h>

#define RANDOM_OPTIONS(T, INT, REAL, BOOL, CHOICE, NAME)                                                               \
    NAME(T, policy, "0",                                                                                               \
         "play-out policy of the domain, given by its name or its number; 0: all moves are equally likely")            \
    INT(T, length, 0, 0, 1e6,                                                                                          \
        "maximum number of moves in a play-out; 0: the instance's own limit, or 1000 if it has none")                  \
    BOOL(T, improve, 0, "continue after the first solution until a limit ends the run (domains that minimise cost)")
SOLOIST_NAMED_OPTIONS(random_options, RANDOM_OPTIONS);

struct random {
    struct search_run *run;
    const struct random_options *options;
    int length;
    int policy; /* number of one of the domain's play-out policies */
    bool stuck; /* the root has no move */
    void *state;
    struct search_looks looks;
    soloist_move *moves, *trace;
    struct picture_games games;
};

/* The greatest length of a play-out, cut so that the node limit is kept exactly. */
static int64_t nodes_left(const struct budget *budget, int64_t most) {
    uint64_t limit = budget->limits.nodes, used = atomic_load_explicit(&budget->nodes, memory_order_relaxed);
    return limit && limit - used < (uint64_t)most ? (int64_t)(limit - used) : most;
}

/* A play-out of uniformly random moves by the core, for domains without their own play-outs. */
static soloist_playout play_through_core(struct random *random, int limit, soloist_rng *rng) {
    struct search_run *run = random->run;
    const soloist_core *core = run->domain->core;
    soloist_playout playout = {0, 0, false};
    int32_t last = 0;
    while (!(playout.ended = core->ended(run->instance, random->state, &last)) && playout.length < limit &&
           !search_must_break_off(run, &random->looks)) {
        int count = core->moves(run->instance, random->state, random->moves);
        if (!count)
            break;
        soloist_move move = random->moves[soloist_rng_below(rng, (uint32_t)count)];
        playout.value = search_sum(playout.value, core->apply(run->instance, random->state, move, NULL));
        random->trace[playout.length++] = move;
    }
    playout.value = search_sum(playout.value, last);
    return playout;
}

static void play_once(struct random *random, uint64_t number) {
    struct search_run *run = random->run;
    const soloist_sample *sample = run->domain->sample;
    int limit = (int)nodes_left(run->budget, random->length);
    soloist_rng rng;
    soloist_rng_seed(&rng, run->seed, number);
    run->domain->life->root(run->instance, random->state);
    soloist_playout playout = sample ? sample->playout(run->instance, random->state, random->policy, limit, &rng,
                                                       random->trace, &run->budget->token)
                                     : play_through_core(random, limit, &rng);
    budget_count_nodes(run->budget, (uint64_t)playout.length);
    search_count_iteration(run);
    atomic_fetch_add_explicit(&run->budget->playouts, 1, memory_order_relaxed);
    random->stuck = !playout.length && !playout.ended;
    picture_note_game(&random->games, playout.length, playout.ended, playout.value);
    if (playout.ended)
        search_record(run, random->trace, (size_t)playout.length, playout.value);
}

static bool is_done(const struct random *random) {
    const struct search_run *run = random->run;
    return random->stuck || run->optimal ||
           (run->found && run->domain->aim == SOLOIST_LEAST_COST && !random->options->improve);
}

static int find_policy(const struct search_run *run) {
    const char *name = ((const struct random_options *)run->options)->policy;
    const soloist_sample *sample = run->domain->sample;
    int count = sample ? search_playout_kinds(sample) : 1;
    double number;
    if (!decimal_read(name, strlen(name), &number))
        return search_find_name(run, "play-out policy", name, sample ? sample->policies : NULL);
    if (number >= 0 && number < count && number == (int)number)
        return (int)number;
    soloist_fail(run->error, 0, 0, "%s has no play-out policy %s: the last is %d", run->domain->name, name, count - 1);
    return -1;
}

static bool has_policy(const struct search_run *run) { return find_policy(run) >= 0; }

static soloist_code random_run(struct search_run *run) {
    const struct random_options *options = run->options;
    struct memory *memory = &run->budget->memory;
    struct random random = {.run = run, .options = options, .policy = find_policy(run)};
    random.length = (int)(options->length ? options->length : run->shape.most_steps ? run->shape.most_steps : 1000);
    size_t list_size = (size_t)run->shape.most_moves * sizeof(soloist_move);
    size_t trace_size = (size_t)random.length * sizeof(soloist_move);
    random.state = memory_take(memory, run->shape.state_size);
    random.moves = memory_take(memory, list_size);
    random.trace = memory_take(memory, trace_size);
    run->has_iterations = run->has_playouts = true;
    if (!random.state || !random.moves || !random.trace)
        search_full(run);
    search_show(run, picture_games, &random.games);
    for (uint64_t number = 0; !is_done(&random) && !search_spent(run); number++)
        play_once(&random, number);
    search_hide(run);
    memory_give(memory, random.state, run->shape.state_size);
    memory_give(memory, random.moves, list_size);
    memory_give(memory, random.trace, trace_size);
    return SOLOIST_OK;
}

const struct search_method search_random = {
    .name = "random",
    .summary = "random play-outs from the root, of which the best is kept",
    .options = random_options_rows,
    .options_size = sizeof(struct random_options),
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_LIMIT,
    .suits = has_policy,
    .ignores = search_ignores_threads,
    .run = random_run,
};
