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
    bool is_expanded; /* the state was expanded at its present cost; its entries in the open list are then stale */
};

/* A generated state in a message to the rank to which it belongs; the packed state is stored directly behind this
 * struct. */
struct distributed_record {
    uint64_t key;
    uint32_t parent;
    soloist_move move;
    int32_t cost, bound;
};

/* The kinds of messages between ranks. To find out whether the search has ended, the ranks count batches. They need not
 * count other messages, because these contain no states. */
enum distributed_tag {
    TAG_BATCH,  /* generated states: an array of struct distributed_record */
    TAG_UPPER,  /* to all ranks: the cost of a goal that the sender found */
    TAG_LEVEL,  /* to rank 0: the f of the state that the sender expands next, a uint32_t */
    TAG_FLOOR,  /* rank 0 to all: the least f that the ranks last sent by TAG_LEVEL, a uint32_t */
    TAG_ASK,    /* rank 0 to all: answer when you have nothing to expand; contains the number of this question */
    TAG_IDLE,   /* the answer to TAG_ASK: struct distributed_idle */
    TAG_STOP,   /* to rank 0: the sender must stop; struct distributed_stop */
    TAG_HALT,   /* rank 0 to all: expand no more states, and send TAG_REPORT */
    TAG_REPORT, /* the answer to TAG_HALT: struct distributed_report */
    TAG_TRACE,  /* rank 0 to one rank: by which moves was a state reached? contains the index of the state */
    TAG_TRACED, /* the answer to TAG_TRACE: struct distributed_trace and moves */
    TAG_OVER,   /* rank 0 to all: the search has ended */
    TAG_LOOK,   /* rank 0 to one rank: the same question as TAG_TRACE, about a path that is only displayed */
    TAG_LOOKED  /* the answer to TAG_LOOK, in the form of TAG_TRACED */
};

struct distributed_idle {
    uint64_t question, sent, received; /* sent, received: numbers of batches so far */
};

struct distributed_stop {
    int32_t reason;         /* a soloist_stop; -1: a move has a negative cost, or the sum of costs overflows */
    int32_t cost, bad_step; /* if `reason` is -1: bad_step: cost of that move; cost: cost of the path before it */
};

struct distributed_report {
    uint64_t nodes, expanded;
    int32_t goal; /* cost of the best goal that this rank has generated; SOLOIST_DEAD: none */
    uint32_t parent;
    soloist_move move;
    bool left_open; /* when the rank reported, it had states that were not expanded */
};

struct distributed_trace {
    int32_t rank; /* the rank to which the next state on the way to the root belongs; -1: the root is reached */
    uint32_t index, count;
};

/* The path that is displayed to somebody who watches the search; unused if nobody watches. */
struct distributed_look {
    struct distributed_trace at; /* the next state on the path: rank 0 asks about it, another rank answers */
    bool is_due;                 /* rank 0 must ask about `at`, or another rank must answer about it */

    /* Rank 0 only. */
    bool is_asking;
    uint32_t latest;                /* the state that was expanded last */
    uint64_t next;                  /* when rank 0 has expanded this number of states, it collects the next path */
    struct search_line line, shown; /* line: the path being collected, last move first; shown: the last complete path */
};

/* Records for one rank that have not been sent yet. */
struct distributed_box {
    unsigned char *bytes;
    size_t used;
};

/* Which bytes of a packed state decide to which rank the state belongs. If there are none, the state's key decides. */
enum { distributed_most_bytes = 32 };

struct distributed_bytes {
    uint32_t at[distributed_most_bytes];
    int count;
};

#define DISTRIBUTED_NO_F UINT32_MAX

/* Maximum number of states that are taken from the open list in advance, so that they are in the cache when they are
 * expanded. */
enum { distributed_ahead = 4 };

struct distributed_rank {
    struct search_run *run; /* shared by all ranks if these are threads */
    const struct distributed_settings *settings;
    const struct distributed_bytes *bytes;
    struct peers *peers;
    /* True: this thread may use all of `run`. False: another thread owns `run`. Of the members that change during the
     * search, this thread then uses only the counters, `stop`, `memory` and `watch` of run->budget. */
    bool owns_run;
    bool admissible;
    int32_t upper; /* least cost of a goal known to this rank; SOLOIST_DEAD: none */

    struct table table;
    struct open_list open;
    uint32_t ahead[distributed_ahead];
    unsigned ahead_first, ahead_count;
    /* Ranks that are faster than others would expand states whose f exceeds the optimal cost. Therefore a rank expands
     * only a few states whose f is above the floor. The floor is the minimum, over all ranks, of the f that the rank
     * last reported to rank 0. */
    uint32_t level, floor; /* level: the f last reported to rank 0; floor: see above; DISTRIBUTED_NO_F: no state */
    uint64_t told_at;      /* number of states this rank had expanded when it last sent TAG_LEVEL */
    uint32_t top_floor;    /* the greatest floor so far */
    uint64_t early;        /* number of states expanded with f above the floor since `top_floor` last rose */
    uint32_t *levels;      /* rank 0 only: the f that each rank last reported */
    bool floor_due;        /* rank 0 only: the floor has changed, and TAG_FLOOR must be sent */
    void *state, *child, *packed; /* scratch */
    soloist_child *children;
    struct distributed_box *boxes; /* one per rank; this rank's own box holds children that stay on this rank */
    size_t record_size, box_size, own_box_size;
    void *scratch;
    size_t scratch_size;
    int next_flushed; /* number of the box last considered by flush_next, which also sends boxes that are not full */
    unsigned flush_rounds;
    soloist_rng rng;
    struct search_looks looks; /* of a rank that does not own the run */

    uint64_t lease; /* nodes that were counted in the budget but not yet generated */
    uint64_t nodes, expanded, told_expanded;
    uint64_t expansions_left;
    uint64_t sent, received; /* batches */
    struct distributed_report report;
    struct distributed_stop stop;
    bool is_stopped, stop_told; /* is_stopped: this rank must stop; stop_told: rank 0 knows this */
    bool upper_due;             /* a better goal was found, and TAG_UPPER must be sent */
    bool asked;                 /* rank 0 has sent TAG_ASK and waits for the answer */
    uint64_t question;
    bool halted, reported, over;
    bool trace_due;
    uint32_t trace_index;
    int lost; /* number of a rank to which the connection was lost; -1: none */

    /* Rank 0 only. */
    struct distributed_idle wave; /* sums of the answers to the current TAG_ASK */
    int answers;
    bool wave_runs;
    uint64_t last_received; /* number of batches received by all ranks, according to their previous answers */
    bool all_idle;          /* no rank has a state to expand, and no batch is in transit */
    int reports;
    struct distributed_report sum; /* sum of all reports; its goal is the best goal of all ranks */
    int goal_rank;
    uint64_t least_share, most_share; /* least and greatest number of states that a rank expanded */
    struct search_line line;          /* the path to the best goal, last move first */
    struct distributed_trace traced;
    bool has_traced;
    struct distributed_look look; /* all ranks */
};

static inline struct distributed_node *distributed_at(const struct distributed_rank *rank, uint32_t index) {
    return (struct distributed_node *)table_extra(&rank->table, index);
}

/* ---- distributed_bytes.c ---- */

/* Chooses the bytes that decide to which rank a state belongs, so that most children belong to the rank of their
 * parent. All ranks that work on the same instance choose the same bytes. False: memory is full; the rank must then
 * stop, because it does not know which bytes the other ranks chose. */
bool distributed_choose_bytes(const struct search_run *run, struct distributed_bytes *bytes);

/* ---- distributed.c ---- */

/* Stores a batch of records that arrived from `from`. */
void distributed_take_batch(struct distributed_rank *rank, int from, const void *bytes, size_t size);
/* The f of the first state of the open list, even if the rank may not expand this state yet because of the floor.
 * DISTRIBUTED_NO_F: no state needs to be expanded. */
uint32_t distributed_next_f(struct distributed_rank *rank);
/* Whether a state is left that has not been expanded. */
bool distributed_has_open(struct distributed_rank *rank);
/* Marks this rank as stopped. If it is stopped already, the first reason is kept. */
void distributed_stop_rank(struct distributed_rank *rank, struct distributed_stop why);

/* ---- distributed_look.c ---- */

struct search_picture;
/* Called on rank 0 only: appends a part to the path that is being collected. */
void distributed_take_look(struct distributed_rank *rank, const struct distributed_trace *trace,
                           const soloist_move *moves);
/* On rank 0, asks for the next part of the displayed path if this question is due; on other ranks, answers such a
 * question of rank 0 if there is one. */
void distributed_look_on(struct distributed_rank *rank);
void distributed_paint_line(const struct distributed_rank *rank, struct search_picture *picture);
void distributed_close_look(struct distributed_rank *rank);

/* ---- distributed_messages.c ---- */

/* Sends rank 0 the last moves by which the state of this index was reached. On rank 0 itself, no message is needed. */
void distributed_answer_look(struct distributed_rank *rank, uint32_t index);

/* Sends a message. While there is no room for it, receives and handles other messages. */
void distributed_send(struct distributed_rank *rank, int to, enum distributed_tag tag, const void *bytes, size_t size);
/* Sends the records of a box as one batch, if there are any. */
void distributed_flush(struct distributed_rank *rank, int to);
/* Receives and handles all messages that have arrived. */
void distributed_receive(struct distributed_rank *rank);
/* Sends the messages that are due: the cost of a better goal to all other ranks; to rank 0, the f that this rank has
 * reached, and whether it must stop; from rank 0 to all other ranks, the floor. */
void distributed_tell(struct distributed_rank *rank);
/* The rank calls this when it has no state to expand and all its boxes are empty. If rank 0 has asked whether this rank
 * is idle, answers; on rank 0 itself, asks all ranks. */
void distributed_be_idle(struct distributed_rank *rank);
/* Called instead of expanding when the search has been halted: reports to rank 0 and answers its questions; on rank 0,
 * gathers the result. */
void distributed_conclude(struct distributed_rank *rank);

#endif
