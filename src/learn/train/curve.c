/* The curve of a training run: a file with one JSON object per line; each line is one row. */
#include "base/buffer.h"
#include "base/json.h"
#include "learn/train/training.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

void curve_write(FILE *stream, const struct training_row *row) {
    struct buffer text;
    struct json_writer json;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    json_open(&json, &sink);
    json_object(&json, NULL);
    json_uint(&json, "row", row->row);
    json_real(&json, "time_s", row->time_s);
    json_text(&json, "doing", row->doing);
    json_uint(&json, "generation", row->generation);
    json_uint(&json, "steps", row->steps);
    json_uint(&json, "games", row->games);
    json_uint(&json, "positions", row->positions);
    json_real(&json, "policy_loss", row->training.policy);
    json_real(&json, "value_loss", row->training.value);
    json_real(&json, "entropy", row->training.entropy);
    json_real(&json, "validation_policy_loss", row->validation.policy);
    json_real(&json, "validation_value_loss", row->validation.value);
    json_real(&json, "validation_entropy", row->validation.entropy);
    json_uint(&json, "played", row->played.games);
    json_real(&json, "played_mean", row->played.games ? row->played.mean : NAN);
    json_real(&json, "played_interval", row->played.games ? row->played.interval : NAN);
    json_real(&json, row->goal ? "solve_rate" : "greedy_mean", row->greedy);
    json_real(&json, row->goal ? "solve_rate_interval" : "greedy_interval", row->greedy_interval);
    if (row->goal) {
        json_real(&json, "solve_rate_low", row->greedy_ends.low);
        json_real(&json, "solve_rate_high", row->greedy_ends.high);
        json_real(&json, "mean_cost", row->cost);
        json_real(&json, "evaluations_per_solved", row->evaluations);
    }
    if (row->stage) {
        json_uint(&json, "stage", row->stage);
        json_real(&json, "iteration_solve_rate", row->solve_rate);
    }
    json_real(&json, "learned_per_s", row->learned_per_s);
    json_real(&json, "judged_per_s", row->judged_per_s);
    json_end(&json, '}');
    soloist_put(&sink, "\n");
    if (!text.failed) /* a missing row is better than half a row */
        fwrite(text.text, 1, text.length, stream);
    fflush(stream);
    buffer_close(&text);
}

/* The offset at which the line after the first `rows` lines begins. */
static long place_after(FILE *stream, uint64_t rows) {
    long at = 0, place = 0;
    for (int c; rows && (c = fgetc(stream)) != EOF; at++)
        if (c == '\n') {
            rows--;
            place = at + 1;
        }
    return place;
}

FILE *curve_open(const char *path, uint64_t rows, soloist_error *error) {
    FILE *stream = fopen(path, rows ? "r+" : "w");
    if (!stream)
        stream = fopen(path, "w");
    if (stream && rows) {
        long place = place_after(stream, rows);
        if (fseek(stream, place, SEEK_SET) || ftruncate(fileno(stream), place)) {
            fclose(stream);
            stream = NULL;
        }
    }
    if (!stream)
        soloist_fail(error, 0, 0, "%s cannot be written", path);
    return stream;
}
