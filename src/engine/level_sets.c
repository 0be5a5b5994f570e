/* Level sets by name. A set is a file NAME.xsb, .sok or .txt in one of the folders, or one of the known sets in the
 * layout of its Debian package: cavepacker-data has one file per level (xsokoban0001.sok, with xsokoban0001.sol), and
 * enigma-data has one folder per set (skinner_microban01/skinner_microban01.txt). */
#include "engine/level_sets.h"
#include "base/buffer.h"
#include "soloist_tools.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct known_set {
    const char *name;
    const char *stem;   /* the set is the files stem0001.sok, ...; NULL: no package has the set in this layout */
    const char *folder; /* the set is the file folder/folder.txt; NULL: no package has the set in this layout */
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
enum { ENDINGS = sizeof endings / sizeof *endings, PATH_ROOM = 4096 };

/* ---- folders ---- */

static bool add_folder(struct level_sets *sets, const char *path, size_t length, const char *below) {
    if (!length || sets->count == LEVEL_SETS_FOLDERS)
        return true;
    size_t room = length + strlen(below) + 1;
    char *copy = malloc(room);
    if (!copy)
        return false;
    snprintf(copy, room, "%.*s%s", (int)length, path, below);
    sets->folders[sets->count++] = copy;
    return true;
}

static bool add_list(struct level_sets *sets, const char *list) {
    bool well = true;
    while (well && list && *list) {
        size_t length = strcspn(list, ":");
        well = add_folder(sets, list, length, "");
        list += length + (list[length] == ':');
    }
    return well;
}

/* No path is compiled in: what belongs to the program is found from the folder in which it lies itself, even after an
 * installation or a checkout was moved. An installation has it in prefix/bin, a checkout in build or below. */
static bool add_beside_program(struct level_sets *sets) {
    static const char *const checkouts[] = {"/../data", "/../../data", "/../../../data"};
    char path[PATH_ROOM], level[PATH_ROOM + 32];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return true;
    path[length] = 0;
    char *slash = strrchr(path, '/');
    if (!slash)
        return true;
    length = slash - path;
    bool well = add_folder(sets, path, (size_t)length, "/../share/soloist");
    for (size_t i = 0; i < sizeof checkouts / sizeof *checkouts; i++) {
        snprintf(level, sizeof level, "%.*s%s/first.xsb", (int)length, path, checkouts[i]);
        if (!access(level, R_OK))
            well = well && add_folder(sets, path, (size_t)length, checkouts[i]);
    }
    return well;
}

soloist_code level_sets_open(struct level_sets *sets) {
    sets->count = 0;
    bool well = add_list(sets, getenv("SOLOIST_LEVELS")) && add_list(sets, getenv("SOLOIST_DATA")) &&
                add_beside_program(sets) &&
                add_list(sets, "/usr/share/games/enigma/levels/soko:/usr/share/games/cavepacker/maps");
    if (!well)
        level_sets_close(sets);
    return well ? SOLOIST_OK : SOLOIST_NO_MEMORY;
}

/* Inserts the folders of a list after those of the environment. */
static soloist_code open_with(struct level_sets *sets, const char *folders) {
    struct level_sets rest;
    sets->count = 0;
    if (!add_list(sets, getenv("SOLOIST_LEVELS")) || !add_list(sets, getenv("SOLOIST_DATA")) ||
        !add_list(sets, folders) || level_sets_open(&rest) != SOLOIST_OK) {
        level_sets_close(sets);
        return SOLOIST_NO_MEMORY;
    }
    bool well = true;
    for (size_t i = 0; i < rest.count; i++)
        well &= add_folder(sets, rest.folders[i], strlen(rest.folders[i]), "");
    level_sets_close(&rest);
    if (!well)
        level_sets_close(sets);
    return well ? SOLOIST_OK : SOLOIST_NO_MEMORY;
}

void level_sets_close(struct level_sets *sets) {
    for (size_t i = 0; i < sets->count; i++)
        free(sets->folders[i]);
    sets->count = 0;
}

bool level_sets_find(const struct level_sets *sets, const char *below, char *out, size_t room) {
    bool found = false;
    for (size_t i = 0; !found && i < sets->count; i++) {
        snprintf(out, room, "%s/%s", sets->folders[i], below);
        found = !access(out, R_OK);
    }
    return found;
}

/* ---- known sets ---- */

/* "microban" means the first set of its series; "microban01" means microban1. */
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

bool level_sets_known(const char *name) { return find_known(name) != NULL; }

const char *level_sets_known_name(size_t index) { return index < KNOWN_SETS ? known_sets[index].name : NULL; }

/* ---- reading ---- */

/* Returns SOLOIST_OK and sets *text to NULL if there is no such file or it cannot be read. */
static soloist_code read_file(const char *path, char **text, size_t *length) {
    errno = 0;
    *text = buffer_read_file(path, length);
    return *text || errno != ENOMEM ? SOLOIST_OK : SOLOIST_NO_MEMORY;
}

/* Joins the files of a set that has one file per level; a level without a title gets its number as title. */
static soloist_code read_numbered(const char *folder, const char *stem, enum level_sets_part part, char **all,
                                  size_t *length) {
    struct buffer joined;
    soloist_code code = SOLOIST_OK;
    buffer_open(&joined);
    soloist_sink sink = buffer_sink(&joined);
    for (int number = 1; number < 10000; number++) {
        char path[PATH_ROOM], *text;
        size_t size;
        snprintf(path, sizeof path, "%s/%s%04d.%s", folder, stem, number, part == LEVEL_SETS_BOARDS ? "sok" : "sol");
        code = read_file(path, &text, &size);
        if (!text)
            break;
        if (part == LEVEL_SETS_BOARDS && *text != ';')
            soloist_print(&sink, "; %d\n\n", number);
        sink.write(sink.to, text, size);
        soloist_put(&sink, part == LEVEL_SETS_BOARDS ? "\n\n" : "\n");
        free(text);
    }
    if (joined.failed)
        code = SOLOIST_NO_MEMORY;
    *length = joined.length;
    if (code == SOLOIST_OK && joined.length)
        *all = buffer_take(&joined);
    buffer_close(&joined);
    return code;
}

/* Reads a file NAME.xsb, .sok or .txt. */
static soloist_code read_whole(const char *folder, const char *name, char **text, size_t *length) {
    char path[PATH_ROOM];
    soloist_code code = SOLOIST_OK;
    for (int i = 0; code == SOLOIST_OK && !*text && i < ENDINGS; i++) {
        snprintf(path, sizeof path, "%s/%s%s", folder, name, endings[i]);
        code = read_file(path, text, length);
    }
    return code;
}

static soloist_code read_in_folder(const char *folder, const char *name, enum level_sets_part part, char **text,
                                   size_t *length) {
    const struct known_set *set = find_known(name);
    char path[PATH_ROOM];
    soloist_code code = SOLOIST_OK;
    if (part == LEVEL_SETS_BOARDS)
        code = read_whole(folder, name, text, length);
    if (part == LEVEL_SETS_BOARDS && code == SOLOIST_OK && !*text && set)
        code = read_whole(folder, set->name, text, length);
    if (code == SOLOIST_OK && !*text && set && set->folder && part == LEVEL_SETS_BOARDS) {
        snprintf(path, sizeof path, "%s/%s/%s.txt", folder, set->folder, set->folder);
        code = read_file(path, text, length);
    }
    if (code == SOLOIST_OK && !*text && set && set->stem)
        code = read_numbered(folder, set->stem, part, text, length);
    return code;
}

soloist_code level_sets_read(const struct level_sets *sets, const char *name, enum level_sets_part part, char **text,
                             size_t *length) {
    soloist_code code = SOLOIST_OK;
    *text = NULL;
    if (!*name || strchr(name, '/'))
        return SOLOIST_OK;
    for (size_t i = 0; code == SOLOIST_OK && !*text && i < sets->count; i++)
        code = read_in_folder(sets->folders[i], name, part, text, length);
    return code;
}

/* ---- listing ---- */

/* Selects the files in a folder that are sets of our own. Files of packages have numbers in their names, and are listed
 * by set instead. */
static int is_set_file(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    bool numbered = strlen(entry->d_name) > 8 && dot && strspn(dot - 4, "0123456789") == 4;
    for (int i = 0; dot && !numbered && i < ENDINGS; i++)
        if (!strcmp(dot, endings[i]))
            return 1;
    return 0;
}

static soloist_code each_file(const char *folder, void (*found)(void *, const char *, const char *), void *user) {
    struct dirent **entries;
    errno = 0;
    int count = scandir(folder, &entries, is_set_file, alphasort);
    if (count < 0)
        return errno == ENOMEM ? SOLOIST_NO_MEMORY : SOLOIST_OK;
    for (int i = 0; i < count; i++) {
        *strrchr(entries[i]->d_name, '.') = 0;
        found(user, entries[i]->d_name, folder);
        free(entries[i]);
    }
    free(entries);
    return SOLOIST_OK;
}

static bool set_is_in(const char *folder, const struct known_set *set) {
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/%s/%s.txt", folder, set->folder ? set->folder : "", set->folder ? set->folder : "");
    if (set->folder && !access(path, R_OK))
        return true;
    snprintf(path, sizeof path, "%s/%s0001.sok", folder, set->stem ? set->stem : "");
    return set->stem && !access(path, R_OK);
}

soloist_code level_sets_each(const struct level_sets *sets,
                             void (*found)(void *user, const char *name, const char *folder), void *user) {
    soloist_code code = SOLOIST_OK;
    for (size_t i = 0; code == SOLOIST_OK && i < sets->count; i++)
        code = each_file(sets->folders[i], found, user);
    for (int set = 0; code == SOLOIST_OK && set < KNOWN_SETS; set++)
        for (size_t i = 0; i < sets->count; i++)
            if (set_is_in(sets->folders[i], &known_sets[set])) {
                found(user, known_sets[set].name, sets->folders[i]);
                break;
            }
    return code;
}

soloist_code soloist_level_set(const char *name, const char *folders, char **text, size_t *length) {
    struct level_sets sets;
    if (!name || !text || !length)
        return SOLOIST_MISUSE;
    *text = NULL;
    soloist_code code = open_with(&sets, folders);
    if (code == SOLOIST_OK)
        code = level_sets_read(&sets, name, LEVEL_SETS_BOARDS, text, length);
    level_sets_close(&sets);
    return code;
}

soloist_code soloist_level_sets(const char *folders, void (*found)(void *user, const char *name, const char *folder),
                                void *user) {
    struct level_sets sets;
    if (!found)
        return SOLOIST_MISUSE;
    soloist_code code = open_with(&sets, folders);
    if (code == SOLOIST_OK)
        code = level_sets_each(&sets, found, user);
    level_sets_close(&sets);
    return code;
}
