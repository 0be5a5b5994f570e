/* The description of a network: whatever it holds, it is read or refused with a place inside it; what was read has shapes
 * and places that fit together. */
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct net net;
    soloist_error error = {0};
    if (net_read(&net, (const char *)data, size, &error)) {
        check_read(&net);
        net_free(&net);
    } else {
        require(*error.text && error.line >= 1 && error.column >= 1 && error.line <= (int)size + 2);
    }
    return 0;
}
