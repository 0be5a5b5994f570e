/* `soloist train`: a network learns to play. Everything that a run makes lies in one folder, from which a run that was
 * ended goes on; the network itself is one file that says how it was trained. */
#include "base/buffer.h"
#include "base/json.h"
#include "cli/batch.h"
#include "cli/files.h"
#include "cli/format.h"
#include "cli/levels.h"
#include "cli/lookup.h"
#include "cli/machine.h"
#include "cli/plugin.h"
#include "cli/signals.h"
#include "learn/training.h"
#include "net/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Of NRPA's levels, calls and rules the best of those tried on 24 random boards of 15x15 with half a second each: 3061
 * points on average, NRPA's own values 2753. On 7x7, where clearing is all, those are better. */
static const char *default_method(int width, int height) {
    return width * height >= 100 ? "nrpa:level=2,n=80,rule=1" : "nrpa";
}

struct train_options {
    const char *board, *generate, *out, *network, *back_end, *method, *search, *folder, *resume;
    struct arg_list games, plugin;
    double time;
    uint64_t seed;
    int threads, way;
};

#define ROW(kind, field, name, letter, value, least, most, text)                                                       \
    { kind, name, letter, offsetof(struct train_options, field), value, least, most, text }
static const struct arg train_rows[] = {
    ROW(ARG_TEXT, out, "out", 'o', "FILE", 0, 0, "the trained network (.safetensors)"),
    ROW(ARG_TEXT, network, "network", 'n', "FILE", 0, 0, "a description (.net), or weights to begin with"),
    ROW(ARG_TEXT, board, "board", 'b', "WxH", 0, 0, "size of the boards, 15x15 by default"),
    ROW(ARG_TEXT, generate, "generate", 0, "TEXT", 0, 0, "options of the generator, as key=value,..."),
    ROW(ARG_CHOICE, way, "way", 'w', "continuous|generations", 0, 0, "how, see above"),
    ROW(ARG_SECONDS, time, "time", 't', "SECONDS", 0, 1e9, "how long in all"),
    ROW(ARG_INT, threads, "threads", 'j', "N", 1, 4096, "threads in all, as many as cores by default"),
    ROW(ARG_COUNT, seed, "seed", 's', "N", 0, 1.8e19, "of weights, boards and batches, 1 by default"),
    ROW(ARG_LIST, games, "games", 'g', "FILE", 0, 0, "games to begin with (may be repeated)"),
    ROW(ARG_TEXT, method, "method", 'm', "TEXT", 0, 0, "what makes games by solving, NRPA by default; none: nothing"),
    ROW(ARG_TEXT, search, "search", 0, "TEXT", 0, 0, "options of self-play's search, as key=value,..."),
    ROW(ARG_TEXT, back_end, "back-end", 0, "NAME", 0, 0, "what computes the network: auto, cpu, cuda"),
    ROW(ARG_TEXT, folder, "folder", 'f', "FOLDER", 0, 0, "checkpoints, games and curve; OUT.run by default"),
    ROW(ARG_TEXT, resume, "resume", 0, "FOLDER", 0, 0, "go on from that folder's checkpoint"),
    ROW(ARG_LIST, plugin, "plugin", 0, "FILE", 0, 0, CLI_PLUGIN_HELP),
    {0},
};
#undef ROW

/* ---- progress ---- */

static void print_row(void *user, const struct training_row *row) {
    const struct cli *cli = user;
    char games[FORMAT_ROOM], positions[FORMAT_ROOM], learned[FORMAT_ROOM], judged[FORMAT_ROOM], left[FORMAT_ROOM];
    fprintf(stderr, "%s%.0f s, %s", cli->err_terminal ? "\r\033[K" : "", row->time_s, row->doing);
    if (row->generation)
        fprintf(stderr, ", generation %llu", (unsigned long long)row->generation);
    fprintf(stderr, ": %s games, %s positions", format_count(row->games, games),
            format_count(row->positions, positions));
    if (row->played.games)
        fprintf(stderr, ", score %.0f", row->played.mean);
    fprintf(stderr, " | step %llu, loss %.3f, tried %.3f / %.4f | greedy %.0f +- %.0f", (unsigned long long)row->steps,
            row->training.total, row->validation.policy, row->validation.value, row->greedy, row->greedy_interval);
    fprintf(stderr, " | %s/s learned, %s/s judged", format_count((uint64_t)row->learned_per_s, learned),
            format_count((uint64_t)row->judged_per_s, judged));
    if (row->left_s >= 0)
        fprintf(stderr, ", %s left", format_seconds(row->left_s, left));
    fputs(cli->err_terminal ? "" : "\n", stderr);
    fflush(stderr);
}

/* ---- the network ---- */

/* Of the domain's networks the one with two heads for that board. */
static bool find_network(const soloist_domain *domain, int width, int height, char *path, size_t room) {
    char name[128];
    snprintf(name, sizeof name, "networks/%s-residual-value-%d.net", domain->name, width);
    return width == height && levels_find(name, path, room);
}

static bool load_network(const char *path, struct net_file *file) {
    soloist_error error = {0};
    size_t length;
    if (path_ends_in(path, ".safetensors"))
        return net_file_load(file, path, &error) || (cli_complain("train: %s", error.text), false);
    char *text = file_read(path, &length);
    if (!text)
        return cli_complain("train: %s: %s", path, strerror(errno)), false;
    bool read = net_read(&file->net, text, length, &error);
    free(text);
    return read || (cli_complain("train: %s:%d:%d: %s", path, error.line, error.column, error.text), false);
}

/* ---- the file that comes of it ---- */

static char *write_card(const struct training_wish *wish, const struct training_result *result) {
    const struct training_row *row = &result->row;
    struct buffer text;
    struct json_writer json;
    char machine[256];
    machine_describe(machine, sizeof machine);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    json_open(&json, &sink);
    json_object(&json, NULL);
    json_text(&json, "way", wish->way == TRAINING_GENERATIONS ? "generations" : "continuous");
    json_text(&json, "boards", wish->generate);
    json_text(&json, "method", wish->method);
    json_uint(&json, "seed", wish->seed);
    json_uint(&json, "games", row->games);
    json_uint(&json, "positions", row->positions);
    json_uint(&json, "steps", row->steps);
    json_uint(&json, "generations", row->generation);
    json_int(&json, "batch", wish->options.batch);
    json_real(&json, "seconds", row->time_s);
    json_text(&json, "back_end", result->back_end);
    json_text(&json, "machine", machine);
    json_real(&json, "validation_policy_loss", row->validation.policy);
    json_real(&json, "validation_value_loss", row->validation.value);
    json_int(&json, "greedy_boards", wish->options.boards);
    json_real(&json, "greedy_mean", row->greedy);
    json_real(&json, "greedy_interval", row->greedy_interval);
    json_end(&json, '}');
    return buffer_take(&text);
}

static int save_network(const char *path, const struct training_wish *wish, const struct training_result *result) {
    char scale[32];
    soloist_error error = {0};
    char *card = write_card(wish, result);
    snprintf(scale, sizeof scale, "%.9g", wish->options.value_scale);
    struct net_note notes[] = {{"soloist.domain", wish->domain->name},
                               {"soloist.value_scale", scale},
                               {"soloist.card", card ? card : ""},
                               {NULL, NULL}};
    bool saved = net_file_save(path, wish->net, result->parameters, notes, &error);
    free(card);
    return saved ? CLI_OK : cli_complain("train: %s", error.text);
}

/* ---- the run ---- */

static int run_training(const struct cli *cli, struct training_wish *wish, const char *out) {
    struct training_result result;
    soloist_error error = {0};
    signals_open();
    wish->cancel = signals_cancel();
    wish->report = print_row;
    wish->user = (void *)cli;
    bool good = training_run(wish, &result, &error);
    if (cli->err_terminal)
        fputc('\n', stderr);
    if (!good)
        return cli_complain("train: %s", error.text);
    if (result.refused)
        cli_complain("train: %llu lines were not games of these boards", (unsigned long long)result.refused);
    int status = save_network(out, wish, &result);
    if (status == CLI_OK)
        printf("%s: %llu games, %llu steps in %.1f s on %s; greedy %.1f +- %.1f\n", out,
               (unsigned long long)result.row.games, (unsigned long long)result.row.steps, result.row.time_s,
               result.back_end, result.row.greedy, result.row.greedy_interval);
    training_result_free(&result);
    return status;
}

/* "15x15" and the generator's own words as one text; false: no size. */
static bool read_board(const struct train_options *options, int *width, int *height, struct buffer *text) {
    char rest;
    const char *board = options->board ? options->board : "15x15";
    if (sscanf(board, "%dx%d%c", width, height, &rest) != 2)
        return cli_complain("train: --board wants a size such as 15x15"), false;
    soloist_sink sink = buffer_sink(text);
    soloist_print(&sink, "width=%d,height=%d%s%s", *width, *height, options->generate ? "," : "",
                  options->generate ? options->generate : "");
    return true;
}

/* The words after the domain. */
static bool read_words(const struct arg_list *words, bool has_value, struct training_wish *wish) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    for (size_t i = 1; i < words->count; i++)
        soloist_print(&sink, "%s%s", i > 1 ? "," : "", words->items[i]);
    training_options_for(wish->way, has_value, &wish->options);
    bool good = lookup_options("train", training_options_rows, text.text) &&
                lookup_options("--search", policy_options_rows, wish->search) && lookup_method(wish->method);
    if (good)
        soloist_options_parse(training_options_rows, &wish->options, text.text, NULL);
    buffer_close(&text);
    return good;
}

static int train_with(const struct cli *cli, const struct train_options *options, const struct arg_list *words,
                      struct training_wish *wish, int width, int height) {
    char found[4096], *folder = NULL;
    struct net_file file = {0};
    const char *network = options->network;
    if (!network && find_network(wish->domain, width, height, found, sizeof found))
        network = found;
    if (!network)
        return cli_complain("train: no network is known for these boards: name one with --network");
    if (!load_network(network, &file))
        return CLI_BAD;
    wish->net = &file.net;
    wish->start = file.parameters;
    size_t room = strlen(options->out) + 5;
    folder = malloc(room);
    int status = CLI_BAD;
    if (!folder) {
        cli_complain("out of memory");
    } else {
        snprintf(folder, room, "%s.run", options->out);
        wish->folder = options->resume ? options->resume : options->folder ? options->folder : folder;
        if (mkdir(wish->folder, 0777) && errno != EEXIST)
            cli_complain("train: %s: %s", wish->folder, strerror(errno));
        else if (read_words(words, file.net.value, wish))
            status = run_training(cli, wish, options->out);
    }
    free(folder);
    net_file_free(&file);
    return status;
}

static int train_words(struct cli *cli, struct train_options *options, const struct arg_list *words) {
    struct domain_choice choice;
    struct buffer generate;
    int width, height, status = CLI_BAD;
    if (!words->count)
        return cli_complain("train: which DOMAIN? `soloist train samegame`, say");
    if (!options->out)
        return cli_complain("train: where should the network go? --out FILE");
    if (!plugins_load(cli, &options->plugin) || !lookup_domain(cli, words->items[0], &choice))
        return CLI_BAD;
    arg_list_add(&options->games, NULL);
    buffer_open(&generate);
    if (read_board(options, &width, &height, &generate)) {
        struct training_wish wish = {.engine = cli->engine,
                                     .domain = choice.domain,
                                     .domain_options = choice.options,
                                     .generate = generate.text,
                                     .back_end = options->back_end,
                                     .way = options->way == 2 ? TRAINING_GENERATIONS : TRAINING_CONTINUOUS,
                                     .method = options->method ? options->method : default_method(width, height),
                                     .search = options->search,
                                     .time_s = options->time,
                                     .seed = options->seed,
                                     .threads = options->threads ? options->threads : batch_cores(),
                                     .resume = options->resume != NULL,
                                     .games = options->games.items};
        if (!strcmp(wish.method, "none"))
            wish.method = NULL;
        status = train_with(cli, options, words, &wish, width, height);
    }
    buffer_close(&generate);
    return status;
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct train_options options = {.seed = 1};
    struct arg_list rest = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &rest);
    int status = verdict == ARGS_GO ? train_words(cli, &options, &rest) : verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    arg_list_free(&rest);
    arg_list_free(&options.games);
    arg_list_free(&options.plugin);
    return status;
}

const struct command train_command = {
    .name = "train",
    .summary = "train a network to play",
    .usage = "DOMAIN [KEY=VALUE...] --out FILE [OPTIONS]",
    .about = "continuous (the default): a strong sampler makes the first games, self-play with the newest weights the\n"
             "later ones, and one network learns all the time. generations: Algorithm 1 of the SameGame document.\n"
             "The words KEY=VALUE set options of training; `soloist info train` lists them.",
    .args = train_rows,
    .run = run,
};
