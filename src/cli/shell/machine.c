/* The number of cores and the free memory of the machine, as far as this process may use them. */
#define _GNU_SOURCE
#include "cli/shell/machine.h"

#include "cli/solve/batch.h"

#include <sched.h>
#include <string.h>
#include <sys/utsname.h>

/* This rank's share; 0 cores: the whole machine. Set once, before any thread is started. */
static struct {
    int cores;
    size_t parts;
} share = {0, 1};

void machine_share(int cores, int parts) {
    share.cores = cores;
    share.parts = parts > 1 ? (size_t)parts : 1;
}

int batch_cores(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set))
        return 1;
    int cores = share.cores ? share.cores : CPU_COUNT(&set);
    /* A container's share of the CPU: "max 100000" or "quota period". */
    FILE *stream = fopen("/sys/fs/cgroup/cpu.max", "r");
    long quota, period;
    if (stream && fscanf(stream, "%ld %ld", &quota, &period) == 2 && quota > 0 && period > 0) {
        int most = (int)((quota + period - 1) / period / (long)share.parts);
        cores = most < cores ? most : cores;
    }
    if (stream)
        fclose(stream);
    return cores > 0 ? cores : 1;
}

/* Reads a file that consists of one number. 0: there is no number, as in a file that says "max" for no limit. */
static size_t read_bytes(const char *path) {
    unsigned long long bytes = 0;
    FILE *stream = fopen(path, "r");
    if (!stream)
        return 0;
    if (fscanf(stream, "%llu", &bytes) != 1)
        bytes = 0;
    fclose(stream);
    return (size_t)bytes;
}

static size_t kernel_available(void) {
    char line[256];
    unsigned long long kilobytes = 0;
    FILE *stream = fopen("/proc/meminfo", "r");
    while (stream && fgets(line, sizeof line, stream))
        if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1)
            break;
    if (stream)
        fclose(stream);
    return (size_t)kilobytes * 1024;
}

size_t batch_free_memory(void) {
    size_t available = kernel_available(), limit = read_bytes("/sys/fs/cgroup/memory.max");
    size_t used = read_bytes("/sys/fs/cgroup/memory.current");
    if (limit && limit > used && (!available || limit - used < available))
        available = limit - used;
    return available / share.parts;
}

/* On Arm the kernel reports no model name: the architecture is used instead. */
void machine_describe(char *text, size_t room) {
    char line[256], model[200] = "";
    struct utsname system = {.machine = "unknown", .sysname = "unknown"};
    FILE *stream = fopen("/proc/cpuinfo", "r");
    while (stream && !*model && fgets(line, sizeof line, stream))
        if (!strncmp(line, "model name", 10) && strchr(line, ':'))
            snprintf(model, sizeof model, "%s", strchr(line, ':') + 1 + strspn(strchr(line, ':') + 1, " \t"));
    if (stream)
        fclose(stream);
    model[strcspn(model, "\n")] = 0;
    uname(&system);
    int cores = batch_cores();
    snprintf(text, room, "%d core%s%s%s, %s, %s", cores, cores == 1 ? "" : "s", *model ? " of " : "", model,
             system.machine, system.sysname);
}
