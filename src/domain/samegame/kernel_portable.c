/* The kernels for any machine: pairs of 128-bit vectors, which are SSE2 on x86-64 and NEON on arm64. */
#include "domain/samegame/kernel.h"

#define PLANE_VECTOR 16
#define KERNEL_NAME samegame_kernels_portable
#define KERNEL_TEXT "portable"
#include "domain/samegame/kernel_body.h"
