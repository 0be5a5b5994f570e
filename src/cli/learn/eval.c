/* `soloist eval`: measures a network by the score of its policy without search, and by the scores over time of searches
 * with and without it, all on the same boards. There is one run per board and method, which reports its best score
 * while it runs. In a least-cost domain the solve rate is measured instead of the score. */
#include "base/buffer.h"
#include "base/team.h"
#include "base/budget.h"
#include "cli/shell/plugin.h"
#include "cli/shell/screen.h"
#include "cli/shell/table.h"
#include "cli/solve/batch.h"
#include "cli/learn/card.h"
#include "cli/learn/networks.h"
#include "cli/learn/eval_dead.h"
#include "cli/shell/files.h"
#include "cli/shell/lookup.h"
#include "cli/shell/machine.h"
#include "cli/shell/need.h"
#include "cli/shell/signals.h"
#include "lab/lesson.h"
#include "lab/sheet.h"
#include "lab/statistics.h"
#include "learn/train/games.h"
#include "learn/train/greedy.h"
#include "learn/train/samples.h"
#include "learn/predict/network.h"
#include "net/back_end.h"
#include "net/file.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TIMES = 32, MOST_METHODS = 16 };

struct eval_options {
    const char *domain, *board, *generate, *time, *back_end;
    struct arg_list method, plugin, levels;
    int boards, threads, jobs, format, step_limit, dead_states;
    uint64_t seed;
    bool no_greedy, card, exhaustive;
};

#define ROW(kind, field, name, letter, value, least, most, text)                                                       \
    { kind, name, letter, offsetof(struct eval_options, field), value, least, most, text }
static const struct arg eval_rows[] = {
    ROW(ARG_TEXT, board, "board", 'b', "WxH", 0, 0,
        "size of the boards, by default the size for which the network was made"),
    ROW(ARG_TEXT, generate, "generate", 0, "TEXT", 0, 0, "options of the generator, as key=value,..."),
    ROW(ARG_INT, boards, "boards", 'n', "N", 1, 1e6,
        "number of random boards, 64 by default; with --card: number of the card's boards to use, all by default; with "
        "--levels: number of instances to use, all by default"),
    ROW(ARG_LIST, levels, "levels", 0, "FILE", 0, 0,
        "measure on the instances of FILE instead of random boards (may be repeated)"),
    ROW(ARG_INT, step_limit, "step-limit", 0, "N", 1, 1e6,
        "domains with costs: number of moves after which the policy without search gives up, 100 by default"),
    ROW(ARG_COUNT, seed, "seed", 's', "N", 0, 1.8e19, "random seed of the boards and searches, 7 by default"),
    ROW(ARG_TEXT, time, "time", 't', "LIST", 0, 0,
        "list of times in seconds at which the scores of the searches are recorded, e.g. 1,2,5,10; without --time no "
        "search runs"),
    ROW(ARG_LIST, method, "method", 'm', "TEXT", 0, 0, "search to measure, as for solve --method (may be repeated)"),
    ROW(ARG_INT, threads, "threads", 0, "N", 1, SOLOIST_MOST_THREADS, "threads per search, 1 by default"),
    ROW(ARG_INT, jobs, "jobs", 'j', "N", 1, 4096,
        "number of searches that run at the same time; by default the number of cores divided by --threads"),
    ROW(ARG_TEXT, back_end, "back-end", 0, CLI_BACK_ENDS, 0, 0, CLI_BACK_END_HELP),
    ROW(ARG_TEXT, domain, "domain", 'd', "NAME", 0, 0,
        "domain and its options; by default the domain that the network's file names"),
    ROW(ARG_LIST, plugin, "plugin", 0, "FILE", 0, 0, CLI_PLUGIN_HELP),
    ROW(ARG_FLAG, card, "card", 0, NULL, 0, 0,
        "measure the policy on the boards of the network's card, and compare its score with the score on the card"),
    ROW(ARG_FLAG, no_greedy, "no-greedy", 0, NULL, 0, 0, "do not measure the policy without search"),
    ROW(ARG_INT, dead_states, "dead-states", 0, "N", 1, 1e7,
        "show the network's values of N positions without a solution, one from each random puzzle"),
    ROW(ARG_FLAG, exhaustive, "exhaustive", 0, NULL, 0, 0,
        "with --dead-states: find out by search instead of by deadlock tables which positions are dead, and compare "
        "each dead position with a solvable position that has the same parent"),
    ROW(ARG_CHOICE, format, "format", 0, "text|csv|markdown|json", 0, 0, "format of the table, text by default"),
    {0},
};
#undef ROW

/* What a method took for all boards together; NaN: it does not count that. */
struct effort {
    double evaluations, expanded;
};

struct eval {
    const struct cli *cli;
    const struct eval_options *options;
    const char *path;
    char *bytes; /* content of the network's file */
    size_t length;
    struct net_file file;
    struct domain_choice choice;
    soloist_puzzle *puzzles;
    soloist_network *network;
    double times[MOST_TIMES];
    int time_count;
    const char *methods[MOST_METHODS];
    int method_count;
    struct sample (*samples)[MOST_TIMES]; /* scores of each method at each time, or costs of what it solved */
    struct effort efforts[MOST_METHODS];
    int finished[MOST_METHODS]; /* number of boards on which the search of a method ended by itself */
    bool goal;                  /* a domain with costs */
    struct sheet sheet;
    struct card card;
    struct sample greedy; /* scores of the policy without search */
    double rate;          /* in a domain with costs: its solve rate, per cent */
    int boards;
    pthread_mutex_t lock;
    int next;        /* the next job: one job is one board with one method */
    int ended, jobs; /* jobs that ended by themselves, and jobs at the same time */
    double shown_s;  /* when the line on the screen was last drawn */
    soloist_error error;
    bool failed;
};

/* ---- the line on the screen ---- */

static void wipe(const struct eval *eval) {
    if (eval->cli->err_terminal)
        fputs("\r\033[K", stderr);
}

/* The caller holds the lock, if other threads run. */
static void show_progress(struct eval *eval) {
    double now = clock_seconds();
    int total = eval->method_count * eval->boards;
    struct screen_line line;
    if (!eval->cli->err_terminal || now - eval->shown_s < 0.5)
        return;
    eval->shown_s = now;
    screen_line_open(&line, screen_width(stderr) - 1);
    if (!eval->jobs) {
        screen_line_add(&line, "the policy plays %d boards without search", eval->boards);
    } else {
        int rounds = (total - eval->ended + eval->jobs - 1) / eval->jobs;
        screen_line_add(&line, "%d/%d searches done", eval->ended, total);
        screen_line_add(&line, ", at most %.0f s left", rounds * eval->times[eval->time_count - 1]);
    }
    screen_line_show(&line);
}

/* ---- curves ---- */

/* The best score at each of the times, filled in during a run. */
struct curve {
    struct eval *eval;
    int32_t best;
    bool has_best;
    int passed; /* number of these times that have already passed */
    int32_t scores[MOST_TIMES];
    bool known[MOST_TIMES];
};

static void pass_times(struct curve *curve, double time_s) {
    while (curve->passed < curve->eval->time_count && curve->eval->times[curve->passed] <= time_s) {
        curve->known[curve->passed] = curve->has_best;
        curve->scores[curve->passed++] = curve->best;
    }
}

static void note_progress(void *user, const soloist_progress *progress) {
    struct curve *curve = user;
    pthread_mutex_lock(&curve->eval->lock);
    show_progress(curve->eval);
    pthread_mutex_unlock(&curve->eval->lock);
    pass_times(curve, progress->time_s);
    curve->has_best |= progress->has_best;
    curve->best = progress->has_best ? progress->best : curve->best;
}

static bool run_job(struct eval *eval, int method, int board, soloist_error *error) {
    struct curve curve = {.eval = eval};
    soloist_callbacks callbacks = {.progress = note_progress, .user = &curve};
    soloist_limits limits = {.time_s = eval->times[eval->time_count - 1],
                             .threads = eval->options->threads,
                             .seed = eval->options->seed + (uint64_t)board,
                             .stop = signals_token(),
                             .network = eval->network};
    soloist_result result = {0};
    if (need_code(soloist_solve(eval->cli->engine, &eval->puzzles[board], eval->methods[method], &limits, &callbacks,
                                &result, error)) != SOLOIST_OK)
        return false;
    if (signals_stopped())
        return soloist_result_free(&result), true;
    curve.has_best |= result.moves != NULL;
    curve.best = result.moves ? result.verdict.value : curve.best;
    if (eval->goal)
        curve.has_best = result.status == SOLOIST_SOLVED;
    pass_times(&curve, INFINITY);
    pthread_mutex_lock(&eval->lock);
    eval->ended++;
    eval->finished[method]++;
    show_progress(eval);
    eval->efforts[method].evaluations += result.has_evaluations ? (double)result.evaluations : NAN;
    eval->efforts[method].expanded += result.has_expanded ? (double)result.expanded : NAN;
    for (int i = 0; i < eval->time_count; i++)
        if (curve.known[i])
            sample_add(&eval->samples[method][i], curve.scores[i]);
    pthread_mutex_unlock(&eval->lock);
    soloist_result_free(&result);
    return true;
}

static void work(void *user, int worker) {
    struct eval *eval = user;
    soloist_error error = {0};
    (void)worker;
    for (;;) {
        pthread_mutex_lock(&eval->lock);
        int job = eval->next++;
        bool over = eval->failed || signals_stopped() || job >= eval->method_count * eval->boards;
        pthread_mutex_unlock(&eval->lock);
        if (over)
            return;
        if (!run_job(eval, job / eval->boards, job % eval->boards, &error)) {
            pthread_mutex_lock(&eval->lock);
            eval->failed = true;
            eval->error = error;
            pthread_mutex_unlock(&eval->lock);
        }
    }
}

static bool run_jobs(struct eval *eval) {
    int wanted = eval->options->jobs ? eval->options->jobs : batch_cores() / eval->options->threads;
    struct team team;
    eval->jobs = wanted < 1 ? 1 : wanted;
    eval->shown_s = 0;
    show_progress(eval);
    eval->samples = need_zeroed(MOST_METHODS, sizeof *eval->samples);
    int started = team_start_beside(&team, eval->jobs, work, eval);
    team_join(&team);
    return started ? !eval->failed : soloist_fail(&eval->error, 0, 0, "no thread could be started");
}

static void put_sample(struct sheet *sheet, const char *method, double time_s, const struct sample *sample) {
    sheet_put(sheet, method);
    sheet_number(sheet, time_s, 4);
    sheet_number(sheet, (double)sample->count, 0);
    sheet_number(sheet, sample->count ? sample->mean : NAN, 6);
    sheet_number(sheet, sample->count > 1 ? sample_half_width(sample, 0.95) : NAN, 4);
    sheet_number(sheet, sample->count ? sample->most : NAN, 0);
}

/* A row of a domain with costs. solved: costs of the solved boards. Evaluations and expanded states are per solved
 * board, and those on unsolved boards count, too. */
static void put_costs(struct eval *eval, const char *method, double time_s, int boards, const struct sample *solved,
                      struct effort effort) {
    struct sheet *sheet = &eval->sheet;
    double count = (double)solved->count;
    struct interval ends = interval_share(solved->count, (uint64_t)boards, 0.95);
    sheet_put(sheet, method);
    sheet_number(sheet, time_s, 4);
    sheet_number(sheet, boards, 0);
    sheet_number(sheet, boards ? 100 * count / boards : NAN, 4);
    sheet_number(sheet, boards ? ends.low : NAN, 4);
    sheet_number(sheet, boards ? ends.high : NAN, 4);
    sheet_number(sheet, count > 0 ? solved->mean : NAN, 5);
    sheet_number(sheet, count > 0 ? effort.evaluations / count : NAN, 6);
    sheet_number(sheet, count > 0 ? effort.expanded / count : NAN, 6);
}

/* ---- the policy without search ---- */

static void count_games(struct eval *eval, const struct greedy_game *games) {
    struct effort effort = {0, NAN};
    for (int i = 0; i < eval->boards; i++) {
        effort.evaluations += games[i].steps;
        if (!eval->goal || games[i].solved)
            sample_add(&eval->greedy, games[i].value);
    }
    eval->rate = 100 * (double)eval->greedy.count / eval->boards;
    if (eval->goal)
        put_costs(eval, "the policy alone", NAN, eval->boards, &eval->greedy, effort);
    else
        put_sample(&eval->sheet, "the policy alone", NAN, &eval->greedy);
}

static int step_limit(const struct eval *eval) {
    int wanted = eval->options->step_limit ? eval->options->step_limit : 100;
    return !eval->goal ? 0 : eval->options->card ? eval->card.step_limit : wanted;
}

static bool play_greedily(struct eval *eval) {
    int boards = eval->boards;
    struct predictor_options options;
    show_progress(eval);
    struct greedy_game *games = need_zeroed((size_t)boards, sizeof *games);
    soloist_options_reset(predictor_options_rows, &options);
    options.batch = boards < 1024 ? boards : 1024;
    options.remembered = 0;
    struct predictor *predictor = predictor_open(eval->choice.domain, &eval->file.net, eval->file.parameters,
                                                 eval->options->back_end, &options, &eval->error);
    bool good = predictor && greedy_play(predictor_evaluator(predictor), eval->puzzles, boards, step_limit(eval), NULL,
                                         games, &eval->error);
    if (good)
        count_games(eval, games);
    predictor_close(predictor);
    free(games);
    return good;
}

/* ---- the request ---- */

static int by_number(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool read_times(struct eval *eval) {
    const char *at = eval->options->time;
    while (at && *at) {
        char *end;
        double seconds = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !(seconds > 0 && seconds <= 1e9) || eval->time_count == MOST_TIMES)
            return cli_complain("eval: --time %s: expected seconds, e.g. 1,2,5, at most %d of them",
                                eval->options->time, MOST_TIMES),
                   false;
        eval->times[eval->time_count++] = seconds;
        at = *end ? end + 1 : end;
    }
    qsort(eval->times, (size_t)eval->time_count, sizeof *eval->times, by_number);
    return true;
}

static void add_method(struct eval *eval, const char *text) { eval->methods[eval->method_count++] = text; }

static bool choose_methods(struct eval *eval) {
    if (eval->options->method.count > MOST_METHODS)
        return cli_complain("eval: --method: at most %d searches are measured at once", MOST_METHODS), false;
    for (size_t i = 0; i < eval->options->method.count; i++) {
        if (!lookup_method(eval->cli, eval->options->method.items[i]))
            return false;
        add_method(eval, eval->options->method.items[i]);
    }
    if (eval->method_count)
        return true;
    if (eval->choice.domain->aim == SOLOIST_LEAST_COST) {
        add_method(eval, "astar");
        if (eval->file.net.policy)
            add_method(eval, "levints");
        return true;
    }
    add_method(eval, "mcts");
    if (eval->file.net.policy) {
        add_method(eval, "policy-mcts");
        add_method(eval, "policy-mcts:rollout=guided,per_move=50,c=0.5");
    }
    if (eval->file.net.value)
        add_method(eval, "pv-mcts");
    return true;
}

/* Loads the network's file and finds the domain that it names. */
static bool load(struct eval *eval) {
    char name[64] = "samegame";
    soloist_error error = {0};
    if (path_ends_in(eval->path, ".net"))
        return cli_complain("eval: %s describes a network; expected a trained network (.safetensors)", eval->path),
               false;
    eval->bytes = file_read(eval->path, &eval->length);
    if (!eval->bytes)
        return cli_complain("eval: %s: %s", eval->path, strerror(errno)), false;
    if (!net_file_read(&eval->file, eval->bytes, eval->length, &error))
        return cli_complain("eval: %s: %s", eval->path, error.text), false;
    net_file_note(eval->bytes, eval->length, NETWORK_DOMAIN_NOTE, name, sizeof name);
    if (!lookup_domain(eval->cli, eval->options->domain ? eval->options->domain : name, &eval->choice))
        return false;
    eval->goal = eval->choice.domain->aim == SOLOIST_LEAST_COST;
    return network_is_for(eval->bytes, eval->length, eval->choice.domain, &error) ||
           (cli_complain("eval: %s: %s", eval->path, error.text), false);
}

/* A board that lacks the highest colours has fewer planes than the network was trained for, and is skipped. If that
 * happens to most boards, the network is not for boards of this kind. */
static bool fill_boards(struct eval *eval, const struct game_source *source) {
    int made = 0, refused = 0;
    while (made < eval->boards) {
        soloist_puzzle *puzzle = &eval->puzzles[made];
        if (!game_source_make(source, (uint64_t)(made + refused), puzzle, &eval->error))
            return false;
        if (predictor_reads(&eval->file.net, puzzle->domain, puzzle->instance, &eval->error)) {
            made++;
            continue;
        }
        soloist_puzzle_free(puzzle);
        *puzzle = (soloist_puzzle){0};
        if (refused++ >= 100 + made)
            return false;
    }
    return true;
}

/* The boards of the card: training took those that have the shape of the first one which the network can read. */
static bool fill_boards_of_card(struct eval *eval, const struct game_source *source) {
    struct samples *shape = NULL;
    bool good = true;
    uint64_t number = 0;
    for (int made = 0; good && made < eval->boards; number++) {
        soloist_puzzle *puzzle = &eval->puzzles[made];
        good = game_source_make(source, number, puzzle, &eval->error);
        if (good && !shape && predictor_reads(&eval->file.net, puzzle->domain, puzzle->instance, &eval->error))
            good = (shape = samples_open(puzzle->domain, puzzle->instance, net_input(&eval->file.net).channels, 1, 1,
                                         &eval->error));
        if (good && shape && samples_fit(shape, puzzle->instance)) {
            made++;
        } else if (good) {
            soloist_puzzle_free(puzzle);
            *puzzle = (soloist_puzzle){0};
            good = shape ? number < 1000 + 1000 * (uint64_t)made ||
                               soloist_fail(&eval->error, 0, 0, "the generator of the card makes other boards now")
                         : number < 100;
        }
    }
    samples_close(shape);
    return good;
}

/* Reads the levels that the network can read. */
static bool read_levels(struct eval *eval) {
    struct game_source source = {0};
    struct arg_list paths = {0};
    int wanted = eval->options->boards ? eval->options->boards : 1000000;
    for (size_t i = 0; i < eval->options->levels.count; i++)
        arg_list_add(&paths, eval->options->levels.items[i]);
    arg_list_add(&paths, NULL);
    bool good =
        game_source_open(&source, eval->choice.domain, eval->choice.options, NULL, eval->options->seed, &eval->error) &&
        game_source_add_levels(&source, paths.items, 1, &eval->error);
    eval->puzzles = need_zeroed(source.level_count + 1, sizeof *eval->puzzles);
    for (size_t i = 0; good && i < source.level_count && eval->boards < wanted; i++) {
        soloist_puzzle *puzzle = &eval->puzzles[eval->boards];
        good = game_source_make(&source, i, puzzle, &eval->error);
        if (good && predictor_reads(&eval->file.net, puzzle->domain, puzzle->instance, &eval->error))
            eval->boards++;
        else if (good)
            soloist_puzzle_free(puzzle), *puzzle = (soloist_puzzle){0};
    }
    if (good && (size_t)eval->boards < source.level_count && eval->boards < wanted)
        cli_complain("eval: %zu levels have a size that the network cannot read",
                     source.level_count - (size_t)eval->boards);
    game_source_close(&source);
    arg_list_free(&paths);
    return (good && eval->boards) || (cli_complain("eval: %s", eval->error.text), false);
}

/* Whether the network needs boards of its own size: always in a domain with scores, and in a domain with costs if it
 * does not read the boards that the generator makes by default. */
static bool needs_own_size(const struct eval *eval) {
    const soloist_domain *domain = eval->choice.domain;
    struct game_source source = {0};
    soloist_puzzle puzzle;
    soloist_error error;
    if (!eval->goal)
        return true;
    if (net_is_any_size(&eval->file.net))
        return false;
    bool made = game_source_open(&source, domain, eval->choice.options, eval->options->generate, 0, &error) &&
                game_source_make(&source, 0, &puzzle, &error);
    bool reads = made && predictor_reads(&eval->file.net, domain, puzzle.instance, &error);
    if (made)
        soloist_puzzle_free(&puzzle);
    game_source_close(&source);
    return made && !reads;
}

/* Chooses the boards: those of the card, or as many random ones as the user wants. */
static bool choose_boards(struct eval *eval, struct buffer *text, uint64_t *seed) {
    const struct eval_options *options = eval->options;
    struct net_shape shape = net_input(&eval->file.net);
    int width = shape.width, height = shape.height;
    char rest;
    soloist_sink sink = buffer_sink(text);
    if (options->card) {
        if (!card_read(eval->bytes, eval->length, &eval->card))
            return cli_complain("eval: %s has no card that gives the score of its policy without search", eval->path),
                   false;
        soloist_put(&sink, eval->card.generate);
        *seed = eval->card.seed;
        eval->boards = options->boards && options->boards < eval->card.boards ? options->boards : eval->card.boards;
        return true;
    }
    if (options->board && sscanf(options->board, "%dx%d%c", &width, &height, &rest) != 2)
        return cli_complain("eval: --board %s: expected a size, e.g. 15x15", options->board), false;
    if (options->board && !lesson_sized(eval->choice.domain))
        return cli_complain("eval: --board: %s has no generator with the options width and height",
                            eval->choice.domain->name),
               false;
    bool sized = lesson_sized(eval->choice.domain) && (options->board || needs_own_size(eval));
    if (sized)
        soloist_print(&sink, "width=%d,height=%d", width, height);
    soloist_print(&sink, "%s%s", sized && options->generate ? "," : "", options->generate ? options->generate : "");
    *seed = options->seed;
    eval->boards = options->boards ? options->boards : 64;
    return true;
}

static bool make_boards(struct eval *eval) {
    struct game_source source = {0};
    struct buffer text;
    uint64_t seed;
    if (eval->options->levels.count && !eval->options->card)
        return read_levels(eval);
    buffer_open(&text);
    bool good = choose_boards(eval, &text, &seed);
    if (good) {
        need_whole(&text);
        eval->puzzles = need_zeroed((size_t)eval->boards, sizeof *eval->puzzles);
        good = game_source_open(&source, eval->choice.domain, eval->choice.options, text.text, seed, &eval->error) &&
               (eval->options->card ? fill_boards_of_card : fill_boards)(eval, &source);
        game_source_close(&source);
        if (!good)
            cli_complain("eval: %s", eval->error.text);
    }
    buffer_close(&text);
    return good;
}

static bool open_network(struct eval *eval) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    soloist_print(&sink, "%s%s%s", eval->path, eval->options->back_end ? ":back_end=" : "",
                  eval->options->back_end ? eval->options->back_end : "");
    need_whole(&text);
    eval->network = soloist_network_open(eval->choice.domain, text.text, &eval->error);
    buffer_close(&text);
    return eval->network != NULL;
}

static bool measure(struct eval *eval) {
    static const char *const scores[] = {"method", "seconds", "boards", "mean", "interval", "best", NULL};
    static const char *const costs[] = {"method", "seconds", "boards",      "solved_%", "low_%",
                                        "high_%", "cost",    "evaluations", "expanded", NULL};
    const char *const *headings = eval->goal ? costs : scores;
    size_t columns = 0;
    while (headings[columns])
        columns++;
    sheet_open(&eval->sheet, columns);
    for (size_t i = 0; i < columns; i++)
        sheet_put(&eval->sheet, headings[i]);
    bool greedy = !eval->options->no_greedy || eval->options->card;
    if (eval->file.net.policy && greedy && !play_greedily(eval))
        return false;
    if (!eval->time_count)
        return true;
    if (!open_network(eval) || !run_jobs(eval))
        return false;
    for (int m = 0; m < eval->method_count; m++)
        for (int t = 0; t < eval->time_count; t++) {
            struct effort none = {NAN, NAN}; /* known only at the end of the searches */
            bool last = t + 1 == eval->time_count;
            if (eval->goal)
                put_costs(eval, eval->methods[m], eval->times[t], eval->finished[m], &eval->samples[m][t],
                          last ? eval->efforts[m] : none);
            else
                put_sample(&eval->sheet, eval->methods[m], eval->times[t], &eval->samples[m][t]);
        }
    return true;
}

static int check_card(const struct eval *eval) {
    const struct card *card = &eval->card;
    const struct net_back_end *back_end = net_back_end_find(eval->options->back_end, NULL);
    bool here = back_end && card_is_from_here(card, back_end->name), all = eval->boards == card->boards;
    const char *unit = eval->goal ? " %" : "";
    double measured = eval->goal ? eval->rate : eval->greedy.mean, allowed = card_allows(card, eval->boards, here);
    double difference = fabs(measured - card->mean);
    bool agrees = difference <= allowed;
    printf("the card says %.2f%s on %d boards; measured on %d of them: %.2f%s, which %s (%.2f off, %.2f allowed for "
           "rounding %s%s)\n",
           card->mean, unit, card->boards, eval->boards, measured, unit, agrees ? "agrees" : "does not agree",
           difference, allowed, here ? "on the card" : "on the card and on another machine or back end",
           all ? "" : ", and for the choice of boards");
    return agrees ? CLI_OK : CLI_SOME;
}

static void warn_of_idle_options(const struct eval *eval) {
    static const char *const of_searches[] = {"method", "threads", "jobs"}, *const of_boards[] = {"board", "generate"};
    const struct args_given *given = &eval->cli->given;
    const struct eval_options *options = eval->options;
    for (size_t i = 0; (options->card || options->levels.count) && i < sizeof of_boards / sizeof *of_boards; i++)
        args_idle(given, of_boards[i], options->card ? "--card has its own boards" : "--levels replaces random boards");
    if (options->card)
        args_idle(given, "levels", "--card has its own boards");
    if (options->card && !eval->time_count)
        args_idle(given, "seed", "--card has its own boards, and nothing else is random");
    if (!eval->goal)
        args_idle(given, "step-limit", "every game ends by itself");
    args_idle(given, "exhaustive", "it is for --dead-states");
    for (size_t i = 0; !eval->time_count && i < sizeof of_searches / sizeof *of_searches; i++)
        args_idle(given, of_searches[i], "searches are measured only with --time");
}

static const enum sheet_format formats[] = {SHEET_TEXT, SHEET_TEXT, SHEET_CSV, SHEET_MARKDOWN, SHEET_JSON};

static int evaluate(struct eval *eval) {
    soloist_sink sink = cli_sink(stdout);
    if (eval->options->no_greedy && !eval->options->time)
        return cli_complain("eval: --no-greedy leaves nothing to measure: searches are measured only with --time");
    if (!read_times(eval) || !load(eval) || !choose_methods(eval) || !make_boards(eval))
        return CLI_BAD;
    warn_of_idle_options(eval);
    signals_open();
    if (!measure(eval))
        return wipe(eval), cli_complain("eval: %s", eval->error.text);
    if (eval->sheet.failed)
        need_failed();
    wipe(eval);
    table_write(&eval->sheet, formats[eval->options->format], &sink);
    int searches = eval->time_count ? eval->method_count * eval->boards : 0;
    if (signals_stopped() && eval->ended < searches)
        cli_complain("eval: interrupted: %d of %d searches ended, and only these count", eval->ended, searches);
    if (signals_stopped())
        return CLI_SOME;
    return eval->options->card && (eval->goal || eval->greedy.count) ? check_card(eval) : CLI_OK;
}

static int evaluate_dead_states(struct cli *cli, const struct eval_options *options, const char *path) {
    static const char *const of_games[] = {"board", "boards", "time",       "method",   "threads",
                                           "card",  "levels", "step-limit", "no-greedy"};
    struct eval_dead_request request = {.cli = cli,
                                        .path = path,
                                        .domain = options->domain,
                                        .generate = options->generate,
                                        .back_end = options->back_end,
                                        .count = options->dead_states,
                                        .exhaustive = options->exhaustive,
                                        .jobs = options->jobs,
                                        .seed = options->seed,
                                        .format = formats[options->format]};
    for (size_t i = 0; i < sizeof of_games / sizeof *of_games; i++)
        args_idle(&cli->given, of_games[i], "--dead-states plays no games");
    return eval_dead_states(&request);
}

static int evaluate_path(struct cli *cli, const struct eval_options *options, const struct arg_list *words) {
    if (words->count != 1)
        return cli_complain("eval: name one network, e.g. NET.safetensors");
    if (!plugins_load(cli, &options->plugin))
        return CLI_BAD;
    if (options->dead_states)
        return evaluate_dead_states(cli, options, words->items[0]);
    struct eval eval = {.cli = cli, .options = options, .path = words->items[0]};
    pthread_mutex_init(&eval.lock, NULL);
    int status = evaluate(&eval);
    for (int i = 0; eval.puzzles && i < eval.boards; i++)
        if (eval.puzzles[i].instance)
            soloist_puzzle_free(&eval.puzzles[i]);
    free(eval.puzzles);
    free(eval.samples);
    soloist_network_close(eval.network);
    sheet_close(&eval.sheet);
    net_file_free(&eval.file);
    free(eval.bytes);
    pthread_mutex_destroy(&eval.lock);
    return status;
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct eval_options options = {.seed = 7, .threads = 1};
    struct arg_list rest = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &rest);
    int status = verdict == ARGS_GO ? evaluate_path(cli, &options, &rest) : verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    arg_list_free(&rest);
    arg_list_free(&options.method);
    arg_list_free(&options.plugin);
    arg_list_free(&options.levels);
    return status;
}

const struct command eval_command = {
    .name = "eval",
    .summary = "measure a network: its policy without search, and the scores of guided searches over time",
    .usage = "NETWORK.safetensors [OPTIONS]",
    .about =
        "Without --time, only the policy without search is measured; this takes a moment. With --time, each search\n"
        "runs once on every board, for the longest time in the list of --time. The default searches are mcts,\n"
        "policy-mcts with random and with guided play-outs, and, if the network has a value head, pv-mcts. Intervals\n"
        "are 95 % confidence intervals. In a domain with costs, the table gives the solve rate with the two ends of "
        "its\n"
        "interval, the mean cost of the solutions, and the numbers of evaluations and of expanded states per solved\n"
        "board; the default searches are then astar and levints. The network's card is the part of its file that says\n"
        "how well its policy plays. With --card, the policy is measured on the boards that were used for the card, "
        "and\n"
        "exit status 1 means that the result does not agree with the card.\n"
        "\n"
        "--dead-states is for puzzles that can become unsolvable, such as Sokoban. In each random puzzle, a\n"
        "depth-first search finds one position that is dead according to the deadlock tables (Ge 2018). With\n"
        "--exhaustive, the dead position is a child of a position on a random walk, and it is compared with a\n"
        "solvable child of the same position; a complete search finds out which children are dead. The area under\n"
        "the ROC curve then says how well the network's value separates dead from solvable positions: 0.5 is chance,\n"
        "1 is without error.",
    .args = eval_rows,
    .run = run,
};
