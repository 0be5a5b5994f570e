/* Text for people and files: positions as XSB, moves in words, solutions as LURD. Between two pushes the player walks a
 * shortest path; if there are several, he takes the first in the order up, left, right, down. */
#include "domain/sokoban/macro/macro.h"

#include <stdlib.h>

#define MOST_LETTERS (1 << 22) /* maximum number of letters of a solution after its repetitions are expanded */

static const char *const direction_name[4] = {"up", "left", "right", "down"};

/* Many states stand for several squares of the player. The first state is written with his own square, from which the
 * solutions of the instance begin. */
static void print_state(const soloist_instance *instance, const void *state, const soloist_sink *sink) {
    const struct sokoban *game = sokoban_of(instance);
    const struct sokoban_state *s = state;
    struct sokoban_level level = game->level;
    int32_t last;
    bool first = sokoban_reverse_ended(instance, state, &last); /* as at the root */
    for (BITSET_EACH(square, game->floor, (size_t)game->words)) {
        uint8_t *cell = &level.cells[sokoban_cell(game, square)];
        *cell = (uint8_t)(*cell & ~SOKOBAN_BOX);
        if (bitset_has(s->boxes, (unsigned)square))
            *cell |= SOKOBAN_BOX;
    }
    level.player = sokoban_cell(game, first ? game->root_player : (int)s->player);
    sokoban_level_print(&level, sink);
}

/* Columns and rows are counted from 1 at the top left of the level. */
static void print_push(const soloist_instance *instance, const void *state, soloist_move move,
                       const soloist_sink *sink) {
    const struct sokoban *game = sokoban_of(instance);
    int cell = sokoban_cell(game, sokoban_push_box(move)), end = sokoban_cell(game, sokoban_push_end(game, move));
    int width = game->level.width;
    (void)state;
    soloist_print(sink, "(%d,%d) %s", cell % width + 1, cell / width + 1, direction_name[move & 3]);
    if (sokoban_is_macro(move))
        soloist_print(sink, " to (%d,%d)", end % width + 1, end / width + 1);
}

static void print_step(const soloist_instance *instance, const void *state, soloist_move move,
                       const soloist_sink *sink) {
    const struct sokoban *game = sokoban_of(instance);
    const struct sokoban_state *s = state;
    int to = (int)s->player + game->step[move];
    bool push = sokoban_is_floor(game, to) && bitset_has(s->boxes, (unsigned)to);
    soloist_print(sink, "%s %s", push ? "push" : "step", direction_name[move]);
}

/* A game in progress, with the player on his own square. */
struct replay {
    const struct sokoban *game;
    uint64_t boxes[SOKOBAN_WORDS];
    int player;
};

static void replay_open(struct replay *replay, const struct sokoban *game) {
    replay->game = game;
    memcpy(replay->boxes, game->root_boxes, sizeof replay->boxes);
    replay->player = game->root_player;
}

static bool replay_has_box(const struct replay *replay, int square) {
    return sokoban_is_floor(replay->game, square) && bitset_has(replay->boxes, (unsigned)square);
}

static bool replay_is_free(const struct replay *replay, int square) {
    return sokoban_is_floor(replay->game, square) && !bitset_has(replay->boxes, (unsigned)square);
}

/* Makes one step and returns its letter, upper case for a push. Returns 0 if the step is not possible. */
static char replay_step(struct replay *replay, int d) {
    int to = replay->player + replay->game->step[d], ahead = to + replay->game->step[d];
    bool push = replay_has_box(replay, to);
    if (push ? !replay_is_free(replay, ahead) : !replay_is_free(replay, to))
        return 0;
    if (push) {
        bitset_remove(replay->boxes, (unsigned)to);
        bitset_add(replay->boxes, (unsigned)ahead);
    }
    replay->player = to;
    return (push ? "ULRD" : "ulrd")[d];
}

static void write_step(struct replay *replay, int d, const soloist_sink *sink) {
    char letter = replay_step(replay, d);
    if (letter)
        sink->write(sink->to, &letter, 1);
}

static void write_walk(struct replay *replay, int to, const soloist_sink *sink) {
    int16_t distance[SOKOBAN_WORDS * 64];
    const int *step = replay->game->step;
    sokoban_walk(replay->game, replay->boxes, to, distance);
    while (distance[replay->player] > 0)
        for (int d = 0; d < 4; d++) {
            int next = replay->player + step[d];
            if (replay_is_free(replay, next) && distance[next] == distance[replay->player] - 1) {
                write_step(replay, d, sink);
                break;
            }
        }
}

static void write_push(struct replay *replay, soloist_move push, const soloist_sink *sink) {
    int d = (int)(push & 3);
    write_walk(replay, sokoban_push_box(push) - replay->game->step[d], sink);
    write_step(replay, d, sink);
}

static void write_pushes(const soloist_instance *instance, const soloist_move *moves, size_t count,
                         const soloist_sink *sink) {
    const struct sokoban *game = sokoban_of(instance);
    soloist_move pushes[SOKOBAN_MOST_PLACES];
    struct replay replay;
    replay_open(&replay, game);
    for (size_t i = 0; i < count; i++)
        for (int k = 0, n = sokoban_macro_pushes(game, replay.boxes, moves[i], pushes); k < n; k++)
            write_push(&replay, pushes[k], sink);
}

static void write_steps(const soloist_instance *instance, const soloist_move *moves, size_t count,
                        const soloist_sink *sink) {
    struct replay replay;
    replay_open(&replay, sokoban_of(instance));
    for (size_t i = 0; i < count; i++)
        write_step(&replay, (int)moves[i], sink);
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static bool has_repetitions(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if ((text[i] >= '0' && text[i] <= '9') || text[i] == '(')
            return true;
    return false;
}

/* The column of letter number `index`; 0 if repetitions make it unknown. */
static int column_of(const char *text, size_t length, long index) {
    if (has_repetitions(text, length))
        return 0;
    size_t at = 0;
    for (; at < length; at++)
        if (!is_space(text[at]) && index-- == 0)
            break;
    return (int)at + 1;
}

static int direction_of(char letter) {
    for (int d = 0; d < 4; d++)
        if (letter == "ulrd"[d] || letter == "ULRD"[d])
            return d;
    return -1;
}

/* Plays the letters and stores the moves: every step if a move is a step, otherwise only the pushes. Returns the number
 * of moves stored, or -1; *at is then the number of the letter that cannot be played. */
static long play_letters(const struct sokoban *game, const char *letters, long count, soloist_move *moves, size_t room,
                         long *at) {
    struct replay replay;
    size_t kept = 0;
    replay_open(&replay, game);
    for (*at = 0; *at < count; ++*at) {
        int d = direction_of(letters[*at]), to = d < 0 ? 0 : replay.player + game->step[d];
        char played = d < 0 ? 0 : replay_step(&replay, d);
        bool push = played && played <= 'Z';
        if (!played || played != letters[*at])
            return -1;
        if (!push && !game->rules.steps)
            continue;
        if (kept < room)
            moves[kept] = game->rules.steps ? (soloist_move)d : (soloist_move)(to * 4 + d);
        kept++;
    }
    return (long)kept;
}

static long read_solution(const soloist_instance *instance, const char *text, size_t length, soloist_move *moves,
                          size_t room, soloist_error *error) {
    size_t most = has_repetitions(text, length) ? MOST_LETTERS : length;
    char *letters = malloc(most + 1);
    long at, count = -1;
    if (!letters) {
        soloist_fail(error, 0, 0, "no memory for the solution");
        return -1;
    }
    long expanded = sokoban_lurd_expand(text, length, letters, most, error);
    if (expanded >= 0) {
        count = play_letters(sokoban_of(instance), letters, expanded, moves, room, &at);
        if (count < 0)
            soloist_fail(error, 0, column_of(text, length, at),
                         "letter %ld, '%c', cannot be played here: expected a possible step in lower case, or a push "
                         "in upper case",
                         at + 1, letters[at]);
    }
    free(letters);
    return count;
}

static bool referee_pushes(const soloist_chunk *chunk, const void *options, const char *solution, size_t length,
                           soloist_verdict *verdict, soloist_error *error) {
    const struct sokoban_options *rules = options;
    if (!sokoban_referee(chunk, solution, length, verdict, error))
        return false;
    verdict->value = (int32_t)(rules->optimal ? verdict->moves : verdict->pushes);
    return true;
}

static bool referee_steps(const soloist_chunk *chunk, const void *options, const char *solution, size_t length,
                          soloist_verdict *verdict, soloist_error *error) {
    (void)options;
    if (!sokoban_referee(chunk, solution, length, verdict, error))
        return false;
    verdict->value = (int32_t)verdict->moves;
    return true;
}

const soloist_text sokoban_text = {
    .size = sizeof(soloist_text),
    .print = print_state,
    .move = print_push,
    .solution = write_pushes,
    .read = read_solution,
    .referee = referee_pushes,
    .shown_in = "sokoban-moves",
};

const soloist_text sokoban_step_text = {
    .size = sizeof(soloist_text),
    .print = print_state,
    .move = print_step,
    .solution = write_steps,
    .read = read_solution,
    .referee = referee_steps,
};
