/* A training described by the arguments of `soloist train`. These arguments are the same on the command line, in an
 * experiment file and in the row of a run. */
#ifndef LAB_LESSON_H
#define LAB_LESSON_H

#include "learn/train/training.h"

enum { LESSON_MOST_OPTIONS = 64, LESSON_MOST_GAMES = 8 };

/* The caller owns all texts; NULL: not given. */
struct lesson {
    const char *board, *generate, *curriculum, *network, *method, *teacher, *search, *back_end;
    enum training_way way;
    double time_s;                            /* 0: no limit */
    int threads;                              /* 0: not given */
    const char *games[LESSON_MOST_GAMES + 1]; /* ended by NULL */
    const char *options[LESSON_MOST_OPTIONS]; /* KEY=VALUE, for training_options_rows */
    size_t game_count, option_count;
};

/* Parses the words that follow the domain. On failure returns false with an error; *bad is then the number of the wrong
 * word. */
bool lesson_read(const char *const *words, size_t count, struct lesson *lesson, size_t *bad, soloist_error *error);
/* Whether the domain's generator has the options `width` and `height`, which --board sets. */
bool lesson_sized(const soloist_domain *domain);
/* Writes the generator's options, beginning with the size of the board. A least-cost domain has no default size, and
 * neither has a domain that is not lesson_sized. False with an error if the size is invalid. */
bool lesson_generate(const struct lesson *lesson, const soloist_domain *domain, const soloist_sink *sink,
                     soloist_error *error);
/* The option rows that lesson->search may set: options of the search in self-play. */
const soloist_option *lesson_search_rows(const struct lesson *lesson);
/* The method that makes games by solving: lesson->method or, if that is NULL, one that suits the domain and the board's
 * size. */
const char *lesson_method(const struct lesson *lesson, const soloist_domain *domain);
/* Sets wish->way, wish->options, wish->method, wish->teacher, wish->search and wish->games; the caller must have set
 * wish->engine, wish->domain and wish->net. False with an error. */
bool lesson_wish(const struct lesson *lesson, struct training_wish *wish, soloist_error *error);

/* Writes "train ...": everything that determines a training except boards, network, seed, time and threads, which have
 * their own columns in a run's row. The given numbers of games, steps and positions are multiplied by `scale`. */
void lesson_write(const struct lesson *lesson, const soloist_domain *domain, double scale, const soloist_sink *sink);
/* Whether a run's method text describes a training. */
bool lesson_is(const char *method);
/* Rewrites a text that lesson_write made, so that the options of training have their current names or, if `now` is
 * false, their former names. The caller frees it; NULL: no memory. */
char *lesson_spell(const char *method, bool now);
/* Parses a text that lesson_write made. Splits the text into words in place. */
bool lesson_read_text(char *method, struct lesson *lesson, soloist_error *error);

#endif
