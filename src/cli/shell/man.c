#include "cli/shell/man.h"

#include <ctype.h>
#include <string.h>

/* Prints text so that roff takes it literally. `Words in backquotes` become bold. */
static void put_text(const char *text) {
    bool bold = false, fresh = true;
    for (; *text; text++) {
        if (*text == '`') {
            fputs(bold ? "\\fR" : "\\fB", stdout);
            bold = !bold;
            continue;
        }
        if (fresh && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        if (*text == '-' || *text == '\\')
            fputs(*text == '-' ? "\\-" : "\\e", stdout);
        else
            putchar(*text);
        fresh = *text == '\n';
    }
}

/* Prints paragraphs; an indented line stands for itself. */
static void put_prose(const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        char line[512];
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        if (!length)
            puts(".PP");
        else if (line[0] == ' ')
            puts(".br");
        if (length) {
            put_text(line + strspn(line, " "));
            putchar('\n');
        }
        text += length + (text[length] == '\n');
    }
}

static void put_sentence(const char *text) {
    putchar(toupper((unsigned char)*text));
    put_text(text + 1);
    puts(".");
}

static void put_row(const struct arg *row) {
    puts(".TP");
    if (row->letter)
        printf("\\fB\\-%c\\fR, ", row->letter);
    fputs("\\fB\\-\\-", stdout);
    put_text(row->name);
    fputs("\\fR", stdout);
    if (row->value) {
        fputs(" \\fI", stdout);
        put_text(row->value);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    put_sentence(row->help);
}

static void put_rows(const struct arg *rows) {
    for (; rows->kind; rows++)
        put_row(rows);
    printf(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nShow the options.\n");
}

static void put_topics(const struct topic *topics) {
    for (; topics && topics->name; topics++) {
        printf(".TP\n\\f%c%s\\fR\n", isupper((unsigned char)*topics->name) ? 'I' : 'B', topics->name);
        put_sentence(topics->help);
    }
}

/* A usage of several lines repeats the name on each. */
static void put_usage(const struct command *command) {
    printf("\\fBsoloist %s\\fR ", command->name);
    for (const char *at = command->usage; *at; at++) {
        char one[2] = {*at, 0};
        if (*at == '\n')
            at += strspn(at + 1, " "), fputs("\n.br\n", stdout);
        else
            put_text(one);
    }
    putchar('\n');
}

static void put_verbs(const struct command *const *verbs) {
    for (; verbs && *verbs; verbs++) {
        puts(".SS");
        put_usage(*verbs);
        puts(".PP");
        put_sentence((*verbs)->summary);
        if ((*verbs)->about) {
            puts(".PP");
            put_prose((*verbs)->about);
        }
        put_rows((*verbs)->args);
    }
}

static void put_see_also(const struct command *command) {
    puts(".SH SEE ALSO");
    if (command)
        puts("\\fBsoloist\\fR(1)");
    for (size_t i = 0; !command && commands[i]; i++)
        printf("\\fBsoloist\\-%s\\fR(1)%s\n", commands[i]->name, commands[i + 1] ? "," : "");
}

static void put_command(const struct command *command) {
    printf(".SH NAME\nsoloist\\-%s \\- ", command->name);
    put_text(command->summary);
    puts("\n.SH SYNOPSIS");
    put_usage(command);
    puts(".SH DESCRIPTION");
    put_sentence(command->summary);
    if (command->about) {
        puts(".PP");
        put_prose(command->about);
    }
    put_topics(command->topics);
    if (command->verbs) {
        puts(".SH VERBS");
        put_verbs(command->verbs);
        return;
    }
    puts(".SH OPTIONS");
    put_rows(command->args);
}

static void put_overview(void) {
    puts(".SH NAME\nsoloist \\- solve puzzles that one agent plays alone");
    puts(".SH SYNOPSIS\n\\fBsoloist\\fR \\fICOMMAND\\fR [\\fIWORDS\\fR] [\\fIOPTIONS\\fR]");
    puts(".SH DESCRIPTION");
    put_prose(
        "Soloist solves deterministic puzzles with full information: Sokoban, SameGame, sliding tiles and pancakes,\n"
        "and, as a test with two players, tic-tac-toe. More domains can be loaded from shared objects. A solution\n"
        "is shown only after an independent referee has replayed it by the rules.\n"
        "\n"
        "A FILE is a file, `-` for standard input, or the name of a level set (`soloist info levels` lists them).\n"
        "FILE:1-20 takes only its instances 1 to 20. The domain is recognised from the file.\n");
    puts(".SH COMMANDS\nEach has a page of its own, such as \\fBsoloist\\-solve\\fR(1).");
    for (size_t i = 0; commands[i]; i++) {
        printf(".TP\n\\fB%s\\fR\n", commands[i]->name);
        put_sentence(commands[i]->summary);
    }
    puts(".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nList the commands.");
    puts(".TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\nPrint the version.");
}

void man_page(const struct command *command, const char *more) {
    puts(".\\\" Written by `soloist help --man` from the rows that --help shows.");
    fputs(".TH SOLOIST", stdout);
    for (const char *at = command ? command->name : ""; *at; at++)
        printf("%s%c", at == command->name ? "\\-" : "", toupper((unsigned char)*at));
    puts(" 1 \"\" \"Soloist " SOLOIST_VERSION "\" \"User commands\"");
    if (command)
        put_command(command);
    else
        put_overview();
    if (more)
        fputs(more, stdout);
    put_see_also(command);
}
