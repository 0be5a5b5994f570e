/* A pattern database's tables and its file, which holds a header, a checksum and the entries. The file is written under
 * a temporary name and then renamed, mapped read-only, and rebuilt if anything in it is wrong. */
#include "domain/tiles/pattern.h"

#include "base/cache_file.h"
#include "base/hash.h"
#include "domain/tiles/pattern_build.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The header has 64 bytes; the entries follow. It is compared as a whole in the machine's byte order, so that a file
 * from a machine with the other byte order is not accepted. */
struct pattern_header {
    char magic[8];
    uint32_t width, height, goal_cells, blank_goal;
    uint64_t bytes, checksum;
    uint8_t zero[24];
};

static const char pattern_magic[8] = "SOLOPDB1";

void pattern_unrank(int tiles, uint32_t rank, uint8_t *order) {
    uint8_t left[PATTERN_MOST_TILES];
    uint32_t factorial = 1;
    for (int i = 0; i < tiles; i++)
        left[i] = (uint8_t)i, factorial *= i ? (uint32_t)i : 1;
    for (int i = 0; i < tiles; i++) {
        uint32_t digit = rank / factorial;
        rank %= factorial;
        order[i] = left[digit];
        memmove(left + digit, left + digit + 1, (size_t)(tiles - i) - digit - 1);
        if (tiles - i - 1 > 0)
            factorial /= (uint32_t)(tiles - i - 1);
    }
}

uint32_t pattern_rank(int tiles, const uint8_t *order) {
    uint32_t rank = 0;
    for (int i = 0; i < tiles; i++) {
        uint32_t smaller = 0;
        for (int j = i + 1; j < tiles; j++)
            smaller += order[j] < order[i];
        rank = rank * (uint32_t)(tiles - i) + smaller;
    }
    return rank;
}

/* Tables for the colexicographic rank of a set, in two halves. What the high half contributes depends on the number of
 * members in the low half. */
static void make_set_ranks(struct pattern *p) {
    uint32_t choose[PATTERN_MOST_CELLS + 1][PATTERN_MOST_TILES + 2] = {{0}};
    for (int n = 0; n <= PATTERN_MOST_CELLS; n++)
        for (int k = 0; k <= PATTERN_MOST_TILES + 1; k++)
            choose[n][k] = k == 0 ? 1 : n == 0 ? 0 : choose[n - 1][k - 1] + choose[n - 1][k];
    p->sets = choose[p->cells][p->tiles];
    for (uint32_t low = 0; low < 1u << PATTERN_SPLIT; low++)
        for (int c = 0, k = 0; c < PATTERN_SPLIT && k < PATTERN_MOST_TILES; c++)
            if (low >> c & 1)
                p->low_rank[low] += choose[c][++k] + (1u << 24);
    for (int before = 0; before <= p->tiles; before++)
        for (uint32_t high = 0; high < 1u << (PATTERN_MOST_CELLS - PATTERN_SPLIT); high++)
            for (int c = 0, k = before; c < PATTERN_MOST_CELLS - PATTERN_SPLIT && k < PATTERN_MOST_TILES; c++)
                if (high >> c & 1)
                    p->high_rank[before][high] += choose[c + PATTERN_SPLIT][++k];
}

static bool make_shift(struct pattern *p, int from, int to) {
    uint16_t *table = malloc(p->orders * sizeof *table);
    p->shifted[from][to] = table;
    if (!table)
        return false;
    for (uint32_t rank = 0; rank < p->orders; rank++) {
        uint8_t order[PATTERN_MOST_TILES];
        pattern_unrank(p->tiles, rank, order);
        uint8_t moved = order[from];
        if (from < to)
            memmove(order + from, order + from + 1, (size_t)(to - from));
        else
            memmove(order + to + 1, order + to, (size_t)(from - to));
        order[to] = moved;
        table[rank] = (uint16_t)pattern_rank(p->tiles, order);
    }
    return true;
}

static bool make_tables(struct pattern *p) {
    p->orders = 1;
    for (int c = 0; c < p->cells; c++)
        if (p->goal_cells >> c & 1) {
            p->goal_cell[p->tiles++] = (uint8_t)c;
            p->orders *= (uint32_t)p->tiles;
        }
    make_set_ranks(p);
    for (int t = 0; t < p->tiles; t++)
        for (int c = 0; c < p->cells; c++) {
            int g = p->goal_cell[t];
            p->distance[t][c] = (uint8_t)(abs(g % p->width - c % p->width) + abs(g / p->width - c / p->width));
        }
    for (int from = 0; from < p->tiles; from++)
        for (int to = 0; to < p->tiles; to++)
            if (from != to && abs(from - to) < p->width && !make_shift(p, from, to))
                return false;
    return true;
}

static size_t entry_bytes(const struct pattern *p) { return ((size_t)p->sets * p->orders + 1) / 2; }

size_t pattern_bytes(const struct pattern *p) {
    size_t shifts = 0;
    for (int i = 0; i < PATTERN_MOST_TILES; i++)
        for (int j = 0; j < PATTERN_MOST_TILES; j++)
            shifts += p->shifted[i][j] != NULL;
    return sizeof *p + shifts * p->orders * sizeof(uint16_t) + entry_bytes(p);
}

/* Computed in four independent lanes, so that it is as fast as reading memory. */
static uint64_t checksum(const uint8_t *bytes, size_t length) {
    uint64_t lane[4] = {1, 2, 3, 4}, word[4];
    size_t at = 0;
    for (; at + 32 <= length; at += 32) {
        memcpy(word, bytes + at, 32);
        for (int i = 0; i < 4; i++)
            lane[i] = (lane[i] ^ word[i]) * 0x9e3779b97f4a7c15u, lane[i] ^= lane[i] >> 29;
    }
    return hash_mix(lane[0] ^ hash_mix(lane[1] ^ hash_mix(lane[2] ^ hash_mix(lane[3])))) ^
           hash_bytes(bytes + at, length - at);
}

static void fill_header(const struct pattern *p, const uint8_t *entries, struct pattern_header *header) {
    *header = (struct pattern_header){.width = (uint32_t)p->width,
                                      .height = (uint32_t)p->height,
                                      .goal_cells = p->goal_cells,
                                      .blank_goal = (uint32_t)p->blank_goal,
                                      .bytes = entry_bytes(p),
                                      .checksum = checksum(entries, entry_bytes(p))};
    memcpy(header->magic, pattern_magic, sizeof pattern_magic);
}

/* Maps the file and compares its header with the one it should have. */
static bool map_file(struct pattern *p, const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    struct stat about;
    size_t size = sizeof(struct pattern_header) + entry_bytes(p);
    void *mapped = MAP_FAILED;
    if (fstat(file, &about) == 0 && (size_t)about.st_size == size)
        mapped = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (mapped == MAP_FAILED)
        return false;
    struct pattern_header right;
    const uint8_t *entries = (const uint8_t *)mapped + sizeof right;
    fill_header(p, entries, &right);
    if (memcmp(&right, mapped, sizeof right) != 0) {
        munmap(mapped, size);
        return false;
    }
    p->mapped = mapped;
    p->mapped_size = size;
    p->entries = entries;
    return true;
}

static bool write_file(const struct pattern *p, const uint8_t *entries, const char *path) {
    struct pattern_header header;
    fill_header(p, entries, &header);
    return cache_file_replace(path, &header, sizeof header, entries, entry_bytes(p));
}

static bool build(struct pattern *p, const char *path, int threads, soloist_stop_token *stop, pattern_progress progress,
                  void *user, soloist_error *error) {
    uint8_t *entries = calloc(entry_bytes(p), 1);
    soloist_code code = entries ? pattern_build(p, entries, threads, stop, progress, user) : SOLOIST_NO_MEMORY;
    if (code != SOLOIST_OK) {
        free(entries);
        return soloist_fail(error, 0, 0,
                            code == SOLOIST_NO_MEMORY ? "no memory to build a pattern database"
                                                      : "building a pattern database was cancelled");
    }
    if (path && write_file(p, entries, path) && map_file(p, path))
        free(entries);
    else
        /* Used even if the file could not be written; then the next run builds the entries again. */
        p->entries = entries;
    return true;
}

static bool fits(size_t bytes, size_t memory, soloist_error *error) {
    return !memory || bytes <= memory ||
           soloist_fail(error, 0, 0, "a pattern database needs %zu MiB, and %zu are left", (bytes >> 20) + 1,
                        memory >> 20);
}

struct pattern *pattern_open(int width, int height, uint32_t goal_cells, int blank_goal, const char *folder,
                             size_t memory, int threads, soloist_stop_token *stop, pattern_progress progress,
                             void *user, soloist_error *error) {
    struct pattern *p = calloc(1, sizeof *p);
    char path[4000];
    if (!p) {
        soloist_fail(error, 0, 0, "no memory for a pattern database");
        return NULL;
    }
    p->width = width, p->height = height, p->cells = width * height;
    p->goal_cells = goal_cells, p->blank_goal = blank_goal;
    if (folder && (size_t)snprintf(path, sizeof path, "%s/tiles-%dx%d-%x-%d.pdb", folder, width, height, goal_cells,
                                   blank_goal) >= sizeof path)
        folder = NULL;
    bool good = make_tables(p) || soloist_fail(error, 0, 0, "no memory for a pattern database");
    good = good && fits(pattern_bytes(p), memory, error);
    if (good && !(folder && map_file(p, path)))
        good = fits(pattern_bytes(p) + pattern_build_bytes(p), memory, error) &&
               build(p, folder ? path : NULL, threads, stop, progress, user, error);
    if (good)
        return p;
    pattern_close(p);
    return NULL;
}

void pattern_close(struct pattern *p) {
    if (!p)
        return;
    for (int i = 0; i < PATTERN_MOST_TILES; i++)
        for (int j = 0; j < PATTERN_MOST_TILES; j++)
            free(p->shifted[i][j]);
    if (p->mapped)
        munmap(p->mapped, p->mapped_size);
    else
        free((void *)p->entries);
    free(p);
}

struct pattern_place pattern_place_of(const struct pattern *p, const int8_t *home_of) {
    struct pattern_place place = {0, 0};
    uint8_t order[PATTERN_MOST_TILES] = {0};
    int count = 0;
    for (int c = 0; c < p->cells; c++) {
        if (home_of[c] < 0 || !(p->goal_cells >> home_of[c] & 1))
            continue;
        place.set |= 1u << c;
        order[count++] = (uint8_t)__builtin_popcount(p->goal_cells & ((1u << home_of[c]) - 1));
    }
    place.order = pattern_rank(p->tiles, order);
    return place;
}
