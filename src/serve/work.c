#include "serve/work.h"
#include "base/buffer.h"
#include "base/options.h"
#include "base/stop.h"
#include "engine/engine.h"
#include "engine/make.h"
#include "search/special/registry.h"
#include "soloist_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"solve", "hint", "optimize", "generate", NULL};

const char *work_kind_name(enum work_kind kind) { return kinds[kind]; }

/* ---- reading ---- */

static void read_bands(struct fields *fields, const char *name, double *bounds) {
    struct json_value bands = json_member(fields->object, name), key, value;
    if (bands.kind == JSON_NONE || bands.kind == JSON_NULL)
        return;
    if (bands.kind != JSON_OBJECT)
        soloist_fail(&fields->error, 0, 0, "%s: expected an object with one number per measure", name);
    for (const char *step = NULL; bands.kind == JSON_OBJECT && json_next(bands, &step, &key, &value);) {
        char word[40];
        long length = json_get_text(key, word, sizeof word);
        enum measure measure = length < (long)sizeof word ? measure_find(word, (size_t)length) : MEASURES;
        double number;
        if (measure == MEASURES) {
            soloist_fail(&fields->error, 0, 0, "%s: there is no measure '%s'", name, word);
            return;
        }
        if (!json_get_real(value, &number) || number < 0 || number > 1e9) {
            soloist_fail(&fields->error, 0, 0, "%s: %s: expected a number from 0 to 1e9", name, word);
            return;
        }
        bounds[measure] = number;
    }
}

static void read_limits(struct work *work, struct fields *fields, const struct work_limits *most) {
    double usual = most->time_s < 60 ? most->time_s : 60;
    work->limits = (soloist_limits){
        .time_s = fields_real(fields, "time", usual, 0.001, most->time_s),
        .nodes = fields_count(fields, "nodes", 0, UINT64_MAX),
        .iterations = fields_count(fields, "iterations", 0, UINT64_MAX),
        .memory = (size_t)fields_count(fields, "memory", most->memory, most->memory),
        .threads = (int)fields_count(fields, "threads", 1, (uint64_t)most->threads),
        .seed = fields_count(fields, "seed", 1, UINT64_MAX),
    };
    if (!work->limits.memory)
        work->limits.memory = most->memory;
}

/* A solve proves one count; shortening minimises several. */
static void read_aim(struct work *work, struct fields *fields) {
    static const char *const provable[] = {"pushes", "moves", NULL};
    int choice = work->kind == WORK_SOLVE ? fields_choice(fields, "aim", provable, -1) : -1;
    work->prove = choice >= 0 ? provable[choice] : NULL;
    if (work->kind != WORK_OPTIMIZE)
        return;
    char *text = fields_text(fields, "aim", WORK_NAME_MOST);
    soloist_error error = {0};
    work->aim = POLISH_PUSHES_MOVES;
    if (text && !polish_aim_read(text, &work->aim, &error))
        soloist_fail(&fields->error, 0, 0, "aim: %s", error.text);
    free(text);
}

void work_read_pace(struct work_pace *pace, struct fields *fields) {
    pace->paused = fields_bool(fields, "paused", pace->paused);
    pace->every = fields_count(fields, "every", pace->every, UINT64_MAX / 2);
    pace->delay_s = fields_real(fields, "delay", pace->delay_s, 0, 10);
}

bool work_read(struct work *work, struct fields *fields, const struct work_limits *most) {
    *work = (struct work){.kind = (enum work_kind)fields_choice(fields, "kind", kinds, WORK_SOLVE)};
    bool generates = work->kind == WORK_GENERATE;
    work->domain =
        generates ? fields_needed(fields, "domain", WORK_NAME_MOST) : fields_text(fields, "domain", WORK_NAME_MOST);
    if (!generates)
        work->text = fields_needed(fields, "text", WORK_TEXT_MOST);
    work->options = fields_text(fields, "options", WORK_OPTIONS_MOST);
    work->method = fields_text(fields, "method", WORK_OPTIONS_MOST);
    work->tag = fields_text(fields, "tag", WORK_TAG_MOST);
    if (work->kind == WORK_OPTIMIZE)
        work->solution = fields_needed(fields, "solution", WORK_SOLUTION_MOST);
    read_aim(work, fields);
    read_limits(work, fields, most);
    work->pace.watched = fields_bool(fields, "watch", false);
    work_read_pace(&work->pace, fields);
    if (generates && fields_good(fields)) {
        work->grade = (struct grade){
            .time_s = work->limits.time_s, .count = 1, .seed = work->limits.seed, .threads = work->limits.threads};
        read_bands(fields, "least", work->grade.bands.least);
        read_bands(fields, "most", work->grade.bands.most);
    }
    return fields_good(fields);
}

void work_free(struct work *work) {
    char *texts[] = {work->domain, work->text, work->options, work->method, work->solution, work->tag};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    *work = (struct work){0};
}

/* ---- instances ---- */

soloist_code work_puzzle(const soloist *engine, const char *domain, const char *options, const char *text,
                         soloist_stop_token *stop, soloist_puzzle *puzzle, soloist_error *error) {
    size_t length = strlen(text);
    const soloist_domain *found =
        domain ? soloist_find_domain(engine, domain) : soloist_recognise(engine, text, length);
    soloist_chunk chunk, second;
    if (!found) {
        soloist_fail(error, 0, 0, domain ? "there is no such domain" : "the text is not recognised as a puzzle");
        return SOLOIST_BAD_INPUT;
    }
    soloist_cursor cursor = soloist_cursor_open(text, length);
    if (!found->life->next(&cursor, &chunk)) {
        soloist_fail(error, 0, 0, "there is no puzzle in the text");
        return SOLOIST_BAD_INPUT;
    }
    if (found->life->next(&cursor, &second)) {
        soloist_fail(error, second.line, 0, "there is more than one puzzle in the text");
        return SOLOIST_BAD_INPUT;
    }
    return soloist_puzzle_read_within(found, options, &chunk, stop, puzzle, error);
}

/* Whether solutions of the domain can be proved to have the fewest pushes or moves. */
static bool can_prove(const soloist_domain *domain, bool counts_several, const char *count, soloist_error *error) {
    if (domain->aim == SOLOIST_MOST_SCORE)
        return soloist_fail(error, 0, 0, "aim: in %s the highest score is wanted, not the fewest %s", domain->name,
                            count);
    if (!counts_several && strcmp(count, "moves") != 0)
        return soloist_fail(error, 0, 0, "aim: %s cannot minimise %s, only its own cost", domain->name, count);
    return true;
}

/* What the search counts is an option of the domain, if the domain counts several things. */
static soloist_code read_puzzle(const struct work *work, const soloist *engine, soloist_stop_token *stop,
                                soloist_puzzle *puzzle, soloist_error *error) {
    soloist_code code = work_puzzle(engine, work->domain, work->options, work->text, stop, puzzle, error);
    if (code != SOLOIST_OK || !work->prove)
        return code;
    bool counts_several = options_find(puzzle->domain->options, "optimal", strlen("optimal"));
    if (!can_prove(puzzle->domain, counts_several, work->prove, error)) {
        soloist_puzzle_free(puzzle);
        return SOLOIST_UNSUPPORTED;
    }
    if (!counts_several)
        return SOLOIST_OK;
    char options[WORK_OPTIONS_MOST + WORK_NAME_MOST + 16];
    const char *given = work->options ? work->options : "";
    snprintf(options, sizeof options, "%s%soptimal=%s", given, *given ? "," : "", work->prove);
    soloist_puzzle_free(puzzle);
    return work_puzzle(engine, work->domain, options, work->text, stop, puzzle, error);
}

/* ---- results ---- */

static void write_count(struct json_writer *json, const char *name, bool known, uint64_t value) {
    if (known)
        json_uint(json, name, value);
    else
        json_null(json, name);
}

static void write_solution(struct json_writer *json, const soloist_domain *domain, const char *solution) {
    if (solution && domain->text->solution_is_json)
        json_raw(json, "solution", solution);
    else
        json_text(json, "solution", solution);
}

/* proved: what is proved if the result is optimal, such as "pushes" or "pushes-moves". */
static bool write_result(struct json_writer *json, const soloist_puzzle *puzzle, const soloist_result *result,
                         const char *proved) {
    bool found = result->solution;
    int64_t counts[SPECIAL_COUNTS];
    if (!special_counts(puzzle, result->solution, counts))
        return false;
    json_text(json, "status", soloist_status_name(result->status));
    json_text(json, "stopped", soloist_stop_name(result->stopped));
    write_solution(json, puzzle->domain, result->solution);
    write_count(json, "moves", found, (uint64_t)result->verdict.moves);
    write_count(json, "pushes", found && result->verdict.pushes >= 0, (uint64_t)result->verdict.pushes);
    if (found)
        json_int(json, "value", result->verdict.value);
    else
        json_null(json, "value");
    for (int i = 0; i < SPECIAL_COUNTS; i++)
        if (found && counts[i] != SPECIAL_NO_COUNT)
            json_int(json, special_count_name((enum special_count)i), counts[i]);
    json_bool(json, "optimal", found && result->optimal);
    json_text(json, "optimal_for", found && result->optimal ? proved : NULL);
    json_real(json, "time_s", result->time_s);
    json_uint(json, "nodes", result->nodes);
    write_count(json, "iterations", result->has_iterations, result->iterations);
    write_count(json, "playouts", result->has_playouts, result->playouts);
    write_count(json, "expanded", result->has_expanded, result->expanded);
    json_uint(json, "memory", result->peak_bytes);
    json_text(json, "method", *result->method ? result->method : NULL);
    json_text(json, "warning", *result->warning ? result->warning : NULL);
    return true;
}

void work_write_advice(struct json_writer *json, const soloist_advice *advice) {
    static const char *const outlooks[] = {"unknown", "alive", "ended", "lost"};
    bool lost = advice->outlook == SOLOIST_OUTLOOK_LOST;
    json_text(json, "outlook", outlooks[advice->outlook]);
    json_text(json, "move", advice->move);
    json_text(json, "line", advice->line);
    json_text(json, "reason", lost ? advice->reason : NULL);
    json_text(json, "sentence", lost ? advice->sentence : NULL);
    json_text(json, "board", lost ? advice->board : NULL);
}

/* ---- the kinds of work ---- */

struct task_of_work {
    const struct work *work;
    const soloist *engine;
    const soloist_puzzle *puzzle;
    const soloist_limits *limits;
    const struct work_listener *listener;
    const soloist_callbacks *callbacks; /* tell the listener, for work that has no line to show */
    struct json_writer *json;
    soloist_error *error;
};

static soloist_code no_memory(soloist_code code, bool written) {
    return code == SOLOIST_OK && !written ? SOLOIST_NO_MEMORY : code;
}

/* A watcher that asks the listener how far the search may go. */
struct viewer {
    soloist_watcher watcher;
    const struct work_listener *listener;
};

static void see(void *user, const soloist_sight *sight) {
    struct viewer *viewer = user;
    viewer->watcher.every = viewer->listener->told(viewer->listener->user, sight);
}

/* With an aim, the search must prove its solution; A* does that in every domain that has a bound. */
static soloist_code solve(const struct task_of_work *task) {
    const char *method = task->work->method ? task->work->method : task->work->prove ? "astar" : NULL;
    if (task->work->prove && !soloist_method_proves(task->engine, task->puzzle->domain, method)) {
        soloist_fail(task->error, 0, 0, "aim: %.60s does not prove that a solution is optimal", method);
        return SOLOIST_UNSUPPORTED;
    }
    const struct work_pace *pace = &task->work->pace;
    struct viewer viewer = {.listener = task->listener};
    soloist_progress start = {0};
    if (pace->watched && pace->paused) /* it waits here, even if it is too short to be seen later */
        viewer.listener->told(viewer.listener->user,
                              &(soloist_sight){.size = sizeof(soloist_sight), .progress = &start});
    viewer.watcher = (soloist_watcher){sizeof viewer.watcher, see, &viewer, WORK_EVERY_S, 0};
    if (pace->paused || pace->every) /* then even the first steps of the search are shown */
        viewer.watcher.every = pace->every ? pace->every : 1;
    soloist_result result = {0};
    soloist_code code =
        soloist_watch(task->engine, task->puzzle, method, task->limits, &viewer.watcher, &result, task->error);
    char proved[POLISH_AIM_ROOM];
    engine_objective(task->puzzle, &result.verdict, proved);
    code = no_memory(code, code != SOLOIST_OK || write_result(task->json, task->puzzle, &result, proved));
    soloist_result_free(&result);
    return code;
}

static soloist_code shorten(const struct task_of_work *task) {
    char counts[POLISH_AIM_ROOM];
    soloist_result result = {0};
    polish_aim_name(task->work->aim, counts);
    const char *solution = task->work->solution;
    soloist_code code = soloist_optimize(task->engine, task->puzzle, solution, strlen(solution), counts, task->limits,
                                         task->callbacks, &result, task->error);
    code = no_memory(code, code != SOLOIST_OK || write_result(task->json, task->puzzle, &result, counts));
    soloist_result_free(&result);
    return code;
}

static soloist_code advise(const struct task_of_work *task) {
    soloist_advice advice = {0};
    soloist_code code = soloist_hint(task->engine, task->puzzle, task->work->method, task->limits, task->callbacks,
                                     &advice, task->error);
    if (code == SOLOIST_OK) {
        work_write_advice(task->json, &advice);
        json_real(task->json, "time_s", advice.result.time_s);
    }
    soloist_advice_free(&advice);
    return code;
}

static void write_measures(struct json_writer *json, const struct measures *measures) {
    json_object(json, "measures");
    for (int i = 0; i < MEASURES; i++)
        if (measures->known[i])
            json_real(json, measure_name((enum measure)i), measures->value[i]);
    json_end(json, '}');
}

static soloist_code generate_graded(const struct work *work, const soloist *engine, const soloist_domain *domain,
                                    const void *options, soloist_stop_token *stop, struct json_writer *json,
                                    soloist_error *error) {
    struct grade_callbacks callbacks = {.stop = stop};
    struct grade_result result;
    soloist_code code = grade_make(engine, domain, options, &work->grade, &callbacks, &result, error);
    if (code == SOLOIST_OK) {
        json_text(json, "text", result.count ? result.levels[0].board : NULL);
        json_text(json, "solution", result.count ? result.levels[0].solution : NULL);
        if (result.count)
            write_measures(json, &result.levels[0].measures);
        json_uint(json, "candidates", result.candidates);
    }
    grade_free(&result);
    return code;
}

static soloist_code generate_plain(const struct work *work, const soloist_domain *domain, const void *options,
                                   soloist_stop_token *stop, struct json_writer *json, soloist_error *error) {
    struct buffer text;
    soloist_rng rng;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    soloist_rng_seed(&rng, work->limits.seed, 0);
    soloist_stop_token within;
    stop_token_open(&within, stop);
    soloist_stop_token_deadline(&within, work->limits.time_s);
    soloist_code code = make_draw(domain, options, &rng, &within, &sink, error);
    if (code == SOLOIST_OK && text.failed)
        code = SOLOIST_NO_MEMORY;
    if (code == SOLOIST_OK)
        json_text(json, "text", text.text ? text.text : "");
    buffer_close(&text);
    return code;
}

static soloist_code generate(const struct work *work, const soloist *engine, soloist_stop_token *stop,
                             struct json_writer *json, soloist_error *error) {
    const soloist_domain *domain = soloist_find_domain(engine, work->domain);
    if (!domain || !domain->generate) {
        soloist_fail(error, 0, 0, domain ? "this domain has no generator" : "there is no such domain");
        return SOLOIST_BAD_INPUT;
    }
    void *options = calloc(1, domain->generate->options_size + 1);
    if (!options)
        return SOLOIST_NO_MEMORY;
    soloist_options_reset(domain->generate->options, options);
    soloist_code code = soloist_options_parse(domain->generate->options, options, work->options, error);
    if (code == SOLOIST_OK && grade_wanted(&work->grade))
        code = generate_graded(work, engine, domain, options, stop, json, error);
    else if (code == SOLOIST_OK)
        code = generate_plain(work, domain, options, stop, json, error);
    free(options);
    return code;
}

static void tell(void *user, const soloist_progress *progress) {
    const struct work_listener *listener = user;
    soloist_sight sight = {.size = sizeof sight, .progress = progress};
    listener->told(listener->user, &sight);
}

bool work_run(const struct work *work, const soloist *engine, soloist_stop_token *stop,
              const struct work_listener *listener, struct json_writer *json, soloist_error *error) {
    soloist_callbacks callbacks = {tell, NULL, (void *)(uintptr_t)listener};
    soloist_puzzle puzzle;
    soloist_limits limits = work->limits;
    limits.stop = stop;
    soloist_code code;
    if (work->kind == WORK_GENERATE) {
        code = generate(work, engine, stop, json, error);
    } else if ((code = read_puzzle(work, engine, stop, &puzzle, error)) == SOLOIST_OK) {
        static soloist_code (*const acts[])(const struct task_of_work *) = {solve, advise, shorten};
        code =
            acts[work->kind](&(struct task_of_work){work, engine, &puzzle, &limits, listener, &callbacks, json, error});
        soloist_puzzle_free(&puzzle);
    }
    if (code == SOLOIST_NO_MEMORY)
        soloist_fail(error, 0, 0, "out of memory");
    else if (code == SOLOIST_STOPPED)
        soloist_fail(error, 0, 0, "stopped before there was a result");
    else if (code != SOLOIST_OK && !*error->text)
        soloist_fail(error, 0, 0, "it failed");
    return code == SOLOIST_OK;
}
