/* Collects finished games from all makers: their positions become samples, their moves are written to the file of
 * games, and their scores enter the statistics. Several threads may add games at the same time. */
#ifndef LEARN_TRAIN_HARVEST_H
#define LEARN_TRAIN_HARVEST_H

#include "base/buffer.h"
#include "learn/train/games.h"

#include <pthread.h>
#include <stdio.h>

struct harvest {
    struct samples *training, *validation; /* borrowed */
    int one_in;             /* one in this many games is for validation, chosen by the board's hash; 0: none */
    int reorderings;        /* how many random reorderings of a game to learn from; 0: only the original order */
    struct returns returns; /* defines the value targets in a least-cost domain */
    bool gathers;           /* positions are collected in `gathered` until harvest_split distributes them */
    size_t game_positions;  /* number of positions that harvest_add takes from a game; 0: all */
    FILE *lines;            /* the file of games; borrowed; NULL: none */
    pthread_mutex_t lock;   /* protects `lines` and all fields below */
    uint64_t games, positions;
    /* Number of instances of which all games have been added, and of those that give none because of their shape. Only
     * makers that solve or teach count them. */
    uint64_t boards;
    double sum, squares; /* sum and sum of squares of the scores since the last call of harvest_scores */
    uint64_t scored;
    double phase_sum; /* sum of the scores since the phase began */
    uint64_t phase_games;
    unsigned char *gathered; /* collected records; owned */
    size_t count, room;      /* number of records in `gathered`, and for how many there is room */
    bool failed;             /* memory ran out */
};

void harvest_open(struct harvest *harvest, struct samples *training, struct samples *validation);
void harvest_close(struct harvest *harvest);

#define HARVEST_WRITE 1u /* write the game to the file of games */
/* Add the game's score to the statistics. Not set for a game that begins at a position which the network reached
 * (DAgger): it is only a part of a game. */
#define HARVEST_SCORE 2u
#define HARVEST_BOARD 4u /* count the instance: it gives no other game */

/* Adds a game. records: one per position; NULL: harvest_records makes them. */
void harvest_game(struct harvest *harvest, const soloist_puzzle *puzzle, const soloist_move *moves, size_t count,
                  int32_t score, const void *records, unsigned flags);
/* The two halves of harvest_game. harvest_records makes a game's records (reorderings.h or game_samples), which the
 * caller frees; it returns NULL if there is no memory. harvest_add adds them. */
void *harvest_records(const struct harvest *harvest, const struct game *game, size_t *made);
void harvest_add(struct harvest *harvest, const struct game *game, const void *records, size_t count, unsigned flags);

/* Counts instances that give no game. */
void harvest_boards(struct harvest *harvest, uint64_t count);

/* Games of a least-cost domain that a thread has finished since it last called harvest_lessons. */
struct harvest_tally {
    uint64_t boards;        /* number of instances that are finished */
    uint64_t games, scored; /* scored: number of games whose costs are in `sum` and `squares` */
    double sum, squares;
};
/* Records that go together to one set of samples. */
struct harvest_part {
    const void *records;
    size_t count;
};
/* Adds the positions of the games that `tally` counts to the training samples (sides[0]) and the validation samples
 * (sides[1]). Adds `tally` to the statistics, and writes `lines`, which must not have failed, to the file of games. */
void harvest_lessons(struct harvest *harvest, const struct harvest_part sides[2], const struct harvest_tally *tally,
                     const struct buffer *lines);
/* Whether games on a board with this hash (game_hash) are for validation. */
bool harvest_is_apart(const struct harvest *harvest, uint64_t hash);

/* Adds the positions and, if `scored`, the score of a game whose moves are not written to the file. */
void harvest_drawn(struct harvest *harvest, const void *records, size_t count, int32_t score, bool scored);

/* Reads a file of games with several threads and adds them in the file's order (harvest_file.c). Lines that are not
 * games of this domain and size are skipped; *refused is their number. False: the file cannot be read. */
bool harvest_file(struct harvest *harvest, const soloist_domain *domain, const char *options, const char *path,
                  int threads, soloist_stop_token *stop, uint64_t *refused);

/* Shuffles the gathered positions; the fraction `share` of them (0 to 1) goes to validation, the rest to training
 * (Seify 2020, Algorithm 1, lines 12 to 15). If that leaves validation without any position, it gets one, unless there
 * is only one. */
void harvest_split(struct harvest *harvest, double share, soloist_rng *rng);

/* Games and positions so far. */
void harvest_count(struct harvest *harvest, uint64_t *games, uint64_t *positions);

/* Returns the mean score of the games since the current phase began, and their number in *games. begin=true: a new
 * phase then begins. */
double harvest_phase(struct harvest *harvest, bool begin, uint64_t *games);

struct harvest_scores {
    uint64_t games;
    double mean, interval; /* interval: half the width of the 95 % confidence interval */
};
/* Statistics of the games since the last call. */
struct harvest_scores harvest_scores(struct harvest *harvest);

#endif
