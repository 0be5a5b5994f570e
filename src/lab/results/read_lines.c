#include "lab/results/read_lines.h"
#include "base/buffer.h"
#include "lab/results/query.h"
#include "lab/run/lines.h"

#include <stdlib.h>
#include <string.h>

/* The names of the members that become columns, in the order of the columns. */
static const char *const instance_names[] = {"domain", "options", "name", "text", NULL};
static const char *const key_names[] = {"method",       "seed",    "iterations_limit", "nodes_limit", "time_limit",
                                        "memory_limit", "threads", "network",          NULL};

struct reader {
    const struct store *store;
    struct query add_instance, find_instance, add_known, add_run, find_run, finish, add_row, add_plan, add_experiment,
        forget, take_plan, empty;
    int64_t instances, runs, plans, experiments; /* numbers given so far */
    int64_t unknown;                             /* finished runs whose instances are not known */

    char *kept[32]; /* texts that are bound, until the statement has run */
    int kept_count;
    soloist_error *error;
};

static bool no_memory(const struct reader *reader) { return soloist_fail(reader->error, 0, 0, "out of memory"); }

/* Binds a JSON value. A text is decoded into memory that lives until `release`. */
static bool bind(struct reader *reader, struct query *query, int at, struct json_value value) {
    int64_t whole;
    uint64_t large;
    double real;
    if (value.kind == JSON_TEXT) {
        long length = json_get_text(value, NULL, 0);
        char *text = length < 0 ? NULL : malloc((size_t)length + 1);
        if (!text)
            return no_memory(reader);
        json_get_text(value, text, (size_t)length + 1);
        reader->kept[reader->kept_count++] = text;
        query_bind_text(query, at, text);
    } else if (json_get_int(value, &whole)) {
        query_bind_int(query, at, whole);
    } else if (json_get_uint(value, &large)) {
        query_bind_int(query, at, (int64_t)large);
    } else if (json_get_real(value, &real)) {
        query_bind_real(query, at, real);
    }
    return true;
}

static bool bind_all(struct reader *reader, struct query *query, int at, struct json_value object,
                     const char *const *names) {
    for (; *names; names++)
        if (!bind(reader, query, at++, json_member(object, *names)))
            return false;
    return true;
}

static void release(struct reader *reader) {
    while (reader->kept_count)
        free(reader->kept[--reader->kept_count]);
}

/* Binds each member of an object to the parameter of the column with its name; other members are left out. */
static bool bind_columns(struct reader *reader, struct query *query, int at, struct json_value object,
                         const char *columns) {
    for (const char *column = columns; *column; at++) {
        char name[64];
        size_t length = strcspn(column, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, column);
        if (!bind(reader, query, at, json_member(object, name)))
            return false;
        column += length + strspn(column + length, ", ");
    }
    return true;
}

/* The number that a query returns; 0: none. */
static int64_t number_of(struct reader *reader, struct query *query) {
    int64_t number = query_next(query) ? query_int(query, 0) : 0;
    query_again(query);
    release(reader);
    return number;
}

static bool run_query(struct reader *reader, struct query *query) {
    bool well = query_run(query);
    release(reader);
    return well;
}

/* ---- lines ---- */

static bool take_instance(struct reader *reader, struct json_value line) {
    struct query *add = &reader->add_instance;
    query_bind_int(add, 1, reader->instances + 1);
    bool well = bind(reader, add, 2, json_member(line, "instance")) && bind_all(reader, add, 3, line, instance_names);
    reader->instances++;
    return run_query(reader, add) && well;
}

static bool find_instance(struct reader *reader, struct json_value key, int64_t *number) {
    bool well = bind(reader, &reader->find_instance, 1, json_member(key, "instance"));
    *number = number_of(reader, &reader->find_instance);
    return well;
}

/* Finds the instance of a run. If the file does not describe it, it may be in the store. *number 0: it is not known. */
static bool take_known(struct reader *reader, struct json_value key, int64_t *number) {
    struct query *add = &reader->add_known;
    if (!find_instance(reader, key, number))
        return false;
    if (*number)
        return true;
    query_bind_int(add, 1, reader->instances + 1);
    if (!bind(reader, add, 2, json_member(key, "instance")) || !run_query(reader, add) ||
        !find_instance(reader, key, number))
        return false;
    reader->instances += *number != 0;
    return true;
}

/* Finds or adds the run with this key. *id 0: its instance is not known. */
static bool take_key(struct reader *reader, struct json_value key, int64_t *id) {
    int64_t instance;
    *id = 0;
    bool well = take_known(reader, key, &instance);
    if (!well || !instance)
        return well;
    query_bind_int(&reader->find_run, 1, instance);
    well = bind_all(reader, &reader->find_run, 2, key, key_names);
    *id = number_of(reader, &reader->find_run);
    if (*id || !well)
        return well;
    *id = ++reader->runs;
    query_bind_int(&reader->add_run, 1, *id);
    query_bind_int(&reader->add_run, 2, instance);
    well = bind_all(reader, &reader->add_run, 3, key, key_names);
    return run_query(reader, &reader->add_run) && well;
}

static bool take_curve(struct reader *reader, struct json_value curve, int64_t id) {
    const char *step = NULL;
    struct json_value row;
    bool well = true;
    while (well && curve.kind == JSON_ARRAY && json_next(curve, &step, NULL, &row)) {
        query_bind_int(&reader->add_row, 1, id);
        well = bind_columns(reader, &reader->add_row, 2, row, STORE_CURVE);
        well = run_query(reader, &reader->add_row) && well;
    }
    return well;
}

/* If a run was recorded twice, the first result stays. */
static bool take_run(struct reader *reader, struct json_value line) {
    int64_t id;
    if (lines_is_made_again(line))
        return true;
    if (!take_key(reader, json_member(line, "run"), &id))
        return false;
    reader->unknown += !id;
    if (!id)
        return true;
    query_bind_int(&reader->finish, 1, id);
    bool well = bind_columns(reader, &reader->finish, 2, json_member(line, "result"), STORE_RESULT);
    return run_query(reader, &reader->finish) && well && take_curve(reader, json_member(line, "curve"), id);
}

static bool take_plan(struct reader *reader, struct json_value line) {
    static const char *const names[] = {"label", "source", "number", NULL};
    int64_t id;
    if (!take_key(reader, json_member(line, "plan"), &id))
        return false;
    query_bind_int(&reader->add_plan, 1, ++reader->plans);
    query_bind_int(&reader->add_plan, 2, id);
    bool well = bind_all(reader, &reader->add_plan, 3, line, names);
    return run_query(reader, &reader->add_plan) && well;
}

/* The last `runs` planned runs become the plan of the experiment. */
static bool take_experiment(struct reader *reader, struct json_value line) {
    static const char *const names[] = {"experiment", "title", "text", "scale", "runs", NULL};
    uint64_t runs = 0;
    json_get_uint(json_member(line, "runs"), &runs);
    bool well = bind(reader, &reader->forget, 1, json_member(line, "experiment"));
    well = run_query(reader, &reader->forget) && well;
    query_bind_int(&reader->add_experiment, 1, ++reader->experiments);
    well = bind_all(reader, &reader->add_experiment, 2, line, names) && well;
    well = run_query(reader, &reader->add_experiment) && well;
    query_bind(&reader->take_plan, "ii", reader->experiments, reader->plans - (int64_t)runs);
    return query_run(&reader->take_plan) && query_run(&reader->empty) && well;
}

static bool is_instance(struct json_value line) { return json_member(line, "instance").kind == JSON_TEXT; }

static bool take_line(struct reader *reader, struct json_value line) {
    return is_instance(line)                                   ? true
           : json_member(line, "run").kind == JSON_OBJECT      ? take_run(reader, line)
           : json_member(line, "plan").kind == JSON_OBJECT     ? take_plan(reader, line)
           : json_member(line, "experiment").kind == JSON_TEXT ? take_experiment(reader, line)
                                                               : true;
}

/* ---- the whole file ---- */

#define KEY STORE_KEY ", network"
static const char tables[] = "ALTER TABLE other.experiment ADD COLUMN runs INTEGER;" /* how many its plan has */
                             "CREATE UNIQUE INDEX other.identities ON instance(identity);"
                             "CREATE INDEX other.keys ON run(" KEY ");"
                             "CREATE TABLE other.pending(id INTEGER PRIMARY KEY, run, label, source, number)";

/* Writes "?2, ?3, ..." for a list of columns. */
static void put_parameters(const soloist_sink *sink, const char *columns) {
    int at = 2;
    soloist_put(sink, "?2");
    for (; *columns; columns++)
        if (*columns == ',')
            soloist_print(sink, ", ?%d", ++at);
}

static bool prepare_long(struct reader *reader) {
    struct buffer finish, add_row;
    buffer_open(&finish);
    buffer_open(&add_row);
    soloist_sink sink = buffer_sink(&finish);
    soloist_put(&sink, "UPDATE other.run SET (" STORE_RESULT ") = (");
    put_parameters(&sink, STORE_RESULT);
    soloist_put(&sink, ") WHERE id = ?1 AND status IS NULL");
    sink = buffer_sink(&add_row);
    soloist_put(&sink, "INSERT INTO other.curve(run, " STORE_CURVE ") VALUES(?1, ");
    put_parameters(&sink, STORE_CURVE);
    soloist_put(&sink, ")");
    bool well = query_open(&reader->finish, reader->store, finish.failed ? NULL : finish.text, reader->error) &&
                query_open(&reader->add_row, reader->store, add_row.failed ? NULL : add_row.text, reader->error);
    buffer_close(&finish);
    buffer_close(&add_row);
    return well;
}

static bool prepare(struct reader *reader) {
    struct {
        struct query *query;
        const char *sql;
    } const all[] = {
        {&reader->add_instance, "INSERT OR IGNORE INTO other.instance(id, identity, domain, options, name, text)"
                                " VALUES(?1, ?2, ?3, ?4, ?5, ?6)"},
        {&reader->find_instance, "SELECT id FROM other.instance WHERE identity = ?1"},
        {&reader->add_known,
         "INSERT INTO other.instance(id, identity, domain, options, name, text) SELECT ?1, identity,"
         " domain, options, name, text FROM main.instance WHERE identity = ?2"},
        {&reader->add_run, "INSERT INTO other.run(id, " KEY ") VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"},
        {&reader->find_run, "SELECT id FROM other.run WHERE (" KEY ") = (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"},
        {&reader->add_plan, "INSERT INTO other.pending(id, run, label, source, number) VALUES(?1, ?2, ?3, ?4, ?5)"},
        {&reader->forget, "DELETE FROM other.experiment WHERE name = ?1"},
        {&reader->add_experiment,
         "INSERT INTO other.experiment(id, name, title, text, scale, runs) VALUES(?1, ?2, ?3, ?4, ?5, ?6)"},
        {&reader->take_plan, "INSERT INTO other.plan(experiment, run, label, source, number) SELECT ?1, run, label,"
                             " source, number FROM other.pending WHERE id > ?2 AND run > 0"},
        {&reader->empty, "DELETE FROM other.pending"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!query_open(all[i].query, reader->store, all[i].sql, reader->error))
            return false;
    return prepare_long(reader);
}

static bool finalise(struct reader *reader) {
    struct query *const all[] = {&reader->add_instance, &reader->find_instance,  &reader->add_known, &reader->add_run,
                                 &reader->find_run,     &reader->finish,         &reader->add_row,   &reader->add_plan,
                                 &reader->forget,       &reader->add_experiment, &reader->take_plan, &reader->empty};
    bool well = true;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        well = query_close(all[i]) && well;
    return well;
}

/* Plans of experiments that were planned again are dropped. The value of a training is the last one of its curve. */
static const char conclude[] =
    "DELETE FROM other.plan WHERE experiment NOT IN (SELECT id FROM other.experiment);"
    "UPDATE other.run SET value = (SELECT value FROM other.curve WHERE curve.run = other.run.id ORDER BY row DESC LIMIT"
    " 1) WHERE status = 'trained'";

bool lines_make_tables(const struct store *store, soloist_error *error) {
    return rescue_make_tables(store, error) && store_execute(store, tables, error);
}

bool lines_read_all(const struct store *store, const char *text, size_t length, struct rescued *rescued,
                    soloist_error *error) {
    struct reader reader = {.store = store, .error = error};
    struct lines_cursor cursor = lines_open(text, length);
    struct json_value line;
    int64_t planned = 0;
    bool well = store_execute(store, "SAVEPOINT lines", error) && prepare(&reader);
    /* Instances come first: a lost line that was written again stands after the runs on its instance. */
    while (well && lines_next(&cursor, &line))
        well = !is_instance(line) || take_instance(&reader, line);
    cursor = lines_open(text, length);
    while (well && lines_next(&cursor, &line))
        well = take_line(&reader, line);
    well = finalise(&reader) && well;
    release(&reader);
    well = well && store_execute(store, conclude, error) && rescue_join(store, error) &&
           store_execute(store, "RELEASE lines", error) &&
           store_number(store, "SELECT count(status) FROM other.run", NULL, &rescued->read, error) &&
           store_number(store, "SELECT total(runs) FROM other.experiment", NULL, &planned, error) &&
           store_number(store, "SELECT count(*) FROM other.plan", NULL, &rescued->plans, error);
    rescued->plans = planned - rescued->plans;
    rescued->lines = (int64_t)(cursor.damaged + cursor.zeroed);
    rescued->unknown = reader.unknown;
    if (!well)
        store_rollback(store);
    return well;
}
