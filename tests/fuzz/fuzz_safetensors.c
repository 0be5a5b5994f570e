/* A trained network's file: whatever it holds, it is read or refused in a sentence; what was read has finite numbers.
 */
#include "net/file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct net_file file;
    soloist_error error = {0};
    char note[16];
    if (net_file_read(&file, data, size, &error)) {
        for (size_t i = 0; i < file.net.parameters; i++)
            require(file.parameters[i] - file.parameters[i] == 0);
        net_file_free(&file);
    } else {
        require(*error.text);
    }
    net_file_note(data, size, "generation", note, sizeof note);
    return 0;
}
