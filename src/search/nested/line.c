/* The memory of a line: its arrays grow as needed, and are reused for the next line. */
#include "search/nested/line.h"

#include <string.h>

void nested_line_open(struct nested_line *line, struct memory *memory) {
    *line = (struct nested_line){.memory = memory};
    nested_line_clear(line);
}

void nested_line_close(struct nested_line *line) {
    memory_give(line->memory, line->steps, line->step_room * sizeof *line->steps);
    memory_give(line->memory, line->numbers, line->number_room * sizeof *line->numbers);
    memory_give(line->memory, line->codes, line->code_room * sizeof *line->codes);
    *line = (struct nested_line){.memory = line->memory};
}

static bool make_room(struct nested_line *line, uint64_t steps, uint64_t numbers, uint64_t codes) {
    return memory_grow(line->memory, &line->steps, sizeof *line->steps, &line->step_room, steps) &&
           memory_grow(line->memory, &line->numbers, sizeof *line->numbers, &line->number_room, numbers) &&
           memory_grow(line->memory, &line->codes, sizeof *line->codes, &line->code_room, codes);
}

bool nested_line_grow(struct nested_line *line, uint32_t choices) {
    return make_room(line, (uint64_t)line->count + 1, (uint64_t)line->number_count + choices,
                     (uint64_t)line->code_count + choices);
}

bool nested_line_same_moves(const struct nested_line *a, const struct nested_line *b) {
    if (a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++)
        if (a->steps[i].move != b->steps[i].move)
            return false;
    return true;
}
