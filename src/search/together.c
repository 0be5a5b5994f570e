#include "search/together.h"
#include "base/hash.h"

enum together_tag {
    TOGETHER_NOTHING,
    TOGETHER_LINE, /* a line */
    TOGETHER_END,  /* to rank 0: my search has ended; with whether it was cancelled */
    TOGETHER_STOP, /* from rank 0: end your search, for the run was cancelled */
    TOGETHER_OVER, /* from rank 0: its search has ended */
    TOGETHER_CALL, /* from rank 0 */
    TOGETHER_ANSWER
};

enum { PATIENCE = 32 };

bool together_open(struct together *together, struct search_run *run) {
    *together = (struct together){.run = run->peers ? run : NULL};
    if (!run->peers)
        return true;
    if (run->peers->rank)
        run->seed = hash_mix(run->seed + hash_mix((uint64_t)run->peers->rank));
    if (mail_open(&together->mail, run->peers))
        return true;
    mail_close(&together->mail);
    peers_finish(run->peers);
    together->run = NULL;
    return false;
}

/* ---- lines ---- */

static void send_line(struct together *together, int to, const struct together_line *line) {
    struct buffer parcel;
    buffer_open(&parcel);
    parcel_put(&parcel, &line->score, sizeof line->score);
    parcel_put(&parcel, &line->value, sizeof line->value);
    parcel_put_block(&parcel, line->moves, line->count * sizeof *line->moves);
    mail_send(&together->mail, to, TOGETHER_LINE, &parcel);
}

/* Passes a new best line on: to rank 0, or from there to all ranks but the one that found it. */
static void pass_on(struct together *together, int from, const struct together_line *line) {
    const struct peers *peers = together->run->peers;
    together->known = true;
    together->score = line->score;
    for (int to = peers->rank ? 0 : 1; to < (peers->rank ? 1 : peers->count); to++)
        if (to != from)
            send_line(together, to, line);
}

static bool is_new(const struct together *together, int64_t score) {
    return !together->known || score > together->score;
}

void together_tell(struct together *together, const struct search_line *line, int64_t score) {
    struct together_line own = {score, line->value, line->moves, line->count};
    if (together->run && is_new(together, score))
        pass_on(together, together->run->peers->rank, &own);
}

/* ---- messages ---- */

static void send_flag(struct together *together, int to, enum together_tag tag, bool flag) {
    struct buffer parcel;
    buffer_open(&parcel);
    parcel_put(&parcel, &flag, sizeof flag);
    mail_send(&together->mail, to, tag, &parcel);
}

static bool was_cancelled(const struct together *together) {
    return atomic_load(&together->run->budget->stop) == SOLOIST_STOP_CANCEL;
}

/* Rank 0: ends the search of all ranks. */
static void stop_all(struct together *together) {
    if (!together->stopping)
        for (int to = 1; to < together->run->peers->count; to++)
            send_flag(together, to, TOGETHER_STOP, true);
    together->stopping = true;
    budget_stop(together->run->budget, SOLOIST_STOP_CANCEL);
}

static void take_end(struct together *together, struct parcel_reader *parcel) {
    bool cancelled;
    parcel_take(parcel, &cancelled, sizeof cancelled);
    together->ended++;
    if (cancelled)
        stop_all(together);
}

/* The line in a message; false if it is not better than what is known. On rank 0, passes it on. */
static bool take_line(struct together *together, int from, struct parcel_reader *parcel, struct together_line *line) {
    size_t size;
    parcel_take(parcel, &line->score, sizeof line->score);
    parcel_take(parcel, &line->value, sizeof line->value);
    line->moves = parcel_take_block(parcel, &size);
    line->count = size / sizeof *line->moves;
    if (parcel->wrong || !is_new(together, line->score))
        return false;
    if (together->run->peers->rank) {
        together->known = true;
        together->score = line->score;
    } else {
        pass_on(together, from, line);
    }
    return true;
}

/* Takes messages until there is a better line, or a call or an answer, which is put into *parcel. parcel NULL: calls
 * and answers are dropped. */
static enum together_tag take_messages(struct together *together, struct together_line *line,
                                       struct parcel_reader *parcel) {
    struct mail_news news;
    while (mail_receive(&together->mail, &news)) {
        struct parcel_reader content = parcel_open(news.bytes, news.size);
        switch (news.tag) {
        case TOGETHER_END: take_end(together, &content); break;
        case TOGETHER_STOP: budget_stop(together->run->budget, SOLOIST_STOP_CANCEL); break;
        case TOGETHER_OVER: together->over = true; break;
        case TOGETHER_LINE:
            if (take_line(together, news.from, &content, line))
                return TOGETHER_LINE;
            break;
        default:
            if (parcel) {
                *parcel = content;
                return TOGETHER_CALL;
            }
        }
    }
    if (mail_failed(&together->mail, NULL))
        budget_stop(together->run->budget, SOLOIST_STOP_CANCEL);
    return TOGETHER_NOTHING;
}

bool together_hear(struct together *together, struct together_line *line) {
    if (!together->run || together->awaited || together->patience--)
        return false;
    together->patience = PATIENCE;
    if (take_messages(together, line, NULL) != TOGETHER_LINE)
        return false;
    together->patience = 0;
    return true;
}

/* ---- calls ---- */

void together_call(struct together *together, struct buffer *call) {
    for (int to = 1; to < together->run->peers->count; to++) {
        struct buffer copy;
        buffer_open(&copy);
        parcel_put(&copy, call->text, call->length);
        copy.failed |= call->failed;
        mail_send(&together->mail, to, TOGETHER_CALL, &copy);
    }
    buffer_close(call);
    together->awaited = together->run->peers->count - 1;
}

void together_answer(struct together *together, struct buffer *answer) {
    mail_send(&together->mail, 0, TOGETHER_ANSWER, answer);
}

bool together_next(struct together *together, struct parcel_reader *parcel,
                   void (*take)(void *user, const struct together_line *line), void *user) {
    struct together_line line;
    enum together_tag tag;
    while ((tag = take_messages(together, &line, parcel)) == TOGETHER_LINE)
        take(user, &line);
    if (tag == TOGETHER_CALL && !together->run->peers->rank)
        together->awaited--;
    return tag == TOGETHER_CALL;
}

void together_wait(struct together *together) { peers_wait(together->run->peers, NULL); }

/* ---- the end ---- */

static bool is_over(const struct together *together) {
    const struct peers *peers = together->run->peers;
    return mail_failed(&together->mail, NULL) ||
           (!together->mail.first && (peers->rank || together->ended == peers->count - 1));
}

void together_close(struct together *together, void (*take)(void *user, const struct together_line *line), void *user) {
    struct together_line line;
    if (!together->run)
        return;
    struct peers *peers = together->run->peers;
    if (peers->rank)
        send_flag(together, 0, TOGETHER_END, was_cancelled(together));
    for (int to = 1; !peers->rank && to < peers->count; to++)
        send_flag(together, to, TOGETHER_OVER, true);
    while (!is_over(together)) {
        if (!peers->rank && (was_cancelled(together) || stop_token_is_stopped(together->run->budget->limits.stop)))
            stop_all(together);
        if (take_messages(together, &line, NULL) == TOGETHER_LINE)
            take(user, &line);
        else if (!is_over(together))
            peers_wait(peers, NULL);
    }
    mail_close(&together->mail);
    peers_finish(peers);
    together->run = NULL;
}
