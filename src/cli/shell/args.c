/* The parser for the option tables of all commands. */
#include "cli/shell/args.h"
#include "base/quantity.h"
#include "cli/cli.h"
#include "cli/shell/format.h"
#include "cli/shell/help.h"
#include "cli/shell/need.h"
#include "base/suggest.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void arg_list_add(struct arg_list *list, const char *word) {
    list->items = need_resized(list->items, list->count + 1, sizeof *list->items);
    list->items[list->count++] = word;
}

void arg_list_free(struct arg_list *list) {
    free(list->items);
    *list = (struct arg_list){0};
}

static bool in_range(const struct arg *row, double value) { return value >= row->least && value <= row->most; }

static bool read_text(const struct arg *row, const char *text, void *field) {
    (void)row;
    *(const char **)field = text;
    return true;
}

static bool read_list(const struct arg *row, const char *text, void *field) {
    (void)row;
    arg_list_add(field, text);
    return true;
}

static bool read_int(const struct arg *row, const char *text, void *field) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < INT_MIN || value > INT_MAX || !in_range(row, (double)value))
        return false;
    *(int *)field = (int)value;
    return true;
}

static bool read_count(const struct arg *row, const char *text, void *field) {
    return quantity_count(text, field) && in_range(row, (double)*(uint64_t *)field);
}

static bool read_real(const struct arg *row, const char *text, void *field) {
    return quantity_real(text, field) && in_range(row, *(double *)field);
}

static bool read_seconds(const struct arg *row, const char *text, void *field) {
    return quantity_seconds(text, field) && in_range(row, *(double *)field);
}

static bool read_size(const struct arg *row, const char *text, void *field) {
    return quantity_size(text, field) && in_range(row, (double)*(size_t *)field);
}

static bool read_choice(const struct arg *row, const char *text, void *field) {
    int index = 1;
    for (const char *at = row->value; at; index++) {
        size_t size = strcspn(at, "|");
        if (strlen(text) == size && !memcmp(at, text, size)) {
            *(int *)field = index;
            return true;
        }
        at = at[size] ? at + size + 1 : NULL;
    }
    return false;
}

/* How each kind of value is read, and what an error message says was expected. */
static const struct reader {
    bool (*read)(const struct arg *row, const char *text, void *field);
    const char *expected, *examples[5];
} readers[] = {
    [ARG_TEXT] = {read_text, "a text", {NULL}},
    [ARG_LIST] = {read_list, "a text", {NULL}},
    [ARG_INT] = {read_int, "a whole number", {NULL}},
    [ARG_COUNT] = {read_count, "a whole number", {"500", "1e6", "20k", "3M"}},
    [ARG_REAL] = {read_real, "a number", {NULL}},
    [ARG_SECONDS] = {read_seconds, "seconds", {"10", "0.5", "2m", "1h"}},
    [ARG_SIZE] = {read_size, "a size", {"500M", "2G"}},
    [ARG_CHOICE] = {read_choice, NULL, {NULL}},
};

enum { EXPECTED_ROOM = 200 };

/* Writes the range of the option's values, as far as it has one, and the examples that are in this range. */
static char *describe_range(const struct arg *row, char out[EXPECTED_ROOM]) {
    const struct reader *reader = &readers[row->kind];
    char least[FORMAT_ROOM];
    union {
        double real;
        uint64_t count;
        size_t size;
    } value;
    int used = 0;
    *out = 0;
    if (row->most > row->least && row->most < 1e15)
        used = snprintf(out, EXPECTED_ROOM, " from %.10g to %.10g", row->least, row->most);
    else if (row->kind == ARG_SIZE && row->least > 1)
        used = snprintf(out, EXPECTED_ROOM, " of at least %s", format_size((size_t)row->least, least));
    const char *before = ", e.g. ";
    for (const char *const *example = reader->examples; *example; example++)
        if (reader->read(row, *example, &value)) {
            used += snprintf(out + used, EXPECTED_ROOM - (size_t)used, "%s%s", before, *example);
            before = ", ";
        }
    return out;
}

static bool set_value(const struct command *command, const struct arg *row, const char *text, void *options) {
    const struct reader *reader = &readers[row->kind];
    if (reader->read(row, text, (char *)options + row->offset))
        return true;
    char range[EXPECTED_ROOM];
    if (row->kind == ARG_CHOICE)
        cli_complain("%s: --%s %s: expected one of %s", command->name, row->name, text, row->value);
    else
        cli_complain("%s: --%s %s: expected %s%s", command->name, row->name, text, reader->expected,
                     describe_range(row, range));
    return false;
}

static const struct arg *find_long(const struct arg *rows, const char *name, size_t length) {
    for (const struct arg *row = rows; row->kind; row++)
        if (strlen(row->name) == length && !memcmp(row->name, name, length))
            return row;
    return NULL;
}

static const struct arg *find_letter(const struct arg *rows, char letter) {
    for (const struct arg *row = rows; row->kind; row++)
        if (row->letter == letter)
            return row;
    return NULL;
}

static enum args_verdict refuse(const struct command *command, const char *word) {
    struct suggestion nearest = suggest_open(word + strspn(word, "-"));
    for (const struct arg *row = command->args; row->kind; row++)
        suggest_offer(&nearest, row->name);
    suggest_offer(&nearest, "help");
    if (nearest.best)
        cli_complain("%s: unknown option %s: did you mean --%s?", command->name, word, nearest.best);
    else
        cli_complain("%s: unknown option %s: `soloist %s --help` lists them", command->name, word, command->name);
    return ARGS_BAD;
}

/* The row of the option that a word names, and the value after = or the letter; NULL: no such option. */
static const struct arg *find_row(const struct command *command, const char *word, const char **value) {
    if (word[1] != '-') {
        *value = word[2] ? word + 2 : NULL;
        return find_letter(command->args, word[1]);
    }
    size_t length = strcspn(word + 2, "=");
    *value = word[2 + length] ? word + 2 + length + 1 : NULL;
    return find_long(command->args, word + 2, length);
}

/* Reads one option, and the next word if the option needs a value. */
static enum args_verdict take_option(const struct command *command, int count, char **words, int *at, void *options) {
    const char *word = words[*at], *value;
    const struct arg *row = find_row(command, word, &value);
    if (!row)
        return refuse(command, word);
    if (row->kind == ARG_FLAG) {
        if (value) {
            cli_complain("%s: --%s takes no value", command->name, row->name);
            return ARGS_BAD;
        }
        *(bool *)((char *)options + row->offset) = true;
        return ARGS_GO;
    }
    if (!value && *at + 1 >= count) {
        cli_complain("%s: --%s needs a value (%s)", command->name, row->name, row->value);
        return ARGS_BAD;
    }
    if (!value)
        value = words[++*at];
    return set_value(command, row, value, options) ? ARGS_GO : ARGS_BAD;
}

enum args_verdict args_parse(const struct command *command, int count, char **words, void *options,
                             struct arg_list *rest) {
    bool only_words = false;
    for (int at = 0; at < count; at++) {
        const char *word = words[at];
        if (only_words || word[0] != '-' || !word[1]) {
            arg_list_add(rest, word);
        } else if (!strcmp(word, "--")) {
            only_words = true;
        } else if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
            help_command_page(command);
            return ARGS_DONE;
        } else {
            enum args_verdict verdict = take_option(command, count, words, &at, options);
            if (verdict != ARGS_GO)
                return verdict;
        }
    }
    return ARGS_GO;
}

const char *args_value(const struct args_given *given, const char *name) {
    for (int at = 0; at < given->count && strcmp(given->words[at], "--") != 0; at++) {
        const char *word = given->words[at], *value = NULL;
        const struct arg *row = word[0] == '-' && word[1] ? find_row(given->command, word, &value) : NULL;
        if (row && row->kind != ARG_FLAG && !value && at + 1 < given->count)
            value = given->words[++at];
        if (row && !strcmp(row->name, name))
            return value ? value : "";
    }
    return NULL;
}

void args_idle(const struct args_given *given, const char *name, const char *format, ...) {
    char why[200];
    va_list list;
    if (!args_value(given, name))
        return;
    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    cli_complain("%s: warning: --%s has no effect: %s", given->command->name, name, why);
}

void args_help(const struct arg *rows, const soloist_sink *sink) {
    for (const struct arg *row = rows; row->kind; row++) {
        const char *value = row->value ? row->value : "";
        char letter[8] = "    ";
        if (row->letter)
            snprintf(letter, sizeof letter, "-%c, ", row->letter);
        soloist_print(sink, "  %s--%s%s%s", letter, row->name, *value ? " " : "", value);
        int room = 31 - (int)(strlen(letter) + 2 + strlen(row->name) + !!*value + strlen(value));
        soloist_print(sink, room > 0 ? "%*s %s\n" : "\n  %*s%s\n", room > 0 ? room : 32, "", row->help);
    }
    soloist_print(sink, "  %-31s %s\n", "-h, --help", "show this page");
}

void args_words(const struct arg *rows, const soloist_sink *sink) {
    for (const struct arg *row = rows; row->kind; row++)
        soloist_print(sink, "--%s %s\n", row->name, row->value ? row->value : "");
    soloist_put(sink, "--help \n");
}
