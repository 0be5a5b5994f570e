/* A domain that was compiled with an earlier header of the same ABI number may have groups that are shorter than those
 * of this version. The domain is then copied into groups of the present size, in which the functions that it does not
 * have are NULL, so that no search ever has to check how large a group is. */
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

/* The groups of a domain: the group's name, its type, and the member of the domain's table that points to it. */
#define DOMAIN_GROUPS(GROUP)                                                                                           \
    GROUP(life)                                                                                                        \
    GROUP(core)                                                                                                        \
    GROUP(text)                                                                                                        \
    GROUP(bound)                                                                                                       \
    GROUP(reverse)                                                                                                     \
    GROUP(pack)                                                                                                        \
    GROUP(sample)                                                                                                      \
    GROUP(reward)                                                                                                      \
    GROUP(learn)                                                                                                       \
    GROUP(generate)                                                                                                    \
    GROUP(tables)                                                                                                      \
    GROUP(estimate)                                                                                                    \
    GROUP(walk)                                                                                                        \
    GROUP(features)                                                                                                    \
    GROUP(hints)                                                                                                       \
    GROUP(environments)

struct completed_domain {
    soloist_domain domain; /* must be the first member: the engine frees the block by the domain's address */
#define GROUP(name) soloist_##name name;
    DOMAIN_GROUPS(GROUP)
#undef GROUP
    soloist_core reverse_core;
    soloist_bound reverse_bound;
    soloist_features plan;
};

/* Every group begins with its size. */
static size_t size_of(const void *group) {
    size_t size;
    memcpy(&size, group, sizeof size);
    return size;
}

/* Copies the members that exist in both versions, and sets the size of the copy. */
static void complete(void *copy, size_t size, const void *group) {
    size_t known = size_of(group) < size ? size_of(group) : size;
    memcpy(copy, group, known);
    memcpy(copy, &size, sizeof size);
}

/* A group that is shorter than two words does not even hold one function, and every group has a whole number of words:
 * otherwise its first word is not a size. */
static bool states_its_size(const void *group) {
    return !group || (size_of(group) >= 2 * sizeof(size_t) && size_of(group) % sizeof(size_t) == 0);
}

/* A group to which another group points; NULL if that group ends before the pointer. */
static const void *inner_group(const void *group, size_t place) {
    const void *inner = NULL;
    if (group && size_of(group) >= place + sizeof inner)
        memcpy(&inner, (const char *)group + place, sizeof inner);
    return inner;
}

bool engine_check_sizes(const soloist_domain *d, soloist_error *error) {
    if (d->abi != SOLOIST_ABI)
        return soloist_fail(error, 0, 0,
                            "the domain was built for version %d of the domain table, this engine uses version %d",
                            d->abi, SOLOIST_ABI);
    const char *wrong = d->size < offsetof(soloist_domain, life) || d->size % sizeof(size_t) ? "domain" : NULL;
#define GROUP(name)                                                                                                    \
    if (!wrong && offsetof(soloist_domain, name) < d->size && !states_its_size(d->name))                               \
        wrong = #name;
    DOMAIN_GROUPS(GROUP)
#undef GROUP
    const soloist_reverse *reverse = offsetof(soloist_domain, reverse) < d->size ? d->reverse : NULL;
    if (!wrong && !(states_its_size(inner_group(reverse, offsetof(soloist_reverse, core))) &&
                    states_its_size(inner_group(reverse, offsetof(soloist_reverse, bound)))))
        wrong = "reverse";
    const soloist_features *features = offsetof(soloist_domain, features) < d->size ? d->features : NULL;
    if (!wrong && !states_its_size(inner_group(features, offsetof(soloist_features, plan))))
        wrong = "features";
    if (wrong)
        return soloist_fail(error, 0, 0, "the group %s does not begin with its size", wrong);
    return true;
}

bool engine_domain_is_complete(const soloist_domain *d) {
    if (d->size < sizeof *d)
        return false;
#define GROUP(name)                                                                                                    \
    if (d->name && d->name->size < sizeof(soloist_##name))                                                             \
        return false;
    DOMAIN_GROUPS(GROUP)
#undef GROUP
    const soloist_reverse *reverse = d->reverse;
    return !(reverse && reverse->core && reverse->core->size < sizeof(soloist_core)) &&
           !(reverse && reverse->bound && reverse->bound->size < sizeof(soloist_bound)) &&
           !(d->features && d->features->plan && d->features->plan->size < sizeof(soloist_features));
}

/* Completes the groups to which other groups point. */
static void complete_inner(struct completed_domain *made) {
    if (made->reverse.core) {
        complete(&made->reverse_core, sizeof made->reverse_core, made->reverse.core);
        made->reverse.core = &made->reverse_core;
    }
    if (made->reverse.bound) {
        complete(&made->reverse_bound, sizeof made->reverse_bound, made->reverse.bound);
        made->reverse.bound = &made->reverse_bound;
    }
    if (made->features.plan) {
        complete(&made->plan, sizeof made->plan, made->features.plan);
        made->features.plan = &made->plan;
    }
}

soloist_domain *engine_complete_domain(const soloist_domain *domain) {
    struct completed_domain *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    memcpy(&made->domain, domain, domain->size < sizeof *domain ? domain->size : sizeof *domain);
    made->domain.size = sizeof *domain;
#define GROUP(name)                                                                                                    \
    if (made->domain.name) {                                                                                           \
        complete(&made->name, sizeof made->name, made->domain.name);                                                   \
        made->domain.name = &made->name;                                                                               \
    }
    DOMAIN_GROUPS(GROUP)
#undef GROUP
    complete_inner(made);
    return &made->domain;
}
