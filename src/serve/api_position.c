/* Questions about one position that are answered at once. */
#include "base/stop.h"
#include "search/special/registry.h"
#include "serve/api.h"

#include <stdlib.h>
#include <string.h>

enum { ANSWER_S = 3 }; /* maximum number of seconds that a client waits for such an answer, if a job may take longer */

struct question {
    struct fields fields;
    char *domain, *options, *text, *solution;
    soloist_stop_token stop;
    soloist_puzzle puzzle;
    bool open; /* the puzzle is read */
};

static void close_question(struct question *question) {
    if (question->open)
        soloist_puzzle_free(&question->puzzle);
    free(question->domain);
    free(question->options);
    free(question->text);
    free(question->solution);
}

/* False: the reply says what is wrong. Close the question in both cases. */
static bool open_question(struct question *question, const struct serve *serve, const struct request *request,
                          struct reply *reply) {
    struct fields *fields = &question->fields;
    soloist_error error = {0};
    *question = (struct question){0};
    if (!fields_open(fields, request->body, request->length))
        return reply_fail(reply, 400, "%s", fields->error.text), false;
    question->domain = fields_text(fields, "domain", WORK_NAME_MOST);
    question->options = fields_text(fields, "options", WORK_OPTIONS_MOST);
    question->text = fields_needed(fields, "text", WORK_TEXT_MOST);
    question->solution = fields_text(fields, "solution", WORK_SOLUTION_MOST);
    if (!fields_good(fields))
        return reply_fail(reply, 400, "%s", fields->error.text), false;
    stop_token_open(&question->stop, NULL);
    double most = serve->rules.limits.time_s;
    soloist_stop_token_deadline(&question->stop, most < ANSWER_S ? most : ANSWER_S);
    soloist_code code = work_puzzle(serve->rules.engine, question->domain, question->options, question->text,
                                    &question->stop, &question->puzzle, &error);
    question->open = code == SOLOIST_OK;
    if (code == SOLOIST_NO_MEMORY)
        reply->body.failed = true;
    else if (code == SOLOIST_STOPPED)
        reply_fail(reply, 422, "reading this puzzle takes too long");
    else if (code != SOLOIST_OK)
        reply_fail(reply, 422, "%s", error.text);
    return question->open;
}

void api_explain(struct serve *serve, const struct request *request, const char *rest, struct reply *reply) {
    struct question question;
    (void)rest;
    if (open_question(&question, serve, request, reply)) {
        soloist_limits limits = {.memory = serve->rules.limits.memory, .threads = 1, .stop = &question.stop};
        soloist_advice advice = {0};
        soloist_error error = {0};
        soloist_code code =
            soloist_explain(serve->rules.engine, &question.puzzle, true, &limits, NULL, &advice, &error);
        struct json_writer json;
        soloist_sink sink = buffer_sink(&reply->body);
        json_open(&json, &sink);
        if (code == SOLOIST_NO_MEMORY) {
            reply->body.failed = true;
        } else if (code != SOLOIST_OK && code != SOLOIST_STOPPED) {
            reply_fail(reply, 422, "%s", error.text);
        } else {
            json_object(&json, NULL);
            work_write_advice(&json, &advice);
            json_end(&json, '}');
        }
        soloist_advice_free(&advice);
    }
    close_question(&question);
}

static void write_check(const struct question *question, struct reply *reply) {
    soloist_verdict verdict = {.pushes = -1};
    soloist_error error = {0};
    const char *solution = question->solution;
    bool valid = soloist_check(&question->puzzle, solution, strlen(solution), &verdict, &error);
    int64_t counts[SPECIAL_COUNTS];
    if (valid && !special_counts(&question->puzzle, solution, counts)) {
        reply->body.failed = true;
        return;
    }
    struct json_writer json;
    soloist_sink sink = buffer_sink(&reply->body);
    json_open(&json, &sink);
    json_object(&json, NULL);
    json_bool(&json, "valid", valid);
    if (valid) {
        json_int(&json, "value", verdict.value);
        json_int(&json, "moves", verdict.moves);
        if (verdict.pushes >= 0)
            json_int(&json, "pushes", verdict.pushes);
        for (int i = 0; i < SPECIAL_COUNTS; i++)
            if (counts[i] != SPECIAL_NO_COUNT)
                json_int(&json, special_count_name((enum special_count)i), counts[i]);
    } else {
        json_text(&json, "error", error.text);
        json_int(&json, "column", error.column);
    }
    json_end(&json, '}');
}

void api_check(struct serve *serve, const struct request *request, const char *rest, struct reply *reply) {
    struct question question;
    (void)rest;
    if (open_question(&question, serve, request, reply)) {
        if (question.solution)
            write_check(&question, reply);
        else
            reply_fail(reply, 400, "solution: is missing");
    }
    close_question(&question);
}
