/* The reverse game: backward moves are the forward moves turned round, exactly; from all goal states together they
 * reach every solvable state at its true cost. */
#include "domain/sokoban/sokoban_whole.h"

struct config {
    const soloist_domain *domain;
    const char *options;
};

static const struct config configs[] = {
    {&sokoban_domain, ""}, {&sokoban_domain, "optimal=moves"}, {&sokoban_moves_domain, ""}};
#define CONFIGS (sizeof configs / sizeof *configs)
#define ROOM 128 /* bytes of a state of a small level */

struct game {
    const soloist_domain *domain;
    soloist_instance *instance;
    size_t size;
};

static struct game game_open(const struct config *config, const soloist_chunk *chunk) {
    struct game game = {config->domain, plain_instance(config->domain, config->options, chunk), 0};
    game.size = plain_state_size(game.domain, game.instance);
    assert_true(game.size <= ROOM);
    return game;
}

/* Every backward move is undone by the forward move it names, at the same cost. */
static void check_backward_moves(const struct game *g, const void *state) {
    const soloist_core *back = g->domain->reverse->core;
    soloist_move moves[256];
    _Alignas(8) unsigned char other[ROOM];
    int count = back->moves(g->instance, state, moves);
    for (int i = 0; i < count; i++) {
        soloist_move forward = g->domain->reverse->forward(g->instance, state, moves[i]);
        memcpy(other, state, g->size);
        int32_t cost = back->apply(g->instance, other, moves[i], NULL);
        assert_int_equal(g->domain->core->apply(g->instance, other, forward, NULL), cost);
        assert_memory_equal(other, state, g->size);
    }
}

/* Every forward move has exactly one backward move that leads back. */
static void check_forward_moves(const struct game *g, const void *state) {
    const soloist_core *back = g->domain->reverse->core;
    soloist_move moves[256], pulls[256];
    _Alignas(8) unsigned char after[ROOM], other[ROOM];
    int count = g->domain->core->moves(g->instance, state, moves);
    for (int i = 0; i < count; i++) {
        memcpy(after, state, g->size);
        int32_t cost = g->domain->core->apply(g->instance, after, moves[i], NULL);
        int found = 0, pull_count = back->moves(g->instance, after, pulls);
        for (int k = 0; k < pull_count; k++) {
            memcpy(other, after, g->size);
            int32_t pull_cost = back->apply(g->instance, other, pulls[k], NULL);
            if (g->domain->reverse->forward(g->instance, after, pulls[k]) == moves[i] &&
                !memcmp(other, state, g->size)) {
                assert_int_equal(pull_cost, cost);
                found++;
            }
        }
        assert_int_equal(found, 1);
    }
}

static void play_level(const soloist_chunk *chunk, uint64_t seed) {
    for (size_t k = 0; k < CONFIGS; k++) {
        struct game g = game_open(&configs[k], chunk);
        _Alignas(8) unsigned char state[ROOM];
        soloist_move moves[256];
        soloist_rng rng;
        soloist_rng_seed(&rng, seed, k);
        g.domain->life->root(g.instance, state);
        for (int i = 0; i < 30; i++) {
            check_forward_moves(&g, state);
            check_backward_moves(&g, state);
            int count = g.domain->core->moves(g.instance, state, moves);
            if (!count)
                break;
            g.domain->core->apply(g.instance, state, moves[soloist_rng_below(&rng, (uint32_t)count)], NULL);
        }
        g.domain->life->destroy(g.instance);
    }
}

static void own_levels_invert(void **unused) {
    (void)unused;
    for (uint64_t i = 0; i < 10 * PLAIN_LEVELS; i++) {
        soloist_chunk chunk = plain_chunk(plain_levels[i % PLAIN_LEVELS]);
        play_level(&chunk, i);
    }
}

static void microban_inverts(void **unused) {
    (void)unused;
    char *text = plain_shared_file("microban1.xsb");
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    soloist_chunk chunk;
    for (uint64_t number = 1; sokoban_next(&cursor, &chunk) && number <= 60; number++)
        play_level(&chunk, number);
    free(text);
}

/* Costs by the reverse game from all its goal states, improved until nothing changes. */
struct search {
    int *cost; /* by whole's index, WHOLE_FAR: not reached */
    unsigned char (*queue)[ROOM];
    size_t head, tail, room;
};

static void search_put(struct search *s, const struct game *g, const struct whole *w, const void *state, int cost) {
    unsigned at = whole_index(w, sokoban_of(g->instance), state);
    if (s->cost[at] <= cost)
        return;
    s->cost[at] = cost;
    if (s->tail == s->room) {
        s->room = s->room ? 2 * s->room : 1024;
        s->queue = realloc(s->queue, s->room * sizeof *s->queue);
        assert_non_null(s->queue);
    }
    memcpy(s->queue[s->tail++], state, g->size);
}

static void search_goals(struct search *s, const struct game *g, const struct whole *w) {
    _Alignas(8) unsigned char state[ROOM];
    int32_t last;
    for (uint64_t index = 0; g->domain->reverse->goal(g->instance, index, state); index++) {
        assert_true(g->domain->core->ended(g->instance, state, &last));
        assert_int_equal(g->domain->core->key_from_scratch(g->instance, state),
                         g->domain->core->key(g->instance, state));
        assert_int_equal(s->cost[whole_index(w, sokoban_of(g->instance), state)], WHOLE_FAR); /* not given twice */
        search_put(s, g, w, state, 0);
    }
}

static void search_all(struct search *s, const struct game *g, const struct whole *w) {
    const soloist_core *back = g->domain->reverse->core;
    soloist_move moves[256];
    _Alignas(8) unsigned char state[ROOM], child[ROOM];
    search_goals(s, g, w);
    while (s->head < s->tail) {
        memcpy(state, s->queue[s->head++], g->size);
        int cost = s->cost[whole_index(w, sokoban_of(g->instance), state)];
        int count = back->moves(g->instance, state, moves);
        for (int i = 0; i < count; i++) {
            memcpy(child, state, g->size);
            int32_t step = back->apply(g->instance, child, moves[i], NULL);
            search_put(s, g, w, child, cost + step);
        }
    }
}

/* Whether the reverse game must come by here: with the player's own square at the push level it keeps to the places
 * where a push ends and where he starts; at the move level the cost counts from the goals that a push reaches. */
static bool is_expected(const struct game *g, const struct whole *w, const struct sokoban_state *state) {
    uint64_t places[SOKOBAN_WORDS];
    const struct sokoban *game = sokoban_of(g->instance);
    const int *cost = game->rules.exact ? w->steps : w->pushes;
    if (cost[whole_index(w, game, state)] == WHOLE_FAR)
        return false;
    if (!game->rules.exact || (game->rules.steps && state->off_goal))
        return true;
    sokoban_after_push(game, state->boxes, places);
    return bitset_has(places, state->player);
}

static void check_whole_level(const char *text) {
    struct whole whole;
    struct sokoban_level level;
    soloist_chunk chunk = plain_chunk(text);
    assert_true(sokoban_level_parse(&chunk, &level, NULL));
    if (!whole_open(&whole, &level))
        return;
    for (size_t k = 0; k < CONFIGS; k++) {
        struct game g = game_open(&configs[k], &chunk);
        const struct sokoban *game = sokoban_of(g.instance);
        size_t entries = (size_t)1 << (whole.floor + 4);
        struct search search = {.cost = malloc(entries * sizeof(int))};
        _Alignas(8) unsigned char block[ROOM];
        struct sokoban_state *state = (struct sokoban_state *)(void *)block;
        for (size_t i = 0; i < entries; i++)
            search.cost[i] = WHOLE_FAR;
        search_all(&search, &g, &whole);
        for (unsigned boxes = 0; boxes < 1u << whole.floor; boxes++)
            for (int p = 0; p < whole.floor; p++) {
                if (!whole_is_state(&whole, boxes, p))
                    continue;
                whole_state(&whole, game, boxes, p, state);
                unsigned at = whole_index(&whole, game, state);
                if (is_expected(&g, &whole, state))
                    assert_int_equal(search.cost[at], (game->rules.exact ? whole.steps : whole.pushes)[at]);
                else if (state->off_goal)
                    assert_int_equal(search.cost[at], WHOLE_FAR);
            }
        free(search.cost);
        free(search.queue);
        g.domain->life->destroy(g.instance);
    }
    whole_close(&whole);
}

static void goals_reach_every_solvable_state(void **unused) {
    (void)unused;
    soloist_rng rng;
    char text[128];
    soloist_rng_seed(&rng, 99, 0);
    for (size_t i = 0; i < PLAIN_LEVELS; i++)
        check_whole_level(plain_levels[i]);
    for (int levels = 0; levels < 40;)
        if (whole_draw(&rng, text, sizeof text)) {
            check_whole_level(text);
            levels++;
        }
}

/* Three goals for two boxes: three choices, and none of them cuts the floor in two. */
static void goals_are_numbered(void **unused) {
    (void)unused;
    soloist_chunk chunk = plain_chunk("#######\n#@$ $ #\n#...###\n####\n");
    soloist_instance *instance = plain_instance(&sokoban_domain, "", &chunk);
    _Alignas(8) unsigned char state[ROOM];
    int count = 0;
    while (sokoban_reverse.goal(instance, (uint64_t)count, state))
        count++;
    assert_int_equal(count, 3);
    assert_false(sokoban_reverse.goal(instance, UINT64_MAX, state));
    sokoban_domain.life->destroy(instance);
}

/* Forty goals for twenty boxes are far too many choices to be counted: numbers still give goal states. */
static void goals_past_counting(void **unused) {
    (void)unused;
    char text[2048];
    size_t length = 0;
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 23; x++) {
            bool edge = y == 0 || y == 7 || x == 0 || x == 21;
            char cell = x == 22 ? '\n' : edge ? '#' : y < 3 ? '.' : y == 5 ? '$' : x == 1 && y == 6 ? '@' : ' ';
            text[length++] = cell;
        }
    text[length] = 0;
    soloist_chunk chunk = plain_chunk(text);
    soloist_instance *instance = plain_instance(&sokoban_domain, "", &chunk);
    _Alignas(8) unsigned char state[ROOM] = {0}; /* a state has fewer words than are counted below */
    int32_t last;
    const uint64_t indices[] = {0, 1, 2, 80, 81, 82, 1000000007, UINT64_C(1) << 40};
    for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
        assert_true(sokoban_reverse.goal(instance, indices[i], state));
        assert_true(sokoban_ended(instance, state, &last));
        assert_int_equal(bitset_count(((struct sokoban_state *)(void *)state)->boxes, 3), 20);
    }
    assert_false(sokoban_reverse.goal(instance, UINT64_MAX, state));
    sokoban_domain.life->destroy(instance);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_levels_invert),
        cmocka_unit_test(microban_inverts),
        cmocka_unit_test(goals_reach_every_solvable_state),
        cmocka_unit_test(goals_are_numbered),
        cmocka_unit_test(goals_past_counting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
