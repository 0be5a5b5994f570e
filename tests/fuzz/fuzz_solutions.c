/* The files of solutions that `check` reads: the whole command over an instance file of ours, the input being the
 * solutions. Whatever they hold, the command says so. The first byte chooses the instances. */
#include "command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char *const instances[] = {"data/first.xsb", "data/pancakes.txt", "data/samegame.txt"};
    if (size < 1)
        return 0;
    char *words[] = {"soloist", "check", instances[data[0] % 3], NULL, NULL};
    run_on_input(4, words, 3, data + 1, size - 1);
    return 0;
}
