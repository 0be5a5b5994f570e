#include "learn/train/harvest.h"
#include "base/team.h"
#include "base/stop.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { block = 256 };

/* A block of lines: the threads turn them into records in parallel, and the records are then added in the file's order.
 * The same file therefore gives the same samples for any number of threads. */
struct reading {
    struct harvest *harvest;
    const soloist_domain *domain;
    const char *options;
    char *lines[block];
    struct game games[block];
    void *records[block]; /* NULL: the line is not a game of this size */
    size_t made[block];
    int count;
    _Atomic int next;
};

static size_t trimmed(const char *line) {
    size_t length = strlen(line);
    while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
        length--;
    return length;
}

/* Makes the records of line i, if its board has the size that the samples have. */
static void make(struct reading *r, int i) {
    r->records[i] = NULL;
    if (!game_read(r->domain, r->options, r->lines[i], trimmed(r->lines[i]), &r->games[i], NULL))
        return;
    if (samples_fit(r->harvest->training, r->games[i].puzzle.instance))
        r->records[i] = harvest_records(r->harvest, &r->games[i], &r->made[i]);
    if (!r->records[i])
        game_free(&r->games[i]);
}

static void make_some(void *user, int worker) {
    struct reading *r = user;
    (void)worker;
    for (int i; (i = atomic_fetch_add(&r->next, 1)) < r->count;)
        make(r, i);
}

static void make_all(struct reading *r, int threads) {
    atomic_store(&r->next, 0);
    team_run(threads, make_some, r);
}

static uint64_t take_in(struct reading *r) {
    uint64_t refused = 0;
    for (int i = 0; i < r->count; i++) {
        refused += !r->records[i];
        if (r->records[i]) {
            harvest_add(r->harvest, &r->games[i], r->records[i], r->made[i], HARVEST_SCORE);
            game_free(&r->games[i]);
        }
        free(r->records[i]);
    }
    return refused;
}

/* The next lines that are not empty; false: there are none. */
static bool read_block(struct reading *r, FILE *stream) {
    r->count = 0;
    while (r->count < block) {
        size_t room = 0;
        char *line = NULL;
        if (getline(&line, &room, stream) <= 0) {
            free(line);
            break;
        }
        if (trimmed(line))
            r->lines[r->count++] = line;
        else
            free(line);
    }
    return r->count;
}

bool harvest_file(struct harvest *harvest, const soloist_domain *domain, const char *options, const char *path,
                  int threads, soloist_stop_token *stop, uint64_t *refused) {
    FILE *stream = fopen(path, "r");
    struct reading *r = calloc(1, sizeof *r);
    bool good = stream && r;
    *refused = 0;
    if (r)
        *r = (struct reading){.harvest = harvest, .domain = domain, .options = options};
    while (good && !stop_token_is_stopped(stop) && read_block(r, stream)) {
        make_all(r, threads);
        *refused += take_in(r);
        for (int i = 0; i < r->count; i++)
            free(r->lines[i]);
    }
    good = good && !ferror(stream);
    if (stream)
        fclose(stream);
    free(r);
    return good;
}
