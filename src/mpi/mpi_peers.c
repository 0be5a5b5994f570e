/* Ranks over MPI as peers. Sends are synchronous in MPI's sense: a send is complete when the other side has received
 * the message, so that the number of incomplete sends bounds the memory in flight on both sides. MPI's own waiting
 * occupies a core; peers_wait looks again and again instead, and sleeps between looks. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* sched_getaffinity */
#endif
#include "base/ranks.h"

#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MOST = 32 << 10, /* bytes in a message: with less, A* on tiles spends noticeable time per message */
    ROOM = 4,        /* incomplete sends per pair of ranks */
    HEAD = 16        /* the tag, in front of the bytes; keeps them aligned */
};

/* Incomplete sends to one rank, oldest first. */
struct route {
    MPI_Request requests[ROOM];
    char *messages[ROOM];
    int first, count;
};

struct mpi_peers {
    struct peers peers;
    MPI_Comm comm;
    struct route *routes; /* by rank */
    int refused;          /* rank to which a send was refused; -1: none */
    char *received;       /* room for one message */
};

static struct mpi_peers *own(struct peers *peers) { return (struct mpi_peers *)peers; }

/* ---- sending ---- */

/* Frees the messages that have been received. */
static void reap(struct route *route) {
    int done = 1;
    while (route->count) {
        MPI_Test(&route->requests[route->first], &done, MPI_STATUS_IGNORE);
        if (!done)
            return;
        free(route->messages[route->first]);
        route->first = (route->first + 1) % ROOM;
        route->count--;
    }
}

static enum peers_code send(struct peers *peers, int to, uint32_t tag, const void *bytes, size_t size) {
    struct mpi_peers *mpi = own(peers);
    struct route *route = &mpi->routes[to];
    if (route->count)
        reap(route);
    char *message = route->count < ROOM ? malloc(HEAD + size) : NULL;
    if (!message) { /* if memory is short, some may be free once other messages have been received */
        mpi->refused = to;
        return PEERS_FULL;
    }
    int at = (route->first + route->count) % ROOM;
    memcpy(message, &tag, sizeof tag);
    if (size)
        memcpy(message + HEAD, bytes, size);
    route->messages[at] = message;
    if (MPI_Issend(message, (int)(HEAD + size), MPI_BYTE, to, 0, mpi->comm, &route->requests[at]) != MPI_SUCCESS)
        return free(message), PEERS_LOST;
    route->count++;
    return PEERS_OK;
}

/* ---- receiving ---- */

static enum peers_code receive(struct peers *peers, struct peers_message *message) {
    struct mpi_peers *mpi = own(peers);
    MPI_Status status;
    int there = 0, size = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, 0, mpi->comm, &there, &status) != MPI_SUCCESS) {
        message->from = peers->rank;
        return PEERS_LOST;
    }
    if (!there)
        return PEERS_NONE;
    message->from = status.MPI_SOURCE;
    if (MPI_Recv(mpi->received, HEAD + MOST, MPI_BYTE, status.MPI_SOURCE, 0, mpi->comm, &status) != MPI_SUCCESS)
        return PEERS_LOST;
    MPI_Get_count(&status, MPI_BYTE, &size);
    memcpy(&message->tag, mpi->received, sizeof message->tag);
    message->bytes = mpi->received + HEAD;
    message->size = (size_t)size - HEAD;
    return PEERS_OK;
}

/* ---- waiting ---- */

static bool has_happened(struct mpi_peers *mpi) {
    MPI_Status status;
    int there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, mpi->comm, &there, &status);
    if (there || mpi->refused < 0)
        return there;
    struct route *route = &mpi->routes[mpi->refused];
    reap(route);
    if (route->count == ROOM)
        return false;
    mpi->refused = -1;
    return true;
}

/* First gives way to other processes on this core, then sleeps for longer and longer, some milliseconds in all. */
static enum peers_code wait(struct peers *peers, soloist_stop_token *stop) {
    enum { YIELDS = 20, LONGEST_NS = 500000, SLEEPS = 12 };
    struct mpi_peers *mpi = own(peers);
    struct timespec pause = {0, 10000};
    for (int i = 0; i < YIELDS + SLEEPS; i++) {
        if (stop && soloist_stopped(stop))
            return PEERS_STOPPED;
        if (has_happened(mpi))
            return PEERS_OK;
        if (i < YIELDS) {
            sched_yield();
            continue;
        }
        nanosleep(&pause, NULL);
        pause.tv_nsec = pause.tv_nsec < LONGEST_NS / 2 ? pause.tv_nsec * 2 : LONGEST_NS;
    }
    return PEERS_OK;
}

static const struct peers_maker maker = {send, receive, wait};

/* ---- this rank's share of its machine ---- */

/* Each core counts as many parts as there are ranks that may use it. Parts that make up less than a core go to the
 * first ranks. */
static int share_of(const cpu_set_t *sets, int count, int index) {
    double share = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        int users = 0;
        for (int i = 0; CPU_ISSET(cpu, &sets[index]) && i < count; i++)
            users += CPU_ISSET(cpu, &sets[i]) != 0;
        share += users ? 1.0 / users : 0;
    }
    int cores = (int)((index + 1) * share + 1e-6) - (int)(index * share + 1e-6);
    return cores > 0 ? cores : 1;
}

static bool find_share(struct ranks_module *module, soloist_error *error) {
    MPI_Comm node;
    cpu_set_t mine, *all;
    int index, length = 0;
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &index);
    MPI_Comm_size(node, &module->node_ranks);
    all = malloc((size_t)module->node_ranks * sizeof *all);
    if (!all)
        return soloist_fail(error, 0, 0, "out of memory");
    CPU_ZERO(&mine);
    sched_getaffinity(0, sizeof mine, &mine);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, node);
    module->cores = share_of(all, module->node_ranks, index);
    free(all);
    MPI_Comm_free(&node);
    MPI_Get_processor_name(name, &length);
    memcpy(module->node, name, sizeof module->node - 1);
    return true;
}

/* ---- opening and closing ---- */

static void close_end(struct peers *peers) {
    struct mpi_peers *mpi = own(peers);
    if (!peers)
        return;
    for (int rank = 0; rank < mpi->peers.count; rank++)
        while (mpi->routes[rank].count)
            reap(&mpi->routes[rank]);
    free(mpi->routes);
    free(mpi->received);
    MPI_Comm_free(&mpi->comm);
    free(mpi);
}

static void close(struct ranks_module *module) {
    close_end(module->search);
    close_end(module->peers);
    MPI_Finalize();
}

static struct peers *make(void) {
    struct mpi_peers *mpi = calloc(1, sizeof *mpi);
    if (!mpi)
        return NULL;
    mpi->peers.maker = &maker;
    mpi->peers.most = MOST;
    mpi->refused = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &mpi->peers.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &mpi->peers.count);
    mpi->routes = calloc((size_t)mpi->peers.count, sizeof *mpi->routes);
    mpi->received = malloc(HEAD + MOST);
    if (!mpi->routes || !mpi->received)
        return free(mpi->routes), free(mpi->received), free(mpi), NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &mpi->comm);
    MPI_Comm_set_errhandler(mpi->comm, MPI_ERRORS_RETURN);
    return &mpi->peers;
}

bool soloist_ranks_module(const char *version, struct ranks_module *module, soloist_error *error) {
    int provided;
    if (strcmp(version, SOLOIST_VERSION))
        return soloist_fail(error, 0, 0, "the module for MPI was built for version " SOLOIST_VERSION);
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_SERIALIZED)
        return soloist_fail(error, 0, 0, "MPI cannot be started, or does not allow threads");
    module->close = close;
    module->peers = make();
    module->search = make();
    if (!module->peers || !module->search)
        return soloist_fail(error, 0, 0, "out of memory");
    return find_share(module, error);
}
