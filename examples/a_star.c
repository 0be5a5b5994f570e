/* A* as a plugin: a search method in one file, which works on every domain that has a bound on the cost to go.
 *
 *   cc -shared -fPIC -O2 -Iinclude examples/a_star.c -o a_star.so
 *   soloist solve --plugin ./a_star.so --method my-astar:weight=1.5 FILE
 *
 * The state of least f = g + w h is expanded first, where g is the cost from the root and h the bound; ties go to the
 * state of least bound, then to the one opened last. A state is opened again when a cheaper path to it is found, so
 * that the result is correct under any admissible bound. This is the order of the built-in method astar, and a test
 * checks that both generate and expand the same number of states. */
#include "soloist.h"
#include "soloist_method.h"

#include <string.h>

#define MY_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                         \
    REAL(T, weight, 1, 0, 100, "w in f = g + w h; above 1: faster, but not optimal")
SOLOIST_OPTIONS(my_options, MY_OPTIONS);

/* Nodes, stacks and open entries are named by 32-bit numbers from 1 on: half the size of pointers, and valid when their
 * array moves. 0 stands for none. */
enum { NONE = 0 };

/* An array that grows within the memory limit of the run. */
struct array {
    void *items;
    size_t item_size;
    uint32_t count, room;
};

/* A state in the closed table. Its packed state follows in memory. */
struct node {
    uint32_t parent; /* NONE at the root */
    soloist_move move;
    int32_t cost;  /* least known cost from the root */
    int32_t bound; /* once the state is expanded: with all bits inverted, and so negative */
};

/* The closed table: a slot holds a node and 32 bits of its key, so that a node is rarely read in vain. */
struct slot {
    uint32_t node; /* NONE: the slot is empty */
    uint32_t hash;
};

/* The open list: states of equal priority lie on one stack, and a heap has the stacks that are not empty. There are few
 * different priorities if costs are small, so the heap is small and stays in the cache. */
struct stack {
    uint64_t priority; /* f above, bound below */
    uint32_t top;      /* the entry on top; NONE: the stack is empty */
};

struct entry {
    uint32_t node;
    uint32_t below; /* the next entry of the same stack, or of the list of free entries */
};

/* A state with its children. It is known by the node of its parent and the move that led from there. */
struct expansion {
    uint32_t parent;
    soloist_move move;
    void *state;
    soloist_child *children;
    int count;
};

struct search {
    soloist_run *run;
    const soloist_domain *domain;
    const soloist_instance *instance;
    size_t state_size, packed_size;
    int64_t weight; /* in thousandths: integers give the same sums on every machine */
    bool admissible;
    int32_t best; /* cost of the best goal found; SOLOIST_DEAD: none */

    struct array nodes;
    struct slot *slots;
    uint32_t slot_count; /* a power of two */

    struct array stacks, heap, entries;
    uint32_t *stack_slots; /* hash table: the numbers of the stacks by priority */
    uint32_t stack_slot_count;
    uint32_t free_entries;

    unsigned char *scratch; /* one block for all below */
    size_t scratch_size;
    void *child, *packed;
    struct expansion now, ahead; /* the state being expanded, and the one that will probably be next */
    uint64_t guesses, right_guesses;
};

/* What a step of the search may come to. */
enum outcome { GO_ON, FULL, REFUSED };

/* ---- arrays ------------------------------------------------------------------------------------------- */

static void *item_at(const struct array *array, uint32_t index) {
    return (unsigned char *)array->items + index * array->item_size;
}

/* Appends an item and returns its number; NONE: memory is full. The array grows by a quarter: then little memory lies
 * idle when the limit is reached. */
static uint32_t append(struct search *search, struct array *array) {
    if (array->count == array->room) {
        uint64_t room = array->room + array->room / 4 + 256;
        void *grown = room > UINT32_MAX ? NULL
                                        : soloist_run_resize(search->run, array->items, array->room * array->item_size,
                                                             room * array->item_size);
        if (!grown)
            return NONE;
        array->items = grown;
        array->room = (uint32_t)room;
    }
    if (!array->count)
        array->count = 1; /* number 0 stands for none */
    return array->count++;
}

static void close_array(struct search *search, struct array *array) {
    soloist_run_give(search->run, array->items, array->room * array->item_size);
}

/* ---- the closed table --------------------------------------------------------------------------------- */

static struct node *node_at(const struct search *search, uint32_t index) { return item_at(&search->nodes, index); }
static unsigned char *packed_at(const struct search *search, uint32_t index) {
    return (unsigned char *)(node_at(search, index) + 1);
}

/* One multiplication spreads a weak key over the top bits. */
static uint32_t hash_of(uint64_t key) { return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32); }

static struct slot *home_of(const struct search *search, uint32_t hash) {
    return &search->slots[(uint64_t)hash * search->slot_count >> 32];
}

static struct slot *next_slot(const struct search *search, struct slot *slot) {
    return slot + 1 < search->slots + search->slot_count ? slot + 1 : search->slots;
}

/* Doubles the slots; the first call makes them. */
static bool grow_slots(struct search *search) {
    struct slot *old = search->slots;
    uint32_t old_count = search->slot_count, count = old_count ? 2 * old_count : 1024;
    struct slot *slots = count ? soloist_run_take(search->run, count * sizeof *slots) : NULL;
    if (!slots)
        return false;
    search->slots = slots;
    search->slot_count = count;
    for (uint32_t i = 0; i < old_count; i++) {
        struct slot *slot = home_of(search, old[i].hash);
        if (old[i].node == NONE)
            continue;
        while (slot->node != NONE)
            slot = next_slot(search, slot);
        *slot = old[i];
    }
    soloist_run_give(search->run, old, old_count * sizeof *old);
    return true;
}

/* Finds or adds the state in search->packed. Whole states are compared: equal keys alone prove nothing. NONE: memory is
 * full. */
static uint32_t put(struct search *search, uint64_t key, bool *added) {
    uint32_t hash = hash_of(key);
    *added = false;
    if (search->nodes.count >= search->slot_count / 4 * 3 && !grow_slots(search))
        return NONE;
    struct slot *slot = home_of(search, hash);
    for (; slot->node != NONE; slot = next_slot(search, slot))
        if (slot->hash == hash && !memcmp(packed_at(search, slot->node), search->packed, search->packed_size))
            return slot->node;
    uint32_t index = append(search, &search->nodes);
    if (index == NONE)
        return NONE;
    memcpy(packed_at(search, index), search->packed, search->packed_size);
    *slot = (struct slot){index, hash};
    *added = true;
    return index;
}

/* ---- the open list ------------------------------------------------------------------------------------ */

static struct stack *stack_at(const struct search *search, uint32_t index) { return item_at(&search->stacks, index); }
static struct entry *entry_at(const struct search *search, uint32_t index) { return item_at(&search->entries, index); }
static uint32_t *heap_at(const struct search *search, uint32_t index) { return item_at(&search->heap, index); }

static uint64_t priority_in_heap(const struct search *search, uint32_t place) {
    return stack_at(search, *heap_at(search, place))->priority;
}

/* The slot of the stack of this priority, or the empty slot where it belongs. */
static uint32_t *find_stack(const struct search *search, uint64_t priority) {
    uint32_t at = hash_of(priority) & (search->stack_slot_count - 1);
    while (search->stack_slots[at] != NONE && stack_at(search, search->stack_slots[at])->priority != priority)
        at = (at + 1) & (search->stack_slot_count - 1);
    return &search->stack_slots[at];
}

static bool grow_stack_slots(struct search *search) {
    uint32_t *old = search->stack_slots, old_count = search->stack_slot_count, count = old_count ? 2 * old_count : 256;
    uint32_t *slots = count ? soloist_run_take(search->run, count * sizeof *slots) : NULL;
    if (!slots)
        return false;
    search->stack_slots = slots;
    search->stack_slot_count = count;
    for (uint32_t i = 1; i < search->stacks.count; i++)
        *find_stack(search, stack_at(search, i)->priority) = i;
    soloist_run_give(search->run, old, old_count * sizeof *old);
    return true;
}

/* The stack of this priority, made if there is none. NONE: memory is full. */
static uint32_t stack_of(struct search *search, uint64_t priority) {
    if (search->stacks.count >= search->stack_slot_count / 2 && !grow_stack_slots(search))
        return NONE;
    uint32_t *slot = find_stack(search, priority);
    if (*slot == NONE && (*slot = append(search, &search->stacks)) != NONE)
        *stack_at(search, *slot) = (struct stack){priority, NONE};
    return *slot;
}

/* Puts a stack that is no longer empty into the heap: a binary heap whose root is number 1. */
static bool add_to_heap(struct search *search, uint32_t stack) {
    uint32_t at = append(search, &search->heap);
    if (at == NONE)
        return false;
    uint64_t priority = stack_at(search, stack)->priority;
    for (; at > 1 && priority_in_heap(search, at / 2) > priority; at /= 2)
        *heap_at(search, at) = *heap_at(search, at / 2);
    *heap_at(search, at) = stack;
    return true;
}

/* Takes the root of the heap out. */
static void shrink_heap(struct search *search) {
    uint32_t last = *heap_at(search, --search->heap.count), count = search->heap.count, at = 1;
    uint64_t priority = stack_at(search, last)->priority;
    for (uint32_t down = 2; down < count; down = 2 * at) {
        if (down + 1 < count && priority_in_heap(search, down + 1) < priority_in_heap(search, down))
            down++;
        if (priority_in_heap(search, down) >= priority)
            break;
        *heap_at(search, at) = *heap_at(search, down);
        at = down;
    }
    if (count > 1)
        *heap_at(search, at) = last;
}

/* Opens a state. False: memory is full. */
static bool push(struct search *search, uint32_t index) {
    const struct node *node = node_at(search, index);
    uint64_t f = (uint64_t)(node->cost + search->weight * node->bound / 1000);
    uint32_t stack = stack_of(search, (f < UINT32_MAX ? f : UINT32_MAX) << 32 | (uint32_t)node->bound);
    uint32_t entry = search->free_entries;
    if (entry != NONE)
        search->free_entries = entry_at(search, entry)->below;
    else
        entry = append(search, &search->entries);
    if (stack == NONE || entry == NONE)
        return false;
    bool was_empty = stack_at(search, stack)->top == NONE;
    *entry_at(search, entry) = (struct entry){index, stack_at(search, stack)->top};
    stack_at(search, stack)->top = entry;
    return !was_empty || add_to_heap(search, stack);
}

/* The open state of least f; NONE: no state is open. A state that was opened more than once is expanded the first time
 * that it comes up; its other entries are stale. */
static uint32_t pop(struct search *search, uint32_t *f) {
    while (search->heap.count > 1) {
        struct stack *stack = stack_at(search, *heap_at(search, 1));
        uint32_t top = stack->top, index = entry_at(search, top)->node;
        *f = (uint32_t)(stack->priority >> 32);
        stack->top = entry_at(search, top)->below;
        entry_at(search, top)->below = search->free_entries;
        search->free_entries = top;
        if (stack->top == NONE)
            shrink_heap(search);
        if (node_at(search, index)->bound >= 0)
            return index;
    }
    return NONE;
}

/* The state that the next pop returns, unless its entry is stale; NONE: no state is open. */
static uint32_t first_open(const struct search *search) {
    return search->heap.count > 1 ? entry_at(search, stack_at(search, *heap_at(search, 1))->top)->node : NONE;
}

/* ---- the search --------------------------------------------------------------------------------------- */

/* Records the line that leads to a goal by `move` from the node `parent`. False: memory is full. */
static bool record(struct search *search, uint32_t parent, soloist_move move, int32_t cost) {
    size_t count = 1;
    for (uint32_t i = parent; node_at(search, i)->parent != NONE; i = node_at(search, i)->parent)
        count++;
    soloist_move *moves = soloist_run_take(search->run, count * sizeof *moves);
    if (!moves)
        return false;
    moves[count - 1] = move;
    for (size_t at = count - 1; at; parent = node_at(search, parent)->parent)
        moves[--at] = node_at(search, parent)->move;
    soloist_run_record(search->run, moves, count, cost);
    soloist_run_give(search->run, moves, count * sizeof *moves);
    return true;
}

/* Plays the move on a copy of the state being expanded; returns whether that is a goal. */
static bool make_child(struct search *search, soloist_move move) {
    const soloist_core *core = search->domain->core;
    int32_t last;
    memcpy(search->child, search->now.state, search->state_size);
    core->apply(search->instance, search->child, move, NULL);
    return core->ended(search->instance, search->child, &last);
}

/* Handles one child: a goal, a new state, a cheaper path to a known state, or nothing of use. */
static enum outcome take_child(struct search *search, uint32_t parent, const soloist_child *child) {
    int32_t cost;
    bool added;
    if (!soloist_run_add_cost(search->run, node_at(search, parent)->cost, child->step, &cost))
        return REFUSED;
    if ((int64_t)cost + (search->admissible ? child->bound : 0) >= search->best)
        return GO_ON;
    if (make_child(search, child->move)) {
        search->best = cost;
        return record(search, parent, child->move, cost) ? GO_ON : FULL;
    }
    soloist_run_pack(search->run, search->child, search->packed);
    uint32_t index = put(search, child->key, &added);
    if (index == NONE)
        return FULL;
    if (!added && cost >= node_at(search, index)->cost)
        return GO_ON;
    *node_at(search, index) = (struct node){parent, child->move, cost, child->bound};
    return push(search, index) ? GO_ON : FULL;
}

static void unpack(const struct search *search, uint32_t index, void *state) {
    /* The table keeps states at any address, but a domain may rely on alignment. */
    memcpy(search->packed, packed_at(search, index), search->packed_size);
    soloist_run_unpack(search->run, search->packed, state);
}

/* Lists the children of expansion->state. Their slots in the closed table are fetched from memory at the same time, so
 * that they are there when they are needed. */
static void list_children(const struct search *search, struct expansion *expansion, uint32_t parent,
                          soloist_move move) {
    expansion->parent = parent;
    expansion->move = move;
    expansion->count = search->domain->core->expand(search->instance, expansion->state, move,
                                                    SOLOIST_WANT_KEY | SOLOIST_WANT_BOUND, expansion->children);
    for (int i = 0; i < expansion->count; i++)
        __builtin_prefetch(home_of(search, hash_of(expansion->children[i].key)));
}

/* A right guess costs nothing, because the state has to be expanded anyway. Once more than one of sixteen was wrong,
 * the search goes on without guessing. */
static bool guesses_pay(const struct search *search) {
    return search->guesses < 256 || search->right_guesses * 16 >= search->guesses * 15;
}

/* Expands in advance the state that will probably be next: the last child whose f is not above its parent's, or else
 * the first open state. A wrong guess changes nothing but the time. */
static void guess_next(struct search *search, uint32_t index, int32_t bound) {
    struct expansion *ahead = &search->ahead;
    uint32_t first = first_open(search);
    int i = search->now.count - 1;
    while (i >= 0 && search->now.children[i].step + search->now.children[i].bound > bound)
        i--;
    search->guesses++;
    if (i >= 0) {
        soloist_move move = search->now.children[i].move;
        __builtin_prefetch(node_at(search, first));
        memcpy(ahead->state, search->now.state, search->state_size);
        search->domain->core->apply(search->instance, ahead->state, move, NULL);
        list_children(search, ahead, index, move);
    } else if (first != NONE) {
        unpack(search, first, ahead->state);
        list_children(search, ahead, node_at(search, first)->parent, node_at(search, first)->move);
    }
}

static enum outcome expand(struct search *search, uint32_t index) {
    struct node *node = node_at(search, index);
    int32_t bound = node->bound;
    node->bound = ~bound;
    if (search->ahead.parent == node->parent && search->ahead.move == node->move) {
        struct expansion used = search->now;
        search->now = search->ahead;
        search->ahead = used;
        search->right_guesses++;
    } else {
        unpack(search, index, search->now.state);
        list_children(search, &search->now, node->parent, node->move);
    }
    search->now.count = soloist_run_count_nodes(search->run, search->now.count);
    soloist_run_count_expanded(search->run, 1);
    if (guesses_pay(search))
        guess_next(search, index, bound);
    enum outcome outcome = GO_ON;
    for (int i = 0; i < search->now.count && outcome == GO_ON; i++)
        outcome = take_child(search, index, &search->now.children[i]);
    return outcome;
}

/* Claims what is proved when no open state can lead to a better goal. With w > 1, f is no lower bound, but if no state
 * is open at all, everything was tried. */
static void conclude(struct search *search, bool exhausted) {
    if (exhausted && search->best == SOLOIST_DEAD)
        soloist_run_claim_impossible(search->run);
    else if (exhausted || (search->admissible && search->weight <= 1000))
        soloist_run_claim_optimal(search->run);
}

static enum outcome expand_all(struct search *search) {
    enum outcome outcome = GO_ON;
    uint32_t f, noted = UINT32_MAX;
    while (outcome == GO_ON && !soloist_run_is_optimal(search->run) && !soloist_run_spent(search->run)) {
        uint32_t index = pop(search, &f);
        if (index == NONE || f >= (uint32_t)search->best) {
            conclude(search, index == NONE);
            break;
        }
        if (f != noted)
            soloist_run_note(search->run, "f %u", (unsigned)(noted = f));
        outcome = expand(search, index);
    }
    return outcome;
}

/* ---- one run ------------------------------------------------------------------------------------------ */

static size_t round_up(size_t size) { return (size + 15) & ~(size_t)15; }

static bool open_scratch(struct search *search) {
    const soloist_shape *shape = soloist_run_shape(search->run);
    size_t state = round_up(search->state_size), packed = round_up(search->packed_size);
    size_t children = round_up((size_t)shape->most_moves * sizeof(soloist_child));
    search->scratch_size = 3 * state + packed + 2 * children;
    unsigned char *block = search->scratch = soloist_run_take(search->run, search->scratch_size);
    if (!block)
        return false;
    search->child = block;
    search->packed = block + state;
    search->now.state = block + state + packed;
    search->ahead.state = block + 2 * state + packed;
    search->now.children = (soloist_child *)(block + 3 * state + packed);
    search->ahead.children = (soloist_child *)(block + 3 * state + packed + children);
    search->ahead.parent = UINT32_MAX; /* nothing is expanded in advance */
    return true;
}

static bool open_root(struct search *search) {
    bool added;
    search->domain->life->root(search->instance, search->now.state);
    soloist_run_pack(search->run, search->now.state, search->packed);
    uint32_t root = put(search, search->domain->core->key(search->instance, search->now.state), &added);
    if (root == NONE)
        return false;
    int32_t bound = search->domain->bound->value(search->instance, search->now.state);
    *node_at(search, root) = (struct node){NONE, SOLOIST_NO_MOVE, 0, bound};
    return bound == SOLOIST_DEAD || push(search, root);
}

static void close_search(struct search *search) {
    soloist_run_give(search->run, search->scratch, search->scratch_size);
    soloist_run_give(search->run, search->slots, search->slot_count * sizeof *search->slots);
    soloist_run_give(search->run, search->stack_slots, search->stack_slot_count * sizeof *search->stack_slots);
    close_array(search, &search->nodes);
    close_array(search, &search->stacks);
    close_array(search, &search->heap);
    close_array(search, &search->entries);
}

static soloist_code run(soloist_run *run) {
    const struct my_options *options = soloist_run_options(run);
    struct search search = {.run = run,
                            .domain = soloist_run_domain(run),
                            .instance = soloist_run_instance(run),
                            .state_size = soloist_run_shape(run)->state_size,
                            .packed_size = soloist_run_packed_size(run),
                            .best = SOLOIST_DEAD,
                            .stacks.item_size = sizeof(struct stack),
                            .heap.item_size = sizeof(uint32_t),
                            .entries.item_size = sizeof(struct entry)};
    search.nodes.item_size = (sizeof(struct node) + search.packed_size + 7) & ~(size_t)7; /* aligned for a node */
    search.weight = (int64_t)(options->weight * 1000 + 0.5);
    search.admissible = search.domain->bound->admissible(search.instance);
    enum outcome outcome = open_scratch(&search) && open_root(&search) ? expand_all(&search) : FULL;
    close_search(&search);
    if (outcome == FULL)
        return soloist_run_full(run);
    return outcome == REFUSED ? SOLOIST_UNSUPPORTED : SOLOIST_OK;
}

static const soloist_method method = {
    .abi = SOLOIST_ABI,
    .size = sizeof(soloist_method),
    .name = "my-astar",
    .summary = "the example of a plugin: A*, like the built-in method astar",
    .options = my_options_rows,
    .options_size = sizeof(struct my_options),
    .needs = SOLOIST_NEEDS_ONE_PLAYER | SOLOIST_NEEDS_LEAST_COST | SOLOIST_NEEDS_BOUND,
    .run = run,
};

const soloist_method *soloist_plugin_method(void) { return &method; }
