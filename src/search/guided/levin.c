/* Best-first searches in least-cost domains, guided by a network's policy. For a path n, pi(n) is the probability of
 * the path (the product of the priors of its moves), d(n) its number of states, g(n) its cost, and h(n) the network's
 * estimate of the cost to go.
 *
 * levints: Levin tree search (Orseau, Lelis, Lattimore and Weber 2018) expands the path of least d(n) / pi(n). The
 * network is asked when a path is expanded. A path is cut off if its state has already been expanded on a path that is
 * at least as likely.
 *
 * phs: policy-guided heuristic search (Orseau and Lelis 2021) expands the path of least (g + h) / pi(n), or, as PHS*,
 * of least (g + h) / pi(n)^(1 + h/g). The network is asked when a path is generated. A state is generated once.
 *
 * A goal is noticed when it is generated. With batch=1 these are the published searches; with a larger batch the best
 * paths are expanded together, so that the network is asked about many states at a time. */
#include "search/guided/questions.h"
#include "search/picture.h"

#include "base/heap.h"
#include "base/real.h"
#include "base/table.h"

#include <string.h>

enum levin_kind { LEVIN_TREE_SEARCH, LEVIN_PHS, LEVIN_PHS_STAR };

#define LEVIN_COMMON(T, INT, REAL, BOOL, CHOICE, reopens)                                                              \
    INT(T, batch, 1, 1, 65536,                                                                                         \
        "number of states that are expanded together, so that the network evaluates many states in one batch; 1: the " \
        "published search; more: faster on a graphics card, but less selective")                                       \
    REAL(T, temperature, 1, 0.01, 100,                                                                                 \
         "a prior p becomes p^(1/temperature), scaled to a sum of 1: below 1 the search trusts the network more; "     \
         "1: the published search")                                                                                    \
    REAL(T, uniform, 0, 0, 1,                                                                                          \
         "share of the uniform distribution in the priors; the rest is the network's distribution")                    \
    BOOL(T, reopen, reopens,                                                                                           \
         "expand a state again if a more likely path to it is found; false: each state is generated only once")        \
    BOOL(T, prune, 0,                                                                                                  \
         "leave out children that the domain's bound proves dead, so that the network need not evaluate them")

#define LEVINTS_OPTIONS(T, INT, REAL, BOOL, CHOICE) LEVIN_COMMON(T, INT, REAL, BOOL, CHOICE, 1)
#define PHS_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                        \
    LEVIN_COMMON(T, INT, REAL, BOOL, CHOICE, 0)                                                                        \
    BOOL(T, star, 1,                                                                                                   \
         "use PHS*: the state with the least (g + h) / p^(1 + h/g) is expanded next, where g is the cost so far, h "   \
         "the estimate of the cost to go and p the probability of the path; false: use PHS, in which the state with "  \
         "the least (g + h) / p is expanded next")                                                                     \
    BOOL(T, lazy, 0,                                                                                                   \
         "evaluate a state by the network when it is expanded instead of when it is generated: states are then "       \
         "ordered by the estimates of their parents, and the network evaluates far fewer states")
SOLOIST_OPTIONS(levints_options, LEVINTS_OPTIONS);
SOLOIST_OPTIONS(phs_options, PHS_OPTIONS);

/* What both methods' options come to. */
struct levin_settings {
    enum levin_kind kind;
    int batch;
    double temperature, uniform;
    bool reopen, prune;
    bool lazy; /* the network is asked when a state is expanded */
};

/* A path from the root: its last move, and the path before that. */
struct levin_path {
    double likelihood; /* log pi */
    uint32_t before;   /* POOL_NONE: this is the root */
    uint32_t state;    /* index in the table */
    soloist_move move;
    int32_t cost;
    uint32_t depth;  /* number of moves */
    uint32_t priors; /* where the priors of its state's moves are kept, if the search is not lazy */
    float to_go;     /* h */
};

/* Stored before each packed state. */
struct levin_state {
    double likelihood; /* of the likeliest path by which it was expanded */
    uint64_t expanded; /* 0: not yet */
};

struct levin {
    struct search_run *run;
    struct levin_settings settings;
    struct table states;
    struct pool paths;
    struct heap open;
    struct questions questions;
    uint32_t pushed;
    uint32_t *chosen; /* the paths that are expanded together */
    float *priors;    /* of all states that wait for their expansion, if the search is not lazy */
    uint32_t prior_room, prior_count;
    void *state, *child, *packed;
    soloist_child *children;
    soloist_move *moves;
    float *known; /* the priors of `moves` */
    void *block;
    size_t block_size;
    unsigned want;
    /* The path that was expanded last, and the priors of its moves; POOL_NONE: none. */
    uint32_t expanded;
    const soloist_move *expanded_moves;
    const float *expanded_priors;
    int expanded_count;
};

enum levin_next { LEVIN_GO_ON, LEVIN_FULL, LEVIN_REFUSED, LEVIN_FAILED };

static const double lowest_prior = 1e-12;

static struct levin_path *path_at(const struct levin *levin, uint32_t index) {
    return (struct levin_path *)pool_at(&levin->paths, index);
}

static struct levin_state *state_at(const struct levin *levin, uint32_t index) {
    return (struct levin_state *)table_extra(&levin->states, index);
}

/* ---- the order of paths ---- */

/* The logarithm of what the search minimises. It is at least 0, since d >= 1, g + h is taken as at least 1, and pi is
 * at most 1. */
static double log_cost(const struct levin *levin, const struct levin_path *path) {
    double g = path->cost > 1 ? path->cost : 1, h = (double)path->to_go;
    if (levin->settings.kind == LEVIN_TREE_SEARCH)
        return real_log(path->depth + 1.0) - path->likelihood;
    double exponent = levin->settings.kind == LEVIN_PHS_STAR ? 1 + h / g : 1;
    return real_log(g + h) - exponent * path->likelihood;
}

/* The bits of a float that is not negative are in the order of its values. Among equals the oldest path comes first. */
static bool push(struct levin *levin, uint32_t index) {
    float cost = (float)log_cost(levin, path_at(levin, index));
    uint32_t bits;
    memcpy(&bits, &cost, sizeof bits);
    return heap_push(&levin->open, (uint64_t)bits << 32 | levin->pushed++, index);
}

/* Whether the path leads to a state that need not be expanded again. */
static bool is_cut(const struct levin *levin, const struct levin_path *path) {
    const struct levin_state *state = state_at(levin, path->state);
    return state->expanded && (!levin->settings.reopen || state->likelihood >= path->likelihood);
}

/* The best paths that are not cut, at most `most`. Marks their states as expanded. */
static int choose(struct levin *levin, int most) {
    int count = 0;
    uint64_t priority;
    uint32_t index;
    while (count < most && heap_pop(&levin->open, &priority, &index)) {
        const struct levin_path *path = path_at(levin, index);
        if (is_cut(levin, path))
            continue;
        *state_at(levin, path->state) = (struct levin_state){path->likelihood, 1};
        levin->chosen[count++] = index;
    }
    return count;
}

/* ---- lines ---- */

static bool record(struct levin *levin, uint32_t before, soloist_move move, int32_t cost) {
    struct memory *memory = &levin->run->budget->memory;
    size_t count = (size_t)path_at(levin, before)->depth + 1, at = count;
    soloist_move *moves = memory_take(memory, count * sizeof *moves);
    if (!moves)
        return false;
    for (moves[--at] = move; at; before = path_at(levin, before)->before)
        moves[--at] = path_at(levin, before)->move;
    search_record(levin->run, moves, count, cost);
    memory_give(memory, moves, count * sizeof *moves);
    return true;
}

/* ---- expanding ---- */

static void unpack(struct levin *levin, uint32_t state) {
    memcpy(levin->packed, table_string(&levin->states, state), levin->states.string_size);
    search_unpack(levin->run, levin->packed, levin->state);
}

/* The logarithm of a prior, mixed with the uniform distribution. */
static double log_prior(const struct levin *levin, double prior, int count) {
    double mixed = (1 - levin->settings.uniform) * prior + levin->settings.uniform / count;
    return real_log(mixed > lowest_prior ? mixed < 1 ? mixed : 1 : lowest_prior);
}

/* Keeps the priors of a state until it is expanded. */
static bool keep_priors(struct levin *levin, const struct evaluation *answer, uint32_t *place) {
    uint32_t count = (uint32_t)answer->move_count;
    if (!memory_grow(&levin->run->budget->memory, &levin->priors, sizeof *levin->priors, &levin->prior_room,
                     (uint64_t)levin->prior_count + count))
        return false;
    if (count)
        memcpy(levin->priors + levin->prior_count, answer->priors, count * sizeof *answer->priors);
    *place = levin->prior_count;
    levin->prior_count += count;
    return true;
}

/* Asks about the states that were collected when they were generated, and opens them. */
static enum levin_next open_generated(struct levin *levin) {
    struct questions *questions = &levin->questions;
    if (!questions_ask(questions))
        return LEVIN_FAILED;
    for (int i = 0; i < questions->count; i++) {
        const struct evaluation *answer = &questions->evaluations[i];
        struct levin_path *path = path_at(levin, questions->of[i]);
        path->to_go = (float)guided_cost_to_go(levin->run->evaluator, (double)answer->value);
        if (!keep_priors(levin, answer, &path->priors) || !push(levin, questions->of[i]))
            return LEVIN_FULL;
    }
    questions_clear(questions);
    return LEVIN_GO_ON;
}

/* Opens a new path, at once or after the network was asked about its state, levin->child. */
static enum levin_next open_path(struct levin *levin, uint32_t index) {
    if (levin->settings.lazy)
        return push(levin, index) ? LEVIN_GO_ON : LEVIN_FULL;
    if (!questions_add(&levin->questions, levin->child, index)->move_count)
        levin->questions.count--; /* nothing can follow */
    return questions_are_full(&levin->questions) ? open_generated(levin) : LEVIN_GO_ON;
}

/* Handles one child of a path's state: a goal, a new path, or a path that need not be kept. */
static enum levin_next take_child(struct levin *levin, uint32_t before, const soloist_child *child, double likelihood) {
    struct search_run *run = levin->run;
    const struct levin_path *parent = path_at(levin, before);
    struct levin_path path = {.likelihood = parent->likelihood + likelihood,
                              .before = before,
                              .move = child->move,
                              .depth = parent->depth + 1,
                              .to_go = parent->to_go};
    int32_t last;
    bool added;
    if (!search_add_cost(run, parent->cost, child->step, &path.cost))
        return LEVIN_REFUSED;
    memcpy(levin->child, levin->state, run->shape.state_size);
    run->domain->core->apply(run->instance, levin->child, child->move, NULL);
    if (run->domain->core->ended(run->instance, levin->child, &last))
        return record(levin, before, child->move, path.cost) ? LEVIN_GO_ON : LEVIN_FULL;
    search_pack(run, levin->child, levin->packed);
    path.state = table_put(&levin->states, child->key, levin->packed, &added);
    if (path.state == POOL_NONE)
        return LEVIN_FULL;
    if (!added && (!levin->settings.reopen || is_cut(levin, &path)))
        return LEVIN_GO_ON;
    uint32_t index = pool_take(&levin->paths);
    if (index == POOL_NONE)
        return LEVIN_FULL;
    *path_at(levin, index) = path;
    return open_path(levin, index);
}

/* Expands a path's state, whose moves have these priors, which it changes. Children come in the order of the moves, but
 * some moves may have no child, because it is known to be dead. */
static enum levin_next expand(struct levin *levin, uint32_t index, const soloist_move *moves, float *priors,
                              int move_count) {
    struct search_run *run = levin->run;
    guided_temper(priors, move_count, levin->settings.temperature);
    levin->expanded = index;
    levin->expanded_moves = moves, levin->expanded_priors = priors, levin->expanded_count = move_count;
    enum levin_next next = LEVIN_GO_ON;
    int count =
        search_expand(run, run->domain->core, levin->state, path_at(levin, index)->move, levin->want, levin->children);
    count = search_count_nodes(run, count);
    search_count_expanded(run, 1);
    search_count_iteration(run);
    for (int i = 0, at = 0; i < count && next == LEVIN_GO_ON && !run->found; i++) {
        while (at < move_count && moves[at] != levin->children[i].move)
            at++;
        double prior = at < move_count ? (double)priors[at] : 0;
        next = take_child(levin, index, &levin->children[i], log_prior(levin, prior, move_count ? move_count : 1));
    }
    return next;
}

/* Expands the chosen paths; the network is asked about their states first. */
static enum levin_next expand_lazily(struct levin *levin, int count) {
    struct questions *questions = &levin->questions;
    enum levin_next next = LEVIN_GO_ON;
    for (int from = 0, to; from < count && next == LEVIN_GO_ON && !levin->run->found; from = to) {
        questions_clear(questions);
        levin->expanded = POOL_NONE; /* its moves are about to be overwritten */
        for (to = from; to < count && !questions_are_full(questions); to++) {
            unpack(levin, path_at(levin, levin->chosen[to])->state);
            if (!questions_add(questions, levin->state, levin->chosen[to])->move_count)
                questions->count--; /* nothing can follow */
        }
        if (!questions_ask(questions))
            return LEVIN_FAILED;
        for (int i = 0; i < questions->count && next == LEVIN_GO_ON && !search_spent(levin->run); i++) {
            const struct evaluation *answer = &questions->evaluations[i];
            struct levin_path *path = path_at(levin, questions->of[i]);
            path->to_go = (float)guided_cost_to_go(levin->run->evaluator, (double)answer->value);
            memcpy(levin->state, answer->state, levin->run->shape.state_size);
            next = expand(levin, questions->of[i], answer->moves, answer->priors, answer->move_count);
            if (levin->run->found)
                break;
        }
    }
    return next;
}

/* Expands the chosen paths; the network was asked about their states when they were generated. */
static enum levin_next expand_known(struct levin *levin, int count) {
    struct search_run *run = levin->run;
    enum levin_next next = LEVIN_GO_ON;
    for (int i = 0; i < count && next == LEVIN_GO_ON && !run->found && !search_spent(run); i++) {
        const struct levin_path *path = path_at(levin, levin->chosen[i]);
        unpack(levin, path->state);
        int move_count = run->domain->core->moves(run->instance, levin->state, levin->moves);
        memcpy(levin->known, levin->priors + path->priors, (size_t)move_count * sizeof *levin->known);
        next = expand(levin, levin->chosen[i], levin->moves, levin->known, move_count);
    }
    return next == LEVIN_GO_ON && !run->found ? open_generated(levin) : next;
}

/* ---- the search ---- */

/* The root is a path without moves. */
static enum levin_next open_root(struct levin *levin) {
    struct search_run *run = levin->run;
    bool added;
    run->domain->life->root(run->instance, levin->child);
    search_pack(run, levin->child, levin->packed);
    uint32_t state =
        table_put(&levin->states, run->domain->core->key(run->instance, levin->child), levin->packed, &added);
    uint32_t index = pool_take(&levin->paths);
    if (state == POOL_NONE || index == POOL_NONE)
        return LEVIN_FULL;
    *path_at(levin, index) = (struct levin_path){.state = state, .move = SOLOIST_NO_MOVE};
    enum levin_next next = open_path(levin, index);
    return next == LEVIN_GO_ON && levin->questions.count ? open_generated(levin) : next;
}

/* ---- what the search shows ---- */

static float cost_of(const struct heap_entry *entry) {
    uint32_t bits = (uint32_t)(entry->priority >> 32);
    float cost;
    memcpy(&cost, &bits, sizeof cost);
    return cost;
}

/* The moves of a path, in order. */
static void paint_path(const struct levin *levin, uint32_t index, struct search_picture *picture) {
    size_t count = path_at(levin, index)->depth, at = count;
    picture_begin_line(picture, NULL, 0);
    for (size_t i = 0; i < count; i++)
        picture_add_move(picture, SOLOIST_NO_MOVE);
    if (picture->move_count != count)
        return;
    for (; at; index = path_at(levin, index)->before)
        picture->moves[--at] = path_at(levin, index)->move;
    picture_depth(picture, (int64_t)count);
    picture_line(picture, levin->run, picture->moves, count);
}

/* The state that was expanded last with its priors, and the open paths by the logarithm of their cost and by depth. */
static void paint(const void *subject, struct search_picture *picture) {
    const struct levin *levin = subject;
    uint64_t stride = picture_stride(levin->open.count);
    picture_kind(picture, SOLOIST_PICTURE_POLICY);
    for (size_t i = 0; i < levin->open.count; i += stride) {
        const struct heap_entry *entry = &levin->open.entries[i];
        picture_count(picture, SOLOIST_AXIS_F, 0, (int64_t)cost_of(entry), stride);
        picture_count(picture, SOLOIST_AXIS_DEPTH, 0, path_at(levin, entry->item)->depth, stride);
    }
    if (levin->expanded == POOL_NONE)
        return;
    paint_path(levin, levin->expanded, picture);
    picture->shown.node.has_value = levin->settings.kind != LEVIN_TREE_SEARCH;
    picture->shown.node.value = (double)path_at(levin, levin->expanded)->to_go;
    for (int i = 0; i < levin->expanded_count; i++)
        picture_branch(picture, &(soloist_branch){.move = levin->expanded_moves[i],
                                                  .has_prior = true,
                                                  .prior = (double)levin->expanded_priors[i]});
    picture_end_branches(picture, levin->run);
}

static enum levin_next search(struct levin *levin) {
    struct search_run *run = levin->run;
    enum levin_next next = open_root(levin);
    while (next == LEVIN_GO_ON && !run->found && !search_spent(run)) {
        int count = choose(levin, levin->settings.batch);
        if (!count) {
            run->impossible = true;
            break;
        }
        search_note(run, "%u states", (unsigned)table_count(&levin->states));
        next = levin->settings.lazy ? expand_lazily(levin, count) : expand_known(levin, count);
    }
    return next;
}

/* Allocates one block for two states, a packed state, and the lists of moves, children and paths. */
static bool take_block(struct levin *levin) {
    const struct search_run *run = levin->run;
    size_t state = memory_round_up(run->shape.state_size), packed = memory_round_up(search_packed_size(run));
    size_t most = (size_t)run->shape.most_moves, children = memory_round_up(most * sizeof *levin->children);
    size_t moves = memory_round_up(most * sizeof *levin->moves), known = memory_round_up(most * sizeof *levin->known);
    size_t chosen = (size_t)levin->settings.batch * sizeof *levin->chosen;
    levin->block_size = 2 * state + packed + children + moves + known + chosen;
    unsigned char *block = levin->block = memory_take(&run->budget->memory, levin->block_size);
    if (!block)
        return false;
    levin->state = block, block += state;
    levin->child = block, block += state;
    levin->packed = block, block += packed;
    levin->children = (soloist_child *)(void *)block, block += children;
    levin->moves = (soloist_move *)(void *)block, block += moves;
    levin->known = (float *)(void *)block, block += known;
    levin->chosen = (uint32_t *)(void *)block;
    return true;
}

static bool open_levin(struct levin *levin) {
    struct search_run *run = levin->run;
    struct memory *memory = &run->budget->memory;
    int64_t at_once = (int64_t)levin->settings.batch * (levin->settings.lazy ? 1 : run->shape.most_moves);
    pool_open(&levin->paths, memory, sizeof(struct levin_path));
    heap_open(&levin->open, memory);
    bool opened = table_open(&levin->states, memory, search_packed_size(run), sizeof(struct levin_state));
    return questions_open(&levin->questions, run, questions_room(run, at_once), true) && opened && take_block(levin);
}

static void close_levin(struct levin *levin) {
    struct memory *memory = &levin->run->budget->memory;
    memory_give(memory, levin->block, levin->block_size);
    memory_give(memory, levin->priors, levin->prior_room * sizeof *levin->priors);
    questions_close(&levin->questions);
    table_close(&levin->states);
    heap_close(&levin->open);
    pool_close(&levin->paths);
}

static soloist_code run_levin(struct search_run *run, struct levin_settings settings) {
    struct levin levin = {.run = run, .settings = settings};
    if (!search_check_network(run, true, settings.kind != LEVIN_TREE_SEARCH))
        return SOLOIST_UNSUPPORTED;
    levin.want = SOLOIST_WANT_KEY | (settings.prune && run->domain->bound ? SOLOIST_WANT_BOUND : 0);
    run->has_iterations = true;
    bool opened = open_levin(&levin);
    search_show(run, paint, &levin);
    enum levin_next next = opened ? search(&levin) : LEVIN_FULL;
    search_hide(run);
    close_levin(&levin);
    if (next == LEVIN_FULL)
        return search_full(run);
    return next == LEVIN_REFUSED ? SOLOIST_UNSUPPORTED : next == LEVIN_FAILED ? search_failed(run) : SOLOIST_OK;
}

static soloist_code levints_run(struct search_run *run) {
    const struct levints_options *options = run->options;
    return run_levin(run, (struct levin_settings){.kind = LEVIN_TREE_SEARCH,
                                                  .batch = (int)options->batch,
                                                  .temperature = options->temperature,
                                                  .uniform = options->uniform,
                                                  .reopen = options->reopen,
                                                  .prune = options->prune,
                                                  .lazy = true});
}

static soloist_code phs_run(struct search_run *run) {
    const struct phs_options *options = run->options;
    return run_levin(run, (struct levin_settings){.kind = options->star ? LEVIN_PHS_STAR : LEVIN_PHS,
                                                  .batch = (int)options->batch,
                                                  .temperature = options->temperature,
                                                  .uniform = options->uniform,
                                                  .reopen = options->reopen,
                                                  .prune = options->prune,
                                                  .lazy = options->lazy});
}

static enum search_network any_network(const void *options) {
    (void)options;
    return SEARCH_NETWORK_ANY;
}

static enum search_network valued_network(const void *options) {
    (void)options;
    return SEARCH_NETWORK_WITH_VALUES;
}

static unsigned ignores(const void *options) {
    (void)options;
    return SEARCH_IGNORES_SEED | SEARCH_IGNORES_THREADS;
}

enum { needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_GOAL | SEARCH_NEEDS_LEARN | SEARCH_NEEDS_NETWORK };

const struct search_method search_levints = {
    .name = "levints",
    .summary = "Levin tree search: expands the state whose depth, divided by the probability of its path, is least; "
               "the probability comes from a network",
    .options = levints_options_rows,
    .options_size = sizeof(struct levints_options),
    .needs = needs,
    .network = any_network,
    .ignores = ignores,
    .run = levints_run,
};

const struct search_method search_phs = {
    .name = "phs",
    .summary =
        "policy-guided heuristic search: like the method levints, but also uses a network's estimate of the cost to go",
    .options = phs_options_rows,
    .options_size = sizeof(struct phs_options),
    .needs = needs,
    .network = valued_network,
    .ignores = ignores,
    .run = phs_run,
};
