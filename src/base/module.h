/* Loads modules: files named libsoloist_NAME.so, in the program's folder, in lib/ next to that folder, or in the folder
 * above it. Because of modules, a program that does not use the GPU or MPI need not load their libraries, and works on
 * a machine without them. */
#ifndef BASE_MODULE_H
#define BASE_MODULE_H

#include <stdbool.h>

/* The address of a symbol in the module with this name; NULL if there is no such module, if it cannot be loaded, or if
 * it lacks the symbol. A module stays loaded until the program ends. */
void *module_symbol(const char *name, const char *symbol);
/* Why the module could not be loaded, although its file is there: the message of the dynamic linker, for example about
 * a missing library. "" if there is no such file. Valid until the next call of either function. */
const char *module_complaint(const char *name);
/* Whether the machine has a shared library of this name, such as "libcuda.so.1". */
bool module_has_library(const char *file);

#endif
