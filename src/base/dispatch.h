/* Work that rank 0 hands to the other ranks on demand: a rank that has free cores gets the next piece. Rank 0 gives
 * pieces and takes answers (struct dispatch); every other rank is a helper, whose threads work on several pieces at
 * once (dispatch_help). What a piece and an answer mean is up to the caller: both are parcels (parcel.h).
 *
 * While pieces are short, each rank is sent more pieces than it can work on at once, so that it need not wait until the
 * next piece arrives. */
#ifndef BASE_DISPATCH_H
#define BASE_DISPATCH_H

#include "base/mail.h"
#include "base/parcel.h"
#include "base/stop.h"

/* How long rank 0 should sleep before it looks for messages again while it still waits for answers. A thread that waits
 * inside MPI would occupy a core that is needed for work. */
enum { DISPATCH_PAUSE_NS = 500000 };

/* What a rank says of itself at the beginning. */
struct dispatch_greeting {
    bool ready; /* false: it cannot work, and `complaint` says why */
    int cores;
    char node[64]; /* name of its machine */
    char complaint[1024];
};

/* ---- rank 0 ---- */

/* What rank 0 knows of a rank. The struct is small, because those of all ranks are read for every piece. */
struct dispatch_rank {
    int cores;
    int used;        /* cores that its pieces need, including the pieces that still wait there */
    uint64_t pieces; /* pieces that it has answered */
    double worked_s; /* seconds that its cores have worked on these pieces */
};

struct dispatch {
    struct mail mail;
    soloist_stop_token *stop;            /* cancelled if another rank gets a signal */
    struct dispatch_rank *ranks;         /* by rank; for rank 0, only the work that it has done itself is known */
    struct dispatch_greeting *greetings; /* by rank; that of rank 0 is not used */
    int count;
    int cores;     /* of all helpers together */
    size_t out;    /* pieces without an answer */
    double mean_s; /* mean duration of a piece; recent pieces count more */
    bool stopping;
};

/* Waits until every rank has greeted. False with an error: a rank is lost or has another version, memory ran out, or
 * the token was stopped. Call dispatch_close in either case. */
bool dispatch_open(struct dispatch *dispatch, struct peers *peers, soloist_stop_token *stop, soloist_error *error);
/* Tells every helper to begin; `wish` says what they must know for all pieces. */
bool dispatch_begin(struct dispatch *dispatch, const struct buffer *wish, soloist_error *error);
/* A rank that can take a piece of this many cores; 0: none at present. left: how many pieces are left to give. */
int dispatch_room(const struct dispatch *dispatch, int cores, size_t left);
/* Gives a piece to the rank. number: identifies the answer to the piece. On failure returns false with an error. */
bool dispatch_give(struct dispatch *dispatch, int rank, uint64_t number, int cores, const struct buffer *piece,
                   soloist_error *error);

/* Gives the same piece to all helpers, which work on it together with rank 0. All earlier pieces must have been
 * answered, and no other piece may be given until all helpers have answered. */
bool dispatch_give_all(struct dispatch *dispatch, uint64_t number, const struct buffer *piece, soloist_error *error);
/* Whether all ranks are ready to begin a piece that was given to all; every rank asks exactly once. */
bool dispatch_agree(struct dispatch *dispatch, bool ready);

struct dispatch_news {
    /* DISPATCH_SKIPPED: the helper was told to stop before it began the piece. Notes come before the answer. */
    enum { DISPATCH_NOTHING, DISPATCH_ANSWER, DISPATCH_SKIPPED, DISPATCH_NOTE } kind;
    int rank;
    uint64_t number;             /* of the piece */
    struct parcel_reader parcel; /* valid until the next call of any function here */
};
/* Takes the next thing that has arrived, without waiting; DISPATCH_NOTHING: nothing has arrived. Returns false with an
 * error if a rank is lost. */
bool dispatch_next(struct dispatch *dispatch, struct dispatch_news *news, soloist_error *error);
/* Counts pieces that rank 0 has worked on itself, for dispatch_shares. */
void dispatch_count_own(struct dispatch *dispatch, uint64_t pieces, double worked_s);
/* The least and the greatest work that one rank has done, divided by the mean. False: nothing was done. */
bool dispatch_shares(const struct dispatch *dispatch, double *least, double *most);
/* Asks the helpers to end what they are working on; answers still come. */
void dispatch_stop(struct dispatch *dispatch);
/* Ends the helpers. Pieces that are not answered are lost. */
void dispatch_close(struct dispatch *dispatch);

/* ---- other ranks ---- */

struct dispatch_helper;
struct dispatch_work {
    int cores;
    soloist_stop_token *stop; /* cancelled when rank 0 stops; if others cancel this token, rank 0 stops */
    /* Called once, before any piece, with the wish of dispatch_begin. False: this rank cannot work. */
    bool (*begin)(void *user, struct parcel_reader *wish);
    /* Works on a piece and writes the answer. Called by several threads at once; for a piece that was given to all
     * ranks, it is called by the thread that has called dispatch_help. */
    void (*work)(void *user, struct dispatch_helper *helper, uint64_t number, struct parcel_reader *piece,
                 struct buffer *answer);
    void *user;
};

/* Sends the greeting, and works until rank 0 ends the work. Returns true if nothing went wrong, otherwise false with an
 * error. */
bool dispatch_help(struct peers *peers, const struct dispatch_greeting *greeting, const struct dispatch_work *work,
                   soloist_error *error);
/* For `work` on a piece that was given to all: the same as dispatch_agree. */
bool dispatch_helper_agree(struct dispatch_helper *helper, bool ready);
/* For `work`: sends a note on its piece. Any thread may call it. */
void dispatch_note(struct dispatch_helper *helper, uint64_t number, const struct buffer *note);

#endif
