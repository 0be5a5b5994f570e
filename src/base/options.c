/* Option rows: one row defines the field, the parser, the range check, the help and the JSON. */
#include "base/options.h"

#include "base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { value_room = 128 };

size_t options_field_size(soloist_option_kind kind) {
    switch (kind) {
    case SOLOIST_OPTION_INT:
    case SOLOIST_OPTION_NAMES: return sizeof(int64_t);
    case SOLOIST_OPTION_REAL: return sizeof(double);
    case SOLOIST_OPTION_BOOL: return sizeof(bool);
    case SOLOIST_OPTION_CHOICE: return sizeof(int);
    case SOLOIST_OPTION_NAME: return SOLOIST_NAME_ROOM;
    case SOLOIST_OPTION_END: break;
    }
    return 0;
}

int options_choice_count(const char *choices) {
    int count = 1;
    for (; *choices; choices++)
        count += *choices == '|';
    return count;
}

static void set_field(const soloist_option *row, void *options, double value) {
    void *field = (char *)options + row->offset;
    switch (row->kind) {
    case SOLOIST_OPTION_NAMES:
    case SOLOIST_OPTION_INT: *(int64_t *)field = value >= 0x1p63 ? INT64_MAX : (int64_t)value; break;
    case SOLOIST_OPTION_REAL: *(double *)field = value; break;
    case SOLOIST_OPTION_BOOL: *(bool *)field = value != 0; break;
    case SOLOIST_OPTION_CHOICE: *(int *)field = (int)value; break;
    case SOLOIST_OPTION_NAME:
    case SOLOIST_OPTION_END: break;
    }
}

/* The whole field is written, so that equal options have equal bytes. */
static void set_name(const soloist_option *row, void *options, const char *name, size_t length) {
    char *field = (char *)options + row->offset;
    memset(field, 0, SOLOIST_NAME_ROOM);
    memcpy(field, name, length < SOLOIST_NAME_ROOM ? length : SOLOIST_NAME_ROOM - 1);
}

void soloist_options_reset(const soloist_option *rows, void *options) {
    for (const soloist_option *row = rows; row && options && row->kind != SOLOIST_OPTION_END; row++)
        if (row->kind == SOLOIST_OPTION_NAME)
            set_name(row, options, row->choices, strcspn(row->choices, "|"));
        else
            set_field(row, options, row->initial);
}

/* ---- reading ---- */

/* The number of the choice that the text names, or -1. */
static int find_choice(const soloist_option *row, const char *text, size_t length) {
    int index = 0;
    for (const char *at = row->choices; at; index++) {
        size_t size = strcspn(at, "|");
        if (size == length && memcmp(at, text, length) == 0)
            return index;
        at = at[size] ? at + size + 1 : NULL;
    }
    return -1;
}

const soloist_option *options_find(const soloist_option *rows, const char *name, size_t length) {
    for (const soloist_option *row = rows; row && row->kind != SOLOIST_OPTION_END; row++)
        if (strlen(row->name) == length && memcmp(row->name, name, length) == 0)
            return row;
    return NULL;
}

/* Reads true (1) or false (0); -1 if the text is neither. */
static int read_bool(const char *text) {
    static const char *const words[] = {"false", "true", "0", "1", "no", "yes", "off", "on"};
    for (int i = 0; i < 8; i++)
        if (!strcmp(text, words[i]))
            return i & 1;
    return -1;
}

/* A whole number may also be written 1e6. */
static bool read_number(const soloist_option *row, const char *text, double *value) {
    return decimal_read(text, strlen(text), value) && (row->kind == SOLOIST_OPTION_REAL || *value == floor(*value));
}

/* Reads a set of names as bits: "first+third", "none", or a number whose bits are the set; -1: the text is none of
 * these. */
static double read_names(const soloist_option *row, const char *text) {
    double number;
    int64_t bits = 0;
    if (decimal_read(text, strlen(text), &number))
        return number == floor(number) && number <= row->most ? number : -1;
    if (!strcmp(text, "none"))
        return 0;
    for (const char *at = text; at;) {
        size_t size = strcspn(at, "+");
        int name = find_choice(row, at, size);
        if (name < 0)
            return -1;
        bits |= INT64_C(1) << name;
        at = at[size] ? at + size + 1 : NULL;
    }
    return (double)bits <= row->most ? (double)bits : -1;
}

static bool set_from_text(const soloist_option *row, void *options, const char *text, int column,
                          soloist_error *error) {
    double value;
    if (row->kind == SOLOIST_OPTION_NAME) {
        if (!*text)
            return soloist_fail(error, 0, column, "%s=: expected a name", row->name);
        set_name(row, options, text, strlen(text));
        return true;
    }
    if (row->kind == SOLOIST_OPTION_BOOL) {
        if ((value = read_bool(text)) < 0)
            return soloist_fail(error, 0, column, "%s=%s: expected true or false", row->name, text);
    } else if (row->kind == SOLOIST_OPTION_CHOICE) {
        if ((value = find_choice(row, text, strlen(text))) < 0)
            return soloist_fail(error, 0, column, "%s=%s: expected one of %s", row->name, text, row->choices);
    } else if (row->kind == SOLOIST_OPTION_NAMES) {
        if ((value = read_names(row, text)) < 0)
            return soloist_fail(error, 0, column, "%s=%.60s: expected none, or some but not all of %s, joined by +",
                                row->name, text, row->choices);
    } else {
        char least[DECIMAL_ROOM], most[DECIMAL_ROOM];
        if (!read_number(row, text, &value))
            return soloist_fail(error, 0, column, "%s=%s: expected a %s", row->name, text,
                                row->kind == SOLOIST_OPTION_INT ? "whole number" : "number");
        decimal_write(row->least, least);
        decimal_write(row->most, most);
        if (!(value >= row->least && value <= row->most))
            return soloist_fail(error, 0, column, "%s=%s: expected a value from %s to %s", row->name, text, least,
                                most);
    }
    set_field(row, options, value);
    return true;
}

/* Writes the error "unknown option 'x'; known: a, b, c and 4 others": as many names as leave room in an error's text
 * for the sentence around them and for what callers add to it. */
static bool refuse_name(const soloist_option *rows, const char *name, size_t length, int column, soloist_error *error) {
    char known[120] = "", others[32] = "";
    size_t used = 0;
    const soloist_option *row = rows;
    for (; row && row->kind != SOLOIST_OPTION_END && used + strlen(row->name) + 3 <= sizeof known; row++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", row->name);
    int left = 0;
    for (; row && row->kind != SOLOIST_OPTION_END; row++)
        left++;
    if (left)
        snprintf(others, sizeof others, " and %d other%s", left, left > 1 ? "s" : "");
    return soloist_fail(error, 0, column, "unknown option '%.*s'; %s%s%s", (int)(length < 64 ? length : 64), name,
                        used ? "known: " : "there are none", known, others);
}

/* Sets one field from the `size` bytes "name=value" or "name" at `at`. */
static bool set_one(const soloist_option *rows, void *options, const char *at, size_t size, int column,
                    soloist_error *error) {
    char value[value_room] = "true";
    size_t name_size = strcspn(at, "=,"), from = name_size + 1;
    const soloist_option *row = options_find(rows, at, name_size);
    if (!row)
        return refuse_name(rows, at, name_size, column, error);
    if (name_size == size)
        return row->kind == SOLOIST_OPTION_BOOL
                   ? set_from_text(row, options, value, column, error)
                   : soloist_fail(error, 0, column, "%s needs a value: %s=...", row->name, row->name);
    column += (int)from;
    if (size - from >= sizeof value)
        return soloist_fail(error, 0, column, "%s: the value is too long", row->name);
    memcpy(value, at + from, size - from);
    value[size - from] = 0;
    return set_from_text(row, options, value, column, error);
}

soloist_code soloist_options_parse(const soloist_option *rows, void *options, const char *text, soloist_error *error) {
    if (rows && !options) {
        soloist_fail(error, 0, 0, "soloist_options_parse needs a struct to fill");
        return SOLOIST_MISUSE;
    }
    for (const char *at = text; at && *at;) {
        at += strspn(at, " ");
        size_t size = strcspn(at, ",");
        if (!set_one(rows, options, at, size, (int)(at - text) + 1, error))
            return SOLOIST_BAD_INPUT;
        at += size + (at[size] == ',');
    }
    return SOLOIST_OK;
}

/* ---- showing ---- */

static double field_number(const soloist_option *row, const void *options) {
    const void *field = (const char *)options + row->offset;
    switch (row->kind) {
    case SOLOIST_OPTION_NAMES:
    case SOLOIST_OPTION_INT: return (double)*(const int64_t *)field;
    case SOLOIST_OPTION_REAL: return *(const double *)field;
    case SOLOIST_OPTION_BOOL: return *(const bool *)field;
    case SOLOIST_OPTION_CHOICE: return *(const int *)field;
    case SOLOIST_OPTION_NAME:
    case SOLOIST_OPTION_END: break;
    }
    return 0;
}

static int write_choice(const soloist_option *row, int index, char *out, size_t room) {
    const char *at = row->choices;
    for (; index > 0 && at; index--) {
        at = strchr(at, '|');
        at = at ? at + 1 : NULL;
    }
    return at && index == 0 ? snprintf(out, room, "%.*s", (int)strcspn(at, "|"), at) : snprintf(out, room, "?");
}

static int write_names(const soloist_option *row, int64_t bits, char *out, size_t room) {
    size_t length = 0;
    for (int i = 0; i < 53; i++) {
        if (!(bits >> i & 1))
            continue;
        if (length)
            length += (size_t)snprintf(length < room ? out + length : NULL, length < room ? room - length : 0, "+");
        length += (size_t)write_choice(row, i, length < room ? out + length : NULL, length < room ? room - length : 0);
    }
    return length ? (int)length : snprintf(out, room, "none");
}

/* Writes a value of this row as text. */
static int write_value(const soloist_option *row, double value, char *out, size_t room) {
    char number[DECIMAL_ROOM];
    switch (row->kind) {
    case SOLOIST_OPTION_BOOL: return snprintf(out, room, "%s", value != 0 ? "true" : "false");
    case SOLOIST_OPTION_CHOICE: return write_choice(row, (int)value, out, room);
    case SOLOIST_OPTION_NAMES: return write_names(row, (int64_t)value, out, room);
    case SOLOIST_OPTION_NAME: return write_choice(row, 0, out, room);
    default: decimal_write(value, number); return snprintf(out, room, "%s", number);
    }
}

int options_value(const soloist_option *row, const void *options, char *out, size_t room) {
    if (row->kind == SOLOIST_OPTION_INT) /* not written through `value`: a double holds 53 bits, the field 64 */
        return snprintf(out, room, "%lld",
                        (long long)*(const int64_t *)(const void *)((const char *)options + row->offset));
    if (row->kind == SOLOIST_OPTION_NAME)
        return snprintf(out, room, "%.*s", SOLOIST_NAME_ROOM - 1, (const char *)options + row->offset);
    return write_value(row, field_number(row, options), out, room);
}

int options_changed(const soloist_option *rows, const void *options, char *out, size_t room) {
    return options_differing(rows, options, NULL, out, room);
}

char *options_changed_text(const soloist_option *rows, const void *options) {
    size_t room = (size_t)options_changed(rows, options, NULL, 0) + 1;
    char *text = malloc(room);
    if (text)
        options_changed(rows, options, text, room);
    return text;
}

/* Whether a field has the value that it has in `usual`; NULL: its initial value. */
static bool is_usual(const soloist_option *row, const void *options, const void *usual) {
    if (row->kind != SOLOIST_OPTION_NAME)
        return field_number(row, options) == (usual ? field_number(row, usual) : row->initial);
    const char *value = (const char *)options + row->offset;
    const char *other = usual ? (const char *)usual + row->offset : row->choices;
    size_t length = usual ? strlen(other) : strcspn(other, "|");
    return strlen(value) == length && !memcmp(value, other, length);
}

int options_differing(const soloist_option *rows, const void *options, const void *usual, char *out, size_t room) {
    size_t length = 0;
    if (room)
        *out = 0;
    for (const soloist_option *row = rows; row && row->kind != SOLOIST_OPTION_END; row++) {
        if (is_usual(row, options, usual))
            continue;
        char value[value_room];
        options_value(row, options, value, sizeof value);
        length += (size_t)snprintf(length < room ? out + length : NULL, length < room ? room - length : 0, "%s%s=%s",
                                   length ? "," : "", row->name, value);
    }
    return (int)length;
}

void options_help(const soloist_option *rows, const void *usual, const soloist_sink *sink) {
    for (const soloist_option *row = rows; row && row->kind != SOLOIST_OPTION_END; row++) {
        char initial[value_room], least[DECIMAL_ROOM], most[DECIMAL_ROOM];
        if (usual)
            options_value(row, usual, initial, sizeof initial);
        else
            write_value(row, row->initial, initial, sizeof initial);
        decimal_write(row->least, least);
        decimal_write(row->most, most);
        soloist_print(sink, "    %-20s %s [", row->name, row->help);
        if (row->kind == SOLOIST_OPTION_CHOICE)
            soloist_print(sink, "%s; ", row->choices);
        else if (row->kind == SOLOIST_OPTION_NAMES)
            soloist_print(sink, "some of %s, joined by +; ", row->choices);
        else if (row->kind == SOLOIST_OPTION_NAME)
            soloist_print(sink, "%s|NAME; ", row->choices);
        else if (row->kind != SOLOIST_OPTION_BOOL)
            soloist_print(sink, "%s to %s; ", least, most);
        soloist_print(sink, "default %s]\n", initial);
    }
}
