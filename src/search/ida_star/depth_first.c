/* The stacks of the depth-first search, and the copy of the search that works on any domain. */
#include "search/ida_star/depth_first.h"

#define FIRST_DEPTH_ROOM 64

static size_t entry_size(const struct depth_first *search) {
    return sizeof(struct depth_first_entry) + search->state_size;
}

static size_t children_size(const struct depth_first *search) { return search->most_moves * sizeof *search->children; }

/* The size of the stack: every level of the tree has at most most_moves entries on it, and one entry beyond the top may
 * be written. */
static size_t waiting_room(const struct depth_first *search, uint32_t depth_room) {
    return depth_room ? ((size_t)depth_room * search->most_moves + 1) * entry_size(search) : 0;
}

bool depth_first_open(struct depth_first *search, const soloist_domain *domain, const soloist_instance *instance,
                      struct memory *memory) {
    soloist_shape shape = {0};
    domain->life->shape(instance, &shape);
    *search = (struct depth_first){.domain = domain,
                                   .instance = instance,
                                   .state_size = (shape.state_size + 7) & ~(size_t)7,
                                   .most_moves = (uint32_t)shape.most_moves,
                                   .ask_all = !domain->bound || !domain->bound->admissible(instance),
                                   .memory = memory};
    search->state = memory_take(memory, search->state_size);
    search->children = memory_take(memory, children_size(search));
    return search->state && search->children && depth_first_grow(search);
}

void depth_first_close(struct depth_first *search) {
    memory_give(search->memory, search->state, search->state_size);
    memory_give(search->memory, search->children, children_size(search));
    memory_give(search->memory, search->path, search->depth_room * sizeof *search->path);
    memory_give(search->memory, search->waiting, waiting_room(search, search->depth_room));
    *search = (struct depth_first){0};
}

/* If one of the two stacks cannot grow, the other keeps its size as well. */
bool depth_first_grow(struct depth_first *search) {
    uint32_t room = search->depth_room ? search->depth_room * 2 : FIRST_DEPTH_ROOM;
    size_t old_size = search->depth_room * sizeof *search->path, new_size = room * sizeof *search->path;
    soloist_move *path = memory_take(search->memory, new_size);
    if (!path)
        return false;
    unsigned char *waiting = memory_resize(search->memory, search->waiting, waiting_room(search, search->depth_room),
                                           waiting_room(search, room));
    if (!waiting) {
        memory_give(search->memory, path, new_size);
        return false;
    }
    if (search->path)
        memcpy(path, search->path, old_size);
    memory_give(search->memory, search->path, old_size);
    search->path = path;
    search->waiting = waiting;
    search->depth_room = room;
    return true;
}

static int expand(struct depth_first *search, soloist_move last) {
    int count =
        search->domain->core->expand(search->instance, search->state, last, SOLOIST_WANT_BOUND, search->children);
    return search_guard_children(search->guard, SOLOIST_WANT_BOUND, search->children, count);
}

enum depth_first_end depth_first_begin(struct depth_first *search, int32_t threshold) {
    const soloist_core *core = search->domain->core;
    int32_t last;
    search->threshold = threshold;
    search->next_threshold = DEPTH_FIRST_NO_THRESHOLD;
    search->waiting_size = 0;
    search->path_length = 0;
    search->cost = 0;
    search->domain->life->root(search->instance, search->state);
    if (core->ended(search->instance, search->state, &last))
        return DEPTH_FIRST_FOUND;
    int count = expand(search, SOLOIST_NO_MOVE);
    search->generated += (uint64_t)count;
    search->expanded++;
    for (int i = count; i-- > 0;) {
        const soloist_child *child = &search->children[i];
        if (!depth_first_can_add(search, 0, child->step))
            return DEPTH_FIRST_REFUSED;
        int32_t value = depth_first_f(child->step, child->bound);
        if (value > threshold) {
            search->next_threshold = value < search->next_threshold ? value : search->next_threshold;
            continue;
        }
        depth_first_push(search->instance, core, (struct depth_first_entry *)(search->waiting + search->waiting_size),
                         child, 1, child->step, search->state, search->state_size, true);
        search->waiting_size += entry_size(search);
    }
    return search->waiting_size ? DEPTH_FIRST_LIMIT : DEPTH_FIRST_EXHAUSTED;
}

/* ---- pieces: the number of moves that lead to the parent of all entries, the number of entries, these moves; then
 * move, cost and bound of each entry, the newest last ---- */

enum { piece_head = 2, piece_entry = 3 };

static struct depth_first_entry *entry_at(const struct depth_first *search, size_t index) {
    return (struct depth_first_entry *)(void *)(search->waiting + index * entry_size(search));
}

/* How many of the entries nearest to the root are given away: half of those that have the least depth, but never all
 * entries. All entries of one depth have the same parent. */
static size_t count_to_give(const struct depth_first *search) {
    size_t all = search->waiting_size / entry_size(search), same = 0;
    while (same < all && entry_at(search, same)->depth == entry_at(search, 0)->depth)
        same++;
    return same < all ? (same + 1) / 2 : same / 2;
}

/* Writes `count` entries from number `first` on, which have the same depth. The path is still the one to the parent of
 * the oldest entries: it changes only below them. */
static bool write_entries(const struct depth_first *search, size_t first, size_t count, struct piece *piece) {
    uint32_t moves = entry_at(search, first)->depth - 1;
    if (!piece_begin(piece, search->memory, piece_head + moves + piece_entry * (uint64_t)count))
        return false;
    piece->words[0] = moves;
    piece->words[1] = (uint32_t)count;
    memcpy(piece->words + piece_head, search->path, moves * sizeof *search->path);
    uint32_t *to = piece->words + piece_head + moves;
    for (size_t i = 0; i < count; i++, to += piece_entry) {
        const struct depth_first_entry *entry = entry_at(search, first + i);
        to[0] = entry->move, to[1] = (uint32_t)entry->cost, to[2] = (uint32_t)entry->bound;
    }
    return true;
}

bool depth_first_give(struct depth_first *search, struct piece *piece) {
    size_t count = count_to_give(search), size = count * entry_size(search);
    if (!count || !write_entries(search, 0, count, piece))
        return false;
    search->waiting_size -= size;
    memmove(search->waiting, search->waiting + size, search->waiting_size);
    return true;
}

bool depth_first_pop(struct depth_first *search, struct piece *piece) {
    size_t count = search->waiting_size / entry_size(search);
    if (!count || !write_entries(search, count - 1, 1, piece))
        return false;
    search->waiting_size -= entry_size(search);
    return true;
}

bool depth_first_take(struct depth_first *search, int32_t threshold, const uint32_t *piece) {
    const soloist_core *core = search->domain->core;
    uint32_t moves = piece[0], count = piece[1];
    const uint32_t *from = piece + piece_head + moves;
    while (search->depth_room <= moves + 1)
        if (!depth_first_grow(search))
            return false;
    search->threshold = threshold;
    search->waiting_size = 0;
    search->domain->life->root(search->instance, search->state);
    for (uint32_t i = 0; i < moves; i++) {
        search->path[i] = piece[piece_head + i];
        core->apply(search->instance, search->state, search->path[i], NULL);
    }
    for (uint32_t i = 0; i < count; i++, from += piece_entry) {
        soloist_child child = {.move = from[0], .bound = (int32_t)from[2]};
        depth_first_push(search->instance, core, entry_at(search, i), &child, moves + 1, (int32_t)from[1],
                         search->state, search->state_size, true);
        search->waiting_size += entry_size(search);
    }
    return true;
}

/* A recursive search would not yet have generated the siblings to the right of the path, so they are subtracted. */
void depth_first_uncount(struct depth_first *search) {
    const soloist_core *core = search->domain->core;
    soloist_move last = SOLOIST_NO_MOVE;
    search->domain->life->root(search->instance, search->state);
    for (uint32_t depth = 0; depth < search->path_length; depth++) {
        int i = expand(search, last);
        last = search->path[depth];
        while (search->children[--i].move != last)
            search->generated--;
        core->apply(search->instance, search->state, last, NULL);
    }
}

enum depth_first_end depth_first_generic(struct depth_first *search, uint64_t limit) {
    return depth_first_search(search, search->instance, search->domain->core, search->state_size, 0, search->state,
                              search->children, limit);
}
