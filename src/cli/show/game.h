/* A game that a person plays on one instance of any domain: the moves so far, which can be taken back and played again,
 * and what the engine says about the position. Nothing here reads keys or prints. */
#ifndef CLI_SHOW_GAME_H
#define CLI_SHOW_GAME_H

#include "cli/input/input.h"

struct game {
    const struct cli *cli;
    const struct task *task;
    soloist_puzzle solved; /* the puzzle that is solved, explained and checked */
    /* The same puzzle, parsed in the domain whose moves the person plays. For sokoban, this domain is sokoban-moves,
     * whose moves are single steps. It may be the same domain as that of `solved`. */
    soloist_puzzle shown;
    soloist_shape shape;
    soloist_move *moves; /* `count` moves, of which the first `at` are on the board */
    char *states;        /* count + 1 positions */
    int32_t *sums;       /* the sum of the move costs or scores up to each position */
    size_t at, count, room;
    soloist_move *legal; /* the legal moves of the position */
    int legal_count;
    bool ended;          /* the position is a goal, or the end of play */
    int32_t value;       /* the cost or score so far; if `ended`, including the final bonus or penalty */
    char *text;          /* the position as the domain prints it */
    char *line;          /* the moves in the notation of solutions */
    soloist_advice told; /* the result of a quick soloist_explain for the position */
    char *judged;        /* the text, without the player, of the position that `told` is about; NULL: none */
    char *kept;          /* the value of `line` when the game was last saved; NULL: none */
};

/* False with an error: the instance cannot be read. */
bool game_open(struct game *game, const struct cli *cli, const struct input *input, const struct task *task,
               soloist_error *error);
void game_close(struct game *game);

/* False: the move is not legal. A new move discards the moves that were taken back. */
bool game_play(struct game *game, soloist_move move);
bool game_undo(struct game *game);
bool game_redo(struct game *game);
/* Goes back to the first position; all moves can be played again. */
void game_restart(struct game *game);
/* Reads a sequence of moves that begins in the present position. The caller frees *moves. False with an error if it is
 * wrong. */
bool game_read_line(const struct game *game, const char *line, soloist_move **moves, size_t *count,
                    soloist_error *error);
/* Plays a sequence of moves that begins in the present position. False with an error if it cannot be read or played. */
bool game_follow(struct game *game, const char *line, soloist_error *error);

/* The present position as a puzzle of its own, for soloist_hint. The caller frees it. */
soloist_code game_position(const struct game *game, soloist_puzzle *position, soloist_error *error);
/* What the legal move would add to the cost or the score. */
int32_t game_step(const struct game *game, soloist_move move);
/* The legal move as text; the caller frees it. */
char *game_move_text(const struct game *game, soloist_move move);
/* True if the moves so far were saved, or if there are none. */
bool game_is_kept(const struct game *game);
/* To be called when the moves so far have been written to a file. */
void game_keep(struct game *game);

#endif
