#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* pipe2 */
#endif
#include "lab/results/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Starts gnuplot, which reads from one open file and writes to another; returns an errno value. */
static int start(int in, int out, pid_t *process) {
    char *const words[] = {"gnuplot", NULL};
    posix_spawn_file_actions_t actions;
    int code = posix_spawn_file_actions_init(&actions);
    if (code)
        return code;
    code = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    code = code ? code : posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    code = code ? code : posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    code = code ? code : posix_spawnp(process, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

static bool write_all(int file, const char *text, size_t length) {
    while (length) {
        ssize_t written = write(file, text, length);
        if (written < 0 && errno != EINTR)
            return false;
        text += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

static bool wait_well(pid_t process) {
    int status;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* Draws into an open file. */
static bool draw(const struct buffer *script, int out, soloist_error *error) {
    int ends[2];
    pid_t process;
    if (pipe2(ends, O_CLOEXEC))
        return soloist_fail(error, 0, 0, "gnuplot: %s", strerror(errno));
    int code = start(ends[0], out, &process);
    close(ends[0]);
    bool written = !code && write_all(ends[1], script->text, script->length);
    close(ends[1]);
    if (code == ENOENT)
        return soloist_fail(error, 0, 0, "gnuplot is not installed: `apt-get install gnuplot-nox`");
    if (code)
        return soloist_fail(error, 0, 0, "gnuplot cannot be started: %s", strerror(code));
    return (wait_well(process) && written) || soloist_fail(error, 0, 0, "gnuplot could not draw the figure");
}

bool gnuplot_draw(const struct buffer *script, const char *path, soloist_error *error) {
    char part[4200];
    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
        return soloist_fail(error, 0, 0, "%.150s: %s", path, strerror(ENAMETOOLONG));
    int out = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (out < 0)
        return soloist_fail(error, 0, 0, "%.150s: %s", path, strerror(errno));
    bool well = draw(script, out, error);
    well = (!close(out) && well) || (well && soloist_fail(error, 0, 0, "%.150s: %s", path, strerror(errno)));
    if (well && !rename(part, path))
        return true;
    if (well)
        soloist_fail(error, 0, 0, "%.150s: %s", path, strerror(errno));
    unlink(part);
    return false;
}
