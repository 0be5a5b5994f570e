/* The method exit-mcts: plays games with the tree search of expert iteration (exit_tree.h) until one is solved. */
#include "search/policy/exit_tree.h"

#include <stdlib.h>

/* A run of the method. */
struct player {
    struct search_run *run;
    const struct exit_options *options;
    struct exit_tree tree;
    struct evaluation *questions; /* room for one batch */
    bool full;
    soloist_code code;
};

/* Evaluates the waiting states. False: the run must end. */
static bool judge(struct player *player, int count) {
    struct search_run *run = player->run;
    for (int i = 0; i < count; i++)
        exit_tree_question(&player->tree, i, &player->questions[i]);
    if (!search_evaluate_in_parts(run, player->questions, count)) {
        player->code = search_failed(run);
        return false;
    }
    for (int i = 0; i < count; i++)
        exit_tree_answer(&player->tree, i, player->questions[i].value);
    exit_tree_update(&player->tree);
    return true;
}

static void count_work(struct player *player, uint64_t *nodes, int64_t *rounds) {
    struct budget *budget = player->run->budget;
    budget_count_nodes(budget, player->tree.nodes - *nodes);
    atomic_fetch_add_explicit(&budget->iterations, (uint64_t)(player->tree.in_move - *rounds), memory_order_relaxed);
    *nodes = player->tree.nodes;
    *rounds = player->tree.in_move;
}

/* The number of rounds that the limits still allow. Each round adds at most one node. The caller has counted all
 * rounds, and all nodes but `added`. */
static uint64_t rounds_left(const struct player *player, uint64_t added) {
    const struct budget *budget = player->run->budget;
    const soloist_limits *limits = &budget->limits;
    uint64_t nodes = atomic_load(&budget->nodes) + added, iterations = atomic_load(&budget->iterations);
    uint64_t by_nodes = !limits->nodes ? UINT64_MAX : limits->nodes > nodes ? limits->nodes - nodes : 0;
    uint64_t by_iterations = !limits->iterations               ? UINT64_MAX
                             : limits->iterations > iterations ? limits->iterations - iterations
                                                               : 0;
    return by_nodes < by_iterations ? by_nodes : by_iterations;
}

/* The rounds before one move. False: the run must end. */
static bool grow(struct player *player, uint64_t *nodes) {
    int64_t rounds = 0;
    for (;;) {
        int waiting = exit_tree_gather(&player->tree, rounds_left(player, player->tree.nodes - *nodes));
        count_work(player, nodes, &rounds);
        player->full |= waiting < 0;
        if (waiting < 0 || search_spent(player->run))
            return false;
        if (!waiting)
            return true;
        if (!judge(player, waiting))
            return false;
    }
}

static void record_line(struct player *player) {
    struct search_line line = {0};
    if (player->options->lines && exit_tree_line(&player->tree, &line))
        search_record(player->run, line.moves, line.count, line.value);
    else if (exit_tree_is_solved(&player->tree))
        search_record(player->run, player->tree.game.moves, player->tree.game.count, player->tree.game.value);
    free(line.moves);
}

/* Plays one game. False: the run must end. */
static bool play_game(struct player *player) {
    struct exit_tree *tree = &player->tree;
    uint64_t nodes = 0;
    bool going = true;
    while (going && !exit_tree_is_over(tree)) {
        going = grow(player, &nodes);
        if (player->options->lines && tree->line_to != EXIT_NONE)
            break;
        soloist_move move = going ? exit_tree_choose(tree) : SOLOIST_NO_MOVE;
        if (move == SOLOIST_NO_MOVE)
            break;
        if (!exit_tree_advance(tree, move)) {
            player->full = true;
            return false;
        }
    }
    record_line(player);
    return going;
}

static void paint(const void *subject, struct search_picture *picture) {
    const struct player *player = subject;
    exit_tree_paint(player->run, &player->tree, picture);
}

static soloist_code run_games(struct player *player) {
    struct search_run *run = player->run;
    bool good =
        exit_tree_open(&player->tree, run->domain, run->instance, player->options, &run->budget->memory, run->seed);
    search_show(run, paint, player);
    for (int64_t game = 0; good && !run->found && (!player->options->games || game < player->options->games); game++) {
        if (game && !exit_tree_restart(&player->tree, run->instance, run->seed + (uint64_t)game))
            good = false;
        else if (!play_game(player) || player->options->final == EXIT_MOST_VISITS)
            break; /* if nothing is random, every further game would be the same */
    }
    search_hide(run);
    exit_tree_close(&player->tree);
    if (!good || player->full)
        search_full(run);
    return player->code;
}

static soloist_code run(struct search_run *run) {
    const struct exit_options *options = run->options;
    struct memory *memory = &run->budget->memory;
    struct player player = {.run = run, .options = options, .code = SOLOIST_OK};
    size_t size = (size_t)options->delay * sizeof *player.questions;
    if (!search_check_network(run, true, true))
        return SOLOIST_UNSUPPORTED;
    player.questions = memory_take(memory, size);
    if (!player.questions)
        return search_full(run);
    run->has_iterations = true;
    soloist_code code = run_games(&player);
    memory_give(memory, player.questions, size);
    if (!run->domain->learn->whole_states)
        run->evaluator->forget(run->evaluator);
    return code;
}

static enum search_network network(const void *options) {
    (void)options;
    return SEARCH_NETWORK_WITH_VALUES;
}

/* With final=visits nothing is random. */
static unsigned ignores(const void *options) {
    const struct exit_options *o = options;
    return SEARCH_IGNORES_THREADS | (o->final == EXIT_MOST_VISITS ? SEARCH_IGNORES_SEED : 0u);
}

const struct search_method search_exit_mcts = {
    .name = "exit-mcts",
    .summary = "plays move by move with the tree search of expert iteration (Ge 2018)",
    .options = exit_options_rows,
    .options_size = sizeof(struct exit_options),
    .needs =
        SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_GOAL | SEARCH_NEEDS_LEARN | SEARCH_NEEDS_LIMIT | SEARCH_NEEDS_NETWORK,
    .network = network,
    .ignores = ignores,
    .run = run,
};
