/* Games that were played are appended to a text file, one game per line: "BOARD <tab> SCORE <tab> SOLUTION", where '|'
 * stands for the line breaks of the board. Such a file can be checked by the referee, copied elsewhere, and used for
 * training again. */
#ifndef LEARN_TRAIN_GAMES_H
#define LEARN_TRAIN_GAMES_H

#include "learn/train/returns.h"
#include "learn/train/samples.h"

/* A file of levels. */
struct game_levels {
    const char *path; /* not owned */
    char *text;       /* owned */
    size_t end;       /* number of levels in this file and in the files before it */
};

/* Where instances come from: a generator, files of levels, or both. */
struct game_source {
    const soloist_domain *domain;
    const char *options; /* the domain's options as "key=value,...", or NULL */
    void *wanted;        /* the generator's options; owned; NULL: only levels */
    uint64_t seed;
    struct game_levels *files; /* owned */
    size_t file_count;
    soloist_chunk *levels; /* owned; their texts are those of the files */
    size_t level_count;
    double levels_share; /* share of the instances that are levels from files */
};

/* generate: the generator's options as "key=value,...", or NULL. False with an error. */
bool game_source_open(struct game_source *source, const soloist_domain *domain, const char *options,
                      const char *generate, uint64_t seed, soloist_error *error);
/* Adds the levels in the files `paths`, a list that NULL ends. The share `share` (0 to 1) of all instances then comes
 * from these levels, which are used in a cycle; the other instances are generated. A domain without a generator needs
 * share 1 (and generate NULL in game_source_open). The paths must stay valid as long as the source. False with an
 * error: a file cannot be read, or no file has a level. Call it after game_source_open. */
bool game_source_add_levels(struct game_source *source, const char *const *paths, double share, soloist_error *error);
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

/* The hash of the puzzle's first position as written in the text file. It decides whether games on this board are for
 * validation. */
uint64_t game_hash(const soloist_puzzle *puzzle);
/* Writes the game as one line. */
void game_write(const soloist_puzzle *puzzle, const soloist_move *moves, size_t count, int32_t score,
                const soloist_sink *sink);
/* Reads and replays a game. False with an error: the line is not a game, or its score is wrong. */
bool game_read(const soloist_domain *domain, const char *options, const char *line, size_t length, struct game *game,
               soloist_error *error);

/* The value target of each of the game's positions: the score still to come, in points; for a least-cost domain, the
 * value that `returns` defines. False: no memory. */
bool game_values(const struct game *game, const struct returns *returns, float *values);
/* Writes one record for each of the game's positions or, if chosen is not NULL, for each position i with chosen[i]. The
 * targets of a position are the move that was played in it and the value of the position. False: no memory. */
bool game_samples(const struct samples *samples, const struct game *game, const struct returns *returns,
                  const bool *chosen, void *records);

#endif
