/* Sokoban gets a .sok collection: board, title, solution. Every other domain gets one solution a line below a comment
 * "; id name". Both are what `check` reads back. */
#include "cli/solve/outfile.h"
#include "cli/input/hooks.h"

#include <string.h>

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

/* A handful of moves stands on the Solution line itself: alone on a line it could be taken for a title. */
static void write_board(FILE *stream, const struct task *task, const struct outcome *outcome) {
    const char *solution = outcome->result.solution;
    fprintf(stream, "\n%s", outcome->board);
    if (*task->chunk.name)
        fprintf(stream, "Title: %s\n", task->chunk.name);
    fprintf(stream, strlen(solution) < 8 ? "Solution: %s\n" : "Solution\n%s\n", solution);
}

bool outfile_add(struct outfile *out, const struct task *task, const struct outcome *outcome) {
    FILE *stream = out->file.stream;
    if (!stream || !outcome->result.solution)
        return true;
    flockfile(stream);
    write_source(out, task->source);
    if (hooks_find(task->source->domain) && outcome->board)
        write_board(stream, task, outcome);
    else
        fprintf(stream, "; %d%s%s\n%s\n", task->id, *task->chunk.name ? " " : "", task->chunk.name,
                outcome->result.solution);
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
