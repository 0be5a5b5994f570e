#include "base/mail.h"

#include <stdlib.h>

struct mail_parcel {
    struct mail_parcel *next;
    int to;
    uint32_t tag;
    struct buffer content;
    size_t sent;
};

#define MORE (1u << 8) /* added to the tag of every part but the last */

bool mail_open(struct mail *mail, struct peers *peers) {
    *mail = (struct mail){.peers = peers, .end = &mail->first, .lost = -1};
    mail->parts = calloc((size_t)peers->count, sizeof *mail->parts);
    return mail->parts;
}

static void remove_first(struct mail *mail) {
    struct mail_parcel *parcel = mail->first;
    mail->first = parcel->next;
    if (!mail->first)
        mail->end = &mail->first;
    buffer_close(&parcel->content);
    free(parcel);
}

void mail_close(struct mail *mail) {
    while (mail->first)
        remove_first(mail);
    for (int i = 0; mail->parts && i < mail->peers->count; i++)
        buffer_close(&mail->parts[i]);
    free(mail->parts);
    buffer_close(&mail->whole);
    mail->parts = NULL;
}

void mail_send(struct mail *mail, int to, uint32_t tag, struct buffer *parcel) {
    struct mail_parcel *added = parcel->failed ? NULL : calloc(1, sizeof *added);
    if (!added) {
        mail->full = true;
        buffer_clear(parcel);
        return;
    }
    *added = (struct mail_parcel){.to = to, .tag = tag, .content = *parcel};
    buffer_open(parcel);
    *mail->end = added;
    mail->end = &added->next;
    mail_flush(mail);
}

void mail_flush(struct mail *mail) {
    while (mail->first) {
        struct mail_parcel *parcel = mail->first;
        size_t left = parcel->content.length - parcel->sent, most = mail->peers->most;
        size_t size = left < most ? left : most;
        const char *bytes = size ? parcel->content.text + parcel->sent : NULL;
        enum peers_code code = peers_send(mail->peers, parcel->to, parcel->tag | (size < left ? MORE : 0), bytes, size);
        if (code == PEERS_FULL)
            return;
        if (code == PEERS_LOST)
            mail->lost = parcel->to;
        parcel->sent += size;
        if (code == PEERS_LOST || size == left)
            remove_first(mail);
    }
}

/* Adds a message to the parts before it. True if the parcel is complete. */
static bool join(struct mail *mail, const struct peers_message *message, struct mail_news *news) {
    struct buffer *parts = &mail->parts[message->from];
    bool last = !(message->tag & MORE);
    *news = (struct mail_news){message->from, message->tag & ~MORE, message->bytes, message->size};
    if (last && !parts->length)
        return true;
    soloist_sink sink = buffer_sink(parts);
    if (message->size)
        sink.write(sink.to, message->bytes, message->size);
    mail->full |= parts->failed;
    if (!last)
        return false;
    buffer_close(&mail->whole);
    mail->whole = *parts;
    buffer_open(parts);
    news->bytes = mail->whole.text;
    news->size = mail->whole.length;
    return !mail->full;
}

bool mail_receive(struct mail *mail, struct mail_news *news) {
    struct peers_message message;
    enum peers_code code;
    mail_flush(mail);
    while ((code = peers_receive(mail->peers, &message)) == PEERS_OK)
        if (join(mail, &message, news))
            return true;
    if (code == PEERS_LOST)
        mail->lost = message.from;
    return false;
}

bool mail_failed(const struct mail *mail, soloist_error *error) {
    if (mail->lost >= 0)
        soloist_fail(error, 0, 0, "rank %d is lost", mail->lost);
    else if (mail->full)
        soloist_fail(error, 0, 0, "out of memory for a message to another rank");
    return mail->lost >= 0 || mail->full;
}
