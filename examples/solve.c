/* Solves the puzzle in a file: cc solve.c $(pkg-config --cflags --libs soloist) -o solve && ./solve FILE */
#include <soloist.h>
#include <stdio.h>

int main(int count, char **words) {
    static char text[1 << 20];
    FILE *file = count == 2 ? fopen(words[1], "r") : NULL;
    if (!file || !fread(text, 1, sizeof text - 1, file))
        return fprintf(stderr, "usage: solve FILE\n"), 2;
    fclose(file);
    soloist *engine = soloist_new();
    soloist_limits limits = {};
    soloist_result result;
    soloist_error error;
    limits.time_s = 10;
    if (soloist_solve_text(engine, NULL, text, NULL, &limits, &result, &error) != SOLOIST_OK)
        return fprintf(stderr, "line %d: %s\n", error.line, error.text), 2;
    printf("%s%s%s\n", soloist_status_name(result.status), result.solution ? ": " : "",
           result.solution ? result.solution : "");
    soloist_result_free(&result);
    soloist_free(engine);
}
