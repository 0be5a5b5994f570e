/* Pairs against the truth: on small levels every state is solved by plain improvement. With two boxes the table is
 * exact; with more it never calls a solvable state dead, and expand agrees with the dead test. */
#include "domain/sokoban/sokoban_whole.h"

#include "domain/sokoban/deadlock/pairs.h"

struct tally {
    int states, lost, sided;
};

/* Two boxes and no other rule that looks at both: lost if and only if there is no solution and either box alone has. */
static void check_exact(const struct whole *w, const struct sokoban *game, const struct sokoban_state *state,
                        bool solvable) {
    bool lost = sokoban_has_lost_pair(game, state);
    if (w->boxes == 2 && !sokoban_on_dead_square(game, state))
        assert_int_equal(lost, !solvable);
    assert_false(lost && solvable);
}

static void check_level(const char *text, struct tally *tally) {
    struct whole_level l;
    _Alignas(8) unsigned char state[64];
    if (!whole_level_open(&l, text, "pairs=on"))
        return;
    for (unsigned at = 0; at < 1u << (l.whole.floor + 4); at++) {
        if (!whole_level_state(&l, at, state))
            continue;
        check_exact(&l.whole, l.game, (void *)state, l.whole.pushes[at] != WHOLE_FAR);
        whole_check_expand(l.instance, state);
        tally->states++;
        tally->lost += sokoban_has_lost_pair(l.game, (void *)state);
    }
    tally->sided += (int)l.game->pairs->count;
    whole_level_close(&l);
}

static void drawn_levels(void **unused) {
    (void)unused;
    struct tally tally = {0};
    soloist_rng rng;
    char text[128];
    soloist_rng_seed(&rng, 31, 0);
    for (size_t i = 0; i < PLAIN_LEVELS; i++)
        check_level(plain_levels[i], &tally);
    for (int levels = 0; levels < 150;)
        if (whole_draw_boxes(&rng, 4, text, sizeof text)) {
            check_level(text, &tally);
            levels++;
        }
    print_message("%d states, %d with a lost pair, %d sided pairs\n", tally.states, tally.lost, tally.sided);
    assert_true(tally.lost > 1000 && tally.sided > 100);
}

struct picture {
    const char *what, *text;
    bool lost;
};

static const struct picture pictures[] = {
    {"side by side at a wall",
     "########\n"
     "#      #\n"
     "# @ $$ #\n"
     "#  .##.#\n"
     "# #    #\n"
     "########\n",
     true},
    {"one behind the other in a tunnel that only the first can leave, and not towards a goal",
     "##########\n"
     "#@ $ $   #\n"
     "#### ##  #\n"
     "   #  .. #\n"
     "   #######\n",
     false},
    {"neither can be pushed up to the goal on the right",
     "#######\n"
     "##.#.##\n"
     "# $ $ #\n"
     "##@ ###\n"
     "#######\n",
     true},
};

static void pictures_hold(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        soloist_chunk chunk = plain_chunk(pictures[i].text);
        soloist_instance *instance = plain_instance(&sokoban_domain, "pairs=on,freeze=off,wall_line=off", &chunk);
        _Alignas(8) unsigned char state[128];
        sokoban_root(instance, state);
        if (sokoban_has_lost_pair(sokoban_of(instance), (void *)state) != pictures[i].lost)
            fail_msg("%s\n%s", pictures[i].what, pictures[i].text);
        sokoban_domain.life->destroy(instance);
    }
}

/* Where the table is made: never for one box, by itself from five boxes on. */
static void made_where_it_pays(void **unused) {
    (void)unused;
    static const char *const four = "#######\n#.$@$.#\n# $ $ #\n#  .. #\n#######\n";
    static const char *const five = "#######\n#.$@$.#\n#$$ $ #\n# ... #\n#######\n";
    static const struct {
        const char *text, *options;
        bool made;
    } rows[] = {{four, "", false},
                {five, "", true},
                {four, "pairs=on", true},
                {five, "pairs=off", false},
                {"#####\n#@$.#\n#####\n", "pairs=on", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        soloist_chunk chunk = plain_chunk(rows[i].text);
        soloist_instance *instance = plain_instance(&sokoban_domain, rows[i].options, &chunk);
        assert_int_equal(sokoban_of(instance)->pairs != NULL, rows[i].made);
        sokoban_domain.life->destroy(instance);
    }
}

/* A hall and four long corridors, in which boxes can reach goals from everywhere: the table would take seconds. */
static void large_boards_have_none(void **unused) {
    (void)unused;
    for (int large = 0; large < 2; large++) {
        char text[64 * 65 + 1] = "";
        int height = large ? 64 : 16;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < 65; x++) {
                bool open = x && x < 63 && y && y < height - 1 && (y > 8 || y % 2 || x == 1);
                text[y * 65 + x] = x == 64 ? '\n' : open ? ' ' : '#';
            }
        for (int y = 1; y < 8; y += 2)
            text[y * 65 + 20] = '$', text[y * 65 + 24] = '.';
        text[12 * 65 + 5] = '@', text[1 * 65 + 40] = '$', text[1 * 65 + 44] = '.';
        soloist_chunk chunk = plain_chunk(text);
        soloist_instance *instance = plain_instance(&sokoban_domain, "", &chunk);
        const struct sokoban *game = sokoban_of(instance);
        int live = bitset_count(game->live.some, (size_t)game->words);
        print_message("%d live squares of %d\n", live, game->size);
        assert_true(live <= 256);
        assert_int_equal(game->pairs != NULL, !large);
        sokoban_domain.life->destroy(instance);
    }
}

/* Without an end of its numbering the table is not filled. */
static void a_stopped_table_is_refused(void **unused) {
    (void)unused;
    soloist_chunk chunk = plain_chunk("########\n#@     #\n# $$.. #\n# $  . #\n########\n");
    soloist_instance *instance = plain_instance(&sokoban_domain, "pairs=off", &chunk);
    struct sokoban game = *sokoban_of(instance);
    soloist_stop_token *stop = soloist_stop_token_new();
    soloist_stop_token_cancel(stop);
    game.rules.pairs = SOKOBAN_PAIRS_ON;
    assert_false(sokoban_pairs_make(&game, stop));
    sokoban_pairs_free(game.pairs);
    sokoban_pairs_free(game.reverse_pairs);
    soloist_stop_token_free(stop);
    sokoban_domain.life->destroy(instance);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_levels),
        cmocka_unit_test(pictures_hold),
        cmocka_unit_test(made_where_it_pays),
        cmocka_unit_test(large_boards_have_none),
        cmocka_unit_test(a_stopped_table_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
