/* Soloist: solves puzzles that one agent plays alone, by search, by sampling and by learning.
 *
 * This is the only header a program or a plugin includes. Part one is the domain contract: a puzzle is a
 * table of functions, written once, and every search works on it. Part two is the engine: read a file,
 * solve an instance, replay a solution. The library returns codes, never prints and never exits. */
#ifndef SOLOIST_H
#define SOLOIST_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define SOLOIST_VERSION "0.1.0"
#define SOLOIST_ABI 3 /* a plugin built for another number is refused */

/* Every call that can fail says how. */
typedef enum soloist_code {
    SOLOIST_OK,
    SOLOIST_MISUSE,      /* the caller broke the contract: a NULL, an unknown name, a value out of range */
    SOLOIST_BAD_INPUT,   /* a file, a solution or an option text is wrong: the error says where and what */
    SOLOIST_UNSUPPORTED, /* the domain lacks a group that the method needs: the error says which */
    SOLOIST_NO_MEMORY,
    SOLOIST_INTERNAL /* a solution failed its replay: never shown as a solution */
} soloist_code;

/* What is wrong and where. line and column count from 1; 0 means "not known". */
typedef struct soloist_error {
    int line, column;
    char text[256];
} soloist_error;

/* Where text goes: a file, a growing buffer, a socket. write gets n bytes, not ended by a zero. */
typedef struct soloist_sink {
    void (*write)(void *to, const char *text, size_t n);
    void *to;
} soloist_sink;

void soloist_put(const soloist_sink *sink, const char *text);
void soloist_print(const soloist_sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Fills *error (which may be NULL) and returns false, so that a parser can say `return soloist_fail(...)`. */
bool soloist_fail(soloist_error *error, int line, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- random numbers: xoshiro256**, the same stream on every machine ---------------------------------- */

typedef struct soloist_rng {
    uint64_t s[4];
} soloist_rng;

/* Stream number `stream` of `seed`: distinct streams are independent, so a run can give one to each unit of
 * work and stay reproducible whatever the number of threads. */
void soloist_rng_seed(soloist_rng *rng, uint64_t seed, uint64_t stream);

static inline uint64_t soloist_rng_next(soloist_rng *rng) {
    uint64_t *s = rng->s;
    uint64_t x = s[1] * 5, result = ((x << 7) | (x >> 57)) * 9, t = s[1] << 17;
    s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3], s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}

/* Uniform in 0 .. n-1, n >= 1, without bias (Lemire's multiply and reject). */
static inline uint32_t soloist_rng_below(soloist_rng *rng, uint32_t n) {
    uint64_t m = (uint64_t)(uint32_t)(soloist_rng_next(rng) >> 32) * n;
    if ((uint32_t)m < n) {
        uint32_t reject = (uint32_t)-n % n;
        while ((uint32_t)m < reject)
            m = (uint64_t)(uint32_t)(soloist_rng_next(rng) >> 32) * n;
    }
    return (uint32_t)(m >> 32);
}

/* Uniform in [0, 1). */
static inline double soloist_rng_unit(soloist_rng *rng) { return (double)(soloist_rng_next(rng) >> 11) * 0x1.0p-53; }

/* ---- option rows: one row gives the field, the parser, the range check, the help and the JSON --------- */

typedef enum soloist_option_kind {
    SOLOIST_OPTION_END,
    SOLOIST_OPTION_INT,    /* int64_t */
    SOLOIST_OPTION_REAL,   /* double */
    SOLOIST_OPTION_BOOL,   /* bool */
    SOLOIST_OPTION_CHOICE, /* int: index into choices */
    SOLOIST_OPTION_NAMES   /* int64_t: bit i stands for choice i; written "first+third", or "none" */
} soloist_option_kind;

typedef struct soloist_option {
    soloist_option_kind kind;
    const char *name;
    size_t offset; /* of the field in the options struct */
    double initial, least, most;
    const char *choices; /* "first|second|third" */
    const char *help;
} soloist_option;

/* A list of options is a macro  #define MY_OPTIONS(T, INT, REAL, BOOL, CHOICE)  whose lines are
 *   INT(T, name, initial, least, most, "help")   REAL(T, name, initial, least, most, "help")
 *   BOOL(T, name, initial, "help")               CHOICE(T, name, initial index, "a|b|c", "help")
 * SOLOIST_OPTIONS(my_options, MY_OPTIONS) then declares struct my_options and static my_options_rows[]. */
#define SOLOIST_FIELD_INT(T, name, initial, least, most, help) int64_t name;
#define SOLOIST_FIELD_REAL(T, name, initial, least, most, help) double name;
#define SOLOIST_FIELD_BOOL(T, name, initial, help) bool name;
#define SOLOIST_FIELD_CHOICE(T, name, initial, choices, help) int name;
#define SOLOIST_ROW_INT(T, name, initial, least, most, help)                                                           \
    {SOLOIST_OPTION_INT, #name, offsetof(struct T, name), initial, least, most, NULL, help},
#define SOLOIST_ROW_REAL(T, name, initial, least, most, help)                                                          \
    {SOLOIST_OPTION_REAL, #name, offsetof(struct T, name), initial, least, most, NULL, help},
#define SOLOIST_ROW_BOOL(T, name, initial, help)                                                                       \
    {SOLOIST_OPTION_BOOL, #name, offsetof(struct T, name), initial, 0, 1, NULL, help},
#define SOLOIST_ROW_CHOICE(T, name, initial, choices, help)                                                            \
    {SOLOIST_OPTION_CHOICE, #name, offsetof(struct T, name), initial, 0, 0, choices, help},
#define SOLOIST_OPTIONS(T, LIST)                                                                                       \
    struct T {                                                                                                         \
        LIST(T, SOLOIST_FIELD_INT, SOLOIST_FIELD_REAL, SOLOIST_FIELD_BOOL, SOLOIST_FIELD_CHOICE)                       \
    };                                                                                                                 \
    static const soloist_option T##_rows[] = {                                                                         \
        LIST(T, SOLOIST_ROW_INT, SOLOIST_ROW_REAL, SOLOIST_ROW_BOOL, SOLOIST_ROW_CHOICE){SOLOIST_OPTION_END, NULL, 0,  \
                                                                                         0, 0, 0, NULL, NULL}}

/* Sets every field of `options` to its initial value. */
void soloist_options_reset(const soloist_option *rows, void *options);
/* Sets fields from "key=value,key=value" (a bool's name alone means true); NULL or "" changes nothing. */
soloist_code soloist_options_parse(const soloist_option *rows, void *options, const char *text, soloist_error *error);

/* ---- progress: callbacks that a program may pass to long work ----------------------------------------- */

/* What a long run tells while it works. Called from the solving thread, at most a few times a second. */
typedef struct soloist_progress {
    double time_s;
    uint64_t nodes, iterations;
    size_t memory;
    int32_t best; /* best cost or score so far */
    bool has_best;
    const char *note;  /* e.g. "depth 14"; may be NULL */
    uint64_t expanded; /* 0 where the method does not count them */
} soloist_progress;

typedef struct soloist_callbacks {
    void (*progress)(void *user, const soloist_progress *progress); /* may be NULL */
    void (*log)(void *user, const char *text);                      /* may be NULL */
    void *user;
} soloist_callbacks;

/* ======================================================================================================
 * Part one: the domain contract
 * ====================================================================================================== */

/* An instance is made by parse, immutable, and shared by all threads. Its content is the domain's own. */
typedef struct soloist_instance soloist_instance;

/* A move, packed as the domain likes. It may stand for several others, played one after the other (a macro): they are
 * legal where they come, and a solution's text may be read as they, which the reverse group takes back one by one. */
typedef uint32_t soloist_move;
#define SOLOIST_NO_MOVE UINT32_MAX

/* The bound of a state from which the goal cannot be reached. */
#define SOLOIST_DEAD INT32_MAX

/* One instance's text inside a file: not ended by a zero, line is its first line in the file (from 1). */
typedef struct soloist_chunk {
    const char *text;
    size_t length;
    int line;
    char name[128]; /* a title, or "" */
} soloist_chunk;

/* Walks through a file's text, instance by instance or line by line. */
typedef struct soloist_cursor {
    const char *at, *end;
    int line;    /* the line that `at` starts, from 1 */
    int ordinal; /* free for the domain's use: instances seen */
} soloist_cursor;

/* Opens a cursor on a text (skips a UTF-8 byte-order mark). */
soloist_cursor soloist_cursor_open(const char *text, size_t length);
/* Steps over one line: *line is its start, *length its length without LF, CR LF or CR. False at the end. */
bool soloist_cursor_line(soloist_cursor *cursor, const char **line, size_t *length);
/* Ready-made `next` functions for life: one instance a line; or one a block of lines between blank lines.
 * Lines that start with ';' or '#' are comments (in a block they are passed over; the last one before it is its
 * name). */
bool soloist_next_line(soloist_cursor *cursor, soloist_chunk *chunk);
bool soloist_next_block(soloist_cursor *cursor, soloist_chunk *chunk);

/* Sizes that an instance fixes. A caller allocates states, undo records and move lists by them. */
typedef struct soloist_shape {
    size_t state_size;  /* bytes of a state: pointer-free, copied by memcpy, equal states have equal bytes */
    size_t undo_size;   /* bytes that apply may write for undo */
    size_t packed_size; /* bytes of a packed state; 0 without the pack group */
    int most_moves;     /* no state has more moves, forwards or backwards */
    int most_steps;     /* no line of play is longer; 0: no such limit */
    int32_t least_step; /* no move costs less (least cost only); 0 is always right */
} soloist_shape;

/* Life: required. parse is the only function that allocates, destroy frees. */
typedef struct soloist_life {
    /* How surely the text is a file of this domain: 0 (no) to 100. Must read any bytes safely. */
    int (*recognise)(const char *text, size_t length);
    /* Finds the next instance's text. Never fails: what is malformed is parse's to refuse. */
    bool (*next)(soloist_cursor *cursor, soloist_chunk *chunk);
    /* Returns NULL with a located error (lines counted in the file). options: the domain's own struct. NULL with errno
     * ENOMEM, which a failed malloc sets, means that memory ran out, not that the text is wrong. */
    soloist_instance *(*parse)(const soloist_chunk *chunk, const void *options, soloist_error *error);
    void (*destroy)(soloist_instance *instance);
    void (*shape)(const soloist_instance *instance, soloist_shape *shape);
    void (*root)(const soloist_instance *instance, void *state);
    /* One sentence that proves that no solution exists, or NULL. The pointer may be NULL: never known. */
    const char *(*impossible)(const soloist_instance *instance);
} soloist_life;

/* What one batched expand says of a child. */
typedef struct soloist_child {
    uint64_t key;
    soloist_move move;
    int32_t step;  /* cost of the move, or score it gains */
    int32_t bound; /* bound of the child; 0 unless asked for */
} soloist_child;

/* What the caller of expand will read. */
#define SOLOIST_WANT_KEY 1u
#define SOLOIST_WANT_BOUND 2u

/* Core: required, hot. Nothing allocates, prints or keeps static mutable data; the same inputs give the same
 * results in the same order on every machine. */
typedef struct soloist_core {
    /* Lists every legal move, in a fixed order; returns how many (at most shape.most_moves). */
    int (*moves)(const soloist_instance *instance, const void *state, soloist_move *moves);
    /* Plays a legal move; returns its step (cost or gain). undo: shape.undo_size bytes, or NULL if no undo will
     * follow. */
    int32_t (*apply)(const soloist_instance *instance, void *state, soloist_move move, void *undo);
    /* Takes the last move back: every byte of the state is as before. */
    void (*undo)(const soloist_instance *instance, void *state, soloist_move move, const void *undo);
    /* True at a goal (least cost) or at the end of play (most score). *last: what the end adds to the sum of steps
     * (0 for goals). */
    bool (*ended)(const soloist_instance *instance, const void *state, int32_t *last);
    /* 64-bit key, kept incrementally; equal states have equal keys. */
    uint64_t (*key)(const soloist_instance *instance, const void *state);
    /* The same key computed from nothing: the reference for tests. */
    uint64_t (*key_from_scratch)(const soloist_instance *instance, const void *state);
    /* All children in the order of moves, less those that the bound group's dead test refuses, less those whose bound
     * is SOLOIST_DEAD if SOLOIST_WANT_BOUND is set, less those that the bound group's pruned names, and less those
     * that would only go back to the parent, `last` being the move that led here (SOLOIST_NO_MOVE: none). Fields not
     * wanted are unspecified. */
    int (*expand)(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                  soloist_child *children);
    /* Two players only: whose turn it is, 0 (who wants most) or 1 (who wants least). */
    int (*turn)(const soloist_instance *instance, const void *state);
} soloist_core;

/* Bound: optional. A lower bound on the cost to go, or an upper bound on the score to come. */
typedef struct soloist_bound {
    int32_t (*value)(const soloist_instance *instance, const void *state);
    /* True only if no goal can be reached; cheap. May be NULL. */
    bool (*dead)(const soloist_instance *instance, const void *state);
    /* May depend on the instance's options. */
    bool (*admissible)(const soloist_instance *instance);
    bool (*consistent)(const soloist_instance *instance);
    /* True for a move that expand leaves out although legal and not dead, because another move can be made first
     * without loss, or because it is known to lead nowhere: the best way on from the state keeps its cost (or score),
     * and if every move is pruned there is no way on. NULL: none. */
    bool (*pruned)(const soloist_instance *instance, const void *state, soloist_move move);
    /* False where the instance's options let pruned go further, and the best way on, or any, may be lost: then a search
     * that finds nothing better has proved nothing. NULL: always true. */
    bool (*lossless)(const soloist_instance *instance);
    /* Most score only: another upper bound, tighter than value and dearer, that a search asks for once a state; as
     * admissible as value. Where it is not above `enough` it may give anything from itself to `enough`. NULL: none. */
    int32_t (*tight)(const soloist_instance *instance, const void *state, int32_t enough);
} soloist_bound;

/* Estimate: optional. A guess at the cost to go (or the score to come) that is finer than the bound: good for choosing
 * among states, and proving nothing. */
typedef struct soloist_estimate {
    /* True if the instance has one. */
    bool (*known)(const soloist_instance *instance);
    /* As core's expand with the bound, and a guess for each child, in sixteenths of a step. */
    int (*expand)(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                  soloist_child *children, int32_t *guesses);
} soloist_estimate;

/* Reverse: optional. The game played backwards over the same states: from the goals towards the root. */
typedef struct soloist_reverse {
    /* Writes goal state number `index` (0, 1, 2, ...); false past the last. */
    bool (*goal)(const soloist_instance *instance, uint64_t index, void *state);
    /* Backward moves, apply, undo, expand; ended is true at the root. */
    const soloist_core *core;
    /* Lower bound on the cost from the root to a state. May be NULL. */
    const soloist_bound *bound;
    /* The forward move that undoes backward move `move`; `state` is the one before the backward move. */
    soloist_move (*forward)(const soloist_instance *instance, const void *state, soloist_move move);
    /* The game from one state to another as an instance of its own, with the same shape and moves; its bound and its
     * estimate, if any, look at `to`. Only where there is one goal and the backward moves are the forward moves, so
     * that any line can be walked both ways. It borrows from `instance` and is destroyed before it. NULL, or may be
     * NULL itself: not to be had. */
    soloist_instance *(*between)(const soloist_instance *instance, const void *from, const void *to);
} soloist_reverse;

/* Pack: optional. A smaller form of a state for closed tables; equal states have equal packed bytes. */
typedef struct soloist_pack {
    void (*pack)(const soloist_instance *instance, const void *state, void *packed);
    void (*unpack)(const soloist_instance *instance, const void *packed, void *state);
} soloist_pack;

typedef struct soloist_playout {
    int32_t value;  /* sum of steps, plus the end's if it ended */
    int32_t length; /* moves played */
    bool ended;
} soloist_playout;

/* Sample: optional. The domain's own fast play-outs; without it a search plays through the core. */
typedef struct soloist_sample {
    const char *const *policies; /* names, NULL-terminated; the first is uniform over moves */
    /* Plays from *state, which it changes, until the end or `limit` moves. trace: room for the moves, or NULL. */
    soloist_playout (*playout)(const soloist_instance *instance, void *state, int policy, int limit, soloist_rng *rng,
                               soloist_move *trace);
} soloist_sample;

/* A move that a walk may go on with. */
typedef struct soloist_choice {
    uint64_t code; /* the same move in a similar state has the same code: what a policy learns about */
    soloist_move move;
    int32_t gain;  /* its step */
    int32_t prior; /* how promising it looks, from 0 */
    uint32_t mark; /* the caller's; comes along as long as the choice stays as it is; 0 when it is new */
    float weight;  /* the caller's; comes along with the mark */
    uint32_t unused;
} soloist_choice;

/* Walk: optional. Plays a line and keeps the list of choices up to date from move to move: for searches that learn
 * which moves to play. A walk is a pointer-free block that begins with its choices, room for shape.most_moves. Rule 0
 * leaves every legal move; further rules leave out what is seldom good, but never all. */
typedef struct soloist_walk {
    size_t (*size)(const soloist_instance *instance);
    int (*rules)(const soloist_instance *instance); /* how many there are, at least 1 */
    /* Stands at `state`, `steps` moves from the root; returns how many choices there are, 0 where no move is left. */
    int (*open)(const soloist_instance *instance, void *walk, const void *state, int rule, int steps);
    /* Copies what is in use. */
    void (*copy)(const soloist_instance *instance, void *to, const void *from);
    /* Plays choice number `chosen`; returns how many choices there are then. */
    int (*play)(const soloist_instance *instance, void *walk, int chosen);
    /* As core's ended. */
    bool (*ended)(const soloist_instance *instance, const void *walk, int32_t *last);
} soloist_walk;

/* A larger move, and what it leads to. */
typedef struct soloist_prospect {
    uint64_t key;      /* of the state after it */
    uint64_t features; /* of that state: the first in bits 48-55, the next in bits 40-47, and so on; less is better */
    soloist_move move; /* coded for this group alone */
    uint32_t advisors; /* bit a: advisor a proposes it */
} soloist_prospect;

#define SOLOIST_MOST_FEATURES 7

/* Features: optional; least cost only. A state's projection onto a few small numbers, and larger moves that stand for
 * many plain ones: for feature-space search (Shoham and Schaeffer 2020). A guide is a block of the group's own, one a
 * search, that holds the plan and all scratch room. Every plain move that does not lose is the beginning of some larger
 * one, which may be it alone: where no larger move is left, no solution is. */
typedef struct soloist_features {
    const char *const *names;    /* of the features, NULL-terminated; the most important first */
    const char *const *advisors; /* NULL-terminated, at most 32 */
    int plans;                   /* kinds of plans; number k * plans + i is another one of kind i */
    size_t (*guide_size)(const soloist_instance *instance);
    size_t (*state_size)(const soloist_instance *instance);
    int (*most)(const soloist_instance *instance); /* no state has more larger moves */
    /* Makes the guide, zeroed before the first time, for plan number `number`, as yet without what the plan's own game
     * will tell; and gives back what it holds, at the end. */
    void (*open)(const soloist_instance *instance, void *guide, int number);
    void (*close)(const soloist_instance *instance, void *guide);
    /* The features that are dimensions of the space under that plan: bit i is feature i. */
    unsigned (*dimensions)(const soloist_instance *instance, const void *guide);
    /* The index-th state to begin with; false past the last. */
    bool (*root)(const soloist_instance *instance, void *guide, int index, void *state);
    uint64_t (*key)(const soloist_instance *instance, const void *state);
    bool (*ended)(const soloist_instance *instance, const void *state);
    /* The state's features, as a prospect has them. */
    uint64_t (*project)(const soloist_instance *instance, void *guide, const void *state);
    /* Lists the larger moves; at most one an advisor is proposed. Moves known to lose are left out. */
    int (*list)(const soloist_instance *instance, void *guide, const void *state, soloist_prospect *prospects);
    void (*play)(const soloist_instance *instance, void *guide, void *state, soloist_move move);
    /* True only if the state is lost; may cost more than list does a move. move: that led there; SOLOIST_NO_MOVE at a
     * root. */
    bool (*dead)(const soloist_instance *instance, void *guide, const void *state, soloist_move move);
    /* True only if the state is lost, by what was learned since it was listed; asked before each of its moves, and to
     * think hard about it now and then, at the cost of a thousand states or so. NULL: nothing is learned. */
    bool (*doomed)(const soloist_instance *instance, void *guide, const void *state, bool think);
    /* The plain moves that a larger one stands for, and how many; NULL in a plan's game. moves: NULL, or room. */
    int (*plain)(const soloist_instance *instance, void *guide, const void *state, soloist_move move,
                 soloist_move *moves);
    /* The game that the plan is found by, over states of its own and with the same guide; NULL: none. */
    const struct soloist_features *plan;
    /* Takes as plan a line of that game, that ends in `state`. */
    void (*adopt)(const soloist_instance *instance, void *guide, const void *state, const soloist_move *moves,
                  size_t count);
} soloist_features;

/* Reward: optional. Named rewards for sampling searches and learners. */
typedef struct soloist_reward {
    const char *const *names; /* NULL-terminated */
    /* Of a step from `before` (NULL where the reward is a state's) to `after`, `steps` steps from the root. */
    double (*value)(const soloist_instance *instance, int which, const void *before, const void *after, int steps);
} soloist_reward;

/* Learn: optional. How a network sees a state. */
typedef struct soloist_learn {
    void (*planes)(const soloist_instance *instance, int *channels, int *height, int *width);
    /* Planes that may come after these: what follows from them but is hard for a network to find, such as how large a
     * group is. A network reads all of them or none. */
    int more_planes;
    int (*actions)(const soloist_instance *instance);
    /* Writes channels*height*width floats into the caller's slot; channels: those of planes(), or more_planes more. */
    void (*encode)(const soloist_instance *instance, const void *state, int channels, float *slot);
    int (*action)(const soloist_instance *instance, const void *state, soloist_move move);
    /* Where several actions mean the same move (any block of a group). priors[i] is what the actions of moves[i] add up
     * to in `policy`, a number an action; share spreads parts[i] evenly over the actions of moves[i], adding to
     * `policy`; no move stands there twice. Both or neither; NULL: a move is its one action. */
    void (*priors)(const soloist_instance *instance, const void *state, const soloist_move *moves, int count,
                   const float *policy, float *priors);
    void (*share)(const soloist_instance *instance, const void *state, const soloist_move *moves, const float *parts,
                  int count, float *policy);
    /* Ways to see the same position otherwise, such as colours renamed or the board turned: how many there are (number
     * 0 changes nothing), and planes with their policy, a number an action, seen so: numbers only change places. Both
     * or neither; NULL: no such ways. policy and its reflection may be NULL together. */
    int (*symmetries)(const soloist_instance *instance);
    void (*reflect)(const soloist_instance *instance, int symmetry, int channels, const float *slot,
                    const float *policy, float *reflected, float *reflected_policy);
    /* Given planes and actions, all that a network should know stands in the state: another instance with as many may
     * pack, unpack and show it, so that what is learned from need not be kept. */
    bool whole_states;
} soloist_learn;

/* What a referee found. */
typedef struct soloist_verdict {
    int32_t value; /* cost or score */
    int64_t moves;
    int64_t pushes; /* -1 where the domain has none */
} soloist_verdict;

/* Text: required. Everything a person or a file sees. */
typedef struct soloist_text {
    /* The state as a file of this domain would hold it: parse(print(x)) = x. */
    void (*print)(const soloist_instance *instance, const void *state, const soloist_sink *sink);
    /* One move for a person; state is the one before the move. */
    void (*move)(const soloist_instance *instance, const void *state, soloist_move move, const soloist_sink *sink);
    /* A whole solution from the root, in the ecosystem's notation. */
    void (*solution)(const soloist_instance *instance, const soloist_move *moves, size_t count,
                     const soloist_sink *sink);
    bool solution_is_json; /* the notation is itself a JSON value, not a string */
    /* Reads a solution from the root: writes at most `room` moves, returns how many there are, or -1 with an error
     * whose column is the place in the text. */
    long (*read)(const soloist_instance *instance, const char *text, size_t length, soloist_move *moves, size_t room,
                 soloist_error *error);
    /* The referee: replays a solution's text on an instance's text by the rules alone, in plain code of its own that
     * shares nothing with core. False with an error whose column is the place in the solution. May be NULL: the
     * engine then replays through core. */
    bool (*referee)(const soloist_chunk *chunk, const void *options, const char *solution, size_t length,
                    soloist_verdict *verdict, soloist_error *error);
    /* The domain in whose steps a solution is shown ("sokoban-moves"); NULL: this one. */
    const char *shown_in;
} soloist_text;

/* Generate: optional. New instances. */
typedef struct soloist_generate {
    const soloist_option *options;
    size_t options_size;
    /* Writes one instance in the file format, with a comment line that estimates its difficulty. */
    soloist_code (*make)(const void *options, soloist_rng *rng, const soloist_sink *sink, soloist_error *error);
} soloist_generate;

/* Tables: optional. What takes long to make and many instances share, such as pattern databases. The engine opens them
 * before the first search that wants them, keeps them by name, and attaches them; without them an instance still works,
 * with a weaker bound. */
typedef struct soloist_tables {
    /* The name of the tables that the instance wants; false: none. */
    bool (*name)(const soloist_instance *instance, char *name, size_t room);
    /* Loads them from files in `folder` (NULL: no files) or makes them, and then writes the files. NULL with an error;
     * gives up soon after *cancel (which may be NULL) is set. */
    void *(*open)(const soloist_instance *instance, const char *folder, int threads, const soloist_callbacks *callbacks,
                  const volatile int *cancel, soloist_error *error);
    void (*close)(void *tables);
    /* Borrows the tables; roots and states made before are void. Attached again, the same tables change nothing, not a
     * byte: other threads may be at work with them. */
    void (*attach)(soloist_instance *instance, const void *tables);
} soloist_tables;

typedef enum soloist_aim { SOLOIST_LEAST_COST, SOLOIST_MOST_SCORE } soloist_aim;

/* A domain: one constant table. An absent group is NULL; a search that needs it says so. */
typedef struct soloist_domain {
    int abi; /* SOLOIST_ABI */
    const char *name;
    const char *summary; /* one line */
    soloist_aim aim;
    int players; /* 1; 2: steps and ends count for the first player, core.turn says whose move it is */
    const soloist_option *options;
    size_t options_size;
    const soloist_life *life;
    const soloist_core *core;
    const soloist_text *text;
    const soloist_bound *bound;
    const soloist_reverse *reverse;
    const soloist_pack *pack;
    const soloist_sample *sample;
    const soloist_reward *reward;
    const soloist_learn *learn;
    const soloist_generate *generate;
    const soloist_tables *tables;
    const soloist_estimate *estimate;
    const soloist_walk *walk;
    const soloist_features *features;
} soloist_domain;

/* A plugin is a shared object that defines this function. */
const soloist_domain *soloist_plugin(void);

/* ======================================================================================================
 * Part two: the engine
 * ====================================================================================================== */

/* The context: the domains known and the tables they share. May be used by several threads at once, but not while
 * domains are being added. */
typedef struct soloist soloist;

soloist *soloist_new(void); /* with the built-in domains; NULL without memory */
void soloist_free(soloist *engine);
/* Adds a domain (borrowed, must outlive the engine) after checking its table. */
soloist_code soloist_add_domain(soloist *engine, const soloist_domain *domain, soloist_error *error);
/* The domain of that name, or NULL. index-th domain, or NULL past the last. */
const soloist_domain *soloist_find_domain(const soloist *engine, const char *name);
const soloist_domain *soloist_domain_at(const soloist *engine, size_t index);
/* The domain that recognises the text most surely, or NULL. */
const soloist_domain *soloist_recognise(const soloist *engine, const char *text, size_t length);

/* A puzzle: one instance with all that belongs to it. Immutable after soloist_puzzle_read. */
typedef struct soloist_puzzle {
    const soloist_domain *domain;
    void *options; /* the domain's options, owned */
    char *text;    /* the instance's text, owned, ended by a zero */
    soloist_chunk chunk;
    soloist_instance *instance;
} soloist_puzzle;

/* Parses one chunk under "key=value,..." options (NULL: defaults). On failure *error is filled and nothing is
 * owned. */
soloist_code soloist_puzzle_read(const soloist_domain *domain, const char *options, const soloist_chunk *chunk,
                                 soloist_puzzle *puzzle, soloist_error *error);
void soloist_puzzle_free(soloist_puzzle *puzzle);

/* A network that has been opened: it tells a search which moves are likely and what a state is worth. Several solves
 * may use one at once. */
typedef struct soloist_network soloist_network;

/* Opens "FILE" or "FILE:key=value,..." (batch, back end and so on: soloist_network_options lists the rows) for a
 * domain; NULL with an error. Close it after the last solve that uses it. */
soloist_network *soloist_network_open(const soloist_domain *domain, const char *text, soloist_error *error);
void soloist_network_close(soloist_network *network);
/* True if the puzzle looks to the network as those it was made for; else false with an error. */
bool soloist_network_fits(const soloist_network *network, const soloist_puzzle *puzzle, soloist_error *error);
const soloist_option *soloist_network_options(void);

/* Who finds a network for a solve that wants one and was given none: called by the solving thread, several at once.
 * valued: it has to give values. False with an error; the network stays the finder's. */
typedef bool (*soloist_network_finder)(void *user, const soloist_puzzle *puzzle, bool valued, soloist_network **network,
                                       soloist_error *error);
/* Not while anything is being solved. NULL: nobody, as at first. */
void soloist_find_networks(soloist *engine, soloist_network_finder finder, void *user);

/* Limits of one solve; 0 means none (threads: 1). The cancel flag may be set by another thread or a signal handler. */
typedef struct soloist_limits {
    double time_s;
    uint64_t nodes;
    uint64_t iterations;
    size_t memory;
    int threads;
    uint64_t seed;
    const volatile int *cancel; /* may be NULL */
    soloist_network *network;   /* for methods that want one; may be NULL */
} soloist_limits;

typedef enum soloist_status {
    SOLOIST_SOLVED,
    SOLOIST_UNSOLVED,   /* a limit ended the run; a best attempt may be given */
    SOLOIST_IMPOSSIBLE, /* proved */
    SOLOIST_INVALID
} soloist_status;

typedef enum soloist_stop {
    SOLOIST_STOP_GOAL,      /* found what it looked for */
    SOLOIST_STOP_EXHAUSTED, /* looked everywhere */
    SOLOIST_STOP_TIME,
    SOLOIST_STOP_NODES,
    SOLOIST_STOP_ITERATIONS,
    SOLOIST_STOP_MEMORY,
    SOLOIST_STOP_CANCEL
} soloist_stop;

const char *soloist_status_name(soloist_status status); /* "solved", "unsolved", "impossible", "invalid" */
const char *soloist_stop_name(soloist_stop stop);       /* "goal", "exhausted", "time", "nodes", "iterations", ... */

typedef struct soloist_result {
    soloist_status status;
    soloist_stop stopped;
    soloist_move *moves; /* owned; NULL if there is no solution */
    size_t move_count;
    char *solution; /* owned text in the domain's notation, replayed by the referee; NULL if none */
    soloist_verdict verdict;
    bool optimal; /* proved */
    double time_s;
    uint64_t nodes;                /* states generated */
    uint64_t iterations, playouts; /* valid where has_... */
    bool has_iterations, has_playouts, has_expanded;
    uint64_t expanded; /* states whose children were generated; valid where has_expanded */
    /* Of tree search, valid where has_tree: nodes that left the tree exhausted, iterations that neither added a node
     * nor removed one, and subtrees moved to a shorter way. */
    bool has_tree;
    uint64_t eliminated, skipped, moved;
    size_t peak_bytes;
    char method[160];  /* the method as run, with its options */
    char warning[256]; /* "", or a sentence about a mistake of the domain's that the solution shows */
    bool starved;      /* the machine refused memory that the limit allowed: another time more may come of it */
} soloist_result;

/* Solves a puzzle by "NAME" or "NAME:key=value,..." (NULL: "auto"). Every solution in *result has been replayed. Where
 * it is found to be optimal, the domain's bounds are checked along it: one that is wrong there proves nothing, so that
 * `optimal` is false and `warning` says what is wrong. */
soloist_code soloist_solve(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                           const soloist_limits *limits, const soloist_callbacks *callbacks, soloist_result *result,
                           soloist_error *error);
void soloist_result_free(soloist_result *result);
/* Tells without solving whether soloist_solve would refuse the method for the puzzle, as far as the domain, its
 * options, the method's options and the limits decide that; a network need not have been found yet. SOLOIST_OK, or the
 * code and the sentence that soloist_solve would give. */
soloist_code soloist_method_suits(const soloist_puzzle *puzzle, const char *method, const soloist_limits *limits,
                                  soloist_error *error);

/* The referee: replays a solution's text. */
bool soloist_check(const soloist_puzzle *puzzle, const char *solution, size_t length, soloist_verdict *verdict,
                   soloist_error *error);

/* The methods: index-th name with a line about it and its option rows; false past the last. */
bool soloist_method_at(size_t index, const char **name, const char **summary, const soloist_option **options);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
