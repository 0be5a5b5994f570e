/* What makes a domain faster or learnable: groups of functions that a domain may have besides those of soloist.h. If a
 * domain lacks a group that a search needs, the search says so in one sentence. */
#ifndef SOLOIST_EXTRA_H
#define SOLOIST_EXTRA_H

#include "soloist.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The result of a play-out. */
typedef struct soloist_playout {
    int32_t value;  /* the sum of the steps, plus what the end adds if the game ended */
    int32_t length; /* the number of moves played */
    bool ended;     /* false: the limit or a stop token stopped the game, or no move was left */
} soloist_playout;

/* Sample: optional. The domain's own fast play-outs; without this group, searches make their play-outs through core. */
typedef struct soloist_sample {
    size_t size; /* sizeof(soloist_sample) */
    /* Names of the policies for play-outs, at least one, terminated by NULL. The first policy chooses all moves with
     * equal probability; the last uses the most knowledge of the game. */
    const char *const *policies;
    /* Plays from *state, which it changes, to the end of the game or for at most `limit` moves. policy: index of the
     * policy's name. trace: receives the moves played, with room for `limit` moves; may be NULL. A play-out that may
     * take longer than a few milliseconds asks the token `stop` (which may be NULL) now and then. Once the token is
     * stopped, the play-out ends with ended = false. */
    soloist_playout (*playout)(const soloist_instance *instance, void *state, int policy, int limit, soloist_rng *rng,
                               soloist_move *trace, soloist_stop_token *stop);
} soloist_sample;

/* Reward: optional. Named rewards for sampling searches and learners. Both pointers are required. */
typedef struct soloist_reward {
    size_t size;              /* sizeof(soloist_reward) */
    const char *const *names; /* terminated by NULL */
    /* Returns reward number `which` for the step from the state `before` to the state `after`, where `after` is `steps`
     * steps from the root. Tree search calls it with `before` NULL; it then returns the reward of the state `after`,
     * whatever step led to it. */
    double (*value)(const soloist_instance *instance, int which, const void *before, const void *after, int steps);
} soloist_reward;

/* Estimate: optional. A guess at the cost to go (or the score to come) that is finer than the bound. It helps to choose
 * among states, but cannot be used in proofs. Both pointers are required. */
typedef struct soloist_estimate {
    size_t size; /* sizeof(soloist_estimate) */
    /* True if the instance has an estimate. */
    bool (*known)(const soloist_instance *instance);
    /* The same as core.expand with SOLOIST_WANT_BOUND; also writes one guess per child, in sixteenths of a unit of cost
     * or score. */
    int (*expand)(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                  soloist_child *children, int32_t *guesses);
} soloist_estimate;

/* A move that a walk can play next. */
typedef struct soloist_choice {
    uint64_t code; /* equal for the same move in similar states; policies learn one weight per code */
    soloist_move move; /* the move */
    int32_t gain;  /* the move's step: its cost, or the score that it gains */
    int32_t prior; /* how promising the domain considers the move, 0 or more */
    uint32_t mark; /* for the caller's use; kept as long as the choice stays in the list unchanged; 0 in a new choice */
    float weight;  /* for the caller's use; kept as long as `mark` is kept */
    uint32_t unused; /* 0 */
} soloist_choice;

/* Walk: optional. For searches that learn which moves to play: plays moves one after the other and updates the list of
 * choices after each move. A walk is a block of walk_size() bytes without pointers, owned by the caller. It begins with
 * an array that has room for shape.most_moves choices. A rule decides which moves are listed as choices. Rule 0 lists
 * every legal move; the other rules leave out moves that are seldom good, but list at least one move if there is one.
 * refinements and refines may both be NULL; every other pointer is required. */
typedef struct soloist_walk {
    size_t size; /* sizeof(soloist_walk) */
    size_t (*walk_size)(const soloist_instance *instance); /* bytes of a walk */
    int (*rules)(const soloist_instance *instance); /* the number of rules, at least 1 */
    /* Begins a walk at `state`, `steps` moves from the root. Returns the number of choices, 0 if no move is left. */
    int (*open)(const soloist_instance *instance, void *walk, const void *state, int rule, int steps);
    /* Copies a walk; may copy only the bytes in use. */
    void (*copy)(const soloist_instance *instance, void *to, const void *from);
    /* Plays choice number `chosen` and returns the number of choices in the state to which it leads. */
    int (*play)(const soloist_instance *instance, void *walk, int chosen);
    /* The same as core.ended, for the state that the walk has reached. */
    bool (*ended)(const soloist_instance *instance, const void *walk, int32_t *last);
    /* The number of further rules, the most promising first; the first of them has the number rules(). Each of them
     * refines one of the rules with a number below rules(): it lists the same moves, but gives other priors to some of
     * them. */
    int (*refinements)(const soloist_instance *instance);
    /* The rule that a further rule refines. */
    int (*refines)(const soloist_instance *instance, int rule);
} soloist_walk;

/* A larger move, and what is known about the state that it leads to. */
typedef struct soloist_prospect {
    uint64_t key;      /* the key of that state */
    uint64_t features; /* the state's features: the first in bits 48-55, the next in 40-47, and so on; less is better */
    soloist_move move; /* a code that only this group understands */
    uint32_t advisors; /* bit a is set if advisor number a proposes the move */
} soloist_prospect;

#define SOLOIST_MOST_FEATURES 7 /* a domain has no more features than this */

/* Features: optional, only for domains that minimise cost. This group is for feature-space search (Shoham and Schaeffer
 * 2020). It describes a state by a few small numbers, its features, and plays larger moves, each of which stands for
 * many plain moves of core. The group has states of its own, of state_size() bytes.
 *
 * A guide is a block of guide_size() bytes that holds the plan and all scratch space. The search allocates the guide
 * and fills it with zeros; only one thread at a time uses it. The search may call open several times on the same guide,
 * once for each plan, and calls close once at the end.
 *
 * Larger moves are complete: every plain move after which a solution is still possible is the first plain move of some
 * larger move. (A larger move may consist of a single plain move.) So if no larger move is left, there is no solution.
 * doomed, plan, plan_names and adopt may be NULL, and plain is NULL in the group for a plan's game; all other pointers
 * are required. */
typedef struct soloist_features {
    size_t size;                 /* sizeof(soloist_features) */
    const char *const *names;    /* names of the features, terminated by NULL, the most important first */
    const char *const *advisors; /* names of the advisors, terminated by NULL, at most 32 */
    int plans;                   /* the number of kinds of plans; plan number n is of kind n % plans */
    size_t (*guide_size)(const soloist_instance *instance); /* bytes of a guide */
    size_t (*state_size)(const soloist_instance *instance); /* bytes of a state of this group */
    int (*most)(const soloist_instance *instance); /* no state has more larger moves than this */
    /* open prepares the guide for plan number `number`; adopt sets the plan itself later. close frees what the guide
     * holds, but not the block. */
    void (*open)(const soloist_instance *instance, void *guide, int number);
    void (*close)(const soloist_instance *instance, void *guide); /* see open */
    /* Which features are dimensions of the feature space under this plan: bit i is set if feature i is one. */
    unsigned (*dimensions)(const soloist_instance *instance, const void *guide);
    /* Writes starting state number `index` (0, 1, 2, ...); false past the last. */
    bool (*root)(const soloist_instance *instance, void *guide, int index, void *state);
    uint64_t (*key)(const soloist_instance *instance, const void *state); /* equal states have equal keys */
    bool (*ended)(const soloist_instance *instance, const void *state);   /* true at a goal */
    /* The features of a state, laid out as in soloist_prospect. */
    uint64_t (*project)(const soloist_instance *instance, void *guide, const void *state);
    /* Writes the larger moves, except those after which no solution is possible as far as is known, and returns how
     * many it wrote. Each advisor proposes at most one of them. */
    int (*list)(const soloist_instance *instance, void *guide, const void *state, soloist_prospect *prospects);
    /* Plays a larger move that list gave for this state. */
    void (*play)(const soloist_instance *instance, void *guide, void *state, soloist_move move);
    /* True only if the state has no solution. This test may take longer than the tests that `list` makes for each move.
     * move: the larger move that led to the state; SOLOIST_NO_MOVE at a root. */
    bool (*dead)(const soloist_instance *instance, void *guide, const void *state, soloist_move move);
    /* True only if the state is now known to have no solution, because of something that was learned after `list` was
     * called for it. The search calls this before it plays a move of the state. The search seldom sets `think`; if it
     * does, the call may take as long as the search needs for about a thousand states. NULL: the group learns nothing
     * during the search. */
    bool (*doomed)(const soloist_instance *instance, void *guide, const void *state, bool think);
    /* Returns how many plain moves a larger move stands for, and writes these to `moves` unless `moves` is NULL. In the
     * group for a plan's game, the pointer `plain` itself is NULL. */
    int (*plain)(const soloist_instance *instance, void *guide, const void *state, soloist_move move,
                 soloist_move *moves);
    /* The game that is searched to find a plan. It has states of its own and uses the same guide. NULL: no plans. */
    const struct soloist_features *plan;
    /* Makes the plan from `count` moves that were played in the plan's game; `state` is the state after the last move.
     */
    void (*adopt)(const soloist_instance *instance, void *guide, const void *state, const soloist_move *moves,
                  size_t count);
    /* Names of the kinds of plans, terminated by NULL; the method `fess:first=NAME` begins with the kind of that name.
     * NULL: plans have numbers only. */
    const char *const *plan_names;
} soloist_features;

/* Learn: optional. Converts states into the input of a network, and moves into its actions. The functions planes,
 * actions, encode and action are required. */
typedef struct soloist_learn {
    size_t size; /* sizeof(soloist_learn) */
    /* Sets the number of planes (channels) that a network reads, and their height and width. */
    void (*planes)(const soloist_instance *instance, int *channels, int *height, int *width);
    /* The number of additional planes that a network may read: facts that follow from the planes but are hard for a
     * network to find, such as how large a group is. A network reads all of them or none. */
    int more_planes;
    /* The number of actions; the policy has one output per action. */
    int (*actions)(const soloist_instance *instance);
    /* Writes channels*height*width floats into the caller's slot. channels is the number that planes() gives, or that
     * number plus more_planes. */
    void (*encode)(const soloist_instance *instance, const void *state, int channels, float *slot);
    /* The number of the action that stands for a move, counted from 0. */
    int (*action)(const soloist_instance *instance, const void *state, soloist_move move);
    /* For domains in which several actions mean the same move, as clicks on different blocks of one group do. policy
     * has one number per action. The function priors sets priors[i] to the sum of the policy's numbers for the actions
     * of moves[i]. The function share distributes parts[i] evenly over the actions of moves[i] and adds it to the
     * policy's numbers; `moves` contains no move twice. Give both functions or neither; NULL: each move has one action.
     */
    void (*priors)(const soloist_instance *instance, const void *state, const soloist_move *moves, int count,
                   const float *policy, float *priors);
    /* See priors. */
    void (*share)(const soloist_instance *instance, const void *state, const soloist_move *moves, const float *parts,
                  int count, float *policy);
    /* Symmetries are equivalent views of a position, such as the board turned or colours renamed. The function
     * symmetries returns their number; symmetry 0 changes nothing. The function reflect writes the planes and the
     * policy (one number per action) as seen under a symmetry. A symmetry only permutes the numbers. policy and
     * reflected_policy may both be NULL. Give both functions or neither; NULL: no symmetries. */
    int (*symmetries)(const soloist_instance *instance);
    /* See symmetries. */
    void (*reflect)(const soloist_instance *instance, int symmetry, int channels, const float *slot,
                    const float *policy, float *reflected, float *reflected_policy);
    /* True if the state, without its instance, contains all that a network should see. Then any instance with the same
     * numbers of planes and actions can pack, unpack and encode the state, so that training need not keep the
     * instances. */
    bool whole_states;
    /* How many planes, counted from the first, hold only zeros and ones, so that training can store them as bits; 0:
     * not known. Used only if whole_states is false, because training then stores the planes instead of the state. */
    int bit_planes;
} soloist_learn;

/* Tables: optional. Data that take long to compute and that many instances share, such as pattern databases. The engine
 * opens the tables before the first search that wants them, keeps them under their name, and attaches them to the
 * session. soloist_free closes them. Without its tables an instance still works, with a weaker bound. Every pointer is
 * required, and so is life.session. */
typedef struct soloist_tables {
    size_t size; /* sizeof(soloist_tables) */
    /* Writes the name of the tables that the instance wants; false: it wants none. */
    bool (*name)(const soloist_instance *instance, char *name, size_t room);
    /* Loads the tables from files in `folder`, or makes them and writes the files. If folder is NULL, no files are
     * used. Returns NULL with an error if this fails, if the tables would take more than work->memory, or soon after
     * work->stop is stopped. The engine never opens tables of one name twice at the same time. */
    void *(*open)(const soloist_instance *instance, const char *folder, const soloist_work *work, soloist_error *error);
    void (*close)(void *tables);         /* frees the tables */
    size_t (*bytes)(const void *tables); /* bytes of memory that the tables take */
    /* Lets a session use the tables; the session does not own them. Called before the session's first state is made. */
    void (*attach)(soloist_instance *session, const void *tables);
} soloist_tables;

/* A member of a mix: a method and its part of the work. */
typedef struct soloist_member {
    /* The name by which `auto:without=` refers to the member; made of a-z, 0-9, - and _. No two members have the same
     * name. */
    const char *name;
    const char *method; /* "NAME" or "NAME:key=value,..." */
    /* In a sequence: when the member begins, it may use this percentage of the time, nodes and so on that are left. The
     * last member may use all that is left. */
    int percent;
    /* In a round robin: the member's weight. The member does the part (share / sum of all shares) of the work of each
     * round. */
    int share;
    /* In a round robin: the member's first turn lasts at least this many microseconds, or this many states if the run
     * has a node limit. */
    uint32_t head;
    bool threads; /* in a round robin: the member gets the threads that are left when every member has one */
    /* "key=value,...": options of the domain that are different for this member; NULL: none. Because its moves may
     * differ too, the member's solution is written as text and read again with the user's options. Its proofs are
     * ignored. */
    const char *changes;
} soloist_member;

#define SOLOIST_MOST_MEMBERS 24 /* a mix has no more members than this */

/* A mix of methods for one puzzle, because no method is best on all puzzles. In a sequence, the members run one after
 * the other, each with all threads. In a round robin, they take turns, and the first answer ends all of them. A member
 * that refuses the puzzle is skipped. */
typedef struct soloist_mix {
    size_t size; /* sizeof(soloist_mix) */
    const soloist_member *members; /* in the order in which they run */
    int count;                     /* 1 to SOLOIST_MOST_MEMBERS */
    bool round_robin;              /* the members take turns; otherwise they run one after the other */
    /* "key=value,...": options of the domain that are different for all members. The members then share a separate
     * instance, if there is enough memory for the shape.session_size bytes that it may use. Give here only options
     * about what a search may learn: states, moves and costs must stay the same. NULL: none. */
    const char *changes;
} soloist_mix;

/* Hints: optional. The domain's advice to searches. Hints change how fast a puzzle is solved, but never make a result
 * wrong. Every pointer may be NULL. */
typedef struct soloist_hints {
    size_t size; /* sizeof(soloist_hints) */
    /* The mix that the method `auto` runs under these limits; the mix must stay valid as long as the domain. If the
     * function returns NULL, or if the pointer itself is NULL, `auto` chooses by the groups that the domain has. Note
     * that an iteration limit does not stop searches with a closed table, and that some methods never end without a
     * limit. */
    const soloist_mix *(*mix)(const soloist_instance *instance, const soloist_limits *limits);
    /* True if expanding a state takes less time than a look-up in a large table, and searches seldom reach a state
     * twice. Then IDA* uses no transposition table, and A* fetches the next state from memory in advance. */
    bool fast_expand;
} soloist_hints;

/* Whether an episode goes on after a step, or why it ended. */
typedef enum soloist_episode {
    SOLOIST_EPISODE_RUNS,   /* it goes on */
    SOLOIST_EPISODE_ENDED,  /* at a goal, or at the end of play */
    SOLOIST_EPISODE_STUCK,  /* no move is left */
    SOLOIST_EPISODE_CUT_OFF /* by the step limit; the game itself could go on */
} soloist_episode;

/* Which episodes are played, and on how many boards. */
typedef struct soloist_episodes {
    size_t size;         /* sizeof(soloist_episodes) */
    const void *options; /* the domain's options for reading levels; borrowed as long as the boards exist */
    int boards;          /* how many boards are played at once */
    int first_board; /* number of the first board: boards with different numbers draw different levels */
    int levels;      /* number of slots in the pool of levels */
    int reward;      /* index of a name in the reward group; -1: the score of each step, or minus its cost */
    int step_limit;  /* an episode is cut off after this many steps; 0: never */
    bool in_turn;    /* the boards take the levels of the pool one after the other; otherwise each draws at random */
    uint64_t seed;   /* seeds the random numbers by which levels are drawn */
} soloist_episodes;

/* Environments: optional. Many boards that are played at once, for learners. A general version works for every domain
 * with the groups core and learn; a domain provides this group if its own version is faster. Both versions give the
 * same results.
 *
 * An observation has one byte for each number in the planes that learn.encode writes, without the additional planes
 * (learn.more_planes). All levels have the same planes and actions. Every pointer is required. The last three functions
 * were added later than the others; a group that lacks them is not used. */
typedef struct soloist_environments {
    size_t size; /* sizeof(soloist_environments) */
    /* Returns false if this group cannot play these episodes, for example because of their reward; then the general
     * version does. */
    bool (*suits)(const soloist_episodes *episodes);
    void *(*open)(const soloist_episodes *episodes); /* NULL: no memory */
    void (*close)(void *boards);                     /* NULL is allowed */
    /* Puts a level into slot 0 .. levels-1 of the pool; boards that play the slot's former level finish that level. The
     * text is copied. False with an error if the level cannot be read, has other planes than the levels before it, or
     * begins at a goal or without a move. */
    bool (*put)(void *boards, int slot, const soloist_chunk *chunk, soloist_error *error);
    /* Begins a new episode on every board and writes the observations, one board after the other. All slots must hold
     * levels. */
    void (*reset)(void *boards, uint8_t *observations);
    /* Plays one action on every board. An action that is no legal move changes nothing, but counts as a step. When the
     * episode of a board is over, the next one begins at once. In the board's place, `observations` then gets the first
     * observation of the new episode, and `finals` (unless it is NULL) gets the last observation of the old one.
     * rewards and ends (values of enum soloist_episode) have one number per board. If in_place is true, `observations`
     * still holds the result of the last call, so that only the bytes that have changed need to be written. */
    void (*step)(void *boards, const int32_t *actions, bool in_place, uint8_t *observations, float *rewards,
                 uint8_t *ends, uint8_t *finals);
    /* Writes one byte per action and board: 1 if the action is a legal move. */
    void (*legal)(const void *boards, uint8_t *mask);
    int (*slot)(const void *boards, int board); /* the slot of the level that a board plays */
    /* The number n of episodes that have begun. If in_turn is true, the next episode plays slot n % levels. */
    uint64_t (*episodes)(const void *boards);
    /* Begins a new episode on one board and writes its observation. slot: the slot of the level; -1: the next level, as
     * at the end of an episode. */
    void (*begin)(void *boards, int board, int slot, uint8_t *observation);
    /* Restarts the random draws of levels and the count of episodes; boards that are playing a level finish it. */
    void (*reseed)(void *boards, uint64_t seed);
    /* Writes a board's position as text.print does. */
    void (*print)(const void *boards, int board, const soloist_sink *sink);
} soloist_environments;

/* ---- boards: the environments of a domain for a program ------------------------------------------------------ */

/* Many boards that a program plays at once. They use the domain's own environments or the general version. Threads
 * exist only during a call. Only one call at a time may use a set of boards; two sets are independent of each other. */
typedef struct soloist_boards soloist_boards;

/* What is played. Set every field that you do not use to zero. */
typedef struct soloist_boards_plan {
    size_t size;         /* sizeof(soloist_boards_plan) */
    const char *options; /* the domain's options, "key=value,..."; NULL: the defaults */
    const char *reward;  /* a name in the reward group; NULL: the score of each step, or minus its cost */
    int boards;          /* 1 or more */
    int levels;          /* number of slots in the pool of levels, 1 or more */
    int step_limit;      /* an episode is truncated after this many steps; 0: never */
    /* Maximum number of threads that a call uses; 0 means 1. The results do not depend on it. If in_turn is true, only
     * one thread is used. */
    int threads;
    bool in_turn; /* the boards take the levels one after the other; otherwise each draws at random */
    bool general; /* use the general version even if the domain has its own; the results are the same */
    uint64_t seed; /* seeds the random numbers by which levels are drawn */
} soloist_boards_plan;

/* The caller's arrays. Every step reads and writes them directly. masks and finals may be NULL. All arrays are borrowed
 * until the boards are closed or other arrays are bound. */
typedef struct soloist_boards_arrays {
    size_t size;            /* sizeof(soloist_boards_arrays) */
    const int32_t *actions; /* one per board; an action that is no legal move changes nothing, but counts as a step */
    uint8_t *observations;  /* boards x channels x height x width */
    float *rewards;         /* one per board */
    uint8_t *terminated;    /* 1 where the episode ended: at a goal, at the end of play, or because no move was left */
    uint8_t *truncated;     /* 1 where the step limit ended the episode; never together with terminated */
    /* The last observation of each episode that has just ended, in the same layout as `observations`. For boards whose
     * episode goes on, nothing is written. */
    uint8_t *finals;
    uint8_t *masks;         /* boards x actions: 1 if the action is a legal move */
} soloist_boards_arrays;

/* Opens boards of a domain that has a learn group and one player. Returns NULL with an error if that fails. */
soloist_boards *soloist_boards_open(const soloist_domain *domain, const soloist_boards_plan *plan,
                                    soloist_error *error);
void soloist_boards_close(soloist_boards *boards); /* NULL is allowed */
/* Puts a level into a slot of the pool; boards that play the slot's former level finish that level. The text is copied.
 * Returns SOLOIST_BAD_INPUT if the level cannot be read, has other planes than the levels before it, or begins at a
 * goal or without a move. */
soloist_code soloist_boards_put(soloist_boards *boards, int slot, const soloist_chunk *chunk, soloist_error *error);
/* Fills every slot with a level from the domain's generator. options: "key=value,..." for the generator (NULL: the
 * defaults). The level of a slot depends only on the options, the seed and the slot's number. */
soloist_code soloist_boards_fill(soloist_boards *boards, const char *options, uint64_t seed, soloist_error *error);
/* Writes channels, height and width of an observation and the number of actions; all four are 0 until the first level
 * is in the pool. */
void soloist_boards_shape(const soloist_boards *boards, int shape[4]);
/* Sets the arrays that the following calls write. At least one level must be in the pool, because the first level
 * decides the sizes of the arrays. */
soloist_code soloist_boards_bind(soloist_boards *boards, const soloist_boards_arrays *arrays, soloist_error *error);
/* Restarts the random draws of levels and the count of episodes. */
void soloist_boards_reseed(soloist_boards *boards, uint64_t seed);
/* Begins a new episode on every board, and writes observations and masks. Returns SOLOIST_MISUSE if a slot is empty or
 * no arrays are bound. */
soloist_code soloist_boards_reset(soloist_boards *boards);
/* Begins a new episode on one board. slot: the slot of the level to be played; -1: the next level, as at the end of an
 * episode. */
soloist_code soloist_boards_begin(soloist_boards *boards, int board, int slot);
/* Plays one action on every board. When the episode of a board is over, the next one begins at once: its first
 * observation is then in `observations`, and the last observation of the old episode is in `finals`. Returns how many
 * episodes ended, or -1 if the boards were never reset. A step may write only what has changed; therefore
 * `observations` must still hold what the last call wrote there, unless other arrays were bound since. */
int soloist_boards_step(soloist_boards *boards);
/* The same as soloist_boards_step, but writes the observations to another array of the same size. If the step or reset
 * before this one wrote to a different array, the whole array is written; otherwise only what has changed. The same
 * rule applies to soloist_boards_step. */
int soloist_boards_step_into(soloist_boards *boards, uint8_t *observations);
/* The slot of the level that a board plays, or -1 if the boards were never reset. */
int soloist_boards_slot(const soloist_boards *boards, int board);
/* Writes the position of a board in the domain's file format. */
soloist_code soloist_boards_print(const soloist_boards *boards, int board, const soloist_sink *sink);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
