/* Many boards played at once: a domain's own version against the general one, bit by bit, and both against games played
 * one move at a time. */
#include "domain/sokoban/sokoban_plain.h"

#include "domain/environments.h"

#define BOARDS 24
#define MOST_NUMBERS 400

/* Five levels of 7x7; in the first, one push solves it. */
static const char *const levels[] = {
    "#######\n#     #\n# @$. #\n#     #\n#     #\n#     #\n#######\n",
    "#######\n#@    #\n# $$  #\n#  .. #\n#     #\n#     #\n#######\n",
    "#######\n##  .##\n#  $ .#\n#@$#  #\n##   ##\n#######\n#######\n",
    "#######\n#.  $ #\n# $#  #\n# @* .#\n#    ##\n#######\n#######\n",
    "#######\n#######\n#   ###\n# $*@ #\n#  .  #\n#######\n#######\n",
};
enum { LEVELS = sizeof levels / sizeof *levels };

struct boards {
    struct environments *environments;
    uint8_t observations[BOARDS * MOST_NUMBERS], finals[BOARDS * MOST_NUMBERS], ends[BOARDS];
    uint8_t legal[BOARDS * 128];
    float rewards[BOARDS];
};

static void put(struct environments *environments, int slot, const char *text) {
    soloist_chunk chunk = plain_chunk(text);
    soloist_error error = {0};
    if (!environments_put(environments, slot, &chunk, &error))
        fail_msg("%s", error.text);
}

static void boards_open(struct boards *boards, const soloist_domain *domain, const soloist_episodes *episodes,
                        bool general, const char *const *texts) {
    soloist_error error = {0};
    memset(boards, 0, sizeof *boards);
    boards->environments = environments_open(domain, episodes, general, &error);
    if (!boards->environments)
        fail_msg("%s", error.text);
    for (int i = 0; i < episodes->levels; i++)
        put(boards->environments, i, texts[i]);
    environments_reset(boards->environments, boards->observations);
}

static void boards_step(struct boards *boards, const int32_t *actions, bool in_place) {
    if (!in_place)
        memset(boards->observations, 99, sizeof boards->observations);
    memset(boards->finals, 0, sizeof boards->finals);
    environments_step(boards->environments, actions, in_place, boards->observations, boards->rewards, boards->ends,
                      boards->finals);
    environments_legal(boards->environments, boards->legal);
}

static soloist_episodes episodes_of(const char *reward, int limit, bool in_turn) {
    static struct sokoban_moves_options options;
    soloist_options_reset(sokoban_moves_options_rows, &options);
    return (soloist_episodes){.size = sizeof(soloist_episodes),
                              .options = &options,
                              .boards = BOARDS,
                              .levels = LEVELS,
                              .reward = environments_reward(&sokoban_moves_domain, reward, NULL),
                              .step_limit = limit,
                              .in_turn = in_turn,
                              .seed = 11};
}

static void draw_actions(int32_t *actions, int count, int most, soloist_rng *rng) {
    for (int i = 0; i < count; i++)
        actions[i] = (int32_t)soloist_rng_below(rng, (uint32_t)most);
}

static void assert_equal_boards(const struct boards *a, const struct boards *b) {
    assert_memory_equal(a->observations, b->observations, BOARDS * 4 * 49);
    assert_memory_equal(a->finals, b->finals, BOARDS * 4 * 49);
    assert_memory_equal(a->rewards, b->rewards, sizeof a->rewards);
    assert_memory_equal(a->ends, b->ends, sizeof a->ends);
    assert_memory_equal(a->legal, b->legal, BOARDS * 4);
    assert_int_equal(environments_episodes(a->environments), environments_episodes(b->environments));
    for (int i = 0; i < BOARDS; i++)
        assert_int_equal(environments_slot(a->environments, i), environments_slot(b->environments, i));
}

struct printed {
    char text[256];
    size_t length;
};

static void keep(void *to, const char *text, size_t n) {
    struct printed *printed = to;
    assert_true(printed->length + n <= sizeof printed->text);
    memcpy(printed->text + printed->length, text, n);
    printed->length += n;
}

static struct printed print_board(const struct boards *boards, int board) {
    struct printed printed = {0};
    environments_print(boards->environments, board, &(soloist_sink){keep, &printed});
    return printed;
}

static void assert_equal_prints(const struct boards *a, const struct boards *b) {
    for (int i = 0; i < BOARDS; i++) {
        struct printed one = print_board(a, i), other = print_board(b, i);
        assert_true(one.length > 0);
        assert_memory_equal(&one, &other, sizeof one);
    }
}

/* Some actions do not exist; in the middle a level is replaced while it is played. */
static void both_versions_give_equal_bits(void **unused) {
    (void)unused;
    static const char *const rewards[] = {"rl", "exit", "r0"};
    for (int k = 0; k < 14; k++) {
        soloist_episodes episodes = episodes_of(rewards[k % 3], k % 4 ? 20 : 0, k % 2);
        if (k >= 12)
            episodes.reward = -1;
        struct boards fast, general;
        soloist_rng rng;
        int32_t actions[BOARDS], ended = 0;
        soloist_rng_seed(&rng, 3, (uint64_t)k);
        boards_open(&fast, &sokoban_moves_domain, &episodes, false, levels);
        boards_open(&general, &sokoban_moves_domain, &episodes, true, levels);
        for (int step = 0; step < 150; step++) {
            bool in_place = k < 6 || step % 3 == 0;
            draw_actions(actions, BOARDS, k < 3 ? 5 : 4, &rng);
            boards_step(&fast, actions, in_place);
            boards_step(&general, actions, in_place);
            assert_equal_boards(&fast, &general);
            if (step % 25 == 0)
                assert_equal_prints(&fast, &general);
            for (int i = 0; i < BOARDS; i++)
                ended += fast.ends[i] == SOLOIST_EPISODE_ENDED;
            if (step == 75) {
                put(fast.environments, 1, levels[2]);
                put(general.environments, 1, levels[2]);
            }
        }
        assert_true(ended > 0);
        environments_close(fast.environments);
        environments_close(general.environments);
    }
}

/* A seed repeats the draws of levels; a board can be given a level, and what it prints is that level. */
static void boards_begin_where_they_are_told(void **unused) {
    (void)unused;
    soloist_episodes episodes = episodes_of("rl", 20, false);
    for (int general = 0; general < 2; general++) {
        struct boards boards;
        int slots[BOARDS];
        uint8_t first[BOARDS * 196];
        boards_open(&boards, &sokoban_moves_domain, &episodes, general, levels);
        for (int i = 0; i < BOARDS; i++)
            slots[i] = environments_slot(boards.environments, i);
        memcpy(first, boards.observations, sizeof first);
        environments_reset(boards.environments, boards.observations);
        assert_memory_not_equal(first, boards.observations, sizeof first);
        environments_reseed(boards.environments, episodes.seed);
        assert_int_equal(environments_episodes(boards.environments), 0);
        for (int i = 0; i < BOARDS; i++)
            environments_begin(boards.environments, i, -1, boards.observations + i * 196);
        assert_memory_equal(first, boards.observations, sizeof first);
        for (int i = 0; i < BOARDS; i++) {
            assert_int_equal(environments_slot(boards.environments, i), slots[i]);
            environments_begin(boards.environments, i, i % LEVELS, boards.observations + i * 196);
            assert_int_equal(environments_slot(boards.environments, i), i % LEVELS);
            assert_string_equal(print_board(&boards, i).text, levels[i % LEVELS]);
        }
        environments_close(boards.environments);
    }
}

/* An earlier plugin's group ends before the functions that were added later: the general version plays. */
static void an_earlier_group_is_not_used(void **unused) {
    (void)unused;
    soloist_environments earlier = *sokoban_moves_domain.environments;
    soloist_domain domain = sokoban_moves_domain;
    soloist_episodes episodes = episodes_of("rl", 20, false);
    struct boards boards, whole;
    earlier.begin = NULL, earlier.reseed = NULL, earlier.print = NULL;
    earlier.open = NULL;
    domain.environments = &earlier;
    boards_open(&boards, &domain, &episodes, false, levels);
    boards_open(&whole, &sokoban_moves_domain, &episodes, false, levels);
    assert_equal_boards(&boards, &whole);
    environments_close(boards.environments);
    environments_close(whole.environments);
}

/* ---- against plain boards ---- */

static int plain_off(const struct plain *p) {
    int off = 0;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            off += p->box[y][x] && !p->goal[y][x];
    return off;
}

static void plain_open(struct plain *plain, int slot) {
    struct sokoban_level level;
    soloist_chunk chunk = plain_chunk(levels[slot]);
    assert_true(sokoban_level_parse(&chunk, &level, NULL));
    plain_of_level(plain, &level);
}

static void assert_observation(const struct plain *p, const uint8_t *observation) {
    for (int i = 0; i < 49; i++) {
        int x = i % 7, y = i / 7;
        assert_int_equal(observation[i], p->wall[y][x]);
        assert_int_equal(observation[49 + i], p->goal[y][x]);
        assert_int_equal(observation[98 + i], p->box[y][x]);
        assert_int_equal(observation[147 + i], x == p->x && y == p->y);
    }
}

/* The rewards of Ge 2018, section 2.1, with a step limit of 12. */
static void steps_and_rewards_are_those_of_plain_boards(void **unused) {
    (void)unused;
    soloist_episodes episodes = episodes_of("rl", 12, false);
    struct boards boards;
    struct plain plain[BOARDS];
    soloist_rng rng;
    int32_t actions[BOARDS], steps[BOARDS] = {0};
    soloist_rng_seed(&rng, 4, 0);
    boards_open(&boards, &sokoban_moves_domain, &episodes, false, levels);
    for (int i = 0; i < BOARDS; i++)
        plain_open(&plain[i], environments_slot(boards.environments, i));
    for (int step = 0; step < 200; step++) {
        draw_actions(actions, BOARDS, 4, &rng);
        boards_step(&boards, actions, true);
        for (int i = 0; i < BOARDS; i++) {
            int before = plain_off(&plain[i]);
            plain_step(&plain[i], actions[i]);
            int after = plain_off(&plain[i]);
            double reward = !after ? 1 : after < before ? 0.1 : after > before ? -0.1 : -0.01;
            int end = !after             ? SOLOIST_EPISODE_ENDED
                      : ++steps[i] == 12 ? SOLOIST_EPISODE_CUT_OFF
                                         : SOLOIST_EPISODE_RUNS;
            assert_true(boards.rewards[i] == (float)reward);
            assert_int_equal(boards.ends[i], end);
            if (end) {
                assert_observation(&plain[i], boards.finals + i * 196);
                plain_open(&plain[i], environments_slot(boards.environments, i));
                steps[i] = 0;
            }
            assert_observation(&plain[i], boards.observations + i * 196);
        }
    }
    environments_close(boards.environments);
}

/* Boards that are split over two sets of environments play the same games. */
static void boards_can_be_split(void **unused) {
    (void)unused;
    soloist_episodes all = episodes_of("exit", 10, false), halves[2] = {all, all};
    struct boards whole, part[2];
    soloist_rng rng;
    int32_t actions[BOARDS];
    soloist_rng_seed(&rng, 5, 0);
    boards_open(&whole, &sokoban_moves_domain, &all, false, levels);
    for (int h = 0; h < 2; h++) {
        halves[h].boards = BOARDS / 2;
        halves[h].first_board = h * BOARDS / 2;
        boards_open(&part[h], &sokoban_moves_domain, &halves[h], h, levels);
    }
    for (int step = 0; step < 60; step++) {
        draw_actions(actions, BOARDS, 4, &rng);
        boards_step(&whole, actions, true);
        for (int h = 0; h < 2; h++) {
            boards_step(&part[h], actions + h * BOARDS / 2, true);
            assert_memory_equal(part[h].observations, whole.observations + h * BOARDS / 2 * 196, BOARDS / 2 * 196);
            assert_memory_equal(part[h].rewards, whole.rewards + h * BOARDS / 2, BOARDS / 2 * sizeof(float));
        }
    }
    environments_close(whole.environments);
    environments_close(part[0].environments);
    environments_close(part[1].environments);
}

static void levels_are_taken_in_turn(void **unused) {
    (void)unused;
    soloist_episodes episodes = episodes_of("exit", 1, true);
    struct boards boards;
    int32_t actions[BOARDS] = {0};
    boards_open(&boards, &sokoban_moves_domain, &episodes, false, levels);
    boards_step(&boards, actions, true);
    assert_int_equal(environments_episodes(boards.environments), 2 * BOARDS);
    for (int i = 0; i < BOARDS; i++)
        assert_int_equal(environments_slot(boards.environments, i), (BOARDS + i) % LEVELS);
    environments_close(boards.environments);
}

/* ---- the general version ---- */

/* SameGame: several actions mean the same move, and the reward is the score. */
static void samegame_scores_as_played_by_hand(void **unused) {
    (void)unused;
    static const char *const texts[] = {"1122\n3312\n2213\n", "1212\n3312\n2213\n"};
    const soloist_domain *domain = &samegame_domain;
    union {
        max_align_t align;
        unsigned char bytes[256];
    } options;
    assert_true(domain->options_size <= sizeof options);
    soloist_options_reset(domain->options, &options);
    soloist_episodes episodes = {
        .size = sizeof episodes, .options = &options, .boards = BOARDS, .levels = 2, .reward = -1, .in_turn = true};
    struct boards boards;
    _Alignas(16) unsigned char state[BOARDS][1024];
    soloist_instance *instances[2], *playing[BOARDS];
    soloist_rng rng;
    int32_t actions[BOARDS], last;
    int ended = 0;
    soloist_rng_seed(&rng, 6, 0);
    for (int i = 0; i < 2; i++) {
        soloist_chunk chunk = plain_chunk(texts[i]);
        instances[i] = domain->life->parse(&chunk, &options, &(soloist_error){0});
        assert_non_null(instances[i]);
    }
    boards_open(&boards, domain, &episodes, false, texts);
    for (int i = 0; i < BOARDS; i++) {
        playing[i] = instances[i % 2];
        domain->life->root(playing[i], state[i]);
    }
    for (int step = 0; step < 30; step++) {
        soloist_move moves[64];
        int32_t scores[BOARDS];
        for (int i = 0; i < BOARDS; i++) {
            int count = domain->core->moves(playing[i], state[i], moves);
            soloist_move move = moves[soloist_rng_below(&rng, (uint32_t)count)];
            actions[i] = domain->learn->action(playing[i], state[i], move);
            scores[i] = domain->core->apply(playing[i], state[i], move, NULL);
        }
        boards_step(&boards, actions, true);
        for (int i = 0; i < BOARDS; i++) {
            bool over = domain->core->ended(playing[i], state[i], &last);
            assert_true(boards.rewards[i] == (float)(scores[i] + (over ? last : 0)));
            assert_int_equal(boards.ends[i], over ? SOLOIST_EPISODE_ENDED : SOLOIST_EPISODE_RUNS);
            ended += over;
            if (over) {
                playing[i] = instances[environments_slot(boards.environments, i)];
                domain->life->root(playing[i], state[i]);
            }
        }
    }
    assert_true(ended > BOARDS);
    environments_close(boards.environments);
    for (int i = 0; i < 2; i++)
        domain->life->destroy(instances[i]);
}

/* At push level a box in a corner leaves no move; every step costs 1. The other push solves the level. */
static void a_game_without_moves_is_over(void **unused) {
    (void)unused;
    static const char *const text[] = {"#####\n#@  #\n# $ #\n# . #\n#####\n"};
    soloist_episodes episodes = episodes_of("rl", 10, true);
    struct sokoban_options options;
    struct boards boards;
    int32_t actions[BOARDS];
    soloist_options_reset(sokoban_options_rows, &options);
    episodes.options = &options;
    episodes.levels = 1;
    episodes.reward = -1;
    boards_open(&boards, &sokoban_domain, &episodes, false, text);
    for (int i = 0; i < BOARDS; i++)
        actions[i] = (i % 2 ? SOKOBAN_DOWN : SOKOBAN_UP) * 25 + 12; /* the box is in cell 12 */
    boards_step(&boards, actions, true);
    for (int i = 0; i < BOARDS; i++) {
        assert_true(boards.rewards[i] == -1);
        assert_int_equal(boards.ends[i], i % 2 ? SOLOIST_EPISODE_ENDED : SOLOIST_EPISODE_RUNS);
    }
    for (int i = 0; i < BOARDS; i += 2)
        actions[i] = SOKOBAN_LEFT * 25 + 7;
    boards_step(&boards, actions, true);
    for (int i = 0; i < BOARDS; i += 2) {
        assert_int_equal(boards.ends[i], SOLOIST_EPISODE_STUCK);
        assert_int_equal(boards.finals[i * 100 + 50 + 6], 1); /* the box in its corner */
    }
    environments_close(boards.environments);
}

static void refused(struct environments *environments, const char *text, const char *sentence) {
    soloist_chunk chunk = plain_chunk(text);
    soloist_error error = {0};
    assert_false(environments_put(environments, 1, &chunk, &error));
    assert_non_null(strstr(error.text, sentence));
}

static void unsuitable_levels_are_refused(void **unused) {
    (void)unused;
    soloist_error error = {0};
    for (int general = 0; general < 2; general++) {
        soloist_episodes episodes = episodes_of("rl", 10, false);
        struct boards boards;
        struct environments *empty = environments_open(&sokoban_moves_domain, &episodes, general, &error);
        assert_non_null(empty);
        refused(empty, "#####\n#@* #\n#####\n", "begins at its end");
        environments_close(empty);
        boards_open(&boards, &sokoban_moves_domain, &episodes, general, levels);
        refused(boards.environments, "#######\n#@$  .#\n#######\n", "expected");
        refused(boards.environments, "#######\n#@* $.#\n##  ####\n", "");
        environments_close(boards.environments);
    }
    assert_null(environments_open(&tictactoe_domain, &(soloist_episodes){.boards = 1, .levels = 1}, false, &error));
    assert_non_null(strstr(error.text, "tictactoe cannot be played on many boards"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_versions_give_equal_bits),
        cmocka_unit_test(boards_begin_where_they_are_told),
        cmocka_unit_test(an_earlier_group_is_not_used),
        cmocka_unit_test(steps_and_rewards_are_those_of_plain_boards),
        cmocka_unit_test(boards_can_be_split),
        cmocka_unit_test(levels_are_taken_in_turn),
        cmocka_unit_test(samegame_scores_as_played_by_hand),
        cmocka_unit_test(a_game_without_moves_is_over),
        cmocka_unit_test(unsuitable_levels_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
