/* Computes the counts by which players compare solutions. */
#include "domain/sokoban/file/counts.h"

#include <stdlib.h>

static int64_t step_of(char letter, int width) {
    switch (letter | 32) {
    case 'l': return -1;
    case 'r': return 1;
    case 'u': return -width;
    default: return width;
    }
}

/* Counts a solution given as plain letters. */
static struct sokoban_counts count_letters(const char *letters, size_t length) {
    enum { WIDTH = 1 << 20 }; /* wider than any row */
    struct sokoban_counts counts = {0};
    int64_t at = 0, box = INT64_MIN;
    char last = 0, last_push = 0;
    bool pushed = false; /* whether the previous letter was a push */
    for (size_t i = 0; i < length; i++) {
        char letter = letters[i], small = (char)(letter | 32);
        bool push = letter != small;
        int64_t step = step_of(letter, WIDTH);
        at += step;
        counts.moves++;
        counts.player_lines += small != last;
        if (push) {
            bool other = at != box;
            counts.pushes++;
            counts.pushing_sessions += !pushed;
            counts.box_changes += other;
            counts.box_lines += other || letter != last_push;
            box = at + step;
            last_push = letter;
        }
        pushed = push;
        last = small;
    }
    return counts;
}

bool sokoban_count_text(const char *solution, size_t length, struct sokoban_counts *counts) {
    size_t room = (size_t)1 << 22;
    char *letters = malloc(room);
    long expanded = letters ? sokoban_lurd_expand(solution, length, letters, room, NULL) : -1;
    if (expanded >= 0)
        *counts = count_letters(letters, (size_t)expanded);
    free(letters);
    return expanded >= 0;
}
