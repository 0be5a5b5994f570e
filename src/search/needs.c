/* Checks, before a method runs, whether its needs are met. If not, the error is one plain sentence about what is
 * missing. */
#include "search/search.h"

static bool lacks_limit(const soloist_limits *limits) {
    return limits->time_s <= 0 && !limits->nodes && !limits->iterations && !limits->stop;
}

/* The first need that the domain does not fulfil, in words; *instead: what the domain has instead. NULL: it fulfils
 * all. */
static const char *find_lack(unsigned needs, const soloist_domain *domain, const char **instead) {
    const struct {
        unsigned need;
        bool met;
        const char *needed, *instead;
    } rows[] = {
        {SEARCH_NEEDS_ONE_PLAYER, domain->players == 1, "a domain for one player", "has two"},
        {SEARCH_NEEDS_TWO_PLAYERS, domain->players == 2, "a domain for two players", "has one"},
        {SEARCH_NEEDS_GOAL, domain->aim == SOLOIST_LEAST_COST, "a domain that minimises cost", "maximises a score"},
        {SEARCH_NEEDS_SCORE, domain->aim == SOLOIST_MOST_SCORE, "a domain that maximises a score", "minimises cost"},
        {SEARCH_NEEDS_BOUND, domain->bound, "a bound", "has none"},
        {SEARCH_NEEDS_REVERSE, domain->reverse, "a domain that can be played backwards", "cannot"},
        {SEARCH_NEEDS_REVERSE_BOUND, domain->reverse && domain->reverse->bound, "a bound for backward play",
         "has none"},
        {SEARCH_NEEDS_SAMPLE, domain->sample, "a domain with play-outs of its own", "has none"},
        {SEARCH_NEEDS_REWARD, domain->reward, "a domain with named rewards", "has none"},
        {SEARCH_NEEDS_FEATURES, domain->features, "a domain with features and larger moves", "has none"},
        {SEARCH_NEEDS_LEARN, domain->learn, "a domain that shows its states to networks", "does not"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if ((needs & rows[i].need) && !rows[i].met) {
            *instead = rows[i].instead;
            return rows[i].needed;
        }
    return NULL;
}

soloist_code search_check_needs(const struct search_method *method, const soloist_domain *domain,
                                const soloist_limits *limits, soloist_error *error) {
    const char *instead, *needed = find_lack(method->needs, domain, &instead);
    if (needed) {
        soloist_fail(error, 0, 0, "%s needs %s; %s %s", method->name, needed, domain->name, instead);
        return SOLOIST_UNSUPPORTED;
    }
    if ((method->needs & SEARCH_NEEDS_NETWORK) && !limits->network) {
        soloist_fail(error, 0, 0, "%s needs a network that was trained for %s", method->name, domain->name);
        return SOLOIST_UNSUPPORTED;
    }
    if ((method->needs & SEARCH_NEEDS_LIMIT) && lacks_limit(limits)) {
        soloist_fail(error, 0, 0, "%s never ends by itself: give a time, node or iteration limit", method->name);
        return SOLOIST_UNSUPPORTED;
    }
    return SOLOIST_OK;
}
