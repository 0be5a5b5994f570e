/* Games drawn from a policy: their positions carry what was still to come, and their moves how much better than
 * expected they came out, as a plain computation over the same games has it; looking ahead, the policy that the values
 * of all moves' states lead to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "domain/domain.h"
#include "learn/train/makers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { games = 12, most_turns = 32 };
static const double gae_lambda = 0.7, scale = 40, inverse_temperature = 1.5;

/* Even priors, and a value that depends on the state. */
static float value_of(const soloist_instance *instance, const void *state) {
    return (float)(samegame_domain.core->key(instance, state) % 64) / 64;
}

static bool judge(struct evaluator *evaluator, struct evaluation *questions, int count, soloist_error *error) {
    (void)evaluator, (void)error;
    for (int i = 0; i < count; i++) {
        for (int k = 0; questions[i].priors && k < questions[i].move_count; k++)
            questions[i].priors[k] = 1.0f / (float)questions[i].move_count;
        questions[i].value = value_of(questions[i].instance, questions[i].state);
    }
    return true;
}

struct bench {
    soloist *engine;
    struct game_source source;
    soloist_puzzle shape;
    struct samples *samples;
    struct sample_viewer *viewer;
    struct harvest harvest;
    struct evaluator evaluator;
};

static void open_bench(struct bench *bench) {
    soloist_error error = {0};
    memset(bench, 0, sizeof *bench);
    bench->engine = soloist_new();
    const soloist_domain *domain = soloist_find_domain(bench->engine, "samegame");
    assert_true(game_source_open(&bench->source, domain, NULL, "width=5,height=5,colours=3", 4, &error));
    assert_true(game_source_make(&bench->source, 0, &bench->shape, &error));
    bench->samples = samples_open(domain, bench->shape.instance, 0, 10000, 16, &error);
    bench->viewer = sample_viewer_open(bench->samples);
    harvest_open(&bench->harvest, bench->samples, bench->samples);
    bench->evaluator = (struct evaluator){.has_policy = true, .has_value = true, .judge = judge};
}

static void close_bench(struct bench *bench) {
    harvest_close(&bench->harvest);
    sample_viewer_close(bench->viewer);
    samples_close(bench->samples);
    soloist_puzzle_free(&bench->shape);
    game_source_close(&bench->source);
    soloist_free(bench->engine);
}

static void draw_games(struct bench *bench, int threads, int parallel_games, bool lookahead) {
    soloist_error error = {0};
    struct makers makers;
    struct maker_plan plan = {.source = &bench->source,
                              .harvest = &bench->harvest,
                              .threads = threads,
                              .games = games,
                              .way = MAKE_BY_PPO,
                              .gae_lambda = gae_lambda,
                              .lookahead = lookahead,
                              .inverse_temperature = inverse_temperature,
                              .value_scale = scale,
                              .parallel_games = parallel_games,
                              .evaluator = &bench->evaluator};
    assert_true(makers_start(&makers, &plan, &error));
    while (!makers_are_done(&makers))
        continue;
    assert_true(makers_stop(&makers, &error));
}

/* ---- the same games, plainly ---- */

struct line {
    int count;
    double expected[most_turns], gain[most_turns];
    int moves[most_turns], action[most_turns]; /* how many there were; of the one that was made */
    float planes[most_turns][6 * 25], policy[most_turns][25];
    double *square; /* looking ahead: of advantages, so far; NULL: not looking */
};

/* Looking ahead: even priors become those that the moves' worths lead to. */
static void lead_plainly(const soloist_puzzle *puzzle, const void *state, size_t size, const soloist_move *moves,
                         int count, float *priors, double *square) {
    const soloist_core *core = puzzle->domain->core;
    double worth[64], mean = 0, spread = 0, sum = 0;
    unsigned char *after = malloc(size);
    for (int i = 0; i < count; i++) {
        int32_t last;
        memcpy(after, state, size);
        worth[i] = core->apply(puzzle->instance, after, moves[i], NULL);
        bool over = core->ended(puzzle->instance, after, &last);
        worth[i] += over ? last : scale * (double)value_of(puzzle->instance, after);
        mean += worth[i] / count;
    }
    for (int i = 0; i < count; i++)
        spread += (worth[i] - mean) * (worth[i] - mean) / count;
    if (count > 1)
        *square = *square > 0 ? (1 - 0.01 / 50) * *square + 0.01 / 50 * spread : spread;
    for (int i = 0; i < count; i++)
        sum += exp(inverse_temperature * worth[i] / (*square > 0 ? sqrt(*square) : 1));
    for (int i = 0; i < count; i++)
        priors[i] = (float)(exp(inverse_temperature * worth[i] / (*square > 0 ? sqrt(*square) : 1)) / sum);
    free(after);
}

static void play_plainly(struct bench *bench, uint64_t number, struct line *line) {
    soloist_error error = {0};
    soloist_puzzle puzzle;
    soloist_shape shape;
    soloist_rng rng;
    int32_t last;
    assert_true(game_source_make(&bench->source, number, &puzzle, &error));
    const soloist_core *core = puzzle.domain->core;
    puzzle.domain->life->shape(puzzle.instance, &shape);
    unsigned char *state = malloc(shape.state_size);
    soloist_move *moves = malloc((size_t)shape.most_moves * sizeof *moves);
    float even[64];
    soloist_rng_seed(&rng, bench->source.seed + 2, number);
    puzzle.domain->life->root(puzzle.instance, state);
    for (line->count = 0; !core->ended(puzzle.instance, state, &last); line->count++) {
        assert_true(line->count < most_turns);
        int count = core->moves(puzzle.instance, state, moves);
        puzzle.domain->learn->encode(puzzle.instance, state, 6, line->planes[line->count]);
        for (int i = 0; i < count; i++)
            even[i] = 1.0f / (float)count;
        line->expected[line->count] = scale * (double)value_of(puzzle.instance, state);
        if (line->square) {
            lead_plainly(&puzzle, state, shape.state_size, moves, count, even, line->square);
            memset(line->policy[line->count], 0, sizeof line->policy[0]);
            puzzle.domain->learn->share(puzzle.instance, state, moves, even, count, line->policy[line->count]);
        }
        soloist_move move = moves[policy_draw(even, count, &rng)];
        line->moves[line->count] = count;
        line->action[line->count] = puzzle.domain->learn->action(puzzle.instance, state, move);
        line->gain[line->count] = core->apply(puzzle.instance, state, move, NULL);
    }
    if (line->count)
        line->gain[line->count - 1] += last;
    free(moves);
    free(state);
    soloist_puzzle_free(&puzzle);
}

/* The sum over all later surprises, each discounted by the steps to it. */
static double advantage_at(const struct line *line, int turn) {
    double sum = 0;
    for (int k = turn; k < line->count; k++) {
        double next = k + 1 < line->count ? line->expected[k + 1] : 0;
        sum += pow(gae_lambda, k - turn) * (line->gain[k] + next - line->expected[k]);
    }
    return sum;
}

static double to_come_at(const struct line *line, int turn) {
    double sum = 0;
    for (int k = turn; k < line->count; k++)
        sum += line->gain[k];
    return sum;
}

/* The marks of the move that was drawn are below 0, of all others above, and each move's add up to 1. */
static void check_marks(const float *marks, const struct line *line, int turn) {
    double own = 0, others = 0;
    for (int i = 0; i < 25; i++) {
        own += marks[i] < 0 ? (double)marks[i] : 0;
        others += marks[i] > 0 ? (double)marks[i] : 0;
    }
    assert_true(marks[line->action[turn]] < 0);
    assert_true(fabs(own + 1) < 1e-4 && fabs(others - (line->moves[turn] - 1)) < 1e-4);
}

static void check_turn(struct bench *bench, size_t index, const struct line *line, int turn, double deviation) {
    float planes[6 * 25], policy[25], value;
    struct net_drawn drawn;
    samples_show(bench->samples, bench->viewer, index, 0, planes, policy, &value, &drawn);
    assert_memory_equal(planes, line->planes[turn], sizeof planes);
    assert_true(fabs((double)value - to_come_at(line, turn)) < 1e-3);
    double counts = advantage_at(line, turn) / deviation;
    counts = counts < -10 ? -10 : counts > 10 ? 10 : counts;
    assert_true(fabs((double)drawn.advantage - counts) < 1e-4);
    assert_true(fabs((double)drawn.probability * line->moves[turn] - 1) < 1e-4);
    check_marks(policy, line, turn);
}

static void test_turns_are_weighed_as_plainly_computed(void **state) {
    (void)state;
    struct bench bench;
    static struct line line;
    double square = 0;
    size_t index = 0;
    line.square = NULL;
    open_bench(&bench);
    draw_games(&bench, 1, 1, false);
    for (uint64_t number = 0; number < games; number++) {
        play_plainly(&bench, number, &line);
        double sum = 0, deviation = square > 0 ? sqrt(square) : 1;
        for (int turn = 0; turn < line.count; turn++) {
            check_turn(&bench, index++, &line, turn, deviation);
            sum += advantage_at(&line, turn) * advantage_at(&line, turn);
        }
        if (line.count)
            square = square > 0 ? 0.99 * square + 0.01 * sum / line.count : sum / line.count;
    }
    assert_true(index > games && index == samples_count(bench.samples));
    close_bench(&bench);
}

/* What is still to come at a turn: as it came, or one of the later values, the farther the more seldom. */
static double mixed_at(const struct line *line, int turn) {
    if (turn == line->count)
        return 0;
    double next = turn + 1 < line->count ? line->expected[turn + 1] : 0;
    return line->gain[turn] + (1 - gae_lambda) * next + gae_lambda * mixed_at(line, turn + 1);
}

static void test_looking_ahead_leads_as_plainly_computed(void **state) {
    (void)state;
    struct bench bench;
    static struct line line;
    double square = 0;
    size_t index = 0;
    float planes[6 * 25], policy[25], value;
    open_bench(&bench);
    draw_games(&bench, 1, 1, true);
    line.square = &square;
    for (uint64_t number = 0; number < games; number++) {
        play_plainly(&bench, number, &line);
        for (int turn = 0; turn < line.count; turn++) {
            samples_show(bench.samples, bench.viewer, index++, 0, planes, policy, &value, NULL);
            assert_memory_equal(planes, line.planes[turn], sizeof planes);
            assert_true(fabs((double)value - mixed_at(&line, turn)) < 1e-3);
            for (int i = 0; i < 25; i++)
                assert_true(fabs((double)policy[i] - (double)line.policy[turn][i]) < 1e-4);
        }
    }
    assert_true(index > games && index == samples_count(bench.samples));
    close_bench(&bench);
}

/* Side by side they are the same games. */
static void test_games_do_not_depend_on_threads(void **state) {
    (void)state;
    struct bench bench;
    static struct line line;
    size_t turns = 0;
    double scores = 0;
    open_bench(&bench);
    line.square = NULL;
    draw_games(&bench, 3, 2, false);
    for (uint64_t number = 0; number < games; number++) {
        play_plainly(&bench, number, &line);
        turns += (size_t)line.count;
        scores += to_come_at(&line, 0);
    }
    assert_int_equal(samples_count(bench.samples), turns);
    struct harvest_scores drawn = harvest_scores(&bench.harvest);
    assert_int_equal(drawn.games, games);
    assert_true(fabs(drawn.mean - scores / games) < 1e-6);
    close_bench(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns_are_weighed_as_plainly_computed),
        cmocka_unit_test(test_looking_ahead_leads_as_plainly_computed),
        cmocka_unit_test(test_games_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
