/* Tallies grow by doubling under the byte budget. */
#include "search/bidirectional/tally.h"

#include <string.h>

bool tally_reserve(struct tally *tally, struct memory *memory, uint32_t value) {
    uint32_t room = tally->room ? tally->room : 16;
    while (room <= value)
        room *= 2;
    size_t size = sizeof *tally->count;
    uint32_t *grown = memory_resize(memory, tally->count, tally->room * size, room * size);
    if (!grown)
        return false;
    memset(grown + tally->room, 0, (room - tally->room) * size);
    tally->count = grown;
    tally->room = room;
    return true;
}

void tally_close(struct tally *tally, struct memory *memory) {
    memory_give(memory, tally->count, tally->room * sizeof *tally->count);
    *tally = (struct tally){0};
}
