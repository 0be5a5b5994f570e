/* Distributes pieces of work over ranks (processes) on demand: a rank that has free cores gets the next piece. Rank 0
 * sends pieces and receives answers (struct dispatch); every other rank is a helper, whose threads work on several
 * pieces at once (dispatch_help). What a piece and an answer mean is up to the caller: both are parcels (parcel.h).
 *
 * While pieces are short, each rank is sent more pieces than it can work on at once, so that it need not wait until the
 * next piece arrives. */
#ifndef BASE_DISPATCH_H
#define BASE_DISPATCH_H

#include "base/mail.h"
#include "base/parcel.h"
#include "base/stop.h"

/* While rank 0 waits for answers, it should sleep this long between two checks for messages. A thread that waits inside
 * MPI would occupy a core that is needed for work. */
enum { DISPATCH_PAUSE_NS = 500000 };

/* The first message of each rank to rank 0. */
struct dispatch_greeting {
    bool ready;    /* false: the rank cannot work, and `complaint` says why */
    int cores;     /* for which it takes pieces; more than it has if the user asked for more threads */
    int own_cores; /* that its process may use */
    char node[64]; /* name of its machine */
    char complaint[1024];
};

/* ---- rank 0 ---- */

/* What rank 0 knows about one rank. The struct is small, because for every piece the structs of all ranks are read. */
struct dispatch_rank {
    int cores;
    int used;        /* cores needed by the pieces that it was given and has not answered yet */
    uint64_t pieces; /* pieces that it has answered */
    double worked_s; /* core seconds that it has spent on these pieces */
};

struct dispatch {
    struct mail mail;
    soloist_stop_token *stop;            /* cancelled if another rank gets a signal */
    struct dispatch_rank *ranks;         /* indexed by rank; for rank 0, only `pieces` and `worked_s` are used */
    struct dispatch_greeting *greetings; /* indexed by rank; the entry of rank 0 is not used */
    int count;
    int cores;     /* of all helpers together */
    size_t out;    /* pieces without an answer */
    double mean_s; /* moving average of the seconds that a piece takes; < 0: not known yet */
    bool stopping;
};

/* Waits until every rank has sent its greeting. Returns false with an error if a rank is lost or runs another version
 * of the program, if memory ran out, or if the token was stopped. Call dispatch_close in either case. */
bool dispatch_open(struct dispatch *dispatch, struct peers *peers, soloist_stop_token *stop, soloist_error *error);
/* Tells every helper to begin; the parcel `wish` contains what they must know for all pieces. */
bool dispatch_begin(struct dispatch *dispatch, const struct buffer *wish, soloist_error *error);
/* Returns a rank that can now be given a piece for `cores` cores, or 0 if there is none. left: the number of pieces
 * that have not been given yet. */
int dispatch_room(const struct dispatch *dispatch, int cores, size_t left);
/* Gives a piece to the rank. The answer will carry the same `number`. On failure returns false with an error. */
bool dispatch_give(struct dispatch *dispatch, int rank, uint64_t number, int cores, const struct buffer *piece,
                   soloist_error *error);

/* Gives the same piece to all helpers, which work on it together with rank 0. All earlier pieces must have been
 * answered, and no other piece may be given until all helpers have answered. */
bool dispatch_give_all(struct dispatch *dispatch, uint64_t number, const struct buffer *piece, soloist_error *error);
/* For a piece that was given to all: waits until every rank has said whether it is ready, and returns whether all are
 * ready. `ready` says whether rank 0 itself is ready; the helpers call dispatch_helper_agree. For each such piece, rank
 * 0 must call dispatch_agree exactly once, and each helper must call dispatch_helper_agree exactly once. */
bool dispatch_agree(struct dispatch *dispatch, bool ready);

struct dispatch_news {
    /* DISPATCH_SKIPPED: the helper was told to stop before it began the piece. Notes come before the answer. */
    enum { DISPATCH_NOTHING, DISPATCH_ANSWER, DISPATCH_SKIPPED, DISPATCH_NOTE } kind;
    int rank;
    uint64_t number;             /* of the piece */
    struct parcel_reader parcel; /* valid until the next call of any function in this header */
};
/* Takes the next answer or note that has arrived, without waiting. The kind DISPATCH_NOTHING means that nothing has
 * arrived. Returns false with an error if a rank is lost. */
bool dispatch_next(struct dispatch *dispatch, struct dispatch_news *news, soloist_error *error);
/* Counts pieces that rank 0 has worked on itself, for dispatch_shares. */
void dispatch_count_own(struct dispatch *dispatch, uint64_t pieces, double worked_s);
/* The core seconds of the rank that has worked least, and of the rank that has worked most, each divided by the mean
 * over all ranks. False: no rank has done any work. */
bool dispatch_shares(const struct dispatch *dispatch, double *least, double *most);
/* Asks the helpers to end the pieces that they are working on; their answers still arrive. */
void dispatch_stop(struct dispatch *dispatch);
/* Ends the helpers. Pieces that are not answered are lost. */
void dispatch_close(struct dispatch *dispatch);

/* ---- other ranks ---- */

struct dispatch_helper;
struct dispatch_work {
    int cores;
    soloist_stop_token *stop; /* cancelled when rank 0 stops; if cancelled on this rank, rank 0 stops too */
    /* Called once, before any piece, with the parcel `wish` of dispatch_begin. False: this rank cannot work. */
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
/* The helpers' counterpart of dispatch_agree: `work` calls it for a piece that was given to all. */
bool dispatch_helper_agree(struct dispatch_helper *helper, bool ready);
/* For `work`: sends rank 0 a note about the piece `number`. Any thread may call it. */
void dispatch_note(struct dispatch_helper *helper, uint64_t number, const struct buffer *note);

#endif
