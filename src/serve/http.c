#include "serve/http.h"
#include "base/budget.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    THREADS = 4,          /* that answer requests */
    CONNECTIONS = 128,    /* maximum number at a time */
    HEADER_BYTES = 32768, /* of memory for one connection: request line, headers, a piece of content */
    QUIET_S = 30,         /* a connection without traffic is closed after this time */
    SLOW_S = 60,          /* a request that has not arrived completely after this time is given up */
    CROWDED_S = 5,        /* the same if no further connection is possible, so that silent clients block nobody */
    BEAT_S = 5,           /* time between signs of life on a stream of events */
    DRAIN_S = 1,          /* when the server ends: time for the last events */
};

static const char policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/* A connection, from the first byte to the last. */
struct visitor {
    struct visitor *next, **link;
    MHD_socket socket;
    double since_s; /* when the present request, or the wait for it, began */
    bool answered;  /* the request has arrived: from now on the client may take its time */
};

/* One client that follows a job. */
struct stream {
    struct http *http;
    struct stream *next, **link;
    struct MHD_Connection *connection;
    struct job *job;
    uint64_t seen; /* version of the job that was sent */
    bool ended;    /* the job's last state is in `pending` or sent */
    bool asleep;   /* suspended: waits for news */
    double sent_s;
    struct buffer pending;
    size_t sent; /* bytes of it that are sent */
};

struct http {
    struct serve serve;
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock; /* of the two lists and what is in them; taken before the lock of the jobs */
    struct visitor *visitors;
    struct stream *streams;
    bool closing;
};

/* ---- events ---- */

/* The caller holds the lock. */
static void wake(struct stream *stream) {
    if (stream->asleep)
        MHD_resume_connection(stream->connection);
    stream->asleep = false;
}

static void job_changed(void *user, const struct job *job) {
    struct http *http = user;
    pthread_mutex_lock(&http->lock);
    for (struct stream *stream = http->streams; stream; stream = stream->next)
        if (!job || stream->job == job)
            wake(stream);
    pthread_mutex_unlock(&http->lock);
}

/* Writes what there is to send. Nothing is queued: a slow client gets the newest state, not every state. */
static void fetch(struct stream *stream) {
    soloist_sink sink = buffer_sink(&stream->pending);
    struct buffer state;
    buffer_open(&state);
    soloist_sink state_sink = buffer_sink(&state);
    buffer_clear(&stream->pending);
    stream->sent = 0;
    if (jobs_news(stream->http->serve.jobs, stream->job, &stream->seen, &stream->ended, &state_sink))
        soloist_print(&sink, "event: %s\ndata: ", stream->ended ? "end" : "job"), soloist_put(&sink, state.text),
            soloist_put(&sink, "\n\n");
    else if (clock_seconds() - stream->sent_s > BEAT_S)
        soloist_put(&sink, ": still at work\n\n");
    if (stream->pending.length)
        stream->sent_s = clock_seconds();
    stream->pending.failed |= state.failed;
    buffer_close(&state);
}

static ssize_t read_stream(void *user, uint64_t position, char *out, size_t room) {
    struct stream *stream = user;
    struct http *http = stream->http;
    ssize_t count = 0;
    (void)position;
    pthread_mutex_lock(&http->lock);
    if (stream->sent == stream->pending.length && !stream->ended && !http->closing)
        fetch(stream);
    size_t left = stream->pending.length - stream->sent;
    if (stream->pending.failed) {
        count = MHD_CONTENT_READER_END_WITH_ERROR;
    } else if (left) {
        count = (ssize_t)(left < room ? left : room);
        memcpy(out, stream->pending.text + stream->sent, (size_t)count);
        stream->sent += (size_t)count;
    } else if (stream->ended || http->closing) {
        count = MHD_CONTENT_READER_END_OF_STREAM;
    } else {
        stream->asleep = true;
        MHD_suspend_connection(stream->connection);
    }
    pthread_mutex_unlock(&http->lock);
    return count;
}

static void free_stream(void *user) {
    struct stream *stream = user;
    struct http *http = stream->http;
    pthread_mutex_lock(&http->lock);
    *stream->link = stream->next;
    if (stream->next)
        stream->next->link = stream->link;
    pthread_mutex_unlock(&http->lock);
    jobs_unwatch(http->serve.jobs, stream->job);
    buffer_close(&stream->pending);
    free(stream);
}

static struct MHD_Response *open_stream(struct http *http, struct MHD_Connection *connection, struct job *job) {
    struct stream *stream = calloc(1, sizeof *stream);
    if (!stream) {
        jobs_unwatch(http->serve.jobs, job);
        return NULL;
    }
    *stream = (struct stream){.http = http, .connection = connection, .job = job, .sent_s = clock_seconds()};
    buffer_open(&stream->pending);
    pthread_mutex_lock(&http->lock);
    stream->next = http->streams;
    stream->link = &http->streams;
    if (stream->next)
        stream->next->link = &stream->next;
    http->streams = stream;
    pthread_mutex_unlock(&http->lock);
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 16384, read_stream, stream, free_stream);
    if (!response)
        free_stream(stream);
    return response;
}

/* ---- requests ---- */

/* One request while it arrives. */
struct exchange {
    struct buffer body;
    double since_s;
    bool refused; /* it was answered before its content had arrived */
    bool large;   /* its content, whose length was not announced, is too large: the rest is not stored */
};

static struct MHD_Response *plain_response(struct reply *reply) {
    if (reply->constant)
        return MHD_create_response_from_buffer(reply->constant_length, (void *)(uintptr_t)reply->constant,
                                               MHD_RESPMEM_PERSISTENT);
    size_t length = reply->body.length;
    char *text = buffer_take(&reply->body);
    struct MHD_Response *response = text ? MHD_create_response_from_buffer(length, text, MHD_RESPMEM_MUST_FREE) : NULL;
    if (text && !response)
        free(text);
    return response;
}

static void add_headers(struct MHD_Response *response, const struct reply *reply) {
    const char *const headers[][2] = {
        {"Content-Type", reply->type},
        {"Content-Security-Policy", policy},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", reply->etag ? "no-cache" : "no-store"},
        {"ETag", reply->etag},
        {"Location", reply->location},
        {"Set-Cookie", *reply->cookie ? reply->cookie : NULL},
        {"Allow", *reply->allow ? reply->allow : NULL},
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (headers[i][1])
            MHD_add_response_header(response, headers[i][0], headers[i][1]);
}

static enum MHD_Result send_reply(struct http *http, struct MHD_Connection *connection, struct reply *reply) {
    struct MHD_Response *response =
        reply->watched ? open_stream(http, connection, reply->watched) : plain_response(reply);
    if (!response)
        return MHD_NO; /* no memory: the connection is closed */
    add_headers(response, reply);
    enum MHD_Result result = MHD_queue_response(connection, (unsigned)reply->status, response);
    MHD_destroy_response(response);
    return result;
}

static const char *header(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static struct request read_request(struct MHD_Connection *connection, const char *method, const char *path) {
    return (struct request){
        .method = method,
        .path = path,
        .token = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token"),
        .host = header(connection, "Host"),
        .origin = header(connection, "Origin"),
        .fetch_site = header(connection, "Sec-Fetch-Site"),
        .content_type = header(connection, "Content-Type"),
        .authorization = header(connection, "Authorization"),
        .cookie = header(connection, "Cookie"),
        .if_none_match = header(connection, "If-None-Match"),
    };
}

static void reply_too_large(struct reply *reply) {
    reply_fail(reply, 413, "the content has more than %d MiB", SERVE_BODY_MOST >> 20);
}

/* Called when the headers are there: what is refused anyway need not be sent. True: an answer is queued. */
static bool refuse_early(struct http *http, struct MHD_Connection *connection, const struct request *request,
                         enum MHD_Result *result) {
    const char *length = header(connection, "Content-Length");
    struct reply reply;
    reply_open(&reply);
    bool admitted = guard_admits(&http->serve.guard, request, &reply);
    if (admitted && length && (strlen(length) > 12 || strtoll(length, NULL, 10) > SERVE_BODY_MOST))
        reply_too_large(&reply), admitted = false;
    if (!admitted)
        *result = send_reply(http, connection, &reply);
    reply_close(&reply);
    return !admitted;
}

static enum MHD_Result begin(struct http *http, struct MHD_Connection *connection, const struct request *request,
                             void **context) {
    struct exchange *exchange = calloc(1, sizeof *exchange);
    enum MHD_Result result = MHD_YES;
    if (!exchange)
        return MHD_NO;
    *context = exchange;
    buffer_open(&exchange->body);
    exchange->since_s = clock_seconds();
    exchange->refused = refuse_early(http, connection, request, &result);
    return result;
}

static enum MHD_Result take(struct exchange *exchange, const char *piece, size_t *length) {
    soloist_sink sink = buffer_sink(&exchange->body);
    if (clock_seconds() - exchange->since_s > SLOW_S)
        return MHD_NO;
    exchange->large |= exchange->body.length + *length > SERVE_BODY_MOST;
    if (!exchange->large)
        sink.write(sink.to, piece, *length);
    *length = 0;
    return exchange->body.failed ? MHD_NO : MHD_YES;
}

static void mark_answered(struct http *http, struct MHD_Connection *connection, bool answered) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct visitor *visitor = info ? info->socket_context : NULL;
    if (!visitor)
        return;
    pthread_mutex_lock(&http->lock);
    visitor->answered = answered;
    visitor->since_s = clock_seconds();
    pthread_mutex_unlock(&http->lock);
}

static enum MHD_Result answer(void *user, struct MHD_Connection *connection, const char *path, const char *method,
                              const char *version, const char *piece, size_t *length, void **context) {
    struct http *http = user;
    struct request request = read_request(connection, method, path);
    (void)version;
    if (!*context)
        return begin(http, connection, &request, context);
    struct exchange *exchange = *context;
    if (exchange->refused)
        return *length = 0, MHD_YES;
    if (*length)
        return take(exchange, piece, length);
    mark_answered(http, connection, true);
    request.body = exchange->body.text ? exchange->body.text : "";
    request.length = exchange->body.length;
    struct reply reply;
    reply_open(&reply);
    if (exchange->large)
        reply_too_large(&reply);
    else
        serve_answer(&http->serve, &request, &reply);
    enum MHD_Result result = send_reply(http, connection, &reply);
    reply_close(&reply);
    return result;
}

static void completed(void *user, struct MHD_Connection *connection, void **context,
                      enum MHD_RequestTerminationCode code) {
    struct exchange *exchange = *context;
    (void)code;
    if (exchange)
        buffer_close(&exchange->body);
    free(exchange);
    *context = NULL;
    mark_answered(user, connection, false);
}

/* ---- connections ---- */

static void notice(void *user, struct MHD_Connection *connection, void **context,
                   enum MHD_ConnectionNotificationCode code) {
    struct http *http = user;
    struct visitor *visitor = *context;
    pthread_mutex_lock(&http->lock);
    if (code == MHD_CONNECTION_NOTIFY_STARTED && (visitor = calloc(1, sizeof *visitor))) {
        visitor->socket = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        visitor->since_s = clock_seconds();
        visitor->next = http->visitors;
        visitor->link = &http->visitors;
        if (visitor->next)
            visitor->next->link = &visitor->next;
        http->visitors = visitor;
        *context = visitor;
    } else if (code == MHD_CONNECTION_NOTIFY_CLOSED && visitor) {
        *visitor->link = visitor->next;
        if (visitor->next)
            visitor->next->link = visitor->link;
        free(visitor);
        *context = NULL;
    }
    pthread_mutex_unlock(&http->lock);
}

void http_tick(struct http *http) {
    double now = clock_seconds();
    int count = 0;
    pthread_mutex_lock(&http->lock);
    for (struct visitor *visitor = http->visitors; visitor; visitor = visitor->next)
        count++;
    double patience = count < CONNECTIONS ? SLOW_S : CROWDED_S;
    for (struct visitor *visitor = http->visitors; visitor; visitor = visitor->next)
        if (!visitor->answered && now - visitor->since_s > patience)
            shutdown(visitor->socket, SHUT_RDWR);
    for (struct stream *stream = http->streams; stream; stream = stream->next)
        if (now - stream->sent_s > BEAT_S)
            wake(stream);
    pthread_mutex_unlock(&http->lock);
    jobs_sweep(http->serve.jobs, now);
}

/* ---- opening and closing ---- */

static int listen_at(const char *address, int port) {
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    bool is_four = inet_pton(AF_INET, address, &four.sin_addr) == 1;
    int on = 1, handle = socket(is_four ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (handle < 0)
        return -1;
    inet_pton(AF_INET6, address, &six.sin6_addr);
    setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    int failed = is_four ? bind(handle, (struct sockaddr *)&four, sizeof four)
                         : bind(handle, (struct sockaddr *)&six, sizeof six);
    if (failed || listen(handle, 64)) {
        int why = errno;
        close(handle);
        errno = why;
        return -1;
    }
    return handle;
}

static bool is_address(const char *address) {
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, address, bytes) == 1 || inet_pton(AF_INET6, address, bytes) == 1;
}

/* A listening socket at the first port that is free, or -1 with an error. */
static int find_port(const struct http_rules *where, const char *address, int *port, soloist_error *error) {
    if (!is_address(address))
        return soloist_fail(error, 0, 0, "%s is not an address such as 192.168.1.5", address), -1;
    for (*port = where->port; *port <= where->last_port; ++*port) {
        int handle = listen_at(address, *port);
        if (handle >= 0)
            return handle;
        if (errno != EADDRINUSE)
            break;
    }
    soloist_fail(error, 0, 0, "cannot listen at %s, port %d: %s", address,
                 *port > where->last_port ? where->last_port : *port, strerror(errno));
    return -1;
}

struct http *http_open(const struct serve_rules *rules, const struct http_rules *where, soloist_error *error) {
    const char *address = where->address ? where->address : "127.0.0.1";
    struct http *http = calloc(1, sizeof *http);
    int port = 0, handle = http ? find_port(where, address, &port, error) : -1;
    if (!http)
        soloist_fail(error, 0, 0, "out of memory");
    if (handle < 0)
        return free(http), NULL;
    pthread_mutex_init(&http->lock, NULL);
    if (!serve_open(&http->serve, rules, job_changed, http) || !guard_open(&http->serve.guard, address, port))
        soloist_fail(error, 0, 0, "out of memory, or there are no random numbers");
    /* With epoll the library misses a client that closes the connection together with its last bytes. */
    else if (!(http->daemon = MHD_start_daemon(
                   MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, http,
                   MHD_OPTION_LISTEN_SOCKET, handle, MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS,
                   MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)QUIET_S,
                   MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADER_BYTES, MHD_OPTION_NOTIFY_COMPLETED, completed,
                   http, MHD_OPTION_NOTIFY_CONNECTION, notice, http, MHD_OPTION_END)))
        soloist_fail(error, 0, 0, "the server cannot be started: %s", strerror(errno));
    if (http->daemon)
        return http;
    close(handle);
    serve_close(&http->serve);
    pthread_mutex_destroy(&http->lock);
    free(http);
    return NULL;
}

/* Whether this is the address that stands for all addresses of the machine: 0.0.0.0 or ::. */
static bool is_any(const char *address) {
    static const unsigned char zero[sizeof(struct in6_addr)];
    unsigned char bytes[sizeof zero] = {0};
    bool known = inet_pton(AF_INET, address, bytes) == 1 || inet_pton(AF_INET6, address, bytes) == 1;
    return known && !memcmp(bytes, zero, sizeof zero);
}

/* No browser opens the address that stands for all addresses. */
bool http_address(const struct http *http, char *out, size_t room) {
    const struct guard *guard = &http->serve.guard;
    bool six = strchr(guard->address, ':'), any = is_any(guard->address);
    const char *host = !any ? guard->address : six ? "::1" : "127.0.0.1";
    snprintf(out, room, "http://%s%s%s:%d/%s%s", six ? "[" : "", host, six ? "]" : "", guard->port,
             *guard->token ? "?token=" : "", guard->token);
    return any;
}

/* Gives the streams time to send the ends of their jobs. */
static void drain(struct http *http) {
    bool empty = false;
    for (double until = clock_seconds() + DRAIN_S; !empty && clock_seconds() < until;) {
        pthread_mutex_lock(&http->lock);
        empty = !http->streams;
        pthread_mutex_unlock(&http->lock);
        if (!empty)
            nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
}

void http_close(struct http *http) {
    if (!http)
        return;
    jobs_stop(http->serve.jobs);
    drain(http);
    pthread_mutex_lock(&http->lock);
    http->closing = true;
    for (struct stream *stream = http->streams; stream; stream = stream->next)
        wake(stream);
    pthread_mutex_unlock(&http->lock);
    MHD_stop_daemon(http->daemon);
    serve_close(&http->serve);
    pthread_mutex_destroy(&http->lock);
    free(http);
}
