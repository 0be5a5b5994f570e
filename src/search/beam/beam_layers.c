/* The layers of a beam search: expand, rank, keep the `width` most promising states, each state once. */
#include "search/beam/beam_layers.h"

#include <string.h>

enum { guess_units = 16 };

static bool layer_reserve(struct beam *beam, struct beam_layer *layer) {
    return layer->count < layer->room ||
           memory_grow(beam->memory, &layer->entries, beam->entry_size, &layer->room, (uint64_t)layer->count + 1);
}

static void layer_close(struct beam *beam, struct beam_layer *layer) {
    memory_give(beam->memory, layer->entries, layer->room * beam->entry_size);
}

/* Makes an array larger, unless it has room for that many elements. NULL: no memory, and the array stays as it is. */
static void *reserve(struct beam *beam, void *array, size_t size, size_t *room, size_t count) {
    if (count <= *room)
        return array;
    void *grown = memory_resize(beam->memory, array, *room * size, count * size);
    *room = grown ? count : *room;
    return grown;
}

bool beam_reserve_candidates(struct beam *beam, size_t more) {
    size_t room = beam->candidate_room;
    if (beam->candidate_count + more <= (room < beam->order_room ? room : beam->order_room))
        return true;
    size_t grown = 2 * beam->order_room + more;
    struct beam_candidate *candidates =
        reserve(beam, beam->candidates, sizeof *candidates, &beam->candidate_room, grown);
    uint32_t *order = candidates ? reserve(beam, beam->order, sizeof *order, &beam->order_room, grown) : NULL;
    beam->candidates = candidates ? candidates : beam->candidates;
    beam->order = order ? order : beam->order;
    return order;
}

/* ---- lines ---- */

bool beam_record(struct beam *beam, uint32_t step, const soloist_move *tail, size_t tail_count, int32_t value) {
    size_t count = 0;
    for (uint32_t at = step; at != POOL_NONE; at = ((struct beam_step *)pool_at(&beam->steps, at))->before)
        count++;
    soloist_move *moves = memory_take(beam->memory, (count + tail_count) * sizeof *moves);
    if (!moves)
        return false;
    size_t left = count;
    for (uint32_t at = step; at != POOL_NONE; at = ((struct beam_step *)pool_at(&beam->steps, at))->before)
        moves[--left] = ((struct beam_step *)pool_at(&beam->steps, at))->move;
    if (tail_count)
        memcpy(moves + count, tail, tail_count * sizeof *moves);
    search_record(beam->run, moves, count + tail_count, value);
    memory_give(beam->memory, moves, (count + tail_count) * sizeof *moves);
    return true;
}

/* ---- one layer: expand, rank, keep ---- */

bool beam_is_hopeless(const struct beam *beam, int64_t value, const soloist_child *child) {
    const struct search_run *run = beam->run;
    int32_t bound = beam->want & SOLOIST_WANT_BOUND ? child->bound : 0;
    if (!run->found)
        return false;
    if (beam->goal)
        return value + (beam->admissible ? bound : 0) >= run->best.value;
    return beam->admissible && value + bound <= run->best.value;
}

/* The predicted cost or score of a line through child number c, as a rank: less is better. If the domain has an
 * estimate, the rank is in sixteenths. */
static int32_t rank_of(const struct beam *beam, int32_t value, int c) {
    int64_t rank = value;
    if (beam->estimate)
        rank = rank * guess_units + beam->guesses[c];
    else if (beam->want & SOLOIST_WANT_BOUND)
        rank += beam->children[c].bound;
    rank = beam->goal ? rank : -rank;
    return rank > INT32_MAX ? INT32_MAX : rank < INT32_MIN ? INT32_MIN : (int32_t)rank;
}

int beam_expand(const struct beam *beam, const struct beam_entry *entry, soloist_child *children, int32_t *guesses) {
    const struct search_run *run = beam->run;
    if (!beam->estimate)
        return search_expand(run, beam->domain->core, entry + 1, entry->move, beam->want, children);
    int count = beam->estimate->expand(run->instance, entry + 1, entry->move, beam->want, children, guesses);
    return search_guard_children(run->guard, beam->want, children, count);
}

static enum beam_next expand_entry(struct beam *beam, size_t index) {
    struct search_run *run = beam->run;
    const struct beam_entry *entry = beam_entry_at(beam, &beam->layer, index);
    int count = search_count_nodes(beam->whole, beam_expand(beam, entry, beam->children, beam->guesses));
    search_count_expanded(beam->whole, 1);
    for (int c = 0; c < count; c++) {
        const soloist_child *child = &beam->children[c];
        int32_t value = search_sum(entry->value, child->step);
        if (beam->goal && !search_add_cost(run, entry->value, child->step, &value))
            return BEAM_REFUSED;
        if (!search_fits(beam->whole, value))
            continue;
        if (!beam_is_hopeless(beam, value, child))
            beam->candidates[beam->candidate_count++] =
                (struct beam_candidate){child->key, (uint32_t)index, child->move, value, rank_of(beam, value, c)};
    }
    return BEAM_GO_ON;
}

static enum beam_next expand_layer(struct beam *beam) {
    enum beam_next next = BEAM_GO_ON;
    beam->candidate_count = 0;
    if (beam->guide)
        return beam_guide_layer(beam);
    for (size_t i = 0; i < beam->layer.count && next == BEAM_GO_ON; i++) {
        if (search_spent(beam->whole))
            return BEAM_SPENT;
        bool room = beam_reserve_candidates(beam, (size_t)beam->run->shape.most_moves);
        next = room ? expand_entry(beam, i) : BEAM_FULL;
    }
    return next == BEAM_GO_ON && beam->players ? beam_play_candidates(beam) : next;
}

/* Sorts the candidates by rank: a counting sort. */
static void sort_candidates(struct beam *beam) {
    int64_t best = INT32_MAX;
    for (size_t i = 0; i < beam->candidate_count; i++)
        best = beam->candidates[i].rank < best ? beam->candidates[i].rank : best;
    beam->best_rank = (int32_t)best;
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

/* Makes the child and keeps it, unless the same state was seen before with a value at least as good, or enough of its
 * siblings have been kept. */
static enum beam_next take_candidate(struct beam *beam, const struct beam_candidate *candidate) {
    struct search_run *run = beam->run;
    if (!layer_reserve(beam, &beam->next))
        return BEAM_FULL;
    if (beam->siblings && beam->kept[candidate->parent] >= beam->siblings) {
        beam->dropped = true;
        return BEAM_GO_ON;
    }
    const struct beam_entry *parent = beam_entry_at(beam, &beam->layer, candidate->parent);
    struct beam_entry *entry = beam_entry_at(beam, &beam->next, beam->next.count);
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
        return beam_record(beam, step, NULL, 0, search_sum(candidate->value, last)) ? BEAM_GO_ON : BEAM_FULL;
    entry->step = step, entry->move = candidate->move, entry->value = candidate->value;
    entry->rank = beam->best_rank + candidate->rank;
    if (beam->siblings)
        beam->kept[candidate->parent]++;
    beam->next.count++;
    return BEAM_GO_ON;
}

/* Prefetches what take_candidate will read. */
static void prefetch(const struct beam *beam, const struct beam_candidate *candidate) {
    const char *parent = (const char *)beam_entry_at(beam, &beam->layer, candidate->parent);
    table_prefetch(&beam->seen, candidate->key);
    for (size_t at = 0; at < beam->entry_size; at += 64)
        __builtin_prefetch(parent + at);
}

/* Takes the candidates of one rank, order[begin .. end): all if they fit, otherwise a random choice. */
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

/* For every state of the layer, resets the number of its children that were kept. False if memory is full. */
static bool count_siblings(struct beam *beam) {
    if (!beam->siblings)
        return true;
    if (beam->kept_room < beam->layer.count) {
        size_t room = beam->layer.room;
        memory_give(beam->memory, beam->kept, beam->kept_room * sizeof *beam->kept);
        beam->kept = memory_take(beam->memory, room * sizeof *beam->kept);
        beam->kept_room = beam->kept ? room : 0;
        if (!beam->kept)
            return false;
    }
    memset(beam->kept, 0, beam->layer.count * sizeof *beam->kept);
    return true;
}

static enum beam_next advance(struct beam *beam) {
    enum beam_next next = expand_layer(beam);
    if (next != BEAM_GO_ON)
        return next;
    sort_candidates(beam);
    if (!count_siblings(beam))
        return BEAM_FULL;
    beam->next.count = 0;
    for (int rank = 0; rank < beam_ranks && next == BEAM_GO_ON; rank++)
        next = take_rank(beam, rank ? beam->rank_end[rank - 1] : 0, beam->rank_end[rank]);
    struct beam_layer keep = beam->layer;
    beam->layer = beam->next;
    beam->next = keep;
    return next;
}

/* ---- a pass ---- */

static bool put_root(struct beam *beam) {
    struct search_run *run = beam->run;
    bool added;
    if (!layer_reserve(beam, &beam->layer))
        return false;
    struct beam_entry *entry = beam_entry_at(beam, &beam->layer, 0);
    *entry = (struct beam_entry){.step = POOL_NONE, .move = SOLOIST_NO_MOVE};
    run->domain->life->root(run->instance, entry + 1);
    search_pack(run, entry + 1, beam->packed);
    beam->layer.count = 1;
    return table_put(&beam->seen, run->domain->core->key(run->instance, entry + 1), beam->packed, &added) != POOL_NONE;
}

/* Entries of a layer are in the order of their ranks. */
static void note_layer(struct beam *beam, int depth) {
    const struct beam_layer *layer = &beam->layer;
    beam->depth = depth;
    beam->layers[depth % BEAM_LAYERS] = (soloist_layer){.depth = depth,
                                                        .states = layer->count,
                                                        .best = beam_entry_at(beam, layer, 0)->rank,
                                                        .worst = beam_entry_at(beam, layer, layer->count - 1)->rank};
}

void beam_paint(const void *subject, struct search_picture *picture) {
    const struct beam *beam = subject;
    picture_kind(picture, SOLOIST_PICTURE_LAYERS);
    picture->shown.layer_width = beam->width;
    picture_depth(picture, beam->depth);
    for (int depth = beam->depth < BEAM_LAYERS ? 0 : beam->depth - BEAM_LAYERS + 1; depth <= beam->depth; depth++)
        picture_layer(picture, beam->layers[depth % BEAM_LAYERS]);
}

enum beam_next beam_pass(struct beam *beam, struct search_run *run, size_t width) {
    enum beam_next next = BEAM_GO_ON;
    const soloist_bound *bound = run->domain->bound;
    const soloist_estimate *estimate = run->domain->estimate;
    beam->run = run;
    beam->width = width;
    beam_pace_begin(beam);
    beam->admissible = bound && bound->admissible(run->instance);
    beam->estimate = estimate && estimate->known(run->instance) ? estimate : NULL;
    table_clear(&beam->seen);
    pool_reset(&beam->steps);
    beam->layer.count = 0;
    beam->dropped = false;
    if (!put_root(beam))
        return BEAM_FULL;
    for (int depth = 0; beam->layer.count && next == BEAM_GO_ON && !run->optimal; depth++) {
        bool full = beam->layer.count >= beam->width;
        search_note(beam->whole, "width %zu, depth %d", beam->width, depth);
        note_layer(beam, depth);
        next = advance(beam);
        beam_pace_step(beam, full);
    }
    return next;
}

bool beam_open(struct beam *beam, struct search_run *whole) {
    const soloist_shape *shape = &whole->shape;
    *beam = (struct beam){.whole = whole, .run = whole, .domain = whole->domain, .memory = &whole->budget->memory};
    beam->goal = whole->domain->aim == SOLOIST_LEAST_COST;
    beam->want = SOLOIST_WANT_KEY | (whole->domain->bound ? SOLOIST_WANT_BOUND : 0);
    beam->entry_size = memory_round_up(sizeof(struct beam_entry) + shape->state_size);
    soloist_rng_seed(&beam->rng, whole->seed, 0);
    pool_open(&beam->steps, beam->memory, sizeof(struct beam_step));
    bool opened = table_open(&beam->seen, beam->memory, search_packed_size(whole), sizeof(int32_t));
    beam->children = memory_take(beam->memory, (size_t)shape->most_moves * sizeof *beam->children);
    beam->guesses = memory_take(beam->memory, (size_t)shape->most_moves * sizeof *beam->guesses);
    beam->rank_end = memory_take(beam->memory, beam_ranks * sizeof *beam->rank_end);
    beam->packed = memory_take(beam->memory, search_packed_size(whole));
    return opened && beam->children && beam->guesses && beam->rank_end && beam->packed;
}

void beam_close(struct beam *beam) {
    const struct search_run *whole = beam->whole;
    memory_give(beam->memory, beam->packed, search_packed_size(whole));
    memory_give(beam->memory, beam->rank_end, beam_ranks * sizeof *beam->rank_end);
    memory_give(beam->memory, beam->children, (size_t)whole->shape.most_moves * sizeof *beam->children);
    memory_give(beam->memory, beam->guesses, (size_t)whole->shape.most_moves * sizeof *beam->guesses);
    memory_give(beam->memory, beam->order, beam->order_room * sizeof *beam->order);
    memory_give(beam->memory, beam->candidates, beam->candidate_room * sizeof *beam->candidates);
    layer_close(beam, &beam->layer);
    layer_close(beam, &beam->next);
    memory_give(beam->memory, beam->kept, beam->kept_room * sizeof *beam->kept);
    table_close(&beam->seen);
    pool_close(&beam->steps);
}
