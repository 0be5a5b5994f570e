/* A cache of the results of small searches. The same few boxes occur together in many positions, and a result depends
 * only on them and the player's region: what the cache holds affects how fast an answer comes, never the answer. A slot
 * that two threads wrote at the same time fails its checksum (see verdict.h). */
#include "domain/sokoban/pattern/pattern.h"

#include "base/hash.h"

#include <stdlib.h>

#define MOST_BYTES ((size_t)1 << 24)

/* The words of a slot: the boxes (n); the player and the kind of search; the squares used (n); value and `solved`; the
 * checksum. */
static size_t slot_words(size_t n) { return 2 * n + 3; }

static size_t count_slots(size_t n) {
    size_t slots = (size_t)1 << 17;
    while (slots * slot_words(n) * sizeof(uint64_t) > MOST_BYTES)
        slots /= 2;
    return slots;
}

bool pattern_memory_make(struct patterns *patterns, const struct sokoban *game) {
    size_t n = (size_t)game->words;
    patterns->slots = count_slots(n);
    patterns->borrowed = game->learned;
    patterns->memory =
        game->learned ? game->learned->memory : calloc(patterns->slots, slot_words(n) * sizeof(uint64_t));
    return patterns->memory;
}

bool sokoban_learned_make(struct sokoban *game) {
    size_t n = (size_t)game->words;
    if (game->rules.share == SOKOBAN_SHARE_NONE || game->rules.share == SOKOBAN_SHARE_NEVER)
        return true;
    game->learned = calloc(1, sizeof *game->learned);
    if (game->learned)
        game->learned->memory = calloc(count_slots(n), slot_words(n) * sizeof(uint64_t));
    return game->learned && game->learned->memory;
}

/* The first thread that calls this makes the store of patterns; if two threads make it at once, one copy is
 * discarded. */
struct patterns *sokoban_learned(const struct sokoban *game) {
    struct learned *learned = game->rules.share == SOKOBAN_SHARE_PATTERNS ? game->learned : NULL;
    struct patterns *known = learned ? atomic_load_explicit(&learned->patterns, memory_order_acquire) : NULL;
    if (known || !learned)
        return known;
    struct sokoban learning = *game;
    learning.rules.pattern_deadlocks = true;
    learning.patterns = NULL;
    if (sokoban_patterns_make(&learning) &&
        atomic_compare_exchange_strong(&learned->patterns, &known, learning.patterns))
        return learning.patterns;
    sokoban_patterns_free(learning.patterns);
    return known;
}

void sokoban_learned_free(struct learned *learned) {
    if (!learned)
        return;
    sokoban_patterns_free(atomic_load(&learned->patterns));
    free(learned->memory);
    free(learned);
}

size_t sokoban_learned_size(const struct sokoban *game) {
    size_t n = (size_t)game->words;
    return count_slots(n) * slot_words(n) * sizeof(uint64_t) + pattern_store_size(game);
}

static uint64_t mix_words(uint64_t hash, const uint64_t *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 32;
    return hash;
}

static uint64_t *fill_key(const struct sokoban *game, enum pattern_kind kind, const uint64_t *boxes, int player,
                          uint64_t *key) {
    size_t n = (size_t)game->words;
    memcpy(key, boxes, n * sizeof *key);
    key[n] = (uint64_t)player << 1 | kind;
    return key;
}

static _Atomic uint64_t *slot_of(const struct sokoban *game, uint64_t hash) {
    const struct patterns *patterns = game->patterns;
    return patterns->memory + (hash_mix(hash) & (patterns->slots - 1)) * slot_words((size_t)game->words);
}

bool pattern_recall(const struct sokoban *game, enum pattern_kind kind, const uint64_t *boxes, int player,
                    struct pattern_finding *finding) {
    size_t n = (size_t)game->words;
    uint64_t key[SOKOBAN_WORDS + 1], rest[SOKOBAN_WORDS + 2], differ = 0;
    uint64_t hash = mix_words(n, fill_key(game, kind, boxes, player, key), n + 1);
    _Atomic uint64_t *slot = slot_of(game, hash);
    for (size_t i = 0; i <= n && !differ; i++)
        differ = atomic_load_explicit(&slot[i], memory_order_relaxed) ^ key[i];
    if (differ)
        return false;
    for (size_t i = 0; i < n + 2; i++)
        rest[i] = atomic_load_explicit(&slot[n + 1 + i], memory_order_relaxed);
    if (rest[n + 1] != mix_words(hash, rest, n + 1))
        return false;
    memcpy(finding->used, rest, n * sizeof *rest);
    finding->value = (int32_t)(rest[n] & UINT32_MAX);
    finding->stand = (int)(rest[n] >> 33) - 1;
    finding->solved = rest[n] >> 32 & 1;
    return true;
}

void pattern_remember(const struct sokoban *game, enum pattern_kind kind, const uint64_t *boxes, int player,
                      const struct pattern_finding *finding) {
    size_t n = (size_t)game->words;
    uint64_t key[SOKOBAN_WORDS + 1], rest[SOKOBAN_WORDS + 2];
    uint64_t hash = mix_words(n, fill_key(game, kind, boxes, player, key), n + 1);
    _Atomic uint64_t *slot = slot_of(game, hash);
    for (size_t i = 0; i < n; i++)
        rest[i] = finding->solved ? finding->used[i] : 0;
    rest[n] = (uint64_t)finding->value | (uint64_t)finding->solved << 32;
    if (finding->solved)
        rest[n] |= (uint64_t)(finding->stand + 1) << 33;
    rest[n + 1] = mix_words(hash, rest, n + 1);
    for (size_t i = 0; i <= n; i++)
        atomic_store_explicit(&slot[i], key[i], memory_order_relaxed);
    for (size_t i = 0; i < n + 2; i++)
        atomic_store_explicit(&slot[n + 1 + i], rest[i], memory_order_relaxed);
}
