#include "cli/show/solution.h"
#include "cli/input/solutions.h"
#include "cli/shell/format.h"
#include "cli/shell/need.h"
#include "cli/shell/progress.h"
#include "cli/shell/signals.h"
#include "cli/solve/batch.h"
#include "search/special/registry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *solution_own(const soloist_puzzle *puzzle, const struct task *task) {
    const struct special_levels *levels = special_levels(puzzle->domain);
    const char *text;
    size_t length;
    for (int i = 0; levels && levels->solution(&task->chunk, i, &text, &length); i++)
        if (soloist_check(puzzle, text, length, NULL, NULL))
            return need_text(text, length);
    return NULL;
}

/* The next two functions are ways to get a solution. Each returns its text, which the caller frees, or NULL after an
 * error message; *status is then the exit status. */
static char *solve_now(struct cli *cli, const struct solution_request *request, const struct task *task,
                       const soloist_puzzle *puzzle, int *status) {
    soloist_result result = {0};
    soloist_error error = {0};
    struct progress_slot slot = {progress_open(cli, 1), task};
    soloist_callbacks callbacks = {progress_update, NULL, &slot};
    soloist_limits limits = {.time_s = request->time_s,
                             .memory = batch_free_memory() / 2,
                             .threads = batch_cores(),
                             .seed = request->seed,
                             .stop = signals_token()};
    signals_open();
    lookup_ignored(cli, request->method);
    soloist_code code = soloist_solve(cli->engine, puzzle, request->method, &limits, slot.progress ? &callbacks : NULL,
                                      &result, &error);
    progress_close(slot.progress);
    need_code(code);
    char *solution = result.solution;
    result.solution = NULL;
    *status = code == SOLOIST_OK ? CLI_SOME : CLI_BAD;
    if (code != SOLOIST_OK)
        cli_complain("%s: %s", request->command, error.text);
    else if (!solution && result.status == SOLOIST_IMPOSSIBLE)
        cli_complain("%s: no film: it is proved that there is no solution", request->command);
    else if (!solution)
        cli_complain("%s: %s after %.1f s: %s", request->command, soloist_status_name(result.status), result.time_s,
                     format_stop(result.stopped));
    else if (*result.warning)
        cli_complain("%s: %s", request->command, result.warning);
    soloist_result_free(&result);
    return solution;
}

static char *look_up(const struct cli *cli, const char *file, const struct input *input, int id, int *status) {
    struct solutions solutions;
    *status = CLI_BAD;
    if (!solutions_load(cli, file, input, &solutions))
        return NULL;
    const struct claim *claim = solutions_find(&solutions, id);
    char *solution = claim && claim->solution ? need_text(claim->solution, strlen(claim->solution)) : NULL;
    if (!solution)
        *status = CLI_SOME, cli_complain("%s: no solution of instance %d", file, id);
    solutions_free(&solutions);
    return solution;
}

static char *accept(const struct solution_request *request, const soloist_puzzle *puzzle, char *solution, int *status) {
    soloist_verdict verdict;
    soloist_error error = {0};
    char place[CLI_PLACE_ROOM];
    errno = 0;
    bool good = !solution || soloist_check(puzzle, solution, strlen(solution), &verdict, &error);
    need_no_failure(good);
    if (good)
        return solution;
    cli_complain("%s: the solution is wrong: %s%s", request->command, cli_place(&error, place), error.text);
    *status = CLI_SOME;
    free(solution);
    return NULL;
}

char *solution_find(struct cli *cli, const struct solution_request *request, const struct input *input,
                    const struct task *task, const soloist_puzzle *puzzle, int *status) {
    char *solution;
    if (request->solution)
        solution = need_text(request->solution, strlen(request->solution));
    else if (request->solutions)
        solution = look_up(cli, request->solutions, input, task->id, status);
    else
        solution = solution_own(puzzle, task);
    if (!solution && !request->solution && !request->solutions)
        solution = solve_now(cli, request, task, puzzle, status);
    return accept(request, puzzle, solution, status);
}
