/* SQL functions that call the engine, for published tables whose values are computed without a search. */
#include "base/buffer.h"
#include "base/real.h"
#include "lab/results/store.h"
#include "search/mcts/rule.h"
#include "search/special/registry.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* space(text): the search-space estimate of a level, with all digits. NULL if the text is not a level. */
static void space(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    const char *text = (const char *)sqlite3_value_text(values[0]);
    soloist_chunk chunk = {.text = text ? text : "", .length = text ? strlen(text) : 0, .line = 1};
    struct buffer digits;
    buffer_open(&digits);
    soloist_sink sink = buffer_sink(&digits);
    errno = 0;
    if (special_space(&chunk, &sink) && !digits.failed)
        sqlite3_result_text(context, digits.text, (int)digits.length, SQLITE_TRANSIENT);
    else if (digits.failed || errno == ENOMEM)
        sqlite3_result_error_nomem(context);
    buffer_close(&digits);
}

/* uct(mean, visits, parent's visits, c): the selection formula as the tree search computes it. */
static void uct(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    double parent = sqlite3_value_double(values[2]), c = sqlite3_value_double(values[3]);
    struct mcts_shared shared = {.log_parent = real_log(parent), .explore = c * sqrt(2 * real_log(parent))};
    double visits = sqlite3_value_double(values[1]);
    struct mcts_view view = {.mean = sqlite3_value_double(values[0]), .visits = visits, .root = 1 / sqrt(visits)};
    sqlite3_result_double(context, mcts_uct(&shared, &view));
}

bool store_add_functions(const struct store *store, soloist_error *error) {
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    bool well = sqlite3_create_function(store->db, "space", 1, flags, NULL, space, NULL, NULL) == SQLITE_OK &&
                sqlite3_create_function(store->db, "uct", 4, flags, NULL, uct, NULL, NULL) == SQLITE_OK;
    return well || store_fail(store, error);
}
