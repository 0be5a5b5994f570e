/* `soloist eval --dead-states`: the values that a network gives to positions without a solution. */
#ifndef CLI_LEARN_EVAL_DEAD_H
#define CLI_LEARN_EVAL_DEAD_H

#include "cli/cli.h"
#include "lab/sheet.h"

struct eval_dead_request {
    const struct cli *cli;
    const char *path;     /* of the network */
    const char *domain;   /* NULL: the domain that the network's file names */
    const char *generate; /* options of the generator; NULL: the defaults */
    const char *back_end; /* NULL: auto */
    int count;            /* dead positions wanted */
    bool exhaustive;      /* each dead position is proved dead by search, and compared with a solvable sibling */
    int jobs;             /* 0: one per core */
    uint64_t seed;
    enum sheet_format format;
};

/* Returns the exit status. */
int eval_dead_states(const struct eval_dead_request *request);

#endif
