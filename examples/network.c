/* Solves SameGame boards with a trained network that guides the tree search:
 * cc network.c $(pkg-config --cflags --libs soloist) -o network && ./network NETWORK.safetensors BOARDS */
#include <soloist.h>
#include <stdio.h>

int main(int count, char **words) {
    static char text[1 << 20];
    FILE *file = count == 3 ? fopen(words[2], "r") : NULL;
    size_t length = file ? fread(text, 1, sizeof text, file) : 0;
    if (!length)
        return fprintf(stderr, "usage: network NETWORK BOARDS\n"), 2;
    fclose(file);

    soloist *engine = soloist_new();
    const soloist_domain *domain = soloist_find_domain(engine, "samegame");
    soloist_error error;
    soloist_network *network = soloist_network_open(domain, words[1], &error);
    if (!network)
        return fprintf(stderr, "%s\n", error.text), 2;

    soloist_limits limits = {.iterations = 2000, .seed = 1, .network = network};
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_puzzle puzzle;
    soloist_code code;
    for (int number = 1; soloist_next_puzzle(domain, NULL, &cursor, &puzzle, &code, &error); number++) {
        soloist_result result;
        if (code == SOLOIST_OK)
            code = soloist_solve(engine, &puzzle, "policy-mcts", &limits, NULL, &result, &error);
        if (code != SOLOIST_OK) {
            printf("board %d: %s\n", number, error.text);
            continue;
        }
        printf("board %d: %d points in %lld moves\n", number, (int)result.verdict.value,
               (long long)result.verdict.moves);
        soloist_result_free(&result);
        soloist_puzzle_free(&puzzle);
    }
    soloist_network_close(network);
    soloist_free(engine);
    return 0;
}
