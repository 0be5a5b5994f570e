#include "lab/results/plan_store.h"
#include "lab/results/query.h"

#include <stdio.h>

/* The book of a plan (run/plan.h) that is kept in a store. */
struct shelf {
    const struct store *store;
    int64_t id;       /* number of the experiment */
    int64_t instance; /* number of the instance that was added last */
    struct query add_instance, find_instance, adopt, again, add_member, add_run, find_run, add_plan;
    soloist_error *error;
};

/* The number that a query returns; 0: no row, or an error. */
static int64_t number_of(struct query *query) {
    int64_t number = query_next(query) ? query_int(query, 0) : 0;
    query_again(query);
    return number;
}

/* The same for a row that was stored just now and must therefore exist. */
static int64_t must_find(const struct shelf *shelf, struct query *query) {
    int64_t number = number_of(query);
    if (!number && !query->failed)
        soloist_fail(shelf->error, 0, 0, "%.120s is damaged: a row that was stored is not found again",
                     shelf->store->path);
    return number;
}

static void bind_run(const struct shelf *shelf, struct query *query, const struct plan_run *run, const char *method) {
    const struct experiment_limits *limits = &run->limits;
    query_bind(query, "itiiiriit", shelf->instance, method, (int64_t)run->seed, (int64_t)limits->iterations,
               (int64_t)limits->nodes, limits->time_s, (int64_t)limits->memory, (int64_t)limits->threads, run->network);
}

static int64_t find_run(struct shelf *shelf, const struct plan_run *run, const char *method) {
    bind_run(shelf, &shelf->find_run, run, method);
    return number_of(&shelf->find_run);
}

/* Finds the run, or adds it if it is not stored yet. A run that was stored when the method's options had other names
 * counts as the same. */
static int64_t find_or_add_run(struct shelf *shelf, const struct plan_run *run) {
    int64_t found = find_run(shelf, run, run->method);
    found = found ? found : find_run(shelf, run, run->former);
    if (found)
        return found;
    bind_run(shelf, &shelf->add_run, run, run->method);
    bind_run(shelf, &shelf->find_run, run, run->method);
    return query_run(&shelf->add_run) ? must_find(shelf, &shelf->find_run) : 0;
}

static bool add_run(void *user, const struct plan_run *run, soloist_error *error) {
    struct shelf *shelf = user;
    (void)error;
    int64_t found = find_or_add_run(shelf, run);
    query_bind(&shelf->add_plan, "iitti", shelf->id, found, run->label, run->source, run->number);
    return found && query_run(&shelf->add_plan);
}

/* A row of an earlier version is identified by its text; from now on it is identified by the parsed instance. Runs that
 * were invalid then may be run again. */
static bool adopt_instance(struct shelf *shelf, const struct plan_instance *instance) {
    query_bind(&shelf->find_instance, "t", instance->identity);
    if (number_of(&shelf->find_instance))
        return true;
    query_bind(&shelf->find_instance, "t", instance->former);
    int64_t id = number_of(&shelf->find_instance);
    query_bind(&shelf->adopt, "it", id, instance->identity);
    query_bind(&shelf->again, "i", id);
    return query_run(&shelf->adopt) && query_run(&shelf->again);
}

static bool add_instance(void *user, const struct plan_instance *instance, soloist_error *error) {
    struct shelf *shelf = user;
    (void)error;
    if (instance->former && !adopt_instance(shelf, instance))
        return false;
    query_bind(&shelf->add_instance, "ttttt", instance->identity, instance->domain, instance->options, instance->text,
               instance->name);
    query_bind(&shelf->find_instance, "t", instance->identity);
    shelf->instance = query_run(&shelf->add_instance) ? must_find(shelf, &shelf->find_instance) : 0;
    if (!instance->source)
        return shelf->instance > 0;
    query_bind(&shelf->add_member, "iiti", shelf->id, shelf->instance, instance->source, instance->number);
    return shelf->instance && query_run(&shelf->add_member);
}

#define KEY STORE_KEY ", network"
static bool prepare(struct shelf *shelf) {
    struct {
        struct query *query;
        const char *sql;
    } const all[] = {
        {&shelf->add_instance,
         "INSERT OR IGNORE INTO instance(identity, domain, options, text, name) VALUES(?1, ?2, ?3, ?4, ?5)"},
        {&shelf->find_instance, "SELECT id FROM instance WHERE identity = ?1"},
        {&shelf->adopt, "UPDATE instance SET identity = ?2 WHERE id = ?1"},
        {&shelf->again, "UPDATE run SET status = NULL WHERE instance = ?1 AND status = 'invalid'"},
        {&shelf->add_member,
         "INSERT OR IGNORE INTO member(experiment, instance, source, number) VALUES(?1, ?2, ?3, ?4)"},
        {&shelf->add_run, "INSERT OR IGNORE INTO run(" KEY ") VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"},
        {&shelf->find_run, "SELECT id FROM run WHERE (" KEY ") = (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"},
        {&shelf->add_plan,
         "INSERT OR IGNORE INTO plan(experiment, run, label, source, number) VALUES(?1, ?2, ?3, ?4, ?5)"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!query_open(all[i].query, shelf->store, all[i].sql, shelf->error))
            return false;
    return true;
}

/* Closes all queries; their errors have already been reported. */
static void finalise(struct shelf *shelf) {
    struct query *const all[] = {&shelf->add_instance, &shelf->find_instance, &shelf->adopt,    &shelf->again,
                                 &shelf->add_member,   &shelf->add_run,       &shelf->find_run, &shelf->add_plan};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        query_close(all[i]);
}

static bool add_experiment(struct shelf *shelf, const char *title, const struct plan_wish *wish) {
    const struct store *store = shelf->store;
    struct query add;
    query_open(&add, store,
               "INSERT INTO experiment(name, title, text, scale) VALUES(?1, ?2, ?3, ?4)"
               " ON CONFLICT(name) DO UPDATE SET title = ?2, text = ?3, scale = ?4",
               shelf->error);
    query_bind(&add, "tttr", wish->name, title, wish->text, wish->scale);
    query_run(&add);
    bool well = query_close(&add) &&
                store_number(store, "SELECT id FROM experiment WHERE name = ?1", wish->name, &shelf->id, shelf->error);
    char forget[128];
    snprintf(forget, sizeof forget,
             "DELETE FROM plan WHERE experiment = %lld; DELETE FROM member WHERE experiment = %lld",
             (long long)shelf->id, (long long)shelf->id);
    return well && shelf->id > 0 && (wish->add || store_execute(store, forget, shelf->error));
}

int64_t plan_write(const struct store *store, const soloist *engine, const struct experiment *experiment,
                   const struct plan_wish *wish, const struct plan_files *files, soloist_error *error) {
    struct shelf shelf = {.store = store, .error = error};
    struct plan_book book = {&shelf, add_instance, add_run};
    if (!plan_check_methods(engine, experiment, error) || !store_begin(store, error))
        return 0;
    bool well = add_experiment(&shelf, experiment->title, wish) && prepare(&shelf) &&
                plan_list(engine, experiment, wish, files, &book, error);
    finalise(&shelf);
    well = well && store_commit(store, error);
    if (!well)
        store_rollback(store);
    return well ? shelf.id : 0;
}
