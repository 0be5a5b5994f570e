#include "cli/solve/line_pool.h"

#include "base/buffer.h"
#include "base/json.h"
#include "cli/shell/need.h"

#include <stdlib.h>
#include <string.h>

static void read_line(const soloist_puzzle *puzzle, const char *text, size_t length, struct search_pool *pool) {
    need_code(search_pool_add(pool, puzzle, text, length) ? SOLOIST_OK : SOLOIST_NO_MEMORY);
}

void line_pool_read(const soloist_puzzle *puzzle, const char *text, struct search_pool *pool) {
    struct json_value array, item;
    soloist_error error;
    const char *step = NULL;
    if (!text || !json_parse(text, strlen(text), &array, &error) || array.kind != JSON_ARRAY)
        return;
    while (pool->count < SEARCH_POOL_MOST && json_next(array, &step, NULL, &item)) {
        if (item.kind == JSON_ARRAY) {
            read_line(puzzle, item.start, (size_t)(item.end - item.start), pool);
        } else if (item.kind == JSON_TEXT) {
            size_t room = (size_t)(item.end - item.start) + 1;
            char *line = need_bytes(room);
            if (json_get_text(item, line, room) >= 0)
                read_line(puzzle, line, strlen(line), pool);
            free(line);
        }
    }
}

static void write_line(const soloist_puzzle *puzzle, const struct search_line *line, struct json_writer *json) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    puzzle->domain->text->solution(puzzle->instance, line->moves, line->count, &sink);
    char *solution = need(buffer_take(&text));
    if (puzzle->domain->text->solution_is_json)
        json_raw(json, NULL, solution);
    else
        json_text(json, NULL, solution);
    free(solution);
}

char *line_pool_write(const soloist_puzzle *puzzle, const struct search_pool *pool) {
    struct buffer text;
    struct json_writer json;
    if (!pool->count)
        return NULL;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    json_open(&json, &sink);
    json_array(&json, NULL);
    for (int i = 0; i < pool->count; i++)
        write_line(puzzle, &pool->lines[i], &json);
    json_end(&json, ']');
    return need(buffer_take(&text));
}

char *line_pool_of(const soloist_puzzle *puzzle, const char *solution) {
    struct search_pool pool = {0};
    read_line(puzzle, solution, strlen(solution), &pool);
    char *text = line_pool_write(puzzle, &pool);
    search_pool_free(&pool);
    return text;
}
