/* Pictures of a running search for a program or a person that watches it. A method may have a painter, a function that
 * describes the state of the search in a struct search_picture. A method calls search_show when its data are ready, and
 * search_hide before it frees them. In between, whenever a thread checks the method's budget, that thread may call the
 * painter. A painter only reads. Painters take no time as long as nobody watches. */
#ifndef SEARCH_PICTURE_H
#define SEARCH_PICTURE_H

#include "base/buffer.h"
#include "search/search.h"
#include "soloist_picture.h"

enum {
    PICTURE_BRANCHES = 48,
    PICTURE_BARS = 64, /* maximum number of bars per axis and direction of search */
    PICTURE_LEVELS = 16,
    PICTURE_LAYERS = 128,
    PICTURE_CELLS = 256,
    PICTURE_SAMPLE = 1024, /* maximum number of open states that a painter examines */
    PICTURE_GAMES = 256    /* maximum number of games that a method remembers */
};

/* A histogram that doubles the width of its bars when it would need more than PICTURE_BARS bars. */
struct picture_chart {
    soloist_bar bars[PICTURE_BARS];
    int count;
    int64_t width;
};

struct search_picture {
    soloist_picture shown;
    const soloist_move *path; /* the moves to the node whose branches are wanted */
    size_t path_count;
    soloist_branch branches[PICTURE_BRANCHES];
    size_t places[PICTURE_BRANCHES + 2]; /* offsets in `text` for the branches, the node and the line; 0: no text */
    struct picture_chart charts[SOLOIST_AXES][2];
    soloist_bar bars[SOLOIST_AXES * 2 * PICTURE_BARS];
    soloist_level levels[PICTURE_LEVELS];
    soloist_layer layers[PICTURE_LAYERS];
    soloist_cell cells[PICTURE_CELLS];
    const char *features[SOLOIST_MOST_FEATURES];
    struct buffer text;  /* all texts, each ending in a zero byte */
    soloist_move *moves; /* the moves from the start to the node; allocated for move_room moves */
    size_t move_count, move_room;
};

/* NULL: no memory. */
struct search_picture *picture_new(void);
void picture_free(struct search_picture *picture);
/* Calls the painter of the search that uses this budget. The picture shows the branches of the node to which `path`
 * leads. */
const soloist_picture *picture_take(struct search_picture *picture, const struct budget *budget,
                                    const soloist_move *path, size_t count);

/* ---- for methods ---- */

typedef void search_painter(const void *subject, struct search_picture *picture);

static inline void search_show(struct search_run *run, search_painter *paint, const void *subject) {
    run->budget->view = (struct budget_view){paint, subject};
}
static inline void search_hide(struct search_run *run) { run->budget->view = (struct budget_view){0}; }

/* ---- for painters ---- */

static inline void picture_kind(struct search_picture *picture, soloist_picture_kind kind) {
    picture->shown.kind = kind;
}
static inline void picture_depth(struct search_picture *picture, int64_t depth) {
    picture->shown.depth = depth;
    picture->shown.has_depth = true;
}
/* picture_begin_line sets the line to the moves from the puzzle's start to the tree's root; picture_add_move adds one
 * more move to the line. */
void picture_begin_line(struct search_picture *picture, const soloist_move *moves, size_t count);
void picture_add_move(struct search_picture *picture, soloist_move move);
/* Adds a branch of the node at the end of the line. If there are too many branches, those with the fewest visits are
 * left out; among branches with equal visits, those with the smallest prior. */
void picture_branch(struct search_picture *picture, const soloist_branch *branch);
/* The painter calls this after the last branch: writes as text the moves that lead to the node and those that lead to
 * each branch. */
void picture_end_branches(struct search_picture *picture, const struct search_run *run);
/* Sets the line that the search considers best now, or the path that it is examining. */
void picture_line(struct search_picture *picture, const struct search_run *run, const soloist_move *moves,
                  size_t count);
/* Adds `count` states whose value is `at` to the histogram of an axis. side: 0 for the search from the start, 1 for the
 * backward search from the goals. */
void picture_count(struct search_picture *picture, soloist_axis axis, int side, int64_t at, uint64_t count);
void picture_level(struct search_picture *picture, soloist_level level);
void picture_layer(struct search_picture *picture, soloist_layer layer);
/* Adds a cell. The painter should add the best cells first, because cells for which there is no room are left out. */
void picture_cell(struct search_picture *picture, const soloist_cell *cell);

/* The most recent games of a search that plays one game after the other. `number` counts all games so far. */
struct picture_games {
    uint64_t number;
    struct picture_game {
        int32_t length, result;
        bool ended; /* the game reached its end; false: it has no result */
    } games[PICTURE_GAMES];
};
static inline void picture_note_game(struct picture_games *games, int32_t length, bool ended, int32_t result) {
    games->games[games->number++ % PICTURE_GAMES] = (struct picture_game){length, result, ended};
}
/* A painter for a search that plays one game after the other. subject: a struct picture_games. */
void picture_games(const void *subject, struct search_picture *picture);

/* The most recent thresholds of an iterative search, from which the number of states generated with each threshold is
 * computed. */
enum { PICTURE_THRESHOLDS = 48 };
struct picture_thresholds {
    int count;
    int64_t at[PICTURE_THRESHOLDS];
    uint64_t began[PICTURE_THRESHOLDS]; /* the node count when the search began with this threshold */
};
void picture_note_threshold(struct picture_thresholds *thresholds, const struct search_run *run, int64_t threshold);
void picture_thresholds(struct search_picture *picture, const struct picture_thresholds *thresholds,
                        const struct search_run *run);

/* The stride with which a painter samples `count` states, so that it examines at most PICTURE_SAMPLE of them. */
static inline uint64_t picture_stride(uint64_t count) { return count / PICTURE_SAMPLE + 1; }

#endif
