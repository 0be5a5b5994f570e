/* Searches of the largest boards in threads with little stack: what grows with a level is not kept there. */
#include "base/sanitizer.h"
#include "domain/sokoban/sokoban_plain.h"

#include <pthread.h>

/* Sanitizers put space around every variable. */
enum { stack_kib = HAS_SANITIZER ? 2048 : 256 };

/* An open hall, boxes and goals on every third square of every third row. */
static void draw_hall(char *text, int side) {
    for (int y = 0; y < side; y++)
        for (int x = 0; x <= side; x++) {
            bool edge = y == 0 || y == side - 1 || x == 0 || x == side - 1;
            char cell = x == side ? '\n' : edge ? '#' : x == 1 && y == 1 ? '@' : ' ';
            if (cell == ' ' && y % 3 == 0 && x % 3 == 0 && y < side - 3 && x < side - 3)
                cell = '$';
            else if (cell == ' ' && y % 3 == 2 && x % 3 == 2 && y < side - 3 && x < side - 3)
                cell = '.';
            text[y * (side + 1) + x] = cell;
        }
    text[side * (side + 1)] = 0;
}

struct task {
    soloist *engine;
    const char *text, *options, *method;
    uint64_t nodes;
    soloist_code code;
    soloist_error error;
    uint64_t done;
};

static void *work(void *argument) {
    struct task *task = argument;
    soloist_chunk chunk = plain_chunk(task->text);
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_limits limits = {.nodes = task->nodes, .iterations = 200, .threads = 1, .seed = 1};
    task->code = soloist_puzzle_read(&sokoban_domain, task->options, &chunk, &puzzle, &task->error);
    if (task->code != SOLOIST_OK)
        return NULL;
    task->code = soloist_solve(task->engine, &puzzle, task->method, &limits, NULL, &result, &task->error);
    if (task->code == SOLOIST_OK) {
        task->done = result.nodes + (result.has_iterations ? result.iterations : 0);
        soloist_result_free(&result);
    }
    soloist_puzzle_free(&puzzle);
    return NULL;
}

static void search(soloist *engine, int side, const char *options, const char *method, uint64_t nodes) {
    static char text[64 * 65 + 1];
    pthread_attr_t attributes;
    pthread_t thread;
    draw_hall(text, side);
    struct task task = {.engine = engine, .text = text, .options = options, .method = method, .nodes = nodes};
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, (size_t)stack_kib << 10), 0);
    assert_int_equal(pthread_create(&thread, &attributes, work, &task), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    if (task.code != SOLOIST_OK)
        fail_msg("%s: %s", method, task.error.text);
    assert_true(task.done > 0);
}

static void searches_need_little_stack(void **unused) {
    (void)unused;
    if (HAS_THREAD_SANITIZER) { /* one thread works, and slowly */
        print_message("SKIP needs a build without the thread sanitizer\n");
        skip();
        return;
    }
    soloist *engine = soloist_new();
    assert_non_null(engine);
    search(engine, 64, "", "astar", 300);
    search(engine, 64, "", "bhpa", 300);
    search(engine, 64, "", "mcts", 100);
    search(engine, 64, "bound=manhattan", "astar", 300);
    search(engine, 40, "", "fess", 200);
    search(engine, 40, "tunnels=out,goal_macros=on", "astar", 300);
    search(engine, 40, "pattern_deadlocks=on", "astar", 100);
    search(engine, 40, "penalties=rolling-stone", "idastar", 100);
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(searches_need_little_stack)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
