/* Boards for programs: the public functions against games that are played move by move through the domain's core. */
#include "domain/domain.h"
#include "soloist_extra.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BOARDS = 13, LEVELS = 5, MOST_NUMBERS = 1400, MOST_ACTIONS = 512 };

/* The caller's arrays. */
struct arrays {
    int32_t actions[BOARDS];
    uint8_t observations[BOARDS * MOST_NUMBERS], finals[BOARDS * MOST_NUMBERS], masks[BOARDS * MOST_ACTIONS];
    float rewards[BOARDS];
    uint8_t terminated[BOARDS], truncated[BOARDS];
    int channels, height, width, number_of_actions;
    size_t numbers;
};

static soloist *engine;

static int open_engine(void **unused) {
    (void)unused;
    return (engine = soloist_new()) ? 0 : -1;
}

static int close_engine(void **unused) {
    (void)unused;
    soloist_free(engine);
    return 0;
}

static soloist_boards_plan plan_of(int threads, const char *reward, int step_limit) {
    return (soloist_boards_plan){.size = sizeof(soloist_boards_plan),
                                 .reward = reward,
                                 .boards = BOARDS,
                                 .levels = LEVELS,
                                 .step_limit = step_limit,
                                 .threads = threads,
                                 .seed = 7};
}

static soloist_boards *open_boards(const char *domain, const soloist_boards_plan *plan, const char *generator,
                                   struct arrays *arrays) {
    soloist_error error = {0};
    int shape[4];
    soloist_boards *boards = soloist_boards_open(soloist_find_domain(engine, domain), plan, &error);
    if (!boards || soloist_boards_fill(boards, generator, 3, &error) != SOLOIST_OK)
        fail_msg("%s", error.text);
    soloist_boards_shape(boards, shape);
    memset(arrays, 0, sizeof *arrays);
    arrays->channels = shape[0], arrays->height = shape[1], arrays->width = shape[2];
    arrays->number_of_actions = shape[3];
    arrays->numbers = (size_t)shape[0] * (size_t)shape[1] * (size_t)shape[2];
    assert_true(arrays->numbers > 0 && arrays->numbers <= MOST_NUMBERS && shape[3] <= MOST_ACTIONS);
    soloist_boards_arrays bound = {.size = sizeof bound,
                                   .actions = arrays->actions,
                                   .observations = arrays->observations,
                                   .rewards = arrays->rewards,
                                   .terminated = arrays->terminated,
                                   .truncated = arrays->truncated,
                                   .finals = arrays->finals,
                                   .masks = arrays->masks};
    assert_int_equal(soloist_boards_step(boards), -1);
    assert_int_equal(soloist_boards_reset(boards), SOLOIST_MISUSE);
    assert_int_equal(soloist_boards_bind(boards, &bound, &error), SOLOIST_OK);
    assert_int_equal(soloist_boards_reset(boards), SOLOIST_OK);
    return boards;
}

static void keep(void *to, const char *text, size_t n) { strncat(to, text, n); }

/* ---- a game that is played through core alone ---- */

struct game {
    soloist_puzzle puzzle;
    _Alignas(16) unsigned char state[2048];
    int steps;
};

static void game_open(struct game *game, const soloist_boards *boards, int board, const soloist_domain *domain) {
    char text[4096] = "";
    soloist_error error = {0};
    soloist_shape shape = {0};
    assert_int_equal(soloist_boards_print(boards, board, &(soloist_sink){keep, text}), SOLOIST_OK);
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    if (soloist_puzzle_read(domain, NULL, &chunk, &game->puzzle, &error) != SOLOIST_OK)
        fail_msg("%s", error.text);
    domain->life->shape(game->puzzle.instance, &shape);
    assert_true(shape.state_size <= sizeof game->state);
    domain->life->root(game->puzzle.instance, game->state);
    game->steps = 0;
}

static void assert_observation(const struct game *game, const struct arrays *arrays, const uint8_t *observation) {
    float slot[MOST_NUMBERS];
    game->puzzle.domain->learn->encode(game->puzzle.instance, game->state, arrays->channels, slot);
    for (size_t i = 0; i < arrays->numbers; i++)
        assert_int_equal(observation[i], slot[i]);
}

/* Every action of a legal move is in the mask; in domains in which a move has several actions there are more. */
static void assert_mask(const struct game *game, const struct arrays *arrays, const uint8_t *mask) {
    const soloist_domain *domain = game->puzzle.domain;
    soloist_move moves[MOST_ACTIONS];
    int count = domain->core->moves(game->puzzle.instance, game->state, moves), set = 0;
    for (int i = 0; i < count; i++)
        assert_int_equal(mask[domain->learn->action(game->puzzle.instance, game->state, moves[i])], 1);
    for (int i = 0; i < arrays->number_of_actions; i++)
        set += mask[i];
    assert_true(domain->learn->priors ? set >= 2 * count : set == count);
}

/* Draws a legal move, plays it on the game and returns its action. */
static int32_t play_move(struct game *game, soloist_rng *rng, int32_t *gain) {
    const soloist_domain *domain = game->puzzle.domain;
    soloist_move moves[MOST_ACTIONS];
    int count = domain->core->moves(game->puzzle.instance, game->state, moves);
    soloist_move move = moves[soloist_rng_below(rng, (uint32_t)count)];
    int32_t action = domain->learn->action(game->puzzle.instance, game->state, move);
    *gain = domain->core->apply(game->puzzle.instance, game->state, move, NULL);
    game->steps++;
    return action;
}

/* Compares one board after a step; opens the next game where one is over. Returns whether it was. */
static bool compare(struct game *game, const struct arrays *arrays, const soloist_boards *boards, int board,
                    int32_t gain, int limit) {
    const soloist_domain *domain = game->puzzle.domain;
    soloist_move moves[MOST_ACTIONS];
    int32_t last = 0;
    bool ended = domain->core->ended(game->puzzle.instance, game->state, &last);
    bool stuck = !ended && !domain->core->moves(game->puzzle.instance, game->state, moves);
    bool truncated = !ended && !stuck && game->steps == limit;
    gain += ended ? last : 0;
    assert_true(arrays->rewards[board] == (float)(domain->aim == SOLOIST_LEAST_COST ? -gain : gain));
    assert_int_equal(arrays->terminated[board], ended || stuck);
    assert_int_equal(arrays->truncated[board], truncated);
    bool over = ended || stuck || truncated;
    if (over) {
        assert_observation(game, arrays, arrays->finals + (size_t)board * arrays->numbers);
        soloist_puzzle_free(&game->puzzle);
        game_open(game, boards, board, domain);
    }
    assert_observation(game, arrays, arrays->observations + (size_t)board * arrays->numbers);
    assert_mask(game, arrays, arrays->masks + (size_t)board * (size_t)arrays->number_of_actions);
    return over;
}

static void replays_through_core(const char *name, const char *generator, int steps, int limit) {
    static struct arrays arrays;
    static struct game games[BOARDS];
    const soloist_domain *domain = soloist_find_domain(engine, name);
    soloist_boards_plan plan = plan_of(1, NULL, limit);
    soloist_boards *boards = open_boards(name, &plan, generator, &arrays);
    soloist_rng rng;
    int ended = 0;
    soloist_rng_seed(&rng, 5, 0);
    for (int i = 0; i < BOARDS; i++) {
        game_open(&games[i], boards, i, domain);
        assert_observation(&games[i], &arrays, arrays.observations + (size_t)i * arrays.numbers);
        assert_mask(&games[i], &arrays, arrays.masks + (size_t)i * (size_t)arrays.number_of_actions);
    }
    for (int step = 0; step < steps; step++) {
        int32_t gains[BOARDS];
        for (int i = 0; i < BOARDS; i++)
            arrays.actions[i] = play_move(&games[i], &rng, &gains[i]);
        int said = soloist_boards_step(boards), seen = 0;
        for (int i = 0; i < BOARDS; i++)
            seen += compare(&games[i], &arrays, boards, i, gains[i], limit);
        assert_int_equal(said, seen);
        ended += seen;
    }
    assert_true(ended > 0);
    for (int i = 0; i < BOARDS; i++)
        soloist_puzzle_free(&games[i].puzzle);
    soloist_boards_close(boards);
}

static void every_domain_plays_by_its_rules(void **unused) {
    (void)unused;
    replays_through_core("sokoban-moves", "width=7,height=7,boxes=2", 200, 50);
    replays_through_core("sokoban", "width=7,height=7,boxes=2", 100, 20);
    replays_through_core("samegame", "width=6,height=5,colours=3", 60, 0);
    replays_through_core("tiles", "width=3,height=3", 100, 30);
}

/* ---- divisions ---- */

/* Three threads, the general version and observations in another array at every other step: all games are equal. */
static void divisions_do_not_change_games(void **unused) {
    (void)unused;
    static struct arrays one, three, general;
    static uint8_t elsewhere[BOARDS * MOST_NUMBERS];
    soloist_boards_plan plan = plan_of(1, "rl", 9), plan_three = plan_of(3, "rl", 9), plan_general = plan;
    plan_general.general = true;
    const char *generator = "width=7,height=7,boxes=2";
    soloist_boards *a = open_boards("sokoban-moves", &plan, generator, &one);
    soloist_boards *b = open_boards("sokoban-moves", &plan_three, generator, &three);
    soloist_boards *c = open_boards("sokoban-moves", &plan_general, generator, &general);
    assert_memory_equal(one.observations, three.observations, sizeof one.observations);
    soloist_rng rng;
    soloist_rng_seed(&rng, 8, 0);
    for (int step = 0; step < 60; step++) {
        for (int i = 0; i < BOARDS; i++)
            one.actions[i] = three.actions[i] = general.actions[i] = (int32_t)soloist_rng_below(&rng, 4);
        bool other = step % 2;
        memset(elsewhere, 99, sizeof elsewhere);
        int ended = soloist_boards_step(a);
        assert_int_equal(other ? soloist_boards_step_into(b, elsewhere) : soloist_boards_step(b), ended);
        assert_int_equal(soloist_boards_step(c), ended);
        assert_memory_equal(one.observations, other ? elsewhere : three.observations, BOARDS * one.numbers);
        assert_memory_equal(one.observations, general.observations, BOARDS * one.numbers);
        memcpy(three.observations, one.observations, sizeof one.observations);
        assert_memory_equal(&one, &three, sizeof one);
        assert_memory_equal(&one, &general, sizeof one);
        for (int i = 0; i < BOARDS; i++)
            assert_int_equal(soloist_boards_slot(a, i), soloist_boards_slot(b, i));
    }
    soloist_boards_close(a);
    soloist_boards_close(b);
    soloist_boards_close(c);
}

/* Boards that begin at the same levels are equal; a seed repeats what it drew. */
static void boards_begin_again(void **unused) {
    (void)unused;
    static struct arrays arrays;
    static uint8_t first[BOARDS * MOST_NUMBERS];
    soloist_boards_plan plan = plan_of(2, NULL, 9);
    soloist_boards *boards = open_boards("tiles", &plan, "width=3,height=3", &arrays);
    memcpy(first, arrays.observations, sizeof first);
    assert_int_equal(soloist_boards_reset(boards), SOLOIST_OK);
    assert_memory_not_equal(first, arrays.observations, BOARDS * arrays.numbers);
    soloist_boards_reseed(boards, plan.seed);
    assert_int_equal(soloist_boards_reset(boards), SOLOIST_OK);
    assert_memory_equal(first, arrays.observations, sizeof first);
    for (int i = 0; i < BOARDS; i++)
        assert_int_equal(soloist_boards_begin(boards, i, 3), SOLOIST_OK);
    for (int i = 0; i < BOARDS; i++) {
        assert_int_equal(soloist_boards_slot(boards, i), 3);
        assert_memory_equal(arrays.observations, arrays.observations + (size_t)i * arrays.numbers, arrays.numbers);
    }
    assert_int_equal(soloist_boards_begin(boards, BOARDS, 0), SOLOIST_MISUSE);
    assert_int_equal(soloist_boards_begin(boards, 0, LEVELS), SOLOIST_MISUSE);
    soloist_boards_close(boards);
}

/* ---- refusals ---- */

static void refused(const char *domain, soloist_boards_plan plan, const char *sentence) {
    soloist_error error = {0};
    assert_null(soloist_boards_open(soloist_find_domain(engine, domain), &plan, &error));
    if (!strstr(error.text, sentence))
        fail_msg("expected \"%s\", got \"%s\"", sentence, error.text);
}

static void what_cannot_be_played_is_refused(void **unused) {
    (void)unused;
    soloist_boards_plan plan = plan_of(1, NULL, 0), none = plan, option = plan;
    none.boards = 0;
    option.options = "colour=red";
    refused("pancake", plan, "it lacks the group `learn`");
    refused("tictactoe", plan, "it lacks the group `learn`");
    refused("sokoban", none, "at least one board");
    refused("sokoban", plan_of(1, "gold", 0), "has no reward called gold");
    refused("sokoban", option, "colour");
    assert_null(soloist_boards_open(NULL, &plan, NULL));
    assert_int_equal(soloist_boards_step(NULL), -1);
    soloist_boards_close(NULL);
}

static void levels_are_checked(void **unused) {
    (void)unused;
    soloist_error error = {0};
    soloist_boards_plan plan = plan_of(1, NULL, 0);
    soloist_boards *boards = soloist_boards_open(soloist_find_domain(engine, "tiles"), &plan, &error);
    static const char *const texts[] = {"0 1 2 3 4 5 6 7 8", "0 1 2 nine", "1 0 2 3 4 5 6 7 8", "1 0 2 3"};
    static const soloist_code codes[] = {SOLOIST_BAD_INPUT, SOLOIST_BAD_INPUT, SOLOIST_OK, SOLOIST_BAD_INPUT};
    int shape[4];
    assert_non_null(boards);
    for (int i = 0; i < 4; i++) {
        soloist_chunk chunk = {.text = texts[i], .length = strlen(texts[i]), .line = 1};
        soloist_boards_shape(boards, shape);
        assert_int_equal(shape[0], i < 3 ? 0 : 9);
        assert_int_equal(soloist_boards_put(boards, 0, &chunk, &error), codes[i]);
    }
    assert_int_equal(soloist_boards_put(boards, LEVELS, &(soloist_chunk){0}, &error), SOLOIST_MISUSE);
    assert_int_equal(soloist_boards_fill(boards, "width=none", 1, &error), SOLOIST_BAD_INPUT);
    assert_int_equal(soloist_boards_bind(boards, &(soloist_boards_arrays){0}, &error), SOLOIST_MISUSE);
    assert_int_equal(soloist_boards_slot(boards, 0), -1);
    assert_int_equal(soloist_boards_print(boards, 0, &(soloist_sink){keep, NULL}), SOLOIST_MISUSE);
    soloist_boards_close(boards);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_domain_plays_by_its_rules),
        cmocka_unit_test(divisions_do_not_change_games),
        cmocka_unit_test(boards_begin_again),
        cmocka_unit_test(what_cannot_be_played_is_refused),
        cmocka_unit_test(levels_are_checked),
    };
    return cmocka_run_group_tests(tests, open_engine, close_engine);
}
