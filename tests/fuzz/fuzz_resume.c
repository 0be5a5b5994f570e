/* The file that `solve --resume` goes on from: whatever it holds, the command takes it, mends it or says where it is
 * wrong. The first byte chooses the instances. All limits are given, so that the command finds its own lines in the
 * corpus on every machine. */
#include "command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char *const instances[] = {"data/first.xsb", "data/pancakes.txt", "data/samegame.txt"};
    if (size < 1)
        return 0;
    char *words[] = {"soloist",  "solve",    instances[data[0] % 3],
                     "--method", "random",   "--nodes",
                     "20",       "--memory", "64M",
                     "--jobs",   "1",        "--threads",
                     "1",        "--resume", NULL,
                     NULL};
    run_on_input(15, words, 14, data + 1, size - 1);
    return 0;
}
