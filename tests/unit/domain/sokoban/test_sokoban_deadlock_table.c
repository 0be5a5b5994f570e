/* Deadlock tables against the truth: no push of a solvable child is pruned on small levels that are solved whole, the
 * chosen windows see what all windows see, zones agree with their mirror images, a damaged file is made again. */
#include "domain/sokoban/sokoban_whole.h"

#include "base/cache_file.h"
#include "domain/sokoban/deadlock/deadlock_table.h"

#include <unistd.h>

static struct deadlock_tables *tables_of(void **state) { return *state; }

static int make_tables(void **state) {
    struct deadlock_tables *tables = calloc(1, sizeof *tables);
    *state = tables;
    return tables && deadlock_tables_build(tables, NULL) ? 0 : -1;
}

static int free_tables(void **state) {
    free(*state);
    return 0;
}

struct tally {
    int states, dead, fresh;
};

static void check_state(const struct whole *w, const soloist_instance *instance, unsigned at, struct tally *tally) {
    const struct sokoban *game = sokoban_of(instance);
    _Alignas(8) unsigned char state[64], child[64];
    soloist_move moves[64];
    whole_state(w, game, at >> 4, (int)(at & 15), (void *)state);
    int count = sokoban_push_core.moves(instance, state, moves);
    for (int i = 0; i < count; i++) {
        memcpy(child, state, sizeof child);
        sokoban_push_core.apply(instance, child, moves[i], NULL);
        const struct sokoban_state *after = (void *)child;
        int from = (int)(moves[i] >> 2), to = from + game->step[moves[i] & 3];
        bool dead = sokoban_window_is_dead(game, after->boxes, to, from);
        assert_int_equal(dead, sokoban_any_window_is_dead(game, after->boxes, to, from));
        assert_false(dead && w->pushes[whole_index(w, game, child)] != WHOLE_FAR);
        tally->states++;
        tally->dead += dead;
        tally->fresh += dead && !sokoban_dead(instance, child);
        assert_true(!dead || sokoban_bound.dead(instance, child));
    }
}

static void check_level(const char *text, const struct deadlock_tables *tables, struct tally *tally) {
    struct whole whole;
    struct sokoban_level level;
    soloist_chunk chunk = plain_chunk(text);
    assert_true(sokoban_level_parse(&chunk, &level, NULL));
    if (!whole_open(&whole, &level))
        return;
    soloist_instance *instance = plain_instance(&sokoban_domain, "deadlock_tables=on", &chunk);
    sokoban_tables.attach(instance, tables);
    for (unsigned at = 0; at < 1u << (whole.floor + 4); at++)
        if (whole_holds(&whole, at))
            check_state(&whole, instance, at, tally);
    sokoban_domain.life->destroy(instance);
    whole_close(&whole);
}

static void drawn_levels(void **state) {
    struct tally tally = {0};
    soloist_rng rng;
    char text[128];
    soloist_rng_seed(&rng, 77, 0);
    for (size_t i = 0; i < PLAIN_LEVELS; i++)
        check_level(plain_levels[i], tables_of(state), &tally);
    for (int levels = 0; levels < 60;)
        if (whole_draw_boxes(&rng, 4, text, sizeof text)) {
            check_level(text, tables_of(state), &tally);
            levels++;
        }
    print_message("%d pushes, %d dead by tables, %d of them by no cheaper rule\n", tally.states, tally.dead,
                  tally.fresh);
    assert_true(tally.dead > 1000 && tally.fresh > 200);
}

/* The entry of an arrangement given as rows of ' ', '#' and '$'. */
static unsigned entry_of(const struct deadlock_tables *tables, const char *picture, int rows, int columns) {
    for (int z = 0; z < DEADLOCK_ZONES; z++) {
        uint32_t number = 0;
        if (deadlock_zones[z].rows != rows || deadlock_zones[z].columns != columns)
            continue;
        for (int k = rows * columns - 1; k >= 0; k--)
            number = number * 3 + (picture[k] == '#' ? DEADLOCK_WALL : picture[k] == '$' ? DEADLOCK_BOX : 0);
        return tables->entry[(uint32_t)deadlock_zones[z].first + number];
    }
    fail_msg("no zone of %dx%d", rows, columns);
    return 0;
}

static void pictures_hold(void **state) {
    static const struct {
        const char *picture;
        int rows, columns;
        unsigned entry; /* bit k: the k-th cell's box can never move */
    } rows[] = {
        {"    ", 2, 2, 0},
        {"$$$$", 2, 2, 0xf | DEADLOCK_ENCLOSED},
        {"$$##", 2, 2, 0x3 | DEADLOCK_ENCLOSED},
        {"$$ #", 2, 2, 0},
        {"#$  ", 2, 2, 0},
        {"# $ #  $ #  ", 3, 4, 0},              /* loose boxes */
        {"##$# $## ", 3, 3, DEADLOCK_ENCLOSED}, /* into the hole and no further: movable, but not out */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned entry = entry_of(tables_of(state), rows[i].picture, rows[i].rows, rows[i].columns);
        if (entry != rows[i].entry)
            fail_msg("%s: entry %x, expected %x", rows[i].picture, entry, rows[i].entry);
    }
}

/* Mirrored left to right and upside down a zone has the same verdict. */
static void mirrors_agree(void **state) {
    const struct deadlock_tables *tables = tables_of(state);
    for (int z = 0; z < DEADLOCK_ZONES; z++) {
        const struct deadlock_zone *zone = &deadlock_zones[z];
        int cells = zone->rows * zone->columns;
        uint32_t count = 1;
        for (int k = 0; k < cells; k++)
            count *= 3;
        for (uint32_t number = 0; number < count; number++) {
            uint32_t turned = 0, left = number;
            for (int k = 0; k < cells; k++, left /= 3)
                turned = turned * 3 + left % 3;
            unsigned here = tables->entry[(uint32_t)zone->first + number];
            unsigned there = tables->entry[(uint32_t)zone->first + turned];
            assert_int_equal(here & DEADLOCK_ENCLOSED, there & DEADLOCK_ENCLOSED);
            assert_int_equal(__builtin_popcount(here), __builtin_popcount(there));
        }
    }
}

static void damaged_files_are_made_again(void **state) {
    char folder[] = "/tmp/soloist-deadlocks-XXXXXX", path[128];
    soloist_chunk chunk = plain_chunk(plain_levels[0]);
    soloist_instance *instance = plain_instance(&sokoban_domain, "deadlock_tables=on", &chunk);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/sokoban-deadlocks.table", folder);
    for (int round = 0; round < 3; round++) { /* made, read, damaged and made again */
        struct deadlock_tables *tables = sokoban_tables.open(instance, folder, &(soloist_work){.threads = 1}, NULL);
        assert_non_null(tables);
        assert_memory_equal(tables, tables_of(state), sizeof *tables);
        sokoban_tables.close(tables);
        struct deadlock_tables *copy = malloc(sizeof *copy);
        assert_true(cache_file_read(path, "SOLODLT1", copy, sizeof *copy));
        free(copy);
        FILE *file = round == 1 ? fopen(path, "r+b") : NULL;
        if (file) {
            fseek(file, 100000, SEEK_SET);
            fputc(0xa5, file);
            fputc(0x5a, file);
            fclose(file);
        }
    }
    unlink(path);
    rmdir(folder);
    sokoban_domain.life->destroy(instance);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_levels),
        cmocka_unit_test(pictures_hold),
        cmocka_unit_test(mirrors_agree),
        cmocka_unit_test(damaged_files_are_made_again),
    };
    return cmocka_run_group_tests(tests, make_tables, free_tables);
}
