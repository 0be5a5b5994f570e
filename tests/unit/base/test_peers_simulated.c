/* Simulated peers, under thousands of schedules: every message arrives once and in order, work ends by agreement and
 * can begin again, and the loss of a rank is reported to all others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "peers_simulated.h"

enum { messages = 12, rounds = 2 };

struct exchange {
    int received, lost, cut_off, finished, errors;
};

struct listener {
    struct exchange *exchange;
    struct peers *peers;
    uint32_t round, expected[simulated_most_ranks];
    int left;  /* messages that are still to come */
    bool lost; /* a rank is lost: there is no use in going on */
};

struct content {
    uint32_t from, to, round, number;
};

static void check_message(void *user, enum peers_code code, const struct peers_message *message) {
    struct listener *listener = user;
    int from = message->from;
    if (code == PEERS_LOST) {
        listener->exchange->lost++;
        listener->lost = true;
        return;
    }
    struct content expected = {(uint32_t)from, (uint32_t)listener->peers->rank, listener->round,
                               listener->expected[from]++};
    bool right = message->size == sizeof expected && !memcmp(message->bytes, &expected, sizeof expected);
    listener->exchange->errors += !right;
    listener->exchange->received++;
    listener->left--;
}

/* False: this end is cut off. */
static bool send_to_all(struct listener *listener, uint32_t number) {
    struct peers *peers = listener->peers;
    for (int to = 0; to < peers->count; to++) {
        struct content content = {(uint32_t)peers->rank, (uint32_t)to, listener->round, number};
        if (to != peers->rank)
            peers_send_all(peers, to, 1, &content, sizeof content, check_message, listener);
    }
    return !simulated_end_of(peers)->cut_off;
}

static bool receive_all(struct listener *listener) {
    struct peers_message message;
    enum peers_code code;
    while (listener->left > 0 && !listener->lost) {
        while ((code = peers_receive(listener->peers, &message)) != PEERS_NONE) {
            if (code == PEERS_LOST && message.from == listener->peers->rank)
                return false;
            check_message(listener, code, &message);
        }
        peers_wait(listener->peers, NULL);
    }
    return true;
}

static void exchange_work(void *user, struct peers *peers) {
    struct exchange *exchange = user;
    for (uint32_t round = 0; round < rounds; round++) {
        struct listener listener = {.exchange = exchange, .peers = peers, .round = round};
        listener.left = messages * (peers->count - 1);
        bool connected = true;
        for (uint32_t number = 0; number < messages && connected && !listener.lost; number++)
            connected = send_to_all(&listener, number);
        if (!connected || !receive_all(&listener)) {
            exchange->cut_off++;
            return;
        }
        enum peers_code code = peers_finish(peers);
        exchange->cut_off += simulated_end_of(peers)->cut_off;
        if (code == PEERS_LOST)
            return;
        exchange->finished++;
    }
}

static void every_message_arrives_in_order(void **state) {
    (void)state;
    uint64_t most_turns = 0;
    for (uint64_t seed = 0; seed < simulated_schedules(2000); seed++) {
        struct exchange exchange = {0};
        int count = 1 + (int)(seed % 5);
        struct simulation simulation = {.seed = seed, .count = count, .killed = -1};
        simulation.longest_delay = (int)(seed % 7) * 10;
        simulation.slow = (int)(seed % 11) - 5;
        assert_true(simulated_run(&simulation, exchange_work, &exchange));
        assert_int_equal(exchange.errors, 0);
        assert_int_equal(exchange.received, rounds * messages * count * (count - 1));
        assert_int_equal(exchange.finished, rounds * count);
        most_turns = simulation.turns > most_turns ? simulation.turns : most_turns;
    }
    assert_true(most_turns > 1000); /* the ranks did take turns */
}

static void a_lost_rank_is_reported(void **state) {
    (void)state;
    int killed = 0;
    for (uint64_t seed = 0; seed < simulated_schedules(2000); seed++) {
        struct exchange exchange = {0};
        int count = 2 + (int)(seed % 4);
        struct simulation simulation = {.seed = seed, .count = count, .slow = -1, .longest_delay = 20};
        simulation.killed = (int)(seed % (uint64_t)count);
        simulation.killed_at = seed % 200;
        assert_true(simulated_run(&simulation, exchange_work, &exchange));
        assert_int_equal(exchange.errors, 0);
        killed += exchange.cut_off;
        /* Whoever was left either ended the round in which the rank was lost, or saw it lost when it finished. */
        assert_in_range(exchange.cut_off, 0, 1);
        assert_in_range(exchange.lost, 0, (count - 1) * (count - 1));
    }
    assert_in_range(killed, simulated_schedules(1500), simulated_schedules(2000));
}

static void equal_seeds_give_equal_schedules(void **state) {
    (void)state;
    uint64_t different = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct exchange exchange = {0};
        struct simulation a = {.seed = seed, .count = 4, .slow = -1, .killed = -1, .longest_delay = 9}, b = a, c = a;
        c.seed = seed + 1000;
        assert_true(simulated_run(&a, exchange_work, &exchange));
        assert_true(simulated_run(&b, exchange_work, &exchange));
        assert_true(simulated_run(&c, exchange_work, &exchange));
        assert_int_equal(a.turns, b.turns);
        assert_int_equal(a.sent, b.sent);
        different += a.turns != c.turns;
    }
    assert_in_range(different, 40, 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_arrives_in_order),
        cmocka_unit_test(a_lost_rank_is_reported),
        cmocka_unit_test(equal_seeds_give_equal_schedules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
