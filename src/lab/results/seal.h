/* Each row of the store has a seal, a hash of all its other columns, so that an altered row is detected. */
#ifndef LAB_RESULTS_SEAL_H
#define LAB_RESULTS_SEAL_H

#include "lab/results/store.h"

/* A table, and the columns that the seals of its rows cover. The third version of the store has fewer columns: `former`
 * lists them, and `upgraded` is an SQL expression for each column of this version. */
struct seal_table {
    const char *name, *key, *columns, *former, *upgraded;
};
extern const struct seal_table seal_tables[];
enum { SEAL_TABLES = 6 };

/* Adds two SQL functions: seal_of(...), the hash of its arguments, and text_identity(domain, options, text), the
 * identity of an instance that was not parsed. */
bool seal_add_functions(const struct store *store, soloist_error *error);
/* From now on every row written through this store is sealed. */
bool seal_add_triggers(const struct store *store, soloist_error *error);
/* Seals all rows and all table definitions of a store that was just created or upgraded. */
bool seal_all(const struct store *store, soloist_error *error);
/* Reads and checks the whole store. present: it has the columns of this version, not those of the third. *what (room
 * for 80 characters): what was altered; "" if nothing was. False: the store could not be read to the end. */
bool seal_check(const struct store *store, bool present, char *what, soloist_error *error);

#endif
