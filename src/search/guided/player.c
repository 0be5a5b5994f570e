/* The method `policy`: plays the move that the network finds most likely, without looking ahead and without remembering
 * which states were visited, until the game ends or the step limit is reached. If the policy leads into a cycle, only
 * the step limit ends the game. With a temperature, moves are drawn by chance, and several games may be played. */
#include "search/guided/questions.h"
#include "search/picture.h"

#define PLAYER_OPTIONS(T, INT, REAL, BOOL, CHOICE)                                                                     \
    INT(T, steps, 120, 1, 1000000, "maximum number of moves in a game")                                                \
    REAL(T, temperature, 0, 0, 1000,                                                                                   \
         "moves are drawn with probabilities in proportion to p^(1/temperature), where p is the network's "            \
         "probability of a move; 0: the most likely move is always played")                                            \
    INT(T, games, 1, 0, 1e15,                                                                                          \
        "with a temperature: maximum number of games; in domains that minimise cost the first solved game ends the "   \
        "search; 0: until a limit ends it")
SOLOIST_OPTIONS(player_options, PLAYER_OPTIONS);

struct player {
    struct search_run *run;
    const struct player_options *options;
    struct questions question;
    void *state;
    soloist_move *line;
    soloist_rng rng;
    size_t asked; /* moves before the state that the network was asked about last */
    struct picture_games games;
};

/* Draws a move in proportion to p^(1/temperature). */
static int draw(struct player *player, const struct evaluation *answer) {
    guided_temper(answer->priors, answer->move_count, player->options->temperature);
    double left = soloist_rng_unit(&player->rng);
    int last = 0;
    for (int i = 0; i < answer->move_count; i++) {
        if (answer->priors[i] <= 0)
            continue;
        last = i;
        left -= (double)answer->priors[i];
        if (left < 0)
            break;
    }
    return last;
}

/* The first of the most likely moves. */
static int most_likely(const struct evaluation *answer) {
    int best = 0;
    for (int i = 1; i < answer->move_count; i++)
        if (answer->priors[i] > answer->priors[best])
            best = i;
    return best;
}

/* The moves of the state that the network was asked about last, and how the games so far ended. */
static void paint(const void *subject, struct search_picture *picture) {
    const struct player *player = subject;
    const struct evaluator *evaluator = player->run->evaluator;
    const struct evaluation *answer = player->question.evaluations;
    picture_games(&player->games, picture);
    picture_kind(picture, SOLOIST_PICTURE_POLICY);
    picture_begin_line(picture, player->line, player->asked);
    if (!player->question.count)
        return;
    picture->shown.node.has_value = evaluator->has_value;
    picture->shown.node.value = (double)answer->value;
    for (int i = 0; i < answer->move_count; i++)
        picture_branch(picture, &(soloist_branch){
                                    .move = answer->moves[i], .has_prior = true, .prior = (double)answer->priors[i]});
    picture_end_branches(picture, player->run);
    picture_depth(picture, (int64_t)player->asked);
    picture_line(picture, player->run, player->line, player->asked);
}

/* Plays one game; false: the network failed. */
static bool play(struct player *player) {
    struct search_run *run = player->run;
    const soloist_core *core = run->domain->core;
    int32_t value = 0, last = 0;
    run->domain->life->root(run->instance, player->state);
    for (int64_t step = 0; step < player->options->steps && !search_spent(run); step++) {
        questions_clear(&player->question);
        const struct evaluation *answer = questions_add(&player->question, player->state, 0);
        player->asked = (size_t)step;
        if (!answer->move_count || !search_count_nodes(run, 1))
            return true;
        if (!questions_ask(&player->question))
            return false;
        soloist_move move =
            answer->moves[player->options->temperature > 0 ? draw(player, answer) : most_likely(answer)];
        value = search_sum(value, core->apply(run->instance, player->state, move, NULL));
        player->line[step] = move;
        if (core->ended(run->instance, player->state, &last)) {
            value = search_sum(value, last);
            search_record(run, player->line, (size_t)step + 1, value);
            picture_note_game(&player->games, (int32_t)step + 1, true, value);
            return true;
        }
    }
    return true;
}

static bool is_done(const struct player *player, uint64_t games) {
    const struct search_run *run = player->run;
    const struct player_options *options = player->options;
    uint64_t most = options->temperature > 0 ? (uint64_t)options->games : 1;
    return run->optimal || (most && games >= most) || (run->found && run->domain->aim == SOLOIST_LEAST_COST);
}

static bool play_games(struct player *player) {
    bool good = true;
    for (uint64_t game = 0; good && !is_done(player, game) && !search_spent(player->run); game++) {
        soloist_rng_seed(&player->rng, player->run->seed, game);
        good = play(player);
        search_count_iteration(player->run);
    }
    return good;
}

static soloist_code player_run(struct search_run *run) {
    const struct player_options *options = run->options;
    struct memory *memory = &run->budget->memory;
    struct player player = {.run = run, .options = options};
    size_t line = (size_t)options->steps * sizeof *player.line, state = run->shape.state_size;
    bool good = true;
    if (!search_check_network(run, true, false))
        return SOLOIST_UNSUPPORTED;
    run->has_iterations = true;
    player.state = memory_take(memory, state);
    player.line = memory_take(memory, line);
    bool opened = questions_open(&player.question, run, 1, true) && player.state && player.line;
    search_show(run, paint, &player);
    if (opened)
        good = play_games(&player);
    search_hide(run);
    questions_close(&player.question);
    memory_give(memory, player.line, line);
    memory_give(memory, player.state, state);
    return !opened ? search_full(run) : good ? SOLOIST_OK : search_failed(run);
}

static enum search_network network(const void *options) {
    (void)options;
    return SEARCH_NETWORK_ANY;
}

static unsigned ignores(const void *options) {
    const struct player_options *o = options;
    return SEARCH_IGNORES_THREADS |
           (o->temperature > 0 ? 0 : (unsigned)SEARCH_IGNORES_SEED | (unsigned)SEARCH_IGNORES_ITERATIONS);
}

const struct search_method search_policy = {
    .name = "policy",
    .summary =
        "without search, always plays the move to which a network gives the highest probability, until the step limit",
    .options = player_options_rows,
    .options_size = sizeof(struct player_options),
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_LEARN | SEARCH_NEEDS_NETWORK,
    .network = network,
    .ignores = ignores,
    .run = player_run,
};
