/* Reads a network's description: splits each line into words, computes the shapes of the layers one after the other,
 * and finally checks that every layer contributes to an output. */
#include "net/net.h"
#include "net/sprites.h"

#include <stdlib.h>
#include <string.h>

#define MOST_WORDS (NET_SPRITE_SIDE + 2)
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
    int height, width; /* the size of an input whose size the description leaves open */
    bool chosen;       /* this size was chosen and is not the nominal one */
    float colours[128][NET_SPRITE_COLOURS];
    bool coloured[128]; /* which letters have a colour */
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
    if (reader->count > 0)
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
                                .any_size = net->layers[reader->current].any_size,
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
    const struct net_layer *layer = &reader->net->layers[reader->net->count + 1];
    if (net_reads_sprites(reader->net, layer) && layer->kind != NET_CONV)
        return soloist_fail(reader->error, reader->line, 1, "only a convolution can read sprites");
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
    if (net_reads_sprites(reader->net, layer) && net_table_size(&reader->net->sprites, layer) > NET_MOST_TABLE)
        return soloist_fail(reader->error, reader->line, 1,
                            "the table of this convolution over sprites would be too large");
    name_layer(layer, "conv", ++reader->convs);
    return place_layer(reader, layer) && add_layer(reader);
}

static bool read_linear(struct reader *reader) {
    struct net_layer *layer = new_layer(reader, NET_LINEAR);
    int units;
    if (!layer || !take_numbers(reader, 1, 1, 65536, &units, "the number of units, 1 to 65536") ||
        !take_activation(reader, layer))
        return false;
    if (layer->any_size)
        return soloist_fail(reader->error, reader->line, 1,
                            "a linear layer needs an input of a fixed size: pool it first, or take it at a plane");
    layer->out = (struct net_shape){units, 1, 1};
    name_layer(layer, "linear", ++reader->linears);
    return place_layer(reader, layer) && add_layer(reader);
}

static bool read_pool(struct reader *reader) {
    struct net_layer *layer = new_layer(reader, NET_POOL);
    if (!layer)
        return false;
    layer->maximum = take_word(reader, "max");
    if (!take_activation(reader, layer))
        return false;
    if (!reader->current)
        return soloist_fail(reader->error, reader->line, 1, "the input cannot be pooled before the first layer");
    layer->out = (struct net_shape){layer->in.channels, 1, 1};
    layer->any_size = false;
    return add_layer(reader);
}

static bool read_at(struct reader *reader) {
    struct net_layer *layer = new_layer(reader, NET_AT);
    struct net_shape input = net_input(reader->net);
    int plane;
    if (!layer || !take_numbers(reader, 1, 1, input.channels, &plane, "the number of an input plane, from 1") ||
        !take_activation(reader, layer))
        return false;
    if (!reader->current)
        return soloist_fail(reader->error, reader->line, 1,
                            "the input cannot be read at a plane before the first layer");
    if (layer->in.height != input.height || layer->in.width != input.width)
        return soloist_fail(reader->error, reader->line, 1, "the layer has %dx%d cells, but the input has %dx%d",
                            layer->in.height, layer->in.width, input.height, input.width);
    layer->plane = plane - 1;
    layer->out = (struct net_shape){layer->in.channels, 1, 1};
    layer->any_size = false;
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
    struct mark *mark = NULL;
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
    struct mark *mark = NULL;
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
    struct mark *mark = NULL;
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

/* Takes a word such as 4x?x?, if it is one. */
static bool take_any_size(struct reader *reader, int *planes) {
    if (reader->used == reader->count)
        return false;
    const struct word *word = &reader->words[reader->used];
    int at = 0;
    *planes = digits(word, &at);
    if (*planes < 1 || *planes > NET_MOST_SIDE || word->length != at + 4 || memcmp(word->at + at, "x?x?", 4))
        return false;
    reader->used++;
    return true;
}

static bool read_input(struct reader *reader) {
    int shape[3];
    bool any = take_any_size(reader, &shape[0]);
    if (!any && !take_numbers(reader, 3, 1, NET_MOST_SIDE, shape, "planes x height x width such as 6x15x15"))
        return false;
    if (!take_end(reader))
        return false;
    shape[1] = any ? reader->height : shape[1];
    shape[2] = any ? reader->width : shape[2];
    reader->net->layers[0] =
        (struct net_layer){.kind = NET_INPUT, .line = reader->line, .any_size = any && !reader->chosen};
    reader->net->layers[0].out = (struct net_shape){shape[0], shape[1], shape[2]};
    reader->began = true;
    return true;
}

/* A number such as 2, 0.01 or 1.41: digits with at most one point. */
static bool take_real(struct reader *reader, double most, const char *expected, double *real) {
    if (reader->used == reader->count)
        return fail(reader, expected);
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
    if (!digit || value / unit > most)
        return fail(reader, expected);
    reader->used++;
    *real = value / unit;
    return true;
}

static bool read_init(struct reader *reader) {
    for (int i = 0; i < (int)(sizeof starts / sizeof *starts); i++)
        if (take_word(reader, starts[i])) {
            reader->start = (enum net_start)i;
            reader->gain = gains[i];
            if (reader->used < reader->count && !take_real(reader, 1000, "a number from 0 to 1000", &reader->gain))
                return false;
            return take_end(reader);
        }
    return fail(reader, "truncated, glorot, uniform, orthogonal or zero");
}

/* ---- sprites ---- */

static bool read_colour(struct reader *reader) {
    const struct word *word = &reader->words[reader->used];
    int letter = reader->used < reader->count && word->length == 1 ? (unsigned char)word->at[0] : 128;
    if (letter >= 128)
        return fail(reader, "a letter that stands for the colour");
    reader->used++;
    for (int i = 0; i < NET_SPRITE_COLOURS; i++) {
        double part;
        if (!take_real(reader, 1, "red, green and blue, each from 0 to 1", &part))
            return false;
        reader->colours[letter][i] = (float)part;
    }
    reader->coloured[letter] = true;
    return take_end(reader);
}

static bool read_sprites(struct reader *reader) {
    struct net_layer *layer = new_layer(reader, NET_SPRITES);
    struct net_sprites *sprites = &reader->net->sprites;
    if (!layer || !take_numbers(reader, 1, 1, NET_SPRITE_SIDE, &sprites->side, "the side of a picture, 1 to 16") ||
        !take_end(reader))
        return false;
    if (reader->net->count || layer->in.channels > NET_SPRITE_PLANES)
        return soloist_fail(reader->error, reader->line, 1, "sprites must be the first layer, over at most %d planes",
                            NET_SPRITE_PLANES);
    sprites->classes = 1 << layer->in.channels;
    size_t size = (size_t)(sprites->side * sprites->side * NET_SPRITE_COLOURS);
    sprites->pictures = calloc((size_t)sprites->classes * size, sizeof *sprites->pictures);
    if (!sprites->pictures)
        return soloist_fail(reader->error, 0, 0, "no memory for the network's pictures");
    layer->out =
        (struct net_shape){NET_SPRITE_COLOURS, layer->in.height * sprites->side, layer->in.width * sprites->side};
    return add_layer(reader);
}

/* Reads the planes of the cells that a picture shows, such as 0011. */
static bool take_class(struct reader *reader, int *class) {
    int planes = net_input(reader->net).channels;
    const struct word *word = &reader->words[reader->used];
    bool good = reader->used < reader->count && word->length == planes;
    *class = 0;
    for (int i = 0; good && i < planes; i++) {
        good = word->at[i] == '0' || word->at[i] == '1';
        *class |= (word->at[i] == '1') << i;
    }
    if (!good)
        return fail(reader, "a 0 or 1 for each input plane, such as 0011");
    reader->used++;
    return true;
}

static bool read_picture(struct reader *reader) {
    struct net_sprites *sprites = &reader->net->sprites;
    int class, side = sprites->side;
    if (reader->net->layers[reader->current].kind != NET_SPRITES)
        return soloist_fail(reader->error, reader->line, 1, "pictures belong after sprites");
    if (!take_class(reader, &class))
        return false;
    float *picture = sprites->pictures + class * NET_SPRITE_COLOURS * side * side;
    for (int y = 0; y < side; y++, reader->used++) {
        const struct word *word = &reader->words[reader->used];
        if (reader->used == reader->count || word->length != side)
            return fail(reader, "as many rows as a picture is high, with a letter per pixel");
        for (int x = 0; x < side; x++) {
            unsigned char letter = (unsigned char)word->at[x];
            if (letter >= 128 || !reader->coloured[letter])
                return fail(reader, "letters that stand for colours");
            for (int colour = 0; colour < NET_SPRITE_COLOURS; colour++)
                picture[(colour * side + y) * side + x] = reader->colours[letter][colour];
        }
    }
    return take_end(reader);
}

/* ---- outputs ---- */

static bool read_output(struct reader *reader, int *output, const char *name) {
    const struct net_layer *layer = &reader->net->layers[reader->current];
    if (!take_end(reader))
        return false;
    if (*output)
        return soloist_fail(reader->error, reader->line, 1, "a network has only one %s", name);
    bool flat = layer->out.height * layer->out.width == 1 && !layer->any_size;
    bool cells = (layer->kind == NET_CONV || layer->kind == NET_ADD) && output == &reader->net->policy;
    if (!reader->current || !(flat || cells))
        return soloist_fail(reader->error, reader->line, 1, "the %s must be the output of a linear layer%s", name,
                            output == &reader->net->policy ? " or of a convolution" : "");
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
    if (take_word(reader, "at"))
        return read_at(reader);
    if (take_word(reader, "colour"))
        return read_colour(reader);
    if (take_word(reader, "sprites"))
        return read_sprites(reader);
    if (take_word(reader, "picture"))
        return read_picture(reader);
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
    return fail(reader, "init, colour, sprites, picture, conv, linear, pool, at, mark, from, add, policy or value");
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

static bool read_lines(struct reader *reader, const char *text, size_t length) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    const char *line;
    size_t line_length;
    reader->line = 1;
    while (soloist_cursor_line(&cursor, &line, &line_length)) {
        if (line_length > 1000)
            return soloist_fail(reader->error, reader->line, 1, "the line is too long");
        const char *zero = memchr(line, 0, line_length);
        if (zero)
            return soloist_fail(reader->error, reader->line, (int)(zero - line) + 1, "expected text, not a zero byte");
        if (!split_line(reader, line, line_length) || (reader->count && !read_words(reader)))
            return false;
        reader->line = cursor.line;
    }
    return check_use(reader);
}

/* height 0: the size that the description leaves open, if it does, is not chosen yet. */
static bool read_at_size(struct net *net, const char *text, size_t length, int height, int width,
                         soloist_error *error) {
    struct reader reader = {.net = net,
                            .error = error,
                            .start = NET_TRUNCATED,
                            .gain = gains[NET_TRUNCATED],
                            .height = height ? height : NET_NOMINAL_SIDE,
                            .width = width ? width : NET_NOMINAL_SIDE,
                            .chosen = height};
    memset(net, 0, sizeof *net);
    bool good = read_lines(&reader, text, length);
    if (good && !(net->text = malloc(length + 1)))
        good = soloist_fail(error, 0, 0, "no memory for the network's description");
    if (!good) {
        net_free(net);
        return false;
    }
    memcpy(net->text, text, length);
    net->text[length] = 0;
    return true;
}

bool net_read(struct net *net, const char *text, size_t length, soloist_error *error) {
    return read_at_size(net, text, length, 0, 0, error);
}

bool net_at_size(const struct net *net, int height, int width, struct net *sized, soloist_error *error) {
    if (height < 1 || height > NET_MOST_SIDE || width < 1 || width > NET_MOST_SIDE)
        return soloist_fail(error, 0, 0, "a network's input cannot be %dx%d", height, width);
    if (!read_at_size(sized, net->text, strlen(net->text), height, width, error))
        return false;
    struct net_shape input = net_input(sized);
    if (input.height == height && input.width == width)
        return true;
    net_free(sized);
    return soloist_fail(error, 0, 0, "the network reads boards of %dx%d, not of %dx%d", input.height, input.width,
                        height, width);
}

bool net_choose_size(struct net *net, int height, int width, soloist_error *error) {
    struct net sized;
    if (!net_at_size(net, height, width, &sized, error))
        return false;
    net_free(net);
    *net = sized;
    return true;
}
