/* `soloist bench`: the bench signature of this build. The work is fixed: if the behaviour of a search changes, a count
 * changes; if only the speed changes, no count does. */
#include "lab/bench.h"
#include "cli/shell/screen.h"
#include "cli/shell/json_line.h"
#include "cli/cli.h"
#include "cli/shell/files.h"
#include "cli/shell/format.h"
#include "base/suggest.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct bench_options {
    bool json, list, golden;
    const char *only, *check;
    double scale;
};

#define ROW(kind, field, letter, value, least, most, text)                                                             \
    { kind, #field, letter, offsetof(struct bench_options, field), value, least, most, text }
static const struct arg bench_rows[] = {
    ROW(ARG_FLAG, json, 0, NULL, 0, 0, "print one JSON object per part"),
    ROW(ARG_TEXT, only, 0, "PART,...", 0, 0,
        "run only these parts of the benchmark; a prefix such as `tiles` selects every part whose name begins with it"),
    ROW(ARG_REAL, scale, 0, "X", 0, 1000,
        "multiply the number of repetitions of each part by X; with the default, 1, all parts together take less "
        "than a minute; 0: run each part once; the counts do not depend on X"),
    ROW(ARG_TEXT, check, 0, "FILE", 0, 0,
        "compare the counts and signatures with those in FILE, whose lines have the form `part count signature`"),
    ROW(ARG_FLAG, golden, 0, NULL, 0, 0, "print the results in the form that --check reads"),
    ROW(ARG_FLAG, list, 0, NULL, 0, 0, "list the parts"),
    {0},
};
#undef ROW

/* Whether a list such as "a,b.c" names this part, in full or by a prefix up to a dot. */
static bool is_wanted(const char *list, const char *part) {
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t length = strcspn(at, ",");
        if (!strncmp(part, at, length) && (!part[length] || part[length] == '.'))
            return true;
    }
    return !list;
}

static bool every_name_is_known(const char *list) {
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        struct suggestion nearest = suggest_open(name);
        bool known = false;
        for (size_t i = 0; i < bench_count(); i++) {
            known |= is_wanted(name, bench_part(i));
            suggest_offer(&nearest, bench_part(i));
        }
        if (!known)
            return cli_complain("bench: no part %s%s%s: --list shows them", name, nearest.best ? ", did you mean " : "",
                                nearest.best ? nearest.best : ""),
                   false;
    }
    return true;
}

/* ---- the golden file ---- */

/* Finds the part in the golden file; false if it is not there. */
static bool golden_find(const char *text, const char *part, char *count, char *signature) {
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    const char *line;
    size_t length;
    while (soloist_cursor_line(&cursor, &line, &length)) {
        char copy[256], name[64];
        snprintf(copy, sizeof copy, "%.*s", (int)(length < 255 ? length : 255), line);
        if (*copy != '#' && sscanf(copy, "%63s %31s %63s", name, count, signature) == 3 && !strcmp(name, part))
            return true;
    }
    return false;
}

/* Signatures are always written as sixteen hexadecimal digits. */
static char *signature_text(const struct bench_row *row, char *out) {
    snprintf(out, FORMAT_ROOM, "%016" PRIx64, row->signature);
    return out;
}

static bool matches_golden(const char *path, const char *text, const struct bench_row *row) {
    char count[32], signature[64], ours[32], our_signature[FORMAT_ROOM];
    if (!golden_find(text, row->part, count, signature))
        return cli_complain("bench: %s has no line for the part %s", path, row->part), false;
    snprintf(ours, sizeof ours, "%" PRIu64, row->count);
    signature_text(row, our_signature);
    if (!strcmp(count, ours) && !strcmp(signature, our_signature))
        return true;
    cli_complain("bench: %s: count %s signature %s, expected %s %s as in %s", row->part, ours, our_signature, count,
                 signature, path);
    return false;
}

/* Reports parts that the file names but this program does not have. */
static int golden_strangers(const char *path, const char *text, const char *only) {
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    const char *line;
    size_t length;
    int strangers = 0;
    while (soloist_cursor_line(&cursor, &line, &length)) {
        char copy[256], name[64];
        bool known = false;
        snprintf(copy, sizeof copy, "%.*s", (int)(length < 255 ? length : 255), line);
        if (*copy == '#' || sscanf(copy, "%63s", name) != 1 || !is_wanted(only, name))
            continue;
        for (size_t i = 0; i < bench_count(); i++)
            known |= !strcmp(bench_part(i), name);
        if (!known)
            strangers++, cli_complain("bench: %s has the part %s, which this program does not have", path, name);
    }
    return strangers;
}

/* ---- output ---- */

static void print_json(const struct bench_row *row) {
    struct json_line line;
    char signature[FORMAT_ROOM];
    struct json_writer *json = json_line_open(&line);
    json_text(json, "part", row->part);
    json_uint(json, "count", row->count);
    json_text(json, "signature", signature_text(row, signature));
    json_real(json, "time_s", round(row->time_s * 1e6) / 1e6);
    json_real(json, "per_s", round(row->per_s));
    json_line_print(&line);
}

/* A narrow screen has no room for signatures. */
static int signature_width(void) { return screen_width(stdout) < 76 ? 0 : 16; }

static void print_row(const struct bench_options *options, const struct bench_row *row) {
    char rate[FORMAT_ROOM], time[FORMAT_ROOM], signature[FORMAT_ROOM];
    if (options->json)
        print_json(row);
    else if (options->golden)
        printf("%s %" PRIu64 " %s\n", row->part, row->count, signature_text(row, signature));
    else
        printf("%-20s %13" PRIu64 "  %-*s %9s %11s/s\n", row->part, row->count, signature_width(),
               signature_width() ? signature_text(row, signature) : "", format_seconds(row->time_s, time),
               format_count((uint64_t)row->per_s, rate));
    fflush(stdout);
}

static int run_parts(const struct bench_options *options, const char *golden) {
    uint64_t total = 0;
    double time_s = 0;
    int wrong = golden ? golden_strangers(options->check, golden, options->only) : 0;
    if (options->golden)
        printf("# soloist bench: part count signature\n");
    for (size_t i = 0; i < bench_count(); i++) {
        struct bench_row row = {0};
        if (!is_wanted(options->only, bench_part(i)))
            continue;
        soloist_error error = {0};
        if (!bench_run(i, options->scale, &row, &error)) {
            wrong++, cli_complain("bench: %s: %s", bench_part(i), error.text);
            continue;
        }
        print_row(options, &row);
        total += row.count;
        time_s += row.time_s;
        wrong += golden && !matches_golden(options->check, golden, &row);
    }
    char time[FORMAT_ROOM];
    if (!options->json && !options->golden)
        printf("%-20s %13" PRIu64 "  %-*s %9s\n", "total", total, signature_width(), "", format_seconds(time_s, time));
    if (golden && !options->json && !wrong)
        printf("all as in %s\n", options->check);
    return wrong ? CLI_SOME : CLI_OK;
}

static int bench(const struct bench_options *options) {
    size_t length;
    char *golden = NULL;
    if (options->golden && options->json)
        return cli_complain("bench: --golden and --json exclude each other");
    if (!every_name_is_known(options->only))
        return CLI_BAD;
    for (size_t i = 0; options->list && i < bench_count(); i++)
        if (is_wanted(options->only, bench_part(i)))
            printf("%s\n", bench_part(i));
    if (options->list)
        return CLI_OK;
    if (options->check && !(golden = file_read(options->check, &length)))
        return cli_complain("bench: --check %s cannot be read: %s", options->check, strerror(errno));
    int status = run_parts(options, golden);
    free(golden);
    return status;
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    (void)cli;
    struct bench_options options = {.scale = 1};
    struct arg_list rest = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &rest);
    int status = verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    if (verdict == ARGS_GO)
        status = rest.count ? cli_complain("bench: unexpected word %s", rest.items[0]) : bench(&options);
    arg_list_free(&rest);
    return status;
}

const struct command bench_command = {
    .name = "bench",
    .summary = "run a fixed benchmark: exact node counts (which must not change) and speed",
    .usage = "[OPTIONS]",
    .about = "Counts and signatures are the same on every machine; times and counts per second are not.",
    .args = bench_rows,
    .run = run,
};
