/* Every method against exhaustive search, on small random instances of every domain: duel [VERDICTS [SEED]].
 *
 * What a method says must be true: a solution exists and is no better than the best; "optimal" means as good as the
 * best; "impossible" means that no goal can be reached. The truth comes from a plain search over the rules (core.moves,
 * apply, ended) of an instance that was read without any deadlock rule. A verdict is one solve that says one of these
 * things; there are VERDICTS of them (100,000 by default). Hints, explanations and shortened solutions are judged in
 * the same way: the boxes that an explanation marks have no solution even without the others. Every second run of a
 * method has random options. Ends with the number of false verdicts; the exit status says whether there were any. */
#include "../examples/lights_out.c"
#include "any_network.h"
#include "duel/draw_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_states = 400000, text_room = 256 };

/* ---- the truth ---- */

/* All states met, in the order in which they were met, with a hash table of their numbers plus 1. */
struct space {
    const soloist_domain *domain;
    const soloist_instance *instance;
    soloist_shape shape;
    unsigned char *states;
    int32_t *values; /* cost from the root, or the best score to come */
    uint32_t *slots, mask;
    uint32_t count;
};

static void *need(void *memory) {
    if (!memory) {
        fputs("duel: out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

static void space_open(struct space *space, const soloist_puzzle *puzzle) {
    *space = (struct space){.domain = puzzle->domain, .instance = puzzle->instance, .mask = (1u << 20) - 1};
    space->domain->life->shape(space->instance, &space->shape);
    space->states = need(malloc((size_t)most_states * space->shape.state_size));
    space->values = need(malloc(most_states * sizeof *space->values));
    space->slots = need(calloc(space->mask + 1u, sizeof *space->slots));
}

static void space_close(struct space *space) { free(space->states), free(space->values), free(space->slots); }

static void *space_state(const struct space *space, uint32_t number) {
    return space->states + (size_t)number * space->shape.state_size;
}

/* The number of a state; *added says whether it is new. most_states: there are too many. */
static uint32_t space_add(struct space *space, const void *state, bool *added) {
    uint32_t at = (uint32_t)(space->domain->core->key(space->instance, state) * UINT64_C(0x9e3779b97f4a7c15) >> 40);
    for (at &= space->mask; space->slots[at]; at = (at + 1) & space->mask)
        if (!memcmp(space_state(space, space->slots[at] - 1), state, space->shape.state_size)) {
            *added = false;
            return space->slots[at] - 1;
        }
    if (space->count == most_states)
        return most_states;
    *added = true;
    memcpy(space_state(space, space->count), state, space->shape.state_size);
    space->slots[at] = ++space->count;
    return space->count - 1;
}

enum { no_goal = -1, too_large = -2 };

/* The least cost, where every move costs 1. */
static int32_t least_cost(struct space *space) {
    unsigned char *state = need(malloc(space->shape.state_size));
    soloist_move *moves = need(malloc((size_t)space->shape.most_moves * sizeof *moves));
    int32_t last, best = no_goal;
    bool added;
    space->domain->life->root(space->instance, state);
    space->values[space_add(space, state, &added)] = 0;
    for (uint32_t at = 0; best == no_goal && at < space->count; at++) {
        if (space->domain->core->ended(space->instance, space_state(space, at), &last)) {
            best = space->values[at];
            break;
        }
        int count = space->domain->core->moves(space->instance, space_state(space, at), moves);
        for (int i = 0; i < count; i++) {
            memcpy(state, space_state(space, at), space->shape.state_size);
            if (space->domain->core->apply(space->instance, state, moves[i], NULL) != 1)
                abort();
            uint32_t child = space_add(space, state, &added);
            if (child == most_states) {
                best = too_large;
                break;
            }
            if (added)
                space->values[child] = space->values[at] + 1;
        }
    }
    free(state), free(moves);
    return best;
}

/* The highest score that can still come; too_large if there are too many states. Values may be negative, so that
 * `known` says whether there is one. */
static bool most_score(struct space *space, const void *state, int32_t *value) {
    int32_t last;
    bool added;
    uint32_t number = space_add(space, state, &added);
    if (number == most_states)
        return false;
    if (!added) {
        *value = space->values[number];
        return true;
    }
    if (space->domain->core->ended(space->instance, state, &last)) {
        *value = space->values[number] = last;
        return true;
    }
    soloist_move *moves = need(malloc((size_t)space->shape.most_moves * sizeof *moves));
    unsigned char *child = need(malloc(space->shape.state_size));
    int count = space->domain->core->moves(space->instance, state, moves);
    bool well = true;
    for (int i = 0; well && i < count; i++) {
        int32_t rest = 0;
        memcpy(child, state, space->shape.state_size);
        int32_t gain = space->domain->core->apply(space->instance, child, moves[i], NULL);
        well = most_score(space, child, &rest);
        *value = !i || gain + rest > *value ? gain + rest : *value;
    }
    space->values[number] = *value;
    free(moves), free(child);
    return well;
}

/* False: the instance is too large. *exists: there is a solution; *value: that of the best. */
static bool find_truth(const soloist_puzzle *puzzle, bool *exists, int32_t *value) {
    struct space space;
    bool well = true;
    space_open(&space, puzzle);
    if (puzzle->domain->aim == SOLOIST_LEAST_COST) {
        *value = least_cost(&space);
        *exists = *value >= 0;
        well = *value != too_large;
    } else {
        unsigned char *root = need(malloc(space.shape.state_size));
        puzzle->domain->life->root(puzzle->instance, root);
        well = most_score(&space, root, value);
        *exists = true;
        free(root);
    }
    space_close(&space);
    return well;
}

/* ---- instances ---- */

static void make_room(soloist_rng *rng, char *text) {
    int width = 3 + (int)soloist_rng_below(rng, 4), height = 2 + (int)soloist_rng_below(rng, 3);
    int boxes = 1 + (int)soloist_rng_below(rng, 3), cells = width * height, put = 0;
    char room[64];
    memset(room, ' ', sizeof room);
    for (int i = (int)soloist_rng_below(rng, 5); i; i--)
        room[soloist_rng_below(rng, (uint32_t)cells)] = '#';
    for (const char *things = "@$.$.$."; *things && put < 1 + 2 * boxes; put++, things++)
        for (int tries = 0; tries < 50; tries++) {
            char *cell = &room[soloist_rng_below(rng, (uint32_t)cells)];
            char both = *cell == ' '                     ? *things
                        : *cell == '.' && *things == '$' ? '*'
                        : *cell == '$' && *things == '.' ? '*'
                                                         : 0;
            if (both) {
                *cell = both;
                break;
            }
        }
    int at = 0;
    for (int y = -1; y <= height; y++) {
        for (int x = -1; x <= width; x++)
            text[at++] = y < 0 || y == height || x < 0 || x == width ? '#' : room[y * width + x];
        text[at++] = '\n';
    }
    text[at] = 0;
}

static void make_permutation(soloist_rng *rng, int count, int from, char *text) {
    int numbers[16];
    for (int i = 0; i < count; i++) {
        int j = (int)soloist_rng_below(rng, (uint32_t)i + 1);
        numbers[i] = numbers[j];
        numbers[j] = from + i;
    }
    for (int i = 0; i < count; i++)
        text += sprintf(text, i ? " %d" : "%d", numbers[i]);
    strcpy(text, "\n");
}

static void make_tiles(soloist_rng *rng, char *text) {
    static const int sizes[][2] = {{2, 2}, {3, 2}, {2, 3}, {3, 3}, {4, 2}, {2, 4}, {5, 2}};
    const int *size = sizes[soloist_rng_below(rng, 7)];
    text += sprintf(text, "%dx%d: ", size[0], size[1]);
    make_permutation(rng, size[0] * size[1], 0, text);
}

static void make_pancakes(soloist_rng *rng, char *text) {
    make_permutation(rng, 2 + (int)soloist_rng_below(rng, 7), 1, text);
}

static void make_same_game(soloist_rng *rng, char *text) {
    int width = 1 + (int)soloist_rng_below(rng, 4), height = 1 + (int)soloist_rng_below(rng, 4);
    uint32_t colours = 1 + soloist_rng_below(rng, 4);
    for (int y = 0; y < height; y++, *text++ = '\n')
        for (int x = 0; x < width; x++)
            *text++ = (char)('1' + soloist_rng_below(rng, colours));
    *text = 0;
}

static void make_lights(soloist_rng *rng, char *text) {
    int width = 1 + (int)soloist_rng_below(rng, 3), height = 1 + (int)soloist_rng_below(rng, 3);
    text += sprintf(text, "%dx%d:", width, height);
    for (int i = 0; i < width * height; i++)
        *text++ = (char)('0' + soloist_rng_below(rng, 2));
    strcpy(text, "\n");
}

enum { most_options = 12 };

struct kind {
    const char *domain;
    const char *plain_domain, *plain; /* tell the truth: options without any rule that leaves moves out */
    void (*make)(soloist_rng *rng, char *text);
    const char *options[most_options]; /* one of these is chosen; the rest are NULL */
};

static const struct kind kinds[] = {
    {"sokoban",
     "sokoban",
     "rules=none",
     make_room,
     {"", "rules=none", "rules=kroger", "pairs=on,triples=600", "bound=matching-manhattan", "tunnels=keeping",
      "deadlock_tables=true,diagonals=true", "pattern_deadlocks=true,penalties=sound", "goal_macros=true",
      "rules=marocchi"}},
    {"sokoban-moves", "sokoban-moves", "rules=none", make_room, {"", "rules=none"}},
    {"sokoban", "sokoban-moves", "rules=none", make_room, {"optimal=moves", "optimal=moves,pairs=on,triples=600"}},
    {"tiles", "tiles", "", make_tiles, {"", "bound=linear-conflict"}},
    {"tiles", "tiles", "goal=blank-last", make_tiles, {"goal=blank-last", "goal=blank-last,bound=linear-conflict"}},
    {"pancake", "pancake", "", make_pancakes, {"", "gap=1", "gap=2"}},
    {"samegame", "samegame", "", make_same_game, {""}},
    {"samegame", "samegame", "scoring=blocks", make_same_game, {"scoring=blocks"}},
    {"samegame", "samegame", "scoring=clickomania", make_same_game, {"scoring=clickomania"}},
    {"samegame", "samegame", "scoring=jawbreaker", make_same_game, {"scoring=jawbreaker"}},
    {"samegame", "samegame", "scoring=windows", make_same_game, {"scoring=windows"}},
    {"lights-out", "lights-out", "", make_lights, {""}}, /* a plugin */
};
enum { kind_count = sizeof kinds / sizeof *kinds };

/* ---- the duel ---- */

struct duel {
    soloist *engine;
    uint64_t wanted, verdicts, optimal, impossible, wrong, instances, seed;
};

static bool read_puzzle(const struct duel *duel, const struct kind *kind, const char *options, const char *text,
                        soloist_puzzle *puzzle) {
    soloist_error error = {0};
    const soloist_domain *domain = soloist_find_domain(duel->engine, kind->domain);
    soloist_chunk chunk = {.text = text, .length = strlen(text), .line = 1};
    return domain && soloist_puzzle_read(domain, options, &chunk, puzzle, &error) == SOLOIST_OK;
}

static void tell(struct duel *duel, const struct kind *kind, const char *options, const char *text, const char *what,
                 const soloist_result *result, bool exists, int32_t best) {
    if (duel->wrong++ < 20)
        printf("FALSE: %s:%s, %s: %s, value %d, %s; the truth: %s, %d\n%s", kind->domain, options, result->method, what,
               result->verdict.value, result->optimal ? "optimal" : "not called optimal",
               exists ? "solvable" : "impossible", best, text);
}

static void judge(struct duel *duel, const struct kind *kind, const char *options, const char *text,
                  const soloist_puzzle *puzzle, const soloist_result *result, bool exists, int32_t best) {
    bool score = puzzle->domain->aim == SOLOIST_MOST_SCORE;
    int32_t value = result->verdict.value;
    if (result->status == SOLOIST_IMPOSSIBLE) {
        duel->verdicts++, duel->impossible++;
        if (exists)
            tell(duel, kind, options, text, "called impossible", result, exists, best);
    } else if (result->status == SOLOIST_SOLVED) {
        duel->verdicts++, duel->optimal += result->optimal;
        if (!exists || (score ? value > best : value < best))
            tell(duel, kind, options, text, "better than the best", result, exists, best);
        else if (result->optimal && value != best)
            tell(duel, kind, options, text, "called optimal", result, exists, best);
        else if (!soloist_check(puzzle, result->solution, strlen(result->solution), NULL, NULL))
            tell(duel, kind, options, text, "refused by the referee", result, exists, best);
    }
}

/* ---- advice ---- */

/* The level with only the boxes that the advice marks by X. */
static void keep_marked(const char *text, const char *board, char *out) {
    for (; *text; text++, out++) {
        if (*board == *text || *board == 'X')
            board++;
        bool box = *text == '$' || *text == '*', marked = board[-1] == 'X';
        *out = !box || marked ? *text : *text == '*' ? '.' : ' ';
    }
    *out = 0;
}

/* Whether the boxes that the advice marks can be solved: removing the others only adds possibilities. */
static bool is_solvable_alone(const struct duel *duel, const struct kind *kind, const char *text, const char *board) {
    char marked[text_room];
    soloist_puzzle plain;
    bool solvable = false;
    int32_t value;
    keep_marked(text, board, marked);
    if (!read_puzzle(duel, kind, kind->plain, marked, &plain))
        return true;
    bool known = find_truth(&plain, &solvable, &value);
    soloist_puzzle_free(&plain);
    return known && solvable;
}

enum advice_kind { advice_explain, advice_quick, advice_hint, advice_kinds };

/* What is false about the advice; NULL: nothing. */
static const char *find_fault(const struct duel *duel, const struct kind *kind, const char *text, enum advice_kind what,
                              const soloist_advice *advice, bool exists, int32_t best) {
    bool cost = soloist_find_domain(duel->engine, kind->domain)->aim == SOLOIST_LEAST_COST;
    switch (advice->outlook) {
    case SOLOIST_OUTLOOK_UNKNOWN: return what == advice_quick ? NULL : "unknown";
    case SOLOIST_OUTLOOK_ALIVE: return exists ? NULL : "alive";
    case SOLOIST_OUTLOOK_ENDED: return exists && (!cost || !best) ? NULL : "ended";
    case SOLOIST_OUTLOOK_LOST: break;
    }
    if (exists)
        return "lost";
    bool marks = advice->board && strchr(advice->board, 'X');
    return marks && is_solvable_alone(duel, kind, text, advice->board) ? "the marked boxes can be solved" : NULL;
}

static void check_advice(struct duel *duel, const struct kind *kind, const char *options, const char *text,
                         const soloist_puzzle *puzzle, bool exists, int32_t best, enum advice_kind what) {
    static const char *const names[] = {"explain", "explain quickly", "hint"};
    const soloist_limits limits = {.memory = (size_t)64 << 20, .time_s = 20, .seed = 1};
    soloist_advice advice;
    soloist_error error = {0};
    soloist_code code = what == advice_hint ? soloist_hint(duel->engine, puzzle, NULL, &limits, NULL, &advice, &error)
                                            : soloist_explain(duel->engine, puzzle, what == advice_quick, &limits, NULL,
                                                              &advice, &error);
    const char *fault = code != SOLOIST_OK ? error.text : find_fault(duel, kind, text, what, &advice, exists, best);
    duel->verdicts += code == SOLOIST_OK && advice.outlook != SOLOIST_OUTLOOK_UNKNOWN;
    if (fault && duel->wrong++ < 20)
        printf("FALSE: %s:%s, %s: %s (%s, %s); the truth: %s, %d\n%s%s", kind->domain, options, names[what], fault,
               advice.reason, advice.sentence, exists ? "solvable" : "impossible", best, text,
               advice.board ? advice.board : "");
    soloist_advice_free(&advice);
}

/* A solution that was shortened is one, and "optimal" means that no solution has fewer pushes, or fewer moves. */
static void check_shorter(struct duel *duel, const char *text, const soloist_puzzle *puzzle,
                          const soloist_result *result, int32_t pushes, soloist_rng *rng) {
    static const struct kind steps = {"sokoban-moves", "sokoban-moves", "rules=none", NULL, {""}};
    static const char *const aims[] = {"pushes", "moves", "pushes-moves", "moves-pushes", "box-lines", "box-changes"};
    const soloist_limits limits = {.memory = (size_t)64 << 20, .time_s = 20};
    const char *aim = aims[soloist_rng_below(rng, 6)];
    soloist_result shorter;
    soloist_puzzle plain;
    soloist_error error = {0};
    bool exists = true, by_moves = !strncmp(aim, "moves", 5), by_pushes = !strncmp(aim, "pushes", 6);
    int32_t least = pushes;
    soloist_code code = soloist_optimize(duel->engine, puzzle, result->solution, strlen(result->solution), aim, &limits,
                                         NULL, &shorter, &error);
    if (by_moves && read_puzzle(duel, &steps, steps.plain, text, &plain)) {
        by_moves = find_truth(&plain, &exists, &least);
        soloist_puzzle_free(&plain);
    }
    duel->verdicts++, duel->optimal += shorter.optimal;
    int32_t value = by_moves ? shorter.verdict.moves : shorter.verdict.pushes;
    bool right = code == SOLOIST_OK && shorter.solution && value >= least &&
                 (!shorter.optimal || !(by_moves || by_pushes) || value == least) &&
                 soloist_check(puzzle, shorter.solution, strlen(shorter.solution), NULL, NULL);
    if (!right && duel->wrong++ < 20)
        printf("FALSE: %s by %s for %s: %s, %d; the truth: %d %s\n%s", result->solution, result->method, aim,
               shorter.optimal ? "optimal" : "not called optimal", value, least, error.text, text);
    soloist_result_free(&shorter);
}

/* ---- fights ---- */

/* Every method that suits the domain, with limits that end some of the searches early. */
static void fight(struct duel *duel, const struct kind *kind, const char *options, const char *text, bool exists,
                  int32_t best, soloist_rng *rng) {
    soloist_puzzle puzzle;
    const char *name;
    const soloist_option *rows;
    struct any_network any;
    if (!read_puzzle(duel, kind, options, text, &puzzle)) {
        printf("FALSE: %s:%s cannot be read\n%s", kind->domain, options, text);
        duel->wrong++;
        return;
    }
    for (size_t m = 0; soloist_method_at(duel->engine, m, &name, NULL, &rows); m++) {
        char method[method_room];
        soloist_error error = {0};
        draw_method(rng, name, rows, false, method);
        soloist_result result;
        soloist_limits limits = {.nodes = 1 + soloist_rng_below(rng, soloist_rng_below(rng, 2) ? 200 : 100000),
                                 .iterations = 1 + soloist_rng_below(rng, 300),
                                 .memory = (size_t)64 << 20,
                                 .time_s = 20,
                                 .threads = 1 + (int)soloist_rng_below(rng, 3),
                                 .seed = duel->seed + duel->instances,
                                 .network = any_network_open(&any, puzzle.domain)};
        if (soloist_method_suits(duel->engine, &puzzle, method, &limits, &error) != SOLOIST_OK)
            continue;
        soloist_code code = soloist_solve(duel->engine, &puzzle, method, &limits, NULL, &result, &error);
        if (code == SOLOIST_INTERNAL)
            tell(duel, kind, options, text, error.text, &result, exists, best);
        else
            judge(duel, kind, options, text, &puzzle, &result, exists, best);
        if (code == SOLOIST_OK && result.solution && !strcmp(kind->domain, "sokoban") && !strstr(options, "optimal="))
            check_shorter(duel, text, &puzzle, &result, best, rng);
        soloist_result_free(&result);
    }
    for (enum advice_kind what = 0; what < advice_kinds; what++)
        check_advice(duel, kind, options, text, &puzzle, exists, best, what);
    soloist_puzzle_free(&puzzle);
}

static void next_instance(struct duel *duel) {
    char text[text_room];
    soloist_rng rng;
    soloist_puzzle plain;
    bool exists = false;
    int32_t best = 0;
    int count = 0;
    soloist_rng_seed(&rng, duel->seed, duel->instances++);
    const struct kind *kind = &kinds[soloist_rng_below(&rng, kind_count)];
    kind->make(&rng, text);
    struct kind truth = *kind;
    truth.domain = kind->plain_domain;
    if (!read_puzzle(duel, &truth, kind->plain, text, &plain))
        return;
    bool known = find_truth(&plain, &exists, &best);
    soloist_puzzle_free(&plain);
    while (count < most_options && kind->options[count])
        count++;
    if (known)
        fight(duel, kind, kind->options[soloist_rng_below(&rng, (uint32_t)count)], text, exists, best, &rng);
}

int main(int count, char **words) {
    struct duel duel = {.engine = soloist_new(),
                        .wanted = count > 1 ? strtoull(words[1], NULL, 10) : 100000,
                        .seed = count > 2 ? strtoull(words[2], NULL, 10) : 1};
    soloist_error error;
    need(duel.engine);
    if (soloist_add_domain(duel.engine, soloist_plugin(), &error) != SOLOIST_OK) {
        fprintf(stderr, "duel: %s\n", error.text);
        return 2;
    }
    while (duel.verdicts < duel.wanted)
        next_instance(&duel);
    printf("%" PRIu64 " verdicts on %" PRIu64 " instances, %" PRIu64 " called optimal, %" PRIu64
           " called impossible: %" PRIu64 " false\n",
           duel.verdicts, duel.instances, duel.optimal, duel.impossible, duel.wrong);
    soloist_free(duel.engine);
    return duel.wrong != 0;
}
