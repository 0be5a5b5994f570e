/* Memory for SQLite out of one block, much faster than the address sanitizer's own allocator, with which SQLite spends
 * half its time. Freed memory and the end of each piece stay forbidden to code that the sanitizer checks. */
#ifndef TESTS_FUZZ_SQLITE_POOL_H
#define TESTS_FUZZ_SQLITE_POOL_H

#include "base/sanitizer.h"

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if HAS_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#endif

enum { POOL_HEAD = 16, POOL_CLASSES = 18 /* pieces of 32, 64, ... 4 M bytes */ };

/* Before each piece: its class and the size that was asked for. */
struct pool_head {
    uint32_t class, size;
    struct pool_head *next; /* of a free piece */
};

static struct pool_head *pool_free_lists[POOL_CLASSES];

static struct pool_head *pool_head_of(void *piece) { return (struct pool_head *)((char *)piece - POOL_HEAD); }

/* A free piece is forbidden as a whole. */
static struct pool_head *pool_new_piece(uint32_t class) {
    struct pool_head *head = malloc(POOL_HEAD + ((size_t)32 << class));
    if (!head)
        return NULL;
    head->class = class;
    ASAN_POISON_MEMORY_REGION((char *)head + POOL_HEAD, (size_t)32 << class);
    return head;
}

static void *pool_malloc(int size) {
    uint32_t class = size > 32 ? 27 - (uint32_t)__builtin_clz((uint32_t)size - 1) : 0;
    if (class >= POOL_CLASSES)
        return NULL;
    struct pool_head *head = pool_free_lists[class];
    if (head)
        pool_free_lists[class] = head->next;
    else if (!(head = pool_new_piece(class)))
        return NULL;
    head->size = (uint32_t)size;
    char *piece = (char *)head + POOL_HEAD;
    ASAN_UNPOISON_MEMORY_REGION(piece, (size_t)size);
    return piece;
}

static void pool_free(void *piece) {
    if (!piece)
        return;
    struct pool_head *head = pool_head_of(piece);
    ASAN_POISON_MEMORY_REGION(piece, head->size);
    head->next = pool_free_lists[head->class];
    pool_free_lists[head->class] = head;
}

static int pool_size(void *piece) { return piece ? (int)pool_head_of(piece)->size : 0; }

static void *pool_realloc(void *piece, int size) {
    void *larger = pool_malloc(size);
    if (!larger)
        return NULL;
    int old = pool_size(piece);
    memcpy(larger, piece, (size_t)(old < size ? old : size));
    pool_free(piece);
    return larger;
}

static int pool_round_up(int size) { return (size + 7) & ~7; }
static int pool_open(void *unused) { return (void)unused, SQLITE_OK; }
static void pool_close(void *unused) { (void)unused; }

static int copy_name(sqlite3_vfs *unused, const char *name, int room, char *out) {
    (void)unused;
    return snprintf(out, (size_t)room, "%s", name) < room ? SQLITE_OK : SQLITE_CANTOPEN;
}

/* Must be called before SQLite is used. SQLite then also works without locks, for one thread and one process, and does
 * not look for symbolic links in file names. */
static void pool_give_to_sqlite(void) {
    static sqlite3_vfs files;
    static const sqlite3_mem_methods methods = {pool_malloc,   pool_free, pool_realloc, pool_size,
                                                pool_round_up, pool_open, pool_close,   NULL};
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK ||
        sqlite3_config(SQLITE_CONFIG_SINGLETHREAD) != SQLITE_OK ||
        sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) != SQLITE_OK || sqlite3_initialize() != SQLITE_OK)
        abort();
    files = *sqlite3_vfs_find("unix-none");
    files.zName = "fuzz";
    files.xFullPathname = copy_name;
    if (sqlite3_vfs_register(&files, 1) != SQLITE_OK)
        abort();
}

#endif
