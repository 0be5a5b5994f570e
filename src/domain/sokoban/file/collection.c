/* Reads a file of levels: finds where each board begins and ends, its title, and the solutions that follow it. The
 * common formats (XSB, .sok) mix boards, "Key: value" lines, comments and plain text. A line is either a row of a board
 * or belongs to the text between two boards. */
#include "domain/sokoban/file/level.h"

#include "domain/sokoban/file/row.h"

#include <string.h>

/* cursor->ordinal is the number of levels seen times ONE_LEVEL, plus two flags about the file. */
enum { TITLES_PRECEDE = 1, NO_COMMENT_END = 2, ONE_LEVEL = 4 };

enum line_kind {
    LINE_BLANK,
    LINE_TEXT,  /* a comment or a plain line: may be the title of the level below */
    LINE_TITLE, /* Title: */
    LINE_ATTRIBUTE,
    LINE_COMMENT,  /* inside Comment: ... Comment-End: */
    LINE_SOLUTION, /* header of lines of moves */
    LINE_SNAPSHOT, /* header of lines of moves of an unfinished game */
    LINE_LURD,     /* a line of moves */
    LINE_BOARD
};

struct line {
    const char *text;
    size_t length;
    int number;
    enum line_kind kind;
};

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

/* The length of `word` if the text starts with it, ignoring case; otherwise 0. */
static size_t starts_with(const char *text, size_t length, const char *word) {
    size_t i = 0;
    for (; word[i]; i++)
        if (i == length || lower(text[i]) != word[i])
            return 0;
    return i;
}

static bool is_space(char c) { return c == ' ' || c == '\t'; }

static void trim(const char **text, size_t *length) {
    while (*length && is_space(**text))
        ++*text, --*length;
    *length = row_trim(*text, *length);
}

/* Whether a line consists mostly of letters of a solution. Up to one wrong letter in eight is accepted, so that the
 * referee can report it. */
static bool is_lurd(const char *text, size_t length) {
    size_t letters = 0, others = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] && strchr("lurd", lower(text[i])))
            letters++;
        else if (!is_space(text[i]) && (!text[i] || !strchr("0123456789()", text[i])))
            others++;
    }
    return letters && others * 8 <= letters;
}

static enum line_kind text_kind(const char *text, size_t length) {
    static const char *const attributes[] = {"author:",   "collection:", "copyright:", "date:", "email:",
                                             "homepage:", "website:",    "set:",       "id:",   "difficulty:"};
    trim(&text, &length);
    if (!length)
        return LINE_BLANK;
    if (starts_with(text, length, "title:"))
        return LINE_TITLE;
    if (starts_with(text, length, "comment:") || starts_with(text, length, "comment-end"))
        return LINE_COMMENT;
    if (starts_with(text, length, "solution"))
        return LINE_SOLUTION;
    if (starts_with(text, length, "snapshot") || starts_with(text, length, "savegame"))
        return LINE_SNAPSHOT;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (starts_with(text, length, attributes[i]))
            return LINE_ATTRIBUTE;
    return length >= 6 && is_lurd(text, length) ? LINE_LURD : LINE_TEXT;
}

/* After "Comment:" without a text: skips everything up to "Comment-End". If the rest of the file has no such line, the
 * comment is only that line; a flag remembers this, so that the file is not searched again for every comment. */
static void skip_comment(soloist_cursor *cursor) {
    soloist_cursor ahead = *cursor;
    const char *text;
    size_t length;
    if (cursor->ordinal & NO_COMMENT_END)
        return;
    while (soloist_cursor_line(&ahead, &text, &length)) {
        trim(&text, &length);
        if (starts_with(text, length, "comment-end")) {
            *cursor = ahead;
            return;
        }
    }
    cursor->ordinal |= NO_COMMENT_END;
}

/* After "Comment: text": skips further lines of text, if "Comment-End" follows them directly. */
static void skip_comment_lines(soloist_cursor *cursor) {
    soloist_cursor ahead = *cursor;
    const char *text;
    size_t length;
    while (soloist_cursor_line(&ahead, &text, &length)) {
        enum line_kind kind = text_kind(text, length);
        if (kind == LINE_COMMENT) {
            trim(&text, &length);
            if (starts_with(text, length, "comment-end"))
                *cursor = ahead;
            return;
        }
        if ((kind != LINE_TEXT && kind != LINE_LURD) || row_is_board(text, length, false))
            return;
    }
}

/* A single row of walls counts as a separating line in the text, unless another row of a board follows. */
static bool begins_board(const soloist_cursor *after, const char *text, size_t length) {
    soloist_cursor ahead = *after;
    if (!row_is_board(text, length, false))
        return false;
    if (!row_is_only_wall(text, length))
        return true;
    return soloist_cursor_line(&ahead, &text, &length) && row_is_board(text, length, true);
}

/* Skips one line between boards. At a board's first row the cursor does not move, and the kind is LINE_BOARD. */
static bool next_text_line(soloist_cursor *cursor, struct line *line) {
    soloist_cursor before = *cursor;
    if (!soloist_cursor_line(cursor, &line->text, &line->length))
        return false;
    line->number = before.line;
    if (begins_board(cursor, line->text, line->length)) {
        line->kind = LINE_BOARD;
        *cursor = before;
        return true;
    }
    line->kind = text_kind(line->text, line->length);
    if (line->kind == LINE_COMMENT) {
        const char *text = line->text;
        size_t length = line->length;
        trim(&text, &length);
        if (starts_with(text, length, "comment:"))
            (length > strlen("comment:") ? skip_comment_lines : skip_comment)(cursor);
    }
    return true;
}

/* Skips the rows of a board; *end is the end of its last row. */
static void skip_board(soloist_cursor *cursor, const char **end) {
    const char *text;
    size_t length;
    bool first = true, whole = false;
    for (soloist_cursor before = *cursor; !whole && soloist_cursor_line(cursor, &text, &length); before = *cursor) {
        if (!row_is_board(text, length, !first)) {
            *cursor = before;
            return;
        }
        whole = first && row_is_whole_board(text, length);
        first = false;
        *end = text + length;
    }
}

/* Bytes of the UTF-8 character at text, or 0 if there is none. */
static size_t utf8_size(const char *text, size_t length) {
    unsigned char c = (unsigned char)*text;
    size_t size = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : (c & 0xf0) == 0xe0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    if (size > length)
        return 0;
    for (size_t i = 1; i < size; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
    unsigned char next = size > 1 ? (unsigned char)text[1] : 0;
    if ((c == 0xe0 && next < 0xa0) || (c == 0xed && next > 0x9f) || (c == 0xf0 && next < 0x90) ||
        (c == 0xf4 && next > 0x8f))
        return 0;
    return size;
}

/* Copies a name as valid UTF-8, cut between characters. */
static void copy_name(char *name, size_t room, const char *text, size_t length) {
    size_t kept = 0;
    trim(&text, &length);
    while (length) {
        size_t size = utf8_size(text, length), step = size ? size : 1;
        bool shown = size > 1 || (size == 1 && (unsigned char)*text >= ' ' && *text != 127);
        if (kept + (shown ? size : 1) >= room)
            break;
        if (shown)
            memcpy(name + kept, text, size);
        else
            name[kept] = '?';
        kept += shown ? size : 1;
        text += step;
        length -= step;
    }
    name[kept] = 0;
}

static void copy_text_name(char *name, size_t room, const struct line *line) {
    const char *text = line->text;
    size_t length = line->length;
    trim(&text, &length);
    while (length && (*text == ';' || *text == ':'))
        text++, length--;
    trim(&text, &length);
    if (length)
        copy_name(name, room, text, length);
}

/* Whether the first word consists mostly of letters of a solution, as in "dR." or "dR ; my note". */
static bool begins_like_lurd(const char *text, size_t length) {
    size_t word = 0, letters = 0;
    for (; word < length && !is_space(text[word]); word++)
        letters += text[word] && strchr("lurd", lower(text[word]));
    return letters * 2 > word;
}

/* Finds the moves on the line "Solution ...: moves" itself: they begin after the first colon that is followed by
 * moves. A short text that only begins with moves counts too, so that the referee can report what is wrong in it. */
static bool inline_moves(const struct line *line, const char **from) {
    static bool (*const tests[])(const char *, size_t) = {is_lurd, begins_like_lurd};
    const char *end = line->text + line->length;
    for (int i = 0; i < 2; i++)
        for (const char *at = line->text; (at = memchr(at, ':', (size_t)(end - at)));) {
            at++;
            while (at < end && is_space(*at))
                at++;
            if (tests[i](at, (size_t)(end - at))) {
                *from = at;
                return true;
            }
        }
    return false;
}

/* Whether a line below a header continues its moves. A line with a colon begins something else, even if moves follow
 * the colon. */
static bool continues_moves(const char *text, size_t length) {
    enum line_kind kind = text_kind(text, length);
    return (kind == LINE_TEXT || kind == LINE_LURD) && is_lurd(text, length) && !memchr(text, ':', length);
}

/* Whether lines of moves are expected below a header, or have begun. */
enum moves { MOVES_NONE, MOVES_EXPECTED, MOVES_BEGUN };

/* A short line of moves looks like a name; only the line above it shows whether it is one. */
static enum moves follow_moves(enum moves moves, struct line *line) {
    const char *from;
    if (line->kind == LINE_SOLUTION || line->kind == LINE_SNAPSHOT)
        return inline_moves(line, &from) ? MOVES_BEGUN : MOVES_EXPECTED;
    if (line->kind == LINE_BLANK)
        return moves == MOVES_EXPECTED ? MOVES_EXPECTED : MOVES_NONE;
    if (moves == MOVES_NONE || !continues_moves(line->text, line->length))
        return MOVES_NONE;
    line->kind = LINE_LURD;
    return MOVES_BEGUN;
}

/* The text between two boards. */
struct section {
    char title[128], name[128]; /* title: from the last Title: line; name: from the last other line */
    bool name_is_plain;         /* the name is from a line without a comment mark, and no blank line follows it */
    bool title_touches;         /* no blank line between the board above and the first Title: */
    const char *end;            /* end of the last line that belongs to the board above */
    bool board_follows;
};

static bool is_comment(const struct line *line) {
    const char *text = line->text;
    size_t length = line->length;
    trim(&text, &length);
    return length && (*text == ';' || *text == ':');
}

/* A comment directly below a plain line does not replace the name that the plain line gives. */
static void note_line(struct section *section, const struct line *line, bool blank_before) {
    if (line->kind == LINE_TITLE) {
        const char *text = line->text;
        size_t length = line->length;
        trim(&text, &length);
        section->title_touches |= !*section->title && !blank_before;
        copy_name(section->title, sizeof section->title, text + 6, length - 6);
    } else if (line->kind == LINE_TEXT && !(is_comment(line) && section->name_is_plain)) {
        copy_text_name(section->name, sizeof section->name, line);
        section->name_is_plain = !is_comment(line);
    } else if (line->kind == LINE_BLANK) {
        section->name_is_plain = false;
    }
}

static void read_section(soloist_cursor *cursor, struct section *section) {
    struct line line;
    bool blank_before = false;
    enum moves moves = MOVES_NONE;
    *section = (struct section){0};
    while (next_text_line(cursor, &line)) {
        if (line.kind == LINE_BOARD) {
            section->board_follows = true;
            return;
        }
        blank_before |= line.kind == LINE_BLANK;
        moves = follow_moves(moves, &line);
        note_line(section, &line, blank_before);
        if (line.kind != LINE_BLANK && line.kind != LINE_TEXT)
            section->end = line.kind == LINE_COMMENT ? cursor->at : line.text + line.length;
    }
}

/* In some files Title: stands above its board, in most below it. The first board shows which of the two holds for the
 * file. */
static bool titles_precede(soloist_cursor *cursor, const struct section *before, const struct section *after) {
    if (cursor->ordinal < ONE_LEVEL && *before->title && !after->title_touches)
        cursor->ordinal |= TITLES_PRECEDE;
    return cursor->ordinal & TITLES_PRECEDE;
}

bool sokoban_next(soloist_cursor *cursor, soloist_chunk *chunk) {
    struct section before, after;
    read_section(cursor, &before);
    if (!before.board_follows)
        return false;
    *chunk = (soloist_chunk){.text = cursor->at, .line = cursor->line};
    const char *end = cursor->at;
    skip_board(cursor, &end);
    soloist_cursor ahead = *cursor;
    read_section(&ahead, &after);
    chunk->length = (size_t)((after.end ? after.end : end) - chunk->text);
    const char *title = titles_precede(cursor, &before, &after) ? before.title : after.title;
    memcpy(chunk->name, *title ? title : before.name, sizeof chunk->name);
    cursor->ordinal += ONE_LEVEL;
    return true;
}

/* Reads the moves of a Solution or Snapshot line: those on the line itself, and the lines of moves that follow. */
static bool read_solution(soloist_cursor *cursor, const struct line *header, const char **text, size_t *length) {
    const char *from = NULL, *end = header->text + header->length, *line;
    size_t size;
    inline_moves(header, &from);
    for (soloist_cursor before = *cursor; soloist_cursor_line(cursor, &line, &size); before = *cursor) {
        bool blank = !row_trim(line, size);
        if (blank && !from)
            continue;
        if (blank || !continues_moves(line, size)) {
            *cursor = before;
            break;
        }
        from = from ? from : line;
        end = line + size;
    }
    if (!from)
        return false;
    *text = from;
    *length = (size_t)(end - from);
    return true;
}

/* The moves below header number `index` of a kind. */
static bool chunk_moves(const soloist_chunk *chunk, enum line_kind kind, int index, const char **text, size_t *length) {
    soloist_cursor cursor = soloist_cursor_open(chunk->text, chunk->length);
    struct section before;
    struct line line;
    const char *end;
    read_section(&cursor, &before);
    if (!before.board_follows)
        return false;
    skip_board(&cursor, &end);
    while (next_text_line(&cursor, &line) && line.kind != LINE_BOARD)
        if (line.kind == kind && read_solution(&cursor, &line, text, length) && index-- == 0)
            return true;
    return false;
}

bool sokoban_chunk_solution(const soloist_chunk *chunk, int index, const char **text, size_t *length) {
    return chunk_moves(chunk, LINE_SOLUTION, index, text, length);
}

bool sokoban_chunk_snapshot(const soloist_chunk *chunk, int index, const char **text, size_t *length) {
    return chunk_moves(chunk, LINE_SNAPSHOT, index, text, length);
}

/* ---- writing solutions into a file ---- */

/* Where a new Solution section is inserted: before the first Solution line or, if there is none, after the attributes
 * that follow the board directly. This is always the start of a line or the end of the text. */
static const char *solution_place(const soloist_chunk *chunk, const char *end) {
    soloist_cursor cursor = soloist_cursor_open(chunk->text, (size_t)(end - chunk->text));
    struct line line;
    const char *last;
    skip_board(&cursor, &last);
    const char *place = cursor.at, *chunk_end = chunk->text + chunk->length;
    bool touching = true;
    for (const char *at = cursor.at; next_text_line(&cursor, &line) && at < chunk_end; at = cursor.at) {
        if (line.kind == LINE_SOLUTION)
            return at;
        if (line.kind == LINE_BOARD)
            break;
        touching &= line.kind == LINE_TITLE || line.kind == LINE_ATTRIBUTE || line.kind == LINE_COMMENT;
        if (touching)
            place = cursor.at;
    }
    return place;
}

/* The line ending that the text uses. */
static const char *line_end_of(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            return "\n";
        if (text[i] == '\r')
            return i + 1 < length && text[i + 1] == '\n' ? "\r\n" : "\r";
    }
    return "\n";
}

static bool is_blank_or_header(const char *at, const char *end) {
    soloist_cursor cursor = soloist_cursor_open(at, (size_t)(end - at));
    const char *line;
    size_t length;
    if (!soloist_cursor_line(&cursor, &line, &length))
        return true;
    enum line_kind kind = text_kind(line, length);
    return kind == LINE_BLANK || kind == LINE_SOLUTION;
}

/* A short solution is written on the Solution line itself: on a line of its own it could be mistaken for a title. */
static void write_section(const char *solution, const char *line_end, const soloist_sink *sink) {
    soloist_put(sink, "Solution");
    soloist_put(sink, strlen(solution) < 8 ? ": " : line_end);
    soloist_put(sink, solution);
    soloist_put(sink, line_end);
}

void sokoban_collection_write(const char *text, size_t length, const struct sokoban_addition *additions, size_t count,
                              const soloist_sink *sink) {
    const char *at = text, *end = text + length, *line_end = line_end_of(text, length);
    for (size_t i = 0; i < count; i++) {
        if (!additions[i].solution)
            continue;
        const char *place = solution_place(&additions[i].chunk, end);
        sink->write(sink->to, at, (size_t)(place - at));
        at = place;
        if (place > text && place[-1] != '\n' && place[-1] != '\r')
            soloist_put(sink, line_end);
        write_section(additions[i].solution, line_end, sink);
        if (!is_blank_or_header(place, end))
            soloist_put(sink, line_end);
    }
    sink->write(sink->to, at, (size_t)(end - at));
}

/* Whether there are rows with walls and at least one object: such rows are meant as a board, even if it is invalid. */
static bool looks_like_board(const soloist_chunk *chunk) {
    soloist_cursor cursor = soloist_cursor_open(chunk->text, chunk->length);
    const char *text, *end;
    int walls = 0, things = 0;
    skip_board(&cursor, &end);
    for (text = chunk->text; text < end; text++) {
        walls += *text == '#';
        things += *text && strchr("@+$*.", *text) != NULL;
    }
    return walls >= 6 && things >= 2;
}

int sokoban_recognise(const char *text, size_t length) {
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_chunk chunk;
    struct sokoban_level level;
    int best = 0;
    for (int tries = 0; tries < 8 && best < 95 && sokoban_next(&cursor, &chunk); tries++) {
        if (sokoban_level_parse(&chunk, &level, NULL))
            best = 95;
        else if (looks_like_board(&chunk))
            best = 60;
    }
    return best;
}
