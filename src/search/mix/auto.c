/* The default method: the mix of methods that the domain's hints name or, without hints, a mix that suits the groups of
 * functions that the domain has. For least cost: usually an optimal search with half of the limits, then faster
 * searches with the rest. For the highest score: an exact search if games are short, then NRPA if the domain has walks,
 * otherwise greedy descents and tree search or play-outs. For two players: minimax. */
#include "search/mix/sequence.h"
#include "search/mix/round_robin.h"

#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>

#define AUTO_OPTIONS(T, INT, REAL, BOOL, CHOICE, NAME)                                                                 \
    NAME(T, without, "none", "parts of the mix to leave out, given by their names joined by +")
SOLOIST_NAMED_OPTIONS(auto_options, AUTO_OPTIONS);

/* Formerly `without` was a number with one bit per member. Only the mix with these members allowed members to be left
 * out then, so one list of names is enough. */
static const struct option_alias aliases[] = {
    {"without", ALIAS_BITS, "astar|bhpa|fess-1|fess-0|fess-4|fess-7|bhpa-goal|fess-5|fess-6|bhpa-macros|mcts|fess-2"},
    {NULL, NULL, NULL}};

#define SEQUENCE(list)                                                                                                 \
    { .size = sizeof(soloist_mix), .members = list, .count = sizeof list / sizeof *list }

static const soloist_member with_bound[] = {{"astar", "astar", .percent = 50},
                                            {"astar-weighted", "astar:weight=5", .percent = 60},
                                            {"greedy", "greedy", .percent = 100}};
static const soloist_member without_bound[] = {{"bfs", "bfs", .percent = 50}, {"greedy", "greedy", .percent = 100}};
static const soloist_member endless[] = {{"greedy", "greedy", .percent = 100}};
static const soloist_member bounded_alone[] = {{"astar", "astar", .percent = 100}};
static const soloist_member unbounded_alone[] = {{"bfs", "bfs", .percent = 100}};
static const soloist_member for_two_players[] = {{"minimax", "minimax", .percent = 100}};
static const soloist_member for_small_score[] = {{"bestfirst", "bestfirst", .percent = 50},
                                                 {"greedy", "greedy", .percent = 30},
                                                 {"random", "random", .percent = 100}};
static const soloist_member small_score_alone[] = {{"bestfirst", "bestfirst", .percent = 100}};
static const soloist_member for_most_score[] = {{"greedy", "greedy", .percent = 5}, {"mcts", "mcts", .percent = 100}};
/* For domains with walks, NRPA is better than tree search: on 20 standard positions of a game with walks it scored
 * 79,964 points, and greedy descents followed by tree search scored 69,114 (docs/MEASURED.md). */
static const soloist_member for_small_walk[] = {{"bestfirst", "bestfirst", .percent = 50},
                                                {"nrpa", "nrpa", .percent = 100}};
static const soloist_member for_walk[] = {{"nrpa", "nrpa", .percent = 100}};

/* Games of at most this many moves are mostly solved optimally within seconds. In SameGame these are boards of up to 64
 * blocks; all 7x7 boards were solved. */
enum { short_game = 32 };

static soloist_mix choose_for_score(const struct search_run *run) {
    const soloist_limits *limits = &run->budget->limits;
    bool is_short = run->domain->bound && run->shape.most_steps > 0 && run->shape.most_steps <= short_game;
    if (is_short && (limits->time_s > 0 || limits->nodes))
        return run->domain->walk ? (soloist_mix)SEQUENCE(for_small_walk) : (soloist_mix)SEQUENCE(for_small_score);
    if (is_short && !limits->iterations)
        return (soloist_mix)SEQUENCE(small_score_alone);
    return run->domain->walk ? (soloist_mix)SEQUENCE(for_walk) : (soloist_mix)SEQUENCE(for_most_score);
}

/* Searches with a closed table do not count iterations, so with only an iteration limit greedy is used. Without any
 * limit greedy is not used, because it never stops. */
static soloist_mix choose_for_cost(const struct search_run *run) {
    const soloist_limits *limits = &run->budget->limits;
    if (limits->time_s > 0 || limits->nodes)
        return run->domain->bound ? (soloist_mix)SEQUENCE(with_bound) : (soloist_mix)SEQUENCE(without_bound);
    if (limits->iterations)
        return (soloist_mix)SEQUENCE(endless);
    return run->domain->bound ? (soloist_mix)SEQUENCE(bounded_alone) : (soloist_mix)SEQUENCE(unbounded_alone);
}

static soloist_mix choose_mix(const struct search_run *run) {
    const soloist_hints *hints = run->domain->hints;
    const soloist_mix *own = hints && hints->mix ? hints->mix(run->instance, &run->budget->limits) : NULL;
    if (own) {
        soloist_mix mix = {0};
        memcpy(&mix, own, own->size < sizeof mix ? own->size : sizeof mix);
        return mix;
    }
    if (run->domain->players == 2)
        return (soloist_mix)SEQUENCE(for_two_players);
    return run->domain->aim == SOLOIST_MOST_SCORE ? choose_for_score(run) : choose_for_cost(run);
}

/* ---- the members that are used ----------------------------------------------------------------------- */

/* Checks a member's method and the changes of the domain's options; a value that only suits some instances may be
 * refused later, and the member is then skipped. `auto` cannot be a member: it would run itself without end. */
static bool check_member(const struct search_run *run, const soloist_member *member) {
    struct search_choice choice;
    soloist_error why = {0};
    bool good = search_choose(run->added, member->method, run->domain, &choice, &why) == SOLOIST_OK;
    if (good && choice.method == &search_auto)
        good = soloist_fail(&why, 0, 0, "auto cannot be a member of a mix");
    search_choice_free(&choice);
    void *options = good && member->changes ? calloc(1, run->domain->options_size + 1) : NULL;
    if (options) {
        soloist_options_reset(run->domain->options, options);
        good = soloist_options_parse(run->domain->options, options, member->changes, &why) == SOLOIST_OK;
    }
    free(options);
    return good || soloist_fail(run->error, 0, 0, "member %.40s of the mix of %.63s: %.120s", member->name,
                                run->domain->name, why.text);
}

static bool check_mix(const struct search_run *run, const soloist_mix *mix) {
    if (!mix->members || mix->count < 1 || mix->count > SOLOIST_MOST_MEMBERS)
        return soloist_fail(run->error, 0, 0, "the mix of %s needs 1 to %d members", run->domain->name,
                            SOLOIST_MOST_MEMBERS);
    for (int i = 0; i < mix->count; i++) {
        const soloist_member *member = &mix->members[i];
        if (!member->name || !member->method)
            return soloist_fail(run->error, 0, 0, "member %d of the mix of %s needs a name and a method", i + 1,
                                run->domain->name);
        if (mix->round_robin ? member->share < 1 : member->percent < 1 || member->percent > 100)
            return soloist_fail(run->error, 0, 0, "member %s of the mix of %s needs %s", member->name,
                                run->domain->name, mix->round_robin ? "a share of 1 or more" : "a percent of 1 to 100");
        if (!check_member(run, member))
            return false;
    }
    return true;
}

/* Whether "first+third" contains the name. */
static bool is_listed(const char *list, const char *name) {
    for (size_t size; *list; list += size + (list[size] == '+')) {
        size = strcspn(list, "+");
        if (strlen(name) == size && !memcmp(list, name, size))
            return true;
    }
    return false;
}

static bool refuse_without(const struct search_run *run, const soloist_mix *mix, const char *why, const char *name,
                           size_t length) {
    char known[200] = "";
    size_t used = 0;
    for (int i = 0; i < mix->count && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", mix->members[i].name);
    return soloist_fail(run->error, 0, 0, "without: the mix for %.30s %s%.*s; its members are %s", run->domain->name,
                        why, (int)(length < 60 ? length : 60), name, known);
}

static bool check_names(const struct search_run *run, const soloist_mix *mix, const char *without) {
    for (size_t size; *without; without += size + (without[size] == '+')) {
        size = strcspn(without, "+");
        bool known = false;
        for (int i = 0; i < mix->count; i++)
            known |= strlen(mix->members[i].name) == size && !memcmp(mix->members[i].name, without, size);
        if (!known)
            return refuse_without(run, mix, "has no member ", without, size);
    }
    return true;
}

/* Sets *mix to the domain's mix without the members that the option `without` names. The other members are copied to
 * `kept`, which has room for SOLOIST_MOST_MEMBERS. False with run->error filled in if the options are wrong. */
static bool settle(const struct search_run *run, soloist_member *kept, soloist_mix *mix) {
    const char *without = ((const struct auto_options *)run->options)->without;
    *mix = choose_mix(run);
    if (!strcmp(without, "none"))
        without = "";
    if (!check_mix(run, mix) || !check_names(run, mix, without))
        return false;
    int count = 0;
    for (int i = 0; i < mix->count; i++)
        if (!is_listed(without, mix->members[i].name))
            kept[count++] = mix->members[i];
    if (!count)
        return refuse_without(run, mix, "needs at least one member", "", 0);
    mix->members = kept;
    mix->count = count;
    return true;
}

static bool auto_suits(const struct search_run *run) {
    soloist_member kept[SOLOIST_MOST_MEMBERS];
    soloist_mix mix;
    return settle(run, kept, &mix);
}

/* ---- the run ----------------------------------------------------------------------------------------- */

static soloist_code run_members(struct search_run *run, const soloist_mix *mix) {
    return mix->round_robin ? round_robin_run(run, mix->members, (size_t)mix->count)
                            : sequence_run(run, mix->members, (size_t)mix->count);
}

/* The members share an instance that learns while they search; the caller's instance stays unchanged. What is learned
 * counts towards the run's memory limit; if memory is short, the members use the caller's instance. */
static soloist_code run_learning(struct search_run *run, const soloist_mix *mix) {
    const soloist_instance *own = run->instance;
    struct memory *memory = &run->budget->memory;
    size_t size = run->shape.session_size, limit = run->budget->limits.memory;
    bool booked = (!limit || size < limit / 4) && memory_book(memory, size);
    struct search_variant variant = {0};
    bool learning = booked && search_variant_open(&variant, run, mix->changes);
    if (booked && !learning)
        memory_unbook(memory, size);
    if (!learning)
        return run_members(run, mix);
    run->instance = search_variant_instance(&variant);
    soloist_code code = run_members(run, mix);
    run->instance = own;
    search_variant_close(&variant, run);
    memory_unbook(memory, size);
    return code;
}

static soloist_code auto_run(struct search_run *run) {
    soloist_member kept[SOLOIST_MOST_MEMBERS];
    soloist_mix mix;
    errno = 0;
    if (!settle(run, kept, &mix))
        return errno == ENOMEM ? search_full(run) : SOLOIST_UNSUPPORTED;
    return mix.changes ? run_learning(run, &mix) : run_members(run, &mix);
}

const struct search_method search_auto = {
    .name = "auto",
    .summary = "runs a mix of methods that is chosen to suit the domain and the limits",
    .options = auto_options_rows,
    .aliases = aliases,
    .options_size = sizeof(struct auto_options),
    .suits = auto_suits,
    .run = auto_run,
};
