/* Handing out work: the side of rank 0. */
#include "base/dispatch_internal.h"

#include <stdlib.h>
#include <string.h>

/* A piece that took less than this is short: then each core may have a second piece waiting. */
static const double short_s = 0.1;

static void send_empty(struct dispatch *dispatch, int to, enum dispatch_tag tag) {
    struct buffer nothing;
    buffer_open(&nothing);
    mail_send(&dispatch->mail, to, tag, &nothing);
}

static void send_to_all(struct dispatch *dispatch, enum dispatch_tag tag) {
    for (int rank = 1; rank < dispatch->count; rank++)
        send_empty(dispatch, rank, tag);
}

/* ---- the beginning ---- */

static bool take_greeting(struct dispatch *dispatch, const struct mail_news *news, soloist_error *error) {
    struct parcel_reader reader = parcel_open(news->bytes, news->size);
    struct dispatch_greeting *greeting = &dispatch->greetings[news->from];
    const char *version = parcel_take_text(&reader);
    parcel_take(&reader, greeting, sizeof *greeting);
    if (reader.wrong || strcmp(version, SOLOIST_VERSION))
        return soloist_fail(error, 0, 0, "rank %d is version %.40s of the program, rank 0 is " SOLOIST_VERSION,
                            news->from, version ? version : "?");
    dispatch->ranks[news->from].cores = greeting->cores;
    dispatch->cores += greeting->cores;
    return true;
}

bool dispatch_open(struct dispatch *dispatch, struct peers *peers, soloist_stop_token *stop, soloist_error *error) {
    struct mail_news news;
    *dispatch = (struct dispatch){.stop = stop, .count = peers->count, .mean_s = -1};
    dispatch->ranks = calloc((size_t)peers->count, sizeof *dispatch->ranks);
    dispatch->greetings = calloc((size_t)peers->count, sizeof *dispatch->greetings);
    if (!mail_open(&dispatch->mail, peers) || !dispatch->ranks || !dispatch->greetings)
        return soloist_fail(error, 0, 0, "out of memory");
    for (int greeted = 1; greeted < peers->count;) {
        if (mail_receive(&dispatch->mail, &news)) {
            greeted++;
            if (news.tag == DISPATCH_TAG_GREETING && !take_greeting(dispatch, &news, error))
                return false;
        } else if (mail_failed(&dispatch->mail, error)) {
            return false;
        } else if (peers_wait(peers, stop) == PEERS_STOPPED) {
            return soloist_fail(error, 0, 0, "stopped before all ranks had begun");
        }
    }
    return true;
}

bool dispatch_begin(struct dispatch *dispatch, const struct buffer *wish, soloist_error *error) {
    for (int rank = 1; rank < dispatch->count; rank++) {
        struct buffer copy;
        buffer_open(&copy);
        parcel_put(&copy, wish->text, wish->length);
        copy.failed |= wish->failed;
        mail_send(&dispatch->mail, rank, DISPATCH_TAG_BEGIN, &copy);
    }
    return !mail_failed(&dispatch->mail, error);
}

/* ---- giving ---- */

static int least(int a, int b) { return a < b ? a : b; }

/* A rank that has more free cores comes first, so that the work is spread evenly. */
int dispatch_room(const struct dispatch *dispatch, int cores, size_t left) {
    bool ahead = dispatch->mean_s >= 0 && dispatch->mean_s < short_s && left > (size_t)dispatch->cores;
    int best = 0, most = -1;
    for (int rank = 1; rank < dispatch->count && !dispatch->stopping; rank++) {
        const struct dispatch_rank *candidate = &dispatch->ranks[rank];
        int all = candidate->cores, needs = least(cores, all);
        int room = (ahead ? 2 * all : all) - candidate->used - needs;
        if (room >= 0 && room > most) {
            most = room;
            best = rank;
        }
    }
    return best;
}

static bool give(struct dispatch *dispatch, enum dispatch_tag tag, int rank, uint64_t number, int cores,
                 const struct buffer *piece, soloist_error *error) {
    struct dispatch_rank *to = &dispatch->ranks[rank];
    struct dispatch_head head = {.number = number, .cores = least(cores, to->cores)};
    struct buffer parcel;
    buffer_open(&parcel);
    parcel_put(&parcel, &head, sizeof head);
    parcel_put(&parcel, piece->text, piece->length);
    parcel.failed |= piece->failed;
    mail_send(&dispatch->mail, rank, tag, &parcel);
    to->used += head.cores;
    dispatch->out++;
    return !mail_failed(&dispatch->mail, error);
}

bool dispatch_give(struct dispatch *dispatch, int rank, uint64_t number, int cores, const struct buffer *piece,
                   soloist_error *error) {
    return give(dispatch, DISPATCH_TAG_PIECE, rank, number, cores, piece, error);
}

bool dispatch_give_all(struct dispatch *dispatch, uint64_t number, const struct buffer *piece, soloist_error *error) {
    bool well = true;
    for (int rank = 1; well && rank < dispatch->count; rank++)
        well = give(dispatch, DISPATCH_TAG_TOGETHER, rank, number, dispatch->ranks[rank].cores, piece, error);
    return well;
}

bool dispatch_agree(struct dispatch *dispatch, bool ready) {
    struct mail_news news;
    for (int heard = 1; heard < dispatch->count && !mail_failed(&dispatch->mail, NULL);) {
        if (!mail_receive(&dispatch->mail, &news)) {
            peers_wait(dispatch->mail.peers, NULL);
            continue;
        }
        if (news.tag == DISPATCH_TAG_SIGNAL)
            soloist_stop_token_cancel(dispatch->stop);
        if (news.tag != DISPATCH_TAG_READY)
            continue;
        heard++;
        ready = ready && news.size == 1 && *news.bytes;
    }
    for (int rank = 1; rank < dispatch->count; rank++) {
        struct buffer flag;
        buffer_open(&flag);
        parcel_put(&flag, &(char){ready}, 1);
        mail_send(&dispatch->mail, rank, DISPATCH_TAG_READY, &flag);
    }
    while (dispatch->mail.first && !mail_failed(&dispatch->mail, NULL)) /* nobody flushes while the search goes on */
        mail_flush(&dispatch->mail);
    return ready && !mail_failed(&dispatch->mail, NULL);
}

/* ---- taking ---- */

static void count_answer(struct dispatch *dispatch, int rank, const struct dispatch_head *head) {
    struct dispatch_rank *from = &dispatch->ranks[rank];
    from->used -= head->cores;
    from->pieces++;
    from->worked_s += head->seconds * head->cores;
    dispatch->out--;
    dispatch->mean_s = dispatch->mean_s < 0 ? head->seconds : 0.9 * dispatch->mean_s + 0.1 * head->seconds;
}

bool dispatch_next(struct dispatch *dispatch, struct dispatch_news *news, soloist_error *error) {
    struct mail_news mail;
    struct dispatch_head head;
    news->kind = DISPATCH_NOTHING;
    while (news->kind == DISPATCH_NOTHING && mail_receive(&dispatch->mail, &mail)) {
        if (mail.tag == DISPATCH_TAG_SIGNAL)
            soloist_stop_token_cancel(dispatch->stop);
        if (mail.tag != DISPATCH_TAG_ANSWER && mail.tag != DISPATCH_TAG_NOTE)
            continue;
        struct parcel_reader reader = parcel_open(mail.bytes, mail.size);
        parcel_take(&reader, &head, sizeof head);
        if (mail.tag == DISPATCH_TAG_ANSWER)
            count_answer(dispatch, mail.from, &head);
        *news = (struct dispatch_news){mail.tag == DISPATCH_TAG_NOTE ? DISPATCH_NOTE
                                       : head.skipped                ? DISPATCH_SKIPPED
                                                                     : DISPATCH_ANSWER,
                                       mail.from, head.number, reader};
    }
    return !mail_failed(&dispatch->mail, error);
}

void dispatch_count_own(struct dispatch *dispatch, uint64_t pieces, double worked_s) {
    dispatch->ranks[0].pieces += pieces;
    dispatch->ranks[0].worked_s += worked_s;
}

bool dispatch_shares(const struct dispatch *dispatch, double *least_share, double *most_share) {
    double sum = 0, low = dispatch->ranks[0].worked_s, high = low;
    for (int rank = 0; rank < dispatch->count; rank++) {
        double own = dispatch->ranks[rank].worked_s;
        sum += own;
        low = own < low ? own : low;
        high = own > high ? own : high;
    }
    if (sum <= 0)
        return false;
    *least_share = low * dispatch->count / sum;
    *most_share = high * dispatch->count / sum;
    return true;
}

/* ---- the end ---- */

void dispatch_stop(struct dispatch *dispatch) {
    if (!dispatch->stopping)
        send_to_all(dispatch, DISPATCH_TAG_STOP);
    dispatch->stopping = true;
}

void dispatch_close(struct dispatch *dispatch) {
    struct mail *mail = &dispatch->mail;
    struct mail_news news;
    if (mail->parts && mail->lost < 0) {
        send_to_all(dispatch, DISPATCH_TAG_END);
        while (mail->first && mail->lost < 0)
            if (!mail_receive(mail, &news))
                peers_wait(mail->peers, NULL);
        peers_finish(mail->peers);
    }
    mail_close(mail);
    free(dispatch->ranks);
    free(dispatch->greetings);
    dispatch->ranks = NULL;
    dispatch->greetings = NULL;
}
