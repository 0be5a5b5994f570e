/* Creates or opens the folder of a training run, and makes sure that no other process uses it and that it holds no
 * other run. */
#include "base/cache_file.h"
#include "base/path.h"
#include "cli/shell/files.h"
#include "cli/shell/need.h"
#include "cli/learn/train.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define READY "checkpoint.ready" /* the new checkpoint is complete (learn/train/checkpoint.c) */

/* All files that a run writes there. */
static const char *const files[] = {
    "words.json",    "start.net", "start.safetensors", "weights.safetensors", "counters.state",     "kept.state",
    "trainer.state", "games.txt", "curve.jsonl",       "training.samples",    "validation.samples", "actors.state",
    READY,           NULL};

char *train_folder_file(const char *folder, const char *name) { return need(path_in(folder, name)); }

static bool exists(const char *path) {
    struct stat status;
    return !lstat(path, &status);
}

bool train_folder_has(const char *folder, const char *name) {
    char *path = train_folder_file(folder, name);
    bool has = exists(path);
    free(path);
    return has;
}

bool train_folder_is_begun(const char *folder) {
    return train_folder_has(folder, "counters.state") || train_folder_has(folder, READY);
}

/* Whether the folder holds a run. A run that was killed at its very start leaves only its first network; this counts as
 * a run if the folder's name is that of a run. */
static bool holds_run(const char *folder) {
    bool named = path_ends_in(folder, ".run");
    for (size_t i = 0; files[i]; i++)
        if (train_folder_has(folder, files[i]) && !(named && !strncmp(files[i], "start.", 6)))
            return true;
    return false;
}

/* ---- the first network ---- */

char *train_folder_network(const char *folder) {
    static const char *const names[] = {"start.net", "start.safetensors", "weights.safetensors"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (train_folder_has(folder, names[i]))
            return train_folder_file(folder, names[i]);
    return NULL;
}

bool train_folder_keep_network(const char *folder, const char *path, const void *bytes, size_t length) {
    char *copy = train_folder_file(folder, path_ends_in(path, ".safetensors") ? "start.safetensors" : "start.net");
    bool written = cache_file_replace(copy, bytes, length, "", 0);
    if (!written)
        cli_complain("train: %s cannot be written", copy);
    free(copy);
    return written;
}

/* ---- renaming earlier files ---- */

/* The new name of an earlier file: number 2 of "a/mine.safetensors" is a/mine.2.safetensors. The caller frees it. */
static char *numbered(const char *path, int number, const char *end) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    size_t stem = dot && dot > base ? (size_t)(dot - path) : strlen(path), room = strlen(path) + strlen(end) + 16;
    char *name = need_bytes(room);
    snprintf(name, room, "%.*s.%d%s%s", (int)stem, path, number, path + stem, end);
    return name;
}

static bool move(const char *from, const char *to) {
    if (!rename(from, to))
        return fprintf(stderr, "%s was renamed to %s\n", from, to), true;
    return cli_complain("train: %s cannot be renamed to %s: %s", from, to, strerror(errno)), false;
}

/* Network and folder get the same number, the first that is free for both. The folder is renamed first, so that both
 * stay intact if the program is killed in between. */
static bool put_aside(struct train_folder *folder, const char *out, bool network, bool run) {
    bool own_name = !strncmp(folder->path, out, strlen(out)) && !strcmp(folder->path + strlen(out), ".run");
    char *to_out = NULL, *to_folder = NULL;
    for (int number = 1; !to_out || exists(to_out) || exists(to_folder); number++) {
        free(to_out);
        free(to_folder);
        to_out = numbered(out, number, "");
        to_folder = own_name ? numbered(out, number, ".run") : numbered(folder->path, number, "");
    }
    bool good = true;
    if (run && (good = move(folder->path, to_folder)))
        folder->aside_folder = to_folder, to_folder = NULL;
    if (good && network && (good = move(out, to_out)))
        folder->aside_out = to_out, to_out = NULL;
    free(to_out);
    free(to_folder);
    return good;
}

static bool refuse(const struct train_folder *folder, const char *out, bool network, bool run) {
    if (!run)
        return cli_complain("train: %s exists already: choose another --out, or rename the old one with --force", out),
               false;
    return cli_complain("train: %s holds %s already: choose another --out, continue it with --resume %s, or rename the "
                        "old one with --force",
                        network ? out : folder->path, network ? "a network" : "a run", folder->path),
           false;
}

/* ---- opening ---- */

/* Whether this is the incomplete file of a process that was killed while writing it. Its name is like
 * ".soloist-1234-0.part", or in older versions like "counters.state.1234". */
static bool is_unfinished(const char *name) {
    if (!strncmp(name, ".soloist-", 9) && path_ends_in(name, ".part"))
        return true;
    for (size_t i = 0; files[i]; i++) {
        size_t length = strlen(files[i]);
        if (!strncmp(name, files[i], length) && name[length] == '.' && name[length + 1] &&
            !name[length + 1 + strspn(name + length + 1, "0123456789")])
            return true;
    }
    return false;
}

static void remove_unfinished(const char *folder) {
    DIR *entries = opendir(folder);
    bool ready = train_folder_has(folder, READY);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (is_unfinished(entry->d_name) || (!ready && path_ends_in(entry->d_name, ".new"))) {
            char *path = train_folder_file(folder, entry->d_name);
            unlink(path);
            free(path);
        }
    if (entries)
        closedir(entries);
}

/* A folder that cannot be locked at all, as on some network file systems, is used without a lock. */
static bool take_lock(struct train_folder *folder) {
    int lock = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0)
        return cli_complain("train: %s: %s", folder->path, strerror(errno)), false;
    if (flock(lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
        close(lock);
        return cli_complain("train: another process is training in %s", folder->path), false;
    }
    folder->lock = lock;
    return true;
}

static void drop_lock(struct train_folder *folder) {
    if (folder->lock >= 0)
        close(folder->lock);
    folder->lock = -1;
}

/* Checks before the training that --out can be written, because after hours of training it would be too late. */
static bool can_be_written(const char *out) {
    const char *slash = strrchr(out, '/');
    struct stat status;
    if (!stat(out, &status) && !S_ISREG(status.st_mode))
        return cli_complain("train: --out %s is not a file, but a folder or a device", out), false;
    char *place = slash ? need_text(out, (size_t)(slash - out) + 1) : need_text(".", 1);
    bool can = !access(place, W_OK);
    if (!can)
        file_complain_unwritable(out, errno);
    free(place);
    return can;
}

static bool open_new(struct train_folder *folder, const struct train_options *options) {
    bool network = exists(options->out), run = holds_run(folder->path);
    if ((network || run) && !options->force)
        return refuse(folder, options->out, network, run);
    if (run && !take_lock(folder))
        return false; /* another process is still writing this network */
    drop_lock(folder);
    if ((network || run) && !put_aside(folder, options->out, network, run))
        return false;
    if (mkdir(folder->path, 0777) && errno != EEXIST)
        return cli_complain("train: %s: %s", folder->path, strerror(errno)), false;
    return take_lock(folder);
}

static bool open_again(struct train_folder *folder, const struct train_options *options) {
    bool other = exists(options->out) && !path_is_same_file(options->out, options->own);
    if (other && !options->force)
        return refuse(folder, options->out, true, false);
    if (!take_lock(folder) || (other && !put_aside(folder, options->out, true, false)))
        return false;
    remove_unfinished(folder->path);
    return true;
}

bool train_folder_open(struct train_folder *folder, const struct train_options *options) {
    const char *path = options->resume ? options->resume : options->folder;
    *folder = (struct train_folder){.lock = -1, .fresh = !options->resume};
    size_t room = strlen(options->out) + 5;
    folder->path = path ? need_text(path, strlen(path)) : need_bytes(room);
    if (!path)
        snprintf(folder->path, room, "%s.run", options->out);
    return can_be_written(options->out) && (folder->fresh ? open_new(folder, options) : open_again(folder, options));
}

/* ---- closing ---- */

/* Closing needs no memory, because a run also ends when there is none: files are found through the folder's descriptor.
 */

/* Whether the folder holds the file; if `filled`, only a file with content counts. */
static bool holds(int folder, const char *name, bool filled) {
    struct stat status;
    return !fstatat(folder, name, &status, filled ? 0 : AT_SYMLINK_NOFOLLOW) && (!filled || status.st_size);
}

/* Removes the files that a failed start has written, except games. */
static void sweep(const struct train_folder *folder) {
    for (size_t i = 0; files[i]; i++)
        if (strcmp(files[i], "games.txt") || !holds(folder->lock, files[i], true))
            unlinkat(folder->lock, files[i], 0);
    rmdir(folder->path);
}

static void bring_back(const char *from, const char *to) {
    if (from && !exists(to) && !rename(from, to))
        fprintf(stderr, "%s was renamed back to %s\n", from, to);
}

/* Whether the folder holds anything worth keeping. */
static bool has_begun(int folder) {
    return holds(folder, "counters.state", false) || holds(folder, READY, false) || holds(folder, "games.txt", true) ||
           holds(folder, "curve.jsonl", true);
}

void train_folder_close(struct train_folder *folder, const struct train_options *options) {
    bool began = folder->lock >= 0 && has_begun(folder->lock);
    if (!began && folder->fresh && folder->lock >= 0)
        sweep(folder);
    if (!began) {
        bring_back(folder->aside_out, options->out);
        bring_back(folder->aside_folder, folder->path);
    }
    drop_lock(folder);
    free(folder->path);
    free(folder->aside_out);
    free(folder->aside_folder);
    *folder = (struct train_folder){.lock = -1};
}
