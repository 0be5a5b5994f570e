/* Games that were played are appended to a text file, one game per line: "BOARD <tab> SCORE <tab> SOLUTION", where '|'
 * stands for the line breaks of the board. Such a file can be checked by the referee, copied elsewhere, and used for
 * training again. */
#ifndef LEARN_TRAIN_GAMES_H
#define LEARN_TRAIN_GAMES_H

#include "learn/train/samples.h"

/* Where random instances come from. */
struct game_source {
    const soloist_domain *domain;
    const char *options; /* the domain's options as "key=value,...", or NULL */
    void *wanted;        /* the generator's options; owned */
    uint64_t seed;
};

/* generate: the generator's options as "key=value,...", or NULL. False with an error. */
bool game_source_open(struct game_source *source, const soloist_domain *domain, const char *options,
                      const char *generate, uint64_t seed, soloist_error *error);
void game_source_close(struct game_source *source);
/* Makes instance number `number`; the same number always gives the same instance. */
bool game_source_make(const struct game_source *source, uint64_t number, soloist_puzzle *puzzle, soloist_error *error);

/* Reads an instance from its text. */
bool game_puzzle_read(const soloist_domain *domain, const char *options, const char *text, size_t length,
                      soloist_puzzle *puzzle, soloist_error *error);

/* A game from an instance's root to its end. */
struct game {
    soloist_puzzle puzzle;
    soloist_move *moves;
    size_t count;
    int32_t score;
};
void game_free(struct game *game);

/* Writes the game as one line. */
void game_write(const soloist_puzzle *puzzle, const soloist_move *moves, size_t count, int32_t score,
                const soloist_sink *sink);
/* Reads and replays a game. False with an error: the line is not a game, or its score is wrong. */
bool game_read(const soloist_domain *domain, const char *options, const char *line, size_t length, struct game *game,
               soloist_error *error);

/* Writes one record for each of the game's `count` positions; the targets of a position are the move that was played
 * and the score still to come. state: scratch space for one state. */
void game_samples(const struct samples *samples, const soloist_puzzle *puzzle, const soloist_move *moves, size_t count,
                  int32_t score, void *state, void *records);

#endif
