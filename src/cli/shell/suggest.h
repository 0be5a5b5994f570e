/* Finds the known word that is most similar to a mistyped one. */
#ifndef CLI_SHELL_SUGGEST_H
#define CLI_SHELL_SUGGEST_H

struct suggestion {
    const char *word; /* the word that was typed */
    const char *best; /* the most similar word offered so far, NULL while none is similar enough */
    int distance;
};

struct suggestion suggest_open(const char *word);
void suggest_offer(struct suggestion *suggestion, const char *candidate);

#endif
