/* Soloist: solves puzzles that one agent plays alone, by search, by sampling and by learning.
 *
 * This is the only header that a program or a simple plugin needs. soloist_extra.h declares further groups of
 * functions, which make a domain faster or let networks learn it; soloist_method.h is for search methods of your own.
 * Part one is the domain contract: a puzzle is described by one table of functions, and the searches work on any such
 * table. Part two is the engine, which reads files, solves instances and replays solutions. The library returns codes;
 * it never prints and never exits. */
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
#define SOLOIST_ABI 5 /* a plugin that was built with another number is refused */

/* The version and the ABI number of the library that runs, which may be newer than those of this header. */
const char *soloist_version(void);
int soloist_abi(void);

/* What every call that can fail returns. */
typedef enum soloist_code {
    SOLOIST_OK,          /* done */
    SOLOIST_MISUSE,      /* the caller broke the contract: a NULL, an unknown name, a value out of range */
    SOLOIST_BAD_INPUT,   /* a file, a solution or the text of an option is wrong; the error says what and where */
    SOLOIST_UNSUPPORTED, /* the domain lacks a group that the method needs; the error says which one */
    SOLOIST_NO_MEMORY,   /* memory ran out */
    SOLOIST_INTERNAL, /* a bug in the program; for example, a solution failed its replay and is not reported */
    SOLOIST_STOPPED   /* the stop token ended the call before it had a result */
} soloist_code;

/* What is wrong and where. line and column count from 1; 0 means unknown. The functions of part two accept NULL instead
 * of a pointer to an error; the functions of a domain are never given NULL. */
typedef struct soloist_error {
    int line, column; /* the place in the text that is wrong */
    char text[256];   /* one sentence, without the place */
} soloist_error;

/* Where text is written: a file, a growing buffer, a socket. The function `write` is called with `to` as its first
 * argument. Its text has n bytes and is not terminated by a zero. */
typedef struct soloist_sink {
    void (*write)(void *to, const char *text, size_t n); /* writes n bytes */
    void *to;                                            /* what write is called with */
} soloist_sink;

/* soloist_put writes a text to a sink; soloist_print writes formatted text, as printf does. */
void soloist_put(const soloist_sink *sink, const char *text);
void soloist_print(const soloist_sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Fills *error (which may be NULL) and returns false, so that a parser can say `return soloist_fail(...)`. */
bool soloist_fail(soloist_error *error, int line, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- random numbers: xoshiro256**, the same stream on every machine ---------------------------------- */

/* The state of a stream of random numbers. */
typedef struct soloist_rng {
    uint64_t s[4]; /* set by soloist_rng_seed */
} soloist_rng;

/* Starts stream number `stream` of `seed`. Different streams are independent: a run that gives each unit of work its
 * own stream is reproducible with any number of threads. */
void soloist_rng_seed(soloist_rng *rng, uint64_t seed, uint64_t stream);

/* The next 64 random bits. */
static inline uint64_t soloist_rng_next(soloist_rng *rng) {
    uint64_t *s = rng->s;
    uint64_t x = s[1] * 5, result = ((x << 7) | (x >> 57)) * 9, t = s[1] << 17;
    s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3], s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}

/* A random number that is uniform in 0 .. n-1, for n >= 1, without bias (Lemire's multiply and reject). */
static inline uint32_t soloist_rng_below(soloist_rng *rng, uint32_t n) {
    uint64_t m = (uint64_t)(uint32_t)(soloist_rng_next(rng) >> 32) * n;
    if ((uint32_t)m < n) {
        uint32_t reject = (uint32_t)-n % n;
        while ((uint32_t)m < reject)
            m = (uint64_t)(uint32_t)(soloist_rng_next(rng) >> 32) * n;
    }
    return (uint32_t)(m >> 32);
}

/* A random number that is uniform in [0, 1): 53 random bits. */
static inline double soloist_rng_unit(soloist_rng *rng) { return (double)(soloist_rng_next(rng) >> 11) * (1.0 / 9007199254740992.0); }

/* ---- option rows: from one row come the field, the parser, the range check, the help and the JSON ------ */

/* The kinds of options; each comment gives the type of the field that holds the value. */
typedef enum soloist_option_kind {
    SOLOIST_OPTION_END,    /* the end of a list of rows */
    SOLOIST_OPTION_INT,    /* int64_t */
    SOLOIST_OPTION_REAL,   /* double */
    SOLOIST_OPTION_BOOL,   /* bool */
    SOLOIST_OPTION_CHOICE, /* int: index into choices */
    SOLOIST_OPTION_NAMES,  /* int64_t: bit i stands for choice i; written "first+third", or "none" */
    /* char[SOLOIST_NAME_ROOM]: a name, or names joined by +; the code that uses the option checks them. */
    SOLOIST_OPTION_NAME
} soloist_option_kind;

#define SOLOIST_NAME_ROOM 128 /* the size of the field of a SOLOIST_OPTION_NAME, with the zero at its end */

/* One row of a list of options. Rows are written by SOLOIST_OPTIONS and SOLOIST_NAMED_OPTIONS. */
typedef struct soloist_option {
    soloist_option_kind kind;    /* the kind of the value */
    const char *name;            /* as users write it */
    size_t offset;               /* the offset of the field in the options struct */
    double initial, least, most; /* the initial value, and the range of numbers */
    const char *choices; /* "first|second|third"; for the kind NAME: the initial value, then other known names */
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
/* Declares struct T and its rows T_rows from a list of options: see above. */
#define SOLOIST_OPTIONS(T, LIST)                                                                                       \
    struct T {                                                                                                         \
        LIST(T, SOLOIST_FIELD_INT, SOLOIST_FIELD_REAL, SOLOIST_FIELD_BOOL, SOLOIST_FIELD_CHOICE)                       \
    };                                                                                                                 \
    static const soloist_option T##_rows[] = {                                                                         \
        LIST(T, SOLOIST_ROW_INT, SOLOIST_ROW_REAL, SOLOIST_ROW_BOOL, SOLOIST_ROW_CHOICE){SOLOIST_OPTION_END, NULL, 0,  \
                                                                                         0, 0, 0, NULL, NULL}}

/* The same for a list  #define MY_OPTIONS(T, INT, REAL, BOOL, CHOICE, NAME)  with lines
 *   NAME(T, name, "initial|other", "help") */
#define SOLOIST_FIELD_NAME(T, name, choices, help) char name[SOLOIST_NAME_ROOM];
#define SOLOIST_ROW_NAME(T, name, choices, help)                                                                       \
    {SOLOIST_OPTION_NAME, #name, offsetof(struct T, name), 0, 0, 0, choices, help},
/* The same with names: see above. */
#define SOLOIST_NAMED_OPTIONS(T, LIST)                                                                                 \
    struct T {                                                                                                         \
        LIST(T, SOLOIST_FIELD_INT, SOLOIST_FIELD_REAL, SOLOIST_FIELD_BOOL, SOLOIST_FIELD_CHOICE, SOLOIST_FIELD_NAME)   \
    };                                                                                                                 \
    static const soloist_option T##_rows[] = {LIST(T, SOLOIST_ROW_INT, SOLOIST_ROW_REAL, SOLOIST_ROW_BOOL,             \
                                                   SOLOIST_ROW_CHOICE, SOLOIST_ROW_NAME){SOLOIST_OPTION_END, NULL, 0,  \
                                                                                         0, 0, 0, NULL, NULL}}

/* Sets every field of the struct `options` to its initial value. rows: NULL means no options. */
void soloist_options_reset(const soloist_option *rows, void *options);
/* Sets fields from "key=value,key=value". For a bool, the key without a value means true. If the text is NULL or "",
 * nothing changes. Fields whose keys do not occur in the text keep their values, so call soloist_options_reset first.
 */
soloist_code soloist_options_parse(const soloist_option *rows, void *options, const char *text, soloist_error *error);

/* ---- stop tokens: long work asks whether it must end ---------------------------------------------------- */

/* A token is stopped when a program cancels it or its deadline passes. Any number of threads may use one token. */
typedef struct soloist_stop_token soloist_stop_token;

/* Makes a token that is not stopped; returns NULL if memory runs out. */
soloist_stop_token *soloist_stop_token_new(void);
/* Frees a token; NULL is allowed. */
void soloist_stop_token_free(soloist_stop_token *token);
/* Stops the token. Any thread and any signal handler may call this. */
void soloist_stop_token_cancel(soloist_stop_token *token);
/* Stops the token `seconds` from now; 0: no deadline. */
void soloist_stop_token_deadline(soloist_stop_token *token, double seconds);
/* True once the token is cancelled or its deadline has passed; false for NULL. Each call reads the clock, which takes
 * about as long as fifty additions. */
bool soloist_stopped(soloist_stop_token *token);

/* ---- progress: callbacks that a program may pass to long work ----------------------------------------- */

/* What a long run reports while it works. */
typedef struct soloist_progress {
    double time_s;              /* seconds since the beginning */
    uint64_t nodes, iterations; /* states generated, and iterations of sampling methods */
    size_t memory;              /* bytes in use */
    int32_t best;               /* the best cost or score so far; valid if has_best */
    bool has_best;              /* a solution was found */
    const char *note;  /* what the method does now, e.g. "depth 14"; may be NULL; valid during the call only */
    uint64_t expanded; /* states whose children were generated; 0 if the method does not count them */
} soloist_progress;

/* Both functions get `user` as their first argument; either may be NULL. They are called by a thread of the solve,
 * which may be another thread than the one that called soloist_solve. One solve never makes two such calls at the same
 * time. The function progress is called a few times per second. */
typedef struct soloist_callbacks {
    void (*progress)(void *user, const soloist_progress *progress); /* gets numbers */
    void (*log)(void *user, const char *text);                      /* gets sentences */
    void *user;                                                     /* passed to both */
} soloist_callbacks;

/* ======================================================================================================
 * Part one: the domain contract
 * ====================================================================================================== */

/* The limits of a piece of work that may take long, such as making tables. */
typedef struct soloist_work {
    soloist_stop_token *stop;           /* may be NULL; stays valid as long as the result of the work exists */
    size_t memory;                      /* maximum number of bytes that the result may take; 0: no limit */
    int threads;                        /* 1 or more */
    const soloist_callbacks *callbacks; /* may be NULL */
} soloist_work;

/* One puzzle to be solved: everything that never changes during play. parse makes it and destroy frees it. Between
 * these calls nothing changes it, and all threads share it. A session of an instance (see life.session) has the same
 * type and is passed to the same functions. The domain defines the struct. */
typedef struct soloist_instance soloist_instance;

/* A move, encoded in any way that the domain chooses. A move that stands for several plain moves, played one after the
 * other, is called a macro. Each of the plain moves must be legal when its turn comes. text.read may return the plain
 * moves instead of the macro, and the reverse group takes back the plain moves one by one. */
typedef uint32_t soloist_move;
#define SOLOIST_NO_MOVE UINT32_MAX /* no domain may use this number for a move */

/* The bound of a state from which no goal can be reached. */
#define SOLOIST_DEAD INT32_MAX

/* The text of one instance inside a file. The text is borrowed and not terminated by a zero. */
typedef struct soloist_chunk {
    const char *text; /* its first byte */
    size_t length;    /* the number of its bytes */
    int line;       /* its first line in the file, counted from 1 */
    char name[128]; /* a title, or "" */
} soloist_chunk;

/* A place in a file's text, from which the next instance or the next line is read. */
typedef struct soloist_cursor {
    const char *at, *end; /* the part of the text that is not read yet */
    int line;    /* the number of the line that begins at `at`, counted from 1 */
    int ordinal; /* for the domain's own use, such as the number of instances seen; 0 at first */
} soloist_cursor;

/* Returns a cursor at the beginning of a text; a UTF-8 byte-order mark is skipped. The cursor borrows the text. */
soloist_cursor soloist_cursor_open(const char *text, size_t length);
/* Reads one line: *line is its start, *length its length without the line end (LF, CR LF or CR). False at the end. */
bool soloist_cursor_line(soloist_cursor *cursor, const char **line, size_t *length);
/* Ready-made functions for life.next: one instance per line, or one per block of lines between blank lines. Lines that
 * start with ';' or '#' are comments. soloist_next_line skips them. In soloist_next_block, the last comment before a
 * block is the block's name; a comment between two lines of a block stays in the block's text, and parse must skip it.
 */
bool soloist_next_line(soloist_cursor *cursor, soloist_chunk *chunk);
bool soloist_next_block(soloist_cursor *cursor, soloist_chunk *chunk);

/* The sizes that a caller needs to allocate states, undo records and move lists for an instance. */
typedef struct soloist_shape {
    size_t state_size;  /* bytes of a state: no pointers, copied by memcpy; equal states have equal bytes */
    size_t undo_size;   /* bytes of an undo record, which apply writes and undo reads */
    size_t packed_size; /* bytes of a packed state; 0 without the pack group */
    int most_moves;     /* no state has more moves than this, forwards or backwards */
    int most_steps;     /* no line of play is longer than this; 0: no such limit */
    int32_t least_step; /* no move costs less than this (domains of least cost); 0 is always correct */
    /* Maximum number of bytes that a session of this instance can use, under any options, to keep what searches learn;
     * 0: nothing is learned. The shape is zeroed before life.shape is called. */
    size_t session_size;
    size_t instance_size; /* bytes of the instance, which count towards the memory limit; 0: too few to matter */
} soloist_shape;

/* Life: required. Turns a file's text into an instance and its first state. Every pointer is required except
 * impossible, session and parse_within. Only parse, parse_within and session allocate; the caller calls destroy once
 * for each instance that they returned. */
typedef struct soloist_life {
    size_t size; /* sizeof(soloist_life) */
    /* How likely it is that the text is a file of this domain: 0 (not at all) to 100. The text may be any bytes. */
    int (*recognise)(const char *text, size_t length);
    /* Finds the text of the next instance; false at the end of the file. It finds malformed instances too; parse
     * refuses them. */
    bool (*next)(soloist_cursor *cursor, soloist_chunk *chunk);
    /* Makes an instance, or returns NULL and fills *error (never NULL) with a place in the file. options points to the
     * domain's own struct and is borrowed for the call only. If memory runs out, parse returns NULL with errno set to
     * ENOMEM (a failed malloc sets it). If errno has another value, the engine reports that the text is wrong. */
    soloist_instance *(*parse)(const soloist_chunk *chunk, const void *options, soloist_error *error);
    /* Frees an instance or a session. */
    void (*destroy)(soloist_instance *instance);
    /* Writes the sizes that callers need to allocate. The struct is zeroed before the call. */
    void (*shape)(const soloist_instance *instance, soloist_shape *shape);
    /* Writes the first state: shape.state_size bytes. */
    void (*root)(const soloist_instance *instance, void *state);
    /* One sentence that says why the instance has no solution; NULL if it may have one. The sentence belongs to the
     * instance. The pointer itself may be NULL. */
    const char *(*impossible)(const soloist_instance *instance);
    /* Makes a session: a working copy of the instance for one solve. What is learned while searching (caches, deadlocks
     * found, attached tables) is kept in the session. So the instance never changes, and one solve does not affect the
     * next. All threads and all methods of the solve share the session. The session borrows from the instance and is
     * destroyed before the instance. A state of a session may not be passed to a function together with the instance,
     * nor a state of the instance together with the session. Functions that are given a session may ask work->stop.
     * Once that token is stopped, they may return incomplete results, such as fewer children; the search then draws no
     * conclusions from them. If `session` fails, it returns NULL with an error, as parse does. If the pointer itself is
     * NULL, solves use the instance directly. */
    soloist_instance *(*session)(const soloist_instance *instance, const soloist_work *work, soloist_error *error);
    /* For domains whose largest instances take long to read. If this pointer is not NULL, the function is called
     * instead of parse. It does the same as parse, but asks work->stop from time to time; once the token is stopped, it
     * returns NULL with errno set to ECANCELED. */
    soloist_instance *(*parse_within)(const soloist_chunk *chunk, const void *options, const soloist_work *work,
                                      soloist_error *error);
} soloist_life;

/* What expand returns about one child. */
typedef struct soloist_child {
    uint64_t key; /* the child's key, if SOLOIST_WANT_KEY was set */
    soloist_move move; /* the move that leads to the child */
    int32_t step;  /* the cost of the move, or the score that it gains */
    int32_t bound; /* the child's bound, if SOLOIST_WANT_BOUND was set */
} soloist_child;

/* Which fields of soloist_child the caller of expand will read. */
#define SOLOIST_WANT_KEY 1u
#define SOLOIST_WANT_BOUND 2u /* see SOLOIST_WANT_KEY */

/* Core: required. The rules, which searches call in their innermost loops. Every pointer except turn is required. No
 * function allocates, prints or keeps static data that changes, so any number of threads may call them at once. The
 * same inputs give the same results in the same order on every machine. */
typedef struct soloist_core {
    size_t size; /* sizeof(soloist_core) */
    /* Writes every legal move, in a fixed order, and returns how many there are: at most shape.most_moves. */
    int (*moves)(const soloist_instance *instance, const void *state, soloist_move *moves);
    /* Plays a legal move and returns its step: the cost, or the score gained. undo: shape.undo_size bytes that this
     * call fills for the matching undo, or NULL if the move will not be taken back. */
    int32_t (*apply)(const soloist_instance *instance, void *state, soloist_move move, void *undo);
    /* Takes the last move back: afterwards every byte of the state is as it was before apply. Moves are taken back in
     * reverse order, each with its own undo record. */
    void (*undo)(const soloist_instance *instance, void *state, soloist_move move, const void *undo);
    /* True at a goal (least cost) or at the end of play (most score). Then *last is set to the number that the end of
     * play adds to the sum of the steps; at a goal it is 0. */
    bool (*ended)(const soloist_instance *instance, const void *state, int32_t *last);
    /* A 64-bit hash of the state, usually kept in the state and updated by apply. Equal states have equal keys. */
    uint64_t (*key)(const soloist_instance *instance, const void *state);
    /* The same key, computed anew from the whole state; tests compare it with `key`. */
    uint64_t (*key_from_scratch)(const soloist_instance *instance, const void *state);
    /* Writes the children, in the order in which `moves` lists their moves, and returns how many there are. Some are
     * left out: children that bound.dead calls dead; children whose bound is SOLOIST_DEAD, if SOLOIST_WANT_BOUND is
     * set; moves for which bound.pruned is true; and, if the domain chooses to do so, the move that only leads back to
     * the parent. `last` is the move that led to the state (SOLOIST_NO_MOVE: none). Fields that `want` does not ask for
     * have unspecified values. */
    int (*expand)(const soloist_instance *instance, const void *state, soloist_move last, unsigned want,
                  soloist_child *children);
    /* Returns the player whose turn it is: 0, who maximises the score, or 1, who minimises it. Required if there are
     * two players, otherwise NULL. */
    int (*turn)(const soloist_instance *instance, const void *state);
} soloist_core;

/* Bound: optional. A lower bound on the cost to go, or an upper bound on the score to come, including what the end
 * adds. value, admissible and consistent are required. */
typedef struct soloist_bound {
    size_t size; /* sizeof(soloist_bound) */
    /* The bound of a state; SOLOIST_DEAD if no goal can be reached. */
    int32_t (*value)(const soloist_instance *instance, const void *state);
    /* A cheap test: true only if no goal can be reached. May be NULL. */
    bool (*dead)(const soloist_instance *instance, const void *state);
    /* The bound is admissible if it never exceeds the true cost (or is never below the true score). It is consistent if
     * no move lowers it by more than the move's cost. Proofs of optimality rely on these two properties. The answers
     * may depend on the instance's options. */
    bool (*admissible)(const soloist_instance *instance);
    bool (*consistent)(const soloist_instance *instance); /* see admissible */
    /* True for a legal move that expand leaves out although the child is not dead, either because another move can be
     * played first without loss, or because the move is known to lead nowhere. The moves that are not pruned
     * include at least one of the best moves. If every move is pruned, no goal can be reached. NULL: no move is pruned.
     */
    bool (*pruned)(const soloist_instance *instance, const void *state, soloist_move move);
    /* False if the instance's options let the domain prune more than `pruned` allows, so that the best continuation or
     * even all continuations may be lost. Then a search that finds no better solution has not proved that there is
     * none. NULL: always true. */
    bool (*lossless)(const soloist_instance *instance);
    /* Only for domains that maximise a score: a tighter upper bound, which takes longer to compute. A search asks for
     * it once per state. It is admissible if `value` is admissible. If this bound is at most `enough`, the function may
     * return any value from the bound up to `enough`. May be NULL. */
    int32_t (*tight)(const soloist_instance *instance, const void *state, int32_t enough);
} soloist_bound;

/* Reverse: optional. The game played backwards over the same states, from the goals towards the root. goal, core and
 * forward are required. */
typedef struct soloist_reverse {
    size_t size; /* sizeof(soloist_reverse) */
    /* Writes goal state number `index` (0, 1, 2, ...); false past the last. */
    bool (*goal)(const soloist_instance *instance, uint64_t index, void *state);
    /* The core of backward play. Its functions moves, apply, undo and expand play backwards; its function ended is true
     * at the root. key_from_scratch and turn may be NULL. */
    const soloist_core *core;
    /* A lower bound on the cost from the root to a state. May be NULL. */
    const soloist_bound *bound;
    /* The forward move that reverses the backward move `move`; `state` is the state before the backward move. */
    soloist_move (*forward)(const soloist_instance *instance, const void *state, soloist_move move);
    /* Makes a new instance whose root is `from` and whose goal is `to`. It has the same shape and the same moves; its
     * bound and its estimate, if any, refer to `to`. This is for domains that have one goal and in which forward and
     * backward moves are the same, so that any line can be played in both directions. The new instance borrows from
     * `instance`, so the caller must destroy the new one first. If there is no such instance, the call returns NULL; a
     * domain that can never make one sets the pointer to NULL. */
    soloist_instance *(*between)(const soloist_instance *instance, const void *from, const void *to);
} soloist_reverse;

/* Pack: optional. A smaller form of a state for closed tables: shape.packed_size bytes. Equal states have equal packed
 * bytes, and unpack restores every byte of the state. */
typedef struct soloist_pack {
    size_t size; /* sizeof(soloist_pack) */
    void (*pack)(const soloist_instance *instance, const void *state, void *packed);   /* makes the smaller form */
    void (*unpack)(const soloist_instance *instance, const void *packed, void *state); /* restores the state */
} soloist_pack;

/* What a referee found about a valid solution. */
typedef struct soloist_verdict {
    int32_t value;  /* the cost or the score */
    int64_t moves;  /* the number of moves */
    int64_t pushes; /* the number of pushes; -1 if the domain has none */
} soloist_verdict;

/* Text: required. Converts states, moves and solutions into text and back. print, move, solution and read are required.
 */
typedef struct soloist_text {
    size_t size; /* sizeof(soloist_text) */
    /* Writes the state in the domain's file format; parsing this text gives the same state again. */
    void (*print)(const soloist_instance *instance, const void *state, const soloist_sink *sink);
    /* Writes one move for a person to read; state is the state before the move. */
    void (*move)(const soloist_instance *instance, const void *state, soloist_move move, const soloist_sink *sink);
    /* Writes a whole solution from the root, in the notation that other programs for this puzzle use. */
    void (*solution)(const soloist_instance *instance, const soloist_move *moves, size_t count,
                     const soloist_sink *sink);
    bool solution_is_json; /* true: the notation is a JSON value; false: it is put into JSON as a string */
    /* Reads the text of a solution that begins at the root. Writes at most `room` moves (moves may be NULL if room is
     * 0). Returns how many moves the solution has, or -1 with an error, whose column is the place of the fault in the
     * solution's text. */
    long (*read)(const soloist_instance *instance, const char *text, size_t length, soloist_move *moves, size_t room,
                 soloist_error *error);
    /* The referee: replays a solution on an instance, both given as texts, in plain code that implements only the rules
     * and shares nothing with core. If the solution is wrong, returns false with an error, whose column is the place of
     * the fault in the solution. If the pointer is NULL, the engine replays solutions through core. */
    bool (*referee)(const soloist_chunk *chunk, const void *options, const char *solution, size_t length,
                    soloist_verdict *verdict, soloist_error *error);
    /* The name of the domain whose moves are used to show a solution, such as "sokoban-moves" for "sokoban"; NULL: this
     * domain. */
    const char *shown_in;
} soloist_text;

/* Generate: optional. Makes new instances. options may be NULL: no options. */
typedef struct soloist_generate {
    size_t size; /* sizeof(soloist_generate) */
    const soloist_option *options; /* rows, or NULL */
    size_t options_size;           /* the size of the struct that the rows describe */
    /* Writes one instance in the domain's file format, with a comment line that estimates its difficulty. options
     * points to a struct of options_size bytes. The same options and random numbers give the same instance on every
     * machine. */
    soloist_code (*make)(const void *options, soloist_rng *rng, const soloist_sink *sink, soloist_error *error);
} soloist_generate;

/* Which line of play is best. */
typedef enum soloist_aim {
    SOLOIST_LEAST_COST, /* the one that reaches a goal with the least sum of steps */
    SOLOIST_MOST_SCORE  /* the one with the greatest sum of steps at the end of play, including what the end adds */
} soloist_aim;

/* A domain: one constant table. life, core and text are required. Any other group may be NULL; a search that needs it
 * then says so in one sentence. The table and each group state their size, so that later versions can add functions at
 * their ends. Functions that did not exist yet when a domain was compiled are taken to be NULL. The groups that are not
 * in this header are in soloist_extra.h. */
typedef struct soloist_domain {
    int abi;             /* SOLOIST_ABI */
    size_t size;         /* sizeof(soloist_domain) */
    const char *name;    /* made of a-z, 0-9, - and _; at most 63 characters */
    const char *summary; /* one line */
    soloist_aim aim;     /* which line of play is best */
    int players; /* 1 or 2; with 2, all scores are those of player 0, and core.turn says who moves */
    const soloist_option *options; /* rows of the domain's own options, or NULL */
    size_t options_size;           /* the size of the struct that the rows describe */
    const soloist_life *life;      /* from text to instance and first state; required */
    const soloist_core *core;      /* the rules; required */
    const soloist_text *text;      /* from states, moves and solutions to text and back; required */
    const soloist_bound *bound;    /* a bound on the cost or score still to come */
    const soloist_reverse *reverse;                  /* the game played backwards */
    const soloist_pack *pack;                        /* smaller states */
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

/* A plugin is a shared object that defines this function, or soloist_plugin_method (soloist_method.h), or both. The
 * table that it returns must stay valid while the plugin is loaded. */
const soloist_domain *soloist_plugin(void);

/* ======================================================================================================
 * Part two: the engine
 * ====================================================================================================== */

/* The engine: the known domains and methods, and the tables that instances share. Several threads may use one engine at
 * once, but not while a domain or a method is being added or soloist_find_networks is running. */
typedef struct soloist soloist;

/* An engine with the built-in domains, or NULL if memory runs out. Free it with soloist_free (NULL is allowed) after
 * its sessions are closed and the puzzles of its domains are freed: these may use its tables and its copies of domains.
 */
soloist *soloist_new(void);
void soloist_free(soloist *engine);
/* Adds a domain after checking its table, which is borrowed and must outlive the engine. From then on use the table
 * that soloist_find_domain returns: if yours was compiled with an earlier header, that table is a copy whose groups
 * have the sizes of the present header. */
soloist_code soloist_add_domain(soloist *engine, const soloist_domain *domain, soloist_error *error);
/* soloist_find_domain returns the domain of that name, or NULL if there is none; soloist_domain_at returns domain
 * number `index` (0, 1, 2, ...), or NULL past the last. */
const soloist_domain *soloist_find_domain(const soloist *engine, const char *name);
const soloist_domain *soloist_domain_at(const soloist *engine, size_t index);
/* The domain to which the text most likely belongs, or NULL if none recognises it. */
const soloist_domain *soloist_recognise(const soloist *engine, const char *text, size_t length);

/* A puzzle: one instance with its domain, options and text. soloist_puzzle_read fills it; after that nothing in it may
 * be changed, and several threads may solve it at once. The puzzle owns what its pointers point to, except the domain.
 */
typedef struct soloist_puzzle {
    const soloist_domain *domain; /* borrowed from the engine */
    void *options;       /* the domain's options */
    char *text;          /* a copy of the instance's text, terminated by a zero */
    soloist_chunk chunk; /* the chunk that was read; chunk.text points to `text` */
    soloist_instance *instance; /* the instance that the domain made from the text */
} soloist_puzzle;

/* Parses one chunk with options "key=value,..." (NULL: the defaults). On success free the puzzle with
 * soloist_puzzle_free; on failure *error is filled and there is nothing to free. */
soloist_code soloist_puzzle_read(const soloist_domain *domain, const char *options, const soloist_chunk *chunk,
                                 soloist_puzzle *puzzle, soloist_error *error);
/* The same, but returns SOLOIST_STOPPED soon after `stop` is stopped. */
soloist_code soloist_puzzle_read_within(const soloist_domain *domain, const char *options, const soloist_chunk *chunk,
                                        soloist_stop_token *stop, soloist_puzzle *puzzle, soloist_error *error);
void soloist_puzzle_free(soloist_puzzle *puzzle);
/* Reads the next instance of a text (see soloist_cursor_open). Returns false at the end of the text. Otherwise *code
 * says whether the instance could be read. If *code is SOLOIST_OK, the caller must free the puzzle later. If not,
 * *error is filled, and the next call continues after this instance. */
bool soloist_next_puzzle(const soloist_domain *domain, const char *options, soloist_cursor *cursor,
                         soloist_puzzle *puzzle, soloist_code *code, soloist_error *error);
/* Checks by random play on a puzzle whether the functions of its domain obey the contract: their results are compared
 * with each other (docs/ADD_A_DOMAIN.md). walks: number of games; steps: maximum number of moves per game. Returns
 * false, with an error that describes the first fault, if they do not. */
bool soloist_validate(const soloist_puzzle *puzzle, uint64_t seed, int walks, int steps, soloist_error *error);

/* An open network. It gives a search the probability of each move and the value of a state. Several solves may use one
 * network at once. */
typedef struct soloist_network soloist_network;

/* Opens "FILE" or "FILE:key=value,..." for a domain. soloist_network_options returns the rows of the options (batch
 * size, back end and so on). If the network cannot be opened, returns NULL with an error. Close the network after the
 * last solve that uses it. */
soloist_network *soloist_network_open(const soloist_domain *domain, const char *text, soloist_error *error);
void soloist_network_close(soloist_network *network);
/* True if the puzzle has the planes and actions that the network was made for; otherwise false with an error. */
bool soloist_network_fits(const soloist_network *network, const soloist_puzzle *puzzle, soloist_error *error);
const soloist_option *soloist_network_options(void);

/* A function that finds a network for a solve. It is called if the method needs a network and limits.network is NULL.
 * Several threads may call it at once. valued: the network must have a value head. On success *network is set; the
 * program that set the finder still owns the network and closes it after the solve. If no network is found, the
 * function returns false with an error. */
typedef bool (*soloist_network_finder)(void *user, const soloist_puzzle *puzzle, bool valued, soloist_network **network,
                                       soloist_error *error);
/* Sets the function that finds networks; `user` is passed to each of its calls. A new engine has no such function; NULL
 * removes the present one. Do not call this while anything is being solved. */
void soloist_find_networks(soloist *engine, soloist_network_finder finder, void *user);

/* The limits of one solve. 0 means no limit; for threads it means 1. */
typedef struct soloist_limits {
    double time_s;  /* wall time in seconds */
    uint64_t nodes;           /* states generated */
    uint64_t iterations;      /* iterations of sampling methods */
    size_t memory;            /* bytes */
    int threads;              /* threads that search */
    uint64_t seed;            /* the seed of the random numbers */
    soloist_stop_token *stop; /* the solve ends soon after this token is stopped; borrowed; may be NULL */
    soloist_network *network; /* for methods that want one; borrowed; may be NULL */
} soloist_limits;

/* The outcome of a solve. */
typedef enum soloist_status {
    SOLOIST_SOLVED,     /* a solution was found and replayed */
    SOLOIST_UNSOLVED,   /* no solution was found: a limit ended the run, or the run failed */
    SOLOIST_IMPOSSIBLE, /* proved: there is no solution */
    SOLOIST_INVALID     /* the instance could not be read; in this header, only soloist_solve_text reports this */
} soloist_status;

/* Why a search ended. */
typedef enum soloist_stop {
    SOLOIST_STOP_GOAL,      /* the search found what it looked for */
    SOLOIST_STOP_EXHAUSTED, /* nothing was left to search */
    SOLOIST_STOP_TIME, /* the time limit was reached */
    SOLOIST_STOP_NODES, /* the node limit was reached */
    SOLOIST_STOP_ITERATIONS, /* the iteration limit was reached */
    SOLOIST_STOP_MEMORY, /* the memory limit was reached */
    SOLOIST_STOP_CANCEL /* a stop token was stopped */
} soloist_stop;

const char *soloist_status_name(soloist_status status); /* "solved", "unsolved", "impossible", "invalid" */
const char *soloist_stop_name(soloist_stop stop);       /* "goal", "exhausted", "time", "nodes", "iterations", ... */

/* The result of one solve. soloist_result_free frees its moves and its solution. */
typedef struct soloist_result {
    soloist_status status; /* solved or not */
    soloist_stop stopped;  /* why the search ended */
    soloist_move *moves;   /* the solution's moves; may be NULL if there are none */
    size_t move_count;     /* the number of moves */
    char *solution; /* the solution in the domain's notation, replayed by the referee; NULL if there is none */
    soloist_verdict verdict; /* the referee's verdict on the solution */
    bool optimal;            /* proved: no solution is better */
    double time_s;           /* seconds that the solve took */
    uint64_t nodes;                /* states generated */
    uint64_t iterations, playouts; /* valid if has_iterations and has_playouts */
    bool has_iterations, has_playouts, has_expanded; /* whether the method counts these */
    uint64_t expanded; /* states whose children were generated; valid if has_expanded */
    /* The number of states that a network was asked to evaluate, including those for which a cached answer was used.
     * Valid if has_evaluations is true; it is false if the method used no network. */
    bool has_evaluations;
    uint64_t evaluations; /* see has_evaluations */
    /* Counts of tree search, valid if has_tree: nodes removed because everything below them had been explored,
     * iterations that neither added nor removed a node, and subtrees moved because a shorter path to their state was
     * found. */
    bool has_tree;
    uint64_t eliminated, skipped, moved; /* see has_tree */
    size_t peak_bytes; /* the peak memory use of the solve */
    char method[160];  /* the method that ran, with its options */
    /* "", or one sentence that says what is wrong with the domain or the limits, or what the solve has left out. */
    char warning[256];
    bool starved;      /* the system refused memory although the limit was not reached; another run may find more */
} soloist_result;

/* Solves a puzzle by the method "NAME" or "NAME:key=value,..." (NULL: "auto"). limits may be NULL (no limits), and so
 * may callbacks and error. *result is always filled, even if the call fails; free it with soloist_result_free.
 *
 * Every solution in *result has been replayed. If the search says that the solution is optimal, the domain's bounds are
 * checked in every state of the solution. If a bound is wrong there, the search's claim is worth nothing: `optimal` is
 * then false, and `warning` says what is wrong. */
soloist_code soloist_solve(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                           const soloist_limits *limits, const soloist_callbacks *callbacks, soloist_result *result,
                           soloist_error *error);
void soloist_result_free(soloist_result *result);
/* Reads the first instance of a text and solves it as soloist_solve does. domain: a name, or NULL to recognise the
 * domain. text: terminated by a zero. */
soloist_code soloist_solve_text(const soloist *engine, const char *domain, const char *text, const char *method,
                                const soloist_limits *limits, soloist_result *result, soloist_error *error);

/* What a watcher is told about a running solve. */
typedef struct soloist_sight {
    size_t size; /* sizeof(soloist_sight) of the library that runs; members beyond this size do not exist */
    const soloist_progress *progress; /* numbers; valid during the call */
    /* The best solution so far in the domain's notation, replayed by the referee; NULL: none. Valid during the call. */
    const char *line;
    soloist_verdict verdict; /* the referee's verdict on that solution */
    uint64_t lines;          /* how often the best solution has changed */
    const char *member;      /* in a mix of methods, such as auto, the method whose turn it is; otherwise NULL */
    const struct soloist_subject *subject; /* for soloist_look of soloist_picture.h */
} soloist_sight;

/* The function `see` is called with `user` a few times per second, under the same rules as soloist_callbacks.progress.
 * The search stands still during each call, and the time of the call does not count towards the limits. To pause the
 * search, let `see` wait. In `see` you may call soloist_look (soloist_picture.h) for a description of what the search
 * is doing. */
typedef struct soloist_watcher {
    size_t size; /* sizeof(soloist_watcher) */
    void (*see)(void *user, const soloist_sight *sight); /* required */
    void *user;                                          /* passed to see */
    /* A program that was compiled with an older header lacks the two members that follow; `size` says whether they
     * exist. They are read again after each call of `see`, so that `see` can change them through a pointer of its own.
     */
    double every_s; /* seconds between calls; 0 means 0.2; longer if calls would take over 1 % of the search's time */
    uint64_t every; /* if not 0: `see` is also called each time nodes plus iterations have grown by this number */
} soloist_watcher;

/* The same as soloist_solve, but reports to the watcher while it searches. The search itself is exactly the same.
 * Returns SOLOIST_MISUSE if the watcher or its function is NULL. */
soloist_code soloist_watch(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                           const soloist_limits *limits, const soloist_watcher *watcher, soloist_result *result,
                           soloist_error *error);

/* A session keeps what the searches of one puzzle learn, such as deadlocks, from one solve to the next. soloist_solve
 * makes a new session each time, so that equal calls have equal node counts. A caller who keeps a session gives up this
 * reproducibility for speed. Only one solve at a time may use a session. The engine and the puzzle must outlive the
 * session. */
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
 * the domain, its options, the method's options or the limits. limits must not be NULL; limits->network may be NULL.
 * Returns SOLOIST_OK, or the code and the sentence that soloist_solve would give. */
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
    soloist_outlook outlook; /* what is known */
    char *move;         /* set by soloist_hint if alive: the next move, for a person to read; otherwise NULL */
    char *line;         /* the same move in the notation of solutions; in Sokoban this includes the walk to the box */
    char reason[32];    /* if lost: a short name, such as "freeze" */
    char sentence[200]; /* if lost: one sentence that says why */
    char *board;        /* if lost: the position, with an X for each piece that makes it lost; may be NULL */
    soloist_result result; /* the result of the search; all zero if no search was needed */
} soloist_advice;

/* Finds the next move: first tries quick rules, then solves by the method (NULL: "auto") within the limits. Works for
 * every domain. limits, callbacks and error may be NULL. */
soloist_code soloist_hint(const soloist *engine, const soloist_puzzle *puzzle, const char *method,
                          const soloist_limits *limits, const soloist_callbacks *callbacks, soloist_advice *advice,
                          soloist_error *error);
/* Finds out whether there is a solution, and if not, why. If quick is true, only rules are used, and nothing is
 * searched. */
soloist_code soloist_explain(const soloist *engine, const soloist_puzzle *puzzle, bool quick,
                             const soloist_limits *limits, const soloist_callbacks *callbacks, soloist_advice *advice,
                             soloist_error *error);
void soloist_advice_free(soloist_advice *advice);
/* Shortens a solution; so far this works only for Sokoban. aim names the counts to minimise, the most important first:
 * one to five of "pushes", "moves", "box-lines", "box-changes" and "sessions", joined by -. NULL: "pushes-moves".
 * Returns SOLOIST_BAD_INPUT if the given text is not a solution. result->solution is the shorter solution, or the given
 * one if no shorter one was found; result->moves is NULL. */
soloist_code soloist_optimize(const soloist *engine, const soloist_puzzle *puzzle, const char *solution, size_t length,
                              const char *aim, const soloist_limits *limits, const soloist_callbacks *callbacks,
                              soloist_result *result, soloist_error *error);

/* The referee: replays a solution's text, which need not be terminated by a zero. True if it is a solution; otherwise
 * false with an error. verdict and error may be NULL. */
bool soloist_check(const soloist_puzzle *puzzle, const char *solution, size_t length, soloist_verdict *verdict,
                   soloist_error *error);

/* Sets *name, *summary (one line) and *options (its option rows) to those of method number `index` (0, 1, 2, ...);
 * false past the last method. The built-in methods come first, then those that were added (soloist_method.h). name,
 * summary and options may be NULL. */
bool soloist_method_at(const soloist *engine, size_t index, const char **name, const char **summary,
                       const soloist_option **options);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
