/* Critical-difference plots (Demsar 2006): the labels are ranked on every instance, and the mean ranks are compared by
 * Nemenyi's test. */
#include "base/buffer.h"
#include "lab/results/gnuplot.h"
#include "lab/results/look.h"
#include "lab/results/plot.h"
#include "lab/results/query.h"
#include "lab/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LABELS = 40 };

struct ranking {
    char *labels[MOST_LABELS];
    double ranks[MOST_LABELS]; /* mean ranks, least first */
    int count;
    int64_t blocks; /* number of instances, seeds and budgets on which all labels ran */
};

/* A block is what two runs must share to be compared. Equal values share the mean of their ranks. Blocks in which a
 * label has no run do not count. */
static const char sql[] =
    "WITH chosen AS (SELECT label, source, number, seed, " LOOK_BUDGET " AS budget, iif(solved, %s(%s), NULL) AS wish"
    " FROM runs WHERE solved IS NOT NULL AND (%s)),"
    " whole AS (SELECT source, number, seed, budget FROM chosen GROUP BY source, number, seed, budget HAVING"
    " count(DISTINCT label) = (SELECT count(DISTINCT label) FROM chosen)),"
    " ranked AS (SELECT label, rank() OVER (PARTITION BY source, number, seed, budget ORDER BY wish IS NULL, wish)"
    " + (count(*) OVER (PARTITION BY source, number, seed, budget, wish) - 1) / 2.0 AS place"
    " FROM chosen JOIN whole USING(source, number, seed, budget))"
    " SELECT label, avg(place), (SELECT count(*) FROM whole) FROM ranked GROUP BY label ORDER BY avg(place), label";

static bool read_ranks(const struct store *store, const struct look_ranks *ranks, const struct look *look,
                       struct ranking *ranking, soloist_error *error) {
    struct buffer text;
    struct query rows;
    bool well = true;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    soloist_print(&sink, sql, ranks->more ? "-" : "", ranks->of, look->where ? look->where : "1");
    query_open_select(&rows, store, text.failed ? NULL : text.text, error);
    buffer_close(&text);
    while (well && query_next(&rows)) {
        if (ranking->count == MOST_LABELS) {
            well = soloist_fail(error, 0, 0, "more than %d labels: select some with --where", MOST_LABELS);
            break;
        }
        ranking->ranks[ranking->count] = query_real(&rows, 1);
        ranking->blocks = query_int(&rows, 2);
        ranking->labels[ranking->count] = strdup(query_text(&rows, 0));
        well = ranking->labels[ranking->count++] || soloist_fail(error, 0, 0, "out of memory");
    }
    well = query_close(&rows) && well;
    return well && (ranking->count > 1 || soloist_fail(error, 0, 0,
                                                       "nothing to rank: at least two labels must have finished runs "
                                                       "on the same instances"));
}

static void put_script(const struct ranking *ranking, const char *title, double difference, const soloist_sink *sink) {
    int count = ranking->count;
    soloist_put(sink, "set termoption noenhanced\nset encoding utf8\nset border 1\nset tics nomirror out\nunset key\n"
                      "set grid xtics lt 1 lw 1 lc rgb '#d8d8d8'\nset title ");
    plot_put_quoted(sink, title);
    soloist_print(
        sink,
        "\nset xlabel 'mean rank on %lld instances; bars that do not overlap differ (critical difference %.2f)'\n",
        (long long)ranking->blocks, difference);
    soloist_print(sink, "set yrange [%d.5:0.5]\nset xrange [0.8:%d.2]\nset xtics 1\n", count, count);
    for (int i = 0; i < count; i++) {
        soloist_put(sink, i ? "set ytics add (" : "set ytics (");
        plot_put_quoted(sink, ranking->labels[i]);
        soloist_print(sink, " %d)\n", i + 1);
    }
    soloist_put(sink, "$ranks << EOD\n");
    for (int i = 0; i < count; i++)
        soloist_print(sink, "%.6g %d\n", ranking->ranks[i], i + 1);
    soloist_print(sink, "EOD\nplot $ranks using 1:2:(%.6g) with xerrorbars lc rgb '#0072b2' lw 2.5 pt 7 ps 1.2\n",
                  difference / 2);
}

bool look_plot_ranks(const struct store *store, const struct look_ranks *ranks, const struct look *look,
                     const char *path, soloist_error *error) {
    struct ranking ranking = {0};
    struct buffer script;
    buffer_open(&script);
    soloist_sink sink = buffer_sink(&script);
    bool well = plot_put_terminal(&sink, path, error) && read_ranks(store, ranks, look, &ranking, error);
    if (well) {
        double k = ranking.count;
        double difference =
            statistics_range_quantile(0.95, ranking.count) / sqrt(2) * sqrt(k * (k + 1) / (6 * (double)ranking.blocks));
        put_script(&ranking, ranks->title, difference, &sink);
        well = script.failed ? soloist_fail(error, 0, 0, "out of memory") : gnuplot_draw(&script, path, error);
    }
    for (int i = 0; i < ranking.count; i++)
        free(ranking.labels[i]);
    buffer_close(&script);
    return well;
}
