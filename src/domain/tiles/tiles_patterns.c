/* Which tiles belong to which pattern, and the databases as tables that instances share. The partitions 7-8 and 6-6-6-6
 * are those of Korf and Felner 2002. */
#include "domain/tiles/tiles_patterns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Patterns are sets of goal squares for goals with the blank first; for goals with the blank last they are rotated by
 * 180 degrees. */
struct partition {
    int bound;
    const char *name;
    int side, patterns;
    uint32_t squares[TILES_MOST_PATTERNS];
};

static const struct partition partitions[] = {
    {TILES_555, "555", 4, 3, {0x00ce, 0x1330, 0xec00}},
    {TILES_663, "663", 4, 3, {0x0ccc, 0xf300, 0x0032}},
    {TILES_78, "78", 4, 2, {0x00fe, 0xff00}},
    {TILES_444444, "444444", 5, 6, {0x0000066, 0x0000318, 0x0018c00, 0x0007080, 0x0720000, 0x18c0000}},
    {TILES_55554, "55554", 5, 5, {0x00000e6, 0x0004318, 0x0118c00, 0x0063000, 0x1e80000}},
    {TILES_6666, "6666", 5, 4, {0x00010e6, 0x0006318, 0x0318c00, 0x1ce0000}},
};

static const struct partition *partition_of(int bound) {
    for (size_t i = 0; i < sizeof partitions / sizeof *partitions; i++)
        if (partitions[i].bound == bound)
            return &partitions[i];
    return NULL;
}

int tiles_pattern_count(int bound) {
    const struct partition *partition = partition_of(bound);
    return partition ? partition->patterns : 0;
}

bool tiles_pattern_fits(const soloist_chunk *chunk, const struct tiles_options *options, int width, int height,
                        soloist_error *error) {
    const struct partition *partition = partition_of(options->bound);
    if (!partition || (width == partition->side && height == partition->side))
        return true;
    return soloist_fail(error, chunk->line, 1, "bound=%s is for boards of %dx%d, this one is %dx%d", partition->name,
                        partition->side, partition->side, width, height);
}

void tiles_places_set(const soloist_instance *instance, const uint8_t *board, struct tiles_places *places) {
    const struct tiles_tables *tables = instance->tables;
    int8_t home[PATTERN_MOST_CELLS];
    memset(places, 0, tiles_places_size(instance));
    if (!tables)
        return;
    for (int side = 0; side < 2; side++) {
        for (int square = 0; square < instance->squares; square++)
            home[instance->frame[side][square]] = (int8_t)(board[square] ? instance->home[side][board[square]] : -1);
        for (int p = 0; p < tables->patterns; p++) {
            int at = side * tables->patterns + p;
            places->place[at] = pattern_place_of(tables->pattern[p], home);
            places->excess[at] = (uint8_t)pattern_excess(tables->pattern[p], places->place[at]);
        }
    }
}

/* ---- the tables that instances share ---- */

static bool is_blank_last(const soloist_instance *instance) { return instance->place[TILES_TO_GOAL][0] != 0; }

static bool name(const soloist_instance *instance, char *name, size_t room) {
    const struct partition *partition = partition_of(instance->bound);
    if (partition)
        snprintf(name, room, "%s-%s", partition->name, is_blank_last(instance) ? "blank-last" : "blank-first");
    return partition != NULL;
}

static void close_tables(void *argument) {
    struct tiles_tables *tables = argument;
    for (int p = 0; p < tables->patterns; p++)
        pattern_close(tables->pattern[p]);
    free(tables);
}

struct opening {
    const soloist_callbacks *callbacks;
    int done, patterns;
};

static void tell(void *user, double fraction) {
    const struct opening *opening = user;
    char note[64];
    snprintf(note, sizeof note, "pattern database %d of %d: %.0f %%", opening->done + 1, opening->patterns,
             100 * fraction);
    soloist_progress progress = {.note = note};
    if (opening->callbacks && opening->callbacks->progress)
        opening->callbacks->progress(opening->callbacks->user, &progress);
}

static uint32_t turned(uint32_t squares, int count) {
    uint32_t result = 0;
    for (int square = 0; square < count; square++)
        if (squares >> square & 1)
            result |= 1u << (count - 1 - square);
    return result;
}

static size_t tables_bytes(const void *argument) {
    const struct tiles_tables *tables = argument;
    size_t bytes = sizeof *tables;
    for (int p = 0; p < tables->patterns; p++)
        bytes += pattern_bytes(tables->pattern[p]);
    return bytes;
}

static void *open_tables(const soloist_instance *instance, const char *folder, const soloist_work *work,
                         soloist_error *error) {
    const struct partition *partition = partition_of(instance->bound);
    struct tiles_tables *tables = calloc(1, sizeof *tables);
    struct opening opening = {work->callbacks, 0, partition->patterns};
    if (!tables) {
        soloist_fail(error, 0, 0, "no memory for pattern databases");
        return NULL;
    }
    for (int p = 0; p < partition->patterns; p++, opening.done++) {
        uint32_t squares = partition->squares[p];
        if (is_blank_last(instance))
            squares = turned(squares, instance->squares);
        size_t taken = tables_bytes(tables), left = work->memory > taken ? work->memory - taken : 1;
        tables->pattern[p] =
            pattern_open(instance->width, instance->height, squares, instance->place[TILES_TO_GOAL][0], folder,
                         work->memory ? left : 0, work->threads, work->stop, tell, &opening, error);
        if (!tables->pattern[p]) {
            close_tables(tables);
            return NULL;
        }
        tables->patterns++;
        for (int square = 0; square < instance->squares; square++)
            if (squares >> square & 1)
                tables->pattern_of[square] = (uint8_t)p;
    }
    return tables;
}

static void attach(soloist_instance *session, const void *tables) { session->tables = tables; }

const soloist_tables tiles_pattern_tables = {
    .size = sizeof(soloist_tables),
    .name = name,
    .open = open_tables,
    .close = close_tables,
    .bytes = tables_bytes,
    .attach = attach,
};
