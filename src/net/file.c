#include "net/file.h"

#include "base/buffer.h"
#include "base/cache_file.h"
#include "base/hash.h"
#include "base/json.h"
#include "net/safetensors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DESCRIPTION "soloist.network"
#define LONGEST_HEADER 100000000u /* the limit that the format sets */
#define MOST_DIMENSIONS 4

/* A tensor that the network needs, such as conv3.weight. */
struct tensor {
    char name[NET_NAME_ROOM + 8];
    size_t at, count; /* its range in the parameters */
    int dimensions;
    int64_t shape[MOST_DIMENSIONS];
};

static struct tensor tensor_of(const struct net_layer *layer, bool bias) {
    struct tensor tensor = {.at = bias ? layer->bias : layer->weight,
                            .count = bias ? layer->bias_count : layer->weight_count,
                            .dimensions = bias                        ? 1
                                          : layer->kind == NET_LINEAR ? 2
                                                                      : 4};
    snprintf(tensor.name, sizeof tensor.name, "%s.%s", layer->name, bias ? "bias" : "weight");
    tensor.shape[0] = layer->out.channels;
    tensor.shape[1] = layer->kind == NET_LINEAR ? (int64_t)net_shape_size(layer->in) : layer->in.channels;
    tensor.shape[2] = layer->kernel_height;
    tensor.shape[3] = layer->kernel_width;
    return tensor;
}

/* ---- reading ---- */

static bool open_header(const void *bytes, size_t length, struct json_value *header, soloist_error *error) {
    if (length < 8)
        return soloist_fail(error, 0, 0, "the file has %zu bytes: too few for a safetensors file", length);
    uint64_t size = hash_load(bytes, 8);
    if (size > LONGEST_HEADER)
        return soloist_fail(error, 0, 0, "this is not a safetensors file: its header would have %llu bytes",
                            (unsigned long long)size);
    if (size > length - 8)
        return soloist_fail(error, 0, 0, "the file ends within its header: %zu of %llu bytes", length - 8,
                            (unsigned long long)size);
    soloist_error inside = {0};
    const char *text = (const char *)bytes + 8;
    if (!size || *text != '{' || !json_parse(text, (size_t)size, header, &inside))
        return soloist_fail(error, 0, 0, "this is not a safetensors file: its header is not a JSON object");
    return true;
}

long net_file_note(const void *bytes, size_t length, const char *name, char *out, size_t room) {
    struct json_value header;
    if (!open_header(bytes, length, &header, NULL))
        return -1;
    struct json_value metadata = json_member(header, "__metadata__");
    return metadata.kind == JSON_OBJECT ? json_get_text(json_member(metadata, name), out, room) : -1;
}

static bool read_description(struct net *net, struct json_value header, soloist_error *error) {
    struct json_value metadata = json_member(header, "__metadata__"), text = {0};
    if (metadata.kind == JSON_OBJECT)
        text = json_member(metadata, DESCRIPTION);
    if (text.kind != JSON_TEXT)
        return soloist_fail(error, 0, 0, "the file holds no description of its network (metadata \"" DESCRIPTION "\")");
    long length = json_get_text(text, NULL, 0);
    char *copy = length < 0 ? NULL : malloc((size_t)length + 1);
    if (!copy)
        return soloist_fail(error, 0, 0, "no memory for the network's description");
    json_get_text(text, copy, (size_t)length + 1);
    soloist_error inside = {0};
    bool read = net_read(net, copy, strlen(copy), &inside);
    free(copy);
    return read || soloist_fail(error, 0, 0, "the description in the file is wrong: line %d, column %d: %s",
                                inside.line, inside.column, inside.text);
}

static void print_shape(const int64_t *shape, int dimensions, char *out, size_t room) {
    size_t used = (size_t)snprintf(out, room, "[");
    for (int i = 0; i < dimensions && used < room; i++)
        used += (size_t)snprintf(out + used, room - used, "%s%lld", i ? "," : "", (long long)shape[i]);
    if (used < room)
        snprintf(out + used, room - used, "]");
}

static bool check_shape(const struct tensor *tensor, struct json_value shape, soloist_error *error) {
    struct json_value item;
    const char *step = NULL;
    int64_t found[MOST_DIMENSIONS + 1] = {0};
    int count = 0;
    bool same = shape.kind == JSON_ARRAY;
    while (same && count <= MOST_DIMENSIONS && json_next(shape, &step, NULL, &item)) {
        same = json_get_int(item, &found[count]);
        count++;
    }
    if (!same)
        return soloist_fail(error, 0, 0, "the shape of %s is not a list of whole numbers", tensor->name);
    same = count == tensor->dimensions && !memcmp(found, tensor->shape, (size_t)count * sizeof *found);
    char has[96], wants[96];
    print_shape(found, count, has, sizeof has);
    print_shape(tensor->shape, tensor->dimensions, wants, sizeof wants);
    return same ||
           soloist_fail(error, 0, 0, "%s has the shape %s, but the description requires %s", tensor->name, has, wants);
}

static bool check_type(const struct tensor *tensor, struct json_value type, soloist_error *error) {
    char text[16] = "";
    if (json_get_text(type, text, sizeof text) >= 0 && !strcmp(text, "F32"))
        return true;
    return soloist_fail(error, 0, 0, "%s has numbers of type %s: expected F32", tensor->name, *text ? text : "unknown");
}

static bool copy_numbers(const struct tensor *tensor, const unsigned char *from, float *to, soloist_error *error) {
    for (size_t i = 0; i < tensor->count; i++) {
        uint32_t bits = (uint32_t)hash_load(from + i * 4, 4);
        memcpy(&to[i], &bits, sizeof bits);
        if (!(to[i] - to[i] == 0))
            return soloist_fail(error, 0, 0, "number %zu of %s is not finite", i, tensor->name);
    }
    return true;
}

/* Reads one tensor. The header has been checked: type and shape agree with the number of bytes. */
static bool read_tensor(const struct tensor *tensor, struct json_value header, const unsigned char *data,
                        float *parameters, soloist_error *error) {
    struct json_value entry = json_member(header, tensor->name);
    if (entry.kind != JSON_OBJECT)
        return soloist_fail(error, 0, 0, "the file has no tensor %s", tensor->name);
    return check_type(tensor, json_member(entry, "dtype"), error) &&
           check_shape(tensor, json_member(entry, "shape"), error) &&
           copy_numbers(tensor, data + safetensors_begin(entry), parameters + tensor->at, error);
}

bool net_file_read(struct net_file *file, const void *bytes, size_t length, soloist_error *error) {
    struct json_value header;
    *file = (struct net_file){0};
    if (!open_header(bytes, length, &header, error) || !read_description(&file->net, header, error))
        return false;
    size_t start = 8 + (size_t)hash_load(bytes, 8), size = length - start;
    const unsigned char *data = (const unsigned char *)bytes + start;
    /* This is checked before memory is allocated, because a damaged description may give any size. */
    bool good = file->net.parameters * 4 <= size ||
                soloist_fail(error, 0, 0, "the file ends too soon: %zu bytes of numbers, but the network needs %zu",
                             size, file->net.parameters * 4);
    good = good && safetensors_check(header, size, error);
    if (good && !(file->parameters = malloc(file->net.parameters * sizeof(float) + 1)))
        good = soloist_fail(error, 0, 0, "no memory for %zu parameters", file->net.parameters);
    for (int i = 1; good && i <= file->net.count; i++)
        for (int bias = 0; good && bias < 2; bias++) {
            struct tensor tensor = tensor_of(&file->net.layers[i], bias);
            good = !tensor.count || read_tensor(&tensor, header, data, file->parameters, error);
        }
    if (!good)
        net_file_free(file);
    return good;
}

void net_file_free(struct net_file *file) {
    net_free(&file->net);
    free(file->parameters);
    *file = (struct net_file){0};
}

/* ---- writing ---- */

static void write_tensor(struct json_writer *json, const struct tensor *tensor) {
    json_object(json, tensor->name);
    json_text(json, "dtype", "F32");
    json_array(json, "shape");
    for (int i = 0; i < tensor->dimensions; i++)
        json_int(json, NULL, tensor->shape[i]);
    json_end(json, ']');
    json_array(json, "data_offsets");
    json_uint(json, NULL, tensor->at * 4);
    json_uint(json, NULL, (tensor->at + tensor->count) * 4);
    json_end(json, ']');
    json_end(json, '}');
}

/* Writes eight bytes of length, then the JSON, padded with spaces so that the numbers are aligned. */
static void write_header(struct buffer *header, const struct net *net, const struct net_note *notes) {
    struct json_writer json;
    soloist_sink sink = buffer_sink(header);
    sink.write(sink.to, "\0\0\0\0\0\0\0\0", 8);
    json_open(&json, &sink);
    json_object(&json, NULL);
    json_object(&json, "__metadata__");
    json_text(&json, "format", "pt");
    json_text(&json, DESCRIPTION, net->text);
    for (; notes && notes->name; notes++)
        json_text(&json, notes->name, notes->text);
    json_end(&json, '}');
    for (int i = 1; i <= net->count; i++)
        for (int bias = 0; bias < 2; bias++) {
            struct tensor tensor = tensor_of(&net->layers[i], bias);
            if (tensor.count)
                write_tensor(&json, &tensor);
        }
    json_end(&json, '}');
    while (header->length % 64 && !header->failed)
        soloist_put(&sink, " ");
    for (int i = 0; i < 8 && !header->failed; i++)
        header->text[i] = (char)((header->length - 8) >> (8 * i) & 255);
}

/* Converts the numbers to the file's byte order. */
static unsigned char *little_endian(const float *numbers, size_t count) {
    unsigned char *bytes = malloc(count * 4 + 1);
    for (size_t i = 0; bytes && i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        for (int k = 0; k < 4; k++)
            bytes[i * 4 + (size_t)k] = (unsigned char)(bits >> (8 * k));
    }
    return bytes;
}

bool net_file_save(const char *path, const struct net *net, const float *parameters, const struct net_note *notes,
                   soloist_error *error) {
    struct buffer header;
    buffer_open(&header);
    write_header(&header, net, notes);
    unsigned char *bytes = little_endian(parameters, net->parameters);
    bool good = !header.failed && bytes;
    if (!good)
        soloist_fail(error, 0, 0, "no memory to write %s", path);
    else if (!cache_file_replace(path, header.text, header.length, bytes, net->parameters * 4))
        good = soloist_fail(error, 0, 0, "%s cannot be written", path);
    free(bytes);
    buffer_close(&header);
    return good;
}
