/* Corrals against the truth: on small levels every state is solved by plain improvement, and whatever expand leaves out
 * the least number of pushes stays. Larger levels are solved with and without. */
#include "domain/sokoban/sokoban_whole.h"

#include "domain/sokoban/sokoban_generated.h"

#include "domain/sokoban/deadlock/corral.h"

/* What each run is to check. */
struct config {
    const char *options;
    bool first; /* may leave out pushes that another can precede; else only such as lose */
};

static const struct config configs[] = {
    {"corral_deadlocks=on", true},
    {"corral_deadlocks=off", true},
    {"corrals=off,corral_deadlocks=on", false},
    {"corral_deadlocks=on,freeze=off", true},
    {"corral_deadlocks=on,wall_line=off", true},
    {"optimal=moves,corral_deadlocks=on", false},
};
#define CONFIGS (sizeof configs / sizeof *configs)

/* How often the rules spoke: a test in which one never does shows nothing. */
struct tally {
    int levels, states;
    int restricted; /* some pushes are left out */
    int ended;      /* all are, though not all are dead */
};

/* Of a solvable state some child is one push nearer; what is left out is named by `pruned`, and by nothing else. */
static void check_state(const struct whole *w, const soloist_instance *instance, const struct config *config,
                        unsigned at, struct tally *tally) {
    const struct sokoban *game = sokoban_of(instance);
    _Alignas(8) unsigned char state[64], child[64];
    soloist_move moves[64];
    soloist_child children[64];
    whole_state(w, game, at >> 4, (int)(at & 15), (void *)state);
    int count = sokoban_push_core.moves(instance, state, moves), listed = 0, left_out = 0, least = WHOLE_FAR;
    int expanded = sokoban_push_core.expand(instance, state, SOLOIST_NO_MOVE, SOLOIST_WANT_KEY, children);
    for (int i = 0; i < count; i++) {
        memcpy(child, state, sizeof child);
        sokoban_push_core.apply(instance, child, moves[i], NULL);
        bool dead = sokoban_bound.dead(instance, child), pruned = sokoban_bound.pruned(instance, state, moves[i]);
        int cost = w->pushes[whole_index(w, game, child)];
        assert_false((dead || (pruned && !config->first)) && cost != WHOLE_FAR);
        left_out += pruned && !dead;
        if (dead || pruned)
            continue;
        assert_true(listed < expanded && children[listed].move == moves[i]);
        assert_int_equal(children[listed++].key, sokoban_push_core.key(instance, child));
        least = cost < least ? cost : least;
    }
    assert_int_equal(listed, expanded);
    int cost = w->pushes[at];
    if (cost > 0 && cost < WHOLE_FAR)
        assert_int_equal(least, cost - 1);
    tally->states++;
    tally->restricted += left_out && listed;
    tally->ended += left_out && !listed;
}

static void check_level(const char *text, const struct config *config, struct tally *tally) {
    struct whole whole;
    struct sokoban_level level;
    soloist_chunk chunk = plain_chunk(text);
    assert_true(sokoban_level_parse(&chunk, &level, NULL));
    if (!whole_open(&whole, &level))
        return;
    soloist_instance *instance = plain_instance(&sokoban_domain, config->options, &chunk);
    for (unsigned at = 0; at < 1u << (whole.floor + 4); at++)
        if (whole_holds(&whole, at))
            check_state(&whole, instance, config, at, tally);
    sokoban_domain.life->destroy(instance);
    whole_close(&whole);
    tally->levels++;
}

static void own_levels(void **unused) {
    (void)unused;
    struct tally tally = {0};
    for (size_t i = 0; i < CONFIGS * PLAIN_LEVELS; i++)
        check_level(plain_levels[i / CONFIGS], &configs[i % CONFIGS], &tally);
    assert_true(tally.levels >= 3);
}

static void drawn_levels(void **unused) {
    (void)unused;
    struct tally tallies[CONFIGS] = {{0}};
    soloist_rng rng;
    char text[128];
    soloist_rng_seed(&rng, 5, 0);
    for (int levels = 0; levels < 180;)
        if (whole_draw_boxes(&rng, 5, text, sizeof text)) {
            size_t k = (size_t)levels++ % CONFIGS;
            check_level(text, &configs[k], &tallies[k]);
        }
    for (size_t k = 0; k < CONFIGS; k++) {
        print_message("%s: %d states, %d restricted, %d ended\n", configs[k].options, tallies[k].states,
                      tallies[k].restricted, tallies[k].ended);
        assert_true((tallies[k].restricted > 20 || !configs[k].first) && tallies[k].ended > 20);
    }
}

/* Pushes of the root that expand gives, under the default options but for these. */
static int pushes_of(const char *text, const char *options) {
    soloist_chunk chunk = plain_chunk(text);
    soloist_child children[64];
    _Alignas(8) unsigned char state[256];
    soloist_instance *instance = plain_instance(&sokoban_domain, options, &chunk);
    sokoban_root(instance, state);
    int count = sokoban_push_core.expand(instance, state, SOLOIST_NO_MOVE, 0, children);
    sokoban_domain.life->destroy(instance);
    return count;
}

struct picture {
    const char *what, *text;
    int all, corrals, deadlocks; /* pushes by neither rule, by corrals, by corral deadlocks */
};

static const struct picture pictures[] = {
    {"the box in the doorway can only go in: it goes first",
     "##########\n"
     "#   #    #\n"
     "# . $ @  #\n"
     "#   #  $ #\n"
     "#####    #\n"
     "    #  . #\n"
     "    ######\n",
     4, 1, 4},
    {"the box in the doorway is on its goal, and nothing calls for it",
     "##########\n"
     "#   #    #\n"
     "#   * @  #\n"
     "#   #  $ #\n"
     "#####    #\n"
     "    #  . #\n"
     "    ######\n",
     4, 4, 4},
    {"the box before the doorway can be pushed aside as well",
     "##########\n"
     "#   #    #\n"
     "# .  $@  #\n"
     "#   #  $ #\n"
     "#####    #\n"
     "    #  . #\n"
     "    ######\n",
     5, 5, 5},
    {"the two boxes shut off a part that they can be pushed into, and never out of again",
     "#######\n"
     "#. #  #\n"
     "# .$  #\n"
     "#@ $. #\n"
     "#######\n",
     2, 2, 0},
};

static void pictures_hold(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        const struct picture *p = &pictures[i];
        int all = pushes_of(p->text, "corrals=off,corral_deadlocks=off");
        int corrals = pushes_of(p->text, "corrals=on,corral_deadlocks=off");
        int deadlocks = pushes_of(p->text, "corrals=off,corral_deadlocks=on");
        if (all != p->all || corrals != p->corrals || deadlocks != p->deadlocks)
            fail_msg("%s: %d pushes, %d, %d\n%s", p->what, all, corrals, deadlocks, p->text);
    }
}

/* Solves by A*: the cost, or -1. */
static int64_t solve(const soloist *engine, const char *text, const char *options) {
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_chunk chunk = plain_chunk(text);
    soloist_error error = {0};
    soloist_limits limits = {.threads = 1};
    if (soloist_puzzle_read(&sokoban_domain, options, &chunk, &puzzle, &error) ||
        soloist_solve(engine, &puzzle, "astar", &limits, NULL, &result, &error))
        fail_msg("%s", error.text);
    int64_t cost = result.status == SOLOIST_SOLVED && result.optimal ? result.verdict.value : -1;
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    return cost;
}

static void compare_generated(int side, int boxes, int levels) {
    soloist *engine = soloist_new();
    soloist_rng rng;
    soloist_rng_seed(&rng, 11, (uint64_t)boxes);
    for (int i = 0; i < levels; i++) {
        char *text = generated_level(side, boxes, &rng);
        int64_t plain = solve(engine, text, "corrals=off,corral_deadlocks=off");
        assert_true(plain > 0);
        assert_int_equal(solve(engine, text, "corrals=on,corral_deadlocks=off"), plain);
        assert_int_equal(solve(engine, text, "corrals=on,corral_deadlocks=on"), plain);
        free(text);
    }
    soloist_free(engine);
}

static void small_generated_levels(void **unused) {
    (void)unused;
    compare_generated(7, 2, 150);
    compare_generated(7, 3, 150);
}

static void larger_generated_levels(void **unused) {
    (void)unused;
    compare_generated(10, 4, 60);
    compare_generated(10, 5, 30);
}

/* Pulls at random from a goal: each push that undoes one is part of a solution, and no deadlock. Returns how often the
 * player was shut out of some part then. */
static int check_pulls(const soloist_instance *instance, soloist_rng *rng, int pulls) {
    _Alignas(8) unsigned char state[256];
    const struct sokoban *game = sokoban_of(instance);
    soloist_move moves[64];
    int divided = 0, count;
    assert_true(sokoban_goal(instance, 0, state));
    while (pulls-- && (count = sokoban_pull_core.moves(instance, state, moves)) > 0) {
        const struct sokoban_state *s = (void *)state;
        struct region region;
        region_open(&region, game, s->boxes, (int)s->player, game->words);
        divided += region.divided;
        soloist_move pull = moves[soloist_rng_below(rng, (uint32_t)count)];
        soloist_move push = sokoban_reverse.forward(instance, state, pull);
        sokoban_pull_core.apply(instance, state, pull, NULL);
        assert_false(sokoban_bound.pruned(instance, state, push));
    }
    return divided;
}

/* Boards large enough for the small games to reach their limit. */
static void pushes_of_solutions_are_kept(void **unused) {
    (void)unused;
    int divided = 0;
    soloist_rng rng;
    soloist_rng_seed(&rng, 12, 0);
    for (int i = 0; i < 200; i++) {
        char *text = generated_level(8 + i % 5, 4 + i % 4, &rng);
        soloist_chunk chunk = plain_chunk(text);
        soloist_instance *instance = plain_instance(&sokoban_domain, "corrals=off,corral_deadlocks=on", &chunk);
        divided += check_pulls(instance, &rng, 300);
        sokoban_domain.life->destroy(instance);
        free(text);
    }
    assert_true(divided > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_levels),
        cmocka_unit_test(drawn_levels),
        cmocka_unit_test(pictures_hold),
        cmocka_unit_test(small_generated_levels),
        cmocka_unit_test(larger_generated_levels),
        cmocka_unit_test(pushes_of_solutions_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
