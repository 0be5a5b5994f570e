/* The methods of the Monte-Carlo tree search family: the same search with different values of its options. */
#include "search/mcts/mcts.h"

static const struct option_alias aliases[] = {{"way", NULL, "path_weight"},
                                              {"second_way", NULL, "second_path_weight"},
                                              {"states", "once", "one-node"},
                                              {NULL, NULL, NULL}};

/* The three formulas with settings that suit any domain. Raw scores differ in size from one instance to the next, so a
 * constant that suits one board makes the search stand still on another: with c=4 on scores the results of 10,000 and
 * of 184,019 iterations on 15x15 SameGame were the same. Therefore values are scaled to 0..1, and short games are
 * played move by move, again and again. docs/MEASURED.md has the scores of the settings that were tried. */
#define SCORE_PRESET "normalise=max-min,eliminate=true,per_move=100,keep=false,"
/* Results of games for two players lie between -1 and 1. */
#define TWO_PLAYER_PRESET "per_move=1500,"
/* Puzzles like Sokoban: node elimination, cycle avoidance and eps-greedy play-outs as in Marocchi and Crippa 2017, with
 * the best constants of their Figures 5.2 to 5.9. */
#define GOAL_PRESET "cycles=avoid,eliminate=true,simulate=eps-greedy,eps=0.2,"

static enum search_network network(const void *options) {
    return mcts_is_learned(options) ? SEARCH_NETWORK_WITH_VALUES : SEARCH_NETWORK_NONE;
}

static unsigned ignores(const void *options) { return mcts_is_learned(options) ? 0 : search_ignores_network(options); }

const struct search_method search_uct = {
    .name = "uct",
    .summary = "Monte-Carlo tree search with upper confidence bounds (UCT)",
    .options = mcts_options_rows,
    .aliases = aliases,
    .options_size = sizeof(struct mcts_options),
    .preset = SCORE_PRESET "c=0.5",
    .goal_preset = GOAL_PRESET "c=6",
    .two_player_preset = TWO_PLAYER_PRESET "c=1",
    .needs = SEARCH_NEEDS_LIMIT,
    .suits = mcts_suits,
    .network = network,
    .ignores = ignores,
    .run = mcts_run,
    .ranks = true,
};

const struct search_method search_sp_mcts = {
    .name = "spmcts",
    .summary = "single-player Monte-Carlo tree search (SP-MCTS): also favours children whose results vary much",
    .options = mcts_options_rows,
    .aliases = aliases,
    .options_size = sizeof(struct mcts_options),
    .preset = SCORE_PRESET "rule=sp,c=0.1,d=1",
    .goal_preset = GOAL_PRESET "rule=sp,c=2,d=32",
    .two_player_preset = TWO_PLAYER_PRESET "rule=sp,c=1,d=1",
    .needs = SEARCH_NEEDS_LIMIT,
    .suits = mcts_suits,
    .network = network,
    .ignores = ignores,
    .run = mcts_run,
    .ranks = true,
};

const struct search_method search_ucb1_tuned = {
    .name = "ucb1tuned",
    .summary = "Monte-Carlo tree search with UCB1-Tuned: the variance of results limits exploration",
    .options = mcts_options_rows,
    .aliases = aliases,
    .options_size = sizeof(struct mcts_options),
    .preset = SCORE_PRESET "rule=ucb1tuned,c=0.5",
    .goal_preset = GOAL_PRESET "rule=ucb1tuned,c=0.05",
    .two_player_preset = TWO_PLAYER_PRESET "rule=ucb1tuned,c=2",
    .needs = SEARCH_NEEDS_LIMIT,
    .suits = mcts_suits,
    .network = network,
    .ignores = ignores,
    .run = mcts_run,
    .ranks = true,
};

/* The settings of Marocchi and Crippa 2017: raw values, and constants of their own for SameGame (Tables 5.1 and 5.5)
 * and for Sokoban (Figures 5.2 to 5.9), where a line ends at a dead state instead of not being tried. */
#define MAROCCHI_GOAL GOAL_PRESET "prune=false,"

const struct search_method search_marocchi_uct = {
    .name = "marocchi-uct",
    .summary = "UCT with the settings of Marocchi and Crippa (2017)",
    .options = mcts_options_rows,
    .aliases = aliases,
    .options_size = sizeof(struct mcts_options),
    .preset = "c=4",
    .goal_preset = MAROCCHI_GOAL "reward=negative-bm,c=6",
    .rules = "marocchi",
    .needs = SEARCH_NEEDS_LIMIT,
    .suits = mcts_suits,
    .network = network,
    .ignores = ignores,
    .run = mcts_run,
    .ranks = true,
};

const struct search_method search_marocchi_sp_mcts = {
    .name = "marocchi-spmcts",
    .summary = "SP-MCTS with the settings of Marocchi and Crippa (2017)",
    .options = mcts_options_rows,
    .aliases = aliases,
    .options_size = sizeof(struct mcts_options),
    .preset = "rule=sp,c=4.31,d=96.67",
    .goal_preset = MAROCCHI_GOAL "reward=negative-bm,rule=sp,c=2,d=32",
    .rules = "marocchi",
    .needs = SEARCH_NEEDS_LIMIT,
    .suits = mcts_suits,
    .network = network,
    .ignores = ignores,
    .run = mcts_run,
    .ranks = true,
};

const struct search_method search_marocchi_ucb1_tuned = {
    .name = "marocchi-ucb1tuned",
    .summary = "UCB1-Tuned with the settings of Marocchi and Crippa (2017)",
    .options = mcts_options_rows,
    .aliases = aliases,
    .options_size = sizeof(struct mcts_options),
    .preset = "rule=ucb1tuned,c=10",
    .goal_preset = MAROCCHI_GOAL "reward=inverse-bm,rule=ucb1tuned,c=0.05",
    .rules = "marocchi",
    .needs = SEARCH_NEEDS_LIMIT,
    .suits = mcts_suits,
    .network = network,
    .ignores = ignores,
    .run = mcts_run,
    .ranks = true,
};

/* Seify 2020, section 4.3: PUCT with the same prior for every move, means scaled by the least and the greatest mean
 * among a node's children, all children added at the first visit, and an unvisited child worth its parent's first
 * result. C is 2 in his Tables 4.1 to 4.3 and on boards of 15x15, 4 on 10x10 and 30 on 7x7 (Table 5.4), 10 in Table 5.6
 * and 5 in Table 6.1. */
const struct search_method search_seify_mcts = {
    .name = "seify-mcts",
    .summary = "Monte-Carlo tree search without a network as in Seify (2020): PUCT with equal priors and with values "
               "scaled to 0..1",
    .options = mcts_options_rows,
    .aliases = aliases,
    .options_size = sizeof(struct mcts_options),
    .preset = "rule=puct,expand=all,unvisited=inherit,normalise=max-min,c=2,virtual_loss=0.01,merge=true",
    .needs = SEARCH_NEEDS_LIMIT,
    .suits = mcts_suits,
    .network = network,
    .ignores = ignores,
    .run = mcts_run,
    .ranks = true,
};

/* Kröger 2024: the two programs differ only in how they treat a state that was met before. The thesis does not state c.
 * Of the values 4, 5, 6 and 8, c=5 comes closest to the published numbers of levels with the thesis's deadlock rules
 * (T9). Ties are broken at random, as in the thesis's section B. Vanillaban also needs a rule that the text omits, but
 * that the published program has: no state may occur twice on one line. As in the published program, but unlike the
 * text, dead children are not added, so they cost no iteration. */
#define VANILLABAN "expand=all,expand_visits=1,simulate=none,eliminate=true,reward=negative-bm,"

const struct search_method search_vanillaban = {
    .name = "vanillaban",
    .summary = "tree search without play-outs as in Kroger (2024): the value of a state is minus the least cost of a "
               "matching of boxes with goals by Manhattan distances",
    .options = mcts_options_rows,
    .aliases = aliases,
    .options_size = sizeof(struct mcts_options),
    .goal_preset = VANILLABAN "ties=random,cycles=avoid,c=5",
    .rules = "kroger",
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_GOAL | SEARCH_NEEDS_REWARD | SEARCH_NEEDS_LIMIT,
    .suits = mcts_suits,
    .network = network,
    .ignores = ignores,
    .run = mcts_run,
    .ranks = true,
};

const struct search_method search_schokoban = {
    .name = "schokoban",
    .summary = "the method vanillaban with one node per state; when a shorter path to a state is found, the state's "
               "subtree is moved to that path",
    .options = mcts_options_rows,
    .aliases = aliases,
    .options_size = sizeof(struct mcts_options),
    .goal_preset = VANILLABAN "ties=random,states=one-node,c=5",
    .rules = "kroger",
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_GOAL | SEARCH_NEEDS_REWARD | SEARCH_NEEDS_LIMIT,
    .suits = mcts_suits,
    .network = network,
    .ignores = ignores,
    .run = mcts_run,
    .ranks = true,
};

/* The same with all deadlock rules of our domain. Of the values from 0.5 to 32, the c of schokoban-tuned solves the
 * most levels of the thesis's two sets, and that of vanillaban-tuned solves nearly as many as published. */
const struct search_method search_vanillaban_tuned = {
    .name = "vanillaban-tuned",
    .summary = "the method vanillaban with all deadlock rules of the domain and an exploration constant tuned for them",
    .options = mcts_options_rows,
    .aliases = aliases,
    .options_size = sizeof(struct mcts_options),
    .goal_preset = VANILLABAN "cycles=avoid,c=32",
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_GOAL | SEARCH_NEEDS_REWARD | SEARCH_NEEDS_LIMIT,
    .suits = mcts_suits,
    .network = network,
    .ignores = ignores,
    .run = mcts_run,
    .ranks = true,
};

const struct search_method search_schokoban_tuned = {
    .name = "schokoban-tuned",
    .summary = "the method schokoban with all deadlock rules of the domain and an exploration constant tuned for them",
    .options = mcts_options_rows,
    .aliases = aliases,
    .options_size = sizeof(struct mcts_options),
    .goal_preset = VANILLABAN "states=one-node,c=0.5",
    .needs = SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_GOAL | SEARCH_NEEDS_REWARD | SEARCH_NEEDS_LIMIT,
    .suits = mcts_suits,
    .network = network,
    .ignores = ignores,
    .run = mcts_run,
    .ranks = true,
};

const struct search_method search_mcts = {
    .name = "mcts",
    .summary = "Monte-Carlo tree search with the settings that were best in our measurements for this kind of domain",
    .options = mcts_options_rows,
    .aliases = aliases,
    .options_size = sizeof(struct mcts_options),
    /* On the 20 standard SameGame positions this preset had the highest total score: of 25 settings with 100,000
     * iterations, and of 11 settings with ten seconds per position. `lab tune` on
     * data/experiments/tune-mcts-samegame.lab (45 trials) found c=66,per_move=1139 for its 27 boards; on 40 other
     * boards the mean of that setting is 2,725 and the mean of this preset 2,759. */
    .preset = "simulate=auto,c=100,eliminate=true,per_move=1500",
    /* Of nine path weights only those from 0.9 to 1 solve all of Microban I in ten seconds per level; 0.25 solves more
     * levels with few nodes. Therefore both are used in turn, each time with twice as many iterations, and every second
     * thread begins with the other. On puzzles for which nothing was tuned, with two seconds and one thread: 30 of 30
     * 15-puzzles (only 0.9: 11), 17 of 20 24-puzzles (0), 83 of Microban IV's 102 levels (76). `lab tune` on
     * data/experiments/tune-mcts-sokoban.lab (90 trials, 5,000 nodes per level) found
     * c=0.12,path_weight=0.056,burst=4, which does not solve Microban I 153 in ten seconds. */
    .goal_preset = "expand=all,expand_visits=1,simulate=none,eliminate=true,states=one-node,c=1,"
                   "valued=children,burst=64,path_weight=0.9,second_path_weight=0.25,per_tree=1000,tree_growth=2",
    /* Results lie between -1 and 1. We tried c of 0.5, 1, 1.4, 2, 4 and 100 with 500, 1500 and 3000 iterations per
     * move: from c=2 on, some games of data/tictactoe.txt are lost over ten seeds. */
    .two_player_preset = "simulate=auto,c=1,per_move=1500",
    .needs = SEARCH_NEEDS_LIMIT,
    .suits = mcts_suits,
    .network = network,
    .ignores = ignores,
    .run = mcts_run,
    .ranks = true,
};
