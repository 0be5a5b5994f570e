/* A thread pool: its threads live for a whole run, so that small pieces of work can be divided among them without
 * starting new threads. Work comes as numbered items; any thread may do any item, so an item's result must depend only
 * on its number. */
#ifndef SEARCH_BEAM_THREAD_POOL_H
#define SEARCH_BEAM_THREAD_POOL_H

#include "base/memory.h"

struct thread_pool;

/* Does item number `item`. member: number of the thread that does it (0: the thread that called thread_pool_run). */
typedef void (*thread_pool_work)(void *user, int member, size_t item);

/* Opens a pool of `members` threads, one of which is the caller of thread_pool_run. If threads cannot be started, the
 * pool has fewer members. NULL if memory is full. */
struct thread_pool *thread_pool_open(struct memory *memory, int members);
void thread_pool_close(struct thread_pool *pool); /* NULL is allowed */
/* The number of members, that is, of threads that can work at once. */
int thread_pool_size(const struct thread_pool *pool);
/* Does items 0 .. count-1 and returns when all are done. Only one thread at a time may call this function. */
void thread_pool_run(struct thread_pool *pool, thread_pool_work work, void *user, size_t count);

#endif
