/* Deadlock rules as pictures: a position, and the first rule that calls it dead. */
#include "domain/sokoban/sokoban_plain.h"

enum rule { ALIVE, SQUARE, FROZEN, LINE, UNMATCHED };

struct picture {
    const char *what;
    enum rule rule;
    const char *text;
};

static const struct picture pictures[] = {
    {"a corner", SQUARE,
     "######\n"
     "#$   #\n"
     "# @ .#\n"
     "######\n"},
    {"a goal in the corner", ALIVE,
     "######\n"
     "#*   #\n"
     "# $@.#\n"
     "#    #\n"
     "######\n"},
    {"along a wall without a goal", SQUARE,
     "######\n"
     "#  $ #\n"
     "# @ .#\n"
     "#    #\n"
     "######\n"},
    {"along a wall with a goal", ALIVE,
     "######\n"
     "#  $.#\n"
     "# @  #\n"
     "#    #\n"
     "######\n"},
    {"the player stands on the wrong side of the box", SQUARE,
     "########\n"
     "# .@$  #\n"
     "########\n"},
    {"the same box with the player on the right side", ALIVE,
     "########\n"
     "# . $@ #\n"
     "########\n"},
    {"the way round makes both sides one", ALIVE,
     "########\n"
     "# .@$  #\n"
     "#   ## #\n"
     "###    #\n"
     "########\n"},
    {"two boxes side by side at a wall", FROZEN,
     "########\n"
     "#      #\n"
     "# @ $$ #\n"
     "#  .##.#\n"
     "# #    #\n"
     "########\n"},
    {"two boxes side by side at a wall, both on goals", ALIVE,
     "########\n"
     "#  **  #\n"
     "# @    #\n"
     "#  $.  #\n"
     "#      #\n"
     "########\n"},
    {"a square of four, one off its goal", FROZEN,
     "########\n"
     "#      #\n"
     "# *$.  #\n"
     "# **@  #\n"
     "#      #\n"
     "########\n"},
    {"a square of four on goals", ALIVE,
     "########\n"
     "#      #\n"
     "# **   #\n"
     "# **@$.#\n"
     "#      #\n"
     "########\n"},
    {"a chain: each holds the next, the last stands at a wall", FROZEN,
     "#########\n"
     "#    #  #\n"
     "#  #$$  #\n"
     "#@ $$#  #\n"
     "#. #.  .#\n"
     "#.      #\n"
     "#########\n"},
    {"two on the top wall with one goal between, loose otherwise", LINE,
     "#########\n"
     "# $ . $ #\n"
     "#   @   #\n"
     "#    .  #\n"
     "#       #\n"
     "#########\n"},
    {"two on the top wall with two goals", ALIVE,
     "#########\n"
     "# $. .$ #\n"
     "#   @   #\n"
     "#       #\n"
     "#########\n"},
    {"a line that a box can leave through a door is no line", ALIVE,
     "#########\n"
     "#.      #\n"
     "#       #\n"
     "### ### #\n"
     "# $ . $ #\n"
     "#   @   #\n"
     "#       #\n"
     "#########\n"},
    {"a tunnel is a line too", LINE,
     "##########\n"
     "#@       #\n"
     "# ###### #\n"
     "# $ .  $ #\n"
     "# ###### #\n"
     "#        #\n"
     "#  .     #\n"
     "##########\n"},
    {"two walls that share the goal in their corner", UNMATCHED,
     "#######\n"
     "#. $  #\n"
     "#     #\n"
     "#$ .  #\n"
     "# @   #\n"
     "#######\n"},
    {"a frozen pair keeps its goals, and the third box can reach no other", UNMATCHED,
     "########\n"
     "#@** . #\n"
     "## #####\n"
     "## #####\n"
     "#  $   #\n"
     "#      #\n"
     "#      #\n"
     "########\n"},
    {"the same pair not yet side by side", ALIVE,
     "########\n"
     "#@*.*. #\n"
     "## #####\n"
     "## #####\n"
     "#  $   #\n"
     "#      #\n"
     "#      #\n"
     "########\n"},
};

static enum rule verdict(const struct sokoban *game, const struct sokoban_state *state) {
    uint64_t frozen[SOKOBAN_WORDS];
    return sokoban_on_dead_square(game, state)          ? SQUARE
           : sokoban_frozen(game, state->boxes, frozen) ? FROZEN
           : sokoban_on_full_line(game, state->boxes)   ? LINE
           : !sokoban_has_matching(game, state)         ? UNMATCHED
                                                        : ALIVE;
}

/* The rule speaks, `impossible` has a sentence for it, and bound and dead say so unless its switch is off. */
static void check_picture(const struct picture *picture) {
    static const char *const off[] = {"", "", "freeze=false,bipartite=false", "wall_line=false", ""};
    soloist_chunk chunk = plain_chunk(picture->text);
    for (int k = 0; k < 2; k++) {
        soloist_instance *instance = plain_instance(&sokoban_domain, k ? off[picture->rule] : "", &chunk);
        _Alignas(8) unsigned char state[128];
        sokoban_root(instance, state);
        enum rule said = verdict(sokoban_of(instance), (void *)state);
        bool dead = sokoban_bound.dead(instance, state), quiet = k && *off[picture->rule];
        if (said != picture->rule)
            fail_msg("%s: rule %d, expected %d\n%s", picture->what, said, picture->rule, picture->text);
        if (dead != (said >= SQUARE && said <= LINE && !quiet))
            fail_msg("%s: dead is %d\n%s", picture->what, dead, picture->text);
        assert_int_equal(sokoban_domain.life->impossible(instance) != NULL, said != ALIVE);
        if (!quiet)
            assert_int_equal(sokoban_bound.value(instance, state) == SOLOIST_DEAD, said != ALIVE);
        sokoban_domain.life->destroy(instance);
    }
}

static void pictures_hold(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        check_picture(&pictures[i]);
}

/* Which boxes are frozen: the pair at the wall, not the loose one. */
static void frozen_boxes_are_named(void **unused) {
    (void)unused;
    soloist_chunk chunk = plain_chunk("########\n#  **  #\n# @    #\n#  $.  #\n#      #\n########\n");
    soloist_instance *instance = plain_instance(&sokoban_domain, "", &chunk);
    const struct sokoban *game = sokoban_of(instance);
    uint64_t frozen[SOKOBAN_WORDS];
    assert_false(sokoban_frozen(game, game->root_boxes, frozen));
    assert_int_equal(bitset_count(frozen, (size_t)game->words), 2);
    assert_true(bitset_has(frozen, (unsigned)plain_square(game, 3, 1)));
    assert_true(bitset_has(frozen, (unsigned)plain_square(game, 4, 1)));
    sokoban_domain.life->destroy(instance);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_hold),
        cmocka_unit_test(frozen_boxes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
