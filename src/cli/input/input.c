/* Names into texts, texts into chunks: everything that is known of the instances before any is parsed. */
#include "cli/input/input.h"
#include "base/ranges.h"
#include "cli/shell/files.h"
#include "cli/input/levels.h"
#include "cli/shell/need.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char *read_any(const char *name, size_t *length, int *why) {
    char *text = file_read(name, length);
    *why = errno;
    return text ? text : levels_read(name, LEVEL_SETS_BOARDS, length);
}

static void complain_missing(const char *name, int why) {
    char nearest[128];
    if (level_sets_known(name))
        cli_complain("%s: no such file, and the level set is not installed: `make levels`, or "
                     "`apt-get install cavepacker-data enigma-data`",
                     name);
    else if (why == ENOENT && levels_nearest(name, nearest, sizeof nearest))
        cli_complain("%s: no such file or level set: did you mean %s?", name, nearest);
    else if (why == ENOENT)
        cli_complain("%s: no such file or level set (`soloist info levels` lists the sets)", name);
    else
        cli_complain("%s: %s", name, strerror(why));
}

char *input_text(const char *name, char *label, size_t room, const char **range, size_t *length) {
    int why, why_short;
    *range = NULL;
    snprintf(label, room, "%s", name);
    char *text = read_any(name, length, &why);
    const char *colon = strrchr(name, ':');
    if (!text && colon && ranges_valid(colon + 1)) {
        snprintf(label, room, "%.*s", (int)(colon - name), name);
        *range = colon + 1;
        text = read_any(label, length, &why_short);
        why = why_short;
    }
    if (!text)
        complain_missing(label, why);
    return text;
}

static void add_task(struct input *input, const struct task *task) {
    /* Doubles at every power of two. */
    if ((input->task_count & (input->task_count - 1)) == 0) {
        size_t room = input->task_count ? input->task_count * 2 : 1;
        input->tasks = need_resized(input->tasks, room, sizeof *input->tasks);
    }
    input->tasks[input->task_count++] = *task;
}

/* The file as a whole is wrong: one task that says so. */
static void add_wrong_file(struct input *input, const struct source *source, const char *text) {
    struct task task = {.source = source, .id = 1};
    soloist_fail(&task.error, 1, 1, "%s", text);
    add_task(input, &task);
}

static void add_instances(struct input *input, struct source *source, const char *only, const char *range) {
    soloist_cursor cursor = soloist_cursor_open(source->text, source->length);
    struct task task = {.source = source};
    while (source->domain->life->next(&cursor, &task.chunk)) {
        task.id = ++source->instances;
        if (ranges_hold(only, task.id) && ranges_hold(range, task.id))
            add_task(input, &task);
    }
    if (!source->instances)
        add_wrong_file(input, source, "no instance here");
}

static struct source *add_source(struct input *input, const char *label, char *text, size_t length) {
    struct source *source = need_zeroed(1, sizeof *source);
    source->label = need_text(label, strlen(label));
    source->text = text;
    source->length = length;
    input->sources = need_resized(input->sources, input->source_count + 1, sizeof *input->sources);
    input->sources[input->source_count++] = source;
    return source;
}

static void add_name(const struct cli *cli, struct input *input, const char *name, const struct domain_choice *choice,
                     const char *only) {
    char label[4096];
    const char *range;
    size_t length, before = input->task_count;
    char *text = input_text(name, label, sizeof label, &range, &length);
    if (!text) {
        input->unreadable = true;
        return;
    }
    struct source *source = add_source(input, label, text, length);
    source->domain = choice->domain ? choice->domain : soloist_recognise(cli->engine, text, length);
    if (!source->domain) {
        add_wrong_file(input, source, "not recognised as a file of any domain: --domain names it");
        return;
    }
    add_instances(input, source, only, range);
    if (input->task_count == before) {
        cli_complain("%s: %s selects nothing of its %d instances", label, only ? only : range, source->instances);
        input->unreadable = true;
    }
}

bool input_read(const struct cli *cli, const struct arg_list *names, const struct domain_choice *choice,
                const char *only, struct input *input) {
    *input = (struct input){.options = choice->options};
    if (only && !ranges_valid(only))
        return cli_complain("--only %s: expected numbers from 1 and ranges, e.g. 1,5-9,20-", only), false;
    for (size_t i = 0; i < names->count; i++)
        add_name(cli, input, names->items[i], choice, only);
    return true;
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

static bool has_option(const soloist_domain *domain, const char *name) {
    for (const soloist_option *row = domain->options; row && row->kind != SOLOIST_OPTION_END; row++)
        if (!strcmp(row->name, name))
            return true;
    return false;
}

soloist_code input_puzzle(const struct input *input, const struct task *task, soloist_puzzle *puzzle,
                          soloist_error *error) {
    if (*task->error.text) {
        *error = task->error;
        return SOLOIST_BAD_INPUT;
    }
    const soloist_domain *domain = task->source->domain;
    char options[1024];
    bool count = input->cost && has_option(domain, "optimal");
    snprintf(options, sizeof options, "%s%s%s%s", input->options ? input->options : "",
             count && input->options ? "," : "", count ? "optimal=" : "", count ? input->cost : "");
    return soloist_puzzle_read(domain, options, &task->chunk, puzzle, error);
}
