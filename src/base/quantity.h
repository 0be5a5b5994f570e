/* Reads numbers as people type them: 1e6, 20k, 3M; 90, 1.5m, 2h; 500M, 2GiB. Each function reads a whole text; false if
 * the text is not such a number. */
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
