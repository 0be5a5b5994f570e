/* A page of experiments as `lab book` writes it: a head, then one chapter per experiment. A chapter begins with a line
 * "## NAME: TITLE" and contains the hash of the experiment's text from which it was made. */
#ifndef CLI_LAB_LAB_PAGE_H
#define CLI_LAB_LAB_PAGE_H

#include "soloist.h"

/* Writes the sentence that says when, where and from which text a chapter was made. The argument `machine` describes
 * the machine that made the runs; NULL means this machine. */
void page_put_origin(const char *text, const char *machine, const soloist_sink *sink);

/* Finds the next part of a page, which is the page's head or a chapter: the text from `at` up to the next line that
 * begins with "## ", or up to the end of the page. *name points to the chapter's name within the page (not
 * zero-terminated); NULL for the head. Returns the length of the text, or 0 if `at` is the end of the page. */
size_t page_next(const char *at, const char **name, size_t *name_length);

/* Compares the hash in each chapter with the hash of its experiment's present text, and reports chapters that were made
 * from another text. Returns an exit status, CLI_SOME if there are such chapters. */
int page_check(const char *path);

#endif
