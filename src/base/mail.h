/* Sends parcels of any size between ranks by means of peers, whose messages have a maximum size. A parcel that does not
 * fit into one message is sent in parts. Sending never waits: parts for which there is no room are kept and sent later.
 */
#ifndef BASE_MAIL_H
#define BASE_MAIL_H

#include "base/buffer.h"
#include "base/peers.h"

struct mail_parcel;
struct mail {
    struct peers *peers;
    struct mail_parcel *first, **end; /* parcels that are not sent completely, in the order of sending */
    struct buffer *parts;             /* indexed by sender: the parts of an incomplete parcel that have arrived */
    struct buffer whole;              /* the parcel that was received last */
    int lost;                         /* a rank that is lost; -1: none */
    bool full;                        /* memory ran out, and a parcel was lost */
};

/* False: no memory. Call mail_close in either case. */
bool mail_open(struct mail *mail, struct peers *peers);
void mail_close(struct mail *mail);
/* Sends a parcel. Takes over the content of the buffer, which is empty afterwards. The tag is less than MAIL_TAGS. */
void mail_send(struct mail *mail, int to, uint32_t tag, struct buffer *parcel);
enum { MAIL_TAGS = 1 << 8 };
/* Sends as many of the waiting parts as there is room for. */
void mail_flush(struct mail *mail);
/* A parcel that has arrived completely. Its bytes are valid until the next call of mail_receive. */
struct mail_news {
    int from;
    uint32_t tag;
    const char *bytes;
    size_t size;
};
/* Takes the next complete parcel; false: there is none. */
bool mail_receive(struct mail *mail, struct mail_news *news);
/* Whether a rank is lost or memory ran out; fills in the error. */
bool mail_failed(const struct mail *mail, soloist_error *error);

#endif
