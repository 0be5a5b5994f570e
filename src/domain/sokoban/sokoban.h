/* Sokoban's instance and state, and the declarations that its files share. Squares are numbered row by row over the
 * smallest rectangle that contains the player's area (see board.h): a set of squares is a few words, and the flood
 * fill, the pushes, the dead squares and the frozen boxes are computed word by word.
 *
 * A post is a box's square together with the part of the floor that the player is in. A box alone on the board divides
 * the rest of the floor into one to four parts, and the player's part decides how the box can be pushed. */
#ifndef DOMAIN_SOKOBAN_SOKOBAN_H
#define DOMAIN_SOKOBAN_SOKOBAN_H

#include "domain/sokoban/board.h"
#include "domain/sokoban/file/level.h"
#include "domain/sokoban/options.h"

#define SOKOBAN_NEVER INT32_MAX /* infinite distance; equals MATCHING_NEVER and SOLOIST_DEAD */

/* Directions in the order of moves; 3 - d is the opposite of d. */
enum { SOKOBAN_UP, SOKOBAN_LEFT, SOKOBAN_RIGHT, SOKOBAN_DOWN };

/* A push is coded as the box's square * 4 + direction. In a macro, the bits from SOKOBAN_MACRO_SHIFT on hold 1 + the
 * square that the box ends on, see macro.h. */
#define SOKOBAN_MACRO_SHIFT 16

/* The options in effect, for both domains. */
struct sokoban_rules {
    int bound;         /* the lower bound, an enum sokoban_bound_kind */
    bool dead_squares; /* false: boxes may be pushed to squares from which no goal can be reached */
    bool freeze, wall_line, bipartite, diagonals;
    bool exact;                     /* the state holds the player's own square, not his region: costs count steps */
    bool steps;                     /* a move is one step, not one push */
    bool corrals, corral_deadlocks; /* see corral.c and corral_deadlock.c */
    int pairs;                      /* enum sokoban_pairs_kind, see pairs.c */
    int triples;                    /* maximum number of sets in a table, in thousands, see triples.c */
    bool deadlock_tables;           /* see deadlock_table.c */
    int tunnels, goal_cuts;         /* enum sokoban_tunnels, enum sokoban_goal_cuts */
    bool goal_macros;
    int listing;            /* enum sokoban_listing: what `moves` lists */
    bool pattern_deadlocks; /* see pattern.h */
    int share;              /* enum sokoban_share, see pattern_memory.c */
    int penalties;          /* enum sokoban_penalties */
    int deadlock_nodes, penalty_nodes, pattern_zone;
};

/* Squares where a lone box is not lost. */
struct sokoban_alive {
    uint64_t some[SOKOBAN_WORDS]; /* not lost if the player is in a suitable part of the floor */
    /* The squares of `some` where the box is lost if the player is in an unsuitable part of the floor. */
    uint64_t sided[SOKOBAN_WORDS];
    uint64_t beside[4][SOKOBAN_WORDS]; /* [d]: not lost if the player is on the next square in direction d */
};

struct sokoban {
    struct sokoban_level level; /* the level as it was read, for printing */
    struct sokoban_rules rules;
    int left, top; /* column and row of square 0 in the level */
    int stride, size, words;
    int step[4]; /* difference between a square and its neighbour, by direction */
    int boxes, goals, floor_count, posts;
    int root_player;        /* the player's own square at the root */
    uint32_t root_place;    /* the player's square or region as the root state stores it */
    const char *impossible; /* why the level has no solution, as a sentence; or NULL */
    /* Bit r: in ring r (see board_ring) the members next to the middle square are connected with each other. */
    uint64_t ring_joined[4];

    uint64_t floor[SOKOBAN_WORDS], goal[SOKOBAN_WORDS], root_boxes[SOKOBAN_WORDS];
    struct sokoban_alive live; /* for forward play, where not lost means that some goal can be reached */
    /* For backward play, where not lost means that a box can be pushed to this square from its square at the root. */
    struct sokoban_alive reached;
    /* Squares where every push along the row (0) or column (1) takes a lone box to a dead square. */
    uint64_t stuck[2][SOKOBAN_WORDS];
    /* Along the row (0) or column (1), if rules.tunnels is on: squares with walls on both sides, and the subset of
     * these squares on which a box divides the floor. */
    uint64_t walled[2][SOKOBAN_WORDS], cutting[2][SOKOBAN_WORDS];

    /* The instance owns everything below, and every array is indexed by square, unless stated otherwise. */
    uint64_t *box_key, *player_key;
    uint16_t *goal_square;      /* [goals]: the squares of the goals, in rising order */
    uint16_t *post_first;       /* [size + 1]: the posts of square s are post_first[s] .. post_first[s + 1] - 1 */
    uint8_t (*side_next_to)[4]; /* the part that contains the neighbour in a direction; SOKOBAN_NO_SIDE: no floor */
    int32_t *side_row;          /* index of the square's row in `sides`; -1: a box here does not divide the floor */
    uint8_t *sides;             /* for each square on which a box divides the floor: the part of every other square */
    int32_t *pushes;            /* [posts][goals]: least number of pushes that take a lone box from a post to a goal */
    int32_t *pushes_or_floor;   /* the same with the number of floor squares instead of SOKOBAN_NEVER */
    int32_t *manhattan;         /* [size][goals] */
    int32_t *nearest;           /* Manhattan distance to the nearest goal */
    /* [posts][goals]: the costs that the matching bound uses; may point to the same array as `pushes`. */
    int32_t *cost;
    /* [posts][boxes]: least number of pushes that take a lone box from its square at the root to a post. */
    int32_t *from_root;
    int line_count;         /* lines: straight runs of squares that a box can never leave without a deadlock */
    uint16_t *line_goals;   /* [lines] */
    uint64_t *line_squares; /* [lines][words] */
    int16_t (*line_of)[2];  /* number of the line along the square's row and along its column; -1: none */
    uint8_t packed_bits;    /* number of bits of a box's square in a packed state, see pack.c */
    uint8_t player_bits;
    int packed_squares;
    uint16_t *packed_number, *packed_square, *player_number, *player_square;
    /* For each choice of goals for the boxes, the number of its first goal state, see goals.c; NULL: too many
     * choices. */
    uint64_t *goal_states;
    uint64_t goal_choices;
    const struct deadlock_tables *deadlock_tables; /* borrowed; NULL: not attached */
    /* For every window, the part of its number that its walls contribute, see deadlock_table.c. */
    uint32_t *window_walls;
    struct sokoban_pairs *pairs; /* pairs of boxes that are lost; NULL: unknown */
    /* The same for backward play: pairs that cannot be reached from the root; NULL: unknown. */
    struct sokoban_pairs *reverse_pairs;
    struct triples_late *triples; /* the same for three boxes, in both directions; NULL: never made */
    /* [direction][words]: squares from which no pull in that direction is possible without losing the box; or NULL. */
    uint64_t *pull_stuck;
    struct verdicts *verdicts;   /* cache of corral_deadlock.c; does not affect results */
    struct goal_room *goal_room; /* NULL: no goal macros */
    struct learned *learned;     /* shared by feature-space searches; NULL: nothing */
    struct patterns *patterns;   /* see pattern.h; NULL: no pattern search */
    const struct sokoban *base;  /* the instance that this session borrows from; NULL: this is an instance */
    soloist_stop_token *stop;    /* set only for a session; may be NULL */
};

#define SOKOBAN_NO_SIDE 255

/* Equal positions have equal bytes. */
struct sokoban_state {
    uint64_t key;
    uint32_t player;   /* the least square of his region, or his own square if rules.exact */
    uint32_t off_goal; /* number of boxes off goals */
    uint64_t boxes[];  /* [words] */
};

/* Everything that a move can change; from = to if no box moved. */
struct sokoban_undo {
    uint64_t key;
    uint16_t player, off_goal, from, to;
};

static inline const struct sokoban *sokoban_of(const soloist_instance *instance) {
    return (const struct sokoban *)(const void *)instance;
}

static inline bool sokoban_is_floor(const struct sokoban *game, int square) {
    return square >= 0 && square < game->size && bitset_has(game->floor, (unsigned)square);
}

static inline int sokoban_post(const struct sokoban *game, int box, int player) {
    int row = game->side_row[box];
    return game->post_first[box] + (row < 0 ? 0 : game->sides[row + player]);
}

static inline int sokoban_push_box(soloist_move move) { return (int)(move & ((1u << SOKOBAN_MACRO_SHIFT) - 1)) >> 2; }

static inline bool sokoban_is_macro(soloist_move move) { return move >> SOKOBAN_MACRO_SHIFT; }

/* The square to which a push or a macro takes its box. */
static inline int sokoban_push_end(const struct sokoban *game, soloist_move move) {
    return sokoban_is_macro(move) ? (int)(move >> SOKOBAN_MACRO_SHIFT) - 1
                                  : sokoban_push_box(move) + game->step[move & 3];
}

/* Whether long work on a session must stop now. On small boards nothing takes long, and the token is not read. */
static inline bool sokoban_must_stop(const struct sokoban *game) {
    return game->words > 8 && soloist_stopped(game->stop);
}

/* Whether pushes may become macros. */
static inline bool sokoban_has_macros(const struct sokoban *game) { return game->rules.tunnels || game->goal_room; }

/* Makes a function call in whose arguments `n` is the number of words. For small boards n is a constant, so that the
 * compiler removes the loops over words. */
#define SOKOBAN_BY_WORDS(game, call)                                                                                   \
    switch ((game)->words) {                                                                                           \
    case 1: {                                                                                                          \
        enum { n = 1 };                                                                                                \
        call;                                                                                                          \
        break;                                                                                                         \
    }                                                                                                                  \
    case 2: {                                                                                                          \
        enum { n = 2 };                                                                                                \
        call;                                                                                                          \
        break;                                                                                                         \
    }                                                                                                                  \
    case 3: {                                                                                                          \
        enum { n = 3 };                                                                                                \
        call;                                                                                                          \
        break;                                                                                                         \
    }                                                                                                                  \
    case 4: {                                                                                                          \
        enum { n = 4 };                                                                                                \
        call;                                                                                                          \
        break;                                                                                                         \
    }                                                                                                                  \
    default: {                                                                                                         \
        int n = (game)->words;                                                                                         \
        call;                                                                                                          \
        break;                                                                                                         \
    }                                                                                                                  \
    }

/* session.c: a session is a copy of the instance that stores what one search learns. */
soloist_instance *sokoban_session(const soloist_instance *instance, const soloist_work *work, soloist_error *error);
void sokoban_session_close(struct sokoban *game);

/* instance.c: reads the level and builds every table. NULL with an error. */
struct sokoban *sokoban_open(const soloist_chunk *chunk, const struct sokoban_rules *rules, soloist_stop_token *stop,
                             soloist_error *error);
void sokoban_close(soloist_instance *instance);
int sokoban_cell(const struct sokoban *game, int square); /* the index of a square's cell in the level */
/* state.c: computes key and off_goal from boxes and player; sokoban_state_settle first moves the player to the least
 * square of his region, unless rules.exact. */
void sokoban_state_count(const struct sokoban *game, struct sokoban_state *state);
void sokoban_state_settle(const struct sokoban *game, struct sokoban_state *state);
void sokoban_root(const soloist_instance *instance, void *state);
bool sokoban_ended(const soloist_instance *instance, const void *state, int32_t *last);
uint64_t sokoban_key(const soloist_instance *instance, const void *state);
uint64_t sokoban_key_from_scratch(const soloist_instance *instance, const void *state);
void sokoban_move_box(const struct sokoban *game, struct sokoban_state *state, int from, int to);
void sokoban_put_player(const struct sokoban *game, struct sokoban_state *state, int player);
/* The number of steps of the walk to a push, plus one for the push. */
int32_t sokoban_walk_and_push(const struct sokoban *game, const struct sokoban_state *state, int box, int d);
/* All cores use these two: sokoban_keep saves what moving a box from `from` to `to` will change; sokoban_take_back
 * undoes it. */
void sokoban_keep(const struct sokoban_state *state, void *undo, int from, int to);
void sokoban_take_back(const soloist_instance *instance, void *state, soloist_move move, const void *undo);
size_t sokoban_state_size(const struct sokoban *game);
/* Backward play ends when boxes and player are as at the root. */
bool sokoban_reverse_ended(const soloist_instance *instance, const void *state, int32_t *last);
/* The player's region. reach: game->words words. */
void sokoban_reach(const struct sokoban *game, const uint64_t *boxes, int player, uint64_t *reach);
/* sokoban_least: the least square of the player's region. sokoban_least_after: the same after the box at `from` has
 * moved to `to` and the player stands at `stand`. */
int sokoban_least(const struct sokoban *game, const uint64_t *boxes, int player);
int sokoban_least_after(const struct sokoban *game, const uint64_t *boxes, int from, int to, int stand);
/* Walking distances from `from` to every square, with boxes as obstacles; -1: cannot be reached. distance: game->size
 * entries. */
void sokoban_walk(const struct sokoban *game, const uint64_t *boxes, int from, int16_t *distance);

/* distance.c. False if memory runs out or the work is stopped. */
bool sokoban_distances_make(struct sokoban *game, soloist_stop_token *stop);

/* deadlock.c */
bool sokoban_deadlocks_make(struct sokoban *game);
/* Finds the boxes that can never be pushed again without a deadlock. Returns whether one of them is off its goal. */
bool sokoban_frozen(const struct sokoban *game, const uint64_t *boxes, uint64_t *frozen);
/* A quick test before sokoban_frozen: whether the box just pushed to `box` is blocked along both its row and its
 * column. If it is not, the push has frozen no box. */
bool sokoban_may_freeze(const struct sokoban *game, const uint64_t *boxes, int box);
/* Whether a line through the square `to` has more boxes than goals. */
bool sokoban_fills_line(const struct sokoban *game, const uint64_t *boxes, int to);
/* Whether the last push, which took a box to `to` and the player to `player`, made the position dead. The square `to`
 * must be live. */
bool sokoban_push_is_dead(const struct sokoban *game, const uint64_t *boxes, int to, int player);
bool sokoban_dead(const soloist_instance *instance, const void *state);
/* The same as sokoban_dead, but if the position is not dead, also writes the frozen boxes (none if rules.freeze is
 * off). */
bool sokoban_dead_or_frozen(const struct sokoban *game, const struct sokoban_state *state, uint64_t *frozen);
/* Single rules, in the order of the functions: a box is on a dead square; a box is on a square that no box of the root
 * can reach; a line has too many boxes. */
bool sokoban_on_dead_square(const struct sokoban *game, const struct sokoban_state *state);
bool sokoban_on_unreached_square(const struct sokoban *game, const struct sokoban_state *state);
bool sokoban_on_full_line(const struct sokoban *game, const uint64_t *boxes);

/* diagonal.c: whether the box just pushed to `to` closes a diagonal for good. sokoban_has_closed_diagonal: whether any
 * box of the position closes one. */
bool sokoban_closes_diagonal(const struct sokoban *game, const uint64_t *boxes, int to, int player);
bool sokoban_has_closed_diagonal(const struct sokoban *game, const uint64_t *boxes, int player);

/* reverse_deadlock.c: in backward play a position is dead if forward play cannot reach it from the root. */
bool sokoban_reverse_deadlocks_make(struct sokoban *game);
bool sokoban_reverse_dead(const soloist_instance *instance, const void *state);
/* Whether the last pull, which took a box to `to` and the player to `player`, made the position dead. The square `to`
 * must be live. */
bool sokoban_pull_is_dead(const struct sokoban *game, const uint64_t *boxes, int to, int player);

/* push.c: whether expand leaves out a push although it makes no deadlock. The reason is then a corral, a macro or a
 * goal cut. sokoban_lossless: whether this pruning always keeps an optimal solution. */
bool sokoban_pruned(const soloist_instance *instance, const void *state, soloist_move move);
bool sokoban_lossless(const soloist_instance *instance);

/* bound.c */
extern const soloist_bound sokoban_bound, sokoban_reverse_bound;
bool sokoban_bound_make(struct sokoban *game);
/* What a move changes, as the bound needs it: the box at `from` moves to `to`, and the player is then in the region of
 * the square `player`. */
struct sokoban_shift {
    int from, to, player;
};
typedef struct sokoban_shift sokoban_shift_of(const struct sokoban *game, const struct sokoban_state *state,
                                              soloist_move move);
/* Computes every child's bound and drops the dead ones; returns how many are left. */
int sokoban_bound_children(const struct sokoban *game, const struct sokoban_state *state, sokoban_shift_of *shift_of,
                           soloist_child *children, int count);
/* For every post, sets least[post] to its least reduced cost; for every goal, sets price[goal] to its potential with
 * the sign changed. A position's bound is at least the sum of `least` over its boxes minus the sum of `price` over all
 * goals. False if there are no such prices. */
bool sokoban_bound_prices(const struct sokoban *game, int32_t *least, int32_t *price);
bool sokoban_has_matching(const struct sokoban *game, const struct sokoban_state *state);
int sokoban_reverse_bound_children(const struct sokoban *game, const struct sokoban_state *state,
                                   sokoban_shift_of *shift_of, soloist_child *children, int count);
/* The cost of the minimum matching of boxes to goals, by Manhattan distance or by pushes; a pair of a box and a goal
 * that it cannot reach costs the number of floor squares. */
int32_t sokoban_least_matching(const struct sokoban *game, const struct sokoban_state *state, bool pushes);

extern const soloist_core sokoban_push_core, sokoban_pull_core, sokoban_step_core;
extern const soloist_reverse sokoban_reverse, sokoban_step_reverse;
extern const soloist_pack sokoban_pack;
extern const soloist_sample sokoban_sample;
extern const soloist_reward sokoban_reward;
extern const soloist_learn sokoban_push_learn, sokoban_step_learn;
extern const soloist_text sokoban_text, sokoban_step_text;

/* reward.c: rewards that need only the numbers of boxes off goals before and after a step, and the steps so far. */
bool sokoban_reward_is_quick(int which);
double sokoban_quick_reward(int which, int off_before, int off_after, int steps);

/* environments.c: for `sokoban-moves`. */
extern const soloist_environments sokoban_environments;

/* feature.c */
extern const soloist_features sokoban_features;

/* deadlock_table.c: see deadlock_table.h. */
extern const soloist_tables sokoban_tables;

/* hints.c */
extern const soloist_hints sokoban_hints;

/* pairs.c */
bool sokoban_pairs_make(struct sokoban *game, soloist_stop_token *stop);
void sokoban_pairs_free(struct sokoban_pairs *pairs);

/* triples.c */
bool sokoban_triples_make(struct sokoban *game);
void sokoban_triples_free(struct triples_late *late);

/* pattern.c */
bool sokoban_patterns_make(struct sokoban *game);
void sokoban_patterns_free(struct patterns *patterns);
/* pattern_memory.c: the data that feature-space searches of the instance share. sokoban_learned_size: the maximum
 * number of bytes that it can need. */
bool sokoban_learned_make(struct sokoban *game);
void sokoban_learned_free(struct learned *learned);
size_t sokoban_learned_size(const struct sokoban *game);

/* corral_deadlock.c, pack.c and goals.c. The functions whose names end in _make prepare the tables that these files
 * use. */
bool sokoban_corrals_make(struct sokoban *game);
bool sokoban_pack_make(struct sokoban *game);
size_t sokoban_packed_size(const struct sokoban *game);
bool sokoban_goals_make(struct sokoban *game);
bool sokoban_goal(const soloist_instance *instance, uint64_t index, void *state);
/* Sets `places` to the squares where the player can stand directly after a push that led to this placement of the
 * boxes. If the placement is that of the root, the player's square at the root is added. */
void sokoban_after_push(const struct sokoban *game, const uint64_t *boxes, uint64_t *places);

#endif
