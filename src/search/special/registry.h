/* Specials: functions that are written for one game, beyond the general domain interface. One list says which domain
 * has which specials, so that general code need not name a game. A domain has the specials of a built-in domain if both
 * have the same core functions: then their instances, states and moves are the same, even if the domain has another
 * name. */
#ifndef SEARCH_SPECIAL_REGISTRY_H
#define SEARCH_SPECIAL_REGISTRY_H

#include "search/ida_star/ida_star.h"
#include "search/ida_star/depth_first.h"
#include "search/special/polish.h"

/* Functions for a game's files and levels that are not part of the general domain interface. Only `space` and `explain`
 * may be NULL. */
struct special_levels {
    const char *cost; /* what the cost counts, such as "pushes" */
    /* Finds solution number `index` in the text of an instance. False: the text has no solution of that number. */
    bool (*solution)(const soloist_chunk *chunk, int index, const char **text, size_t *length);
    /* The referee for solutions in which pushes and steps are not distinguished by capital letters. */
    bool (*referee_any_case)(const soloist_chunk *chunk, const char *solution, size_t length, soloist_verdict *verdict,
                             soloist_error *error);
    /* Writes the canonical form: the same bytes for all equivalent instances, such as mirror images. walks: the cost
     * counts the player's steps, so equivalent instances must have the player on the same square. False if the chunk
     * cannot be read. */
    bool (*canonical)(const soloist_chunk *chunk, bool walks, const soloist_sink *sink);
    /* Writes an equivalent level on the smallest possible board. False if the chunk cannot be read. */
    bool (*tidy)(const soloist_chunk *chunk, const soloist_sink *sink);
    /* Translates a solution of one instance into a solution of another instance with the same canonical form. False if
     * their forms differ. */
    bool (*carry)(const soloist_chunk *from, const soloist_chunk *to, const char *solution, const soloist_sink *sink);
    /* Shortens a solution. Returns SOLOIST_BAD_INPUT with the referee's error if the text is not a solution. The limits
     * on time, nodes and memory and the stop token are obeyed; callbacks may be NULL. */
    soloist_code (*polish)(const soloist_puzzle *puzzle, const char *solution, size_t length, struct polish_aim aim,
                           const soloist_limits *limits, const soloist_callbacks *callbacks,
                           struct polish_result *result, soloist_error *error);
    /* Writes an estimate of the size of the level's search space as an integer with all its digits. False if the chunk
     * cannot be read. */
    bool (*space)(const soloist_chunk *chunk, const soloist_sink *sink);
    /* Does the same as soloist_explain, for a position that is not solved. On entry *advice is initialised, and may
     * already contain the reason that the domain's own quick tests found; the function may replace it by a more exact
     * reason. */
    soloist_code (*explain)(const soloist *engine, const soloist_puzzle *puzzle, bool quick,
                            const soloist_limits *limits, const soloist_callbacks *callbacks, soloist_advice *advice,
                            soloist_error *error);
};

typedef enum depth_first_end special_depth_first(struct depth_first *search, uint64_t limit);

/* Functions that are written for one game and used by IDA*. Any pointer may be NULL, but the functions of each of these
 * groups must be given together: moved_from and moved_to; dual and dual_fits; the three functions for relevance. */
struct special_ida_star {
    /* A faster copy of depth_first_generic for the instance, with equal node counts; NULL: there is none. */
    special_depth_first *(*depth_first)(const soloist_instance *instance);
    /* Option dual: the search from both ends of the solution. */
    bool (*dual_fits)(const soloist_instance *instance);
    soloist_code (*dual)(struct search_run *run);
    /* Option order=inertia: the place where a move's piece is before the move, and the place where it is after the
     * move. */
    int64_t (*moved_from)(const soloist_instance *instance, soloist_move move);
    int64_t (*moved_to)(const soloist_instance *instance, soloist_move move);
    /* Option relevance: relevance cuts. relevance_open returns NULL if memory is full. */
    struct relevance *(*relevance_open)(struct search_run *run, const struct ida_star_settings *settings);
    void (*relevance_close)(struct relevance *relevance);
    /* Removes the children whose moves are not relevant to the most recent moves, and returns how many children are
     * left. last: the move that led to their parent; the parent is not yet on the path. */
    int (*relevant)(const struct relevance *relevance, const struct ida_star_path *path, soloist_move last,
                    soloist_child *children, int count);
};

/* Counts that describe a solution and exist in certain games only, in addition to those of soloist_verdict. */
enum special_count {
    SPECIAL_BOX_LINES,
    SPECIAL_BOX_CHANGES,
    SPECIAL_PUSHING_SESSIONS,
    SPECIAL_PLAYER_LINES,
    SPECIAL_BLOCKS_LEFT,
    SPECIAL_COUNTS
};
#define SPECIAL_NO_COUNT INT64_MIN

/* Functions that are written for one game and used for graded generation. No pointer is NULL. options: the options of
 * the domain's generator. */
struct special_generate {
    /* Draws a random instance, and returns SOLOIST_STOPPED soon after the token `stop`, which may be NULL, is stopped.
     * quickly: an instance from which changes by `vary` can begin; otherwise the instance that the domain's generator
     * makes. */
    soloist_code (*draw)(const void *options, bool quickly, soloist_rng *rng, soloist_stop_token *stop,
                         const soloist_sink *sink, soloist_error *error);
    /* Writes a similar instance, which differs from the given one by one random change and may have no solution. False
     * if the change that was drawn is not possible. */
    bool (*vary)(const void *options, const soloist_chunk *chunk, soloist_rng *rng, const soloist_sink *sink);
    /* Writes the canonical form of the board without its pieces: instances that differ only in where the pieces start
     * have the same bytes. *symmetries: how many of the eight rotations and reflections of the square leave that board
     * unchanged. False if the chunk cannot be read. */
    bool (*room)(const soloist_chunk *chunk, int *symmetries, const soloist_sink *sink);
};

struct special {
    const soloist_domain *domain;
    const struct special_levels *levels;     /* NULL: nothing */
    const struct special_ida_star *ida_star; /* NULL: nothing */
    /* For a solution that the referee has accepted: sets the counts that the game has. False: memory is full. The
     * pointer is NULL if the game has no counts. */
    bool (*counts)(const soloist_puzzle *puzzle, const char *solution, size_t length, int64_t counts[SPECIAL_COUNTS]);
    const struct special_generate *generate; /* NULL: nothing */
};

extern const struct special_generate special_sokoban_generate;
extern const struct special special_sokoban, special_sokoban_moves, special_tiles, special_pancake, special_samegame;

/* Whether two domains have the same core functions. */
bool special_same_game(const soloist_domain *a, const soloist_domain *b);
/* The specials of a domain; NULL: there are none. The domain may be NULL. */
const struct special_levels *special_levels(const soloist_domain *domain);
const struct special_ida_star *special_ida_star(const soloist_domain *domain);
/* The specials of a domain for graded generation. NULL: there are none, or the domain does not use the built-in
 * generator, whose options these functions read. */
const struct special_generate *special_generate(const soloist_domain *domain);
/* The name of a count as a JSON field, such as "box_lines". */
const char *special_count_name(enum special_count count);
/* Sets all counts of a solution; a count that does not apply is set to SPECIAL_NO_COUNT. `solution` may be NULL. False:
 * memory is full. */
bool special_counts(const soloist_puzzle *puzzle, const char *solution, int64_t counts[SPECIAL_COUNTS]);
/* Writes an estimate of the size of a level's search space, for any game that has such an estimate. False: no game can
 * read the level. */
bool special_space(const soloist_chunk *chunk, const soloist_sink *sink);

#endif
