/* Hash functions for texts. The hashes are stored; therefore a text has the same hash on every machine and in every
 * version. */
#ifndef LAB_RUN_SEAL_TEXT_H
#define LAB_RUN_SEAL_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Prefix of the key of an instance that is identified by a hash of its text. */
#define SEAL_BY_TEXT "text:"

uint64_t seal_text(const void *bytes, size_t length);
/* The hash of three texts; results/seal.c computes the same as an SQL function. */
uint64_t seal_of_texts(const char *a, const char *b, const char *c);

#endif
