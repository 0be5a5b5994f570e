/* Games by self-play with tree search. Each thread plays many games at once, with one simulation in flight per game, so
 * that the network evaluates the leaves of all games in one batch. After a number of simulations a move is played, and
 * the position before it becomes a sample. */
#include "learn/train/makers.h"

#include <stdlib.h>
#include <string.h>

/* One game in progress. */
struct seat {
    soloist_puzzle puzzle;
    bool taken, asks;
    struct policy_tree tree;
    struct policy_simulation slot;
    int64_t simulations; /* number of simulations done so far for the next move */
    unsigned char *records;
    int32_t *so_far; /* the game's score before each move */
    size_t moves, room;
};

struct table {
    struct makers *makers;
    struct memory memory;
    struct seat *seats;
    struct policy_simulation **asking;
    struct evaluation *evaluations;
    struct sample_target *targets;
    int target_room;
    soloist_error error;
};

static const struct samples *samples_of(const struct table *table) { return table->makers->plan.harvest->training; }

/* ---- a move ---- */

static bool reserve_move(struct table *table, struct seat *seat) {
    if (seat->moves < seat->room)
        return true;
    size_t room = seat->room * 2 + 64;
    unsigned char *records = realloc(seat->records, room * samples_record_size(samples_of(table)));
    seat->records = records ? records : seat->records;
    int32_t *so_far = realloc(seat->so_far, room * sizeof *so_far);
    seat->so_far = so_far ? so_far : seat->so_far;
    if (!records || !so_far)
        return soloist_fail(&table->error, 0, 0, "no memory for a game");
    seat->room = room;
    return true;
}

/* The sample's policy target: the visit counts of all moves, or only the move played. */
static int list_targets(struct table *table, const struct seat *seat, soloist_move move) {
    int count;
    const struct policy_edge *edges = policy_tree_root(&seat->tree, &count);
    if (table->makers->plan.policy_target == MAKE_ACTION) {
        table->targets[0] = (struct sample_target){move, 1};
        return 1;
    }
    if (count > table->target_room) {
        struct sample_target *grown = realloc(table->targets, (size_t)count * sizeof *grown);
        if (!grown)
            return 0;
        table->targets = grown;
        table->target_room = count;
    }
    for (int i = 0; i < count; i++)
        table->targets[i] = (struct sample_target){edges[i].move, (float)edges[i].visits};
    return count;
}

static bool make_move(struct table *table, struct seat *seat) {
    struct policy_tree *tree = &seat->tree;
    soloist_move move = policy_tree_choose(tree);
    if (move == SOLOIST_NO_MOVE)
        return soloist_fail(&table->error, 0, 0, "the search tree has no move: probably out of memory");
    if (!reserve_move(table, seat))
        return false;
    double estimate = policy_tree_value(tree) - tree->root_value;
    int count = list_targets(table, seat, move);
    if (!samples_write(samples_of(table), seat->records + seat->moves * samples_record_size(samples_of(table)),
                       seat->puzzle.instance, tree->root_state, (float)estimate, table->targets, count))
        return soloist_fail(&table->error, 0, 0, "no memory for a game");
    seat->so_far[seat->moves++] = tree->root_value;
    seat->simulations = 0;
    return policy_tree_advance(tree, move) || soloist_fail(&table->error, 0, 0, "no memory for a game");
}

/* ---- a game ---- */

static void finish_game(struct table *table, struct seat *seat, int32_t score) {
    const struct maker_plan *plan = &table->makers->plan;
    size_t size = samples_record_size(samples_of(table));
    if (plan->value_target == MAKE_RETURN)
        for (size_t i = 0; i < seat->moves; i++)
            samples_set_value(seat->records + i * size, (float)(score - seat->so_far[i]));
    /* Targets of these kinds follow from the moves alone: the harvest makes the records itself and can reorder the
     * moves. */
    bool plain = plan->policy_target == MAKE_ACTION && plan->value_target == MAKE_RETURN;
    harvest_game(plan->harvest, &seat->puzzle, seat->tree.game.moves, seat->tree.game.count, score,
                 plain ? NULL : seat->records, HARVEST_WRITE | HARVEST_SCORE);
}

static void leave_seat(struct seat *seat) {
    if (seat->puzzle.instance)
        soloist_puzzle_free(&seat->puzzle);
    seat->puzzle = (soloist_puzzle){0};
    seat->taken = seat->asks = false;
}

/* Begins a new game. False without an error: there are no more games. */
static bool take_seat(struct table *table, struct seat *seat) {
    const struct maker_plan *plan = &table->makers->plan;
    soloist_puzzle puzzle;
    uint64_t number;
    if (!makers_next(table->makers, &puzzle, &number, NULL)) {
        leave_seat(seat);
        return false;
    }
    bool first = !seat->tree.domain;
    bool good = first ? policy_tree_open(&seat->tree, puzzle.domain, puzzle.instance, plan->search, plan->evaluator,
                                         &table->memory, number)
                      : policy_tree_restart(&seat->tree, puzzle.instance, number);
    leave_seat(seat);
    seat->puzzle = puzzle;
    seat->taken = good;
    seat->moves = 0;
    seat->simulations = 0;
    return good || soloist_fail(&table->error, 0, 0, "no memory for a game");
}

/* Runs simulations until one needs the network (seat->asks) or there are no more games. False with an error. */
static bool run_seat(struct table *table, struct seat *seat) {
    int64_t most = table->makers->plan.simulations;
    int32_t score;
    enum policy_step step = POLICY_DONE;
    if (seat->asks)
        step = policy_tree_go_on(&seat->tree, &seat->slot);
    seat->asks = false;
    while (seat->taken && !stop_token_is_stopped(&table->makers->stop)) {
        if (step == POLICY_ASKS) {
            seat->asks = true;
            return true;
        }
        bool moves = seat->simulations >= most || step == POLICY_OVER;
        if (moves && !policy_tree_ended(&seat->tree, &score) && !make_move(table, seat))
            return false;
        if (policy_tree_ended(&seat->tree, &score)) {
            finish_game(table, seat, score);
            if (!take_seat(table, seat))
                break;
        }
        seat->simulations++;
        step = policy_tree_begin(&seat->tree, &seat->slot);
    }
    return !*table->error.text;
}

/* ---- a thread ---- */

/* Lets the network evaluate the states of all games in one batch. */
static bool judge(struct table *table, int count) {
    for (int i = 0; i < count; i++)
        table->evaluations[i] = table->asking[i]->evaluation;
    if (!makers_ask(table->makers, table->evaluations, count, &table->error))
        return false;
    for (int i = 0; i < count; i++)
        table->asking[i]->evaluation.value = table->evaluations[i].value;
    return true;
}

/* One round: every game runs until it needs the network, which then evaluates the states of all games in one batch. */
static bool play_round(struct table *table, int *asked) {
    const struct maker_plan *plan = &table->makers->plan;
    *asked = 0;
    for (int i = 0; i < plan->parallel_games; i++) {
        struct seat *seat = &table->seats[i];
        if (!seat->taken)
            continue;
        if (!run_seat(table, seat))
            return false;
        if (seat->asks)
            table->asking[(*asked)++] = &seat->slot;
    }
    return !*asked || stop_token_is_stopped(&table->makers->stop) || judge(table, *asked);
}

static bool open_table(struct table *table) {
    size_t seats = (size_t)table->makers->plan.parallel_games;
    memory_open(&table->memory, 0);
    table->seats = calloc(seats, sizeof *table->seats);
    table->asking = calloc(seats, sizeof *table->asking);
    table->evaluations = calloc(seats, sizeof *table->evaluations);
    table->targets = malloc(64 * sizeof *table->targets);
    table->target_room = 64;
    if (!table->seats || !table->asking || !table->evaluations || !table->targets)
        return soloist_fail(&table->error, 0, 0, "no memory for games");
    for (size_t i = 0; i < seats; i++)
        policy_simulation_open(&table->seats[i].slot, &table->memory);
    for (size_t i = 0; i < seats; i++)
        if (!take_seat(table, &table->seats[i]) && *table->error.text)
            return false;
    return true;
}

static void close_table(struct table *table) {
    for (int i = 0; table->seats && i < table->makers->plan.parallel_games; i++) {
        struct seat *seat = &table->seats[i];
        if (seat->asks)
            policy_tree_abandon(&seat->tree, &seat->slot);
        if (seat->tree.domain)
            policy_tree_close(&seat->tree);
        policy_simulation_close(&seat->slot);
        leave_seat(seat);
        free(seat->records);
        free(seat->so_far);
    }
    free(table->seats);
    free(table->asking);
    free(table->evaluations);
    free(table->targets);
}

void make_by_playing(struct makers *makers) {
    struct table table = {.makers = makers};
    int asked = 1;
    bool good = open_table(&table);
    while (good && asked && !stop_token_is_stopped(&makers->stop))
        good = play_round(&table, &asked);
    if (!good)
        makers_fail(makers, &table.error);
    close_table(&table);
}
