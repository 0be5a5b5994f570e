/* Algorithm 1 of Seify 2020. In each generation, games are played by tree search with the network of the previous
 * generation (in the first generation without a network). The positions of these games are shuffled and split, and a
 * new network learns until the validation loss has not fallen for some epochs. With a value head the same network is
 * instead trained further for a few epochs (section 6.1.3). */
#include "learn/train/training.h"

#include <math.h>
#include <string.h>
#include <time.h>

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL); }

static bool play_games(struct training *training, soloist_error *error) {
    const struct training_options *o = &training->options;
    bool first = training->generation == 1;
    int64_t simulations = first && o->jump_start ? o->jump_start : o->simulations;
    training->doing = first ? "jump-start" : "self-play";
    training->harvest.gathers = true;
    if (!first &&
        (!training_open_player(training, error) || !predictor_set(training->player, training->parameters, error)))
        return false;
    if (!training_start_makers(training, MAKE_BY_PLAYING, (uint64_t)o->runs, simulations, !first, error))
        return false;
    while (!makers_are_done(&training->makers) && !makers_have_failed(&training->makers) &&
           !training_is_over(training)) {
        training_tick(training);
        nap();
    }
    return training_stop_makers(training, error);
}

static void count_step(void *user) {
    struct training *training = user;
    training->steps++;
    training_tick(training);
}

/* Trains for some epochs; a stopped training ends within an epoch. Afterwards training->parameters are those with the
 * lowest validation loss, or, if the number of epochs is fixed, the last ones. */
static bool learn(struct training *training, soloist_error *error) {
    const struct training_options *o = &training->options;
    double best = INFINITY, highest = training_highest(training);
    int bad = 0;
    training->doing = "learning";
    for (int64_t epoch = 0; (o->epochs ? epoch < o->epochs : bad < o->patience) && !training_is_over(training);
         epoch++) {
        struct net_losses losses, validation;
        uint64_t seed = training->wish->seed + training->generation * 1000 + (uint64_t)epoch;
        if (!trainer_epoch(training->trainer, training->training, seed, o->rate, highest, training->wish->stop,
                           count_step, training, &losses, error) ||
            !trainer_validate(training->trainer, training->validation, 0, highest, &validation, error))
            return false;
        training->sum = losses;
        training->summed = 1;
        bool better = validation.total < best;
        bad = better ? 0 : bad + 1;
        best = better ? validation.total : best;
        if ((better || o->epochs) && !trainer_get(training->trainer, training->parameters, error))
            return false;
    }
    return true;
}

/* Keeps as many of the newest positions as the option capacity_games allows (Seify 2020, section 5.2.3, limits the
 * positions instead). At least one position stays on each side: without one nothing could be learned or validated. */
static bool drop_old_games(struct training *training, soloist_error *error) {
    const struct training_options *o = &training->options;
    uint64_t games, positions;
    harvest_count(&training->harvest, &games, &positions);
    if (!o->capacity_games || !games)
        return true;
    size_t all = (size_t)((double)positions / (double)games * (double)o->capacity_games + 0.5);
    size_t share = all / (size_t)o->validation, apart = share ? share : 1, rest = all > apart ? all - apart : 1;
    return (samples_keep(training->training, rest) && samples_keep(training->validation, apart)) ||
           soloist_fail(error, 0, 0, "no memory for the positions of %lld games", (long long)o->capacity_games);
}

static bool begin_anew(struct training *training, soloist_error *error) {
    const struct training_wish *wish = training->wish;
    if (!training->options.from_scratch)
        return true;
    if (!net_initialise(wish->net, wish->seed + training->generation, training->parameters))
        return soloist_fail(error, 0, 0, "no memory for a network");
    return trainer_set(training->trainer, training->parameters, error);
}

/* Sets the trainer back to the best weights: the row's validation loss and the checkpoint belong to these. The
 * measurement may be long, so the checkpoint is written before it. */
static bool close_generation(struct training *training, soloist_error *error) {
    if (training->options.from_scratch && !trainer_set(training->trainer, training->parameters, error))
        return false;
    training->stopped = stop_token_is_stopped(training->wish->stop);
    if (!training_save(training, error))
        return false;
    if (training->stopped)
        training_keep(training);
    return training_report(training, error) && training_save_counters(training, error);
}

/* Writes the row that the curve lacks if the run was killed between the checkpoint of its last generation and the end
 * of that generation's measurement. The losses of its training are no longer known. */
static bool write_missing_row(struct training *training, soloist_error *error) {
    return training->rows >= training->generation ||
           (training_report(training, error) && training_save_counters(training, error));
}

bool training_generations(struct training *training, soloist_error *error) {
    soloist_rng rng;
    if (!write_missing_row(training, error))
        return false;
    while (training->generation < (uint64_t)training->options.generations && !training_is_over(training)) {
        training->generation++;
        if (!play_games(training, error))
            return false;
        if (training_is_over(training)) {
            training->generation--; /* the games of an unfinished generation are lost; a resumed run plays them again */
            break;
        }
        soloist_rng_seed(&rng, training->wish->seed, training->generation);
        harvest_split(&training->harvest, 1.0 / (double)training->options.validation, &rng);
        if (!drop_old_games(training, error) || !begin_anew(training, error) || !learn(training, error) ||
            !close_generation(training, error))
            return false;
    }
    return true;
}
