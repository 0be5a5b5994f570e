#include "lab/results/plan.h"
#include "base/buffer.h"
#include "base/ranges.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct planning {
    const struct store *store;
    const soloist *engine;
    const struct experiment *experiment;
    const struct experiment_source *source;
    const soloist_domain *domain; /* of the source */
    int64_t id;                   /* of the experiment */
    double scale;
    sqlite3_stmt *add_instance, *find_instance, *add_member, *add_run, *find_run, *add_plan;
    soloist_error *error;
};

bool plan_holds(uint64_t index, double scale) {
    return index == 0 || (uint64_t)((double)index * scale) != (uint64_t)((double)(index - 1) * scale);
}

static bool step(struct planning *planning, sqlite3_stmt *statement) {
    bool well = sqlite3_step(statement) == SQLITE_DONE || store_fail(planning->store, planning->error);
    sqlite3_reset(statement);
    return well;
}

static int64_t step_number(struct planning *planning, sqlite3_stmt *statement) {
    int64_t number = 0;
    if (sqlite3_step(statement) == SQLITE_ROW)
        number = sqlite3_column_int64(statement, 0);
    else
        store_fail(planning->store, planning->error);
    sqlite3_reset(statement);
    return number;
}

static bool add_run(struct planning *planning, const struct experiment_method *method, uint64_t seed, int64_t instance,
                    int64_t number) {
    const struct experiment_limits *limits = &method->limits;
    sqlite3_stmt *const keyed[] = {planning->add_run, planning->find_run};
    for (int i = 0; i < 2; i++)
        store_bind(keyed[i], "itiiirii", instance, method->text, (int64_t)seed, (int64_t)limits->iterations,
                   (int64_t)limits->nodes, limits->time_s, (int64_t)limits->memory, (int64_t)limits->threads);
    if (!step(planning, planning->add_run))
        return false;
    int64_t run = step_number(planning, planning->find_run);
    store_bind(planning->add_plan, "iitti", planning->id, run, method->label, planning->source->label, number);
    return run && step(planning, planning->add_plan);
}

static bool add_runs(struct planning *planning, int64_t instance, int64_t number) {
    const struct experiment *experiment = planning->experiment;
    for (size_t s = 0; s < experiment->seed_count; s++) {
        uint64_t seed = experiment->seeds[s];
        if (experiment->seed_by_instance)
            seed = seed * 1000000 + (uint64_t)number;
        for (size_t m = 0; m < experiment->method_count; m++) {
            const struct experiment_method *method = &experiment->methods[m];
            bool wanted = (!method->on || !strcmp(method->on, planning->source->label)) && !(method->once && s > 0);
            if (wanted && !add_run(planning, method, seed, instance, number))
                return false;
        }
    }
    return true;
}

/* A chunk as text that ends with a line's end; bytes that SQLite's texts cannot hold end it. */
static bool add_instance(struct planning *planning, const soloist_chunk *chunk, int64_t number) {
    const struct experiment_source *source = planning->source;
    char *text = strndup(chunk->text, chunk->length);
    if (!text)
        return soloist_fail(planning->error, 0, 0, "out of memory");
    store_bind(planning->add_instance, "tttt", planning->domain->name, source->options, text, chunk->name);
    store_bind(planning->find_instance, "ttt", planning->domain->name, source->options, text);
    int64_t id = step(planning, planning->add_instance) ? step_number(planning, planning->find_instance) : 0;
    free(text);
    store_bind(planning->add_member, "iiti", planning->id, id, source->label, number);
    return id && step(planning, planning->add_member) && add_runs(planning, id, number);
}

/* ---- the instances of a source ---- */

static bool refuse_source(struct planning *planning, const char *format, const char *word) {
    return soloist_fail(planning->error, planning->source->line, planning->source->column, format, word);
}

/* The domain's options are tried before any run is: a slip costs no time. */
static bool check_options(struct planning *planning, const soloist_option *rows, size_t size, const char *text) {
    soloist_error why = {0};
    void *options = calloc(1, size + 1);
    if (!options)
        return refuse_source(planning, "out of memory%s", "");
    soloist_options_reset(rows, options);
    bool well = soloist_options_parse(rows, options, text, &why) == SOLOIST_OK;
    free(options);
    return well || refuse_source(planning, "%s", why.text);
}

static bool find_domain(struct planning *planning, const char *text, size_t length) {
    const struct experiment_source *source = planning->source;
    planning->domain = source->domain ? soloist_find_domain(planning->engine, source->domain)
                                      : soloist_recognise(planning->engine, text, length);
    if (!planning->domain && source->domain)
        return refuse_source(planning, "no domain %.60s: `soloist info` lists them", source->domain);
    if (!planning->domain)
        return refuse_source(planning, "%.100s is not recognised as a file of any domain: add domain=NAME",
                             source->name);
    return check_options(planning, planning->domain->options, planning->domain->options_size, source->options);
}

static bool add_text(struct planning *planning, const char *text, size_t length) {
    const struct experiment_source *source = planning->source;
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk;
    int number = 0;
    uint64_t chosen = 0;
    while (planning->domain->life->next(&cursor, &chunk))
        if (ranges_hold(source->range, ++number) && plan_holds(chosen++, planning->scale) &&
            !add_instance(planning, &chunk, number))
            return false;
    if (!chosen)
        return refuse_source(planning, "%.150s: no instance there", source->name);
    return true;
}

static bool add_file(struct planning *planning, const struct plan_files *files) {
    size_t length = 0;
    soloist_error why = {0};
    char *text = files->read(files->user, planning->source->name, &length, &why);
    if (!text)
        return refuse_source(planning, "%s", why.text);
    bool well = find_domain(planning, text, length) && add_text(planning, text, length);
    free(text);
    return well;
}

/* Instance i comes from stream i of the seed, as `soloist generate` has it. */
static bool generate_one(struct planning *planning, const soloist_generate *generate, const void *options, uint64_t i) {
    struct buffer text;
    soloist_rng rng;
    soloist_error why = {0};
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    soloist_rng_seed(&rng, planning->source->seed, i);
    bool well = generate->make(options, &rng, &sink, &why) == SOLOIST_OK || refuse_source(planning, "%s", why.text);
    if (well) {
        soloist_cursor cursor = soloist_cursor_open(text.text, text.length);
        soloist_chunk chunk;
        well = planning->domain->life->next(&cursor, &chunk)
                   ? add_instance(planning, &chunk, (int64_t)i + 1)
                   : refuse_source(planning, "the generator gave %s", "nothing");
    }
    buffer_close(&text);
    return well;
}

static bool add_generated(struct planning *planning) {
    const struct experiment_source *source = planning->source;
    const soloist_domain *maker = soloist_find_domain(planning->engine, source->name);
    if (!maker || !maker->generate)
        return refuse_source(planning, "no domain %.60s with a generator", source->name);
    const soloist_generate *generate = maker->generate;
    planning->domain = source->domain ? soloist_find_domain(planning->engine, source->domain) : maker;
    if (!planning->domain)
        return refuse_source(planning, "no domain %.60s: `soloist info` lists them", source->domain);
    if (!check_options(planning, generate->options, generate->options_size, source->made_by) ||
        !check_options(planning, planning->domain->options, planning->domain->options_size, source->options))
        return false;
    void *options = calloc(1, generate->options_size + 1);
    if (!options)
        return refuse_source(planning, "out of memory%s", "");
    soloist_options_reset(generate->options, options);
    soloist_options_parse(generate->options, options, source->made_by, NULL);
    bool well = true;
    uint64_t wanted = (uint64_t)((double)source->count * planning->scale);
    wanted = wanted < 1 ? 1 : wanted;
    for (uint64_t i = 0; well && i < wanted; i++)
        well = generate_one(planning, generate, options, i);
    free(options);
    return well;
}

/* ---- the whole ---- */

bool plan_check_method(const char *text, soloist_error *error) {
    struct search_choice choice;
    /* The domain decides only between presets. */
    static const soloist_domain any = {.aim = SOLOIST_LEAST_COST};
    if (search_choose(text, &any, &choice, error) != SOLOIST_OK)
        return false;
    search_choice_free(&choice);
    return true;
}

static bool has_source(const struct experiment *experiment, const char *label) {
    for (size_t i = 0; i < experiment->source_count; i++)
        if (!strcmp(experiment->sources[i].label, label))
            return true;
    return false;
}

static bool check_methods(const struct planning *planning) {
    for (size_t i = 0; i < planning->experiment->method_count; i++) {
        const struct experiment_method *method = &planning->experiment->methods[i];
        soloist_error why = {0};
        bool well = plan_check_method(method->text, &why);
        if (well && method->on && !has_source(planning->experiment, method->on))
            well = soloist_fail(&why, 0, 0, "on=%.60s: no instances have that label", method->on);
        if (!well)
            return soloist_fail(planning->error, method->line, method->column, "%s", why.text);
    }
    return true;
}

#define KEY "instance, method, seed, iterations_limit, nodes_limit, time_limit, memory_limit, threads"
static bool prepare(struct planning *planning) {
    struct {
        sqlite3_stmt **statement;
        const char *sql;
    } const all[] = {
        {&planning->add_instance, "INSERT OR IGNORE INTO instance(domain, options, text, name) VALUES(?1, ?2, ?3, ?4)"},
        {&planning->find_instance, "SELECT id FROM instance WHERE domain = ?1 AND options = ?2 AND text = ?3"},
        {&planning->add_member, "INSERT OR IGNORE INTO member VALUES(?1, ?2, ?3, ?4)"},
        {&planning->add_run, "INSERT OR IGNORE INTO run(" KEY ") VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"},
        {&planning->find_run, "SELECT id FROM run WHERE (" KEY ") = (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"},
        {&planning->add_plan, "INSERT OR IGNORE INTO plan VALUES(?1, ?2, ?3, ?4, ?5)"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(*all[i].statement = store_prepare(planning->store, all[i].sql, planning->error)))
            return false;
    return true;
}

static void finalise(struct planning *planning) {
    sqlite3_finalize(planning->add_instance);
    sqlite3_finalize(planning->find_instance);
    sqlite3_finalize(planning->add_member);
    sqlite3_finalize(planning->add_run);
    sqlite3_finalize(planning->find_run);
    sqlite3_finalize(planning->add_plan);
}

static bool add_experiment(struct planning *planning, const struct plan_wish *wish) {
    const struct store *store = planning->store;
    sqlite3_stmt *add = store_prepare(store,
                                      "INSERT INTO experiment(name, title, text, scale) VALUES(?1, ?2, ?3, ?4)"
                                      " ON CONFLICT(name) DO UPDATE SET title = ?2, text = ?3, scale = ?4",
                                      planning->error);
    if (!add)
        return false;
    store_bind(add, "tttr", wish->name, planning->experiment->title, wish->text, wish->scale);
    bool well = step(planning, add);
    sqlite3_finalize(add);
    planning->id = well ? store_number(store, "SELECT id FROM experiment WHERE name = ?1", wish->name) : 0;
    char forget[128];
    snprintf(forget, sizeof forget,
             "DELETE FROM plan WHERE experiment = %lld; DELETE FROM member WHERE experiment = %lld",
             (long long)planning->id, (long long)planning->id);
    return well && planning->id > 0 && (wish->add || store_execute(store, forget, planning->error));
}

static bool write_all(struct planning *planning, const struct plan_wish *wish, const struct plan_files *files) {
    const struct experiment *experiment = planning->experiment;
    if (!add_experiment(planning, wish) || !prepare(planning))
        return false;
    for (size_t i = 0; i < experiment->source_count; i++) {
        planning->source = &experiment->sources[i];
        if (!(planning->source->generated ? add_generated(planning) : add_file(planning, files)))
            return false;
    }
    return true;
}

int64_t plan_write(const struct store *store, const soloist *engine, const struct experiment *experiment,
                   const struct plan_wish *wish, const struct plan_files *files, soloist_error *error) {
    struct planning planning = {
        .store = store, .engine = engine, .experiment = experiment, .scale = wish->scale, .error = error};
    if (!check_methods(&planning) || !store_execute(store, "BEGIN IMMEDIATE", error))
        return 0;
    bool well = write_all(&planning, wish, files);
    finalise(&planning);
    well = well && store_execute(store, "COMMIT", error);
    if (!well)
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return well ? planning.id : 0;
}
