/* The bench signature (as in Stockfish): each part does fixed work and counts it exactly, so that a change of behaviour
 * changes a number. The parts are rows of one table. Their instances are generated from fixed seeds or written out
 * below, so that they do not depend on any other file. */
#include "lab/bench.h"

#include "base/budget.h"
#include "base/buffer.h"
#include "base/hash.h"
#include "domain/domain.h"
#include "lab/bench_environments.h"
#include "lab/bench_guide.h"
#include "lab/bench_net.h"
#include "search/special/registry.h"

#include <stdlib.h>
#include <string.h>

struct bench_pass {
    const struct bench_task *task;
    soloist_puzzle puzzle;
    const soloist_instance *instance; /* the instance of a session, if the domain has sessions */
    soloist_shape shape;
    uint64_t count, signature;
    soloist_error *error;
};

struct bench_task {
    const char *name;
    const soloist_domain *domain;
    const char *text; /* the instance's text; NULL: a random SameGame board of side `side`, from seed 1 */
    bool (*work)(struct bench_pass *pass);
    const char *method; /* the method, for parts that solve */
    int64_t amount;     /* what the part needs: number of play-outs or expansions, depth, threshold or node limit */
    int policy, side;
    int passes; /* number of passes at scale 1 */
};

static void sign(struct bench_pass *pass, uint64_t value) {
    pass->signature = hash_mix(pass->signature ^ value) + 0x9e3779b97f4a7c15u;
}

/* ---- work ---- */

static bool out_of_memory(struct bench_pass *pass) {
    return soloist_fail(pass->error, 0, 0, "%s: no memory", pass->task->name);
}

/* `amount` play-outs by the domain's own sampler. */
static bool work_playouts(struct bench_pass *pass) {
    const struct bench_task *task = pass->task;
    const soloist_domain *domain = task->domain;
    int limit = pass->shape.most_steps ? pass->shape.most_steps : 1000;
    void *state = malloc(pass->shape.state_size);
    soloist_move *trace = malloc((size_t)limit * sizeof *trace);
    for (int64_t i = 0; state && trace && i < task->amount; i++) {
        soloist_rng rng;
        soloist_rng_seed(&rng, 1, (uint64_t)i);
        domain->life->root(pass->instance, state);
        soloist_playout playout =
            domain->sample->playout(pass->instance, state, task->policy, limit, &rng, trace, NULL);
        sign(pass, (uint64_t)(uint32_t)playout.value << 32 | (uint32_t)playout.length);
        for (int32_t k = 0; k < playout.length; k += 8)
            sign(pass, trace[k]);
        pass->count++;
    }
    bool done = state && trace;
    free(state);
    free(trace);
    return done || out_of_memory(pass);
}

/* `amount` batched expansions along random lines of play; counts children. */
static bool work_expand(struct bench_pass *pass) {
    const soloist_core *core = pass->task->domain->core;
    const soloist_instance *instance = pass->instance;
    unsigned want = SOLOIST_WANT_KEY | (pass->task->domain->bound ? SOLOIST_WANT_BOUND : 0);
    soloist_child *children = malloc(((size_t)pass->shape.most_moves + 1) * sizeof *children);
    void *state = malloc(pass->shape.state_size);
    soloist_move last = SOLOIST_NO_MOVE;
    soloist_rng rng;
    soloist_rng_seed(&rng, 2, 0);
    if (state)
        pass->task->domain->life->root(instance, state);
    for (int64_t i = 0; state && children && i < pass->task->amount; i++) {
        int count = core->expand(instance, state, last, want, children);
        pass->count += (uint64_t)count;
        if (!count) {
            pass->task->domain->life->root(instance, state);
            last = SOLOIST_NO_MOVE;
            continue;
        }
        const soloist_child *child = &children[soloist_rng_below(&rng, (uint32_t)count)];
        sign(pass, child->key ^ (uint64_t)(uint32_t)child->step << 32 ^ (uint32_t)(want & 2 ? child->bound : 0));
        last = child->move;
        core->apply(instance, state, last, NULL);
    }
    bool done = state && children;
    free(state);
    free(children);
    return done || out_of_memory(pass);
}

/* Perft: counts the lines of exactly `depth` moves and those that end earlier. `level` holds the moves and the undo
 * record of one level. */
static void perft(struct bench_pass *pass, void *state, int depth, unsigned char *level, size_t level_size) {
    const soloist_core *core = pass->task->domain->core;
    const soloist_instance *instance = pass->instance;
    int32_t last;
    if (depth == 0 || core->ended(instance, state, &last)) {
        pass->count++;
        pass->signature += hash_mix(core->key(instance, state));
        return;
    }
    soloist_move *moves = (soloist_move *)(level + level_size / 2);
    int count = core->moves(instance, state, moves);
    for (int i = 0; i < count; i++) {
        core->apply(instance, state, moves[i], level);
        perft(pass, state, depth - 1, level + level_size, level_size);
        core->undo(instance, state, moves[i], level);
    }
}

static bool work_perft(struct bench_pass *pass) {
    size_t moves_size = (size_t)pass->shape.most_moves * sizeof(soloist_move);
    size_t half = (pass->shape.undo_size > moves_size ? pass->shape.undo_size : moves_size) + 63;
    size_t level_size = 2 * (half & ~(size_t)63);
    int depth = (int)pass->task->amount;
    void *state = malloc(pass->shape.state_size);
    unsigned char *levels = malloc(level_size * ((size_t)depth + 1));
    bool done = state && levels;
    if (done) {
        pass->task->domain->life->root(pass->instance, state);
        perft(pass, state, depth, levels, level_size);
    }
    free(state);
    free(levels);
    return done || out_of_memory(pass);
}

static bool solve(struct bench_pass *pass, const soloist_puzzle *puzzle, soloist_network *network) {
    soloist *engine = soloist_new();
    soloist_limits limits = {.nodes = (uint64_t)pass->task->amount, .seed = 3, .network = network};
    soloist_result result;
    soloist_code code = soloist_solve(engine, puzzle, pass->task->method, &limits, NULL, &result, pass->error);
    pass->count = result.nodes;
    sign(pass, (uint64_t)result.status << 8 | (uint64_t)result.stopped);
    sign(pass, (uint64_t)result.verdict.value);
    sign(pass, result.iterations);
    if (result.solution)
        sign(pass, hash_bytes(result.solution, strlen(result.solution)));
    soloist_result_free(&result);
    soloist_free(engine);
    return code == SOLOIST_OK;
}

/* One solve with a node limit. */
static bool work_solve(struct bench_pass *pass) { return solve(pass, &pass->puzzle, NULL); }

static bool read_puzzle(const struct bench_task *task, soloist_puzzle *puzzle, soloist_error *error);

/* The same on a new instance in every pass: a Sokoban instance remembers deadlocks that a search finds, so a second
 * pass on it would do less work. */
static bool work_solve_fresh(struct bench_pass *pass) {
    soloist_puzzle puzzle;
    if (!read_puzzle(pass->task, &puzzle, pass->error))
        return false;
    bool done = solve(pass, &puzzle, NULL);
    soloist_puzzle_free(&puzzle);
    return done;
}

/* The same with pseudo-random priors and values, computed from the states' keys. */
static bool work_solve_guided(struct bench_pass *pass) {
    struct bench_guide guide;
    return solve(pass, &pass->puzzle, bench_guide_open(&guide, pass->task->domain));
}

/* Searches all nodes at or below the threshold `amount`, which is less than the solution's cost. */
static bool depth_first(struct bench_pass *pass,
                        enum depth_first_end (*go_on)(struct depth_first *search, uint64_t limit)) {
    struct memory memory;
    struct depth_first search;
    memory_open(&memory, 0);
    bool done = depth_first_open(&search, pass->task->domain, pass->instance, &memory);
    if (done) {
        enum depth_first_end end = depth_first_begin(&search, (int32_t)pass->task->amount);
        if (end == DEPTH_FIRST_LIMIT)
            end = go_on(&search, UINT64_MAX);
        pass->count = search.generated;
        sign(pass, (uint64_t)end);
        sign(pass, (uint64_t)search.next_threshold);
    }
    depth_first_close(&search);
    return done || out_of_memory(pass);
}

/* Evaluates `amount` positions by a network. */
static bool work_network(struct bench_pass *pass) {
    return bench_network(pass->task->domain, pass->instance, pass->task->amount, &pass->count, &pass->signature,
                         pass->error);
}

/* `amount` steps on each of `side` boards, with levels of stage 1 of the curriculum of Ge 2018. */
static bool work_environments(struct bench_pass *pass) {
    static const char levels[] = "max_action_depth=10,total_positions=100,allow_box_on_goal=true";
    return bench_environments(pass->task->domain, levels, "rl", pass->task->side, pass->task->amount, &pass->count,
                              &pass->signature, pass->error);
}

static bool work_depth_first(struct bench_pass *pass) { return depth_first(pass, depth_first_generic); }
static bool work_depth_first_special(struct bench_pass *pass) {
    return depth_first(pass, special_ida_star(pass->task->domain)->depth_first(pass->puzzle.instance));
}

/* ---- the parts ---- */

/* A level whose goals are filled from all sides; a level whose lack of a solution only a search can prove; two small
 * levels. */
static const char depot[] = "############\n"
                            "#          #\n"
                            "#  $ $ $   #\n"
                            "#   ####   #\n"
                            "# $ #..  $ #\n"
                            "#   #..@   #\n"
                            "#   #..  $ #\n"
                            "#          #\n"
                            "############\n";
static const char sealed_depot[] = "##########\n"
                                   "#   #    #\n"
                                   "# $   $  #\n"
                                   "#  ## #  #\n"
                                   "## ....@##\n"
                                   "#  ## #  #\n"
                                   "# $   $  #\n"
                                   "#   #    #\n"
                                   "##########\n";
static const char yard[] = "##########\n"
                           "#        #\n"
                           "# $ #..  #\n"
                           "#  $#..$ #\n"
                           "#   ##   #\n"
                           "# $  @   #\n"
                           "#        #\n"
                           "##########\n";
static const char crossing[] = "##########\n"
                               "#  . #   #\n"
                               "# $ $ $  #\n"
                               "#  ##    #\n"
                               "## . . . #\n"
                               "#  ## $  #\n"
                               "# $ @ . ##\n"
                               "#   #    #\n"
                               "##########\n";
static const char narrows[] = "  ####\n"
                              "###. #\n"
                              "# . .###\n"
                              "##   . #\n"
                              "# $ $. #\n"
                              "# . #  #\n"
                              "# $ #$ #\n"
                              "##  #  #\n"
                              " #$$#$$#\n"
                              " # @. .#\n"
                              " #######\n";
static const char tiles8[] = "8 6 7 2 5 4 3 0 1\n";
static const char tiles15[] = "11 8 9 3 1 13 4 15 6 10 0 14 2 7 12 5\n"; /* its solution has 50 moves */
static const char easy_tiles15[] = "5 4 1 3 6 9 14 13 7 8 2 0 12 15 11 10\n";
static const char stack8[] = "7 2 5 1 8 4 6 3\n";
static const char stack24[] = "17 4 22 9 1 13 20 6 24 11 3 15 8 19 2 23 10 5 14 21 7 16 12 18\n";
static const char empty_grid[] = ".........\n";

static const struct bench_task tasks[] = {
    {"samegame.playouts", &samegame_domain, NULL, work_playouts, NULL, 2000, 0, 15, 20},
    {"samegame.tabu", &samegame_domain, NULL, work_playouts, NULL, 2000, 1, 15, 20},
    {"samegame.playouts30", &samegame_domain, NULL, work_playouts, NULL, 200, 0, 30, 40},
    {"samegame.expand", &samegame_domain, NULL, work_expand, NULL, 5000, 0, 15, 30},
    {"sokoban.expand", &sokoban_domain, depot, work_expand, NULL, 20000, 0, 0, 10},
    {"sokoban.perft", &sokoban_domain, depot, work_perft, NULL, 4, 0, 0, 20},
    {"sokoban-moves.perft", &sokoban_moves_domain, depot, work_perft, NULL, 10, 0, 0, 20},
    {"sokoban.environments", &sokoban_moves_domain, yard, work_environments, NULL, 500, 0, 1024, 60},
    {"tiles.expand", &tiles_domain, tiles15, work_depth_first, NULL, 46, 0, 0, 30},
    {"tiles.specialised", &tiles_domain, tiles15, work_depth_first_special, NULL, 46, 0, 0, 60},
    {"pancake.expand", &pancake_domain, stack24, work_expand, NULL, 50000, 0, 0, 30},
    {"tictactoe.perft", &tictactoe_domain, empty_grid, work_perft, NULL, 9, 0, 0, 15},
    {"idastar.tiles", &tiles_domain, easy_tiles15, work_solve, "idastar", 0, 0, 0, 30},
    {"idastar.pancake", &pancake_domain, stack24, work_solve, "idastar", 0, 0, 0, 300},
    {"idastar.dual", &pancake_domain, stack24, work_solve, "idastar:dual", 0, 0, 0, 3000},
    {"bfs.sokoban", &sokoban_domain, yard, work_solve, "bfs", 0, 0, 0, 20},
    {"bfs.tiles", &tiles_domain, tiles8, work_solve, "bfs", 0, 0, 0, 5},
    {"bfs.pancake", &pancake_domain, stack8, work_solve, "bfs", 0, 0, 0, 10},
    {"astar.sokoban", &sokoban_domain, sealed_depot, work_solve, "astar", 0, 0, 0, 5},
    {"astar.tiles", &tiles_domain, easy_tiles15, work_solve, "astar", 0, 0, 0, 5},
    {"astar.pancake", &pancake_domain, stack24, work_solve, "astar", 0, 0, 0, 100},
    {"greedy.sokoban", &sokoban_domain, crossing, work_solve, "greedy:improve", 50000, 0, 0, 1000},
    {"greedy.samegame", &samegame_domain, NULL, work_solve, "greedy", 50000, 0, 15, 50},
    {"random.samegame", &samegame_domain, NULL, work_solve, "random", 50000, 0, 15, 30},
    {"mcts.samegame", &samegame_domain, NULL, work_solve, "marocchi-uct:c=300", 20000, 0, 15, 3},
    {"mcts.tabu", &samegame_domain, NULL, work_solve, "mcts:per_move=100", 5000, 0, 15, 10},
    {"mcts.spmcts", &samegame_domain, NULL, work_solve, "marocchi-spmcts:per_move=100,keep=false", 5000, 0, 15, 10},
    {"mcts.ucb1tuned", &samegame_domain, NULL, work_solve, "marocchi-ucb1tuned:c=200,insert", 5000, 0, 15, 10},
    {"mcts.rave", &samegame_domain, NULL, work_solve, "marocchi-uct:c=100,rave=20", 5000, 0, 15, 10},
    {"mcts.pool", &samegame_domain, NULL, work_solve, "marocchi-uct:c=100,pool=500,eliminate", 5000, 0, 15, 10},
    {"mcts.puct", &samegame_domain, NULL, work_solve,
     "marocchi-uct:rule=puct,expand=all,unvisited=inherit,normalise=max-min,ties=order", 20000, 0, 15, 10},
    {"mcts.local", &samegame_domain, NULL, work_solve, "marocchi-uct:normalise=space-local,best_share=0.2", 5000, 0, 15,
     10},
    {"mcts.seify", &samegame_domain, NULL, work_solve, "seify-mcts", 20000, 0, 15, 10},
    {"mcts.uct-score", &samegame_domain, NULL, work_solve, "uct", 5000, 0, 15, 10},
    {"mcts.spmcts-score", &samegame_domain, NULL, work_solve, "spmcts", 5000, 0, 15, 10},
    {"mcts.ucb1tuned-score", &samegame_domain, NULL, work_solve, "ucb1tuned", 5000, 0, 15, 10},
    {"mcts.marocchi", &sokoban_domain, yard, work_solve, "marocchi-uct:simulate=random", 2000, 0, 0, 5},
    {"mcts.uct", &sokoban_domain, crossing, work_solve, "uct", 2000, 0, 0, 5},
    {"mcts.stop", &sokoban_domain, crossing, work_solve, "uct:simulate=random,cycles=stop", 2000, 0, 0, 5},
    {"mcts.ida", &sokoban_domain, crossing, work_solve, "uct:simulate=eps-ida,improve", 200, 0, 0, 5},
    {"mcts.vanillaban", &sokoban_domain, yard, work_solve, "vanillaban", 5000, 0, 0, 10},
    {"mcts.schokoban", &sokoban_domain, yard, work_solve, "schokoban:improve", 5000, 0, 0, 10},
    {"mcts.vanillaban-tuned", &sokoban_domain, yard, work_solve, "vanillaban-tuned", 5000, 0, 0, 10},
    {"mcts.schokoban-tuned", &sokoban_domain, yard, work_solve, "schokoban-tuned:improve", 5000, 0, 0, 10},
    {"mcts.sokoban", &sokoban_domain, depot, work_solve, "mcts", 5000, 0, 0, 10},
    {"nrpa.samegame", &samegame_domain, NULL, work_solve, "nrpa:race=false,n=12", 200000, 0, 15, 2},
    {"nrpa.beam", &samegame_domain, NULL, work_solve, "nrpa:level=2,n=20,playouts=1,beam=3,race=false", 2000, 0, 15,
     10},
    {"nrpa.stages", &samegame_domain, NULL, work_solve,
     "nrpa:stages_least=0,refined_least=100,level=2,playouts=2,cut_playouts=100,tail=500", 100000, 0, 15, 4},
    {"nrpa.sokoban", &sokoban_domain, crossing, work_solve, "nrpa:improve", 2000, 0, 0, 10},
    {"nmcs.samegame", &samegame_domain, NULL, work_solve, "nmcs", 50000, 0, 15, 5},
    {"nmcts.samegame", &samegame_domain, NULL, work_solve, "nmcts:n=50", 50000, 0, 15, 5},
    {"bnb.samegame", &samegame_domain, NULL, work_solve, "bnb", 0, 0, 6, 10},
    {"bestfirst.samegame", &samegame_domain, NULL, work_solve, "bestfirst", 0, 0, 6, 10},
    {"beam.tiles", &tiles_domain, easy_tiles15, work_solve, "beam", 50000, 0, 0, 10},
    {"dbbs.pancake", &pancake_domain, stack24, work_solve, "dbbs", 0, 0, 0, 10},
    {"bae.pancake", &pancake_domain, stack24, work_solve, "bae", 0, 0, 0, 10},
    {"nbs.pancake", &pancake_domain, stack24, work_solve, "nbs", 0, 0, 0, 10},
    {"mm.pancake", &pancake_domain, stack24, work_solve, "mm", 0, 0, 0, 10},
    {"auto.sokoban", &sokoban_domain, narrows, work_solve_fresh, "auto", 60000, 0, 0, 3},
    {"auto.samegame", &samegame_domain, NULL, work_solve, "auto", 100000, 0, 10, 3},
    {"auto.tiles", &tiles_domain, easy_tiles15, work_solve, "auto", 0, 0, 0, 10},
    {"auto.pancake", &pancake_domain, stack24, work_solve, "auto", 0, 0, 0, 300},
    {"fess.sokoban", &sokoban_domain, narrows, work_solve_fresh, "fess", 60000, 0, 0, 10},
    {"bhpa.sokoban", &sokoban_domain, narrows, work_solve_fresh, "bhpa", 60000, 0, 0, 10},
    {"policy-mcts.samegame", &samegame_domain, NULL, work_solve_guided, "policy-mcts", 5000, 0, 15, 10},
    {"pv-mcts.samegame", &samegame_domain, NULL, work_solve_guided, "pv-mcts", 5000, 0, 10, 10},
    {"levints.sokoban", &sokoban_domain, yard, work_solve_guided, "levints", 20000, 0, 0, 10},
    {"phs.sokoban", &sokoban_domain, yard, work_solve_guided, "phs:batch=4", 20000, 0, 0, 10},
    {"astar.network", &sokoban_domain, yard, work_solve_guided, "astar:bound=network,batch=4", 20000, 0, 0, 10},
    {"exit-mcts.sokoban", &sokoban_moves_domain, yard, work_solve_guided, "exit-mcts:games=0", 2000, 0, 0, 10},
    {"net.cpu", &samegame_domain, NULL, work_network, NULL, 256, 0, 15, 2},
    {"bimcts.tiles", &tiles_domain, "1 2 5 3 4 0 6 7 8\n", work_solve, "bimcts", 5000, 0, 0, 10},
};

size_t bench_count(void) { return sizeof tasks / sizeof tasks[0]; }
const char *bench_part(size_t index) { return index < bench_count() ? tasks[index].name : NULL; }

/* ---- instances ---- */

/* Writes a square board of five colours; each cell gets a random colour. */
static void draw_board(int side, const soloist_sink *sink) {
    soloist_rng rng;
    soloist_rng_seed(&rng, 1, (uint64_t)side);
    for (int row = 0; row < side; row++) {
        for (int column = 0; column < side; column++)
            soloist_print(sink, "%d", 1 + (int)soloist_rng_below(&rng, 5));
        soloist_put(sink, "\n");
    }
}

static bool read_puzzle(const struct bench_task *task, soloist_puzzle *puzzle, soloist_error *error) {
    struct buffer buffer;
    buffer_open(&buffer);
    soloist_sink sink = buffer_sink(&buffer);
    if (task->text)
        soloist_put(&sink, task->text);
    else
        draw_board(task->side, &sink);
    soloist_cursor cursor = soloist_cursor_open(buffer.text, buffer.length);
    soloist_chunk chunk;
    bool found = !buffer.failed && task->domain->life->next(&cursor, &chunk);
    if (!found)
        soloist_fail(error, 0, 0, "%s: no %s", task->name, buffer.failed ? "memory" : "instance");
    bool read = found && soloist_puzzle_read(task->domain, NULL, &chunk, puzzle, error) == SOLOIST_OK;
    buffer_close(&buffer);
    return read;
}

/* ---- running ---- */

bool bench_run(size_t index, double scale, struct bench_row *row, soloist_error *error) {
    if (index >= bench_count() || !row)
        return soloist_fail(error, 0, 0, "no such part");
    const struct bench_task *task = &tasks[index];
    struct bench_pass first = {.task = task, .error = error};
    if (!read_puzzle(task, &first.puzzle, error))
        return false;
    const soloist_life *life = task->domain->life;
    soloist_instance *session = NULL;
    first.instance = first.puzzle.instance;
    if (life->session)
        first.instance = session = life->session(first.puzzle.instance, &(soloist_work){.threads = 1}, error);
    if (!first.instance) {
        soloist_puzzle_free(&first.puzzle);
        return false;
    }
    life->shape(first.instance, &first.shape);
    int passes = (int)(task->passes * scale);
    struct bench_pass pass = first;
    double start = clock_cpu_seconds();
    bool done = task->work(&first);
    for (int i = 1; done && i < passes; i++) {
        struct bench_pass again = pass;
        done = task->work(&again);
        if (done && (again.count != first.count || again.signature != first.signature))
            done = soloist_fail(error, 0, 0, "%s: two passes differ", task->name);
    }
    row->time_s = clock_cpu_seconds() - start;
    if (session)
        life->destroy(session);
    soloist_puzzle_free(&first.puzzle);
    row->part = task->name;
    row->count = first.count;
    row->signature = first.signature;
    row->per_s = row->time_s > 0 ? (double)first.count * (passes > 1 ? passes : 1) / row->time_s : 0;
    return done;
}
