/* Allocations without which a command cannot continue. If one fails, the program ends with one sentence and exit status
 * 2, and leaves no incomplete line in its output. */
#ifndef CLI_SHELL_NEED_H
#define CLI_SHELL_NEED_H

#include "soloist.h"

#include <stddef.h>

struct buffer;

/* Sets a function to be called when the program ends for lack of memory, for example to save a half-written file. It is
 * called with `user` and must not allocate. Only one such function is set at a time; NULL removes it. */
void need_at_failure(void (*tidy)(void *user), void *user);
/* Ends the program: "out of memory" on standard error, exit status CLI_BAD. May be called by any thread. */
_Noreturn void need_failed(void);
/* These functions work like malloc, calloc, realloc and strndup, but end the program instead of returning NULL. */
void *need_bytes(size_t size);
void *need_zeroed(size_t count, size_t size);
void *need_resized(void *old, size_t count, size_t size);
char *need_text(const char *text, size_t length);
/* For memory that another function allocated: returns the pointer, or ends the program if it is NULL. */
void *need(void *pointer);
/* Ends the program if a write to the buffer failed; if this function returns, the buffer's text is complete. */
void need_whole(const struct buffer *buffer);
/* For codes of the engine: returns the code, or ends the program if it is SOLOIST_NO_MEMORY. */
soloist_code need_code(soloist_code code);
/* For functions, such as referees and parsers, that return false both for wrong input and for a failed allocation. Set
 * errno to 0 before calling them and pass their result as `well`. If `well` is false because an allocation failed
 * (errno is ENOMEM), the program ends. */
void need_no_failure(bool well);

#endif
