/* The scripts hold the commands and options with their help. Plugins and packages can add domains, methods and level
 * sets; therefore a script asks the program for their names (`soloist help --words ...`). */
#include "cli/shell/completion.h"
#include "cli/cli.h"

#include <string.h>

/* ---- what a word can be ---- */

enum kind { KIND_NONE, KIND_FILE, KIND_FOLDER, KIND_DOMAIN, KIND_METHOD, KIND_CHOICE };

static bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

static enum kind kind_of(const struct arg *row) {
    if (row->kind == ARG_CHOICE || strchr(row->value, '|'))
        return KIND_CHOICE;
    if (begins(row->value, "FILE") || begins(row->value, "PLUGIN"))
        return KIND_FILE;
    if (begins(row->value, "FOLDER"))
        return KIND_FOLDER;
    return !strcmp(row->name, "domain") ? KIND_DOMAIN : !strcmp(row->name, "method") ? KIND_METHOD : KIND_NONE;
}

/* The list that `soloist help --words` prints for this kind. */
static const char *list_of(enum kind kind) {
    return kind == KIND_DOMAIN ? "domains" : kind == KIND_METHOD ? "methods" : NULL;
}

/* Which words a command takes, by its usage. */
static bool takes(const struct command *command, const char *word) { return strstr(command->usage, word); }

static bool takes_files(const struct command *command) {
    static const char *const words[] = {"FILE", "NETWORK", "STORE", "PAGE"};
    bool does = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        does |= takes(command, words[i]);
    return does;
}

/* Calls `put` for every command, and for every verb of a command. */
static void each_command(void (*put)(const struct command *command)) {
    for (size_t i = 0; commands[i]; i++) {
        put(commands[i]);
        for (size_t v = 0; commands[i]->verbs && commands[i]->verbs[v]; v++)
            put(commands[i]->verbs[v]);
    }
}

/* The last word of a name such as "lab run". */
static const char *short_name(const struct command *command) {
    const char *space = strrchr(command->name, ' ');
    return space ? space + 1 : command->name;
}

/* Prints text within single quotes of a shell; `escaped`: characters that get a backslash. */
static void put_quoted(const char *text, const char *escaped) {
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr(escaped, *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void put_choices(const char *choices) {
    for (; *choices; choices++)
        putchar(*choices == '|' ? ' ' : *choices);
}

static void put_verbs(const struct command *command) {
    for (size_t i = 0; command->verbs && command->verbs[i]; i++)
        printf(" %s", short_name(command->verbs[i]));
}

/* The words of a command that are no options and no files: its topics and verbs. */
static void put_own_words(const struct command *command) {
    for (const struct topic *topic = command->topics; topic && topic->name; topic++)
        if (*topic->name >= 'a')
            printf(" %s", topic->name);
    put_verbs(command);
    for (size_t i = 0; takes(command, "COMMAND") && commands[i]; i++)
        printf(" %s", commands[i]->name);
}

/* Prints, for every command with verbs, the line of a script that completes `soloist help COMMAND VERB`: `before` and
 * `between` stand before and after COMMAND, `after` stands after the verbs. */
static void put_help_verbs(const char *before, const char *between, const char *after) {
    for (size_t i = 0; commands[i]; i++) {
        if (!commands[i]->verbs)
            continue;
        printf("%s%s%s", before, commands[i]->name, between);
        put_verbs(commands[i]);
        puts(after);
    }
}

/* ---- bash ---- */

static void bash_values(const struct command *command) {
    for (const struct arg *row = command->args; row->kind; row++) {
        if (row->kind == ARG_FLAG)
            continue;
        enum kind kind = kind_of(row);
        fputs("    ", stdout);
        if (row->letter)
            printf("\"%s -%c\" | ", command->name, row->letter);
        printf("\"%s --%s\") ", command->name, row->name);
        if (list_of(kind))
            printf("words=$(\"$program\" help --words %s 2> /dev/null)", list_of(kind));
        else if (kind == KIND_CHOICE)
            fputs("words='", stdout), put_choices(row->value), putchar('\'');
        else
            fputs(kind == KIND_FILE ? "files=-f" : kind == KIND_FOLDER ? "files=-d" : "return", stdout);
        puts(" ;;");
    }
}

static void bash_options(const struct command *command) {
    printf("    \"%s:-\"*) words='", command->name);
    for (const struct arg *row = command->args; row->kind; row++) {
        if (row->letter)
            printf("-%c ", row->letter);
        printf("--%s ", row->name);
    }
    puts("-h --help' ;;");
}

static void bash_words(const struct command *command) {
    printf("    \"%s:\"*) words=\"", command->name);
    put_own_words(command);
    if (takes(command, "DOMAIN"))
        fputs(" $(\"$program\" help --words domains 2> /dev/null)", stdout);
    if (takes(command, "METHOD"))
        fputs(" $(\"$program\" help --words methods 2> /dev/null)", stdout);
    if (takes(command, "FILE"))
        fputs(" $(\"$program\" help --words sets 2> /dev/null)", stdout);
    puts(takes_files(command) ? "\" files=-f ;;" : "\" ;;");
}

static void print_bash(void) {
    puts("# Completion for bash, written by `soloist help --completion bash`.\n"
         "_soloist() {\n"
         "    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "    local command=${COMP_WORDS[1]} words='' files=''\n"
         "    COMPREPLY=()");
    for (size_t i = 0; commands[i]; i++)
        if (commands[i]->verbs)
            printf("    [ \"$command\" != %s ] || [ \"$COMP_CWORD\" -lt 3 ] || command=\"%s ${COMP_WORDS[2]}\"\n",
                   commands[i]->name, commands[i]->name);
    fputs("    [ \"$COMP_CWORD\" -gt 1 ] || command=''\n    case \"$command $before\" in\n", stdout);
    each_command(bash_values);
    put_help_verbs("    \"help ", "\") words='", "' ;;");
    puts("    *) case \"$command:$word\" in");
    fputs("    \":\"*) files=-f words='", stdout);
    for (size_t i = 0; commands[i]; i++)
        printf("%s ", commands[i]->name);
    puts("--help --version' ;;");
    each_command(bash_options);
    each_command(bash_words);
    puts("    esac ;;\n"
         "    esac\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\"; [ -z \"$files\" ] || compgen $files -- "
         "\"$word\")\n"
         "}\n"
         "complete -o filenames -F _soloist soloist");
}

/* ---- zsh ---- */

static void zsh_row(const struct arg *row) {
    const char *end = row->kind == ARG_FLAG ? "" : "=", *more = row->kind == ARG_LIST ? "*" : "";
    enum kind kind = row->kind == ARG_FLAG ? KIND_NONE : kind_of(row);
    if (row->letter && !*more)
        printf("        '(-%c --%s)'{-%c%s,--%s%s}'[", row->letter, row->name, row->letter, *end ? "+" : "", row->name,
               end);
    else if (row->letter)
        printf("        '*'{-%c%s,--%s%s}'[", row->letter, *end ? "+" : "", row->name, end);
    else
        printf("        '%s--%s%s[", more, row->name, end);
    put_quoted(row->help, "[]:\\");
    putchar(']');
    if (*end) {
        putchar(':');
        put_quoted(row->value, "[]:\\");
        putchar(':');
    }
    if (list_of(kind))
        printf(" _soloist_list %s", list_of(kind));
    else if (kind == KIND_CHOICE)
        putchar('('), put_choices(row->value), putchar(')');
    else if (*end)
        fputs(kind == KIND_FILE ? "_files" : kind == KIND_FOLDER ? "_files -/" : " ", stdout);
    puts("' \\");
}

static void zsh_command(const struct command *command) {
    printf("    '%s') _arguments -s \\\n", command->name);
    for (const struct arg *row = command->args; row->kind; row++)
        zsh_row(row);
    printf("        '(-h --help)'{-h,--help}'[show the options]' \\\n        '*:word: _soloist_words %d %d %d %d",
           takes_files(command), takes(command, "FILE"), takes(command, "DOMAIN"), takes(command, "METHOD"));
    put_own_words(command);
    puts("' ;;");
}

static void print_zsh(void) {
    puts("#compdef soloist\n"
         "# Completion for zsh, written by `soloist help --completion zsh`.\n"
         "_soloist_list() {\n"
         "    local -a list\n"
         "    list=(${(f)\"$($_soloist_program help --words $1 2> /dev/null)\"})\n"
         "    compadd -a list\n"
         "}\n"
         "_soloist_words() {\n"
         "    (( ! $1 )) || _files\n"
         "    (( ! $2 )) || _soloist_list sets\n"
         "    (( ! $3 )) || _soloist_list domains\n"
         "    (( ! $4 )) || _soloist_list methods\n"
         "    shift 4\n"
         "    compadd -- \"$@\"\n"
         "}\n"
         "_soloist() {\n"
         "    local _soloist_program=$words[1] name=$words[2]\n"
         "    if (( CURRENT == 2 )); then\n"
         "        local -a names\n"
         "        names=(");
    for (size_t i = 0; commands[i]; i++) {
        printf("            '%s:", commands[i]->name);
        put_quoted(commands[i]->summary, "\\");
        puts("'");
    }
    puts("        )\n"
         "        _describe command names\n"
         "        _files\n"
         "        return\n"
         "    fi\n"
         "    shift words\n"
         "    (( CURRENT-- ))");
    for (size_t i = 0; commands[i]; i++)
        if (commands[i]->verbs)
            printf("    if [[ $name == %s ]] && (( CURRENT > 2 )); then\n        name=\"%s $words[2]\"\n"
                   "        shift words\n        (( CURRENT-- ))\n    fi\n",
                   commands[i]->name, commands[i]->name);
    put_help_verbs("    if [[ $name == help && $words[CURRENT-1] == ", " ]]; then compadd --", "; return; fi");
    puts("    case $name in");
    each_command(zsh_command);
    puts("    esac\n}\n_soloist \"$@\"");
}

/* ---- fish ---- */

static void fish_row(const struct command *command, const struct arg *row) {
    enum kind kind = row->kind == ARG_FLAG ? KIND_NONE : kind_of(row);
    printf("complete -c soloist -n '__soloist_is %s' -l %s", command->name, row->name);
    if (row->letter)
        printf(" -s %c", row->letter);
    if (list_of(kind))
        printf(" -x -a '(soloist help --words %s 2> /dev/null)'", list_of(kind));
    else if (kind == KIND_CHOICE)
        fputs(" -x -a '", stdout), put_choices(row->value), putchar('\'');
    else if (kind == KIND_FOLDER)
        fputs(" -x -a '(__fish_complete_directories)'", stdout);
    else if (row->kind != ARG_FLAG)
        fputs(kind == KIND_FILE ? " -r -F" : " -x", stdout);
    fputs(" -d '", stdout);
    for (const char *at = row->help; *at; at++)
        printf(*at == '\'' || *at == '\\' ? "\\%c" : "%c", *at);
    puts("'");
}

static void fish_words(const struct command *command, const char *words) {
    printf("complete -c soloist -n '__soloist_is %s' -a '%s'\n", command->name, words);
}

static void fish_command(const struct command *command) {
    for (const struct arg *row = command->args; row->kind; row++)
        fish_row(command, row);
    printf("complete -c soloist -n '__soloist_is %s' -l help -s h -d 'show the options'\n", command->name);
    if (!takes_files(command))
        printf("complete -c soloist -n '__soloist_is %s' -f\n", command->name);
    if (command->topics || command->verbs || takes(command, "COMMAND")) {
        printf("complete -c soloist -n '__soloist_is %s' -a '", command->name);
        put_own_words(command);
        puts("'");
    }
    if (takes(command, "FILE"))
        fish_words(command, "(soloist help --words sets 2> /dev/null)");
    if (takes(command, "DOMAIN"))
        fish_words(command, "(soloist help --words domains 2> /dev/null)");
    if (takes(command, "METHOD"))
        fish_words(command, "(soloist help --words methods 2> /dev/null)");
}

static void print_fish(void) {
    puts("# Completion for fish, written by `soloist help --completion fish`.\n"
         "function __soloist_is\n"
         "    set -l given (commandline -opc)\n"
         "    test (count $given) -gt (count $argv); and test \"$given[2]\" = \"$argv[1]\"; or return 1\n"
         "    if test (count $argv) -gt 1\n"
         "        test \"$given[3]\" = \"$argv[2]\"\n"
         "        return\n"
         "    end");
    for (size_t i = 0; commands[i]; i++)
        if (commands[i]->verbs)
            printf("    test $argv[1] != %s; or test (count $given) -eq 2\n", commands[i]->name);
    puts("end");
    for (size_t i = 0; commands[i]; i++) {
        printf("complete -c soloist -n 'test (count (commandline -opc)) -eq 1' -a %s -d '", commands[i]->name);
        for (const char *at = commands[i]->summary; *at; at++)
            printf(*at == '\'' || *at == '\\' ? "\\%c" : "%c", *at);
        puts("'");
    }
    puts("complete -c soloist -n 'test (count (commandline -opc)) -eq 1' -l help -d 'list the commands'\n"
         "complete -c soloist -n 'test (count (commandline -opc)) -eq 1' -l version -d 'print the version'");
    each_command(fish_command);
    put_help_verbs("complete -c soloist -n '__soloist_is help ", "' -a '", "'");
}

void completion_print(int shell) {
    static void (*const printers[])(void) = {print_bash, print_zsh, print_fish};
    printers[shell - 1]();
}
