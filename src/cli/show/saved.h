/* Saves what a person played into a file of solutions that `check` reads. Nothing that is in the file is removed. */
#ifndef CLI_SHOW_SAVED_H
#define CLI_SHOW_SAVED_H

#include "cli/show/game.h"

/* The path of the file in which games on this source are saved if the user names no file: it is beside the source and
 * has the name of the source with ".played.sok" or ".played.txt" instead of its ending. If the source is not a file, it
 * is in the current folder. The caller frees the path. */
char *saved_default_path(const struct source *source);

/* Adds the moves so far: a finished game as a solution, an unfinished one as a snapshot (Sokoban) or as a comment. The
 * file is replaced in one step. False with an error if that failed; the old content is then still there. */
bool saved_add(const char *path, const struct game *game, soloist_error *error);

/* The moves of the newest unfinished game on the same instance that is saved in this file or, if there is none, in the
 * instance's own text. The caller frees them. NULL: there is no such game. */
char *saved_find(const char *path, const struct game *game);

#endif
