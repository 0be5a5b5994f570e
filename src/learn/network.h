/* A network as a program gives it to a search: a file of weights, opened with its options (soloist_network_open). */
#ifndef LEARN_NETWORK_H
#define LEARN_NETWORK_H

#include "learn/predictor.h"

#define NETWORK_BACK_ENDS "auto|cpu|cuda"
#define NETWORK_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                    \
    CHOICE(T, back_end, 0, NETWORK_BACK_ENDS, "what computes the network; auto: the best there is")                    \
    INT(T, seed, 1, 0, 1e15, "of the weights, where FILE is a description (.net) and not trained")                     \
    PREDICTOR_OPTIONS(T, INT, REAL, BOOL, CHOICE)

SOLOIST_OPTIONS(network_options, NETWORK_OPTIONS);

#endif
