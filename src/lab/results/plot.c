/* Figures drawn by gnuplot, which runs as a separate program. A point is the mean of all values with the same x; error
 * bars show its confidence interval. Series differ by dashes, marks and lightness, so that they can be distinguished in
 * grey. */
#include "base/buffer.h"
#include "lab/results/gnuplot.h"
#include "lab/results/look.h"
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
    bool words; /* x is not a number */
    struct sample sample;
    double x;
    double least, most; /* least and greatest mean */
};

static void put_point(struct points *points) {
    soloist_sink sink = buffer_sink(&points->data);
    double half = sample_half_width(&points->sample, points->look->level), mean = points->sample.mean;
    if (!points->sample.count)
        return;
    soloist_print(&sink, "%.12g %.12g %.12g %.12g\n", points->x, mean, mean - half, mean + half);
    points->least = mean < points->least ? mean : points->least;
    points->most = mean > points->most ? mean : points->most;
    points->sample = (struct sample){0};
}

static bool begin_series(struct points *points, const char *name, soloist_error *error) {
    soloist_sink sink = buffer_sink(&points->data);
    put_point(points);
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

/* Adds one row of the query; rows are sorted by series, then x. */
static bool take_row(struct points *points, struct query *row, soloist_error *error) {
    const char *name = query_text(row, 0);
    double x = query_real(row, 1);
    if (query_type(row, 1) == SQLITE_NULL || query_type(row, 2) == SQLITE_NULL)
        return true;
    if (points->words && !place_of(points, query_text(row, 1), &x, error))
        return false;
    if (!points->series || strcmp(points->names[points->series - 1], name) != 0) {
        if (!begin_series(points, name, error))
            return false;
    } else if (x != points->x) {
        put_point(points);
    }
    points->x = x;
    sample_add(&points->sample, query_real(row, 2));
    return true;
}

static bool read_points(const struct store *store, const char *figure_sql, struct points *points,
                        soloist_error *error) {
    struct buffer sql;
    struct query rows;
    bool well = true;
    buffer_open(&sql);
    soloist_sink sink = buffer_sink(&sql);
    soloist_print(
        &sink,
        "WITH figure(series, x, y) AS (%s) SELECT series, x, y, (SELECT count(*) FROM figure WHERE typeof(x) ="
        " 'text') FROM figure ORDER BY series, x",
        figure_sql);
    query_open_select(&rows, store, sql.failed ? NULL : sql.text, error);
    buffer_close(&sql);
    while (well && query_next(&rows)) {
        points->words = query_int(&rows, 3) > 0;
        well = take_row(points, &rows, error);
    }
    well = query_close(&rows) && well;
    put_point(points);
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

/* Writes a text in single quotes for gnuplot, so that mark-up characters have no special meaning. */
static void put_quoted(const soloist_sink *sink, const char *text) {
    soloist_put(sink, "'");
    for (; *text; text++)
        soloist_print(sink, *text == '\'' ? "''" : (unsigned char)*text < 32 ? " " : "%c", *text);
    soloist_put(sink, "'");
}

static void put_setting(const soloist_sink *sink, const char *setting, const char *text) {
    soloist_print(sink, "set %s ", setting);
    put_quoted(sink, text);
    soloist_put(sink, "\n");
}

static void put_style(const struct points *points, const struct look_figure *figure, const soloist_sink *sink) {
    static const char *const greys[] = {"#000000", "#707070", "#303030", "#909090", "#505050", "#a8a8a8"};
    soloist_put(sink, "set termoption noenhanced\nset encoding utf8\nset border 3\nset tics nomirror out\nset grid "
                      "ytics back lc rgb '#c8c8c8'\n"
                      "set key below left Left reverse\nset bars 0.5\nset autoscale xfix\nset offsets graph 0.04, "
                      "graph 0.04, 0, 0\n");
    if (figure->log_x && !points->words)
        soloist_put(sink, "set logscale x\n");
    if (figure->log_y)
        soloist_put(sink, "set logscale y\n");
    else if (points->least >= 0 && points->least < points->most / 2)
        soloist_put(sink, "set yrange [0:*]\n");
    for (int i = 0; points->words && i < points->place_count; i++) {
        soloist_put(sink, i ? "set xtics add (" : "set xtics rotate by -30 (");
        put_quoted(sink, points->places[i]);
        soloist_print(sink, " %d)\n", i);
    }
    for (int i = 0; i < points->series; i++)
        soloist_print(sink, "set style line %d lc rgb '%s' lw 1.6 dt %d pt %d ps 0.7\n", i + 1, greys[i % 6], i % 5 + 1,
                      (int[]){7, 4, 9, 6, 5, 8, 11, 2, 13, 1, 10, 3}[i]);
}

static void put_plots(const struct points *points, const struct look_figure *figure, const soloist_sink *sink) {
    double width = 0.8 / points->series;
    if (figure->bars)
        soloist_put(sink, "set style fill pattern border\nset xrange [*:*]\n");
    for (int i = 0; i < points->series; i++) {
        soloist_put(sink, i ? ", " : "plot ");
        if (figure->bars)
            soloist_print(sink,
                          "$s%d using ($1%+.6g):2:3:4:(%.6g) with boxerrorbars lc rgb '#202020' fs pattern %d title ",
                          i, width * (i - (points->series - 1) / 2.0), width, i % 7 + 1);
        else /* intervals are drawn separately, so that the dashes of the line do not break them */
            soloist_print(sink,
                          "$s%d using 1:2:3:4 with yerrorbars ls %d dt 1 notitle, $s%d using 1:2 with %s ls %d title ",
                          i, i + 1, i, points->words ? "points" : "linespoints", i + 1);
        put_quoted(sink, points->names[i]);
    }
    soloist_put(sink, "\n");
}

static bool put_script(const struct points *points, const struct look_figure *figure, const char *path,
                       struct buffer *script, soloist_error *error) {
    soloist_sink sink = buffer_sink(script);
    const char *dot = strrchr(path, '.');
    if (dot && !strcmp(dot, ".svg"))
        soloist_put(&sink, "set terminal svg size 800,500 font 'sans,14' background '#ffffff'\n");
    else if (dot && !strcmp(dot, ".png"))
        soloist_put(&sink, "set terminal pngcairo size 1200,750 font 'sans,15' background '#ffffff'\n");
    else
        return soloist_fail(error, 0, 0, "%.150s: expected a name that ends in .svg or .png", path);
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
    struct points points = {.look = look, .least = INFINITY, .most = -INFINITY};
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
