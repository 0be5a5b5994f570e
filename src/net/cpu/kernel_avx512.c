/* The kernels for AVX-512: thirty-two registers of sixteen floats. */
#if defined(__x86_64__)
#include "net/cpu/kernel.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,avx512f,avx512dq"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512dq")
#endif

#define LANES 16
#define ROWS 14
#define VECTORS 2
#define KERNEL_NAME cpu_kernel_avx512
#define KERNEL_TEXT "avx512"
#include "net/cpu/kernel_body.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#else
typedef int cpu_kernel_avx512_is_for_x86;
#endif
