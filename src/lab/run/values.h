/* The result of a run and a row of its curve as named values. The store writes them into columns, and a file of JSON
 * lines into members of an object, under the same names. */
#ifndef LAB_RUN_VALUES_H
#define LAB_RUN_VALUES_H

#include "base/json.h"
#include "lab/run/job.h"

struct value {
    const char *name;
    enum { VALUE_NULL, VALUE_INT, VALUE_REAL, VALUE_TEXT } kind;
    int64_t whole;
    double real;
    const char *text;
};

enum { VALUES_MOST = 32 };
/* Some texts point into this struct, so it must not be copied. */
struct values {
    struct value items[VALUES_MOST];
    int count;
    char signature[20], finished[32], why[320];
};

/* Each function always writes the same names in the same order; an unknown value is VALUE_NULL. Texts that are not in
 * the struct itself point into the outcome or the row. */
void values_of_outcome(const struct job_outcome *outcome, struct values *values);
void values_of_row(const struct curve_row *row, struct values *values);
/* Adds the known values to an open JSON object. */
void values_write(const struct values *values, struct json_writer *json);

#endif
