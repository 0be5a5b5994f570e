/* Macro moves. Tunnels that promise to keep the least pushes are held against the whole state space of small levels and
 * against plain searches of larger ones. The macros and cuts that promise nothing must still play by the rules, and
 * never be taken for a proof. */
#include "domain/sokoban/sokoban_whole.h"

#include "domain/sokoban/sokoban_generated.h"

#include "base/sanitizer.h"
#include "domain/sokoban/macro/goal_room.h"
#include "domain/validate.h"

#include <stdio.h>

#ifndef SOLOIST_SHARED
#define SOLOIST_SHARED ""
#endif

/* Floors with tunnels, straight, bent, in circles, with rooms at their ends; sixteen squares at most. */
static const char *const floors[] = {
    "#######\n#     #\n# ### #\n# ### #\n# ### #\n#     #\n#######\n",
    "######\n#    #\n# ## #\n#    #\n# ## #\n#    #\n######\n",
    "#########\n#  #   ##\n#       #\n#  #    #\n#########\n",
    "########\n#  ##  #\n#      #\n## ##  #\n## ## ##\n##    ##\n########\n",
    "#########\n##  #  ##\n#       #\n###   ###\n#########\n",
    "######\n#    #\n# ## #\n# ## #\n# ## #\n#    #\n######\n",
};
#define FLOORS (sizeof floors / sizeof *floors)

static void draw_level(soloist_rng *rng, const char *floor, int most_boxes, char *text) {
    int boxes = 1 + (int)soloist_rng_below(rng, (uint32_t)most_boxes), goals = boxes;
    goals += soloist_rng_below(rng, 4) == 0;
    strcpy(text, floor);
    for (int i = 0; i < boxes + goals + 1; i++) {
        size_t at;
        do
            at = soloist_rng_below(rng, (uint32_t)strlen(text));
        while (text[at] != ' ');
        text[at] = i == 0 ? '@' : i <= boxes ? '$' : '.';
    }
}

struct tally {
    int states, macros;
};

/* Of a solvable state some child's cost and its step make up the state's own. */
static void check_state(const struct whole *w, const soloist_instance *instance, unsigned at, struct tally *tally) {
    const struct sokoban *game = sokoban_of(instance);
    _Alignas(8) unsigned char state[64], child[64];
    soloist_child children[64];
    whole_state(w, game, at >> 4, (int)(at & 15), (void *)state);
    int least = WHOLE_FAR;
    int count = sokoban_push_core.expand(instance, state, SOLOIST_NO_MOVE, SOLOIST_WANT_BOUND, children);
    for (int i = 0; i < count; i++) {
        memcpy(child, state, sizeof child);
        assert_int_equal(sokoban_push_core.apply(instance, child, children[i].move, NULL), children[i].step);
        int cost = w->pushes[whole_index(w, game, child)] + children[i].step;
        assert_true(children[i].bound + children[i].step <= cost);
        least = cost < least ? cost : least;
        tally->macros += sokoban_is_macro(children[i].move);
    }
    tally->states++;
    if (w->pushes[at] > 0 && w->pushes[at] < WHOLE_FAR)
        assert_int_equal(least, w->pushes[at]);
}

static void check_level(const char *text, const char *options, struct tally *tally) {
    struct whole whole;
    struct sokoban_level level;
    soloist_chunk chunk = plain_chunk(text);
    if (!sokoban_level_parse(&chunk, &level, NULL) || !whole_open(&whole, &level))
        return;
    soloist_instance *instance = plain_instance(&sokoban_domain, options, &chunk);
    assert_true(sokoban_bound.lossless(instance));
    for (unsigned at = 0; at < 1u << (whole.floor + 4); at++)
        if (whole_holds(&whole, at))
            check_state(&whole, instance, at, tally);
    sokoban_domain.life->destroy(instance);
    whole_close(&whole);
}

static void tunnels_keep_least_pushes(void **unused) {
    (void)unused;
    static const char *const options[] = {"tunnels=keeping,pairs=off", "tunnels=keeping,corrals=off",
                                          "tunnels=keeping,corrals=off,freeze=off,wall_line=off,pairs=off"};
    struct tally tally = {0};
    soloist_rng rng;
    char text[128];
    soloist_rng_seed(&rng, 21, 0);
    for (int i = 0; i < 72; i++) {
        draw_level(&rng, floors[(size_t)i % FLOORS], 4, text);
        check_level(text, options[i / 6 % 3], &tally);
    }
    for (int levels = 0; levels < 40;)
        if (whole_draw_boxes(&rng, 4, text, sizeof text))
            check_level(text, options[levels++ % 3], &tally);
    print_message("%d states, %d macros\n", tally.states, tally.macros);
    assert_true(tally.macros > 300);
}

/* Solves a level: the status, with the cost and whether it is proved. */
static soloist_status solve(const soloist *engine, const soloist_chunk *chunk, const char *options, const char *method,
                            uint64_t nodes, int32_t *cost, bool *optimal) {
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error = {0};
    soloist_limits limits = {.threads = 1, .nodes = nodes};
    if (soloist_puzzle_read(&sokoban_domain, options, chunk, &puzzle, &error) ||
        soloist_solve(engine, &puzzle, method, &limits, NULL, &result, &error))
        fail_msg("%s", error.text);
    soloist_status status = result.status;
    *cost = result.verdict.value;
    *optimal = result.optimal;
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    return status;
}

/* Any method that is to be told from the plain search. keeps: it promises the least pushes. */
struct way {
    const char *options, *method;
    bool keeps;
};

static const struct way ways[] = {
    {"tunnels=keeping", "astar", true},
    {"tunnels=keeping", "idastar", true},
    {"tunnels=keeping,corrals=off", "nbs", true},
    {"tunnels=out", "astar", false},
    {"goal_macros=on", "idastar", false},
    {"goal_macros=on,goal_cuts=near,tunnels=keeping", "astar", false},
    {"goal_macros=on,goal_cuts=far,tunnels=out", "idastar:weight=150,relevance=10,order=inertia", false},
    {"listing=macros,goal_macros=on,goal_cuts=far,tunnels=out", "uct", false},
    {"rules=none,deadlock_tables=on", "astar", true},
    {"", "fess:restart=20", false},
    {"", "idastar:weight=200", false},
    {"", "idastar:relevance=10,influence=8,switches=0", false},
    {"tunnels=keeping", "idastar:relevance=6,influence=1,table=none", false},
};
#define WAYS (sizeof ways / sizeof *ways)

/* Returns whether it was solved. */
static bool compare(const soloist *engine, const soloist_chunk *chunk, const struct way *way, uint64_t nodes,
                    soloist_status plain, int32_t least) {
    int32_t cost;
    bool optimal;
    soloist_status status = solve(engine, chunk, way->options, way->method, nodes, &cost, &optimal);
    if (way->keeps && !nodes)
        assert_int_equal(status, plain);
    if (status == SOLOIST_IMPOSSIBLE)
        assert_int_equal(plain, SOLOIST_IMPOSSIBLE);
    if (status != SOLOIST_SOLVED)
        return false;
    assert_int_equal(plain, SOLOIST_SOLVED);
    assert_true(cost >= least && (!optimal || cost == least) && (!way->keeps || nodes || optimal));
    return true;
}

static void generated_levels_agree(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_rng rng;
    int solved[WAYS] = {0};
    soloist_rng_seed(&rng, 22, 0);
    for (int i = 0; i < 200; i++) {
        char *text = generated_level(7 + i % 3, 2 + i % 3, &rng);
        soloist_chunk chunk = plain_chunk(text);
        int32_t least;
        bool optimal;
        soloist_status plain = solve(engine, &chunk, "corrals=off", "astar", 0, &least, &optimal);
        for (size_t k = 0; k < WAYS; k++)
            solved[k] += compare(engine, &chunk, &ways[k], ways[k].keeps ? 0 : 5000, plain, least);
        free(text);
    }
    for (size_t k = 0; k < WAYS; k++) {
        print_message("%s %s: %d of 200\n", ways[k].options, ways[k].method, solved[k]);
        assert_true(solved[k] >= (ways[k].keeps ? 200 : 100));
    }
    soloist_free(engine);
}

/* Levels without solutions among them. */
static void drawn_levels_agree(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_rng rng;
    char text[128];
    int none = 0;
    soloist_rng_seed(&rng, 23, 0);
    for (int i = 0; i < 300; i++) {
        draw_level(&rng, floors[(size_t)i % FLOORS], 3, text);
        soloist_chunk chunk = plain_chunk(text);
        int32_t least;
        bool optimal;
        soloist_status plain = solve(engine, &chunk, "corrals=off", "astar", 0, &least, &optimal);
        none += plain == SOLOIST_IMPOSSIBLE;
        for (size_t k = 0; k < WAYS; k++)
            compare(engine, &chunk, &ways[k], ways[k].keeps ? 0 : 5000, plain, least);
    }
    assert_true(none > 50 && none < 290);
    soloist_free(engine);
}

static void contract_holds(void **unused) {
    (void)unused;
    static const char *const options[] = {"tunnels=keeping",
                                          "tunnels=out,corrals=off",
                                          "goal_macros=on",
                                          "goal_macros=on,goal_cuts=near,tunnels=keeping",
                                          "goal_macros=on,goal_cuts=far,tunnels=out",
                                          "goal_macros=on,tunnels=keeping,optimal=moves"};
    soloist_rng rng;
    soloist_rng_seed(&rng, 24, 0);
    for (int i = 0; i < 60; i++) {
        char drawn[128], *made = i % 2 ? generated_level(8 + i % 4, 3 + i % 2, &rng) : NULL;
        if (!made)
            draw_level(&rng, floors[(size_t)(i / 2) % FLOORS], 3, drawn);
        soloist_chunk chunk = plain_chunk(made ? made : drawn);
        soloist_puzzle puzzle;
        soloist_error error = {0};
        if (soloist_puzzle_read(&sokoban_domain, options[i % 6], &chunk, &puzzle, &error))
            fail_msg("%s", error.text);
        if (!domain_validate(&sokoban_domain, &puzzle, (uint64_t)i, 3, 30, &error))
            fail_msg("%s: %s\n%s", options[i % 6], error.text, made ? made : drawn);
        soloist_puzzle_free(&puzzle);
        free(made);
    }
}

/* The children of the root as text, in order. */
static char *children_of(const char *text, const char *options) {
    soloist_chunk chunk = plain_chunk(text);
    soloist_child children[64];
    _Alignas(8) unsigned char state[256];
    struct buffer buffer;
    soloist_instance *instance = plain_instance(&sokoban_domain, options, &chunk);
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    sink.write(sink.to, "", 0);
    sokoban_root(instance, state);
    int count = sokoban_push_core.expand(instance, state, SOLOIST_NO_MOVE, 0, children);
    for (int i = 0; i < count; i++) {
        soloist_put(&sink, i ? "; " : "");
        sokoban_text.move(instance, state, children[i].move, &sink);
    }
    sokoban_domain.life->destroy(instance);
    return buffer_take(&buffer);
}

static const struct {
    const char *what, *options, *text, *children;
} pictures[] = {
    {"there is no other way round: the box goes through, and out", "tunnels=keeping",
     "#############\n"
     "#   ######  #\n"
     "# @$      . #\n"
     "#   ######  #\n"
     "#############\n",
     "(4,3) right to (11,3)"},
    {"it may stop on a goal in the tunnel", "tunnels=keeping",
     "#############\n"
     "#   ######  #\n"
     "# @$  .   . #\n"
     "#   ######  #\n"
     "#############\n",
     "(4,3) right to (7,3)"},
    {"in a circle it may wait at the mouth, and go back", "tunnels=keeping",
     "##########\n"
     "#@$     .#\n"
     "# ##### ##\n"
     "#       ##\n"
     "##########\n",
     "(3,2) right to (7,2)"},
    {"from outside the tunnel the first push is one of its own", "tunnels=keeping",
     "############\n"
     "#  ##### . #\n"
     "#@$        #\n"
     "#  #####   #\n"
     "##         #\n"
     "############\n",
     "(3,3) right; (3,3) down"},
    {"nothing may be pushed against a box in a tunnel", "tunnels=keeping",
     "#############\n"
     "#   ######. #\n"
     "# @$   $  . #\n"
     "#   ######  #\n"
     "#############\n",
     ""},
    {"the thesis goes out of every tunnel", "tunnels=out",
     "##########\n"
     "#@$     .#\n"
     "# ##### ##\n"
     "#       ##\n"
     "##########\n",
     "(3,2) right to (8,2)"},
    {"into the room of goals, to the farthest", "goal_macros=on,goal_cuts=near",
     "###########\n"
     "#....#    #\n"
     "#     $@  #\n"
     "#    # $$ #\n"
     "###### $  #\n"
     "     #    #\n"
     "     ######\n",
     "(7,3) left to (2,2)"},
};

static void pictures_hold(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        char *children = children_of(pictures[i].text, pictures[i].options);
        if (strcmp(children, pictures[i].children))
            fail_msg("%s: expected '%s', got '%s'\n%s", pictures[i].what, pictures[i].children, children,
                     pictures[i].text);
        free(children);
    }
}

/* With listing=macros, `moves` gives what expand gives, and besides only moves to dead positions; never a push onto a
 * dead square. Returns how many moves expand left out. */
static int compare_lists(const soloist_instance *instance, const void *state, soloist_move *moves, int *count) {
    const struct sokoban *game = sokoban_of(instance);
    soloist_child children[64];
    _Alignas(8) unsigned char child[64];
    int listed = sokoban_push_core.expand(instance, state, SOLOIST_NO_MOVE, 0, children), found = 0;
    *count = sokoban_push_core.moves(instance, state, moves);
    for (int i = 0; i < *count; i++) {
        int at = 0;
        while (at < listed && children[at].move != moves[i])
            at++;
        found += at < listed;
        memcpy(child, state, sizeof child);
        sokoban_push_core.apply(instance, child, moves[i], NULL);
        if (at == listed)
            assert_true(sokoban_dead(instance, child));
        if (!sokoban_is_macro(moves[i]))
            assert_true(bitset_has(game->live.some, (unsigned)sokoban_push_end(game, moves[i])));
    }
    assert_int_equal(found, listed);
    return *count - found;
}

static void macros_replace_pushes_in_lists(void **unused) {
    (void)unused;
    int left_out = 0, macros = 0;
    soloist_rng rng;
    char text[128];
    soloist_rng_seed(&rng, 5, 0);
    for (int i = 0; i < 300; i++) {
        draw_level(&rng, floors[(size_t)i % FLOORS], 3, text);
        soloist_chunk chunk = plain_chunk(text);
        soloist_instance *instance = plain_instance(&sokoban_domain, "rules=marocchi", &chunk);
        _Alignas(8) unsigned char state[64];
        soloist_move moves[64];
        int count = 1;
        sokoban_domain.life->root(instance, state);
        for (int step = 0; step < 20 && count && !sokoban_dead(instance, state); step++) {
            left_out += compare_lists(instance, state, moves, &count);
            for (int k = 0; k < count; k++)
                macros += sokoban_is_macro(moves[k]);
            if (count)
                sokoban_push_core.apply(instance, state, moves[soloist_rng_below(&rng, (uint32_t)count)], NULL);
        }
        sokoban_domain.life->destroy(instance);
    }
    print_message("%d moves to dead positions, %d macros\n", left_out, macros);
    assert_true(left_out > 10 && macros > 20);
}

/* All of Microban that plain A* solves within a few nodes; under a sanitizer, which is slow, one level in four. */
static void microban_agrees(void **unused) {
    (void)unused;
    size_t length = 0, room = 1 << 20;
    FILE *file = fopen(SOLOIST_SHARED "/levels/microban1.xsb", "rb");
    if (!file) {
        print_message("SKIP needs shared: levels/microban1.xsb\n");
        skip();
        return;
    }
    char *text = malloc(room);
    assert_non_null(text);
    length = fread(text, 1, room, file);
    fclose(file);
    soloist *engine = soloist_new();
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk;
    const int step = HAS_SANITIZER ? 4 : 1;
    int solved = 0;
    for (int number = 0; sokoban_domain.life->next(&cursor, &chunk); number++) {
        int32_t least;
        bool optimal;
        if (number % step || solve(engine, &chunk, "", "astar", 10000, &least, &optimal) != SOLOIST_SOLVED)
            continue;
        solved++;
        assert_true(compare(engine, &chunk, &ways[0], 40000, SOLOIST_SOLVED, least));
        for (size_t k = 1; k < WAYS; k++)
            compare(engine, &chunk, &ways[k], 5000, SOLOIST_SOLVED, least);
    }
    assert_true(solved > 100 / step);
    soloist_free(engine);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tunnels_keep_least_pushes),
        cmocka_unit_test(generated_levels_agree),
        cmocka_unit_test(drawn_levels_agree),
        cmocka_unit_test(contract_holds),
        cmocka_unit_test(pictures_hold),
        cmocka_unit_test(macros_replace_pushes_in_lists),
        cmocka_unit_test(microban_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
