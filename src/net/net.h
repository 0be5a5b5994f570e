/* A network as a text describes it, one line a layer, and as the rest of the house sees it: layers with their shapes,
 * and one flat array of parameters in which every layer has its place.
 *
 * input 6x15x15: planes x height x width
 * init truncated 2: how the layers below start: truncated, glorot, uniform, orthogonal or zero, with a number
 * conv 64 3x3 pad 1 elu: filters, kernel [pad P] [stride S] [elu|relu]
 * linear 225 relu: units; what comes is flattened, channels first
 * pool: mean over the board, global average pooling
 * mark trunk: names what stands here; from trunk: goes on from there, for a second head
 * add trunk elu: adds it, a residual block
 * policy, value: what stands here is that output: logits, of a linear layer or of one filter in every cell; one number
 *
 * '#' begins a comment. */
#ifndef NET_NET_H
#define NET_NET_H

#include "soloist.h"

#define NET_MOST_LAYERS 160
#define NET_NAME_ROOM 24

enum net_kind { NET_INPUT, NET_CONV, NET_LINEAR, NET_POOL, NET_ADD };
enum net_activation { NET_NO_ACTIVATION, NET_ELU, NET_RELU }; /* ELU with alpha 1 */
enum net_start { NET_TRUNCATED, NET_GLOROT, NET_UNIFORM, NET_ORTHOGONAL, NET_ZERO };

struct net_shape {
    int channels, height, width;
};

static inline size_t net_shape_size(struct net_shape shape) {
    return (size_t)shape.channels * (size_t)shape.height * (size_t)shape.width;
}

struct net_layer {
    enum net_kind kind;
    enum net_activation activation;
    char name[NET_NAME_ROOM]; /* "conv3": its tensors are conv3.weight and conv3.bias */
    int from;                 /* the layer that it reads; 0 is the input */
    int other;                /* add: the second one */
    struct net_shape in, out;
    int kernel_height, kernel_width, pad, stride; /* linear: 1, 1, 0, 1 */
    /* Places in the flat array. Weights lie as in PyTorch: [filters][channels][height][width] or [units][inputs],
     * inputs flattened channels first. */
    size_t weight, weight_count, bias, bias_count;
    enum net_start start;
    double gain;
    int line; /* of the description */
};

struct net {
    struct net_layer layers[NET_MOST_LAYERS + 1]; /* layers[0] is the input; each reads only layers before it */
    int count;                                    /* the last layer's index */
    int policy, value;                            /* layers that are outputs; 0: none */
    size_t parameters;
    char *text; /* the description, owned, ended by a zero */
};

/* Reads a description; false with a located error and nothing owned. */
bool net_read(struct net *net, const char *text, size_t length, soloist_error *error);
void net_free(struct net *net);

static inline struct net_shape net_input(const struct net *net) { return net->layers[0].out; }
/* Logits of the policy; 0 without one. */
static inline int net_actions(const struct net *net) {
    return net->policy ? (int)net_shape_size(net->layers[net->policy].out) : 0;
}
/* Multiplications that one position takes. */
double net_multiplications(const struct net *net);
/* Numbers that one output of the layer is made of, and how many outputs one input has a part in. */
int net_fan_in(const struct net_layer *layer);
int net_fan_out(const struct net_layer *layer);

/* Draws all parameters anew: the same seed gives the same bits on every machine. False without memory. */
bool net_initialise(const struct net *net, uint64_t seed, float *parameters);

/* Which layers' values may lie in the same buffer when only outputs are wanted: a value's buffer is free again after
 * its last reader. owner[i] is the first layer that lies where layer i does. */
void net_share_buffers(const struct net *net, int owner[NET_MOST_LAYERS + 1]);

#endif
