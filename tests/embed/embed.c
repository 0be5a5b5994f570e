/* The smallest program that embeds the library: solves one stack of pancakes. The exit status says whether it could. */
#include "soloist.h"

#include <stdio.h>
#include <string.h>

int main(void) {
    static const char text[] = "3 1 2 4";
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1, .name = ""};
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error = {0};
    soloist *engine = soloist_new();
    const soloist_domain *domain = engine ? soloist_find_domain(engine, "pancake") : NULL;
    if (!domain || soloist_puzzle_read(domain, NULL, &chunk, &puzzle, &error) != SOLOIST_OK)
        return 1;
    bool solved = soloist_solve(engine, &puzzle, NULL, NULL, NULL, &result, &error) == SOLOIST_OK &&
                  result.status == SOLOIST_SOLVED;
    printf("%s\n", solved ? result.solution : error.text);
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    soloist_free(engine);
    return !solved;
}
