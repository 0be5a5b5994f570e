/* What the files of IDA* share: its options and its search with a transposition table. */
#ifndef SEARCH_IDA_STAR_IDA_STAR_H
#define SEARCH_IDA_STAR_IDA_STAR_H

#include "search/ida_star/ida_star_path.h"
#include "search/ida_star/transposition.h"

enum ida_star_table {
    IDA_STAR_TABLE_AUTO,
    IDA_STAR_TABLE_NONE,
    IDA_STAR_TABLE_FIRST /* from here on: the values of enum transposition_scheme in their order */
};

enum ida_star_order { IDA_STAR_ORDER_AUTO, IDA_STAR_ORDER_NONE, IDA_STAR_ORDER_BOUND, IDA_STAR_ORDER_INERTIA };

/* The settings of one run, with every "auto" replaced by a choice. */
struct ida_star_settings {
    bool has_table;
    enum transposition_scheme scheme;
    size_t table_bytes;
    int order;   /* enum ida_star_order, never AUTO */
    int weight;  /* weight of the bound in percent */
    int history; /* how many pushes relevance cuts look back; 0: no cuts */
    int switches, influence;
};

#define IDA_STAR_MOST_HISTORY 100

/* ida_star_table.c: IDA* that stores the states on the path, with or without a transposition table. */
soloist_code ida_star_walk(struct search_run *run, const struct ida_star_settings *settings);

/* ida_star_order.c: a stable sort of children. last: the move that led to their parent. */
void ida_star_sort(const struct search_run *run, int order, soloist_move last, soloist_child *children, int count);
/* Whether inertia and relevance cuts work in the domain. */
bool ida_star_has_inertia(const soloist_domain *domain);

/* ida_star_relevance.c: relevance cuts, for Sokoban's pushes only. The open function returns NULL if memory is full. */
struct relevance *ida_star_relevance_open(struct search_run *run, const struct ida_star_settings *settings);
void ida_star_relevance_close(struct relevance *relevance);
/* Removes the children that are not relevant to the last pushes, and returns how many are left. last: the move that led
 * to their parent, which is not yet on the path. */
int ida_star_relevant(const struct relevance *relevance, const struct ida_star_path *path, soloist_move last,
                      soloist_child *children, int count);

#endif
