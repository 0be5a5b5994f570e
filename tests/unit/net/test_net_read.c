/* Descriptions of networks: shapes and parameters, the documents' networks, refusals that point at the place, and how
 * networks start. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include "net/net.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_text(struct net *net, const char *text) {
    soloist_error error = {0};
    if (!net_read(net, text, strlen(text), &error))
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
}

static void read_named(struct net *net, const char *name) {
    char path[512], text[8192];
    snprintf(path, sizeof path, SOLOIST_SOURCE "/data/networks/%s.net", name);
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = 0;
    fclose(stream);
    read_text(net, text);
}

static void shapes_follow_the_lines(void **state) {
    (void)state;
    struct net net;
    read_text(&net, "# a comment\n\ninput 3x10x9 # planes\nconv 8 3x2 pad 1 stride 2 relu\r\nmark a\n"
                    "\tconv 8 1x1\nadd a elu\npool\nlinear 7\npolicy");
    assert_int_equal(net.count, 5);
    const struct net_layer *conv = &net.layers[1];
    assert_string_equal(conv->name, "conv1");
    assert_int_equal(conv->out.channels, 8);
    assert_int_equal(conv->out.height, 5);
    assert_int_equal(conv->out.width, 5);
    assert_int_equal(conv->weight_count, 8 * 3 * 3 * 2);
    assert_int_equal(net.layers[3].kind, NET_ADD);
    assert_int_equal(net.layers[3].from, 2);
    assert_int_equal(net.layers[3].other, 1);
    assert_int_equal(net.layers[4].out.height, 1);
    assert_int_equal(net.layers[5].weight_count, 56);
    assert_int_equal(net.parameters, 144 + 8 + 64 + 8 + 56 + 7);
    assert_int_equal(net_actions(&net), 7);
    assert_int_equal(net.value, 0);
    assert_true(net_multiplications(&net) == 144 * 25 + 64 * 25 + 56);
    net_free(&net);
}

static void the_documents_networks_have_their_parameters(void **state) {
    (void)state;
    static const struct {
        const char *name;
        size_t parameters;
        int actions;
        bool value;
    } rows[] = {
        {"samegame-paper-policy-7", 459569, 49, false},
        {"samegame-paper-policy-10", 790820, 100, false},
        {"samegame-paper-policy-15", 2814945, 225, false},
        {"samegame-paper-policy-value-7", 389042, 49, true},
        {"samegame-paper-policy-value-15", 394850, 225, true},
        {"samegame-small-15", 1238881, 225, false},
        {"samegame-medium-15", 2510945, 225, false},
        {"samegame-large-15", 4981217, 225, false},
        {"samegame-residual-15", 852401, 225, false},
        {"sokoban-imitation", 1258661, 4, true},
        {"sokoban-actor-critic", 1258661, 4, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct net net;
        read_named(&net, rows[i].name);
        assert_int_equal(net.parameters, rows[i].parameters);
        assert_int_equal(net_actions(&net), rows[i].actions);
        assert_int_equal(net.value != 0, rows[i].value);
        net_free(&net);
    }
    struct net net;
    read_named(&net, "samegame-paper-policy-15");
    assert_true(fabs(2e-9 * net_multiplications(&net) - 0.2) < 0.001);
    net_free(&net);
}

static void refusals_say_where(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int line, column;
        const char *says;
    } rows[] = {
        {"", 1, 1, "the network has neither a policy nor a value"},
        {"conv 3 3x3\n", 1, 1, "expected input, which must come first, not 'conv'"},
        {"input 3x4\n", 1, 7, "expected planes x height x width such as 6x15x15, not '3x4'"},
        {"input 3x4x5x6\n", 1, 7, "expected planes x height x width such as 6x15x15, not '3x4x5x6'"},
        {"input 0x4x5\n", 1, 7, "expected planes x height x width such as 6x15x15, not '0x4x5'"},
        {"input 3x4x99999999\n", 1, 7, "expected planes x height x width such as 6x15x15, not '3x4x99999999'"},
        {"input 3x4x5\ninput 3x4x5\n", 2, 1, "a network has only one input"},
        {"input 3x4x5\ndense 3\n", 2, 1,
         "expected init, colour, sprites, picture, conv, linear, pool, at, mark, from, add, policy or value, not "
         "'dense'"},
        {"input 3x4x5\nconv 3\n", 2, 7, "expected a kernel such as 3x3, at most 31x31 at the end of the line"},
        {"input 3x4x5\nconv 3 7x7\n", 2, 1, "the kernel 7x7 is larger than its input, 4x5"},
        {"input 3x4x5\nconv 3 3x3 pad\n", 2, 15, "expected a padding from 0 to 30 at the end of the line"},
        {"input 3x4x5\nconv 3 3x3 stride 0\n", 2, 19, "expected a stride from 1 to 30, not '0'"},
        {"input 3x4x5\nconv 3 3x3 tanh\n", 2, 12, "expected elu, relu or the end of the line, not 'tanh'"},
        {"input 3x4x5\nlinear 5 elu 3\n", 2, 14, "expected elu, relu or the end of the line, not '3'"},
        {"input 3x4x5\nlinear -5\n", 2, 8, "expected the number of units, 1 to 65536, not '-5'"},
        {"input 3x4x5\nfrom here\n", 2, 6, "expected a name that was marked before, not 'here'"},
        {"input 3x4x5\nmark a\n", 2, 1, "the input itself cannot be marked"},
        {"input 3x4x5\nlinear 5\nmark a\nlinear 6\nadd a\n", 5, 1, "5x1x1 cannot be added to 6x1x1"},
        {"input 3x4x5\nconv 5 1x1\npool\nfrom a\n", 4, 6, "expected a name that was marked before, not 'a'"},
        {"input 3x4x5\npolicy\n", 2, 1, "the policy must be the output of a linear layer or of a convolution"},
        {"input 3x4x5\nconv 1 1x1\nvalue\n", 3, 1, "the value must be the output of a linear layer"},
        {"input 3x4x5\nlinear 5\nvalue\n", 3, 1, "the value is one number, not 5"},
        {"input 3x4x5\nlinear 1\nvalue\nvalue\n", 4, 1, "a network has only one value"},
        {"input 3x4x5\nlinear 5\nlinear 6\npolicy\nlinear 7\n", 5, 1, "no output depends on this layer"},
        {"input 3x4x5\ninit random\n", 2, 6, "expected truncated, glorot, uniform, orthogonal or zero, not 'random'"},
        {"input 3x4x5\ninit zero 1e3\n", 2, 11, "expected a number such as 2 or 0.01, not '1e3'"},
        {"input 1024x1024x1024\nlinear 1\nvalue\n", 2, 1, "the network would have more than 1000000000 parameters"},
        {"input 1x1x1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n", 1, 53, "the line has too many words"},
        {"input 3x4x5\npool\n", 2, 1, "the input cannot be pooled before the first layer"},
        {"input 3x?x5\n", 1, 7, "expected planes x height x width such as 6x15x15, not '3x?x5'"},
        {"input 3x?x?\nconv 2 1x1\nlinear 3\n", 3, 1,
         "a linear layer needs an input of a fixed size: pool it first, or take it at a plane"},
        {"input 3x?x?\nconv 1 10x10\nvalue\n", 3, 1, "the value must be the output of a linear layer"},
        {"input 3x4x5\nat 1\n", 2, 1, "the input cannot be read at a plane before the first layer"},
        {"input 3x4x5\nconv 2 1x1\nat 4\n", 3, 4, "expected the number of an input plane, from 1, not '4'"},
        {"input 3x4x5\nconv 2 3x3\nat 1\n", 3, 1, "the layer has 2x3 cells, but the input has 4x5"},
        {"input 2x4x5\ncolour ab 1 1 1\n", 2, 8, "expected a letter that stands for the colour, not 'ab'"},
        {"input 2x4x5\ncolour a 1 2 1\n", 2, 12, "expected red, green and blue, each from 0 to 1, not '2'"},
        {"input 2x4x5\ncolour a 1 1\n", 2, 13, "expected red, green and blue, each from 0 to 1 at the end of the line"},
        {"input 2x4x5\nconv 2 1x1\nsprites 2\n", 3, 1, "sprites must be the first layer, over at most 8 planes"},
        {"input 9x4x5\nsprites 2\n", 2, 1, "sprites must be the first layer, over at most 8 planes"},
        {"input 2x4x5\nsprites 17\n", 2, 9, "expected the side of a picture, 1 to 16, not '17'"},
        {"input 2x4x5\npicture 01 a\n", 2, 1, "pictures belong after sprites"},
        {"input 2x4x5\nsprites 1\npicture 012 a\n", 3, 9,
         "expected a 0 or 1 for each input plane, such as 0011, not '012'"},
        {"input 2x4x5\nsprites 1\npicture 01 a\n", 3, 12, "expected letters that stand for colours, not 'a'"},
        {"input 2x4x5\ncolour a 1 1 1\nsprites 2\npicture 01 aa\n", 4, 14,
         "expected as many rows as a picture is high, with a letter per pixel at the end of the line"},
        {"input 2x4x5\nsprites 1\nlinear 3\n", 3, 1, "only a convolution can read sprites"},
        {"input 8x64x64\nsprites 16\nconv 128 16x16\n", 3, 1,
         "the table of this convolution over sprites would be too large"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct net net;
        soloist_error error = {0};
        assert_false(net_read(&net, rows[i].text, strlen(rows[i].text), &error));
        assert_string_equal(error.text, rows[i].says);
        assert_int_equal(error.line, rows[i].line);
        assert_int_equal(error.column, rows[i].column);
        assert_null(net.text);
    }
}

/* The same layers, parameters and text; only the shapes follow the size. */
static void zero_bytes_are_refused(void **state) {
    static const char text[] = "input 3x4x5\nlinear 5 # \0\npolicy\n";
    struct net net;
    soloist_error error;
    (void)state;
    assert_false(net_read(&net, text, sizeof text - 1, &error));
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 12);
}

static void any_size_becomes_a_size(void **state) {
    (void)state;
    const char *any = "input 4x?x?\nconv 8 3x3 pad 1 elu\nmark a\nconv 4 1x1\npolicy\nfrom a\nat 4\nlinear 1\nvalue\n";
    const char *fixed =
        "input 4x7x9\nconv 8 3x3 pad 1 elu\nmark a\nconv 4 1x1\npolicy\nfrom a\nat 4\nlinear 1\nvalue\n";
    struct net net, sized, right;
    soloist_error error = {0};
    read_text(&net, any);
    read_text(&right, fixed);
    assert_true(net_is_any_size(&net) && !net_is_any_size(&right));
    assert_int_equal(net.parameters, right.parameters);
    assert_true(net_at_size(&net, 7, 9, &sized, &error));
    assert_false(net_is_any_size(&sized));
    assert_string_equal(sized.text, any);
    assert_int_equal(net_actions(&sized), 4 * 7 * 9);
    for (int i = 0; i <= right.count; i++)
        assert_true(!memcmp(&sized.layers[i].out, &right.layers[i].out, sizeof right.layers[i].out) &&
                    sized.layers[i].weight == right.layers[i].weight && sized.layers[i].bias == right.layers[i].bias);
    net_free(&sized);
    assert_true(net_at_size(&right, 7, 9, &sized, &error));
    net_free(&sized);
    assert_false(net_at_size(&right, 9, 7, &sized, &error));
    assert_string_equal(error.text, "the network reads boards of 7x9, not of 9x7");
    assert_false(net_at_size(&net, 0, 7, &sized, &error));
    assert_true(net_choose_size(&net, 3, 3, &error) && net_actions(&net) == 36);
    net_free(&net), net_free(&right);
}

/* ---- how networks start ---- */

static double deviation(const float *numbers, size_t count, double *most) {
    double sum = 0;
    *most = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)numbers[i] * (double)numbers[i];
        *most = fmax(*most, fabs((double)numbers[i]));
    }
    return sqrt(sum / (double)count);
}

static void draws_have_the_deviations_they_should(void **state) {
    (void)state;
    struct net net;
    double most;
    read_text(&net, "input 16x8x8\nconv 40 3x3 pad 1\ninit glorot\nlinear 30\ninit uniform 3\nlinear 300\ninit zero\n"
                    "linear 2\npolicy\n");
    float *parameters = malloc(net.parameters * sizeof *parameters);
    assert_true(net_initialise(&net, 3, parameters));
    double got = deviation(parameters, net.layers[1].weight_count, &most), right = sqrt(2.0 / 144);
    assert_true(fabs(got / right - 1) < 0.03 && most <= 2 * right / 0.8796 && most > 1.9 * right / 0.8796);
    got = deviation(parameters + net.layers[2].weight, net.layers[2].weight_count, &most);
    right = sqrt(6.0 / (2560 + 30));
    assert_true(fabs(got / (right / sqrt(3)) - 1) < 0.03 && most <= right && most > 0.99 * right);
    got = deviation(parameters + net.layers[3].weight, net.layers[3].weight_count, &most);
    right = 3 / sqrt(30);
    assert_true(fabs(got / (right / sqrt(3)) - 1) < 0.03 && most <= right && most > 0.99 * right);
    got = deviation(parameters + net.layers[4].weight, net.layers[4].weight_count, &most);
    assert_true(got == 0);
    for (int i = 1; i <= net.count; i++)
        for (size_t k = 0; k < net.layers[i].bias_count; k++)
            assert_true(parameters[net.layers[i].bias + k] == 0);
    free(parameters);
    net_free(&net);
}

static void orthogonal_rows_or_columns(void **state) {
    (void)state;
    struct net net;
    read_text(&net, "input 3x4x4\ninit orthogonal 0.5\nlinear 20\nlinear 50\npolicy\n");
    float *parameters = malloc(net.parameters * sizeof *parameters);
    assert_true(net_initialise(&net, 3, parameters));
    for (int layer = 1; layer <= 2; layer++) { /* 20 rows of 48, then 20 columns of 50 */
        const float *w = parameters + net.layers[layer].weight;
        int length = layer == 1 ? 48 : 50, next = layer == 1 ? 48 : 1, step = layer == 1 ? 1 : 20;
        for (int i = 0; i < 20; i++)
            for (int j = 0; j <= i; j++) {
                double dot = 0;
                for (int k = 0; k < length; k++)
                    dot += (double)w[i * next + k * step] * (double)w[j * next + k * step];
                assert_true(fabs(dot - (i == j ? 0.25 : 0)) < 1e-6);
            }
    }
    free(parameters);
    net_free(&net);
}

/* The bits are the same on every machine: bench and runs from a seed rest on it. */
static void a_seed_gives_the_same_bits(void **state) {
    (void)state;
    struct net net;
    read_text(&net, "input 2x4x4\nconv 4 3x3 elu\ninit orthogonal\nlinear 3\npolicy\n");
    float *parameters = calloc(net.parameters, sizeof *parameters), *again = calloc(net.parameters, sizeof *again);
    assert_true(net_initialise(&net, 5, parameters) && net_initialise(&net, 5, again));
    assert_memory_equal(parameters, again, net.parameters * sizeof *again);
    assert_true(hash_bytes(parameters, net.parameters * sizeof *parameters) == UINT64_C(0x92f74914fafec074));
    assert_true(net_initialise(&net, 6, again));
    assert_memory_not_equal(parameters, again, net.parameters * sizeof *again);
    free(parameters), free(again);
    net_free(&net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_follow_the_lines),
        cmocka_unit_test(the_documents_networks_have_their_parameters),
        cmocka_unit_test(any_size_becomes_a_size),
        cmocka_unit_test(refusals_say_where),
        cmocka_unit_test(zero_bytes_are_refused),
        cmocka_unit_test(draws_have_the_deviations_they_should),
        cmocka_unit_test(orthogonal_rows_or_columns),
        cmocka_unit_test(a_seed_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
