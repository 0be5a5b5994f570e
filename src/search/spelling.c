/* Methods whose text uses former names of options. Results, resume files and experiments are kept longer than an option
 * keeps its name, so a text with the old name must still mean the same method. */
#include "base/buffer.h"
#include "base/options.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One "option=value" or "option" of a method's text. */
struct word {
    const char *option, *value; /* value: NULL if there is none */
    int option_length, value_length;
};

static struct word read_word(const char *text, size_t size) {
    size_t length = strcspn(text, "=,");
    struct word word = {text, NULL, (int)(length < size ? length : size), 0};
    if (length < size)
        word.value = text + length + 1, word.value_length = (int)(size - length - 1);
    return word;
}

static bool is(const char *text, int length, const char *name) {
    return text && strlen(name) == (size_t)length && !memcmp(text, name, (size_t)length);
}

/* Replaces the name of the option, or of its value, by the current name or, if `now` is false, by the former one. */
static void translate(const struct search_method *method, struct word *word, bool now) {
    for (const struct search_alias *alias = method->aliases; alias && alias->option; alias++) {
        if (alias->value) {
            if (is(word->option, word->option_length, alias->option) &&
                is(word->value, word->value_length, now ? alias->value : alias->now)) {
                word->value = now ? alias->now : alias->value;
                word->value_length = (int)strlen(word->value);
            }
        } else if (is(word->option, word->option_length, now ? alias->option : alias->now)) {
            word->option = now ? alias->now : alias->option;
            word->option_length = (int)strlen(word->option);
        }
    }
}

/* Prints an option whose value is a set of names. Formerly such a set was a number with one bit per name. False: the
 * word is no such option. */
static bool print_names(const struct search_method *method, const struct word *word, bool now,
                        const soloist_sink *sink) {
    const soloist_option *row = options_find(method->options, word->option, (size_t)word->option_length);
    char text[256], value[256];
    bool known = row && row->kind == SOLOIST_OPTION_NAMES && word->value && word->value_length < 128;
    void *options = known ? calloc(1, method->options_size) : NULL;
    if (options) {
        snprintf(text, sizeof text, "%s=%.*s", row->name, word->value_length, word->value);
        known = soloist_options_parse(row, options, text, NULL) == SOLOIST_OK;
    }
    if (options && known) {
        int64_t bits = *(const int64_t *)(const void *)((const char *)options + row->offset);
        options_value(row, options, value, sizeof value);
        if (now)
            soloist_print(sink, "%s=%s", row->name, value);
        else
            soloist_print(sink, "%s=%lld", row->name, (long long)bits);
    }
    known = known && options;
    free(options);
    return known;
}

const char *search_option_now(const struct search_method *method, const char *option) {
    struct word word = {option, NULL, (int)strlen(option), 0};
    translate(method, &word, true);
    return word.option;
}

char *search_spell(const char *text, bool now) {
    size_t length = strcspn(text, ":");
    const struct search_method *method = search_find(text, length);
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    soloist_print(&sink, "%.*s", (int)length, text);
    for (const char *at = text + length; method && *at;) {
        soloist_print(&sink, "%c", *at++);
        size_t size = strcspn(at, ",");
        struct word word = read_word(at, size);
        translate(method, &word, now);
        if (!print_names(method, &word, now, &sink)) {
            soloist_print(&sink, "%.*s", word.option_length, word.option);
            if (word.value)
                soloist_print(&sink, "=%.*s", word.value_length, word.value);
        }
        at += size;
    }
    if (!method)
        soloist_print(&sink, "%s", text + length);
    return buffer_take(&buffer);
}
