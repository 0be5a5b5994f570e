/* The file that `solve --resume` goes on from: whatever it holds, the command takes it, mends it or says where it is
 * wrong, and ends with one of its three exit statuses. */
#include "command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char *const instances[] = {"data/first.xsb:1-2", "data/pancakes.txt:1-2", "data/samegame.txt:1-2"};
    char path[] = "/tmp/soloist-fuzz-XXXXXX";
    if (size < 1)
        return 0;
    write_input(path, data + 1, size - 1);
    char *words[] = {"soloist", "solve", instances[data[0] % 3], "--resume", path, "--nodes", "20", "--jobs",
                     "1",       NULL};
    int here = open(".", O_RDONLY);
    if (chdir(SOLOIST_SOURCE)) /* the lines name files as they are named from there */
        abort();
    int status = run_quietly(9, words);
    unlink(path);
    if (fchdir(here) || status < 0 || status > 2)
        abort();
    close(here);
    return 0;
}
