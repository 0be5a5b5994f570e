/* The loops of the kernels, in vectors of LANES floats. A tile of ROWS x VECTORS accumulators fills the registers. For
 * each step of the depth, VECTORS loads of B and ROWS broadcasts of A are used by ROWS x VECTORS multiply-adds (Goto
 * and van de Geijn 2008; here A is small enough to be read unpacked). The including file defines LANES, ROWS, VECTORS,
 * KERNEL_NAME and KERNEL_TEXT, and selects the instruction set. */
#include <stdint.h>
#include <string.h>

typedef float vector __attribute__((vector_size(LANES * 4)));
typedef int32_t integers __attribute__((vector_size(LANES * 4)));
typedef float loose __attribute__((vector_size(LANES * 4), aligned(4), may_alias));

#define ALWAYS static inline __attribute__((always_inline))
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif
#define WIDTH (LANES * VECTORS)
#define DEPTH_BLOCK 256 /* depth of a block of B's panel, chosen so that the block stays in the first-level cache */
#define ROW_BLOCK 240   /* number of rows of A in a block, chosen so that they stay in the second-level cache */

ALWAYS vector load(const float *at) { return *(const loose *)at; }
ALWAYS void store(float *at, vector value) { *(loose *)at = value; }

/* e^x - 1 for x <= 0, computed as in real_exp_floats (base/real.h). */
ALWAYS vector exp_less_one(vector x) {
    const float rounder = 0x1.8p23f;
    integers low = x < -80.0f;
    x = (vector)((low & (integers)(x * 0 - 80.0f)) | (~low & (integers)x));
    vector k = (x * 0x1.715476p+0f + rounder) - rounder;
    vector r = (x - k * 0x1.62e4p-1f) - k * 0x1.7f7d1cp-20f, r2 = r * r;
    vector e = 1.0f / 24 + r * (1.0f / 120) + r2 * (1.0f / 720 + r * (1.0f / 5040));
    e = r + r2 * (0.5f + r * (1.0f / 6) + r2 * e); /* e^r - 1 */
    vector power = (vector)((__builtin_convertvector(k, integers) + 127) << 23);
    return e * power + (power - 1.0f);
}

ALWAYS vector activate(enum net_activation activation, vector x) {
    if (activation == NET_NO_ACTIVATION)
        return x;
    integers positive = x > 0.0f;
    vector above = (vector)(positive & (integers)x);
    if (activation == NET_RELU)
        return above;
    return above + exp_less_one((vector)(~positive & (integers)x));
}

/* ---- matrix products ---- */

/* The operands of one tile. */
struct place {
    const float *a, *b;
    ptrdiff_t a_row, a_step;
    int depth;
    float *c;
    ptrdiff_t c_row;
    bool add;
    const float *bias;
    enum net_activation activation;
};

ALWAYS void finish_row(const struct place *place, int row, const int vectors, const vector *sums) {
    float *c = place->c + row * place->c_row;
    UNROLL for (int j = 0; j < vectors; j++) {
        vector sum = sums[j];
        if (place->add)
            sum += load(c + j * LANES);
        if (place->bias)
            sum += load(place->bias + j * LANES);
        store(c + j * LANES, activate(place->activation, sum));
    }
}

/* Every caller passes constants for `rows` and `vectors`, so that every sum stays in a register. */
ALWAYS void tile(const int rows, const int vectors, const struct place *place) {
    vector sums[ROWS][VECTORS];
    const float *a = place->a, *b = place->b;
    UNROLL for (int i = 0; i < rows; i++) UNROLL for (int j = 0; j < vectors; j++) sums[i][j] = (vector){0};
    for (int k = 0; k < place->depth; k++, a += place->a_step, b += vectors * LANES) {
        vector right[VECTORS];
        UNROLL for (int j = 0; j < vectors; j++) right[j] = load(b + j * LANES);
        UNROLL for (int i = 0; i < rows; i++) {
            float left = a[i * place->a_row];
            UNROLL for (int j = 0; j < vectors; j++) sums[i][j] += left * right[j];
        }
    }
    UNROLL for (int i = 0; i < rows; i++) finish_row(place, i, vectors, sums[i]);
}

#define TILE_CASE(n)                                                                                                   \
    case n: tile(n, vectors, place); break;
ALWAYS void tile_of(int rows, const int vectors, const struct place *place) {
    switch (rows) {
        TILE_CASE(1)
        TILE_CASE(2)
        TILE_CASE(3)
        TILE_CASE(4)
        TILE_CASE(5)
        TILE_CASE(6)
#if ROWS > 6
        TILE_CASE(7) TILE_CASE(8) TILE_CASE(9) TILE_CASE(10) TILE_CASE(11) TILE_CASE(12) TILE_CASE(13) TILE_CASE(14)
#endif
    }
}
#undef TILE_CASE

static void whole_tile(int rows, const struct place *place) { tile_of(rows, VECTORS, place); }
#if WIDTH > CPU_CHANNELS
static void narrow_tile(int rows, const struct place *place) { tile_of(rows, CPU_CHANNELS / LANES, place); }
#endif

/* Computes all tiles of the rows row .. row + rows - 1, for one block of the depth. */
static void product_block(const struct cpu_product *product, int row, int rows, int step, int depth) {
    bool last = step + depth == product->depth;
    for (int column = 0; column < product->columns; column += WIDTH) {
        int width = product->columns - column < WIDTH ? product->columns - column : WIDTH;
        struct place place = {
            .b = product->b + (ptrdiff_t)column * product->depth + (ptrdiff_t)step * width,
            .a_row = product->a_row,
            .a_step = product->a_step,
            .depth = depth,
            .c_row = product->c_row,
            .add = product->add || step,
            .bias = last && product->bias ? product->bias + column : NULL,
            .activation = last ? product->activation : NET_NO_ACTIVATION,
        };
        for (int i = row; i < row + rows; i += ROWS) {
            int left = row + rows - i, take = left < ROWS ? left : ROWS;
            if (left > ROWS && left < 2 * ROWS)
                take = (left + 1) / 2; /* two parts of similar size, not a full part and a small rest */
            place.a = product->a + i * product->a_row + step * product->a_step;
            place.c = product->c + i * product->c_row + column;
#if WIDTH > CPU_CHANNELS
            if (width < WIDTH)
                narrow_tile(take, &place);
            else
#endif
                whole_tile(take, &place);
            i -= ROWS - take;
        }
    }
}

static void kernel_product(const struct cpu_product *product) {
    for (int row = 0; row < product->rows; row += ROW_BLOCK) {
        int rows = product->rows - row < ROW_BLOCK ? product->rows - row : ROW_BLOCK;
        for (int step = 0; step < product->depth; step += DEPTH_BLOCK) {
            int depth = product->depth - step < DEPTH_BLOCK ? product->depth - step : DEPTH_BLOCK;
            product_block(product, row, rows, step, depth);
        }
    }
}

/* ---- Winograd's transforms ---- */

/* Computes B^T x for six numbers, with Winograd's matrix B. */
ALWAYS void spread_six(const vector x[6], vector y[6]) {
    vector a = x[4] - 4.0f * x[2], b = x[3] - 4.0f * x[1], c = x[4] - x[2], d = 2.0f * (x[3] - x[1]);
    y[0] = 4.0f * x[0] - 5.0f * x[2] + x[4];
    y[1] = a + b;
    y[2] = a - b;
    y[3] = c + d;
    y[4] = c - d;
    y[5] = 4.0f * x[1] - 5.0f * x[3] + x[5];
}

/* Computes A^T x, with Winograd's matrix A: six numbers become four. */
ALWAYS void gather_four(const vector x[6], vector y[4]) {
    vector a = x[1] + x[2], b = x[1] - x[2], c = x[3] + x[4], d = x[3] - x[4];
    y[0] = x[0] + a + c;
    y[1] = b + 2.0f * d;
    y[2] = a + 4.0f * c;
    y[3] = b + 8.0f * d + x[5];
}

ALWAYS void spread_tile(const float *const cells[36], int channel, float *to, ptrdiff_t point) {
    vector half[6][6]; /* [column][transformed row] */
    UNROLL for (int c = 0; c < 6; c++) {
        vector column[6];
        UNROLL for (int r = 0; r < 6; r++) column[r] = load(cells[r * 6 + c] + channel);
        spread_six(column, half[c]);
    }
    UNROLL for (int r = 0; r < 6; r++) {
        vector row[6], whole[6];
        UNROLL for (int c = 0; c < 6; c++) row[c] = half[c][r];
        spread_six(row, whole);
        UNROLL for (int c = 0; c < 6; c++) store(to + (r * 6 + c) * point, whole[c]);
    }
}

static void kernel_winograd_input(const struct cpu_winograd *task) {
    for (int t = 0; t < task->count; t++) {
        int top = (task->first + t) / task->tiles_across * 4 - task->pad;
        int left = (task->first + t) % task->tiles_across * 4 - task->pad;
        const float *cells[36];
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < 6; c++) {
                int y = top + r, x = left + c;
                bool inside = y >= 0 && y < task->in_height && x >= 0 && x < task->in_width;
                cells[r * 6 + c] =
                    inside ? task->in + ((ptrdiff_t)y * task->in_width + x) * task->in_channels : task->zeros;
            }
        for (int channel = 0; channel < task->in_channels; channel += LANES)
            spread_tile(cells, channel, task->spread + (ptrdiff_t)t * task->in_channels + channel, task->point);
    }
}

ALWAYS void gather_tile(const float *from, ptrdiff_t point, vector out[4][4]) {
    vector half[6][4]; /* [column][transformed row] */
    UNROLL for (int c = 0; c < 6; c++) {
        vector column[6];
        UNROLL for (int r = 0; r < 6; r++) column[r] = load(from + (r * 6 + c) * point);
        gather_four(column, half[c]);
    }
    UNROLL for (int r = 0; r < 4; r++) {
        vector row[6];
        UNROLL for (int c = 0; c < 6; c++) row[c] = half[c][r];
        gather_four(row, out[r]);
    }
}

static void kernel_winograd_output(const struct cpu_winograd *task) {
    const int channels = task->out_channels;
    for (int t = 0; t < task->count; t++) {
        int top = (task->first + t) / task->tiles_across * 4, left = (task->first + t) % task->tiles_across * 4;
        int high = task->out_height - top < 4 ? task->out_height - top : 4;
        int wide = task->out_width - left < 4 ? task->out_width - left : 4;
        for (int channel = 0; channel < channels; channel += LANES) {
            vector out[4][4], bias = task->bias ? load(task->bias + channel) : (vector){0};
            gather_tile(task->products + (ptrdiff_t)t * channels + channel, task->point, out);
            for (int r = 0; r < high; r++)
                for (int c = 0; c < wide; c++) {
                    ptrdiff_t at = ((ptrdiff_t)(top + r) * task->out_width + left + c) * channels + channel;
                    vector sum = out[r][c] + bias;
                    store(task->out + at, activate(task->activation, sum));
                }
        }
    }
}

/* Computes A x, with Winograd's matrix A: four numbers become six. */
ALWAYS void spread_four(const vector x[4], vector y[6]) {
    vector even = x[0] + x[2], odd = x[1] + x[3], far_even = x[0] + 4.0f * x[2], far_odd = 2.0f * x[1] + 8.0f * x[3];
    y[0] = x[0];
    y[1] = even + odd;
    y[2] = even - odd;
    y[3] = far_even + far_odd;
    y[4] = far_even - far_odd;
    y[5] = x[3];
}

static void kernel_winograd_gradient(const struct cpu_winograd *task) {
    for (int t = 0; t < task->count; t++) {
        int top = (task->first + t) / task->tiles_across * 4, left = (task->first + t) % task->tiles_across * 4;
        const float *cells[16];
        for (int i = 0; i < 16; i++) {
            int y = top + i / 4, x = left + i % 4;
            cells[i] = y < task->in_height && x < task->in_width
                           ? task->in + ((ptrdiff_t)y * task->in_width + x) * task->in_channels
                           : task->zeros;
        }
        for (int channel = 0; channel < task->in_channels; channel += LANES) {
            float *to = task->spread + (ptrdiff_t)t * task->in_channels + channel;
            vector half[4][6]; /* [column][transformed row] */
            UNROLL for (int c = 0; c < 4; c++) {
                vector column[4];
                UNROLL for (int r = 0; r < 4; r++) column[r] = load(cells[r * 4 + c] + channel);
                spread_four(column, half[c]);
            }
            UNROLL for (int r = 0; r < 6; r++) {
                vector row[4], whole[6];
                UNROLL for (int c = 0; c < 4; c++) row[c] = half[c][r];
                spread_four(row, whole);
                UNROLL for (int c = 0; c < 6; c++) store(to + (r * 6 + c) * task->point, whole[c]);
            }
        }
    }
}

/* ---- tables ---- */

static void kernel_table_sums(const struct cpu_table *task) {
    const struct net_looks *looks = task->looks;
    float *out = task->out;
    for (int i = 0; i < looks->outputs; i++, out += task->columns)
        for (int k = 0; k < task->columns; k += LANES) {
            vector sum = load(task->bias + k);
            for (int32_t at = looks->starts[i]; at < looks->starts[i + 1]; at++) {
                int32_t row = looks->looks[at].part * task->classes + task->class_of[looks->looks[at].cell];
                sum += load(task->table + (ptrdiff_t)row * task->columns + k);
            }
            store(out + k, activate(task->activation, sum));
        }
}

static void kernel_table_add(const struct cpu_table *task) {
    const struct net_looks *looks = task->looks;
    const float *out = task->out;
    for (int i = 0; i < looks->outputs; i++, out += task->columns)
        for (int32_t at = looks->starts[i]; at < looks->starts[i + 1]; at++) {
            int32_t row = looks->looks[at].part * task->classes + task->class_of[looks->looks[at].cell];
            float *to = task->table + (ptrdiff_t)row * task->columns;
            for (int k = 0; k < task->columns; k += LANES)
                store(to + k, load(to + k) + load(out + k));
        }
}

static void kernel_add(enum net_activation activation, const float *a, const float *b, float *out, size_t count) {
    for (size_t i = 0; i < count; i += LANES)
        store(out + i, activate(activation, b ? load(a + i) + load(b + i) : load(a + i)));
}

static void kernel_slope(enum net_activation activation, const float *given, float *gradient, size_t count) {
    for (size_t i = 0; activation != NET_NO_ACTIVATION && i < count; i += LANES) {
        vector y = load(given + i), g = load(gradient + i);
        integers positive = y > 0.0f;
        vector below = activation == NET_ELU ? g * (y + 1.0f) : (vector){0};
        store(gradient + i, (vector)((positive & (integers)g) | (~positive & (integers)below)));
    }
}

const struct cpu_kernel KERNEL_NAME = {
    .name = KERNEL_TEXT,
    .width = WIDTH,
    .product = kernel_product,
    .winograd_input = kernel_winograd_input,
    .winograd_output = kernel_winograd_output,
    .winograd_gradient = kernel_winograd_gradient,
    .table_sums = kernel_table_sums,
    .table_add = kernel_table_add,
    .add = kernel_add,
    .slope = kernel_slope,
};
