#include "learn/train/training.h"

#include "base/budget.h"
#include "base/buffer.h"
#include "base/hash.h"
#include "base/path.h"
#include "engine/engine.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_VALIDATED 4096 /* positions validated per row */
/* After a row or checkpoint that took t seconds, at least SPARE * t seconds pass before the next one. */
#define SPARE 5
#define TICK_S 1.0 /* seconds between ticks */

const soloist_domain *training_teacher(const soloist *engine, const soloist_domain *domain) {
    const soloist_domain *other;
    for (size_t i = 0; (other = soloist_domain_at(engine, i)); i++)
        if (other->text->shown_in && !strcmp(other->text->shown_in, domain->name))
            return other;
    return domain;
}

/* The values of Seify 2020: Table 5.1 or, with a value head, section 6.1.3 and Table 6.1. */
static void set_generations(bool has_value, struct training_options *options) {
    soloist_options_parse(
        training_options_rows, options,
        "batch=32,rate=5e-4,l2=0,value_weight=16,reorderings=0,warm_up=0,symmetries=false,capacity=120000,"
        "policy=action,ema_decay=0,"
        "parallel_games=50",
        NULL);
    if (has_value)
        soloist_options_parse(
            training_options_rows, options,
            "from_scratch=false,epochs=5,l2=1e-4,value=mean,simulations=200,runs=5000,generations=100,"
            "jump_start=5000,capacity=1500000,batch=256",
            NULL);
}

/* Ge 2018, section 3.5. The document names Adam and weight decay, but not their numbers. */
#define EXPERT_ITERATION                                                                                               \
    "batch=128,capacity=500000,rate=1e-3,warm_up=0,l2=1e-5,value_scale=1,value_weight=1,ema_decay=0,reorderings=0,"    \
    "policy=visits,validation=1000000"
/* The defaults of the library that Ge 2018 used (chapter 4), but with 64 actors. That library has TensorFlow's RMSProp
 * (rmsprop-tf), with which the solve rate of stage 1 rose from 22 to 28 % in 9.9 million moves; with this one it was 88
 * % after 2.2 million. */
#define ACTOR_CRITIC                                                                                                   \
    "optimiser=rmsprop,square_decay=0.99,epsilon=1e-5,rate=7e-4,warm_up=0,l2=0,max_grad_norm=0.5,value_scale=1,"       \
    "value_weight=0.5,entropy=0.01,ema_decay=0,reorderings=0,capacity=1,validation=2,moves=1"

void training_options_for(enum training_way way, const soloist_domain *domain, bool has_value,
                          struct training_options *options) {
    soloist_options_reset(training_options_rows, options);
    if (domain->aim == SOLOIST_LEAST_COST)
        options->self_play = false;
    if (way == TRAINING_GENERATIONS)
        set_generations(has_value, options);
    else if (way != TRAINING_CONTINUOUS)
        soloist_options_parse(training_options_rows, options,
                              way == TRAINING_EXPERT_ITERATION ? EXPERT_ITERATION : ACTOR_CRITIC, NULL);
}

/* ---- time ---- */

double training_time(const struct training *training) {
    return training->before_s + clock_seconds() - training->start_s;
}

bool training_is_over(const struct training *training) {
    const struct training_wish *wish = training->wish;
    return stop_token_is_stopped(wish->stop) || (wish->time_s > 0 && training_time(training) >= wish->time_s) ||
           (training->options.steps && training->steps >= (uint64_t)training->options.steps);
}

void training_add_losses(struct training *training, const struct net_losses *losses) {
    training->summed++;
    training->sum.policy += losses->policy;
    training->sum.value += losses->value;
    training->sum.entropy += losses->entropy;
    training->sum.total += losses->total;
}

double training_done(const struct training *training) {
    double limit = training->wish->time_s, steps = (double)training->options.steps;
    double by_time = limit > 0 ? training_time(training) / limit : 0;
    double by_steps = steps > 0 ? (double)training->steps / steps : 0;
    return by_time > by_steps ? by_time : by_steps;
}

static bool is_due(const struct training *training, int64_t every, uint64_t last_steps, double last_s, double seconds,
                   double cost) {
    if (every)
        return training->steps >= last_steps + (uint64_t)every;
    return clock_seconds() - last_s >= (cost * SPARE > seconds ? cost * SPARE : seconds);
}

bool training_row_is_due(const struct training *training) {
    return is_due(training, training->options.row_steps, training->row_steps, training->row_s, training->options.row_s,
                  training->row_cost);
}

bool training_save_is_due(const struct training *training) {
    return is_due(training, training->options.save_steps, training->save_steps, training->save_s,
                  training->options.save_s, training->save_cost);
}

double training_highest(const struct training *training) {
    double a = samples_highest(training->training), b = samples_highest(training->validation);
    return a > b ? a : b;
}

/* ---- rows ---- */

bool training_take_weights(struct training *training, soloist_error *error) {
    size_t count = training->wish->net->parameters;
    if (training->mean_looks)
        memcpy(training->parameters, training->mean, count * sizeof(float));
    else if (!trainer_get(training->trainer, training->parameters, error))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!isfinite(training->parameters[i]))
            return soloist_fail(error, 0, 0,
                                "the weights are no longer finite after %llu steps: a lower learning rate (rate=...) "
                                "may help",
                                (unsigned long long)training->steps);
    return true;
}

static void mean_score(struct training_row *row, const struct greedy_game *games, int count) {
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++)
        sum += games[i].value, squares += (double)games[i].value * games[i].value;
    row->greedy = sum / count;
    row->greedy_interval = interval_sums(sum, squares, (uint64_t)count, 0.95);
}

static void solve_rate(struct training_row *row, const struct greedy_game *games, int count) {
    struct greedy_summary summary = greedy_sum_up(games, count);
    row->greedy = summary.rate;
    row->greedy_ends = summary.interval;
    row->greedy_interval = (summary.interval.high - summary.interval.low) / 2;
    row->cost = summary.cost;
    row->evaluations = summary.evaluations;
}

static void forget_policy(struct training_row *row) {
    row->greedy = row->greedy_interval = row->cost = row->evaluations = NAN;
    row->greedy_ends = (struct interval){NAN, NAN};
}

/* A stop breaks the measurement off, unless it has ended the training before. */
static bool examine(struct training *training, soloist_error *error) {
    soloist_stop_token *stop = training->stopped ? NULL : training->wish->stop;
    int count = training->exam_count, limit = training->row.goal ? (int)training->options.step_limit : 0;
    if (!training->wish->net->policy)
        return true;
    struct greedy_game *games = malloc((size_t)count * sizeof *games);
    if (!games)
        return soloist_fail(error, 0, 0, "no memory for %d boards", count);
    bool good = predictor_set(training->examiner, training->parameters, error) &&
                greedy_play(predictor_evaluator(training->examiner), training->exam, count, limit, stop, games, error);
    training->broken_off = stop_token_is_stopped(stop);
    if (training->broken_off)
        forget_policy(&training->row);
    else if (good)
        (training->row.goal ? solve_rate : mean_score)(&training->row, games, count);
    training->row.boards = count;
    free(games);
    return good;
}

/* Positions that the network has evaluated in self-play. */
static uint64_t judged(struct training *training) {
    return training->player ? predictor_count(training->player).judged : 0;
}

/* Whether the way of training has a curriculum, if only one of a single stage. */
static bool training_has_stages(const struct training *training) {
    return training->wish->way == TRAINING_EXPERT_ITERATION || training->wish->way == TRAINING_ACTOR_CRITIC;
}

static void fill_counts(struct training *training, struct training_row *row) {
    double done = training_done(training), n = (double)training->summed;
    const struct net_losses *sum = &training->sum;
    row->row = training->rows;
    row->time_s = training_time(training);
    row->left_s = done > 0 ? row->time_s * (1 - done) / done : -1;
    row->doing = training->doing;
    row->generation = training->generation;
    row->stage = training_has_stages(training) ? (uint64_t)training->stage : 0;
    row->solve_rate = training->solve_rate;
    row->steps = training->steps;
    harvest_count(&training->harvest, &row->games, &row->positions);
    if (training->summed)
        row->training = (struct net_losses){sum->policy / n, sum->value / n, sum->entropy / n, sum->total / n};
}

void training_tick(struct training *training) {
    double now = clock_seconds();
    if (!training->wish->tick || now - training->tick_s < TICK_S)
        return;
    struct training_row row = training->row;
    training->tick_s = now;
    fill_counts(training, &row);
    training->wish->tick(training->wish->user, &row);
}

static void fill_row(struct training *training) {
    struct training_row *row = &training->row;
    double passed = clock_seconds() - training->row_s, steps = (double)(training->steps - training->row_steps);
    fill_counts(training, row);
    row->played = harvest_scores(&training->harvest);
    row->learned_per_s = passed > 0 ? steps * (double)training->options.batch / passed : NAN;
    row->judged_per_s =
        training->player && passed > 0 ? (double)(judged(training) - training->row_judged) / passed : NAN;
}

/* Measures the run and fills training->row. */
static bool look(struct training *training, soloist_error *error) {
    fill_row(training);
    if (!examine(training, error))
        return false;
    return training->broken_off || !samples_count(training->validation) ||
           trainer_validate(training->trainer, training->validation, MOST_VALIDATED, training_highest(training),
                            &training->row.validation, error);
}

bool training_report(struct training *training, soloist_error *error) {
    double begun = clock_seconds();
    if (!look(training, error))
        return false;
    if (training->broken_off)
        return true;
    training->rows++;
    curve_write(training->curve, &training->row);
    training_flush_games(training);
    if (training->wish->report)
        training->wish->report(training->wish->user, &training->row);
    training->sum = (struct net_losses){0};
    training->summed = 0;
    training->row_steps = training->steps;
    training->row_judged = judged(training);
    training->row_s = clock_seconds();
    training->row_cost = training->row_s - begun;
    return true;
}

/* ---- games ---- */

/* If every move is searched with a new tree, most of its states were evaluated before the last move already. In a
 * generation the weights do not change, so predictions are remembered. */
static void remember_predictions(struct training *training) {
    const size_t bytes_per_thread = (size_t)64 << 20;
    const struct training_wish *wish = training->wish;
    soloist_shape shape = {0};
    if (wish->way != TRAINING_GENERATIONS || !wish->domain->learn->whole_states || net_is_any_size(wish->net))
        return;
    wish->domain->life->shape(training->shape.instance, &shape);
    size_t threads = (size_t)wish->threads, games = threads * (size_t)training->options.parallel_games;
    predictor_remember(training->player, games * 2 * (size_t)training->options.simulations, threads * bytes_per_thread,
                       shape.state_size);
}

bool training_open_player(struct training *training, soloist_error *error) {
    const struct training_options *o = &training->options;
    struct predictor_options options;
    if (training->player)
        return true;
    soloist_options_reset(predictor_options_rows, &options);
    options.batch = o->parallel_games * (training->wish->way == TRAINING_EXPERT_ITERATION ? training->expert.delay : 1);
    options.runners = o->runners;
    options.queues = 2 * o->runners + 2; /* so that some can be filled while others are computed */
    /* No cache, unless states are independent of their instances: it identifies an instance by its address, which
     * another instance may get later. */
    options.remembered = 0;
    training->player = predictor_open(training->wish->domain, training->wish->net, training->parameters,
                                      training->wish->back_end, &options, error);
    if (training->player)
        remember_predictions(training);
    return training->player != NULL;
}

bool training_start_makers(struct training *training, enum make_way way, uint64_t games, int64_t simulations,
                           bool with_network, soloist_error *error) {
    const struct training_options *o = &training->options;
    int others = (int)o->batch_threads + (strcmp(trainer_back_end(training->trainer), "cpu") ? 0 : (int)o->net_threads);
    int threads = training->wish->threads - others;
    bool teaches = way == MAKE_BY_SOLVING && training->row.goal;
    struct maker_plan plan = {.source = &training->source,
                              .harvest = &training->harvest,
                              .threads = training->wish->way == TRAINING_CONTINUOUS ? threads : training->wish->threads,
                              .first = training->boards,
                              .games = games,
                              .engine = training->wish->engine,
                              .method = training->wish->method,
                              .guided = training->guided,
                              .time_s = o->solve_iterations ? 0 : o->solve_time,
                              .iterations = (uint64_t)o->solve_iterations,
                              .dagger_share = training->dagger ? o->dagger : 0,
                              .teacher = training->teacher,
                              .teacher_options = training->teacher_options,
                              .returns = training->returns,
                              .seeds = (int)o->seeds,
                              .dagger_positions = (int)o->dagger_positions,
                              .dagger_solved = (int)o->dagger_solved,
                              .merge = o->merge_seeds,
                              .pairs = (int)o->pairs,
                              .step_limit = (int)o->step_limit,
                              .dead_share = o->dead,
                              .dead_states = o->dead_states,
                              .write_games = o->write_games,
                              .way = teaches ? MAKE_BY_TEACHING : way,
                              .gae_lambda = o->gae_lambda,
                              .lookahead = o->play == TRAINING_BY_LOOKAHEAD,
                              .inverse_temperature = o->inverse_temperature,
                              .value_scale = o->value_scale,
                              .wanted = &training->wanted,
                              .evaluator =
                                  with_network || training->guided ? predictor_evaluator(training->player) : NULL,
                              .weights = &training->weights,
                              .search = with_network ? &training->search : &training->plain,
                              .simulations = simulations,
                              .expert = &training->expert,
                              .expert_games = training->expert_games,
                              .walk_length = (int)o->walk_length,
                              .puzzle_samples = (size_t)o->puzzle_samples,
                              .parallel_games = (int)o->parallel_games,
                              .policy_target = (enum make_policy_target)o->policy,
                              .value_target = (enum make_value_target)o->value};
    training->making = makers_start(&training->makers, &plan, error);
    return training->making;
}

bool training_stop_makers(struct training *training, soloist_error *error) {
    if (!training->making)
        return true;
    training->making = false;
    bool good = makers_stop(&training->makers, error);
    training->boards = makers_boards(&training->makers);
    if (good && training->harvest.failed)
        return soloist_fail(error, 0, 0, "no memory for games");
    return good;
}

static bool read_games(struct training *training, soloist_error *error) {
    const char *const *paths = training->wish->games;
    for (; paths && *paths && !training_is_over(training); paths++) {
        uint64_t refused;
        if (!harvest_file(&training->harvest, training->wish->domain, training->wish->domain_options, *paths,
                          training->wish->threads, training->wish->stop, &refused))
            return training_games_fail(*paths, error);
        training->refused += refused;
    }
    uint64_t games;
    harvest_scores(&training->harvest);
    harvest_phase(&training->harvest, true, &games);
    return true;
}

/* ---- the curriculum ---- */

/* Opens a source of instances of this stage. */
static bool open_source(const struct training *training, int stage, uint64_t seed, struct game_source *source,
                        soloist_error *error) {
    const struct training_wish *wish = training->wish;
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    curriculum_stage(&training->curriculum, stage, wish->generate, &sink);
    bool good = text.failed ? soloist_fail(error, 0, 0, "no memory for a curriculum")
                            : game_source_open(source, wish->domain, wish->domain_options, text.text, seed, error);
    buffer_close(&text);
    bool levels = wish->levels && *wish->levels;
    return good && (!levels || game_source_add_levels(source, wish->levels, training->options.levels_share, error));
}

bool training_open_stage(struct training *training, soloist_error *error) {
    game_source_close(&training->source);
    return open_source(training, training->stage, hash_mix(training->wish->seed ^ 0x6c6561726e), &training->source,
                       error);
}

bool training_close_iteration(struct training *training, soloist_error *error) {
    training->solve_rate = training->tally ? (double)training->solved / (double)training->tally : 0;
    training->tally = training->solved = 0;
    bool promoted = curriculum_promotes(&training->history, training->solve_rate);
    if (!training_report(training, error))
        return false;
    if (!promoted || training->stage >= training->curriculum.stages)
        return true;
    training->stage++;
    training->stage_steps = training->steps;
    return training_open_stage(training, error);
}

/* ---- life ---- */

/* A board that lacks the highest colours has fewer planes than the network reads. Looks for a board with all colours
 * among the first hundred. */
static bool open_shape(struct training *training, soloist_error *error) {
    uint64_t levels = training->exam_source.level_count;
    for (uint64_t i = 0; i < (levels ? levels : 100); i++) {
        if (!game_source_make(&training->exam_source, i, &training->shape, error))
            return false;
        if (predictor_reads(training->wish->net, training->wish->domain, training->shape.instance, error))
            return true;
        soloist_puzzle_free(&training->shape);
        training->shape = (soloist_puzzle){0};
    }
    return false;
}

/* Whether the board may be one of the exam: of levels from files only those that are for validation. */
static bool is_for_exam(const struct training *training, const soloist_puzzle *puzzle) {
    bool from_files = training->exam_source.level_count;
    return samples_fit(training->training, puzzle->instance) &&
           (!from_files || harvest_is_apart(&training->harvest, game_hash(puzzle)));
}

/* A network of any size learns from boards of one size. */
static bool open_net(struct training *training, soloist_error *error) {
    int channels, height, width;
    training->wish->domain->learn->planes(training->shape.instance, &channels, &height, &width);
    return net_at_size(training->wish->net, height, width, &training->net, error);
}

static bool open_exam(struct training *training, soloist_error *error) {
    int count = (int)training->options.boards;
    uint64_t levels = training->exam_source.level_count;
    training->exam = calloc((size_t)count, sizeof *training->exam);
    if (!training->exam)
        return soloist_fail(error, 0, 0, "no memory for %d boards", count);
    for (uint64_t i = 0; training->exam_count < count && (!levels || i < levels); i++) {
        soloist_puzzle *puzzle = &training->exam[training->exam_count];
        if (!game_source_make(&training->exam_source, i, puzzle, error))
            return false;
        if (is_for_exam(training, puzzle))
            training->exam_count++;
        else
            soloist_puzzle_free(puzzle), *puzzle = (soloist_puzzle){0};
    }
    return training->exam_count ||
           soloist_fail(error, 0, 0, "the files of --levels have too few levels of one size to set some aside");
}

static bool open_networks(struct training *training, soloist_error *error) {
    const struct training_wish *wish = training->wish;
    struct predictor_options options;
    soloist_options_reset(predictor_options_rows, &options);
    options.batch = training->options.boards < 1024 ? training->options.boards : 1024;
    options.threads = training->options.net_threads;
    options.remembered = 0;
    training->parameters = malloc(wish->net->parameters * sizeof(float));
    training->mean = malloc(wish->net->parameters * sizeof(float));
    if (!training->parameters || !training->mean)
        return soloist_fail(error, 0, 0, "no memory for %zu parameters", wish->net->parameters);
    if (wish->start)
        memcpy(training->parameters, wish->start, wish->net->parameters * sizeof(float));
    else if (!net_initialise(wish->net, wish->seed, training->parameters))
        return soloist_fail(error, 0, 0, "no memory for %zu parameters", wish->net->parameters);
    training->trainer = trainer_open(&training->net, training->parameters, wish->back_end, &training->options, error);
    if (!training->trainer)
        return false;
    training->examiner = predictor_open(wish->domain, wish->net, training->parameters, wish->back_end, &options, error);
    return training->examiner != NULL;
}

/* Games of an earlier run are kept; if the last line is incomplete, a line break is added. */
static FILE *open_lines(const char *path, soloist_error *error) {
    FILE *stream = fopen(path, "a+");
    if (!stream)
        return soloist_fail(error, 0, 0, "%s cannot be written", path), NULL;
    if (!fseek(stream, -1, SEEK_END) && fgetc(stream) != '\n')
        fputc('\n', stream);
    return stream;
}

static bool open_files(struct training *training, soloist_error *error) {
    const struct training_wish *wish = training->wish;
    char *lines = path_in(wish->folder, "games.txt"), *curve = path_in(wish->folder, "curve.jsonl");
    bool good = lines && curve;
    if (!good)
        soloist_fail(error, 0, 0, "no memory for a path");
    if (good)
        training->lines = open_lines(lines, error);
    if (training->lines)
        training->curve = curve_open(curve, training->rows, error);
    training->harvest.lines = training->lines;
    free(lines);
    free(curve);
    return training->curve != NULL;
}

static void resolve_options(struct training *training) {
    struct training_options *o = &training->options;
    const struct net_back_end *back_end = net_back_end_find(training->wish->back_end, NULL);
    if (training->wish->way == TRAINING_ACTOR_CRITIC)
        o->batch = o->actors * o->rollout;
    o->batch = o->batch ? o->batch : back_end && back_end != &net_cpu ? 1024 : 64;
    int quarter = training->wish->threads / 4;
    o->batch_threads = o->batch_threads ? o->batch_threads : quarter > 0 ? quarter : 1;
    o->net_threads = o->net_threads ? o->net_threads : o->batch_threads;
    bool drawn = o->play != TRAINING_BY_SEARCH;
    /* All puzzles of an iteration are played at the same time. */
    int64_t threads = training->wish->threads > 0 ? training->wish->threads : 1;
    if (training->wish->way == TRAINING_EXPERT_ITERATION && !o->parallel_games)
        o->parallel_games = (o->puzzles + threads - 1) / threads;
    o->parallel_games = o->parallel_games ? o->parallel_games : drawn ? 256 : 64;
    o->refresh_s = o->refresh_s > 0 ? o->refresh_s : drawn ? 0.25 : 20;
}

/* The searches of Seify 2020. Without a value head the moves of the best line found are played (section 5.2.2). With a
 * value head there are no play-outs, the tree is kept from move to move, and the move of highest mean is played
 * (section 6.1.3). */
static bool open_search(struct training *training, soloist_error *error) {
    bool values = training->wish->way == TRAINING_GENERATIONS && training->wish->net->value;
    soloist_options_reset(policy_options_rows, &training->search);
    training->search.noise = 0.25;
    training->search.keep = values;
    training->search.value_share = values ? 1 : 0;
    training->search.final = values ? POLICY_FINAL_MAX : POLICY_FINAL_LINE;
    training->search.value_scale = training->options.value_scale;
    soloist_options_reset(exit_options_rows, &training->expert);
    bool expert = training->wish->way == TRAINING_EXPERT_ITERATION;
    if (soloist_options_parse(expert ? exit_options_rows : policy_options_rows,
                              expert ? (void *)&training->expert : (void *)&training->search, training->wish->search,
                              error) != SOLOIST_OK)
        return false;
    training->plain = training->search;
    training->plain.value_share = 0;
    training->plain.rollout = POLICY_ROLLOUT_RANDOM;
    training->plain.final = POLICY_FINAL_LINE;
    training->plain.keep = false;
    return true;
}

uint64_t training_exam_seed(uint64_t seed) { return hash_mix(seed ^ 0x6578616d); }

/* What is different in a least-cost domain. */
static bool open_goal(struct training *training, soloist_error *error) {
    const struct training_wish *wish = training->wish;
    struct training_options *o = &training->options;
    training->row.goal = wish->domain->aim == SOLOIST_LEAST_COST;
    if (!training->row.goal)
        return true;
    bool searches = wish->way == TRAINING_CONTINUOUS && o->self_play && o->play == TRAINING_BY_SEARCH;
    if (wish->way == TRAINING_GENERATIONS)
        return soloist_fail(error, 0, 0, "%s has costs instead of scores: --way generations is not possible",
                            wish->domain->name);
    if (searches)
        return soloist_fail(error, 0, 0,
                            "%s has costs instead of scores: there is no self-play by search; choose self_play=false, "
                            "play=ppo, play=lookahead or play=backward",
                            wish->domain->name);
    o->value_scale = 1;
    o->reorderings = 0;
    return returns_open(&training->returns, wish->domain, o->reward, o->step_value, o->discount, error);
}

/* A method that uses a network is guided by the network in training, which knows only its own domain. */
static bool open_teacher(struct training *training, soloist_error *error) {
    const struct training_wish *wish = training->wish;
    bool given = wish->teacher;
    bool solves = wish->method && (wish->way == TRAINING_CONTINUOUS || wish->way == TRAINING_EXPERT_ITERATION);
    training->guided = solves && engine_method_uses_network(wish->engine, wish->domain, wish->method);
    training->teacher = given              ? wish->teacher
                        : training->guided ? wish->domain
                                           : training_teacher(wish->engine, wish->domain);
    training->teacher_options =
        given || training->teacher != wish->domain ? wish->teacher_options : wish->domain_options;
    return !training->guided || training->teacher == wish->domain ||
           soloist_fail(error, 0, 0,
                        "--method %.60s is guided by the network in training, which plays %s: --teacher cannot name "
                        "another domain",
                        wish->method, wish->domain->name);
}

/* Reads an instance of the run in the teacher's domain. */
static bool read_taught(const struct training *training, soloist_puzzle *taught, soloist_error *error) {
    const struct training_wish *wish = training->wish;
    soloist_puzzle puzzle;
    soloist_error why = {0};
    if (!game_source_make(&training->source, 0, &puzzle, error))
        return false;
    bool good =
        soloist_puzzle_read(training->teacher, training->teacher_options, &puzzle.chunk, taught, &why) == SOLOIST_OK;
    soloist_puzzle_free(&puzzle);
    return good ||
           soloist_fail(error, 0, 0, "--method solves in the domain %s, which cannot read an instance of %s: %.100s",
                        training->teacher->name, wish->domain->name, why.text);
}

static bool check_teacher(const struct training *training, soloist_error *error) {
    soloist_puzzle taught;
    if (!training->wish->method || training->teacher == training->wish->domain)
        return true;
    if (!read_taught(training, &taught, error))
        return false;
    soloist_puzzle_free(&taught);
    return true;
}

/* Makes the tables that the teacher's domain shares among instances, such as deadlock tables. The time limit of a
 * single game may be too short for this, and then every game would try again. */
static bool open_tables(struct training *training, soloist_error *error) {
    const struct training_wish *wish = training->wish;
    soloist_limits limits = {.time_s = wish->time_s, .threads = wish->threads, .stop = wish->stop};
    soloist_puzzle taught;
    if (!wish->method || !training->teacher->tables)
        return true;
    training->doing = "making tables";
    if (!read_taught(training, &taught, error))
        return false;
    soloist_session *session = soloist_session_open(wish->engine, &taught, &limits, NULL, error);
    bool good = session;
    soloist_session_close(session);
    soloist_puzzle_free(&taught);
    return good;
}

/* A resumed run has the samples of the files of games in its checkpoint. */
static bool begin_from(struct training *training, soloist_error *error) {
    if (!training->wish->resume)
        return training_check_games(training, error);
    training->damaged = !training_restore(training, error);
    return !training->damaged;
}

static bool open_all(struct training *training, soloist_error *error) {
    const struct training_wish *wish = training->wish;
    if (!wish->domain->learn)
        return soloist_fail(error, 0, 0, "%s does not show its states to networks", wish->domain->name);
    if (!training_check(training, error) || !open_goal(training, error) || !open_teacher(training, error))
        return false;
    size_t capacity = (size_t)training->options.capacity, part = (size_t)training->options.validation;
    bool several = training->options.reorderings || training->options.policy == MAKE_VISITS ||
                   training->options.play == TRAINING_BY_LOOKAHEAD || training->options.merge_seeds ||
                   training->options.dead > 0;
    int actions = net_actions(wish->net), most = (int)training->options.moves;
    int targets = !several ? 1 : actions && actions < most ? actions : most, channels = net_input(wish->net).channels;
    if (!curriculum_read(&training->curriculum, wish->curriculum, error) || !training_open_stage(training, error) ||
        !open_source(training, training->curriculum.stages, training_exam_seed(wish->seed), &training->exam_source,
                     error) ||
        !open_shape(training, error) || !open_net(training, error) || !open_search(training, error))
        return false;
    training->training = samples_open(wish->domain, training->shape.instance, channels, capacity, targets, error);
    if (!training->training)
        return false;
    training->validation =
        samples_open(wish->domain, training->shape.instance, channels, capacity / (part - 1) + 1, targets, error);
    if (!training->validation)
        return false;
    harvest_open(&training->harvest, training->training, training->validation);
    training->harvest.one_in = (int)part;
    training->harvest.reorderings = (int)training->options.reorderings;
    if (wish->way == TRAINING_GENERATIONS)
        training->harvest.game_positions = (size_t)training->options.game_positions;
    training->harvest.returns = training->returns;
    if (!check_teacher(training, error) || !open_exam(training, error) || !open_networks(training, error) ||
        !begin_from(training, error) || !open_files(training, error))
        return false;
    return (!wish->begin || wish->begin(wish->user, error)) && open_tables(training, error) &&
           (wish->resume || read_games(training, error));
}

static void close_all(struct training *training) {
    training_stop_makers(training, NULL);
    batches_close(training->batches);
    trainer_close(training->trainer);
    predictor_close(training->examiner);
    predictor_close(training->player);
    for (int i = 0; i < training->exam_count; i++)
        soloist_puzzle_free(&training->exam[i]);
    free(training->exam);
    if (training->training && training->validation)
        harvest_close(&training->harvest);
    samples_close(training->training);
    samples_close(training->validation);
    net_free(&training->net);
    if (training->shape.instance)
        soloist_puzzle_free(&training->shape);
    game_source_close(&training->source);
    game_source_close(&training->exam_source);
    if (training->lines)
        fclose(training->lines);
    if (training->curve)
        fclose(training->curve);
    pthread_rwlock_destroy(&training->weights);
    free(training->parameters);
    free(training->mean);
}

/* The lock prefers writers: otherwise new weights could wait for ever, because some player always holds it for
 * reading. */
static void open_lock(pthread_rwlock_t *lock) {
    pthread_rwlockattr_t kind;
    pthread_rwlockattr_init(&kind);
    pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(lock, &kind);
    pthread_rwlockattr_destroy(&kind);
}

/* A row in which nothing has been measured. */
static struct training_row row_of_nothing(void) {
    struct net_losses unknown = {NAN, NAN, NAN, NAN};
    return (struct training_row){.left_s = -1,
                                 .training = unknown,
                                 .validation = unknown,
                                 .greedy = NAN,
                                 .greedy_interval = NAN,
                                 .greedy_ends = {NAN, NAN},
                                 .cost = NAN,
                                 .evaluations = NAN,
                                 .learned_per_s = NAN,
                                 .judged_per_s = NAN,
                                 .solve_rate = NAN};
}

/* Everything but the parameters. */
static void fill_result(struct training *training, struct training_result *result) {
    result->row = training->row;
    /* If no row was written after the last step, the row's counts are not those of the whole run. */
    if (!result->row.doing || result->row.steps != training->steps)
        harvest_count(&training->harvest, &result->row.games, &result->row.positions);
    result->row.steps = training->steps;
    result->row.time_s = training_time(training);
    result->refused = training->refused;
    result->unsaved = training->unsaved;
    result->batch = training->options.batch;
    snprintf(result->back_end, sizeof result->back_end, "%s", trainer_back_end(training->trainer));
}

void training_keep(struct training *training) {
    struct training_result result = {.parameters = training->parameters};
    if (!training->wish->keep)
        return;
    fill_result(training, &result);
    forget_policy(&result.row);
    result.row.validation = row_of_nothing().validation;
    training->wish->keep(training->wish->user, &result);
}

/* The last measurement may be long, so the checkpoint and the network are written before it. */
static bool finish(struct training *training, soloist_error *error) {
    training->stopped = stop_token_is_stopped(training->wish->stop);
    /* Actor-critic training has saved its actors together with all else. */
    if (training->wish->way != TRAINING_ACTOR_CRITIC && !training_save(training, error))
        return false;
    if (training->broken_off)
        return true;
    if (training->row_steps != training->steps) {
        training_keep(training);
        return training_report(training, error) && training_save_counters(training, error);
    }
    /* A run that is resumed after its end writes no row, but the result must contain the measurements. */
    return !training->wish->resume || training->row.doing || look(training, error);
}

bool training_run(const struct training_wish *wish, struct training_result *result, soloist_error *error) {
    static bool (*const ways[])(struct training *, soloist_error *) = {
        training_continuous, training_generations, training_expert_iteration, training_actor_critic};
    struct training *training = calloc(1, sizeof *training);
    *result = (struct training_result){0};
    if (!training)
        return soloist_fail(error, 0, 0, "no memory for a training run");
    training->wish = wish;
    training->options = wish->options;
    training->start_s = training->row_s = training->save_s = training->refresh_s = clock_seconds();
    training->doing = "starting";
    training->row = row_of_nothing();
    training->next_trial = wish->options.solve_share;
    training->stage = 1;
    training->solve_rate = NAN;
    open_lock(&training->weights);
    resolve_options(training);
    bool good = open_all(training, error) && ways[wish->way](training, error) &&
                training_stop_makers(training, error) && finish(training, error);
    if (good) {
        result->parameters = training->parameters;
        training->parameters = NULL;
        fill_result(training, result);
    }
    result->damaged = training->damaged;
    close_all(training);
    free(training);
    return good;
}

void training_result_free(struct training_result *result) {
    free(result->parameters);
    *result = (struct training_result){0};
}
