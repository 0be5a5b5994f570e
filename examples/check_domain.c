/* Checks a user's domain against the contract, board by board:
 *
 * cc -O2 -I../include -I../src check_domain.c lights_out.c ../build/libsoloist.a -lm -lpthread -o check_lights_out
 * ./check_lights_out boards.txt */
#include "domain/validate.h"

#include <stdio.h>
#include <stdlib.h>

static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        return NULL;
    long size = ftell(file);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    rewind(file);
    if (text)
        *length = fread(text, 1, (size_t)size, file);
    fclose(file);
    return text;
}

int main(int count, char **arguments) {
    const soloist_domain *domain = soloist_plugin();
    size_t length = 0;
    char *text = count == 2 ? read_file(arguments[1], &length) : NULL;
    if (!text)
        return fprintf(stderr, "usage: %s BOARDS\n", arguments[0]), 2;
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk;
    int bad = 0;
    for (int number = 1; domain->life->next(&cursor, &chunk); number++) {
        soloist_puzzle puzzle;
        soloist_error error = {0};
        bool good = soloist_puzzle_read(domain, NULL, &chunk, &puzzle, &error) == SOLOIST_OK;
        if (good) {
            good = domain_validate(domain, &puzzle, 1, 20, 100, &error);
            soloist_puzzle_free(&puzzle);
        }
        printf("board %d: %s\n", number, good ? "holds the contract" : error.text);
        bad += !good;
    }
    free(text);
    return bad ? 1 : 0;
}
