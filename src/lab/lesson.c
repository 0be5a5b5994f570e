#include "lab/lesson.h"
#include "base/buffer.h"
#include "base/options.h"
#include "base/quantity.h"
#include "base/suggest.h"
#include "engine/engine.h"
#include "search/search.h"
#include "soloist_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool lesson_sized(const soloist_domain *domain) {
    const soloist_option *rows = domain->generate ? domain->generate->options : NULL;
    return options_find(rows, "width", 5) && options_find(rows, "height", 6);
}

/* Whether the walks of the domain have a rule 1 on boards of this size. */
static bool has_second_rule(const soloist_domain *domain, int width, int height) {
    char size[64], *text;
    soloist_puzzle puzzle;
    soloist_code code;
    if (!domain->walk || !lesson_sized(domain))
        return false;
    snprintf(size, sizeof size, "width=%d,height=%d", width, height);
    if (soloist_make(domain, size, 0, 0, &text, NULL) != SOLOIST_OK)
        return false;
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    bool has = false;
    if (soloist_next_puzzle(domain, NULL, &cursor, &puzzle, &code, NULL) && code == SOLOIST_OK) {
        has = domain->walk->rules(puzzle.instance) > 1;
        soloist_puzzle_free(&puzzle);
    }
    soloist_text_free(text);
    return has;
}

/* The options of NRPA (levels, calls, rules) that were best in a trial on 24 random boards of 15x15, half a second
 * each: 3061 points on average, compared with 2753 for NRPA's defaults. On 7x7 boards, where clearing the board matters
 * most, the defaults are better. */
static const char *usual_method(const soloist_domain *domain, int width, int height) {
    return width * height >= 100 && has_second_rule(domain, width, height) ? "nrpa:level=2,n=80,rule=1" : "nrpa";
}

static bool read_size(const char *board, int *width, int *height) {
    char rest;
    return sscanf(board ? board : "15x15", "%dx%d%c", width, height, &rest) == 2;
}

const soloist_option *lesson_search_rows(const struct lesson *lesson) {
    return lesson->way == TRAINING_EXPERT_ITERATION ? exit_options_rows : policy_options_rows;
}

const char *lesson_method(const struct lesson *lesson, const soloist_domain *domain) {
    int width = 15, height = 15;
    if (lesson->method)
        return lesson->method;
    if (lesson->way == TRAINING_EXPERT_ITERATION || lesson->way == TRAINING_ACTOR_CRITIC)
        return "none";
    if (domain->aim == SOLOIST_LEAST_COST)
        return "auto";
    read_size(lesson->board, &width, &height);
    return usual_method(domain, width, height);
}

bool lesson_generate(const struct lesson *lesson, const soloist_domain *domain, const soloist_sink *sink,
                     soloist_error *error) {
    int width, height;
    if (!lesson->board && (domain->aim == SOLOIST_LEAST_COST || !lesson_sized(domain))) {
        soloist_put(sink, lesson->generate ? lesson->generate : "");
        return true;
    }
    if (!lesson_sized(domain))
        return soloist_fail(error, 0, 0, "--board: %s has no generator with the options width and height",
                            domain->name);
    if (!read_size(lesson->board, &width, &height))
        return soloist_fail(error, 0, 0, "--board %.40s: expected a size, e.g. 15x15", lesson->board);
    soloist_print(sink, "width=%d,height=%d%s%s", width, height, lesson->generate ? "," : "",
                  lesson->generate ? lesson->generate : "");
    return true;
}

/* ---- words ---- */

static bool take_way(struct lesson *lesson, const char *value) {
    int way = training_way_find(value);
    lesson->way = way < 0 ? TRAINING_CONTINUOUS : (enum training_way)way;
    return way >= 0;
}

static bool take_threads(struct lesson *lesson, const char *value) {
    uint64_t threads;
    bool well = quantity_count(value, &threads) && threads >= 1 && threads <= 1024;
    lesson->threads = well ? (int)threads : 0;
    return well;
}

static bool take_games(struct lesson *lesson, const char *value) {
    if (lesson->game_count == LESSON_MOST_GAMES)
        return false;
    lesson->games[lesson->game_count++] = value;
    return true;
}

/* Reads an option. *known: whether there is such an option. False: its value is wrong. */
static bool take_option(struct lesson *lesson, const char *name, const char *value, bool *known) {
    const struct {
        const char *name, **field;
    } texts[] = {{"board", &lesson->board},     {"generate", &lesson->generate}, {"curriculum", &lesson->curriculum},
                 {"network", &lesson->network}, {"method", &lesson->method},     {"teacher", &lesson->teacher},
                 {"search", &lesson->search},   {"back-end", &lesson->back_end}};
    *known = true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(name, texts[i].name))
            return *texts[i].field = value, true;
    if (!strcmp(name, "way"))
        return take_way(lesson, value);
    if (!strcmp(name, "threads"))
        return take_threads(lesson, value);
    if (!strcmp(name, "games"))
        return take_games(lesson, value);
    if (!strcmp(name, "time"))
        return quantity_seconds(value, &lesson->time_s);
    return *known = false;
}

static bool take_word(struct lesson *lesson, const char *word, soloist_error *error) {
    struct training_options spare;
    soloist_options_reset(training_options_rows, &spare);
    if (training_options_parse(&spare, word, error) != SOLOIST_OK) {
        suggest_option(training_options_rows, error);
        return false;
    }
    if (lesson->option_count == LESSON_MOST_OPTIONS)
        return soloist_fail(error, 0, 0, "%.60s: too many options", word);
    lesson->options[lesson->option_count++] = word;
    return true;
}

/* Says what was expected of an option whose value cannot be read. */
static bool refuse_value(const char *option, const char *value, soloist_error *error) {
    static const char *const expected[][2] = {
        {"--threads", "a whole number from 1 to 1024"}, {"--time", "seconds, e.g. 60"}, {"--games", "no more files"}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (!strcmp(option, expected[i][0]))
            return soloist_fail(error, 0, 0, "%.40s %.80s: expected %s", option, value, expected[i][1]);
    struct suggestion nearest = suggest_open(value);
    for (int way = TRAINING_CONTINUOUS; way <= TRAINING_ACTOR_CRITIC; way++)
        suggest_offer(&nearest, training_way_name((enum training_way)way));
    return soloist_fail(error, 0, 0, "%.40s %.80s: %s%s%sexpected one of " TRAINING_WAYS, option, value,
                        nearest.best ? "did you mean " : "", nearest.best ? nearest.best : "",
                        nearest.best ? "? " : "");
}

bool lesson_read(const char *const *words, size_t count, struct lesson *lesson, size_t *bad, soloist_error *error) {
    *lesson = (struct lesson){0};
    for (*bad = 0; *bad < count; ++*bad) {
        const char *word = words[*bad];
        bool known = true;
        if (strncmp(word, "--", 2) != 0) {
            if (!take_word(lesson, word, error))
                return false;
            continue;
        }
        if (*bad + 1 == count)
            return soloist_fail(error, 0, 0, "%.40s needs a value", word);
        if (!take_option(lesson, word + 2, words[*bad + 1], &known))
            return known
                       ? refuse_value(word, words[*bad + 1], error)
                       : soloist_fail(
                             error, 0, 0,
                             "no option %.40s: expected --board, --generate, --curriculum, --network, --way, --method, "
                             "--teacher, --search, --games, --back-end, --time or --threads",
                             word);
        ++*bad;
    }
    return true;
}

/* ---- as a wish for training_run ---- */

/* Finds the domain that --teacher names, and checks its options. */
static bool find_teacher(const char *text, struct training_wish *wish, soloist_error *error) {
    char name[64];
    size_t length = text ? strcspn(text, ":") : 0;
    if (!text)
        return true;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    wish->teacher = soloist_find_domain(wish->engine, name);
    wish->teacher_options = text[length] ? text + length + 1 : NULL;
    if (!wish->teacher)
        return soloist_fail(error, 0, 0, "--teacher: no domain %s: `soloist info` lists them", name);
    return suggest_check_options(wish->teacher->options, wish->teacher->options_size, wish->teacher_options, error);
}

bool lesson_wish(const struct lesson *lesson, struct training_wish *wish, soloist_error *error) {
    struct buffer text;
    union {
        struct policy_options policy;
        struct exit_options exit;
    } search;
    struct curriculum curriculum;
    struct search_choice choice;
    wish->way = lesson->way;
    wish->search = lesson->search;
    wish->curriculum = lesson->curriculum;
    wish->back_end = lesson->back_end;
    wish->games = lesson->games;
    const char *method = lesson_method(lesson, wish->domain);
    wish->method = !strcmp(method, "none") ? NULL : method;
    training_options_for(lesson->way, wish->domain, wish->net->value, &wish->options);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    for (size_t i = 0; i < lesson->option_count; i++)
        soloist_print(&sink, "%s%s", i ? "," : "", lesson->options[i]);
    bool well = text.failed ? soloist_fail(error, 0, 0, "out of memory")
                            : training_options_parse(&wish->options, text.text, error) == SOLOIST_OK;
    buffer_close(&text);
    soloist_options_reset(lesson_search_rows(lesson), &search);
    well = well && find_teacher(lesson->teacher, wish, error) &&
           soloist_options_parse(lesson_search_rows(lesson), &search, lesson->search, error) == SOLOIST_OK &&
           curriculum_read(&curriculum, lesson->curriculum, error);
    if (well && wish->method) {
        well = search_choose(engine_methods(wish->engine), wish->method, wish->domain, &choice, error) == SOLOIST_OK;
        if (well)
            search_choice_free(&choice);
    }
    return well;
}

/* ---- as a run's method ---- */

#define WORD "train"

bool lesson_is(const char *method) {
    return !strncmp(method, WORD, strlen(WORD)) && (!method[strlen(WORD)] || method[strlen(WORD)] == ' ');
}

/* The options that --scale multiplies: amounts of work, and how many positions are kept. */
static bool is_amount(const char *key, size_t length) {
    static const char *const amounts[] = {"runs", "steps", "solve_games", "capacity", "iterations", "total_moves"};
    for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++)
        if (strlen(amounts[i]) == length && !memcmp(amounts[i], key, length))
            return true;
    return false;
}

static void write_option(const char *option, double scale, const soloist_sink *sink) {
    size_t key = strcspn(option, "=");
    uint64_t amount;
    if (scale < 1 && is_amount(option, key) && option[key] && quantity_count(option + key + 1, &amount)) {
        amount = (uint64_t)((double)amount * scale);
        soloist_print(sink, " %.*s=%llu", (int)key, option, (unsigned long long)(amount ? amount : 1));
    } else {
        soloist_put(sink, " ");
        training_options_spell(option, true, sink);
    }
}

void lesson_write(const struct lesson *lesson, const soloist_domain *domain, double scale, const soloist_sink *sink) {
    soloist_put(sink, WORD);
    if (lesson->way != TRAINING_CONTINUOUS)
        soloist_print(sink, " --way %s", training_way_name(lesson->way));
    if (lesson->curriculum)
        soloist_print(sink, " --curriculum %s", lesson->curriculum);
    if (lesson->way == TRAINING_CONTINUOUS || (lesson->way == TRAINING_EXPERT_ITERATION && lesson->method))
        soloist_print(sink, " --method %s", lesson_method(lesson, domain));
    if (lesson->teacher)
        soloist_print(sink, " --teacher %s", lesson->teacher);
    if (lesson->search)
        soloist_print(sink, " --search %s", lesson->search);
    if (lesson->back_end)
        soloist_print(sink, " --back-end %s", lesson->back_end);
    for (size_t i = 0; i < lesson->game_count; i++)
        soloist_print(sink, " --games %s", lesson->games[i]);
    for (size_t i = 0; i < lesson->option_count; i++)
        write_option(lesson->options[i], scale, sink);
}

char *lesson_spell(const char *method, bool now) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    char *words = strdup(method), *rest;
    bool value = true; /* the current word is not an option of training: it is the first word, or follows --NAME */
    for (char *word = words ? strtok_r(words, " ", &rest) : NULL; word; word = strtok_r(NULL, " ", &rest)) {
        soloist_put(&sink, text.length ? " " : "");
        if (value || !strncmp(word, "--", 2))
            soloist_put(&sink, word);
        else
            training_options_spell(word, now, &sink);
        value = !strncmp(word, "--", 2);
    }
    text.failed |= !words;
    free(words);
    return buffer_take(&text);
}

bool lesson_read_text(char *method, struct lesson *lesson, soloist_error *error) {
    const char *words[2 * LESSON_MOST_OPTIONS];
    size_t count = 0, bad;
    char *rest, *word = strtok_r(method, " ", &rest);
    while (word && (word = strtok_r(NULL, " ", &rest)) && count < sizeof words / sizeof *words)
        words[count++] = word;
    return lesson_read(words, count, lesson, &bad, error);
}
