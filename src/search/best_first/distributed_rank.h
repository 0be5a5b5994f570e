/* One rank of a distributed search; shared by the files distributed*.c. */
#ifndef SEARCH_BEST_FIRST_DISTRIBUTED_RANK_H
#define SEARCH_BEST_FIRST_DISTRIBUTED_RANK_H

#include "base/table.h"
#include "search/best_first/distributed.h"
#include "search/best_first/open_list.h"

/* Stored before each packed state. */
struct distributed_node {
    uint32_t parent; /* index of the state from which `move` led here; POOL_NONE: this is the root */
    soloist_move move;
    int32_t cost;     /* least known cost from the root */
    int32_t bound;    /* 0 if bounds are not used */
    uint16_t rank;    /* the rank to which the parent belongs */
    bool is_expanded; /* with its present cost; its other entries in the open list are then stale */
};

/* A generated state on its way to its rank; the packed state follows. */
struct distributed_record {
    uint64_t key;
    uint32_t parent;
    soloist_move move;
    int32_t cost, bound;
};

/* What one rank sends to another. To find out whether all ranks have ended, only batches are counted, because no other
 * message gives a rank something to expand. */
enum distributed_tag {
    TAG_BATCH,  /* records */
    TAG_UPPER,  /* to all: the cost of a goal */
    TAG_LEVEL,  /* to rank 0: the f of the state that this rank expands next, a uint32_t */
    TAG_FLOOR,  /* rank 0 to all: the least of these, a uint32_t */
    TAG_ASK,    /* rank 0 to all: answer when there is nothing left to expand; the number of the question */
    TAG_IDLE,   /* the answer: struct distributed_idle */
    TAG_STOP,   /* to rank 0: this rank cannot go on; struct distributed_stop */
    TAG_HALT,   /* rank 0 to all: expand nothing more, and report */
    TAG_REPORT, /* the answer: struct distributed_report */
    TAG_TRACE,  /* rank 0 to one: how was the state of this index reached? */
    TAG_TRACED, /* the answer: struct distributed_trace and moves */
    TAG_OVER,   /* rank 0 to all: the search has ended */
    TAG_LOOK,   /* rank 0 to one: the same question as TAG_TRACE, about a line that a watcher is shown */
    TAG_LOOKED  /* the answer, like TAG_TRACED */
};

struct distributed_idle {
    uint64_t question, sent, received; /* sent, received: batches so far */
};

struct distributed_stop {
    int32_t reason;         /* a soloist_stop; -1: the cost of a step was refused */
    int32_t cost, bad_step; /* the step that was refused, and the cost before it */
};

struct distributed_report {
    uint64_t nodes, expanded;
    int32_t goal; /* cost of the best goal that this rank has generated; SOLOIST_DEAD: none */
    uint32_t parent;
    soloist_move move;
    bool left_open; /* states were left that f alone does not rule out */
};

struct distributed_trace {
    int32_t rank; /* where the line goes on towards the root; -1: the root is reached */
    uint32_t index, count;
};

/* The line that a watcher is shown; without a watcher unused. */
struct distributed_look {
    struct distributed_trace at; /* where the line goes on: on rank 0 the rank to ask, on others what rank 0 asks for */
    bool is_due;                 /* `at` is to be asked for or to be answered */

    /* Rank 0 only. */
    bool is_asking;
    uint32_t latest;                /* the state that was expanded last */
    uint64_t next;                  /* count of expanded states from which on the next line is collected */
    struct search_line line, shown; /* the line that is being collected, last move first; the last complete one */
};

/* Records for one rank that have not been sent yet. */
struct distributed_box {
    unsigned char *bytes;
    size_t used;
};

/* The bytes of a packed state that decide to which rank it belongs; none: its key decides. */
enum { distributed_most_bytes = 32 };

struct distributed_bytes {
    uint32_t at[distributed_most_bytes];
    int count;
};

#define DISTRIBUTED_NO_F UINT32_MAX

/* States that were taken from the open list, so that they are in the cache when their turn comes. */
enum { distributed_ahead = 4 };

struct distributed_rank {
    struct search_run *run; /* shared by all ranks if these are threads */
    const struct distributed_settings *settings;
    const struct distributed_bytes *bytes;
    struct peers *peers;
    bool owns_run; /* this thread may use all of the run; others only its budget's counters, `stop` and memory */
    bool admissible;
    int32_t upper; /* least cost of a goal known to this rank; SOLOIST_DEAD: none */

    struct table table;
    struct open_list open;
    uint32_t ahead[distributed_ahead];
    unsigned ahead_first, ahead_count;
    /* The pace. A rank that is faster than the others would expand states whose f is too great to matter. Therefore it
     * expands only few states whose f is above the floor. */
    uint32_t level, floor; /* what rank 0 was told last, and what it has told; DISTRIBUTED_NO_F: nothing to expand */
    uint64_t told_at;      /* states expanded when rank 0 was told last */
    uint32_t top_floor;    /* the greatest floor so far */
    uint64_t early;        /* states with a greater f than the floor that were expanded since `top_floor` has grown */
    uint32_t *levels;      /* rank 0: what each rank has told */
    bool floor_due;        /* rank 0: the floor has changed, and the others do not know yet */
    void *state, *child, *packed; /* scratch */
    soloist_child *children;
    struct distributed_box *boxes; /* one per rank; this rank's own box is used for its own children */
    size_t record_size, box_size, own_box_size;
    void *scratch;
    size_t scratch_size;
    int next_flushed; /* the box that is sent next even if it is not full */
    unsigned flush_rounds;
    soloist_rng rng;

    uint64_t lease; /* nodes that were counted in the budget but not yet generated */
    uint64_t nodes, expanded, told_expanded;
    uint64_t expansions_left;
    uint64_t sent, received; /* batches */
    struct distributed_report report;
    struct distributed_stop stop;
    bool is_stopped, stop_told; /* this rank cannot go on; rank 0 was told */
    bool upper_due;             /* a better goal was found, and the others do not know yet */
    bool asked;                 /* rank 0 has asked, and waits for the answer */
    uint64_t question;
    bool halted, reported, over;
    bool trace_due;
    uint32_t trace_index;
    int lost; /* a rank that was lost; -1: none */

    /* Rank 0 only. */
    struct distributed_idle wave; /* sums of the answers to the question now asked */
    int answers;
    bool wave_runs;
    uint64_t last_received; /* batches received by all ranks when the question before was answered */
    bool all_idle;          /* nothing is left to expand anywhere, and nothing is under way */
    int reports;
    struct distributed_report sum; /* of all reports; the goal is the best one */
    int goal_rank;
    uint64_t least_share, most_share; /* states expanded by the ranks that did least and most */
    struct search_line line;          /* the line to the best goal, last move first */
    struct distributed_trace traced;
    bool has_traced;
    struct distributed_look look; /* all ranks */
};

static inline struct distributed_node *distributed_at(const struct distributed_rank *rank, uint32_t index) {
    return (struct distributed_node *)table_extra(&rank->table, index);
}

/* ---- distributed_bytes.c ---- */

/* Chooses the bytes so that most children belong to the rank of their parent. All ranks that work on the same instance
 * choose the same. False: memory is full; the rank must then stop, because it does not know what the others chose. */
bool distributed_choose_bytes(const struct search_run *run, struct distributed_bytes *bytes);

/* ---- distributed.c ---- */

/* Stores a batch of records that arrived from `from`. */
void distributed_take_batch(struct distributed_rank *rank, int from, const void *bytes, size_t size);
/* The f of the state that would be expanded next if nobody had to wait; DISTRIBUTED_NO_F: none. */
uint32_t distributed_next_f(struct distributed_rank *rank);
/* Whether a state is left that has not been expanded. */
bool distributed_has_open(struct distributed_rank *rank);
/* This rank cannot go on. The first reason is kept. */
void distributed_stop_rank(struct distributed_rank *rank, struct distributed_stop why);

/* ---- distributed_look.c ---- */

struct search_picture;
/* Rank 0: takes a part of the line that is being collected. */
void distributed_take_look(struct distributed_rank *rank, const struct distributed_trace *trace,
                           const soloist_move *moves);
/* Asks for the next part of the line, or answers rank 0. */
void distributed_look_on(struct distributed_rank *rank);
void distributed_paint_line(const struct distributed_rank *rank, struct search_picture *picture);
void distributed_close_look(struct distributed_rank *rank);

/* ---- distributed_messages.c ---- */

/* Tells rank 0, which may be this one, how the state of this index was reached. */
void distributed_answer_look(struct distributed_rank *rank, uint32_t index);

/* Sends a message, and takes others that arrive while there is no room for it. */
void distributed_send(struct distributed_rank *rank, int to, enum distributed_tag tag, const void *bytes, size_t size);
/* Sends what is in a box. */
void distributed_flush(struct distributed_rank *rank, int to);
/* Takes all messages that have arrived. */
void distributed_receive(struct distributed_rank *rank);
/* Sends what is due: a better goal to all others; to rank 0 the f that this rank has come to, and that it is stopped;
 * from rank 0 the floor to all others. */
void distributed_tell(struct distributed_rank *rank);
/* To be called when this rank has nothing to expand and all boxes are empty: answers rank 0, or asks all. */
void distributed_be_idle(struct distributed_rank *rank);
/* Called instead of expanding when the search has been halted: reports to rank 0 and answers its questions; on rank 0,
 * gathers the result. */
void distributed_conclude(struct distributed_rank *rank);
/* Rank 0: ends the search on all ranks, because all are idle or one cannot go on. */
void distributed_halt(struct distributed_rank *rank);

#endif
