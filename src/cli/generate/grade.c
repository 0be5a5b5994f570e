/* Candidate number i comes from random stream i of the seed. Each is solved by A* until the proof: its least cost and
 * the states expanded are what difficulty means here. Kept are those within the bands that are not equal to one kept
 * before, turned and mirrored ones included. With `graded` the band of efforts is cut into steps of equal ratio, and
 * each takes its share. Nothing depends on the clock but the end. */
#include "cli/generate/grade.h"
#include "base/budget.h"
#include "base/buffer.h"
#include "base/real.h"
#include "engine/board.h"
#include "cli/sokoban/form.h"
#include "search/special/hooks.h"
#include "cli/shell/need.h"
#include "cli/shell/signals.h"
#include "search/special/sokoban/polish.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 50, NODES_PER_EFFORT = 40, MOST_FAILURES = 50, POLISH_NODES = 200000 };
static const uint64_t hardest = 1000000; /* efforts where no limit is given */

/* An instance that was kept. */
struct kept {
    struct form form;
    char *board, *solution;
    int64_t cost, moves;
    uint64_t effort, candidate;
};

struct grading {
    const struct cli *cli;
    const soloist_domain *domain;
    const void *options;
    const struct grade *grade;
    struct kept *kept;
    size_t count;
    uint64_t candidates, easy, hard, equal, failed; /* looked at; refused and why */
    size_t steps, left[MOST_STEPS];                 /* of `graded`: how many each step still takes */
    double start_s, shown_s;
};

bool grade_wanted(const struct grade *grade) {
    return grade->graded || grade->least_cost || grade->most_cost || grade->least_effort || grade->most_effort;
}

static uint64_t most_effort(const struct grade *grade) { return grade->most_effort ? grade->most_effort : hardest; }

static void open_steps(struct grading *grading) {
    size_t count = grading->grade->count;
    grading->steps = !grading->grade->graded ? 1 : count < MOST_STEPS ? count : MOST_STEPS;
    for (size_t i = 0; i < grading->steps; i++)
        grading->left[i] = count * (i + 1) / grading->steps - count * i / grading->steps;
}

static size_t step_of(const struct grading *grading, uint64_t effort) {
    double least = (double)(grading->grade->least_effort ? grading->grade->least_effort : 1);
    double span = real_log((double)most_effort(grading->grade) / least);
    size_t step = span > 0 ? (size_t)(real_log((double)effort / least) / span * (double)grading->steps) : 0;
    return step < grading->steps ? step : grading->steps - 1;
}

/* ---- one candidate ---- */

/* The candidate's text, to be freed; NULL with an error. */
static char *make_text(const struct grading *grading, soloist_error *error) {
    struct buffer text;
    soloist_rng rng;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    soloist_rng_seed(&rng, grading->grade->seed, grading->candidates);
    if (need_code(grading->domain->generate->make(grading->options, &rng, &sink, error)) == SOLOIST_OK)
        return need(buffer_take(&text));
    buffer_close(&text);
    return NULL;
}

/* The board as it will be written; Sokoban's without what nothing can touch. */
static char *tidy_board(const struct grading *grading, const soloist_puzzle *puzzle) {
    struct sokoban_level level, tidy;
    struct buffer text;
    if (!hooks_find(puzzle->domain) || !sokoban_level_parse(&puzzle->chunk, &level, NULL))
        return need(board_root_text(grading->cli->engine, puzzle));
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    sokoban_level_tidy(&level, &tidy);
    sokoban_level_print(&tidy, &sink);
    return need(buffer_take(&text));
}

/* Sokoban: of the solutions with the least pushes one with few moves. */
static void polish(const soloist_puzzle *puzzle, struct kept *kept) {
    struct polish_result result;
    soloist_error error;
    soloist_limits limits = {.nodes = POLISH_NODES};
    if (hooks_find(puzzle->domain) &&
        need_code(polish_solution(puzzle, kept->solution, strlen(kept->solution), POLISH_PUSHES_MOVES, &limits, NULL,
                                  &result, &error)) == SOLOIST_OK) {
        free(kept->solution);
        kept->solution = result.solution;
        kept->moves = result.after.moves;
    }
}

/* Sokoban's form knows symmetries, any other is the board itself. */
static struct form form_of(const soloist_puzzle *puzzle, const char *board) {
    struct sokoban_level level;
    if (hooks_find(puzzle->domain) && sokoban_level_parse(&puzzle->chunk, &level, NULL))
        return form_of_level(&level, false);
    return form_of_bytes(board, strlen(board));
}

static bool is_known(const struct grading *grading, const struct kept *kept) {
    for (size_t i = 0; i < grading->count; i++)
        if (form_equal(&grading->kept[i].form, &kept->form))
            return true;
    return false;
}

static void kept_free(struct kept *kept) {
    form_free(&kept->form);
    free(kept->board);
    free(kept->solution);
}

/* Whether its figures lie in the bands; counts why not. */
static bool fits(struct grading *grading, const soloist_result *result) {
    const struct grade *grade = grading->grade;
    uint64_t cost = (uint64_t)result->verdict.value;
    bool proved = result->status == SOLOIST_SOLVED && result->optimal;
    if (!proved || result->expanded > most_effort(grade) || (grade->most_cost && cost > grade->most_cost))
        return grading->hard++, false;
    if (!cost || result->expanded < grade->least_effort || cost < grade->least_cost ||
        (grade->graded && !grading->left[step_of(grading, result->expanded)]))
        return grading->easy++, false;
    return true;
}

static void keep(struct grading *grading, const soloist_puzzle *puzzle, soloist_result *result) {
    struct kept kept = {.board = tidy_board(grading, puzzle),
                        .solution = result->solution,
                        .cost = result->verdict.value,
                        .moves = result->verdict.moves,
                        .effort = result->expanded,
                        .candidate = grading->candidates};
    result->solution = NULL;
    need(kept.board);
    kept.form = form_of(puzzle, kept.board);
    if (is_known(grading, &kept)) {
        grading->equal++;
        kept_free(&kept);
        return;
    }
    polish(puzzle, &kept);
    grading->left[step_of(grading, kept.effort)] -= grading->grade->graded;
    grading->kept[grading->count++] = kept;
}

static bool look_at_candidate(struct grading *grading, soloist_error *error) {
    soloist_puzzle puzzle;
    soloist_result result = {0};
    soloist_limits limits = {
        .nodes = most_effort(grading->grade) * NODES_PER_EFFORT, .memory = (size_t)4 << 30, .cancel = signals_cancel()};
    char *text = make_text(grading, error);
    if (!text) /* a size that is drawn may not do; one that never does is an error */
        return ++grading->candidates > ++grading->failed || grading->failed < MOST_FAILURES;
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    soloist_chunk chunk;
    bool read = grading->domain->life->next(&cursor, &chunk) &&
                need_code(soloist_puzzle_read(grading->domain, NULL, &chunk, &puzzle, error)) == SOLOIST_OK;
    soloist_code code =
        read ? soloist_solve(grading->cli->engine, &puzzle, "astar", &limits, NULL, &result, error) : SOLOIST_BAD_INPUT;
    need_code(code);
    if (code == SOLOIST_OK && fits(grading, &result))
        keep(grading, &puzzle, &result);
    if (read) {
        soloist_result_free(&result);
        soloist_puzzle_free(&puzzle);
    }
    free(text);
    grading->candidates++;
    return code == SOLOIST_OK;
}

/* ---- all of them ---- */

static void show_progress(struct grading *grading, bool last) {
    double now = clock_seconds();
    if (!grading->cli->err_terminal || (!last && now - grading->shown_s < 0.2))
        return;
    grading->shown_s = now;
    if (last)
        fputs("\r\033[K", stderr);
    else
        fprintf(stderr, "\r\033[K%zu of %" PRIu64 " kept, %" PRIu64 " looked at, %.0f s", grading->count,
                grading->grade->count, grading->candidates, now - grading->start_s);
    fflush(stderr);
}

static bool is_time_up(const struct grading *grading) {
    double limit = grading->grade->time_s;
    return *signals_cancel() || (limit > 0 && clock_seconds() - grading->start_s >= limit);
}

static int by_effort(const void *a, const void *b) {
    const struct kept *x = a, *y = b;
    if (x->effort != y->effort)
        return x->effort < y->effort ? -1 : 1;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return x->candidate < y->candidate ? -1 : 1;
}

static void write_kept(const struct grading *grading, FILE *stream) {
    bool sokoban = hooks_find(grading->domain) != NULL;
    fprintf(stream, "; %s\n; %zu of %" PRIu64 " candidates; effort: states that A* expands for the proof\n",
            grading->grade->words, grading->count, grading->candidates);
    for (size_t i = 0; i < grading->count; i++) {
        const struct kept *kept = &grading->kept[i];
        fprintf(stream, "\n; %zu: %" PRId64 " %s, %" PRId64 " moves, effort %" PRIu64 "\n", i + 1, kept->cost,
                sokoban ? "pushes" : "cost", kept->moves, kept->effort);
        if (sokoban)
            fputc('\n', stream);
        fputs(kept->board, stream);
        if (*kept->board && kept->board[strlen(kept->board) - 1] != '\n')
            fputc('\n', stream);
        if (sokoban)
            fprintf(stream, strlen(kept->solution) < 8 ? "Solution: %s\n" : "Solution\n%s\n", kept->solution);
    }
}

static int tell(const struct grading *grading) {
    if (grading->count == grading->grade->count)
        return CLI_OK;
    cli_complain("generate: %s: %zu of %" PRIu64 " came out of %" PRIu64 " candidates (%" PRIu64
                 " too easy or not wanted any more, %" PRIu64 " too hard, %" PRIu64 " equal, %" PRIu64
                 " not made): wider bands, other sizes or more --time",
                 *signals_cancel() ? "interrupted" : "the time is up", grading->count, grading->grade->count,
                 grading->candidates, grading->easy, grading->hard, grading->equal, grading->failed);
    return grading->count ? CLI_SOME : CLI_BAD;
}

int grade_make(const struct cli *cli, const soloist_domain *domain, const void *options, const struct grade *grade,
               FILE *stream) {
    struct grading grading = {
        .cli = cli, .domain = domain, .options = options, .grade = grade, .start_s = clock_seconds()};
    soloist_error error = {0};
    bool good = true;
    if (domain->aim != SOLOIST_LEAST_COST || !domain->bound)
        return cli_complain("generate: %s has no least cost with a bound: its difficulty cannot be proved",
                            domain->name);
    if ((grade->most_cost && grade->most_cost < grade->least_cost) || most_effort(grade) < grade->least_effort)
        return cli_complain("generate: the most is below the least");
    grading.kept = need_zeroed(grade->count, sizeof *grading.kept);
    open_steps(&grading);
    signals_open();
    while (good && grading.count < grade->count && !is_time_up(&grading)) {
        good = look_at_candidate(&grading, &error);
        show_progress(&grading, false);
    }
    show_progress(&grading, true);
    if (grade->graded)
        qsort(grading.kept, grading.count, sizeof *grading.kept, by_effort);
    if (grading.count)
        write_kept(&grading, stream);
    int status = good ? tell(&grading) : cli_complain("generate: %s", error.text);
    for (size_t i = 0; i < grading.count; i++)
        kept_free(&grading.kept[i]);
    free(grading.kept);
    return status;
}
