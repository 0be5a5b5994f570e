/* Chooses the kernel for this machine, and does the packing that all kernels share. */
#include "net/cpu/kernel.h"

#include <string.h>

const struct cpu_kernel *cpu_kernel_variant(int variant) {
    if (variant == 0)
        return &cpu_kernel_portable;
#if defined(__x86_64__)
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (variant == 1 && avx2)
        return &cpu_kernel_avx2;
    if (variant == 2 && avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        return &cpu_kernel_avx512;
#endif
    return NULL;
}

const struct cpu_kernel *cpu_kernel_best(void) {
    const struct cpu_kernel *best = NULL;
    for (int variant = 0; variant < CPU_VARIANTS; variant++) {
        const struct cpu_kernel *kernel = cpu_kernel_variant(variant);
        best = kernel ? kernel : best;
    }
    return best;
}

void cpu_pack(const struct cpu_kernel *kernel, const float *b, ptrdiff_t b_step, ptrdiff_t b_column, int depth,
              int columns, float *packed) {
    for (int first = 0; first < columns; first += kernel->width) {
        int width = columns - first < kernel->width ? columns - first : kernel->width;
        for (int k = 0; k < depth; k++, packed += width) {
            const float *from = b + k * b_step + first * b_column;
            if (b_column == 1)
                memcpy(packed, from, (size_t)width * sizeof *packed);
            else
                for (int j = 0; j < width; j++)
                    packed[j] = from[j * b_column];
        }
    }
}
