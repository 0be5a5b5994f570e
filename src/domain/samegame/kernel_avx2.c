/* The kernels for AVX2 and BMI2: a plane is one register. */
#if defined(__x86_64__)
#include "domain/samegame/kernel.h"
#include "domain/samegame/key.h"

#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#endif

#define PLANE_VECTOR 32
#define SELECT_HARDWARE
#define KERNEL_NAME samegame_kernels_avx2
#define KERNEL_TEXT "avx2"
#include "domain/samegame/kernel_body.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#else
typedef int samegame_kernel_avx2_is_for_x86;
#endif
