/* A network as a program gives it to a search: a file of weights, opened with its options (soloist_network_open). */
#ifndef LEARN_NETWORK_H
#define LEARN_NETWORK_H

#include "learn/predict/predictor.h"

#define NETWORK_BACK_ENDS "auto|cpu|cuda"
#define NETWORK_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                    \
    CHOICE(T, back_end, 0, NETWORK_BACK_ENDS, "what computes the network; auto: the best there is")                    \
    INT(T, seed, 1, 0, 1e15, "of the weights, where FILE is a description (.net) and not trained")                     \
    PREDICTOR_OPTIONS(T, INT, REAL, BOOL, CHOICE)

SOLOIST_OPTIONS(network_options, NETWORK_OPTIONS);

/* Under which name a trained network's file says which domain it is for. */
#define NETWORK_DOMAIN_NOTE "soloist.domain"
/* False with an error: the domain shows nothing to networks, or the file (net/file.h) says that it is for another one.
 * A file that says nothing may be for any; whether it fits then shows by its planes and actions. */
bool network_is_for(const void *bytes, size_t length, const soloist_domain *domain, soloist_error *error);

#endif
