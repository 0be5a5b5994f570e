/* Rooms consist of at least two adjoining blocks of two by two floor squares. All other floor is corridors. Two rooms
 * are linked by a corridor or because they are adjacent; boxes may obstruct such a link. */
#include "domain/sokoban/feature/feature.h"

#define NO_ROOM 255

struct rooms {
    const struct sokoban *game;
    int count;
    uint8_t *of; /* [size]: the room that each square belongs to */
};

static bool is_block(const struct sokoban *game, int s) {
    return sokoban_is_floor(game, s) && sokoban_is_floor(game, s + 1) && sokoban_is_floor(game, s + game->stride) &&
           sokoban_is_floor(game, s + game->stride + 1);
}

/* Each group of at least two adjoining blocks becomes a room. A square that belongs to two rooms counts as a corridor.
 */
static void mark_rooms(struct rooms *rooms, uint64_t *blocks, uint64_t *shared) {
    const struct sokoban *game = rooms->game;
    uint64_t left[SOKOBAN_WORDS], room[SOKOBAN_WORDS];
    memcpy(left, blocks, sizeof left);
    for (int s; (s = board_lowest(left, game->words)) >= 0;) {
        memset(room, 0, sizeof room);
        bitset_add(room, (unsigned)s);
        board_flood(left, room, -1, game->stride, game->words);
        for (int i = 0; i < game->words; i++)
            left[i] &= ~room[i];
        if (bitset_count(room, (size_t)game->words) < 2 || rooms->count == NO_ROOM)
            continue;
        for (BITSET_EACH(block, room, (size_t)game->words)) {
            int four[4] = {block, block + 1, block + game->stride, block + game->stride + 1};
            for (int i = 0; i < 4; i++) {
                if (rooms->of[four[i]] != NO_ROOM && rooms->of[four[i]] != rooms->count)
                    bitset_add(shared, (unsigned)four[i]);
                rooms->of[four[i]] = (uint8_t)rooms->count;
            }
        }
        rooms->count++;
    }
}

static void add_link(struct guide *guide, const uint64_t *corridor, const uint64_t *from, const uint64_t *to) {
    if (guide->links == FEATURE_MOST_LINKS)
        return;
    struct room_link *link = &guide->link[guide->links++];
    for (int i = 0; i < guide->game->words; i++) {
        link->squares[i] = corridor[i] | from[i] | to[i];
        link->from[i] = from[i];
        link->to[i] = to[i];
    }
}

/* Finds the squares of a room that adjoin a set of squares. */
static bool entries(const struct rooms *rooms, const uint64_t *set, int room, uint64_t *found) {
    const struct sokoban *game = rooms->game;
    bool any = false;
    memset(found, 0, SOKOBAN_WORDS * sizeof *found);
    for (BITSET_EACH(s, set, (size_t)game->words))
        for (int d = 0; d < 4; d++) {
            int next = s + game->step[d];
            if (sokoban_is_floor(game, next) && rooms->of[next] == room) {
                bitset_add(found, (unsigned)next);
                any = true;
            }
        }
    return any;
}

static void link_by_corridor(struct guide *guide, const struct rooms *rooms, const uint64_t *corridor) {
    uint64_t from[SOKOBAN_WORDS], to[SOKOBAN_WORDS];
    for (int a = 0; a < rooms->count; a++) {
        if (!entries(rooms, corridor, a, from))
            continue;
        for (int b = a + 1; b < rooms->count; b++)
            if (entries(rooms, corridor, b, to))
                add_link(guide, corridor, from, to);
    }
}

/* Links two rooms that are adjacent without a corridor between them. */
static void link_neighbours(struct guide *guide, const struct rooms *rooms, int a, int b) {
    const struct sokoban *game = rooms->game;
    uint64_t none[SOKOBAN_WORDS] = {0}, first[SOKOBAN_WORDS] = {0}, from[SOKOBAN_WORDS], to[SOKOBAN_WORDS];
    for (int s = 0; s < game->size; s++)
        if (rooms->of[s] == a)
            bitset_add(first, (unsigned)s);
    if (entries(rooms, first, b, to)) {
        entries(rooms, to, a, from);
        add_link(guide, none, from, to);
    }
}

static void link_rooms(struct guide *guide, const struct rooms *rooms) {
    const struct sokoban *game = rooms->game;
    uint64_t left[SOKOBAN_WORDS] = {0}, corridor[SOKOBAN_WORDS];
    for (BITSET_EACH(s, game->floor, (size_t)game->words))
        if (rooms->of[s] == NO_ROOM)
            bitset_add(left, (unsigned)s);
    for (int s; (s = board_lowest(left, game->words)) >= 0;) {
        memset(corridor, 0, sizeof corridor);
        bitset_add(corridor, (unsigned)s);
        board_flood(left, corridor, -1, game->stride, game->words);
        for (int i = 0; i < game->words; i++)
            left[i] &= ~corridor[i];
        link_by_corridor(guide, rooms, corridor);
    }
    for (int a = 0; a < rooms->count; a++)
        for (int b = a + 1; b < rooms->count; b++)
            link_neighbours(guide, rooms, a, b);
}

void feature_rooms_make(struct guide *guide) {
    const struct sokoban *game = guide->game;
    uint8_t of[64 * SOKOBAN_WORDS];
    uint64_t blocks[SOKOBAN_WORDS] = {0}, shared[SOKOBAN_WORDS] = {0};
    struct rooms rooms = {game, 0, of};
    memset(of, NO_ROOM, sizeof of);
    for (int s = 0; s < game->size; s++)
        if (is_block(game, s))
            bitset_add(blocks, (unsigned)s);
    mark_rooms(&rooms, blocks, shared);
    for (BITSET_EACH(s, shared, (size_t)game->words))
        of[s] = NO_ROOM;
    guide->links = 0;
    link_rooms(guide, &rooms);
}

BOARD_INLINE int count_obstructed(const struct guide *guide, const uint64_t *boxes, int n) {
    uint64_t free[SOKOBAN_WORDS], reach[SOKOBAN_WORDS];
    int count = 0;
    for (int l = 0; l < guide->links; l++) {
        const struct room_link *link = &guide->link[l];
        uint64_t on = 0, arrived = 0;
        for (int i = 0; i < n; i++)
            on |= boxes[i] & link->squares[i];
        if (!on)
            continue;
        for (int i = 0; i < n; i++) {
            free[i] = link->squares[i] & ~boxes[i];
            reach[i] = link->from[i] & ~boxes[i];
        }
        board_flood(free, reach, -1, guide->game->stride, n);
        for (int i = 0; i < n; i++)
            arrived |= reach[i] & link->to[i];
        count += !arrived;
    }
    return count;
}

int feature_rooms(const struct guide *guide, const uint64_t *boxes) {
    int count = 0;
    SOKOBAN_BY_WORDS(guide->game, count = count_obstructed(guide, boxes, n));
    return count;
}
