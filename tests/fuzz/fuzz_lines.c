/* A file of JSON lines with results: whatever its lines hold, they are merged into a store, counted as damaged or
 * refused with a sentence, and the store is whole afterwards. The input has the lines without the hash in which each
 * must end; it is added here, because a fuzzer would never guess it. A line that begins with '!' stays without its
 * hash. */
#include "stores.h"

#include "base/buffer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_line(struct buffer *text, const char *line, size_t length) {
    soloist_sink sink = buffer_sink(text);
    sink.write(sink.to, line, length);
    if (*line != '!')
        soloist_print(&sink, ",\"seal\":\"%016llx\"}", (unsigned long long)seal_text(line, length));
    soloist_print(&sink, "\n");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct buffer text;
    char folder[64], path[128];
    buffer_open(&text);
    for (const char *at = (const char *)data, *end = at + size; at < end;) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line_end ? line_end : end) - at);
        if (length)
            add_line(&text, at, length);
        at += length + 1;
    }
    make_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/results.jsonl", folder);
    write_file(path, text.text ? text.text : "", text.length);
    merge_into_new(folder, path);
    unlink(path);
    rmdir(folder);
    buffer_close(&text);
    return 0;
}
