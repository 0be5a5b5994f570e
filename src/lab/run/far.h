/* The lab's runs on other ranks: functions that convert a run and its outcome to messages and back (base/parcel.h), and
 * the helper that executes runs for rank 0. */
#ifndef LAB_RUN_FAR_H
#define LAB_RUN_FAR_H

#include "base/dispatch.h"
#include "lab/run/job.h"

void far_put_job(struct buffer *parcel, const struct job *job);
/* Reads a helper's answer: the outcome of the job, which the caller frees with job_outcome_free. NULL if memory ran out
 * on this rank or on the helper's. */
struct job_outcome *far_take_outcome(struct parcel_reader *reader, const struct job *job);
/* Reads a message that a helper sends during a training: a row of its curve. False: the message is not such a row. */
bool far_take_row(struct parcel_reader *reader, struct curve_row *row);

/* A helper, which executes runs for rank 0 until rank 0 ends it; see dispatch_help. */
struct far_helper {
    const soloist *engine;
    soloist_stop_token *stop;
    struct trained *trained; /* the networks of trainings, which the runs share */
};
struct dispatch_work far_work(struct far_helper *helper, int cores);

#endif
