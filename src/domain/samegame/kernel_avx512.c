/* The kernels for AVX-512 on 256-bit registers: the same code as for AVX2, compiled with three-operand logic and twice
 * as many registers. */
#if defined(__x86_64__)
#include "domain/samegame/kernel.h"
#include "domain/samegame/key.h"

#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl"))),       \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl")
#endif

#define PLANE_VECTOR 32
#define SELECT_HARDWARE
#define KERNEL_NAME samegame_kernels_avx512
#define KERNEL_TEXT "avx512"
#include "domain/samegame/kernel_body.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#else
typedef int samegame_kernel_avx512_is_for_x86;
#endif
