#include "learn/predict/network.h"

#include "base/buffer.h"
#include "base/quantity.h"
#include "net/file.h"
#include "soloist_tools.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The public handle and what it owns. */
struct network {
    struct soloist_network handle; /* must be first */
    struct net_file file;
    struct predictor *predictor;
};

const soloist_option *soloist_network_options(void) { return network_options_rows; }

/* Where the options of "FILE:key=value,..." begin: after the last colon, if an equals sign follows it. */
static const char *find_options(const char *text) {
    const char *colon = strrchr(text, ':');
    return colon && strchr(colon, '=') ? colon : text + strlen(text);
}

static struct predictor_options predictor_part(const struct network_options *from) {
    struct predictor_options to;
#define COPY(T, name, ...) to.name = from->name;
    PREDICTOR_OPTIONS(, COPY, COPY, COPY, COPY)
#undef COPY
    return to;
}

/* Copies word `number` of "a|b|c". */
static void copy_word(const char *words, int number, char *word, size_t room) {
    for (; number; number--)
        words = strchr(words, '|') + 1;
    size_t length = strcspn(words, "|");
    length = length < room ? length : room - 1;
    memcpy(word, words, length);
    word[length] = 0;
}

static bool is_description(const char *path) {
    size_t length = strlen(path);
    return length > 4 && !strcmp(path + length - 4, ".net");
}

/* An untrained network made from its description, for trials. */
static bool read_description(struct net_file *file, const char *text, size_t length, uint64_t seed,
                             soloist_error *error) {
    if (!net_read(&file->net, text, length, error))
        return false;
    file->parameters = malloc(file->net.parameters * sizeof(float));
    if (file->parameters && net_initialise(&file->net, seed, file->parameters))
        return true;
    return soloist_fail(error, 0, 0, "no memory for a network");
}

/* A positive number in the file's metadata; 0: the file has none of this name. */
static double read_number(const char *bytes, size_t length, const char *name) {
    char text[64];
    double number;
    long size = net_file_note(bytes, length, name, text, sizeof text);
    return size > 0 && size < (long)sizeof text && quantity_real(text, &number) && number > 0 ? number : 0;
}

bool network_is_for(const void *bytes, size_t length, const soloist_domain *domain, soloist_error *error) {
    char name[64];
    if (!domain->learn)
        return soloist_fail(error, 0, 0, "%s does not show its states to networks", domain->name);
    long size = net_file_note(bytes, length, NETWORK_DOMAIN_NOTE, name, sizeof name);
    return size < 0 || !strcmp(name, domain->name) ||
           soloist_fail(error, 0, 0, "this network was trained for %s, not for %s", name, domain->name);
}

/* What a network's values stand for (evaluator.h). */
struct meaning {
    double value_scale, step_value;
};

static struct meaning read_meaning(const char *bytes, size_t length) {
    return (struct meaning){read_number(bytes, length, NETWORK_SCALE_NOTE),
                            read_number(bytes, length, NETWORK_STEP_NOTE)};
}

static bool load(struct net_file *file, const soloist_domain *domain, const char *path, uint64_t seed,
                 struct meaning *meaning, soloist_error *error) {
    size_t length;
    soloist_error why = {0};
    char *bytes = buffer_read_file(path, &length);
    if (!bytes)
        return soloist_fail(error, 0, 0, "%.150s cannot be read: %s", path, strerror(errno));
    bool good = is_description(path)
                    ? read_description(file, bytes, length, seed, &why)
                    : net_file_read(file, bytes, length, &why) && network_is_for(bytes, length, domain, &why);
    *meaning = good && !is_description(path) ? read_meaning(bytes, length) : (struct meaning){0};
    free(bytes);
    return good || soloist_fail(error, why.line, why.column, "%.100s: %.150s", path, why.text);
}

static bool open_file(struct network *network, const soloist_domain *domain, const char *path, const char *options,
                      soloist_error *error) {
    struct network_options chosen;
    char back_end[16];
    struct meaning meaning = {0};
    soloist_options_reset(network_options_rows, &chosen);
    if (soloist_options_parse(network_options_rows, &chosen, options, error) != SOLOIST_OK ||
        !load(&network->file, domain, path, (uint64_t)chosen.seed, &meaning, error))
        return false;
    struct predictor_options predictor = predictor_part(&chosen);
    copy_word(NETWORK_BACK_ENDS, chosen.back_end, back_end, sizeof back_end);
    network->predictor =
        predictor_open(domain, &network->file.net, network->file.parameters, back_end, &predictor, error);
    if (!network->predictor)
        return false;
    network->handle = (struct soloist_network){domain, predictor_evaluator(network->predictor)};
    network->handle.evaluator->value_scale = meaning.value_scale;
    network->handle.evaluator->step_value = meaning.step_value;
    return true;
}

soloist_network *soloist_network_open(const soloist_domain *domain, const char *text, soloist_error *error) {
    soloist_error spare;
    if (!error)
        error = &spare;
    *error = (soloist_error){0};
    if (!domain || !text)
        return soloist_fail(error, 0, 0, "soloist_network_open needs a domain and a file"), NULL;
    if (!domain->learn)
        return soloist_fail(error, 0, 0, "%s does not show its states to networks", domain->name), NULL;
    const char *options = find_options(text);
    char *path = strndup(text, (size_t)(options - text));
    struct network *network = calloc(1, sizeof *network);
    bool good = path && network;
    if (!good)
        soloist_fail(error, 0, 0, "no memory for a network");
    good = good && open_file(network, domain, path, *options ? options + 1 : NULL, error);
    free(path);
    if (good)
        return &network->handle;
    soloist_network_close(network ? &network->handle : NULL);
    return NULL;
}

void soloist_network_close(soloist_network *handle) {
    struct network *network = (struct network *)(void *)handle;
    if (!network)
        return;
    predictor_close(network->predictor);
    net_file_free(&network->file);
    free(network);
}

bool soloist_network_write(const soloist_network *handle, const char *path, soloist_error *error) {
    const struct network *network = (const struct network *)(const void *)handle;
    if (!network || !path)
        return soloist_fail(error, 0, 0, "soloist_network_write needs a network and a file");
    const struct net_note notes[] = {{NETWORK_DOMAIN_NOTE, handle->domain->name}, {NULL, NULL}};
    return net_file_save(path, &network->file.net, network->file.parameters, notes, error);
}

bool soloist_network_fits(const soloist_network *network, const soloist_puzzle *puzzle, soloist_error *error) {
    if (!network || !puzzle || !puzzle->instance)
        return soloist_fail(error, 0, 0, "soloist_network_fits needs a network and a puzzle that was read");
    if (network->domain != puzzle->domain)
        return soloist_fail(error, 0, 0, "the network was opened for %s, not for %s", network->domain->name,
                            puzzle->domain->name);
    return network->evaluator->fits(network->evaluator, puzzle->instance, error);
}
