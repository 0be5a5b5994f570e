#include "engine/board.h"
#include "base/buffer.h"
#include "base/options.h"

#include <stdlib.h>

char *board_state_text(const soloist_puzzle *puzzle, const void *state) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    puzzle->domain->text->print(puzzle->instance, state, &sink);
    return buffer_take(&text);
}

soloist_code board_shown_puzzle(const soloist *engine, const soloist_puzzle *puzzle, soloist_puzzle *shown,
                                soloist_error *error) {
    const char *name = puzzle->domain->text->shown_in;
    const soloist_domain *domain = name ? soloist_find_domain(engine, name) : NULL;
    char *options = NULL;
    if (!domain) {
        domain = puzzle->domain;
        options = options_changed_text(domain->options, puzzle->options);
        if (!options)
            return SOLOIST_NO_MEMORY;
    }
    soloist_code code = soloist_puzzle_read(domain, options, &puzzle->chunk, shown, error);
    free(options);
    return code;
}

char *board_root_text(const soloist *engine, const soloist_puzzle *puzzle) {
    soloist_shape shape = {0};
    soloist_puzzle shown;
    soloist_error error;
    if (board_shown_puzzle(engine, puzzle, &shown, &error) != SOLOIST_OK)
        return NULL;
    shown.domain->life->shape(shown.instance, &shape);
    void *state = malloc(shape.state_size + 1);
    char *text = NULL;
    if (state) {
        shown.domain->life->root(shown.instance, state);
        text = board_state_text(&shown, state);
    }
    free(state);
    soloist_puzzle_free(&shown);
    return text;
}
