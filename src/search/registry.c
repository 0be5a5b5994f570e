/* The list of built-in methods, and how "NAME:key=value,..." becomes a method with its options. */
#include "search/search.h"

#include "base/options.h"
#include "base/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The built-in methods, in the order that `info` shows. */
static const struct search_method *const methods[] = {
    &search_auto,
    &search_a_star,
    &search_ida_star,
    &search_mm,
    &search_nbs,
    &search_bae,
    &search_dbbs,
    &search_bhpa,
    &search_fess,
    &search_beam,
    &search_bfs,
    &search_best_first,
    &search_branch_and_bound,
    &search_greedy,
    &search_minimax,
    &search_random,
    &search_mcts,
    &search_uct,
    &search_sp_mcts,
    &search_ucb1_tuned,
    &search_marocchi_uct,
    &search_marocchi_sp_mcts,
    &search_marocchi_ucb1_tuned,
    &search_seify_mcts,
    &search_vanillaban,
    &search_schokoban,
    &search_vanillaban_tuned,
    &search_schokoban_tuned,
    &search_bimcts,
    &search_nmcs,
    &search_nmcts,
    &search_nrpa,
    &search_policy_mcts,
    &search_pv_mcts,
    &search_exit_mcts,
    &search_policy,
    &search_levints,
    &search_phs,
};
enum { built_in_count = sizeof methods / sizeof *methods };

const struct search_method *search_at(const struct search_added *added, size_t index) {
    if (index < built_in_count)
        return methods[index];
    for (index -= built_in_count; added && index; index--)
        added = added->next;
    return added ? &added->method : NULL;
}

static bool is_named(const struct search_method *method, const char *name, size_t length) {
    return strlen(method->name) == length && !memcmp(method->name, name, length);
}

const struct search_method *search_find(const struct search_added *added, const char *name, size_t length) {
    for (size_t i = 0; i < built_in_count; i++)
        if (is_named(methods[i], name, length))
            return methods[i];
    for (; added; added = added->next)
        if (is_named(&added->method, name, length))
            return &added->method;
    return NULL;
}

/* Sets the defaults of the option rows, and then the values of the method's preset. */
static soloist_code set_usual(const struct search_method *method, const soloist_domain *domain, void *options,
                              soloist_error *error) {
    const char *own = domain->players == 2                ? method->two_player_preset
                      : domain->aim == SOLOIST_LEAST_COST ? method->goal_preset
                                                          : NULL;
    soloist_options_reset(method->options, options);
    return soloist_options_parse(method->options, options, own ? own : method->preset, error);
}

/* Sets the options that the text gives after the method's name. */
static soloist_code set_wanted(const struct search_added *added, const struct search_method *method, const char *text,
                               void *options, soloist_error *error) {
    char *spelled = search_spell(added, text, true);
    if (!spelled) {
        soloist_fail(error, 0, 0, "no memory for the options of %s", method->name);
        return SOLOIST_NO_MEMORY;
    }
    soloist_code code = soloist_options_parse(method->options, options, strchr(spelled, ':') + 1, error);
    free(spelled);
    return code;
}

static soloist_code refuse(const struct search_added *added, const char *text, size_t length, soloist_error *error) {
    char name[65];
    snprintf(name, sizeof name, "%.*s", (int)(length < 64 ? length : 64), text);
    struct suggestion nearest = suggest_open(name);
    const struct search_method *method;
    for (size_t i = 0; (method = search_at(added, i)); i++)
        suggest_offer(&nearest, method->name);
    if (nearest.best)
        soloist_fail(error, 0, 0, "unknown method '%s': did you mean %s?", name, nearest.best);
    else
        soloist_fail(error, 0, 0, "unknown method '%s'", name);
    return SOLOIST_MISUSE;
}

soloist_code search_choose(const struct search_added *added, const char *text, const soloist_domain *domain,
                           struct search_choice *choice, soloist_error *error) {
    size_t length = strcspn(text, ":");
    *choice = (struct search_choice){search_find(added, text, length), NULL, NULL};
    if (!choice->method)
        return refuse(added, text, length, error);
    const struct search_method *method = choice->method;
    size_t size = method->options_size ? method->options_size : 1;
    choice->options = calloc(1, size);
    choice->usual = calloc(1, size);
    if (!choice->options || !choice->usual) {
        search_choice_free(choice);
        soloist_fail(error, 0, 0, "no memory for the options of %s", method->name);
        return SOLOIST_NO_MEMORY;
    }
    soloist_code code = set_usual(method, domain, choice->usual, error);
    memcpy(choice->options, choice->usual, size);
    if (code == SOLOIST_OK && text[length] == ':')
        code = set_wanted(added, method, text, choice->options, error);
    if (code != SOLOIST_OK)
        search_choice_free(choice);
    return code;
}

void search_choice_free(struct search_choice *choice) {
    free(choice->options);
    free(choice->usual);
    choice->options = choice->usual = NULL;
}

void search_choice_text(const struct search_choice *choice, char *out, size_t room) {
    char changed[128];
    options_differing(choice->method->options, choice->options, choice->usual, changed, sizeof changed);
    snprintf(out, room, "%s%s%s", choice->method->name, *changed ? ":" : "", changed);
}

unsigned search_ignores(const struct search_choice *choice) {
    return choice->method->ignores ? choice->method->ignores(choice->options) : 0;
}

unsigned search_ignores_all(const void *options) {
    (void)options;
    return SEARCH_IGNORES_SEED | SEARCH_IGNORES_THREADS | SEARCH_IGNORES_ITERATIONS | SEARCH_IGNORES_NETWORK;
}

unsigned search_ignores_threads(const void *options) {
    (void)options;
    return SEARCH_IGNORES_THREADS | SEARCH_IGNORES_NETWORK;
}

unsigned search_ignores_network(const void *options) {
    (void)options;
    return SEARCH_IGNORES_NETWORK;
}
