/* The life of jobs: queue, cancelling, watchers, and what is done about jobs that nobody looks at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/budget.h"
#include "search/search.h"
#include "serve/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char level[] = "#####\n#@$.#\n#####\n";

struct ground {
    soloist *engine;
    struct jobs *jobs;
    _Atomic int changes;
};

static void count_change(void *user, const struct job *job) {
    struct ground *ground = user;
    (void)job;
    ground->changes++;
}

static void open_ground(struct ground *ground, int workers) {
    ground->engine = soloist_new();
    ground->changes = 0;
    ground->jobs = jobs_open(&(struct jobs_rules){.engine = ground->engine,
                                                  .workers = workers,
                                                  .most = 3,
                                                  .most_kept = 2,
                                                  .idle_s = 100,
                                                  .reload_s = 10,
                                                  .keep_s = 1000,
                                                  .changed = count_change,
                                                  .user = ground});
    assert_non_null(ground->jobs);
}

static void close_ground(struct ground *ground) {
    jobs_close(ground->jobs);
    soloist_free(ground->engine);
}

static enum jobs_verdict add(struct ground *ground, const char *text, char id[JOB_ID_ROOM]) {
    struct work work = {.kind = WORK_SOLVE, .text = strdup(text), .limits = {.time_s = 600, .threads = 1}};
    return jobs_add(ground->jobs, &work, id);
}

static bool says(struct ground *ground, const char *id, const char *part) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    bool found = jobs_describe(ground->jobs, id, &sink) && strstr(text.text, part);
    buffer_close(&text);
    return found;
}

static void jobs_are_done_in_order(void **unused) {
    (void)unused;
    struct ground ground;
    char first[JOB_ID_ROOM], second[JOB_ID_ROOM];
    open_ground(&ground, 0);
    assert_false(jobs_work(ground.jobs));
    assert_int_equal(add(&ground, level, first), JOBS_OK);
    assert_int_equal(add(&ground, level, second), JOBS_OK);
    assert_true(says(&ground, first, "\"place\":1"));
    assert_true(says(&ground, second, "\"place\":2"));
    assert_true(jobs_work(ground.jobs));
    assert_true(says(&ground, first, "\"state\":\"ended\""));
    assert_true(says(&ground, second, "\"place\":1"));
    assert_true(ground.changes >= 2); /* more if it took long enough to be reported */
    close_ground(&ground);
}

static void a_full_queue_refuses(void **unused) {
    (void)unused;
    struct ground ground;
    char ids[4][JOB_ID_ROOM];
    open_ground(&ground, 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(add(&ground, level, ids[i]), JOBS_OK);
    assert_int_equal(add(&ground, level, ids[3]), JOBS_FULL);
    assert_true(jobs_cancel(ground.jobs, ids[1]));
    assert_true(says(&ground, ids[1], "\"cancelled\":true"));
    assert_true(says(&ground, ids[1], "\"state\":\"ended\""));
    assert_int_equal(add(&ground, level, ids[3]), JOBS_OK);
    assert_false(jobs_cancel(ground.jobs, "0123456789abcdef"));
    close_ground(&ground);
}

static void jobs_that_nobody_looks_at_end(void **unused) {
    (void)unused;
    struct ground ground;
    char watched[JOB_ID_ROOM], idle[JOB_ID_ROOM];
    open_ground(&ground, 0);
    add(&ground, level, watched);
    add(&ground, level, idle);
    struct job *job = jobs_watch(ground.jobs, watched);
    jobs_sweep(ground.jobs, clock_seconds() + 50);
    assert_true(says(&ground, idle, "\"state\":\"waiting\""));
    jobs_sweep(ground.jobs, clock_seconds() + 150);
    assert_true(says(&ground, idle, "\"abandoned\":true"));
    assert_true(says(&ground, watched, "\"state\":\"waiting\""));
    jobs_work(ground.jobs);
    jobs_sweep(ground.jobs, clock_seconds() + 5000);
    assert_false(says(&ground, idle, ""));
    assert_true(says(&ground, watched, "\"solution\":\"R\""));
    jobs_unwatch(ground.jobs, job);
    jobs_sweep(ground.jobs, clock_seconds() + 5000);
    assert_false(says(&ground, watched, ""));
    assert_null(jobs_watch(ground.jobs, watched));
    close_ground(&ground);
}

static void only_some_ended_jobs_are_kept(void **unused) {
    (void)unused;
    struct ground ground;
    char ids[3][JOB_ID_ROOM];
    open_ground(&ground, 0);
    for (int i = 0; i < 3; i++) {
        add(&ground, level, ids[i]);
        jobs_work(ground.jobs);
    }
    jobs_sweep(ground.jobs, clock_seconds());
    assert_false(says(&ground, ids[0], ""));
    assert_true(says(&ground, ids[1], "") && says(&ground, ids[2], ""));
    close_ground(&ground);
}

static void watchers_see_every_state_once(void **unused) {
    (void)unused;
    struct ground ground;
    char id[JOB_ID_ROOM];
    struct buffer text;
    uint64_t seen = 0;
    bool ended;
    open_ground(&ground, 0);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    add(&ground, level, id);
    struct job *job = jobs_watch(ground.jobs, id);
    assert_true(jobs_news(ground.jobs, job, &seen, &ended, &sink));
    assert_false(ended);
    assert_false(jobs_news(ground.jobs, job, &seen, &ended, &sink));
    jobs_work(ground.jobs);
    assert_true(jobs_news(ground.jobs, job, &seen, &ended, &sink));
    assert_true(ended);
    assert_non_null(strstr(text.text, "\"state\":\"ended\""));
    jobs_unwatch(ground.jobs, job);
    buffer_close(&text);
    close_ground(&ground);
}

/* A job that waits learns that its place has changed. */
static void watchers_see_the_queue_move_up(void **unused) {
    (void)unused;
    struct ground ground;
    char ids[3][JOB_ID_ROOM];
    struct buffer text;
    uint64_t seen = 0;
    bool ended;
    open_ground(&ground, 0);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    for (int i = 0; i < 3; i++)
        add(&ground, level, ids[i]);
    struct job *job = jobs_watch(ground.jobs, ids[2]);
    for (int place = 3; place > 0; place--) {
        char words[16];
        snprintf(words, sizeof words, "\"place\":%d", place);
        buffer_clear(&text);
        assert_true(jobs_news(ground.jobs, job, &seen, &ended, &sink));
        assert_non_null(strstr(text.text, words));
        if (place == 3)
            assert_true(jobs_cancel(ground.jobs, ids[1]));
        else
            jobs_work(ground.jobs);
    }
    jobs_unwatch(ground.jobs, job);
    buffer_close(&text);
    close_ground(&ground);
}

/* A server that ends stops its jobs as a client would. */
static void jobs_that_are_stopped_are_cancelled(void **unused) {
    (void)unused;
    struct ground ground;
    char id[JOB_ID_ROOM], late[JOB_ID_ROOM];
    open_ground(&ground, 0);
    add(&ground, level, id);
    jobs_stop(ground.jobs);
    assert_true(says(&ground, id, "\"state\":\"ended\",\"cancelled\":true,\"abandoned\":false"));
    assert_int_equal(add(&ground, level, late), JOBS_FULL);
    close_ground(&ground);
}

/* Random games without a limit never end. */
static const char endless[] = "24 1 22 3 20 5 18 7 16 9 14 11 12 13 10 15 8 17 6 19 4 21 2 23\n";

static void wait_for(struct ground *ground, const char *id, const char *part) {
    while (!says(ground, id, part))
        ;
}

static void a_running_job_is_cancelled(void **unused) {
    (void)unused;
    struct ground ground;
    char id[JOB_ID_ROOM];
    open_ground(&ground, 1);
    struct work work = {.kind = WORK_SOLVE,
                        .text = strdup(endless),
                        .domain = strdup("pancake"),
                        .method = strdup("random"),
                        .limits = {.threads = 1}};
    assert_int_equal(jobs_add(ground.jobs, &work, id), JOBS_OK);
    wait_for(&ground, id, "\"state\":\"running\"");
    assert_true(jobs_cancel(ground.jobs, id));
    wait_for(&ground, id, "\"state\":\"ended\"");
    assert_true(says(&ground, id, "\"cancelled\":true"));
    /* The second: it was cancelled before its search had begun. */
    assert_true(says(&ground, id, "\"stopped\":\"cancel\"") || says(&ground, id, "stopped before there was a result"));
    close_ground(&ground);
}

/* ---- a search that is watched ---- */

static const char board[] = "12132\n21213\n11232\n33121\n21312\n";

/* A job that is paused after its first step. */
static void add_watched(struct ground *ground, const char *method, uint64_t every, char id[JOB_ID_ROOM]) {
    struct work work = {.kind = WORK_SOLVE,
                        .text = strdup(board),
                        .domain = strdup("samegame"),
                        .method = strdup(method),
                        .limits = {.threads = 1, .seed = 1},
                        .pace = {.watched = true, .paused = true, .every = every}};
    assert_int_equal(jobs_add(ground->jobs, &work, id), JOBS_OK);
    assert_int_equal(jobs_pace(ground->jobs, id, &(struct jobs_wish){.steps = 1}), JOBS_OK);
}

static void a_watched_job_goes_step_by_step(void **unused) {
    (void)unused;
    struct ground ground;
    char id[JOB_ID_ROOM];
    open_ground(&ground, 1);
    add_watched(&ground, "uct", 5, id);
    struct jobs_wish wish = {.steps = 1}; /* the job stays paused, and five states pass between two reports */
    for (int moment = 2; moment <= 5; moment++) {
        char text[96];
        snprintf(text, sizeof text, "\"paused\":true,\"moment\":%d,\"scene\":{\"kind\":\"tree\"", moment);
        wait_for(&ground, id, text);
        assert_int_equal(jobs_pace(ground.jobs, id, &wish), JOBS_OK);
    }
    wait_for(&ground, id, "\"moment\":6");
    assert_true(says(&ground, id, "\"nodes\":15,\"iterations\":15"));
    /* A path that is in the tree is shown while the search stands still; a path that is not leads nowhere. */
    wish.steps = 0;
    wish.has_path = true;
    wish.path[0] = UINT32_MAX - 1;
    wish.path_count = 1;
    assert_int_equal(jobs_pace(ground.jobs, id, &wish), JOBS_OK);
    wait_for(&ground, id, "\"path_count\":0");
    assert_true(says(&ground, id, "\"moment\":6"));
    assert_true(jobs_cancel(ground.jobs, id));
    wait_for(&ground, id, "\"state\":\"ended\"");
    assert_int_equal(jobs_pace(ground.jobs, "0123456789abcdef", &wish), JOBS_UNKNOWN);
    close_ground(&ground);
}

/* Even a search that is too short to be seen later waits at its start. */
static void a_short_job_begins_paused(void **unused) {
    (void)unused;
    struct ground ground;
    char id[JOB_ID_ROOM];
    struct work work = {.kind = WORK_SOLVE,
                        .text = strdup(level),
                        .method = strdup("uct"),
                        .limits = {.threads = 1, .seed = 1},
                        .pace = {.watched = true, .paused = true, .every = 100}};
    open_ground(&ground, 1);
    assert_int_equal(jobs_add(ground.jobs, &work, id), JOBS_OK);
    wait_for(&ground, id, "\"paused\":true,\"moment\":1,\"scene\":null");
    assert_true(says(&ground, id, "\"state\":\"running\""));
    assert_int_equal(jobs_pace(ground.jobs, id, &(struct jobs_wish){.steps = 1}), JOBS_OK);
    wait_for(&ground, id, "\"solution\":\"R\"");
    close_ground(&ground);
}

static void a_paused_job_ends_when_nobody_looks_or_the_server_closes(void **unused) {
    (void)unused;
    struct ground ground;
    char first[JOB_ID_ROOM], second[JOB_ID_ROOM];
    open_ground(&ground, 2);
    add_watched(&ground, "nrpa", 1, first);
    wait_for(&ground, first, "\"kind\":\"levels\"");
    jobs_sweep(ground.jobs, clock_seconds() + 150);
    wait_for(&ground, first, "\"state\":\"ended\"");
    assert_true(says(&ground, first, "\"abandoned\":true"));
    add_watched(&ground, "nrpa", 1, second);
    wait_for(&ground, second, "\"kind\":\"levels\"");
    close_ground(&ground);
}

static void a_paused_job_gives_its_thread_to_one_that_waits(void **unused) {
    (void)unused;
    struct ground ground;
    char paused[JOB_ID_ROOM], waiting[JOB_ID_ROOM];
    open_ground(&ground, 1);
    add_watched(&ground, "nrpa", 1, paused);
    wait_for(&ground, paused, "\"kind\":\"levels\"");
    struct job *job = jobs_watch(ground.jobs, paused);
    jobs_sweep(ground.jobs, clock_seconds() + 150); /* nobody waits: it may stay paused for ever */
    assert_true(says(&ground, paused, "\"cancelled\":false"));
    add(&ground, level, waiting);
    struct job *other = jobs_watch(ground.jobs, waiting);
    jobs_sweep(ground.jobs, clock_seconds() + 50); /* it has not been paused for long */
    assert_true(says(&ground, paused, "\"cancelled\":false"));
    jobs_sweep(ground.jobs, clock_seconds() + 150);
    wait_for(&ground, waiting, "\"solution\":\"R\"");
    assert_true(says(&ground, paused, "\"abandoned\":true"));
    assert_true(says(&ground, paused, "\"stopped\":\"cancel\""));
    jobs_unwatch(ground.jobs, job);
    jobs_unwatch(ground.jobs, other);
    close_ground(&ground);
}

static void a_paused_job_that_no_page_shows_gives_way_sooner(void **unused) {
    (void)unused;
    struct ground ground;
    char paused[JOB_ID_ROOM], waiting[JOB_ID_ROOM];
    open_ground(&ground, 1);
    add_watched(&ground, "nrpa", 1, paused);
    wait_for(&ground, paused, "\"kind\":\"levels\"");
    add(&ground, level, waiting);
    jobs_sweep(ground.jobs, clock_seconds() + 5);
    assert_true(says(&ground, paused, "\"cancelled\":false"));
    jobs_sweep(ground.jobs, clock_seconds() + 15);
    wait_for(&ground, waiting, "\"solution\":\"R\"");
    assert_true(says(&ground, paused, "\"abandoned\":true"));
    close_ground(&ground);
}

/* ---- what every method shows ---- */

struct onlooker {
    struct jobs *jobs;
    char id[JOB_ID_ROOM];
    bool seen; /* an event had a scene of a kind */
    bool ran;  /* the search could begin; those that need a network cannot begin without one */
};

/* Ends the job with the first event that shows more than a rate. */
static void look_for_scene(void *user, const struct job *job) {
    struct onlooker *onlooker = user;
    struct buffer text;
    (void)job;
    if (onlooker->seen) /* cancelling calls this function, too */
        return;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    bool found = jobs_describe(onlooker->jobs, onlooker->id, &sink);
    onlooker->ran = found && strstr(text.text, "\"error\":null");
    if (found && strstr(text.text, "\"scene\":{\"kind\":\"") && !strstr(text.text, "\"kind\":\"none\"")) {
        onlooker->seen = true;
        jobs_cancel(onlooker->jobs, onlooker->id);
    }
    buffer_close(&text);
}

static struct onlooker watch_method(const soloist *engine, const char *domain, const char *text, const char *method,
                                    uint64_t every) {
    uint64_t most = every * every / 5; /* so that at most 60 events come */
    struct onlooker onlooker = {0};
    struct work work = {.kind = WORK_SOLVE,
                        .text = strdup(text),
                        .domain = strdup(domain),
                        .method = strdup(method),
                        .limits = {.nodes = most, .iterations = most, .threads = 1, .seed = 1, .memory = 1 << 26},
                        .pace = {.watched = true, .every = every}};
    onlooker.jobs =
        jobs_open(&(struct jobs_rules){.engine = engine, .most = 1, .changed = look_for_scene, .user = &onlooker});
    assert_non_null(onlooker.jobs);
    assert_int_equal(jobs_add(onlooker.jobs, &work, onlooker.id), JOBS_OK);
    assert_true(jobs_work(onlooker.jobs));
    jobs_close(onlooker.jobs);
    return onlooker;
}

static void every_method_sends_an_event_of_its_own_kind(void **unused) {
    (void)unused;
    static const char *const cases[][2] = {
        {"sokoban", "#########\n#  .    #\n# $  $. #\n#@   $  #\n#  .    #\n#########\n"},
        {"samegame", "1213241\n2312413\n1132432\n4213214\n3124231\n2341123\n1423312\n"},
        {"pancake", "5 2 7 1 6 8 4 3"},
        {"tiles", "8 6 7 2 5 4 3 0 1"},
        {"tictactoe", "X../.../..."},
    };
    soloist *engine = soloist_new();
    for (size_t i = 0; search_at(NULL, i); i++) {
        const char *method = search_at(NULL, i)->name;
        bool shown = false, ran = false;
        for (size_t c = 0; c < sizeof cases / sizeof *cases && !shown; c++) {
            soloist_chunk chunk = {.text = cases[c][1], .length = strlen(cases[c][1]), .line = 1};
            soloist_limits limits = {.threads = 1};
            soloist_puzzle puzzle;
            assert_int_equal(soloist_puzzle_read(soloist_find_domain(engine, cases[c][0]), NULL, &chunk, &puzzle, NULL),
                             SOLOIST_OK);
            if (soloist_method_suits(engine, &puzzle, method, &limits, NULL) == SOLOIST_OK) {
                /* Every event takes a twentieth of a second: only searches that end soon are looked at more often. */
                struct onlooker onlooker = watch_method(engine, cases[c][0], cases[c][1], method, 300);
                if (!onlooker.seen)
                    onlooker = watch_method(engine, cases[c][0], cases[c][1], method, 47);
                ran |= onlooker.ran;
                shown = onlooker.seen;
            }
            soloist_puzzle_free(&puzzle);
        }
        if (ran && !shown)
            fail_msg("%s sends no event of its own kind", method);
    }
    soloist_free(engine);
}

/* The last thing that a search has shown is in its description, also after its end. */
static void every_kind_of_scene_is_described(void **unused) {
    (void)unused;
    static const char boxes[] = "#########\n#  .    #\n# $  $. #\n#@   $  #\n#  .    #\n#########\n";
    static const struct {
        const char *domain, *text, *method, *parts[2];
    } rows[] = {
        {"pancake", endless, "bfs", {"\"kind\":\"front\"", "\"bars\":[["}},
        {"samegame", board, "beam", {"\"kind\":\"layers\"", "\"layers\":[{"}},
        {"sokoban", boxes, "fess", {"\"kind\":\"cells\"", "\"cells\":[{"}},
    };
    struct ground ground;
    char id[JOB_ID_ROOM];
    open_ground(&ground, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct work work = {.kind = WORK_SOLVE,
                            .text = strdup(rows[i].text),
                            .domain = strdup(rows[i].domain),
                            .method = strdup(rows[i].method),
                            .limits = {.threads = 1, .seed = 1, .nodes = 500},
                            .pace = {.watched = true, .every = 50}};
        assert_int_equal(jobs_add(ground.jobs, &work, id), JOBS_OK);
        assert_true(jobs_work(ground.jobs));
        for (int part = 0; part < 2; part++)
            if (!says(&ground, id, rows[i].parts[part]))
                fail_msg("the scene of %s lacks %s", rows[i].method, rows[i].parts[part]);
    }
    close_ground(&ground);
}

static void closing_ends_running_jobs(void **unused) {
    (void)unused;
    struct ground ground;
    char id[JOB_ID_ROOM];
    open_ground(&ground, 2);
    struct work work = {.kind = WORK_SOLVE,
                        .text = strdup(endless),
                        .domain = strdup("pancake"),
                        .method = strdup("random"),
                        .limits = {.threads = 1}};
    assert_int_equal(jobs_add(ground.jobs, &work, id), JOBS_OK);
    wait_for(&ground, id, "\"state\":\"running\"");
    close_ground(&ground);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_are_done_in_order),
        cmocka_unit_test(a_full_queue_refuses),
        cmocka_unit_test(jobs_that_nobody_looks_at_end),
        cmocka_unit_test(only_some_ended_jobs_are_kept),
        cmocka_unit_test(watchers_see_every_state_once),
        cmocka_unit_test(watchers_see_the_queue_move_up),
        cmocka_unit_test(jobs_that_are_stopped_are_cancelled),
        cmocka_unit_test(a_running_job_is_cancelled),
        cmocka_unit_test(closing_ends_running_jobs),
        cmocka_unit_test(a_watched_job_goes_step_by_step),
        cmocka_unit_test(a_short_job_begins_paused),
        cmocka_unit_test(a_paused_job_ends_when_nobody_looks_or_the_server_closes),
        cmocka_unit_test(every_kind_of_scene_is_described),
        cmocka_unit_test(a_paused_job_gives_its_thread_to_one_that_waits),
        cmocka_unit_test(a_paused_job_that_no_page_shows_gives_way_sooner),
        cmocka_unit_test(every_method_sends_an_event_of_its_own_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
