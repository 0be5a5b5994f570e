/* Level sets by name. A set is a file NAME.xsb, .sok or .txt in one of the folders, or one of the known sets in the
 * form its Debian package has: cavepacker-data keeps one level a file (xsokoban0001.sok, with xsokoban0001.sol),
 * enigma-data a folder a set (skinner_microban01/skinner_microban01.txt). */
#include "cli/input/levels.h"
#include "base/buffer.h"
#include "cli/shell/files.h"
#include "cli/shell/need.h"
#include "cli/shell/suggest.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct known_set {
    const char *name;
    const char *stem;   /* of files stem0001.sok, ...; NULL: not in this form */
    const char *folder; /* of folder/folder.txt */
} known_sets[] = {
    {"xsokoban", "xsokoban", NULL},
    {"microban1", "microban01_", "skinner_microban01"},
    {"microban2", "microban02_", "skinner_microban02"},
    {"microban3", NULL, "skinner_microban03"},
    {"microban4", NULL, "skinner_microban04"},
    {"microban5", NULL, "skinner_microban05"},
    {"sasquatch1", "sasquatch01_", "skinner_sasquatch01"},
    {"sasquatch2", "sasquatch02_", "skinner_sasquatch02"},
    {"sasquatch3", "sasquatch03_", "skinner_sasquatch03"},
    {"sasquatch4", "sasquatch04_", "skinner_sasquatch04"},
    {"sasquatch5", "sasquatch05_", "skinner_sasquatch05"},
    {"sasquatch6", "sasquatch06_", "skinner_sasquatch06"},
    {"sasquatch7", "sasquatch07_", "skinner_sasquatch07"},
    {"sasquatch8", "sasquatch08_", "skinner_sasquatch08"},
    {"sasquatch9", "sasquatch09_", "skinner_sasquatch09"},
    {"sasquatch10", NULL, "skinner_sasquatch10"},
    {"sasquatch11", NULL, "skinner_sasquatch11"},
    {"sasquatch12", NULL, "skinner_sasquatch12"},
    {"grigr", "gri", NULL},
    {"grigrspecial", "grigrspecial", NULL},
};
enum { KNOWN_SETS = sizeof known_sets / sizeof *known_sets };

static const char *const endings[] = {".xsb", ".sok", ".txt"};
enum { ENDINGS = sizeof endings / sizeof *endings, PATH_ROOM = 4096, MOST_FOLDERS = 32 };

struct folders {
    char *paths[MOST_FOLDERS];
    size_t count;
};

static void add_folder(struct folders *folders, const char *path, size_t length, const char *below) {
    if (!length || folders->count == MOST_FOLDERS)
        return;
    size_t room = length + strlen(below) + 1;
    char *copy = need_bytes(room);
    snprintf(copy, room, "%.*s%s", (int)length, path, below);
    folders->paths[folders->count++] = copy;
}

static void add_list(struct folders *folders, const char *list) {
    while (list && *list) {
        size_t length = strcspn(list, ":");
        add_folder(folders, list, length, "");
        list += length + (list[length] == ':');
    }
}

/* The folder of the program tells both the prefix (prefix/bin) and the checkout (checkout/build), wherever they were
 * moved to. */
static void add_beside_program(struct folders *folders, const char *below) {
    char path[PATH_ROOM];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return;
    path[length] = 0;
    char *slash = strrchr(path, '/');
    if (slash)
        add_folder(folders, path, (size_t)(slash - path), below);
}

/* In the order of search. */
static void open_folders(struct folders *folders) {
    folders->count = 0;
    add_list(folders, getenv("SOLOIST_LEVELS"));
    add_list(folders, getenv("SOLOIST_DATA"));
    add_beside_program(folders, "/../share/soloist");
#ifdef SOLOIST_PREFIX
    add_folder(folders, SOLOIST_PREFIX, strlen(SOLOIST_PREFIX), "/share/soloist");
#endif
    add_beside_program(folders, "/../data");
#ifdef SOLOIST_CHECKOUT
    add_folder(folders, SOLOIST_CHECKOUT, strlen(SOLOIST_CHECKOUT), "/data");
#endif
    add_list(folders, "/usr/share/games/enigma/levels/soko:/usr/share/games/cavepacker/maps");
}

static void close_folders(struct folders *folders) {
    for (size_t i = 0; i < folders->count; i++)
        free(folders->paths[i]);
}

/* "microban" is the first of its series; "microban01" is microban1. */
static const struct known_set *find_known(const char *name) {
    char plain[64];
    size_t letters = strcspn(name, "0123456789");
    const char *digits = name + letters;
    if (letters > 40 || strlen(digits) > 8)
        return NULL;
    digits += strspn(digits, "0");
    snprintf(plain, sizeof plain, "%.*s%s", (int)letters, name, digits);
    for (int i = 0; i < KNOWN_SETS; i++) {
        const char *set = known_sets[i].name;
        if (!strcmp(set, plain) || (!*digits && !strncmp(set, plain, letters) && !strcmp(set + letters, "1")))
            return &known_sets[i];
    }
    return NULL;
}

bool levels_known(const char *name) { return find_known(name) != NULL; }

/* One level a file, joined: each gets its number as a title unless it brings one. */
static char *read_numbered(const char *folder, const char *stem, enum levels_part part, size_t *length) {
    struct buffer all;
    buffer_open(&all);
    soloist_sink sink = buffer_sink(&all);
    for (int number = 1; number < 10000; number++) {
        char path[PATH_ROOM];
        size_t size;
        snprintf(path, sizeof path, "%s/%s%04d.%s", folder, stem, number, part == LEVELS_BOARDS ? "sok" : "sol");
        char *text = file_read(path, &size);
        if (!text)
            break;
        if (part == LEVELS_BOARDS && *text != ';')
            soloist_print(&sink, "; %d\n\n", number);
        sink.write(sink.to, text, size);
        soloist_put(&sink, part == LEVELS_BOARDS ? "\n\n" : "\n");
        free(text);
    }
    need_whole(&all);
    *length = all.length;
    if (!all.length)
        return buffer_close(&all), NULL;
    return buffer_take(&all);
}

static char *read_in_folder(const char *folder, const char *name, enum levels_part part, size_t *length) {
    const struct known_set *set = find_known(name);
    char path[PATH_ROOM], *text = NULL;
    for (int i = 0; part == LEVELS_BOARDS && !text && i < ENDINGS; i++) {
        snprintf(path, sizeof path, "%s/%s%s", folder, name, endings[i]);
        text = file_read(path, length);
    }
    if (!text && set && set->folder && part == LEVELS_BOARDS) {
        snprintf(path, sizeof path, "%s/%s/%s.txt", folder, set->folder, set->folder);
        text = file_read(path, length);
    }
    if (!text && set && set->stem)
        text = read_numbered(folder, set->stem, part, length);
    return text;
}

char *levels_read(const char *name, enum levels_part part, size_t *length) {
    struct folders folders;
    char *text = NULL;
    if (!*name || strchr(name, '/'))
        return NULL;
    open_folders(&folders);
    for (size_t i = 0; !text && i < folders.count; i++)
        text = read_in_folder(folders.paths[i], name, part, length);
    close_folders(&folders);
    return text;
}

bool levels_find(const char *below, char *out, size_t room) {
    struct folders folders;
    bool found = false;
    open_folders(&folders);
    for (size_t i = 0; !found && i < folders.count; i++) {
        snprintf(out, room, "%s/%s", folders.paths[i], below);
        found = !access(out, R_OK);
    }
    close_folders(&folders);
    return found;
}

/* Our own files in a folder; the packages' folders hold none that end so but theirs, which come by set. */
static int is_set_file(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    bool numbered = strlen(entry->d_name) > 8 && dot && strspn(dot - 4, "0123456789") == 4;
    for (int i = 0; dot && !numbered && i < ENDINGS; i++)
        if (!strcmp(dot, endings[i]))
            return 1;
    return 0;
}

static void each_file(const char *folder, void (*found)(void *, const char *, const char *), void *user) {
    struct dirent **entries;
    errno = 0;
    int count = scandir(folder, &entries, is_set_file, alphasort);
    need_no_failure(count >= 0);
    for (int i = 0; i < count; i++) {
        *strrchr(entries[i]->d_name, '.') = 0;
        found(user, entries[i]->d_name, folder);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static bool set_is_in(const char *folder, const struct known_set *set) {
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/%s/%s.txt", folder, set->folder ? set->folder : "", set->folder ? set->folder : "");
    if (set->folder && !access(path, R_OK))
        return true;
    snprintf(path, sizeof path, "%s/%s0001.sok", folder, set->stem ? set->stem : "");
    return set->stem && !access(path, R_OK);
}

void levels_each(void (*found)(void *user, const char *name, const char *folder), void *user) {
    struct folders folders;
    open_folders(&folders);
    for (size_t i = 0; i < folders.count; i++)
        each_file(folders.paths[i], found, user);
    for (int set = 0; set < KNOWN_SETS; set++)
        for (size_t i = 0; i < folders.count; i++)
            if (set_is_in(folders.paths[i], &known_sets[set])) {
                found(user, known_sets[set].name, folders.paths[i]);
                break;
            }
    close_folders(&folders);
}

struct nearest_name {
    struct suggestion suggestion;
    char *out;
    size_t room;
};

static void offer_name(void *user, const char *name, const char *folder) {
    (void)folder;
    struct nearest_name *nearest = user;
    int before = nearest->suggestion.distance;
    const char *best = nearest->suggestion.best;
    suggest_offer(&nearest->suggestion, name);
    if (nearest->suggestion.distance < before || (nearest->suggestion.best && !best)) {
        snprintf(nearest->out, nearest->room, "%s", name);
        nearest->suggestion.best = nearest->out;
    }
}

const char *levels_nearest(const char *name, char *out, size_t room) {
    struct nearest_name nearest = {suggest_open(name), out, room};
    levels_each(offer_name, &nearest);
    for (int i = 0; i < KNOWN_SETS; i++)
        offer_name(&nearest, known_sets[i].name, NULL);
    return nearest.suggestion.best;
}
