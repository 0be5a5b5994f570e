/* Peers: workers that do one piece of work together and share nothing but messages. Each worker is a rank, numbered
 * from 0. It has its own struct peers (its end of the connections), which only its own thread uses. A search written
 * against this header runs unchanged on threads (peers_threads.c), on processes of several machines (the MPI module),
 * and on simulated ranks, where a seed decides which messages are delayed and which ranks fail
 * (tests/unit/peers_simulated.h).
 *
 * The rules, the same for all three:
 *   - A message is a tag and at most `most` bytes, sent to one other rank. Messages from one rank to another arrive in
 *     the order in which they were sent; messages from different ranks arrive in any order. None arrives twice, and
 *     none is lost unless its receiver or its sender is lost.
 *   - Only peers_wait and the functions built on it block. Messages that were sent but not yet received take a bounded
 *     amount of memory: each pair of ranks has room for at least two messages of `most` bytes. A send for which there
 *     is no room returns PEERS_FULL and has no effect. The sender must then receive before it tries again
 *     (peers_send_all shows how): if two ranks send to each other and neither receives, neither ever gets room.
 *   - A lost rank (its process died) is reported by peers_receive, once to each rank that is left, after all messages
 *     of the lost rank that still arrived. A rank that cannot do without the lost rank must end the work. A rank whose
 *     process then ends is itself a lost rank for those that still work.
 *   - Work ends by agreement: the last call of every rank is peers_finish. After that, no message is in flight, and
 *     each struct peers can be used for other work.
 *   - Bytes are sent unchanged: all ranks run the same program on machines of the same kind. */
#ifndef BASE_PEERS_H
#define BASE_PEERS_H

#include "base/memory.h"
#include "base/stop.h"

enum peers_code {
    PEERS_OK,
    PEERS_NONE,   /* peers_receive: nothing has arrived */
    PEERS_FULL,   /* peers_send: no room for the message at present; nothing was sent */
    PEERS_LOST,   /* a rank is lost; if it is the caller's own, this end is cut off and every call returns PEERS_LOST */
    PEERS_STOPPED /* peers_wait: the stop token is stopped */
};

enum {
    PEERS_LEAST = 256,  /* the least allowed value of `most` */
    PEERS_RANKS = 4096, /* there are never more ranks */
    /* The tag of each rank's last message in a piece of work; only peers_finish sends it. Callers use smaller tags. */
    PEERS_TAG_LAST = 1 << 30
};

struct peers;

/* A message that has arrived. */
struct peers_message {
    int from; /* the sender's rank, or the lost rank */
    uint32_t tag;
    const void *bytes; /* aligned for any type; valid until the next peers_receive or peers_wait on this end */
    size_t size;
};

/* The functions of one kind of peers (threads, MPI, simulated ranks); peers_send, peers_receive and peers_wait say what
 * they must do. */
struct peers_maker {
    enum peers_code (*send)(struct peers *peers, int to, uint32_t tag, const void *bytes, size_t size);
    enum peers_code (*receive)(struct peers *peers, struct peers_message *message);
    enum peers_code (*wait)(struct peers *peers, soloist_stop_token *stop);
};

/* One rank's end. Each kind of peers has a struct of its own that begins with this one. */
struct peers {
    const struct peers_maker *maker;
    int rank, count; /* 0 <= rank < count */
    size_t most;     /* size of the largest message; the same on all ranks, at least PEERS_LEAST */
    /* Two sets of ranks, with one bit per rank. `done`: those that have ended the present piece of work or are lost.
     * Later messages from them belong to the next piece of work, so `receive` does not take these messages yet. `lost`:
     * those whose loss was reported. peers_receive and peers_finish update both sets; the functions in struct
     * peers_maker read `done` but never change it. */
    uint64_t done[PEERS_RANKS / 64], lost[PEERS_RANKS / 64];
};

static inline bool peers_is_done(const struct peers *peers, int rank) {
    return peers->done[rank / 64] >> rank % 64 & 1;
}

/* Sends a message to another rank; the bytes are copied. `to` must not be the caller's own rank, and size <= most.
 * Returns PEERS_OK, PEERS_FULL or PEERS_LOST; PEERS_LOST means that `to` is lost or that this end is cut off. */
static inline enum peers_code peers_send(struct peers *peers, int to, uint32_t tag, const void *bytes, size_t size) {
    return peers->maker->send(peers, to, tag, bytes, size);
}

/* Takes the next message that has arrived. Returns PEERS_OK, PEERS_NONE or PEERS_LOST; PEERS_LOST means that the rank
 * message->from is lost. The bytes of the previous message become invalid, and its sender can use their room again. */
enum peers_code peers_receive(struct peers *peers, struct peers_message *message);

/* Waits until there is something for peers_receive, or room for a send that was refused, or the token is stopped. It
 * also returns, with PEERS_OK, after some milliseconds in which nothing happened, so that the caller can do other
 * things; therefore it is always called in a loop. `stop` may be NULL. If this token is stopped, its member `seen` is
 * set, as by soloist_stopped. Returns PEERS_OK, PEERS_STOPPED or PEERS_LOST; PEERS_LOST means that this end is cut
 * off. */
static inline enum peers_code peers_wait(struct peers *peers, soloist_stop_token *stop) {
    return peers->maker->wait(peers, stop);
}

/* ---- functions built on peers_send, peers_receive and peers_wait (peers.c) ---- */

/* Called for each message that arrives while peers_send_all waits for room, and for each lost rank (`code` is then
 * PEERS_LOST). It must not call peers_receive or peers_send_all. */
typedef void (*peers_take)(void *user, enum peers_code code, const struct peers_message *message);

/* Sends a message and, as long as there is no room for it, hands all messages that arrive to `take`. Returns PEERS_OK
 * or PEERS_LOST. It does not watch a stop token: room comes as soon as the other rank receives, which it does even when
 * it is ending its work. */
enum peers_code peers_send_all(struct peers *peers, int to, uint32_t tag, const void *bytes, size_t size,
                               peers_take take, void *user);

/* Ends a piece of work: returns when every other rank has called it too or is lost. Messages that arrive meanwhile are
 * dropped, so that afterwards nothing is in flight. Returns PEERS_LOST if a rank is known to be lost, otherwise
 * PEERS_OK. */
enum peers_code peers_finish(struct peers *peers);

/* ---- threads (peers_threads.c) ---- */

/* What a rank does. */
typedef void (*peers_work)(void *user, struct peers *peers);

/* The number of bytes that peers_threads_run takes from the memory budget for `count` ranks and messages of at most
 * `most` bytes. */
size_t peers_threads_size(int count, size_t most);

/* Runs `work` on `count` ranks: the calling thread is rank 0, and each other rank is a new thread. Waits until all
 * ranks have returned, and returns the number of ranks. This number is less than `count` if the machine refuses
 * threads. If there is no memory, nothing is run, and the function returns 0. A rank must not return while others may
 * still send to it: it calls peers_finish first. Ranks that are threads are never lost. */
int peers_threads_run(struct memory *memory, int count, size_t most, peers_work work, void *user);

#endif
