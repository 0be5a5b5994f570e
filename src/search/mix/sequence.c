/* Runs a sequence of methods, each with a share of what is left of the limits. */
#include "search/mix/sequence.h"

#include <stdio.h>
#include <string.h>

bool sequence_answered(const struct search_run *run) {
    return run->optimal || run->impossible || (run->found && run->domain->aim == SOLOIST_LEAST_COST);
}

static void add_name(struct search_run *run, const char *name) {
    size_t length = strlen(run->method);
    snprintf(run->method + length, sizeof run->method - length, "%s%s", length ? "+" : "", name);
}

/* A member that refuses the puzzle is skipped; if all refuse it, the reason of the last one is reported. */
soloist_code sequence_run(struct search_run *run, const struct sequence_member *members, size_t count) {
    soloist_code code = SOLOIST_OK, worst = SOLOIST_UNSUPPORTED;
    run->method[0] = 0;
    for (size_t i = 0; i < count; i++) {
        add_name(run, members[i].method);
        code = search_part(run, members[i].method, i + 1 == count ? 100 : members[i].percent);
        if (code != SOLOIST_UNSUPPORTED)
            worst = code;
        if ((code != SOLOIST_OK && code != SOLOIST_UNSUPPORTED) || sequence_answered(run) || search_spent(run))
            break;
    }
    return worst;
}
