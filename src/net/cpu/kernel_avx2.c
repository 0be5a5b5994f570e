/* The kernels for AVX2 with fused multiply-add: sixteen registers of eight floats. */
#if defined(__x86_64__)
#include "net/cpu/kernel.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

#define LANES 8
#define ROWS 6
#define VECTORS 2
#define KERNEL_NAME cpu_kernel_avx2
#define KERNEL_TEXT "avx2"
#include "net/cpu/kernel_body.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#else
typedef int cpu_kernel_avx2_is_for_x86;
#endif
