/* Sokoban's functions for graded generation. */
#include "domain/sokoban/file/canonical.h"
#include "domain/sokoban/generate/generator.h"
#include "domain/sokoban/generate/vary.h"
#include "search/special/registry.h"

static bool vary(const void *options, const soloist_chunk *chunk, soloist_rng *rng, const soloist_sink *sink) {
    const struct sokoban_generate_options *wanted = options;
    struct sokoban_level level;
    if (!sokoban_level_parse(chunk, &level, NULL) || !sokoban_level_vary(&level, wanted->allow_box_on_goal, rng))
        return false;
    sokoban_level_print(&level, sink);
    return true;
}

static bool write_room(const soloist_chunk *chunk, int *symmetries, const soloist_sink *sink) {
    unsigned char form[SOKOBAN_CANONICAL_ROOM];
    struct sokoban_level level;
    if (!sokoban_level_parse(chunk, &level, NULL))
        return false;
    size_t length = sokoban_canonical_room(&level, form, symmetries);
    sink->write(sink->to, (const char *)form, length);
    return true;
}

const struct special_generate special_sokoban_generate = {sokoban_generate_within, vary, write_room};
