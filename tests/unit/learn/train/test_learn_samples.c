/* What networks learn from: the ring of samples, files of them, batches against plain loops whatever the threads; games
 * as lines of text and as positions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "domain/domain.h"
#include "learn/train/batches.h"
#include "learn/train/harvest.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { side = 6, cells = side * side, planes = 6 * cells };

struct world {
    struct game_source source;
    soloist_puzzle first;
    struct samples *samples, *others;
    struct harvest harvest;
    soloist_rng rng;
};

static soloist_puzzle board(const struct world *world, uint64_t number) {
    soloist_puzzle puzzle;
    soloist_error error = {0};
    assert_true(game_source_make(&world->source, number, &puzzle, &error));
    return puzzle;
}

static void open_world(struct world *world, size_t capacity, int targets) {
    soloist_error error = {0};
    memset(world, 0, sizeof *world);
    assert_true(game_source_open(&world->source, &samegame_domain, NULL, "width=6,height=6", 9, &error));
    world->first = board(world, 0);
    world->samples = samples_open(&samegame_domain, world->first.instance, 0, capacity, targets, &error);
    world->others = samples_open(&samegame_domain, world->first.instance, 0, capacity, targets, &error);
    assert_non_null(world->samples);
    assert_non_null(world->others);
    harvest_open(&world->harvest, world->samples, world->others);
    soloist_rng_seed(&world->rng, 4, 4);
}

static void close_world(struct world *world) {
    harvest_close(&world->harvest);
    samples_close(world->samples);
    samples_close(world->others);
    soloist_puzzle_free(&world->first);
    game_source_close(&world->source);
}

/* A random game; returns its moves. */
static int play(struct world *world, const soloist_puzzle *puzzle, soloist_move *moves, int32_t *score) {
    uint64_t state[128];
    samegame_domain.life->root(puzzle->instance, state);
    soloist_playout played = samegame_domain.sample->playout(puzzle->instance, state, 0, 100, &world->rng, moves, NULL);
    *score = played.value;
    return played.length;
}

static void play_games(struct world *world, int games) {
    for (int i = 0; i < games; i++) {
        soloist_move moves[100];
        int32_t score;
        soloist_puzzle puzzle = board(world, (uint64_t)i);
        int count = play(world, &puzzle, moves, &score);
        harvest_game(&world->harvest, &puzzle, moves, (size_t)count, score, NULL, HARVEST_SCORE);
        soloist_puzzle_free(&puzzle);
    }
}

/* ---- samples ---- */

static void positions_come_back_as_they_went_in(void **unused) {
    (void)unused;
    struct world world;
    soloist_move moves[100];
    int32_t score, so_far = 0;
    uint64_t state[128];
    float seen[planes], right[planes], policy[cells], right_policy[cells], value;
    open_world(&world, 1000, 1);
    int count = play(&world, &world.first, moves, &score);
    harvest_game(&world.harvest, &world.first, moves, (size_t)count, score, NULL, HARVEST_SCORE);
    assert_int_equal(samples_count(world.samples), count);
    struct sample_viewer *viewer = sample_viewer_open(world.samples);
    samegame_domain.life->root(world.first.instance, state);
    for (int i = 0; i < count; i++) {
        for (int symmetry = 0; symmetry < 240; symmetry += 79) {
            float plain[planes], shared[cells] = {0};
            samegame_domain.learn->encode(world.first.instance, state, 6, plain);
            samegame_domain.learn->share(world.first.instance, state, &moves[i], &(float){1}, 1, shared);
            samegame_domain.learn->reflect(world.first.instance, symmetry, 6, plain, shared, right, right_policy);
            samples_show(world.samples, viewer, (size_t)i, symmetry, seen, policy, &value, NULL);
            assert_memory_equal(seen, right, sizeof seen);
            assert_memory_equal(policy, right_policy, sizeof policy);
            assert_true(value == (float)(score - so_far));
        }
        so_far += samegame_domain.core->apply(world.first.instance, state, moves[i], NULL);
    }
    sample_viewer_close(viewer);
    close_world(&world);
}

static void the_newest_stay_and_a_file_keeps_them(void **unused) {
    (void)unused;
    struct world world;
    uint64_t state[128];
    struct sample_target target;
    char path[] = "/tmp/soloist_samples_XXXXXX";
    float seen[planes], policy[cells], value;
    bool met[25] = {false};
    open_world(&world, 10, 1);
    samegame_domain.life->root(world.first.instance, state);
    soloist_move moves[18];
    samegame_domain.core->moves(world.first.instance, state, moves);
    target = (struct sample_target){moves[0], 1};
    unsigned char *record = malloc(samples_record_size(world.samples));
    for (int i = 0; i < 25; i++) {
        samples_write(world.samples, record, world.first.instance, state, (float)i, &target, 1);
        samples_add(world.samples, record, 1);
    }
    assert_int_equal(samples_count(world.samples), 10);
    assert_int_equal(samples_added(world.samples), 25);
    assert_true(samples_highest(world.samples) == 24);
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    assert_true(samples_save(world.samples, path, 0));
    assert_true(samples_load(world.others, path));
    assert_int_equal(samples_count(world.others), 10);
    assert_int_equal(samples_added(world.others), 25);
    struct sample_viewer *viewer = sample_viewer_open(world.others);
    for (size_t i = 0; i < 10; i++) {
        samples_show(world.others, viewer, i, 0, seen, policy, &value, NULL);
        met[(int)value] = true;
    }
    for (int i = 0; i < 25; i++)
        assert_int_equal(met[i], i >= 15);
    /* Of these ten, the newest four are kept, and further ones follow them. */
    assert_true(samples_keep(world.others, 4));
    assert_int_equal(samples_count(world.others), 4);
    samples_write(world.others, record, world.first.instance, state, 25, &target, 1);
    samples_add(world.others, record, 1);
    assert_int_equal(samples_count(world.others), 5);
    for (size_t i = 0; i < 5; i++) {
        samples_show(world.others, viewer, i, 0, seen, policy, &value, NULL);
        assert_int_equal(value, 21 + i);
    }
    assert_int_equal(truncate(path, 100), 0);
    assert_false(samples_load(world.others, path));
    unlink(path);
    assert_false(samples_load(world.others, path));
    sample_viewer_close(viewer);
    free(record);
    close_world(&world);
}

static void of_many_moves_the_heaviest_stay(void **unused) {
    (void)unused;
    struct world world;
    uint64_t state[128];
    soloist_move moves[18];
    struct sample_target targets[18];
    float seen[planes], policy[cells], value, priors[18];
    open_world(&world, 10, 3);
    samegame_domain.life->root(world.first.instance, state);
    int count = samegame_domain.core->moves(world.first.instance, state, moves);
    assert_true(count >= 5);
    const float weights[5] = {4, 1, 9, 0, 7};
    for (int i = 0; i < count; i++)
        targets[i] = (struct sample_target){moves[i], i < 5 ? weights[i] : 0};
    unsigned char *record = malloc(samples_record_size(world.samples));
    samples_write(world.samples, record, world.first.instance, state, 1, targets, count);
    samples_add(world.samples, record, 1);
    struct sample_viewer *viewer = sample_viewer_open(world.samples);
    samples_show(world.samples, viewer, 0, 0, seen, policy, &value, NULL);
    samegame_domain.learn->priors(world.first.instance, state, moves, count, policy, priors);
    const float right[5] = {0.2f, 0, 0.45f, 0, 0.35f};
    for (int i = 0; i < count; i++)
        assert_true(priors[i] - (i < 5 ? right[i] : 0) < 1e-6f && (i < 5 ? right[i] : 0) - priors[i] < 1e-6f);
    sample_viewer_close(viewer);
    free(record);
    close_world(&world);
}

/* ---- batches ---- */

static struct batches_options how(enum batches_order order, int threads) {
    return (struct batches_options){.order = order,
                                    .batch = 32,
                                    .threads = threads,
                                    .seed = 7,
                                    .symmetries = true,
                                    .value_scale = 100,
                                    .planes = planes,
                                    .actions = cells};
}

/* Draws and symmetries in plain loops. */
static void check_drawn(const struct world *world, const struct net_batch *batch, uint64_t number) {
    struct sample_viewer *viewer = sample_viewer_open(world->samples);
    float seen[planes], policy[cells], value;
    soloist_rng rng;
    soloist_rng_seed(&rng, 7, number);
    assert_int_equal(batch->count, 32);
    for (int row = 0; row < 32; row++) {
        size_t index = soloist_rng_below(&rng, (uint32_t)samples_count(world->samples));
        samples_show(world->samples, viewer, index, (int)soloist_rng_below(&rng, 240), seen, policy, &value, NULL);
        assert_memory_equal(batch->planes + row * planes, seen, sizeof seen);
        assert_memory_equal(batch->targets.policy + row * cells, policy, sizeof policy);
        assert_true(batch->targets.value[row] == (float)((double)value / 100));
    }
    sample_viewer_close(viewer);
}

/* SameGame as if its states were not whole: the planes are kept, all of them as bits, or only some. */
static void kept_planes_show_the_same_as_kept_states(void **unused) {
    (void)unused;
    for (int bits = 0; bits <= 6; bits += 3) {
        struct world world;
        soloist_error error = {0};
        soloist_learn learn = *samegame_domain.learn;
        soloist_domain domain = samegame_domain;
        learn.whole_states = false;
        learn.bit_planes = bits;
        domain.learn = &learn;
        open_world(&world, 1000, 16);
        struct samples *kept = samples_open(&domain, world.first.instance, 0, 1000, cells, &error);
        assert_non_null(kept);
        unsigned char *record = malloc(samples_record_size(world.samples));
        unsigned char *other = malloc(samples_record_size(kept));
        struct sample_viewer *viewer = sample_viewer_open(world.samples), *viewers = sample_viewer_open(kept);
        uint64_t state[128];
        soloist_move moves[100], legal[18];
        int32_t score;
        int count = play(&world, &world.first, moves, &score);
        samegame_domain.life->root(world.first.instance, state);
        for (int i = 0; i < count; i++) {
            float a[planes], b[planes], policy[cells], policies[cells], value, values;
            struct net_drawn drawn = {i % 2 ? 0.25f : 0, 2}, seen, seens;
            int most = samegame_domain.core->moves(world.first.instance, state, legal);
            struct sample_target targets[2] = {{legal[0], 3}, {legal[most - 1], 1}};
            int given = most > 1 && drawn.probability == 0 ? 2 : 1;
            assert_true(samples_write(world.samples, record, world.first.instance, state, (float)i, targets, given));
            assert_true(samples_write(kept, other, world.first.instance, state, (float)i, targets, given));
            samples_set_drawn(record, drawn);
            samples_set_drawn(other, drawn);
            samples_add(world.samples, record, 1);
            samples_add(kept, other, 1);
            samples_show(world.samples, viewer, (size_t)i, i % 240, a, policy, &value, &seen);
            samples_show(kept, viewers, (size_t)i, i % 240, b, policies, &values, &seens);
            assert_memory_equal(a, b, sizeof a);
            for (int k = 0; k < cells; k++)
                assert_true(drawn.probability > 0
                                ? (policy[k] > 0) == (policies[k] > 0) && (policy[k] < 0) == (policies[k] < 0)
                                : policy[k] - policies[k] < 1e-6f && policies[k] - policy[k] < 1e-6f);
            assert_true(value == values && seen.probability == seens.probability);
            samegame_domain.core->apply(world.first.instance, state, moves[i], NULL);
        }
        sample_viewer_close(viewer), sample_viewer_close(viewers);
        free(record), free(other);
        samples_close(kept);
        close_world(&world);
    }
}

static void batches_are_the_same_for_any_threads(void **unused) {
    (void)unused;
    struct world world;
    soloist_error error = {0};
    open_world(&world, 10000, 1);
    play_games(&world, 20);
    for (int threads = 1; threads <= 3; threads++) {
        struct batches_options options = how(BATCHES_DRAWN, threads);
        struct batches *batches = batches_open(world.samples, &options, &error);
        struct net_batch batch = {0};
        for (uint64_t number = 0; number < 12; number++) {
            assert_true(batches_next(batches, &batch));
            check_drawn(&world, &batch, number);
        }
        batches_close(batches);
    }
    close_world(&world);
}

/* The values tell the samples apart. */
static void an_epoch_shows_every_sample_once(void **unused) {
    (void)unused;
    struct world world;
    soloist_error error = {0};
    uint64_t state[128];
    soloist_move moves[18];
    open_world(&world, 10000, 1);
    struct batches_options empty = how(BATCHES_EPOCH, 1);
    assert_null(batches_open(world.samples, &empty, &error));
    assert_non_null(strstr(error.text, "no positions"));
    samegame_domain.life->root(world.first.instance, state);
    samegame_domain.core->moves(world.first.instance, state, moves);
    struct sample_target target = {moves[0], 1};
    unsigned char *record = malloc(samples_record_size(world.samples));
    for (int i = 0; i < 333; i++) {
        samples_write(world.samples, record, world.first.instance, state, (float)i * 100, &target, 1);
        samples_add(world.samples, record, 1);
    }
    for (int order = BATCHES_EPOCH; order <= BATCHES_PLAIN; order++) {
        struct batches_options options = how((enum batches_order)order, 2);
        struct batches *batches = batches_open(world.samples, &options, &error);
        struct net_batch batch = {0};
        bool met[333] = {false}, moved = false;
        int sum = 0;
        while (batches_next(batches, &batch))
            for (int row = 0; row < batch.count; row++, sum++) {
                int value = (int)(batch.targets.value[row] + 0.5f);
                assert_false(met[value]);
                met[value] = true;
                moved |= value != sum;
            }
        assert_int_equal(sum, 333);
        assert_int_equal(moved, order == BATCHES_EPOCH);
        assert_false(batches_next(batches, &batch));
        batches_close(batches);
    }
    free(record);
    close_world(&world);
}

/* ---- games ---- */

static void a_line_is_read_back_and_a_lie_is_not(void **unused) {
    (void)unused;
    struct world world;
    soloist_move moves[100];
    int32_t score;
    soloist_error error = {0};
    struct buffer line;
    struct game game;
    open_world(&world, 1000, 1);
    int count = play(&world, &world.first, moves, &score);
    buffer_open(&line);
    soloist_sink sink = buffer_sink(&line);
    game_write(&world.first, moves, (size_t)count, score, &sink);
    assert_true(game_read(&samegame_domain, NULL, line.text, line.length - 1, &game, &error));
    assert_int_equal(game.count, count);
    assert_int_equal(game.score, score);
    assert_memory_equal(game.moves, moves, (size_t)count * sizeof *moves);
    game_free(&game);
    buffer_clear(&line);
    game_write(&world.first, moves, (size_t)count, score + 1, &sink);
    assert_false(game_read(&samegame_domain, NULL, line.text, line.length - 1, &game, &error));
    assert_non_null(strstr(error.text, "its line of text says"));
    buffer_clear(&line);
    game_write(&world.first, moves, (size_t)count - 1, score, &sink);
    assert_false(game_read(&samegame_domain, NULL, line.text, line.length - 1, &game, &error));
    assert_false(game_read(&samegame_domain, NULL, "12|21", 5, &game, &error));
    assert_false(game_read(&samegame_domain, NULL, "x\t1\t[]", 6, &game, &error));
    buffer_close(&line);
    close_world(&world);
}

static void files_of_games_teach_the_same_again(void **unused) {
    (void)unused;
    struct world first, second;
    char path[] = "/tmp/soloist_games_XXXXXX";
    uint64_t refused;
    open_world(&first, 10000, 1);
    open_world(&second, 10000, 1);
    first.harvest.one_in = second.harvest.one_in = 4;
    FILE *stream = fdopen(mkstemp(path), "w");
    for (int i = 0; i < 40; i++) {
        soloist_move moves[100];
        int32_t score;
        soloist_puzzle puzzle = board(&first, (uint64_t)i);
        int count = play(&first, &puzzle, moves, &score);
        first.harvest.lines = stream;
        harvest_game(&first.harvest, &puzzle, moves, (size_t)count, score, NULL, HARVEST_WRITE | HARVEST_SCORE);
        soloist_puzzle_free(&puzzle);
    }
    fputs("half a li", stream);
    fclose(stream);
    assert_true(harvest_file(&second.harvest, &samegame_domain, NULL, path, 2, NULL, &refused));
    assert_int_equal(refused, 1);
    assert_int_equal(second.harvest.games, 40);
    assert_int_equal(second.harvest.positions, first.harvest.positions);
    assert_int_equal(samples_count(first.samples), samples_count(second.samples));
    assert_int_equal(samples_count(first.others), samples_count(second.others));
    assert_true(samples_count(first.others) > 0 && samples_count(first.samples) > samples_count(first.others));
    struct harvest_scores a = harvest_scores(&first.harvest), b = harvest_scores(&second.harvest);
    assert_true(a.mean == b.mean && a.games == 40);
    unlink(path);
    assert_false(harvest_file(&second.harvest, &samegame_domain, NULL, path, 2, NULL, &refused));
    close_world(&first);
    close_world(&second);
}

static void what_was_gathered_is_split(void **unused) {
    (void)unused;
    struct world world;
    open_world(&world, 10000, 1);
    world.harvest.gathers = true;
    play_games(&world, 30);
    size_t all = (size_t)world.harvest.positions;
    assert_int_equal(samples_count(world.samples), 0);
    harvest_split(&world.harvest, 0.1, &world.rng);
    assert_int_equal(samples_count(world.others), all / 10);
    assert_int_equal(samples_count(world.samples), all - all / 10);
    harvest_split(&world.harvest, 0.1, &world.rng);
    assert_int_equal(samples_count(world.samples), all - all / 10);
    close_world(&world);
}

/* With a number of positions per game, each game gives so many, or all that it has. */
static void some_positions_of_a_game_are_taken(void **unused) {
    (void)unused;
    for (int gathers = 0; gathers < 2; gathers++) {
        struct world world;
        open_world(&world, 10000, 1);
        size_t *gathered = &world.harvest.count;
        world.harvest.gathers = gathers;
        world.harvest.game_positions = 3;
        play_games(&world, 30);
        assert_int_equal(world.harvest.positions, 90);
        assert_int_equal(gathers ? *gathered : samples_count(world.samples), 90);
        world.harvest.game_positions = 1000;
        play_games(&world, 1);
        assert_true(world.harvest.positions > 90 + 3);
        assert_int_equal(gathers ? *gathered : samples_count(world.samples), world.harvest.positions);
        close_world(&world);
    }
}

/* A page of memory whose first reader is asked whether the harvest's lock is held. */
static struct {
    struct harvest *harvest;
    void *page;
    size_t size;
    volatile bool read, locked;
} guarded;

static void note_reader(int signal) {
    (void)signal;
    guarded.read = true;
    guarded.locked = pthread_mutex_trylock(&guarded.harvest->lock);
    if (!guarded.locked)
        pthread_mutex_unlock(&guarded.harvest->lock);
    mprotect(guarded.page, guarded.size, PROT_READ | PROT_WRITE);
}

/* A checkpoint holds the lock: it never has the positions of a drawn game that it does not count. */
static void drawn_positions_are_added_under_the_lock(void **unused) {
    (void)unused;
    struct world world;
    struct sigaction before, note = {.sa_handler = note_reader};
    open_world(&world, 10, 1);
    guarded.harvest = &world.harvest;
    guarded.size = (size_t)sysconf(_SC_PAGESIZE);
    assert_true(samples_record_size(world.samples) <= guarded.size);
    guarded.page = mmap(NULL, guarded.size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(guarded.page != MAP_FAILED);
    sigaction(SIGSEGV, &note, &before);
    harvest_drawn(&world.harvest, guarded.page, 1, 5, true);
    sigaction(SIGSEGV, &before, NULL);
    assert_true(guarded.read && guarded.locked);
    assert_int_equal(samples_count(world.samples), 1);
    munmap(guarded.page, guarded.size);
    close_world(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_come_back_as_they_went_in),
        cmocka_unit_test(the_newest_stay_and_a_file_keeps_them),
        cmocka_unit_test(of_many_moves_the_heaviest_stay),
        cmocka_unit_test(kept_planes_show_the_same_as_kept_states),
        cmocka_unit_test(batches_are_the_same_for_any_threads),
        cmocka_unit_test(an_epoch_shows_every_sample_once),
        cmocka_unit_test(a_line_is_read_back_and_a_lie_is_not),
        cmocka_unit_test(files_of_games_teach_the_same_again),
        cmocka_unit_test(what_was_gathered_is_split),
        cmocka_unit_test(some_positions_of_a_game_are_taken),
        cmocka_unit_test(drawn_positions_are_added_under_the_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
