#include "cli/solve/writeback.h"
#include "cli/shell/files.h"
#include "cli/shell/format.h"
#include "cli/solve/outfile.h"
#include "search/special/registry.h"
#include "cli/shell/need.h"
#include "domain/sokoban/file/counts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_file(const char *path) {
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode);
}

bool writeback_open(struct writeback *writeback, const struct input *input, const char *out) {
    *writeback = (struct writeback){0};
    if (out && input->source_count > 1)
        return cli_complain("--write-back: --out cannot hold %zu files: name one FILE", input->source_count), false;
    for (size_t i = 0; i < input->source_count; i++) {
        const struct source *source = input->sources[i];
        if (!special_levels(source->domain))
            return cli_complain("--write-back: %s is not a file of Sokoban levels", source->label), false;
        if (!out && !is_file(source->label))
            return cli_complain("--write-back: %s is not a file: name one with --out", source->label), false;
        for (size_t k = 0; k < i; k++)
            if (path_is_same_file(source->label, input->sources[k]->label))
                return cli_complain("--write-back: %s is named twice: " SELECT_TOGETHER, source->label), false;
    }
    writeback->solutions = need_zeroed(input->task_count, sizeof *writeback->solutions);
    writeback->input = input;
    writeback->out = out;
    writeback->replaces = out && is_file(out);
    return true;
}

static int64_t aimed(const struct sokoban_counts *counts, enum polish_count count) {
    switch (count) {
    case POLISH_COUNT_PUSHES: return counts->pushes;
    case POLISH_COUNT_MOVES: return counts->moves;
    case POLISH_COUNT_BOX_LINES: return counts->box_lines;
    case POLISH_COUNT_BOX_CHANGES: return counts->box_changes;
    default: return counts->pushing_sessions;
    }
}

static struct sokoban_counts count_letters(const char *solution) {
    struct sokoban_counts counts = {0};
    errno = 0;
    need_no_failure(sokoban_count_text(solution, strlen(solution), &counts));
    return counts;
}

bool writeback_is_better(struct polish_aim aim, const char *solution, const char *than) {
    struct sokoban_counts first = count_letters(solution), second = count_letters(than);
    for (int i = 0; i < aim.count; i++) {
        int64_t a = aimed(&first, aim.order[i]), b = aimed(&second, aim.order[i]);
        if (a != b)
            return a < b;
    }
    return false;
}

/* Whether a solution of the file, which the referee accepts, is at least as good as the new one. */
static bool is_as_good(const struct writeback *writeback, const soloist_verdict *old, const char *text, size_t length,
                       const soloist_verdict *verdict, const char *solution) {
    if (old->pushes > verdict->pushes || old->moves > verdict->moves)
        return false;
    char *copy = need_text(text, length);
    bool better = writeback_is_better(writeback->aim, solution, copy);
    free(copy);
    return !better;
}

static bool has_as_good(const struct writeback *writeback, const struct task *task, const soloist_verdict *verdict,
                        const char *solution) {
    const char *text;
    size_t length;
    const struct special_levels *levels = special_levels(task->source->domain);
    for (int i = 0; levels->solution(&task->chunk, i, &text, &length); i++) {
        soloist_verdict old;
        if (sokoban_referee(&task->chunk, text, length, &old, NULL) &&
            is_as_good(writeback, &old, text, length, verdict, solution))
            return true;
    }
    return false;
}

void writeback_add(struct writeback *writeback, const struct task *task, const soloist_verdict *verdict,
                   const char *solution) {
    bool needed = solution && *solution; /* a level that is solved at the start needs none */
    if (!writeback->input || !needed || has_as_good(writeback, task, verdict, solution))
        return;
    size_t index = (size_t)(task - writeback->input->tasks);
    free(writeback->solutions[index]);
    writeback->solutions[index] = need_text(solution, strlen(solution));
}

static void tell_written(const struct writeback *writeback, const struct source *source, size_t count, FILE *tell) {
    const char *path = writeback->out ? writeback->out : source->label;
    if (!tell || !strcmp(path, "-"))
        return;
    soloist_sink sink = cli_sink(tell);
    if (count)
        soloist_print(&sink, "wrote %zu %s to ", count, outfile_noun(count));
    else
        soloist_put(&sink, "no new solution: ");
    format_path(&sink, path);
    bool copied = !count && writeback->out && !writeback->replaces;
    if (count && writeback->replaces)
        soloist_put(&sink, " (replaced)");
    if (!count)
        soloist_put(&sink, copied ? " is a copy of " : " was not changed");
    if (copied)
        format_path(&sink, source->label);
    soloist_put(&sink, "\n");
}

static bool write_source(const struct writeback *writeback, const struct source *source, FILE *tell) {
    const struct input *input = writeback->input;
    struct sokoban_addition *additions = need_zeroed(input->task_count, sizeof *additions);
    size_t count = 0;
    for (size_t i = 0; i < input->task_count; i++)
        if (input->tasks[i].source == source && writeback->solutions[i])
            additions[count++] = (struct sokoban_addition){input->tasks[i].chunk, writeback->solutions[i]};
    struct new_file file = {0};
    bool good = true;
    if (count || (writeback->out && !writeback->replaces)) {
        good = new_file_open(&file, writeback->out ? writeback->out : source->label, false);
        if (good) {
            soloist_sink sink = cli_sink(file.stream);
            sokoban_collection_write(source->text, source->length, additions, count, &sink);
            good = new_file_keep(&file);
        }
    }
    free(additions);
    if (good)
        tell_written(writeback, source, count, tell);
    return good;
}

bool writeback_close(struct writeback *writeback, FILE *tell) {
    bool good = true;
    if (!writeback->input)
        return true;
    for (size_t i = 0; i < writeback->input->source_count; i++)
        good &= write_source(writeback, writeback->input->sources[i], tell);
    writeback_drop(writeback);
    return good;
}

void writeback_drop(struct writeback *writeback) {
    for (size_t i = 0; writeback->input && i < writeback->input->task_count; i++)
        free(writeback->solutions[i]);
    free(writeback->solutions);
    *writeback = (struct writeback){0};
}
