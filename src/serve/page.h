/* The files of the page, which the build embeds in the program (cmake/page.cmake). */
#ifndef SERVE_PAGE_H
#define SERVE_PAGE_H

#include <stddef.h>

struct page_file {
    const char *path; /* such as "/engine.js"; NULL ends the list */
    const char *type; /* content type */
    const char *etag; /* changes with the content */
    const unsigned char *bytes;
    size_t length;
};

extern const struct page_file page_files[];

#endif
