/* Finds candidates of a layer that are the same state. The leader among them is the candidate with the best value; if
 * several have that value, it is the first of them. Keys are looked up in a hash table made for the layer. The table
 * has one part per thread, so that the threads can fill it at the same time without locks.
 *
 * Once a pass has dropped a state, it can no longer prove anything; then all candidates but the leaders are removed,
 * although equal keys do not prove equal states. Before that, all candidates stay; those that are not leaders take over
 * their leader's evaluation, and whole states are compared when candidates enter the next layer. */
#include "search/beam/beam_layers.h"

#include "base/hash.h"

#include <string.h>

enum { worth_sharing = 8192 };

/* Finds the leaders of all candidates whose keys belong to one part of the table. If a part is full (parts are large
 * enough that this should never happen), a candidate is its own leader. */
static void merge_part(void *user, int member, size_t part) {
    struct beam *beam = user;
    struct beam_merge *merge = &beam->merge;
    uint32_t *slots = merge->slots + part * merge->part_size;
    (void)member;
    memset(slots, 0, merge->part_size * sizeof *slots);
    for (size_t i = 0; i < beam->candidate_count; i++) {
        const struct beam_candidate *candidate = &beam->candidates[i];
        uint64_t hash = hash_mix(candidate->key);
        if ((hash >> 32) % merge->parts != part)
            continue;
        size_t at = hash & (merge->part_size - 1), tries = 0;
        while (slots[at] && beam->candidates[slots[at] - 1].key != candidate->key && ++tries < merge->part_size)
            at = (at + 1) & (merge->part_size - 1);
        bool better = !slots[at] || search_better(beam->run, candidate->value, beam->candidates[slots[at] - 1].value);
        if (better && tries < merge->part_size)
            slots[at] = (uint32_t)i + 1;
        beam->order[i] = tries < merge->part_size ? (uint32_t)at : UINT32_MAX;
    }
    for (size_t i = 0; i < beam->candidate_count; i++)
        if ((hash_mix(beam->candidates[i].key) >> 32) % merge->parts == part)
            beam->order[i] = beam->order[i] == UINT32_MAX ? (uint32_t)i : slots[beam->order[i]] - 1;
}

static bool reserve(struct beam *beam) {
    struct beam_merge *merge = &beam->merge;
    size_t count = beam->candidate_count;
    merge->parts = count < worth_sharing ? 1 : (size_t)thread_pool_size(beam->pool);
    merge->part_size = 64;
    while (merge->part_size * merge->parts < 2 * count)
        merge->part_size *= 2;
    size_t wanted = merge->part_size * merge->parts;
    if (wanted <= merge->room)
        return true;
    memory_give(beam->memory, merge->slots, merge->room * sizeof *merge->slots);
    merge->room = 0;
    merge->slots = memory_take(beam->memory, wanted * sizeof *merge->slots);
    merge->room = merge->slots ? wanted : 0;
    return merge->slots;
}

void beam_merge_close(struct beam *beam) {
    memory_give(beam->memory, beam->merge.slots, beam->merge.room * sizeof *beam->merge.slots);
}

static void keep_leaders(struct beam *beam) {
    size_t kept = 0;
    for (size_t i = 0; i < beam->candidate_count; i++)
        if (beam->order[i] == i) {
            beam->candidates[kept] = beam->candidates[i];
            beam->order[kept] = (uint32_t)kept;
            kept++;
        }
    beam->candidate_count = kept;
}

bool beam_merge(struct beam *beam) {
    if (!reserve(beam))
        return false;
    thread_pool_run(beam->pool, merge_part, beam, beam->merge.parts);
    if (beam->dropped)
        keep_leaders(beam);
    return true;
}
