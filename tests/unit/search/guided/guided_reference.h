/* A network that is none, for the graphs of toy.h: its numbers are drawn from the state's key, or are those of the
 * domain's bound. And the searches that a policy leads, in plain code: every path in one list, the best found by
 * looking at all of them. */
#ifndef TESTS_UNIT_SEARCH_GUIDED_GUIDED_REFERENCE_H
#define TESTS_UNIT_SEARCH_GUIDED_GUIDED_REFERENCE_H

#include "base/hash.h"
#include "base/real.h"
#include "search/evaluator.h"
#include "toy.h"

enum { GUIDED_PATHS = 1 << 16 };

struct guided_fake {
    struct evaluator evaluator;
    uint64_t calls, judged, most_at_once;
    uint64_t fails_after; /* calls; 0: never */
    uint64_t stops_after; /* calls, after which `stop` is cancelled; 0: never */
    soloist_stop_token *stop;
    bool bounds; /* values stand for the domain's bound */
    bool exact;  /* with bounds: for the exact cost to go instead */
};

static inline bool guided_fits(const struct evaluator *evaluator, const soloist_instance *instance,
                               soloist_error *error) {
    (void)evaluator, (void)instance, (void)error;
    return true;
}

static inline void guided_priors(uint64_t key, int count, float *priors) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)(priors[i] = (float)(1 + hash_mix(key + (uint64_t)i) % 100));
    for (int i = 0; i < count; i++)
        priors[i] = (float)((double)priors[i] / sum);
}

static inline float guided_value(bool bounds, const soloist_instance *instance, const void *state) {
    int32_t bound = toy_bound(instance, state);
    if (!bounds)
        return (float)(hash_mix(toy_state_key(instance, state) ^ 12345) % 1000) / 1000;
    return bound == SOLOIST_DEAD ? 0 : (float)(1 - bound / 1024.0);
}

static inline bool guided_judge(struct evaluator *evaluator, struct evaluation *evaluations, int count,
                                soloist_error *error) {
    struct guided_fake *fake = (struct guided_fake *)(void *)evaluator;
    if (fake->fails_after && fake->calls >= fake->fails_after)
        return soloist_fail(error, 0, 0, "the fake is out of order");
    if (++fake->calls == fake->stops_after)
        soloist_stop_token_cancel(fake->stop);
    fake->judged += (uint64_t)count;
    fake->most_at_once = (uint64_t)count > fake->most_at_once ? (uint64_t)count : fake->most_at_once;
    for (int i = 0; i < count; i++) {
        struct evaluation *now = &evaluations[i];
        if (now->priors)
            guided_priors(toy_state_key(now->instance, now->state), now->move_count, now->priors);
        int32_t to_goal = toy_graph_of(now->instance)->to_goal[((const struct toy_state *)now->state)->node];
        now->value = !fake->exact              ? guided_value(fake->bounds, now->instance, now->state)
                     : to_goal == SOLOIST_DEAD ? 0
                                               : (float)(1 - to_goal / 1024.0);
    }
    return true;
}

static inline int guided_two_at_once(const struct evaluator *evaluator, const soloist_instance *instance) {
    (void)evaluator, (void)instance;
    return 2;
}

static inline size_t guided_megabyte(struct evaluator *evaluator, const soloist_instance *instance, int threads,
                                     size_t limit) {
    (void)evaluator, (void)instance, (void)threads, (void)limit;
    return 1 << 20;
}

static inline void guided_forget(struct evaluator *evaluator) { (void)evaluator; }

/* step_value is a power of two, so that bounds survive as values. */
static inline struct guided_fake guided_open(bool bounds) {
    return (struct guided_fake){.evaluator = {.has_policy = true,
                                              .has_value = true,
                                              .step_value = bounds ? 1.0 / 1024 : 0.02,
                                              .batch = 8,
                                              .fits = guided_fits,
                                              .judge = guided_judge,
                                              .forget = guided_forget},
                                .bounds = bounds};
}

/* ---- a toy domain that shows its states to networks ---- */

static const soloist_learn guided_learn = {.size = sizeof(soloist_learn)};

static inline soloist_domain guided_domain(bool bound) {
    soloist_domain domain = toy_graph_domain;
    domain.learn = &guided_learn;
    domain.bound = bound ? &toy_graph_bound : NULL;
    domain.pack = &toy_graph_pack;
    return domain;
}

static inline soloist_code guided_try(const soloist_domain *domain, const char *text, const char *method,
                                      soloist_limits limits, struct guided_fake *fake, soloist_result *result,
                                      soloist_error *error) {
    struct soloist_network network = {domain, fake ? &fake->evaluator : NULL};
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    limits.network = fake ? &network : NULL;
    assert_int_equal(toy_puzzle(domain, text, &puzzle), SOLOIST_OK);
    soloist_code code = soloist_solve(engine, &puzzle, method, &limits, NULL, result, error);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return code;
}

static inline soloist_result guided_solve(const soloist_domain *domain, const char *text, const char *method,
                                          soloist_limits limits, struct guided_fake *fake) {
    soloist_result result;
    soloist_error error;
    uint64_t before = fake->judged;
    if (guided_try(domain, text, method, limits, fake, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    assert_true(result.has_evaluations ||
                !result.nodes); /* without a move, or room for a list of moves, none is asked */
    assert_int_equal(result.evaluations, fake->judged - before);
    return result;
}

/* ---- Levin tree search and PHS, plainly ---- */

struct plain_path {
    double likelihood, to_go;
    int before, depth;
    int32_t cost;
    soloist_move move;
    struct toy_state state;
    bool done;
};

struct plain_result {
    bool found;
    int32_t cost;
    uint64_t expanded, asked;
    size_t length;
    soloist_move moves[256];
};

enum plain_kind { PLAIN_LEVIN, PLAIN_PHS, PLAIN_PHS_STAR };

static inline float plain_cost(enum plain_kind kind, const struct plain_path *path) {
    double g = path->cost > 1 ? path->cost : 1, h = (double)(float)path->to_go;
    if (kind == PLAIN_LEVIN)
        return (float)(real_log(path->depth + 1.0) - path->likelihood);
    return (float)(real_log(g + h) - (kind == PLAIN_PHS ? 1 : 1 + h / g) * path->likelihood);
}

/* The best path that is not done; -1: none. Among equals the first. */
static inline int plain_best(enum plain_kind kind, const struct plain_path *paths, int count) {
    int best = -1;
    for (int i = 0; i < count; i++)
        if (!paths[i].done && (best < 0 || plain_cost(kind, &paths[i]) < plain_cost(kind, &paths[best])))
            best = i;
    return best;
}

/* Whether the path's state was expanded by a path at least as likely; `done` paths with a positive depth of expansion
 * are marked in `expanded`. */
static inline bool plain_cut(const struct plain_path *paths, const bool *expanded, int count, int index) {
    for (int i = 0; i < count; i++)
        if (expanded[i] && paths[i].state.node == paths[index].state.node &&
            paths[i].likelihood >= paths[index].likelihood)
            return true;
    return false;
}

static inline bool plain_seen(const struct plain_path *paths, int count, int64_t node) {
    for (int i = 0; i < count; i++)
        if (paths[i].state.node == node)
            return true;
    return false;
}

static inline void plain_line(const struct plain_path *paths, int at, soloist_move move, struct plain_result *result) {
    result->length = (size_t)paths[at].depth + 1;
    result->moves[result->length - 1] = move;
    for (size_t i = result->length - 1; i-- > 0; at = paths[at].before)
        result->moves[i] = paths[at].move;
}

/* reopen: as in 2018, a path is cut only if its state was expanded by a path at least as likely; otherwise, as in 2021,
 * a state is generated once. temper: changes the priors by a temperature of one half; NULL: they stay. */
static inline struct plain_result plain_search(const soloist_instance *instance, enum plain_kind kind, bool reopen,
                                               void (*temper)(float *priors, int count, double temperature)) {
    struct plain_path *paths = (struct plain_path *)calloc(GUIDED_PATHS, sizeof *paths);
    bool *expanded = (bool *)calloc(GUIDED_PATHS, sizeof *expanded);
    struct plain_result result = {0};
    double step = 0.02;
    int count = 1, at;
    toy_root(instance, &paths[0].state);
    paths[0].before = -1;
    soloist_move moves[TOY_EDGES];
    float priors[TOY_EDGES];
    result.asked = kind != PLAIN_LEVIN && toy_moves(instance, &paths[0].state, moves) > 0;
    if (kind != PLAIN_LEVIN)
        paths[0].to_go = (1 - (double)guided_value(false, instance, &paths[0].state)) / step;
    while (!result.found && (at = plain_best(kind, paths, count)) >= 0) {
        paths[at].done = true;
        if (plain_cut(paths, expanded, count, at))
            continue;
        int move_count = toy_moves(instance, &paths[at].state, moves);
        expanded[at] = true;
        if (!move_count)
            continue;
        result.expanded++;
        result.asked += kind == PLAIN_LEVIN;
        guided_priors(paths[at].state.key, move_count, priors);
        if (temper)
            temper(priors, move_count, 0.5);
        uint64_t asking = 0; /* the network is asked when all children are known, unless one is a goal */
        for (int i = 0; i < move_count && !result.found; i++) {
            struct plain_path path = {.before = at, .depth = paths[at].depth + 1, .move = moves[i]};
            path.state = paths[at].state;
            path.cost = paths[at].cost + toy_apply(instance, &path.state, moves[i], NULL);
            path.likelihood = paths[at].likelihood + real_log((double)priors[i]);
            int32_t last;
            if (toy_ended(instance, &path.state, &last)) {
                result.found = true;
                result.cost = path.cost;
                plain_line(paths, at, moves[i], &result);
                break;
            }
            path.to_go = (1 - (double)guided_value(false, instance, &path.state)) / step;
            soloist_move next[TOY_EDGES];
            bool stuck = !toy_moves(instance, &path.state, next);
            bool seen = plain_seen(paths, count, path.state.node);
            assert_true(count < GUIDED_PATHS);
            paths[count] = path;
            if (seen && (!reopen || plain_cut(paths, expanded, count, count)))
                continue;
            paths[count].done = stuck;
            asking += kind != PLAIN_LEVIN && !stuck;
            count++;
        }
        result.asked += result.found ? 0 : asking;
    }
    free(paths);
    free(expanded);
    return result;
}

#endif
