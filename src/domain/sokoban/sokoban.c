/* The two Sokoban domains: pushes (D1) and single steps (D2) over the same instance and states. */
#include "domain/sokoban/sokoban.h"

#include "domain/domain.h"
#include "domain/sokoban/generate/generator.h"

/* The option rules=none: what is left are the bound, what the cost counts, and the deadlock tables. */
static struct sokoban_rules without_rules(struct sokoban_rules rules) {
    return (struct sokoban_rules){.bound = rules.bound,
                                  .exact = rules.exact,
                                  .steps = rules.steps,
                                  .pairs = SOKOBAN_PAIRS_OFF,
                                  .deadlock_tables = rules.deadlock_tables,
                                  .share = SOKOBAN_SHARE_NEVER};
}

/* The deadlock rules and macros of a document; everything else stays as the options say. */
static void follow_document(struct sokoban_rules *rules, int document) {
    bool macros = document == SOKOBAN_RULES_MAROCCHI;
    if (document != SOKOBAN_RULES_KROGER && !macros)
        return;
    rules->freeze = true;
    rules->wall_line = !macros;
    rules->bipartite = rules->diagonals = rules->corrals = rules->corral_deadlocks = false;
    rules->deadlock_tables = rules->pattern_deadlocks = false;
    rules->pairs = SOKOBAN_PAIRS_OFF;
    rules->triples = 0;
    rules->penalties = SOKOBAN_PENALTIES_NONE;
    macros = macros && !rules->exact;
    rules->tunnels = macros ? SOKOBAN_TUNNELS_OUT : SOKOBAN_TUNNELS_NONE;
    rules->goal_macros = macros;
    rules->goal_cuts = macros ? SOKOBAN_GOAL_CUTS_NEAR : SOKOBAN_GOAL_CUTS_NONE;
    rules->listing = macros ? SOKOBAN_LISTING_MACROS : SOKOBAN_LISTING_LEGAL;
}

static soloist_instance *push_parse_within(const soloist_chunk *chunk, const void *options, const soloist_work *work,
                                           soloist_error *error) {
    const struct sokoban_options *o = options;
    struct sokoban_rules rules = {.bound = o->bound,
                                  .dead_squares = true,
                                  .freeze = o->freeze,
                                  .wall_line = o->wall_line,
                                  .bipartite = o->bipartite,
                                  .diagonals = o->diagonals,
                                  .exact = o->optimal == 1,
                                  .corrals = o->corrals && !o->optimal,
                                  .corral_deadlocks = o->corral_deadlocks,
                                  .pairs = o->pairs,
                                  .triples = (int)o->triples,
                                  .deadlock_tables = o->deadlock_tables,
                                  .tunnels = o->optimal ? SOKOBAN_TUNNELS_NONE : o->tunnels,
                                  .goal_macros = o->goal_macros && !o->optimal,
                                  .goal_cuts = o->goal_cuts,
                                  .listing = o->listing,
                                  .pattern_deadlocks = o->pattern_deadlocks,
                                  .share = o->share,
                                  .penalties = o->penalties,
                                  .deadlock_nodes = (int)o->deadlock_nodes,
                                  .penalty_nodes = (int)o->penalty_nodes,
                                  .pattern_zone = (int)o->pattern_zone};
    follow_document(&rules, o->rules);
    if (o->rules == SOKOBAN_RULES_NONE)
        rules = without_rules(rules);
    return (soloist_instance *)(void *)sokoban_open(chunk, &rules, work->stop, error);
}

static soloist_instance *push_parse(const soloist_chunk *chunk, const void *options, soloist_error *error) {
    return push_parse_within(chunk, options, &(const soloist_work){0}, error);
}

static soloist_instance *step_parse_within(const soloist_chunk *chunk, const void *options, const soloist_work *work,
                                           soloist_error *error) {
    const struct sokoban_moves_options *o = options;
    struct sokoban_rules rules = {.bound = o->bound,
                                  .dead_squares = true,
                                  .freeze = o->freeze,
                                  .wall_line = o->wall_line,
                                  .bipartite = o->bipartite,
                                  .diagonals = o->diagonals,
                                  .exact = true,
                                  .steps = true,
                                  .pairs = SOKOBAN_PAIRS_OFF};
    if (o->rules == SOKOBAN_RULES_NONE)
        rules = without_rules(rules);
    return (soloist_instance *)(void *)sokoban_open(chunk, &rules, work->stop, error);
}

static soloist_instance *step_parse(const soloist_chunk *chunk, const void *options, soloist_error *error) {
    return step_parse_within(chunk, options, &(const soloist_work){0}, error);
}

static int most_moves(const struct sokoban *game) {
    if (game->rules.steps)
        return 8;
    /* Backward play with the player's own square: there are up to four possible last pushes, and before each the player
     * can have stood wherever a push can have ended. */
    if (game->rules.exact)
        return 4 * (4 * game->boxes + 1);
    return sokoban_has_macros(game) ? 8 * game->boxes : 4 * game->boxes;
}

/* Bytes of the tables that have one entry for each place of a box and each goal or box: nearly all bytes. */
static size_t instance_size(const struct sokoban *game) {
    size_t posts = (size_t)game->posts, tables = game->cost == game->pushes ? 2 : 3;
    size_t entries = (tables * posts + (size_t)game->size) * (size_t)game->goals + posts * (size_t)game->boxes;
    return sizeof *game + entries * sizeof(int32_t);
}

static void shape_of(const soloist_instance *instance, soloist_shape *shape) {
    const struct sokoban *game = sokoban_of(instance);
    *shape = (soloist_shape){
        .state_size = sokoban_state_size(game),
        .undo_size = sizeof(struct sokoban_undo),
        .packed_size = sokoban_packed_size(game),
        .most_moves = most_moves(game),
        .least_step = 1,
        .instance_size = instance_size(game),
        .session_size = game->rules.steps ? 0 : sokoban_learned_size(game),
    };
}

static const char *impossible(const soloist_instance *instance) { return sokoban_of(instance)->impossible; }

static const soloist_life push_life = {
    .size = sizeof(soloist_life),
    .recognise = sokoban_recognise,
    .next = sokoban_next,
    .parse = push_parse,
    .destroy = sokoban_close,
    .shape = shape_of,
    .root = sokoban_root,
    .impossible = impossible,
    .session = sokoban_session,
    .parse_within = push_parse_within,
};

/* A file of levels is recognised as `sokoban`, whose moves are pushes, unless the user names the other domain. */
static int step_recognise(const char *text, size_t length) {
    (void)text, (void)length;
    return 0;
}

static const soloist_life step_life = {
    .size = sizeof(soloist_life),
    .recognise = step_recognise,
    .next = sokoban_next,
    .parse = step_parse,
    .destroy = sokoban_close,
    .shape = shape_of,
    .root = sokoban_root,
    .impossible = impossible,
    .session = sokoban_session,
    .parse_within = step_parse_within,
};

const soloist_domain sokoban_domain = {
    .abi = SOLOIST_ABI,
    .size = sizeof(soloist_domain),
    .name = "sokoban",
    .summary = "Sokoban: push every box onto a goal; each move is a push",
    .aim = SOLOIST_LEAST_COST,
    .players = 1,
    .options = sokoban_options_rows,
    .options_size = sizeof(struct sokoban_options),
    .life = &push_life,
    .core = &sokoban_push_core,
    .text = &sokoban_text,
    .bound = &sokoban_bound,
    .reverse = &sokoban_reverse,
    .pack = &sokoban_pack,
    .sample = &sokoban_sample,
    .reward = &sokoban_reward,
    .learn = &sokoban_push_learn,
    .generate = &sokoban_generate,
    .tables = &sokoban_tables,
    .features = &sokoban_features,
    .hints = &sokoban_hints,
};

const soloist_domain sokoban_moves_domain = {
    .abi = SOLOIST_ABI,
    .size = sizeof(soloist_domain),
    .name = "sokoban-moves",
    .summary = "Sokoban: push every box onto a goal; each move is one step of the player",
    .aim = SOLOIST_LEAST_COST,
    .players = 1,
    .options = sokoban_moves_options_rows,
    .options_size = sizeof(struct sokoban_moves_options),
    .life = &step_life,
    .core = &sokoban_step_core,
    .text = &sokoban_step_text,
    .bound = &sokoban_bound,
    .reverse = &sokoban_step_reverse,
    .pack = &sokoban_pack,
    .reward = &sokoban_reward,
    .learn = &sokoban_step_learn,
    .generate = &sokoban_generate,
    .environments = &sokoban_environments,
};
