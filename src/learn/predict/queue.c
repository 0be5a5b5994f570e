#include "learn/predict/queue.h"

#include "base/budget.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum lane_state { LANE_FREE, LANE_FILLING, LANE_RUNNING, LANE_DONE };

/* A batch that is filled, computed and read. */
struct queue_lane {
    enum lane_state state;
    struct net_runner *runner; /* NULL: not opened yet */
    float *planes;             /* the runner's own buffer */
    float *logits, *values;
    int taken;    /* number of reserved places */
    int writing;  /* threads that are still writing planes */
    int holding;  /* threads that have not called queue_leave */
    int retries;  /* how often the lane may still wait again */
    double due_s; /* time at which its current wait ends */
    bool wants_logits;
    bool failed;
    soloist_error error;
    pthread_cond_t changed;
};

struct queue {
    const struct net *net;
    const struct net_back_end *back_end;
    struct queue_settings settings;
    float *parameters;
    size_t planes, actions;
    pthread_mutex_t lock;
    pthread_cond_t freed;
    int running; /* number of lanes being computed */
    int wanting; /* threads that wait for a place */
    struct queue_counts counts;
    struct queue_lane *lanes;
};

/* ---- life ---- */

static bool open_lane(struct queue *queue, struct queue_lane *lane, soloist_error *error) {
    size_t batch = (size_t)queue->settings.batch;
    struct net_runner_options options = {.batch = (int)batch, .threads = queue->settings.threads};
    lane->runner = queue->back_end->open(queue->net, &options, error);
    if (!lane->runner)
        return false;
    lane->planes = queue->back_end->slot(lane->runner);
    lane->logits = malloc((batch * queue->actions + 1) * sizeof(float));
    lane->values = malloc(batch * sizeof(float));
    if (!lane->logits || !lane->values)
        return soloist_fail(error, 0, 0, "no memory for a batch of %zu positions", batch);
    return queue->back_end->set(lane->runner, queue->parameters, error);
}

static void close_lane(struct queue *queue, struct queue_lane *lane) {
    if (lane->runner)
        queue->back_end->close(lane->runner);
    free(lane->logits);
    free(lane->values);
    lane->runner = NULL;
    lane->logits = lane->values = NULL;
}

static bool open_lanes(struct queue *queue, const float *parameters, soloist_error *error) {
    size_t size = queue->net->parameters * sizeof(float);
    pthread_condattr_t monotonic;
    queue->parameters = malloc(size);
    queue->lanes = calloc((size_t)queue->settings.queues, sizeof *queue->lanes);
    if (!queue->parameters || !queue->lanes)
        return soloist_fail(error, 0, 0, "no memory for a network");
    memcpy(queue->parameters, parameters, size);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    for (int i = 0; i < queue->settings.queues; i++)
        pthread_cond_init(&queue->lanes[i].changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return open_lane(queue, &queue->lanes[0], error);
}

struct queue *queue_open(const struct net *net, const float *parameters, const struct net_back_end *back_end,
                         const struct queue_settings *settings, soloist_error *error) {
    struct queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        return soloist_fail(error, 0, 0, "no memory for a network"), NULL;
    queue->net = net;
    queue->back_end = back_end;
    queue->settings = *settings;
    queue->planes = net_shape_size(net_input(net));
    queue->actions = (size_t)net_actions(net);
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->freed, NULL);
    if (open_lanes(queue, parameters, error))
        return queue;
    queue_close(queue);
    return NULL;
}

void queue_close(struct queue *queue) {
    if (!queue)
        return;
    for (int i = 0; queue->lanes && i < queue->settings.queues; i++) {
        close_lane(queue, &queue->lanes[i]);
        pthread_cond_destroy(&queue->lanes[i].changed);
    }
    free(queue->lanes);
    free(queue->parameters);
    pthread_mutex_destroy(&queue->lock);
    pthread_cond_destroy(&queue->freed);
    free(queue);
}

bool queue_set(struct queue *queue, const float *parameters, soloist_error *error) {
    memcpy(queue->parameters, parameters, queue->net->parameters * sizeof(float));
    for (int i = 0; i < queue->settings.queues; i++)
        if (queue->lanes[i].runner && !queue->back_end->set(queue->lanes[i].runner, parameters, error))
            return false;
    return true;
}

/* ---- places; call with the lock held ---- */

/* Chooses a lane: a free one if a runner is idle; otherwise one that is filling and has room; otherwise a free one.
 * Among free lanes, those already open are preferred. NULL: there is none. */
static struct queue_lane *find_lane(struct queue *queue, int count) {
    struct queue_lane *free_one = NULL, *filling = NULL;
    int active = 0;
    for (int i = 0; i < queue->settings.queues; i++) {
        struct queue_lane *lane = &queue->lanes[i];
        active += lane->state == LANE_FILLING || lane->state == LANE_RUNNING;
        if (lane->state == LANE_FILLING && lane->taken + count <= queue->settings.batch)
            filling = lane;
        if (lane->state == LANE_FREE && (!free_one || (!free_one->runner && lane->runner)))
            free_one = lane;
    }
    return filling && (!free_one || active >= queue->settings.runners) ? filling : free_one;
}

static void begin_filling(struct queue *queue, struct queue_lane *lane) {
    lane->state = LANE_FILLING;
    lane->taken = lane->writing = lane->holding = 0;
    lane->failed = lane->wants_logits = false;
    lane->retries = queue->settings.retries;
    if (queue->settings.wait_s > 0)
        lane->due_s = clock_seconds() + queue->settings.wait_s;
}

static void wake_all(struct queue *queue) {
    for (int i = 0; i < queue->settings.queues; i++)
        if (queue->lanes[i].state == LANE_FILLING)
            pthread_cond_broadcast(&queue->lanes[i].changed);
}

bool queue_take(struct queue *queue, int count, struct queue_place *place, soloist_error *error) {
    struct queue_lane *lane;
    bool good = true;
    pthread_mutex_lock(&queue->lock);
    while (!(lane = find_lane(queue, count))) {
        queue->wanting++;
        wake_all(queue); /* batches that are too full for the next request need not wait any longer */
        pthread_cond_wait(&queue->freed, &queue->lock);
        queue->wanting--;
    }
    if (!lane->runner) {
        good = open_lane(queue, lane, error);
        if (!good)
            close_lane(queue, lane);
    }
    if (good) {
        if (lane->state == LANE_FREE)
            begin_filling(queue, lane);
        *place = (struct queue_place){lane, lane->taken, count};
        lane->taken += count;
        lane->writing++;
        lane->holding++;
    }
    pthread_mutex_unlock(&queue->lock);
    return good;
}

float *queue_planes(const struct queue *queue, const struct queue_place *place, int i) {
    return place->lane->planes + (size_t)(place->first + i) * queue->planes;
}

const float *queue_logits(const struct queue *queue, const struct queue_place *place, int i) {
    return place->lane->logits + (size_t)(place->first + i) * queue->actions;
}

float queue_value(const struct queue *queue, const struct queue_place *place, int i) {
    return queue->net->value ? place->lane->values[place->first + i] : 0;
}

/* ---- computing; call with the lock held ---- */

/* Whether the batch has waited long enough, by the rule of Seify 2020, section 5.1.1. */
static bool is_ripe(struct queue *queue, struct queue_lane *lane) {
    const struct queue_settings *settings = &queue->settings;
    if (settings->wait_s <= 0 || lane->taken == settings->batch || queue->wanting)
        return true;
    double now = clock_seconds();
    if (now < lane->due_s)
        return false;
    if (lane->taken * settings->fill >= settings->batch || !lane->retries)
        return true;
    lane->retries--;
    lane->due_s = now + settings->wait_s;
    return false;
}

static bool may_leave(struct queue *queue, struct queue_lane *lane) {
    return lane->state == LANE_FILLING && !lane->writing && queue->running < queue->settings.runners &&
           is_ripe(queue, lane);
}

static void run_lane(struct queue *queue, struct queue_lane *lane) {
    int count = lane->taken;
    lane->state = LANE_RUNNING;
    queue->running++;
    pthread_mutex_unlock(&queue->lock);
    bool good = queue->back_end->forward(lane->runner, lane->planes, count, lane->wants_logits ? lane->logits : NULL,
                                         lane->values, &lane->error);
    pthread_mutex_lock(&queue->lock);
    queue->running--;
    queue->counts.judged += (uint64_t)count;
    queue->counts.batches++;
    lane->failed = !good;
    lane->state = LANE_DONE;
    pthread_cond_broadcast(&lane->changed);
    wake_all(queue);
}

/* With the option `wait`, a filling lane waits only until its time is over; otherwise until it is woken. */
static void wait_for_change(struct queue *queue, struct queue_lane *lane) {
    double wait_s = queue->settings.wait_s, now = clock_seconds();
    if (wait_s <= 0 || lane->state != LANE_FILLING) {
        pthread_cond_wait(&lane->changed, &queue->lock);
        return;
    }
    double until_s = lane->due_s > now ? lane->due_s : now + wait_s;
    struct timespec until = {.tv_sec = (time_t)until_s};
    until.tv_nsec = (long)((until_s - (double)until.tv_sec) * 1e9);
    pthread_cond_timedwait(&lane->changed, &queue->lock, &until);
}

bool queue_compute(struct queue *queue, const struct queue_place *place, bool logits, soloist_error *error) {
    struct queue_lane *lane = place->lane;
    pthread_mutex_lock(&queue->lock);
    lane->wants_logits |= logits && queue->actions;
    if (--lane->writing == 0)
        pthread_cond_broadcast(&lane->changed);
    while (lane->state != LANE_DONE)
        if (may_leave(queue, lane))
            run_lane(queue, lane);
        else
            wait_for_change(queue, lane);
    bool good = !lane->failed;
    if (!good && error)
        *error = lane->error;
    pthread_mutex_unlock(&queue->lock);
    return good;
}

void queue_leave(struct queue *queue, const struct queue_place *place) {
    pthread_mutex_lock(&queue->lock);
    if (--place->lane->holding == 0) {
        place->lane->state = LANE_FREE;
        pthread_cond_broadcast(&queue->freed);
    }
    pthread_mutex_unlock(&queue->lock);
}

struct queue_counts queue_count(struct queue *queue) {
    pthread_mutex_lock(&queue->lock);
    struct queue_counts counts = queue->counts;
    pthread_mutex_unlock(&queue->lock);
    return counts;
}
