/* A file of solutions, as claims about instances: JSON lines, a .sok collection, or plain lines. */
#ifndef CLI_SOLUTIONS_H
#define CLI_SOLUTIONS_H

#include "cli/input/input.h"

enum claimed { CLAIMED_PUSHES, CLAIMED_MOVES, CLAIMED_COST, CLAIMED_SCORE, CLAIMED_COUNTS };

/* What a file says of one instance. */
struct claim {
    int id;
    char *solution;  /* zero-ended, owned; NULL: none is given */
    bool impossible; /* claimed to have no solution */
    bool has[CLAIMED_COUNTS];
    int64_t count[CLAIMED_COUNTS];
};

struct solutions {
    struct claim *claims;
    size_t count;
};

/* Reads claims about the instances of source number 0 of the input. Complains and returns false if the file cannot be
 * read or is wrong; what it holds about instances that are not asked for is passed over. */
bool solutions_read(const struct cli *cli, const char *name, const struct input *input, struct solutions *solutions);
void solutions_free(struct solutions *solutions);
/* The claim about an instance, or NULL. */
const struct claim *solutions_find(const struct solutions *solutions, int id);

#endif
