/* Preloaded into the program: simulates a power cut at the Nth call that changes or synchronises a file.
 *
 *   SOLOIST_CUT_FOLDER   the folder whose files the program works on
 *   SOLOIST_CUT_AT       N; 0: never
 *   SOLOIST_CUT_SEED     decides what is lost
 *   SOLOIST_CUT_RESULT   a folder in which the files are written as a disk might have them after the cut; with N = 0 a
 *                        file, to which the number of calls is written at the end
 *
 * A file's content is safe once the file is synchronised, and a name (new, changed by rename, or removed) once its
 * folder is synchronised. Of everything else each 512-byte sector and each name is kept or lost at random; with every
 * third seed all of it is lost. After the cut the program kills itself. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 4096, SECTOR = 512 };

/* A file on the disk, whatever its names are. */
struct cell {
    ino_t number; /* 0: the file was removed, and its number may belong to another one */
    char *safe;   /* the content that would survive; NULL: none */
    size_t length;
};

/* A name, relative to the folder, and the file that it would have after a cut. */
struct entry {
    char name[PATH_MAX];
    struct cell *cell;
};

static struct cell *cells[MOST_FILES];
static struct entry *entries[MOST_FILES];
static int cell_count, entry_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool busy; /* the calls of this library itself do not count */
static char folder[PATH_MAX], result[PATH_MAX];
static long calls, cut_at = -1;
static uint64_t random_state;

static uint64_t draw(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return random_state >> 33;
}

static void give_up(const char *what) {
    fprintf(stderr, "power_cut: %s: %s\n", what, strerror(errno));
    _exit(99);
}

static void join(char out[2 * PATH_MAX], const char *base, const char *name) {
    size_t length = strlen(base), rest = strlen(name);
    if (length + rest + 2 > (size_t)2 * PATH_MAX)
        give_up("a long name");
    memcpy(out, base, length);
    out[length] = '/';
    memcpy(out + length + 1, name, rest + 1);
}

static struct cell *cell_of(ino_t number) {
    for (int i = 0; i < cell_count; i++)
        if (cells[i]->number == number)
            return cells[i];
    struct cell *cell = calloc(1, sizeof *cell);
    if (!cell || cell_count == MOST_FILES)
        give_up("too many files");
    cell->number = number;
    return cells[cell_count++] = cell;
}

static char *content(const char *path, size_t *length) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (file < 0 || fstat(file, &about))
        return NULL;
    char *text = malloc((size_t)about.st_size + 1);
    ssize_t got = text ? read(file, text, (size_t)about.st_size) : -1;
    close(file);
    if (got < 0)
        give_up(path);
    *length = (size_t)got;
    return text;
}

static void make_safe(struct cell *cell, const char *path) {
    free(cell->safe);
    cell->safe = content(path, &cell->length);
}

/* ---- names ---- */

typedef void visitor(const char *name, const char *path, const struct stat *about);

/* Visits the files directly in a folder, and those below it if `deep`. */
static void walk(const char *below, bool deep, visitor *visit) {
    char path[2 * PATH_MAX], name[2 * PATH_MAX];
    join(path, folder, below);
    DIR *opened = opendir(path);
    for (struct dirent *item; opened && (item = readdir(opened));) {
        struct stat about;
        if (!strcmp(item->d_name, ".") || !strcmp(item->d_name, ".."))
            continue;
        join(path, below, item->d_name);
        strcpy(name, *below ? path : path + 1);
        join(path, folder, name);
        if (lstat(path, &about))
            continue;
        if (S_ISDIR(about.st_mode) && deep)
            walk(name, deep, visit);
        else if (S_ISREG(about.st_mode))
            visit(name, path, &about);
    }
    if (opened)
        closedir(opened);
}

static void add_entry(const char *name, const char *path, const struct stat *about) {
    struct entry *entry = calloc(1, sizeof *entry);
    (void)path;
    if (!entry || entry_count == MOST_FILES)
        give_up("too many names");
    snprintf(entry->name, sizeof entry->name, "%s", name);
    entry->cell = cell_of(about->st_ino);
    entries[entry_count++] = entry;
}

static void add_safe(const char *name, const char *path, const struct stat *about) {
    add_entry(name, path, about);
    make_safe(entries[entry_count - 1]->cell, path);
}

/* The folder was synchronised: the names in it are now as they are. */
static void settle_names(const char *below) {
    size_t length = strlen(below);
    int left = 0;
    for (int i = 0; i < entry_count; i++) {
        const char *name = entries[i]->name, *slash = strrchr(name, '/');
        size_t depth = slash ? (size_t)(slash - name) : 0;
        if (depth == length && !strncmp(name, below, length))
            free(entries[i]);
        else
            entries[left++] = entries[i];
    }
    entry_count = left;
    walk(below, false, add_entry);
}

/* The path below the folder; NULL: it is elsewhere. */
static const char *relative(const char *path) {
    size_t length = strlen(folder);
    if (strncmp(path, folder, length) || (path[length] && path[length] != '/'))
        return NULL;
    return path[length] ? path + length + 1 : path + length;
}

/* ---- the cut ---- */

static struct entry *find_entry(const char *name) {
    for (int i = 0; i < entry_count; i++)
        if (!strcmp(entries[i]->name, name))
            return entries[i];
    return NULL;
}

static const char *path_of; /* where the file with the number `wanted` is now */
static ino_t wanted;
static char found[2 * PATH_MAX];
static void compare_number(const char *name, const char *path, const struct stat *about) {
    (void)name;
    if (about->st_ino == wanted) {
        snprintf(found, sizeof found, "%s", path);
        path_of = found;
    }
}

static void write_out(const char *name, const char *text, size_t length) {
    char path[2 * PATH_MAX];
    join(path, result, name);
    for (char *at = path + strlen(result) + 1; (at = strchr(at, '/')); at++) {
        *at = 0;
        mkdir(path, 0777);
        *at = '/';
    }
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0 || write(file, text, length) != (ssize_t)length)
        give_up(path);
    close(file);
}

/* Writes a file with some sectors as they are now and the others as they were when it was last synchronised. */
static void write_torn(const char *name, const struct cell *cell, bool all_lost) {
    size_t now_length = 0;
    wanted = cell->number;
    path_of = NULL;
    if (cell->number)
        walk("", true, compare_number);
    char *now = path_of ? content(path_of, &now_length) : NULL;
    size_t lengths[2] = {cell->safe ? cell->length : 0, now ? now_length : 0};
    size_t length = lengths[now && !all_lost && draw() % 2], most = lengths[0] > lengths[1] ? lengths[0] : lengths[1];
    char *torn = calloc(1, most + 1);
    if (!torn)
        give_up("memory");
    for (size_t at = 0; at < length; at += SECTOR) {
        bool fresh = now && !all_lost && draw() % 2;
        const char *from = fresh ? now : cell->safe;
        size_t end = lengths[fresh] < length ? lengths[fresh] : length;
        if (from && at < end)
            memcpy(torn + at, from + at, end - at < SECTOR ? end - at : SECTOR);
    }
    write_out(name, torn, length);
    free(torn);
    free(now);
}

/* The name that a file would have after the cut, if it was renamed since the folder was last synchronised. */
static struct entry *former_name(const struct cell *cell, const char *name) {
    for (int i = 0; i < entry_count; i++)
        if (entries[i]->cell == cell && strcmp(entries[i]->name, name))
            return entries[i];
    return NULL;
}

static bool all_lost;
static void put_back(struct entry *entry) {
    if (entry && entry->cell)
        write_torn(entry->name, entry->cell, all_lost);
    if (entry)
        entry->cell = NULL; /* done */
}

/* A name that exists now is kept with its file, or it is as it was. A rename is lost or kept as a whole. */
static void cut_name(const char *name, const char *path, const struct stat *about) {
    (void)path;
    struct entry *before = find_entry(name);
    struct cell *cell = cell_of(about->st_ino);
    struct entry *former = former_name(cell, name);
    bool changed = !before || before->cell != cell;
    if (changed && (all_lost || draw() % 2)) {
        put_back(before);
        put_back(former);
        return;
    }
    write_torn(name, cell, all_lost);
    if (before)
        before->cell = NULL;
    if (former)
        former->cell = NULL;
}

static void cut(void) {
    all_lost = draw() % 3 == 0;
    walk("", true, cut_name);
    for (int i = 0; i < entry_count; i++) /* names that were removed, but not safely */
        if (entries[i]->cell && (all_lost || draw() % 2)) {
            char path[2 * PATH_MAX];
            join(path, folder, entries[i]->name);
            if (access(path, F_OK))
                put_back(entries[i]);
        }
    kill(getpid(), SIGKILL);
    pause();
}

/* ---- the calls ---- */

static void begin(void) __attribute__((constructor));
static void begin(void) {
    const char *where = getenv("SOLOIST_CUT_FOLDER"), *into = getenv("SOLOIST_CUT_RESULT"),
               *at = getenv("SOLOIST_CUT_AT"), *seed = getenv("SOLOIST_CUT_SEED");
    if (!where || !into || !at || strcmp(program_invocation_short_name, "soloist") || !realpath(where, folder))
        return;
    busy = true;
    snprintf(result, sizeof result, "%s", into);
    cut_at = atol(at);
    random_state = seed ? strtoull(seed, NULL, 10) : 1;
    draw();
    walk("", true, add_safe);
    busy = false;
}

static void end(void) __attribute__((destructor));
static void end(void) {
    char text[32];
    busy = true;
    int file = cut_at == 0 ? open(result, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (file >= 0 && write(file, text, (size_t)snprintf(text, sizeof text, "%ld\n", calls)) < 0)
        give_up(result);
    if (file >= 0)
        close(file);
}

/* Before each call: the cut, if it is due. Returns whether the call concerns this library. */
static bool enter(void) {
    if (busy || cut_at < 0)
        return false;
    pthread_mutex_lock(&lock);
    busy = true;
    if (++calls == cut_at)
        cut();
    return true;
}

static void leave(bool entered) {
    if (entered) {
        busy = false;
        pthread_mutex_unlock(&lock);
    }
}

/* The file is about to lose a name; if that was the last, its number is free. */
static void forget(const char *path) {
    struct stat about;
    if (!lstat(path, &about) && S_ISREG(about.st_mode) && about.st_nlink == 1)
        for (int i = 0; i < cell_count; i++)
            if (cells[i]->number == about.st_ino)
                cells[i]->number = 0;
}

static void synchronised(int file) {
    char link[64], path[PATH_MAX];
    struct stat about;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0 || fstat(file, &about))
        return;
    path[length] = 0;
    const char *below = relative(path);
    if (below && S_ISDIR(about.st_mode))
        settle_names(below);
    else if (below && S_ISREG(about.st_mode))
        make_safe(cell_of(about.st_ino), link);
}

#define REAL(name)                                                                                                     \
    __typeof__(&name) real;                                                                                            \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

static int synchronise(int (*real)(int), int file) {
    bool entered = enter();
    int status = real(file);
    if (entered && !status)
        synchronised(file);
    leave(entered);
    return status;
}

int fsync(int file) {
    REAL(fsync);
    return synchronise(real, file);
}

int fdatasync(int file) {
    REAL(fdatasync);
    return synchronise(real, file);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    bool entered = enter();
    if (entered && !access(from, F_OK))
        forget(to);
    int status = real(from, to);
    leave(entered);
    return status;
}

int unlink(const char *path) {
    REAL(unlink);
    bool entered = enter();
    if (entered)
        forget(path);
    int status = real(path);
    leave(entered);
    return status;
}

int ftruncate(int file, off_t length) {
    REAL(ftruncate);
    bool entered = enter();
    int status = real(file, length);
    leave(entered);
    return status;
}

ssize_t write(int file, const void *bytes, size_t size) {
    REAL(write);
    bool entered = file > 2 && enter();
    ssize_t done = real(file, bytes, size);
    leave(entered);
    return done;
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
    REAL(pwrite64);
    bool entered = enter();
    ssize_t done = real(file, bytes, size, at);
    leave(entered);
    return done;
}
