/* The lines of the file are those of --json with additional fields: the instance's identity, the budget, the version,
 * and the sitting. In a sitting, every instance whose highest score is not yet proved is searched once more, with
 * another seed. The best game of all sittings is reported. */
#include "cli/solve/resume.h"
#include "base/buffer.h"
#include "engine/engine.h"
#include "cli/shell/files.h"
#include "cli/shell/json_line.h"
#include "cli/shell/need.h"
#include "cli/solve/report.h"
#include "cli/solve/resume_read.h"
#include "search/search.h"
#include "search/statistics.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the file ---- */

/* Opens the file, locks it and reads it. */
static bool open_locked(struct resume *resume, size_t *length) {
    struct stat status;
    if (!strcmp(resume->path, "-"))
        return cli_complain("--resume -: it must be a regular file"), false;
    resume->file = open(resume->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (resume->file < 0 || fstat(resume->file, &status))
        return cli_complain("--resume %s: %s", resume->path, strerror(errno)), false;
    if (!S_ISREG(status.st_mode))
        return cli_complain("--resume %s: it must be a regular file", resume->path), false;
    if (flock(resume->file, LOCK_EX | LOCK_NB))
        return errno == EWOULDBLOCK ? cli_complain("%s: another run is adding to this file", resume->path)
                                    : cli_complain("%s: cannot be locked: %s", resume->path, strerror(errno)),
               false;
    resume->text = file_read(resume->path, length);
    if (!resume->text)
        return cli_complain("%s: %s", resume->path, strerror(errno)), false;
    return true;
}

/* Removes an incomplete last line; if only its newline is missing, adds that. */
static bool mend_end(const struct resume *resume, size_t length, size_t whole) {
    bool mended = true;
    if (whole < length)
        mended = !ftruncate(resume->file, (off_t)whole);
    else if (length && resume->text[length - 1] != '\n' && resume->text[length - 1] != '\r')
        mended = write(resume->file, "\n", 1) == 1;
    if (!mended)
        cli_complain("%s: %s", resume->path, strerror(errno));
    return mended;
}

/* ---- reusing results ---- */

/* The unfinished sitting, or the next one if all games have been played equally often. */
static int find_sitting(const struct resume *resume) {
    int64_t least = INT64_MAX, most = 1;
    for (size_t i = 0; i < resume->input->task_count; i++) {
        const struct resume_entry *entry = &resume->entries[i];
        if (entry->best.optimal)
            continue;
        least = entry->sitting < least ? entry->sitting : least;
        most = entry->sitting > most ? entry->sitting : most;
    }
    return (int)(least == most ? most + 1 : most);
}

static void restore_counts(soloist_result *result, struct json_value line) {
    result->time_s = resume_real_of(line, "time_s");
    statistics_read(result, line);
    char *method = resume_text_of(line, "method");
    snprintf(result->method, sizeof result->method, "%s", method ? method : "");
    free(method);
}

/* Lines of earlier versions lack these fields. */
static void restore_more(struct outcome *outcome, struct json_value line) {
    char *proof = outcome->result.optimal ? resume_text_of(line, "optimal_for") : NULL;
    snprintf(outcome->optimal_for, sizeof outcome->optimal_for, "%s", proof ? proof : "");
    free(proof);
    outcome->polish_nodes = (uint64_t)resume_real_of(line, "polish_nodes");
    outcome->polish_s = resume_real_of(line, "polish_s");
    outcome->shares = (struct search_shares){(int)resume_real_of(line, "workers"), resume_real_of(line, "least_share"),
                                             resume_real_of(line, "most_share")};
}

/* The outcome that a line records; NULL if its solution is wrong. */
static struct outcome *restore(const struct resume *resume, size_t index, const struct resume_line *line) {
    struct outcome *outcome = need_zeroed(1, sizeof *outcome);
    soloist_result *result = &outcome->result;
    struct json_value json;
    soloist_puzzle puzzle;
    soloist_error error;
    /* Both calls have succeeded for this line before: they can fail now only for lack of memory. */
    if (!json_parse(line->text, line->length, &json, &error) ||
        input_puzzle(resume->input, &resume->input->tasks[index], &puzzle, &error) != SOLOIST_OK)
        need_failed();
    result->status = line->solved ? SOLOIST_SOLVED : line->impossible ? SOLOIST_IMPOSSIBLE : SOLOIST_UNSOLVED;
    result->stopped = resume_stop_of(json);
    result->optimal = line->proved;
    result->verdict.pushes = -1;
    result->solution = line->solved ? resume_text_of(json, "solution") : NULL;
    outcome->resumed = true;
    restore_counts(result, json);
    restore_more(outcome, json);
    bool good = !line->solved || (result->solution && soloist_check(&puzzle, result->solution, strlen(result->solution),
                                                                    &result->verdict, &error));
    if (good)
        batch_describe(resume->batch, &puzzle, outcome);
    soloist_puzzle_free(&puzzle);
    if (good)
        return outcome;
    soloist_result_free(result);
    free(outcome);
    return NULL;
}

/* Whether there is a game whose score is not proved the highest, and none yet of the present sitting. */
static bool is_searched_again(const struct resume *resume, size_t index) {
    const struct resume_entry *entry = &resume->entries[index];
    const soloist_domain *domain = resume->input->tasks[index].source->domain;
    return entry->best.solved && !entry->best.optimal && domain->aim == SOLOIST_MOST_SCORE &&
           entry->sitting < resume->sitting;
}

/* Whether the lines with the instance's own identity are enough for the present request. */
static bool is_enough(const struct resume *resume, size_t index) {
    const struct resume_entry *entry = &resume->entries[index];
    if (!entry->best.text)
        return false;
    if (entry->best.solved)
        return entry->best.optimal || !resume->prove || entry->tried;
    return entry->best.impossible || entry->tried;
}

/* Whether a solution that is stored under another identity is enough: only if any solution will do, proved or not. */
static bool other_may_serve(const struct resume *resume, size_t index) {
    const soloist_domain *domain = resume->input->tasks[index].source->domain;
    return resume->entries[index].other.solved && !resume->prove && domain->aim == SOLOIST_LEAST_COST;
}

/* Decides whether one instance's result is reused, and counts the decision. */
static struct outcome *take_over(struct resume *resume, size_t index) {
    const struct resume_entry *entry = &resume->entries[index];
    struct outcome *outcome = NULL;
    if (!entry->parsed)
        return NULL;
    bool wrong = false, again = is_searched_again(resume, index);
    if (again)
        wrong = !(resume->best[index] = restore(resume, index, &entry->best));
    else if (is_enough(resume, index))
        wrong = !(outcome = restore(resume, index, &entry->best));
    else if (other_may_serve(resume, index))
        wrong = !(outcome = restore(resume, index, &entry->other)) && !entry->changed;
    if (outcome)
        resume->taken++;
    else if (wrong)
        resume->refused[RESUME_WRONG]++;
    else if (again)
        resume->refused[RESUME_AGAIN]++;
    else if (entry->best.text)
        resume->refused[RESUME_WEAKER]++;
    else if (entry->changed)
        resume->refused[RESUME_CHANGED]++;
    else if (entry->rebuilt)
        resume->refused[RESUME_REBUILT]++;
    else if (entry->old)
        resume->refused[RESUME_OLD]++;
    return outcome;
}

static char *join_networks(const struct arg_list *networks) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    for (size_t i = 0; i < networks->count; i++)
        soloist_print(&sink, "%s%s", i ? " " : "", networks->items[i]);
    return need(buffer_take(&text));
}

bool resume_open(struct resume *resume, const char *path, struct batch *batch, const struct arg_list *networks) {
    const struct input *input = batch->input;
    size_t length = 0, whole = 0;
    *resume = (struct resume){
        .cli = batch->cli,
        .input = input,
        .path = path,
        .file = -1,
        .limits = batch->limits,
        .method = need(search_spell(engine_methods(batch->cli->engine), batch->method ? batch->method : "auto", true)),
        .networks = join_networks(networks),
        .prove = batch->objective.prove,
        .batch = batch};
    if (resume->prove)
        polish_aim_name(batch->objective.aim, resume->objective);
    else
        snprintf(resume->objective, sizeof resume->objective, "any");
    resume->many = resume->prove && batch->objective.aim.count > 1;
    resume->entries = need_zeroed(input->task_count, sizeof *resume->entries);
    resume->known = need_zeroed(input->task_count, sizeof *resume->known);
    resume->best = need_zeroed(input->task_count, sizeof *resume->best);
    resume->pools = need_zeroed(input->task_count, sizeof *resume->pools);
    if (!open_locked(resume, &length))
        return false;
    if (!resume_read_lines(resume, length, &whole) || !mend_end(resume, length, whole))
        return false;
    resume->sitting = find_sitting(resume);
    for (size_t i = 0; i < input->task_count; i++) {
        struct json_value pool = resume->entries[i].pool;
        resume->known[i] = take_over(resume, i);
        if (pool.kind == JSON_ARRAY)
            resume->pools[i] = need_text(pool.start, (size_t)(pool.end - pool.start));
    }
    batch->pools = resume->pools;
    batch->limits.seed += (uint64_t)(resume->sitting - 1);
    batch->known = resume->known;
    batch->identify = true;
    return true;
}

const struct outcome *resume_best(const struct resume *resume, const struct task *task, const struct outcome *outcome) {
    const struct outcome *best = resume->best ? resume->best[task - resume->input->tasks] : NULL;
    const soloist_result *result = &outcome->result;
    /* A game of two players with a higher score is not better: the opponent may have played worse. */
    if (!best || task->source->domain->players > 1 || *outcome->error.text)
        return outcome;
    bool less = !result->solution || (!result->optimal && result->verdict.value < best->result.verdict.value);
    return less ? best : outcome;
}

void resume_tell(const struct resume *resume, FILE *stream) {
    static const char *const reasons[RESUME_REFUSALS] = {
        [RESUME_CHANGED] = "for another instance, domain option or objective",
        [RESUME_REBUILT] = "from another version of the plugin",
        [RESUME_WRONG] = "whose solution fails its replay",
        [RESUME_OLD] = "from version 0.1, whose unsolved results are not reused",
        [RESUME_WEAKER] = "not sufficient for the present options",
        [RESUME_AGAIN] = "searched again for a higher score",
    };
    size_t refused = 0;
    const char *between = ": ";
    for (int i = 0; i < RESUME_REFUSALS; i++)
        refused += resume->refused[i];
    if (!resume->taken && !refused)
        return;
    fprintf(stream, "%zu taken over from %s", resume->taken, resume->path);
    if (refused)
        fprintf(stream, ", %zu not", refused);
    for (int i = 0; i < RESUME_REFUSALS; i++) {
        if (!resume->refused[i])
            continue;
        fprintf(stream, "%s%zu %s", between, resume->refused[i], reasons[i]);
        between = "; ";
    }
    fputc('\n', stream);
}

/* ---- adding lines ---- */

static const char *const shortenings[] = {
    [SHORTEN_DEFAULT] = "default", [SHORTEN_NOT] = "none", [SHORTEN_SECONDS] = "seconds"};

/* Writes the fields that --json does not have. */
static void write_rest(const struct resume *resume, const struct outcome *outcome, struct json_writer *json) {
    if (*outcome->identity)
        json_text(json, "identity", outcome->identity);
    json_object(json, "budget");
    json_real(json, "time_s", resume->limits.time_s);
    json_uint(json, "nodes", resume->limits.nodes);
    json_uint(json, "iterations", resume->limits.iterations);
    json_uint(json, "memory", resume->limits.memory);
    json_int(json, "threads", resume->limits.threads);
    json_uint(json, "seed", resume->limits.seed);
    json_text(json, "method", resume->method);
    json_text(json, "network", resume->networks);
    json_text(json, "objective", resume->objective);
    json_text(json, "shortening", shortenings[resume->batch->shorten]);
    json_real(json, "polish_s", resume->batch->polish_s);
    json_end(json, '}');
    json_bool(json, "starved", outcome->result.starved);
    json_text(json, "version", SOLOIST_VERSION);
    json_int(json, "sitting", resume->sitting);
    json_uint(json, "seed", resume->batch->limits.seed); /* the budget has the seed of the first sitting */
    if (outcome->pool)
        json_raw(json, "pool", outcome->pool);
}

/* Appends a line completely or not at all: if the disk is full, the part that was written is removed again. */
static bool append(const struct resume *resume, const char *line, size_t length) {
    off_t before = lseek(resume->file, 0, SEEK_END);
    size_t written = 0;
    while (written < length) {
        ssize_t now = write(resume->file, line + written, length - written);
        if (now < 0 && errno == EINTR)
            continue;
        if (now <= 0)
            break;
        written += (size_t)now;
    }
    if (written == length)
        return true;
    cli_complain("%s: %s; what it held before is intact", resume->path, strerror(errno));
    if (before >= 0 && ftruncate(resume->file, before))
        cli_complain("%s: its last line is incomplete", resume->path);
    return false;
}

bool resume_add(struct resume *resume, const struct task *task, const struct outcome *outcome) {
    struct json_line line;
    if (!resume->input)
        return true;
    struct json_writer *json = json_line_open(&line);
    report_json_members(task, outcome, json);
    write_rest(resume, outcome, json);
    json_line_end(&line);
    bool added = append(resume, line.text.text, line.text.length);
    buffer_close(&line.text);
    return added;
}

void resume_close(struct resume *resume) {
    if (!resume->input)
        return;
    if (resume->file >= 0)
        close(resume->file);
    free(resume->text);
    free(resume->entries);
    free(resume->networks);
    free(resume->method);
    free(resume->known);
    for (size_t i = 0; resume->pools && i < resume->input->task_count; i++) {
        outcome_free(resume->best[i]);
        free(resume->pools[i]);
    }
    free(resume->best);
    free(resume->pools);
    *resume = (struct resume){0};
}
