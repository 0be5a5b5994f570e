/* A request and its reply, as the server's code sees them. No socket is needed here. */
#ifndef SERVE_REQUEST_H
#define SERVE_REQUEST_H

#include "base/buffer.h"

struct job;

/* The texts are borrowed. A header that was not sent is NULL. */
struct request {
    const char *method; /* "GET", "POST", "DELETE", ... */
    const char *path;   /* decoded, without the query */
    const char *token;  /* value of the query parameter "token"; NULL: none */
    const char *host, *origin, *fetch_site, *content_type, *authorization, *cookie, *if_none_match;
    const char *body;
    size_t length;
};

/* The caller frees it with reply_close. */
struct reply {
    int status;       /* 0: nobody has answered yet */
    const char *type; /* content type; a constant */
    struct buffer body;
    const char *constant; /* if not NULL, the content instead of `body`: bytes that live as long as the program */
    size_t constant_length;
    const char *etag;     /* a constant; NULL: none */
    const char *location; /* a constant; NULL: none */
    char cookie[160];     /* "": none */
    char allow[40];       /* the methods that the address allows, such as "GET, POST"; "": not said */
    struct job *watched;  /* if not NULL, the reply is the stream of this job's events (see jobs.h) */
};

void reply_open(struct reply *reply);
void reply_close(struct reply *reply);
/* Sets the status and the JSON object {"error": text}. */
void reply_fail(struct reply *reply, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
