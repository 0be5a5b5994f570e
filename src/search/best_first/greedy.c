/* Greedy descents. Each descent starts at the root and always goes on to the child for which the cost or score of the
 * move plus the child's bound is best; ties are broken at random. All descents but the first choose a random child
 * instead with probability epsilon. In least-cost domains a descent never enters a state of its own line again, so it
 * cannot go round in circles. */
#include "search/guided/questions.h"
#include "search/picture.h"

#include <string.h>

#define GREEDY_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                     \
    REAL(T, epsilon, 0.1, 0, 1, "probability that a move is random, in every descent except the first")                \
    INT(T, length, 0, 0, 1e6,                                                                                          \
        "maximum number of moves in a descent; 0: the instance's own limit, or 1000 if it has none")                   \
    BOOL(T, improve, 0, "continue after the first solution until a limit ends the run (domains that minimise cost)")   \
    CHOICE(T, bound, 0, "domain|network",                                                                              \
           "what is added to a move's own cost or score to rank the move: domain: the domain's bound; network: the "   \
           "cost to go that a network estimates, in domains that minimise cost")
SOLOIST_OPTIONS(greedy_options, GREEDY_OPTIONS);

enum { BOUND_DOMAIN, BOUND_NETWORK };
enum { units = 16 }; /* a network's estimates are compared in sixteenths of a step */

/* The keys of the current line's states, in a hash table with open addressing; a slot is in use if its stamp is the
 * number of the current descent. If two different states have equal keys, a good move may be missed, but no proof
 * depends on it. */
struct trail {
    uint64_t *keys;
    uint32_t *stamps, mask, stamp;
};

struct greedy {
    struct search_run *run;
    const struct greedy_options *options;
    bool goal;  /* the aim is least cost */
    bool stuck; /* the root has no child */
    unsigned want;
    bool learned;               /* bounds are a network's estimates, in units */
    bool failed;                /* the network failed */
    struct questions questions; /* open if learned */
    int length;
    struct trail trail;
    void *state, *child;
    soloist_child *children;
    soloist_move *line;
    soloist_rng rng;
    int depth, count; /* where the descent is, and how many children its last state had */
    int32_t value;    /* cost or score before that state's move */
    struct picture_games games;
};

static bool trail_has(const struct trail *trail, uint64_t key) {
    for (uint32_t at = (uint32_t)(key >> 32) & trail->mask; trail->stamps[at] == trail->stamp;
         at = (at + 1) & trail->mask)
        if (trail->keys[at] == key)
            return true;
    return false;
}

static void trail_add(struct trail *trail, uint64_t key) {
    uint32_t at = (uint32_t)(key >> 32) & trail->mask;
    while (trail->stamps[at] == trail->stamp)
        at = (at + 1) & trail->mask;
    trail->stamps[at] = trail->stamp;
    trail->keys[at] = key;
}

/* Removes the children whose states are already on the line; returns how many are left. */
static int drop_seen(struct greedy *greedy, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!trail_has(&greedy->trail, greedy->children[i].key))
            greedy->children[kept++] = greedy->children[i];
    return kept;
}

static int64_t promise(const struct greedy *greedy, const soloist_child *child) {
    int64_t sum = greedy->learned ? (int64_t)child->step * units + child->bound
                                  : (int64_t)child->step + (greedy->want & SOLOIST_WANT_BOUND ? child->bound : 0);
    return greedy->goal ? -sum : sum;
}

/* The most promising child; if several are equally good, each is equally likely. */
static const soloist_child *choose(struct greedy *greedy, int count, double epsilon) {
    soloist_child *children = greedy->children;
    if (epsilon > 0 && soloist_rng_unit(&greedy->rng) < epsilon)
        return &children[soloist_rng_below(&greedy->rng, (uint32_t)count)];
    const soloist_child *best = &children[0];
    uint32_t equals = 1;
    for (int i = 1; i < count; i++) {
        int64_t difference = promise(greedy, &children[i]) - promise(greedy, best);
        if (difference > 0) {
            best = &children[i];
            equals = 1;
        } else if (difference == 0 && soloist_rng_below(&greedy->rng, ++equals) == 0) {
            best = &children[i];
        }
    }
    return best;
}

/* Asks the network about the first `count` children, and stores its estimates as their bounds. */
static bool ask(struct greedy *greedy, int count) {
    struct search_run *run = greedy->run;
    struct questions *questions = &greedy->questions;
    int32_t last;
    for (int from = 0, to; from < count; from = to) {
        questions_clear(questions);
        for (to = from; to < count && !questions_are_full(questions); to++) {
            memcpy(greedy->child, greedy->state, run->shape.state_size);
            run->domain->core->apply(run->instance, greedy->child, greedy->children[to].move, NULL);
            greedy->children[to].bound = 0;
            if (!run->domain->core->ended(run->instance, greedy->child, &last))
                questions_add(questions, greedy->child, (uint32_t)to);
        }
        if (!questions_ask(questions))
            return false;
        for (int i = 0; i < questions->count; i++) {
            double cost = guided_cost_to_go(run->evaluator, (double)questions->evaluations[i].value) * units;
            greedy->children[questions->of[i]].bound = cost < 1e9 ? (int32_t)cost : 1000000000;
        }
    }
    return true;
}

/* Whether no line from here can beat the best: costs only grow along a line. */
static bool is_hopeless(const struct greedy *greedy, int32_t value) {
    return greedy->goal && greedy->run->found && value >= greedy->run->best.value;
}

static void descend(struct greedy *greedy, double epsilon) {
    struct search_run *run = greedy->run;
    const soloist_core *core = run->domain->core;
    soloist_move last_move = SOLOIST_NO_MOVE;
    int32_t value = 0, last = 0;
    greedy->trail.stamp++;
    run->domain->life->root(run->instance, greedy->state);
    trail_add(&greedy->trail, core->key(run->instance, greedy->state));
    for (int depth = 0; depth < greedy->length && !search_spent(run); depth++) {
        greedy->depth = depth;
        int count = search_expand(run, core, greedy->state, last_move, greedy->want, greedy->children);
        count = search_count_nodes(run, count);
        search_count_expanded(run, 1);
        greedy->stuck |= !count && !depth;
        if (greedy->goal)
            count = drop_seen(greedy, count);
        if (!count || is_hopeless(greedy, value))
            return;
        if (greedy->learned && !ask(greedy, count)) {
            greedy->failed = true;
            return;
        }
        greedy->count = count;
        greedy->value = value;
        soloist_child child = *choose(greedy, count, epsilon);
        value = search_sum(value, core->apply(run->instance, greedy->state, child.move, NULL));
        greedy->line[depth] = last_move = child.move;
        trail_add(&greedy->trail, child.key);
        if (core->ended(run->instance, greedy->state, &last)) {
            value = search_sum(value, last);
            picture_note_game(&greedy->games, depth + 1, true, value);
            search_record(run, greedy->line, (size_t)depth + 1, value);
            return;
        }
    }
}

/* The descents so far, and the children of the state that the descent has just left. */
static void paint(const void *subject, struct search_picture *picture) {
    const struct greedy *greedy = subject;
    picture_games(&greedy->games, picture);
    for (int i = 0; i < greedy->count; i++) {
        int64_t step = promise(greedy, &greedy->children[i]);
        step = (greedy->goal ? -step : step) / (greedy->learned ? units : 1);
        picture_count(picture, SOLOIST_AXIS_F, 0, greedy->value + step, 1);
    }
    picture_depth(picture, greedy->depth);
    picture_line(picture, greedy->run, greedy->line, (size_t)greedy->depth);
}

static bool is_done(const struct greedy *greedy) {
    const struct search_run *run = greedy->run;
    return greedy->stuck || greedy->failed || run->optimal || (run->found && greedy->goal && !greedy->options->improve);
}

static void search(struct greedy *greedy) {
    for (uint64_t number = 0; !is_done(greedy) && !search_spent(greedy->run); number++) {
        soloist_rng_seed(&greedy->rng, greedy->run->seed, number);
        uint64_t ended = greedy->games.number;
        descend(greedy, number ? greedy->options->epsilon : 0);
        if (greedy->games.number == ended)
            picture_note_game(&greedy->games, greedy->depth, false, 0);
        search_count_iteration(greedy->run);
    }
}

/* The number of slots: a power of two that leaves the table at most half full. */
static uint32_t trail_slots(int length) {
    uint32_t slots = 16;
    while (slots < 2 * ((uint32_t)length + 1))
        slots *= 2;
    return slots;
}

static soloist_code greedy_run(struct search_run *run) {
    const struct greedy_options *options = run->options;
    struct memory *memory = &run->budget->memory;
    struct greedy greedy = {.run = run, .options = options, .goal = run->domain->aim == SOLOIST_LEAST_COST};
    greedy.learned = options->bound == BOUND_NETWORK;
    if (greedy.learned && !search_check_network(run, false, true))
        return SOLOIST_UNSUPPORTED;
    greedy.want = SOLOIST_WANT_KEY | (run->domain->bound && !greedy.learned ? SOLOIST_WANT_BOUND : 0);
    greedy.length = (int)(options->length ? options->length : run->shape.most_steps ? run->shape.most_steps : 1000);
    uint32_t slots = trail_slots(greedy.length);
    size_t children_size = (size_t)run->shape.most_moves * sizeof(soloist_child);
    size_t line_size = (size_t)greedy.length * sizeof(soloist_move);
    greedy.trail.mask = slots - 1;
    greedy.trail.keys = memory_take(memory, slots * sizeof(uint64_t));
    greedy.trail.stamps = memory_take(memory, slots * sizeof(uint32_t));
    greedy.state = memory_take(memory, run->shape.state_size);
    greedy.child = memory_take(memory, run->shape.state_size);
    greedy.children = memory_take(memory, children_size);
    greedy.line = memory_take(memory, line_size);
    run->has_iterations = true;
    bool asks =
        !greedy.learned || questions_open(&greedy.questions, run, questions_room(run, run->shape.most_moves), false);
    if (!greedy.trail.keys || !greedy.trail.stamps || !greedy.state || !greedy.child || !greedy.children ||
        !greedy.line || !asks)
        search_full(run);
    search_show(run, paint, &greedy);
    search(&greedy);
    search_hide(run);
    memory_give(memory, greedy.trail.keys, slots * sizeof(uint64_t));
    memory_give(memory, greedy.trail.stamps, slots * sizeof(uint32_t));
    memory_give(memory, greedy.state, run->shape.state_size);
    memory_give(memory, greedy.child, run->shape.state_size);
    memory_give(memory, greedy.children, children_size);
    memory_give(memory, greedy.line, line_size);
    questions_close(&greedy.questions);
    return greedy.failed ? search_failed(run) : SOLOIST_OK;
}

static bool suits(const struct search_run *run) {
    const struct greedy_options *o = run->options;
    return o->bound != BOUND_NETWORK || run->domain->aim == SOLOIST_LEAST_COST ||
           soloist_fail(run->error, 0, 0, "%.80s: bound=network needs a domain that minimises cost", run->method);
}

static enum search_network network(const void *options) {
    const struct greedy_options *o = options;
    return o->bound == BOUND_NETWORK ? SEARCH_NETWORK_WITH_VALUES : SEARCH_NETWORK_NONE;
}

static unsigned ignores(const void *options) {
    const struct greedy_options *o = options;
    return o->bound == BOUND_NETWORK ? SEARCH_IGNORES_THREADS : search_ignores_threads(options);
}

const struct search_method search_greedy = {
    .name = "greedy",
    .summary = "greedy descents from the root: each plays the most promising moves, and every descent except the first "
               "also plays some random moves",
    .options = greedy_options_rows,
    .options_size = sizeof(struct greedy_options),
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_LIMIT,
    .network = network,
    .ignores = ignores,
    .suits = suits,
    .run = greedy_run,
};
