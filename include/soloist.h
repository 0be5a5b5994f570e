/* Soloist solves single-agent puzzles by search, by sampling and by learning.
 *
 * This is the only header that a program or a simple plugin needs. soloist_extra.h declares further groups of
 * functions, which make the search of a domain faster or let networks learn to play it. soloist_method.h declares what
 * you need to write a search method of your own. Part one of this header is the domain contract: a kind of puzzle is
 * described by one table of functions, and the searches work on any such table. Part two is the engine, which reads
 * files, solves instances and replays solutions. The library returns codes; it never prints and never exits. */
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

#define SOLOIST_VERSION "0.2.0" /* the version of this header */
#define SOLOIST_ABI 6 /* the engine refuses a plugin that was compiled with a different number */

/* Return the version and the ABI number of the library that is loaded, which may be newer than this header. */
const char *soloist_version(void);
int soloist_abi(void);

/* The codes that are returned by functions that can fail. */
typedef enum soloist_code {
    SOLOIST_OK,          /* done */
    /* the caller broke the contract, for example by a NULL, an unknown name or a value out of range */
    SOLOIST_MISUSE,
    /* a file, a solution or the text of an option is wrong; the error says what is wrong and where */
    SOLOIST_BAD_INPUT,
    SOLOIST_UNSUPPORTED, /* the domain, the instance or the limits lack something that is needed; the error says what */
    SOLOIST_NO_MEMORY,   /* memory ran out */
    /* a bug in the program; for example, the replay of a solution failed, so that the solution is not reported */
    SOLOIST_INTERNAL,
    SOLOIST_STOPPED   /* a stop token ended the call before the call had a result */
} soloist_code;

/* An error: what is wrong, and where in the text. `line` and `column` are counted from 1; 0 means that the place is
 * unknown. The engine's functions, in part two of this header, accept NULL instead of a pointer to an error. The
 * functions of a domain always get a pointer to an error, never NULL. */
typedef struct soloist_error {
    int line, column; /* the place in the text where the error is */
    char text[256];   /* one sentence that says what is wrong, but not where */
} soloist_error;

/* A destination for text, such as a file, a growing buffer or a socket. The function `write` is called with `to` as its
 * first argument. The text that `write` gets has n bytes and is not terminated by a zero. */
typedef struct soloist_sink {
    void (*write)(void *to, const char *text, size_t n); /* writes n bytes */
    void *to;                                            /* the first argument of `write` */
} soloist_sink;

/* soloist_put writes a text to a sink; soloist_print writes formatted text, as printf does. */
void soloist_put(const soloist_sink *sink, const char *text);
void soloist_print(const soloist_sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Fills *error, unless it is NULL, and returns false, so that a parser can write `return soloist_fail(...)`. */
bool soloist_fail(soloist_error *error, int line, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- random numbers by xoshiro256**, which gives the same numbers on every machine -------------------- */

/* The state of a stream of random numbers. */
typedef struct soloist_rng {
    uint64_t s[4]; /* set by soloist_rng_seed */
} soloist_rng;

/* Starts the stream of random numbers that belongs to the seed `seed` and the number `stream`. Different streams are
 * independent: a run that gives each unit of work its own stream is reproducible with any number of threads. */
void soloist_rng_seed(soloist_rng *rng, uint64_t seed, uint64_t stream);

/* Returns the next 64 random bits. */
static inline uint64_t soloist_rng_next(soloist_rng *rng) {
    uint64_t *s = rng->s;
    uint64_t x = s[1] * 5, result = ((x << 7) | (x >> 57)) * 9, t = s[1] << 17;
    s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3], s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}

/* Returns a random integer that is uniformly distributed in 0 .. n-1, for n >= 1. Lemire's method of multiplication and
 * rejection makes the result free of bias. */
static inline uint32_t soloist_rng_below(soloist_rng *rng, uint32_t n) {
    uint64_t m = (uint64_t)(uint32_t)(soloist_rng_next(rng) >> 32) * n;
    if ((uint32_t)m < n) {
        uint32_t reject = (uint32_t)-n % n;
        while ((uint32_t)m < reject)
            m = (uint64_t)(uint32_t)(soloist_rng_next(rng) >> 32) * n;
    }
    return (uint32_t)(m >> 32);
}

/* Returns a random number that is uniformly distributed in [0, 1), with 53 random bits. */
static inline double soloist_rng_unit(soloist_rng *rng) { return (double)(soloist_rng_next(rng) >> 11) * (1.0 / 9007199254740992.0); }

/* ---- option rows: one row defines an option's field, parsing, range check, help text and JSON ---------- */

/* The kinds of options; each comment gives the type of the field that holds the value. */
typedef enum soloist_option_kind {
    SOLOIST_OPTION_END,    /* the end of a list of rows */
    SOLOIST_OPTION_INT,    /* int64_t; read through a double, so numbers beyond 2^53 may be rounded */
    SOLOIST_OPTION_REAL,   /* double */
    SOLOIST_OPTION_BOOL,   /* bool */
    SOLOIST_OPTION_CHOICE, /* int: the index of the chosen name in `choices` */
    SOLOIST_OPTION_NAMES,  /* int64_t: bit i is set if choice i is chosen; users write "first+third", or "none" */
    /* char[SOLOIST_NAME_ROOM]: a name, or several names joined by +. The code that uses the option checks whether the
     * names are valid. */
    SOLOIST_OPTION_NAME
} soloist_option_kind;

#define SOLOIST_NAME_ROOM 128 /* bytes of the field of a SOLOIST_OPTION_NAME, including the terminating zero */

/* One row of a list of options. The macros SOLOIST_OPTIONS and SOLOIST_NAMED_OPTIONS write such rows. */
typedef struct soloist_option {
    soloist_option_kind kind;    /* the kind of the value */
    const char *name;            /* the option's name, as users write it */
    size_t offset;               /* the offset of the field in the options struct */
    double initial, least, most; /* the initial value; for numbers also the least and the greatest value allowed */
    /* the names to choose from, as in "first|second|third"; for the kind NAME, the initial value comes first, and then
     * other known names */
    const char *choices;
    const char *help;    /* one line */
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
/* Declares struct T and its rows T_rows from a list of options, whose form is explained above. */
#define SOLOIST_OPTIONS(T, LIST)                                                                                       \
    struct T {                                                                                                         \
        LIST(T, SOLOIST_FIELD_INT, SOLOIST_FIELD_REAL, SOLOIST_FIELD_BOOL, SOLOIST_FIELD_CHOICE)                       \
    };                                                                                                                 \
    static const soloist_option T##_rows[] = {                                                                         \
        LIST(T, SOLOIST_ROW_INT, SOLOIST_ROW_REAL, SOLOIST_ROW_BOOL, SOLOIST_ROW_CHOICE){SOLOIST_OPTION_END, NULL, 0,  \
                                                                                         0, 0, 0, NULL, NULL}}

/* SOLOIST_NAMED_OPTIONS does the same as SOLOIST_OPTIONS, but takes a list
 *   #define MY_OPTIONS(T, INT, REAL, BOOL, CHOICE, NAME)
 * which may also contain lines of the form  NAME(T, name, "initial|other", "help") */
#define SOLOIST_FIELD_NAME(T, name, choices, help) char name[SOLOIST_NAME_ROOM];
#define SOLOIST_ROW_NAME(T, name, choices, help)                                                                       \
    {SOLOIST_OPTION_NAME, #name, offsetof(struct T, name), 0, 0, 0, choices, help},
/* The same as SOLOIST_OPTIONS, for a list that may also contain NAME lines. */
#define SOLOIST_NAMED_OPTIONS(T, LIST)                                                                                 \
    struct T {                                                                                                         \
        LIST(T, SOLOIST_FIELD_INT, SOLOIST_FIELD_REAL, SOLOIST_FIELD_BOOL, SOLOIST_FIELD_CHOICE, SOLOIST_FIELD_NAME)   \
    };                                                                                                                 \
    static const soloist_option T##_rows[] = {LIST(T, SOLOIST_ROW_INT, SOLOIST_ROW_REAL, SOLOIST_ROW_BOOL,             \
                                                   SOLOIST_ROW_CHOICE, SOLOIST_ROW_NAME){SOLOIST_OPTION_END, NULL, 0,  \
                                                                                         0, 0, 0, NULL, NULL}}

/* Sets every field of the struct `options` to its initial value. If rows is NULL, there are no options. */
void soloist_options_reset(const soloist_option *rows, void *options);
/* Sets fields of the struct `options` from a text "key=value,key=value". For an option of type bool, the key without a
 * value means true. If the text is NULL or "", nothing changes. Fields whose keys do not occur in the text keep their
 * values, so call soloist_options_reset first. */
soloist_code soloist_options_parse(const soloist_option *rows, void *options, const char *text, soloist_error *error);

/* ---- stop tokens, by which long-running work finds out whether it must end ------------------------------ */

/* A token is stopped when a program cancels it or its deadline passes. Any number of threads may use one token. */
typedef struct soloist_stop_token soloist_stop_token;

/* Makes a token that is not stopped; returns NULL if memory runs out. */
soloist_stop_token *soloist_stop_token_new(void);
/* Frees a token; NULL is allowed. */
void soloist_stop_token_free(soloist_stop_token *token);
/* Stops the token. Any thread and any signal handler may call this function. */
void soloist_stop_token_cancel(soloist_stop_token *token);
/* Sets a deadline: the token is stopped `seconds` seconds from now. If `seconds` is not above 0, it has no deadline. */
void soloist_stop_token_deadline(soloist_stop_token *token, double seconds);
/* Returns true once the token is cancelled or its deadline has passed, and false if the token is NULL. If the token has
 * a deadline, each call reads the clock, which takes about as long as fifty additions. */
bool soloist_stopped(soloist_stop_token *token);

/* ---- progress: callbacks that a program may pass to long-running work --------------------------------- */

/* What long-running work reports about its progress. */
typedef struct soloist_progress {
    double time_s;              /* seconds since the run began */
    uint64_t nodes, iterations; /* the number of states generated, and the number of iterations of a sampling method */
    size_t memory;              /* bytes of memory in use */
    int32_t best;               /* the best cost or score so far; valid if has_best is true */
    bool has_best;              /* true if a solution was found */
    const char *note;  /* what the method is doing now, e.g. "depth 14"; may be NULL; valid only during the call */
    uint64_t expanded; /* states whose children were generated; 0 if the method does not count them */
} soloist_progress;

/* Both functions get `user` as their first argument; either function may be NULL. The functions are called by a thread
 * of the solve, which is not always the thread that called soloist_solve. One solve never makes two such calls at the
 * same time. The function `progress` is called a few times per second, and soon after the first solution is found. */
typedef struct soloist_callbacks {
    void (*progress)(void *user, const soloist_progress *progress); /* gets numbers about the run */
    void (*log)(void *user, const char *text);                      /* gets a message as text */
    void *user;                                                     /* passed to both functions */
} soloist_callbacks;

/* ======================================================================================================
 * Part one: the domain contract
 * ====================================================================================================== */

/* The limits of a task that may take long, such as making tables. */
typedef struct soloist_work {
    soloist_stop_token *stop;           /* ends the work early; may be NULL; outlives the result of the work */
    size_t memory;                      /* maximum number of bytes that the result may take; 0: no limit */
    int threads;                        /* the number of threads that may be used, 1 or more */
    const soloist_callbacks *callbacks; /* may be NULL */
} soloist_work;

/* One puzzle to be solved: everything that never changes during play. The function life.parse makes the instance, and
 * life.destroy frees it. Between these two calls the instance does not change, and all threads share it. A session of
 * an instance (see life.session) has the same type and is passed to the same functions. Each domain defines this struct
 * for itself. */
typedef struct soloist_instance soloist_instance;

/* A move, encoded as a number in any way that the domain chooses. A move that stands for several plain moves, played
 * one after the other, is called a macro. Each plain move of a macro must be legal when its turn comes. text.read may
 * return the plain moves instead of the macro; backward play (the group `reverse`) takes back plain moves one by one. */
typedef uint32_t soloist_move;
#define SOLOIST_NO_MOVE UINT32_MAX /* no domain may use this number for a move */

/* The bound of a state from which no goal can be reached. */
#define SOLOIST_DEAD INT32_MAX

/* The text of one instance inside a file. The chunk does not own the text, which is not terminated by a zero. */
typedef struct soloist_chunk {
    const char *text; /* the first byte of the text */
    size_t length;    /* the number of bytes of the text */
    int line;       /* the line of the file in which the text begins, counted from 1 */
    char name[128]; /* the title of the instance, or "" */
} soloist_chunk;

/* A place in a file's text, from which the next instance or the next line is read. */
typedef struct soloist_cursor {
    const char *at, *end; /* the beginning and the end of the text that is not read yet */
    int line;    /* the number of the line that begins at `at`, counted from 1 */
    int ordinal; /* a number for the domain's own use, such as a count of the instances seen; 0 at first */
} soloist_cursor;

/* Returns a cursor at the beginning of a text; a UTF-8 byte-order mark is skipped. The cursor borrows the text. */
soloist_cursor soloist_cursor_open(const char *text, size_t length);
/* Reads one line: sets *line to its first character, and *length to its length without the line end (LF, CR LF or CR).
 * Returns false at the end of the text. */
bool soloist_cursor_line(soloist_cursor *cursor, const char **line, size_t *length);
/* Two functions that a domain can use as its life.next: soloist_next_line is for files with one instance per line;
 * soloist_next_block is for files in which each instance is a block of lines between blank lines. Lines that start with
 * ';' or '#' are comments. soloist_next_line skips comments. In soloist_next_block, the last comment before a block is
 * the block's name; a comment between two lines of a block stays in the block's text, and life.parse must skip it. */
bool soloist_next_line(soloist_cursor *cursor, soloist_chunk *chunk);
bool soloist_next_block(soloist_cursor *cursor, soloist_chunk *chunk);

/* The sizes of states, undo records and move lists of an instance, which callers need in order to allocate them. */
typedef struct soloist_shape {
    /* bytes of a state, at least 1, a multiple of its alignment; it has no pointers; equal states have equal bytes */
    size_t state_size;
    size_t undo_size;   /* bytes of an undo record, which core.apply writes and core.undo reads */
    size_t packed_size; /* bytes of a packed state, at least 1; 0 if the domain has no `pack` group */
    int most_moves;     /* the maximum number of forward moves, and of backward moves, in a state */
    int most_steps;     /* the maximum number of moves from the root to the end of play; 0: no maximum */
    int32_t least_step; /* in domains that minimise cost: a lower bound on the cost of a move; 0 is always correct */
    /* Searches may learn facts about the instance, which a session stores. This is the maximum number of bytes that a
     * session of this instance uses for these facts, with any options; 0 means that searches learn nothing. */
    size_t session_size;
    size_t instance_size; /* bytes of the instance, which count towards the memory limit; 0: negligible */
} soloist_shape;

/* Life: required. Turns a file's text into an instance and its first state. Every pointer is required except
 * `impossible`, `session` and `parse_within`. Only `parse`, `parse_within` and `session` allocate memory; the caller
 * calls `destroy` once for each instance that these three functions returned. */
typedef struct soloist_life {
    size_t size; /* sizeof(soloist_life) */
    /* Returns how likely it is that the text is a file of this domain, from 0 (not at all) to 100. The text may contain
     * any bytes. */
    int (*recognise)(const char *text, size_t length);
    /* Finds the text of the next instance; returns false at the end of the file. Malformed instances are found too;
     * `parse` refuses them. */
    bool (*next)(soloist_cursor *cursor, soloist_chunk *chunk);
    /* Makes an instance. If the text is wrong, returns NULL and fills *error, including the place in the file; the
     * pointer `error` is never NULL. `options` points to the domain's own struct of options, which is valid only during
     * the call. If memory runs out, `parse` returns NULL with errno set to ENOMEM (a failed malloc sets errno). If
     * `parse` returns NULL with another value of errno, the engine reports that the text is wrong. */
    soloist_instance *(*parse)(const soloist_chunk *chunk, const void *options, soloist_error *error);
    /* Frees an instance or a session. */
    void (*destroy)(soloist_instance *instance);
    /* Writes the sizes of the blocks that callers allocate. *shape is zeroed before the call. */
    void (*shape)(const soloist_instance *instance, soloist_shape *shape);
    /* Writes the first state: shape.state_size bytes. */
    void (*root)(const soloist_instance *instance, void *state);
    /* Returns one sentence that says why the instance has no solution, or NULL if there may be a solution. The instance
     * owns the sentence. The pointer `impossible` itself may be NULL. */
    const char *(*impossible)(const soloist_instance *instance);
    /* Makes a session: a working copy of the instance for one solve. What is learned while searching (caches, deadlocks
     * found, attached tables) is kept in the session. So the instance never changes, and one solve does not affect the
     * next. All threads and all methods of the solve share the session. The session borrows from the instance and is
     * destroyed before the instance. A state that was made with the session must be passed to functions together with
     * the session, and a state that was made with the instance together with the instance. Functions that are given a
     * session may check whether the token work->stop is stopped. Once that token is stopped, these functions may return
     * incomplete results, such as fewer children, and the search draws no conclusions from such results. If `session`
     * fails, it returns NULL with an error, as `parse` does. If the pointer `session` itself is NULL, solves use the
     * instance directly. */
    soloist_instance *(*session)(const soloist_instance *instance, const soloist_work *work, soloist_error *error);
    /* A form of `parse` that can be stopped, for domains whose largest instances take long to read. If parse_within is
     * not NULL, the engine calls it instead of `parse`. It checks from time to time whether the token work->stop is
     * stopped; if so, it returns NULL with errno set to ECANCELED. */
    soloist_instance *(*parse_within)(const soloist_chunk *chunk, const void *options, const soloist_work *work,
                                      soloist_error *error);
} soloist_life;

/* What the function core.expand returns about one child state. */
typedef struct soloist_child {
    uint64_t key; /* the child's key, if SOLOIST_WANT_KEY was set */
    soloist_move move; /* the move that leads to the child */
    int32_t step;  /* the cost of the move, or the score that it gains */
    int32_t bound; /* the child's bound, if SOLOIST_WANT_BOUND was set */
} soloist_child;

/* Bits that say which fields of soloist_child the caller of core.expand will read. */
#define SOLOIST_WANT_KEY 1u
#define SOLOIST_WANT_BOUND 2u /* see SOLOIST_WANT_KEY */

/* Core: required. The rules of the puzzle, as functions that searches call in their innermost loops. Every pointer
 * except `turn` is required. No function of this group allocates memory, prints or keeps static data that changes, so
 * any number of threads may call these functions at once. The same inputs give the same results in the same order on
 * every machine. */
typedef struct soloist_core {
    size_t size; /* sizeof(soloist_core) */
    /* Writes every legal move, in a fixed order, and returns how many there are: at most shape.most_moves. */
    int (*moves)(const soloist_instance *instance, const void *state, soloist_move *moves);
    /* Plays a legal move and returns its cost or its score. The argument `undo` is a block of shape.undo_size bytes,
     * which `apply` fills for the matching call of `undo`, or NULL if the move will not be taken back. */
    int32_t (*apply)(const soloist_instance *instance, void *state, soloist_move move, void *undo);
    /* Takes the last move back: afterwards every byte of the state is as it was before the call of `apply`. Moves are
     * taken back in reverse order, each with its own undo record. */
    void (*undo)(const soloist_instance *instance, void *state, soloist_move move, const void *undo);
    /* Least cost: returns true at a goal, and *last is set to 0. Highest score: returns true at the end of play, also
     * in every state without a legal move, and *last is set to what the end of play adds to the score. */
    bool (*ended)(const soloist_instance *instance, const void *state, int32_t *last);
    /* A 64-bit hash of the state, usually stored in the state and updated by `apply`. Equal states have equal keys. */
    uint64_t (*key)(const soloist_instance *instance, const void *state);
    /* Computes the key anew from the whole state; tests compare this key with the one that `key` returns. */
    uint64_t (*key_from_scratch)(const soloist_instance *instance, const void *state);
    /* Writes the children, in the order in which `moves` lists their moves, and returns how many there are. A child is
     * left out if bound.dead returns true for it, or if bound.pruned returns true for its move. If SOLOIST_WANT_BOUND
     * is set, a child whose bound is SOLOIST_DEAD is left out too. A domain may also leave out the move that only leads
     * back to the parent. `last` is the move that led to the state, or SOLOIST_NO_MOVE if no move led to it. Fields of
     * a child that `want` does not ask for have unspecified values. */
    int (*expand)(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                  soloist_child *children);
    /* Returns the player whose turn it is: 0, who maximises the score, or 1, who minimises it. The pointer is required
     * in a domain with two players, and NULL in a domain with one. */
    int (*turn)(const soloist_instance *instance, const void *state);
} soloist_core;

/* Bound: optional. A lower bound on the cost to go, which is at least 0 (searches take a negative one as 0), or an
 * upper bound on the score to come, including what the end of play adds. The functions `value`, `admissible` and
 * `consistent` are required. */
typedef struct soloist_bound {
    size_t size; /* sizeof(soloist_bound) */
    /* Returns the bound of a state, or SOLOIST_DEAD if no goal can be reached from the state. */
    int32_t (*value)(const soloist_instance *instance, const void *state);
    /* A cheap test: returns true only if no goal can be reached from the state. The pointer may be NULL. */
    bool (*dead)(const soloist_instance *instance, const void *state);
    /* A bound on the cost is admissible if it never exceeds the true cost; a bound on the score is admissible if it is
     * never below the true score. A bound on the cost is consistent if no move lowers it by more than the move's cost.
     * A bound on the score is consistent if no move raises the sum of the score so far and the bound. Proofs of
     * optimality rely on these two properties. Whether a bound has them may depend on the instance's options. */
    bool (*admissible)(const soloist_instance *instance);
    bool (*consistent)(const soloist_instance *instance); /* see admissible */
    /* Returns true for a legal move that core.expand leaves out although bound.dead is false for the child. The reason
     * is either that another move can be played first without missing the best solution, or that the move is known to
     * lead to no solution. The moves that are not pruned include at least one of the best moves. If every move is
     * pruned, no goal can be reached. If the pointer `pruned` is NULL, no move is pruned. */
    bool (*pruned)(const soloist_instance *instance, const void *state, soloist_move move);
    /* Returns false if, with the instance's options, the domain prunes more moves than the rules for `pruned` (above)
     * allow. A search may then miss the best solution or even all solutions, so a search that finds no better solution
     * has not proved that there is none. If the pointer `lossless` is NULL, pruning never makes a search miss the best
     * solution. */
    bool (*lossless)(const soloist_instance *instance);
    /* Only for domains that maximise a score: a tighter upper bound, which takes longer to compute. A search calls this
     * function once per state. The tighter bound is admissible if the bound that `value` returns is admissible. If the
     * tighter bound is at most `enough`, the function may return any value from the tighter bound up to `enough`. The
     * pointer may be NULL. */
    int32_t (*tight)(const soloist_instance *instance, const void *state, int32_t enough);
} soloist_bound;

/* Reverse: optional. The game played backwards over the same states, from the goals towards the root. The pointers
 * `goal`, `core` and `forward` are required. */
typedef struct soloist_reverse {
    size_t size; /* sizeof(soloist_reverse) */
    /* Writes goal state number `index` (0, 1, 2, ...); returns false past the last goal state. */
    bool (*goal)(const soloist_instance *instance, uint64_t index, void *state);
    /* The core of backward play. Its functions `moves`, `apply`, `undo` and `expand` play backwards; its function
     * `ended` returns true at the root. Its pointers `key_from_scratch` and `turn` may be NULL. */
    const soloist_core *core;
    /* A lower bound on the cost of the path from the root to a state. The pointer may be NULL. */
    const soloist_bound *bound;
    /* Returns the forward move that reverses the backward move `move`; `state` is the state before that move. */
    soloist_move (*forward)(const soloist_instance *instance, const void *state, soloist_move move);
    /* Makes a new instance whose root is `from` and whose goal is `to`. The new instance has the same shape and the
     * same moves as `instance`. If the domain has a bound or an estimate, the bound and the estimate of the new
     * instance refer to the goal `to`. This function is for domains with a single goal in which forward and backward
     * moves are the same. In such a domain, every sequence of moves can be played in both directions. The new instance
     * borrows from `instance`, so the caller must destroy the new one first. If the domain cannot make it, the
     * function returns NULL. A domain that can never make such an instance sets the pointer to NULL. */
    soloist_instance *(*between)(const soloist_instance *instance, const void *from, const void *to);
} soloist_reverse;

/* Pack: optional. Packs a state into a smaller form, of shape.packed_size bytes, in which searches store the states
 * that they have visited. Equal states have equal packed bytes, and `unpack` restores every byte of the state. */
typedef struct soloist_pack {
    size_t size; /* sizeof(soloist_pack) */
    void (*pack)(const soloist_instance *instance, const void *state, void *packed);   /* makes the smaller form */
    void (*unpack)(const soloist_instance *instance, const void *packed, void *state); /* restores the state */
} soloist_pack;

/* What the referee reports about a valid solution. */
typedef struct soloist_verdict {
    int32_t value;  /* the cost or the score */
    int64_t moves;  /* the number of moves */
    int64_t pushes; /* the number of pushes; -1 in a domain without pushes */
} soloist_verdict;

/* Text: required. Converts states, moves and solutions into text and back. The functions `print`, `move`, `solution`
 * and `read` are required. */
typedef struct soloist_text {
    size_t size; /* sizeof(soloist_text) */
    /* Writes the state in the domain's file format; parsing this text gives the same state again. */
    void (*print)(const soloist_instance *instance, const void *state, const soloist_sink *sink);
    /* Writes one move for a person to read; `state` is the state before the move. */
    void (*move)(const soloist_instance *instance, const void *state, soloist_move move, const soloist_sink *sink);
    /* Writes a whole solution, which begins at the root, in the notation that other programs for this puzzle use. */
    void (*solution)(const soloist_instance *instance, const soloist_move *moves, size_t count,
                     const soloist_sink *sink);
    /* true if the text of a solution is itself a JSON value; if false, JSON output contains the text as a string */
    bool solution_is_json;
    /* Reads the text of a solution that begins at the root. Writes at most `room` moves (moves may be NULL if room is
     * 0). Returns how many moves the solution has, or -1 with an error, whose column is the place of the fault in the
     * solution's text. */
    long (*read)(const soloist_instance *instance, const char *text, size_t length, soloist_move *moves, size_t room,
                 soloist_error *error);
    /* The referee: replays a solution on an instance; both are given as texts. The referee is plain code that
     * implements only the rules and shares no code with `core`. If the solution is wrong, returns false with an error,
     * whose column is the place of the fault in the solution. If the pointer `referee` is NULL, the engine replays
     * solutions with the functions of `core`. */
    bool (*referee)(const soloist_chunk *chunk, const void *options, const char *solution, size_t length,
                    soloist_verdict *verdict, soloist_error *error);
    /* The name of the domain whose moves are used to show a solution, such as "sokoban-moves" for "sokoban"; NULL: this
     * domain. */
    const char *shown_in;
} soloist_text;

/* Generate: optional. Makes new instances. If the generator has no options, `options` is NULL. */
typedef struct soloist_generate {
    size_t size; /* sizeof(soloist_generate) */
    const soloist_option *options; /* the generator's option rows, or NULL */
    size_t options_size;           /* the size of the struct that the rows describe */
    /* Writes one instance in the domain's file format, with a comment line that estimates its difficulty. `options`
     * points to a struct of options_size bytes. The same options and random numbers give the same instance on every
     * machine. */
    soloist_code (*make)(const void *options, soloist_rng *rng, const soloist_sink *sink, soloist_error *error);
} soloist_generate;

/* Which solution of a puzzle is the best. */
typedef enum soloist_aim {
    SOLOIST_LEAST_COST, /* the solution with the least total cost */
    SOLOIST_MOST_SCORE  /* the game with the greatest total score, including what the end of play adds */
} soloist_aim;

/* A domain is one constant table. The groups `life`, `core` and `text` are required. Any other group may be NULL; a
 * search that needs a missing group is refused with an error that says what is missing. The table and each group state
 * their sizes, so that later versions of this header can add functions at the end of the table or of a group.
 * Functions that did not exist yet when a domain was compiled are taken to be NULL. The groups that are not in this
 * header are in soloist_extra.h. */
typedef struct soloist_domain {
    int abi;             /* SOLOIST_ABI */
    size_t size;         /* sizeof(soloist_domain) */
    const char *name;    /* made of a-z, 0-9, - and _; at most 63 characters */
    const char *summary; /* one line */
    soloist_aim aim;     /* which solution is the best */
    int players; /* 1 or 2; with 2 players, all scores are those of player 0, and core.turn says who moves */
    const soloist_option *options; /* rows of the domain's own options, or NULL */
    size_t options_size;           /* the size of the struct that the rows describe */
    const soloist_life *life;      /* makes an instance and its first state from text; required */
    const soloist_core *core;      /* the rules; required */
    const soloist_text *text;      /* converts states, moves and solutions to text and back; required */
    const soloist_bound *bound;    /* a bound on the cost or score still to come */
    const soloist_reverse *reverse;                  /* the game played backwards */
    const soloist_pack *pack;                        /* a smaller form of states */
    const struct soloist_sample *sample;             /* play-outs */
    const struct soloist_reward *reward;             /* rewards with names */
    const struct soloist_learn *learn;               /* input planes and actions for networks */
    const soloist_generate *generate;                /* new instances */
    const struct soloist_tables *tables;             /* large data that instances share */
    const struct soloist_estimate *estimate;         /* a guess at the cost or score still to come */
    const struct soloist_walk *walk;                 /* play-outs for searches that learn which moves to play */
    const struct soloist_features *features;         /* for feature-space search */
    const struct soloist_hints *hints;               /* advice to searches */
    const struct soloist_environments *environments; /* many boards that are played at once */
} soloist_domain;

/* A plugin is a shared object that defines soloist_plugin for a domain, or soloist_plugin_method for a method
 * (soloist_method.h), or both functions. The table that soloist_plugin returns must stay valid while the plugin is
 * loaded. */
const soloist_domain *soloist_plugin(void);

/* ======================================================================================================
 * Part two: the engine
 * ====================================================================================================== */

/* The engine holds the known domains and methods, and the tables that instances share. Several threads may use one
 * engine at once, but not while a domain or a method is being added or soloist_find_networks is running. */
typedef struct soloist soloist;

/* soloist_new returns an engine with the built-in domains, or NULL if memory runs out. Free the engine with
 * soloist_free (NULL is allowed). Before that, close its sessions and free the puzzles of its domains, because sessions
 * and puzzles may use the engine's tables and its copies of domains. */
soloist *soloist_new(void);
void soloist_free(soloist *engine);
/* Adds a domain after checking its table, which is borrowed and must outlive the engine. From then on use the table
 * that soloist_find_domain returns. If your table was compiled with an earlier header, the returned table is a copy
 * whose groups have the sizes of the present header. */
soloist_code soloist_add_domain(soloist *engine, const soloist_domain *domain, soloist_error *error);
/* soloist_find_domain returns the domain that is called `name`, or NULL if there is none. soloist_domain_at returns
 * domain number `index` (0, 1, 2, ...), or NULL past the last domain. */
const soloist_domain *soloist_find_domain(const soloist *engine, const char *name);
const soloist_domain *soloist_domain_at(const soloist *engine, size_t index);
/* Returns the domain to which the text most likely belongs, or NULL if no domain recognises the text. */
const soloist_domain *soloist_recognise(const soloist *engine, const char *text, size_t length);

/* A puzzle: one instance with its domain, options and text. soloist_puzzle_read fills it; after that nothing in it may
 * be changed, and several threads may solve it at once. The puzzle owns what it points to, except the domain. */
typedef struct soloist_puzzle {
    const soloist_domain *domain; /* borrowed from the engine */
    void *options;       /* the domain's options */
    char *text;          /* a copy of the instance's text, terminated by a zero */
    soloist_chunk chunk; /* the chunk that was read; chunk.text points to `text` */
    soloist_instance *instance; /* the instance that the domain made from the text */
} soloist_puzzle;

/* Parses one chunk with the domain's options "key=value,..."; NULL means the default options. On success, free the
 * puzzle with soloist_puzzle_free. On failure, *error is filled and there is nothing to free. */
soloist_code soloist_puzzle_read(const soloist_domain *domain, const char *options, const soloist_chunk *chunk,
                                 soloist_puzzle *puzzle, soloist_error *error);
/* Does the same as soloist_puzzle_read, but a domain that has life.parse_within returns SOLOIST_STOPPED soon after the
 * token `stop` is stopped. */
soloist_code soloist_puzzle_read_within(const soloist_domain *domain, const char *options, const soloist_chunk *chunk,
                                        soloist_stop_token *stop, soloist_puzzle *puzzle, soloist_error *error);
void soloist_puzzle_free(soloist_puzzle *puzzle);
/* Reads the next instance of a text (see soloist_cursor_open). Returns false at the end of the text. If there is
 * another instance, *code says whether it could be read. If *code is SOLOIST_OK, the caller must free the puzzle later.
 * If *code is anything else, *error is filled, and the next call continues after this instance. */
bool soloist_next_puzzle(const soloist_domain *domain, const char *options, soloist_cursor *cursor,
                         soloist_puzzle *puzzle, soloist_code *code, soloist_error *error);
/* Checks by random play on a puzzle whether the functions of its domain obey the contract: their results are compared
 * with each other (docs/ADD_A_DOMAIN.md). The function plays `walks` games of at most `steps` moves. If the
 * functions of the domain break the contract, returns false with an error that describes the first fault. */
bool soloist_validate(const soloist_puzzle *puzzle, uint64_t seed, int walks, int steps, soloist_error *error);

/* An open network. It gives a search the probability of each move and the value of a state. Several solves may use one
 * network at once. */
typedef struct soloist_network soloist_network;

/* Opens a network for a domain; `text` is "FILE" or "FILE:key=value,...". soloist_network_options returns the rows of
 * the options that can be given there (batch size, back end and so on). If the network cannot be opened, returns NULL
 * with an error. Close the network after the last solve that uses it. */
soloist_network *soloist_network_open(const soloist_domain *domain, const char *text, soloist_error *error);
void soloist_network_close(soloist_network *network);
/* Returns whether the puzzle has the planes and actions for which the network was made; if not, with an error. */
bool soloist_network_fits(const soloist_network *network, const soloist_puzzle *puzzle, soloist_error *error);
const soloist_option *soloist_network_options(void);

/* A function that finds a network for a solve. The engine calls it if the method needs a network and limits.network is
 * NULL. Several threads may call it at once. The argument `valued` is true if the network must have a value head. On
 * success, the function sets *network. The program that registered the function still owns this network and closes it
 * after the solve. If no network is found, the function returns false with an error. */
typedef bool (*soloist_network_finder)(void *user, const soloist_puzzle *puzzle, bool valued, soloist_network **network,
                                       soloist_error *error);
/* Sets the function that finds networks; `user` is passed to each of its calls. A new engine has no such function; to
 * remove the present function, pass NULL. Do not call soloist_find_networks while the engine is solving a puzzle. */
void soloist_find_networks(soloist *engine, soloist_network_finder finder, void *user);

#define SOLOIST_MOST_THREADS 250 /* a solve starts no more, so that it notices the end of its time on few cores, too */
/* The limits of one solve. 0 means no limit, except that 0 threads means one thread. Limits on nodes and iterations
 * hold exactly. A negative limit is misuse, and so is a time_s that is not a number. */
typedef struct soloist_limits {
    double time_s;            /* maximum wall time in seconds */
    uint64_t nodes;           /* maximum number of states generated */
    uint64_t iterations;      /* maximum number of iterations of a sampling method */
    size_t memory;            /* maximum number of bytes of memory */
    int threads;              /* the number of threads that search */
    uint64_t seed;            /* the seed of the random numbers */
    soloist_stop_token *stop; /* the solve ends soon after this token is stopped; borrowed; may be NULL */
    soloist_network *network; /* the network for methods that use one; borrowed; may be NULL */
} soloist_limits;

/* The outcome of a solve. */
typedef enum soloist_status {
    SOLOIST_SOLVED,     /* a solution was found, and its replay succeeded */
    SOLOIST_UNSOLVED,   /* no solution was found: a limit ended the run, the method gave up, or the run failed */
    SOLOIST_IMPOSSIBLE, /* it is proved that there is no solution */
    /* the instance could not be read; of the functions in this header, only soloist_solve_text reports this status */
    SOLOIST_INVALID
} soloist_status;

/* Why a search ended. */
typedef enum soloist_stop {
    SOLOIST_STOP_GOAL,      /* the search found what it looked for */
    SOLOIST_STOP_EXHAUSTED, /* the method had nothing left to try; this alone proves nothing */
    SOLOIST_STOP_TIME, /* the time limit was reached (limits.time_s) */
    SOLOIST_STOP_NODES, /* the node limit was reached */
    SOLOIST_STOP_ITERATIONS, /* the iteration limit was reached */
    SOLOIST_STOP_MEMORY, /* the memory limit was reached */
    SOLOIST_STOP_CANCEL /* the token limits.stop was cancelled, or its deadline passed */
} soloist_stop;

const char *soloist_status_name(soloist_status status); /* "solved", "unsolved", "impossible", "invalid" */
const char *soloist_stop_name(soloist_stop stop);       /* "goal", "exhausted", "time", "nodes", "iterations", ... */

/* The result of one solve. soloist_result_free frees its moves and its solution. */
typedef struct soloist_result {
    soloist_status status; /* whether the puzzle was solved */
    soloist_stop stopped;  /* why the search ended; of no meaning if the call failed before the search */
    soloist_move *moves;   /* the solution's moves; may be NULL if there are no moves */
    size_t move_count;     /* the number of moves */
    char *solution; /* the solution in the domain's notation, replayed by the referee; NULL if there is none */
    soloist_verdict verdict; /* the referee's verdict on the solution */
    bool optimal;            /* true if it is proved that no solution is better */
    double time_s;           /* seconds that the solve took */
    uint64_t nodes;                /* states generated */
    uint64_t iterations, playouts; /* valid if has_iterations or has_playouts, respectively, is true */
    bool has_iterations, has_playouts, has_expanded; /* whether the method counts these */
    uint64_t expanded; /* states whose children were generated; valid if has_expanded */
    /* The number of states that a network evaluated for the search, including those whose evaluation came from a cache.
     * The number is valid if has_evaluations is true; has_evaluations is false if the method used no network. */
    bool has_evaluations;
    uint64_t evaluations; /* see has_evaluations */
    /* Numbers of a tree search, valid if has_tree is true: nodes removed because everything below them was explored,
     * iterations that neither added nor removed a node, subtrees moved because a shorter path to their root was found,
     * and the greatest number of moves from a tree's root to a node. */
    bool has_tree;
    uint64_t eliminated, skipped, moved, tree_depth; /* see has_tree */
    size_t peak_bytes; /* the peak memory use of the solve */
    char method[160];  /* the method that ran, with its options */
    /* One sentence about a problem that is not an error, such as a wrong bound of the domain, missing tables or
     * unsuitable limits; "" if there is no warning. */
    char warning[256];
    /* true if the system refused memory before the memory limit was reached; the same solve may succeed later */
    bool starved;
} soloist_result;

/* Solves a puzzle by the method "NAME" or "NAME:key=value,..."; NULL means "auto". If `limits` is NULL, nothing is
 * limited. `callbacks` and `error` may be NULL. *result is always filled; free it with soloist_result_free.
 *
 * Every solution in *result has been replayed. If the search says that the solution is optimal, the domain's bounds are
 * checked in every state of the solution. If the bound of one of these states is wrong, the proof of optimality is not
 * valid: `optimal` is then false, and `warning` says what is wrong. */
soloist_code soloist_solve(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                           const soloist_limits *limits, const soloist_callbacks *callbacks, soloist_result *result,
                           soloist_error *error);
void soloist_result_free(soloist_result *result);
/* Reads the first instance of a text and solves it as soloist_solve does. The argument `domain` is the domain's name;
 * if it is NULL, the engine recognises the domain from the text. The text is terminated by a zero. */
soloist_code soloist_solve_text(const soloist *engine, const char *domain, const char *text, const char *method,
                                const soloist_limits *limits, soloist_result *result, soloist_error *error);

/* What a watcher learns about a running solve. */
typedef struct soloist_sight {
    size_t size; /* sizeof(soloist_sight) of the library that runs; members beyond this size do not exist */
    const soloist_progress *progress; /* numbers about the search; valid only during the call */
    /* The best solution so far in the domain's notation, replayed by the referee; NULL if there is none yet. The text
     * is valid only during the call. */
    const char *line;
    soloist_verdict verdict; /* the referee's verdict on that solution */
    uint64_t lines;          /* how many times the best solution has changed */
    /* the method that runs now, if the solve combines several methods, as `auto` does; NULL for a single method */
    const char *member;
    const struct soloist_subject *subject; /* used by the function soloist_look (soloist_picture.h) */
} soloist_sight;

/* The function `see` is called with `user` a few times per second by a thread of the solve, never twice at a time.
 * The search is paused during each call, and the time of the call does not count towards the limits. To pause the
 * search, let `see` wait. In `see` you may call soloist_look (soloist_picture.h) for a description of what the search
 * is doing. */
typedef struct soloist_watcher {
    size_t size; /* sizeof(soloist_watcher) */
    void (*see)(void *user, const soloist_sight *sight); /* required */
    void *user;                                          /* passed to `see` */
    /* A program that was compiled with an older header lacks the two members that follow; `size` says whether these
     * members exist. The engine reads them again after each call of `see`, so that `see` can change their values if it
     * has a pointer to the watcher. */
    /* Seconds between two calls of `see`; 0 means 0.2. This interval is extended if the calls would otherwise take
     * more than 1 % of the thread's processor time. */
    double every_s;
    /* if not 0, `see` is also called each time the sum of nodes and iterations has grown by this number */
    uint64_t every;
} soloist_watcher;

/* Does the same as soloist_solve, but reports to the watcher during the search. The search itself is exactly the same
 * as without a watcher. Returns SOLOIST_MISUSE if `watcher` or its function `see` is NULL. */
soloist_code soloist_watch(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                           const soloist_limits *limits, const soloist_watcher *watcher, soloist_result *result,
                           soloist_error *error);

/* A session keeps what the searches of one puzzle learn, such as deadlocks, from one solve to the next. soloist_solve
 * makes a new session each time, so that two equal calls generate equal numbers of nodes. A caller who keeps a session
 * gives up this reproducibility for speed. Only one solve at a time may use a session. The engine and the puzzle must
 * outlive the session. */
typedef struct soloist_session soloist_session;

/* Opens a session. The limits apply only to this call, which may have to make tables. If the call fails, it returns
 * NULL with an error. Close the session with soloist_session_close (NULL is allowed). */
soloist_session *soloist_session_open(const soloist *engine, const soloist_puzzle *puzzle, const soloist_limits *limits,
                                      const soloist_callbacks *callbacks, soloist_error *error);
/* Solves the session's puzzle as soloist_solve does. */
soloist_code soloist_session_solve(soloist_session *session, const char *method, const soloist_limits *limits,
                                   const soloist_callbacks *callbacks, soloist_result *result, soloist_error *error);
void soloist_session_close(soloist_session *session);

/* Checks, without solving, whether soloist_solve would refuse to run the method on the puzzle. The reason may lie in
 * the domain, its options, the method's options or the limits; networks are not looked for and not checked. The pointer
 * `limits` must not be NULL. Returns SOLOIST_OK if soloist_solve would run (given a suitable network, if the method
 * needs one); if not, returns the code and the error that soloist_solve would return. */
soloist_code soloist_method_suits(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                                  const soloist_limits *limits, soloist_error *error);

/* Whether a position has a solution, as far as is known. */
typedef enum soloist_outlook {
    SOLOIST_OUTLOOK_UNKNOWN, /* nothing is known */
    SOLOIST_OUTLOOK_ALIVE, /* there is a solution */
    SOLOIST_OUTLOOK_ENDED, /* the position is a goal, or the game is over */
    SOLOIST_OUTLOOK_LOST   /* there is no solution */
} soloist_outlook;

/* What soloist_hint and soloist_explain say about a puzzle's first position. Free it with soloist_advice_free. */
typedef struct soloist_advice {
    soloist_outlook outlook; /* whether there is a solution, as far as is known */
    /* The next move, for a person to read. soloist_hint sets it if `outlook` is SOLOIST_OUTLOOK_ALIVE; in all other
     * cases it is NULL. */
    char *move;
    /* the next move in the notation of solutions; in Sokoban, this includes the player's walk to the box */
    char *line;
    char reason[32];    /* if there is no solution: a short name of the reason, such as "freeze" */
    char sentence[200]; /* if there is no solution: one sentence that says why */
    /* If there is no solution: the position as text, with an X for each piece that makes a solution impossible. May be
     * NULL. */
    char *board;
    soloist_result result; /* the result of the search; SOLOIST_UNSOLVED, without moves, if no search was made */
} soloist_advice;

/* Finds the next move: first tries quick rules, then solves the puzzle by the method within the limits. If `method` is
 * NULL, "auto" is used. Works for every domain. `limits`, `callbacks` and `error` may be NULL; *advice is always
 * filled. */
soloist_code soloist_hint(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                          const soloist_limits *limits, const soloist_callbacks *callbacks, soloist_advice *advice,
                          soloist_error *error);
/* Finds out whether there is a solution, and if there is none, why. If `quick` is true, it only applies rules. */
soloist_code soloist_explain(const soloist *engine, const soloist_puzzle *puzzle, bool quick,
                             const soloist_limits *limits, const soloist_callbacks *callbacks, soloist_advice *advice,
                             soloist_error *error);
void soloist_advice_free(soloist_advice *advice);
/* Shortens a solution; so far this works only for Sokoban. `aim` names the counts to minimise, the most important
 * first: one to five of "pushes", "moves", "box-lines", "box-changes" and "sessions", joined by -. If `aim` is NULL,
 * "pushes-moves" is used. Returns SOLOIST_BAD_INPUT if the given text is not a solution. The string result->solution is
 * the shorter solution, or the given one if no shorter one was found. result->moves is NULL, result->peak_bytes 0. */
soloist_code soloist_optimize(const soloist *engine, const soloist_puzzle *puzzle, const char *solution, size_t length,
                              const char *aim, const soloist_limits *limits, const soloist_callbacks *callbacks,
                              soloist_result *result, soloist_error *error);

/* The referee: replays a solution's text, which need not be terminated by a zero. Returns true if the text is a
 * solution; if not, returns false with an error. The pointers `verdict` and `error` may be NULL. */
bool soloist_check(const soloist_puzzle *puzzle, const char *solution, size_t length, soloist_verdict *verdict,
                   soloist_error *error);

/* Sets *name, *summary (one line) and *options (the option rows) to those of method number `index` (0, 1, 2, ...);
 * returns false past the last method. The built-in methods come first, then those that were added (soloist_method.h).
 * The pointers `name`, `summary` and `options` may be NULL. */
bool soloist_method_at(const soloist *engine, size_t index, const char **name, const char **summary,
                       const soloist_option **options);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
