/* The vicinity of a line (after the optimisers by Damgaard and by Meger): a breadth-first search by pushes and pulls
 * starts from all positions of the line at once and collects a given number of positions. Then an exact search, which
 * is restricted to the collected sets of box squares, finds the cheapest path from the first position to a solution. */
#include "search/special/sokoban/polish_line.h"

#include "base/table.h"
#include "domain/domain.h"

#include <stdlib.h>

struct vicinity {
    struct polish *polish;
    soloist_puzzle puzzle;
    soloist_instance *session; /* a session of the puzzle */
    const struct sokoban *game;
    soloist_shape shape;
    /* The positions collected, with the player's region; the order of their indices serves as the search queue. */
    struct table seen;
    struct table near; /* the sets of box squares of these positions */
    struct sokoban_state *state, *child;
    soloist_child *children;
    void *packed;
    uint64_t most;
};

static bool vicinity_open(struct vicinity *vicinity, struct polish *polish, uint64_t positions) {
    struct memory *memory = &polish->budget->memory;
    soloist_error why;
    *vicinity = (struct vicinity){.polish = polish, .most = positions};
    if (soloist_puzzle_read(&sokoban_domain, "pairs=off,corrals=off", &polish->puzzle->chunk, &vicinity->puzzle, &why))
        return false;
    soloist_work work = {.stop = &polish->budget->token, .threads = 1};
    vicinity->session = sokoban_session(vicinity->puzzle.instance, &work, &why);
    if (!vicinity->session)
        return false;
    vicinity->game = sokoban_of(vicinity->session);
    sokoban_domain.life->shape(vicinity->session, &vicinity->shape);
    vicinity->state = malloc(vicinity->shape.state_size);
    vicinity->child = malloc(vicinity->shape.state_size);
    vicinity->children = malloc(((size_t)vicinity->shape.most_moves + 1) * sizeof *vicinity->children);
    vicinity->packed = calloc(1, vicinity->shape.packed_size + 1);
    return vicinity->state && vicinity->child && vicinity->children && vicinity->packed &&
           table_open(&vicinity->seen, memory, vicinity->shape.packed_size, 0) &&
           table_open(&vicinity->near, memory, (size_t)vicinity->game->words * sizeof(uint64_t), 0);
}

static void vicinity_close(struct vicinity *vicinity) {
    if (vicinity->seen.slots)
        table_close(&vicinity->seen);
    if (vicinity->near.slots)
        table_close(&vicinity->near);
    free(vicinity->state);
    free(vicinity->child);
    free(vicinity->children);
    free(vicinity->packed);
    if (vicinity->session)
        sokoban_domain.life->destroy(vicinity->session);
    if (vicinity->puzzle.instance)
        soloist_puzzle_free(&vicinity->puzzle);
}

/* Adds a position unless it is known. False: memory is full. */
static bool add_position(struct vicinity *vicinity, const struct sokoban_state *state) {
    bool added;
    sokoban_pack.pack(vicinity->session, state, vicinity->packed);
    if (!table_put(&vicinity->seen, state->key, vicinity->packed, &added))
        return false;
    uint64_t key = state->key ^ vicinity->game->player_key[state->player];
    return !added || table_put(&vicinity->near, key, state->boxes, &added) != POOL_NONE;
}

static bool add_line(struct vicinity *vicinity) {
    const struct polish_line *line = &vicinity->polish->line;
    for (size_t i = 0; i <= line->count; i++) {
        memcpy(vicinity->state->boxes, polish_line_boxes(line, i), (size_t)line->game->words * sizeof(uint64_t));
        vicinity->state->player = line->player[i];
        sokoban_state_settle(vicinity->game, vicinity->state);
        if (!add_position(vicinity, vicinity->state))
            return false;
    }
    return true;
}

static bool add_neighbours(struct vicinity *vicinity, const soloist_core *core) {
    const soloist_instance *instance = vicinity->session;
    int count = core->expand(instance, vicinity->state, SOLOIST_NO_MOVE, SOLOIST_WANT_KEY, vicinity->children);
    count = polish_count_nodes(vicinity->polish, count);
    for (int i = 0; i < count; i++) {
        memcpy(vicinity->child, vicinity->state, vicinity->shape.state_size);
        core->apply(instance, vicinity->child, vicinity->children[i].move, NULL);
        if (!add_position(vicinity, vicinity->child))
            return false;
    }
    return true;
}

/* Collects positions. True if the vicinity has become the whole game: no position is left outside. */
static bool grow(struct vicinity *vicinity) {
    for (uint32_t at = 1; at <= table_count(&vicinity->seen); at++) {
        if (table_count(&vicinity->seen) >= vicinity->most || polish_spent(vicinity->polish))
            return false;
        sokoban_pack.unpack(vicinity->session, table_string(&vicinity->seen, at), vicinity->state);
        if (!add_neighbours(vicinity, &sokoban_push_core) || !add_neighbours(vicinity, &sokoban_pull_core))
            return false;
    }
    return true;
}

enum polish_found polish_vicinity(struct polish *polish, uint64_t positions) {
    struct vicinity vicinity;
    enum polish_found found = POLISH_GAVE_UP;
    if (vicinity_open(&vicinity, polish, positions) && add_line(&vicinity)) {
        grow(&vicinity);
        /* From here on only the sets of box squares are needed. */
        table_close(&vicinity.seen);
        vicinity.seen = (struct table){0};
        struct polish_window whole = {0, polish->line.count, 20 * positions, &vicinity.near};
        if (!polish_spent(polish))
            found = polish_search(polish, &whole);
    }
    vicinity_close(&vicinity);
    return found;
}
