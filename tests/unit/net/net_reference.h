/* A network in plain loops of doubles, channels first: what every back end is compared with, and what finite
 * differences are taken of. */
#ifndef TESTS_UNIT_NET_NET_REFERENCE_H
#define TESTS_UNIT_NET_NET_REFERENCE_H

#include "net/loss.h"
#include "net/net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct net_reference {
    const struct net *net;
    double *values[NET_MOST_LAYERS + 1]; /* of one position */
};

static inline void net_reference_open(struct net_reference *reference, const struct net *net) {
    memset(reference, 0, sizeof *reference);
    reference->net = net;
    for (int i = 0; i <= net->count; i++)
        reference->values[i] = calloc(net_shape_size(net->layers[i].out), sizeof(double));
}

static inline void net_reference_close(struct net_reference *reference) {
    for (int i = 0; i <= reference->net->count; i++)
        free(reference->values[i]);
}

static inline double reference_activation(enum net_activation activation, double x) {
    if (activation == NET_NO_ACTIVATION || x > 0)
        return x;
    return activation == NET_RELU ? 0 : expm1(x);
}

static inline double reference_conv(const struct net_layer *l, const double *in, const double *kernel, int y, int x) {
    double sum = 0;
    for (int c = 0; c < l->in.channels; c++)
        for (int r = 0; r < l->kernel_height; r++)
            for (int s = 0; s < l->kernel_width; s++) {
                int row = y * l->stride + r - l->pad, column = x * l->stride + s - l->pad;
                if (row >= 0 && row < l->in.height && column >= 0 && column < l->in.width)
                    sum += in[(c * l->in.height + row) * l->in.width + column] *
                           kernel[(c * l->kernel_height + r) * l->kernel_width + s];
            }
    return sum;
}

/* Paints each cell's picture, [colour][row][column]. */
static inline void reference_paint(const struct net *net, const double *planes, double *out) {
    struct net_shape input = net_input(net);
    int side = net->sprites.side, cells = input.height * input.width;
    for (int cell = 0; cell < cells; cell++) {
        int class = 0, top = cell / input.width * side, left = cell % input.width * side;
        for (int plane = 0; plane < input.channels; plane++)
            class |= (planes[plane * cells + cell] > 0.5) << plane;
        for (int i = 0; i < NET_SPRITE_COLOURS * side * side; i++) {
            int colour = i / (side * side), y = i / side % side, x = i % side;
            out[(colour * input.height * side + top + y) * input.width * side + left + x] =
                (double)net->sprites.pictures[class * NET_SPRITE_COLOURS * side * side + i];
        }
    }
}

static inline void reference_layer(const struct net_reference *reference, const double *parameters, int index) {
    const struct net_layer *l = &reference->net->layers[index];
    const double *in = reference->values[l->from], *other = reference->values[l->other];
    double *out = reference->values[index];
    int places = l->out.height * l->out.width, inputs = (int)net_shape_size(l->in);
    if (l->kind == NET_SPRITES) {
        reference_paint(reference->net, in, out);
        return;
    }
    for (int k = 0; k < l->out.channels; k++)
        for (int p = 0; p < places; p++) {
            double sum = l->bias_count ? parameters[l->bias + (size_t)k] : 0;
            if (l->kind == NET_CONV)
                sum += reference_conv(l, in, parameters + l->weight + (size_t)(k * net_fan_in(l)), p / l->out.width,
                                      p % l->out.width);
            for (int i = 0; l->kind == NET_LINEAR && i < inputs; i++)
                sum += in[i] * parameters[l->weight + (size_t)(k * inputs + i)];
            int area = l->in.height * l->in.width;
            for (int i = 0; l->kind == NET_POOL && !l->maximum && i < area; i++)
                sum += in[k * area + i] / area;
            for (int i = 0; l->kind == NET_POOL && l->maximum && i < area; i++)
                sum = i ? fmax(sum, in[k * area + i]) : in[k * area];
            for (int i = 0; l->kind == NET_AT && i < area; i++)
                sum += reference->values[0][l->plane * area + i] * in[k * area + i];
            if (l->kind == NET_ADD)
                sum += in[k * places + p] + other[k * places + p];
            out[k * places + p] = reference_activation(l->activation, sum);
        }
}

/* One position; logits and value are then values[policy] and values[value]. */
static inline void net_reference_forward(const struct net_reference *reference, const double *parameters,
                                         const float *planes) {
    for (size_t i = 0; i < net_shape_size(net_input(reference->net)); i++)
        reference->values[0][i] = (double)planes[i];
    for (int i = 1; i <= reference->net->count; i++)
        reference_layer(reference, parameters, i);
}

/* The total loss of a batch. */
static inline double net_reference_loss(const struct net_reference *reference, const double *parameters,
                                        const float *planes, int count, const struct net_targets *targets,
                                        const struct net_loss *loss) {
    const struct net *net = reference->net;
    int actions = net_actions(net);
    double total = 0;
    for (int b = 0; b < count; b++) {
        net_reference_forward(reference, parameters, planes + (size_t)b * net_shape_size(net_input(net)));
        const double *z = reference->values[net->policy];
        double sum = 0, most = -INFINITY;
        for (int i = 0; i < actions; i++)
            most = fmax(most, z[i]);
        for (int i = 0; i < actions; i++)
            sum += exp(z[i] - most);
        for (int i = 0; i < actions; i++) {
            double log_p = z[i] - most - log(sum);
            if (targets->policy)
                total -= (double)targets->policy[b * actions + i] * log_p;
            total += (double)loss->entropy * exp(log_p) * log_p;
        }
        if (net->value && targets->value) {
            double off = reference->values[net->value][0] - (double)targets->value[b];
            total += (double)loss->value_weight * (double)(off <= 0 ? loss->under : loss->over) * off * off;
        }
    }
    return total / count;
}

#endif
