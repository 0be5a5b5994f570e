/* The property checker: every built-in domain and the example plugin pass it, and each of many tables that are broken
 * on purpose is caught with a sentence about what is broken. */
#include "domain/domain.h"
#include "domain/pancake/pancake.h"
#include "domain/validate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what must pass ---- */

static void expect_valid(const soloist_domain *domain, const char *options, const char *board, int steps) {
    soloist_chunk chunk = {.text = board, .length = strlen(board), .line = 1};
    soloist_puzzle puzzle;
    soloist_error error = {0};
    if (soloist_puzzle_read(domain, options, &chunk, &puzzle, &error) != SOLOIST_OK)
        fail_msg("%s: %s", board, error.text);
    for (uint64_t seed = 0; seed < 3; seed++)
        if (!domain_validate(domain, &puzzle, seed, 10, steps, &error))
            fail_msg("%s", error.text);
    soloist_puzzle_free(&puzzle);
}

static const soloist_domain *builtin(const char *name) {
    for (int i = 0; domain_builtin[i]; i++)
        if (strcmp(domain_builtin[i]->name, name) == 0)
            return domain_builtin[i];
    fail_msg("no built-in domain %s", name);
    return NULL;
}

static void test_pancake(void **state) {
    (void)state;
    expect_valid(&pancake_domain, NULL, "1", 20);
    expect_valid(&pancake_domain, NULL, "2 1", 20);
    expect_valid(&pancake_domain, NULL, "3 1 2", 40);
    expect_valid(&pancake_domain, "gap=2", "5 3 6 1 4 2 7", 40);
    expect_valid(&pancake_domain, "bound=none", "5 3 6 1 4 2", 40);
    expect_valid(&pancake_domain, NULL, "14 2 17 5 9 1 12 4 16 3 10 7 15 6 13 8 11", 60);
}

static void test_tictactoe(void **state) {
    (void)state;
    expect_valid(&tictactoe_domain, NULL, ".........", 9);
    expect_valid(&tictactoe_domain, NULL, "XO./.X./..O", 9);
    expect_valid(&tictactoe_domain, NULL, "XXXOO....", 9);
}

static void test_tiles(void **state) {
    (void)state;
    expect_valid(builtin("tiles"), NULL, "7 2 4 5 0 6 8 3 1", 40);
    expect_valid(builtin("tiles"), NULL, "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", 40);
}

static void test_samegame(void **state) {
    (void)state;
    expect_valid(builtin("samegame"), NULL, "1123\n2213\n3321\n1112\n", 20);
    expect_valid(builtin("samegame"), NULL, "11\n", 20);
    expect_valid(builtin("samegame"), NULL, "11212121212121212\n22121221121122112\n12121121212112212\n", 40); /* wide */
}

static void test_sokoban(void **state) {
    (void)state;
    static const char level[] = "#######\n#  .  #\n# $ $ #\n#. @  #\n#     #\n#######\n";
    expect_valid(builtin("sokoban"), NULL, level, 30);
    expect_valid(builtin("sokoban-moves"), NULL, level, 60);
}

/* ---- what must be caught ---- */

/* A copy of the pancake tables, for one function to be replaced. */
struct tables {
    soloist_domain domain;
    soloist_life life;
    soloist_core core, back;
    soloist_bound bound, back_bound;
    soloist_reverse reverse;
    soloist_pack pack;
    soloist_sample sample;
    soloist_reward reward;
    soloist_text text;
};

static void copy_tables(struct tables *t) {
    const soloist_domain *good = &pancake_domain;
    *t = (struct tables){*good,         *good->life,           *good->core,    *good->reverse->core,
                         *good->bound,  *good->reverse->bound, *good->reverse, *good->pack,
                         *good->sample, *good->reward,         *good->text};
    t->domain.life = &t->life;
    t->domain.core = &t->core;
    t->domain.bound = &t->bound;
    t->domain.reverse = &t->reverse;
    t->domain.pack = &t->pack;
    t->domain.sample = &t->sample;
    t->domain.reward = &t->reward;
    t->domain.text = &t->text;
    t->reverse.core = &t->back;
    t->reverse.bound = &t->back_bound;
}

#define GOOD pancake_domain
#define I const soloist_instance *instance

static void undo_keeps_key(I, void *state, soloist_move move, const void *undo) {
    uint64_t key = ((struct pancake_state *)state)->key;
    GOOD.core->undo(instance, state, move, undo);
    ((struct pancake_state *)state)->key = key;
}
static void break_undo(struct tables *t) { t->core.undo = undo_keeps_key; }

static uint64_t key_of_top(I, const void *state) {
    return GOOD.core->key(instance, state) + (((const struct pancake_state *)state)->stack[0] == 1);
}
static void break_key(struct tables *t) { t->core.key = key_of_top; }
static void break_back_key(struct tables *t) { t->back.key = t->back.key_from_scratch = key_of_top; }

static int32_t apply_forgets_key(I, void *state, soloist_move move, void *undo) {
    uint64_t key = ((struct pancake_state *)state)->key;
    GOOD.core->apply(instance, state, move, undo);
    ((struct pancake_state *)state)->key = key;
    return 1;
}
static void break_apply(struct tables *t) { t->core.apply = apply_forgets_key; }

static int32_t apply_differs(I, void *state, soloist_move move, void *undo) {
    return GOOD.core->apply(instance, state,
                            undo || instance->n == 2 ? move : 2 + (move - 1) % (unsigned)(instance->n - 1), undo);
}
static void break_apply_without_undo(struct tables *t) { t->core.apply = apply_differs; }

static int32_t apply_negative(I, void *state, soloist_move move, void *undo) {
    return -GOOD.core->apply(instance, state, move, undo);
}
static void break_cost(struct tables *t) { t->core.apply = apply_negative; }

static bool ended_adds(I, const void *state, int32_t *last) {
    bool ended = GOOD.core->ended(instance, state, last);
    *last = 1;
    return ended;
}
static void break_ended(struct tables *t) { t->core.ended = ended_adds; }

static int moves_twice(I, const void *state, soloist_move *moves) {
    int count = GOOD.core->moves(instance, state, moves);
    moves[count - 1] = moves[0];
    return count;
}
static void break_moves(struct tables *t) { t->core.moves = moves_twice; }

static int32_t bound_double(I, const void *state) { return 2 * GOOD.bound->value(instance, state); }
static int32_t bound_more(I, const void *state) { return 1 + GOOD.bound->value(instance, state); }
static bool no(I) {
    (void)instance;
    return false;
}
static int expand_double(I, const void *state, soloist_move last, unsigned want, soloist_child *children) {
    int count = GOOD.core->expand(instance, state, last, want, children);
    for (int i = 0; i < count; i++)
        children[i].bound *= 2;
    return count;
}
static int expand_more(I, const void *state, soloist_move last, unsigned want, soloist_child *children) {
    int count = GOOD.core->expand(instance, state, last, want, children);
    for (int i = 0; i < count; i++)
        children[i].bound++;
    return count;
}
static void break_consistency(struct tables *t) { t->bound.value = bound_double, t->core.expand = expand_double; }
static void break_admissibility(struct tables *t) {
    t->bound.value = bound_double, t->core.expand = expand_double, t->bound.consistent = no;
}
/* Only walks that reach the goal can refute the bound. */
static void break_admissibility_forwards(struct tables *t) {
    break_admissibility(t);
    t->domain.reverse = NULL;
}
static void break_bound_at_goal(struct tables *t) { t->bound.value = bound_more, t->core.expand = expand_more; }

static bool dead_near_goal(I, const void *state) { return GOOD.bound->value(instance, state) == 1; }
static bool dead_at_goal(I, const void *state) { return GOOD.bound->value(instance, state) == 0; }
static void break_dead(struct tables *t) { t->bound.dead = dead_near_goal; }
static void break_dead_at_goal(struct tables *t) { t->bound.dead = dead_at_goal; }

static int expand_less(I, const void *state, soloist_move last, unsigned want, soloist_child *children) {
    int count = GOOD.core->expand(instance, state, last, want, children);
    return count ? count - 1 : 0;
}
static void break_expand_less(struct tables *t) { t->core.expand = expand_less; }

static bool pruned_always(I, const void *state, soloist_move move) {
    (void)instance, (void)state, (void)move;
    return true;
}
static void break_pruned(struct tables *t) { t->bound.pruned = pruned_always; }

static int expand_turned(I, const void *state, soloist_move last, unsigned want, soloist_child *children) {
    int count = GOOD.core->expand(instance, state, last, want, children);
    soloist_child kept = children[0];
    children[0] = children[count - 1], children[count - 1] = kept;
    return count;
}
static void break_expand_order(struct tables *t) { t->core.expand = expand_turned; }

static int expand_wrong(I, const void *state, soloist_move last, unsigned want, soloist_child *children) {
    int count = GOOD.core->expand(instance, state, last, want, children);
    children[count - 1].key ^= 1;
    return count;
}
static void break_expand_key(struct tables *t) { t->core.expand = expand_wrong; }
static void break_expand_bound(struct tables *t) { t->core.expand = expand_more; }

static int expand_step(I, const void *state, soloist_move last, unsigned want, soloist_child *children) {
    int count = GOOD.core->expand(instance, state, last, want, children);
    children[0].step = 2;
    return count;
}
static void break_expand_step(struct tables *t) { t->core.expand = expand_step; }

static void pack_loses(I, const void *state, void *packed) {
    GOOD.pack->pack(instance, state, packed);
    *(unsigned char *)packed |= 1;
}
static void break_pack(struct tables *t) { t->pack.pack = pack_loses; }

static void small_undo(I, soloist_shape *shape) {
    GOOD.life->shape(instance, shape);
    shape->undo_size = 4;
}
static void few_moves(I, soloist_shape *shape) {
    GOOD.life->shape(instance, shape);
    shape->most_moves--;
}
static void few_steps(I, soloist_shape *shape) {
    GOOD.life->shape(instance, shape);
    shape->most_steps = 2;
}
static void no_packed(I, soloist_shape *shape) {
    GOOD.life->shape(instance, shape);
    shape->packed_size = 0;
}
static void break_undo_size(struct tables *t) { t->life.shape = small_undo; }
static void break_most_moves(struct tables *t) { t->life.shape = few_moves; }
static void break_most_steps(struct tables *t) { t->life.shape = few_steps; }
static void break_packed_size(struct tables *t) { t->life.shape = no_packed; }

static int32_t below_0(I, const void *state) { return GOOD.bound->value(instance, state) - 100; }
static void break_sign(struct tables *t) { t->bound.value = below_0; }

static int too_sure(const char *text, size_t length) {
    (void)text;
    return length ? 1000 : 0;
}
static void break_recognise(struct tables *t) { t->life.recognise = too_sure; }

static void root_with_hole(I, void *state) {
    uint32_t kept = ((struct pancake_state *)state)->zero;
    GOOD.life->root(instance, state);
    ((struct pancake_state *)state)->zero = kept;
}
static void break_root(struct tables *t) { t->life.root = root_with_hole; }

static bool goal_is_root(I, uint64_t index, void *state) {
    GOOD.life->root(instance, state);
    return index == 0;
}
static void break_goal(struct tables *t) { t->reverse.goal = goal_is_root; }
static void break_back_ended(struct tables *t) { t->back.ended = GOOD.core->ended; }

static soloist_move forward_other(I, const void *state, soloist_move move) {
    (void)state;
    return move == 2 ? (soloist_move)instance->n : 2;
}
static soloist_move forward_illegal(I, const void *state, soloist_move move) {
    (void)state, (void)move;
    return (soloist_move)instance->n + 1;
}
static void break_forward(struct tables *t) { t->reverse.forward = forward_other; }
static void break_forward_legality(struct tables *t) { t->reverse.forward = forward_illegal; }

static int moves_less(I, const void *state, soloist_move *moves) {
    return GOOD.core->moves(instance, state, moves) - 1;
}
static void break_backward_moves(struct tables *t) { t->back.moves = moves_less; }
static void break_backward_bound(struct tables *t) { t->back_bound.value = bound_double; }

static void print_reversed(I, const void *state, const soloist_sink *sink) {
    for (int i = instance->n - 1; i >= 0; i--)
        soloist_print(sink, "%d ", ((const struct pancake_state *)state)->stack[i]);
    soloist_put(sink, "\n");
}
static void print_nothing(I, const void *state, const soloist_sink *sink) {
    (void)instance, (void)state;
    soloist_put(sink, "; nothing\n");
}
static void break_print(struct tables *t) { t->text.print = print_reversed; }
static void break_print_form(struct tables *t) { t->text.print = print_nothing; }

static long read_less(I, const char *text, size_t length, soloist_move *moves, size_t room, soloist_error *error) {
    return GOOD.text->read(instance, text, length, moves, room, error) / 2;
}
static long read_room(I, const char *text, size_t length, soloist_move *moves, size_t room, soloist_error *error) {
    long count = GOOD.text->read(instance, text, length, moves, room, error);
    return count < (long)room ? count : (long)room;
}
static void break_read(struct tables *t) { t->text.read = read_less; }
static void break_read_room(struct tables *t) { t->text.read = read_room; }

static bool referee_kind(const soloist_chunk *chunk, const void *options, const char *text, size_t length,
                         soloist_verdict *verdict, soloist_error *error) {
    (void)chunk, (void)options, (void)text, (void)length, (void)error;
    *verdict = (soloist_verdict){0};
    return true;
}
static bool referee_strict(const soloist_chunk *chunk, const void *options, const char *text, size_t length,
                           soloist_verdict *verdict, soloist_error *error) {
    (void)chunk, (void)options, (void)text, (void)length, (void)verdict;
    return soloist_fail(error, 1, 1, "never");
}
static bool referee_counts(const soloist_chunk *chunk, const void *options, const char *text, size_t length,
                           soloist_verdict *verdict, soloist_error *error) {
    bool good = GOOD.text->referee(chunk, options, text, length, verdict, error);
    verdict->value += 1;
    return good;
}
static void break_referee(struct tables *t) { t->text.referee = referee_kind; }
static void break_referee_strict(struct tables *t) { t->text.referee = referee_strict; }
static void break_referee_value(struct tables *t) { t->text.referee = referee_counts; }

static soloist_playout playout_value(I, void *state, int policy, int limit, soloist_rng *rng, soloist_move *trace,
                                     soloist_stop_token *stop) {
    soloist_playout played = GOOD.sample->playout(instance, state, policy, limit, rng, trace, stop);
    played.value++;
    return played;
}
static soloist_playout playout_end(I, void *state, int policy, int limit, soloist_rng *rng, soloist_move *trace,
                                   soloist_stop_token *stop) {
    soloist_playout played = GOOD.sample->playout(instance, state, policy, limit, rng, trace, stop);
    played.ended = !played.ended;
    return played;
}
static soloist_playout playout_early(I, void *state, int policy, int limit, soloist_rng *rng, soloist_move *trace,
                                     soloist_stop_token *stop) {
    return GOOD.sample->playout(instance, state, policy, limit / 8, rng, trace, stop);
}
static soloist_playout playout_trace(I, void *state, int policy, int limit, soloist_rng *rng, soloist_move *trace,
                                     soloist_stop_token *stop) {
    soloist_playout played = GOOD.sample->playout(instance, state, policy, limit, rng, trace, stop);
    if (trace)
        trace[0] = 99;
    return played;
}
static void break_playout_value(struct tables *t) { t->sample.playout = playout_value; }
static void break_playout_end(struct tables *t) { t->sample.playout = playout_end; }
static void break_playout_length(struct tables *t) { t->sample.playout = playout_early; }
static void break_playout_trace(struct tables *t) { t->sample.playout = playout_trace; }

static double reward_none(I, int which, const void *before, const void *after, int steps) {
    (void)instance, (void)which, (void)before, (void)after;
    double zero = steps - steps;
    return zero / zero;
}
static void break_reward(struct tables *t) { t->reward.value = reward_none; }

static const struct {
    void (*breaks)(struct tables *);
    const char *says;
} broken[] = {
    {break_undo, "undo of move"},
    {break_key, "key differs from key_from_scratch"},
    {break_back_key, "key backwards differs"},
    {break_apply, "key differs from key_from_scratch"},
    {break_apply_without_undo, "with and without an undo record"},
    {break_cost, "costs are not negative"},
    {break_ended, "ended adds 1 at a goal"},
    {break_moves, "twice"},
    {break_consistency, "not consistent"},
    {break_admissibility, "not admissible"},
    {break_admissibility_forwards, "not admissible: the walk ends with a cost of"},
    {break_sign, "a bound on the cost is at least 0"},
    {break_bound_at_goal, "the bound is 1 at an end"},
    {break_dead, "dead state"},
    {break_dead_at_goal, "dead"},
    {break_expand_less, "expand leaves out move"},
    {break_pruned, "which is pruned"},
    {break_expand_order, "order of moves"},
    {break_expand_key, "another key"},
    {break_expand_bound, "a bound of"},
    {break_expand_step, "a step of 2"},
    {break_pack, "unpack"},
    {break_undo_size, "past the end of an undo record"},
    {break_most_moves, "most_moves is"},
    {break_most_steps, "most_steps"},
    {break_packed_size, "packed_size is 0"},
    {break_recognise, "recognise returns 1000"},
    {break_root, "root does not write every byte"},
    {break_goal, "not a goal by ended"},
    {break_back_ended, "has not ended at the root"},
    {break_forward, "does not undo backward move"},
    {break_forward_legality, "is not legal"},
    {break_backward_moves, "no backward move leads back"},
    {break_backward_bound, "not admissible"},
    {break_print, "different texts"},
    {break_print_form, "cannot be read"},
    {break_read, "reads as other moves"},
    {break_read_room, "no room"},
    {break_referee, "the referee"},
    {break_referee_strict, "refuses a line that ends"},
    {break_referee_value, "the referee counts"},
    {break_playout_value, "a play-out reports"},
    {break_playout_end, "wrong about having ended"},
    {break_playout_length, "stops before its limit"},
    {break_playout_trace, "plays 99"},
    {break_reward, "is not a finite number"},
};

static void test_broken_tables(void **state) {
    (void)state;
    static const char board[] = "2 4 1 3";
    soloist_chunk chunk = {.text = board, .length = strlen(board), .line = 1};
    soloist_puzzle puzzle;
    soloist_error error;
    assert_int_equal(soloist_puzzle_read(&pancake_domain, NULL, &chunk, &puzzle, &error), SOLOIST_OK);
    assert_true(domain_validate(&pancake_domain, &puzzle, 1, 20, 40, &error));
    for (size_t b = 0; b < sizeof broken / sizeof *broken; b++) {
        struct tables tables;
        copy_tables(&tables);
        broken[b].breaks(&tables);
        error = (soloist_error){0};
        if (domain_validate(&tables.domain, &puzzle, 1, 20, 40, &error))
            fail_msg("not caught: %s", broken[b].says);
        if (!strstr(error.text, broken[b].says))
            fail_msg("expected '%s', got '%s'", broken[b].says, error.text);
        assert_memory_equal(error.text, "pancake, ", 9);
    }
    soloist_puzzle_free(&puzzle);
}

/* ---- broken walks ---- */

static int dearer_open(const soloist_instance *instance, void *walk, const void *state, int rule, int steps) {
    int count = samegame_domain.walk->open(instance, walk, state, rule, steps);
    ((soloist_choice *)walk)[0].gain++;
    return count;
}
static int fewer_open(const soloist_instance *instance, void *walk, const void *state, int rule, int steps) {
    return samegame_domain.walk->open(instance, walk, state, rule, steps) - 1;
}
static int illegal_open(const soloist_instance *instance, void *walk, const void *state, int rule, int steps) {
    int count = samegame_domain.walk->open(instance, walk, state, rule, steps);
    ((soloist_choice *)walk)[0].move = ((soloist_choice *)walk)[1].move;
    return count;
}
static int no_rules(const soloist_instance *instance) { return (void)instance, 0; }
static bool never_ended(const soloist_instance *instance, const void *walk, int32_t *last) {
    (void)instance, (void)walk;
    *last = 0;
    return false;
}
static void other_copy(const soloist_instance *instance, void *to, const void *from) {
    samegame_domain.walk->copy(instance, to, from);
    for (int i = 0; i < 2; i++)
        ((soloist_choice *)to)[i].code++;
}

static soloist_puzzle small_board(void) {
    static const char board[] = "1123\n2213\n3321\n1112\n";
    soloist_chunk chunk = {.text = board, .length = strlen(board), .line = 1};
    soloist_puzzle puzzle;
    soloist_error error;
    assert_int_equal(soloist_puzzle_read(&samegame_domain, NULL, &chunk, &puzzle, &error), SOLOIST_OK);
    return puzzle;
}

/* The domain is found wrong, and for that reason. */
static void refuse_for(const soloist_domain *domain, const soloist_puzzle *puzzle, const char *says) {
    soloist_error error = {0};
    assert_false(domain_validate(domain, puzzle, 1, 20, 40, &error));
    if (!strstr(error.text, says))
        fail_msg("expected '%s', got '%s'", says, error.text);
}

static int no_parts(const soloist_instance *instance, const void *walk, int chosen, uint16_t *parts) {
    (void)instance, (void)walk, (void)chosen, (void)parts;
    return 0;
}
static int same_part(const soloist_instance *instance, const void *walk, int chosen, uint16_t *parts) {
    (void)instance, (void)walk, (void)chosen;
    *parts = 7;
    return 1;
}

static void test_broken_walks(void **state) {
    (void)state;
    static const struct {
        soloist_walk walk;
        const char *says;
    } cases[] = {
        {{.open = dearer_open}, "of a walk gains"},     {{.open = fewer_open}, "choices, moves lists"},
        {{.open = illegal_open}, "not legal or comes"}, {{.ended = never_ended}, "walk and core disagree"},
        {{.copy = other_copy}, "a copy of a walk"},     {{.parts = no_parts}, "has 0 parts"},
        {{.parts = same_part}, "used up already"},      {{.rules = no_rules}, "a walk has 0 rules"},
    };
    soloist_puzzle puzzle = small_board();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        soloist_domain domain = samegame_domain;
        soloist_walk walk = *samegame_domain.walk;
        walk.open = cases[i].walk.open ? cases[i].walk.open : walk.open;
        walk.ended = cases[i].walk.ended ? cases[i].walk.ended : walk.ended;
        walk.copy = cases[i].walk.copy ? cases[i].walk.copy : walk.copy;
        walk.rules = cases[i].walk.rules ? cases[i].walk.rules : walk.rules;
        walk.parts = cases[i].walk.parts ? cases[i].walk.parts : walk.parts;
        domain.walk = &walk;
        refuse_for(&domain, &puzzle, cases[i].says);
    }
    soloist_puzzle_free(&puzzle);
}

/* ---- broken learning ---- */

static int far_action(const soloist_instance *instance, const void *state, soloist_move move) {
    (void)state, (void)move;
    return samegame_domain.learn->actions(instance);
}
static void half_share(const soloist_instance *instance, const void *state, const soloist_move *moves,
                       const float *parts, int count, float *policy) {
    for (int i = 0; i < count; i++)
        samegame_domain.learn->share(instance, state, &moves[i], &(float){parts[i] / 2}, 1, policy);
}
static void first_priors(const soloist_instance *instance, const void *state, const soloist_move *moves, int count,
                         const float *policy, float *priors) {
    samegame_domain.learn->priors(instance, state, moves, count, policy, priors);
    priors[0] = 1;
}
static void doubled(const soloist_instance *instance, int symmetry, int channels, const float *slot,
                    const float *policy, float *reflected, float *reflected_policy) {
    samegame_domain.learn->reflect(instance, symmetry, channels, slot, policy, reflected, reflected_policy);
    reflected[0]++;
}
static void one_for_all(const soloist_instance *instance, int symmetry, int channels, const float *slot,
                        const float *policy, float *reflected, float *reflected_policy) {
    samegame_domain.learn->reflect(instance, symmetry, channels, slot, policy, reflected, reflected_policy);
    reflected_policy[1] = policy[0];
}

static void test_broken_learning(void **state) {
    (void)state;
    static const struct {
        soloist_learn learn;
        const char *says;
    } cases[] = {
        {{.action = far_action}, "has action 16: expected one below 16"},
        {{.share = half_share}, "add up to 0.5"},
        {{.priors = first_priors}, "is shared out, but"},
        {{.reflect = doubled}, "changes the planes"},
        {{.reflect = one_for_all}, "brings action 0 to 1"},
    };
    soloist_puzzle puzzle = small_board();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        soloist_domain domain = samegame_domain;
        soloist_learn learn = *samegame_domain.learn;
        learn.action = cases[i].learn.action ? cases[i].learn.action : learn.action;
        learn.share = cases[i].learn.share ? cases[i].learn.share : learn.share;
        learn.priors = cases[i].learn.priors ? cases[i].learn.priors : learn.priors;
        learn.reflect = cases[i].learn.reflect ? cases[i].learn.reflect : learn.reflect;
        domain.learn = &learn;
        refuse_for(&domain, &puzzle, cases[i].says);
    }
    soloist_puzzle_free(&puzzle);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pancake),      cmocka_unit_test(test_tictactoe),
        cmocka_unit_test(test_tiles),        cmocka_unit_test(test_samegame),
        cmocka_unit_test(test_sokoban),      cmocka_unit_test(test_broken_tables),
        cmocka_unit_test(test_broken_walks), cmocka_unit_test(test_broken_learning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
