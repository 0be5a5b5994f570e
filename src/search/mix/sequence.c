/* Runs a sequence of methods, each with a share of the remaining limits. */
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
soloist_code sequence_run(struct search_run *run, const soloist_member *members, size_t count) {
    soloist_code code = SOLOIST_OK, worst = SOLOIST_UNSUPPORTED;
    run->method[0] = 0;
    for (size_t i = 0; i < count; i++) {
        const char *method = members[i].method, *changes = members[i].changes;
        int percent = i + 1 == count ? 100 : members[i].percent;
        add_name(run, method);
        run->budget->member = method;
        code = changes ? search_part_as(run, changes, method, percent) : search_part(run, method, percent);
        if (code != SOLOIST_UNSUPPORTED)
            worst = code;
        if ((code != SOLOIST_OK && code != SOLOIST_UNSUPPORTED) || sequence_answered(run) || search_spent(run))
            break;
    }
    run->budget->member = NULL;
    return worst;
}
