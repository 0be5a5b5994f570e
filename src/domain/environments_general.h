/* The general version of environments, for every domain with the groups core and learn. */
#ifndef DOMAIN_ENVIRONMENTS_GENERAL_H
#define DOMAIN_ENVIRONMENTS_GENERAL_H

#include "soloist_extra.h"

/* Its functions; `suits` and `open` are NULL: boards are opened by general_open. */
extern const soloist_environments environments_general;

/* floats: general_see alone shows the boards; the arrays for observations in the table's functions are then NULL.
 * Returns NULL if there is no memory. */
void *general_open(const soloist_domain *domain, const soloist_episodes *episodes, bool floats);

/* What environments.h says of environments_adopt (except that the puzzle is left to the caller if there is no
 * memory for a level), environments_see and environments_choices. */
bool general_adopt(void *boards, int slot, soloist_puzzle *puzzle, soloist_error *error);
void general_see(const void *boards, int channels, float *planes);
int general_choices(const void *boards, int board, int *actions);

#endif
