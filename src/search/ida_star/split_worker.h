/* What the files of the shared search tree (split.h) have in common: one worker and its messages. */
#ifndef SEARCH_IDA_STAR_SPLIT_WORKER_H
#define SEARCH_IDA_STAR_SPLIT_WORKER_H

#include "base/peers.h"
#include "search/ida_star/split.h"

/* What the workers of one process share. */
struct split {
    struct search_run *run;
    struct search_run before; /* a copy from before the threads began */
    const struct split_kind *kind;
    void *user;
    uint64_t slice;
    bool threads;           /* the workers are threads of this process; otherwise this process is one of the workers */
    _Atomic uint64_t stock; /* if nodes are limited: how many may still be granted to threads */
    soloist_code code;
    struct split_share *shares; /* worker 0's process: what each worker did */
};

/* What one worker did. */
struct split_share {
    uint64_t nodes, expanded;
    uint64_t pieces; /* searched by this worker and given to it by others */
    double idle_s;
};

/* A piece that waits to be searched. */
struct split_task {
    struct split_round round;
    int ask; /* the worker to be asked for another piece when this one is begun; -1: nobody */
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
    struct search_run copy; /* for threads other than worker 0 */
    soloist_error error;
    struct memory *memory;
    bool owns_budget; /* this thread opened the budget, so it must read the clock */
    void *walk;
    bool active;                      /* the walk is searching: it can give work away */
    uint64_t granted;                 /* nodes that may still be counted */
    uint64_t new_nodes, new_expanded; /* not yet counted in the budget */
    soloist_rng rng;

    /* The tree of workers. */
    bool engaged; /* this worker has, or had, work that it has not confirmed */
    int parent;
    uint64_t given; /* pieces given away that are not confirmed */
    struct split_summary summary;
    struct split_round round; /* of the piece that the walk is searching */
    struct split_task *tasks;
    uint32_t task_count, task_room;
    struct piece piece; /* for building messages */
    /* Worker 0: pieces that were cut in advance; queue[queue_first] is handed out next. */
    struct split_task *queue;
    uint32_t queue_first, queue_count, queue_room;
    uint64_t nodes_before; /* worker 0's nodes in the iteration before */

    /* Asking for work. */
    bool asked;        /* a question is not answered yet */
    uint32_t tries;    /* how many workers were asked since there was no work */
    uint32_t *waiting; /* the workers that are remembered; the first one asked first */
    uint32_t waiting_count;
    bool *is_waiting;

    /* Messages. */
    struct split_letter *inbox; /* for each worker: the first parts of a message whose last part has not arrived yet */
    struct split_letter *letters;
    uint32_t letter_count, letter_room;

    /* The end. */
    bool halted;    /* this worker must not go on: it has found a solution or reached a limit */
    bool halt_sent; /* worker 0 was told so */
    bool over;      /* the search has ended */
    bool lost;      /* a worker is lost, that is, its process has died */
    bool cut_off;   /* this worker no longer reaches the others */
    enum split_end end;
    int reports; /* worker 0: how many workers have sent their share */
    struct split_share share;
};

/* Handles all messages that have arrived; returns how many. (split_mail.c) */
int split_receive(struct split_worker *worker);
/* Gives pieces to the workers that are remembered, as long as there are pieces. */
void split_give(struct split_worker *worker);
/* Asks a worker for one more of the pieces that it cut in advance. */
void split_ask_ahead(struct split_worker *worker, int other);
/* Asks another worker for a piece, unless all workers that may be asked have been asked. */
void split_ask(struct split_worker *worker);
/* Confirms this worker's own piece if it has no work left and all its pieces were confirmed. */
void split_confirm(struct split_worker *worker);
/* Ends this worker's search before the work is done; worker 0 ends the search of all. */
void split_halt(struct split_worker *worker, enum split_end end);
/* Worker 0 tells all workers the result of the run, and collects their shares; the others report their share. */
void split_dismiss(struct split_worker *worker, soloist_code code);
void split_report(struct split_worker *worker);
/* False: memory is full. */
bool split_mail_open(struct split_worker *worker);
void split_mail_close(struct split_worker *worker);

/* What an iteration learned, added to a sum. */
static inline void split_add_summary(struct split_summary *sum, const struct split_summary *more) {
    if (more->next_threshold < sum->next_threshold)
        sum->next_threshold = more->next_threshold;
    sum->flags |= more->flags;
}

static inline struct split_summary split_nothing(void) {
    return (struct split_summary){.next_threshold = SPLIT_NO_THRESHOLD};
}

#endif
