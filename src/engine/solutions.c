/* Reads three formats of solution files. There is one reader per format; each adds the claims that it reads to the
 * list. */
#include "engine/solutions.h"
#include "base/json.h"
#include "engine/board.h"
#include "search/special/registry.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    const soloist *engine;
    const struct input *input;
    const char *text;
    size_t length;
    struct solutions *solutions;
    soloist_error *error;
};

/* Adds a claim with a copy of the solution, which may be NULL; returns NULL if memory runs out. */
static struct claim *add_claim(struct solutions *solutions, int id, const char *solution, size_t length) {
    struct claim *larger = realloc(solutions->claims, (solutions->count + 1) * sizeof *larger);
    solutions->claims = larger ? larger : solutions->claims;
    char *copy = solution ? malloc(length + 1) : NULL;
    if (!larger || (solution && !copy))
        return free(copy), NULL;
    if (copy) {
        memcpy(copy, solution, length);
        copy[length] = 0;
    }
    larger[solutions->count] = (struct claim){.id = id, .solution = copy};
    return &larger[solutions->count++];
}

/* ---- JSON lines ---- */

static bool text_is(struct json_value value, const char *text) {
    char decoded[4096];
    return value.kind == JSON_TEXT && json_get_text(value, decoded, sizeof decoded) == (long)strlen(text) &&
           !strcmp(decoded, text);
}

static bool member_int(struct json_value object, const char *name, int64_t *value) {
    struct json_value member = json_member(object, name);
    return member.kind == JSON_NUMBER && json_get_int(member, value);
}

/* Adds the claim of one line. */
static soloist_code json_claim(struct reading *reading, int id, struct json_value line) {
    static const char *const names[] = {"pushes", "moves", "cost", "score"};
    struct json_value solution = json_member(line, "solution");
    bool given = solution.kind == JSON_TEXT || solution.kind == JSON_ARRAY || solution.kind == JSON_OBJECT ||
                 solution.kind == JSON_NUMBER;
    size_t length = (size_t)(solution.end - solution.start);
    struct claim *claim = add_claim(reading->solutions, id, given ? solution.start : NULL, length);
    if (!claim)
        return SOLOIST_NO_MEMORY;
    if (solution.kind == JSON_TEXT && json_get_text(solution, claim->solution, length + 1) < 0) {
        soloist_fail(reading->error, 0, 1, "\"solution\" is not a valid JSON string");
        return SOLOIST_BAD_INPUT;
    }
    claim->impossible = text_is(json_member(line, "status"), "impossible");
    for (int i = 0; i < CLAIMED_COUNTS; i++)
        claim->has[i] = member_int(line, names[i], &claim->count[i]);
    return SOLOIST_OK;
}

/* A file of solve --resume may hold several lines about one instance: a line with a solution takes precedence over one
 * without, a higher score over a lower one, and otherwise the later line. */
static void keep_better(struct solutions *solutions) {
    struct claim *last = &solutions->claims[solutions->count - 1];
    struct claim *first = (struct claim *)solutions_find(solutions, last->id);
    if (first == last)
        return;
    bool lower = last->has[CLAIMED_SCORE] && first->has[CLAIMED_SCORE] &&
                 last->count[CLAIMED_SCORE] < first->count[CLAIMED_SCORE];
    bool better = last->solution ? !lower : !first->solution;
    free(better ? first->solution : last->solution);
    if (better)
        *first = *last;
    solutions->count--;
}

/* The lines may be about several files; then only the lines that name this file are used. */
static bool names_our_file(const struct reading *reading, struct json_value line) {
    char label[4096];
    long length = json_read_back(reading->input->sources[0]->label, label, sizeof label);
    return length < (long)sizeof label && text_is(json_member(line, "file"), label);
}

static bool any_names_our_file(const struct reading *reading) {
    soloist_cursor cursor = soloist_cursor_open(reading->text, reading->length);
    const char *line;
    size_t length;
    struct json_value value;
    while (soloist_cursor_line(&cursor, &line, &length))
        if (json_parse(line, length, &value, NULL) && names_our_file(reading, value))
            return true;
    return false;
}

static bool is_blank(const char *line, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!isspace((unsigned char)line[i]))
            return false;
    return true;
}

static soloist_code read_json_line(struct reading *reading, const char *line, size_t length, bool only_ours) {
    struct json_value value = {0};
    int64_t id = 0;
    if (!json_parse(line, length, &value, reading->error))
        return SOLOIST_BAD_INPUT;
    if (only_ours && !names_our_file(reading, value))
        return SOLOIST_OK;
    if (value.kind != JSON_OBJECT || !member_int(value, "id", &id) || id < 1 || id > 1 << 30) {
        soloist_fail(reading->error, 0, 1, "expected an object with \"id\" and \"solution\"");
        return SOLOIST_BAD_INPUT;
    }
    soloist_code code = json_claim(reading, (int)id, value);
    if (code == SOLOIST_OK)
        keep_better(reading->solutions);
    return code;
}

static soloist_code read_json(struct reading *reading) {
    soloist_cursor cursor = soloist_cursor_open(reading->text, reading->length);
    bool only_ours = any_names_our_file(reading);
    const char *line;
    size_t length;
    for (int number = 1; soloist_cursor_line(&cursor, &line, &length); number++) {
        if (is_blank(line, length))
            continue;
        soloist_code code = read_json_line(reading, line, length, only_ours);
        reading->error->line = number;
        if (code != SOLOIST_OK)
            return code;
    }
    return SOLOIST_OK;
}

/* ---- a collection with solutions in it ---- */

/* Whether the text is that of the input itself: then its levels are told apart by their places, also equal ones. */
static bool is_own_text(const struct reading *reading) {
    const struct source *source = reading->input->sources[0];
    return reading->length == source->length && !memcmp(reading->text, source->text, source->length);
}

static int id_of_line(const struct reading *reading, int line) {
    const struct input *input = reading->input;
    for (size_t i = 0; i < input->task_count; i++)
        if (input->tasks[i].source == input->sources[0] && input->tasks[i].chunk.line == line)
            return input->tasks[i].id;
    return 0;
}

/* Otherwise boards are matched by content, not by number: a collection may hold only some of the levels. */
static int id_of_board(const struct reading *reading, const char *board, char **boards) {
    for (size_t i = 0; i < reading->input->task_count; i++) {
        int id = reading->input->tasks[i].id;
        if (boards[i] && !strcmp(boards[i], board) && !solutions_find(reading->solutions, id))
            return id;
    }
    return 0;
}

/* Sets *board to NULL if the chunk cannot be read. */
static soloist_code chunk_board(const struct reading *reading, const soloist_chunk *chunk, char **board) {
    soloist_puzzle puzzle;
    soloist_error error;
    *board = NULL;
    soloist_code code =
        soloist_puzzle_read(reading->input->sources[0]->domain, reading->input->options, chunk, &puzzle, &error);
    if (code != SOLOIST_OK)
        return code == SOLOIST_NO_MEMORY ? code : SOLOIST_OK;
    *board = board_root_text(reading->engine, &puzzle);
    soloist_puzzle_free(&puzzle);
    return *board ? SOLOIST_OK : SOLOIST_NO_MEMORY;
}

/* boards: those of the tasks; NULL: the text is that of the input itself. */
static soloist_code match_chunk(struct reading *reading, const soloist_chunk *chunk, char **boards) {
    const struct special_levels *levels = special_levels(reading->input->sources[0]->domain);
    const char *text;
    size_t length;
    char *board = NULL;
    soloist_code code = boards ? chunk_board(reading, chunk, &board) : SOLOIST_OK;
    int id = !boards ? id_of_line(reading, chunk->line) : board ? id_of_board(reading, board, boards) : 0;
    for (int i = 0; id && code == SOLOIST_OK && levels->solution(chunk, i, &text, &length); i++)
        if (!add_claim(reading->solutions, id, text, length))
            code = SOLOIST_NO_MEMORY;
    free(board);
    return code;
}

static soloist_code read_collection(struct reading *reading) {
    const struct input *input = reading->input;
    const soloist_domain *domain = input->sources[0]->domain;
    bool own = is_own_text(reading);
    char **boards = own ? NULL : calloc(input->task_count + 1, sizeof *boards);
    soloist_code code = boards || own ? SOLOIST_OK : SOLOIST_NO_MEMORY;
    for (size_t i = 0; boards && code == SOLOIST_OK && i < input->task_count; i++)
        code = chunk_board(reading, &input->tasks[i].chunk, &boards[i]);
    soloist_cursor cursor = soloist_cursor_open(reading->text, reading->length);
    soloist_chunk chunk;
    while (code == SOLOIST_OK && domain->life->next(&cursor, &chunk))
        code = match_chunk(reading, &chunk, boards);
    for (size_t i = 0; boards && i < input->task_count; i++)
        free(boards[i]);
    free(boards);
    return code;
}

/* ---- plain lines ---- */

/* The number in a comment such as "; 12 name"; 0: none. */
static int comment_id(const char *line, size_t length) {
    size_t at = 1;
    int id = 0;
    while (at < length && line[at] == ' ')
        at++;
    for (; at < length && isdigit((unsigned char)line[at]) && id < 100000000; at++)
        id = id * 10 + (line[at] - '0');
    return at == length || line[at] == ' ' ? id : 0;
}

/* The label of a file in a heading "; LABEL: solutions by Soloist 0.2.0", which is written above the solutions of each
 * file; NULL: the line is none. */
static const char *heading_label(const char *line, size_t length, size_t *size) {
    static const char words[] = ": solutions by Soloist ";
    const size_t least = strlen("; ") + strlen(words);
    for (size_t at = strlen("; "); length >= least && !memcmp(line, "; ", 2) && at + strlen(words) <= length; at++)
        if (!memcmp(line + at, words, strlen(words)))
            return *size = at - strlen("; "), line + strlen("; ");
    return NULL;
}

/* Control characters of labels are written as \x09. */
static bool is_our_label(const struct reading *reading, const char *label, size_t size) {
    char code[8];
    for (const char *at = reading->input->sources[0]->label; *at; at++) {
        bool control = (unsigned char)*at < 32 || *at == 127;
        size_t part = (size_t)snprintf(code, sizeof code, control ? "\\x%02x" : "%c", (unsigned char)*at);
        if (part > size || memcmp(label, code, part) != 0)
            return false;
        label += part, size -= part;
    }
    return !size;
}

/* Iterates over solution lines. */
struct line_walk {
    const struct reading *reading;
    soloist_cursor cursor;
    bool only_ours; /* a heading names our file, so lines below the heading of another file are passed over */
    bool passes;
};

/* *id: the number in the comment directly above, 0 if there is none. A line with a tab is no comment: it begins with a
 * name, which may begin with any character. */
static bool next_solution_line(struct line_walk *walk, const char **line, size_t *length, int *id) {
    size_t size;
    *id = 0;
    while (soloist_cursor_line(&walk->cursor, line, length)) {
        if (is_blank(*line, *length))
            continue;
        bool comment = (**line == ';' || **line == '#') && !memchr(*line, '\t', *length);
        if (!comment && !walk->passes)
            return true;
        if (!comment)
            continue;
        const char *label = heading_label(*line, *length, &size);
        if (label)
            walk->passes = walk->only_ours && !is_our_label(walk->reading, label, size);
        *id = label ? 0 : comment_id(*line, *length);
    }
    return false;
}

static bool any_heading_is_ours(const struct reading *reading) {
    soloist_cursor cursor = soloist_cursor_open(reading->text, reading->length);
    const char *line;
    size_t length, size;
    while (soloist_cursor_line(&cursor, &line, &length)) {
        const char *label = heading_label(line, length, &size);
        if (label && is_our_label(reading, label, size))
            return true;
    }
    return false;
}

static struct line_walk line_walk_open(const struct reading *reading) {
    return (struct line_walk){reading, soloist_cursor_open(reading->text, reading->length),
                              any_heading_is_ours(reading), false};
}

/* How the lines of a file say which instance each is about. */
struct line_labels {
    size_t lines;
    bool numbered; /* each has a comment with its number above it */
    bool named;    /* each begins with a name or number and a tab, as `solve --lurd` prints it */
};

static struct line_labels inspect_lines(const struct reading *reading) {
    struct line_walk walk = line_walk_open(reading);
    struct line_labels labels = {0, true, true};
    const char *line;
    size_t length;
    int id;
    for (; next_solution_line(&walk, &line, &length, &id); labels.lines++) {
        labels.numbered &= id > 0;
        labels.named &= memchr(line, '\t', length) != NULL;
    }
    return labels;
}

/* The numbers of the selected instances, if lines without numbers are theirs: if there are as many lines as selected
 * instances, and not as many as instances in all. *count: 0 if they are not. */
static const struct task *selected(const struct input *input, size_t lines, size_t *count) {
    for (*count = 0; *count < input->task_count && input->tasks[*count].source == input->sources[0];)
        ++*count;
    if (*count != lines || lines == (size_t)input->sources[0]->instances)
        *count = 0;
    return input->tasks;
}

/* Whether a label is the name of a task or, if the task has no name, its number. In labels, control characters of names
 * are written as question marks. */
static bool is_label_of(const char *label, size_t length, const struct task *task) {
    char number[16];
    const char *name = task->chunk.name;
    if (!*name) {
        snprintf(number, sizeof number, "%d", task->id);
        name = number;
    }
    size_t i = 0;
    for (; i < length && name[i]; i++)
        if (label[i] != name[i] && (label[i] != '?' || !iscntrl((unsigned char)name[i])))
            return false;
    return i == length && !name[i];
}

/* The number of the first selected instance that has the name at the start of the line and no solution yet, or 0. */
static int id_of_name(const struct reading *reading, const char *line, size_t length) {
    const char *tab = memchr(line, '\t', length);
    for (size_t i = 0; i < reading->input->task_count; i++) {
        const struct task *task = &reading->input->tasks[i];
        if (is_label_of(line, (size_t)(tab - line), task) && !solutions_find(reading->solutions, task->id))
            return task->id;
    }
    return 0;
}

/* Whether lines are matched by their names: if they have names, one of which is that of a selected instance, and if
 * there is not one line for each instance of the file, so that counting is enough. */
static bool match_names(const struct reading *reading, const struct line_labels *labels) {
    struct line_walk walk = line_walk_open(reading);
    const char *line;
    size_t length;
    int id;
    if (labels->numbered || !labels->named || labels->lines == (size_t)reading->input->sources[0]->instances)
        return false;
    while (next_solution_line(&walk, &line, &length, &id))
        if (id_of_name(reading, line, length))
            return true;
    return false;
}

/* Adds the solution at the end of a line, after the name and the counts that `solve --lurd` prints. */
static soloist_code add_line(struct reading *reading, int id, const char *line, size_t length) {
    while (length && isspace((unsigned char)line[length - 1]))
        length--;
    for (const char *tab; (tab = memchr(line, '\t', length));) {
        length -= (size_t)(tab + 1 - line);
        line = tab + 1;
    }
    bool none = length == 1 && *line == '-';
    return add_claim(reading->solutions, id, none ? NULL : line, length) ? SOLOIST_OK : SOLOIST_NO_MEMORY;
}

static soloist_code read_lines(struct reading *reading) {
    const struct input *input = reading->input;
    struct line_walk walk = line_walk_open(reading);
    struct line_labels labels = inspect_lines(reading);
    bool by_name = match_names(reading, &labels);
    const char *line;
    size_t length, chosen;
    const struct task *tasks = selected(input, labels.lines, &chosen);
    int id, order = 0, instances = input->sources[0]->instances;
    soloist_code code = SOLOIST_OK;
    while (code == SOLOIST_OK && next_solution_line(&walk, &line, &length, &id)) {
        order++;
        if (by_name)
            id = id_of_name(reading, line, length);
        else if (!labels.numbered)
            id = chosen ? tasks[order - 1].id : order;
        if (!by_name && !labels.numbered && !chosen && order > instances) {
            soloist_fail(reading->error, walk.cursor.line - 1, 1, "more solutions than the %d instances of %s",
                         instances, input->sources[0]->label);
            return SOLOIST_BAD_INPUT;
        }
        if (id)
            code = add_line(reading, id, line, length);
    }
    return code;
}

/* ---- recognising the format ---- */

static soloist_code read_text(struct reading *reading) {
    const soloist_domain *domain = reading->input->sources[0]->domain;
    soloist_cursor cursor = soloist_cursor_open(reading->text, reading->length);
    const char *line = "";
    size_t length = 0;
    while (soloist_cursor_line(&cursor, &line, &length))
        if (!is_blank(line, length))
            break;
    struct json_value value;
    bool label =
        length && memchr(line, '\t', length) && !json_parse(line, length, &value, NULL); /* a name may be "{" */
    if (length && *line == '{' && !label)
        return read_json(reading);
    if (special_levels(domain) && domain->life->recognise(reading->text, reading->length) >= 50)
        return read_collection(reading);
    return read_lines(reading);
}

soloist_code solutions_read(const soloist *engine, const struct input *input, const char *text, size_t length,
                            struct solutions *solutions, soloist_error *error) {
    struct reading reading = {engine, input, text, length, solutions, error};
    *solutions = (struct solutions){0};
    *error = (soloist_error){0};
    soloist_code code = read_text(&reading);
    if (code != SOLOIST_OK)
        solutions_free(solutions);
    return code;
}

/* A very short solution is written on the same line as "Solution:": on a separate line it could be read as a title. */
void solutions_write_collection(const char *board, const char *title, const char *solution, const soloist_sink *sink) {
    soloist_put(sink, board);
    if (*board && board[strlen(board) - 1] != '\n')
        soloist_put(sink, "\n");
    if (title && *title) {
        soloist_put(sink, "Title: ");
        soloist_put(sink, title);
        soloist_put(sink, "\n");
    }
    soloist_put(sink, strlen(solution) < 8 ? "Solution: " : "Solution\n");
    soloist_put(sink, solution);
    soloist_put(sink, "\n");
}

void solutions_write_line(int id, const char *name, const char *solution, const soloist_sink *sink) {
    soloist_print(sink, "; %d%s", id, *name ? " " : "");
    for (; *name; name++) /* a line with a tab would be no comment */
        soloist_print(sink, "%c", iscntrl((unsigned char)*name) ? '?' : *name);
    soloist_put(sink, "\n");
    soloist_put(sink, solution);
    soloist_put(sink, "\n");
}

void solutions_free(struct solutions *solutions) {
    for (size_t i = 0; i < solutions->count; i++)
        free(solutions->claims[i].solution);
    free(solutions->claims);
    *solutions = (struct solutions){0};
}

const struct claim *solutions_find(const struct solutions *solutions, int id) {
    for (size_t i = 0; i < solutions->count; i++)
        if (solutions->claims[i].id == id)
            return &solutions->claims[i];
    return NULL;
}
