/* The machine in words. */
#include "cli/shell/machine.h"

#include "cli/solve/batch.h"
#include "soloist_tools.h"

#include <string.h>
#include <sys/utsname.h>

int batch_cores(void) { return soloist_cores(); }

size_t batch_free_memory(void) { return soloist_free_memory(); }

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
