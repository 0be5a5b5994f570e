/* Runs an experiment and records it in a file of JSON lines. */
#include "cli/lab/lab.h"
#include "cli/shell/files.h"
#include "cli/shell/ranks.h"
#include "cli/shell/signals.h"
#include "cli/solve/batch.h"

bool lab_is_lines(const char *store) { return path_ends_in(store, ".jsonl"); }

bool lab_refuses_lines(const char *verb, const char *store) {
    if (lab_is_lines(store))
        cli_complain("%s: --store %s: only `lab run` writes files of JSON lines; `lab merge` takes them into a store",
                     verb, store);
    return lab_is_lines(store);
}

static void print_summary(const struct lab_file *file, const char *path, const struct record_count *count) {
    printf("%s: %llu of %llu runs done", file->name, (unsigned long long)count->done,
           (unsigned long long)count->planned);
    if (count->planned > count->trainings || !count->planned)
        printf(", %llu solved", (unsigned long long)count->solved);
    if (count->trainings)
        printf(", %llu trained", (unsigned long long)count->trained);
    if (count->memory_stops)
        printf(", %llu stopped at the memory limit", (unsigned long long)count->memory_stops);
    printf(", in %s\n", path);
    if (count->done < count->planned)
        printf("interrupted: the same command continues with the remaining %llu\n",
               (unsigned long long)(count->planned - count->done));
    else
        printf("`soloist lab merge %s` adds them to a store, which `lab show` shows\n", path);
}

int lab_run_lines(struct cli *cli, const struct lab_file *file, const struct lab_wish *wish,
                  const struct plan_wish *plan, const struct plan_files *files) {
    struct lab_progress progress = {.cli = cli};
    struct record_wish record = {.path = wish->store,
                                 .engine = cli->engine,
                                 .experiment = &file->experiment,
                                 .plan = plan,
                                 .files = files,
                                 .jobs = wish->jobs ? wish->jobs : batch_cores(),
                                 .dispatch = wish->dispatch,
                                 .stop = signals_token(),
                                 .progress = wish->quiet ? NULL : lab_progress_show,
                                 .user = &progress};
    struct record_count count;
    soloist_error error = {0};
    bool well = record_run(&record, &count, &error);
    lab_progress_wipe(&progress);
    if (!well)
        return lab_fail(file, plan, &error);
    if (count.invalid)
        cli_complain("%llu run%s failed, the first on %s", (unsigned long long)count.invalid,
                     count.invalid == 1 ? "" : "s", count.why);
    if (count.warned)
        lab_warn(count.warned_label, count.warned, count.warning);
    if (lab_has_summary(wish)) {
        print_summary(file, wish->store, &count);
        ranks_tell(cli, stdout);
    }
    return count.invalid ? CLI_BAD : count.done < count.planned ? CLI_SOME : CLI_OK;
}
