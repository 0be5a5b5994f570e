/* Shortened solutions. On levels of up to 9 squares the best under each aim is known from the whole state space, and
 * every way of shortening is held against it; on others nothing may get worse, whatever the budget. */
#include "domain/sokoban/sokoban_whole.h"

#include "domain/sokoban/sokoban_generated.h"

#include "base/table.h"
#include "domain/sokoban/file/counts.h"
#include "search/special/sokoban/polish_line.h"

enum { FLOOR = 9 }; /* levels of at most so many squares are solved completely */

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
    size_t open = 0;
    for (const char *c = sample->text; *c; c++)
        open += *c != '#' && *c != '\n';
    if (open > FLOOR || !whole_open(&sample->whole, &level))
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
    assert_int_equal(sokoban_generate_level(&options, rng, NULL, &made, &error), SOLOIST_OK);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    sokoban_level_print(&made.level, &sink);
    *sample = (struct sample){.puzzle = plain_puzzle(text.text), .solution = made.solution};
    buffer_close(&text);
}

enum { BASE = 1000 }; /* no count of these small levels reaches it */

/* The counts of a solution in one number, by the order of the aim. */
static int64_t weight(struct polish_aim aim, const char *solution) {
    struct sokoban_counts counts;
    int64_t sum = 0;
    assert_true(sokoban_count_text(solution, strlen(solution), &counts));
    const int64_t by_count[POLISH_COUNTS] = {counts.pushes, counts.moves, counts.box_lines, counts.box_changes,
                                             counts.pushing_sessions};
    for (int i = 0; i < aim.count; i++)
        sum = sum * BASE + by_count[aim.order[i]];
    return sum;
}

/* Everything that decides what the next step costs. */
struct recent {
    unsigned boxes;
    int player, box, direction; /* box: where the last push left its box; both are -1 before the first push */
    bool pushed;                /* the last step was a push */
};

/* Numbers the states. */
enum { RECENT_STATES = (1 << FLOOR) * FLOOR * (FLOOR + 1) * 5 * 2 };
static size_t recent_index(const struct recent *state) {
    size_t index = state->boxes * FLOOR + (unsigned)state->player;
    index = index * (FLOOR + 1) + (unsigned)(state->box + 1);
    return (index * 5 + (unsigned)(state->direction + 1)) * 2 + state->pushed;
}

/* The square on which there is a box only after the push. */
static int box_after(const struct whole *w, unsigned before, unsigned after) {
    for (int i = 0; i < w->floor; i++)
        if ((after & ~before) >> i & 1)
            return i;
    return -1;
}

/* Plays one step and adds its cost: counted here letter by letter, by the definitions alone. */
static bool play_recent(const struct whole *w, const int64_t *one, struct recent *state, int d, int64_t *cost) {
    bool pushed;
    unsigned after = state->boxes;
    int to = whole_step(w, &after, state->player, d, &pushed);
    if (to < 0)
        return false;
    *cost += one[POLISH_COUNT_MOVES];
    if (pushed) {
        bool other = state->box != to; /* the player now stands where the box was */
        *cost += one[POLISH_COUNT_PUSHES];
        *cost += other ? one[POLISH_COUNT_BOX_CHANGES] : 0;
        *cost += other || state->direction != d ? one[POLISH_COUNT_BOX_LINES] : 0;
        *cost += state->pushed ? 0 : one[POLISH_COUNT_SESSIONS];
        state->box = box_after(w, state->boxes, after);
        state->direction = d;
    }
    *state = (struct recent){after, to, state->box, state->direction, pushed};
    return true;
}

/* The least weight of all solutions, by relaxing every state until nothing changes. */
static int64_t best_weight(const struct whole *w, struct polish_aim aim) {
    int64_t one[POLISH_COUNTS] = {0}, unit = 1, best = INT64_MAX;
    for (int i = aim.count; i-- > 0; unit *= BASE)
        one[aim.order[i]] = unit;
    int64_t *cost = malloc(RECENT_STATES * sizeof *cost);
    struct recent *queue = malloc(RECENT_STATES * sizeof *queue);
    char *waiting = calloc(RECENT_STATES, 1);
    assert_true(w->floor <= FLOOR && cost && queue && waiting);
    for (size_t i = 0; i < RECENT_STATES; i++)
        cost[i] = INT64_MAX;
    size_t head = 0, count = 1;
    queue[0] = (struct recent){w->root_boxes, w->root_player, -1, -1, false};
    cost[recent_index(&queue[0])] = 0;
    while (count) {
        struct recent state = queue[head];
        int64_t here = cost[recent_index(&state)];
        waiting[recent_index(&state)] = 0;
        head = (head + 1) % RECENT_STATES;
        count--;
        if (!(state.boxes & ~w->goals) && here < best)
            best = here;
        for (int d = 0; d < 4; d++) {
            struct recent next = state;
            int64_t sum = here;
            if (!play_recent(w, one, &next, d, &sum) || sum >= cost[recent_index(&next)])
                continue;
            cost[recent_index(&next)] = sum;
            if (!waiting[recent_index(&next)])
                queue[(head + count++) % RECENT_STATES] = next;
            waiting[recent_index(&next)] = 1;
        }
    }
    free(cost);
    free(queue);
    free(waiting);
    return best;
}

static struct polish_aim aim_at(int index) {
    static const char *const names[] = {"pushes-moves",
                                        "moves-pushes",
                                        "pushes",
                                        "moves",
                                        "box-lines",
                                        "box-changes-pushes",
                                        "sessions,moves",
                                        "pushes-moves-box-lines-box-changes-sessions",
                                        "lines-changes-pushes-moves",
                                        "moves,pushes,pushing-sessions"};
    enum { COUNT = sizeof names / sizeof *names };
    struct polish_aim aim;
    soloist_error error;
    assert_true(polish_aim_read(names[index % COUNT], &aim, &error));
    return aim;
}
enum { AIMS = 10 };

static void small_levels_get_their_best(void **unused) {
    (void)unused;
    soloist_rng rng;
    soloist_rng_seed(&rng, 41, 0);
    struct sample sample;
    for (int done = 0; done < 25;) {
        if (!sample_draw(&sample, &rng))
            continue;
        done++;
        for (int i = 0; i < AIMS; i++) {
            struct polish_aim aim = aim_at(i);
            struct polish_result result;
            soloist_error error;
            soloist_limits limits = {.nodes = 1000000};
            assert_int_equal(polish_solution(&sample.puzzle, sample.solution, strlen(sample.solution), aim, &limits,
                                             NULL, &result, &error),
                             SOLOIST_OK);
            assert_true(result.optimal);
            assert_int_equal(weight(aim, result.solution), best_weight(&sample.whole, aim));
            free(result.solution);
        }
        sample_free(&sample);
    }
}

/* Opens the machinery below polish_solution, so that one way of shortening can be tried alone. */
static void open_polish(struct polish *polish, struct budget *budget, const struct sample *sample,
                        struct polish_aim aim) {
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

static int64_t line_weight(const struct polish *polish) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    sokoban_text.solution(polish->puzzle->instance, polish->line.pushes, polish->line.count, &sink);
    int64_t sum = weight(polish->line.weights.aim, text.text);
    buffer_close(&text);
    return sum;
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
        for (int i = 0; i < AIMS; i++) {
            struct polish_aim aim = aim_at(i);
            struct polish polish;
            struct budget budget;
            open_polish(&polish, &budget, &sample, aim);
            polish_vicinity(&polish, 1000000);
            assert_int_equal(line_weight(&polish), best_weight(&sample.whole, aim));
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
            open_polish(&polish, &budget, &sample, aim_at(done));
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
            assert_true(polish_line_open(&again, polish.line.game, polish.line.weights.aim, polish.line.pushes,
                                         polish.line.count));
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
            struct polish_aim aim = aim_at(i);
            soloist_limits limits = {.nodes = nodes, .memory = 1 << 20};
            assert_int_equal(polish_solution(&sample.puzzle, sample.solution, strlen(sample.solution), aim, &limits,
                                             NULL, &result, &error),
                             SOLOIST_OK);
            assert_true(soloist_check(&sample.puzzle, result.solution, strlen(result.solution), &verdict, &error));
            assert_int_equal(verdict.moves, result.after.moves);
            assert_true(weight(aim, result.solution) <= weight(aim, sample.solution));
            assert_true(result.nodes <= nodes);
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

static void aims_are_read_and_written(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *name; /* name NULL: refused */
    } rows[] = {
        {"pushes", "pushes"},
        {"moves,pushes", "moves-pushes"},
        {"pushes-moves-lines-changes-pushing-sessions", "pushes-moves-box-lines-box-changes-sessions"},
        {"box-lines", "box-lines"},
        {"", NULL},
        {"pushes-", NULL},
        {"pushes-pushes", NULL},
        {"box", NULL},
        {"pushesmoves", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct polish_aim aim;
        soloist_error error = {0};
        char name[POLISH_AIM_ROOM];
        assert_int_equal(polish_aim_read(rows[i].text, &aim, &error), rows[i].name != NULL);
        if (rows[i].name)
            assert_string_equal(polish_aim_name(aim, name), rows[i].name);
        else
            assert_true(*error.text);
    }
}

/* The first report comes just before the first position is expanded. */
static void pass_deadline(void *user, const soloist_progress *progress) {
    struct budget *budget = user;
    (void)progress;
    stop_token_deadline_at(&budget->token, 1);
}

/* On a large board the bound looks at the stop token at every position, and leaves out moves once it must stop. What is
 * left then is no proof: here two pushes can be saved. */
static void a_stopped_search_proves_nothing(void **unused) {
    (void)unused;
    static char text[64 * 65 + 1];
    char detour[] = "drUluRRRurD";
    soloist_callbacks callbacks = {.progress = pass_deadline};
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 65; x++)
            text[y * 65 + x] = x == 64 ? '\n' : !x || x == 63 || !y || y == 63 ? '#' : ' ';
    text[31 * 65 + 30] = '@', text[31 * 65 + 31] = '$', text[31 * 65 + 34] = '.';
    struct sample sample = {.puzzle = plain_puzzle(text), .solution = detour};
    for (int stopped = 0; stopped < 2; stopped++) {
        struct polish polish;
        struct budget budget;
        callbacks.user = &budget;
        open_polish(&polish, &budget, &sample, POLISH_PUSHES_MOVES);
        if (stopped)
            budget.callbacks = &callbacks;
        struct polish_window whole = {0, polish.line.count, 1000000, NULL};
        enum polish_found found = polish_search(&polish, &whole);
        assert_int_equal(found, stopped ? POLISH_GAVE_UP : POLISH_BETTER);
        assert_int_equal(polish.optimal, !stopped);
        polish_line_close(&polish.line);
    }
    soloist_puzzle_free(&sample.puzzle);
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
        cmocka_unit_test(small_levels_get_their_best),     cmocka_unit_test(the_whole_vicinity_holds_the_best),
        cmocka_unit_test(parts_keep_the_line_whole),       cmocka_unit_test(small_budgets_never_harm),
        cmocka_unit_test(what_is_no_solution_is_refused),  cmocka_unit_test(counts_are_as_players_count),
        cmocka_unit_test(letters_get_their_case_back),     cmocka_unit_test(aims_are_read_and_written),
        cmocka_unit_test(a_stopped_search_proves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
