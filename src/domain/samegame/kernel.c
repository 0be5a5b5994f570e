/* Chooses the kernel for this machine. */
#include "domain/samegame/kernel.h"

const struct samegame_kernel *samegame_kernel_variant(int variant, bool wide, int planes) {
    if (variant == 0)
        return &samegame_kernels_portable[wide][planes - 3];
#if defined(__x86_64__)
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    if (variant == 1 && avx2)
        return &samegame_kernels_avx2[wide][planes - 3];
    if (variant == 2 && avx2 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        return &samegame_kernels_avx512[wide][planes - 3];
#endif
    return NULL;
}

const struct samegame_kernel *samegame_kernel_best(bool wide, int planes) {
    const struct samegame_kernel *best = NULL;
    for (int variant = 0; variant < SAMEGAME_VARIANTS; variant++) {
        const struct samegame_kernel *kernel = samegame_kernel_variant(variant, wide, planes);
        best = kernel ? kernel : best;
    }
    return best;
}
