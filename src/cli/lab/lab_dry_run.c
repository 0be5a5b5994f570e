/* `soloist lab run --dry-run`: how many runs an experiment has, and about how long they take. A few runs, evenly spread
 * over the experiment, are made and timed; their results are not kept. */
#include "base/budget.h"
#include "base/table.h"
#include "cli/lab/lab.h"
#include "cli/shell/need.h"
#include "cli/shell/ranks.h"
#include "cli/shell/signals.h"
#include "cli/solve/batch.h"
#include "lab/run/lines.h"
#include "lab/run/seal_text.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 16 };
static const double sample_s = 0.5; /* a sample is cut short after this time */

struct plan_sum {
    const struct cli *cli;
    uint64_t instances, runs, trainings;
    struct memory memory;
    /* Hashes of the identities of all instances and of the keys of all runs so far: a run that several labels have is
     * made once. */
    struct table keys;
    /* Of the instance that was handed over last; owned. */
    char *identity, *domain, *options, *text, *name;
    /* The rest is for the second pass. */
    uint64_t stride; /* one run out of so many is a sample; 0: none */
    uint64_t samples, cut;
    double core_s; /* seconds of the samples, times the threads of each */
};

static void forget_instance(struct plan_sum *sum) {
    free(sum->identity);
    free(sum->domain);
    free(sum->options);
    free(sum->text);
    free(sum->name);
    sum->identity = sum->domain = sum->options = sum->text = sum->name = NULL;
}

static char *copy(const char *text) { return need_text(text ? text : "", text ? strlen(text) : 0); }

/* Whether a text is an identity or a key that was seen before. */
static bool is_seen(struct plan_sum *sum, const char *text, size_t length) {
    uint64_t hash = seal_text(text, length);
    bool added;
    if (table_put(&sum->keys, hash, &hash, &added) == POOL_NONE)
        need_failed();
    return !added;
}

static bool see_instance(void *user, const struct plan_instance *instance, soloist_error *error) {
    struct plan_sum *sum = user;
    (void)error;
    if (instance->source && !is_seen(sum, instance->identity, strlen(instance->identity))) /* a training has none */
        sum->instances++;
    forget_instance(sum);
    sum->identity = copy(instance->identity);
    sum->domain = copy(instance->domain);
    sum->options = copy(instance->options);
    sum->text = copy(instance->text);
    sum->name = copy(instance->name);
    return true;
}

/* Makes one run and adds its time. */
static void sample(struct plan_sum *sum, const struct plan_run *run) {
    soloist_stop_token until;
    struct job_school school = {.engine = sum->cli->engine, .folder = ""};
    struct job_outcome outcome = {0};
    struct job job = {.domain = sum->domain,
                      .options = sum->options,
                      .name = sum->name,
                      .text = sum->text,
                      .method = run->method,
                      .network = run->network ? run->network : "",
                      .limits = {.seed = run->seed,
                                 .iterations = run->limits.iterations,
                                 .nodes = run->limits.nodes,
                                 .time_s = run->limits.time_s,
                                 .memory = run->limits.memory,
                                 .threads = run->limits.threads,
                                 .stop = &until}};
    if (job_is_training(&job) || job_wants_trained(&job))
        return;
    stop_token_open(&until, signals_token());
    soloist_stop_token_deadline(&until, sample_s);
    double start_s = clock_seconds();
    job_solve(&school, &job, &outcome);
    double seconds = clock_seconds() - start_s;
    bool cut = outcome.result.stopped == SOLOIST_STOP_CANCEL;
    if (cut && run->limits.time_s > 0) { /* it may use all of its time */
        seconds = run->limits.time_s;
        cut = false;
    }
    sum->samples++;
    sum->cut += cut;
    sum->core_s += seconds * (run->limits.threads > 1 ? run->limits.threads : 1);
    soloist_result_free(&outcome.result);
    rows_free(outcome.rows.first);
}

/* Whether the same run was already seen, under another label or in another source. */
static bool is_run_seen(struct plan_sum *sum, const struct plan_run *run) {
    struct buffer key;
    buffer_open(&key);
    lines_put_key(&key, sum->identity, run, run->method);
    need_whole(&key);
    bool seen = is_seen(sum, key.text, key.length);
    buffer_close(&key);
    return seen;
}

static bool see_run(void *user, const struct plan_run *run, soloist_error *error) {
    struct plan_sum *sum = user;
    (void)error;
    if (is_run_seen(sum, run))
        return true;
    sum->trainings += lesson_is(run->method);
    if (sum->stride && sum->runs % sum->stride == sum->stride / 2 && !signals_stopped())
        sample(sum, run);
    sum->runs++;
    return true;
}

static void print_duration(double seconds) {
    if (seconds < 120)
        printf("%.1f s", seconds);
    else if (seconds < 7200)
        printf("%.0f min", seconds / 60);
    else
        printf("%.1f h", seconds / 3600);
}

static void print_estimate(const struct cli *cli, const struct lab_wish *wish, const struct plan_sum *sum) {
    int cores = (wish->jobs ? wish->jobs : batch_cores()) + ranks_far_cores(cli);
    if (!sum->samples) {
        printf("how long they take is not known: trainings, and searches that use their networks, are not tried\n");
        return;
    }
    printf("they take %s ", sum->cut ? "more than" : "about");
    print_duration(sum->core_s / (double)sum->samples * (double)(sum->runs - sum->trainings) / cores);
    printf(" on %d core%s", cores, cores == 1 ? "" : "s");
    if (ranks_far_cores(cli))
        printf(" of %d ranks", cli->ranks->launch.count);
    printf(": an estimate from %llu of the runs", (unsigned long long)sum->samples);
    if (sum->cut)
        printf(", %llu of them cut short", (unsigned long long)sum->cut);
    printf("%s\n", sum->trainings ? "; trainings are not included" : "");
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void print_counts(const char *name, const struct plan_sum *sum) {
    uint64_t searches = sum->runs - sum->trainings;
    printf("%s: ", name);
    if (sum->trainings)
        printf("%llu training%s%s", (unsigned long long)sum->trainings, plural(sum->trainings),
               searches ? " and " : "");
    if (searches || !sum->trainings)
        printf("%llu run%s on %llu instance%s", (unsigned long long)searches, plural(searches),
               (unsigned long long)sum->instances, plural(sum->instances));
    printf("; the text is correct\n");
}

static int count_and_sample(struct plan_sum *sum, const struct lab_file *file, const struct lab_wish *wish,
                            const struct plan_wish *plan, const struct plan_files *files) {
    const struct cli *cli = sum->cli;
    struct plan_book book = {sum, see_instance, see_run};
    struct plan_files quiet = *files;
    soloist_error error = {0};
    quiet.left_out = NULL;
    quiet.repeated = NULL;
    if (!plan_list(cli->engine, &file->experiment, plan, files, &book, &error))
        return lab_fail(file, plan, &error);
    if (wish->quiet)
        return CLI_OK;
    print_counts(file->name, sum);
    cli_flush();
    sum->stride = sum->runs > SAMPLES ? sum->runs / SAMPLES : 1;
    sum->instances = sum->runs = sum->trainings = 0;
    table_clear(&sum->keys);
    bool well = plan_list(cli->engine, &file->experiment, plan, &quiet, &book, &error);
    if (signals_stopped())
        return cli_complain("%s: interrupted before the time was estimated", file->name), CLI_SOME;
    if (!well)
        return cli_complain("%s", error.text);
    if (sum->runs)
        print_estimate(cli, wish, sum);
    return CLI_OK;
}

int lab_dry_run(struct cli *cli, const struct lab_file *file, const struct lab_wish *wish, const struct plan_wish *plan,
                const struct plan_files *files) {
    struct plan_sum sum = {.cli = cli};
    memory_open(&sum.memory, 0);
    if (!table_open(&sum.keys, &sum.memory, sizeof(uint64_t), 0))
        need_failed();
    int status = count_and_sample(&sum, file, wish, plan, files);
    table_close(&sum.keys);
    forget_instance(&sum);
    return status;
}
