/* `soloist train --store`: the training curve is also written to a results store, as an experiment whose text is the
 * command. */
#include "base/buffer.h"
#include "base/hash.h"
#include "cli/lab/lab.h"
#include "cli/shell/need.h"
#include "lab/run/teach.h"

#include <stdlib.h>
#include <string.h>

/* Replaces a character that means something in an experiment's text. */
static char harmless(char c) { return strchr("\"{}#", c) || (unsigned char)c < ' ' ? '_' : c; }

/* The experiment's name: "mine" for "runs/mine.safetensors". */
static void name_of(const char *out, char *name, size_t room) {
    const char *slash = strrchr(out, '/'), *base = slash ? slash + 1 : out, *dot = strrchr(base, '.');
    size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    snprintf(name, room, "%.*s", (int)(length < 100 ? length : 100), base);
    for (char *at = name; *at; at++)
        *at = harmless(*at);
}

static void put_option(const soloist_sink *sink, const char *name, const char *value) {
    if (value)
        soloist_print(sink, " --%s %s", name, value);
}

/* A file's name, as one word of an experiment's text. It is only shown: put_file_hash tells files apart. */
static void put_games(const soloist_sink *sink, const char *path) {
    soloist_put(sink, " --games ");
    for (; *path; path++)
        soloist_print(sink, "%c", *path == ' ' ? '_' : harmless(*path));
}

/* Writes the training as a line of an experiment. The lab parses it like any other line, so that a run has the same key
 * whether `train` or the lab started it. */
static void put_training(const soloist_sink *sink, const char *domain, const struct lesson *lesson) {
    soloist_print(sink, "train %s --network description --time %.9g --threads %d", domain, lesson->time_s,
                  lesson->threads);
    put_option(sink, "board", lesson->board);
    put_option(sink, "generate", lesson->generate);
    put_option(sink, "curriculum", lesson->curriculum);
    put_option(sink, "way", lesson->way == TRAINING_CONTINUOUS ? NULL : training_way_name(lesson->way));
    put_option(sink, "method", lesson->method);
    put_option(sink, "teacher", lesson->teacher);
    put_option(sink, "search", lesson->search);
    put_option(sink, "back-end", lesson->back_end);
    for (size_t i = 0; i < lesson->game_count; i++)
        put_games(sink, lesson->games[i]);
    for (size_t i = 0; i < lesson->option_count; i++)
        soloist_print(sink, " %s", lesson->options[i]);
}

static void put_text(const soloist_sink *sink, const char *name, const char *domain, const struct lesson *lesson,
                     uint64_t seed) {
    soloist_print(sink, "title Training of %s\n", name);
    put_training(sink, domain, lesson);
    soloist_print(sink, " as \"%s\"\nseeds %llu\n", name, (unsigned long long)seed);
    soloist_put(sink,
                "table \"The last rows\" : SELECT round(time_s, 1) AS time_s, doing, games, steps,"
                " round(validation_policy_loss, 4) AS validation_policy_loss,"
                " round(validation_value_loss, 4) AS validation_value_loss,"
                " round(value, 1) AS greedy, round(interval, 1) AS interval FROM curves ORDER BY row DESC LIMIT 10\n"
                "figure \"The policy alone\" x=\"time (s)\" y=\"mean score (points)\" :"
                " SELECT label, time_s, value FROM curves\n"
                "figure \"Validation losses\" x=\"steps\" y=\"loss\" :"
                " SELECT 'policy', steps, validation_policy_loss FROM curves UNION ALL"
                " SELECT 'value', steps, validation_value_loss FROM curves\n");
}

/* A file that cannot be read is left out: the training will complain. */
static void put_file_hash(const soloist_sink *sink, const char *what, const char *path) {
    size_t length;
    char *bytes = buffer_read_file(path, &length);
    if (bytes)
        soloist_print(sink, "# %s %016llx\n", what, (unsigned long long)hash_bytes(bytes, length));
    free(bytes);
}

/* Comments before the network's description, which belongs to a run's key: trainings that begin with other weights, or
 * learn from files of other content, are other runs. */
static void put_origins(const soloist_sink *sink, const struct training_wish *wish) {
    size_t size = wish->net->parameters * sizeof *wish->start;
    if (wish->start)
        soloist_print(sink, "# begun with weights %016llx\n", (unsigned long long)hash_bytes(wish->start, size));
    for (const char *const *path = wish->levels; path && *path; path++)
        put_file_hash(sink, "levels", *path);
    for (const char *const *path = wish->games; path && *path; path++)
        put_file_hash(sink, "games", *path);
}

/* A callback that returns a network's description by its name: here always that of the network being trained. */
static char *read_network(void *user, const char *name, size_t *length, soloist_error *error) {
    const struct training_wish *wish = user;
    (void)name;
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    put_origins(&sink, wish);
    soloist_put(&sink, wish->net->text);
    *length = text.length;
    char *bytes = buffer_take(&text);
    return bytes ? bytes : (soloist_fail(error, 0, 0, "out of memory"), NULL);
}

static bool plan_run(struct lab_curve *curve, const char *name, const char *text, const struct training_wish *wish,
                     soloist_error *error) {
    struct experiment experiment;
    struct plan_wish plan = {.name = name, .text = text, .scale = 1, .endless = true};
    struct plan_files files = {.read = read_network, .user = (void *)wish};
    if (!experiment_read(text, strlen(text), &experiment, error))
        return false;
    int64_t id = plan_write(curve->store, wish->engine, &experiment, &plan, &files, error);
    experiment_free(&experiment);
    char sql[80];
    snprintf(sql, sizeof sql, "SELECT run FROM plan WHERE experiment = %lld", (long long)id);
    return id && store_number(curve->store, sql, NULL, &curve->run, error) &&
           curve_begin(curve->store, curve->run, error) &&
           curve_writer_open(&curve->writer, curve->store, &curve->error);
}

void lab_curve_add(struct lab_curve *curve, const struct training_row *row) {
    struct curve_row wanted = curve_row_of(curve->run, row);
    if (!curve->store)
        return;
    bool well = store_begin(curve->store, &curve->error) && curve_save(&curve->writer, &wanted) &&
                store_commit(curve->store, &curve->error);
    if (well)
        return;
    store_rollback(curve->store);
    if (!curve->failed)
        cli_complain("train: --store: %s", curve->error.text);
    curve->failed = true;
    curve_writer_close(&curve->writer); /* the writer is opened again for the next row */
    curve_writer_open(&curve->writer, curve->store, &curve->error);
}

static void add_row(void *user, const struct training_row *row) { lab_curve_add(user, row); }

bool lab_curve_open(struct lab_curve *curve, const char *path, const char *out, const char *domain,
                    const struct lesson *lesson, const struct training_wish *wish) {
    struct buffer text;
    char name[128];
    soloist_error error = {0};
    *curve = (struct lab_curve){.store = lab_open(path, STORE_WRITE)};
    if (!curve->store)
        return false;
    name_of(out, name, sizeof name);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    put_text(&sink, name, domain, lesson, wish->seed);
    need_whole(&text);
    bool well = plan_run(curve, name, text.text, wish, &error);
    buffer_close(&text);
    if (!well) {
        cli_complain("train: --store: %s", *error.text ? error.text : curve->error.text);
        lab_curve_close(curve, false, 0);
    } else if (wish->resume && !teach_earlier_rows(wish->folder, add_row, curve)) {
        need_failed();
    }
    return well;
}

void lab_curve_close(struct lab_curve *curve, bool trained, double time_s) {
    soloist_error error = {0};
    if (!curve->store)
        return;
    if (trained && !curve_end(curve->store, curve->run, time_s, &error))
        cli_complain("train: --store: %s", error.text);
    curve_writer_close(&curve->writer);
    store_close(curve->store);
    *curve = (struct lab_curve){0};
}
