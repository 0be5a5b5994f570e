#include "serve/fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fields_good(const struct fields *fields) { return !*fields->error.text; }

bool fields_open(struct fields *fields, const char *text, size_t length) {
    *fields = (struct fields){0};
    if (!json_parse(text, length, &fields->object, &fields->error))
        return false;
    return fields->object.kind == JSON_OBJECT || soloist_fail(&fields->error, 0, 0, "expected a JSON object");
}

static void wrong(struct fields *fields, const char *name, const char *what) {
    if (fields_good(fields))
        soloist_fail(&fields->error, 0, 0, "%s: %s", name, what);
}

bool fields_has(const struct fields *fields, const char *name) {
    enum json_kind kind = json_member(fields->object, name).kind;
    return kind != JSON_NONE && kind != JSON_NULL;
}

static bool find(struct fields *fields, const char *name, struct json_value *value) {
    if (!fields_good(fields) || !fields_has(fields, name))
        return false;
    *value = json_member(fields->object, name);
    return true;
}

char *fields_text(struct fields *fields, const char *name, size_t most) {
    struct json_value value;
    char spare[1];
    if (!find(fields, name, &value))
        return NULL;
    long length = json_get_text(value, spare, sizeof spare);
    if (length < 0)
        return wrong(fields, name, "expected a text"), NULL;
    if ((size_t)length > most) {
        soloist_fail(&fields->error, 0, 0, "%s: the text has %ld bytes, expected at most %zu", name, length, most);
        return NULL;
    }
    char *text = malloc((size_t)length + 1);
    if (!text)
        return wrong(fields, name, "out of memory"), NULL;
    json_get_text(value, text, (size_t)length + 1);
    if (strlen(text) != (size_t)length) {
        free(text);
        return wrong(fields, name, "a zero byte is not allowed"), NULL;
    }
    return text;
}

char *fields_needed(struct fields *fields, const char *name, size_t most) {
    char *text = fields_text(fields, name, most);
    if (!text)
        wrong(fields, name, "is missing");
    return text;
}

double fields_real(struct fields *fields, const char *name, double initial, double least, double most) {
    struct json_value value;
    double number;
    if (!find(fields, name, &value))
        return initial;
    if (json_get_real(value, &number) && number >= least && number <= most)
        return number;
    if (fields_good(fields))
        soloist_fail(&fields->error, 0, 0, "%s: expected a number from %g to %g", name, least, most);
    return initial;
}

bool fields_bool(struct fields *fields, const char *name, bool initial) {
    struct json_value value;
    bool answer;
    if (!find(fields, name, &value))
        return initial;
    if (json_get_bool(value, &answer))
        return answer;
    wrong(fields, name, "expected true or false");
    return initial;
}

uint64_t fields_count(struct fields *fields, const char *name, uint64_t initial, uint64_t most) {
    struct json_value value;
    uint64_t number;
    if (!find(fields, name, &value))
        return initial;
    if (json_get_uint(value, &number) && number <= most)
        return number;
    if (fields_good(fields))
        soloist_fail(&fields->error, 0, 0, "%s: expected a whole number up to %" PRIu64, name, most);
    return initial;
}

int fields_choice(struct fields *fields, const char *name, const char *const *names, int initial) {
    struct json_value value;
    char text[64];
    if (!find(fields, name, &value))
        return initial;
    if (json_get_text(value, text, sizeof text) >= 0)
        for (int i = 0; names[i]; i++)
            if (!strcmp(names[i], text))
                return i;
    char list[200] = "expected one of";
    for (size_t i = 0, used = strlen(list); names[i] && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s %s", i ? "," : "", names[i]);
    wrong(fields, name, list);
    return initial;
}
