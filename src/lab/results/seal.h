/* Each row of the store has a seal, a hash of all its other columns, so that an altered row is detected. */
#ifndef LAB_RESULTS_SEAL_H
#define LAB_RESULTS_SEAL_H

#include "lab/results/store.h"

enum { SEAL_TABLES = 6, SEAL_LAYOUTS = STORE_VERSION - STORE_FIRST_SEALED + 1, SEAL_PRESENT = SEAL_LAYOUTS - 1 };
/* A table, the columns that identify its rows, and the columns that the seals of its rows cover. The layouts are those
 * of the versions of the store that have seals. `missing`: what an SQL list of a layout's columns lacks to have one
 * expression for each column of this version. */
struct seal_table {
    const char *name, *key, *columns[SEAL_LAYOUTS], *missing[SEAL_LAYOUTS];
};
extern const struct seal_table seal_tables[];

/* Adds two SQL functions: seal_of(...), the hash of its arguments, and text_identity(domain, options, text), the
 * identity of an instance that was not parsed. */
bool seal_add_functions(const struct store *store, soloist_error *error);
/* From now on every row written through this store is sealed. */
bool seal_add_triggers(const struct store *store, soloist_error *error);
/* Seals all rows and all table definitions of a store that was just created or upgraded. */
bool seal_all(const struct store *store, soloist_error *error);
/* Reads and checks the whole store, whose columns are those of the layout. *what (room for 80 characters): what was
 * altered; "" if nothing was. False: the store could not be read to the end. */
bool seal_check(const struct store *store, int layout, char *what, soloist_error *error);

#endif
