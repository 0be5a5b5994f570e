/* A line of a file of games, from which a network learns: whatever it holds, it is refused with a sentence, or it is a
 * game, and the line that is written of this game is read as the same game. The first byte chooses the domain. Sokoban
 * levels are opened without the rules that searches use: their tables take most of the time, and no game needs them. */
#include "base/buffer.h"
#include "learn/train/games.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds)
        abort();
}

static void check_game(const struct game *game, const char *options) {
    struct buffer text;
    struct game again;
    soloist_error error = {0};
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    game_write(&game->puzzle, game->moves, game->count, game->score, &sink);
    require(!text.failed && text.length && text.text[text.length - 1] == '\n');
    require(game_read(game->puzzle.domain, options, text.text, text.length - 1, &again, &error));
    require(again.count == game->count && again.score == game->score);
    require(!game->count || !memcmp(again.moves, game->moves, game->count * sizeof *game->moves));
    require(game_hash(&again.puzzle) == game_hash(&game->puzzle));
    game_free(&again);
    buffer_close(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"samegame", "sokoban", "tiles", "pancake", "tictactoe"};
    struct game game;
    soloist_error error = {0};
    soloist *engine = size ? soloist_new() : NULL;
    if (!engine)
        return 0;
    const char *name = names[data[0] % 5], *options = strcmp(name, "sokoban") ? NULL : "rules=none";
    const soloist_domain *domain = soloist_find_domain(engine, name);
    if (game_read(domain, options, (const char *)data + 1, size - 1, &game, &error)) {
        check_game(&game, options);
        game_free(&game);
    } else {
        require(*error.text);
    }
    soloist_free(engine);
    return 0;
}
