#include "cli/solve/games.h"

#include "cli/input/solutions.h"
#include "cli/shell/need.h"
#include "cli/solve/line_pool.h"

#include <stdlib.h>
#include <string.h>

/* Complains and returns false if the referee rejects the solution. */
static bool take_game(const struct batch *batch, size_t index, const char *solution, const char *path) {
    const struct task *task = &batch->input->tasks[index];
    soloist_puzzle puzzle;
    soloist_verdict verdict;
    soloist_error error;
    if (need_code(input_puzzle(batch->input, task, &puzzle, &error)) != SOLOIST_OK)
        return true; /* the search reports it */
    bool good = soloist_check(&puzzle, solution, strlen(solution), &verdict, &error);
    if (good)
        batch->pools[index] = line_pool_of(&puzzle, solution);
    else
        cli_complain("--games %s: the game of instance %d: %s", path, task->id, error.text);
    soloist_puzzle_free(&puzzle);
    return good;
}

bool games_open(const char *path, struct batch *batch) {
    const struct input *input = batch->input;
    struct solutions solutions;
    if (input->source_count != 1)
        return cli_complain("--games %s: it needs exactly one FILE of instances", path), false;
    if (!solutions_load(batch->cli, path, input, &solutions))
        return false;
    batch->pools = need_zeroed(input->task_count, sizeof *batch->pools);
    bool good = true;
    for (size_t i = 0; good && i < input->task_count; i++) {
        const struct claim *claim = solutions_find(&solutions, input->tasks[i].id);
        good = !claim || !claim->solution || take_game(batch, i, claim->solution, path);
    }
    solutions_free(&solutions);
    return good;
}

void games_close(struct batch *batch) {
    for (size_t i = 0; batch->pools && i < batch->input->task_count; i++)
        free(batch->pools[i]);
    free(batch->pools);
    batch->pools = NULL;
}
