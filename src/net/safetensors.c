#include "net/safetensors.h"

#include <stdlib.h>
#include <string.h>

#define METADATA "__metadata__"

struct entry {
    const char *name;
    uint64_t begin, end;
};

/* ---- one tensor ---- */

/* Bits per number of this type; 0: unknown type. */
static uint64_t type_bits(struct json_value type) {
    static const struct {
        const char *name;
        int bits;
    } types[] = {{"F32", 32},    {"F16", 16},    {"BF16", 16},   {"F64", 64},    {"I64", 64},
                 {"I32", 32},    {"I16", 16},    {"I8", 8},      {"U64", 64},    {"U32", 32},
                 {"U16", 16},    {"U8", 8},      {"BOOL", 8},    {"C64", 64},    {"F8_E4M3", 8},
                 {"F8_E5M2", 8}, {"F8_E8M0", 8}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F4", 4}};
    char text[16] = "";
    json_get_text(type, text, sizeof text);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i].name, text))
            return (uint64_t)types[i].bits;
    return 0;
}

/* Reads an array of non-negative whole numbers and keeps the first `most`. False: it is not such an array. */
static bool read_numbers(struct json_value array, uint64_t *numbers, size_t most, size_t *count) {
    struct json_value item;
    const char *step = NULL;
    uint64_t number;
    *count = 0;
    if (array.kind != JSON_ARRAY)
        return false;
    while (json_next(array, &step, NULL, &item)) {
        if (!json_get_uint(item, &number))
            return false;
        if (*count < most)
            numbers[*count] = number;
        ++*count;
    }
    return true;
}

/* Computes the bytes of a tensor of this shape with `bits` bits per number. */
static bool shape_bytes(const char *name, struct json_value shape, uint64_t bits, uint64_t *bytes,
                        soloist_error *error) {
    struct json_value item;
    const char *step = NULL;
    uint64_t length, total = bits;
    size_t count;
    if (!read_numbers(shape, NULL, 0, &count))
        return soloist_fail(error, 0, 0, "the shape of %.60s is not a list of whole numbers", name);
    while (json_next(shape, &step, NULL, &item)) {
        json_get_uint(item, &length);
        if (length && total > UINT64_MAX / length)
            return soloist_fail(error, 0, 0, "the shape of %.60s is larger than any file", name);
        total *= length;
    }
    if (total % 8)
        return soloist_fail(error, 0, 0, "the numbers of %.60s end within a byte", name);
    *bytes = total / 8;
    return true;
}

static bool read_entry(const char *name, struct json_value value, size_t size, struct entry *entry,
                       soloist_error *error) {
    uint64_t place[2] = {0}, bytes = 0;
    size_t count;
    if (value.kind != JSON_OBJECT)
        return soloist_fail(error, 0, 0, "the header does not describe the tensor %.60s", name);
    uint64_t bits = type_bits(json_member(value, "dtype"));
    if (!bits)
        return soloist_fail(error, 0, 0, "%.60s has numbers of an unknown type", name);
    if (!shape_bytes(name, json_member(value, "shape"), bits, &bytes, error))
        return false;
    if (!read_numbers(json_member(value, "data_offsets"), place, 2, &count) || count != 2 || place[0] > place[1])
        return soloist_fail(error, 0, 0, "the offsets of %.60s are not two numbers in order", name);
    if (place[1] > size)
        return soloist_fail(error, 0, 0, "the file ends within %.60s: it was cut short or damaged", name);
    if (place[1] - place[0] != bytes)
        return soloist_fail(error, 0, 0, "%.60s has %llu bytes, but its shape requires %llu", name,
                            (unsigned long long)(place[1] - place[0]), (unsigned long long)bytes);
    *entry = (struct entry){name, place[0], place[1]};
    return true;
}

size_t safetensors_begin(struct json_value entry) {
    uint64_t place[2] = {0};
    size_t count;
    read_numbers(json_member(entry, "data_offsets"), place, 2, &count);
    return (size_t)place[0];
}

/* ---- all tensors ---- */

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

static int by_place(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    int order = (x->begin > y->begin) - (x->begin < y->begin);
    order = order ? order : (x->end > y->end) - (x->end < y->end);
    return order ? order : by_name(a, b);
}

static bool check_names(struct entry *entries, size_t count, soloist_error *error) {
    qsort(entries, count, sizeof *entries, by_name);
    for (size_t i = 1; i < count; i++)
        if (!by_name(&entries[i - 1], &entries[i]))
            return soloist_fail(error, 0, 0, "the header has %.60s twice", entries[i].name);
    return true;
}

static bool check_places(struct entry *entries, size_t count, size_t size, soloist_error *error) {
    uint64_t filled = 0;
    qsort(entries, count, sizeof *entries, by_place);
    for (size_t i = 0; i < count; i++) {
        if (entries[i].begin < filled)
            return soloist_fail(error, 0, 0, "the bytes of %.60s overlap those of %.60s", entries[i].name,
                                entries[i - 1].name);
        if (entries[i].begin > filled)
            return soloist_fail(error, 0, 0, "the %llu bytes before %.60s belong to no tensor",
                                (unsigned long long)(entries[i].begin - filled), entries[i].name);
        filled = entries[i].end;
    }
    if (filled == size)
        return true;
    return soloist_fail(error, 0, 0, "the last %llu bytes of the file, after %.60s, belong to no tensor",
                        (unsigned long long)(size - filled), count ? entries[count - 1].name : "the header");
}

/* Reads the names and entries. The metadata counts as a tensor without bytes, because its name may also occur only
 * once. names: space for all decoded names, which never need more bytes than in the header. */
static bool read_entries(struct json_value header, size_t size, struct entry *entries, char *names, size_t *count,
                         soloist_error *error) {
    struct json_value name, value;
    const char *step = NULL, *end = names + (header.end - header.start);
    for (*count = 0; json_next(header, &step, &name, &value); ++*count) {
        char *text = names;
        names += json_get_text(name, text, (size_t)(end - names)) + 1;
        entries[*count] = (struct entry){.name = text};
        if (strcmp(text, METADATA) && !read_entry(text, value, size, &entries[*count], error))
            return false;
    }
    return true;
}

bool safetensors_check(struct json_value header, size_t size, soloist_error *error) {
    struct json_value item;
    const char *step = NULL;
    size_t count = 0;
    while (json_next(header, &step, NULL, &item))
        count++;
    struct entry *entries = malloc((count + 1) * sizeof *entries);
    char *names = malloc((size_t)(header.end - header.start));
    bool good = entries && names;
    if (!good)
        soloist_fail(error, 0, 0, "no memory for the names of %zu tensors", count);
    good = good && read_entries(header, size, entries, names, &count, error) && check_names(entries, count, error) &&
           check_places(entries, count, size, error);
    free(entries);
    free(names);
    return good;
}
