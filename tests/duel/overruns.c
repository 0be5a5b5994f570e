/* Time and memory limits under random options: overruns FOLDER [RUNS [SEED]].
 *
 * Every file of FOLDER holds one large instance. A run draws an instance, a method, options of any size, threads and a
 * memory limit, and gets a tenth of a second. It is an overrun if it used much more processor time or memory than
 * allowed, or was ended by a signal. Ends with the number of overruns; the exit status says whether there were any. */
#include "any_network.h"
#include "duel/draw_options.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { most_instances = 32, patience_s = 20 };
static const double time_s = 0.1, spare_s = 0.3, spare_bytes = 16e6;

struct overruns {
    soloist *engine;
    int instances, methods;
    soloist_puzzle puzzles[most_instances];
    char names[most_instances][64];
    long base_kib; /* what a process takes that does nothing */
};

static bool read_instance(struct overruns *all, const char *folder, const char *name) {
    static char text[1 << 16];
    char path[4096];
    soloist_error error = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = 0;
    soloist_cursor cursor = soloist_cursor_open(text, length);
    soloist_code code = SOLOIST_BAD_INPUT;
    const soloist_domain *domain = soloist_recognise(all->engine, text, length);
    if (!domain || !soloist_next_puzzle(domain, NULL, &cursor, &all->puzzles[all->instances], &code, &error) ||
        code != SOLOIST_OK) {
        fprintf(stderr, "overruns: %s: %s\n", path, error.text);
        return false;
    }
    snprintf(all->names[all->instances++], sizeof *all->names, "%s", name);
    return true;
}

static bool read_folder(struct overruns *all, const char *path) {
    DIR *folder = opendir(path);
    const struct dirent *entry;
    bool good = folder;
    while (good && all->instances < most_instances && (entry = readdir(folder)))
        if (*entry->d_name != '.')
            good = read_instance(all, path, entry->d_name);
    if (folder)
        closedir(folder);
    return good && all->instances;
}

/* Runs the method in a process of its own; returns what was wrong, or NULL. */
static const char *find_overrun(const struct overruns *all, const soloist_puzzle *puzzle, const char *method,
                                const soloist_limits *limits) {
    int status = 0;
    struct rusage used = {0};
    pid_t child = fork();
    if (child == 0) {
        soloist_result result;
        soloist_error error;
        alarm(patience_s);
        soloist_code code = soloist_solve(all->engine, puzzle, method, limits, NULL, &result, &error);
        _exit(code == SOLOIST_INTERNAL);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child)
        return "no process";
    double spent_s = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                     1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    double bytes = 1024.0 * (double)(used.ru_maxrss - all->base_kib);
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGALRM ? "did not stop" : "ended by a signal";
    if (WEXITSTATUS(status))
        return "an internal error";
    return spent_s > limits->threads * time_s + spare_s          ? "time"
           : bytes > 1.05 * (double)limits->memory + spare_bytes ? "memory"
                                                                 : NULL;
}

/* 1: an overrun; 0: none; -1: the method does not suit the instance. */
static int run_once(const struct overruns *all, soloist_rng *rng, uint64_t seed) {
    const char *name;
    const soloist_option *options;
    char method[method_room];
    soloist_error error;
    struct any_network any;
    soloist_method_at(all->engine, soloist_rng_below(rng, (uint32_t)all->methods), &name, NULL, &options);
    int instance = (int)soloist_rng_below(rng, (uint32_t)all->instances);
    const soloist_puzzle *puzzle = &all->puzzles[instance];
    draw_method(rng, name, options, true, method);
    soloist_limits limits = {.time_s = time_s,
                             .memory = (size_t)10000000 << soloist_rng_below(rng, 6),
                             .threads = 1 + (int)soloist_rng_below(rng, 3),
                             .seed = seed,
                             .network = any_network_open(&any, puzzle->domain)};
    if (soloist_method_suits(all->engine, puzzle, method, &limits, &error) != SOLOIST_OK)
        return -1;
    const char *fault = find_overrun(all, puzzle, method, &limits);
    if (fault)
        printf("OVERRUN: %s by %s, %d threads, %zu bytes: %s\n", all->names[instance], method, limits.threads,
               limits.memory, fault);
    return fault != NULL;
}

int main(int count, char **words) {
    static struct overruns all;
    long wanted = count > 2 ? atol(words[2]) : 2000, runs = 0, overruns = 0;
    uint64_t seed = count > 3 ? strtoull(words[3], NULL, 10) : 1, draws = 0;
    struct rusage used = {0};
    all.engine = soloist_new();
    if (!all.engine || count < 2 || !read_folder(&all, words[1])) {
        fputs("usage: overruns FOLDER [RUNS [SEED]]\n", stderr);
        return 2;
    }
    while (soloist_method_at(all.engine, (size_t)all.methods, NULL, NULL, NULL))
        all.methods++;
    pid_t idle = fork();
    if (idle == 0)
        _exit(0);
    wait4(idle, NULL, 0, &used);
    all.base_kib = used.ru_maxrss;
    setvbuf(stdout, NULL, _IOLBF, 0);
    soloist_rng rng;
    soloist_rng_seed(&rng, seed, 0);
    while (runs < wanted) {
        int overrun = run_once(&all, &rng, ++draws);
        runs += overrun >= 0;
        overruns += overrun > 0;
    }
    printf("%ld runs with random options, %ld overruns\n", runs, overruns);
    return overruns != 0;
}
