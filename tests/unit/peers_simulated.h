/* Simulated peers: all ranks run in one thread, each on a stack of its own, and exactly one runs at a time. A seed
 * decides who runs next, for how many calls, how long each message is under way, and when a rank is killed. So
 * thousands of schedules can be tried, and each can be repeated. Messages of one pair of ranks keep their order; all
 * others overtake each other freely. Work must not use cmocka's asserts: these jump across stacks. */
#ifndef TESTS_PEERS_SIMULATED_H
#define TESTS_PEERS_SIMULATED_H

#include "base/peers.h"
#include "base/sanitizer.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

/* How many schedules a test tries out of `usual`: sanitizers make every change of turn slow. */
static inline uint64_t simulated_schedules(uint64_t usual) { return HAS_SANITIZER ? usual / 10 : usual; }

enum { simulated_most_ranks = 16, simulated_room = 3, simulated_stack = 1 << 20 };

struct simulation {
    uint64_t seed;
    int count;
    size_t most;          /* 0: PEERS_LEAST */
    int longest_delay;    /* in turns; 0: messages arrive at once */
    int slow;             /* this rank gets a turn thirty times less often; -1: none */
    int killed;           /* this rank is killed ...; -1: none */
    uint64_t killed_at;   /* ... at its call of this number */
    bool long_turns;      /* a turn ends only when a rank waits, as on a machine with one busy core */
    uint64_t most_turns;  /* the run is given up after so many turns; 0: a hundred million */
    uint64_t turns, sent; /* results: turns taken, messages sent */
};

struct simulated_message {
    uint64_t arrives; /* turn at which it can be received */
    uint32_t tag;
    size_t size;
    void *bytes;
};

struct simulated_pipe {
    struct simulated_message messages[simulated_room]; /* a ring: the oldest is messages[first] */
    int first, count;
    uint64_t last_arrival;
    bool loss_reported;
};

struct simulated_end {
    struct peers peers;
    struct simulated_world *world;
    ucontext_t context;
    void *held; /* the bytes of the message received last */
    uint64_t calls;
    int patience; /* calls until the next change of turn */
    bool cut_off, returned;
};

struct simulated_world {
    struct simulation *simulation;
    peers_work work;
    void *user;
    soloist_rng rng;
    ucontext_t scheduler;
    struct simulated_end *ends;
    struct simulated_pipe pipes[simulated_most_ranks][simulated_most_ranks]; /* [from][to] */
    int running;
};

static inline struct simulated_end *simulated_end_of(struct peers *peers) { return (struct simulated_end *)peers; }

static inline void simulated_yield(struct simulated_end *end) {
    end->patience = end->world->simulation->long_turns ? INT_MAX : (int)soloist_rng_below(&end->world->rng, 8);
    swapcontext(&end->context, &end->world->scheduler);
}

/* After a loss, ranks end their work at different times, as processes do: whoever has ended is lost to the others. */
static inline bool simulated_is_lost(const struct simulated_world *world, int rank) {
    int killed = world->simulation->killed;
    return world->ends[rank].cut_off || (world->ends[rank].returned && killed >= 0 && world->ends[killed].cut_off);
}

static inline struct simulated_message *simulated_at(struct simulated_pipe *pipe, int number) {
    return &pipe->messages[(pipe->first + number) % simulated_room];
}

/* What the killed rank has sent arrives up to a random message. What was sent to it is never received. */
static inline void simulated_kill(struct simulated_end *end) {
    struct simulated_world *world = end->world;
    end->cut_off = true;
    for (int to = 0; to < world->simulation->count; to++) {
        struct simulated_pipe *pipe = &world->pipes[end->peers.rank][to];
        int kept = (int)soloist_rng_below(&world->rng, (uint32_t)pipe->count + 1);
        while (pipe->count > kept)
            free(simulated_at(pipe, --pipe->count)->bytes);
    }
}

/* Every call begins with this: another rank may get a turn, and the killed one is killed. False: this end is cut off.
 */
static inline bool simulated_enter(struct simulated_end *end) {
    const struct simulation *simulation = end->world->simulation;
    if (end->patience-- <= 0)
        simulated_yield(end);
    if (end->peers.rank == simulation->killed && !end->cut_off && end->calls++ >= simulation->killed_at)
        simulated_kill(end);
    return !end->cut_off;
}

static enum peers_code simulated_send(struct peers *peers, int to, uint32_t tag, const void *bytes, size_t size) {
    struct simulated_end *end = simulated_end_of(peers);
    struct simulated_world *world = end->world;
    if (!simulated_enter(end) || simulated_is_lost(world, to))
        return PEERS_LOST;
    struct simulated_pipe *pipe = &world->pipes[peers->rank][to];
    if (to == peers->rank || size > peers->most)
        abort(); /* misuse */
    if (pipe->count == simulated_room)
        return PEERS_FULL;
    uint64_t delay = soloist_rng_below(&world->rng, (uint32_t)world->simulation->longest_delay + 1);
    uint64_t arrives = world->simulation->turns + delay;
    pipe->last_arrival = arrives > pipe->last_arrival ? arrives : pipe->last_arrival;
    void *copy = malloc(size + 1);
    if (!copy)
        abort();
    if (size)
        memcpy(copy, bytes, size);
    *simulated_at(pipe, pipe->count++) = (struct simulated_message){pipe->last_arrival, tag, size, copy};
    world->simulation->sent++;
    return PEERS_OK;
}

static inline bool simulated_take(struct simulated_end *end, int from, struct peers_message *message) {
    struct simulated_pipe *pipe = &end->world->pipes[from][end->peers.rank];
    const struct simulated_message *first = simulated_at(pipe, 0);
    if (!pipe->count || first->arrives > end->world->simulation->turns)
        return false;
    *message = (struct peers_message){.from = from, .tag = first->tag, .bytes = first->bytes, .size = first->size};
    end->held = first->bytes;
    pipe->first = (pipe->first + 1) % simulated_room;
    pipe->count--;
    return true;
}

static enum peers_code simulated_receive(struct peers *peers, struct peers_message *message) {
    struct simulated_end *end = simulated_end_of(peers);
    struct simulated_world *world = end->world;
    free(end->held);
    end->held = NULL;
    if (!simulated_enter(end)) {
        *message = (struct peers_message){.from = peers->rank};
        return PEERS_LOST;
    }
    int first = (int)soloist_rng_below(&world->rng, (uint32_t)peers->count);
    for (int i = 0; i < peers->count; i++) {
        int from = (first + i) % peers->count;
        struct simulated_pipe *pipe = &world->pipes[from][peers->rank];
        if (from == peers->rank || peers_is_done(peers, from))
            continue;
        if (simulated_take(end, from, message))
            return PEERS_OK;
        if (simulated_is_lost(world, from) && !pipe->count && !pipe->loss_reported) {
            pipe->loss_reported = true;
            *message = (struct peers_message){.from = from};
            return PEERS_LOST;
        }
    }
    return PEERS_NONE;
}

static enum peers_code simulated_wait(struct peers *peers, soloist_stop_token *stop) {
    struct simulated_end *end = simulated_end_of(peers);
    if (!simulated_enter(end))
        return PEERS_LOST;
    simulated_yield(end);
    return stop && soloist_stopped(stop) ? PEERS_STOPPED : PEERS_OK;
}

static const struct peers_maker simulated_maker = {simulated_send, simulated_receive, simulated_wait};

static struct simulated_world *simulated_now; /* for simulated_begin, whose argument cannot be a pointer */

static void simulated_begin(void) {
    struct simulated_world *world = simulated_now;
    struct simulated_end *end = &world->ends[world->running];
    world->work(world->user, &end->peers);
    end->returned = true;
}

/* Stacks are kept for the next run: taking them from the machine anew is slow under sanitizers. */
static inline void *simulated_stack_of(int rank) {
    static void *stacks[simulated_most_ranks];
    if (!stacks[rank] && !(stacks[rank] = malloc(simulated_stack)))
        abort();
    return stacks[rank];
}

static inline void simulated_open(struct simulated_world *world, int rank) {
    const struct simulation *simulation = world->simulation;
    struct simulated_end *end = &world->ends[rank];
    size_t most = simulation->most ? simulation->most : PEERS_LEAST;
    end->peers = (struct peers){.maker = &simulated_maker, .rank = rank, .count = simulation->count, .most = most};
    end->world = world;
    if (getcontext(&end->context))
        abort();
    end->context.uc_stack.ss_sp = simulated_stack_of(rank);
    end->context.uc_stack.ss_size = simulated_stack;
    end->context.uc_link = &world->scheduler;
    makecontext(&end->context, simulated_begin, 0);
}

/* The rank whose turn it is: any that has not returned. */
static inline int simulated_choose(struct simulated_world *world) {
    const struct simulation *simulation = world->simulation;
    int left = 0, rank;
    for (int i = 0; i < simulation->count; i++)
        left += !world->ends[i].returned;
    if (!left)
        return -1;
    do
        rank = (int)soloist_rng_below(&world->rng, (uint32_t)simulation->count);
    while (world->ends[rank].returned || (rank == simulation->slow && left > 1 && soloist_rng_below(&world->rng, 30)));
    return rank;
}

static inline void simulated_close(struct simulated_world *world) {
    for (int from = 0; from < world->simulation->count; from++) {
        free(world->ends[from].held);
        for (int to = 0; to < world->simulation->count; to++)
            while (world->pipes[from][to].count)
                free(simulated_at(&world->pipes[from][to], --world->pipes[from][to].count)->bytes);
    }
    free(world->ends);
    free(world);
}

/* Whether every message was received; after a loss this cannot be asked for. */
static inline bool simulated_is_silent(const struct simulated_world *world) {
    if (world->simulation->killed >= 0)
        return true;
    for (int from = 0; from < world->simulation->count; from++)
        for (int to = 0; to < world->simulation->count; to++)
            if (world->pipes[from][to].count)
                return false;
    return true;
}

/* Runs `work` on simulated ranks until all have returned. False: there were too many turns (then what the ranks have
 * allocated is never freed), or messages were left that nobody received. */
static inline bool simulated_run(struct simulation *simulation, peers_work work, void *user) {
    struct simulated_world *world = calloc(1, sizeof *world);
    struct simulated_end *ends = calloc((size_t)simulation->count, sizeof *ends);
    if (!world || !ends || simulation->count > simulated_most_ranks)
        abort();
    *world = (struct simulated_world){.simulation = simulation, .work = work, .user = user, .ends = ends};
    uint64_t most_turns = simulation->most_turns ? simulation->most_turns : 100000000;
    soloist_rng_seed(&world->rng, simulation->seed, 0);
    for (int rank = 0; rank < simulation->count; rank++)
        simulated_open(world, rank);
    int rank;
    for (simulation->turns = 0; simulation->turns < most_turns; simulation->turns++) {
        if ((rank = simulated_choose(world)) < 0)
            break;
        world->running = rank;
        simulated_now = world;
        swapcontext(&world->scheduler, &ends[rank].context);
    }
    bool ended = simulation->turns < most_turns && simulated_is_silent(world);
    simulated_close(world);
    return ended;
}

#endif
