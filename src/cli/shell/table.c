#include "cli/shell/table.h"
#include "cli/shell/screen.h"

void table_write(struct sheet *sheet, enum sheet_format format, const soloist_sink *sink) {
    sheet->width = screen_width(stdout);
    fflush(stdout);
    screen_raw(format != SHEET_TEXT);
    sheet_write(sheet, format, sink);
    fflush(stdout);
    screen_raw(false);
}
