#include "engine/tables.h"

#include "base/cache.h"
#include "base/stop.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct shared_tables {
    struct shared_tables *next;
    const soloist_domain *domain;
    char name[64];
    void *tables; /* NULL: a solve is making them */
};

struct tables_cache {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* signalled when some tables have been made, or when making them has failed */
    struct shared_tables *first;
};

struct tables_cache *tables_cache_open(void) {
    struct tables_cache *cache = calloc(1, sizeof *cache);
    if (cache) {
        pthread_mutex_init(&cache->lock, NULL);
        pthread_cond_init(&cache->changed, NULL);
    }
    return cache;
}

void tables_cache_close(struct tables_cache *cache) {
    if (!cache)
        return;
    while (cache->first) {
        struct shared_tables *next = cache->first->next;
        cache->first->domain->tables->close(cache->first->tables);
        free(cache->first);
        cache->first = next;
    }
    pthread_cond_destroy(&cache->changed);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

static struct shared_tables *find(const struct tables_cache *cache, const soloist_domain *domain, const char *name) {
    for (struct shared_tables *s = cache->first; s; s = s->next)
        if (s->domain == domain && !strcmp(s->name, name))
            return s;
    return NULL;
}

/* Waits for a short time for other threads that make tables; the caller then checks its stop token. */
static void wait_a_little(struct tables_cache *cache) {
    enum { most_ns = 20000000 };
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += most_ns;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&cache->changed, &cache->lock, &until);
}

static void drop(struct tables_cache *cache, struct shared_tables *entry) {
    struct shared_tables **at = &cache->first;
    while (*at != entry)
        at = &(*at)->next;
    *at = entry->next;
    free(entry);
}

/* Makes the tables without holding the lock. */
static bool make(struct tables_cache *cache, struct shared_tables *entry, const soloist_instance *instance,
                 const soloist_work *work, soloist_error *error) {
    char folder[4096];
    pthread_mutex_unlock(&cache->lock);
    void *tables =
        entry->domain->tables->open(instance, cache_folder(folder, sizeof folder) ? folder : NULL, work, error);
    pthread_mutex_lock(&cache->lock);
    entry->tables = tables;
    if (!tables)
        drop(cache, entry);
    pthread_cond_broadcast(&cache->changed);
    return tables;
}

/* Call with the lock held. */
static bool find_or_make(struct tables_cache *cache, const soloist_domain *domain, const char *name,
                         const soloist_instance *instance, const soloist_work *work, const void **tables,
                         soloist_error *error) {
    struct shared_tables *entry;
    while ((entry = find(cache, domain, name)) && !entry->tables) {
        if (stop_token_is_stopped(work->stop))
            return soloist_fail(error, 0, 0, "the tables %s were not ready in time", name);
        wait_a_little(cache);
    }
    if (!entry) {
        entry = calloc(1, sizeof *entry);
        if (!entry)
            return soloist_fail(error, 0, 0, "no memory for tables");
        *entry = (struct shared_tables){.next = cache->first, .domain = domain};
        memcpy(entry->name, name, sizeof entry->name);
        cache->first = entry;
        if (!make(cache, entry, instance, work, error))
            return false;
    }
    size_t bytes = domain->tables->bytes(entry->tables);
    if (work->memory && bytes > work->memory)
        return soloist_fail(error, 0, 0, "the tables %s take %zu MiB", name, (bytes >> 20) + 1);
    *tables = entry->tables;
    return true;
}

bool tables_cache_find(struct tables_cache *cache, const soloist_domain *domain, const soloist_instance *instance,
                       const soloist_work *work, const void **tables, soloist_error *error) {
    char name[64] = "";
    *tables = NULL;
    if (!domain->tables || !domain->tables->name(instance, name, sizeof name))
        return true;
    pthread_mutex_lock(&cache->lock);
    bool good = find_or_make(cache, domain, name, instance, work, tables, error);
    pthread_mutex_unlock(&cache->lock);
    return good;
}
