/* A run that is a training: if cut short, it resumes from its own checkpoint; when done, its weights are kept. */
#ifndef LAB_RESULTS_TEACH_H
#define LAB_RESULTS_TEACH_H

#include "lab/lesson.h"

struct teaching {
    const soloist *engine;
    const soloist_domain *domain;
    const char *options;          /* of the domain */
    const char *boards;           /* the generator's options */
    const char *network;          /* the description */
    const char *method;           /* lesson_write's */
    const soloist_limits *limits; /* seed, time, threads, stop token */
    const char *folder;           /* folder of all trainings of the store; created if missing */
    void (*report)(void *user, const struct training_row *row);
    void *user;
};

/* The key of a training is a hash of all that determines it, with options under their former names, so that the key
 * outlives a name. It is the name of its folder, and the row of a search that uses its network contains it. False: no
 * memory. */
bool teach_key(const struct teaching *teaching, uint64_t *key);
#define TEACH_NETWORK "trained %016llx"
/* The path of the weights that such a row names; false: the row's network is not that of a training. */
bool teach_weights(const char *network, const char *folder, char *path, size_t room);

/* *time_s: the total time, including the time before it was cut short. False with an error. */
bool teach(const struct teaching *teaching, double *time_s, soloist_error *error);
/* Reports the rows in curve.jsonl of a training's folder again. False if memory runs out. */
bool teach_earlier_rows(const char *folder, void (*report)(void *user, const struct training_row *row), void *user);
/* To be called once its result is stored: deletes all of its folder but weights.safetensors. */
void teach_tidy(const struct teaching *teaching);

#endif
