/* Fuzzes the JSON reader: whatever parses is walked through to its last value, written again, and must then parse to
 * the same values. */
#include "base/buffer.h"
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

static void require(bool holds) {
    if (!holds)
        abort();
}

static void copy_value(struct json_writer *json, const char *name, struct json_value value);

static void copy_items(struct json_writer *json, struct json_value value) {
    struct json_value member, item;
    for (const char *step = NULL; json_next(value, &step, &member, &item);) {
        char key[32];
        require(item.start >= value.start && item.end <= value.end && item.start < item.end);
        if (value.kind == JSON_ARRAY) {
            copy_value(json, NULL, item);
            continue;
        }
        long length = json_get_text(member, key, sizeof key);
        if (strlen(key) == (size_t)length)
            require(json_member(value, key).kind != JSON_NONE);
        copy_value(json, key, item);
    }
}

static void copy_value(struct json_writer *json, const char *name, struct json_value value) {
    char text[64];
    double real;
    int64_t whole;
    uint64_t natural;
    bool flag;
    bool is_whole = json_get_int(value, &whole), is_natural = json_get_uint(value, &natural);
    require(!is_natural || natural > INT64_MAX || (is_whole && whole == (int64_t)natural));
    if ((value.kind == JSON_ARRAY || value.kind == JSON_OBJECT) && json->depth < JSON_WRITER_DEEPEST - 1) {
        (value.kind == JSON_ARRAY ? json_array : json_object)(json, name);
        copy_items(json, value);
        json_end(json, value.kind == JSON_ARRAY ? ']' : '}');
    } else if (value.kind == JSON_TEXT) {
        long length = json_get_text(value, text, sizeof text);
        require(length >= 0 && strlen(text) < sizeof text && length <= value.end - value.start - 2);
        json_text(json, name, text);
    } else if (json_get_real(value, &real)) {
        json_real(json, name, real);
    } else if (json_get_bool(value, &flag)) {
        json_bool(json, name, flag);
    } else {
        json_null(json, name);
    }
}

/* Writes a copy of the value; texts longer than the buffers are cut, which a second copy no longer changes. */
static char *copy_text(struct json_value value) {
    struct buffer buffer;
    struct json_writer json;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    json_open(&json, &sink);
    copy_value(&json, NULL, value);
    return buffer_take(&buffer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct json_value value;
    soloist_error error = {0};
    if (!json_parse((const char *)data, size, &value, &error)) {
        require(value.kind == JSON_NONE && error.line > 0 && error.column > 0 && *error.text);
        return 0;
    }
    char *once = copy_text(value);
    require(once && json_parse(once, strlen(once), &value, NULL));
    char *twice = copy_text(value);
    require(twice && json_parse(twice, strlen(twice), &value, NULL));
    char *thrice = copy_text(value);
    /* Bytes that are no UTF-8 become characters, and are cut, only in the first two copies. */
    require(thrice && !strcmp(twice, thrice));
    free(once);
    free(twice);
    free(thrice);
    return 0;
}
