/* Makes dead positions from random puzzles (learn/dead), asks the network for their values, and shows the values as a
 * histogram. Positions that were labelled by search come in pairs of a dead and a live child of the same position; for
 * these the area under the ROC curve is shown too. The same seed gives the same positions with any number of jobs. */
#include "cli/learn/eval_dead.h"

#include "base/buffer.h"
#include "base/team.h"
#include "cli/shell/files.h"
#include "cli/shell/json_line.h"
#include "cli/shell/lookup.h"
#include "cli/shell/need.h"
#include "cli/shell/screen.h"
#include "cli/shell/signals.h"
#include "cli/shell/table.h"
#include "cli/solve/batch.h"
#include "learn/dead/dead_values.h"
#include "learn/predict/network.h"
#include "learn/train/games.h"
#include "net/file.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { bins = 12 };
static const double recognised = 0.1; /* Ge 2018, Figure 4.4: values near 0 */

struct dead_eval {
    const struct eval_dead_request *request;
    struct domain_choice choice;
    struct dead_question question; /* with the network */
    struct game_source source;
    struct dead_values *outcomes; /* one per puzzle */
    int puzzles;                  /* most puzzles that are tried */
    pthread_mutex_t lock;
    int next, found;
    double shown_s;
    soloist_error error;
    bool failed;
};

/* ---- positions ---- */

/* The domain in which positions are made, and its options. Sokoban is played in pushes under no rules but the deadlock
 * tables, as in the document. In other domains the bound says which positions are dead. */
static void choose_maker(struct dead_eval *eval) {
    const struct eval_dead_request *request = eval->request;
    const soloist_domain *sokoban = soloist_find_domain(request->cli->engine, "sokoban");
    bool is_sokoban =
        !strcmp(eval->choice.domain->name, "sokoban") || !strcmp(eval->choice.domain->name, "sokoban-moves");
    eval->question.maker =
        dead_maker_for(request->cli->engine, is_sokoban ? sokoban : eval->choice.domain,
                       is_sokoban ? "rules=none" : eval->choice.options,
                       is_sokoban ? "rules=none,bound=matching-manhattan,deadlock_tables=true" : eval->choice.options,
                       request->exhaustive);
    eval->question.by_search = request->exhaustive;
    eval->question.domain = eval->choice.domain;
    eval->question.options = eval->choice.options;
}

static bool try_puzzle(struct dead_eval *eval, int number, struct dead_values *values, soloist_error *error) {
    soloist_puzzle puzzle;
    if (!game_source_make(&eval->source, (uint64_t)number, &puzzle, error))
        return false;
    bool good = dead_values_of(&eval->question, puzzle.text, puzzle.chunk.length,
                               eval->request->seed + (uint64_t)number, values, error);
    soloist_puzzle_free(&puzzle);
    return good;
}

/* ---- threads ---- */

/* The caller holds the lock. */
static void show_progress(struct dead_eval *eval) {
    struct screen_line line;
    double now = clock_seconds();
    if (!eval->request->cli->err_terminal || now - eval->shown_s < 0.5)
        return;
    eval->shown_s = now;
    screen_line_open(&line, screen_width(stderr) - 1);
    screen_line_add(&line, "%d/%d dead states", eval->found, eval->request->count);
    screen_line_add(&line, " from %d puzzles", eval->next);
    screen_line_show(&line);
}

/* Puzzles are given out in order, and every puzzle given out is finished: so the first ones that give a position are
 * the same whatever the number of threads. */
static void work(void *user, int worker) {
    struct dead_eval *eval = user;
    (void)worker;
    for (;;) {
        soloist_error error = {0};
        pthread_mutex_lock(&eval->lock);
        bool over =
            eval->failed || signals_stopped() || eval->found >= eval->request->count || eval->next >= eval->puzzles;
        int number = over ? 0 : eval->next++;
        show_progress(eval);
        pthread_mutex_unlock(&eval->lock);
        if (over)
            return;
        bool good = try_puzzle(eval, number, &eval->outcomes[number], &error);
        pthread_mutex_lock(&eval->lock);
        eval->found += eval->outcomes[number].found;
        if (!good && !eval->failed)
            eval->error = error;
        eval->failed |= !good;
        pthread_mutex_unlock(&eval->lock);
    }
}

/* ---- what is shown ---- */

struct values {
    float *dead, *live;
    size_t count;
    uint64_t dead_bins[bins], live_bins[bins];
    uint64_t recognised,
        ordered; /* dead values below `recognised`; pairs in which the dead child has the lower value */
    double area;
};

/* Bin 0 is for values below 0, the last one for values from 1 on. */
static int bin_of(float value) { return value < 0 ? 0 : value >= 1 ? bins - 1 : 1 + (int)((double)value * (bins - 2)); }

static void gather(const struct dead_eval *eval, struct values *values) {
    size_t room = (size_t)eval->request->count;
    values->dead = need_zeroed(room, sizeof *values->dead);
    values->live = need_zeroed(room, sizeof *values->live);
    for (int i = 0; i < eval->next && values->count < room; i++) {
        const struct dead_values *outcome = &eval->outcomes[i];
        if (!outcome->found)
            continue;
        values->dead[values->count] = outcome->dead;
        values->live[values->count++] = outcome->live;
        values->dead_bins[bin_of(outcome->dead)]++;
        values->live_bins[bin_of(outcome->live)]++;
        values->recognised += (double)outcome->dead < recognised;
        values->ordered += outcome->dead < outcome->live;
    }
    values->area = dead_area(values->dead, values->count, values->live, values->count);
}

static double share(uint64_t part, size_t whole) { return whole ? (double)part / (double)whole : NAN; }

static void write_json(const struct eval_dead_request *request, const struct values *values) {
    struct json_line line;
    struct json_writer *json = json_line_open(&line);
    json_uint(json, "dead_states", values->count);
    json_text(json, "labelled", request->exhaustive ? "search" : "rules");
    json_real(json, "below_0.1", share(values->recognised, values->count));
    json_array(json, "dead_histogram");
    for (int i = 0; i < bins; i++)
        json_uint(json, NULL, values->dead_bins[i]);
    json_end(json, ']');
    if (request->exhaustive) {
        json_array(json, "live_histogram");
        for (int i = 0; i < bins; i++)
            json_uint(json, NULL, values->live_bins[i]);
        json_end(json, ']');
        json_real(json, "area", values->area);
        json_real(json, "pairs_in_order", share(values->ordered, values->count));
    }
    json_line_print(&line);
}

static void write_table(const struct eval_dead_request *request, const struct values *values) {
    struct sheet sheet;
    soloist_sink sink = cli_sink(stdout);
    sheet_open(&sheet, request->exhaustive ? 4 : 3);
    sheet_put(&sheet, "value");
    sheet_put(&sheet, "dead");
    sheet_put(&sheet, "share");
    if (request->exhaustive)
        sheet_put(&sheet, "live");
    for (int i = 0; i < bins; i++) {
        if (i == 0 || i == bins - 1)
            sheet_put(&sheet, i ? "1 and above" : "below 0");
        else
            sheet_print(&sheet, "%.1f to %.1f", (i - 1) / (double)(bins - 2), i / (double)(bins - 2));
        sheet_number(&sheet, (double)values->dead_bins[i], 0);
        sheet_number(&sheet, share(values->dead_bins[i], values->count), 3);
        if (request->exhaustive)
            sheet_number(&sheet, (double)values->live_bins[i], 0);
    }
    if (sheet.failed)
        need_failed();
    table_write(&sheet, request->format, &sink);
    sheet_close(&sheet);
}

static void write_summary(const struct eval_dead_request *request, const struct values *values) {
    printf("%zu dead states; the value of %.1f %% is below %.1f\n", values->count,
           100 * share(values->recognised, values->count), recognised);
    if (request->exhaustive)
        printf("area under the ROC curve against as many live siblings: %.4f; the dead sibling has the lower value in "
               "%.1f %% of the pairs\n",
               values->area, 100 * share(values->ordered, values->count));
}

static int report(const struct dead_eval *eval) {
    const struct eval_dead_request *request = eval->request;
    struct values values = {0};
    gather(eval, &values);
    if (request->format == SHEET_JSON)
        write_json(request, &values);
    else
        write_table(request, &values);
    if (request->format == SHEET_TEXT && values.count)
        write_summary(request, &values);
    free(values.dead);
    free(values.live);
    if (values.count < (size_t)request->count && !signals_stopped())
        fprintf(stderr, "soloist: eval: only %zu dead states were found in %d puzzles\n", values.count, eval->puzzles);
    return values.count < (size_t)request->count ? CLI_SOME : CLI_OK;
}

/* ---- the request ---- */

/* Finds the domain: the one given, or the one that the file names. */
static bool find_domain(struct dead_eval *eval) {
    const struct eval_dead_request *request = eval->request;
    char name[64] = "";
    size_t length;
    char *bytes = file_read(request->path, &length);
    if (!bytes)
        return cli_complain("eval: %s: %s", request->path, strerror(errno)), false;
    net_file_note(bytes, length, NETWORK_DOMAIN_NOTE, name, sizeof name);
    free(bytes);
    if (!request->domain && !*name)
        return cli_complain("eval: %s does not name its domain: give it with --domain", request->path), false;
    if (!lookup_domain(request->cli, request->domain ? request->domain : name, &eval->choice))
        return false;
    return eval->choice.domain->aim == SOLOIST_LEAST_COST ||
           (cli_complain("eval: --dead-states needs a domain that minimises cost; %s maximises a score",
                         eval->choice.domain->name),
            false);
}

static bool open_network(struct dead_eval *eval) {
    const struct eval_dead_request *request = eval->request;
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    soloist_print(&sink, "%s%s%s", request->path, request->back_end ? ":back_end=" : "",
                  request->back_end ? request->back_end : "");
    need_whole(&text);
    eval->question.network = soloist_network_open(eval->choice.domain, text.text, &eval->error);
    buffer_close(&text);
    if (eval->question.network && !eval->question.network->evaluator->has_value)
        return soloist_fail(&eval->error, 0, 0, "%.200s: the network gives no values", request->path);
    return eval->question.network != NULL;
}

static bool measure(struct dead_eval *eval) {
    const struct eval_dead_request *request = eval->request;
    int jobs = request->jobs ? request->jobs : batch_cores();
    if (!open_network(eval))
        return false;
    choose_maker(eval);
    if (!game_source_open(&eval->source, eval->question.maker.domain, eval->question.maker.plain, request->generate,
                          request->seed, &eval->error))
        return false;
    eval->puzzles = 4 * request->count + 100;
    eval->outcomes = need_zeroed((size_t)eval->puzzles, sizeof *eval->outcomes);
    team_run(jobs < TEAM_MOST ? jobs : TEAM_MOST, work, eval);
    return !eval->failed;
}

int eval_dead_states(const struct eval_dead_request *request) {
    struct dead_eval eval = {.request = request};
    if (!find_domain(&eval))
        return CLI_BAD;
    signals_open();
    pthread_mutex_init(&eval.lock, NULL);
    bool good = measure(&eval);
    if (request->cli->err_terminal)
        fputs("\r\033[K", stderr);
    int status = good ? report(&eval) : cli_complain("eval: %s", eval.error.text);
    free(eval.outcomes);
    game_source_close(&eval.source);
    soloist_network_close(eval.question.network);
    pthread_mutex_destroy(&eval.lock);
    return status;
}
