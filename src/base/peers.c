/* What all kinds of peers share: sending a message as soon as there is room for it, and ending a piece of work. */
#include "base/peers.h"

#include <string.h>

static void mark(uint64_t *set, int rank) { set[rank / 64] |= UINT64_C(1) << rank % 64; }

static bool is_marked(const uint64_t *set, int rank) { return set[rank / 64] >> rank % 64 & 1; }

/* The last messages of other ranks may arrive while this one still works; they are not shown to the caller. */
enum peers_code peers_receive(struct peers *peers, struct peers_message *message) {
    for (;;) {
        enum peers_code code = peers->maker->receive(peers, message);
        if (code == PEERS_NONE || (code == PEERS_OK && message->tag != PEERS_TAG_LAST))
            return code;
        mark(peers->done, message->from);
        if (code == PEERS_LOST) {
            mark(peers->lost, message->from);
            return code;
        }
    }
}

/* Receives everything that has arrived. False: this end is cut off. */
static bool take_all(struct peers *peers, peers_take take, void *user) {
    struct peers_message message;
    enum peers_code code;
    while ((code = peers_receive(peers, &message)) != PEERS_NONE) {
        if (code == PEERS_LOST && message.from == peers->rank)
            return false;
        take(user, code, &message);
    }
    return true;
}

enum peers_code peers_send_all(struct peers *peers, int to, uint32_t tag, const void *bytes, size_t size,
                               peers_take take, void *user) {
    enum peers_code code;
    while ((code = peers_send(peers, to, tag, bytes, size)) == PEERS_FULL) {
        if (!take_all(peers, take, user))
            return PEERS_LOST;
        code = peers_send(peers, to, tag, bytes, size);
        if (code != PEERS_FULL)
            break;
        peers_wait(peers, NULL);
    }
    return code;
}

static void drop(void *user, enum peers_code code, const struct peers_message *message) {
    (void)user, (void)code, (void)message;
}

/* Whether every other rank is done; sets *lost if one of them is lost. */
static bool all_are_done(const struct peers *peers, bool *lost) {
    bool all = true;
    for (int rank = 0; rank < peers->count; rank++) {
        all &= rank == peers->rank || is_marked(peers->done, rank);
        *lost |= is_marked(peers->lost, rank);
    }
    return all;
}

enum peers_code peers_finish(struct peers *peers) {
    bool lost = false, connected = true;
    for (int to = 0; to < peers->count; to++)
        if (to != peers->rank && peers_send_all(peers, to, PEERS_TAG_LAST, NULL, 0, drop, NULL) == PEERS_LOST) {
            mark(peers->done, to);
            mark(peers->lost, to);
        }
    while ((connected = take_all(peers, drop, NULL)) && !all_are_done(peers, &lost))
        peers_wait(peers, NULL);
    memcpy(peers->done, peers->lost, sizeof peers->done);
    return lost || !connected ? PEERS_LOST : PEERS_OK;
}
