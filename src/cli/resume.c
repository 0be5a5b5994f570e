/* The lines are those of --json with two more fields: the budget, so that a later run knows whether it has more to
 * spend, and the sitting. An instance is done if it is solved or proved impossible, or if it was given at least as much
 * before. Where the score counts and is not proved to be the best, every sitting plays again with another seed, and the
 * better game stays. */
#include "cli/resume.h"
#include "base/buffer.h"
#include "base/json.h"
#include "search/board.h"
#include "cli/files.h"
#include "cli/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the file says of one instance. */
struct resume_entry {
    char *line; /* NULL: nothing; without its end and the two fields */
    bool solved, optimal, answered, scored, again;
    soloist_stop stopped;
    int64_t score, sitting;
    double time_s;
    int64_t nodes, iterations;
    size_t memory;
    char method[160];
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

static char *text_of(struct json_value object, const char *name) {
    struct json_value value = json_member(object, name);
    if (value.kind == JSON_ARRAY)
        return text_copy(value.start, (size_t)(value.end - value.start));
    if (value.kind != JSON_TEXT)
        return NULL;
    size_t room = (size_t)(value.end - value.start) + 1;
    char *text = malloc(room);
    if (!text)
        abort();
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

static size_t find_task(const struct input *input, struct json_value line) {
    int64_t id = int_of(line, "id");
    char *file = text_of(line, "file");
    size_t i = 0;
    while (i < input->task_count && !(input->tasks[i].id == id && file && !strcmp(file, input->tasks[i].source->label)))
        i++;
    free(file);
    return i;
}

/* The line up to what only this file has. */
static size_t line_core(const char *text, size_t length) {
    static const char mark[] = ",\"budget\":{";
    for (size_t i = length; i-- > 0;)
        if (length - i >= sizeof mark - 1 && !memcmp(text + i, mark, sizeof mark - 1))
            return i;
    while (length && text[length - 1] != '}')
        length--;
    return length ? length - 1 : 0;
}

/* A line of --json says what was spent, which is what it may have been given. */
static void fill_budget(struct resume_entry *entry, struct json_value line) {
    struct json_value budget = json_member(line, "budget");
    bool known = budget.kind == JSON_OBJECT;
    entry->time_s = real_of(known ? budget : line, "time_s");
    entry->nodes = int_of(known ? budget : line, "nodes");
    entry->iterations = int_of(known ? budget : line, "iterations");
    entry->memory = known ? (size_t)int_of(budget, "memory") : 0;
    char *method = known ? text_of(budget, "method") : NULL;
    snprintf(entry->method, sizeof entry->method, "%s", method ? method : "");
    free(method);
}

/* A line takes the place of an earlier one, unless that has the better game. */
static void take_line(struct resume_entry *entry, struct json_value line, const char *text, size_t length) {
    bool scored = json_member(line, "score").kind == JSON_NUMBER;
    int64_t score = int_of(line, "score"), sitting = int_of(line, "sitting");
    sitting = sitting < 1 ? 1 : sitting;
    if (entry->line && entry->scored && scored && entry->score > score) {
        entry->sitting = sitting > entry->sitting ? sitting : entry->sitting;
        return;
    }
    free(entry->line);
    *entry = (struct resume_entry){.line = text_copy(text, line_core(text, length)),
                                   .solved = text_is(line, "status", "solved"),
                                   .optimal = bool_of(line, "optimal"),
                                   .answered = text_is(line, "status", "impossible"),
                                   .stopped = stop_of(line),
                                   .scored = scored,
                                   .score = score,
                                   .sitting = sitting > entry->sitting ? sitting : entry->sitting};
    fill_budget(entry, line);
    /* What was wrong is looked at again: it may have been mended. */
    entry->again = text_is(line, "status", "invalid");
}

static void keep_other(struct resume *resume, const char *text, size_t length) {
    char **others = realloc(resume->others, (resume->other_count + 1) * sizeof *others);
    if (!others)
        abort();
    resume->others = others;
    others[resume->other_count++] = text_copy(text, length);
}

/* Reads all lines; *whole is the length of those that are complete: a killed run may leave a part of one. */
static bool read_lines(struct resume *resume, const char *text, size_t length, size_t *whole) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    const char *line;
    size_t size;
    *whole = 0;
    for (int number = 1; soloist_cursor_line(&cursor, &line, &size); number++) {
        struct json_value value;
        soloist_error error = {0};
        bool ended = line + size < text + length;
        if (!size && ended) {
            *whole = (size_t)(cursor.at - text);
            continue;
        }
        if (!ended)
            break;
        if (!json_parse(line, size, &value, &error) || value.kind != JSON_OBJECT || !int_of(value, "id")) {
            if (!*error.text)
                soloist_fail(&error, 0, 1, "expected a line of solve --json");
            error.line = number;
            return cli_complain_at(resume->path, &error), false;
        }
        size_t task = find_task(resume->input, value);
        if (task < resume->input->task_count)
            take_line(&resume->entries[task], value, line, size);
        else
            keep_other(resume, line, size);
        *whole = (size_t)(cursor.at - text);
    }
    return true;
}

/* ---- what is done ---- */

/* More is given now than then; 0 is no limit. */
static bool is_more(double now, double then) { return then > 0 && (now <= 0 || now > then * 1.001); }

/* Whether this run may get further: it has more of what ended the other, or another method. */
static bool is_worth_another(const struct resume *resume, const struct resume_entry *entry) {
    const soloist_limits *limits = &resume->limits;
    if (*entry->method && strcmp(entry->method, resume->method) != 0)
        return true;
    switch (entry->stopped) {
    case SOLOIST_STOP_TIME: return is_more(limits->time_s, entry->time_s);
    case SOLOIST_STOP_NODES: return is_more((double)limits->nodes, (double)entry->nodes);
    case SOLOIST_STOP_ITERATIONS: return is_more((double)limits->iterations, (double)entry->iterations);
    case SOLOIST_STOP_MEMORY: return is_more((double)limits->memory, (double)entry->memory);
    case SOLOIST_STOP_CANCEL: return true;
    default: return false;
    }
}

/* The sitting that was not finished, or the next if all games have been played as often. */
static int find_sitting(const struct resume *resume) {
    int64_t least = INT64_MAX, most = 1;
    for (size_t i = 0; i < resume->input->task_count; i++) {
        const struct resume_entry *entry = &resume->entries[i];
        if (entry->optimal && entry->solved)
            continue;
        least = entry->sitting < least ? entry->sitting : least;
        most = entry->sitting > most ? entry->sitting : most;
    }
    return (int)(least == most ? most + 1 : most);
}

static bool is_done(const struct resume *resume, const struct resume_entry *entry) {
    if (!entry->line || entry->again)
        return false;
    if (entry->solved && entry->scored && !entry->optimal)
        return entry->sitting >= resume->sitting;
    if (entry->solved && resume->prove && !entry->optimal)
        return !is_worth_another(resume, entry);
    return entry->solved || entry->answered || !is_worth_another(resume, entry);
}

static void restore_counts(soloist_result *result, struct json_value line) {
    result->time_s = real_of(line, "time_s");
    result->nodes = (uint64_t)int_of(line, "nodes");
    result->expanded = (uint64_t)int_of(line, "expanded");
    result->has_expanded = json_member(line, "expanded").kind == JSON_NUMBER;
    result->iterations = (uint64_t)int_of(line, "iterations");
    result->has_iterations = json_member(line, "iterations").kind == JSON_NUMBER;
    result->playouts = (uint64_t)int_of(line, "playouts");
    result->has_playouts = json_member(line, "playouts").kind == JSON_NUMBER;
    result->eliminated = (uint64_t)int_of(line, "eliminated");
    result->skipped = (uint64_t)int_of(line, "skipped");
    result->moved = (uint64_t)int_of(line, "moved");
    result->has_tree = json_member(line, "eliminated").kind == JSON_NUMBER;
    result->peak_bytes = (size_t)int_of(line, "peak_mb") << 20;
    char *method = text_of(line, "method");
    snprintf(result->method, sizeof result->method, "%s", method ? method : "");
    free(method);
}

/* The outcome that the line tells of; NULL if its solution is none. */
static struct outcome *restore(const struct resume *resume, size_t index) {
    const struct resume_entry *entry = &resume->entries[index];
    struct outcome *outcome = calloc(1, sizeof *outcome);
    struct buffer text;
    struct json_value line;
    soloist_puzzle puzzle;
    if (!outcome)
        abort();
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    soloist_put(&sink, entry->line);
    soloist_put(&sink, "}");
    bool good = json_parse(text.text, text.length, &line, NULL) &&
                input_puzzle(resume->input, &resume->input->tasks[index], &puzzle, &outcome->error) == SOLOIST_OK;
    if (good) {
        soloist_result *result = &outcome->result;
        result->status = entry->solved ? SOLOIST_SOLVED : entry->answered ? SOLOIST_IMPOSSIBLE : SOLOIST_UNSOLVED;
        result->stopped = stop_of(line);
        result->optimal = entry->optimal;
        result->verdict.pushes = -1;
        result->solution = text_of(line, "solution");
        outcome->resumed = true;
        restore_counts(result, line);
        good = entry->solved == (result->solution != NULL) &&
               (!entry->solved ||
                soloist_check(&puzzle, result->solution, strlen(result->solution), &result->verdict, &outcome->error));
        if (resume->keep_boards)
            outcome->board = board_root_text(resume->cli->engine, &puzzle);
        soloist_puzzle_free(&puzzle);
    }
    buffer_close(&text);
    if (good)
        return outcome;
    soloist_result_free(&outcome->result);
    free(outcome->board);
    free(outcome);
    return NULL;
}

/* ---- the file ---- */

bool resume_open(struct resume *resume, const char *path, struct batch *batch, bool prove) {
    const struct input *input = batch->input;
    size_t length = 0, whole = 0;
    *resume = (struct resume){.cli = batch->cli,
                              .input = input,
                              .path = path,
                              .limits = batch->limits,
                              .method = batch->method ? batch->method : "auto",
                              .prove = prove,
                              .keep_boards = batch->keep_boards};
    resume->entries = calloc(input->task_count + 1, sizeof *resume->entries);
    resume->known = calloc(input->task_count + 1, sizeof *resume->known);
    if (!resume->entries || !resume->known)
        abort();
    char *text = file_read(path, &length);
    if (!text && errno != ENOENT)
        return cli_complain("%s: %s", path, strerror(errno)), false;
    bool good = !text || read_lines(resume, text, length, &whole);
    free(text);
    if (!good)
        return false;
    resume->sitting = find_sitting(resume);
    batch->limits.seed += (uint64_t)(resume->sitting - 1);
    batch->known = resume->known;
    for (size_t i = 0; i < input->task_count; i++)
        if (is_done(resume, &resume->entries[i]) && (resume->known[i] = restore(resume, i)))
            resume->taken++;
    resume->stream = fopen(path, text ? "r+b" : "wb");
    if (!resume->stream || ftruncate(fileno(resume->stream), (off_t)whole) || fseek(resume->stream, 0, SEEK_END))
        return cli_complain("%s: %s", path, strerror(errno)), false;
    return true;
}

/* What only this file has, and the end of the line. */
static void write_end(const struct resume *resume, int64_t sitting, const soloist_sink *sink) {
    struct json_writer json;
    struct buffer rest;
    buffer_open(&rest);
    soloist_sink inner = buffer_sink(&rest);
    json_open(&json, &inner);
    json_object(&json, NULL);
    json_object(&json, "budget");
    json_real(&json, "time_s", resume->limits.time_s);
    json_uint(&json, "nodes", resume->limits.nodes);
    json_uint(&json, "iterations", resume->limits.iterations);
    json_uint(&json, "memory", resume->limits.memory);
    json_text(&json, "method", resume->method);
    json_end(&json, '}');
    json_int(&json, "sitting", sitting);
    json_end(&json, '}');
    soloist_put(sink, ",");
    soloist_put(sink, rest.text + 1); /* its own bracket is open already */
    soloist_put(sink, "\n");
    buffer_close(&rest);
}

void resume_add(struct resume *resume, const struct task *task, const struct outcome *outcome) {
    struct buffer line;
    if (!resume->stream)
        return;
    buffer_open(&line);
    soloist_sink sink = buffer_sink(&line);
    report_json_line(task, outcome, &sink);
    line.length = line_core(line.text, line.length);
    line.text[line.length] = 0;
    write_end(resume, resume->sitting, &sink);
    fwrite(line.text, 1, line.length, resume->stream);
    fflush(resume->stream);
    buffer_close(&line);
}

static void write_all(const struct resume *resume, FILE *stream) {
    for (size_t i = 0; i < resume->other_count; i++)
        fprintf(stream, "%s\n", resume->others[i]);
    soloist_sink sink = cli_sink(stream);
    for (size_t i = 0; i < resume->input->task_count; i++) {
        const struct resume_entry *entry = &resume->entries[i];
        if (!entry->line)
            continue;
        struct resume then = {.limits = {.time_s = entry->time_s,
                                         .nodes = (uint64_t)entry->nodes,
                                         .iterations = (uint64_t)entry->iterations,
                                         .memory = entry->memory},
                              .method = *entry->method ? entry->method : "auto"};
        soloist_put(&sink, entry->line);
        write_end(&then, entry->sitting, &sink);
    }
}

static void resume_free(struct resume *resume) {
    for (size_t i = 0; i < resume->input->task_count; i++)
        free(resume->entries[i].line);
    for (size_t i = 0; i < resume->other_count; i++)
        free(resume->others[i]);
    free(resume->entries);
    free(resume->others);
    free(resume->known);
    *resume = (struct resume){0};
}

/* Reads its own lines again: what is in the file is what counts. */
bool resume_close(struct resume *resume) {
    if (!resume->input)
        return true;
    size_t length, whole;
    struct new_file file = {0};
    bool good = resume->stream && !fclose(resume->stream);
    for (size_t i = 0; i < resume->other_count; i++)
        free(resume->others[i]);
    resume->other_count = 0;
    char *text = good ? file_read(resume->path, &length) : NULL;
    good = text && read_lines(resume, text, length, &whole) && new_file_open(&file, resume->path);
    if (good) {
        write_all(resume, file.stream);
        good = new_file_keep(&file);
    }
    free(text);
    resume_free(resume);
    return good;
}
