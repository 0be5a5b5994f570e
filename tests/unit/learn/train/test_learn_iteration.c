/* Expert iteration and actor-critic training: returns and records against plain computation; the same bits with any
 * number of threads, and after a run was stopped and resumed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/stop.h"
#include "domain/domain.h"
#include "learn/train/actors.h"
#include "learn/train/training.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char net_text[] = "input 4x5x5\nconv 8 3x3 pad 1 relu\nlinear 16 relu\nmark body\nlinear 4\npolicy\n"
                               "from body\nlinear 1\nvalue\n";
static const char easy[] = "width=5,height=5,boxes=1,total_positions=50,max_action_depth=6";

/* ---- returns ---- */

/* By the definition: the sum of all later rewards of the same game, each discounted by its distance, and the value of
 * the last state if the game goes on. */
static double plain_return(const float *rewards, const bool *ended, float value, int steps, int count, int t, int a,
                           double discount) {
    double sum = 0, factor = 1;
    for (; t < steps; t++, factor *= discount) {
        sum += factor * (double)rewards[t * count + a];
        if (ended[t * count + a])
            return sum;
    }
    return sum + factor * (double)value;
}

static void returns_are_discounted_sums(void **state) {
    (void)state;
    enum { steps = 7, count = 3 };
    float rewards[steps * count], values[count] = {0.5f, -0.25f, 2}, returns[steps * count];
    bool ended[steps * count] = {0};
    soloist_rng rng;
    soloist_rng_seed(&rng, 1, 1);
    for (int i = 0; i < steps * count; i++)
        rewards[i] = (float)soloist_rng_unit(&rng) - 0.5f;
    ended[2 * count] = ended[6 * count] = ended[0 * count + 1] = ended[5 * count + 1] = true;
    actors_returns(rewards, ended, values, steps, count, 0.9, returns);
    for (int t = 0; t < steps; t++)
        for (int a = 0; a < count; a++) {
            double right = plain_return(rewards, ended, values[a], steps, count, t, a, 0.9);
            assert_true(fabs((double)returns[t * count + a] - right) < 1e-5);
        }
}

/* ---- instances ---- */

struct world {
    struct game_source source;
    soloist_puzzle shape;
    struct samples *samples;
};

static void open_world(struct world *world, const char *generate, int targets) {
    soloist_error error = {0};
    assert_true(game_source_open(&world->source, &sokoban_moves_domain, "rules=none", generate, 5, &error));
    assert_true(game_source_make(&world->source, 0, &world->shape, &error));
    world->samples = samples_open(&sokoban_moves_domain, world->shape.instance, 4, 5000, targets, &error);
    assert_non_null(world->samples);
}

static void close_world(struct world *world) {
    samples_close(world->samples);
    soloist_puzzle_free(&world->shape);
    game_source_close(&world->source);
}

/* Whatever the number of threads, the instances come in the order of their numbers. */
static void instances_come_in_order(void **state) {
    (void)state;
    struct world world;
    soloist_error error = {0};
    open_world(&world, easy, 1);
    struct level_stream *one = level_stream_open(&world.source, world.samples, 3, 1, &error);
    struct level_stream *four = level_stream_open(&world.source, world.samples, 3, 4, &error);
    for (uint64_t i = 0; i < 600; i++) {
        soloist_puzzle a, b;
        uint64_t x, y;
        assert_true(level_stream_next(one, &a, &x, &error) && level_stream_next(four, &b, &y, &error));
        assert_true(x == 3 + i && y == 3 + i);
        assert_string_equal(a.text, b.text);
        soloist_puzzle_free(&a);
        soloist_puzzle_free(&b);
    }
    assert_true(level_stream_number(one) == 603);
    level_stream_close(one);
    level_stream_close(four);
    close_world(&world);
}

/* ---- actors ---- */

enum { ACTORS = 6 };

static bool make_level(void *user, int stage, uint64_t number, soloist_puzzle *puzzle) {
    const struct world *world = user;
    soloist_error error = {0};
    return stage == 1 && game_source_make(&world->source, number, puzzle, &error);
}

static void open_actors(struct actors *actors, struct world *world, int limit) {
    soloist_error error = {0};
    assert_true(actors_open(actors, &world->shape, ACTORS, 4, "rl", limit, 9, &error));
}

/* Rewards are those of the document: +1 solved, +0.1 and -0.1 for a box that comes onto a goal or leaves one, otherwise
 * -0.01. With one box only the first and the last can be. Moves are drawn among the legal ones only. */
static void actors_play_by_the_rules(void **state) {
    (void)state;
    struct world world;
    struct actors actors;
    soloist_error error = {0};
    open_world(&world, easy, 1);
    struct level_stream *stream = level_stream_open(&world.source, world.samples, 0, 2, &error);
    open_actors(&actors, &world, 12);
    assert_true(actors_attach(&actors, stream, 1, &error));
    assert_true(actors_begin(&actors, &error));
    static float planes[ACTORS * 100], logits[ACTORS * 4], marks[ACTORS * 4], rewards[ACTORS];
    struct net_drawn drawn[ACTORS];
    bool ended[ACTORS];
    uint64_t ends = 0, solved = 0;
    for (int i = 0; i < ACTORS * 4; i++)
        logits[i] = (float)(i % 4);
    for (int round = 0; round < 300; round++) {
        int steps[ACTORS];
        for (int i = 0; i < ACTORS; i++)
            steps[i] = actors.actors[i].steps;
        actors_see(&actors, planes);
        assert_true(actors_move(&actors, logits, marks, drawn, rewards, ended, &error));
        for (int i = 0; i < ACTORS; i++) {
            double sum = 0, own = 0;
            int chosen = 0;
            for (int k = 0; k < 4; k++) {
                sum += marks[i * 4 + k] != 0 ? exp(k) : 0;
                own += marks[i * 4 + k] < 0 ? exp(k) : 0;
                chosen += marks[i * 4 + k] < 0;
            }
            assert_int_equal(chosen, 1);
            assert_true(fabs((double)drawn[i].probability - own / sum) < 1e-5);
            assert_true(rewards[i] == 1 || rewards[i] == -0.01f);
            assert_true(rewards[i] != 1 || ended[i]);
            assert_true(ended[i] == (rewards[i] == 1 || steps[i] + 1 == 12));
            assert_int_equal(actors.actors[i].steps, ended[i] ? 0 : steps[i] + 1);
            ends += ended[i];
            solved += rewards[i] == 1;
        }
    }
    assert_true(solved > 10 && ends > solved);
    assert_true(actors.tally.ended == ends && actors.tally.solved == solved);
    actors_close(&actors);
    level_stream_close(stream);
    close_world(&world);
}

static void games_in_progress_are_kept(void **state) {
    (void)state;
    struct world world;
    struct actors actors, again;
    soloist_error error = {0};
    open_world(&world, easy, 1);
    struct level_stream *stream = level_stream_open(&world.source, world.samples, 0, 1, &error);
    open_actors(&actors, &world, 30);
    open_actors(&again, &world, 30);
    assert_true(actors_attach(&actors, stream, 1, &error));
    assert_true(actors_begin(&actors, &error));
    static float logits[ACTORS * 4], marks[ACTORS * 4], rewards[ACTORS], mine[ACTORS * 100], theirs[ACTORS * 100];
    struct net_drawn drawn[ACTORS];
    bool ended[ACTORS];
    for (int i = 0; i < 40; i++)
        assert_true(actors_move(&actors, logits, marks, drawn, rewards, ended, &error));
    unsigned char *block = malloc(actors_size(&actors));
    actors_write(&actors, block);
    assert_true(actors_read(&again, block, make_level, &world));
    actors_see(&actors, mine);
    actors_see(&again, theirs);
    assert_memory_equal(mine, theirs, sizeof mine);
    for (int i = 0; i < ACTORS; i++) {
        assert_int_equal(actors.actors[i].steps, again.actors[i].steps);
        assert_true(soloist_rng_next(&actors.actors[i].rng) == soloist_rng_next(&again.actors[i].rng));
    }
    actors_close(&again);
    open_actors(&again, &world, 30);
    for (size_t i = 0; i < sizeof(uint64_t) + sizeof(int64_t); i++)
        block[i] = 0xff; /* a stage that does not exist */
    assert_false(actors_read(&again, block, make_level, &world));
    free(block);
    actors_close(&actors);
    actors_close(&again);
    level_stream_close(stream);
    close_world(&world);
}

/* Games of the same policy with the domain's own boards, with the general version, and with the general version for a
 * network that also reads the domain's additional planes: equal to the last bit. */
static void every_version_plays_the_same_games(void **state) {
    (void)state;
    struct world world;
    soloist_error error = {0};
    struct actors actors[3];
    struct level_stream *streams[3];
    soloist_domain general = sokoban_moves_domain;
    int more = 4 + sokoban_moves_domain.learn->more_planes;
    static float planes[3][ACTORS * 25 * 32], logits[ACTORS * 4], marks[3][ACTORS * 4], rewards[3][ACTORS];
    struct net_drawn drawn[3][ACTORS] = {0};
    bool ended[3][ACTORS];
    general.environments = NULL;
    open_world(&world, easy, 1);
    soloist_puzzle like[3] = {world.shape, world.shape, world.shape};
    like[1].domain = &general;
    assert_true(more > 4 && more <= 32);
    for (int k = 0; k < 3; k++) {
        streams[k] = level_stream_open(&world.source, world.samples, 0, 1 + k, &error);
        assert_true(actors_open(&actors[k], &like[k], ACTORS, k < 2 ? 4 : more, "rl", 12, 9, &error));
        assert_true(actors_attach(&actors[k], streams[k], 1, &error) && actors_begin(&actors[k], &error));
    }
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < ACTORS * 4; i++)
            logits[i] = (float)((i * 7 + round) % 5);
        for (int k = 0; k < 3; k++) {
            actors_see(&actors[k], planes[k]);
            assert_true(actors_move(&actors[k], logits, marks[k], drawn[k], rewards[k], ended[k], &error));
        }
        assert_memory_equal(planes[0], planes[1], ACTORS * 100 * sizeof(float));
        for (int i = 0; i < ACTORS; i++)
            assert_memory_equal(planes[0] + i * 100, planes[2] + i * 25 * more, 100 * sizeof(float));
        for (int k = 1; k < 3; k++) {
            assert_memory_equal(marks[0], marks[k], sizeof marks[0]);
            assert_memory_equal(drawn[0], drawn[k], sizeof drawn[0]);
            assert_memory_equal(rewards[0], rewards[k], sizeof rewards[0]);
            assert_memory_equal(ended[0], ended[k], sizeof ended[0]);
            assert_true(actors[0].next == actors[k].next);
        }
    }
    assert_true(actors[0].tally.solved > 0);
    for (int k = 0; k < 3; k++) {
        actors_close(&actors[k]);
        level_stream_close(streams[k]);
    }
    close_world(&world);
}

/* In a new stage no game begins with an instance that was made before; the numbers go on without a gap. */
static void a_new_stage_replaces_what_waits(void **state) {
    (void)state;
    struct world world;
    struct actors actors;
    soloist_error error = {0};
    open_world(&world, easy, 1);
    struct level_stream *stream = level_stream_open(&world.source, world.samples, 0, 1, &error);
    open_actors(&actors, &world, 5);
    assert_true(actors_attach(&actors, stream, 1, &error) && actors_begin(&actors, &error));
    static float logits[ACTORS * 4], marks[ACTORS * 4], rewards[ACTORS];
    struct net_drawn drawn[ACTORS];
    bool ended[ACTORS];
    uint64_t first = 0, last = 0, begun = 0;
    for (int round = 0; round < 40; round++) {
        if (round == 20) {
            first = actors.next;
            level_stream_close(stream);
            stream = level_stream_open(&world.source, world.samples, first, 1, &error);
            assert_true(actors_attach(&actors, stream, 2, &error));
        }
        assert_true(actors_move(&actors, logits, marks, drawn, rewards, ended, &error));
        for (int i = 0; i < ACTORS; i++)
            if (ended[i]) {
                const struct actor_level *level = &actors.actors[i].level;
                assert_int_equal(level->stage, round < 20 ? 1 : 2);
                assert_true(round < 20 || level->number >= first + begun);
                begun += round >= 20;
                last = level->number;
            }
    }
    assert_true(begun > ACTORS && actors.next == last + 1);
    actors_close(&actors);
    level_stream_close(stream);
    close_world(&world);
}

/* ---- the expert's games ---- */

static bool judge_evenly(struct evaluator *evaluator, struct evaluation *questions, int count, soloist_error *error) {
    (void)evaluator, (void)error;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < questions[i].move_count; k++)
            questions[i].priors[k] = 1 / (float)questions[i].move_count;
        questions[i].value = 0.5f;
    }
    return true;
}

static void make_games(struct world *world, struct expert_game *games, int count, int threads, const char *method) {
    struct evaluator evaluator = {.has_policy = true, .has_value = true, .batch = 8, .judge = judge_evenly};
    struct harvest harvest;
    struct exit_options expert;
    struct makers makers;
    soloist_error error = {0};
    soloist *engine = soloist_new();
    soloist_options_reset(exit_options_rows, &expert);
    expert.per_move = 24;
    expert.step_limit = 20;
    harvest_open(&harvest, world->samples, world->samples);
    struct maker_plan plan = {.source = &world->source,
                              .harvest = &harvest,
                              .threads = threads,
                              .first = 7,
                              .games = (uint64_t)count,
                              .way = MAKE_BY_EXPERT,
                              .engine = engine,
                              .method = method,
                              .iterations = 1000,
                              .expert = &expert,
                              .expert_games = games,
                              .puzzle_samples = 6,
                              .parallel_games = 3,
                              .evaluator = &evaluator};
    assert_true(makers_start(&makers, &plan, &error));
    while (!makers_are_done(&makers))
        usleep(1000);
    assert_true(makers_stop(&makers, &error));
    harvest_close(&harvest);
    soloist_free(engine);
}

/* At most as many records as allowed; without a policy if the puzzle was not solved; what was still to come is what the
 * rest of the moves cost. */
static void records_of_games(void **state) {
    (void)state;
    enum { count = 24 };
    struct world world;
    open_world(&world, "width=6,height=6,boxes=2,max_action_depth=30,total_positions=2000", 4);
    static struct expert_game one[count], four[count];
    make_games(&world, one, count, 1, NULL);
    make_games(&world, four, count, 4, NULL);
    size_t size = samples_record_size(world.samples), index = 0, solved = 0, lost = 0, whole = 0;
    struct sample_viewer *viewer = sample_viewer_open(world.samples);
    static float planes[144], policy[4];
    float value;
    for (int i = 0; i < count; i++) {
        assert_int_equal(one[i].solved, four[i].solved);
        assert_true(one[i].count == (one[i].length < 6 ? one[i].length : 6) && one[i].count == four[i].count);
        assert_int_equal(one[i].cost, one[i].length);
        assert_true(one[i].length == four[i].length &&
                    !memcmp(one[i].moves, four[i].moves, one[i].length * sizeof *one[i].moves));
        assert_memory_equal(one[i].records, four[i].records, one[i].count * size);
        samples_add(world.samples, one[i].records, one[i].count);
        for (size_t k = 0; k < one[i].count; k++) {
            samples_show(world.samples, viewer, index++, 0, planes, policy, &value, NULL);
            float sum = policy[0] + policy[1] + policy[2] + policy[3];
            assert_true(fabs((double)sum - one[i].solved) < 1e-5);
            assert_true(one[i].to_come[k] >= 1 && one[i].to_come[k] <= one[i].cost);
            assert_true(!k || one[i].to_come[k] < one[i].to_come[k - 1]);
        }
        solved += one[i].solved;
        lost += !one[i].solved && one[i].length;
        whole += one[i].length > 6;
    }
    assert_true(solved > 0 && lost > 0 && whole > 0);
    sample_viewer_close(viewer);
    for (int i = 0; i < count; i++) {
        expert_game_free(&one[i]);
        expert_game_free(&four[i]);
    }
    close_world(&world);
}

/* With a method as the expert, each target is the move of its solution. */
static void a_method_may_be_the_expert(void **state) {
    (void)state;
    enum { count = 6 };
    struct world world;
    open_world(&world, easy, 4);
    static struct expert_game games[count];
    make_games(&world, games, count, 2, "astar");
    for (int i = 0; i < count; i++) {
        assert_true(games[i].solved && games[i].cost == (int32_t)games[i].length);
        for (size_t k = 0; k < games[i].count && games[i].length <= 6; k++)
            assert_int_equal(games[i].to_come[k], games[i].cost - (int32_t)k);
        expert_game_free(&games[i]);
    }
    close_world(&world);
}

/* ---- whole runs ---- */

struct bench {
    soloist *engine;
    struct net net;
    char folder[40];
    struct training_wish wish;
    struct training_row rows[64];
    size_t count, cancel_at;
    soloist_stop_token stop;
};

static void note_row(void *user, const struct training_row *row) {
    struct bench *bench = user;
    assert_true(bench->count < 64);
    bench->rows[bench->count++] = *row;
    if (bench->count == bench->cancel_at)
        soloist_stop_token_cancel(&bench->stop);
}

static void open_bench(struct bench *bench, enum training_way way, int threads, const char *options) {
    soloist_error error = {0};
    memset(bench, 0, sizeof *bench);
    bench->engine = soloist_new();
    assert_true(net_read(&bench->net, net_text, strlen(net_text), &error));
    strcpy(bench->folder, "/tmp/soloist-iterate-XXXXXX");
    assert_non_null(mkdtemp(bench->folder));
    bench->wish = (struct training_wish){
        .engine = bench->engine,
        .domain = &sokoban_moves_domain,
        .domain_options = "rules=none",
        .generate = "width=5,height=5,boxes=1",
        .curriculum = "stages=4,max_action_depth=4..12,total_positions=20..200:log,allow_box_on_goal=true..false:last",
        .search = way == TRAINING_EXPERT_ITERATION ? "per_move=16,delay=4" : NULL,
        .net = &bench->net,
        .back_end = "cpu",
        .way = way,
        .seed = 3,
        .threads = threads,
        .folder = bench->folder,
        .stop = &bench->stop,
        .report = note_row,
        .user = bench};
    training_options_for(way, &sokoban_moves_domain, true, &bench->wish.options);
    if (soloist_options_parse(training_options_rows, &bench->wish.options, options, &error) != SOLOIST_OK)
        fail_msg("%s", error.text);
}

static void close_bench(struct bench *bench) {
    static const char *const names[] = {"counters.state",      "kept.state",       "trainer.state",
                                        "weights.safetensors", "training.samples", "validation.samples",
                                        "games.txt",           "curve.jsonl",      "actors.state"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[80];
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

static const char *const run_options[] = {
    [TRAINING_EXPERT_ITERATION] =
        "iterations=14,puzzles=12,iteration_batches=5,batch=16,step_limit=20,boards=2,save_s=1e9,capacity=60",
    [TRAINING_ACTOR_CRITIC] = "iterations=14,actors=8,iteration_moves=400,step_limit=90,boards=2,save_s=1e9",
};

/* The weights do not depend on the number of threads, nor on whether the run was stopped and resumed. */
static void runs_repeat(void **state) {
    (void)state;
    for (int way = TRAINING_EXPERT_ITERATION; way <= TRAINING_ACTOR_CRITIC; way++) {
        struct bench whole, parts;
        open_bench(&whole, (enum training_way)way, 1, run_options[way]);
        open_bench(&parts, (enum training_way)way, 3, run_options[way]);
        struct training_result right = run(&whole);
        parts.cancel_at = 6;
        struct training_result half = run(&parts);
        assert_int_equal(half.row.generation, 6);
        stop_token_open(&parts.stop, NULL);
        parts.wish.resume = true;
        struct training_result found = run(&parts);
        assert_int_equal(found.row.generation, 14);
        assert_int_equal(parts.count, 14);
        for (int i = 0; i < 14; i++) {
            assert_true(parts.rows[i].solve_rate == whole.rows[i].solve_rate);
            assert_int_equal(parts.rows[i].stage, whole.rows[i].stage);
        }

        assert_true(whole.rows[8].stage == 1 && whole.rows[13].stage > 1);
        assert_memory_equal(found.parameters, right.parameters, whole.net.parameters * sizeof(float));
        training_result_free(&right), training_result_free(&half), training_result_free(&found);
        close_bench(&whole), close_bench(&parts);
    }
}

/* The values that a run learned: 1 less a hundredth per move still to come, or 0; with ranked rewards 1 or 0. */
static void values_of_positions(void **state) {
    (void)state;
    for (int ranked = 0; ranked < 2; ranked++) {
        struct bench bench;
        struct world world;
        char path[80];
        size_t below = 0;
        open_bench(&bench, TRAINING_EXPERT_ITERATION, 2,
                   ranked ? "iterations=3,puzzles=12,iteration_batches=1,step_limit=20,boards=1,ranked_rewards=true"
                          : "iterations=3,puzzles=12,iteration_batches=1,step_limit=20,boards=1");
        bench.wish.curriculum = NULL;
        bench.wish.generate = "width=5,height=5,boxes=1,max_action_depth=12,total_positions=300";
        struct training_result result = run(&bench);
        open_world(&world, bench.wish.generate, 4);
        snprintf(path, sizeof path, "%s/training.samples", bench.folder);
        assert_true(samples_load(world.samples, path));
        assert_true(samples_count(world.samples) > 20);
        struct sample_viewer *viewer = sample_viewer_open(world.samples);
        for (size_t i = 0; i < samples_count(world.samples); i++) {
            float planes[100], policy[4], value;
            samples_show(world.samples, viewer, i, 0, planes, policy, &value, NULL);
            double hundredths = 100 * (double)value;
            assert_true(fabs(hundredths - round(hundredths)) < 1e-4 && value >= 0 && value <= 1);
            assert_true(!ranked || value == 0 || value == 1);
            assert_true(ranked || value < 1);
            below += value < 1;
        }
        assert_true(below > 0);
        sample_viewer_close(viewer);
        close_world(&world);
        training_result_free(&result);
        close_bench(&bench);
    }
}

static void damage(const struct bench *bench, const char *name) {
    char path[80];
    snprintf(path, sizeof path, "%s/%s", bench->folder, name);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, 60, SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, 60, SEEK_SET), 0);
    fputc(byte ^ 1, file);
    fclose(file);
}

/* One clear sentence, and no run. */
static void a_damaged_checkpoint_is_noticed(void **state) {
    (void)state;
    static const char *const files[] = {"counters.state", "trainer.state", "actors.state"};
    static const char *const says[] = {"has no checkpoint to continue from", "cannot be read",
                                       "actors.state is damaged"};
    for (size_t i = 0; i < 3; i++) {
        struct bench bench;
        struct training_result result;
        soloist_error error = {0};
        open_bench(&bench, TRAINING_ACTOR_CRITIC, 1, "iterations=1,actors=4,iteration_moves=40,step_limit=10,boards=1");
        result = run(&bench);
        training_result_free(&result);
        damage(&bench, files[i]);
        bench.wish.resume = true;
        assert_false(training_run(&bench.wish, &result, &error));
        assert_non_null(strstr(error.text, says[i]));
        close_bench(&bench);
    }
}

static void what_is_lacking_is_said(void **state) {
    (void)state;
    struct bench bench;
    struct training_result result;
    soloist_error error = {0};
    open_bench(&bench, TRAINING_EXPERT_ITERATION, 1, "iterations=1");
    bench.wish.curriculum = "stages=2,no_such_option=1..2";
    assert_false(training_run(&bench.wish, &result, &error));
    assert_non_null(strstr(error.text, "no_such_option"));
    close_bench(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(returns_are_discounted_sums),
        cmocka_unit_test(instances_come_in_order),
        cmocka_unit_test(actors_play_by_the_rules),
        cmocka_unit_test(every_version_plays_the_same_games),
        cmocka_unit_test(a_new_stage_replaces_what_waits),
        cmocka_unit_test(games_in_progress_are_kept),
        cmocka_unit_test(records_of_games),
        cmocka_unit_test(a_method_may_be_the_expert),
        cmocka_unit_test(runs_repeat),
        cmocka_unit_test(a_damaged_checkpoint_is_noticed),
        cmocka_unit_test(values_of_positions),
        cmocka_unit_test(what_is_lacking_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
