/* A network that a program opens for a search: a file of weights with options (soloist_network_open). */
#ifndef LEARN_PREDICT_NETWORK_H
#define LEARN_PREDICT_NETWORK_H

#include "learn/predict/predictor.h"

#define NETWORK_BACK_ENDS "auto|cpu|cuda"
#define NETWORK_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                    \
    CHOICE(T, back_end, 0, NETWORK_BACK_ENDS, "what computes the network; auto: the fastest that is available")        \
    INT(T, seed, 1, 0, 1e15, "seed of the random weights, if FILE is a description (.net) without trained weights")    \
    PREDICTOR_OPTIONS(T, INT, REAL, BOOL, CHOICE)

SOLOIST_OPTIONS(network_options, NETWORK_OPTIONS);

/* The metadata key under which a trained network's file names its domain. */
#define NETWORK_DOMAIN_NOTE "soloist.domain"
/* The metadata keys for value_scale and step_value, which say what the network's values mean (evaluator.h). */
#define NETWORK_SCALE_NOTE "soloist.value_scale"
#define NETWORK_STEP_NOTE "soloist.step_value"
/* Whether a network's file (net/file.h) is for this domain. Returns false with an error if the domain has no learn
 * group, or if the file names another domain. A file that names no domain may be for any domain; then only its planes
 * and actions decide whether it fits. */
bool network_is_for(const void *bytes, size_t length, const soloist_domain *domain, soloist_error *error);

#endif
