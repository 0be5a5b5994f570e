/* The general version of environments, for every domain with the groups core and learn. */
#ifndef DOMAIN_ENVIRONMENTS_GENERAL_H
#define DOMAIN_ENVIRONMENTS_GENERAL_H

#include "soloist_extra.h"

/* The functions of the general version. `suits` and `open` are NULL, because boards are opened by general_open. */
extern const soloist_environments environments_general;

/* Opens the boards. floats: if true, only general_see writes observations, and the caller passes NULL for every array
 * of observations to the functions of `environments_general`. Returns NULL if there is no memory. */
void *general_open(const soloist_domain *domain, const soloist_episodes *episodes, bool floats);

/* These functions do what environments.h says of environments_adopt, environments_see and environments_choices. The
 * only difference: if there is no memory for a level, the caller of general_adopt still owns the puzzle. */
bool general_adopt(void *boards, int slot, soloist_puzzle *puzzle, soloist_error *error);
void general_see(const void *boards, int channels, float *planes);
int general_choices(const void *boards, int board, int *actions);

#endif
