/* What some domains can do beyond the domain contract: their files may contain solutions, and their instances have a
 * canonical form. There is one list for all domains, so that general code need not name a game. */
#ifndef SEARCH_SPECIAL_HOOKS_H
#define SEARCH_SPECIAL_HOOKS_H

#include "soloist_extra.h"

struct hooks {
    const char *domain;
    const char *cost; /* what a cost counts, such as "pushes" */
    /* Finds solution number `index` in an instance's own text. False past the last. */
    bool (*solution)(const soloist_chunk *chunk, int index, const char **text, size_t *length);
    /* The referee for solutions in which upper and lower case do not tell pushes from steps. */
    bool (*referee_any_case)(const soloist_chunk *chunk, const char *solution, size_t length, soloist_verdict *verdict,
                             soloist_error *error);
    /* Writes the canonical form: the same bytes for all instances that are the same game. walks: the player's steps
     * count too, so the player's square matters. False if the chunk cannot be read. */
    bool (*canonical)(const soloist_chunk *chunk, bool walks, const soloist_sink *sink);
    /* Writes the same game on the smallest board. False if the chunk cannot be read. */
    bool (*tidy)(const soloist_chunk *chunk, const soloist_sink *sink);
    /* Translates a solution of one instance into a solution of another instance with the same canonical form. False if
     * their forms differ. */
    bool (*carry)(const soloist_chunk *from, const soloist_chunk *to, const char *solution, const soloist_sink *sink);
    /* Searches, with at most `nodes` nodes, for a solution of no higher cost with fewer moves. The caller frees
     * *shorter; *moves is its length. */
    soloist_code (*shorten)(const soloist_puzzle *puzzle, const char *solution, uint64_t nodes, char **shorter,
                            int64_t *moves);
};

extern const struct hooks sokoban_hooks, sokoban_moves_hooks;

/* The hooks of a domain; NULL if it has none. */
const struct hooks *hooks_find(const soloist_domain *domain);

#endif
