/* The service on a socket: HTTP by libmicrohttpd, and a job's events as server-sent events. Only this file uses
 * libmicrohttpd; without that library the file is not compiled. */
#ifndef SERVE_HTTP_H
#define SERVE_HTTP_H

#include "serve/serve.h"

struct http;

struct http_rules {
    const char *address; /* numeric IP address to listen at; NULL: 127.0.0.1 */
    int port;            /* the first port to try */
    int last_port;       /* the last port to try; the server uses the first free port */
};

/* Starts the server in threads of its own. NULL with an error if it cannot be started. */
struct http *http_open(const struct serve_rules *rules, const struct http_rules *where, soloist_error *error);
/* Writes the address that opens the page on this machine, with the token if there is one. True: the server listens at
 * all addresses of the machine, and on other machines the machine's name replaces the host of this address. */
bool http_address(const struct http *http, char *out, size_t room);
/* To be called once a second: sends events that keep connections alive, disconnects clients that are too slow, and
 * calls jobs_sweep. */
void http_tick(struct http *http);
void http_close(struct http *http);

#endif
