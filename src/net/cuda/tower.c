/* Decides which layers of a network form its tower, and how their values lie in the frame, in the forward and the
 * backward pass. */
#include "net/cuda/cuda.h"

/* Whether any layer other than the next one reads this layer. */
static bool is_shared(const struct net *net, int index) {
    for (int i = index + 2; i <= net->count; i++)
        if (net->layers[i].from == index || (net->layers[i].kind == NET_ADD && net->layers[i].other == index))
            return true;
    return false;
}

static bool suits(const struct net *net, int index) {
    const struct net_layer *layer = &net->layers[index];
    bool first = index == 1;
    int side = layer->kernel_height;
    if (layer->kind != NET_CONV || layer->from != index - 1 || layer->stride != 1 || is_shared(net, index - 1) ||
        index == net->policy || index == net->value)
        return false;
    return layer->out.channels == TOWER_CHANNELS && layer->kernel_width == side && (side == 3 || side == 1) &&
           layer->pad <= (first ? 2 : side == 3) &&
           (first ? layer->in.channels <= TOWER_FIRST_CHANNELS : layer->in.channels == TOWER_CHANNELS);
}

static int larger(int a, int b) { return a > b ? a : b; }

/* The width of the border of zeros: no window reaches further than two cells beyond the board. */
enum { around_forwards = 1, around_backwards = 2 };

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

static void plan_forwards(struct cuda_runner *runner) {
    const struct net *net = runner->head.net;
    struct tower *tower = &runner->tower;
    begin(tower, net_input(net).channels, net_input(net), net->layers[1].pad, around_forwards);
    while (tower->count < TOWER_MOST && tower->count < net->count && suits(net, tower->count + 1)) {
        const struct net_layer *layer = &net->layers[tower->count + 1];
        bool first = !tower->count;
        add_layer(tower, layer->out, layer->kernel_height, first ? 0 : around_forwards - layer->pad,
                  first ? 1 : TOWER_CHANNELS / 16, (int)layer->activation);
    }
}

/* Plans the backward pass, from the last layer's gradient to the first layer's. The result of each layer is multiplied
 * by the derivative of the activation before it. */
static void plan_backwards(struct cuda_runner *runner) {
    const struct net *net = runner->head.net;
    struct tower *tower = &runner->back_tower;
    int last = runner->tower.count;
    begin(tower, 0, net->layers[last].out, around_backwards, around_backwards);
    for (int i = last; i > 1; i--) {
        const struct net_layer *layer = &net->layers[i];
        add_layer(tower, layer->in, layer->kernel_height, around_backwards - (layer->kernel_height - 1 - layer->pad),
                  TOWER_CHANNELS / 16, (int)net->layers[i - 1].activation);
    }
}

bool cuda_open_tower(struct cuda_runner *runner, soloist_error *error) {
    struct tower *tower = &runner->tower, *back = &runner->back_tower;
    bool train = runner->head.options.train;
    plan_forwards(runner);
    if (tower->count > 1 && train)
        plan_backwards(runner);
    if (tower->count < 2 || !tower_prepare(tower) || (train && !tower_prepare(back)))
        tower->count = back->count = tower->chunks = back->chunks = 0;
    return cuda_take(&runner->tower_weights, (size_t)tower->chunks * TOWER_CHUNK * sizeof(bfloat), error) &&
           cuda_take(&runner->back_weights, (size_t)back->chunks * TOWER_CHUNK * sizeof(bfloat), error) &&
           cuda_take(&runner->tower_bias, (size_t)tower->count * TOWER_CHANNELS * sizeof(float), error);
}

void cuda_cast_tower(struct cuda_runner *runner) {
    const struct net *net = runner->head.net;
    bfloat *chunks = runner->tower_weights;
    bfloat *turned = runner->back_weights + (size_t)runner->back_tower.chunks * TOWER_CHUNK;
    for (int i = 0; i < runner->tower.count; i++) {
        const struct net_layer *layer = &net->layers[i + 1];
        int places = layer->kernel_height * layer->kernel_width;
        const float *weights = runner->parameters + layer->weight;
        tower_cast_weights(weights, chunks, layer->in.channels, places, false, runner->stream);
        cuda_cast_bias(runner->parameters + layer->bias, runner->tower_bias + i * TOWER_CHANNELS, TOWER_CHANNELS,
                       TOWER_CHANNELS, runner->stream);
        chunks += places * TOWER_CHUNK;
        if (!i || !runner->back_tower.count)
            continue;
        turned -= places * TOWER_CHUNK;
        tower_cast_weights(weights, turned, layer->in.channels, places, true, runner->stream);
    }
}

void cuda_run_tower(struct cuda_runner *runner, int count) {
    const struct tower *tower = &runner->tower;
    struct tower_run run = {.planes = runner->planes, .weights = runner->tower_weights, .bias = runner->tower_bias};
    for (int i = 0; i < tower->count; i++)
        if (runner->head.options.train || i == tower->count - 1)
            run.to[i] = runner->values[i + 1];
    tower_launch(tower, &run, count, runner->stream);
}

void cuda_run_tower_back(struct cuda_runner *runner, int count) {
    const struct tower *tower = &runner->back_tower;
    int last = runner->tower.count;
    struct tower_run run = {.values = runner->gradients[last],
                            .values_given = runner->values[last],
                            .values_activation = (int)runner->head.net->layers[last].activation,
                            .weights = runner->back_weights};
    for (int i = 0; i < tower->count; i++) {
        run.to[i] = runner->gradients[last - 1 - i];
        run.given[i] = runner->values[last - 1 - i];
    }
    tower_launch(tower, &run, count, runner->stream);
}
