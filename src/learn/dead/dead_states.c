#include "learn/dead/dead_states.h"

#include "base/buffer.h"
#include "base/table.h"
#include "engine/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void dead_pair_free(struct dead_pair *pair) {
    free(pair->dead);
    free(pair->live);
    *pair = (struct dead_pair){0};
}

static bool no_memory(soloist_error *error) { return soloist_fail(error, 0, 0, "no memory to make positions"); }

static bool read_puzzle(const struct dead_maker *maker, const char *options, const char *text, size_t length,
                        soloist_puzzle *puzzle, soloist_error *error) {
    soloist_chunk chunk = {.text = text, .length = length, .line = 1};
    return soloist_puzzle_read(maker->domain, options, &chunk, puzzle, error) == SOLOIST_OK;
}

/* A state as text; NULL: no memory. */
static char *print_state(const soloist_domain *domain, const soloist_instance *instance, const void *state) {
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    domain->text->print(instance, state, &sink);
    return buffer_take(&buffer);
}

static void shuffle(soloist_move *moves, int count, soloist_rng *rng) {
    for (int i = count; i > 1; i--) {
        int k = (int)soloist_rng_below(rng, (uint32_t)i);
        soloist_move move = moves[i - 1];
        moves[i - 1] = moves[k], moves[k] = move;
    }
}

/* ---- by rules ---- */

struct descent {
    const struct dead_maker *maker;
    const soloist_core *core;
    const soloist_instance *plain, *strict;
    soloist_shape shape;
    struct memory memory;
    struct table seen; /* packed states that were visited or wait for a visit */
    uint32_t *stack;   /* indices of the waiting states */
    uint32_t count, room;
    void *state, *child, *packed, *chosen;
    soloist_move *moves;
    uint32_t dead; /* dead states seen so far; one of them is `chosen` */
    soloist_rng rng;
};

static void *packed_form(struct descent *d, const void *state) {
    const soloist_pack *pack = d->maker->domain->pack;
    if (pack)
        pack->pack(d->plain, state, d->packed);
    else
        memcpy(d->packed, state, d->shape.state_size);
    return d->packed;
}

/* Lets a state wait for its visit unless it was seen before. False: no memory. */
static bool wait(struct descent *d, const void *state) {
    bool added;
    uint32_t index = table_put(&d->seen, d->core->key(d->plain, state), packed_form(d, state), &added);
    if (index == POOL_NONE)
        return false;
    if (!added)
        return true;
    if (!memory_grow(&d->memory, &d->stack, sizeof *d->stack, &d->room, (uint64_t)d->count + 1))
        return false;
    d->stack[d->count++] = index;
    return true;
}

static void wake(struct descent *d) {
    const soloist_pack *pack = d->maker->domain->pack;
    memcpy(d->packed, table_string(&d->seen, d->stack[--d->count]), d->seen.string_size);
    if (pack)
        pack->unpack(d->plain, d->packed, d->state);
    else
        memcpy(d->state, d->packed, d->shape.state_size);
}

static bool is_dead(const struct descent *d) {
    const soloist_bound *bound = d->maker->domain->bound;
    return bound &&
           ((bound->dead && bound->dead(d->strict, d->state)) || bound->value(d->strict, d->state) == SOLOIST_DEAD);
}

/* The search goes on below dead states, as in Ge 2018: there the rules are applied to the states that it visited. */
static bool visit(struct descent *d) {
    int32_t last;
    wake(d);
    if (d->core->ended(d->plain, d->state, &last))
        return true;
    if (is_dead(d) && !soloist_rng_below(&d->rng, ++d->dead))
        memcpy(d->chosen, d->state, d->shape.state_size);
    int count = d->core->moves(d->plain, d->state, d->moves);
    shuffle(d->moves, count, &d->rng);
    for (int i = 0; i < count; i++) {
        memcpy(d->child, d->state, d->shape.state_size);
        d->core->apply(d->plain, d->child, d->moves[i], NULL);
        if (!wait(d, d->child))
            return false;
    }
    return true;
}

static bool descend(struct descent *d) {
    size_t state = d->shape.state_size, most = (size_t)d->shape.most_moves + 1;
    size_t packed = d->maker->domain->pack ? d->shape.packed_size : state;
    memory_open(&d->memory, 0);
    bool good = table_open(&d->seen, &d->memory, packed, 0);
    d->state = malloc(state), d->child = malloc(state), d->packed = malloc(packed + 1), d->chosen = malloc(state);
    d->moves = malloc(most * sizeof *d->moves);
    good = good && d->state && d->child && d->packed && d->chosen && d->moves;
    if (good) {
        d->maker->domain->life->root(d->plain, d->child);
        good = wait(d, d->child);
    }
    for (int64_t visited = 0; good && d->count && visited < d->maker->most; visited++)
        good = visit(d);
    return good;
}

static void descent_close(struct descent *d) {
    table_close(&d->seen);
    memory_give(&d->memory, d->stack, d->room * sizeof *d->stack);
    free(d->state), free(d->child), free(d->packed), free(d->chosen);
    free(d->moves);
}

static bool search_plain(const struct dead_maker *maker, const soloist_puzzle *plain, const soloist_session *strict,
                         uint64_t seed, struct dead_pair *pair, soloist_error *error) {
    struct descent d = {.maker = maker, .core = maker->domain->core, .plain = plain->instance};
    d.strict = session_instance(strict);
    maker->domain->life->shape(plain->instance, &d.shape);
    soloist_rng_seed(&d.rng, seed, 0);
    bool good = descend(&d);
    if (good && d.dead)
        good = (pair->dead = print_state(maker->domain, d.plain, d.chosen)) != NULL;
    descent_close(&d);
    return good || no_memory(error);
}

bool dead_by_rules(const struct dead_maker *maker, const char *text, size_t length, uint64_t seed,
                   struct dead_pair *pair, soloist_error *error) {
    soloist_puzzle plain, strict;
    *pair = (struct dead_pair){0};
    if (!read_puzzle(maker, maker->plain, text, length, &plain, error))
        return false;
    bool good = read_puzzle(maker, maker->strict, text, length, &strict, error);
    if (good) {
        soloist_session *session = soloist_session_open(maker->engine, &strict, NULL, NULL, error);
        good = session && search_plain(maker, &plain, session, seed, pair, error);
        soloist_session_close(session);
        soloist_puzzle_free(&strict);
    }
    soloist_puzzle_free(&plain);
    return good;
}

/* ---- by exhaustive search ---- */

enum outlook { OUTLOOK_LIVE, OUTLOOK_DEAD, OUTLOOK_UNKNOWN, OUTLOOK_FAILED };

static enum outlook solve_text(const struct dead_maker *maker, const char *text, soloist_error *error) {
    soloist_limits limits = {.nodes = maker->nodes};
    soloist_puzzle puzzle;
    soloist_result result;
    if (!text)
        return no_memory(error), OUTLOOK_FAILED;
    if (!read_puzzle(maker, NULL, text, strlen(text), &puzzle, error))
        return OUTLOOK_FAILED;
    soloist_code code = soloist_solve(maker->engine, &puzzle, maker->method, &limits, NULL, &result, error);
    /* The search has no memory limit of its own, so that it depends on the puzzle alone what is left out. */
    if (code == SOLOIST_OK && result.stopped == SOLOIST_STOP_MEMORY)
        code = SOLOIST_NO_MEMORY, no_memory(error);
    enum outlook outlook = code != SOLOIST_OK                    ? OUTLOOK_FAILED
                           : result.status == SOLOIST_SOLVED     ? OUTLOOK_LIVE
                           : result.status == SOLOIST_IMPOSSIBLE ? OUTLOOK_DEAD
                                                                 : OUTLOOK_UNKNOWN;
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    return outlook;
}

struct walk {
    const struct dead_maker *maker;
    soloist_puzzle puzzle;
    soloist_shape shape;
    unsigned char *state, *child, *next;
    soloist_move *moves;
    soloist_rng rng;
    uint32_t parents; /* positions with children of both kinds seen so far */
};

/* What one position's children are: the first of each kind, in random order. */
struct family {
    char *dead, *live; /* texts */
    bool goes_on;      /* walk->next is a child with a solution, where play has not ended */
};

/* Looks at one child; false with an error. */
static bool look_at(struct walk *walk, struct family *family, soloist_error *error) {
    const struct dead_maker *maker = walk->maker;
    const soloist_instance *instance = walk->puzzle.instance;
    int32_t last;
    if (maker->domain->core->ended(instance, walk->child, &last))
        return true;
    char *text = print_state(maker->domain, instance, walk->child);
    enum outlook outlook = solve_text(maker, text, error);
    char **place = outlook == OUTLOOK_DEAD ? &family->dead : outlook == OUTLOOK_LIVE ? &family->live : NULL;
    if (outlook == OUTLOOK_LIVE && !family->goes_on) {
        memcpy(walk->next, walk->child, walk->shape.state_size);
        family->goes_on = true;
    }
    if (place && !*place)
        *place = text;
    else
        free(text);
    return outlook != OUTLOOK_FAILED;
}

/* Looks at a position's children until both kinds are known. If it has both, it becomes the chosen one with a
 * probability that makes all such positions of the walk equally likely. */
static bool take_step(struct walk *walk, struct dead_pair *pair, bool *goes_on, soloist_error *error) {
    const soloist_core *core = walk->maker->domain->core;
    struct family family = {0};
    int count = core->moves(walk->puzzle.instance, walk->state, walk->moves);
    bool good = true;
    shuffle(walk->moves, count, &walk->rng);
    for (int i = 0; good && i < count && !(family.dead && family.live); i++) {
        memcpy(walk->child, walk->state, walk->shape.state_size);
        core->apply(walk->puzzle.instance, walk->child, walk->moves[i], NULL);
        good = look_at(walk, &family, error);
    }
    if (good && family.dead && family.live && !soloist_rng_below(&walk->rng, ++walk->parents)) {
        dead_pair_free(pair);
        *pair = (struct dead_pair){family.dead, family.live};
    } else {
        free(family.dead);
        free(family.live);
    }
    *goes_on = family.goes_on;
    if (family.goes_on)
        memcpy(walk->state, walk->next, walk->shape.state_size);
    return good;
}

bool dead_by_search(const struct dead_maker *maker, const char *text, size_t length, uint64_t seed,
                    struct dead_pair *pair, soloist_error *error) {
    struct walk walk = {.maker = maker};
    *pair = (struct dead_pair){0};
    if (!read_puzzle(maker, maker->plain, text, length, &walk.puzzle, error))
        return false;
    maker->domain->life->shape(walk.puzzle.instance, &walk.shape);
    size_t size = walk.shape.state_size;
    walk.state = malloc(3 * size);
    walk.moves = malloc(((size_t)walk.shape.most_moves + 1) * sizeof *walk.moves);
    bool good = (walk.state && walk.moves) || no_memory(error), goes_on = true;
    if (good) {
        walk.child = walk.state + size;
        walk.next = walk.state + 2 * size;
        maker->domain->life->root(walk.puzzle.instance, walk.state);
        soloist_rng_seed(&walk.rng, seed, 0);
    }
    for (int64_t step = 0; good && goes_on && step < maker->most; step++)
        good = take_step(&walk, pair, &goes_on, error);
    free(walk.moves);
    free(walk.state);
    soloist_puzzle_free(&walk.puzzle);
    if (!good)
        dead_pair_free(pair);
    return good;
}

/* ---- the area under the curve ---- */

static int by_value(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

double dead_area(float *dead, size_t dead_count, float *live, size_t live_count) {
    double pairs = 0;
    if (!dead_count || !live_count)
        return NAN;
    qsort(dead, dead_count, sizeof *dead, by_value);
    qsort(live, live_count, sizeof *live, by_value);
    for (size_t i = 0, below = 0, upto = 0; i < live_count; i++) {
        while (below < dead_count && dead[below] < live[i])
            below++;
        while (upto < dead_count && dead[upto] <= live[i])
            upto++;
        pairs += (double)below + (double)(upto - below) / 2;
    }
    return pairs / ((double)dead_count * (double)live_count);
}
