#include "lab/results/tuner.h"
#include "base/buffer.h"
#include "base/options.h"
#include "lab/results/query.h"
#include "engine/engine.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 3, TEXT_ROOM = 512, MOST_TEXT = 200 }; /* KEPT: one in this many trials goes on to the next rung */

struct tuning {
    const struct tuner *tuner;
    struct tune_space space;
    struct tune_trial *trials;
    size_t count;
    const char *better;
    soloist_error *error;
};

/* ---- the space ---- */

static bool refuse(const struct tuning *tuning, const struct experiment_tune *tune, const char *format,
                   const char *word) {
    return soloist_fail(tuning->error, tune->line, tune->column, format, word);
}

/* A line of the experiment that gives only the option's name stands for the option's full range. */
static bool add_option(struct tuning *tuning, const struct experiment_tune *tune, const soloist_option *row) {
    struct tune_option option = {.name = tune->option,
                                 .least = tune->least,
                                 .most = tune->most,
                                 .logarithmic = tune->logarithmic,
                                 .text = tune->choices};
    if (!row)
        return refuse(tuning, tune, "the method has no option %.60s", tune->option);
    bool open = !tune->choices && tune->most <= tune->least;
    option.whole = row->kind == SOLOIST_OPTION_INT || row->kind == SOLOIST_OPTION_NAMES;
    if (open && row->kind == SOLOIST_OPTION_CHOICE)
        option.text = row->choices;
    else if (open && row->kind == SOLOIST_OPTION_BOOL)
        option.text = "false|true";
    else if (open)
        option.least = row->least, option.most = row->most;
    option.choices = option.text ? options_choice_count(option.text) : 0;
    if (option.choices > TUNE_MOST_CHOICES || tuning->space.count == TUNE_MOST)
        return refuse(tuning, tune, "%.60s: more than sixteen options or values", tune->option);
    bool worded =
        row->kind == SOLOIST_OPTION_CHOICE || row->kind == SOLOIST_OPTION_BOOL || row->kind == SOLOIST_OPTION_NAME;
    if (!option.text && worded)
        return refuse(tuning, tune, "%.60s has no range; list its values: a|b|c", tune->option);
    tuning->space.options[tuning->space.count++] = option;
    return true;
}

static void full_text(const struct tuning *tuning, const struct tune_point *point, char *out) {
    const char *base = tuning->tuner->experiment->methods[0].text;
    char options[TEXT_ROOM / 2];
    tune_write(&tuning->space, point, options, sizeof options);
    snprintf(out, TEXT_ROOM, "%s%c%s", base, strchr(base, ':') ? ',' : ':', options);
}

/* Before anything is run, the option parser checks both ends of every range, and every choice. */
static bool check_values(struct tuning *tuning) {
    for (int i = 0; i < tuning->space.count; i++) {
        int choices = tuning->space.options[i].choices;
        for (int k = 0; k < (choices ? choices : 2); k++) {
            struct tune_point point = {{0}};
            char text[TEXT_ROOM];
            soloist_error why = {0};
            point.at[i] = k;
            full_text(tuning, &point, text);
            if (!plan_check_method(tuning->tuner->engine, text, &why))
                return refuse(tuning, &tuning->tuner->experiment->tunes[i], "%s", why.text);
        }
    }
    return true;
}

static bool open_space(struct tuning *tuning) {
    const struct experiment *experiment = tuning->tuner->experiment;
    static const soloist_domain any = {.aim = SOLOIST_LEAST_COST};
    struct search_choice choice;
    if (experiment->method_count != 1)
        return soloist_fail(tuning->error, 0, 0,
                            "the experiment %.60s cannot be tuned: it needs one method with one budget (it has %zu)",
                            tuning->tuner->name, experiment->method_count);
    if (!experiment->tune_count)
        return soloist_fail(tuning->error, 0, 0, "the experiment %.60s cannot be tuned: it has no tune line",
                            tuning->tuner->name);
    const struct experiment_method *method = &experiment->methods[0];
    if (strlen(method->text) > MOST_TEXT)
        return soloist_fail(tuning->error, method->line, method->column,
                            "a method that is tuned has at most %d characters; a preset can hold its options",
                            MOST_TEXT);
    soloist_error why = {0};
    if (search_choose(engine_methods(tuning->tuner->engine), method->text, &any, &choice, &why) != SOLOIST_OK)
        return soloist_fail(tuning->error, method->line, method->column, "%s", why.text);
    const struct search_method *searched = choice.method;
    search_choice_free(&choice);
    for (size_t i = 0; i < experiment->tune_count; i++) {
        const char *name = alias_option_now(searched->aliases, experiment->tunes[i].option);
        if (!add_option(tuning, &experiment->tunes[i], options_find(searched->options, name, strlen(name))))
            return false;
    }
    return check_values(tuning);
}

/* ---- trials ---- */

static double share_of(int rung) {
    double share = 1;
    for (; rung < TUNE_RUNGS - 1; rung++)
        share /= KEPT;
    return share;
}

/* A trial has a separate label for each rung, because its score on few instances must not change when it is run on
 * more. */
static void label_of(const struct tuning *tuning, const struct tune_trial *trial, int rung, char *out, size_t room) {
    char text[TEXT_ROOM];
    full_text(tuning, &trial->point, text);
    snprintf(out, room, "%s at %.2f", text, share_of(rung));
}

/* Plans runs of the given methods on a rung's share of the instances. If no methods are given, the earlier plan is
 * cleared. */
static int64_t plan(struct tuning *tuning, struct experiment_method *methods, size_t count, int rung) {
    const struct tuner *tuner = tuning->tuner;
    struct experiment part = *tuner->experiment;
    struct plan_wish wish = {
        .name = tuner->name, .text = tuner->text, .add = count > 0, .scale = share_of(rung), .stop = tuner->stop};
    part.methods = methods;
    part.method_count = count;
    return plan_write(tuner->store, tuner->engine, &part, &wish, tuner->files, tuning->error);
}

static bool run(struct tuning *tuning, int64_t experiment) {
    const struct tuner *tuner = tuning->tuner;
    struct runner runner = {.store = tuner->store,
                            .engine = tuner->engine,
                            .experiment = experiment,
                            .jobs = tuner->jobs,
                            .dispatch = tuner->dispatch,
                            .stop = tuner->stop,
                            .progress = tuner->runs,
                            .user = tuner->user};
    struct runner_count count;
    return runner_run(&runner, &count, tuning->error) &&
           (!count.left || soloist_fail(tuning->error, 0, 0, "interrupted: the same command continues"));
}

static bool read_scores(struct tuning *tuning, struct tune_trial *const *trials, size_t count, int rung) {
    const struct store *store = tuning->tuner->store;
    char label[TEXT_ROOM + 32];
    struct query row;
    struct buffer sql;
    buffer_open(&sql);
    soloist_sink sink = buffer_sink(&sql);
    soloist_print(&sink, TUNER_SCORE, tuning->better);
    query_open_select(&row, store, sql.failed ? NULL : sql.text, tuning->error);
    buffer_close(&sql);
    for (size_t i = 0; !row.failed && i < count; i++) {
        label_of(tuning, trials[i], rung, label, sizeof label);
        query_bind(&row, "t", label);
        bool known = query_next(&row) && query_type(&row, 0) != SQLITE_NULL;
        trials[i]->scores[rung] = known ? query_real(&row, 0) : TUNE_NO_SCORE;
        trials[i]->rungs = rung + 1;
        query_again(&row);
    }
    return query_close(&row);
}

/* Chooses what is maximised by default: the score, or the share of instances solved. */
static bool choose_aim(struct tuning *tuning) {
    const soloist_domain *domain = NULL;
    struct query row;
    query_open(&row, tuning->tuner->store, "SELECT domain FROM instances LIMIT 1", tuning->error);
    if (query_next(&row))
        domain = soloist_find_domain(tuning->tuner->engine, query_text(&row, 0));
    tuning->better = tuning->tuner->experiment->better.sql         ? tuning->tuner->experiment->better.sql
                     : domain && domain->aim == SOLOIST_MOST_SCORE ? "value"
                                                                   : "solved";
    return query_close(&row);
}

static bool evaluate(struct tuning *tuning, struct tune_trial *const *trials, size_t count, int rung) {
    struct experiment_method *methods = calloc(count, sizeof *methods);
    char(*texts)[2][TEXT_ROOM + 32] = calloc(count, sizeof *texts);
    bool well = (methods && texts) || soloist_fail(tuning->error, 0, 0, "out of memory");
    for (size_t i = 0; well && i < count; i++) {
        full_text(tuning, &trials[i]->point, texts[i][0]);
        label_of(tuning, trials[i], rung, texts[i][1], sizeof texts[i][1]);
        methods[i] = tuning->tuner->experiment->methods[0];
        methods[i].text = texts[i][0];
        methods[i].label = texts[i][1];
    }
    int64_t experiment = well ? plan(tuning, methods, count, rung) : 0;
    well = experiment && store_look_at(tuning->tuner->store, experiment, STORE_LIVE, tuning->error);
    well = well && (tuning->better || choose_aim(tuning));
    well = well && run(tuning, experiment) && read_scores(tuning, trials, count, rung);
    free(methods);
    free(texts);
    return well;
}

static int by_score(const void *a, const void *b) {
    return tune_compare(*(const struct tune_trial *const *)a, *(const struct tune_trial *const *)b);
}

/* Runs the trials by successive halving. Afterwards `sorted` has the best trial first. */
static bool halve(struct tuning *tuning, struct tune_trial **sorted, size_t count) {
    size_t left = count;
    for (int rung = 0; rung < TUNE_RUNGS; rung++) {
        if (!evaluate(tuning, sorted, left, rung))
            return false;
        qsort(sorted, left, sizeof *sorted, by_score);
        left = (left + KEPT - 1) / KEPT;
    }
    return true;
}

/* ---- generations ---- */

/* Chooses the next point. False: there are no more points, or memory ran out, which is reported as an error. */
static bool draw(struct tuning *tuning, const struct tune_entropy *entropy, struct tune_point *point) {
    const struct tuner *tuner = tuning->tuner;
    soloist_rng rng;
    soloist_rng_seed(&rng, tuner->seed, tuning->count);
    if (tuner->way == TUNER_GRID)
        return tune_grid(&tuning->space, tuner->steps, tuning->count, point);
    if (tuner->way == TUNER_ENTROPY)
        tune_entropy_draw(&tuning->space, entropy, &rng, point);
    else if (!tune_model(&tuning->space, tuning->trials, tuning->count, &rng, point))
        return soloist_fail(tuning->error, 0, 0, "out of memory");
    return true;
}

static void tell(const struct tuning *tuning, struct tuner_progress *progress, char *best, size_t room) {
    const struct tune_trial *top = NULL;
    for (size_t i = 0; i < tuning->count; i++)
        if (tuning->trials[i].rungs && (!top || tune_compare(&tuning->trials[i], top) < 0))
            top = &tuning->trials[i];
    *progress = (struct tuner_progress){.trials = tuning->count, .best = best};
    if (top) {
        char text[TEXT_ROOM];
        full_text(tuning, &top->point, text);
        snprintf(best, room, "%s", text);
        progress->rung = top->rungs - 1;
        progress->score = top->scores[progress->rung];
    }
    if (tuning->tuner->reported)
        tuning->tuner->reported(tuning->tuner->user, progress);
}

/* A grid is one generation. The Gaussian process learns after every nine trials, the cross-entropy method after every
 * eighteen. */
static size_t generation_size(const struct tuner *tuner) {
    return tuner->way == TUNER_GRID ? tuner->trials : tuner->way == TUNER_ENTROPY ? 18 : 9;
}

static bool search(struct tuning *tuning, struct tuner_progress *progress, char *best, size_t room) {
    const struct tuner *tuner = tuning->tuner;
    size_t size = generation_size(tuner);
    struct tune_trial **sorted = calloc(size, sizeof *sorted);
    struct tune_entropy entropy;
    bool well = sorted || soloist_fail(tuning->error, 0, 0, "out of memory"), more = true;
    tune_entropy_open(&tuning->space, &entropy);
    while (well && more && tuning->count < tuner->trials) {
        size_t made = 0;
        while (made < size && tuning->count < tuner->trials &&
               (more = draw(tuning, &entropy, &tuning->trials[tuning->count].point)))
            sorted[made++] = &tuning->trials[tuning->count++];
        well = more || tuner->way == TUNER_GRID;
        if (!well || !made)
            break;
        well = halve(tuning, sorted, made);
        if (tuner->way == TUNER_ENTROPY && well)
            tune_entropy_learn(&tuning->space, (const struct tune_trial *const *)sorted, (made + 3) / 4, &entropy);
        tell(tuning, progress, best, room);
    }
    free(sorted);
    return well;
}

bool tuner_run(const struct tuner *tuner, struct tuner_progress *progress, char *best, size_t room,
               soloist_error *error) {
    struct tuning tuning = {.tuner = tuner, .error = error};
    *progress = (struct tuner_progress){.best = best};
    *best = 0;
    tuning.trials = calloc(tuner->trials + 1, sizeof *tuning.trials);
    bool well = tuning.trials ? open_space(&tuning) : soloist_fail(error, 0, 0, "out of memory");
    well = well && plan(&tuning, NULL, 0, TUNE_RUNGS - 1) && search(&tuning, progress, best, room);
    free(tuning.trials);
    return well;
}
