/* The property checker's tests of everything other than the rules: texts, play-outs, learning. */
#include "base/buffer.h"
#include "domain/validate_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

static void print_to(const soloist_domain *domain, const soloist_instance *instance, const void *state,
                     struct buffer *text) {
    soloist_sink sink = buffer_sink(text);
    buffer_clear(text);
    sink.write(sink.to, "", 0);
    domain->text->print(instance, state, &sink);
}

/* A printed state is read as a new instance. The root of this instance must print the same text and have the same
 * moves. Bytes are not compared, because each instance may number its squares or count its distances differently. */
static bool compare_position(struct validator *v, const void *state, const soloist_instance *again, const char *text) {
    const soloist_core *core = v->domain->core;
    soloist_shape shape;
    struct buffer second;
    int32_t last = 0, last_again = 0;
    v->domain->life->shape(again, &shape);
    void *root = malloc(shape.state_size);
    soloist_move *moves = malloc(sizeof *moves * ((size_t)shape.most_moves + 1));
    buffer_open(&second);
    bool good = root && moves;
    if (!good)
        validate_fail(v, "no memory for a second instance");
    if (good) {
        v->domain->life->root(again, root);
        print_to(v->domain, again, root, &second);
        if (second.failed || strcmp(text, second.text) != 0)
            good = validate_fail(v, "print, read and print again give different texts");
        else if (core->ended(v->instance, state, &last) != core->ended(again, root, &last_again) || last != last_again)
            good = validate_fail(v, "a state that was printed and read ends differently");
        else if (core->moves(v->instance, state, (soloist_move *)v->blocks[BLOCK_MOVES]) !=
                 core->moves(again, root, moves))
            good = validate_fail(v, "a state that was printed and read has other moves");
    }
    buffer_close(&second);
    free(moves);
    free(root);
    return good;
}

bool validate_print(struct validator *v, const void *state) {
    struct buffer text;
    soloist_chunk chunk;
    soloist_error why = {0};
    soloist_instance *again = NULL;
    int32_t last;
    buffer_open(&text);
    print_to(v->domain, v->instance, state, &text);
    soloist_cursor cursor = soloist_cursor_open(text.text, text.length);
    bool read = v->domain->life->next(&cursor, &chunk);
    if (read)
        again = v->domain->life->parse(&chunk, v->puzzle->options, &why);
    /* The file format may be unable to express a board at the end of play. */
    bool good = again ? compare_position(v, state, again, text.text)
                      : v->domain->core->ended(v->instance, state, &last) ||
                            validate_fail(v, "a printed state cannot be read: %.120s", read ? why.text : "no text");
    if (again)
        v->domain->life->destroy(again);
    buffer_close(&text);
    return good;
}

/* The referee must accept a line that ends the game and report its value, and must refuse any other line. */
static bool check_referee(struct validator *v, const struct buffer *text, int64_t value, bool ended) {
    soloist_verdict verdict;
    soloist_error why = {0};
    if (!v->domain->text->referee)
        return true;
    bool accepted =
        v->domain->text->referee(&v->puzzle->chunk, v->puzzle->options, text->text, text->length, &verdict, &why);
    if (ended && !accepted)
        return validate_fail(v, "the referee refuses a line that ends: %.120s", why.text);
    if (ended && verdict.value != value)
        return validate_fail(v, "the referee counts %d, the steps add up to %lld", (int)verdict.value,
                             (long long)value);
    if (!ended && accepted && v->domain->aim == SOLOIST_LEAST_COST)
        return validate_fail(v, "the referee accepts a line that misses the goal");
    return true;
}

/* Plays moves from the root on BLOCK_PARENT; each must be among the legal moves. */
static bool replay(struct validator *v, const soloist_move *line, long length, int64_t *value) {
    soloist_move *moves = (soloist_move *)v->blocks[BLOCK_MOVES];
    void *state = v->blocks[BLOCK_PARENT];
    v->domain->life->root(v->instance, state);
    for (long step = 0; step < length; step++) {
        int count = v->domain->core->moves(v->instance, state, moves), i = 0;
        while (i < count && moves[i] != line[step])
            i++;
        if (i == count)
            return validate_fail(v, "a line plays %u, which is not legal", (unsigned)line[step]);
        *value += v->domain->core->apply(v->instance, state, line[step], NULL);
    }
    return true;
}

/* Macros may be read as the plain moves that they stand for. There are then more moves, but their value and the final
 * state must be the same. */
static bool reads_alike(struct validator *v, const soloist_move *moves, long found, int count) {
    const soloist_move *line = (const soloist_move *)v->blocks[BLOCK_LINE];
    int64_t value = 0, value_again = 0;
    if (found <= count)
        return found == count && memcmp(moves, line, (size_t)count * sizeof *line) == 0;
    if (!replay(v, moves, found, &value_again))
        return false;
    memcpy(v->blocks[BLOCK_CHILD], v->blocks[BLOCK_PARENT], v->shape.state_size);
    return replay(v, line, count, &value) && value == value_again &&
           memcmp(v->blocks[BLOCK_CHILD], v->blocks[BLOCK_PARENT], v->shape.state_size) == 0;
}

static bool check_reading(struct validator *v, const struct buffer *text, int count) {
    soloist_error why = {0};
    size_t room = text->length > (size_t)count ? text->length : (size_t)count;
    soloist_move *moves = malloc(sizeof *moves * (room + 1));
    if (!moves)
        return validate_fail(v, "no memory for a line of play");
    long found = v->domain->text->read(v->instance, text->text, text->length, moves, room, &why);
    bool good = found >= 0 && (size_t)found <= room && reads_alike(v, moves, found, count);
    if (found < 0)
        validate_fail(v, "the text of a solution cannot be read: %.120s", why.text);
    else if (!good)
        validate_fail(v, "the text of a solution reads as other moves");
    else if (v->domain->text->read(v->instance, text->text, text->length, NULL, 0, &why) != found)
        good = validate_fail(v, "read returns another number of moves when there is no room for them");
    free(moves);
    return good;
}

bool validate_is_macro(struct validator *v, int count) {
    const soloist_move *line = (const soloist_move *)v->blocks[BLOCK_LINE];
    soloist_error why = {0};
    long reads[2] = {0, 0};
    for (int last = 0; last < 2; last++) {
        struct buffer text;
        buffer_open(&text);
        soloist_sink sink = buffer_sink(&text);
        sink.write(sink.to, "", 0);
        v->domain->text->solution(v->instance, line, (size_t)(count - 1 + last), &sink);
        reads[last] = v->domain->text->read(v->instance, text.text, text.length, NULL, 0, &why);
        buffer_close(&text);
    }
    return reads[1] > reads[0] + 1;
}

bool validate_solution(struct validator *v, int count, int64_t value, bool ended) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    sink.write(sink.to, "", 0);
    v->domain->text->solution(v->instance, (const soloist_move *)v->blocks[BLOCK_LINE], (size_t)count, &sink);
    bool good = text.failed ? validate_fail(v, "no memory for a solution's text")
                            : check_reading(v, &text, count) && check_referee(v, &text, value, ended);
    buffer_close(&text);
    return good;
}

/* ---- play-outs ---- */

/* Whether a play-out may stop in a state where play has not ended (other than at its limit): only if the state is dead
 * or has no children. */
static bool may_stop(struct validator *v, const void *state) {
    const soloist_bound *bound = v->domain->bound;
    return v->domain->core->expand(v->instance, state, SOLOIST_NO_MOVE, 0,
                                   (soloist_child *)v->blocks[BLOCK_CHILDREN]) == 0 ||
           (bound && bound->dead && bound->dead(v->instance, state));
}

static bool check_playout(struct validator *v, int policy, int limit) {
    void *state = v->blocks[BLOCK_STATE];
    soloist_rng rng = v->rng;
    int64_t value = 0;
    int32_t last = 0;
    v->domain->life->root(v->instance, state);
    soloist_playout played = v->domain->sample->playout(v->instance, state, policy, limit, &v->rng,
                                                        (soloist_move *)v->blocks[BLOCK_LINE], NULL);
    if (played.length < 0 || played.length > limit)
        return validate_fail(v, "a play-out of at most %d moves has %d", limit, (int)played.length);
    if (!replay(v, (const soloist_move *)v->blocks[BLOCK_LINE], played.length, &value))
        return false;
    if (memcmp(state, v->blocks[BLOCK_PARENT], v->shape.state_size) != 0)
        return validate_fail(v, "a play-out leaves another state than its moves do");
    if (v->domain->core->ended(v->instance, state, &last) != played.ended)
        return validate_fail(v, "a play-out is wrong about having ended");
    if (value + (played.ended ? last : 0) != played.value)
        return validate_fail(v, "a play-out reports %d, its moves are worth %lld", (int)played.value,
                             (long long)(value + (played.ended ? last : 0)));
    if (!played.ended && played.length < limit && !may_stop(v, state))
        return validate_fail(v, "a play-out stops before its limit and before the end");
    v->domain->life->root(v->instance, state);
    soloist_playout again = v->domain->sample->playout(v->instance, state, policy, limit, &rng, NULL, NULL);
    if (again.value != played.value || again.length != played.length)
        return validate_fail(v, "a play-out with the same random numbers and no trace plays differently");
    return true;
}

bool validate_playouts(struct validator *v) {
    const soloist_sample *sample = v->domain->sample;
    int limit = v->shape.most_steps ? v->shape.most_steps : v->steps;
    for (int policy = 0; sample && sample->policies[policy]; policy++)
        for (v->walk = 0; v->walk < v->walks; v->walk++)
            if (!check_playout(v, policy, limit))
                return false;
    return true;
}

/* ---- learning ---- */

static bool is_number(double x) { return x - x == 0; }

/* Checks that the shares of a move's target add up to the whole target, and that they count only towards that move's
 * prior. */
static bool check_shares(struct validator *v, const void *state, const soloist_move *moves, int count) {
    const soloist_learn *learn = v->domain->learn;
    int actions = learn->actions(v->instance);
    float *policy = calloc((size_t)actions, sizeof *policy), *priors = calloc((size_t)count + 1, sizeof *priors);
    bool good = policy && priors;
    if (!good)
        validate_fail(v, "no memory for a policy");
    for (int i = 0; good && i < count; i++) {
        float sum = 0;
        memset(policy, 0, (size_t)actions * sizeof *policy);
        learn->share(v->instance, state, &moves[i], &(float){1}, 1, policy);
        learn->priors(v->instance, state, moves, count, policy, priors);
        for (int k = 0; k < actions; k++)
            sum += policy[k];
        if (sum < 0.999f || sum > 1.001f || !(policy[learn->action(v->instance, state, moves[i])] > 0))
            good = validate_fail(v, "the shares of move %u add up to %g: expected 1", (unsigned)moves[i], (double)sum);
        for (int k = 0; good && k < count; k++)
            if (k == i ? priors[k] < 0.999f : priors[k] != 0)
                good = validate_fail(v, "only move %u is shared out, but move %u has the prior %g", (unsigned)moves[i],
                                     (unsigned)moves[k], (double)priors[k]);
    }
    free(policy);
    free(priors);
    return good;
}

/* Checks that a symmetry only permutes the numbers of a network's input, and that symmetry 0 leaves them unchanged. */
static bool check_reflection(struct validator *v, const float *slot, int symmetry) {
    const soloist_learn *learn = v->domain->learn;
    size_t size = v->sizes[BLOCK_SLOT];
    int actions = learn->actions(v->instance);
    float *seen = malloc(size), *policy = malloc((size_t)actions * 2 * sizeof *policy);
    bool *taken = calloc((size_t)actions, sizeof *taken), good = seen && policy && taken;
    double before = 0, after = 0;
    if (!good)
        validate_fail(v, "no memory for a reflection");
    if (good) {
        for (int i = 0; i < actions; i++)
            policy[i] = (float)i, policy[actions + i] = -1;
        learn->reflect(v->instance, symmetry, v->channels, slot, policy, seen, policy + actions);
        for (size_t i = 0; i < size / sizeof *slot; i++)
            before += (double)slot[i] * (double)slot[i], after += (double)seen[i] * (double)seen[i];
        if ((symmetry == 0 && memcmp(slot, seen, size) != 0) || before - after > 1e-3 || after - before > 1e-3)
            good = validate_fail(v, "reflection %d changes the planes' numbers", symmetry);
    }
    for (int i = 0; good && i < actions; i++) {
        int from = (int)policy[actions + i];
        if (from < 0 || from >= actions || taken[from] || (symmetry == 0 && from != i))
            good = validate_fail(v, "reflection %d brings action %d to %d", symmetry, from, i);
        else
            taken[from] = true;
    }
    free(policy);
    free(seen);
    free(taken);
    return good;
}

static bool check_network(struct validator *v, const void *state) {
    const soloist_learn *learn = v->domain->learn;
    float *slot = (float *)v->blocks[BLOCK_SLOT];
    soloist_move *moves = (soloist_move *)v->blocks[BLOCK_REPLIES];
    learn->encode(v->instance, state, v->channels, slot);
    for (size_t i = 0; i < v->sizes[BLOCK_SLOT] / sizeof *slot; i++)
        if (!is_number((double)slot[i]))
            return validate_fail(v, "encode writes no finite number into place %zu", i);
    size_t plane = v->sizes[BLOCK_SLOT] / sizeof *slot / (size_t)v->channels;
    for (size_t i = 0; i < plane * (size_t)learn->bit_planes; i++)
        if (slot[i] != 0 && slot[i] != 1)
            return validate_fail(v, "plane %zu has the number %g, but it is one of the bit_planes", i / plane,
                                 (double)slot[i]);
    int actions = learn->actions(v->instance), count = v->domain->core->moves(v->instance, state, moves);
    for (int i = 0; i < count; i++) {
        int action = learn->action(v->instance, state, moves[i]);
        if (action < 0 || action >= actions)
            return validate_fail(v, "move %u has action %d: expected one below %d", (unsigned)moves[i], action,
                                 actions);
    }
    if (learn->priors && !check_shares(v, state, moves, count))
        return false;
    int ways = learn->symmetries ? learn->symmetries(v->instance) : 0;
    return !ways ||
           (check_reflection(v, slot, 0) && check_reflection(v, slot, (int)soloist_rng_below(&v->rng, (uint32_t)ways)));
}

bool validate_learning(struct validator *v, const void *state) {
    const soloist_reward *reward = v->domain->reward;
    if (v->domain->learn && !check_network(v, state))
        return false;
    for (int which = 0; reward && reward->names[which]; which++)
        if (!is_number(reward->value(v->instance, which, v->step ? v->blocks[BLOCK_PARENT] : NULL, state, v->step)))
            return validate_fail(v, "reward %s is not a finite number", reward->names[which]);
    return true;
}
