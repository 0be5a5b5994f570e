/* Turns names into texts: files, standard input and level sets. */
#include "cli/input/input.h"
#include "base/ranges.h"
#include "cli/shell/files.h"
#include "cli/input/levels.h"
#include "cli/shell/need.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *read_any(const char *name, size_t *length, int *why) {
    char *text = file_read(name, length);
    *why = errno;
    return text ? text : levels_read(name, LEVEL_SETS_BOARDS, length);
}

static bool is_there(const char *name) {
    size_t length;
    if (!access(name, F_OK))
        return true;
    char *text = levels_read(name, LEVEL_SETS_BOARDS, &length);
    free(text);
    return text;
}

/* Whether a file or a level set would be found without the part behind the last colon. */
static bool is_there_before_colon(const char *name) {
    const char *colon = strrchr(name, ':');
    char before[4096];
    snprintf(before, sizeof before, "%.*s", colon ? (int)(colon - name) : 0, name);
    return colon && is_there(before);
}

static void complain_missing(const char *name, int why) {
    char nearest[128];
    if (level_sets_known(name))
        cli_complain("%s: no such file, and the level set is not installed: install it by `make levels` or "
                     "`apt-get install cavepacker-data enigma-data`",
                     name);
    else if (why == EISDIR)
        cli_complain("%s: this is a folder; expected a file or a level set", name);
    else if (why == ENOENT && is_there_before_colon(name))
        cli_complain("%s: no such file; expected numbers from 1 and ranges after the colon, e.g. 1,5-9,20-", name);
    else if (why == ENOENT && levels_nearest(name, nearest, sizeof nearest))
        cli_complain("%s: no such file or level set: did you mean %s?", name, nearest);
    else if (why == ENOENT)
        cli_complain("%s: no such file or level set (`soloist info levels` lists the sets)", name);
    else
        cli_complain("%s: %s", name, strerror(why));
}

char *input_text(const char *name, char *label, size_t room, const char **range, size_t *length) {
    int why, why_short;
    *range = NULL;
    snprintf(label, room, "%s", name);
    char *text = read_any(name, length, &why);
    const char *colon = strrchr(name, ':');
    if (!text && colon && ranges_valid(colon + 1)) {
        snprintf(label, room, "%.*s", (int)(colon - name), name);
        *range = colon + 1;
        text = read_any(label, length, &why_short);
        why = why_short;
    }
    if (!text)
        complain_missing(label, why);
    return text;
}

static bool is_empty(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!isspace((unsigned char)text[i]))
            return false;
    return true;
}

static bool begins_line(const char *text, size_t at) { return !at || text[at - 1] == '\n' || text[at - 1] == '\r'; }

/* Whether the text outside comments has only characters of `set` and blanks. */
static bool has_only(const char *text, size_t length, const char *set) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == ';' && begins_line(text, i))
            while (i + 1 < length && text[i + 1] != '\n' && text[i + 1] != '\r')
                i++;
        else if (!isspace((unsigned char)text[i]) && (!text[i] || !strchr(set, text[i])))
            return false;
    }
    return true;
}

static const char *why_unrecognised(const char *text, size_t length) {
    if (text[strspn(text, " \t\r\n")] == '<')
        return "an XML or HTML file, which cannot be read: save its instances as text, Sokoban levels as .xsb or .sok";
    if (has_only(text, length, ""))
        return "the file has only comments";
    if (has_only(text, length, "0123456789"))
        return "these numbers are not recognised as a file of any domain: a board of tiles or a stack of pancakes "
               "must be on one line";
    return "not recognised as a file of any domain: if it is one, name the domain with --domain";
}

static void add_name(const struct cli *cli, struct input *input, const char *name, const struct domain_choice *choice,
                     const char *only) {
    char label[4096];
    const char *range;
    size_t length, before = input->task_count;
    char *text = input_text(name, label, sizeof label, &range, &length);
    if (!text) {
        input->unreadable = true;
        return;
    }
    struct source *source = need(input_add_source(input, label, text, length));
    source->domain = choice->domain ? choice->domain : soloist_recognise(cli->engine, text, length);
    if (is_empty(text, length)) {
        need_code(input_add_wrong(input, source, "the file is empty"));
        return;
    }
    if (!source->domain) {
        need_code(input_add_wrong(input, source, why_unrecognised(text, length)));
        return;
    }
    need_code(input_add_instances(input, source, only, range));
    if (input->task_count == before) {
        cli_complain("%s: %s selects none of its %d instance%s", label, only ? only : range, source->instances,
                     source->instances == 1 ? "" : "s");
        input->unreadable = true;
    } else if (source->instances && ranges_beyond(range, source->instances)) {
        cli_complain("warning: %s: there is no instance %d", name, ranges_beyond(range, source->instances));
    }
}

/* Numbers that no file has are probably a mistake; files of which nothing was selected were reported already. */
static void warn_of_missing(const struct input *input, const char *only) {
    int most = 0;
    for (size_t i = 0; i < input->source_count; i++)
        most = input->sources[i]->instances > most ? input->sources[i]->instances : most;
    int beyond = ranges_beyond(only, most);
    if (most && beyond && !input->unreadable)
        cli_complain("warning: --only %s: there is no instance %d", only, beyond);
}

static bool names_input_twice(const struct arg_list *names) {
    int times = 0;
    for (size_t i = 0; i < names->count; i++)
        times += !strcmp(names->items[i], "-");
    return times > 1;
}

bool input_read(const struct cli *cli, const struct arg_list *names, const struct domain_choice *choice,
                const char *only, struct input *input) {
    *input = (struct input){.options = choice->options};
    if (only && !ranges_valid(only))
        return cli_complain("--only %s: expected numbers from 1 and ranges, e.g. 1,5-9,20-", only), false;
    if (names_input_twice(names))
        return cli_complain("-: standard input can be read only once: name it once"), false;
    for (size_t i = 0; i < names->count; i++)
        add_name(cli, input, names->items[i], choice, only);
    warn_of_missing(input, only);
    return true;
}

bool input_is_there(const char *name) { return !strcmp(name, "-") || is_there(name) || is_there_before_colon(name); }

bool input_is_from(const struct input *input, const char *path) {
    for (size_t i = 0; i < input->source_count; i++)
        if (path_is_same_file(path, input->sources[i]->label))
            return true;
    return false;
}
