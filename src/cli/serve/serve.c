/* `soloist serve`: starts the server of the web page. */
#define _GNU_SOURCE
#include "cli/cli.h"
#include "cli/input/input.h"
#include "cli/input/levels.h"
#include "cli/learn/networks.h"
#include "cli/learn/train.h"
#include "cli/shell/files.h"
#include "cli/shell/need.h"
#include "cli/shell/plugin.h"
#include "cli/shell/signals.h"
#include "cli/solve/batch.h"
#include "net/back_end.h"
#include "serve/http.h"
#include "serve/lab_desk.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SOLOIST_WITH_MICROHTTPD
#define SOLOIST_WITH_MICROHTTPD 0
#endif
#ifndef SOLOIST_WITH_SQLITE
#define SOLOIST_WITH_SQLITE 0
#endif

struct serve_options {
    int port, jobs, threads, back_end;
    const char *address, *keep;
    double time;
    size_t memory;
    bool open;
    struct arg_list plugin, network;
};

#define ROW(kind, field, letter, value, least, most, text)                                                             \
    { kind, #field, letter, offsetof(struct serve_options, field), value, least, most, text }
static const struct arg serve_rows[] = {
    ROW(ARG_INT, port, 'p', "N", 1, 65535,
        "number of the port; by default 8080 or, if that is in use, the next free port"),
    ROW(ARG_FLAG, open, 0, NULL, 0, 0, "open the page in the browser"),
    ROW(ARG_TEXT, address, 0, "ADDRESS", 0, 0,
        "listen at this address, such as 0.0.0.0, instead of 127.0.0.1; other machines then need the token that is a "
        "part of the printed address"),
    ROW(ARG_INT, jobs, 'j', "N", 1, 64,
        "maximum number of searches that run at the same time; by default one per core"),
    ROW(ARG_INT, threads, 0, "N", 1, 64, "maximum number of threads per search; by default one per core"),
    ROW(ARG_SECONDS, time, 't', "SECONDS", 1, 1e6, "maximum wall time of a search, 3600 by default"),
    ROW(ARG_SIZE, memory, 0, "SIZE", 1 << 24, 1e15,
        "maximum memory per search; by default half of the free memory divided by the number of jobs"),
    ROW(ARG_TEXT, keep, 0, "FILE", 0, 0,
        "write each result to this file before the page shows it; a server that is started with the same file offers "
        "these results again"),
    ROW(ARG_LIST, network, 0, "FILE[:KEY=VALUE,...]", 0, 0, CLI_NETWORK_HELP),
    {ARG_CHOICE, "back-end", 0, offsetof(struct serve_options, back_end), CLI_BACK_ENDS, 0, 0, CLI_BACK_END_HELP},
    ROW(ARG_LIST, plugin, 0, "FILE", 0, 0, CLI_PLUGIN_HELP),
    {0},
};
#undef ROW

#if SOLOIST_WITH_MICROHTTPD

/* The desktop's own program opens the address; it is started as a grandchild, so that nobody has to wait for it. */
static void open_browser(const char *address) {
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) {
            freopen("/dev/null", "w", stdout);
            freopen("/dev/null", "w", stderr);
            execlp("xdg-open", "xdg-open", address, (char *)NULL);
        }
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

static void run_until_stopped(struct http *http) {
    while (!signals_stopped()) {
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL); /* a signal ends the pause */
        http_tick(http);
    }
}

/* What the words of the command line name. */
struct named {
    struct serve_file *files;
    struct serve_training *trainings;
    const char **stores;
    size_t file_count, training_count, store_count;
    struct lab_desk *desk;
};

static int run_server(struct cli *cli, const struct serve_options *options, const struct named *named) {
    int cores = batch_cores();
    struct level_sets sets = levels_open();
    struct serve_rules rules = {.engine = cli->engine,
                                .sets = &sets,
                                .files = named->files,
                                .file_count = named->file_count,
                                .trainings = named->trainings,
                                .training_count = named->training_count};
#if SOLOIST_WITH_SQLITE
    if (named->desk)
        rules.lab = (struct serve_lab){named->desk, lab_desk_list, lab_desk_answer};
#endif
    rules.workers = options->jobs ? options->jobs : cores < 8 ? cores : 8;
    rules.limits.threads = options->threads ? options->threads : cores < 64 ? cores : 64;
    rules.limits.time_s = options->time;
    rules.limits.memory = options->memory ? options->memory : batch_free_memory() / 2 / (size_t)rules.workers;
    struct http_rules where = {options->address, options->port, options->port};
    if (!options->port) {
        where.port = 8080;
        where.last_port = 8179;
    }
    soloist_error error = {0};
    char address[200];
    signals_open();
    rules.kept = options->keep ? kept_open(options->keep, &error) : NULL;
    bool unkept = options->keep && !rules.kept;
    struct http *http = unkept ? NULL : http_open(&rules, &where, &error);
    size_t unread = http && rules.kept ? kept_unread(rules.kept) : 0;
    if (unread)
        cli_complain("serve: --keep %s: %zu line%s could not be read and %s left out", options->keep, unread,
                     unread > 1 ? "s" : "", unread > 1 ? "are" : "is");
    if (http) {
        bool any = http_address(http, address, sizeof address);
        printf("%s\n", address);
        cli_flush();
        if (any)
            fprintf(stderr, "other machines open it with the name of this machine in place of %s\n",
                    strchr(address, '[') ? "[::1]" : "127.0.0.1");
        if (options->open)
            open_browser(address);
        run_until_stopped(http);
        http_close(http);
    }
    kept_close(rules.kept);
    level_sets_close(&sets);
    return http ? CLI_OK : cli_complain("serve: %s%s", unkept ? "--keep " : "", error.text);
}

static char *base_name(const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    const char *slash = memrchr(path, '/', length - (length > 0));
    const char *start = slash ? slash + 1 : path;
    return need_text(start, length - (size_t)(start - path));
}

/* Reads a file of levels now: the server does not open it later. False after an error message. */
static bool add_file(const soloist *engine, struct named *named, const char *name) {
    struct serve_file *file = &named->files[named->file_count];
    char label[4096];
    const char *range;
    file->text = input_text(name, label, sizeof label, &range, &file->length);
    if (!file->text)
        return false;
    file->name = base_name(label);
    named->file_count++;
    if (range)
        return cli_complain("serve: %s: the page shows whole files: leave out :%s", name, range), false;
    if (memchr(file->text, 0, file->length) || !soloist_recognise(engine, file->text, file->length))
        return cli_complain("serve: %s is not recognised as a file of puzzles", name), false;
    return true;
}

static bool add_training(struct named *named, const char *path, bool folder) {
    bool run = !folder || train_folder_has(path, "curve.jsonl") || train_folder_has(path, "words.json");
    if (!run)
        return cli_complain("serve: %s holds no training run", path), false;
    named->trainings[named->training_count++] =
        (struct serve_training){base_name(path), need_text(path, strlen(path)), folder};
    return true;
}

static bool is_store(const char *path) {
    char start[16] = "";
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(start, 1, sizeof start, file) : 0;
    if (file)
        fclose(file);
    return length == sizeof start && !memcmp(start, "SQLite format 3", sizeof start);
}

/* False after an error message. */
static bool add_word(const soloist *engine, struct named *named, const char *word) {
    struct stat status;
    bool there = strcmp(word, "-") != 0 && !stat(word, &status);
    if (there && S_ISDIR(status.st_mode))
        return add_training(named, word, true);
    if (there && path_ends_in(word, ".safetensors"))
        return add_training(named, word, false);
    if (there && is_store(word))
        return named->stores[named->store_count++] = word, true;
    return add_file(engine, named, word);
}

/* False after an error message. */
static bool open_stores(struct named *named) {
#if SOLOIST_WITH_SQLITE
    soloist_error error = {0};
    if (!named->store_count)
        return true;
    named->desk = lab_desk_open(named->stores, named->store_count, &error);
    return named->desk || (cli_complain("serve: %s", error.text), false);
#else
    return !named->store_count || (cli_complain("serve: %s is a store of the lab, and this program was built without "
                                                "SQLite, which reads it",
                                                named->stores[0]),
                                   false);
#endif
}

static void named_free(struct named *named) {
    for (size_t i = 0; i < named->file_count; i++) {
        free(named->files[i].name);
        free(named->files[i].text);
    }
    for (size_t i = 0; i < named->training_count; i++) {
        free(named->trainings[i].name);
        free(named->trainings[i].path);
    }
    free(named->files);
    free(named->trainings);
    free(named->stores);
#if SOLOIST_WITH_SQLITE
    lab_desk_close(named->desk);
#endif
}

static int serve(struct cli *cli, const struct serve_options *options, const struct arg_list *words) {
    struct named named = {.files = need_zeroed(words->count + 1, sizeof *named.files),
                          .trainings = need_zeroed(words->count + 1, sizeof *named.trainings),
                          .stores = need_zeroed(words->count + 1, sizeof *named.stores)};
    bool well = true;
    for (size_t i = 0; well && i < words->count; i++)
        well = add_word(cli->engine, &named, words->items[i]);
    int status = well && open_stores(&named) ? run_server(cli, options, &named) : CLI_BAD;
    named_free(&named);
    return status;
}

#else

static int serve(struct cli *cli, const struct serve_options *options, const struct arg_list *names) {
    (void)cli, (void)options, (void)names;
    return cli_complain("serve: this program was built without libmicrohttpd, which `serve` needs: install the package "
                        "libmicrohttpd-dev and build it again");
}

#endif

/* Whether the back end can compute networks here. False after an error message. */
static bool check_back_end(int choice) {
    static const char *const names[] = {NULL, NULL, "cpu", "cuda"}; /* as in CLI_BACK_ENDS; auto takes what there is */
    soloist_error error = {0};
    return !names[choice] || net_back_end_find(names[choice], &error) ||
           (cli_complain("serve: --back-end: %s", error.text), false);
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct serve_options options = {.time = 3600};
    struct arg_list files = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &files);
    int status = verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    if (verdict == ARGS_GO && plugins_load(cli, &options.plugin)) {
        networks_give(cli->networks, &options.network, options.back_end);
        status = check_back_end(options.back_end) && networks_check_files(cli->networks, "serve", cli->engine)
                     ? serve(cli, &options, &files)
                     : CLI_BAD;
        networks_give(cli->networks, NULL, 0);
    }
    arg_list_free(&options.plugin);
    arg_list_free(&options.network);
    arg_list_free(&files);
    return status;
}

const struct command serve_command = {
    .name = "serve",
    .summary = "open a page in the browser to play, edit and solve puzzles",
    .usage = "[FILE...] [OPTIONS]",
    .about =
        "Prints the address of the page and serves it until the program is interrupted (Ctrl-C). Only this machine\n"
        "can open the page, unless --address allows other machines. The page offers the files that are named on the\n"
        "command line and the installed level sets; no other file can be read through the page. A FILE is a file of\n"
        "levels, a level set, a store of the lab (lab.db), the folder of a training run (mine.safetensors.run) or a\n"
        "trained network (mine.safetensors): stores and trainings appear on the page under Lab. A search goes on\n"
        "when the page is closed, and ends if no page has asked for its progress for three minutes.\n"
        "Exit status: 0 interrupted, 2 bad usage or input, or the port is not free.",
    .args = serve_rows,
    .run = run,
};
