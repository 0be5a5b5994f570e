/* What a store holds can be trusted: earlier versions are upgraded, solutions are replayed, changed rows and damaged
 * files are noticed, and an instance is known by what it is. */
#include "lab/lab_fixture.h"

/* Stores as earlier versions made them: the tables of both, and the runs of each. */
#define OLD_TABLES                                                                                                     \
    "CREATE TABLE experiment(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, title TEXT NOT NULL, text TEXT NOT "   \
    "NULL, scale REAL NOT NULL);"                                                                                      \
    "CREATE TABLE instance(id INTEGER PRIMARY KEY, domain TEXT NOT NULL, options TEXT NOT NULL, name TEXT NOT NULL,"   \
    " text TEXT NOT NULL, UNIQUE(text, domain, options));"                                                             \
    "CREATE TABLE plan(experiment INTEGER NOT NULL REFERENCES experiment, run INTEGER NOT NULL REFERENCES run,"        \
    " label TEXT NOT NULL, source TEXT NOT NULL, number INTEGER NOT NULL,"                                             \
    " PRIMARY KEY(experiment, run, label, source, number)) WITHOUT ROWID;"                                             \
    "CREATE TABLE member(experiment INTEGER NOT NULL REFERENCES experiment, instance INTEGER NOT NULL REFERENCES"      \
    " instance, source TEXT NOT NULL, number INTEGER NOT NULL,"                                                        \
    " PRIMARY KEY(experiment, source, number, instance)) WITHOUT ROWID;"
#define OLD_RUN(network)                                                                                               \
    "CREATE TABLE run(id INTEGER PRIMARY KEY, instance INTEGER NOT NULL REFERENCES instance, method TEXT NOT NULL,"    \
    " seed INTEGER NOT NULL, iterations_limit INTEGER NOT NULL, nodes_limit INTEGER NOT NULL, time_limit REAL NOT"     \
    " NULL, memory_limit INTEGER NOT NULL, threads INTEGER NOT NULL," network                                          \
    " status TEXT, stopped TEXT, value INTEGER, moves INTEGER, pushes INTEGER, optimal INTEGER, solution TEXT,"        \
    " time_s REAL, cpu_s REAL, nodes INTEGER, expanded INTEGER, iterations INTEGER, playouts INTEGER,"                 \
    " eliminated INTEGER, skipped INTEGER, peak_bytes INTEGER, ran TEXT, error TEXT, version TEXT, signature TEXT,"    \
    " finished TEXT, UNIQUE(instance, method, seed, iterations_limit, nodes_limit, time_limit, memory_limit, threads"
static const char *const old_versions[] = {
    OLD_TABLES OLD_RUN("") ")); PRAGMA user_version=1;",
    OLD_TABLES OLD_RUN(
        " network TEXT NOT NULL DEFAULT '',") ", network));"
                                              "CREATE TABLE curve(run INTEGER NOT NULL REFERENCES run, row INTEGER NOT "
                                              "NULL, time_s REAL NOT NULL, value REAL,"
                                              " interval REAL, nodes INTEGER, iterations INTEGER, doing TEXT, "
                                              "generation INTEGER, steps INTEGER, games INTEGER,"
                                              " positions INTEGER, policy_loss REAL, value_loss REAL, "
                                              "validation_policy_loss REAL, validation_value_loss REAL,"
                                              " validation_entropy REAL, played INTEGER, played_mean REAL, "
                                              "played_interval REAL,"
                                              " PRIMARY KEY(run, row)) WITHOUT ROWID; PRAGMA user_version=2;",
};

/* What the store holds, put into one of an earlier version that takes its place. */
static void make_older(struct bench *bench, int version) {
    char old[] = "/tmp/soloist-lab-XXXXXX", sql[1024];
    sqlite3 *db;
    close(mkstemp(old));
    assert_int_equal(sqlite3_open(old, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, old_versions[version - 1], NULL, NULL, NULL), SQLITE_OK);
    snprintf(sql, sizeof sql,
             "ATTACH '%s' AS new; INSERT INTO experiment SELECT id, name, title, text, scale FROM new.experiment;"
             "INSERT INTO instance SELECT id, domain, options, name, text FROM new.instance;"
             "INSERT INTO plan SELECT experiment, run, label, source, number FROM new.plan;"
             "INSERT INTO member SELECT experiment, instance, source, number FROM new.member",
             bench->path);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "INSERT INTO run(id, " STORE_KEY ", " STORE_FIRST_RESULT ") SELECT id, " STORE_KEY
                                  ", " STORE_FIRST_RESULT " FROM new.run",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    store_close(bench->store);
    unlink(bench->path);
    assert_int_equal(rename(old, bench->path), 0);
}

static void open_again(struct bench *bench) {
    soloist_error error = {0};
    bench->store = store_open(bench->path, STORE_RUN, &error);
    if (!bench->store)
        fail_msg("%s", error.text);
}

static void test_earlier_versions_are_brought_up(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    int64_t id = plan(bench, "one", stacks, 1, &error);
    run(bench, id, 2);
    for (int version = 1; version <= 2; version++) {
        make_older(bench, version);
        open_again(bench);
        assert_int_equal(number_in(bench->store, "PRAGMA user_version"), STORE_VERSION);
        assert_int_equal(number_in(bench->store, "SELECT count(*) FROM curve"), 0);
        assert_int_equal(number_in(bench->store, "SELECT count(*) FROM run WHERE network = ''"), 48);
        assert_int_equal(number_in(bench->store, "SELECT count(*) FROM instance WHERE identity GLOB 'text:*'"), 6);
        /* Planned anew, its instances are known by what was parsed, and nothing is run again. */
        assert_int_equal(plan(bench, "one", stacks, 1, &error), id);
        assert_int_equal(run(bench, id, 1), 0);
        assert_int_equal(number_in(bench->store, "SELECT count(*) FROM instance WHERE identity GLOB 'text:*'"), 0);
        assert_int_equal(number_in(bench->store, "SELECT count(*) FROM instance"), 6);
        soloist_result result;
        bool same = false;
        assert_true(runner_repeat(bench->store, bench->engine, 5, NULL, &result, &same, &error));
        soloist_result_free(&result);
        assert_true(same);
        store_close(bench->store);
        open_again(bench); /* all that was brought up is sealed */
    }
}

/* Takes away the columns that later versions have, and seals what is left as the third or the fourth version did. */
static void make_sealed(struct bench *bench, int version) {
    static const char *const tables[] = {"experiment", "instance", "run", "plan", "member", "curve"};
    char sql[256];
    soloist_error error = {0};
    for (size_t i = 0; i < 2 * sizeof tables / sizeof *tables; i++) {
        snprintf(sql, sizeof sql, "DROP TRIGGER temp.seal_%s_%s", tables[i / 2], i % 2 ? "UPDATE" : "INSERT");
        assert_true(store_execute(bench->store, sql, &error));
    }
    assert_true(store_execute(bench->store, "ALTER TABLE run DROP COLUMN tree_depth", &error));
    assert_true(store_execute(
        bench->store,
        version == 4 ? "UPDATE run SET seal = seal_of(id, " STORE_KEY ", network, " STORE_FOURTH_RESULT ");"
                       "PRAGMA user_version = 4"
                     : "ALTER TABLE run DROP COLUMN evaluations; ALTER TABLE curve DROP COLUMN stage;"
                       "ALTER TABLE curve DROP COLUMN iteration_solve_rate;"
                       "UPDATE run SET seal = seal_of(id, " STORE_KEY ", network, " STORE_FIRST_RESULT ");"
                       "UPDATE curve SET seal = seal_of(run, " STORE_FIRST_CURVE ");"
                       "PRAGMA user_version = 3",
        &error));
    assert_true(
        store_execute(bench->store,
                      "DELETE FROM sealed; INSERT INTO sealed SELECT seal_of(group_concat(sql)) FROM"
                      " (SELECT sql FROM sqlite_master WHERE type = 'table' AND name <> 'sealed' ORDER BY name)",
                      &error));
    store_close(bench->store);
    bench->store = NULL;
}

#define CURVE_ROWS "INSERT INTO curve(run, row, time_s, value) VALUES(1, 0, 0.5, 7), (1, 1, 1.5, 9)"
#define EARLIER_ROWS                                                                                                   \
    "SELECT seal_of(group_concat(seal_of(" STORE_KEY ", network, " STORE_FIRST_RESULT "))) FROM run ORDER BY id"

static void test_versions_with_seals_are_brought_up(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    int64_t id = plan(bench, "one", stacks, 1, &error);
    run(bench, id, 2);
    assert_true(store_execute(bench->store, CURVE_ROWS, &error));
    int64_t rows = number_in(bench->store, EARLIER_ROWS);
    for (int version = 4; version >= 3; version--) {
        make_sealed(bench, version);
        open_again(bench);
        assert_int_equal(number_in(bench->store, "PRAGMA user_version"), STORE_VERSION);
        assert_int_equal(number_in(bench->store, EARLIER_ROWS), rows);
        assert_int_equal(number_in(bench->store, "SELECT count(*) - count(evaluations) - count(tree_depth) FROM run"),
                         48);
        assert_int_equal(number_in(bench->store, "SELECT sum(value) FROM curve WHERE stage IS NULL AND"
                                                 " iteration_solve_rate IS NULL"),
                         16);
        assert_int_equal(run(bench, id, 1), 0);
        store_close(bench->store);
        open_again(bench); /* all that was brought up is sealed */
    }
}

/* An upgrade seals every row, so it must not be made of a store in which a row was altered. */
static void test_an_altered_third_version_is_refused(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    struct merged merged;
    char other[96];
    bool damaged;
    sqlite3 *db;
    run(bench, plan(bench, "one", stacks, 1, &error), 2);
    make_sealed(bench, 3);
    assert_int_equal(sqlite3_open(bench->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE run SET nodes = nodes + 1 WHERE id = 3", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_null(store_open_if_whole(bench->path, STORE_READ, &damaged, &error));
    assert_true(damaged);
    assert_non_null(strstr(error.text, "1 rows of its table run"));
    snprintf(other, sizeof other, "%s.other", bench->path);
    bench->store = store_open(other, STORE_RUN, &error);
    assert_non_null(bench->store);
    assert_true(store_merge(bench->store, bench->engine, bench->path, &merged, &error));
    assert_int_equal(merged.runs, 47);
    assert_int_equal(merged.rescued.lost, 1);
    store_close(bench->store);
    bench->store = NULL;
    unlink(other);
}

/* ---- what is stored is checked ---- */

static void test_solutions_are_replayed(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    int64_t id = plan(bench, "one", stacks, 1, &error);
    run(bench, id, 2);
    /* Other solutions, written as if by Soloist: their seals are right, the referee refuses them. */
    assert_true(store_execute(bench->store, "UPDATE run SET value = value - 1 WHERE id = 3", &error));
    assert_true(store_execute(bench->store, "UPDATE run SET solution = '[2,2]' WHERE id = 6", &error));
    struct runner runner = {.store = bench->store, .engine = bench->engine, .experiment = id, .jobs = 1};
    struct runner_count count;
    int64_t solved = number_in(bench->store, "SELECT count(*) FROM run WHERE id IN (3, 6) AND status = 'solved'");
    assert_int_equal(solved, 2);
    assert_true(runner_run(&runner, &count, &error));
    assert_int_equal(count.refused, 2);
    assert_int_equal(count.left, 0);
    assert_true(runner_run(&runner, &count, &error));
    assert_int_equal(count.refused, 0);
}

/* A row that another program has changed is found when the store is opened, and so is a changed table. */
static void test_changed_rows_are_found(void **state) {
    static const char *const changes[][2] = {
        {"UPDATE run SET nodes = nodes + 1 WHERE id = 3", "1 rows of its table run"},
        {"UPDATE instance SET text = '1 2' WHERE id < 3", "2 rows of its table instance"},
        {"UPDATE experiment SET title = 'x'", "table experiment"},
        {"UPDATE plan SET number = number + 100 WHERE number < 3", "table plan"},
        {"ALTER TABLE run ADD COLUMN more", "definitions of its tables"},
        {"ALTER TABLE run RENAME COLUMN value TO worth", "definitions of its tables"},
        {"DROP TABLE curve", "definitions of its tables"},
    };
    struct bench *bench = *state;
    soloist_error error = {0};
    int64_t id = plan(bench, "one", stacks, 1, &error);
    run(bench, id, 2);
    store_close(bench->store);
    bench->store = NULL;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char copy[80], command[256];
        bool damaged;
        sqlite3 *db;
        snprintf(copy, sizeof copy, "%s.copy", bench->path);
        snprintf(command, sizeof command, "cp %s %s", bench->path, copy);
        assert_int_equal(system(command), 0);
        assert_int_equal(sqlite3_open(copy, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, changes[i][0], NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        assert_null(store_open_if_whole(copy, STORE_READ, &damaged, &error));
        if (!damaged || !strstr(error.text, changes[i][1]) || !strstr(error.text, "lab merge"))
            fail_msg("%s: %s", changes[i][0], error.text);
        unlink(copy);
    }
    open_again(bench);
}

/* ---- damaged stores ---- */

static char *read_store(const char *path, size_t *length) {
    char *bytes = buffer_read_file(path, length);
    assert_non_null(bytes);
    return bytes;
}

static void write_store(const char *path, const char *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* Changes some bytes, empties a page or cuts the end off, always the same for the same seed. Returns the length. */
static size_t damage(char *bytes, size_t length, uint64_t seed) {
    soloist_rng rng;
    soloist_rng_seed(&rng, seed, 0);
    if (seed % 8 == 6)
        memset(bytes + 4096 * (size_t)soloist_rng_below(&rng, (uint32_t)(length / 4096)), 0, 4096);
    else if (seed % 8 == 7)
        return soloist_rng_below(&rng, (uint32_t)length);
    else
        for (uint64_t i = 0; i <= seed % 8; i++)
            bytes[soloist_rng_below(&rng, (uint32_t)length)] = (char)soloist_rng_next(&rng);
    return length;
}

/* Everything that is told of the runs, as one number. */
#define ALL_RUNS                                                                                                       \
    "SELECT seal_of(group_concat(line)) FROM (SELECT label || number || method || seed || status || value || nodes"    \
    " || solution || title AS line FROM plan JOIN run ON run.id = plan.run JOIN experiment ON experiment.id ="         \
    " experiment ORDER BY label, number, seed)"

/* Opens, or takes what can be read into a new store: nothing false comes of either. Returns the runs that are there. */
static int64_t use_damaged(const struct bench *bench, const char *path, int64_t all, bool *whole) {
    char other[96];
    soloist_error error = {0};
    struct merged merged;
    struct store *store = store_open(path, STORE_READ, &error);
    *whole = store != NULL;
    if (store)
        assert_int_equal(number_in(store, ALL_RUNS), all);
    else
        assert_true(strlen(error.text) > 10);
    store_close(store);
    snprintf(other, sizeof other, "%s.other", bench->path);
    unlink(other);
    store = store_open(other, STORE_WRITE, &error);
    assert_non_null(store);
    int64_t runs = store_merge(store, bench->engine, path, &merged, &error) ? merged.runs : 0;
    assert_int_equal(number_in(store, "SELECT count(status) FROM run"), runs);
    char sql[256];
    snprintf(sql, sizeof sql, "ATTACH '%s' AS true", bench->path);
    assert_true(store_execute(store, sql, &error));
    assert_int_equal(number_in(store,
                               "SELECT count(*) FROM (SELECT method, seed, " STORE_RESULT " FROM main.run WHERE"
                               " status IS NOT NULL EXCEPT SELECT method, seed, " STORE_RESULT " FROM true.run)"),
                     0);
    store_close(store);
    unlink(other);
    return runs;
}

static void test_damaged_stores(void **state) {
    enum { SEEDS = 160 };
    struct bench *bench = *state;
    soloist_error error = {0};
    size_t length;
    char copy[96];
    int64_t id = plan(bench, "one", stacks, 1, &error), rescued = 0;
    int whole = 0;
    run(bench, id, 1);
    /* What differs from run to run. */
    assert_true(store_execute(bench->store,
                              "UPDATE run SET time_s = 1, cpu_s = 1, peak_bytes = 1, finished = ''; VACUUM", &error));
    int64_t all = number_in(bench->store, ALL_RUNS);
    char *bytes = read_store(bench->path, &length), *changed = malloc(length);
    snprintf(copy, sizeof copy, "%s.copy", bench->path);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bool one;
        memcpy(changed, bytes, length);
        write_store(copy, changed, damage(changed, length, seed));
        rescued += use_damaged(bench, copy, all, &one);
        whole += one;
    }
    /* Some changes hit bytes that nothing uses; of the others most leave most to be read. */
    assert_in_range(whole, 1, SEEDS / 3);
    assert_in_range(rescued, SEEDS * 48 / 3, SEEDS * 48);
    unlink(copy);
    free(bytes);
    free(changed);
}

/* An instance is known by what was parsed, by the domain's options, and by what is sought. */
static void test_identity(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    static const char *const same[] = {"4 1 3 2\n", "  4  1 3\t2\n"};
    static const struct {
        const char *domain, *options, *text;
    } cases[] = {{"pancake", "", "4 1 3 2\n"},
                 {"pancake", "", "4 1 2 3\n"},
                 {"samegame", "", "11\n22\n"},
                 {"samegame", "scoring=blocks", "11\n22\n"},
                 {"sokoban", "", "#####\n#@$.#\n#####\n"},
                 {"sokoban-moves", "", "#####\n#@$.#\n#####\n"}};
    char found[8][IDENTITY_ROOM];
    size_t count = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        soloist_chunk chunk = {.text = cases[i].text, .length = strlen(cases[i].text), .line = 1};
        soloist_puzzle puzzle;
        if (soloist_puzzle_read(soloist_find_domain(bench->engine, cases[i].domain), cases[i].options, &chunk, &puzzle,
                                &error) != SOLOIST_OK)
            fail_msg("%s", error.text);
        assert_true(identity_of(bench->engine, &puzzle, found[count++]));
        soloist_puzzle_free(&puzzle);
        for (size_t k = 0; k + 1 < count; k++)
            assert_string_not_equal(found[k], found[count - 1]);
    }
    for (size_t i = 0; i < 2; i++) {
        soloist_chunk chunk = {.text = same[i], .length = strlen(same[i]), .line = 1, .name = "a title"};
        soloist_puzzle puzzle;
        assert_int_equal(
            soloist_puzzle_read(soloist_find_domain(bench->engine, "pancake"), "", &chunk, &puzzle, &error),
            SOLOIST_OK);
        assert_true(identity_of(bench->engine, &puzzle, found[7]));
        assert_string_equal(found[7], found[0]);
        soloist_puzzle_free(&puzzle);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_earlier_versions_are_brought_up),
        TEST(test_versions_with_seals_are_brought_up),
        TEST(test_an_altered_third_version_is_refused),
        TEST(test_solutions_are_replayed),
        TEST(test_changed_rows_are_found),
        TEST(test_damaged_stores),
        TEST(test_identity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
