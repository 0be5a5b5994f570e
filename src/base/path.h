/* Paths of files. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

/* FOLDER/NAME; the caller frees it. NULL: no memory. */
char *path_in(const char *folder, const char *name);

#endif
