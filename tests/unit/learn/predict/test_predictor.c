/* Networks as searches see them: priors and values of SameGame's states against a plain network, one at a time and in
 * batches, from memory, and from several threads at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "domain/domain.h"
#include "learn/predict/memory.h"
#include "learn/predict/predictor.h"
#include "net/file.h"
#include "soloist_tools.h"
#include "unit/net/net_reference.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { most_states = 40, most_moves = 13 };

static const char *const both_heads = "input 6x5x5\nconv 8 3x3 pad 1 elu\nconv 8 3x3 pad 1 elu\nmark a\nlinear "
                                      "25\npolicy\nfrom a\npool\nlinear 1\nvalue\n";
static const char *const board_text = "12345\n11223\n33221\n45125\n44111\n";

/* A game's states with their moves. */
struct game {
    soloist_puzzle puzzle;
    struct net net;
    float *parameters;
    double *exact;
    unsigned char states[most_states][256];
    soloist_move moves[most_states][most_moves];
    float priors[most_states][most_moves];
    struct evaluation evaluations[most_states];
    int count;
};

static soloist_instance *instance_of(const struct game *game) { return game->puzzle.instance; }

/* Random lines of play until there are enough states that are not ended. */
static void gather_states(struct game *game) {
    unsigned char state[256];
    soloist_rng rng;
    int32_t last;
    soloist_rng_seed(&rng, 1, 0);
    samegame_domain.life->root(instance_of(game), state);
    while (game->count < most_states) {
        if (samegame_domain.core->ended(instance_of(game), state, &last)) {
            samegame_domain.life->root(instance_of(game), state);
            continue;
        }
        int i = game->count++;
        memcpy(game->states[i], state, sizeof state);
        int count = samegame_domain.core->moves(instance_of(game), state, game->moves[i]);
        game->evaluations[i] = (struct evaluation){.instance = instance_of(game),
                                                   .state = game->states[i],
                                                   .moves = game->moves[i],
                                                   .move_count = count,
                                                   .priors = game->priors[i]};
        samegame_domain.core->apply(instance_of(game), state, game->moves[i][soloist_rng_below(&rng, (uint32_t)count)],
                                    NULL);
    }
}

static struct game *open_game(const char *description) {
    struct game *game = calloc(1, sizeof *game);
    soloist_error error = {0};
    soloist_chunk chunk = {.text = board_text, .length = strlen(board_text), .line = 1};
    assert_int_equal(soloist_puzzle_read(&samegame_domain, NULL, &chunk, &game->puzzle, &error), SOLOIST_OK);
    assert_true(net_read(&game->net, description, strlen(description), &error));
    game->parameters = malloc(game->net.parameters * sizeof(float));
    game->exact = malloc(game->net.parameters * sizeof(double));
    assert_true(net_initialise(&game->net, 8, game->parameters));
    for (size_t i = 0; i < game->net.parameters; i++)
        game->exact[i] = (double)game->parameters[i];
    gather_states(game);
    return game;
}

static void close_game(struct game *game) {
    soloist_puzzle_free(&game->puzzle);
    net_free(&game->net);
    free(game->parameters), free(game->exact), free(game);
}

static struct predictor *open_predictor(const struct game *game, const char *text) {
    struct predictor_options options;
    soloist_error error = {0};
    soloist_options_reset(predictor_options_rows, &options);
    assert_int_equal(soloist_options_parse(predictor_options_rows, &options, text, &error), SOLOIST_OK);
    struct predictor *predictor =
        predictor_open(&samegame_domain, &game->net, game->parameters, "cpu", &options, &error);
    assert_non_null(predictor);
    assert_true(predictor_evaluator(predictor)->fits(predictor_evaluator(predictor), instance_of(game), &error));
    return predictor;
}

/* Every prior and value against plain loops. */
static void check_all(const struct game *game) {
    struct net_reference reference;
    float slot[6 * 25], policy[25], right[most_moves];
    net_reference_open(&reference, &game->net);
    for (int i = 0; i < game->count; i++) {
        const struct evaluation *e = &game->evaluations[i];
        double sum = 0, all = 0;
        samegame_domain.learn->encode(e->instance, e->state, 6, slot);
        net_reference_forward(&reference, game->exact, slot);
        for (int k = 0; k < 25; k++)
            policy[k] = (float)exp(reference.values[game->net.policy][k]);
        samegame_domain.learn->priors(e->instance, e->state, e->moves, e->move_count, policy, right);
        for (int k = 0; k < e->move_count; k++)
            sum += (double)right[k], all += (double)e->priors[k];
        assert_true(fabs(all - 1) < 1e-5);
        for (int k = 0; k < e->move_count; k++)
            assert_true(fabs((double)e->priors[k] - (double)right[k] / sum) < 1e-5);
        assert_true(fabs((double)e->value - reference.values[game->net.value][0]) < 1e-4);
    }
    net_reference_close(&reference);
}

static void predictions_are_the_networks(void **state) {
    (void)state;
    struct game *game = open_game(both_heads);
    static const char *const options[] = {"batch=1,remembered=0", "batch=7", "batch=64,threads=2,runners=2"};
    for (size_t i = 0; i < 3; i++) {
        struct predictor *predictor = open_predictor(game, options[i]);
        struct evaluator *evaluator = predictor_evaluator(predictor);
        assert_true(evaluator->has_policy && evaluator->has_value);
        assert_true(evaluator->judge(evaluator, game->evaluations, game->count, NULL));
        check_all(game);
        predictor_close(predictor);
    }
    close_game(game);
}

static void what_comes_again_is_remembered(void **state) {
    (void)state;
    struct game *game = open_game(both_heads);
    struct predictor *predictor = open_predictor(game, "remembered=100000");
    struct evaluator *evaluator = predictor_evaluator(predictor);
    assert_true(evaluator->judge(evaluator, game->evaluations, game->count, NULL));
    struct predictor_counts first = predictor_count(predictor);
    assert_int_equal(first.judged + first.remembered, game->count);
    memset(game->priors, 0, sizeof game->priors);
    assert_true(evaluator->judge(evaluator, game->evaluations, game->count, NULL));
    check_all(game);
    struct predictor_counts second = predictor_count(predictor);
    assert_int_equal(second.judged, first.judged);
    assert_int_equal(second.remembered, first.remembered + (uint64_t)game->count);
    evaluator->forget(evaluator);
    assert_true(evaluator->judge(evaluator, game->evaluations, 1, NULL));
    assert_int_equal(predictor_count(predictor).judged, first.judged + 1);
    /* Other weights: nothing old is told. */
    assert_true(net_initialise(&game->net, 9, game->parameters));
    for (size_t i = 0; i < game->net.parameters; i++)
        game->exact[i] = (double)game->parameters[i];
    assert_true(predictor_set(predictor, game->parameters, NULL));
    assert_true(evaluator->judge(evaluator, game->evaluations, game->count, NULL));
    check_all(game);
    predictor_close(predictor);
    close_game(game);
}

/* How much is remembered can be set by the size of states; states that are larger are not remembered. */
static void memory_is_set_by_size(void **state) {
    (void)state;
    struct game *game = open_game(both_heads);
    struct predictor *predictor = open_predictor(game, "remembered=0");
    struct evaluator *evaluator = predictor_evaluator(predictor);
    soloist_shape shape = {0};
    game->puzzle.domain->life->shape(game->puzzle.instance, &shape);
    for (int enough = 0; enough < 2; enough++) {
        predictor_remember(predictor, 100000, (size_t)1 << 30, shape.state_size - !enough);
        struct predictor_counts before = predictor_count(predictor);
        for (int i = 0; i < 2; i++)
            assert_true(evaluator->judge(evaluator, game->evaluations, game->count, NULL));
        check_all(game);
        struct predictor_counts after = predictor_count(predictor);
        if (enough)
            assert_true(after.remembered - before.remembered >= (uint64_t)game->count);
        else
            assert_int_equal(after.judged - before.judged, 2 * game->count);
    }
    predictor_remember(predictor, 100000, 1, shape.state_size); /* no room: nothing is remembered */
    assert_true(evaluator->judge(evaluator, game->evaluations, game->count, NULL));
    check_all(game);
    predictor_close(predictor);
    close_game(game);
}

/* Who wants no priors gets the same values, needs no moves, and leaves nothing in memory; beside others that do. */
/* A run with little memory makes the network remember less, and the network says how much it takes. */
static void a_limit_shrinks_what_is_remembered(void **state) {
    (void)state;
    struct game *game = open_game(both_heads);
    struct predictor *predictor = open_predictor(game, "remembered=100000,runners=2,queues=3");
    struct evaluator *evaluator = predictor_evaluator(predictor);
    const soloist_instance *instance = game->puzzle.instance;
    size_t whole = evaluator->expect(evaluator->self, instance, 1, 0);
    size_t wider = evaluator->expect(evaluator->self, instance, 3, 0);
    assert_true(whole > 100000 * sizeof(float) && wider > whole);
    assert_int_equal(evaluator->expect(evaluator->self, instance, 50, 0), wider); /* there are only three queues */
    size_t small = evaluator->expect(evaluator->self, instance, 1, (size_t)8 << 20);
    assert_true(small < whole && small > game->net.parameters * sizeof(float));
    size_t least = evaluator->expect(evaluator->self, instance, 1, 1);
    assert_true(least < small);
    assert_int_equal(evaluator->expect(evaluator->self, instance, 1, 0), least); /* the least limit stays in force */
    for (int i = 0; i < 2; i++)
        assert_true(evaluator->judge(evaluator, game->evaluations, game->count, NULL));
    check_all(game);
    assert_true(predictor_count(predictor).judged > (uint64_t)game->count);
    predictor_close(predictor);
    close_game(game);
}

static void values_come_alone(void **state) {
    (void)state;
    struct game *game = open_game(both_heads);
    struct predictor *predictor = open_predictor(game, "batch=7");
    struct evaluator *evaluator = predictor_evaluator(predictor);
    struct evaluation mixed[most_states];
    for (int i = 0; i < game->count; i++) {
        mixed[i] = game->evaluations[i];
        if (i % 3)
            mixed[i] = (struct evaluation){.instance = mixed[i].instance, .state = mixed[i].state};
    }
    assert_false(evaluator->apart);
    assert_true(evaluator->judge(evaluator, mixed, game->count, NULL));
    assert_true(evaluator->judge(evaluator, game->evaluations, game->count, NULL));
    check_all(game);
    for (int i = 0; i < game->count; i++)
        assert_true(fabsf(mixed[i].value - game->evaluations[i].value) < 1e-6f);
    for (int i = 0; i < game->count; i++)
        mixed[i] = (struct evaluation){.instance = mixed[i].instance, .state = mixed[i].state};
    struct predictor_counts before = predictor_count(predictor);
    assert_true(evaluator->judge(evaluator, mixed, game->count, NULL));
    struct predictor_counts after = predictor_count(predictor);
    assert_int_equal(after.judged, before.judged + (uint64_t)game->count);
    assert_int_equal(after.remembered, before.remembered);
    for (int i = 0; i < game->count; i++)
        assert_true(fabsf(mixed[i].value - game->evaluations[i].value) < 1e-6f);
    predictor_close(predictor);
    close_game(game);
}

static void the_memory_tells_states_apart(void **state) {
    (void)state;
    struct prediction_memory *memory = prediction_memory_open(1, 2, 1024); /* one place for all */
    const soloist_instance *here = (const soloist_instance *)(const void *)"here";
    const soloist_instance *there = (const soloist_instance *)(const void *)"there";
    float numbers[2] = {1, 2}, found[2];
    prediction_memory_keep(memory, here, 5, "abc", 3, numbers);
    assert_true(prediction_memory_find(memory, here, 5, "abc", 3, found));
    assert_true(found[0] == 1 && found[1] == 2);
    assert_false(prediction_memory_find(memory, here, 5, "abd", 3, found)); /* the same key */
    assert_false(prediction_memory_find(memory, here, 5, "ab", 2, found));
    assert_false(prediction_memory_find(memory, there, 5, "abc", 3, found));
    prediction_memory_keep(memory, here, 6, "xyz", 3, numbers);
    assert_false(prediction_memory_find(memory, here, 5, "abc", 3, found));
    prediction_memory_clear(memory);
    assert_false(prediction_memory_find(memory, here, 6, "xyz", 3, found));
    prediction_memory_close(memory);
    assert_null(prediction_memory_open(0, 2, 1024));
    assert_false(prediction_memory_find(NULL, here, 5, "abc", 3, found));
}

struct caller {
    struct evaluator *evaluator;
    struct game *game;
    int from;
};

static void *call(void *argument) {
    struct caller *caller = argument;
    for (int round = 0; round < 20; round++)
        for (int i = caller->from; i < caller->game->count; i += 4)
            if (!caller->evaluator->judge(caller->evaluator, &caller->game->evaluations[i], 1, NULL))
                return caller;
    return NULL;
}

static void ask_from_four_threads(struct predictor *predictor, struct game *game) {
    struct caller callers[4];
    pthread_t threads[4];
    void *failed;
    for (int i = 0; i < 4; i++) {
        callers[i] = (struct caller){predictor_evaluator(predictor), game, i};
        assert_int_equal(pthread_create(&threads[i], NULL, call, &callers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
}

static void threads_may_ask_at_once(void **state) {
    (void)state;
    struct game *game = open_game(both_heads);
    struct predictor *predictor = open_predictor(game, "runners=2,remembered=16");
    ask_from_four_threads(predictor, game);
    check_all(game);
    predictor_close(predictor);
    close_game(game);
}

/* However batches are put together, each answer goes to who asked. */
static void batches_are_merged(void **state) {
    (void)state;
    static const char *const options[] = {"batch=64,runners=1,remembered=0", "batch=2,runners=1,queues=1,remembered=0",
                                          "batch=4,runners=2,queues=5,remembered=0",
                                          "batch=8,runners=1,wait=2,fill=4,retries=1,remembered=0",
                                          "batch=4,runners=1,wait=1,fill=1,retries=3,remembered=0"};
    for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
        struct game *game = open_game(both_heads);
        struct predictor *predictor = open_predictor(game, options[o]);
        ask_from_four_threads(predictor, game);
        check_all(game);
        struct predictor_counts counts = predictor_count(predictor);
        assert_int_equal(counts.judged, 20 * game->count);
        assert_true(counts.batches <= counts.judged);
        predictor_close(predictor);
        close_game(game);
    }
}

/* More at once than a batch holds; and the document's clock, with one thread that nobody joins. */
static void large_and_lonely_calls_are_answered(void **state) {
    (void)state;
    static const char *const options[] = {"batch=3,queues=1,runners=1", "batch=48,wait=1,retries=2,queues=8"};
    for (size_t o = 0; o < 2; o++) {
        struct game *game = open_game(both_heads);
        struct predictor *predictor = open_predictor(game, options[o]);
        struct evaluator *evaluator = predictor_evaluator(predictor);
        assert_int_equal(evaluator->batch, o ? 48 : 3);
        assert_true(evaluator->judge(evaluator, game->evaluations, game->count, NULL));
        check_all(game);
        predictor_close(predictor);
        close_game(game);
    }
}

static void without_a_policy_priors_are_even(void **state) {
    (void)state;
    struct game *game = open_game("input 6x5x5\nlinear 1\nvalue\n");
    struct predictor *predictor = open_predictor(game, "");
    struct evaluator *evaluator = predictor_evaluator(predictor);
    assert_false(evaluator->has_policy);
    assert_true(evaluator->judge(evaluator, game->evaluations, 2, NULL));
    for (int k = 0; k < game->evaluations[0].move_count; k++)
        assert_true(fabsf(game->priors[0][k] * (float)game->evaluations[0].move_count - 1) < 1e-5f);
    predictor_close(predictor);
    close_game(game);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    struct game *game = open_game("input 6x7x5\nlinear 35\npolicy\n");
    struct predictor_options options;
    soloist_error error = {0};
    soloist_options_reset(predictor_options_rows, &options);
    struct predictor *predictor =
        predictor_open(&samegame_domain, &game->net, game->parameters, NULL, &options, &error);
    struct evaluator *evaluator = predictor_evaluator(predictor);
    assert_false(evaluator->fits(evaluator, instance_of(game), &error));
    assert_string_equal(error.text, "the instance has planes of 6x5x5, but the network reads 6x7x5");
    predictor_close(predictor);
    assert_null(predictor_open(&pancake_domain, &game->net, game->parameters, NULL, &options, &error));
    assert_string_equal(error.text, "pancake does not show its states to networks");
    assert_null(predictor_open(&samegame_domain, &game->net, game->parameters, "abacus", &options, &error));
    assert_string_equal(error.text, "this build has no back end abacus");
    close_game(game);
}

/* ---- boards of several sizes ---- */

enum { sizes = 12 }; /* more than are kept ready */

struct boards {
    soloist_puzzle puzzles[sizes];
    unsigned char states[sizes][256];
    soloist_move moves[sizes][64];
    float priors[sizes][64];
    struct evaluation evaluations[sizes];
};

static void open_board(struct boards *boards, int i) {
    char text[64] = "";
    soloist_error error = {0};
    for (int k = 0; k < 3 * (i + 3); k++) {
        char cell[3] = {(char)('1' + (k * 7 + k / 5) % 5), k % (i + 3) == i + 2 ? '\n' : 0, 0};
        strcat(text, cell);
    }
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    soloist_puzzle *puzzle = &boards->puzzles[i];
    assert_int_equal(soloist_puzzle_read(&samegame_domain, NULL, &chunk, puzzle, &error), SOLOIST_OK);
    samegame_domain.life->root(puzzle->instance, boards->states[i]);
    int count = samegame_domain.core->moves(puzzle->instance, boards->states[i], boards->moves[i]);
    boards->evaluations[i] =
        (struct evaluation){puzzle->instance, boards->states[i], boards->moves[i], count, boards->priors[i], 0};
}

/* A network of any size answers boards of many sizes in one call, as networks of each fixed size do. */
static void boards_of_any_size_are_answered(void **state) {
    (void)state;
    static const char rest[] = "conv 8 3x3 pad 1 elu\nmark a\nconv 1 1x1\npolicy\nfrom a\npool max\nlinear 1\nvalue\n";
    struct boards boards = {0}, fixed = {0};
    struct predictor_options options;
    soloist_error error = {0};
    struct net any;
    char text[256];
    soloist_options_reset(predictor_options_rows, &options);
    snprintf(text, sizeof text, "input 6x?x?\n%s", rest);
    assert_true(net_read(&any, text, strlen(text), &error));
    float *parameters = malloc(any.parameters * sizeof *parameters);
    assert_true(net_initialise(&any, 8, parameters));
    struct predictor *predictor = predictor_open(&samegame_domain, &any, parameters, "cpu", &options, &error);
    struct evaluator *evaluator = predictor_evaluator(predictor);
    for (int i = 0; i < sizes; i++) {
        open_board(&boards, i);
        open_board(&fixed, i);
        assert_true(evaluator->fits(evaluator, boards.puzzles[i].instance, &error));
    }
    for (int round = 0; round < 2; round++)
        assert_true(evaluator->judge(evaluator, boards.evaluations, sizes, &error));
    assert_true(evaluator->judge(evaluator, boards.evaluations + sizes - 1, 1, &error));
    assert_int_equal(predictor_count(predictor).judged, 2 * sizes);
    assert_int_equal(predictor_count(predictor).remembered, 1);
    for (int i = 0; i < sizes; i++) {
        struct net net;
        snprintf(text, sizeof text, "input 6x3x%d\n%s", i + 3, rest);
        assert_true(net_read(&net, text, strlen(text), &error));
        struct predictor *one = predictor_open(&samegame_domain, &net, parameters, "cpu", &options, &error);
        assert_true(predictor_evaluator(one)->judge(predictor_evaluator(one), &fixed.evaluations[i], 1, &error));
        assert_true(boards.evaluations[i].value == fixed.evaluations[i].value);
        assert_memory_equal(boards.priors[i], fixed.priors[i], sizeof fixed.priors[i]);
        predictor_close(one);
        net_free(&net);
        soloist_puzzle_free(&boards.puzzles[i]), soloist_puzzle_free(&fixed.puzzles[i]);
    }
    predictor_close(predictor);
    net_free(&any);
    free(parameters);
}

struct sizes_caller {
    struct evaluator *evaluator;
    struct boards boards;
    int first;
};

static void *call_sizes(void *argument) {
    struct sizes_caller *caller = argument;
    for (int i = 0; i < 3 * sizes; i++) {
        struct evaluation *evaluation = &caller->boards.evaluations[(caller->first + i * 5) % sizes];
        if (!caller->evaluator->judge(caller->evaluator, evaluation, 1, NULL))
            return caller;
    }
    return NULL;
}

/* Threads that need more sizes at once than are kept ready. Sums are rounded differently in batches of other sizes, so
 * that answers may differ in the last bits. */
static void threads_may_ask_about_any_size(void **state) {
    (void)state;
    enum { callers = 4 };
    static const char text[] = "input 6x?x?\nconv 8 3x3 pad 1 elu\nmark a\nconv 1 1x1\npolicy\nfrom a\npool\n"
                               "linear 1\nvalue\n";
    static struct sizes_caller all[callers];
    struct predictor_options options;
    soloist_error error = {0};
    struct net any;
    pthread_t threads[callers];
    void *failed;
    soloist_options_reset(predictor_options_rows, &options);
    options.runners = 1;
    assert_true(net_read(&any, text, sizeof text - 1, &error));
    float *parameters = malloc(any.parameters * sizeof *parameters);
    assert_true(net_initialise(&any, 8, parameters));
    struct predictor *predictor = predictor_open(&samegame_domain, &any, parameters, "cpu", &options, &error);
    for (int i = 0; i < callers; i++) {
        all[i] = (struct sizes_caller){.evaluator = predictor_evaluator(predictor), .first = i * 3};
        for (int k = 0; k < sizes; k++)
            open_board(&all[i].boards, k);
        assert_int_equal(pthread_create(&threads[i], NULL, call_sizes, &all[i]), 0);
    }
    for (int i = 0; i < callers; i++) {
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    for (int i = 0; i < callers; i++)
        for (int k = 0; k < sizes; k++) {
            assert_true(fabsf(all[i].boards.evaluations[k].value - all[0].boards.evaluations[k].value) < 1e-6f);
            for (int m = 0; m < all[0].boards.evaluations[k].move_count; m++)
                assert_true(fabsf(all[i].boards.priors[k][m] - all[0].boards.priors[k][m]) < 1e-6f);
        }
    for (int i = 0; i < callers; i++)
        for (int k = 0; k < sizes; k++)
            soloist_puzzle_free(&all[i].boards.puzzles[k]);
    struct predictor_counts counts = predictor_count(predictor);
    assert_int_equal(counts.judged + counts.remembered, callers * 3 * sizes);
    predictor_close(predictor);
    net_free(&any);
    free(parameters);
}

/* ---- as a program opens them ---- */

/* The public function: the same priors and values; a state at its end, last in the list, is not asked about. */
static void ask_as_a_program(struct game *game, soloist_network *network) {
    soloist_shape shape = {0};
    soloist_error error = {0};
    samegame_domain.life->shape(instance_of(game), &shape);
    size_t size = shape.state_size, most = (size_t)shape.most_moves;
    unsigned char *states = malloc((size_t)(game->count + 1) * size), *last = states + (size_t)game->count * size;
    float *priors = calloc((size_t)(game->count + 1) * most, sizeof *priors), values[most_states + 1];
    soloist_move moves[64];
    int32_t score;
    for (int i = 0; i < game->count; i++)
        memcpy(states + (size_t)i * size, game->states[i], size);
    samegame_domain.life->root(instance_of(game), last);
    while (!samegame_domain.core->ended(instance_of(game), last, &score)) {
        samegame_domain.core->moves(instance_of(game), last, moves);
        samegame_domain.core->apply(instance_of(game), last, moves[0], NULL);
    }
    assert_int_equal(soloist_network_evaluate(network, &game->puzzle, states, game->count + 1, priors, values, &error),
                     SOLOIST_OK);
    assert_true(values[game->count] == 0);
    for (int i = 0; i < game->count; i++) {
        memcpy(game->priors[i], priors + (size_t)i * most, (size_t)game->evaluations[i].move_count * sizeof *priors);
        game->evaluations[i].value = values[i];
    }
    check_all(game);
    float alone[most_states + 1];
    assert_int_equal(soloist_network_evaluate(network, &game->puzzle, states, game->count + 1, NULL, alone, NULL),
                     SOLOIST_OK);
    for (int i = 0; i <= game->count; i++)
        assert_true(fabs((double)alone[i] - (double)values[i]) < 1e-4);
    assert_int_equal(soloist_network_evaluate(network, &game->puzzle, NULL, 1, NULL, alone, &error), SOLOIST_MISUSE);
    assert_int_equal(soloist_network_evaluate(network, &game->puzzle, NULL, 0, NULL, NULL, &error), SOLOIST_OK);
    free(states);
    free(priors);
}

static void networks_open_from_files(void **state) {
    (void)state;
    struct game *game = open_game(both_heads);
    soloist_error error = {0};
    static const struct net_note notes[] = {
        {"soloist.value_scale", "250"}, {"soloist.domain", "samegame"}, {NULL, NULL}};
    static const struct net_note others[] = {{"soloist.domain", "same"}, {NULL, NULL}};
    char path[] = "/tmp/soloist-network-XXXXXX.safetensors", text[128];
    int descriptor = mkstemps(path, 12);
    assert_true(descriptor >= 0);
    close(descriptor);
    assert_true(net_file_save(path, &game->net, game->parameters, notes, &error));
    snprintf(text, sizeof text, "%s:batch=8,back_end=cpu", path);
    soloist_network *network = soloist_network_open(&samegame_domain, text, &error);
    assert_non_null(network);
    assert_int_equal(network->evaluator->batch, 8);
    assert_true(network->evaluator->value_scale == 250);
    assert_true(soloist_network_fits(network, &game->puzzle, &error));
    assert_true(network->evaluator->judge(network->evaluator, game->evaluations, game->count, &error));
    check_all(game);
    ask_as_a_program(game, network);
    char copy[160];
    snprintf(copy, sizeof copy, "%s.copy", path);
    assert_true(soloist_network_write(network, copy, &error));
    assert_false(soloist_network_write(network, "/nowhere/copy", &error));
    assert_false(soloist_network_write(NULL, copy, &error));
    soloist_network_close(network);
    network = soloist_network_open(&samegame_domain, copy, &error);
    assert_non_null(network);
    ask_as_a_program(game, network);
    soloist_network_close(network);
    unlink(copy);
    snprintf(text, sizeof text, "%s:batch=8,abacus=1", path);
    assert_null(soloist_network_open(&samegame_domain, text, &error));
    assert_non_null(strstr(error.text, "abacus"));
    assert_null(soloist_network_open(&pancake_domain, path, &error));
    assert_string_equal(error.text, "pancake does not show its states to networks");
    assert_null(soloist_network_open(NULL, path, &error));
    assert_true(net_file_save(path, &game->net, game->parameters, others, &error));
    assert_null(soloist_network_open(&samegame_domain, path, &error));
    assert_non_null(strstr(error.text, ": this network was trained for same, not for samegame"));
    unlink(path);
    assert_null(soloist_network_open(&samegame_domain, path, &error));
    assert_non_null(strstr(error.text, "cannot be read"));
    close_game(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions_are_the_networks),
        cmocka_unit_test(what_comes_again_is_remembered),
        cmocka_unit_test(memory_is_set_by_size),
        cmocka_unit_test(a_limit_shrinks_what_is_remembered),
        cmocka_unit_test(values_come_alone),
        cmocka_unit_test(the_memory_tells_states_apart),
        cmocka_unit_test(threads_may_ask_at_once),
        cmocka_unit_test(batches_are_merged),
        cmocka_unit_test(large_and_lonely_calls_are_answered),
        cmocka_unit_test(without_a_policy_priors_are_even),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(boards_of_any_size_are_answered),
        cmocka_unit_test(threads_may_ask_about_any_size),
        cmocka_unit_test(networks_open_from_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
