/* The kernels that are compiled in, indexed by [narrow, wide][3 planes, 4 planes]. */
#ifndef DOMAIN_SAMEGAME_KERNEL_H
#define DOMAIN_SAMEGAME_KERNEL_H

#include "base/hash.h"
#include "domain/samegame/samegame.h"

#include <string.h>

extern const struct samegame_kernel samegame_kernels_portable[2][2];
#if defined(__x86_64__)
extern const struct samegame_kernel samegame_kernels_avx2[2][2];
extern const struct samegame_kernel samegame_kernels_avx512[2][2];
#endif

#endif
