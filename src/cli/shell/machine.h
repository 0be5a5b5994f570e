/* The description of the machine on a page of results. */
#ifndef CLI_SHELL_MACHINE_H
#define CLI_SHELL_MACHINE_H

#include <stddef.h>

/* Writes a text such as "2 cores of Intel Xeon ..., x86_64, Linux", for people who compare times. */
void machine_describe(char *text, size_t room);

/* Called if several ranks share this machine: from now on batch_cores returns `cores`, and batch_free_memory returns
 * the free memory divided by `parts`. */
void machine_share(int cores, int parts);

#endif
