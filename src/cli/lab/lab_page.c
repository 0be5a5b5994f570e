/* Pages of experiments: where a chapter came from, and whether its experiment's text has changed since. */
#include "cli/lab/lab_page.h"

#include "base/hash.h"
#include "cli/input/levels.h"
#include "cli/shell/files.h"
#include "cli/shell/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ORIGIN "from the experiment file whose hash is `"
enum { HASH_DIGITS = 16 };

static void write_hash(const char *text, char *out, size_t room) {
    snprintf(out, room, "%0*" PRIx64, HASH_DIGITS, hash_bytes(text, strlen(text)));
}

void page_put_origin(const char *text, const char *machine, const soloist_sink *sink) {
    char here[256], date[32] = "", hash[HASH_DIGITS + 1];
    time_t now = time(NULL);
    struct tm day;
    if (gmtime_r(&now, &day))
        strftime(date, sizeof date, "%Y-%m-%d", &day);
    machine_describe(here, sizeof here);
    write_hash(text, hash, sizeof hash);
    soloist_print(sink, "Generated on %s from runs on a machine with %s, " ORIGIN "%s`.\n\n", date,
                  machine ? machine : here, hash);
}

size_t page_next(const char *at, const char **name, size_t *name_length) {
    bool chapter = !strncmp(at, "## ", 3);
    const char *end = strstr(at + (chapter ? 1 : 0), "\n## ");
    *name = chapter ? at + 3 : NULL;
    *name_length = chapter ? strcspn(*name, ":\n") : 0;
    return end ? (size_t)(end + 1 - at) : strlen(at);
}

/* Reads the text of an experiment among the installed ones; NULL with errno set if there is none. */
static char *read_experiment(const char *name, size_t length) {
    char below[128], path[4096];
    size_t size;
    snprintf(below, sizeof below, "experiments/%.*s.lab", (int)(length < 60 ? length : 60), name);
    errno = ENOENT;
    return levels_find(below, path, sizeof path) ? file_read(path, &size) : NULL;
}

enum origin { ORIGIN_SAME, ORIGIN_OTHER, ORIGIN_UNKNOWN };

/* Compares the hash in a chapter with that of its experiment's text. */
static enum origin check_chapter(const char *page, const char *chapter, size_t length, const char *name, int room) {
    const char *origin = strstr(chapter, ORIGIN);
    char hash[HASH_DIGITS + 1];
    if (!origin || origin >= chapter + length)
        return ORIGIN_UNKNOWN;
    char *text = read_experiment(name, (size_t)room);
    if (!text) {
        cli_complain("%s: chapter %.*s: its experiment cannot be read: %s", page, room, name, strerror(errno));
        return ORIGIN_OTHER;
    }
    write_hash(text, hash, sizeof hash);
    free(text);
    if (!strncmp(origin + strlen(ORIGIN), hash, HASH_DIGITS))
        return ORIGIN_SAME;
    cli_complain("%s: chapter %.*s was made from another version of its experiment file: the hash of %.*s.lab is %s",
                 page, room, name, room, name, hash);
    return ORIGIN_OTHER;
}

int page_check(const char *path) {
    size_t length, name_length, counts[3] = {0};
    char *page = file_read(path, &length);
    const char *name;
    if (!page)
        return cli_complain("%s: %s", path, strerror(errno));
    for (const char *at = page; (length = page_next(at, &name, &name_length)); at += length)
        if (name)
            counts[check_chapter(path, at, length, name, (int)name_length)]++;
    printf("%s: chapters made from the present experiment files: %zu, from other versions of them: %zu, from files "
           "that they do not name: %zu\n",
           path, counts[ORIGIN_SAME], counts[ORIGIN_OTHER], counts[ORIGIN_UNKNOWN]);
    free(page);
    return counts[ORIGIN_OTHER] ? CLI_SOME : CLI_OK;
}
