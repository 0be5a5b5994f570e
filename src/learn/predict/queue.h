/* The queue in front of a network (Seify 2020, section 5.1.1): requests that several threads make at about the same
 * time are computed as one batch. A lane is a batch with its own copy of the network. The threads write their planes
 * directly into a lane, and one of them computes it. At most `runners` lanes are computed at the same time. Meanwhile
 * the next lane fills, so that batches grow with the load and no timer is needed. With the option `wait`, a batch
 * instead waits for a fixed time, as in Seify 2020. */
#ifndef LEARN_PREDICT_QUEUE_H
#define LEARN_PREDICT_QUEUE_H

#include "net/back_end.h"

#define QUEUE_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                      \
    INT(T, batch, 0, 0, 65536, "positions in a batch; 0: what suits the back end")                                     \
    INT(T, runners, 0, 0, 256,                                                                                         \
        "batches computed at the same time; 0: one on a graphics card, one per core on the processor")                 \
    INT(T, threads, 1, 1, 256, "threads that compute one batch on the processor")                                      \
    INT(T, queues, 0, 0, 512,                                                                                          \
        "batches that are filled or computed at the same time; 0: runners + 1, on a graphics card runners + 2")        \
    REAL(T, wait, 0, 0, 10000,                                                                                         \
         "milliseconds that a batch waits for more positions; 0: it is computed as soon as a runner is free")          \
    REAL(T, fill, 4, 1, 65536, "a batch that has waited is computed if at least 1/fill of it is filled")               \
    INT(T, retries, 1, 0, 1000, "how often a batch that is less full waits again")

struct queue;

struct queue_settings {
    int batch, runners, threads, queues, retries;
    double wait_s, fill;
};

/* `count` consecutive places that a thread has reserved in a lane, beginning with place number `first`. */
struct queue_place {
    struct queue_lane *lane;
    int first, count;
};

/* Borrows net and copies the parameters; NULL with an error. */
struct queue *queue_open(const struct net *net, const float *parameters, const struct net_back_end *back_end,
                         const struct queue_settings *settings, soloist_error *error);
void queue_close(struct queue *queue);
/* Sets other parameters. No request may be in progress. */
bool queue_set(struct queue *queue, const float *parameters, soloist_error *error);

/* Reserves places for `count` positions, at most one batch; waits until a lane has room. On failure returns false with
 * an error, and nothing is reserved. */
bool queue_take(struct queue *queue, int count, struct queue_place *place, soloist_error *error);
/* The memory into which the planes of the i-th reserved position must be written. */
float *queue_planes(const struct queue *queue, const struct queue_place *place, int i);
/* To be called when all planes are written: waits until the network has evaluated these positions. If no thread of the
 * batch wants logits, these are not copied from the back end. False with an error. Call queue_leave afterwards, even if
 * this failed. */
bool queue_compute(struct queue *queue, const struct queue_place *place, bool logits, soloist_error *error);
/* The network's output for the i-th reserved position. */
const float *queue_logits(const struct queue *queue, const struct queue_place *place, int i);
float queue_value(const struct queue *queue, const struct queue_place *place, int i);
void queue_leave(struct queue *queue, const struct queue_place *place);

struct queue_counts {
    uint64_t judged, batches;
};
struct queue_counts queue_count(struct queue *queue);

#endif
