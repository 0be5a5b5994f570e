/* Groups of functions that a domain may have besides those of soloist.h. They make the search of the domain faster, or
 * let networks learn to play it. If a domain lacks a group that a search needs, the search is refused with an error
 * that says what is missing. */
#ifndef SOLOIST_EXTRA_H
#define SOLOIST_EXTRA_H

#include "soloist.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The result of a play-out. */
typedef struct soloist_playout {
    int32_t value;  /* the sum of the moves' costs or scores, plus what the end of play adds if the game ended */
    int32_t length; /* the number of moves played */
    bool ended;     /* false if the move limit or a stop token stopped the game, or if the state had no legal move */
} soloist_playout;

/* Sample: optional. Play-outs that the domain itself makes, which are fast. Without this group, searches make play-outs
 * with the functions of `core`. */
typedef struct soloist_sample {
    size_t size; /* sizeof(soloist_sample) */
    /* Names of the policies for play-outs, at least one, terminated by NULL. The first policy chooses all moves with
     * equal probability; the last uses the most knowledge of the game. */
    const char *const *policies;
    /* Plays from *state to the end of the game, but at most `limit` moves, and changes *state. The argument `policy` is
     * the index of the policy's name. The array `trace`, which may be NULL, has room for `limit` moves; the moves
     * played are written into it. A play-out that may take longer than a few milliseconds must check from time to time
     * whether the token `stop` (which may be NULL) is stopped. Once the token is stopped, the play-out ends with ended
     * = false. */
    soloist_playout (*playout)(const soloist_instance *instance, void *state, int policy, int limit, soloist_rng *rng,
                               soloist_move *trace, soloist_stop_token *stop);
} soloist_sample;

/* Reward: optional. Rewards that have names, for sampling searches and for learners. Both pointers are required. */
typedef struct soloist_reward {
    size_t size;              /* sizeof(soloist_reward) */
    const char *const *names; /* terminated by NULL */
    /* Returns reward number `which` for the step from the state `before` to the state `after`. `steps` is the number of
     * steps from the root to `after`. Tree search calls the function with `before` = NULL; the function then returns
     * the reward of the state `after`, whatever step led to that state. */
    double (*value)(const soloist_instance *instance, int which, const void *before, const void *after, int steps);
} soloist_reward;

/* Estimate: optional. A guess at the cost to go (or the score to come) that is more precise than the bound. The guess
 * helps to choose among states, but cannot be used in proofs. Both pointers are required. */
typedef struct soloist_estimate {
    size_t size; /* sizeof(soloist_estimate) */
    /* Returns true if the instance has an estimate. */
    bool (*known)(const soloist_instance *instance);
    /* Does the same as core.expand with SOLOIST_WANT_BOUND, and also writes one guess per child. The unit of a guess is
     * one sixteenth of a unit of cost or score. */
    int (*expand)(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                  soloist_child *children, int32_t *guesses);
} soloist_estimate;

/* A move that a walk (see soloist_walk) can play next. */
typedef struct soloist_choice {
    uint64_t code; /* the same move has the same code in similar states; policies learn one weight per code */
    soloist_move move; /* the move */
    int32_t gain;  /* the cost of the move, or the score that it gains */
    int32_t prior; /* how promising the domain considers the move, 0 or more */
    /* a number for the caller's use: 0 in a new choice, and kept as long as the choice stays in the list unchanged */
    uint32_t mark;
    float weight;  /* a number for the caller's use, which is kept as long as `mark` is kept */
    uint32_t unused; /* 0 */
} soloist_choice;

#define SOLOIST_MOST_PARTS 1024 /* the numbers of parts (see soloist_walk.parts) are below this */

/* Walk: optional. A walk plays moves one after the other, and updates the list of possible next moves (choices) after
 * each move. Walks are for searches that learn which moves to play. A walk is a block of walk_size() bytes that
 * contains no pointers and is owned by the caller. The block begins with an array that has room for shape.most_moves
 * choices. A rule decides which moves are listed as choices. Rule 0 lists every legal move; the other rules leave out
 * moves that are seldom good, but list at least one move if there is a legal move. The pointers `refinements` and
 * `refines` may both be NULL, and `parts` may be NULL; every other pointer is required. */
typedef struct soloist_walk {
    size_t size; /* sizeof(soloist_walk) */
    size_t (*walk_size)(const soloist_instance *instance); /* bytes of a walk */
    int (*rules)(const soloist_instance *instance); /* the number of rules, at least 1 */
    /* Begins a walk at `state`, which is `steps` moves away from the root. Returns the number of choices, which is 0 if
     * the state has no legal move. */
    int (*open)(const soloist_instance *instance, void *walk, const void *state, int rule, int steps);
    /* Copies a walk; only the bytes that are in use need to be copied. */
    void (*copy)(const soloist_instance *instance, void *to, const void *from);
    /* Plays choice number `chosen`, and returns the number of choices in the state after that move. */
    int (*play)(const soloist_instance *instance, void *walk, int chosen);
    /* Returns the same as core.ended, for the state that the walk has reached. */
    bool (*ended)(const soloist_instance *instance, const void *walk, int32_t *last);
    /* Returns the number of further rules. Their numbers begin at rules(), and the most promising rules come first.
     * Each further rule refines one of the rules with a number below rules(): it lists the same moves as that rule, but
     * gives other priors to some of the moves. */
    int (*refinements)(const soloist_instance *instance);
    /* Returns the number of the rule that a further rule refines. */
    int (*refines)(const soloist_instance *instance, int rule);
    /* For annealing: lists the parts of the board, such as blocks, that choice number `chosen` uses up, and returns
     * their number, which is at least 1. A part keeps its number wherever it moves, and no line uses it up twice. */
    int (*parts)(const soloist_instance *instance, const void *walk, int chosen, uint16_t *parts);
} soloist_walk;

/* A larger move of feature-space search (see soloist_features), and what is known about the state to which the move
 * leads. */
typedef struct soloist_prospect {
    uint64_t key;      /* the key of the state to which the move leads */
    /* The features of the state to which the move leads: the first feature in bits 48-55, the next in bits 40-47, and
     * so on. Smaller numbers are better. */
    uint64_t features;
    soloist_move move; /* the larger move, as a code for the functions of soloist_features only */
    uint32_t advisors; /* bit a is set if advisor number a proposes the move */
} soloist_prospect;

#define SOLOIST_MOST_FEATURES 7 /* the maximum number of features of a domain */

/* Features: optional, only for domains that minimise cost. This group is for feature-space search (Shoham and Schaeffer
 * 2020). A state is described by a few small numbers, its features. The search plays larger moves, each of which stands
 * for one or more plain moves of `core`. The group has its own form of states, which take state_size() bytes each.
 *
 * A guide is a block of guide_size() bytes that holds the present plan and all scratch space. The search allocates the
 * guide and fills it with zeros; only one thread at a time uses a guide. The search may call `open` several times on
 * the same guide, once for each plan, and calls `close` once at the end.
 *
 * The list of a state's larger moves is complete in this sense: every plain move after which a solution is still
 * possible is the first plain move of some larger move. (A larger move may consist of a single plain move.) So if a
 * state has no larger move, it has no solution. The pointers `doomed`, `plan`, `plan_names` and `adopt` may be NULL,
 * and `plain` is NULL in the group to which `plan` points; all other pointers are required. */
typedef struct soloist_features {
    size_t size;                 /* sizeof(soloist_features) */
    const char *const *names;    /* names of the features, terminated by NULL, the most important first */
    const char *const *advisors; /* names of the advisors, terminated by NULL, at most 32 */
    int plans;                   /* the number of kinds of plans; plan number n is of kind n % plans */
    size_t (*guide_size)(const soloist_instance *instance); /* bytes of a guide */
    size_t (*state_size)(const soloist_instance *instance); /* bytes of a state of this group */
    /* returns the maximum number of larger moves that a state can have */
    int (*most)(const soloist_instance *instance);
    /* `open` prepares the guide for plan number `number`; the plan itself is set later, by `adopt`. `close` frees what
     * the guide has allocated, but not the block of the guide itself. */
    void (*open)(const soloist_instance *instance, void *guide, int number);
    void (*close)(const soloist_instance *instance, void *guide); /* see `open` */
    /* Returns which features are dimensions of the feature space under the present plan: bit i is set if feature i is a
     * dimension. */
    unsigned (*dimensions)(const soloist_instance *instance, const void *guide);
    /* Writes starting state number `index` (0, 1, 2, ...); returns false past the last starting state. */
    bool (*root)(const soloist_instance *instance, void *guide, int index, void *state);
    uint64_t (*key)(const soloist_instance *instance, const void *state); /* equal states have equal keys */
    bool (*ended)(const soloist_instance *instance, const void *state);   /* true at a goal */
    /* Returns the features of a state, in the same bits as in soloist_prospect. */
    uint64_t (*project)(const soloist_instance *instance, void *guide, const void *state);
    /* Writes the larger moves, except those after which a solution is known to be impossible, and returns how many it
     * wrote. Each advisor proposes at most one of these moves. */
    int (*list)(const soloist_instance *instance, void *guide, const void *state, soloist_prospect *prospects);
    /* Plays one of the larger moves that `list` wrote for this state. */
    void (*play)(const soloist_instance *instance, void *guide, void *state, soloist_move move);
    /* Returns true only if the state has no solution. This test may take longer than the tests that `list` makes for
     * each move. The argument `move` is the larger move that led to the state, or SOLOIST_NO_MOVE at a root. */
    bool (*dead)(const soloist_instance *instance, void *guide, const void *state, soloist_move move);
    /* Returns true only if the state is now known to have no solution, because of something that was learned after
     * `list` was called for the state. The search calls `doomed` before it plays a move of the state. The argument
     * `think` is seldom true; if it is, the call may take as long as the search of about a thousand states. If the
     * pointer `doomed` is NULL, the group learns nothing during the search. */
    bool (*doomed)(const soloist_instance *instance, void *guide, const void *state, bool think);
    /* Returns how many plain moves a larger move stands for, and writes these plain moves to `moves`, unless `moves` is
     * NULL. In the group to which `plan` points, the pointer `plain` itself is NULL. */
    int (*plain)(const soloist_instance *instance, void *guide, const void *state, soloist_move move,
                 soloist_move *moves);
    /* A second group, for the game that is searched to find a plan. This game has states of its own and uses the same
     * guide. If the pointer `plan` is NULL, there are no plans. */
    const struct soloist_features *plan;
    /* Makes the plan from `count` moves that were played in the game of the group `plan`; `state` is the state after
     * the last move. */
    void (*adopt)(const soloist_instance *instance, void *guide, const void *state, const soloist_move *moves,
                  size_t count);
    /* Names of the kinds of plans, terminated by NULL; the method `fess:first=NAME` begins with the kind of plan that
     * has this name. If the pointer `plan_names` is NULL, plans have numbers only. */
    const char *const *plan_names;
} soloist_features;

/* Learn: optional. Converts states into the input of a network, and moves into its actions. The functions `planes`,
 * `actions`, `encode` and `action` are required. */
typedef struct soloist_learn {
    size_t size; /* sizeof(soloist_learn) */
    /* Sets the number of planes (channels) that a network reads, and their height and width. */
    void (*planes)(const soloist_instance *instance, int *channels, int *height, int *width);
    /* The number of additional planes that a network may read. They hold facts that follow from the other planes but
     * are hard for a network to compute, such as the size of a group of blocks. A network reads either all additional
     * planes or none. */
    int more_planes;
    /* Returns the number of actions; a network's policy has one output per action. */
    int (*actions)(const soloist_instance *instance);
    /* Writes channels*height*width floats into the caller's array `slot`. `channels` is either the number that planes()
     * sets, or that number plus more_planes. */
    void (*encode)(const soloist_instance *instance, const void *state, int channels, float *slot);
    /* Returns the number of the action that stands for a move; actions are counted from 0. */
    int (*action)(const soloist_instance *instance, const void *state, soloist_move move);
    /* The functions `priors` and `share` are for domains in which several actions mean the same move, as clicks on
     * different blocks of one group do. The array `policy` has one number per action. The function `priors` sets
     * priors[i] to the sum of the numbers in `policy` that belong to the actions of moves[i]. The function `share`
     * divides parts[i] evenly among the actions of moves[i], and adds these shares to the numbers in `policy`. `moves`
     * contains no move twice. Either both pointers are set, or both are NULL; NULL means that each move has one action.
     */
    void (*priors)(const soloist_instance *instance, const void *state, const soloist_move *moves, int count,
                   const float *policy, float *priors);
    /* See `priors`. */
    void (*share)(const soloist_instance *instance, const void *state, const soloist_move *moves, const float *parts,
                  int count, float *policy);
    /* A symmetry changes a position into an equivalent one, for example by turning the board or renaming the colours.
     * The function `symmetries` returns the number of symmetries; symmetry 0 changes nothing. The function `reflect`
     * applies a symmetry to the planes and to the policy (one number per action), and writes the results. A symmetry
     * only permutes these numbers. The arguments `policy` and `reflected_policy` may both be NULL. Either both
     * `symmetries` and `reflect` are set, or both are NULL; NULL means that there are no symmetries. */
    int (*symmetries)(const soloist_instance *instance);
    /* See `symmetries`. */
    void (*reflect)(const soloist_instance *instance, int symmetry, int channels, const float *slot,
                    const float *policy, float *reflected, float *reflected_policy);
    /* True if a state contains all that a network should see, so that the network needs no data from the instance. In
     * that case, the state can be packed, unpacked and encoded with any instance that has the same numbers of planes
     * and actions. Therefore training need not keep the instances. */
    bool whole_states;
    /* If this number is N, the first N planes, of those that planes() sets and then of the additional ones, hold only
     * zeros and ones, so that training can store these planes as bits. 0 means that nothing is known about the planes.
     * The number is used only if whole_states is false, because only in that case does training store planes instead
     * of states. */
    int bit_planes;
} soloist_learn;

/* Tables: optional. Data that take long to compute and that many instances share, such as pattern databases. The engine
 * opens the tables before the first search that uses them, keeps them under their name, and attaches them to the
 * session. soloist_free closes the tables. Without its tables, an instance still works, but with a weaker bound. Every
 * pointer of this group is required, and so is the function life.session. */
typedef struct soloist_tables {
    size_t size; /* sizeof(soloist_tables) */
    /* Writes the name of the tables that the instance uses; returns false if the instance uses no tables. */
    bool (*name)(const soloist_instance *instance, char *name, size_t room);
    /* Loads the tables from files in `folder`, or computes the tables and writes the files. If `folder` is NULL, no
     * files are used. Returns NULL with an error if the tables cannot be made, if they would take more than
     * work->memory bytes, or soon after the token work->stop is stopped. The engine never makes two calls at the same
     * time for tables of the same name. */
    void *(*open)(const soloist_instance *instance, const char *folder, const soloist_work *work, soloist_error *error);
    void (*close)(void *tables);         /* frees the tables */
    size_t (*bytes)(const void *tables); /* bytes of memory that the tables take */
    /* Lets a session use the tables, which the session does not own. The engine calls `attach` before the first state
     * of the session is made. */
    void (*attach)(soloist_instance *session, const void *tables);
} soloist_tables;

/* A member of a mix of methods: one method, and its part of the work. */
typedef struct soloist_member {
    /* The name by which the option `without` of the method `auto` refers to the member. The name is made of a-z, 0-9, -
     * and _. No two members have the same name. */
    const char *name;
    const char *method; /* "NAME" or "NAME:key=value,..." */
    /* In a sequence: when the member begins, it may use this percentage of the time, nodes and so on that remain. The
     * last member may use all that remains. */
    int percent;
    /* In a round robin: the member's weight. In each round, the member does the fraction (share / sum of all shares) of
     * the work. */
    int share;
    /* In a round robin: the minimum length of the member's first turn, in microseconds. If the run has a node limit,
     * the unit is states instead. */
    uint32_t head;
    /* In a round robin: every member gets one thread. True if the threads that are left over go to this member. */
    bool threads;
    /* Values of the domain's options, as "key=value,...", that replace the user's values for this member; NULL if there
     * are none. With other options the moves may differ too; therefore the member's solution is written as text and
     * read again with the user's options. The engine ignores the proofs of a member that has such options. */
    const char *changes;
} soloist_member;

#define SOLOIST_MOST_MEMBERS 24 /* the maximum number of members of a mix */

/* A mix combines several methods to solve one puzzle, because no single method is best on all puzzles. In a sequence,
 * the members run one after the other, each with all threads. In a round robin, the members take turns, and the first
 * answer of any member ends all members. A member that refuses the puzzle is skipped. */
typedef struct soloist_mix {
    size_t size; /* sizeof(soloist_mix) */
    const soloist_member *members; /* in the order in which they run */
    int count;                     /* 1 to SOLOIST_MOST_MEMBERS */
    /* true: the members take turns (round robin); false: they run one after the other (sequence) */
    bool round_robin;
    /* Values of the domain's options, as "key=value,...", that replace the user's values for all members; NULL if there
     * are none. The members then share a separate instance, if there is enough memory for the shape.session_size bytes
     * that this instance may use. Only options that decide what a search may learn are allowed here; they must not
     * change states, moves or costs. */
    const char *changes;
} soloist_mix;

/* Hints: optional. The domain's advice to searches. Hints change how fast a puzzle is solved, but never make a result
 * wrong. Every pointer may be NULL. */
typedef struct soloist_hints {
    size_t size; /* sizeof(soloist_hints) */
    /* Returns the mix that the method `auto` runs under these limits; the mix must stay valid as long as the domain
     * exists. If the function returns NULL, or if the pointer itself is NULL, `auto` chooses methods according to the
     * groups of functions that the domain has. Keep in mind that an iteration limit does not stop searches with a
     * closed table, and that some methods never end without a limit. */
    const soloist_mix *(*mix)(const soloist_instance *instance, const soloist_limits *limits);
    /* True if expanding a state takes less time than a look-up in a large table, and if searches seldom reach the same
     * state twice. In such a domain, IDA* uses no transposition table, and A* prefetches the next state from memory. */
    bool fast_expand;
} soloist_hints;

/* Whether an episode goes on after a step, or why it ended. */
typedef enum soloist_episode {
    SOLOIST_EPISODE_RUNS,   /* the episode goes on */
    SOLOIST_EPISODE_ENDED,  /* the episode ended at a goal, or at the end of play */
    SOLOIST_EPISODE_STUCK,  /* the episode ended because no move is left */
    SOLOIST_EPISODE_CUT_OFF /* the step limit ended the episode; the game itself could go on */
} soloist_episode;

/* Which episodes are played, and on how many boards. */
typedef struct soloist_episodes {
    size_t size;         /* sizeof(soloist_episodes) */
    /* the domain's options for reading levels; the struct is borrowed as long as the boards exist */
    const void *options;
    int boards;          /* how many boards are played at once */
    /* the number of the first board; boards with different numbers draw their levels independently of each other */
    int first_board;
    int levels;      /* number of slots in the pool of levels */
    /* the index of a name in the reward group; -1: the reward of a step is its score, or minus its cost */
    int reward;
    int step_limit;  /* the maximum number of steps in an episode; 0: no maximum */
    /* true: the boards take the levels of the pool one after the other; false: each board draws levels at random */
    bool in_turn;
    uint64_t seed;   /* the seed of the random numbers by which levels are drawn */
} soloist_episodes;

/* Environments: optional. Many boards that are played at once, for learners. A general version works for every domain
 * that has the groups `core` and `learn`; a domain provides this group if its own version is faster. Both versions give
 * the same results.
 *
 * An observation has one byte for each number in the planes that learn.encode writes, without the additional planes
 * (learn.more_planes). All levels must have the same number of actions, and planes of the same number and size. Every
 * pointer is required. The last three functions were added later than the others; a group that lacks these three
 * functions is not used. */
typedef struct soloist_environments {
    size_t size; /* sizeof(soloist_environments) */
    /* Returns false if this group cannot play these episodes, for example because of their reward; the general version
     * then plays them. */
    bool (*suits)(const soloist_episodes *episodes);
    void *(*open)(const soloist_episodes *episodes); /* returns NULL if memory runs out */
    void (*close)(void *boards);                     /* NULL is allowed */
    /* Puts a level into slot number `slot` of the pool (from 0 to levels - 1); boards that are playing the slot's
     * former level finish that level. The text is copied. Returns false with an error if the level cannot be read, if
     * its planes differ in number or size from those of the levels before it, or if it begins at a goal or without a
     * legal move. */
    bool (*put)(void *boards, int slot, const soloist_chunk *chunk, soloist_error *error);
    /* Begins a new episode on every board, and writes the first observations of all boards one after the other. All
     * slots must hold levels. */
    void (*reset)(void *boards, uint8_t *observations);
    /* Plays one action on every board. An action that is not a legal move changes nothing, but counts as a step. When
     * the episode of a board is over, the next episode begins at once. For such a board, the first observation of the
     * new episode is written to `observations`, and the last observation of the old one to `finals` (unless `finals` is
     * NULL). The arrays `rewards` and `ends` have one number per board; those in `ends` are values of enum
     * soloist_episode. If in_place is true, `observations` still holds the result of the last call, so that only the
     * bytes that have changed need to be written. */
    void (*step)(void *boards, const int32_t *actions, bool in_place, uint8_t *observations, float *rewards,
                 uint8_t *ends, uint8_t *finals);
    /* Writes one byte for each action of each board: 1 if the action is a legal move, 0 if not. */
    void (*legal)(const void *boards, uint8_t *mask);
    int (*slot)(const void *boards, int board); /* returns the slot of the level that a board plays */
    /* Returns the number n of episodes that have begun. If in_turn is true, the next episode plays slot n % levels. */
    uint64_t (*episodes)(const void *boards);
    /* Begins a new episode on one board and writes its first observation. The argument `slot` is the slot of the level
     * to be played; -1 means the level that would come next at the end of an episode. */
    void (*begin)(void *boards, int board, int slot, uint8_t *observation);
    /* Restarts the random draws of levels and the count of episodes; boards that are playing a level finish it. */
    void (*reseed)(void *boards, uint64_t seed);
    /* Writes a board's position as text.print does. */
    void (*print)(const void *boards, int board, const soloist_sink *sink);
} soloist_environments;

/* ---- boards: functions by which a program plays many episodes of a domain at once ---------------------------- */

/* Many boards that a program plays at once. They use either the domain's own `environments` group or the general
 * version. The threads of a set of boards exist only during a call. Only one call at a time may use a set of boards;
 * two sets are independent of each other. */
typedef struct soloist_boards soloist_boards;

/* What is played on a set of boards. Set every field that you do not use to zero. */
typedef struct soloist_boards_plan {
    size_t size;         /* sizeof(soloist_boards_plan) */
    const char *options; /* the domain's options, "key=value,..."; NULL: the defaults */
    const char *reward;  /* a name in the reward group; NULL: the reward of a step is its score, or minus its cost */
    int boards;          /* the number of boards, 1 or more */
    int levels;          /* number of slots in the pool of levels, 1 or more */
    int step_limit;      /* the maximum number of steps in an episode; 0: no maximum */
    /* Maximum number of threads that a call uses; 0 means 1. The results do not depend on the number of threads. If
     * in_turn is true, only one thread is used. */
    int threads;
    bool in_turn; /* true: the boards take the levels one after the other; false: each board draws levels at random */
    bool general; /* true: use the general version even if the domain has its own version; the results are the same */
    uint64_t seed; /* the seed of the random numbers by which levels are drawn */
} soloist_boards_plan;

/* The caller's arrays, which every step reads and writes directly. The pointers `masks` and `finals` may be NULL. All
 * arrays are borrowed until the boards are closed or other arrays are bound. */
typedef struct soloist_boards_arrays {
    size_t size;            /* sizeof(soloist_boards_arrays) */
    /* one action per board; an action that is not a legal move changes nothing, but counts as a step */
    const int32_t *actions;
    uint8_t *observations;  /* an array of boards x channels x height x width bytes */
    float *rewards;         /* one per board */
    /* 1 for a board whose episode ended at a goal, at the end of play, or because no move was left */
    uint8_t *terminated;
    /* 1 for a board whose episode was ended by the step limit; `terminated` and `truncated` are never both 1 */
    uint8_t *truncated;
    /* The last observation of each episode that has just ended, in the same layout as `observations`. For a board whose
     * episode goes on, nothing is written. */
    uint8_t *finals;
    uint8_t *masks;         /* an array of boards x actions bytes: 1 if the action is a legal move */
} soloist_boards_arrays;

/* Opens a set of boards for a domain with one player and a `learn` group. Returns NULL with an error if the boards
 * cannot be opened. */
soloist_boards *soloist_boards_open(const soloist_domain *domain, const soloist_boards_plan *plan,
                                    soloist_error *error);
void soloist_boards_close(soloist_boards *boards); /* NULL is allowed */
/* Puts a level into a slot of the pool; boards that are playing the slot's former level finish that level. The text is
 * copied. Returns SOLOIST_BAD_INPUT if the level cannot be read, if its planes differ in number or size from those of
 * the levels before it, or if it begins at a goal or without a legal move. */
soloist_code soloist_boards_put(soloist_boards *boards, int slot, const soloist_chunk *chunk, soloist_error *error);
/* Fills every slot with a level from the domain's generator. The argument `options` holds the generator's options as
 * "key=value,..."; NULL means the default options. The level of a slot depends only on the options, the seed and the
 * slot's number. */
soloist_code soloist_boards_fill(soloist_boards *boards, const char *options, uint64_t seed, soloist_error *error);
/* Writes four numbers: the channels, the height and the width of an observation, and the number of actions. All four
 * are 0 until the first level is in the pool. */
void soloist_boards_shape(const soloist_boards *boards, int shape[4]);
/* Sets the arrays that the following calls of soloist_boards_ functions read and write. At least one level must be in
 * the pool, because the first level decides the sizes of the arrays. */
soloist_code soloist_boards_bind(soloist_boards *boards, const soloist_boards_arrays *arrays, soloist_error *error);
/* Restarts the random draws of levels and the count of episodes. */
void soloist_boards_reseed(soloist_boards *boards, uint64_t seed);
/* Begins a new episode on every board, and writes the arrays `observations` and `masks`. Returns SOLOIST_MISUSE if a
 * slot is empty or no arrays are bound. */
soloist_code soloist_boards_reset(soloist_boards *boards);
/* Begins a new episode on one board. The argument `slot` is the slot of the level to be played; -1 means the level that
 * would come next at the end of an episode. */
soloist_code soloist_boards_begin(soloist_boards *boards, int board, int slot);
/* Plays one action on every board. When the episode of a board is over, the next episode begins at once. Then
 * `observations` holds the first observation of the new episode, and `finals` holds the last observation of the old
 * one. Returns how many episodes ended, or -1 if the boards were never reset. A step may write only the bytes that have
 * changed. Therefore `observations` must still hold what the last call wrote there, unless other arrays have been bound
 * since that call. */
int soloist_boards_step(soloist_boards *boards);
/* Does the same as soloist_boards_step, but writes the observations to the array `observations`, which must have the
 * same size as the bound array. If the previous step or reset wrote its observations to a different array, all bytes of
 * `observations` are written. If it wrote to the same array, only the bytes that have changed are written. This rule
 * applies to soloist_boards_step too. */
int soloist_boards_step_into(soloist_boards *boards, uint8_t *observations);
/* Returns the slot of the level that a board plays, or -1 if the boards were never reset. */
int soloist_boards_slot(const soloist_boards *boards, int board);
/* Writes the position of a board in the domain's file format. */
soloist_code soloist_boards_print(const soloist_boards *boards, int board, const soloist_sink *sink);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
