/* Tree search guided by a network: visits against a plain recursive search, what must hold in every tree however many
 * simulations are under way, noise, Gumbel's halving, games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/search/policy/policy_reference.h"

#include <pthread.h>

/* A game with its tree, memory and options. */
struct table {
    soloist_puzzle puzzle;
    struct policy_options options;
    struct memory memory;
    struct fake fake;
    struct policy_tree tree;
    struct policy_in_flight in_flight;
};

static void open_table(struct table *table, const char *board, const char *options, int slots) {
    soloist_chunk chunk = {.text = board, .length = strlen(board), .line = 1};
    assert_int_equal(soloist_puzzle_read(&samegame_domain, NULL, &chunk, &table->puzzle, NULL), SOLOIST_OK);
    soloist_options_reset(policy_options_rows, &table->options);
    assert_int_equal(soloist_options_parse(policy_options_rows, &table->options, options, NULL), SOLOIST_OK);
    memory_open(&table->memory, 0);
    table->fake = fake_open(16);
    assert_true(policy_tree_open(&table->tree, &samegame_domain, table->puzzle.instance, &table->options,
                                 &table->fake.evaluator, &table->memory, 1));
    assert_true(policy_in_flight_open(&table->in_flight, slots, &table->memory));
}

static void close_table(struct table *table) {
    policy_in_flight_close(&table->in_flight);
    policy_tree_close(&table->tree);
    assert_int_equal(memory_used(&table->memory), 0);
    soloist_puzzle_free(&table->puzzle);
}

/* Runs so many simulations, fewer when the tree is over. False with an error. */
static bool run_simulations(struct policy_tree *tree, struct policy_in_flight *in_flight, int64_t simulations,
                            struct evaluator *evaluator, soloist_error *error) {
    bool waits = false;
    while (!waits)
        if (policy_in_flight_round(in_flight, tree, &simulations, evaluator, &waits, error) < 0)
            return false;
    return true;
}

static void simulate(struct table *table, int64_t simulations) {
    assert_true(run_simulations(&table->tree, &table->in_flight, simulations, &table->fake.evaluator, NULL));
}

/* ---- against the plain search ---- */

static void compare(const struct policy_tree *tree, uint32_t index, const struct plain_node *plain) {
    if (index == POLICY_NONE || !plain) {
        assert_true(index == POLICY_NONE && !plain);
        return;
    }
    const struct policy_edge *edges = policy_block(tree, index) + 1;
    assert_int_equal(policy_node_at(tree, index)->count, plain->count);
    for (int i = 0; i < plain->count; i++) {
        assert_int_equal(edges[i].visits, plain->visits[i]);
        assert_int_equal(edges[i].closed, plain->closed[i]);
        assert_true(edges[i].sum == plain->sum[i]);
        compare(tree, edges[i].child, plain->children[i]);
    }
}

static void visits_are_those_of_the_plain_search(void **state) {
    (void)state;
    static const char *const options[] = {"rollout=none",
                                          "rollout=none,normalise=static,range=700",
                                          "rollout=none,normalise=space-local",
                                          "rollout=none,c=0.5",
                                          "rollout=none,best_share=0.5",
                                          "rollout=none,value_scale=0.25,c=9",
                                          "value_share=1,best_share=1"};
    static const char *const boards[] = {"123\n312\n121\n", "1212\n1122\n2211\n1221\n",
                                         "12345\n11223\n33221\n45125\n44111\n"};
    for (size_t o = 0; o < sizeof options / sizeof *options; o++)
        for (size_t b = 0; b < 3; b++) {
            struct table table;
            open_table(&table, boards[b], options[o], 1);
            struct plain plain = {table.puzzle.instance, &table.options, 1e300, -1e300, NULL};
            unsigned char state_bytes[PLAIN_STATE];
            for (int i = 0; i < 600; i++) {
                bool closed;
                samegame_domain.life->root(table.puzzle.instance, state_bytes);
                double result = plain_simulate(&plain, &plain.root, state_bytes, 0, &closed);
                plain.least = result < plain.least ? result : plain.least;
                plain.most = result > plain.most ? result : plain.most;
                if (closed)
                    break;
            }
            simulate(&table, 600);
            compare(&table.tree, table.tree.root, plain.root);
            plain_free(plain.root);
            close_table(&table);
        }
}

/* ---- what holds in every tree ---- */

/* Returns the visits that the node has had. */
static uint32_t check_node(const struct policy_tree *tree, uint32_t index) {
    const struct policy_node *node = policy_node_at(tree, index);
    const struct policy_edge *edges = policy_block(tree, index) + 1;
    bool late = tree->ask_visits && node->asked && index != tree->root; /* a simulation ended here to ask */
    assert_int_equal(node->unlisted, tree->lists_late && node->visits == 1 && index != tree->root);
    if (node->unlisted) {
        assert_true(!node->count && node->open && node->available && node->has_first);
        return 1;
    }
    uint32_t visits = 1 + late, open = 0;
    for (uint32_t i = 0; i < node->count; i++) {
        const struct policy_edge *edge = &edges[i];
        assert_int_equal(edge->waiting, 0);
        assert_false(edge->pending);
        assert_int_equal(edge->barred, edge->closed);
        visits += edge->visits;
        open += !edge->closed;
        if (edge->child != POLICY_NONE) {
            assert_int_equal(check_node(tree, edge->child), edge->visits);
            assert_int_equal(!policy_node_at(tree, edge->child)->open, edge->closed);
        } else {
            assert_int_equal(edge->visits, edge->closed); /* an end is visited once, all else is expanded */
        }
        if (edge->visits) {
            double mean = edge->sum / edge->visits;
            assert_true((double)edge->least <= mean + 1e-3 && mean <= (double)edge->best + 1e-3);
        }
    }
    assert_int_equal(node->open, open);
    assert_int_equal(node->available, open);
    assert_int_equal(node->visits, visits);
    assert_true(node->has_first);
    return visits;
}

static void trees_add_up_whatever_is_under_way(void **state) {
    (void)state;
    static const char *const options[] = {"rollout=none", "", "rollout=guided", "value_share=0.5",
                                          "rollout=guided,noise=0.5"};
    static const int slots[] = {1, 2, 7, 64};
    for (size_t o = 0; o < sizeof options / sizeof *options; o++)
        for (size_t s = 0; s < 4; s++) {
            struct table table;
            open_table(&table, board7, options[o], slots[s]);
            simulate(&table, 500);
            assert_int_equal(table.tree.begun, 500);
            assert_int_equal(check_node(&table.tree, table.tree.root), 500);
            assert_true(slots[s] == 1 || table.fake.most_at_once > slots[s] / 2);
            close_table(&table);
        }
}

/* Where the network is asked late: even priors before so many visits, its own after. */
static uint32_t check_late(const struct policy_tree *tree, uint32_t index, const unsigned char *state_bytes) {
    const struct policy_node *node = policy_node_at(tree, index);
    const struct policy_edge *edges = policy_block(tree, index) + 1;
    uint32_t asked = node->asked;
    float priors[PLAIN_MOVES];
    assert_int_equal(node->asked, index == tree->root || node->visits > tree->ask_visits);
    fake_priors(tree->instance, state_bytes, (int)node->count, priors);
    for (uint32_t i = 0; i < node->count; i++) {
        _Alignas(8) unsigned char child[PLAIN_STATE];
        assert_true(edges[i].prior == (node->asked ? priors[i] : 1 / (float)node->count));
        memcpy(child, state_bytes, sizeof child);
        samegame_domain.core->apply(tree->instance, child, edges[i].move, NULL);
        if (edges[i].child != POLICY_NONE)
            asked += check_late(tree, edges[i].child, child);
    }
    return asked;
}

static void often_visited_nodes_have_priors(void **state) {
    (void)state;
    static const char *const options[] = {"ask_visits=1", "ask_visits=7", "ask_visits=7,rollout=best,c=0.2"};
    static const int slots[] = {1, 3, 16};
    for (size_t o = 0; o < sizeof options / sizeof *options; o++)
        for (size_t s = 0; s < 3; s++) {
            struct table table;
            _Alignas(8) unsigned char root[PLAIN_STATE];
            open_table(&table, board7, options[o], slots[s]);
            simulate(&table, 900);
            samegame_domain.life->root(table.puzzle.instance, root);
            assert_int_equal(check_node(&table.tree, table.tree.root), 900);
            uint32_t asked = check_late(&table.tree, table.tree.root, root);
            assert_int_equal(table.fake.judged, asked);
            assert_true(asked > 1 && asked < 900);
            close_table(&table);
        }
}

/* The same slots give the same tree again. */
static void one_thread_is_repeatable(void **state) {
    (void)state;
    double sums[2];
    for (int i = 0; i < 2; i++) {
        struct table table;
        open_table(&table, board7, "rollout=guided,noise=0.3", 8);
        simulate(&table, 700);
        int count;
        const struct policy_edge *edges = policy_tree_root(&table.tree, &count);
        sums[i] = 0;
        for (int k = 0; k < count; k++)
            sums[i] += edges[k].sum * (k + 1);
        close_table(&table);
    }
    assert_true(sums[0] == sums[1]);
}

static int32_t best_by_brute_force(const soloist_instance *instance, const unsigned char *from) {
    unsigned char state[PLAIN_STATE];
    soloist_move moves[PLAIN_MOVES];
    int32_t last = 0, best = INT32_MIN;
    if (samegame_domain.core->ended(instance, from, &last))
        return last;
    int count = samegame_domain.core->moves(instance, from, moves);
    for (int i = 0; i < count; i++) {
        memcpy(state, from, sizeof state);
        int32_t step = samegame_domain.core->apply(instance, state, moves[i], NULL);
        int32_t value = step + best_by_brute_force(instance, state);
        best = value > best ? value : best;
    }
    return best;
}

static void small_games_are_searched_through(void **state) {
    (void)state;
    static const char *const options[] = {"", "rollout=guided", "rollout=none", "c=0,rollout=none"};
    for (size_t o = 0; o < 4; o++) {
        struct table table;
        unsigned char root[PLAIN_STATE];
        open_table(&table, board4, options[o], 5);
        samegame_domain.life->root(table.puzzle.instance, root);
        simulate(&table, INT64_MAX);
        assert_true(policy_tree_is_closed(&table.tree) && policy_tree_is_over(&table.tree));
        assert_true(table.tree.has_best);
        assert_int_equal(table.tree.best.value, best_by_brute_force(table.puzzle.instance, root));
        check_node(&table.tree, table.tree.root);
        close_table(&table);
    }
}

struct climber {
    struct table *table;
    struct policy_in_flight in_flight;
    bool good;
};

static void *climb(void *argument) {
    struct climber *climber = argument;
    int64_t may = 400;
    int done = 0;
    bool waits;
    while (done < 400) {
        int now = policy_in_flight_round(&climber->in_flight, &climber->table->tree, &may,
                                         &climber->table->fake.evaluator, &waits, NULL);
        if (now < 0)
            return NULL;
        done += now;
    }
    climber->good = done == 400;
    return NULL;
}

static void threads_share_a_tree(void **state) {
    (void)state;
    static const char *const options[] = {"rollout=none", "", "rollout=guided"};
    for (size_t o = 0; o < 3; o++) {
        struct table table;
        struct climber climbers[4];
        pthread_t threads[4];
        open_table(&table, board7, options[o], 1);
        for (int i = 0; i < 4; i++) {
            climbers[i] = (struct climber){.table = &table};
            assert_true(policy_in_flight_open(&climbers[i].in_flight, 3, &table.memory));
            assert_int_equal(pthread_create(&threads[i], NULL, climb, &climbers[i]), 0);
        }
        for (int i = 0; i < 4; i++) {
            pthread_join(threads[i], NULL);
            assert_true(climbers[i].good);
            policy_in_flight_close(&climbers[i].in_flight);
        }
        assert_int_equal(check_node(&table.tree, table.tree.root), 1600);
        close_table(&table);
    }
}

static void a_failed_network_leaves_the_tree_whole(void **state) {
    (void)state;
    for (int calls = 1; calls < 60; calls += 3) {
        struct table table;
        soloist_error error = {0};
        open_table(&table, board7, "rollout=guided", 6);
        table.fake.fails_after = calls;
        assert_false(run_simulations(&table.tree, &table.in_flight, 1000, &table.fake.evaluator, &error));
        assert_string_equal(error.text, "the fake is out of order");
        if (table.tree.root != POLICY_NONE)
            assert_int_equal(policy_node_at(&table.tree, table.tree.root)->available,
                             policy_node_at(&table.tree, table.tree.root)->open);
        table.fake.fails_after = 0;
        simulate(&table, 200);
        close_table(&table);
    }
}

static void without_memory_a_tree_is_full(void **state) {
    (void)state;
    for (size_t limit = 0; limit < 400000; limit += 16411) {
        struct table table;
        open_table(&table, board7, "", 4);
        table.memory.limit = memory_used(&table.memory) + limit;
        simulate(&table, 5000);
        assert_true(table.tree.full || table.tree.begun == 5000);
        assert_true(limit > 200000 || table.tree.full);
        close_table(&table);
    }
}

/* ---- random numbers ---- */

/* Play-outs from the root draw their second move by the priors of where the first one, the likeliest, leads. */
static void guided_rollouts_draw_by_the_priors(void **state) {
    (void)state;
    enum { draws = 4000 };
    struct table table;
    unsigned char position[PLAIN_STATE];
    soloist_move moves[PLAIN_MOVES];
    float priors[PLAIN_MOVES];
    int seen[PLAIN_MOVES] = {0};
    open_table(&table, board5, "rollout=guided", 1);
    const soloist_instance *instance = table.puzzle.instance;
    samegame_domain.life->root(instance, position);
    int count = samegame_domain.core->moves(instance, position, moves), likeliest = 0;
    fake_priors(instance, position, count, priors);
    for (int i = 1; i < count; i++)
        likeliest = priors[i] > priors[likeliest] ? i : likeliest;
    soloist_move first = moves[likeliest];
    samegame_domain.core->apply(instance, position, first, NULL);
    count = samegame_domain.core->moves(instance, position, moves);
    fake_priors(instance, position, count, priors);
    for (int i = 0; i < draws; i++) {
        assert_true(policy_tree_restart(&table.tree, instance, (uint64_t)i));
        simulate(&table, 1);
        assert_int_equal(table.in_flight.simulations[0].line[0], first);
        for (int k = 0; k < count; k++)
            seen[k] += table.in_flight.simulations[0].line[1] == moves[k];
    }
    double chi_square = 0;
    for (int k = 0; k < count; k++) {
        double expected = draws * (double)priors[k];
        chi_square += (seen[k] - expected) * (seen[k] - expected) / expected;
    }
    assert_true(count > 3 && chi_square < count - 1 + 4 * __builtin_sqrt(2.0 * (count - 1)));
    close_table(&table);
}

static void dirichlet_noise_has_its_moments(void **state) {
    (void)state;
    static const double alphas[] = {0.03, 0.25, 1, 10};
    enum { count = 6, draws = 20000 };
    for (size_t a = 0; a < 4; a++) {
        double sum[count] = {0}, squares = 0, shares[count];
        soloist_rng rng;
        soloist_rng_seed(&rng, 5, a);
        for (int i = 0; i < draws; i++) {
            double all = 0;
            policy_dirichlet(&rng, alphas[a], count, shares);
            for (int k = 0; k < count; k++) {
                assert_true(shares[k] >= 0);
                all += shares[k], sum[k] += shares[k], squares += shares[k] * shares[k];
            }
            assert_true(all > 1 - 1e-9 && all < 1 + 1e-9);
        }
        double variance = squares / draws / count - 1.0 / count / count;
        double expected = (1.0 / count) * (1 - 1.0 / count) / (count * alphas[a] + 1);
        assert_true(variance > 0.93 * expected && variance < 1.07 * expected);
        for (int k = 0; k < count; k++)
            assert_true(sum[k] / draws > 1.0 / count - 0.012 && sum[k] / draws < 1.0 / count + 0.012);
    }
}

static void noise_is_mixed_into_the_roots_priors(void **state) {
    (void)state;
    struct table quiet, noisy;
    int count;
    open_table(&quiet, board5, "rollout=none", 1);
    open_table(&noisy, board5, "rollout=none,noise=1,noise_share=0.25", 1);
    simulate(&quiet, 2), simulate(&noisy, 2);
    const struct policy_edge *a = policy_tree_root(&quiet.tree, &count), *b = policy_tree_root(&noisy.tree, &count);
    double sum = 0;
    int differ = 0;
    for (int i = 0; i < count; i++) {
        assert_true((double)b[i].prior >= 0.75 * (double)a[i].prior - 1e-6);
        differ += a[i].prior != b[i].prior;
        sum += (double)b[i].prior;
    }
    assert_true(differ > count / 2 && sum > 0.9999 && sum < 1.0001);
    close_table(&quiet), close_table(&noisy);
}

/* ---- Gumbel ---- */

static int by_visits(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Visits from most to least, for m moves and n simulations, as the sequence of the paper's authors gives them. */
static void halving_visits_as_published(void **state) {
    (void)state;
    static const struct {
        const char *options;
        int simulations;
        uint32_t visits[8];
    } cases[] = {
        {"rollout=none,gumbel=4,per_move=16", 16, {6, 6, 2, 2, 0}}, /* 2 rounds of 4, then 4 of 2 */
        {"rollout=none,gumbel=2,per_move=16", 16, {8, 8, 0}},
        {"rollout=none,gumbel=1,per_move=9", 9, {9, 0}},
        {"rollout=none,gumbel=7,per_move=24", 24, {9, 8, 3, 1, 1, 1, 1, 0}}, /* 1 of 7, 2 of 3, then 2 */
        {"rollout=none,gumbel=7,per_move=5", 5, {1, 1, 1, 1, 1, 0}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int slots = 1; slots < 4; slots++) {
            struct table table;
            int count;
            uint32_t visits[PLAIN_MOVES];
            open_table(&table, board7, cases[c].options, slots);
            simulate(&table, 1 + cases[c].simulations); /* the first one is the root's own */
            const struct policy_edge *edges = policy_tree_root(&table.tree, &count);
            for (int i = 0; i < count; i++)
                visits[i] = edges[i].visits;
            qsort(visits, (size_t)count, sizeof *visits, by_visits);
            for (int i = 0; i < 8 && i < count && (!i || cases[c].visits[i - 1]); i++)
                assert_int_equal(visits[i], cases[c].visits[i]);
            soloist_move move = policy_tree_choose(&table.tree);
            for (int i = 0; i < count; i++)
                assert_true(edges[i].move != move || edges[i].visits == visits[0]);
            close_table(&table);
        }
}

/* The first move of the draw is distributed as the priors: the Gumbel-max trick. */
static void gumbel_draws_by_the_priors(void **state) {
    (void)state;
    enum { draws = 4000 };
    struct table table;
    int seen[PLAIN_MOVES] = {0}, count = 0;
    float priors[PLAIN_MOVES];
    open_table(&table, board5, "rollout=none,gumbel=1,per_move=2", 1);
    for (int i = 0; i < draws; i++) {
        assert_true(policy_tree_restart(&table.tree, table.puzzle.instance, (uint64_t)i));
        simulate(&table, 2);
        const struct policy_edge *edges = policy_tree_root(&table.tree, &count);
        for (int k = 0; k < count; k++) {
            seen[k] += edges[k].visits;
            priors[k] = edges[k].prior;
        }
    }
    double chi_square = 0;
    for (int k = 0; k < count; k++) {
        double expected = draws * (double)priors[k];
        chi_square += (seen[k] - expected) * (seen[k] - expected) / expected;
    }
    assert_true(chi_square < count - 1 + 4 * __builtin_sqrt(2.0 * (count - 1)));
    close_table(&table);
}

/* ---- games ---- */

static uint32_t visits_of(const struct policy_tree *tree, soloist_move move) {
    int count;
    const struct policy_edge *edges = policy_tree_root(tree, &count);
    for (int i = 0; i < count; i++)
        if (edges[i].move == move)
            return edges[i].visits;
    return 0;
}

/* Plays to the end; the moves made score what the tree says. */
static int32_t play(struct table *table, int64_t simulations) {
    int32_t score = 0;
    while (!policy_tree_ended(&table->tree, &score)) {
        simulate(table, simulations);
        assert_true(!table->options.keep || table->tree.root != POLICY_NONE);
        soloist_move move = policy_tree_choose(&table->tree);
        assert_true(move != SOLOIST_NO_MOVE);
        uint32_t visits = visits_of(&table->tree, move), used = table->tree.used;
        assert_true(policy_tree_advance(&table->tree, move));
        if (table->tree.root != POLICY_NONE) {
            assert_int_equal(check_node(&table->tree, table->tree.root), visits);
            assert_true(table->tree.used <= used);
        }
    }
    unsigned char state[PLAIN_STATE];
    int32_t value = 0, last = 0;
    samegame_domain.life->root(table->puzzle.instance, state);
    for (size_t i = 0; i < table->tree.game.count; i++)
        value += samegame_domain.core->apply(table->puzzle.instance, state, table->tree.game.moves[i], NULL);
    assert_true(samegame_domain.core->ended(table->puzzle.instance, state, &last));
    assert_int_equal(value + last, score);
    return score;
}

static void games_are_played_to_their_end(void **state) {
    (void)state;
    static const char *const options[] = {"",
                                          "keep=true",
                                          "keep=true,final=max",
                                          "final=robust",
                                          "rollout=none,keep=true",
                                          "rollout=guided,final=max",
                                          "gumbel=4,per_move=30,keep=true,final=max,noise=0.2"};
    for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
        struct table table;
        open_table(&table, board7, options[o], 3);
        int32_t score = play(&table, 30);
        if (table.options.final == POLICY_FINAL_LINE && table.tree.played_out && !table.options.gumbel)
            assert_int_equal(score, table.tree.best.value);
        assert_true(!table.tree.has_best || score <= table.tree.best.value || !table.tree.played_out);
        assert_true(policy_tree_restart(&table.tree, table.puzzle.instance, 2));
        play(&table, 20);
        close_table(&table);
    }
}

/* A tree of several chunks is the same after its way to the front: the visits and sums of all its nodes, in order. */
static double digest(const struct policy_tree *tree, uint32_t index) {
    const struct policy_node *node = policy_node_at(tree, index);
    const struct policy_edge *edges = policy_block(tree, index) + 1;
    double sum = node->visits;
    for (uint32_t i = 0; i < node->count && node->visits > 1; i++) {
        sum += edges[i].sum * (i + 1) + edges[i].move + (double)edges[i].prior;
        if (edges[i].child != POLICY_NONE)
            sum = sum * 0.5 + digest(tree, edges[i].child);
    }
    return sum;
}

static void pruning_keeps_the_tree_below(void **state) {
    (void)state;
    struct table table;
    open_table(&table, board7, "keep=true,c=4,final=robust", 4);
    for (int move = 0; move < 2; move++) {
        int count;
        simulate(&table, 6000);
        soloist_move chosen = policy_tree_choose(&table.tree);
        const struct policy_edge *edges = policy_tree_root(&table.tree, &count), *edge = edges;
        while (edge->move != chosen)
            edge++;
        assert_true(table.tree.chunk_count > 1 && edge->child != POLICY_NONE);
        double before = digest(&table.tree, edge->child);
        uint32_t used = table.tree.used, chunks = table.tree.chunk_count;
        table.tree.prune_at = 0; /* at once */
        assert_true(policy_tree_advance(&table.tree, chosen));
        assert_true(digest(&table.tree, table.tree.root) == before);
        assert_true(table.tree.used < used && table.tree.chunk_count == chunks);
        check_node(&table.tree, table.tree.root);
    }
    close_table(&table);
}

static void forget_memos(struct policy_tree *tree, uint32_t index) {
    const struct policy_edge *edges = policy_block(tree, index) + 1;
    policy_memo_at(tree, index)->chosen = 0;
    for (uint32_t i = 0; i < policy_node_at(tree, index)->count; i++)
        if (edges[i].child != POLICY_NONE)
            forget_memos(tree, edges[i].child);
}

enum shortcut { NONE_LEFT_OUT, NO_MEMOS, NO_STATES, NO_LISTING_LATE, NO_ORDER };

static double digest_without(const char *options, int slots, enum shortcut left_out) {
    struct table table;
    open_table(&table, board7, options, slots);
    if (left_out == NO_STATES || left_out == NO_LISTING_LATE)
        table.tree.lists_late = false;
    if (left_out == NO_STATES)
        table.tree.beside = 2;
    for (int i = 0; i < 1200; i += slots) {
        int64_t may = slots;
        bool waits;
        if (left_out == NO_MEMOS && table.tree.root != POLICY_NONE)
            forget_memos(&table.tree, table.tree.root);
        if (left_out == NO_ORDER && table.tree.root != POLICY_NONE)
            policy_node_at(&table.tree, table.tree.root)->ordered = false;
        assert_true(policy_in_flight_round(&table.in_flight, &table.tree, &may, &table.fake.evaluator, &waits, NULL) >=
                    0);
    }
    simulate(&table, 0);
    double found = digest(&table.tree, table.tree.root);
    check_node(&table.tree, table.tree.root);
    close_table(&table);
    return found;
}

/* Choices remembered, states kept in nodes, moves listed late, edges in order of priors: all of it only saves time. */
static void shortcuts_change_nothing(void **state) {
    (void)state;
    static const char *const options[] = {"rollout=none",
                                          "c=0.3",
                                          "rollout=best,c=0.03,ask_visits=7",
                                          "ask_visits=5,c=1,best_share=0.2,noise=0.3",
                                          "value_share=0.5,virtual_loss=0.5",
                                          "ask_visits=9,normalise=space-local"};
    for (size_t o = 0; o < sizeof options / sizeof *options; o++)
        for (int slots = 1; slots < 10; slots += 4) {
            double with = digest_without(options[o], slots, NONE_LEFT_OUT);
            for (enum shortcut left_out = NO_MEMOS; left_out <= NO_ORDER; left_out++)
                assert_true(digest_without(options[o], slots, left_out) == with);
        }
}

static int three_at_once(const struct evaluator *evaluator, const soloist_instance *instance) {
    (void)evaluator, (void)instance;
    return 3;
}

/* A large batch is evaluated in parts. If the token is stopped, the states that are left stay in flight. */
static void batches_are_evaluated_in_parts(void **state) {
    (void)state;
    struct table whole, parts;
    soloist_stop_token token = {0};
    int64_t may = 10;
    bool waits;
    open_table(&whole, board7, "rollout=none", 10);
    open_table(&parts, board7, "rollout=none", 10);
    parts.fake.evaluator.at_once = three_at_once;
    parts.tree.stop = &token;
    simulate(&whole, 490);
    simulate(&whole, 10);
    simulate(&parts, 490);
    soloist_stop_token_cancel(&token);
    int judged = parts.fake.judged;
    assert_int_equal(policy_in_flight_round(&parts.in_flight, &parts.tree, &may, &parts.fake.evaluator, &waits, NULL),
                     0);
    assert_true(!may && !waits && parts.fake.judged == judged);
    parts.tree.stop = NULL;
    simulate(&parts, 0);
    assert_int_equal(whole.fake.most_at_once, 10);
    assert_int_equal(parts.fake.most_at_once, 3);
    assert_int_equal(parts.fake.judged, whole.fake.judged);
    assert_true(digest(&parts.tree, parts.tree.root) == digest(&whole.tree, whole.tree.root));
    close_table(&whole);
    close_table(&parts);
}

/* Plain MCTS: no network at all. */
static void without_a_network_priors_are_even(void **state) {
    (void)state;
    struct table table;
    int count;
    open_table(&table, board7, "", 1);
    policy_tree_close(&table.tree);
    assert_true(
        policy_tree_open(&table.tree, &samegame_domain, table.puzzle.instance, &table.options, NULL, &table.memory, 3));
    assert_true(run_simulations(&table.tree, &table.in_flight, 300, NULL, NULL));
    const struct policy_edge *edges = policy_tree_root(&table.tree, &count);
    for (int i = 0; i < count; i++)
        assert_true(edges[i].prior == 1 / (float)count);
    assert_int_equal(check_node(&table.tree, table.tree.root), 300);
    assert_int_equal(table.fake.calls, 0);
    close_table(&table);
}

/* Noise makes the even priors of a root without a network uneven: its likeliest move is the first to be tried. */
static void noise_counts_without_a_network(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct table table;
        int count, likeliest = 0;
        open_table(&table, board7, "noise=0.3,noise_share=1", 1);
        policy_tree_close(&table.tree);
        assert_true(policy_tree_open(&table.tree, &samegame_domain, table.puzzle.instance, &table.options, NULL,
                                     &table.memory, seed));
        assert_true(run_simulations(&table.tree, &table.in_flight, 2, NULL, NULL));
        const struct policy_edge *edges = policy_tree_root(&table.tree, &count);
        for (int i = 1; i < count; i++)
            likeliest = edges[i].prior > edges[likeliest].prior ? i : likeliest;
        assert_int_equal(edges[likeliest].visits, 1);
        close_table(&table);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(visits_are_those_of_the_plain_search),
        cmocka_unit_test(trees_add_up_whatever_is_under_way),
        cmocka_unit_test(often_visited_nodes_have_priors),
        cmocka_unit_test(one_thread_is_repeatable),
        cmocka_unit_test(small_games_are_searched_through),
        cmocka_unit_test(threads_share_a_tree),
        cmocka_unit_test(a_failed_network_leaves_the_tree_whole),
        cmocka_unit_test(without_memory_a_tree_is_full),
        cmocka_unit_test(guided_rollouts_draw_by_the_priors),
        cmocka_unit_test(dirichlet_noise_has_its_moments),
        cmocka_unit_test(noise_is_mixed_into_the_roots_priors),
        cmocka_unit_test(halving_visits_as_published),
        cmocka_unit_test(gumbel_draws_by_the_priors),
        cmocka_unit_test(games_are_played_to_their_end),
        cmocka_unit_test(pruning_keeps_the_tree_below),
        cmocka_unit_test(shortcuts_change_nothing),
        cmocka_unit_test(batches_are_evaluated_in_parts),
        cmocka_unit_test(without_a_network_priors_are_even),
        cmocka_unit_test(noise_counts_without_a_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
