/* Suggestions by edit distance (Levenshtein distance in which a swap of neighbours is one edit). */
#include "base/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 40 };

static int least(int a, int b) { return a < b ? a : b; }

static int edit_distance(const char *a, const char *b) {
    int rows[3][LONGEST + 1];
    int a_length = (int)strlen(a), b_length = (int)strlen(b);
    if (a_length > LONGEST || b_length > LONGEST)
        return LONGEST;
    int *before = rows[0], *last = rows[1], *now = rows[2];
    for (int j = 0; j <= b_length; j++)
        last[j] = j;
    for (int i = 1; i <= a_length; i++) {
        now[0] = i;
        for (int j = 1; j <= b_length; j++) {
            int cost = a[i - 1] != b[j - 1];
            now[j] = least(least(last[j] + 1, now[j - 1] + 1), last[j - 1] + cost);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
        int *spare = before;
        before = last, last = now, now = spare;
    }
    return last[b_length];
}

struct suggestion suggest_open(const char *word) {
    /* At most a third of the letters may be wrong: with more wrong letters, a suggestion would be a guess. */
    return (struct suggestion){word, NULL, (int)strcspn(word, "=") / 3 + 1};
}

void suggest_offer(struct suggestion *suggestion, const char *candidate) {
    char typed[LONGEST + 1];
    size_t length = strcspn(suggestion->word, "=");
    if (length > LONGEST)
        return;
    memcpy(typed, suggestion->word, length);
    typed[length] = 0;
    int distance = edit_distance(typed, candidate);
    if (length >= 3 && !strncmp(typed, candidate, length))
        distance = 1; /* a prefix counts as one edit */
    if (distance < suggestion->distance || (distance == suggestion->distance && !suggestion->best)) {
        suggestion->best = candidate;
        suggestion->distance = distance;
    }
}

void suggest_option(const soloist_option *rows, soloist_error *error) {
    static const char unknown[] = "unknown option '";
    char word[64], amended[sizeof error->text];
    const char *at = strstr(error->text, unknown), *known = strstr(error->text, "; known: ");
    if (!at)
        return;
    at += sizeof unknown - 1;
    size_t length = strcspn(at, "'"), before = known ? (size_t)(known - error->text) : strlen(error->text);
    snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), at);
    struct suggestion nearest = suggest_open(word);
    for (const soloist_option *row = rows; row && row->kind != SOLOIST_OPTION_END; row++)
        suggest_offer(&nearest, row->name);
    if (!nearest.best)
        return;
    if (snprintf(amended, sizeof amended, "%.*s: did you mean %s?%s", (int)before, error->text, nearest.best,
                 known ? known + 1 : "") > 0)
        memcpy(error->text, amended, sizeof amended);
}

bool suggest_check_options(const soloist_option *rows, size_t size, const char *text, soloist_error *error) {
    void *options = calloc(1, size + 1);
    if (!options)
        return soloist_fail(error, 0, 0, "out of memory");
    soloist_options_reset(rows, options);
    bool well = soloist_options_parse(rows, options, text, error) == SOLOIST_OK;
    free(options);
    if (!well)
        suggest_option(rows, error);
    return well;
}
