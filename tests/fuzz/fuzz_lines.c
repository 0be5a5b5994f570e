/* A file of JSON lines with results: whatever its lines hold, they are merged into a store, counted as damaged or
 * refused with a sentence, and the store is whole afterwards. The input has the lines without the hash in which each
 * must end; it is added here, because a fuzzer would never guess it. A line that begins with '!' stays without its
 * hash. */
#include "stores.h"

#include "base/buffer.h"
#include "base/hash.h"
#include "lab/results/read_lines.h"
#include "lab/run/lines.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_line(struct buffer *text, const char *line, size_t length) {
    soloist_sink sink = buffer_sink(text);
    sink.write(sink.to, line, length);
    if (*line != '!')
        soloist_print(&sink, ",\"seal\":\"%016llx\"}", (unsigned long long)seal_text(line, length));
    soloist_print(&sink, "\n");
}

/* A hash of the whole lines: damaged lines between them change nothing in the store. */
static uint64_t hash_lines(const struct buffer *text) {
    struct lines_cursor cursor = lines_open(text->text, text->length);
    struct json_value line;
    uint64_t hash = lines_recognise(text->text, text->length) ? 1 : 2;
    while (lines_next(&cursor, &line))
        hash = hash_mix(hash ^ seal_text(line.start, (size_t)(line.end - line.start)));
    return hash;
}

static void read_lines(const struct buffer *text) {
    static struct store *aside;
    struct rescued rescued;
    soloist_error error = {0};
    if (!aside)
        aside = open_aside(lines_make_tables);
    require(store_begin(aside, &error));
    require(lines_read_all(aside, text->text, text->length, &rescued, &error) || *error.text);
    store_rollback(aside);
}

static void merge_lines(const struct buffer *text) {
    char path[64];
    memory_write(path, sizeof path, text->text, text->length);
    merge_into_empty(path);
    unlink(path);
}

/* New lines are always read, but only a quarter of them is merged, which takes several times as long. */
static void try_lines(const struct buffer *text) {
    uint64_t hash = hash_lines(text);
    if (met_before(hash))
        return;
    read_lines(text);
    if (hash_mix(hash) % 4 == 0)
        merge_lines(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct buffer text;
    empty_store();
    buffer_open(&text);
    for (const char *at = (const char *)data, *end = at + size; at < end;) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line_end ? line_end : end) - at);
        if (length)
            add_line(&text, at, length);
        at += length + 1;
    }
    if (text.length)
        try_lines(&text);
    buffer_close(&text);
    return 0;
}
