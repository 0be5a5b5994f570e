/* The matching against brute force over permutations, against a plain Hungarian method, and its repair after row
 * changes and its tight pairs against solving from nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/matching.h"
#include "soloist.h"

#include <stdlib.h>
#include <string.h>

enum { most = 40 };

static struct matching *new_matching(int rows, int columns) {
    size_t size = matching_size(rows, columns);
    struct matching *matching = malloc(size);
    assert_non_null(matching);
    memset(matching, 0xa5, size); /* nothing may depend on what was there */
    matching_open(matching, rows, columns);
    return matching;
}

/* The rows of a matrix, as the matching wants them. Good until the next call. */
static const int32_t *const *rows_of(const struct matching *matching, const int32_t *cost, int stride) {
    static const int32_t *row[MATCHING_MOST];
    for (int r = 0; r < matching->rows; r++)
        row[r] = cost + (ptrdiff_t)r * stride;
    return row;
}

/* ---- references ---- */

static int64_t brute_force(const int32_t *cost, int rows, int columns, int row, unsigned used) {
    int64_t best = MATCHING_NEVER;
    if (row == rows)
        return 0;
    for (int c = 0; c < columns; c++) {
        if (used >> c & 1 || cost[row * columns + c] == MATCHING_NEVER)
            continue;
        int64_t rest = brute_force(cost, rows, columns, row + 1, used | 1u << c);
        if (rest != MATCHING_NEVER && rest + cost[row * columns + c] < best)
            best = rest + cost[row * columns + c];
    }
    return best;
}

/* Bellman-Ford augmentation on the matched graph: slow, short, and without potentials. */
static int64_t plain(const int32_t *cost, int rows, int columns) {
    const int64_t far = INT64_MAX / 4;
    int row_of[most], by[most];
    int64_t distance[most], total = 0;
    for (int c = 0; c < columns; c++)
        row_of[c] = -1;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            distance[c] = cost[r * columns + c] == MATCHING_NEVER ? far : cost[r * columns + c];
            by[c] = -1;
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (int c = 0; c < columns; c++)
                for (int d = 0; row_of[c] >= 0 && distance[c] < far && d < columns; d++) {
                    const int32_t *row = cost + row_of[c] * columns;
                    if (row[d] == MATCHING_NEVER || distance[c] - row[c] + row[d] >= distance[d])
                        continue;
                    distance[d] = distance[c] - row[c] + row[d];
                    by[d] = c;
                    changed = true;
                }
        }
        int end = -1;
        for (int c = 0; c < columns; c++)
            if (row_of[c] < 0 && distance[c] < far && (end < 0 || distance[c] < distance[end]))
                end = c;
        if (end < 0)
            return MATCHING_NEVER;
        total += distance[end];
        for (; by[end] >= 0; end = by[end])
            row_of[end] = row_of[by[end]];
        row_of[end] = r;
    }
    return total;
}

/* ---- helpers ---- */

static int32_t random_cost(soloist_rng *rng, uint32_t range, uint32_t never_of_100) {
    return soloist_rng_below(rng, 100) < never_of_100 ? MATCHING_NEVER : (int32_t)soloist_rng_below(rng, range);
}

static void fill(int32_t *cost, int count, soloist_rng *rng, uint32_t range, uint32_t never) {
    for (int i = 0; i < count; i++)
        cost[i] = random_cost(rng, range, never);
}

/* The columns are distinct and their costs add up to the total. */
static void check_columns(const struct matching *matching, const int32_t *cost, int stride) {
    bool used[MATCHING_MOST] = {false};
    int64_t sum = 0;
    if (matching->total == MATCHING_NEVER)
        return;
    for (int r = 0; r < matching->rows; r++) {
        int c = matching_column(matching, r);
        assert_in_range(c, 0, matching->columns - 1);
        assert_false(used[c]);
        used[c] = true;
        sum += cost[r * stride + c];
    }
    assert_int_equal(sum, matching->total);
}

static void check_solve(const int32_t *cost, int rows, int columns, int64_t expected) {
    struct matching *matching = new_matching(rows, columns);
    assert_int_equal(matching_solve(matching, rows_of(matching, cost, columns)), expected);
    assert_int_equal(matching->total, expected);
    check_columns(matching, cost, columns);
    free(matching);
}

/* ---- tests ---- */

static void known_cases(void **state) {
    (void)state;
    const int32_t never = MATCHING_NEVER;
    check_solve((const int32_t[]){7}, 1, 1, 7);
    check_solve((const int32_t[]){never}, 1, 1, never);
    check_solve((const int32_t[]){4, 1, 3, 2, 0, 5, 3, 2, 2}, 3, 3, 5);
    check_solve((const int32_t[]){1, never, 1, never}, 2, 2, never);
    check_solve((const int32_t[]){1, 9, 1, never}, 2, 2, 10);
    check_solve((const int32_t[]){5, 3, 8}, 1, 3, 3);
    check_solve((const int32_t[]){MATCHING_LARGEST, MATCHING_LARGEST + 1}, 1, 2, MATCHING_LARGEST);
    assert_int_equal(matching_kept(MATCHING_MOST, MATCHING_MOST), MATCHING_MOST_KEPT);
    assert_int_equal(matching_size(MATCHING_MOST, MATCHING_MOST), MATCHING_MOST_SIZE);
    struct matching *none = new_matching(0, 0);
    assert_int_equal(matching_solve(none, rows_of(none, NULL, 0)), 0);
    free(none);
}

static void against_brute_force(void **state) {
    (void)state;
    soloist_rng rng;
    soloist_rng_seed(&rng, 1, 0);
    int32_t cost[49];
    int nevers = 0;
    for (int i = 0; i < 3000; i++) {
        int columns = 1 + (int)soloist_rng_below(&rng, 7), rows = (int)soloist_rng_below(&rng, (uint32_t)columns + 1);
        fill(cost, rows * columns, &rng, i % 2 ? 6 : 1000, (uint32_t)(i % 5) * 15);
        int64_t expected = brute_force(cost, rows, columns, 0, 0);
        nevers += expected == MATCHING_NEVER;
        check_solve(cost, rows, columns, expected);
    }
    assert_in_range(nevers, 100, 2900);
}

static void against_plain_method(void **state) {
    (void)state;
    soloist_rng rng;
    soloist_rng_seed(&rng, 2, 0);
    int32_t cost[most * most];
    for (int i = 0; i < 120; i++) {
        int columns = i % 3 ? 30 : 30 + (int)soloist_rng_below(&rng, 11);
        int rows = i % 3 ? 30 : columns - (int)soloist_rng_below(&rng, 20);
        fill(cost, rows * columns, &rng, i % 2 ? 25 : MATCHING_LARGEST + 1, (uint32_t)(i % 4) * 25);
        check_solve(cost, rows, columns, plain(cost, rows, columns));
    }
}

/* Thousands of row changes; each total is compared with one solved from nothing. */
static void change_rows(int rows, int columns, uint32_t range, uint32_t never, int changes, uint64_t stream) {
    soloist_rng rng;
    soloist_rng_seed(&rng, 3, stream);
    int32_t cost[most * most], was[most];
    struct matching *kept = new_matching(rows, columns), *fresh = new_matching(rows, columns);
    fill(cost, rows * columns, &rng, range, never);
    matching_solve(kept, rows_of(kept, cost, columns));
    for (int i = 0; i < changes; i++) {
        int row = (int)soloist_rng_below(&rng, (uint32_t)rows);
        memcpy(was, cost + row * columns, (size_t)columns * sizeof *was);
        if (soloist_rng_below(&rng, 4))
            fill(cost + row * columns, columns, &rng, range, never);
        else /* a small change, as a box's step makes it */
            for (int c = 0; c < columns; c++)
                if (cost[row * columns + c] != MATCHING_NEVER)
                    cost[row * columns + c] += cost[row * columns + c] ? (int32_t)soloist_rng_below(&rng, 3) - 1 : 1;
        matching_change_row(kept, rows_of(kept, cost, columns), row, was);
        matching_solve(fresh, rows_of(fresh, cost, columns));
        assert_int_equal(kept->total, fresh->total);
        check_columns(kept, cost, columns);
    }
    free(kept);
    free(fresh);
}

static void incremental_square(void **state) {
    (void)state;
    change_rows(1, 1, 10, 20, 200, 1);
    change_rows(6, 6, 8, 0, 4000, 2);
    change_rows(6, 6, 50, 40, 4000, 3);
    change_rows(12, 12, 1000, 30, 4000, 4);
    change_rows(12, 12, 12, 75, 4000, 5); /* often no perfect matching */
    change_rows(30, 30, 200, 10, 1000, 6);
}

static void incremental_rectangular(void **state) {
    (void)state;
    change_rows(1, 5, 10, 20, 500, 7);
    change_rows(5, 6, 10, 30, 4000, 8);
    change_rows(4, 9, 30, 50, 4000, 9);
    change_rows(10, 12, 100, 60, 4000, 10);
    change_rows(20, 40, 300, 20, 1000, 11);
}

/* Costs as large as allowed, in blocks that drift apart: potentials must be brought back before they overflow. */
static void potentials_stay_in_range(void **state) {
    (void)state;
    enum { n = 6 };
    soloist_rng rng;
    soloist_rng_seed(&rng, 4, 0);
    int32_t cost[n * n], was[n];
    struct matching *kept = new_matching(n, n);
    for (int i = 0; i < n * n; i++)
        cost[i] = i / n / 2 == i % n / 2 ? 0 : MATCHING_NEVER;
    matching_solve(kept, rows_of(kept, cost, n));
    for (int i = 0; i < 20000; i++) {
        int row = i % 2, free_row = 1 - row;
        memcpy(was, cost + row * n, sizeof was);
        /* Each change makes the row pay the most to push the other away. */
        cost[row * n + 0] = i % 4 < 2 ? 0 : MATCHING_LARGEST;
        cost[row * n + 1] = i % 4 < 2 ? MATCHING_LARGEST : 0;
        int32_t a = cost[row * n] + cost[free_row * n + 1], b = cost[row * n + 1] + cost[free_row * n];
        assert_int_equal(matching_change_row(kept, rows_of(kept, cost, n), row, was), a < b ? a : b);
    }
    free(kept);
}

/* Every row starts with the same dear costs: sums reach 512 times the largest. */
static void largest_size(void **state) {
    (void)state;
    enum { n = MATCHING_MOST };
    int32_t *cost = malloc(sizeof *cost * n * n), was[n];
    struct matching *matching = new_matching(n, n);
    assert_non_null(cost);
    for (int i = 0; i < n * n; i++)
        cost[i] = MATCHING_LARGEST;
    assert_int_equal(matching_solve(matching, rows_of(matching, cost, n)), n * MATCHING_LARGEST);
    /* A band matrix where one change shifts every row: c = r or r + 1. */
    for (int i = 0; i < n * n; i++)
        cost[i] = i % n == i / n ? 0 : i % n == i / n + 1 ? MATCHING_LARGEST : MATCHING_NEVER;
    assert_int_equal(matching_solve(matching, rows_of(matching, cost, n)), 0);
    memcpy(was, cost + (n - 1) * n, sizeof was);
    cost[(n - 1) * n + n - 1] = MATCHING_NEVER;
    cost[(n - 1) * n] = MATCHING_LARGEST;
    assert_int_equal(matching_change_row(matching, rows_of(matching, cost, n), n - 1, was), n * MATCHING_LARGEST);
    check_columns(matching, cost, n);
    memcpy(was, cost + (n - 1) * n, sizeof was);
    cost[(n - 1) * n] = MATCHING_NEVER;
    assert_int_equal(matching_change_row(matching, rows_of(matching, cost, n), n - 1, was), MATCHING_NEVER);
    cost[(n - 1) * n + n - 1] = 3;
    assert_int_equal(matching_change_row(matching, rows_of(matching, cost, n), n - 1, was), 3);
    free(matching);
    free(cost);
}

/* The first matching_kept bytes are all that an undo must restore, and the stride may exceed the columns. */
static void copy_and_stride(void **state) {
    (void)state;
    enum { n = 8, stride = 11 };
    soloist_rng rng;
    soloist_rng_seed(&rng, 5, 0);
    int32_t cost[n * stride], row[stride];
    struct matching *matching = new_matching(n, n);
    unsigned char undo[1024];
    size_t kept = matching_kept(n, n);
    assert_true(kept <= sizeof undo && kept < matching_size(n, n));
    fill(cost, n * stride, &rng, 100, 0);
    int32_t before = matching_solve(matching, rows_of(matching, cost, stride));
    memcpy(undo, matching, kept);
    memcpy(row, cost + 3 * stride, sizeof row);
    fill(cost + 3 * stride, stride, &rng, 100, 0);
    matching_change_row(matching, rows_of(matching, cost, stride), 3, row);
    check_columns(matching, cost, stride);
    memset(matching, 0xa5, matching_size(n, n));
    memcpy(matching, undo, kept);
    memcpy(cost + 3 * stride, row, sizeof row);
    assert_int_equal(matching->total, before);
    check_columns(matching, cost, stride);
    memcpy(row, cost + 5 * stride, sizeof row);
    cost[5 * stride + 2] = 0;
    struct matching *fresh = new_matching(n, n);
    assert_int_equal(matching_change_row(matching, rows_of(matching, cost, stride), 5, row),
                     matching_solve(fresh, rows_of(fresh, cost, stride)));
    free(fresh);
    free(matching);
}

/* Any potentials to set out from lead to the same total, however far apart. */
static void solve_from_potentials(void **state) {
    (void)state;
    soloist_rng rng;
    soloist_rng_seed(&rng, 6, 0);
    int32_t cost[49], potential[7];
    int32_t was[7];
    int nevers = 0;
    for (int i = 0; i < 20000; i++) {
        int n = 1 + (int)soloist_rng_below(&rng, 7);
        uint32_t range = i % 7 == 0 ? UINT32_MAX : i % 7 == 1 ? 1u << 26 : 20;
        fill(cost, n * n, &rng, i % 2 ? 6 : 1000, (uint32_t)(i % 5) * 15);
        for (int c = 0; c < n; c++)
            potential[c] = (int32_t)((int64_t)soloist_rng_below(&rng, range) - range / 2);
        struct matching *matching = new_matching(n, n);
        int64_t expected = brute_force(cost, n, n, 0, 0);
        nevers += expected == MATCHING_NEVER;
        assert_int_equal(matching_solve_from(matching, rows_of(matching, cost, n), potential), expected);
        check_columns(matching, cost, n);
        int row = (int)soloist_rng_below(&rng, (uint32_t)n);
        memcpy(was, cost + row * n, (size_t)n * sizeof *was);
        fill(cost + row * n, n, &rng, 1000, 20);
        assert_int_equal(matching_change_row(matching, rows_of(matching, cost, n), row, was),
                         brute_force(cost, n, n, 0, 0));
        free(matching);
    }
    assert_in_range(nevers, 1000, 19000);
}

/* The potentials prove the total: no pair's reduced cost is less than that of its row's pair. */
static void potentials_are_dual(void **state) {
    (void)state;
    soloist_rng rng;
    soloist_rng_seed(&rng, 7, 0);
    int32_t cost[20 * 20];
    for (int i = 0; i < 500; i++) {
        int n = 1 + (int)soloist_rng_below(&rng, 20);
        struct matching *matching = new_matching(n, n);
        fill(cost, n * n, &rng, 50, 20);
        bool known = matching_solve(matching, rows_of(matching, cost, n)) != MATCHING_NEVER;
        const int32_t *potential = matching_potential(matching);
        for (int r = 0; r < n && known; r++) {
            struct matching_row row = matching_row_of(cost + r * n, potential, n);
            int column = matching_column(matching, r);
            assert_true(row.tight >> column & 1);
            assert_int_equal(row.least, cost[r * n + column] - potential[column]);
        }
        free(matching);
    }
}

/* A row's least reduced cost and who attains it, one by one. */
static void check_row(const int32_t *cost, const int32_t *potential, int columns, struct matching_row row) {
    int tight = 0;
    for (int c = 0; c < columns; c++) {
        bool never = cost[c] == MATCHING_NEVER, is_tight = row.tight >> c & 1;
        assert_false(never && is_tight);
        if (!never)
            assert_true(is_tight ? cost[c] - potential[c] == row.least : cost[c] - potential[c] > row.least);
        tight += is_tight;
    }
    if (!tight)
        assert_int_equal(row.least, 0);
    assert_true(columns == 64 || !(row.tight >> columns));
}

/* A square problem under fixed potentials: what its tight pairs say must hold of the solved one. */
struct fixed {
    int n;
    int32_t *cost, *potential;
    int32_t dual; /* of a perfect matching within tight pairs */
    struct matching_tight tight;
    struct matching *matching;
};

static void check_tight_columns(const struct fixed *f) {
    uint64_t used = 0;
    for (int r = 0; r < f->n; r++) {
        int c = f->tight.column_of[r];
        assert_in_range(c, 0, f->n - 1);
        assert_int_equal(f->tight.row_of[c], r);
        assert_true(f->tight.tight[r] >> c & 1);
        used |= UINT64_C(1) << c;
    }
    assert_int_equal(used, f->n == 64 ? UINT64_MAX : (UINT64_C(1) << f->n) - 1);
}

/* Tight pairs match all rows exactly if the least total is the dual's; a smaller dual is a bound. */
static bool check_tight(struct fixed *f) {
    f->dual = 0;
    for (int r = 0; r < f->n; r++) {
        struct matching_row row = matching_row_of(f->cost + r * f->n, f->potential, f->n);
        check_row(f->cost + r * f->n, f->potential, f->n, row);
        f->tight.tight[r] = row.tight;
        f->dual += row.least + f->potential[r];
    }
    bool perfect = matching_tight_solve(&f->tight, f->n);
    int32_t total = matching_solve(f->matching, rows_of(f->matching, f->cost, f->n));
    assert_int_equal(perfect, total == f->dual && total != MATCHING_NEVER);
    if (perfect)
        check_tight_columns(f);
    return perfect;
}

/* Every row in turn gets other costs. Returns how often the tight pairs still sufficed. */
static int check_keeps(struct fixed *f, soloist_rng *rng, uint32_t range, uint32_t never) {
    int32_t old[64];
    int kept = 0, n = f->n;
    for (int r = 0; r < n; r++) {
        int32_t *cost = f->cost + r * n;
        memcpy(old, cost, sizeof *cost * (size_t)n);
        for (int c = 0; c < n; c++)
            cost[c] = soloist_rng_below(rng, 3) ? cost[c] : random_cost(rng, range, never);
        struct matching_row was = matching_row_of(old, f->potential, n), now = matching_row_of(cost, f->potential, n);
        bool keeps = matching_tight_keeps(&f->tight, r, now.tight);
        int32_t total = matching_solve(f->matching, rows_of(f->matching, cost - r * n, n));
        assert_int_equal(keeps, total != MATCHING_NEVER && total == f->dual - was.least + now.least);
        kept += keeps;
        memcpy(cost, old, sizeof *cost * (size_t)n);
    }
    return kept;
}

/* Costs as boxes have them: mostly the way to a room and the way within it. `noise` percent are anything. */
static void fill_like_rooms(int32_t *cost, int n, soloist_rng *rng, uint32_t range, uint32_t noise, uint32_t never) {
    int32_t within[64];
    fill(within, n, rng, range, 0);
    for (int r = 0; r < n; r++) {
        int32_t way = random_cost(rng, range, 0);
        for (int c = 0; c < n; c++) {
            bool is_noise = soloist_rng_below(rng, 100) < noise;
            cost[r * n + c] = is_noise ? random_cost(rng, range, never) : way + within[c];
        }
    }
}

static void tight_pairs(int n, uint32_t range, uint32_t noise, uint32_t never, int rounds, int *perfect, int *kept) {
    soloist_rng rng;
    soloist_rng_seed(&rng, 8, (uint64_t)n);
    int32_t *cost = malloc(sizeof *cost * (size_t)(n * n)), potential[64];
    struct fixed f = {.n = n, .cost = cost, .potential = potential, .matching = new_matching(n, n)};
    assert_non_null(cost);
    for (int i = 0; i < rounds; i++) {
        fill_like_rooms(cost, n, &rng, range, noise, never);
        matching_solve(f.matching, rows_of(f.matching, cost, n));
        bool known = f.matching->total != MATCHING_NEVER;
        for (int c = 0; c < n; c++) /* its own duals, now and then spoilt */
            potential[c] = (known ? matching_potential(f.matching)[c] : 0) + (i % 3 == 0 && c % 4 == 0);
        bool all = check_tight(&f);
        *perfect += all;
        *kept += all ? check_keeps(&f, &rng, range, never) : 0;
    }
    free(f.matching);
    free(cost);
}

static void tight_pairs_against_solving(void **state) {
    (void)state;
    int perfect = 0, kept = 0;
    tight_pairs(1, 5, 50, 50, 500, &perfect, &kept);
    tight_pairs(2, 3, 50, 30, 4000, &perfect, &kept);
    tight_pairs(4, 4, 60, 30, 8000, &perfect, &kept);
    tight_pairs(7, 30, 30, 60, 6000, &perfect, &kept);
    tight_pairs(12, 6, 100, 70, 3000, &perfect, &kept);
    tight_pairs(16, 40, 20, 20, 1500, &perfect, &kept);
    tight_pairs(33, 40, 20, 20, 200, &perfect, &kept);
    tight_pairs(64, 40, 10, 20, 60, &perfect, &kept);
    assert_in_range(perfect, 5000, 20000);
    assert_in_range(kept, 5000, 100000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_cases),
        cmocka_unit_test(against_brute_force),
        cmocka_unit_test(against_plain_method),
        cmocka_unit_test(incremental_square),
        cmocka_unit_test(incremental_rectangular),
        cmocka_unit_test(potentials_stay_in_range),
        cmocka_unit_test(largest_size),
        cmocka_unit_test(copy_and_stride),
        cmocka_unit_test(solve_from_potentials),
        cmocka_unit_test(potentials_are_dual),
        cmocka_unit_test(tight_pairs_against_solving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
