/* Messages between rank 0 and its helpers. The comment on each tag names the sender and the content. */
#ifndef BASE_DISPATCH_INTERNAL_H
#define BASE_DISPATCH_INTERNAL_H

#include "base/dispatch.h"

enum dispatch_tag {
    DISPATCH_TAG_GREETING, /* helper: version and struct dispatch_greeting */
    DISPATCH_TAG_BEGIN,    /* rank 0: the wish */
    DISPATCH_TAG_PIECE,    /* rank 0: struct dispatch_head and the piece */
    DISPATCH_TAG_TOGETHER, /* rank 0: the same for a piece on which all ranks work together */
    DISPATCH_TAG_READY,    /* helper: whether it is ready for a joint piece; rank 0: whether all ranks are ready */
    DISPATCH_TAG_ANSWER,   /* helper: struct dispatch_head and the answer */
    DISPATCH_TAG_NOTE,     /* helper: struct dispatch_head and the note */
    DISPATCH_TAG_SIGNAL,   /* helper: a signal told it to stop */
    DISPATCH_TAG_STOP,     /* rank 0: end what you are working on */
    DISPATCH_TAG_END       /* rank 0: there is nothing more to do */
};

struct dispatch_head {
    uint64_t number;
    int cores;
    bool skipped;   /* in an answer: the piece was not begun */
    double seconds; /* in an answer: how long the piece took */
};

#endif
