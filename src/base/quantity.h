/* Reads numbers in the forms that people type: counts such as 1e6, 20k or 3M; times such as 90, 1.5m or 2h; sizes such
 * as 500M or 2GiB. The whole text must be one such number; otherwise the functions return false. */
#ifndef BASE_QUANTITY_H
#define BASE_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool quantity_real(const char *text, double *value);    /* finite, not negative */
bool quantity_count(const char *text, uint64_t *value); /* k, M, G are powers of 1000 */
bool quantity_seconds(const char *text, double *value); /* s, m, h */
bool quantity_size(const char *text, size_t *value);    /* bytes; K, M, G, T are powers of 1024 */

#endif
