/* The tree search of expert iteration against a plain one: the same visits and values at the root before every move,
 * whatever the options, with a made-up network. And each rule by itself, on positions drawn as pictures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include "domain/domain.h"
#include "search/policy/exit_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const level = "########\n#      #\n# .$ $ #\n#  ##. #\n# @    #\n########\n";
/* One push to the right solves it. */
static const char *const easy = "#######\n#     #\n# @$. #\n#     #\n#######\n";
/* The player can only walk in a corridor of three cells: the box cannot be moved. */
static const char *const corridor = "######\n#+  $#\n######\n";

static const soloist_domain *domain(void) { return &sokoban_moves_domain; }

static soloist_puzzle read_level(const char *text) {
    soloist_puzzle puzzle;
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1, .name = ""};
    assert_int_equal(soloist_puzzle_read(domain(), NULL, &chunk, &puzzle, NULL), SOLOIST_OK);
    return puzzle;
}

/* ---- a made-up network ---- */

static float made_up_value(const soloist_instance *instance, const void *state) {
    return (float)(hash_mix(domain()->core->key(instance, state) ^ 99) % 1000) / 1000;
}

static void made_up_priors(const soloist_instance *instance, const void *state, int count, float *priors) {
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += priors[i] = (float)(1 + hash_mix(domain()->core->key(instance, state) + (uint64_t)i) % 97);
    for (int i = 0; i < count; i++)
        priors[i] /= sum;
}

/* ---- the plain search ---- */

enum { MOVES = 8, STATE = 1024, MOST_VISITED = 20000, MOST_DEPTH = 256 };

struct plain {
    unsigned char state[STATE];
    soloist_move moves[MOVES];
    float priors[MOVES];
    int count, visits[MOVES], depth;
    bool solved, dead[MOVES], visited[MOVES];
    double sum[MOVES];
    struct plain *child[MOVES], *parent;
    int from;
};

struct plain_game {
    const soloist_instance *instance;
    const struct exit_options *options;
    size_t size;
    struct plain *root, *waiting[64];
    unsigned char (*seen)[STATE], (*played)[STATE];
    int seen_count, played_count, waiting_count;
};

static bool plain_can_go(const struct plain *node, int edge) {
    if (node->dead[edge] || node->visited[edge])
        return false;
    const struct plain *child = node->child[edge];
    if (!child || child->solved)
        return true;
    for (int i = 0; i < child->count; i++)
        if (plain_can_go(child, i))
            return true;
    return false;
}

static struct plain *plain_node(struct plain_game *game, const void *state, struct plain *parent, int from) {
    struct plain *node = calloc(1, sizeof *node);
    int32_t last;
    memcpy(node->state, state, game->size);
    node->parent = parent;
    node->from = from;
    node->depth = parent ? parent->depth + 1 : game->played_count;
    node->solved = domain()->core->ended(game->instance, state, &last);
    node->count = node->solved ? 0 : domain()->core->moves(game->instance, state, node->moves);
    for (int i = 0; i < node->count; i++)
        node->priors[i] = 0.25f;
    memcpy(game->seen[game->seen_count++], state, game->size);
    return node;
}

static bool plain_was_seen(const struct plain_game *game, const void *state) {
    for (int i = 0; i < game->seen_count; i++)
        if (!memcmp(game->seen[i], state, game->size))
            return true;
    for (int i = 0; game->options->avoid_played && i < game->played_count; i++)
        if (!memcmp(game->played[i], state, game->size))
            return true;
    return false;
}

static int plain_select(const struct plain_game *game, const struct plain *node) {
    int best = -1, all = 0;
    double most = 0;
    for (int i = 0; i < node->count; i++)
        all += node->visits[i];
    for (int i = 0; i < node->count; i++) {
        double q = node->visits[i] ? node->sum[i] / node->visits[i] : 0;
        double u = q + game->options->c * sqrt(all) * (double)node->priors[i] / (1 + node->visits[i]);
        if (plain_can_go(node, i) && (best < 0 || u > most || (u == most && node->priors[i] > node->priors[best])))
            best = i, most = u;
    }
    return best;
}

static void plain_back_up(struct plain_game *game, struct plain *node, double value, bool visit) {
    for (; node->parent; node = node->parent) {
        node->parent->visits[node->from] += visit;
        value -= game->options->step_cost;
        node->parent->sum[node->from] += value > 0 || game->options->step_cost == 0 ? value : 0;
    }
}

static void plain_round(struct plain_game *game) {
    struct plain *node = game->root;
    while (!node->solved) {
        int edge = plain_select(game, node);
        if (edge < 0)
            break;
        if (node->child[edge]) {
            node = node->child[edge];
            continue;
        }
        unsigned char state[STATE];
        memcpy(state, node->state, game->size);
        domain()->core->apply(game->instance, state, node->moves[edge], NULL);
        if (plain_was_seen(game, state)) {
            node->visited[edge] = true;
            continue;
        }
        int32_t last;
        soloist_move moves[MOVES];
        bool solved = domain()->core->ended(game->instance, state, &last);
        if (!solved &&
            (node->depth + 1 >= game->options->step_limit || !domain()->core->moves(game->instance, state, moves))) {
            node->dead[edge] = true;
            node->visits[edge]++;
            plain_back_up(game, node, 0, true);
            return;
        }
        node->child[edge] = plain_node(game, state, node, edge);
        if (!solved)
            game->waiting[game->waiting_count++] = node->child[edge];
        plain_back_up(game, node->child[edge], solved ? 1 : 0, true);
        return;
    }
    plain_back_up(game, node, node->solved ? 1 : 0, true);
}

static void plain_ask(struct plain_game *game) {
    for (int i = 0; i < game->waiting_count; i++) {
        struct plain *node = game->waiting[i];
        made_up_priors(game->instance, node->state, node->count, node->priors);
        plain_back_up(game, node, (double)made_up_value(game->instance, node->state), false);
    }
    game->waiting_count = 0;
}

static bool plain_root_can_go(const struct plain_game *game) {
    for (int i = 0; i < game->root->count; i++)
        if (plain_can_go(game->root, i))
            return true;
    return false;
}

static void plain_grow(struct plain_game *game) {
    int rounds = 0;
    if (game->waiting_count) /* a new root */
        rounds++;
    while (rounds < game->options->per_move && plain_root_can_go(game)) {
        if (game->waiting_count == game->options->delay)
            plain_ask(game);
        rounds++;
        plain_round(game);
    }
    plain_ask(game);
}

static void plain_free(struct plain *node) {
    for (int i = 0; node && i < node->count; i++)
        plain_free(node->child[i]);
    free(node);
}

static void plain_see_again(struct plain_game *game, struct plain *node) {
    memcpy(game->seen[game->seen_count++], node->state, game->size);
    for (int i = 0; i < node->count; i++) {
        node->visited[i] = false;
        if (node->child[i])
            plain_see_again(game, node->child[i]);
    }
}

static void plain_advance(struct plain_game *game, soloist_move move) {
    struct plain *root = game->root;
    int edge = 0;
    while (root->moves[edge] != move)
        edge++;
    memcpy(game->played[game->played_count++], root->state, game->size);
    game->seen_count = game->waiting_count = 0;
    game->root = game->options->keep ? root->child[edge] : NULL;
    if (game->root) {
        root->child[edge] = NULL;
        game->root->parent = NULL;
        plain_see_again(game, game->root);
    } else {
        unsigned char state[STATE];
        memcpy(state, root->state, game->size);
        domain()->core->apply(game->instance, state, move, NULL);
        game->root = plain_node(game, state, NULL, 0);
        if (game->root->count)
            game->waiting[game->waiting_count++] = game->root;
    }
    plain_free(root);
}

/* ---- the comparison ---- */

static void expect_same_root(const struct exit_tree *tree, const struct plain_game *plain) {
    const struct exit_node *root = &tree->store.nodes[0];
    assert_int_equal(root->count, plain->root->count);
    assert_memory_equal(exit_tree_state(tree), plain->root->state, plain->size);
    for (uint32_t i = 0; i < root->count; i++) {
        const struct exit_edge *edge = &tree->store.edges[root->first + i];
        assert_int_equal(edge->visits, plain->root->visits[i]);
        assert_true(fabs(edge->sum - plain->root->sum[i]) < 1e-9);
        assert_int_equal(edge->kind == EXIT_OPEN, plain_can_go(plain->root, (int)i));
    }
}

static void grow(struct exit_tree *tree) {
    int count;
    while ((count = exit_tree_gather(tree, UINT64_MAX)) > 0) {
        assert_true(count <= tree->options->delay);
        for (int i = 0; i < count; i++) {
            struct evaluation question;
            exit_tree_question(tree, i, &question);
            made_up_priors(question.instance, question.state, question.move_count, question.priors);
            exit_tree_answer(tree, i, made_up_value(question.instance, question.state));
        }
        exit_tree_update(tree);
    }
    assert_int_equal(count, 0);
}

static struct exit_options options_of(const char *text) {
    struct exit_options options;
    soloist_options_reset(exit_options_rows, &options);
    assert_int_equal(soloist_options_parse(exit_options_rows, &options, text, NULL), SOLOIST_OK);
    return options;
}

static void plays_like_the_plain_search(void **state) {
    (void)state;
    static const char *const texts[] = {"per_move=40,step_limit=25",
                                        "per_move=40,delay=1,step_limit=25",
                                        "per_move=64,delay=5,keep=false,step_limit=20",
                                        "per_move=40,avoid_played=false,step_limit=25",
                                        "per_move=30,final=drawn,step_limit=30",
                                        "per_move=50,c=2,step_cost=0.01,step_limit=12"};
    soloist_puzzle puzzle = read_level(level);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct exit_options options = options_of(texts[t]);
        struct memory memory;
        struct exit_tree tree;
        soloist_shape shape = {0};
        domain()->life->shape(puzzle.instance, &shape);
        assert_true(shape.state_size <= STATE);
        memory_open(&memory, 0);
        assert_true(exit_tree_open(&tree, domain(), puzzle.instance, &options, &memory, 7));
        struct plain_game plain = {.instance = puzzle.instance, .options = &options, .size = shape.state_size};
        plain.seen = malloc(MOST_VISITED * sizeof *plain.seen);
        plain.played = malloc(MOST_DEPTH * sizeof *plain.played);
        plain.root = plain_node(&plain, exit_tree_state(&tree), NULL, 0);
        plain.waiting[plain.waiting_count++] = plain.root;
        int moves = 0;
        for (; !exit_tree_is_over(&tree); moves++) {
            grow(&tree);
            plain_grow(&plain);
            expect_same_root(&tree, &plain);
            soloist_move move = exit_tree_choose(&tree);
            if (move == SOLOIST_NO_MOVE)
                break;
            assert_true(exit_tree_advance(&tree, move));
            plain_advance(&plain, move);
        }
        assert_true(moves > 3);
        plain_free(plain.root);
        free(plain.seen);
        free(plain.played);
        exit_tree_close(&tree);
        assert_int_equal(memory_used(&memory), 0);
    }
    soloist_puzzle_free(&puzzle);
}

/* ---- rules by themselves ---- */

struct game {
    soloist_puzzle puzzle;
    struct memory memory;
    struct exit_options options;
    struct exit_tree tree;
};

static void open_game(struct game *game, const char *text, const char *options) {
    game->puzzle = read_level(text);
    game->options = options_of(options);
    memory_open(&game->memory, 0);
    assert_true(exit_tree_open(&game->tree, domain(), game->puzzle.instance, &game->options, &game->memory, 3));
}

static void close_game(struct game *game) {
    exit_tree_close(&game->tree);
    assert_int_equal(memory_used(&game->memory), 0);
    soloist_puzzle_free(&game->puzzle);
}

/* Until the network answers, every move has the prior 0.25, also where there are fewer than four. */
static void the_placeholder(void **state) {
    (void)state;
    struct game game;
    open_game(&game, corridor, "per_move=3,delay=8");
    assert_int_equal(exit_tree_gather(&game.tree, UINT64_MAX), 3);
    for (uint32_t i = 0; i < game.tree.store.edge_count; i++)
        assert_true(game.tree.store.priors[i] == 0.25f);
    close_game(&game);
    open_game(&game, corridor, "per_move=1,placeholder=0");
    exit_tree_gather(&game.tree, UINT64_MAX);
    assert_true(game.tree.store.priors[0] == 1);
    close_game(&game);
}

/* A delayed evaluation holds no more than `delay` states, and none is lost at the end of the move's rounds. */
static void the_delay(void **state) {
    (void)state;
    struct game game;
    open_game(&game, level, "per_move=20,delay=8");
    grow(&game.tree);
    assert_int_equal(game.tree.in_move, 20);
    assert_int_equal(game.tree.pending_count, 0);
    assert_true(game.tree.judged <= 20 && game.tree.judged > 8);
    for (uint32_t i = 0; i < game.tree.store.count; i++)
        assert_true(game.tree.store.nodes[i].valued || game.tree.store.nodes[i].solved);
    close_game(&game);
}

/* In the corridor every state is visited once; then the root is closed, worth 0, and the game is lost. */
static void a_node_without_children_is_closed(void **state) {
    (void)state;
    struct game game;
    open_game(&game, corridor, "per_move=50,delay=1");
    grow(&game.tree);
    assert_int_equal(game.tree.store.nodes[0].open, 0);
    assert_int_equal(game.tree.store.count, 3);
    assert_int_equal(game.tree.store.edges[0].kind, EXIT_EXHAUSTED);
    assert_true(exit_tree_choose(&game.tree) == SOLOIST_NO_MOVE);
    /* The visits: the second cell, the third, and the third again, which was then found to be closed. */
    assert_int_equal(game.tree.store.edges[0].visits, 3);
    double sum = 0;
    for (uint32_t i = 1; i < 3; i++)
        sum += (double)game.tree.store.nodes[i].value;
    assert_true(fabs(game.tree.store.edges[0].sum - sum) < 1e-9);
    close_game(&game);
}

static void a_solved_state_is_worth_1(void **state) {
    (void)state;
    struct game game;
    struct search_line line = {0};
    open_game(&game, easy, "per_move=200");
    grow(&game.tree);
    const struct exit_node *root = &game.tree.store.nodes[0];
    uint32_t push = 0;
    for (uint32_t i = 0; i < root->count; i++)
        if (game.tree.store.edges[root->first + i].child == game.tree.line_to)
            push = i;
    const struct exit_edge *edge = &game.tree.store.edges[root->first + push];
    assert_int_not_equal(game.tree.line_to, EXIT_NONE);
    assert_true(edge->visits > 50 && edge->sum == edge->visits);
    assert_true(exit_tree_choose(&game.tree) == game.tree.store.moves[root->first + push]);
    assert_true(exit_tree_line(&game.tree, &line) && line.count == 1 && line.value == 1);
    assert_true(exit_tree_advance(&game.tree, exit_tree_choose(&game.tree)));
    assert_true(exit_tree_is_solved(&game.tree) && exit_tree_is_over(&game.tree));
    free(line.moves);
    close_game(&game);
}

static void the_last_step_is_worth_0(void **state) {
    (void)state;
    struct game game;
    open_game(&game, level, "per_move=200,step_limit=1");
    grow(&game.tree);
    const struct exit_node *root = &game.tree.store.nodes[0];
    assert_int_equal(root->open, 0);
    assert_int_equal(game.tree.store.count, 1);
    for (uint32_t i = 0; i < root->count; i++)
        assert_true(game.tree.store.edges[root->first + i].visits == 1 &&
                    game.tree.store.edges[root->first + i].sum == 0);
    close_game(&game);
}

/* Drawn moves are as frequent as their visits. */
static void moves_are_drawn_by_visits(void **state) {
    (void)state;
    struct game game;
    open_game(&game, level, "per_move=120,final=drawn");
    grow(&game.tree);
    const struct exit_node *root = &game.tree.store.nodes[0];
    double counts[MOVES] = {0}, visits = 0;
    enum { draws = 20000 };
    for (int i = 0; i < draws; i++) {
        soloist_move move = exit_tree_choose(&game.tree);
        for (uint32_t k = 0; k < root->count; k++)
            counts[k] += game.tree.store.moves[root->first + k] == move;
    }
    const struct exit_edge *edges = game.tree.store.edges + root->first;
    for (uint32_t k = 0; k < root->count; k++)
        visits += edges[k].kind == EXIT_OPEN ? edges[k].visits : 0;
    for (uint32_t k = 0; k < root->count; k++)
        assert_true(fabs(counts[k] / draws - (edges[k].kind == EXIT_OPEN ? edges[k].visits / visits : 0)) < 0.02);
    close_game(&game);
}

static void little_memory_is_said(void **state) {
    (void)state;
    soloist_puzzle puzzle = read_level(level);
    struct exit_options options = options_of("per_move=300");
    for (size_t limit = 1000; limit < 400000; limit += limit / 3) {
        struct memory memory;
        struct exit_tree tree;
        memory_open(&memory, limit);
        bool good = exit_tree_open(&tree, domain(), puzzle.instance, &options, &memory, 1);
        for (int count = 1; good && count > 0;) {
            count = exit_tree_gather(&tree, UINT64_MAX);
            exit_tree_update(&tree);
            good = count >= 0 && memory_used(&memory) <= limit;
        }
        if (good)
            assert_true(exit_tree_choose(&tree) != SOLOIST_NO_MOVE);
        exit_tree_close(&tree);
        assert_int_equal(memory_used(&memory), 0);
    }
    soloist_puzzle_free(&puzzle);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_like_the_plain_search),
        cmocka_unit_test(the_placeholder),
        cmocka_unit_test(the_delay),
        cmocka_unit_test(a_node_without_children_is_closed),
        cmocka_unit_test(a_solved_state_is_worth_1),
        cmocka_unit_test(the_last_step_is_worth_0),
        cmocka_unit_test(moves_are_drawn_by_visits),
        cmocka_unit_test(little_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
