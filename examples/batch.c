/* Solves all puzzles of a file with four threads, which share one engine, and prints the results in order:
 * cc batch.c $(pkg-config --cflags --libs soloist) -lpthread -o batch && ./batch FILE */
#include <pthread.h>
#include <soloist.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
    soloist_puzzle puzzle;
    soloist_result result;
    soloist_code code;
    soloist_error error;
};

static struct {
    soloist *engine;
    struct job *jobs;
    size_t count, next;
    pthread_mutex_t lock;
} work = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct job *take(void) {
    pthread_mutex_lock(&work.lock);
    struct job *job = work.next < work.count ? &work.jobs[work.next++] : NULL;
    pthread_mutex_unlock(&work.lock);
    return job;
}

static void *run(void *unused) {
    soloist_limits limits = {.time_s = 10};
    for (struct job *job; (job = take());)
        if (job->code == SOLOIST_OK)
            job->code = soloist_solve(work.engine, &job->puzzle, NULL, &limits, NULL, &job->result, &job->error);
    return unused;
}

int main(int count, char **words) {
    static char text[1 << 22];
    FILE *file = count == 2 ? fopen(words[1], "r") : NULL;
    size_t length = file ? fread(text, 1, sizeof text, file) : 0;
    work.engine = soloist_new();
    const soloist_domain *domain = soloist_recognise(work.engine, text, length);
    if (!domain)
        return fprintf(stderr, "usage: batch FILE\n"), 2;

    /* A puzzle that cannot be read keeps its error; the others are solved. */
    soloist_cursor cursor = soloist_cursor_open(text, length);
    struct job job = {0};
    while (soloist_next_puzzle(domain, NULL, &cursor, &job.puzzle, &job.code, &job.error)) {
        work.jobs = realloc(work.jobs, (work.count + 1) * sizeof *work.jobs);
        work.jobs[work.count++] = job;
        memset(&job, 0, sizeof job);
    }

    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);

    for (size_t i = 0; i < work.count; i++) {
        struct job *done = &work.jobs[i];
        if (done->code != SOLOIST_OK)
            printf("%zu: line %d: %s\n", i + 1, done->error.line, done->error.text);
        else
            printf("%zu: %s %s\n", i + 1, soloist_status_name(done->result.status),
                   done->result.solution ? done->result.solution : "");
        soloist_result_free(&done->result);
        soloist_puzzle_free(&done->puzzle);
    }
    free(work.jobs);
    soloist_free(work.engine);
    return 0;
}
