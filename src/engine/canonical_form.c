#include "engine/canonical_form.h"
#include "base/buffer.h"
#include "base/hash.h"
#include "search/special/registry.h"

#include <stdlib.h>
#include <string.h>

/* The form takes ownership of the buffer's bytes. */
static soloist_code make_form(struct buffer *text, struct canonical_form *form) {
    size_t length = text->length;
    char *bytes = buffer_take(text);
    if (!bytes)
        return SOLOIST_NO_MEMORY;
    *form = (struct canonical_form){bytes, length, hash_bytes(bytes, length)};
    return SOLOIST_OK;
}

soloist_code canonical_form_read(const soloist_domain *domain, const soloist_chunk *chunk, bool walks,
                                 struct canonical_form *form) {
    const struct special_levels *levels = special_levels(domain);
    struct buffer text;
    *form = (struct canonical_form){0};
    if (!levels)
        return SOLOIST_OK;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    if (levels->canonical(chunk, walks, &sink))
        return make_form(&text, form);
    buffer_close(&text);
    return SOLOIST_OK;
}

soloist_code canonical_form_room(const soloist_domain *domain, const soloist_chunk *chunk,
                                 struct canonical_form *form) {
    const struct special_generate *special = special_generate(domain);
    struct buffer text;
    int symmetries;
    *form = (struct canonical_form){0};
    if (!special)
        return SOLOIST_OK;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    if (special->room(chunk, &symmetries, &sink))
        return make_form(&text, form);
    buffer_close(&text);
    return SOLOIST_OK;
}

soloist_code canonical_form_of_text(const char *text, struct canonical_form *form) {
    struct buffer copy;
    *form = (struct canonical_form){0};
    buffer_open(&copy);
    soloist_sink sink = buffer_sink(&copy);
    soloist_put(&sink, text);
    return make_form(&copy, form);
}

void canonical_form_free(struct canonical_form *form) {
    free(form->bytes);
    *form = (struct canonical_form){0};
}

bool canonical_form_equal(const struct canonical_form *a, const struct canonical_form *b) {
    return a->bytes && b->bytes && !canonical_form_order(a, b);
}

int canonical_form_order(const struct canonical_form *a, const struct canonical_form *b) {
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return memcmp(a->bytes, b->bytes, a->length);
}
