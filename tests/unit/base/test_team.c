/* A team of threads: every worker works once, under its own number, and what it wrote is there after the join. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/sanitizer.h"

#include <pthread.h>

/* The module itself is compiled here, with a pthread_create that can refuse: no machine does so when asked. */
static int threads_left = -1; /* -1: as many as wanted */
static int create(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *), void *argument) {
    if (threads_left == 0)
        return 11;
    if (threads_left > 0)
        threads_left--;
    return pthread_create(thread, attributes, begin, argument);
}
#define pthread_create create
#include "../../src/base/team.c"
#undef pthread_create

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

/* Plain slots without a lock: under the thread sanitizer a worker that shared its number, or a join that did not wait,
 * is a race. */
struct work {
    int done[TEAM_MOST];
    _Atomic int total;
    int members;      /* of the teams that the workers start themselves */
    pthread_t caller; /* who must not work itself */
};

static void note(void *user, int worker) {
    struct work *work = user;
    work->done[worker]++;
    atomic_fetch_add(&work->total, 1);
}

static void check_done(const struct work *work, int size) {
    assert_int_equal(atomic_load(&work->total), size);
    for (int i = 0; i < TEAM_MOST; i++)
        assert_int_equal(work->done[i], i < size);
}

static void every_worker_works_once(void **state) {
    (void)state;
    static const int counts[] = {1, 2, 3, 8, 31};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct work work = {0};
        assert_int_equal(team_run(counts[i], note, &work), counts[i]);
        check_done(&work, counts[i]);
    }
}

static void less_than_one_is_the_caller(void **state) {
    (void)state;
    for (int count = -1; count < 2; count++) {
        struct work work = {0};
        assert_int_equal(team_run(count, note, &work), 1);
        check_done(&work, 1);
    }
}

static void refused_threads_make_it_smaller(void **state) {
    (void)state;
    for (int left = 0; left < 5; left++) {
        struct work work = {0};
        threads_left = left;
        assert_int_equal(team_run(8, note, &work), left + 1);
        threads_left = -1;
        check_done(&work, left + 1);
    }
}

/* The thread sanitizer has no room for so many threads on arm64. */
static void need_room_for_threads(void) {
#if HAS_THREAD_SANITIZER && defined(__aarch64__)
    skip();
#endif
}

static void no_more_than_there_is_room_for(void **state) {
    (void)state;
    need_room_for_threads();
    struct work work = {0};
    struct team team;
    threads_left = TEAM_MOST;
    int size = team_start(&team, TEAM_MOST + 9, note, &work);
    threads_left = -1;
    assert_in_range(size, 1, TEAM_MOST);
    note(&work, 0);
    team_join(&team);
    check_done(&work, size);
}

/* Between start and join the caller does what it likes; the others run meanwhile. */
static void wait_for_caller(void *user, int worker) {
    struct work *work = user;
    while (!atomic_load(&work->total))
        ;
    work->done[worker]++;
}

static void caller_works_between(void **state) {
    (void)state;
    struct work work = {0};
    struct team team;
    int size = team_start(&team, 3, wait_for_caller, &work);
    assert_int_equal(size, 3);
    work.done[0]++;
    atomic_store(&work.total, 3);
    team_join(&team);
    check_done(&work, 3);
    team_join(&team); /* nobody is left to wait for */
}

/* ---- a team without the caller ---- */

static void note_elsewhere(void *user, int worker) {
    const struct work *work = user;
    if (!pthread_equal(pthread_self(), work->caller))
        note(user, worker);
}

static void workers_beside_the_caller(void **state) {
    (void)state;
    static const int counts[] = {1, 2, 3, 8, 31};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct work work = {.caller = pthread_self()};
        struct team team;
        assert_int_equal(team_start_beside(&team, counts[i], note_elsewhere, &work), counts[i]);
        team_join(&team);
        check_done(&work, counts[i]);
    }
}

static void refused_threads_beside_the_caller(void **state) {
    (void)state;
    for (int left = 0; left < 5; left++) {
        struct work work = {0};
        struct team team;
        threads_left = left;
        int size = team_start_beside(&team, 8, note, &work);
        threads_left = -1;
        assert_int_equal(size, left);
        team_join(&team);
        check_done(&work, left);
    }
}

static void no_more_beside_than_there_is_room_for(void **state) {
    (void)state;
    need_room_for_threads();
    struct work work = {0};
    struct team team;
    int size = team_start_beside(&team, TEAM_MOST + 9, note, &work);
    assert_in_range(size, 1, TEAM_MOST);
    team_join(&team);
    check_done(&work, size);
}

static void nobody_to_wait_for(void **state) {
    (void)state;
    struct work work = {0};
    struct team team = {0};
    team_join(&team);
    for (int count = -1; count < 1; count++)
        assert_int_equal(team_start_beside(&team, count, note, &work), 0);
    team_join(&team);
    check_done(&work, 0);
}

static void lead(void *user, int worker) {
    struct work *all = user, mine = {0};
    if (team_run(all->members, note, &mine) == atomic_load(&mine.total))
        note(all, worker);
}

static void workers_have_teams(void **state) {
    (void)state;
    struct work work = {.members = 4};
    assert_int_equal(team_run(3, lead, &work), 3);
    check_done(&work, 3);
}

struct looked_at {
    struct work work;
    _Atomic int looks;
};

/* The workers beside the caller end only after the caller has looked three times. */
static void wait_for_looks(void *user, int worker) {
    struct looked_at *now = user;
    while (worker && atomic_load(&now->looks) < 3)
        sched_yield();
    note(&now->work, worker);
}

static void look(void *user) { atomic_fetch_add(&((struct looked_at *)user)->looks, 1); }

static void caller_looks_until_all_are_done(void **state) {
    (void)state;
    for (int left = -1; left < 4; left++) {
        struct looked_at now = {0};
        threads_left = left;
        team_run_watched(5, wait_for_looks, look, &now);
        threads_left = -1;
        check_done(&now.work, left < 0 ? 5 : left + 1);
        assert_int_equal(atomic_load(&now.looks) >= 3, left != 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_worker_works_once),
        cmocka_unit_test(less_than_one_is_the_caller),
        cmocka_unit_test(refused_threads_make_it_smaller),
        cmocka_unit_test(no_more_than_there_is_room_for),
        cmocka_unit_test(caller_works_between),
        cmocka_unit_test(workers_beside_the_caller),
        cmocka_unit_test(refused_threads_beside_the_caller),
        cmocka_unit_test(no_more_beside_than_there_is_room_for),
        cmocka_unit_test(nobody_to_wait_for),
        cmocka_unit_test(workers_have_teams),
        cmocka_unit_test(caller_looks_until_all_are_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
