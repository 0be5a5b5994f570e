/* Reads run-length code one run at a time. The text is never expanded: a small stack holds the open groups and the
 * number of repetitions that each has left. */
#include "domain/sokoban/file/runlength.h"

void runlength_open(struct runlength *code, const char *text, size_t length, bool skip_space) {
    *code = (struct runlength){.text = text, .length = length, .skip_space = skip_space};
}

static bool refuse(struct runlength *code, size_t place, const char *problem) {
    code->problem = problem;
    code->place = place;
    return false;
}

static void pass_space(struct runlength *code) {
    if (!code->skip_space)
        return;
    while (code->at < code->length) {
        char c = code->text[code->at];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
            return;
        code->at++;
    }
}

/* Reads a count; it is 1 if there are no digits. A count above the limit becomes the limit, which is so large that no
 * caller accepts it. */
static bool read_count(struct runlength *code, uint32_t *count) {
    size_t place = code->at;
    uint64_t value = 0;
    bool any = false;
    for (; code->at < code->length; pass_space(code)) {
        char c = code->text[code->at];
        if (c < '0' || c > '9')
            break;
        value = value * 10 + (uint64_t)(c - '0');
        value = value < RUNLENGTH_MOST_COUNT ? value : RUNLENGTH_MOST_COUNT;
        any = true;
        code->at++;
    }
    *count = any ? (uint32_t)value : 1;
    if (any && !value)
        return refuse(code, place, "a count of 0: expected 1 or more");
    if (any && code->at == code->length)
        return refuse(code, place, "a count at the end: expected a symbol or '(' after it");
    return true;
}

static bool open_group(struct runlength *code, uint32_t count) {
    if (code->depth == RUNLENGTH_MOST_DEPTH)
        return refuse(code, code->at, "parentheses are nested more than 8 deep");
    code->at++;
    code->groups[code->depth].start = code->at;
    code->groups[code->depth].left = count;
    code->groups[code->depth++].filled = false;
    return true;
}

static bool close_group(struct runlength *code) {
    if (!code->depth)
        return refuse(code, code->at, "')' without '(' before it");
    int top = code->depth - 1;
    if (!code->groups[top].filled)
        return refuse(code, code->at, "empty parentheses: expected symbols between '(' and ')'");
    if (--code->groups[top].left) {
        code->at = code->groups[top].start;
        return true;
    }
    code->depth = top;
    code->at++;
    return true;
}

bool runlength_next(struct runlength *code, struct run *run) {
    for (;;) {
        uint32_t count;
        pass_space(code);
        if (code->at == code->length)
            break;
        size_t place = code->at;
        if (!read_count(code, &count))
            return false;
        char c = code->text[code->at];
        if (c == ')' && code->at != place)
            return refuse(code, place, "a count before ')': expected a symbol or '(' after it");
        if (c == '(' || c == ')') {
            if (c == '(' ? !open_group(code, count) : !close_group(code))
                return false;
            continue;
        }
        for (int i = 0; i < code->depth; i++)
            code->groups[i].filled = true;
        *run = (struct run){c, count, code->at++};
        return true;
    }
    return code->depth ? refuse(code, code->groups[code->depth - 1].start - 1, "'(' without ')' after it") : false;
}
