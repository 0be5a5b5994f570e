/* The text of an experiment: whatever it holds, it is read or refused with a place inside it. */
#include "lab/experiment.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds)
        abort();
}

static void check_read(const struct experiment *experiment) {
    require(experiment->source_count + experiment->training_count > 0 && experiment->seed_count > 0);
    for (size_t i = 0; i < experiment->method_count; i++) {
        const struct experiment_method *method = &experiment->methods[i];
        require(method->text && method->label && method->limits.threads >= 1 && method->limits.memory > 0);
    }
    for (size_t i = 0; i < experiment->source_count; i++)
        require(experiment->sources[i].name && experiment->sources[i].label && experiment->sources[i].options);
    for (size_t i = 0; i < experiment->training_count; i++) {
        const struct experiment_training *training = &experiment->trainings[i];
        require(training->domain && training->options && training->label && training->lesson.network);
        for (size_t k = 0; k < training->lesson.option_count; k++)
            require(training->lesson.options[k] != NULL);
    }
    for (size_t i = 0; i < experiment->row_count; i++) {
        require(experiment->rows[i].measure < experiment->measure_count && experiment->rows[i].label);
        for (size_t k = 0; k < experiment->rows[i].word_count; k++)
            require(experiment->rows[i].words[k] != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct experiment experiment;
    soloist_error error = {0};
    if (experiment_read((const char *)data, size, &experiment, &error)) {
        check_read(&experiment);
        experiment_free(&experiment);
    } else {
        require(*error.text && error.line >= 1 && error.column >= 1 && error.line <= (int)size + 2);
    }
    return 0;
}
