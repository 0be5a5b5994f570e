/* Peers as threads: every message arrives once, whole and in order, also when boxes are full; work ends by agreement.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>

/* The threads are started by a pthread_create that can refuse: no machine does so when asked. */
static int threads_left = -1; /* -1: as many as wanted */
static int create(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *), void *argument) {
    if (threads_left == 0)
        return 11;
    if (threads_left > 0)
        threads_left--;
    return pthread_create(thread, attributes, begin, argument);
}
#define pthread_create create
#include "../../src/base/team.c"
#undef pthread_create

#include "../../src/base/peers_threads.c"
#include "base/hash.h"

#include <stdlib.h>

/* ---- everybody to everybody ---- */

enum { most_ranks = 8, messages = 300, rounds = 3 };

struct exchange {
    size_t most;
    int ranks;          /* as many as each rank saw */
    _Atomic int errors; /* asserts are for the main thread alone */
    _Atomic int received;
};

/* What rank `from` sends to rank `to` as its message number `number`: its size and its bytes follow from these. */
static size_t size_of(const struct exchange *exchange, int from, int to, int number) {
    return (size_t)(hash_zobrist((uint32_t)(from * most_ranks + to), (uint32_t)number) % (exchange->most + 1));
}

static unsigned char byte_of(int from, int number, size_t at) { return (unsigned char)(from * 7 + number + (int)at); }

struct listener {
    struct exchange *exchange;
    struct peers *peers;
    int expected[most_ranks]; /* number of the next message from each rank */
    int count;
};

static void check_message(void *user, enum peers_code code, const struct peers_message *message) {
    struct listener *listener = user;
    struct exchange *exchange = listener->exchange;
    int number = listener->expected[message->from]++;
    size_t size = size_of(exchange, message->from, listener->peers->rank, number);
    bool right = code == PEERS_OK && message->tag == (uint32_t)number && message->size == size &&
                 (uintptr_t)message->bytes % 16 == 0;
    for (size_t i = 0; right && i < size; i++)
        right = ((const unsigned char *)message->bytes)[i] == byte_of(message->from, number, i);
    if (!right)
        atomic_fetch_add(&exchange->errors, 1);
    listener->count++;
}

static void send_number(struct listener *listener, int to, int number) {
    struct peers *peers = listener->peers;
    size_t size = size_of(listener->exchange, peers->rank, to, number);
    unsigned char *bytes = malloc(size + 1);
    for (size_t i = 0; bytes && i < size; i++)
        bytes[i] = byte_of(peers->rank, number, i);
    if (!bytes || peers_send_all(peers, to, (uint32_t)number, bytes, size, check_message, listener) != PEERS_OK)
        atomic_fetch_add(&listener->exchange->errors, 1);
    free(bytes);
}

static void exchange_all(struct listener *listener) {
    struct peers *peers = listener->peers;
    struct peers_message message;
    for (int number = 0; number < messages; number++)
        for (int to = 0; to < peers->count; to++)
            if (to != peers->rank)
                send_number(listener, to, number);
    while (listener->count < messages * (peers->count - 1)) {
        while (peers_receive(peers, &message) == PEERS_OK)
            check_message(listener, PEERS_OK, &message);
        peers_wait(peers, NULL);
    }
}

/* The same ends are used for several pieces of work, one after the other. */
static void exchange_work(void *user, struct peers *peers) {
    struct exchange *exchange = user;
    for (int round = 0; round < rounds; round++) {
        struct listener listener = {.exchange = exchange, .peers = peers};
        exchange_all(&listener);
        atomic_fetch_add(&exchange->received, listener.count);
        if (peers_finish(peers) != PEERS_OK)
            atomic_fetch_add(&exchange->errors, 1);
    }
    if (peers->rank == 0)
        exchange->ranks = peers->count;
}

static void check_exchange(int ranks, size_t most, int expected_ranks) {
    struct memory memory;
    struct exchange exchange = {.most = most};
    memory_open(&memory, 0);
    assert_int_equal(peers_threads_run(&memory, ranks, most, exchange_work, &exchange), expected_ranks);
    assert_int_equal(exchange.ranks, expected_ranks);
    assert_int_equal(atomic_load(&exchange.errors), 0);
    assert_int_equal(atomic_load(&exchange.received), rounds * messages * expected_ranks * (expected_ranks - 1));
    assert_int_equal(memory_used(&memory), 0);
    assert_int_equal(memory_peak(&memory), peers_threads_size(ranks < 1 ? 1 : ranks, most));
}

static void every_message_arrives_in_order(void **state) {
    (void)state;
    check_exchange(1, PEERS_LEAST, 1);
    check_exchange(0, PEERS_LEAST, 1);
    check_exchange(2, PEERS_LEAST, 2);
    check_exchange(3, 1000, 3);
    check_exchange(most_ranks, 700, most_ranks);
}

static void refused_threads_make_fewer_ranks(void **state) {
    (void)state;
    for (int left = 0; left < 3; left++) {
        threads_left = left;
        check_exchange(5, 400, left + 1);
        threads_left = -1;
    }
}

static void no_memory_runs_nothing(void **state) {
    (void)state;
    struct memory memory;
    struct exchange exchange = {.most = PEERS_LEAST};
    memory_open(&memory, peers_threads_size(2, PEERS_LEAST) - 1);
    assert_int_equal(peers_threads_run(&memory, 2, PEERS_LEAST, exchange_work, &exchange), 0);
    assert_int_equal(exchange.ranks, 0);
    assert_int_equal(memory_used(&memory), 0);
}

/* ---- full boxes ---- */

struct one_way {
    int accepted, received;
    enum peers_code refusal;
};

/* Rank 1 receives nothing until rank 0 was refused and says so by a stop token. */
static soloist_stop_token refused;

static void fill_box(struct one_way *work, struct peers *peers) {
    unsigned char bytes[PEERS_LEAST] = {0};
    enum peers_code code;
    while ((code = peers_send(peers, 1, 1, bytes, sizeof bytes)) == PEERS_OK)
        work->accepted++;
    work->refusal = code;
    soloist_stop_token_cancel(&refused);
    while ((code = peers_send(peers, 1, 2, bytes, sizeof bytes)) == PEERS_FULL)
        peers_wait(peers, NULL);
}

static void empty_box(struct one_way *work, struct peers *peers) {
    struct peers_message message = {0};
    while (peers_wait(peers, &refused) != PEERS_STOPPED)
        ;
    while (message.tag != 2) {
        if (peers_receive(peers, &message) == PEERS_OK)
            work->received++;
        else
            peers_wait(peers, NULL);
    }
}

static void one_way_work(void *user, struct peers *peers) {
    (peers->rank ? empty_box : fill_box)(user, peers);
    peers_finish(peers);
}

static void a_full_box_refuses_and_gets_room(void **state) {
    (void)state;
    struct memory memory;
    struct one_way work = {0};
    memory_open(&memory, 0);
    stop_token_open(&refused, NULL);
    assert_int_equal(peers_threads_run(&memory, 2, PEERS_LEAST, one_way_work, &work), 2);
    assert_int_equal(work.refusal, PEERS_FULL);
    assert_in_range(work.accepted, 2, 4);
    assert_int_equal(work.received, work.accepted + 1);
}

/* ---- stopping ---- */

static void wait_until_stopped(void *user, struct peers *peers) {
    struct exchange *exchange = user;
    if (peers->rank == 0)
        soloist_stop_token_cancel(&refused);
    while (peers_wait(peers, &refused) != PEERS_STOPPED)
        ;
    atomic_fetch_add(&exchange->received, 1);
    peers_finish(peers);
}

static void waiting_ends_when_stopped(void **state) {
    (void)state;
    struct memory memory;
    struct exchange exchange = {0};
    memory_open(&memory, 0);
    stop_token_open(&refused, NULL);
    assert_int_equal(peers_threads_run(&memory, 4, PEERS_LEAST, wait_until_stopped, &exchange), 4);
    assert_int_equal(atomic_load(&exchange.received), 4);
    assert_true(stop_token_was_seen(&refused));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_arrives_in_order), cmocka_unit_test(refused_threads_make_fewer_ranks),
        cmocka_unit_test(no_memory_runs_nothing),         cmocka_unit_test(a_full_box_refuses_and_gets_room),
        cmocka_unit_test(waiting_ends_when_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
