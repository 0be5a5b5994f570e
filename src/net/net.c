/* Properties of a network that follow from the shapes of its layers. */
#include "net/net.h"

#include <stdlib.h>

void net_free(struct net *net) {
    free(net->text);
    free(net->sprites.pictures);
    net->text = NULL;
    net->sprites = (struct net_sprites){0};
}

int net_fan_in(const struct net_layer *layer) {
    int inputs = layer->kind == NET_LINEAR ? (int)net_shape_size(layer->in) : layer->in.channels;
    return inputs * layer->kernel_height * layer->kernel_width;
}

int net_fan_out(const struct net_layer *layer) {
    return layer->out.channels * layer->kernel_height * layer->kernel_width;
}

double net_multiplications(const struct net *net) {
    double sum = 0;
    for (int i = 1; i <= net->count; i++)
        sum += (double)net->layers[i].weight_count * net->layers[i].out.height * net->layers[i].out.width;
    return sum;
}

/* For each layer, the last layer that reads its values; outputs count as read at the very end. */
static void find_last_reads(const struct net *net, int *last) {
    for (int i = 0; i <= net->count; i++)
        last[i] = i;
    for (int i = 1; i <= net->count; i++)
        last[net->layers[i].from] = last[net->layers[i].other] = i;
    last[net->policy] = last[net->value] = NET_MOST_LAYERS + 1;
}

void net_share_buffers(const struct net *net, int owner[NET_MOST_LAYERS + 1]) {
    int last[NET_MOST_LAYERS + 1], free_after[NET_MOST_LAYERS + 1];
    find_last_reads(net, last);
    for (int i = 1; i <= net->count; i++) {
        owner[i] = i;
        for (int k = 1; k < i && owner[i] == i; k++)
            if (owner[k] == k && free_after[k] < i)
                owner[i] = k;
        free_after[owner[i]] = last[i];
    }
}
