/* The file of results: what a server has said is there when another server opens the file, even if the first one was
 * killed while it wrote. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "serve/jobs.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char level[] = "#####\n#@$.#\n#####\n";

struct server {
    soloist *engine;
    struct kept *kept;
    struct jobs *jobs;
};

static void open_server(struct server *server, const char *path) {
    soloist_error error = {0};
    server->engine = soloist_new();
    server->kept = kept_open(path, &error);
    assert_non_null(server->kept);
    server->jobs =
        jobs_open(&(struct jobs_rules){.engine = server->engine, .most = 3, .most_kept = 3, .kept = server->kept});
    assert_non_null(server->jobs);
}

static void close_server(struct server *server) {
    jobs_close(server->jobs);
    kept_close(server->kept);
    soloist_free(server->engine);
}

static void solve(struct server *server, char id[JOB_ID_ROOM]) {
    struct work work = {.kind = WORK_SOLVE, .text = strdup(level), .limits = {.time_s = 600, .threads = 1}};
    assert_int_equal(jobs_add(server->jobs, &work, id), JOBS_OK);
    assert_true(jobs_work(server->jobs));
}

/* What the server says about a job, which the caller frees; NULL: it does not know it. */
static char *description(struct server *server, const char *id) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    bool known = jobs_describe(server->jobs, id, &sink);
    char *said = known ? buffer_take(&text) : NULL;
    buffer_close(&text);
    return said;
}

static int make_path(void **state) {
    char path[] = "/tmp/soloist-kept-XXXXXX";
    close(mkstemp(path));
    *state = strdup(path);
    return 0;
}

static int remove_path(void **state) {
    unlink(*state);
    free(*state);
    return 0;
}

static void append(const char *path, const char *text) {
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void results_are_there_again(void **state) {
    struct server server;
    char first[JOB_ID_ROOM], second[JOB_ID_ROOM];
    open_server(&server, *state);
    solve(&server, first);
    char *said = description(&server, first);
    assert_non_null(strstr(said, "\"solution\":\"R\""));
    assert_non_null(strstr(said, "\"kept\":true"));
    close_server(&server);
    append(*state, "{\"id\":\"0123456789abcdef\",\"sta"); /* a server was killed here */
    open_server(&server, *state);
    char *again = description(&server, first);
    assert_non_null(again);
    assert_string_equal(said, again);
    assert_null(description(&server, "0123456789abcdef"));
    solve(&server, second);
    close_server(&server);
    open_server(&server, *state);
    for (int i = 0; i < 2; i++) {
        free(again);
        again = description(&server, i ? second : first);
        assert_non_null(again);
    }
    close_server(&server);
    free(said);
    free(again);
}

/* The newest ones; lines that are no jobs are passed over. */
static void only_some_are_remembered(void **state) {
    struct server server;
    char ids[4][JOB_ID_ROOM];
    open_server(&server, *state);
    for (int i = 0; i < 4; i++)
        solve(&server, ids[i]);
    close_server(&server);
    open_server(&server, *state);
    for (int i = 0; i < 4; i++) {
        char *said = description(&server, ids[i]);
        assert_int_equal(said != NULL, i > 0);
        free(said);
    }
    close_server(&server);
    append(*state, "not JSON\n{\"id\":7}\n{\"id\":\"short\"}\n");
    open_server(&server, *state);
    assert_int_equal(kept_unread(server.kept), 3);
    for (int i = 0; i < 4; i++) {
        char *said = description(&server, ids[i]);
        assert_int_equal(said != NULL, i > 0);
        free(said);
    }
    close_server(&server);
}

/* Of two lines about the same job the later counts, and neither is damaged. A list has no results. */
static void a_later_line_replaces_an_earlier_one(void **state) {
    struct server server;
    char text[200], ids[3][JOB_ID_ROOM];
    open_server(&server, *state);
    for (int i = 0; i < 3; i++)
        solve(&server, ids[i]);
    close_server(&server);
    snprintf(text, sizeof text, "{\"id\":\"%s\",\"tag\":\"again\",\"result\":{\"solution\":\"X\"}}\n", ids[1]);
    append(*state, text);
    open_server(&server, *state);
    assert_int_equal(kept_unread(server.kept), 0);
    for (int i = 0; i < 3; i++) {
        char *said = description(&server, ids[i]);
        assert_non_null(said);
        assert_int_equal(strstr(said, "\"solution\":\"X\"") != NULL, i == 1);
        free(said);
    }
    struct buffer list;
    buffer_open(&list);
    soloist_sink sink = buffer_sink(&list);
    jobs_list(server.jobs, &sink);
    assert_non_null(strstr(list.text, "\"tag\":\"again\""));
    assert_null(strstr(list.text, "\"solution\""));
    buffer_close(&list);
    close_server(&server);
}

static void a_job_that_never_ran_is_not_said_to_be_unkept(void **state) {
    struct server server;
    char id[JOB_ID_ROOM];
    struct work work = {.kind = WORK_SOLVE, .text = strdup(level), .limits = {.time_s = 600, .threads = 1}};
    open_server(&server, *state);
    assert_int_equal(jobs_add(server.jobs, &work, id), JOBS_OK);
    char *said = description(&server, id);
    assert_null(strstr(said, "\"kept\""));
    free(said);
    assert_true(jobs_cancel(server.jobs, id));
    said = description(&server, id);
    assert_non_null(strstr(said, "\"state\":\"ended\""));
    assert_null(strstr(said, "\"kept\""));
    free(said);
    close_server(&server);
}

static void other_files_are_refused(void **state) {
    soloist_error error = {0};
    struct kept *kept = kept_open(*state, &error);
    assert_non_null(kept);
    assert_null(kept_open(*state, &error));
    assert_non_null(strstr(error.text, "another server uses this file"));
    kept_close(kept);
    append(*state, level);
    assert_null(kept_open(*state, &error));
    assert_non_null(strstr(error.text, "holds something else"));
    assert_null(kept_open("/no such folder/file", &error));
    assert_non_null(strstr(error.text, "/no such folder/file: "));
}

/* A full disk, played by a limit on the size of files: the job ends with its result and says that it is not kept. */
static void a_full_disk_is_reported(void **state) {
    struct server server;
    char id[JOB_ID_ROOM];
    struct rlimit before, none;
    open_server(&server, *state);
    getrlimit(RLIMIT_FSIZE, &before);
    none = (struct rlimit){.rlim_cur = 50, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
    solve(&server, id);
    setrlimit(RLIMIT_FSIZE, &before);
    char *said = description(&server, id);
    assert_non_null(strstr(said, "\"solution\":\"R\""));
    assert_non_null(strstr(said, "\"kept\":false"));
    free(said);
    close_server(&server);
    open_server(&server, *state);
    assert_null(description(&server, id));
    close_server(&server);
}

struct onlooker {
    struct server *server;
    char id[JOB_ID_ROOM];
    _Atomic bool ended;
    int early; /* how often a result was shown before its job had ended */
};

static void *look_on(void *user) {
    struct onlooker *onlooker = user;
    while (!onlooker->ended) {
        char *said = description(onlooker->server, onlooker->id);
        onlooker->early += said && strstr(said, "\"state\":\"running\"") && strstr(said, "\"solution\":\"R\"");
        free(said);
    }
    return NULL;
}

/* Nobody sees a result before it is in the file. */
static void a_result_is_kept_before_it_is_shown(void **state) {
    struct server server;
    open_server(&server, *state);
    for (int i = 0; i < 100; i++) {
        struct onlooker onlooker = {.server = &server};
        struct work work = {.kind = WORK_SOLVE, .text = strdup(level), .limits = {.time_s = 600, .threads = 1}};
        pthread_t thread;
        assert_int_equal(jobs_add(server.jobs, &work, onlooker.id), JOBS_OK);
        assert_int_equal(pthread_create(&thread, NULL, look_on, &onlooker), 0);
        assert_true(jobs_work(server.jobs));
        onlooker.ended = true;
        pthread_join(thread, NULL);
        assert_int_equal(onlooker.early, 0);
    }
    close_server(&server);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(results_are_there_again, make_path, remove_path),
        cmocka_unit_test_setup_teardown(only_some_are_remembered, make_path, remove_path),
        cmocka_unit_test_setup_teardown(a_later_line_replaces_an_earlier_one, make_path, remove_path),
        cmocka_unit_test_setup_teardown(other_files_are_refused, make_path, remove_path),
        cmocka_unit_test_setup_teardown(a_full_disk_is_reported, make_path, remove_path),
        cmocka_unit_test_setup_teardown(a_job_that_never_ran_is_not_said_to_be_unkept, make_path, remove_path),
        cmocka_unit_test_setup_teardown(a_result_is_kept_before_it_is_shown, make_path, remove_path),
    };
    signal(SIGXFSZ, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
