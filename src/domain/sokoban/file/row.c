/* A file contains both text and boards, and nothing marks where a board begins: a row is recognised only by its
 * characters. */
#include "domain/sokoban/file/row.h"

#include "domain/sokoban/file/level.h"

#include <string.h>

int row_symbol(char symbol, bool *player) {
    *player = symbol == '@' || symbol == 'p' || symbol == '+' || symbol == 'P';
    switch (symbol) {
    case '#': return SOKOBAN_WALL;
    case '$':
    case 'b': return SOKOBAN_BOX;
    case '*':
    case 'B': return SOKOBAN_BOX | SOKOBAN_GOAL;
    case '.':
    case 'o':
    case '+':
    case 'P': return SOKOBAN_GOAL;
    case ' ':
    case '-':
    case '_':
    case '@':
    case 'p': return 0;
    default: return -1;
    }
}

size_t row_trim(const char *line, size_t length) {
    while (length && (line[length - 1] == ' ' || line[length - 1] == '\t'))
        length--;
    return length;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_floor(char c) { return c == ' ' || c == '-' || c == '_' || c == '\t'; }

/* How many characters of each kind a line has. */
struct tally {
    size_t walls, unknown, letters, counts;
    size_t stray_counts; /* run lengths that are not followed by a symbol */
    size_t floor_counts; /* run lengths before '-' or '_' */
    char first;          /* the first character that is not floor, count or '(' */
};

static void tally_count(struct tally *tally, char after) {
    bool player;
    tally->counts++;
    if (after == '-' || after == '_')
        tally->floor_counts++;
    else if (after != '(' && row_symbol(after, &player) < 0)
        tally->stray_counts++;
}

static struct tally tally_line(const char *line, size_t length) {
    struct tally tally = {0};
    bool player;
    for (size_t i = 0; i < length; i++) {
        char c = line[i];
        if (is_digit(c)) {
            if (i + 1 == length || !is_digit(line[i + 1]))
                tally_count(&tally, i + 1 < length ? line[i + 1] : 0);
            continue;
        }
        bool known = row_symbol(c, &player) >= 0 || c == '|' || c == '(' || c == ')';
        tally.walls += c == '#';
        tally.unknown += !known && c != '\t';
        tally.letters += known && is_letter(c);
        if (!tally.first && !is_floor(c) && c != '(')
            tally.first = c;
    }
    return tally;
}

bool row_is_board(const char *line, size_t length, bool ongoing) {
    length = row_trim(line, length);
    if (!length)
        return false;
    struct tally tally = tally_line(line, length);
    bool clean = !tally.unknown && !tally.stray_counts;
    if (!tally.walls)
        return ongoing && clean && !tally.letters && tally.counts == tally.floor_counts && tally.first != '|';
    if (clean && (!tally.letters || tally.first == '#'))
        return true;
    if (tally.first == '#' && tally.walls >= 2)
        return tally.unknown * (ongoing ? 2 : 4) <= length;
    /* A wrong character may stand for the wall at either end of a row. */
    return ongoing && !tally.letters && !tally.counts && tally.unknown <= 2 && tally.unknown * 4 <= length;
}

bool row_is_whole_board(const char *line, size_t length) {
    bool bar = false, player = false, box = false;
    for (size_t i = 0; i < length; i++) {
        bool here;
        int cell = row_symbol(line[i], &here);
        bar |= line[i] == '|';
        player |= here;
        box |= cell > 0 && cell & SOKOBAN_BOX;
    }
    return bar && player && box;
}

bool row_is_only_wall(const char *line, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (line[i] != '#' && !is_floor(line[i]))
            return false;
    return true;
}
