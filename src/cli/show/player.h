/* Shows a solution as an animation in the terminal, or as frames of plain text. */
#ifndef CLI_SHOW_PLAYER_H
#define CLI_SHOW_PLAYER_H

#include "cli/show/draw.h"
#include "cli/show/show.h"

struct player_view {
    const struct show *show;
    struct draw_style style;
    const char *title;
    double delay_s; /* seconds between steps */
    bool once;      /* quit at the end without waiting for a key */
};

/* Runs until the user quits, and leaves the last position on the screen; false if the terminal cannot be switched to
 * raw mode. */
bool player_run(const struct player_view *view);
/* Does the same in a terminal that the caller has switched to raw mode and will switch back; *step: the position at
 * which the user quit. */
void player_loop(const struct player_view *view, size_t *step);
/* Prints all positions, or only the first, the last and a few between. */
void player_print(const struct player_view *view, bool all);

#endif
