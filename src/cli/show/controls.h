/* What the arrow keys, the space bar and Enter do in each domain, and what they choose on the board. A domain without
 * controls of its own is played by choosing from the list of its legal moves. */
#ifndef CLI_SHOW_CONTROLS_H
#define CLI_SHOW_CONTROLS_H

#include "cli/show/draw.h"
#include "cli/show/game.h"

/* How a player controls a game: the cursor, the highlighted parts of the board, and the hint. */
struct hand {
    struct game *game;
    int x, y;            /* the cursor: column and row from the top left; in a list of moves only y is used */
    uint8_t *marks;      /* for draw_position; owned */
    size_t cells;        /* number of marks */
    soloist_move hinted; /* the move that a hint suggests, or SOLOIST_NO_MOVE */
    /* The steps that lead to the hinted move, and the move itself, in the notation of solutions; NULL: none. */
    char *hint_line;
};

enum control { CONTROL_UP, CONTROL_LEFT, CONTROL_RIGHT, CONTROL_DOWN, CONTROL_ACT };

struct controls {
    const char *domain; /* NULL: every domain that is not named in another row */
    const char *keys;   /* what the keys do, such as "arrows move" */
    void (*press)(struct hand *hand, enum control control);
    /* Sets the marks, which the caller has zeroed, and corrects the cursor. */
    void (*mark)(struct hand *hand);
    /* Moves the cursor to the hinted move. May be NULL. */
    void (*suggest)(struct hand *hand);
    /* Writes the counts of the game so far, such as "12 moves, 3 pushes". */
    void (*count)(const struct hand *hand, char *out, size_t room);
};

const struct controls *controls_of(const struct game *game);
/* To be called after every change: marks the board anew. */
void hand_mark(struct hand *hand);
/* Forgets the hint. */
void hand_drop_hint(struct hand *hand);
void hand_close(struct hand *hand);

/* Writes the list of legal moves with the chosen one marked, for a domain without a board of its own. */
void controls_list(const struct hand *hand, int rows, const soloist_sink *sink);

#endif
