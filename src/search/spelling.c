/* Methods whose text uses former names of options. Stored results, resume files and experiments may be older than an
 * option's current name; a text with the former name must still mean the same method. */
#include "base/buffer.h"
#include "search/search.h"

#include <string.h>

char *search_spell(const struct search_added *added, const char *text, bool now) {
    size_t length = strcspn(text, ":");
    const struct search_method *method = search_find(added, text, length);
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    if (method && text[length]) {
        soloist_print(&sink, "%s:", method->name);
        alias_spell(method->options, method->aliases, text + length + 1, now, &sink);
    } else {
        soloist_put(&sink, text);
    }
    return buffer_take(&buffer);
}
