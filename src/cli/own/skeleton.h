/* Templates of the files that `soloist new-domain` writes. The build embeds them in the program as strings
 * (cmake/skeleton.cmake). */
#ifndef CLI_OWN_SKELETON_H
#define CLI_OWN_SKELETON_H

struct skeleton_file {
    const char *name; /* such as "test_@FILE@.c"; NULL ends the list */
    const char *text; /* @NAME@ stands for the domain's name, @FILE@ for the name that its files have */
};

extern const struct skeleton_file skeleton_files[];

#endif
