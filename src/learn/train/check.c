/* Refuses arguments of a training run with which nothing could be learned, before any file is written. */
#include "learn/train/training.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether the domain and the network suit the way of training and the option `play`. */
static bool check_network(const struct training *training, soloist_error *error) {
    const struct training_wish *wish = training->wish;
    bool both = wish->net->policy && wish->net->value;
    bool draws = wish->way == TRAINING_CONTINUOUS && training->options.play != TRAINING_BY_SEARCH;
    bool back = draws && training->options.play == TRAINING_BY_WALKING_BACK;
    if (draws && !both)
        return soloist_fail(error, 0, 0,
                            "self-play with play=ppo, lookahead or backward needs a network with a policy and a value");
    if (back && !wish->domain->reverse)
        return soloist_fail(error, 0, 0, "%s cannot be played backwards, which play=backward needs",
                            wish->domain->name);
    if (wish->way != TRAINING_EXPERT_ITERATION && wish->way != TRAINING_ACTOR_CRITIC)
        return true;
    if (wish->way == TRAINING_EXPERT_ITERATION && wish->domain->aim != SOLOIST_LEAST_COST)
        return soloist_fail(error, 0, 0, "--way expert-iteration needs a domain whose aim is the least cost");
    if (wish->way == TRAINING_ACTOR_CRITIC && wish->domain->learn->priors)
        return soloist_fail(error, 0, 0,
                            "--way actor-critic needs a domain in which each move is one action: try play=ppo");
    return both || soloist_fail(error, 0, 0, "--way %s needs a network with a policy and a value",
                                training_way_name(wish->way));
}

/* Learning begins when there are enough positions for a batch, or when no more games are made. */
static bool check_capacity(const struct training_options *o, bool draws, soloist_error *error) {
    bool starts = o->learning_starts > o->batch, drawn = draws && o->drawn_capacity < o->capacity;
    int64_t least = starts ? o->learning_starts : o->batch, most = drawn ? o->drawn_capacity : o->capacity;
    return least <= most || soloist_fail(error, 0, 0, "%s=%lld is less than %s=%lld: learning would never begin",
                                         drawn ? "drawn_capacity" : "capacity", (long long)most,
                                         starts ? "learning_starts" : "batch", (long long)least);
}

bool training_check(const struct training *training, soloist_error *error) {
    const struct training_wish *wish = training->wish;
    const struct training_options *o = &training->options;
    bool continuous = wish->way == TRAINING_CONTINUOUS;
    if (wish->curriculum && (continuous || wish->way == TRAINING_GENERATIONS))
        return soloist_fail(error, 0, 0, "--curriculum needs --way expert-iteration or --way actor-critic");
    bool endless = o->self_play || (wish->method && !o->solve_games);
    if (continuous && endless && !check_capacity(o, o->self_play && o->play != TRAINING_BY_SEARCH, error))
        return false;
    if (!continuous || o->self_play)
        return check_network(training, error);
    if (o->play != TRAINING_BY_SEARCH)
        return soloist_fail(error, 0, 0, "the option play has an effect only in self-play: add self_play=true");
    return wish->method || wish->resume || (wish->games && *wish->games) ||
           soloist_fail(error, 0, 0,
                        "there are no games to learn from: name a search with --method or a file with --games, or let "
                        "the network play with self_play=true");
}

bool training_games_fail(const char *path, soloist_error *error) {
    return soloist_fail(error, 0, 0, "--games %.150s cannot be read: %s", path, strerror(errno));
}

/* Nothing is read here: the file may be a pipe. */
bool training_check_games(struct training *training, soloist_error *error) {
    const char *const *paths = training->wish->games;
    for (; paths && *paths; paths++) {
        struct stat status;
        bool good = !access(*paths, R_OK) && !stat(*paths, &status);
        if (good && S_ISDIR(status.st_mode)) {
            errno = EISDIR;
            good = false;
        }
        if (!good)
            return training_games_fail(*paths, error);
    }
    return true;
}
