/* What a trained network's file says of itself under "soloist.card": how it was trained, and how well its policy alone
 * plays on boards that can be made again. */
#ifndef CLI_CARD_H
#define CLI_CARD_H

#include "learn/train/training.h"

/* The figure that can be checked. */
struct card {
    char generate[256]; /* the generator's options */
    uint64_t seed;      /* of the boards: game_source makes them from it, those that do not fit left out */
    int boards;
    double mean, interval; /* 95 % */
};

/* The text of a new card, to be freed. */
char *card_write(const struct training_wish *wish, const struct training_result *result);
/* The text in a network's file, to be freed; NULL: it has none. */
char *card_text(const char *bytes, size_t length);
/* False: the file has no card, or it says nothing of the policy alone. */
bool card_read(const char *bytes, size_t length, struct card *card);
/* How far the mean over `boards` of the card's boards may be from the card's: its interval, and for a part of the
 * boards twice what a draw of so many leaves open. */
double card_allows(const struct card *card, int boards);
/* One line for each thing it says. */
void card_print(const char *text);

#endif
