/* The bound by tight goals against a plain matching: along random lines of play both give the same total. Children of
 * expand too, whose bounds are repaired from their parent's. */
#include "domain/sokoban/sokoban_plain.h"

#include "base/matching.h"

static const char *const levels[] = {
    "##########\n#   .    #\n# $ $ #  #\n#  @  #..#\n# $ $  . #\n#   ##   #\n#   .$   #\n##########\n",
    "###########\n#.  #  .. #\n# $   $ # #\n#   $ @ $ #\n# #   $   #\n#.  . #   #\n###########\n",
    "##########\n#. .  . .#\n# $ $$ $ #\n#   @    #\n##########\n",
};

static int32_t plain_total(const struct sokoban *game, const struct sokoban_state *state) {
    const int32_t *row[16];
    uint64_t block[matching_size(game->boxes, game->goals) / sizeof(uint64_t)];
    struct matching *matching = (struct matching *)(void *)block;
    int rows = 0;
    for (BITSET_EACH(box, state->boxes, (size_t)game->words))
        row[rows++] = game->pushes + (ptrdiff_t)sokoban_post(game, box, (int)state->player) * game->goals;
    matching_open(matching, game->boxes, game->goals);
    return matching_solve(matching, row);
}

/* Returns how many states were compared. */
static int check_line(const soloist_instance *instance, soloist_rng *rng, int pushes) {
    _Alignas(8) unsigned char state[256], child[256];
    const struct sokoban *game = sokoban_of(instance);
    soloist_move moves[64];
    soloist_child children[64];
    int count, compared = 0;
    sokoban_root(instance, state);
    while (pushes-- && (count = sokoban_push_core.moves(instance, state, moves)) > 0) {
        assert_int_equal(sokoban_bound.value(instance, state), plain_total(game, (void *)state));
        int listed = sokoban_push_core.expand(instance, state, SOLOIST_NO_MOVE, SOLOIST_WANT_BOUND, children);
        for (int i = 0; i < listed; i++) {
            memcpy(child, state, sizeof child);
            sokoban_push_core.apply(instance, child, children[i].move, NULL);
            assert_int_equal(children[i].bound, plain_total(game, (void *)child));
        }
        compared += 1 + listed;
        sokoban_push_core.apply(instance, state, moves[soloist_rng_below(rng, (uint32_t)count)], NULL);
    }
    return compared;
}

static void tight_is_plain(void **unused) {
    (void)unused;
    soloist_rng rng;
    int compared = 0;
    soloist_rng_seed(&rng, 3, 0);
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        soloist_chunk chunk = plain_chunk(levels[i]);
        soloist_instance *instance = plain_instance(&sokoban_domain, "freeze=off,wall_line=off,pairs=off", &chunk);
        for (int line = 0; line < 300; line++)
            compared += check_line(instance, &rng, 60);
        sokoban_domain.life->destroy(instance);
    }
    print_message("%d states\n", compared);
    assert_true(compared > 50000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tight_is_plain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
