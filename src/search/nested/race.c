/* A race of rules by successive halving. A rule says which moves play-outs leave out. The best rule depends on the
 * instance, and one long run finds better lines than many short runs. Therefore every rule gets a short run, the better
 * half of the rules get a longer one, and so on, until one rule is left, which gets the longest run. The lengths are
 * chosen so that the race ends when the limits are reached; if the limits allow more, another race follows. */
#include "search/nested/nested.h"

#include "base/real.h"

struct runner {
    int rule;
    int64_t score; /* score of the rule's last run */
};

/* Sorts the rules, best first; a stable sort. */
static void rank(struct runner *runners, int count) {
    for (int i = 1; i < count; i++)
        for (int at = i; at && runners[at].score > runners[at - 1].score; at--) {
            struct runner kept = runners[at];
            runners[at] = runners[at - 1];
            runners[at - 1] = kept;
        }
}

static int after_round(int count) { return count > 1 ? (count + 1) / 2 : 0; }

double nested_playouts_left(const struct nested_worker *worker) {
    const struct search_run *run = worker->nested->run;
    const struct nested_team *team = worker->nested->team;
    double begun = (double)atomic_load_explicit(&team->begun, memory_order_relaxed);
    if (team->limit)
        return ((double)team->limit - begun) / run->threads + 1;
    if (!(run->budget->limits.time_s > 0))
        return 0;
    double now = budget_elapsed(run->budget), left = run->budget->limits.time_s - now;
    return left * (double)worker->done / (now - worker->start_s) + 1;
}

/* The number of play-outs per run in a round of `count` rules. most: limit on the play-outs of the final run. */
static double plan(const struct nested_worker *worker, int count, double most) {
    double growth = worker->nested->options->growth, sum = 0, power = 1, left = nested_playouts_left(worker);
    for (int c = count; c; c = after_round(c), power *= growth)
        sum += c * power;
    double size = most * growth / power;
    return left > 0 && left / sum < size ? left / sum : size;
}

int64_t nested_calls_for(const struct nested_options *options, int level, double playouts) {
    double share = real_log(playouts / (double)options->playouts) / level;
    int64_t calls = (int64_t)(real_exp(share > 0 ? share : 0) + 0.5);
    return calls < 1 ? 1 : calls;
}

/* Lists the rule that the options ask for, or all rules; rule 0, which leaves out nothing, comes last. Returns their
 * number. */
static int line_up(const struct nested *nested, struct runner *runners) {
    int rules = nested->rules < NESTED_MOST_RULES ? nested->rules : NESTED_MOST_RULES;
    if (nested->options->rule >= 0) {
        runners[0] = (struct runner){(int)nested->options->rule, NESTED_NO_SCORE};
        return 1;
    }
    for (int i = 0; i < rules; i++)
        runners[i] = (struct runner){(i + 1) % rules, NESTED_NO_SCORE};
    return rules;
}

static void run_race(struct nested_worker *worker, double most, uint64_t *game) {
    struct nested *nested = worker->nested;
    const struct nested_options *options = nested->options;
    struct runner runners[NESTED_MOST_RULES];
    for (int count = line_up(nested, runners); count && !worker->stopped; count = after_round(count)) {
        int64_t calls = nested_calls_for(options, (int)options->level, plan(worker, count, most));
        for (int i = 0; i < count && !worker->stopped; i++, *game += (uint64_t)nested->run->threads) {
            nested_begin(worker, *game, runners[i].rule);
            nested_nrpa(worker, (int)options->level, calls);
            runners[i].score = worker->levels[options->level].best.score;
        }
        rank(runners, count);
    }
}

void nested_measure(struct nested_worker *worker) {
    nested_begin(worker, (uint64_t)worker->number, 0);
    nested_nrpa(worker, (int)worker->nested->options->level, 3);
}

void nested_race(struct nested_worker *worker) {
    const struct nested_options *options = worker->nested->options;
    double most = (double)options->playouts;
    uint64_t game = (uint64_t)worker->number;
    for (int64_t i = 0; i < options->level; i++)
        most *= (double)options->n;
    for (int64_t race = 0; !worker->stopped && (!options->games || race < options->games); race++, most *= 2)
        run_race(worker, most, &game);
}
