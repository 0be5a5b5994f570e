/* An experiment: a text of lines, parsed into lists. Each run combines a method, a budget, an instance and a seed, or a
 * training and a seed. Measures, rows and figures define the report. docs/LAB.md describes the lines. Nothing here
 * reads files or uses a store. */
#ifndef LAB_EXPERIMENT_H
#define LAB_EXPERIMENT_H

#include "base/arena.h"
#include "lab/lesson.h"
#include "lab/line.h"
#include "soloist_extra.h"

/* The limits of one run; 0: no limit. */
struct experiment_limits {
    uint64_t iterations, nodes;
    double time_s;
    size_t memory;
    int threads;
};

/* A source of instances: a file, a level set, or a generator. */
struct experiment_source {
    const char *name;  /* the source's name as written, without its range; for a generator, the name of its domain */
    const char *range; /* "1-20", or NULL */
    bool optional;     /* the source is left out if there is no such file or level set */
    bool generated;
    const char *made_by; /* the generator's options, "" if there are none */
    uint64_t count, seed;
    const char *domain;  /* NULL: recognised from the text */
    const char *options; /* the domain's options, "" if there are none */
    const char *label;
    int line, column;
};

struct experiment_method {
    const char *text; /* NAME[:key=value,...] */
    const char *label;
    struct experiment_limits limits;
    const char *on;      /* label of the only source of instances on which the method runs; NULL: all sources */
    const char *trained; /* label of the training whose network it uses; NULL: an installed network, if it needs one */
    bool once;           /* run with the first seed only, because it draws no random numbers */
    bool own_budget;     /* the method's own line gives a budget, so the budget lines do not apply to it */
    int line, column;
    struct line_place on_place, trained_place; /* of the words that give `on` and `trained` */
};

/* A training, described by the arguments of `soloist train`. */
struct experiment_training {
    const char *domain, *options; /* the domain and its options, "" if there are none */
    struct lesson lesson;
    const char *label;
    bool once; /* run with the first seed only */
    int line, column;
};

/* One line of the report: the value of a measure, next to the published value. */
enum { EXPERIMENT_MOST_WORDS = 6 };
struct experiment_row {
    const char *label;
    size_t measure;
    const char *words[EXPERIMENT_MOST_WORDS]; /* the values of ?1, ?2, ... in the measure's SQL */
    size_t word_count;
    const char *published; /* the published value as printed, or NULL */
    double interval;       /* half width of the published interval; 0: no interval was published */
    const char *why;       /* why the values may differ, or NULL */
    int line, column;      /* place of the measure's name */
};

/* An SQL query over the experiment's runs. A measure's query returns numbers, whose mean is reported. A figure's query
 * returns rows with the columns series, x and y. The rows that a table's query returns are reported unchanged. */
struct experiment_query {
    const char *name;  /* for a figure or a table, its title */
    const char *x, *y; /* titles of a figure's axes */
    bool log_x, log_y, bars, plain;
    const char *sql;
    int line, column; /* place of the query */
};

/* An option that `lab tune` may set, within a range or to one of several values; if neither is given, within the
 * option's full range. */
struct experiment_tune {
    const char *option;
    double least, most;
    bool logarithmic;
    const char *choices; /* "a|b|c", or NULL */
    int line, column;
};

struct experiment {
    const char *title, *about, *cost; /* "" if not given */
    double share;                     /* how much of the published work the lines describe, 1 if not given */
    struct experiment_source *sources;
    struct experiment_method *methods; /* one item per method and budget */
    struct experiment_training *trainings;
    uint64_t *seeds;
    bool seed_by_instance; /* a run with seed S on instance number i uses the seed S * 1000000 + i instead */
    struct experiment_limits *budgets;
    struct experiment_query *measures, *figures, *tables;
    struct experiment_row *rows;
    struct experiment_tune *tunes;
    /* better.sql: an SQL expression over one run; the tuner maximises its mean over the runs of a trial. NULL: the
     * score or, in a least-cost domain, 1 for a solved instance and 0 for an unsolved one. */
    struct experiment_query better;
    size_t source_count, method_count, training_count, budget_count, seed_count, measure_count, figure_count,
        table_count, row_count, tune_count;

    struct memory memory;
    struct arena strings;
};

/* Parses a text. On failure *error has line and column, and there is nothing to free. */
bool experiment_read(const char *text, size_t length, struct experiment *experiment, soloist_error *error);
void experiment_free(struct experiment *experiment);

#endif
