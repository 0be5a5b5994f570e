#include "lab/bench_environments.h"

#include "base/buffer.h"
#include "base/hash.h"
#include "domain/environments.h"

#include <stdlib.h>
#include <string.h>

enum { LEVELS = 64, ROUNDS = 128, STEP_LIMIT = 100 };

struct environments_bench {
    const soloist_domain *domain;
    struct environments *environments;
    void *options, *generator; /* of the domain; of its generator */
    int boards, actions;
    size_t numbers; /* of one observation */
    int32_t *drawn; /* actions for ROUNDS steps, which are played again and again */
    uint8_t *observations, *ends;
    float *rewards;
};

/* Makes level number `slot` and puts it into the pool. */
static bool put_level(struct environments_bench *bench, int slot, soloist_error *error) {
    struct buffer text;
    soloist_rng rng;
    soloist_rng_seed(&rng, 1, (uint64_t)slot);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    bool good = bench->domain->generate->make(bench->generator, &rng, &sink, error) == SOLOIST_OK;
    if (good && text.failed)
        good = soloist_fail(error, 0, 0, "no memory for a level");
    soloist_cursor cursor = soloist_cursor_open(text.text, text.length);
    soloist_chunk chunk;
    good = good && bench->domain->life->next(&cursor, &chunk) &&
           environments_put(bench->environments, slot, &chunk, error);
    if (good && !slot) {
        int channels, height, width;
        soloist_instance *instance = bench->domain->life->parse(&chunk, bench->options, error);
        good = instance;
        if (instance) {
            bench->domain->learn->planes(instance, &channels, &height, &width);
            bench->numbers = (size_t)channels * (size_t)height * (size_t)width;
            bench->actions = bench->domain->learn->actions(instance);
            bench->domain->life->destroy(instance);
        }
    }
    buffer_close(&text);
    return good;
}

static bool open_options(struct environments_bench *bench, const char *levels, soloist_error *error) {
    const soloist_generate *generate = bench->domain->generate;
    bench->options = malloc(bench->domain->options_size);
    bench->generator = malloc(generate->options_size);
    if (!bench->options || !bench->generator)
        return soloist_fail(error, 0, 0, "no memory for options");
    soloist_options_reset(bench->domain->options, bench->options);
    soloist_options_reset(generate->options, bench->generator);
    return soloist_options_parse(generate->options, bench->generator, levels, error) == SOLOIST_OK;
}

static bool open_bench(struct environments_bench *bench, const char *levels, const char *reward, soloist_error *error) {
    size_t boards = (size_t)bench->boards;
    if (!open_options(bench, levels, error))
        return false;
    soloist_episodes episodes = {.size = sizeof episodes,
                                 .options = bench->options,
                                 .boards = bench->boards,
                                 .levels = LEVELS,
                                 .reward = environments_reward(bench->domain, reward, error),
                                 .step_limit = STEP_LIMIT,
                                 .seed = 1};
    bench->environments = environments_open(bench->domain, &episodes, false, error);
    for (int slot = 0; slot < LEVELS; slot++)
        if (!bench->environments || !put_level(bench, slot, error))
            return false;
    bench->drawn = malloc(ROUNDS * boards * sizeof *bench->drawn);
    bench->observations = malloc(boards * bench->numbers);
    bench->ends = malloc(boards);
    bench->rewards = malloc(boards * sizeof *bench->rewards);
    return (bench->drawn && bench->observations && bench->ends && bench->rewards) ||
           soloist_fail(error, 0, 0, "no memory for the boards");
}

static void close_bench(struct environments_bench *bench) {
    environments_close(bench->environments);
    void *owned[] = {bench->options, bench->generator, bench->drawn, bench->observations, bench->ends, bench->rewards};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}

static void draw_actions(struct environments_bench *bench) {
    soloist_rng rng;
    soloist_rng_seed(&rng, 5, 0);
    for (int i = 0; i < ROUNDS * bench->boards; i++)
        bench->drawn[i] = (int32_t)soloist_rng_below(&rng, (uint32_t)bench->actions);
}

bool bench_environments(const soloist_domain *domain, const char *levels, const char *reward, int boards, int64_t steps,
                        uint64_t *count, uint64_t *signature, soloist_error *error) {
    struct environments_bench bench = {.domain = domain, .boards = boards};
    bool good = open_bench(&bench, levels, reward, error);
    size_t size = (size_t)boards;
    if (good) {
        draw_actions(&bench);
        environments_reset(bench.environments, bench.observations);
    }
    for (int64_t step = 0; good && step < steps; step++) {
        environments_step(bench.environments, bench.drawn + (size_t)(step % ROUNDS) * size, true, bench.observations,
                          bench.rewards, bench.ends, NULL);
        *count += size;
        if (step % STEP_LIMIT)
            continue;
        *signature = hash_mix(*signature ^ hash_bytes(bench.rewards, size * sizeof *bench.rewards));
        *signature = hash_mix(*signature ^ hash_bytes(bench.ends, size));
    }
    if (good)
        *signature = hash_mix(*signature ^ hash_bytes(bench.observations, size * bench.numbers));
    close_bench(&bench);
    return good;
}
