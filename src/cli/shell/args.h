/* Command-line options as rows of a table: parser, range check, help and shell completion all use the same row. */
#ifndef CLI_SHELL_ARGS_H
#define CLI_SHELL_ARGS_H

#include "soloist.h"

enum arg_kind {
    ARG_END,
    ARG_FLAG,    /* bool */
    ARG_TEXT,    /* const char * */
    ARG_LIST,    /* struct arg_list: the option may be repeated, and all values are kept */
    ARG_INT,     /* int */
    ARG_COUNT,   /* uint64_t; 1e6, 10k, 3M and 2G are accepted */
    ARG_REAL,    /* double */
    ARG_SECONDS, /* double; 90, 1.5m, 2h */
    ARG_SIZE,    /* size_t bytes; K, M, G are powers of 1024 */
    ARG_CHOICE   /* int: 0 if not given, otherwise 1 + the index of the choice in `value`, such as "first|second" */
};

struct arg {
    enum arg_kind kind;
    const char *name;  /* without its dashes */
    char letter;       /* letter of the short form, or 0 */
    size_t offset;     /* offset of the field in the command's options */
    const char *value; /* name of the value in the help; for "FILE", shells complete file names */
    double least, most;
    const char *help;
};

struct arg_list {
    const char **items; /* the words are not copied: they belong to argv */
    size_t count;
};

enum args_verdict {
    ARGS_GO,   /* run the command */
    ARGS_DONE, /* --help was answered: exit 0 */
    ARGS_BAD   /* an error was reported: exit 2 */
};

struct command;

/* Parses the words after the command's name into *options (zeroed or preset by the caller) and *rest, the words that
 * are not options. The caller frees the lists. */
enum args_verdict args_parse(const struct command *command, int count, char **words, void *options,
                             struct arg_list *rest);
void arg_list_add(struct arg_list *list, const char *word);
void arg_list_free(struct arg_list *list);

/* The words after a command's name. */
struct args_given {
    const struct command *command;
    int count;
    char **words;
};
/* The value of the option `name` at its first occurrence in the words ("" for a flag); NULL: it was not given. */
const char *args_value(const struct args_given *given, const char *name);
/* If the option was given, warns that it has no effect, and why. The warning does not change the exit status. */
void args_idle(const struct args_given *given, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes the help lines of the rows. */
void args_help(const struct arg *rows, const soloist_sink *sink);
/* Writes the option names, one per line, for shell completion. */
void args_words(const struct arg *rows, const soloist_sink *sink);

#endif
