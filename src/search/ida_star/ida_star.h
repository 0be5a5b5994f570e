/* What the files of IDA* share: its options and its walk with a transposition table. */
#ifndef SEARCH_IDA_STAR_H
#define SEARCH_IDA_STAR_H

#include "search/ida_star/ida_star_path.h"
#include "search/ida_star/transposition.h"

enum ida_star_table {
    IDA_STAR_TABLE_AUTO,
    IDA_STAR_TABLE_NONE,
    IDA_STAR_TABLE_FIRST /* this and those that follow: enum transposition_scheme in its order */
};

enum ida_star_order { IDA_STAR_ORDER_AUTO, IDA_STAR_ORDER_NONE, IDA_STAR_ORDER_BOUND, IDA_STAR_ORDER_INERTIA };

/* Settled settings of one run. */
struct ida_star_settings {
    bool has_table;
    enum transposition_scheme scheme;
    size_t table_bytes;
    int order;   /* enum ida_star_order, never AUTO */
    int weight;  /* of the bound, in percent */
    int history; /* pushes that relevance cuts look back at; 0: none are made */
    int switches, influence;
};

#define IDA_STAR_MOST_HISTORY 100

/* ida_star_table.c: IDA* over a path of states, with or without a table. */
soloist_code ida_star_walk(struct search_run *run, const struct ida_star_settings *settings);

/* ida_star_order.c: sorts children, stably. `last` led to their parent. */
void ida_star_sort(const struct search_run *run, int order, soloist_move last, soloist_child *children, int count);
/* Whether the domain has what inertia and relevance cuts look at. */
bool ida_star_has_inertia(const soloist_domain *domain);

/* ida_star_relevance.c: relevance cuts, for sokoban's pushes only. Open returns NULL without memory. */
struct relevance *ida_star_relevance_open(struct search_run *run, const struct ida_star_settings *settings);
void ida_star_relevance_close(struct relevance *relevance);
/* Drops the children, of the frame that is next on the path, that are not relevant to the last pushes; `last` led to
 * it. Returns how many are left. */
int ida_star_relevant(const struct relevance *relevance, const struct ida_star_path *path, soloist_move last,
                      soloist_child *children, int count);

#endif
