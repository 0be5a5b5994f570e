#include "cli/generate/graded.h"
#include "base/budget.h"
#include "base/decimal.h"
#include "base/quantity.h"
#include "cli/shell/need.h"
#include "cli/shell/screen.h"
#include "cli/shell/signals.h"
#include "base/suggest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- bands ---- */

static bool complain_of_word(const char *option, const char *word, size_t length) {
    char name[32] = "", list[160] = "";
    struct suggestion near;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    near = suggest_open(name);
    for (int i = 0; i < MEASURES; i++) {
        suggest_offer(&near, measure_name((enum measure)i));
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", measure_name((enum measure)i));
    }
    if (near.best && strcmp(near.best, name))
        cli_complain("generate: --%s: unknown measure '%s': did you mean %s?", option, name, near.best);
    else
        cli_complain("generate: --%s %s: expected MEASURE=NUMBER; the measures are %s", option, word, list);
    return false;
}

static bool read_limits(const char *option, const struct arg_list *words, double *limits, bool *zero) {
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        size_t length = strcspn(word, "=");
        enum measure measure = measure_find(word, length);
        uint64_t count;
        if (measure == MEASURES || !word[length])
            return complain_of_word(option, word, length);
        if (quantity_count(word + length + 1, &count))
            limits[measure] = (double)count;
        else if (!quantity_real(word + length + 1, &limits[measure]))
            return complain_of_word(option, word, length);
        zero[measure] = limits[measure] == 0;
    }
    return true;
}

bool graded_read_least(const struct arg_list *words, struct measure_bands *bands) {
    bool zero[MEASURES]; /* a lower limit of 0 is no limit */
    return read_limits("least", words, bands->least, zero);
}

bool graded_read_most(const struct arg_list *words, struct measure_bands *bands) {
    return read_limits("most", words, bands->most, bands->zero);
}

/* ---- writing ---- */

static void write_limit(const char *option, int measure, double limit, const soloist_sink *sink) {
    char number[DECIMAL_ROOM];
    decimal_write(limit, number);
    soloist_print(sink, " --%s %s=%s", option, measure_name((enum measure)measure), number);
}

static void write_limits(const struct measure_bands *bands, const soloist_sink *sink) {
    for (int i = 0; i < MEASURES; i++)
        if (bands->least[i] > 0)
            write_limit("least", i, bands->least[i], sink);
    for (int i = 0; i < MEASURES; i++)
        if (measure_has_most(bands, (enum measure)i))
            write_limit("most", i, bands->most[i], sink);
}

/* The command that makes the same instances again. */
static void write_command(const struct generate_source *source, const struct grade *grade, const soloist_sink *sink) {
    char seconds[DECIMAL_ROOM];
    const char *words = source->words;
    soloist_print(sink, "soloist generate %s", source->domain->name);
    for (; words && *words; words += strcspn(words, ",") + (words[strcspn(words, ",")] == ','))
        soloist_print(sink, " %.*s", (int)strcspn(words, ","), words);
    write_limits(&grade->bands, sink);
    decimal_write(grade->time_s, seconds);
    soloist_print(sink, "%s%s%s --count %" PRIu64 " --seed %" PRIu64 " --time %s",
                  grade->unchanged ? " --unchanged" : "", grade->measured ? " --measure" : "",
                  grade->graded ? " --graded" : "", grade->count, grade->seed, seconds);
    for (size_t i = 0; i < source->plugins->count; i++)
        soloist_print(sink, " --plugin %s", source->plugins->items[i]);
}

void graded_json_board(struct json_writer *json, const char *text, size_t length) {
    while (length && text[length - 1] == '\n')
        length--;
    char *board = need_text(text, length);
    json_text(json, "board", board);
    free(board);
}

static void write_json(const soloist_domain *domain, const struct grade_level *level, size_t number, FILE *stream) {
    struct json_line line;
    struct json_writer *json = json_line_open(&line);
    json_uint(json, "id", number);
    json_text(json, "domain", domain->name);
    graded_json_board(json, level->board, strlen(level->board));
    (domain->text->solution_is_json ? json_raw : json_text)(json, "solution", level->solution);
    for (int i = 0; i < MEASURES; i++) {
        char name[32];
        if (!measure_suits((enum measure)i, domain))
            continue;
        snprintf(name, sizeof name, "%s", measure_name((enum measure)i));
        for (char *at = name; (at = strchr(at, '-'));)
            *at = '_';
        if (level->measures.known[i])
            json_real(json, name, level->measures.value[i]);
        else
            json_null(json, name);
    }
    json_uint(json, "candidate", level->candidate);
    json_line_write(&line, stream);
}

struct graded {
    const struct cli *cli;
    const struct generate_source *source;
    const struct grade *grade;
    struct generate_output *output;
    double shown_s;
};

static void write_head(struct graded *graded, const soloist_sink *sink) {
    soloist_put(sink, "; ");
    write_command(graded->source, graded->grade, sink);
    if (graded->grade->reading)
        soloist_print(sink, "\n; to be solved with -d %s:%s", graded->source->domain->name, graded->grade->reading);
    soloist_put(sink, "\n; effort: states that A* expands to prove the optimum\n");
}

static void wipe_progress(const struct graded *graded) {
    if (graded->cli->err_terminal)
        fputs("\r\033[K", stderr);
}

static void write_level(void *user, const struct grade_level *level, size_t number) {
    struct graded *graded = user;
    struct generate_output *output = graded->output;
    soloist_sink sink = cli_sink(output->stream);
    wipe_progress(graded);
    if (!output->any && !output->json)
        write_head(graded, &sink);
    output->any = true;
    if (output->json)
        write_json(graded->source->domain, level, number, output->stream);
    else
        grade_write(graded->source->domain, level, number, &sink);
    fflush(output->stream);
}

/* ---- the outlook ---- */

enum { OUTLOOK_ROOM = 160 };

static void write_duration(double seconds, char *out, size_t room) {
    if (seconds < 90)
        snprintf(out, room, "%.0f s", seconds);
    else if (seconds < 90 * 60)
        snprintf(out, room, "%.0f min", seconds / 60);
    else if (seconds < 48 * 3600)
        snprintf(out, room, "%.0f h", seconds / 3600);
    else
        snprintf(out, room, "%.0f days", seconds / 86400);
}

/* How rare instances in the bands are, and how long the rest will take at the rate so far. While none has been found,
 * there is no rate. */
static void write_outlook(const struct grade *grade, const struct grade_result *result, char out[OUTLOOK_ROOM]) {
    double left = (double)(grade->count - result->count), more = result->expected / (double)result->candidates;
    char time[32];
    write_duration(more * result->time_s, time, sizeof time);
    if (!result->candidates)
        snprintf(out, OUTLOOK_ROOM, "no candidate examined");
    else if (!result->count)
        snprintf(out, OUTLOOK_ROOM, "none of %" PRIu64 " candidate%s fitted", result->candidates,
                 result->candidates == 1 ? "" : "s");
    else if (result->exhausted)
        snprintf(out, OUTLOOK_ROOM, "all those kept were drawn again, so there are probably few others");
    else
        snprintf(out, OUTLOOK_ROOM, "about 1 in %.*f candidates fits; at this rate %s %s more",
                 result->expected < 10 * left, result->expected / left, result->at_least ? "more than" : "about", time);
}

static void show_progress(void *user, const struct grade_result *result) {
    struct graded *graded = user;
    double now = clock_seconds();
    char outlook[OUTLOOK_ROOM];
    if (!graded->cli->err_terminal || now - graded->shown_s < 0.2 || result->count == graded->grade->count)
        return;
    graded->shown_s = now;
    write_outlook(graded->grade, result, outlook);
    struct screen_line line;
    size_t rarity = strcspn(outlook, ";");
    screen_line_open(&line, screen_width(stderr) - 1);
    screen_line_add(&line, "%zu of %" PRIu64 ", %.0f s", result->count, graded->grade->count, result->time_s);
    screen_line_add(&line, ": %.*s", (int)rarity, outlook);
    screen_line_add(&line, "%s", outlook + rarity);
    screen_line_show(&line);
}

static int report(const struct grade *grade, const struct grade_result *result) {
    char outlook[OUTLOOK_ROOM];
    if (result->count == grade->count) {
        if (grade->measured && result->hard + result->equal)
            cli_complain("generate: left out: %" PRIu64 " candidates that A* did not solve within %.0f states, %" PRIu64
                         " duplicates",
                         result->hard, result->most_effort, result->equal);
        return CLI_OK;
    }
    write_outlook(grade, result, outlook);
    cli_complain("generate: %s: kept %zu of %" PRIu64 " wanted from %" PRIu64 " candidates (refused: %" PRIu64
                 " outside the bands, %" PRIu64 " too hard, %" PRIu64 " no longer needed, %" PRIu64
                 " duplicates, %" PRIu64 " impossible to make): %s; try wider bands%s",
                 signals_stopped() ? "interrupted" : "the time is up", result->count, grade->count, result->candidates,
                 result->outside, result->hard, result->surplus, result->equal, result->failed, outlook,
                 result->exhausted ? " or other sizes" : ", other sizes or more --time");
    return result->count ? CLI_SOME : CLI_BAD;
}

/* With --graded the order is known only at the end. */
static void write_rest(struct graded *graded, const struct grade_result *result) {
    soloist_sink sink = cli_sink(graded->output->stream);
    for (size_t i = 0; i < result->count && graded->grade->graded; i++)
        write_level(graded, &result->levels[i], i + 1);
    if (result->count && !graded->output->json)
        soloist_print(&sink, "\n; %zu of %" PRIu64 " candidates\n", result->count, result->candidates);
}

int graded_run(const struct cli *cli, const struct generate_source *source, const struct grade *grade,
               struct generate_output *output) {
    struct graded graded = {cli, source, grade, output, clock_seconds()};
    struct grade_callbacks callbacks = {signals_token(), show_progress, write_level, &graded};
    struct grade_result result;
    soloist_error error = {0};
    signals_open();
    soloist_code code = grade_make(cli->engine, source->domain, source->options, grade, &callbacks, &result, &error);
    wipe_progress(&graded);
    need_code(code);
    write_rest(&graded, &result);
    int status = code == SOLOIST_OK ? report(grade, &result) : cli_complain("generate: %s", error.text);
    grade_free(&result);
    return status;
}
