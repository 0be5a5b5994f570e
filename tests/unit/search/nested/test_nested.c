/* Nested searches: walks against a plain board, draws and play-outs against their probabilities, policies against
 * Rosin's formula, nested Monte-Carlo search against a direct recursion, every option's effect, and small boards
 * against their proved optimum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/hash.h"
#include "base/real.h"
#include "domain/domain.h"
#include "domain/samegame/walk.h"
#include "domain/samegame/samegame_reference.h"
#include "search/nested/nested.h"
#include "base/stop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- walks ---- */

/* A plain board that knows where its blocks come from. */
struct traced {
    struct reference board;
    struct reference origin; /* 1 + 32 * column + row */
    int steps;
};

static void traced_play(struct traced *traced, soloist_move move) {
    bool gone[32][32] = {{false}};
    struct reference *board = &traced->board;
    int c0 = samegame_column(move), r0 = samegame_row(move), to = 0;
    struct reference origin = {.width = board->width, .height = board->height};
    reference_flood(board, c0, r0, board->cell[c0][r0], gone);
    for (int c = 0; c < board->width; c++) {
        int height = 0;
        for (int r = 0; r < board->height; r++)
            if (board->cell[c][r] && !gone[c][r])
                origin.cell[to][height++] = traced->origin.cell[c][r];
        to += height > 0;
    }
    traced->origin = origin;
    reference_play(board, c0, r0);
    traced->steps++;
}

static uint64_t traced_code(struct traced *traced, soloist_move move) {
    bool mark[32][32] = {{false}};
    int c0 = samegame_column(move), r0 = samegame_row(move);
    uint64_t code = 0;
    reference_flood(&traced->board, c0, r0, traced->board.cell[c0][r0], mark);
    for (int c = 0; c < 32; c++)
        for (int r = 0; r < 32; r++)
            if (mark[c][r])
                code ^= hash_zobrist(SAMEGAME_BLOCK_KEYS, (uint32_t)traced->origin.cell[c][r] - 1);
    return code;
}

/* Which groups a rule allows, by the words of its description. */
static int allowed(struct traced *traced, int tabu, soloist_move *moves, int *sizes) {
    struct reference *board = &traced->board;
    int count = reference_moves(board, moves, sizes), others = 0, left = 0, kept = 0;
    for (int i = 0; i < count; i++)
        others += board->cell[samegame_column(moves[i])][samegame_row(moves[i])] != tabu;
    for (int c = 0; c < board->width; c++)
        for (int r = 0; r < board->height; r++)
            left += tabu && board->cell[c][r] == tabu;
    for (int i = 0; i < count; i++) {
        bool spared = board->cell[samegame_column(moves[i])][samegame_row(moves[i])] == tabu;
        if (!spared || !others || sizes[i] == left || (sizes[i] == 2 && traced->steps > 10)) {
            moves[kept] = moves[i];
            sizes[kept++] = sizes[i];
        }
    }
    return kept;
}

/* The colours that a rule spares, by the words of its description: *main strictly, *second softly; 0: none. */
static void colours_of(const struct reference *board, int rule, int *main, int *second) {
    int ranked[10] = {0}, count = 0, pairs = 0, blocks[10] = {0};
    for (int c = 0; c < board->width; c++)
        for (int r = 0; r < board->height; r++)
            blocks[board->cell[c][r]]++;
    for (int most = board->width * board->height; most; most--)
        for (int colour = 1; colour < 10; colour++)
            if (blocks[colour] == most)
                ranked[count++] = colour;
    *main = rule && rule <= count ? ranked[rule - 1] : 0;
    *second = 0;
    for (int newest = 1; newest < count; newest++)
        for (int old = 0; old < newest; old++, pairs += 2) {
            if (rule == 1 + count + pairs)
                *main = ranked[old], *second = ranked[newest];
            if (rule == 1 + count + pairs + 1)
                *main = ranked[newest], *second = ranked[old];
        }
}

/* A group's prior: its blocks but two, one less in the main colour, at least 0 and at most 8; under a rule that spares
 * two colours, 5 more unless the group has the second one. */
static int prior_of(int n, int colour, int main, int second) {
    int prior = n - 2 - (colour == main);
    prior = prior < 0 ? 0 : prior > 8 ? 8 : prior;
    return second && colour != second ? prior + 5 : prior;
}

static void compare_choices(struct traced *traced, const struct samegame_walk *walk, int count, int main, int second) {
    soloist_move moves[512];
    int sizes[512], expected = allowed(traced, main, moves, sizes);
    assert_int_equal(count, expected);
    for (int i = 0; i < expected; i++) {
        int at = nested_place(walk->choices, count, moves[i]);
        assert_true(at >= 0);
        assert_int_equal(walk->choices[at].gain, (sizes[i] - 2) * (sizes[i] - 2));
        int colour = traced->board.cell[samegame_column(moves[i])][samegame_row(moves[i])];
        assert_int_equal(walk->choices[at].prior, prior_of(sizes[i], colour, main, second));
        assert_true(walk->choices[at].code == traced_code(traced, moves[i]));
        if (walk->choices[at].mark) /* a mark stays with its group only */
            assert_true(walk->choices[at].mark == 1 + (uint32_t)(walk->choices[at].code % 1000003));
    }
}

/* The keys of a choice's parts make its code. */
static void compare_parts(const soloist_instance *instance, const struct samegame_walk *walk, int count) {
    uint16_t parts[SOLOIST_MOST_PARTS];
    for (int i = 0; i < count; i++) {
        int found = samegame_domain.walk->parts(instance, walk, i, parts);
        uint64_t code = 0;
        for (int k = 0; k < found; k++)
            code ^= instance->block_keys[parts[k]];
        assert_true(code == walk->choices[i].code);
        assert_int_equal((found - 2) * (found - 2), walk->choices[i].gain);
    }
}

static void walk_a_board(int width, int height, int colours, uint64_t seed, const struct samegame_kernel *kernel) {
    struct samegame_board board = {.width = width, .height = height};
    struct samegame_options options;
    soloist_rng rng;
    soloist_rng_seed(&rng, seed, 0);
    soloist_options_reset(samegame_options_rows, &options);
    for (int c = 0; c < width; c++)
        for (int r = 0; r < height; r++)
            board.cell[c][r] = (uint8_t)(1 + soloist_rng_below(&rng, (uint32_t)colours));
    soloist_instance *instance = samegame_instance_make(&board, &options);
    if (kernel)
        instance->kernel = kernel;
    const soloist_walk *table = samegame_domain.walk;
    struct samegame_walk *walk = malloc(sizeof *walk), *other = malloc(sizeof *other);
    unsigned char state[sizeof(struct samegame_wide)];
    samegame_domain.life->root(instance, state);
    int rules = table->rules(instance), all = rules + table->refinements(instance), main, second;
    for (int rule = 0; rule < all; rule++) {
        struct traced traced = {.board = {.width = width, .height = height}};
        for (int c = 0; c < width; c++)
            for (int r = 0; r < height; r++) {
                traced.board.cell[c][r] = board.cell[c][r];
                traced.origin.cell[c][r] = 1 + 32 * c + r;
            }
        colours_of(&traced.board, rule, &main, &second);
        assert_true(rule < rules ? !second : second && second != main);
        if (rule >= rules) {
            int plain_main, none;
            colours_of(&traced.board, table->refines(instance, rule), &plain_main, &none);
            assert_int_equal(plain_main, main);
        }
        int count = table->open(instance, walk, state, rule, 0);
        int32_t last = 0;
        for (compare_choices(&traced, walk, count, main, second); count;
             compare_choices(&traced, walk, count, main, second)) {
            assert_false(table->ended(instance, walk, &last));
            compare_parts(instance, walk, count);
            for (int i = 0; i < count; i++)
                walk->choices[i].mark = 1 + (uint32_t)(walk->choices[i].code % 1000003);
            table->copy(instance, other, walk);
            struct samegame_walk *kept = walk;
            walk = other;
            other = kept;
            int chosen = (int)soloist_rng_below(&rng, (uint32_t)count);
            traced_play(&traced, walk->choices[chosen].move);
            count = table->play(instance, walk, chosen);
        }
        assert_true(table->ended(instance, walk, &last));
        assert_int_equal(last, reference_last(&traced.board, SAMEGAME_STANDARD));
    }
    free(walk);
    free(other);
    samegame_domain.life->destroy(instance);
}

static void walks_are_plain_play(void **unused) {
    (void)unused;
    for (int variant = 0; variant < SAMEGAME_VARIANTS; variant++)
        for (uint64_t seed = 0; seed < 2; seed++) {
            const struct samegame_kernel *narrow = samegame_kernel_variant(variant, false, 3);
            const struct samegame_kernel *many = samegame_kernel_variant(variant, false, 4);
            const struct samegame_kernel *wide = samegame_kernel_variant(variant, true, 3);
            if (!narrow)
                continue;
            walk_a_board(15, 15, 5, seed, narrow);
            walk_a_board(16, 16, 3, seed, narrow);
            walk_a_board(3, 16, 2, seed, narrow);
            walk_a_board(12, 9, 9, seed, many);
            if (seed == 0)
                walk_a_board(20, 18, 4, seed, wide);
            if (seed == 1 && variant == 0)
                walk_a_board(32, 17, 2, seed, wide);
        }
}

/* ---- draws and policies ---- */

/* The 0.999 quantile of chi-square, about (Wilson and Hilferty). */
static double chi_limit(int freedom) {
    double part = 2.0 / (9 * freedom), root = 1 - part + 3.09 * sqrt(part);
    return freedom * root * root * root;
}

static void draws_follow_the_weights(void **unused) {
    (void)unused;
    enum { draws = 40000 };
    soloist_rng rng;
    soloist_rng_seed(&rng, 5, 5);
    for (int count = 1; count <= 40; count += 3) {
        float weights[48];
        int seen[48] = {0};
        double total = 0, chi = 0;
        for (int i = 0; i < count; i++)
            weights[i] = (float)(1 + soloist_rng_below(&rng, 30)), total += weights[i];
        for (int i = 0; i < draws; i++)
            seen[nested_draw(weights, count, &rng)]++;
        for (int i = 0; i < count; i++) {
            double expected = draws * weights[i] / total;
            chi += (seen[i] - expected) * (seen[i] - expected) / expected;
        }
        assert_true(count == 1 ? seen[0] == draws : chi < chi_limit(count - 1));
    }
}

static void exponentials_agree_with_the_library(void **unused) {
    (void)unused;
    enum { count = 1001 };
    static float x[count], y[count];
    for (int i = 0; i < count; i++)
        x[i] = (float)(i - 500) * 0.18f;
    real_exp_floats(x, y, count);
    for (int i = 0; i < count; i++) {
        double exact = exp(x[i] < -80 ? -80 : x[i] > 80 ? 80 : x[i]);
        assert_true(fabs(y[i] - exact) <= 2.5e-7 * exact);
    }
    real_exp_floats((float[]){0, NAN}, y, 2);
    assert_true(y[0] == 1 && isnan(y[1]));
}

/* A line with choices that stay for some steps, of which two may have the same code. */
static void make_line(struct nested_line *line, soloist_rng *rng) {
    enum { steps = 20, codes = 60 };
    nested_line_clear(line);
    assert_true(nested_line_reserve(line, codes + 1));
    for (uint32_t i = 1; i <= codes; i++)
        line->codes[i] = (struct nested_code){hash_mix(1 + soloist_rng_below(rng, 50)), i % 5 ? 1 : 1.5f};
    line->code_count = codes + 1;
    for (int t = 0; t < steps; t++) {
        uint32_t count = 1 + soloist_rng_below(rng, 9), first = 1 + soloist_rng_below(rng, codes - 10);
        assert_true(nested_line_reserve(line, count));
        for (uint32_t i = 0; i < count; i++)
            line->numbers[line->number_count + i] = first + i;
        line->steps[line->count++] =
            (struct nested_step){(soloist_move)t, first + soloist_rng_below(rng, count), line->number_count, count};
        line->number_count += count;
    }
}

/* Rosin's formula, code by code. */
static void adapt_plainly(double logits[51], const struct nested_line *line, double alpha) {
    double before[51];
    memcpy(before, logits, sizeof before);
    for (int t = 0; t < line->count; t++) {
        const struct nested_step *step = &line->steps[t];
        const uint32_t *numbers = line->numbers + step->first;
        double sum = 0;
        int place[16];
        for (uint32_t i = 0; i < step->count; i++) {
            for (place[i] = 1; hash_mix((uint64_t)place[i]) != line->codes[numbers[i]].code;)
                place[i]++;
            sum += exp(before[place[i]]) * line->codes[numbers[i]].factor;
        }
        for (uint32_t i = 0; i < step->count; i++) {
            logits[place[i]] -= alpha * exp(before[place[i]]) * line->codes[numbers[i]].factor / sum;
            if (numbers[i] == step->played)
                logits[place[i]] += alpha;
        }
    }
}

static void policies_follow_the_formula(void **unused) {
    (void)unused;
    struct memory memory;
    struct nested_policy policy, copy;
    struct nested_line line;
    struct nested_adapt adapt;
    double logits[51] = {0};
    soloist_rng rng;
    soloist_rng_seed(&rng, 11, 0);
    memory_open(&memory, 0);
    nested_policy_open(&policy, &memory);
    nested_policy_open(&copy, &memory);
    nested_line_open(&line, &memory);
    nested_adapt_open(&adapt, &memory);
    assert_true(nested_policy_reserve(&policy, 1));
    for (int i = 0; i < 100; i++) {
        if (i % 10 == 0)
            make_line(&line, &rng);
        assert_true(nested_adapt(&adapt, &policy, &line, 0.7));
        adapt_plainly(logits, &line, 0.7);
    }
    assert_true(nested_policy_copy(&copy, &policy));
    for (int i = 1; i <= 50; i++) {
        const struct nested_weight *slot = nested_policy_find(&copy, hash_mix((uint64_t)i));
        assert_true(fabs(slot->logit - logits[i]) < 1e-3);
        assert_true(fabs(slot->weight - exp(logits[i])) < 2e-3 * exp(logits[i]));
    }
    nested_policy_close(&policy);
    nested_policy_close(&copy);
    nested_line_close(&line);
    nested_adapt_close(&adapt);
    assert_int_equal(memory_used(&memory), 0);
}

/* ---- a worker without a run ---- */

static const char *const board = "31221\n12332\n23113\n31212\n13321\n12123\n";

struct bench {
    soloist_puzzle puzzle;
    struct budget budget;
    struct search_run run;
    struct nested_options options;
    struct nested_team team;
    struct nested nested;
    struct nested_worker worker;
    soloist_error error;
};

static void bench_open(struct bench *bench, const char *text, const char *options) {
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1, .name = ""};
    soloist_limits limits = {.iterations = UINT64_MAX / 2};
    memset(bench, 0, sizeof *bench);
    assert_int_equal(soloist_puzzle_read(&samegame_domain, NULL, &chunk, &bench->puzzle, NULL), SOLOIST_OK);
    budget_open(&bench->budget, &limits, NULL);
    bench->run = (struct search_run){.domain = &samegame_domain,
                                     .instance = bench->puzzle.instance,
                                     .options = &bench->options,
                                     .budget = &bench->budget,
                                     .threads = 1,
                                     .error = &bench->error};
    samegame_domain.life->shape(bench->puzzle.instance, &bench->run.shape);
    soloist_options_reset(nested_options_rows, &bench->options);
    assert_int_equal(soloist_options_parse(nested_options_rows, &bench->options, options, NULL), SOLOIST_OK);
    pthread_mutex_init(&bench->team.lock, NULL);
    assert_int_equal(nested_settle(&bench->run, &bench->team, &bench->nested), SOLOIST_OK);
    assert_true(nested_worker_open(&bench->worker, &bench->nested, 0));
    soloist_rng_seed(&bench->worker.rng, 3, 0);
    nested_start(&bench->worker, NULL, 0);
}

static void bench_close(struct bench *bench) {
    nested_worker_close(&bench->worker);
    assert_int_equal(memory_used(&bench->budget.memory), 0);
    pthread_mutex_destroy(&bench->team.lock);
    free(bench->team.best.moves);
    free(bench->run.best.moves);
    soloist_puzzle_free(&bench->puzzle);
}

/* First moves of play-outs under a policy that was adapted, with a bias, against their probabilities. Play-outs begin
 * after the first `played` moves of a line. */
static void follow_the_policy(const char *text, int rule, int played) {
    enum { games = 20000 };
    static struct bench bench;
    soloist_move moves[16];
    bench_open(&bench, text, "bias=0.4");
    struct nested_worker *worker = &bench.worker;
    worker->rule = rule;
    nested_start(worker, NULL, 0);
    struct nested_policy *policy = &worker->levels[1].policy;
    assert_true(nested_policy_reserve(policy, 1));
    for (int i = 0; i < 3; i++) {
        assert_true(nested_play_out(worker, policy));
        assert_true(nested_adapt_to(worker, policy, &worker->line));
    }
    assert_true(worker->line.count > played);
    for (int i = 0; i < played; i++)
        moves[i] = worker->line.steps[i].move;
    nested_start(worker, moves, played);
    assert_int_equal(worker->prefix_count, played);
    const soloist_choice *choices = worker->start;
    int seen[64] = {0}, count = worker->start_count;
    double weight[64], total = 0, chi = 0;
    for (int i = 0; i < count; i++) {
        weight[i] = exp(nested_policy_find(policy, choices[i].code)->logit + 0.4 * choices[i].prior);
        total += weight[i];
    }
    for (int i = 0; i < games; i++) {
        assert_true(nested_play_out(worker, policy));
        seen[nested_place(choices, count, worker->line.steps[0].move)]++;
    }
    for (int i = 0; i < count; i++) {
        double expected = games * weight[i] / total;
        chi += (seen[i] - expected) * (seen[i] - expected) / expected;
    }
    assert_true(count > 3 && chi < chi_limit(count - 1));
    bench_close(&bench);
}

static void play_outs_follow_the_policy(void **unused) {
    (void)unused;
    follow_the_policy(board, 0, 0);
    follow_the_policy(board, 1, 0);
    follow_the_policy(board, 5, 0); /* one colour is spared strictly, another one softly */
    char square[13 * 12 + 1] = "";
    soloist_rng rng;
    soloist_rng_seed(&rng, 8, 0);
    for (int i = 0; i < 13 * 12; i++)
        square[i] = i % 13 == 12 ? '\n' : (char)('1' + soloist_rng_below(&rng, 5));
    follow_the_policy(square, 0, 5);
    follow_the_policy(square, 1, 12); /* pairs of the spared colour may be played too */
    follow_the_policy(square, 9, 12);
}

/* One of several threads: the node limit cuts its play-outs off before the thread that looks at the limits ends the
 * run. It plays no move then that is not there. */
static void lines_that_a_limit_cuts_off(void **unused) {
    (void)unused;
    static struct bench bench;
    for (uint64_t nodes = 1; nodes < 300; nodes += 7) {
        bench_open(&bench, board, "search=nmcs,level=2");
        bench.worker.main = false;
        bench.budget.limits.nodes = nodes;
        nested_nmcs(&bench.worker, 2);
        assert_true(bench.worker.nodes <= nodes && bench.worker.prefix_count == 0);
        const struct nested_game *game = &bench.worker.games[2];
        nested_start(&bench.worker, game->moves, game->count);
        assert_int_equal(bench.worker.prefix_count, game->count);
        bench_close(&bench);
    }
}

/* ---- nested Monte-Carlo search against a direct recursion ---- */

struct direct {
    const soloist_instance *instance;
    soloist_rng rng;
};

struct direct_line {
    int32_t value;
    int count;
    soloist_move moves[64];
};

/* As published: play-outs at level 0; else every move, with the level below behind it, and the best line remembered. */
static struct direct_line direct_nmcs(struct direct *direct, int level, unsigned char *state, struct direct_line done) {
    const soloist_core *core = samegame_domain.core;
    soloist_move moves[64];
    struct direct_line best = {.value = INT32_MIN};
    unsigned char own[sizeof(struct samegame_wide)], next[sizeof own];
    int32_t last;
    memcpy(own, state, direct->instance->state_size);
    while (!core->ended(direct->instance, own, &last)) {
        int count = core->moves(direct->instance, own, moves), chosen = 0;
        if (level == 0) {
            float weights[72];
            for (int i = 0; i < count; i++)
                weights[i] = 1;
            chosen = nested_draw(weights, count, &direct->rng);
        }
        for (int i = 0; level && i < count; i++) {
            memcpy(next, own, direct->instance->state_size);
            struct direct_line line = done;
            line.value += core->apply(direct->instance, next, moves[i], NULL);
            line.moves[line.count++] = moves[i];
            line = direct_nmcs(direct, level - 1, next, line);
            if (line.value > best.value)
                best = line;
        }
        soloist_move move = level ? best.moves[done.count] : moves[chosen];
        done.value += core->apply(direct->instance, own, move, NULL);
        done.moves[done.count++] = move;
    }
    done.value += last;
    return best.value > INT32_MIN ? best : done;
}

static void nested_search_is_the_recursion(void **unused) {
    (void)unused;
    static struct bench bench;
    for (int level = 1; level <= 2; level++) {
        char options[64];
        snprintf(options, sizeof options, "search=nmcs,level=%d,codes=move", level);
        bench_open(&bench, board, options);
        struct direct direct = {.instance = bench.puzzle.instance, .rng = bench.worker.rng};
        unsigned char state[sizeof(struct samegame_wide)];
        samegame_domain.life->root(direct.instance, state);
        struct direct_line expected = direct_nmcs(&direct, level, state, (struct direct_line){0});
        nested_nmcs(&bench.worker, level);
        const struct nested_game *game = &bench.worker.games[level];
        assert_int_equal(game->score, expected.value);
        assert_int_equal(game->count, expected.count);
        assert_memory_equal(game->moves, expected.moves, (size_t)expected.count * sizeof *game->moves);
        assert_memory_equal(&direct.rng, &bench.worker.rng, sizeof direct.rng);
        bench_close(&bench);
    }
}

/* ---- runs ---- */

static soloist_result solve(const soloist_domain *domain, const char *text, const char *method, soloist_limits limits) {
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1, .name = ""};
    assert_int_equal(soloist_puzzle_read(domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    if (soloist_solve(engine, &puzzle, method, &limits, NULL, &result, &error) != SOLOIST_OK)
        fail_msg("%s: %s", method, error.text);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return result;
}

/* Games long enough for every option to matter. */
static const char *const large =
    "112312213\n231233112\n312123321\n123321231\n213213132\n331122312\n123131223\n312231132\n";

static void fingerprint(const char *text, const char *method, uint64_t seed, char *out) {
    soloist_result result =
        solve(&samegame_domain, text, method, (soloist_limits){.iterations = 3000, .seed = seed, .threads = 1});
    assert_int_equal(result.status, SOLOIST_SOLVED);
    assert_true(result.playouts <= 3000);
    snprintf(out, 200, "%d %llu %llu %.120s", (int)result.verdict.value, (unsigned long long)result.nodes,
             (unsigned long long)result.playouts, result.solution);
    soloist_result_free(&result);
}

static void a_seed_decides_the_run(void **unused) {
    (void)unused;
    static const char *const methods[] = {"nrpa",
                                          "nmcs",
                                          "nmcts",
                                          "nrpa:beam=3,diverse,n=5",
                                          "nrpa:refine=1,n=5",
                                          "nrpa:stages_least=0,refined_least=50,level=2"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        char first[200], again[200], other[200];
        fingerprint(large, methods[i], 1, first);
        fingerprint(large, methods[i], 1, again);
        fingerprint(large, methods[i], 2, other);
        assert_string_equal(first, again);
        assert_string_not_equal(first, other);
    }
}

/* Stages with few play-outs, without and with annealing. */
#define ANNEALED "nrpa:stages_least=0,refined_least=50,cut_playouts=50,playouts=1,level=2,"
#define STAGED ANNEALED "anneal=0,"

static void every_option_matters(void **unused) {
    (void)unused;
    static const char *const pairs[][2] = {
        {"nrpa:race=false,n=10", "nmcs:n=10"},
        {"nrpa:race=false,n=10", "nrpa:race=false,n=10,level=2"},
        {"nrpa:race=false,n=10", "nrpa:race=false,n=11"},
        {"nrpa:race=false,n=10", "nrpa:race=false,n=10,alpha=0.5"},
        {"nrpa:race=false,n=10", "nrpa:race=false,n=10,rule=0"},
        {"nrpa:race=false,n=10,rule=1", "nrpa:race=false,n=10,rule=2"},
        {"nrpa:race=false,n=10", "nrpa:race=false,n=10,bias=1"},
        {"nrpa:race=false,n=10,codes=move", "nrpa:race=false,n=10,codes=state"},
        {"nrpa:race=false,n=10,codes=move", "nrpa:race=false,n=10,codes=step"},
        {"nrpa:race=false,n=10,rule=0", "nrpa:race=false,n=10,codes=move"},
        {"nrpa:race=false,n=10,playouts=1", "nrpa:race=false,n=10,playouts=3"},
        {"nrpa:race=false,n=40,level=2,playouts=1", "nrpa:race=false,n=40,level=2,playouts=1,repeats=2"},
        {"nrpa:race=false,n=6", "nrpa:race=false,n=6,beam=3"},
        {"nrpa:race=false,n=6,level=2,playouts=1,beam=4", "nrpa:race=false,n=6,level=2,playouts=1,beam=4,diverse"},
        {"nrpa:race=false,n=6", "nrpa:race=false,n=6,refine=1"},
        {"nrpa:race=false,n=6,refine=1", "nrpa:race=false,n=6,refine=1,refine_level=2,refine_n=5"},
        {"nrpa:race=false,n=6,refine=1", "nrpa:race=false,n=6,refine=1,refine_n=5"},
        {"nrpa:race=false,n=4,refine=6,refine_n=9", "nrpa:race=false,n=4,refine=6,refine_n=9,refine_pull=1"},
        {"nrpa:race=false,n=4,refine=6,refine_n=9", "nrpa:race=false,n=4,refine=6,refine_n=9,refine_keep=0.2"},
        {"nrpa:race=false,n=4", "nrpa:race=true,n=4"},
        {"nrpa:race=true,stages=false,n=3,growth=1", "nrpa:race=true,stages=false,n=3,growth=4"},
        {STAGED "n=9", STAGED "n=9,stages=false"},
        {STAGED "n=9", STAGED "n=4"},
        {STAGED "n=9", STAGED "n=9,games=3"},
        {STAGED "n=9", STAGED "n=9,stages_least=2000"},
        {STAGED "n=9", STAGED "n=9,refined_share=0.8"},
        {STAGED "n=9", STAGED "n=9,refined_least=1000"},
        {STAGED "n=9", STAGED "n=9,improve_share=0.9"},
        {STAGED "n=9", STAGED "n=9,cut_playouts=5"},
        {STAGED "n=9", STAGED "n=9,cut_keep=0.9"},
        {STAGED "n=9,improve_share=0,cut_seed=1", STAGED "n=9,improve_share=0,cut_seed=0"},
        {STAGED "n=9", STAGED "n=9,cut_fresh=1"},
        {STAGED "n=9", STAGED "n=9,tail=0"},
        {STAGED "n=9,rule=1", STAGED "n=9,rule=4"},
        {STAGED "n=9", ANNEALED "n=9"},
        {ANNEALED "n=9,anneal_playouts=50,anneal=1", ANNEALED "n=9,anneal_playouts=50,anneal=0.1"},
        {ANNEALED "n=9,anneal_playouts=50", ANNEALED "n=9,anneal_playouts=70"},
        {ANNEALED "n=9,anneal_playouts=200", ANNEALED "n=9,anneal_playouts=200,anneal_from=0.1"},
        {ANNEALED "n=9,anneal_playouts=200", ANNEALED "n=9,anneal_playouts=200,anneal_to=0.1"},
        {"nrpa:race=false,n=4", "nrpa:race=false,n=4,share=1"},
        {"nmcts:n=50", "nmcts:n=50,c=5"},
        {"nrpa:race=false,n=4", "nrpa:race=false,n=4,length=5,games=1"},
        {"nrpa:race=false,n=4", "nrpa:race=false,n=4,games=2"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        soloist_limits limits = {.iterations = 1500, .seed = 1, .threads = 1};
        soloist_result a = solve(&samegame_domain, large, pairs[i][0], limits);
        soloist_result b = solve(&samegame_domain, large, pairs[i][1], limits);
        if (a.nodes == b.nodes)
            fail_msg("%s is %s", pairs[i][0], pairs[i][1]);
        soloist_result_free(&a);
        soloist_result_free(&b);
    }
}

static void small_boards_reach_the_optimum(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 8, 0);
    for (int i = 0; i < 4; i++) {
        int side = 5 + i % 2;
        char text[64], *at = text;
        for (int r = 0; r < side; r++, *at++ = '\n')
            for (int c = 0; c < side; c++)
                *at++ = (char)('1' + soloist_rng_below(&rng, 3));
        *at = 0;
        soloist_result best = solve(&samegame_domain, text, "bestfirst", (soloist_limits){.nodes = 1000000});
        soloist_result found =
            solve(&samegame_domain, text, "nrpa:n=8", (soloist_limits){.iterations = 15000, .seed = 1});
        assert_true(best.optimal);
        assert_int_equal(found.verdict.value, best.verdict.value);
        soloist_result_free(&best);
        soloist_result_free(&found);
    }
}

static void threads_share_one_budget(void **unused) {
    (void)unused;
    static const char *const methods[] = {"nrpa:n=5,share=0.5", "nmcs:level=1", "nmcts:n=20"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        soloist_result result =
            solve(&samegame_domain, large, methods[i], (soloist_limits){.iterations = 2000, .seed = 1, .threads = 3});
        assert_int_equal(result.status, SOLOIST_SOLVED);
        assert_int_equal(result.playouts, 2000);
        soloist_result_free(&result);
    }
}

static void a_limit_leaves_the_best_line(void **unused) {
    (void)unused;
    static const char *const methods[] = {"nrpa", "nmcs:level=3", "nmcts:level=3", "nrpa:beam=2"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        for (uint64_t most = 1; most < 400; most = most * 3 + 1) {
            soloist_result result = solve(&samegame_domain, large, methods[i], (soloist_limits){.iterations = most});
            assert_int_equal(result.status, SOLOIST_SOLVED);
            assert_int_equal(result.playouts, most);
            soloist_result_free(&result);
        }
}

/* Set before the run: not a play-out is made. Set later, by a progress call, the best stays. */
static void cancel_soon(void *user, const soloist_progress *progress) {
    (void)progress;
    soloist_stop_token_cancel(user);
}

static void cancelling_leaves_a_valid_best(void **unused) {
    (void)unused;
    soloist_stop_token cancel = {0};
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_chunk chunk = {.text = large, .length = strlen(large), .line = 1, .name = ""};
    soloist_limits limits = {.stop = &cancel, .threads = 2};
    soloist_callbacks callbacks = {.progress = cancel_soon, .user = (void *)&cancel};
    assert_int_equal(soloist_puzzle_read(&samegame_domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    assert_int_equal(soloist_solve(engine, &puzzle, "nrpa", &limits, &callbacks, &result, NULL), SOLOIST_OK);
    assert_int_equal(result.stopped, SOLOIST_STOP_CANCEL);
    assert_int_equal(result.status, SOLOIST_SOLVED);
    assert_non_null(result.solution);
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

static void goals_are_reached(void **unused) {
    (void)unused;
    static const char *const level = "#######\n#     #\n# $.$ #\n#  .  #\n#  @  #\n#######\n";
    const struct {
        const soloist_domain *domain;
        const char *text;
    } puzzles[] = {{&sokoban_domain, level}, {&pancake_domain, "3 1 4 2 5\n"}, {&tiles_domain, "1 4 2 3 0 5 6 7 8\n"}};
    static const char *const methods[] = {"nrpa", "nmcs", "nmcts", "nrpa:codes=state,improve"};
    for (size_t i = 0; i < sizeof puzzles / sizeof puzzles[0]; i++)
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
            soloist_result result =
                solve(puzzles[i].domain, puzzles[i].text, methods[m], (soloist_limits){.iterations = 3000, .seed = 1});
            if (result.status != SOLOIST_SOLVED)
                fail_msg("%s: %s", puzzles[i].domain->name, methods[m]);
            assert_true(m != 3 || result.optimal || result.iterations == 3000);
            soloist_result_free(&result);
        }
}

/* Each refinement keeps another beginning of the best sequence; nothing of an earlier one may be appended to it. */
static void refinements_forget_earlier_ones(void **unused) {
    (void)unused;
    static const char *const level = " #######\n"
                                     "##  .  #\n"
                                     "#  $#$ #\n"
                                     "# .@ . #\n"
                                     "#  $   #\n"
                                     "####  ##\n"
                                     "   ####\n";
    for (uint64_t seed = 1; seed <= 5; seed++) {
        soloist_result result = solve(&sokoban_domain, level, "nrpa:level=1,n=3,refine=100,refine_n=1,length=40",
                                      (soloist_limits){.iterations = 300, .seed = seed});
        assert_true(result.iterations <= 300);
        soloist_result_free(&result);
    }
}

static int no_rules(const soloist_instance *instance) { return (void)instance, 0; }

static void rules_that_are_not_there_are_refused(void **unused) {
    (void)unused;
    soloist *engine = soloist_new();
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    soloist_chunk chunk = {.text = board, .length = strlen(board), .line = 1, .name = ""};
    soloist_limits limits = {.iterations = 10};
    assert_int_equal(soloist_puzzle_read(&samegame_domain, NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    assert_int_equal(soloist_solve(engine, &puzzle, "nrpa:rule=10", &limits, NULL, &result, &error),
                     SOLOIST_UNSUPPORTED);
    assert_non_null(strstr(error.text, "last rule is 9"));
    soloist_domain domain = samegame_domain;
    soloist_walk walk = *domain.walk;
    walk.rules = no_rules;
    domain.walk = &walk;
    puzzle.domain = &domain;
    assert_int_equal(soloist_solve(engine, &puzzle, "nrpa", &limits, NULL, &result, &error), SOLOIST_UNSUPPORTED);
    assert_non_null(strstr(error.text, "has no rule"));
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_are_plain_play),
        cmocka_unit_test(draws_follow_the_weights),
        cmocka_unit_test(exponentials_agree_with_the_library),
        cmocka_unit_test(policies_follow_the_formula),
        cmocka_unit_test(play_outs_follow_the_policy),
        cmocka_unit_test(lines_that_a_limit_cuts_off),
        cmocka_unit_test(nested_search_is_the_recursion),
        cmocka_unit_test(a_seed_decides_the_run),
        cmocka_unit_test(every_option_matters),
        cmocka_unit_test(small_boards_reach_the_optimum),
        cmocka_unit_test(threads_share_one_budget),
        cmocka_unit_test(a_limit_leaves_the_best_line),
        cmocka_unit_test(cancelling_leaves_a_valid_best),
        cmocka_unit_test(goals_are_reached),
        cmocka_unit_test(refinements_forget_earlier_ones),
        cmocka_unit_test(rules_that_are_not_there_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
