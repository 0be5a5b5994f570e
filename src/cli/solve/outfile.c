/* For Sokoban a .sok collection is written: board, title, solution. For every other domain the file has one solution
 * per line, below a comment "; id name". `check` reads both. */
#include "cli/solve/outfile.h"
#include "cli/shell/format.h"
#include "cli/shell/need.h"
#include "engine/solutions.h"
#include "search/special/registry.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool outfile_open(struct outfile *out, const char *path, const struct input *input) {
    *out = (struct outfile){0};
    if (input_is_from(input, path))
        return cli_complain("--out: %s is the input: choose another name", path), false;
    struct stat status;
    out->replaces = !stat(path, &status) && S_ISREG(status.st_mode);
    return new_file_open(&out->file, path, true);
}

enum { PATH_ROOM = 4096 };

/* The file beside a source: its name with another ending. False if the name is too long. */
static bool beside_path(const struct source *source, char out[PATH_ROOM]) {
    const char *label = source->label, *slash = strrchr(label, '/'), *name = slash ? slash + 1 : label;
    const char *dot = strrchr(name, '.');
    int stem = (int)(dot && dot > name ? dot - label : (long)strlen(label));
    const char *ending = !special_levels(source->domain) ? ".solutions.txt"
                         : path_ends_in(label, ".sok")   ? ".solutions.sok"
                                                         : ".sok";
    return snprintf(out, PATH_ROOM, "%.*s%s", stem, label, ending) < PATH_ROOM;
}

/* Two sources must not lead to the same file: the second would replace the first. */
static bool is_free(const struct input *input, size_t at, const char *path) {
    char earlier[PATH_ROOM];
    for (size_t i = 0; i < at; i++)
        if (beside_path(input->sources[i], earlier) && path_is_same_file(earlier, path))
            return cli_complain("--save: the solutions of %s and %s would both go to %s: %s", input->sources[i]->label,
                                input->sources[at]->label, path,
                                path_is_same_file(input->sources[i]->label, input->sources[at]->label)
                                    ? SELECT_TOGETHER
                                    : "solve them one after the other, with --out FILE"),
                   false;
    return true;
}

bool outfile_open_beside(struct outfile *out, const struct input *input, const char *resume) {
    char path[PATH_ROOM];
    *out = (struct outfile){.beside = true};
    for (size_t i = 0; i < input->source_count; i++) {
        const char *label = input->sources[i]->label;
        if (access(label, F_OK))
            return cli_complain("--save: %s is not a file: name one with --out", label), false;
        if (!beside_path(input->sources[i], path))
            return cli_complain("--save: %s: the name is too long", label), false;
        if (!access(path, F_OK))
            return cli_complain("--save: %s is already there and is not overwritten: move it away, or use --out", path),
                   false;
        if (path_is_same_file(path, resume))
            return cli_complain("--save: the solutions of %s would go to %s, the file of --resume: name another one",
                                label, path),
                   false;
        if (!is_free(input, i, path))
            return false;
    }
    return true;
}

const char *outfile_noun(size_t count) { return count == 1 ? "solution" : "solutions"; }

/* Ends the file that is open: keeps it if it has a solution. Standard output needs no news. */
static bool end_file(struct outfile *out) {
    soloist_sink news = buffer_sink(&out->news);
    char *name = out->file.name ? need_text(out->file.name, strlen(out->file.name)) : NULL;
    bool kept = true;
    if (out->in_file)
        kept = new_file_keep(&out->file);
    else
        new_file_drop(&out->file);
    if (name && kept) {
        if (out->in_file)
            soloist_print(&news, "wrote %zu %s to ", out->in_file, outfile_noun(out->in_file));
        else
            soloist_put(&news, "no solution: ");
        format_path(&news, name);
        soloist_put(&news, !out->in_file ? " was not written\n" : out->replaces ? " (replaced)\n" : "\n");
    }
    free(name);
    out->in_file = 0;
    return kept;
}

/* With --save, the solutions of another source go to another file. */
static bool turn_to(struct outfile *out, const struct source *source) {
    char path[PATH_ROOM];
    if (!out->beside || out->last_source == source)
        return true;
    if (out->file.stream && !end_file(out))
        return false;
    out->last_source = NULL;
    return beside_path(source, path) && new_file_open(&out->file, path, true);
}

static void write_source(struct outfile *out, const struct source *source) {
    if (out->last_source == source)
        return;
    /* In a collection, a comment would become the title of a level without one. */
    fprintf(out->file.stream, "%s%s", out->last_source ? "\n" : "",
            special_levels(source->domain) ? "Collection: " : "; ");
    soloist_sink sink = cli_sink(out->file.stream);
    format_path(&sink, source->label);
    fputs(": solutions by Soloist " SOLOIST_VERSION "\n", out->file.stream);
    out->last_source = source;
}

bool outfile_add(struct outfile *out, const struct task *task, const struct outcome *outcome) {
    const char *solution = outcome->result.solution;
    if (!solution || (!out->file.stream && !out->beside))
        return true;
    if (!turn_to(out, task->source))
        return false;
    FILE *stream = out->file.stream;
    soloist_sink sink = cli_sink(stream);
    flockfile(stream);
    write_source(out, task->source);
    if (special_levels(task->source->domain) && outcome->board) {
        fputc('\n', stream);
        solutions_write_collection(outcome->board, task->chunk.name, solution, &sink);
    } else {
        solutions_write_line(task->id, task->chunk.name, solution, &sink);
    }
    out->solutions++;
    out->in_file++;
    funlockfile(stream);
    if (new_file_flush(&out->file))
        return true;
    new_file_drop(&out->file);
    return false;
}

bool outfile_close(struct outfile *out, FILE *tell) {
    bool written = !out->file.stream || end_file(out);
    if (tell && out->beside && !out->solutions)
        fputs("no solution: nothing was written\n", tell);
    if (tell && out->news.text)
        fputs(out->news.text, tell);
    buffer_close(&out->news);
    return written;
}
