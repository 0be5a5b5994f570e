#include "learn/train/harvest.h"

#include "base/buffer.h"
#include "base/hash.h"
#include "base/interval.h"
#include "learn/train/reorderings.h"

#include <stdlib.h>
#include <string.h>

void harvest_open(struct harvest *harvest, struct samples *training, struct samples *validation) {
    *harvest = (struct harvest){.training = training, .validation = validation};
    pthread_mutex_init(&harvest->lock, NULL);
}

void harvest_close(struct harvest *harvest) {
    pthread_mutex_destroy(&harvest->lock);
    free(harvest->gathered);
}

/* ---- adding games ---- */

/* Call with the lock held. */
static void gather(struct harvest *harvest, const void *records, size_t count) {
    size_t size = samples_record_size(harvest->training);
    if (harvest->count + count > harvest->room) {
        size_t room = (harvest->count + count) * 2;
        unsigned char *grown = realloc(harvest->gathered, room * size);
        if (!grown) {
            harvest->failed = true;
            return;
        }
        harvest->gathered = grown;
        harvest->room = room;
    }
    memcpy(harvest->gathered + harvest->count * size, records, count * size);
    harvest->count += count;
}

/* Adds records to these samples; NULL: gathers them. Call with the lock held. */
static void put(struct harvest *harvest, struct samples *samples, const void *records, size_t count) {
    if (samples)
        samples_add(samples, records, count);
    else
        gather(harvest, records, count);
}

/* Puts `wanted` of a game's positions, each as likely as any other; the board's hash seeds the choice. Call with the
 * lock held. */
static void put_some(struct harvest *harvest, struct samples *samples, const unsigned char *records, size_t count,
                     size_t wanted, uint64_t seed) {
    size_t size = samples_record_size(harvest->training);
    soloist_rng rng;
    soloist_rng_seed(&rng, seed, 0);
    for (size_t i = 0; i < count && wanted; i++) {
        if (soloist_rng_below(&rng, (uint32_t)(count - i)) >= wanted)
            continue;
        put(harvest, samples, records + i * size, 1);
        wanted--;
    }
}

/* A board's hash decides whether it is for training or for validation. The decision is the same in every run, so that a
 * network never learns from its validation boards. */
bool harvest_is_apart(const struct harvest *harvest, uint64_t hash) {
    return harvest->one_in > 0 && hash % (uint64_t)harvest->one_in == 0;
}

static struct samples *side_of(const struct harvest *harvest, const struct buffer *line) {
    size_t board = line->text ? strcspn(line->text, "\t") : 0;
    return harvest_is_apart(harvest, hash_bytes(line->text, board)) ? harvest->validation : harvest->training;
}

/* The board's hash seeds the random reorderings of its line. */
static uint64_t order_seed(const soloist_puzzle *puzzle) { return hash_bytes(puzzle->text, strlen(puzzle->text)); }

void *harvest_records(const struct harvest *harvest, const struct game *game, size_t *made) {
    const struct samples *samples = harvest->training;
    const soloist_puzzle *puzzle = &game->puzzle;
    bool ordered = harvest->reorderings && puzzle->domain->walk;
    size_t size = samples_record_size(samples) * game->count, passes = ordered ? (size_t)harvest->reorderings : 1;
    soloist_rng rng;
    unsigned char *records = malloc(passes * size + 1);
    bool good = records;
    for (size_t pass = 0; good && pass < passes; pass++) {
        soloist_rng_seed(&rng, order_seed(puzzle), pass);
        if (!ordered ||
            !reorderings_samples(samples, puzzle, game->moves, game->count, game->score, &rng, records + pass * size))
            good = game_samples(samples, game, &harvest->returns, NULL, records + pass * size);
    }
    if (!good)
        free(records), records = NULL;
    *made = passes * game->count;
    return records;
}

/* Call with the lock held. */
static void count_score(struct harvest *harvest, int32_t score) {
    harvest->scored++;
    harvest->sum += score;
    harvest->squares += (double)score * score;
    harvest->phase_games++;
    harvest->phase_sum += score;
}

void harvest_add(struct harvest *harvest, const struct game *game, const void *records, size_t count, unsigned flags) {
    struct buffer line;
    buffer_open(&line);
    soloist_sink sink = buffer_sink(&line);
    game_write(&game->puzzle, game->moves, game->count, game->score, &sink);
    pthread_mutex_lock(&harvest->lock);
    harvest->failed |= !records || line.failed;
    size_t wanted = harvest->game_positions ? harvest->game_positions : count;
    struct samples *side = harvest->gathers ? NULL : side_of(harvest, &line);
    if (records && wanted < count)
        put_some(harvest, side, records, count, wanted, order_seed(&game->puzzle));
    else if (records)
        put(harvest, side, records, count);
    if ((flags & HARVEST_WRITE) && harvest->lines && line.text)
        fwrite(line.text, 1, line.length, harvest->lines);
    harvest->games++;
    harvest->positions += wanted < count ? wanted : count;
    harvest->boards += (flags & HARVEST_BOARD) != 0;
    if (flags & HARVEST_SCORE)
        count_score(harvest, game->score);
    pthread_mutex_unlock(&harvest->lock);
    buffer_close(&line);
}

void harvest_game(struct harvest *harvest, const soloist_puzzle *puzzle, const soloist_move *moves, size_t count,
                  int32_t score, const void *records, unsigned flags) {
    struct game game = {*puzzle, (soloist_move *)(uintptr_t)moves, count, score}; /* only read */
    size_t made = count;
    void *own = records ? NULL : harvest_records(harvest, &game, &made);
    harvest_add(harvest, &game, records ? records : own, made, flags);
    free(own);
}

void harvest_boards(struct harvest *harvest, uint64_t count) {
    pthread_mutex_lock(&harvest->lock);
    harvest->boards += count;
    pthread_mutex_unlock(&harvest->lock);
}

void harvest_lessons(struct harvest *harvest, const struct harvest_part sides[2], const struct harvest_tally *tally,
                     const struct buffer *lines) {
    pthread_mutex_lock(&harvest->lock);
    samples_add(harvest->training, sides[0].records, sides[0].count);
    samples_add(harvest->validation, sides[1].records, sides[1].count);
    if (lines->length && harvest->lines)
        fwrite(lines->text, 1, lines->length, harvest->lines);
    harvest->boards += tally->boards;
    harvest->games += tally->games;
    harvest->positions += sides[0].count + sides[1].count;
    harvest->scored += tally->scored;
    harvest->sum += tally->sum;
    harvest->squares += tally->squares;
    pthread_mutex_unlock(&harvest->lock);
}

void harvest_drawn(struct harvest *harvest, const void *records, size_t count, int32_t score, bool scored) {
    pthread_mutex_lock(&harvest->lock);
    samples_add(harvest->training, records, count);
    harvest->games++;
    harvest->positions += count;
    if (scored)
        count_score(harvest, score);
    pthread_mutex_unlock(&harvest->lock);
}

/* ---- results ---- */

void harvest_split(struct harvest *harvest, double share, soloist_rng *rng) {
    size_t size = samples_record_size(harvest->training);
    pthread_mutex_lock(&harvest->lock);
    size_t apart = (size_t)((double)harvest->count * share);
    if (!apart && harvest->count > 1 && !samples_count(harvest->validation))
        apart = 1;
    samples_shuffle(harvest->training, harvest->gathered, harvest->count, rng);
    samples_add(harvest->validation, harvest->gathered, apart);
    samples_add(harvest->training, harvest->gathered ? harvest->gathered + apart * size : NULL, harvest->count - apart);
    harvest->count = 0;
    pthread_mutex_unlock(&harvest->lock);
}

void harvest_count(struct harvest *harvest, uint64_t *games, uint64_t *positions) {
    pthread_mutex_lock(&harvest->lock);
    *games = harvest->games;
    *positions = harvest->positions;
    pthread_mutex_unlock(&harvest->lock);
}

double harvest_phase(struct harvest *harvest, bool begin, uint64_t *games) {
    pthread_mutex_lock(&harvest->lock);
    double mean = harvest->phase_games ? harvest->phase_sum / (double)harvest->phase_games : 0;
    *games = harvest->phase_games;
    if (begin) {
        harvest->phase_sum = 0;
        harvest->phase_games = 0;
    }
    pthread_mutex_unlock(&harvest->lock);
    return mean;
}

struct harvest_scores harvest_scores(struct harvest *harvest) {
    pthread_mutex_lock(&harvest->lock);
    double n = (double)harvest->scored;
    struct harvest_scores scores = {.games = harvest->scored, .mean = n > 0 ? harvest->sum / n : 0};
    scores.interval = interval_sums(harvest->sum, harvest->squares, harvest->scored, 0.95);
    harvest->sum = harvest->squares = 0;
    harvest->scored = 0;
    pthread_mutex_unlock(&harvest->lock);
    return scores;
}
