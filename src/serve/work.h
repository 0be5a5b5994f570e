/* The work of one job: reads what a client asks for, lets the engine do it, and writes the result. */
#ifndef SERVE_WORK_H
#define SERVE_WORK_H

#include "engine/grade.h"
#include "search/special/polish.h"
#include "serve/fields.h"

enum work_kind { WORK_SOLVE, WORK_HINT, WORK_OPTIMIZE, WORK_GENERATE };

/* The upper limits for one job. */
struct work_limits {
    double time_s;
    size_t memory; /* bytes */
    int threads;
};

/* Minimum number of seconds between two reports about a job. */
#define WORK_EVERY_S 0.05

/* The maximum number of bytes of the texts that a client may send. */
enum {
    WORK_TEXT_MOST = 1 << 20, /* an instance */
    WORK_SOLUTION_MOST = 4 << 20,
    WORK_NAME_MOST = 60,     /* a domain */
    WORK_OPTIONS_MOST = 400, /* a method or options */
    WORK_TAG_MOST = 200
};

/* How a client watches a solve. */
struct work_pace {
    bool watched;   /* the client wants to see the running search (soloist_picture) */
    bool paused;    /* after each report the search waits until the client allows the next report */
    uint64_t every; /* number of states and iterations between two reports; 0: reports come at intervals of time */
    double delay_s; /* seconds that the search waits after each report */
};

struct work {
    enum work_kind kind;
    /* Owned by the struct. domain and text describe the instance; if domain is NULL, the domain is recognised from the
     * text. tag: any text of the client, which is returned with the job. */
    char *domain, *text, *options, *method, *solution, *tag;
    const char *prove;     /* solve: the count that must be proved the least, "pushes" or "moves"; NULL: none */
    struct polish_aim aim; /* optimize */
    soloist_limits limits;
    struct grade grade;    /* generate */
    struct work_pace pace; /* solve: how it begins */
};

/* Called while the work goes on, under the same rules as soloist_watcher.see. sight->line may be NULL. Returns how many
 * states and iterations may pass until the next call; 0: any number. */
struct work_listener {
    uint64_t (*told)(void *user, const soloist_sight *sight);
    void *user;
};

/* Reads the members of a pace that a client sent; missing members leave their fields unchanged. */
void work_read_pace(struct work_pace *pace, struct fields *fields);

const char *work_kind_name(enum work_kind kind);
/* Reads what a client sent. False with an error. The caller frees the work, even if the function fails. */
bool work_read(struct work *work, struct fields *fields, const struct work_limits *most);
void work_free(struct work *work);
/* Does the work, and writes its result as the members of a JSON object that the caller has opened. Returns false if
 * memory ran out or nothing could be done; then error says why. */
bool work_run(const struct work *work, const soloist *engine, soloist_stop_token *stop,
              const struct work_listener *listener, struct json_writer *json, soloist_error *error);

/* Reads an instance that a client sent: the text must hold exactly one instance. domain and options may be NULL. If the
 * result is SOLOIST_OK, the caller frees the puzzle. */
soloist_code work_puzzle(const soloist *engine, const char *domain, const char *options, const char *text,
                         soloist_stop_token *stop, soloist_puzzle *puzzle, soloist_error *error);
/* Writes the advice about a position as members of a JSON object. */
void work_write_advice(struct json_writer *json, const soloist_advice *advice);

#endif
