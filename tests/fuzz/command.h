/* The whole program over an input that it reads from a file. */
#ifndef TESTS_FUZZ_COMMAND_H
#define TESTS_FUZZ_COMMAND_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int soloist_main(int count, char **words); /* the program's main, renamed by the build */

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

/* Writes the input to a new file; `path` ends in XXXXXX. */
static void write_input(char *path, const uint8_t *data, size_t size) {
    int file = mkstemp(path);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    close(file);
}

#endif
