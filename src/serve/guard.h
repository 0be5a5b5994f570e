/* Decides which requests the server answers. A page of another site must not reach the server through the user's
 * browser: the Host header must name this server (which stops DNS rebinding), and a request that a browser sends on
 * behalf of another site is refused. If other machines can connect, every request needs the token. */
#ifndef SERVE_GUARD_H
#define SERVE_GUARD_H

#include "serve/request.h"

enum { GUARD_TOKEN_LENGTH = 32, GUARD_TOKEN_ROOM = GUARD_TOKEN_LENGTH + 1, GUARD_ADDRESS_ROOM = 64 };

struct guard {
    char address[GUARD_ADDRESS_ROOM]; /* the address that it listens at, IPv6 without brackets */
    int port;
    bool loopback;                /* only this machine can connect; then no token is needed */
    char token[GUARD_TOKEN_ROOM]; /* "": none is needed */
};

/* Fills in a guard and draws a random token unless the address is a loopback address. False: the system provides no
 * random numbers. */
bool guard_open(struct guard *guard, const char *address, int port);
/* True if the request may be answered. Otherwise the reply says why not. If the request is for the address that
 * contains the token, the reply is a redirection to the page; it sets the cookie by which later requests are
 * recognised. */
bool guard_admits(const struct guard *guard, const struct request *request, struct reply *reply);
/* Fills the text with random hexadecimal digits and ends it with a zero byte. False: the system provides no random
 * numbers. */
bool guard_random(char *text, size_t digits);

#endif
