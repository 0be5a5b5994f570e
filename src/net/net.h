/* A network is described by a text with one line per layer. In the program it is a list of layers with their shapes,
 * and one flat array of parameters in which every layer has its range. The lines of a description are:
 *
 * "input 6x15x15": the input has 6 planes of height 15 and width 15
 * "init truncated 2": how the layers after this line are initialised (truncated, glorot, uniform, orthogonal or zero);
 * the gain, here 2, is optional
 * "conv 64 3x3 pad 1 elu": a convolution with 64 filters of 3x3; "pad P", "stride S" and "elu" or "relu" are optional
 * "linear 225 relu": a linear layer with 225 units, whose input is flattened, channels first
 * "pool": global average pooling
 * "mark trunk": gives the current layer the name trunk
 * "from trunk": continues from the layer named trunk, for a second head
 * "add trunk elu": adds the values of the layer named trunk (a residual block)
 * "policy", "value": the current layer is this output. A policy's logits are the units of a linear layer, or the output
 * of a convolution with a single filter (one logit per cell); a value is one number.
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
    char name[NET_NAME_ROOM]; /* name of the layer, such as "conv3", whose tensors are conv3.weight and conv3.bias */
    int from;                 /* index of the layer that this layer reads; 0 is the input */
    int other;                /* for NET_ADD: index of the second layer that it reads */
    struct net_shape in, out;
    int kernel_height, kernel_width, pad, stride; /* for a linear layer: 1, 1, 0, 1 */
    /* Ranges in the flat array. Weights are laid out as in PyTorch: [filters][channels][height][width] or
     * [units][inputs], inputs flattened channels first. */
    size_t weight, weight_count, bias, bias_count;
    enum net_start start;
    double gain;
    int line; /* line of the description */
};

struct net {
    struct net_layer layers[NET_MOST_LAYERS + 1]; /* layers[0] is the input; a layer reads only earlier ones */
    int count;                                    /* the last layer's index */
    int policy, value;                            /* layers that are outputs; 0: none */
    size_t parameters;
    char *text; /* the description, owned, zero-terminated */
};

/* Reads a description; false with an error that has line and column, and then there is nothing to free. */
bool net_read(struct net *net, const char *text, size_t length, soloist_error *error);
void net_free(struct net *net);

static inline struct net_shape net_input(const struct net *net) { return net->layers[0].out; }
/* Number of logits of the policy; 0 without a policy. */
static inline int net_actions(const struct net *net) {
    return net->policy ? (int)net_shape_size(net->layers[net->policy].out) : 0;
}
/* The number of multiplications per position. */
double net_multiplications(const struct net *net);
/* The number of inputs of one output of the layer. */
int net_fan_in(const struct net_layer *layer);
/* The number of outputs of the layer to which one input contributes. */
int net_fan_out(const struct net_layer *layer);

/* Sets all parameters to random numbers; the same seed gives the same bits on every machine. False if there is no
 * memory. */
bool net_initialise(const struct net *net, uint64_t seed, float *parameters);

/* Finds which layers may share a buffer for their values if only the outputs are wanted: a buffer is free again after
 * the last layer that reads it. owner[i] is the first layer that uses the buffer of layer i. */
void net_share_buffers(const struct net *net, int owner[NET_MOST_LAYERS + 1]);

#endif
