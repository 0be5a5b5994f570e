/* Decides which layers of a network form its tower, and how their values lie in the frame, in the forward and the
 * backward pass. */
#include "net/cuda/cuda.h"

/* Whether a convolution that reads layer `from` can be a part of the tower. */
static bool suits(const struct net *net, int index, int from) {
    const struct net_layer *layer = &net->layers[index];
    bool first = index == 1;
    int side = layer->kernel_height;
    if (layer->kind != NET_CONV || layer->from != from || layer->stride != 1)
        return false;
    return layer->out.channels == TOWER_CHANNELS && layer->kernel_width == side && (side == 3 || side == 1) &&
           layer->pad <= (first ? 2 : side == 3) &&
           (first ? layer->in.channels <= TOWER_FIRST_CHANNELS : layer->in.channels == TOWER_CHANNELS);
}

static bool is_result(const struct tower_step *steps, int count, int layer) {
    for (int i = 0; i < count; i++)
        if (steps[i].out == layer)
            return true;
    return false;
}

/* Whether a layer adds an earlier result of the tower to the convolution before it, which has no activation itself. */
static bool adds(const struct net *net, int index, const struct tower_step *steps, int count) {
    const struct net_layer *layer = &net->layers[index];
    return index <= net->count && layer->kind == NET_ADD && layer->from == index - 1 &&
           net->layers[index - 1].activation == NET_NO_ACTIVATION && is_result(steps, count, layer->other);
}

/* Whether the first `count` steps can be computed without the rest of the network: later layers read only the last
 * result, none of them is an output, a result is added only once, and with additions all have the same size. */
static bool closed(const struct net *net, const struct tower_step *steps, int count) {
    int last = steps[count - 1].out;
    struct net_shape shape = net->layers[steps[0].out].out;
    for (int i = last + 1; i <= net->count; i++) {
        const struct net_layer *layer = &net->layers[i];
        if ((layer->from && layer->from < last) || (layer->kind == NET_ADD && layer->other && layer->other < last))
            return false;
    }
    if ((net->policy && net->policy <= last) || (net->value && net->value <= last))
        return false;
    for (int i = 0; i < count; i++)
        for (int k = 0; steps[i].skip && k < count; k++) {
            struct net_shape other = net->layers[steps[k].out].out;
            if ((k != i && steps[k].skip == steps[i].skip) || other.height != shape.height ||
                other.width != shape.width)
                return false;
        }
    return true;
}

static int list_steps(const struct net *net, struct tower_step *steps) {
    int count = 0, last = 0;
    while (count < TOWER_MOST && last < net->count && suits(net, last + 1, last)) {
        int conv = last + 1;
        bool added = adds(net, conv + 1, steps, count);
        steps[count++] = (struct tower_step){conv, conv + added, added ? net->layers[conv + 1].other : 0};
        last = conv + added;
    }
    while (count && !closed(net, steps, count))
        count--;
    return count;
}

static int larger(int a, int b) { return a > b ? a : b; }

/* The width of the border of zeros in the forward pass; the first layer's padding is a part of its input. */
enum { around_forwards = 1 };

static void begin(struct tower *tower, int channels, struct net_shape in, int from, int at) {
    *tower = (struct tower){.channels = channels, .height = in.height, .width = in.width, .from = from, .at = at};
    tower->side = larger(in.height, in.width) + 2 * from;
}

static void add_layer(struct tower *tower, struct net_shape out, int window, int shift, int depth, int activation) {
    const struct tower_layer *before = tower->count ? &tower->layers[tower->count - 1] : NULL;
    int height = before ? before->height : tower->height, width = before ? before->width : tower->width;
    int beside = before ? 0 : tower->from - tower->at;
    tower->layers[tower->count++] = (struct tower_layer){
        .height = out.height,
        .width = out.width,
        .window = window,
        .shift = shift,
        .depth = depth,
        .activation = activation,
        .clears = beside < 0 || height + beside > out.height || width + beside > out.width,
        .numbers = height != out.height || width != out.width,
    };
    tower->chunks += window * window;
    tower->side = larger(tower->side, larger(out.height, out.width) + 2 * tower->at);
}

static void plan_forwards(struct cuda_runner *runner, int count) {
    const struct net *net = runner->head.net;
    struct tower *tower = &runner->tower;
    begin(tower, net_input(net).channels, net_input(net), net->layers[1].pad, around_forwards);
    for (int i = 0; i < count; i++) {
        const struct net_layer *layer = &net->layers[runner->steps[i].conv];
        add_layer(tower, layer->out, layer->kernel_height, i ? around_forwards - layer->pad : 0,
                  i || layer->in.channels > 16 ? TOWER_CHANNELS / 16 : 1,
                  (int)net->layers[runner->steps[i].out].activation);
    }
}

/* How far a window of the backward pass reaches beyond its first cell. */
static int reach(const struct net_layer *layer) { return layer->kernel_height - 1 - layer->pad; }

/* Plans the backward pass, from the last layer's gradient to the first layer's. The result of each layer is multiplied
 * by the derivative of the activation before it. */
static void plan_backwards(struct cuda_runner *runner, int count) {
    const struct net *net = runner->head.net;
    struct tower *tower = &runner->back_tower;
    int around = 1;
    for (int i = 1; i < count; i++)
        around = larger(around, reach(&net->layers[runner->steps[i].conv]));
    begin(tower, 0, net->layers[runner->steps[count - 1].out].out, around, around);
    for (int i = count - 1; i > 0; i--) {
        const struct net_layer *layer = &net->layers[runner->steps[i].conv];
        add_layer(tower, layer->in, layer->kernel_height, around - reach(layer), TOWER_CHANNELS / 16,
                  (int)net->layers[runner->steps[i - 1].out].activation);
    }
}

bool cuda_open_tower(struct cuda_runner *runner, soloist_error *error) {
    struct tower *tower = &runner->tower, *back = &runner->back_tower;
    bool train = runner->head.options.train;
    int count = list_steps(runner->head.net, runner->steps);
    if (count > 1)
        plan_forwards(runner, count);
    if (count > 1 && train)
        plan_backwards(runner, count);
    if (count < 2 || !tower_prepare(tower) || (train && !tower_prepare(back)))
        tower->count = back->count = tower->chunks = back->chunks = 0;
    runner->tower_last = tower->count ? runner->steps[tower->count - 1].out : 0;
    return cuda_take(&runner->tower_weights, (size_t)tower->chunks * TOWER_CHUNK * sizeof(bfloat), error) &&
           cuda_take(&runner->back_weights, (size_t)back->chunks * TOWER_CHUNK * sizeof(bfloat), error) &&
           cuda_take(&runner->tower_bias, (size_t)tower->count * TOWER_CHANNELS * sizeof(float), error);
}

/* The chunks of the backward pass begin with those of the last layer. */
void cuda_cast_tower(struct cuda_runner *runner) {
    struct tower_parameters p = {.parameters = runner->parameters,
                                 .count = runner->tower.count,
                                 .chunks = runner->tower_weights,
                                 .turned_chunks = runner->back_weights,
                                 .bias = runner->tower_bias};
    int chunk = 0, turned = runner->back_tower.chunks;
    for (int i = 0; i < p.count; i++) {
        const struct net_layer *layer = &runner->head.net->layers[runner->steps[i].conv];
        int places = layer->kernel_height * layer->kernel_width;
        bool back = i && runner->back_tower.count;
        turned -= back ? places : 0;
        p.layers[i].weight = layer->weight;
        p.layers[i].bias = layer->bias;
        p.layers[i].channels = layer->in.channels;
        p.layers[i].places = places;
        p.layers[i].chunk = chunk;
        p.layers[i].turned = back ? turned : -1;
        chunk += places;
    }
    if (p.count)
        tower_cast(&p, runner->stream);
}

/* The step that adds a layer's values to its own, or -1. */
static int step_that_adds(const struct cuda_runner *runner, int layer) {
    for (int i = 0; i < runner->tower.count; i++)
        if (runner->steps[i].skip == layer)
            return i;
    return -1;
}

void cuda_run_tower(struct cuda_runner *runner, int count) {
    const struct tower *tower = &runner->tower;
    struct tower_run run = {.planes = runner->planes, .weights = runner->tower_weights, .bias = runner->tower_bias};
    for (int i = 0; i < tower->count; i++) {
        int out = runner->steps[i].out, skip = runner->steps[i].skip;
        if (runner->head.options.train || i == tower->count - 1 || step_that_adds(runner, out) >= 0)
            run.to[i] = runner->values[out];
        run.skip[i] = skip ? runner->values[skip] : NULL;
    }
    tower_launch(tower, &run, count, runner->stream);
}

/* The gradient of a result that a later step adds is the sum of two: one comes back through the next convolution, the
 * other is the gradient of that step before its activation. */
void cuda_run_tower_back(struct cuda_runner *runner, int count) {
    const struct tower *tower = &runner->back_tower;
    int last = runner->tower_last;
    struct tower_run run = {.values = runner->gradients[last],
                            .values_given = runner->values[last],
                            .values_activation = (int)runner->head.net->layers[last].activation,
                            .weights = runner->back_weights};
    for (int i = 0; i < tower->count; i++) {
        int out = runner->steps[runner->tower.count - 2 - i].out, adds = step_that_adds(runner, out);
        run.to[i] = runner->gradients[out];
        run.given[i] = runner->values[out];
        run.skip[i] = adds >= 0 ? runner->gradients[runner->steps[adds].out] : NULL;
    }
    tower_launch(tower, &run, count, runner->stream);
}
