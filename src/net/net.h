/* A network is described by a text with one line per layer. In the program it is a list of layers with their shapes,
 * and one flat array of parameters in which every layer has its range. The lines of a description are:
 *
 * "input 6x15x15": the input has 6 planes of height 15 and width 15
 * "input 4x?x?": 4 planes of any size; the same parameters serve boards of every height and width
 * "colour W 0.5 0.45 0.4": in the pictures below, the letter W stands for this red, green and blue (0 to 1)
 * "sprites 8": every cell of the input planes, which hold zeros and ones, becomes a picture of 8x8 pixels in three
 * colours, chosen by the combination of the cell's planes; a convolution must follow
 * "picture 0001 ..WWWW.. ...": the 8 rows of the picture for cells whose planes are 0, 0, 0 and 1; combinations without
 * a picture are black
 * "init truncated 2": how the layers after this line are initialised (truncated, glorot, uniform, orthogonal or zero);
 * the gain, here 2, is optional
 * "conv 64 3x3 pad 1 elu": a convolution with 64 filters of 3x3; "pad P", "stride S" and "elu" or "relu" are optional
 * "linear 225 relu": a linear layer with 225 units, whose input is flattened, channels first
 * "pool": global average pooling; "pool max": the maximum instead of the mean
 * "at 4": the values at the cell where the fourth input plane is 1 (the sum of them if there are several such cells)
 * "mark trunk": gives the current layer the name trunk
 * "from trunk": continues from the layer named trunk, for a second head
 * "add trunk elu": adds the values of the layer named trunk (a residual block)
 * "policy", "value": the current layer is this output. A policy's logits are the units of a linear layer, or the output
 * of a convolution (one logit per filter and cell: all cells of the first filter, then all of the second, and so on); a
 * value is one number.
 *
 * '#' begins a comment. */
#ifndef NET_NET_H
#define NET_NET_H

#include "soloist.h"

#define NET_MOST_LAYERS 160
#define NET_NAME_ROOM 24
#define NET_MOST_SIDE 1024 /* maximum number of planes, rows and columns of an input */

#define NET_SPRITE_PLANES 8 /* maximum number of input planes of a network with sprites */
#define NET_SPRITE_COLOURS 3
#define NET_SPRITE_SIDE 16 /* largest side of a picture */
/* If the input size of a network is open, its shapes are computed for a board of this side, until a size is chosen
 * (net_at_size). */
#define NET_NOMINAL_SIDE 10

enum net_kind { NET_INPUT, NET_CONV, NET_LINEAR, NET_POOL, NET_ADD, NET_SPRITES, NET_AT };
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
    int plane;                /* for NET_AT: index of the input plane */
    bool maximum;             /* for NET_POOL: the maximum instead of the mean */
    bool any_size;            /* height and width depend on the input size, which the description leaves open */
    struct net_shape in, out;
    int kernel_height, kernel_width, pad, stride; /* for a linear layer: 1, 1, 0, 1 */
    /* Ranges in the flat array. Weights are laid out as in PyTorch: [filters][channels][height][width] or
     * [units][inputs], inputs flattened channels first. */
    size_t weight, weight_count, bias, bias_count;
    enum net_start start;
    double gain;
    int line; /* line of the description */
};

/* The pictures of the layer NET_SPRITES. The combination of a cell's planes is a number with one bit per plane, the
 * lowest for the first plane. */
struct net_sprites {
    int side, classes; /* classes: number of combinations; 0: the network has no sprites */
    float *pictures;   /* [classes][NET_SPRITE_COLOURS][side][side], owned */
};

struct net {
    struct net_layer layers[NET_MOST_LAYERS + 1]; /* layers[0] is the input; a layer reads only earlier ones */
    int count;                                    /* the last layer's index */
    int policy, value;                            /* layers that are outputs; 0: none */
    size_t parameters;
    struct net_sprites sprites;
    char *text; /* the description, owned, zero-terminated */
};

/* Reads a description. On failure returns false with an error that names line and column, and there is nothing to
 * free. */
bool net_read(struct net *net, const char *text, size_t length, soloist_error *error);
void net_free(struct net *net);
/* Whether the description leaves the size of the input open and no size has been chosen. The number of parameters of
 * such a network is known, but its shapes are those for boards of side NET_NOMINAL_SIDE. A size must be chosen before
 * the network is computed. */
static inline bool net_is_any_size(const struct net *net) { return net->layers[0].any_size; }
/* Makes the network for one input size: layers and parameters stay the same, the shapes are computed anew, and
 * sized->text still leaves the size open. A network of fixed size is copied if its size is the wanted one. On failure
 * returns false with an error, and there is nothing to free. */
bool net_at_size(const struct net *net, int height, int width, struct net *sized, soloist_error *error);
/* Chooses the input size of a network in place. If the network already has this fixed size, nothing changes. On failure
 * returns false with an error, and the network is unchanged. */
bool net_choose_size(struct net *net, int height, int width, soloist_error *error);

static inline struct net_shape net_input(const struct net *net) { return net->layers[0].out; }
/* Number of logits of the policy; 0 without a policy. */
static inline int net_actions(const struct net *net) {
    return net->policy ? (int)net_shape_size(net->layers[net->policy].out) : 0;
}
/* Whether the layer is a convolution over sprites (sprites.h). */
static inline bool net_reads_sprites(const struct net *net, const struct net_layer *layer) {
    return layer->from && net->layers[layer->from].kind == NET_SPRITES;
}
/* The number of multiplications per position. */
double net_multiplications(const struct net *net);
/* The number of inputs that contribute to one output of the layer. */
int net_fan_in(const struct net_layer *layer);
/* The number of outputs of the layer to which one input contributes. */
int net_fan_out(const struct net_layer *layer);

/* Sets all parameters to random numbers; the same seed gives the same bits on every machine. False if there is no
 * memory. */
bool net_initialise(const struct net *net, uint64_t seed, float *parameters);

/* Finds which layers may share a buffer for their values if only the network's outputs are needed: a buffer is free
 * again after the last layer that reads it has been computed. owner[i] is the first layer that uses the buffer of layer
 * i. */
void net_share_buffers(const struct net *net, int owner[NET_MOST_LAYERS + 1]);

#endif
