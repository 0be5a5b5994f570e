#include "learn/train/curriculum.h"

#include "base/decimal.h"
#include "base/real.h"

#include <math.h>
#include <string.h>

/* ---- published curricula ---- */

static const struct {
    const char *name, *text;
} published[] = {
    /* Ge 2018, section 3.2; the last stage has the generator's defaults. */
    {"ge", "stages=100,max_action_depth=10..300,total_positions=100..100000:log,allow_box_on_goal=true..false:last"},
};

/* ---- reading ---- */

static bool copy(char *to, const char *from, size_t length, soloist_error *error) {
    if (!length || length >= CURRICULUM_TEXT)
        return soloist_fail(error, 0, 0, "curriculum: an option or a value is missing or longer than %d letters",
                            CURRICULUM_TEXT - 1);
    memcpy(to, from, length);
    to[length] = 0;
    return true;
}

static bool number_of(const char *text, double *number) { return decimal_read(text, strlen(text), number); }

/* Checks the change of an item, and chooses it if none is named. */
static bool settle(struct curriculum_item *item, const char *change, soloist_error *error) {
    double first, last;
    bool numbers = number_of(item->first, &first) && number_of(item->last, &last);
    item->change = numbers ? CURRICULUM_LINEAR : CURRICULUM_LAST;
    if (!change)
        return true;
    if (!strcmp(change, "last"))
        item->change = CURRICULUM_LAST;
    else if (!strcmp(change, "log"))
        item->change = CURRICULUM_LOG;
    else if (strcmp(change, "linear") != 0)
        return soloist_fail(error, 0, 0, "curriculum: %s: \"%s\" is not linear, log or last", item->option, change);
    if (item->change != CURRICULUM_LAST && !numbers)
        return soloist_fail(error, 0, 0, "curriculum: %s: only numbers can change by %s", item->option, change);
    if (item->change == CURRICULUM_LOG && !(first > 0 && last > 0))
        return soloist_fail(error, 0, 0, "curriculum: %s: only numbers above 0 can change by log", item->option);
    return true;
}

/* Reads "FIRST..LAST:CHANGE", where the last two parts may be missing. */
static bool read_range(struct curriculum_item *item, char *range, soloist_error *error) {
    char *change = strchr(range, ':'), *dots;
    if (change)
        *change++ = 0;
    dots = strstr(range, "..");
    size_t length = dots ? (size_t)(dots - range) : strlen(range);
    const char *last = dots ? dots + 2 : range;
    return copy(item->first, range, length, error) && copy(item->last, last, strlen(last), error) &&
           settle(item, change, error);
}

static bool read_stages(struct curriculum *curriculum, const char *text, soloist_error *error) {
    double stages;
    if (!number_of(text, &stages) || stages < 1 || stages > 1e6 || stages != floor(stages))
        return soloist_fail(error, 0, 0, "curriculum: stages=%s is not a whole number from 1 to 1000000", text);
    if (curriculum->stages)
        return soloist_fail(error, 0, 0, "curriculum: stages is given twice");
    curriculum->stages = (int)stages;
    return true;
}

static bool read_item(struct curriculum *curriculum, const char *text, size_t length, soloist_error *error) {
    char word[2 * CURRICULUM_TEXT + 16], *value;
    if (length >= sizeof word)
        return soloist_fail(error, 0, 0, "curriculum: \"%.20s...\" is too long", text);
    memcpy(word, text, length);
    word[length] = 0;
    value = strchr(word, '=');
    if (!value)
        return soloist_fail(error, 0, 0,
                            "curriculum: \"%s\" is neither OPTION=FIRST..LAST nor a published curriculum (ge)", word);
    *value++ = 0;
    if (!strcmp(word, "stages"))
        return read_stages(curriculum, value, error);
    for (int i = 0; i < curriculum->count; i++)
        if (!strcmp(curriculum->items[i].option, word))
            return soloist_fail(error, 0, 0, "curriculum: %s is given twice", word);
    if (curriculum->count == CURRICULUM_MOST_ITEMS)
        return soloist_fail(error, 0, 0, "curriculum: more than %d options", CURRICULUM_MOST_ITEMS);
    struct curriculum_item *item = &curriculum->items[curriculum->count++];
    return copy(item->option, word, strlen(word), error) && read_range(item, value, error);
}

bool curriculum_read(struct curriculum *curriculum, const char *text, soloist_error *error) {
    *curriculum = (struct curriculum){.stages = !text};
    for (size_t i = 0; text && i < sizeof published / sizeof *published; i++)
        if (!strcmp(text, published[i].name))
            text = published[i].text;
    while (text && *text) {
        size_t length = strcspn(text, ",");
        if (!read_item(curriculum, text, length, error))
            return false;
        text += length + (text[length] == ',');
    }
    if (!curriculum->stages)
        return soloist_fail(error, 0, 0, "curriculum: the number of stages is missing: stages=N");
    return !text || curriculum->count || soloist_fail(error, 0, 0, "curriculum: no option changes: OPTION=FIRST..LAST");
}

/* ---- a stage ---- */

static double between(const struct curriculum_item *item, double first, double last, double part) {
    if (item->change == CURRICULUM_LOG)
        return real_exp(real_log(first) + part * (real_log(last) - real_log(first)));
    return first + part * (last - first);
}

static void print_value(const struct curriculum_item *item, int stage, int stages, const soloist_sink *sink) {
    double first, last;
    char text[DECIMAL_ROOM];
    if (stage <= 1 || item->change == CURRICULUM_LAST || stage >= stages) {
        soloist_put(sink, stage >= stages ? item->last : item->first);
        return;
    }
    number_of(item->first, &first);
    number_of(item->last, &last);
    double value = between(item, first, last, (stage - 1.0) / (stages - 1.0));
    if (first == floor(first) && last == floor(last))
        soloist_print(sink, "%.0f", floor(value + 0.5));
    else
        soloist_put(sink, (decimal_write(value, text), text));
}

void curriculum_stage(const struct curriculum *curriculum, int stage, const char *base, const soloist_sink *sink) {
    if (base)
        soloist_put(sink, base);
    for (int i = 0; i < curriculum->count; i++) {
        soloist_print(sink, "%s%s=", i || (base && *base) ? "," : "", curriculum->items[i].option);
        print_value(&curriculum->items[i], stage, curriculum->stages, sink);
    }
}

/* ---- promotion ---- */

#define RATE_LEAST 0.5  /* the rate must be above this */
#define RATE_GOOD 0.9   /* above this, it need not be steady */
#define RATE_STEADY .01 /* steady: the difference from the mean is below this */
#define ROUNDING 1e-9   /* a difference of exactly 1 % is not below 1 %, whatever rounding made of it */

bool curriculum_promotes(struct curriculum_history *history, double rate) {
    double sum = 0;
    history->rates[history->iterations++ % CURRICULUM_WINDOW] = rate;
    if (history->iterations < CURRICULUM_WINDOW || !(rate > RATE_LEAST))
        return false;
    for (int i = 0; i < CURRICULUM_WINDOW; i++)
        sum += history->rates[i];
    return rate > RATE_GOOD + ROUNDING || fabs(rate - sum / CURRICULUM_WINDOW) < RATE_STEADY - ROUNDING;
}
