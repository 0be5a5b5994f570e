/* Shows how a long search gets on, and ends it at Ctrl-C with what was found:
 * cc progress.c $(pkg-config --cflags --libs soloist) -o progress && ./progress FILE */
#include <signal.h>
#include <soloist.h>
#include <stdio.h>

static soloist_stop_token *token;

static void interrupt(int number) {
    (void)number;
    soloist_stop_token_cancel(token); /* safe in a signal handler */
}

/* Called a few times per second by a thread of the search. */
static void show(void *user, const soloist_progress *progress) {
    fprintf(user, "%.1f s, %llu states, %zu KiB%s%s\n", progress->time_s, (unsigned long long)progress->nodes,
            progress->memory / 1024, progress->note ? ", " : "", progress->note ? progress->note : "");
}

int main(int count, char **words) {
    static char text[1 << 20];
    FILE *file = count == 2 ? fopen(words[1], "r") : NULL;
    size_t length = file ? fread(text, 1, sizeof text, file) : 0;
    if (!length)
        return fprintf(stderr, "usage: progress FILE\n"), 2;
    fclose(file);

    soloist *engine = soloist_new();
    token = soloist_stop_token_new();
    signal(SIGINT, interrupt);
    soloist_limits limits = {.time_s = 60, .memory = (size_t)1 << 30, .threads = 2, .stop = token};
    soloist_callbacks callbacks = {.progress = show, .user = stderr};
    const soloist_domain *domain = soloist_recognise(engine, text, length);
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_error error;
    soloist_code code;
    if (!domain || !soloist_next_puzzle(domain, NULL, &cursor, &puzzle, &code, &error) || code != SOLOIST_OK)
        return fprintf(stderr, "%s\n", domain ? error.text : "no puzzle"), 2;
    code = soloist_solve(engine, &puzzle, NULL, &limits, &callbacks, &result, &error);
    if (code != SOLOIST_OK)
        return fprintf(stderr, "%s\n", error.text), 2;
    printf("%s, ended by %s: %s\n", soloist_status_name(result.status), soloist_stop_name(result.stopped),
           result.solution ? result.solution : "no solution");
    soloist_result_free(&result);
    soloist_puzzle_free(&puzzle);
    soloist_stop_token_free(token);
    soloist_free(engine);
    return 0;
}
