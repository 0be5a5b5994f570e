/* The arguments of a training run, stored in its folder as one JSON object. */
#include "base/buffer.h"
#include "base/cache_file.h"
#include "base/json.h"
#include "base/path.h"
#include "cli/shell/files.h"
#include "cli/shell/need.h"
#include "cli/learn/train.h"
#include "learn/train/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS "words.json"

/* The arguments that are texts. fixed: a resumed run must have the same value, because its checkpoint depends on it;
 * usual: the value if none is given. */
static const struct word {
    const char *name;
    size_t offset;
    bool fixed;
    const char *usual;
} words[] = {
#define WORD(name, field, fixed, usual)                                                                                \
    { name, offsetof(struct train_options, field), fixed, usual }
    WORD("domain", domain, true, NULL),      WORD("board", board, true, "15x15"),
    WORD("generate", generate, true, NULL),  WORD("curriculum", curriculum, true, NULL),
    WORD("back-end", back_end, false, NULL), WORD("method", method, false, NULL),
    WORD("search", search, false, NULL),     WORD("store", store, false, NULL),
    WORD("teacher", teacher, false, NULL),
#undef WORD
};

enum { WORD_COUNT = sizeof words / sizeof *words };

static const char **text_of(const struct train_options *options, const struct word *word) {
    return (const char **)(void *)((char *)(uintptr_t)options + word->offset);
}

void train_texts_free(struct arg_list *texts) {
    for (size_t i = 0; i < texts->count; i++)
        free((char *)(uintptr_t)texts->items[i]);
    arg_list_free(texts);
}

void train_words_add(struct arg_list *list, const char *word, struct arg_list *texts) {
    struct buffer spelled;
    buffer_open(&spelled);
    soloist_sink sink = buffer_sink(&spelled);
    training_options_spell(word, true, &sink);
    char *text = need(buffer_take(&spelled));
    arg_list_add(texts, text);
    arg_list_add(list, text);
}

/* ---- writing ---- */

/* An absolute path, which works from any folder. The caller frees it. */
static char *absolute(const char *path) {
    char here[4096];
    if (*path == '/' || !getcwd(here, sizeof here))
        return need_text(path, strlen(path));
    return need(path_in(here, path));
}

static void write_path(struct json_writer *json, const char *name, const char *path) {
    char *whole = path ? absolute(path) : NULL;
    json_text(json, name, whole);
    free(whole);
}

static void write_list(struct json_writer *json, const char *name, const struct arg_list *list, bool paths) {
    json_array(json, name);
    for (size_t i = 0; i < list->count; i++)
        paths ? write_path(json, NULL, list->items[i]) : json_text(json, NULL, list->items[i]);
    json_end(json, ']');
}

static void write_words(struct json_writer *json, const char *place, const struct train_options *options) {
    json_object(json, NULL);
    json_text(json, "soloist", SOLOIST_VERSION);
    json_text(json, "folder", place);
    write_path(json, "out", options->out);
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (!strcmp(words[i].name, "store"))
            write_path(json, words[i].name, *text_of(options, &words[i]));
        else
            json_text(json, words[i].name, *text_of(options, &words[i]));
    json_text(json, "way", options->way ? training_way_name((enum training_way)(options->way - 1)) : NULL);
    json_uint(json, "seed", options->seed);
    json_int(json, "threads", options->threads);
    json_real(json, "time", options->time);
    write_list(json, "games", &options->games, true);
    write_list(json, "levels", &options->levels, true);
    write_list(json, "plugin", &options->plugin, true);
    write_list(json, "words", &options->words, false);
    json_end(json, '}');
}

bool train_words_remember(const char *folder, const struct train_options *options, soloist_error *error) {
    struct buffer text;
    struct json_writer json;
    char *place = need(realpath(folder, NULL)), *path = train_folder_file(folder, WORDS);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    json_open(&json, &sink);
    write_words(&json, place, options);
    soloist_put(&sink, "\n");
    need_whole(&text);
    bool written = cache_file_replace(path, text.text, text.length, "", 0);
    if (!written)
        soloist_fail(error, 0, 0, "%s cannot be written", path);
    buffer_close(&text);
    free(place);
    free(path);
    return written;
}

/* ---- reading ---- */

/* Reads a text, which *texts then owns; NULL: there is none. */
static const char *take_text(struct json_value value, struct arg_list *texts) {
    long length = json_get_text(value, NULL, 0);
    if (length < 0)
        return NULL;
    char *text = need_bytes((size_t)length + 1);
    json_get_text(value, text, (size_t)length + 1);
    arg_list_add(texts, text);
    return text;
}

static void take_list(struct json_value array, struct arg_list *texts, struct arg_list *list) {
    struct json_value item;
    const char *step = NULL, *text;
    while (array.kind == JSON_ARRAY && json_next(array, &step, NULL, &item))
        if ((text = take_text(item, texts)))
            arg_list_add(list, text);
}

static int take_way(struct json_value value) {
    char way[32] = "";
    json_get_text(value, way, sizeof way);
    return 1 + training_way_find(way);
}

/* The network's path for a run's folder: a/mine.safetensors for "a/mine.safetensors.run"; NULL: the name does not have
 * this form. */
static const char *out_of(const char *folder, struct arg_list *texts) {
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    if (length < 5 || memcmp(folder + length - 4, ".run", 4) != 0 || folder[length - 5] == '/')
        return NULL;
    char *out = need_text(folder, length - 4);
    arg_list_add(texts, out);
    return out;
}

/* Where the network is to be written. If the folder was moved, this is next to the folder's new place. */
static const char *find_out(const char *folder, struct json_value object, struct arg_list *texts) {
    const char *place = take_text(json_member(object, "folder"), texts);
    char *now = need(realpath(folder, NULL));
    bool moved = !place || strcmp(place, now) != 0;
    free(now);
    return moved ? out_of(folder, texts) : take_text(json_member(object, "out"), texts);
}

static void take_words(struct json_value object, struct arg_list *texts, struct train_options *kept) {
    struct arg_list written = {0};
    int64_t threads = 0;
    for (size_t i = 0; i < WORD_COUNT; i++)
        *text_of(kept, &words[i]) = take_text(json_member(object, words[i].name), texts);
    kept->way = take_way(json_member(object, "way"));
    json_get_uint(json_member(object, "seed"), &kept->seed);
    json_get_real(json_member(object, "time"), &kept->time);
    json_get_int(json_member(object, "threads"), &threads);
    kept->threads = threads > 0 && threads <= 4096 ? (int)threads : 0;
    take_list(json_member(object, "games"), texts, &kept->games);
    take_list(json_member(object, "levels"), texts, &kept->levels);
    take_list(json_member(object, "plugin"), texts, &kept->plugin);
    take_list(json_member(object, "words"), texts, &written);
    for (size_t i = 0; i < written.count; i++)
        train_words_add(&kept->words, written.items[i], texts);
    arg_list_free(&written);
}

/* ---- combining stored and given arguments ---- */

static bool contradicts(const char *folder, const char *word, const char *given, const char *kept) {
    return cli_complain("train: %s %s: the run in %s has %s, which cannot be changed", word, given, folder,
                        kept ? kept : "none"),
           false;
}

static bool merge_texts(struct train_options *options, const struct train_options *kept) {
    for (size_t i = 0; i < WORD_COUNT; i++) {
        const char **given = text_of(options, &words[i]), *known = *text_of(kept, &words[i]);
        const char *holds = known ? known : words[i].usual;
        if (*given && words[i].fixed && (!holds || strcmp(*given, holds) != 0)) {
            char word[32];
            snprintf(word, sizeof word, "%s%s", strcmp(words[i].name, "domain") ? "--" : "", words[i].name);
            return contradicts(options->resume, word, *given, holds);
        }
        *given = *given ? *given : known;
    }
    return true;
}

static bool same_files(const struct arg_list *given, const struct arg_list *kept) {
    bool same = given->count == kept->count;
    for (size_t i = 0; same && i < given->count; i++) {
        char *path = absolute(given->items[i]);
        same = !strcmp(path, kept->items[i]);
        free(path);
    }
    return same;
}

static enum training_way way_of(const struct train_options *options) {
    return options->way ? (enum training_way)(options->way - 1) : TRAINING_CONTINUOUS;
}

static bool merge_numbers(struct train_options *options, const struct train_options *kept) {
    char given[32], known[32];
    if (options->way && way_of(options) != way_of(kept))
        return contradicts(options->resume, "--way", training_way_name(way_of(options)),
                           training_way_name(way_of(kept)));
    if (options->seed != TRAIN_NO_SEED && options->seed != kept->seed) {
        snprintf(given, sizeof given, "%llu", (unsigned long long)options->seed);
        snprintf(known, sizeof known, "%llu", (unsigned long long)kept->seed);
        return contradicts(options->resume, "--seed", given, known);
    }
    options->way = kept->way;
    options->seed = kept->seed;
    options->time = options->time == TRAIN_NO_TIME ? kept->time : options->time;
    options->threads = options->threads ? options->threads : kept->threads;
    return true;
}

static bool has_key(const struct arg_list *list, const char *word) {
    size_t length = strcspn(word, "=") + 1;
    for (size_t i = 0; i < list->count; i++)
        if (!strncmp(list->items[i], word, length))
            return true;
    return false;
}

/* The words that were typed come last, because the last value of an option takes effect. */
static bool merge_lists(struct train_options *options, const struct train_options *kept) {
    struct arg_list all = {0};
    if (options->games.count && !same_files(&options->games, &kept->games))
        return cli_complain(
                   "train: --games %s: files of games are read only when a run starts, and the run in %s has already "
                   "started",
                   options->games.items[0], options->resume),
               false;
    for (size_t i = 0; !options->games.count && i < kept->games.count; i++)
        arg_list_add(&options->games, kept->games.items[i]);
    for (size_t i = 0; !options->levels.count && i < kept->levels.count; i++)
        arg_list_add(&options->levels, kept->levels.items[i]);
    for (size_t i = 0; !options->plugin.count && i < kept->plugin.count; i++)
        arg_list_add(&options->plugin, kept->plugin.items[i]);
    for (size_t i = 0; i < kept->words.count; i++)
        if (!has_key(&options->words, kept->words.items[i]))
            arg_list_add(&all, kept->words.items[i]);
    for (size_t i = 0; i < options->words.count; i++)
        arg_list_add(&all, options->words.items[i]);
    arg_list_free(&options->words);
    options->words = all;
    return true;
}

static bool recall_words(struct train_options *options, const char *path, struct arg_list *texts) {
    struct train_options kept = {.time = 0, .seed = 1};
    struct json_value object;
    size_t length;
    char *text = file_read(path, &length);
    if (!text)
        return cli_complain("train: %s: %s", path, strerror(errno)), false;
    bool good = json_parse(text, length, &object, NULL) && object.kind == JSON_OBJECT;
    if (!good)
        cli_complain("train: %s is damaged: remove it, and give all arguments of the run together with --resume", path);
    if (good) {
        take_words(object, texts, &kept);
        options->own = find_out(options->resume, object, texts);
        options->out = options->out ? options->out : options->own;
        good = merge_texts(options, &kept) && merge_numbers(options, &kept) && merge_lists(options, &kept);
    }
    arg_list_free(&kept.games);
    arg_list_free(&kept.levels);
    arg_list_free(&kept.plugin);
    arg_list_free(&kept.words);
    free(text);
    return good;
}

bool train_words_recall(struct train_options *options, struct arg_list *texts) {
    char *path = train_folder_file(options->resume, WORDS);
    bool there = !access(path, F_OK), good = true;
    options->own = out_of(options->resume, texts);
    if (there)
        good = recall_words(options, path, texts);
    else if (!train_folder_is_begun(options->resume))
        good = (cli_complain(access(options->resume, F_OK) ? "train: %s: no such folder"
                                                           : "train: %s holds no checkpoint to continue from",
                             options->resume),
                false);
    else if (!options->domain || !options->out)
        good = (cli_complain("train: %s has no record of its arguments: give DOMAIN, --out FILE and all others again",
                             options->resume),
                false);
    free(path);
    return good;
}
