/* `soloist info levels` lists the level sets that can be named; `soloist info --space` prints the sizes of levels'
 * search spaces by the estimate C(tiles - locking tiles, boxes) * (tiles - boxes) of Kröger 2024. */
#include "cli/shell/screen.h"
#include "cli/shell/json_line.h"
#include "cli/shell/format.h"
#include "cli/info/info.h"
#include "cli/input/input.h"
#include "cli/input/levels.h"
#include "cli/shell/need.h"
#include "domain/sokoban/file/level.h"

#include <stdlib.h>
#include <string.h>

struct listing {
    const struct cli *cli;
    bool json;
    struct arg_list seen; /* names already listed: if several folders have a set, the first is used */
};

static bool was_listed(const struct listing *listing, const char *name) {
    for (size_t i = 0; i < listing->seen.count; i++)
        if (!strcmp(listing->seen.items[i], name))
            return true;
    return false;
}

static int count_instances(const soloist_domain *domain, const char *text, size_t length) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk;
    int count = 0;
    while (domain->life->next(&cursor, &chunk))
        count++;
    return count;
}

static void list_set(void *user, const char *name, const char *folder) {
    struct listing *listing = user;
    size_t length;
    char *text = was_listed(listing, name) ? NULL : levels_read(name, LEVEL_SETS_BOARDS, &length);
    const soloist_domain *domain = text ? soloist_recognise(listing->cli->engine, text, length) : NULL;
    if (domain) {
        int count = count_instances(domain, text, length);
        arg_list_add(&listing->seen, need_text(name, strlen(name)));
        if (listing->json) {
            struct json_line line;
            struct json_writer *json = json_line_open(&line);
            json_text(json, "name", name);
            json_text(json, "domain", domain->name);
            json_int(json, "instances", count);
            json_text(json, "folder", folder);
            json_line_print(&line);
        } else {
            printf("  %-14s %-10s %5d  %s\n", name, domain->name, count, folder);
        }
    }
    free(text);
}

int info_levels(const struct cli *cli, bool json) {
    struct listing listing = {.cli = cli, .json = json};
    if (!json)
        printf("  %-14s %-10s %5s  %s\n", "set", "domain", "count", "folder");
    levels_each(list_set, &listing);
    if (!json && !was_listed(&listing, "xsokoban"))
        printf("\nXSokoban, Microban and Sasquatch: `make levels`, or `apt-get install cavepacker-data enigma-data`\n");
    for (size_t i = 0; i < listing.seen.count; i++)
        free((char *)listing.seen.items[i]);
    arg_list_free(&listing.seen);
    return CLI_OK;
}

static void print_space(const struct task *task, const struct sokoban_level *level, bool as_json) {
    int tiles, locking;
    char digits[SOKOBAN_SPACE_ROOM], rounded[32];
    sokoban_space(level, &tiles, &locking, digits, sizeof digits);
    sokoban_space_short(digits, rounded, sizeof rounded);
    if (!as_json) {
        printf("%5d  ", task->id);
        format_name(stdout, task->chunk.name, screen_name_width(20, 44));
        printf("  %5d  %7d  %5d  %10s  %s\n", tiles, locking, level->boxes, rounded,
               strlen(digits) < 60 && (int)strlen(digits) + 66 <= screen_width(stdout) ? digits : "");
        return;
    }
    struct json_line line;
    struct json_writer *json = json_line_open(&line);
    json_int(json, "id", task->id);
    json_text(json, "name", task->chunk.name);
    json_int(json, "tiles", tiles);
    json_int(json, "locking_tiles", locking);
    json_int(json, "boxes", level->boxes);
    json_text(json, "space", digits);
    json_line_print(&line);
}

int info_space(const struct cli *cli, const char *file, bool json) {
    struct domain_choice choice = {soloist_find_domain(cli->engine, "sokoban"), NULL};
    const char *name = file;
    struct arg_list files = {&name, 1};
    struct input input;
    int status = CLI_BAD;
    if (input_read(cli, &files, &choice, NULL, &input) && !input.unreadable) {
        status = CLI_OK;
        if (!json)
            printf("%5s  %-*s  %5s  %7s  %5s  %10s  %s\n", "id", screen_name_width(20, 44), "name", "tiles", "locking",
                   "boxes", "states", "exactly");
    }
    for (size_t i = 0; status != CLI_BAD && i < input.task_count; i++) {
        struct sokoban_level *level = need_bytes(sizeof *level);
        soloist_error error = input.tasks[i].error;
        if (!*error.text && sokoban_level_parse(&input.tasks[i].chunk, level, &error)) {
            print_space(&input.tasks[i], level, json);
        } else {
            cli_complain_at(input.tasks[i].source->label, &error);
            input.unreadable = true;
        }
        free(level);
    }
    status = input.unreadable ? CLI_BAD : status;
    input_free(&input);
    return status;
}
