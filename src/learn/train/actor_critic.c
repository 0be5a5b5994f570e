/* Advantage actor-critic (A2C; Mnih et al. 2016 without its asynchrony), as Ge 2018 trains the model-free baseline: all
 * actors make a few moves, then the optimiser makes one step on a batch of these moves. An iteration is a number of
 * moves; its solve rate is that of all games that ended in it. The policy's loss is that of PPO (net/loss.h), computed
 * with the probabilities of the present weights; it is then equal to the loss of A2C. */
#include "learn/train/actors.h"
#include "learn/train/training.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct a2c {
    struct training *training;
    struct actors actors;
    struct level_stream *stream;
    int stream_stage;
    const struct net_back_end *back_end;
    int count, steps;                         /* actors and moves per step */
    size_t planes_size, actions_size;         /* numbers per position */
    float *planes, *marks, *targets, *logits; /* [steps][actors], except logits: [actors] */
    float *values, *rewards;                  /* values: [steps + 1][actors] */
    struct net_drawn *drawn;
    bool *ended;
};

/* ---- life ---- */

static bool open_arrays(struct a2c *a2c, soloist_error *error) {
    size_t actors = (size_t)a2c->count, all = actors * (size_t)a2c->steps;
    a2c->planes = a2c->back_end->take((all + actors) * a2c->planes_size * sizeof(float));
    a2c->marks = a2c->back_end->take(all * a2c->actions_size * sizeof(float));
    a2c->targets = a2c->back_end->take(all * sizeof(float));
    a2c->drawn = a2c->back_end->take(all * sizeof *a2c->drawn);
    a2c->logits = a2c->back_end->take(actors * a2c->actions_size * sizeof(float));
    a2c->values = a2c->back_end->take((all + actors) * sizeof(float));
    a2c->rewards = malloc(all * sizeof(float));
    a2c->ended = malloc(all * sizeof *a2c->ended);
    return (a2c->planes && a2c->marks && a2c->targets && a2c->drawn && a2c->logits && a2c->values && a2c->rewards &&
            a2c->ended) ||
           soloist_fail(error, 0, 0, "no memory for %d actors", a2c->count);
}

static void close_arrays(struct a2c *a2c) {
    void *blocks[] = {a2c->planes, a2c->marks, a2c->targets, a2c->drawn, a2c->logits, a2c->values};
    for (size_t i = 0; a2c->back_end && i < sizeof blocks / sizeof *blocks; i++)
        if (blocks[i])
            a2c->back_end->give(blocks[i]);
    free(a2c->rewards);
    free(a2c->ended);
}

/* Instances of the present stage, numbered on from those that were taken. */
static bool open_stream(struct a2c *a2c, soloist_error *error) {
    struct training *training = a2c->training;
    int threads = training->wish->threads - 1;
    level_stream_close(a2c->stream);
    a2c->stream =
        level_stream_open(&training->source, training->training, training->boards, threads > 8 ? 8 : threads, error);
    a2c->stream_stage = training->stage;
    return a2c->stream && actors_attach(&a2c->actors, a2c->stream, training->stage, error);
}

/* The reward of Ge 2018, where the domain has it. */
static bool has_reward(const soloist_domain *domain, const char *name) {
    soloist_error error;
    return domain->aim == SOLOIST_LEAST_COST && environments_reward(domain, name, &error) >= 0;
}

static bool open_actors(struct a2c *a2c, soloist_error *error) {
    const struct training *training = a2c->training;
    const struct training_options *o = &training->options;
    const char *reward = has_reward(training->wish->domain, "rl") ? "rl" : NULL;
    if (!actors_open(&a2c->actors, &training->shape, a2c->count, net_input(&training->net).channels, reward,
                     (int)o->step_limit, training->wish->seed + 3, error))
        return false;
    a2c->actors.value_scale = o->value_scale;
    return true;
}

/* ---- checkpoints ---- */

static bool save_actors(const struct a2c *a2c) {
    size_t size = actors_size(&a2c->actors);
    void *block = malloc(size + 1);
    if (block)
        actors_write(&a2c->actors, block);
    bool good = block && training_save_part(a2c->training, "actors.state", block, size);
    free(block);
    return good;
}

static bool make_again(void *user, int stage, uint64_t number, soloist_puzzle *puzzle) {
    struct a2c *a2c = user;
    struct training *training = a2c->training;
    soloist_error error;
    int now = training->stage;
    training->stage = stage;
    bool made = stage >= 1 && stage <= training->curriculum.stages && training_open_stage(training, &error) &&
                game_source_make(&training->source, number, puzzle, &error);
    training->stage = now;
    return made;
}

static bool load_actors(struct a2c *a2c, soloist_error *error) {
    size_t size = actors_size(&a2c->actors);
    void *block = malloc(size + 1);
    bool good = block && training_load_part(a2c->training, "actors.state", block, size) &&
                actors_read(&a2c->actors, block, make_again, a2c);
    free(block);
    return (good && training_open_stage(a2c->training, error)) ||
           soloist_fail(error, 0, 0,
                        "the checkpoint in %s cannot be read: actors.state is damaged or belongs to other options",
                        a2c->training->wish->folder);
}

static bool save_failed(struct training *training, soloist_error *error) {
    return training_save_failed(training, "actors.state", error);
}

static bool save(struct a2c *a2c, soloist_error *error) {
    struct training *training = a2c->training;
    training->tally = a2c->actors.tally.ended;
    training->solved = a2c->actors.tally.solved;
    return training_take_weights(training, error) && (save_actors(a2c) ? training_save : save_failed)(training, error);
}

/* ---- learning ---- */

/* The network looks at what the actors see. */
static bool look(struct a2c *a2c, int step, soloist_error *error) {
    float *planes = a2c->planes + (size_t)step * (size_t)a2c->count * a2c->planes_size;
    actors_see(&a2c->actors, planes);
    return trainer_forward(a2c->training->trainer, planes, a2c->count, a2c->logits,
                           a2c->values + (size_t)step * (size_t)a2c->count, error);
}

static bool play(struct a2c *a2c, soloist_error *error) {
    size_t count = (size_t)a2c->count;
    for (int step = 0; step < a2c->steps; step++) {
        size_t at = (size_t)step * count;
        if (!look(a2c, step, error) || !actors_move(&a2c->actors, a2c->logits, a2c->marks + at * a2c->actions_size,
                                                    a2c->drawn + at, a2c->rewards + at, a2c->ended + at, error))
            return false;
    }
    return look(a2c, a2c->steps, error);
}

static double rate_now(const struct training *training) {
    const struct training_options *o = &training->options;
    double left = 1 - (double)training->steps * (double)o->batch / o->total_moves;
    return left > 0 ? o->rate * left : 0;
}

static bool learn(struct a2c *a2c, soloist_error *error) {
    struct training *training = a2c->training;
    size_t all = (size_t)a2c->count * (size_t)a2c->steps;
    struct net_losses losses;
    actors_returns(a2c->rewards, a2c->ended, a2c->values + all, a2c->steps, a2c->count, training->options.discount,
                   a2c->targets);
    for (size_t i = 0; i < all; i++)
        a2c->drawn[i].advantage = a2c->targets[i] - a2c->values[i];
    struct net_batch batch = {.count = (int)all,
                              .planes = a2c->planes,
                              .targets = {.policy = a2c->marks, .value = a2c->targets, .drawn = a2c->drawn}};
    /* The weight of the value's loss is for targets of about 1, which value_scale makes of scores. */
    if (!trainer_step(training->trainer, &batch, rate_now(training), training->options.value_scale, &losses, error))
        return false;
    training->steps++;
    training_add_losses(training, &losses);
    training->harvest.positions += all;
    return true;
}

/* ---- the run ---- */

static double moves_made(const struct training *training, uint64_t since) {
    return (double)(training->steps - since) * (double)training->options.batch;
}

/* The moves that an iteration consists of, as a number of steps. */
static uint64_t iteration_steps(const struct training *training) {
    uint64_t steps = (uint64_t)(training->options.iteration_moves / training->options.batch);
    return steps ? steps : 1;
}

/* Ge 2018 stops after 1.5 million moves in the last stage. */
static bool is_finished(const struct training *training) {
    const struct training_options *o = &training->options;
    bool last = training->curriculum.stages > 1 && training->stage == training->curriculum.stages;
    return training_is_over(training) || moves_made(training, 0) >= o->total_moves ||
           (o->iterations && training->generation >= (uint64_t)o->iterations) ||
           (last && o->last_stage_moves > 0 && moves_made(training, training->stage_steps) >= o->last_stage_moves);
}

static bool close_iteration(struct a2c *a2c, soloist_error *error) {
    struct training *training = a2c->training;
    training->generation++;
    training->tally = a2c->actors.tally.ended;
    training->solved = a2c->actors.tally.solved;
    a2c->actors.tally = (struct actors_tally){0};
    level_stream_rest(a2c->stream); /* a new stage replaces the source that its threads read */
    if (!training_take_weights(training, error) || !training_close_iteration(training, error))
        return false;
    return training->stage == a2c->stream_stage ? level_stream_go_on(a2c->stream, error) : open_stream(a2c, error);
}

static bool go_on(struct a2c *a2c, soloist_error *error) {
    struct training *training = a2c->training;
    training_tick(training);
    uint64_t ended = a2c->actors.tally.ended;
    if (!play(a2c, error) || !learn(a2c, error))
        return false;
    training->harvest.games += a2c->actors.tally.ended - ended;
    training->boards = a2c->actors.next;
    if (training->steps % iteration_steps(training) == 0 && !close_iteration(a2c, error))
        return false;
    return !training_save_is_due(training) || save(a2c, error);
}

static bool start(struct a2c *a2c, soloist_error *error) {
    struct training *training = a2c->training;
    const struct net *net = &training->net; /* of the boards' size */
    a2c->count = (int)training->options.actors;
    a2c->steps = (int)training->options.rollout;
    a2c->planes_size = net_shape_size(net_input(net));
    a2c->actions_size = (size_t)net_actions(net);
    a2c->back_end = net_back_end_find(training->wish->back_end, error);
    if (!a2c->back_end || !open_arrays(a2c, error) || !open_actors(a2c, error) ||
        (training->wish->resume && !load_actors(a2c, error)) || !open_stream(a2c, error))
        return false;
    a2c->actors.tally = (struct actors_tally){training->tally, training->solved};
    trainer_set_entropy(training->trainer, training->options.entropy);
    training->doing = "playing";
    return actors_begin(&a2c->actors, error);
}

bool training_actor_critic(struct training *training, soloist_error *error) {
    struct a2c a2c = {.training = training};
    bool good = start(&a2c, error);
    while (good && !is_finished(training))
        good = go_on(&a2c, error);
    good = good && save(&a2c, error);
    level_stream_close(a2c.stream);
    actors_close(&a2c.actors);
    close_arrays(&a2c);
    return good;
}
