/* `soloist info duplicates FILE...`: finds Sokoban levels, in one file or in several, that are the same game although
 * they are rotated, mirrored or decorated, or have the player elsewhere in the same region. */
#include "cli/shell/json_line.h"
#include "cli/shell/format.h"
#include "cli/info/info.h"
#include "cli/input/input.h"
#include "cli/shell/need.h"
#include "domain/sokoban/file/level.h"
#include "engine/canonical_form.h"

#include <stdlib.h>

struct entry {
    const struct task *task;
    struct canonical_form form;
};

static bool are_equal(const struct entry *a, const struct entry *b) { return canonical_form_equal(&a->form, &b->form); }

/* Sorts levels so that equal ones are adjacent, in the order of the files. */
static int by_form(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    int order = canonical_form_order(&x->form, &y->form);
    return order ? order : x->task < y->task ? -1 : 1;
}

/* Orders groups by their first level. */
static int by_first(const void *a, const void *b) {
    const struct entry *const *x = a, *const *y = b;
    return (*x)->task < (*y)->task ? -1 : (*x)->task > (*y)->task;
}

static size_t read_entries(struct input *input, struct entry *entries) {
    struct sokoban_level *level = need_bytes(sizeof *level);
    size_t count = 0;
    for (size_t i = 0; i < input->task_count; i++) {
        const struct task *task = &input->tasks[i];
        soloist_error error = task->error;
        if (*error.text || !sokoban_level_parse(&task->chunk, level, &error)) {
            cli_complain_at(task->source->label, &error);
            input->unreadable = true;
        } else {
            entries[count].task = task;
            need_code(canonical_form_read(task->source->domain, &task->chunk, false, &entries[count++].form));
        }
    }
    free(level);
    return count;
}

static void print_json(const struct entry *first, size_t size, size_t number) {
    struct json_line line;
    struct json_writer *json = json_line_open(&line);
    json_int(json, "group", (int64_t)number);
    json_array(json, "levels");
    for (size_t i = 0; i < size; i++) {
        const struct task *task = first[i].task;
        json_object(json, NULL);
        json_text(json, "file", task->source->label);
        json_int(json, "id", task->id);
        json_text(json, "name", task->chunk.name);
        json_end(json, '}');
    }
    json_end(json, ']');
    json_line_print(&line);
}

static void print_text(const struct entry *first, size_t size) {
    for (size_t i = 0; i < size; i++) {
        const struct task *task = first[i].task;
        printf("%s%s %d  ", i ? "  = " : "", task->source->label, task->id);
        format_name(stdout, task->chunk.name, format_width(task->chunk.name));
        printf("\n");
    }
}

static void print_groups(struct entry *entries, size_t count, bool as_json) {
    const struct entry **firsts = need_zeroed(count, sizeof *firsts);
    size_t groups = 0, copies = 0;
    qsort(entries, count, sizeof *entries, by_form);
    for (size_t i = 0; i + 1 < count; i++)
        if ((!i || !are_equal(&entries[i - 1], &entries[i])) && are_equal(&entries[i], &entries[i + 1]))
            firsts[groups++] = &entries[i];
    qsort(firsts, groups, sizeof *firsts, by_first);
    for (size_t g = 0; g < groups; g++) {
        size_t size = 1;
        while (firsts[g] + size < entries + count && are_equal(firsts[g], firsts[g] + size))
            size++;
        copies += size - 1;
        if (as_json)
            print_json(firsts[g], size, g + 1);
        else
            print_text(firsts[g], size);
    }
    if (!as_json)
        printf("%s%zu %s, %zu different, %zu %s of equal ones\n", groups ? "\n" : "", count,
               count == 1 ? "level" : "levels", count - copies, groups, groups == 1 ? "group" : "groups");
    free(firsts);
}

int info_duplicates(const struct cli *cli, const struct arg_list *files, bool json) {
    struct domain_choice choice = {soloist_find_domain(cli->engine, "sokoban"), NULL};
    struct input input = {0};
    if (!files->count)
        return cli_complain("info duplicates: which FILE? several may be named");
    if (!input_read(cli, files, &choice, NULL, &input))
        return input_free(&input), CLI_BAD;
    struct entry *entries = need_zeroed(input.task_count, sizeof *entries);
    size_t count = read_entries(&input, entries);
    print_groups(entries, count, json);
    for (size_t i = 0; i < count; i++)
        canonical_form_free(&entries[i].form);
    free(entries);
    int status = input.unreadable ? CLI_BAD : CLI_OK;
    input_free(&input);
    return status;
}
