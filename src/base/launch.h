/* Whether this process was started by a launcher such as mpirun or srun, as one of several ranks. */
#ifndef BASE_LAUNCH_H
#define BASE_LAUNCH_H

/* The rank of this process and the number of ranks, read from the environment variables that the launcher sets. Without
 * a launcher: rank 0 of 1. */
struct launch {
    int rank, count;
};

struct launch launch_look(void);

#endif
