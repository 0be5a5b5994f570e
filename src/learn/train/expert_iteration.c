/* Expert iteration (Ge 2018, section 3.5). In each iteration the expert, a tree search that the newest network guides,
 * plays some puzzles. The newest `capacity` positions of all games are kept, and the network learns from these for a
 * fixed number of steps. Games are added in the order of their puzzles, so that the result does not depend on the
 * threads.
 *
 * training->generation counts the iterations whose games were played. A checkpoint may be made at any step. */
#include "learn/train/training.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); }

/* ---- the expert's games ---- */

/* The reward of a position from which the game went on at this cost. */
static double reward_of(const struct training *training, bool solved, int32_t cost) {
    double reward = 1 - training->options.step_value * cost;
    return solved && reward > 0 ? reward : 0;
}

static int compare_rewards(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of the rewards of all games, which the next iteration's games have to reach (ranked rewards). */
static double median_of(const struct training *training, const struct expert_game *games, size_t count, double *room) {
    size_t have = 0;
    for (size_t i = 0; i < count; i++)
        if (games[i].puzzle.instance)
            room[have++] = reward_of(training, games[i].solved, games[i].cost);
    qsort(room, have, sizeof *room, compare_rewards);
    return have ? room[have / 2] : 0;
}

static void set_values(struct training *training, struct expert_game *game) {
    size_t size = samples_record_size(training->training);
    double whole = reward_of(training, game->solved, game->cost);
    bool wins = game->solved && whole >= training->last_worth;
    for (size_t i = 0; i < game->count; i++) {
        double value = training->options.ranked_rewards ? wins : reward_of(training, game->solved, game->to_come[i]);
        samples_set_value(game->records + i * size, (float)value);
    }
}

static bool add_games(struct training *training, struct expert_game *games, size_t count, soloist_error *error) {
    double *room = malloc((count + 1) * sizeof *room);
    if (!room)
        return soloist_fail(error, 0, 0, "no memory for %zu games", count);
    training->tally = training->solved = 0;
    for (size_t i = 0; i < count; i++) {
        if (!games[i].puzzle.instance)
            continue;
        training->tally++;
        training->solved += games[i].solved;
        set_values(training, &games[i]);
        struct game line = {games[i].puzzle, games[i].moves, games[i].length, games[i].cost};
        harvest_add(&training->harvest, &line, games[i].records, games[i].count,
                    games[i].solved ? HARVEST_WRITE | HARVEST_SCORE : 0);
    }
    training->last_worth = median_of(training, games, count, room);
    free(room);
    return !training->harvest.failed || soloist_fail(error, 0, 0, "no memory for games");
}

static bool play(struct training *training, struct expert_game *games, soloist_error *error) {
    const struct training_options *o = &training->options;
    training->doing = "playing";
    training->expert_games = games;
    if (!training_take_weights(training, error) || !training_open_player(training, error) ||
        !predictor_set(training->player, training->parameters, error) ||
        !training_start_makers(training, MAKE_BY_EXPERT, (uint64_t)o->puzzles, 0, true, error))
        return false;
    while (!makers_are_done(&training->makers) && !training_is_over(training)) {
        training_tick(training);
        nap();
    }
    bool done = makers_are_done(&training->makers);
    uint64_t first = training->boards;
    if (!training_stop_makers(training, error))
        return false;
    if (!done) {
        training->boards = first; /* a resumed run plays the unfinished iteration again */
        return true;
    }
    training->boards = first + (uint64_t)o->puzzles;
    training->generation++;
    return add_games(training, games, (size_t)o->puzzles, error);
}

/* Plays the games of one iteration. If training is over before they have ended, they are lost. */
static bool play_games(struct training *training, soloist_error *error) {
    size_t count = (size_t)training->options.puzzles;
    struct expert_game *games = calloc(count, sizeof *games);
    if (!games)
        return soloist_fail(error, 0, 0, "no memory for %zu games", count);
    bool good = play(training, games, error);
    for (size_t i = 0; i < count; i++)
        expert_game_free(&games[i]);
    free(games);
    return good;
}

/* ---- learning ---- */

static uint64_t steps_wanted(const struct training *training) {
    return training->generation * (uint64_t)training->options.iteration_batches;
}

static bool learn_once(struct training *training, soloist_error *error) {
    struct net_batch batch = {0};
    struct net_losses losses;
    batches_next(training->batches, &batch);
    if (!trainer_step(training->trainer, &batch, trainer_rate(&training->options, training->steps, 0), 1, &losses,
                      error))
        return false;
    training->steps++;
    training_add_losses(training, &losses);
    return true;
}

/* Learns until this iteration's steps are made, or training is over. */
static bool learn(struct training *training, soloist_error *error) {
    struct batches_options how = trainer_batches(training->trainer, BATCHES_DRAWN, training->wish->seed);
    how.first = training->steps; /* so that a resumed run continues with the same batches */
    bool good = true;
    training->doing = "learning";
    if (!samples_count(training->training)) {
        training->steps = steps_wanted(training);
        return true;
    }
    training->batches = batches_open(training->training, &how, error);
    while (good && training->batches && training->steps < steps_wanted(training) && !training_is_over(training)) {
        training_tick(training);
        good = learn_once(training, error);
        if (good && training_save_is_due(training))
            good = training_take_weights(training, error) && training_save(training, error);
    }
    good = good && training->batches;
    batches_close(training->batches);
    training->batches = NULL;
    return good;
}

/* ---- the run ---- */

static bool is_finished(const struct training *training) {
    const struct training_options *o = &training->options;
    return training_is_over(training) || (o->iterations && training->history.iterations >= (uint64_t)o->iterations);
}

/* One iteration, or what is left of it after a checkpoint. */
static bool iterate(struct training *training, soloist_error *error) {
    if (training->history.iterations == training->generation && !play_games(training, error))
        return false;
    if (training->history.iterations == training->generation)
        return true; /* training is over */
    if (!learn(training, error))
        return false;
    if (training->steps < steps_wanted(training))
        return true;
    if (!training_take_weights(training, error) || !training_close_iteration(training, error))
        return false;
    return !training_save_is_due(training) || training_save(training, error);
}

bool training_expert_iteration(struct training *training, soloist_error *error) {
    training->expert.step_limit = training->options.step_limit;
    if (training->wish->resume && !training_open_stage(training, error))
        return false;
    bool good = true;
    while (good && !is_finished(training))
        good = iterate(training, error);
    return good && training_take_weights(training, error);
}
