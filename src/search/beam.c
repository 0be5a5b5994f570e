/* Beam search (Lowerre 1976): layer by layer, of every layer only the `width` most promising states, each state once.
 * Finished, it starts again wider, and an admissible bound then leaves out what cannot beat the best line so far. A
 * pass that dropped nothing else has seen everything: that is a proof. */
#include "search/search.h"

#include "base/table.h"

#include <string.h>

enum { most_width = 1 << 28 };

#define BEAM_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                       \
    INT(T, width, 64, 1, most_width, "states kept of a layer in the first pass")                                       \
    BOOL(T, widen, 1, "go on, four times as wide, until a limit ends the run or the best is proved")
SOLOIST_OPTIONS(beam_options, BEAM_OPTIONS);

/* A state of a layer. The state itself follows. */
struct beam_entry {
    uint32_t step; /* in beam->steps: the last of the line that leads here */
    soloist_move move;
    int64_t value; /* cost or score from the root */
};

/* One move of a line, and the step before it. Never changed, so that a line is what it was when it was found. */
struct beam_step {
    uint32_t before; /* POOL_NONE: the root */
    soloist_move move;
};

/* A child that may come into the next layer. */
struct beam_candidate {
    uint64_t key;
    uint32_t parent; /* entry of the layer */
    soloist_move move;
    int32_t value;
    int32_t rank; /* what the line through it may come to; less is better */
};

struct beam_layer {
    unsigned char *entries;
    size_t room, count;
};

/* Ranks further from the layer's best than this share the last place: they are rarely reached. */
enum { beam_ranks = 1 << 12, guess_units = 16 };

struct beam {
    struct search_run *run;
    const soloist_domain *domain;
    const struct beam_options *options;
    struct memory *memory;
    bool goal;                        /* aim: least cost */
    bool admissible;                  /* the bound may drop what cannot beat the best line */
    const soloist_estimate *estimate; /* NULL: the bound, if there is one, must do */
    unsigned want;
    size_t width, entry_size;
    struct table seen; /* packed states of this pass, with their best value */
    struct pool steps;
    struct beam_layer layer, next;
    struct beam_candidate *candidates;
    uint32_t *order; /* candidates by rank */
    size_t candidate_room, candidate_count;
    uint32_t *rank_end; /* [rank]: end of its candidates in order */
    soloist_child *children;
    int32_t *guesses; /* one a child */
    void *packed;
    bool dropped; /* this pass dropped a state that may be on a better line */
    soloist_rng rng;
};

enum beam_next { BEAM_GO_ON, BEAM_FULL, BEAM_REFUSED, BEAM_SPENT };

static struct beam_entry *entry_at(const struct beam *beam, const struct beam_layer *layer, size_t index) {
    return (struct beam_entry *)(void *)(layer->entries + index * beam->entry_size);
}

static bool layer_reserve(struct beam *beam, struct beam_layer *layer) {
    if (layer->count < layer->room)
        return true;
    size_t room = layer->room ? layer->room * 2 : 64;
    void *entries =
        memory_resize(beam->memory, layer->entries, layer->room * beam->entry_size, room * beam->entry_size);
    if (!entries)
        return false;
    layer->entries = entries;
    layer->room = room;
    return true;
}

static void layer_close(struct beam *beam, struct beam_layer *layer) {
    memory_give(beam->memory, layer->entries, layer->room * beam->entry_size);
}

/* Room for as many candidates as one more expansion can give. */
static bool candidates_reserve(struct beam *beam) {
    size_t room = beam->candidate_room;
    if (beam->candidate_count + (size_t)beam->run->shape.most_moves <= room)
        return true;
    size_t grown = 2 * room + (size_t)beam->run->shape.most_moves;
    void *candidates = memory_resize(beam->memory, beam->candidates, room * sizeof *beam->candidates,
                                     grown * sizeof *beam->candidates);
    if (!candidates)
        return false;
    beam->candidates = candidates;
    void *order = memory_resize(beam->memory, beam->order, room * sizeof *beam->order, grown * sizeof *beam->order);
    if (!order) {
        /* back to one size for both */
        beam->candidates = memory_resize(beam->memory, beam->candidates, grown * sizeof *beam->candidates,
                                         room * sizeof *beam->candidates);
        return false;
    }
    beam->order = order;
    beam->candidate_room = grown;
    return true;
}

/* ---- lines ---- */

static bool record(struct beam *beam, uint32_t step, int32_t value) {
    size_t count = 0;
    for (uint32_t at = step; at != POOL_NONE; at = ((struct beam_step *)pool_at(&beam->steps, at))->before)
        count++;
    soloist_move *moves = memory_take(beam->memory, count * sizeof *moves);
    if (!moves)
        return false;
    size_t left = count;
    for (uint32_t at = step; at != POOL_NONE; at = ((struct beam_step *)pool_at(&beam->steps, at))->before)
        moves[--left] = ((struct beam_step *)pool_at(&beam->steps, at))->move;
    search_record(beam->run, moves, count, value);
    memory_give(beam->memory, moves, count * sizeof *moves);
    return true;
}

/* ---- one layer: expand, rank, keep ---- */

/* No line through such a child can beat the best one. */
static bool is_hopeless(const struct beam *beam, int64_t value, int32_t bound) {
    const struct search_run *run = beam->run;
    if (!run->found)
        return false;
    if (beam->goal)
        return value + (beam->admissible ? bound : 0) >= run->best.value;
    return beam->admissible && value + bound <= run->best.value;
}

/* What a line through child number c may come to, in sixteenths where the domain can say so; less is better. */
static int32_t rank_of(const struct beam *beam, int32_t value, int c) {
    int64_t rank = value;
    if (beam->estimate)
        rank = rank * guess_units + beam->guesses[c];
    else if (beam->want & SOLOIST_WANT_BOUND)
        rank += beam->children[c].bound;
    rank = beam->goal ? rank : -rank;
    return rank > INT32_MAX ? INT32_MAX : rank < INT32_MIN ? INT32_MIN : (int32_t)rank;
}

static enum beam_next expand_entry(struct beam *beam, size_t index) {
    struct search_run *run = beam->run;
    const struct beam_entry *entry = entry_at(beam, &beam->layer, index);
    int count =
        beam->estimate
            ? beam->estimate->expand(run->instance, entry + 1, entry->move, beam->want, beam->children, beam->guesses)
            : beam->domain->core->expand(run->instance, entry + 1, entry->move, beam->want, beam->children);
    count = search_count_nodes(run, count);
    search_count_expanded(run, 1);
    for (int c = 0; c < count; c++) {
        const soloist_child *child = &beam->children[c];
        int32_t value = (int32_t)entry->value + child->step;
        if (beam->goal && !search_add_cost(run, (int32_t)entry->value, child->step, &value))
            return BEAM_REFUSED;
        if (!is_hopeless(beam, value, beam->want & SOLOIST_WANT_BOUND ? child->bound : 0))
            beam->candidates[beam->candidate_count++] =
                (struct beam_candidate){child->key, (uint32_t)index, child->move, value, rank_of(beam, value, c)};
    }
    return BEAM_GO_ON;
}

static enum beam_next expand_layer(struct beam *beam) {
    enum beam_next next = BEAM_GO_ON;
    beam->candidate_count = 0;
    for (size_t i = 0; i < beam->layer.count && next == BEAM_GO_ON; i++) {
        if (search_spent(beam->run))
            return BEAM_SPENT;
        next = candidates_reserve(beam) ? expand_entry(beam, i) : BEAM_FULL;
    }
    return next;
}

/* Counting sort. */
static void sort_candidates(struct beam *beam) {
    int64_t best = INT32_MAX;
    for (size_t i = 0; i < beam->candidate_count; i++)
        best = beam->candidates[i].rank < best ? beam->candidates[i].rank : best;
    memset(beam->rank_end, 0, beam_ranks * sizeof *beam->rank_end);
    for (size_t i = 0; i < beam->candidate_count; i++) {
        int64_t rank = beam->candidates[i].rank - best;
        beam->candidates[i].rank = rank < beam_ranks ? (int32_t)rank : beam_ranks - 1;
        beam->rank_end[beam->candidates[i].rank]++;
    }
    uint32_t before = 0;
    for (int rank = 0; rank < beam_ranks; rank++) {
        uint32_t count = beam->rank_end[rank];
        beam->rank_end[rank] = before;
        before += count;
    }
    for (size_t i = 0; i < beam->candidate_count; i++)
        beam->order[beam->rank_end[beam->candidates[i].rank]++] = (uint32_t)i;
}

static void shuffle(struct beam *beam, uint32_t *order, uint32_t count) {
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = soloist_rng_below(&beam->rng, i), keep = order[i - 1];
        order[i - 1] = order[j], order[j] = keep;
    }
}

/* Makes the child, and keeps it unless it was seen as good before. */
static enum beam_next take_candidate(struct beam *beam, const struct beam_candidate *candidate) {
    struct search_run *run = beam->run;
    if (!layer_reserve(beam, &beam->next))
        return BEAM_FULL;
    const struct beam_entry *parent = entry_at(beam, &beam->layer, candidate->parent);
    struct beam_entry *entry = entry_at(beam, &beam->next, beam->next.count);
    memcpy(entry + 1, parent + 1, run->shape.state_size);
    beam->domain->core->apply(run->instance, entry + 1, candidate->move, NULL);
    search_pack(run, entry + 1, beam->packed);
    bool added;
    uint32_t index = table_put(&beam->seen, candidate->key, beam->packed, &added);
    if (index == POOL_NONE)
        return BEAM_FULL;
    int32_t *best = table_extra(&beam->seen, index), last;
    if (!added && !search_better(run, candidate->value, *best))
        return BEAM_GO_ON;
    *best = candidate->value;
    uint32_t step = pool_take(&beam->steps);
    if (step == POOL_NONE)
        return BEAM_FULL;
    *(struct beam_step *)pool_at(&beam->steps, step) = (struct beam_step){parent->step, candidate->move};
    if (beam->domain->core->ended(run->instance, entry + 1, &last))
        return record(beam, step, candidate->value + last) ? BEAM_GO_ON : BEAM_FULL;
    entry->step = step, entry->move = candidate->move, entry->value = candidate->value;
    beam->next.count++;
    return BEAM_GO_ON;
}

/* Asks for what take_candidate will read. */
static void prefetch(const struct beam *beam, const struct beam_candidate *candidate) {
    const char *parent = (const char *)entry_at(beam, &beam->layer, candidate->parent);
    table_prefetch(&beam->seen, candidate->key);
    for (size_t at = 0; at < beam->entry_size; at += 64)
        __builtin_prefetch(parent + at);
}

/* Candidates of one rank, order[begin .. end): all if they fit, else as chance has it. */
static enum beam_next take_rank(struct beam *beam, uint32_t begin, uint32_t end) {
    enum { ahead = 8 };
    enum beam_next next = BEAM_GO_ON;
    if (end - begin > beam->width - beam->next.count)
        shuffle(beam, beam->order + begin, end - begin);
    for (uint32_t at = begin; at < end && next == BEAM_GO_ON && !beam->run->optimal; at++) {
        if (beam->next.count == beam->width) {
            beam->dropped = true;
            break;
        }
        if (at + ahead < beam->candidate_count)
            prefetch(beam, &beam->candidates[beam->order[at + ahead]]);
        next = take_candidate(beam, &beam->candidates[beam->order[at]]);
    }
    return next;
}

static enum beam_next advance(struct beam *beam) {
    enum beam_next next = expand_layer(beam);
    if (next != BEAM_GO_ON)
        return next;
    sort_candidates(beam);
    beam->next.count = 0;
    for (int rank = 0; rank < beam_ranks && next == BEAM_GO_ON; rank++)
        next = take_rank(beam, rank ? beam->rank_end[rank - 1] : 0, beam->rank_end[rank]);
    struct beam_layer keep = beam->layer;
    beam->layer = beam->next;
    beam->next = keep;
    return next;
}

/* ---- passes ---- */

static bool put_root(struct beam *beam) {
    struct search_run *run = beam->run;
    bool added;
    if (!layer_reserve(beam, &beam->layer))
        return false;
    struct beam_entry *entry = entry_at(beam, &beam->layer, 0);
    *entry = (struct beam_entry){.step = POOL_NONE, .move = SOLOIST_NO_MOVE};
    run->domain->life->root(run->instance, entry + 1);
    search_pack(run, entry + 1, beam->packed);
    beam->layer.count = 1;
    return table_put(&beam->seen, run->domain->core->key(run->instance, entry + 1), beam->packed, &added) != POOL_NONE;
}

static enum beam_next pass(struct beam *beam) {
    struct search_run *run = beam->run;
    enum beam_next next = BEAM_GO_ON;
    table_clear(&beam->seen);
    pool_reset(&beam->steps);
    beam->layer.count = 0;
    beam->dropped = false;
    if (!put_root(beam))
        return BEAM_FULL;
    for (int depth = 0; beam->layer.count && next == BEAM_GO_ON && !run->optimal; depth++) {
        search_note(run, "width %zu, depth %d", beam->width, depth);
        next = advance(beam);
    }
    return next;
}

/* How much of the limit that counts has been used, and all of it (0: there is none). */
static double used_of(const struct search_run *run, double *limit) {
    const struct budget *budget = run->budget;
    *limit = budget->limits.time_s > 0 ? budget->limits.time_s : (double)budget->limits.nodes;
    return budget->limits.time_s > 0 ? budget_elapsed(budget) : (double)atomic_load(&budget->nodes);
}

/* A pass costs as its width: the last one takes six tenths of what is left, because wide beams leave the caches. 0: a
 * pass that could be paid for would be much narrower than the last. */
static size_t next_width(const struct beam *beam, double used_before) {
    size_t width = beam->width, wider = width < most_width / 4 ? width * 4 : most_width;
    double limit, used = used_of(beam->run, &limit), cost = used - used_before;
    if (limit <= 0 || cost <= 0)
        return wider;
    double affordable = (double)width * (limit - used) / cost * 0.6;
    if (affordable >= 16.0 * (double)width || (!beam->run->found && affordable < (double)width))
        return wider;
    return affordable < (double)width / 2 ? 0 : (size_t)affordable;
}

static enum beam_next search(struct beam *beam) {
    struct search_run *run = beam->run;
    enum beam_next next = BEAM_GO_ON;
    double limit;
    beam->width = (size_t)beam->options->width;
    while (next == BEAM_GO_ON && beam->width && !run->optimal && !search_spent(run)) {
        double used = used_of(run, &limit);
        next = pass(beam);
        search_count_iteration(run);
        if (next == BEAM_GO_ON && !run->optimal && !beam->dropped && !search_spent(run)) {
            run->optimal = run->found;
            run->impossible = !run->found;
        }
        if (run->impossible || !beam->options->widen)
            break;
        beam->width = next_width(beam, used);
    }
    return next;
}

static soloist_code beam_run(struct search_run *run) {
    const soloist_domain *domain = run->domain;
    struct beam beam = {.run = run, .domain = domain, .options = run->options, .memory = &run->budget->memory};
    size_t children_size = (size_t)run->shape.most_moves * sizeof(soloist_child);
    size_t guesses_size = (size_t)run->shape.most_moves * sizeof(int32_t);
    size_t ranks_size = beam_ranks * sizeof(uint32_t), packed_size = search_packed_size(run);
    beam.goal = domain->aim == SOLOIST_LEAST_COST;
    beam.admissible = domain->bound && domain->bound->admissible(run->instance);
    beam.want = SOLOIST_WANT_KEY | (domain->bound ? SOLOIST_WANT_BOUND : 0);
    beam.estimate = domain->estimate && domain->estimate->known(run->instance) ? domain->estimate : NULL;
    beam.entry_size = memory_round_up(sizeof(struct beam_entry) + run->shape.state_size);
    soloist_rng_seed(&beam.rng, run->seed, 0);
    pool_open(&beam.steps, beam.memory, sizeof(struct beam_step));
    bool opened = table_open(&beam.seen, beam.memory, packed_size, sizeof(int32_t));
    beam.children = memory_take(beam.memory, children_size);
    beam.guesses = memory_take(beam.memory, guesses_size);
    beam.rank_end = memory_take(beam.memory, ranks_size);
    beam.packed = memory_take(beam.memory, packed_size);
    opened = opened && beam.children && beam.guesses && beam.rank_end && beam.packed;
    run->has_iterations = true;
    enum beam_next next = opened ? search(&beam) : BEAM_FULL;
    memory_give(beam.memory, beam.packed, packed_size);
    memory_give(beam.memory, beam.rank_end, ranks_size);
    memory_give(beam.memory, beam.children, children_size);
    memory_give(beam.memory, beam.guesses, guesses_size);
    memory_give(beam.memory, beam.order, beam.candidate_room * sizeof *beam.order);
    memory_give(beam.memory, beam.candidates, beam.candidate_room * sizeof *beam.candidates);
    layer_close(&beam, &beam.layer);
    layer_close(&beam, &beam.next);
    table_close(&beam.seen);
    pool_close(&beam.steps);
    if (next == BEAM_FULL)
        return search_full(run);
    return next == BEAM_REFUSED ? SOLOIST_UNSUPPORTED : SOLOIST_OK;
}

const struct search_method search_beam = {
    .name = "beam",
    .summary = "beam search that widens: good solutions soon, better ones with time",
    .options = beam_options_rows,
    .options_size = sizeof(struct beam_options),
    .needs = SEARCH_NEEDS_ONE_PLAYER,
    .run = beam_run,
};
