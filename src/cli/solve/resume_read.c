/* Reads the lines of a file of `solve --resume`, and decides which of them are useful for the present command. */
#include "cli/solve/resume_read.h"
#include "cli/shell/need.h"
#include "engine/engine.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>

/* ---- members of a line ---- */

static int64_t int_of(struct json_value object, const char *name) {
    int64_t value = 0;
    json_get_int(json_member(object, name), &value);
    return value;
}

double resume_real_of(struct json_value object, const char *name) {
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

char *resume_text_of(struct json_value object, const char *name) {
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
    char *found = resume_text_of(object, name);
    bool same = found && !strcmp(found, text);
    free(found);
    return same;
}

soloist_stop resume_stop_of(struct json_value line) {
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

/* A task, with what the lines about it say: the name of its file, and its number. */
struct place {
    const char *file;
    int id;
    const struct task *task;
};

/* Places sorted by file and number, so that the tasks of a line are found in O(log n). Several tasks have the same
 * place if a file is named several times. */
struct task_index {
    struct place *places;
    size_t count;
    char **files; /* indexed by source; owned */
};

static int by_place(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    if (!order)
        order = x->id < y->id ? -1 : x->id > y->id;
    return order ? order : x->task < y->task ? -1 : x->task > y->task;
}

static char *file_in_lines(const char *label) {
    size_t room = (size_t)json_read_back(label, NULL, 0) + 1;
    char *file = need_bytes(room);
    json_read_back(label, file, room);
    return file;
}

static struct task_index index_tasks(const struct input *input) {
    struct task_index index = {.places = need_zeroed(input->task_count, sizeof *index.places),
                               .count = input->task_count,
                               .files = need_zeroed(input->source_count, sizeof *index.files)};
    for (size_t i = 0; i < input->source_count; i++)
        index.files[i] = file_in_lines(input->sources[i]->label);
    for (size_t i = 0, source = 0; i < index.count; i++) {
        const struct task *task = &input->tasks[i];
        while (input->sources[source] != task->source)
            source = (source + 1) % input->source_count;
        index.places[i] = (struct place){index.files[source], task->id, task};
    }
    qsort(index.places, index.count, sizeof *index.places, by_place);
    return index;
}

static void free_index(struct task_index *index, const struct input *input) {
    for (size_t i = 0; i < input->source_count; i++)
        free(index->files[i]);
    free(index->files);
    free(index->places);
}

static int order_to(const struct place *place, const char *file, int64_t id) {
    int order = strcmp(place->file, file);
    return order ? order : place->id < id ? -1 : place->id > id;
}

/* The first place that is not before the file and the number; the number of places if there is none. */
static size_t first_place(const struct task_index *index, const char *file, int64_t id) {
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (order_to(&index->places[middle], file, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- which lines are useful ---- */

/* The part of an identity that names the plugins, or "" (plugins_mark). */
static const char *plugins_of(const char *identity) { return identity + strcspn(identity, "@"); }

/* Whether the line's result comes from another version of a plugin than the one that is loaded now. */
static bool is_of_other_plugin(const struct resume_entry *entry, struct json_value line) {
    char *identity = resume_text_of(line, "identity");
    const char *then = identity ? plugins_of(identity) : "", *now = plugins_of(entry->identity);
    bool other = *then && *now && strcmp(then, now) != 0;
    free(identity);
    return other;
}

/* Whether the earlier limit was at least as high as the present one; 0 means no limit. */
static bool at_least(double then, double now) { return then <= 0 || (now > 0 && then * 1.001 >= now); }

/* Whether it was the same method, even if its options had other names then. */
static bool was_same_method(const struct resume *resume, struct json_value budget) {
    char *then = resume_text_of(budget, "method"),
         *spelled = then ? need(search_spell(engine_methods(resume->cli->engine), then, true)) : NULL;
    bool same = spelled && !strcmp(spelled, resume->method);
    free(spelled);
    free(then);
    return same;
}

/* Whether the line's run shortened solutions at least as much. */
static bool was_shortened(const struct batch *batch, struct json_value budget) {
    if (batch->shorten == SHORTEN_SECONDS)
        return text_is(budget, "shortening", "seconds") && resume_real_of(budget, "polish_s") >= batch->polish_s;
    return batch->shorten == SHORTEN_NOT || text_is(budget, "shortening", "default");
}

/* Whether the line's run used the same method with at least the present limits. Memory limits are compared only if
 * memory ran out, because the default limit depends on the free memory and differs from run to run. A run to which the
 * machine refused memory below its limit may get further another time. */
static bool had_as_much(const struct resume *resume, struct json_value line) {
    struct json_value budget = json_member(line, "budget");
    const soloist_limits *limits = &resume->limits;
    soloist_stop stopped = resume_stop_of(line);
    if (budget.kind != JSON_OBJECT || stopped == SOLOIST_STOP_CANCEL || bool_of(line, "starved") ||
        !was_same_method(resume, budget) || !text_is(budget, "network", resume->networks))
        return false;
    /* One count is part of the instance's identity; more are not, and shortening proves them. */
    if (resume->many && (!text_is(budget, "objective", resume->objective) || !was_shortened(resume->batch, budget)))
        return false;
    uint64_t seed = 0;
    json_get_uint(json_member(budget, "seed"), &seed);
    return seed == limits->seed && at_least(resume_real_of(budget, "time_s"), limits->time_s) &&
           at_least(resume_real_of(budget, "nodes"), (double)limits->nodes) &&
           at_least(resume_real_of(budget, "iterations"), (double)limits->iterations) &&
           (stopped != SOLOIST_STOP_MEMORY || at_least(resume_real_of(budget, "memory"), (double)limits->memory));
}

static int rank_of(const struct resume_line *line) {
    return line->optimal || line->impossible ? 3 : line->proved ? 2 : line->solved;
}

/* Proofs are better than solutions, higher scores than lower ones, fewer pushes and moves than more at the same cost,
 * and later lines than earlier ones. A proof of less than the command asks for is between the two. */
static bool is_better(const struct resume_line *line, const struct resume_line *than, bool scored) {
    if (!than->text)
        return true;
    int rank = rank_of(line), other = rank_of(than);
    if (rank != other || !line->solved || !than->solved)
        return rank >= other;
    if (line->value != than->value)
        return scored ? line->value > than->value : line->value < than->value;
    return line->moves <= than->moves;
}

static void take_line(struct resume *resume, const struct task *task, struct json_value json, const char *text,
                      size_t length) {
    struct resume_entry *entry = &resume->entries[task - resume->input->tasks];
    bool scored = has_number(json, "score");
    soloist_status status;
    status_of(json, &status);
    if (status == SOLOIST_INVALID)
        return; /* the instance is examined again, because its file may have been corrected */
    bool proved = status == SOLOIST_SOLVED && bool_of(json, "optimal");
    struct resume_line line = {.text = text,
                               .length = length,
                               .solved = status == SOLOIST_SOLVED,
                               .optimal = proved && (!resume->many || text_is(json, "optimal_for", resume->objective)),
                               .proved = proved,
                               .impossible = status == SOLOIST_IMPOSSIBLE,
                               .value = int_of(json, scored ? "score" : "cost"),
                               .moves = scored ? 0 : int_of(json, "moves") + int_of(json, "pushes")};
    bool has_identity = json_member(json, "identity").kind == JSON_TEXT;
    if (is_of_other_plugin(entry, json)) {
        entry->rebuilt = true;
        return;
    }
    if (!has_identity || !text_is(json, "identity", entry->identity)) {
        entry->changed |= has_identity;
        entry->old |= !has_identity;
        line.optimal = line.proved = line.impossible = false;
        if (line.solved && is_better(&line, &entry->other, scored))
            entry->other = line;
        return;
    }
    bool answered = line.solved && (line.optimal || !resume->prove);
    entry->tried |= !answered && !line.impossible && had_as_much(resume, json);
    int64_t sitting = int_of(json, "sitting");
    entry->sitting = sitting > entry->sitting ? sitting : entry->sitting;
    if (json_member(json, "pool").kind == JSON_ARRAY)
        entry->pool = json_member(json, "pool");
    if (is_better(&line, &entry->best, scored))
        entry->best = line;
}

static void identify(struct resume *resume, const struct task *task) {
    struct resume_entry *entry = &resume->entries[task - resume->input->tasks];
    soloist_puzzle puzzle;
    soloist_error error;
    if (entry->parsed || input_puzzle(resume->input, task, &puzzle, &error) != SOLOIST_OK)
        return;
    batch_identity(resume->cli, &puzzle, resume->method, entry->identity);
    entry->parsed = true;
    soloist_puzzle_free(&puzzle);
}

/* Uses a line for all tasks that it is about. */
static void use_line(struct resume *resume, const struct task_index *index, struct json_value json, const char *text,
                     size_t length) {
    char *file = resume_text_of(json, "file");
    int64_t id = int_of(json, "id");
    size_t at = file ? first_place(index, file, id) : index->count;
    for (; at < index->count && !order_to(&index->places[at], file, id); at++) {
        identify(resume, index->places[at].task);
        take_line(resume, index->places[at].task, json, text, length);
    }
    free(file);
}

/* ---- all lines ---- */

/* Whether the last line, which is not valid JSON, is the beginning of a line that a killed run was writing. If no other
 * line of the file is known to come from --resume, the line must be long enough to be recognised. */
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

static bool read_all(struct resume *resume, const struct task_index *index, size_t length, size_t *whole) {
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
            snprintf(here.text, sizeof here.text,
                     "not a line written by solve --resume, so nothing is appended to this file%s%.150s",
                     *error.text ? ": " : "", error.text);
            return cli_complain_at(resume->path, &here), false;
        }
        if (size)
            use_line(resume, index, value, line, size);
        ours |= size > 0;
        *whole = (size_t)(cursor.at - text);
    }
    return true;
}

bool resume_read_lines(struct resume *resume, size_t length, size_t *whole) {
    struct task_index index = index_tasks(resume->input);
    bool good = read_all(resume, &index, length, whole);
    free_index(&index, resume->input);
    return good;
}
