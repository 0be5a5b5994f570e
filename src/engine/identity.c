#include "engine/identity.h"
#include "base/buffer.h"
#include "base/hash.h"
#include "base/options.h"
#include "engine/board.h"
#include "engine/canonical_form.h"

#include <stdio.h>
#include <stdlib.h>

/* Writes every option, even those left at their defaults: a later version may have other defaults. */
static void put_options(const soloist_puzzle *puzzle, const soloist_sink *sink) {
    char value[SOLOIST_NAME_ROOM];
    for (const soloist_option *row = puzzle->domain->options; row && row->kind != SOLOIST_OPTION_END; row++) {
        options_value(row, puzzle->options, value, sizeof value);
        soloist_print(sink, "%s=%s\n", row->name, value);
    }
}

bool identity_of(const soloist *engine, const soloist_puzzle *puzzle, char out[IDENTITY_ROOM]) {
    struct buffer text;
    char *board = board_root_text(engine, puzzle);
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    soloist_print(&sink, "%s %s\n", puzzle->domain->name,
                  puzzle->domain->aim == SOLOIST_LEAST_COST ? "least cost" : "most score");
    put_options(puzzle, &sink);
    soloist_put(&sink, board ? board : "");
    bool well = board && !text.failed;
    /* Two hashes, of the text and of the text without its first character: they are unlikely to collide together. */
    if (well)
        snprintf(out, IDENTITY_ROOM, "%016llx%016llx", (unsigned long long)hash_bytes(text.text, text.length),
                 (unsigned long long)hash_bytes(text.text + 1, text.length - 1));
    free(board);
    buffer_close(&text);
    return well;
}

bool identity_hash(const soloist *engine, const soloist_puzzle *puzzle, char out[HASH_ROOM]) {
    struct canonical_form form;
    if (canonical_form_read(puzzle->domain, &puzzle->chunk, false, &form) != SOLOIST_OK)
        return false;
    if (!form.bytes) {
        char *board = board_root_text(engine, puzzle);
        bool read = board && canonical_form_of_text(board, &form) == SOLOIST_OK;
        free(board);
        if (!read)
            return false;
    }
    snprintf(out, HASH_ROOM, "%016llx", (unsigned long long)form.hash);
    canonical_form_free(&form);
    return true;
}
