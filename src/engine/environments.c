/* The environments that the library offers for a domain (soloist_extra.h). The boards are divided into parts, one per
 * thread; each part is a separate set of environments that uses the same pool of levels. A board's number decides which
 * levels it draws, so the games do not depend on the division. Threads are started and joined within a call. */
#include "domain/environments.h"

#include "base/buffer.h"
#include "base/team.h"
#include "engine/engine.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct part {
    struct environments *environments;
    int first, boards;
    int ended; /* episodes that ended in the last step */
};

struct soloist_boards {
    const soloist_domain *domain;
    soloist_boards_plan plan;
    char *options_text; /* a copy of plan.options; may be NULL */
    void *options;
    struct part *parts;
    int part_count;
    bool *filled;                         /* for each slot: whether it holds a level */
    int empty;                            /* number of slots without a level */
    int channels, height, width, actions; /* 0 before the first level */
    size_t numbers;                       /* of an observation */
    soloist_boards_arrays arrays;
    uint8_t *ends; /* one per board */
    bool began;
    const uint8_t *current; /* the array that holds the present observations; NULL: none */
    /* The work of a call, which the parts share. */
    uint8_t *observations;
    atomic_int next_part;
};

/* ---- opening ---- */

void soloist_boards_close(soloist_boards *b) {
    if (!b)
        return;
    for (int i = 0; b->parts && i < b->part_count; i++)
        environments_close(b->parts[i].environments);
    void *owned[] = {b->options_text, b->options, b->parts, b->filled, b->ends, b};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}

static bool allocate(struct soloist_boards *b, const char *options, soloist_error *error) {
    int threads = b->plan.in_turn || b->plan.threads < 1 ? 1 : b->plan.threads;
    b->part_count = threads < b->plan.boards ? threads : b->plan.boards;
    b->part_count = b->part_count < TEAM_MOST ? b->part_count : TEAM_MOST;
    b->empty = b->plan.levels;
    b->options_text = options ? strdup(options) : NULL;
    b->plan.options = b->options_text;
    b->options = calloc(1, b->domain->options_size + 1);
    b->parts = calloc((size_t)b->part_count, sizeof *b->parts);
    b->filled = calloc((size_t)b->plan.levels, sizeof *b->filled);
    b->ends = malloc((size_t)b->plan.boards);
    if (!(options && !b->options_text) && b->options && b->parts && b->filled && b->ends)
        return true;
    return soloist_fail(error, 0, 0, "no memory for %d boards", b->plan.boards);
}

static bool open_parts(struct soloist_boards *b, soloist_error *error) {
    soloist_episodes episodes = {.size = sizeof episodes,
                                 .options = b->options,
                                 .levels = b->plan.levels,
                                 .reward = -1,
                                 .step_limit = b->plan.step_limit,
                                 .in_turn = b->plan.in_turn,
                                 .seed = b->plan.seed};
    if (b->plan.reward && (episodes.reward = environments_reward(b->domain, b->plan.reward, error)) < 0)
        return false;
    b->plan.reward = NULL; /* the text was borrowed */
    for (int i = 0; i < b->part_count; i++) {
        struct part *part = &b->parts[i];
        part->first = (int)((int64_t)b->plan.boards * i / b->part_count);
        part->boards = (int)((int64_t)b->plan.boards * (i + 1) / b->part_count) - part->first;
        episodes.first_board = part->first;
        episodes.boards = part->boards;
        if (!(part->environments = environments_open(b->domain, &episodes, b->plan.general, error)))
            return false;
    }
    return true;
}

soloist_boards *soloist_boards_open(const soloist_domain *domain, const soloist_boards_plan *plan,
                                    soloist_error *error) {
    if (!domain || !plan || plan->size < sizeof *plan || plan->boards < 1 || plan->levels < 1 || plan->step_limit < 0 ||
        !engine_domain_is_complete(domain)) {
        soloist_fail(error, 0, 0,
                     "soloist_boards_open needs a domain that was found by its name, and at least one "
                     "board and one level");
        return NULL;
    }
    struct soloist_boards *b = calloc(1, sizeof *b);
    if (!b) {
        soloist_fail(error, 0, 0, "no memory for %d boards", plan->boards);
        return NULL;
    }
    b->domain = domain;
    b->plan = *plan;
    bool good = allocate(b, plan->options, error);
    if (good) {
        soloist_options_reset(domain->options, b->options);
        good = soloist_options_parse(domain->options, b->options, b->options_text, error) == SOLOIST_OK &&
               open_parts(b, error);
    }
    if (good)
        return b;
    soloist_boards_close(b);
    return NULL;
}

/* ---- levels ---- */

/* Finds out the sizes of observations from the first level. */
static soloist_code measure(struct soloist_boards *b, const soloist_chunk *chunk, int shape[4], soloist_error *error) {
    soloist_puzzle puzzle;
    soloist_code code = soloist_puzzle_read(b->domain, b->options_text, chunk, &puzzle, error);
    if (code != SOLOIST_OK)
        return code;
    b->domain->learn->planes(puzzle.instance, &shape[0], &shape[1], &shape[2]);
    shape[3] = b->domain->learn->actions(puzzle.instance);
    soloist_puzzle_free(&puzzle);
    return SOLOIST_OK;
}

soloist_code soloist_boards_put(soloist_boards *b, int slot, const soloist_chunk *chunk, soloist_error *error) {
    int shape[4] = {0};
    if (!b || !chunk || (chunk->length && !chunk->text) || slot < 0 || slot >= b->plan.levels) {
        soloist_fail(error, 0, 0, "soloist_boards_put needs boards, a level and the number of a slot");
        return SOLOIST_MISUSE;
    }
    soloist_code code = b->numbers ? SOLOIST_OK : measure(b, chunk, shape, error);
    if (code != SOLOIST_OK)
        return code;
    errno = 0;
    for (int i = 0; i < b->part_count; i++)
        if (!environments_put(b->parts[i].environments, slot, chunk, error))
            return errno == ENOMEM ? SOLOIST_NO_MEMORY : SOLOIST_BAD_INPUT;
    if (!b->numbers) {
        b->channels = shape[0], b->height = shape[1], b->width = shape[2], b->actions = shape[3];
        b->numbers = (size_t)shape[0] * (size_t)shape[1] * (size_t)shape[2];
    }
    b->empty -= !b->filled[slot];
    b->filled[slot] = true;
    return SOLOIST_OK;
}

/* Makes levels until one can be played, and puts it into the slot. A few random levels begin solved. */
static soloist_code make_level(struct soloist_boards *b, int slot, const void *options, uint64_t seed,
                               soloist_error *error) {
    enum { TRIES = 100 };
    soloist_rng rng;
    soloist_rng_seed(&rng, seed, (uint64_t)slot);
    soloist_code code = SOLOIST_BAD_INPUT;
    for (int i = 0; i < TRIES && code == SOLOIST_BAD_INPUT; i++) {
        struct buffer text;
        buffer_open(&text);
        soloist_sink sink = buffer_sink(&text);
        code = b->domain->generate->make(options, &rng, &sink, error);
        if (code == SOLOIST_OK && text.failed)
            code = SOLOIST_NO_MEMORY;
        if (code == SOLOIST_OK) {
            soloist_cursor cursor = soloist_cursor_open(text.text, text.length);
            soloist_chunk chunk;
            code =
                b->domain->life->next(&cursor, &chunk) ? soloist_boards_put(b, slot, &chunk, error) : SOLOIST_INTERNAL;
        }
        buffer_close(&text);
    }
    return code;
}

soloist_code soloist_boards_fill(soloist_boards *b, const char *options, uint64_t seed, soloist_error *error) {
    const soloist_generate *generate = b ? b->domain->generate : NULL;
    if (!generate) {
        soloist_fail(error, 0, 0, b ? "%s has no generator" : "soloist_boards_fill needs boards",
                     b ? b->domain->name : "");
        return b ? SOLOIST_UNSUPPORTED : SOLOIST_MISUSE;
    }
    void *wanted = calloc(1, generate->options_size + 1);
    if (!wanted) {
        soloist_fail(error, 0, 0, "no memory for options");
        return SOLOIST_NO_MEMORY;
    }
    soloist_options_reset(generate->options, wanted);
    soloist_code code = soloist_options_parse(generate->options, wanted, options, error);
    for (int slot = 0; slot < b->plan.levels && code == SOLOIST_OK; slot++)
        code = make_level(b, slot, wanted, seed, error);
    free(wanted);
    return code;
}

void soloist_boards_shape(const soloist_boards *b, int shape[4]) {
    if (!shape)
        return;
    if (!b)
        memset(shape, 0, 4 * sizeof *shape);
    else
        shape[0] = b->channels, shape[1] = b->height, shape[2] = b->width, shape[3] = b->actions;
}

/* ---- play ---- */

soloist_code soloist_boards_bind(soloist_boards *b, const soloist_boards_arrays *arrays, soloist_error *error) {
    if (!b || !arrays || arrays->size < sizeof *arrays || !b->numbers || !arrays->actions || !arrays->observations ||
        !arrays->rewards || !arrays->terminated || !arrays->truncated) {
        soloist_fail(error, 0, 0,
                     "soloist_boards_bind needs boards with a level, and every array but finals and masks");
        return SOLOIST_MISUSE;
    }
    b->arrays = *arrays;
    b->current = NULL;
    return SOLOIST_OK;
}

static bool is_ready(const soloist_boards *b) { return b && b->arrays.observations && !b->empty; }

static void write_masks(const struct soloist_boards *b, const struct part *part) {
    if (b->arrays.masks)
        environments_legal(part->environments, b->arrays.masks + (size_t)part->first * (size_t)b->actions);
}

/* Does a piece of work for each part, with a thread for each if there are several. */
static void for_each_part(struct soloist_boards *b, team_work work) {
    atomic_store_explicit(&b->next_part, 0, memory_order_relaxed);
    if (b->part_count > 1)
        team_run(b->part_count, work, b);
    else
        work(b, 0);
}

static struct part *take_part(struct soloist_boards *b) {
    int part = atomic_fetch_add_explicit(&b->next_part, 1, memory_order_relaxed);
    return part < b->part_count ? &b->parts[part] : NULL;
}

static void reset_parts(void *user, int worker) {
    struct soloist_boards *b = user;
    (void)worker;
    for (struct part *part; (part = take_part(b));) {
        environments_reset(part->environments, b->arrays.observations + (size_t)part->first * b->numbers);
        write_masks(b, part);
    }
}

soloist_code soloist_boards_reset(soloist_boards *b) {
    if (!is_ready(b))
        return SOLOIST_MISUSE;
    for_each_part(b, reset_parts);
    b->began = true;
    b->current = b->arrays.observations;
    return SOLOIST_OK;
}

void soloist_boards_reseed(soloist_boards *b, uint64_t seed) {
    for (int i = 0; b && i < b->part_count; i++)
        environments_reseed(b->parts[i].environments, seed);
}

static struct part *part_of(const struct soloist_boards *b, int board) {
    int part = 0;
    while (part + 1 < b->part_count && board >= b->parts[part + 1].first)
        part++;
    return &b->parts[part];
}

soloist_code soloist_boards_begin(soloist_boards *b, int board, int slot) {
    if (!is_ready(b) || board < 0 || board >= b->plan.boards || slot < -1 || slot >= b->plan.levels ||
        (!b->began && b->plan.boards > 1))
        return SOLOIST_MISUSE;
    struct part *part = part_of(b, board);
    environments_begin(part->environments, board - part->first, slot,
                       b->arrays.observations + (size_t)board * b->numbers);
    write_masks(b, part);
    if (b->plan.boards == 1)
        b->current = b->arrays.observations;
    else if (b->current != b->arrays.observations)
        b->current = NULL;
    b->began = true;
    return SOLOIST_OK;
}

/* Divides what the environments say about ends into terminated and truncated. Returns how many episodes ended. */
static int divide_ends(const struct soloist_boards *b, const struct part *part) {
    const uint8_t *ends = b->ends + part->first;
    uint8_t *terminated = b->arrays.terminated + part->first, *truncated = b->arrays.truncated + part->first;
    int ended = 0;
    for (int i = 0; i < part->boards; i++) {
        truncated[i] = ends[i] == SOLOIST_EPISODE_CUT_OFF;
        terminated[i] = ends[i] == SOLOIST_EPISODE_ENDED || ends[i] == SOLOIST_EPISODE_STUCK;
        ended += ends[i] != SOLOIST_EPISODE_RUNS;
    }
    return ended;
}

static void step_parts(void *user, int worker) {
    struct soloist_boards *b = user;
    const soloist_boards_arrays *arrays = &b->arrays;
    (void)worker;
    for (struct part *part; (part = take_part(b));) {
        size_t first = (size_t)part->first;
        environments_step(part->environments, arrays->actions + first, b->observations == b->current,
                          b->observations + first * b->numbers, arrays->rewards + first, b->ends + first,
                          arrays->finals ? arrays->finals + first * b->numbers : NULL);
        write_masks(b, part);
        part->ended = divide_ends(b, part);
    }
}

int soloist_boards_step_into(soloist_boards *b, uint8_t *observations) {
    if (!b || !observations || !b->began || !b->arrays.observations)
        return -1;
    b->observations = observations;
    for_each_part(b, step_parts);
    b->current = observations;
    int ended = 0;
    for (int i = 0; i < b->part_count; i++)
        ended += b->parts[i].ended;
    return ended;
}

int soloist_boards_step(soloist_boards *b) { return b ? soloist_boards_step_into(b, b->arrays.observations) : -1; }

int soloist_boards_slot(const soloist_boards *b, int board) {
    if (!b || !b->began || board < 0 || board >= b->plan.boards)
        return -1;
    const struct part *part = part_of(b, board);
    return environments_slot(part->environments, board - part->first);
}

soloist_code soloist_boards_print(const soloist_boards *b, int board, const soloist_sink *sink) {
    if (!b || !b->began || board < 0 || board >= b->plan.boards || !sink)
        return SOLOIST_MISUSE;
    const struct part *part = part_of(b, board);
    environments_print(part->environments, board - part->first, sink);
    return SOLOIST_OK;
}
