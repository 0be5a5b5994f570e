/* The cube of 2 x 2 x 2, solved with the fewest turns of faces: a domain with a table of all its positions.
 *
 * cc -shared -fPIC -O2 -I../include cube2.c -o cube2.so
 * echo "2x2x2: R U2 F' R2 U F R' U'" > cube.txt; soloist solve --plugin ./cube2.so cube.txt
 *
 * The corner DBL is taken as fixed, as the cube may be held as one likes: the other faces' turns U, R and F do what D,
 * L and B would do. That leaves 7! * 3^6 = 3,674,160 positions. The table (group `tables`) says how far each is from
 * the goal. It is made in a fraction of a second and used as the bound, so that every search goes straight to the goal.
 * Without it the bound is the larger of two smaller distances: of the corners' places alone and of their twists
 * alone. */
#define SIDE 2
#include "cube_faces.h"

enum { PIECES = 7, PLACES = 5040, TWISTS = 729, OWN_TURNS = 9, FIXED = 6, POSITIONS = PLACES * TWISTS, UNKNOWN = 255 };

/* The number of an arrangement of the corners' places, and of their twists. */
struct cube_state {
    uint16_t places, twists;
};

/* Where each turn leads, and distances to the goal. */
struct maps {
    uint16_t places[PLACES][OWN_TURNS], twists[TWISTS][OWN_TURNS];
    unsigned char places_far[PLACES], twists_far[TWISTS];
};

struct soloist_instance {
    struct maps *maps; /* a session borrows them */
    bool borrows;
    const unsigned char *table; /* the distance of every position; NULL: there is no table */
    struct cube_state start;
};

/* ---- positions ---- */

struct corners {
    int piece[PIECES], twist[PIECES];
};

static int number_of_twists(const struct corners *cube) {
    int number = 0;
    for (int i = 0; i < PIECES - 1; i++) /* the last twist follows from the others */
        number = number * 3 + cube->twist[i];
    return number;
}

static struct cube_state state_of_corners(const struct corners *cube) {
    return (struct cube_state){(uint16_t)number_of_permutation(cube->piece, PIECES), (uint16_t)number_of_twists(cube)};
}

static struct corners corners_of_state(struct cube_state state) {
    struct corners cube;
    int twists = state.twists, sum = 0;
    permutation_of_number(state.places, cube.piece, PIECES);
    for (int i = PIECES - 2; i >= 0; i--, twists /= 3)
        sum += cube.twist[i] = twists % 3;
    cube.twist[PIECES - 1] = (3 - sum % 3) % 3;
    return cube;
}

/* The corners of a cube whose corner DBL is in place; false if there is no such cube. */
static bool find_corners(const char colours[STICKERS], struct corners *cube) {
    int corner[CORNERS], twist[CORNERS], sum = 0;
    if (!read_corners(colours, corner, twist) || corner[FIXED] != FIXED || twist[FIXED])
        return false;
    for (int i = 0, at = 0; i < CORNERS; i++)
        if (i != FIXED) {
            cube->piece[at] = corner[i] - (corner[i] > FIXED);
            cube->twist[at++] = twist[i];
            sum += twist[i];
        }
    return sum % 3 == 0;
}

/* Renames the colours so that the corner at DBL is in place: this is the same as to hold the cube in another way. */
static bool hold_upright(char colours[STICKERS]) {
    static const char opposite[] = "DLBURF", wanted[] = "DBL";
    char renamed[FACES] = {0};
    for (int i = 0; i < 3; i++) {
        int colour = face_of(colours[named_sticker(wanted, i)]), face = face_of(wanted[i]);
        renamed[colour] = wanted[i];
        renamed[face_of(opposite[colour])] = opposite[face];
    }
    if (memchr(renamed, 0, FACES))
        return false;
    for (int i = 0; i < STICKERS; i++)
        colours[i] = renamed[face_of(colours[i])];
    return true;
}

static bool read_cube(const soloist_chunk *chunk, struct cube_state *state, soloist_error *error) {
    char colours[STICKERS], after;
    struct corners cube;
    if (!read_stickers(chunk, colours, &after, error))
        return false;
    if (after)
        return soloist_fail(error, chunk->line, (int)chunk->length, "expected the end of the line");
    if (!hold_upright(colours) || !find_corners(colours, &cube))
        return soloist_fail(error, chunk->line, 1, "no turns lead to these stickers");
    *state = state_of_corners(&cube);
    return true;
}

static void print_corners(const struct corners *cube, const soloist_sink *sink) {
    char colours[STICKERS + 2] = "";
    for (int i = 0; i < CORNERS; i++) {
        int at = i - (i > FIXED), piece = i == FIXED ? FIXED : cube->piece[at] + (cube->piece[at] >= FIXED);
        for (int s = 0; s < 3; s++)
            colours[named_sticker(corner_names[i], (s + (i == FIXED ? 0 : cube->twist[at])) % 3)] =
                corner_names[piece][s];
    }
    colours[STICKERS] = '\n';
    soloist_print(sink, "%s %s", heading, colours);
}

/* ---- maps: what each turn does to the numbers ---- */

/* The cube after a turn: `moved` is the turn itself, played on a solved cube. */
static struct corners combine(const struct corners *cube, const struct corners *moved) {
    struct corners result;
    for (int i = 0; i < PIECES; i++) {
        result.piece[i] = cube->piece[moved->piece[i]];
        result.twist[i] = (cube->twist[moved->piece[i]] + moved->twist[i]) % 3;
    }
    return result;
}

static void fill_maps(struct maps *maps) {
    for (int turn = 0; turn < OWN_TURNS; turn++) {
        char colours[STICKERS];
        struct corners moved = {{0}, {0}}, cube;
        paint_solved(colours);
        turn_stickers(colours, turn);
        find_corners(colours, &moved);
        for (int i = 0; i < PLACES; i++) {
            cube = corners_of_state((struct cube_state){(uint16_t)i, 0});
            cube = combine(&cube, &moved);
            maps->places[i][turn] = (uint16_t)number_of_permutation(cube.piece, PIECES);
        }
        for (int i = 0; i < TWISTS; i++) {
            cube = corners_of_state((struct cube_state){0, (uint16_t)i});
            cube = combine(&cube, &moved);
            maps->twists[i][turn] = (uint16_t)number_of_twists(&cube);
        }
    }
}

/* Distances from number 0, level by level. */
static void fill_distances(unsigned char *far, int count, uint16_t (*map)[OWN_TURNS]) {
    bool found = true;
    memset(far, UNKNOWN, (size_t)count);
    far[0] = 0;
    for (int level = 0; found; level++) {
        found = false;
        for (int i = 0; i < count; i++)
            for (int turn = 0; far[i] == level && turn < OWN_TURNS; turn++)
                if (far[map[i][turn]] == UNKNOWN)
                    far[map[i][turn]] = (unsigned char)(level + 1), found = true;
    }
}

/* ---- tables: the distances of all positions ---- */

static bool tables_name(const soloist_instance *cube, char *name, size_t room) {
    static const char own[] = "cube2";
    (void)cube;
    if (room >= sizeof own)
        memcpy(name, own, sizeof own);
    return room >= sizeof own;
}

/* No file is read or written: to make the table takes no longer than to read it. */
static void *tables_open(const soloist_instance *cube, const char *folder, const soloist_work *work,
                         soloist_error *error) {
    const struct maps *maps = cube->maps;
    unsigned char *table = work->memory && work->memory < POSITIONS ? NULL : malloc(POSITIONS);
    bool found = true;
    (void)folder;
    if (!table)
        return soloist_fail(error, 0, 0, "no memory for the table of all positions"), NULL;
    memset(table, UNKNOWN, POSITIONS);
    table[0] = 0;
    for (int level = 0; found && !soloist_stopped(work->stop); level++) {
        found = false;
        for (int i = 0; i < POSITIONS; i++)
            for (int turn = 0; table[i] == level && turn < OWN_TURNS; turn++) {
                int next = maps->places[i / TWISTS][turn] * TWISTS + maps->twists[i % TWISTS][turn];
                if (table[next] == UNKNOWN)
                    table[next] = (unsigned char)(level + 1), found = true;
            }
    }
    if (!found)
        return table;
    free(table);
    return soloist_fail(error, 0, 0, "stopped while the table was made"), NULL;
}

static void tables_close(void *table) { free(table); }

static size_t tables_bytes(const void *table) {
    (void)table;
    return POSITIONS;
}

static void tables_attach(soloist_instance *session, const void *table) { session->table = table; }

/* ---- life ---- */

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
    (void)options;
    if (!read_cube(chunk, &start, error))
        return NULL;
    soloist_instance *cube = calloc(1, sizeof *cube);
    struct maps *maps = malloc(sizeof *maps);
    if (!cube || !maps) {
        free(cube);
        free(maps);
        return soloist_fail(error, chunk->line, 0, "no memory for a cube"), NULL;
    }
    fill_maps(maps);
    fill_distances(maps->places_far, PLACES, maps->places);
    fill_distances(maps->twists_far, TWISTS, maps->twists);
    *cube = (soloist_instance){.maps = maps, .start = start};
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
                             .most_moves = OWN_TURNS,
                             .least_step = 1,
                             .instance_size = sizeof(struct maps)};
}

static void root(const soloist_instance *cube, void *state) { memcpy(state, &cube->start, sizeof cube->start); }

/* ---- core ---- */

static struct cube_state read_state(const void *state) { return *(const struct cube_state *)state; }

static struct cube_state after(const soloist_instance *cube, struct cube_state state, soloist_move turn) {
    return (struct cube_state){cube->maps->places[state.places][turn], cube->maps->twists[state.twists][turn]};
}

static int32_t bound_of(const soloist_instance *cube, struct cube_state state) {
    if (cube->table)
        return cube->table[state.places * TWISTS + state.twists];
    int places = cube->maps->places_far[state.places], twists = cube->maps->twists_far[state.twists];
    return places > twists ? places : twists;
}

static uint64_t key_of(struct cube_state state) {
    uint64_t number = (uint64_t)(state.places * TWISTS + state.twists + 1) * 0x9e3779b97f4a7c15u;
    return number ^ number >> 29;
}

static int moves(const soloist_instance *cube, const void *state, soloist_move *list) {
    (void)cube, (void)state;
    for (int turn = 0; turn < OWN_TURNS; turn++)
        list[turn] = (soloist_move)turn;
    return OWN_TURNS;
}

static int32_t apply(const soloist_instance *cube, void *state, soloist_move turn, void *record) {
    (void)record;
    *(struct cube_state *)state = after(cube, read_state(state), turn);
    return 1;
}

/* The turns of a face are numbered so that a turn and the one that takes it back add up to 2. */
static soloist_move inverse(soloist_move turn) { return turn - turn % 3 + (2 - turn % 3); }

static void undo(const soloist_instance *cube, void *state, soloist_move turn, const void *record) {
    (void)record;
    *(struct cube_state *)state = after(cube, read_state(state), inverse(turn));
}

static bool ended(const soloist_instance *cube, const void *state, int32_t *last) {
    (void)cube;
    *last = 0;
    return !read_state(state).places && !read_state(state).twists;
}

static uint64_t key(const soloist_instance *cube, const void *state) {
    (void)cube;
    return key_of(read_state(state));
}

static int expand(const soloist_instance *cube, const void *state, soloist_move last, unsigned want,
                  soloist_child *children) {
    int count = 0;
    (void)want;
    for (soloist_move turn = 0; turn < OWN_TURNS; turn++) {
        struct cube_state child = after(cube, read_state(state), turn);
        if (last == SOLOIST_NO_MOVE || turn != inverse(last))
            children[count++] =
                (soloist_child){.key = key_of(child), .move = turn, .step = 1, .bound = bound_of(cube, child)};
    }
    return count;
}

static int32_t bound_value(const soloist_instance *cube, const void *state) {
    return bound_of(cube, read_state(state));
}

static bool yes(const soloist_instance *cube) {
    (void)cube;
    return true;
}

/* ---- text ---- */

static void print(const soloist_instance *cube, const void *state, const soloist_sink *sink) {
    struct corners corners = corners_of_state(read_state(state));
    (void)cube;
    print_corners(&corners, sink);
}

static void print_move(const soloist_instance *cube, const void *state, soloist_move turn, const soloist_sink *sink) {
    (void)cube, (void)state;
    print_turn((int)turn, sink);
}

/* Turns of D, L and B are legal for people; core knows only U, R and F, so that the referee alone judges them. */
static long read_solution(const soloist_instance *cube, const char *text, size_t length, soloist_move *list,
                          size_t room, soloist_error *error) {
    long count = read_turns(cube, text, length, list, room, error);
    for (long i = 0; i < count && (size_t)i < room; i++)
        if (list[i] >= OWN_TURNS)
            return soloist_fail(error, 1, 1, "expected turns of U, R and F only"), -1;
    return count;
}

/* ---- generate: every position is equally likely ---- */

static soloist_code make_cube(const void *options, soloist_rng *rng, const soloist_sink *sink, soloist_error *error) {
    struct cube_state state = {(uint16_t)soloist_rng_below(rng, PLACES), (uint16_t)soloist_rng_below(rng, TWISTS)};
    (void)options, (void)error;
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
static const soloist_bound bound = {
    .size = sizeof(soloist_bound), .value = bound_value, .admissible = yes, .consistent = yes};
static const soloist_text words = {
    .size = sizeof(soloist_text),
    .print = print,
    .move = print_move,
    .solution = print_turns,
    .read = read_solution,
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

const soloist_domain *soloist_plugin(void) {
    static const soloist_domain cube2 = {
        .abi = SOLOIST_ABI,
        .size = sizeof(soloist_domain),
        .name = "cube2",
        .summary = "the cube of 2 x 2 x 2: solve it with the fewest turns of faces",
        .aim = SOLOIST_LEAST_COST,
        .players = 1,
        .life = &life,
        .core = &core,
        .text = &words,
        .bound = &bound,
        .tables = &tables,
        .generate = &generate,
    };
    return &cube2;
}
