/* The live progress of an experiment: only on a terminal, redrawn in place. */
#include "base/budget.h"
#include "cli/shell/format.h"
#include "cli/lab/lab.h"
#include "cli/shell/screen.h"
#include "cli/shell/terminal.h"

enum { BAR = 24, MOST_LABELS = 12 };

static char *format_left(double seconds, char *out) {
    if (seconds < 0)
        snprintf(out, FORMAT_ROOM, "time left unknown");
    else if (seconds < 120)
        snprintf(out, FORMAT_ROOM, "%.0f s left", seconds);
    else if (seconds < 7200)
        snprintf(out, FORMAT_ROOM, "%.0f min left", seconds / 60);
    else
        snprintf(out, FORMAT_ROOM, "%.1f h left", seconds / 3600);
    return out;
}

void lab_progress_wipe(struct lab_progress *progress) {
    for (; progress->lines > 0; progress->lines--)
        fputs("\033[A\033[K", stderr);
}

/* Every line must stay within the screen: one that wraps would not be wiped. */
static void draw_line(const struct screen_line *line) { fprintf(stderr, "%s\n", line->text); }

static void draw_bar(const struct pool_progress *report, int width) {
    static const char marks[] = "########################........................";
    struct screen_line line;
    char text[FORMAT_ROOM];
    uint64_t planned = report->planned ? report->planned : 1;
    int full = (int)(report->done * BAR / planned);
    screen_line_open(&line, width);
    if (width >= 3 * BAR)
        screen_line_add(&line, "[%.*s] ", BAR, marks + BAR - (full < BAR ? full : BAR));
    screen_line_add(&line, "%3d %%  ", (int)(report->done * 100 / planned));
    screen_line_add(&line, "%llu of %llu runs", (unsigned long long)report->done, (unsigned long long)report->planned);
    screen_line_add(&line, ", %s", format_seconds(report->elapsed_s, text));
    screen_line_add(&line, ", %s", format_left(report->left_s, text));
    draw_line(&line);
}

static void draw_label(const struct pool_tally *tally, int width) {
    struct screen_line line;
    screen_line_open(&line, width);
    screen_line_add(&line, "  %llu of %llu, %llu solved", (unsigned long long)tally->done,
                    (unsigned long long)tally->planned, (unsigned long long)tally->solved);
    if (tally->solved)
        screen_line_add(&line, ", mean %.6g", tally->value / (double)tally->solved);
    int room = width - line.width - 2;
    fputs("  ", stderr);
    format_name(stderr, tally->label, room < 24 ? room : 24);
    draw_line(&line);
}

void lab_progress_show(void *user, const struct pool_progress *report) {
    struct lab_progress *progress = user;
    double now_s = clock_seconds();
    int columns, rows;
    if (!progress->cli->err_terminal || now_s - progress->shown_s < 0.2)
        return;
    progress->shown_s = now_s;
    lab_progress_wipe(progress);
    terminal_size(&columns, &rows);
    columns = screen_width(stderr);
    draw_bar(report, columns);
    progress->lines = 1;
    /* Only labels whose runs are in progress get a line. */
    for (size_t i = 0; i < report->tally_count && progress->lines <= MOST_LABELS && progress->lines < rows - 2; i++)
        if (report->tallies[i].done > 0 && report->tallies[i].done < report->tallies[i].planned) {
            draw_label(&report->tallies[i], columns);
            progress->lines++;
        }
    fflush(stderr);
}
