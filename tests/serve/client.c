/* A plain client of the page's server, for tests: client PORT ask METHOD PATH [BODY [HEADER...]] prints the status and
 * the content; client PORT malformed N sends N requests that are wrong in random ways; client PORT load CLIENTS JOBS
 * lets many clients send jobs and wait for all results, by polling and by events. The exit status carries the verdict.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ANSWER_ROOM = 1 << 20, REQUEST_ROOM = 1 << 16 };
static int port;

static int open_connection(void) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int handle = socket(AF_INET, SOCK_STREAM, 0);
    struct timeval patience = {.tv_sec = 120};
    if (handle < 0)
        return -1;
    setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(handle, (struct sockaddr *)&to, sizeof to)) {
        close(handle);
        return -1;
    }
    return handle;
}

static bool send_all(int handle, const char *text, size_t length) {
    while (length) {
        ssize_t sent = send(handle, text, length, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        text += sent;
        length -= (size_t)sent;
    }
    return true;
}

/* Reads until the server closes the connection; returns the number of bytes. */
static size_t read_all(int handle, char *out, size_t room) {
    size_t length = 0;
    ssize_t got;
    while (length + 1 < room && (got = recv(handle, out + length, room - 1 - length, 0)) > 0)
        length += (size_t)got;
    out[length] = 0;
    return length;
}

/* Sends a request with more header lines (each with its line end) and reads the answer. Returns the status; 0: none. */
static int ask(const char *method, const char *path, const char *body, const char *more, char *answer) {
    static const char format[] = "%s %s HTTP/1.1\r\n%s%sConnection: close\r\n%s"
                                 "Content-Length: %zu\r\n\r\n";
    char *head = malloc(REQUEST_ROOM), host[64];
    int handle = head ? open_connection() : -1, status = 0;
    answer[0] = 0;
    snprintf(host, sizeof host, "Host: 127.0.0.1:%d\r\n", port);
    if (handle >= 0) {
        snprintf(head, REQUEST_ROOM, format, method, path, strstr(more, "Host:") ? "" : host,
                 strstr(more, "Content-Type:") ? "" : "Content-Type: application/json\r\n", more, strlen(body));
        if (send_all(handle, head, strlen(head)))
            send_all(handle, body, strlen(body));
        read_all(handle, answer, ANSWER_ROOM);
        sscanf(answer, "HTTP/1.1 %d", &status);
        close(handle);
    }
    free(head);
    return status;
}

static int run_ask(int count, char **words) {
    char *answer = malloc(ANSWER_ROOM), more[4096] = "";
    for (int i = 3; i < count; i++) {
        strncat(more, words[i], sizeof more - strlen(more) - 3);
        strcat(more, "\r\n");
    }
    int status = ask(words[0], words[1], count > 2 ? words[2] : "", more, answer);
    const char *content = strstr(answer, "\r\n\r\n");
    printf("%d\n%s\n", status, content ? content + 4 : "");
    free(answer);
    return status ? 0 : 1;
}

/* ---- malformed requests ---- */

static unsigned long long state = 88172645463325252ull;

static unsigned below(unsigned n) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (unsigned)(state % n);
}

static const char *const samples[] = {
    "GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: close\r\n\r\n",
    "GET /api/about HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: close\r\n\r\n",
    "GET /api/jobs/0123456789abcdef/events HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: close\r\n\r\n",
    "POST /api/read HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: close\r\nContent-Type: application/json\r\n"
    "Content-Length: 42\r\n\r\n{\"text\":\"#####\\n#@$.#\\n#####\\n\",\"from\":0}",
    "POST /api/explain HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: close\r\nContent-Type: application/json\r\n"
    "Content-Length: 60\r\n\r\n{\"domain\":\"sokoban\",\"text\":\"######\\n#@ $.#\\n######\\n\"}      ",
    "POST /api/check HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n"
    "Content-Type: application/json\r\n\r\n1e\r\n{\"text\":\"2 1\",\"solution\":\"[2]\"}\r\n0\r\n\r\n",
    "POST /api/lab HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: close\r\nContent-Type: application/json\r\n"
    "Content-Length: 66\r\n\r\n{\"experiment\":\"small\",\"show\":\"figure\",\"kind\":\"means\",\"y\":\"nodes\"}",
    "POST /api/training HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: close\r\nContent-Type: application/json\r\n"
    "Content-Length: 21\r\n\r\n{\"number\":0,\"from\":1}",
    "DELETE /api/jobs/0123456789abcdef HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: close\r\n\r\n",
};

/* Copies a sample with the right port and changes it at a few places. Returns its length. */
static size_t spoil(char *out) {
    const char *sample = samples[below(sizeof samples / sizeof *samples)];
    size_t length = strlen(sample);
    char *host = NULL, digits[8];
    memcpy(out, sample, length + 1);
    snprintf(digits, sizeof digits, "%d", port);
    if (strlen(digits) == 4 && (host = strstr(out, "8080")))
        memcpy(host, digits, 4);
    for (unsigned change = 1 + below(6); change--;) {
        size_t at = below((unsigned)length);
        switch (below(5)) {
        case 0: out[at] = (char)below(256); break;
        case 1: length = at + 1; break;
        case 2: memset(out + at, 'A' + (int)below(26), length - at < 9 ? length - at : 9); break;
        case 3: memmove(out + at, out + at / 2, (length - at) / 2); break;
        default:
            if (length < REQUEST_ROOM / 2) {
                memmove(out + at + length, out + at, length - at);
                length *= 2;
            }
        }
    }
    return length;
}

static int run_malformed(int count) {
    char *request = malloc(REQUEST_ROOM * 2), *answer = malloc(ANSWER_ROOM);
    int refused = 0;
    for (int i = 0; i < count; i++) {
        memset(request, 0, REQUEST_ROOM * 2);
        size_t length = spoil(request);
        int handle = open_connection();
        if (handle < 0) {
            refused++;
            continue;
        }
        send_all(handle, request, length);
        shutdown(handle, SHUT_WR); /* nothing more will come: the server need not wait */
        read_all(handle, answer, ANSWER_ROOM);
        close(handle);
    }
    free(request);
    free(answer);
    printf("%d sent, %d refused\n", count, refused);
    return refused != 0;
}

/* Clients that begin a request and never end it, while others are served. */
static int run_slow(int count) {
    int *handles = malloc((size_t)count * sizeof *handles), status = 0;
    char *answer = malloc(ANSWER_ROOM);
    for (int i = 0; i < count; i++) {
        handles[i] = open_connection();
        const char *begun =
            i % 2 ? "POST /api/read HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Length: 99\r\n\r\n{" : "GET /a";
        send_all(handles[i], begun, strlen(begun));
    }
    for (int i = 0; i < 20; i++)
        status |= ask("GET", "/api/jobs", "", "", answer) != 200;
    for (int i = 0; i < count; i++)
        close(handles[i]);
    free(handles);
    free(answer);
    printf("%d slow clients: others are %s\n", count, status ? "not served" : "served");
    return status;
}

/* ---- load ---- */

struct load {
    int jobs, number;
    int lost;
};

/* Sends one job and waits for its result, every second time by events. */
static bool one_job(int number, char *answer) {
    char body[200], path[100] = "/api/jobs/";
    int pushes = 1 + number % 9;
    snprintf(body, sizeof body, "{\"text\":\"%.*s\\n#@$%.*s.#\\n%.*s\\n\",\"tag\":\"%d\"}", 5 + pushes - 1,
             "##############", pushes - 1, "         ", 5 + pushes - 1, "##############", number);
    int status = ask("POST", "/api/jobs", body, "", answer);
    const char *id = strstr(answer, "\"id\":\"");
    if (status != 201 || !id)
        return false;
    strncat(path, id + 6, 16);
    char wanted[40];
    snprintf(wanted, sizeof wanted, "\"pushes\":%d,", pushes);
    if (number % 2) {
        strcat(path, "/events");
        return ask("GET", path, "", "", answer) == 200 && strstr(answer, "event: end") && strstr(answer, wanted);
    }
    while ((status = ask("GET", path, "", "", answer)) == 200 && !strstr(answer, "\"state\":\"ended\""))
        ;
    return status == 200 && strstr(answer, wanted);
}

static void *work(void *user) {
    struct load *load = user;
    char *answer = malloc(ANSWER_ROOM);
    for (int i = 0; i < load->jobs; i++)
        load->lost += !one_job(load->number * load->jobs + i, answer);
    free(answer);
    return NULL;
}

static int run_load(int clients, int jobs) {
    struct load *loads = calloc((size_t)clients, sizeof *loads);
    pthread_t *threads = calloc((size_t)clients, sizeof *threads);
    int lost = 0;
    for (int i = 0; i < clients; i++) {
        loads[i] = (struct load){jobs / clients, i, 0};
        if (pthread_create(&threads[i], NULL, work, &loads[i]))
            return 1;
    }
    for (int i = 0; i < clients; i++) {
        pthread_join(threads[i], NULL);
        lost += loads[i].lost;
    }
    printf("%d jobs, %d lost\n", jobs / clients * clients, lost);
    free(loads);
    free(threads);
    return lost != 0;
}

int main(int count, char **words) {
    if (count < 4)
        return 2;
    port = atoi(words[1]);
    if (!strcmp(words[2], "malformed"))
        return run_malformed(atoi(words[3]));
    if (!strcmp(words[2], "slow"))
        return run_slow(atoi(words[3]));
    if (!strcmp(words[2], "load") && count > 4)
        return run_load(atoi(words[3]), atoi(words[4]));
    return count > 4 ? run_ask(count - 3, words + 3) : 2;
}
