/* What the searches do not believe of a domain that is not built in. */
#include "search/search.h"

#include "domain/domain.h"

struct search_guard *search_guard_open(struct search_guard *guard, const soloist_domain *domain) {
    if (domain_is_builtin(domain))
        return NULL;
    *guard = (struct search_guard){.cost = domain->aim == SOLOIST_LEAST_COST};
    return guard;
}

int search_guard_mend(struct search_guard *guard, unsigned want, soloist_child *children, int count) {
    if (count < 0) {
        atomic_store(&guard->wrong_count, count);
        return 0;
    }
    for (int i = 0; guard->cost && want & SOLOIST_WANT_BOUND && i < count; i++)
        if (children[i].bound < 0)
            children[i].bound = 0;
    return count;
}

bool search_guard_holds(struct search_guard *guard, const soloist_domain *domain, soloist_error *error) {
    int count = guard ? atomic_load(&guard->wrong_count) : 0;
    return !count ||
           soloist_fail(error, 0, 0, "expand of %s returned %d as the number of children", domain->name, count);
}
