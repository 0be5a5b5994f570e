#include "lab/run/plan.h"
#include "base/buffer.h"
#include "base/ranges.h"
#include "base/suggest.h"
#include "base/table.h"
#include "lab/run/dead_run.h"
#include "lab/run/seal_text.h"
#include "lab/run/teach.h"
#include "learn/predict/predictor.h"
#include "learn/train/games.h"
#include "engine/engine.h"
#include "engine/identity.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NETWORK_ROOM = 160, KNOWN_BY_ROOM = 48 };

struct planning {
    const soloist *engine;
    const struct experiment *experiment;
    const struct plan_files *files;
    const struct plan_book *book;
    const struct experiment_source *source;
    const soloist_domain *domain; /* domain of the source */
    /* Index 0: any network; index 1: a network with values. asked: a network for the source's instances has been looked
     * up; found: there is one, and `networks` has its name. */
    bool asked[2], found[2];
    bool starved; /* memory was refused in a callback, which could report this only as "there is none" */
    char networks[2][NETWORK_ROOM];
    uint64_t *taught; /* keys of the trainings, by training and seed */
    struct net *nets; /* networks of the trainings so far */
    size_t net_count;
    bool *readable; /* by method: the network that is trained for it reads an instance of the source */
    char trained[NETWORK_ROOM];
    struct memory memory;
    /* Hashes of the labels and identities of all instances so far, each with the source that was the first to have the
     * instance. */
    struct table seen;
    uint64_t left_out, kept; /* numbers of the source's instances that are equal to earlier ones, see plan.h */
    struct plan_extent extent;
    const struct plan_wish *wish;
    soloist_error why; /* why a trained network does not read an instance of the source; "": none was asked */
    soloist_error *error;
};

bool plan_holds(uint64_t index, double scale) {
    return index == 0 || (uint64_t)((double)index * scale) != (uint64_t)((double)(index - 1) * scale);
}

static bool no_memory(const struct planning *planning) { return soloist_fail(planning->error, 0, 0, "out of memory"); }

/* A run's label, and everything that determines the run except its instance and seed. */
struct wanted {
    const char *method, *network, *label, *source;
    struct experiment_limits limits;
};

char *plan_spell(const soloist *engine, const char *method, bool now) {
    if (dead_run_is(method))
        return strdup(method);
    return lesson_is(method) ? lesson_spell(method, now) : search_spell(engine_methods(engine), method, now);
}

static bool add_run(struct planning *planning, const struct wanted *wanted, uint64_t seed, int64_t number) {
    char *now = plan_spell(planning->engine, wanted->method, true);
    char *former = plan_spell(planning->engine, wanted->method, false);
    struct plan_run run = {now, former, wanted->network, wanted->label, wanted->source, seed, number, wanted->limits};
    bool well = now && former ? planning->book->run(planning->book->user, &run, planning->error) : no_memory(planning);
    free(former);
    free(now);
    return well;
}

static enum search_network network_of(struct planning *planning, const char *method) {
    struct search_choice choice;
    if (dead_run_is(method))
        return SEARCH_NETWORK_WITH_VALUES;
    soloist_code code = search_choose(engine_methods(planning->engine), method, planning->domain, &choice, NULL);
    planning->starved |= code == SOLOIST_NO_MEMORY;
    if (code != SOLOIST_OK)
        return SEARCH_NETWORK_NONE;
    enum search_network network = choice.method->network ? choice.method->network(choice.options) : SEARCH_NETWORK_NONE;
    search_choice_free(&choice);
    return network;
}

/* The network for the instances of a source, looked up once; NULL: there is none. */
static const char *find_network(struct planning *planning, const soloist_chunk *chunk, bool valued) {
    soloist_puzzle puzzle;
    soloist_error why = {0};
    if (planning->asked[valued])
        return planning->found[valued] ? planning->networks[valued] : NULL;
    planning->asked[valued] = true;
    soloist_code code = soloist_puzzle_read(planning->domain, planning->source->options, chunk, &puzzle, &why);
    planning->starved |= code == SOLOIST_NO_MEMORY;
    if (code == SOLOIST_OK) {
        planning->found[valued] =
            !planning->domain->learn || planning->files->network(planning->files->user, &puzzle, valued,
                                                                 planning->networks[valued], NETWORK_ROOM, &why);
        soloist_puzzle_free(&puzzle);
    } else {
        planning->found[valued] = true; /* the instance is wrong, which the run itself will report */
    }
    if (!planning->found[valued] && planning->files->left_out)
        planning->files->left_out(planning->files->user, planning->source->label, why.text);
    return planning->found[valued] ? planning->networks[valued] : NULL;
}

/* The index of the training with this label; the number of trainings if there is none. */
static size_t find_training(const struct experiment *experiment, const char *label) {
    size_t i = 0;
    while (i < experiment->training_count && strcmp(experiment->trainings[i].label, label) != 0)
        i++;
    return i;
}

/* The network of the training with this label. If the training was run with several seeds, the one with the same seed
 * is used. */
static const char *trained_network(struct planning *planning, const char *label, size_t seed) {
    const struct experiment *experiment = planning->experiment;
    size_t training = find_training(experiment, label);
    seed = experiment->trainings[training].once ? 0 : seed;
    snprintf(planning->trained, sizeof planning->trained, TEACH_NETWORK,
             (unsigned long long)planning->taught[training * experiment->seed_count + seed]);
    return planning->trained;
}

/* The network for a method on this source: "" if the method needs no network, NULL if there is none. */
static const char *network_for(struct planning *planning, const struct experiment_method *method, size_t seed,
                               const soloist_chunk *chunk) {
    if (method->trained)
        return trained_network(planning, method->trained, seed);
    enum search_network network = planning->files->network ? network_of(planning, method->text) : SEARCH_NETWORK_NONE;
    return network ? find_network(planning, chunk, network == SEARCH_NETWORK_WITH_VALUES) : "";
}

static bool runs_on_source(const struct planning *planning, const struct experiment_method *method) {
    return !method->on || !strcmp(method->on, planning->source->label);
}

/* Checks that the domain of the source has what the methods need, before anything is run. */
static bool check_needs(struct planning *planning) {
    const struct experiment *experiment = planning->experiment;
    const soloist_limits limits = {.nodes = 1}; /* some limit: only the domain is checked */
    for (size_t m = 0; m < experiment->method_count; m++) {
        const struct experiment_method *method = &experiment->methods[m];
        soloist_error why = {0};
        bool depends;
        if (runs_on_source(planning, method) &&
            !(dead_run_is(method->text) ? dead_run_check(planning->engine, planning->domain, method->text, &why)
                                        : engine_method_suits_domain(planning->engine, planning->domain, method->text,
                                                                     &limits, &depends, &why) == SOLOIST_OK))
            return soloist_fail(planning->error, method->line, method->column, "%s%s", why.text,
                                experiment->source_count > 1 && !method->on ? " (on=LABEL names its instances)" : "");
    }
    return true;
}

static bool add_runs(struct planning *planning, const soloist_chunk *chunk, int64_t number) {
    const struct experiment *experiment = planning->experiment;
    for (size_t s = 0; s < experiment->seed_count; s++) {
        uint64_t seed = experiment->seeds[s];
        if (experiment->seed_by_instance)
            seed = seed * 1000000 + (uint64_t)number;
        for (size_t m = 0; m < experiment->method_count; m++) {
            const struct experiment_method *method = &experiment->methods[m];
            struct wanted wanted = {method->text, "", method->label, planning->source->label, method->limits};
            if (!runs_on_source(planning, method) || (method->once && s > 0))
                continue;
            wanted.network = network_for(planning, method, s, chunk);
            if (planning->starved)
                return no_memory(planning);
            if (wanted.network && !add_run(planning, &wanted, seed, number))
                return false;
        }
    }
    return true;
}

/* Computes the identity of an instance that cannot be parsed. */
static void known_by_text(struct planning *planning, const char *prefix, const char *options, const char *text,
                          char out[KNOWN_BY_ROOM]) {
    snprintf(out, KNOWN_BY_ROOM, "%s%016llx", prefix,
             (unsigned long long)seal_of_texts(planning->domain->name, options, text));
}

/* Whether the method uses a trained network on the source. */
static bool uses_trained(const struct planning *planning, const struct experiment_method *method) {
    return method->trained && runs_on_source(planning, method);
}

static bool reads(const struct planning *planning, const struct experiment_method *method, const soloist_puzzle *puzzle,
                  soloist_error *why) {
    const struct net *net = &planning->nets[find_training(planning->experiment, method->trained)];
    return puzzle->domain->learn ? predictor_reads(net, puzzle->domain, puzzle->instance, why)
                                 : soloist_fail(why, 0, 0, "networks cannot read %.60s", puzzle->domain->name);
}

/* Notes which trained networks read the instance. */
static void note_readable(struct planning *planning, const soloist_puzzle *puzzle) {
    const struct experiment *experiment = planning->experiment;
    for (size_t m = 0; m < experiment->method_count; m++)
        if (uses_trained(planning, &experiment->methods[m]) && !planning->readable[m])
            planning->readable[m] = reads(planning, &experiment->methods[m], puzzle, &planning->why);
}

/* Refuses a trained network that reads no instance of the source, before it is trained. */
static bool check_readable(const struct planning *planning) {
    const struct experiment *experiment = planning->experiment;
    for (size_t m = 0; *planning->why.text && m < experiment->method_count; m++) {
        const struct experiment_method *method = &experiment->methods[m];
        if (uses_trained(planning, method) && !planning->readable[m])
            return soloist_fail(planning->error, method->trained_place.line, method->trained_place.column,
                                "trained=%.60s: it cannot read the instances %.60s: %.120s", method->trained,
                                planning->source->label, planning->why.text);
    }
    return true;
}

/* Computes the identity of the parsed instance or, if it cannot be parsed, of its text. */
static bool identify(struct planning *planning, const soloist_chunk *chunk, const char *text, bool *parsed,
                     char out[KNOWN_BY_ROOM]) {
    const char *options = planning->source->options;
    soloist_chunk whole = *chunk;
    soloist_puzzle puzzle;
    *parsed = false;
    whole.text = text;
    whole.length = strlen(text);
    soloist_code code = soloist_puzzle_read(planning->domain, options, &whole, &puzzle, NULL);
    if (code == SOLOIST_NO_MEMORY)
        return no_memory(planning);
    if (code != SOLOIST_OK) {
        known_by_text(planning, "unread:", options, text, out);
        return true;
    }
    *parsed = true;
    bool well = identity_of(planning->engine, &puzzle, out) || no_memory(planning);
    note_readable(planning, &puzzle);
    soloist_puzzle_free(&puzzle);
    return well;
}

/* Looks for an equal instance with the same label. *leave: another line has it, so that this one is left out. */
static bool find_equal(struct planning *planning, const char *identity, bool *leave) {
    const struct experiment_source *source = planning->source, *first = source;
    uint64_t hash = seal_of_texts(source->label, identity, "");
    bool added;
    uint32_t index = table_put(&planning->seen, hash, &hash, &added);
    if (index == POOL_NONE)
        return no_memory(planning);
    if (added)
        memcpy(table_extra(&planning->seen, index), &source, sizeof source);
    else
        memcpy(&first, table_extra(&planning->seen, index), sizeof first);
    *leave = first != source && !source->generated;
    planning->left_out += *leave;
    planning->kept += !added && !*leave;
    return true;
}

/* Adds a chunk as a text that ends with a newline. The text is cut at a byte that an SQLite text cannot contain. */
static bool add_instance(struct planning *planning, const soloist_chunk *chunk, int64_t number) {
    const struct experiment_source *source = planning->source;
    char *text = strndup(chunk->text, chunk->length), identity[KNOWN_BY_ROOM], former[KNOWN_BY_ROOM];
    bool parsed, leave = false;
    if (!text)
        return no_memory(planning);
    known_by_text(planning, SEAL_BY_TEXT, source->options, text, former);
    struct plan_instance instance = {.identity = identity,
                                     .domain = planning->domain->name,
                                     .options = source->options,
                                     .text = text,
                                     .name = chunk->name,
                                     .source = source->label,
                                     .number = number};
    bool well = identify(planning, chunk, text, &parsed, identity);
    instance.former = parsed ? former : NULL;
    well = well && find_equal(planning, identity, &leave) &&
           (leave || planning->book->instance(planning->book->user, &instance, planning->error));
    free(text);
    return well && (leave || add_runs(planning, chunk, number));
}

/* ---- the instances of a source ---- */

static bool refuse_source(struct planning *planning, const char *format, const char *word) {
    return soloist_fail(planning->error, planning->source->line, planning->source->column, format, word);
}

/* The domain's options are checked before anything is run, so that a typing error wastes no time. */
static bool check_options(struct planning *planning, const soloist_option *rows, size_t size, const char *text) {
    soloist_error why = {0};
    return suggest_check_options(rows, size, text, &why) || refuse_source(planning, "%s", why.text);
}

static bool refuse_domain(struct planning *planning, const char *name) {
    struct suggestion nearest = suggest_open(name);
    for (size_t i = 0; soloist_domain_at(planning->engine, i); i++)
        suggest_offer(&nearest, soloist_domain_at(planning->engine, i)->name);
    char text[160];
    snprintf(text, sizeof text, "no domain %.60s: %s%.60s%s", name, nearest.best ? "did you mean " : "",
             nearest.best ? nearest.best : "`soloist info` lists them", nearest.best ? "?" : "");
    return refuse_source(planning, "%s", text);
}

static bool find_domain(struct planning *planning, const char *text, size_t length) {
    const struct experiment_source *source = planning->source;
    planning->domain = source->domain ? soloist_find_domain(planning->engine, source->domain)
                                      : soloist_recognise(planning->engine, text, length);
    if (!planning->domain && source->domain)
        return refuse_domain(planning, source->domain);
    if (!planning->domain)
        return refuse_source(planning, "%.100s is not recognised as a file of any domain: add domain=NAME",
                             source->name);
    return check_options(planning, planning->domain->options, planning->domain->options_size, source->options) &&
           check_needs(planning);
}

/* Identifying and generating instances may take minutes: each one is preceded by this check. */
static bool goes_on(const struct planning *planning) {
    const struct plan_wish *wish = planning->wish;
    if (!wish->stop || !soloist_stopped(wish->stop))
        return true;
    if (wish->interrupted)
        *wish->interrupted = true;
    return soloist_fail(planning->error, 0, 0, "%.100s: interrupted while its runs were planned", wish->name);
}

static bool add_text(struct planning *planning, const char *text, size_t length) {
    const struct experiment_source *source = planning->source;
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk;
    int number = 0;
    uint64_t chosen = 0;
    while (planning->domain->life->next(&cursor, &chunk)) {
        if (!ranges_hold(source->range, ++number))
            continue;
        planning->extent.all++;
        if (!plan_holds(chosen++, planning->wish->scale))
            continue;
        planning->extent.chosen++;
        if (!goes_on(planning) || !add_instance(planning, &chunk, number))
            return false;
    }
    if (!chosen && number)
        return soloist_fail(planning->error, source->line, source->column,
                            "%.100s: %.60s selects none of its %d instance%s", source->name, source->range, number,
                            number == 1 ? "" : "s");
    return chosen || refuse_source(planning, "%.150s: no instance in it", source->name);
}

/* Whether a number or range that is not valid follows the last colon of a name. */
static bool has_wrong_range(const char *name) {
    const char *colon = strrchr(name, ':');
    return colon && colon[1] && !colon[1 + strspn(colon + 1, "0123456789,-")];
}

static bool add_file(struct planning *planning) {
    size_t length = 0;
    soloist_error why = {0};
    char *text = planning->files->read(planning->files->user, planning->source->name, &length, &why);
    if (!text && planning->source->optional) {
        if (planning->files->left_out)
            planning->files->left_out(planning->files->user, planning->source->label, why.text);
        return true;
    }
    if (!text && has_wrong_range(planning->source->name))
        return refuse_source(planning,
                             "%.100s: no such file; expected numbers from 1 and ranges after the colon, e.g. 1,5-9,20-",
                             planning->source->name);
    if (!text)
        return refuse_source(planning, "%s", why.text);
    bool well = find_domain(planning, text, length) && add_text(planning, text, length);
    free(text);
    return well;
}

/* Instance i comes from stream i of the seed, as in `soloist generate`. */
static bool generate_one(struct planning *planning, const soloist_generate *generate, const void *options, uint64_t i) {
    struct buffer text;
    soloist_rng rng;
    soloist_error why = {0};
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    soloist_rng_seed(&rng, planning->source->seed, i);
    bool well = generate->make(options, &rng, &sink, &why) == SOLOIST_OK || refuse_source(planning, "%s", why.text);
    well = well && (!text.failed || no_memory(planning));
    if (well) {
        soloist_cursor cursor = soloist_cursor_open(text.text, text.length);
        soloist_chunk chunk;
        well = planning->domain->life->next(&cursor, &chunk)
                   ? add_instance(planning, &chunk, (int64_t)i + 1)
                   : refuse_source(planning, "the generator produced %s", "nothing");
    }
    buffer_close(&text);
    return well;
}

static bool add_generated(struct planning *planning) {
    const struct experiment_source *source = planning->source;
    const soloist_domain *maker = soloist_find_domain(planning->engine, source->name);
    if (!maker)
        return refuse_domain(planning, source->name);
    if (!maker->generate)
        return refuse_source(planning, "no domain %.60s with a generator", source->name);
    const soloist_generate *generate = maker->generate;
    planning->domain = source->domain ? soloist_find_domain(planning->engine, source->domain) : maker;
    if (!planning->domain)
        return refuse_domain(planning, source->domain);
    if (!check_options(planning, generate->options, generate->options_size, source->made_by) ||
        !check_options(planning, planning->domain->options, planning->domain->options_size, source->options) ||
        !check_needs(planning))
        return false;
    void *options = calloc(1, generate->options_size + 1);
    if (!options)
        return refuse_source(planning, "out of memory%s", "");
    soloist_options_reset(generate->options, options);
    soloist_options_parse(generate->options, options, source->made_by, NULL);
    bool well = true;
    uint64_t wanted = (uint64_t)((double)source->count * planning->wish->scale);
    wanted = wanted < 1 ? 1 : wanted;
    planning->extent.all += source->count;
    planning->extent.chosen += wanted;
    for (uint64_t i = 0; well && i < wanted; i++)
        well = goes_on(planning) && generate_one(planning, generate, options, i);
    free(options);
    return well;
}

/* ---- trainings ---- */

static bool refuse_training(struct planning *planning, const struct experiment_training *training, const char *format,
                            const char *word) {
    return soloist_fail(planning->error, training->line, training->column, format, word);
}

/* Whether the network reads one of the first boards. A board that lacks the highest colours has fewer planes than the
 * others, so that the first one does not decide. */
static bool reads_boards(const struct net *net, const struct game_source *source, soloist_error *why) {
    enum { TRIES = 100 };
    for (uint64_t i = 0; i < TRIES; i++) {
        soloist_puzzle puzzle;
        if (!game_source_make(source, i, &puzzle, why))
            return false;
        bool reads = predictor_reads(net, source->domain, puzzle.instance, why);
        soloist_puzzle_free(&puzzle);
        if (reads)
            return true;
    }
    return false;
}

/* Boards, network and arguments are checked before anything is run. */
static bool check_training(struct planning *planning, const struct experiment_training *training, const char *boards,
                           const struct net *net) {
    const struct lesson *lesson = &training->lesson;
    const soloist_domain *domain = planning->domain;
    struct training_wish wish = {.engine = planning->engine, .domain = domain, .net = net};
    struct game_source source = {0};
    soloist_error why = {0};
    if (!domain->learn || !domain->generate)
        return refuse_training(planning, training, "%.60s has no boards that a network can learn from", domain->name);
    bool well = game_source_open(&source, domain, training->options, boards, 1, &why) &&
                lesson_wish(lesson, &wish, &why) && (planning->wish->endless || reads_boards(net, &source, &why));
    game_source_close(&source);
    if (!well)
        return refuse_training(planning, training, "%s", why.text);
    if (!planning->wish->endless && lesson->way == TRAINING_CONTINUOUS && !(lesson->time_s > 0) && !wish.options.steps)
        return refuse_training(planning, training, "%s", "it would never end: give --time or steps=");
    return true;
}

/* Adds one run per seed. The keys of these runs are kept for searches that use the trained networks. */
static bool add_seeds(struct planning *planning, const struct experiment_training *training, const char *boards,
                      const struct wanted *wanted) {
    const struct experiment *experiment = planning->experiment;
    uint64_t *keys = planning->taught + (size_t)(training - experiment->trainings) * experiment->seed_count;
    bool well = true;
    for (size_t s = 0; well && s < (training->once ? 1 : experiment->seed_count); s++) {
        soloist_limits limits = {
            .seed = experiment->seeds[s], .time_s = wanted->limits.time_s, .threads = wanted->limits.threads};
        struct teaching teaching = {.domain = planning->domain,
                                    .options = training->options,
                                    .boards = boards,
                                    .network = wanted->network,
                                    .method = wanted->method,
                                    .limits = &limits};
        well =
            teach_key(&teaching, &keys[s]) ? add_run(planning, wanted, experiment->seeds[s], 1) : no_memory(planning);
    }
    return well;
}

static bool add_lessons(struct planning *planning, const struct experiment_training *training, const char *boards,
                        const char *network) {
    const struct lesson *lesson = &training->lesson;
    const char *size = lesson->board ? lesson->board : "15x15";
    struct buffer method;
    buffer_open(&method);
    soloist_sink sink = buffer_sink(&method);
    lesson_write(lesson, planning->domain, planning->wish->scale, &sink);
    struct wanted wanted = {
        method.text,
        network,
        training->label,
        size,
        {.time_s = lesson->time_s * planning->wish->scale, .threads = lesson->threads ? lesson->threads : 1}};
    char identity[KNOWN_BY_ROOM];
    known_by_text(planning, SEAL_BY_TEXT, training->options, boards, identity);
    struct plan_instance instance = {.identity = identity,
                                     .domain = planning->domain->name,
                                     .options = training->options,
                                     .text = boards,
                                     .name = size};
    bool well = (!method.failed || no_memory(planning)) &&
                planning->book->instance(planning->book->user, &instance, planning->error) &&
                add_seeds(planning, training, boards, &wanted);
    buffer_close(&method);
    return well;
}

static bool add_training_on(struct planning *planning, const struct experiment_training *training, const char *boards) {
    size_t length = 0;
    soloist_error why = {0};
    struct net net;
    char *text = planning->files->read(planning->files->user, training->lesson.network, &length, &why);
    if (!text)
        return refuse_training(planning, training, "%s", why.text);
    bool well = net_read(&net, text, length, &why);
    free(text);
    if (!well)
        return refuse_training(planning, training, "the network: %s", why.text);
    planning->nets[planning->net_count++] = net;
    return check_training(planning, training, boards, &net) && add_lessons(planning, training, boards, net.text);
}

static bool add_training(struct planning *planning, const struct experiment_training *training) {
    struct buffer boards;
    soloist_error why = {0};
    planning->domain = soloist_find_domain(planning->engine, training->domain);
    if (!planning->domain)
        return refuse_training(planning, training, "no domain %.60s: `soloist info` lists them", training->domain);
    buffer_open(&boards);
    soloist_sink sink = buffer_sink(&boards);
    bool well = !lesson_generate(&training->lesson, planning->domain, &sink, &why)
                    ? refuse_training(planning, training, "%s", why.text)
                : boards.failed ? no_memory(planning)
                                : add_training_on(planning, training, boards.text);
    buffer_close(&boards);
    return well;
}

/* ---- the whole plan ---- */

/* The options of the method with this name. False with an error if there is no such method. */
static bool find_method(const soloist *engine, const char *text, const soloist_option **rows, soloist_error *error) {
    char name[64];
    const char *known, *summary;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    struct suggestion nearest = suggest_open(name);
    for (size_t i = 0; soloist_method_at(engine, i, &known, &summary, rows); i++) {
        if (!strcmp(known, name))
            return true;
        suggest_offer(&nearest, known);
    }
    return nearest.best ? soloist_fail(error, 0, 0, "no method %s: did you mean %s?", name, nearest.best)
                        : soloist_fail(error, 0, 0, "no method %s: `soloist info` lists them", name);
}

bool plan_check_method(const soloist *engine, const char *text, soloist_error *error) {
    struct search_choice choice;
    const soloist_option *rows;
    /* The domain only decides which presets are used. */
    static const soloist_domain any = {.aim = SOLOIST_LEAST_COST};
    if (dead_run_is(text))
        return true;
    if (!find_method(engine, text, &rows, error))
        return false;
    if (search_choose(engine_methods(engine), text, &any, &choice, error) != SOLOIST_OK) {
        suggest_option(rows, error);
        return false;
    }
    search_choice_free(&choice);
    return true;
}

/* Fails unless instances have the label. */
static bool check_source(const struct experiment *experiment, const char *label, soloist_error *error) {
    struct suggestion nearest = suggest_open(label);
    for (size_t i = 0; i < experiment->source_count; i++) {
        if (!strcmp(experiment->sources[i].label, label))
            return true;
        suggest_offer(&nearest, experiment->sources[i].label);
    }
    return soloist_fail(error, 0, 0, "on=%.60s: no instances have that label%s%.60s%s", label,
                        nearest.best ? ": did you mean " : "", nearest.best ? nearest.best : "",
                        nearest.best ? "?" : "");
}

/* Returns false with the reason in *why, and with its place in *place, which was the place of the method. */
static bool check_method(const soloist *engine, const struct experiment *experiment,
                         const struct experiment_method *method, struct line_place *place, soloist_error *why) {
    if (!plan_check_method(engine, method->text, why))
        return false;
    if (!method->own_budget && !experiment->budget_count)
        return soloist_fail(why, 0, 0,
                            "%.80s has no budget: give iterations=, nodes= or time= (time=none for a method that "
                            "ends by itself), here or in a budget line",
                            method->text);
    if (method->on && !check_source(experiment, method->on, why))
        return *place = method->on_place, false;
    if (method->trained && find_training(experiment, method->trained) == experiment->training_count) {
        *place = method->trained_place;
        return soloist_fail(why, 0, 0, "trained=%.60s: no training has that label", method->trained);
    }
    return true;
}

bool plan_check_methods(const soloist *engine, const struct experiment *experiment, soloist_error *error) {
    for (size_t i = 0; i < experiment->method_count; i++) {
        const struct experiment_method *method = &experiment->methods[i];
        struct line_place place = {method->line, method->column};
        soloist_error why = {0};
        if (!check_method(engine, experiment, method, &place, &why))
            return soloist_fail(error, place.line, place.column, "%s", why.text);
    }
    return true;
}

bool plan_ignores_seeds(const soloist *engine, const struct experiment *experiment, size_t method) {
    const struct experiment_method *asked = &experiment->methods[method];
    const struct search_added *added = engine_methods(engine);
    const struct search_method *found = search_find(added, asked->text, strcspn(asked->text, ":"));
    const soloist_domain any = {.aim = found && found->needs & SEARCH_NEEDS_SCORE ? SOLOIST_MOST_SCORE
                                                                                  : SOLOIST_LEAST_COST};
    struct search_choice choice;
    if (experiment->seed_count < 2 || asked->once || asked->trained || asked->limits.threads > 1 ||
        asked->limits.time_s > 0 || !found || search_choose(added, asked->text, &any, &choice, NULL) != SOLOIST_OK)
        return false;
    bool ignores = search_ignores(&choice) & SEARCH_IGNORES_SEED;
    search_choice_free(&choice);
    return ignores;
}

static bool list_all(struct planning *planning) {
    const struct experiment *experiment = planning->experiment;
    planning->taught = calloc(experiment->training_count * experiment->seed_count + 1, sizeof *planning->taught);
    planning->nets = calloc(experiment->training_count + 1, sizeof *planning->nets);
    planning->readable = calloc(experiment->method_count + 1, sizeof *planning->readable);
    if (!planning->taught || !planning->nets || !planning->readable)
        return no_memory(planning);
    for (size_t i = 0; i < experiment->training_count; i++)
        if (!add_training(planning, &experiment->trainings[i]))
            return false;
    for (size_t i = 0; i < experiment->source_count; i++) {
        planning->source = &experiment->sources[i];
        memset(planning->asked, 0, sizeof planning->asked);
        planning->left_out = planning->kept = 0;
        memset(planning->readable, 0, experiment->method_count * sizeof *planning->readable);
        planning->why = (soloist_error){0};
        if (!(planning->source->generated ? add_generated : add_file)(planning) || !check_readable(planning))
            return false;
        if ((planning->left_out || planning->kept) && planning->files->repeated)
            planning->files->repeated(planning->files->user, planning->source->label, planning->left_out,
                                      planning->kept);
    }
    return true;
}

bool plan_list(const soloist *engine, const struct experiment *experiment, const struct plan_wish *wish,
               const struct plan_files *files, const struct plan_book *book, soloist_error *error) {
    struct planning planning = {
        .engine = engine, .experiment = experiment, .files = files, .book = book, .wish = wish, .error = error};
    memory_open(&planning.memory, 0);
    bool well =
        (table_open(&planning.seen, &planning.memory, sizeof(uint64_t), sizeof(void *)) || no_memory(&planning)) &&
        plan_check_methods(engine, experiment, error) && list_all(&planning);
    table_close(&planning.seen);
    if (wish->extent)
        *wish->extent = planning.extent;
    for (size_t i = 0; i < planning.net_count; i++)
        net_free(&planning.nets[i]);
    free(planning.nets);
    free(planning.readable);
    free(planning.taught);
    return well;
}
