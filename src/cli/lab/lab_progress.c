/* The live progress of an experiment: only on a terminal, redrawn in place. */
#include "base/budget.h"
#include "cli/shell/format.h"
#include "cli/lab/lab.h"
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

static void draw_bar(const struct runner_progress *report) {
    char elapsed[FORMAT_ROOM], left[FORMAT_ROOM];
    uint64_t planned = report->planned ? report->planned : 1;
    int full = (int)(report->done * BAR / planned);
    fputc('[', stderr);
    for (int i = 0; i < BAR; i++)
        fputc(i < full ? '#' : '.', stderr);
    fprintf(stderr, "] %3d %%  %llu of %llu runs, %s, %s\n", (int)(report->done * 100 / planned),
            (unsigned long long)report->done, (unsigned long long)report->planned,
            format_seconds(report->elapsed_s, elapsed), format_left(report->left_s, left));
}

static void draw_label(const struct runner_tally *tally) {
    fputs("  ", stderr);
    format_name(stderr, tally->label, 24);
    fprintf(stderr, " %6llu of %llu, %llu solved", (unsigned long long)tally->done, (unsigned long long)tally->planned,
            (unsigned long long)tally->solved);
    if (tally->solved)
        fprintf(stderr, ", mean %.6g", tally->value / (double)tally->solved);
    fputc('\n', stderr);
}

void lab_progress_show(void *user, const struct runner_progress *report) {
    struct lab_progress *progress = user;
    double now_s = clock_seconds();
    int columns, rows;
    if (!progress->cli->err_terminal || now_s - progress->shown_s < 0.2)
        return;
    progress->shown_s = now_s;
    lab_progress_wipe(progress);
    terminal_size(&columns, &rows);
    draw_bar(report);
    progress->lines = 1;
    /* Only labels whose runs are in progress get a line. */
    for (size_t i = 0; i < report->tally_count && progress->lines <= MOST_LABELS && progress->lines < rows - 2; i++)
        if (report->tallies[i].done > 0 && report->tallies[i].done < report->tallies[i].planned) {
            draw_label(&report->tallies[i]);
            progress->lines++;
        }
    fflush(stderr);
}
