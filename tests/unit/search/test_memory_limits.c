/* Memory may run out at any moment of any search: every method on every domain, under limits from one kilobyte up. A
 * run ends with a result that says so, or with one sentence; never by a signal, and never with a false claim.
 *
 *     test_memory_limits [STEP [MOST]]
 *
 * STEP is the factor from one limit to the next (1.02: the full sweep), MOST the last limit in bytes. */
#include "memory_subjects.h"

/* Sanitizers are slow; other builds take smaller steps. Under the address sanitizer, test_failing_allocations ends
 * every search in still other places. */
static double least = 1024, step = HAS_THREAD_SANITIZER ? 4 : HAS_ADDRESS_SANITIZER ? 2 : 1.25, most = 40e6;

static void sweep(const soloist *engine, const struct subject *subject, const char *method, int threads,
                  struct notice *notice) {
    soloist_puzzle puzzle;
    soloist_error error = {0};
    soloist_result usual, result;
    const soloist_domain *domain = soloist_find_domain(engine, subject->domain);
    notice->what = "bytes";
    if (read_subject(domain, subject, &puzzle, &error) != SOLOIST_OK) {
        fault(notice, error.text);
        return;
    }
    struct any_network any;
    soloist_network *network = open_network(domain, subject, &any);
    bool suits = solve(engine, &puzzle, method, threads, 0, network, &usual, &error) == SOLOIST_OK;
    const char *lie = suits ? find_lie(subject, &usual, &usual, 0) : NULL;
    for (double limit = least; suits && !lie && limit < most; limit = limit * step + 1) {
        notice->at = (uint64_t)limit;
        notice->runs++;
        soloist_code code = solve(engine, &puzzle, method, threads, (size_t)limit, network, &result, &error);
        if (code == SOLOIST_OK)
            lie = find_lie(subject, &result, &usual, (size_t)limit);
        else if (code != SOLOIST_NO_MEMORY || !*error.text)
            lie = *error.text ? error.text : "an error without a sentence";
        bool enough =
            code == SOLOIST_OK && result.stopped != SOLOIST_STOP_MEMORY && limit > 1.5 * (double)usual.peak_bytes;
        soloist_result_free(&result);
        if (enough)
            break;
    }
    if (lie)
        fault(notice, lie);
    soloist_result_free(&usual);
    close_network(subject, network);
    soloist_puzzle_free(&puzzle);
}

static void every_method_under_every_limit(void **unused) {
    (void)unused;
    struct bench bench = open_bench();
    int faults = sweep_all(&bench, sweep, 1);
    close_bench(&bench, faults);
}

/* Tree searches begin with four megabytes in one piece: what comes after it lies between two steps of the sweep. */
static void trees_that_have_just_been_opened(void **unused) {
    (void)unused;
    static const char *const trees[] = {"mcts", "uct", "spmcts", "schokoban", "uct:pool=64"};
    struct bench bench = open_bench();
    double usual_least = least, usual_step = step, usual_most = most;
    int faults = 0;
    least = 4 << 20, step = usual_step >= 2 ? 1.005 : 1.0005, most = 4.7e6;
    for (size_t t = 0; t < sizeof trees / sizeof *trees; t++)
        for (int threads = 1; threads <= 2; threads++)
            faults += !sweep_apart(sweep, bench.engine, &subjects[1], trees[t], threads, bench.notice);
    least = usual_least, step = usual_step, most = usual_most;
    close_bench(&bench, faults);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_method_under_every_limit),
                                       cmocka_unit_test(trees_that_have_just_been_opened)};
    if (argc > 1 && atof(argv[1]) > 1) {
        step = atof(argv[1]);
        every_pair = true;
    }
    if (argc > 2)
        most = atof(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
