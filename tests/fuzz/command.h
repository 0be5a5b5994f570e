/* The whole program over an input that it reads from a file. */
#ifndef TESTS_FUZZ_COMMAND_H
#define TESTS_FUZZ_COMMAND_H

#include "memory.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

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

/* Runs the command in tests/fuzz, whose folder `data` has small instances. The word at `place` becomes the name of a
 * file with the input. The command must end with one of its three exit statuses. */
static void run_on_input(int count, char **words, int place, const uint8_t *data, size_t size) {
    char path[64];
    int here = open(".", O_RDONLY);
    memory_write(path, sizeof path, data, size);
    if (chdir(SOLOIST_SOURCE "/tests/fuzz"))
        abort();
    words[place] = path;
    int status = run_quietly(count, words);
    unlink(path);
    if (fchdir(here) || status < 0 || status > 2)
        abort();
    close(here);
}

#endif
