#include "serve/guard.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

bool guard_random(char *text, size_t digits) {
    static const char hex[] = "0123456789abcdef";
    unsigned char bytes[64];
    if (digits > sizeof bytes || getrandom(bytes, digits, 0) != (ssize_t)digits)
        return false;
    for (size_t i = 0; i < digits; i++)
        text[i] = hex[bytes[i] & 15];
    text[digits] = 0;
    return true;
}

bool guard_open(struct guard *guard, const char *address, int port) {
    *guard = (struct guard){.port = port};
    snprintf(guard->address, sizeof guard->address, "%s", address);
    guard->loopback = !strncmp(address, "127.", 4) || !strcmp(address, "::1");
    return guard->loopback || guard_random(guard->token, GUARD_TOKEN_LENGTH);
}

/* Whether the text is "NAME:PORT", or "NAME" where the port is HTTP's own. */
static bool is_authority(const char *text, const char *name, int port) {
    size_t length = strlen(name);
    char end[16];
    snprintf(end, sizeof end, ":%d", port);
    if (strncasecmp(text, name, length) != 0)
        return false;
    return !strcmp(text + length, end) || (port == 80 && !text[length]);
}

/* Whether a Host header, or an origin without its scheme, names this server. A server for other machines may have any
 * name: there the token protects it. */
static bool names_us(const struct guard *guard, const char *text) {
    static const char *const local[] = {"127.0.0.1", "localhost", "[::1]"};
    char bracketed[GUARD_ADDRESS_ROOM + 2];
    bool six = strchr(guard->address, ':');
    snprintf(bracketed, sizeof bracketed, "%s%s%s", six ? "[" : "", guard->address, six ? "]" : "");
    if (is_authority(text, bracketed, guard->port))
        return true;
    for (size_t i = 0; i < sizeof local / sizeof *local; i++)
        if (is_authority(text, local[i], guard->port))
            return true;
    return false;
}

static bool is_cross_site(const struct guard *guard, const struct request *request) {
    static const char scheme[] = "http://";
    const char *origin = request->origin, *site = request->fetch_site;
    if (site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0)
        return true;
    if (!origin)
        return false;
    if (strncmp(origin, scheme, strlen(scheme)) != 0)
        return true;
    origin += strlen(scheme);
    return guard->loopback ? !names_us(guard, origin) : !request->host || strcasecmp(origin, request->host) != 0;
}

/* Compares in a time that does not depend on where the texts differ. */
static bool is_token(const struct guard *guard, const char *text) {
    unsigned different = 0;
    if (strlen(text) < GUARD_TOKEN_LENGTH)
        return false;
    for (int i = 0; i < GUARD_TOKEN_LENGTH; i++)
        different |= (unsigned)(guard->token[i] ^ text[i]);
    return !different;
}

static bool has_token(const struct guard *guard, const struct request *request) {
    static const char bearer[] = "Bearer ";
    char name[32];
    if (request->authorization && !strncmp(request->authorization, bearer, strlen(bearer)) &&
        strlen(request->authorization) == strlen(bearer) + GUARD_TOKEN_LENGTH)
        return is_token(guard, request->authorization + strlen(bearer));
    snprintf(name, sizeof name, "soloist%d=", guard->port);
    const char *at = request->cookie ? strstr(request->cookie, name) : NULL;
    return at && is_token(guard, at + strlen(name));
}

/* The address that the program printed holds the token once; then the cookie does. */
static bool begins_visit(const struct guard *guard, const struct request *request, struct reply *reply) {
    if (!request->token || strcmp(request->path, "/") != 0 || strcmp(request->method, "GET") != 0 ||
        strlen(request->token) != GUARD_TOKEN_LENGTH || !is_token(guard, request->token))
        return false;
    snprintf(reply->cookie, sizeof reply->cookie, "soloist%d=%s; HttpOnly; SameSite=Strict; Path=/", guard->port,
             guard->token);
    reply->status = 303;
    reply->location = "/";
    return true;
}

bool guard_admits(const struct guard *guard, const struct request *request, struct reply *reply) {
    if (!request->host || (guard->loopback && !names_us(guard, request->host)))
        return reply_fail(reply, 421, "this server does not have that name"), false;
    if (*guard->token && begins_visit(guard, request, reply))
        return false;
    if (is_cross_site(guard, request))
        return reply_fail(reply, 403, "requests from pages of other sites are refused"), false;
    if (*guard->token && !has_token(guard, request))
        return reply_fail(reply, 401, "the token is missing or wrong: open the address that the program printed"),
               false;
    return true;
}
