/* A run that is a training. If it is cut short, it can resume from its own checkpoint; when it is done, its weights are
 * kept. */
#ifndef LAB_RUN_TEACH_H
#define LAB_RUN_TEACH_H

#include "lab/lesson.h"

struct teaching {
    const soloist *engine;
    const soloist_domain *domain;
    const char *options;          /* the domain's options */
    const char *boards;           /* the generator's options */
    const char *network;          /* the network's description */
    const char *method;           /* the text that lesson_write made */
    const soloist_limits *limits; /* only seed, time, threads and stop token are used */
    const char *folder;           /* folder of all trainings of the store; created if missing */
    void (*report)(void *user, const struct training_row *row);
    void *user;
};

/* The key of a training is a hash of everything that determines it. Options have their former names in it, so that the
 * key stays the same when an option is renamed. The key is the name of the training's folder, and it is part of the row
 * of a search that uses its network. False: no memory. */
bool teach_key(const struct teaching *teaching, uint64_t *key);
#define TEACH_NETWORK "trained %016llx"
/* network: the content of the network column in a search's row. If it names a training, writes the path of the
 * training's weights; otherwise returns false. */
bool teach_weights(const char *network, const char *folder, char *path, size_t room);

/* Runs or resumes the training. *time_s: the total time, including earlier attempts. False with an error. */
bool teach(const struct teaching *teaching, double *time_s, soloist_error *error);
/* Reports the rows in curve.jsonl of a training's folder again. False if memory runs out. */
bool teach_earlier_rows(const char *folder, void (*report)(void *user, const struct training_row *row), void *user);
/* To be called once the result is stored: deletes everything in the training's folder except weights.safetensors. */
void teach_tidy(const struct teaching *teaching);

#endif
