/* Checks of walks: every choice is a legal move; rule 0 offers all legal moves, and every rule offers at least one if
 * there is any. A choice gains the same score as apply, a walk ends when the core says so, a copy of a walk continues
 * in the same way, and no part is used up twice. */
#include "domain/validate_internal.h"

#include <stdlib.h>
#include <string.h>

struct walkers {
    const soloist_walk *group;
    unsigned char *walk, *copy; /* each followed by guard bytes */
    size_t size;
    int rule, count;
    bool used[SOLOIST_MOST_PARTS]; /* the parts that this walk has used up */
};

enum { guard_size = 16, guard_byte = 0x6b };

static const soloist_choice *choices_of(const void *walk) { return walk; }

static bool guards_hold(const struct walkers *w) {
    for (size_t i = w->size; i < w->size + guard_size; i++)
        if (w->walk[i] != guard_byte || w->copy[i] != guard_byte)
            return false;
    return true;
}

/* Every choice must be a legal move, and none may occur twice. */
static bool check_choices(struct validator *v, const struct walkers *w, const void *state) {
    soloist_move *moves = (soloist_move *)(void *)v->blocks[BLOCK_MOVES];
    const soloist_choice *choices = choices_of(w->walk);
    int legal = v->domain->core->moves(v->instance, state, moves);
    if (w->count > legal || (w->rule == 0 && w->count != legal) || (legal && !w->count))
        return validate_fail(v, "rule %d of a walk has %d choices, moves lists %d", w->rule, w->count, legal);
    for (int i = 0; i < w->count; i++) {
        int at = 0;
        while (at < legal && moves[at] != choices[i].move)
            at++;
        if (at == legal)
            return validate_fail(v, "rule %d of a walk has move %u, which is not legal or comes twice", w->rule,
                                 (unsigned)choices[i].move);
        moves[at] = SOLOIST_NO_MOVE;
    }
    return true;
}

/* The parts of the choice must be new ones. */
static bool check_parts(struct validator *v, struct walkers *w, int chosen) {
    uint16_t parts[SOLOIST_MOST_PARTS];
    int count = w->group->parts ? w->group->parts(v->instance, w->walk, chosen, parts) : 0;
    if (w->group->parts && (count < 1 || count > SOLOIST_MOST_PARTS))
        return validate_fail(v, "a choice of a walk has %d parts", count);
    for (int i = 0; i < count; i++) {
        if (parts[i] >= SOLOIST_MOST_PARTS || w->used[parts[i]])
            return validate_fail(v, "a walk uses up part %d, which is too high or used up already", (int)parts[i]);
        w->used[parts[i]] = true;
    }
    return true;
}

/* Plays one choice on the walk, on a copy of it and on the state. */
static bool check_step(struct validator *v, struct walkers *w, void *state) {
    int chosen = (int)soloist_rng_below(&v->rng, (uint32_t)w->count);
    soloist_choice choice = choices_of(w->walk)[chosen];
    if (!check_parts(v, w, chosen))
        return false;
    w->group->copy(v->instance, w->copy, w->walk);
    w->count = w->group->play(v->instance, w->walk, chosen);
    if (w->group->play(v->instance, w->copy, chosen) != w->count)
        return validate_fail(v, "a copy of a walk continues differently");
    for (int i = 0; i < w->count; i++)
        if (choices_of(w->walk)[i].code != choices_of(w->copy)[i].code ||
            choices_of(w->walk)[i].move != choices_of(w->copy)[i].move)
            return validate_fail(v, "a copy of a walk has other choices");
    int32_t step = v->domain->core->apply(v->instance, state, choice.move, NULL);
    if (step != choice.gain)
        return validate_fail(v, "a choice of a walk gains %d, apply gives %d", (int)choice.gain, (int)step);
    return guards_hold(w) || validate_fail(v, "a walk writes past its end");
}

static bool walk_by_rule(struct validator *v, struct walkers *w) {
    void *state = v->blocks[BLOCK_STATE];
    v->domain->life->root(v->instance, state);
    w->count = w->group->open(v->instance, w->walk, state, w->rule, 0);
    memset(w->used, 0, sizeof w->used);
    for (v->step = 0; v->step <= v->steps; v->step++) {
        int32_t last = 0, walk_last = 0;
        bool ended = v->domain->core->ended(v->instance, state, &last);
        if (w->group->ended(v->instance, w->walk, &walk_last) != ended || last != walk_last)
            return validate_fail(v, "a walk and core disagree about the end of play");
        if (!check_choices(v, w, state))
            return false;
        if (ended || !w->count)
            return true;
        if (!check_step(v, w, state))
            return false;
    }
    return true;
}

/* Sets *all to the number of all rules, and checks that each further one refines one of the others. */
static bool count_rules(struct validator *v, const soloist_walk *group, int *all) {
    int plain = group->rules(v->instance);
    *all = plain;
    if (plain < 1)
        return validate_fail(v, "a walk has %d rules, but it needs at least one", plain);
    if (!group->refinements || !group->refines)
        return (!group->refinements && !group->refines) ||
               validate_fail(v, "a walk has only one of the functions refinements and refines");
    *all += group->refinements(v->instance);
    for (int rule = plain; rule < *all; rule++) {
        int refined = group->refines(v->instance, rule);
        if (refined < 0 || refined >= plain)
            return validate_fail(v, "rule %d of a walk refines rule %d, but rules go from 0 to %d", rule, refined,
                                 plain - 1);
    }
    return true;
}

bool validate_walks(struct validator *v) {
    struct walkers w = {.group = v->domain->walk};
    if (!w.group)
        return true;
    w.size = w.group->walk_size(v->instance);
    w.walk = malloc(w.size + guard_size);
    w.copy = malloc(w.size + guard_size);
    bool good = w.walk && w.copy;
    if (good) {
        memset(w.walk + w.size, guard_byte, guard_size);
        memset(w.copy + w.size, guard_byte, guard_size);
    }
    int all = 0;
    good = good && count_rules(v, w.group, &all);
    for (v->walk = 0; good && v->walk < v->walks; v->walk++)
        for (w.rule = 0; good && w.rule < all; w.rule++)
            good = walk_by_rule(v, &w);
    free(w.walk);
    free(w.copy);
    return good;
}
