/* Whole training runs on small boards: what is learned shows in play, both ways; games that were made stand up to the
 * referee and their targets are what they should be; a run that was stopped goes on where it was. */
#define _GNU_SOURCE 1 /* fopencookie */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "domain/domain.h"
#include "base/sanitizer.h"
#include "base/stop.h"
#include "learn/train/training.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char policy_net[] = "input 6x5x5\nconv 8 3x3 pad 1 elu\nconv 8 3x3 pad 1 elu\nlinear 25\npolicy\n";
static const char two_heads[] =
    "input 6x5x5\nconv 8 3x3 pad 1 elu\nconv 8 3x3 pad 1 elu\nmark body\nlinear 25\npolicy\n"
    "from body\nlinear 16 elu\nlinear 1\nvalue\n";

struct bench {
    soloist *engine;
    struct net net;
    char folder[32];
    struct training_wish wish;
    struct training_row rows[64];
    size_t count;
    soloist_stop_token stop;
    size_t cancel_at; /* rows; 0: never */
};

static void note_row(void *user, const struct training_row *row) {
    struct bench *bench = user;
    assert_true(bench->count < 64);
    bench->rows[bench->count++] = *row;
    if (bench->count == bench->cancel_at)
        soloist_stop_token_cancel(&bench->stop);
}

static void open_bench(struct bench *bench, const char *description, enum training_way way, const char *options) {
    soloist_error error = {0};
    memset(bench, 0, sizeof *bench);
    bench->engine = soloist_new();
    assert_true(net_read(&bench->net, description, strlen(description), &error));
    strcpy(bench->folder, "/tmp/soloist-train-XXXXXX");
    assert_non_null(mkdtemp(bench->folder));
    bench->wish = (struct training_wish){.engine = bench->engine,
                                         .domain = soloist_find_domain(bench->engine, "samegame"),
                                         .domain_options = "scoring=jawbreaker",
                                         .generate = "width=5,height=5,colours=3",
                                         .net = &bench->net,
                                         .back_end = "cpu",
                                         .way = way,
                                         .method = "nrpa:level=1,n=50",
                                         .seed = 3,
                                         .threads = 3,
                                         .folder = bench->folder,
                                         .stop = &bench->stop,
                                         .report = note_row,
                                         .user = bench};
    training_options_for(way, bench->wish.domain, bench->net.value, &bench->wish.options);
    assert_int_equal(soloist_options_parse(training_options_rows, &bench->wish.options, options, &error), SOLOIST_OK);
}

static void close_bench(struct bench *bench) {
    static const char *const names[] = {"counters.state",      "kept.state",       "trainer.state",
                                        "weights.safetensors", "training.samples", "validation.samples",
                                        "games.txt",           "curve.jsonl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%s", bench->folder, names[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(bench->folder), 0);
    net_free(&bench->net);
    soloist_free(bench->engine);
}

static struct training_result run(struct bench *bench) {
    struct training_result result;
    soloist_error error = {0};
    if (!training_run(&bench->wish, &result, &error))
        fail_msg("%s", error.text);
    return result;
}

/* Mean score of the policy alone on boards that no run has seen. */
static double greedy_mean(struct bench *bench, const float *parameters) {
    enum { boards = 200 };
    static struct greedy_game games[boards];
    static soloist_puzzle puzzles[boards];
    struct predictor_options options;
    struct game_source source;
    soloist_error error = {0};
    double sum = 0;
    soloist_options_reset(predictor_options_rows, &options);
    struct predictor *predictor = predictor_open(bench->wish.domain, &bench->net, parameters, "cpu", &options, &error);
    assert_true(
        game_source_open(&source, bench->wish.domain, bench->wish.domain_options, bench->wish.generate, 12345, &error));
    for (int i = 0; i < boards; i++)
        assert_true(game_source_make(&source, (uint64_t)i, &puzzles[i], &error));
    assert_true(greedy_play(predictor_evaluator(predictor), puzzles, boards, 0, NULL, games, &error));
    for (int i = 0; i < boards; i++) {
        sum += games[i].value;
        soloist_puzzle_free(&puzzles[i]);
    }
    predictor_close(predictor);
    game_source_close(&source);
    return sum / boards;
}

static double greedy_of_start(struct bench *bench) {
    float *parameters = malloc(bench->net.parameters * sizeof(float));
    assert_true(net_initialise(&bench->net, bench->wish.seed, parameters));
    double mean = greedy_mean(bench, parameters);
    free(parameters);
    return mean;
}

static uint64_t check_games(const struct bench *bench) {
    char path[64];
    struct game_source source;
    soloist_error error = {0};
    soloist_puzzle puzzle;
    struct harvest harvest;
    uint64_t refused;
    snprintf(path, sizeof path, "%s/games.txt", bench->folder);
    assert_true(
        game_source_open(&source, bench->wish.domain, bench->wish.domain_options, bench->wish.generate, 1, &error));
    assert_true(game_source_make(&source, 0, &puzzle, &error));
    struct samples *samples = samples_open(bench->wish.domain, puzzle.instance, 0, 100000, 1, &error);
    harvest_open(&harvest, samples, samples);
    assert_true(harvest_file(&harvest, bench->wish.domain, bench->wish.domain_options, path, 2, NULL, &refused));
    assert_int_equal(refused, 0);
    uint64_t games = harvest.games;
    harvest_close(&harvest);
    samples_close(samples);
    soloist_puzzle_free(&puzzle);
    game_source_close(&source);
    return games;
}

/* ---- runs ---- */

/* How much is learned where one thread makes the games: nothing for the thread sanitizer, under which it takes long. */
static bool skip_learning(void) {
    if (HAS_THREAD_SANITIZER) {
        print_message("SKIP needs a build without the thread sanitizer\n");
        skip();
    }
    return HAS_THREAD_SANITIZER;
}

/* Games are made first and then learned from, so that all of it is the same every time. */
static void a_network_learns_from_solved_boards(void **unused) {
    (void)unused;
    if (skip_learning())
        return;
    struct bench maker, learner;
    char path[64];
    const char *files[] = {path, NULL};
    open_bench(&maker, two_heads, TRAINING_CONTINUOUS,
               "solve_iterations=150,solve_games=400,self_play=false,boards=1,batch=1,steps=1,learning_starts=1000000");
    maker.wish.threads = 1;
    struct training_result result = run(&maker);
    training_result_free(&result);
    assert_int_equal(check_games(&maker), 400);
    snprintf(path, sizeof path, "%s/games.txt", maker.folder);
    open_bench(&learner, two_heads, TRAINING_CONTINUOUS,
               "batch=64,rate=5e-3,steps=300,row_steps=60,save_steps=150,self_play=false,boards=16,ema_decay=0.9,"
               "ema_steps=10");
    learner.wish.method = NULL;
    learner.wish.games = files;
    result = run(&learner);
    assert_int_equal(learner.count, 5);
    assert_int_equal(result.row.steps, 300);
    assert_int_equal(result.row.games, 400);
    assert_int_equal(check_games(&learner), 0);
    assert_true(learner.rows[4].training.policy < learner.rows[0].training.policy);
    assert_true(learner.rows[4].validation.total < learner.rows[0].validation.total);
    double before = greedy_of_start(&learner), after = greedy_mean(&learner, result.parameters);
    print_message("greedy: %.1f at the start, %.1f in the end\n", before, after);
    assert_true(after > before + 2);
    training_result_free(&result);
    close_bench(&learner);
    close_bench(&maker);
}

static void self_play_takes_over(void **unused) {
    (void)unused;
    struct bench bench;
    open_bench(
        &bench, two_heads, TRAINING_CONTINUOUS,
        "policy=visits,batch=16,solve_iterations=1,solve_games=20,steps=150,row_steps=50,self_play=true,parallel_games="
        "4,boards=4,"
        "simulations=8,reuse=20,refresh_s=0.05,ema_steps=10");
    struct training_result result = run(&bench);
    assert_string_equal(result.row.doing, "self-play");
    assert_true(result.row.games > 20);
    assert_int_equal(check_games(&bench), result.row.games);
    assert_true(result.row.positions * 20 + 16 >= 150 * 16 * 9 / 10); /* one in ten is for trying */
    training_result_free(&result);
    close_bench(&bench);
}

/* Boards that are not full are positions that the network came to. */
static void the_network_begins_games(void **unused) {
    (void)unused;
    struct bench bench;
    char path[64], line[2048];
    int begun = 0;
    open_bench(&bench, two_heads, TRAINING_CONTINUOUS,
               "batch=16,solve_iterations=5,solve_games=200,steps=300,row_steps=100,self_play=false,dagger=1,"
               "dagger_steps=5,reuse=10,boards=4,ema_steps=10");
    struct training_result result = run(&bench);
    assert_int_equal(check_games(&bench), result.row.games);
    snprintf(path, sizeof path, "%s/games.txt", bench.folder);
    FILE *stream = fopen(path, "r");
    while (fgets(line, sizeof line, stream))
        begun += memchr(line, '.', strcspn(line, "\t")) != NULL;
    fclose(stream);
    assert_true(begun > 20);
    training_result_free(&result);
    close_bench(&bench);
}

static void generations_learn(void **unused) {
    (void)unused;
    if (skip_learning())
        return;
    const char *const nets[] = {policy_net, two_heads};
    for (int i = 0; i < 2; i++) {
        struct bench bench;
        open_bench(&bench, nets[i], TRAINING_GENERATIONS,
                   "generations=2,runs=40,simulations=30,jump_start=200,boards=16,parallel_games=8,batch=32");
        bench.wish.options.epochs = i ? 6 : 0;
        bench.wish.threads = 1; /* so that games come in the same order every time */
        struct training_result result = run(&bench);
        assert_int_equal(bench.count, 2);
        assert_int_equal(result.row.generation, 2);
        assert_int_equal(result.row.games, 80);
        assert_int_equal(check_games(&bench), 80);
        double before = greedy_of_start(&bench), after = greedy_mean(&bench, result.parameters);
        print_message("greedy: %.1f at the start, %.1f in the end\n", before, after);
        assert_true(after > before);
        training_result_free(&result);
        close_bench(&bench);
    }
}

/* Three generations of twenty games with two positions each, of which the newest thirty games are kept. */
static void generations_keep_positions_by_games(void **unused) {
    (void)unused;
    struct bench bench;
    open_bench(&bench, policy_net, TRAINING_GENERATIONS,
               "generations=3,runs=20,simulations=10,jump_start=50,boards=4,parallel_games=4,batch=8,validation=5,"
               "game_positions=2,capacity_games=30,epochs=1");
    struct training_result result = run(&bench);
    assert_int_equal(result.row.games, 60);
    assert_int_equal(result.row.positions, 120);
    /* Batches of one epoch: 40, 60 and 60 positions, less a fifth for validation. */
    assert_int_equal(result.row.steps, 32 / 8 + 48 / 8 + 48 / 8);
    training_result_free(&result);
    close_bench(&bench);
}

/* One position per game: there are too few of them for one in ten, but one is for validation. */
static void generations_of_few_positions_are_validated(void **unused) {
    (void)unused;
    static const char *const few[] = {"runs=40,capacity_games=5", "runs=40,capacity_games=1", "runs=5"};
    static const uint64_t kept[] = {5, 2, 5};
    for (int i = 0; i < 3; i++) {
        struct bench bench;
        soloist_error error = {0};
        open_bench(&bench, policy_net, TRAINING_GENERATIONS,
                   "generations=1,simulations=8,jump_start=8,boards=4,parallel_games=4,batch=1,game_positions=1,"
                   "epochs=1");
        assert_int_equal(soloist_options_parse(training_options_rows, &bench.wish.options, few[i], &error), SOLOIST_OK);
        struct training_result result = run(&bench);
        assert_int_equal(result.row.steps, kept[i] - 1);
        assert_true(isfinite(result.row.validation.total));
        training_result_free(&result);
        close_bench(&bench);
    }
}

/* Copies the run's folder while the row is reported: what a kill at this moment would leave. */
static void copy_folder(void *user, const struct training_row *row) {
    struct bench *bench = user;
    char command[160];
    note_row(user, row);
    snprintf(command, sizeof command, "rm -rf %s.copy && cp -r %s %s.copy", bench->folder, bench->folder,
             bench->folder);
    assert_int_equal(system(command), 0);
}

static void a_kill_before_the_row_is_counted_loses_no_row(void **unused) {
    (void)unused;
    struct bench bench;
    open_bench(&bench, policy_net, TRAINING_GENERATIONS,
               "generations=2,runs=20,simulations=8,jump_start=8,boards=4,parallel_games=4,batch=8,epochs=1");
    bench.wish.report = copy_folder;
    struct training_result result = run(&bench);
    assert_int_equal(bench.count, 2);
    double measured = bench.rows[1].greedy;
    training_result_free(&result);
    char copy[48];
    snprintf(copy, sizeof copy, "%s.copy", bench.folder);
    bench.wish.folder = copy;
    bench.wish.report = note_row;
    bench.wish.resume = true;
    result = run(&bench);
    assert_int_equal(bench.count, 3);
    assert_int_equal(bench.rows[2].row, bench.rows[1].row);
    assert_int_equal(bench.rows[2].generation, 2);
    assert_float_equal(bench.rows[2].greedy, measured, 0);
    training_result_free(&result);
    result = run(&bench); /* now the row is there */
    assert_int_equal(bench.count, 3);
    training_result_free(&result);
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", copy);
    assert_int_equal(system(command), 0);
    close_bench(&bench);
}

/* Games of files count like those of a generation: each gives as many positions, and the newest ones are kept. */
static void generations_take_some_positions_of_files(void **unused) {
    (void)unused;
    struct bench maker, learner;
    char path[64];
    const char *files[] = {path, NULL};
    const char *options = "generations=1,runs=20,simulations=8,jump_start=8,boards=4,parallel_games=4,batch=8,"
                          "validation=5,game_positions=2,capacity_games=30,epochs=1";
    open_bench(&maker, policy_net, TRAINING_GENERATIONS, options);
    struct training_result result = run(&maker);
    training_result_free(&result);
    snprintf(path, sizeof path, "%s/games.txt", maker.folder);
    open_bench(&learner, policy_net, TRAINING_GENERATIONS, options);
    learner.wish.games = files;
    result = run(&learner);
    assert_int_equal(result.row.games, 40);
    assert_int_equal(result.row.positions, 80);
    assert_int_equal(result.row.steps, 48 / 8); /* 60 positions, less a fifth for validation */
    training_result_free(&result);
    close_bench(&learner);
    close_bench(&maker);
}

/* Stopped half-way and resumed on the same samples, a run comes to the same weights to the last bit. */
static void a_stopped_run_loses_nothing(void **unused) {
    (void)unused;
    struct bench maker, whole, parts;
    char path[64];
    const char *files[] = {path, NULL};
    const char *options = "batch=16,steps=60,row_steps=10,save_steps=1000000,self_play=false,boards=4,ema_steps=5,"
                          "reuse=0,reorderings=3";
    open_bench(&maker, two_heads, TRAINING_CONTINUOUS,
               "solve_iterations=5,solve_games=30,self_play=false,boards=1,batch=1,steps=1,learning_starts=1000000");
    struct training_result made = run(&maker);
    snprintf(path, sizeof path, "%s/games.txt", maker.folder);
    open_bench(&whole, two_heads, TRAINING_CONTINUOUS, options);
    open_bench(&parts, two_heads, TRAINING_CONTINUOUS, options);
    whole.wish.method = parts.wish.method = NULL;
    whole.wish.games = parts.wish.games = files;
    struct training_result right = run(&whole);
    parts.cancel_at = 3;
    struct training_result half = run(&parts);
    assert_int_equal(half.row.steps, 30);
    stop_token_open(&parts.stop, NULL);
    parts.wish.resume = true;
    struct training_result found = run(&parts);
    assert_int_equal(found.row.steps, 60);
    assert_int_equal(parts.count, whole.count);
    assert_memory_equal(found.parameters, right.parameters, whole.net.parameters * sizeof(float));
    training_result_free(&made), training_result_free(&right), training_result_free(&half);
    training_result_free(&found);
    close_bench(&maker), close_bench(&whole), close_bench(&parts);
}

/* Stopped at half of the steps and resumed, a run has as many rows as one that was not. */
static void a_stopped_run_goes_on(void **unused) {
    (void)unused;
    struct bench bench;
    char path[64], line[1024];
    uint64_t rows = 0;
    open_bench(
        &bench, two_heads, TRAINING_CONTINUOUS,
        "batch=16,solve_iterations=1,solve_games=30,steps=60,row_steps=10,save_steps=10,self_play=false,boards=4,"
        "ema_steps=5");
    struct training_result result = run(&bench);
    uint64_t games = result.row.games;
    assert_int_equal(bench.count, 6);
    training_result_free(&result);
    bench.wish.options.steps = 120;
    bench.wish.resume = true;
    result = run(&bench);
    assert_int_equal(bench.count, 12);
    assert_int_equal(bench.rows[11].row, 11);
    assert_int_equal(bench.rows[6].steps, 70);
    assert_true(result.row.games >= games);
    training_result_free(&result);
    snprintf(path, sizeof path, "%s/curve.jsonl", bench.folder);
    FILE *stream = fopen(path, "r");
    while (fgets(line, sizeof line, stream))
        rows++;
    fclose(stream);
    assert_int_equal(rows, 12);
    close_bench(&bench);
}

/* A file of games that notes how much is written, and whether games could be added meanwhile. */
struct watched {
    struct harvest *harvest;
    size_t written;
    bool unlocked;
};

static ssize_t note_written(void *cookie, const char *text, size_t length) {
    struct watched *watched = cookie;
    (void)text;
    if (!pthread_mutex_trylock(&watched->harvest->lock)) {
        watched->unlocked = true;
        pthread_mutex_unlock(&watched->harvest->lock);
    }
    watched->written += length;
    return (ssize_t)length;
}

/* Nobody can add a game between the writing of the lines and that of the samples. */
static void a_checkpoint_has_a_line_for_every_game(void **unused) {
    (void)unused;
    static struct training training;
    struct bench bench;
    soloist_error error = {0};
    open_bench(&bench, two_heads, TRAINING_CONTINUOUS, "batch=16,net_threads=1,batch_threads=1");
    training = (struct training){.wish = &bench.wish, .options = bench.wish.options};
    assert_true(game_source_open(&training.source, bench.wish.domain, bench.wish.domain_options, bench.wish.generate, 1,
                                 &error));
    assert_true(game_source_make(&training.source, 0, &training.shape, &error));
    training.training = samples_open(bench.wish.domain, training.shape.instance, 0, 10, 1, &error);
    training.validation = samples_open(bench.wish.domain, training.shape.instance, 0, 10, 1, &error);
    harvest_open(&training.harvest, training.training, training.validation);
    training.parameters = calloc(bench.net.parameters, sizeof(float));
    training.trainer = trainer_open(&bench.net, training.parameters, "cpu", &training.options, &error);
    assert_non_null(training.trainer);
    struct watched watched = {.harvest = &training.harvest};
    training.lines = fopencookie(&watched, "w", (cookie_io_functions_t){.write = note_written});
    fputs("a game\n", training.lines);
    assert_int_equal(watched.written, 0);
    assert_true(training_save(&training, &error));
    assert_int_equal(watched.written, 7);
    assert_false(watched.unlocked);
    fclose(training.lines);
    trainer_close(training.trainer);
    free(training.parameters);
    harvest_close(&training.harvest);
    samples_close(training.training);
    samples_close(training.validation);
    soloist_puzzle_free(&training.shape);
    game_source_close(&training.source);
    close_bench(&bench);
}

static void wrong_wishes_are_refused(void **unused) {
    (void)unused;
    struct bench bench;
    struct training_result result;
    soloist_error error = {0};
    open_bench(&bench, policy_net, TRAINING_CONTINUOUS, "steps=1");
    bench.wish.generate = "width=6,height=5,colours=3";
    assert_false(training_run(&bench.wish, &result, &error));
    assert_non_null(strstr(error.text, "the network reads 6x5x5"));
    bench.wish.generate = "width=5,height=5,colours=3";
    bench.wish.resume = true;
    assert_false(training_run(&bench.wish, &result, &error));
    assert_non_null(strstr(error.text, "has no checkpoint"));
    bench.wish.resume = false;
    bench.wish.method = "no-such-method";
    assert_false(training_run(&bench.wish, &result, &error));
    bench.wish.domain = soloist_find_domain(bench.engine, "pancake");
    bench.wish.domain_options = NULL;
    bench.wish.generate = NULL;
    assert_false(training_run(&bench.wish, &result, &error));
    assert_non_null(strstr(error.text, "does not show its states"));
    close_bench(&bench);
}

static void rates_rise_and_fall(void **unused) {
    (void)unused;
    struct training_options options;
    training_options_for(TRAINING_CONTINUOUS, &samegame_domain, false, &options);
    options.rate = 1;
    options.warm_up = 10;
    assert_true(trainer_rate(&options, 0, 0) == 0.1);
    assert_true(trainer_rate(&options, 9, 0) == 1);
    assert_true(trainer_rate(&options, 100, 0.5) == 0.5);
    assert_true(trainer_rate(&options, 100, 1) == 0);
    for (double t = 0; t < 1; t += 0.01)
        assert_true(trainer_rate(&options, 50, t) > trainer_rate(&options, 50, t + 0.01));
    options.value_scale = 100;
    options.value_weight = 16;
    assert_true(trainer_value_weight(&options, 400) == 1); /* 16 / 4^2 */
    assert_true(trainer_value_weight(&options, 0) == 16 * 100.0 * 100.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_network_learns_from_solved_boards),
        cmocka_unit_test(self_play_takes_over),
        cmocka_unit_test(the_network_begins_games),
        cmocka_unit_test(generations_learn),
        cmocka_unit_test(generations_keep_positions_by_games),
        cmocka_unit_test(generations_of_few_positions_are_validated),
        cmocka_unit_test(generations_take_some_positions_of_files),
        cmocka_unit_test(a_kill_before_the_row_is_counted_loses_no_row),
        cmocka_unit_test(a_stopped_run_loses_nothing),
        cmocka_unit_test(a_stopped_run_goes_on),
        cmocka_unit_test(a_checkpoint_has_a_line_for_every_game),
        cmocka_unit_test(wrong_wishes_are_refused),
        cmocka_unit_test(rates_rise_and_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
