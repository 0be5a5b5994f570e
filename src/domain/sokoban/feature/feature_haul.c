/* Hauls: breadth-first search over places. The parts around a square are computed when they are first needed. */
#include "domain/sokoban/feature/feature_haul.h"

size_t haul_size(const struct sokoban *game) {
    size_t each = sizeof(uint8_t[4]) + sizeof(uint16_t[4]) + 2 + 4 * sizeof(struct haul_place);
    return ((size_t)game->size * each + 15) & ~(size_t)15;
}

void haul_make(struct haul *haul, const struct sokoban *game, void *block) {
    size_t size = (size_t)game->size;
    haul->game = game;
    haul->places = block;
    haul->least_of = (void *)(haul->places + 4 * size);
    haul->part_next_to = (void *)(haul->least_of + size);
    haul->parts = (void *)(haul->part_next_to + size);
    haul->seen = haul->parts + size;
}

BOARD_INLINE void flood_part(struct haul *haul, int square, int from, int n) {
    const struct sokoban *game = haul->game;
    uint64_t free[SOKOBAN_WORDS], reach[SOKOBAN_WORDS];
    for (int i = 0; i < n; i++) {
        free[i] = haul->free.all[i + 1] & ~board_one(square, i);
        reach[i] = board_one(from, i);
    }
    board_flood(free, reach, -1, game->stride, n);
    uint8_t part = haul->parts[square]++;
    haul->least_of[square][part] = (uint16_t)board_lowest(reach, n);
    for (int d = 0; d < 4; d++) {
        int next = square + game->step[d];
        if (board_has(&haul->free, next) && bitset_has(reach, (unsigned)next))
            haul->part_next_to[square][d] = part;
    }
}

/* Finds the parts into which a box on the square divides the area around it. */
BOARD_INLINE void split(struct haul *haul, int square, int n) {
    const struct sokoban *game = haul->game;
    if (bitset_has(haul->known, (unsigned)square))
        return;
    bitset_add(haul->known, (unsigned)square);
    unsigned near = board_neighbours(&haul->free, square, game->stride);
    haul->parts[square] = 0;
    haul->seen[square] = 0;
    if (near && bitset_has(game->ring_joined, board_ring(&haul->free, square, game->stride))) {
        haul->parts[square] = 1;
        haul->least_of[square][0] = (uint16_t)haul->least;
        if (square == haul->least && haul->least >= 0)
            haul->least_of[square][0] = UINT16_MAX;
        for (int d = 0; d < 4; d++)
            haul->part_next_to[square][d] = near >> d & 1 ? 0 : SOKOBAN_NO_SIDE;
        return;
    }
    memset(haul->part_next_to[square], SOKOBAN_NO_SIDE, 4);
    for (int d = 0; d < 4; d++)
        if (near >> d & 1 && haul->part_next_to[square][d] == SOKOBAN_NO_SIDE)
            flood_part(haul, square, square + game->step[d], n);
}

/* Whether a box on the square is part of a deadlock with the others. */
static bool is_lost(const struct haul *haul, int square, int player) {
    const struct sokoban *game = haul->game;
    uint64_t boxes[SOKOBAN_WORDS];
    for (int i = 0; i < game->words; i++)
        boxes[i] = haul->others[i] | board_one(square, i);
    return sokoban_push_is_dead(game, boxes, square, player) ||
           (game->rules.diagonals && sokoban_closes_diagonal(game, boxes, square, player));
}

BOARD_INLINE void add_place(struct haul *haul, int square, int part, int d, int before, int pushes) {
    haul->seen[square] |= (uint8_t)(1 << part);
    haul->places[haul->count++] =
        (struct haul_place){(uint16_t)square, (uint16_t)before, (uint16_t)pushes, (uint8_t)part, (uint8_t)d};
}

/* Adds the place one push or pull further in direction d. */
BOARD_INLINE void go_on(struct haul *haul, int at, int d, int n) {
    const struct sokoban *game = haul->game;
    struct haul_place place = haul->places[at];
    bool pull = haul->kind == HAUL_PULL;
    int square = place.square, side = pull ? d : 3 - d, to = square + game->step[d];
    if (haul->part_next_to[square][side] != place.part || !board_has(&haul->free, to))
        return;
    if (pull ? !board_has(&haul->free, to + game->step[d]) : !bitset_has(game->live.beside[side], (unsigned)to))
        return;
    if (haul->kind == HAUL_PUSH && !bitset_has(haul->allowed, (unsigned)to))
        return;
    split(haul, to, n);
    int part = haul->part_next_to[to][side];
    if (haul->seen[to] >> part & 1)
        return;
    if (haul->kind == HAUL_PUSH && is_lost(haul, to, square)) {
        haul->seen[to] |= (uint8_t)(1 << part);
        return;
    }
    add_place(haul, to, part, d, at, place.pushes + 1);
}

BOARD_INLINE void run(struct haul *haul, int n) {
    for (int at = 0; at < haul->count; at++)
        for (int d = 0; d < 4; d++)
            go_on(haul, at, d, n);
}

/* Begins a haul that has no places yet. */
BOARD_INLINE void open_haul(struct haul *haul, enum haul_kind kind, const uint64_t *walls, int n) {
    uint64_t *free = board_open(&haul->free, n);
    haul->kind = kind;
    haul->count = 0;
    haul->least = -1;
    for (int i = 0; i < n; i++) {
        haul->others[i] = walls[i];
        free[i] = haul->game->floor[i] & ~walls[i];
        haul->known[i] = 0;
    }
}

/* If the box is on the lowest square of its area and the rest of the area stays connected, the lowest square of the
 * rest is the area's second lowest square. split() does not set this value; it is set here. */
BOARD_INLINE void mend_least(struct haul *haul, const uint64_t *area, int n) {
    if (!bitset_has(haul->known, (unsigned)haul->least) || haul->parts[haul->least] != 1)
        return;
    haul->least_of[haul->least][0] = (uint16_t)bitset_next(area, (size_t)n, (unsigned)haul->least + 1);
}

BOARD_INLINE void from_one(struct haul *haul, enum haul_kind kind, const uint64_t *boxes, int box, int player, int n) {
    uint64_t others[SOKOBAN_WORDS], area[SOKOBAN_WORDS];
    for (int i = 0; i < n; i++) {
        others[i] = boxes[i] & ~board_one(box, i);
        area[i] = board_one(box, i);
    }
    open_haul(haul, kind, others, n);
    board_flood(haul->free.all + 1, area, -1, haul->game->stride, n);
    haul->least = board_lowest(area, n);
    split(haul, box, n);
    if (box == haul->least)
        mend_least(haul, area, n);
    for (int part = 0; part < haul->parts[box]; part++)
        if (haul->least_of[box][part] == player)
            add_place(haul, box, part, 0, 0, 0);
    run(haul, n);
    mend_least(haul, area, n);
}

/* All code in this folder that may take long makes hauls. Therefore, if the search must stop, hauls find nothing. */
static bool is_stopped(struct haul *haul, enum haul_kind kind, const uint64_t *walls) {
    bool stopped = sokoban_must_stop(haul->game);
    if (stopped)
        open_haul(haul, kind, walls, haul->game->words);
    return stopped;
}

void haul_from(struct haul *haul, enum haul_kind kind, const uint64_t *boxes, int box, int player) {
    if (is_stopped(haul, kind, boxes))
        return;
    SOKOBAN_BY_WORDS(haul->game, from_one(haul, kind, boxes, box, player, n));
}

BOARD_INLINE void from_all(struct haul *haul, enum haul_kind kind, const uint64_t *walls, const uint64_t *from, int n) {
    open_haul(haul, kind, walls, n);
    for (BITSET_EACH(square, from, (size_t)n)) {
        if (!board_has(&haul->free, square))
            continue;
        split(haul, square, n);
        for (int part = 0; part < haul->parts[square]; part++)
            add_place(haul, square, part, 0, 0, 0);
    }
    run(haul, n);
}

void haul_from_all(struct haul *haul, enum haul_kind kind, const uint64_t *walls, const uint64_t *from) {
    if (is_stopped(haul, kind, walls))
        return;
    SOKOBAN_BY_WORDS(haul->game, from_all(haul, kind, walls, from, n));
}

void haul_squares(const struct haul *haul, uint64_t *squares) {
    memset(squares, 0, (size_t)haul->game->words * sizeof *squares);
    for (int i = 0; i < haul->count; i++)
        bitset_add(squares, haul->places[i].square);
}
