/* A tally's array grows by doubling, within the memory limit. */
#include "search/bidirectional/tally.h"

#include <string.h>

bool tally_reserve(struct tally *tally, struct memory *memory, uint32_t value) {
    uint32_t before = tally->room;
    if (!memory_grow(memory, &tally->count, sizeof *tally->count, &tally->room, (uint64_t)value + 1))
        return false;
    memset(tally->count + before, 0, (tally->room - before) * sizeof *tally->count);
    return true;
}

void tally_close(struct tally *tally, struct memory *memory) {
    memory_give(memory, tally->count, tally->room * sizeof *tally->count);
    *tally = (struct tally){0};
}
