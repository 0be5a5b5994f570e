#include "cli/show/controls.h"
#include "cli/shell/need.h"
#include "domain/samegame/samegame.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { UP, LEFT, RIGHT, DOWN }; /* the moves of Sokoban's steps and of the tiles' blank */

static int width_of(const char *text) { return (int)strcspn(text, "\n"); }

static int clamp(int value, int least, int most) { return value < least ? least : value > most ? most : value; }

static void move_cursor(struct hand *hand, enum control control) {
    hand->x += (control == CONTROL_RIGHT) - (control == CONTROL_LEFT);
    hand->y += (control == CONTROL_DOWN) - (control == CONTROL_UP);
}

/* ---- Sokoban ---- */

static void step(struct hand *hand, enum control control) {
    if (control != CONTROL_ACT)
        game_play(hand->game, (soloist_move)control);
}

/* Walks along the hint's letters: the first in upper case is the push. */
static void mark_push(struct hand *hand) {
    int x = hand->x, y = hand->y;
    for (const char *letter = hand->hint_line; *letter; letter++) {
        int small = *letter | 32;
        x += (small == 'r') - (small == 'l'), y += (small == 'd') - (small == 'u');
        if (*letter < 'a') {
            draw_mark_push(hand->game->text, hand->marks, x, y, (char)small);
            return;
        }
    }
}

/* The explanation's board is the position with X for the stuck boxes. */
static void mark_stuck(struct hand *hand) {
    const char *board = hand->game->told.board;
    for (size_t i = 0; board && board[i] && i < hand->cells; i++)
        if (board[i] == 'X')
            hand->marks[i] = DRAW_STUCK;
}

static void mark_sokoban(struct hand *hand) {
    text_find(hand->game->text, "@+", &hand->x, &hand->y); /* the view follows the player */
    mark_stuck(hand);
    if (hand->hint_line)
        mark_push(hand);
}

static void count_steps(const struct hand *hand, char *out, size_t room) {
    size_t pushes = 0, moves = hand->game->at;
    for (const char *letter = hand->game->line; *letter; letter++)
        pushes += *letter >= 'A' && *letter <= 'Z';
    snprintf(out, room, "%zu move%s, %zu push%s", moves, moves == 1 ? "" : "s", pushes, pushes == 1 ? "" : "es");
}

/* ---- SameGame: a cursor on a group ---- */

/* Marks the group of the cell; returns its number of blocks and sets *first to the cell that names its move. */
static int mark_group(struct hand *hand, soloist_move *first) {
    const char *text = hand->game->text;
    int width = width_of(text), height = (int)(strlen(text) / (size_t)(width + 1)), count = 0, top = 0;
    int *stack = need_zeroed(hand->cells + 1, sizeof *stack), start = hand->y * (width + 1) + hand->x;
    char colour = text[start];
    *first = SOLOIST_NO_MOVE;
    if (colour >= '1' && colour <= '9') {
        hand->marks[start] = DRAW_CHOSEN;
        stack[top++] = start;
    }
    while (top) {
        int cell = stack[--top], x = cell % (width + 1), y = cell / (width + 1);
        const int around[] = {x ? cell - 1 : -1, cell + 1, cell - width - 1, cell + width + 1};
        soloist_move move = samegame_move(x, height - 1 - y);
        count++;
        *first = move < *first ? move : *first;
        for (int i = 0; i < 4; i++)
            if (around[i] >= 0 && (size_t)around[i] < hand->cells && text[around[i]] == colour &&
                !hand->marks[around[i]]) {
                hand->marks[around[i]] = DRAW_CHOSEN;
                stack[top++] = around[i];
            }
    }
    free(stack);
    return count;
}

static soloist_move group_move(struct hand *hand, int *count) {
    soloist_move move;
    memset(hand->marks, 0, hand->cells);
    *count = mark_group(hand, &move);
    return move;
}

static void mark_samegame(struct hand *hand) {
    const char *text = hand->game->text;
    int width = width_of(text), count;
    hand->x = clamp(hand->x, 0, width - 1);
    hand->y = clamp(hand->y, 0, (int)(strlen(text) / (size_t)(width + 1)) - 1);
    group_move(hand, &count);
    hand->marks[hand->y * (width + 1) + hand->x] = DRAW_CURSOR;
}

static void press_samegame(struct hand *hand, enum control control) {
    int count;
    if (control == CONTROL_ACT)
        game_play(hand->game, group_move(hand, &count));
    else
        move_cursor(hand, control);
}

static void suggest_samegame(struct hand *hand) {
    const char *text = hand->game->text;
    int width = width_of(text), height = (int)(strlen(text) / (size_t)(width + 1));
    hand->x = samegame_column(hand->hinted);
    hand->y = height - 1 - samegame_row(hand->hinted);
}

static void count_samegame(const struct hand *hand, char *out, size_t room) {
    struct hand look = *hand;
    int blocks;
    look.marks = need_zeroed(hand->cells + 1, 1);
    soloist_move move = group_move(&look, &blocks);
    free(look.marks);
    int used = snprintf(out, room, "score %" PRId32 " after %zu move%s", hand->game->value, hand->game->at,
                        hand->game->at == 1 ? "" : "s");
    if (blocks > 1 && used > 0 && (size_t)used < room) {
        int32_t points = game_step(hand->game, move);
        snprintf(out + used, room - (size_t)used, "; this group: %d blocks, %+" PRId32 " %s", blocks, points,
                 points == 1 ? "point" : "points");
    }
}

/* ---- tiles: the arrow is the direction in which a tile slides, against the blank ---- */

static void slide(struct hand *hand, enum control control) {
    if (control != CONTROL_ACT)
        game_play(hand->game, (soloist_move)(DOWN - (int)control));
}

/* The tile that the hinted move slides: the one that the blank changes places with. */
static void mark_tiles(struct hand *hand) {
    const char *text = hand->game->text;
    int width = 0, height = 0, count = 0, blank = 0, used = 0;
    hand->x = hand->y = 0;
    if (!hand->hint_line)
        return;
    if (sscanf(text, "%dx%d:%n", &width, &height, &used) == 2 && used)
        text += used;
    else
        width = 0; /* a first number may have been taken for the width */
    for (char *end;; text = end, count++) {
        long number = strtol(text, &end, 10);
        if (end == text)
            break;
        blank = number ? blank : count;
    }
    while (!used && width * width < count)
        width++;
    int cell = blank + (hand->hinted == UP ? -width : hand->hinted == DOWN ? width : hand->hinted == LEFT ? -1 : 1);
    if (cell >= 0 && cell < count)
        hand->marks[cell] = DRAW_CHOSEN;
}

static void count_moves(const struct hand *hand, char *out, size_t room) {
    const struct game *game = hand->game;
    int used = snprintf(out, room, "%zu move%s", game->at, game->at == 1 ? "" : "s");
    bool scored = game->shown.domain->aim == SOLOIST_MOST_SCORE;
    if ((scored || game->value != (int32_t)game->at) && used > 0 && (size_t)used < room)
        snprintf(out + used, room - (size_t)used, ", %s %" PRId32, scored ? "score" : "cost", game->value);
}

/* ---- pancakes: the cursor is on the lowest pancake that is flipped ---- */

static void press_pancakes(struct hand *hand, enum control control) {
    if (control == CONTROL_ACT)
        game_play(hand->game, (soloist_move)hand->y + 1);
    else
        move_cursor(hand, control);
}

static void mark_pancakes(struct hand *hand) {
    int count = 1;
    for (const char *text = hand->game->text; *text; text++)
        count += *text == ' ';
    hand->x = 0;
    hand->y = clamp(hand->y, 1, count - 1);
    for (int i = 0; i <= hand->y; i++)
        hand->marks[i] = i == hand->y ? DRAW_CURSOR : DRAW_CHOSEN;
}

static void suggest_pancakes(struct hand *hand) { hand->y = (int)hand->hinted - 1; }

/* ---- any other domain: the list of legal moves ---- */

static void press_list(struct hand *hand, enum control control) {
    const struct game *game = hand->game;
    if (control != CONTROL_ACT)
        move_cursor(hand, control);
    else if (game->legal_count)
        game_play(hand->game, game->legal[hand->y]);
}

static void mark_list(struct hand *hand) {
    int count = hand->game->legal_count;
    hand->x = 0;
    hand->y = clamp(hand->y, 0, count ? count - 1 : 0);
}

static void suggest_list(struct hand *hand) {
    for (int i = 0; i < hand->game->legal_count; i++)
        if (hand->game->legal[i] == hand->hinted)
            hand->y = i;
}

void controls_list(const struct hand *hand, int rows, const soloist_sink *sink) {
    const struct game *game = hand->game;
    int first = clamp(hand->y - rows / 2, 0, game->legal_count > rows ? game->legal_count - rows : 0);
    for (int i = first; i < game->legal_count && i < first + rows; i++) {
        char *text = game_move_text(game, game->legal[i]);
        soloist_print(sink, "%s %s\n", i == hand->y ? ">" : " ", text);
        free(text);
    }
}

/* ---- the table ---- */

static const struct controls all[] = {
    {"sokoban-moves", "arrows or hjkl move", step, mark_sokoban, NULL, count_steps},
    {"samegame", "arrows or hjkl choose, space removes the group", press_samegame, mark_samegame, suggest_samegame,
     count_samegame},
    {"tiles", "arrows or hjkl slide a tile", slide, mark_tiles, NULL, count_moves},
    {"pancake", "up and down or j and k choose, space flips", press_pancakes, mark_pancakes, suggest_pancakes,
     count_moves},
    {NULL, "up and down or j and k choose, space plays", press_list, mark_list, suggest_list, count_moves},
};

const struct controls *controls_of(const struct game *game) {
    const struct controls *found = all;
    while (found->domain && strcmp(found->domain, game->shown.domain->name) != 0)
        found++;
    return found;
}

void hand_mark(struct hand *hand) {
    size_t cells = strlen(hand->game->text) + 1;
    if (cells > hand->cells)
        hand->marks = need_resized(hand->marks, cells, 1);
    hand->cells = cells;
    memset(hand->marks, 0, cells);
    controls_of(hand->game)->mark(hand);
}

void hand_drop_hint(struct hand *hand) {
    free(hand->hint_line);
    hand->hint_line = NULL;
    hand->hinted = SOLOIST_NO_MOVE;
}

void hand_close(struct hand *hand) {
    hand_drop_hint(hand);
    free(hand->marks);
    *hand = (struct hand){.hinted = SOLOIST_NO_MOVE};
}
