/* Continuous training: a sampler that needs no network makes the first games, and self-play with the newest weights
 * makes the later ones. Meanwhile one network learns all the time from the newest positions. The trained network is the
 * running mean of its weights, which has the effect of a lower learning rate. */
#include "base/budget.h"
#include "learn/train/training.h"

#include <string.h>
#include <time.h>

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL); }

/* ---- who makes games ---- */

#define AGAIN 0.1 /* share of the training time that passes before self-play is tried again */

static bool solving_is_over(const struct training *training) {
    const struct training_options *o = &training->options;
    if (!o->self_play || (training->wish->method && !training->steps))
        return false;
    return !training->wish->method || training_done(training) >= training->next_trial ||
           (o->solve_games && !training->making);
}

/* Gives the newest weights to the network that plays or guides; no game may be in progress. */
static bool set_player(struct training *training, soloist_error *error) {
    training->refresh_s = clock_seconds();
    return training_take_weights(training, error) && training_open_player(training, error) &&
           predictor_set(training->player, training->parameters, error);
}

static bool start_solving(struct training *training, soloist_error *error) {
    const struct training_options *o = &training->options;
    uint64_t most = (uint64_t)o->solve_games, games;
    training->playing = false;
    training->doing = "learning";
    if (!training->wish->method || (most && training->boards >= most))
        return true;
    training->doing = training->dagger ? "solving with DAgger" : "solving";
    if (training->guided && !training->dagger && !set_player(training, error))
        return false;
    harvest_phase(&training->harvest, true, &games);
    return training_start_makers(training, MAKE_BY_SOLVING, most ? most - training->boards : 0, 0, training->dagger,
                                 error);
}

static bool is_time_for_dagger(const struct training *training) {
    return training->options.dagger > 0 && training->steps >= (uint64_t)training->options.dagger_steps;
}

/* From now on the network plays the first moves of some of the games (DAgger). */
static bool start_dagger(struct training *training, soloist_error *error) {
    if (!training_stop_makers(training, error) || !set_player(training, error))
        return false;
    training->dagger = true;
    return start_solving(training, error);
}

/* By PPO a network can learn from games only if its policy is close to the one that played them. Therefore all older
 * samples are dropped. */
static void start_drawing(struct training *training) {
    const struct training_options *o = &training->options;
    batches_close(training->batches);
    training->batches = NULL;
    samples_restart(training->training, (size_t)o->drawn_capacity);
    trainer_set_entropy(training->trainer, o->play == TRAINING_BY_PPO ? o->entropy : 0);
    training->drawing = true;
    training->drawn_steps = training->steps;
    training->drawn_added = samples_added(training->training);
    atomic_store(&training->wanted, training->drawn_added + (uint64_t)o->drawn_capacity);
}

static bool start_playing(struct training *training, soloist_error *error) {
    uint64_t games;
    if (!training_stop_makers(training, error) || !set_player(training, error))
        return false;
    bool draws = training->options.play != TRAINING_BY_SEARCH;
    if (draws && !training->drawing)
        start_drawing(training);
    double mean = harvest_phase(&training->harvest, true, &games);
    training->solved_mean = games ? mean : training->solved_mean;
    training->doing = draws ? "drawing" : "self-play";
    training->playing = true;
    training->tried = draws;
    bool back = training->options.play == TRAINING_BY_WALKING_BACK;
    return training_start_makers(training,
                                 back    ? MAKE_BY_WALKING_BACK
                                 : draws ? MAKE_BY_PPO
                                         : MAKE_BY_PLAYING,
                                 0, training->options.simulations, true, error);
}

/* Goes back to solving if self-play has lower scores: its games would teach the network to play worse. */
static bool judge_trial(struct training *training, soloist_error *error) {
    const struct training_options *o = &training->options;
    uint64_t games;
    double mean = harvest_phase(&training->harvest, false, &games);
    if (training->tried || !o->trial || games < (uint64_t)o->trial || !training->wish->method)
        return true;
    training->tried = true;
    if (mean >= training->solved_mean || (o->solve_games && training->boards >= (uint64_t)o->solve_games))
        return true;
    training->next_trial = training_done(training) + AGAIN;
    return training_stop_makers(training, error) && start_solving(training, error);
}

static bool refresh_player(struct training *training, soloist_error *error) {
    if (clock_seconds() - training->refresh_s < training->options.refresh_s)
        return true;
    bool taken = training->drawing ? trainer_get(training->trainer, training->parameters, error)
                                   : training_take_weights(training, error);
    if (!taken)
        return false;
    pthread_rwlock_wrlock(&training->weights);
    bool set = predictor_set(training->player, training->parameters, error);
    pthread_rwlock_unlock(&training->weights);
    training->refresh_s = clock_seconds();
    return set;
}

/* Switches from solving to self-play, or back if self-play is worse, and gives self-play the newest weights. */
static bool look_after_makers(struct training *training, soloist_error *error) {
    if (training->making && (makers_are_done(&training->makers) || makers_have_failed(&training->makers))) {
        if (!training_stop_makers(training, error))
            return false;
        training->doing = "learning";
    }
    if ((training->playing || training->dagger || training->guided) && training->player &&
        !refresh_player(training, error))
        return false;
    if (training->playing)
        return judge_trial(training, error);
    if (solving_is_over(training))
        return start_playing(training, error);
    return !is_time_for_dagger(training) || training->dagger || !training->making || start_dagger(training, error);
}

/* ---- learning ---- */

static bool add_to_mean(struct training *training, soloist_error *error) {
    double memory = training->options.ema_decay,
           grown = (double)training->mean_looks / ((double)training->mean_looks + 4);
    if (!trainer_get(training->trainer, training->parameters, error))
        return false;
    float keep = (float)(grown < memory ? grown : memory), add = 1 - keep;
    for (size_t i = 0; i < training->wish->net->parameters; i++)
        training->mean[i] = (training->mean_looks ? keep * training->mean[i] : 0) + add * training->parameters[i];
    training->mean_looks++;
    return true;
}

/* The number of positions learned from, each counted once per use; with self-play by PPO, only since it began. */
static double learned(const struct training *training) {
    return (double)(training->steps - training->drawn_steps) * (double)training->options.batch;
}

/* Lets self-play add as many positions as training has used up, plus drawn_capacity for the next batches. */
static void want_more(struct training *training) {
    const struct training_options *o = &training->options;
    uint64_t used = (uint64_t)(learned(training) / o->drawn_reuse);
    atomic_store(&training->wanted, training->drawn_added + used + (uint64_t)o->drawn_capacity);
}

static bool learn_once(struct training *training, soloist_error *error) {
    const struct training_options *o = &training->options;
    struct net_batch batch = {0};
    struct net_losses losses;
    batches_next(training->batches, &batch);
    double rate = trainer_rate(o, training->steps, training_done(training));
    if (!trainer_step(training->trainer, &batch, rate, training_highest(training), &losses, error))
        return false;
    training->steps++;
    if (training->drawing)
        want_more(training);
    training_add_losses(training, &losses);
    return o->ema_decay == 0 || training->steps % (uint64_t)o->ema_steps || add_to_mean(training, error);
}

/* True if there are enough positions to learn from, and if on average they have not been used too often. */
static bool has_enough(const struct training *training) {
    const struct training_options *o = &training->options;
    double added = (double)(samples_added(training->training) - training->drawn_added);
    double reuse = training->drawing ? o->drawn_reuse : o->reuse;
    size_t least = (size_t)(o->learning_starts > o->batch ? o->learning_starts : o->batch);
    size_t count = samples_count(training->training);
    if (!count || (count < least && training->making))
        return false;
    return reuse == 0 || learned(training) < reuse * added;
}

static bool row_and_checkpoint(struct training *training, soloist_error *error) {
    bool row = training_row_is_due(training), save = training_save_is_due(training);
    if (!row && !save)
        return true;
    return training_take_weights(training, error) && (!row || training_report(training, error)) &&
           (!save || training_save(training, error));
}

/* Called when the positions are used up and no new ones will come. */
static bool end_early(struct training *training, soloist_error *error) {
    soloist_error why = {0};
    if (!samples_count(training->training))
        return soloist_fail(error, 0, 0,
                            "there are no positions to learn from: --method solved nothing, or no line of the files of "
                            "--games is a game on these boards");
    soloist_fail(&why, 0, 0,
                 "there are no more games, and the network has learned from each position %g times on average: the "
                 "training ends after %llu steps (reuse=0: it would go on)",
                 training->options.reuse, (unsigned long long)training->steps);
    training->used_up = true;
    if (training->wish->warn)
        training->wish->warn(training->wish->user, why.text);
    return true;
}

static bool go_on(struct training *training, soloist_error *error) {
    training_tick(training);
    if (!look_after_makers(training, error) || !row_and_checkpoint(training, error))
        return false;
    if (training_is_over(training))
        return true;
    if (!has_enough(training)) {
        if (!training->making && !training->options.self_play)
            return end_early(training, error);
        nap();
        return true;
    }
    struct batches_options how = trainer_batches(training->trainer, BATCHES_DRAWN, training->wish->seed);
    how.drawn = training->drawing && training->options.play == TRAINING_BY_PPO;
    how.first = training->steps; /* so that a resumed run continues with the same batches */
    if (!training->batches)
        training->batches = batches_open(training->training, &how, error);
    return training->batches && learn_once(training, error);
}

bool training_continuous(struct training *training, soloist_error *error) {
    bool good =
        (is_time_for_dagger(training) && training->wish->method ? start_dagger : start_solving)(training, error);
    while (good && !training_is_over(training) && !training->used_up)
        good = go_on(training, error);
    /* Nothing is learned from later games, and making them would slow the last measurement down. */
    return good && training_stop_makers(training, error) && training_take_weights(training, error);
}
