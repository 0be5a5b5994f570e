/* What a stored result is about: the instance, the domain with its options, and what is counted. A proof holds for an
 * equal identity only; a solution is replayed and needs none. */
#ifndef CLI_IDENTITY_H
#define CLI_IDENTITY_H

#include "base/json.h"
#include "cli/cli.h"

struct identity {
    char instance[33];  /* 128 bits of the first position as the domain prints it; "": not known */
    char domain[512];   /* "NAME" or "NAME:key=value,...", only the options that differ from their defaults */
    char objective[16]; /* "pushes", "moves", "cost", "score" */
};

/* What the puzzle counts, as the field `objective` has it. */
void identity_objective(const soloist_puzzle *puzzle, char *text, size_t room);
/* False without memory. */
bool identity_of(const struct cli *cli, const soloist_puzzle *puzzle, struct identity *identity);
bool identity_equal(const struct identity *a, const struct identity *b);
/* An object called "identity". */
void identity_write(struct json_writer *json, const struct identity *identity);
/* The identity that a line tells; not known if it tells none. */
struct identity identity_read(struct json_value line);

#endif
