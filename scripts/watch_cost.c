/* What it costs a search to be watched twenty times a second: for each method, the processor's time inside the watcher's
 * calls as a share of the whole, and how many calls there were. watch_cost SECONDS; see watch_cost.sh. */
#include "soloist_picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
    const char *domain, *method, *text;
} cases[] = {
#define SAMEGAME                                                                                                       \
    "123451234512345\n543215432154321\n112233445511223\n531425314253142\n121212343434555\n" \
    "235142351423514\n415234152341523\n333222111444555\n152341523415234\n251432514325143\n" \
    "125341253412534\n431254312543125\n152435152435152\n345123451234512\n214352143521435\n"
#define SOKOBAN                                                                                                        \
    "############\n#..  #     ###\n#..  # $  $  #\n#..  #$####  #\n#..    @ ##  #\n#..  # #  $ ##\n###### ##$ $ #\n" \
    "  # $  $ $ $ #\n  #    #     #\n  ############\n"
#define TILES "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n"
#define PANCAKES "24 1 22 3 20 5 18 7 16 9 14 11 12 13 10 15 8 17 6 19 4 21 2 23\n"
    {"samegame", "uct", SAMEGAME},    {"samegame", "spmcts", SAMEGAME}, {"samegame", "nrpa", SAMEGAME},
    {"samegame", "nmcs", SAMEGAME},   {"samegame", "beam", SAMEGAME},   {"samegame", "bestfirst", SAMEGAME},
    {"samegame", "random", SAMEGAME}, {"samegame", "auto", SAMEGAME},   {"sokoban", "astar", SOKOBAN},
    {"sokoban", "fess", SOKOBAN},     {"sokoban", "mcts", SOKOBAN},     {"sokoban", "auto", SOKOBAN},
    {"tiles", "astar", TILES},        {"tiles", "idastar", TILES},      {"tiles", "mm", TILES},
    {"tiles", "bfs", TILES},          {"tiles", "dbbs", TILES},         {"pancake", "greedy:improve=true", PANCAKES},
};

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

struct account {
    double spent_s, longest_s;
    int calls;
};

static void see(void *user, const soloist_sight *sight) {
    struct account *account = user;
    double before = now(CLOCK_THREAD_CPUTIME_ID);
    if (!soloist_look(sight, NULL, 0))
        abort();
    double took = now(CLOCK_THREAD_CPUTIME_ID) - before;
    account->spent_s += took;
    account->longest_s = took > account->longest_s ? took : account->longest_s;
    account->calls++;
}

static double measure(const soloist *engine, const char *domain, const char *method, const char *text, double seconds) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_puzzle puzzle;
    soloist_error error = {0};
    struct account account = {0};
    soloist_watcher watcher = {sizeof watcher, see, &account, 0.05, 0};
    soloist_limits limits = {.time_s = seconds, .threads = 1, .seed = 1, .memory = (size_t)1 << 30};
    soloist_result result;
    if (soloist_puzzle_read(soloist_find_domain(engine, domain), NULL, &chunk, &puzzle, &error) != SOLOIST_OK) {
        printf("%s: %s\n", domain, error.text);
        exit(1);
    }
    double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
    soloist_watch(engine, &puzzle, method, &limits, &watcher, &result, &error);
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu, wall = now(CLOCK_MONOTONIC) - wall;
    double share = cpu > 0 ? 100 * account.spent_s / cpu : 0;
    printf("%-9s %-20s %6.2f s %5d calls %5.1f per second %7.0f us longest %6.3f %%\n", domain, method, cpu,
           account.calls, account.calls / wall, 1e6 * account.longest_s, share);
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    return share;
}

int main(int count, char **words) {
    double most = 0, seconds = count > 1 ? atof(words[1]) : 3;
    soloist *engine = soloist_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double share = measure(engine, cases[i].domain, cases[i].method, cases[i].text, seconds);
        most = share > most ? share : most;
    }
    printf("at most %.3f %% of a search's time (limit: 1 %%)\n", most);
    soloist_free(engine);
    return most < 1 ? 0 : 1;
}
