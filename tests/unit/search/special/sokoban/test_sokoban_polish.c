/* Shortened solutions. On levels of up to 16 squares the best under each aim is known from the whole state space, and
 * every way of shortening is held against it; on others nothing may get worse, whatever the budget. */
#include "domain/sokoban/sokoban_whole.h"

#include "domain/sokoban/sokoban_generated.h"

#include "base/table.h"
#include "domain/sokoban/file/counts.h"
#include "search/special/sokoban/polish_line.h"

/* Least cost from the root to a goal where a push costs `push` and a step `walk`. */
static int whole_least(const struct whole *w, int push, int walk) {
    size_t entries = (size_t)1 << (w->floor + 4);
    int *cost = malloc(entries * sizeof *cost), best = WHOLE_FAR;
    assert_non_null(cost);
    for (size_t i = 0; i < entries; i++)
        cost[i] = WHOLE_FAR;
    cost[w->root_boxes << 4 | (unsigned)w->root_player] = 0;
    for (bool better = true; better;) {
        better = false;
        for (unsigned boxes = 0; boxes < 1u << w->floor; boxes++)
            for (int p = 0; p < w->floor && __builtin_popcount(boxes) == w->boxes; p++)
                for (int d = 0; d < 4 && cost[boxes << 4 | (unsigned)p] < WHOLE_FAR; d++) {
                    bool pushed;
                    unsigned after = boxes;
                    int to = whole_step(w, &after, p, d, &pushed);
                    int sum = cost[boxes << 4 | (unsigned)p] + (pushed ? push : walk);
                    if (to >= 0 && sum < cost[after << 4 | (unsigned)to]) {
                        cost[after << 4 | (unsigned)to] = sum;
                        better = true;
                    }
                }
    }
    for (unsigned boxes = 0; boxes < 1u << w->floor; boxes++)
        for (unsigned p = 0; p < 16 && __builtin_popcount(boxes) == w->boxes && !(boxes & ~w->goals); p++)
            best = cost[boxes << 4 | p] < best ? cost[boxes << 4 | p] : best;
    free(cost);
    return best;
}

/* A poor solution: a random line, cut where it is solved. NULL if it does not get there. */
static char *wander(const struct whole *w, soloist_rng *rng) {
    unsigned boxes = w->root_boxes;
    int player = w->root_player, length = 0;
    char *letters = malloc(4001);
    assert_non_null(letters);
    while (boxes & ~w->goals && length < 4000) {
        int d = (int)soloist_rng_below(rng, 4);
        bool push;
        unsigned after = boxes;
        int to = whole_step(w, &after, player, d, &push);
        if (to < 0 || w->steps[after << 4 | (unsigned)to] >= WHOLE_FAR)
            continue;
        letters[length++] = (push ? "ULRD" : "ulrd")[d];
        boxes = after;
        player = to;
    }
    letters[length] = 0;
    if (!(boxes & ~w->goals))
        return letters;
    free(letters);
    return NULL;
}

struct sample {
    char text[128];
    struct whole whole;
    soloist_puzzle puzzle;
    char *solution;
};

static bool sample_draw(struct sample *sample, soloist_rng *rng) {
    struct sokoban_level level;
    if (!whole_draw(rng, sample->text, sizeof sample->text))
        return false;
    soloist_chunk chunk = plain_chunk(sample->text);
    assert_true(sokoban_level_parse(&chunk, &level, NULL));
    if (!whole_open(&sample->whole, &level))
        return false;
    int cost = sample->whole.pushes[sample->whole.root_boxes << 4 | (unsigned)sample->whole.root_player];
    sample->puzzle = plain_puzzle(sample->text);
    sample->solution = cost && cost < WHOLE_FAR ? wander(&sample->whole, rng) : NULL;
    if (sample->solution)
        return true;
    whole_close(&sample->whole);
    soloist_puzzle_free(&sample->puzzle);
    return false;
}

static void sample_free(struct sample *sample) {
    whole_close(&sample->whole);
    soloist_puzzle_free(&sample->puzzle);
    free(sample->solution);
}

/* A level of the generator with the way it came, which is long. */
static void sample_make(struct sample *sample, soloist_rng *rng) {
    struct sokoban_generate_options options;
    struct sokoban_generated made;
    struct buffer text;
    soloist_error error;
    soloist_options_reset(sokoban_generate.options, &options);
    options.total_positions = 2000;
    options.boxes = 3;
    assert_int_equal(sokoban_generate_level(&options, rng, &made, &error), SOLOIST_OK);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    sokoban_level_print(&made.level, &sink);
    *sample = (struct sample){.puzzle = plain_puzzle(text.text), .solution = made.solution};
    buffer_close(&text);
}

static int weight(enum polish_aim aim, const soloist_verdict *v) {
    switch (aim) {
    case POLISH_PUSHES_MOVES: return (int)(v->pushes * 1000 + v->moves);
    case POLISH_MOVES_PUSHES: return (int)(v->moves * 1000 + v->pushes);
    case POLISH_PUSHES: return (int)v->pushes;
    case POLISH_MOVES: break;
    }
    return (int)v->moves;
}

static int best_weight(const struct whole *w, enum polish_aim aim) {
    switch (aim) {
    case POLISH_PUSHES_MOVES: return whole_least(w, 1001, 1);
    case POLISH_MOVES_PUSHES: return whole_least(w, 1001, 1000);
    case POLISH_PUSHES: return whole_least(w, 1, 0);
    case POLISH_MOVES: break;
    }
    return whole_least(w, 1, 1);
}

static void small_levels_get_their_best(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 41, 0);
    struct sample sample;
    for (int done = 0; done < 25;) {
        if (!sample_draw(&sample, &rng))
            continue;
        done++;
        for (enum polish_aim aim = POLISH_PUSHES_MOVES; aim <= POLISH_MOVES; aim++) {
            struct polish_result result;
            soloist_error error;
            soloist_limits limits = {.nodes = 1000000};
            assert_int_equal(polish_solution(&sample.puzzle, sample.solution, strlen(sample.solution), aim, &limits,
                                             NULL, &result, &error),
                             SOLOIST_OK);
            assert_true(result.optimal);
            assert_int_equal(weight(aim, &result.after), best_weight(&sample.whole, aim));
            free(result.solution);
        }
        sample_free(&sample);
    }
}

/* Opens the machinery below polish_solution, so that one way of shortening can be tried alone. */
static void open_polish(struct polish *polish, struct budget *budget, const struct sample *sample,
                        enum polish_aim aim) {
    soloist_error error;
    soloist_move pushes[4096];
    soloist_limits limits = {.nodes = 10000000};
    budget_open(budget, &limits, NULL);
    *polish = (struct polish){.puzzle = &sample->puzzle, .budget = budget};
    long count =
        sokoban_text.read(sample->puzzle.instance, sample->solution, strlen(sample->solution), pushes, 4096, &error);
    assert_true(count > 0 &&
                polish_line_open(&polish->line, sokoban_of(sample->puzzle.instance), aim, pushes, (size_t)count));
}

static int line_weight(const struct polish_line *line) {
    polish_cost cost = polish_line_total(line);
    int first = (int)(cost >> 32), second = (int)(uint32_t)cost;
    return line->aim == POLISH_PUSHES || line->aim == POLISH_MOVES ? first : first * 1000 + second;
}

/* A vicinity that takes in everything is an exact search. */
static void the_whole_vicinity_holds_the_best(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 42, 0);
    struct sample sample;
    for (int done = 0; done < 20;) {
        if (!sample_draw(&sample, &rng))
            continue;
        done++;
        for (enum polish_aim aim = POLISH_PUSHES_MOVES; aim <= POLISH_MOVES_PUSHES; aim++) {
            struct polish polish;
            struct budget budget;
            open_polish(&polish, &budget, &sample, aim);
            polish_vicinity(&polish, 1000000);
            assert_int_equal(line_weight(&polish.line), best_weight(&sample.whole, aim));
            polish_line_close(&polish.line);
            assert_int_equal(memory_used(&budget.memory), 0);
        }
        sample_free(&sample);
    }
}

/* Windows and orders, each alone: what comes out is cheaper or the same, ends solved, and is what it says it costs. */
static void parts_keep_the_line_whole(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 43, 0);
    struct sample sample;
    int shorter[2] = {0};
    for (int done = 0; done < 24; done++) {
        sample_make(&sample, &rng);
        for (int part = 0; part < 2; part++) {
            struct polish polish;
            struct budget budget;
            open_polish(&polish, &budget, &sample, (enum polish_aim)(done % 4));
            polish_cost before = polish_line_total(&polish.line);
            if (part) {
                polish_order(&polish, 4);
            } else {
                for (size_t at = 0; at < polish.line.count; at += 3) {
                    size_t to = at + 5 < polish.line.count ? at + 5 : polish.line.count;
                    polish_search(&polish, &(struct polish_window){at, to, 1000, NULL});
                }
            }
            struct polish_line again;
            assert_true(
                polish_line_open(&again, polish.line.game, polish.line.aim, polish.line.pushes, polish.line.count));
            assert_true(polish_line_total(&again) == polish_line_total(&polish.line));
            assert_true(polish_line_total(&polish.line) <= before);
            const uint64_t *last = polish_line_boxes(&again, again.count);
            for (int i = 0; i < again.game->words; i++)
                assert_true(!(last[i] & ~again.game->goal[i]));
            shorter[part] += polish_line_total(&polish.line) < before;
            polish_line_close(&again);
            polish_line_close(&polish.line);
            assert_int_equal(memory_used(&budget.memory), 0);
        }
        sample_free(&sample);
    }
    assert_true(shorter[0] > 12);
    assert_true(shorter[1] > 4);
}

/* Whatever the budget, the solution stays one and gets no worse. */
static void small_budgets_never_harm(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 44, 0);
    for (int i = 0; i < 10; i++) {
        struct sample sample;
        sample_make(&sample, &rng);
        for (uint64_t nodes = 1; nodes < 100000; nodes *= 10) {
            struct polish_result result;
            soloist_error error;
            soloist_verdict verdict;
            enum polish_aim aim = (enum polish_aim)(i % 4);
            soloist_limits limits = {.nodes = nodes, .memory = 1 << 20};
            assert_int_equal(polish_solution(&sample.puzzle, sample.solution, strlen(sample.solution), aim, &limits,
                                             NULL, &result, &error),
                             SOLOIST_OK);
            assert_true(soloist_check(&sample.puzzle, result.solution, strlen(result.solution), &verdict, &error));
            assert_int_equal(verdict.moves, result.after.moves);
            assert_true(weight(aim, &result.after) <= weight(aim, &result.before));
            free(result.solution);
        }
        sample_free(&sample);
    }
}

static void what_is_no_solution_is_refused(void **unused) {
    (void)unused;
    soloist_puzzle puzzle = plain_puzzle("#####\n#@$.#\n#####\n");
    struct polish_result result;
    soloist_error error = {0};
    soloist_limits limits = {.nodes = 1000};
    assert_int_equal(polish_solution(&puzzle, "r", 1, POLISH_MOVES, &limits, NULL, &result, &error), SOLOIST_BAD_INPUT);
    assert_non_null(strstr(error.text, "push"));
    assert_null(result.solution);
    assert_int_equal(polish_solution(&puzzle, "R", 1, POLISH_MOVES, &limits, NULL, &result, &error), SOLOIST_OK);
    assert_string_equal(result.solution, "R");
    assert_true(result.optimal);
    free(result.solution);
    soloist_puzzle_free(&puzzle);
}

static void expect_counts(const char *solution, int lines, int changes, int sessions, int player) {
    struct sokoban_counts counts;
    assert_true(sokoban_count_text(solution, strlen(solution), &counts));
    assert_int_equal(counts.box_lines, lines);
    assert_int_equal(counts.box_changes, changes);
    assert_int_equal(counts.pushing_sessions, sessions);
    assert_int_equal(counts.player_lines, player);
}

static void counts_are_as_players_count(void **unused) {
    (void)unused;
    expect_counts("", 0, 0, 0, 0);
    expect_counts("RR", 1, 1, 1, 1);
    expect_counts("rrRRuuL", 2, 2, 2, 3);
    expect_counts("RdrU", 2, 1, 2, 4);  /* the same box, from below */
    expect_counts("RRlrR", 1, 1, 2, 3); /* a walk away and back: the same line of the same box */
    expect_counts("RU", 2, 2, 1, 2);    /* another box without a step between */
    expect_counts("2(rR)", 2, 2, 2, 1);
}

static void letters_get_their_case_back(void **unused) {
    (void)unused;
    struct sokoban_level level;
    soloist_chunk chunk = plain_chunk("######\n#@ $.#\n######\n");
    assert_true(sokoban_level_parse(&chunk, &level, NULL));
    char good[] = "Rr", wall[] = "u", other[] = "x";
    assert_true(sokoban_lurd_recase(&level, good, 2));
    assert_string_equal(good, "rR");
    assert_false(sokoban_lurd_recase(&level, wall, 1));
    assert_false(sokoban_lurd_recase(&level, other, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_levels_get_their_best),    cmocka_unit_test(the_whole_vicinity_holds_the_best),
        cmocka_unit_test(parts_keep_the_line_whole),      cmocka_unit_test(small_budgets_never_harm),
        cmocka_unit_test(what_is_no_solution_is_refused), cmocka_unit_test(counts_are_as_players_count),
        cmocka_unit_test(letters_get_their_case_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
