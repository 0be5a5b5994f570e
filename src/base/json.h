/* A small JSON writer and reader. The writer inserts commas and escape sequences. The reader steps through a text that
 * it does not own, one value at a time; it reports where the text is not JSON, and limits the depth of nesting. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "soloist.h"

/* ---- writer ---- */

#define JSON_WRITER_DEEPEST 64

struct json_writer {
    const soloist_sink *sink;
    int depth;
    bool comma[JSON_WRITER_DEEPEST];
};

void json_open(struct json_writer *json, const soloist_sink *sink);
/* name is NULL inside an array and at the top level. Text that is not UTF-8 is written byte by byte as \u00xx. */
void json_object(struct json_writer *json, const char *name);
void json_array(struct json_writer *json, const char *name);
void json_end(struct json_writer *json, char bracket);                        /* '}' or ']' */
void json_text(struct json_writer *json, const char *name, const char *text); /* NULL text: null */
void json_int(struct json_writer *json, const char *name, int64_t value);
void json_uint(struct json_writer *json, const char *name, uint64_t value);
/* Writes the shortest exact text; NaN and infinity become null. */
void json_real(struct json_writer *json, const char *name, double value);
void json_bool(struct json_writer *json, const char *name, bool value);
void json_null(struct json_writer *json, const char *name);
void json_raw(struct json_writer *json, const char *name, const char *json_value); /* already JSON */

/* ---- reader ---- */

enum json_kind { JSON_NONE, JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_ARRAY, JSON_OBJECT };

/* A value inside a text: its kind, and where in the text it is. */
struct json_value {
    enum json_kind kind;
    const char *start, *end; /* the value's text, including quotes and brackets */
};

#define JSON_READER_DEEPEST 256 /* maximum depth of nesting */

/* Checks the whole text and returns its one value. Bytes from 0x80 up are accepted even if they are not UTF-8. */
bool json_parse(const char *text, size_t length, struct json_value *value, soloist_error *error);
/* The first member with that name in an object. If there is no such member, the kind of the returned value is
 * JSON_NONE. */
struct json_value json_member(struct json_value object, const char *name);
/* Steps through an array or an object: *step must be NULL before the first call. For objects *name receives the
 * member's name; `name` may be NULL. */
bool json_next(struct json_value container, const char **step, struct json_value *name, struct json_value *item);
bool json_get_int(struct json_value value, int64_t *out); /* false if not a whole number in range */
bool json_get_uint(struct json_value value, uint64_t *out);
bool json_get_real(struct json_value value, double *out); /* false if no number, or if too large for a double (1e999) */
bool json_get_bool(struct json_value value, bool *out);
/* Decodes a string into at most `room` bytes, which end in a zero byte; no character is cut in two. Returns the full
 * length of the text (which may be >= room), or -1 if the value is not a string. */
long json_get_text(struct json_value value, char *out, size_t room);
/* Gives the text that json_get_text returns for what json_text has written, in the same way as json_get_text: bytes
 * that are not UTF-8 have become the characters U+0080 to U+00FF. Names of files may contain such bytes. */
long json_read_back(const char *text, char *out, size_t room);

#endif
