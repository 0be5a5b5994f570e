/* The card of a trained network, stored in its file as "soloist.card": how it was trained, and the score of its policy
 * without search on boards that can be generated again. */
#ifndef CLI_LEARN_CARD_H
#define CLI_LEARN_CARD_H

#include "learn/train/training.h"

/* The part of a card that can be checked: the score. */
struct card {
    char generate[256]; /* the generator's options */
    uint64_t seed; /* game_source makes the boards from this seed; boards that do not fit the network are skipped */
    int boards;
    bool goal;                       /* true for a least-cost domain: `mean` is then the solve rate, in per cent */
    int step_limit;                  /* least-cost domain: number of moves after which a game counts as not solved */
    double mean, interval;           /* interval: half the width of the 95 % confidence interval */
    char back_end[32], machine[256]; /* where the score was measured */
};

/* The text of a new card, which the caller frees. */
char *card_write(const struct training_wish *wish, const struct training_result *result);
/* The card in a network's file, which the caller frees; NULL: it has none. */
char *card_text(const char *bytes, size_t length);
/* False: the file has no card, or the card has no score of the policy without search. */
bool card_read(const char *bytes, size_t length, struct card *card);
/* Whether the card's score was measured by this back end on a machine like this one: then the same network plays the
 * same moves on the same boards. */
bool card_is_from_here(const struct card *card, const char *back_end);
/* The greatest accepted difference between the card's score and a new score that was measured on `boards` of the card's
 * boards. The new score may have a sampling error if these are not all boards: half the width of the 95 % confidence
 * interval of the difference between the means of the subset and of all boards. If not from_here, another back end or
 * processor may round differently, so that where two moves are equally likely another one is played: on one board in
 * fifty, but at least on one, the game may be another one. The card itself is rounded. */
double card_allows(const struct card *card, int boards, bool from_here);
/* Prints one line per entry of the card. */
void card_print(const char *text);

#endif
