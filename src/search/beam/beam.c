/* Beam search (Lowerre 1976): goes layer by layer and keeps only the `width` most promising states of every layer, each
 * state once. After a pass the search starts again with a larger width; if the bound is admissible, states that cannot
 * beat the best line so far are dropped. If a pass dropped no other states, it has seen everything, and the best line
 * is optimal.
 *
 * If the domain can make an instance whose task is to get from one given state to another, there are two passes for
 * every width, one from the root and one from the goal: a heuristic that misleads one of them often does not mislead
 * the other. */
#include "search/beam/beam_layers.h"
#include "search/evaluator.h"

#include <stdlib.h>

enum { most_width = 1 << 28 };

#define BEAM_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                       \
    INT(T, width, 64, 1, most_width, "number of states that are kept in each layer in the first pass")                 \
    BOOL(T, widen, 1,                                                                                                  \
         "after each pass, start over with four times the width, until a limit ends the run or the best solution is "  \
         "proved optimal")                                                                                             \
    CHOICE(T, score, BEAM_SCORE_BOUND, "bound|priors|values|playouts",                                                 \
           "what states are ranked by: bound: the domain's estimate or, if it has no estimate, its bound; priors: "    \
           "the product of a network's priors along the path to the state; values: the cost or score so far plus the " \
           "cost or score to come that a network predicts; playouts: the best result of several play-outs")            \
    REAL(T, least_prior, 0, 0, 1,                                                                                      \
         "with score=values: leave out children whose prior is less than this number times the highest prior among "   \
         "the children of the same state")                                                                             \
    INT(T, siblings, 0, 0, most_width,                                                                                 \
        "maximum number of children of one state that are kept in a layer; 0: no limit")                               \
    INT(T, playouts, 8, 1, 1000000, "with score=playouts: number of play-outs per child")                              \
    CHOICE(T, ends, 0, "both|root|goal",                                                                               \
           "where passes start: root: at the root; goal: at the goal; both: at the root and at the goal in turn; "     \
           "passes from the goal need a domain that can be played backwards")
SOLOIST_OPTIONS(beam_options, BEAM_OPTIONS);

enum { ENDS_BOTH, ENDS_ROOT, ENDS_GOAL };

struct widening {
    struct search_run *run;
    const struct beam_options *options;
    struct beam beam;
    size_t width;
    /* The instance whose task is to get from the goal to the root; NULL: the domain cannot make it. */
    soloist_instance *turned;
    void *root, *goal; /* states, needed to turn a line round */
};

/* ---- passes ---- */

static enum beam_next pass_from_root(struct widening *widening) {
    return beam_pass(&widening->beam, widening->run, widening->width);
}

/* A line from the goal to the root becomes one from the root to the goal. */
static void turn_line(struct widening *widening, struct search_line *line) {
    const soloist_instance *instance = widening->run->instance;
    const soloist_reverse *reverse = widening->run->domain->reverse;
    reverse->goal(instance, 0, widening->goal);
    for (size_t i = 0; i < line->count; i++) {
        soloist_move backward = line->moves[i];
        line->moves[i] = reverse->forward(instance, widening->goal, backward);
        reverse->core->apply(instance, widening->goal, backward, NULL);
    }
    for (size_t i = 0; i < line->count / 2; i++) {
        soloist_move keep = line->moves[i];
        line->moves[i] = line->moves[line->count - 1 - i], line->moves[line->count - 1 - i] = keep;
    }
}

/* The search from the goal is a separate run: it begins without a line, but only looks for values better than the best
 * one found so far. */
static enum beam_next pass_from_goal(struct widening *widening) {
    struct search_run *run = widening->run, turned = *run;
    turned.instance = widening->turned;
    turned.watch = NULL; /* its lines go backwards */
    turned.best = (struct search_line){.value = run->best.value};
    enum beam_next next = beam_pass(&widening->beam, &turned, widening->width);
    if (turned.best.moves) {
        turn_line(widening, &turned.best);
        search_record(run, turned.best.moves, turned.best.count, turned.best.value);
    }
    free(turned.best.moves);
    return next;
}

/* If the pass dropped nothing that could be better, its result is proved. */
static enum beam_next pass(struct widening *widening, enum beam_next (*pass_from_end)(struct widening *)) {
    struct search_run *run = widening->run;
    enum beam_next next = pass_from_end(widening);
    search_count_iteration(run);
    if (next == BEAM_GO_ON && !run->optimal && !widening->beam.dropped && !search_spent(run)) {
        run->optimal = run->found;
        run->impossible = !run->found;
    }
    return next;
}

/* ---- widening ---- */

/* If states are expensive to evaluate, the first pass has width 1: it shows what a pass costs, and gives a result even
 * if time is short. */
static size_t first_width(const struct widening *widening) {
    return widening->beam.pace.done && widening->options->widen ? 1 : (size_t)widening->options->width;
}

static size_t wider(const struct widening *widening) {
    size_t width = widening->width, first = (size_t)widening->options->width;
    if (width < first && widening->beam.pace.done)
        return first;
    return width < most_width / 4 ? width * 4 : most_width;
}

/* The width of the next pass; a pass is assumed to cost in proportion to its width. The final pass is planned to use
 * six tenths of what is left, because a beam that no longer fits into the caches is slower than expected; if
 * beam_pace.c adjusts the width during the pass, the pass may be planned to use nearly all of it. Returns 0 if an
 * affordable pass would be much narrower than the previous one. */
static size_t next_width(struct widening *widening, double used_before) {
    size_t width = widening->width, next = wider(widening);
    struct beam_pace *pace = &widening->beam.pace;
    double limit, used = beam_used(widening->run, &limit), cost = used - used_before;
    pace->until = 0;
    if (limit <= 0 || cost <= 0)
        return next;
    double affordable = (double)width * (limit - used) / cost * (pace->done ? 0.9 : 0.6);
    if (affordable >= 4.0 * (double)next || (!widening->run->found && affordable < (double)width))
        return next;
    /* The pass just made was too narrow: its cost does not tell how wide the final pass can be. */
    if (affordable >= 16.0 * (double)width)
        return (size_t)(affordable / 8);
    pace->until = used + (limit - used) * 0.97;
    return affordable < (double)width / 2 ? 0 : affordable < most_width ? (size_t)affordable : most_width;
}

/* Makes the passes of one width. Each pass is an iteration. */
static enum beam_next search_width(struct widening *widening) {
    struct search_run *run = widening->run;
    enum beam_next next = BEAM_GO_ON;
    int ends = widening->turned && !widening->options->score ? widening->options->ends : ENDS_ROOT;
    if (ends != ENDS_GOAL)
        next = pass(widening, pass_from_root);
    if (ends != ENDS_ROOT && next == BEAM_GO_ON && !run->optimal && !run->impossible &&
        (ends == ENDS_GOAL || !search_spent(run)))
        next = pass(widening, pass_from_goal);
    return next;
}

static enum beam_next search(struct widening *widening) {
    struct search_run *run = widening->run;
    enum beam_next next = BEAM_GO_ON;
    double limit;
    widening->width = first_width(widening);
    while (next == BEAM_GO_ON && widening->width && !run->optimal && !search_spent(run)) {
        double used = beam_used(run, &limit);
        next = search_width(widening);
        if (run->impossible || !widening->options->widen)
            break;
        widening->width = next_width(widening, used);
    }
    return next;
}

/* Makes the game from the goal to the root, if the domain can and the options ask for it. */
static soloist_instance *turn(struct widening *widening) {
    const struct search_run *run = widening->run;
    const soloist_reverse *reverse = run->domain->reverse;
    if (run->domain->aim != SOLOIST_LEAST_COST || !reverse || !reverse->between || widening->options->ends == ENDS_ROOT)
        return NULL;
    run->domain->life->root(run->instance, widening->root);
    return reverse->goal(run->instance, 0, widening->goal)
               ? reverse->between(run->instance, widening->goal, widening->root)
               : NULL;
}

static bool beam_suits(const struct search_run *run) {
    const struct beam_options *options = run->options;
    bool scored = run->domain->aim == SOLOIST_MOST_SCORE;
    if (options->score == BEAM_SCORE_PLAYOUTS && (!run->domain->sample || !scored))
        return soloist_fail(run->error, 0, 0,
                            "%.80s: needs a domain that maximises a score and has play-outs of its own", run->method);
    return true;
}

/* Checks that the network gives what the options ask for. */
static bool check_network(struct search_run *run, const struct beam_options *options) {
    int score = options->score;
    return score == BEAM_SCORE_BOUND || score == BEAM_SCORE_PLAYOUTS ||
           search_check_network(run, score == BEAM_SCORE_PRIORS || options->least_prior > 0,
                                score == BEAM_SCORE_VALUES);
}

/* While threads wait for the GPU, their cores are idle. Therefore twice as many threads are used: while one half waits,
 * the other half prepares the next batch. */
static int threads_wanted(const struct search_run *run, int score) {
    bool waits = score != BEAM_SCORE_PLAYOUTS && run->evaluator->apart;
    return waits ? 2 * run->threads : run->threads;
}

/* False: no memory; close it even then. */
static bool open_beam(struct beam *beam, struct search_run *run, const struct beam_options *options) {
    enum beam_score score = (enum beam_score)options->score;
    bool opened = beam_open(beam, run);
    beam->siblings = (size_t)options->siblings;
    if (score == BEAM_SCORE_BOUND || !opened)
        return opened;
    beam->pool = thread_pool_open(beam->memory, threads_wanted(run, score));
    if (!beam->pool)
        return false;
    if (score == BEAM_SCORE_PLAYOUTS)
        return beam_players_open(beam, (int)options->playouts);
    return beam_pace_open(beam) && beam_guide_open(beam, score, score == BEAM_SCORE_VALUES ? options->least_prior : 0);
}

static void close_beam(struct beam *beam) {
    beam_players_close(beam);
    beam_guide_close(beam);
    thread_pool_close(beam->pool);
    beam_merge_close(beam);
    beam_pace_close(beam);
    beam_close(beam);
}

static soloist_code beam_run(struct search_run *run) {
    struct memory *memory = &run->budget->memory;
    struct widening widening = {.run = run, .options = run->options};
    size_t size = run->shape.state_size;
    enum beam_next next = BEAM_FULL;
    if (!check_network(run, widening.options))
        return SOLOIST_UNSUPPORTED;
    bool opened = open_beam(&widening.beam, run, widening.options);
    run->has_iterations = true;
    widening.root = memory_take(memory, size);
    widening.goal = memory_take(memory, size);
    if (opened && widening.root && widening.goal) {
        widening.turned = turn(&widening);
        search_show(run, beam_paint, &widening.beam);
        next = search(&widening);
        search_hide(run);
    }
    if (widening.turned)
        run->domain->life->destroy(widening.turned);
    memory_give(memory, widening.root, size);
    memory_give(memory, widening.goal, size);
    close_beam(&widening.beam);
    if (next == BEAM_FULL)
        return search_full(run);
    return next == BEAM_REFUSED ? SOLOIST_UNSUPPORTED : next == BEAM_FAILED ? SOLOIST_INTERNAL : SOLOIST_OK;
}

static enum search_network beam_network(const void *options) {
    static const enum search_network wanted[] = {SEARCH_NETWORK_NONE, SEARCH_NETWORK_ANY, SEARCH_NETWORK_WITH_VALUES,
                                                 SEARCH_NETWORK_NONE};
    return wanted[((const struct beam_options *)options)->score];
}

const struct search_method search_beam = {
    .name = "beam",
    .summary = "beam search with a growing width: finds good solutions soon and better ones if it has more time",
    .options = beam_options_rows,
    .options_size = sizeof(struct beam_options),
    .needs = SEARCH_NEEDS_ONE_PLAYER,
    .network = beam_network,
    .suits = beam_suits,
    .run = beam_run,
};
