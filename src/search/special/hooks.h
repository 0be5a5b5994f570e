/* What some domains' files can do beyond the contract: carry solutions beside the boards, and lose their case. */
#ifndef SEARCH_SPECIAL_HOOKS_H
#define SEARCH_SPECIAL_HOOKS_H

#include "soloist.h"

struct hooks {
    const char *domain;
    /* The index-th solution that stands in an instance's own text; false past the last. */
    bool (*solution)(const soloist_chunk *chunk, int index, const char **text, size_t *length);
    /* The referee for solutions whose letters lost their case. */
    bool (*referee_any_case)(const soloist_chunk *chunk, const char *solution, size_t length, soloist_verdict *verdict,
                             soloist_error *error);
};

/* NULL for a domain that has none. */
const struct hooks *hooks_find(const soloist_domain *domain);

#endif
