/* A session: a working copy of an instance. It borrows all tables that never change, and owns what a search learns:
 * triples of boxes that are lost, verdicts on corrals, patterns. */
#include "domain/sokoban/sokoban.h"

#include <stdlib.h>

soloist_instance *sokoban_session(const soloist_instance *instance, const soloist_work *work, soloist_error *error) {
    struct sokoban *game = malloc(sizeof *game);
    if (game) {
        *game = *sokoban_of(instance);
        game->base = sokoban_of(instance);
        game->stop = work->stop;
        if (sokoban_triples_make(game) && sokoban_corrals_make(game) && sokoban_patterns_make(game) &&
            sokoban_learned_make(game))
            return (soloist_instance *)(void *)game;
        sokoban_session_close(game);
    }
    soloist_fail(error, 0, 0, "no memory for what a search learns about the level");
    return NULL;
}

void sokoban_session_close(struct sokoban *game) {
    sokoban_triples_free(game->triples);
    sokoban_patterns_free(game->patterns);
    sokoban_learned_free(game->learned);
    free(game->verdicts);
    free(game);
}
