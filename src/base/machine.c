/* The number of cores and the free memory of the machine, as far as this process may use them. */
#define _GNU_SOURCE
#include "soloist_tools.h"

#include <sched.h>
#include <stdio.h>

int soloist_cores(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set))
        return 1;
    int cores = CPU_COUNT(&set);
    /* A container's share of the CPU: "max 100000" or "quota period". */
    FILE *stream = fopen("/sys/fs/cgroup/cpu.max", "r");
    long quota, period;
    if (stream && fscanf(stream, "%ld %ld", &quota, &period) == 2 && quota > 0 && period > 0) {
        int share = (int)((quota + period - 1) / period);
        cores = share < cores ? share : cores;
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

size_t soloist_free_memory(void) {
    size_t available = kernel_available(), limit = read_bytes("/sys/fs/cgroup/memory.max");
    size_t used = read_bytes("/sys/fs/cgroup/memory.current");
    if (limit && limit > used && (!available || limit - used < available))
        available = limit - used;
    return available;
}
