#include "search/guided/questions.h"

#include "base/real.h"

#include <string.h>

static const double published_step_value = 0.01;
enum { most_batches = 4 };

int questions_room(const struct search_run *run, int64_t wanted) {
    int64_t most = most_batches * (int64_t)(run->evaluator->batch > 0 ? run->evaluator->batch : 1);
    return (int)(wanted < 1 ? 1 : wanted < most ? wanted : most);
}

bool questions_open(struct questions *questions, struct search_run *run, int room, bool priors) {
    size_t count = (size_t)room, most = priors ? (size_t)run->shape.most_moves : 0;
    size_t evaluations = memory_round_up(count * sizeof *questions->evaluations);
    size_t of = memory_round_up(count * sizeof *questions->of);
    size_t states = count * memory_round_up(run->shape.state_size);
    size_t moves = memory_round_up(count * most * sizeof *questions->moves);
    *questions = (struct questions){.run = run, .room = room};
    questions->size = evaluations + of + states + moves + count * most * sizeof *questions->priors;
    unsigned char *block = questions->block = memory_take(&run->budget->memory, questions->size);
    if (!block)
        return false;
    questions->evaluations = (struct evaluation *)(void *)block;
    questions->of = (uint32_t *)(void *)(block + evaluations);
    questions->states = block + evaluations + of;
    if (priors) {
        questions->moves = (soloist_move *)(void *)(questions->states + states);
        questions->priors = (float *)(void *)(questions->states + states + moves);
    }
    return true;
}

void questions_close(struct questions *questions) {
    if (questions->run)
        memory_give(&questions->run->budget->memory, questions->block, questions->size);
}

struct evaluation *questions_add(struct questions *questions, const void *state, uint32_t of) {
    const struct search_run *run = questions->run;
    size_t number = (size_t)questions->count++, most = (size_t)run->shape.most_moves;
    unsigned char *copy = questions->states + number * memory_round_up(run->shape.state_size);
    struct evaluation *evaluation = &questions->evaluations[number];
    memcpy(copy, state, run->shape.state_size);
    questions->of[number] = of;
    *evaluation = (struct evaluation){.instance = run->instance, .state = copy};
    if (questions->moves) {
        soloist_move *moves = questions->moves + number * most;
        evaluation->moves = moves;
        evaluation->move_count = run->domain->core->moves(run->instance, copy, moves);
        evaluation->priors = questions->priors + number * most;
    }
    return evaluation;
}

bool questions_ask(struct questions *questions) {
    return search_evaluate_in_parts(questions->run, questions->evaluations, questions->count);
}

double guided_cost_to_go(const struct evaluator *evaluator, double value) {
    double step = evaluator->step_value > 0 ? evaluator->step_value : published_step_value;
    return value < 1 ? (1 - value) / step : 0;
}

void guided_temper(float *priors, int count, double temperature) {
    double greatest = 0, sum = 0;
    for (int i = 0; i < count; i++)
        greatest = (double)priors[i] > greatest ? (double)priors[i] : greatest;
    if (temperature == 1 || greatest <= 0)
        return;
    for (int i = 0; i < count; i++) {
        double share = (double)priors[i] / greatest; /* so that at least one does not vanish */
        priors[i] = share > 0 ? (float)real_exp(real_log(share) / temperature) : 0;
        sum += (double)priors[i];
    }
    for (int i = 0; i < count; i++)
        priors[i] = (float)((double)priors[i] / sum);
}
