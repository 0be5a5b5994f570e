#include "learn/train/level_stream.h"

#include "base/team.h"

#include <pthread.h>
#include <stdlib.h>

enum { AHEAD = 256 }; /* instances that are ready or being made */

struct slot {
    soloist_puzzle puzzle;
    bool ready, unfit;
};

struct level_stream {
    const struct game_source *source;
    const struct samples *samples;
    struct team team;
    int threads;
    pthread_mutex_t lock;
    pthread_cond_t made, taken;
    uint64_t next, out; /* number of the next instance to be made, and to be taken */
    bool stopped, failed;
    soloist_error error;
    struct slot slots[AHEAD];
};

/* Call with the lock held. */
static void put(struct level_stream *stream, uint64_t number, const soloist_puzzle *puzzle,
                const soloist_error *error) {
    struct slot *slot = &stream->slots[number % AHEAD];
    if (!puzzle) {
        stream->failed = true;
        stream->error = *error;
    } else {
        slot->puzzle = *puzzle;
        slot->unfit = !samples_fit(stream->samples, puzzle->instance);
        slot->ready = true;
    }
    pthread_cond_broadcast(&stream->made);
}

static void work(void *user, int worker) {
    struct level_stream *stream = user;
    (void)worker;
    pthread_mutex_lock(&stream->lock);
    while (!stream->stopped && !stream->failed) {
        if (stream->next >= stream->out + AHEAD) {
            pthread_cond_wait(&stream->taken, &stream->lock);
            continue;
        }
        uint64_t number = stream->next++;
        soloist_puzzle puzzle;
        soloist_error error = {0};
        pthread_mutex_unlock(&stream->lock);
        bool made = game_source_make(stream->source, number, &puzzle, &error);
        pthread_mutex_lock(&stream->lock);
        put(stream, number, made ? &puzzle : NULL, &error);
    }
    pthread_mutex_unlock(&stream->lock);
}

struct level_stream *level_stream_open(const struct game_source *source, const struct samples *samples, uint64_t first,
                                       int threads, soloist_error *error) {
    struct level_stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return soloist_fail(error, 0, 0, "no memory for instances"), NULL;
    stream->source = source;
    stream->samples = samples;
    stream->next = stream->out = first;
    pthread_mutex_init(&stream->lock, NULL);
    pthread_cond_init(&stream->made, NULL);
    pthread_cond_init(&stream->taken, NULL);
    stream->threads = threads > 0 ? threads : 1;
    if (level_stream_go_on(stream, error))
        return stream;
    level_stream_close(stream);
    return NULL;
}

bool level_stream_go_on(struct level_stream *stream, soloist_error *error) {
    stream->stopped = false;
    return team_start_beside(&stream->team, stream->threads, work, stream) ||
           soloist_fail(error, 0, 0, "no thread for making instances could be started");
}

void level_stream_rest(struct level_stream *stream) {
    pthread_mutex_lock(&stream->lock);
    stream->stopped = true;
    pthread_cond_broadcast(&stream->taken);
    pthread_mutex_unlock(&stream->lock);
    team_join(&stream->team);
}

void level_stream_close(struct level_stream *stream) {
    if (!stream)
        return;
    level_stream_rest(stream);
    for (int i = 0; i < AHEAD; i++)
        if (stream->slots[i].ready)
            soloist_puzzle_free(&stream->slots[i].puzzle);
    pthread_mutex_destroy(&stream->lock);
    pthread_cond_destroy(&stream->made);
    pthread_cond_destroy(&stream->taken);
    free(stream);
}

bool level_stream_next(struct level_stream *stream, soloist_puzzle *puzzle, uint64_t *number, soloist_error *error) {
    bool found = false;
    pthread_mutex_lock(&stream->lock);
    while (!found) {
        struct slot *slot = &stream->slots[stream->out % AHEAD];
        while (!slot->ready && !stream->failed)
            pthread_cond_wait(&stream->made, &stream->lock);
        if (!slot->ready)
            break;
        *number = stream->out++;
        *puzzle = slot->puzzle;
        found = !slot->unfit;
        *slot = (struct slot){0};
        if (!found)
            soloist_puzzle_free(puzzle);
        pthread_cond_broadcast(&stream->taken);
    }
    if (!found)
        *error = stream->error;
    pthread_mutex_unlock(&stream->lock);
    return found;
}

uint64_t level_stream_number(struct level_stream *stream) {
    pthread_mutex_lock(&stream->lock);
    uint64_t number = stream->out;
    pthread_mutex_unlock(&stream->lock);
    return number;
}
