/* The palette is that of Okabe and Ito (2008), whose colours people with any kind of colour vision can tell apart.
 * Important things also differ in shape. */
#include "domain/picture/paint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ORANGE = 0xe69f00,
    SKY = 0x56b4e9,
    GREEN = 0x009e73,
    YELLOW = 0xf0e442,
    BLUE = 0x0072b2,
    VERMILION = 0xd55e00,
    PURPLE = 0xcc79a7,
    INK = 0x1f2933,
    STONE = 0x4a5563,
    MORTAR = 0x6b7788,
    FLOOR = 0xf3efe6,
    WOOD = 0x8a5f00,
    LEAF = 0x00543d,
    CREAM = 0xfdf3dc,
    GREY = 0x9aa5b1,
    WHITE = 0xffffff
};
#define NONE SCENE_NO_COLOUR

/* ---- shapes ---- */

static void rect(struct scene *scene, int symbol, double x, double y, double w, double h, double radius, uint32_t fill,
                 uint32_t edge, double thickness) {
    scene_add_shape(scene, symbol, &(struct shape){SHAPE_RECT, x, y, w, h, radius, fill, edge, thickness, false, ""});
}

static void disc(struct scene *scene, int symbol, double x, double y, double radius, uint32_t fill, uint32_t edge,
                 double thickness) {
    scene_add_shape(scene, symbol, &(struct shape){SHAPE_DISC, x, y, radius, 0, 0, fill, edge, thickness, false, ""});
}

static void line(struct scene *scene, int symbol, double x, double y, double to_x, double to_y, uint32_t colour,
                 double thickness) {
    scene_add_shape(scene, symbol,
                    &(struct shape){SHAPE_LINE, x, y, to_x, to_y, 0, NONE, colour, thickness, false, ""});
}

static void words(struct scene *scene, int symbol, double x, double y, double width, double height, uint32_t colour,
                  const char *text) {
    struct shape shape = {SHAPE_TEXT, x, y, width, height, 0, colour, NONE, 0, false, ""};
    snprintf(shape.text, sizeof shape.text, "%s", text);
    scene_add_shape(scene, symbol, &shape);
}

/* ---- Sokoban ---- */

enum { WALL, FLOOR_SQUARE, GOAL, BOX, STORED, PLAYER, PLAYER_ON_GOAL, SOKOBAN_SYMBOLS };

static void draw_crate(struct scene *scene, int symbol, uint32_t fill, uint32_t edge) {
    rect(scene, symbol, 0.08, 0.08, 0.84, 0.84, 0.12, fill, edge, 0.07);
}

static void draw_player(struct scene *scene, int symbol, uint32_t edge, double thickness) {
    disc(scene, symbol, 0.5, 0.5, 0.37, BLUE, edge, thickness);
    disc(scene, symbol, 0.38, 0.43, 0.07, WHITE, NONE, 0);
    disc(scene, symbol, 0.62, 0.43, 0.07, WHITE, NONE, 0);
    line(scene, symbol, 0.36, 0.63, 0.64, 0.63, WHITE, 0.06);
}

static void define_sokoban(struct scene *scene) {
    static const char *const names[] = {"wall", "floor", "goal", "box", "stored", "player", "player-on-goal"};
    for (int i = 0; i < SOKOBAN_SYMBOLS; i++)
        scene_new_symbol(scene, names[i]);
    rect(scene, WALL, 0, 0, 1, 1, 0, STONE, NONE, 0);
    rect(scene, WALL, 0, 0, 1, 0.05, 0, MORTAR, NONE, 0);
    rect(scene, WALL, 0, 0.5, 1, 0.05, 0, MORTAR, NONE, 0);
    rect(scene, WALL, 0.48, 0, 0.05, 0.5, 0, MORTAR, NONE, 0);
    rect(scene, WALL, 0, 0.5, 0.05, 0.5, 0, MORTAR, NONE, 0);
    rect(scene, FLOOR_SQUARE, 0, 0, 1, 1, 0, FLOOR, NONE, 0);
    disc(scene, GOAL, 0.5, 0.5, 0.2, NONE, VERMILION, 0.09);
    draw_crate(scene, BOX, ORANGE, WOOD);
    line(scene, BOX, 0.24, 0.24, 0.76, 0.76, WOOD, 0.07);
    line(scene, BOX, 0.24, 0.76, 0.76, 0.24, WOOD, 0.07);
    draw_crate(scene, STORED, GREEN, LEAF);
    line(scene, STORED, 0.28, 0.54, 0.44, 0.69, WHITE, 0.1);
    line(scene, STORED, 0.44, 0.69, 0.73, 0.34, WHITE, 0.1);
    draw_player(scene, PLAYER, INK, 0.05);
    draw_player(scene, PLAYER_ON_GOAL, VERMILION, 0.12); /* the goal below is hidden: the edge shows its colour */
}

struct board {
    const char *text;
    int width, height;
};

static struct board board_of(const char *text) {
    struct board board = {text, 0, 0};
    for (const char *row = text; *row; board.height++) {
        int width = (int)strcspn(row, "\n");
        board.width = width > board.width ? width : board.width;
        row += width;
        row += *row == '\n';
    }
    return board;
}

/* The character of a square; a space where a row is shorter. */
static char square(const struct board *board, int x, int y) {
    const char *row = board->text;
    while (y-- > 0)
        row += strcspn(row, "\n") + 1;
    return x < (int)strcspn(row, "\n") ? row[x] : ' ';
}

/* The whole board as characters, width * height, which the caller frees; outside the walls each is 0. NULL: no
 * memory. */
static char *squares_of(struct scene *scene, const struct board *board) {
    int count = board->width * board->height, top = 0;
    char *squares = scene_zeroed(scene, (size_t)count + 1, 1);
    int *stack = scene_zeroed(scene, (size_t)count * 4 + 1, sizeof *stack);
    if (!squares || !stack)
        return free(squares), free(stack), NULL;
    for (int i = 0; i < count; i++) {
        int x = i % board->width, y = i / board->width;
        squares[i] = square(board, x, y);
        if (x == 0 || y == 0 || x == board->width - 1 || y == board->height - 1)
            stack[top++] = i;
    }
    while (top) {
        int at = stack[--top], x = at % board->width, y = at / board->width;
        if (squares[at] != ' ' && squares[at] != '-' && squares[at] != '_')
            continue;
        squares[at] = 0;
        const int next[] = {x ? at - 1 : -1, x < board->width - 1 ? at + 1 : -1, y ? at - board->width : -1,
                            y < board->height - 1 ? at + board->width : -1};
        for (int i = 0; i < 4; i++)
            if (next[i] >= 0 && squares[next[i]])
                stack[top++] = next[i];
    }
    free(stack);
    return squares;
}

static bool is_one_of(char symbol, const char *symbols) { return symbol && strchr(symbols, symbol); }

static void paint_sokoban(struct scene *scene, const char *text) {
    struct board board = board_of(text);
    char *squares = squares_of(scene, &board);
    if (!squares)
        return;
    int count = board.width * board.height;
    define_sokoban(scene);
    scene->width = board.width, scene->height = board.height;
    for (int i = 0; i < count; i++)
        if (squares[i])
            scene_add_thing(scene, squares[i] == '#' ? WALL : FLOOR_SQUARE, i % board.width, i / board.width);
    for (int i = 0; i < count; i++)
        if (is_one_of(squares[i], ".*+"))
            scene_add_thing(scene, GOAL, i % board.width, i / board.width);
    for (int i = 0; i < count; i++)
        if (is_one_of(squares[i], "$*"))
            scene_add_thing(scene, squares[i] == '*' ? STORED : BOX, i % board.width, i / board.width);
    for (int i = 0; i < count; i++)
        if (is_one_of(squares[i], "@+"))
            scene_add_thing(scene, squares[i] == '+' ? PLAYER_ON_GOAL : PLAYER, i % board.width, i / board.width);
    free(squares);
}

/* The thing that is drawn as one of two symbols and is now at a square; -1: none. */
static long thing_at(const struct scene *scene, int symbol, int other, int x, int y) {
    for (size_t i = scene->thing_count; i-- > 0;) {
        const struct place *place = scene_place(&scene->things[i], SIZE_MAX);
        if ((place->symbol == symbol || place->symbol == other) && place->x == x && place->y == y)
            return (long)i;
    }
    return -1;
}

/* In one step the player moves, and at most one box: from the square that has lost one to the square that has gained
 * one. */
static void step_sokoban(struct scene *scene, size_t step, const char *before, const char *move, const char *after) {
    int from[2] = {-1, -1}, to[2] = {-1, -1}, walks[4] = {-1, -1, -1, -1}, x = 0, y = 0, stored = 0, goal = 0;
    (void)move;
    /* Every row ends in a wall, so that both texts have the same squares at the same places. */
    for (; *before && *after; before++, after++, x++) {
        bool had = is_one_of(*before, "$*"), has = is_one_of(*after, "$*");
        if (*after == '\n')
            x = -1, y++;
        if (had && !has)
            from[0] = x, from[1] = y;
        if (has && !had)
            to[0] = x, to[1] = y, stored = *after == '*';
        if (is_one_of(*before, "@+"))
            walks[0] = x, walks[1] = y;
        if (is_one_of(*after, "@+"))
            walks[2] = x, walks[3] = y, goal = *after == '+';
    }
    long box = from[0] >= 0 ? thing_at(scene, BOX, STORED, from[0], from[1]) : -1;
    long player = thing_at(scene, PLAYER, PLAYER_ON_GOAL, walks[0], walks[1]);
    if (player >= 0)
        scene_move_thing(scene, (size_t)player, step, walks[2], walks[3], goal ? PLAYER_ON_GOAL : PLAYER);
    if (box >= 0 && to[0] >= 0)
        scene_move_thing(scene, (size_t)box, step, to[0], to[1], stored ? STORED : BOX);
}

/* ---- SameGame: each colour has a sign of its own ---- */

static void draw_sign(struct scene *scene, int symbol, int colour, uint32_t ink) {
    const double w = 0.1;
    if (colour == 1 || colour == 5)
        disc(scene, symbol, 0.5, 0.5, 0.19, colour == 1 ? ink : NONE, ink, w);
    if (colour == 2)
        rect(scene, symbol, 0.33, 0.33, 0.34, 0.34, 0.03, ink, NONE, 0);
    if (colour == 3 || colour == 8)
        line(scene, symbol, 0.32, 0.32, 0.68, 0.68, ink, w);
    if (colour == 3)
        line(scene, symbol, 0.32, 0.68, 0.68, 0.32, ink, w);
    if (colour == 4 || colour == 6)
        line(scene, symbol, 0.28, 0.5, 0.72, 0.5, ink, w);
    if (colour == 4 || colour == 7)
        line(scene, symbol, 0.5, 0.28, 0.5, 0.72, ink, w);
    if (colour == 9)
        for (int i = 0; i < 4; i++)
            disc(scene, symbol, i % 2 ? 0.64 : 0.36, i / 2 ? 0.64 : 0.36, 0.075, ink, NONE, 0);
}

static void define_samegame(struct scene *scene) {
    static const uint32_t fills[] = {0, ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILION, PURPLE, GREY, 0x5b4b8a};
    scene_new_symbol(scene, "empty");
    rect(scene, 0, 0.44, 0.44, 0.12, 0.12, 0.06, 0xe4e7eb, NONE, 0);
    for (int colour = 1; colour <= 9; colour++) {
        char name[16];
        snprintf(name, sizeof name, "block%d", colour);
        int symbol = scene_new_symbol(scene, name);
        bool dark = colour == 3 || colour == 5 || colour == 6 || colour == 9;
        rect(scene, symbol, 0.04, 0.04, 0.92, 0.92, 0.16, fills[colour], NONE, 0);
        draw_sign(scene, symbol, colour, dark ? WHITE : INK);
    }
}

static void paint_samegame(struct scene *scene, const char *text) {
    struct board board = board_of(text);
    define_samegame(scene);
    scene->width = board.width, scene->height = board.height;
    for (int i = 0; i < board.width * board.height; i++)
        scene_add_thing(scene, 0, i % board.width, i / board.width);
    for (int i = 0; i < board.width * board.height; i++) {
        char block = square(&board, i % board.width, i / board.width);
        if (block >= '1' && block <= '9')
            scene_add_thing(scene, block - '0', i % board.width, i / board.width);
    }
}

/* Empties the group of a square on a board of width * height characters. */
static void remove_group(char *squares, const struct board *board, int x, int y, char colour) {
    if (x < 0 || y < 0 || x >= board->width || y >= board->height || squares[y * board->width + x] != colour)
        return;
    squares[y * board->width + x] = '.';
    remove_group(squares, board, x + 1, y, colour);
    remove_group(squares, board, x - 1, y, colour);
    remove_group(squares, board, x, y + 1, colour);
    remove_group(squares, board, x, y - 1, colour);
}

/* Blocks fall down, then columns close up to the left: each block that is left keeps its order in its column. */
static void step_samegame(struct scene *scene, size_t step, const char *before, const char *move, const char *after) {
    struct board board = board_of(before);
    int column, row, to_x = 0;
    const char *cell = strchr(move, '[');
    (void)after;
    if (!cell || sscanf(cell, "[%d,%d]", &column, &row) != 2 || row >= board.height)
        return;
    char *squares = scene_zeroed(scene, (size_t)(board.width * board.height) + 1, 1);
    long *things = scene_zeroed(scene, (size_t)(board.width * board.height) + 1, sizeof *things);
    if (!squares || !things) {
        free(squares);
        free(things);
        return;
    }
    for (int i = 0; i < board.width * board.height; i++)
        squares[i] = square(&board, i % board.width, i / board.width);
    int clicked = (board.height - 1 - row) * board.width + column;
    remove_group(squares, &board, column, board.height - 1 - row, squares[clicked]);
    for (int i = 0; i < board.width * board.height; i++) {
        char block = square(&board, i % board.width, i / board.width);
        things[i] = block >= '1' && block <= '9'
                        ? thing_at(scene, block - '0', block - '0', i % board.width, i / board.width)
                        : -1;
    }
    for (int x = 0; x < board.width; x++) {
        int to_y = board.height - 1;
        for (int y = board.height - 1; y >= 0; y--) {
            int at = y * board.width + x;
            if (things[at] < 0)
                continue;
            const struct place *last = scene_place(&scene->things[things[at]], SIZE_MAX);
            if (squares[at] == '.')
                scene_move_thing(scene, (size_t)things[at], step, last->x, last->y, -1);
            else
                scene_move_thing(scene, (size_t)things[at], step, to_x, to_y--, last->symbol);
        }
        to_x += to_y < board.height - 1;
    }
    free(squares);
    free(things);
}

/* ---- numbers in a line ---- */

enum { MOST_NUMBERS = 256 };

int paint_read_numbers(const char *text, int *numbers, int room) {
    int count = 0;
    char *end;
    for (; count < room; text = end) {
        long number = strtol(text, &end, 10);
        if (end == text)
            break;
        numbers[count++] = (int)number;
    }
    return count;
}

/* Reads a board of tiles; returns the number of squares, 0 if it is none. */
static int read_tiles(const char *text, int *numbers, int *width) {
    int height = 0, used = 0;
    if (sscanf(text, "%dx%d:%n", width, &height, &used) == 2 && used)
        text += used;
    else
        *width = 0;
    int count = paint_read_numbers(text, numbers, MOST_NUMBERS);
    while (!used && *width * *width < count)
        height = ++*width;
    return *width * height == count ? count : 0;
}

/* A tile that is in its place is green. */
static int tile_symbol(struct scene *scene, int number, bool in_place) {
    char name[40], digits[16];
    snprintf(name, sizeof name, "tile%d%s", number, in_place ? "home" : "");
    snprintf(digits, sizeof digits, "%d", number);
    int symbol = scene_symbol(scene, name);
    if (symbol >= 0)
        return symbol;
    symbol = scene_new_symbol(scene, name);
    rect(scene, symbol, 0.05, 0.05, 0.9, 0.9, 0.14, in_place ? GREEN : CREAM, in_place ? LEAF : WOOD, 0.045);
    words(scene, symbol, 0.5, 0.5, 0.7, 0.36, in_place ? WHITE : INK, digits);
    return symbol;
}

static void paint_tiles(struct scene *scene, const char *text) {
    int numbers[MOST_NUMBERS], width, count = read_tiles(text, numbers, &width);
    if (!count)
        return;
    int tray = scene_new_symbol(scene, "tray");
    scene->width = width, scene->height = count / width;
    rect(scene, tray, 0, 0, 1, 1, 0, 0xd9cfbb, NONE, 0);
    for (int i = 0; i < count; i++)
        scene_add_thing(scene, tray, i % width, i / width);
    for (int i = 0; i < count; i++)
        if (numbers[i])
            scene_add_thing(scene, tile_symbol(scene, numbers[i], numbers[i] == i), i % width, i / width);
}

static void step_tiles(struct scene *scene, size_t step, const char *before, const char *move, const char *after) {
    int old[MOST_NUMBERS], new[MOST_NUMBERS], width, count = read_tiles(before, old, &width);
    (void)move;
    if (!count || read_tiles(after, new, &width) != count)
        return;
    for (int i = 0; i < count; i++) {
        int to = 0;
        while (old[i] && new[to] != old[i])
            to++;
        if (!old[i] || to == i)
            continue;
        int symbol = tile_symbol(scene, old[i], i == old[i]), other = tile_symbol(scene, old[i], to == old[i]);
        long thing = thing_at(scene, symbol, symbol, i % width, i / width);
        if (thing >= 0)
            scene_move_thing(scene, (size_t)thing, step, to % width, to / width, other);
    }
}

/* ---- pancakes: widths grow with the numbers; one that is in its place is browner ---- */

static int pancake_symbol(struct scene *scene, int number, int count, bool in_place) {
    char name[40], digits[16];
    snprintf(name, sizeof name, "pancake%d-%d%s", number, count, in_place ? "home" : "");
    snprintf(digits, sizeof digits, "%d", number);
    int symbol = scene_symbol(scene, name);
    if (symbol >= 0)
        return symbol;
    double most = count < 8 ? 8 : count, width = 1.2 + (most - 1.2) * number / count;
    symbol = scene_new_symbol(scene, name);
    rect(scene, symbol, (most - width) / 2, 0.06, width, 0.88, 0.4, in_place ? GREEN : ORANGE, in_place ? LEAF : WOOD,
         0.07);
    words(scene, symbol, most / 2, 0.5, 0.9, 0.42, in_place ? WHITE : INK, digits);
    return symbol;
}

static void paint_pancakes(struct scene *scene, const char *text) {
    int numbers[MOST_NUMBERS], count = paint_read_numbers(text, numbers, MOST_NUMBERS);
    double most = count < 8 ? 8 : count;
    scene->width = most, scene->height = count + 0.5;
    char name[16];
    snprintf(name, sizeof name, "plate%d", (int)most);
    int plate = scene_new_symbol(scene, name);
    rect(scene, plate, 0, 0.1, most, 0.3, 0.15, GREY, NONE, 0);
    scene_add_thing(scene, plate, 0, count);
    for (int i = 0; i < count; i++)
        scene_add_thing(scene, pancake_symbol(scene, numbers[i], count, numbers[i] == i + 1), 0, i);
}

static void step_pancakes(struct scene *scene, size_t step, const char *before, const char *move, const char *after) {
    int old[MOST_NUMBERS], new[MOST_NUMBERS], count = paint_read_numbers(before, old, MOST_NUMBERS);
    (void)move;
    if (paint_read_numbers(after, new, MOST_NUMBERS) != count)
        return;
    long *things = scene_zeroed(scene, (size_t)count + 1, sizeof *things);
    for (int i = 0; things && i < count; i++) {
        int symbol = pancake_symbol(scene, old[i], count, old[i] == i + 1);
        things[i] = thing_at(scene, symbol, symbol, 0, i);
    }
    for (int i = 0; things && i < count; i++)
        for (int to = 0; to < count; to++)
            if (new[to] == old[i] && things[i] >= 0)
                scene_move_thing(scene, (size_t)things[i], step, 0, to,
                                 pancake_symbol(scene, old[i], count, old[i] == to + 1));
    free(things);
}

/* ---- any other domain: its text; each position is a thing of its own ---- */

static int text_symbol(struct scene *scene, const char *text) {
    char name[40];
    struct board board = board_of(text);
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a: different texts get different names */
    for (const char *at = text; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
    snprintf(name, sizeof name, "text%016" PRIx64, hash);
    if (scene_symbol(scene, name) >= 0)
        return scene_symbol(scene, name);
    int symbol = scene_new_symbol(scene, name);
    double width = 0.5 * board.width + 1;
    scene->width = width > scene->width ? width : scene->width;
    scene->height = board.height > scene->height ? board.height : scene->height;
    for (int y = 0; *text; y++) {
        int length = (int)strcspn(text, "\n");
        for (int x = 0; x < length; x++) {
            char letter[2] = {text[x], 0};
            if (text[x] != ' ')
                words(scene, symbol, 0.75 + 0.5 * x, 0.5 + y, 0.5, 0.5, INK, letter);
        }
        text += length;
        text += *text == '\n';
    }
    return symbol;
}

static void paint_text(struct scene *scene, const char *text) {
    scene_add_thing(scene, text_symbol(scene, text), 0, 0);
}

static void step_text(struct scene *scene, size_t step, const char *before, const char *move, const char *after) {
    (void)before, (void)move;
    scene_move_thing(scene, 0, step, 0, 0, text_symbol(scene, after));
}

/* ---- the table ---- */

static const struct painter {
    const char *domain; /* NULL: any other */
    void (*paint)(struct scene *scene, const char *text);
    void (*step)(struct scene *scene, size_t step, const char *before, const char *move, const char *after);
} painters[] = {
    {"sokoban", paint_sokoban, step_sokoban},    {"sokoban-moves", paint_sokoban, step_sokoban},
    {"samegame", paint_samegame, step_samegame}, {"tiles", paint_tiles, step_tiles},
    {"pancake", paint_pancakes, step_pancakes},  {NULL, paint_text, step_text},
};

static const struct painter *painter_of(const char *domain) {
    const struct painter *found = painters;
    while (found->domain && strcmp(found->domain, domain) != 0)
        found++;
    return found;
}

void paint_position(struct scene *scene, const char *domain, const char *text) {
    *scene = (struct scene){0};
    painter_of(domain)->paint(scene, text);
}

void paint_step(struct scene *scene, const char *domain, size_t step, const char *before, const char *move,
                const char *after) {
    painter_of(domain)->step(scene, step, before, move, after);
    scene->steps = step > scene->steps ? step : scene->steps;
}
