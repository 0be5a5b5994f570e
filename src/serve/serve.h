/* The service behind the page: it answers requests with the page's files and with the engine's work as JSON. It uses no
 * socket (http.h does), so that tests can pass requests directly. */
#ifndef SERVE_SERVE_H
#define SERVE_SERVE_H

#include "engine/level_sets.h"
#include "serve/guard.h"
#include "serve/jobs.h"

enum {
    SERVE_BODY_MOST = 8 << 20,   /* bytes of a request's content */
    SERVE_INSTANCES_MOST = 1000, /* instances in one reply */
};

/* A file that the user named on the command line. */
struct serve_file {
    char *name, *text; /* owned by the caller */
    size_t length;
};

/* The folder of a training run, or a trained network. */
struct serve_training {
    char *name, *path; /* owned by the caller */
    bool folder;
};

/* Stores of the lab (lab_desk.h); the pointers are NULL if there are none. */
struct serve_lab {
    void *desk;
    void (*list)(void *desk, struct reply *reply);
    void (*answer)(void *desk, const struct request *request, struct reply *reply);
};

struct serve_rules {
    const soloist *engine;
    const struct level_sets *sets; /* the installed level sets; may be NULL */
    const struct serve_file *files;
    size_t file_count;
    const struct serve_training *trainings;
    size_t training_count;
    struct serve_lab lab;
    struct work_limits limits; /* of each job */
    struct kept *kept;         /* see jobs.h; may be NULL */
    int workers;               /* jobs that run at the same time; 0: see jobs.h */
};

struct serve {
    struct serve_rules rules;
    struct guard guard;
    struct jobs *jobs;
};

/* Fills in everything but the guard, which http.h opens when the port is known. changed, user: see jobs.h. False: no
 * memory. The rules are copied; what they point to must outlive the service. */
bool serve_open(struct serve *serve, const struct serve_rules *rules, void (*changed)(void *, const struct job *),
                void *user);
void serve_close(struct serve *serve);
/* Answers a request that the guard has admitted. The caller has opened the reply. If memory runs out, reply->body is
 * marked as failed. */
void serve_answer(struct serve *serve, const struct request *request, struct reply *reply);

#endif
