#include "base/launch.h"

#include <stddef.h>
#include <stdlib.h>

/* The variables of a launcher: Open MPI's mpirun; the older process management interface (MPICH, Intel MPI, and Slurm
 * with --mpi=pmi2); the newer one under Slurm (--mpi=pmix). A batch script that Slurm runs is not a rank: it has
 * Slurm's variables, but not those of a process management interface. */
static const struct {
    const char *rank, *count;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMI_RANK", "PMI_SIZE"},
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
};

static int number(const char *name) {
    const char *text = getenv(name);
    char *end;
    long value = text ? strtol(text, &end, 10) : -1;
    return text && *text && !*end && value >= 0 && value < 1 << 24 ? (int)value : -1;
}

struct launch launch_look(void) {
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        struct launch found = {number(launchers[i].rank), number(launchers[i].count)};
        if (found.rank >= 0 && found.count > found.rank)
            return found;
    }
    return (struct launch){0, 1};
}
