/* Names of domains and methods, as the user types them: NAME[:key=value,...]. */
#ifndef CLI_SHELL_LOOKUP_H
#define CLI_SHELL_LOOKUP_H

#include "cli/cli.h"

struct domain_choice {
    const soloist_domain *domain; /* NULL: to be recognised */
    const char *options;          /* "key=value,...", or NULL */
};

/* Parses NAME[:options] and checks the options; complains and returns false if they are wrong. If text is NULL, the
 * domain is recognised later. */
bool lookup_domain(const struct cli *cli, const char *text, struct domain_choice *choice);
/* True if the method and its options are valid; complains otherwise. NULL is allowed. */
bool lookup_method(const struct cli *cli, const char *text);

/* Warns about command-line options that the method does not use. If method is NULL, the method is auto, which uses all
 * of them. */
void lookup_ignored(const struct cli *cli, const char *method);

/* True if the options "key=value,..." are valid for these rows; otherwise complains. what: whose options they are, for
 * the message. text may be NULL. */
bool lookup_options(const char *what, const soloist_option *rows, const char *text);

struct method_row {
    const char *name, *summary;
    const soloist_option *options;
};
bool method_find(const struct cli *cli, const char *name, size_t length, struct method_row *row);

#endif
