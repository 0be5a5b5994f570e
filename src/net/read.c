/* Reads a network's description: splits each line into words, computes the shapes of the layers one after the other,
 * and finally checks that every layer contributes to an output. */
#include "net/net.h"

#include <stdlib.h>
#include <string.h>

#define MOST_WORDS 10
#define MOST_MARKS 16
#define MOST_PARAMETERS 1000000000u

struct word {
    const char *at;
    int length, column;
};

struct mark {
    char name[NET_NAME_ROOM];
    int layer;
};

struct reader {
    struct net *net;
    soloist_error *error;
    int line, current; /* line: number of the line; current: the layer that the next line continues from */
    struct word words[MOST_WORDS];
    int count, used;
    struct mark marks[MOST_MARKS];
    int mark_count, convs, linears;
    bool began;
    enum net_start start;
    double gain;
};

static const char *const starts[] = {"truncated", "glorot", "uniform", "orthogonal", "zero"};
/* Gain of each kind of initialisation if the line gives none. */
static const double gains[] = {2, 1, 1, 1.4142135623730951, 0};

static bool is_word(const struct word *word, const char *text) {
    return (size_t)word->length == strlen(text) && !memcmp(word->at, text, (size_t)word->length);
}

/* Reports what was expected in place of the current word or, if there are no more words, at the end of the line. */
static bool fail(struct reader *reader, const char *expected) {
    int column = 1;
    if (reader->used < reader->count) {
        const struct word *word = &reader->words[reader->used];
        return soloist_fail(reader->error, reader->line, word->column, "expected %s, not '%.*s'", expected,
                            word->length < 40 ? word->length : 40, word->at);
    }
    if (reader->count)
        column = reader->words[reader->count - 1].column + reader->words[reader->count - 1].length;
    return soloist_fail(reader->error, reader->line, column, "expected %s at the end of the line", expected);
}

/* ---- words ---- */

static bool split_line(struct reader *reader, const char *line, size_t length) {
    reader->count = reader->used = 0;
    for (size_t i = 0; i < length && line[i] != '#'; i++) {
        size_t start = i;
        while (i < length && line[i] != ' ' && line[i] != '\t' && line[i] != '#')
            i++;
        if (i > start) {
            if (reader->count == MOST_WORDS)
                return soloist_fail(reader->error, reader->line, (int)start + 1, "the line has too many words");
            reader->words[reader->count++] = (struct word){line + start, (int)(i - start), (int)start + 1};
        }
        if (i < length && line[i] == '#')
            break;
    }
    return true;
}

static bool take_word(struct reader *reader, const char *text) {
    if (reader->used == reader->count || !is_word(&reader->words[reader->used], text))
        return false;
    reader->used++;
    return true;
}

/* Reads a number from `from` on, up to the first byte that is not a digit. 0 if there are no digits or too many. */
static int digits(const struct word *word, int *from) {
    int value = 0, start = *from;
    while (*from < word->length && word->at[*from] >= '0' && word->at[*from] <= '9' && *from - start < 6)
        value = value * 10 + (word->at[(*from)++] - '0');
    return value;
}

/* Reads `count` whole numbers separated by 'x', each from least to most. */
static bool take_numbers(struct reader *reader, int count, int least, int most, int *out, const char *expected) {
    if (reader->used == reader->count)
        return fail(reader, expected);
    const struct word *word = &reader->words[reader->used];
    int at = 0;
    for (int i = 0; i < count; i++) {
        int before = at;
        out[i] = digits(word, &at);
        if (at == before || out[i] < least || out[i] > most)
            return fail(reader, expected);
        if (i + 1 < count && (at == word->length || word->at[at++] != 'x'))
            return fail(reader, expected);
    }
    if (at != word->length)
        return fail(reader, expected);
    reader->used++;
    return true;
}

static bool take_activation(struct reader *reader, struct net_layer *layer) {
    layer->activation = take_word(reader, "elu") ? NET_ELU : take_word(reader, "relu") ? NET_RELU : NET_NO_ACTIVATION;
    return reader->used == reader->count || fail(reader, "elu, relu or the end of the line");
}

static bool take_end(struct reader *reader) {
    return reader->used == reader->count || fail(reader, "the end of the line");
}

/* ---- layers ---- */

/* Makes a new layer that continues from the current one; the layer is not yet part of the network. NULL with an
 * error. */
static struct net_layer *new_layer(struct reader *reader, enum net_kind kind) {
    struct net *net = reader->net;
    if (net->count == NET_MOST_LAYERS) {
        soloist_fail(reader->error, reader->line, 1, "a network has at most %d layers", NET_MOST_LAYERS);
        return NULL;
    }
    struct net_layer *layer = &net->layers[net->count + 1];
    *layer = (struct net_layer){.kind = kind,
                                .from = reader->current,
                                .in = net->layers[reader->current].out,
                                .kernel_height = 1,
                                .kernel_width = 1,
                                .stride = 1,
                                .start = reader->start,
                                .gain = reader->gain,
                                .line = reader->line};
    return layer;
}

static void name_layer(struct net_layer *layer, const char *kind, int number) {
    soloist_error text;
    soloist_fail(&text, 0, 0, "%s%d", kind, number);
    memcpy(layer->name, text.text, NET_NAME_ROOM - 1);
}

/* Assigns a range of the parameters to the layer. */
static bool place_layer(struct reader *reader, struct net_layer *layer) {
    struct net *net = reader->net;
    uint64_t weights = (uint64_t)net_shape_size(layer->in);
    if (layer->kind == NET_CONV)
        weights = (uint64_t)layer->in.channels * (uint64_t)(layer->kernel_height * layer->kernel_width);
    weights *= (uint64_t)layer->out.channels;
    if (net->parameters + weights + (uint64_t)layer->out.channels > MOST_PARAMETERS)
        return soloist_fail(reader->error, reader->line, 1, "the network would have more than %u parameters",
                            MOST_PARAMETERS);
    layer->weight = net->parameters;
    layer->weight_count = (size_t)weights;
    layer->bias = layer->weight + layer->weight_count;
    layer->bias_count = (size_t)layer->out.channels;
    net->parameters = layer->bias + layer->bias_count;
    return true;
}

static bool add_layer(struct reader *reader) {
    reader->current = ++reader->net->count;
    return true;
}

static bool read_conv(struct reader *reader) {
    struct net_layer *layer = new_layer(reader, NET_CONV);
    int filters, kernel[2];
    if (!layer || !take_numbers(reader, 1, 1, 4096, &filters, "the number of filters, 1 to 4096") ||
        !take_numbers(reader, 2, 1, 31, kernel, "a kernel such as 3x3, at most 31x31"))
        return false;
    layer->kernel_height = kernel[0];
    layer->kernel_width = kernel[1];
    if (take_word(reader, "pad") && !take_numbers(reader, 1, 0, 30, &layer->pad, "a padding from 0 to 30"))
        return false;
    if (take_word(reader, "stride") && !take_numbers(reader, 1, 1, 30, &layer->stride, "a stride from 1 to 30"))
        return false;
    if (!take_activation(reader, layer))
        return false;
    int height = layer->in.height + 2 * layer->pad - kernel[0], width = layer->in.width + 2 * layer->pad - kernel[1];
    if (height < 0 || width < 0)
        return soloist_fail(reader->error, reader->line, 1, "the kernel %dx%d is larger than its input, %dx%d",
                            kernel[0], kernel[1], layer->in.height, layer->in.width);
    layer->out = (struct net_shape){filters, height / layer->stride + 1, width / layer->stride + 1};
    name_layer(layer, "conv", ++reader->convs);
    return place_layer(reader, layer) && add_layer(reader);
}

static bool read_linear(struct reader *reader) {
    struct net_layer *layer = new_layer(reader, NET_LINEAR);
    int units;
    if (!layer || !take_numbers(reader, 1, 1, 65536, &units, "the number of units, 1 to 65536") ||
        !take_activation(reader, layer))
        return false;
    layer->out = (struct net_shape){units, 1, 1};
    name_layer(layer, "linear", ++reader->linears);
    return place_layer(reader, layer) && add_layer(reader);
}

static bool read_pool(struct reader *reader) {
    struct net_layer *layer = new_layer(reader, NET_POOL);
    if (!layer || !take_activation(reader, layer))
        return false;
    if (!reader->current)
        return soloist_fail(reader->error, reader->line, 1, "the input cannot be pooled before the first layer");
    layer->out = (struct net_shape){layer->in.channels, 1, 1};
    return add_layer(reader);
}

/* ---- names ---- */

static bool take_mark(struct reader *reader, struct mark **found) {
    if (reader->used == reader->count)
        return fail(reader, "a name");
    const struct word *word = &reader->words[reader->used];
    *found = NULL;
    if (word->length >= NET_NAME_ROOM)
        return fail(reader, "a shorter name");
    for (int i = 0; i < reader->mark_count; i++)
        if (is_word(word, reader->marks[i].name))
            *found = &reader->marks[i];
    return true;
}

static bool read_mark(struct reader *reader) {
    struct mark *mark;
    if (!take_mark(reader, &mark))
        return false;
    if (!reader->current)
        return soloist_fail(reader->error, reader->line, 1, "the input itself cannot be marked");
    if (!mark) {
        if (reader->mark_count == MOST_MARKS)
            return soloist_fail(reader->error, reader->line, 1, "at most %d names can be marked", MOST_MARKS);
        mark = &reader->marks[reader->mark_count++];
        *mark = (struct mark){0};
        memcpy(mark->name, reader->words[reader->used].at, (size_t)reader->words[reader->used].length);
    }
    mark->layer = reader->current;
    reader->used++;
    return take_end(reader);
}

static bool read_from(struct reader *reader) {
    struct mark *mark;
    if (!take_mark(reader, &mark))
        return false;
    if (!mark)
        return fail(reader, "a name that was marked before");
    reader->used++;
    reader->current = mark->layer;
    return take_end(reader);
}

static bool read_add(struct reader *reader) {
    struct net_layer *layer = new_layer(reader, NET_ADD);
    struct mark *mark;
    if (!layer || !take_mark(reader, &mark))
        return false;
    if (!mark)
        return fail(reader, "a name that was marked before");
    reader->used++;
    layer->other = mark->layer;
    layer->out = layer->in;
    struct net_shape other = reader->net->layers[mark->layer].out;
    if (!reader->current || other.channels != layer->in.channels || other.height != layer->in.height ||
        other.width != layer->in.width)
        return soloist_fail(reader->error, reader->line, 1, "%dx%dx%d cannot be added to %dx%dx%d", other.channels,
                            other.height, other.width, layer->in.channels, layer->in.height, layer->in.width);
    return take_activation(reader, layer) && add_layer(reader);
}

/* ---- other lines ---- */

static bool read_input(struct reader *reader) {
    int shape[3];
    if (!take_numbers(reader, 3, 1, 1024, shape, "planes x height x width such as 6x15x15") || !take_end(reader))
        return false;
    reader->net->layers[0] = (struct net_layer){.kind = NET_INPUT, .line = reader->line};
    reader->net->layers[0].out = (struct net_shape){shape[0], shape[1], shape[2]};
    reader->began = true;
    return true;
}

/* A number such as 2, 0.01 or 1.41: digits with at most one point. */
static bool take_gain(struct reader *reader, double *gain) {
    const struct word *word = &reader->words[reader->used];
    double value = 0, unit = 1;
    bool point = false, digit = false;
    for (int i = 0; i < word->length; i++) {
        char c = word->at[i];
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9' && word->length < 16) {
            value = value * 10 + (c - '0');
            unit = point ? unit * 10 : unit;
            digit = true;
        } else {
            return fail(reader, "a number such as 2 or 0.01");
        }
    }
    if (!digit || value / unit > 1000)
        return fail(reader, "a number from 0 to 1000");
    reader->used++;
    *gain = value / unit;
    return true;
}

static bool read_init(struct reader *reader) {
    for (int i = 0; i < (int)(sizeof starts / sizeof *starts); i++)
        if (take_word(reader, starts[i])) {
            reader->start = (enum net_start)i;
            reader->gain = gains[i];
            if (reader->used < reader->count && !take_gain(reader, &reader->gain))
                return false;
            return take_end(reader);
        }
    return fail(reader, "truncated, glorot, uniform, orthogonal or zero");
}

static bool read_output(struct reader *reader, int *output, const char *name) {
    const struct net_layer *layer = &reader->net->layers[reader->current];
    if (!take_end(reader))
        return false;
    if (*output)
        return soloist_fail(reader->error, reader->line, 1, "a network has only one %s", name);
    bool flat = layer->out.height * layer->out.width == 1, cells = layer->out.channels == 1;
    if (!reader->current || !(flat || (cells && output == &reader->net->policy)))
        return soloist_fail(reader->error, reader->line, 1, "the %s must be the output of a linear layer%s", name,
                            output == &reader->net->policy ? ", or of one filter" : "");
    *output = reader->current;
    return true;
}

static bool read_value(struct reader *reader) {
    if (!read_output(reader, &reader->net->value, "value"))
        return false;
    if (reader->net->layers[reader->net->value].out.channels != 1)
        return soloist_fail(reader->error, reader->line, 1, "the value is one number, not %d",
                            reader->net->layers[reader->net->value].out.channels);
    return true;
}

static bool read_words(struct reader *reader) {
    if (take_word(reader, "input"))
        return reader->began ? soloist_fail(reader->error, reader->line, 1, "a network has only one input")
                             : read_input(reader);
    if (!reader->began)
        return fail(reader, "input, which must come first");
    if (take_word(reader, "init"))
        return read_init(reader);
    if (take_word(reader, "conv"))
        return read_conv(reader);
    if (take_word(reader, "linear"))
        return read_linear(reader);
    if (take_word(reader, "pool"))
        return read_pool(reader);
    if (take_word(reader, "mark"))
        return read_mark(reader);
    if (take_word(reader, "from"))
        return read_from(reader);
    if (take_word(reader, "add"))
        return read_add(reader);
    if (take_word(reader, "policy"))
        return read_output(reader, &reader->net->policy, "policy");
    if (take_word(reader, "value"))
        return read_value(reader);
    return fail(reader, "init, conv, linear, pool, mark, from, add, policy or value");
}

/* Every layer must contribute to an output. */
static bool check_use(struct reader *reader) {
    const struct net *net = reader->net;
    bool used[NET_MOST_LAYERS + 1] = {false};
    if (!net->policy && !net->value)
        return soloist_fail(reader->error, reader->line, 1, "the network has neither a policy nor a value");
    used[net->policy] = used[net->value] = true;
    for (int i = net->count; i > 0; i--) {
        if (!used[i])
            return soloist_fail(reader->error, net->layers[i].line, 1, "no output depends on this layer");
        used[net->layers[i].from] = used[net->layers[i].other] = true;
    }
    return true;
}

bool net_read(struct net *net, const char *text, size_t length, soloist_error *error) {
    struct reader reader = {.net = net, .error = error, .start = NET_TRUNCATED, .gain = gains[NET_TRUNCATED]};
    soloist_cursor cursor = soloist_cursor_open(text, length);
    const char *line;
    size_t line_length;
    memset(net, 0, sizeof *net);
    reader.line = 1;
    while (soloist_cursor_line(&cursor, &line, &line_length)) {
        if (line_length > 1000)
            return soloist_fail(error, reader.line, 1, "the line is too long");
        if (!split_line(&reader, line, line_length) || (reader.count && !read_words(&reader)))
            return false;
        reader.line = cursor.line;
    }
    if (!check_use(&reader))
        return false;
    net->text = malloc(length + 1);
    if (!net->text)
        return soloist_fail(error, 0, 0, "no memory for the network's description");
    memcpy(net->text, text, length);
    net->text[length] = 0;
    return true;
}
