/* Describes the machine in words, and knows how much of it this process may use. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* sched_getaffinity */
#endif
#include "cli/shell/machine.h"

#include "cli/solve/batch.h"
#include "soloist_tools.h"

#include <sched.h>
#include <string.h>
#include <sys/utsname.h>

/* This rank's share; 0 cores: the whole machine. Set once, before any thread is started. */
static struct {
    int cores, parts;
} share = {0, 1};

void machine_share(int cores, int parts) {
    share.cores = cores;
    share.parts = parts > 1 ? parts : 1;
}

/* If a container has fewer cores than this process may be put on, all ranks share them. */
int batch_cores(void) {
    cpu_set_t set;
    int all = soloist_cores(), own = share.cores ? share.cores : all;
    if (share.parts > 1 && !sched_getaffinity(0, sizeof set, &set) && all < CPU_COUNT(&set))
        all = all / share.parts;
    own = all < own ? all : own;
    return own > 0 ? own : 1;
}

size_t batch_free_memory(void) { return soloist_free_memory() / (size_t)share.parts; }

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
