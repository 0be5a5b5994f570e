/* Pictures: what is drawn in a PNG file is read back and compared with the board; every position of a film looks as if
 * it had been drawn alone; SVG and HTML are well formed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "cli/picture/font.h"
#include "domain/picture/paint.h"
#include "cli/picture/raster.h"
#include "cli/picture/sheet.h"

#include <stdlib.h>
#include <string.h>

#if SOLOIST_WITH_PNG
#include <png.h>
#endif

static const char *const level = "#######\n"
                                 "#@ $.*#\n"
                                 "#  ####\n"
                                 "####\n";

static uint32_t pixel(const struct raster *raster, double x, double y) {
    const uint8_t *at = raster->pixels + ((size_t)y * (size_t)raster->width + (size_t)x) * 3;
    return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
}

/* The colours of each square at a place where its drawing has no line, and where no other square does. */
static void compare_squares(const struct raster *raster, int scale) {
    static const struct {
        char symbol;
        double x, y;
        uint32_t colour;
    } rows[] = {
        {'#', 0.25, 0.27, 0x4a5563}, {' ', 0.5, 0.5, 0xf3efe6},  {'.', 0.5, 0.5, 0xf3efe6},  {'.', 0.5, 0.3, 0xd55e00},
        {'$', 0.5, 0.25, 0xe69f00},  {'*', 0.5, 0.25, 0x009e73}, {'@', 0.5, 0.25, 0x0072b2},
    };
    int y = 0, x = 0;
    for (const char *at = level; *at; at++, x++) {
        if (*at == '\n')
            x = -1, y++;
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            if (rows[i].symbol == *at)
                assert_int_equal(pixel(raster, (0.5 + x + rows[i].x) * scale, (0.5 + y + rows[i].y) * scale),
                                 rows[i].colour);
    }
}

static struct sheet one_picture(const struct scene *scene, struct frame *frame) {
    *frame = (struct frame){.scene = scene};
    struct sheet sheet = {.title = "a <title> & \"more\"", .frames = frame, .count = 1, .step_s = 0.2, .scale = 40};
    sheet_lay(&sheet);
    return sheet;
}

static void test_png_is_the_board(void **state) {
    (void)state;
#if SOLOIST_WITH_PNG
    struct scene scene;
    struct frame frame;
    struct buffer file;
    soloist_error error = {0};
    paint_position(&scene, "sokoban", level);
    struct sheet sheet = one_picture(&scene, &frame);
    buffer_open(&file);
    soloist_sink sink = buffer_sink(&file);
    assert_true(sheet_png(&sheet, &sink, &error));
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, file.text, file.length));
    image.format = PNG_FORMAT_RGB;
    struct raster read = {(int)image.width, (int)image.height, malloc(PNG_IMAGE_SIZE(image))};
    assert_true(png_image_finish_read(&image, NULL, read.pixels, 0, NULL));
    assert_int_equal(read.width, 8 * 40);
    assert_int_equal(read.height, 5 * 40);
    compare_squares(&read, 40);
    assert_int_equal(pixel(&read, 6.5 * 40, 3.9 * 40), 0xffffff); /* outside the walls there is nothing */
    free(read.pixels);
    buffer_close(&file);
    scene_close(&scene);
#else
    struct sheet sheet = {0};
    soloist_error error = {0};
    assert_false(sheet_png(&sheet, NULL, &error));
    assert_non_null(strstr(error.text, "libpng"));
#endif
}

/* ---- films ---- */

static char *state_text(const soloist_puzzle *puzzle, const void *state) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    puzzle->domain->text->print(puzzle->instance, state, &sink);
    return buffer_take(&text);
}

static char *move_text(const soloist_puzzle *puzzle, const void *state, soloist_move move) {
    struct buffer text;
    buffer_open(&text);
    soloist_sink sink = buffer_sink(&text);
    puzzle->domain->text->move(puzzle->instance, state, move, &sink);
    return buffer_take(&text);
}

static void assert_looks_the_same(const struct scene *film, size_t step, const char *domain, const char *text) {
    struct scene alone;
    struct raster drawn[2];
    paint_position(&alone, domain, text);
    const struct scene *scenes[] = {film, &alone};
    for (int i = 0; i < 2; i++) {
        raster_open(&drawn[i], (int)(film->width * 12) + 1, (int)(film->height * 12) + 1);
        raster_scene(&drawn[i], scenes[i], i ? 0 : step, 0, 0, 12);
    }
    assert_memory_equal(drawn[0].pixels, drawn[1].pixels, (size_t)drawn[0].width * (size_t)drawn[0].height * 3);
    raster_close(&drawn[0]);
    raster_close(&drawn[1]);
    scene_close(&alone);
}

/* Plays at random; afterwards each step of the film is compared. */
static void play_film(const soloist *engine, const char *name, const char *instance, size_t steps) {
    const soloist_domain *domain = soloist_find_domain(engine, name);
    soloist_cursor cursor = soloist_cursor_open(instance, strlen(instance));
    soloist_puzzle puzzle;
    soloist_code code;
    soloist_shape shape = {0};
    soloist_rng rng;
    char *texts[200];
    struct scene scene;
    size_t played = 0;
    int32_t last;
    soloist_rng_seed(&rng, 1, 0);
    assert_true(soloist_next_puzzle(domain, NULL, &cursor, &puzzle, &code, NULL) && code == SOLOIST_OK);
    domain->life->shape(puzzle.instance, &shape);
    void *state = malloc(shape.state_size);
    soloist_move *moves = malloc(((size_t)shape.most_moves + 1) * sizeof *moves);
    domain->life->root(puzzle.instance, state);
    texts[0] = state_text(&puzzle, state);
    paint_position(&scene, name, texts[0]);
    while (played < steps && !domain->core->ended(puzzle.instance, state, &last)) {
        int count = domain->core->moves(puzzle.instance, state, moves);
        soloist_move move = moves[soloist_rng_below(&rng, (uint32_t)count)];
        char *words = move_text(&puzzle, state, move);
        domain->core->apply(puzzle.instance, state, move, NULL);
        texts[++played] = state_text(&puzzle, state);
        paint_step(&scene, name, played, texts[played - 1], words, texts[played]);
        free(words);
    }
    assert_true(played > 3);
    assert_int_equal(scene.steps, played);
    for (size_t i = 0; i <= played; i++) {
        assert_looks_the_same(&scene, i, name, texts[i]);
        free(texts[i]);
    }
    scene_close(&scene);
    free(state);
    free(moves);
    soloist_puzzle_free(&puzzle);
}

static void test_films(void **state) {
    (void)state;
    soloist *engine = soloist_new();
    play_film(engine, "sokoban-moves", "########\n#@ $ . #\n# $* . #\n#  $   #\n# .    #\n########\n", 150);
    play_film(engine, "samegame", "1123123\n2231122\n3312231\n1122331\n2231123\n", 40);
    play_film(engine, "tiles", "7 2 4 5 0 6 8 3 1\n", 40);
    play_film(engine, "tiles", "4x2: 3 1 2 7 4 5 6 0\n", 40);
    play_film(engine, "pancake", "3 1 4 2 6 5 9 7 8\n", 20);
    play_film(engine, "tictactoe", ".........\n", 4);
    soloist_free(engine);
}

/* ---- SVG and HTML ---- */

static bool is_void(const char *name) {
    static const char *const names[] = {"meta", "input", "!DOCTYPE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

/* Every tag is closed in its turn, every attribute is quoted, and every symbol that is used is defined. */
static void assert_well_formed(const char *text) {
    char open[64][16];
    int depth = 0;
    for (const char *at = text; (at = strchr(at, '<'));) {
        char name[16] = "", symbol[64], defined[80];
        const char *end = strchr(at, '>');
        assert_non_null(end);
        assert_int_equal(sscanf(at + 1, "%15[^ >/]", name), at[1] != '/');
        if (at[1] == '/') {
            assert_true(depth > 0);
            depth--;
            assert_int_equal(strncmp(at + 2, open[depth], strlen(open[depth])), 0);
            assert_int_equal(at[2 + strlen(open[depth])], '>');
        } else if (end[-1] != '/' && !is_void(name)) {
            assert_true(depth < 64);
            strcpy(open[depth++], name);
        }
        if (sscanf(at, "<use href=\"#%63[^\"]", symbol) == 1) {
            snprintf(defined, sizeof defined, "<g id=\"%s\">", symbol);
            assert_non_null(strstr(text, defined));
        }
        int quotes = 0;
        for (const char *inside = at; inside < end; inside++)
            quotes += *inside == '"';
        assert_int_equal(quotes % 2, 0);
        at = end + 1;
        if (!strcmp(name, "script")) /* a script may hold anything but its end */
            at = strstr(at, "</script>");
    }
    assert_int_equal(depth, 0);
}

static void test_documents_are_well_formed(void **state) {
    (void)state;
    struct scene scenes[3];
    struct frame frames[3] = {{.scene = &scenes[0], .caption = "1 <one> & \"two\""},
                              {.scene = &scenes[1], .caption = "a caption that is much too long for its picture, much"},
                              {.scene = &scenes[2]}};
    paint_position(&scenes[0], "sokoban", level);
    paint_step(&scenes[0], "sokoban", 1, level, "step right", "#######\n# @$.*#\n#  ####\n####\n");
    paint_position(&scenes[1], "tiles", "1 0 2 3 4 5 6 7 8\n");
    paint_position(&scenes[2], "a plugin", "<any> & \"text\"\n");
    for (int film = 0; film < 2; film++)
        for (size_t count = 1; count <= 3; count += 2) {
            struct sheet sheet = {.title = "<t> & \"t\"", .frames = frames, .count = count, .step_s = 0.2, .scale = 32};
            struct buffer text;
            frames[0].step = film ? SHEET_FILM : 0;
            sheet_lay(&sheet);
            for (int html = 0; html < 2; html++) {
                buffer_open(&text);
                soloist_sink sink = buffer_sink(&text);
                (html ? sheet_html : sheet_svg)(&sheet, &sink);
                assert_well_formed(text.text);
                assert_int_equal(strstr(text.text, "animateTransform") != NULL, film);
                assert_non_null(strstr(text.text, "&lt;t&gt; &amp; &quot;t&quot;"));
                buffer_close(&text);
            }
        }
    for (int i = 0; i < 3; i++)
        scene_close(&scenes[i]);
}

/* Every character has strokes within its cell, and no two look the same. */
static void test_font(void **state) {
    (void)state;
    for (int c = '!'; c <= '~'; c++) {
        double line[4], other[4];
        size_t strokes = 0;
        for (; font_stroke((unsigned char)c, strokes, line); strokes++)
            for (int i = 0; i < 4; i++)
                assert_true(line[i] >= 0 && line[i] <= (i % 2 ? 8 : 4));
        assert_true(strokes > 0);
        for (int d = c + 1; d <= '~'; d++) {
            bool same = true;
            for (size_t i = 0; same && i <= strokes; i++) {
                bool has = font_stroke((unsigned char)c, i, line);
                same = has == font_stroke((unsigned char)d, i, other) && (!has || !memcmp(line, other, sizeof line));
            }
            assert_true(!same || (c == '0' && d == 'O'));
        }
    }
    const char *text = "é!";
    assert_int_equal(font_next(&text), '?');
    assert_int_equal(font_next(&text), '!');
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_png_is_the_board),
        cmocka_unit_test(test_films),
        cmocka_unit_test(test_documents_are_well_formed),
        cmocka_unit_test(test_font),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
