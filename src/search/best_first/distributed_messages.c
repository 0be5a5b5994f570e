/* The messages that the ranks of a distributed search send each other.
 *
 * The end of the search is detected by counting batches (Mattern 1987, the four counter method). Rank 0 sends a
 * question to all ranks. Each rank answers when it has nothing to expand and no batch to send; its answer holds the
 * numbers of batches that it has sent and received so far. Suppose that the number of batches received, according to
 * the answers to one question, equals the number of batches sent, according to the answers to the next question. Then
 * no batch was under way between the two questions, and no rank had anything to expand. A rank that handles a received
 * message sends no message at that moment: it only notes what was asked, and the main loop answers later. Therefore
 * ranks that wait for room in their message queues cannot deadlock. */
#include "search/best_first/distributed_rank.h"

#include <string.h>

/* ---- taking messages ---- */

static void add_report(struct distributed_rank *rank, int from, const struct distributed_report *report) {
    struct distributed_report *sum = &rank->sum;
    rank->reports++;
    sum->nodes += report->nodes;
    sum->expanded += report->expanded;
    sum->left_open |= report->left_open;
    rank->least_share = report->expanded < rank->least_share ? report->expanded : rank->least_share;
    rank->most_share = report->expanded > rank->most_share ? report->expanded : rank->most_share;
    if (report->goal < sum->goal) {
        sum->goal = report->goal;
        sum->parent = report->parent;
        sum->move = report->move;
        rank->goal_rank = from;
    }
}

static void add_idle(struct distributed_rank *rank, const struct distributed_idle *idle) {
    rank->wave.sent += idle->sent;
    rank->wave.received += idle->received;
    rank->answers++;
}

/* Adds a part of the line to the best goal. */
static void add_trace(struct distributed_rank *rank, const struct distributed_trace *trace, const soloist_move *moves) {
    struct search_line *line = &rank->line;
    rank->traced = *trace;
    rank->has_traced = true;
    if (line->count + trace->count > line->room &&
        !search_line_reserve(line, 2 * line->count + trace->count, &rank->run->budget->memory)) {
        rank->traced.rank = -1;
        line->count = 0;
        budget_stop(rank->run->budget, SOLOIST_STOP_MEMORY);
        return;
    }
    memcpy(line->moves + line->count, moves, trace->count * sizeof *moves);
    line->count += trace->count;
}

static void take_upper(struct distributed_rank *rank, int32_t cost) {
    rank->upper = cost < rank->upper ? cost : rank->upper;
}

static void take_floor(struct distributed_rank *rank, uint32_t floor) {
    rank->floor = floor;
    if (floor <= rank->top_floor || floor == DISTRIBUTED_NO_F)
        return;
    rank->top_floor = floor;
    rank->early = 0;
}

/* Rank 0: notes what a rank has come to, and the floor that follows. */
static void take_level(struct distributed_rank *rank, int from, uint32_t level) {
    uint32_t floor = DISTRIBUTED_NO_F;
    if (!rank->levels) /* there was no memory for it: this rank is about to stop all others */
        return;
    rank->levels[from] = level;
    for (int i = 0; i < rank->peers->count; i++)
        floor = rank->levels[i] < floor ? rank->levels[i] : floor;
    if (floor == rank->floor)
        return;
    take_floor(rank, floor);
    rank->floor_due = true;
}

static void take(struct distributed_rank *rank, const struct peers_message *message) {
    const void *bytes = message->bytes;
    switch ((enum distributed_tag)message->tag) {
    case TAG_BATCH:
        rank->received++;
        if (!rank->halted)
            distributed_take_batch(rank, message->from, bytes, message->size);
        break;
    case TAG_UPPER: take_upper(rank, *(const int32_t *)bytes); break;
    case TAG_LEVEL: take_level(rank, message->from, *(const uint32_t *)bytes); break;
    case TAG_FLOOR: take_floor(rank, *(const uint32_t *)bytes); break;
    case TAG_ASK:
        rank->asked = true;
        rank->question = *(const uint64_t *)bytes;
        break;
    case TAG_IDLE: add_idle(rank, bytes); break;
    case TAG_STOP: distributed_stop_rank(rank, *(const struct distributed_stop *)bytes); break;
    case TAG_HALT: rank->halted = true; break;
    case TAG_REPORT: add_report(rank, message->from, bytes); break;
    case TAG_TRACE:
        rank->trace_due = true;
        rank->trace_index = *(const uint32_t *)bytes;
        break;
    case TAG_TRACED: add_trace(rank, bytes, (const soloist_move *)((const struct distributed_trace *)bytes + 1)); break;
    case TAG_OVER: rank->over = true; break;
    case TAG_LOOK:
        rank->look.at = (struct distributed_trace){.rank = rank->peers->rank, .index = *(const uint32_t *)bytes};
        rank->look.is_due = true;
        break;
    case TAG_LOOKED:
        distributed_take_look(rank, bytes, (const soloist_move *)((const struct distributed_trace *)bytes + 1));
        break;
    }
}

static void take_any(void *user, enum peers_code code, const struct peers_message *message) {
    struct distributed_rank *rank = user;
    if (code == PEERS_LOST)
        rank->lost = message->from;
    else
        take(rank, message);
}

void distributed_receive(struct distributed_rank *rank) {
    struct peers_message message;
    enum peers_code code;
    while (rank->lost < 0 && !rank->over && (code = peers_receive(rank->peers, &message)) != PEERS_NONE)
        take_any(rank, code, &message);
}

/* ---- sending ---- */

void distributed_send(struct distributed_rank *rank, int to, enum distributed_tag tag, const void *bytes, size_t size) {
    if (rank->lost < 0 && peers_send_all(rank->peers, to, tag, bytes, size, take_any, rank) == PEERS_LOST)
        rank->lost = to;
}

static void send_to_others(struct distributed_rank *rank, enum distributed_tag tag, const void *bytes, size_t size) {
    for (int to = 0; to < rank->peers->count; to++)
        if (to != rank->peers->rank)
            distributed_send(rank, to, tag, bytes, size);
}

void distributed_flush(struct distributed_rank *rank, int to) {
    struct distributed_box *box = &rank->boxes[to];
    if (!box->used)
        return;
    rank->sent++;
    distributed_send(rank, to, TAG_BATCH, box->bytes, box->used);
    box->used = 0;
}

/* On rank 0 only: ends the search on all ranks, because all are idle or one must stop. */
static void halt(struct distributed_rank *rank) {
    rank->halted = true;
    send_to_others(rank, TAG_HALT, NULL, 0);
}

/* Tells rank 0 when this rank has come to a greater f, or has nothing to expand, or has something again. That states of
 * a smaller f have arrived is told seldom, because it happens often. So what a rank has told is never less than its
 * true f, the floor is never below the least f of all ranks, and the rank that has this state may expand it: nobody
 * waits for ever. */
static void tell_level(struct distributed_rank *rank) {
    enum { seldom = 2048 };
    uint32_t level = distributed_next_f(rank);
    bool is_recent = rank->expanded - rank->told_at < seldom && rank->level != DISTRIBUTED_NO_F;
    if (level == rank->level || (level < rank->level && is_recent))
        return;
    rank->told_at = rank->expanded;
    rank->level = level;
    if (rank->peers->rank)
        distributed_send(rank, 0, TAG_LEVEL, &level, sizeof level);
    else
        take_level(rank, 0, level);
}

void distributed_tell(struct distributed_rank *rank) {
    if (!rank->halted)
        distributed_look_on(rank);
    if (!rank->halted && !rank->is_stopped)
        tell_level(rank);
    if (rank->floor_due) {
        rank->floor_due = false;
        uint32_t floor = rank->floor;
        send_to_others(rank, TAG_FLOOR, &floor, sizeof floor);
    }
    if (rank->upper_due) {
        rank->upper_due = false;
        int32_t upper = rank->upper;
        send_to_others(rank, TAG_UPPER, &upper, sizeof upper);
    }
    if (!rank->is_stopped || rank->stop_told)
        return;
    rank->stop_told = true;
    if (rank->peers->rank)
        distributed_send(rank, 0, TAG_STOP, &rank->stop, sizeof rank->stop);
    else if (!rank->halted)
        halt(rank);
}

/* ---- the end ---- */

/* Rank 0 has nothing to expand: begins a question, or draws the conclusion when all have answered. */
static void ask_all(struct distributed_rank *rank) {
    if (rank->wave_runs && rank->answers < rank->peers->count)
        return;
    if (rank->wave_runs && rank->wave.question > 1 && rank->wave.sent == rank->last_received) {
        rank->all_idle = true;
        halt(rank);
        return;
    }
    rank->last_received = rank->wave.received;
    rank->wave = (struct distributed_idle){.question = rank->wave.question + 1};
    rank->answers = 0;
    rank->wave_runs = true;
    struct distributed_idle own = {.sent = rank->sent, .received = rank->received};
    add_idle(rank, &own);
    send_to_others(rank, TAG_ASK, &rank->wave.question, sizeof rank->wave.question);
}

void distributed_be_idle(struct distributed_rank *rank) {
    if (rank->peers->rank == 0) {
        ask_all(rank);
    } else if (rank->asked) {
        struct distributed_idle idle = {rank->question, rank->sent, rank->received};
        rank->asked = false;
        distributed_send(rank, 0, TAG_IDLE, &idle, sizeof idle);
    }
}

/* Follows the line from a state towards the root as far as it belongs to this rank and the message has room. */
static struct distributed_trace follow(const struct distributed_rank *rank, uint32_t index, soloist_move *moves,
                                       uint32_t room) {
    struct distributed_trace trace = {.rank = rank->peers->rank, .index = index};
    while (trace.rank == rank->peers->rank && trace.count < room) {
        const struct distributed_node *node = distributed_at(rank, trace.index);
        if (node->parent == POOL_NONE) {
            trace.rank = -1;
            break;
        }
        moves[trace.count++] = node->move;
        trace.rank = node->rank;
        trace.index = node->parent;
    }
    return trace;
}

enum { moves_per_message = (PEERS_LEAST - sizeof(struct distributed_trace)) / sizeof(soloist_move) };

/* A part of a line, as a message. */
struct part {
    struct distributed_trace trace;
    soloist_move moves[moves_per_message];
};

/* Rank 0: takes a part of the line to the best goal, or of the line that is shown. */
static void take_part(struct distributed_rank *rank, enum distributed_tag tag, const struct distributed_trace *trace,
                      const soloist_move *moves) {
    if (tag == TAG_TRACED)
        add_trace(rank, trace, moves);
    else
        distributed_take_look(rank, trace, moves);
}

static void answer(struct distributed_rank *rank, enum distributed_tag tag, uint32_t index) {
    struct part part;
    part.trace = follow(rank, index, part.moves, moves_per_message);
    if (rank->peers->rank == 0)
        take_part(rank, tag, &part.trace, part.moves);
    else
        distributed_send(rank, 0, tag, &part, sizeof part.trace + part.trace.count * sizeof *part.moves);
}

void distributed_answer_look(struct distributed_rank *rank, uint32_t index) { answer(rank, TAG_LOOKED, index); }

static void wait_for_message(struct distributed_rank *rank) {
    if (peers_wait(rank->peers, NULL) == PEERS_LOST)
        rank->lost = rank->peers->rank;
    distributed_receive(rank);
}

/* Rank 0: collects the moves of the line to the best goal, last move first. */
static void trace_goal(struct distributed_rank *rank) {
    struct distributed_trace goal = {rank->goal_rank, rank->sum.parent, 1};
    add_trace(rank, &goal, &rank->sum.move);
    while (rank->lost < 0 && rank->traced.rank >= 0) {
        int to = rank->traced.rank;
        rank->has_traced = false;
        if (to == 0)
            answer(rank, TAG_TRACED, rank->traced.index);
        else
            distributed_send(rank, to, TAG_TRACE, &rank->traced.index, sizeof rank->traced.index);
        while (!rank->has_traced && rank->lost < 0)
            wait_for_message(rank);
    }
}

/* Rank 0: the cost is computed anew, because states on the line may have become cheaper since the goal was found. */
static void record_line(struct distributed_rank *rank) {
    struct search_run *run = rank->run;
    struct search_line *line = &rank->line;
    int64_t cost = 0;
    if (!line->count || rank->lost >= 0)
        return;
    for (size_t i = 0, j = line->count - 1; i < j; i++, j--) {
        soloist_move move = line->moves[i];
        line->moves[i] = line->moves[j];
        line->moves[j] = move;
    }
    run->domain->life->root(run->instance, rank->state);
    for (size_t i = 0; i < line->count; i++)
        cost += run->domain->core->apply(run->instance, rank->state, line->moves[i], NULL);
    search_record(run, line->moves, line->count, (int32_t)cost);
}

/* Rank 0: what is proved if all ranks came to their end. With w > 1, f is no lower bound, but empty open lists still
 * are a proof. */
static void claim(struct distributed_rank *rank) {
    struct search_run *run = rank->run;
    bool left = rank->sum.left_open;
    run->impossible = !left && rank->sum.goal == SOLOIST_DEAD; /* memory for the line to a goal may be lacking */
    if (run->found && (!left || (rank->admissible && rank->settings->weight <= 1000)))
        run->optimal = true;
}

/* Rank 0: when all have reported, finds the line and ends the search. */
static void gather(struct distributed_rank *rank) {
    struct search_run *run = rank->run;
    if (rank->is_stopped && rank->stop.reason >= 0)
        budget_stop(run->budget, (soloist_stop)rank->stop.reason);
    if (rank->sum.goal != SOLOIST_DEAD)
        trace_goal(rank);
    record_line(rank);
    if (rank->all_idle && !rank->is_stopped)
        claim(rank);
    search_note(run, "%d ranks, %.1f to %.1f %% of the states each", rank->peers->count,
                100.0 * (double)rank->least_share / (double)(rank->sum.expanded + !rank->sum.expanded),
                100.0 * (double)rank->most_share / (double)(rank->sum.expanded + !rank->sum.expanded));
    double mean = (double)(rank->sum.expanded + !rank->sum.expanded) / rank->peers->count;
    run->shares =
        (struct search_shares){rank->peers->count, (double)rank->least_share / mean, (double)rank->most_share / mean};
    send_to_others(rank, TAG_OVER, NULL, 0);
    rank->over = true;
}

void distributed_conclude(struct distributed_rank *rank) {
    if (!rank->reported) {
        rank->reported = true;
        rank->report.nodes = rank->nodes;
        rank->report.expanded = rank->expanded;
        rank->report.left_open = distributed_has_open(rank);
        if (rank->peers->rank == 0)
            add_report(rank, 0, &rank->report);
        else
            distributed_send(rank, 0, TAG_REPORT, &rank->report, sizeof rank->report);
    }
    if (rank->trace_due) {
        rank->trace_due = false;
        answer(rank, TAG_TRACED, rank->trace_index);
    }
    if (rank->peers->rank == 0 && rank->reports == rank->peers->count)
        gather(rank);
    else
        wait_for_message(rank);
}
