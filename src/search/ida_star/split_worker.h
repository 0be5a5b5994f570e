/* Shared by split.c and split_mail.c: one worker of a shared search (split.h) and its messages. */
#ifndef SEARCH_IDA_STAR_SPLIT_WORKER_H
#define SEARCH_IDA_STAR_SPLIT_WORKER_H

#include "base/peers.h"
#include "search/ida_star/split.h"

/* Data that the workers of one process share. */
struct split {
    struct search_run *run;
    struct search_run before; /* a copy of the run, made before the threads were started */
    const struct split_kind *kind;
    void *user;
    uint64_t slice, step;   /* number of nodes between two looks for messages, and between two calls of split_look */
    bool threads;           /* the workers are threads of this process; otherwise this process is one of the workers */
    _Atomic uint64_t stock; /* if nodes are limited: number of nodes that may still be allotted to workers */
    soloist_code code;
    struct split_share *shares; /* in the process of worker 0: what each worker did */
};

/* What one worker did. */
struct split_share {
    uint64_t nodes, expanded;
    uint64_t pieces; /* number of pieces that this worker got from others or from the queue, and searched */
    double idle_s;
};

/* A piece that waits to be searched. */
struct split_task {
    struct split_round round;
    int ask; /* the worker to ask for another piece when this one is begun; -1: none */
    struct piece piece;
};

/* A message that could not be sent yet. */
struct split_letter {
    int to;
    uint32_t tag;
    struct piece words;
};

/* One worker; only its own thread uses it. */
struct split_worker {
    struct split *split;
    struct peers *peers;
    struct search_run *run;
    struct search_run copy; /* in every thread other than worker 0, `run` points to this copy */
    soloist_error error;
    struct memory *memory;
    bool owns_budget; /* this thread opened the budget, so it must read the clock */
    void *walk;
    bool active;                      /* the walk is searching, so it may be able to give work away */
    uint64_t granted;                 /* number of nodes that this worker may still generate */
    uint64_t new_nodes, new_expanded; /* counts that were not yet added to the budget */
    uint64_t unshared;                /* number of nodes since the last look for messages */
    soloist_rng rng;
    struct search_looks looks; /* of a worker that does not own the budget */

    /* The tree of workers. */
    bool engaged; /* this worker has, or had, work that it has not confirmed yet */
    int parent;
    uint64_t given; /* number of pieces given away that are not confirmed yet */
    struct split_summary summary;
    struct split_round round; /* the iteration of the piece that the walk is searching */
    struct split_task *tasks;
    uint32_t task_count, task_room;
    struct piece piece; /* for building messages */
    /* Worker 0 only: the pieces that were cut in advance; queue[queue_first] is handed out next. */
    struct split_task *queue;
    uint32_t queue_first, queue_count, queue_room;
    uint64_t nodes_before; /* number of nodes that worker 0 generated in the previous iteration */

    /* Asking for work. */
    bool asked;        /* this worker has sent a request that is not answered yet */
    uint32_t tries;    /* number of workers asked since this worker last received a piece */
    uint32_t *waiting; /* the workers whose requests are remembered, oldest request first */
    uint32_t waiting_count;
    bool *is_waiting;

    /* Messages. */
    struct split_letter *inbox; /* for each worker: the parts received so far of an incomplete message from it */
    struct split_letter *letters;
    uint32_t letter_count, letter_room;

    /* The end. */
    bool halted;    /* this worker has stopped: it has found a solution or reached a limit */
    bool halt_sent; /* worker 0 was informed that this worker has halted */
    bool over;      /* the search has ended */
    bool lost;      /* a worker was lost, for example because its process has died */
    bool cut_off;   /* this worker can no longer reach the others */
    enum split_end end;
    int reports; /* worker 0 only: number of workers that have sent their struct split_share */
    struct split_share share;
};

/* Handles all messages that have arrived; returns how many. (split_mail.c) */
int split_receive(struct split_worker *worker);
/* Gives pieces to the workers whose requests are remembered, as long as there are pieces. */
void split_give(struct split_worker *worker);
/* Asks the worker `other` for one more of the pieces that were cut in advance. */
void split_ask_ahead(struct split_worker *worker, int other);
/* Asks another worker for a piece, unless a request is unanswered or the limit on requests (see split.h) is reached. */
void split_ask(struct split_worker *worker);
/* Confirms this worker's own piece if the worker has no work left and all pieces that it gave away were confirmed. */
void split_confirm(struct split_worker *worker);
/* Ends this worker's search before its work is done. If this is worker 0, ends the search of all workers. */
void split_halt(struct split_worker *worker, enum split_end end);
/* split_dismiss: worker 0 sends the result of the run to all workers and collects a struct split_share from each.
 * split_report: any other worker sends its struct split_share to worker 0. */
void split_dismiss(struct split_worker *worker, soloist_code code);
void split_report(struct split_worker *worker);
/* False: memory is full. */
bool split_mail_open(struct split_worker *worker);
void split_mail_close(struct split_worker *worker);

/* Adds the summary of one worker to a sum. */
static inline void split_add_summary(struct split_summary *sum, const struct split_summary *more) {
    if (more->next_threshold < sum->next_threshold)
        sum->next_threshold = more->next_threshold;
    sum->flags |= more->flags;
}

static inline struct split_summary split_nothing(void) {
    return (struct split_summary){.next_threshold = SPLIT_NO_THRESHOLD};
}

#endif
