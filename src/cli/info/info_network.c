/* `soloist info NET`: the layers, shapes and parameters of a network, from a trained file or from a description. */
#include "cli/learn/card.h"
#include "cli/shell/json_line.h"
#include "cli/shell/files.h"
#include "cli/shell/format.h"
#include "cli/info/info.h"
#include "net/back_end.h"
#include "net/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool info_is_network(const char *topic) { return path_ends_in(topic, ".safetensors") || path_ends_in(topic, ".net"); }

static const char *kind_name(enum net_kind kind) {
    switch (kind) {
    case NET_INPUT: return "input";
    case NET_CONV: return "conv";
    case NET_LINEAR: return "linear";
    case NET_POOL: return "pool";
    case NET_ADD: return "add";
    case NET_SPRITES: return "sprites";
    case NET_AT: return "at";
    }
    return "?";
}

static const char *activation_name(enum net_activation activation) {
    switch (activation) {
    case NET_NO_ACTIVATION: return "";
    case NET_ELU: return "elu";
    case NET_RELU: return "relu";
    }
    return "?";
}

/* Prints whether a layer is an output, and which layer it reads if that is not the previous one. */
static void print_remarks(const struct net *net, int index) {
    const struct net_layer *layer = &net->layers[index];
    if (layer->from != index - 1)
        printf("  from %d", layer->from);
    if (layer->kind == NET_ADD)
        printf("  with %d", layer->other);
    if (layer->kind == NET_AT)
        printf("  plane %d", layer->plane + 1);
    if (index == net->policy)
        printf("  policy");
    if (index == net->value)
        printf("  value");
    printf("\n");
}

static void print_layer(const struct net *net, int index) {
    const struct net_layer *layer = &net->layers[index];
    char shape[FORMAT_ROOM], window[FORMAT_ROOM] = "", count[FORMAT_ROOM] = "";
    snprintf(shape, sizeof shape, "%dx%dx%d", layer->out.channels, layer->out.height, layer->out.width);
    if (layer->kind == NET_CONV)
        snprintf(window, sizeof window, "%dx%d/%d+%d", layer->kernel_height, layer->kernel_width, layer->stride,
                 layer->pad);
    if (layer->bias_count)
        snprintf(count, sizeof count, "%zu", layer->weight_count + layer->bias_count);
    if (layer->kind == NET_POOL && layer->maximum)
        snprintf(window, sizeof window, "max");
    printf("%4d  %-7s %-10s %-13s %-5s %12s", index, kind_name(layer->kind), window, shape,
           activation_name(layer->activation), count);
    print_remarks(net, index);
}

static void print_network(const struct net *net, const char *card) {
    printf("      layer   kernel     shape         then    parameters\n");
    printf("   0  input              %dx%dx%d\n", net_input(net).channels, net_input(net).height, net_input(net).width);
    for (int i = 1; i <= net->count; i++)
        print_layer(net, i);
    printf("kernel: height x width / stride + padding\n");
    printf("%zu parameters, %.3f GFLOP per position\n", net->parameters, 2e-9 * net_multiplications(net));
    if (net_is_any_size(net))
        printf("for boards of any size; the shapes and the GFLOP are those of a board of %dx%d\n", NET_NOMINAL_SIDE,
               NET_NOMINAL_SIDE);
    if (card)
        card_print(card);
}

static void print_json(const struct net *net, const char *card) {
    struct json_line line;
    struct json_writer *json = json_line_open(&line);
    json_uint(json, "parameters", net->parameters);
    json_real(json, "gflop", 2e-9 * net_multiplications(net));
    json_bool(json, "any_size", net_is_any_size(net));
    json_int(json, "policy", net->policy);
    json_int(json, "value", net->value);
    json_array(json, "layers");
    for (int i = 0; i <= net->count; i++) {
        const struct net_layer *layer = &net->layers[i];
        json_object(json, NULL);
        json_text(json, "kind", kind_name(layer->kind));
        json_array(json, "shape");
        json_int(json, NULL, layer->out.channels);
        json_int(json, NULL, layer->out.height);
        json_int(json, NULL, layer->out.width);
        json_end(json, ']');
        json_uint(json, "parameters", layer->weight_count + layer->bias_count);
        json_end(json, '}');
    }
    json_end(json, ']');
    json_text(json, "trained", card);
    json_line_print(&line);
}

int info_network(const char *path, bool json) {
    size_t length;
    soloist_error error = {0};
    struct net_file file = {0};
    char *text = file_read(path, &length);
    if (!text)
        return cli_complain("info: %s cannot be read: %s", path, strerror(errno));
    bool trained = path_ends_in(path, ".safetensors");
    bool read = trained ? net_file_read(&file, text, length, &error) : net_read(&file.net, text, length, &error);
    char *card = read && trained ? card_text(text, length) : NULL;
    free(text);
    if (!read && !error.line)
        return cli_complain("info: %s: %s", path, error.text);
    if (!read)
        return cli_complain("info: %s:%d:%d: %s", path, error.line, error.column, error.text);
    (json ? print_json : print_network)(&file.net, card);
    free(card);
    net_file_free(&file);
    return CLI_OK;
}

void info_back_ends(void) {
    printf("\nnetworks run on\n");
    const struct net_back_end *back_end;
    for (int i = 0; (back_end = net_back_end_at(i)); i++) {
        const char *why = back_end->absent();
        printf("  %-14s %-3s  %s\n", back_end->name, why ? "no" : "yes", why ? why : back_end->about());
    }
}
