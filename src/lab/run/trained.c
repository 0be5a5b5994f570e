#include "lab/run/trained.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { most_unused = 8 }; /* networks that stay open though no run uses them */

struct entry {
    struct entry *next; /* the one that was borrowed before this one */
    const soloist_domain *domain;
    char *path;
    soloist_network *network;
    int users;
};

struct trained {
    pthread_mutex_t lock; /* also held while a network is opened, so that it is opened only once */
    struct entry *first;
};

struct trained *trained_open(void) {
    struct trained *trained = calloc(1, sizeof *trained);
    if (trained)
        pthread_mutex_init(&trained->lock, NULL);
    return trained;
}

static void drop(struct entry *entry) {
    soloist_network_close(entry->network);
    free(entry->path);
    free(entry);
}

void trained_close(struct trained *trained) {
    if (!trained)
        return;
    for (struct entry *entry = trained->first, *next; entry; entry = next) {
        next = entry->next;
        drop(entry);
    }
    pthread_mutex_destroy(&trained->lock);
    free(trained);
}

/* Takes the entry out of the list; NULL: there is none. */
static struct entry *take(struct trained *trained, const soloist_domain *domain, const char *path) {
    for (struct entry **at = &trained->first; *at; at = &(*at)->next) {
        struct entry *entry = *at;
        if (entry->domain != domain || strcmp(entry->path, path))
            continue;
        *at = entry->next;
        return entry;
    }
    return NULL;
}

static struct entry *open_entry(const soloist_domain *domain, const char *path, soloist_error *error) {
    struct entry *entry = calloc(1, sizeof *entry);
    char *copy = strdup(path);
    if (!entry || !copy)
        soloist_fail(error, 0, 0, "no memory for a network");
    soloist_network *network = entry && copy ? soloist_network_open(domain, path, error) : NULL;
    if (!network) {
        free(copy);
        free(entry);
        return NULL;
    }
    *entry = (struct entry){.domain = domain, .path = copy, .network = network};
    return entry;
}

/* Closes the networks that have not been used for the longest time. */
static void close_unused(struct trained *trained) {
    int unused = 0;
    for (struct entry **at = &trained->first; *at;) {
        struct entry *entry = *at;
        unused += !entry->users;
        if (entry->users || unused <= most_unused) {
            at = &entry->next;
            continue;
        }
        *at = entry->next;
        drop(entry);
    }
}

soloist_network *trained_borrow(struct trained *trained, const soloist_domain *domain, const char *path,
                                soloist_error *error) {
    if (!trained)
        return soloist_network_open(domain, path, error);
    pthread_mutex_lock(&trained->lock);
    struct entry *entry = take(trained, domain, path);
    if (!entry)
        entry = open_entry(domain, path, error);
    if (entry) {
        entry->next = trained->first;
        trained->first = entry;
        entry->users++;
        close_unused(trained);
    }
    pthread_mutex_unlock(&trained->lock);
    return entry ? entry->network : NULL;
}

void trained_return(struct trained *trained, soloist_network *network) {
    if (!trained) {
        soloist_network_close(network);
        return;
    }
    pthread_mutex_lock(&trained->lock);
    for (struct entry *entry = trained->first; entry; entry = entry->next)
        entry->users -= entry->network == network;
    pthread_mutex_unlock(&trained->lock);
}
