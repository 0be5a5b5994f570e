/* Which options of training have no effect in a run. */
#include "learn/train/training.h"

#include <string.h>

/* What happens in a run; an option has an effect if one of these things, on which it depends, happens. */
enum {
    CONTINUOUS = 1,
    GENERATIONS = 2,
    EXPERT = 4, /* expert iteration */
    ACTORS = 8,
    SOLVES = 16,   /* games of --method */
    SEARCHES = 32, /* self-play by tree search */
    DRAWS = 64,    /* self-play by PPO */
    LOOKS = 128,   /* self-play with look-ahead */
    WALKS = 256,   /* walks backwards from the goal */
    COSTS = 512,   /* the domain's aim is the least cost */
    SCORES = 1024,
    LEVELS = 2048, /* files of instances */
    EPISODES = CONTINUOUS | GENERATIONS | EXPERT
};

static const struct {
    const char *names; /* each between spaces */
    unsigned needs;    /* one of these */
    const char *why;
} rows[] = {
    {" generations runs jump_start patience epochs from_scratch capacity_games game_positions ", GENERATIONS,
     "it is for --way generations"},
    {" puzzles iteration_batches puzzle_samples ranked_rewards ", EXPERT, "it is for --way expert-iteration"},
    {" actors rollout iteration_moves total_moves last_stage_moves ", ACTORS, "it is for --way actor-critic"},
    {" iterations ", EXPERT | ACTORS, "it is for --way expert-iteration and --way actor-critic"},
    {" play self_play solve_share reuse learning_starts ema_decay ema_steps row_s row_steps ", CONTINUOUS,
     "it is for --way continuous"},
    {" batch capacity validation moves ", EPISODES, "--way actor-critic learns from every move at once"},
    {" dagger dagger_steps dagger_positions dagger_solved seeds merge_seeds pairs solve_games trial ", CONTINUOUS,
     "it is for --way continuous"},
    {" dagger dagger_steps dagger_positions dagger_solved seeds merge_seeds pairs solve_games solve_time "
     "solve_iterations trial ",
     SOLVES, "no search of --method makes games"},
    {" trial simulations value ", SEARCHES, "there is no self-play by search"},
    {" policy ", SEARCHES | EXPERT, "there is no self-play by search"},
    {" clip_range ", DRAWS, "it is for self_play=true with play=ppo"},
    {" entropy ", DRAWS | ACTORS, "it is for --way actor-critic, and for self_play=true with play=ppo"},
    {" gae_lambda ", DRAWS | LOOKS, "it is for self_play=true with play=ppo or lookahead"},
    {" inverse_temperature ", LOOKS, "it is for self_play=true with play=lookahead"},
    {" walk_length ", WALKS, "it is for self_play=true with play=backward"},
    {" drawn_capacity drawn_reuse ", DRAWS | LOOKS | WALKS,
     "it is for self_play=true with play=ppo, lookahead or backward"},
    {" step_value reward discount step_limit seeds merge_seeds pairs dead dead_states dagger_positions dagger_solved ",
     COSTS, "it is for domains that minimise cost"},
    {" value_scale reorderings ", SCORES, "it is for domains that maximise a score"},
    {" levels_share ", LEVELS, "there are no --levels"},
};

static unsigned self_play(const struct training_wish *wish) {
    static const unsigned plays[] = {SEARCHES, DRAWS, LOOKS, WALKS};
    if (wish->way == TRAINING_CONTINUOUS)
        return wish->options.self_play ? plays[wish->options.play] : 0;
    return wish->way == TRAINING_GENERATIONS ? SEARCHES : 0;
}

static unsigned happens(const struct training_wish *wish) {
    static const unsigned ways[] = {CONTINUOUS, GENERATIONS, EXPERT, ACTORS};
    unsigned way = ways[wish->way];
    bool solves = wish->method && (way == CONTINUOUS || way == EXPERT);
    return way | self_play(wish) | (solves ? SOLVES : 0) | (wish->domain->aim == SOLOIST_LEAST_COST ? COSTS : SCORES) |
           (wish->levels && *wish->levels ? LEVELS : 0);
}

const char *training_option_idle(const struct training_wish *wish, const char *name, size_t length) {
    unsigned now = happens(wish);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (const char *at = rows[i].names + 1; *at; at += strcspn(at, " ") + 1)
            if (strcspn(at, " ") == length && !memcmp(at, name, length) && !(now & rows[i].needs))
                return rows[i].why;
    return NULL;
}
