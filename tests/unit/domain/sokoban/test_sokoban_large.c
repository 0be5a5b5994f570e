/* The largest boards: 64 x 64 with 512 boxes, and shapes that fill the words of a board in awkward ways. */
#include "domain/sokoban/sokoban_plain.h"

/* An open hall with boxes and goals on every other square of every other row, and walls here and there. */
static void draw_hall(char *text, int width, int height, int boxes) {
    int placed = 0, goals = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x <= width; x++) {
            bool edge = y == 0 || y == height - 1 || x == 0 || x == width - 1;
            char cell = x == width ? '\n' : edge ? '#' : x == 1 && y == 1 ? '@' : ' ';
            if (cell == ' ' && y % 3 == 0 && x % 3 == 0 && y < height - 2 && x < width - 2 && placed < boxes)
                cell = '$', placed++;
            else if (cell == ' ' && y % 3 == 1 && x % 3 == 1 && goals < boxes)
                cell = '.', goals++;
            else if (cell == ' ' && y % 9 == 5 && x % 7 == 5)
                cell = '#';
            text[y * (width + 1) + x] = cell;
        }
    text[height * (width + 1)] = 0;
    assert_int_equal(placed, goals);
}

struct arena {
    soloist_child children[4 * 512 * 4 + 4];
    soloist_move moves[4 * 512 * 4 + 4];
    _Alignas(8) unsigned char state[1024], child[1024], before[1024], packed[1024];
};

/* A few moves at random, everything compared on the way. */
static void play(const soloist_domain *domain, const soloist_instance *instance, struct arena *a, int moves) {
    soloist_shape shape;
    soloist_rng rng;
    soloist_rng_seed(&rng, 3, 3);
    domain->life->shape(instance, &shape);
    assert_true(shape.state_size <= sizeof a->state && shape.packed_size <= sizeof a->packed);
    domain->life->root(instance, a->state);
    for (int i = 0; i < moves; i++) {
        unsigned char undo[64];
        int count = domain->core->expand(instance, a->state, SOLOIST_NO_MOVE, SOLOIST_WANT_KEY, a->children);
        assert_true(count > 0 && count <= shape.most_moves);
        assert_true(count <= domain->core->moves(instance, a->state, a->moves));
        soloist_child chosen = a->children[soloist_rng_below(&rng, (uint32_t)count)];
        memcpy(a->before, a->state, shape.state_size);
        assert_int_equal(domain->core->apply(instance, a->state, chosen.move, undo), chosen.step);
        assert_int_equal(domain->core->key(instance, a->state), chosen.key);
        assert_int_equal(domain->core->key_from_scratch(instance, a->state), chosen.key);
        domain->core->undo(instance, a->state, chosen.move, undo);
        assert_memory_equal(a->before, a->state, shape.state_size);
        domain->core->apply(instance, a->state, chosen.move, undo);
        domain->pack->pack(instance, a->state, a->packed);
        domain->pack->unpack(instance, a->packed, a->child);
        assert_memory_equal(a->child, a->state, shape.state_size);
    }
}

/* The bounds of some children of the root against those of the states themselves. */
static void compare_bounds(const soloist_domain *domain, const soloist_instance *instance, struct arena *a) {
    size_t size = plain_state_size(domain, instance);
    domain->life->root(instance, a->state);
    int32_t root = domain->bound->value(instance, a->state);
    assert_int_not_equal(root, SOLOIST_DEAD);
    int count = domain->core->expand(instance, a->state, SOLOIST_NO_MOVE, SOLOIST_WANT_BOUND, a->children);
    for (int i = 0; i < count; i += 1 + count / 7) {
        memcpy(a->child, a->state, size);
        domain->core->apply(instance, a->child, a->children[i].move, NULL);
        assert_int_equal(a->children[i].bound, domain->bound->value(instance, a->child));
    }
}

static void hall(int width, int height, int boxes) {
    struct arena *a = calloc(1, sizeof *a);
    char *text = malloc((size_t)(width + 1) * (size_t)height + 1);
    draw_hall(text, width, height, boxes);
    soloist_chunk chunk = plain_chunk(text);
    static const char *const options[] = {"", "optimal=moves", "bound=manhattan,bipartite=false"};
    for (int k = 0; k < 4; k++) {
        const soloist_domain *domain = k < 3 ? &sokoban_domain : &sokoban_moves_domain;
        soloist_instance *instance = plain_instance(domain, k < 3 ? options[k] : "", &chunk);
        play(domain, instance, a, 12);
        if (k == 0)
            compare_bounds(domain, instance, a);
        assert_true(domain->reverse->goal(instance, 0, a->state));
        assert_true(domain->reverse->core->moves(instance, a->state, a->moves) > 0);
        domain->life->destroy(instance);
    }
    free(text);
    free(a);
}

static void largest_board(void **unused) {
    (void)unused;
    hall(64, 64, 361);
}

static void every_width(void **unused) {
    (void)unused;
    for (int width = 7; width <= 64; width += 3)
        hall(width, 9, 2);
    for (int height = 10; height <= 64; height += 5)
        hall(8, height, 2);
}

/* 512 boxes in rows of three. */
static void most_boxes(void **unused) {
    (void)unused;
    char text[64 * 65 + 1];
    int boxes = 0, goals = 0;
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 65; x++) {
            bool edge = y == 0 || y == 63 || x == 0 || x == 63;
            char cell = x == 64 ? '\n' : edge ? '#' : x == 1 && y == 1 ? '@' : ' ';
            if (cell == ' ' && y % 4 == 2 && y < 60 && x % 4 != 1 && x < 61 && boxes < 512)
                cell = '$', boxes++;
            else if (cell == ' ' && y % 4 == 0 && goals < 512)
                cell = '.', goals++;
            text[y * 65 + x] = cell;
        }
    text[64 * 65] = 0;
    assert_int_equal(boxes, 512);
    assert_int_equal(goals, 512);
    struct arena *a = calloc(1, sizeof *a);
    soloist_chunk chunk = plain_chunk(text);
    soloist_instance *instance = plain_instance(&sokoban_domain, "", &chunk);
    play(&sokoban_domain, instance, a, 8);
    sokoban_root(instance, a->state);
    assert_true(sokoban_bound.value(instance, a->state) > 512);
    sokoban_domain.life->destroy(instance);
    free(a);
}

static void too_many_goals_are_refused(void **unused) {
    (void)unused;
    char text[64 * 65 + 1];
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 65; x++) {
            bool edge = y == 0 || y == 63 || x == 0 || x == 63;
            text[y * 65 + x] = x == 64 ? '\n' : edge ? '#' : x == 1 && y == 1 ? '@' : y == 2 && x == 2 ? '$' : '.';
        }
    text[64 * 65] = 0;
    soloist_chunk chunk = plain_chunk(text);
    struct sokoban_options options;
    soloist_error error = {0};
    soloist_options_reset(sokoban_domain.options, &options);
    assert_null(sokoban_domain.life->parse(&chunk, &options, &error));
    assert_non_null(strstr(error.text, "goals"));
    assert_int_equal(error.line, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(largest_board),
        cmocka_unit_test(every_width),
        cmocka_unit_test(most_boxes),
        cmocka_unit_test(too_many_goals_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
