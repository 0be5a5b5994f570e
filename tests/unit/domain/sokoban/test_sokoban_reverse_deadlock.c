/* Deadlocks of the game played backwards against the truth: on small levels every state's way from the root is known.
 * With two boxes the table of pairs is exact; with more no state that the root reaches is called dead, expand agrees
 * with the dead test, and what is dead stays so. */
#include "domain/sokoban/sokoban_whole.h"

#include "domain/sokoban/deadlock/pairs.h"

struct tally {
    int states, paired, frozen;
};

static void check_state(const struct whole *w, const struct sokoban *game, const void *state, bool reached,
                        struct tally *tally) {
    bool paired = sokoban_has_lost_reverse_pair(game, state), unreached = sokoban_on_unreached_square(game, state);
    bool dead = sokoban_reverse_bound.dead((const soloist_instance *)(const void *)game, state);
    if (w->boxes == 2 && !unreached)
        assert_int_equal(paired, !reached);
    assert_false(dead && reached);
    tally->states++;
    tally->paired += paired;
    tally->frozen += dead && !paired && !unreached;
}

/* Expand lists what is not dead; from a dead state everything is dead. */
static void check_expand(const soloist_instance *instance, const void *state) {
    _Alignas(8) unsigned char child[64];
    soloist_move moves[64];
    soloist_child children[64];
    bool dead = sokoban_reverse_bound.dead(instance, state);
    int count = sokoban_pull_core.moves(instance, state, moves), listed = 0;
    int expanded = sokoban_pull_core.expand(instance, state, SOLOIST_NO_MOVE, SOLOIST_WANT_KEY, children);
    for (int i = 0; i < count; i++) {
        memcpy(child, state, sizeof child);
        sokoban_pull_core.apply(instance, child, moves[i], NULL);
        if (sokoban_reverse_bound.dead(instance, child))
            continue;
        assert_false(dead);
        assert_true(listed < expanded && children[listed].move == moves[i]);
        assert_true(children[listed].key == sokoban_pull_core.key_from_scratch(instance, child));
        listed++;
    }
    assert_int_equal(listed, expanded);
}

static void check_level(const char *text, struct tally *tally) {
    struct whole_level l;
    _Alignas(8) unsigned char state[64];
    if (!whole_level_open(&l, text, "pairs=on"))
        return;
    for (unsigned at = 0; at < 1u << (l.whole.floor + 4); at++) {
        if (!whole_level_state(&l, at, state))
            continue;
        check_state(&l.whole, l.game, state, l.whole.root_pushes[at] != WHOLE_FAR, tally);
        check_expand(l.instance, state);
    }
    whole_level_close(&l);
}

static void small_levels_agree(void **unused) {
    (void)unused;
    struct tally tally = {0};
    soloist_rng rng;
    char text[128];
    soloist_rng_seed(&rng, 7, 0);
    for (size_t i = 0; i < PLAIN_LEVELS; i++)
        check_level(plain_levels[i], &tally);
    for (int levels = 0; levels < 60;)
        if (whole_draw_boxes(&rng, 5, text, sizeof text)) {
            check_level(text, &tally);
            levels++;
        }
    assert_true(tally.states > 10000 && tally.paired > 1000 && tally.frozen > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_levels_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
