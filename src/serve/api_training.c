/* Training runs that the user named: their curves, their newest games, and the card of the trained network. The files
 * are read anew for every answer, because the training may still be running. */
#define _GNU_SOURCE
#include "base/buffer.h"
#include "base/path.h"
#include "net/file.h"
#include "serve/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { CURVE_MOST = 32 << 20, GAMES_MOST = 128 << 10, HEADER_MOST = 1 << 20, WORDS_MOST = 1 << 16, GAMES_SHOWN = 24 };

/* The end of a file, at most `most` bytes, which the caller frees; *cut: something is missing before it. NULL: there is
 * no such file, or memory ran out. */
static char *read_end(const char *path, size_t most, size_t *length, bool *cut) {
    FILE *file = fopen(path, "rb");
    struct stat status;
    char *text = NULL;
    *length = 0;
    *cut = false;
    if (file && !fstat(fileno(file), &status) && S_ISREG(status.st_mode)) {
        size_t size = status.st_size > 0 ? (size_t)status.st_size : 0;
        *cut = size > most;
        size = *cut ? most : size;
        text = malloc(size + 1);
        if (text && *cut)
            fseeko(file, -(off_t)size, SEEK_END);
        if (text)
            text[ *length = fread(text, 1, size, file)] = 0;
    }
    if (file)
        fclose(file);
    return text;
}

/* The end of a file of the folder. */
static char *read_in(const char *folder, const char *name, size_t most, size_t *length, bool *cut) {
    char *path = path_in(folder, name);
    char *text = path ? read_end(path, most, length, cut) : NULL;
    free(path);
    return text;
}

/* Writes the text as a member if it is JSON of this kind, otherwise null. */
static void write_json(struct json_writer *json, const char *name, const char *text, size_t length,
                       enum json_kind kind) {
    struct json_value value;
    if (text && json_parse(text, length, &value, NULL) && value.kind == kind)
        json_raw(json, name, text);
    else
        json_null(json, name);
}

/* ---- the curve ---- */

/* Writes the lines of the curve from row `from` on. A line that is being written is not JSON yet, and is left out. */
static void write_curve(const char *folder, uint64_t from, struct json_writer *json) {
    size_t length, size;
    bool cut;
    const char *line;
    char *text = read_in(folder, "curve.jsonl", CURVE_MOST, &length, &cut);
    soloist_cursor cursor = soloist_cursor_open(text ? text : "", length);
    json_array(json, "rows");
    while (soloist_cursor_line(&cursor, &line, &size)) {
        struct json_value object;
        uint64_t row;
        if (!json_parse(line, size, &object, NULL) || object.kind != JSON_OBJECT ||
            !json_get_uint(json_member(object, "row"), &row) || row < from)
            continue;
        char *end = (char *)(uintptr_t)object.end, kept = *end;
        *end = 0;
        json_raw(json, NULL, object.start);
        *end = kept;
    }
    json_end(json, ']');
    free(text);
}

/* Seconds since the newest row; null if there is none. */
static void write_age(const char *folder, struct json_writer *json) {
    char *path = path_in(folder, "curve.jsonl");
    struct stat status;
    if (path && !stat(path, &status))
        json_real(json, "age_s", difftime(time(NULL), status.st_mtime));
    else
        json_null(json, "age_s");
    free(path);
}

/* ---- games ---- */

/* A line is BOARD <tab> SCORE <tab> SOLUTION; '|' stands for the line breaks of the board. */
static void write_game(char *line, struct json_writer *json) {
    char *score = strchr(line, '\t'), *moves = score ? strchr(score + 1, '\t') : NULL;
    if (!moves)
        return;
    *score++ = 0;
    *moves++ = 0;
    for (char *at = line; *at; at++)
        *at = *at == '|' ? '\n' : *at;
    json_object(json, NULL);
    json_text(json, "text", line);
    json_int(json, "score", strtol(score, NULL, 10));
    json_text(json, "solution", moves);
    json_end(json, '}');
}

/* The newest games, newest first. */
static void write_games(const char *folder, struct json_writer *json) {
    size_t length;
    bool cut;
    char *text = read_in(folder, "games.txt", GAMES_MOST, &length, &cut);
    char *end = text ? memrchr(text, '\n', length) : NULL;
    json_array(json, "games");
    for (int shown = 0; end && shown < GAMES_SHOWN; shown++) {
        *end = 0;
        char *before = memrchr(text, '\n', (size_t)(end - text));
        if (before || !cut)
            write_game(before ? before + 1 : text, json);
        end = before;
    }
    json_end(json, ']');
    free(text);
}

/* ---- the card ---- */

/* Writes the card as an array of names and values, all as texts: a browser would round large numbers. */
static void write_card(struct json_writer *json, const char *card) {
    struct json_value object, name, item;
    const char *step = NULL;
    if (!card || !json_parse(card, strlen(card), &object, NULL) || object.kind != JSON_OBJECT)
        return json_null(json, "card");
    json_array(json, "card");
    while (json_next(object, &step, &name, &item)) {
        char key[80], value[400];
        json_get_text(name, key, sizeof key);
        if (json_get_text(item, value, sizeof value) < 0)
            snprintf(value, sizeof value, "%.*s", (int)(item.end - item.start), item.start);
        json_array(json, NULL);
        json_text(json, NULL, key);
        json_text(json, NULL, value);
        json_end(json, ']');
    }
    json_end(json, ']');
}

/* The card and the domain of a trained network. Only the beginning of its file is needed. */
static void write_network(const char *path, struct json_writer *json) {
    FILE *file = path ? fopen(path, "rb") : NULL;
    char *bytes = file ? malloc(HEADER_MOST) : NULL;
    size_t length = bytes ? fread(bytes, 1, HEADER_MOST, file) : 0;
    long size = bytes ? net_file_note(bytes, length, "soloist.card", NULL, 0) : -1;
    char *card = size >= 0 ? malloc((size_t)size + 1) : NULL;
    char domain[64] = "";
    if (card)
        net_file_note(bytes, length, "soloist.card", card, (size_t)size + 1);
    if (bytes)
        net_file_note(bytes, length, "soloist.domain", domain, sizeof domain);
    write_card(json, card);
    json_text(json, "network_domain", *domain ? domain : NULL);
    free(card);
    free(bytes);
    if (file)
        fclose(file);
}

/* The network of a folder has the folder's name without ".run". */
static char *network_of(const struct serve_training *training) {
    static const char ending[] = ".run";
    size_t length = strlen(training->path), end = strlen(ending);
    if (!training->folder)
        return strdup(training->path);
    while (length > 1 && training->path[length - 1] == '/')
        length--;
    bool named = length > end && !strncmp(training->path + length - end, ending, end);
    return named ? strndup(training->path, length - end) : NULL;
}

/* ---- the answer ---- */

static void write_training(const struct serve_training *training, uint64_t from, struct reply *reply) {
    struct json_writer json;
    soloist_sink sink = buffer_sink(&reply->body);
    char *network = network_of(training), *words = NULL;
    size_t length = 0;
    bool cut;
    json_open(&json, &sink);
    json_object(&json, NULL);
    json_text(&json, "name", training->name);
    json_bool(&json, "folder", training->folder);
    write_network(network, &json);
    if (training->folder) {
        words = read_in(training->path, "words.json", WORDS_MOST, &length, &cut);
        write_json(&json, "words", words, length, JSON_OBJECT);
        write_age(training->path, &json);
        write_curve(training->path, from, &json);
        write_games(training->path, &json);
    }
    json_end(&json, '}');
    free(words);
    free(network);
}

void api_training(struct serve *serve, const struct request *request, const char *rest, struct reply *reply) {
    struct fields fields;
    (void)rest;
    if (!fields_open(&fields, request->body, request->length))
        return reply_fail(reply, 400, "%s", fields.error.text);
    uint64_t number = fields_count(&fields, "number", 0, UINT32_MAX),
             from = fields_count(&fields, "from", 0, UINT64_MAX);
    if (!fields_good(&fields))
        reply_fail(reply, 400, "%s", fields.error.text);
    else if (!fields_has(&fields, "number"))
        reply_fail(reply, 400, "number: is missing");
    else if (number >= serve->rules.training_count)
        reply_fail(reply, 404, "there is no training of this number");
    else
        write_training(&serve->rules.trainings[number], from, reply);
}

/* ---- the lab's stores ---- */

void api_lab_list(struct serve *serve, const struct request *request, const char *rest, struct reply *reply) {
    soloist_sink sink = buffer_sink(&reply->body);
    (void)request, (void)rest;
    if (serve->rules.lab.desk)
        serve->rules.lab.list(serve->rules.lab.desk, reply);
    else
        soloist_put(&sink, "[]");
}

void api_lab(struct serve *serve, const struct request *request, const char *rest, struct reply *reply) {
    (void)rest;
    if (serve->rules.lab.desk)
        serve->rules.lab.answer(serve->rules.lab.desk, request, reply);
    else
        reply_fail(reply, 404, "no store of the lab was named when the program was started");
}
