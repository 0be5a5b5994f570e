/* The file that `solve --resume` goes on from: whatever it holds, the command takes it, mends it or says where it is
 * wrong, and ends with one of its three exit statuses. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int soloist_main(int count, char **words); /* the program's main, renamed by the build */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Runs with both output streams shut: complaints are expected, and many. */
static int run_quietly(int count, char **words) {
    int saved[2] = {dup(1), dup(2)}, nothing = open("/dev/null", O_WRONLY);
    fflush(stdout);
    dup2(nothing, 1);
    dup2(nothing, 2);
    int status = soloist_main(count, words);
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < 2; i++) {
        dup2(saved[i], i + 1);
        close(saved[i]);
    }
    close(nothing);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char *const instances[] = {"data/first.xsb:1-2", "data/pancakes.txt:1-2", "data/samegame.txt:1-2"};
    char path[] = "/tmp/soloist-fuzz-XXXXXX";
    if (size < 1)
        return 0;
    int file = mkstemp(path);
    if (file < 0 || write(file, data + 1, size - 1) != (ssize_t)(size - 1))
        abort();
    close(file);
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
