/* `soloist info`: shows what this build offers. Everything is read from the tables that the engine itself uses. */
#include "base/options.h"
#include "cli/shell/format.h"
#include "cli/info/info.h"
#include "cli/shell/lookup.h"
#include "cli/shell/plugin.h"
#include "base/suggest.h"
#include "engine/engine.h"
#include "learn/train/training.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>

struct info_options {
    const char *space, *check;
    bool json;
    struct arg_list plugin;
};

#define ROW(kind, field, letter, value, text)                                                                          \
    { kind, #field, letter, offsetof(struct info_options, field), value, 0, 0, text }
static const struct arg info_rows[] = {
    ROW(ARG_TEXT, space, 0, "FILE", "estimate the state-space sizes of the Sokoban levels in a file or set"),
    ROW(ARG_TEXT, check, 0, "PLUGIN",
        "check by random play whether the plugin's domain obeys the contract for domains; the instances are those in "
        "the FILEs, or generated ones if no FILE is named"),
    ROW(ARG_FLAG, json, 0, NULL, "print JSON (for --space, levels, duplicates or a network)"),
    ROW(ARG_LIST, plugin, 0, "FILE", CLI_PLUGIN_HELP),
    {0},
};
#undef ROW

/* The build defines which libraries it found; a library without a definition counts as absent. */
#ifndef SOLOIST_WITH_CUDA
#define SOLOIST_WITH_CUDA 0
#endif
#ifndef SOLOIST_WITH_MPI
#define SOLOIST_WITH_MPI 0
#endif
#ifndef SOLOIST_WITH_SQLITE
#define SOLOIST_WITH_SQLITE 0
#endif
#ifndef SOLOIST_WITH_MICROHTTPD
#define SOLOIST_WITH_MICROHTTPD 0
#endif
#ifndef SOLOIST_WITH_PNG
#define SOLOIST_WITH_PNG 0
#endif

static const struct back_end {
    const char *name, *use;
    bool present;
} back_ends[] = {
    {"CUDA", "networks on the graphics card", SOLOIST_WITH_CUDA},
    {"MPI", "many ranks under mpirun", SOLOIST_WITH_MPI},
    {"SQLite", "results of experiments", SOLOIST_WITH_SQLITE},
    {"libmicrohttpd", "the page of `soloist serve`", SOLOIST_WITH_MICROHTTPD},
    {"libpng", "pictures as PNG", SOLOIST_WITH_PNG},
};

static void print_groups(const soloist_domain *domain) {
    const struct {
        const char *name;
        bool present;
    } groups[] = {
        {"bound", domain->bound != NULL},
        {"reverse", domain->reverse != NULL},
        {"pack", domain->pack != NULL},
        {"generate", domain->generate != NULL},
        {"estimate", domain->estimate != NULL},
        {"sample", domain->sample != NULL},
        {"reward", domain->reward != NULL},
        {"walk", domain->walk != NULL},
        {"features", domain->features != NULL},
        {"learn", domain->learn != NULL},
        {"tables", domain->tables != NULL},
        {"hints", domain->hints != NULL},
        {"environments", domain->environments != NULL},
    };
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (groups[i].present)
            printf(" %s", groups[i].name);
    printf("\n");
}

static void print_overview(const struct cli *cli) {
    struct method_row row;
    const soloist_domain *domain;
    printf("Soloist " SOLOIST_VERSION "\n\ndomains (`soloist info NAME` shows their options)\n");
    for (size_t i = 0; (domain = soloist_domain_at(cli->engine, i)); i++) {
        printf("  %-14s %s\n  %-14s has", domain->name, domain->summary, "");
        print_groups(domain);
    }
    printf("\nmethods\n");
    for (size_t i = 0; soloist_method_at(cli->engine, i, &row.name, &row.summary, &row.options); i++)
        printf("  %-14s %s\n", row.name, row.summary);
    info_back_ends();
    printf("\noptional libraries that the build found\n");
    for (size_t i = 0; i < sizeof back_ends / sizeof *back_ends; i++)
        printf("  %-14s %-3s  %s\n", back_ends[i].name, back_ends[i].present ? "yes" : "no", back_ends[i].use);
}

/* Prints option rows. usual: values shown as defaults; NULL: the initial values of the rows. */
static void print_options(const char *title, const soloist_option *rows, const void *usual) {
    soloist_sink sink = cli_sink(stdout);
    if (!rows || rows->kind == SOLOIST_OPTION_END)
        return;
    printf("\n%s\n", title);
    options_help(rows, usual, &sink);
}

static void print_names(const char *title, const char *const *names) {
    printf("  %-14s", title);
    for (size_t i = 0; names && names[i]; i++)
        printf("%s %s", i ? "," : "", names[i]);
    printf("\n");
}

static void print_domain(const soloist_domain *domain) {
    printf("%s: %s\n\n", domain->name, domain->summary);
    printf("  %-14s %s%s\n", "aim",
           domain->aim == SOLOIST_LEAST_COST ? "least cost to a goal" : "highest score at the end",
           domain->players == 2 ? ", two players" : "");
    printf("  %-14s life core text", "groups");
    print_groups(domain);
    if (domain->text->shown_in)
        printf("  %-14s are shown with the moves of the domain %s\n", "solutions", domain->text->shown_in);
    if (domain->sample)
        print_names("play-outs", domain->sample->policies);
    if (domain->reward)
        print_names("rewards", domain->reward->names);
    if (domain->features) {
        print_names("features", domain->features->names);
        print_names("advisors", domain->features->advisors);
        print_names("plans", domain->features->plan_names);
    }
    print_options("options, as --domain NAME:key=value,...", domain->options, NULL);
    if (domain->generate)
        print_options("generator, as `soloist generate NAME key=value ...`", domain->generate->options, NULL);
}

/* Prints the values that differ from those already printed, if there are any, with `between` as their separator. */
static void print_differing(const char *title, const soloist_option *rows, const void *values, const void *shown,
                            char between) {
    char changed[1024];
    if (!options_differing(rows, values, shown, changed, sizeof changed))
        return;
    for (char *at = changed; *at; at++)
        *at = *at == ',' ? between : *at;
    printf("%s\n    %s\n", title, changed);
}

/* Prints the defaults for another kind of domain, if they differ from those already printed. */
static void print_other_defaults(const struct search_added *added, const struct search_choice *shown, const char *title,
                                 const soloist_domain *kind) {
    struct search_choice choice;
    if (search_choose(added, shown->method->name, kind, &choice, NULL) != SOLOIST_OK)
        return;
    print_differing(title, shown->method->options, choice.usual, shown->usual, ',');
    search_choice_free(&choice);
}

/* Prints a method. Its defaults depend on the domain's aim. */
static void print_method(const struct search_added *added, const struct method_row *row) {
    static const soloist_domain cost = {.aim = SOLOIST_LEAST_COST, .players = 1},
                                score = {.aim = SOLOIST_MOST_SCORE, .players = 1},
                                two = {.aim = SOLOIST_MOST_SCORE, .players = 2};
    struct search_choice choice;
    printf("%s: %s\n", row->name, row->summary);
    bool costs_only = search_find(added, row->name, strlen(row->name))->needs & SEARCH_NEEDS_GOAL;
    if (search_choose(added, row->name, costs_only ? &cost : &score, &choice, NULL) != SOLOIST_OK)
        return;
    print_options("options, as --method NAME:key=value,...", row->options, choice.usual);
    if (!costs_only && !(choice.method->needs & SEARCH_NEEDS_SCORE))
        print_other_defaults(added, &choice, "defaults that differ for domains that minimise cost", &cost);
    if (!(choice.method->needs & (SEARCH_NEEDS_ONE_PLAYER | SEARCH_NEEDS_GOAL)))
        print_other_defaults(added, &choice, "defaults that differ for two players", &two);
    search_choice_free(&choice);
}

/* Prints the options of training with the defaults of --way continuous, and then those of the other ways. */
static void print_training(void) {
    static const soloist_domain score = {.aim = SOLOIST_MOST_SCORE, .players = 1},
                                cost = {.aim = SOLOIST_LEAST_COST, .players = 1};
    static const struct {
        const char *title;
        enum training_way way;
        const soloist_domain *kind;
        bool has_value;
    } others[] = {
        {"defaults that differ for domains that minimise cost", TRAINING_CONTINUOUS, &cost, true},
        {"defaults that differ for --way generations", TRAINING_GENERATIONS, &score, false},
        {"defaults that differ for --way generations and a network with a value head", TRAINING_GENERATIONS, &score,
         true},
        {"defaults that differ for --way expert-iteration", TRAINING_EXPERT_ITERATION, &score, true},
        {"defaults that differ for --way actor-critic", TRAINING_ACTOR_CRITIC, &score, true},
    };
    struct training_options usual, other;
    training_options_for(TRAINING_CONTINUOUS, &score, true, &usual);
    printf("train: the options of training a network; `soloist help train` explains the command\n");
    print_options("options, as `soloist train DOMAIN key=value ...`", training_options_rows, &usual);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        training_options_for(others[i].way, others[i].kind, others[i].has_value, &other);
        print_differing(others[i].title, training_options_rows, &other, &usual, ' ');
    }
}

static int print_topic(const struct cli *cli, const char *topic) {
    const soloist_domain *domain = soloist_find_domain(cli->engine, topic);
    struct method_row row;
    if (domain)
        return print_domain(domain), CLI_OK;
    if (method_find(cli, topic, strlen(topic), &row))
        return print_method(engine_methods(cli->engine), &row), CLI_OK;

    struct suggestion nearest = suggest_open(topic);
    suggest_offer(&nearest, "levels");
    suggest_offer(&nearest, "duplicates");
    suggest_offer(&nearest, "train");
    for (size_t i = 0; soloist_domain_at(cli->engine, i); i++)
        suggest_offer(&nearest, soloist_domain_at(cli->engine, i)->name);
    for (size_t i = 0; soloist_method_at(cli->engine, i, &row.name, &row.summary, &row.options); i++)
        suggest_offer(&nearest, row.name);
    if (nearest.best)
        return cli_complain("info: no domain or method %s: did you mean %s?", topic, nearest.best);
    return cli_complain("info: no domain or method %s: `soloist info` lists them", topic);
}

static int inform(struct cli *cli, const struct info_options *options, const struct arg_list *topics) {
    bool duplicates = topics->count && !strcmp(topics->items[0], "duplicates");
    size_t asked = !!options->check + !!options->space + (duplicates ? 1 : options->check ? 0 : topics->count);
    if (asked > 1)
        return cli_complain("info: one topic at a time, got %zu", asked);
    if (!plugins_load(cli, &options->plugin))
        return CLI_BAD;
    if (duplicates)
        return info_duplicates(cli, &(struct arg_list){topics->items + 1, topics->count - 1}, options->json);
    if (options->space)
        return info_space(cli, options->space, options->json);
    bool lines = topics->count && (info_is_network(topics->items[0]) || !strcmp(topics->items[0], "levels"));
    if (!lines || options->check)
        args_idle(&cli->given, "json", "only --space, levels, duplicates and networks are written as JSON");
    if (options->check)
        return info_check(cli, options->check, topics);
    if (!topics->count)
        return print_overview(cli), CLI_OK;
    if (info_is_network(topics->items[0]))
        return info_network(topics->items[0], options->json);
    if (!strcmp(topics->items[0], "levels"))
        return info_levels(cli, options->json);
    if (!strcmp(topics->items[0], "train"))
        return print_training(), CLI_OK;
    return print_topic(cli, topics->items[0]);
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct info_options options = {0};
    struct arg_list topics = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &topics);
    int status = verdict == ARGS_GO ? inform(cli, &options, &topics) : verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    arg_list_free(&topics);
    arg_list_free(&options.plugin);
    return status;
}

static const struct topic info_topics[] = {
    {"DOMAIN", "what a domain offers, its options and those of its generator"},
    {"METHOD", "a method and its options, with their defaults"},
    {"NETWORK", "the layers, shapes and parameters of a trained network (.safetensors) or a description (.net)"},
    {"levels", "the installed level sets; every command accepts their names instead of files"},
    {"train", "the options KEY=VALUE of training"},
    {"duplicates", "groups of equivalent Sokoban levels in the FILEs; equivalent levels differ at most by rotation or "
                   "reflection, in what is outside the player's area, and in the player's place within one region"},
    {0},
};

const struct command info_command = {
    .name = "info",
    .summary = "list domains, methods and their options, back ends, level sets, networks, state-space sizes",
    .usage = "[DOMAIN|METHOD|NETWORK|levels|train] [OPTIONS]\n       soloist info duplicates FILE... [OPTIONS]\n"
             "       soloist info --check PLUGIN [FILE...]",
    .about =
        "Without an argument, lists the domains with their groups of functions, the methods, the back ends that can\n"
        "compute networks, and the optional libraries that the build found. Exit status: 0 answered, 1 a plugin that\n"
        "was checked breaks the contract or cannot read an instance of the FILEs, 2 bad usage or other bad input.",
    .args = info_rows,
    .topics = info_topics,
    .run = run,
};
