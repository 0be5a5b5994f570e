/* Rush hour: cars stand on a board of 6 x 6 cells, each moves only forwards and backwards, and the car A must leave
 * through the right edge. An exact domain: its bound is admissible, so A* and IDA* prove least costs.
 *
 * cc -shared -fPIC -O2 -I../include rush_hour.c -o rush_hour.so
 * soloist solve --plugin ./rush_hour.so boards.txt
 *
 * A file holds one board per line: 36 letters, row after row from the top; o or . is an empty cell, x a wall, any
 * capital letter a car (two or three cells in a line). A is the car that must leave. A solution is a list of slides
 * like A+3 C-1: plus is to the right or down. By default a slide of any length costs 1; with rush-hour:count=cells
 * every cell costs 1. */
#include "soloist.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 6, CELLS = SIDE * SIDE, MOST_CARS = 18, MOST_MOVES = MOST_CARS * (SIDE - 2) };

struct car {
    char letter;
    bool vertical;
    int length, line; /* line: its row, or its column if vertical */
    int least, most;  /* the places that walls let it reach */
};

/* Car 0 is A. The place of a car is the row or column of its first cell. */
struct soloist_instance {
    bool count_cells;
    int cars;
    struct car car[MOST_CARS];
    uint64_t walls, start;
    const char *hopeless; /* why there is no solution; NULL: there may be one */
};

#define DOMAIN_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                     \
    CHOICE(T, count, 0, "slides|cells", "what costs 1: a slide of any length, or every cell of a slide")
SOLOIST_OPTIONS(rush_hour_options, DOMAIN_OPTIONS);

/* A state is one number with three bits per car: its place. */
static int place_of(uint64_t state, int car) { return (int)(state >> (3 * car) & 7); }
static uint64_t state_of(const void *state) { return *(const uint64_t *)state; }

/* A move has the car, its place before and its place after. */
static soloist_move make_move(int car, int from, int to) { return (soloist_move)(car << 6 | from << 3 | to); }
static int car_of(soloist_move move) { return (int)(move >> 6); }
static int from_of(soloist_move move) { return (int)(move >> 3 & 7); }
static int to_of(soloist_move move) { return (int)(move & 7); }

/* ---- the board ---- */

static int cell_at(const struct car *car, int along) {
    return car->vertical ? along * SIDE + car->line : car->line * SIDE + along;
}

static uint64_t car_cells(const struct car *car, int place) {
    uint64_t cells = 0;
    for (int i = 0; i < car->length; i++)
        cells |= UINT64_C(1) << cell_at(car, place + i);
    return cells;
}

static uint64_t occupied(const soloist_instance *board, uint64_t state) {
    uint64_t cells = board->walls;
    for (int i = 0; i < board->cars; i++)
        cells |= car_cells(&board->car[i], place_of(state, i));
    return cells;
}

/* The places that walls let a car reach. */
static void set_range(soloist_instance *board, int number) {
    struct car *car = &board->car[number];
    car->least = car->most = place_of(board->start, number);
    while (car->least > 0 && !(board->walls >> cell_at(car, car->least - 1) & 1))
        car->least--;
    while (car->most + car->length < SIDE && !(board->walls >> cell_at(car, car->most + car->length) & 1))
        car->most++;
}

/* ---- bound: A must leave, and every car in its way must move first ---- */

/* By how many cells a vertical car must move to leave the row; 0: it is not in that row; SIDE: it cannot. */
static int cells_to_clear(const struct car *car, int place, int row) {
    int up = place + car->length - row, down = row + 1 - place, least = SIDE;
    if (place > row || place + car->length <= row)
        return 0;
    if (place - up >= car->least)
        least = up;
    return place + down <= car->most && down < least ? down : least;
}

/* No move brings A past a car. So the cars in its way stay the same until each of them has moved, and a move changes
 * one term of this sum by at most its cost. */
static int32_t bound_of(const soloist_instance *board, uint64_t state) {
    const struct car *a = &board->car[0];
    int place = place_of(state, 0), distance = SIDE - a->length - place;
    int32_t sum = board->count_cells ? distance : distance > 0;
    for (int i = 1; i < board->cars && distance; i++) {
        const struct car *car = &board->car[i];
        if (!car->vertical || car->line < place)
            continue;
        int cells = cells_to_clear(car, place_of(state, i), a->line);
        sum += board->count_cells ? cells : cells > 0;
    }
    return sum;
}

/* Walls and cars that can never get out of the way: found once, when the board is read. */
static const char *find_hopeless(const soloist_instance *board) {
    const struct car *a = &board->car[0];
    int place = place_of(board->start, 0);
    if (a->most + a->length < SIDE)
        return "a wall is between car A and the exit";
    for (int i = 1; i < board->cars; i++) {
        const struct car *car = &board->car[i];
        if (!car->vertical && car->line == a->line && place_of(board->start, i) > place)
            return "a car in the row of car A is between it and the exit";
        if (car->vertical && car->line > place && cells_to_clear(car, place_of(board->start, i), a->line) == SIDE)
            return "a car between car A and the exit cannot leave the row";
    }
    return NULL;
}

/* ---- life ---- */

static bool is_car(char letter) { return letter >= 'A' && letter <= 'Z'; }

static bool add_car(soloist_instance *board, const char *cells, int first, int line, soloist_error *error) {
    char letter = cells[first];
    bool vertical = first + SIDE < CELLS && cells[first + SIDE] == letter;
    int step = vertical ? SIDE : 1, length = 1, seen = 0;
    int end = vertical ? CELLS : first - first % SIDE + SIDE;
    while (first + length * step < end && cells[first + length * step] == letter)
        length++;
    for (int i = 0; i < CELLS; i++)
        seen += cells[i] == letter;
    if (seen != length || length < 2 || length > 3)
        return soloist_fail(error, line, first + 1, "car %c: expected two or three cells in a line", letter);
    if (letter != 'A' && board->cars == MOST_CARS)
        return soloist_fail(error, line, first + 1, "no room is left for car A");
    int number = letter == 'A' ? 0 : board->cars++;
    board->car[number] = (struct car){.letter = letter, .vertical = vertical, .length = length};
    board->car[number].line = vertical ? first % SIDE : first / SIDE;
    board->start |= (uint64_t)(vertical ? first / SIDE : first % SIDE) << (3 * number);
    return true;
}

/* strchr would also find the zero byte, which a file may contain. */
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static bool read_board(const soloist_chunk *chunk, soloist_instance *board, soloist_error *error) {
    const char *cells = chunk->text;
    size_t length = chunk->length;
    uint32_t seen = 0;
    *board = (soloist_instance){.cars = 1};
    while (length && is_blank(cells[length - 1]))
        length--;
    if (length != CELLS)
        return soloist_fail(error, chunk->line, (int)length + 1, "expected %d letters, found %zu", CELLS, length);
    for (int i = 0; i < CELLS; i++) {
        if (cells[i] == 'x')
            board->walls |= UINT64_C(1) << i;
        else if (!is_car(cells[i]) && cells[i] != 'o' && cells[i] != '.')
            return soloist_fail(error, chunk->line, i + 1, "expected a capital letter, o or . for an empty cell, or x");
        else if (is_car(cells[i]) && !(seen >> (cells[i] - 'A') & 1)) {
            seen |= 1u << (cells[i] - 'A');
            if (!add_car(board, cells, i, chunk->line, error))
                return false;
        }
    }
    if (!(seen & 1) || board->car[0].vertical)
        return soloist_fail(error, chunk->line, 1, "expected a car A that lies in a row");
    for (int i = 0; i < board->cars; i++)
        set_range(board, i);
    board->hopeless = find_hopeless(board);
    return true;
}

static int recognise(const char *text, size_t length) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk;
    soloist_instance board;
    return soloist_next_line(&cursor, &chunk) && read_board(&chunk, &board, NULL) ? 95 : 0;
}

static soloist_instance *parse(const soloist_chunk *chunk, const void *options, soloist_error *error) {
    soloist_instance *board = malloc(sizeof *board);
    if (!board)
        soloist_fail(error, chunk->line, 0, "no memory for a board");
    else if (!read_board(chunk, board, error))
        free(board), board = NULL;
    if (board)
        board->count_cells = ((const struct rush_hour_options *)options)->count;
    return board;
}

static void destroy(soloist_instance *board) { free(board); }

static void shape(const soloist_instance *board, soloist_shape *sizes) {
    (void)board;
    *sizes = (soloist_shape){.state_size = sizeof(uint64_t), .most_moves = MOST_MOVES, .least_step = 1};
}

static void root(const soloist_instance *board, void *state) { memcpy(state, &board->start, sizeof board->start); }
static const char *impossible(const soloist_instance *board) { return board->hopeless; }

/* ---- core ---- */

static int moves_of(const soloist_instance *board, uint64_t state, soloist_move *list) {
    uint64_t cells = occupied(board, state);
    int count = 0;
    for (int i = 0; i < board->cars; i++) {
        const struct car *car = &board->car[i];
        int place = place_of(state, i);
        for (int to = place - 1; to >= car->least && !(cells >> cell_at(car, to) & 1); to--)
            list[count++] = make_move(i, place, to);
        for (int to = place + 1; to <= car->most && !(cells >> cell_at(car, to + car->length - 1) & 1); to++)
            list[count++] = make_move(i, place, to);
    }
    return count;
}

static int moves(const soloist_instance *board, const void *state, soloist_move *list) {
    return moves_of(board, state_of(state), list);
}

/* Both places in the move, exchanged by a shift of three bits. */
static uint64_t after(uint64_t state, soloist_move move) {
    return state ^ (uint64_t)(from_of(move) ^ to_of(move)) << (3 * car_of(move));
}

static int32_t cost_of(const soloist_instance *board, soloist_move move) {
    return board->count_cells ? abs(to_of(move) - from_of(move)) : 1;
}

static int32_t apply(const soloist_instance *board, void *state, soloist_move move, void *record) {
    (void)record;
    *(uint64_t *)state = after(state_of(state), move);
    return cost_of(board, move);
}

static void undo(const soloist_instance *board, void *state, soloist_move move, const void *record) {
    (void)board, (void)record;
    *(uint64_t *)state = after(state_of(state), move);
}

static bool ended(const soloist_instance *board, const void *state, int32_t *last) {
    *last = 0;
    return place_of(state_of(state), 0) + board->car[0].length == SIDE;
}

/* A bijection: different states have different keys. */
static uint64_t key_of(uint64_t state) {
    state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9u;
    return state ^ state >> 27;
}

static uint64_t key(const soloist_instance *board, const void *state) {
    (void)board;
    return key_of(state_of(state));
}

/* The move that takes the last one back is left out. */
static int expand(const soloist_instance *board, const void *state, soloist_move last, unsigned want,
                  soloist_child *children) {
    soloist_move list[MOST_MOVES];
    int listed = moves_of(board, state_of(state), list), count = 0;
    soloist_move back = last == SOLOIST_NO_MOVE ? last : make_move(car_of(last), to_of(last), from_of(last));
    for (int i = 0; i < listed; i++) {
        uint64_t child = after(state_of(state), list[i]);
        if (list[i] != back)
            children[count++] = (soloist_child){.key = key_of(child),
                                                .move = list[i],
                                                .step = cost_of(board, list[i]),
                                                .bound = want & SOLOIST_WANT_BOUND ? bound_of(board, child) : 0};
    }
    return count;
}

static int32_t bound_value(const soloist_instance *board, const void *state) {
    return bound_of(board, state_of(state));
}

static bool yes(const soloist_instance *board) {
    (void)board;
    return true;
}

/* ---- text ---- */

static void print(const soloist_instance *board, const void *state, const soloist_sink *sink) {
    char cells[CELLS + 2];
    memset(cells, 'o', CELLS);
    cells[CELLS] = '\n', cells[CELLS + 1] = 0;
    for (int i = 0; i < CELLS; i++)
        if (board->walls >> i & 1)
            cells[i] = 'x';
    for (int i = 0; i < board->cars; i++)
        for (int k = 0; k < board->car[i].length; k++)
            cells[cell_at(&board->car[i], place_of(state_of(state), i) + k)] = board->car[i].letter;
    soloist_put(sink, cells);
}

static void print_move(const soloist_instance *board, const void *state, soloist_move move, const soloist_sink *sink) {
    (void)state;
    soloist_print(sink, "%c%+d", board->car[car_of(move)].letter, to_of(move) - from_of(move));
}

static void print_solution(const soloist_instance *board, const soloist_move *list, size_t count,
                           const soloist_sink *sink) {
    for (size_t i = 0; i < count; i++) {
        soloist_put(sink, i ? " " : "");
        print_move(board, NULL, list[i], sink);
    }
}

/* Reads a slide like A+3 at *at; false at the end of the text, or with an error. */
static bool read_slide(const char *text, size_t length, size_t *at, char *letter, int *cells, soloist_error *error) {
    while (*at < length && is_blank(text[*at]))
        ++*at;
    if (*at == length)
        return false;
    bool good = length - *at >= 3 && is_car(text[*at]) && (text[*at + 1] == '+' || text[*at + 1] == '-') &&
                text[*at + 2] >= '1' && text[*at + 2] < '0' + SIDE;
    if (!good)
        return soloist_fail(error, 1, (int)*at + 1, "expected a slide like A+3");
    *letter = text[*at];
    *cells = text[*at + 1] == '+' ? text[*at + 2] - '0' : '0' - text[*at + 2];
    *at += 3;
    return true;
}

static long read_solution(const soloist_instance *board, const char *text, size_t length, soloist_move *list,
                          size_t room, soloist_error *error) {
    size_t count = 0, at = 0;
    uint64_t state = board->start;
    char letter;
    int cells;
    error->text[0] = 0;
    while (read_slide(text, length, &at, &letter, &cells, error)) {
        int car = 0;
        while (car < board->cars && board->car[car].letter != letter)
            car++;
        if (car == board->cars)
            return soloist_fail(error, 1, (int)at - 2, "there is no car %c", letter), -1;
        int from = place_of(state, car), to = from + cells;
        if (to < board->car[car].least || to > board->car[car].most)
            return soloist_fail(error, 1, (int)at - 2, "car %c cannot slide so far", letter), -1;
        if (count < room)
            list[count] = make_move(car, from, to);
        state = after(state, make_move(car, from, to));
        count++;
    }
    return error->text[0] ? -1 : (long)count;
}

/* ---- the referee: slides letters on a board of letters, cell by cell ---- */

static int find_letter(const char *cells, char letter) {
    const char *found = memchr(cells, letter, CELLS);
    return found ? (int)(found - cells) : -1;
}

/* Moves a car by one cell; false if something is in its way. */
static bool slide_one(char *cells, char letter, int sign) {
    int first = find_letter(cells, letter), step, length = 1;
    if (first < 0)
        return false;
    step = first % SIDE < SIDE - 1 && cells[first + 1] == letter ? 1 : SIDE;
    while (first + length * step < CELLS && cells[first + length * step] == letter)
        length++;
    int free_cell = sign > 0 ? first + length * step : first - step,
        left = sign > 0 ? first : first + (length - 1) * step;
    bool on_board = free_cell >= 0 && free_cell < CELLS && (step == SIDE || free_cell / SIDE == first / SIDE);
    if (!on_board || (cells[free_cell] != 'o' && cells[free_cell] != '.'))
        return false;
    cells[free_cell] = letter;
    cells[left] = 'o';
    return true;
}

static bool referee(const soloist_chunk *chunk, const void *options, const char *solution, size_t length,
                    soloist_verdict *verdict, soloist_error *error) {
    soloist_instance board;
    char cells[CELLS], letter;
    int distance;
    long count = 0, walked = 0;
    size_t at = 0;
    if (!read_board(chunk, &board, error))
        return false;
    memcpy(cells, chunk->text, CELLS);
    error->text[0] = 0;
    while (read_slide(solution, length, &at, &letter, &distance, error)) {
        for (int i = 0; i < abs(distance); i++, walked++)
            if (!slide_one(cells, letter, distance))
                return soloist_fail(error, 1, (int)at - 2, "car %c cannot slide so far", letter);
        count++;
    }
    if (error->text[0])
        return false;
    int32_t cost = (int32_t)(((const struct rush_hour_options *)options)->count ? walked : count);
    *verdict = (soloist_verdict){.value = cost, .moves = count, .pushes = -1};
    int first = find_letter(cells, 'A');
    return cells[first - first % SIDE + SIDE - 1] == 'A' || soloist_fail(error, 1, (int)length, "car A is still there");
}

/* ---- generate: of all positions of a random set of cars, the one that is farthest from a goal ---- */

#define GENERATE_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                   \
    INT(T, cars, 9, 2, 13, "how many cars, if there is room for them")                                                 \
    INT(T, walls, 0, 0, 3, "how many walls")                                                                           \
    INT(T, least, 8, 1, 30, "slides that a board needs at least; after 1000 tries the best board is taken")
SOLOIST_OPTIONS(generate_options, GENERATE_OPTIONS);

enum { SLOTS = 1 << 16, MOST_STATES = SLOTS / 2, NOWHERE = -1 };

/* All positions that slides can reach from each other. */
struct cluster {
    uint64_t states[MOST_STATES];
    int32_t slots[SLOTS]; /* index of a state, or NOWHERE */
    int32_t distance[MOST_STATES], queue[MOST_STATES];
    int count;
};

/* The number of a state, which is added if it is new; NOWHERE: there are too many. */
static int number_of(struct cluster *cluster, uint64_t state) {
    uint32_t slot = (uint32_t)(key_of(state) >> 20) % SLOTS;
    for (; cluster->slots[slot] != NOWHERE; slot = (slot + 1) % SLOTS)
        if (cluster->states[cluster->slots[slot]] == state)
            return cluster->slots[slot];
    if (cluster->count == MOST_STATES)
        return NOWHERE;
    cluster->states[cluster->count] = state;
    return cluster->slots[slot] = cluster->count++;
}

static bool find_cluster(struct cluster *cluster, const soloist_instance *board) {
    soloist_move list[MOST_MOVES];
    memset(cluster->slots, 0xff, sizeof cluster->slots);
    cluster->count = 0;
    number_of(cluster, board->start);
    for (int i = 0; i < cluster->count; i++)
        for (int m = moves_of(board, cluster->states[i], list) - 1; m >= 0; m--)
            if (number_of(cluster, after(cluster->states[i], list[m])) == NOWHERE)
                return false;
    return true;
}

/* Breadth-first search from all goals at once; returns the number of the farthest state, or NOWHERE without a goal. */
static int find_farthest(struct cluster *cluster, const soloist_instance *board) {
    soloist_move list[MOST_MOVES];
    int32_t last, end = 0;
    for (int i = 0; i < cluster->count; i++) {
        bool goal = ended(board, &cluster->states[i], &last);
        cluster->distance[i] = goal ? 0 : NOWHERE;
        if (goal)
            cluster->queue[end++] = i;
    }
    for (int32_t i = 0; i < end; i++)
        for (int m = moves_of(board, cluster->states[cluster->queue[i]], list) - 1; m >= 0; m--) {
            int next = number_of(cluster, after(cluster->states[cluster->queue[i]], list[m]));
            if (cluster->distance[next] != NOWHERE)
                continue;
            cluster->distance[next] = cluster->distance[cluster->queue[i]] + 1;
            cluster->queue[end++] = next;
        }
    return end ? cluster->queue[end - 1] : NOWHERE;
}

/* Puts A into the third row and everything else anywhere. */
static void draw_board(const struct generate_options *options, soloist_rng *rng, char cells[CELLS]) {
    memset(cells, 'o', CELLS);
    int first = 2 * SIDE + (int)soloist_rng_below(rng, SIDE - 1), cars = 1;
    cells[first] = cells[first + 1] = 'A';
    for (int walls = 0; walls < options->walls;) {
        int cell = (int)soloist_rng_below(rng, CELLS);
        if (cells[cell] == 'o' && cell / SIDE != 2)
            cells[cell] = 'x', walls++;
    }
    for (int tries = 0; tries < 500 && cars < options->cars; tries++) {
        int length = 2 + (soloist_rng_below(rng, 3) == 0), step = soloist_rng_below(rng, 2) ? SIDE : 1;
        int line = (int)soloist_rng_below(rng, SIDE),
            along = (int)soloist_rng_below(rng, (uint32_t)(SIDE - length + 1));
        int cell = step == SIDE ? along * SIDE + line : line * SIDE + along;
        bool fits = step == SIDE || line != 2;
        for (int i = 0; i < length; i++)
            fits = fits && cells[cell + i * step] == 'o';
        for (int i = 0; fits && i < length; i++)
            cells[cell + i * step] = (char)('A' + cars);
        cars += fits;
    }
}

/* One try: returns how many slides the board's hardest position needs, and makes that its start; 0: none. */
static int try_board(const struct generate_options *options, soloist_rng *rng, struct cluster *cluster,
                     soloist_instance *board) {
    char cells[CELLS];
    soloist_chunk chunk = {.text = cells, .length = CELLS, .line = 1, .name = ""};
    draw_board(options, rng, cells);
    if (!read_board(&chunk, board, NULL) || board->hopeless || !find_cluster(cluster, board))
        return 0;
    int farthest = find_farthest(cluster, board);
    if (farthest == NOWHERE)
        return 0;
    board->start = cluster->states[farthest];
    return cluster->distance[farthest];
}

static soloist_code make_board(const void *options, soloist_rng *rng, const soloist_sink *sink, soloist_error *error) {
    const struct generate_options *wanted = options;
    struct cluster *cluster = malloc(sizeof *cluster);
    soloist_instance board, best;
    int slides = 0, states = 0;
    if (!cluster)
        return soloist_fail(error, 0, 0, "no memory for the positions of a board"), SOLOIST_NO_MEMORY;
    for (int tries = 0; slides < wanted->least && (tries < 1000 || !slides); tries++) {
        int found = try_board(wanted, rng, cluster, &board);
        if (found > slides)
            slides = found, states = cluster->count, best = board;
    }
    free(cluster);
    soloist_print(sink, "; %d slides at least; %d positions can be reached\n", slides, states);
    print(&best, &best.start, sink);
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
    .impossible = impossible,
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
    .solution = print_solution,
    .read = read_solution,
    .referee = referee,
};
static const soloist_generate generate = {.size = sizeof(soloist_generate),
                                          .options = generate_options_rows,
                                          .options_size = sizeof(struct generate_options),
                                          .make = make_board};

const soloist_domain *soloist_plugin(void) {
    static const soloist_domain rush_hour = {
        .abi = SOLOIST_ABI,
        .size = sizeof(soloist_domain),
        .name = "rush-hour",
        .summary = "rush hour: get car A out of the traffic jam with the fewest slides",
        .aim = SOLOIST_LEAST_COST,
        .players = 1,
        .options = rush_hour_options_rows,
        .options_size = sizeof(struct rush_hour_options),
        .life = &life,
        .core = &core,
        .text = &words,
        .bound = &bound,
        .generate = &generate,
    };
    return &rush_hour;
}
