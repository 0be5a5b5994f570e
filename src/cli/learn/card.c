#include "cli/learn/card.h"
#include "base/buffer.h"
#include "base/json.h"
#include "cli/shell/machine.h"
#include "cli/shell/need.h"
#include "net/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes a number with this many digits after the point; one that was not measured is left out. */
static void write_rounded(struct json_writer *json, const char *name, double value, int digits) {
    char text[64];
    if (!isfinite(value))
        return;
    snprintf(text, sizeof text, "%.*f", digits, value);
    json_raw(json, name, text);
}

/* Writes the measurements. There are none if the run made no row, as when it was resumed after its end. */
static void write_figures(struct json_writer *json, const struct training_wish *wish, const struct training_row *row) {
    if (!row->doing)
        return;
    write_rounded(json, "validation_policy_loss", row->validation.policy, 4);
    write_rounded(json, "validation_value_loss", row->validation.value, 4);
    if (!isfinite(row->greedy))
        return;
    json_int(json, "greedy_boards", row->boards);
    json_uint(json, "greedy_seed", training_exam_seed(wish->seed));
    write_rounded(json, row->goal ? "solve_rate" : "greedy_mean", row->greedy, 2);
    write_rounded(json, row->goal ? "solve_rate_interval" : "greedy_interval", row->greedy_interval, 2);
    if (!row->goal)
        return;
    write_rounded(json, "solve_rate_low", row->greedy_ends.low, 2);
    write_rounded(json, "solve_rate_high", row->greedy_ends.high, 2);
    write_rounded(json, "mean_cost", row->cost, 2);
    write_rounded(json, "evaluations_per_solved", row->evaluations, 2);
    json_int(json, "step_limit", wish->options.step_limit);
}

/* The names of the files, without their folders. */
static void write_levels(struct json_writer *json, const char *const *paths) {
    json_array(json, "levels");
    for (; *paths; paths++) {
        const char *slash = strrchr(*paths, '/');
        json_text(json, NULL, slash ? slash + 1 : *paths);
    }
    json_end(json, ']');
}

/* The options of the generator that made the boards of the measurement: with a curriculum those of its last stage. */
static void write_boards(struct json_writer *json, const struct training_wish *wish) {
    struct curriculum curriculum;
    struct buffer text;
    if (!wish->curriculum || !curriculum_read(&curriculum, wish->curriculum, NULL)) {
        json_text(json, "boards", wish->generate);
        return;
    }
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    curriculum_stage(&curriculum, curriculum.stages, wish->generate, &sink);
    need_whole(&text);
    json_text(json, "boards", text.text);
    buffer_close(&text);
}

char *card_write(const struct training_wish *wish, const struct training_result *result) {
    const struct training_row *row = &result->row;
    struct buffer text;
    struct json_writer json;
    char machine[256];
    machine_describe(machine, sizeof machine);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    json_open(&json, &sink);
    json_object(&json, NULL);
    json_text(&json, "way", training_way_name(wish->way));
    write_boards(&json, wish);
    if (wish->levels && *wish->levels)
        write_levels(&json, wish->levels);
    json_text(&json, "method", wish->method);
    json_uint(&json, "seed", wish->seed);
    json_uint(&json, "games", row->games);
    json_uint(&json, "positions", row->positions);
    json_uint(&json, "steps", row->steps);
    json_uint(&json, "generations", row->generation);
    json_int(&json, "batch", result->batch);
    write_rounded(&json, "seconds", row->time_s, 1);
    json_text(&json, "back_end", result->back_end);
    json_text(&json, "machine", machine);
    write_figures(&json, wish, row);
    json_end(&json, '}');
    return need(buffer_take(&text));
}

char *card_text(const char *bytes, size_t length) {
    long size = net_file_note(bytes, length, "soloist.card", NULL, 0);
    if (size <= 0)
        return NULL;
    char *card = need_bytes((size_t)size + 1);
    net_file_note(bytes, length, "soloist.card", card, (size_t)size + 1);
    return card;
}

/* Older cards do not have the seed of the boards, which can be derived from the seed of the training. */
static bool read_seed(struct json_value object, uint64_t *seed) {
    if (json_get_uint(json_member(object, "greedy_seed"), seed))
        return true;
    bool known = json_get_uint(json_member(object, "seed"), seed);
    *seed = training_exam_seed(*seed);
    return known;
}

static bool read_figure(struct json_value object, struct card *card) {
    int64_t boards = 0, limit = 0;
    card->goal = json_get_real(json_member(object, "solve_rate"), &card->mean);
    long length = json_get_text(json_member(object, "boards"), card->generate, sizeof card->generate);
    bool well =
        length >= 0 && (size_t)length < sizeof card->generate && read_seed(object, &card->seed) &&
        json_member(object, "levels").kind == JSON_NONE &&
        json_get_int(json_member(object, "greedy_boards"), &boards) && boards > 0 && boards <= 1000000 &&
        (card->goal || json_get_real(json_member(object, "greedy_mean"), &card->mean)) &&
        json_get_real(json_member(object, card->goal ? "solve_rate_interval" : "greedy_interval"), &card->interval) &&
        (!card->goal || (json_get_int(json_member(object, "step_limit"), &limit) && limit > 0));
    json_get_text(json_member(object, "back_end"), card->back_end, sizeof card->back_end);
    json_get_text(json_member(object, "machine"), card->machine, sizeof card->machine);
    card->boards = (int)boards;
    card->step_limit = (int)limit;
    return well;
}

bool card_read(const char *bytes, size_t length, struct card *card) {
    char *text = card_text(bytes, length);
    struct json_value object;
    *card = (struct card){0};
    bool well = text && json_parse(text, strlen(text), &object, NULL) && object.kind == JSON_OBJECT &&
                read_figure(object, card);
    free(text);
    return well;
}

bool card_is_from_here(const struct card *card, const char *back_end) {
    char machine[sizeof card->machine];
    machine_describe(machine, sizeof machine);
    return !strcmp(card->back_end, back_end) && !strcmp(card->machine, machine);
}

/* The standard deviation of a game's score; in a least-cost domain the score is 100 if the game is solved, otherwise 0.
 */
static double deviation_of(const struct card *card) {
    double errors = interval_errors((uint64_t)card->boards, 0.95);
    if (card->goal)
        return sqrt(card->mean * (100 - card->mean));
    return errors > 0 ? card->interval * sqrt(card->boards) / errors : 0;
}

double card_allows(const struct card *card, int boards, bool from_here) {
    const double rounding = 0.0051, part_of_other_games = 0.02;
    double n = boards, deviation = deviation_of(card), others = ceil(part_of_other_games * n);
    double sampling = boards < card->boards ? 1 / n - 1.0 / card->boards : 0;
    double allowed = rounding + interval_errors((uint64_t)card->boards, 0.95) * deviation * sqrt(sampling);
    return from_here ? allowed : allowed + others * (card->goal ? 100 : 2 * deviation) / n;
}

void card_print(const char *text) {
    struct json_value object, name, item;
    const char *step = NULL;
    if (!json_parse(text, strlen(text), &object, NULL) || object.kind != JSON_OBJECT) {
        printf("trained: %s\n", text);
        return;
    }
    printf("trained\n");
    while (json_next(object, &step, &name, &item)) {
        bool quoted = item.kind == JSON_TEXT;
        char key[64];
        json_get_text(name, key, sizeof key);
        printf("  %-22s  %.*s\n", key, (int)(item.end - item.start - 2 * quoted), item.start + quoted);
    }
}
