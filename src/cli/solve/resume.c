/* The lines are those of --json with more fields: the identity of what was solved, the budget that it was given,
 * the version, and the sitting. Where the score counts and is not proved to be the best, every sitting plays again with
 * another seed, and the better game counts. */
#include "cli/solve/resume.h"
#include "base/buffer.h"
#include "engine/board.h"
#include "cli/shell/files.h"
#include "cli/shell/need.h"
#include "cli/solve/report.h"
#include "search/search.h"
#include "search/statistics.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A line in the file's text. */
struct resume_line {
    const char *text; /* NULL: none */
    size_t length;
    bool solved, optimal, impossible;
    int64_t value; /* cost or score */
};

/* What the file says of one instance. */
struct resume_entry {
    bool parsed; /* the instance could be read, and `identity` is its own */
    char identity[BATCH_IDENTITY_ROOM];
    struct resume_line best;  /* of the lines with this identity */
    struct resume_line other; /* a solution under another identity, or under none */
    bool tried;               /* this method was given at least as much before, and did not find what is asked for now */
    bool changed, old;        /* there are lines with another identity, without one */
    int64_t sitting;
};

/* ---- reading ---- */

static int64_t int_of(struct json_value object, const char *name) {
    int64_t value = 0;
    json_get_int(json_member(object, name), &value);
    return value;
}

static double real_of(struct json_value object, const char *name) {
    double value = 0;
    json_get_real(json_member(object, name), &value);
    return value;
}

static bool bool_of(struct json_value object, const char *name) {
    bool value = false;
    json_get_bool(json_member(object, name), &value);
    return value;
}

static bool has_number(struct json_value object, const char *name) {
    return json_member(object, name).kind == JSON_NUMBER;
}

static char *text_of(struct json_value object, const char *name) {
    struct json_value value = json_member(object, name);
    if (value.kind == JSON_ARRAY)
        return need_text(value.start, (size_t)(value.end - value.start));
    if (value.kind != JSON_TEXT)
        return NULL;
    size_t room = (size_t)(value.end - value.start) + 1;
    char *text = need_bytes(room);
    return json_get_text(value, text, room) < 0 ? (free(text), NULL) : text;
}

static bool text_is(struct json_value object, const char *name, const char *text) {
    char *found = text_of(object, name);
    bool same = found && !strcmp(found, text);
    free(found);
    return same;
}

static soloist_stop stop_of(struct json_value line) {
    for (int stop = SOLOIST_STOP_GOAL; stop <= SOLOIST_STOP_CANCEL; stop++)
        if (text_is(line, "stopped", soloist_stop_name((soloist_stop)stop)))
            return (soloist_stop)stop;
    return SOLOIST_STOP_EXHAUSTED;
}

static bool status_of(struct json_value line, soloist_status *status) {
    for (int i = SOLOIST_SOLVED; i <= SOLOIST_INVALID; i++) {
        *status = (soloist_status)i;
        if (text_is(line, "status", soloist_status_name(*status)))
            return true;
    }
    return false;
}

/* ---- which task a line is about ---- */

/* Tasks sorted by their file and number, so that a line finds its own in O(log n). */
struct task_index {
    const struct task **tasks;
    size_t count;
};

static int by_place(const void *a, const void *b) {
    const struct task *x = *(const struct task *const *)a, *y = *(const struct task *const *)b;
    int order = strcmp(x->source->label, y->source->label);
    if (!order)
        order = x->id < y->id ? -1 : x->id > y->id;
    return order ? order : x < y ? -1 : x > y;
}

static struct task_index index_tasks(const struct input *input) {
    struct task_index index = {need_zeroed(input->task_count, sizeof *index.tasks), input->task_count};
    for (size_t i = 0; i < index.count; i++)
        index.tasks[i] = &input->tasks[i];
    qsort(index.tasks, index.count, sizeof *index.tasks, by_place);
    return index;
}

/* The first task of that file and number; NULL if there is none. */
static const struct task *find_task(const struct task_index *index, struct json_value line) {
    char *file = text_of(line, "file");
    int64_t id = int_of(line, "id");
    if (!file || id < 1 || id > INT32_MAX)
        return free(file), NULL;
    struct source source = {.label = file};
    struct task wanted = {.source = &source, .id = (int)id};
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct task *task = index->tasks[middle];
        int order = strcmp(task->source->label, wanted.source->label);
        if (order < 0 || (!order && task->id < wanted.id))
            low = middle + 1;
        else
            high = middle;
    }
    const struct task *found = low < index->count ? index->tasks[low] : NULL;
    bool same = found && found->id == wanted.id && !strcmp(found->source->label, file);
    free(file);
    return same ? found : NULL;
}

/* ---- what a line is worth ---- */

/* A limit then that is at least the one now; 0 is no limit. */
static bool at_least(double then, double now) { return then <= 0 || (now > 0 && then * 1.001 >= now); }

/* The same method as now, under whatever names its options had then. */
static bool was_same_method(const struct resume *resume, struct json_value budget) {
    char *then = text_of(budget, "method"), *spelled = then ? need(search_spell(then, true)) : NULL;
    bool same = spelled && !strcmp(spelled, resume->method);
    free(spelled);
    free(then);
    return same;
}

/* Whether the line's run was the same method, with at least the limits that there are now. Memory counts only where it
 * was what ran out: the default limit follows what is free and never is the same twice. A run that the machine refused
 * memory below its limit may get further another time. */
static bool had_as_much(const struct resume *resume, struct json_value line) {
    struct json_value budget = json_member(line, "budget");
    const soloist_limits *limits = &resume->limits;
    soloist_stop stopped = stop_of(line);
    if (budget.kind != JSON_OBJECT || stopped == SOLOIST_STOP_CANCEL || bool_of(line, "starved") || !was_same_method(resume, budget) ||
        !text_is(budget, "network", resume->networks))
        return false;
    uint64_t seed = 0;
    json_get_uint(json_member(budget, "seed"), &seed);
    return seed == limits->seed && at_least(real_of(budget, "time_s"), limits->time_s) &&
           at_least(real_of(budget, "nodes"), (double)limits->nodes) &&
           at_least(real_of(budget, "iterations"), (double)limits->iterations) &&
           (stopped != SOLOIST_STOP_MEMORY || at_least(real_of(budget, "memory"), (double)limits->memory));
}

/* Proofs before solutions, better games before others, later lines before earlier ones. */
static bool is_better(const struct resume_line *line, const struct resume_line *than, bool scored) {
    if (!than->text)
        return true;
    int rank = line->optimal || line->impossible ? 2 : line->solved;
    int other = than->optimal || than->impossible ? 2 : than->solved;
    if (rank != other || !line->solved || !than->solved)
        return rank >= other;
    return scored ? line->value >= than->value : line->value <= than->value;
}

static void take_line(struct resume *resume, const struct task *task, struct json_value json, const char *text,
                      size_t length) {
    struct resume_entry *entry = &resume->entries[task - resume->input->tasks];
    bool scored = has_number(json, "score");
    soloist_status status;
    status_of(json, &status);
    if (status == SOLOIST_INVALID)
        return; /* looked at again: it may have been mended */
    struct resume_line line = {.text = text,
                               .length = length,
                               .solved = status == SOLOIST_SOLVED,
                               .optimal = status == SOLOIST_SOLVED && bool_of(json, "optimal"),
                               .impossible = status == SOLOIST_IMPOSSIBLE,
                               .value = int_of(json, scored ? "score" : "cost")};
    bool has_identity = json_member(json, "identity").kind == JSON_TEXT;
    if (!has_identity || !text_is(json, "identity", entry->identity)) {
        entry->changed |= has_identity;
        entry->old |= !has_identity;
        line.optimal = line.impossible = false;
        if (line.solved && is_better(&line, &entry->other, scored))
            entry->other = line;
        return;
    }
    bool answered = line.solved && (line.optimal || !resume->prove);
    entry->tried |= !answered && !line.impossible && had_as_much(resume, json);
    int64_t sitting = int_of(json, "sitting");
    entry->sitting = sitting > entry->sitting ? sitting : entry->sitting;
    if (is_better(&line, &entry->best, scored))
        entry->best = line;
}

static void identify(struct resume *resume, const struct task *task) {
    struct resume_entry *entry = &resume->entries[task - resume->input->tasks];
    soloist_puzzle puzzle;
    soloist_error error;
    if (entry->parsed || input_puzzle(resume->input, task, &puzzle, &error) != SOLOIST_OK)
        return;
    batch_identity(resume->cli, &puzzle, entry->identity);
    entry->parsed = true;
    soloist_puzzle_free(&puzzle);
}

/* ---- the file ---- */

/* Whether a last line that is no JSON is what a killed run leaves: the beginning of a line of ours. Where nothing else
 * in the file is known to be ours, it must show enough of itself. */
static bool is_torn(const char *text, size_t length, bool ours) {
    static const char before[] = "{\"id\":", after[] = ",\"file\":\"";
    size_t at = 0;
    for (const char *c = before; *c && at < length; c++)
        if (text[at++] != *c)
            return false;
    while (at < length && text[at] >= '0' && text[at] <= '9')
        at++;
    size_t seen = 0;
    for (; after[seen] && at < length; seen++)
        if (text[at++] != after[seen])
            return false;
    return ours || !after[seen];
}

static bool is_result(struct json_value value) {
    soloist_status status;
    return value.kind == JSON_OBJECT && int_of(value, "id") > 0 && json_member(value, "file").kind == JSON_TEXT &&
           status_of(value, &status);
}

/* Reads all lines; *whole is the length of those that are complete. */
static bool read_lines(struct resume *resume, const struct task_index *index, size_t length, size_t *whole) {
    const char *text = resume->text, *line;
    soloist_cursor cursor = soloist_cursor_open(text, length);
    size_t size;
    bool ours = false;
    *whole = 0;
    for (int number = 1; soloist_cursor_line(&cursor, &line, &size); number++) {
        struct json_value value;
        soloist_error error = {0};
        bool ended = line + size < text + length;
        bool parsed = size && json_parse(line, size, &value, &error);
        bool good = !size || (parsed && is_result(value));
        if (size && !parsed && !ended && is_torn(line, size, ours))
            return true;
        if (!good) {
            struct soloist_error here = {.line = number, .column = *error.text ? error.column : 1};
            snprintf(here.text, sizeof here.text, "no line that solve --resume wrote, so nothing is added here%s%.150s",
                     *error.text ? ": " : "", error.text);
            return cli_complain_at(resume->path, &here), false;
        }
        const struct task *task = size ? find_task(index, value) : NULL;
        if (task) {
            identify(resume, task);
            take_line(resume, task, value, line, size);
        }
        ours |= size > 0;
        *whole = (size_t)(cursor.at - text);
    }
    return true;
}

/* Opens the file, takes its lock and reads it. */
static bool open_locked(struct resume *resume, size_t *length) {
    struct stat status;
    resume->file = open(resume->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (resume->file < 0 || fstat(resume->file, &status))
        return cli_complain("%s: %s", resume->path, strerror(errno)), false;
    if (!S_ISREG(status.st_mode))
        return cli_complain("--resume %s: it must be a regular file", resume->path), false;
    if (flock(resume->file, LOCK_EX | LOCK_NB))
        return errno == EWOULDBLOCK ? cli_complain("%s: another run is adding to this file", resume->path)
                                    : cli_complain("%s: it cannot be locked: %s", resume->path, strerror(errno)),
               false;
    resume->text = file_read(resume->path, length);
    if (!resume->text)
        return cli_complain("%s: %s", resume->path, strerror(errno)), false;
    return true;
}

/* Cuts a torn line off, or ends a last line that only lacks its end. */
static bool mend_end(const struct resume *resume, size_t length, size_t whole) {
    bool mended = true;
    if (whole < length)
        mended = !ftruncate(resume->file, (off_t)whole);
    else if (length && resume->text[length - 1] != '\n' && resume->text[length - 1] != '\r')
        mended = write(resume->file, "\n", 1) == 1;
    if (!mended)
        cli_complain("%s: %s", resume->path, strerror(errno));
    return mended;
}

/* ---- what is taken over ---- */

/* The sitting that was not finished, or the next if all games have been played as often. */
static int find_sitting(const struct resume *resume) {
    int64_t least = INT64_MAX, most = 1;
    for (size_t i = 0; i < resume->input->task_count; i++) {
        const struct resume_entry *entry = &resume->entries[i];
        if (entry->best.optimal)
            continue;
        least = entry->sitting < least ? entry->sitting : least;
        most = entry->sitting > most ? entry->sitting : most;
    }
    return (int)(least == most ? most + 1 : most);
}

static void restore_counts(soloist_result *result, struct json_value line) {
    result->time_s = real_of(line, "time_s");
    statistics_read(result, line);
    char *method = text_of(line, "method");
    snprintf(result->method, sizeof result->method, "%s", method ? method : "");
    free(method);
}

/* The outcome that a line tells of; NULL if its solution is none. */
static struct outcome *restore(const struct resume *resume, size_t index, const struct resume_line *line) {
    struct outcome *outcome = need_zeroed(1, sizeof *outcome);
    soloist_result *result = &outcome->result;
    struct json_value json;
    soloist_puzzle puzzle;
    soloist_error error;
    /* Both went well once: what can fail now is memory alone. */
    if (!json_parse(line->text, line->length, &json, &error) ||
        input_puzzle(resume->input, &resume->input->tasks[index], &puzzle, &error) != SOLOIST_OK)
        need_failed();
    result->status = line->solved       ? SOLOIST_SOLVED
                     : line->impossible ? SOLOIST_IMPOSSIBLE
                                        : SOLOIST_UNSOLVED;
    result->stopped = stop_of(json);
    result->optimal = line->optimal;
    result->verdict.pushes = -1;
    result->solution = line->solved ? text_of(json, "solution") : NULL;
    outcome->resumed = true;
    restore_counts(result, json);
    bool good = !line->solved || (result->solution && soloist_check(&puzzle, result->solution, strlen(result->solution),
                                                                    &result->verdict, &error));
    if (resume->keep_boards)
        outcome->board = need(board_root_text(resume->cli->engine, &puzzle));
    soloist_puzzle_free(&puzzle);
    if (good)
        return outcome;
    soloist_result_free(result);
    free(outcome->board);
    free(outcome);
    return NULL;
}

/* Whether what the lines with the instance's own identity say is enough. */
static bool is_enough(const struct resume *resume, size_t index) {
    const struct resume_entry *entry = &resume->entries[index];
    bool scored = resume->input->tasks[index].source->domain->aim == SOLOIST_MOST_SCORE;
    if (!entry->best.text)
        return false;
    if (entry->best.solved && scored && !entry->best.optimal)
        return entry->sitting >= resume->sitting;
    if (entry->best.solved)
        return entry->best.optimal || !resume->prove || entry->tried;
    return entry->best.impossible || entry->tried;
}

/* A solution of another identity serves where any solution does. */
static bool other_may_serve(const struct resume *resume, size_t index) {
    const soloist_domain *domain = resume->input->tasks[index].source->domain;
    return resume->entries[index].other.solved && !resume->prove && domain->aim == SOLOIST_LEAST_COST;
}

/* Decides about one instance and counts what was decided. */
static struct outcome *take_over(struct resume *resume, size_t index) {
    const struct resume_entry *entry = &resume->entries[index];
    struct outcome *outcome = NULL;
    bool wrong = false;
    if (!entry->parsed)
        return NULL;
    if (is_enough(resume, index))
        wrong = !(outcome = restore(resume, index, &entry->best));
    else if (other_may_serve(resume, index))
        wrong = !(outcome = restore(resume, index, &entry->other)) && !entry->changed;
    if (outcome)
        resume->taken++;
    else if (wrong)
        resume->refused[RESUME_WRONG]++;
    else if (entry->best.text)
        resume->refused[RESUME_WEAKER]++;
    else if (entry->changed)
        resume->refused[RESUME_CHANGED]++;
    else if (entry->old)
        resume->refused[RESUME_OLD]++;
    return outcome;
}

static char *join_networks(const struct arg_list *networks) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    for (size_t i = 0; i < networks->count; i++)
        soloist_print(&sink, "%s%s", i ? " " : "", networks->items[i]);
    return need(buffer_take(&text));
}

bool resume_open(struct resume *resume, const char *path, struct batch *batch, const struct arg_list *networks,
                 bool prove) {
    const struct input *input = batch->input;
    size_t length = 0, whole = 0;
    *resume = (struct resume){.cli = batch->cli,
                              .input = input,
                              .path = path,
                              .file = -1,
                              .limits = batch->limits,
                              .method = need(search_spell(batch->method ? batch->method : "auto", true)),
                              .networks = join_networks(networks),
                              .prove = prove,
                              .keep_boards = batch->keep_boards};
    resume->entries = need_zeroed(input->task_count, sizeof *resume->entries);
    resume->known = need_zeroed(input->task_count, sizeof *resume->known);
    if (!open_locked(resume, &length))
        return false;
    struct task_index index = index_tasks(input);
    bool good = read_lines(resume, &index, length, &whole) && mend_end(resume, length, whole);
    free(index.tasks);
    if (!good)
        return false;
    resume->sitting = find_sitting(resume);
    for (size_t i = 0; i < input->task_count; i++)
        resume->known[i] = take_over(resume, i);
    batch->limits.seed += (uint64_t)(resume->sitting - 1);
    batch->known = resume->known;
    batch->identify = true;
    return true;
}

void resume_tell(const struct resume *resume, FILE *stream) {
    static const char *const reasons[RESUME_REFUSALS] = {
        [RESUME_CHANGED] = "about another instance, domain option or objective",
        [RESUME_WRONG] = "whose solution fails its replay",
        [RESUME_OLD] = "written by version 0.1, of which only solutions count",
        [RESUME_WEAKER] = "not enough for what is asked now",
    };
    size_t refused = 0;
    const char *between = ": ";
    for (int i = 0; i < RESUME_REFUSALS; i++)
        refused += resume->refused[i];
    if (!resume->taken && !refused)
        return;
    fprintf(stream, "%zu taken over from %s", resume->taken, resume->path);
    if (refused)
        fprintf(stream, ", %zu not", refused);
    for (int i = 0; i < RESUME_REFUSALS; i++) {
        if (!resume->refused[i])
            continue;
        fprintf(stream, "%s%zu %s", between, resume->refused[i], reasons[i]);
        between = "; ";
    }
    fputc('\n', stream);
}

/* ---- adding ---- */

/* What only this file has. */
static void write_rest(const struct resume *resume, const struct outcome *outcome, struct json_writer *json) {
    if (*outcome->identity)
        json_text(json, "identity", outcome->identity);
    json_object(json, "budget");
    json_real(json, "time_s", resume->limits.time_s);
    json_uint(json, "nodes", resume->limits.nodes);
    json_uint(json, "iterations", resume->limits.iterations);
    json_uint(json, "memory", resume->limits.memory);
    json_int(json, "threads", resume->limits.threads);
    json_uint(json, "seed", resume->limits.seed);
    json_text(json, "method", resume->method);
    json_text(json, "network", resume->networks);
    json_end(json, '}');
    json_bool(json, "starved", outcome->result.starved);
    json_text(json, "version", SOLOIST_VERSION);
    json_int(json, "sitting", resume->sitting);
}

/* A line is there whole or not at all: what a full disk took of it is cut off again. */
static bool append(const struct resume *resume, const char *line, size_t length) {
    off_t before = lseek(resume->file, 0, SEEK_END);
    size_t written = 0;
    while (written < length) {
        ssize_t now = write(resume->file, line + written, length - written);
        if (now < 0 && errno == EINTR)
            continue;
        if (now <= 0)
            break;
        written += (size_t)now;
    }
    if (written == length)
        return true;
    cli_complain("%s: %s; what it held before is intact", resume->path, strerror(errno));
    if (before >= 0 && ftruncate(resume->file, before))
        cli_complain("%s: its last line is incomplete", resume->path);
    return false;
}

bool resume_add(struct resume *resume, const struct task *task, const struct outcome *outcome) {
    struct buffer line;
    struct json_writer json;
    if (!resume->input)
        return true;
    buffer_open(&line);
    soloist_sink sink = buffer_sink(&line);
    report_json_open(task, outcome, &json, &sink);
    write_rest(resume, outcome, &json);
    json_end(&json, '}');
    soloist_put(&sink, "\n");
    need_whole(&line);
    bool added = append(resume, line.text, line.length);
    buffer_close(&line);
    return added;
}

void resume_close(struct resume *resume) {
    if (!resume->input)
        return;
    if (resume->file >= 0)
        close(resume->file);
    free(resume->text);
    free(resume->entries);
    free(resume->networks);
    free(resume->method);
    free(resume->known);
    *resume = (struct resume){0};
}
