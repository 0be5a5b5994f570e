/* Figures drawn by gnuplot, which runs as a separate program. A point is the mean of all values with the same x; error
 * bars show its confidence interval. Series differ by colour (Okabe and Ito's palette, which colour-blind people can
 * tell apart), dashes and marks, so that they can also be distinguished in grey. Ticks are at the data. */
#include "base/buffer.h"
#include "lab/results/gnuplot.h"
#include "lab/results/look.h"
#include "lab/results/plot.h"
#include "lab/results/query.h"
#include "lab/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SERIES = 12, MOST_PLACES = 64 };

struct points {
    const struct look *look;
    struct buffer data; /* gnuplot's data blocks, one per series */
    char *names[MOST_SERIES];
    int series;
    char *places[MOST_PLACES]; /* values of x that are words, in order of appearance */
    int place_count;
    bool words;         /* x is not a number */
    double least, most; /* least and greatest mean */
    double low, high;   /* ends of all intervals */
    bool percent;       /* y is a share: its name has a %, and no mean is outside 0 to 100; an interval neither */
    double ticks[MOST_PLACES];
    int tick_count;       /* number of different x; -1: too many for ticks */
    soloist_error *error; /* why take_point returned false */
};

/* Notes an x at which a tick may be drawn; they are kept in order. */
static void note_tick(struct points *points, double x) {
    int at = 0;
    while (at < points->tick_count && points->ticks[at] < x)
        at++;
    if (points->tick_count < 0 || (at < points->tick_count && points->ticks[at] == x))
        return;
    if (points->tick_count == MOST_PLACES) {
        points->tick_count = -1;
        return;
    }
    memmove(points->ticks + at + 1, points->ticks + at, (size_t)(points->tick_count - at) * sizeof *points->ticks);
    points->ticks[at] = x;
    points->tick_count++;
}

static void put_point(struct points *points, double x, const struct sample *sample) {
    soloist_sink sink = buffer_sink(&points->data);
    double mean = sample->mean, low, high;
    points->percent &= mean >= 0 && mean <= 100;
    look_interval(sample, points->look->level, points->percent, &low, &high);
    soloist_print(&sink, "%.12g %.12g %.12g %.12g\n", x, mean, low, high);
    note_tick(points, x);
    points->least = mean < points->least ? mean : points->least;
    points->most = mean > points->most ? mean : points->most;
    points->low = fmin(points->low, low);
    points->high = fmax(points->high, high);
}

static bool begin_series(struct points *points, const char *name, soloist_error *error) {
    soloist_sink sink = buffer_sink(&points->data);
    if (points->series)
        soloist_put(&sink, "EOD\n");
    if (points->series == MOST_SERIES)
        return soloist_fail(error, 0, 0, "more than %d series in one figure: select some with --where", MOST_SERIES);
    soloist_print(&sink, "$s%d << EOD\n", points->series);
    points->names[points->series] = strdup(name);
    return points->names[points->series++] ? true : soloist_fail(error, 0, 0, "out of memory");
}

static bool place_of(struct points *points, const char *word, double *x, soloist_error *error) {
    for (int i = 0; i < points->place_count; i++)
        if (!strcmp(points->places[i], word))
            return *x = i, true;
    if (points->place_count == MOST_PLACES)
        return soloist_fail(error, 0, 0, "more than %d words on the x axis", MOST_PLACES);
    *x = points->place_count;
    points->places[points->place_count] = strdup(word);
    return points->places[points->place_count++] ? true : soloist_fail(error, 0, 0, "out of memory");
}

static bool take_point(void *user, const struct look_point *point) {
    struct points *points = user;
    double x = point->x;
    points->words = point->word;
    if (point->word && !place_of(points, point->word, &x, points->error))
        return false;
    bool same = points->series && !strcmp(points->names[points->series - 1], point->series);
    if (!same && !begin_series(points, point->series, points->error))
        return false;
    put_point(points, x, point->sample);
    return true;
}

static bool read_points(const struct store *store, const char *figure_sql, struct points *points,
                        soloist_error *error) {
    points->error = error;
    bool well = look_points(store, figure_sql, take_point, points, error);
    soloist_sink data = buffer_sink(&points->data);
    if (points->series)
        soloist_put(&data, "EOD\n");
    if (well && points->data.failed)
        return soloist_fail(error, 0, 0, "out of memory");
    if (well && !points->series)
        return soloist_fail(error, 0, 0, "nothing to draw yet: no finished run gives a point");
    return well;
}

/* ---- the script ---- */

static void put_quoted(const soloist_sink *sink, const char *text, bool format) {
    for (; *text == '\''; text++)
        soloist_put(sink, "\"'\"."); /* gnuplot takes two quotes at the beginning for an empty text */
    soloist_put(sink, "'");
    for (; *text; text++)
        if (*text == '%' && format)
            soloist_put(sink, "%%");
        else
            soloist_print(sink, *text == '\'' ? "''" : (unsigned char)*text < 32 ? " " : "%c", *text);
    soloist_put(sink, "'");
}

void plot_put_quoted(const soloist_sink *sink, const char *text) { put_quoted(sink, text, false); }

void plot_put_tick(const soloist_sink *sink, const char *text) { put_quoted(sink, text, true); }

static void put_setting(const soloist_sink *sink, const char *setting, const char *text) {
    soloist_print(sink, "set %s ", setting);
    plot_put_quoted(sink, text);
    soloist_put(sink, "\n");
}

enum { TICK_ROOM = 32 };

/* Numbers as people write them: with powers of ten only if they are very large or small. */
static void write_tick(double value, char label[TICK_ROOM]) {
    snprintf(label, TICK_ROOM, fabs(value) >= 1 && fabs(value) < 1e6 ? "%.10g" : "%.4g", value);
}

static void put_tick(const soloist_sink *sink, double value) {
    char label[TICK_ROOM];
    write_tick(value, label);
    soloist_print(sink, "'%s' %.12g", label, value);
}

static size_t longest_name(const struct points *points) {
    size_t longest = 0;
    for (int i = 0; i < points->series; i++)
        longest = strlen(points->names[i]) > longest ? strlen(points->names[i]) : longest;
    return longest;
}

static bool key_is_beside(const struct points *points) { return longest_name(points) <= 24 && points->series > 1; }

/* Ticks at all x of the data. A tick whose label would touch the one before it has no label. */
static void put_data_ticks(const struct points *points, bool logarithmic, const soloist_sink *sink) {
    /* The width of a letter, as a share of the axis: about 10 of the picture's 860 pixels; beside the axis stand labels
     * and, in some figures, the legend. */
    const double letter = 10 / (770 - (key_is_beside(points) ? 8.0 * (double)longest_name(points) + 60 : 0));
    const double *ticks = points->ticks;
    int last = points->tick_count - 1;
    double low = logarithmic ? log(ticks[0]) : ticks[0], high = logarithmic ? log(ticks[last]) : ticks[last];
    double end = -INFINITY; /* where the last label ends, as a share of the axis */
    for (int i = 0; i <= last; i++) {
        char label[TICK_ROOM];
        write_tick(ticks[i], label);
        double at = high > low ? ((logarithmic ? log(ticks[i]) : ticks[i]) - low) / (high - low) : 0;
        double half = letter * (double)strlen(label) / 2;
        bool fits = at - half > end + letter / 2;
        end = fits ? at + half : end;
        soloist_print(sink, "%s'%s' %.12g", i ? ", " : "set xtics (", fits ? label : "", ticks[i]);
    }
    soloist_put(sink, ")\n");
}

/* Labels 1, 2 and 5 of every power of ten, because with powers alone an axis may have no label at all. */
static void put_log_ticks(const soloist_sink *sink, const char *axis, double least, double most) {
    int first = (int)floor(log10(least)), last = (int)ceil(log10(most));
    const int digits[] = {1, 2, 5};
    bool all = last - first <= 4, begun = false;
    soloist_print(sink, "set %stics (", axis);
    for (int power = first; power <= last; power++)
        for (int i = 0; i < 3; i++) {
            double value = digits[i] * pow(10, power);
            if ((!all && digits[i] != 1) || value < least * 0.5 || value > most * 2)
                continue;
            soloist_put(sink, begun ? ", " : "");
            put_tick(sink, value);
            begun = true;
        }
    if (!begun)
        put_tick(sink, least);
    soloist_put(sink, ")\n");
}

static void put_word_ticks(const struct points *points, const soloist_sink *sink) {
    size_t letters = 0;
    for (int i = 0; i < points->place_count; i++)
        letters += strlen(points->places[i]) + 2;
    for (int i = 0; i < points->place_count; i++) {
        soloist_put(sink, i ? "set xtics add (" : letters > 60 ? "set xtics rotate by -30 (" : "set xtics (");
        plot_put_tick(sink, points->places[i]);
        soloist_print(sink, " %d)\n", i);
    }
}

/* Shares that lie close together get an axis that shows their differences; bars always begin at 0. */
static void put_percent_axis(const struct points *points, bool bars, const soloist_sink *sink) {
    bool close = !bars && points->high - points->low <= 30;
    double low = close ? 10 * floor(points->low / 10) : 0, high = close ? 10 * ceil(points->high / 10) : 100;
    if (high <= low) { /* all shares are the same multiple of ten */
        low = fmin(low, 90);
        high = low + 10;
    }
    soloist_print(sink, "set yrange [%g:%g]\nset ytics %d\n", low, high, close ? high - low > 20 ? 10 : 5 : 20);
}

static void put_axes(const struct points *points, const struct look_figure *figure, const soloist_sink *sink) {
    bool log_x =
        figure->log_x && !points->words && points->tick_count && (points->tick_count < 0 || points->ticks[0] > 0);
    bool log_y = figure->log_y && points->least > 0 && !figure->bars;
    if (log_x)
        soloist_put(sink, "set logscale x\n");
    if (log_y)
        soloist_put(sink, "set logscale y\n");
    if (points->words)
        put_word_ticks(points, sink);
    else if (points->tick_count > 0 && points->tick_count <= 16)
        put_data_ticks(points, log_x, sink);
    else if (log_x && points->tick_count > 0)
        put_log_ticks(sink, "x", points->ticks[0], points->ticks[points->tick_count - 1]);
    if (log_y) {
        soloist_print(sink, "set yrange [%.12g:*]\n", points->least * 0.8);
        put_log_ticks(sink, "y", points->least, points->most);
    }
    if (points->percent && !log_y)
        put_percent_axis(points, figure->bars, sink);
    else if (!log_y && points->least >= 0 && (figure->bars || points->least < points->most / 2))
        soloist_put(sink, "set yrange [0:*]\n");
}

/* The legend is beside the data, or below them if its names are long; there, its empty title keeps it away from the
 * title of the x axis. */
static void put_key(const struct points *points, const soloist_sink *sink) {
    if (points->series == 1 && !*points->names[0])
        soloist_put(sink, "unset key\n");
    else
        soloist_put(sink, key_is_beside(points) ? "set key outside right top Left reverse samplen 3\n"
                                                : "set key below left Left reverse samplen 3 title ' '\n");
}

static void put_style(const struct points *points, const struct look_figure *figure, const soloist_sink *sink) {
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#000000", "#e69f00", "#56b4e9", "#7f7f7f"};
    soloist_put(sink,
                "set termoption noenhanced\nset encoding utf8\nset border 3\nset tics nomirror out\nset grid "
                "ytics lt 1 lw 1 lc rgb '#d8d8d8'\nset bars 0.5\nset autoscale xfix\nset offsets graph 0.04, graph "
                "0.04, 0, 0\n");
    put_key(points, sink);
    put_axes(points, figure, sink);
    for (int i = 0; i < points->series; i++)
        soloist_print(sink, "set style line %d lc rgb '%s' lw 1.8 dt %d pt %d ps 0.8\n", i + 1, colours[i % 8],
                      (i / 8 + i) % 5 + 1, (int[]){7, 5, 9, 11, 6, 4, 8, 10, 13, 12, 1, 2}[i]);
}

static void put_plots(const struct points *points, const struct look_figure *figure, const soloist_sink *sink) {
    double width = 0.8 / points->series;
    if (figure->bars)
        soloist_put(sink, "set style fill solid 0.85 border lc rgb '#202020'\nset xrange [*:*]\n");
    for (int i = 0; i < points->series; i++) {
        soloist_put(sink, i ? ", " : "plot ");
        if (figure->bars)
            soloist_print(sink, "$s%d using ($1%+.6g):2:3:4:(%.6g) with boxerrorbars ls %d dt 1 title ", i,
                          width * (i - (points->series - 1) / 2.0), width, i + 1);
        else if (figure->plain)
            soloist_print(sink, "$s%d using 1:2 with lines ls %d title ", i, i + 1);
        else /* intervals are drawn separately, so that the dashes of the line do not break them */
            soloist_print(sink,
                          "$s%d using 1:2:3:4 with yerrorbars ls %d dt 1 notitle, $s%d using 1:2 with %s ls %d title ",
                          i, i + 1, i, points->words ? "points" : "linespoints", i + 1);
        plot_put_quoted(sink, points->names[i]);
    }
    soloist_put(sink, "\n");
}

bool plot_put_terminal(const soloist_sink *sink, const char *path, soloist_error *error) {
    static const char *const terminals[][2] = {
        {".svg", "set terminal svg size 860,500 font 'sans,14' background '#ffffff'\n"},
        {".png", "set terminal pngcairo size 1290,750 font 'sans,15' background '#ffffff'\n"},
        {".pdf", "set terminal pdfcairo size 17.2cm,10cm font 'sans,10' background '#ffffff'\n"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof terminals / sizeof *terminals; i++)
        if (!strcmp(dot, terminals[i][0]))
            return soloist_put(sink, terminals[i][1]), true;
    return soloist_fail(error, 0, 0, "%.150s: expected a name that ends in .svg, .png or .pdf", path);
}

static bool put_script(const struct points *points, const struct look_figure *figure, const char *path,
                       struct buffer *script, soloist_error *error) {
    soloist_sink sink = buffer_sink(script);
    if (!plot_put_terminal(&sink, path, error))
        return false;
    put_setting(&sink, "title", figure->title);
    put_setting(&sink, "xlabel", figure->x);
    put_setting(&sink, "ylabel", figure->y);
    put_style(points, figure, &sink);
    soloist_put(&sink, points->data.text);
    put_plots(points, figure, &sink);
    return !script->failed || soloist_fail(error, 0, 0, "out of memory");
}

bool look_plot(const struct store *store, const struct look_figure *figure, const struct look *look, const char *path,
               soloist_error *error) {
    struct points points = {.look = look, .least = INFINITY, .most = -INFINITY, .low = INFINITY, .high = -INFINITY};
    points.percent = strstr(figure->y, "%") != NULL;
    struct buffer script;
    buffer_open(&points.data);
    buffer_open(&script);
    bool well = read_points(store, figure->sql, &points, error) && put_script(&points, figure, path, &script, error) &&
                gnuplot_draw(&script, path, error);
    for (int i = 0; i < points.series; i++)
        free(points.names[i]);
    for (int i = 0; i < points.place_count; i++)
        free(points.places[i]);
    buffer_close(&points.data);
    buffer_close(&script);
    return well;
}
