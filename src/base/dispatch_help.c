/* Handing out work: the side of a helper. Only the calling thread sends and receives; the other threads work. The
 * calling thread sleeps before it looks for messages again, because a thread that waits inside MPI would occupy a core.
 */
#include "base/budget.h"
#include "base/dispatch_internal.h"
#include "base/team.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How long the calling thread sleeps before it looks for messages again. */
enum { SOON_NS = 100000, LATER_NS = 2000000 };

/* A message that waits: a piece to be worked on, or something to be sent to rank 0. */
struct parcel_in_list {
    struct parcel_in_list *next;
    int tag;
    struct dispatch_head head;
    struct buffer parcel;
};

struct parcel_list {
    struct parcel_in_list *first, **end;
};

struct dispatch_helper {
    const struct dispatch_work *work;
    struct mail mail; /* for the calling thread alone */
    pthread_mutex_t lock;
    pthread_cond_t arrived; /* for the threads that work: there is a piece, or a core is free, or all is over */
    pthread_cond_t stirred; /* for the calling thread: there is something to send */
    struct parcel_list pieces, replies;
    int free;                /* cores */
    bool over;               /* no more pieces come */
    _Atomic bool has_failed; /* memory ran out for a message, so that rank 0 would wait for ever */
    bool told;               /* rank 0 knows that this rank was signalled */
};

static void list_open(struct parcel_list *list) { *list = (struct parcel_list){NULL, &list->first}; }

static void list_add(struct parcel_list *list, struct parcel_in_list *item) {
    item->next = NULL;
    *list->end = item;
    list->end = &item->next;
}

static struct parcel_in_list *list_take(struct parcel_list *list) {
    struct parcel_in_list *item = list->first;
    list->first = item->next;
    if (!list->first)
        list->end = &list->first;
    return item;
}

static void item_free(struct parcel_in_list *item) {
    buffer_close(&item->parcel);
    free(item);
}

static void list_free(struct parcel_list *list) {
    while (list->first)
        item_free(list_take(list));
}

/* ---- threads that work ---- */

/* Hands a message to the calling thread. item may be NULL, or its parcel incomplete: then memory ran out. */
static void post(struct dispatch_helper *helper, struct parcel_in_list *item) {
    bool failed = !item || item->parcel.failed;
    if (failed && item)
        item_free(item);
    pthread_mutex_lock(&helper->lock);
    if (failed)
        helper->has_failed = true;
    else
        list_add(&helper->replies, item); /* from here on it belongs to the calling thread */
    pthread_cond_signal(&helper->stirred);
    pthread_mutex_unlock(&helper->lock);
}

static struct parcel_in_list *item_open(int tag, const struct dispatch_head *head) {
    struct parcel_in_list *item = calloc(1, sizeof *item);
    if (!item)
        return NULL;
    *item = (struct parcel_in_list){.tag = tag, .head = *head};
    buffer_open(&item->parcel);
    parcel_put(&item->parcel, head, sizeof *head);
    return item;
}

void dispatch_note(struct dispatch_helper *helper, uint64_t number, const struct buffer *note) {
    struct dispatch_head head = {.number = number};
    struct parcel_in_list *item = item_open(DISPATCH_TAG_NOTE, &head);
    if (item)
        parcel_put(&item->parcel, note->text, note->length);
    post(helper, item);
}

/* The first piece, as soon as enough cores are free; NULL: there will be none. */
static struct parcel_in_list *take_piece(struct dispatch_helper *helper) {
    pthread_mutex_lock(&helper->lock);
    while (!helper->over && (!helper->pieces.first || helper->pieces.first->head.cores > helper->free))
        pthread_cond_wait(&helper->arrived, &helper->lock);
    struct parcel_in_list *piece = helper->over ? NULL : list_take(&helper->pieces);
    if (piece)
        helper->free -= piece->head.cores;
    pthread_mutex_unlock(&helper->lock);
    return piece;
}

static void give_back(struct dispatch_helper *helper, int cores) {
    pthread_mutex_lock(&helper->lock);
    helper->free += cores;
    pthread_cond_broadcast(&helper->arrived);
    pthread_mutex_unlock(&helper->lock);
}

static void work(void *user, int number) {
    struct dispatch_helper *helper = user;
    const struct dispatch_work *wish = helper->work;
    struct parcel_in_list *piece;
    (void)number;
    while ((piece = take_piece(helper))) {
        double start_s = clock_seconds();
        struct dispatch_head head = piece->head;
        struct parcel_in_list *answer = item_open(DISPATCH_TAG_ANSWER, &head);
        struct parcel_reader reader = parcel_open(piece->parcel.text, piece->parcel.length);
        parcel_take(&reader, &head, sizeof head);
        head.skipped = stop_token_is_stopped(wish->stop);
        if (answer && !head.skipped)
            wish->work(wish->user, helper, head.number, &reader, &answer->parcel);
        head.seconds = clock_seconds() - start_s;
        if (answer && !answer->parcel.failed)
            memcpy(answer->parcel.text, &head, sizeof head);
        item_free(piece);
        give_back(helper, head.cores);
        post(helper, answer);
    }
}

/* ---- the calling thread ---- */

static bool add_piece(struct dispatch_helper *helper, const struct mail_news *news) {
    struct parcel_reader reader = parcel_open(news->bytes, news->size);
    struct dispatch_head head;
    parcel_take(&reader, &head, sizeof head);
    struct parcel_in_list *piece = item_open(DISPATCH_TAG_PIECE, &head);
    if (!piece)
        return false;
    parcel_put(&piece->parcel, reader.at, (size_t)(reader.end - reader.at));
    if (piece->parcel.failed)
        return item_free(piece), false;
    pthread_mutex_lock(&helper->lock);
    list_add(&helper->pieces, piece);
    pthread_cond_broadcast(&helper->arrived);
    pthread_mutex_unlock(&helper->lock);
    return true;
}

static void end_work(struct dispatch_helper *helper) {
    pthread_mutex_lock(&helper->lock);
    helper->over = true;
    pthread_cond_broadcast(&helper->arrived);
    pthread_mutex_unlock(&helper->lock);
    soloist_stop_token_cancel(helper->work->stop);
}

/* Sends what the threads have posted. */
static void send_replies(struct dispatch_helper *helper) {
    struct parcel_in_list *reply;
    do {
        pthread_mutex_lock(&helper->lock);
        reply = helper->replies.first ? list_take(&helper->replies) : NULL;
        pthread_mutex_unlock(&helper->lock);
        if (reply) {
            mail_send(&helper->mail, 0, (uint32_t)reply->tag, &reply->parcel);
            item_free(reply);
        }
    } while (reply);
}

/* Rank 0 must know of a signal to this rank, except one that rank 0 itself has caused. */
static void tell_of_signal(struct dispatch_helper *helper) {
    struct buffer nothing;
    if (helper->told || !stop_token_is_stopped(helper->work->stop))
        return;
    helper->told = true;
    buffer_open(&nothing);
    mail_send(&helper->mail, 0, DISPATCH_TAG_SIGNAL, &nothing);
}

/* Waits until something is to be sent, or until it is time to look for messages again: soon if a core is free. */
static void rest(struct dispatch_helper *helper) {
    struct timespec until;
    pthread_mutex_lock(&helper->lock);
    long wait = helper->free > 0 ? SOON_NS : LATER_NS;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += wait;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    if (!helper->replies.first && !helper->has_failed)
        pthread_cond_timedwait(&helper->stirred, &helper->lock, &until);
    pthread_mutex_unlock(&helper->lock);
}

/* Works on a piece of all ranks in the calling thread. The parcel stays valid until this rank asks whether all are
 * ready, so it is copied. */
static bool work_together(struct dispatch_helper *helper, const struct mail_news *news) {
    double start_s = clock_seconds();
    struct buffer piece, answer;
    struct dispatch_head head;
    buffer_open(&piece);
    buffer_open(&answer);
    parcel_put(&piece, news->bytes, news->size);
    struct parcel_reader reader = parcel_open(piece.text, piece.length);
    parcel_take(&reader, &head, sizeof head);
    parcel_put(&answer, &head, sizeof head);
    if (!piece.failed)
        helper->work->work(helper->work->user, helper, head.number, &reader, &answer);
    head.seconds = clock_seconds() - start_s;
    bool well = !piece.failed && !answer.failed;
    if (well) {
        memcpy(answer.text, &head, sizeof head);
        mail_send(&helper->mail, 0, DISPATCH_TAG_ANSWER, &answer);
    }
    buffer_close(&piece);
    buffer_close(&answer);
    return well;
}

bool dispatch_helper_agree(struct dispatch_helper *helper, bool ready) {
    struct mail_news news;
    struct buffer flag;
    buffer_open(&flag);
    parcel_put(&flag, &(char){ready}, 1);
    mail_send(&helper->mail, 0, DISPATCH_TAG_READY, &flag);
    while (!mail_failed(&helper->mail, NULL)) {
        if (!mail_receive(&helper->mail, &news))
            peers_wait(helper->mail.peers, NULL);
        else if (news.tag == DISPATCH_TAG_READY)
            return news.size == 1 && *news.bytes;
        else if (news.tag == DISPATCH_TAG_STOP)
            soloist_stop_token_cancel(helper->work->stop);
    }
    return false;
}

/* Takes what has arrived. False with an error. */
static bool take_orders(struct dispatch_helper *helper, soloist_error *error) {
    struct mail_news news;
    while (!helper->over && mail_receive(&helper->mail, &news)) {
        switch (news.tag) {
        case DISPATCH_TAG_PIECE:
            if (!add_piece(helper, &news))
                return soloist_fail(error, 0, 0, "out of memory");
            break;
        case DISPATCH_TAG_TOGETHER:
            if (!work_together(helper, &news))
                return soloist_fail(error, 0, 0, "out of memory");
            break;
        case DISPATCH_TAG_STOP:
            helper->told = true;
            soloist_stop_token_cancel(helper->work->stop);
            break;
        case DISPATCH_TAG_END: end_work(helper); break;
        default: break;
        }
    }
    return !mail_failed(&helper->mail, error);
}

static bool serve(struct dispatch_helper *helper, soloist_error *error) {
    bool well = true;
    while (well && !helper->over) {
        tell_of_signal(helper);
        send_replies(helper);
        well = take_orders(helper, error);
        if (well && helper->has_failed)
            well = soloist_fail(error, 0, 0, "out of memory");
        if (well && !helper->over)
            rest(helper);
    }
    end_work(helper);
    return well;
}

static bool run_threads(struct dispatch_helper *helper, soloist_error *error) {
    struct team team;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&helper->lock, NULL);
    pthread_cond_init(&helper->arrived, NULL);
    pthread_cond_init(&helper->stirred, &monotonic);
    pthread_condattr_destroy(&monotonic);
    int started = team_start_beside(&team, helper->free, work, helper);
    bool well = started ? serve(helper, error) : soloist_fail(error, 0, 0, "no thread could be started");
    team_join(&team);
    pthread_cond_destroy(&helper->stirred);
    pthread_cond_destroy(&helper->arrived);
    pthread_mutex_destroy(&helper->lock);
    list_free(&helper->pieces);
    list_free(&helper->replies);
    return well;
}

static void greet(struct dispatch_helper *helper, const struct dispatch_greeting *greeting) {
    struct buffer parcel;
    buffer_open(&parcel);
    parcel_put_text(&parcel, SOLOIST_VERSION);
    parcel_put(&parcel, greeting, sizeof *greeting);
    mail_send(&helper->mail, 0, DISPATCH_TAG_GREETING, &parcel);
}

/* Waits for the wish of rank 0. *go: there is one, and this rank can work. */
static bool await_beginning(struct dispatch_helper *helper, bool *go, soloist_error *error) {
    struct mail_news news;
    *go = false;
    while (!mail_failed(&helper->mail, error)) {
        if (!mail_receive(&helper->mail, &news)) {
            peers_wait(helper->mail.peers, NULL);
            continue;
        }
        if (news.tag == DISPATCH_TAG_END)
            return true;
        if (news.tag != DISPATCH_TAG_BEGIN)
            continue;
        struct parcel_reader reader = parcel_open(news.bytes, news.size);
        *go = true;
        return !helper->work->begin || helper->work->begin(helper->work->user, &reader) ||
               soloist_fail(error, 0, 0, "the wish of rank 0 cannot be read");
    }
    return false;
}

bool dispatch_help(struct peers *peers, const struct dispatch_greeting *greeting, const struct dispatch_work *work,
                   soloist_error *error) {
    struct dispatch_helper helper = {.work = work, .free = work->cores};
    bool go = false;
    list_open(&helper.pieces);
    list_open(&helper.replies);
    bool well = mail_open(&helper.mail, peers) || soloist_fail(error, 0, 0, "out of memory");
    if (well) {
        greet(&helper, greeting);
        well = await_beginning(&helper, &go, error) && (!go || run_threads(&helper, error));
    }
    if (well)
        peers_finish(peers);
    mail_close(&helper.mail);
    return well;
}
