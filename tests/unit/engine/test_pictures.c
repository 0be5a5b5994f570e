/* Every method that `info` lists shows something of its own kind while it searches, and what it shows is true: lines
 * are legal, the path that was asked for is the one that is shown, and the search counts as if nobody watched. A method
 * without a painter fails here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "any_network.h"
#include "engine/engine.h"
#include "search/search.h"
#include "soloist_picture.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *domain, *text;
} cases[] = {
    {"sokoban", "#########\n#  .    #\n# $  $. #\n#@   $  #\n#  .    #\n#########\n"},
    {"sokoban", "#######\n#@ $. #\n#######\n"},
    {"samegame", "12132\n21213\n11232\n33121\n21312\n"},
    {"pancake", "5 2 7 1 6 8 4 3"},
    {"tiles", "8 6 7 2 5 4 3 0 1"},
    {"tictactoe", "X../.../..."},
};
enum { case_count = sizeof cases / sizeof *cases };

struct witness {
    const soloist_puzzle *puzzle;
    const char *method;
    int calls, shown, members;
    int kinds; /* one bit per kind */
};

/* A line that the domain can read is legal as far as it goes. Methods may search with other rules than the puzzle's. */
static void check_line(const struct witness *witness, const char *line) {
    soloist_error error = {0};
    const soloist_puzzle *puzzle = witness->puzzle;
    if (line && puzzle->domain->text->read(puzzle->instance, line, strlen(line), NULL, 0, &error) < 0)
        fail_msg("%s on %s shows the line %s: %s", witness->method, puzzle->domain->name, line, error.text);
}

static void check_branches(const struct witness *witness, const soloist_sight *sight, const soloist_picture *picture) {
    double priors = 0;
    check_line(witness, picture->line);
    check_line(witness, picture->node.line);
    for (size_t i = 0; i < picture->branch_count; i++) {
        const soloist_branch *branch = &picture->branches[i];
        assert_non_null(branch->line);
        check_line(witness, branch->line);
        assert_true(!i || branch->visits <= branch[-1].visits);
        priors += branch->has_prior ? branch->prior : 0;
    }
    if (picture->branch_count && picture->branches[0].has_prior && !picture->branches_left_out)
        assert_true(priors > 0.9 && priors < 1.1);
    if (picture->kind != SOLOIST_PICTURE_TREE || !picture->branch_count || !picture->branches[0].visits)
        return;
    /* The child's own branches: what it showed as a branch, it shows as the node. */
    soloist_branch first = picture->branches[0];
    char *line = strdup(first.line);
    const soloist_picture *child = soloist_look(sight, &first.move, 1);
    assert_true(child->path_count <= 1);
    if (child->path_count == 1)
        assert_string_equal(child->node.line, line);
    free(line);
}

static void check_bars(const soloist_picture *picture) {
    for (size_t i = 1; i < picture->bar_count; i++) {
        const soloist_bar *bar = &picture->bars[i];
        bool same = bar->axis == bar[-1].axis && bar->side == bar[-1].side;
        assert_true(bar->width >= 1);
        assert_true(!same || bar->at >= bar[-1].at + bar->width);
        assert_true(same || bar->axis > bar[-1].axis || bar->side > bar[-1].side);
    }
}

static bool is_empty(const soloist_picture *picture) {
    switch (picture->kind) {
    case SOLOIST_PICTURE_NONE: return true;
    case SOLOIST_PICTURE_TREE:
    case SOLOIST_PICTURE_POLICY: return !picture->branch_count;
    case SOLOIST_PICTURE_FRONT:
    case SOLOIST_PICTURE_DIVES:
    case SOLOIST_PICTURE_GAMES: return !picture->bar_count;
    case SOLOIST_PICTURE_CELLS: return !picture->cell_count || !picture->feature_count;
    case SOLOIST_PICTURE_LAYERS: return !picture->layer_count;
    case SOLOIST_PICTURE_LEVELS: return !picture->level_count;
    }
    return true;
}

static void see(void *user, const soloist_sight *sight) {
    struct witness *witness = user;
    const soloist_picture *picture = soloist_look(sight, NULL, 0);
    witness->calls++;
    witness->members += sight->member != NULL;
    assert_non_null(picture);
    witness->shown += !is_empty(picture);
    witness->kinds |= 1 << picture->kind;
    check_bars(picture);
    check_branches(witness, sight, picture);
}

static void look_on(const soloist *engine, const soloist_puzzle *puzzle, struct witness *witness) {
    struct any_network any;
    soloist_limits limits = {.nodes = 20000, .iterations = 5000, .seed = 1, .threads = 1, .memory = 1 << 26};
    soloist_watcher watcher = {sizeof watcher, see, witness, 1000, 47};
    soloist_result watched, alone;
    soloist_error error = {0};
    limits.network = any_network_open(&any, puzzle->domain);
    witness->puzzle = puzzle;
    if (soloist_method_suits(engine, puzzle, witness->method, &limits, &error) != SOLOIST_OK)
        return;
    soloist_code code = soloist_watch(engine, puzzle, witness->method, &limits, &watcher, &watched, &error);
    assert_int_equal(soloist_solve(engine, puzzle, witness->method, &limits, NULL, &alone, &error), code);
    if (code == SOLOIST_OK) {
        assert_int_equal(watched.nodes, alone.nodes);
        assert_int_equal(watched.iterations, alone.iterations);
        assert_int_equal(watched.status, alone.status);
    }
    soloist_result_free(&watched);
    soloist_result_free(&alone);
}

static void every_method_shows_itself(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_puzzle puzzles[case_count];
    int kinds = 0;
    for (int c = 0; c < case_count; c++) {
        soloist_chunk chunk = {.text = cases[c].text, .length = strlen(cases[c].text), .line = 1};
        assert_int_equal(
            soloist_puzzle_read(soloist_find_domain(engine, cases[c].domain), NULL, &chunk, &puzzles[c], NULL),
            SOLOIST_OK);
    }
    for (size_t i = 0; search_at(NULL, i); i++) {
        struct witness witness = {.method = search_at(NULL, i)->name};
        for (int c = 0; c < case_count; c++)
            look_on(engine, &puzzles[c], &witness);
        if (!witness.calls)
            fail_msg("%s was never seen", witness.method);
        if (!witness.shown)
            fail_msg("%s shows nothing of its own: call search_show", witness.method);
        if (!strcmp(witness.method, "auto"))
            assert_int_equal(witness.members, witness.calls);
        kinds |= witness.kinds;
    }
    for (int kind = SOLOIST_PICTURE_TREE; kind <= SOLOIST_PICTURE_GAMES; kind++)
        assert_true(kinds >> kind & 1);
    for (int c = 0; c < case_count; c++)
        soloist_puzzle_free(&puzzles[c]);
    soloist_free(engine);
}

/* Variants of methods that search by other code, and therefore paint by other code. */
static void variants_show_themselves(void **unused) {
    (void)unused;
    static const char tiles[] = "8 6 7 2 5 4 3 0 1";
    static const char *const variants[] = {"idastar:table=two-level", "idastar:table=deep", "astar:bound=network"};
    soloist *engine = soloist_new();
    const soloist_domain *domain = soloist_find_domain(engine, "tiles");
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        struct witness witness = {.method = variants[i]};
        soloist_chunk chunk = {.text = tiles, .length = strlen(tiles), .line = 1};
        soloist_watcher watcher = {sizeof watcher, see, &witness, 1000, 7};
        soloist_limits limits = {.nodes = 20000, .seed = 1, .threads = 1, .memory = 1 << 26};
        struct any_network any;
        soloist_puzzle puzzle;
        soloist_result result;
        soloist_error error = {0};
        assert_int_equal(soloist_puzzle_read(domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
        limits.network = any_network_open(&any, domain);
        witness.puzzle = &puzzle;
        if (soloist_watch(engine, &puzzle, variants[i], &limits, &watcher, &result, &error) != SOLOIST_OK)
            fail_msg("%s on %s: %s", variants[i], domain->name, error.text);
        if (!witness.shown)
            fail_msg("%s shows nothing of its own in %d calls", variants[i], witness.calls);
        soloist_result_free(&result);
        soloist_puzzle_free(&puzzle);
    }
    soloist_free(engine);
}

/* ---- several threads ---- */

struct seeker {
    struct witness witness;
    soloist_stop_token *stop;
    bool found;
};

/* Ends the search as soon as it has shown a line. */
static void seek(void *user, const soloist_sight *sight) {
    struct seeker *seeker = user;
    const soloist_picture *picture = soloist_look(sight, NULL, 0);
    check_line(&seeker->witness, picture->line);
    if (!picture->line || !*picture->line)
        return;
    seeker->found = true;
    soloist_stop_token_cancel(seeker->stop);
}

static void searches_on_several_threads_show_their_line(void **unused) {
    (void)unused;
    static const struct {
        const char *method, *domain, *text;
    } rows[] = {
        {"astar", "tiles", "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"},
        {"astar", "pancake", "3 14 1 9 12 5 16 2 11 7 15 4 13 8 10 6 20 18 17 19"},
        {"bfs", "tiles", "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"},
        {"idastar", "tiles", "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"},
        {"idastar", "pancake",
         "21 2 23 4 25 6 27 8 29 10 31 12 33 14 35 16 37 18 39 20 1 22 3 24 5 26 7 28 9 30 11 32 13 34 15 36 17 38 19 "
         "40"},
        {"idastar", "sokoban",
         "############\n#  #  #    #\n# $  $  $  #\n#   #  #   #\n#  $ .. $  #\n## #.. ..# #\n#   $      #\n#  @  #   "
         "##\n####"
         "########\n"},
    };
    soloist *engine = soloist_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        soloist_chunk chunk = {.text = rows[i].text, .length = strlen(rows[i].text), .line = 1};
        soloist_puzzle puzzle;
        soloist_result result;
        soloist_error error = {0};
        struct seeker seeker = {.witness = {&puzzle, rows[i].method, 0, 0, 0, 0}, .stop = soloist_stop_token_new()};
        soloist_watcher watcher = {sizeof watcher, seek, &seeker, 1000, 200};
        soloist_limits limits = {.nodes = 5000000, .seed = 1, .threads = 3, .memory = 1 << 29, .stop = seeker.stop};
        assert_int_equal(
            soloist_puzzle_read(soloist_find_domain(engine, rows[i].domain), NULL, &chunk, &puzzle, &error),
            SOLOIST_OK);
        assert_int_equal(soloist_watch(engine, &puzzle, rows[i].method, &limits, &watcher, &result, &error),
                         SOLOIST_OK);
        if (!seeker.found)
            fail_msg("%s on %s showed no line", rows[i].method, rows[i].domain);
        soloist_result_free(&result);
        soloist_puzzle_free(&puzzle);
        soloist_stop_token_free(seeker.stop);
    }
    soloist_free(engine);
}

/* ---- pausing ---- */

struct holder {
    soloist_watcher watcher;
    int calls;
    uint64_t nodes;
};

/* Each step is as long as was asked for, and the wish may change from call to call. */
static void step(void *user, const soloist_sight *sight) {
    struct holder *holder = user;
    uint64_t nodes = sight->progress->nodes;
    if (holder->calls)
        assert_true(nodes - holder->nodes >= holder->watcher.every &&
                    nodes - holder->nodes < 2 * holder->watcher.every);
    holder->nodes = nodes;
    holder->watcher.every = ++holder->calls % 2 ? 50 : 100;
}

static void a_search_goes_step_by_step(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_chunk chunk = {.text = cases[3].text, .length = strlen(cases[3].text), .line = 1};
    soloist_puzzle puzzle;
    struct holder holder = {0};
    soloist_result result;
    holder.watcher = (soloist_watcher){sizeof holder.watcher, step, &holder, 1000, 100};
    assert_int_equal(soloist_puzzle_read(soloist_find_domain(engine, "pancake"), NULL, &chunk, &puzzle, NULL),
                     SOLOIST_OK);
    soloist_limits limits = {.nodes = 1000};
    assert_int_equal(soloist_watch(engine, &puzzle, "bfs", &limits, &holder.watcher, &result, NULL), SOLOIST_OK);
    assert_in_range(holder.calls, 8, 14);
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_shows_itself),
        cmocka_unit_test(variants_show_themselves),
        cmocka_unit_test(searches_on_several_threads_show_their_line),
        cmocka_unit_test(a_search_goes_step_by_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
