/* Makes one allocation of a test program fail, or all from one on, again and again in one process, also under the
 * address sanitizer. The program is linked with this file's object and --wrap (tests/CMakeLists.txt). What libraries
 * allocate is not counted. */
#ifndef TESTS_FAULT_WRAP_ALLOC_H
#define TESTS_FAULT_WRAP_ALLOC_H

#include <stdbool.h>
#include <stdint.h>

/* Counts from now on; the allocation with this number fails, and with for_good all later ones. 0: none fails. */
void wrap_alloc_begin(uint64_t number, bool for_good);
/* No allocation fails any more. Returns how many there were since the beginning. */
uint64_t wrap_alloc_end(void);

#endif
