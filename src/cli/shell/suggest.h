/* The nearest known word to a mistyped one. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

struct suggestion {
    const char *word; /* as typed */
    const char *best; /* the nearest offered so far, NULL while none is near enough */
    int distance;
};

struct suggestion suggest_open(const char *word);
void suggest_offer(struct suggestion *suggestion, const char *candidate);

#endif
