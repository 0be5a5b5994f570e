/* Checkpoints. A checkpoint consists of the samples, the weights to be saved, the trainer's own weights, the games in
 * progress (actor-critic) and the counters. All its files are first written with the ending .new; then the file
 * checkpoint.ready says that they are complete, and they take the places of the old ones. So a run that is killed at
 * any moment, also by a power cut, continues from one checkpoint, never from parts of two. */
#include "base/budget.h"
#include "base/cache_file.h"
#include "base/replace.h"
#include "learn/train/training.h"
#include "net/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC "SOLTRN04"

struct counters {
    uint64_t parameters, steps, generation, rows, boards, games, positions, mean_looks, optimised;
    double time_s, solved_mean, next_trial;
    uint64_t stage, stage_steps, tally, solved;
    double solve_rate, last_worth;
    struct curriculum_history history;
};

static bool path_of(const struct training *training, const char *name, char *path, size_t room) {
    return (size_t)snprintf(path, room, "%s/%s", training->wish->folder, name) < room;
}

/* The files of a checkpoint; not every run has all of them. The counters come last: without them there is none. */
static const char *const parts[] = {"training.samples", "validation.samples", "weights.safetensors", "kept.state",
                                    "trainer.state",    "actors.state",       "counters.state"};
#define READY "checkpoint.ready"
#define ENDING ".new"

/* Lets the new files take the places of the old ones. Nothing happens unless they are complete. */
static void install(const struct training *training) {
    char ready[4096], path[4096], fresh[4096 + sizeof ENDING];
    if (!path_of(training, READY, ready, sizeof ready) || access(ready, F_OK) != 0)
        return;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (path_of(training, parts[i], path, sizeof path)) {
            snprintf(fresh, sizeof fresh, "%s%s", path, ENDING);
            rename(fresh, path); /* fails if there is no such file: it was renamed before, or the run has none */
        }
    replace_sync_folder(ready); /* the new names reach the disk before the mark is removed ... */
    unlink(ready);
    replace_sync_folder(ready); /* ... and this before the next checkpoint is begun */
}

static bool save_file(const struct training *training, const char *name, const void *bytes, size_t length) {
    char path[4096];
    return path_of(training, name, path, sizeof path) && cache_file_write(path, MAGIC, bytes, length);
}

bool training_save_part(const struct training *training, const char *name, const void *bytes, size_t length) {
    char fresh[64];
    snprintf(fresh, sizeof fresh, "%s%s", name, ENDING);
    return save_file(training, fresh, bytes, length);
}

static bool load_file(const struct training *training, const char *name, void *bytes, size_t length) {
    char path[4096];
    return path_of(training, name, path, sizeof path) && cache_file_read(path, MAGIC, bytes, length);
}

bool training_load_part(const struct training *training, const char *name, void *bytes, size_t length) {
    return load_file(training, name, bytes, length);
}

static bool save_samples(const struct training *training, struct samples *samples, const char *name) {
    char path[4096];
    return path_of(training, name, path, sizeof path) &&
           samples_save(samples, path, (size_t)training->options.save_positions);
}

static bool save_weights(const struct training *training) {
    char path[4096];
    return path_of(training, "weights.safetensors" ENDING, path, sizeof path) &&
           net_file_save(path, training->wish->net, training->parameters, NULL, NULL);
}

/* The caller holds the lock of the harvest. */
static struct counters counters_of(struct training *training) {
    struct counters counters = {.parameters = training->wish->net->parameters,
                                .steps = training->steps,
                                .generation = training->generation,
                                .rows = training->rows,
                                .boards = training->making ? makers_boards(&training->makers) : training->boards,
                                .mean_looks = training->mean_looks,
                                .games = training->harvest.games,
                                .positions = training->harvest.positions,
                                .time_s = training_time(training),
                                .solved_mean = training->solved_mean,
                                .next_trial = training->next_trial,
                                .stage = (uint64_t)training->stage,
                                .stage_steps = training->stage_steps,
                                .tally = training->tally,
                                .solved = training->solved,
                                .solve_rate = training->solve_rate,
                                .last_worth = training->last_worth,
                                .history = training->history};
    return counters;
}

/* The trainer's weights and its optimiser's two moments form one block of three parts. */
static struct net_memory memory_in(float *block, size_t parameters, uint64_t steps) {
    return (struct net_memory){.mean = block + parameters, .square = block + 2 * parameters, .steps = steps};
}

static bool save_trainer(const struct training *training, uint64_t *steps) {
    size_t count = training->wish->net->parameters;
    float *block = malloc(3 * count * sizeof(float));
    struct net_memory memory = memory_in(block, count, 0);
    bool good = block && trainer_get(training->trainer, block, NULL) &&
                trainer_get_memory(training->trainer, &memory, NULL) &&
                training_save_part(training, "trainer.state", block, 3 * count * sizeof(float));
    *steps = memory.steps;
    free(block);
    return good;
}

static bool load_trainer(const struct training *training, uint64_t steps) {
    size_t count = training->wish->net->parameters;
    float *block = malloc(3 * count * sizeof(float));
    struct net_memory memory = memory_in(block, count, steps);
    bool good = block && load_file(training, "trainer.state", block, 3 * count * sizeof(float)) &&
                trainer_set(training->trainer, block, NULL) && trainer_set_memory(training->trainer, &memory, NULL);
    free(block);
    return good;
}

/* Removes the new parts, which are incomplete. */
static void discard(const struct training *training) {
    char path[4096], name[64];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        snprintf(name, sizeof name, "%s%s", parts[i], ENDING);
        if (path_of(training, name, path, sizeof path))
            unlink(path);
    }
}

bool training_save_failed(struct training *training, const char *part, soloist_error *error) {
    const struct training_wish *wish = training->wish;
    soloist_error failure = {0};
    soloist_fail(&failure, 0, 0, "the checkpoint in %.120s cannot be written: %s: %s", wish->folder, part,
                 strerror(errno));
    discard(training);
    training->unsaved = true;
    if (wish->warn)
        wish->warn(wish->user, failure.text);
    else if (error)
        *error = failure;
    return wish->warn;
}

void training_flush_games(struct training *training) {
    const struct training_wish *wish = training->wish;
    soloist_error failure = {0};
    int why = fflush(training->lines) ? errno : 0;
    if ((!why && !ferror(training->lines)) || training->lost_games)
        return;
    training->lost_games = true;
    soloist_fail(&failure, 0, 0, "%.120s/games.txt cannot be written: %s: games are missing in it", wish->folder,
                 why ? strerror(why) : "a write failed");
    if (wish->warn)
        wish->warn(wish->user, failure.text);
}

/* Makes a checkpoint of the counters and the new parts. */
static bool save_counters(struct training *training, struct counters *counters, soloist_error *error) {
    counters->optimised = training->optimised;
    if (!training_save_part(training, "counters.state", counters, sizeof *counters))
        return training_save_failed(training, "counters.state", error);
    if (!save_file(training, READY, "", 0))
        return training_save_failed(training, READY, error);
    install(training);
    return true;
}

/* Writes the samples and the lines of their games, and counts what they hold. The lock keeps the makers from adding
 * games meanwhile: a game whose samples are in the checkpoint is not made again, so its line must be in the file. */
static const char *save_harvest(struct training *training, struct counters *counters) {
    pthread_mutex_lock(&training->harvest.lock);
    fflush(training->lines);
    *counters = counters_of(training);
    const char *failed = !save_samples(training, training->training, "training.samples" ENDING) ? "training.samples"
                         : !save_samples(training, training->validation, "validation.samples" ENDING)
                             ? "validation.samples"
                             : NULL;
    pthread_mutex_unlock(&training->harvest.lock);
    return failed;
}

/* Writes all parts but the counters. Returns the name of the part that cannot be written; NULL: there is none. */
static const char *save_parts(struct training *training, struct counters *counters) {
    size_t size = training->wish->net->parameters * sizeof(float);
    const char *failed = save_harvest(training, counters);
    if (failed)
        return failed;
    if (!save_weights(training))
        return "weights.safetensors";
    if (!training_save_part(training, "kept.state", training->parameters, size))
        return "kept.state";
    return save_trainer(training, &training->optimised) ? NULL : "trainer.state";
}

/* training->parameters must hold the weights that are to be saved. */
bool training_save(struct training *training, soloist_error *error) {
    double begun = clock_seconds();
    training->unsaved = false;
    struct counters counters;
    const char *failed = save_parts(training, &counters);
    bool good = failed ? training_save_failed(training, failed, error) : save_counters(training, &counters, error);
    training_flush_games(training); /* reports lines that save_harvest could not write */
    training->save_steps = training->steps;
    training->save_s = clock_seconds();
    training->save_cost = training->save_s - begun;
    return good;
}

bool training_save_counters(struct training *training, soloist_error *error) {
    pthread_mutex_lock(&training->harvest.lock);
    struct counters counters = counters_of(training);
    pthread_mutex_unlock(&training->harvest.lock);
    return training->unsaved || save_counters(training, &counters, error);
}

static bool load_samples(const struct training *training, struct samples *samples, const char *name) {
    char path[4096];
    return path_of(training, name, path, sizeof path) && samples_load(samples, path);
}

/* Returns the name of the part that is missing or damaged; NULL: there is none. */
static const char *load_parts(struct training *training, const struct counters *counters) {
    if (!load_samples(training, training->training, "training.samples"))
        return "training.samples";
    if (!load_samples(training, training->validation, "validation.samples"))
        return "validation.samples";
    if (!load_file(training, "kept.state", training->mean, training->wish->net->parameters * sizeof(float)))
        return "kept.state";
    return load_trainer(training, counters->optimised) ? NULL : "trainer.state";
}

bool training_restore(struct training *training, soloist_error *error) {
    const char *folder = training->wish->folder;
    size_t size = training->wish->net->parameters * sizeof(float);
    struct counters counters;
    install(training);
    if (!load_file(training, "counters.state", &counters, sizeof counters))
        return soloist_fail(error, 0, 0,
                            "%.120s has no checkpoint to continue from: counters.state is missing or damaged", folder);
    if (counters.parameters != training->wish->net->parameters)
        return soloist_fail(error, 0, 0, "the checkpoint in %s belongs to another network", folder);
    const char *failed = load_parts(training, &counters);
    if (failed)
        return soloist_fail(error, 0, 0,
                            "the checkpoint in %.120s cannot be read: %s is missing, damaged or of other options",
                            folder, failed);
    training->optimised = counters.optimised;
    memcpy(training->parameters, training->mean, size);
    training->steps = training->row_steps = training->save_steps = counters.steps;
    training->generation = counters.generation;
    training->rows = counters.rows;
    training->boards = counters.boards;
    training->harvest.games = counters.games;
    training->harvest.positions = counters.positions;
    training->mean_looks = counters.mean_looks;
    training->before_s = counters.time_s;
    training->solved_mean = counters.solved_mean;
    training->next_trial = counters.next_trial;
    training->stage = (int)counters.stage;
    training->stage_steps = counters.stage_steps;
    training->tally = counters.tally;
    training->solved = counters.solved;
    training->solve_rate = counters.solve_rate;
    training->last_worth = counters.last_worth;
    training->history = counters.history;
    return true;
}
