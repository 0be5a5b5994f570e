/* Options of training under former names. Folders of runs, stored results and experiments may still contain these
 * names. */
#include "learn/train/options.h"
#include "base/buffer.h"

#include <string.h>

static const struct option_alias aliases[] = {
    {"orders", NULL, "reorderings"},       {"lead", NULL, "dagger"},
    {"lead_steps", NULL, "dagger_steps"},  {"trace", NULL, "gae_lambda"},
    {"ratio", NULL, "clip_range"},         {"play", "draw", "ppo"},
    {"play", "look", "lookahead"},         {"sharp", NULL, "inverse_temperature"},
    {"drawn", NULL, "drawn_capacity"},     {"at_once", NULL, "parallel_games"},
    {"average", NULL, "ema_decay"},        {"average_steps", NULL, "ema_steps"},
    {"clip", NULL, "max_grad_norm"},       {"under", NULL, "underestimate_weight"},
    {"over", NULL, "overestimate_weight"}, {"least", NULL, "learning_starts"},
    {"anew", NULL, "from_scratch"},        {NULL, NULL, NULL}};

static const char *const way_names[] = {"continuous", "generations", "expert-iteration", "actor-critic"};

const char *training_way_name(enum training_way way) { return way_names[way]; }

int training_way_find(const char *name) {
    for (int i = 0; i < (int)(sizeof way_names / sizeof *way_names); i++)
        if (!strcmp(name, way_names[i]))
            return i;
    return -1;
}

void training_options_spell(const char *text, bool now, const soloist_sink *sink) {
    alias_spell(training_options_rows, aliases, text, now, sink);
}

soloist_code training_options_parse(struct training_options *options, const char *text, soloist_error *error) {
    struct buffer spelled;
    buffer_open(&spelled);
    soloist_sink sink = buffer_sink(&spelled);
    training_options_spell(text, true, &sink);
    soloist_code code = SOLOIST_NO_MEMORY;
    if (spelled.failed)
        soloist_fail(error, 0, 0, "out of memory");
    else
        code = soloist_options_parse(training_options_rows, options, spelled.text, error);
    buffer_close(&spelled);
    return code;
}
