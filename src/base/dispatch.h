/* Work that rank 0 hands to the other ranks by need: whoever has free cores gets the next piece. Rank 0 gives pieces
 * and takes answers (struct dispatch); every other rank is a helper, whose threads work on several pieces at once
 * (dispatch_help). What a piece and an answer mean is up to the caller: both are parcels (parcel.h).
 *
 * While pieces are short, each rank is sent more than it can work on at once, so that it need not wait for the next one
 * to travel. */
#ifndef BASE_DISPATCH_H
#define BASE_DISPATCH_H

#include "base/mail.h"
#include "base/parcel.h"
#include "base/stop.h"

/* How long rank 0 should sleep before it looks for news again while pieces are out. A thread that waits inside MPI
 * would occupy a core that works. */
enum { DISPATCH_PAUSE_NS = 500000 };

/* What a rank says of itself at the beginning. */
struct dispatch_greeting {
    bool ready; /* false: it cannot work, and `complaint` says why */
    int cores;
    char node[64]; /* name of its machine */
    char complaint[1024];
};

/* ---- rank 0 ---- */

/* A rank as rank 0 sees it. All of them are looked at for every piece, so they are small. */
struct dispatch_rank {
    int cores;
    int used;        /* cores that its pieces occupy, with those that wait there */
    uint64_t pieces; /* answered */
    double worked_s; /* seconds that its cores have worked on them */
};

struct dispatch {
    struct mail mail;
    soloist_stop_token *stop;            /* cancelled if another rank gets a signal */
    struct dispatch_rank *ranks;         /* by rank; of the first, only the work that it has done itself is known */
    struct dispatch_greeting *greetings; /* by rank; the first is not used */
    int count;
    int cores;     /* of all helpers together */
    size_t out;    /* pieces without an answer */
    double mean_s; /* mean duration of the pieces, of which recent ones count more */
    bool stopping;
};

/* Waits until every rank has greeted. False with an error: a rank is lost or has another version, memory ran out, or
 * the token was stopped. Close it in either case. */
bool dispatch_open(struct dispatch *dispatch, struct peers *peers, soloist_stop_token *stop, soloist_error *error);
/* Tells every helper to begin; `wish` says what they must know for all pieces. */
bool dispatch_begin(struct dispatch *dispatch, const struct buffer *wish, soloist_error *error);
/* A rank that can take a piece that needs this many cores; 0: none now. left: how many pieces are left to give. */
int dispatch_room(const struct dispatch *dispatch, int cores, size_t left);
/* Gives a piece to the rank. number: to recognise its answer. False with an error. */
bool dispatch_give(struct dispatch *dispatch, int rank, uint64_t number, int cores, const struct buffer *piece,
                   soloist_error *error);

/* Gives the same piece to all helpers, on which they work together with rank 0. There must be no other piece without an
 * answer, and no other until all have answered. */
bool dispatch_give_all(struct dispatch *dispatch, uint64_t number, const struct buffer *piece, soloist_error *error);
/* Whether all ranks are ready to begin such a piece; every rank asks exactly once. */
bool dispatch_agree(struct dispatch *dispatch, bool ready);

struct dispatch_news {
    /* DISPATCH_SKIPPED: the helper was told to stop before it began the piece. Notes come before the answer. */
    enum { DISPATCH_NOTHING, DISPATCH_ANSWER, DISPATCH_SKIPPED, DISPATCH_NOTE } kind;
    int rank;
    uint64_t number;             /* of the piece */
    struct parcel_reader parcel; /* valid until the next call of any function here */
};
/* What has arrived; DISPATCH_NOTHING if nothing has, without waiting. False with an error: a rank is lost. */
bool dispatch_next(struct dispatch *dispatch, struct dispatch_news *news, soloist_error *error);
/* Counts pieces that rank 0 has worked on itself, for dispatch_shares. */
void dispatch_count_own(struct dispatch *dispatch, uint64_t pieces, double worked_s);
/* The least and the greatest share of the work that a rank has done, in parts of the mean. False: nothing was done. */
bool dispatch_shares(const struct dispatch *dispatch, double *least, double *most);
/* Asks the helpers to end what they are working on; answers still come. */
void dispatch_stop(struct dispatch *dispatch);
/* Ends the helpers. Pieces that are not answered are lost. */
void dispatch_close(struct dispatch *dispatch);

/* ---- other ranks ---- */

struct dispatch_helper;
struct dispatch_work {
    int cores;
    soloist_stop_token *stop; /* cancelled when rank 0 stops; rank 0 stops if it is cancelled by others */
    /* Called once, before any piece, with the wish of dispatch_begin. False: this rank cannot work. */
    bool (*begin)(void *user, struct parcel_reader *wish);
    /* Works on a piece and puts the answer. Called by several threads at once; for a piece that was given to all ranks,
     * by the thread that has called dispatch_help. */
    void (*work)(void *user, struct dispatch_helper *helper, uint64_t number, struct parcel_reader *piece,
                 struct buffer *answer);
    void *user;
};

/* Greets and works until rank 0 ends it; true if there was nothing to complain about. False with an error. */
bool dispatch_help(struct peers *peers, const struct dispatch_greeting *greeting, const struct dispatch_work *work,
                   soloist_error *error);
/* For `work` on a piece that was given to all: the same as dispatch_agree. */
bool dispatch_helper_agree(struct dispatch_helper *helper, bool ready);
/* For `work`: sends a note on its piece. Any thread may call it. */
void dispatch_note(struct dispatch_helper *helper, uint64_t number, const struct buffer *note);

#endif
