/* Imitation in a least-cost domain (Ge 2018, section 3.4): a method solves each puzzle with several seeds. The network
 * learns from some positions of each solution: the move that follows, and the cost still to come. The method may search
 * in a domain with larger moves, such as the pushes of Sokoban; a solution's text is then read as moves of the
 * learner's domain. */
#include "learn/train/tutor.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { flush_records = 256, flush_bytes = 65536 }; /* what a thread collects before it takes the harvest's lock */

static const struct maker_plan *plan_of(const struct tutor *tutor) { return &tutor->makers->plan; }
static struct samples *samples_of(const struct tutor *tutor) { return plan_of(tutor)->harvest->training; }
static bool out_of_memory(struct tutor *tutor) { return soloist_fail(&tutor->error, 0, 0, "no memory for a game"); }

/* ---- collecting ---- */

static void open_tutor(struct tutor *tutor, struct makers *makers) {
    *tutor = (struct tutor){.makers = makers};
    buffer_open(&tutor->lines);
}

static void flush(struct tutor *tutor) {
    struct tutor_side *sides = tutor->sides;
    struct harvest_part records[2] = {{sides[0].records, sides[0].count}, {sides[1].records, sides[1].count}};
    harvest_lessons(plan_of(tutor)->harvest, records, &tutor->tally, &tutor->lines);
    sides[0].count = sides[1].count = 0;
    tutor->tally = (struct harvest_tally){0};
    tutor->lines.length = 0;
}

/* Gives the remaining records to the harvest and frees everything. */
static void close_tutor(struct tutor *tutor) {
    flush(tutor);
    buffer_close(&tutor->lines);
    free(tutor->sides[0].records);
    free(tutor->sides[1].records);
}

/* Room for `count` more records of one side; NULL with an error. */
static unsigned char *reserve(struct tutor *tutor, bool apart, size_t count) {
    struct tutor_side *side = &tutor->sides[apart];
    size_t size = samples_record_size(samples_of(tutor));
    if (side->count + count > side->room) {
        size_t room = 2 * (side->count + count);
        unsigned char *grown = realloc(side->records, room * size);
        if (!grown)
            return out_of_memory(tutor), NULL;
        side->records = grown;
        side->room = room;
    }
    return side->records + side->count * size;
}

bool tutor_next(struct tutor *tutor, soloist_puzzle *puzzle, uint64_t *number) {
    uint64_t skipped;
    bool taken = makers_next(tutor->makers, puzzle, number, &skipped);
    tutor->tally.boards += skipped;
    return taken;
}

static void drop_since(struct tutor *tutor, const struct tutor *before) {
    tutor->sides[0].count = before->sides[0].count;
    tutor->sides[1].count = before->sides[1].count;
    tutor->lines.length = before->lines.length;
    tutor->tally = before->tally;
}

/* The token is read only once: a puzzle whose records are kept is also counted, whenever the stop comes. */
bool tutor_finish(struct tutor *tutor, const struct tutor *before, bool good) {
    if (!good || stop_token_is_stopped(&tutor->makers->stop)) {
        drop_since(tutor, before);
        return good;
    }
    tutor->tally.boards++;
    if (tutor->sides[0].count + tutor->sides[1].count >= flush_records || tutor->lines.length >= flush_bytes)
        flush(tutor);
    return true;
}

bool tutor_position_add(struct tutor *tutor, const soloist_puzzle *puzzle, const void *state, float value,
                        const struct sample_target *targets, int count, bool apart) {
    unsigned char *record = reserve(tutor, apart, 1);
    if (!record)
        return false;
    if (!samples_write(samples_of(tutor), record, puzzle->instance, state, value, targets, count))
        return out_of_memory(tutor);
    tutor->sides[apart].count++;
    return true;
}

bool tutor_lost(struct tutor *tutor, const soloist_puzzle *puzzle, bool even, bool apart) {
    soloist_shape shape = {0};
    puzzle->domain->life->shape(puzzle->instance, &shape);
    size_t most = (size_t)shape.most_moves + 1;
    void *state = malloc(shape.state_size);
    soloist_move *moves = malloc(most * sizeof *moves);
    struct sample_target *targets = malloc(most * sizeof *targets);
    bool good = state && moves && targets;
    if (!good)
        out_of_memory(tutor);
    if (good) {
        puzzle->domain->life->root(puzzle->instance, state);
        int count = even ? puzzle->domain->core->moves(puzzle->instance, state, moves) : 0;
        for (int i = 0; i < count; i++)
            targets[i] = (struct sample_target){moves[i], 1};
        good = tutor_position_add(tutor, puzzle, state, 0, targets, count, apart);
    }
    free(state);
    free(moves);
    free(targets);
    return good;
}

size_t tutor_choose(struct tutor *tutor, size_t count, bool first, bool *chosen) {
    size_t pairs = (size_t)plan_of(tutor)->pairs, wanted = pairs && pairs < count ? pairs : count, left = wanted;
    for (size_t i = 0; i < count; i++) {
        bool take = (first && i == 0) || soloist_rng_below(&tutor->rng, (uint32_t)(count - i)) < left;
        chosen[i] = take && left;
        left -= chosen[i];
    }
    return wanted;
}

/* A position that is solved already has no moves to learn from. */
static bool add_samples(struct tutor *tutor, const struct game *game, bool apart, bool first) {
    if (!game->count)
        return true;
    bool *chosen = malloc(game->count + 1);
    if (!chosen)
        return out_of_memory(tutor);
    size_t wanted = tutor_choose(tutor, game->count, first, chosen);
    unsigned char *records = reserve(tutor, apart, wanted);
    bool good = records && game_samples(samples_of(tutor), game, &plan_of(tutor)->returns, chosen, records);
    if (records && !good)
        out_of_memory(tutor);
    free(chosen);
    if (good)
        tutor->sides[apart].count += wanted;
    return good;
}

/* ---- positions in two domains ---- */

static bool same_text(const char *a, const char *b) { return !strcmp(a ? a : "", b ? b : ""); }

bool tutor_position_open(struct tutor *tutor, soloist_puzzle *learner, bool apart, struct tutor_position *position) {
    const struct maker_plan *plan = plan_of(tutor);
    *position = (struct tutor_position){.learner = *learner, .teacher = *learner, .apart = apart};
    position->shared = plan->teacher == learner->domain && same_text(plan->teacher_options, plan->source->options);
    if (position->shared || soloist_puzzle_read(plan->teacher, plan->teacher_options, &learner->chunk,
                                                &position->teacher, &tutor->error) == SOLOIST_OK)
        return true;
    soloist_puzzle_free(learner);
    return false;
}

void tutor_position_close(struct tutor_position *position) {
    if (!position->shared)
        soloist_puzzle_free(&position->teacher);
    soloist_puzzle_free(&position->learner);
}

/* The solution's moves in the learner's domain; they belong to *game. */
static bool read_moves(struct tutor *tutor, const struct tutor_position *position, const soloist_result *result,
                       struct game *game) {
    const soloist_text *text = position->learner.domain->text;
    const soloist_instance *instance = position->learner.instance;
    size_t length = strlen(result->solution);
    long count = position->shared ? (long)result->move_count
                                  : text->read(instance, result->solution, length, NULL, 0, &tutor->error);
    game->moves = count < 0 ? NULL : malloc(((size_t)count + 1) * sizeof *game->moves);
    if (!game->moves)
        return count < 0 ? false : out_of_memory(tutor);
    game->count = (size_t)count;
    if (!position->shared)
        return text->read(instance, result->solution, length, game->moves, game->count, &tutor->error) == count;
    for (size_t i = 0; i < game->count; i++)
        game->moves[i] = result->moves[i];
    return true;
}

/* The cost of the moves in the learner's domain. */
static bool count_cost(struct tutor *tutor, struct game *game) {
    const soloist_puzzle *puzzle = &game->puzzle;
    soloist_shape shape = {0};
    puzzle->domain->life->shape(puzzle->instance, &shape);
    void *state = malloc(shape.state_size);
    if (!state)
        return out_of_memory(tutor);
    puzzle->domain->life->root(puzzle->instance, state);
    for (size_t i = 0; i < game->count; i++)
        game->score += puzzle->domain->core->apply(puzzle->instance, state, game->moves[i], NULL);
    free(state);
    return true;
}

/* Reads a solution into *game, whose moves the caller frees, and counts it. */
static bool take_solution(struct tutor *tutor, const struct tutor_position *position, const soloist_result *result,
                          bool whole, struct game *game) {
    soloist_sink sink = buffer_sink(&tutor->lines);
    *game = (struct game){.puzzle = position->learner};
    if (!read_moves(tutor, position, result, game) || !count_cost(tutor, game))
        return false;
    double cost = game->score;
    tutor->tally.games++;
    tutor->tally.scored += whole;
    tutor->tally.sum += whole ? cost : 0;
    tutor->tally.squares += whole ? cost * cost : 0;
    if (plan_of(tutor)->write_games)
        game_write(&game->puzzle, game->moves, game->count, game->score, &sink);
    return !tutor->lines.failed || out_of_memory(tutor);
}

/* Solves a position. If there is a solution, it is in *game, whose moves the caller frees; a position without one is
 * added with the value 0. False with an error. */
static bool solve(struct tutor *tutor, const struct tutor_position *position, uint64_t seed, bool whole,
                  struct game *game) {
    const struct maker_plan *plan = plan_of(tutor);
    soloist_limits limits = makers_limits(tutor->makers, seed);
    soloist_result result = {0};
    *game = (struct game){0};
    if (soloist_solve(plan->engine, &position->teacher, plan->method, &limits, NULL, &result, &tutor->error) !=
        SOLOIST_OK)
        return false;
    tutor->status = result.status;
    bool good = true, stopped = stop_token_is_stopped(&tutor->makers->stop);
    if (result.status == SOLOIST_SOLVED && result.solution && !stopped)
        good = take_solution(tutor, position, &result, whole, game);
    else if (result.status == SOLOIST_IMPOSSIBLE && !stopped)
        good = tutor_lost(tutor, &position->learner, false, position->apart);
    soloist_result_free(&result);
    return good;
}

bool tutor_solution(struct tutor *tutor, const struct tutor_position *position, uint64_t seed, bool first, bool whole) {
    struct game game;
    bool good = solve(tutor, position, seed, whole, &game) &&
                (!game.moves || add_samples(tutor, &game, position->apart, first));
    free(game.moves);
    return good;
}

/* ---- puzzles ---- */

static bool teach_together(struct tutor *tutor, const struct tutor_position *position, uint64_t seed) {
    int seeds = plan_of(tutor)->seeds, count = 0;
    struct game *games = calloc((size_t)seeds, sizeof *games);
    bool good = games || out_of_memory(tutor);
    for (int i = 0; good && i < seeds && !stop_token_is_stopped(&tutor->makers->stop); i++) {
        good = solve(tutor, position, seed + (uint64_t)i, true, &games[count]);
        count += games[count].moves != NULL;
    }
    good = good && tutor_merge(tutor, position, games, count);
    for (int i = 0; games && i < seeds; i++)
        free(games[i].moves);
    free(games);
    return good;
}

static bool teach_apart(struct tutor *tutor, const struct tutor_position *position, uint64_t seed) {
    bool good = true;
    for (int i = 0; good && i < plan_of(tutor)->seeds && !stop_token_is_stopped(&tutor->makers->stop); i++)
        good = tutor_solution(tutor, position, seed + (uint64_t)i, false, true);
    return good;
}

bool tutor_puzzle(struct tutor *tutor, soloist_puzzle *puzzle, uint64_t number) {
    const struct maker_plan *plan = plan_of(tutor);
    struct tutor_position position;
    bool apart = harvest_is_apart(plan->harvest, game_hash(puzzle));
    if (!tutor_position_open(tutor, puzzle, apart, &position))
        return false;
    bool good = (plan->merge ? teach_together : teach_apart)(tutor, &position, number * (uint64_t)plan->seeds);
    if (good && plan->dead_share > 0 && soloist_rng_unit(&tutor->rng) < plan->dead_share)
        good = tutor_dead(tutor, &position);
    tutor_position_close(&position);
    return good;
}

static bool tutor_all(struct tutor *tutor) {
    soloist_puzzle puzzle;
    uint64_t number;
    while (tutor_next(tutor, &puzzle, &number)) {
        const struct tutor before = *tutor;
        soloist_rng_seed(&tutor->rng, plan_of(tutor)->source->seed + 1, number);
        if (!tutor_finish(tutor, &before, tutor_puzzle(tutor, &puzzle, number)))
            return false;
    }
    return true;
}

void make_by_teaching(struct makers *makers) {
    struct tutor tutor;
    open_tutor(&tutor, makers);
    if (!(makers->plan.evaluator && makers->plan.dagger_share > 0 ? tutor_with_dagger : tutor_all)(&tutor))
        makers_fail(makers, &tutor.error);
    close_tutor(&tutor);
}
