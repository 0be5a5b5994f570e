/* The files of solutions that `check` reads: the whole command over an instance file of ours, the input being the
 * solutions. Whatever they hold, the command says so and ends with one of its three exit statuses. */
#include "command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char *const instances[] = {SOLOIST_SOURCE "/data/first.xsb", SOLOIST_SOURCE "/data/pancakes.txt",
                                      SOLOIST_SOURCE "/data/samegame.txt"};
    char path[] = "/tmp/soloist-fuzz-XXXXXX";
    if (size < 1)
        return 0;
    write_input(path, data + 1, size - 1);
    char *words[] = {"soloist", "check", instances[data[0] % 3], path, NULL};
    int status = run_quietly(4, words);
    unlink(path);
    if (status < 0 || status > 2)
        abort();
    return 0;
}
