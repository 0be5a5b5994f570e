/* What some domains can do beyond the contract: their files carry solutions, their instances have a canonical form. One
 * list for all domains, so that general code need not name a game. */
#ifndef SEARCH_SPECIAL_HOOKS_H
#define SEARCH_SPECIAL_HOOKS_H

#include "soloist_extra.h"

struct hooks {
    const char *domain;
    const char *cost; /* what a cost counts: "pushes" */
    /* The index-th solution that stands in an instance's own text; false past the last. */
    bool (*solution)(const soloist_chunk *chunk, int index, const char **text, size_t *length);
    /* The referee for solutions whose letters lost their case. */
    bool (*referee_any_case)(const soloist_chunk *chunk, const char *solution, size_t length, soloist_verdict *verdict,
                             soloist_error *error);
    /* Writes the canonical form: the same bytes for all instances that are the same game. walks: the steps of the
     * player count too. False if the chunk cannot be read. */
    bool (*canonical)(const soloist_chunk *chunk, bool walks, const soloist_sink *sink);
    /* Writes the same game on the smallest board. False if the chunk cannot be read. */
    bool (*tidy)(const soloist_chunk *chunk, const soloist_sink *sink);
    /* Writes a solution of one instance as one of another that has the same canonical form. False if they do not fit
     * together. */
    bool (*carry)(const soloist_chunk *from, const soloist_chunk *to, const char *solution, const soloist_sink *sink);
    /* Searches, with at most `nodes` nodes, for a solution of no higher cost with fewer moves. The caller frees
     * *shorter; *moves is its length. */
    soloist_code (*shorten)(const soloist_puzzle *puzzle, const char *solution, uint64_t nodes, char **shorter,
                            int64_t *moves);
};

extern const struct hooks sokoban_hooks, sokoban_moves_hooks;

/* NULL for a domain that has none. */
const struct hooks *hooks_find(const soloist_domain *domain);

#endif
