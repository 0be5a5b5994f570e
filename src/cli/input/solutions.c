#include "cli/input/solutions.h"
#include "cli/input/levels.h"
#include "cli/shell/files.h"
#include "cli/shell/need.h"
#include "search/special/registry.h"

#include <stdlib.h>
#include <string.h>

/* Loads the text of a file of solutions; NULL after an error message. */
static char *load_text(const char *name, const struct input *input, size_t *length) {
    const struct source *levels = input->sources[0];
    char label[4096], *text;
    const char *range;
    /* Standard input can be read only once: levels and solutions are then the same text. */
    if (!strcmp(name, "-") && !strcmp(levels->label, "-"))
        return need_text(levels->text, *length = levels->length);
    text = file_read(name, length);
    if (!text)
        text = levels_read(name, LEVEL_SETS_SOLUTIONS, length);
    if (!text)
        text = input_text(name, label, sizeof label, &range, length);
    return text;
}

bool solutions_load(const struct cli *cli, const char *name, const struct input *input, struct solutions *solutions) {
    soloist_error error;
    size_t length;
    *solutions = (struct solutions){0};
    char *text = load_text(name, input, &length);
    if (!text)
        return false;
    soloist_code code = need_code(solutions_read(cli->engine, input, text, length, solutions, &error));
    if (code != SOLOIST_OK)
        cli_complain_at(name, &error);
    free(text);
    return code == SOLOIST_OK;
}

bool solutions_need_any_case(const soloist_puzzle *puzzle, const char *solution) {
    const struct special_levels *levels = special_levels(puzzle->domain);
    soloist_verdict verdict;
    soloist_error error;
    return levels && levels->referee_any_case(&puzzle->chunk, solution, strlen(solution), &verdict, &error);
}
