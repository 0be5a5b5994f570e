/* Three forms of a file of solutions, each a reader that adds claims. */
#include "cli/input/solutions.h"
#include "base/json.h"
#include "engine/board.h"
#include "cli/shell/files.h"
#include "cli/input/hooks.h"
#include "cli/input/levels.h"
#include "cli/shell/need.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    const struct cli *cli;
    const struct input *input;
    const char *name;
    const char *text;
    size_t length;
    struct solutions *solutions;
};

static struct claim *add_claim(struct solutions *solutions, int id) {
    solutions->claims = need_resized(solutions->claims, solutions->count + 1, sizeof *solutions->claims);
    solutions->claims[solutions->count] = (struct claim){.id = id};
    return &solutions->claims[solutions->count++];
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

static bool json_claim(struct claim *claim, struct json_value line) {
    static const char *const names[] = {"pushes", "moves", "cost", "score"};
    struct json_value solution = json_member(line, "solution");
    claim->impossible = text_is(json_member(line, "status"), "impossible");
    if (solution.kind == JSON_TEXT) {
        size_t room = (size_t)(solution.end - solution.start) + 1;
        claim->solution = need_bytes(room);
        if (json_get_text(solution, claim->solution, room) < 0)
            return false;
    } else if (solution.kind == JSON_ARRAY || solution.kind == JSON_OBJECT || solution.kind == JSON_NUMBER) {
        claim->solution = need_text(solution.start, (size_t)(solution.end - solution.start));
    }
    for (int i = 0; i < CLAIMED_COUNTS; i++)
        claim->has[i] = member_int(line, names[i], &claim->count[i]);
    return true;
}

/* A file of solve --resume may tell of an instance more than once: a solution counts before none, a game before one of
 * less score, and otherwise what was told last. */
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

/* Lines about several files may stand together: then only those that name this one count. */
static bool names_our_file(const struct reading *reading, struct json_value line) {
    return text_is(json_member(line, "file"), reading->input->sources[0]->label);
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

static bool read_json(struct reading *reading) {
    soloist_cursor cursor = soloist_cursor_open(reading->text, reading->length);
    bool only_ours = any_names_our_file(reading);
    const char *line;
    size_t length;
    for (int number = 1; soloist_cursor_line(&cursor, &line, &length); number++) {
        soloist_error error = {0};
        struct json_value value = {0};
        int64_t id = 0;
        if (is_blank(line, length))
            continue;
        bool good = json_parse(line, length, &value, &error);
        if (good && only_ours && !names_our_file(reading, value))
            continue;
        if (good && (value.kind != JSON_OBJECT || !member_int(value, "id", &id) || id < 1 || id > 1 << 30))
            good = soloist_fail(&error, 0, 1, "expected an object with \"id\" and \"solution\"");
        if (good && !json_claim(add_claim(reading->solutions, (int)id), value))
            good = soloist_fail(&error, 0, 1, "\"solution\" is not a proper text");
        error.line = number;
        if (!good)
            return cli_complain_at(reading->name, &error), false;
        keep_better(reading->solutions);
    }
    return true;
}

/* ---- a collection with solutions in it ---- */

/* Boards are matched by what they are, not by their number: a collection may hold some of the levels only. */
static int id_of_board(const struct reading *reading, const char *board, char **boards) {
    for (size_t i = 0; i < reading->input->task_count; i++) {
        int id = reading->input->tasks[i].id;
        if (boards[i] && !strcmp(boards[i], board) && !solutions_find(reading->solutions, id))
            return id;
    }
    return 0;
}

static char *chunk_board(const struct reading *reading, const soloist_chunk *chunk) {
    soloist_puzzle puzzle;
    soloist_error error;
    if (need_code(soloist_puzzle_read(reading->input->sources[0]->domain, reading->input->options, chunk, &puzzle,
                                      &error)) != SOLOIST_OK)
        return NULL;
    char *board = need(board_root_text(reading->cli->engine, &puzzle));
    soloist_puzzle_free(&puzzle);
    return board;
}

static bool read_collection(struct reading *reading) {
    const struct input *input = reading->input;
    const soloist_domain *domain = input->sources[0]->domain;
    char **boards = need_zeroed(input->task_count, sizeof *boards);
    for (size_t i = 0; i < input->task_count; i++)
        boards[i] = chunk_board(reading, &input->tasks[i].chunk);
    soloist_cursor cursor = soloist_cursor_open(reading->text, reading->length);
    soloist_chunk chunk;
    while (domain->life->next(&cursor, &chunk)) {
        const char *text;
        size_t length;
        char *board = chunk_board(reading, &chunk);
        int id = board ? id_of_board(reading, board, boards) : 0;
        if (id && hooks_find(domain)->solution(&chunk, 0, &text, &length))
            add_claim(reading->solutions, id)->solution = need_text(text, length);
        free(board);
    }
    for (size_t i = 0; i < input->task_count; i++)
        free(boards[i]);
    free(boards);
    return true;
}

/* ---- plain lines ---- */

/* The number of a comment "; 12 name", or 0. */
static int comment_id(const char *line, size_t length) {
    size_t at = 1;
    int id = 0;
    while (at < length && line[at] == ' ')
        at++;
    for (; at < length && isdigit((unsigned char)line[at]) && id < 100000000; at++)
        id = id * 10 + (line[at] - '0');
    return at == length || line[at] == ' ' ? id : 0;
}

/* Walks over the solution lines; *id is the number in the comment right above, 0 if there is none. */
static bool next_solution_line(soloist_cursor *cursor, const char **line, size_t *length, int *id) {
    *id = 0;
    while (soloist_cursor_line(cursor, line, length)) {
        if (is_blank(*line, *length))
            continue;
        if (**line != ';' && **line != '#')
            return true;
        *id = comment_id(*line, *length);
    }
    return false;
}

static bool every_line_has_its_id(const struct reading *reading) {
    soloist_cursor cursor = soloist_cursor_open(reading->text, reading->length);
    const char *line;
    size_t length;
    int id, lines = 0;
    for (; next_solution_line(&cursor, &line, &length, &id); lines++)
        if (!id)
            return false;
    return lines > 0;
}

static bool read_lines(struct reading *reading) {
    const struct input *input = reading->input;
    soloist_cursor cursor = soloist_cursor_open(reading->text, reading->length);
    bool by_id = every_line_has_its_id(reading);
    const char *line;
    size_t length;
    int id, order = 0, instances = input->sources[0]->instances;
    while (next_solution_line(&cursor, &line, &length, &id)) {
        order++;
        if (!by_id && order > instances) {
            soloist_error error = {cursor.line - 1, 1, ""};
            snprintf(error.text, sizeof error.text, "more solutions than the %d instances of %s", instances,
                     input->sources[0]->label);
            return cli_complain_at(reading->name, &error), false;
        }
        while (length && isspace((unsigned char)line[length - 1]))
            length--;
        struct claim *claim = add_claim(reading->solutions, by_id ? id : order);
        if (length != 1 || *line != '-')
            claim->solution = need_text(line, length);
    }
    return true;
}

/* ---- which form ---- */

static bool read_text(struct reading *reading) {
    const soloist_domain *domain = reading->input->sources[0]->domain;
    soloist_cursor cursor = soloist_cursor_open(reading->text, reading->length);
    const char *line = "";
    size_t length = 0;
    while (soloist_cursor_line(&cursor, &line, &length))
        if (!is_blank(line, length))
            break;
    if (length && *line == '{')
        return read_json(reading);
    if (hooks_find(domain) && domain->life->recognise(reading->text, reading->length) >= 50)
        return read_collection(reading);
    return read_lines(reading);
}

bool solutions_read(const struct cli *cli, const char *name, const struct input *input, struct solutions *solutions) {
    struct reading reading = {.cli = cli, .input = input, .name = name, .solutions = solutions};
    *solutions = (struct solutions){0};
    char label[4096];
    const char *range;
    /* Standard input can be read only once: it was the levels then. */
    bool again = !strcmp(name, "-") && !strcmp(input->sources[0]->label, "-");
    reading.length = again ? input->sources[0]->length : 0;
    char *text = again ? need_text(input->sources[0]->text, reading.length) : file_read(name, &reading.length);
    if (!text)
        text = levels_read(name, LEVEL_SETS_SOLUTIONS, &reading.length);
    if (!text)
        text = input_text(name, label, sizeof label, &range, &reading.length);
    if (!text)
        return false;
    reading.text = text;
    bool good = read_text(&reading);
    free(text);
    if (!good)
        solutions_free(solutions);
    return good;
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
