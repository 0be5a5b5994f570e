/* Saves what a person played into a file of solutions that `check` reads. Nothing that is in the file is removed. */
#ifndef CLI_SHOW_SAVED_H
#define CLI_SHOW_SAVED_H

#include "cli/show/game.h"

/* The path of the file in which games on this source are saved if the user names no file. The file has the source's
 * name with ".played.sok" or ".played.txt" instead of its extension. It is in the folder of the source or, if the
 * source is not a file, in the current folder. The caller frees the path. */
char *saved_default_path(const struct source *source);

/* Complains and returns false if there is a file at `path` and it is not one in which games on the input are saved. */
bool saved_suits(const char *path, const struct input *input);

/* Adds the moves so far: a finished game as a solution, an unfinished one as a snapshot (Sokoban) or as a comment. The
 * file is replaced in one step. False with an error if that failed; the old content is then still there. */
bool saved_add(const char *path, const struct game *game, soloist_error *error);

/* Finds the newest saved game that is on the same instance and unfinished. The file at `path` is searched first, then
 * the instance's own text. Returns the moves of the game, which the caller frees, or NULL if there is no such game. */
char *saved_find(const char *path, const struct game *game);

#endif
