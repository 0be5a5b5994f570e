/* Tic-tac-toe, to test the case of two players. Moves score nothing; at the end the score is 1 if X has won, -1 if O
 * has won, and 0 otherwise. A move is a cell, 0..8 by rows from the upper left. These declarations are shared by the
 * files of this folder. */
#ifndef DOMAIN_TICTACTOE_TICTACTOE_H
#define DOMAIN_TICTACTOE_TICTACTOE_H

#include "soloist_extra.h"

#define TICTACTOE_FULL 0x1ff

enum tictactoe_side { TICTACTOE_X, TICTACTOE_O };

/* One bit per cell. The numbers of marks tell whose turn it is: X moves first. */
struct tictactoe_state {
    uint16_t marks[2];
};

struct soloist_instance {
    struct tictactoe_state start;
};

/* Reads one board; false with an error, which includes the position in the file. */
bool tictactoe_read_board(const soloist_chunk *chunk, struct tictactoe_state *state, soloist_error *error);
int tictactoe_recognise(const char *text, size_t length);
/* True if the marks of one side hold a row, a column or a diagonal. */
bool tictactoe_has_line(unsigned marks);

extern const soloist_core tictactoe_core;
extern const soloist_pack tictactoe_pack;
extern const soloist_sample tictactoe_sample;
extern const soloist_text tictactoe_text;

#endif
