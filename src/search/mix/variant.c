/* Runs a search on the same puzzle under other domain options. There are two uses. A member of a mix may use macros,
 * with which more puzzles are solved but nothing is proved. The method of a published program uses the deadlock rules
 * of that program. The solution is passed back as text, because moves may differ under other options. */
#include "base/options.h"
#include "domain/domain.h"
#include "search/search.h"
#include "search/statistics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static soloist_instance *read_again(const struct search_run *run, const char *changes) {
    const soloist_puzzle *puzzle = run->puzzle;
    const soloist_domain *domain = run->domain;
    const soloist_work work = {.stop = &run->budget->token, .threads = 1};
    soloist_error why;
    soloist_instance *instance = NULL;
    if (!puzzle)
        return NULL;
    void *options = malloc(domain->options_size ? domain->options_size : 1);
    if (!options)
        return NULL;
    memcpy(options, puzzle->options, domain->options_size);
    if (soloist_options_parse(domain->options, options, changes, &why) == SOLOIST_OK)
        instance = domain_parse(domain, &puzzle->chunk, options, &work, &why);
    free(options);
    return instance;
}

bool search_variant_open(struct search_variant *variant, const struct search_run *run, const char *changes) {
    const soloist_life *life = run->domain->life;
    soloist_work work = {.stop = &run->budget->token, .memory = run->budget->limits.memory, .threads = run->threads};
    soloist_error why;
    *variant = (struct search_variant){.booked = run->shape.instance_size};
    if (!memory_book(&run->budget->memory, variant->booked))
        return false;
    variant->parsed = read_again(run, changes);
    if (variant->parsed && life->session)
        variant->session = life->session(variant->parsed, &work, &why);
    bool good = variant->parsed && (variant->session || !life->session);
    if (!good)
        search_variant_close(variant, run);
    return good;
}

void search_variant_close(struct search_variant *variant, const struct search_run *run) {
    if (variant->session)
        run->domain->life->destroy(variant->session);
    if (variant->parsed)
        run->domain->life->destroy(variant->parsed);
    memory_unbook(&run->budget->memory, variant->booked);
    *variant = (struct search_variant){0};
}

const soloist_instance *search_variant_instance(const struct search_variant *variant) {
    return variant->session ? variant->session : variant->parsed;
}

/* Replays the moves on the run's own instance and records them. False if play has not ended after the last move. */
static bool record_replayed(struct search_run *run, const soloist_move *moves, size_t count) {
    const soloist_core *core = run->domain->core;
    int32_t value = 0, last = 0;
    void *state = malloc(run->shape.state_size);
    if (!state)
        return false;
    run->domain->life->root(run->instance, state);
    for (size_t i = 0; i < count; i++)
        value = search_sum(value, core->apply(run->instance, state, moves[i], NULL));
    bool good = core->ended(run->instance, state, &last) && search_record(run, moves, count, search_sum(value, last));
    free(state);
    return good;
}

static bool bring_home(struct search_run *run, const struct search_run *other) {
    const soloist_text *text = run->domain->text;
    soloist_error why;
    char *line = search_line_text(other);
    long count = line ? text->read(run->instance, line, strlen(line), NULL, 0, &why) : -1;
    soloist_move *moves = count < 0 ? NULL : malloc(((size_t)count + 1) * sizeof *moves);
    bool good = moves && text->read(run->instance, line, strlen(line), moves, (size_t)count, &why) == count &&
                record_replayed(run, moves, (size_t)count);
    free(moves);
    free(line);
    return good;
}

/* What is to be run on a variant: a method with the run's own options, or another one as a part of the run. */
struct variant_work {
    const struct search_method *own; /* NULL: the part */
    const char *part;
    int percent;
};

static soloist_code run_on(struct search_run *run, const struct search_variant *variant,
                           const struct variant_work *work) {
    struct search_run other = *run;
    statistics_open_part(&other);
    other.instance = search_variant_instance(variant);
    other.best = (struct search_line){0};
    other.found = false;
    other.shape = (soloist_shape){0};
    run->domain->life->shape(other.instance, &other.shape);
    soloist_code code;
    if (!work->own)
        code = search_part(&other, work->part, work->percent);
    else if (work->own->suits && !work->own->suits(&other))
        code = SOLOIST_UNSUPPORTED;
    else
        code = work->own->run(&other);
    statistics_add(run, &other);
    errno = 0;
    if (code == SOLOIST_OK && other.found && !bring_home(run, &other) && errno == ENOMEM)
        search_full(run);
    free(other.best.moves);
    return code;
}

soloist_code search_part_as(struct search_run *run, const char *changes, const char *method, int percent) {
    const struct variant_work work = {.part = method, .percent = percent};
    struct search_variant variant;
    if (!search_variant_open(&variant, run, changes))
        return SOLOIST_OK;
    soloist_code code = run_on(run, &variant, &work);
    search_variant_close(&variant, run);
    return code;
}

/* Whether the domain has an option `rules` that leaves the choice to the method. */
static bool leaves_rules_to_method(const struct search_run *run) {
    const soloist_option *row = options_find(run->domain->options, "rules", strlen("rules"));
    char value[32];
    return row && run->puzzle && options_value(row, run->puzzle->options, value, sizeof value) > 0 &&
           !strcmp(value, "auto");
}

soloist_code search_run_by_rules(struct search_run *run, const struct search_method *method) {
    const struct variant_work work = {.own = method};
    struct search_variant variant;
    char changes[64];
    if (!method->rules || !leaves_rules_to_method(run))
        return method->run(run);
    snprintf(changes, sizeof changes, "rules=%s", method->rules);
    if (!search_variant_open(&variant, run, changes))
        return stop_token_was_seen(&run->budget->token) ? SOLOIST_OK : search_full(run);
    soloist_code code = run_on(run, &variant, &work);
    search_variant_close(&variant, run);
    return code;
}
