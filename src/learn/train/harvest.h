/* Collects finished games, whoever played them: their positions become samples, their lines go into the file of games,
 * their scores into the counts. Many threads may add games at the same time. */
#ifndef LEARN_HARVEST_H
#define LEARN_HARVEST_H

#include "learn/train/games.h"

#include <pthread.h>
#include <stdio.h>

struct harvest {
    struct samples *training, *validation; /* borrowed */
    int one_in;           /* games whose positions are for validation, chosen by the board's hash; 0: no game's */
    int reorderings;      /* random reorderings of games without records; 0: only the original order */
    bool gathers;         /* positions are gathered instead, until harvest_split */
    FILE *lines;          /* NULL: none; borrowed */
    pthread_mutex_t lock; /* protects all that follows, and lines */
    uint64_t games, positions;
    double sum, squares; /* of scores since harvest_scores */
    uint64_t scored;
    double phase_sum; /* of scores since harvest_phase */
    uint64_t phase_games;
    unsigned char *gathered; /* owned */
    size_t count, room;      /* records */
    bool failed;             /* no memory */
};

void harvest_open(struct harvest *harvest, struct samples *training, struct samples *validation);
void harvest_close(struct harvest *harvest);

#define HARVEST_WRITE 1u /* the game's line goes into the file */
#define HARVEST_SCORE 2u /* its score counts: it is a whole game */

/* Adds a game. records: one per position; NULL: they are made here (reorderings.h, game_samples). */
void harvest_game(struct harvest *harvest, const soloist_puzzle *puzzle, const soloist_move *moves, size_t count,
                  int32_t score, const void *records, unsigned flags);
/* The two halves of harvest_game: making a game's records, which the caller owns (NULL: no memory), and adding them. */
void *harvest_records(const struct harvest *harvest, const struct game *game, size_t *made);
void harvest_add(struct harvest *harvest, const struct game *game, const void *records, size_t count, unsigned flags);

/* Adds positions of a game that is not written to the file: they are learned from, and the game's score counts. */
void harvest_drawn(struct harvest *harvest, const void *records, size_t count, int32_t score);

/* Reads a file of games with several threads and adds them in the file's order (harvest_file.c). Lines that are not
 * games of this domain and size are skipped and counted. False: the file cannot be read. */
bool harvest_file(struct harvest *harvest, const soloist_domain *domain, const char *options, const char *path,
                  int threads, soloist_stop_token *stop, uint64_t *refused);

/* Shuffles the gathered positions; `share` of them goes to validation, the rest to training (Seify 2020, Algorithm 1,
 * lines 12 to 15). */
void harvest_split(struct harvest *harvest, double share, soloist_rng *rng);

/* Games and positions so far. */
void harvest_count(struct harvest *harvest, uint64_t *games, uint64_t *positions);

/* The mean score of the games since a phase began, and how many they were; `begin`: another begins. */
double harvest_phase(struct harvest *harvest, bool begin, uint64_t *games);

struct harvest_scores {
    uint64_t games;
    double mean, interval; /* 95 % of the mean: 1.96 standard errors */
};
/* Of the games since the last call. */
struct harvest_scores harvest_scores(struct harvest *harvest);

#endif
