/* Morpion solitaire, variants 5D and 5T: a domain of the highest score with walks of its own, so that NRPA is fast.
 *
 * The game begins with a cross of 36 points. A move adds a point and draws a line through five points in a row, of
 * which the new one is one. In 5D two lines of the same direction share no point; in 5T they may share an end. The
 * score is the number of moves. The best games known have 82 moves (5D) and 178 moves (5T); both were found by NRPA
 * (Rosin 2011) or improved from its games.
 *
 * cc -shared -fPIC -O3 -I../include morpion.c -o morpion.so
 * echo 5D > board.txt; soloist solve --plugin ./morpion.so board.txt --time 60
 *
 * A file holds one position per line: 5D or 5T, then, if lines are drawn already, a colon and these moves. A move is
 * written like (3,-1)|+2: the new point (x to the right, y down, (0,0) is the upper left corner of the square around
 * the cross), the direction of the line (- | \ /), and how many points from the new point the middle of the line is:
 * to the right for - \ and /, and down for |.
 *
 * Which lines are drawn determines everything else. The points are those of the cross and of the lines. Each line has
 * added the same point in every order of play: as each line adds exactly one point, the lines and the points that they
 * add form a triangular system, and such a system can be matched in one way only. */
#include "soloist_extra.h"

#include <stdlib.h>
#include <string.h>

/* The board has 32 x 32 points. The cross is in its middle, 11 points from each edge; the record games stay far from
 * the edges. A line does not leave the board. */
enum { SIDE = 32, CELLS = SIDE * SIDE, CORNER = 11, FIVE = 5, DIRECTIONS = 4, MOST_MOVES = 512, MOST_STEPS = CELLS };
/* Lines may begin this far outside the board in the arrays of a walk; such lines count as drawn. */
enum { MARGIN = 4 * (SIDE + 1), SPACE = CELLS + 2 * MARGIN };
enum { DRAWN = 8 }; /* in a walk: no line may be drawn here */

static const int dx[DIRECTIONS] = {1, 0, 1, 1}, dy[DIRECTIONS] = {0, 1, 1, -1};
static const int stride[DIRECTIONS] = {1, SIDE, SIDE + 1, 1 - SIDE};
static const char signs[] = "-|\\/";

/* Bit x of row y is the point (x, y). used: per direction, what lines of that direction use up: in 5D their points, in
 * 5T the steps from one of their points to the next. */
struct morpion_state {
    uint64_t key;
    uint32_t points[SIDE];
    uint32_t used[DIRECTIONS][SIDE];
};

struct soloist_instance {
    int span; /* how many bits a line uses up: 5 in 5D, 4 in 5T */
    struct morpion_state start;
    unsigned char edge[DIRECTIONS][SPACE]; /* DRAWN where a line would leave the board */
};

/* ---- moves: the line's first point, its direction, and which of its points is new ---- */

static soloist_move make_move(int cell, int direction, int fresh) {
    return (soloist_move)(cell | direction << 10 | fresh << 12);
}
static int cell_of(soloist_move move) { return (int)(move & (CELLS - 1)); }
static int direction_of(soloist_move move) { return (int)(move >> 10 & 3); }
static int fresh_of(soloist_move move) { return (int)(move >> 12 & 7); }
static int new_cell(soloist_move move) { return cell_of(move) + fresh_of(move) * stride[direction_of(move)]; }

static uint64_t scramble(uint64_t x) {
    x = (x + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9u;
    return x ^ x >> 29;
}

/* The key of a state is the sum of its lines, whichever points they added. */
static uint64_t line_key(soloist_move move) { return scramble(move & 0xfff); }

static bool line_is_on_board(int x, int y, int direction) {
    int far_x = x + 4 * dx[direction], far_y = y + 4 * dy[direction];
    return x >= 0 && y >= 0 && x < SIDE && y < SIDE && far_x < SIDE && far_y >= 0 && far_y < SIDE;
}

/* ---- core: the rules on rows of bits ---- */

static bool has_point(const struct morpion_state *state, int cell) {
    return state->points[cell / SIDE] >> (cell % SIDE) & 1;
}

/* The first points of all lines that begin in row y and may be drawn: one point is missing, and nothing is used up. */
static uint32_t lines_of_row(const soloist_instance *game, const struct morpion_state *state, int y, int direction) {
    uint32_t missing = 0, missing_more = 0, used = 0;
    if (!line_is_on_board(0, y, direction))
        return 0;
    for (int i = 0; i < FIVE; i++) {
        uint32_t empty = ~state->points[y + i * dy[direction]] >> (i * dx[direction]);
        missing_more |= missing & empty;
        missing |= empty;
        if (i < game->span)
            used |= state->used[direction][y + i * dy[direction]] >> (i * dx[direction]);
    }
    uint32_t on_board = dx[direction] ? UINT32_MAX >> 4 : UINT32_MAX;
    return missing & ~missing_more & ~used & on_board;
}

static int find_fresh(const struct morpion_state *state, int cell, int direction) {
    int i = 0;
    while (has_point(state, cell + i * stride[direction]))
        i++;
    return i;
}

static int moves(const soloist_instance *game, const void *from, soloist_move *list) {
    const struct morpion_state *state = from;
    int count = 0;
    for (int direction = 0; direction < DIRECTIONS; direction++)
        for (int y = 0; y < SIDE; y++)
            for (uint32_t left = lines_of_row(game, state, y, direction); left; left &= left - 1) {
                int cell = y * SIDE + __builtin_ctz(left);
                if (count < MOST_MOVES)
                    list[count++] = make_move(cell, direction, find_fresh(state, cell, direction));
            }
    return count;
}

/* Draws the line, or erases it. */
static void flip(const soloist_instance *game, struct morpion_state *state, soloist_move move) {
    int direction = direction_of(move), cell = cell_of(move), fresh = new_cell(move);
    state->points[fresh / SIDE] ^= UINT32_C(1) << fresh % SIDE;
    for (int i = 0; i < game->span; i++, cell += stride[direction])
        state->used[direction][cell / SIDE] ^= UINT32_C(1) << cell % SIDE;
}

static int32_t apply(const soloist_instance *game, void *state, soloist_move move, void *record) {
    (void)record;
    flip(game, state, move);
    ((struct morpion_state *)state)->key += line_key(move);
    return 1;
}

static void undo(const soloist_instance *game, void *state, soloist_move move, const void *record) {
    (void)record;
    flip(game, state, move);
    ((struct morpion_state *)state)->key -= line_key(move);
}

static bool ended(const soloist_instance *game, const void *state, int32_t *last) {
    *last = 0;
    for (int direction = 0; direction < DIRECTIONS; direction++)
        for (int y = 0; y < SIDE; y++)
            if (lines_of_row(game, state, y, direction))
                return false;
    return true;
}

static uint64_t key(const soloist_instance *game, const void *state) {
    (void)game;
    return ((const struct morpion_state *)state)->key;
}

static int expand(const soloist_instance *game, const void *state, soloist_move last, unsigned want,
                  soloist_child *children) {
    soloist_move list[MOST_MOVES];
    int count = moves(game, state, list);
    (void)last, (void)want;
    for (int i = 0; i < count; i++)
        children[i] = (soloist_child){.key = key(game, state) + line_key(list[i]), .move = list[i], .step = 1};
    return count;
}

/* The lines of a state. Lines of one direction that touch each other use up whole multiples of a line, so that the
 * first bit of such a row of bits is the beginning of a line, and every span bits another one begins. */
static int lines_of(const soloist_instance *game, const struct morpion_state *state, soloist_move *lines) {
    struct morpion_state left = *state;
    int count = 0;
    for (int direction = 0; direction < DIRECTIONS; direction++)
        for (int at = 0; at < CELLS; at++) {
            /* '/' leads upwards: its lines are met from their first point only if rows are taken from below */
            int cell = dy[direction] < 0 ? (SIDE - 1 - at / SIDE) * SIDE + at % SIDE : at;
            if (!(left.used[direction][cell / SIDE] >> cell % SIDE & 1))
                continue;
            lines[count] = make_move(cell, direction, 0);
            flip(game, &left, lines[count++]);
        }
    return count;
}

static uint64_t key_from_scratch(const soloist_instance *game, const void *state) {
    soloist_move lines[MOST_STEPS];
    uint64_t sum = 0;
    for (int i = lines_of(game, state, lines) - 1; i >= 0; i--)
        sum += line_key(lines[i]);
    return sum;
}

/* ---- walk: a line of play that keeps its list of moves ---- */

/* For every line that could be drawn: how many of its points are there (0 to 5), plus DRAWN if it may not be drawn. A
 * line may be drawn if its number is 4. Arrays begin MARGIN before the first cell. */
struct morpion_walk {
    soloist_choice choices[MOST_MOVES];
    int32_t count;
    unsigned char points[CELLS];
    unsigned char lines[DIRECTIONS][SPACE];
};

static size_t walk_size(const soloist_instance *game) {
    (void)game;
    return sizeof(struct morpion_walk);
}

static int rules(const soloist_instance *game) {
    (void)game;
    return 1;
}

static void add_choice(struct morpion_walk *walk, int cell, int direction) {
    int fresh = 0;
    while (walk->points[cell + fresh * stride[direction]])
        fresh++;
    soloist_move move = make_move(cell, direction, fresh);
    if (walk->count < MOST_MOVES)
        walk->choices[walk->count++] = (soloist_choice){.code = scramble(move), .move = move, .gain = 1};
}

/* Adds a point to the lines that go through it, and lists those that may now be drawn. */
static void add_point(struct morpion_walk *walk, int cell, bool list) {
    walk->points[cell] = 1;
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        int begin = MARGIN + cell;
        for (int i = 0; i < FIVE; i++, begin -= stride[direction])
            if (++walk->lines[direction][begin] == 4 && list)
                add_choice(walk, begin - MARGIN, direction);
    }
}

/* A line that uses up `span` bits from `cell` forbids all lines that would use one of them. */
static void forbid(const soloist_instance *game, struct morpion_walk *walk, int cell, int direction) {
    unsigned char *line = &walk->lines[direction][MARGIN + cell];
    for (int i = 1 - game->span; i < game->span; i++)
        line[i * stride[direction]] |= DRAWN;
}

static int walk_open(const soloist_instance *game, void *memory, const void *from, int rule, int steps) {
    struct morpion_walk *walk = memory;
    const struct morpion_state *state = from;
    soloist_move list[MOST_STEPS];
    (void)rule, (void)steps;
    walk->count = 0;
    memset(walk->points, 0, sizeof walk->points);
    memcpy(walk->lines, game->edge, sizeof walk->lines);
    for (int cell = 0; cell < CELLS; cell++)
        if (has_point(state, cell))
            add_point(walk, cell, false);
    for (int i = lines_of(game, state, list) - 1; i >= 0; i--)
        forbid(game, walk, cell_of(list[i]), direction_of(list[i]));
    int count = moves(game, state, list);
    for (int i = 0; i < count; i++)
        add_choice(walk, cell_of(list[i]), direction_of(list[i]));
    return walk->count;
}

static void walk_copy(const soloist_instance *game, void *to, const void *from) {
    const struct morpion_walk *walk = from;
    (void)game;
    memcpy(to, from, (size_t)walk->count * sizeof *walk->choices);
    memcpy(&((struct morpion_walk *)to)->count, &walk->count, sizeof *walk - offsetof(struct morpion_walk, count));
}

static int walk_play(const soloist_instance *game, void *memory, int chosen) {
    struct morpion_walk *walk = memory;
    soloist_move move = walk->choices[chosen].move;
    int kept = 0;
    forbid(game, walk, cell_of(move), direction_of(move));
    int before = walk->count, fresh = new_cell(move);
    add_point(walk, fresh, true);
    for (int i = 0; i < walk->count; i++) {
        soloist_move other = walk->choices[i].move;
        if (i >= before || walk->lines[direction_of(other)][MARGIN + cell_of(other)] == 4) {
            if (kept != i)
                walk->choices[kept] = walk->choices[i];
            kept++;
        }
    }
    return walk->count = kept;
}

static bool walk_ended(const soloist_instance *game, const void *walk, int32_t *last) {
    (void)game;
    *last = 0;
    return ((const struct morpion_walk *)walk)->count == 0;
}

/* ---- sample: a play-out is a walk with random choices ---- */

static soloist_playout playout(const soloist_instance *game, void *state, int policy, int limit, soloist_rng *rng,
                               soloist_move *trace, soloist_stop_token *stop) {
    struct morpion_walk walk;
    soloist_playout result = {0};
    (void)policy, (void)stop;
    int count = walk_open(game, &walk, state, 0, 0);
    for (; count && result.length < limit; result.length++) {
        int chosen = (int)soloist_rng_below(rng, (uint32_t)count);
        soloist_move move = walk.choices[chosen].move;
        if (trace)
            trace[result.length] = move;
        result.value += apply(game, state, move, NULL);
        count = walk_play(game, &walk, chosen);
    }
    result.ended = count == 0;
    return result;
}

static const char *const policies[] = {"uniform", NULL};

/* ---- text ---- */

static void print_token(soloist_move move, const soloist_sink *sink) {
    int cell = new_cell(move);
    soloist_print(sink, "(%d,%d)%c%+d", cell % SIDE - CORNER, cell / SIDE - CORNER, signs[direction_of(move)],
                  2 - fresh_of(move));
}

static void print_move(const soloist_instance *game, const void *state, soloist_move move, const soloist_sink *sink) {
    (void)game, (void)state;
    print_token(move, sink);
}

static void print_solution(const soloist_instance *game, const soloist_move *list, size_t count,
                           const soloist_sink *sink) {
    (void)game;
    for (size_t i = 0; i < count; i++) {
        soloist_put(sink, i ? " " : "");
        print_token(list[i], sink);
    }
}

static bool cross_has(int x, int y) {
    static const uint16_t rows[10] = {0x078, 0x048, 0x048, 0x3cf, 0x201, 0x201, 0x3cf, 0x048, 0x048, 0x078};
    return x >= 0 && y >= 0 && x < 10 && y < 10 && rows[y] >> x & 1;
}

static void put_cross(struct morpion_state *state) {
    *state = (struct morpion_state){0};
    for (int y = 0; y < 10; y++)
        for (int x = 0; x < 10; x++)
            if (cross_has(x, y))
                state->points[CORNER + y] |= UINT32_C(1) << (CORNER + x);
}

/* Writes the lines in an order in which they can be played: again and again, one of which four points are there. */
static void print(const soloist_instance *game, const void *state, const soloist_sink *sink) {
    soloist_move lines[MOST_STEPS];
    struct morpion_state now;
    int count = lines_of(game, state, lines);
    put_cross(&now);
    soloist_put(sink, game->span == FIVE ? "5D" : "5T");
    soloist_put(sink, count ? ":" : "");
    for (bool found = true; found;) {
        found = false;
        for (int i = 0; i < count; i++) {
            int direction = direction_of(lines[i]), points = 0;
            for (int k = 0; k < FIVE; k++)
                points += has_point(&now, cell_of(lines[i]) + k * stride[direction]);
            if (points != 4)
                continue;
            int fresh = find_fresh(&now, cell_of(lines[i]), direction);
            soloist_move move = make_move(cell_of(lines[i]), direction, fresh);
            soloist_put(sink, " ");
            print_token(move, sink);
            flip(game, &now, move);
            found = true;
        }
    }
    soloist_put(sink, "\n");
}

/* A place in a text. */
struct reader {
    const char *text;
    size_t at, length;
};

static int peek(const struct reader *reader) {
    return reader->at < reader->length ? (unsigned char)reader->text[reader->at] : -1;
}

static bool take(struct reader *reader, int letter) {
    bool there = peek(reader) == letter;
    reader->at += there;
    return there;
}

static void skip_blanks(struct reader *reader) {
    while (peek(reader) == ' ' || peek(reader) == '\t' || peek(reader) == '\r' || peek(reader) == '\n')
        reader->at++;
}

static bool take_number(struct reader *reader, int *number) {
    int sign = take(reader, '-') ? -1 : 1, digits = 0;
    if (sign > 0)
        take(reader, '+');
    for (*number = 0; digits < 3 && peek(reader) >= '0' && peek(reader) <= '9'; digits++)
        *number = *number * 10 + reader->text[reader->at++] - '0';
    *number *= sign;
    return digits > 0;
}

/* Reads the next move; false with an error if there is none or it leaves the board. */
static bool read_move(struct reader *reader, int line, int column, soloist_move *move, soloist_error *error) {
    int x, y, shift, direction;
    size_t begin = reader->at;
    bool good = take(reader, '(') && take_number(reader, &x) && take(reader, ',') && take_number(reader, &y) &&
                take(reader, ')');
    const char *sign = good && peek(reader) > 0 ? strchr(signs, peek(reader)) : NULL;
    good = sign && (reader->at++, take_number(reader, &shift)) && shift >= -2 && shift <= 2;
    if (!good)
        return soloist_fail(error, line, column + (int)begin, "expected a move like (3,-1)|+2");
    direction = (int)(sign - signs);
    x += CORNER - (2 - shift) * dx[direction];
    y += CORNER - (2 - shift) * dy[direction];
    if (!line_is_on_board(x, y, direction))
        return soloist_fail(error, line, column + (int)begin, "expected a line on the board of %d x %d points", SIDE,
                            SIDE);
    *move = make_move(y * SIDE + x, direction, 2 - shift);
    return true;
}

static long read_solution(const soloist_instance *game, const char *text, size_t length, soloist_move *list,
                          size_t room, soloist_error *error) {
    struct reader reader = {text, 0, length};
    size_t count = 0;
    soloist_move move;
    (void)game;
    for (skip_blanks(&reader); peek(&reader) >= 0; skip_blanks(&reader)) {
        if (!read_move(&reader, 1, 1, &move, error))
            return -1;
        if (count < room)
            list[count] = move;
        count++;
    }
    return (long)count;
}

/* ---- the referee: points and lines in plain lists ---- */

struct record {
    bool apart; /* 5D: lines of one direction share no point */
    int count;
    soloist_move lines[MOST_STEPS];
    bool points[SIDE][SIDE];
};

/* True if two lines of one direction share a point (5D) or more than a point (5T). */
static bool lines_overlap(const struct record *record, soloist_move a, soloist_move b) {
    int direction = direction_of(a), shared = 0;
    if (direction_of(b) != direction)
        return false;
    for (int i = 0; i < FIVE; i++)
        for (int k = 0; k < FIVE; k++)
            shared += cell_of(a) + i * stride[direction] == cell_of(b) + k * stride[direction];
    return shared > (record->apart ? 0 : 1);
}

/* Why a move is not legal; NULL: it is, and is now recorded. */
static const char *judge(struct record *record, soloist_move move) {
    for (int i = 0; i < FIVE; i++) {
        int cell = cell_of(move) + i * stride[direction_of(move)];
        bool there = record->points[cell / SIDE][cell % SIDE];
        if (there && i == fresh_of(move))
            return "the new point is there already";
        if (!there && i != fresh_of(move))
            return "a point of the line is missing";
    }
    for (int i = 0; i < record->count; i++)
        if (lines_overlap(record, record->lines[i], move))
            return "the line overlaps an earlier one";
    record->lines[record->count++] = move;
    record->points[new_cell(move) / SIDE][new_cell(move) % SIDE] = true;
    return NULL;
}

/* Plays all moves of a text. A legal line adds a point, so there are fewer moves than MOST_STEPS. */
static bool play_all(struct record *record, struct reader *reader, int line, int column, soloist_error *error) {
    soloist_move move;
    for (skip_blanks(reader); peek(reader) >= 0; skip_blanks(reader)) {
        size_t begin = reader->at;
        if (!read_move(reader, line, column, &move, error))
            return false;
        const char *fault = judge(record, move);
        if (fault)
            return soloist_fail(error, line, column + (int)begin, "%s", fault);
    }
    return true;
}

static bool read_position(const soloist_chunk *chunk, struct record *record, soloist_error *error) {
    struct reader reader = {chunk->text, 0, chunk->length};
    *record = (struct record){0};
    for (int y = 0; y < 10; y++)
        for (int x = 0; x < 10; x++)
            record->points[CORNER + y][CORNER + x] = cross_has(x, y);
    skip_blanks(&reader);
    bool five = take(&reader, '5');
    record->apart = take(&reader, 'D');
    if (!five || (!record->apart && !take(&reader, 'T')))
        return soloist_fail(error, chunk->line, 1, "expected 5D or 5T, and after a colon the moves played so far");
    skip_blanks(&reader);
    if (peek(&reader) >= 0 && !take(&reader, ':'))
        return soloist_fail(error, chunk->line, (int)reader.at + 1, "expected a colon before the moves played so far");
    return play_all(record, &reader, chunk->line, 1, error);
}

static bool referee(const soloist_chunk *chunk, const void *options, const char *solution, size_t length,
                    soloist_verdict *verdict, soloist_error *error) {
    struct record record;
    struct reader reader = {solution, 0, length};
    (void)options;
    if (!read_position(chunk, &record, error))
        return false;
    int before = record.count;
    if (!play_all(&record, &reader, 1, 1, error))
        return false;
    *verdict = (soloist_verdict){.value = record.count - before, .moves = record.count - before, .pushes = -1};
    return true;
}

/* ---- life ---- */

static int recognise(const char *text, size_t length) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk;
    struct record record;
    return soloist_next_line(&cursor, &chunk) && read_position(&chunk, &record, NULL) ? 95 : 0;
}

static soloist_instance *parse(const soloist_chunk *chunk, const void *options, soloist_error *error) {
    struct record record;
    (void)options;
    if (!read_position(chunk, &record, error))
        return NULL;
    soloist_instance *game = calloc(1, sizeof *game);
    if (!game) {
        soloist_fail(error, chunk->line, 0, "no memory for a game");
        return NULL;
    }
    game->span = record.apart ? 5 : 4;
    put_cross(&game->start);
    for (int i = 0; i < record.count; i++)
        apply(game, &game->start, record.lines[i], NULL);
    memset(game->edge, DRAWN, sizeof game->edge);
    for (int direction = 0; direction < DIRECTIONS; direction++)
        for (int cell = 0; cell < CELLS; cell++)
            if (line_is_on_board(cell % SIDE, cell / SIDE, direction))
                game->edge[direction][MARGIN + cell] = 0;
    return game;
}

static void destroy(soloist_instance *game) { free(game); }

/* In 5D every point has one place per direction, and a move adds four places and takes five: the cross has 144. In 5T
 * only the board limits a game. */
static void shape(const soloist_instance *game, soloist_shape *sizes) {
    *sizes = (soloist_shape){.state_size = sizeof(struct morpion_state),
                             .most_moves = MOST_MOVES,
                             .most_steps = game->span == FIVE ? 144 : CELLS - 36,
                             .instance_size = sizeof *game};
}

static void root(const soloist_instance *game, void *state) { memcpy(state, &game->start, sizeof game->start); }

/* ---- generate: a position after some random moves ---- */

#define GENERATE_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                   \
    CHOICE(T, variant, 0, "5D|5T", "5D: lines of one direction share no point; 5T: they may share an end")             \
    INT(T, moves, 0, 0, 60, "random moves played before the game begins, if so many can be played")
SOLOIST_OPTIONS(generate_options, GENERATE_OPTIONS);

static soloist_code make_position(const void *options, soloist_rng *rng, const soloist_sink *sink,
                                  soloist_error *error) {
    const struct generate_options *o = options;
    soloist_chunk chunk = {.text = o->variant ? "5T" : "5D", .length = 2, .line = 1, .name = ""};
    soloist_instance *game = parse(&chunk, NULL, error);
    soloist_move list[MOST_MOVES];
    if (!game)
        return SOLOIST_NO_MEMORY;
    playout(game, &game->start, 0, (int)o->moves, rng, NULL, NULL);
    soloist_print(sink, "; %d moves can be played\n", moves(game, &game->start, list));
    print(game, &game->start, sink);
    destroy(game);
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
};
static const soloist_core core = {
    .size = sizeof(soloist_core),
    .moves = moves,
    .apply = apply,
    .undo = undo,
    .ended = ended,
    .key = key,
    .key_from_scratch = key_from_scratch,
    .expand = expand,
};
static const soloist_text words = {
    .size = sizeof(soloist_text),
    .print = print,
    .move = print_move,
    .solution = print_solution,
    .read = read_solution,
    .referee = referee,
};
static const soloist_sample sample = {.size = sizeof(soloist_sample), .policies = policies, .playout = playout};
static const soloist_walk walks = {
    .size = sizeof(soloist_walk),
    .walk_size = walk_size,
    .rules = rules,
    .open = walk_open,
    .copy = walk_copy,
    .play = walk_play,
    .ended = walk_ended,
};
static const soloist_generate generate = {.size = sizeof(soloist_generate),
                                          .options = generate_options_rows,
                                          .options_size = sizeof(struct generate_options),
                                          .make = make_position};

/* NRPA as published, without the bias that other domains give it. `race` fits the length of its runs to the limits. */
static const soloist_member members[] = {
    {.name = "nrpa", .method = "nrpa:level=3,n=100,playouts=1,bias=0", .percent = 100}};
static const soloist_mix mix = {.size = sizeof(soloist_mix), .members = members, .count = 1};

static const soloist_mix *choose_mix(const soloist_instance *game, const soloist_limits *limits) {
    (void)game;
    return limits->time_s > 0 || limits->nodes || limits->iterations || limits->stop ? &mix : NULL;
}
static const soloist_hints hints = {.size = sizeof(soloist_hints), .mix = choose_mix};

const soloist_domain *soloist_plugin(void) {
    static const soloist_domain morpion = {
        .abi = SOLOIST_ABI,
        .size = sizeof(soloist_domain),
        .name = "morpion",
        .summary = "Morpion solitaire 5D and 5T: draw as many lines of five points as possible",
        .aim = SOLOIST_MOST_SCORE,
        .players = 1,
        .life = &life,
        .core = &core,
        .text = &words,
        .sample = &sample,
        .walk = &walks,
        .hints = &hints,
        .generate = &generate,
    };
    return &morpion;
}
