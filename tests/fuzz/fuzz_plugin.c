/* The tables of a plugin: a built-in domain whose tables have lost functions, groups, their last members or parts of
 * their option rows is refused with a sentence, or it is accepted, and then every method works or says what it lacks.
 *
 * The input: a byte for the domain, one for the method, then three bytes per edit (group, place, what is done). */
#include "soloist.h"
#include "soloist_extra.h"
#include "soloist_method.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_GROUPS = 24, MOST_ROWS = 64 };

static const struct {
    const char *domain, *text;
} bases[] = {
    {"pancake", "3 1 2 4\n"},
    {"tiles", "2x3\n1 2 0\n3 4 5\n"},
    {"samegame", "1 2 1\n2 1 2\n1 1 2\n"},
    {"sokoban", "######\n#@ $.#\n######\n"},
    {"tictactoe", "...\n.x.\no..\n"},
};

static const struct {
    size_t place, size;
} groups[] = {
#define GROUP(name)                                                                                                    \
    { offsetof(soloist_domain, name), sizeof(soloist_##name) }
    GROUP(life),   GROUP(core),     GROUP(text),  GROUP(bound),        GROUP(reverse), GROUP(pack),
    GROUP(sample), GROUP(reward),   GROUP(learn), GROUP(generate),     GROUP(tables),  GROUP(estimate),
    GROUP(walk),   GROUP(features), GROUP(hints), GROUP(environments),
#undef GROUP
};
enum { GROUPS = sizeof groups / sizeof *groups };

/* A domain whose groups and rows are copies. Each group lies in a block of exactly its stated size. */
struct copy {
    soloist_domain domain;
    void *groups[GROUPS];
    soloist_option rows[MOST_ROWS];
    size_t row_count;
};

static void require(bool holds) {
    if (!holds)
        abort();
}

static void put_group(struct copy *copy, size_t group, const void *from, size_t size) {
    void *block = from ? malloc(size) : NULL;
    if (block) {
        memcpy(block, from, size);
        memcpy(block, &size, sizeof size);
    }
    free(copy->groups[group]);
    copy->groups[group] = block;
    memcpy((char *)&copy->domain + groups[group].place, &block, sizeof block);
}

static void copy_domain(struct copy *copy, const soloist_domain *from) {
    *copy = (struct copy){.domain = *from};
    copy->domain.name = "edited";
    for (size_t i = 0; i < GROUPS; i++) {
        void *group;
        memcpy(&group, (const char *)from + groups[i].place, sizeof group);
        put_group(copy, i, group, groups[i].size);
    }
    for (const soloist_option *row = from->options; row && row->kind != SOLOIST_OPTION_END; row++)
        if (copy->row_count + 1 < MOST_ROWS)
            copy->rows[copy->row_count++] = *row;
    copy->rows[copy->row_count] = (soloist_option){.kind = SOLOIST_OPTION_END};
    copy->domain.options = copy->rows;
}

static size_t group_size(const struct copy *copy, size_t group) {
    size_t size = 0;
    if (copy->groups[group])
        memcpy(&size, copy->groups[group], sizeof size);
    return size;
}

/* Sets a word of a group to zero: a function that is missing. Its first word, the size, stays. */
static void lose_function(struct copy *copy, size_t group, size_t place) {
    size_t words = group_size(copy, group) / sizeof(void *);
    if (words > 1)
        memset((char *)copy->groups[group] + (1 + place % (words - 1)) * sizeof(void *), 0, sizeof(void *));
}

/* The group of an earlier version, which ends earlier. */
static void shorten_group(struct copy *copy, size_t group, size_t place) {
    size_t size = group_size(copy, group), words = size / sizeof(void *);
    if (words > 1)
        put_group(copy, group, copy->groups[group], (1 + place % words) * sizeof(void *));
}

static void edit_row(struct copy *copy, size_t place, unsigned what) {
    soloist_option *row = &copy->rows[place % (copy->row_count + 1)];
    static const double numbers[] = {0, -1, 1e300, -1e300, 0.5};
    switch (what % 6) {
    case 0: row->name = NULL; break;
    case 1: row->choices = NULL; break;
    case 2: row->help = NULL; break;
    case 3: row->offset = (size_t)place * 1000003u; break;
    case 4: row->kind = (soloist_option_kind)(1 + place % 9); break;
    case 5: row->initial = numbers[place % (sizeof numbers / sizeof *numbers)]; break;
    }
    copy->rows[copy->row_count].kind = SOLOIST_OPTION_END; /* the list has an end: that much is the plugin's duty */
}

static void edit_head(struct copy *copy, size_t place) {
    static const char *const names[] = {NULL, "", "a b", "sokoban", "edited"};
    switch (place % 5) {
    case 0: copy->domain.abi = (int)place - 3; break;
    case 1: copy->domain.size = place; break;
    case 2: copy->domain.name = names[place % (sizeof names / sizeof *names)]; break;
    case 3: copy->domain.summary = NULL; break;
    case 4: copy->domain.players = (int)(place % 4); break;
    }
}

static void edit(struct copy *copy, const uint8_t *data) {
    size_t group = data[0] % GROUPS;
    switch (data[2] % 8) {
    case 0:
    case 1:
    case 2: lose_function(copy, group, data[1]); break;
    case 3:
    case 4: shorten_group(copy, group, data[1]); break;
    case 5: put_group(copy, group, NULL, 0); break;
    case 6: edit_row(copy, data[1], data[2] / 8); break;
    case 7: edit_head(copy, data[1]); break;
    }
}

static void solve(const soloist *engine, const soloist_puzzle *puzzle, const char *method) {
    soloist_limits limits = {.nodes = 200, .iterations = 10, .memory = 1 << 25, .threads = 1, .seed = 1};
    soloist_result result;
    soloist_error error = {0};
    soloist_code code = soloist_solve(engine, puzzle, method, &limits, NULL, &result, &error);
    require(code == SOLOIST_OK || *error.text);
    soloist_result_free(&result);
}

static void use(const soloist *engine, const soloist_domain *domain, const char *text, size_t method) {
    soloist_cursor cursor = soloist_cursor_open(text, strlen(text));
    soloist_puzzle puzzle;
    soloist_code code;
    soloist_error error = {0};
    size_t count = 0;
    const char *name, *summary;
    while (soloist_method_at(engine, count, &name, &summary, NULL))
        count++;
    soloist_method_at(engine, method % count, &name, &summary, NULL);
    while (soloist_next_puzzle(domain, NULL, &cursor, &puzzle, &code, &error)) {
        require(code == SOLOIST_OK || *error.text);
        if (code != SOLOIST_OK)
            continue;
        solve(engine, &puzzle, name);
        soloist_validate(&puzzle, 1, 2, 4, &error);
        soloist_puzzle_free(&puzzle);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    size_t base = data[0] % (sizeof bases / sizeof *bases);
    soloist *engine = soloist_new();
    struct copy copy;
    soloist_error error = {0};
    require(engine != NULL);
    copy_domain(&copy, soloist_find_domain(engine, bases[base].domain));
    for (size_t i = 2; i + 3 <= size && i < 2 + 3 * 16; i += 3)
        edit(&copy, data + i);
    if (soloist_add_domain(engine, &copy.domain, &error) == SOLOIST_OK)
        use(engine, soloist_find_domain(engine, "edited"), bases[base].text, data[1]);
    else
        require(*error.text);
    soloist_free(engine);
    for (size_t i = 0; i < GROUPS; i++)
        free(copy.groups[i]);
    return 0;
}
