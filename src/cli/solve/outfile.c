/* For Sokoban a .sok collection is written: board, title, solution. For every other domain the file has one solution
 * per line, below a comment "; id name". `check` reads both. */
#include "cli/solve/outfile.h"
#include "engine/solutions.h"
#include "search/special/registry.h"

bool outfile_open(struct outfile *out, const char *path) {
    *out = (struct outfile){0};
    return new_file_open(&out->file, path, true);
}

static void write_source(struct outfile *out, const struct source *source) {
    if (out->last_source == source)
        return;
    fprintf(out->file.stream, "%s; %s: solutions by Soloist " SOLOIST_VERSION "\n", out->last_source ? "\n" : "",
            source->label);
    out->last_source = source;
}

bool outfile_add(struct outfile *out, const struct task *task, const struct outcome *outcome) {
    FILE *stream = out->file.stream;
    const char *solution = outcome->result.solution;
    soloist_sink sink = cli_sink(stream);
    if (!stream || !solution)
        return true;
    flockfile(stream);
    write_source(out, task->source);
    if (special_levels(task->source->domain) && outcome->board) {
        fputc('\n', stream);
        solutions_write_collection(outcome->board, task->chunk.name, solution, &sink);
    } else {
        solutions_write_line(task->id, task->chunk.name, solution, &sink);
    }
    out->solutions++;
    funlockfile(stream);
    if (new_file_flush(&out->file))
        return true;
    new_file_drop(&out->file);
    return false;
}

bool outfile_close(struct outfile *out, bool interrupted) {
    if (!interrupted || out->solutions)
        return new_file_keep(&out->file);
    new_file_drop(&out->file);
    return true;
}
