/* The cube of 3 x 3 x 3, solved with few turns of faces by the two-phase algorithm (Kociemba 1992), as a domain with
 * tables. The solutions are good, but not proved to be the shortest.
 *
 * cc -shared -fPIC -O3 -I../include cube3.c -o cube3.so
 * soloist generate cube3 --plugin ./cube3.so > cube.txt; soloist solve --plugin ./cube3.so cube.txt
 *
 * The first phase brings the cube into the positions that half turns of R, F, L, B and any turns of U, D can solve: no
 * corner is twisted, no edge is flipped, and the four edges of the middle slice are in it. The second phase uses only
 * these turns. In the first phase the bound is the distance to its end, by tables, plus a constant (the option `rest`)
 * for the second phase; in the second phase it is the distance to the goal, by other tables. With this bound IDA*
 * does what Kociemba's program does: it enumerates first phases of growing length, and accepts one if the second phase
 * is short enough. The constant makes the bound inadmissible, and says so: a small one gives shorter solutions later.
 *
 * Two turns in a row are never of the same face, and of two opposite faces the one that comes first in URFDLB is turned
 * first. So a state holds the face that was turned last; a file may have it after a slash behind the stickers. */
#define SIDE 3
#include "cube_faces.h"

enum { EDGES = 12, TWISTS = 2187, FLIPS = 2048, EDGE_FOURS = 20736, CORNER_FOURS = 4096, NO_FACE = 6 };
enum { SLICES = 495, ORDERS = 24, ARRANGEMENTS = 40320, SECOND_TURNS = 10, UNKNOWN = 255, NO_INDEX = 0xffff };

static const char edge_names[EDGES][3] = {"UR", "UF", "UL", "UB", "DR", "DF", "DL", "DB", "FR", "FL", "BL", "BR"};
static const int second_turns[SECOND_TURNS] = {0, 1, 2, 4, 7, 9, 10, 11, 13, 16};

/* Twists of all corners and flips of all edges as one number each. Then the places of four pieces each, as the digits
 * of a number: the edges of the middle slice, of U and of D, and the corners of U and of D. */
struct cube_state {
    uint16_t twists, flips, slice, up, down, up_corners, down_corners, last;
};

/* What each turn does to these numbers. */
struct maps {
    uint16_t twists[TWISTS][TURNS], flips[FLIPS][TURNS], edges[EDGE_FOURS][TURNS], corners[CORNER_FOURS][TURNS];
};

/* Distances, and smaller numbers for the places of four pieces. */
struct cube_tables {
    uint16_t set[EDGE_FOURS];        /* which four places, whatever piece is where */
    unsigned char order[EDGE_FOURS]; /* the order of the four pieces along their places */
    uint16_t up_places[EDGE_FOURS];  /* which places of the second phase the four edges of U are in */
    uint16_t corner_places[CORNER_FOURS];
    unsigned char corner_order[CORNER_FOURS];
    unsigned char flips_and_slice[FLIPS * SLICES], twists_and_slice[TWISTS * SLICES], twists_and_flips[TWISTS * FLIPS];
    unsigned char corners_and_slice[ARRANGEMENTS * ORDERS], edges_and_slice[ARRANGEMENTS * ORDERS];
};

struct soloist_instance {
    struct maps *maps; /* a session borrows them */
    bool borrows;
    const struct cube_tables *tables; /* NULL: none are attached */
    int rest;
    struct cube_state start;
};

#define DOMAIN_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                     \
    INT(T, rest, 9, 0, 18,                                                                                             \
        "turns that the second phase is taken to need as long as the first is not over; fewer: shorter solutions, "    \
        "found later")
SOLOIST_OPTIONS(cube3_options, DOMAIN_OPTIONS);

/* ---- pieces ---- */

struct pieces {
    int corner[CORNERS], twist[CORNERS]; /* the corner at each place */
    int edge[EDGES], flip[EDGES];
};

static bool read_edges(const char colours[STICKERS], struct pieces *cube) {
    unsigned seen = 0;
    for (int i = 0; i < EDGES; i++) {
        char first = colours[named_sticker(edge_names[i], 0)], second = colours[named_sticker(edge_names[i], 1)];
        cube->edge[i] = -1;
        for (int e = 0; e < EDGES; e++)
            for (int flip = 0; flip < 2; flip++)
                if (first == edge_names[e][flip] && second == edge_names[e][!flip])
                    cube->edge[i] = e, cube->flip[i] = flip;
        if (cube->edge[i] < 0 || seen >> cube->edge[i] & 1)
            return false;
        seen |= 1u << cube->edge[i];
    }
    return true;
}

static bool is_odd(const int *items, int count) {
    int swaps = 0;
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++)
            swaps += items[k] < items[i];
    return swaps % 2;
}

/* False if no turns lead from a solved cube to these stickers. */
static bool find_pieces(const char colours[STICKERS], struct pieces *cube) {
    int twists = 0, flips = 0;
    for (int f = 0; f < FACES; f++)
        if (colours[f * PER_FACE + PER_FACE / 2] != letters[f])
            return false;
    if (!read_corners(colours, cube->corner, cube->twist) || !read_edges(colours, cube))
        return false;
    for (int i = 0; i < CORNERS; i++)
        twists += cube->twist[i];
    for (int i = 0; i < EDGES; i++)
        flips += cube->flip[i];
    return twists % 3 == 0 && flips % 2 == 0 && is_odd(cube->corner, CORNERS) == is_odd(cube->edge, EDGES);
}

static void paint(const struct pieces *cube, char colours[STICKERS]) {
    paint_solved(colours);
    for (int i = 0; i < CORNERS; i++)
        for (int s = 0; s < 3; s++)
            colours[named_sticker(corner_names[i], (s + cube->twist[i]) % 3)] = corner_names[cube->corner[i]][s];
    for (int i = 0; i < EDGES; i++)
        for (int s = 0; s < 2; s++)
            colours[named_sticker(edge_names[i], s)] = edge_names[cube->edge[i]][s ^ cube->flip[i]];
}

/* ---- numbers ---- */

static int number_of_twists(const int twist[CORNERS]) {
    int number = 0;
    for (int i = 0; i < CORNERS - 1; i++) /* the last follows from the others */
        number = number * 3 + twist[i];
    return number;
}

static void twists_of_number(int number, int twist[CORNERS]) {
    int sum = 0;
    for (int i = CORNERS - 2; i >= 0; i--, number /= 3)
        sum += twist[i] = number % 3;
    twist[CORNERS - 1] = (3 - sum % 3) % 3;
}

static int number_of_flips(const int flip[EDGES]) {
    int number = 0;
    for (int i = 0; i < EDGES - 1; i++)
        number = number * 2 + flip[i];
    return number;
}

static void flips_of_number(int number, int flip[EDGES]) {
    int sum = 0;
    for (int i = EDGES - 2; i >= 0; i--, number /= 2)
        sum += flip[i] = number % 2;
    flip[EDGES - 1] = sum % 2;
}

/* The places of four pieces as digits of a number to the base `places`. */
static int number_of_four(const int place[4], int places) {
    return ((place[0] * places + place[1]) * places + place[2]) * places + place[3];
}

/* False if two of the places are the same: no position has such a number. */
static bool four_of_number(int number, int place[4], int places) {
    for (int i = 3; i >= 0; i--, number /= places)
        place[i] = number % places;
    for (int i = 0; i < 4; i++)
        for (int k = i + 1; k < 4; k++)
            if (place[i] == place[k])
                return false;
    return true;
}

/* Where the pieces first .. first + 3 are. */
static uint16_t find_four(const int *pieces, int count, int first) {
    int place[4] = {0};
    for (int i = 0; i < count; i++)
        if (pieces[i] >= first && pieces[i] < first + 4)
            place[pieces[i] - first] = i;
    return (uint16_t)number_of_four(place, count);
}

static void put_four(int *pieces, int count, int first, int number) {
    int place[4];
    four_of_number(number, place, count);
    for (int i = 0; i < 4; i++)
        pieces[place[i]] = first + i;
}

static struct cube_state state_of_pieces(const struct pieces *cube) {
    return (struct cube_state){.twists = (uint16_t)number_of_twists(cube->twist),
                               .flips = (uint16_t)number_of_flips(cube->flip),
                               .slice = find_four(cube->edge, EDGES, 8),
                               .up = find_four(cube->edge, EDGES, 0),
                               .down = find_four(cube->edge, EDGES, 4),
                               .up_corners = find_four(cube->corner, CORNERS, 0),
                               .down_corners = find_four(cube->corner, CORNERS, 4),
                               .last = NO_FACE};
}

static struct pieces pieces_of_state(const struct cube_state *state) {
    struct pieces cube;
    twists_of_number(state->twists, cube.twist);
    flips_of_number(state->flips, cube.flip);
    put_four(cube.edge, EDGES, 8, state->slice);
    put_four(cube.edge, EDGES, 0, state->up);
    put_four(cube.edge, EDGES, 4, state->down);
    put_four(cube.corner, CORNERS, 0, state->up_corners);
    put_four(cube.corner, CORNERS, 4, state->down_corners);
    return cube;
}

/* ---- maps ---- */

/* What a turn does to four pieces: the one at place moved[i] goes to place i. */
static void map_fours(uint16_t (*map)[TURNS], int numbers, int turn, const int *moved, int places) {
    int to[EDGES], place[4];
    for (int i = 0; i < places; i++)
        to[moved[i]] = i;
    for (int n = 0; n < numbers; n++) {
        map[n][turn] = NO_INDEX;
        if (!four_of_number(n, place, places))
            continue;
        for (int i = 0; i < 4; i++)
            place[i] = to[place[i]];
        map[n][turn] = (uint16_t)number_of_four(place, places);
    }
}

static void map_turn(struct maps *maps, int turn) {
    char colours[STICKERS];
    struct pieces moved;
    int before[EDGES], after[EDGES];
    paint_solved(colours);
    turn_stickers(colours, turn);
    find_pieces(colours, &moved);
    for (int n = 0; n < TWISTS; n++) {
        twists_of_number(n, before);
        for (int i = 0; i < CORNERS; i++)
            after[i] = (before[moved.corner[i]] + moved.twist[i]) % 3;
        maps->twists[n][turn] = (uint16_t)number_of_twists(after);
    }
    for (int n = 0; n < FLIPS; n++) {
        flips_of_number(n, before);
        for (int i = 0; i < EDGES; i++)
            after[i] = before[moved.edge[i]] ^ moved.flip[i];
        maps->flips[n][turn] = (uint16_t)number_of_flips(after);
    }
    map_fours(maps->edges, EDGE_FOURS, turn, moved.edge, EDGES);
    map_fours(maps->corners, CORNER_FOURS, turn, moved.corner, CORNERS);
}

/* ---- tables ---- */

static struct cube_state solved_state(void) {
    static const struct pieces solved = {{0, 1, 2, 3, 4, 5, 6, 7}, {0}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {0}};
    return state_of_pieces(&solved);
}

/* Numbers the sets of places, the orders of pieces in them, and the places of four pieces among the first eight. */
static void number_fours(int numbers, int places, uint16_t *set, unsigned char *order, uint16_t *among_eight) {
    uint16_t of_mask[1 << EDGES], sets = 0, eights = 0;
    int place[4];
    memset(of_mask, 0xff, sizeof of_mask);
    for (int n = 0; n < numbers; n++) {
        among_eight[n] = NO_INDEX;
        if (!four_of_number(n, place, places))
            continue;
        int mask = 1 << place[0] | 1 << place[1] | 1 << place[2] | 1 << place[3];
        if (of_mask[mask] == NO_INDEX)
            of_mask[mask] = sets++;
        if (set)
            set[n] = of_mask[mask];
        order[n] = (unsigned char)number_of_permutation(place, 4);
        if (mask < 1 << 8)
            among_eight[n] = eights++;
    }
}

/* Two numbers that turns change independently of each other. */
struct pair {
    const uint16_t (*first)[TURNS], (*second)[TURNS];
    int firsts, seconds, start; /* start: first * seconds + second of the goal */
};

/* Fills the distances of a pair, level by level. False: stopped. */
static bool fill_distances(unsigned char *far, const struct pair *pair, const int *turns, int turn_count,
                           soloist_stop_token *stop) {
    int count = pair->firsts * pair->seconds;
    bool found = true;
    memset(far, UNKNOWN, (size_t)count);
    far[pair->start] = 0;
    for (int level = 0; found && !soloist_stopped(stop); level++) {
        found = false;
        for (int i = 0; i < count; i++) {
            if (far[i] != level)
                continue;
            const uint16_t *first = pair->first[i / pair->seconds], *second = pair->second[i % pair->seconds];
            for (int t = 0; t < turn_count; t++) {
                int next = first[turns[t]] * pair->seconds + second[turns[t]];
                if (far[next] == UNKNOWN)
                    far[next] = (unsigned char)(level + 1), found = true;
            }
        }
    }
    return !found;
}

/* What turns do to the small numbers; needed only while the tables are made. */
struct small_maps {
    uint16_t slices[SLICES][TURNS], orders[ORDERS][TURNS];
    uint16_t edges[ARRANGEMENTS][TURNS], corners[ARRANGEMENTS][TURNS];
};

static int arrangement(int places, int order) { return places * ORDERS + order; }

/* The places of the other four of eight pieces, in this order, if the first four have these places. */
static int other_four(const int taken[4], int order, int places) {
    int free_places[4], rank[4], place[4], count = 0;
    for (int p = 0; p < 8; p++)
        if (p != taken[0] && p != taken[1] && p != taken[2] && p != taken[3])
            free_places[count++] = p;
    permutation_of_number(order, rank, 4);
    for (int i = 0; i < 4; i++)
        place[i] = free_places[rank[i]];
    return number_of_four(place, places);
}

/* Eight pieces as two fours: the places of the first, the order of the second. */
static void map_eight(uint16_t (*small)[TURNS], const uint16_t (*map)[TURNS], int numbers, int places,
                      const uint16_t *among_eight, const unsigned char *order) {
    int place[4];
    for (int n = 0; n < numbers; n++)
        for (int o = 0; among_eight[n] != NO_INDEX && o < ORDERS; o++) {
            four_of_number(n, place, places);
            int other = other_four(place, o, places);
            for (int t = 0; t < SECOND_TURNS; t++) {
                int turn = second_turns[t];
                small[arrangement(among_eight[n], o)][turn] =
                    (uint16_t)arrangement(among_eight[map[n][turn]], order[map[other][turn]]);
            }
        }
}

static void fill_small_maps(struct small_maps *small, const struct maps *maps, const struct cube_tables *tables) {
    int place[4];
    for (int n = 0; n < EDGE_FOURS; n++)
        for (int turn = 0; four_of_number(n, place, EDGES) && turn < TURNS; turn++) {
            small->slices[tables->set[n]][turn] = tables->set[maps->edges[n][turn]];
            if (place[0] >= 8 && place[1] >= 8 && place[2] >= 8 && place[3] >= 8)
                small->orders[tables->order[n]][turn] = tables->order[maps->edges[n][turn]];
        }
    map_eight(small->edges, (const uint16_t(*)[TURNS])maps->edges, EDGE_FOURS, EDGES, tables->up_places, tables->order);
    map_eight(small->corners, (const uint16_t(*)[TURNS])maps->corners, CORNER_FOURS, CORNERS, tables->corner_places,
              tables->corner_order);
}

static bool fill_tables(struct cube_tables *tables, struct small_maps *small, const struct maps *maps,
                        soloist_stop_token *stop) {
    struct cube_state goal = solved_state();
    int all[TURNS];
    for (int i = 0; i < TURNS; i++)
        all[i] = i;
    number_fours(EDGE_FOURS, EDGES, tables->set, tables->order, tables->up_places);
    number_fours(CORNER_FOURS, CORNERS, NULL, tables->corner_order, tables->corner_places);
    fill_small_maps(small, maps, tables);
    const uint16_t(*twists)[TURNS] = (const uint16_t(*)[TURNS])maps->twists;
    const uint16_t(*flips)[TURNS] = (const uint16_t(*)[TURNS])maps->flips;
    const uint16_t(*slices)[TURNS] = (const uint16_t(*)[TURNS])small->slices;
    const uint16_t(*orders)[TURNS] = (const uint16_t(*)[TURNS])small->orders;
    const uint16_t(*edges)[TURNS] = (const uint16_t(*)[TURNS])small->edges;
    const uint16_t(*corners)[TURNS] = (const uint16_t(*)[TURNS])small->corners;
    int set = tables->set[goal.slice], order = tables->order[goal.slice];
    int up = arrangement(tables->up_places[goal.up], tables->order[goal.down]);
    int corner = arrangement(tables->corner_places[goal.up_corners], tables->corner_order[goal.down_corners]);
    struct pair a = {flips, slices, FLIPS, SLICES, set}, b = {twists, slices, TWISTS, SLICES, set};
    struct pair c = {twists, flips, TWISTS, FLIPS, 0};
    struct pair d = {corners, orders, ARRANGEMENTS, ORDERS, corner * ORDERS + order};
    struct pair e = {edges, orders, ARRANGEMENTS, ORDERS, up * ORDERS + order};
    return fill_distances(tables->flips_and_slice, &a, all, TURNS, stop) &&
           fill_distances(tables->twists_and_slice, &b, all, TURNS, stop) &&
           fill_distances(tables->twists_and_flips, &c, all, TURNS, stop) &&
           fill_distances(tables->corners_and_slice, &d, second_turns, SECOND_TURNS, stop) &&
           fill_distances(tables->edges_and_slice, &e, second_turns, SECOND_TURNS, stop);
}

static bool tables_name(const soloist_instance *cube, char *name, size_t room) {
    static const char own[] = "cube3";
    (void)cube;
    if (room >= sizeof own)
        memcpy(name, own, sizeof own);
    return room >= sizeof own;
}

/* No file is read or written: the tables are made in about a second. */
static void *tables_open(const soloist_instance *cube, const char *folder, const soloist_work *work,
                         soloist_error *error) {
    bool fits = !work->memory || work->memory >= sizeof(struct cube_tables) + sizeof(struct small_maps);
    struct cube_tables *tables = fits ? calloc(1, sizeof *tables) : NULL;
    struct small_maps *small = fits ? calloc(1, sizeof *small) : NULL;
    bool filled = tables && small && fill_tables(tables, small, cube->maps, work->stop);
    (void)folder;
    if (!filled)
        soloist_fail(error, 0, 0, tables && small ? "stopped while the tables were made" : "no memory for the tables");
    if (!filled)
        free(tables), tables = NULL;
    free(small);
    return tables;
}

static void tables_close(void *tables) { free(tables); }

static size_t tables_bytes(const void *tables) {
    (void)tables;
    return sizeof(struct cube_tables);
}

static void tables_attach(soloist_instance *session, const void *tables) { session->tables = tables; }

/* ---- life ---- */

static bool read_cube(const soloist_chunk *chunk, struct cube_state *state, soloist_error *error) {
    char colours[STICKERS], after;
    struct pieces cube;
    if (!read_stickers(chunk, colours, &after, error))
        return false;
    if (!find_pieces(colours, &cube))
        return soloist_fail(error, chunk->line, 1, "no turns lead to these stickers");
    *state = state_of_pieces(&cube);
    if (after)
        state->last = (uint16_t)face_of(after);
    return true;
}

static int recognise(const char *text, size_t length) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk;
    struct cube_state state;
    return soloist_next_line(&cursor, &chunk) && read_cube(&chunk, &state, NULL) ? 95 : 0;
}

static void destroy(soloist_instance *cube) {
    if (!cube->borrows)
        free(cube->maps);
    free(cube);
}

static soloist_instance *parse(const soloist_chunk *chunk, const void *options, soloist_error *error) {
    struct cube_state start;
    if (!read_cube(chunk, &start, error))
        return NULL;
    soloist_instance *cube = calloc(1, sizeof *cube);
    struct maps *maps = malloc(sizeof *maps);
    if (!cube || !maps) {
        free(cube);
        free(maps);
        return soloist_fail(error, chunk->line, 0, "no memory for a cube"), NULL;
    }
    for (int turn = 0; turn < TURNS; turn++)
        map_turn(maps, turn);
    *cube =
        (soloist_instance){.maps = maps, .start = start, .rest = (int)((const struct cube3_options *)options)->rest};
    return cube;
}

static soloist_instance *session(const soloist_instance *cube, const soloist_work *work, soloist_error *error) {
    soloist_instance *copy = malloc(sizeof *copy);
    (void)work;
    if (!copy)
        return soloist_fail(error, 0, 0, "no memory for a session"), NULL;
    *copy = *cube;
    copy->borrows = true;
    return copy;
}

static void shape(const soloist_instance *cube, soloist_shape *sizes) {
    (void)cube;
    *sizes = (soloist_shape){.state_size = sizeof(struct cube_state),
                             .undo_size = sizeof(uint16_t),
                             .most_moves = TURNS,
                             .least_step = 1,
                             .instance_size = sizeof(struct maps)};
}

static void root(const soloist_instance *cube, void *state) { memcpy(state, &cube->start, sizeof cube->start); }

/* ---- core ---- */

static bool first_phase_is_over(const struct cube_state *state) {
    enum { least = 8 * 1728 }; /* the first of the four places is in the slice */
    if (state->twists || state->flips || state->slice < least)
        return false;
    int place[4];
    four_of_number(state->slice, place, EDGES);
    return place[1] >= 8 && place[2] >= 8 && place[3] >= 8;
}

static bool is_second_turn(soloist_move turn) { return turn % 3 == 1 || turn / 3 == 0 || turn / 3 == 3; }

/* Whether a face may be turned after another one, or first of all (NO_FACE). */
static bool may_follow(int face, int last) { return last == NO_FACE || (face != last && face + 3 != last); }

static struct cube_state after(const soloist_instance *cube, const struct cube_state *state, soloist_move turn) {
    const struct maps *maps = cube->maps;
    return (struct cube_state){.twists = maps->twists[state->twists][turn],
                               .flips = maps->flips[state->flips][turn],
                               .slice = maps->edges[state->slice][turn],
                               .up = maps->edges[state->up][turn],
                               .down = maps->edges[state->down][turn],
                               .up_corners = maps->corners[state->up_corners][turn],
                               .down_corners = maps->corners[state->down_corners][turn],
                               .last = (uint16_t)(turn / 3)};
}

static bool is_solved(const struct cube_state *state) {
    struct cube_state goal = solved_state();
    goal.last = state->last;
    return memcmp(state, &goal, sizeof goal) == 0;
}

static int greater(int a, int b) { return a > b ? a : b; }

static int32_t bound_of(const soloist_instance *cube, const struct cube_state *state) {
    const struct cube_tables *tables = cube->tables;
    if (!tables)
        return is_solved(state) ? 0 : first_phase_is_over(state) ? 1 : 1 + cube->rest;
    if (!first_phase_is_over(state)) {
        int set = tables->set[state->slice];
        int a = tables->flips_and_slice[state->flips * SLICES + set];
        int b = tables->twists_and_slice[state->twists * SLICES + set];
        int c = tables->twists_and_flips[state->twists * FLIPS + state->flips];
        return greater(a, greater(b, c)) + cube->rest;
    }
    int order = tables->order[state->slice];
    int edges = arrangement(tables->up_places[state->up], tables->order[state->down]);
    int corners = arrangement(tables->corner_places[state->up_corners], tables->corner_order[state->down_corners]);
    return greater(tables->edges_and_slice[edges * ORDERS + order],
                   tables->corners_and_slice[corners * ORDERS + order]);
}

static uint64_t key_of(const struct cube_state *state) {
    uint64_t half[2];
    memcpy(half, state, sizeof half);
    half[0] = (half[0] ^ half[0] >> 32) * 0x9e3779b97f4a7c15u;
    half[1] = (half[1] ^ half[1] >> 29) * 0xbf58476d1ce4e5b9u;
    uint64_t sum = (half[0] ^ half[0] >> 29) + half[1];
    return (sum ^ sum >> 31) * 0x94d049bb133111ebu;
}

static int moves(const soloist_instance *cube, const void *from, soloist_move *list) {
    const struct cube_state *state = from;
    int count = 0;
    (void)cube;
    for (int turn = 0; turn < TURNS; turn++)
        if (may_follow(turn / 3, state->last))
            list[count++] = (soloist_move)turn;
    return count;
}

static int32_t apply(const soloist_instance *cube, void *state, soloist_move turn, void *record) {
    if (record)
        memcpy(record, &((struct cube_state *)state)->last, sizeof(uint16_t));
    *(struct cube_state *)state = after(cube, state, turn);
    return 1;
}

static void undo(const soloist_instance *cube, void *state, soloist_move turn, const void *record) {
    *(struct cube_state *)state = after(cube, state, turn - turn % 3 + (2 - turn % 3));
    memcpy(&((struct cube_state *)state)->last, record, sizeof(uint16_t));
}

static bool ended(const soloist_instance *cube, const void *state, int32_t *last) {
    (void)cube;
    *last = 0;
    return is_solved(state);
}

static uint64_t key(const soloist_instance *cube, const void *state) {
    (void)cube;
    return key_of(state);
}

/* In the second phase turns that would lead out of it are left out. */
static bool pruned(const soloist_instance *cube, const void *state, soloist_move turn) {
    (void)cube;
    return !is_second_turn(turn) && first_phase_is_over(state);
}

static int expand(const soloist_instance *cube, const void *from, soloist_move last, unsigned want,
                  soloist_child *children) {
    const struct cube_state *state = from;
    bool second = first_phase_is_over(state);
    int count = 0;
    (void)last;
    for (soloist_move turn = 0; turn < TURNS; turn++) {
        if (!may_follow((int)turn / 3, state->last) || (second && !is_second_turn(turn)))
            continue;
        struct cube_state child = after(cube, state, turn);
        children[count++] = (soloist_child){.key = want & SOLOIST_WANT_KEY ? key_of(&child) : 0,
                                            .move = turn,
                                            .step = 1,
                                            .bound = want & SOLOIST_WANT_BOUND ? bound_of(cube, &child) : 0};
    }
    return count;
}

static int32_t bound_value(const soloist_instance *cube, const void *state) { return bound_of(cube, state); }

static bool no(const soloist_instance *cube) {
    (void)cube;
    return false;
}

/* ---- text ---- */

static void print(const soloist_instance *cube, const void *from, const soloist_sink *sink) {
    const struct cube_state *state = from;
    struct pieces pieces = pieces_of_state(state);
    char colours[STICKERS + 1];
    (void)cube;
    paint(&pieces, colours);
    colours[STICKERS] = 0;
    soloist_print(sink, "%s %s", heading, colours);
    if (state->last < NO_FACE)
        soloist_print(sink, "/%c", letters[state->last]);
    soloist_put(sink, "\n");
}

static void print_move(const soloist_instance *cube, const void *state, soloist_move turn, const soloist_sink *sink) {
    (void)cube, (void)state;
    print_turn((int)turn, sink);
}

/* ---- generate: every position is equally likely ---- */

static void shuffle(int *items, int count, soloist_rng *rng) {
    for (int i = 0; i < count; i++) {
        int at = (int)soloist_rng_below(rng, (uint32_t)i + 1);
        items[i] = items[at];
        items[at] = i;
    }
}

static soloist_code make_cube(const void *options, soloist_rng *rng, const soloist_sink *sink, soloist_error *error) {
    struct pieces cube;
    (void)options, (void)error;
    shuffle(cube.corner, CORNERS, rng);
    do /* half of the arrangements of the edges fit the corners */
        shuffle(cube.edge, EDGES, rng);
    while (is_odd(cube.edge, EDGES) != is_odd(cube.corner, CORNERS));
    twists_of_number((int)soloist_rng_below(rng, TWISTS), cube.twist);
    flips_of_number((int)soloist_rng_below(rng, FLIPS), cube.flip);
    struct cube_state state = state_of_pieces(&cube);
    print(NULL, &state, sink);
    return SOLOIST_OK;
}

/* ---- the table ---- */

static const soloist_life life = {
    .size = sizeof(soloist_life),
    .recognise = recognise,
    .next = soloist_next_line,
    .parse = parse,
    .destroy = destroy,
    .shape = shape,
    .root = root,
    .session = session,
};
static const soloist_core core = {
    .size = sizeof(soloist_core),
    .moves = moves,
    .apply = apply,
    .undo = undo,
    .ended = ended,
    .key = key,
    .key_from_scratch = key,
    .expand = expand,
};
static const soloist_bound bound = {.size = sizeof(soloist_bound),
                                    .value = bound_value,
                                    .admissible = no,
                                    .consistent = no,
                                    .pruned = pruned,
                                    .lossless = no};
static const soloist_text words = {
    .size = sizeof(soloist_text),
    .print = print,
    .move = print_move,
    .solution = print_turns,
    .read = read_turns,
    .referee = referee,
};
static const soloist_tables tables = {
    .size = sizeof(soloist_tables),
    .name = tables_name,
    .open = tables_open,
    .close = tables_close,
    .bytes = tables_bytes,
    .attach = tables_attach,
};
static const soloist_generate generate = {.size = sizeof(soloist_generate), .make = make_cube};

/* A plain depth-first search: the two phases hardly ever meet a position twice. */
static const soloist_member members[] = {{.name = "two-phase", .method = "idastar:table=none", .percent = 100}};
static const soloist_mix mix = {.size = sizeof(soloist_mix), .members = members, .count = 1};

static const soloist_mix *choose_mix(const soloist_instance *cube, const soloist_limits *limits) {
    (void)cube, (void)limits;
    return &mix;
}
static const soloist_hints hints = {.size = sizeof(soloist_hints), .mix = choose_mix, .fast_expand = true};

const soloist_domain *soloist_plugin(void) {
    static const soloist_domain cube3 = {
        .abi = SOLOIST_ABI,
        .size = sizeof(soloist_domain),
        .name = "cube3",
        .summary = "the cube of 3 x 3 x 3: solve it with few turns of faces",
        .aim = SOLOIST_LEAST_COST,
        .players = 1,
        .options = cube3_options_rows,
        .options_size = sizeof(struct cube3_options),
        .life = &life,
        .core = &core,
        .text = &words,
        .bound = &bound,
        .tables = &tables,
        .hints = &hints,
        .generate = &generate,
    };
    return &cube3;
}
