/* Levels of the generator, for tests. */
#ifndef TESTS_UNIT_DOMAIN_SOKOBAN_SOKOBAN_GENERATED_H
#define TESTS_UNIT_DOMAIN_SOKOBAN_SOKOBAN_GENERATED_H

#include "base/buffer.h"
#include "domain/sokoban/generate/generator.h"

/* A level of the generator, to be freed. */
static inline char *generated_level(int side, int boxes, soloist_rng *rng) {
    struct sokoban_generate_options options;
    struct buffer buffer;
    soloist_error error;
    soloist_options_reset(sokoban_generate.options, &options);
    options.width = options.height = side;
    options.boxes = boxes;
    options.total_positions = 2000;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    if (sokoban_generate.make(&options, rng, &sink, &error) != SOLOIST_OK)
        fail_msg("%s", error.text);
    return buffer_take(&buffer);
}

#endif
