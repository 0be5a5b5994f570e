#include "cli/picture/sheet.h"
#include "cli/picture/raster.h"
#include "domain/picture/svg.h"
#include "cli/shell/format.h"
#include "cli/shell/need.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MARGIN = 16, CAPTION = 24, INK = 0x1f2933, MOST_PIXELS = 120000000, CAPTION_LETTER = 7 };

void sheet_lay(struct sheet *sheet) {
    if (sheet->count == 1) {
        const struct scene *scene = sheet->frames[0].scene;
        sheet->columns = sheet->rows = 1;
        sheet->width = ceil((scene->width + 1) * sheet->scale);
        sheet->height = ceil((scene->height + 1) * sheet->scale);
        return;
    }
    int columns = (int)ceil(sqrt((double)sheet->count * 1.2));
    sheet->columns = columns < 16 ? columns : 16;
    sheet->rows = (int)((sheet->count + (size_t)sheet->columns - 1) / (size_t)sheet->columns);
    sheet->box = sheet->count > 200 ? 120 : 180;
    sheet->width = MARGIN + sheet->columns * (sheet->box + MARGIN);
    sheet->height = MARGIN + sheet->rows * (sheet->box + CAPTION + MARGIN);
}

/* Where a frame's scene goes, and how large: whole units per square if that is not too coarse, for crisp edges. */
static double place_frame(const struct sheet *sheet, size_t index, double *x, double *y) {
    const struct scene *scene = sheet->frames[index].scene;
    if (sheet->count == 1) {
        *x = *y = sheet->scale / 2;
        return sheet->scale;
    }
    double scale = fmin(fmin(sheet->box / fmax(scene->width, 0.1), sheet->box / fmax(scene->height, 0.1)), 40);
    scale = scale >= 4 ? floor(scale) : scale;
    double left = MARGIN + (double)(index % (size_t)sheet->columns) * (sheet->box + MARGIN);
    double top = MARGIN + (double)(index / (size_t)sheet->columns) * (sheet->box + CAPTION + MARGIN);
    *x = left + floor((sheet->box - scene->width * scale) / 2);
    *y = top + floor((sheet->box - scene->height * scale) / 2);
    return scale;
}

/* Copies as many characters as fit, and two dots where some do not. */
static void cut_text(const char *text, int letters, char *out, size_t room) {
    bool cut = format_width(text) > letters;
    size_t used = 0, size;
    int columns, shown = 0;
    for (size_t left = strlen(text); left > 0; text += size, left -= size) {
        size = format_character(text, left, &columns);
        if (shown + columns > letters - (cut ? 2 : 0) || used + size + 3 > room)
            break;
        memcpy(out + used, text, size);
        used += size;
        shown += columns;
    }
    memcpy(out + used, cut ? ".." : "", cut ? 3 : 1);
}

static struct shape caption_of(const struct sheet *sheet, size_t index) {
    struct shape shape = {.kind = SHAPE_TEXT, .w = sheet->box, .h = 7.5, .fill = INK, .edge = SCENE_NO_COLOUR};
    shape.x = MARGIN + (double)(index % (size_t)sheet->columns) * (sheet->box + MARGIN) + sheet->box / 2;
    shape.y = MARGIN + (double)(index / (size_t)sheet->columns) * (sheet->box + CAPTION + MARGIN) + sheet->box + 14;
    cut_text(sheet->frames[index].caption, (int)(sheet->box / CAPTION_LETTER), shape.text, sizeof shape.text);
    return shape;
}

static void put_symbols(const struct sheet *sheet, const soloist_sink *sink) {
    struct svg_known known = {0};
    soloist_put(sink, "<defs>\n");
    for (size_t i = 0; i < sheet->count; i++)
        svg_symbols(sheet->frames[i].scene, &known, sink);
    soloist_put(sink, "</defs>\n");
    if (known.failed)
        need_failed();
    svg_known_close(&known);
}

void sheet_svg(const struct sheet *sheet, const soloist_sink *sink) {
    if (sheet->count == 1) {
        const struct frame *frame = &sheet->frames[0];
        if (!svg_document(frame->scene, sheet->title, frame->step, sheet->step_s, sheet->scale, sink))
            need_failed();
        return;
    }
    svg_open(sheet->title, sheet->width, sheet->height, sink);
    put_symbols(sheet, sink);
    soloist_put(sink, SVG_PAPER);
    for (size_t i = 0; i < sheet->count; i++) {
        double x, y, scale = place_frame(sheet, i, &x, &y);
        svg_scene(sheet->frames[i].scene, sheet->frames[i].step, sheet->step_s, x, y, scale, sink);
        struct shape caption = caption_of(sheet, i);
        svg_shape(&caption, 0, 0, 1, sink);
        soloist_put(sink, "\n");
    }
    soloist_put(sink, "</svg>\n");
}

bool sheet_png(const struct sheet *sheet, const soloist_sink *sink, soloist_error *error) {
    struct raster raster;
    if (!raster_has_png())
        return raster_png(NULL, sink, error);
    if (sheet->width * sheet->height > MOST_PIXELS)
        return soloist_fail(error, 0, 0, "a picture of %.0f x %.0f pixels is too large: choose fewer with --only",
                            sheet->width, sheet->height);
    raster_open(&raster, (int)sheet->width, (int)sheet->height);
    for (size_t i = 0; i < sheet->count; i++) {
        double x, y, scale = place_frame(sheet, i, &x, &y);
        size_t step = sheet->frames[i].step;
        raster_scene(&raster, sheet->frames[i].scene, step == SHEET_FILM ? 0 : step, x, y, scale);
        struct shape caption = caption_of(sheet, i);
        if (sheet->count > 1)
            raster_shape(&raster, &caption, 0, 0, 1);
    }
    bool good = raster_png(&raster, sink, error);
    raster_close(&raster);
    return good;
}

/* ---- the page ---- */

static const char page_style[] =
    "<style>\n"
    "body{font-family:system-ui,sans-serif;color:#1f2933;background:#fff;max-width:75rem;margin:1.5rem auto;padding:0 "
    "1rem}\n"
    "h1{font-size:1.4rem;margin:0 0 .25rem}p{margin:.25rem 0 1rem;color:#52606d}\n"
    ".grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:1rem;align-items:end}\n"
    "figure{margin:0;text-align:center}figcaption{font-size:.85rem;margin-top:.4rem;overflow-wrap:anywhere}\n"
    "figure svg{max-width:100%;height:auto}.grid svg{max-height:11rem}\n"
    ".keys{display:flex;gap:.5rem;align-items:center;justify-content:center;margin-top:1rem}\n"
    "button{font:inherit;padding:.3rem .8rem}input[type=range]{flex:0 1 24rem}output{min-width:6rem;text-align:left}\n"
    "</style>\n";

/* The film plays by itself; the script pauses it and goes to the beginning of a step. */
static const char page_script[] =
    "<script>\n"
    "const film=document.querySelector('.film "
    "svg'),bar=document.querySelector('input'),told=document.querySelector('output');\n"
    "const play=document.querySelector('#play'),steps=+bar.max,stepS=+bar.dataset.step,filmS=+bar.dataset.film;\n"
    "const now=()=>Math.min(steps,Math.floor(film.getCurrentTime()%filmS/stepS+1e-3));\n"
    "const tell=()=>{bar.value=now();told.value=now()+' of "
    "'+steps;play.textContent=film.animationsPaused()?'Play':'Pause';};\n"
    "const go=step=>{film.pauseAnimations();film.setCurrentTime(Math.max(0,Math.min(steps,step))*stepS);tell();};\n"
    "const turn=()=>{if(film.animationsPaused()){if(now()==steps)film.setCurrentTime(0);film.unpauseAnimations();}else "
    "go(now());tell();};\n"
    "play.onclick=turn;bar.oninput=()=>go(+bar.value);\n"
    "document.querySelector('#back').onclick=()=>go(now()-1);document.querySelector('#on').onclick=()=>go(now()+1);\n"
    "addEventListener('keydown',e=>{const k=e.key;if(e.target.tagName=='INPUT'||e.target.tagName=='BUTTON'&&k==' "
    "')return;\n"
    "if(k==' '){e.preventDefault();turn();}else if(k=='ArrowRight')go(now()+1);else if(k=='ArrowLeft')go(now()-1);});\n"
    "if(matchMedia('(prefers-reduced-motion: reduce)').matches)go(0);\n"
    "setInterval(tell,100);tell();\n"
    "</script>\n";

static void put_figure(const struct sheet *sheet, size_t index, const soloist_sink *sink) {
    const struct frame *frame = &sheet->frames[index];
    const struct scene *scene = frame->scene;
    double scale = sheet->count == 1 ? sheet->scale : 24;
    soloist_print(sink, "<figure%s><svg viewBox=\"0 0 %.6g %.6g\" width=\"%.6g\" role=\"img\">",
                  frame->step == SHEET_FILM ? " class=\"film\"" : "", scene->width * scale, scene->height * scale,
                  scene->width * scale);
    soloist_put(sink, "<title>");
    svg_text(*frame->caption ? frame->caption : sheet->title, sink);
    soloist_put(sink, "</title>\n");
    svg_scene(scene, frame->step, sheet->step_s, 0, 0, scale, sink);
    soloist_put(sink, "</svg>");
    if (sheet->count > 1) {
        soloist_put(sink, "<figcaption>");
        svg_text(frame->caption, sink);
        soloist_put(sink, "</figcaption>");
    }
    soloist_put(sink, "</figure>\n");
}

static void put_controls(const struct sheet *sheet, const soloist_sink *sink) {
    const struct scene *scene = sheet->frames[0].scene;
    soloist_print(sink,
                  "<div class=\"keys\"><button id=\"back\">Back</button><button id=\"play\">Pause</button>"
                  "<button id=\"on\">Step</button><input type=\"range\" min=\"0\" max=\"%zu\" value=\"0\" "
                  "data-step=\"%.5g\" data-film=\"%.5g\" aria-label=\"position\"><output></output></div>\n",
                  scene->steps, sheet->step_s, svg_film_seconds(scene, sheet->step_s));
    soloist_put(sink, page_script);
}

void sheet_html(const struct sheet *sheet, const soloist_sink *sink) {
    soloist_put(sink, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>");
    svg_text(sheet->title, sink);
    soloist_put(sink, "</title>\n");
    soloist_put(sink, page_style);
    soloist_put(sink, "</head>\n<body>\n<h1>");
    svg_text(sheet->title, sink);
    soloist_put(sink, "</h1>\n<p>");
    svg_text(sheet->note ? sheet->note : "", sink);
    soloist_put(sink, "</p>\n<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\">\n");
    put_symbols(sheet, sink);
    soloist_print(sink, "</svg>\n%s", sheet->count > 1 ? "<div class=\"grid\">\n" : "");
    for (size_t i = 0; i < sheet->count; i++)
        put_figure(sheet, i, sink);
    soloist_put(sink, sheet->count > 1 ? "</div>\n" : "");
    if (sheet->count == 1 && sheet->frames[0].step == SHEET_FILM)
        put_controls(sheet, sink);
    soloist_put(sink, "</body>\n</html>\n");
}
