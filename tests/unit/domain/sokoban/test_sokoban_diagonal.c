/* Closed diagonals against the truth: on small levels with a diagonal every state is solved by plain improvement, and
 * none that the rule calls dead has a solution; expand agrees with the dead test. And pictures where the rule must and
 * must not speak, each with its truth from a search without the rule. */
#include "domain/sokoban/sokoban_whole.h"

#define RULE "diagonals=on"
#define ALONE                                                                                                          \
    RULE ",triples=0,freeze=off,wall_line=off,pairs=off,bipartite=off,corrals=off,corral_deadlocks=off,bound="         \
         "manhattan"

struct tally {
    int states, closed, alone;
};

/* Along one diagonal of a small frame mostly floor, further from it mostly walls. */
static bool draw_level(soloist_rng *rng, char *text, size_t room) {
    static const uint32_t floor_of_ten[5] = {9, 8, 5, 2, 1};
    char cell[7][8];
    int free[25], count = 0, boxes = 2 + (int)soloist_rng_below(rng, 4), goals;
    bool mirrored = soloist_rng_below(rng, 2);
    goals = boxes + (soloist_rng_below(rng, 4) == 0);
    memset(cell, '#', sizeof cell);
    for (int y = 1; y <= 5; y++)
        for (int x = 1; x <= 5; x++)
            if (soloist_rng_below(rng, 10) < floor_of_ten[abs(x - y)]) {
                cell[y][mirrored ? 6 - x : x] = ' ';
                free[count++] = y * 16 + (mirrored ? 6 - x : x);
            }
    if (count < boxes + goals + 1 || count > WHOLE_MOST_FLOOR)
        return false;
    for (int i = 0; i < boxes + goals + 1; i++) {
        int pick = i + (int)soloist_rng_below(rng, (uint32_t)(count - i)), at = free[pick];
        free[pick] = free[i];
        free[i] = at;
        cell[at / 16][at % 16] = i == 0 ? '@' : i <= boxes ? '$' : '.';
    }
    size_t length = 0;
    for (int y = 0; y < 7; y++)
        length += (size_t)snprintf(text + length, room - length, "%.7s\n", cell[y]);
    struct sokoban_level level;
    soloist_chunk chunk = plain_chunk(text);
    return sokoban_level_parse(&chunk, &level, NULL);
}

static bool is_closed(const struct sokoban *game, const struct sokoban_state *state) {
    return sokoban_has_closed_diagonal(game, state->boxes, (int)state->player);
}

/* Expand leaves out exactly the dead children. */
static void check_expand(const soloist_instance *instance, const void *state) {
    _Alignas(8) unsigned char child[64];
    soloist_move moves[64];
    soloist_child children[64];
    int count = sokoban_push_core.moves(instance, state, moves), listed = 0;
    int expanded = sokoban_push_core.expand(instance, state, SOLOIST_NO_MOVE, SOLOIST_WANT_KEY, children);
    if (sokoban_bound.dead(instance, state)) {
        assert_int_equal(expanded, 0);
        return;
    }
    for (int i = 0; i < count; i++) {
        memcpy(child, state, sizeof child);
        sokoban_push_core.apply(instance, child, moves[i], NULL);
        if (sokoban_bound.dead(instance, child))
            continue;
        assert_true(listed < expanded && children[listed].move == moves[i]);
        listed++;
    }
    assert_int_equal(listed, expanded);
}

static void check_level(const char *text, struct tally *tally) {
    struct whole_level l;
    _Alignas(8) unsigned char state[64];
    uint64_t frozen[SOKOBAN_WORDS];
    if (!whole_level_open(&l, text, ALONE))
        return;
    for (unsigned at = 0; at < 1u << (l.whole.floor + 4); at++) {
        if (!whole_level_state(&l, at, state))
            continue;
        const struct sokoban_state *s = (const void *)state;
        bool closed = is_closed(l.game, s);
        if (closed && l.whole.pushes[at] != WHOLE_FAR)
            fail_msg("boxes %x player %u:\n%s", at >> 4, at & 15, text);
        if (!(at & 7))
            check_expand(l.instance, state);
        tally->states++;
        tally->closed += closed;
        tally->alone += closed && !sokoban_on_dead_square(l.game, s) && !sokoban_frozen(l.game, s->boxes, frozen);
    }
    whole_level_close(&l);
}

static void drawn_levels(void **unused) {
    (void)unused;
    struct tally tally = {0};
    soloist_rng rng;
    char text[128];
    soloist_rng_seed(&rng, 41, 0);
    for (int levels = 0; levels < 60;)
        if (draw_level(&rng, text, sizeof text)) {
            check_level(text, &tally);
            levels++;
        }
    print_message("%d states, %d with a closed diagonal, %d of them neither frozen nor on dead squares\n", tally.states,
                  tally.closed, tally.alone);
    assert_true(tally.closed > 1000 && tally.alone > 100);
}

struct picture {
    const char *what, *text;
    bool closed;
};

static const struct picture pictures[] = {
    {"from wall to wall",
     "##########\n"
     "#        #\n"
     "# #$     #\n"
     "# $ $    #\n"
     "#  $ $   #\n"
     "#   $#@  #\n"
     "#        #\n"
     "# ...... #\n"
     "##########\n",
     true},
    {"the other way, walls among the boxes",
     "##########\n"
     "#        #\n"
     "#    $#  #\n"
     "#   $ #  #\n"
     "#  # $   #\n"
     "#  #$  @ #\n"
     "#        #\n"
     "#  ....  #\n"
     "##########\n",
     true},
    {"open at the lower end",
     "##########\n"
     "#        #\n"
     "# #$     #\n"
     "# $ $    #\n"
     "#  $ $   #\n"
     "#   $  @ #\n"
     "#        #\n"
     "# ...... #\n"
     "##########\n",
     false},
    {"the player is inside",
     "########\n"
     "#      #\n"
     "# #$   #\n"
     "# $@$  #\n"
     "#  $#  #\n"
     "#      #\n"
     "# .... #\n"
     "########\n",
     false},
    {"all on goals",
     "########\n"
     "#    . #\n"
     "# #*   #\n"
     "# * *  #\n"
     "#  *#$ #\n"
     "#    @ #\n"
     "########\n",
     false},
    {"all but one on goals",
     "########\n"
     "#      #\n"
     "# #*   #\n"
     "# $ *  #\n"
     "#  *#@ #\n"
     "#  .   #\n"
     "########\n",
     true},
    {"a goal inside takes the only box that has none",
     "########\n"
     "#      #\n"
     "# #*   #\n"
     "# $.*  #\n"
     "#  *#@ #\n"
     "#      #\n"
     "########\n",
     false},
    {"a goal inside, and boxes to be moved on both sides of it",
     "########\n"
     "#      #\n"
     "# #*   #\n"
     "# $.$  #\n"
     "#  *#@ #\n"
     "#    . #\n"
     "########\n",
     true},
};

/* By a search without the rule. */
static bool has_solution(const soloist *engine, const char *text, const char *options) {
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_chunk chunk = plain_chunk(text);
    soloist_error error = {0};
    soloist_limits limits = {.threads = 1, .nodes = 200000};
    if (soloist_puzzle_read(&sokoban_domain, options, &chunk, &puzzle, &error) ||
        soloist_solve(engine, &puzzle, "bhpa", &limits, NULL, &result, &error))
        fail_msg("%s", error.text);
    assert_true(result.status == SOLOIST_SOLVED || result.status == SOLOIST_IMPOSSIBLE);
    bool solved = result.status == SOLOIST_SOLVED;
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    return solved;
}

static void pictures_hold(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    assert_non_null(engine);
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        soloist_chunk chunk = plain_chunk(pictures[i].text);
        soloist_instance *instance = plain_instance(&sokoban_domain, RULE, &chunk);
        _Alignas(8) unsigned char state[128];
        sokoban_root(instance, state);
        if (is_closed(sokoban_of(instance), (void *)state) != pictures[i].closed)
            fail_msg("%s\n%s", pictures[i].what, pictures[i].text);
        assert_int_equal(sokoban_bound.dead(instance, state), pictures[i].closed);
        if (has_solution(engine, pictures[i].text, "diagonals=off") == pictures[i].closed ||
            has_solution(engine, pictures[i].text, "diagonals=on") == pictures[i].closed)
            fail_msg("%s: the search disagrees\n%s", pictures[i].what, pictures[i].text);
        sokoban_domain.life->destroy(instance);
    }
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_levels),
        cmocka_unit_test(pictures_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
