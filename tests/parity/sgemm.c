/* The processor's matrix products beside OpenBLAS's: the same numbers, and with --speed the rates of both, and of the
 * SameGame document's network, on one thread. The exit status carries the verdict. */
#include "base/budget.h"
#include "net/back_end.h"
#include "net/cpu/kernel.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void openblas_set_num_threads(int threads);
char *openblas_get_corename(void);

struct matrices {
    int rows, columns, depth;
    float *a, *b, *packed, *ours, *theirs;
    struct cpu_product product;
};

static float *draw(size_t count, uint64_t seed) {
    float *numbers = malloc(count * sizeof *numbers);
    soloist_rng rng;
    soloist_rng_seed(&rng, seed, 0);
    for (size_t i = 0; numbers && i < count; i++)
        numbers[i] = (float)(2 * soloist_rng_unit(&rng) - 1);
    return numbers;
}

static struct matrices open_matrices(int rows, int columns, int depth) {
    struct matrices m = {.rows = rows, .columns = columns, .depth = depth};
    m.a = draw((size_t)(rows * depth), 1);
    m.b = draw((size_t)(depth * columns), 2);
    m.packed = draw((size_t)(depth * columns), 3);
    m.ours = draw((size_t)(rows * columns), 4);
    m.theirs = draw((size_t)(rows * columns), 5);
    m.product = (struct cpu_product){.rows = rows,
                                     .columns = columns,
                                     .depth = depth,
                                     .a = m.a,
                                     .a_row = depth,
                                     .a_step = 1,
                                     .b = m.packed,
                                     .c = m.ours,
                                     .c_row = columns};
    return m;
}

static void close_matrices(struct matrices *m) {
    free(m->a), free(m->b), free(m->packed), free(m->ours), free(m->theirs);
}

static void ours(const struct cpu_kernel *kernel, struct matrices *m) { kernel->product(&m->product); }

static void theirs(const struct cpu_kernel *kernel, struct matrices *m) {
    (void)kernel;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m->rows, m->columns, m->depth, 1, m->a, m->depth, m->b,
                m->columns, 0, m->theirs, m->columns);
}

/* GFLOP a second, the best of several rounds. */
static double rate(void (*work)(const struct cpu_kernel *, struct matrices *), const struct cpu_kernel *kernel,
                   struct matrices *m) {
    double flop = 2.0 * m->rows * m->columns * m->depth, best = 0;
    int repeats = 1 + (int)(2e8 / flop);
    for (int round = 0; round < 8; round++) {
        double start = clock_cpu_seconds();
        for (int i = 0; i < repeats; i++)
            work(kernel, m);
        best = fmax(best, flop * repeats / (clock_cpu_seconds() - start));
    }
    return best * 1e-9;
}

static bool compare(const struct cpu_kernel *kernel, const int size[3], bool speed) {
    struct matrices m = open_matrices(size[0], size[1], size[2]);
    double worst = 0;
    cpu_pack(kernel, m.b, m.columns, 1, m.depth, m.columns, m.packed);
    ours(kernel, &m);
    theirs(kernel, &m);
    for (int i = 0; i < m.rows * m.columns; i++)
        worst = fmax(worst, fabs((double)m.ours[i] - (double)m.theirs[i]));
    bool good = worst < 2e-6 * (4 + sqrt(m.depth));
    printf("%-8s %5d x %4d x %5d  off by %.1e%s", kernel->name, m.rows, m.columns, m.depth, worst,
           good ? "" : "  WRONG");
    if (speed)
        printf("  %6.1f GFLOP/s, OpenBLAS %6.1f", rate(ours, kernel, &m), rate(theirs, kernel, &m));
    printf("\n");
    close_matrices(&m);
    return good;
}

/* The network itself, against OpenBLAS's rate on large matrices. */
static void network_speed(const char *path) {
    static char text[8192];
    struct net net;
    FILE *stream = fopen(path, "rb");
    size_t length = stream ? fread(text, 1, sizeof text, stream) : 0;
    if (stream)
        fclose(stream);
    if (!net_read(&net, text, length, NULL))
        return;
    enum { batch = 64 };
    struct net_runner *runner = net_cpu.open(&net, &(struct net_runner_options){.batch = batch}, NULL);
    float *parameters = draw(net.parameters, 6), *planes = draw(batch * net_shape_size(net_input(&net)), 7);
    float *logits = malloc(sizeof(float) * batch * (size_t)net_actions(&net));
    for (size_t i = 0; i < net.parameters; i++)
        parameters[i] *= 0.05f;
    net_cpu.set(runner, parameters, NULL);
    struct matrices large = open_matrices(1024, 1024, 1024);
    for (int count = 1; count <= batch; count *= 8) {
        double best = 0;
        for (int round = 0; round < 8; round++) {
            double start = clock_cpu_seconds();
            for (int i = 0; i < batch; i += count)
                net_cpu.forward(runner, planes, count, logits, NULL, NULL);
            best = fmax(best, batch / (clock_cpu_seconds() - start));
        }
        double blas = rate(theirs, NULL, &large);
        printf("batch %2d: %.0f positions/s, %.0f GFLOP/s of plain convolution, %.2f times OpenBLAS's %.0f\n", count,
               best, 2e-9 * net_multiplications(&net) * best, 2e-9 * net_multiplications(&net) * best / blas, blas);
    }
    close_matrices(&large);
    free(parameters), free(planes), free(logits);
    net_cpu.close(runner);
    net_free(&net);
}

int main(int count, char **words) {
    static const int sizes[][3] = {{289, 64, 576}, {25, 64, 64}, {56, 64, 64}, {16, 240, 10816}, {576, 64, 289}};
    bool speed = count > 1 && !strcmp(words[1], "--speed"), good = true;
    openblas_set_num_threads(1);
    printf("OpenBLAS takes this processor for %s\n", openblas_get_corename());
    for (int variant = 0; variant < CPU_VARIANTS; variant++)
        for (size_t i = 0; cpu_kernel_variant(variant) && i < sizeof sizes / sizeof *sizes; i++)
            good &= compare(cpu_kernel_variant(variant), sizes[i], speed);
    if (speed)
        network_speed(SOLOIST_SOURCE "/data/networks/samegame-paper-policy-15.net");
    printf("%d passed, %d failed\n", good, !good);
    return good ? 0 : 1;
}
