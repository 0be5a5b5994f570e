/* The default method: a mix of methods that suits the domain. For least cost: mostly an optimal search with half of the
 * limits, then faster ones with the rest; for Sokoban a round robin of many methods. For most score: an exact search if
 * games are short, then NRPA if the domain has walks, otherwise greedy descents and tree search or play-outs. For two
 * players: minimax. */
#include "domain/domain.h"
#include "domain/sokoban/deadlock/triples.h"
#include "search/special/pancake/ida_star_pancake.h"
#include "search/mix/sequence.h"
#include "search/mix/round_robin.h"

#include <stdio.h>

/* The members of a mix run one after the other, each with all threads, or they run by round robin. */
struct auto_mix {
    const struct sequence_member *sequential;
    const struct round_robin_member *interleaved;
    size_t count;
};

#define SEQUENTIAL(list) ((struct auto_mix){list, NULL, sizeof list / sizeof *list})
#define INTERLEAVED(list) ((struct auto_mix){NULL, list, sizeof list / sizeof *list})

static const struct sequence_member with_bound[] = {
    {"astar", .percent = 50}, {"astar:weight=5", .percent = 60}, {"greedy", .percent = 100}};
/* A* comes first, which proves optimality on small levels. Most of the other work is feature-space search, with one
 * kind of plan per member, and bidirectional search with most expansions from the goals. A member and its share were
 * chosen by the levels that only this member solves (docs/MEASURED.md, "Sokoban by default"); tree search solves small
 * levels that need long detours. */
#define SOKOBAN_MACROS "tunnels=out,goal_macros=on,goal_cuts=far,penalties=sound"
#define SOKOBAN_MIX(MEMBER)                                                                                            \
    MEMBER("astar", {"astar", .share = 2, .head = 50000})                                                              \
    MEMBER("bhpa", {"bhpa:lean=6", .share = 24, .head = 40000})                                                        \
    MEMBER("fess-1", {"fess:plans=1,first=1,restart=30000", .share = 25})                                              \
    MEMBER("fess-0", {"fess:plans=1,first=0,restart=30000", .share = 12})                                              \
    MEMBER("fess-4", {"fess:plans=1,first=4,restart=30000", .share = 12})                                              \
    MEMBER("fess-7", {"fess:plans=1,first=7,restart=30000", .share = 8})                                               \
    MEMBER("bhpa-goal", {"bhpa:from=goal,weight=3", .share = 6})                                                       \
    MEMBER("fess-5", {"fess:plans=1,first=5,restart=30000", .share = 6})                                               \
    MEMBER("fess-6", {"fess:plans=1,first=6,restart=30000", .share = 6})                                               \
    MEMBER("bhpa-macros", {"bhpa", .share = 4, .changes = SOKOBAN_MACROS})                                             \
    MEMBER("mcts", {"mcts:path_weight=0.75", .share = 3, .threads = true})                                             \
    MEMBER("fess-2", {"fess:plans=1,first=2,restart=30000", .share = 3})
#define MEMBER_ROW(name, ...) __VA_ARGS__,
#define MEMBER_NAME(name, ...) "|" name
static const struct round_robin_member for_sokoban[] = {SOKOBAN_MIX(MEMBER_ROW)};
/* The largest value of `without`: any members may be left out, but not all. */
enum { most_left_out = (1 << sizeof for_sokoban / sizeof *for_sokoban) - 2 };

struct auto_options {
    int64_t without; /* bit i: member i is left out */
    int64_t triples;
    int share;
};
static const soloist_option auto_options_rows[] = {
    {SOLOIST_OPTION_NAMES, "without", offsetof(struct auto_options, without), 0, 0, most_left_out,
     &SOKOBAN_MIX(MEMBER_NAME)[1], "members of Sokoban's mix that are left out; fess-1 is fess with plan 1, and so on"},
    SOLOIST_ROW_INT(auto_options, triples, 400, 0, 100000,
                    "Sokoban's domain option of the same name, set for the mix unless the puzzle sets it itself")
        SOLOIST_ROW_CHOICE(
            auto_options, share, SOKOBAN_SHARE_FINDINGS, "none|findings|patterns",
            "Sokoban's domain option of the same name, set for the mix unless the puzzle sets it itself"){
            SOLOIST_OPTION_END, NULL, 0, 0, 0, 0, NULL, NULL}};

/* If the user counts steps, more time is spent on optimal searches. */
static const struct sequence_member for_sokoban_steps[] = {
    {"astar", .percent = 40}, {"bhpa", .percent = 40}, {"mcts", .percent = 100}};
static const struct sequence_member for_pancakes[] = {
    {"idastar:dual", .percent = 90}, {"astar:weight=5", .percent = 60}, {"greedy", .percent = 100}};
/* If the limit is a few seconds, half of it is enough to solve most 15-puzzles optimally, and even all of it is hardly
 * ever enough for a 24-puzzle. */
static const struct sequence_member for_tiles[] = {{"idastar", .percent = 50}, {"beam", .percent = 100}};
static const struct sequence_member for_wide_tiles[] = {{"idastar", .percent = 5}, {"beam", .percent = 100}};
static const struct sequence_member without_bound[] = {{"bfs", .percent = 50}, {"greedy", .percent = 100}};
static const struct sequence_member endless[] = {{"greedy", .percent = 100}};
static const struct sequence_member bounded_alone[] = {{"astar", .percent = 100}};
static const struct sequence_member pancakes_alone[] = {{"idastar:dual", .percent = 100}};
static const struct sequence_member unbounded_alone[] = {{"bfs", .percent = 100}};
static const struct sequence_member for_two_players[] = {{"minimax", .percent = 100}};
static const struct sequence_member for_small_score[] = {
    {"bestfirst", .percent = 50}, {"greedy", .percent = 30}, {"random", .percent = 100}};
static const struct sequence_member small_score_alone[] = {{"bestfirst", .percent = 100}};
static const struct sequence_member for_most_score[] = {{"greedy", .percent = 5}, {"mcts", .percent = 100}};
/* For domains with walks, NRPA is better than tree search: on SameGame's 20 standard positions it scored 79,964 points,
 * and greedy descents followed by tree search scored 69,114 (docs/MEASURED.md). */
static const struct sequence_member for_small_walk[] = {{"bestfirst", .percent = 50}, {"nrpa", .percent = 100}};
static const struct sequence_member for_walk[] = {{"nrpa", .percent = 100}};

/* A board of up to 16 squares is packed into 8 bytes; a larger packed size means a larger board. */
static struct auto_mix choose_for_tiles(const struct search_run *run) {
    return run->shape.packed_size > 8 ? SEQUENTIAL(for_wide_tiles) : SEQUENTIAL(for_tiles);
}

/* Games of at most this many moves are mostly solved optimally within seconds. In SameGame these are boards of up to 64
 * blocks; of the 7x7 boards all were solved. */
enum { short_game = 32 };

static struct auto_mix choose_for_score(const struct search_run *run) {
    const soloist_limits *limits = &run->budget->limits;
    bool is_short = run->domain->bound && run->shape.most_steps > 0 && run->shape.most_steps <= short_game;
    if (is_short && (limits->time_s > 0 || limits->nodes))
        return run->domain->walk ? SEQUENTIAL(for_small_walk) : SEQUENTIAL(for_small_score);
    if (is_short && !limits->iterations)
        return SEQUENTIAL(small_score_alone);
    return run->domain->walk ? SEQUENTIAL(for_walk) : SEQUENTIAL(for_most_score);
}

static struct auto_mix choose_for_sokoban(const struct search_run *run) {
    const struct sokoban_options *options = run->puzzle ? run->puzzle->options : NULL;
    return options && options->optimal ? SEQUENTIAL(for_sokoban_steps) : INTERLEAVED(for_sokoban);
}

/* The mix for least cost under a time or node limit, which every member obeys. */
static struct auto_mix choose_for_cost(const struct search_run *run) {
    if (ida_star_pancake_fits(run->domain, run->instance))
        return SEQUENTIAL(for_pancakes);
    if (run->domain->core == tiles_domain.core)
        return choose_for_tiles(run);
    if (run->domain->core == sokoban_domain.core)
        return choose_for_sokoban(run);
    return run->domain->bound ? SEQUENTIAL(with_bound) : SEQUENTIAL(without_bound);
}

/* Searches with a closed table do not count iterations, so with only an iteration limit greedy is used. Without any
 * limit greedy is not used, because it never stops. */
static struct auto_mix choose_mix(const struct search_run *run) {
    const soloist_limits *limits = &run->budget->limits;
    if (run->domain->players == 2)
        return SEQUENTIAL(for_two_players);
    if (run->domain->aim == SOLOIST_MOST_SCORE)
        return choose_for_score(run);
    if (limits->time_s > 0 || limits->nodes)
        return choose_for_cost(run);
    if (limits->iterations)
        return SEQUENTIAL(endless);
    if (ida_star_pancake_fits(run->domain, run->instance))
        return SEQUENTIAL(pancakes_alone);
    return run->domain->bound ? SEQUENTIAL(bounded_alone) : SEQUENTIAL(unbounded_alone);
}

static soloist_code run_interleaved(struct search_run *run, const struct round_robin_member *members, size_t count) {
    const struct auto_options *options = run->options;
    struct round_robin_member left[sizeof for_sokoban / sizeof *for_sokoban];
    size_t some = 0;
    for (size_t i = 0; i < count; i++)
        if (!(options->without >> i & 1))
            left[some++] = members[i];
    return round_robin_run(run, left, some);
}

/* Makes a second instance for the members, which learns deadlocks while they search; the caller's instance stays
 * unchanged. */
static soloist_instance *open_learning(const struct search_run *run) {
    static const char *const shared[] = {"none", "findings", "patterns"};
    const struct auto_options *options = run->options;
    const struct sokoban_options *rules = run->puzzle ? run->puzzle->options : NULL;
    char changes[64];
    if (!rules || rules->triples || rules->share || rules->deadlock_tables || (!options->triples && !options->share) ||
        sokoban_of(run->instance)->boxes < SOKOBAN_TRIPLES_BOXES)
        return NULL;
    snprintf(changes, sizeof changes, "triples=%d,share=%s", (int)options->triples, shared[options->share]);
    return search_read_again(run, changes);
}

/* The memory for learned deadlocks counts as the run's memory; if memory is short, the instance does not learn. */
static soloist_code run_sokoban(struct search_run *run, const struct round_robin_member *members, size_t count) {
    const soloist_instance *own = run->instance;
    struct memory *memory = &run->budget->memory;
    size_t size = sokoban_learned_size(sokoban_of(own)), limit = run->budget->limits.memory;
    bool booked = (!limit || size < limit / 4) && memory_book(memory, size);
    soloist_instance *learning = booked ? open_learning(run) : NULL;
    if (booked && !learning)
        memory_unbook(memory, size);
    if (learning)
        run->instance = learning;
    soloist_code code = run_interleaved(run, members, count);
    run->instance = own;
    run->domain->life->destroy(learning);
    if (learning)
        memory_unbook(memory, size);
    return code;
}

static soloist_code auto_run(struct search_run *run) {
    struct auto_mix mix = choose_mix(run);
    return mix.interleaved ? run_sokoban(run, mix.interleaved, mix.count)
                           : sequence_run(run, mix.sequential, mix.count);
}

const struct search_method search_auto = {
    .name = "auto",
    .summary = "the mix of methods that suits the domain and the limits best",
    .options = auto_options_rows,
    .options_size = sizeof(struct auto_options),
    .run = auto_run,
};
