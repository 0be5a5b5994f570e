/* The files of solutions that `check` reads: the whole command over an instance file of ours, the input being the
 * solutions. Whatever they hold, the command says so and ends with one of its three exit statuses. */
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
    static char *const instances[] = {SOLOIST_SOURCE "/data/first.xsb", SOLOIST_SOURCE "/data/pancakes.txt",
                                      SOLOIST_SOURCE "/data/samegame.txt"};
    char path[] = "/tmp/soloist-fuzz-XXXXXX";
    if (size < 1)
        return 0;
    int file = mkstemp(path);
    if (file < 0 || write(file, data + 1, size - 1) != (ssize_t)(size - 1))
        abort();
    close(file);
    char *words[] = {"soloist", "check", instances[data[0] % 3], path, NULL};
    int status = run_quietly(4, words);
    unlink(path);
    if (status < 0 || status > 2)
        abort();
    return 0;
}
