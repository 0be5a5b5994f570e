/* The store from plan to report: what is planned is run once, what is stored repeats, what is changed keeps the rest.
 */
#include "lab/lab_fixture.h"
#include "base/stop.h"

#include <math.h>

static void test_runs_once(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    int64_t id = plan(bench, "one", stacks, 1, &error);
    assert_true(id > 0);
    assert_int_equal(run(bench, id, 3), 6 * 2 * 2 * 2);
    assert_int_equal(run(bench, id, 3), 0);
    /* Planned again, by itself or under another name: nothing is run again. */
    assert_int_equal(plan(bench, "one", stacks, 1, &error), id);
    assert_int_equal(run(bench, id, 1), 0);
    int64_t other = plan(bench, "two", stacks, 1, &error);
    assert_true(other > 0 && other != id);
    assert_int_equal(run(bench, other, 1), 0);
    /* One more seed: only its runs. */
    char more[512];
    snprintf(more, sizeof more, "%sseeds 7\n", stacks);
    assert_int_equal(plan(bench, "one", more, 1, &error), id);
    assert_int_equal(run(bench, id, 2), 6 * 2 * 2);
}

/* Planning may take minutes, whether instances are generated or read, so it ends when the token is stopped. */
static void test_stop_ends_the_plan(void **state) {
    struct bench *bench = *state;
    const char *const texts[] = {stacks, "instances stacks domain=pancake\nmethod uct iterations=10\n"};
    soloist_stop_token *stop = soloist_stop_token_new();
    soloist_stop_token_cancel(stop);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        bool interrupted = false;
        struct experiment experiment;
        soloist_error error = {0};
        struct plan_wish wish = {
            .name = "one", .text = texts[i], .scale = 1, .stop = stop, .interrupted = &interrupted};
        struct plan_files files = {.read = read_name};
        assert_true(experiment_read(texts[i], strlen(texts[i]), &experiment, &error));
        assert_int_equal(plan_write(bench->store, bench->engine, &experiment, &wish, &files, &error), 0);
        assert_string_equal(error.text, "one: interrupted while its runs were planned");
        assert_int_equal(error.line, 0);
        assert_true(interrupted);
        experiment_free(&experiment);
    }
    soloist_stop_token_free(stop);
}

/* Runs that were stored when an option had another name are those of the method under its name of today. */
static void test_older_words(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    static const char *const texts[] = {"generate pancake n=8 count=2 seed=3 as made\n"
                                        "method mcts:path_weight=0.75 as tree\nbudget iterations=20\n",
                                        "generate pancake n=8 count=2 seed=3 as made\n"
                                        "method mcts:way=0.75 as tree\nbudget iterations=20\n"};
    static const char *const sql = "UPDATE run SET method = 'mcts:way=0.75'";
    int64_t id = plan(bench, "one", texts[0], 1, &error);
    assert_int_equal(run(bench, id, 1), 2);
    for (int older = 0; older < 2; older++) {
        for (int i = 0; i < 2; i++) {
            assert_int_equal(plan(bench, "one", texts[i], 1, &error), id);
            assert_int_equal(run(bench, id, 1), 0);
            assert_int_equal(number_in(bench->store, "SELECT count(*) FROM run"), 2);
        }
        assert_int_equal(sqlite3_exec(bench->store->db, sql, NULL, NULL, NULL), SQLITE_OK);
    }
}

static void test_scale(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    int64_t id = plan(bench, "one", stacks, 0.5, &error);
    assert_int_equal(run(bench, id, 2), 3 * 2 * 2 * 2);
    assert_int_equal(plan(bench, "one", stacks, 1, &error), id);
    assert_int_equal(run(bench, id, 2), 3 * 2 * 2 * 2);
    /* The first ones of a generator, and every second one of a file. */
    id = plan(bench, "two", "generate pancake n=8 count=6 as made\ninstances stacks as file\nmethod astar nodes=9\n",
              0.5, &error);
    assert_true(store_look_at(bench->store, id, STORE_LIVE, &error));
    assert_int_equal(number_in(bench->store, "SELECT group_concat(number, '') FROM instances WHERE source = 'made'"),
                     123);
    assert_int_equal(number_in(bench->store, "SELECT group_concat(number, '') FROM instances WHERE source = 'file'"),
                     13);
    int held = 0;
    for (uint64_t i = 0; i < 1000; i++)
        held += plan_holds(i, 0.1);
    assert_in_range(held, 100, 101);
    assert_true(plan_holds(0, 1e-9) && !plan_holds(1, 1e-9));
    for (uint64_t i = 0; i < 1000; i++)
        assert_true(plan_holds(i, 1));
}

static void test_methods_for_some(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    int64_t id = plan(bench, "one",
                      "generate pancake n=5 count=2 as five\ngenerate pancake n=6 count=3 as six\nseeds 1-4\n"
                      "method astar time=none once\nmethod uct:length=9 iterations=5 on=six\n",
                      1, &error);
    assert_int_equal(run(bench, id, 2), 5 + 3 * 4);
    assert_int_equal(plan(bench, "one", "generate pancake\nmethod astar time=none on=six\n", 1, &error), 0);
    assert_non_null(strstr(error.text, "no instances have that label"));
}

static void test_repeats_from_its_row(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    int64_t id = plan(bench, "one", stacks, 1, &error);
    run(bench, id, 3);
    int64_t runs = number_in(bench->store, "SELECT count(*) FROM run");
    for (int64_t number = 1; number <= runs; number++) {
        soloist_result result;
        bool same = false;
        assert_true(runner_repeat(bench->store, bench->engine, number, NULL, &result, &same, &error));
        soloist_result_free(&result);
        assert_true(same);
    }
    /* Another seed is another run, and the check can tell. */
    assert_true(store_execute(bench->store, "UPDATE run SET seed = seed + 1000 WHERE method LIKE 'uct%'", &error));
    int different = 0;
    for (int64_t number = 1; number <= runs; number++) {
        soloist_result result;
        bool same = false;
        assert_true(runner_repeat(bench->store, bench->engine, number, NULL, &result, &same, &error));
        soloist_result_free(&result);
        different += !same;
    }
    assert_true(different > 0);
}

static void test_files_and_bad_instances(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    int64_t id = plan(bench, "one", "instances stacks:2- domain=pancake\nmethod astar time=none\n", 1, &error);
    assert_int_equal(run(bench, id, 1), 3);
    assert_int_equal(number_in(bench->store, "SELECT count(*) FROM run WHERE status = 'solved'"), 2);
    assert_int_equal(number_in(bench->store, "SELECT count(*) FROM run WHERE status = 'invalid'"), 1);
    assert_int_equal(number_in(bench->store, "SELECT count(*) FROM run WHERE error LIKE '%column 3%'"), 1);
    assert_int_equal(
        number_in(bench->store, "SELECT number FROM plan JOIN run ON run.id = run WHERE error IS NOT NULL"), 3);
}

static void test_refused_plans_change_nothing(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *text, *says;
        int line, column;
    } cases[] = {
        {"instances elsewhere\nmethod astar time=none\n", "not here", 1, 11},
        {"instances stacks domain=pancakes\nmethod astar time=none\n", "no domain", 1, 11},
        {"instances stacks domain=pancake:gap=no\nmethod astar time=none\n", "gap", 1, 11},
        {"instances stacks\nmethod astra time=none\n", "astra", 2, 8},
        {"instances stacks\nmethod uct:cc=1 time=1\n", "cc", 2, 8},
        {"generate pancake m=3\nmethod astar time=none\n", "m", 1, 10},
        {"generate lights-out\nmethod astar time=none\n", "no domain lights-out", 1, 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        soloist_error error = {0};
        assert_int_equal(plan(bench, "one", cases[i].text, 1, &error), 0);
        if (error.line != cases[i].line || error.column != cases[i].column || !strstr(error.text, cases[i].says))
            fail_msg("%s%d:%d: %s", cases[i].text, error.line, error.column, error.text);
    }
    assert_int_equal(number_in(bench->store, "SELECT count(*) FROM experiment"), 0);
    assert_int_equal(number_in(bench->store, "SELECT count(*) FROM instance"), 0);
}

static void test_cancel_stores_whole_runs_only(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    soloist_stop_token cancel = {.cancelled = 1};
    int64_t id = plan(bench, "one", "generate pancake n=60 count=4\nmethod bfs time=none\n", 1, &error);
    struct runner runner = {
        .store = bench->store, .engine = bench->engine, .experiment = id, .jobs = 2, .stop = &cancel};
    struct runner_count count;
    assert_true(runner_run(&runner, &count, &error));
    assert_int_equal(count.left, 4);
    assert_int_equal(number_in(bench->store, "SELECT count(status) FROM run"), 0);
}

/* Stops after the first runs. */
static void stop_early(void *user, const struct pool_progress *progress) {
    if (progress->now >= 2)
        soloist_stop_token_cancel(user);
}

/* All methods run on an instance before the next one begins, whatever their numbers of threads. */
static void test_stopped_early_can_be_compared(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    soloist_stop_token stop = {0};
    int64_t id = plan(bench, "one",
                      "generate pancake n=30 count=300\nmethod uct:length=30 iterations=200 threads=2 as two\n"
                      "method uct:length=30 iterations=200 as one\n",
                      1, &error);
    struct runner runner = {.store = bench->store,
                            .engine = bench->engine,
                            .experiment = id,
                            .jobs = 1,
                            .stop = &stop,
                            .progress = stop_early,
                            .user = &stop};
    struct runner_count count;
    assert_true(runner_run(&runner, &count, &error));
    assert_true(count.left > 0);
    assert_in_range(
        1 + number_in(bench->store, "SELECT sum(iif(threads = 2, 1, -1)) FROM run WHERE status IS NOT NULL"), 1, 2);
}

static void test_locks_out_a_second(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    assert_null(store_open(bench->path, STORE_RUN, &error));
    assert_non_null(strstr(error.text, "another process"));
    struct store *reader = store_open(bench->path, STORE_READ, &error);
    assert_non_null(reader);
    store_close(reader);
    /* Closing the reader has dropped nobody's locks. */
    assert_null(store_open(bench->path, STORE_RUN, &error));
}

static void test_full_store(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    int64_t id = plan(bench, "one", "generate pancake n=9 count=200 seed=1\nmethod astar time=none\n", 1, &error);
    int64_t pages = number_in(bench->store, "PRAGMA page_count");
    char limit[64];
    snprintf(limit, sizeof limit, "PRAGMA max_page_count = %lld", (long long)pages + 2);
    assert_true(store_execute(bench->store, limit, &error));
    struct runner runner = {.store = bench->store, .engine = bench->engine, .experiment = id, .jobs = 1};
    struct runner_count count;
    assert_false(runner_run(&runner, &count, &error));
    assert_non_null(strstr(error.text, "full"));
    assert_non_null(strstr(error.text, "what was stored is safe"));
    assert_int_equal(number_in(bench->store, "SELECT count(*) FROM run WHERE status IS NULL"), count.left);
    assert_true(store_execute(bench->store, "PRAGMA max_page_count = 1000000", &error));
    assert_int_equal(run(bench, id, 1), count.left);
}

static void test_other_files_are_refused(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    char path[] = "/tmp/soloist-lab-XXXXXX";
    int file = mkstemp(path);
    static const char text[] =
        "this is no database, and long enough to be taken for one: ................................";
    assert_int_equal(write(file, text, sizeof text), sizeof text);
    close(file);
    assert_null(store_open(path, STORE_READ, &error));
    assert_non_null(strstr(error.text, "not a database"));
    assert_null(store_open(path, STORE_WRITE, &error));
    unlink(path);
    assert_null(store_open(path, STORE_READ, &error));
    assert_non_null(strstr(error.text, "no such store"));
    assert_true(store_execute(bench->store, "PRAGMA user_version = 99", &error));
    assert_null(store_open(bench->path, STORE_READ, &error));
    assert_non_null(strstr(error.text, "later version"));
}

/* ---- trainings, networks, curves ---- */

static const char lessons[] = "train samegame --board 5x5 --generate colours=3 --network net --way generations"
                              " generations=2 runs=8 simulations=3 epochs=1 boards=2 as lesson\nseeds 1-2\n";

static void test_trainings(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    int64_t id = plan(bench, "one", lessons, 1, &error);
    if (!id)
        fail_msg("%s", error.text);
    assert_int_equal(run(bench, id, 2), 2);
    assert_int_equal(run(bench, id, 2), 0);
    assert_int_equal(number_in(bench->store, "SELECT count(*) FROM run WHERE status = 'trained'"), 2);
    assert_int_equal(number_in(bench->store, "SELECT count(*) FROM curve"), 4);
    assert_int_equal(number_in(bench->store, "SELECT count(*) FROM curve WHERE games = 8 * generation"), 4);
    assert_int_equal(number_in(bench->store,
                               "SELECT count(*) FROM run JOIN curve ON run = run.id AND run.value = curve.value"
                               " WHERE row = 1"),
                     2);
    assert_true(store_look_at(bench->store, id, STORE_LIVE, &error));
    assert_int_equal(number_in(bench->store, "SELECT count(*) FROM curves WHERE label = 'lesson'"), 4);
    /* Fewer games by scale are other runs. */
    assert_int_equal(plan(bench, "one", lessons, 0.5, &error), id);
    assert_int_equal(run(bench, id, 1), 2);
    assert_int_equal(number_in(bench->store, "SELECT max(games) FROM curves"), 8);
    soloist_result result;
    bool same;
    assert_false(runner_repeat(bench->store, bench->engine, 1, NULL, &result, &same, &error));
    assert_non_null(strstr(error.text, "training"));
}

/* Searches wait for the training whose network they use, and repeat as long as its weights are there. */
static void test_searches_with_trained_networks(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    char text[512], command[160];
    snprintf(text, sizeof text,
             "%sgenerate samegame width=5 height=5 colours=3 count=3 as boards\n"
             "method policy-mcts iterations=8 trained=lesson as searched\n",
             lessons);
    int64_t id = plan(bench, "one", text, 1, &error);
    if (!id)
        fail_msg("%s", error.text);
    assert_int_equal(run(bench, id, 3), 2 + 3 * 2);
    assert_int_equal(number_in(bench->store, "SELECT count(*) FROM run WHERE status = 'solved'"), 6);
    assert_int_equal(number_in(bench->store, "SELECT count(DISTINCT network) FROM run WHERE network LIKE 'trained %'"),
                     2);
    int64_t number = number_in(bench->store, "SELECT max(id) FROM run");
    soloist_result result;
    bool same = false;
    assert_true(runner_repeat(bench->store, bench->engine, number, NULL, &result, &same, &error));
    soloist_result_free(&result);
    assert_true(same);
    snprintf(command, sizeof command, "rm -rf %s.run", bench->path);
    assert_int_equal(system(command), 0);
    assert_true(store_execute(bench->store, "UPDATE run SET status = NULL WHERE network LIKE 'trained %'", &error));
    assert_int_equal(run(bench, id, 1), 6);
    assert_int_equal(
        number_in(bench->store, "SELECT count(*) FROM run WHERE status = 'invalid' AND error LIKE '%weights%'"), 6);
    assert_int_equal(plan(bench, "one", "generate samegame\nmethod policy-mcts iterations=1 trained=nope\n", 1, &error),
                     0);
    assert_non_null(strstr(error.text, "no training has that label"));
}

/* A training stored when its options had other names is the same, and so is the key of its network, here the
 * one that it got before the options were renamed. */
static void test_trainings_under_older_words(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    static const char *const words[] = {"at_once=2 anew=false play=draw",
                                        "parallel_games=2 from_scratch=false play=ppo"};
    char texts[2][640], sql[640];
    for (int i = 0; i < 2; i++)
        snprintf(texts[i], sizeof texts[i],
                 "train samegame --board 5x5 --generate colours=3 --network net --way generations"
                 " generations=2 runs=8 simulations=3 epochs=1 boards=2 %s as lesson\n"
                 "generate samegame width=5 height=5 colours=3 count=2 as boards\n"
                 "method policy-mcts iterations=8 trained=lesson as searched\n",
                 words[i]);
    int64_t id = plan(bench, "one", texts[0], 1, &error);
    if (!id)
        fail_msg("%s", error.text);
    assert_int_equal(run(bench, id, 2), 1 + 2);
    assert_int_equal(number_in(bench->store, "SELECT count(*) FROM run WHERE network = 'trained 3f73126a6347b610'"), 2);
    assert_int_equal(number_in(bench->store, "SELECT count(*) FROM run WHERE method LIKE '%play=ppo'"), 1);
    for (int older = 0; older < 2; older++) {
        for (int i = 0; i < 2; i++) {
            assert_int_equal(plan(bench, "one", texts[i], 1, &error), id);
            assert_int_equal(run(bench, id, 1), 0);
            assert_int_equal(number_in(bench->store, "SELECT count(*) FROM run"), 1 + 2);
        }
        snprintf(sql, sizeof sql, "UPDATE run SET method = replace(method, '%s', '%s')", words[1], words[0]);
        assert_int_equal(sqlite3_exec(bench->store->db, sql, NULL, NULL, NULL), SQLITE_OK);
    }
    /* Unfinished, it is run from its stored words. */
    assert_true(store_execute(bench->store, "UPDATE run SET status = NULL WHERE status = 'trained'", &error));
    assert_int_equal(run(bench, id, 1), 1);
    assert_int_equal(number_in(bench->store, "SELECT count(*) FROM run WHERE status = 'trained'"), 1);
}

static void test_trainings_that_cannot_be(void **state) {
    struct bench *bench = *state;
    static const char *const cases[][2] = {
        {"train samegame --board 5x5 --network net\n", "never end"},
        {"train samegame --board 5x5 --network nowhere steps=1\n", "not here"},
        {"train samegame --board 5x5 --network stacks steps=1\n", "the network"},
        {"train samegame --board 5 --network net steps=1\n", "size"},
        {"train samegame --board 5x5 --network net --method nope steps=1\n", "nope"},
        {"train samegame --board 5x5 --network net --search nope=1 steps=1\n", "nope"},
        {"train samegame --board 5x5 --generate nope=1 --network net steps=1\n", "nope"},
        {"train nope --board 5x5 --network net steps=1\n", "no domain"},
        {"train pancake --network net steps=1\n", "learn"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        soloist_error error = {0};
        assert_int_equal(plan(bench, "one", cases[i][0], 1, &error), 0);
        if (error.line != 1 || error.column != 7 || !strstr(error.text, cases[i][1]))
            fail_msg("%s%d:%d: %s", cases[i][0], error.line, error.column, error.text);
    }
}

/* A network that is there or not. */
struct shelf {
    const char *name; /* NULL: none */
    int told;
};

static bool name_network(void *user, const soloist_puzzle *puzzle, bool valued, char *name, size_t room,
                         soloist_error *error) {
    const struct shelf *shelf = user;
    (void)puzzle;
    if (!shelf->name || valued)
        return soloist_fail(error, 0, 0, "no network");
    snprintf(name, room, "%s", shelf->name);
    return true;
}

static void count_left_out(void *user, const char *source, const char *why) {
    struct shelf *shelf = user;
    assert_string_equal(source, "boards");
    assert_string_equal(why, "no network");
    shelf->told++;
}

static int64_t plan_with(const struct bench *bench, struct shelf *shelf) {
    static const char text[] = "generate samegame width=5 height=5 count=3 as boards\n"
                               "method policy-mcts iterations=5\nmethod pv-mcts iterations=5\n"
                               "method mcts iterations=5\n";
    struct experiment experiment;
    struct plan_wish wish = {.name = "one", .text = text, .scale = 1};
    struct plan_files files = {.read = read_name, .user = shelf, .network = name_network, .left_out = count_left_out};
    soloist_error error = {0};
    assert_true(experiment_read(text, strlen(text), &experiment, &error));
    int64_t id = plan_write(bench->store, bench->engine, &experiment, &wish, &files, &error);
    experiment_free(&experiment);
    assert_true(id > 0);
    return number_in(bench->store, "SELECT count(*) FROM plan");
}

static void test_networks_decide_runs(void **state) {
    struct bench *bench = *state;
    struct shelf shelf = {0};
    assert_int_equal(plan_with(bench, &shelf), 3);
    assert_int_equal(shelf.told, 2); /* without and with values, once each */
    shelf = (struct shelf){.name = "net 1"};
    assert_int_equal(plan_with(bench, &shelf), 6);
    assert_int_equal(shelf.told, 1);
    assert_int_equal(number_in(bench->store, "SELECT count(*) FROM run"), 6);
    shelf.name = "net 2";
    assert_int_equal(plan_with(bench, &shelf), 6);
    assert_int_equal(number_in(bench->store, "SELECT count(*) FROM run WHERE network = 'net 2'"), 3);
    assert_int_equal(number_in(bench->store, "SELECT count(*) FROM run"), 9);
}

static void test_timed_runs_have_curves(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    int64_t id = plan(bench, "one",
                      "generate samegame width=6 height=6 count=2\nmethod mcts time=0.05\n"
                      "method mcts iterations=50\n",
                      1, &error);
    assert_int_equal(run(bench, id, 2), 4);
    assert_int_equal(number_in(bench->store, "SELECT count(DISTINCT run) FROM curve"), 2);
    assert_int_equal(number_in(bench->store,
                               "SELECT count(*) FROM run JOIN curve c ON c.run = run.id AND c.value = run.value"
                               " WHERE row = (SELECT max(row) FROM curve WHERE run = run.id)"),
                     2);
}

/* ---- looking ---- */

/* Ten runs of two labels with results set by hand. */
static void fill(const struct bench *bench) {
    soloist_error error = {0};
    int64_t id =
        plan(bench, "one", "generate pancake n=9 count=5\nmethod astar time=none as A\nmethod bfs time=none as B\n", 1,
             &error);
    assert_true(id > 0);
    assert_true(store_execute(bench->store,
                              "UPDATE run SET status = 'solved', value = instance * 10 + (method = 'bfs') * instance,"
                              " nodes = 7, time_s = 0.5, optimal = 1, cpu_s = 0.5;"
                              "UPDATE run SET status = 'unsolved', value = NULL WHERE instance = 5 AND method = 'bfs'",
                              &error));
    assert_true(store_look_at(bench->store, id, STORE_LIVE, &error));
}

static void test_groups(void **state) {
    struct bench *bench = *state;
    fill(bench);
    struct sheet sheet;
    struct buffer text;
    soloist_error error = {0};
    struct look look = {.level = 0.95, .ascii = true, .of = "solved,value"};
    assert_true(look_groups(bench->store, &look, &sheet, &error));
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    sheet_write(&sheet, SHEET_TEXT, &sink);
    assert_string_equal(text.text, "label  runs  solved                      value\n"
                                   "A         5  5, 100.0 % (56.6 to 100.0)  30 +- 20\n"
                                   "B         5  4, 80.0 % (37.6 to 96.4)    28 +- 23\n");
    buffer_clear(&text);
    sheet_close(&sheet);
    look.apart = true;
    look.of = "nodes";
    look.where = "label = 'B'";
    assert_true(look_groups(bench->store, &look, &sheet, &error));
    sheet_write(&sheet, SHEET_CSV, &sink);
    sheet_write(&sheet, SHEET_JSON, &sink);
    assert_string_equal(text.text, "label,runs,nodes,nodes_low,nodes_high\nB,5,7,7,7\n"
                                   "{\"label\":\"B\",\"runs\":5,\"nodes\":7,\"nodes_low\":7,\"nodes_high\":7}\n");
    buffer_close(&text);
    sheet_close(&sheet);
    look.of = "no_such_column";
    assert_false(look_groups(bench->store, &look, &sheet, &error));
    assert_non_null(strstr(error.text, "no_such_column"));
}

static void test_compare(void **state) {
    struct bench *bench = *state;
    fill(bench);
    struct look look = {.level = 0.95};
    struct look_pairs pairs;
    soloist_error error = {0};
    assert_true(look_compare(bench->store, "B", "A", &look, &pairs, &error));
    assert_int_equal(pairs.runs, 5);
    assert_int_equal(pairs.instances, 4);
    assert_true(pairs.mean_difference == 2.5 && pairs.mean_a == 27.5 && pairs.mean_b == 25);
    assert_true(pairs.p_wilcoxon == 0.125);                /* four differences, all positive */
    assert_true(pairs.p_t > 0.0299 && pairs.p_t < 0.0310); /* t = 3.873, 3 degrees */
    assert_true(pairs.equal == 4 && pairs.more_a == 0 && pairs.more_b == 1 && pairs.neither == 0);
    assert_true(pairs.p_mcnemar == 1);
    assert_false(look_compare(bench->store, "B", "C", &look, &pairs, &error));
}

/* Runs of one instance with several seeds are no independent instances: their means are compared. */
static void test_compare_counts_instances_once(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    struct look look = {.level = 0.95};
    struct look_pairs pairs;
    int64_t id = plan(bench, "one",
                      "generate pancake n=9 count=5\nmethod mcts iterations=10 as A\nmethod uct iterations=10 as B\n"
                      "seeds 1-3\n",
                      1, &error);
    assert_true(id > 0);
    /* A has 10, 20 and 30 on each instance, B two more; of the instances 4 and 5, A solves one run, B all or none. */
    assert_true(
        store_execute(bench->store,
                      "UPDATE run SET status = 'solved', value = seed * 10 + 2 * (method = 'uct'), nodes = 7,"
                      " time_s = 0.5, cpu_s = 0.5;"
                      "UPDATE run SET status = 'unsolved', value = NULL"
                      " WHERE (instance > 3 AND method = 'mcts' AND seed > 1) OR (instance = 5 AND method = 'uct')",
                      &error));
    assert_true(store_look_at(bench->store, id, STORE_LIVE, &error));
    assert_true(look_compare(bench->store, "A", "B", &look, &pairs, &error));
    assert_int_equal(pairs.runs, 15);
    assert_int_equal(pairs.instances, 4);
    assert_true(pairs.mean_difference == -2 && pairs.lower == 4 && pairs.higher == 0);
    assert_true(pairs.mean_a == 17.5 && pairs.mean_b == 19.5); /* 20 and 22 on three instances, 10 and 12 on one */
    assert_true(pairs.p_wilcoxon == 0.125);
    assert_true(pairs.equal == 3 && pairs.more_a == 1 && pairs.more_b == 1 && pairs.neither == 0);
    assert_true(pairs.p_mcnemar == 1);
}

static void test_rows(void **state) {
    struct bench *bench = *state;
    fill(bench);
    static const char text[] = "instances stacks\n"
                               "measure mean SELECT value FROM runs WHERE label = ?1 AND number <= ?2\n"
                               "measure word SELECT 'a'\n"
                               "measure same SELECT 100 FROM runs\n"
                               "measure writes DELETE FROM run\n"
                               "row one mean A 1 = 10\n"
                               "row near mean A 3 = 21 why because\n"
                               "row open mean A 3 = 21 why \"not explained; two runs were made\"\n"
                               "row shut mean A 2 = 900.00 +- 3 why \"not explained; two runs were made\"\n"
                               "row far mean A 2 = 900 +- 0.5\n"
                               "row text word = a\n"
                               "row close same = 101 +- 2\n"
                               "row none mean C 1 = 4\n"
                               "row slight mean A 5 = 30.01\n"
                               "row narrow same = 100.0012 +- 0.00001\n"
                               "row wide same = 1234567 +- 1234567.5\n";
    struct experiment experiment;
    struct sheet sheet;
    struct buffer out;
    soloist_error error = {0};
    struct look look = {.level = 0.95, .ascii = true};
    size_t missing;
    assert_true(experiment_read(text, strlen(text), &experiment, &error));
    assert_true(look_rows(bench->store, &experiment, &look, &sheet, &missing, &error));
    buffer_open(&out);
    soloist_sink sink = buffer_sink(&out);
    sheet_write(&sheet, SHEET_CSV, &sink);
    assert_string_equal(out.text, "what,published,ours,n,difference,why\n"
                                  "one,10,10,1,equal,\n"
                                  "near,21,20 +- 25,3,\"-1 (-4.8 %), not enough runs\",because\n"
                                  "open,21,20 +- 25,3,\"-1 (-4.8 %), not enough runs\",\n"
                                  "shut,900.00 +- 3.00,15 +- 64,2,-885 (-98.3 %),not explained; two runs were made\n"
                                  "far,900 +- 0.5,15 +- 64,2,-885 (-98.3 %),not explained\n"
                                  "text,a,a,1,equal,\n"
                                  "close,101 +- 2,100 +- 0,10,\"-1 (-1.0 %), agrees\",\n"
                                  "slight,30.01,30 +- 20,5,\"0 (0.0 %), not enough runs\",\n"
                                  "narrow,100.0012 +- 0.00001,100 +- 0,10,-0.0012 (0.0 %),not explained\n"
                                  "wide,1234567 +- 1234567.5,100 +- 0,10,\"-1234467 (-100 %), agrees\",\n");
    assert_int_equal(missing, 1);
    sheet_close(&sheet);
    /* A small run never agrees, and explains every difference. */
    look.small = true;
    assert_true(look_rows(bench->store, &experiment, &look, &sheet, &missing, &error));
    buffer_clear(&out);
    sheet_write(&sheet, SHEET_CSV, &sink);
    assert_non_null(strstr(out.text, "\"-1 (-4.8 %), not enough runs\",because\n"));
    assert_non_null(strstr(out.text, "-885 (-98.3 %),not explained (a small run)\n"));
    assert_non_null(strstr(out.text, "\"-1 (-1.0 %), too small a run to tell\",\n"));
    sheet_close(&sheet);
    /* An explanation of the whole experiment is none of a part of it. */
    look.partial = true;
    assert_true(look_rows(bench->store, &experiment, &look, &sheet, &missing, &error));
    buffer_clear(&out);
    sheet_write(&sheet, SHEET_CSV, &sink);
    assert_non_null(strstr(out.text, "\"-1 (-4.8 %), not enough runs\",a small run; for the full run: because\n"));
    assert_non_null(strstr(out.text, "-885 (-98.3 %),not explained (a small run)\n"));
    sheet_close(&sheet);
    buffer_close(&out);
    experiment.rows[0].measure = 3;
    assert_false(look_rows(bench->store, &experiment, &look, &sheet, &missing, &error));
    assert_non_null(strstr(error.text, "only reads"));
    experiment_free(&experiment);
}

/* The extent comes from the scale of the runs and the line `share`, and decides what a row may say. */
static void test_extent(void **state) {
    struct bench *bench = *state;
    static const struct {
        const char *share;
        double scale;
        bool small, partial;
    } cases[] = {
        {"", 1, false, false}, {"", 0.5, false, true}, {"", 0.05, true, true}, {"share 0.1\n", 1, true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct experiment experiment;
        struct look look = {.level = 0.95};
        soloist_error error = {0};
        char text[160];
        snprintf(text, sizeof text, "%sgenerate pancake n=5 count=20\nmethod astar nodes=9\n", cases[i].share);
        int64_t id = plan(bench, "one", text, cases[i].scale, &error);
        assert_true(experiment_read(text, strlen(text), &experiment, &error));
        assert_true(look_extent(bench->store, id, &experiment, &look, &error));
        assert_true(look.small == cases[i].small && look.partial == cases[i].partial);
        experiment_free(&experiment);
    }
}

/* Stores a result for the first run of the experiment in place of what is there. */
static void save_result(const struct bench *bench, const soloist_result *result) {
    struct query query;
    soloist_error error = {0};
    struct job job = {.id = number_in(bench->store, "SELECT min(id) FROM run")};
    struct job_outcome outcome = {.job = &job, .result = *result};
    assert_true(store_execute(bench->store, "UPDATE run SET status = NULL", &error));
    assert_true(save_open(&query, bench->store, &error));
    assert_true(save_outcome(&query, &outcome));
    assert_true(query_close(&query));
}

static void test_statistics_are_stored(void **state) {
    struct bench *bench = *state;
    soloist_error error = {0};
    soloist_result result = {.status = SOLOIST_UNSOLVED};
    char sql[80];
    assert_true(plan(bench, "one", "generate pancake n=8\nmethod astar nodes=9\n", 1, &error) > 0);
    for (int all = 0; all < 2; all++) {
        for (int i = 0; i < STATISTICS_ROWS; i++) {
            const struct statistics_row *row = &statistics_rows[i];
            *(uint64_t *)((char *)&result + row->value) = 1000 + (uint64_t)i;
            if (row->known != STATISTICS_ALWAYS)
                *(bool *)((char *)&result + row->known) = all;
        }
        save_result(bench, &result);
        for (int i = 0; i < STATISTICS_ROWS; i++) {
            const struct statistics_row *row = &statistics_rows[i];
            if (!row->column)
                continue;
            snprintf(sql, sizeof sql, "SELECT coalesce(%s, 0) FROM run ORDER BY id LIMIT 1", row->column);
            assert_int_equal(number_in(bench->store, sql), statistics_known(row, &result) ? 1000 + i : 0);
        }
    }
}

/* The mean difference is stated only if its interval excludes zero. */
static void test_compare_in_words(void **state) {
    (void)state;
    struct look look = {.level = 0.95, .ascii = true};
    struct look_pairs pairs = {.runs = 10,
                               .instances = 10,
                               .equal = 10,
                               .higher = 2,
                               .lower = 7,
                               .mean_difference = -210,
                               .half_width = 300,
                               .effect = -0.49,
                               .p_wilcoxon = 0.031,
                               .p_mcnemar = NAN};
    char text[LOOK_SENTENCE];
    look_tell_pairs("a", "b", &pairs, 1, &look, text);
    assert_string_equal(text, "value of a is lower than that of b on 7 instances and higher on 2 (p = 0.031), but "
                              "the mean difference of -210 +- 300 may be zero");
    pairs.half_width = 30;
    look_tell_pairs("a", "b", &pairs, 1, &look, text);
    assert_string_equal(text, "the mean value of a is lower than that of b, by 210 +- 30 (p = 0.031; the effect is "
                              "small)");
    pairs.p_wilcoxon = NAN, pairs.p_mcnemar = 0.02, pairs.more_b = 7, pairs.runs = 17;
    look_tell_pairs("a", "b", &pairs, 1, &look, text);
    assert_string_equal(text, "b solves more: 7 that the other does not, against 0 (p = 0.02)");
    pairs.runs = 51;
    look_tell_pairs("a", "b", &pairs, 1, &look, text);
    assert_string_equal(text, "b solves more: 7 instances more often than the other, against 0 (p = 0.02)");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_runs_once),
        TEST(test_stop_ends_the_plan),
        TEST(test_older_words),
        TEST(test_scale),
        TEST(test_methods_for_some),
        TEST(test_repeats_from_its_row),
        TEST(test_files_and_bad_instances),
        TEST(test_refused_plans_change_nothing),
        TEST(test_cancel_stores_whole_runs_only),
        TEST(test_stopped_early_can_be_compared),
        TEST(test_locks_out_a_second),
        TEST(test_full_store),
        TEST(test_other_files_are_refused),
        TEST(test_trainings),
        TEST(test_searches_with_trained_networks),
        TEST(test_trainings_under_older_words),
        TEST(test_trainings_that_cannot_be),
        TEST(test_networks_decide_runs),
        TEST(test_timed_runs_have_curves),
        TEST(test_statistics_are_stored),
        TEST(test_groups),
        TEST(test_compare),
        TEST(test_compare_counts_instances_once),
        TEST(test_compare_in_words),
        TEST(test_rows),
        TEST(test_extent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
