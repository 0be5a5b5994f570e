/* A file of JSON lines that holds experiments and their runs: what `lab run` writes without SQLite. Lines are only ever
 * appended, so files may be joined by `cat`. There are four kinds of lines:
 *
 *   {"instance":IDENTITY,"domain":...,"options":...,"name":...,"text":...}
 *   {"plan":RUN,"label":...,"source":...,"number":...}
 *   {"experiment":NAME,"title":...,"text":...,"scale":...,"runs":N,"planned":HASH}
 *   {"run":RUN,"result":{...},"curve":[{...},...]}
 *
 * RUN is an object that holds everything on which a run depends. The N `plan` lines before an `experiment` line are the
 * plan of this experiment, and replace its earlier plan. Every line ends in a hash of itself, "seal", so that an
 * altered line is noticed. */
#ifndef LAB_RUN_LINES_H
#define LAB_RUN_LINES_H

#include "base/buffer.h"
#include "base/json.h"
#include "lab/run/plan.h"
#include "lab/run/values.h"

/* Steps through the lines of a text. */
struct lines_cursor {
    const char *at, *end;
    uint64_t line;    /* number of the line that was read last, from 1 */
    uint64_t damaged; /* number of lines that were skipped because they were altered */
    uint64_t first_damaged;
    /* Number of lines that were skipped because they contain zero bytes. A power cut leaves zero bytes in place of
     * lines that were written but had not reached the disk. */
    uint64_t zeroed;
    bool torn; /* the last line is incomplete, because its writer was killed; it was skipped */
};

struct lines_cursor lines_open(const char *text, size_t length);
/* The next line that is whole and unaltered; false at the end. */
bool lines_next(struct lines_cursor *cursor, struct json_value *object);
/* Whether the line is the result of a training that failed, or of a failed search with a trained network. Such a run is
 * made again, because the reason may have been a full disk. */
bool lines_is_made_again(struct json_value line);
/* Whether a text begins like a file of JSON lines. */
bool lines_recognise(const char *text, size_t length);

/* Each of these functions appends one line to `text`. */
void lines_put_instance(struct buffer *text, const struct plan_instance *instance);
void lines_put_plan(struct buffer *text, const char *key, const struct plan_run *run);
void lines_put_experiment(struct buffer *text, const struct experiment *experiment, const struct plan_wish *wish,
                          uint64_t runs, uint64_t planned);
/* rows: the curve, oldest row first; may be NULL. */
void lines_put_run(struct buffer *text, const char *key, const struct job_outcome *outcome,
                   const struct curve_row *rows);
/* Writes the key of a run, a JSON object. */
void lines_put_key(struct buffer *text, const char *identity, const struct plan_run *run, const char *method);

#endif
