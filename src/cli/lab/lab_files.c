/* Experiment files, and the files that they name. */
#include "base/buffer.h"
#include "cli/shell/files.h"
#include "cli/lab/lab.h"
#include "cli/input/levels.h"
#include "cli/shell/need.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads a file; NULL: it cannot be read. If memory runs out, the program ends, so that no other file of the same name
 * is read instead. */
static char *read_file(const char *path, size_t *length) {
    char *text = file_read(path, length);
    if (!text && errno == ENOMEM)
        need_failed();
    return text;
}

static void set_name(struct lab_file *file) {
    const char *slash = strrchr(file->path, '/'), *base = slash ? slash + 1 : file->path;
    const char *dot = strrchr(base, '.');
    size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    snprintf(file->name, sizeof file->name, "%.*s", (int)(length < 100 ? length : 100), base);
}

bool lab_file_open(struct lab_file *file, const char *path) {
    size_t length;
    soloist_error error = {0};
    char below[256], found[4096];
    snprintf(below, sizeof below, "experiments/%.200s", path);
    if (access(path, F_OK) && levels_find(below, found, sizeof found))
        path = found;
    *file = (struct lab_file){.path = need_text(path, strlen(path)), .text = read_file(path, &length)};
    if (!file->text) {
        cli_complain("%s: %s", path, strerror(errno));
    } else if (!experiment_read(file->text, length, &file->experiment, &error)) {
        cli_complain_at(path, &error);
    } else {
        set_name(file);
        return true;
    }
    free(file->path);
    free(file->text);
    return false;
}

void lab_file_close(struct lab_file *file) {
    experiment_free(&file->experiment);
    free(file->path);
    free(file->text);
}

void lab_add_data(const char *folders) {
    const char *old = getenv("SOLOIST_LEVELS");
    struct buffer list;
    if (!folders)
        return;
    buffer_open(&list);
    soloist_sink sink = buffer_sink(&list);
    soloist_print(&sink, "%s%s%s", folders, old ? ":" : "", old ? old : "");
    need_whole(&list);
    if (setenv("SOLOIST_LEVELS", list.text, 1))
        need_failed();
    buffer_close(&list);
}

/* Reads folder/name for the first folder of a list A:B:C that has it. */
static char *read_in_list(const char *list, const char *name, size_t *length) {
    char path[4096], *text = NULL;
    while (list && *list && !text) {
        size_t size = strcspn(list, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)size, list, name);
        text = read_file(path, length);
        list += size + (list[size] == ':');
    }
    return text;
}

char *lab_read_name(void *user, const char *name, size_t *length, soloist_error *error) {
    const struct lab_file *file = user;
    const char *slash = strrchr(file->path, '/');
    char folder[4096], nearest[128];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - file->path + 1) : 1, slash ? file->path : ".");
    char *text = *name == '/' ? NULL : read_in_list(folder, name, length);
    text = text || !strcmp(name, "-") ? text : read_file(name, length);
    text = text ? text : read_in_list(getenv("SOLOIST_LEVELS"), name, length);
    text = text ? text : read_in_list(getenv("SOLOIST_DATA"), name, length);
    text = text ? text : levels_read(name, LEVEL_SETS_BOARDS, length);
    if (!text && level_sets_known(name))
        soloist_fail(error, 0, 0,
                     "%.80s: the level set is not installed: `make levels`, or --data FOLDER if you have it", name);
    else if (!text && levels_nearest(name, nearest, sizeof nearest))
        soloist_fail(error, 0, 0, "%.100s: no such file or level set: did you mean %s?", name, nearest);
    else if (!text)
        soloist_fail(error, 0, 0, "%.120s: no such file or level set; name further folders with --data", name);
    return text;
}
