/* The networks of trainings that runs use: a network is opened once, and runs that use it at the same time share it, so
 * that its evaluations are computed in larger batches. */
#ifndef LAB_RUN_TRAINED_H
#define LAB_RUN_TRAINED_H

#include "soloist_extra.h"

struct trained; /* the open networks */

struct trained *trained_open(void); /* NULL: no memory */
/* No network may be in use. NULL is allowed. */
void trained_close(struct trained *trained);
/* The network in the file, for a puzzle of this domain. NULL with an error. Any thread may call it. If `trained` is
 * NULL, a network is opened for this use alone. */
soloist_network *trained_borrow(struct trained *trained, const soloist_domain *domain, const char *path,
                                soloist_error *error);
/* Ends one use of a network. Any thread may call it. */
void trained_return(struct trained *trained, soloist_network *network);

#endif
