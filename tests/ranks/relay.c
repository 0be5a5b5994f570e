/* A slow, lossy cable between two network namespaces: relay NAMESPACE NAMESPACE MILLISECONDS PERCENT SECONDS. Makes the
 * interface `far` in both, passes each packet on after so many milliseconds, and drops so many per cent of them. It ends
 * after the given seconds. Prints "ready" when the interfaces are there. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { PACKETS = 8192, LARGEST = 2048 };

/* Packets in the order in which they are due: all are delayed by the same time. */
static struct {
    double due_s;
    int to;
    ssize_t size;
    char bytes[LARGEST];
} queue[PACKETS];
static unsigned first, count, passed, dropped;

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int open_interface(const char *space) {
    char path[256];
    struct ifreq wish = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    snprintf(path, sizeof path, "/run/netns/%s", space);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || setns(file, CLONE_NEWNET))
        return -1;
    close(file);
    int tun = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    strcpy(wish.ifr_name, "far");
    return tun >= 0 && !ioctl(tun, TUNSETIFF, &wish) ? tun : -1;
}

static void take(int from, int to, double delay_s, int percent, uint64_t *random) {
    char bytes[LARGEST];
    ssize_t size;
    while ((size = read(from, bytes, sizeof bytes)) > 0) {
        *random = *random * 6364136223846793005u + 1442695040888963407u;
        if ((*random >> 33) % 100 < (unsigned)percent || count == PACKETS) {
            dropped++;
            continue;
        }
        unsigned at = (first + count++) % PACKETS;
        queue[at].due_s = now_s() + delay_s;
        queue[at].to = to;
        queue[at].size = size;
        memcpy(queue[at].bytes, bytes, (size_t)size);
    }
}

static void pass_on(void) {
    while (count && queue[first].due_s <= now_s()) {
        passed += write(queue[first].to, queue[first].bytes, (size_t)queue[first].size) == queue[first].size;
        first = (first + 1) % PACKETS;
        count--;
    }
}

int main(int argc, char **argv) {
    if (argc != 6)
        return fputs("usage: relay NAMESPACE NAMESPACE MILLISECONDS PERCENT SECONDS\n", stderr), 2;
    double delay_s = atof(argv[3]) / 1000, end_s = now_s() + atof(argv[5]);
    uint64_t random = 1;
    int ends[] = {open_interface(argv[1]), open_interface(argv[2])};
    if (ends[0] < 0 || ends[1] < 0)
        return perror("relay"), 1;
    puts("ready");
    fflush(stdout);
    for (double shown_s = 0; now_s() < end_s;) {
        struct pollfd polls[] = {{ends[0], POLLIN, 0}, {ends[1], POLLIN, 0}};
        poll(polls, 2, count ? 1 : 100);
        take(ends[0], ends[1], delay_s, atoi(argv[4]), &random);
        take(ends[1], ends[0], delay_s, atoi(argv[4]), &random);
        pass_on();
        if (now_s() > shown_s + 0.1) {
            shown_s = now_s();
            printf("%u packets passed, %u dropped\n", passed, dropped);
            fflush(stdout);
        }
    }
    return 0;
}
