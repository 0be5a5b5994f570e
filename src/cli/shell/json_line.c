#include "cli/shell/json_line.h"
#include "cli/shell/console.h"
#include "cli/shell/need.h"

struct json_writer *json_line_open(struct json_line *line) {
    buffer_open(&line->text);
    line->sink = buffer_sink(&line->text);
    json_open(&line->json, &line->sink);
    json_object(&line->json, NULL);
    return &line->json;
}

static void json_place(struct json_writer *json, const char *name, int number) {
    if (number > 0)
        json_int(json, name, number);
    else
        json_null(json, name);
}

void json_error(struct json_writer *json, const soloist_error *error) {
    json_text(json, "error", error->text);
    json_place(json, "line", error->line);
    json_place(json, "column", error->column);
}

void json_line_end(struct json_line *line) {
    json_end(&line->json, '}');
    soloist_put(&line->sink, "\n");
    need_whole(&line->text);
}

void json_line_print(struct json_line *line) {
    json_line_end(line);
    console_whole(line->text.text, line->text.length);
    fflush(stdout);
    buffer_close(&line->text);
}

void json_line_write(struct json_line *line, FILE *stream) {
    if (stream == stdout) {
        json_line_print(line);
        return;
    }
    json_line_end(line);
    fwrite(line->text.text, 1, line->text.length, stream);
    buffer_close(&line->text);
}
