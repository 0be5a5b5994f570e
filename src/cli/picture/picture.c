/* `soloist show`: shows instances and solutions as pictures, in the terminal, as SVG, as PNG, or as a page of HTML. */
#include "base/buffer.h"
#include "domain/picture/paint.h"
#include "cli/picture/raster.h"
#include "cli/picture/sheet.h"
#include "cli/shell/files.h"
#include "cli/shell/format.h"
#include "cli/shell/need.h"
#include "cli/shell/plugin.h"
#include "cli/show/draw.h"
#include "cli/show/show.h"
#include "cli/show/solution.h"
#include "engine/board.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct picture_options {
    const char *domain, *method, *only, *solution, *solutions, *out;
    double time, delay;
    uint64_t seed;
    int scale;
    bool svg, png, html, film, ascii;
    struct arg_list plugin;
};

#define ROW(kind, field, letter, value, least, most, text)                                                             \
    { kind, #field, letter, offsetof(struct picture_options, field), value, least, most, text }
static const struct arg picture_rows[] = {
    ROW(ARG_FLAG, svg, 0, NULL, 0, 0, "write an SVG picture"),
    ROW(ARG_FLAG, png, 0, NULL, 0, 0, "write a PNG picture"),
    ROW(ARG_FLAG, html, 0, NULL, 0, 0, "write a page of HTML"),
    ROW(ARG_TEXT, out, 'o', "FILE", 0, 0,
        "file to write (the ending of its name decides the format); - is standard output"),
    ROW(ARG_FLAG, film, 0, NULL, 0, 0,
        "show how one instance is solved: by the solution in FILE if there is one, otherwise by one that a search "
        "finds"),
    ROW(ARG_TEXT, solution, 0, "TEXT", 0, 0, "solution to show, as text (implies --film)"),
    ROW(ARG_TEXT, solutions, 0, "FILE", 0, 0,
        "file with the solution, in any format that `check` reads (implies --film)"),
    ROW(ARG_TEXT, only, 0, "1,5-9,...", 0, 0, CLI_ONLY_HELP),
    ROW(ARG_INT, scale, 0, "N", 4, 256,
        "in the picture of a single instance: width of a square in pixels, 32 by default"),
    ROW(ARG_SECONDS, delay, 0, "SECONDS", 0.01, 60, "seconds per step of a film, 0.25 by default"),
    ROW(ARG_TEXT, method, 'm', "NAME[:KEY=VALUE,...]", 0, 0, "method that finds the solution for a film"),
    ROW(ARG_SECONDS, time, 't', "SECONDS", 0, 1e9, "time limit for solving, 10 by default; 0: no limit"),
    ROW(ARG_COUNT, seed, 's', "N", 0, 1.9e19, "random seed, 1 by default"),
    ROW(ARG_FLAG, ascii, 0, NULL, 0, 0, "in the terminal: draw with ASCII characters only"),
    ROW(ARG_TEXT, domain, 'd', "D[:KEY=VALUE,...]", 0, 0, CLI_DOMAIN_HELP),
    ROW(ARG_LIST, plugin, 0, "FILE", 0, 0, CLI_PLUGIN_HELP),
    {0},
};
#undef ROW

enum format { FORMAT_TEXT, FORMAT_SVG, FORMAT_PNG, FORMAT_HTML };
static const char *const endings[] = {"", ".svg", ".png", ".html"};

/* One run of the command. */
struct work {
    struct cli *cli;
    const struct picture_options *options;
    const struct input *input;
    enum format format;
    struct scene *scenes; /* one per task, or one that moves */
    struct sheet sheet;
    char note[200];
};

/* ---- in the terminal ---- */

static int print_task(const struct work *work, const struct task *task) {
    const struct cli *cli = work->cli;
    struct draw_style style = {cli->out_colour, cli->utf8 && cli->out_terminal && !work->options->ascii};
    soloist_puzzle puzzle;
    soloist_error error = {0};
    soloist_sink out = cli_sink(stdout);
    if (need_code(input_puzzle(work->input, task, &puzzle, &error)) != SOLOIST_OK)
        return cli_complain_at(task->source->label, &error), CLI_BAD;
    char *text = need(board_root_text(cli->engine, &puzzle));
    printf("%s%d%s", task == work->input->tasks ? "" : "\n", task->id, *task->chunk.name ? " " : "");
    format_name(stdout, task->chunk.name, format_width(task->chunk.name));
    printf("\n");
    draw_position(&style, puzzle.domain->name, text, NULL, &out);
    free(text);
    soloist_puzzle_free(&puzzle);
    return CLI_OK;
}

static int print_all(const struct work *work) {
    int worst = CLI_OK;
    for (size_t i = 0; i < work->input->task_count; i++) {
        int status = print_task(work, &work->input->tasks[i]);
        worst = status > worst ? status : worst;
    }
    return worst;
}

/* ---- what is drawn ---- */

static void add_frame(struct work *work, const struct scene *scene, size_t step, const char *caption) {
    struct sheet *sheet = &work->sheet;
    if (scene->failed)
        need_failed();
    sheet->frames = need_resized(sheet->frames, sheet->count + 1, sizeof *sheet->frames);
    struct frame *frame = &sheet->frames[sheet->count++];
    *frame = (struct frame){.scene = scene, .step = step};
    snprintf(frame->caption, sizeof frame->caption, "%s", caption);
}

static int paint_task(struct work *work, size_t index) {
    const struct task *task = &work->input->tasks[index];
    soloist_puzzle puzzle;
    soloist_error error = {0};
    char caption[160];
    if (need_code(input_puzzle(work->input, task, &puzzle, &error)) != SOLOIST_OK)
        return cli_complain_at(task->source->label, &error), CLI_BAD;
    char *text = need(board_root_text(work->cli->engine, &puzzle));
    paint_position(&work->scenes[index], puzzle.domain->name, text);
    bool numbered = atoi(task->chunk.name) == task->id; /* the title begins with the number, as in many collections */
    if (numbered)
        snprintf(caption, sizeof caption, "%s", task->chunk.name);
    else
        snprintf(caption, sizeof caption, "%d%s%s", task->id, *task->chunk.name ? " " : "", task->chunk.name);
    add_frame(work, &work->scenes[index], 0, caption);
    free(text);
    soloist_puzzle_free(&puzzle);
    return CLI_OK;
}

static int paint_all(struct work *work) {
    int worst = CLI_OK;
    for (size_t i = 0; i < work->input->task_count; i++) {
        int status = paint_task(work, i);
        worst = status > worst ? status : worst;
    }
    snprintf(work->note, sizeof work->note, "%zu instance%s", work->sheet.count, work->sheet.count == 1 ? "" : "s");
    return worst;
}

/* A film in PNG is a sheet of positions: the first, the last and some between. */
static void add_stills(struct work *work, const struct scene *scene) {
    enum { STILLS = 12 };
    size_t count = scene->steps + 1 < STILLS ? scene->steps + 1 : STILLS;
    for (size_t i = 0; i < count; i++) {
        char caption[64];
        size_t step = count > 1 ? i * scene->steps / (count - 1) : 0;
        snprintf(caption, sizeof caption, "%zu of %zu", step, scene->steps);
        add_frame(work, scene, step, caption);
    }
}

static void paint_film(struct work *work, const struct show *show) {
    struct scene *scene = &work->scenes[0];
    const char *domain = show->puzzle.domain->name;
    char *before = show_text(show, 0);
    paint_position(scene, domain, before);
    for (size_t step = 1; step <= show->count; step++) {
        char move[64], *after = show_text(show, step);
        show_move(show, step - 1, move, sizeof move);
        paint_step(scene, domain, step, before, move, after);
        free(before);
        before = after;
    }
    free(before);
    if (work->format == FORMAT_PNG)
        add_stills(work, scene);
    else
        add_frame(work, scene, SHEET_FILM, "");
    snprintf(work->note, sizeof work->note, "a solution of %zu move%s", show->count, show->count == 1 ? "" : "s");
}

static int film_task(struct work *work, const struct task *task) {
    const struct picture_options *options = work->options;
    struct solution_request request = {"show",          options->solution, options->solutions,
                                       options->method, options->time,     options->seed};
    soloist_puzzle puzzle;
    soloist_error error = {0};
    struct show show;
    int status = CLI_BAD;
    if (need_code(input_puzzle(work->input, task, &puzzle, &error)) != SOLOIST_OK)
        return cli_complain_at(task->source->label, &error), CLI_BAD;
    char *solution = solution_find(work->cli, &request, work->input, task, &puzzle, &status);
    if (solution && show_open(work->cli, &puzzle, solution, &show, &error)) {
        paint_film(work, &show);
        show_close(&show);
        status = CLI_OK;
    } else if (solution) {
        status = cli_complain("show: %s", error.text);
    }
    free(solution);
    soloist_puzzle_free(&puzzle);
    return status;
}

/* ---- where it goes ---- */

/* FILE.svg beside the input, FILE-3.svg for one instance of several, FILE-3-film.svg for its film. */
static char *default_path(const struct work *work) {
    const struct task *task = &work->input->tasks[0];
    const char *label = task->source->label, *slash = strrchr(label, '/'), *name = slash ? slash + 1 : label;
    const char *dot = strrchr(name, '.');
    struct stat status;
    struct buffer path;
    bool is_file = !stat(label, &status) && S_ISREG(status.st_mode);
    buffer_open(&path);
    soloist_sink sink = buffer_sink(&path);
    if (!strcmp(label, "-"))
        soloist_put(&sink, "standard-input");
    else
        soloist_print(&sink, "%.*s%.*s", is_file ? (int)(name - label) : 0, label,
                      dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
    if (work->input->task_count == 1 && task->source->instances > 1)
        soloist_print(&sink, "-%d", task->id);
    soloist_put(&sink, work->options->film ? "-film" : "");
    soloist_put(&sink, endings[work->format]);
    return need(buffer_take(&path));
}

static bool write_sheet(const struct work *work, const soloist_sink *sink, soloist_error *error) {
    if (work->format == FORMAT_PNG)
        return sheet_png(&work->sheet, sink, error);
    (work->format == FORMAT_SVG ? sheet_svg : sheet_html)(&work->sheet, sink);
    return true;
}

static int write_picture(const struct work *work, const char *path) {
    struct new_file file;
    struct stat status;
    soloist_error error = {0};
    bool there = !stat(path, &status) && S_ISREG(status.st_mode);
    if (input_is_from(work->input, path)) /* a picture must not replace the levels that it shows */
        return cli_complain("show: %s is the input: choose another name with --out", path);
    if (!new_file_open(&file, path, false))
        return CLI_BAD;
    soloist_sink sink = cli_sink(file.stream);
    if (!write_sheet(work, &sink, &error)) {
        new_file_drop(&file);
        return cli_complain("show: %s: %s", path, error.text);
    }
    if (!new_file_keep(&file))
        return CLI_BAD;
    if (strcmp(path, "-") != 0)
        printf("%s%s: %s\n", path, there ? " (replaced)" : "", work->note);
    return CLI_OK;
}

static int draw_pictures(struct work *work) {
    const struct picture_options *options = work->options;
    const struct task *first = &work->input->tasks[0];
    char title[256];
    if (options->film && work->input->task_count > 1)
        return cli_complain("show: --film shows one instance: choose it with --only");
    work->scenes = need_zeroed(work->input->task_count, sizeof *work->scenes);
    int status = options->film ? film_task(work, first) : paint_all(work);
    bool one = work->input->task_count == 1 && *first->chunk.name;
    snprintf(title, sizeof title, "%s", one ? first->chunk.name : first->source->label);
    work->sheet.title = title;
    work->sheet.note = work->note;
    work->sheet.step_s = options->delay;
    work->sheet.scale = options->scale;
    if (work->sheet.count) {
        char *path = options->out ? need_text(options->out, strlen(options->out)) : default_path(work);
        sheet_lay(&work->sheet);
        int written = write_picture(work, path);
        status = written > status ? written : status;
        free(path);
    }
    for (size_t i = 0; i < work->input->task_count; i++)
        scene_close(&work->scenes[i]);
    free(work->scenes);
    free(work->sheet.frames);
    return status;
}

/* ---- the command ---- */

/* The format that an option or the ending of the output's name chooses; false after an error message. */
static bool choose_format(const struct picture_options *options, enum format *format) {
    int given = options->svg + options->png + options->html;
    *format = options->svg ? FORMAT_SVG : options->png ? FORMAT_PNG : options->html ? FORMAT_HTML : FORMAT_TEXT;
    if (given > 1)
        return cli_complain("show: choose one of --svg, --png and --html"), false;
    for (int i = FORMAT_SVG; options->out && i <= FORMAT_HTML; i++)
        if (path_ends_in(options->out, endings[i])) {
            if (given && *format != (enum format)i)
                return cli_complain("show: --out %s contradicts --%s", options->out, endings[*format] + 1), false;
            *format = (enum format)i;
        }
    if (*format == FORMAT_TEXT && options->out)
        return cli_complain("show: --out %s: choose a format with --svg, --png or --html", options->out), false;
    if (*format == FORMAT_TEXT && options->film)
        return cli_complain("show: --film needs --svg, --png or --html (`soloist play --film` is for the terminal)"),
               false;
    if (*format == FORMAT_PNG && !raster_has_png())
        return cli_complain("show: this program was built without libpng: --svg and --html do without it"), false;
    return true;
}

/* Warns about options that change nothing here. */
static void warn_of_idle_options(const struct work *work) {
    static const char *const of_searches[] = {"method", "time", "seed"};
    const struct picture_options *options = work->options;
    const struct args_given *given = &work->cli->given;
    bool searches = options->film && !options->solution && !options->solutions;
    for (size_t i = 0; i < sizeof of_searches / sizeof *of_searches; i++)
        if (!searches)
            args_idle(given, of_searches[i], options->film ? "the solution is given" : "only --film needs a solution");
    if (!options->film)
        args_idle(given, "delay", "only a film has steps (--film)");
    else if (work->format == FORMAT_PNG)
        args_idle(given, "delay", "in PNG a film is a sheet of positions");
    if (work->format == FORMAT_TEXT)
        args_idle(given, "scale", "the terminal has no pixels; use --svg, --png or --html");
    else
        args_idle(given, "ascii", "it is for the terminal");
}

static int show_files(struct cli *cli, const struct picture_options *options, const struct arg_list *files) {
    struct domain_choice choice;
    struct input input = {0};
    struct work work = {.cli = cli, .options = options, .input = &input};
    int status = CLI_BAD;
    if (!files->count)
        return cli_complain("show: which FILE? - is standard input");
    if (!choose_format(options, &work.format) || !plugins_load(cli, &options->plugin) ||
        !lookup_domain(cli, options->domain, &choice) || !lookup_method(cli, options->method))
        return CLI_BAD;
    warn_of_idle_options(&work);
    if (input_read(cli, files, &choice, options->only, &input) && input.task_count)
        status = work.format == FORMAT_TEXT ? print_all(&work) : draw_pictures(&work);
    if (input.unreadable)
        status = CLI_BAD;
    input_free(&input);
    return status;
}

static int run(struct cli *cli, const struct command *self, int count, char **words) {
    struct picture_options options = {.time = 10, .delay = 0.25, .seed = 1, .scale = 32};
    struct arg_list files = {0};
    enum args_verdict verdict = args_parse(self, count, words, &options, &files);
    options.film |= options.solution || options.solutions;
    int status = verdict == ARGS_GO ? show_files(cli, &options, &files) : verdict == ARGS_DONE ? CLI_OK : CLI_BAD;
    arg_list_free(&files);
    arg_list_free(&options.plugin);
    return status;
}

const struct command show_command = {
    .name = "show",
    .summary = "draw instances in the terminal, or instances and films of solutions as SVG, PNG or HTML",
    .usage = "FILE... [--svg|--png|--html] [OPTIONS]",
    .about =
        "Several instances are drawn together, as small pictures with titles on one sheet or page. In SVG and HTML a\n"
        "film is animated; in HTML it can also be paused and stepped. In PNG a film is a sheet of positions. Without\n"
        "--out the picture is written beside the input: for levels.xsb as levels.svg, for its instance 3 as\n"
        "levels-3.svg, for a film of instance 3 as levels-3-film.svg, and for standard input as standard-input.svg.\n"
        "Instances of domains from plugins are drawn as text.",
    .args = picture_rows,
    .run = run,
};
