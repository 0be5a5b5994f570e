/* For Sokoban, the file is a .sok collection. A new solution is written before those that its level already has, so
 * that it is read first; an unfinished game is a Snapshot section, as other programs write it. For every other domain,
 * the file has pairs of lines, "; id name" and the solution, the newest pair first; an unfinished game is a comment. */
#include "cli/show/saved.h"
#include "base/buffer.h"
#include "base/replace.h"
#include "cli/shell/files.h"
#include "cli/shell/need.h"
#include "domain/sokoban/file/level.h"
#include "engine/board.h"
#include "engine/solutions.h"
#include "search/special/registry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *saved_default_path(const struct source *source) {
    struct buffer path;
    struct stat status;
    bool is_file = !stat(source->label, &status) && S_ISREG(status.st_mode);
    const char *slash = strrchr(source->label, '/'), *name = slash ? slash + 1 : source->label;
    const char *dot = strrchr(name, '.');
    size_t folder = is_file ? (size_t)(name - source->label) : 0;
    size_t stem = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    buffer_open(&path);
    soloist_sink sink = buffer_sink(&path);
    if (!strcmp(source->label, "-"))
        name = "standard-input", stem = strlen(name);
    soloist_print(&sink, "%.*s%.*s.played.%s", (int)folder, source->label, (int)stem, name,
                  special_levels(source->domain) ? "sok" : "txt");
    return need(buffer_take(&path));
}

/* Whether the first line of a text is as write_lines writes it. */
static bool begins_with_game(const char *text) {
    static const char unfinished[] = "; unfinished ";
    return !strncmp(text, "; ", 2) &&
           ((text[2] >= '1' && text[2] <= '9') || !strncmp(text, unfinished, strlen(unfinished)));
}

bool saved_suits(const char *path, const struct input *input) {
    const soloist_domain *domain = input->sources[0]->domain;
    struct stat status;
    if (!stat(path, &status) && !S_ISREG(status.st_mode)) /* a device may never end */
        return cli_complain("play: --out %s: it must be a regular file", path), false;
    size_t length = 0;
    char *text = file_read(path, &length);
    bool good = !text || !text[strspn(text, " \t\r\n")] || !domain ||
                (special_levels(domain) ? domain->life->recognise(text, length) >= 50
                                        : begins_with_game(text) && !input_is_from(input, path));
    free(text);
    return good || (cli_complain("play: --out %s: this file is not one of solutions of %s, so nothing is added to it",
                                 path, domain->name),
                    false);
}

static const char *snapshot_head(const char *line) { return strlen(line) < 8 ? "Snapshot: " : "Snapshot\n"; }

/* Whether the level's text has this game already, as a whole solution or as a whole snapshot. */
static bool holds(const struct game *game, const soloist_chunk *chunk) {
    const struct special_levels *levels = special_levels(game->solved.domain);
    const char *head = snapshot_head(game->line), *end = chunk->text + chunk->length, *text;
    size_t length, line = strlen(game->line);
    for (int i = 0; game->ended && levels->solution(chunk, i, &text, &length); i++)
        if (length == line && !memcmp(text, game->line, line))
            return true;
    for (const char *at = chunk->text; !game->ended && (at = memchr(at, '\n', (size_t)(end - at)));) {
        size_t left = (size_t)(end - ++at), size = strlen(head) + line;
        if (left >= size && !memcmp(at, head, strlen(head)) && !memcmp(at + strlen(head), game->line, line) &&
            (left == size || at[size] == '\n'))
            return true;
    }
    return false;
}

/* The level of the collection that has the game's board. */
static bool find_level(const struct game *game, const char *text, size_t length, soloist_chunk *chunk) {
    const soloist_domain *domain = game->solved.domain;
    soloist_cursor cursor = soloist_cursor_open(text, length);
    char *board = need(board_root_text(game->cli->engine, &game->solved));
    bool found = false;
    while (!found && domain->life->next(&cursor, chunk)) {
        soloist_puzzle other;
        if (need_code(soloist_puzzle_read(domain, NULL, chunk, &other, NULL)) != SOLOIST_OK)
            continue;
        char *same = need(board_root_text(game->cli->engine, &other));
        found = !strcmp(board, same);
        free(same);
        soloist_puzzle_free(&other);
    }
    free(board);
    return found;
}

static void write_snapshot(const char *line, const soloist_sink *sink) {
    soloist_put(sink, snapshot_head(line));
    soloist_put(sink, line);
    soloist_put(sink, "\n");
}

static void append_level(const struct game *game, const char *text, size_t length, const soloist_sink *sink) {
    char *board = need(board_root_text(game->cli->engine, &game->solved));
    const char *name = game->task->chunk.name;
    sink->write(sink->to, text, length);
    if (length)
        soloist_put(sink, text[length - 1] == '\n' ? "\n" : "\n\n");
    if (game->ended) {
        solutions_write_collection(board, name, game->line, sink);
    } else {
        soloist_put(sink, board);
        soloist_print(sink, "%s%s%s", *name ? "Title: " : "", name, *name ? "\n" : "");
        write_snapshot(game->line, sink);
    }
    free(board);
}

static void write_collection(const struct game *game, const char *text, size_t length, const soloist_sink *sink) {
    soloist_chunk chunk;
    if (!find_level(game, text, length, &chunk)) {
        append_level(game, text, length, sink);
    } else if (holds(game, &chunk)) {
        sink->write(sink->to, text, length);
    } else if (game->ended) {
        struct sokoban_addition addition = {chunk, game->line};
        sokoban_collection_write(text, length, &addition, 1, sink);
    } else {
        const char *end = chunk.text + chunk.length;
        sink->write(sink->to, text, (size_t)(end - text));
        soloist_put(sink, end[-1] == '\n' ? "" : "\n");
        write_snapshot(game->line, sink);
        end += *end == '\r';
        end += *end == '\n';
        sink->write(sink->to, end, (size_t)(text + length - end));
    }
}

/* A game that is the newest already is not written again. */
static void write_lines(const struct game *game, const char *text, size_t length, const soloist_sink *sink) {
    const struct task *task = game->task;
    struct buffer lines;
    buffer_open(&lines);
    soloist_sink fresh = buffer_sink(&lines);
    if (game->ended)
        solutions_write_line(task->id, task->chunk.name, game->line, &fresh);
    else
        soloist_print(&fresh, "; unfinished %d %s%s%s\n", task->id, task->chunk.name, *task->chunk.name ? ": " : "",
                      game->line);
    need_whole(&lines);
    if (length < lines.length || memcmp(text, lines.text, lines.length))
        sink->write(sink->to, lines.text, lines.length);
    buffer_close(&lines);
    sink->write(sink->to, text, length);
}

bool saved_add(const char *path, const struct game *game, soloist_error *error) {
    struct replacement file;
    size_t length = 0;
    char *old = file_read(path, &length);
    if (!old && errno != ENOENT)
        return soloist_fail(error, 0, 0, "%s: %s", path, strerror(errno));
    if (!replace_open(&file, path)) {
        soloist_fail(error, 0, 0, "%s: %s", path, strerror(errno));
        free(old);
        return false;
    }
    soloist_sink sink = cli_sink(file.stream);
    (special_levels(game->solved.domain) ? write_collection : write_lines)(game, old ? old : "", length, &sink);
    free(old);
    return replace_keep(&file) || soloist_fail(error, 0, 0, "%s: %s", path, strerror(errno));
}

/* ---- reading ---- */

static char *last_snapshot(const soloist_chunk *chunk) {
    const char *text = NULL;
    size_t length = 0;
    for (int i = 0; sokoban_chunk_snapshot(chunk, i, &text, &length); i++)
        continue;
    return text ? need_text(text, length) : NULL;
}

/* The newest line is the first. */
static char *first_unfinished(const struct game *game, const char *text, size_t length) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    const char *line;
    size_t size;
    char head[200];
    const char *name = game->task->chunk.name;
    int head_size = snprintf(head, sizeof head, "; unfinished %d %s%s", game->task->id, name, *name ? ": " : "");
    while (soloist_cursor_line(&cursor, &line, &size))
        if (size > (size_t)head_size && !memcmp(line, head, (size_t)head_size))
            return need_text(line + head_size, size - (size_t)head_size);
    return NULL;
}

char *saved_find(const char *path, const struct game *game) {
    size_t length = 0;
    char *text = file_read(path, &length), *found = NULL;
    bool collection = special_levels(game->solved.domain);
    soloist_chunk chunk;
    if (text && collection && find_level(game, text, length, &chunk))
        found = last_snapshot(&chunk);
    else if (text && !collection)
        found = first_unfinished(game, text, length);
    if (!found && collection)
        found = last_snapshot(&game->solved.chunk);
    free(text);
    return found;
}
