/* Splits texts into chunks, one per instance, before any instance is parsed. */
#include "engine/input.h"
#include "base/buffer.h"
#include "base/options.h"
#include "base/ranges.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool add_task(struct input *input, const struct task *task) {
    /* Grows the array by doubling at every power of two. */
    if ((input->task_count & (input->task_count - 1)) == 0) {
        size_t room = input->task_count ? input->task_count * 2 : 1;
        struct task *larger = realloc(input->tasks, room * sizeof *larger);
        if (!larger)
            return false;
        input->tasks = larger;
    }
    input->tasks[input->task_count++] = *task;
    return true;
}

struct source *input_add_source(struct input *input, const char *label, char *text, size_t length) {
    struct source *source = calloc(1, sizeof *source);
    char *copy = strdup(label);
    struct source **larger = realloc(input->sources, (input->source_count + 1) * sizeof *larger);
    input->sources = larger ? larger : input->sources;
    if (!source || !copy || !larger)
        return free(source), free(copy), NULL;
    *source = (struct source){.label = copy, .text = text, .length = length};
    return input->sources[input->source_count++] = source;
}

soloist_code input_add_wrong(struct input *input, const struct source *source, const char *text) {
    struct task task = {.source = source, .id = 1};
    soloist_fail(&task.error, 1, 1, "%s", text);
    return add_task(input, &task) ? SOLOIST_OK : SOLOIST_NO_MEMORY;
}

/* A place in a text, and the beginning of its line. */
struct place {
    const char *at, *line, *end;
};

/* Moves forward to `to`, and returns the number of bytes before it in its line. */
static int move_to(struct place *place, const char *to) {
    if (to < place->at || to > place->end)
        return 0;
    for (; place->at < to; place->at++)
        if (*place->at == '\n' || *place->at == '\r')
            place->line = place->at + 1;
    return to - place->line <= INT_MAX ? (int)(to - place->line) : 0;
}

soloist_code input_add_instances(struct input *input, struct source *source, const char *only, const char *range) {
    soloist_cursor cursor = soloist_cursor_open(source->text, source->length);
    struct task task = {.source = source};
    struct place place = {cursor.at, cursor.at, cursor.end};
    while (source->domain->life->next(&cursor, &task.chunk)) {
        task.id = ++source->instances;
        task.before = move_to(&place, task.chunk.text);
        if (ranges_hold(only, task.id) && ranges_hold(range, task.id) && !add_task(input, &task))
            return SOLOIST_NO_MEMORY;
    }
    char wrong[96];
    snprintf(wrong, sizeof wrong, "no instance of the domain %.40s in this file", source->domain->name);
    return source->instances ? SOLOIST_OK : input_add_wrong(input, source, wrong);
}

void input_free(struct input *input) {
    for (size_t i = 0; i < input->source_count; i++) {
        free(input->sources[i]->label);
        free(input->sources[i]->text);
        free(input->sources[i]);
    }
    free(input->sources);
    free(input->tasks);
    *input = (struct input){0};
}

soloist_code input_puzzle(const struct input *input, const struct task *task, soloist_puzzle *puzzle,
                          soloist_error *error) {
    return input_puzzle_within(input, task, NULL, puzzle, error);
}

static soloist_code read_task(const struct input *input, const struct task *task, soloist_stop_token *stop,
                              soloist_puzzle *puzzle, soloist_error *error) {
    const soloist_domain *domain = task->source->domain;
    if (!input->cost || !options_find(domain->options, "optimal", strlen("optimal")))
        return soloist_puzzle_read_within(domain, input->options, &task->chunk, stop, puzzle, error);
    struct buffer options;
    buffer_open(&options);
    soloist_sink sink = buffer_sink(&options);
    const char *given = input->options ? input->options : "";
    bool joined = !*given || given[strlen(given) - 1] == ',';
    soloist_print(&sink, "%s%soptimal=%s", given, joined ? "" : ",", input->cost);
    soloist_code code = options.failed
                            ? SOLOIST_NO_MEMORY
                            : soloist_puzzle_read_within(domain, options.text, &task->chunk, stop, puzzle, error);
    buffer_close(&options);
    return code;
}

soloist_code input_puzzle_within(const struct input *input, const struct task *task, soloist_stop_token *stop,
                                 soloist_puzzle *puzzle, soloist_error *error) {
    if (*task->error.text) {
        *error = task->error;
        return SOLOIST_BAD_INPUT;
    }
    soloist_code code = read_task(input, task, stop, puzzle, error);
    if (code == SOLOIST_BAD_INPUT && error->column && error->line == task->chunk.line)
        error->column += task->before; /* the domain has counted from the beginning of the chunk */
    return code;
}
