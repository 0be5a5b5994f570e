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
            if (strcmp(alias->value, ALIAS_BITS) && is(word->option, word->option_length, alias->option) &&
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

/* The row of an option that is now a set of names and was formerly a number. If the word is not such an option, the
 * row's name is NULL. */
static soloist_option set_row(const soloist_option *rows, const struct option_alias *aliases, const struct word *word) {
    const soloist_option *row = options_find(rows, word->option, (size_t)word->option_length);
    if (row && row->kind == SOLOIST_OPTION_NAMES)
        return *row;
    for (const struct option_alias *alias = aliases; row && alias && alias->option; alias++)
        if (alias->value && !strcmp(alias->value, ALIAS_BITS) && !strcmp(alias->option, row->name)) {
            double most = 1;
            for (const char *at = alias->now; at; at = strchr(at + 1, '|'))
                most *= 2;
            return (soloist_option){SOLOIST_OPTION_NAMES, row->name, 0, 0, 0, most - 1, alias->now, NULL};
        }
    return (soloist_option){.name = NULL};
}

/* Prints a set of names, which was formerly a number with one bit per name. False: the word is not such a set. */
static bool print_names(const soloist_option *rows, const struct option_alias *aliases, const struct word *word,
                        bool now, const soloist_sink *sink) {
    if (!word->value || word->value_length >= 128)
        return false;
    soloist_option alone[2] = {set_row(rows, aliases, word), {.kind = SOLOIST_OPTION_END}}, *row = alone;
    if (!row->name)
        return false;
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
        if (!print_names(rows, aliases, &word, now, sink)) {
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
