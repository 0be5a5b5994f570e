/* Triples against the truth: on small levels every state is solved by plain improvement. With three boxes the tables of
 * pairs and triples are exact together, forwards and backwards; with more they never call a solvable state dead, and
 * expand agrees with the dead test. */
#include "domain/sokoban/sokoban_whole.h"

#include "domain/sokoban/deadlock/pairs.h"
#include "domain/sokoban/deadlock/triples.h"

struct tally {
    int states, lost, reverse_lost, sided;
};

/* Three boxes: lost if and only if there is no solution and no two of them, and none alone, are lost. */
static bool check_forward(const struct whole_level *l, const struct sokoban_state *state, bool solvable) {
    bool lost = sokoban_has_lost_triple(l->game, state, false);
    assert_false(lost && solvable);
    if (l->whole.boxes == 3 && !sokoban_on_dead_square(l->game, state) && !sokoban_has_lost_pair(l->game, state))
        assert_int_equal(lost, !solvable);
    return lost;
}

/* Backwards likewise: whether it can have come from the root. */
static bool check_backward(const struct whole_level *l, const struct sokoban_state *state, bool reached) {
    if (sokoban_on_unreached_square(l->game, state))
        return false;
    bool lost = sokoban_has_lost_triple(l->game, state, true);
    assert_false(lost && reached);
    if (l->whole.boxes == 3 && !sokoban_has_lost_reverse_pair(l->game, state))
        assert_int_equal(lost, !reached);
    return lost;
}

/* Both tables at once. */
static const struct triples_late *build(const struct sokoban *game) {
    for (int backward = 0; game->triples && backward < 2; backward++)
        sokoban_triples_build(game, backward);
    return game->triples;
}

static void check_level(const char *text, struct tally *tally) {
    struct whole_level l;
    _Alignas(8) unsigned char state[64];
    if (!whole_level_open(&l, text, "pairs=on,triples=1"))
        return;
    const struct triples_late *late = build(l.game);
    for (unsigned at = 0; at < 1u << (l.whole.floor + 4) && late; at++) {
        if (!whole_level_state(&l, at, state))
            continue;
        tally->states++;
        tally->lost += check_forward(&l, (void *)state, l.whole.pushes[at] != WHOLE_FAR);
        if (late->table[1])
            tally->reverse_lost += check_backward(&l, (void *)state, l.whole.root_pushes[at] != WHOLE_FAR);
        if (!sokoban_bound.dead(l.instance, state))
            whole_check_expand(l.instance, state);
    }
    tally->sided += late && late->table[0] ? (int)late->table[0]->count : 0;
    whole_level_close(&l);
}

static void drawn_levels(void **unused) {
    (void)unused;
    struct tally tally = {0};
    soloist_rng rng;
    char text[128];
    soloist_rng_seed(&rng, 37, 0);
    for (size_t i = 0; i < PLAIN_LEVELS; i++)
        check_level(plain_levels[i], &tally);
    for (int levels = 0; levels < 150;)
        if (whole_draw_boxes(&rng, 5, text, sizeof text)) {
            check_level(text, &tally);
            levels++;
        }
    print_message("%d states, %d with a lost triple, backwards %d, %d sided triples\n", tally.states, tally.lost,
                  tally.reverse_lost, tally.sided);
    assert_true(tally.lost > 1000 && tally.reverse_lost > 1000 && tally.sided > 100);
}

/* Not for two boxes, and not where the table would be larger than the option says. */
static void made_within_the_limit(void **unused) {
    (void)unused;
    static const char *const three = "########\n#.   $.#\n# $ $  #\n#  @ . #\n########\n";
    static const char *const two = "########\n#.   $ #\n# $    #\n#  @ . #\n########\n";
    static const char *const wide = "##############\n#.   $.      #\n# $ $        #\n#  @ .       #\n#            #\n"
                                    "##############\n";
    static const struct {
        const char *text, *options;
        bool made;
    } rows[] = {{three, "triples=1,pairs=on", true}, {three, "triples=0", false}, {two, "triples=1", false},
                {wide, "triples=1,pairs=on", false}, {three, "triples=1", false}, {wide, "triples=20,pairs=on", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        soloist_chunk chunk = plain_chunk(rows[i].text);
        soloist_instance *instance = plain_session(&sokoban_domain, rows[i].options, &chunk);
        assert_int_equal(build(sokoban_of(instance)) && triples_of(sokoban_of(instance), false), rows[i].made);
        plain_session_close(instance);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_levels),
        cmocka_unit_test(made_within_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
