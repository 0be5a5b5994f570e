/* Files of levels written again with solutions put in: nothing that was there may change, and what is read back is what
 * was written, for texts of every shape and for every file of levels at hand. */
#include "domain/sokoban/sokoban_plain.h"

#include <dirent.h>

#ifndef SOLOIST_SHARED
#define SOLOIST_SHARED ""
#endif

enum { MOST_LEVELS = 4096, NAME_ROOM = 24 };

/* A text of moves that tells its number; short ones stand on the Solution line. */
static void invent(int number, char *out) {
    if (number % 5 == 0) {
        strcpy(out, "rRu");
        return;
    }
    for (int i = 0; i < 16; i++)
        out[i] = (number >> i & 1 ? "Rlud" : "rLUD")[i % 4];
    out[16] = 0;
}

static bool has_line(const char *text, const char *word) { return strstr(text, word) != NULL; }

/* Every level and solution of `text`, compared with those of `again`, where level number i got an invented one. */
static void compare(const char *text, size_t length, const char *again, size_t again_length, int count) {
    soloist_cursor a = soloist_cursor_open(text, length), b = soloist_cursor_open(again, again_length);
    soloist_chunk old, new;
    for (int number = 0; number < count; number++) {
        struct sokoban_level x, y;
        char invented[NAME_ROOM], letters[NAME_ROOM];
        const char *from, *to;
        size_t from_length, to_length;
        assert_true(sokoban_next(&a, &old) && sokoban_next(&b, &new));
        assert_string_equal(old.name, new.name);
        bool good = sokoban_level_parse(&old, &x, NULL);
        assert_int_equal(good, sokoban_level_parse(&new, &y, NULL));
        assert_true(!good || !memcmp(&x, &y, sizeof x));
        invent(number, invented);
        int shift = number % 3 == 2 ? 0 : 1; /* every third gets none */
        if (shift) {
            assert_true(sokoban_chunk_solution(&new, 0, &to, &to_length));
            assert_int_equal(sokoban_lurd_expand(to, to_length, letters, sizeof letters, NULL), strlen(invented));
            assert_memory_equal(letters, invented, strlen(invented));
        }
        for (int i = 0; sokoban_chunk_solution(&old, i, &from, &from_length); i++) {
            assert_true(sokoban_chunk_solution(&new, i + shift, &to, &to_length));
            assert_int_equal(from_length, to_length);
            assert_memory_equal(from, to, to_length);
        }
    }
    assert_false(sokoban_next(&b, &new));
}

static int round_trip(const char *text, size_t length) {
    struct sokoban_addition *additions = calloc(MOST_LEVELS, sizeof *additions);
    char(*solutions)[NAME_ROOM] = calloc(MOST_LEVELS, sizeof *solutions);
    soloist_cursor cursor = soloist_cursor_open(text, length);
    struct buffer again, plain;
    int count = 0;
    assert_true(additions && solutions);
    for (; count < MOST_LEVELS && sokoban_next(&cursor, &additions[count].chunk); count++) {
        invent(count, solutions[count]);
        additions[count].solution = count % 3 == 2 ? NULL : solutions[count];
    }
    buffer_open(&again);
    buffer_open(&plain);
    soloist_sink sink = buffer_sink(&again), plain_sink = buffer_sink(&plain);
    sokoban_collection_write(text, length, additions, (size_t)count, &sink);
    compare(text, length, again.text ? again.text : "", again.length, count);
    sokoban_collection_write(text, length, NULL, 0, &plain_sink);
    assert_int_equal(plain.length, length);
    assert_true(!length || !memcmp(plain.text, text, length));
    buffer_close(&again);
    buffer_close(&plain);
    free(additions);
    free(solutions);
    return count;
}

static void texts_of_every_shape(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "#####\n#@$.#\n#####\n",
        "#####\n#@$.#\n#####",
        "#####\r\n#@$.#\r\n#####\r\nTitle: One\r\nAuthor: A\r\n\r\n#####\r\n#.$@#\r\n#####\r\nTitle: Two\r\n",
        ":: a collection\n\nCollection: C\n\n#####\n#@$.#\n#####\nTitle: One\nComment:\nlong\n\nstory\nComment-End:\n"
        "Solution\nR\n\nSolution/2\nR\n\n#####\n#.$@#\n#####\nTitle: Two\n",
        "Title: First\n#####\n#@$.#\n#####\n\nTitle: Second\n#####\n#.$@#\n#####\n\nTitle: "
        "Third\n#####\n#@$.#\n#####\n",
        "; 1\n\n#####\n#@$.#\n#####\n\n; 2\n\n#####\n#.$@#\n#####\n",
        "#####\n#@$.#\n#####\nUll\n\n#####\n#.$@#\n#####\nRudd\n",
        "5#|#@$.#|5#\nTitle: Packed\n5#|#.$@#|5#\n5#|#@$.#|5#\nSolution: R\n",
        "Level 1\n#####\n#@$.#\n#####\nLevel 2\n#####\n#.$@#\n#####\nSnapshot\nR\n",
        "#####\n#@$.#\n#####\n\nSolution\nrrRRuullddrr\nrr\n\n; next\n#####\n#.$@#\n#####\n",
        "#####\n#@$ #\n#####\nTitle: no goal\n\n#####\n#.$@#\n#####\n",
        "",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        round_trip(texts[i], strlen(texts[i]));
}

static void a_section_stands_where_it_belongs(void **unused) {
    (void)unused;
    const char *text = "#####\n#@$.#\n#####\nTitle: One\nAuthor: A\n\n; two\n#####\n#.$@#\n#####\nSolution\nL\n";
    struct sokoban_addition additions[2] = {{.solution = "rRRRRRRRRR"}, {.solution = "L"}};
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    struct buffer again;
    for (int i = 0; i < 2; i++)
        assert_true(sokoban_next(&cursor, &additions[i].chunk));
    buffer_open(&again);
    soloist_sink sink = buffer_sink(&again);
    sokoban_collection_write(text, strlen(text), additions, 2, &sink);
    assert_string_equal(again.text, "#####\n#@$.#\n#####\nTitle: One\nAuthor: A\nSolution\nrRRRRRRRRR\n\n; two\n#####\n"
                                    "#.$@#\n#####\nSolution: L\nSolution\nL\n");
    buffer_close(&again);
}

static char *read_file(const char *path, size_t *length) {
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return NULL;
    char *text = malloc(1 << 22);
    assert_non_null(text);
    *length = fread(text, 1, (1 << 22) - 1, stream);
    text[*length] = 0;
    fclose(stream);
    return text;
}

/* Every file below a folder, two deep; returns how many levels there were. */
static int round_trip_folder(const char *folder, int depth) {
    DIR *open = opendir(folder);
    int count = 0;
    for (struct dirent *entry; open && (entry = readdir(open));) {
        char path[4096];
        size_t length;
        const char *dot = strrchr(entry->d_name, '.');
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (*entry->d_name != '.' && !dot && depth)
            count += round_trip_folder(path, depth - 1);
        if (!dot || !has_line(".xsb .sok .txt", dot))
            continue;
        char *text = read_file(path, &length);
        if (text && sokoban_recognise(text, length) >= 50)
            count += round_trip(text, length);
        free(text);
    }
    if (open)
        closedir(open);
    return count;
}

static void our_own_files(void **unused) {
    (void)unused;
    assert_true(round_trip_folder(SOLOIST_SOURCE "/data", 0) >= 12);
}

static void every_file_at_hand(void **unused) {
    (void)unused;
    int count = round_trip_folder(SOLOIST_SHARED "/levels", 0);
    if (!count) {
        printf("SKIP needs shared: levels\n");
        skip();
    }
    count += round_trip_folder("/usr/share/games/cavepacker/maps", 0);
    count += round_trip_folder("/usr/share/games/enigma/levels/soko", 1);
    assert_true(count > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_every_shape),
        cmocka_unit_test(a_section_stands_where_it_belongs),
        cmocka_unit_test(our_own_files),
        cmocka_unit_test(every_file_at_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
