/* A training by the words of `soloist train`, the same on the command line, in an experiment's text and in the row of a
 * run. */
#ifndef LAB_LESSON_H
#define LAB_LESSON_H

#include "learn/train/training.h"

enum { LESSON_MOST_OPTIONS = 64, LESSON_MOST_GAMES = 8 };

/* Texts are the caller's; NULL: not said. */
struct lesson {
    const char *board, *generate, *network, *method, *search, *back_end;
    enum training_way way;
    double time_s;                            /* 0: no limit */
    int threads;                              /* 0: not said */
    const char *games[LESSON_MOST_GAMES + 1]; /* NULL-terminated */
    const char *options[LESSON_MOST_OPTIONS]; /* KEY=VALUE, of training_options_rows */
    size_t game_count, option_count;
};

/* Reads the words that follow the domain. False with an error: word number *bad is wrong. */
bool lesson_read(const char *const *words, size_t count, struct lesson *lesson, size_t *bad, soloist_error *error);
/* The generator's options: the board's size first. False with an error if that is none. */
bool lesson_generate(const struct lesson *lesson, const soloist_sink *sink, soloist_error *error);
/* How games are made by solving: as the lesson says, else what suits the board. */
const char *lesson_method(const struct lesson *lesson);
/* What the wish says of way, options, methods and games; the network is there already. False with an error. */
bool lesson_wish(const struct lesson *lesson, struct training_wish *wish, soloist_error *error);

/* "train ...": all that decides a training beside boards, network, seed, time and threads, which a run's row has in
 * columns of their own. scale: the numbers of games, steps and positions that are named become so much less. */
void lesson_write(const struct lesson *lesson, double scale, const soloist_sink *sink);
/* Is a run's method of that kind? */
bool lesson_is(const char *method);
/* Reads it back, cutting the text into words in place. */
bool lesson_read_text(char *method, struct lesson *lesson, soloist_error *error);

#endif
