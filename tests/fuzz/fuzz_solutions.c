/* The files of solutions that `check` reads: the whole command over an instance file of ours, the input being the
 * solutions. Whatever they hold, the command says so. The first byte chooses the instances. Sokoban levels are opened
 * without the rules that searches use: their tables take most of the time, and a check does not need them. */
#include "command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char *const instances[][2] = {
        {"data/first.xsb", "sokoban:rules=none"}, {"data/pancakes.txt", "pancake"}, {"data/samegame.txt", "samegame"}};
    if (size < 1)
        return 0;
    char *const *chosen = instances[data[0] % 3];
    char *words[] = {"soloist", "check", chosen[0], NULL, "--domain", chosen[1], NULL};
    run_on_input(6, words, 3, data + 1, size - 1);
    return 0;
}
