/* Trained networks as files: what is written comes back bit by bit, and what is damaged, foreign, cut short or of
 * another shape is refused in one sentence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct net small;
static float parameters[512];
static char path[64];

/* The file's bytes, with room after them. */
static unsigned char *load(size_t *length) {
    FILE *stream = fopen(path, "rb");
    unsigned char *bytes = malloc(65536);
    assert_non_null(stream);
    *length = fread(bytes, 1, 65536, stream);
    fclose(stream);
    return bytes;
}

static int open_small(void **state) {
    (void)state;
    const char *text = "# small \"one\"\ninput 2x3x3\nconv 2 3x3 pad 1 elu\nlinear 3\npolicy\n";
    snprintf(path, sizeof path, "/tmp/soloist-net-XXXXXX");
    int handle = mkstemp(path);
    if (handle < 0 || !net_read(&small, text, strlen(text), NULL) || !net_initialise(&small, 1, parameters))
        return -1;
    close(handle);
    parameters[0] = 1e-45f;
    parameters[1] = -0.0f;
    const struct net_note notes[] = {{"generation", "12"}, {"domain", "same\"game"}, {NULL, NULL}};
    return net_file_save(path, &small, parameters, notes, NULL) ? 0 : -1;
}

static int close_small(void **state) {
    (void)state;
    unlink(path);
    net_free(&small);
    return 0;
}

static void what_is_saved_comes_back(void **state) {
    (void)state;
    struct net_file file;
    soloist_error error = {0};
    char note[32];
    size_t length;
    unsigned char *bytes = load(&length);
    assert_true(net_file_read(&file, bytes, length, &error));
    assert_string_equal(file.net.text, small.text);
    assert_int_equal(file.net.parameters, small.parameters);
    assert_memory_equal(file.parameters, parameters, small.parameters * sizeof *parameters);
    net_file_free(&file);
    assert_int_equal(net_file_note(bytes, length, "domain", note, sizeof note), 9);
    assert_string_equal(note, "same\"game");
    assert_int_equal(net_file_note(bytes, length, "colour", note, sizeof note), -1);
    free(bytes);
}

static void refused(const unsigned char *bytes, size_t length, const char *says) {
    struct net_file file;
    soloist_error error = {0};
    assert_false(net_file_read(&file, bytes, length, &error));
    assert_string_equal(error.text, says);
    assert_null(file.parameters);
    assert_null(file.net.text);
}

/* The bytes with one text in the header replaced by another of the same length. */
static void refused_with(const char *from, const char *to, const char *says) {
    size_t length;
    unsigned char *bytes = load(&length);
    char *found = NULL;
    for (size_t i = 0; i + strlen(from) <= length && !found; i++)
        if (!memcmp(bytes + i, from, strlen(from)))
            found = (char *)bytes + i;
    assert_non_null(found);
    assert_int_equal(strlen(from), strlen(to));
    memcpy(found, to, strlen(to));
    refused(bytes, length, says);
    free(bytes);
}

static void what_is_cut_short_is_refused(void **state) {
    (void)state;
    size_t length;
    unsigned char *bytes = load(&length);
    struct net_file file;
    refused(bytes, 0, "the file has 0 bytes: too few for a safetensors file");
    refused(bytes, 7, "the file has 7 bytes: too few for a safetensors file");
    refused(bytes, length - 1, "the file ends too soon: 379 bytes of numbers, but the network needs 380");
    for (size_t n = 0; n < length; n++)
        assert_false(net_file_read(&file, bytes, n, NULL));
    free(bytes);
}

static void what_is_foreign_is_refused(void **state) {
    (void)state;
    refused((const unsigned char *)"\x89PNG\r\n\x1a\n....", 12,
            "this is not a safetensors file: its header would have 727905341920923785 bytes");
    refused((const unsigned char *)"\4\0\0\0\0\0\0\0[1]x", 12,
            "this is not a safetensors file: its header is not a JSON object");
    refused((const unsigned char *)"\2\0\0\0\0\0\0\0{}", 10,
            "the file holds no description of its network (metadata \"soloist.network\")");
    refused_with("soloist.network", "somebody.else's",
                 "the file holds no description of its network (metadata \"soloist.network\")");
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    refused_with("[2,2,3,3]", "[2,2,1,9]",
                 "conv1.weight has the shape [2,2,1,9], but the description requires [2,2,3,3]");
    refused_with("[3,18]", "[1,54]", "linear1.weight has the shape [1,54], but the description requires [3,18]");
    refused_with("\"linear1.bias\"", "\"linear9.bias\"", "the file has no tensor linear1.bias");
    refused_with("\"F32\"", "\"U32\"", "conv1.weight has numbers of type U32: expected F32");
    refused_with("[0,144]", "[144,0]", "the offsets of conv1.weight are not two numbers in order");
    refused_with("[0,144]", "[0,140]", "conv1.weight has 140 bytes, but its shape requires 144");
    refused_with("[368,380]", "[369,381]", "the file ends within linear1.bias: it was cut short or damaged");
    refused_with("linear 3", "linear x",
                 "the description in the file is wrong: line 4, column 8: expected the number of units, 1 to 65536, "
                 "not 'x'");
    refused_with(
        "linear 3\\npolicy", "linear 65000\\n  ",
        "the description in the file is wrong: line 6, column 1: the network has neither a policy nor a value");
}

/* A file of a network with the tensors linear1.weight and linear1.bias, of four bytes each: its header as given,
 * then so many bytes of zeros. */
static void written(const char *tensors, size_t data, const char *says) {
    struct net_file file;
    soloist_error error = {0};
    unsigned char bytes[4096] = {0};
    int size = snprintf((char *)bytes + 8, sizeof bytes - 8,
                        "{\"__metadata__\":{\"soloist.network\":\"input 1x1x1\\nlinear 1\\npolicy\"}%s}", tensors);
    assert_in_range(size, 1, sizeof bytes - 9 - data);
    memset(bytes + 8 + size, 0, data);
    bytes[0] = (unsigned char)(size & 255);
    bytes[1] = (unsigned char)(size >> 8);
    if (says) {
        refused(bytes, 8 + (size_t)size + data, says);
        return;
    }
    assert_true(net_file_read(&file, bytes, 8 + (size_t)size + data, &error));
    net_file_free(&file);
}

#define TENSOR(name, type, shape, offsets)                                                                             \
    ",\"" name "\":{\"dtype\":\"" type "\",\"shape\":" shape ",\"data_offsets\":" offsets "}"
#define WEIGHT(offsets) TENSOR("linear1.weight", "F32", "[1,1]", offsets)
#define BIAS(offsets) TENSOR("linear1.bias", "F32", "[1]", offsets)

static void tensors_fill_the_file(void **state) {
    (void)state;
    written(WEIGHT("[0,4]") BIAS("[4,8]"), 8, NULL);
    written(BIAS("[0,4]") WEIGHT("[4,8]"), 8, NULL);
    written(WEIGHT("[0,4]") BIAS("[6,10]") TENSOR("more", "F4", "[2,2]", "[4,6]"), 10, NULL);
    written(WEIGHT("[0,4]") BIAS("[4,8]") TENSOR("empty", "I64", "[3,0]", "[4,4]"), 8, NULL);
    written(WEIGHT("[0,4]") BIAS("[0,4]"), 8, "the bytes of linear1.weight overlap those of linear1.bias");
    written(WEIGHT("[4,8]") BIAS("[2,6]") TENSOR("more", "U8", "[2]", "[0,2]"), 8,
            "the bytes of linear1.weight overlap those of linear1.bias");
    written(WEIGHT("[0,4]") BIAS("[8,12]"), 12, "the 4 bytes before linear1.bias belong to no tensor");
    written(WEIGHT("[4,8]") BIAS("[8,12]"), 12, "the 4 bytes before linear1.weight belong to no tensor");
    written(WEIGHT("[0,4]") BIAS("[4,8]"), 11, "the last 3 bytes of the file, after linear1.bias, belong to no tensor");
    written(WEIGHT("[0,4]") BIAS("[4,8]") TENSOR("empty", "I64", "[0]", "[2,2]"), 8,
            "the bytes of empty overlap those of linear1.weight");
}

static void tensors_are_what_they_say(void **state) {
    (void)state;
    written(WEIGHT("[0,4]") BIAS("[4,8]") BIAS("[4,8]"), 8, "the header has linear1.bias twice");
    written(WEIGHT("[0,4]") BIAS("[4,8]") TENSOR("linear1.bia\\u0073", "F32", "[1]", "[8,12]"), 12,
            "the header has linear1.bias twice");
    written(WEIGHT("[0,4]") BIAS("[4,8]") ",\"__metadata__\":{}", 8, "the header has __metadata__ twice");
    written(WEIGHT("[0,4]") BIAS("[4,8]") ",\"more\":[8,12]", 12, "the header does not describe the tensor more");
    written(WEIGHT("[0,4]") BIAS("[4,9]"), 9, "linear1.bias has 5 bytes, but its shape requires 4");
    written(WEIGHT("[-4,0]") BIAS("[0,4]"), 8, "the offsets of linear1.weight are not two numbers in order");
    written(WEIGHT("[4,0]") BIAS("[4,8]"), 8, "the offsets of linear1.weight are not two numbers in order");
    written(WEIGHT("[0,4,8]") BIAS("[4,8]"), 8, "the offsets of linear1.weight are not two numbers in order");
    written(WEIGHT("[0,4]") BIAS("[18446744073709551612,18446744073709551616]"), 8,
            "the offsets of linear1.bias are not two numbers in order");
    written(WEIGHT("[0,4]") BIAS("[8,12]"), 8, "the file ends within linear1.bias: it was cut short or damaged");
    written(WEIGHT("[0,4]") BIAS("[4,8]") TENSOR("more", "F31", "[1]", "[8,12]"), 12,
            "more has numbers of an unknown type");
    written(WEIGHT("[0,4]") BIAS("[4,8]") TENSOR("more", "U8", "[-1]", "[8,12]"), 12,
            "the shape of more is not a list of whole numbers");
    written(WEIGHT("[0,4]") BIAS("[4,8]") TENSOR("more", "U8", "[4294967296,4294967296]", "[8,8]"), 8,
            "the shape of more is larger than any file");
    written(WEIGHT("[0,4]") BIAS("[4,8]") TENSOR("more", "F6_E2M3", "[1]", "[8,9]"), 9,
            "the numbers of more end within a byte");
}

static void numbers_that_are_none_are_refused(void **state) {
    (void)state;
    size_t length;
    unsigned char *bytes = load(&length);
    memcpy(bytes + length - 4, "\0\0\x80\x7f", 4);
    refused(bytes, length, "number 2 of linear1.bias is not finite");
    free(bytes);
}

static void paths_that_are_wrong_are_named(void **state) {
    (void)state;
    soloist_error error = {0};
    assert_false(net_file_save("/nowhere/net", &small, parameters, NULL, &error));
    assert_string_equal(error.text, "/nowhere/net cannot be written");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_saved_comes_back),
        cmocka_unit_test(what_is_cut_short_is_refused),
        cmocka_unit_test(what_is_foreign_is_refused),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(numbers_that_are_none_are_refused),
        cmocka_unit_test(paths_that_are_wrong_are_named),
        cmocka_unit_test(tensors_fill_the_file),
        cmocka_unit_test(tensors_are_what_they_say),
    };
    return cmocka_run_group_tests(tests, open_small, close_small);
}
