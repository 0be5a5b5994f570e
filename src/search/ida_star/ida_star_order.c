/* The order in which IDA* enters children. The order matters only in the last iteration, which is the largest. With
 * order=bound, the child of least bound comes first. With order=inertia, moves of the piece that was moved last come
 * first, and ties go to the least bound. */
#include "search/special/registry.h"

struct order {
    const soloist_instance *instance;
    const struct special_ida_star *special; /* NULL: children are sorted by the bound alone */
    int64_t place;                          /* the place to which the last move took its piece; -1: there was no move */
};

static int64_t rank_of(const struct order *order, const soloist_child *child) {
    bool other = order->special && order->special->moved_from(order->instance, child->move) != order->place;
    return (int64_t)child->bound + (other ? (int64_t)1 << 32 : 0);
}

/* Insertion sort, because children are few. */
void ida_star_sort(const struct search_run *run, const struct ida_star_settings *settings, soloist_move last,
                   soloist_child *children, int count) {
    if (settings->order == IDA_STAR_ORDER_NONE)
        return;
    struct order order = {.instance = run->instance, .place = -1};
    if (settings->order == IDA_STAR_ORDER_INERTIA)
        order.special = settings->special;
    if (order.special && last != SOLOIST_NO_MOVE)
        order.place = order.special->moved_to(run->instance, last);
    for (int i = 1; i < count; i++) {
        soloist_child child = children[i];
        int64_t rank = rank_of(&order, &child);
        int at = i;
        for (; at > 0 && rank_of(&order, &children[at - 1]) > rank; at--)
            children[at] = children[at - 1];
        children[at] = child;
    }
}
