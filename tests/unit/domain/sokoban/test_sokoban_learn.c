/* How networks see Sokoban: planes and actions against plain boards. A position and a move are reflected, the reflected
 * level is read from its planes, the reflected move is replayed there, and both positions are compared again. */
#include "domain/sokoban/sokoban_plain.h"

#include "domain/sokoban/learn.h"

#define MOST_PLANES 32
#define MOST_CELLS 160

static const char *const square_levels[] = {
    "#######\n#@    #\n# $$  #\n#  ...#\n# $   #\n#     #\n#######\n",
    " ######\n##  .##\n#  $ .#\n#@$#  #\n##   ##\n ## ## \n  ###  \n",
};
static const soloist_domain *const domains[] = {&sokoban_domain, &sokoban_domain, &sokoban_moves_domain};
static const char *const options[] = {"", "optimal=moves", ""};

struct game {
    const soloist_domain *domain;
    soloist_instance *instance;
    int channels, height, width, cells, actions;
    _Alignas(8) unsigned char state[1024];
};

static void game_open(struct game *game, const soloist_domain *domain, const char *option, const char *text,
                      bool more) {
    soloist_chunk chunk = plain_chunk(text);
    game->domain = domain;
    game->instance = plain_instance(domain, option, &chunk);
    domain->life->root(game->instance, game->state);
    domain->learn->planes(game->instance, &game->channels, &game->height, &game->width);
    game->channels += more ? domain->learn->more_planes : 0;
    game->cells = game->height * game->width;
    game->actions = domain->learn->actions(game->instance);
    assert_true(game->channels <= MOST_PLANES && game->cells <= MOST_CELLS);
}

static void game_encode(const struct game *game, float *slot) {
    game->domain->learn->encode(game->instance, game->state, game->channels, slot);
}

static soloist_move game_draw(const struct game *game, soloist_rng *rng) {
    soloist_move moves[64];
    int count = game->domain->core->moves(game->instance, game->state, moves);
    return count ? moves[soloist_rng_below(rng, (uint32_t)count)] : SOLOIST_NO_MOVE;
}

/* The only move that has this action. */
static soloist_move game_move_of(const struct game *game, int action) {
    soloist_move moves[64], found = SOLOIST_NO_MOVE;
    int count = game->domain->core->moves(game->instance, game->state, moves);
    for (int i = 0; i < count; i++)
        if (game->domain->learn->action(game->instance, game->state, moves[i]) == action) {
            assert_int_equal(found, SOLOIST_NO_MOVE);
            found = moves[i];
        }
    assert_int_not_equal(found, SOLOIST_NO_MOVE);
    return found;
}

/* The level that planes show; the player is on the last of the squares where he may be. */
static void text_of_planes(const float *slot, int height, int width, char *text) {
    int cells = height * width, player = 0;
    for (int i = 0; i < cells; i++)
        player = slot[3 * cells + i] == 1 ? i : player;
    for (int i = 0; i < cells; i++) {
        bool wall = slot[i] == 1, goal = slot[cells + i] == 1, box = slot[2 * cells + i] == 1;
        *text++ = wall ? '#' : i == player ? "@+"[goal] : box ? "$*"[goal] : " ."[goal];
        if (i % width == width - 1)
            *text++ = '\n';
    }
    *text = 0;
}

static int only_action(const float *policy, int actions) {
    int found = -1;
    for (int i = 0; i < actions; i++) {
        assert_true(policy[i] == 0 || (policy[i] == 1 && found < 0));
        found = policy[i] == 1 ? i : found;
    }
    return found;
}

static void replay_reflected(const struct game *game, soloist_move move, int symmetry, int setup) {
    float slot[MOST_PLANES * MOST_CELLS], seen[MOST_PLANES * MOST_CELLS], again[MOST_PLANES * MOST_CELLS];
    float policy[4 * MOST_CELLS] = {0}, reflected[4 * MOST_CELLS] = {0};
    char text[2 * MOST_CELLS];
    const soloist_learn *learn = game->domain->learn;
    size_t size = (size_t)(game->channels * game->cells) * sizeof *slot;
    policy[learn->action(game->instance, game->state, move)] = 1;
    game_encode(game, slot);
    learn->reflect(game->instance, symmetry, game->channels, slot, policy, seen, reflected);
    text_of_planes(seen, game->height, game->width, text);
    struct game twin, next = *game;
    game_open(&twin, game->domain, options[setup], text, learn->more_planes && game->channels > 4);
    game_encode(&twin, again);
    assert_memory_equal(seen, again, size);
    soloist_move mirrored = game_move_of(&twin, only_action(reflected, game->actions));
    int32_t cost = game->domain->core->apply(game->instance, next.state, move, NULL);
    assert_int_equal(game->domain->core->apply(twin.instance, twin.state, mirrored, NULL), cost);
    game_encode(&next, slot);
    learn->reflect(game->instance, symmetry, game->channels, slot, NULL, seen, NULL);
    game_encode(&twin, again);
    assert_memory_equal(seen, again, size);
    game->domain->life->destroy(twin.instance);
}

static void play_reflected(const char *text, int setup, bool more, soloist_rng *rng) {
    struct game game;
    game_open(&game, domains[setup], options[setup], text, more);
    int symmetries = game.domain->learn->symmetries(game.instance);
    assert_int_equal(symmetries, game.height == game.width ? 8 : 4);
    for (int step = 0; step < 40; step++) {
        soloist_move move = game_draw(&game, rng);
        if (move == SOLOIST_NO_MOVE)
            break;
        for (int symmetry = 0; symmetry < symmetries; symmetry++)
            replay_reflected(&game, move, symmetry, setup);
        game.domain->core->apply(game.instance, game.state, move, NULL);
    }
    game.domain->life->destroy(game.instance);
}

static void reflected_games_are_the_same_game(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 7, 0);
    for (int setup = 0; setup < 3; setup++)
        for (int more = 0; more < 2; more++) {
            for (size_t i = 0; i < sizeof square_levels / sizeof *square_levels; i++)
                play_reflected(square_levels[i], setup, more, &rng);
            for (size_t i = 0; i < PLAIN_LEVELS; i++)
                play_reflected(plain_levels[i], setup, more, &rng);
        }
}

/* ---- against plain boards ---- */

static void compare_planes(const struct game *game, const struct plain *plain) {
    float slot[MOST_PLANES * MOST_CELLS];
    bool seen[PLAIN_SIDE][PLAIN_SIDE] = {{false}}, exact = sokoban_of(game->instance)->rules.exact;
    game_encode(game, slot);
    plain_fill(plain, seen, plain->x, plain->y);
    for (int i = 0; i < game->cells; i++) {
        int x = i % game->width, y = i / game->width;
        bool player = exact ? x == plain->x && y == plain->y : seen[y][x];
        assert_true(slot[i] == (float)plain->wall[y][x]);
        assert_true(slot[game->cells + i] == (float)plain->goal[y][x]);
        assert_true(slot[2 * game->cells + i] == (float)plain->box[y][x]);
        assert_true(slot[3 * game->cells + i] == (float)player);
    }
}

/* Plays an action on the plain board. */
static void play_plain(const struct game *game, struct plain *plain, int action) {
    bool seen[PLAIN_SIDE][PLAIN_SIDE] = {{false}};
    if (game->actions == 4) {
        assert_true(plain_step(plain, action));
        return;
    }
    int cell = action % game->cells;
    plain_fill(plain, seen, plain->x, plain->y);
    assert_true(plain_push(plain, seen, cell % game->width, cell / game->width, action / game->cells));
}

static void planes_show_the_plain_board(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 8, 0);
    for (int setup = 0; setup < 3; setup++)
        for (size_t i = 0; i < PLAIN_LEVELS; i++) {
            struct game game;
            struct plain plain;
            game_open(&game, domains[setup], options[setup], plain_levels[i], false);
            assert_int_equal(game.channels, 4);
            assert_int_equal(game.actions, setup == 2 ? 4 : 4 * game.cells);
            plain_of_level(&plain, &sokoban_of(game.instance)->level);
            for (int step = 0; step < 60; step++) {
                soloist_move move = game_draw(&game, &rng);
                compare_planes(&game, &plain);
                if (move == SOLOIST_NO_MOVE)
                    break;
                play_plain(&game, &plain, game.domain->learn->action(game.instance, game.state, move));
                game.domain->core->apply(game.instance, game.state, move, NULL);
            }
            game.domain->life->destroy(game.instance);
        }
}

/* ---- the richer planes ---- */

enum { FAR = 1000 };

/* The fewest pushes that take the box at (x, y) to a goal if there is no other box and the player begins at (px, py).
 * cost[y][x][d]: with the box there and the player on its side d; improved until nothing changes. */
static int plain_pushes(const struct plain *board, int x, int y, int px, int py) {
    static int cost[PLAIN_SIDE][PLAIN_SIDE][4];
    struct plain alone = *board;
    int least = board->goal[y][x] ? 0 : FAR;
    memset(alone.box, 0, sizeof alone.box);
    for (int i = 0; i < PLAIN_SIDE * PLAIN_SIDE * 4; i++)
        cost[i / 4 / PLAIN_SIDE][i / 4 % PLAIN_SIDE][i % 4] = FAR;
    for (bool changed = true, begun = false; changed; begun = true) {
        changed = false;
        for (int i = 0; i < board->width * board->height * 4; i++) {
            int bx = i / 4 % board->width, by = i / 4 / board->width, d = i % 4, from = cost[by][bx][d];
            if (begun ? from == FAR : bx != x || by != y)
                continue;
            bool seen[PLAIN_SIDE][PLAIN_SIDE] = {{false}};
            alone.box[by][bx] = true;
            plain_fill(&alone, seen, begun ? bx + plain_dx[d] : px, begun ? by + plain_dy[d] : py);
            alone.box[by][bx] = false;
            for (int e = 0; e < 4; e++) {
                int tx = bx - plain_dx[e], ty = by - plain_dy[e], next = begun ? from + 1 : 1;
                if (!seen[by + plain_dy[e]][bx + plain_dx[e]] || board->wall[ty][tx] || cost[ty][tx][e] <= next)
                    continue;
                cost[ty][tx][e] = next;
                changed = true;
                least = board->goal[ty][tx] && next < least ? next : least;
            }
        }
    }
    return least;
}

/* The fewest pushes from a square to a goal, with the player on the side where he is, or on the best side. */
static int plain_distance(const struct plain *board, int x, int y) {
    int least = FAR;
    if (board->box[y][x])
        return plain_pushes(board, x, y, board->x, board->y);
    for (int d = 0; d < 4; d++) {
        int px = x + plain_dx[d], py = y + plain_dy[d];
        int pushes = board->wall[py][px] ? FAR : plain_pushes(board, x, y, px, py);
        least = pushes < least ? pushes : least;
    }
    return least;
}

static bool plain_is_solvable(const struct game *game) {
    struct buffer text;
    soloist_result result;
    soloist *engine = soloist_new();
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    game->domain->text->print(game->instance, game->state, &sink);
    soloist_chunk chunk = {.text = text.text, .length = text.length, .line = 1};
    soloist_puzzle puzzle;
    assert_int_equal(soloist_puzzle_read(&sokoban_domain, "rules=none,bound=remaining", &chunk, &puzzle, NULL),
                     SOLOIST_OK);
    assert_int_equal(soloist_solve(engine, &puzzle, "bfs", NULL, NULL, &result, NULL), SOLOIST_OK);
    bool solvable = result.status == SOLOIST_SOLVED;
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    buffer_close(&text);
    return solvable;
}

/* Every push is in one of its planes, and after a deadly one there is no solution. Returns how many are deadly. */
static int compare_pushes(const struct game *game, const struct plain *plain, const float *more) {
    bool seen[PLAIN_SIDE][PLAIN_SIDE] = {{false}};
    int deadly = 0;
    plain_fill(plain, seen, plain->x, plain->y);
    for (int action = 0; action < game->actions; action++) {
        struct plain next = *plain;
        int cell = action % game->cells, d = action / game->cells;
        bool can = plain_push(&next, seen, cell % game->width, cell / game->width, d);
        float closer = more[(MORE_CLOSER + d) * game->cells + cell],
              other = more[(MORE_OTHER + d) * game->cells + cell];
        float lost = more[(MORE_DEADLY + d) * game->cells + cell];
        assert_true(closer + other + lost == (float)can);
        if (!can)
            continue;
        struct game after = *game;
        int32_t before = sokoban_least_matching(sokoban_of(game->instance), (const void *)game->state, true);
        game->domain->core->apply(game->instance, after.state, game_move_of(game, action), NULL);
        int32_t now = sokoban_least_matching(sokoban_of(game->instance), (const void *)after.state, true);
        assert_true(lost == 1 || (now < before) == (closer == 1));
        assert_false(lost == 1 && plain_is_solvable(&after));
        deadly += lost == 1;
    }
    return deadly;
}

static void compare_squares(const struct game *game, const struct plain *plain, const float *more) {
    bool seen[PLAIN_SIDE][PLAIN_SIDE] = {{false}};
    uint8_t live[SOKOBAN_MOST_SIDE * SOKOBAN_MOST_SIDE];
    plain_fill(plain, seen, plain->x, plain->y);
    sokoban_live_tiles(&sokoban_of(game->instance)->level, live);
    for (int i = 0; i < game->cells; i++) {
        int x = i % game->width, y = i / game->width;
        assert_true(more[MORE_REACH * game->cells + i] == (float)seen[y][x]);
        assert_true(more[MORE_DEAD * game->cells + i] == (float)(!plain->wall[y][x] && !live[i]));
        int distance = plain->wall[y][x] ? 0 : plain_distance(plain, x, y);
        for (int k = 0; k < 4; k++)
            assert_true(more[(MORE_FAR + k) * game->cells + i] == (float)(distance >= learn_far[k]));
    }
}

static void richer_planes_tell_the_truth(void **unused) {
    (void)unused;
    float slot[(4 + MORE_PLANES) * MOST_CELLS];
    soloist_rng rng;
    int deadly = 0, frozen = 0;
    soloist_rng_seed(&rng, 9, 0);
    for (size_t i = 0; i < PLAIN_LEVELS; i++) {
        struct game game;
        struct plain plain;
        game_open(&game, &sokoban_domain, "", plain_levels[i], true);
        assert_int_equal(game.channels, 4 + MORE_PLANES);
        plain_of_level(&plain, &sokoban_of(game.instance)->level);
        for (int step = 0; step < 6; step++) {
            soloist_move move = game_draw(&game, &rng);
            const float *more = slot + 4 * game.cells;
            int32_t matching = sokoban_least_matching(sokoban_of(game.instance), (const void *)game.state, true);
            game_encode(&game, slot);
            compare_squares(&game, &plain, more);
            deadly += compare_pushes(&game, &plain, more);
            for (int k = 0; k < 6 * game.cells; k++)
                assert_true(more[MORE_MATCHING * game.cells + k] ==
                            (float)(matching >= learn_matching[k / game.cells]));
            for (int k = 0; k < game.cells; k++)
                frozen += more[MORE_FROZEN * game.cells + k] == 1;
            if (move == SOLOIST_NO_MOVE)
                break;
            play_plain(&game, &plain, game.domain->learn->action(game.instance, game.state, move));
            game.domain->core->apply(game.instance, game.state, move, NULL);
        }
        game.domain->life->destroy(game.instance);
    }
    assert_true(deadly > 0 && frozen > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reflected_games_are_the_same_game),
        cmocka_unit_test(planes_show_the_plain_board),
        cmocka_unit_test(richer_planes_tell_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
