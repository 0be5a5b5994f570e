/* What one thread does in imitation learning in a least-cost domain: a method (the teacher) solves positions, and the
 * thread makes samples from the solutions. */
#ifndef LEARN_TRAIN_TUTOR_H
#define LEARN_TRAIN_TUTOR_H

#include "learn/train/makers.h"

/* Records for one set of samples, training or validation, that have not been given to the harvest yet. */
struct tutor_side {
    unsigned char *records;
    size_t count, room;
};

struct tutor {
    struct makers *makers;
    soloist_rng rng;            /* seeded for each puzzle, so that a puzzle gives the same positions in every thread */
    struct tutor_side sides[2]; /* 0: training, 1: validation */
    soloist_status status;      /* status of the method's last search */
    struct harvest_tally tally;
    struct buffer lines;
    soloist_error error;
};

/* A position of the learner's domain, and the same position in the teacher's domain. */
struct tutor_position {
    soloist_puzzle learner, teacher;
    bool shared; /* the two domains are the same, and `teacher` is a copy of `learner` */
    bool apart;  /* its positions are for validation */
};

/* Takes over the learner's puzzle. On failure frees the puzzle and returns false with an error. */
bool tutor_position_open(struct tutor *tutor, soloist_puzzle *learner, bool apart, struct tutor_position *position);
void tutor_position_close(struct tutor_position *position);

/* Chooses some of the `count` positions of a solution at random, all equally likely; maker_plan.pairs says how many. If
 * `first` is true, the first position is one of them. Returns the number of positions that were chosen. */
size_t tutor_choose(struct tutor *tutor, size_t count, bool first, bool *chosen);
/* Adds one position. False with an error. */
bool tutor_position_add(struct tutor *tutor, const soloist_puzzle *puzzle, const void *state, float value,
                        const struct sample_target *targets, int count, bool apart);
/* Adds positions of several solutions of one puzzle. A position's policy target holds all moves that follow the
 * position in these solutions (tutor_merge.c). False with an error. */
bool tutor_merge(struct tutor *tutor, const struct tutor_position *position, const struct game *games, int count);

/* Solves a position, chooses positions of the solution by tutor_choose (which gets `first`), and adds a sample of each
 * chosen position. A position without a solution is added with the value 0. whole: the position is the beginning of a
 * puzzle, so its cost enters the statistics. False with an error. */
bool tutor_solution(struct tutor *tutor, const struct tutor_position *position, uint64_t seed, bool first, bool whole);
/* Adds a dead position that a depth-first search finds, if it finds one (tutor_dead.c). False with an error. */
bool tutor_dead(struct tutor *tutor, const struct tutor_position *position);
/* Adds a position without a solution: value 0. even: the policy target is the same for all moves; otherwise there is
 * none. */
bool tutor_lost(struct tutor *tutor, const soloist_puzzle *puzzle, bool even, bool apart);
/* Makes all samples that begin at a puzzle's first position: solves the puzzle with several seeds and may add a dead
 * position. Frees the puzzle. */
bool tutor_puzzle(struct tutor *tutor, soloist_puzzle *puzzle, uint64_t number);

/* Takes the next puzzle, as makers_next does. Puzzles of another shape before it are counted together with the records
 * that have not been given to the harvest yet: a checkpoint that counted them earlier would leave out the puzzles of
 * these records. */
bool tutor_next(struct tutor *tutor, soloist_puzzle *puzzle, uint64_t *number);
/* Called when the work on a puzzle has ended; before: the tutor as it was when this work began; good: there was no
 * error. Counts the puzzle, and gives the collected records to the harvest if they are many. But if there was an error
 * or the makers were stopped, the puzzle may be incomplete and a resumed run makes it again: everything that it has
 * given is dropped. So a checkpoint holds only whole puzzles. Returns `good`. */
bool tutor_finish(struct tutor *tutor, const struct tutor *before, bool good);

/* make_dagger.c: the network plays games and the teacher solves positions of these games, until there are no more
 * puzzles. */
bool tutor_with_dagger(struct tutor *tutor);

#endif
