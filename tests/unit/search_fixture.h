/* A Sokoban level with a run over it, for tests of what a method is made of. */
#ifndef TESTS_UNIT_SEARCH_FIXTURE_H
#define TESTS_UNIT_SEARCH_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/domain.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>

struct fixture {
    soloist_puzzle puzzle;
    soloist_error error;
    struct budget budget;
    struct search_run run;
};

static void open_fixture(struct fixture *f, const char *text, int threads, const soloist_limits *limits) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1, .name = ""};
    assert_int_equal(soloist_puzzle_read(&sokoban_domain, NULL, &chunk, &f->puzzle, NULL), SOLOIST_OK);
    budget_open(&f->budget, limits, NULL);
    f->run = (struct search_run){.domain = &sokoban_domain,
                                 .instance = f->puzzle.instance,
                                 .puzzle = &f->puzzle,
                                 .budget = &f->budget,
                                 .threads = threads,
                                 .error = &f->error};
    sokoban_domain.life->shape(f->puzzle.instance, &f->run.shape);
}

static void close_fixture(struct fixture *f) {
    assert_int_equal(memory_used(&f->budget.memory), 0);
    free(f->run.best.moves);
    soloist_puzzle_free(&f->puzzle);
}

#endif
