/* Learning in domains with costs: returns against plain sums; every position that is learned has the moves and the cost
 * of an optimal solution, or none; a run gives the same bits twice and after it was interrupted; the policy without
 * search gives up in time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/stop.h"
#include "domain/domain.h"
#include "learn/train/training.h"
#include "learn/train/tutor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GOAL_LOSS 0.818733

enum { side = 5, cells = side * side, planes = 4 * cells };

static const char tiny[] =
    "input 4x?x?\nconv 8 3x3 pad 1 elu\nconv 8 3x3 pad 1 elu\nmark body\nat 4\nlinear 4\npolicy\n"
    "from body\npool\nlinear 1\nvalue\n";

struct bench {
    soloist *engine;
    struct net net;
    char folder[40];
    struct training_wish wish;
    struct training_row last;
    soloist_stop_token stop;
    size_t rows, cancel_at; /* the run is cancelled at this row; 0: never */
};

static void note_row(void *user, const struct training_row *row) {
    struct bench *bench = user;
    bench->last = *row;
    if (++bench->rows == bench->cancel_at)
        soloist_stop_token_cancel(&bench->stop);
}

static void open_bench(struct bench *bench, const char *options) {
    soloist_error error = {0};
    memset(bench, 0, sizeof *bench);
    bench->engine = soloist_new();
    assert_true(net_read(&bench->net, tiny, strlen(tiny), &error));
    strcpy(bench->folder, "/tmp/soloist-goal-XXXXXX");
    assert_non_null(mkdtemp(bench->folder));
    bench->wish = (struct training_wish){.engine = bench->engine,
                                         .domain = soloist_find_domain(bench->engine, "sokoban-moves"),
                                         .domain_options = "rules=none",
                                         .generate = "width=5,height=5,boxes=1,total_positions=200",
                                         .net = &bench->net,
                                         .back_end = "cpu",
                                         .way = TRAINING_CONTINUOUS,
                                         .method = "astar",
                                         .teacher = soloist_find_domain(bench->engine, "sokoban"),
                                         .teacher_options = "optimal=moves",
                                         .seed = 5,
                                         .threads = 1,
                                         .folder = bench->folder,
                                         .stop = &bench->stop,
                                         .report = note_row,
                                         .user = bench};
    training_options_for(TRAINING_CONTINUOUS, bench->wish.domain, true, &bench->wish.options);
    assert_int_equal(
        soloist_options_parse(training_options_rows, &bench->wish.options,
                              "batch=16,boards=8,solve_time=0,row_steps=20,save_steps=20,reuse=0,warm_up=5", &error),
        SOLOIST_OK);
    assert_int_equal(soloist_options_parse(training_options_rows, &bench->wish.options, options, &error), SOLOIST_OK);
}

static void close_bench(struct bench *bench) {
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", bench->folder);
    assert_int_equal(system(command), 0);
    net_free(&bench->net);
    soloist_free(bench->engine);
}

static void run_bench(struct bench *bench, struct training_result *result) {
    soloist_error error = {0};
    if (!training_run(&bench->wish, result, &error))
        fail_msg("%s", error.text);
}

/* ---- returns ---- */

static soloist_puzzle read_puzzle(const soloist_domain *domain, const char *options, const char *text) {
    soloist_puzzle puzzle;
    soloist_error error = {0};
    assert_true(game_puzzle_read(domain, options, text, strlen(text), &puzzle, &error));
    return puzzle;
}

static void returns_are_plain_sums(void **unused) {
    (void)unused;
    struct returns returns;
    soloist_error error = {0};
    soloist_move moves[16];
    float values[16];
    soloist_puzzle puzzle = read_puzzle(&sokoban_moves_domain, NULL, "#######\n#@ $ .#\n#######\n");
    long count = puzzle.domain->text->read(puzzle.instance, "rRR", 3, moves, 16, &error);
    assert_int_equal(count, 3);
    assert_true(returns_open(&returns, puzzle.domain, "cost", 0.1, 0.5, &error));
    assert_true(returns_along(&returns, &puzzle, moves, 3, values));
    const float by_cost[] = {0.7f, 0.8f, 0.9f};
    for (int i = 0; i < 3; i++)
        assert_true(fabs((double)values[i] - (double)by_cost[i]) < 1e-6);
    assert_true(returns_open(&returns, puzzle.domain, "cost", 0.4, 1, &error)); /* never below 0 */
    assert_true(returns_along(&returns, &puzzle, moves, 3, values));
    assert_true(values[0] == 0 && values[2] > 0.59f);

    assert_true(returns_open(&returns, puzzle.domain, "rl", 0.01, 0.5, &error));
    assert_true(returns_along(&returns, &puzzle, moves, 3, values));
    unsigned char before[4096], after[4096];
    double later = 0, right[3], rewards[3];
    int which = returns.reward;
    soloist_shape shape = {0};
    puzzle.domain->life->shape(puzzle.instance, &shape);
    assert_true(shape.state_size <= sizeof before);
    puzzle.domain->life->root(puzzle.instance, after);
    for (int i = 0; i < 3; i++) {
        memcpy(before, after, shape.state_size);
        puzzle.domain->core->apply(puzzle.instance, after, moves[i], NULL);
        rewards[i] = puzzle.domain->reward->value(puzzle.instance, which, before, after, i + 1);
    }
    for (int i = 3; i-- > 0;)
        right[i] = later = rewards[i] + 0.5 * later;
    for (int i = 0; i < 3; i++)
        assert_true(fabs((double)values[i] - right[i]) < 1e-6);
    assert_false(returns_open(&returns, puzzle.domain, "no-such-reward", 0.01, 0.5, &error));
    soloist_puzzle_free(&puzzle);
}

/* ---- what is learned ---- */

/* The level that four planes show. */
static void draw(const float *seen, char *text) {
    for (int cell = 0; cell < cells; cell++) {
        bool wall = seen[cell] != 0, goal = seen[cells + cell] != 0, box = seen[2 * cells + cell] != 0;
        bool player = seen[3 * cells + cell] != 0;
        *text++ = wall ? '#' : box ? (goal ? '*' : '$') : player ? (goal ? '+' : '@') : goal ? '.' : ' ';
        if (cell % side == side - 1)
            *text++ = '\n';
    }
    *text = 0;
}

/* The fewest moves that solve a position, -1: there is no solution. */
static int fewest_moves(const soloist *engine, const char *text) {
    soloist_puzzle puzzle = read_puzzle(soloist_find_domain(engine, "sokoban"), "optimal=moves", text);
    soloist_result result;
    assert_int_equal(soloist_solve(engine, &puzzle, "astar", NULL, NULL, &result, NULL), SOLOIST_OK);
    int moves = result.status == SOLOIST_SOLVED ? (int)result.verdict.moves : -1;
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    return moves;
}

/* The position after the action that has the whole policy target. */
static int after_target(const soloist *engine, const char *text, const float *policy) {
    soloist_puzzle puzzle = read_puzzle(soloist_find_domain(engine, "sokoban-moves"), "rules=none", text);
    unsigned char state[4096];
    struct buffer next;
    int action = 0, moves = 0;
    int32_t last;
    while (policy[action] != 1)
        assert_true(++action < 4);
    buffer_open(&next);
    soloist_sink sink = buffer_sink(&next);
    puzzle.domain->life->root(puzzle.instance, state);
    puzzle.domain->core->apply(puzzle.instance, state, (soloist_move)action, NULL);
    puzzle.domain->text->print(puzzle.instance, state, &sink);
    if (!puzzle.domain->core->ended(puzzle.instance, state, &last))
        moves = fewest_moves(engine, next.text);
    buffer_close(&next);
    soloist_puzzle_free(&puzzle);
    return moves;
}

/* A dead position has the value 0. Its policy target prefers no move if the position was made as a dead one, and is
 * empty otherwise. */
static void check_dead(float value, const float *policy, bool made) {
    float most = 0, sum = 0;
    for (int i = 0; i < 4; i++) {
        most = policy[i] > most ? policy[i] : most;
        sum += policy[i];
    }
    assert_true(value == 0);
    for (int i = 0; i < 4; i++)
        assert_true(policy[i] == 0 || policy[i] == most);
    assert_true(made ? fabs((double)sum - 1) < 1e-6 : sum == 0);
}

/* Compares every sample of the checkpoint with a search from the position that its planes show. made: the dead
 * positions were made as such. */
static void check_samples(const struct bench *bench, bool made, size_t *alive, size_t *dead) {
    soloist_error error = {0};
    char path[80], text[cells + side + 1];
    float seen[planes], policy[4], value;
    soloist_puzzle shape = read_puzzle(bench->wish.domain, "rules=none", "#####\n#.$@#\n#   #\n#   #\n#####\n");
    struct samples *samples = samples_open(bench->wish.domain, shape.instance, 4, 100000, made ? 4 : 1, &error);
    snprintf(path, sizeof path, "%s/training.samples", bench->folder);
    assert_true(samples_load(samples, path));
    struct sample_viewer *viewer = sample_viewer_open(samples);
    *alive = *dead = 0;
    for (size_t i = 0; i < samples_count(samples); i++) {
        samples_show(samples, viewer, i, 0, seen, policy, &value, NULL);
        draw(seen, text);
        int moves = fewest_moves(bench->engine, text);
        if (moves < 0) {
            check_dead(value, policy, made);
            ++*dead;
        } else {
            assert_true(fabs((double)value - (1 - 0.01 * moves)) < 1e-6);
            assert_int_equal(after_target(bench->engine, text, policy), moves - 1);
            ++*alive;
        }
    }
    sample_viewer_close(viewer);
    samples_close(samples);
    soloist_puzzle_free(&shape);
}

static void positions_have_optimal_moves_and_costs(void **unused) {
    (void)unused;
    struct bench bench;
    struct training_result result;
    size_t alive, dead;
    open_bench(&bench, "solve_games=40,dead=1,learning_starts=1000000,steps=1");
    run_bench(&bench, &result);
    check_samples(&bench, true, &alive, &dead);
    assert_true(alive > 40 && dead > 5);
    training_result_free(&result);
    close_bench(&bench);
}

/* With DAgger the positions are those of the network's games, some of which cannot be solved any more. */
static void positions_of_the_networks_games_are_solved(void **unused) {
    (void)unused;
    struct bench bench;
    struct training_result result;
    size_t alive, dead;
    open_bench(&bench, "solve_games=60,dagger=1,dagger_steps=0,pairs=1,step_limit=20,learning_starts=1000000,steps=1,"
                       "parallel_games=4");
    run_bench(&bench, &result);
    check_samples(&bench, false, &alive, &dead);
    assert_true(alive > 20 && dead > 0);
    training_result_free(&result);
    close_bench(&bench);
}

static void seeds_and_pairs_count(void **unused) {
    (void)unused;
    struct bench bench;
    struct training_result result;
    open_bench(&bench, "solve_games=20,seeds=3,pairs=1,learning_starts=1000000,steps=1");
    run_bench(&bench, &result);
    assert_int_equal(result.row.games, 60);
    assert_int_equal(result.row.positions, 60);
    training_result_free(&result);
    close_bench(&bench);
}

/* Two boxes beside the player: which one is pushed first does not matter. */
static void equally_good_moves_share_the_target(void **unused) {
    (void)unused;
    struct bench bench;
    struct training_result result;
    soloist_error error = {0};
    char path[80], levels[80];
    open_bench(&bench, "solve_games=8,seeds=16,merge_seeds=true,validation=2,learning_starts=1000000,steps=1");
    snprintf(levels, sizeof levels, "%s/levels.xsb", bench.folder);
    FILE *stream = fopen(levels, "w");
    fputs("#######\n#     #\n# $@$ #\n# . . #\n#######\n\n#######\n# . . #\n# $@$ #\n#     #\n#######\n\n"
          "#######\n#  @  #\n# $ $ #\n# . . #\n#######\n\n#######\n# . . #\n# $ $ #\n#  @  #\n#######\n",
          stream);
    fclose(stream);
    bench.wish.levels = (const char *const[]){levels, NULL};
    bench.wish.method = "astar:ties=random";
    bench.wish.teacher_options = NULL;
    run_bench(&bench, &result);
    soloist_puzzle shape =
        read_puzzle(bench.wish.domain, "rules=none", "#######\n#     #\n# $@$ #\n# . . #\n#######\n");
    struct samples *samples = samples_open(bench.wish.domain, shape.instance, 4, 100000, 4, &error);
    snprintf(path, sizeof path, "%s/training.samples", bench.folder);
    assert_true(samples_load(samples, path));
    struct sample_viewer *viewer = sample_viewer_open(samples);
    size_t shared = 0;
    for (size_t i = 0; i < samples_count(samples); i++) {
        float seen[4 * 35], policy[4], value, sum = 0;
        int moves = 0;
        samples_show(samples, viewer, i, 0, seen, policy, &value, NULL);
        for (int k = 0; k < 4; k++)
            moves += policy[k] > 0, sum += policy[k];
        for (int k = 0; k < 4; k++)
            assert_true(policy[k] == 0 || policy[k] * (float)moves == 1);
        assert_true(sum == 1);
        shared += moves > 1;
    }
    assert_true(shared > 0 && shared < samples_count(samples));
    sample_viewer_close(viewer);
    samples_close(samples);
    soloist_puzzle_free(&shape);
    training_result_free(&result);
    close_bench(&bench);
}

/* ---- the same bits ---- */

#define REPEATABLE "solve_games=60,learning_starts=1000000,steps=80"

static void runs_repeat_and_resume_bit_by_bit(void **unused) {
    (void)unused;
    struct bench bench;
    struct training_result first, again;
    open_bench(&bench, REPEATABLE);
    size_t size = bench.net.parameters * sizeof(float);
    run_bench(&bench, &first);
    double loss = bench.last.training.total;
    close_bench(&bench);
    /* The sum of cross-entropy and squared error over steps 61 to 80, as computed when this test was written. */
    if (fabs(loss - GOAL_LOSS) > 1e-4)
        fail_msg("the loss is %.6f", loss);
    for (size_t cancel = 0; cancel <= 2; cancel += 2) {
        open_bench(&bench, REPEATABLE);
        bench.cancel_at = cancel;
        run_bench(&bench, &again);
        if (cancel) {
            assert_int_not_equal(memcmp(first.parameters, again.parameters, size), 0);
            training_result_free(&again);
            bench.stop = (soloist_stop_token){0};
            bench.wish.resume = true;
            run_bench(&bench, &again);
        }
        assert_int_equal(again.row.steps, 80);
        assert_memory_equal(first.parameters, again.parameters, size);
        training_result_free(&again);
        close_bench(&bench);
    }
    training_result_free(&first);
}

/* The teacher could play games without end, and it would while the policy plays its many boards. */
static void the_teacher_stops_when_learning_stops(void **unused) {
    (void)unused;
    struct bench bench;
    struct training_result result;
    open_bench(&bench, "boards=100,steps=30,learning_starts=16");
    bench.wish.threads = 2;
    run_bench(&bench, &result);
    assert_int_equal(result.row.steps, 30);
    assert_int_equal(bench.last.steps, 30);
    assert_int_equal(result.row.games, bench.last.games);
    assert_int_equal(result.row.positions, bench.last.positions);
    training_result_free(&result);
    close_bench(&bench);
}

/* ---- which puzzles are counted ---- */

/* Makers whose instances are levels of two shapes. Only those of the first shape can be learned from: the first and the
 * fourth of every five. */
struct mixed {
    soloist *engine;
    char path[40];
    struct game_source source;
    soloist_puzzle shape;
    struct samples *training, *validation;
    struct harvest harvest;
    struct makers makers;
};

static void open_mixed(struct mixed *mixed, enum make_way way) {
    static const char fits[] = "#####\n#@$.#\n#####\n", other[] = "######\n#@$ .#\n######\n";
    soloist_error error = {0};
    struct returns returns;
    memset(mixed, 0, sizeof *mixed);
    mixed->engine = soloist_new();
    strcpy(mixed->path, "/tmp/soloist_levels_XXXXXX");
    FILE *stream = fdopen(mkstemp(mixed->path), "w");
    fprintf(stream, "%s\n%s\n%s\n%s\n%s", fits, other, other, fits, other);
    fclose(stream);
    const char *const paths[] = {mixed->path, NULL};
    const soloist_domain *domain = soloist_find_domain(mixed->engine, "sokoban-moves");
    assert_true(game_source_open(&mixed->source, domain, NULL, NULL, 1, &error));
    assert_true(game_source_add_levels(&mixed->source, paths, 1, &error));
    assert_true(game_source_make(&mixed->source, 0, &mixed->shape, &error));
    mixed->training = samples_open(domain, mixed->shape.instance, 4, 100, 1, &error);
    mixed->validation = samples_open(domain, mixed->shape.instance, 4, 100, 1, &error);
    harvest_open(&mixed->harvest, mixed->training, mixed->validation);
    assert_true(returns_open(&returns, domain, "cost", 0.01, 1, &error));
    mixed->harvest.returns = returns;
    mixed->makers.plan = (struct maker_plan){.source = &mixed->source,
                                             .harvest = &mixed->harvest,
                                             .threads = 1,
                                             .way = way,
                                             .engine = mixed->engine,
                                             .method = "astar",
                                             .teacher = domain,
                                             .returns = returns,
                                             .seeds = 1,
                                             .pairs = 1};
    stop_token_open(&mixed->makers.stop, NULL);
}

static void close_mixed(struct mixed *mixed) {
    harvest_close(&mixed->harvest);
    samples_close(mixed->training);
    samples_close(mixed->validation);
    soloist_puzzle_free(&mixed->shape);
    game_source_close(&mixed->source);
    unlink(mixed->path);
    soloist_free(mixed->engine);
}

static void close_tutor(struct tutor *tutor) {
    free(tutor->sides[0].records);
    free(tutor->sides[1].records);
    buffer_close(&tutor->lines);
}

/* A puzzle whose record is not in the harvest yet is made again by a resumed run, also if other ones were skipped. */
static void skipped_puzzles_hide_no_unfinished_ones(void **unused) {
    (void)unused;
    struct mixed mixed;
    soloist_puzzle puzzle;
    uint64_t number;
    open_mixed(&mixed, MAKE_BY_TEACHING);
    struct tutor tutor = {.makers = &mixed.makers};
    const struct tutor before = tutor;
    assert_true(tutor_next(&tutor, &puzzle, &number));
    assert_int_equal(number, 0);
    assert_true(tutor_finish(&tutor, &before, tutor_puzzle(&tutor, &puzzle, number)));
    assert_true(tutor_next(&tutor, &puzzle, &number));
    assert_int_equal(number, 3);
    assert_int_equal(samples_count(mixed.training) + samples_count(mixed.validation), 0);
    assert_int_equal(makers_boards(&mixed.makers), 0);
    assert_int_equal(tutor.tally.boards, 3);
    soloist_puzzle_free(&puzzle);
    close_tutor(&tutor);
    close_mixed(&mixed);
}

/* Either a puzzle is counted and its records are kept, or neither. */
static void a_stopped_puzzle_leaves_nothing(void **unused) {
    (void)unused;
    for (int reason = 0; reason < 3; reason++) { /* 0: the puzzle is complete, 1: stopped, 2: an error */
        struct mixed mixed;
        soloist_puzzle puzzle;
        uint64_t number;
        open_mixed(&mixed, MAKE_BY_TEACHING);
        struct tutor tutor = {.makers = &mixed.makers};
        const struct tutor before = tutor;
        assert_true(tutor_next(&tutor, &puzzle, &number));
        assert_true(tutor_puzzle(&tutor, &puzzle, number));
        if (reason == 1)
            soloist_stop_token_cancel(&mixed.makers.stop);
        assert_int_equal(tutor_finish(&tutor, &before, reason != 2), reason != 2);
        assert_int_equal(tutor.sides[0].count + tutor.sides[1].count, !reason);
        assert_int_equal(tutor.tally.boards, !reason);
        assert_int_equal(tutor.tally.games, !reason);
        close_tutor(&tutor);
        close_mixed(&mixed);
    }
}

/* A game without room for its line is an error: it is not learned from as if its line were in the file. */
static void lines_are_not_lost_silently(void **unused) {
    (void)unused;
    struct mixed mixed;
    soloist_puzzle puzzle;
    uint64_t number;
    open_mixed(&mixed, MAKE_BY_TEACHING);
    mixed.makers.plan.write_games = true;
    struct tutor tutor = {.makers = &mixed.makers, .lines.failed = true};
    const struct tutor before = tutor;
    assert_true(tutor_next(&tutor, &puzzle, &number));
    assert_false(tutor_finish(&tutor, &before, tutor_puzzle(&tutor, &puzzle, number)));
    assert_non_null(strstr(tutor.error.text, "no memory"));
    assert_int_equal(tutor.sides[0].count + tutor.sides[1].count, 0);
    close_tutor(&tutor);
    close_mixed(&mixed);
}

/* At the end all puzzles count, also those that were skipped last. */
static void skipped_puzzles_count_in_the_end(void **unused) {
    (void)unused;
    static const enum make_way ways[] = {MAKE_BY_TEACHING, MAKE_BY_SOLVING};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct mixed mixed;
        struct makers makers;
        soloist_error error = {0};
        open_mixed(&mixed, ways[i]);
        struct maker_plan plan = mixed.makers.plan;
        plan.first = 1;
        plan.games = 9;
        assert_true(makers_start(&makers, &plan, &error));
        while (!makers_are_done(&makers))
            usleep(1000);
        assert_true(makers_stop(&makers, &error));
        assert_int_equal(mixed.harvest.games, 3); /* numbers 3, 5 and 8 */
        assert_int_equal(makers_boards(&makers), 10);
        close_mixed(&mixed);
    }
}

/* ---- levels and measuring ---- */

static void levels_come_from_files(void **unused) {
    (void)unused;
    char path[] = "/tmp/soloist_levels_XXXXXX";
    FILE *stream = fdopen(mkstemp(path), "w");
    fputs("; first\n#####\n#@$.#\n#####\n\n; second\n######\n#@$ .#\n######\n", stream);
    fclose(stream);
    struct game_source source;
    soloist_error error = {0};
    soloist_puzzle puzzle;
    const char *const paths[] = {path, NULL};
    int widths[2] = {0}, channels, height;
    assert_true(game_source_open(&source, &sokoban_moves_domain, NULL, NULL, 1, &error));
    assert_true(game_source_add_levels(&source, paths, 1, &error));
    assert_int_equal(source.level_count, 2);
    for (uint64_t i = 0; i < 4; i++) {
        assert_true(game_source_make(&source, i, &puzzle, &error));
        sokoban_moves_domain.learn->planes(puzzle.instance, &channels, &height, &widths[i % 2]);
        assert_int_equal(widths[i % 2], 5 + (int)i % 2);
        soloist_puzzle_free(&puzzle);
    }
    game_source_close(&source);
    unlink(path);
    assert_true(game_source_open(&source, &sokoban_moves_domain, NULL, NULL, 1, &error));
    assert_false(game_source_add_levels(&source, paths, 1, &error));
    game_source_close(&source);
}

/* A network without knowledge runs in circles. */
static void circles_end(void **unused) {
    (void)unused;
    enum { boards = 30 };
    static const char description[] = "input 9x3x3\nlinear 4\npolicy\n";
    struct net net;
    struct game_source source;
    struct predictor_options options;
    struct greedy_game games[boards];
    soloist_puzzle puzzles[boards];
    soloist_error error = {0};
    int stuck = 0;
    assert_true(net_read(&net, description, strlen(description), &error));
    float *parameters = malloc(net.parameters * sizeof(float));
    assert_true(net_initialise(&net, 3, parameters));
    soloist_options_reset(predictor_options_rows, &options);
    struct predictor *predictor = predictor_open(&tiles_domain, &net, parameters, "cpu", &options, &error);
    assert_true(game_source_open(&source, &tiles_domain, NULL, "width=3,height=3,walk=2", 1, &error));
    for (int i = 0; i < boards; i++)
        assert_true(game_source_make(&source, (uint64_t)i, &puzzles[i], &error));
    assert_true(greedy_play(predictor_evaluator(predictor), puzzles, boards, 25, NULL, games, &error));
    for (int i = 0; i < boards; i++) {
        assert_true(games[i].solved ? games[i].steps <= 25 && games[i].value == games[i].steps : games[i].steps == 25);
        stuck += !games[i].solved;
        soloist_puzzle_free(&puzzles[i]);
    }
    assert_true(stuck > 0 && stuck < boards);
    struct greedy_summary summary = greedy_sum_up(games, boards);
    assert_true(fabs(summary.rate - 100.0 * (boards - stuck) / boards) < 1e-9);
    assert_true(summary.interval.low < summary.rate && summary.rate < summary.interval.high);
    predictor_close(predictor);
    game_source_close(&source);
    net_free(&net);
    free(parameters);
}

static void scores_are_not_for_costs(void **unused) {
    (void)unused;
    struct bench bench;
    struct training_result result;
    soloist_error error = {0};
    open_bench(&bench, "self_play=true,steps=1");
    assert_false(training_run(&bench.wish, &result, &error));
    assert_non_null(strstr(error.text, "costs instead of scores"));
    bench.wish.options.self_play = false;
    strcpy(bench.wish.options.reward, "no-such-reward");
    assert_false(training_run(&bench.wish, &result, &error));
    assert_non_null(strstr(error.text, "has no reward named no-such-reward"));
    close_bench(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(returns_are_plain_sums),
        cmocka_unit_test(positions_have_optimal_moves_and_costs),
        cmocka_unit_test(positions_of_the_networks_games_are_solved),
        cmocka_unit_test(seeds_and_pairs_count),
        cmocka_unit_test(equally_good_moves_share_the_target),
        cmocka_unit_test(runs_repeat_and_resume_bit_by_bit),
        cmocka_unit_test(the_teacher_stops_when_learning_stops),
        cmocka_unit_test(skipped_puzzles_hide_no_unfinished_ones),
        cmocka_unit_test(a_stopped_puzzle_leaves_nothing),
        cmocka_unit_test(lines_are_not_lost_silently),
        cmocka_unit_test(skipped_puzzles_count_in_the_end),
        cmocka_unit_test(levels_come_from_files),
        cmocka_unit_test(circles_end),
        cmocka_unit_test(scores_are_not_for_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
