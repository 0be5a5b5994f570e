/* Declarations that the files of IDA* share: the settings of a run and the variants of the search. */
#ifndef SEARCH_IDA_STAR_IDA_STAR_H
#define SEARCH_IDA_STAR_IDA_STAR_H

#include "search/ida_star/ida_star_path.h"
#include "search/ida_star/transposition.h"

enum ida_star_table {
    IDA_STAR_TABLE_AUTO,
    IDA_STAR_TABLE_NONE,
    /* This value and the following ones stand for the schemes of enum transposition_scheme, in the same order. */
    IDA_STAR_TABLE_FIRST
};

enum ida_star_order { IDA_STAR_ORDER_AUTO, IDA_STAR_ORDER_NONE, IDA_STAR_ORDER_BOUND, IDA_STAR_ORDER_INERTIA };

struct special_ida_star;

/* The settings of one run, in which every option value "auto" has been replaced by a definite value. */
struct ida_star_settings {
    bool has_table;
    enum transposition_scheme scheme;
    size_t table_bytes;
    int order;   /* enum ida_star_order, never AUTO */
    int weight;  /* weight of the bound in percent */
    int history; /* number of recent moves that relevance cuts examine; 0: no cuts */
    int switches, influence;
    const struct special_ida_star *special; /* IDA* functions made for this game alone; NULL: there are none */
};

#define IDA_STAR_MOST_HISTORY 100

/* ida_star.c: for a search that several workers share, the number of nodes that a worker generates between two checks
 * for messages. Generating them takes about 50 microseconds. */
uint64_t ida_star_slice(const struct search_run *run);

/* ida_star_plain.c: IDA* that stores only its stack. */
soloist_code ida_star_walk_plainly(struct search_run *run);

/* ida_star_table.c: IDA* that stores the states on the path, with or without a transposition table. */
soloist_code ida_star_walk(struct search_run *run, const struct ida_star_settings *settings);

/* ida_star_order.c: sorts children by settings->order; the sort is stable. last: the move that led to their parent. */
void ida_star_sort(const struct search_run *run, const struct ida_star_settings *settings, soloist_move last,
                   soloist_child *children, int count);

#endif
