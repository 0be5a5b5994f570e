/* `soloist train`: trains a network to play. Everything that a run writes is in one folder, from which it can be
 * resumed; the network itself is one file, with a card that says how it was trained. */
#include "base/buffer.h"
#include "cli/solve/batch.h"
#include "cli/learn/card.h"
#include "cli/learn/networks.h"
#include "cli/shell/files.h"
#include "cli/shell/format.h"
#include "cli/lab/lab.h"
#include "cli/input/levels.h"
#include "cli/shell/lookup.h"
#include "cli/shell/need.h"
#include "cli/shell/plugin.h"
#include "cli/shell/screen.h"
#include "cli/shell/signals.h"
#include "cli/learn/train.h"
#include "lab/lesson.h"
#include "learn/predict/network.h"
#include "net/file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW(kind, field, name, letter, value, least, most, text)                                                       \
    { kind, name, letter, offsetof(struct train_options, field), value, least, most, text }
static const struct arg train_rows[] = {
    ROW(ARG_TEXT, out, "out", 'o', "FILE", 0, 0, "where to write the trained network (.safetensors)"),
    ROW(ARG_TEXT, network, "network", 'n', "FILE", 0, 0,
        "network description (.net), or weights to start from (.safetensors); by default an installed description for "
        "boards of this size, if there is one"),
    ROW(ARG_TEXT, board, "board", 'b', "WxH", 0, 0,
        "size of the boards; by default 15x15, or the generator's default size if the domain has costs or "
        "its generator has no options width and height"),
    ROW(ARG_TEXT, generate, "generate", 0, "TEXT", 0, 0, "options of the generator, as key=value,..."),
    ROW(ARG_LIST, levels, "levels", 0, "FILE", 0, 0,
        "file of instances to learn from instead of generated ones (may be repeated); see also the option "
        "levels_share"),
    ROW(ARG_TEXT, curriculum, "curriculum", 0, "TEXT", 0, 0,
        "how the generator's options change from stage to stage, as stages=N,key=FIRST..LAST,..., or ge for the "
        "curriculum of Ge (2018)"),
    ROW(ARG_CHOICE, way, "way", 'w', TRAINING_WAYS, 0, 0, "way of training, continuous by default"),
    ROW(ARG_SECONDS, time, "time", 't', "SECONDS", 0, 1e9,
        "time limit of playing and learning; 0, the default: no limit; the last measurement of the policy comes after "
        "it"),
    ROW(ARG_INT, threads, "threads", 'j', "N", 1, 4096, "total number of threads, one per core by default"),
    ROW(ARG_COUNT, seed, "seed", 's', "N", 0, 1.8e19, "random seed of weights, boards and batches, 1 by default"),
    ROW(ARG_LIST, games, "games", 'g', "FILE", 0, 0,
        "file of games from which the network learns first (may be repeated)"),
    ROW(ARG_TEXT, method, "method", 'm', "TEXT", 0, 0,
        "search that plays the first games; by default nrpa, or auto in a domain with costs; none: leave these first "
        "games out. If the search needs a network, the network in training guides it"),
    ROW(ARG_TEXT, teacher, "teacher", 0, "DOMAIN", 0, 0,
        "domains with costs: the domain (with its options) in which --method solves the puzzles, e.g. "
        "sokoban:optimal=moves; by default sokoban if DOMAIN is sokoban-moves and --method needs no network, otherwise "
        "DOMAIN itself"),
    ROW(ARG_TEXT, search, "search", 0, "TEXT", 0, 0, "options of the search in self-play, as key=value,..."),
    ROW(ARG_TEXT, back_end, "back-end", 0, CLI_BACK_ENDS, 0, 0, CLI_BACK_END_HELP),
    ROW(ARG_TEXT, folder, "folder", 'f', "FOLDER", 0, 0,
        "folder for checkpoints, games and the training curve; OUT.run by default"),
    ROW(ARG_TEXT, resume, "resume", 0, "FOLDER", 0, 0,
        "continue the run in FOLDER with the arguments that it was begun with; an argument given now replaces its "
        "earlier value"),
    ROW(ARG_FLAG, force, "force", 0, NULL, 0, 0,
        "if the file named by --out, or its run folder, already exists, rename the existing one; without --force the "
        "command ends with an error"),
    ROW(ARG_TEXT, store, "store", 0, "FILE", 0, 0,
        "also record the training curve in FILE, a results store of `soloist lab`"),
    ROW(ARG_LIST, plugin, "plugin", 0, "FILE", 0, 0, CLI_PLUGIN_HELP),
    {0},
};
#undef ROW

/* ---- progress ---- */

/* Where the progress of a run is reported. network: the file that the run starts from. */
struct audience {
    const struct cli *cli;
    const struct training_wish *wish;
    const struct train_options *options;
    const char *network;
#if SOLOIST_WITH_SQLITE
    struct lab_curve curve;
#endif
};

/* The line that fits the screen: what matters most comes first, and nothing is shown that was not measured. */
static void compose_row(struct screen_line *line, const struct training_row *row) {
    char text[FORMAT_ROOM];
    screen_line_add(line, "%.0f s, %s", row->time_s, row->doing);
    if (row->generation)
        screen_line_add(line, ", %s %llu", row->stage ? "iteration" : "generation",
                        (unsigned long long)row->generation);
    if (row->stage)
        screen_line_add(line, ", stage %llu", (unsigned long long)row->stage);
    if (row->stage && isfinite(row->solve_rate))
        screen_line_add(line, " (%.1f %% solved)", 100 * row->solve_rate);
    if (row->steps)
        screen_line_add(line, ", step %llu", (unsigned long long)row->steps);
    if (isfinite(row->greedy) && row->goal)
        screen_line_add(line, ", policy solves %.1f %% (%.1f to %.1f)", row->greedy, row->greedy_ends.low,
                        row->greedy_ends.high);
    else if (isfinite(row->greedy))
        screen_line_add(line, ", greedy %.0f +- %.0f", row->greedy, row->greedy_interval);
    if (row->goal && isfinite(row->cost))
        screen_line_add(line, ", length %.1f", row->cost);
    if (isfinite(row->training.total))
        screen_line_add(line, ", loss %.3f", row->training.total);
    if (row->games)
        screen_line_add(line, ", %s %s", format_count(row->games, text), row->games == 1 ? "game" : "games");
    if (row->left_s >= 0)
        screen_line_add(line, ", %.0f s left", row->left_s);
    if (row->played.games)
        screen_line_add(line, row->goal ? ", teacher's length %.1f" : ", score %.0f", row->played.mean);
    if (isfinite(row->validation.policy))
        screen_line_add(line, ", validation %.3f", row->validation.policy);
    if (isfinite(row->validation.value))
        screen_line_add(line, " / %.4f", row->validation.value);
    if (row->positions)
        screen_line_add(line, ", %s positions", format_count(row->positions, text));
    if (row->learned_per_s > 0)
        screen_line_add(line, ", %s/s learned", format_count((uint64_t)row->learned_per_s, text));
    if (row->judged_per_s > 0)
        screen_line_add(line, ", %s/s evaluated", format_count((uint64_t)row->judged_per_s, text));
}

static void show_row(const struct cli *cli, const struct training_row *row) {
    struct screen_line line;
    screen_line_open(&line, screen_width(stderr) - 1);
    compose_row(&line, row);
    if (cli->err_terminal)
        screen_line_show(&line);
    else
        fprintf(stderr, "%s\n", line.text);
}

static void tell_row(void *user, const struct training_row *row) {
    struct audience *audience = user;
    show_row(audience->cli, row);
#if SOLOIST_WITH_SQLITE
    lab_curve_add(&audience->curve, row);
#endif
}

/* Between rows only a screen shows how far the run is: a file gets a line per row. */
static void tell_tick(void *user, const struct training_row *row) {
    const struct audience *audience = user;
    if (audience->cli->err_terminal)
        show_row(audience->cli, row);
}

/* On a screen the warning replaces the line of progress. */
static void tell_warning(void *user, const char *text) {
    const struct audience *audience = user;
    if (audience->cli->err_terminal)
        fputs("\r\033[K", stderr);
    cli_complain("train: %s", text);
}

/* Prints the first line, before anything has been played or learned. The network's file is never changed. The arguments
 * of a resumed run are stored now and not before, so that arguments that are refused do not stay with it. */
static bool begin(void *user, soloist_error *error) {
    const struct audience *audience = user;
    const struct training_wish *wish = audience->wish;
    const char *path = audience->network, *slash = strrchr(path, '/');
    char parameters[FORMAT_ROOM], time[FORMAT_ROOM];
    fprintf(stderr, "training a %s %s, %s parameters, on %d %s",
            path_ends_in(path, ".safetensors") ? "copy of" : "network described by", slash ? slash + 1 : path,
            format_count(wish->net->parameters, parameters), wish->threads, wish->threads == 1 ? "thread" : "threads");
    if (wish->time_s > 0)
        fprintf(stderr, " for %s", format_seconds(wish->time_s, time));
    fputs("; Ctrl-C stops and saves\n", stderr);
    return !audience->options->resume || train_words_remember(wish->folder, audience->options, error);
}

static bool open_store(struct audience *audience, const struct train_options *options, const char *domain,
                       const struct lesson *lesson, const struct training_wish *wish) {
    if (!options->store)
        return true;
#if SOLOIST_WITH_SQLITE
    return lab_curve_open(&audience->curve, options->store, options->out, domain, lesson, wish);
#else
    (void)audience, (void)domain, (void)lesson, (void)wish;
    return cli_complain(
               "train: --store: this build has no SQLite: install libsqlite3-dev (`make deps`) and build again"),
           false;
#endif
}

static void close_store(struct audience *audience, bool trained, double time_s) {
#if SOLOIST_WITH_SQLITE
    lab_curve_close(&audience->curve, trained, time_s);
#else
    (void)audience, (void)trained, (void)time_s;
#endif
}

/* ---- the network ---- */

/* The domain's network description with two heads for this board. */
static bool find_network(const soloist_domain *domain, const char *board, char *path, size_t room) {
    char name[128];
    int width = 15, height = 15;
    sscanf(board ? board : "", "%dx%d", &width, &height);
    snprintf(name, sizeof name, "networks/%s-first-%d.net", domain->name, width);
    if (domain->aim == SOLOIST_LEAST_COST && !board)
        snprintf(name, sizeof name, "networks/%s-first.net", domain->name);
    return width == height && levels_find(name, path, room);
}

/* A network's file: its bytes and its parsed contents. */
struct network_file {
    const char *path;
    char *bytes;
    size_t length;
    struct net_file file;
};

static void network_free(struct network_file *network) {
    net_file_free(&network->file);
    free(network->bytes);
    network->bytes = NULL;
}

static bool read_network(struct network_file *network, const soloist_domain *domain) {
    bool trained = path_ends_in(network->path, ".safetensors");
    soloist_error error = {0};
    network->bytes = file_read(network->path, &network->length);
    if (!network->bytes)
        return cli_complain("train: --network %s: %s", network->path, strerror(errno)), false;
    bool good = network_is_for(network->bytes, trained ? network->length : 0, domain, &error) &&
                (trained ? net_file_read(&network->file, network->bytes, network->length, &error)
                         : net_read(&network->file.net, network->bytes, network->length, &error));
    if (good)
        return true;
    if (error.line)
        cli_complain("train: %s:%d:%d: %s", network->path, error.line, error.column, error.text);
    else
        cli_complain("train: %s: %s", network->path, error.text);
    network_free(network);
    return false;
}

/* The network that a resumed run started from; a --network given with --resume must be the same one. */
static bool read_kept_network(const struct train_options *options, const soloist_domain *domain, char *kept,
                              struct network_file *network) {
    struct network_file given = {.path = options->network};
    network->path = kept;
    if (!read_network(network, domain) || !options->network)
        return network->bytes != NULL;
    bool same = read_network(&given, domain);
    if (same && strcmp(given.file.net.text, network->file.net.text) != 0)
        same = (cli_complain("train: --network %s: the run in %s has another network, which cannot be changed",
                             options->network, options->resume),
                false);
    network_free(&given);
    if (!same)
        network_free(network);
    return same;
}

/* Reads the network to begin with. found, kept: buffers for its path. */
static bool take_network(const struct train_options *options, const soloist_domain *domain, char *found, size_t room,
                         char *kept, struct network_file *network) {
    *network = (struct network_file){.path = options->network};
    if (kept)
        return read_kept_network(options, domain, kept, network);
    if (!network->path && find_network(domain, options->board, found, room))
        network->path = found;
    if (!network->path)
        return cli_complain("train: no default network for these boards: name one with --network"), false;
    return read_network(network, domain);
}

/* ---- the trained network's file ---- */

static bool save_network(const char *path, const struct training_wish *wish, const struct training_result *result,
                         soloist_error *error) {
    char meaning[32];
    char *card = card_write(wish, result);
    bool steps = wish->domain->aim == SOLOIST_LEAST_COST;
    snprintf(meaning, sizeof meaning, "%.9g", steps ? wish->options.step_value : wish->options.value_scale);
    struct net_note notes[] = {{NETWORK_DOMAIN_NOTE, wish->domain->name},
                               {steps ? NETWORK_STEP_NOTE : NETWORK_SCALE_NOTE, meaning},
                               {"soloist.card", card},
                               {NULL, NULL}};
    bool saved = net_file_save(path, wish->net, result->parameters, notes, error);
    free(card);
    return saved;
}

/* If the file cannot be written now, the complaint comes when it is written again, after the last measurement. */
static void keep_network(void *user, const struct training_result *result) {
    const struct audience *audience = user;
    soloist_error error = {0};
    const char *out = audience->options->out;
    bool saved = save_network(out, audience->wish, result, &error);
    if (!saved || !signals_stopped())
        return;
    if (audience->cli->err_terminal)
        fputs("\r\033[K", stderr);
    fprintf(stderr, "%s is written; the last measurement follows, and another Ctrl-C leaves it out\n", out);
}

/* ---- the run ---- */

static void tell_end(const char *out, const struct training_result *result) {
    const struct training_row *row = &result->row;
    printf("%s: %llu %s, %llu %s in %.1f s on %s", out, (unsigned long long)row->games,
           row->games == 1 ? "game" : "games", (unsigned long long)row->steps, row->steps == 1 ? "step" : "steps",
           row->time_s, result->back_end);
    if (isfinite(row->greedy) && row->goal)
        printf("; policy solves %.1f %% (%.1f to %.1f)", row->greedy, row->greedy_ends.low, row->greedy_ends.high);
    else if (isfinite(row->greedy))
        printf("; greedy %.1f +- %.1f", row->greedy, row->greedy_interval);
    if (row->goal && isfinite(row->cost))
        printf(", length %.1f, %.1f evaluations per solved instance", row->cost, row->evaluations);
    putchar('\n');
}

static int run_training(struct audience *audience, struct training_wish *wish) {
    const char *out = audience->options->out;
    struct training_result result;
    soloist_error error = {0};
    signals_open();
    wish->stop = signals_token();
    wish->begin = begin;
    wish->keep = keep_network;
    wish->report = tell_row;
    wish->tick = tell_tick;
    wish->warn = tell_warning;
    wish->user = audience;
    bool good = training_run(wish, &result, &error);
    close_store(audience, good, good ? result.row.time_s : 0);
    if (audience->cli->err_terminal)
        fputs("\r\033[K", stderr);
    if (!good)
        return cli_complain("train: %s", error.text);
    if (result.refused)
        cli_complain("train: ignored %llu lines that are not games on these boards",
                     (unsigned long long)result.refused);
    bool saved = save_network(out, wish, &result, &error);
    if (saved)
        tell_end(out, &result);
    else
        cli_complain("train: %s", error.text);
    saved &= !result.unsaved;
    training_result_free(&result);
    return saved ? CLI_OK : CLI_BAD;
}

/* Turns the options into a lesson, the form that the lab uses as well. */
static bool take_lesson(const struct cli *cli, const struct train_options *options, const soloist_domain *domain,
                        struct lesson *lesson) {
    *lesson = (struct lesson){.board = options->board,
                              .generate = options->generate,
                              .curriculum = options->curriculum,
                              .network = options->network,
                              .method = options->method,
                              .teacher = options->teacher,
                              .search = options->search,
                              .back_end = options->back_end,
                              .way = options->way ? (enum training_way)(options->way - 1) : TRAINING_CONTINUOUS,
                              .time_s = options->time,
                              .threads = options->threads};
    if (options->words.count > LESSON_MOST_OPTIONS || options->games.count > LESSON_MOST_GAMES)
        return cli_complain("train: more than %d words or %d files of games", LESSON_MOST_OPTIONS, LESSON_MOST_GAMES),
               false;
    for (size_t i = 0; i < options->words.count; i++) {
        if (!lookup_options("train", training_options_rows, options->words.items[i]))
            return false;
        lesson->options[lesson->option_count++] = options->words.items[i];
    }
    for (; lesson->game_count < options->games.count; lesson->game_count++)
        lesson->games[lesson->game_count] = options->games.items[lesson->game_count];
    return lookup_options("--search", lesson_search_rows(lesson), options->search) &&
           (!strcmp(lesson_method(lesson, domain), "none") || lookup_method(cli, lesson_method(lesson, domain)));
}

/* word: "KEY=VALUE,...". */
static void warn_of_idle_words(const char *word, const struct training_wish *wish) {
    for (; *word; word += strcspn(word, ","), word += *word == ',') {
        size_t length = strcspn(word, "=,");
        const char *why = training_option_idle(wish, word, length);
        if (why)
            cli_complain("train: warning: %.*s has no effect: %s", (int)length, word, why);
    }
}

static void warn_of_idle_options(const struct args_given *given, const struct arg_list *words,
                                 const struct training_wish *wish) {
    bool solves = wish->way == TRAINING_CONTINUOUS || wish->way == TRAINING_EXPERT_ITERATION;
    bool searches = wish->way == TRAINING_CONTINUOUS ? wish->options.self_play : wish->way != TRAINING_ACTOR_CRITIC;
    if (!solves)
        args_idle(given, "method", "--way %s has no search of this kind", training_way_name(wish->way));
    if (!solves || !wish->method)
        args_idle(given, "teacher", "it is the domain in which --method solves");
    if (!searches)
        args_idle(given, "search", "there is no self-play by search");
    for (size_t i = 0; i < words->count; i++)
        warn_of_idle_words(words->items[i], wish);
}

/* Stores what a new run needs to be resumed. The first network is stored before the arguments, so that a folder with
 * arguments can always be resumed. */
static bool prepare_folder(const char *folder, const struct train_options *options,
                           const struct network_file *network) {
    soloist_error error = {0};
    return train_folder_keep_network(folder, network->path, network->bytes, network->length) &&
           (train_words_remember(folder, options, &error) || (cli_complain("train: %s", error.text), false));
}

/* Trains in a folder that now belongs to this run. */
static int train_in(const struct cli *cli, const struct train_options *options, const char *folder,
                    const struct network_file *network, const struct lesson *lesson, struct training_wish *wish) {
    struct audience audience = {.cli = cli, .wish = wish, .options = options, .network = network->path};
    wish->folder = folder;
    wish->resume = options->resume && train_folder_is_begun(folder);
    if ((!options->resume && !prepare_folder(folder, options, network)) ||
        !open_store(&audience, options, options->domain, lesson, wish))
        return CLI_BAD;
    if (options->resume && !wish->resume)
        fprintf(stderr, "%s holds no checkpoint: the training starts again\n", folder);
    warn_of_idle_options(&cli->given, &options->words, wish);
    return run_training(&audience, wish);
}

/* Checks everything that can be checked before any file is changed, and trains. */
static int train_with(const struct cli *cli, const struct train_options *options, const struct lesson *lesson,
                      struct training_wish *wish) {
    char found[4096], *kept = options->resume ? train_folder_network(options->resume) : NULL;
    struct network_file network;
    struct train_folder folder;
    soloist_error error = {0};
    int status = CLI_BAD;
    if (take_network(options, wish->domain, found, sizeof found, kept, &network)) {
        wish->net = &network.file.net;
        wish->start = network.file.parameters;
        if (!lesson_wish(lesson, wish, &error)) {
            cli_complain("train: %s", error.text);
        } else {
            if (train_folder_open(&folder, options))
                status = train_in(cli, options, folder.path, &network, lesson, wish);
            train_folder_close(&folder, options);
        }
        network_free(&network);
    }
    free(kept);
    return status;
}

static int train(struct cli *cli, const struct train_options *options) {
    struct domain_choice choice, teacher;
    struct lesson lesson;
    struct buffer generate;
    struct arg_list levels = {0};
    soloist_error error = {0};
    if (!plugins_load(cli, &options->plugin) || !lookup_domain(cli, options->domain, &choice) ||
        (options->teacher && !lookup_domain(cli, options->teacher, &teacher)) ||
        !take_lesson(cli, options, choice.domain, &lesson))
        return CLI_BAD;
    if (!choice.domain->learn)
        return cli_complain("train: %s does not show its states to networks", choice.domain->name);
    for (size_t i = 0; i < options->levels.count; i++)
        arg_list_add(&levels, options->levels.items[i]);
    arg_list_add(&levels, NULL);
    buffer_open(&generate);
    soloist_sink sink = buffer_sink(&generate);
    bool good = lesson_generate(&lesson, choice.domain, &sink, &error);
    need_whole(&generate);
    struct training_wish wish = {.engine = cli->engine,
                                 .domain = choice.domain,
                                 .domain_options = choice.options,
                                 .generate = generate.text,
                                 .levels = levels.items,
                                 .time_s = lesson.time_s,
                                 .seed = options->seed,
                                 .threads = lesson.threads};
    int status = good ? train_with(cli, options, &lesson, &wish) : cli_complain("train: %s", error.text);
    buffer_close(&generate);
    arg_list_free(&levels);
    return status;
}

/* The first word is the domain, unless it is KEY=VALUE, which is an option of training. A domain's options follow a
 * colon. */
static void sort_words(const struct arg_list *rest, struct train_options *options, struct arg_list *texts) {
    bool named = rest->count && rest->items[0][strcspn(rest->items[0], ":=")] != '=';
    options->domain = named ? rest->items[0] : NULL;
    for (size_t i = named; i < rest->count; i++)
        train_words_add(&options->words, rest->items[i], texts);
}

static void settle(struct train_options *options) {
    options->time = options->time == TRAIN_NO_TIME ? 0 : options->time;
    options->seed = options->seed == TRAIN_NO_SEED ? 1 : options->seed;
    options->threads = options->threads ? options->threads : batch_cores();
}

static int train_words(struct cli *cli, struct train_options *options, struct arg_list *texts) {
    if (options->resume && options->folder)
        return cli_complain("train: --resume continues in the folder that it names: leave --folder out");
    if (options->resume && !train_words_recall(options, texts))
        return CLI_BAD;
    if (!options->domain)
        return cli_complain("train: which DOMAIN? e.g. `soloist train samegame`");
    if (!options->out || !*options->out)
        return cli_complain("train: where should the network go? --out FILE");
    if (!options->resume && !path_ends_in(options->out, ".safetensors"))
        return cli_complain("train: --out %s: the name of a trained network must end in .safetensors", options->out);
    settle(options);
    return train(cli, options);
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct train_options options = {.seed = TRAIN_NO_SEED, .time = TRAIN_NO_TIME};
    struct arg_list rest = {0}, texts = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &rest);
    sort_words(&rest, &options, &texts);
    int status = verdict == ARGS_GO ? train_words(cli, &options, &texts) : verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    arg_list_free(&rest);
    arg_list_free(&options.games);
    arg_list_free(&options.levels);
    arg_list_free(&options.plugin);
    arg_list_free(&options.words);
    train_texts_free(&texts);
    return status;
}

const struct command train_command = {
    .name = "train",
    .summary = "train a network to play",
    .usage = "DOMAIN [KEY=VALUE...] --out FILE [OPTIONS]",
    .about = "There are four ways of training (--way):\n"
             "  continuous (the default): a search (--method) plays the first games, and later\n"
             "    games come from self-play with the newest weights; one network learns during\n"
             "    the whole training.\n"
             "  generations: in each generation, tree search with the previous network (at\n"
             "    first without one) plays games. Then a new network learns from these games\n"
             "    (Seify 2020, Algorithm 1). If the network has a value head, each generation\n"
             "    trains the previous network further instead.\n"
             "  expert-iteration: in each iteration an expert plays some puzzles; the expert is\n"
             "    a tree search guided by the network, or the search of --method. Then the\n"
             "    network learns from the newest games (Ge 2018, section 3.5).\n"
             "  actor-critic: the network learns from every move of its own policy (A2C).\n"
             "In a domain with costs, such as tiles or sokoban-moves, `continuous` has no self-play: the network\n"
             "imitates the search of --method. It learns the moves of that search's solutions and the costs still\n"
             "to come. If the search needs a network, as levints does, the network in training guides it: then the\n"
             "network learns from solutions that it has helped to find. Arguments KEY=VALUE set options of\n"
             "training, which `soloist info train` lists. A run that was stopped or killed continues with\n"
             "`soloist train --resume OUT.run`.",
    .args = train_rows,
    .run = run,
};
