/* Memory that a command cannot do without. When it cannot be had, the program ends with one sentence and status 2, and
 * what it has printed is whole lines. */
#ifndef CLI_NEED_H
#define CLI_NEED_H

#include "soloist.h"

#include <stddef.h>

struct buffer;

/* What still has to be done when the program ends for want of memory, such as putting a half-written file in its place:
 * called with `user`, must not allocate. One at a time; NULL takes it back. */
void need_at_failure(void (*tidy)(void *user), void *user);
/* Ends the program: "out of memory" on standard error, exit status CLI_BAD. May be called by any thread. */
_Noreturn void need_failed(void);
/* As malloc, calloc, realloc and strndup; never NULL. */
void *need_bytes(size_t size);
void *need_zeroed(size_t count, size_t size);
void *need_resized(void *old, size_t count, size_t size);
char *need_text(const char *text, size_t length);
/* For what another function allocated: the pointer itself, if there is one. */
void *need(void *pointer);
/* A buffer whose text is complete: none of its writes failed. */
void need_whole(const struct buffer *buffer);
/* For what the engine returned: the code itself, unless it says that memory ran out. */
soloist_code need_code(soloist_code code);
/* For referees and readers, which only say that they refuse, called with errno 0: unless it is well, errno must not be
 * ENOMEM, as a failed allocation leaves it. A refusal would say what nobody knows then. */
void need_no_failure(bool well);

#endif
