#include "lab/run/record.h"
#include "base/replace.h"
#include "lab/run/lines.h"
#include "lab/run/seal_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A run that the file has: its key is a part of the file's text. */
struct finished {
    const char *key;
    size_t length;
    struct json_value result;
};

/* A run of the plan. */
struct planned {
    struct job job;
    char *key;
    const char *label, *source;
    int64_t number, group;           /* number of the instance; its group (pool.h) */
    const struct finished *finished; /* NULL: not done */
    bool again;                      /* another planned run has the same key */
    struct rows rows;                /* rows of a running training */
};

struct record {
    const struct record_wish *wish;
    int file;
    off_t size;
    char *text; /* what was in the file */
    struct finished *finished;
    size_t finished_count;
    struct json_value experiment; /* the last line of the experiment; its kind is JSON_NONE if there is none */
    struct planned *planned;
    size_t planned_count;
    struct buffer instances, plan; /* lines to be written before the first run */
    struct memory memory;
    struct arena strings;
    /* The instance that was listed last. */
    const char *identity, *domain, *options, *name, *instance_text;
    struct pool_tally *tallies;
    size_t tally_count;
    struct job *jobs;
    size_t job_count;
    struct record_count *count;
};

static bool no_memory(soloist_error *error) { return soloist_fail(error, 0, 0, "out of memory"); }

static bool fail(const struct record *record, soloist_error *error) {
    return soloist_fail(error, 0, 0, "%.150s: %s", record->wish->path, strerror(errno));
}

/* Makes room for one more item in a list, whose memory doubles at every power of two. False: no memory. */
static bool grow(void *list_pointer, size_t count, size_t item_size) {
    void **list = list_pointer;
    if (count & (count - 1))
        return true;
    void *larger = realloc(*list, (count ? count * 2 : 1) * item_size);
    *list = larger ? larger : *list;
    return larger;
}

/* ---- the file ---- */

static bool open_file(struct record *record, soloist_error *error) {
    record->file = open(record->wish->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (record->file < 0)
        return fail(record, error);
    if (flock(record->file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return soloist_fail(error, 0, 0, "%.150s: another process is running experiments in it", record->wish->path);
    size_t length = 0;
    record->text = buffer_read_file(record->wish->path, &length);
    record->size = (off_t)length;
    if (!length)
        replace_sync_folder(record->wish->path); /* the name of a new file */
    if (record->text && length && !lines_recognise(record->text, length))
        return soloist_fail(error, 0, 0, "%.150s: not a file of JSON lines that `lab run` wrote", record->wish->path);
    return record->text ? true : fail(record, error);
}

/* Notes what a line says. False: no memory. */
static bool take_line(struct record *record, struct json_value line) {
    struct json_value run = json_member(line, "run"), name = json_member(line, "experiment");
    char text[160];
    if (json_get_text(name, text, sizeof text) >= 0 && !strcmp(text, record->wish->plan->name))
        record->experiment = line;
    if (run.kind != JSON_OBJECT || lines_is_made_again(line))
        return true;
    if (!grow(&record->finished, record->finished_count, sizeof *record->finished))
        return false;
    record->finished[record->finished_count++] =
        (struct finished){run.start, (size_t)(run.end - run.start), json_member(line, "result")};
    return true;
}

static int compare_keys(const char *a, size_t a_length, const char *b, size_t b_length) {
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

static int compare_finished(const void *a, const void *b) {
    const struct finished *x = a, *y = b;
    return compare_keys(x->key, x->length, y->key, y->length);
}

static const struct finished *find(const struct record *record, const char *key) {
    struct finished wanted = {.key = key, .length = strlen(key)};
    return record->finished_count
               ? bsearch(&wanted, record->finished, record->finished_count, sizeof wanted, compare_finished)
               : NULL;
}

/* Reads all lines. A last line whose writer was killed is cut off; lines that a power cut destroyed are skipped. */
static bool read_file(struct record *record, soloist_error *error) {
    struct lines_cursor cursor = lines_open(record->text, (size_t)record->size);
    struct json_value line;
    while (lines_next(&cursor, &line))
        if (!take_line(record, line))
            return no_memory(error);
    if (cursor.damaged)
        return soloist_fail(
            error, 0, 0, "%.120s:%llu: this line was altered or damaged%s: delete it, and its run is made again",
            record->wish->path, (unsigned long long)cursor.first_damaged, cursor.damaged > 1 ? ", and others too" : "");
    if (cursor.zeroed) /* plans may have been lost: they are written again */
        record->experiment = (struct json_value){0};
    if (cursor.torn) {
        record->size = cursor.at - record->text;
        if (ftruncate(record->file, record->size))
            return fail(record, error);
    }
    if (record->finished_count)
        qsort(record->finished, record->finished_count, sizeof *record->finished, compare_finished);
    return true;
}

static bool write_whole(int file, const char *text, size_t length) {
    while (length) {
        ssize_t written = write(file, text, length);
        if (written < 0 && errno != EINTR)
            return false;
        text += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
    return !fdatasync(file) || errno == EINVAL; /* EINVAL: a file that cannot be synchronised, such as a pipe */
}

/* Appends lines. If that fails, what was there before stays, without a torn line. */
static bool append(struct record *record, const struct buffer *text, soloist_error *error) {
    if (text->failed)
        return no_memory(error);
    if (write_whole(record->file, text->text ? text->text : "", text->length)) {
        record->size += (off_t)text->length;
        return true;
    }
    fail(record, error);
    if (ftruncate(record->file, record->size))
        soloist_fail(error, 0, 0, "%.100s: its last line is torn; the next run cuts it off", record->wish->path);
    return false;
}

/* ---- the plan ---- */

static const char *keep(struct record *record, const char *text) {
    size_t length = strlen(text);
    char *copy = arena_take(&record->strings, length + 1);
    return copy ? memcpy(copy, text, length) : NULL;
}

static bool list_instance(void *user, const struct plan_instance *instance, soloist_error *error) {
    struct record *record = user;
    lines_put_instance(&record->instances, instance);
    record->identity = keep(record, instance->identity);
    record->domain = keep(record, instance->domain);
    record->options = keep(record, instance->options);
    record->name = keep(record, instance->name);
    record->instance_text = keep(record, instance->text);
    return (record->identity && record->domain && record->options && record->name && record->instance_text) ||
           no_memory(error);
}

/* The key of a run as a text of its own; NULL: no memory. */
static char *key_of(const struct record *record, const struct plan_run *run, const char *method) {
    struct buffer key;
    buffer_open(&key);
    lines_put_key(&key, record->identity, run, method);
    char *text = buffer_take(&key);
    buffer_close(&key);
    return text;
}

static struct job job_of(struct record *record, const struct plan_run *run) {
    const struct experiment_limits *limits = &run->limits;
    return (struct job){.domain = record->domain,
                        .options = record->options,
                        .name = record->name,
                        .text = record->instance_text,
                        .method = keep(record, run->method),
                        .network = keep(record, run->network),
                        .limits = {.seed = run->seed,
                                   .iterations = limits->iterations,
                                   .nodes = limits->nodes,
                                   .time_s = limits->time_s,
                                   .memory = limits->memory,
                                   .threads = limits->threads}};
}

/* A run that was recorded when the method's options had other names counts as the same. */
static bool list_run(void *user, const struct plan_run *run, soloist_error *error) {
    struct record *record = user;
    if (!grow(&record->planned, record->planned_count, sizeof *record->planned))
        return no_memory(error);
    struct planned *planned = &record->planned[record->planned_count];
    *planned = (struct planned){.job = job_of(record, run),
                                .key = key_of(record, run, run->method),
                                .label = keep(record, run->label),
                                .source = keep(record, run->source),
                                .number = run->number,
                                .group = (run->number - 1) / record->wish->jobs};
    record->planned_count++;
    char *former = key_of(record, run, run->former);
    if (planned->key && former) {
        const struct finished *now = find(record, planned->key), *then = now ? NULL : find(record, former);
        planned->finished = now ? now : then;
        lines_put_plan(&record->plan, then ? former : planned->key, run);
    }
    bool well =
        planned->key && former && planned->label && planned->source && planned->job.method && planned->job.network;
    free(former);
    return well || no_memory(error);
}

static bool ends_with(const char *start, const char *end, const struct buffer *text) {
    return !text->length ||
           ((size_t)(end - start) >= text->length && !memcmp(end - text->length, text->text, text->length));
}

/* Writes the plan, unless the file's last plan for the experiment is the same. The line of the experiment is compared
 * as a whole: it holds a hash of the plan. The lines before it are compared too, because some may have been deleted. */
static bool write_plan(struct record *record, soloist_error *error) {
    const struct record_wish *wish = record->wish;
    struct buffer line;
    uint64_t hash = seal_text(record->plan.text ? record->plan.text : "", record->plan.length);
    buffer_open(&line);
    lines_put_experiment(&line, wish->experiment, wish->plan, record->planned_count, hash);
    const struct json_value *last = &record->experiment;
    size_t length = (size_t)(last->end - last->start);
    bool same = last->kind == JSON_OBJECT && !line.failed && line.length == length + 1 &&
                !memcmp(line.text, last->start, length) && ends_with(record->text, last->start, &record->plan) &&
                ends_with(record->text, last->start - record->plan.length, &record->instances);
    bool well = !(record->instances.failed || record->plan.failed || line.failed) || no_memory(error);
    if (well && !same) {
        soloist_sink sink = buffer_sink(&record->instances);
        soloist_put(&sink, record->plan.text ? record->plan.text : "");
        soloist_put(&sink, line.text);
        well = append(record, &record->instances, error);
    }
    buffer_close(&line);
    return well;
}

/* ---- which runs are done ---- */

static int compare_planned(const void *a, const void *b) {
    const struct planned *const *x = a, *const *y = b;
    int order = strcmp((*x)->key, (*y)->key);
    return order ? order : (*x > *y) - (*x < *y);
}

/* Marks runs that are planned more than once, such as those of a level that is in two sets. */
static bool mark_repeated(struct record *record, soloist_error *error) {
    struct planned **order = calloc(record->planned_count + 1, sizeof *order);
    if (!order)
        return no_memory(error);
    for (size_t i = 0; i < record->planned_count; i++)
        order[i] = &record->planned[i];
    qsort(order, record->planned_count, sizeof *order, compare_planned);
    for (size_t i = 1; i < record->planned_count; i++)
        order[i]->again = !strcmp(order[i]->key, order[i - 1]->key);
    free(order);
    return true;
}

static bool tally_of(struct record *record, const char *label, size_t *tally, soloist_error *error) {
    for (*tally = 0; *tally < record->tally_count; ++*tally)
        if (!strcmp(record->tallies[*tally].label, label))
            return true;
    if (!grow(&record->tallies, record->tally_count, sizeof *record->tallies))
        return no_memory(error);
    record->tallies[record->tally_count++] = (struct pool_tally){.label = label};
    return true;
}

static void note_failure(struct record *record, const struct planned *planned, const char *why) {
    if (!record->count->invalid++)
        snprintf(record->count->why, sizeof record->count->why, "%.100s:%lld: %.180s", planned->source,
                 (long long)planned->number, why);
}

static void note_warning(struct record *record, const struct planned *planned, const char *warning) {
    struct record_count *count = record->count;
    if (!count->warned) {
        snprintf(count->warned_label, sizeof count->warned_label, "%s", planned->label);
        snprintf(count->warning, sizeof count->warning, "%s", warning);
    }
    count->warned += !strncmp(planned->label, count->warned_label, sizeof count->warned_label - 1);
}

static void count_finished(struct record *record, struct planned *planned, struct pool_tally *tally) {
    struct json_value result = planned->finished->result;
    char status[16] = "", stopped[16] = "", why[256] = "";
    double time_s = 0, value = 0;
    json_get_text(json_member(result, "status"), status, sizeof status);
    json_get_text(json_member(result, "stopped"), stopped, sizeof stopped);
    json_get_text(json_member(result, "error"), why, sizeof why);
    json_get_real(json_member(result, "time_s"), &time_s);
    json_get_real(json_member(result, "value"), &value);
    bool solved = !strcmp(status, "solved");
    tally->done++;
    tally->solved += solved;
    tally->time_s += time_s;
    tally->value += solved ? value : 0;
    record->count->done++;
    record->count->solved += solved;
    record->count->trained += !strcmp(status, "trained");
    record->count->memory_stops += !strcmp(stopped, soloist_stop_name(SOLOIST_STOP_MEMORY));
    if (!strcmp(status, "invalid"))
        note_failure(record, planned, why);
    else if (*why)
        note_warning(record, planned, why);
}

/* The order that pool.h asks for, as in a store. */
static int compare_jobs(const void *a, const void *b) {
    const struct planned *const *x = a, *const *y = b;
    const struct job *p = &(*x)->job, *q = &(*y)->job;
    if (job_is_training(p) != job_is_training(q))
        return job_is_training(q) - job_is_training(p);
    if (p->limits.seed != q->limits.seed)
        return p->limits.seed < q->limits.seed ? -1 : 1;
    if ((*x)->group != (*y)->group)
        return (*x)->group < (*y)->group ? -1 : 1;
    if (p->limits.threads != q->limits.threads)
        return q->limits.threads - p->limits.threads;
    if ((*x)->number != (*y)->number)
        return (*x)->number < (*y)->number ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

/* Makes the list of jobs; the number of a job is the place of its run in the plan, from 1. */
static bool sort_jobs(struct record *record, soloist_error *error) {
    struct planned **order = calloc(record->planned_count + 1, sizeof *order);
    record->jobs = calloc(record->planned_count + 1, sizeof *record->jobs);
    size_t count = 0;
    for (size_t i = 0; order && record->jobs && i < record->planned_count; i++)
        if (!record->planned[i].again && !record->planned[i].finished)
            order[count++] = &record->planned[i];
    if (order && record->jobs)
        qsort(order, count, sizeof *order, compare_jobs);
    for (size_t i = 0; i < count; i++) {
        record->jobs[i] = order[i]->job;
        record->jobs[i].id = order[i] - record->planned + 1;
    }
    record->job_count = count;
    bool well = (order && record->jobs) || no_memory(error);
    free(order);
    return well;
}

static bool sort_out(struct record *record, soloist_error *error) {
    if (!mark_repeated(record, error))
        return false;
    for (size_t i = 0; i < record->planned_count; i++) {
        struct planned *planned = &record->planned[i];
        size_t tally;
        rows_open(&planned->rows);
        if (planned->again)
            continue;
        if (!tally_of(record, planned->label, &tally, error))
            return false;
        planned->job.tally = tally;
        record->tallies[tally].planned++;
        record->count->planned++;
        record->count->trainings += job_is_training(&planned->job);
        if (planned->finished)
            count_finished(record, planned, &record->tallies[tally]);
    }
    return sort_jobs(record, error);
}

/* ---- running ---- */

static struct planned *planned_of(const struct record *record, int64_t id) { return &record->planned[id - 1]; }

/* Adds a row of a running training. A resumed training continues from an earlier checkpoint and reports rows again;
 * these replace the old row with the same number and all later ones. */
static bool add_row(struct record *record, const struct curve_row *row) {
    struct rows *rows = &planned_of(record, row->run)->rows;
    struct curve_row **at = &rows->first;
    while (*at && (*at)->training.row < row->training.row)
        at = &(*at)->next;
    rows_free(*at);
    *at = NULL;
    rows->end = at;
    return rows_add(rows, row);
}

static void count_outcome(struct record *record, const struct job_outcome *outcome) {
    record->count->done++;
    record->count->solved += !outcome->trained && outcome->result.status == SOLOIST_SOLVED;
    record->count->trained += outcome->trained;
    record->count->memory_stops += !outcome->trained && outcome->result.stopped == SOLOIST_STOP_MEMORY;
    const struct planned *planned = planned_of(record, outcome->job->id);
    if (!outcome->trained && outcome->result.status == SOLOIST_INVALID)
        note_failure(record, planned, outcome->error.text);
    else if (*outcome->error.text)
        note_warning(record, planned, outcome->error.text);
}

static bool commit(void *book, const struct curve_row *rows, const struct job_outcome *list, soloist_error *error) {
    struct record *record = book;
    struct buffer text;
    for (; rows; rows = rows->next)
        if (!add_row(record, rows))
            return no_memory(error);
    if (!list)
        return true;
    buffer_open(&text);
    for (const struct job_outcome *outcome = list; outcome; outcome = outcome->next) {
        const struct planned *planned = planned_of(record, outcome->job->id);
        lines_put_run(&text, planned->key, outcome, outcome->trained ? planned->rows.first : outcome->rows.first);
    }
    bool well = append(record, &text, error);
    buffer_close(&text);
    for (; well && list; list = list->next)
        count_outcome(record, list);
    return well;
}

static bool run_jobs(struct record *record, soloist_error *error) {
    const struct record_wish *wish = record->wish;
    char folder[4000];
    uint64_t done;
    snprintf(folder, sizeof folder, "%.3800s.run", wish->path);
    struct pool_wish pool = {.engine = wish->engine,
                             .folder = folder,
                             .job_list = record->jobs,
                             .job_count = record->job_count,
                             .tallies = record->tallies,
                             .tally_count = record->tally_count,
                             .jobs = wish->jobs,
                             .dispatch = wish->dispatch,
                             .stop = wish->stop,
                             .commit = commit,
                             .book = record,
                             .progress = wish->progress,
                             .user = wish->user};
    return pool_run(&pool, &done, error);
}

static void record_close(struct record *record) {
    for (size_t i = 0; i < record->planned_count; i++) {
        free(record->planned[i].key);
        rows_free(record->planned[i].rows.first);
    }
    free(record->planned);
    free(record->finished);
    free(record->tallies);
    free(record->jobs);
    free(record->text);
    buffer_close(&record->instances);
    buffer_close(&record->plan);
    arena_close(&record->strings);
    if (record->file >= 0)
        close(record->file); /* releases the lock */
}

bool record_run(const struct record_wish *wish, struct record_count *count, soloist_error *error) {
    struct record record = {.wish = wish, .file = -1, .count = count};
    struct plan_book book = {&record, list_instance, list_run};
    *count = (struct record_count){0};
    memory_open(&record.memory, 0);
    arena_open(&record.strings, &record.memory);
    buffer_open(&record.instances);
    buffer_open(&record.plan);
    bool well = plan_check_methods(wish->engine, wish->experiment, error) && open_file(&record, error) &&
                read_file(&record, error) &&
                plan_list(wish->engine, wish->experiment, wish->plan, wish->files, &book, error) &&
                sort_out(&record, error) && write_plan(&record, error) && run_jobs(&record, error);
    record_close(&record);
    return well;
}
