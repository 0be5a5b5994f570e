/* A worker: the data of one thread. All its memory counts towards the run's memory limit. */
#include "search/nested/nested.h"

/* The number of levels with a policy: the levels of NRPA or of its refinement. Searches without policies have one
 * level, whose policy stays empty. */
static size_t level_count(const struct nested *nested) {
    const struct nested_options *options = nested->options;
    if (options->search != NESTED_NRPA)
        return 1;
    return (size_t)(options->level > options->refine_level ? options->level : options->refine_level) + 1;
}

static size_t beam_size(const struct nested *nested) {
    const struct nested_options *options = nested->options;
    return options->search == NESTED_NRPA && options->beam > 1 ? 2 * (size_t)options->beam : 0;
}

static size_t game_count(const struct nested *nested) {
    return nested->options->search == NESTED_NRPA ? 0 : (size_t)nested->options->level + 1;
}

static struct nested_level *levels_open(struct memory *memory, size_t count) {
    struct nested_level *levels = memory_take(memory, count * sizeof *levels);
    for (size_t i = 0; levels && i < count; i++) {
        nested_policy_open(&levels[i].policy, memory);
        nested_line_open(&levels[i].best, memory);
    }
    return levels;
}

static void levels_close(struct memory *memory, struct nested_level *levels, size_t count) {
    for (size_t i = 0; levels && i < count; i++) {
        nested_policy_close(&levels[i].policy);
        nested_line_close(&levels[i].best);
    }
    memory_give(memory, levels, count * sizeof *levels);
}

static bool games_open(struct nested_worker *worker) {
    const struct nested *nested = worker->nested;
    struct memory *memory = &nested->run->budget->memory;
    size_t count = game_count(nested), length = (size_t)nested->length;
    bool trees = nested->options->search == NESTED_NMCTS, good = true;
    worker->games = memory_take(memory, count * sizeof *worker->games);
    for (size_t i = 0; worker->games && good && i < count; i++) {
        struct nested_game *game = &worker->games[i];
        game->walk = memory_take(memory, worker->walk_size);
        game->root = memory_take(memory, worker->walk_size);
        game->moves = memory_take(memory, length * sizeof *game->moves);
        good = game->walk && game->root && game->moves &&
               (!trees || nested_tree_open(game, memory, (size_t)nested->options->n, length));
    }
    return worker->games && good;
}

static void games_close(struct nested_worker *worker) {
    const struct nested *nested = worker->nested;
    struct memory *memory = &nested->run->budget->memory;
    size_t count = game_count(nested), length = (size_t)nested->length;
    for (size_t i = 0; worker->games && i < count; i++) {
        struct nested_game *game = &worker->games[i];
        nested_tree_close(game, memory, (size_t)nested->options->n, length);
        memory_give(memory, game->moves, length * sizeof *game->moves);
        memory_give(memory, game->root, worker->walk_size);
        memory_give(memory, game->walk, worker->walk_size);
    }
    memory_give(memory, worker->games, count * sizeof *worker->games);
}

bool nested_worker_open(struct nested_worker *worker, struct nested *nested, int number) {
    struct memory *memory = &nested->run->budget->memory;
    const soloist_shape *shape = &nested->run->shape;
    size_t length = (size_t)nested->length, most = (size_t)shape->most_moves;
    *worker = (struct nested_worker){.nested = nested, .number = number, .main = number == 0};
    worker->start_s = budget_elapsed(nested->run->budget);
    nested_line_open(&worker->line, memory);
    nested_adapt_open(&worker->adapt, memory);
    worker->walk_size = nested_walk_size(nested);
    worker->start = memory_take(memory, worker->walk_size);
    worker->walk = memory_take(memory, worker->walk_size);
    worker->prefix = memory_take(memory, length * sizeof *worker->prefix);
    worker->elite = memory_take(memory, length * sizeof *worker->elite);
    worker->state = memory_take(memory, shape->state_size);
    worker->children = memory_take(memory, most * sizeof *worker->children);
    worker->weights = memory_take(memory, (most + 8) * sizeof *worker->weights);
    worker->levels = levels_open(memory, level_count(nested));
    worker->beam = levels_open(memory, beam_size(nested));
    bool biased = nested->options->network_bias > 0 && nested->options->search == NESTED_NRPA;
    if (biased)
        worker->bias = nested_bias_open(nested->run, nested->options->network_bias, (int)nested->options->bias_depth,
                                        (size_t)nested->options->bias_states);
    return (worker->bias || !biased) && worker->start && worker->walk && worker->prefix && worker->elite &&
           worker->state && worker->children && worker->weights && worker->levels && worker->beam &&
           games_open(worker) && nested_policy_reserve(&worker->levels[0].policy, 1);
}

void nested_worker_close(struct nested_worker *worker) {
    struct nested *nested = worker->nested;
    struct memory *memory = &nested->run->budget->memory;
    const soloist_shape *shape = &nested->run->shape;
    size_t length = (size_t)nested->length, most = (size_t)shape->most_moves;
    nested_anneal_close(worker);
    nested_bias_close(worker->bias);
    games_close(worker);
    levels_close(memory, worker->beam, beam_size(nested));
    levels_close(memory, worker->levels, level_count(nested));
    memory_give(memory, worker->weights, (most + 8) * sizeof *worker->weights);
    memory_give(memory, worker->children, most * sizeof *worker->children);
    memory_give(memory, worker->state, shape->state_size);
    memory_give(memory, worker->elite, length * sizeof *worker->elite);
    memory_give(memory, worker->prefix, length * sizeof *worker->prefix);
    memory_give(memory, worker->walk, worker->walk_size);
    memory_give(memory, worker->start, worker->walk_size);
    nested_adapt_close(&worker->adapt);
    nested_line_close(&worker->line);
}
