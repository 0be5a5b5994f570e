#include "base/alias.h"
#include "base/options.h"

#include <stdio.h>
#include <string.h>

/* One part of a text: "option=value" or "option". */
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

/* Replaces the name of the option, or of its value, by its current name or, if `now` is false, by its former name. */
static void translate(const struct option_alias *aliases, struct word *word, bool now) {
    for (const struct option_alias *alias = aliases; alias && alias->option; alias++) {
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

/* Prints a set of names, which was formerly written as a number with one bit per name. False: the word is not a set of
 * names. */
static bool print_names(const soloist_option *rows, const struct word *word, bool now, const soloist_sink *sink) {
    const soloist_option *row = options_find(rows, word->option, (size_t)word->option_length);
    if (!row || row->kind != SOLOIST_OPTION_NAMES || !word->value || word->value_length >= 128)
        return false;
    soloist_option alone[2] = {*row, {.kind = SOLOIST_OPTION_END}};
    int64_t bits = 0;
    char text[256], value[256];
    alone->offset = 0;
    snprintf(text, sizeof text, "%s=%.*s", row->name, word->value_length, word->value);
    if (soloist_options_parse(alone, &bits, text, NULL) != SOLOIST_OK)
        return false;
    options_value(alone, &bits, value, sizeof value);
    if (now)
        soloist_print(sink, "%s=%s", row->name, value);
    else
        soloist_print(sink, "%s=%lld", row->name, (long long)bits);
    return true;
}

void alias_spell(const soloist_option *rows, const struct option_alias *aliases, const char *text, bool now,
                 const soloist_sink *sink) {
    for (const char *at = text; at && *at;) {
        size_t size = strcspn(at, ",");
        struct word word = read_word(at, size);
        translate(aliases, &word, now);
        if (!print_names(rows, &word, now, sink)) {
            soloist_print(sink, "%.*s", word.option_length, word.option);
            if (word.value)
                soloist_print(sink, "=%.*s", word.value_length, word.value);
        }
        at += size;
        if (*at)
            soloist_print(sink, "%c", *at++);
    }
}

const char *alias_option_now(const struct option_alias *aliases, const char *option) {
    struct word word = {option, NULL, (int)strlen(option), 0};
    translate(aliases, &word, true);
    return word.option;
}
