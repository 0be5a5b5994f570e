/* The description of a network: whatever it holds, it is read or refused with a place inside it; what was read has
 * shapes and places that fit together. */
#include "net/net.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds)
        abort();
}

static void check_read(const struct net *net) {
    size_t parameters = 0;
    for (int i = 1; i <= net->count; i++) {
        const struct net_layer *layer = &net->layers[i];
        require(layer->from < i && layer->other < i && net_shape_size(layer->out) > 0);
        require(net_shape_size(layer->in) == net_shape_size(net->layers[layer->from].out));
        require(layer->weight == parameters || !layer->weight_count);
        parameters += layer->weight_count + layer->bias_count;
    }
    require(parameters == net->parameters && (net->policy || net->value) && net_multiplications(net) > 0);
}

/* A network of any size has the same parameters at every size at which it can be computed. */
static void check_sizes(const struct net *net) {
    static const int sizes[][2] = {{1, 1}, {3, 17}, {10, 10}, {64, 5}};
    for (size_t i = 0; net_is_any_size(net) && i < sizeof sizes / sizeof *sizes; i++) {
        struct net sized;
        soloist_error error = {0};
        if (!net_at_size(net, sizes[i][0], sizes[i][1], &sized, &error)) {
            require(*error.text);
            continue;
        }
        check_read(&sized);
        require(!net_is_any_size(&sized) && sized.parameters == net->parameters && sized.count == net->count);
        net_free(&sized);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct net net;
    soloist_error error = {0};
    if (net_read(&net, (const char *)data, size, &error)) {
        check_read(&net);
        check_sizes(&net);
        net_free(&net);
    } else {
        require(*error.text && error.line >= 1 && error.column >= 1 && error.line <= (int)size + 2);
    }
    return 0;
}
