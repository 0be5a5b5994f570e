/* The system may refuse memory at any moment of any solve: every method on every domain, where an allocation fails,
 * once, or all from one on. A solve ends with a result that holds, or says that memory ran out; nothing leaks (which
 * only the build with the address sanitizer sees).
 *
 *     test_failing_allocations [TRIES]
 *
 * TRIES is the number of allocations that are tried in each sweep, spread over the solve; 0: all of them. */
#include "memory_subjects.h"
#include "fault/wrap_alloc.h"

static uint64_t tries = HAS_THREAD_SANITIZER ? 1 : 2;

/* In builds with the address sanitizer: complains about blocks that nothing points to, and returns whether there are
 * any. */
__attribute__((weak)) int __lsan_do_recoverable_leak_check(void);

/* What one solve depends on. */
struct question {
    const soloist *engine;
    const soloist_domain *domain;
    const struct subject *subject;
    const char *method;
    int threads;
    soloist_network *network;
};

/* Reads the puzzle and solves it. */
static soloist_code read_and_solve(const struct question *q, soloist_result *result, soloist_error *error) {
    soloist_puzzle puzzle;
    *result = (soloist_result){0};
    soloist_code code = read_subject(q->domain, q->subject, &puzzle, error);
    if (code != SOLOIST_OK)
        return code;
    code = solve(q->engine, &puzzle, q->method, q->threads, 0, q->network, result, error);
    soloist_puzzle_free(&puzzle);
    return code;
}

static const char *try_one(const struct question *q, uint64_t number, bool for_good, const soloist_result *usual) {
    static soloist_error error;
    soloist_result result;
    error = (soloist_error){0};
    wrap_alloc_begin(number, for_good);
    soloist_code code = read_and_solve(q, &result, &error);
    wrap_alloc_end();
    const char *lie = NULL;
    if (code == SOLOIST_OK)
        lie = find_lie(q->subject, &result, usual, 0);
    else if (code != SOLOIST_NO_MEMORY || !strstr(error.text, "memory"))
        lie = *error.text ? error.text : "an error without a sentence";
    soloist_result_free(&result);
    return lie;
}

static void sweep(const soloist *engine, const struct subject *subject, const char *method, int threads,
                  struct notice *notice) {
    struct any_network any;
    soloist_error error = {0};
    soloist_result usual;
    struct question q = {.engine = engine, .subject = subject, .method = method, .threads = threads};
    q.domain = soloist_find_domain(engine, subject->domain);
    q.network = open_network(q.domain, subject, &any);
    notice->what = "allocation";
    wrap_alloc_begin(0, false);
    bool suits = read_and_solve(&q, &usual, &error) == SOLOIST_OK;
    uint64_t count = wrap_alloc_end(), first = notice->sweeps++, most = tries && tries < count ? tries : count;
    const char *lie = NULL;
    for (uint64_t i = 0; suits && !lie && i < 2 * most; i++) {
        notice->at = 1 + (first + i / 2 * count / most) % count; /* each sweep begins at another one */
        notice->runs++;
        lie = try_one(&q, notice->at, i % 2, &usual);
    }
    soloist_result_free(&usual);
    close_network(subject, q.network);
    if (lie)
        fault(notice, lie);
    else if (__lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check())
        fault(notice, "a block was not freed");
}

static void every_method_without_an_allocation(void **unused) {
    (void)unused;
    struct bench bench = open_bench();
    close_bench(&bench, sweep_all(&bench, sweep, 0));
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_method_without_an_allocation)};
    if (argc > 1) {
        tries = strtoull(argv[1], NULL, 10);
        every_pair = true;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
