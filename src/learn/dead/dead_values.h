/* The values that a network gives to positions without a solution (Ge 2018, section 4.3), one puzzle at a time. */
#ifndef LEARN_DEAD_DEAD_VALUES_H
#define LEARN_DEAD_DEAD_VALUES_H

#include "learn/dead/dead_states.h"

/* Which positions are made, and which network is asked about them. */
struct dead_question {
    struct dead_maker maker;
    bool by_search;               /* positions are made by dead_by_search, in pairs, and not by dead_by_rules */
    soloist_network *network;     /* must give values */
    const soloist_domain *domain; /* the network's domain, which reads the positions, and its options */
    const char *options;
};

struct dead_values {
    bool found;       /* the puzzle gave a dead position that the network can read; only then are there values */
    float dead, live; /* live: value of the live sibling; only with by_search */
};

/* The maker for positions of `domain`, with the settings of Ge (2018). plain, strict: as in struct dead_maker. */
struct dead_maker dead_maker_for(const soloist *engine, const soloist_domain *domain, const char *plain,
                                 const char *strict, bool by_search);
/* Makes a position from the puzzle's text and asks for its value. False with an error. */
bool dead_values_of(const struct dead_question *question, const char *text, size_t length, uint64_t seed,
                    struct dead_values *values, soloist_error *error);

#endif
