/* The kernels for any machine: 128-bit vectors, which are SSE2 on x86-64 (sixteen registers) and NEON on arm64
 * (thirty-two). */
#include "net/cpu/kernel.h"

#define LANES 4
#define ROWS 6
#if defined(__aarch64__)
#define VECTORS 4
#else
#define VECTORS 2
#endif
#define KERNEL_NAME cpu_kernel_portable
#define KERNEL_TEXT "portable"
#include "net/cpu/kernel_body.h"
