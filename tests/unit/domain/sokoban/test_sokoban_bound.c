/* Sokoban's bounds and deadlock rules against the truth: on small levels every state is solved by plain improvement,
 * and no rule may call a solvable state dead, no bound may exceed the cost or drop by more than a step's cost. */
#include "domain/sokoban/sokoban_whole.h"

struct config {
    const soloist_domain *domain;
    const char *options;
    bool exact;
};

static const struct config configs[] = {
    {&sokoban_domain, "bound=remaining", false},
    {&sokoban_domain, "bound=manhattan", false},
    {&sokoban_domain, "bound=matching-manhattan", false},
    {&sokoban_domain, "bound=matching-pushes", false},
    {&sokoban_domain, "bound=remaining,bipartite=false", false},
    {&sokoban_domain, "bound=manhattan,bipartite=false", false},
    {&sokoban_domain, "bound=matching-manhattan,bipartite=false", false},
    {&sokoban_domain, "bound=matching-pushes,bipartite=false", false},
    {&sokoban_domain, "freeze=false", false},
    {&sokoban_domain, "optimal=moves", true},
    {&sokoban_moves_domain, "", true},
    {&sokoban_moves_domain, "bound=remaining", true},
};
#define CONFIGS (sizeof configs / sizeof *configs)

/* How often each rule spoke: a test in which one never does shows nothing. */
struct tally {
    int levels, states, dead, square, frozen, line, unmatched, reverse_dead;
};

struct check {
    const struct whole *whole;
    const struct sokoban *game;
    const soloist_instance *instance;
    const struct config *config;
    int32_t *value, *reverse; /* by whole's index */
};

/* Values of all states, then each against the truth. */
static void check_costs(struct check *c, struct tally *tally) {
    const struct whole *w = c->whole;
    const int *cost = c->config->exact ? w->steps : w->pushes;
    const int *past = c->config->exact ? w->root_steps : w->root_pushes;
    const soloist_domain *domain = c->config->domain;
    _Alignas(8) unsigned char state[64];
    for (unsigned boxes = 0; boxes < 1u << w->floor; boxes++)
        for (int p = 0; p < w->floor; p++) {
            unsigned at = boxes << 4 | (unsigned)p;
            if (!whole_is_state(w, boxes, p))
                continue;
            whole_state(w, c->game, boxes, p, (void *)state);
            c->value[at] = domain->bound->value(c->instance, state);
            c->reverse[at] = domain->reverse->bound->value(c->instance, state);
            bool dead = domain->bound->dead(c->instance, state),
                 lost = domain->reverse->bound->dead(c->instance, state);
            assert_true(cost[at] == WHOLE_FAR || (!dead && c->value[at] <= cost[at]));
            assert_true(past[at] == WHOLE_FAR || (!lost && c->reverse[at] <= past[at]));
            tally->dead += dead;
            tally->reverse_dead += lost;
            if (cost[at] == 0)
                assert_int_equal(c->value[at], 0);
        }
    assert_true(domain->bound->admissible(c->instance) && domain->reverse->bound->admissible(c->instance));
    assert_true(domain->bound->consistent(c->instance) && domain->reverse->bound->consistent(c->instance));
}

/* A walk costs nothing at the push level: it does not change the state. */
static void check_consistency(const struct check *c) {
    const struct whole *w = c->whole;
    for (unsigned boxes = 0; boxes < 1u << w->floor; boxes++)
        for (int p = 0; p < w->floor; p++)
            for (int d = 0; d < 4 && whole_is_state(w, boxes, p); d++) {
                bool push;
                unsigned after = boxes, at = boxes << 4 | (unsigned)p;
                int to = whole_step(w, &after, p, d, &push), step = push || c->config->exact;
                if (to < 0)
                    continue;
                unsigned then = after << 4 | (unsigned)to;
                if (c->value[then] != SOLOIST_DEAD)
                    assert_true(c->value[at] != SOLOIST_DEAD && c->value[at] <= c->value[then] + step);
                if (c->reverse[at] != SOLOIST_DEAD)
                    assert_true(c->reverse[then] != SOLOIST_DEAD && c->reverse[then] <= c->reverse[at] + step);
            }
}

/* The rules one by one. */
static void check_rules(const struct check *c, struct tally *tally) {
    const struct whole *w = c->whole;
    _Alignas(8) unsigned char block[64];
    struct sokoban_state *state = (struct sokoban_state *)(void *)block;
    uint64_t frozen[SOKOBAN_WORDS];
    for (unsigned boxes = 0; boxes < 1u << w->floor; boxes++)
        for (int p = 0; p < w->floor; p++) {
            if (!whole_is_state(w, boxes, p))
                continue;
            whole_state(w, c->game, boxes, p, state);
            bool solvable = w->pushes[boxes << 4 | (unsigned)p] != WHOLE_FAR;
            bool square = sokoban_on_dead_square(c->game, state), ice = sokoban_frozen(c->game, state->boxes, frozen);
            bool line = sokoban_on_full_line(c->game, state->boxes), match = sokoban_has_matching(c->game, state);
            assert_false(solvable && (square || ice || line || !match));
            tally->states++;
            tally->square += square;
            tally->frozen += ice && !square;
            tally->line += line && !square && !ice;
            tally->unmatched += !match && !square && !ice && !line;
        }
}

/* remaining <= manhattan <= matching by Manhattan <= matching by pushes. */
static void check_order(const struct whole *w, int32_t *values[CONFIGS]) {
    for (unsigned boxes = 0; boxes < 1u << w->floor; boxes++)
        for (int p = 0; p < w->floor; p++)
            for (int k = 0; k < 7 && whole_is_state(w, boxes, p); k++) {
                unsigned at = boxes << 4 | (unsigned)p;
                if (k != 3)
                    assert_true(values[k][at] <= values[k + 1][at]);
            }
}

static void check_level(const char *text, struct tally *tally) {
    struct whole whole;
    struct sokoban_level level;
    soloist_chunk chunk = plain_chunk(text);
    int32_t *values[CONFIGS], *reverse;
    assert_true(sokoban_level_parse(&chunk, &level, NULL));
    if (!whole_open(&whole, &level))
        return;
    tally->levels++;
    size_t entries = (size_t)1 << (whole.floor + 4);
    reverse = malloc(entries * sizeof *reverse);
    for (size_t k = 0; k < CONFIGS; k++) {
        soloist_instance *instance = plain_instance(configs[k].domain, configs[k].options, &chunk);
        values[k] = malloc(entries * sizeof *reverse);
        struct check c = {&whole, sokoban_of(instance), instance, &configs[k], values[k], reverse};
        check_costs(&c, tally);
        check_consistency(&c);
        if (k == 0)
            check_rules(&c, tally);
        bool solvable = whole.pushes[whole.root_boxes << 4 | (unsigned)whole.root_player] != WHOLE_FAR;
        assert_false(solvable && configs[k].domain->life->impossible(instance));
        configs[k].domain->life->destroy(instance);
    }
    check_order(&whole, values);
    for (size_t k = 0; k < CONFIGS; k++)
        free(values[k]);
    free(reverse);
    whole_close(&whole);
}

static void own_levels(void **unused) {
    (void)unused;
    struct tally tally = {0};
    for (size_t i = 0; i < PLAIN_LEVELS; i++)
        check_level(plain_levels[i], &tally);
    assert_true(tally.levels >= 3);
}

static void drawn_levels(void **unused) {
    (void)unused;
    struct tally tally = {0};
    soloist_rng rng;
    char text[128];
    soloist_rng_seed(&rng, 2024, 0);
    while (tally.levels < 120)
        if (whole_draw(&rng, text, sizeof text))
            check_level(text, &tally);
    print_message("%d states: dead squares %d, frozen %d more, lines %d more, unmatched %d more\n", tally.states,
                  tally.square, tally.frozen, tally.line, tally.unmatched);
    assert_true(tally.square > 100 && tally.frozen > 100 && tally.line > 10 && tally.unmatched > 10);
    assert_true(tally.reverse_dead > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_levels),
        cmocka_unit_test(drawn_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
