/* Games of expert iteration (Ge 2018, section 3.5). Each thread plays many games at once with the tree search of
 * exit_tree.h, so that the network evaluates states of all of them in one batch. Or the expert is a method of the
 * engine, which solves one instance after the other (section 5.1). Of each game, some positions are kept with the
 * visits of their moves; the positions of a game that was not solved have no policy target. */
#include "learn/train/makers.h"
#include "search/policy/exit_tree.h"

#include <stdlib.h>
#include <string.h>

void expert_game_free(struct expert_game *game) {
    if (game->puzzle.instance)
        soloist_puzzle_free(&game->puzzle);
    free(game->moves);
    free(game->records);
    free(game->to_come);
    *game = (struct expert_game){0};
}

/* One game in progress. */
struct seat {
    soloist_puzzle puzzle;
    uint64_t number;
    bool taken, opened;
    int asked; /* states that wait for the network */
    struct exit_tree tree;
    struct sample_target *targets; /* of all positions, one after the other */
    size_t *first;                 /* where the targets of each position begin; one more than there are positions */
    int32_t *costs;                /* of the moves before each position */
    size_t positions, room, target_count, target_room;
};

struct players {
    struct makers *makers;
    struct memory memory;
    struct seat *seats;
    struct evaluation *questions;
    soloist_error error;
};

static bool out_of_memory(struct players *players) {
    return soloist_fail(&players->error, 0, 0, "no memory for a game");
}

/* ---- records ---- */

/* Chooses `wanted` of `count` numbers, all equally likely, in rising order. */
static void choose(size_t *chosen, size_t wanted, size_t count, soloist_rng *rng) {
    size_t have = 0;
    for (size_t i = 0; have < wanted; i++)
        if (soloist_rng_below(rng, (uint64_t)(count - i)) < wanted - have)
            chosen[have++] = i;
}

/* What is needed to write a game's records; state(source, i) is the state of position i. */
struct positions {
    const soloist_puzzle *puzzle;
    const void *(*state)(void *source, size_t position);
    void *source;
    const struct sample_target *targets;
    const size_t *first;
    const int32_t *costs;
    size_t count;
};

/* Writes some of the positions as records of the game. */
static bool write_records(struct players *players, const struct positions *positions, uint64_t number,
                          struct expert_game *game) {
    const struct maker_plan *plan = &players->makers->plan;
    const struct samples *samples = plan->harvest->training;
    size_t size = samples_record_size(samples);
    size_t count = positions->count < plan->puzzle_samples ? positions->count : plan->puzzle_samples;
    size_t *chosen = malloc((count + 1) * sizeof *chosen);
    soloist_rng rng;
    game->records = malloc(count * size + 1);
    game->to_come = malloc(count * sizeof *game->to_come + 1);
    game->count = count;
    bool good = chosen && game->records && game->to_come;
    soloist_rng_seed(&rng, plan->source->seed + 4, number);
    if (good)
        choose(chosen, count, positions->count, &rng);
    for (size_t i = 0; good && i < count; i++) {
        size_t at = chosen[i], first = positions->first[at];
        int targets = game->solved ? (int)(positions->first[at + 1] - first) : 0;
        game->to_come[i] = game->cost - positions->costs[at];
        good = samples_write(samples, game->records + i * size, positions->puzzle->instance,
                             positions->state(positions->source, at), 0, positions->targets + first, targets);
    }
    free(chosen);
    return good || out_of_memory(players);
}

/* ---- games by tree search ---- */

static bool reserve_position(struct players *players, struct seat *seat, size_t targets) {
    if (seat->positions + 2 > seat->room) {
        size_t room = 2 * seat->room + 128;
        size_t *first = realloc(seat->first, room * sizeof *first);
        seat->first = first ? first : seat->first;
        int32_t *costs = realloc(seat->costs, room * sizeof *costs);
        seat->costs = costs ? costs : seat->costs;
        if (!first || !costs)
            return out_of_memory(players);
        seat->room = room;
    }
    if (seat->target_count + targets > seat->target_room) {
        size_t room = 2 * (seat->target_count + targets) + 256;
        struct sample_target *grown = realloc(seat->targets, room * sizeof *grown);
        if (!grown)
            return out_of_memory(players);
        seat->targets = grown;
        seat->target_room = room;
    }
    return true;
}

/* Notes the visits of the root's moves. */
static bool note_position(struct players *players, struct seat *seat) {
    const struct exit_store *store = &seat->tree.store;
    const struct exit_node *root = &store->nodes[0];
    if (!reserve_position(players, seat, root->count))
        return false;
    seat->first[seat->positions] = seat->target_count;
    seat->costs[seat->positions++] = seat->tree.game.value;
    for (uint32_t i = 0; i < root->count; i++)
        seat->targets[seat->target_count++] =
            (struct sample_target){store->moves[root->first + i], (float)store->edges[root->first + i].visits};
    seat->first[seat->positions] = seat->target_count;
    return true;
}

static const void *played_state(void *source, size_t position) {
    const struct exit_tree *tree = source;
    return tree->played + position * tree->shape.state_size;
}

static bool finish_game(struct players *players, struct seat *seat) {
    const struct maker_plan *plan = &players->makers->plan;
    struct expert_game *game = &plan->expert_games[seat->number - plan->first];
    const struct search_line *line = &seat->tree.game;
    struct positions positions = {&seat->puzzle, played_state, &seat->tree, seat->targets,
                                  seat->first,   seat->costs,  line->count};
    game->puzzle = seat->puzzle;
    seat->puzzle = (soloist_puzzle){0};
    seat->taken = false;
    positions.puzzle = &game->puzzle;
    game->solved = exit_tree_is_solved(&seat->tree);
    game->length = line->count;
    game->cost = line->value;
    game->moves = malloc(line->count * sizeof *game->moves + 1);
    if (!game->moves)
        return out_of_memory(players);
    if (line->count)
        memcpy(game->moves, line->moves, line->count * sizeof *game->moves);
    return write_records(players, &positions, seat->number, game);
}

/* Begins a new game. False without an error: there are no more. */
static bool take_seat(struct players *players, struct seat *seat) {
    const struct maker_plan *plan = &players->makers->plan;
    if (!makers_next(players->makers, &seat->puzzle, &seat->number, NULL)) {
        seat->puzzle = (soloist_puzzle){0};
        return false;
    }
    uint64_t seed = plan->source->seed + seat->number;
    seat->taken = seat->opened ? exit_tree_restart(&seat->tree, seat->puzzle.instance, seed)
                               : exit_tree_open(&seat->tree, seat->puzzle.domain, seat->puzzle.instance, plan->expert,
                                                &players->memory, seed);
    seat->opened = true;
    seat->positions = seat->target_count = 0;
    return seat->taken || out_of_memory(players);
}

/* Lets the game go on until it needs the network or there are no more games. False with an error. */
static bool run_seat(struct players *players, struct seat *seat) {
    while (seat->taken && !stop_token_is_stopped(&players->makers->stop)) {
        seat->asked = exit_tree_gather(&seat->tree, UINT64_MAX);
        if (seat->asked > 0)
            return true;
        if (seat->asked < 0)
            return out_of_memory(players);
        bool over = exit_tree_is_over(&seat->tree);
        soloist_move move = over ? SOLOIST_NO_MOVE : exit_tree_choose(&seat->tree);
        if (move == SOLOIST_NO_MOVE) {
            if (!finish_game(players, seat) || (!take_seat(players, seat) && *players->error.text))
                return false;
            continue;
        }
        if (!note_position(players, seat))
            return false;
        if (!exit_tree_advance(&seat->tree, move))
            return out_of_memory(players);
    }
    seat->asked = 0;
    return true;
}

/* Lets the network evaluate what all games ask about, and gives each game its answers. */
static bool judge(struct players *players) {
    int seats = players->makers->plan.parallel_games, count = 0;
    for (int i = 0; i < seats; i++)
        for (int k = 0; k < players->seats[i].asked; k++)
            exit_tree_question(&players->seats[i].tree, k, &players->questions[count++]);
    if (count && !makers_ask(players->makers, players->questions, count, &players->error))
        return false;
    const struct evaluation *answer = players->questions;
    for (int i = 0; i < seats; i++) {
        for (int k = 0; k < players->seats[i].asked; k++)
            exit_tree_answer(&players->seats[i].tree, k, answer++->value);
        if (players->seats[i].asked)
            exit_tree_update(&players->seats[i].tree);
    }
    return true;
}

static bool play_round(struct players *players, bool *going) {
    *going = false;
    for (int i = 0; i < players->makers->plan.parallel_games; i++) {
        struct seat *seat = &players->seats[i];
        seat->asked = 0;
        if (!run_seat(players, seat))
            return false;
        *going |= seat->asked > 0;
    }
    return !*going || stop_token_is_stopped(&players->makers->stop) || judge(players);
}

static bool open_seats(struct players *players) {
    const struct maker_plan *plan = &players->makers->plan;
    size_t seats = (size_t)plan->parallel_games;
    memory_open(&players->memory, 0);
    players->seats = calloc(seats, sizeof *players->seats);
    players->questions = calloc(seats * (size_t)plan->expert->delay, sizeof *players->questions);
    if (!players->seats || !players->questions)
        return out_of_memory(players);
    for (size_t i = 0; i < seats; i++)
        if (!take_seat(players, &players->seats[i]) && *players->error.text)
            return false;
    return true;
}

static void close_seats(struct players *players) {
    for (int i = 0; players->seats && i < players->makers->plan.parallel_games; i++) {
        struct seat *seat = &players->seats[i];
        if (seat->opened)
            exit_tree_close(&seat->tree);
        if (seat->puzzle.instance)
            soloist_puzzle_free(&seat->puzzle);
        free(seat->targets);
        free(seat->first);
        free(seat->costs);
    }
    free(players->seats);
    free(players->questions);
}

static bool play_games(struct players *players) {
    bool good = open_seats(players), going = true;
    while (good && going && !stop_token_is_stopped(&players->makers->stop))
        good = play_round(players, &going);
    close_seats(players);
    return good;
}

/* ---- games by a method ---- */

/* The states along a solution, which are made one after the other. */
struct walk {
    const struct expert_game *game;
    unsigned char *state;
    size_t position;
};

static const void *walk_state(void *source, size_t position) {
    struct walk *walk = source;
    const soloist_puzzle *puzzle = &walk->game->puzzle;
    for (; walk->position < position; walk->position++)
        puzzle->domain->core->apply(puzzle->instance, walk->state, walk->game->moves[walk->position], NULL);
    return walk->state;
}

/* Each position's target is the move that was played. */
static bool write_solution(struct players *players, uint64_t number, struct expert_game *game) {
    const soloist_puzzle *puzzle = &game->puzzle;
    soloist_shape shape = {0};
    puzzle->domain->life->shape(puzzle->instance, &shape);
    struct walk walk = {game, malloc(shape.state_size), 0};
    struct sample_target *targets = malloc(game->length * sizeof *targets + 1);
    size_t *first = malloc((game->length + 1) * sizeof *first);
    int32_t *costs = malloc((game->length + 1) * sizeof *costs);
    bool good = walk.state && targets && first && costs;
    if (good)
        puzzle->domain->life->root(puzzle->instance, walk.state);
    for (size_t i = 0; good && i < game->length; i++) {
        costs[i] = game->cost;
        targets[i] = (struct sample_target){game->moves[i], 1};
        first[i] = i;
        game->cost += puzzle->domain->core->apply(puzzle->instance, walk.state, game->moves[i], NULL);
    }
    if (good) {
        first[game->length] = game->length;
        puzzle->domain->life->root(puzzle->instance, walk.state);
        struct positions positions = {puzzle, walk_state, &walk, targets, first, costs, game->length};
        good = write_records(players, &positions, number, game);
    }
    free(walk.state);
    free(targets);
    free(first);
    free(costs);
    return good || *players->error.text || out_of_memory(players);
}

static bool solve_game(struct players *players, uint64_t number, struct expert_game *game) {
    const struct maker_plan *plan = &players->makers->plan;
    soloist_limits limits = makers_limits(players->makers, number);
    soloist_result result = {0};
    if (soloist_solve(plan->engine, &game->puzzle, plan->method, &limits, NULL, &result, &players->error) != SOLOIST_OK)
        return false;
    game->solved = result.status == SOLOIST_SOLVED;
    game->length = game->solved ? result.move_count : 0;
    game->moves = malloc(game->length * sizeof *game->moves + 1);
    if (game->moves && game->length)
        memcpy(game->moves, result.moves, game->length * sizeof *game->moves);
    soloist_result_free(&result);
    return game->moves ? write_solution(players, number, game) : out_of_memory(players);
}

static bool solve_games(struct players *players) {
    const struct maker_plan *plan = &players->makers->plan;
    soloist_puzzle puzzle;
    uint64_t number;
    bool good = true;
    while (good && makers_next(players->makers, &puzzle, &number, NULL)) {
        plan->expert_games[number - plan->first].puzzle = puzzle;
        good = solve_game(players, number, &plan->expert_games[number - plan->first]);
    }
    return good;
}

void make_by_expert(struct makers *makers) {
    struct players players = {.makers = makers};
    if (!(makers->plan.method ? solve_games(&players) : play_games(&players)))
        makers_fail(makers, &players.error);
}
