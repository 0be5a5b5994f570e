/* `soloist serve`: the page in the browser. */
#include "cli/cli.h"
#include "cli/input/input.h"
#include "cli/input/levels.h"
#include "cli/learn/networks.h"
#include "cli/shell/need.h"
#include "cli/shell/plugin.h"
#include "cli/shell/signals.h"
#include "cli/solve/batch.h"
#include "serve/http.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SOLOIST_WITH_MICROHTTPD
#define SOLOIST_WITH_MICROHTTPD 0
#endif

struct serve_options {
    int port, jobs, threads, back_end;
    const char *address;
    double time;
    size_t memory;
    bool open;
    struct arg_list plugin, network;
};

#define ROW(kind, field, letter, value, least, most, text)                                                             \
    { kind, #field, letter, offsetof(struct serve_options, field), value, least, most, text }
static const struct arg serve_rows[] = {
    ROW(ARG_INT, port, 'p', "N", 1, 65535, "port; by default 8080, or the next one that is free"),
    ROW(ARG_FLAG, open, 0, NULL, 0, 0, "open the page in the browser"),
    ROW(ARG_TEXT, address, 0, "ADDRESS", 0, 0,
        "listen at this address, such as 0.0.0.0, instead of 127.0.0.1; other machines then need the token that is a "
        "part of the printed address"),
    ROW(ARG_INT, jobs, 'j', "N", 1, 64, "most searches that run at the same time; by default one per core"),
    ROW(ARG_INT, threads, 0, "N", 1, 64, "most threads that one search may use; by default one per core"),
    ROW(ARG_SECONDS, time, 't', "SECONDS", 1, 1e6, "most wall time of a search, 3600 by default"),
    ROW(ARG_SIZE, memory, 0, "SIZE", 1 << 24, 1e15,
        "most memory of a search; by default its part of half the free memory"),
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

static int serve_files(struct cli *cli, const struct serve_options *options, const struct serve_file *files,
                       size_t count) {
    int cores = batch_cores();
    struct level_sets sets = levels_open();
    struct serve_rules rules = {.engine = cli->engine, .sets = &sets, .files = files, .file_count = count};
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
    struct http *http = http_open(&rules, &where, &error);
    if (http) {
        http_address(http, address, sizeof address);
        printf("%s\n", address);
        cli_flush();
        if (options->open)
            open_browser(address);
        run_until_stopped(http);
        http_close(http);
    }
    level_sets_close(&sets);
    return http ? CLI_OK : cli_complain("serve: %s", error.text);
}

/* Reads the files now: the server opens none later. False after an error message. */
static bool read_files(const struct arg_list *names, struct serve_file *files) {
    for (size_t i = 0; i < names->count; i++) {
        char label[4096];
        const char *range;
        files[i].text = input_text(names->items[i], label, sizeof label, &range, &files[i].length);
        if (!files[i].text)
            return false;
        const char *slash = strrchr(label, '/');
        files[i].name = need_text(slash ? slash + 1 : label, strlen(slash ? slash + 1 : label));
    }
    return true;
}

static int serve(struct cli *cli, const struct serve_options *options, const struct arg_list *names) {
    struct serve_file *files = need_zeroed(names->count + 1, sizeof *files);
    int status = read_files(names, files) ? serve_files(cli, options, files, names->count) : CLI_BAD;
    for (size_t i = 0; i < names->count; i++) {
        free(files[i].name);
        free(files[i].text);
    }
    free(files);
    return status;
}

#else

static int serve(struct cli *cli, const struct serve_options *options, const struct arg_list *names) {
    (void)cli, (void)options, (void)names;
    return cli_complain("serve: this program was built without libmicrohttpd, which `serve` needs: install the package "
                        "libmicrohttpd-dev and build it again");
}

#endif

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct serve_options options = {.time = 3600};
    struct arg_list files = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &files);
    int status = verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    if (verdict == ARGS_GO && plugins_load(cli, &options.plugin)) {
        networks_give(cli->networks, &options.network, options.back_end);
        status = serve(cli, &options, &files);
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
    .about = "Prints the address of the page and works until it is interrupted (Ctrl-C). Only this machine can open\n"
             "the page, unless --address says otherwise. The page offers the files that are named here and the\n"
             "installed level sets; no other file can be read through it. Searches run as jobs: they go on when the\n"
             "page is closed, and end when nobody has looked at them for three minutes.\n"
             "Exit status: 0 interrupted, 2 bad usage or input, or the port is not free.",
    .args = serve_rows,
    .run = run,
};
