/* Pancake files have one stack per line: the numbers 1..n, top first, separated by blanks or commas; ';' and '#' begin
 * comments. A line with a 0 is a sliding-tile board, and digits without blanks are a SameGame row: neither is
 * accepted. */
#include "domain/pancake/pancake.h"

#include <string.h>

static bool is_separator(char c) { return c == ' ' || c == '\t' || c == ',' || c == '\r' || c == '\n'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Skips separators; false at the end of the line or at a comment. */
static bool find_number(const soloist_chunk *chunk, size_t *at) {
    while (*at < chunk->length && is_separator(chunk->text[*at]))
        ++*at;
    return *at < chunk->length && chunk->text[*at] != ';' && chunk->text[*at] != '#';
}

/* Reads a number that ends at a separator, a comment or the end. */
static bool read_number(const soloist_chunk *chunk, size_t *at, int *number, soloist_error *error) {
    int line = chunk->line, column = (int)*at + 1;
    char c = chunk->text[*at];
    if (!is_digit(c))
        return (unsigned char)c >= 32 && (unsigned char)c < 127
                   ? soloist_fail(error, line, column, "expected a number, found '%c'", c)
                   : soloist_fail(error, line, column, "expected a number, found byte 0x%02x", (unsigned char)c);
    for (*number = 0; *at < chunk->length && is_digit(chunk->text[*at]); ++*at) {
        *number = *number * 10 + (chunk->text[*at] - '0');
        if (*number > PANCAKE_MOST)
            return soloist_fail(error, line, column, "a pancake larger than %d", PANCAKE_MOST);
    }
    if (*number == 0)
        return soloist_fail(error, line, column, "a pancake 0: pancakes are 1 to N (0 is the blank of a tiles file)");
    return true;
}

/* The caller has checked that no number occurs twice; therefore the numbers are 1..n if the largest is n. */
static bool check_range(const soloist_chunk *chunk, const uint8_t *stack, const int *columns, int n,
                        soloist_error *error) {
    for (int i = 0; i < n; i++)
        if (stack[i] > n)
            return soloist_fail(error, chunk->line, columns[i],
                                "pancake %d in a stack of %d: expected 1 to %d once each", stack[i], n, n);
    return true;
}

int pancake_read_stack(const soloist_chunk *chunk, uint8_t stack[PANCAKE_MOST], soloist_error *error) {
    int columns[PANCAKE_MOST], seen[PANCAKE_MOST + 1] = {0}, n = 0;
    for (size_t at = 0; find_number(chunk, &at); n++) {
        int number = 0, column = (int)at + 1;
        if (n == PANCAKE_MOST)
            return soloist_fail(error, chunk->line, column, "more than %d pancakes", PANCAKE_MOST);
        if (!read_number(chunk, &at, &number, error))
            return 0;
        if (seen[number])
            return soloist_fail(error, chunk->line, column, "pancake %d occurs twice: first at column %d", number,
                                seen[number]);
        seen[number] = columns[n] = column;
        stack[n] = (uint8_t)number;
    }
    if (n == 0)
        return soloist_fail(error, chunk->line, 1, "expected a stack of pancakes: the numbers 1 to N");
    return check_range(chunk, stack, columns, n, error) ? n : 0;
}

/* Whether the line is a stack, except that it has more than PANCAKE_MOST pancakes. */
static bool is_too_large(const soloist_chunk *chunk) {
    enum { MOST = 9999 };
    bool seen[MOST + 1] = {true};
    int count = 0, largest = 0;
    for (size_t at = 0; find_number(chunk, &at); count++) {
        int number = 0;
        while (number <= MOST && at < chunk->length && is_digit(chunk->text[at]))
            number = number * 10 + (chunk->text[at++] - '0');
        if (number > MOST || seen[number])
            return false;
        seen[number] = true;
        largest = number > largest ? number : largest;
    }
    return count > PANCAKE_MOST && largest == count;
}

int pancake_recognise(const char *text, size_t length) {
    soloist_cursor cursor = soloist_cursor_open(text, length < 65536 ? length : 65536);
    soloist_chunk chunk;
    int lines = 0, stacks = 0, largest = 0;
    while (lines < 32 && soloist_next_line(&cursor, &chunk)) {
        uint8_t stack[PANCAKE_MOST];
        int n = pancake_read_stack(&chunk, stack, NULL);
        lines++;
        if (!n && is_too_large(&chunk))
            n = PANCAKE_MOST; /* `parse` will report what is wrong */
        stacks += n > 0;
        largest = n > largest ? n : largest;
    }
    if (stacks * 2 < lines || largest == 0)
        return 0;
    return largest == 1 ? 5 : stacks == lines ? 90 : 50;
}
