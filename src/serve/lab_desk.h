/* Answers the page's questions about the lab's stores that the user named: tables of means, comparisons, the
 * experiments' own reports, and the points of figures, all as JSON. A client chooses among columns that are listed
 * here; it never sends SQL. Without SQLite this file is not compiled, and the server has no stores. */
#ifndef SERVE_LAB_DESK_H
#define SERVE_LAB_DESK_H

#include "serve/serve.h"

struct lab_desk;

/* Opens the stores, which stay open. NULL with an error: one of them cannot be opened, or memory ran out. */
struct lab_desk *lab_desk_open(const char *const *paths, size_t count, soloist_error *error);
void lab_desk_close(struct lab_desk *desk);
/* The functions `list` and `answer` of struct serve_lab; any thread may call them. */
void lab_desk_list(void *desk, struct reply *reply);
void lab_desk_answer(void *desk, const struct request *request, struct reply *reply);

#endif
