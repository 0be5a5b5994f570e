/* The run-length code of Sokoban files, in boards ("3#2-$") and in solutions ("3r2(rU)"): runs of a symbol, and groups
 * in parentheses that are repeated. Nothing is expanded: the reader returns one run at a time. */
#ifndef DOMAIN_SOKOBAN_FILE_RUNLENGTH_H
#define DOMAIN_SOKOBAN_FILE_RUNLENGTH_H

#include "soloist.h"

#define RUNLENGTH_MOST_DEPTH 8
#define RUNLENGTH_MOST_COUNT 1000000000u

struct runlength {
    const char *text;
    size_t length, at;
    bool skip_space; /* white space is ignored everywhere */
    int depth;
    struct {
        size_t start; /* first byte after the parenthesis */
        uint32_t left;
        bool filled; /* the group contains a symbol */
    } groups[RUNLENGTH_MOST_DEPTH];
    const char *problem; /* NULL: none so far */
    size_t place;        /* where in the text the problem is */
};

struct run {
    char symbol;
    uint32_t count; /* at least 1, at most RUNLENGTH_MOST_COUNT */
    size_t place;   /* where in the text the symbol is */
};

void runlength_open(struct runlength *code, const char *text, size_t length, bool skip_space);
/* Reads the next run. Returns false at the end of the text or at an error, which is then in code->problem. Every
 * repetition of a group yields at least one run, so that a caller that limits the sum of counts also limits the
 * work. */
bool runlength_next(struct runlength *code, struct run *run);

#endif
