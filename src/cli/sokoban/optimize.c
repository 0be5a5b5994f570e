/* `soloist optimize`: shortens given solutions. */
#include "cli/shell/screen.h"
#include "cli/shell/json_line.h"
#include "cli/solve/batch.h"
#include "engine/board.h"
#include "cli/shell/files.h"
#include "cli/shell/format.h"
#include "base/team.h"
#include "cli/shell/need.h"
#include "cli/solve/outfile.h"
#include "cli/shell/progress.h"
#include "cli/shell/signals.h"
#include "cli/input/solutions.h"
#include "cli/solve/writeback.h"
#include "domain/sokoban/file/counts.h"
#include "search/special/sokoban/polish.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct optimize_options {
    const char *only, *out, *aim;
    double time;
    uint64_t nodes;
    size_t memory;
    int jobs;
    bool json, quiet, any_case, write_back;
};

#define ROW(kind, field, name, letter, value, least, most, text)                                                       \
    { kind, name, letter, offsetof(struct optimize_options, field), value, least, most, text }
static const struct arg optimize_rows[] = {
    ROW(ARG_TEXT, aim, "aim", 'a', "pushes-moves|moves-pushes|pushes|moves|box-lines|box-changes|sessions", 0, 0,
        "one to five counts to minimise, joined by - with the most important first, e.g. moves-pushes-box-lines; a "
        "count decides only between solutions that are equal in all counts before it; pushes-moves by default"),
    ROW(ARG_SECONDS, time, "time", 't', "SECONDS", 0, 1e9,
        "maximum wall time per solution, 10 by default; 0: no limit"),
    ROW(ARG_COUNT, nodes, "nodes", 'n', "N", 0, 1e18,
        "maximum number of positions that are generated per solution; 0, the default: no limit"),
    ROW(ARG_INT, jobs, "jobs", 'j', "N", 1, 1024,
        "number of solutions that are shortened at the same time, 1 by default"),
    ROW(ARG_SIZE, memory, "memory", 0, "SIZE", 1, 1e18,
        "memory limit for all jobs together, e.g. 500M, 4G; half of the free memory by default"),
    ROW(ARG_TEXT, only, "only", 0, "1,5-9,...", 0, 0, CLI_ONLY_HELP),
    ROW(ARG_TEXT, out, "out", 'o', "FILE", 0, 0, "write the solutions as a .sok collection"),
    ROW(ARG_FLAG, write_back, "write-back", 0, NULL, 0, 0,
        "put the shorter solutions into the level file itself, or with --out into a copy of it"),
    ROW(ARG_FLAG, any_case, "any-case", 0, NULL, 0, 0,
        "ignore letter case: the replay finds out which steps are pushes"),
    ROW(ARG_FLAG, json, "json", 0, NULL, 0, 0, "print one JSON object per line"),
    ROW(ARG_FLAG, quiet, "quiet", 'q', NULL, 0, 0, "print only errors and the lines of --json; --out is still written"),
    {0},
};
#undef ROW

enum ending { ENDED_SHORTER, ENDED_SAME, ENDED_MISSING, ENDED_REJECTED, ENDED_INVALID };
static const char *const ending_names[] = {"shorter", "same", "missing", "rejected", "invalid"};

/* The outcome for one solution. */
struct attempt {
    enum ending ending;
    struct polish_result result;
    struct sokoban_counts before, after;
    soloist_error error;
    char *board;
    bool done;
};

struct optimize_run {
    struct cli *cli;
    const struct optimize_options *options;
    const struct input *input;
    const struct solutions *solutions;
    struct polish_aim aim;
    struct progress *progress;
    struct outfile out;
    struct writeback writeback;
    bool failed; /* a write failed: nothing more is begun or written */
    size_t by_ending[ENDED_INVALID + 1];
    struct sokoban_counts before, after; /* sums of the counts over all solutions */
    /* attempts: indexed by task. next: the first task that no job has begun; reported: the first task whose result is
     * not yet reported. Protected by the lock. */
    struct attempt *attempts;
    size_t next, reported;
    size_t memory; /* bytes per job */
    pthread_mutex_t lock;
};

/* ---- one solution ---- */

/* The solution as plain letters in their correct case, or unchanged if it cannot be replayed. The caller frees it. */
static char *recase(const struct task *task, const char *solution) {
    enum { MOST_LETTERS = 1 << 22 };
    size_t length = strlen(solution);
    struct sokoban_level *level = need_bytes(sizeof *level);
    char *letters = need_bytes(MOST_LETTERS + 1);
    long count = sokoban_lurd_expand(solution, length, letters, MOST_LETTERS, NULL);
    if (count < 0 || !sokoban_level_parse(&task->chunk, level, NULL) ||
        !sokoban_lurd_recase(level, letters, (size_t)count)) {
        free(letters);
        letters = need_text(solution, length);
    } else {
        letters[count] = 0;
    }
    free(level);
    return letters;
}

static struct sokoban_counts count_letters(const char *solution) {
    struct sokoban_counts counts = {0};
    errno = 0;
    need_no_failure(sokoban_count_text(solution, strlen(solution), &counts));
    return counts;
}

static void polish_claim(const struct optimize_run *run, const struct task *task, const soloist_puzzle *puzzle,
                         const char *solution, struct attempt *attempt) {
    const struct optimize_options *options = run->options;
    soloist_limits limits = {
        .time_s = options->time, .nodes = options->nodes, .memory = run->memory, .stop = signals_token()};
    struct progress_slot slot = {run->progress, task};
    soloist_callbacks callbacks = {progress_update, NULL, &slot};
    soloist_code code =
        need_code(polish_solution(puzzle, solution, strlen(solution), run->aim, &limits,
                                  run->progress ? &callbacks : NULL, &attempt->result, &attempt->error));
    if (code != SOLOIST_OK) {
        attempt->ending = ENDED_REJECTED;
        if (!options->any_case && solutions_need_any_case(puzzle, solution))
            soloist_fail(&attempt->error, 0, 0, "right except for upper and lower case: --any-case accepts it");
        return;
    }
    attempt->before = count_letters(solution);
    attempt->after = count_letters(attempt->result.solution);
    bool same = !strcmp(solution, attempt->result.solution);
    attempt->ending = same ? ENDED_SAME : ENDED_SHORTER;
}

/* The best solution that is given, or the first one if the referee rejects all; NULL if there is none. A level that is
 * already solved has the empty solution. The caller frees it. */
static char *best_claim(const struct optimize_run *run, const struct task *task) {
    soloist_verdict verdict;
    char *best = NULL;
    bool valid = false;
    for (size_t i = 0; i < run->solutions->count; i++) {
        const struct claim *claim = &run->solutions->claims[i];
        if (claim->id != task->id || !claim->solution)
            continue;
        char *solution = run->options->any_case ? recase(task, claim->solution)
                                                : need_text(claim->solution, strlen(claim->solution));
        bool good = sokoban_referee(&task->chunk, solution, strlen(solution), &verdict, NULL);
        bool better = !best || (good && (!valid || writeback_is_better(run->aim, solution, best)));
        free(better ? best : solution);
        best = better ? solution : best;
        valid |= good;
    }
    if (!best && sokoban_referee(&task->chunk, "", 0, &verdict, NULL))
        best = need_text("", 0);
    return best;
}

static void attempt_task(const struct optimize_run *run, const struct task *task, struct attempt *attempt) {
    soloist_puzzle puzzle;
    *attempt = (struct attempt){.ending = ENDED_INVALID};
    if (need_code(input_puzzle(run->input, task, &puzzle, &attempt->error)) != SOLOIST_OK)
        return;
    char *solution = best_claim(run, task);
    if (solution) {
        polish_claim(run, task, &puzzle, solution, attempt);
    } else {
        attempt->ending = ENDED_MISSING;
        soloist_fail(&attempt->error, 0, 0, "no solution to start from: `soloist solve --out` makes one");
    }
    free(solution);
    attempt->board = need(board_root_text(run->cli->engine, &puzzle));
    soloist_puzzle_free(&puzzle);
}

/* ---- output ---- */

static const struct {
    const char *name, *label;
    size_t offset;
} count_rows[] = {
    {"moves", "moves", offsetof(struct sokoban_counts, moves)},
    {"pushes", "pushes", offsetof(struct sokoban_counts, pushes)},
    {"box_lines", "box lines", offsetof(struct sokoban_counts, box_lines)},
    {"box_changes", "box changes", offsetof(struct sokoban_counts, box_changes)},
    {"pushing_sessions", "pushing sessions", offsetof(struct sokoban_counts, pushing_sessions)},
    {"player_lines", "player lines", offsetof(struct sokoban_counts, player_lines)},
};
enum { COUNT_ROWS = sizeof count_rows / sizeof *count_rows };

static int64_t count_of(const struct sokoban_counts *counts, int row) {
    return *(const int64_t *)(const void *)((const char *)counts + count_rows[row].offset);
}

static void add_counts(struct sokoban_counts *sum, const struct sokoban_counts *counts) {
    for (int i = 0; i < COUNT_ROWS; i++)
        *(int64_t *)(void *)((char *)sum + count_rows[i].offset) += count_of(counts, i);
}

static void json_counts(struct json_writer *json, const char *name, bool known, const struct sokoban_counts *counts) {
    if (!known)
        return json_null(json, name);
    json_object(json, name);
    for (int i = 0; i < COUNT_ROWS; i++)
        json_int(json, count_rows[i].name, count_of(counts, i));
    json_end(json, '}');
}

static void print_json(const struct task *task, const struct attempt *attempt) {
    bool done = attempt->ending <= ENDED_SAME;
    struct json_line line;
    struct json_writer *json = json_line_open(&line);
    json_int(json, "id", task->id);
    json_text(json, "file", task->source->label);
    json_text(json, "name", task->chunk.name);
    json_text(json, "status", ending_names[attempt->ending]);
    json_text(json, "stopped", done ? soloist_stop_name(attempt->result.stopped) : NULL);
    json_text(json, "solution", attempt->result.solution);
    json_counts(json, "before", done, &attempt->before);
    json_counts(json, "after", done, &attempt->after);
    json_bool(json, "optimal", done && attempt->result.optimal);
    json_real(json, "time_s", round(attempt->result.time_s * 1e6) / 1e6);
    json_uint(json, "nodes", attempt->result.nodes);
    if (*attempt->error.text && !done)
        json_text(json, "error", attempt->error.text);
    json_line_print(&line);
}

static void print_counts(const struct sokoban_counts *before, const struct sokoban_counts *after) {
    for (int i = 0; i < COUNT_ROWS; i++)
        printf("  %-18s %7" PRId64 " -> %7" PRId64 "  %+" PRId64 "\n", count_rows[i].label, count_of(before, i),
               count_of(after, i), count_of(after, i) - count_of(before, i));
}

/* The row of a count that an aim names and that a line does not show anyway; -1: pushes or moves. */
static int aimed_row(struct polish_aim aim, int place) {
    static const int rows[POLISH_COUNTS] = {
        [POLISH_COUNT_PUSHES] = -1,     [POLISH_COUNT_MOVES] = -1,   [POLISH_COUNT_BOX_LINES] = 2,
        [POLISH_COUNT_BOX_CHANGES] = 3, [POLISH_COUNT_SESSIONS] = 4,
    };
    return rows[aim.order[place]];
}

static int aimed_count(struct polish_aim aim) {
    int count = 0;
    for (int i = 0; i < aim.count; i++)
        count += aimed_row(aim, i) >= 0;
    return count;
}

static void print_aimed(struct polish_aim aim, const struct attempt *attempt) {
    char text[FORMAT_ROOM];
    for (int i = 0; i < aim.count; i++) {
        int row = aimed_row(aim, i);
        if (row < 0)
            continue;
        snprintf(text, sizeof text, "%" PRId64 " -> %" PRId64, count_of(&attempt->before, row),
                 count_of(&attempt->after, row));
        printf("%10s %s  ", text, count_rows[row].label);
    }
}

static void print_line(const struct cli *cli, struct polish_aim aim, const struct task *task,
                       const struct attempt *attempt) {
    static const enum colour colours[] = {COLOUR_GREEN, COLOUR_NONE, COLOUR_YELLOW, COLOUR_RED, COLOUR_RED};
    char time[FORMAT_ROOM], pushes[FORMAT_ROOM], moves[FORMAT_ROOM], name[POLISH_AIM_ROOM], place[CLI_PLACE_ROOM];
    printf("%4d  ", task->id);
    format_name(stdout, task->chunk.name, screen_name_width(20, 65 + 24 * aimed_count(aim)));
    printf("  %s%-8s%s  ", colour_code(cli->out_colour, colours[attempt->ending]), ending_names[attempt->ending],
           colour_code(cli->out_colour, COLOUR_NONE));
    if (attempt->ending > ENDED_SAME) {
        printf("%s%s\n", (attempt->error.line ? cli_line_place : cli_place)(&attempt->error, place),
               attempt->error.text);
        return;
    }
    snprintf(pushes, sizeof pushes, "%" PRId64 " -> %" PRId64, attempt->before.pushes, attempt->after.pushes);
    snprintf(moves, sizeof moves, "%" PRId64 " -> %" PRId64, attempt->before.moves, attempt->after.moves);
    print_aimed(aim, attempt);
    printf("%11s pushes %13s moves", pushes, moves);
    if (screen_width(stdout) >= 96 + 24 * aimed_count(aim))
        printf("  %9s", format_seconds(attempt->result.time_s, time));
    printf("%s%s\n", attempt->result.optimal ? "  optimal " : "",
           attempt->result.optimal ? polish_aim_name(aim, name) : "");
}

static void print_attempt(struct optimize_run *run, const struct task *task, const struct attempt *attempt) {
    progress_wipe(run->progress);
    if (run->options->json) {
        print_json(task, attempt);
    } else if (!run->options->quiet) {
        print_line(run->cli, run->aim, task, attempt);
        if (run->input->task_count == 1 && attempt->ending <= ENDED_SAME) {
            print_counts(&attempt->before, &attempt->after);
            printf("\n%s\n", attempt->result.solution);
        }
        fflush(stdout);
    }
    if (attempt->ending == ENDED_INVALID && (run->options->json || run->options->quiet))
        cli_complain_at(task->source->label, &attempt->error);
}

static void write_out(struct optimize_run *run, const struct task *task, const struct attempt *attempt) {
    struct outcome outcome = {.board = attempt->board, .result = {.solution = attempt->result.solution}};
    if (!run->failed && !outfile_add(&run->out, task, &outcome)) {
        run->failed = true; /* results that cannot be written are useless */
        signals_raise();
    }
    if (attempt->ending == ENDED_SHORTER)
        writeback_add(&run->writeback, task, &attempt->result.after, attempt->result.solution);
}

static void print_summary(const struct optimize_run *run, size_t tried) {
    if (run->options->json || run->options->quiet || run->input->task_count == 1)
        return;
    printf("\n");
    for (int i = 0; i <= ENDED_INVALID; i++)
        if (run->by_ending[i] || i == ENDED_SHORTER)
            printf("%s%zu %s", i ? ", " : "", run->by_ending[i], ending_names[i]);
    printf(" of %zu\n", run->input->task_count);
    if (run->by_ending[ENDED_SHORTER] + run->by_ending[ENDED_SAME])
        print_counts(&run->before, &run->after);
    if (tried < run->input->task_count)
        printf("interrupted: %zu not tried\n", run->input->task_count - tried);
    if (run->by_ending[ENDED_SHORTER] && !run->options->out && !run->options->write_back)
        printf("the shorter solutions were not kept: --out FILE writes them, --write-back puts them into the level "
               "file\n");
}

/* ---- the command ---- */

/* The caller holds the lock. Reports the finished tasks that are next in order. */
static void tell_what_is_due(struct optimize_run *run) {
    for (; run->reported < run->input->task_count && run->attempts[run->reported].done; run->reported++) {
        const struct task *task = &run->input->tasks[run->reported];
        struct attempt *attempt = &run->attempts[run->reported];
        run->by_ending[attempt->ending]++;
        add_counts(&run->before, &attempt->before);
        add_counts(&run->after, &attempt->after);
        print_attempt(run, task, attempt);
        write_out(run, task, attempt);
        free(attempt->result.solution);
        free(attempt->board);
    }
}

static void work(void *user, int worker) {
    struct optimize_run *run = user;
    (void)worker;
    pthread_mutex_lock(&run->lock);
    while (run->next < run->input->task_count && !signals_stopped()) {
        size_t number = run->next++;
        struct attempt attempt;
        pthread_mutex_unlock(&run->lock);
        attempt_task(run, &run->input->tasks[number], &attempt);
        pthread_mutex_lock(&run->lock);
        attempt.done = true;
        progress_done(run->progress, attempt.ending == ENDED_SHORTER);
        run->attempts[number] = attempt;
        tell_what_is_due(run);
    }
    pthread_mutex_unlock(&run->lock);
}

static void run_jobs(struct optimize_run *run) {
    size_t tasks = run->input->task_count, jobs = run->options->jobs > 1 ? (size_t)run->options->jobs : 1;
    jobs = jobs < tasks || !tasks ? jobs : tasks;
    run->attempts = need_zeroed(tasks, sizeof *run->attempts);
    run->memory = batch_share(run->options->memory ? run->options->memory : batch_free_memory() / 2, (int)jobs);
    pthread_mutex_init(&run->lock, NULL);
    team_run((int)jobs, work, run);
    pthread_mutex_destroy(&run->lock);
    free(run->attempts);
}

static int optimize_all(struct optimize_run *run) {
    signals_open();
    run->progress = run->options->quiet ? NULL : progress_open(run->cli, run->input->task_count);
    run_jobs(run);
    progress_close(run->progress);
    run->progress = NULL;
    print_summary(run, run->reported);
    FILE *tell = run->options->json || run->options->quiet ? NULL : stdout;
    bool written = outfile_close(&run->out, tell);
    written &= writeback_close(&run->writeback, tell) && !run->failed;
    if (!written || run->by_ending[ENDED_INVALID] || run->input->unreadable)
        return CLI_BAD;
    return run->by_ending[ENDED_MISSING] || run->by_ending[ENDED_REJECTED] || run->reported < run->input->task_count
               ? CLI_SOME
               : CLI_OK;
}

/* Other domains' files have no Sokoban level, and then their lines would be taken for solutions. */
static bool has_levels(const struct input *input) {
    const struct source *source = input->sources[0];
    if (source->instances)
        return true;
    cli_complain("optimize: %s has no Sokoban level, and only solutions of Sokoban levels can be shortened",
                 source->label);
    return false;
}

static int optimize_files(struct cli *cli, const struct optimize_options *options, const struct arg_list *words) {
    struct domain_choice choice = {soloist_find_domain(cli->engine, "sokoban"), NULL};
    struct input input = {0};
    struct solutions solutions;
    struct polish_aim aim = POLISH_PUSHES_MOVES;
    soloist_error error;
    if (words->count < 1 || words->count > 2)
        return cli_complain("optimize: expected FILE, or FILE and SOLUTIONS, got %zu words", words->count);
    if (options->aim && !polish_aim_read(options->aim, &aim, &error))
        return cli_complain("--aim %s", error.text);
    if (words->count == 2 && path_is_same_file(options->out, words->items[1]))
        return cli_complain("--out: %s holds the solutions to start from: choose another name", options->out);
    struct arg_list files = {words->items, 1};
    int status = CLI_BAD;
    if (input_read(cli, &files, &choice, options->only, &input) && !input.unreadable && has_levels(&input) &&
        solutions_load(cli, words->items[words->count - 1], &input, &solutions)) {
        struct optimize_run run = {
            .cli = cli, .options = options, .input = &input, .solutions = &solutions, .aim = aim};
        if (options->write_back ? writeback_open(&run.writeback, &input, options->out)
                                : !options->out || outfile_open(&run.out, options->out, &input)) {
            run.writeback.aim = aim;
            status = optimize_all(&run);
        }
        solutions_free(&solutions);
    }
    input_free(&input);
    return status;
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct optimize_options options = {.time = 10};
    struct arg_list rest = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &rest);
    int status = verdict == ARGS_GO ? optimize_files(cli, &options, &rest) : verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    arg_list_free(&rest);
    return status;
}

const struct command optimize_command = {
    .name = "optimize",
    .summary = "shorten Sokoban solutions",
    .usage = "FILE [SOLUTIONS] [OPTIONS]",
    .about =
        "SOLUTIONS is any file that `check` reads; without it the Solution sections in FILE itself are used.\n"
        "If a level has several solutions, the best valid one is shortened.\n"
        "A solution never gets worse, and every solution is replayed to check that it obeys the rules. In the\n"
        "output, \"optimal\" means proved optimal. Ctrl-C stops the search and reports the best solutions so far.\n"
        "Exit status: 0 all processed, 1 some without a solution or rejected, 2 bad usage or input.",
    .args = optimize_rows,
    .run = run,
};
