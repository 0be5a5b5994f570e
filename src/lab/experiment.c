/* The reader of experiments: a table of keywords, each with the function that reads its words. */
#include "lab/experiment.h"
#include "base/quantity.h"
#include "base/ranges.h"
#include "base/suggest.h"
#include "lab/line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The line that is being read. */
struct reading {
    struct experiment *experiment;
    struct line_word words[LINE_MOST_WORDS]; /* the words of the line, of which the first is the keyword */
    int count;
    soloist_error *error;
};

static bool refuse_at(const struct reading *reading, struct line_place place, const char *format, const char *word) {
    return soloist_fail(reading->error, place.line, place.column, format, word);
}

static bool refuse(const struct reading *reading, int word, const char *format) {
    return refuse_at(reading, reading->words[word].place, format, reading->words[word].text);
}

static bool no_memory(const struct reading *reading) { return soloist_fail(reading->error, 0, 0, "out of memory"); }

static const char *keep_n(struct experiment *experiment, const char *text, size_t length) {
    char *copy = arena_take(&experiment->strings, length + 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

static const char *keep(struct experiment *experiment, const char *text) {
    return keep_n(experiment, text, strlen(text));
}

/* Appends a zeroed item to a list, whose memory doubles at every power of two; NULL: no memory. */
static void *add(void *list_pointer, size_t *count, size_t item_size) {
    void **list = list_pointer;
    if ((*count & (*count - 1)) == 0) {
        void *larger = realloc(*list, (*count ? *count * 2 : 1) * item_size);
        if (!larger)
            return NULL;
        *list = larger;
    }
    return memset((char *)*list + (*count)++ * item_size, 0, item_size);
}
#define ADD(experiment, list, count) add(&(experiment)->list, &(experiment)->count, sizeof *(experiment)->list)

/* The value of "key=value" if the word has this key, otherwise NULL. */
static const char *value_of(const struct line_word *word, const char *key) {
    size_t length = strlen(key);
    return !word->quoted && !strncmp(word->text, key, length) && word->text[length] == '=' ? word->text + length + 1
                                                                                           : NULL;
}

/* ---- budgets ---- */

/* Reads a word if it is a limit. *known: whether the word is a limit. False: its value is wrong. */
static bool read_limit(const struct reading *reading, int at, struct experiment_limits *limits, bool *known,
                       bool *budget) {
    const struct line_word *word = &reading->words[at];
    const char *value;
    uint64_t threads = 0;
    *known = true;
    if ((value = value_of(word, "iterations")))
        return *budget = quantity_count(value, &limits->iterations) && limits->iterations
                             ? true
                             : refuse(reading, at, "%s: expected a whole number from 1, e.g. 500, 1e6, 20k");
    if ((value = value_of(word, "nodes")))
        return *budget = quantity_count(value, &limits->nodes) && limits->nodes
                             ? true
                             : refuse(reading, at, "%s: expected a whole number from 1, e.g. 500, 1e6, 20k");
    if ((value = value_of(word, "time")))
        return *budget = !strcmp(value, "none") || (quantity_seconds(value, &limits->time_s) && limits->time_s > 0)
                             ? true
                             : refuse(reading, at, "%s: expected seconds, e.g. 10, 0.5, 2m, 1h, or none");
    if ((value = value_of(word, "memory")))
        return quantity_size(value, &limits->memory) && limits->memory
                   ? true
                   : refuse(reading, at, "%s: expected a size, e.g. 500M or 2G");
    if ((value = value_of(word, "threads"))) {
        bool well = quantity_count(value, &threads) && threads >= 1 && threads <= SOLOIST_MOST_THREADS;
        limits->threads = (int)threads;
        _Static_assert(SOLOIST_MOST_THREADS == 250, "the message below names the number");
        return well ? true : refuse(reading, at, "%s: expected a number of threads from 1 to 250");
    }
    *known = false;
    return true;
}

/* Refuses a word whose key is not known, and suggests the most similar one. */
static bool refuse_key(const struct reading *reading, int at, const char *expected) {
    static const char *const keys[] = {"iterations", "nodes", "time", "memory", "threads", "trained", "once"};
    const struct line_word *word = &reading->words[at];
    struct suggestion nearest = suggest_open(word->text);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        suggest_offer(&nearest, keys[i]);
    return soloist_fail(reading->error, word->place.line, word->place.column, "%.60s: %s%s%sexpected %s", word->text,
                        nearest.best ? "did you mean " : "", nearest.best ? nearest.best : "", nearest.best ? "? " : "",
                        expected);
}

/* The default is reproducible: one thread, and a memory limit that does not depend on the machine. */
static const struct experiment_limits usual_limits = {.memory = (size_t)1 << 30, .threads = 1};

static bool read_budget(struct reading *reading) {
    struct experiment_limits limits = usual_limits;
    bool known, budget = false;
    for (int i = 1; i < reading->count; i++) {
        if (!read_limit(reading, i, &limits, &known, &budget))
            return false;
        if (!known)
            return refuse_key(reading, i, "iterations=, nodes=, time=, memory= or threads=");
    }
    if (!budget)
        return refuse(reading, 0, "%s: give iterations=, nodes= or time=");
    struct experiment_limits *item = ADD(reading->experiment, budgets, budget_count);
    if (!item)
        return no_memory(reading);
    *item = limits;
    return true;
}

/* ---- methods and instances ---- */

/* Reads and removes the words "as LABEL" at the end. */
static bool take_label(struct reading *reading, const char **label) {
    for (int i = 2; i < reading->count; i++) {
        if (reading->words[i].quoted || strcmp(reading->words[i].text, "as") != 0)
            continue;
        if (i + 2 != reading->count || !*reading->words[i + 1].text)
            return refuse(reading, i, "expected one label after %s, at the end (\"in quotes\" if it contains blanks)");
        *label = keep(reading->experiment, reading->words[i + 1].text);
        reading->count = i;
        return *label ? true : no_memory(reading);
    }
    return true;
}

static bool read_method(struct reading *reading) {
    struct experiment_method method = {.limits = usual_limits};
    bool known;
    if (!take_label(reading, &method.label))
        return false;
    if (reading->count < 2)
        return refuse(reading, 0, "%s: which? e.g. method uct:c=1 iterations=1000 as UCT");
    for (int i = 2; i < reading->count; i++) {
        const char *on = value_of(&reading->words[i], "on"), *trained = value_of(&reading->words[i], "trained");
        if (!read_limit(reading, i, &method.limits, &known, &method.own_budget))
            return false;
        if (on) {
            method.on = keep(reading->experiment, on);
            method.on_place = reading->words[i].place;
        } else if (trained) {
            method.trained = keep(reading->experiment, trained);
            method.trained_place = reading->words[i].place;
        } else if (!known && !strcmp(reading->words[i].text, "once")) {
            method.once = true;
        } else if (!known) {
            return refuse_key(reading, i,
                              "iterations=, nodes=, time=, memory=, threads=, on=LABEL, trained=LABEL, once or as "
                              "LABEL");
        }
        if ((on && !method.on) || (trained && !method.trained))
            return no_memory(reading);
    }
    method.line = reading->words[1].place.line;
    method.column = reading->words[1].place.column;
    method.text = keep(reading->experiment, reading->words[1].text);
    if (!method.label)
        method.label = method.text;
    struct experiment_method *item = ADD(reading->experiment, methods, method_count);
    if (!item || !method.text)
        return no_memory(reading);
    *item = method;
    return true;
}

/* Splits "NAME[:options]" into its two parts. */
static bool keep_domain(struct reading *reading, const char *text, const char **domain, const char **options) {
    size_t length = strcspn(text, ":");
    *domain = keep_n(reading->experiment, text, length);
    *options = keep(reading->experiment, text[length] ? text + length + 1 : "");
    return *domain && *options ? true : no_memory(reading);
}

static bool add_source(struct reading *reading, struct experiment_source *source) {
    source->line = reading->words[1].place.line;
    source->column = reading->words[1].place.column;
    if (!source->options)
        source->options = "";
    if (!source->label)
        source->label = source->name;
    struct experiment_source *item = ADD(reading->experiment, sources, source_count);
    if (!item || !source->name)
        return no_memory(reading);
    *item = *source;
    return true;
}

static bool read_instances(struct reading *reading) {
    struct experiment_source source = {0};
    if (!take_label(reading, &source.label))
        return false;
    if (reading->count < 2)
        return refuse(reading, 0, "%s: which? e.g. instances levels.xsb:1-20");
    for (int i = 2; i < reading->count; i++) {
        const char *domain = value_of(&reading->words[i], "domain");
        if (!domain && !strcmp(reading->words[i].text, "optional")) {
            source.optional = true;
            continue;
        }
        if (!domain)
            return refuse(reading, i, "%s: expected domain=NAME[:key=value,...], optional or as LABEL");
        if (!keep_domain(reading, domain, &source.domain, &source.options))
            return false;
    }
    const char *name = reading->words[1].text, *colon = strrchr(name, ':');
    bool ranged = colon && ranges_valid(colon + 1);
    source.name = keep_n(reading->experiment, name, ranged ? (size_t)(colon - name) : strlen(name));
    source.range = ranged ? keep(reading->experiment, colon + 1) : NULL;
    return ranged && !source.range ? no_memory(reading) : add_source(reading, &source);
}

static bool read_generate(struct reading *reading) {
    struct experiment_source source = {.generated = true, .count = 1, .seed = 1};
    char made_by[512] = "";
    if (!take_label(reading, &source.label))
        return false;
    if (reading->count < 2)
        return refuse(reading, 0, "%s: which domain? e.g. generate DOMAIN n=14 count=100 seed=1");
    for (int i = 2; i < reading->count; i++) {
        const char *value, *text = reading->words[i].text;
        if ((value = value_of(&reading->words[i], "count"))) {
            if (!quantity_count(value, &source.count) || source.count < 1 || source.count > 1000000)
                return refuse(reading, i, "%s: expected a number of instances from 1 to 1000000");
        } else if ((value = value_of(&reading->words[i], "seed"))) {
            if (!quantity_count(value, &source.seed))
                return refuse(reading, i, "%s: expected a whole number");
        } else if ((value = value_of(&reading->words[i], "domain"))) {
            if (!keep_domain(reading, value, &source.domain, &source.options))
                return false;
        } else if (strlen(made_by) + strlen(text) + 2 > sizeof made_by) {
            return refuse(reading, i, "%s: too many options");
        } else {
            strcat(strcat(made_by, *made_by ? "," : ""), text);
        }
    }
    source.name = keep(reading->experiment, reading->words[1].text);
    source.made_by = keep(reading->experiment, made_by);
    return source.made_by ? add_source(reading, &source) : no_memory(reading);
}

/* Reads the words after the domain. A word must not contain a blank, because it would become two words when a run's row
 * is read back. */
static bool read_lesson(struct reading *reading, struct experiment_training *training) {
    const char *words[LINE_MOST_WORDS];
    struct line_place places[LINE_MOST_WORDS];
    size_t count = 0, bad;
    soloist_error why = {0};
    for (int i = 2; i < reading->count; i++) {
        if (strpbrk(reading->words[i].text, " \t"))
            return refuse(reading, i, "%s: a blank inside a word");
        if (!strcmp(reading->words[i].text, "once")) {
            training->once = true;
            continue;
        }
        places[count] = reading->words[i].place;
        words[count] = keep(reading->experiment, reading->words[i].text);
        if (!words[count++])
            return no_memory(reading);
    }
    return lesson_read(words, count, &training->lesson, &bad, &why) ? true
                                                                    : refuse_at(reading, places[bad], "%s", why.text);
}

static bool read_train(struct reading *reading) {
    struct experiment_training training = {0};
    if (!take_label(reading, &training.label))
        return false;
    if (reading->count < 2)
        return refuse(reading, 0, "%s: which domain? e.g. train DOMAIN --board 7x7 --network FILE.net --time 60");
    if (!keep_domain(reading, reading->words[1].text, &training.domain, &training.options) ||
        !read_lesson(reading, &training))
        return false;
    const struct lesson *lesson = &training.lesson;
    if (!lesson->network)
        return refuse(reading, 1, "%s: which network? --network FILE.net");
    training.label = training.label ? training.label : lesson->network;
    training.line = reading->words[1].place.line;
    training.column = reading->words[1].place.column;
    struct experiment_training *item = ADD(reading->experiment, trainings, training_count);
    if (!item)
        return no_memory(reading);
    *item = training;
    return true;
}

/* Reads "5" or "5-9". A store holds seeds as signed numbers of 64 bits. */
static bool read_seed_range(struct reading *reading, int at, uint64_t *first, uint64_t *last) {
    const char *text = reading->words[at].text;
    size_t length = strcspn(text, "-");
    char least[64] = "";
    if (length < sizeof least)
        memcpy(least, text, length);
    if (!quantity_count(least, first) || !quantity_count(text[length] ? text + length + 1 : least, last))
        return refuse(reading, at, "%s: expected whole numbers and ranges, e.g. 1-5 9, or by-instance");
    if (*last < *first)
        return refuse(reading, at, "%s: the range ends before it begins");
    if (*last > INT64_MAX)
        return refuse(reading, at, "%s: the greatest seed is 9223372036854775807");
    return *last - *first < 100000 ? true : refuse(reading, at, "%s: more than 100000 seeds");
}

static bool read_seeds(struct reading *reading) {
    struct experiment *experiment = reading->experiment;
    for (int i = 1; i < reading->count; i++) {
        uint64_t first, last;
        if (!strcmp(reading->words[i].text, "by-instance")) {
            experiment->seed_by_instance = true;
            continue;
        }
        if (!read_seed_range(reading, i, &first, &last))
            return false;
        for (uint64_t seed = first; seed - first <= last - first; seed++) {
            uint64_t *item = ADD(experiment, seeds, seed_count);
            if (!item)
                return no_memory(reading);
            *item = seed;
        }
    }
    for (size_t i = 0; experiment->seed_by_instance && i < experiment->seed_count; i++)
        if (experiment->seeds[i] >= INT64_MAX / 1000000)
            return refuse(reading, 0, "%s: with by-instance, the greatest seed is 9223372036853");
    return reading->count > 1 ? true : refuse(reading, 0, "%s: which? e.g. seeds 1-5");
}

/* ---- rows and tuned options ---- */

static bool find_measure(struct reading *reading, int at, size_t *measure) {
    const struct experiment *experiment = reading->experiment;
    struct suggestion nearest = suggest_open(reading->words[at].text);
    for (*measure = 0; *measure < experiment->measure_count; ++*measure) {
        if (!strcmp(experiment->measures[*measure].name, reading->words[at].text))
            return true;
        suggest_offer(&nearest, experiment->measures[*measure].name);
    }
    if (nearest.best)
        return soloist_fail(reading->error, reading->words[at].place.line, reading->words[at].place.column,
                            "no measure %.60s above this line: did you mean %.60s?", reading->words[at].text,
                            nearest.best);
    return refuse(reading, at, "no measure %s above this line");
}

static bool is_word(const struct line_word *word, const char *text) {
    return !word->quoted && !strcmp(word->text, text);
}

/* Reads what follows the measure's words: "= PUBLISHED [+- X] [why TEXT]". */
static bool read_published(struct reading *reading, int at, struct experiment_row *row) {
    const struct line_word *words = reading->words;
    if (at + 1 < reading->count && is_word(&words[at], "=")) {
        row->published = keep(reading->experiment, words[at + 1].text);
        if (!row->published)
            return no_memory(reading);
        at += 2;
    }
    if (at + 1 < reading->count && is_word(&words[at], "+-")) {
        if (!quantity_real(words[at + 1].text, &row->interval))
            return refuse(reading, at + 1, "%s: expected a number");
        at += 2;
    }
    if (at + 1 < reading->count && is_word(&words[at], "why")) {
        row->why = keep(reading->experiment, words[at + 1].text);
        if (!row->why)
            return no_memory(reading);
        at += 2;
    }
    return at == reading->count ? true : refuse(reading, at, "%s: expected = PUBLISHED, +- INTERVAL or why \"TEXT\"");
}

static bool read_row(struct reading *reading) {
    struct experiment_row row = {0};
    int at = 3;
    if (reading->count < 3)
        return refuse(reading, 0, "expected %s LABEL MEASURE [WORDS] [= PUBLISHED] [+- INTERVAL] [why \"TEXT\"]");
    if (!find_measure(reading, 2, &row.measure))
        return false;
    for (; at < reading->count && !is_word(&reading->words[at], "=") && !is_word(&reading->words[at], "why"); at++) {
        if (row.word_count == EXPERIMENT_MOST_WORDS)
            return refuse(reading, at, "%s: more than six words for a measure");
        row.words[row.word_count] = keep(reading->experiment, reading->words[at].text);
        if (!row.words[row.word_count++])
            return no_memory(reading);
    }
    row.line = reading->words[2].place.line;
    row.column = reading->words[2].place.column;
    row.label = keep(reading->experiment, reading->words[1].text);
    if (!read_published(reading, at, &row))
        return false;
    struct experiment_row *item = ADD(reading->experiment, rows, row_count);
    if (!item || !row.label)
        return no_memory(reading);
    *item = row;
    return true;
}

static bool read_tune(struct reading *reading) {
    struct experiment_tune tune = {0};
    const char *text = reading->count > 2 ? reading->words[2].text : "", *dots = strstr(text, "..");
    if (reading->count < 2)
        return refuse(reading, 0, "expected %s OPTION [LEAST..MOST [log], or a|b|c]");
    tune.logarithmic = reading->count == 4 && is_word(&reading->words[3], "log");
    if (reading->count > 3 + tune.logarithmic)
        return refuse(reading, 3, "%s: expected log, or the end of the line");
    if (dots) {
        char least[64];
        snprintf(least, sizeof least, "%.*s", (int)(dots - text), text);
        if (tune.logarithmic && *least == '-')
            return refuse(reading, 2, "%s: a logarithmic range starts above 0");
        if (!quantity_real(least, &tune.least) || !quantity_real(dots + 2, &tune.most) || tune.most <= tune.least)
            return refuse(reading, 2, "%s: expected LEAST..MOST, from 0 on, with LEAST below MOST");
        if (tune.logarithmic && tune.least <= 0)
            return refuse(reading, 2, "%s: a logarithmic range starts above 0");
    } else if (*text && !(tune.choices = keep(reading->experiment, text))) {
        return no_memory(reading);
    } else if (tune.logarithmic) {
        return refuse(reading, 3, "%s: allowed only for a range LEAST..MOST");
    }
    tune.line = reading->words[1].place.line;
    tune.column = reading->words[1].place.column;
    tune.option = keep(reading->experiment, reading->words[1].text);
    struct experiment_tune *item = ADD(reading->experiment, tunes, tune_count);
    if (!item || !tune.option)
        return no_memory(reading);
    *item = tune;
    return true;
}

static bool read_better(struct reading *reading) {
    if (reading->count != 2)
        return refuse(reading, 0, "expected %s EXPRESSION, such as value, or -value if less is better");
    const struct line_word *word = &reading->words[1];
    const char *sql = keep(reading->experiment, word->text);
    reading->experiment->better =
        (struct experiment_query){.name = "better", .sql = sql, .line = word->place.line, .column = word->place.column};
    return sql ? true : no_memory(reading);
}

/* ---- lines that are not split into words ---- */

/* Skips one word and the blanks after it. */
static size_t after_word(const char *text, size_t at) {
    at += strcspn(text + at, " \t");
    return at + strspn(text + at, " \t");
}

static bool read_measure(struct reading *reading, struct line *line) {
    size_t name = after_word(line->text, 0), sql = after_word(line->text, name);
    if (!line->text[sql])
        return refuse_at(reading, line->places[0], "expected %s NAME SELECT ...", "measure");
    size_t length = strcspn(line->text + name, " \t");
    for (size_t i = 0; i < reading->experiment->measure_count; i++) {
        const char *other = reading->experiment->measures[i].name;
        if (strlen(other) == length && !memcmp(other, line->text + name, length))
            return refuse_at(reading, line->places[name], "there is already a measure %.60s above", other);
    }
    struct experiment_query *item = ADD(reading->experiment, measures, measure_count);
    if (!item)
        return no_memory(reading);
    item->line = line->places[sql].line;
    item->column = line->places[sql].column;
    item->name = keep_n(reading->experiment, line->text + name, length);
    item->sql = keep(reading->experiment, line->text + sql);
    return item->name && item->sql ? true : no_memory(reading);
}

static bool read_axis(struct reading *reading, int at, struct experiment_query *figure) {
    const struct line_word *word = &reading->words[at];
    const char *value;
    if ((value = value_of(word, "x")))
        figure->x = keep(reading->experiment, value);
    else if ((value = value_of(word, "y")))
        figure->y = keep(reading->experiment, value);
    else if (is_word(word, "log-x"))
        figure->log_x = true;
    else if (is_word(word, "log-y"))
        figure->log_y = true;
    else if (is_word(word, "bars"))
        figure->bars = true;
    else if (is_word(word, "plain"))
        figure->plain = true;
    else
        return refuse(reading, at, "%s: expected x=LABEL, y=LABEL, log-x, log-y, bars or plain");
    return true;
}

/* Splits "KEYWORD TITLE ... : SELECT ...": the words before the colon are read; the text after it is the query. */
static bool split_query(struct reading *reading, struct line *line, const char *form, struct experiment_query *query) {
    char *colon = strstr(line->text, " : ");
    if (!colon)
        return refuse_at(reading, line->places[0], "expected %s", form);
    query->sql = keep(reading->experiment, colon + 3);
    query->line = line->places[colon + 3 - line->text].line;
    query->column = line->places[colon + 3 - line->text].column;
    line->length = (size_t)(colon - line->text);
    line->text[line->length] = 0;
    reading->count = line_words(line, 0, reading->words, reading->error);
    if (reading->count < 0)
        return false;
    if (reading->count < 2)
        return refuse(reading, 0, "%s: which title?");
    query->name = keep(reading->experiment, reading->words[1].text);
    return query->sql && query->name ? true : no_memory(reading);
}

static bool read_figure(struct reading *reading, struct line *line) {
    struct experiment_query figure = {.x = "", .y = ""};
    if (!split_query(reading, line, "figure TITLE x=LABEL y=LABEL : SELECT series, x, y ...", &figure))
        return false;
    for (int i = 2; i < reading->count; i++)
        if (!read_axis(reading, i, &figure))
            return false;
    struct experiment_query *item = ADD(reading->experiment, figures, figure_count);
    if (!item || !figure.x || !figure.y)
        return no_memory(reading);
    *item = figure;
    return true;
}

static bool read_table(struct reading *reading, struct line *line) {
    struct experiment_query table = {0};
    if (!split_query(reading, line, "table TITLE : SELECT ...", &table))
        return false;
    if (reading->count > 2)
        return refuse(reading, 2, "%s: expected \" : SELECT ...\" after the title");
    struct experiment_query *item = ADD(reading->experiment, tables, table_count);
    if (!item)
        return no_memory(reading);
    *item = table;
    return true;
}

static bool read_text(struct reading *reading, struct line *line) {
    struct experiment *experiment = reading->experiment;
    const char *rest = keep(experiment, line->text + after_word(line->text, 0));
    const char **kept = line->text[0] == 't'   ? &experiment->title
                        : line->text[0] == 'a' ? &experiment->about
                                               : &experiment->cost;
    if (!rest)
        return no_memory(reading);
    if (**kept)
        return refuse_at(reading, line->places[0], "a second line of this kind; the first says: %.80s", *kept);
    *kept = rest;
    return true;
}

static bool read_share(struct reading *reading) {
    char *end = NULL;
    double share = reading->count == 2 ? strtod(reading->words[1].text, &end) : 0;
    if (!end || *end || !(share > 0 && share <= 1))
        return refuse(reading, reading->count > 1, "%s: expected a share of the published work, e.g. share 0.01");
    reading->experiment->share = share;
    return true;
}

/* ---- the whole experiment ---- */

static const struct keyword {
    const char *name;
    bool (*words)(struct reading *reading);
    bool (*whole)(struct reading *reading, struct line *line);
    enum line_braces braces;
} keywords[] = {
    {"title", NULL, read_text, LINE_CROSS},        {"about", NULL, read_text, LINE_CROSS},
    {"cost", NULL, read_text, LINE_CROSS},         {"instances", read_instances, NULL, LINE_CROSS},
    {"generate", read_generate, NULL, LINE_CROSS}, {"method", read_method, NULL, LINE_CROSS},
    {"budget", read_budget, NULL, LINE_CROSS},     {"seeds", read_seeds, NULL, LINE_CROSS},
    {"measure", NULL, read_measure, LINE_CROSS},   {"row", read_row, NULL, LINE_ZIP},
    {"figure", NULL, read_figure, LINE_CROSS},     {"tune", read_tune, NULL, LINE_CROSS},
    {"better", read_better, NULL, LINE_CROSS},     {"table", NULL, read_table, LINE_CROSS},
    {"train", read_train, NULL, LINE_CROSS},       {"share", read_share, NULL, LINE_CROSS},
};

static const struct keyword *find_keyword(const char *text) {
    size_t length = strcspn(text, " \t");
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strlen(keywords[i].name) == length && !memcmp(keywords[i].name, text, length))
            return &keywords[i];
    return NULL;
}

static bool read_copies(struct reading *reading, const struct keyword *keyword, const struct line *line) {
    struct line_copies copies;
    bool well = line_copies_open(&copies, line, keyword->braces, reading->error);
    for (size_t i = 0; well && i < copies.count; i++) {
        struct line copy;
        if (!line_copy(&copies, i, &copy)) {
            well = no_memory(reading);
            break;
        }
        reading->count = line_words(&copy, 0, reading->words, reading->error);
        well = reading->count > 0 && keyword->words(reading);
        line_free(&copy);
    }
    line_copies_close(&copies);
    return well;
}

static bool read_line(struct reading *reading, struct line *line) {
    const struct keyword *keyword = find_keyword(line->text);
    if (!keyword) {
        line->text[strcspn(line->text, " \t")] = 0;
        struct suggestion nearest = suggest_open(line->text);
        for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
            suggest_offer(&nearest, keywords[i].name);
        if (nearest.best)
            return soloist_fail(reading->error, line->places[0].line, line->places[0].column,
                                "no keyword %.40s: did you mean %s?", line->text, nearest.best);
        return refuse_at(
            reading, line->places[0],
            "no keyword %.40s: expected title, about, cost, share, instances, generate, method, train, budget, "
            "seeds, measure, row, figure, table, tune or better",
            line->text);
    }
    return keyword->whole ? keyword->whole(reading, line) : read_copies(reading, keyword, line);
}

/* A method without its own budget is copied for each budget line. If there is no such line, it stays without one. */
static bool spread_budgets(struct reading *reading) {
    struct experiment *experiment = reading->experiment;
    struct experiment_method *old = experiment->methods;
    size_t count = experiment->method_count;
    experiment->methods = NULL;
    experiment->method_count = 0;
    bool well = true;
    for (size_t i = 0; well && i < count; i++) {
        bool own = old[i].own_budget || !experiment->budget_count;
        size_t budgets = own ? 1 : experiment->budget_count;
        for (size_t k = 0; well && k < budgets; k++) {
            struct experiment_method *item = ADD(experiment, methods, method_count);
            if (!item) {
                well = no_memory(reading);
                break;
            }
            *item = old[i];
            if (!own)
                item->limits = experiment->budgets[k];
        }
    }
    free(old);
    return well;
}

static int compare_counts(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

/* By label and limits. */
static int compare_kinds(const struct experiment_method *a, const struct experiment_method *b) {
    const struct experiment_limits *x = &a->limits, *y = &b->limits;
    int order = strcmp(a->label, b->label);
    order = order ? order : compare_counts(x->iterations, y->iterations);
    order = order ? order : compare_counts(x->nodes, y->nodes);
    order = order ? order : (x->time_s > y->time_s) - (x->time_s < y->time_s);
    order = order ? order : compare_counts(x->memory, y->memory);
    return order ? order : x->threads - y->threads;
}

/* By label, limits and instances; methods for all instances come first. */
static int compare_methods(const void *a, const void *b) {
    const struct experiment_method *const *x = a, *const *y = b;
    int order = compare_kinds(*x, *y);
    order = order ? order : ((*x)->on != NULL) - ((*y)->on != NULL);
    order = order ? order : strcmp((*x)->on ? (*x)->on : "", (*y)->on ? (*y)->on : "");
    return order ? order : (*x > *y) - (*x < *y);
}

/* Results are told apart by label, instances and limits: the runs of two lines that share all of these would be mixed.
 * The braces of one line may do that on purpose. */
static bool check_labels(struct reading *reading) {
    const struct experiment *experiment = reading->experiment;
    const struct experiment_method **order = malloc((experiment->method_count + 1) * sizeof *order), *all = NULL;
    if (!order)
        return no_memory(reading);
    bool well = true;
    for (size_t i = 0; i < experiment->method_count; i++)
        order[i] = &experiment->methods[i];
    qsort(order, experiment->method_count, sizeof *order, compare_methods);
    for (size_t i = 0; well && i < experiment->method_count; i++) {
        const struct experiment_method *now = order[i], *before = i ? order[i - 1] : NULL;
        if (!before || compare_kinds(before, now) != 0)
            all = now->on ? NULL : now; /* the method of this kind that runs on all instances */
        else if (all ? all->line != now->line : before->line != now->line && !strcmp(before->on, now->on))
            well = soloist_fail(
                reading->error, now->line, now->column,
                "another method has the label %.60s too, on the same instances and with the same budget", now->label);
    }
    free(order);
    return well;
}

static bool read_all(struct reading *reading, const char *text, size_t length) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    struct line line;
    bool failed = false;
    while (line_next(&cursor, &line, &failed)) {
        bool well = read_line(reading, &line);
        line_free(&line);
        if (!well)
            return false;
    }
    if (failed)
        return no_memory(reading);
    if (!reading->experiment->source_count && !reading->experiment->training_count)
        return soloist_fail(reading->error, cursor.line, 1,
                            "no instances: add a line `instances FILE`, `generate ...` or `train ...`");
    return spread_budgets(reading) && check_labels(reading);
}

bool experiment_read(const char *text, size_t length, struct experiment *experiment, soloist_error *error) {
    *experiment = (struct experiment){.title = "", .about = "", .cost = "", .share = 1};
    memory_open(&experiment->memory, 0);
    arena_open(&experiment->strings, &experiment->memory);
    soloist_error spare;
    struct reading reading = {.experiment = experiment, .error = error ? error : &spare};
    bool well = read_all(&reading, text, length);
    if (well && !experiment->seed_count) {
        uint64_t *seed = ADD(experiment, seeds, seed_count);
        well = seed ? true : no_memory(&reading);
        if (seed)
            *seed = 1;
    }
    if (!well)
        experiment_free(experiment);
    return well;
}

void experiment_free(struct experiment *experiment) {
    free(experiment->sources);
    free(experiment->methods);
    free(experiment->trainings);
    free(experiment->budgets);
    free(experiment->seeds);
    free(experiment->measures);
    free(experiment->figures);
    free(experiment->tables);
    free(experiment->rows);
    free(experiment->tunes);
    arena_close(&experiment->strings);
    *experiment = (struct experiment){0};
}
