/* Fuzzes the option parser: what it accepts lies in range, shows itself, and reads back to the same values. */
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLE_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                     \
    INT(T, count, 5, 1, 1e9, "how many")                                                                               \
    INT(T, whole, -3, -0x1p63, 0x1p63, "any whole number")                                                             \
    REAL(T, weight, 0.5, 0, 100, "a weight")                                                                           \
    BOOL(T, fast, false, "be fast")                                                                                    \
    CHOICE(T, bound, 1, "none|simple|matching", "which bound")
SOLOIST_OPTIONS(sample, SAMPLE_OPTIONS);

static void require(bool holds) {
    if (!holds)
        abort();
}

static void check_accepted(const struct sample *options) {
    char shown[512];
    struct sample again;
    require(options->count >= 1 && options->count <= 1000000000);
    require(options->weight >= 0 && options->weight <= 100 && options->bound >= 0 && options->bound <= 2);
    require(options_changed(sample_rows, options, shown, sizeof shown) < (int)sizeof shown);
    soloist_options_reset(sample_rows, &again);
    require(soloist_options_parse(sample_rows, &again, shown, NULL) == SOLOIST_OK);
    require(again.count == options->count && again.weight == options->weight && again.fast == options->fast);
    require(again.bound == options->bound && (double)again.whole == (double)options->whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sample options;
    soloist_error error = {0};
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    soloist_options_reset(sample_rows, &options);
    if (soloist_options_parse(sample_rows, &options, text, &error) == SOLOIST_OK) {
        check_accepted(&options);
    } else {
        require(error.column >= 1 && (size_t)error.column <= strlen(text) + 1 && *error.text);
        require(strlen(error.text) < sizeof error.text);
    }
    free(text);
    return 0;
}
