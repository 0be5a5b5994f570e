/* Any bytes as a Sokoban file: every chunk lies in the text and is left behind, what the reader takes must read back
 * from its own print, what it refuses must be located. The first bytes up to a zero byte, if there is one, are a
 * solution for every level that follows; so are the solutions in the file. Written again with solutions put in, the
 * file has the same levels and those solutions first. */
#include "base/buffer.h"
#include "domain/sokoban/file/level.h"

#include <stdlib.h>
#include <string.h>

static void demand(bool holds) {
    if (!holds)
        abort();
}

static void check_level(const struct sokoban_level *level) {
    int boxes = 0, goals = 0;
    demand(level->width >= 3 && level->width <= SOKOBAN_MOST_SIDE);
    demand(level->height >= 3 && level->height <= SOKOBAN_MOST_SIDE);
    demand(level->cells[level->player] & SOKOBAN_INSIDE && !(level->cells[level->player] & SOKOBAN_BOX));
    for (int i = 0; i < level->width * level->height; i++) {
        uint8_t cell = level->cells[i];
        int x = i % level->width, y = i / level->width;
        boxes += (cell & SOKOBAN_BOX) != 0;
        goals += (cell & SOKOBAN_GOAL) != 0;
        demand(!(cell & SOKOBAN_INSIDE) || (x && y && x < level->width - 1 && y < level->height - 1));
        demand(!(cell & (SOKOBAN_BOX | SOKOBAN_GOAL)) || cell & SOKOBAN_INSIDE);
        demand(!(cell & SOKOBAN_INSIDE) || !(cell & SOKOBAN_WALL));
        demand(!(cell & SOKOBAN_DECOR) || cell & SOKOBAN_WALL);
    }
    demand(boxes == level->boxes && goals == level->goals && boxes >= 1 && boxes <= goals);
}

static void print_and_read(const struct sokoban_level *level) {
    struct buffer text;
    struct sokoban_level again;
    soloist_chunk chunk, more;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    sokoban_level_print(level, &sink);
    soloist_cursor cursor = soloist_cursor_open(text.text, text.length);
    demand(sokoban_next(&cursor, &chunk));
    demand(sokoban_level_parse(&chunk, &again, NULL));
    demand(memcmp(level, &again, sizeof again) == 0);
    demand(!sokoban_next(&cursor, &more));
    demand(sokoban_recognise(text.text, text.length) == 95);
    buffer_close(&text);
}

static void measure_space(const struct sokoban_level *level) {
    char digits[SOKOBAN_SPACE_ROOM], shortened[32];
    int tiles, locking;
    if (level->width * level->height > 300)
        return;
    sokoban_space(level, &tiles, &locking, digits, sizeof digits);
    sokoban_space_short(digits, shortened, sizeof shortened);
    demand(locking >= 0 && locking < tiles && *digits && *shortened);
}

/* What the strict referee accepts, the other one does too, and the plain letters are as many as the moves. */
static void judge(const soloist_chunk *chunk, const char *solution, size_t length) {
    char letters[4096];
    soloist_verdict strict, loose;
    soloist_error error = {0};
    long count = sokoban_lurd_expand(solution, length, letters, sizeof letters, &error);
    demand(count >= 0 || *error.text);
    if (strstr(error.text, "too long"))
        return; /* millions of letters are right, but slow to fuzz */
    if (!sokoban_referee_any_case(chunk, solution, length, &loose, &error)) {
        demand(*error.text && !sokoban_referee(chunk, solution, length, &strict, NULL));
        return;
    }
    demand(loose.moves == count);
    demand(loose.pushes <= loose.moves && loose.value == loose.pushes);
    if (sokoban_referee(chunk, solution, length, &strict, NULL))
        demand(strict.moves == loose.moves && strict.pushes == loose.pushes);
}

static void read_chunk(const soloist_chunk *chunk, const char *solution, size_t length) {
    struct sokoban_level level;
    soloist_error error = {0};
    const char *found;
    size_t size;
    if (sokoban_level_parse(chunk, &level, &error)) {
        check_level(&level);
        print_and_read(&level);
        measure_space(&level);
        judge(chunk, solution, length);
    } else {
        demand(*error.text && error.line >= chunk->line && error.column >= 1);
    }
    for (int i = 0; i < 4 && sokoban_chunk_solution(chunk, i, &found, &size); i++) {
        demand(size && found >= chunk->text && found + size <= chunk->text + chunk->length);
        judge(chunk, found, size);
    }
}

enum { MOST_ADDITIONS = 16 };

/* The levels of both texts are the same, and of the second each has the new solution. */
static void compare_files(const char *text, size_t length, const char *again, size_t again_length) {
    soloist_cursor a = soloist_cursor_open(text, length), b = soloist_cursor_open(again, again_length);
    soloist_chunk old, new;
    for (int i = 0; sokoban_next(&a, &old); i++) {
        struct sokoban_level x, y;
        const char *found;
        size_t size;
        demand(sokoban_next(&b, &new));
        bool good = sokoban_level_parse(&old, &x, NULL);
        demand(good == sokoban_level_parse(&new, &y, NULL) && (!good || !memcmp(&x, &y, sizeof x)));
        demand(i >= MOST_ADDITIONS || sokoban_chunk_solution(&new, 0, &found, &size));
        demand(i >= MOST_ADDITIONS || (size >= 10 && !memcmp(found, "rRuUlLdDrR", 10)));
    }
    demand(!sokoban_next(&b, &new));
}

static void write_and_read(const char *text, size_t length) {
    struct sokoban_addition additions[MOST_ADDITIONS];
    soloist_cursor cursor = soloist_cursor_open(text, length);
    size_t count = 0;
    while (count < MOST_ADDITIONS && sokoban_next(&cursor, &additions[count].chunk))
        additions[count++].solution = "rRuUlLdDrR";
    struct buffer again;
    buffer_open(&again);
    soloist_sink sink = buffer_sink(&again);
    sokoban_collection_write(text, length, additions, count, &sink);
    compare_files(text, length, again.text ? again.text : "", again.length);
    buffer_close(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
    const char *solution = (const char *)data, *text = zero ? (const char *)zero + 1 : (const char *)data;
    size_t length = zero ? (size_t)(zero - data) : 0, left = size - (zero ? length + 1 : 0);
    int score = sokoban_recognise(text, left);
    demand(score >= 0 && score <= 100);
    soloist_cursor cursor = soloist_cursor_open(text, left);
    soloist_chunk chunk;
    for (const char *before = cursor.at; sokoban_next(&cursor, &chunk); before = cursor.at) {
        demand(cursor.at > before && cursor.at <= text + left && cursor.line > chunk.line);
        demand(chunk.text >= text && chunk.length && chunk.text + chunk.length <= text + left);
        demand(memchr(chunk.name, 0, sizeof chunk.name) != NULL);
        read_chunk(&chunk, solution, length);
    }
    write_and_read(text, left);
    return 0;
}
