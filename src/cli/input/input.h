/* Fills an input (engine/input.h) from files, standard input and named level sets. */
#ifndef CLI_INPUT_INPUT_H
#define CLI_INPUT_INPUT_H

#include "cli/shell/lookup.h"
#include "engine/input.h"

/* Reads the instances that the names stand for. A name is FILE, FILE:1-20, a level set's NAME, NAME:1-20, or "-". A
 * name that cannot be read is reported and skipped. only: a selection that applies to every file, or NULL. Complains
 * and returns false if `only` is not a valid selection. */
bool input_read(const struct cli *cli, const struct arg_list *names, const struct domain_choice *choice,
                const char *only, struct input *input);
/* Loads the text that a name stands for and sets *range to its selection ("" if there is none). NULL after an error
 * message. */
char *input_text(const char *name, char *label, size_t room, const char **range, size_t *length);

/* Whether the name is "-", an existing file or an installed level set. A colon and a selection such as 1-20
 * may follow it; whether the selection is valid is not examined. */
bool input_is_there(const char *name);

/* Whether one of the instances comes from this file, by whatever name. */
bool input_is_from(const struct input *input, const char *path);

#endif
