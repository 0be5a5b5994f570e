/* Critical-difference plots (Demsar 2006): the labels are ranked once on every instance, because runs with different
 * seeds are not independent instances; the mean ranks are compared by Nemenyi's test. */
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
    int64_t instances; /* number of instances on which all labels have runs */
};

/* Equal results on an instance share the mean of their ranks. */
static const char sql[] =
    "%s, results AS (SELECT label, instance, avg(wish IS NOT NULL) AS share, %savg(wish) AS mean FROM compared"
    " GROUP BY label, instance),"
    " ranked AS (SELECT label, rank() OVER (PARTITION BY instance ORDER BY share DESC, mean)"
    " + (count(*) OVER (PARTITION BY instance, share, mean) - 1) / 2.0 AS place FROM results)"
    " SELECT label, avg(place), count(*) FROM ranked GROUP BY label ORDER BY avg(place), label";

static bool read_ranks(const struct store *store, const struct look_ranks *ranks, const struct look_blocks *blocks,
                       struct ranking *ranking, soloist_error *error) {
    struct buffer text;
    struct query rows;
    bool well = true;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    soloist_print(&sink, sql, blocks->sql.text, ranks->more ? "-" : "");
    query_open_select(&rows, store, text.failed ? NULL : text.text, error);
    buffer_close(&text);
    while (well && query_next(&rows)) {
        if (ranking->count == MOST_LABELS) {
            well = soloist_fail(error, 0, 0, "more than %d labels: select some with --where", MOST_LABELS);
            break;
        }
        ranking->ranks[ranking->count] = query_real(&rows, 1);
        ranking->instances = query_int(&rows, 2);
        ranking->labels[ranking->count] = strdup(query_text(&rows, 0));
        well = ranking->labels[ranking->count++] || soloist_fail(error, 0, 0, "out of memory");
    }
    return query_close(&rows) && well;
}

static void put_script(const struct ranking *ranking, const char *title, const char *budgets, double difference,
                       const soloist_sink *sink) {
    int count = ranking->count;
    soloist_put(sink, "set termoption noenhanced\nset encoding utf8\nset border 1\nset tics nomirror out\nunset key\n"
                      "set grid xtics lt 1 lw 1 lc rgb '#d8d8d8'\nset title ");
    plot_put_quoted(sink, title);
    soloist_print(
        sink, "\nset xlabel 'mean rank on %lld instances; bars that do not overlap differ (critical difference %.2f)'",
        (long long)ranking->instances, difference);
    if (*budgets) {
        soloist_put(sink, ".\"\\n\".");
        plot_put_quoted(sink, budgets);
    }
    soloist_put(sink, "\n");
    soloist_print(sink, "set yrange [%d.5:0.5]\nset xrange [%.6g:%.6g]\nset xtics 1,1,%d\n", count,
                  0.9 - difference / 2, count + 0.1 + difference / 2, count);
    for (int i = 0; i < count; i++) {
        soloist_put(sink, i ? "set ytics add (" : "set ytics (");
        plot_put_tick(sink, ranking->labels[i]);
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
    struct look_blocks blocks;
    struct buffer script;
    buffer_open(&script);
    soloist_sink sink = buffer_sink(&script);
    bool well = look_blocks_open(&blocks, store, ranks->of, look->where, error) &&
                plot_put_terminal(&sink, path, error) && read_ranks(store, ranks, &blocks, &ranking, error);
    if (well) {
        double k = ranking.count;
        double difference = statistics_range_quantile(0.95, ranking.count) / sqrt(2) *
                            sqrt(k * (k + 1) / (6 * (double)ranking.instances));
        put_script(&ranking, ranks->title, blocks.budgets, difference, &sink);
        well = script.failed ? soloist_fail(error, 0, 0, "out of memory") : gnuplot_draw(&script, path, error);
    }
    for (int i = 0; i < ranking.count; i++)
        free(ranking.labels[i]);
    look_blocks_close(&blocks);
    buffer_close(&script);
    return well;
}
