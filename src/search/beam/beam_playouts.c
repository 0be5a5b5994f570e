/* Beam search ranked by play-outs: a state's rank is the best result of a few of the domain's own play-outs. The random
 * numbers of the play-outs depend only on the state's key and the pass's width, so that results are the same for any
 * number of threads. A small table avoids repeated play-outs for states that several lines reach. */
#include "search/beam/beam_layers.h"

#include "base/hash.h"

#include <string.h>

enum { most_threads = 64, known_bits = 12, at_a_time = 256, longest = 1000 };

struct known {
    uint64_t key;
    int32_t value; /* score so far with which the state was played */
    int32_t worth;
    bool used;
};

/* The data of one thread: its part of the candidates, scratch space, and the best line that it found. */
struct player {
    struct beam *beam;
    struct known *known;
    unsigned char *state, *leaf;
    soloist_move *trace, *best_moves; /* room for players->length moves */
    size_t from, to, best_index;
    int32_t best_value, best_length;
    bool has_best;
    uint64_t played;
    struct search_looks looks;
};

struct beam_players {
    int count, playouts, policy, length;
    size_t block_size; /* bytes of one player's arrays */
    unsigned char *blocks;
    struct player player[most_threads];
};

bool beam_players_open(struct beam *beam, int playouts) {
    const struct search_run *run = beam->whole;
    struct beam_players *players = beam->players = memory_take(beam->memory, sizeof *players);
    if (!players)
        return false;
    *players = (struct beam_players){.playouts = playouts};
    players->count = run->threads < most_threads ? run->threads : most_threads;
    players->length = run->shape.most_steps > 0 ? run->shape.most_steps : longest;
    players->policy = search_playout_kinds(beam->domain->sample) - 1;
    size_t known = memory_round_up(sizeof(struct known) << known_bits), state = memory_round_up(run->shape.state_size);
    size_t trace = memory_round_up(((size_t)players->length + 1) * sizeof(soloist_move));
    players->block_size = known + 2 * state + 2 * trace;
    players->blocks = memory_take(beam->memory, (size_t)players->count * players->block_size);
    for (int i = 0; players->blocks && i < players->count; i++) {
        unsigned char *at = players->blocks + (size_t)i * players->block_size;
        struct player *player = &players->player[i];
        *player = (struct player){.beam = beam, .known = (struct known *)(void *)at};
        player->state = at + known;
        player->leaf = player->state + state;
        player->trace = (soloist_move *)(void *)(player->leaf + state);
        player->best_moves = (soloist_move *)(void *)(player->leaf + state + trace);
    }
    return players->blocks;
}

void beam_players_close(struct beam *beam) {
    struct beam_players *players = beam->players;
    if (!players)
        return;
    memory_give(beam->memory, players->blocks, (size_t)players->count * players->block_size);
    memory_give(beam->memory, players, sizeof *players);
    beam->players = NULL;
}

/* ---- one child ---- */

static void keep_line(struct player *player, size_t index, int32_t value, int32_t length) {
    if (player->has_best && value <= player->best_value)
        return;
    player->has_best = true;
    player->best_index = index;
    player->best_value = value;
    player->best_length = length;
    memcpy(player->best_moves, player->trace, (size_t)length * sizeof *player->trace);
}

/* The best score that the play-outs add from the state in player->leaf on. If the run must stop, there are fewer. */
static int32_t play(struct player *player, size_t index, uint64_t key) {
    struct beam *beam = player->beam;
    const struct beam_players *players = beam->players;
    const soloist_instance *instance = beam->run->instance;
    soloist_rng rng;
    int32_t worth = INT32_MIN, last = 0;
    if (beam->domain->core->ended(instance, player->leaf, &last)) {
        keep_line(player, index, search_sum(beam->candidates[index].value, last), 0);
        return last;
    }
    soloist_rng_seed(&rng, beam->whole->seed ^ key, beam->width);
    for (int i = 0; i < players->playouts && !(i && search_must_break_off(beam->run, &player->looks)); i++) {
        memcpy(player->state, player->leaf, beam->run->shape.state_size);
        soloist_playout playout = beam->domain->sample->playout(
            instance, player->state, players->policy, players->length, &rng, player->trace, &beam->run->budget->token);
        if (playout.ended)
            keep_line(player, index, search_sum(beam->candidates[index].value, playout.value), playout.length);
        worth = playout.value > worth ? playout.value : worth;
        player->played++;
    }
    return worth;
}

static void rank(struct player *player, size_t index) {
    struct beam *beam = player->beam;
    const struct search_run *run = beam->run;
    struct beam_candidate *candidate = &beam->candidates[index];
    struct known *known = &player->known[hash_mix(candidate->key) >> (64 - known_bits)];
    /* If the score so far is higher than before, the same play-outs give better lines. */
    if (!known->used || known->key != candidate->key || candidate->value > known->value) {
        memcpy(player->leaf, beam_entry_at(beam, &beam->layer, candidate->parent) + 1, run->shape.state_size);
        beam->domain->core->apply(run->instance, player->leaf, candidate->move, NULL);
        *known = (struct known){candidate->key, candidate->value, play(player, index, candidate->key), true};
    }
    int64_t score = (int64_t)candidate->value + known->worth;
    candidate->rank = score > INT32_MAX ? -INT32_MAX : score < -INT32_MAX ? INT32_MAX : -(int32_t)score;
}

/* ---- a layer ---- */

static void rank_share(void *user, int member, size_t item) {
    struct player *player = &((struct beam_players *)user)->player[item];
    (void)member;
    for (size_t i = player->from; i < player->to && !search_must_break_off(player->beam->run, &player->looks); i++)
        rank(player, i);
}

static void rank_all(struct beam *beam, size_t from, size_t to) {
    struct beam_players *players = beam->players;
    size_t count = to - from, all = (size_t)players->count;
    for (size_t i = 0; i < all; i++) {
        players->player[i].from = from + count * i / all;
        players->player[i].to = from + count * (i + 1) / all;
    }
    thread_pool_run(beam->pool, rank_share, players, all);
}

/* Records the best line that a player found, if it is better than all so far. */
static bool hand_over(struct beam *beam, struct player *player) {
    struct search_run *run = beam->run;
    const struct beam_candidate *candidate = &beam->candidates[player->best_index];
    atomic_fetch_add_explicit(&beam->whole->budget->playouts, player->played, memory_order_relaxed);
    player->played = 0;
    if (!player->has_best || (run->found && !search_better(run, player->best_value, run->best.value)))
        return true;
    size_t length = (size_t)player->best_length;
    memmove(player->best_moves + 1, player->best_moves, length * sizeof *player->best_moves);
    player->best_moves[0] = candidate->move;
    return beam_record(beam, beam_entry_at(beam, &beam->layer, candidate->parent)->step, player->best_moves, length + 1,
                       player->best_value);
}

enum beam_next beam_play_candidates(struct beam *beam) {
    struct beam_players *players = beam->players;
    size_t step = (size_t)players->count * at_a_time;
    beam->whole->has_playouts = true;
    for (int i = 0; i < players->count; i++) {
        memset(players->player[i].known, 0, sizeof(struct known) << known_bits);
        players->player[i].has_best = false;
    }
    enum beam_next next = BEAM_GO_ON;
    for (size_t from = 0; from < beam->candidate_count && next == BEAM_GO_ON; from += step) {
        rank_all(beam, from, from + step < beam->candidate_count ? from + step : beam->candidate_count);
        next = search_spent(beam->whole) ? BEAM_SPENT : BEAM_GO_ON;
    }
    for (int i = 0; i < players->count; i++)
        if (!hand_over(beam, &players->player[i]))
            return BEAM_FULL;
    return next;
}
