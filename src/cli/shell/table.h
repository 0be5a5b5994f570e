/* Tables of src/lab on the screen. */
#ifndef CLI_SHELL_TABLE_H
#define CLI_SHELL_TABLE_H

#include "lab/sheet.h"

/* Writes a table. As text it stays within the width of standard output: columns that do not fit beside the others are
 * written below them, where the first column is repeated. The formats for programs are never broken. */
void table_write(struct sheet *sheet, enum sheet_format format, const soloist_sink *sink);

#endif
