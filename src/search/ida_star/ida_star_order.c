/* The order in which IDA* takes children. It matters only in the last iteration, which is the largest. By bound: the
 * most promising child comes first. By inertia (Junghanns and Schaeffer 2001; D7): pushes of the box that was pushed
 * last come first. */
#include "search/ida_star/ida_star.h"

#include "domain/domain.h"
#include "domain/sokoban/sokoban.h"

bool ida_star_has_inertia(const soloist_domain *domain) { return domain->core == sokoban_domain.core; }

/* The square of the box that the last push moved, as it appears in the code of a push; -1: there was no push. */
static int64_t moved_last(const struct search_run *run, soloist_move last) {
    if (last == SOLOIST_NO_MOVE)
        return -1;
    return sokoban_push_end(sokoban_of(run->instance), last);
}

static int64_t rank_of(const soloist_child *child, int64_t box) {
    return (int64_t)child->bound + (sokoban_push_box(child->move) == box ? 0 : (int64_t)1 << 32);
}

/* Insertion sort, because children are few. */
void ida_star_sort(const struct search_run *run, int order, soloist_move last, soloist_child *children, int count) {
    if (order == IDA_STAR_ORDER_NONE)
        return;
    int64_t box = order == IDA_STAR_ORDER_INERTIA ? moved_last(run, last) : -1;
    for (int i = 1; i < count; i++) {
        soloist_child child = children[i];
        int64_t rank = rank_of(&child, box);
        int at = i;
        for (; at > 0 && rank_of(&children[at - 1], box) > rank; at--)
            children[at] = children[at - 1];
        children[at] = child;
    }
}
