#include "cli/learn/networks.h"
#include "base/hash.h"
#include "cli/shell/files.h"
#include "cli/input/levels.h"
#include "cli/shell/need.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct opened_network {
    struct opened_network *next;
    const soloist_domain *domain;
    char *text;
    soloist_network *network; /* NULL: it could not be opened */
    soloist_error error;
};

void networks_close(struct networks *networks) {
    for (struct opened_network *at = networks->first, *next; at; at = next) {
        next = at->next;
        soloist_network_close(at->network);
        free(at->text);
        free(at);
    }
    pthread_mutex_destroy(&networks->lock);
}

/* The network's text with the requested back end added to its options. */
static char *with_back_end(const char *text, int back_end) {
    const char *word = CLI_BACK_ENDS, *colon = strrchr(text, ':');
    for (int i = 1; i < back_end; i++)
        word = strchr(word, '|') + 1;
    size_t room = strlen(text) + 64;
    char *whole = need_bytes(room);
    snprintf(whole, room, back_end ? "%s%sback_end=%.*s" : "%s", text, colon && strchr(colon, '=') ? "," : ":",
             (int)strcspn(word, "|"), word);
    return whole;
}

/* Opens the network unless it is open already. */
static struct opened_network *open_once(struct networks *networks, const char *text, const soloist_domain *domain) {
    pthread_mutex_lock(&networks->lock);
    char *whole = with_back_end(text, networks->back_end);
    struct opened_network *at = networks->first;
    while (at && (at->domain != domain || strcmp(at->text, whole) != 0))
        at = at->next;
    if (at) {
        free(whole);
    } else {
        at = need_bytes(sizeof *at);
        *at = (struct opened_network){.next = networks->first, .domain = domain, .text = whole};
        at->network = soloist_network_open(domain, whole, &at->error);
        networks->first = at;
    }
    pthread_mutex_unlock(&networks->lock);
    return at;
}

static bool use(struct opened_network *opened, const soloist_puzzle *puzzle, soloist_network **network,
                soloist_error *error) {
    if (!opened->network) {
        *error = opened->error;
        return false;
    }
    if (!soloist_network_fits(opened->network, puzzle, error))
        return false;
    *network = opened->network;
    return true;
}

/* Returns false. */
static bool complain(const char *command, const soloist_error *error) {
    char place[CLI_PLACE_ROOM];
    return cli_complain("%s: --network: %s%s", command, cli_line_place(error, place), error->text), false;
}

static bool check_domain(struct networks *networks, const char *command, const soloist_domain *domain) {
    for (size_t i = 0; domain && i < networks->given->count; i++) {
        struct opened_network *opened = open_once(networks, networks->given->items[i], domain);
        if (!opened->network)
            return complain(command, &opened->error);
    }
    return true;
}

/* Uses the first of the given networks that fits. */
static bool use_given(struct networks *networks, const soloist_puzzle *puzzle, soloist_network **network,
                      soloist_error *error) {
    for (size_t i = 0; i < networks->given->count; i++)
        if (use(open_once(networks, networks->given->items[i], puzzle->domain), puzzle, network, error))
            return true;
    return false;
}

bool networks_check(struct networks *networks, const char *command, const struct input *input) {
    soloist_error error = {0}, unreadable;
    if (!networks->given || !networks->given->count)
        return true;
    for (size_t i = 0; i < input->source_count; i++)
        if (!check_domain(networks, command, input->sources[i]->domain))
            return false;
    for (size_t i = 0; i < input->task_count; i++) {
        soloist_puzzle puzzle;
        soloist_network *network;
        if (need_code(input_puzzle(input, &input->tasks[i], &puzzle, &unreadable)) != SOLOIST_OK)
            continue; /* the instance cannot be read, which is reported when it is to be solved */
        bool fits = use_given(networks, &puzzle, &network, &error);
        soloist_puzzle_free(&puzzle);
        if (fits)
            return true;
    }
    return !*error.text || complain(command, &error);
}

bool networks_check_files(struct networks *networks, const char *command, const soloist *engine) {
    for (size_t i = 0; networks->given && i < networks->given->count; i++) {
        const soloist_domain *domain;
        struct opened_network *opened = NULL;
        for (size_t k = 0; (!opened || !opened->network) && (domain = soloist_domain_at(engine, k)); k++)
            if (domain->learn)
                opened = open_once(networks, networks->given->items[i], domain);
        if (opened && !opened->network)
            return complain(command, &opened->error);
    }
    return true;
}

/* The board's size as in the names of network files: "15" for a square board, otherwise "12x15". */
static void size_text(const soloist_puzzle *puzzle, char *out, size_t room) {
    int channels, height, width;
    puzzle->domain->learn->planes(puzzle->instance, &channels, &height, &width);
    snprintf(out, room, height == width ? "%d" : "%dx%d", width, height);
}

/* Finds the path of an installed network: one for the board's size or, if there is none, one for boards of any size. A
 * network with a value head can be used by all methods; one without it only by methods that need no values. False with
 * an error that ends in `advice`. */
static bool find_installed(const soloist_puzzle *puzzle, bool values, const char *advice, char *path, size_t room,
                           soloist_error *error) {
    static const char *const kinds[] = {"policy", "policy-value"};
    char size[32], below[128];
    size_text(puzzle, size, sizeof size);
    for (int any = 0; any < 2; any++)
        for (size_t i = values; i < sizeof kinds / sizeof *kinds; i++) {
            snprintf(below, sizeof below, "networks/%s-%s%s%s.safetensors", puzzle->domain->name, kinds[i],
                     any ? "" : "-", any ? "" : size);
            if (levels_find(below, path, room))
                return true;
        }
    return soloist_fail(error, 0, 0, "no network%s for %s of size %s is installed%s", values ? " with values" : "",
                        puzzle->domain->name, size, advice);
}

static bool use_installed(struct networks *networks, const soloist_puzzle *puzzle, bool values,
                          soloist_network **network, soloist_error *error) {
    char path[4096];
    return find_installed(puzzle, values, ": give one with --network FILE", path, sizeof path, error) &&
           use(open_once(networks, path, puzzle->domain), puzzle, network, error);
}

bool networks_name(const soloist_puzzle *puzzle, bool valued, char *name, size_t room, soloist_error *error) {
    char path[4096];
    size_t length;
    if (!find_installed(puzzle, valued, "", path, sizeof path, error))
        return false;
    char *bytes = file_read(path, &length), *slash = strrchr(path, '/');
    if (!bytes)
        return soloist_fail(error, 0, 0, "%.150s cannot be read: %s", path, strerror(errno));
    snprintf(name, room, "%s %016llx", slash ? slash + 1 : path, (unsigned long long)hash_bytes(bytes, length));
    free(bytes);
    return true;
}

/* Finds one of the given networks or, if none was given, the installed one for the domain and size. */
static bool find(void *user, const soloist_puzzle *puzzle, bool valued, soloist_network **network,
                 soloist_error *error) {
    struct networks *networks = user;
    if (!networks->given || !networks->given->count)
        return use_installed(networks, puzzle, valued, network, error);
    return use_given(networks, puzzle, network, error);
}

void networks_open(struct networks *networks, soloist *engine) {
    *networks = (struct networks){0};
    pthread_mutex_init(&networks->lock, NULL);
    soloist_find_networks(engine, find, networks);
}

void networks_give(struct networks *networks, const struct arg_list *given, int back_end) {
    networks->given = given;
    networks->back_end = back_end;
}
