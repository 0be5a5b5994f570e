/* The JSON reader: one pass checks the whole text without recursion (RFC 8259). After that, values are found by
 * stepping over text that is known to be well formed. No tree is built, and nothing is allocated. */
#include "base/decimal.h"
#include "base/json.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

/* ---- the check ---- */

struct reader {
    const char *text, *at, *end;
    soloist_error *error;
    int depth;
    char close[JSON_READER_DEEPEST]; /* the closing bracket of each open container */
};

/* Reports an error with its line and column. Lines end with LF, CR LF or CR; columns count bytes. */
static bool refuse(struct reader *reader, const char *at, const char *what) {
    int line = 1, column = 1;
    for (const char *p = reader->text; p < at; p++) {
        column++;
        if (*p == '\n' || (*p == '\r' && (p + 1 == reader->end || p[1] != '\n')))
            line++, column = 1;
    }
    return soloist_fail(reader->error, line, column, "JSON: %s", what);
}

static const char *skip_space(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

static bool at_byte(const struct reader *reader, char byte) { return reader->at < reader->end && *reader->at == byte; }

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads four hexadecimal digits; -1 if there are none. */
static int32_t hex_four(const char *at, const char *end) {
    int32_t code = 0;
    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(at[i]);
        if (digit < 0)
            return -1;
        code = code << 4 | digit;
    }
    return code;
}

static bool check_escape(struct reader *reader) {
    const char *at = reader->at++;
    if (at_byte(reader, 'u')) {
        if (hex_four(reader->at + 1, reader->end) < 0)
            return refuse(reader, at, "\\u needs four hexadecimal digits");
        reader->at += 5;
        return true;
    }
    if (reader->at == reader->end || !*reader->at || !strchr("\"\\/bfnrt", *reader->at))
        return refuse(reader, at, "unknown escape");
    reader->at++;
    return true;
}

static bool check_text(struct reader *reader) {
    const char *start = reader->at++;
    while (reader->at < reader->end) {
        if (*reader->at == '"') {
            reader->at++;
            return true;
        }
        if ((unsigned char)*reader->at < 0x20)
            return refuse(reader, reader->at, "control character in a string");
        if (*reader->at != '\\')
            reader->at++;
        else if (!check_escape(reader))
            return false;
    }
    return refuse(reader, start, "string without an end");
}

static bool check_scalar(struct reader *reader) {
    static const char *const words[] = {"null", "true", "false"};
    size_t left = (size_t)(reader->end - reader->at);
    if (!left)
        return refuse(reader, reader->at, "expected a value, found the end");
    if (*reader->at == '"')
        return check_text(reader);
    for (int i = 0; i < 3; i++)
        if (left >= strlen(words[i]) && !memcmp(reader->at, words[i], strlen(words[i]))) {
            reader->at += strlen(words[i]);
            return true;
        }
    size_t number = decimal_scan(reader->at, left);
    if (!number)
        return refuse(reader, reader->at, "expected a value");
    reader->at += number;
    return true;
}

static bool check_name(struct reader *reader) {
    reader->at = skip_space(reader->at, reader->end);
    if (!at_byte(reader, '"'))
        return refuse(reader, reader->at, "expected a member name in quotes");
    if (!check_text(reader))
        return false;
    reader->at = skip_space(reader->at, reader->end);
    if (!at_byte(reader, ':'))
        return refuse(reader, reader->at, "expected ':'");
    reader->at++;
    return true;
}

/* Steps into a container. *inside: whether the container is not empty; then its first value comes next. */
static bool check_open(struct reader *reader, bool *inside) {
    char close = *reader->at == '{' ? '}' : ']';
    if (reader->depth == JSON_READER_DEEPEST)
        return refuse(reader, reader->at, "nested too deeply");
    reader->at = skip_space(reader->at + 1, reader->end);
    *inside = !at_byte(reader, close);
    if (!*inside) {
        reader->at++;
        return true;
    }
    reader->close[reader->depth++] = close;
    return close == ']' || check_name(reader);
}

/* After a value: closes the containers that end here. *more: a comma was found, and another value comes next. */
static bool check_after(struct reader *reader, bool *more) {
    for (*more = false; reader->depth;) {
        char close = reader->close[reader->depth - 1];
        reader->at = skip_space(reader->at, reader->end);
        if (at_byte(reader, ',')) {
            reader->at++;
            *more = true;
            return close == ']' || check_name(reader);
        }
        if (!at_byte(reader, close))
            return refuse(reader, reader->at, close == ']' ? "expected ',' or ']'" : "expected ',' or '}'");
        reader->at++;
        reader->depth--;
    }
    return true;
}

static bool check_value(struct reader *reader) {
    for (bool more = true; more;) {
        bool inside = false;
        reader->at = skip_space(reader->at, reader->end);
        if (at_byte(reader, '{') || at_byte(reader, '[')) {
            if (!check_open(reader, &inside))
                return false;
        } else if (!check_scalar(reader)) {
            return false;
        }
        if (!inside && !check_after(reader, &more))
            return false;
    }
    return true;
}

/* ---- values ---- */

static enum json_kind kind_at(char c) {
    switch (c) {
    case 'n': return JSON_NULL;
    case 't':
    case 'f': return JSON_BOOL;
    case '"': return JSON_TEXT;
    case '[': return JSON_ARRAY;
    case '{': return JSON_OBJECT;
    default: return JSON_NUMBER;
    }
}

bool json_parse(const char *text, size_t length, struct json_value *value, soloist_error *error) {
    struct reader reader = {.text = text, .at = text, .end = text + length, .error = error};
    *value = (struct json_value){JSON_NONE, NULL, NULL};
    if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
        reader.at += 3;
    const char *start = skip_space(reader.at, reader.end);
    if (!check_value(&reader))
        return false;
    *value = (struct json_value){kind_at(*start), start, reader.at};
    const char *rest = skip_space(reader.at, reader.end);
    if (rest == reader.end)
        return true;
    *value = (struct json_value){JSON_NONE, NULL, NULL};
    return refuse(&reader, rest, "expected the end of the text");
}

static const char *skip_text(const char *at, const char *end) {
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\';
    return at < end ? at + 1 : end;
}

static struct json_value value_at(const char *at, const char *end) {
    struct json_value value = {kind_at(*at), at, at};
    int depth = 0;
    do {
        bool text = *at == '"';
        depth += *at == '[' || *at == '{';
        depth -= *at == ']' || *at == '}';
        at = text ? skip_text(at, end) : at + 1;
    } while (depth && at < end);
    if (value.kind == JSON_NULL || value.kind == JSON_BOOL || value.kind == JSON_NUMBER)
        while (at < end && !memchr(",]} \t\r\n", *at, 7))
            at++;
    value.end = at;
    return value;
}

bool json_next(struct json_value container, const char **step, struct json_value *name, struct json_value *item) {
    if (container.kind != JSON_ARRAY && container.kind != JSON_OBJECT)
        return false;
    const char *end = container.end - 1, *at = skip_space(*step ? *step : container.start + 1, end);
    if (*step && at < end)
        at = skip_space(at + 1, end);
    if (at >= end)
        return false;
    if (container.kind == JSON_OBJECT) {
        struct json_value member = value_at(at, end);
        if (name)
            *name = member;
        at = skip_space(skip_space(member.end, end) + 1, end);
    }
    *item = value_at(at, end);
    *step = item->end;
    return true;
}

bool json_get_bool(struct json_value value, bool *out) {
    *out = value.kind == JSON_BOOL && *value.start == 't';
    return value.kind == JSON_BOOL;
}

bool json_get_real(struct json_value value, double *out) {
    return value.kind == JSON_NUMBER && decimal_read(value.start, (size_t)(value.end - value.start), out);
}

/* 1e6 and 2.0 are whole numbers too, as long as a double represents them exactly. */
static bool uint_from_real(struct json_value value, uint64_t *out) {
    double real;
    if (!json_get_real(value, &real) || real < 0 || real > 0x1p53 || real != floor(real))
        return false;
    *out = (uint64_t)real;
    return true;
}

bool json_get_uint(struct json_value value, uint64_t *out) {
    uint64_t sum = 0;
    bool fits = value.kind == JSON_NUMBER;
    for (const char *at = value.start; fits && at < value.end; at++)
        if (*at < '0' || *at > '9')
            return uint_from_real(value, out);
    for (const char *at = value.start; fits && at < value.end; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        fits = sum <= (UINT64_MAX - digit) / 10;
        sum = sum * 10 + digit;
    }
    if (fits)
        *out = sum;
    return fits;
}

bool json_get_int(struct json_value value, int64_t *out) {
    bool negative = value.kind == JSON_NUMBER && *value.start == '-';
    uint64_t size;
    if (negative)
        value.start++;
    if (!json_get_uint(value, &size) || size > (uint64_t)INT64_MAX + negative)
        return false;
    *out = negative ? (int64_t)(0 - size) : (int64_t)size;
    return true;
}

/* ---- text ---- */

static size_t encode_utf8(uint32_t code, char out[4]) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    for (size_t i = more; i; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(lead[more] | code);
    return more + 1;
}

/* Decodes \uXXXX, together with the low half of a surrogate pair if it follows; *at is after the u. Half a pair alone
 * is not a character and becomes U+FFFD. */
static uint32_t decode_unit(const char **at, const char *end) {
    uint32_t code = (uint32_t)hex_four(*at, end);
    *at += 4;
    if (code < 0xd800 || code > 0xdfff)
        return code;
    if (code < 0xdc00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        uint32_t low = (uint32_t)hex_four(*at + 2, end);
        if (low >= 0xdc00 && low <= 0xdfff) {
            *at += 6;
            return 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
        }
    }
    return 0xfffd;
}

/* Decodes one character inside a string; returns its length in bytes. Bytes that are not UTF-8 are returned one by
 * one. */
static size_t decode(const char **at, const char *end, char out[4]) {
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    if (**at != '\\') {
        size_t size = utf8_size(*at, (size_t)(end - *at));
        size += !size;
        memcpy(out, *at, size);
        *at += size;
        return size;
    }
    char c = (*at)[1];
    *at += 2;
    if (c == 'u')
        return encode_utf8(decode_unit(at, end), out);
    const char *known = strchr(from, c);
    out[0] = known ? to[known - from] : c;
    return 1;
}

/* A text that is written into limited room. */
struct copy {
    char *out;
    size_t room, length, kept; /* length: of the full text */
};

static void put_character(struct copy *copy, const char bytes[4], size_t n) {
    if (copy->kept == copy->length && copy->length + n < copy->room) {
        memcpy(copy->out + copy->length, bytes, n);
        copy->kept += n;
    }
    copy->length += n;
}

static long end_copy(const struct copy *copy) {
    if (copy->room)
        copy->out[copy->kept] = 0;
    return (long)copy->length;
}

long json_get_text(struct json_value value, char *out, size_t room) {
    if (value.kind != JSON_TEXT)
        return -1;
    struct copy copy = {.out = out, .room = room};
    const char *at = value.start + 1, *end = value.end - 1;
    while (at < end) {
        char bytes[4];
        size_t n = decode(&at, end, bytes);
        put_character(&copy, bytes, n);
    }
    return end_copy(&copy);
}

long json_read_back(const char *text, char *out, size_t room) {
    struct copy copy = {.out = out, .room = room};
    for (const char *at = text, *end = text + strlen(text); at < end;) {
        char bytes[4];
        size_t size = utf8_size(at, (size_t)(end - at));
        memcpy(bytes, at, size);
        put_character(&copy, bytes, size ? size : encode_utf8((unsigned char)*at, bytes));
        at += size + !size;
    }
    return end_copy(&copy);
}

static bool is_named(struct json_value name, const char *wanted) {
    const char *at = name.start + 1, *end = name.end - 1;
    size_t left = strlen(wanted);
    while (at < end) {
        char bytes[4];
        size_t n = decode(&at, end, bytes);
        if (n > left || memcmp(bytes, wanted, n))
            return false;
        wanted += n;
        left -= n;
    }
    return !left;
}

struct json_value json_member(struct json_value object, const char *name) {
    struct json_value member, item;
    if (object.kind == JSON_OBJECT)
        for (const char *step = NULL; json_next(object, &step, &member, &item);)
            if (is_named(member, name))
                return item;
    return (struct json_value){JSON_NONE, NULL, NULL};
}
