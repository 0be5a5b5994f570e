/* `soloist new-domain NAME`: writes a folder with a small puzzle that works, as a starting point for the user's own
 * puzzle. */
#include "base/buffer.h"
#include "cli/cli.h"
#include "cli/own/skeleton.h"
#include "cli/shell/files.h"
#include "cli/shell/need.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { most_letters = 40 };

static const struct arg no_rows[] = {{0}};

/* Whether this can be the name of a domain and, with _ for -, the beginning of names in C. */
static bool is_name(const char *name) {
    size_t length = strlen(name);
    return length && length <= most_letters && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == length &&
           *name >= 'a' && *name <= 'z';
}

/* Copies a text with @NAME@ and @FILE@ replaced. */
static char *fill_in(const char *text, const char *name, const char *file) {
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    for (const char *at; (at = strchr(text, '@')); text = at) {
        sink.write(sink.to, text, (size_t)(at - text));
        bool named = !strncmp(at, "@NAME@", 6), filed = !strncmp(at, "@FILE@", 6);
        soloist_put(&sink, named ? name : filed ? file : "@");
        at += named || filed ? 6 : 1;
    }
    soloist_put(&sink, text);
    need_whole(&buffer);
    char *filled = need_text(buffer.text, buffer.length);
    buffer_close(&buffer);
    return filled;
}

static bool write_text(const char *path, const char *text) {
    struct new_file file = {0};
    if (!new_file_open(&file, path, false))
        return false;
    fputs(text, file.stream);
    return new_file_keep(&file);
}

static bool write_files(const char *name) {
    char file[most_letters + 1], path[2 * most_letters + 32];
    bool good = true;
    snprintf(file, sizeof file, "%s", name);
    for (char *at = file; *at; at++)
        if (*at == '-')
            *at = '_';
    for (size_t i = 0; skeleton_files[i].name && good; i++) {
        char *own = fill_in(skeleton_files[i].name, name, file), *text = fill_in(skeleton_files[i].text, name, file);
        snprintf(path, sizeof path, "%s/%s", name, own);
        good = write_text(path, text);
        free(own);
        free(text);
    }
    if (good)
        printf("%s/ has a puzzle that works: %s.c, a test, a Makefile, an example\n"
               "next: cd %s && make test\n",
               name, file, name);
    return good;
}

static int write_skeleton(const struct cli *cli, const struct arg_list *words) {
    if (words->count != 1)
        return cli_complain("new-domain: which NAME shall the puzzle have?");
    const char *name = words->items[0];
    if (!is_name(name))
        return cli_complain("new-domain: %s: a name begins with a letter from a to z, consists of a-z, 0-9, - and _, "
                            "and has at most %d characters",
                            name, most_letters);
    if (soloist_find_domain(cli->engine, name))
        return cli_complain("new-domain: there is already a domain %s", name);
    if (mkdir(name, 0777))
        return errno == EEXIST ? cli_complain("new-domain: %s exists already; nothing was written", name)
                               : cli_complain("new-domain: %s: %s", name, strerror(errno));
    return write_files(name) ? CLI_OK : CLI_BAD;
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct arg_list rest = {0};
    enum args_verdict verdict = args_parse(self, count, words, NULL, &rest);
    int status = verdict == ARGS_GO ? write_skeleton(cli, &rest) : verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    arg_list_free(&rest);
    return status;
}

const struct command new_domain_command = {
    .name = "new-domain",
    .summary = "create the files of a new puzzle: C file, test, Makefile",
    .usage = "NAME",
    .about =
        "Writes a folder NAME with a small puzzle that is complete: it can be built, tested and solved at once.\n"
        "Replace it by your own puzzle, part by part:\n"
        "  NAME.c          the puzzle, as a plugin (a - in NAME becomes _ in the names of files)\n"
        "  test_NAME.c     tests that the puzzle obeys the domain contract and that two searches agree\n"
        "  Makefile        `make` builds NAME.so, `make test` tests it; needs pkg-config and the installed library\n"
        "  example.txt     two small instances\n"
        "  README.md       how to use the puzzle\n"
        "Exit status: 0 written, 2 bad usage or NAME exists already.",
    .args = no_rows,
    .run = run,
};
