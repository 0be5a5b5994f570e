/* Assignment by shortest augmenting paths (Jonker and Volgenant 1987; the repair after a change of one row:
 * Mills-Tettey, Stentz and Dias 2007). Only the potentials of the columns are stored, all of which are <= 0; the
 * potential of a matched row is its cost minus the potential of its column. Surplus columns are treated as matched to
 * dummy rows of cost 0. All dummy rows are alike, so one of them stands for all. For its matches to be optimal, every
 * surplus column must have the greatest potential.
 *
 * There is no overflow: costs are at most C = 2^20, n is at most 512, and potentials are kept above -2^29 - 2^26. A
 * path is therefore no longer than nC + 2^29 + 2^26, one more edge adds at most C + 2^29 + 2^26, and all sums stay
 * below 2^31. */
#include "base/matching.h"

#include "base/bitset.h"

#include <assert.h>
#include <string.h>

#define UNREACHED INT32_MAX
static const int32_t lowest_potential = -(1 << 29);
/* Greatest spread of the potentials at the start; a solve lowers them by at most 2^29 more. */
static const int32_t widest_start = 1 << 26;

/* The arrays in the caller's block. The first three are kept between calls; the others are scratch space of one
 * search. */
struct arrays {
    int32_t *restrict potential; /* [columns] */
    int16_t *restrict row_of;    /* [columns]: the row matched to each column; -1: surplus column */
    int16_t *restrict column_of; /* [rows]: the column matched to each row; -1: not yet matched */
    int32_t *restrict distance;  /* [columns]: distance of each column from the row being matched, in reduced costs */
    /* [columns]: UNREACHED if the column was scanned, otherwise 0; distance | closed is then UNREACHED for scanned
     * columns. */
    int32_t *restrict closed;
    int32_t *restrict reached_by; /* [columns]: the row before each column on the shortest path; -1: the dummy row */
};

static size_t up(size_t size) { return (size + 7) & ~(size_t)7; }

size_t matching_kept(int rows, int columns) {
    size_t r = (size_t)rows, c = (size_t)columns;
    return up(sizeof(struct matching)) + up(c * 4) + up((r + c) * 2);
}

size_t matching_size(int rows, int columns) { return matching_kept(rows, columns) + 3 * up((size_t)columns * 4); }

static struct arrays arrays_of(const struct matching *matching) {
    size_t c = (size_t)matching->columns;
    unsigned char *block = (unsigned char *)matching;
    unsigned char *row_of = block + up(sizeof *matching) + up(c * 4);
    unsigned char *scratch = block + matching_kept(matching->rows, matching->columns);
    return (struct arrays){
        .potential = (int32_t *)(void *)(block + up(sizeof *matching)),
        .row_of = (int16_t *)(void *)row_of,
        .column_of = (int16_t *)(void *)(row_of + c * 2),
        .distance = (int32_t *)(void *)scratch,
        .closed = (int32_t *)(void *)(scratch + up(c * 4)),
        .reached_by = (int32_t *)(void *)(scratch + 2 * up(c * 4)),
    };
}

void matching_open(struct matching *matching, int rows, int columns) {
    assert(rows >= 0 && rows <= columns && columns <= MATCHING_MOST);
    *matching = (struct matching){rows, columns, MATCHING_NEVER};
}

int matching_column(const struct matching *matching, int row) { return arrays_of(matching).column_of[row]; }

const int32_t *matching_potential(const struct matching *matching) { return arrays_of(matching).potential; }

/* Sets each column's distance to the length of the edge from the row being matched, whose potential is taken as 0.
 * Returns the least distance. */
static int32_t start_path(const struct arrays *a, int columns, const int32_t *restrict cost, int row) {
    int32_t *restrict distance = a->distance, *restrict closed = a->closed, *restrict reached_by = a->reached_by;
    const int32_t *restrict potential = a->potential;
    int32_t least = UNREACHED;
    for (int c = 0; c < columns; c++) {
        int32_t d = cost[c] > MATCHING_LARGEST ? UNREACHED : cost[c] - potential[c];
        distance[c] = d;
        closed[c] = 0;
        reached_by[c] = row;
        least = d < least ? d : least;
    }
    return least;
}

/* Relaxes the edges of a scanned row. base: the distance of its column minus the row's potential. Scanned columns
 * cannot get nearer, because reduced costs are never negative. Returns the least distance of the other columns. */
static int32_t extend_path(const struct arrays *a, int columns, const int32_t *restrict cost, int row, int32_t base) {
    int32_t *restrict distance = a->distance, *restrict reached_by = a->reached_by;
    const int32_t *restrict potential = a->potential, *restrict closed = a->closed;
    int32_t least = UNREACHED;
    for (int c = 0; c < columns; c++) {
        int32_t d = cost[c] > MATCHING_LARGEST ? UNREACHED : base + (cost[c] - potential[c]);
        int32_t old = distance[c];
        reached_by[c] = d < old ? row : reached_by[c];
        d = d < old ? d : old;
        distance[c] = d;
        d |= closed[c];
        least = d < least ? d : least;
    }
    return least;
}

/* The same for the dummy row, which can be matched to any column at cost 0. All surplus columns are then at the same
 * distance, and no path continues from them. */
static int32_t extend_by_dummy(const struct arrays *a, int columns, int32_t base) {
    int32_t least = UNREACHED;
    for (int c = 0; c < columns; c++) {
        int32_t d = base - a->potential[c];
        if (d < a->distance[c])
            a->distance[c] = d, a->reached_by[c] = -1;
        if (a->row_of[c] < 0)
            a->closed[c] = UNREACHED;
        d = a->distance[c] | a->closed[c];
        least = d < least ? d : least;
    }
    return least;
}

/* Chooses among the columns at the least distance: the target if it is one of them; if there is no target, a surplus
 * column; otherwise the first. */
static int nearest_column(const struct arrays *a, int columns, int32_t least, int target) {
    if (target >= 0 && a->distance[target] == least)
        return target;
    int first = -1;
    for (int c = 0; c < columns; c++) {
        if ((a->distance[c] | a->closed[c]) != least)
            continue;
        if (target >= 0 || a->row_of[c] < 0)
            return c;
        if (first < 0)
            first = c;
    }
    return first;
}

/* The result of one search. end: the last column of the path; -1: none was found. surplus: the surplus column through
 * which the path enters the dummy row; -1: it does not. */
struct path {
    int end, surplus;
    int32_t length, first; /* length: length of the path; first: least length of any first edge */
};

/* Dijkstra's algorithm over columns from `row` to `target`, or to any surplus column if target is -1. */
static struct path shortest_path(const struct arrays *a, int columns, const int32_t *const *cost, int row, int target) {
    int32_t least = start_path(a, columns, cost[row], row);
    struct path path = {-1, -1, 0, least};
    while (least != UNREACHED) {
        int column = nearest_column(a, columns, least, target), next = a->row_of[column];
        path.length = least;
        if (column == target || (target < 0 && next < 0)) {
            path.end = column;
            break;
        }
        a->closed[column] = UNREACHED;
        if (next >= 0) {
            const int32_t *costs = cost[next];
            least = extend_path(a, columns, costs, next, least - (costs[column] - a->potential[column]));
        } else {
            path.surplus = column;
            least = extend_by_dummy(a, columns, least + a->potential[column]);
        }
    }
    return path;
}

/* Updates the potentials so that every edge of the path has reduced cost 0; returns whether they are still in range. If
 * the path is as short as the shortest first edge, nothing changes, because no scanned column is nearer. */
static bool update_potentials(const struct arrays *a, int columns, struct path path) {
    int32_t lowest = 0;
    if (path.length == path.first)
        return true;
    for (int c = 0; c < columns; c++) {
        int32_t down = a->closed[c] ? path.length - a->distance[c] : 0;
        a->potential[c] -= down;
        lowest = a->potential[c] < lowest ? a->potential[c] : lowest;
    }
    return lowest >= lowest_potential;
}

/* Matches every row on the path to its next column. Returns the new costs of these rows minus their old costs; `row`
 * had no old cost. */
static int32_t augment(const struct arrays *a, const int32_t *const *cost, struct path path, int row) {
    int32_t more = 0;
    for (int column = path.end;;) {
        int by = a->reached_by[column];
        a->row_of[column] = (int16_t)by;
        if (by < 0) {
            column = path.surplus;
            continue;
        }
        int before = a->column_of[by];
        a->column_of[by] = (int16_t)column;
        more += cost[by][column];
        if (by == row)
            return more;
        more -= cost[by][before];
        column = before;
    }
}

static int32_t sum_costs(const struct matching *matching, const struct arrays *a, const int32_t *const *cost) {
    int32_t total = 0;
    for (int r = 0; r < matching->rows; r++)
        total += cost[r][a->column_of[r]];
    return total;
}

/* Shifts the potentials so that the greatest is 0; false if they lie too far apart. */
static bool level_potentials(const struct arrays *a, int columns) {
    int32_t most = INT32_MIN, least = INT32_MAX;
    for (int c = 0; c < columns; c++) {
        most = a->potential[c] > most ? a->potential[c] : most;
        least = a->potential[c] < least ? a->potential[c] : least;
    }
    if ((int64_t)most - least > widest_start)
        return false;
    for (int c = 0; c < columns; c++)
        a->potential[c] -= most;
    return true;
}

/* Matches row after row, starting from the potentials that are set. */
static int32_t solve(struct matching *matching, const struct arrays *a, const int32_t *const *cost) {
    int rows = matching->rows, columns = matching->columns;
    for (int c = 0; c < columns; c++)
        a->row_of[c] = -1;
    for (int r = 0; r < rows; r++)
        a->column_of[r] = -1;
    for (int r = 0; r < rows; r++) {
        struct path path = shortest_path(a, columns, cost, r, -1);
        if (path.end < 0)
            return matching->total = MATCHING_NEVER;
        update_potentials(a, columns, path);
        augment(a, cost, path, r);
    }
    return matching->total = sum_costs(matching, a, cost);
}

int32_t matching_solve(struct matching *matching, const int32_t *const *cost) {
    const struct arrays a = arrays_of(matching);
    memset(a.potential, 0, (size_t)matching->columns * sizeof *a.potential);
    return solve(matching, &a, cost);
}

int32_t matching_solve_from(struct matching *matching, const int32_t *const *cost, const int32_t *potential) {
    const struct arrays a = arrays_of(matching);
    assert(matching->rows == matching->columns);
    memcpy(a.potential, potential, (size_t)matching->columns * sizeof *potential);
    if (!level_potentials(&a, matching->columns))
        return matching_solve(matching, cost);
    return solve(matching, &a, cost);
}

int32_t matching_change_row(struct matching *matching, const int32_t *const *cost, int row, const int32_t *was) {
    if (matching->total == MATCHING_NEVER)
        return matching_solve(matching, cost);
    const struct arrays a = arrays_of(matching);
    int columns = matching->columns, freed = a.column_of[row];
    struct path path = shortest_path(&a, columns, cost, row, freed);
    if (path.end < 0)
        return matching->total = MATCHING_NEVER;
    bool in_range = update_potentials(&a, columns, path);
    matching->total += augment(&a, cost, path, row) - was[freed];
    return in_range ? matching->total : matching_solve(matching, cost);
}

/* ---- tight pairs ---- */

struct matching_row matching_row_of(const int32_t *cost, const int32_t *potential, int columns) {
    struct matching_row row = {0, 0};
    for (int c = 0; c < columns; c++) {
        if (cost[c] > MATCHING_LARGEST)
            continue;
        int32_t reduced = cost[c] - potential[c];
        if (!row.tight || reduced < row.least)
            row = (struct matching_row){0, reduced};
        if (reduced == row.least)
            row.tight |= UINT64_C(1) << c;
    }
    return row;
}

/* Matches every row on the path to its next column. */
static void shift_tight(struct matching_tight *t, const uint8_t *reached_by, int row, int end) {
    for (int column = end;;) {
        int by = reached_by[column], next = column;
        t->row_of[column] = (uint8_t)by;
        if (by != row)
            column = t->column_of[by];
        t->column_of[by] = (uint8_t)next;
        if (by == row)
            return;
    }
}

/* Breadth-first search over tight columns until a free one is found, which extends the matching. */
static bool extend_tight(struct matching_tight *t, int row) {
    uint8_t reached_by[MATCHING_TIGHT_MOST];
    uint64_t reached = 0, scanned = 0;
    for (int from = row;;) {
        uint64_t found = t->tight[from] & ~reached, ends = found & t->free;
        if (ends) {
            int end = bits_lowest(ends);
            reached_by[end] = (uint8_t)from;
            t->free &= ~(UINT64_C(1) << end);
            shift_tight(t, reached_by, row, end);
            return true;
        }
        reached |= found;
        for (; found; found &= found - 1)
            reached_by[bits_lowest(found)] = (uint8_t)from;
        if (reached == scanned)
            return false;
        int column = bits_lowest(reached & ~scanned);
        scanned |= UINT64_C(1) << column;
        from = t->row_of[column];
    }
}

bool matching_tight_solve(struct matching_tight *t, int rows) {
    t->free = rows == MATCHING_TIGHT_MOST ? ~UINT64_C(0) : (UINT64_C(1) << rows) - 1;
    for (int r = 0; r < rows; r++)
        if (!extend_tight(t, r))
            return false;
    return true;
}

bool matching_tight_keeps(const struct matching_tight *t, int row, uint64_t tight) {
    uint64_t target = UINT64_C(1) << t->column_of[row], scanned = 0;
    while (!(tight & target)) {
        if (tight == scanned)
            return false;
        int column = bits_lowest(tight & ~scanned);
        scanned |= UINT64_C(1) << column;
        tight |= t->tight[t->row_of[column]];
    }
    return true;
}
