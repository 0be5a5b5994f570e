/* A* and breadth-first search on several ranks against one rank. Simulated ranks try thousands of schedules: messages
 * that are late, a rank that is slow, a rank that is lost, limits that end one rank. Threads run as users run them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/domain.h"
#include "peers_simulated.h"
#include "search/search.h"
#include "toy.h"

#include "../../examples/lights_out.c"

enum { most_ranks = 6 };

/* ---- subjects ---- */

static struct subject {
    const soloist_domain *domain;
    const char *text;
} subjects[] = {
    {&tiles_domain, "0 3 2 7 1 4 8 6 5"},
    {&tiles_domain, "3 4 6 7 1 8 2 5 0"},
    {&tiles_domain, "3x2: 0 2 1 3 4 5"}, /* no solution */
    {&pancake_domain, "7 8 2 5 4 3 1 6"},
    {&pancake_domain, "5 2 7 1 6 4 3"},
    {&sokoban_domain, "########\n#   #  #\n#  $   #\n# .#$  #\n##.#  ##\n#     #\n# @   #\n#######"},
    {&sokoban_domain, "#######\n#@ $ .#\n#######"},
    {&sokoban_domain, "######\n#   .#\n#$   #\n#  @ #\n######"}, /* no solution: the box is on a wall without a goal */
    {&sokoban_moves_domain, "######\n#.   #\n# $  #\n#  @ #\n######"},
    {NULL, "3x3:111101111"},
    {NULL, "4x4:1001011001101001"},
    {NULL, NULL}, /* a random graph: costs differ, and the bound is not consistent */
};
enum { subject_count = sizeof subjects / sizeof *subjects };

static const soloist_domain *domain_of(const struct subject *subject) {
    static soloist_domain graph;
    graph = toy_graph_domain;
    graph.bound = &toy_graph_bound;
    graph.pack = &toy_graph_pack;
    return subject->domain ? subject->domain : subject->text ? soloist_plugin() : &graph;
}

static void open_subject(uint64_t seed, size_t number, soloist_puzzle *puzzle) {
    static char text[40000];
    const struct subject *subject = &subjects[number];
    soloist_rng rng;
    soloist_rng_seed(&rng, seed, 1);
    if (!subject->text)
        toy_random_graph(&rng, 3 + (int)(seed % 40), 4 * (3 + (int)(seed % 40)), (int)(seed % 2), 9, text, sizeof text);
    soloist_chunk chunk = {.text = subject->text ? subject->text : text, .line = 1, .name = ""};
    soloist_error error = {0};
    chunk.length = strlen(chunk.text);
    const soloist_domain *domain = domain_of(subject);
    if (soloist_puzzle_read(domain, NULL, &chunk, puzzle, &error) != SOLOIST_OK)
        fail_msg("%s: %s", domain->name, error.text);
}

/* ---- runs ---- */

struct member {
    struct search_run run;
    struct budget budget;
    soloist_error error;
    soloist_code code;
    size_t memory_left; /* bytes that it has not given back */
};

struct party {
    const struct search_method *method;
    struct member members[most_ranks];
};

static void open_member(struct member *member, const soloist_puzzle *puzzle, const void *options,
                        const soloist_limits *limits) {
    *member = (struct member){0};
    budget_open(&member->budget, limits, NULL);
    member->run = (struct search_run){.domain = puzzle->domain,
                                      .instance = puzzle->instance,
                                      .puzzle = puzzle,
                                      .options = options,
                                      .budget = &member->budget,
                                      .threads = 1,
                                      .error = &member->error};
    puzzle->domain->life->shape(puzzle->instance, &member->run.shape);
}

static void run_member(void *user, struct peers *peers) {
    struct party *party = user;
    struct member *member = &party->members[peers->rank];
    member->run.peers = peers;
    member->code = party->method->run(&member->run);
    member->memory_left = memory_used(&member->budget.memory);
}

/* Whether the moves lead to a goal, at this cost. */
static bool is_line(const struct search_run *run) {
    void *state = malloc(run->shape.state_size);
    int64_t cost = 0;
    int32_t last;
    run->domain->life->root(run->instance, state);
    for (size_t i = 0; i < run->best.count; i++)
        cost += run->domain->core->apply(run->instance, state, run->best.moves[i], NULL);
    bool right = run->domain->core->ended(run->instance, state, &last) && cost == run->best.value;
    free(state);
    return right;
}

static void free_lines(struct party *party, int count) {
    for (int i = 0; i < count; i++)
        free(party->members[i].run.best.moves);
}

static struct simulation schedule(uint64_t seed, int count) {
    struct simulation simulation = {.seed = seed, .count = count, .slow = -1, .killed = -1};
    simulation.longest_delay = (int)(seed / 3 % 4) * 30;
    simulation.slow = seed % 5 == 0 ? (int)(seed / 5 % (uint64_t)count) : -1;
    simulation.most = PEERS_LEAST * (1 + seed % 3);
    return simulation;
}

static const char *const methods[] = {"astar", "bfs", "astar:ties=random", "astar:weight=2", "astar:weight=0"};
enum { method_count = sizeof methods / sizeof *methods };

/* Runs a method on one rank and on several, and compares what they claim. Returns the messages that were sent. */
static uint64_t compare(uint64_t seed, size_t number, const char *method, struct member *alone) {
    struct party party;
    struct search_choice choice;
    soloist_puzzle puzzle;
    soloist_limits limits = {0};
    int count = 1 + (int)(seed % most_ranks);
    open_subject(seed, number, &puzzle);
    assert_int_equal(search_choose(NULL, method, puzzle.domain, &choice, NULL), SOLOIST_OK);
    party.method = choice.method;
    open_member(alone, &puzzle, choice.options, &limits);
    assert_int_equal(choice.method->run(&alone->run), SOLOIST_OK);
    for (int i = 0; i < count; i++)
        open_member(&party.members[i], &puzzle, choice.options, &limits);
    struct simulation simulation = schedule(seed, count);
    assert_true(simulated_run(&simulation, run_member, &party));
    const struct search_run *run = &party.members[0].run;
    for (int i = 0; i < count; i++) {
        assert_int_equal(party.members[i].code, SOLOIST_OK);
        assert_int_equal(party.members[i].memory_left, 0);
    }
    assert_int_equal(atomic_load(&run->budget->stop), -1);
    assert_int_equal(run->found, alone->run.found);
    assert_int_equal(run->impossible, alone->run.impossible);
    assert_true(!run->found || is_line(run));
    if (alone->run.optimal && run->optimal)
        assert_int_equal(run->best.value, alone->run.best.value);
    if (choice.method->proves(choice.options) || alone->run.impossible)
        assert_int_equal(run->optimal, alone->run.optimal);
    free(alone->run.best.moves);
    free_lines(&party, count);
    search_choice_free(&choice);
    soloist_puzzle_free(&puzzle);
    return simulation.sent;
}

static void every_schedule_gives_the_same_answer(void **state) {
    (void)state;
    uint64_t found = 0, impossible = 0, optimal = 0, sent = 0, runs = simulated_schedules(1600);
    for (uint64_t seed = 0; seed < runs; seed++) {
        struct member alone;
        sent += compare(seed, seed % subject_count, methods[seed / subject_count % method_count], &alone);
        found += alone.run.found;
        impossible += alone.run.impossible;
        optimal += alone.run.optimal;
    }
    assert_true(found > runs / 2 && impossible > runs / 20 && optimal > runs / 2 && sent > runs * 20);
}

static void random_graphs_have_the_same_cost(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < simulated_schedules(1000); seed++) {
        struct member alone;
        compare(seed, subject_count - 1, seed % 3 ? "astar" : "bfs", &alone);
    }
}

/* ---- losses and limits ---- */

static void a_lost_rank_ends_the_search(void **state) {
    (void)state;
    uint64_t ended = 0, runs = simulated_schedules(800);
    for (uint64_t seed = 0; seed < runs; seed++) {
        struct party party = {.method = seed % 2 ? &search_a_star : &search_bfs};
        struct search_choice choice;
        soloist_puzzle puzzle;
        soloist_limits limits = {0};
        int count = 2 + (int)(seed % (most_ranks - 1)), failed = 0;
        open_subject(seed, 3 * (seed % 2), &puzzle);
        assert_int_equal(search_choose(NULL, party.method->name, puzzle.domain, &choice, NULL), SOLOIST_OK);
        for (int i = 0; i < count; i++)
            open_member(&party.members[i], &puzzle, choice.options, &limits);
        struct simulation simulation = schedule(seed, count);
        simulation.killed = (int)(seed / 7 % (uint64_t)count);
        simulation.killed_at = seed % 97;
        assert_true(simulated_run(&simulation, run_member, &party));
        for (int i = 0; i < count; i++) {
            const struct member *member = &party.members[i];
            assert_int_equal(member->memory_left, 0);
            failed += member->code == SOLOIST_INTERNAL && strstr(member->error.text, "lost");
            assert_true(member->code == SOLOIST_OK || member->code == SOLOIST_INTERNAL);
        }
        const struct search_run *run = &party.members[0].run;
        assert_true(!run->found || is_line(run));
        assert_false(run->impossible);
        ended += failed > 0;
        free_lines(&party, count);
        search_choice_free(&choice);
        soloist_puzzle_free(&puzzle);
    }
    assert_true(ended > runs / 2);
}

/* One rank or all have a limit: rank 0 reports it, nothing false is claimed, and no rank passes its limit. */
static void a_limit_of_one_rank_ends_all(void **state) {
    (void)state;
    uint64_t stopped[2] = {0}, runs = simulated_schedules(800);
    for (uint64_t seed = 0; seed < runs; seed++) {
        struct party party = {.method = &search_a_star};
        struct search_choice choice;
        soloist_puzzle puzzle;
        int count = 2 + (int)(seed % (most_ranks - 1)), limited = (int)(seed / 2 % (uint64_t)count);
        bool memory = seed % 2;
        open_subject(seed, 1, &puzzle);
        assert_int_equal(search_choose(NULL, "astar", puzzle.domain, &choice, NULL), SOLOIST_OK);
        for (int i = 0; i < count; i++) {
            soloist_limits limits = {0};
            if (i == limited && memory)
                limits.memory = 1 + seed * 17 % 20000;
            else if (i == limited)
                limits.nodes = 1 + seed * 7 % 300;
            open_member(&party.members[i], &puzzle, choice.options, &limits);
        }
        struct simulation simulation = schedule(seed, count);
        assert_true(simulated_run(&simulation, run_member, &party));
        const struct search_run *run = &party.members[0].run;
        int stop = atomic_load(&run->budget->stop);
        assert_true(stop == -1 || stop == (int)(memory ? SOLOIST_STOP_MEMORY : SOLOIST_STOP_NODES));
        stopped[memory] += stop >= 0;
        assert_false(run->impossible);
        assert_false(stop >= 0 && run->optimal && run->best.value != 22);
        for (int i = 0; i < count; i++) {
            const struct budget *budget = &party.members[i].budget;
            assert_int_equal(party.members[i].memory_left, 0);
            assert_true(!budget->limits.memory || memory_peak(&budget->memory) <= budget->limits.memory);
            assert_true(!budget->limits.nodes || !i || atomic_load(&budget->nodes) <= budget->limits.nodes);
        }
        free_lines(&party, count);
        search_choice_free(&choice);
        soloist_puzzle_free(&puzzle);
    }
    assert_true(stopped[0] > runs / 20 && stopped[1] > runs / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_schedule_gives_the_same_answer),
        cmocka_unit_test(random_graphs_have_the_same_cost),
        cmocka_unit_test(a_lost_rank_ends_the_search),
        cmocka_unit_test(a_limit_of_one_rank_ends_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
