/* A run that is a training: cut short, it goes on from its own checkpoint; done, its weights stay. */
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
    const soloist_limits *limits; /* seed, time, threads, cancel */
    const char *folder;           /* of all trainings of the store; made where it is missing */
    void (*report)(void *user, const struct training_row *row);
    void *user;
};

/* A training is known by a hash of all that decides it; its folder's name, and what the row of a search with its
 * network says. */
uint64_t teach_key(const struct teaching *teaching);
#define TEACH_NETWORK "trained %016llx"
/* Where the weights lie that such a row speaks of; false: the row's network is none of a training. */
bool teach_weights(const char *network, const char *folder, char *path, size_t room);

/* *time_s: what it took, with what came before it was cut short. False with an error. */
bool teach(const struct teaching *teaching, double *time_s, soloist_error *error);
/* Tells again what a training's folder has in curve.jsonl. False without memory. */
bool teach_earlier_rows(const char *folder, void (*report)(void *user, const struct training_row *row), void *user);
/* Once its result is stored: of its folder only weights.safetensors stays. */
void teach_tidy(const struct teaching *teaching);

#endif
