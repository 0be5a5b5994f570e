/* Sharing a search tree: the messages of a worker. */
#include "search/ida_star/split_worker.h"

#include <string.h>

/* The first word of ASK. */
enum manner {
    ONCE,     /* wants an answer */
    REMEMBER, /* wants to be remembered instead of being told that there is no work */
    AHEAD     /* has work: wants only a piece that was cut in advance, and an answer */
};

enum tag {
    ASK,          /* has the receiver work? */
    NONE,         /* it has none */
    WORK,         /* a piece: a struct split_round, 1 if more pieces were cut in advance, the piece */
    CONFIRM,      /* a piece and all that was given away from it are done: a split_summary */
    FOUND,        /* to worker 0: cost and moves of a solution */
    HALT,         /* to worker 0: why the sender could not go on: a split_end, a soloist_stop, text */
    DISMISS,      /* from worker 0: the search has ended: struct verdict, then the moves of the solution */
    REPORT,       /* to worker 0: the sender's split_share; its last message */
    MORE = 1 << 8 /* added to a tag: this is not the last part of the message */
};

enum { random_tries = 2, work_head = 4, halt_head = 2 };

/* The result of the run, as worker 0 tells it. */
struct verdict {
    int32_t code, stop, value;
    uint32_t found, optimal, impossible;
};

/* ---- sending ---- */

static size_t part_size(const struct split_worker *worker) { return worker->peers->most & ~(size_t)3; }

/* Sends a message in parts; returns how many words were sent before the receiver's box was full. A message without
 * words has one part. A lost receiver needs nothing. */
static uint32_t send_parts(struct split_worker *worker, int to, uint32_t tag, const uint32_t *words, uint32_t count,
                           bool *sent) {
    uint32_t most = (uint32_t)(part_size(worker) / sizeof *words), done = 0;
    enum peers_code code;
    do {
        uint32_t part = count - done < most ? count - done : most;
        bool last = done + part == count;
        code =
            peers_send(worker->peers, to, last ? tag : tag | MORE, done ? words + done : words, part * sizeof *words);
        if (code == PEERS_FULL)
            break;
        done += part;
    } while (done < count);
    *sent = code != PEERS_FULL;
    return done;
}

/* Keeps a message, or the rest of it, until there is room in the receiver's box. */
static bool keep_letter(struct split_worker *worker, int to, uint32_t tag, const uint32_t *words, uint32_t count) {
    if (!memory_grow(worker->memory, &worker->letters, sizeof *worker->letters, &worker->letter_room,
                     (uint64_t)worker->letter_count + 1))
        return false;
    struct split_letter *letter = &worker->letters[worker->letter_count];
    *letter = (struct split_letter){.to = to, .tag = tag};
    if (!piece_begin(&letter->words, worker->memory, count))
        return false;
    if (count)
        memcpy(letter->words.words, words, count * sizeof *words);
    worker->letter_count++;
    return true;
}

/* Sends a message, now or later. Messages to one worker keep their order, because none is sent before an older one. If
 * there is no memory to keep a message, work may be lost, so the search ends. */
static void post(struct split_worker *worker, int to, uint32_t tag, const uint32_t *words, uint32_t count) {
    bool sent = false;
    uint32_t done = worker->letter_count ? 0 : send_parts(worker, to, tag, words, count, &sent);
    if (!sent && !keep_letter(worker, to, tag, done ? words + done : words, count - done))
        split_halt(worker, SPLIT_FULL);
}

/* Sends messages that were kept, as far as there is room. */
static void send_letters(struct split_worker *worker) {
    uint32_t gone = 0;
    bool sent = true;
    while (gone < worker->letter_count && sent) {
        struct split_letter *letter = &worker->letters[gone];
        uint32_t done = send_parts(worker, letter->to, letter->tag, letter->words.words, letter->words.count, &sent);
        if (sent) {
            piece_close(&letter->words, worker->memory);
            gone++;
        } else if (done) {
            letter->words.count -= done;
            memmove(letter->words.words, letter->words.words + done, letter->words.count * sizeof(uint32_t));
        }
    }
    worker->letter_count -= gone;
    if (gone)
        memmove(worker->letters, worker->letters + gone, worker->letter_count * sizeof *worker->letters);
}

/* ---- ending ---- */

/* Tells worker 0 why this worker cannot go on. This needs no memory; it is tried again until there is room. */
static void send_halt(struct split_worker *worker) {
    uint32_t words[PEERS_LEAST / sizeof(uint32_t)] = {(uint32_t)worker->end,
                                                      (uint32_t)atomic_load(&worker->run->budget->stop)};
    size_t room = sizeof words - halt_head * sizeof *words;
    if (worker->end == SPLIT_REFUSED)
        memcpy(words + halt_head, worker->run->error->text, room - 1);
    worker->halt_sent = peers_send(worker->peers, 0, HALT, words, sizeof words) != PEERS_FULL;
}

void split_halt(struct split_worker *worker, enum split_end end) {
    if (worker->over || worker->halted)
        return;
    worker->end = end;
    worker->halted = true;
    if (worker->peers->rank)
        send_halt(worker);
    else
        worker->over = worker->halt_sent = true;
}

void split_found(struct split_worker *worker, const soloist_move *moves, size_t count, int32_t cost) {
    if (!worker->peers->rank) {
        search_record(worker->run, moves, count, cost);
        split_halt(worker, SPLIT_FOUND);
        return;
    }
    if (!piece_begin(&worker->piece, worker->memory, count + 1)) {
        split_halt(worker, SPLIT_FULL);
        return;
    }
    worker->piece.words[0] = (uint32_t)cost;
    if (count)
        memcpy(worker->piece.words + 1, moves, count * sizeof *moves);
    worker->end = SPLIT_FOUND;
    worker->halted = worker->halt_sent = true;
    post(worker, 0, FOUND, worker->piece.words, worker->piece.count);
}

/* Worker 0 hears that another worker has found a solution; it counts even if a limit has ended the search meanwhile. */
static void hear_found(struct split_worker *worker, const uint32_t *words, uint32_t count) {
    if (worker->over && worker->run->found)
        return;
    search_record(worker->run, words + 1, count - 1, (int32_t)words[0]);
    split_halt(worker, SPLIT_FOUND);
}

/* Worker 0 hears that another worker cannot go on. */
static void hear_halt(struct split_worker *worker, const uint32_t *words) {
    if (worker->over)
        return;
    if ((int32_t)words[1] >= 0)
        budget_stop(worker->run->budget, (soloist_stop)words[1]);
    if (words[0] == SPLIT_REFUSED)
        soloist_fail(worker->run->error, 0, 0, "%s", (const char *)(words + halt_head));
    split_halt(worker, (enum split_end)words[0]);
}

static void hear_report(struct split_worker *worker, int from, const void *words) {
    if (worker->split->shares)
        memcpy(&worker->split->shares[from], words, sizeof *worker->split->shares);
    worker->reports++;
}

/* The other processes get the same result as worker 0. */
static void hear_verdict(struct split_worker *worker, const uint32_t *words, uint32_t count) {
    struct verdict verdict;
    struct search_run *run = worker->run;
    const uint32_t head = sizeof verdict / sizeof *words;
    worker->over = true;
    memcpy(&verdict, words, sizeof verdict);
    if (worker->split->threads)
        return;
    if (verdict.found)
        search_record(run, words + head, count - head, verdict.value);
    run->optimal = verdict.optimal;
    run->impossible = verdict.impossible;
    if (verdict.stop >= 0)
        budget_stop(run->budget, (soloist_stop)verdict.stop);
    worker->split->code = (soloist_code)verdict.code;
    if (verdict.code != SOLOIST_OK)
        soloist_fail(run->error, 0, 0, "another process of this search ended it");
}

/* ---- work ---- */

static void send_work(struct split_worker *worker, int to, const struct split_round *round, const struct piece *piece) {
    bool more = worker->queue_first < worker->queue_count;
    struct split_letter letter = {0};
    if (!piece_begin(&letter.words, worker->memory, (uint64_t)piece->count + work_head)) {
        split_halt(worker, SPLIT_FULL);
        return;
    }
    memcpy(letter.words.words, round, sizeof *round);
    letter.words.words[work_head - 1] = more;
    memcpy(letter.words.words + work_head, piece->words, piece->count * sizeof *piece->words);
    post(worker, to, WORK, letter.words.words, letter.words.count);
    piece_close(&letter.words, worker->memory);
    worker->given++;
}

/* Gives the next of the pieces that were cut in advance. False: there is none. */
static bool give_next(struct split_worker *worker, int to) {
    if (worker->queue_first == worker->queue_count || worker->over || worker->halted)
        return false;
    struct split_task *task = &worker->queue[worker->queue_first++];
    send_work(worker, to, &task->round, &task->piece);
    piece_close(&task->piece, worker->memory);
    return true;
}

/* Gives a piece to a worker: one that waits here or a part of what the walk is searching. False: there is none. A
 * worker begins at least one of the pieces that it received: if it gave the last one away, two idle workers whose
 * requests cross could pass one piece to each other without end. */
static bool give_to(struct split_worker *worker, int to) {
    if (worker->over || worker->halted)
        return false;
    if (give_next(worker, to))
        return true;
    if (worker->task_count > !worker->active) {
        struct split_task task = worker->tasks[--worker->task_count];
        send_work(worker, to, &task.round, &task.piece);
        piece_close(&task.piece, worker->memory);
        return true;
    }
    if (!worker->active || !worker->split->kind->give(worker->walk, &worker->piece))
        return false;
    send_work(worker, to, &worker->round, &worker->piece);
    return true;
}

void split_give(struct split_worker *worker) {
    uint32_t served = 0;
    while (served < worker->waiting_count && give_to(worker, (int)worker->waiting[served]))
        worker->is_waiting[worker->waiting[served++]] = false;
    if (served) {
        worker->waiting_count -= served;
        memmove(worker->waiting, worker->waiting + served, worker->waiting_count * sizeof *worker->waiting);
    }
}

static void hear_question(struct split_worker *worker, int from, enum manner manner) {
    bool given = manner == AHEAD ? give_next(worker, from) : !worker->waiting_count && give_to(worker, from);
    if (given)
        return;
    if (manner != REMEMBER)
        post(worker, from, NONE, NULL, 0);
    else if (!worker->is_waiting[from]) {
        worker->is_waiting[from] = true;
        worker->waiting[worker->waiting_count++] = (uint32_t)from;
    }
}

static void send_summary(struct split_worker *worker, int to, struct split_summary summary) {
    uint32_t words[sizeof summary / sizeof(uint32_t)];
    memcpy(words, &summary, sizeof summary);
    post(worker, to, CONFIRM, words, sizeof words / sizeof *words);
}

static void hear_work(struct split_worker *worker, int from, const uint32_t *words, uint32_t count) {
    struct split_task task = {0};
    if (worker->engaged)
        send_summary(worker, from, split_nothing());
    else
        worker->parent = from;
    worker->engaged = true;
    worker->asked = false;
    worker->tries = 0;
    if (!memory_grow(worker->memory, &worker->tasks, sizeof *worker->tasks, &worker->task_room,
                     (uint64_t)worker->task_count + 1) ||
        !piece_begin(&task.piece, worker->memory, count - work_head)) {
        split_halt(worker, SPLIT_FULL);
        return;
    }
    memcpy(&task.round, words, sizeof task.round);
    task.ask = words[work_head - 1] ? from : -1;
    memcpy(task.piece.words, words + work_head, task.piece.count * sizeof *words);
    worker->tasks[worker->task_count++] = task;
}

static void hear_summary(struct split_worker *worker, const void *words) {
    struct split_summary summary;
    memcpy(&summary, words, sizeof summary);
    split_add_summary(&worker->summary, &summary);
    worker->given--;
}

void split_confirm(struct split_worker *worker) {
    if (!worker->engaged || worker->halted || worker->over || worker->task_count || worker->given)
        return;
    send_summary(worker, worker->parent, worker->summary);
    worker->summary = split_nothing();
    worker->engaged = false;
}

void split_ask_ahead(struct split_worker *worker, int other) {
    if (worker->asked || worker->over || worker->halted)
        return;
    worker->asked = true;
    post(worker, other, ASK, &(uint32_t){AHEAD}, 1);
}

void split_ask(struct split_worker *worker) {
    uint32_t count = (uint32_t)worker->peers->count, rank = (uint32_t)worker->peers->rank;
    if (worker->asked)
        return;
    if (worker->tries < random_tries) {
        uint32_t other = (rank + 1 + soloist_rng_below(&worker->rng, count - 1)) % count;
        worker->tries++;
        worker->asked = true;
        post(worker, (int)other, ASK, &(uint32_t){ONCE}, 1);
        return;
    }
    if (worker->tries == random_tries && rank)
        post(worker, 0, ASK, &(uint32_t){REMEMBER}, 1);
    for (; worker->tries < random_tries + 32 && 1u << (worker->tries - random_tries) < count; worker->tries++)
        post(worker, (int)((rank + (1u << (worker->tries - random_tries))) % count), ASK, &(uint32_t){REMEMBER}, 1);
}

/* ---- receiving ---- */

static void handle(struct split_worker *worker, int from, uint32_t tag, const uint32_t *words, uint32_t count) {
    switch ((enum tag)tag) {
    case ASK: hear_question(worker, from, (enum manner)words[0]); break;
    case NONE: worker->asked = false; break;
    case WORK: hear_work(worker, from, words, count); break;
    case CONFIRM: hear_summary(worker, words); break;
    case FOUND: hear_found(worker, words, count); break;
    case HALT: hear_halt(worker, words); break;
    case DISMISS: hear_verdict(worker, words, count); break;
    case REPORT: hear_report(worker, from, words); break;
    case MORE: break;
    }
}

/* Adds a part of a message to the parts before it. If the sender has given up sending that message and sends another
 * one, the old parts are dropped. */
static bool add_part(struct split_worker *worker, const struct peers_message *message) {
    struct split_letter *parts = &worker->inbox[message->from];
    uint32_t tag = message->tag & ~(uint32_t)MORE, more = (uint32_t)(message->size / sizeof(uint32_t));
    uint32_t before = parts->tag == tag ? parts->words.count : 0;
    if (!piece_begin(&parts->words, worker->memory, (uint64_t)before + more))
        return false;
    memcpy(parts->words.words + before, message->bytes, message->size);
    parts->tag = tag;
    return true;
}

static void receive_one(struct split_worker *worker, const struct peers_message *message) {
    struct split_letter *parts = &worker->inbox[message->from];
    bool last = !(message->tag & MORE);
    if (last && !(parts->words.count && parts->tag == message->tag)) {
        parts->words.count = 0;
        handle(worker, message->from, message->tag, message->bytes, (uint32_t)(message->size / sizeof(uint32_t)));
        return;
    }
    if (!add_part(worker, message)) {
        split_halt(worker, SPLIT_FULL);
        return;
    }
    if (last) {
        handle(worker, message->from, parts->tag, parts->words.words, parts->words.count);
        parts->words.count = 0;
    }
}

/* Worker 0 cannot do without the pieces of the others, and nobody can do without worker 0. */
static void hear_loss(struct split_worker *worker, int lost) {
    worker->lost = true;
    worker->reports++;
    if (!worker->peers->rank)
        split_halt(worker, SPLIT_STOPPED);
    worker->cut_off |= lost == worker->peers->rank;
    worker->over |= !lost || worker->cut_off;
}

int split_receive(struct split_worker *worker) {
    struct peers_message message;
    int count = 0;
    if (worker->halted && !worker->halt_sent)
        send_halt(worker);
    if (worker->letter_count)
        send_letters(worker);
    for (;; count++) {
        enum peers_code code = peers_receive(worker->peers, &message);
        if (code == PEERS_NONE)
            return count;
        if (code == PEERS_OK)
            receive_one(worker, &message);
        else
            hear_loss(worker, message.from);
        if (worker->cut_off)
            return count + 1;
    }
}

/* ---- the first and the last messages ---- */

/* While worker 0 dismisses the others, only their reports matter, and solutions that were under way. */
static void take_report(void *user, enum peers_code code, const struct peers_message *message) {
    struct split_worker *worker = user;
    if (code == PEERS_LOST)
        hear_loss(worker, message->from);
    else if ((message->tag & ~(uint32_t)MORE) == FOUND)
        receive_one(worker, message);
    else if (message->tag == REPORT)
        hear_report(worker, message->from, message->bytes);
}

static void dismiss_one(struct split_worker *worker, int to, const uint32_t *words, uint32_t count) {
    uint32_t most = (uint32_t)(part_size(worker) / sizeof *words);
    for (uint32_t done = 0; done < count;) {
        uint32_t part = count - done < most ? count - done : most;
        peers_send_all(worker->peers, to, done + part < count ? DISMISS | MORE : DISMISS, words + done,
                       part * sizeof *words, take_report, worker);
        done += part;
    }
}

/* Without memory for the moves, the others are only told that the search has ended. */
void split_dismiss(struct split_worker *worker, soloist_code code) {
    const struct search_run *run = worker->run;
    struct verdict verdict = {
        (int32_t)code,  atomic_load(&run->budget->stop), run->found ? run->best.value : 0, run->found, run->optimal,
        run->impossible};
    const uint32_t head = sizeof verdict / sizeof(uint32_t);
    uint32_t alone[sizeof verdict / sizeof(uint32_t)], count = head, *words = alone;
    if (run->found && !worker->split->threads && run->best.count &&
        piece_begin(&worker->piece, worker->memory, head + (uint64_t)run->best.count)) {
        words = worker->piece.words;
        count = worker->piece.count;
        memcpy(words + head, run->best.moves, run->best.count * sizeof *run->best.moves);
    } else if (!worker->split->threads && run->best.count)
        verdict.found = false;
    memcpy(words, &verdict, sizeof verdict);
    worker->over = true;
    for (int to = 1; to < worker->peers->count; to++)
        dismiss_one(worker, to, words, count);
    while (worker->reports < worker->peers->count - 1 && !worker->cut_off) {
        struct peers_message message;
        enum peers_code received = peers_receive(worker->peers, &message);
        if (received == PEERS_NONE)
            peers_wait(worker->peers, NULL);
        else
            take_report(worker, received, &message);
    }
}

static void drop(void *user, enum peers_code code, const struct peers_message *message) {
    (void)user, (void)code, (void)message;
}

void split_report(struct split_worker *worker) {
    peers_send_all(worker->peers, 0, REPORT, &worker->share, sizeof worker->share, drop, worker);
}

bool split_mail_open(struct split_worker *worker) {
    size_t count = (size_t)worker->peers->count;
    worker->waiting = memory_take(worker->memory, count * sizeof *worker->waiting);
    worker->is_waiting = memory_take(worker->memory, count * sizeof *worker->is_waiting);
    worker->inbox = memory_take(worker->memory, count * sizeof *worker->inbox);
    return worker->waiting && worker->is_waiting && worker->inbox;
}

void split_mail_close(struct split_worker *worker) {
    struct memory *memory = worker->memory;
    size_t count = (size_t)worker->peers->count;
    for (size_t i = 0; worker->inbox && i < count; i++)
        piece_close(&worker->inbox[i].words, memory);
    for (uint32_t i = 0; i < worker->letter_count; i++)
        piece_close(&worker->letters[i].words, memory);
    for (uint32_t i = 0; i < worker->task_count; i++)
        piece_close(&worker->tasks[i].piece, memory);
    for (uint32_t i = worker->queue_first; i < worker->queue_count; i++)
        piece_close(&worker->queue[i].piece, memory);
    memory_give(memory, worker->queue, worker->queue_room * sizeof *worker->queue);
    piece_close(&worker->piece, memory);
    memory_give(memory, worker->tasks, worker->task_room * sizeof *worker->tasks);
    memory_give(memory, worker->letters, worker->letter_room * sizeof *worker->letters);
    memory_give(memory, worker->inbox, count * sizeof *worker->inbox);
    memory_give(memory, worker->is_waiting, count * sizeof *worker->is_waiting);
    memory_give(memory, worker->waiting, count * sizeof *worker->waiting);
}
