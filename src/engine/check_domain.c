/* A domain's table is checked once, when it is added, so that searches need not test its pointers for NULL. */
#include "base/options.h"
#include "engine/engine.h"

#include <string.h>

/* The name of a required function that a group lacks, or NULL. */
static const char *missing_function(const soloist_domain *d) {
#define NEED(group, function)                                                                                          \
    { d->group && !d->group->function, #group "." #function }
    const struct {
        bool missing;
        const char *name;
    } rows[] = {
        NEED(life, recognise),
        NEED(life, next),
        NEED(life, parse),
        NEED(life, destroy),
        NEED(life, shape),
        NEED(life, root),
        NEED(core, moves),
        NEED(core, apply),
        NEED(core, undo),
        NEED(core, ended),
        NEED(core, key),
        NEED(core, key_from_scratch),
        NEED(core, expand),
        NEED(text, print),
        NEED(text, move),
        NEED(text, solution),
        NEED(text, read),
        NEED(bound, value),
        NEED(bound, admissible),
        NEED(bound, consistent),
        NEED(reverse, goal),
        NEED(reverse, core),
        NEED(reverse, forward),
        NEED(pack, pack),
        NEED(pack, unpack),
        NEED(sample, playout),
        NEED(sample, policies),
        NEED(reward, names),
        NEED(reward, value),
        NEED(learn, planes),
        NEED(learn, actions),
        NEED(learn, encode),
        NEED(learn, action),
        NEED(generate, make),
        NEED(tables, name),
        NEED(tables, open),
        NEED(tables, close),
        NEED(tables, bytes),
        NEED(tables, attach),
        NEED(estimate, known),
        NEED(estimate, expand),
        NEED(walk, walk_size),
        NEED(walk, rules),
        NEED(walk, open),
        NEED(walk, copy),
        NEED(walk, play),
        NEED(walk, ended),
        NEED(features, names),
        NEED(features, advisors),
        NEED(features, guide_size),
        NEED(features, state_size),
        NEED(features, most),
        NEED(features, open),
        NEED(features, close),
        NEED(features, dimensions),
        NEED(features, root),
        NEED(features, key),
        NEED(features, ended),
        NEED(features, project),
        NEED(features, list),
        NEED(features, play),
        NEED(features, dead),
        NEED(features, plain),
        NEED(environments, suits),
        NEED(environments, open),
        NEED(environments, close),
        NEED(environments, put),
        NEED(environments, reset),
        NEED(environments, step),
        NEED(environments, legal),
        NEED(environments, slot),
        NEED(environments, episodes),
    };
#undef NEED
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].missing)
            return rows[i].name;
    const soloist_learn *learn = d->learn;
    if (learn && !learn->priors != !learn->share)
        return learn->priors ? "learn.share" : "learn.priors";
    if (learn && !learn->symmetries != !learn->reflect)
        return learn->symmetries ? "learn.reflect" : "learn.symmetries";
    return d->sample && !d->sample->policies[0] ? "sample.policies[0]" : NULL;
}

static const char *missing_reverse_function(const soloist_domain *d) {
    const soloist_core *core = d->reverse ? d->reverse->core : NULL;
    const soloist_bound *bound = d->reverse ? d->reverse->bound : NULL;
    if (core && !(core->moves && core->apply && core->undo && core->ended && core->key && core->expand))
        return "reverse.core";
    if (bound && !(bound->value && bound->admissible && bound->consistent))
        return "reverse.bound";
    return NULL;
}

static const char *missing_plan_function(const soloist_domain *d) {
    const soloist_features *features = d->features, *plan = features ? features->plan : NULL;
    if (features && features->plans < 1)
        return "features.plans (at least 1)";
    if (plan && !features->adopt)
        return "features.adopt";
    if (plan && !(plan->names && plan->state_size && plan->most && plan->dimensions && plan->root && plan->key &&
                  plan->ended && plan->project && plan->list && plan->play && plan->dead))
        return "features.plan";
    return NULL;
}

/* Whether the row's initial value is one that a user could set. */
static bool initial_is_allowed(const soloist_option *row) {
    switch (row->kind) {
    case SOLOIST_OPTION_INT:
        return row->least >= -0x1p63 && row->least <= row->initial && row->initial <= row->most && row->most <= 0x1p63;
    case SOLOIST_OPTION_REAL: return row->least <= row->initial && row->initial <= row->most;
    case SOLOIST_OPTION_BOOL: return row->initial == 0 || row->initial == 1;
    case SOLOIST_OPTION_CHOICE: return row->initial >= 0 && row->initial < options_choice_count(row->choices);
    case SOLOIST_OPTION_NAMES: return row->initial >= 0 && row->initial < 0x1p63;
    case SOLOIST_OPTION_NAME:
    case SOLOIST_OPTION_END: break;
    }
    return true;
}

bool engine_check_options(const char *owner, const char *name, const soloist_option *rows, size_t size,
                          soloist_error *error) {
    for (const soloist_option *row = rows; row && row->kind != SOLOIST_OPTION_END; row++) {
        size_t field = options_field_size(row->kind);
        size_t alignment = row->kind == SOLOIST_OPTION_NAME ? 1 : field;
        if (!row->name || !field || row->offset > size || size - row->offset < field || row->offset % alignment)
            return soloist_fail(error, 0, 0, "%s %s: option row %d does not fit its struct", owner, name,
                                (int)(row - rows));
        if (row->kind >= SOLOIST_OPTION_CHOICE && !row->choices)
            return soloist_fail(error, 0, 0, "%s %s: option %s has no choices", owner, name, row->name);
        if (!row->help)
            return soloist_fail(error, 0, 0, "%s %s: option %s has no help", owner, name, row->name);
        if (!initial_is_allowed(row))
            return soloist_fail(error, 0, 0, "%s %s: option %s: its initial value is outside its range", owner, name,
                                row->name);
    }
    return true;
}

bool engine_name_is_plain(const char *name) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    return name && *name && strlen(name) < 64 && name[strspn(name, allowed)] == 0;
}

bool engine_check_domain(const soloist_domain *domain, soloist_error *error) {
    if (!engine_name_is_plain(domain->name))
        return soloist_fail(error, 0, 0, "a domain's name consists of at most 63 characters from a-z, 0-9, - and _");
    if (!domain->summary)
        return soloist_fail(error, 0, 0, "domain %s has no summary", domain->name);
    if (domain->aim != SOLOIST_LEAST_COST && domain->aim != SOLOIST_MOST_SCORE)
        return soloist_fail(error, 0, 0, "domain %s: unknown aim", domain->name);
    if (domain->players != 1 && domain->players != 2)
        return soloist_fail(error, 0, 0, "domain %s: players must be 1 or 2", domain->name);

    const char *group = !domain->life ? "life" : !domain->core ? "core" : !domain->text ? "text" : NULL;
    if (group)
        return soloist_fail(error, 0, 0, "domain %s lacks the group %s", domain->name, group);
    const char *function = missing_function(domain);
    if (!function)
        function = missing_reverse_function(domain);
    if (!function)
        function = missing_plan_function(domain);
    if (!function && domain->tables && !domain->life->session)
        /* Shared tables are attached to sessions, so a domain with tables needs sessions. */
        function = "life.session";
    if (!function && domain->players == 2 && !domain->core->turn)
        function = "core.turn";
    if (function)
        return soloist_fail(error, 0, 0, "domain %s lacks the function %s", domain->name, function);

    if (!engine_check_options("domain", domain->name, domain->options, domain->options_size, error))
        return false;
    const soloist_generate *generate = domain->generate;
    return !generate || engine_check_options("domain", domain->name, generate->options, generate->options_size, error);
}
