/* Tables of src/lab on the screen. */
#ifndef CLI_SHELL_TABLE_H
#define CLI_SHELL_TABLE_H

#include "lab/sheet.h"

/* Writes a table. In the text format, the table stays within the width of standard output: columns that do not fit are
 * written as a further table below, which repeats the first column. In the formats for programs, lines are never
 * broken. */
void table_write(struct sheet *sheet, enum sheet_format format, const soloist_sink *sink);

#endif
